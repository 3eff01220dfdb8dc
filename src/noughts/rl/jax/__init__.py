"""Environments in JAX, with the interface of Pgx: pure functions to compile and to map.

    make("ultimate") ──► Environment.init(key) ──► State ──┐
                                                     ▲     ▼
                                                     └── Environment.step(state, action)

They need the extra `jax`. A state holds boards as bits, so that a step is some shifts of small
integers, and looks up lines of 3×3 boards in a table.
"""

from __future__ import annotations

from noughts.extras import missing

try:
    import jax  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError(missing("noughts.rl.jax", "jax", "jax")) from error

from noughts.rl.jax.environment import Environment, make
from noughts.rl.jax.environment import JaxState as State

__all__ = ["Environment", "State", "make"]
