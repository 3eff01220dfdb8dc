"""The course's runner, with our functions and with students' files, right and wrong."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_window import Desk, is_running, window

import noughts
from noughts.apps.window.course import Course, Fault
from noughts.apps.window.runner import RunnerScreen

OURS = "noughts.cs50"
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a student's file: our functions, and in their place those that are given."""
    count = iter(range(100))

    def write_(code: str = "", head: str = "from noughts.cs50 import *") -> str:
        file = tmp_path / f"student{next(count)}.py"
        file.write_text(f"{head}\nimport noughts.cs50 as ours\n{textwrap.dedent(code)}\n")
        return str(file)

    return write_


class Runner(Desk):
    """The course's game in a window without a display."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self.app.study(module)
        self.draw()

    @property
    def runner(self) -> RunnerScreen:
        assert isinstance(self.app.screen, RunnerScreen)
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
def test_a_game_with_our_functions_from_the_choice_to_play_again(
    opened: Callable[[str], Runner], letter: str
) -> None:
    desk = opened(OURS)
    rng = random.Random(4)
    assert desk.runner.title() == "Play Tic-Tac-Toe"
    desk.begin(letter)
    while not desk.runner.over:
        assert desk.runner.title() == f"Play as {letter}"
        assert desk.runner.seen is not None
        desk.play(rng.choice([i for i in range(9) if desk.runner.seen.cells[i] is None]))
    assert not desk.runner.fault
    won = desk.runner.seen and desk.runner.seen.winner
    assert won != letter, "minimax does not lose"
    assert desk.runner.title() == (f"Game Over: {won} wins." if won else "Game Over: Tie.")
    desk.press("Play Again")
    assert desk.runner.title() == "Play Tic-Tac-Toe"


def test_a_tie_is_told(opened: Callable[[str], Runner]) -> None:
    desk = opened(OURS)
    desk.begin("X")
    while not desk.runner.over:
        assert desk.runner.seen is not None
        from noughts import cs50

        rows = [list(desk.runner.seen.cells[i : i + 3]) for i in (0, 3, 6)]
        action = cs50.minimax(rows)
        assert action is not None
        desk.play(3 * action[0] + action[1])
    assert desk.runner.title() == "Game Over: Tie."


def test_it_is_played_by_keyboard_alone(opened: Callable[[str], Runner]) -> None:
    desk = opened(OURS)
    desk.key("o")
    desk.wait()
    assert desk.runner.person == "O"
    while not desk.runner.over:
        assert desk.runner.seen is not None
        empty = [i for i in range(9) if desk.runner.seen.cells[i] is None]
        if len(empty) % 4:
            desk.type(str(empty[0] + 1))
        else:
            desk.key("RIGHT")
            desk.key("RETURN")
        desk.wait()
    desk.key("RETURN")
    assert desk.runner.person is None


def test_a_taken_cell_and_the_machines_turn_are_no_moves(opened: Callable[[str], Runner]) -> None:
    desk = opened(OURS)
    desk.begin("X")
    desk.play(4)
    seen = desk.runner.seen
    desk.play(4)
    desk.type("5")
    assert desk.runner.seen == seen


FAULTS = {
    "no minimax": ("del minimax", "has no minimax"),
    "a syntax error": ("def broken(:", "cannot be loaded: SyntaxError"),
    "an error at once": ("1 / 0", "cannot be loaded: ZeroDivisionError"),
    "exit": ("raise SystemExit(1)", "cannot be loaded: SystemExit"),
    "a board of two rows": (
        "def initial_state(): return [[EMPTY] * 3] * 2",
        "initial_state returned [[None, None, None], [None, None, None]]; expected was",
    ),
    "no board": ("def initial_state(): return None", "initial_state returned None; expected was"),
    "terminal at once": (
        "def terminal(board): return True",
        "terminal returned True; expected was False on the board ... ... ....",
    ),
    "nothing from terminal": (
        "def terminal(board): pass",
        "terminal returned None; expected was False",
    ),
    "the wrong player": ("def player(board): return O", "player returned 'O'; expected was 'X'"),
    "too few actions": (
        "def actions(board): return {(0, 0)}",
        "actions returned {(0, 0)}; expected was [(0, 0), (0, 1)",
    ),
    "a winner too many": (
        "def winner(board): return X",
        "winner returned 'X'; expected was None",
    ),
    "an error in winner": (
        "def winner(board): return board[3][0]",
        "winner has failed: IndexError: list index out of range (line 3)",
    ),
    "endless recursion": (
        "def player(board): return player(board)",
        "player has failed: RecursionError",
    ),
    "nothing from minimax": (
        "def minimax(board): return None",
        "minimax returned None; expected was an action (i, j) of [(0, 0)",
    ),
    "a number from minimax": ("def minimax(board): return 4", "minimax returned 4; expected"),
    "a move off the board": (
        "def minimax(board): return (3, 0)",
        "minimax returned (3, 0); expected was an action (i, j)",
    ),
    "a board that is changed": (
        """
        def result(board, action):
            board[action[0]][action[1]] = ours.player(board)
            return board
        """,
        "result changed the board that it was given for (0, 0)",
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
        "actions changed the board that it was given",
    ),
    "input": ("def player(board): return input()", "player has failed: EOFError"),
    "the end of Python": ("import os\ndef player(board): os._exit(3)", "player has ended Python"),
}


@pytest.mark.parametrize(("code", "wanted"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_sentence_and_the_window_goes_on(
    opened: Callable[[str], Runner], write: Write, code: str, wanted: str
) -> None:
    desk = opened(write(code))
    desk.begin("O")
    assert wanted in desk.runner.fault
    assert desk.runner.title() == "The game cannot go on"
    for size in ((1080, 760), (360, 480)):
        desk.draw(size)
        assert "Play Again" in [target.name for target in desk.app.canvas.targets]
    desk.press("Play Again")
    assert desk.runner.title() == "Play Tic-Tac-Toe"


def test_a_move_to_a_taken_cell_is_named(opened: Callable[[str], Runner], write: Write) -> None:
    desk = opened(write("def minimax(board): return (0, 0)"))
    desk.begin("X")
    desk.play(0)
    assert "minimax returned (0, 0), which is taken; expected was" in desk.runner.fault


def test_a_wrong_utility_is_told_at_the_end(opened: Callable[[str], Runner], write: Write) -> None:
    desk = opened(write("def utility(board): return 7"))
    desk.begin("X")
    while not desk.runner.over:
        assert desk.runner.seen is not None
        desk.play(desk.runner.seen.cells.index(None))
    assert "utility returned 7; expected was -1 on the board" in desk.runner.fault


def test_a_move_that_gives_the_game_away_is_remarked(
    opened: Callable[[str], Runner], write: Write
) -> None:
    desk = opened(write("def minimax(board): return max(actions(board))"))
    desk.begin("X")
    desk.play(0)
    assert not desk.runner.fault
    assert desk.runner.remark == (
        "minimax chose (2, 2) for O, which loses if nobody errs; (1, 1) draws."
    )


def test_an_endless_loop_is_stopped_by_hand(opened: Callable[[str], Runner], write: Write) -> None:
    desk = opened(write("def minimax(board):\n    while True: pass"))
    desk.press("Play as O")
    desk.until(lambda: desk.runner.calling == "minimax")
    assert desk.runner.title() == "Computer thinking..."
    pid = desk.runner._worker.pid
    assert pid is not None
    desk.press("Theme")
    desk.press("Stop")
    assert "minimax was stopped after" in desk.runner.fault
    assert not is_running(pid)
    desk.press("Play Again")
    desk.begin("X")
    assert desk.runner.may_move


def test_a_file_that_was_mended_is_read_anew(opened: Callable[[str], Runner], write: Write) -> None:
    file = write("def player(board): return None")
    desk = opened(file)
    desk.begin("X")
    assert "player returned None" in desk.runner.fault
    Path(file).write_text("from noughts.cs50 import *\n")
    desk.press("Play Again")
    desk.begin("X")
    assert desk.runner.may_move


def test_a_module_may_have_its_own_letters_and_its_own_neighbours(
    tmp_path: Path, opened: Callable[[str], Runner]
) -> None:
    (tmp_path / "boards.py").write_text("from noughts.cs50 import *\nfrom noughts import cs50\n")
    (tmp_path / "mine.py").write_text("from boards import *\n")
    desk = opened(str(tmp_path / "mine.py"))
    desk.begin("O")
    assert desk.runner.may_move


def test_what_a_student_prints_is_not_in_the_way(write: Write) -> None:
    names: list[str] = []
    course = Course(write("print('hello')"), names.append)
    course.begin()
    course.answer()
    assert names[1:3] == ["initial_state", "terminal"]
    assert "minimax" in names


def test_a_fault_is_raised_as_such(write: Write) -> None:
    with pytest.raises(Fault, match="cannot be loaded"):
        Course("no.such.module", lambda _: None)
    course = Course(write(), lambda _: None)
    assert course.begin().turn == "X"
    assert course.play(4).cells[4] == "X"
    with pytest.raises(noughts.IllegalMove):
        course.play(4)


@pytest.mark.parametrize("name", ["nothere.py", "no_such_module", "no.such.module"])
def test_a_module_that_is_not_there_is_refused_before_a_window_opens(name: str) -> None:
    answer = window("--cs50", name)
    assert answer.returncode == 3
    assert name in answer.stderr
    assert "Traceback" not in answer.stderr
