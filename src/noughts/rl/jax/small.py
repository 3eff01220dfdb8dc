"""Row games of at most nine cells in JAX: the marks of a player are one integer, looked up.

0 1 2
3 4 5     bit c of `mine` and of `theirs` is cell c
6 7 8
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp

from noughts.games.row import RowRules

Array = Any
"""An array of JAX."""

MOST_CELLS = 9


class SmallState(NamedTuple):
    """The marks of a position."""

    mine: Array
    """uint32: those of the side to move."""
    theirs: Array
    """uint32."""


class SmallGame:
    """The rules of a small row game without gravity, for one position."""

    def __init__(self, rules: RowRules) -> None:
        self.rules = rules
        # Marks complete a line if they have all its cells and none of its ends.
        lines = list(zip(rules.lines, rules.ends, strict=True))
        self._has_line = jnp.array(
            [
                any(marks & line == line and not marks & ends for line, ends in lines)
                for marks in range(1 << rules.size)
            ],
            jnp.bool_,
        )
        cells = jnp.arange(rules.size, dtype=jnp.uint32)
        self._cells, self._places = cells, cells.reshape(rules.rows, rules.columns, 1)

    def start(self) -> SmallState:
        """Return the empty board."""
        return SmallState(jnp.uint32(0), jnp.uint32(0))

    def play(self, state: SmallState, action: Array) -> tuple[SmallState, Array, Array]:
        """Play a legal action.

        Returns:
            The position after it, the reward of the side that moved, and whether the game is over.
        """
        mine = state.mine | jnp.uint32(1) << action.astype(jnp.uint32)
        has_line = self._has_line[mine]
        is_full = (mine | state.theirs) == (1 << self.rules.size) - 1
        reward = jnp.where(has_line, jnp.float32(-1 if self.rules.misere else 1), jnp.float32(0))
        return SmallState(state.theirs, mine), reward, has_line | is_full

    def legal(self, state: SmallState) -> Array:
        """Return the empty cells: bool (actions)."""
        return ((state.mine | state.theirs) >> self._cells & 1) == 0

    def seen(self, state: SmallState) -> Array:
        """Return the observation: uint8 (rows, columns, 2)."""
        marks = jnp.stack([state.mine, state.theirs])
        return (marks >> self._places & 1).astype(jnp.uint8)
