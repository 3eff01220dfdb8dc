"""Row games in JAX: each player's marks are one integer for each row of the board.

    column   0 1 2 3
    row 0  │ . . O . │     bit c of the integer of row r is column c
    row 1  │ . X X . │     mine = [0b0000, 0b0110, …], theirs = [0b0100, 0b0000, …]

A line is found by shifts: marks are moved on top of their neighbours in a direction, until each
bit that is left begins a run of k.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp

from noughts.games.row import RowRules

Array = Any
"""An array of JAX."""


class RowState(NamedTuple):
    """The marks of a position."""

    mine: Array
    """uint32 (rows): those of the side to move."""
    theirs: Array
    """uint32 (rows)."""
    left: Array
    """int32: the number of empty cells."""


class RowGame:
    """The rules of a row game, for one position; `jax.vmap` maps them to many."""

    def __init__(self, rules: RowRules) -> None:
        self.rules = rules
        self._rows = jnp.arange(rules.rows, dtype=jnp.int32)
        self._columns = jnp.arange(rules.columns, dtype=jnp.uint32)
        # A single mark cannot be part of a longer line.
        self._is_exact = rules.exact and rules.k > 1

    def start(self) -> RowState:
        """Return the empty board."""
        empty = jnp.zeros(self.rules.rows, jnp.uint32)
        return RowState(empty, empty, jnp.int32(self.rules.size))

    def play(self, state: RowState, action: Array) -> tuple[RowState, Array, Array]:
        """Play a legal action.

        Returns:
            The position after it, the reward of the side that moved, and whether the game is over.
        """
        rules, taken = self.rules, state.mine | state.theirs
        column = (action if rules.gravity else action % rules.columns).astype(jnp.uint32)
        if rules.gravity:
            stones = (taken >> column & 1).sum(dtype=jnp.int32)
            row = rules.rows - 1 - stones
        else:
            row = action // rules.columns
        mark = jnp.where(self._rows == row, jnp.uint32(1) << column, jnp.uint32(0))
        mine = state.mine | mark
        has_line = self._has_line(mine)
        left = state.left - 1
        reward = jnp.where(has_line, jnp.float32(-1 if rules.misere else 1), jnp.float32(0))
        return RowState(state.theirs, mine, left), reward, has_line | (left == 0)

    def legal(self, state: RowState) -> Array:
        """Return the empty cells, or the columns that are not full: bool (actions)."""
        taken = state.mine | state.theirs
        if self.rules.gravity:
            return (taken[0] >> self._columns & 1) == 0
        return ((taken[:, None] >> self._columns & 1) == 0).reshape(-1)

    def seen(self, state: RowState) -> Array:
        """Return the observation: uint8 (rows, columns, 2)."""
        marks = jnp.stack([state.mine, state.theirs], axis=-1)[:, None, :]
        return (marks >> self._columns[:, None] & 1).astype(jnp.uint8)

    def _has_line(self, marks: Array) -> Array:
        found, k = jnp.zeros_like(marks), self.rules.k
        for direction in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run, length = marks, 1
            while 2 * length <= k:
                run &= self._moved(run, direction, length)
                length *= 2
            if length < k:
                run &= self._moved(run, direction, k - length)
            if self._is_exact:
                run &= ~(self._moved(marks, direction, -1) | self._moved(marks, direction, k))
            found |= run
        return (found != 0).any()

    def _moved(self, marks: Array, direction: tuple[int, int], steps: int) -> Array:
        """Return, at the place of each cell, the mark that is some steps further."""
        down, right = direction[0] * steps, direction[1] * steps
        rows = self.rules.rows
        if abs(down) >= rows:
            return jnp.zeros_like(marks)
        if down > 0:
            marks = jnp.concatenate([marks[down:], jnp.zeros(down, jnp.uint32)])
        elif down < 0:
            marks = jnp.concatenate([jnp.zeros(-down, jnp.uint32), marks[:down]])
        return marks >> right if right >= 0 else marks << -right
