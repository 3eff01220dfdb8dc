"""The nine-board games against a naive implementation of the rules page."""

from __future__ import annotations

import random

import pytest
from naive import NaiveNested, assert_same_nested
from samples import RULES, data

import noughts

RULES_IDS = [rules_id for name in ("advanced", "ultimate") for rules_id in RULES[name]]


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_random_games_follow_naive_rules(rules_id: str) -> None:
    rng = random.Random(2)
    for _ in range(60):
        naive = NaiveNested(rules_id)
        position = noughts.game(rules_id)
        assert_same_nested(position, naive)
        while position.outcome() is None:
            move = rng.choice(position.legal_moves())
            position = position.play(move)
            naive.play(*divmod(move, 9))
            assert_same_nested(position, naive)


@pytest.mark.parametrize(
    "golden",
    [golden for golden in data("golden") if golden["rules"].startswith(("advanced", "ultimate"))],
    ids=lambda golden: f"{golden['rules']} {golden['termination']} {golden['winner']}",
)
def test_golden_games_follow_naive_rules(golden: dict[str, str]) -> None:
    naive = NaiveNested(golden["rules"])
    for move in golden["moves"].split():
        board, cell = int(move[0]) - 1, int(move[1]) - 1
        assert (board, cell) in naive.legal_moves()
        naive.play(board, cell)
    assert naive.result() == (golden["winner"], golden["termination"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Two marks of O in board 1, either of which may be the last move.
        ("ultimate~4O1O2.9.9.9.X3X4.9.9.9.9~X~5", "ultimate~4O1O2.9.9.9.X3X4.9.9.9.9~X~7"),
        # Two lines on board 1, either of which may be the first.
        (
            "ultimate:won=open~XXXOOO3.9.9.9.9.9.9.9.9~X~4~X--------",
            "ultimate:won=open~XXXOOO3.9.9.9.9.9.9.9.9~X~4~O--------",
        ),
    ],
    ids=["target", "owner"],
)
def test_keys_of_equal_marks_differ_where_the_rest_differs(one: str, other: str) -> None:
    assert noughts.position(one).key() != noughts.position(other).key()
    assert noughts.position(one).key() == noughts.position(one).key()
