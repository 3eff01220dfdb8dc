"""The core's rules equal those of Python: perft and random games over all games and options."""

from __future__ import annotations

import random
from typing import Any

import pytest
from samples import RULES_IDS, data, replay

import noughts
from noughts import Player, _core, engine
from noughts.games.position import perft

QUICK_GAMES = 50
SOAK_GAMES = 100_000

LARGER = ["mnk:9,9,5", "mnk:12,11,5,misere", "connect4:9,9", "connect4:9,19", "connect4:8,15,5"]
LARGER += ["mnk:20,20,5", "mnk:20,19,6,exact", "connect4:9,20", "mnk:3,20,20"]
LARGER += ["mnk:5,5,3,exact", "mnk:8,1,2,exact", "mnk:6,6,4,exact,misere", "mnk:9,9,4,exact"]
LARGER += ["mnk:3,19,7", "mnk:3,19,19", "mnk:19,2,8", "mnk:16,3,16", "mnk:5,12,1"]
"""Boards for each bit width of the core, beside the sizes of the conformance suite."""


def is_large(rules_id: str) -> bool:
    return len(noughts.game(rules_id).legal_moves()) > 100


def compare_random_games(rules_id: str, games: int) -> None:
    """Play random games in the core, and repeat each ply in Python."""
    winners = {1: Player.X, 2: Player.O, 3: None}
    start = noughts.game(rules_id)
    for seed in range(games):
        position = start
        plies, winner = _core.random_game(str(start), seed)
        for legal, move in plies:
            assert list(position.legal_moves()) == legal, str(position)
            position = position.play(move)
        outcome = position.outcome()
        assert outcome is not None, str(position)
        assert outcome.winner is winners[winner], str(position)


@pytest.mark.parametrize("rules_id", [*RULES_IDS, *LARGER])
def test_random_games(rules_id: str) -> None:
    compare_random_games(rules_id, QUICK_GAMES // 5 if is_large(rules_id) else QUICK_GAMES)


@pytest.mark.soak
@pytest.mark.parametrize("rules_id", [*RULES_IDS, *LARGER])
def test_a_hundred_thousand_random_games(rules_id: str) -> None:
    compare_random_games(rules_id, SOAK_GAMES // len([*RULES_IDS, *LARGER]) + 1)


@pytest.mark.parametrize("rules_id", [*RULES_IDS, *LARGER])
def test_positions_parsed_from_strings_have_equal_perft(rules_id: str) -> None:
    rng = random.Random(rules_id)
    for _ in range(1 if is_large(rules_id) else 4):
        position = noughts.game(rules_id)
        while position.outcome() is None:
            depth = 2 if len(position.legal_moves()) < 100 or rng.random() < 0.05 else 1
            assert _core.perft(str(position), depth) == perft(position, depth), str(position)
            position = position.play(rng.choice(position.legal_moves()))
        assert _core.perft(str(position), 1) == 0


@pytest.mark.parametrize(
    "entry", data("perft"), ids=lambda entry: f"{entry['rules']} {entry['moves']}"
)
def test_perft(entry: dict[str, Any]) -> None:
    place = replay(entry["rules"], entry["moves"])
    for depth, count in enumerate(entry["nodes"], start=1):
        assert engine.perft(place, depth) == count


def test_core_plays_only_the_built_in_games() -> None:
    with pytest.raises(noughts.NotationError, match=r"[Nn]o game called"):
        engine.perft("checkers", 1)
    with pytest.raises(noughts.NotationError, match="Both X and O have a line"):
        engine.perft("basic~XXX.OOO.3~X", 1)
    for text in ("", "~", "basic", "basic~3.3~X", "mnk:99,1,1~9~X", "ultimate~9~X", "x~y~z"):
        with pytest.raises(ValueError, match="the core cannot read"):
            _core.perft(text, 1)
