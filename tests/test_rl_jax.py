"""Environments in JAX: every array against `Batch`, and the checks of Pgx's `api_test`."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from needs import imported
from samples import RULES_IDS

import noughts
from noughts.extras import missing
from noughts.games.nested import NestedPosition
from noughts.games.row import RowPosition
from noughts.rl import Batch, label

jax = imported("jax", "jax")

from noughts.rl.jax import make  # noqa: E402

NATIVE = [
    each for each in RULES_IDS if isinstance(noughts.game(each), RowPosition | NestedPosition)
]
LARGE = ["mnk:20,20,5", "mnk:15,15,5,exact", "connect4:9,8", "mnk:9,9,5,misere"]
FEW = ["basic", "connect4", "mnk:5,4,3,exact,misere", "ultimate:tie=boards,won=open"]
"""Rules that `make test` compiles; all are a soak test."""
ALL = dict.fromkeys([*FEW, *NATIVE, *LARGE])


def arrays(state: Any) -> dict[str, Any]:
    """Return the public arrays of a state, those of Pgx and no others."""
    return {
        name: np.asarray(value) for name, value in vars(state).items() if not name.startswith("_")
    }


def mapped(rules: str) -> tuple[Any, Any]:
    env = make(rules)
    return jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))


@pytest.mark.parametrize(
    ("rules", "games"),
    [
        *((rules, 200) for rules in FEW),
        *(pytest.param(rules, 100_000, marks=pytest.mark.soak) for rules in ALL),
    ],
)
def test_random_games_equal_the_core(rules: str, games: int) -> None:
    """Play `games` games in parts of 5,000, with every array compared after every action."""
    init, step = mapped(rules)
    part, compared = min(games, 5_000), 0
    for seed in range(games // part):
        batch = Batch(rules, part, illegal="lose", seed=seed)
        state = init(jax.random.split(jax.random.key(seed), part))
        first = np.asarray(state.current_player)
        assert set(first) == {0, 1}
        while True:
            seen, over = arrays(state), batch.terminated
            assert (seen["observation"] == batch.observation).all()
            assert (seen["terminated"] == over).all()
            assert (seen["legal_action_mask"] == (batch.legal | over[:, None])).all()
            assert (seen["current_player"] == first ^ batch.turn).all()
            turned = np.where(first[:, None] == 1, batch.reward[:, ::-1], batch.reward)
            assert (seen["rewards"] == turned).all()
            assert not seen["truncated"].any()
            compared += int((~over).sum())
            if over.all():
                break
            actions = batch.sample()
            if seed == 0:
                # A few games end by an illegal action.
                actions[: part // 100] = np.where(batch.ply[: part // 100] < 3, actions[0], -1)
            batch.step(actions)
            state = step(state, actions)
    assert compared >= games


@pytest.mark.parametrize("rules", ["basic", "ultimate"])
def test_states_have_the_interface_of_pgx(rules: str) -> None:
    """Check what Pgx's `api_test` checks, in a game."""
    env = make(rules)
    init, step = jax.jit(env.init), jax.jit(env.step)
    state = init(jax.random.key(3))
    assert (env.id, env.version, env.num_players) == (rules, "v0", 2)
    assert state.env_id == env.id
    kinds = {
        "current_player": "int32",
        "observation": "uint8",
        "rewards": "float32",
        "terminated": "bool",
        "truncated": "bool",
        "legal_action_mask": "bool",
    }
    rng = np.random.default_rng(1)
    steps = 0
    while True:
        seen = arrays(state)
        assert {name: str(value.dtype) for name, value in seen.items()} == kinds
        assert seen["observation"].shape == env.observation_shape
        assert seen["legal_action_mask"].shape == (env.num_actions,)
        assert seen["rewards"].shape == (2,)
        assert state._step_count == steps
        assert seen["current_player"] in (0, 1)
        if state.terminated:
            break
        assert seen["legal_action_mask"].any()
        assert not seen["rewards"].any()
        state = step(state, int(rng.choice(np.flatnonzero(seen["legal_action_mask"]))), None)
        steps += 1
    assert seen["legal_action_mask"].all(), "any action is allowed, and changes nothing"
    assert seen["rewards"].sum() == 0
    again = step(state, 0)
    assert not again.rewards.any()
    unchanged = again.replace(rewards=state.rewards)
    assert jax.tree.all(jax.tree.map(lambda a, b: (a == b).all(), unchanged, state))


def test_who_plays_an_illegal_action_loses() -> None:
    env = make("basic")
    step = jax.jit(env.step)
    for taken in (4, 9, -1):
        start = env.init(jax.random.key(0))
        state = step(start, 4)
        lost = step(state, taken)
        loser = int(state.current_player)
        assert (lost.terminated, lost.rewards[loser], lost.rewards[1 - loser]) == (True, -1, 1)
        assert (lost.observation == state.observation).all(), "the board stays as it is"


def test_positions_and_pictures(tmp_path: Path) -> None:
    init, step = mapped("ultimate:won=open")
    state = init(jax.random.split(jax.random.key(0), 3))
    batch = Batch("ultimate:won=open", 3)
    for _ in range(30):
        actions = batch.sample()
        batch.step(actions)
        state = step(state, actions)
    assert state.positions() == batch.positions()
    assert label(state.positions(), nodes=10)["value"].shape == (3,)
    one = make("connect4").init(jax.random.key(0))
    assert one.positions() == [noughts.game("connect4")]
    one.save_svg(tmp_path / "one.svg", color_theme="dark", scale=2.0)
    for text in ((tmp_path / "one.svg").read_text(), state.to_svg(), state._repr_html_()):
        ET.fromstring(text)
    assert state.to_svg().count('<g transform="translate(') == 3
    with pytest.raises(ValueError, match="one of light dark, not 'blue'"):
        one.to_svg(color_theme="blue")


def test_the_other_player_sees_its_own_marks_first() -> None:
    env = make("basic")
    state = env.step(env.init(jax.random.key(0)), 4)
    mover = state.current_player
    assert env.observe(state, mover)[1, 1].tolist() == [0, 1]
    assert env.observe(state, 1 - mover)[1, 1].tolist() == [1, 0]
    assert (env.observe(state) == state.observation).all()


def test_wrong_input_is_refused() -> None:
    with pytest.raises(noughts.NotationError, match="No game called"):
        make("chess")
    env = make("basic")
    for action, kind in ((2.7, "float32"), (True, "bool")):
        with pytest.raises(TypeError, match=f"an action is an integer, not {kind}"):
            env.step(env.init(jax.random.key(0)), action)


def test_without_jax_the_extra_is_named() -> None:
    program = "import sys; sys.modules['jax'] = None; import noughts.rl.jax"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert missing("noughts.rl.jax", "jax", "jax") in done.stderr
