"""Installed puzzles as JSON data: lists, and one puzzle without its solution.

game, level ──puzzle_list()──► PuzzleList
Puzzle      ──puzzle_data()──► PuzzleView
"""

from __future__ import annotations

import datetime

from noughts.answers.described import Described
from noughts.answers.positions import PictureView, PositionView, picture_data, position_data
from noughts.answers.problems import Refused
from noughts.answers.reasons import SentenceView
from noughts.games.registry import game
from noughts.games.words import title_and_rule
from noughts.puzzles.puzzle import GAMES, LEVELS, Kind, Level, Puzzle, puzzle_named, puzzles_of
from noughts.puzzles.solve import hints
from noughts.puzzles.themes import THEMES


class ThemeView(Described):
    """A theme of a puzzle."""

    name: str
    sentence: str
    """Its definition, without a capital letter and a full stop."""


class PuzzleCard(Described):
    """A puzzle in a list."""

    id: str
    rules: str
    title: str
    """The title of the game."""
    task: str
    """The task, such as `X to move wins in 3 moves.`"""
    rating: float
    """The level of the engine that finds the first move half of the time, 0 to 11."""
    level: Level
    picture: PictureView


class PuzzleView(PuzzleCard):
    """A puzzle without its solution."""

    kind: Kind
    moves: int
    """Own moves of the solution."""
    rule: str
    """The rule of the game in one sentence."""
    hints: list[str]
    """Hints that do not name the move, to show one by one."""
    themes: list[ThemeView]
    position: PositionView


class PuzzleCounts(Described):
    """The number of puzzles of a game by difficulty."""

    rules: str
    title: str
    levels: dict[str, int]


class PuzzleList(Described):
    games: list[PuzzleCounts]
    total: int
    """Number of puzzles of the game and the difficulty asked for."""
    puzzles: list[PuzzleCard]


class PuzzleAnswer(Described):
    """The judgement of a move."""

    move: str
    right: bool
    """Whether it is proven that the move keeps the result in the moves that are left."""
    solved: bool
    reply: str | None
    """The reply to a right move that does not solve the puzzle."""
    positions: list[PositionView]
    """The positions after the move, and after the reply."""
    sentences: list[SentenceView]
    """Why a wrong move is wrong; after the last move why the first one was right."""


class PuzzleSolution(Described):
    moves: list[str]
    """The moves from the given position on; empty if their proof takes too long."""
    sentences: list[SentenceView]
    """Reasons for the first move of the puzzle."""


def found_puzzle(id_: str) -> Puzzle:
    """Return an installed puzzle.

    Raises:
        Refused: there is none with this id.
    """
    puzzle = puzzle_named(id_)
    if puzzle is None:
        raise Refused(404, "not-found", "There is no such puzzle.", field="id")
    return puzzle


def iso_date(text: str) -> datetime.date:
    """Return a date.

    Raises:
        ValueError: the text is not a date as in 2026-11-23.
    """
    date = datetime.date.fromisoformat(text)
    if date.isoformat() != text:
        raise ValueError(f"not a date as in 2026-11-23: {text}")
    return date


def _card(puzzle: Puzzle) -> PuzzleCard:
    position = puzzle.position
    return {
        "id": puzzle.id,
        "rules": position.rules_id,
        "title": title_and_rule(position)[0],
        "task": puzzle.task,
        "rating": puzzle.rating,
        "level": puzzle.level,
        "picture": picture_data(position, None),
    }


def puzzle_data(puzzle: Puzzle) -> PuzzleView:
    """Return a puzzle without its solution."""
    return {
        **_card(puzzle),
        "kind": puzzle.kind,
        "moves": puzzle.moves,
        "rule": title_and_rule(puzzle.position)[1],
        "hints": list(hints(puzzle)),
        "themes": [{"name": name, "sentence": THEMES[name]} for name in puzzle.themes],
        "position": position_data(puzzle.position, 0, None),
    }


def puzzle_list(
    rules: str | None = None,
    level: Level | None = None,
    start: int = 0,
    after: str | None = None,
    count: int = 12,
) -> PuzzleList:
    """Return the games with puzzles, and some puzzles, easiest first.

    Args:
        rules: the rules id of the puzzles; `None` for all.
        level: their difficulty; `None` for all.
        start: the number of puzzles to leave out.
        after: the id of the puzzle before them, if not `None`.
        count: the most puzzles to return.
    """
    games: list[PuzzleCounts] = [
        {
            "rules": each,
            "title": title_and_rule(game(each))[0],
            "levels": {
                name: sum(puzzle.level == name for puzzle in puzzles_of(each)) for name in LEVELS
            },
        }
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
    return {"games": games, "total": len(chosen), "puzzles": [_card(each) for each in shown]}
