"""Texts: what each parser takes, what it refuses, and the reason it gives."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import RULES_IDS, random_game, random_position, reachable, replay
from test_nested import NaiveNested, assert_same

import noughts
from noughts import IllegalMove, NotationError
from noughts.games.nested import NestedPosition

FULL_FIVE = "55 54 45 53 35 51 15 58 88 85 56 65 57 75 52 25 59"
"""Seventeen plies of the nine-board games that fill board 5 and name board 9."""


@pytest.mark.parametrize(
    ("text", "field", "reason"),
    [
        # The number of fields, and the rules.
        ("", "RULES", "there is no game ''"),
        ("chess~3~X", "RULES", "there is no game 'chess'"),
        ("basic", "POSITION", "1 fields"),
        ("basic~3.3.3~X~X", "POSITION", "4 fields"),
        ("ultimate~9.9.9.9.9.9.9.9.9~X", "POSITION", "RULES~CELLS~SIDE~TARGET[~OWNERS]"),
        ("advanced:~9.9.9.9.9.9.9.9.9~X~-", "RULES", "nothing follows the colon"),
        ("mnk:3,3,4~3.3.3~X", "RULES", "a line of 4 does not fit on 3 columns and 3 rows"),
        # Bad characters and counts.
        ("basic~3.3~X", "CELLS", "2 rows, where 3 are wanted"),
        ("basic~3.3.2~X", "CELLS", "row 3 has 2 cells, where 3 are wanted"),
        ("basic~4.3.3~X", "CELLS", "row 1 has 4 cells"),
        ("basic~3.3.Y2~X", "CELLS", "row 3, column 1: 'Y' is not X, O or a number"),
        ("basic~3.1x1.3~O", "CELLS", "row 2, column 2: 'x'"),
        ("basic~3.3.03~X", "CELLS", "row 3, column 1: 03 is not a number from 1 to 3"),
        ("basic~3.3.0XX1~X", "CELLS", "row 3, column 1: 0 is not a number"),
        ("basic~3.3.3~x", "SIDE", "'x' is not X or O"),
        ("ultimate~9.9.9.9.9.9.9.9~X~-", "CELLS", "8 boards, where 9 are wanted"),
        ("ultimate~9.9.9.9.9.9.9.9.8~X~-", "CELLS", "board 9 has 8 cells"),
        # Impossible numbers of marks.
        ("basic~3.3.3~O", "SIDE", "with 0 X and 0 O it is X's move, not O's"),
        ("basic~X2.3.3~X", "SIDE", "with 1 X and 0 O it is O's move, not X's"),
        ("basic~XX1.3.3~X", "CELLS", "2 X and 0 O"),
        ("basic~O2.3.3~X", "CELLS", "0 X and 1 O"),
        # More than one winner, and marks after a win.
        ("basic~XXX.OOO.3~X", "CELLS", "both X and O have a line"),
        ("basic~XXX.OO1.O2~X", "CELLS", "X has a line, and O has moved after it"),
        ("basic~OOO.XX1.XX1~O", "CELLS", "O has a line, and X has moved after it"),
        ("mnk:3,3,3,misere~XXX.OO1.O2~X", "CELLS", "X has a line, and O has moved after it"),
        ("mnk:6,1,2~XX1XO1~O", "CELLS", "3 X and 1 O"),
        ("mnk:6,2,2~XX2XX.O1O1O1~O", "CELLS", "X has lines that no single last mark makes"),
        ("advanced~XXX6.OO7.O8.9.9.9.9.9.9~X~1", "CELLS", "X has won, and O has moved after it"),
        ("advanced~XXX6.OOO6.9.9.9.9.9.9.9~X~1", "CELLS", "both X and O have won"),
        ("advanced~XXX6.XXX6.OO7.OO7.O8.9.9.9.9~O~1", "CELLS", "X has lines on 2 boards"),
        ("ultimate~XXXOOO3.9.9.9.9.9.9.9.9~X~4", "CELLS", "board 1: both X and O have a line"),
        (
            "ultimate~XXX3XXX.OO7.OO7.O8.9.9.9.9.9~O~1",
            "CELLS",
            "board 1: X has marks placed after its line",
        ),
        # Floating marks and columns that no play stacks.
        ("connect4:4,4~X3.4.4.4~O", "CELLS", "row 1, column 1: a mark with an empty cell below it"),
        ("connect4:3,3,3~X2.X2.OO1~X", "CELLS", "no order of alternating turns"),
        ("connect4:4,4~1X2.XX2.OXX1.OOXO~O", "CELLS", "O"),
        # Targets that the last mover cannot have named.
        ("ultimate~9.9.9.9.9.9.9.9.9~X~0", "TARGET", "'0' is not a board from 1 to 9 or -"),
        ("ultimate~9.9.9.9.9.9.9.9.9~X~12", "TARGET", "'12' is not a board"),
        ("ultimate~9.9.9.9.9.9.9.9.9~X~1", "TARGET", "before the first move"),
        ("ultimate~9.9.9.9.X8.9.9.9.9~O~-", "TARGET", "a move has been made"),
        ("ultimate~9.9.9.9.X8.9.9.9.9~O~2", "TARGET", "X moved last, and has no mark on a cell 2"),
        ("advanced~XXX6.O3X4.O8.O8.9.9.9.9.9~O~5", "TARGET", "X has won, but not with a mark on"),
        (
            "ultimate~XXX1X4.OO7.O8.9.9.9.9.9.9~O~5",
            "TARGET",
            "every mark of X on a cell 5 is on a board closed before it",
        ),
        # Owners.
        ("ultimate~9.9.9.9.X8.9.9.9.9~O~1~---------", "OWNERS", "does without it"),
        ("advanced~9.9.9.9.X8.9.9.9.9~O~1~---------", "OWNERS", "does without it"),
        ("ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1", "OWNERS", "missing"),
        ("ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1~--------", "OWNERS", "not nine of"),
        ("ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1~----x----", "OWNERS", "not nine of"),
        ("ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1~----D----", "OWNERS", "board 5 is not full"),
        ("ultimate:won=open~9.9.9.9.X8.9.9.9.9~O~1~----X----", "OWNERS", "not X"),
        (
            "ultimate:won=open~XXX6.O8.O8.9.9.9.9.9.9~O~1~O--------",
            "OWNERS",
            "board 1 is won by X, not O",
        ),
        (
            "ultimate:won=open~XXX6.O8.O8.9.9.9.9.9.9~O~1~---------",
            "OWNERS",
            "board 1 is won by X, not -",
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
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("rules_id", "reason"),
    [
        ("", "there is no game ''"),
        ("Basic", "there is no game 'Basic'"),
        ("basic:", "nothing follows the colon"),
        ("basic:3", "the number 3 is one too many for basic"),
        ("mnk", "mnk needs its sizes"),
        ("mnk:3,3", "mnk needs its sizes"),
        ("mnk:3,3,3,3", "one too many"),
        ("mnk:0,3,3", "M = 0 is not a number from 1 to 19"),
        ("mnk:03,3,3", "M = 03 is not a number from 1 to 19"),
        ("mnk:20,3,3", "20 columns and 3 rows; at most 19 and 19"),
        ("mnk:3,20,3", "at most 19 and 19"),
        ("mnk:3,3,4", "a line of 4 does not fit"),
        ("mnk:3,3,-3", "mnk has no option '-3'"),
        ("mnk:3,3,3,", "mnk has no option ''"),
        ("mnk:3,3,3,great", "mnk has no option 'great'"),
        ("mnk:3,3,3,misere=yes", "'misere=yes' is not misere"),
        ("mnk:3,3,3,misere,misere", "the option misere is given twice"),
        ("mnk:misere,3,3,3", "the number 3 stands behind an option"),
        ("connect4:5", "a width without a height"),
        ("connect4:10,4", "at most 9 and 19"),
        ("connect4:4,4,misere", "connect4 has no option 'misere'"),
        ("advanced:full=free,full=draw", "given twice"),
        ("advanced:won=open", "advanced has no option"),
        ("ultimate:tie", "'tie' is not tie=draw or tie=boards"),
        ("ultimate:tie=won", "'tie=won' is not tie=draw or tie=boards"),
        ("ultimate:won=open=open", "is not won=closed or won=open"),
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
        ("mnk:3,3,3,misere", 3, 9),
        ("mnk:2,3,2", 2, 6),
        ("mnk:4,2,2,misere", 4, 8),
        ("mnk:7,1,2", 7, 7),
        ("connect4:3,3,3", 3, 9),
        ("connect4:4,2,2", 4, 8),
    ],
)
def test_of_all_strings_exactly_the_reachable_positions_are_read(
    rules_id: str, columns: int, size: int
) -> None:
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
    """Return the naive state that the marks, owners and target of a position stand for."""
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
def test_a_mutated_nested_position_is_refused_or_sound(rules_id: str) -> None:
    rng = random.Random(8)
    refused = accepted = 0
    for _ in range(1500):
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
        assert_same(position, naive_copy(position))
        outcome = position.outcome()
        if outcome is not None and outcome.termination is noughts.Termination.LINE:
            assert outcome.winner is position.turn.other
        for after in random_game(position, rng):
            assert noughts.position(str(after)) == after
    assert refused > 100
    assert accepted > 20


def test_a_full_target_draws_but_a_win_comes_first() -> None:
    """Board 4 is full in the position, and 74 makes a line as it names it."""
    text = (
        "advanced:full=draw~3X1O1XX.3O2O1X.1XXO2X2.XXOOOXXXO.O2X1X3.O1OX3XX.4OO2X.1OOX2XO1.O2OXO1O1"
    )
    winning, full = noughts.position(f"{text}~O~7"), replay("advanced:full=draw", FULL_FIVE)
    won = winning.play(winning.parse_move("74")).outcome()
    assert won == noughts.Outcome(noughts.Player.O, noughts.Termination.LINE)
    drawn = full.play(full.parse_move("95")).outcome()
    assert drawn == noughts.Outcome(None, noughts.Termination.TARGET)


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
    ("rules_id", "moves", "entry", "sentence"),
    [
        ("basic", "5", "5", "cell 5 is taken by X"),
        ("basic", "5", "1 1", "cell 5 is taken by X"),
        ("basic", "5", "0", "there is no cell 0: the cells are 1 to 9"),
        ("basic", "5", "10", "there is no cell 10: the cells are 1 to 9"),
        ("basic", "5", "-1", "there is no cell -1: the cells are 1 to 9"),
        ("basic", "5", "0,3", "there is no cell '0,3': row and column are counted from 0 to 2"),
        ("basic", "5", "-1 0", "there is no cell '-1 0': row and column are counted from 0 to 2"),
        ("basic", "5", "centre", "'centre' is not a move: a move is a cell from 1 to 9"),
        ("basic", "5", "", "an empty line is no move: a move is a cell from 1 to 9"),
        ("basic", "5", "  ", "an empty line is no move: a move is a cell from 1 to 9"),
        ("basic", "1 4 2 5 3", "6", "the game is over"),
        ("mnk:5,4,4", "c2", "c2", "cell c2 is taken by X"),
        ("mnk:5,4,4", "", "f1", "there is no cell f1: the cells are a1 to e4"),
        ("mnk:5,4,4", "", "a0", "there is no cell a0: the cells are a1 to e4"),
        ("mnk:5,4,4", "", "7", "'7' is not a move: a move is a cell from a1 to e4"),
        ("mnk:5,4,4", "", "", "an empty line is no move: a move is a cell from a1 to e4"),
        ("connect4:4,4", "1111", "1", "column 1 is full"),
        ("connect4:4,4", "", "5", "there is no column 5: the columns are 1 to 4"),
        ("connect4:4,4", "", "-1", "there is no column -1: the columns are 1 to 4"),
        ("connect4:4,4", "", "left", "'left' is not a move: a move is a column from 1 to 4"),
        ("connect4:4,4", "", "", "an empty line is no move: a move is a column from 1 to 4"),
        ("ultimate", "51", "51", "the move must be on board 1, which the last move named"),
        ("ultimate", "55 51 15", "1", "cell 1 of board 5 is taken by O"),
        ("ultimate", "21 14 41 17 71 11", "1 2", "board 1 is closed: it is won by O"),
        ("advanced", f"{FULL_FIVE} 95", "51", "board 5 is closed: it is full"),
        ("ultimate", "", "5", "which board? 5 is one digit, and any open board may be chosen"),
        ("ultimate", "", "50", "there is no cell 50: boards and cells are counted from 1 to 9"),
        ("ultimate", "", "511", "there is no cell 511: boards and cells are counted from 1 to 9"),
        ("ultimate", "", "five", "'five' is not a move: a move is a board and a cell, such as 51"),
        (
            "ultimate",
            "",
            "",
            "an empty line is no move: a move is a board and a cell, such as 51",
        ),
    ],
)
def test_each_refusal_has_its_sentence(
    rules_id: str, moves: str, entry: str, sentence: str
) -> None:
    position = replay(rules_id, moves)
    with pytest.raises(IllegalMove) as caught:
        position.parse_entry(entry)
    assert caught.value.reason == sentence


RULES_TEXT = st.text("abcdefgiklmnorstuvw0123456789:,=-_") | st.sampled_from(RULES_IDS)
NEAR_POSITION = st.tuples(
    RULES_TEXT, st.text("XO0123456789."), st.text("XO"), st.text("-123456789"), st.text("XOD-")
).map("~".join)
NEAR_MOVES = st.text("abc0123456789 ,-\t\n½٣²")
STARTS = st.sampled_from(RULES_IDS).map(noughts.game)


def explained(error: IllegalMove | NotationError) -> None:
    assert error.reason
    assert error.reason in str(error)


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
