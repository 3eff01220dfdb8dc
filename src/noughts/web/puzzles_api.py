"""The HTTP API of puzzles: lists, the puzzle of a day, and judged moves.

game, level ──► GET /puzzles ──► cards          date ──► GET /puzzles/days/DATE ──► PuzzleView
id, moves, move ──► POST /puzzles/ID/moves ──► a worker process ──► right or wrong, the reply
"""

from __future__ import annotations

import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BeforeValidator

from noughts.games.registry import game
from noughts.games.words import title_and_rule
from noughts.puzzles.puzzle import (
    GAMES,
    LEVELS,
    Level,
    Puzzle,
    puzzle_named,
    puzzle_of_day,
    puzzles_of,
)
from noughts.puzzles.solve import hints
from noughts.puzzles.themes import THEMES
from noughts.web import tasks
from noughts.web.analysis_api import run_task
from noughts.web.errors import Refused
from noughts.web.games_api import Reading, problems
from noughts.web.models import (
    PuzzleAnswer,
    PuzzleCard,
    PuzzleCounts,
    PuzzleList,
    PuzzleMoveRequest,
    PuzzleRequest,
    PuzzleSolution,
    PuzzleView,
    ThemeView,
)
from noughts.web.positions import picture_view, position_view

router = APIRouter(prefix="/api/v1", tags=["Puzzles"], responses=problems)


def _found(
    id: Annotated[  # noqa: A002
        str, Path(pattern="^[0-9a-f]{10}$", description="Id of a puzzle.")
    ],
) -> Puzzle:
    """Return an installed puzzle.

    Raises:
        Refused: there is none with this id.
    """
    puzzle = puzzle_named(id)
    if puzzle is None:
        raise Refused(404, "not-found", "There is no such puzzle.", field="id")
    return puzzle


FoundPuzzle = Annotated[Puzzle, Depends(_found)]


def _iso_date(text: str) -> datetime.date:
    """Return a date; Pydantic would also take a number of seconds.

    Raises:
        ValueError: the text is not a date as in 2026-11-23.
    """
    date = datetime.date.fromisoformat(text)
    if date.isoformat() != text:
        raise ValueError(f"not a date as in 2026-11-23: {text}")
    return date


def _card(puzzle: Puzzle) -> PuzzleCard:
    position = puzzle.position
    return PuzzleCard(
        id=puzzle.id,
        rules=position.rules_id,
        title=title_and_rule(position)[0],
        task=puzzle.task,
        rating=puzzle.rating,
        level=puzzle.level,
        picture=picture_view(position, None),
    )


def _view(puzzle: Puzzle) -> PuzzleView:
    return PuzzleView(
        **dict(_card(puzzle)),
        kind=puzzle.kind,
        moves=puzzle.moves,
        rule=title_and_rule(puzzle.position)[1],
        hints=list(hints(puzzle)),
        themes=[ThemeView(name=name, sentence=THEMES[name]) for name in puzzle.themes],
        position=position_view([puzzle.position], None),
    )


@router.get("/puzzles")
async def list_puzzles(
    reading: Reading,
    rules: Annotated[str | None, Query(max_length=200, description="Rules id.")] = None,
    level: Annotated[Level | None, Query(description="Difficulty.")] = None,
    start: Annotated[int, Query(ge=0, le=100_000, description="Puzzles to leave out.")] = 0,
    after: Annotated[
        str | None, Query(max_length=10, description="Id of the puzzle before the first one.")
    ] = None,
    count: Annotated[int, Query(ge=0, le=60, description="Most puzzles to return.")] = 12,
) -> PuzzleList:
    """List the games with puzzles, and puzzles of a game and a difficulty, easiest first."""
    return await reading.call(_listed, rules, level, start, after, count)


def _listed(
    rules: str | None, level: Level | None, start: int, after: str | None, count: int
) -> PuzzleList:
    games = [
        PuzzleCounts(
            rules=each,
            title=title_and_rule(game(each))[0],
            levels={
                name: sum(puzzle.level == name for puzzle in puzzles_of(each)) for name in LEVELS
            },
        )
        for each in GAMES
    ]
    names = GAMES if rules is None else (rules,)
    chosen = [
        puzzle
        for name in names
        for puzzle in puzzles_of(name)
        if level is None or puzzle.level == level
    ]
    chosen.sort(key=lambda puzzle: puzzle.rating)
    last = None if after is None else puzzle_named(after)
    first = start if last not in chosen else chosen.index(last) + 1 + start
    shown = chosen[first : first + count]
    return PuzzleList(games=games, total=len(chosen), puzzles=[_card(each) for each in shown])


@router.get("/puzzles/days/{date}")
async def show_day(
    date: Annotated[
        datetime.date, BeforeValidator(_iso_date), Path(description="As in 2026-11-23.")
    ],
    reading: Reading,
) -> PuzzleView:
    """Return the puzzle of a date, the same for everybody."""
    return await reading.call(lambda: _view(puzzle_of_day(date)))


@router.get("/puzzles/{id}")
async def show_puzzle(puzzle: FoundPuzzle, reading: Reading) -> PuzzleView:
    """Return a puzzle without its solution."""
    return await reading.call(_view, puzzle)


@router.post("/puzzles/{id}/moves")
async def try_move(body: PuzzleMoveRequest, puzzle: FoundPuzzle, request: Request) -> PuzzleAnswer:
    """Judge a move after right moves and their replies; return the reply and the reasons."""
    asked = puzzle.id, body.moves, body.move
    return PuzzleAnswer(**await run_task(request, tasks.puzzle_move, *asked))


@router.post("/puzzles/{id}/solution")
async def show_solution(
    body: PuzzleRequest, puzzle: FoundPuzzle, request: Request
) -> PuzzleSolution:
    """Return the moves from here to the end of the puzzle, and the reasons of the first one."""
    return PuzzleSolution(**await run_task(request, tasks.puzzle_solution, puzzle.id, body.moves))
