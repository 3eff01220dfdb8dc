"""Boards as data, for scripts that draw them without knowing the rules.

position ──board_data()──► size and marks   ──┐
         ──owners()──────► won boards         ├──► JSON ──► board.js ──► SVG
         ──lines()───────► winning lines    ──┘
"""

from __future__ import annotations

from typing import Any

from noughts.games.lines import LINES, cells_of
from noughts.games.nested import NestedPosition
from noughts.games.position import Position
from noughts.games.row import ConnectFour, RowPosition


def cell_of(before: Position, move: int | None) -> int | None:
    """Return the cell that a move takes; `None` in a game without cells."""
    if move is None or not isinstance(before, RowPosition | NestedPosition):
        return None
    return before.cell(move)


def owners(position: NestedPosition) -> str:
    """Return the owner of each board: `X`, `O`, `D` for a draw, `-` for none yet."""
    closed = position.closed
    return "".join(
        str(position.owner(board) or ("D" if closed >> board & 1 else "-")) for board in range(9)
    )


def lines(position: Position) -> tuple[list[list[int]], list[list[int]]]:
    """Return the ends of the winning lines of cells, and of boards, in a finished game."""
    if isinstance(position, RowPosition):
        full = {*position.rules.lines_of(position.x), *position.rules.lines_of(position.o)}
        rows = [cells_of(line) for line in position.rules.lines if line in full]
        return [[row[0], row[-1]] for row in rows], []
    if not isinstance(position, NestedPosition):
        return [], []
    cells, boards = set(position.winning_line()), set(position.winning_boards())
    if not cells and not boards:
        return [], []
    ends = [(cells[0], cells[-1]) for cells in map(cells_of, LINES)]
    return (
        [
            [9 * board + first, 9 * board + last]
            for board in range(9)
            for first, last in ends
            if {9 * board + first, 9 * board + (first + last) // 2, 9 * board + last} <= cells
        ],
        [[first, last] for first, last in ends if {first, (first + last) // 2, last} <= boards],
    )


def board_data(position: Position) -> dict[str, Any]:
    """Return the kind and size of the board, and its marks at the root."""
    if isinstance(position, NestedPosition):
        kind, columns, rows = "nested", 9, 9
    elif isinstance(position, RowPosition):
        kind = "rack" if isinstance(position, ConnectFour) else "grid"
        columns, rows = position.rules.columns, position.rules.rows
    else:
        return {"kind": "text", "text": position.diagram()}
    x, o = position.x, position.o
    cells = "".join(
        ["X" if x >> cell & 1 else "O" if o >> cell & 1 else "." for cell in range(columns * rows)]
    )
    named = range(columns if kind == "rack" else columns * rows)
    names = [position.move_text(move) for move in named]
    data = {"kind": kind, "columns": columns, "rows": rows, "cells": cells, "names": names}
    if isinstance(position, NestedPosition) and not position.rules.won_closed:
        data["plays_on"] = True
    return data
