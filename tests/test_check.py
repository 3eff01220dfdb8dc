"""`noughts check`: every mistake is named in the function that makes it, and nothing else."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

import pytest
from command import run
from students import BASE, EVERY, FAULTY, FEW, RIGHT, Faulty, imports_forgotten

import noughts
from noughts.school.check import Check, CheckLimits, play
from noughts.school.process import FileProcess
from noughts.school.report import CheckReport
from noughts.school.specification import (
    cases,
    first_of_its_class,
    is_possible,
    judge,
    rows_of,
    solution,
    spoken,
)
from noughts.school.student import FUNCTIONS, CallAnswer, Case, Interface, StudentFile

QUICK = CheckLimits(searches=0.05, games=0.0, again=0.02)


@pytest.fixture(autouse=True)
def imports_restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("builtins.input", lambda *_: "")
    with imports_forgotten():
        yield


def write(folder: Path, source: str, name: str = "tictactoe.py") -> Path:
    path = folder / name
    path.write_text(dedent(source), "utf-8")
    return path


def checked(
    path: Path, interface: Interface = Interface.CS50, function: str = "minimax"
) -> CheckReport:
    return Check(StudentFile(path, interface), interface, function, boards=FEW, limits=QUICK).run()


# The specification --------------------------------------------------------------------------------


def test_every_reachable_board_is_there() -> None:
    assert len(EVERY) == 5478
    assert sum(solution()[board].over for board in EVERY) == 958
    assert sum(map(first_of_its_class, EVERY)) == 765
    assert [board.count(".") for board in EVERY] == sorted(
        (board.count(".") for board in EVERY), reverse=True
    )


def naive_winner(board: str) -> str | None:
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")
    for line in lines:
        marks = {board[int(cell)] for cell in line}
        if len(marks) == 1 and marks != {"."}:
            return marks.pop()
    return None


def test_right_values_agree_with_a_search_of_their_own() -> None:
    """A minimax on texts, without any code of the package."""
    values: dict[str, int] = {}

    def value(board: str) -> int:
        if board not in values:
            won = naive_winner(board)
            if won or "." not in board:
                values[board] = {"X": 1, "O": -1, None: 0}[won]
            else:
                turn = "X" if board.count("X") == board.count("O") else "O"
                after = [
                    value(board[:cell] + turn + board[cell + 1 :])
                    for cell in range(9)
                    if board[cell] == "."
                ]
                values[board] = max(after) if turn == "X" else min(after)
        return values[board]

    value("." * 9)
    assert values.keys() == set(EVERY)
    for board, here in solution().items():
        assert here.winner == naive_winner(board)
        assert here.over == (here.winner is not None or "." not in board)
        if not here.over:
            assert here.turn == ("X" if board.count("X") == board.count("O") else "O")
            kept = {
                divmod(cell, 3)
                for cell in range(9)
                if board[cell] == "."
                and value(board[:cell] + here.turn + board[cell + 1 :]) == value(board)
            }
            assert here.best == kept


def test_result_is_tried_with_every_kind_of_impossible_action() -> None:
    tried = cases("result", EVERY)
    possible = [case for case in tried if is_possible(case)]
    assert len(possible) == 16167
    for i, j in ((0, 0), (2, 2), (3, 0), (0, 3), (-1, 0), (0, -1)):
        assert any(case.action == (i, j) for case in tried if not is_possible(case))
    marks = {
        case.board[3 * case.action[0] + case.action[1]]
        for case in tried
        if case.action and max(case.action) < 3 and min(case.action) >= 0
    }
    assert marks == {".", "X", "O"}


@pytest.mark.parametrize(
    ("function", "case", "answer", "kinds"),
    [
        ("terminal", Case("." * 9), CallAnswer("False"), []),
        ("terminal", Case("." * 9), CallAnswer("0"), ["value"]),
        ("result", Case("." * 9, (3, 0)), CallAnswer(raised="ValueError: 3"), []),
        (
            "result",
            Case("." * 9, (3, 0)),
            CallAnswer(raised="ValueError: 3", after="[]"),
            ["changed"],
        ),
    ],
)
def test_types_and_changed_boards_are_judged(
    function: str, case: Case, answer: CallAnswer, kinds: list[str]
) -> None:
    assert judge(Interface.CS50, function, case, answer) == kinds


# Files with one mistake, and right ones -----------------------------------------------------------


def assert_named(report: CheckReport, faulty: Faulty) -> None:
    """The function at fault and the mistake are named, and no other function is at fault."""
    wrong = [name for name, each in report.functions.items() if not each.passed]
    assert wrong == [faulty.function], report
    says = [failure.says for failure in report.functions[faulty.function].failures]
    assert any(faulty.says in each for each in says), says
    for name, each in report.functions.items():
        if each.suffers_from:
            assert name != faulty.function
            assert each.suffers_from == (faulty.function,)
    assert not report.passed


def test_there_are_enough_files() -> None:
    assert len(FAULTY) >= 40
    assert len(RIGHT) >= 10
    assert {each.function for each in FAULTY.values()} == set(FUNCTIONS)


@pytest.mark.parametrize("name", FAULTY)
def test_mistake_is_named(name: str, tmp_path: Path) -> None:
    # A shallow search is right near the end of the game.
    limits = QUICK._replace(searches=2.0) if "ahead" in name else QUICK
    path = write(tmp_path, FAULTY[name].source)
    # Mistakes with lines and moves show their pattern on many boards only.
    boards = FEW if FAULTY[name].function in ("winner", "minimax") else FEW[::6]
    assert_named(Check(StudentFile(path), boards=boards, limits=limits).run(), FAULTY[name])


@pytest.mark.soak
@pytest.mark.parametrize("faulty", FAULTY.values(), ids=FAULTY)
def test_mistake_is_named_on_all_boards(faulty: Faulty, tmp_path: Path) -> None:
    with FileProcess(write(tmp_path, faulty.source), Interface.CS50) as process:
        report = Check(process).run()
    assert_named(report, faulty)
    (first, *_) = report.functions[faulty.function].failures
    assert first.board in solution()


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_right_file_passes(source: str, tmp_path: Path) -> None:
    report = checked(write(tmp_path, source))
    assert report.passed, report
    assert all(each.cases and not each.suffers_from for each in report.functions.values())
    assert report.play.lost == 0


@pytest.mark.soak
@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_right_file_passes_on_all_boards(source: str, tmp_path: Path) -> None:
    with FileProcess(write(tmp_path, source), Interface.CS50) as process:
        report = Check(process).run()
    assert report.passed, report
    assert report.functions["result"].cases > 16167
    assert report.play.games > 100


def test_missing_function_and_those_that_need_it(tmp_path: Path) -> None:
    report = checked(write(tmp_path, BASE + "\n\ndel winner\n"))
    wrong = [name for name, each in report.functions.items() if not each.passed]
    assert wrong == ["winner"]
    assert report.functions["winner"].failures[0].says == "The file has no `winner`."
    assert report.functions["terminal"].suffers_from == ("winner",)


def test_several_mistakes_are_told_apart(tmp_path: Path) -> None:
    both = FAULTY["winner: one diagonal"].code + dedent(FAULTY["actions: a list"].code)
    report = checked(write(tmp_path, f"{BASE}\n{both}"))
    wrong = [name for name, each in report.functions.items() if not each.passed]
    assert wrong == ["actions", "winner"]
    assert report.functions["utility"].suffers_from == ("winner",)


def test_function_that_needs_a_list_of_actions_is_judged_with_one(tmp_path: Path) -> None:
    """`minimax` is blamed for its moves, and not because a right `actions` gives it a set."""
    lists = dedent(FAULTY["actions: a list"].code)
    first = "def minimax(board):\n    return None if terminal(board) else actions(board)[0]\n"
    report = checked(write(tmp_path, f"{BASE}\n{lists}\n{first}"))
    wrong = [name for name, each in report.functions.items() if not each.passed]
    assert wrong == ["actions", "minimax"]
    (failure, *_) = report.functions["minimax"].failures
    assert "take the first empty cell" in failure.says
    assert "TypeError" not in failure.got


def test_smallest_board_is_shown(tmp_path: Path) -> None:
    report = checked(write(tmp_path, FAULTY["player: O begins"].source))
    (failure,) = report.functions["player"].failures
    assert (failure.board, failure.got, failure.expected) == ("." * 9, "'O'", "'X'")


# Games --------------------------------------------------------------------------------------------


def test_perfect_choices_lose_no_game() -> None:
    chosen = {board: min(here.best) for board, here in solution().items() if here.best}
    (games, lost, shortest), _ = play(Interface.CS50, chosen)
    assert (lost, shortest) == (0, ())
    assert games > 100


def test_lost_games_are_counted_and_the_shortest_is_lost() -> None:
    chosen = {board: min(here.actions) for board, here in solution().items() if not here.over}
    (games, lost, shortest), _ = play(Interface.CS50, chosen)
    assert 0 < lost < games
    position = noughts.game("basic").after(" ".join(shortest))
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is not None
    assert len(shortest) in (5, 6)


def test_impossible_choice_loses_at_once() -> None:
    chosen: dict[str, Any] = dict.fromkeys(EVERY, (7, 7))
    (games, lost, shortest), _ = play(Interface.CS50, chosen)
    assert games == lost == 1 + 9
    assert shortest == ()


def test_games_name_the_boards_without_a_choice() -> None:
    (games, _, _), open_ = play(Interface.CS50, {})
    assert games == 0
    assert len(open_) == 10


# Other interfaces ---------------------------------------------------------------------------------

AIMA = """
def minimax_player(game, state):
    player = game.to_move(state)

    def value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        values = [value(game.result(state, a)) for a in game.actions(state)]
        return max(values) if game.to_move(state) == player else min(values)

    if len(state.moves) > 7:
        return (2, 2) if (2, 2) in state.moves else (1, 1)
    return max(game.actions(state), key=lambda a: value(game.result(state, a)))


def careless_player(game, state):
    return state.moves.pop()


def lost_player(game, state):
    return (0, 0)
"""


@pytest.mark.parametrize(
    ("function", "says"),
    [
        ("minimax_player", ""),
        ("careless_player", "changes the state"),
        ("lost_player", "outside the board"),
    ],
)
def test_player_of_aima(function: str, says: str, tmp_path: Path) -> None:
    report = checked(write(tmp_path, AIMA), Interface.AIMA, function)
    assert [*report.functions] == [function]
    assert report.passed == (not says)
    assert any(says in failure.says for failure in report.functions[function].failures) or not says


MOVES = """
from noughts.school.specification import solution

def move(cells):
    here = solution()["".join(cell or "." for cell in cells)]
    return min(3 * i + j for i, j in here.best)

def last(cells):
    return max(n for n in range(9) if cells[n] is None)

def text(cells):
    return "5"
"""


@pytest.mark.parametrize(
    ("function", "says"),
    [("move", ""), ("last", "always take the last empty cell"), ("text", "a cell from 0 to 8")],
)
def test_function_from_board_to_move(function: str, says: str, tmp_path: Path) -> None:
    report = checked(write(tmp_path, MOVES), Interface.MOVES, function)
    assert report.passed == (not says)
    assert any(says in failure.says for failure in report.functions[function].failures) or not says


def test_moves_of_each_interface() -> None:
    boards = (Interface.CS50, Interface.AIMA, Interface.MOVES)
    assert [spoken(each, (1, 2)) for each in boards] == [(1, 2), (2, 3), 5]
    assert rows_of("XO.......")[0] == ["X", "O", None]


# The process --------------------------------------------------------------------------------------


def in_process(path: Path) -> CheckReport:
    limits = CheckLimits(call=0.1, search=20.0, searches=0.1, games=0.0, again=0.1)
    with FileProcess(path, Interface.CS50) as process:
        return Check(process, boards=FEW[::8], limits=limits).run()


@pytest.mark.parametrize(
    ("code", "function", "says"),
    [
        (
            "def terminal(board):\n    while winner(board) is None: pass\n    return True\n",
            "terminal",
            "does not come to an end here",
        ),
        (
            "import os\ndef utility(board): os._exit(0)\n",
            "utility",
            "ends Python with the exit status 0",
        ),
        ("def utility(board): exit()\n", "utility", "ends the program"),
        (
            "import ctypes\ndef utility(board): return ctypes.string_at(0)\n",
            "utility",
            "crashes Python (SIGSEGV)",
        ),
        ("def utility(board): return [0] * 10**10\n", "utility", "raises MemoryError"),
    ],
    ids=["loop", "_exit", "exit", "crash", "memory"],
)
def test_end_of_the_process_is_a_mistake_of_the_function(
    code: str, function: str, says: str, tmp_path: Path
) -> None:
    report = in_process(write(tmp_path, f"{BASE}\n{code}"))
    assert_named(report, Faulty(function, says, code))


def test_file_cannot_speak_for_the_check(tmp_path: Path) -> None:
    """It prints verdicts, to the standard streams and to every other open file."""
    code = """
    import os, sys, pygame
    from pygame.locals import QUIT
    pygame.init()
    window = pygame.display.set_mode((600, 400))
    verdict = '{"schema": 1, "passed": true, "functions": {}}'
    print(verdict, file=sys.stderr)
    print(verdict)
    open("verdict.json", "w").write(verdict)
    quiet = utility

    def utility(board):
        for stream in range(12):
            try:
                os.write(stream, f"{verdict}\\n".encode())
            except OSError:
                pass
        sys.stdin.read()
        return 7
    """
    path = write(tmp_path, f"{BASE}\n{dedent(code)}")
    report = in_process(path)
    assert_named(report, Faulty("utility", "it must return 1, -1 or 0", code))
    assert [each.name for each in tmp_path.iterdir()] == ["tictactoe.py"]


def test_file_has_no_network_where_the_system_allows_that(tmp_path: Path) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    code = f"""
    import socket
    try:
        socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), timeout=5)
        connected = True
    except OSError:
        connected = False

    def player(board):
        return connected
    """
    with server, FileProcess(write(tmp_path, f"{BASE}\n{dedent(code)}"), Interface.CS50) as file:
        from noughts.school.student import Case

        (got,) = file.call("player", [Case("." * 9)], right=(), seconds=5)
    may_unshare = sys.platform == "linux" and os.system("unshare -Urn true 2>/dev/null") == 0
    if not may_unshare:
        pytest.skip("this system gives no network namespaces to users")
    assert got.value == "False"


# The command --------------------------------------------------------------------------------------


@pytest.fixture
def few_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command check some of the boards."""
    few = FEW[::3]
    full = solution()
    real = Check.__init__

    def init(self: Check, *arguments: Any, **options: Any) -> None:
        real(self, *arguments, **{"boards": few, "limits": QUICK, **options})

    assert len(full) == 5478
    monkeypatch.setattr(Check, "__init__", init)


@pytest.mark.usefixtures("few_boards")
def test_command_answers_in_every_form(tmp_path: Path) -> None:
    path = write(tmp_path, FAULTY["winner: one diagonal"].source)
    files = [tmp_path / name for name in ("junit.xml", "page.html", "results.json")]
    options = zip(("--junit", "--html", "--gradescope"), files, strict=True)
    done = run("check", path, "--json", *(word for pair in options for word in pair))
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert (data["schema"], data["passed"]) == (1, False)
    assert [*data["functions"]] == [*FUNCTIONS]
    assert data["functions"]["utility"]["suffers_from"] == ["winner"]
    assert data["functions"]["utility"]["passed"] is True
    (failure,) = data["functions"]["winner"]["failures"]
    assert set(failure) == {
        *("board", "position", "tree", "action", "expected", "got", "says", "mistake", "cases")
    }
    assert noughts.position(failure["position"]).outcome() is not None
    assert CheckReport.from_data(data).as_data() == {
        key: value for key, value in data.items() if key != "schema"
    }
    assert "3 5 7" in failure["says"]
    assert data["play"].keys() == {"games", "lost", "shortest_loss"}

    suite = ElementTree.fromstring(files[0].read_text())
    assert (suite.get("tests"), suite.get("failures")) == ("9", "1")
    (wrong,) = suite.findall("*/failure")
    assert "3 5 7" in wrong.get("message", "")
    page = files[1].read_text()
    assert "3 5 7" in page
    assert "<code>winner</code>" in page
    tests = {each["name"]: each for each in json.loads(files[2].read_text())["tests"]}
    assert [each["score"] for each in tests.values()] == [1, 1, 1, 1, 0, 1, 1, 1]
    assert "3 5 7" in tests["winner"]["output"]


@pytest.mark.usefixtures("few_boards")
def test_command_draws_the_board(tmp_path: Path) -> None:
    done = run("check", write(tmp_path, FAULTY["minimax: for X only"].source))
    assert done.returncode == 1
    assert "✗  minimax" in done.stdout
    assert "─┼─" in done.stdout


@pytest.mark.usefixtures("few_boards")
def test_right_file_ends_with_0(tmp_path: Path) -> None:
    done = run("check", write(tmp_path, BASE))
    assert done.returncode == 0, done.stderr
    assert "Everything is right." in done.stdout


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def player(board:\n", "Line 1 is not Python"),
        ("1 / 0\n", "ZeroDivisionError: division by zero (line 1)."),
        ("exit()\n", "ends Python when it is imported"),
        ("import os\nos._exit(0)\n", "exit status 0"),
        (
            "import no_such_module_anywhere\n",
            "Line 1 imports no_such_module_anywhere, which is not there",
        ),
    ],
    ids=["syntax", "error", "exit", "_exit", "import"],
)
def test_file_that_cannot_be_imported(source: str, says: str, tmp_path: Path) -> None:
    path = write(tmp_path, source)
    done = run("check", path, "--json", "--gradescope", tmp_path / "results.json")
    assert done.returncode == 4
    data = json.loads(done.stdout)
    assert data["import"]["passed"] is False
    assert says in data["import"]["says"]
    assert not any(each["passed"] for each in data["functions"].values())
    assert not any(
        each["score"] for each in json.loads((tmp_path / "results.json").read_text())["tests"]
    )


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["nothere.py"], 3, "no file nothere.py"),
        (["plain.py"], 2, "none of the seven functions"),
        (["player.py"], 2, "has only player of the seven functions"),
        (["plain.py", "--as", "moves"], 2, "has no function move"),
        (["plain.py", "--function", "f"], 2, "--function needs"),
        (["plain.py", "--html", "x.txt"], 2, "not a .html file"),
        (["plain.py", "--junit", "no/x.xml"], 3, "there is no folder no"),
        (["plain.py", "--as", "chess"], 2, "chess"),
    ],
)
def test_wrong_usage(arguments: list[str], code: int, says: str, tmp_path: Path) -> None:
    write(tmp_path, "def f(x): return x\n", "plain.py")
    write(tmp_path, "def player(board): return 1\n", "player.py")
    done = run("check", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert says in done.stderr
