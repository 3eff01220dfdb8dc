"""The rules once more, on lists of lists, written from the rules page alone."""

from __future__ import annotations

from samples import as_result

import noughts
from noughts.games.nested import NestedPosition
from noughts.games.row import RowPosition

ROWS_OF_THREE = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
]  # fmt: skip


class NaiveNested:
    """Nine boards of nine marks, the winner of each, and the target board."""

    def __init__(self, rules_id: str) -> None:
        self.boards = [["" for _ in range(9)] for _ in range(9)]
        self.winners = ["" for _ in range(9)]
        self.target: int | None = None
        self.turn, self.other = "X", "O"
        self.advanced = rules_id.startswith("advanced")
        self.full_draw = "full=draw" in rules_id
        self.won_open = "won=open" in rules_id
        self.tie_boards = "tie=boards" in rules_id

    def is_closed(self, board: int) -> bool:
        won = bool(self.winners[board]) and not self.won_open and not self.advanced
        return won or "" not in self.boards[board]

    def legal_moves(self) -> list[tuple[int, int]]:
        if self.result() is not None:
            return []
        if self.target is None or self.is_closed(self.target):
            boards = [board for board in range(9) if not self.is_closed(board)]
        else:
            boards = [self.target]
        return [
            (board, cell) for board in boards for cell in range(9) if not self.boards[board][cell]
        ]

    def play(self, board: int, cell: int) -> None:
        marks = self.boards[board]
        marks[cell] = self.turn
        line = any(all(marks[i] == self.turn for i in row) for row in ROWS_OF_THREE)
        if line and not self.winners[board]:
            self.winners[board] = self.turn
        self.target = cell
        self.turn, self.other = self.other, self.turn

    def result(self) -> tuple[str | None, str] | None:
        """Return the winner and the termination, or `None` during the game."""
        for player in "XO":
            if self.advanced and player in self.winners:
                return player, "line"
            three = any(all(self.winners[i] == player for i in row) for row in ROWS_OF_THREE)
            if three and not self.advanced:
                return player, "line"
        if all(self.is_closed(board) for board in range(9)):
            if not self.tie_boards:
                return None, "full"
            x, o = self.winners.count("X"), self.winners.count("O")
            return ("X" if x > o else "O" if o > x else None), "boards"
        if self.full_draw and self.target is not None and self.is_closed(self.target):
            return None, "target"
        return None


def assert_same_nested(position: noughts.Position, naive: NaiveNested) -> None:
    assert isinstance(position, NestedPosition)
    assert [divmod(move, 9) for move in position.legal_moves()] == naive.legal_moves()
    assert as_result(position.outcome()) == naive.result()
    assert position.turn.value == naive.turn
    assert [str(position.owner(board) or "") for board in range(9)] == naive.winners
    marks = [mark for board in naive.boards for mark in board]
    assert [str(position.mark(cell) or "") for cell in range(81)] == marks


class NaiveRow:
    """A grid of marks, top row first; a move is a cell, or a column in which marks fall."""

    def __init__(self, rules_id: str, columns: int, rows: int, k: int) -> None:
        self.grid = [["" for _ in range(columns)] for _ in range(rows)]
        self.columns, self.rows, self.k = columns, rows, k
        self.falls = rules_id.startswith("connect4")
        self.misere = rules_id.endswith("misere")
        self.exact = ",exact" in rules_id
        self.turn, self.other = "X", "O"

    def legal_moves(self) -> list[int]:
        if self.result() is not None:
            return []
        if self.falls:
            return [column for column in range(self.columns) if not self.grid[0][column]]
        return [
            row * self.columns + column
            for row in range(self.rows)
            for column in range(self.columns)
            if not self.grid[row][column]
        ]

    def play(self, move: int) -> None:
        row, column = divmod(move, self.columns)
        if self.falls:
            while row + 1 < self.rows and not self.grid[row + 1][column]:
                row += 1
        self.grid[row][column] = self.turn
        self.turn, self.other = self.other, self.turn

    def has(self, mark: str, row: int, column: int) -> bool:
        on_board = 0 <= row < self.rows and 0 <= column < self.columns
        return on_board and self.grid[row][column] == mark

    def has_line(self, mark: str) -> bool:
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    length, i, j = 0, row, column
                    while self.has(mark, i, j):
                        length, i, j = length + 1, i + down, j + right
                    begins = not self.has(mark, row - down, column - right)
                    if (begins and length == self.k) if self.exact else length >= self.k:
                        return True
        return False

    def result(self) -> tuple[str | None, str] | None:
        """Return the winner and the termination, or `None` during the game."""
        for mark, other in (("X", "O"), ("O", "X")):
            if self.has_line(mark):
                return (other if self.misere else mark), "line"
        if all(mark for row in self.grid for mark in row):
            return None, "full"
        return None


def assert_same_row(position: noughts.Position, naive: NaiveRow) -> None:
    assert isinstance(position, RowPosition)
    assert list(position.legal_moves()) == naive.legal_moves()
    assert as_result(position.outcome()) == naive.result()
    assert position.turn.value == naive.turn
    marks = [mark for row in naive.grid for mark in row]
    assert [str(position.mark(cell) or "") for cell in range(len(marks))] == marks
