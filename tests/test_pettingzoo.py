"""The environment of PettingZoo: its own tests, and games beside the rules in Python."""

from __future__ import annotations

import pickle
import random
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest

import noughts
from noughts import NotationError, Player
from noughts.rl import IllegalAction, aec

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # Its tests import one of its games in a way that is outdated.
    from pettingzoo.test import api_test, render_test, seed_test

RULES = ["basic", "mnk:5,5,4", "connect4", "advanced", "ultimate"]
SPARED = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "Observation numpy array is all zeros",
    "Action mask numpy array is all zeros",
)
"""The warnings that PettingZoo spares its own tic-tac-toe by name."""


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("waiting", ["zeros", "ones"])
def test_environment_passes_the_tests(rules: str, waiting: Any) -> None:
    with warnings.catch_warnings():
        for text in SPARED:
            warnings.filterwarnings("ignore", text)
        api_test(aec(rules, waiting=waiting), num_cycles=100)
    seed_test(partial(aec, rules, waiting=waiting), num_cycles=20)


@pytest.mark.parametrize("rules", RULES)
def test_boards_are_drawn(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(aec, rules))
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("rules", RULES)
def test_games_follow_the_rules(rules: str) -> None:
    rng = random.Random(rules)
    for _ in range(3):
        env, position = aec(rules), noughts.game(rules)
        while position.outcome() is None:
            agent = env.agent_selection
            assert agent == f"player_{int(position.turn is Player.O)}"
            seen, reward, *over, _ = env.last()
            assert (reward, over) == (0, [False, False])
            assert np.flatnonzero(seen["action_mask"]).tolist() == list(position.legal_moves())
            other = env.observe("player_1" if agent == "player_0" else "player_0")
            assert not other["action_mask"].any()
            assert (other["observation"][:, :, 0] == seen["observation"][:, :, 1]).all()
            planes = np.array(position.planes())  # type: ignore[attr-defined]
            assert (seen["observation"][:, :, :2] == planes[:2].transpose(1, 2, 0)).all()
            move = rng.choice(position.legal_moves())
            env.step(move)
            position = position.play(move)
            if rng.random() < 0.2:
                env = pickle.loads(pickle.dumps(env))
        outcome = position.outcome()
        assert outcome is not None
        sign = {None: 0, Player.X: 1, Player.O: -1}[outcome.winner]
        assert env.rewards == {"player_0": sign, "player_1": -sign}
        assert env.terminations == {"player_0": True, "player_1": True}
        told = {}
        for agent in env.agent_iter():
            seen, told[agent], *_ = env.last()
            assert not seen["action_mask"].any()
            env.step(None)
        assert told == {"player_0": sign, "player_1": -sign}


def test_illegal_actions() -> None:
    def after(illegal: Any, action: Any) -> Any:
        env = aec("basic", illegal=illegal)
        env.step(4)
        env.step(action)
        return env

    for action in (4, 9, np.int32(-1)):
        assert after("lose", action).rewards == {"player_0": 1, "player_1": -1}
        env = after("penalty", action)
        assert env.rewards == {"player_0": 0, "player_1": -1}
        assert env.terminations == {"player_0": True, "player_1": True}
        again = pickle.loads(pickle.dumps(env))
        assert again.last()[1:3] == (0, True)
        assert not again.observe("player_0")["action_mask"].any()
    env = aec("basic", illegal="raise")
    env.step(4)
    with pytest.raises(IllegalAction):
        env.step(4)
    env.step(0)
    assert env.agent_selection == "player_0"
    with pytest.raises(TypeError, match="integers"):
        env.step(None)


def test_masks_of_those_who_wait() -> None:
    env = aec("basic", waiting="ones")
    assert env.observe("player_1")["action_mask"].all()
    for move in (0, 3, 1, 4):
        env.step(move)
    assert env.observe("player_0")["action_mask"].sum() == 5
    env.step(2)
    assert all(env.observe(agent)["action_mask"].all() for agent in env.possible_agents)


@pytest.mark.parametrize(
    ("act", "error", "said"),
    [
        (lambda: aec("chess"), NotationError, "No game called"),
        (lambda: aec("basic", illegal="die"), ValueError, "illegal is one of lose penalty raise"),  # type: ignore[arg-type]
        (lambda: aec("basic", waiting="half"), ValueError, "waiting is zeros or ones"),  # type: ignore[arg-type]
        (lambda: aec("basic", render_mode="3d"), ValueError, "render_mode is one of"),
    ],
)
def test_wrong_input_is_refused(act: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        act()
