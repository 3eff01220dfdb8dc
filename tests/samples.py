"""Positions, random games and pinned numbers for several test files."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

import noughts

EXAMPLES = Path(__file__).parents[1] / "examples"
NIM = EXAMPLES / "nim.py"
"""A game of the user's own."""

P = TypeVar("P", bound=noughts.Position)


def data(name: str) -> Any:
    """Return the contents of `data/NAME.json`."""
    return json.loads((Path(__file__).parent / "data" / f"{name}.json").read_text())


RULES: dict[str, dict[str, dict[str, int]]] = data("rules")
"""Rules ids by game, each with its shortest and longest game and its number of symmetries."""
RULES_IDS = [rules_id for name in noughts.GAMES for rules_id in RULES.get(name, {name: {}})]
"""The rules ids that the conformance suite checks: those of all registered games."""
SOME_RULES_IDS = [
    pytest.param(each, marks=() if number % 3 == 0 else pytest.mark.soak)
    for number, each in enumerate(RULES_IDS)
]
"""The same as parameters of a test that takes long: every third, and all under `soak`."""


@contextmanager
def games_restored() -> Iterator[None]:
    """Forget the games that are registered inside."""
    games = dict(noughts.GAMES)
    try:
        yield
    finally:
        noughts.GAMES.clear()
        noughts.GAMES.update(games)


def random_game(start: P, rng: random.Random) -> Iterator[P]:
    """Yield the positions of a random game, from `start` to the finished one."""
    position = start
    yield position
    while position.outcome() is None:
        position = position.play(rng.choice(position.legal_moves()))
        yield position


def random_position(start: P, rng: random.Random) -> P:
    """Return an unfinished position of a random game."""
    *positions, _ = random_game(start, rng)
    return rng.choice(positions)


def reachable(start: P) -> set[P]:
    """Return all positions reachable from `start`, itself included."""
    seen = {start}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves():
            after = position.play(move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


def replay(rules_id: str, moves: str) -> noughts.Position:
    """Return the position after `moves`.

    Raises:
        IllegalMove: a move is against the rules.
    """
    return noughts.game(rules_id).after(moves)


def as_result(outcome: noughts.Outcome | None) -> tuple[str | None, str] | None:
    """Return an outcome in the form of the data files: the winner's letter or `None`, and why."""
    if outcome is None:
        return None
    return outcome.winner and outcome.winner.value, outcome.termination.value
