"""The rules against OpenSpiel's: the same moves and outcomes in random games."""

from __future__ import annotations

import random
from typing import Any

import pytest
from needs import imported

import noughts
from noughts import Player
from noughts.games.nested import NestedPosition


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    return imported("pyspiel", "oracle")


def assert_same_end(position: noughts.Position, state: Any) -> None:
    outcome = position.outcome()
    assert state.is_terminal() == (outcome is not None)
    if outcome is None:
        assert state.current_player() == (0 if position.turn is Player.X else 1)
    else:
        returns = {None: [0, 0], Player.X: [1, -1], Player.O: [-1, 1]}
        assert state.returns() == returns[outcome.winner]


@pytest.mark.parametrize(
    ("rules_id", "oracle", "games"),
    [
        ("basic", "tic_tac_toe", 300),
        ("mnk:3,3,3", "mnk(m=3,n=3,k=3)", 200),
        ("mnk:2,3,2", "mnk(m=2,n=3,k=2)", 100),
        ("mnk:5,4,4", "mnk(m=5,n=4,k=4)", 200),
        ("mnk:3,7,3", "mnk(m=3,n=7,k=3)", 200),
        ("mnk:15,15,5", "mnk(m=15,n=15,k=5)", 20),
        ("connect4", "connect_four", 300),
        ("connect4:4,4", "connect_four(columns=4,rows=4,x_in_row=4)", 300),
        ("connect4:9,5,3", "connect_four(columns=9,rows=5,x_in_row=3)", 200),
    ],
)
def test_row_games(pyspiel: Any, rules_id: str, oracle: str, games: int) -> None:
    rng = random.Random(3)
    game = pyspiel.load_game(oracle)
    for _ in range(games):
        position, state = noughts.game(rules_id), game.new_initial_state()
        assert_same_end(position, state)
        while position.outcome() is None:
            assert list(position.legal_moves()) == state.legal_actions()
            move = rng.choice(position.legal_moves())
            position = position.play(move)
            state.apply_action(move)
            assert_same_end(position, state)


def test_ultimate(pyspiel: Any) -> None:
    """Where the player chooses a board, OpenSpiel asks for the board, then for the cell."""
    rng = random.Random(4)
    game = pyspiel.load_game("ultimate_tic_tac_toe")
    for _ in range(200):
        position, state = noughts.game("ultimate"), game.new_initial_state()
        while position.outcome() is None:
            assert isinstance(position, NestedPosition)
            boards = state.legal_actions()
            chooses = state.action_to_string(boards[0]).startswith("Choose")
            assert chooses == (position.forced is None)
            if chooses:
                moves = [
                    9 * board + cell
                    for board in boards
                    for cell in state.child(board).legal_actions()
                ]
            else:
                moves = [9 * (position.forced or 0) + cell for cell in boards]
            assert position.legal_moves() == moves
            move = rng.choice(moves)
            position = position.play(move)
            if chooses:
                state.apply_action(move // 9)
            state.apply_action(move % 9)
            assert_same_end(position, state)
