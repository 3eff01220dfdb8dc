"""Numbers of move sequences, pinned in data/perft.json with their sources."""

from __future__ import annotations

from typing import Any

import pytest
from samples import data, replay

import noughts
from noughts.games.position import perft

QUICK, DEEP = 600_000, 10_000_000
"""Counts up to QUICK are checked in every run, those up to DEEP in soak runs."""

CASES = [
    pytest.param(
        entry,
        depth,
        count,
        id=f"{entry['rules']} {'after moves ' if entry['moves'] else ''}depth {depth}",
        marks=[pytest.mark.soak] if count > QUICK else [],
    )
    for entry in data("perft")
    for depth, count in enumerate(entry["nodes"], start=1)
    if count <= DEEP
]


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_perft(entry: dict[str, Any], depth: int, count: int) -> None:
    assert perft(replay(entry["rules"], entry["moves"]), depth) == count


def test_distinct_positions_of_connect_four() -> None:
    """OEIS A212693."""
    level = {noughts.game("connect4")}
    counts = []
    for _ in range(7):
        counts.append(len(level))
        level = {position.play(move) for position in level for move in position.legal_moves()}
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422]


def test_basic_positions_and_endings() -> None:
    """Counted by an independent program; 255,168 games in all."""
    level: dict[noughts.Position, int] = {noughts.game("basic"): 1}
    positions, games = [], []
    while level:
        positions.append(len(level))
        games.append(sum(n for position, n in level.items() if position.outcome() is not None))
        after: dict[noughts.Position, int] = {}
        for position, sequences in level.items():
            for move in position.legal_moves():
                child = position.play(move)
                after[child] = after.get(child, 0) + sequences
        level = after
    assert positions == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert games == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]
