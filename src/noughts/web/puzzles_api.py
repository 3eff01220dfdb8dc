"""The HTTP API of puzzles: lists, the puzzle of a day, and judged moves.

game, level ──► GET /puzzles ──► cards          date ──► GET /puzzles/days/DATE ──► PuzzleView
id, moves, move ──► POST /puzzles/ID/moves ──► a worker process ──► right or wrong, the reply
"""

from __future__ import annotations

import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BeforeValidator

from noughts.answers import tasks
from noughts.answers.puzzles import (
    PuzzleAnswer,
    PuzzleList,
    PuzzleSolution,
    PuzzleView,
    found_puzzle,
    iso_date,
    puzzle_data,
    puzzle_list,
)
from noughts.puzzles.puzzle import Level, Puzzle, puzzle_of_day
from noughts.web.analysis_api import run_task
from noughts.web.games_api import Reading, problems
from noughts.web.models import PuzzleMoveRequest, PuzzleRequest

router = APIRouter(prefix="/api/v1", tags=["Puzzles"], responses=problems)


def _found(
    id: Annotated[str, Path(description="Id of a puzzle, as in 03f49a1c2e.")],  # noqa: A002
) -> Puzzle:
    return found_puzzle(id)


FoundPuzzle = Annotated[Puzzle, Depends(_found)]


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
    return await reading.call(puzzle_list, rules, level, start, after, count)


@router.get("/puzzles/days/{date}")
async def show_day(
    date: Annotated[
        datetime.date, BeforeValidator(iso_date), Path(description="As in 2026-11-23.")
    ],
    reading: Reading,
) -> PuzzleView:
    """Return the puzzle of a date, the same for everybody."""
    return await reading.call(lambda: puzzle_data(puzzle_of_day(date)))


@router.get("/puzzles/{id}")
async def show_puzzle(puzzle: FoundPuzzle, reading: Reading) -> PuzzleView:
    """Return a puzzle without its solution."""
    return await reading.call(puzzle_data, puzzle)


@router.post("/puzzles/{id}/moves")
async def try_move(body: PuzzleMoveRequest, puzzle: FoundPuzzle, request: Request) -> PuzzleAnswer:
    """Judge a move after right moves and their replies; return the reply and the reasons."""
    return await run_task(request, tasks.puzzle_move, puzzle.id, body.moves, body.move)


@router.post("/puzzles/{id}/solution")
async def show_solution(
    body: PuzzleRequest, puzzle: FoundPuzzle, request: Request
) -> PuzzleSolution:
    """Return the moves from here to the end of the puzzle, and the reasons of the first one."""
    return await run_task(request, tasks.puzzle_solution, puzzle.id, body.moves)
