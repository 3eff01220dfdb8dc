"""Environments of Gymnasium: one game against an opponent, or many in a batch.

             the agent's action          the opponent's reply
    Duel ──► Batch.step ──► reward ──► [new games] ──► Batch.step ──► observation, mask
      ├── GymEnv        one game
      └── GymVectorEnv  many games, which start again by an autoreset mode

Without an opponent the agent plays both sides, and no reply follows.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from noughts.extras import missing
from noughts.opponents import Opponent
from noughts.opponents import opponent as named_opponent
from noughts.rl.batch import Batch, OnIllegal
from noughts.rl.labels import Labels, label_games, regret_of
from noughts.rl.picture import RENDER_MODES, check_render_mode, picture

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ImportError(missing("noughts.rl.gym", "gymnasium", "rl")) from error

Plays = Literal["X", "O", "random"]
Observations = npt.NDArray[np.uint8]
_SIDES = {"X": 0, "O": 1}


class Duel:
    """Games of an agent against an opponent, or of the agent against itself.

    Args:
        rules: a rules id.
        count: the number of games.
        opponent: as in `noughts.opponents.opponent`, such as `engine:level=4`; `None` if the agent
            plays both sides.
        plays: the agent's side; `random` draws it for each game. Without effect if the agent plays
            both.
        illegal: the effect of an illegal action of the agent, as in `Batch`.
        threads: of the batch, and of labels.
        labels: whether `info` has the labels of the positions, and the regret of the actions.
        nodes: of the searches of labels, as for `noughts.rl.label`.

    Attributes:
        batch: the games.
        side: int8 (count): 0 where the agent plays X, 1 where it plays O.
        has_regret: bool (count): the games in which the last step was an action, with labels.

    Raises:
        NotationError: no such rules or opponent.
        ValueError: the opponent is a person, or no such word for `plays` or `illegal`.
    """

    def __init__(
        self,
        rules: str,
        count: int,
        opponent: str | None,
        plays: Plays,
        illegal: OnIllegal,
        threads: int = 1,
        *,
        labels: bool = False,
        nodes: int | None = None,
    ) -> None:
        if plays != "random" and plays not in _SIDES:
            raise ValueError(f"plays is one of X O random, not {plays!r}")
        if opponent is not None and named_opponent(opponent).is_human:
            raise ValueError("a person cannot be the opponent of an environment")
        self.batch = Batch(rules, count, threads=threads, illegal=illegal)
        self.text, self.plays = opponent, plays
        self.side = np.zeros(count, np.int8)
        self._opponent: Opponent | None = None
        self._is_started = False
        self._nodes, self._threads = nodes, threads
        self._labels: Labels | None = {} if labels else None
        self._regret: Labels = {}
        self.has_regret = np.zeros(count, np.bool_)

    def seed(self, rng: np.random.Generator) -> None:
        """Draw the seeds of the opponent and of random actions, and forget earlier games."""
        seed = int(rng.integers(1, 2**32))
        if self.text is not None:
            self._opponent = named_opponent(self.text, seed)
            seed = self._opponent.values.get("seed", seed)
        self.batch.reset(np.zeros(self.batch.count, np.bool_), seed=seed)

    def reset(self, mask: npt.NDArray[np.bool_], rng: np.random.Generator, *, seeded: bool) -> None:
        """Start the games of a mask; the opponent moves where it plays X.

        Raises:
            OpponentFailed: the opponent has no move.
        """
        if seeded or not self._is_started:
            self.seed(rng)
        if not self._is_started:
            mask = np.ones_like(mask)
        self._is_started = True
        self._start(mask, rng)
        self._reply()
        self._label(mask)
        self.has_regret &= ~mask

    def step(
        self, actions: npt.ArrayLike, again: npt.NDArray[np.bool_], rng: np.random.Generator
    ) -> npt.NDArray[np.float64]:
        """Play an action in each game, start those of a mask, and let the opponent reply.

        Returns:
            float64 (count): the agent's rewards; if it plays both sides, those of the side that
            has moved.

        Raises:
            gymnasium.error.ResetNeeded: the games were never reset.
            IllegalAction: with `illegal="raise"`; no game has moved then.
            ValueError: not one action a game.
            TypeError: the actions are no integers.
            OpponentFailed: the opponent has no move.
        """
        if not self._is_started:
            raise gymnasium.error.ResetNeeded("call reset before step")
        movers, was_over = self.batch.turn.copy(), self.batch.terminated.copy()
        actions = np.array(actions)
        if actions.shape == again.shape:
            # A game that was cut short ignores its action, even one that is illegal.
            cut = again & ~was_over
            actions[cut] = self.batch.legal.argmax(axis=1)[cut]
        self.batch.step(actions)
        rewards = np.where(again, 0.0, self._rewards_of(movers))
        if self._labels is not None:
            regret, proven = regret_of(
                self._labels, actions, was_over, loses=self.batch.illegal == "lose"
            )
            self._regret = {"regret": regret, "regret_proven": proven}
            self.has_regret = ~again
        if again.any():
            self._start(again, rng)
        rewards = rewards + self._reply()
        self._label(again | ~was_over)
        return rewards

    def observation(self) -> Observations:
        """Return a copy of the observations: the marks of the side to move first.

        Against an opponent those of the agent come first also where a game is over.
        """
        seen = self.batch.observation.copy()
        if self._opponent is not None:
            turned = self.batch.turn != self.side
            seen[turned, :, :, :2] = seen[turned, :, :, 1::-1]
        return seen

    def mask(self) -> npt.NDArray[np.int8]:
        """Return the legal actions: int8 (count, actions), all 0 where a game is over."""
        return self.batch.legal.astype(np.int8)

    def info(self) -> dict[str, npt.NDArray[Any]]:
        """Return the mask, and with labels those of the positions: arrays with a row a game.

        The values are those for the agent, also where a game is over.
        """
        found: dict[str, npt.NDArray[Any]] = {"action_mask": self.mask()}
        if self._labels is None:
            return found
        is_turned = (self.batch.turn != self.side) & (self._opponent is not None)
        value = self._labels["value"]
        found["value"] = np.where(is_turned, -value, value)
        found["proven"] = self._labels["proven"].copy()
        found["distance"] = self._labels["distance"].copy()
        found["optimal"] = self._labels["optimal"].astype(np.int8)
        if self.has_regret.any():
            found |= {name: values.copy() for name, values in self._regret.items()}
        return found

    def frame(self, row: int, mode: str | None) -> Any:
        """Return a game as text, or as pixels; print it in the mode `human`."""
        if mode == "rgb_array":
            return picture(self.batch.observation[row], int(self.batch.turn[row]))
        text = f"{self.batch.position(row).diagram()}\n"
        if mode == "ansi":
            return text
        if mode == "human":
            sys.stdout.write(f"{text}\n")
        return None

    def _label(self, changed: npt.NDArray[np.bool_]) -> None:
        """Write the labels of the games that have changed."""
        if self._labels is None:
            return
        rows = np.flatnonzero(np.ones_like(changed) if not self._labels else changed)
        found = label_games(self.batch, rows, nodes=self._nodes, threads=self._threads)
        if not self._labels:
            self._labels = found
        for name, values in found.items():
            self._labels[name][rows] = values

    def _start(self, mask: npt.NDArray[np.bool_], rng: np.random.Generator) -> None:
        drawn = rng.integers(2, size=int(mask.sum())) if self.plays == "random" else None
        self.side[mask] = _SIDES[self.plays] if drawn is None else drawn
        self.batch.reset(mask)

    def _rewards_of(self, sides: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        return self.batch.reward[np.arange(self.batch.count), sides].astype(np.float64)

    def _reply(self) -> npt.NDArray[np.float64] | float:
        """Let the opponent move where it is its turn; return the agent's rewards."""
        batch = self.batch
        waiting = ~batch.terminated & (batch.turn != self.side)
        if self._opponent is None or not waiting.any():
            return 0.0
        if self._opponent.kind == "random":
            actions = np.where(waiting, batch.sample(), -1)
        else:
            actions = np.full(batch.count, -1, np.int64)
            for row in np.flatnonzero(waiting):
                actions[row] = self._opponent.choose(batch.position(int(row))).move
        # The other games stay as they are: -1 is illegal, and ignored.
        batch.step(actions, "ignore")
        return self._rewards_of(self.side)


def _spaces(duel: Duel) -> tuple[spaces.Space[Observations], spaces.Discrete]:
    shape = duel.batch.observation.shape[1:]
    seen: spaces.Space[Any] = spaces.Box(0, 1, shape, np.uint8)
    return seen, spaces.Discrete(duel.batch.actions)


class GymEnv(gymnasium.Env[Observations, Any], EzPickle):
    """One game against an opponent.

    An observation is uint8 (rows, columns, planes), 0 or 1: the agent's marks, those of the other
    side, and in games of nine boards the boards of the next move. An action is a move's number, and
    `info["action_mask"]`, int8 (actions), has 1 for each legal one. The reward is 1 for a win, -1
    for a loss, else 0.

    `reset(seed=…)` decides the agent's side and the moves of the opponent, unless that thinks by
    time. A pickle or a copy is a new environment with the same arguments, which needs a `reset`.

    >>> env = GymEnv("connect4", opponent="random")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"]
    ((6, 7, 2), array([1, 1, 1, 1, 1, 1, 1], dtype=int8))

    Args:
        rules: a rules id, such as `ultimate:tie=boards`.
        opponent: as in `noughts.opponents.opponent`; with `None` the agent plays both sides: each
            observation begins with the marks of the side to move, and each reward is that of the
            side that has moved; the other side has its negative.
        plays: the agent's side, `X`, `O`, or `random` in each game.
        illegal: what an illegal action does: `lose` the game, `raise` an `IllegalAction`, play a
            `random` legal one, or `ignore` it.
        labels: whether `info` says what perfect play would be, as `noughts.rl.label` does: `value`
            for the agent, `proven`, `distance`, `optimal` (int8, an action mask), and after a step
            the `regret` of its action, and `regret_proven`.
        nodes: positions to search for each label, where no table or book has it.
        render_mode: `ansi` for text, `human` to print it, `rgb_array` for pixels.

    Raises:
        NotationError: no such rules or opponent.
        ValueError: the opponent is a person, or no such word for another argument.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        rules: str,
        opponent: str | None = "engine:level=4",
        plays: Plays = "X",
        illegal: OnIllegal = "lose",
        render_mode: str | None = None,
        labels: bool = False,
        nodes: int | None = None,
    ) -> None:
        EzPickle.__init__(self, rules, opponent, plays, illegal, render_mode, labels, nodes)
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._duel = Duel(rules, 1, opponent, plays, illegal, labels=labels, nodes=nodes)
        self.observation_space, self.action_space = _spaces(self._duel)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start a game; if the opponent plays X, it has moved.

        Args:
            seed: of the sides and of the opponent.
            options: ignored.

        Raises:
            OpponentFailed: the opponent has no move.
        """
        super().reset(seed=seed, options=options)
        self._duel.reset(np.ones(1, np.bool_), self.np_random, seeded=seed is not None)
        return self._seen()

    def step(self, action: Any) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's reply.

        Returns:
            The observation, the reward, whether the game is over, False, and the mask.

        Raises:
            gymnasium.error.ResetNeeded: the game was never reset.
            IllegalAction: with `illegal="raise"`.
            TypeError: the action is no integer.
            OpponentFailed: the opponent has no move.
        """
        rewards = self._duel.step([action], np.zeros(1, np.bool_), self.np_random)
        observation, info = self._seen()
        return observation, float(rewards[0]), bool(self._duel.batch.terminated[0]), False, info

    def render(self) -> Any:
        """Return the board by the render mode: `str`, uint8 (height, width, 3), or `None`."""
        return self._duel.frame(0, self.render_mode)

    def _seen(self) -> tuple[Observations, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        info = {
            name: values[0] if values.ndim > 1 else values[0].item()
            for name, values in self._duel.info().items()
        }
        return self._duel.observation()[0], info


class GymVectorEnv(VectorEnv[Observations, Any, npt.NDArray[Any]], EzPickle):
    """Many games in one batch, with the observations, actions and rewards of `GymEnv`.

    `info["action_mask"]` is int8 (games, actions); labels have a row a game, too. The core plays
    the agent's actions and random replies; other opponents think about one game after another.
    One seed decides all games.

    >>> env = GymVectorEnv(3, "connect4", opponent=None)
    >>> _, info = env.reset(seed=1)
    >>> _, rewards, terminated, _, info = env.step(np.array([3, 3, 3]))
    >>> rewards.tolist(), info["action_mask"].shape
    ([0.0, 0.0, 0.0], (3, 7))

    Args:
        num_envs: the number of games.
        rules: as in `GymEnv`, and so are `opponent`, `plays`, `illegal`, `labels` and `nodes`.
        autoreset_mode: when a new game follows one that is over: with `NextStep` in the next step,
            whose action is ignored; with `SameStep` at once, where `info["final_obs"]` and
            `info["final_info"]` keep the end; with `Disabled` by
            `reset(options={"reset_mask": mask})`.
        threads: among which the core divides the games, and the searches of labels.
        render_mode: `ansi` or `rgb_array`, as in `GymEnv`.
        max_episode_steps: after so many actions of a game it is cut short: `truncated` is True.

    Raises:
        NotationError: no such rules or opponent.
        ValueError: the opponent is a person, or no such word for another argument.
    """

    def __init__(
        self,
        num_envs: int,
        rules: str,
        opponent: str | None = "engine:level=4",
        plays: Plays = "X",
        illegal: OnIllegal = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        labels: bool = False,
        nodes: int | None = None,
        max_episode_steps: int | None = None,
    ) -> None:
        EzPickle.__init__(
            self,
            num_envs,
            rules,
            opponent,
            plays,
            illegal,
            autoreset_mode,
            threads,
            render_mode,
            labels,
            nodes,
            max_episode_steps,
        )
        check_render_mode(render_mode)
        if max_episode_steps is not None and max_episode_steps < 1:
            raise ValueError(f"max_episode_steps is 1 or more, not {max_episode_steps}")
        if render_mode == "human":
            raise ValueError("many games have no render_mode 'human': choose ansi or rgb_array")
        self.num_envs, self.render_mode = num_envs, render_mode
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": ["ansi", "rgb_array"],
            "render_fps": 1,
            "autoreset_mode": self._mode,
        }
        self._duel = Duel(
            rules, num_envs, opponent, plays, illegal, threads, labels=labels, nodes=nodes
        )
        self.single_observation_space, self.single_action_space = _spaces(self._duel)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over = np.zeros(num_envs, np.bool_)
        self._most = np.inf if max_episode_steps is None else max_episode_steps
        self._steps = np.zeros(num_envs, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start all games, or those of `options["reset_mask"]`: bool (games).

        Raises:
            ValueError: the mask has another shape, or is all False.
            TypeError: the mask is no array of bool, or the seed is no integer.
            OpponentFailed: the opponent has no move.
        """
        if isinstance(seed, Sequence):
            raise TypeError("one seed decides all games: give an integer")
        mask = np.ones(self.num_envs, np.bool_)
        if options is not None and "reset_mask" in options:
            mask = _checked_mask(options["reset_mask"], self.num_envs)
        super().reset(seed=seed, options=options)
        self._duel.reset(mask, self.np_random, seeded=seed is not None)
        self._duel.has_regret[:] = False
        self._over &= ~mask
        self._steps[mask] = 0
        return self._duel.observation(), self._info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Observations,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play an action in each game, and the opponent's replies.

        Returns:
            The observations, uint8 (games, rows, columns, planes); the rewards, float64 (games);
            whether each game is over; whether it is cut short; and the masks.

        Raises:
            gymnasium.error.ResetNeeded: the games were never reset, or, with the mode `Disabled`,
                one of them is over.
            IllegalAction: with `illegal="raise"`; no game has moved then.
            ValueError: not one action a game.
            TypeError: the actions are no integers.
            OpponentFailed: the opponent has no move.
        """
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            rows = " ".join(map(str, np.flatnonzero(self._over)))
            raise gymnasium.error.ResetNeeded(f"reset the games that are over: {rows}")
        is_next = self._mode is AutoresetMode.NEXT_STEP
        again = self._over if is_next else np.zeros_like(self._over)
        rewards = self._duel.step(actions, again, self.np_random)
        terminated = self._duel.batch.terminated.copy()
        self._steps = np.where(again, 0, self._steps + 1)
        truncated = self._steps >= self._most
        self._over = over = terminated | truncated
        observation, info = self._duel.observation(), self._info()
        if self._mode is AutoresetMode.SAME_STEP and over.any():
            final = np.full(self.num_envs, None, object)
            for row in np.flatnonzero(over):
                final[row] = observation[row].copy()
            final_info = {
                name: over.copy() if name.startswith("_") else values
                for name, values in info.items()
            }
            self._duel.reset(over, self.np_random, seeded=False)
            self._steps[over] = 0
            self._over = np.zeros_like(over)
            observation, info = self._duel.observation(), self._info()
            info |= {"final_obs": final, "_final_obs": over.copy()}
            info |= {"final_info": final_info, "_final_info": over.copy()}
        return observation, rewards, terminated, truncated, info

    def render(self) -> tuple[Any, ...] | None:
        """Return each board as in `GymEnv.render`; `None` without a render mode."""
        if self.render_mode is None:
            return None
        return tuple(self._duel.frame(row, self.render_mode) for row in range(self.num_envs))

    def _info(self) -> dict[str, Any]:
        info = self._duel.info()
        every = np.ones(self.num_envs, np.bool_)
        return info | {
            f"_{name}": (self._duel.has_regret if name.startswith("regret") else every).copy()
            for name in info
        }


def _checked_mask(mask: Any, count: int) -> npt.NDArray[np.bool_]:
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError("reset_mask is an array of NumPy with the dtype bool")
    if mask.shape != (count,) or not mask.any():
        raise ValueError(f"reset_mask has the shape ({count},), and True for one game or more")
    return mask
