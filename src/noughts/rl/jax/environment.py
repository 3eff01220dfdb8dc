"""An environment of Pgx's kind, and its states.

key ──init──► State ──step(action)──► State … until it is terminated
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from noughts.engine import native_position
from noughts.games.nested import NestedPosition
from noughts.games.position import Position
from noughts.games.registry import game
from noughts.games.row import RowPosition
from noughts.rl.batch import position_seen
from noughts.rl.jax.nested import NO_TARGET, NestedGame, NestedState
from noughts.rl.jax.row import RowGame, RowState
from noughts.rl.jax.small import MOST_CELLS, SmallGame, SmallState
from noughts.rl.picture import svg_picture

Array = Any
"""An array of JAX."""

SHOWN = 16
"""Most boards in a picture of many states."""


@dataclass(frozen=True)
class JaxState:
    """A position for two players; of many games, each array has one axis more in front.

    Attributes:
        current_player: int32: the player to move, 0 or 1. A key draws who moves first, with X.
        observation: uint8 (rows, columns, planes), 0 or 1, as in `noughts.rl.Batch`: the marks of
            the side to move, those of the other, and in games of nine boards the boards of the next
            move.
        rewards: float32 (2), by player, of the last step.
        terminated: bool.
        truncated: bool, always False.
        legal_action_mask: bool (actions); all True in a game that is over, as in Pgx.
    """

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    _step_count: Array
    _x: SmallState | RowState | NestedState
    _rules: str

    @property
    def env_id(self) -> str:
        """The rules id."""
        return self._rules

    def replace(self, **changes: Any) -> JaxState:
        """Return a state with other values of some attributes."""
        return replace(self, **changes)

    def positions(self) -> list[Position]:
        """Return the position of each game, such as for `noughts.rl.label`.

        Of a game lost by an illegal action it is the last one. Not within a compiled function.
        """
        start = game(self._rules)
        seen = np.asarray(self.observation)
        seen = seen.reshape(-1, *seen.shape[-3:])
        boards = [(-1, 0, 0)] * len(seen)
        if isinstance(self._x, NestedState):
            names = ("target", "won_mine", "won_theirs")
            columns = (np.asarray(getattr(self._x, name)).reshape(-1).tolist() for name in names)
            boards = list(zip(*columns, strict=True))
        found = []
        for observation, (target, mine, theirs) in zip(seen, boards, strict=True):
            turn = _turn(observation)
            won = (theirs, mine) if turn else (mine, theirs)
            chosen = -1 if target == NO_TARGET else target
            found.append(position_seen(start, observation, turn, (chosen, *won)))
        return found

    def to_svg(self, *, color_theme: str | None = None, scale: float | None = None) -> str:
        """Return a picture of the board, of many games of the first 16.

        Args:
            color_theme: `light`, the default, or `dark`.
            scale: 1, the default, for 32 pixels a cell.

        Raises:
            ValueError: no such theme.
        """
        seen = np.asarray(self.observation)
        seen = seen.reshape(-1, *seen.shape[-3:])
        shown = seen[:SHOWN]
        return svg_picture(
            shown,
            [_turn(each) for each in shown],
            title=f"{self._rules}: {len(shown)} of {len(seen)}",
            theme=color_theme or "light",
            scale=scale or 1.0,
        )

    def save_svg(
        self, filename: str | Path, *, color_theme: str | None = None, scale: float | None = None
    ) -> None:
        """Write a picture to a file, as `to_svg`."""
        text = self.to_svg(color_theme=color_theme, scale=scale)
        Path(filename).write_text(text, encoding="utf-8")

    def _repr_html_(self) -> str:
        return self.to_svg()


def _turn(observation: npt.NDArray[np.uint8]) -> int:
    """Return 0 if X is to move, 1 if O is."""
    return int(observation[..., :2].sum()) % 2


jax.tree_util.register_dataclass(
    JaxState,
    data_fields=[
        "current_player",
        "observation",
        "rewards",
        "terminated",
        "truncated",
        "legal_action_mask",
        "_step_count",
        "_x",
    ],
    meta_fields=["_rules"],
)


class Environment:
    """A game with the interface of Pgx's environments.

    `init` and `step` are pure functions, for `jax.jit` and `jax.vmap`. An action is a move's
    number, as in `noughts.rl.Batch`. An illegal one ends the game: who plays it has the reward -1,
    the other 1, and the board stays as it is. A step in a game that is over changes nothing, and
    its rewards are 0.

    Attributes:
        id: the rules id.
        version: of the environment's behaviour.
        num_players: 2.
        num_actions: the number of actions.
        observation_shape: rows, columns, planes.
    """

    version = "v0"
    num_players = 2

    def __init__(self, rules: str) -> None:
        start = native_position(game(rules))
        self.id = start.rules_id
        self._game: SmallGame | RowGame | NestedGame
        if isinstance(start, RowPosition):
            rules_, is_small = start.rules, start.rules.size <= MOST_CELLS
            self._game = (SmallGame if is_small and not rules_.gravity else RowGame)(rules_)
            self.num_actions = rules_.columns if rules_.gravity else rules_.size
            self.observation_shape = (rules_.rows, rules_.columns, 2)
        else:
            assert isinstance(start, NestedPosition)
            self._game = NestedGame(start.rules)
            self.num_actions, self.observation_shape = 81, (9, 9, 3)

    def init(self, key: Array) -> JaxState:
        """Return the start of a game.

        Args:
            key: of `jax.random`; draws the player who moves first.
        """
        start: Any = self._game.start()
        return JaxState(
            current_player=jax.random.bernoulli(key).astype(jnp.int32),
            observation=self._game.seen(start),
            rewards=jnp.zeros(2, jnp.float32),
            terminated=jnp.bool_(False),
            truncated=jnp.bool_(False),
            legal_action_mask=self._game.legal(start),
            _step_count=jnp.int32(0),
            _x=start,
            _rules=self.id,
        )

    def step(self, state: JaxState, action: Array, key: Array | None = None) -> JaxState:  # noqa: ARG002
        """Return the state after an action of the current player.

        Args:
            state: of this environment.
            action: an integer.
            key: ignored: these games have no chance.

        Raises:
            TypeError: the action is no integer.
        """
        mover, is_over = state.current_player, state.terminated | state.truncated
        kind = jnp.asarray(action).dtype
        if not jnp.issubdtype(kind, jnp.integer):
            raise TypeError(f"an action is an integer, not {kind}")
        action = jnp.asarray(action, jnp.int32)
        inside = jnp.clip(action, 0, self.num_actions - 1)
        is_legal = (inside == action) & state.legal_action_mask[inside]
        moves, loses = ~is_over & is_legal, ~is_over & ~is_legal
        x: Any = state._x
        after, reward, ends = self._game.play(x, inside)
        x = jax.tree.map(lambda new, old: jnp.where(moves, new, old), after, x)
        terminated = state.terminated | loses | (moves & ends)
        reward = jnp.where(moves, reward, jnp.where(loses, -1.0, 0.0)).astype(jnp.float32)
        return state.replace(
            current_player=jnp.where(moves, 1 - mover, mover),
            observation=self._game.seen(x),
            # 0 - reward, so that no reward is -0.
            rewards=jnp.where(jnp.arange(2) == mover, reward, 0 - reward),
            terminated=terminated,
            legal_action_mask=self._game.legal(x) | terminated,
            _step_count=state._step_count + (~is_over).astype(jnp.int32),
            _x=x,
        )

    def observe(self, state: JaxState, player_id: Array | None = None) -> Array:
        """Return the observation of the current player, or of another one."""
        seen = state.observation
        if player_id is None:
            return seen
        other = seen.at[..., :2].set(seen[..., 1::-1])
        return jnp.where(player_id == state.current_player, seen, other)


def make(rules: str) -> Environment:
    """Return the environment of a game.

    >>> env = make("connect4")
    >>> env.id, env.num_actions, env.observation_shape
    ('connect4', 7, (6, 7, 2))

    Args:
        rules: a rules id, such as `mnk:15,15,5` or `ultimate:tie=boards`.

    Raises:
        NotationError: no such rules, or rules that the core does not know.
    """
    return Environment(rules)
