"""Environments of Gymnasium: its own checks, and its vector environments beside ours."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

import noughts
from noughts import NotationError
from noughts.rl import GYMNASIUM_IDS, IllegalAction
from noughts.rl.gym import GymEnv, GymVectorEnv

FAST = "alphabeta:depth=1,seed=0"
"""An opponent without chance: the same game has the same replies in any order."""


def test_names_are_registered() -> None:
    assert len(GYMNASIUM_IDS) == 5
    for name, rules in GYMNASIUM_IDS.items():
        env: Any = gymnasium.make(name, opponent="random")
        assert env.unwrapped._duel.batch.rules == noughts.game(rules).rules_id
        env.close()
    env = gymnasium.make("noughts/Ultimate-v0", rules="ultimate:tie=boards", opponent="random")
    assert env.unwrapped._duel.batch.rules == "ultimate:tie=boards"


@pytest.mark.parametrize("name", GYMNASIUM_IDS)
@pytest.mark.parametrize("opponent", [None, "random", "engine:level=4"])
def test_environments_pass_the_checks(
    name: str, opponent: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    env = gymnasium.make(name, opponent=opponent, plays="random")
    check_env(env.unwrapped)
    assert capsys.readouterr().out.strip(), "the mode human prints the board"


def played(env: Any, seed: int) -> list[Any]:
    """Play a game with masked random actions; return all that the environment returned."""
    observation, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    told: list[Any] = [(observation.tolist(), info["action_mask"].tolist())]
    terminated = False
    while not terminated:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, _, info = env.step(action)
        told.append((observation.tolist(), info["action_mask"].tolist(), reward))
    return told


@pytest.mark.parametrize("opponent", ["random", "engine:level=3"])
def test_seeds_decide_games(opponent: str) -> None:
    env = gymnasium.make("noughts/ConnectFour-v0", opponent=opponent, plays="random")
    games = [played(env, seed) for seed in range(6)]
    assert games == [played(env, seed) for seed in range(6)]
    first = {int(np.sum(game[0][0])) for game in games}
    assert first == {0, 1}, "the agent plays either side"
    again = pickle.loads(pickle.dumps(env.unwrapped))
    with pytest.raises(gymnasium.error.ResetNeeded):
        again.step(0)
    assert played(again, 3) == games[3]


def test_rewards_are_those_of_the_agent() -> None:
    env = GymEnv("basic", opponent="perfect:seed=0", plays="O")
    observation, _ = env.reset(seed=1)
    assert observation[:, :, 0].sum() == 0
    assert observation[:, :, 1].sum() == 1, "the marks of the opponent come second"
    lost = 0
    for seed in range(5):
        *_, (observation, mask, reward) = played(env, seed)
        assert reward in (0, -1)
        assert not any(mask)
        own, other = np.array(observation).sum(axis=(0, 1))
        assert own <= other
        assert own + other == env._duel.batch.ply[0]
        lost += reward == -1
    assert lost
    won = 0
    env = GymEnv("connect4", opponent="random", plays="X")
    for seed in range(5):
        told = played(env, seed)
        own, other = np.array(told[-1][0]).sum(axis=(0, 1))
        won += told[-1][2] == 1
        if told[-1][2] == 1:
            assert own == other + 1, "its marks come first where the game is over, too"
    assert won


def test_illegal_actions() -> None:
    env = GymEnv("basic", opponent=None)
    env.reset(seed=1)
    env.step(4)
    _, reward, terminated, _, info = env.step(4)
    assert (reward, terminated, info["action_mask"].sum()) == (-1, True, 0)
    raising = GymEnv("basic", opponent="random", illegal="raise")
    raising.reset(seed=1)
    with pytest.raises(IllegalAction):
        raising.step(9)
    with pytest.raises(TypeError, match="integers"):
        raising.step(0.5)
    ignoring = GymEnv("basic", opponent="random", illegal="ignore")
    ignoring.reset(seed=1)
    observation, reward, terminated, *_ = ignoring.step(9)
    assert (observation.sum(), reward, terminated) == (0, 0, False)


def test_boards_are_drawn() -> None:
    env = GymEnv("ultimate", opponent=None, render_mode="rgb_array")
    env.reset(seed=1)
    blank = env.render()
    env.step(40)
    shown = env.render()
    assert shown.shape == (288, 288, 3)
    assert shown.dtype == np.uint8
    assert (shown[128:160, 128:160] != blank[128:160, 128:160]).any()
    text = GymEnv("basic", opponent=None, render_mode="ansi")
    text.reset(seed=1)
    text.step(4)
    assert text.render() == noughts.game("basic").play(4).diagram() + "\n"


def vector(mode: AutoresetMode, **options: Any) -> GymVectorEnv:
    env = gymnasium.make_vec("noughts/TicTacToe-v0", num_envs=4, autoreset_mode=mode, **options)
    assert isinstance(env, GymVectorEnv)
    assert env.metadata["autoreset_mode"] is mode
    return env


def sync(
    mode: AutoresetMode, max_episode_steps: int | None = None, **options: Any
) -> SyncVectorEnv:
    def single() -> Any:
        env = GymEnv("basic", **options)
        return TimeLimit(env, max_episode_steps) if max_episode_steps else env

    return SyncVectorEnv([single] * 4, autoreset_mode=mode)


def check_same(ours: Any, theirs: Any) -> None:
    """Compare what two vector environments returned: ours may say more."""
    for mine, other in zip(ours[:-1], theirs[:-1], strict=True):
        assert mine.dtype == other.dtype
        assert (mine == other).all()
    check_info(ours[-1], theirs[-1])


def check_info(mine: dict[str, Any], other: dict[str, Any]) -> None:
    assert mine.keys() == other.keys()
    for key, value in other.items():
        if isinstance(value, dict):
            check_info(mine[key], value)
        elif not key.startswith("_"):
            for row in np.flatnonzero(other[f"_{key}"]):
                assert mine[f"_{key}"][row]
                assert (mine[key][row] == value[row]).all()


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    "options",
    [
        {"opponent": None},
        {"opponent": FAST},
        {"opponent": FAST, "plays": "O"},
        {"opponent": FAST, "plays": "O", "labels": True},
        {"opponent": None, "labels": True, "max_episode_steps": 5},
        {"opponent": FAST, "illegal": "raise", "max_episode_steps": 2},
    ],
)
def test_batches_are_like_single_games(mode: AutoresetMode, options: dict[str, Any]) -> None:
    one, other = vector(mode, **options), sync(mode, **options)
    check_same(one.reset(seed=1), other.reset(seed=1))
    rng, ended, over = np.random.default_rng(1), 0, np.zeros(4, np.bool_)
    info: dict[str, Any] = {"action_mask": one._duel.mask()}
    for _ in range(40):
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(gymnasium.error.ResetNeeded, match="games that are over"):
                one.step(np.zeros(4, np.int64))
            mine = one.reset(options={"reset_mask": over.copy()})
            check_same(mine, other.reset(options={"reset_mask": over.copy()}))
            info = mine[-1]
        masks = tuple(info["action_mask"])
        # A few are illegal, and lose.
        is_any = rng.random() < 0.1 and "illegal" not in options
        actions = one.action_space.sample() if is_any else None
        if actions is None:
            actions = np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])
            if mode is AutoresetMode.NEXT_STEP:
                actions[over] = 99
        seen = one.step(actions)
        check_same(seen, other.step(actions))
        over, info = seen[2] | seen[3], seen[4]
        ended += over.sum()
        assert seen[0] in one.observation_space
        one.action_space.sample(mask=masks)
    assert ended > 10


def test_seeds_decide_batches() -> None:
    def rewards(seed: int) -> list[Any]:
        env = GymVectorEnv(20, "connect4", "random", "random", autoreset_mode="SameStep")
        env = pickle.loads(pickle.dumps(env))
        env.reset(seed=seed)
        return [env.step(np.full(20, turn % 7))[1].tolist() for turn in range(60)]

    assert rewards(1) == rewards(1) != rewards(2)
    assert {-1, 0, 1} == {each for row in rewards(1) for each in row}


@pytest.mark.parametrize("opponent", [None, "perfect"])
def test_labels_say_what_perfect_play_would_be(opponent: str | None) -> None:
    env: Any = gymnasium.make("noughts/TicTacToe-v0", opponent=opponent, labels=True)
    _, info = env.reset(seed=1)
    names = {"action_mask", "value", "proven", "distance", "optimal"}
    assert info.keys() == names
    assert (info["value"], info["proven"], info["distance"]) == (0, True, -1)
    while True:
        lost = info["value"]
        action = env.action_space.sample(info["optimal"])
        _, reward, terminated, _, info = env.step(action)
        assert info.keys() == names | {"regret", "regret_proven"}
        assert (lost, info["regret"], info["regret_proven"]) == (0, 0, True)
        if terminated:
            break
    assert (reward, info["value"], info["distance"]) == (0, 0, -1)


def test_labels_are_those_of_the_agent_and_regret_that_of_its_action() -> None:
    env: Any = gymnasium.make("noughts/TicTacToe-v0", opponent="perfect", labels=True)
    env.reset(seed=1)
    total, terminated = 0.0, False
    while not terminated:
        _, reward, terminated, _, info = env.step(int(env.unwrapped._duel.mask()[0].argmax()))
        total += info["regret"]
    assert (reward, total, info["value"], info["distance"]) == (-1, 1, -1, 0)
    env.reset()
    env.step(4)
    *_, info = env.step(4)
    assert (info["value"], info["regret"], info["distance"]) == (-1, 1, 0), (
        "illegal: a draw is lost"
    )
    far: Any = gymnasium.make("noughts/Ultimate-v0", opponent="random", labels=True, nodes=300)
    _, info = far.reset(seed=1)
    assert (info["value"], info["proven"], info["distance"]) == (0, False, -1)
    assert info["optimal"].sum() >= 1
    assert not far.step(40)[4]["regret_proven"]


def test_batches_are_drawn() -> None:
    env = GymVectorEnv(2, "basic", None, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == (noughts.game("basic").diagram() + "\n",) * 2
    assert GymVectorEnv(2, "basic", None).render() is None


def test_single_games_run_in_processes() -> None:
    env = AsyncVectorEnv([partial(GymEnv, "basic", opponent="random")] * 2, context="spawn")
    observation, _ = env.reset(seed=1)
    assert observation.shape == (2, 3, 3, 2)
    env.step(np.array([0, 1]))
    env.close()


@pytest.mark.parametrize(
    ("act", "error", "said"),
    [
        (lambda: GymEnv("chess"), NotationError, "No game called"),
        (lambda: GymEnv("basic", opponent="nobody"), NotationError, "nobody"),
        (lambda: GymEnv("basic", opponent="human"), ValueError, "a person cannot"),
        (lambda: GymEnv("basic", plays="Y"), ValueError, "plays is one of X O random"),  # type: ignore[arg-type]
        (lambda: GymEnv("basic", render_mode="3d"), ValueError, "render_mode is one of"),
        (lambda: GymVectorEnv(2, "basic", render_mode="human"), ValueError, "ansi or rgb_array"),
        (lambda: GymVectorEnv(2, "basic", autoreset_mode="Never"), ValueError, "Never"),
        (lambda: GymVectorEnv(2, "basic", max_episode_steps=0), ValueError, "1 or more, not 0"),
        (lambda: GymVectorEnv(2, "basic").step([0, 0]), gymnasium.error.ResetNeeded, "reset"),
        (lambda: GymVectorEnv(2, "basic").reset(seed=[1, 2]), TypeError, "one seed"),  # type: ignore[arg-type]
        (
            lambda: GymVectorEnv(2, "basic").reset(options={"reset_mask": [True, False]}),
            TypeError,
            "dtype bool",
        ),
        (
            lambda: GymVectorEnv(2, "basic").reset(options={"reset_mask": np.zeros(2, np.bool_)}),
            ValueError,
            "True for one game or more",
        ),
    ],
)
def test_wrong_input_is_refused(act: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        act()


def test_batches_need_neither_library() -> None:
    program = """
import sys
sys.modules["gymnasium"] = sys.modules["pettingzoo"] = None
import noughts.rl
print(noughts.rl.Batch("basic", 1).legal.sum())
for name in ("aec", "gym"):
    try:
        noughts.rl.aec("basic") if name == "aec" else __import__("noughts.rl.gym")
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    nine, aec, gym = done.stdout.splitlines()
    assert nine == "9"
    assert aec.startswith("noughts.rl.aec needs pettingzoo: ")
    assert gym.startswith("noughts.rl.gym needs gymnasium: ")
    assert "pip install" in aec
