"""The nine-board games in JAX: each player's marks are nine integers of nine bits, one a board.

 0  1  2 │  9 10 11 │ 18 19 20      mine[b], theirs[b]   bit c: cell c of board b
 3  4  5 │ 12 13 14 │ 21 22 23      won_mine, won_theirs bit b: board b is won
 6  7  8 │ 15 16 17 │ 24 25 26      reach                bit b: the next move may be on board b
─────────┼──────────┼─────────
 …       │  …       │  …
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from noughts.games.lines import HAS_LINE
from noughts.games.nested import NestedRules

Array = Any
"""An array of JAX."""

FULL = (1 << 9) - 1
NO_TARGET = 9


class NestedState(NamedTuple):
    """A position; `mine` is of the side to move."""

    mine: Array
    """uint32 (9), as `theirs`."""
    theirs: Array
    won_mine: Array
    """uint32, as `won_theirs` and `reach`."""
    won_theirs: Array
    reach: Array
    target: Array
    """int32: the board that the last move chose; `NO_TARGET` before the first."""


class NestedGame:
    """The rules of a nine-board game, for one position; `jax.vmap` maps them to many."""

    def __init__(self, rules: NestedRules) -> None:
        self.rules = rules
        self._boards = jnp.arange(9, dtype=jnp.uint32)
        self._has_line = jnp.array(HAS_LINE, jnp.uint32)

    def start(self) -> NestedState:
        """Return the empty boards."""
        empty, none = jnp.zeros(9, jnp.uint32), jnp.uint32(0)
        return NestedState(empty, empty, none, none, jnp.uint32(FULL), jnp.int32(NO_TARGET))

    def play(self, state: NestedState, action: Array) -> tuple[NestedState, Array, Array]:
        """Play a legal action.

        Returns:
            The position after it, the reward of the side that moved, and whether the game is over.
        """
        rules = self.rules
        board, cell = (action // 9).astype(jnp.uint32), (action % 9).astype(jnp.uint32)
        is_here = self._boards == board
        mine = jnp.where(is_here, state.mine | jnp.uint32(1) << cell, state.mine)
        here = jnp.where(is_here, mine, 0).sum(dtype=jnp.uint32)
        is_owned = (state.won_mine | state.won_theirs) >> board & 1
        wins_board = self._has_line[here] & ~is_owned
        won = state.won_mine | wins_board << board
        is_full = (mine | state.theirs) == FULL
        closed = (is_full.astype(jnp.uint32) << self._boards).sum(dtype=jnp.uint32)
        if rules.won_closed:
            closed |= won | state.won_theirs
        has_won = (wins_board if rules.one_line else self._has_line[won]) != 0
        is_target_closed = (closed >> cell & 1) != 0
        all_closed = closed == FULL
        is_stuck = all_closed if rules.free_choice else all_closed | is_target_closed
        reward = jnp.float32(0)
        if rules.count_boards:
            count = jax.lax.population_count
            ahead = count(won).astype(jnp.int32) - count(state.won_theirs).astype(jnp.int32)
            reward = jnp.where(all_closed, jnp.sign(ahead), 0).astype(jnp.float32)
        reward = jnp.where(has_won, jnp.float32(1), reward)
        is_over = has_won | is_stuck
        reach = jnp.where(is_target_closed, FULL & ~closed, jnp.uint32(1) << cell)
        after = NestedState(
            state.theirs,
            mine,
            state.won_theirs,
            won,
            jnp.where(is_over, jnp.uint32(0), reach),
            cell.astype(jnp.int32),
        )
        return after, reward, is_over

    def legal(self, state: NestedState) -> Array:
        """Return the empty cells of the boards within reach: bool (81)."""
        is_open = (state.reach >> self._boards & 1) != 0
        empty = jnp.where(is_open, ~(state.mine | state.theirs), jnp.uint32(0))
        return ((empty[:, None] >> self._boards & 1) != 0).reshape(81)

    def seen(self, state: NestedState) -> Array:
        """Return the observation: uint8 (9, 9, 3), as the boards lie on paper."""
        # Axes: rows of boards, rows of cells, columns of boards, columns of cells.
        cells = jnp.arange(9, dtype=jnp.uint32).reshape(1, 3, 1, 3)
        planes = [marks.reshape(3, 1, 3, 1) >> cells & 1 for marks in (state.mine, state.theirs)]
        reach = (state.reach >> self._boards & 1).reshape(3, 1, 3, 1)
        planes.append(jnp.broadcast_to(reach, (3, 3, 3, 3)))
        return jnp.stack(planes, axis=-1).astype(jnp.uint8).reshape(9, 9, 3)
