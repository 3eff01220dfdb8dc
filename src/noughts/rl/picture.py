"""Pictures of boards for environments: arrays of pixels, drawn with NumPy alone, and SVG.

┌─────┬─────┐     32 pixels a cell; X is a cross, O a ring; in games of nine boards, thick
│ ╲ ╱ │ ╭─╮ │     lines between the boards, and the boards of the next move are light
│ ╱ ╲ │ ╰─╯ │
└─────┴─────┘
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

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
SVG_THEMES = {
    "light": ("#fafaf8", "#e2e3e7", "#9698a0", "#32343c"),
    "dark": ("#2c2e35", "#17181c", "#686a72", "#c8cad0"),
}
"""The colours of paper, shade, lines and borders."""


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


def svg_picture(
    observations: npt.NDArray[np.uint8],
    turns: Sequence[int],
    *,
    title: str,
    theme: str = "light",
    scale: float = 1.0,
) -> str:
    """Return boards as the text of an SVG file, four in a row, with the same look.

    Args:
        observations: of games of a `Batch`: (games, rows, columns, planes).
        turns: for each game, 0 if X is to move, 1 if O is.
        title: for screen readers.
        theme: `light` or `dark`.
        scale: 1 for 32 pixels a cell.

    Raises:
        ValueError: no such theme.
    """
    if theme not in SVG_THEMES:
        raise ValueError(f"the theme is one of {' '.join(SVG_THEMES)}, not {theme!r}")
    paper, shade, line, border = SVG_THEMES[theme]
    games, rows, columns, planes = observations.shape
    across = min(games, 4)
    wide, high = (columns + 1) * CELL, (rows + 1) * CELL
    width, height = across * wide, -(-games // across) * high
    boards = []
    for game, (seen, turn) in enumerate(zip(observations, turns, strict=True)):
        shaded = np.argwhere(seen[:, :, 2] == 0) if planes > 2 else ()
        parts = [_squares(shaded, shade), _grid(rows, columns, 1, line)]
        if planes > 2:
            parts.append(_grid(rows, columns, 3, border))
        parts += [_marks(seen[:, :, turn], "X"), _marks(seen[:, :, 1 - turn], "O")]
        left, top = (game % across + 0.5) * wide - columns * CELL / 2, (game // across) * high
        boards.append(f'<g transform="translate({left:g} {top + CELL / 2:g})">{"".join(parts)}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width * scale:g}" height="{height * scale:g}" role="img">'
        f'<title>{escape(title)}</title><rect width="{width}" height="{height}" fill="{paper}"/>'
        f'<g fill="none" stroke-linecap="round">{"".join(boards)}</g></svg>\n'
    )


def _squares(cells: Iterable[npt.NDArray[Any]], colour: str) -> str:
    squares = "".join(f"M{CELL * x} {CELL * y}h{CELL}v{CELL}h-{CELL}z" for y, x in cells)
    return f'<path fill="{colour}" d="{squares}"/>' if squares else ""


def _grid(rows: int, columns: int, step: int, colour: str) -> str:
    lines = [f"M0 {CELL * y}h{CELL * columns}" for y in range(0, rows + 1, step)]
    lines += [f"M{CELL * x} 0v{CELL * rows}" for x in range(0, columns + 1, step)]
    return f'<path stroke="{colour}" stroke-width="{step}" d="{"".join(lines)}"/>'


def _marks(cells: npt.NDArray[np.uint8], mark: str) -> str:
    shape, colour = (
        ("m7 7l18 18m-18 0l18 -18", X_COLOUR)
        if mark == "X"
        else ("m7 16a9 9 0 1 0 18 0a9 9 0 1 0 -18 0", O_COLOUR)
    )
    drawn = "".join(f"M{CELL * x} {CELL * y}{shape}" for y, x in np.argwhere(cells))
    return f'<path stroke="rgb{colour}" stroke-width="4" d="{drawn}"/>' if drawn else ""


def _enlarged(
    cells: npt.NDArray[np.uint8], stamp: npt.NDArray[np.generic]
) -> npt.NDArray[np.bool_]:
    """Return the pixels of a stamp in each cell that is 1."""
    return np.kron(cells, stamp.astype(np.uint8)).astype(np.bool_)
