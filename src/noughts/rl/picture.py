"""Pictures of boards for environments: arrays of pixels, drawn with NumPy alone.

┌─────┬─────┐     32 pixels a cell; X is a cross, O a ring; in games of nine boards, thick
│ ╲ ╱ │ ╭─╮ │     lines between the boards, and the boards of the next move are light
│ ╱ ╲ │ ╰─╯ │
└─────┴─────┘
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

CELL = 32
"""Pixels of a cell."""
RENDER_MODES = ("ansi", "human", "rgb_array")
PAPER = (250, 250, 248)
SHADE = (226, 227, 231)
"""Boards of nine on which the next move may not be."""
LINE = (150, 152, 160)
BORDER = (50, 52, 60)
X_COLOUR = (30, 96, 200)
O_COLOUR = (200, 70, 40)


def check_render_mode(mode: str | None) -> None:
    """Check the name of a render mode.

    Raises:
        ValueError: it is none.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is one of {' '.join(RENDER_MODES)}, not {mode!r}")


def picture(observation: npt.NDArray[np.uint8], turn: int) -> npt.NDArray[np.uint8]:
    """Return a board as pixels: uint8 (32 × rows, 32 × columns, 3), red, green and blue.

    Args:
        observation: of one game of a `Batch`: (rows, columns, planes).
        turn: 0 if X is to move, 1 if O is.
    """
    rows, columns, planes = observation.shape
    image = np.full((rows * CELL, columns * CELL, 3), PAPER, np.uint8)
    if planes > 2:
        image[_enlarged(1 - observation[:, :, 2], np.ones((CELL, CELL), np.uint8))] = SHADE
    image[::CELL] = image[CELL - 1 :: CELL] = LINE
    image[:, ::CELL] = image[:, CELL - 1 :: CELL] = LINE
    if planes > 2:
        for edge in range(0, rows + 1, 3):
            near = slice(max(edge * CELL - 2, 0), edge * CELL + 2)
            image[near] = image[:, near] = BORDER
    y, x = np.abs(np.mgrid[:CELL, :CELL] - (CELL - 1) / 2)
    cross = (np.abs(x - y) < 2.5) & (np.maximum(x, y) < 10)
    ring = np.abs(np.hypot(x, y) - 9) < 2
    image[_enlarged(observation[:, :, turn], cross)] = X_COLOUR
    image[_enlarged(observation[:, :, 1 - turn], ring)] = O_COLOUR
    return image


def _enlarged(
    cells: npt.NDArray[np.uint8], stamp: npt.NDArray[np.generic]
) -> npt.NDArray[np.bool_]:
    """Return the pixels of a stamp in each cell that is 1."""
    return np.kron(cells, stamp.astype(np.uint8)).astype(np.bool_)
