"""An environment of PettingZoo: two players, one after the other.

player_0 (X) ──step──► player_1 (O) ──step──► player_0 …  until both are terminated
"""

from __future__ import annotations

import sys
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from noughts.rl.batch import Batch
from noughts.rl.picture import RENDER_MODES, check_render_mode, picture

OnIllegalTurn = Literal["lose", "penalty", "raise"]
WaitingMask = Literal["zeros", "ones"]


class AecEnv(AECEnv):  # type: ignore[misc]
    """A game of `player_0`, who plays X and moves first, and `player_1`, who plays O.

    An observation is a dictionary: `observation`, uint8 (rows, columns, planes), 0 or 1, has the
    player's own marks, those of the other, and in games of nine boards the boards of the next move;
    `action_mask`, int8 (actions), has 1 for each legal action. An action is a move's number. The
    rewards at the end are 1 for a win, -1 for a loss, 0 for a draw. A new environment is ready to
    play; a pickle keeps the game.

    Args:
        rules: a rules id.
        render_mode: `ansi` for text, `human` to print it, `rgb_array` for pixels.
        illegal: what an illegal action does. `lose`: the game ends with -1 and 1, as after a lost
            game, so that rewards always add up to 0. `penalty`: it ends with -1 and 0, as with
            PettingZoo's `TerminateIllegalWrapper`. `raise`: an `IllegalAction`, and no move.
        waiting: the mask of a player who cannot act, because the other is to move or the game is
            over. `zeros`: no action is legal, as in PettingZoo's own games. `ones`: all 1, for
            learners that compute a softmax over legal actions of every observation.

    Raises:
        NotationError: no such rules, or rules that the core does not know.
        ValueError: no such word for `render_mode`, `illegal` or `waiting`.
    """

    agent_selection: str
    _cumulative_rewards: dict[str, float]
    _is_over: bool

    def __init__(
        self,
        rules: str,
        *,
        render_mode: str | None = None,
        illegal: OnIllegalTurn = "lose",
        waiting: WaitingMask = "zeros",
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        if illegal not in get_args(OnIllegalTurn):
            raise ValueError(f"illegal is one of lose penalty raise, not {illegal!r}")
        if waiting not in get_args(WaitingMask):
            raise ValueError(f"waiting is zeros or ones, not {waiting!r}")
        self.render_mode, self.illegal, self.waiting = render_mode, illegal, waiting
        self._batch = Batch(rules, 1, illegal="raise" if illegal == "raise" else "lose")
        self.rules = self._batch.rules
        self.metadata = {
            "name": f"noughts/{self.rules}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = ["player_0", "player_1"]
        shape, actions = self._batch.observation.shape[1:], self._batch.actions
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.uint8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._begin()

    def __getstate__(self) -> dict[str, Any]:
        position = str(self._batch.position(0))
        return {**self.__dict__, "_batch": (self.rules, self._batch.illegal, position)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        rules, illegal, position = state["_batch"]
        self._batch = Batch(rules, 1, illegal=illegal)
        self._batch.load([position])

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of a player's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of a player's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a game.

        Args:
            seed: ignored, since nothing is left to chance.
            options: ignored.
        """
        self._batch.reset()
        self._begin()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return a player's `observation` and `action_mask`, which are copies."""
        side = self.possible_agents.index(agent)
        seen = self._batch.observation[0].copy()
        if side != self._batch.turn[0]:
            seen[:, :, :2] = seen[:, :, 1::-1]
        if agent == self.agent_selection and not self._is_over:
            mask = self._batch.legal[0].astype(np.int8)
        else:
            mask = np.full(self._batch.actions, self.waiting == "ones", np.int8)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play an action of the player `agent_selection`; `None` once that is terminated.

        Raises:
            IllegalAction: with `illegal="raise"`; nothing has changed then.
            TypeError: the action is no integer.
            ValueError: an action of a player who is terminated.
        """
        agent = self.agent_selection
        if self._is_over:
            self._was_dead_step(action)
            return
        pays = self.illegal == "penalty" and action not in np.flatnonzero(self._batch.legal[0])
        self._batch.step([action])
        self._cumulative_rewards[agent] = 0.0
        other = self.possible_agents[agent == self.possible_agents[0]]
        if self._batch.terminated[0]:
            self._is_over = True
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self._batch.reward[0].tolist(), strict=True))
            if pays:
                self.rewards[other] = 0.0
            self._accumulate_rewards()
        self.agent_selection = other
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Return the board by the render mode: `str`, uint8 (height, width, 3), or `None`."""
        if self.render_mode == "rgb_array":
            return picture(self._batch.observation[0], int(self._batch.turn[0]))
        text = f"{self._batch.position(0).diagram()}\n"
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            sys.stdout.write(f"{text}\n")
        return None

    def close(self) -> None:
        """Do nothing: there is no window."""

    def _begin(self) -> None:
        self.agents = self.possible_agents[:]
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._is_over = False
