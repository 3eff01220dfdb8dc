"""Evaluations: bounds, symmetry, and positions counted by hand."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from itertools import product
from typing import Self, cast

import pytest

import noughts
from noughts import Outcome, Player, Position
from noughts.games.lines import BOARD, HAS_LINE, cells_of
from noughts.games.nested import NestedPosition
from noughts.games.row import RowPosition
from noughts.search.evaluation import (
    EVALUATIONS,
    WHOLE,
    WINS_NEXT,
    Coefficient,
    Groups,
    ReportWeights,
    board_chances,
    chances,
    default_evaluation,
    evaluations_for,
    lines,
    move_groups,
    open_lines,
    report,
    safety,
    threats,
)

ROW_RULES = (
    "basic",
    "mnk:3,3,3,misere",
    "mnk:4,3,3",
    "mnk:5,5,4",
    "mnk:7,6,5,misere",
    "mnk:6,5,3,exact",
    "mnk:5,5,3,exact,misere",
    "mnk:3,2,1",
    "connect4",
    "connect4:5,4",
    "connect4:4,4,3",
)
NESTED_RULES = (
    "advanced",
    "advanced:full=draw",
    "ultimate",
    "ultimate:tie=boards",
    "ultimate:won=open",
    "ultimate:tie=boards,won=open",
)


def random_game(rules_id: str, rng: random.Random) -> Iterator[Position]:
    """Yield the positions of a random game, without the finished one."""
    position = noughts.game(rules_id)
    while position.outcome() is None:
        yield position
        position = position.play(rng.choice(position.legal_moves()))


def row(text: str) -> RowPosition:
    return cast(RowPosition, noughts.position(text))


def nested(text: str) -> NestedPosition:
    return cast(NestedPosition, noughts.position(text))


def boards(**cells: str) -> str:
    """Return a CELLS field with the given boards b1 to b9, the others empty."""
    return ".".join(cells.get(f"b{number}", "9") for number in range(1, 10))


@pytest.mark.parametrize("rules_id", ROW_RULES + NESTED_RULES)
def test_estimates_lie_strictly_between_loss_and_win(rules_id: str) -> None:
    rng = random.Random(rules_id)
    for _ in range(30):
        for position in random_game(rules_id, rng):
            for name, evaluate in evaluations_for(position).items():
                assert -1 < evaluate(position) < 1, (name, position)


@pytest.mark.parametrize("rules_id", ROW_RULES + NESTED_RULES)
def test_symmetric_positions_have_equal_values(rules_id: str) -> None:
    rng = random.Random(rules_id)
    for _ in range(4):
        for position in random_game(rules_id, rng):
            for name, evaluate in evaluations_for(position).items():
                estimates = {evaluate(other) for other in position.symmetries()}
                assert len(estimates) == 1, (name, position)


@pytest.mark.parametrize("rules_id", ROW_RULES + NESTED_RULES)
def test_swapping_marks_and_turn_keeps_the_value(rules_id: str) -> None:
    """The marks are exchanged and the other side is to move."""
    rng = random.Random(rules_id)
    for position in random_game(rules_id, rng):
        exchanged: Position
        if isinstance(position, RowPosition):
            exchanged = position._replace(x=position.o, o=position.x, ply=position.ply + 1)
        else:
            assert isinstance(position, NestedPosition)
            exchanged = position._replace(
                x=position.o,
                o=position.x,
                won_x=position.won_o,
                won_o=position.won_x,
                ply=position.ply + 1,
            )
        for name, evaluate in evaluations_for(position).items():
            assert evaluate(exchanged) == evaluate(position), (name, position)


@pytest.mark.parametrize("rules_id", ROW_RULES)
def test_lines_negate_with_the_turn(rules_id: str) -> None:
    for position in random_game(rules_id, random.Random(rules_id)):
        assert isinstance(position, RowPosition)
        assert lines(position._replace(ply=position.ply + 1)) == -lines(position)


@pytest.mark.parametrize("rules_id", [rules for rules in NESTED_RULES if "ultimate" in rules])
def test_chances_without_the_choice_negate_with_the_turn(rules_id: str) -> None:
    for position in random_game(rules_id, random.Random(rules_id)):
        assert isinstance(position, NestedPosition)
        here = chances(position, free=0)
        there = chances(position._replace(ply=position.ply + 1), free=0)
        assert there == -here or WINS_NEXT in (here, there)


# Row games


@pytest.mark.parametrize(
    ("text", "mine", "theirs"),
    [
        ("basic~3.3.3~X", 8, 8),
        ("basic~3.1X1.3~O", 4, 8),
        ("basic~X2.3.3~O", 5, 8),
        ("basic~1X1.3.3~O", 6, 8),
        ("basic~3.1X1.O2~X", 5, 4),
        ("basic~XOX.OOX.1X1~O", 0, 2),
        ("mnk:5,5,4~5.5.5.5.5~X", 28, 28),
        ("mnk:5,5,4~5.5.2X2.5.5~O", 20, 28),
        ("connect4~7.7.7.7.7.7~X", 69, 69),
        ("connect4~7.7.7.7.7.3X3~O", 62, 69),
    ],
)
def test_open_lines(text: str, mine: int, theirs: int) -> None:
    position = row(text)
    assert open_lines(position) == (mine, theirs)
    assert lines(position) == (mine - theirs) / (len(position.rules.lines) + 1)


def test_open_lines_count_against_their_owner_in_misere() -> None:
    assert lines(row("mnk:3,3,3,misere~3.1X1.3~O")) == 4 / 9


def test_threats_weigh_lines_by_their_marks() -> None:
    # X has three lines through the centre with one mark, O two through the corner: 3·3 - 2·3.
    assert threats(row("basic~O2.1X1.3~X")) == 3 / 33
    # X: two lines with one mark; O: two with two. Misère turns 2·3 - 2·9.
    assert threats(row("mnk:3,3,3,misere~OXX.X2.O1O~X")) == 12 / 42
    assert threats(row("mnk:3,3,3,misere~OXX.X2.O1O~X"), growth=2, half=4) == 4 / 8


def test_lines_that_would_be_too_long_are_not_open_with_exact() -> None:
    # The line b1 c1 lies beside X's mark on a1.
    assert open_lines(row("mnk:4,1,2~X3~O")) == (2, 3)
    assert open_lines(row("mnk:4,1,2,exact~X3~O")) == (2, 2)
    # b1 would make four: no threat, and neither line of three counts.
    assert threats(row("mnk:5,2,3~X1XX1.OO1O1~X")) == WINS_NEXT
    assert threats(row("mnk:5,2,3,exact~X1XX1.OO1O1~X")) == WINS_NEXT, "e1 makes three"
    assert threats(row("mnk:4,2,3,exact~X1XX.OO1O~X")) == 0


def test_threats_see_the_next_move() -> None:
    assert threats(row("basic~XX1.OO1.3~X")) == WINS_NEXT
    assert threats(row("basic~OXX.X2.O1O~X")) == -WINS_NEXT, "O has two winning cells"
    assert -WINS_NEXT < threats(row("basic~OO1.X2.2X~X")) < WINS_NEXT, (
        "O has one winning cell, which X can block"
    )


def test_threats_know_where_discs_land() -> None:
    assert threats(row("connect4~7.7.7.7.XXX3O.OXO3O~X")) < WINS_NEXT, (
        "the fourth cell has nothing below it"
    )
    assert threats(row("connect4~7.7.7.6X.XXX3O.OXOO2O~X")) == WINS_NEXT


# The scheme of the course report

FULL = "XOXXOOOXX"
"""A full board without a line: five X, four O."""
CENTRE = "4X4"


def advanced(target: int, option: str = "", **cells: str) -> NestedPosition:
    return nested(f"advanced{option}~{boards(**cells)}~X~{target}")


def ultimate(target: int, **cells: str) -> NestedPosition:
    return nested(f"ultimate~{boards(**cells)}~X~{target}")


def test_report_advanced_one_step_on_the_target() -> None:
    assert report(advanced(1, b1="XX7", b2="O8", b3="O8")) == WINS_NEXT
    assert report(advanced(1, b1="XXO6", b2="O8")) < WINS_NEXT, "the third cell is taken"
    assert report(advanced(2, b1="XX7", b2="1O7", b3="1O7")) < WINS_NEXT, (
        "the step is on another board"
    )


def test_report_advanced_dead_and_other() -> None:
    position = advanced(1, b2=CENTRE, b3=CENTRE, b5="OO7")
    assert move_groups(position, danger=1 << 4) == Groups(dead=1, free=0, finish=0, other=8)
    assert report(position) == pytest.approx((-0.8 + 8 * 0.1) / 9)
    weights = ReportWeights(dead=-0.9, other=0.45)
    assert report(position, weights) == pytest.approx((-0.9 + 8 * 0.45) / 9)


def test_report_advanced_free() -> None:
    cells = {"b2": CENTRE, "b5": "OO7", "b9": FULL}
    assert report(advanced(1, **cells)) == pytest.approx((-0.8 - 0.4 + 7 * 0.1) / 9)
    assert report(advanced(1, ":full=draw", **cells)) == pytest.approx((-0.8 + 0 + 7 * 0.1) / 9)


def test_report_advanced_full_target() -> None:
    cells = {"b1": "8O", "b2": "OO7", "b3": "OO7", "b5": CENTRE, "b6": CENTRE, "b9": FULL}
    exposed = advanced(9, **cells, b4=CENTRE, b7=CENTRE)
    assert report(exposed) == pytest.approx(-0.2)
    assert report(exposed, ReportWeights(exposed=-0.3)) == pytest.approx(-0.6)
    assert report(advanced(9, **cells, b4="XX7")) == WINS_NEXT


def test_report_counts_the_effects_of_a_move_on_its_own_board() -> None:
    rest = {"b2": CENTRE, "b3": CENTRE, "b4": "O8", "b6": CENTRE}
    # Cell 1 of board 1 blocks O's line there, and names board 1.
    assert move_groups(advanced(1, b1="1OO6", **rest), danger=1) == Groups(0, 0, 0, 7)
    # O has other lines there too.
    two = advanced(1, b1="1OO1O4", **rest, b7=CENTRE)
    assert move_groups(two, danger=1) == Groups(1, 0, 0, 5)
    # The last cell fills a board.
    last = {"b1": "1OXXOOOXX", "b2": "O8", "b3": CENTRE}
    assert move_groups(advanced(1, **last), danger=0) == Groups(0, 1, 0, 0)
    assert report(advanced(1, **last)) == -0.4
    assert report(advanced(1, ":full=draw", **last)) == 0
    # In ultimate a won board is closed.
    won = ultimate(1, b1="1XX6", b2="O8", b3="O8")
    assert move_groups(won, danger=0) == Groups(0, 1, 0, 6)


TWO_WON = {"b1": "XXXO5", "b2": "XXXO5", "b5": "O8", "b6": "O8", "b7": "O8", "b8": "O8"}


@pytest.mark.parametrize(("target", "last"), [(1, "O8"), (3, "2O6")])
def test_report_ultimate_final_line(target: int, last: str) -> None:
    """The target is closed, or it is the board that completes the line."""
    position = ultimate(target, **TWO_WON, b3="XX7", b4=last, b9="O8")
    assert report(position) == WINS_NEXT
    assert chances(position) == WINS_NEXT


def test_report_ultimate_final_line_out_of_reach() -> None:
    position = ultimate(4, **TWO_WON, b3="XX7", b4="O8", b9="3O5")
    assert report(position) < WINS_NEXT
    assert chances(position) < WINS_NEXT


def test_report_ultimate_closed_target() -> None:
    position = ultimate(1, **TWO_WON, b3="X8", b4="O8", b9="OX7")
    # Cells 1 and 2 name closed boards; cell 2 is empty on boards 3 to 8.
    assert move_groups(position, danger=0) == Groups(0, 6, 0, 49)
    # X has two boards, O none: free -0.1 + 2·0.05, other 0 + 2·0.05.
    assert report(position) == pytest.approx((6 * 0 + 49 * 0.1) / 55)


FOUR_GROUPS = boards(
    b1="OOOX5",
    b2="OOOX5",
    b3="OO7",
    b4="X3O4",
    b5="6XX1",
    b6="X8",
    b7="X8",
    b8="X8",
    b9="X8",
)


def test_report_ultimate_all_groups() -> None:
    position = nested(f"ultimate~{FOUR_GROUPS}~X~5")
    # Cell 3 is dead, 1 and 2 are free, 9 wins the board, 4 to 6 remain.
    assert move_groups(position, danger=1 << 2) == Groups(1, 2, 1, 3)
    # X has no board and one in one step, O two and one: 1·0.05 - 3·0.05 = -0.1 each.
    assert report(position) == pytest.approx((-0.8 + 2 * -0.2 + 0.0 + 3 * -0.1) / 7)
    weights = ReportWeights(
        ultimate_dead=Coefficient(-0.5, 0.1, 0.02),
        ultimate_free=Coefficient(0, 0, 0),
        ultimate_finish=Coefficient(0.7, 0, -0.1),
        ultimate_other=Coefficient(0, 0, 0),
    )
    assert report(position, weights) == pytest.approx((-0.5 + 0.1 + 3 * 0.02 + 0.7 - 0.3) / 7)


def test_report_ultimate_with_won_boards_open() -> None:
    position = nested(f"ultimate:won=open~{FOUR_GROUPS}~X~5~OO-------")
    assert move_groups(position, danger=1 << 2) == Groups(1, 0, 1, 5)
    cells = boards(b1="OOOXX4", b2="X8", b3="X8", b4="O8")
    sent_to_a_won_board = nested(f"ultimate:won=open~{cells}~X~1~O--------")
    assert move_groups(sent_to_a_won_board, danger=0) == Groups(0, 0, 0, 4)
    # Two in a row on a board of O's are no step for X: 0·0.05 - 1·0.05.
    assert report(sent_to_a_won_board) == pytest.approx(-0.05)
    cells = boards(b1="1XX6", b2="O8", b3="O8")
    finish = nested(f"ultimate:won=open~{cells}~X~1~---------")
    assert move_groups(finish, danger=0) == Groups(0, 0, 1, 6)


def test_report_ultimate_board_that_is_not_final_is_not_dead() -> None:
    position = ultimate(1, b2=CENTRE, b3=CENTRE, b5="OO7")
    assert report(position) == pytest.approx(-0.05), "nine others, and O one step from a board"


def test_report_stays_within_bounds_for_any_weights() -> None:
    position = advanced(1, b2=CENTRE, b3=CENTRE, b5="OO7")
    assert report(position, ReportWeights(other=7)) == WINS_NEXT
    assert report(position, ReportWeights(dead=-70)) == -WINS_NEXT


# Evaluations of our own


def test_safety_sees_the_end() -> None:
    assert safety(advanced(1, b1="XX7", b2="O8", b3="O8")) == WINS_NEXT
    centres = {"b2": CENTRE, "b3": CENTRE, "b4": CENTRE}
    # Both free cells of board 1 name boards where O is one step from a line.
    cornered = advanced(1, b1="OXOXOXX2", b8="OO7", b9="OO7", **centres)
    assert safety(cornered) == -WINS_NEXT
    assert safety(advanced(1, b1="OXOXOXX2", b7="OO7", b9="OO7", **centres)) > -WINS_NEXT
    # One of them names a full board, so O may choose the other board.
    full = {"b1": "OXOXOXX2", "b8": "OO7", "b9": FULL}
    assert safety(advanced(1, **full)) == -WINS_NEXT
    assert safety(advanced(1, ":full=draw", **full)) > -WINS_NEXT


def test_safety_of_counted_positions() -> None:
    assert safety(cast(NestedPosition, noughts.game("advanced"))) == 0
    # X has four lines through the centre of board 5, and nothing else differs.
    assert safety(nested(f"advanced~{boards(b5=CENTRE)}~O~5")) == -4 / 44
    # O threatens board 9. Lines with one mark: 8 to 3. Safe cells: X 7 + 7 + 6·8 + 6 = 68, and O,
    # who is never sent to board 9 by X's will, 8 + 8 + 6·9 = 70. So -12 + 5 - 2.
    position = advanced(1, b1=CENTRE, b2=CENTRE, b9="OO7")
    assert safety(position) == -9 / 49
    assert safety(position, threat=1, line=2, safe=0, half=9) == 9 / 18
    # X threatens board 9, where O will not send X. Lines with one mark: 3 to 6. Safe cells: X
    # 8 + 8 + 6·9 = 70 on boards 1 to 8, O 7 + 7 + 6·8 + 6 = 68 on all. So 12 - 3 + 2.
    position = advanced(1, b1="O8", b2="O8", b9="XX7")
    assert safety(position) == 11 / 51


def test_board_chances_equal_the_count_of_all_fillings() -> None:
    rng = random.Random(0)
    for _ in range(40):
        owners = rng.choices(("X", "O", "-"), k=9)
        mine = sum(1 << cell for cell in range(9) if owners[cell] == "X")
        theirs = sum(1 << cell for cell in range(9) if owners[cell] == "O")
        empty = cells_of(BOARD & ~(mine | theirs))
        won = [0.0, 0.0]
        for tosses in product((0, 1), repeat=len(empty)):
            heads = sum(1 << cell for cell, toss in zip(empty, tosses, strict=True) if toss)
            has = HAS_LINE[mine | heads], HAS_LINE[BOARD & ~(mine | heads)]
            for side in (0, 1):
                won[side] += has[side] / (2 if all(has) else 1)
        expected = tuple(WHOLE * count / 2 ** len(empty) for count in won)
        assert board_chances(mine, theirs) == expected


def test_chances_of_counted_positions() -> None:
    start = cast(NestedPosition, noughts.game("ultimate"))
    assert chances(start) == pytest.approx(0.2 / 0.5), "only the free choice counts"
    assert chances(start, free=0) == 0
    # Board 3 is empty, X has both boards beside it, the rest are drawn: one line is left.
    other = FULL.translate(str.maketrans("XO", "OX"))
    cells = boards(
        b1="XXXOO1O2", b2="XXXOO1O2", b4=FULL, b5=other, b6=FULL, b7=other, b8=FULL, b9=other
    )
    even, _ = board_chances(0, 0)
    balance = even / WHOLE + 2 * 0.05
    position = nested(f"ultimate~{cells}~X~3")
    assert chances(position) == pytest.approx(balance / (0.3 + balance))
    assert chances(position, board=0, half=even / WHOLE) == pytest.approx(1 / 2)


# By name


class OneMove(Position):
    """A registered game that the first move ends."""

    name = "one-move"

    def __init__(self, over: bool = False) -> None:
        self.over = over

    @property
    def turn(self) -> Player:
        return Player.O if self.over else Player.X

    def legal_moves(self) -> list[int]:
        return [] if self.over else [0]

    def play(self, move: int | str) -> Self:
        assert move == 0
        return type(self)(over=True)

    def outcome(self) -> Outcome | None:
        return Outcome(None) if self.over else None

    def key(self) -> Hashable:
        return self.over

    def __str__(self) -> str:
        return f"one-move~{self.over:d}"


def test_every_evaluation_fits_some_game_and_the_best_comes_first() -> None:
    names = {
        rules: list(evaluations_for(noughts.game(rules))) for rules in ROW_RULES + NESTED_RULES
    }
    assert {name for fitting in names.values() for name in fitting} == set(EVALUATIONS)
    assert names["connect4"] == ["threats", "lines", "unknown"]
    assert names["advanced"] == ["safety", "report", "unknown"]
    assert names["ultimate"] == ["chances", "report", "unknown"]
    for rules, fitting in names.items():
        assert default_evaluation(noughts.game(rules)) is EVALUATIONS[fitting[0]]


def test_unfinished_registered_game_has_value_zero() -> None:
    assert list(evaluations_for(OneMove())) == ["unknown"]
    assert default_evaluation(OneMove())(OneMove()) == 0
