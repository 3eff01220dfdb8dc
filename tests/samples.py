"""Positions and pinned numbers that the tests share."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import noughts

P = TypeVar("P", bound=noughts.Position)


def data(name: str) -> Any:
    """Return what `data/NAME.json` holds."""
    return json.loads((Path(__file__).parent / "data" / f"{name}.json").read_text())


RULES: dict[str, dict[str, dict[str, int]]] = data("rules")
"""For each game its rules ids, each with its shortest and longest game and its symmetries."""
RULES_IDS = [rules_id for name in noughts.GAMES for rules_id in RULES.get(name, {name: {}})]
"""The rules that the conformance suite plays: those of all registered games."""


def random_game(start: P, rng: random.Random) -> Iterator[P]:
    """Yield the positions of a random game, `start` and the finished one included."""
    position = start
    yield position
    while position.outcome() is None:
        position = position.play(rng.choice(position.legal_moves()))
        yield position


def random_position(start: P, rng: random.Random) -> P:
    """Return a position of a random game that is not over."""
    *positions, _ = random_game(start, rng)
    return rng.choice(positions)


def reachable(start: P) -> set[P]:
    """Return every position that play can reach, `start` included."""
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
    """Return the position after `moves` under these rules.

    Raises:
        IllegalMove: the rules do not allow them.
    """
    position = noughts.game(rules_id)
    for move in noughts.parse_moves(position, moves):
        position = position.play(move)
    return position


def as_result(outcome: noughts.Outcome | None) -> tuple[str | None, str] | None:
    """Return an outcome as the data have it: the winner's letter or `None`, and the termination."""
    if outcome is None:
        return None
    return outcome.winner and outcome.winner.value, outcome.termination.value
