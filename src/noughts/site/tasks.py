"""Puzzles, kinds of exercises and labs as files, so that their lists need no Python in the browser.

puzzles ──► data/puzzles.json ──► site/puzzles.js: lists, the puzzle of a day, one puzzle
kinds of exercises, labs ──► data/exercises.json, data/labs.json: replies of the API
"""

from __future__ import annotations

import datetime
import json
from typing import Any

from noughts.answers.exercises import exercise_kinds
from noughts.answers.labs import lab_list
from noughts.answers.puzzles import puzzle_list
from noughts.games.registry import game
from noughts.games.words import title_and_rule
from noughts.puzzles.puzzle import Puzzle, all_puzzles, puzzle_of_day
from noughts.puzzles.solve import hints
from noughts.puzzles.themes import THEMES

FIRST_DAY = datetime.date(2026, 1, 1)
DAYS = 3_653
"""Days with a puzzle in the file, ten years; on later ones the page asks Python."""


def task_files() -> dict[str, bytes]:
    """Return the content of each file by its path in the site."""
    found = {"puzzles": _puzzles(), "exercises": exercise_kinds(), "labs": lab_list()}
    return {
        f"data/{name}.json": json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        for name, data in found.items()
    }


def _puzzles() -> dict[str, Any]:
    """Return all puzzles, easiest first, and the number of the puzzle of each day."""
    puzzles = sorted(all_puzzles(), key=lambda puzzle: puzzle.rating)
    numbers = {puzzle.id: number for number, puzzle in enumerate(puzzles)}
    days = (FIRST_DAY + datetime.timedelta(days=number) for number in range(DAYS))
    return {
        "games": [
            {**each, "rule": title_and_rule(game(each["rules"]))[1]}
            for each in puzzle_list(count=0)["games"]
        ],
        "themes": THEMES,
        "puzzles": [_puzzle(each) for each in puzzles],
        "first_day": FIRST_DAY.isoformat(),
        "days": [numbers[puzzle_of_day(day).id] for day in days],
    }


def _puzzle(puzzle: Puzzle) -> dict[str, Any]:
    return {
        "id": puzzle.id,
        "rules": puzzle.position.rules_id,
        "position": str(puzzle.position),
        "task": puzzle.task,
        "rating": puzzle.rating,
        "level": puzzle.level,
        "kind": puzzle.kind,
        "moves": puzzle.moves,
        "hints": [*hints(puzzle)],
        "themes": [*puzzle.themes],
    }
