"""Lines as bit masks; the bit of a cell is `row * columns + column`, from the top left.

The tables at the end have an entry for each of the 512 sets of cells of a 3×3 board:

    0 1 2
    3 4 5      EMPTY_CELLS[0b000_010_001] == (1, 2, 3, 5, 6, 7, 8)
    6 7 8
"""

from __future__ import annotations

from functools import lru_cache

BOARD = 0b111_111_111
"""All nine cells of a 3×3 board."""


@lru_cache(maxsize=64)
def lines(columns: int, rows: int, k: int) -> tuple[int, ...]:
    """Return every line of `k` cells in a row, column or diagonal, as masks.

    >>> [bin(line) for line in lines(3, 3, 3)[:2]]
    ['0b111', '0b1001001']
    """
    masks: dict[int, None] = {}
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + down * (k - 1), column + right * (k - 1)
                if last_row < rows and 0 <= last_column < columns:
                    cells = ((row + down * i) * columns + column + right * i for i in range(k))
                    masks[sum(1 << cell for cell in cells)] = None
    return tuple(masks)


@lru_cache(maxsize=64)
def line_ends(columns: int, rows: int, k: int) -> tuple[int, ...]:
    """Return the cells just beyond both ends of each of the `lines`, as masks.

    A set of marks that holds a line and none of its ends has exactly `k` in a row there. A single
    cell (k = 1) has no direction, and so no ends.

    >>> [bin(ends) for ends in line_ends(4, 2, 2)[:3]]
    ['0b100', '0b0', '0b0']
    """
    found = []
    for line in lines(columns, rows, k):
        cells, ends = cells_of(line), 0
        if k > 1:
            (first_row, first), (row, column) = (divmod(cell, columns) for cell in cells[:2])
            down, right = row - first_row, column - first
            for steps in (-1, k):
                row, column = first_row + steps * down, first + steps * right
                if 0 <= row < rows and 0 <= column < columns:
                    ends |= 1 << row * columns + column
        found.append(ends)
    return tuple(found)


def cells_of(mask: int) -> tuple[int, ...]:
    """Return the cells of a mask in ascending order."""
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cells)


@lru_cache(maxsize=64)
def symmetries(columns: int, rows: int, *, gravity: bool = False) -> tuple[tuple[int, ...], ...]:
    """Return the rotations and reflections of a board: `cell` moves to `permutation[cell]`.

    The first is the identity. Eight for a square, four for another rectangle, two with gravity,
    which only a mirror from left to right keeps; fewer for a single row or column.
    """

    def place(row: int, column: int, turn: int) -> int:
        if turn & 1:
            column = columns - 1 - column
        if turn & 2:
            row = rows - 1 - row
        if turn & 4:
            row, column = column, row
        return row * columns + column

    return tuple(
        dict.fromkeys(
            tuple(place(row, column, turn) for row in range(rows) for column in range(columns))
            for turn in range(2 if gravity else 8 if columns == rows else 4)
        )
    )


def permuted(mask: int, permutation: tuple[int, ...]) -> int:
    """Return `mask` with every cell moved to `permutation[cell]`."""
    return sum(1 << permutation[cell] for cell in cells_of(mask))


LINES = lines(3, 3, 3)
HAS_LINE = tuple(any(mask & line == line for line in LINES) for mask in range(512))
"""Whether a set of cells contains a line."""
COMPLETING = tuple(
    sum(1 << cell for cell in range(9) if HAS_LINE[mask | 1 << cell]) for mask in range(512)
)
"""The cells that complete a line; all nine if the set contains one already."""
EMPTY_CELLS = tuple(cells_of(BOARD & ~mask) for mask in range(512))
"""The cells outside a set."""
