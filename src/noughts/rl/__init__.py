"""Environments for agents that learn, with exact answers.

    Batch ──► many games at once, in arrays of NumPy
    label ──► the value of positions and of every action, exact where proven
    evaluate ──► a policy against the levels, and what its moves lose
    measure ──► what moves lose, by the labels of their positions
    mistakes ──► in how many of all positions of a small board it loses value
    symmetries ──► images of observations and actions
    gymnasium.make("noughts/Ultimate-v0", opponent="engine:level=4"), make_vec
    aec("ultimate") ──► two players by turns, for PettingZoo
    jax.make("ultimate") ──► pure functions of JAX with the interface of Pgx (a module to import)

They need the extra `rl`, that in JAX the extra `jax`; `Batch` needs NumPy only. Importing this
package registers the environments of `GYMNASIUM_IDS`, if Gymnasium is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noughts.extras import missing

try:
    import numpy  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError(missing("noughts.rl", "numpy", "rl")) from error

from noughts.rl.batch import Batch, IllegalAction
from noughts.rl.evaluation import PolicyReport, evaluate, mistakes
from noughts.rl.labels import label
from noughts.rl.measure import MoveMeasure, measure
from noughts.rl.symmetry import Symmetry, symmetries

if TYPE_CHECKING:
    from noughts.rl.turns import AecEnv, OnIllegalTurn, WaitingMask

__all__ = [
    "GYMNASIUM_IDS",
    "Batch",
    "IllegalAction",
    "MoveMeasure",
    "PolicyReport",
    "Symmetry",
    "aec",
    "evaluate",
    "label",
    "measure",
    "mistakes",
    "symmetries",
]

GYMNASIUM_IDS = {
    "noughts/TicTacToe-v0": "basic",
    "noughts/MNK-v0": "mnk:5,5,4",
    "noughts/ConnectFour-v0": "connect4",
    "noughts/NineBoards-v0": "advanced",
    "noughts/Ultimate-v0": "ultimate",
}
"""The default rules of each environment of Gymnasium."""


def aec(
    rules: str = "basic",
    *,
    render_mode: str | None = None,
    illegal: OnIllegalTurn = "lose",
    waiting: WaitingMask = "zeros",
) -> AecEnv:
    """Return an environment of PettingZoo in which two players move by turns.

    Args:
        rules: a rules id, such as `connect4:8,7`.
        render_mode: `ansi`, `human`, `rgb_array` or none.
        illegal: as in `noughts.rl.turns.AecEnv`.
        waiting: as there.

    Raises:
        ImportError: PettingZoo is not installed; the message has the command that installs it.
        NotationError: no such rules, or rules that the core does not know.
        ValueError: no such word for `render_mode`, `illegal` or `waiting`.
    """
    try:
        import pettingzoo  # noqa: F401
    except ModuleNotFoundError as error:
        raise ImportError(missing("noughts.rl.aec", "pettingzoo", "rl")) from error
    from noughts.rl.turns import AecEnv

    return AecEnv(rules, render_mode=render_mode, illegal=illegal, waiting=waiting)


def _register() -> None:
    """Make `gymnasium.make` know the environments, if Gymnasium is installed."""
    try:
        from gymnasium.envs.registration import register, registry
    except ModuleNotFoundError:
        return
    for name, rules in GYMNASIUM_IDS.items():
        if name not in registry:
            register(
                name,
                entry_point="noughts.rl.gym:GymEnv",
                vector_entry_point="noughts.rl.gym:GymVectorEnv",
                kwargs={"rules": rules},
            )


_register()
