"""Row games against naive rules on lists of lists, written from the rules page alone."""

from __future__ import annotations

import random

import pytest
from samples import as_result, data, random_game

import noughts
from noughts.games.row import RowPosition

GAMES = [
    ("basic", 3, 3, 3),
    ("mnk:1,1,1", 1, 1, 1),
    ("mnk:3,3,3,misere", 3, 3, 3),
    ("mnk:5,1,3", 5, 1, 3),
    ("mnk:2,5,4", 2, 5, 4),
    ("mnk:4,4,4,misere", 4, 4, 4),
    ("mnk:7,5,4", 7, 5, 4),
    ("mnk:19,19,5", 19, 19, 5),
    ("connect4", 7, 6, 4),
    ("connect4:3,3,3", 3, 3, 3),
    ("connect4:9,2,2", 9, 2, 2),
    ("connect4:4,8,5", 4, 8, 5),
]


class NaiveRow:
    """A grid of marks, top row first; a move is a cell, or a column where marks fall."""

    def __init__(self, rules_id: str, columns: int, rows: int, k: int) -> None:
        self.grid = [["" for _ in range(columns)] for _ in range(rows)]
        self.columns, self.rows, self.k = columns, rows, k
        self.falls = rules_id.startswith("connect4")
        self.misere = rules_id.endswith("misere")
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

    def has_line(self, mark: str) -> bool:
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    length, i, j = 0, row, column
                    while 0 <= i < self.rows and 0 <= j < self.columns and self.grid[i][j] == mark:
                        length, i, j = length + 1, i + down, j + right
                    if length >= self.k:
                        return True
        return False

    def result(self) -> tuple[str | None, str] | None:
        """Return the winner and why the game is over, or `None` while it goes on."""
        for mark, other in (("X", "O"), ("O", "X")):
            if self.has_line(mark):
                return (other if self.misere else mark), "line"
        if all(mark for row in self.grid for mark in row):
            return None, "full"
        return None


def assert_same(position: noughts.Position, naive: NaiveRow) -> None:
    assert isinstance(position, RowPosition)
    assert list(position.legal_moves()) == naive.legal_moves()
    assert as_result(position.outcome()) == naive.result()
    assert position.turn.value == naive.turn
    marks = [mark for row in naive.grid for mark in row]
    assert [str(position.mark(cell) or "") for cell in range(len(marks))] == marks


@pytest.mark.parametrize(("rules_id", "columns", "rows", "k"), GAMES)
def test_random_games_are_the_same_under_naive_rules(
    rules_id: str, columns: int, rows: int, k: int
) -> None:
    rng = random.Random(1)
    for _ in range(3 if columns * rows > 100 else 60):
        naive = NaiveRow(rules_id, columns, rows, k)
        before: noughts.Position | None = None
        for position in random_game(noughts.game(rules_id), rng):
            if before is not None:
                (move,) = (m for m in before.legal_moves() if before.play(m) == position)
                naive.play(move)
            assert_same(position, naive)
            before = position


@pytest.mark.parametrize(
    "golden",
    [golden for golden in data("golden") if golden["rules"].startswith(("basic", "mnk", "conn"))],
    ids=lambda golden: f"{golden['rules']} {golden['termination']} {golden['winner']}",
)
def test_golden_games_end_the_same_under_naive_rules(golden: dict[str, str | None]) -> None:
    rules_id, moves = golden["rules"], golden["moves"]
    assert rules_id
    assert moves
    rules = position_rules(rules_id)
    naive = NaiveRow(rules_id, *rules)
    for move in noughts.parse_moves(noughts.game(rules_id), moves):
        assert naive.result() is None
        naive.play(move)
    assert naive.result() == (golden["winner"], golden["termination"])


def position_rules(rules_id: str) -> tuple[int, int, int]:
    """Return columns, rows and k as the rules id spells them, the games' defaults filled in."""
    sizes = [int(word) for word in rules_id.partition(":")[2].split(",") if word.isdigit()]
    defaults = [7, 6, 4] if rules_id.startswith("connect4") else [3, 3, 3]
    columns, rows, k = sizes + defaults[len(sizes) :]
    return columns, rows, k


@pytest.mark.parametrize(("text", "line"), [
    ("basic~XXX.OO1.3~O", (0, 1, 2)),
    ("basic~XXX.OXO.OOX~O", (0, 1, 2, 4, 8)),
    ("basic~XX1.OO1.3~X", ()),
    ("mnk:3,3,3,misere~O2.XOX.X1O~X", (0, 4, 8)),
    ("connect4:4,4~4.X3.X2O.X1OO~X", ()),
    ("connect4:4,4~X3.X3.X1O1.X1OO~O", (0, 4, 8, 12)),
])  # fmt: skip
def test_the_winning_line_is_every_cell_of_a_line(text: str, line: tuple[int, ...]) -> None:
    position = noughts.position(text)
    assert isinstance(position, RowPosition)
    assert position.winning_line() == line


def test_a_move_of_connect_four_takes_the_lowest_empty_cell() -> None:
    position = noughts.game("connect4:3,3,3")
    assert isinstance(position, RowPosition)
    cells = []
    for move in (1, 1, 1, 0):
        cells.append(position.cell(move))
        position = position.play(move)
    assert cells == [7, 4, 1, 6]
