"""The course's runner in the window, with our functions and with students' files."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import run
from headless_window import HeadlessWindow, is_running

import noughts
from noughts.window.cs50_functions import CourseError, CourseModule
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


@pytest.fixture(autouse=True)
def headless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


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
        assert window.runner.checked is not None
        window.play(rng.choice([i for i in range(9) if window.runner.checked.cells[i] is None]))
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
        from noughts import cs50

        rows = [list(window.runner.checked.cells[i : i + 3]) for i in (0, 3, 6)]
        action = cs50.minimax(rows)
        assert action is not None
        window.play(3 * action[0] + action[1])
    assert window.runner.title() == "Game Over: Tie."


def test_game_by_keyboard_alone(opened: Callable[[str], Runner]) -> None:
    window = opened(OURS)
    window.key("o")
    window.wait()
    assert window.runner.person == "O"
    while not window.runner.over:
        assert window.runner.checked is not None
        empty = [i for i in range(9) if window.runner.checked.cells[i] is None]
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
    "no minimax": ("del minimax", "lacks minimax"),
    "a syntax error": ("def broken(:", "failed to load: SyntaxError"),
    "an error at once": ("1 / 0", "failed to load: ZeroDivisionError"),
    "exit": ("raise SystemExit(1)", "failed to load: SystemExit"),
    "a board of two rows": (
        "def initial_state(): return [[EMPTY] * 3] * 2",
        "initial_state returned [[None, None, None], [None, None, None]]; expected",
    ),
    "no board": ("def initial_state(): return None", "initial_state returned None; expected"),
    "terminal at once": (
        "def terminal(board): return True",
        "terminal returned True; expected False on the board ... ... ....",
    ),
    "nothing from terminal": (
        "def terminal(board): pass",
        "terminal returned None; expected False",
    ),
    "the wrong player": ("def player(board): return O", "player returned 'O'; expected 'X'"),
    "too few actions": (
        "def actions(board): return {(0, 0)}",
        "actions returned {(0, 0)}; expected [(0, 0), (0, 1)",
    ),
    "a winner too many": (
        "def winner(board): return X",
        "winner returned 'X'; expected None",
    ),
    "an error in winner": (
        "def winner(board): return board[3][0]",
        "winner failed: IndexError: list index out of range (line 3)",
    ),
    "endless recursion": (
        "def player(board): return player(board)",
        "player failed: RecursionError",
    ),
    "nothing from minimax": (
        "def minimax(board): return None",
        "minimax returned None; expected an action (i, j) of [(0, 0)",
    ),
    "a number from minimax": ("def minimax(board): return 4", "minimax returned 4; expected"),
    "a move off the board": (
        "def minimax(board): return (3, 0)",
        "minimax returned (3, 0); expected an action (i, j)",
    ),
    "a board that is changed": (
        """
        def result(board, action):
            board[action[0]][action[1]] = ours.player(board)
            return board
        """,
        "result changed its argument for (0, 0)",
    ),
    "a board that stays as it is": (
        "def result(board, action): return board",
        "result returned [[None, None, None]",
    ),
    "a board changed by minimax's helper": (
        """
        def actions(board):
            found = ours.actions(board)
            board[2][2] = X
            return found
        """,
        "actions changed its argument",
    ),
    "input": ("def player(board): return input()", "player failed: EOFError"),
    "the end of Python": (
        "import os\ndef player(board): os._exit(3)",
        "player ended the Python process",
    ),
}


@pytest.mark.parametrize(("code", "wanted"), FAULTS.values(), ids=FAULTS)
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


def test_move_to_a_taken_cell_is_named(opened: Callable[[str], Runner], write: Write) -> None:
    window = opened(write("def minimax(board): return (0, 0)"))
    window.begin("X")
    window.play(0)
    assert "minimax returned (0, 0), which is taken; expected" in window.runner.error


def test_wrong_utility_is_reported_at_the_end(
    opened: Callable[[str], Runner], write: Write
) -> None:
    window = opened(write("def utility(board): return 7"))
    window.begin("X")
    while not window.runner.over:
        assert window.runner.checked is not None
        window.play(window.runner.checked.cells.index(None))
    assert "utility returned 7; expected -1 on the board" in window.runner.error


def test_losing_move_is_pointed_out(opened: Callable[[str], Runner], write: Write) -> None:
    window = opened(write("def minimax(board): return max(actions(board))"))
    window.begin("X")
    window.play(0)
    assert not window.runner.error
    assert window.runner.remark == (
        "minimax chose (2, 2) for O, which loses against best play; (1, 1) draws."
    )


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
    assert "player returned None" in window.runner.error
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


def test_printing_does_not_disturb_the_game(write: Write) -> None:
    names: list[str] = []
    course = CourseModule(write("print('hello')"), names.append)
    course.begin()
    course.answer()
    assert names[1:3] == ["initial_state", "terminal"]
    assert "minimax" in names


def test_a_fault_is_raised_as_such(write: Write) -> None:
    with pytest.raises(CourseError, match="failed to load"):
        CourseModule("no.such.module", lambda _: None)
    course = CourseModule(write(), lambda _: None)
    assert course.begin().turn == "X"
    assert course.play(4).cells[4] == "X"
    with pytest.raises(noughts.IllegalMove):
        course.play(4)


@pytest.mark.parametrize("name", ["nothere.py", "no_such_module", "no.such.module"])
def test_missing_module_is_refused_before_a_window_opens(name: str) -> None:
    answer = run("window", "--cs50", name)
    assert answer.returncode == 3
    assert name in answer.stderr
    assert "Traceback" not in answer.stderr
