"""Five in a row on large boards: what the engine proves holds by the rules alone."""

from __future__ import annotations

import random

import pytest

import noughts
from noughts.engine import Engine
from noughts.games.position import Player, Position
from noughts.games.row import MNK
from noughts.search import Limit

RULES = ["mnk:15,15,5", "mnk:15,15,5,exact"]
MOST = 600
"""Positions of a win that is checked; longer ones are left to the core's own test."""


class TooLong(Exception):
    pass


def completed(position: Position, player: Player) -> list[int]:
    """Return the empty cells where a mark of the player would complete a line, by the rules."""
    assert isinstance(position, MNK)
    columns, rows = position.rules.columns, position.rules.rows

    def run(cell: int, across: int, down: int) -> int:
        size, column, row = 0, cell % columns + across, cell // columns + down
        while 0 <= column < columns and 0 <= row < rows:
            if position.mark(row * columns + column) is not player:
                break
            size, column, row = size + 1, column + across, row + down
        return size

    def is_line(size: int) -> bool:
        return size == 5 if position.rules.exact else size >= 5

    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    return [
        cell
        for cell in position.legal_moves()
        if any(is_line(1 + run(cell, x, y) + run(cell, -x, -y)) for x, y in directions)
    ]


def holds(engine: Engine, position: Position, visited: list[Position]) -> bool:
    """Whether the side to move wins against every legal reply as the engine plays it."""
    visited.append(position)
    if len(visited) > MOST:
        raise TooLong
    result = engine.best_move(position, Limit(nodes=20_000))
    assert result.move is not None
    if not result.value.is_win:
        return False
    after = position.play(result.move)
    if after.outcome() is not None:
        return after.outcome().winner is position.turn  # type: ignore[union-attr]
    if completed(after, after.turn):
        return False
    # A reply that leaves a line to complete loses at once.
    threats = completed(after, position.turn)
    replies = after.legal_moves() if not threats else threats if len(threats) == 1 else []
    for reply in replies:
        next_position = after.play(reply)
        if next_position.outcome() is not None or not holds(engine, next_position, visited):
            return False
    return True


def positions(rules_id: str, seed: int) -> Position:
    """Return the first position of a game in which the engine proves a win, not at once."""
    rng, engine = random.Random(f"{rules_id} {seed}"), Engine(rules_id, table_mib=4)
    position = noughts.game(rules_id)
    while len(set(position.legal_moves())) > 219:
        cells = [row * 15 + column for row in range(4, 11) for column in range(4, 11)]
        move = rng.choice(cells)
        if move in position.legal_moves():
            position = position.play(move)
    while position.outcome() is None:
        result = engine.best_move(position, Limit(nodes=300))
        assert result.move is not None
        if result.value.is_win and not completed(position, position.turn):
            return position
        position = position.play(result.move)
    return position


@pytest.mark.parametrize("rules_id", RULES)
def test_proven_wins_hold_against_every_reply(rules_id: str) -> None:
    engine, held = Engine(rules_id, table_mib=16), 0
    for seed in range(12):
        if held == 1:
            break
        position, visited = positions(rules_id, seed), list[Position]()
        if position.outcome() is not None:
            continue
        try:
            assert holds(engine, position, visited), str(position)
        except TooLong:
            continue
        held += len(visited) > 100
    assert held == 1


@pytest.mark.parametrize(
    ("rules_id", "moves", "win"),
    [
        # Four marks with a gap make a line of six: it counts in freestyle only.
        ("mnk:15,15,5", "c8 a1 d8 c1 e8 e1 g8 g1 h8 a15", "f8"),
        ("mnk:15,15,5,exact", "c8 a1 d8 c1 e8 e1 g8 g1 h8 a15", None),
        ("mnk:15,15,5,exact", "c8 a1 d8 c1 e8 e1 g8 g1", "f8"),
    ],
)
def test_lines_that_are_too_long(rules_id: str, moves: str, win: str | None) -> None:
    position = noughts.game(rules_id).after(moves)
    result = Engine(rules_id, table_mib=4).best_move(position, Limit(nodes=2_000))
    wins_at_once = result.value.is_win and result.value.plies == 1
    assert (result.text if wins_at_once else None) == win


def test_open_three_is_a_proven_win_only_without_a_defence() -> None:
    engine = Engine("mnk:15,15,5", table_mib=4)
    start = noughts.game("mnk:15,15,5")
    # Two open threes at once, which no single mark stops.
    crossed = start.after("h8 a1 i8 c1 g9 e1 g10 g1")
    result = engine.best_move(crossed, Limit(nodes=20_000))
    assert result.value.is_win
    end = crossed.after(result.line).outcome()
    assert end is not None
    assert end.winner is crossed.turn
    alone = engine.best_move(start.after("h8 a1"), Limit(nodes=5_000))
    assert not alone.exact


@pytest.mark.parametrize("rules_id", [*RULES, "mnk:9,9,5", "mnk:20,20,5", "mnk:20,12,5,exact"])
def test_search_is_the_same_in_every_run_and_keeps_its_limit(rules_id: str) -> None:
    start = noughts.game(rules_id)
    found = []
    for _ in range(2):
        position, moves = start, list[int]()
        engine = Engine(rules_id, table_mib=4, seed=3)
        for _ in range(8):
            result = engine.best_move(position, Limit(nodes=2_000))
            assert result.move is not None
            assert result.nodes <= 2_000
            moves.append(result.move)
            position = position.play(result.move)
        found.append(moves)
    assert found[0] == found[1]
    every = Engine(rules_id, table_mib=4).best_move(position, Limit(nodes=3_000), moves=True)
    assert set(every.moves) == set(position.legal_moves())


def test_threads_search_five_in_a_row_together() -> None:
    engine = Engine("mnk:15,15,5", threads=2, table_mib=8)
    position = noughts.game("mnk:15,15,5").after("h8 i9 g9 i7")
    result = engine.best_move(position, Limit(nodes=40_000))
    assert result.move in position.legal_moves()
    assert 20_000 < result.nodes < 60_000
