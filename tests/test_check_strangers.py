"""`noughts check` on files as strangers write them: evidence, causes, state, forms of boards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from students import BASE, FAULTY, FEW, imports_forgotten

from noughts.school.check import Check, CheckLimits
from noughts.school.process import FileProcess
from noughts.school.report import CheckReport
from noughts.school.specification import judge, solution
from noughts.school.student import WRITTEN, Case, Interface, StudentFile

try:
    import numpy  # before the tests, which forget their imports: it loads once a process
except ImportError:
    numpy = None  # type: ignore[assignment]
needs_numpy = pytest.mark.skipif(numpy is None, reason="NumPy is not installed")
QUICK = CheckLimits(searches=0.3, games=0.0, again=0.2)
MISSED = [board for board in solution() if board.startswith("X...XX") and board.count(".") < 5]
"""Boards on which a file counts cells that are no line."""


@pytest.fixture(autouse=True)
def imports_restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("builtins.input", lambda *_: "")
    with imports_forgotten():
        yield


def write(folder: Path, code: str, base: str = BASE) -> Path:
    path = folder / "tictactoe.py"
    path.write_text(f"{base}\n\n{dedent(code)}", "utf-8")
    return path


def checked(path: Path, boards: list[str] = FEW) -> CheckReport:
    return Check(StudentFile(path), boards=boards, limits=QUICK).run()


def says(report: CheckReport, function: str) -> str:
    return " ".join(failure.says for failure in report.functions[function].failures)


def faulty(report: CheckReport) -> list[str]:
    return [name for name, each in report.functions.items() if not each.passed]


# Evidence -----------------------------------------------------------------------------------------

RELYING = """
def terminal(board):
    return utility(board) != 5

def utility(board):
    if winner(board) == X or board[0][0] == board[1][1] == board[1][2] == X:
        return 1
    if winner(board) == O:
        return -1
    return 5 if actions(board) else 0
"""
"""`terminal` relies on a value of `utility` that the course leaves open."""


def test_failure_is_seen_in_the_file_as_handed_in(tmp_path: Path) -> None:
    """With a right `utility`, `terminal` would be wrong on the empty board; as it is, it is not."""
    path = write(tmp_path, RELYING)
    report = checked(path, [*FEW, *MISSED])
    assert faulty(report) == ["terminal", "utility"]
    file = StudentFile(path)
    for name in ("terminal", "utility"):
        for failure in report.functions[name].failures:
            (answer,) = file.call(name, [Case(failure.board)], right=(), seconds=1)
            assert answer.value == failure.got != failure.expected
            assert "in place of" not in failure.says
    assert "ends the game too early" in says(report, "terminal")
    assert "always" not in says(report, "terminal")


def test_mistake_behind_a_function_that_is_not_written_names_the_right_one(tmp_path: Path) -> None:
    report = checked(
        write(
            tmp_path,
            """
            def winner(board):
                raise NotImplementedError

            def minimax(board):
                return None if terminal(board) else min(actions(board))
            """,
        )
    )
    assert faulty(report) == ["winner", "minimax"]
    (failure, *_) = report.functions["minimax"].failures
    assert failure.says.endswith("Seen with a right one in place of `winner`.")
    assert "always take the first empty cell" in failure.says
    assert "in place of" not in failure.mistake
    assert report.functions["terminal"].suffers_from == ("winner",)


PAIRS = [
    ("winner: one diagonal", "minimax: for X only"),
    ("actions: a list", "minimax: the first cell"),
    ("player: small letters", "result: shallow copy"),
    ("terminal: no draws", "utility: exchanged"),
    ("actions: two columns", "result: negative"),
    ("terminal: exchanged", "minimax: for X only"),
    ("actions: a generator", "winner: False"),
    ("actions: cell numbers", "minimax: the first cell"),
    ("result: no new mark", "minimax: value and action"),
]


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_failures_of_two_mistakes_are_seen_again(pair: tuple[str, str], tmp_path: Path) -> None:
    """A call of the file as it is gives what the report says, or the report names a function."""
    codes = [dedent(FAULTY[name].code) for name in pair]
    path = write(tmp_path, "\n".join(codes))
    report = checked(path, FEW[::2])
    assert {*faulty(report)} == {FAULTY[name].function for name in pair}
    file = StudentFile(path)
    for name in pair:
        assert FAULTY[name].says in says(report, FAULTY[name].function)
    for name in faulty(report):
        for failure in report.functions[name].failures:
            case = Case(failure.board, failure.action)
            replaced = re.findall("in place of `(.*)`", failure.says)
            assert not replaced or {*replaced} <= {*faulty(report)} - {name}
            (answer,) = file.call(name, [case], right=replaced, seconds=1)
            (kind, *_) = judge(Interface.CS50, name, case, answer)
            if kind == "value" and not answer.foreign:
                assert failure.got == answer.value
            elif kind == "raised":
                assert failure.got.startswith(answer.raised)


# Causes -------------------------------------------------------------------------------------------


def test_cause_is_the_one_function_whose_repair_is_enough(tmp_path: Path) -> None:
    """`utility` asks `winner`; the fault of `player` is not behind it, nor behind `terminal`."""
    report = checked(
        write(
            tmp_path,
            """
            def winner(board):
                for i in range(3):
                    if board[i][0] == board[i][1] == board[i][2] != EMPTY:
                        return board[i][0]
                    if board[0][i] == board[1][i] == board[2][i] != EMPTY:
                        return board[0][i]
                return None

            def player(board):
                return X if sum(row.count(EMPTY) for row in board) in (9, 7, 5, 3) else O
            """,
        )
    )
    assert faulty(report) == ["player", "winner"]
    assert report.functions["utility"].suffers_from == ("winner",)
    assert report.functions["terminal"].suffers_from == ("winner",)
    assert report.functions["result"].suffers_from == ("player",)


def test_cause_of_two_functions_is_both(tmp_path: Path) -> None:
    """`terminal` is right only if both of the functions that it asks are."""
    report = checked(
        write(
            tmp_path,
            """
            def winner(board):
                raise NotImplementedError

            def actions(board):
                raise NotImplementedError

            def terminal(board):
                return not actions(board) or winner(board) is not None
            """,
        )
    )
    assert faulty(report) == ["actions", "winner"]
    assert report.functions["terminal"].suffers_from == ("actions", "winner")
    assert report.functions["utility"].suffers_from == ("winner",)


def test_function_behind_two_mistakes_that_hide_each_other_is_not_blamed(tmp_path: Path) -> None:
    """`result` is right only because `player` is wrong; `minimax` has no mistake."""
    names = ("player: O begins", "result: the other player")
    report = checked(write(tmp_path, "\n".join(dedent(FAULTY[name].code) for name in names)))
    assert faulty(report) == ["player"]
    assert report.functions["minimax"].suffers_from == ("player",)


# Not written, or nearly ---------------------------------------------------------------------------


def test_written_function_that_raises_at_its_end_is_written(tmp_path: Path) -> None:
    report = checked(
        write(
            tmp_path,
            """
            def terminal(board):
                if winner(board) is not None:
                    return True
                if any(EMPTY in row for row in board):
                    return False
                raise NotImplementedError
            """,
        )
    )
    assert faulty(report) == ["terminal"]
    assert "comes to `raise NotImplementedError` in line" in says(report, "terminal")
    assert "not written yet" not in says(report, "terminal")


def test_function_without_a_body_is_not_written(tmp_path: Path) -> None:
    report = checked(write(tmp_path, "def result(board, action):\n    raise NotImplementedError\n"))
    assert says(report, "result") == ("`result` is not written yet: it raises NotImplementedError.")


# State --------------------------------------------------------------------------------------------


def test_value_kept_between_calls_is_seen_in_another_order(tmp_path: Path) -> None:
    """Boards come with fewest marks first, so that a counter is right until the order changes."""
    report = checked(
        write(
            tmp_path,
            """
            most = 0

            def terminal(board):
                global most
                most = max(most, sum(cell is not EMPTY for row in board for cell in row))
                return winner(board) is not None or most == 9
            """,
        )
    )
    assert faulty(report) == ["terminal"]
    assert "it keeps a value" in says(report, "terminal")


STATE = """
import builtins

def player(board):
    marks = sum(cell is not EMPTY for row in board for cell in row)
    if marks == 0:
        builtins.begun = True
    return (X if marks % 2 == 0 else O) if hasattr(builtins, "begun") else EMPTY
"""


def test_wrong_first_call_in_a_fresh_process_is_seen(tmp_path: Path) -> None:
    """Right in every case in order, since the first board begins the game."""
    with FileProcess(write(tmp_path, STATE), Interface.CS50) as process:
        report = Check(process, functions=["player"], boards=FEW[::6], limits=QUICK).run()
    assert report.functions["player"].cases == len(
        [board for board in FEW[::6] if not solution()[board].over]
    )
    (failure,) = report.functions["player"].failures
    assert failure.says.startswith("`player` is wrong at its first call, and right after others")
    assert failure.got == "None"


def test_each_fresh_call_has_a_process_of_its_own(tmp_path: Path) -> None:
    path = write(tmp_path, "import os\n\ndef utility(board):\n    return os.getpid()\n")
    board = next(board for board, here in solution().items() if here.over)
    with FileProcess(path, Interface.CS50) as process:
        numbers = [
            answer.value
            for answer in process.call(
                "utility", [Case(board)] * 3, right=(), seconds=2, fresh=True
            )
        ]
    assert len({*numbers}) == 3


@pytest.mark.parametrize(
    ("code", "ended"),
    [("os._exit(3)", "exit status 3"), ("while True: pass", "time")],
    ids=["exit", "loop"],
)
def test_end_of_a_fresh_process_is_an_answer(code: str, ended: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"import os\n\ndef player(board):\n    {code}\n")
    with FileProcess(path, Interface.CS50) as process:
        (answer,) = process.call("player", [Case("." * 9)], right=(), seconds=0.2, fresh=True)
        assert ended in answer.ended
        (after,) = process.call("actions", [Case("." * 9)], right=(), seconds=2, fresh=True)
    assert not after.ended


def test_result_that_keeps_a_board_fails_in_a_game(tmp_path: Path) -> None:
    """Right on boards that the check makes, and on its own ones it is not."""
    report = checked(
        write(
            tmp_path,
            """
            made = []

            def result(board, action):
                i, j = action
                if i not in range(3) or j not in range(3) or board[i][j] != EMPTY:
                    raise ValueError(action)
                new = [row[:] for row in board]
                new[i][j] = X if any(board is each for each in made) else player(board)
                made.append(new)
                return new
            """,
        ),
        [board for board in solution() if board.count(".") > 6] + FEW,
    )
    assert faulty(report) == ["result"]
    assert "wrong in a game from `initial_state`" in says(report, "result")


def test_chance_is_no_kept_value(tmp_path: Path) -> None:
    # A file counts the calls of all processes, as chance would differ in each.
    code = f"""
            import os

            def player(board):
                with open({str(tmp_path / "calls")!r}, "a") as calls:
                    calls.write("x")
                return X if os.path.getsize({str(tmp_path / "calls")!r}) % 3 else O
    """
    report = checked(write(tmp_path, code), FEW)
    assert faulty(report) == ["player"]
    assert "or uses chance" in says(report, "player")


def test_own_mistake_beside_one_with_state_is_named(tmp_path: Path) -> None:
    codes = [
        dedent(FAULTY[name].code) for name in ("player: a global turn", "result: never raises")
    ]
    report = checked(write(tmp_path, "\n".join(codes)))
    assert faulty(report) == ["player", "result"]
    assert "accepts a cell that is taken" in says(report, "result")
    assert "between calls" not in says(report, "result")


def test_function_that_only_asks_one_with_state_suffers_from_it(tmp_path: Path) -> None:
    report = checked(
        write(
            tmp_path,
            """
            turn = O

            def player(board):
                global turn
                turn = X if turn == O else O
                return turn
            """,
        )
    )
    assert faulty(report) == ["player"]
    assert report.functions["result"].suffers_from == ("player",)


# Forms of boards ----------------------------------------------------------------------------------

NUMPY = """
import numpy as np

X, O, EMPTY = 1, 2, 0

def initial_state():
    return np.zeros((3, 3), int)

def player(board):
    return O if np.count_nonzero(board == X) > np.count_nonzero(board == O) else X

def result(board, action):
    if action not in actions(board):
        raise ValueError(action)
    new = board.copy()
    new[action] = player(board)
    return new

def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))
"""


@needs_numpy
def test_numpy_boards_are_one_mistake(tmp_path: Path) -> None:
    few = [board for board in FEW if board.count(".") < 5]
    report = checked(write(tmp_path, NUMPY), few)
    assert faulty(report) == ["initial_state"]
    assert says(report, "initial_state") == (
        "`initial_state` returns a NumPy array; a board is a list of three lists."
    )
    assert report.functions["player"].suffers_from == ("initial_state",)
    assert report.functions["result"].suffers_from == ("initial_state",)


@needs_numpy
def test_own_mistake_on_numpy_boards_is_still_named(tmp_path: Path) -> None:
    code = NUMPY + "\ndef terminal(board):\n    return winner(board) is not None\n"
    report = checked(write(tmp_path, code), [board for board in FEW if board.count(".") < 4])
    assert faulty(report) == ["initial_state", "terminal"]
    assert "full board" in says(report, "terminal")


def test_boards_of_tuples_are_one_mistake(tmp_path: Path) -> None:
    report = checked(
        write(
            tmp_path,
            """
            def initial_state():
                return ((EMPTY,) * 3,) * 3

            def player(board):
                return O if hash(board) and sum(row.count(EMPTY) for row in board) % 2 == 0 else X

            def result(board, action):
                if action not in actions(board):
                    raise ValueError(action)
                rows = [list(row) for row in board]
                rows[action[0]][action[1]] = player(board)
                return tuple(map(tuple, rows))
            """,
        )
    )
    assert faulty(report) == ["initial_state"]
    assert "returns a tuple" in says(report, "initial_state")
    assert report.functions["result"].suffers_from == ("initial_state",)


def test_shared_rows_are_shown_by_a_mark(tmp_path: Path) -> None:
    report = checked(write(tmp_path, "def initial_state():\n    return [[EMPTY] * 3] * 3\n"))
    (failure,) = report.functions["initial_state"].failures
    row = "['X', None, None]"
    assert failure.got == f"[{row}, {row}, {row}] after a mark at (0, 0)"
    assert faulty(report) == ["initial_state"]


# Moves --------------------------------------------------------------------------------------------

HOPELESS = """
def minimax(board):
    if terminal(board):
        return None
    turn = player(board)
    best, move = (-1, %s) if turn == X else (1, %s)
    for action in sorted(actions(board)):
        found = value(result(board, action))
        if found > best if turn == X else found < best:
            best, move = found, action
    return move
"""


@pytest.mark.parametrize(
    ("first", "mistake"),
    [
        ("None", "returns no move, when every move loses"),
        ("(-1, -1)", "returns (-1, -1), a cell outside the board, when every move loses"),
        ("(0, 0)", "a cell that is taken, when every move loses"),
    ],
)
def test_move_where_every_move_loses_is_named(first: str, mistake: str, tmp_path: Path) -> None:
    lost = [
        board
        for board, here in solution().items()
        if {*here.values.values()} == {"loss"} and board[0] != "." and board.count(".") < 5
    ]
    boards = [board for board in FEW if board.count(".") < 4] + lost[:20]
    report = checked(write(tmp_path, HOPELESS % (first, first)), boards)
    assert faulty(report) == ["minimax"]
    assert mistake in says(report, "minimax")


def test_skeleton_has_no_point_and_one_mistake(tmp_path: Path) -> None:
    code = "".join(
        f"\ndef {name}(board{', action' * (name == 'result')}):\n    raise NotImplementedError\n"
        for name in WRITTEN
    )
    report = checked(write(tmp_path, code), FEW[::6])
    assert faulty(report) == [*WRITTEN]
    assert report.is_untouched
    assert report.points == 0
