"""Many games at once, in arrays of NumPy that the core writes in place.

actions ──Batch.step()──► observation, legal, reward, terminated, truncated, turn, ply
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from noughts import _core
from noughts.engine import native_position
from noughts.games.nested import NestedPosition
from noughts.games.notation import format_cells
from noughts.games.position import Player, Position
from noughts.games.registry import game, position
from noughts.games.row import RowPosition
from noughts.rl.labels import check_positions, label, label_games, regret_of

OnIllegal = Literal["raise", "lose", "random", "ignore"]
_ILLEGAL = {
    "raise": _core.Illegal.refuse,
    "lose": _core.Illegal.lose,
    "random": _core.Illegal.random,
    "ignore": _core.Illegal.ignore,
}


class IllegalAction(ValueError):
    """An action that the rules do not allow.

    Attributes:
        row: the game.
        action: the action.
    """

    def __init__(self, row: int, action: int, reason: str) -> None:
        super().__init__(f"row {row}: action {action} is illegal: {reason}")
        self.row = row
        self.action = action


class Batch:
    """Games of one set of rules, each in a row of the arrays.

    The arrays belong to the batch, which writes them in place and plays by them: copy an array to
    keep or to change it. A game that is over keeps its observation, gives reward 0 and ignores
    actions until it is reset.

    >>> batch = Batch("basic", 2)
    >>> batch.step([4, 0])
    >>> batch.legal.sum(axis=1), batch.turn
    (array([8, 8]), array([1, 1], dtype=int8))
    >>> str(batch.positions()[0])
    'basic~3.1X1.3~O'

    Args:
        rules: a rules id, such as `connect4:8,7` or `ultimate:tie=boards`.
        count: the number of games.
        threads: among which `step` divides the games; the results are the same for any number.
        illegal: what an action outside `legal` does: `raise` an `IllegalAction` before any game
            has moved, `lose` the game, play a `random` legal one in its place, or `ignore` it: the
            game stays as it is, with reward 0.
        seed: of the random actions of `illegal="random"`, and of `sample` without a seed.
        labels: whether to keep the `labels` of the positions, and the `regret` of the actions.
        nodes: of the searches of labels, as for `label`.

    Attributes:
        observation: uint8 (count, rows, columns, planes), 0 or 1: the marks of the side to move,
            those of the other, and in games of nine boards the boards of the next move.
        legal: bool (count, actions). An action is a move's number: a cell, a column, 0 to 80.
        reward: float32 (count, 2), of X and of O in the last step: 1 for a win, -1 for a loss.
        terminated: bool (count): the game is over.
        truncated: bool (count), always False: no game is cut short.
        turn: int8 (count): 0 if X is to move, 1 if O is.
        ply: int32 (count): the number of marks on the board.
        labels: the arrays of `label` for the present positions; empty without `labels=True`.
        regret: float32 (count): the value that the last action lost, from 0 to 2 (a win is 1, a
            draw 0, a loss -1); 0 without `labels=True`.
        regret_proven: bool (count): whether `regret` is proven, else it is estimated.

    Raises:
        NotationError: no such rules, or rules that the core does not know.
        ValueError: no game, no thread, or no such word for `illegal`.
    """

    def __init__(
        self,
        rules: str,
        count: int,
        *,
        threads: int = 1,
        illegal: OnIllegal = "raise",
        seed: int = 0,
        labels: bool = False,
        nodes: int | None = None,
    ) -> None:
        if count < 1:
            raise ValueError(f"a batch has one game or more, not {count}")
        if threads < 1:
            raise ValueError(f"a batch has one thread or more, not {threads}")
        _check_word(illegal)
        self.start = native_position(game(rules))
        self.rules = self.start.rules_id
        self.count = count
        self.illegal = illegal
        self._batch = _core.Batch(self.rules, count, min(threads, os.cpu_count() or 1))
        rows, columns, planes, self.actions = self._batch.shape()
        self.observation = np.zeros((count, rows, columns, planes), np.uint8)
        self.legal = np.zeros((count, self.actions), np.bool_)
        self.reward = np.zeros((count, 2), np.float32)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self.turn = np.zeros(count, np.int8)
        self.ply = np.zeros(count, np.int32)
        self.labels: dict[str, npt.NDArray[Any]] = {}
        self.regret = np.zeros(count, np.float32)
        self.regret_proven = np.zeros(count, np.bool_)
        self._seeds = _seeds(seed)
        self._batch.begin(
            self.observation, self.legal, self.reward, self.terminated, self.turn, self.ply
        )
        self._labels, self._nodes, self._threads = labels, nodes, threads
        self._label()

    def step(self, actions: npt.ArrayLike, illegal: OnIllegal | None = None) -> None:
        """Play an action in each game.

        Args:
            actions: integers (count); those of games that are over are ignored.
            illegal: in place of that of the batch, for this step.

        Raises:
            IllegalAction: with `illegal="raise"`; no game has moved then.
            ValueError: not one action a game, or no such word for `illegal`.
            TypeError: the actions are no integers.
        """
        chosen = self._checked(actions)
        mode = self.illegal if illegal is None else illegal
        _check_word(mode)
        was_over = self.terminated.copy() if self._labels else None
        refused = self._batch.step(chosen, _ILLEGAL[mode], next(self._seeds))
        if refused >= 0:
            action = int(np.asarray(actions)[refused])
            if 0 <= action < self.actions:
                reason = f"legal are {' '.join(map(str, np.flatnonzero(self.legal[refused])))}"
            else:
                reason = f"actions are 0 to {self.actions - 1}"
            raise IllegalAction(refused, action, reason)
        if was_over is not None:
            self.regret[:], self.regret_proven[:] = regret_of(
                self.labels, chosen, was_over, loses=mode == "lose"
            )
            self._label(~was_over)

    def reset(self, mask: npt.ArrayLike | None = None, seed: int | None = None) -> None:
        """Start games again.

        Args:
            mask: bool (count): which ones; all if left out.
            seed: of the random actions from now on.

        Raises:
            ValueError: not one value a game.
            TypeError: the mask is no array of bool.
        """
        if seed is not None:
            self._seeds = _seeds(seed)
        if mask is None:
            mask = np.ones(self.count, np.bool_)
        chosen = np.array(mask)  # `mask` may be `terminated`, which changes here.
        if chosen.dtype != np.bool_:
            raise TypeError(f"a mask has the dtype bool, not {chosen.dtype}")
        self._check_shape(chosen)
        self._batch.reset(np.ascontiguousarray(chosen))
        self._label(chosen)

    def sample(self, seed: int | None = None) -> npt.NDArray[np.int64]:
        """Return a random legal action of each game; 0 for one that is over.

        Args:
            seed: gives the same actions for the same games; the next of the batch if left out.
        """
        actions = np.empty(self.count, np.int64)
        given = next(self._seeds) if seed is None else next(_seeds(seed))
        self._batch.sample(actions, given)
        return actions

    def positions(self) -> list[Position]:
        """Return the position of each game, of one lost by an illegal action the last."""
        return [self.position(row) for row in range(self.count)]

    def load(self, positions: Sequence[Position | str]) -> None:
        """Set up positions: one for each game, by its string or as it is.

        Raises:
            ValueError: not one position a game, or one of other rules.
            NotationError: a text is not a position.
            TypeError: a row is neither a position nor a text.
        """
        if len(positions) != self.count:
            raise ValueError(f"{self.count} games need as many positions, not {len(positions)}")
        found = [position(each) if isinstance(each, str) else each for each in positions]
        check_positions(found)
        for row, each in enumerate(found):
            if each.rules_id != self.rules:
                raise ValueError(f"row {row}: {each} has other rules than {self.rules}")
        for row, each in enumerate(found):
            self._batch.load(row, str(each))
        self._label()

    def _label(self, changed: npt.NDArray[np.bool_] | None = None) -> None:
        """Write the labels of all games, or of those that have changed."""
        if not self._labels:
            return
        if changed is None:
            self.labels = label(self, nodes=self._nodes, threads=self._threads)
            return
        rows = np.flatnonzero(changed)
        found = label_games(self, rows, nodes=self._nodes, threads=self._threads)
        for name, values in found.items():
            self.labels[name][rows] = values

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"actions are integers, not {chosen.dtype}")
        self._check_shape(chosen)
        return np.ascontiguousarray(chosen, np.int64)

    def _check_shape(self, given: npt.NDArray[Any]) -> None:
        if given.shape != (self.count,):
            raise ValueError(f"expected the shape ({self.count},), not {given.shape}")

    def position(self, row: int) -> Position:
        """Return the position of one game, of one lost by an illegal action the last."""
        boards = self._batch.boards(row)
        return position_seen(self.start, self.observation[row], int(self.turn[row]), boards)


def position_seen(
    start: Position, observation: npt.NDArray[np.uint8], turn: int, boards: tuple[int, int, int]
) -> Position:
    """Return the position of an observation.

    Args:
        start: a position of the same rules.
        observation: (rows, columns, planes).
        turn: 0 if X is to move, 1 if O is.
        boards: with nine boards: the one that the last move chose, -1 for none; those that X and O
            have won, as bits.
    """
    mine, theirs = (observation[:, :, plane].ravel() for plane in (0, 1))
    x, o = (theirs, mine) if turn else (mine, theirs)
    side = Player.O if turn else Player.X
    if isinstance(start, RowPosition):
        rules = start.rules
        cells = format_cells(_bits(x), _bits(o), rules.columns, rules.rows)
        return position(f"{start.rules_id}~{cells}~{side}")
    assert isinstance(start, NestedPosition)
    target, won_x, won_o = boards
    cells = format_cells(_bits(x[_PAPER]), _bits(o[_PAPER]), 9, 9)
    text = f"{start.rules_id}~{cells}~{side}~{target + 1 if target >= 0 else '-'}"
    if not start.rules.won_closed:
        owners = ""
        is_full = (mine + theirs)[_PAPER].reshape(9, 9).all(axis=1)
        for board in range(9):
            owner = "X" if won_x >> board & 1 else "O" if won_o >> board & 1 else ""
            owners += owner or ("D" if is_full[board] else "-")
        text += f"~{owners}"
    return position(text)


_PAPER = np.array(
    [
        9 * (board // 3 * 3 + cell // 3) + board % 3 * 3 + cell % 3
        for board in range(9)
        for cell in range(9)
    ]
)
"""For each cell of nine boards, board after board, its place on paper, row after row."""


def _check_word(illegal: str) -> None:
    if illegal not in _ILLEGAL:
        raise ValueError(f"illegal is one of {' '.join(_ILLEGAL)}, not {illegal!r}")


def _bits(marks: npt.NDArray[np.uint8]) -> int:
    return sum(1 << int(cell) for cell in np.flatnonzero(marks))


def _seeds(seed: int) -> Iterator[int]:
    """Return seeds that follow from one; the core mixes their bits."""
    return itertools.count(int(np.random.SeedSequence(seed).generate_state(1, np.uint32)[0]) << 32)
