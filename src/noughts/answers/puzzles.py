"""Installed puzzles as JSON data: lists, and one puzzle without its solution.

game, level ──puzzle_list()──► `PuzzleList` data
Puzzle      ──puzzle_data()──► `PuzzleView` data
"""

from __future__ import annotations

import datetime

from noughts.answers.positions import Data, picture_data, position_data
from noughts.answers.problems import Refused
from noughts.games.registry import game
from noughts.games.words import title_and_rule
from noughts.puzzles.puzzle import GAMES, LEVELS, Level, Puzzle, puzzle_named, puzzles_of
from noughts.puzzles.solve import hints
from noughts.puzzles.themes import THEMES


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


def _card(puzzle: Puzzle) -> Data:
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


def puzzle_data(puzzle: Puzzle) -> Data:
    """Return a puzzle without its solution, as `PuzzleView` data."""
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
    rules: str | None, level: Level | None, start: int, after: str | None, count: int
) -> Data:
    """Return the games with puzzles, and some puzzles, easiest first, as `PuzzleList` data.

    Args:
        rules: the rules id of the puzzles; `None` for all.
        level: their difficulty; `None` for all.
        start: the number of puzzles to leave out.
        after: the id of the puzzle before them, if not `None`.
        count: the most puzzles to return.
    """
    games = [
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
