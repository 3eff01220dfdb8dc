"""The symmetries of a game, to make more positions of one for training.

observation ──Symmetry.observation()──► its image      action ──Symmetry.actions()──► its image
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.engine import native_position
from noughts.games import lines
from noughts.games.nested import NestedPosition
from noughts.games.registry import game
from noughts.games.row import RowPosition


class Symmetry(NamedTuple):
    """A rotation or reflection of the board."""

    cells: npt.NDArray[np.int64]
    """For each place of the image, row after row, the place that comes there."""
    images: npt.NDArray[np.int64]
    """For each action, its image."""

    def observation(self, observation: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the images of observations, of the shape (…, rows, columns, planes)."""
        flat = observation.reshape(*observation.shape[:-3], -1, observation.shape[-1])
        return flat[..., self.cells, :].reshape(observation.shape)

    def actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return the images of actions."""
        found: npt.NDArray[np.int64] = self.images[np.asarray(actions)]
        return found

    def by_action(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return values of actions, such as a mask or a policy, of the shape (…, actions)."""
        image = np.empty_like(values)
        image[..., self.images] = values
        return image


def symmetries(rules: str) -> list[Symmetry]:
    """Return the symmetries of a game, the identity first: eight, four, or two with gravity.

    A single row or column has fewer.

    >>> [len(symmetries(rules)) for rules in ("basic", "mnk:4,3,3", "connect4", "ultimate")]
    [8, 4, 2, 8]

    Raises:
        NotationError: no such rules, or rules that the core does not know.
    """
    start = native_position(game(rules))
    if isinstance(start, RowPosition):
        columns, rows = start.rules.columns, start.rules.rows
        turns = lines.symmetries(columns, rows, gravity=start.rules.gravity)
        if start.rules.gravity:
            mirror = list(range(columns))
            return [_symmetry(turn, mirror[:: 1 - 2 * n]) for n, turn in enumerate(turns)]
        return [_symmetry(turn, turn) for turn in turns]
    assert isinstance(start, NestedPosition)
    found = []
    for turn in lines.symmetries(3, 3):
        moves = [9 * board + cell for board in turn for cell in turn]
        places = [0] * 81
        for move, image in enumerate(moves):
            places[_place(move)] = _place(image)
        found.append(_symmetry(places, moves))
    return found


def _symmetry(places: Any, images: Any) -> Symmetry:
    cells = np.empty(len(places), np.int64)
    cells[np.array(places)] = np.arange(len(places))
    return Symmetry(cells, np.array(images, np.int64))


def _place(move: int) -> int:
    """Return the place on paper, row after row, of a move in a game of nine boards."""
    board, cell = divmod(move, 9)
    return 9 * (board // 3 * 3 + cell // 3) + board % 3 * 3 + cell % 3
