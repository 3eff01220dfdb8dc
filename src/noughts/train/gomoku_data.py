"""Positions of Gomoku for training: the empty cells near the marks, and their lines.

    samples ──► boards ──► empty cells near marks ──► eight windows each ──► their vectors' numbers

A window has the eight cells of a line around a cell, as a side sees them: four before it and four
after it, in base 3. A window and its mirror image have one vector, so symmetric positions are the
same to a net.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts import _core
from noughts.train.data import read_rows

SEEN = 4
"""How many cells a window has on each side."""
DIRECTIONS = (0, 1), (1, 0), (1, -1), (1, 1)
"""The lines through a cell, as steps of rows and columns."""
NEAR = 2
"""How many rows and columns a cell may be away from a mark."""
OUTSIDE = 2
"""What a window has beyond the edge: the same as a mark of the other side."""
CHUNK = 4_096
"""Positions that are read at once."""


def _vectors() -> NDArray[np.uint16]:
    windows = np.arange(3 ** (2 * SEEN))
    powers = 3 ** np.arange(2 * SEEN)
    mirrored = ((windows[:, None] // powers % 3)[:, ::-1] * powers).sum(1)
    _, numbers = np.unique(np.minimum(windows, mirrored), return_inverse=True)
    return numbers.astype(np.uint16)


VECTORS = _vectors()
"""(6561,): the number of a window's vector."""
COUNT = int(VECTORS.max()) + 1
"""The number of vectors."""
FEATURES, HIDDEN = 32, 16
"""Sizes of the layers of a net."""


class Positions(NamedTuple):
    """Positions from the view of the side to move, and the cells of all in one array."""

    lines: NDArray[np.uint16]
    """(cells, 8): the vectors of a cell's four lines, as the side to move sees them and as the
    other side does."""
    cells: NDArray[np.int32]
    """(n,): the number of cells of each position; those of the first come first."""
    chosen: NDArray[np.int32]
    """(n,): the search's move, as the number of a cell of the position; -1 for one far away."""
    estimate: NDArray[np.float32]
    """(n,): the estimate from the patterns, -1 to 1."""
    score: NDArray[np.float32]
    """(n,): the expected result by the search, from -1 to 1; proven results are -1, 0 and 1."""
    result: NDArray[np.float32]
    """(n,): the result of the game, -1, 0 or 1."""


def load(*folders: Path) -> Positions:
    """Return the positions of folders.

    Raises:
        ValueError: there are none.
    """
    rows = read_rows(folders, _core.FIVE_SAMPLE_SIZE)
    sizes = rows[:, _SIZE].astype(int)
    parts = [
        _read(of_size[begin : begin + CHUNK], size)
        for size in np.unique(sizes)
        for of_size in [rows[sizes == size]]
        for begin in range(0, len(of_size), CHUNK)
    ]
    return Positions(*map(np.concatenate, zip(*parts, strict=True)))


# The bytes of a sample (`core/five_self_play.hpp`).
_CELLS = 100
_SIZE, _RESULT, _ESTIMATE, _SCORE, _MOVE = _CELLS, _CELLS + 3, _CELLS + 4, _CELLS + 6, _CELLS + 8


def _read(rows: NDArray[np.uint8], size: int) -> Positions:
    """Return the positions of samples on square boards of one size."""
    count = len(rows)
    contents = (rows[:, :_CELLS, None] >> np.arange(0, 8, 2)) & 3
    boards: NDArray[np.uint8] = (
        contents.astype(np.uint8).reshape(count, -1)[:, : size * size].reshape(count, size, size)
    )
    is_near = (_near(boards) & (boards == 0)).reshape(count, -1)
    at = np.nonzero(is_near)
    theirs = np.array([0, 2, 1], np.uint8)[boards]
    lines = np.concatenate([_lines(seen, at) for seen in (boards, theirs)], 1)
    number = np.where(is_near, is_near.cumsum(1) - 1, -1)
    move = _word(rows, _MOVE)
    return Positions(
        lines,
        np.bincount(at[0], minlength=count).astype(np.int32),
        number[np.arange(count), move].astype(np.int32),
        (_word(rows, _ESTIMATE) / _core.ESTIMATE_UNIT).astype(np.float32),
        np.clip(_word(rows, _SCORE) / _core.ESTIMATE_UNIT, -1, 1).astype(np.float32),
        rows[:, _RESULT].view(np.int8).astype(np.float32),
    )


def _word(rows: NDArray[np.uint8], at: int) -> NDArray[np.int16]:
    return np.ascontiguousarray(rows[:, at : at + 2]).view("<i2")[:, 0]


def _near(boards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which cells are near a mark."""
    size = boards.shape[1]
    marks = np.pad(boards > 0, ((0, 0), (NEAR, NEAR), (NEAR, NEAR)))
    near = np.zeros(boards.shape, bool)
    for row, column in itertools.product(range(2 * NEAR + 1), repeat=2):
        near |= marks[:, row : row + size, column : column + size]
    return near


def _lines(boards: NDArray[np.uint8], at: tuple[NDArray[np.int64], ...]) -> NDArray[np.uint16]:
    """Return the vectors of the four lines of each cell of `at`, as one side sees them."""
    size = boards.shape[1]
    wide = np.pad(boards, ((0, 0), (SEEN, SEEN), (SEEN, SEEN)), constant_values=OUTSIDE)
    steps = [*range(-SEEN, 0), *range(1, SEEN + 1)]
    found = []
    for down, right in DIRECTIONS:
        window = np.zeros(boards.shape, np.uint16)
        for number, step in enumerate(steps):
            row, column = SEEN + down * step, SEEN + right * step
            window += wide[:, row : row + size, column : column + size] * np.uint16(3**number)
        found.append(VECTORS[window.reshape(len(boards), -1)[at]])
    return np.stack(found, 1)
