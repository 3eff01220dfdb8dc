"""Levels of play: wins seen and overlooked, and the same play on every machine."""

from __future__ import annotations

import random

import pytest
from samples import random_game

import noughts
from noughts.engine import Engine
from noughts.games.lines import BOARD, HAS_LINE
from noughts.games.nested import NestedPosition
from noughts.games.position import Player
from noughts.games.registry import GAMES, sample
from noughts.games.row import RowPosition
from noughts.levels import BEGINNERS, LEVELS, choose, is_seen
from noughts.opponents import opponent
from noughts.search import Value

WIN_IN_ONE = noughts.position("basic~XX1.OO1.3~X")
LOSS_IN_TWO = noughts.position("basic~X2.1O1.X2~O")


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_takes_an_immediate_win(level: int) -> None:
    engine = Engine("basic", table_mib=1)
    assert {choose(engine, WIN_IN_ONE, level, seed).move for seed in range(20)} == {2}


def test_low_levels_overlook_more_than_high_levels() -> None:
    engine = Engine("basic", table_mib=1)

    def errors(level: int) -> int:
        return sum(choose(engine, LOSS_IN_TWO, level, seed).move != 3 for seed in range(50))

    assert errors(1) > 10
    assert errors(5) < errors(1)
    assert errors(9) == errors(10) == 0


@pytest.mark.parametrize("rules_id", ["basic", "connect4", "advanced", "ultimate"])
def test_level_depends_only_on_position_and_seed(rules_id: str) -> None:
    engine, rng = Engine(rules_id, table_mib=4), random.Random(rules_id)
    positions = [list(random_game(noughts.game(rules_id), rng))[4] for _ in range(5)]
    for level in (1, 3, 5):
        moves = [choose(engine, position, level, 7).move for position in positions]
        again = [choose(engine, position, level, 7).move for position in reversed(positions)]
        assert moves == again[::-1]
        legal = [position.legal_moves() for position in positions]
        assert all(move in there for move, there in zip(moves, legal, strict=True))


def test_seen_values() -> None:
    assert is_seen(Value.win(3), 3)
    assert not is_seen(Value.loss(4), 3)
    assert not is_seen(Value.win(), 9)
    assert is_seen(Value.unknown(0.2), 1)
    assert is_seen(Value.draw(), 1)


def completes(position: RowPosition | NestedPosition, move: int, marks: int) -> bool:
    """Return whether a mark at a move completes a line with these marks, on its small board."""
    cell = position.cell(move)
    after = marks | 1 << cell
    if isinstance(position, NestedPosition):
        return HAS_LINE[after >> 9 * (cell // 9) & BOARD]
    return position.rules.line_through(cell, after)


def naive_move(position: RowPosition | NestedPosition, rng: random.Random) -> int:
    """Return a line, else a block, else any move, as a beginner plays."""
    legal = list(position.legal_moves())
    mine, theirs = (
        (position.x, position.o) if position.turn is Player.X else (position.o, position.x)
    )
    takes = [move for move in legal if completes(position, move, mine)]
    blocks = [move for move in legal if completes(position, move, theirs)]
    return rng.choice(takes or blocks or legal)


@pytest.mark.parametrize("name", GAMES)
def test_beginner_beats_the_level_of_newcomers_in_every_game(name: str) -> None:
    found = sample(name)
    assert found
    won = 0
    for seed in range(12):
        rng = random.Random(seed)
        machine = opponent(f"engine:level={BEGINNERS}", seed=seed)
        position = noughts.game(found[0].rules_id)
        while position.outcome() is None:
            assert isinstance(position, RowPosition | NestedPosition)
            move = (
                naive_move(position, rng) if not position.ply % 2 else machine.choose(position).move
            )
            assert move is not None
            position = position.play(move)
        won += position.outcome().winner is Player.X  # type: ignore[union-attr]
    assert won >= 3
