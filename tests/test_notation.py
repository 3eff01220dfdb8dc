"""Position strings, rules ids and moves: the accepted texts, and each refusal's reason."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import NaiveNested, assert_same_nested
from samples import RULES_IDS, random_game, random_position, reachable, replay

import noughts
from noughts import IllegalMove, NotationError
from noughts.games.nested import NestedPosition
from noughts.games.phrases import sentence
from noughts.games.position import Termination

FULL_FIVE = "55 54 45 53 35 51 15 58 88 85 56 65 57 75 52 25 59"
"""Seventeen plies of a nine-board game that fill board 5 and name board 9."""


@pytest.mark.parametrize(
    ("text", "field", "reason"),
    [
        # The number of fields, and the rules.
        ("", "RULES", 'no game called ""'),
        ("chess~3~X", "RULES", 'no game called "chess"'),
        ("basic", "POSITION", "not of the form RULES~CELLS~SIDE"),
        ("basic~3.3.3~X~X", "POSITION", "not of the form RULES~CELLS~SIDE"),
        ("ultimate~9.9.9.9.9.9.9.9.9~X", "POSITION", "RULES~CELLS~SIDE~TARGET[~OWNERS]"),
        ("advanced:~9.9.9.9.9.9.9.9.9~X~-", "RULES", "the options are missing after the colon"),
        ("mnk:3,3,4~3.3.3~X", "RULES", "4 in a row does not fit on a 3×3 board"),
        # Bad characters and counts.
        ("basic~3.3~X", "CELLS", "the number of rows is 2, not 3"),
        ("basic~3.3.2~X", "CELLS", "row 3 has 2 cells, not 3"),
        ("basic~4.3.3~X", "CELLS", "row 1 has 4 cells"),
        ("basic~3.3.Y2~X", "CELLS", 'row 3, column 1: "Y" is not X, O or a number of empty cells'),
        ("basic~3.1x1.3~O", "CELLS", 'row 2, column 2: "x" is not X, O or a number of empty cells'),
        ("basic~3.3.03~X", "CELLS", "row 3, column 1: 03 is not a number from 1 to 3"),
        ("basic~3.3.0XX1~X", "CELLS", "row 3, column 1: 0 is not a number"),
        ("basic~3.3.3~x", "SIDE", 'the side to move is X or O, not "x"'),
        ("ultimate~9.9.9.9.9.9.9.9~X~-", "CELLS", "the number of boards is 8, not 9"),
        ("ultimate~9.9.9.9.9.9.9.9.8~X~-", "CELLS", "board 9 has 8 cells"),
        # Impossible numbers of marks.
        ("basic~3.3.3~O", "SIDE", "with 0 X and 0 O, X is to move, not O"),
        ("basic~X2.3.3~X", "SIDE", "with 1 X and 0 O, O is to move, not X"),
        ("basic~XX1.3.3~X", "CELLS", "2 X and 0 O"),
        ("basic~O2.3.3~X", "CELLS", "0 X and 1 O"),
        # More than one winner, and marks after a win.
        ("basic~3.100.3~X", "CELLS", "row 2, column 1: 100 is not a number from 1 to 3"),
        ("basic~XXX.OOO.3~X", "CELLS", "both X and O have a line"),
        ("basic~XXX.OO1.O2~X", "CELLS", "X has a line, but O moved after it"),
        ("basic~OOO.XX1.XX1~O", "CELLS", "O has a line, but X moved after it"),
        ("mnk:3,3,3,misere~XXX.OO1.O2~X", "CELLS", "X has a line, but O moved after it"),
        # No order of X's marks avoids two in a row; a row of three grows from both ends.
        (
            *("mnk:9,9,2,exact~2X6.XXX6.X1X6.X2X5.9.O1O1O1O1O.9.O1O1O4.9~X", "CELLS"),
            "a line of exactly 2 would have ended the game before X had these marks",
        ),
        ("mnk:6,1,2~XX1XO1~O", "CELLS", "3 X and 1 O"),
        ("mnk:6,2,2~XX2XX.O1O1O1~O", "CELLS", "no single last move completes the lines of X"),
        # d1 is on both lines of three; without it, e1 f1 g1 would have ended the game before.
        (
            *("mnk:7,7,3,exact~3XXXX.2XX3.1X1X3.7.O1O1O1O.7.O1O1O2~O", "CELLS"),
            "no single last move completes the lines of X",
        ),
        ("advanced~XXX6.OO7.O8.9.9.9.9.9.9~X~1", "CELLS", "X has won, but O moved after it"),
        ("advanced~XXX6.OOO6.9.9.9.9.9.9.9~X~1", "CELLS", "both X and O have won"),
        ("advanced~XXX6.XXX6.OO7.OO7.O8.9.9.9.9~O~1", "CELLS", "X has lines on 2 boards"),
        ("ultimate~XXXOOO3.9.9.9.9.9.9.9.9~X~4", "CELLS", "board 1: both X and O have a line"),
        (
            "ultimate~XXX3XXX.OO7.OO7.O8.9.9.9.9.9~O~1",
            "CELLS",
            "board 1: X moved again after winning it",
        ),
        # Floating marks and impossible columns.
        ("connect4:4,4~X3.4.4.4~O", "CELLS", "row 1, column 1: the cell below this mark is empty"),
        (
            "connect4:3,3,3~X2.X2.OO1~X",
            "CELLS",
            "alternating turns cannot stack the marks like this",
        ),
        ("connect4:4,4~1X2.XX2.OXX1.OOXO~O", "CELLS", "O"),
        # Targets that the last move cannot have named.
        (
            "ultimate~9.9.9.9.9.9.9.9.9~X~0",
            "TARGET",
            'the target is a board from 1 to 9 or -, not "0"',
        ),
        (
            "ultimate~9.9.9.9.9.9.9.9.9~X~12",
            "TARGET",
            'the target is a board from 1 to 9 or -, not "12"',
        ),
        ("ultimate~9.9.9.9.9.9.9.9.9~X~1", "TARGET", "before the first move"),
        (
            "ultimate~9.9.9.9.X8.9.9.9.9~O~-",
            "TARGET",
            "the target after a move is a board from 1 to 9",
        ),
        (
            "ultimate~9.9.9.9.X8.9.9.9.9~O~2",
            "TARGET",
            "the target is 2, but X, who moved last, has no mark on a cell 2",
        ),
        (
            "advanced~XXX6.O3X4.O8.O8.9.9.9.9.9~O~5",
            "TARGET",
            "the target is 5, but X did not win with a mark on a cell 5",
        ),
        (
            "ultimate~XXX1X4.OO7.O8.9.9.9.9.9.9~O~5",
            "TARGET",
            "the target is 5, but every cell 5 of X is on a board closed before",
        ),
        (
            "ultimate~OOO1X4.X8.X8.X8.9.9.9.9.9~O~5",
            "TARGET",
            "the target is 5, but every cell 5 of X is on a board closed before",
        ),
        # Owners.
        (
            "ultimate~9.9.9.9.X8.9.9.9.9~O~1~---------",
            "OWNERS",
            "ultimate has no owners field: the marks show the owners",
        ),
        (
            "advanced~9.9.9.9.X8.9.9.9.9~O~1~---------",
            "OWNERS",
            "advanced has no owners field: the marks show the owners",
        ),
        ("ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1", "OWNERS", "missing"),
        (
            "ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1~--------",
            "OWNERS",
            "the owners are nine of X, O, D and -, not",
        ),
        (
            "ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1~----x----",
            "OWNERS",
            "the owners are nine of X, O, D and -, not",
        ),
        (
            "ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1~----D----",
            "OWNERS",
            "the owner of board 5 is - (not full, without a line), not D",
        ),
        ("ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1~----X----", "OWNERS", "not X"),
        (
            "ultimate:won=open~XXX6.O8.O8.9.9.9.9.9.9~O~1~O--------",
            "OWNERS",
            "the owner of board 1 is X, not O",
        ),
        (
            "ultimate:won=open~XXX6.O8.O8.9.9.9.9.9.9~O~1~---------",
            "OWNERS",
            "the owner of board 1 is X, not -",
        ),
    ],
)
def test_impossible_positions_are_refused_with_field_and_reason(
    text: str, field: str, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        noughts.position(text)
    assert caught.value.field == field
    assert reason in caught.value.reason
    assert str(caught.value) == sentence(caught.value.reason)


@pytest.mark.parametrize(
    ("rules_id", "reason"),
    [
        ("", 'no game called ""'),
        ("Basics", 'no game called "Basics". Did you mean basic?'),
        ("conect for", "Did you mean Connect Four?"),
        ("basic:", "the options are missing after the colon"),
        ("basic:3", "3 is one number too many for basic"),
        ("mnk", "the sizes are missing, as in mnk:5,5,4"),
        ("mnk:3,3", "the sizes are missing, as in mnk:5,5,4"),
        ("mnk:3,3,3,3", "3 is one number too many for mnk"),
        ("mnk:0,3,3", "M must be a number from 1 to 20, not 0"),
        ("mnk:03,3,3", "M must be a number from 1 to 20, not 03"),
        ("mnk:21,3,3", "a 21×3 board is too large: the limit is 20×20"),
        ("mnk:3,21,3", "a 3×21 board is too large: the limit is 20×20"),
        ("mnk:3,3,4", "4 in a row does not fit on a 3×3 board"),
        ("mnk:3,3,-3", 'no option "-3" in mnk. Options: M N K exact misere'),
        ("mnk:3,3,3,", 'no option "" in mnk. Options: M N K exact misere'),
        ("mnk:3,3,3,great", 'no option "great" in mnk. Options: M N K exact misere'),
        ("mnk:3,3,3,misere=yes", 'the option is misere, not "misere=yes"'),
        ("mnk:3,3,3,misere,misere", "the option misere appears twice"),
        ("mnk:3,3,3,exact,misere,exact", "the option exact appears twice"),
        ("mnk:misere,3,3,3", "the size 3 must come before the options"),
        ("connect4:5", "the height is missing, as in connect4:8,7"),
        ("connect4:10,4", "a 10×4 board is too large: the limit is 9×20"),
        ("connect4:4,4,misere", 'no option "misere" in connect4. Options: W H K'),
        ("advanced:full=free,full=draw", "the option full appears twice"),
        ("advanced:won=open", 'no option "won=open" in advanced. Options: full'),
        ("ultimate:tie", 'the option is tie=draw or tie=boards, not "tie"'),
        ("ultimate:tie=won", 'the option is tie=draw or tie=boards, not "tie=won"'),
        ("ultimate:won=open=open", 'the option is won=closed or won=open, not "won=open=open"'),
    ],
)
def test_wrong_rules_ids_are_refused(rules_id: str, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        noughts.game(rules_id)
    assert caught.value.field == "RULES"
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    ("rules_id", "printed"),
    [
        ("connect4:7,6", "connect4"),
        ("connect4:7,6,4", "connect4"),
        ("connect4:8,7,4", "connect4:8,7"),
        ("connect4:7,6,5", "connect4:7,6,5"),
        ("advanced:full=free", "advanced"),
        ("ultimate:tie=draw,won=closed", "ultimate"),
        ("ultimate:won=open,tie=boards", "ultimate:tie=boards,won=open"),
        ("ultimate:won=closed,tie=boards", "ultimate:tie=boards"),
        ("mnk:3,3,3,misere", "mnk:3,3,3,misere"),
        ("mnk:15,15,5,exact", "mnk:15,15,5,exact"),
        ("mnk:6,6,4,misere,exact", "mnk:6,6,4,exact,misere"),
    ],
)
def test_rules_ids_are_printed_in_one_form(rules_id: str, printed: str) -> None:
    assert noughts.game(rules_id).rules_id == printed
    assert noughts.game(rules_id) == noughts.game(printed)


def cells_text(marks: tuple[str, ...], columns: int) -> str:
    """Return the CELLS field of `marks`, each X, O or blank."""
    rows = ["".join(marks[i : i + columns]) for i in range(0, len(marks), columns)]
    text = ".".join(rows)
    for length in range(columns, 0, -1):
        text = text.replace(" " * length, str(length))
    return text


@pytest.mark.parametrize(
    ("rules_id", "columns", "size"),
    [
        ("basic", 3, 9),
        pytest.param("mnk:3,3,3,misere", 3, 9, marks=pytest.mark.soak),
        ("mnk:2,3,2", 2, 6),
        ("mnk:4,2,2,misere", 4, 8),
        ("mnk:7,1,2", 7, 7),
        ("mnk:8,1,2,exact", 8, 8),
        ("mnk:7,1,3,exact,misere", 7, 7),
        ("mnk:3,3,2,exact", 3, 9),
        ("mnk:4,2,2,exact,misere", 4, 8),
        pytest.param("connect4:3,3,3", 3, 9, marks=pytest.mark.soak),
        ("connect4:4,2,2", 4, 8),
    ],
)
def test_exactly_the_reachable_positions_are_read(rules_id: str, columns: int, size: int) -> None:
    reached = reachable(noughts.game(rules_id))
    read = set()
    for marks in product(" XO", repeat=size):
        for side in "XO":
            text = f"{rules_id}~{cells_text(marks, columns)}~{side}"
            try:
                position = noughts.position(text)
            except NotationError:
                continue
            assert str(position) == text
            read.add(position)
    assert read == reached
    assert {(p.outcome(), p.key()) for p in read} == {(p.outcome(), p.key()) for p in reached}


@pytest.mark.parametrize("rules_id", ["connect4", "connect4:6,5,3", "mnk:5,5,3", "mnk:19,19,5"])
def test_long_row_games_round_trip_to_their_end(rules_id: str) -> None:
    rng = random.Random(7)
    for _ in range(10):
        for position in random_game(noughts.game(rules_id), rng):
            again = noughts.position(str(position))
            assert (again, again.outcome()) == (position, position.outcome())


NESTED = [rules_id for rules_id in RULES_IDS if rules_id.startswith(("advanced", "ultimate"))]


def naive_copy(position: NestedPosition) -> NaiveNested:
    """Return a naive position with the same marks, owners and target."""
    naive = NaiveNested(position.rules_id)
    naive.boards = [
        [str(position.mark(9 * board + cell) or "") for cell in range(9)] for board in range(9)
    ]
    naive.winners = [str(position.owner(board) or "") for board in range(9)]
    naive.target = position.target
    if position.ply % 2:
        naive.turn, naive.other = "O", "X"
    return naive


@pytest.mark.parametrize("rules_id", NESTED)
@pytest.mark.parametrize("count", [500, pytest.param(5000, marks=pytest.mark.soak)])
def test_mutated_nested_position_is_refused_or_sound(rules_id: str, count: int) -> None:
    rng = random.Random(8)
    refused = accepted = 0
    for _ in range(count):
        *_, last = random_game(noughts.game(rules_id), rng)
        text = str(rng.choice([random_position(noughts.game(rules_id), rng), last]))
        for _ in range(rng.randint(1, 2)):
            place = rng.randrange(len(rules_id) + 1, len(text))
            cut = rng.choice((0, 1))
            text = text[:place] + rng.choice("XOXO123456789.~-D") + text[place + cut :]
        try:
            position = noughts.position(text)
        except NotationError:
            refused += 1
            continue
        accepted += 1
        assert isinstance(position, NestedPosition)
        assert str(position) == text
        assert position.ply == sum(position.mark(cell) is not None for cell in range(81))
        assert_same_nested(position, naive_copy(position))
        outcome = position.outcome()
        if outcome is not None and outcome.termination is Termination.LINE:
            assert outcome.winner is position.turn.other
        for after in random_game(position, rng):
            assert noughts.position(str(after)) == after
    assert refused > count / 15
    assert accepted > count / 75


def test_full_target_draws_but_a_win_comes_first() -> None:
    """Board 4 is full, and 74 completes a line while it names board 4."""
    text = (
        "advanced:full=draw~3X1O1XX.3O2O1X.1XXO2X2.XXOOOXXXO.O2X1X3.O1OX3XX.4OO2X.1OOX2XO1.O2OXO1O1"
    )
    winning, full = noughts.position(f"{text}~O~7"), replay("advanced:full=draw", FULL_FIVE)
    won = winning.play(winning.parse_move("74")).outcome()
    assert won == noughts.Outcome(noughts.Player.O, Termination.LINE)
    drawn = full.play(full.parse_move("95")).outcome()
    assert drawn == noughts.Outcome(None, Termination.TARGET)


@pytest.mark.parametrize(
    ("rules_id", "moves", "entry", "move"),
    [
        ("basic", "", "5", 4),
        ("basic", "", " 5 ", 4),
        ("basic", "", "0 0", 0),
        ("basic", "", "2 0", 6),
        ("basic", "", "1,2", 5),
        ("basic", "", " 1 , 2 ", 5),
        ("mnk:5,4,4", "", "c2", 7),
        ("mnk:5,4,4", "", "C2", 7),
        ("mnk:19,19,5", "", "s19", 360),
        ("mnk:20,20,5,exact", "", "t20", 399),
        ("connect4", "", "4", 3),
        ("ultimate", "", "51", 36),
        ("ultimate", "", "5 1", 36),
        ("ultimate", "51", "7", 6),
        ("ultimate", "51", "17", 6),
        ("ultimate", "51", "1 7", 6),
        ("advanced", "55", "1", 36),
    ],
)
def test_entries_at_a_prompt(rules_id: str, moves: str, entry: str, move: int) -> None:
    assert replay(rules_id, moves).parse_entry(entry) == move


@pytest.mark.parametrize(
    ("rules_id", "moves", "entry", "reason"),
    [
        ("basic", "5", "5", "cell 5 is taken. Free cells: 1 2 3 4 6 7 8 9"),
        ("basic", "5", "1 1", "cell 5 is taken. Free cells: 1 2 3 4 6 7 8 9"),
        ("basic", "5", "0", "there is no cell 0. Type a cell from 1 to 9"),
        ("basic", "5", "10", "there is no cell 10. Type a cell from 1 to 9"),
        ("basic", "5", "-1", "there is no cell -1. Type a cell from 1 to 9"),
        ("basic", "5", "0,3", "one move at a time: 0 or 3?"),
        ("basic", "5", "-1 0", "one move at a time: -1 or 0?"),
        ("basic", "5", "centre", '"centre" is not a move. Type a cell from 1 to 9'),
        ("basic", "5", "", "type a cell from 1 to 9"),
        ("basic", "5", "  ", "type a cell from 1 to 9"),
        ("basic", "1 4 2 5 3", "6", "the game is over"),
        ("mnk:5,4,4", "c2", "c2", "cell c2 is taken"),
        ("mnk:5,4,4", "", "f1", "there is no cell f1. Type a cell from a1 to e4"),
        ("mnk:5,4,4", "", "a0", "there is no cell a0. Type a cell from a1 to e4"),
        ("mnk:5,4,4", "", "7", "there is no cell 7. Type a cell from a1 to e4"),
        ("mnk:5,4,4", "", "", "type a cell from a1 to e4"),
        ("connect4:4,4", "1111", "1", "column 1 is full. Free columns: 2 3 4"),
        ("connect4:4,4", "", "5", "there is no column 5. Type a column from 1 to 4"),
        ("connect4:4,4", "", "-1", "there is no column -1. Type a column from 1 to 4"),
        ("connect4:4,4", "", "left", '"left" is not a move. Type a column from 1 to 4'),
        ("connect4:4,4", "", "", "type a column from 1 to 4"),
        ("ultimate", "51", "51", "play on board 1: the last move sent you there"),
        (
            "ultimate",
            "55 51 15",
            "1",
            "cell 1 of board 5 is taken. Free cells there: 2 3 4 6 7 8 9",
        ),
        ("ultimate", "21 14 41 17 71 11", "1 2", "O has won board 1"),
        ("advanced", f"{FULL_FIVE} 95", "51", "board 5 is full"),
        ("ultimate", "", "5", "which board? Type a board and a cell, such as 55"),
        ("ultimate", "", "50", "there is no cell 50. Boards and cells have the numbers 1 to 9"),
        ("ultimate", "", "511", "there is no cell 511. Boards and cells have the numbers 1 to 9"),
        ("ultimate", "", "five", '"five" is not a move. Type a board and a cell, such as 51'),
        (
            "ultimate",
            "",
            "",
            "type a board and a cell, such as 51",
        ),
    ],
)
def test_each_refusal_has_its_sentence(rules_id: str, moves: str, entry: str, reason: str) -> None:
    position = replay(rules_id, moves)
    with pytest.raises(IllegalMove) as caught:
        position.parse_entry(entry)
    assert caught.value.reason == reason


RULES_TEXT = st.text("abcdefgiklmnorstuvw0123456789:,=-_") | st.sampled_from(RULES_IDS)
NEAR_POSITION = st.tuples(
    RULES_TEXT, st.text("XO0123456789."), st.text("XO"), st.text("-123456789"), st.text("XOD-")
).map("~".join)
NEAR_MOVES = st.text("abc0123456789 ,-\t\n½٣²")
STARTS = st.sampled_from(RULES_IDS).map(noughts.game)


def explained(error: IllegalMove | NotationError) -> None:
    assert error.reason
    assert str(error) == sentence(error.reason)


@given(st.text() | RULES_TEXT)
def test_any_text_is_a_rules_id_or_refused(text: str) -> None:
    try:
        start = noughts.game(text)
    except NotationError as error:
        explained(error)
        return
    assert noughts.game(start.rules_id) == start


@given(
    st.text() | NEAR_POSITION | st.from_regex(r"(basic|mnk:2,2,2)~[XO12.]*~[XO]", fullmatch=True)
)
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try:
        position = noughts.position(text)
    except NotationError as error:
        explained(error)
        return
    assert noughts.position(str(position)) == position


@given(STARTS, st.text() | NEAR_MOVES)
def test_any_text_is_a_list_of_moves_or_refused(start: noughts.Position, text: str) -> None:
    try:
        moves = noughts.parse_moves(start, text)
    except IllegalMove as error:
        explained(error)
        return
    position = start
    for move in moves:
        position = position.play(move)


@given(STARTS, st.integers(0, 30), st.text() | NEAR_MOVES)
def test_any_text_is_a_legal_entry_or_refused(
    start: noughts.Position, plies: int, text: str
) -> None:
    position = list(random_game(start, random.Random(plies)))[: plies + 1][-1]
    try:
        move = position.parse_entry(text)
    except IllegalMove as error:
        explained(error)
        return
    assert move in position.legal_moves()
