"""Measure the environments for agents beside Pgx, EnvPool and PettingZoo, on one core.

    python bench/rl.py           random play and labels a second, as a table
    python bench/rl.py --quick   PettingZoo's loop and labels only
    python bench/rl.py --json    the same as one object

Each step of each game draws a random legal action, plays it, writes observation and mask, and
resets the games that are over. All sides run on the same core and take turns (A B A B …); their
medians are compared. Pgx and EnvPool are not installed with noughts; without them their lines are
skipped.

PettingZoo's loop (`agent_iter`, `last`, `step`) plays one game after another, in ours and in
theirs. Labels are those of random games before the ninth stone, which the book of Connect Four has,
and of random games of tic-tac-toe.

    python -m pip install pgx envpool
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

# One core and one thread for all sides, before any library counts them.
CORE = max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {CORE})
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import numpy as np  # noqa: E402
from table import Line, medians, parser, show  # noqa: E402

from noughts.rl import Batch, aec, label  # noqa: E402

COUNTS = (1_024, 8_192)
STEPS = 4_000_000
"""Steps of a measurement of noughts, over all games; peers play an eighth."""
SHARE = 8
RATIO, ULTIMATE = 8.0, 8e6
"""Targets: times the steps of a peer; steps a second."""
ROUNDS = 5
PGX = {"basic": "tic_tac_toe", "connect4": "connect_four"}
PETTINGZOO = {"basic": "tictactoe_v3", "connect4": "connect_four_v3"}
GAMES, LOOP_RATIO = 100, 5.0
"""Games of a measurement of PettingZoo's loop, and the target."""
LABELLED, LABELS, STONES = 200_000, 1e5, 9
"""Positions to label, the target a second, and the stones of the book."""
ENVPOOL = {"basic": "TicTacToe-v1", "connect4": "ConnectFour-v1"}


def ours(rules: str, count: int) -> Callable[[], object]:
    """Return random play of `STEPS` steps."""
    batch = Batch(rules, count, illegal="lose")

    def play() -> None:
        for _ in range(STEPS // count):
            batch.step(batch.sample())
            batch.reset(batch.terminated)

    return play


def pgx(name: str, count: int) -> Callable[[], object] | None:
    try:
        import jax
        import pgx
        from pgx.experimental.wrappers import auto_reset
    except ImportError:
        return None
    env = pgx.make(name)
    steps = STEPS // SHARE // count
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: object, given: tuple[object, object]) -> tuple[object, object]:
        state, key = given
        key, drawn, started = jax.random.split(key, 3)
        mask = state.legal_action_mask  # type: ignore[attr-defined]
        action = jax.random.categorical(drawn, jax.numpy.where(mask, 0.0, -jax.numpy.inf))
        return step(state, action, jax.random.split(started, count)), key

    loop = jax.jit(lambda given: jax.lax.fori_loop(0, steps, one, given))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), count))
    given = (state, jax.random.key(1))
    jax.block_until_ready(loop(given))  # compiles
    return lambda: jax.block_until_ready(loop(given))


def envpool(name: str, count: int) -> Callable[[], object] | None:
    try:
        import envpool
    except ImportError:
        return None
    env = envpool.make_gymnasium(name, num_envs=count, num_threads=1)
    _, info = env.reset()
    noise = np.random.default_rng(0).random((16, count, env.action_space.n), np.float32)
    masks = [info["legal_action_mask"]]

    def play() -> None:
        for step in range(STEPS // SHARE // count):
            *_, info = env.step((noise[step % 16] * masks[0]).argmax(axis=1))
            masks[0] = info["legal_action_mask"]

    return play


def pettingzoo(env: Any) -> Callable[[], object]:
    """Return games of random play in PettingZoo's loop."""
    noise = np.random.default_rng(0).random((1024, 9)) + 1

    def play() -> int:
        steps = 0
        for _ in range(GAMES):
            env.reset()
            for _agent in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                mask = observation["action_mask"]
                env.step(int((mask * noise[steps % 1024, : len(mask)]).argmax()))
                steps += 1
        return steps

    return play


def labels(rules: str) -> tuple[Callable[[], object], int]:
    """Return the labelling of positions of random games, and their number."""
    count = LABELLED // STONES
    batches = []
    for plies in range(STONES):
        batch = Batch(rules, count, seed=plies)
        for _ in range(plies):
            batch.step(batch.sample())
        batches.append(batch)
    label(batches[0])  # computes the table
    return lambda: [label(batch) for batch in batches], count * STONES


def quick_lines() -> Iterator[Line]:
    for rules, name in PETTINGZOO.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pygame
            theirs = import_module(f"pettingzoo.classic.{name}").env()
        play, other = pettingzoo(aec(rules)), pettingzoo(theirs)
        play(), other()  # warms the caches
        seconds = medians(play, other, ROUNDS)
        times = seconds[1] / seconds[0]
        yield Line(f"{rules}, PettingZoo's loop", times, "×", "≥", LOOP_RATIO, seconds)
    for rules in ("basic", "connect4"):
        work, count = labels(rules)
        mine, _ = medians(work, lambda: None, ROUNDS)
        yield Line(f"{rules}, labels", count / mine, "labels/s", "≥", LABELS)


def lines(skipped: list[str]) -> Iterator[Line]:
    peers = (("Pgx", PGX, pgx), ("EnvPool", ENVPOOL, envpool))
    for peer, names, make in peers:
        for rules, name in names.items():
            for count in COUNTS:
                theirs = make(name, count)
                if theirs is None:
                    skipped.append(f"{rules}, {count:,} games: {peer} is not installed")
                    continue
                mine, other = medians(ours(rules, count), theirs, ROUNDS)
                times = (STEPS // count) / (STEPS // SHARE // count) * other / mine
                yield Line(f"{rules}, {count:,} games, steps of {peer}", times, "×", "≥", RATIO)
    for rules in ("basic", "connect4", "mnk:15,15,5", "advanced", "ultimate"):
        for count in COUNTS:
            play = ours(rules, count)
            mine, _ = medians(play, play, ROUNDS)
            speed = STEPS // count * count / mine
            if rules == "ultimate":
                yield Line(f"{rules}, {count:,} games", speed, "steps/s", "≥", ULTIMATE)
            else:
                yield Line(f"{rules}, {count:,} games", speed, "steps/s", "beside", speed)


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    skipped: list[str] = []
    found = list(quick_lines())
    if not options.quick:
        found += lines(skipped)
    show({}, found, skipped, as_json=options.json)


if __name__ == "__main__":
    main()
