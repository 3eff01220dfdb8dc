"""The nine-board games against naive rules on lists of lists, written from the rules page alone."""

from __future__ import annotations

import random

import pytest
from samples import RULES, as_result, data

import noughts
from noughts.games.nested import NestedPosition

RULES_IDS = [rules_id for name in ("advanced", "ultimate") for rules_id in RULES[name]]
ROWS_OF_THREE = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
]  # fmt: skip


class NaiveNested:
    """Nine lists of nine marks, who won each, and the board that the last move named."""

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
        """Return the winner and why the game is over, or `None` while it goes on."""
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


def assert_same(position: noughts.Position, naive: NaiveNested) -> None:
    assert isinstance(position, NestedPosition)
    assert [divmod(move, 9) for move in position.legal_moves()] == naive.legal_moves()
    assert as_result(position.outcome()) == naive.result()
    assert position.turn.value == naive.turn
    assert [str(position.owner(board) or "") for board in range(9)] == naive.winners
    marks = [mark for board in naive.boards for mark in board]
    assert [str(position.mark(cell) or "") for cell in range(81)] == marks


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_random_games_are_the_same_under_naive_rules(rules_id: str) -> None:
    rng = random.Random(2)
    for _ in range(60):
        naive = NaiveNested(rules_id)
        position = noughts.game(rules_id)
        assert_same(position, naive)
        while position.outcome() is None:
            move = rng.choice(position.legal_moves())
            position = position.play(move)
            naive.play(*divmod(move, 9))
            assert_same(position, naive)


@pytest.mark.parametrize(
    "golden",
    [golden for golden in data("golden") if golden["rules"].startswith(("advanced", "ultimate"))],
    ids=lambda golden: f"{golden['rules']} {golden['termination']} {golden['winner']}",
)
def test_golden_games_end_the_same_under_naive_rules(golden: dict[str, str]) -> None:
    naive = NaiveNested(golden["rules"])
    for move in golden["moves"].split():
        board, cell = int(move[0]) - 1, int(move[1]) - 1
        assert (board, cell) in naive.legal_moves()
        naive.play(board, cell)
    assert naive.result() == (golden["winner"], golden["termination"])
