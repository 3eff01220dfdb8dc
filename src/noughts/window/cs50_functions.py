"""A game against `minimax` of a student's file, whose functions are all checked first.

    begin() ──► Check of the other six functions ──► CheckedBoard or CourseError
    play(cell) · answer() ──► minimax ──judge()──► CheckedBoard, with a remark, or CourseError

The functions run in a worker process, so that the window can kill a student's endless loop.
"""

from __future__ import annotations

import importlib.util
import os
import resource
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from noughts.school.check import Check, failure_of
from noughts.school.mistakes import Wrong
from noughts.school.report import CaseFailure, missing
from noughts.school.specification import action_of, judge, solution, value_of
from noughts.school.student import (
    FUNCTIONS,
    CallAnswer,
    Case,
    FileFails,
    Interface,
    StudentFile,
)
from noughts.views.check_report import plain, values
from noughts.window.worker import Inbox

MAX_MEMORY = 4 << 30
"""Memory limit of the worker process, in bytes."""
LONGEST_SHOWN = 120
"""Longest value in a message, in characters."""
EMPTY_BOARD = "." * 9
CHECKED = FUNCTIONS[:-1]
"""The functions checked before the game; the game itself checks `minimax`."""

Calling = Callable[[str], None]
"""Called with the name of a function before it runs."""


class CourseError(Exception):
    """A mistake of the file, in words, and the board that shows it, if there is one.

    Args:
        says: a sentence that names the function, and the values.
        board: nine characters, or an empty text.
    """

    def __init__(self, says: str, board: str = "") -> None:
        super().__init__(says, board)
        self.says = plain(says)
        self.board = board


class CheckedBoard(NamedTuple):
    """A board of the game."""

    board: str
    """Nine characters, `X`, `O` or `.`."""
    turn: str | None
    """The player to move; `None` when the game is over."""
    winner: str | None
    last: int | None
    """The cell of the last move, counted from 0."""
    remark: str = ""
    """A sentence on a mistake of `minimax` after which the game continues; else empty."""

    @property
    def over(self) -> bool:
        return self.turn is None


class FunctionCall(NamedTuple):
    """A message to the window: calls of this function have begun."""

    function: str


def find_course_file(name: str) -> Path | None:
    """Return the file that a path or a module's name stands for; `None` if there is none."""
    path = Path(name)
    if path.suffix == ".py" or "/" in name:
        return path if path.is_file() else None
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        found = None
    finally:
        sys.path.pop(0)
    return Path(found.origin) if found is not None and found.has_location and found.origin else None


class _ToldFile:
    """A student's file that reports each function before its calls."""

    def __init__(self, file: StudentFile, calling: Calling) -> None:
        self._file = file
        self._calling = calling

    @property
    def parameters(self) -> dict[str, int]:
        return self._file.parameters

    def call(
        self,
        function: str,
        cases: Sequence[Case],
        *,
        right: Collection[str],
        seconds: float,
        fresh: bool = False,
        remember: bool = False,
    ) -> Iterator[CallAnswer]:
        self._calling(function)
        return self._file.call(
            function, cases, right=right, seconds=seconds, fresh=fresh, remember=remember
        )


class CourseGame:
    """A game against `minimax` of a file, after a check of the other functions.

    Args:
        name: path of a Python file, or name of a module.
        calling: called with the name of each function before the function runs.
        boards: on which the functions are checked; all reachable ones by default.

    Raises:
        CourseError: there is no such file, or it fails to load.
    """

    def __init__(self, name: str, calling: Calling, boards: Iterable[str] | None = None) -> None:
        self.name = name
        self._calling = calling
        self._boards = boards
        self.board = EMPTY_BOARD
        self._passed: list[Case] = []
        """Boards of the game on which `minimax` was right."""
        path = find_course_file(name)
        if path is None:
            raise CourseError(f"There is no file {name}.")
        self._path = path
        calling(f"Loading {name}")
        try:
            with _silence():
                self._file = StudentFile(path)
        except FileFails as error:
            raise CourseError(f"{name} cannot be imported. {error}") from None

    def begin(self) -> CheckedBoard:
        """Check the functions, and return the empty board.

        Raises:
            CourseError: a function has a mistake.
        """
        runner = _ToldFile(self._file, self._calling)
        try:
            with _silence():
                report = Check(runner, functions=CHECKED, boards=self._boards).run()
        except FileFails as error:
            raise CourseError(f"{self.name} loads once, but not again. {error}") from None
        found = [each for each in report.functions.values() if not each.passed]
        if "minimax" not in self._file.parameters:
            found.append(missing("minimax"))
        if found:
            failure = found[0].failures[0]
            more = sum(len(each.failures) for each in found) - 1
            rest = f" For {more} more, run noughts check {self._path}" if more else ""
            raise CourseError(_words(failure) + rest, failure.board)
        self._calling("minimax")
        self._minimax = self._file.prepare("minimax")
        self.board, self._passed = EMPTY_BOARD, []
        return self._checked_board(None)

    def play(self, cell: int) -> CheckedBoard:
        """Play a move on an empty cell, and return the board.

        `minimax` is also called on the last board of a game.
        """
        here = solution()[self.board]
        assert not here.over
        assert self.board[cell] == "."
        self.board = f"{self.board[:cell]}{here.turn}{self.board[cell + 1 :]}"
        checked = self._checked_board(cell)
        if checked.over:
            wrong = self._call_minimax()[1]
            if wrong is not None:
                return checked._replace(remark=plain(_words(self._failure(wrong))))
        return checked

    def answer(self) -> CheckedBoard:
        """Play the move of `minimax`, and return the board.

        Raises:
            CourseError: it returns no possible move, raises, or changes the board.
        """
        answer, wrong = self._call_minimax()
        action = None if answer.raised else action_of(Interface.CS50, value_of(answer))
        remark = ""
        if wrong is not None:
            failure = self._failure(wrong)
            if wrong.kinds != ["value"] or action not in solution()[self.board].actions:
                raise CourseError(_words(failure), failure.board)
            remark = plain(failure.says)
        assert action is not None
        shown = self.play(3 * action[0] + action[1])
        return shown._replace(remark=f"{remark} {shown.remark}".strip())

    def _call_minimax(self) -> tuple[CallAnswer, Wrong | None]:
        self._calling("minimax")
        case = Case(self.board)
        answer = self._minimax(case)
        if kinds := judge(Interface.CS50, "minimax", case, answer):
            return answer, Wrong(case, answer, kinds)
        self._passed.append(case)
        return answer, None

    def _failure(self, wrong: Wrong) -> CaseFailure:
        return failure_of(Interface.CS50, "minimax", [wrong], self._passed)

    def _checked_board(self, last: int | None) -> CheckedBoard:
        here = solution()[self.board]
        return CheckedBoard(self.board, None if here.over else here.turn, here.winner, last)


def _words(failure: CaseFailure) -> str:
    """Return a failure in words: the sentence, then the values."""
    if not failure.board:
        return failure.says
    shown = "; ".join(f"{name} {_short(value)}" for name, value in values(failure))
    return f"{failure.says} {shown[0].upper()}{shown[1:]}."


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


@contextmanager
def _silence() -> Iterator[None]:
    """Drop the file's output during thousands of calls."""
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing), redirect_stderr(nothing):
        yield


def serve(inbox: Inbox, outbox: Connection, name: str, boards: Iterable[str] | None = None) -> None:
    """Answer the window's requests with a `CheckedBoard` or a `CourseError`."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    least = MAX_MEMORY if most == resource.RLIM_INFINITY else min(MAX_MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, most))
    course: CourseGame | None = None
    for request, cell in inbox:
        try:
            if course is None:
                course = CourseGame(
                    name, lambda function: outbox.send(FunctionCall(function)), boards
                )
            if request == "begin":
                seen = course.begin()
            else:
                seen = course.play(cell) if request == "play" else course.answer()
            outbox.send(seen)
        except CourseError as fault:
            outbox.send(fault)
