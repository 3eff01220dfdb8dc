"""Row games against a naive implementation of the rules page."""

from __future__ import annotations

import random

import pytest
from naive import NaiveRow, assert_same_row
from samples import data, random_game

import noughts
from noughts.games.position import Outcome, Player, Termination
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
    ("mnk:20,20,5", 20, 20, 5),
    ("mnk:1,1,1,exact", 1, 1, 1),
    ("mnk:3,3,2,exact", 3, 3, 2),
    ("mnk:7,1,2,exact,misere", 7, 1, 2),
    ("mnk:4,4,3,exact", 4, 4, 3),
    ("mnk:5,5,3,exact", 5, 5, 3),
    ("mnk:6,6,4,exact,misere", 6, 6, 4),
    ("mnk:20,20,4,exact", 20, 20, 4),
    ("connect4", 7, 6, 4),
    ("connect4:3,3,3", 3, 3, 3),
    ("connect4:9,2,2", 9, 2, 2),
    ("connect4:4,8,5", 4, 8, 5),
]


@pytest.mark.parametrize(("rules_id", "columns", "rows", "k"), GAMES)
def test_random_games_follow_naive_rules(rules_id: str, columns: int, rows: int, k: int) -> None:
    rng = random.Random(1)
    for _ in range(1 if columns * rows > 100 else 30):
        naive = NaiveRow(rules_id, columns, rows, k)
        before: noughts.Position | None = None
        for position in random_game(noughts.game(rules_id), rng):
            if before is not None:
                (move,) = (m for m in before.legal_moves() if before.play(m) == position)
                naive.play(move)
            assert_same_row(position, naive)
            before = position


@pytest.mark.parametrize(
    "golden",
    [golden for golden in data("golden") if golden["rules"].startswith(("basic", "mnk", "conn"))],
    ids=lambda golden: f"{golden['rules']} {golden['termination']} {golden['winner']}",
)
def test_golden_games_follow_naive_rules(golden: dict[str, str | None]) -> None:
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
    """Return columns, rows and k of a rules id, defaults included."""
    sizes = [int(word) for word in rules_id.partition(":")[2].split(",") if word.isdigit()]
    defaults = [7, 6, 4] if rules_id.startswith("connect4") else [3, 3, 3]
    columns, rows, k = sizes + defaults[len(sizes) :]
    return columns, rows, k


@pytest.mark.parametrize(("text", "line"), [
    ("basic~XXX.OO1.3~O", (0, 1, 2)),
    ("basic~XXX.OXO.OOX~O", (0, 1, 2, 4, 8)),
    ("basic~XX1.OO1.3~X", ()),
    ("mnk:3,3,3,misere~O2.XOX.X1O~X", (0, 4, 8)),
    ("mnk:5,3,3,exact~XXXX1.OOXO1.OOX2~O", (2, 7, 12)),
    ("mnk:5,2,3,exact~XXXX1.OO1O1~O", ()),
    ("connect4:4,4~4.X3.X2O.X1OO~X", ()),
    ("connect4:4,4~X3.X3.X1O1.X1OO~O", (0, 4, 8, 12)),
])  # fmt: skip
def test_winning_line_is_every_cell_of_a_line(text: str, line: tuple[int, ...]) -> None:
    position = noughts.position(text)
    assert isinstance(position, RowPosition)
    assert position.winning_line() == line


def test_a_line_longer_than_k_does_not_count_with_exact() -> None:
    start = noughts.game("mnk:15,15,5,exact")
    row = start.after("a1 a3 b1 b3 c1 c3 e1 e3 f1 f3")
    assert row.play("d1").outcome() is None
    assert noughts.game("mnk:15,15,5").after("a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1").outcome()
    # The sixth mark makes another line that has five.
    column = row.after("d2 g5 d3 h7 d4 i9 d5 k11").play("d1")
    assert column.outcome() == Outcome(Player.X, Termination.LINE)
    assert isinstance(column, RowPosition)
    assert [column.move_text(cell) for cell in column.winning_line()] == [
        "d1",
        "d2",
        "d3",
        "d4",
        "d5",
    ]


def test_connect_four_move_takes_the_lowest_empty_cell() -> None:
    position = noughts.game("connect4:3,3,3")
    assert isinstance(position, RowPosition)
    cells = []
    for move in (1, 1, 1, 0):
        cells.append(position.cell(move))
        position = position.play(move)
    assert cells == [7, 4, 1, 6]


@pytest.mark.parametrize(
    "rules_id", ["mnk:3,3,3", "mnk:7,7,4", "mnk:7,7,3,exact", "mnk:6,5,4,misere", "connect4"]
)
def test_cells_that_complete_a_line(rules_id: str) -> None:
    """For each side, compared with every cell marked and looked at."""
    rng, found = random.Random(rules_id), 0
    for _ in range(12):
        for position in list(random_game(noughts.game(rules_id), rng))[:-1]:
            assert isinstance(position, RowPosition)
            rules, occupied = position.rules, position.x | position.o
            for mine in (position.x, position.o):
                completing = sum(
                    1 << cell
                    for cell in range(rules.size)
                    if not occupied >> cell & 1 and rules.has_line(mine | 1 << cell)
                )
                assert rules.completing(mine, occupied & ~mine) == completing, str(position)
                found += completing.bit_count()
    assert found > 20
