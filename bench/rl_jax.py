"""Measure the environments in JAX beside those of Pgx.

    python bench/rl_jax.py            random play: steps a second, as a table
    python bench/rl_jax.py --quick    with 4,096 games only
    python bench/rl_jax.py --json     the same as one object
    python bench/rl_jax.py --check    Pgx's own test of environments

Each step of each game chooses a random legal action, plays it, writes observation and mask, and
starts a game anew that is over; the choice and the new start are the same code for both sides. The
loop is one compiled function on the default device of JAX: with a graphics card on that, else on
one core. Both sides take turns (A B A B …); their medians are compared. Pgx is not installed with
noughts; without it its lines are skipped.

    python -m pip install pgx

Its test ran with JAX 0.4.38; with 0.10 Pgx 2.6 cannot draw a move of a single game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

# One core and one thread for both sides, before any library counts them.
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)

from table import Line, medians, parser, show

PGX = {"basic": "tic_tac_toe", "connect4": "connect_four"}
RULES = ("basic", "connect4", "mnk:15,15,5", "advanced", "ultimate")
COUNTS = {"cpu": (2**12, 2**14, 2**16), "gpu": (2**12, 2**14, 2**16, 2**18, 2**20)}
STEPS = {"cpu": 2_000_000, "gpu": 100_000_000}
"""Steps of a measurement, over all games; a fourth of them in larger games than Pgx's."""
ROUNDS = 5
CHECKED = 10
"""Games of Pgx's test."""
FIRST, SECOND = 0x9E3779B1, 0x85EBCA6B
"""Odd numbers whose multiples are spread over all integers."""


def random_play(env: Any, count: int, steps: int) -> Callable[[], object]:
    """Return compiled random play of some steps in each of many games."""
    import jax
    import jax.numpy as jnp

    start = env.init(jax.random.key(0))

    def one(state: Any, bits: Any) -> Any:
        mask = state.legal_action_mask
        # A product's high bits differ from action to action; the largest wins.
        numbers = jnp.arange(mask.size, dtype=jnp.uint32)
        drawn = (bits ^ numbers * jnp.uint32(FIRST)) * jnp.uint32(SECOND)
        state = env.step(state, jnp.argmax(jnp.where(mask, drawn >> 1 | 1, 0)))
        return jax.tree.map(lambda new, old: jnp.where(state.terminated, new, old), start, state)

    def step(_: object, given: tuple[Any, Any]) -> tuple[Any, Any]:
        state, bits = given
        # Marsaglia, Xorshift RNGs, 2003.
        for shift in (13, -17, 5):
            bits ^= bits << shift if shift > 0 else bits >> -shift
        return jax.vmap(one)(state, bits), bits

    loop = jax.jit(lambda given: jax.lax.fori_loop(0, steps, step, given))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), count))
    given = (state, jax.random.bits(jax.random.key(1), (count,), jnp.uint32))
    jax.block_until_ready(loop(given))  # compiles
    return lambda: jax.block_until_ready(loop(given))


def pgx(name: str) -> Any:
    try:
        import pgx
    except ImportError:
        return None
    return pgx.make(name)


def lines(skipped: list[str], *, quick: bool) -> Iterator[Line]:
    import jax

    from noughts.rl.jax import make

    device = "cpu" if jax.default_backend() == "cpu" else "gpu"
    for rules in RULES:
        theirs = pgx(PGX[rules]) if rules in PGX else None
        if rules in PGX and theirs is None:
            skipped.append(f"{rules}, times Pgx: it is not installed")
        for count in COUNTS[device][: 1 if quick else None]:
            steps = max(STEPS[device] // (1 if rules in PGX else 4) // count, 4)
            ours = random_play(make(rules), count, steps)
            other = ours if theirs is None else random_play(theirs, count, steps)
            mine, their = medians(ours, other, ROUNDS)
            name = f"{rules}, {count:,} games"
            if theirs is not None:
                yield Line(f"{name}, times Pgx", their / mine, "×", "beside", 1.0)
                yield Line(f"{name}, Pgx", steps * count / their, "steps/s", "beside", 1e6)
            yield Line(name, steps * count / mine, "steps/s", "beside", 1e6)


def check() -> None:
    """Run Pgx's own test on each game; of its list of ids it takes no others."""
    from pgx._src import api_test

    from noughts.rl.jax import make

    ids = api_test.get_args(api_test.EnvId)
    for rules in RULES:
        api_test.get_args = lambda _, rules=rules: (*ids, rules)
        api_test.api_test(make(rules), CHECKED)
        print(f"{rules}: passed, {CHECKED} games and {CHECKED} times 4 at once")


def main() -> None:
    options_of = parser(__doc__ or "")
    options_of.add_argument("--check", action="store_true", help="run Pgx's own test instead")
    options = options_of.parse_args()
    if options.check:
        check()
        return
    skipped: list[str] = []
    show({}, list(lines(skipped, quick=options.quick)), skipped, as_json=options.json)


if __name__ == "__main__":
    main()
