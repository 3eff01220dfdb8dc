"""The course's runner in the window, with our functions and with students' files."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import run
from headless_window import HeadlessWindow, is_running
from students import FAULTY, FEW, imports_forgotten, serve_few

from noughts import cs50
from noughts.school.specification import rows_of, solution
from noughts.school.student import FUNCTIONS
from noughts.window.cs50_functions import CourseError, CourseGame
from noughts.window.cs50_screen import CourseScreen

OURS = "noughts.cs50"
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a student's file: our functions, some replaced."""
    count = iter(range(100))

    def write_(code: str = "", head: str = "from noughts.cs50 import *") -> str:
        file = tmp_path / f"student{next(count)}.py"
        file.write_text(f"{head}\nimport noughts.cs50 as ours\n{textwrap.dedent(code)}\n")
        return str(file)

    return write_


class Runner(HeadlessWindow):
    """The course's game in a window without a display."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self.app.study(module)
        self.draw()

    @property
    def runner(self) -> CourseScreen:
        assert isinstance(self.app.screen, CourseScreen)
        return self.app.screen

    def wait(self) -> None:
        self.until(lambda: not self.runner.is_waiting)

    def begin(self, letter: str) -> None:
        self.press(f"Play as {letter}")
        self.wait()

    def play(self, cell: int) -> None:  # type: ignore[override]
        self.click(self.runner.board.centre(cell))
        self.wait()


def empty_cells(window: Runner) -> list[int]:
    assert window.runner.checked is not None
    return [cell for cell, mark in enumerate(window.runner.checked.board) if mark == "."]


@pytest.fixture(autouse=True)
def headless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open no real window, and let its process check few boards."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    monkeypatch.setattr("noughts.window.cs50_screen.serve", serve_few)


@pytest.fixture
def opened() -> Iterator[Callable[[str], Runner]]:
    runners: list[Runner] = []

    def open_(module: str) -> Runner:
        runners.append(Runner(module))
        return runners[-1]

    yield open_
    for each in runners:
        pid = each.runner._worker.pid
        each.app.close()
        assert pid is None or not is_running(pid)


@pytest.mark.parametrize("letter", ["X", "O"])
def test_game_with_our_functions_from_start_to_play_again(
    opened: Callable[[str], Runner], letter: str
) -> None:
    window = opened(OURS)
    rng = random.Random(4)
    assert window.runner.title() == "Play Tic-Tac-Toe"
    window.begin(letter)
    while not window.runner.over:
        assert window.runner.title() == f"Play as {letter}"
        window.play(rng.choice(empty_cells(window)))
    assert not window.runner.error
    won = window.runner.checked and window.runner.checked.winner
    assert won != letter, "minimax does not lose"
    assert window.runner.title() == (f"Game Over: {won} wins." if won else "Game Over: Tie.")
    window.press("Play Again")
    assert window.runner.title() == "Play Tic-Tac-Toe"


def test_tie_is_shown(opened: Callable[[str], Runner]) -> None:
    window = opened(OURS)
    window.begin("X")
    while not window.runner.over:
        assert window.runner.checked is not None
        action = cs50.minimax(rows_of(window.runner.checked.board))
        assert action is not None
        window.play(3 * action[0] + action[1])
    assert window.runner.title() == "Game Over: Tie."


def test_game_by_keyboard_alone(opened: Callable[[str], Runner]) -> None:
    window = opened(OURS)
    window.key("o")
    window.wait()
    assert window.runner.person == "O"
    while not window.runner.over:
        empty = empty_cells(window)
        if len(empty) % 4:
            window.type(str(empty[0] + 1))
        else:
            window.key("RIGHT")
            window.key("RETURN")
        window.wait()
    window.key("RETURN")
    assert window.runner.person is None


def test_clicks_on_taken_cells_or_out_of_turn_are_ignored(opened: Callable[[str], Runner]) -> None:
    window = opened(OURS)
    window.begin("X")
    window.play(4)
    seen = window.runner.checked
    window.play(4)
    window.type("5")
    assert window.runner.checked == seen


FAULTS = {
    "no minimax": ("del minimax", "The file has no minimax."),
    "no winner": ("del winner", "The file has no winner."),
    "a syntax error": ("def broken(:", "cannot be imported. Line 3 is not Python"),
    "an error at once": ("1 / 0", "cannot be imported. ZeroDivisionError"),
    "exit": ("raise SystemExit(1)", "ends Python when it is imported"),
    "a wrong player": (
        "def player(board): return O",
        "player never names X: compare the numbers of X and O on the board. Got 'O'; expected 'X'.",
    ),
    "an error in winner": (
        "def winner(board): return board[3][0]",
        "winner raises IndexError in line 3: an index leaves the board.",
    ),
    "endless recursion": (
        "def player(board): return player(board)",
        "player calls itself without end",
    ),
    "a set too small, and a value": (
        "def actions(board): return {(0, 0)}\ndef utility(board): return 7",
        "For 1 more, run noughts check {name}",
    ),
    "a list": (
        "def actions(board): return list(ours.actions(board))",
        "actions returns a list; the course asks for a set",
    ),
    "never raises": (
        """
        def result(board, action):
            new = [row[:] for row in board]
            new[action[0] % 3][action[1] % 3] = ours.player(board)
            return new
        """,
        "result accepts",
    ),
}


def began(name: str, boards: list[str] | None = None) -> CourseGame:
    game = CourseGame(name, lambda _: None, FEW if boards is None else boards)
    game.begin()
    return game


@pytest.fixture
def imports_restored() -> Iterator[None]:
    with imports_forgotten():
        yield


@pytest.mark.usefixtures("imports_restored")
@pytest.mark.parametrize(("code", "wanted"), FAULTS.values(), ids=FAULTS)
def test_error_is_named_before_the_game(write: Write, code: str, wanted: str) -> None:
    name = write(code)
    with pytest.raises(CourseError) as error:
        began(name)
    assert wanted.format(name=name) in error.value.says
    assert "`" not in error.value.says


@pytest.mark.usefixtures("imports_restored")
@pytest.mark.parametrize("name", [name for name in FAULTY if not name.startswith("minimax")][::4])
def test_window_names_the_mistakes_that_check_names(name: str, tmp_path: Path) -> None:
    path = tmp_path / "tictactoe.py"
    path.write_text(FAULTY[name].source)
    with pytest.raises(CourseError) as error:
        began(str(path))
    assert FAULTY[name].says.replace("`", "") in error.value.says
    assert error.value.board in solution()


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("def winner(board): return X", "winner names a winner where nobody has three in a row"),
        ("def player(board): return input()", "player raises EOFError"),
        ("import os\ndef player(board): os._exit(3)", "player ended the Python process"),
    ],
    ids=["value", "input", "end"],
)
def test_error_is_one_sentence_and_the_window_stays_open(
    opened: Callable[[str], Runner], write: Write, code: str, wanted: str
) -> None:
    window = opened(write(code))
    window.begin("O")
    assert wanted in window.runner.error
    assert window.runner.title() == "Your code has an error"
    for size in ((1080, 760), (360, 480)):
        window.draw(size)
        assert "Play Again" in [target.name for target in window.app.canvas.targets]
    window.press("Play Again")
    assert window.runner.title() == "Play Tic-Tac-Toe"


def test_board_of_the_error_is_shown(opened: Callable[[str], Runner], write: Write) -> None:
    window = opened(write(FAULTY["winner: one diagonal"].code))
    window.begin("X")
    assert "winner misses the line 3 5 7" in window.runner.error
    assert window.runner.checked is not None
    board = window.runner.checked.board
    assert board[2] == board[4] == board[6] != "."


@pytest.mark.usefixtures("imports_restored")
@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("def minimax(board): return None", "minimax returns nothing: it must return an action"),
        ("def minimax(board): return 4", "minimax returns a number; it must return an action"),
        ("def minimax(board): return (3, 0)", "minimax returns (3, 0), a cell outside the board"),
        ("def minimax(board): return (0, 0)", "minimax returns (0, 0), a cell that is taken"),
        ("def minimax(board): return [1, 1]", "an action is a tuple"),
        ("def minimax(board): return 1 / 0", "minimax raises ZeroDivisionError in line 3"),
        (
            """
            def minimax(board):
                action = ours.minimax(board)
                board[0][1] = X
                return action
            """,
            "minimax changes the board that it is given",
        ),
    ],
)
def test_impossible_answer_of_minimax_ends_the_game(write: Write, code: str, wanted: str) -> None:
    game = began(write(code), [])
    game.play(0)
    with pytest.raises(CourseError) as error:
        game.answer()
    assert wanted in error.value.says
    assert error.value.board == "X........"


@pytest.mark.usefixtures("imports_restored")
def test_weak_move_is_a_remark_without_a_guess(write: Write) -> None:
    game = began(write("def minimax(board): return max(actions(board))"), [])
    game.play(0)
    checked = game.answer()
    assert checked.remark == "minimax plays (2, 2), which loses, where (1, 1) draws."
    assert checked.board == "X.......O"


@pytest.mark.usefixtures("imports_restored")
@pytest.mark.parametrize(
    ("last", "says"),
    [("(0, 0)", "returns something else than None"), ("1", "returns the value"), ("None", "")],
)
def test_answer_on_a_finished_board_is_a_remark(write: Write, last: str, says: str) -> None:
    game = began(
        write(f"def minimax(board): return {last} if terminal(board) else ours.minimax(board)"), []
    )
    for cell in (0, 3, 1, 4):
        assert not game.play(cell).remark
    checked = game.play(2)
    assert checked.over
    assert checked.winner == "X"
    assert (says in checked.remark) if says else not checked.remark
    assert bool(checked.remark) == bool(says)


def test_losing_move_is_pointed_out(opened: Callable[[str], Runner], write: Write) -> None:
    window = opened(write("def minimax(board): return max(actions(board))"))
    window.begin("X")
    window.play(0)
    assert not window.runner.error
    assert window.runner.remark == "minimax plays (2, 2), which loses, where (1, 1) draws."


def test_endless_loop_is_stopped_by_a_button(opened: Callable[[str], Runner], write: Write) -> None:
    window = opened(write("def minimax(board):\n    while True: pass"))
    window.press("Play as O")
    window.until(lambda: window.runner.calling == "minimax")
    assert window.runner.title() == "Computer thinking..."
    pid = window.runner._worker.pid
    assert pid is not None
    window.press("Theme")
    window.press("Stop")
    assert "You stopped minimax after" in window.runner.error
    assert not is_running(pid)
    window.press("Play Again")
    window.begin("X")
    assert window.runner.may_move


def test_corrected_file_is_read_again(opened: Callable[[str], Runner], write: Write) -> None:
    file = write("def player(board): return None")
    window = opened(file)
    window.begin("X")
    assert "player returns nothing here: a return is missing" in window.runner.error
    Path(file).write_text("from noughts.cs50 import *\n")
    window.press("Play Again")
    window.begin("X")
    assert window.runner.may_move


def test_module_may_have_its_own_marks_and_imports(
    tmp_path: Path, opened: Callable[[str], Runner]
) -> None:
    (tmp_path / "boards.py").write_text("from noughts.cs50 import *\nfrom noughts import cs50\n")
    (tmp_path / "mine.py").write_text("from boards import *\n")
    window = opened(str(tmp_path / "mine.py"))
    window.begin("O")
    assert window.runner.may_move


@pytest.mark.usefixtures("imports_restored")
def test_output_is_shown_in_the_game_but_not_in_the_check(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    names: list[str] = []
    code = "def minimax(board):\n    print('hello')\n    return ours.minimax(board)"
    noisy = "def winner(board):\n    print('noise')\n    return ours.winner(board)"
    game = CourseGame(write(f"{code}\n{noisy}"), names.append, FEW)
    game.begin()
    game.answer()
    assert capsys.readouterr().out == "hello\n"
    assert names[1:8] == [*FUNCTIONS[:-1]]
    assert names[-1] == "minimax"


def test_there_is_no_such_file() -> None:
    with pytest.raises(CourseError, match="There is no file"):
        CourseGame("no.such.module", lambda _: None)


@pytest.mark.parametrize("name", ["nothere.py", "no_such_module", "no.such.module"])
def test_missing_module_is_refused_before_a_window_opens(name: str) -> None:
    answer = run("window", "--cs50", name)
    assert answer.returncode == 3
    assert name in answer.stderr
    assert "Traceback" not in answer.stderr
