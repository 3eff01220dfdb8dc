"""Check a student's file in this process, which is the sandbox itself: a worker of a browser.

    check_here() ──► FileHere ──StudentFile──► CallAnswer ──► CheckReport

There is no process to kill. A hook of the interpreter stops an endless call at its next loop or
function call; if the call never reaches one, the page ends the worker.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from math import inf
from pathlib import Path
from types import CodeType

from noughts.school.check import MAX_ENDS, Progress, check_runner
from noughts.school.report import CheckReport, not_imported
from noughts.school.student import (
    CallAnswer,
    Case,
    FileFails,
    Interface,
    StudentFile,
    without_input,
)

IMPORT_SECONDS = 10.0
"""Processor time to import the file."""
STEPS = 500
"""Loops and calls between two looks at the clock."""


class TimeIsOver(BaseException):
    """Ends a call of a student's function."""


def check_here(
    path: Path, interface: Interface | None, function: str | None, *, progress: Progress
) -> CheckReport:
    """Check a student's file in this process; a page should end its worker afterwards.

    Args:
        path: the file.
        interface: its functions; by default those of CS50, if the file has them.
        function: the function that chooses a move, of another interface than CS50's.
        progress: called during the check.

    Raises:
        NothingToCheck: the file has none of the functions.
    """
    form = interface or Interface.CS50
    try:
        with (
            without_input(),
            redirect_stdout(_Nowhere()),
            redirect_stderr(_Nowhere()),
            CallClock(path) as clock,
        ):
            return check_runner(FileHere(path, form, clock), interface, function, progress)
    except FileFails as error:
        return not_imported(form, str(error))


class FileHere:
    """A student's file in this process, with limits of time.

    Args:
        path: the file.
        interface: decides how functions are called.
        clock: watches the code of the file.

    Raises:
        FileFails: it cannot be imported.
    """

    def __init__(self, path: Path, interface: Interface, clock: CallClock) -> None:
        self._clock = clock
        try:
            with clock.limit(IMPORT_SECONDS):
                self._file = StudentFile(path, interface)
        except (FileFails, TimeIsOver):
            if not clock.is_over:
                raise
            raise FileFails(
                'The import does not end: move the game\'s loop below `if __name__ == "__main__":`.'
            ) from None
        self.parameters = self._file.parameters
        """The functions of the file with the number of arguments that each needs."""

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
        """Yield the answers of a function to cases, in order.

        They end early after `MAX_ENDS` calls without end.

        Args:
            function: its name.
            cases: the calls.
            right: functions to replace by right ones.
            seconds: processor time of one call.
            fresh: load the file again before each call; a browser has no new processes.
            remember: keep the values of the file's pure functions from call to call.
        """
        clock, ends = self._clock, 0
        call = self._file.prepare(function, right, remember=remember)
        for number, case in enumerate(cases):
            if fresh and number:
                call = self._file.prepare(function, right)
            with suppress(TimeIsOver), clock.limit(seconds):
                answer = call(case)
            if not clock.is_over:
                yield answer
                continue
            yield CallAnswer(ended="time", seconds=seconds)
            ends += 1
            if ends == MAX_ENDS:
                return
            call = self._file.prepare(function, right, remember=remember)


class CallClock:
    """Ends calls of the functions in one file; a context manager, one at a time.

    Python before 3.12 has no such hook: there, no call is ended.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self._file = str(path.resolve())
        self._until, self._left = inf, STEPS
        self.is_over = False
        """Whether the last limit was reached."""

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Raise `TimeIsOver` in the code of the file after this processor time."""
        self._until, self._left, self.is_over = time.process_time() + seconds, STEPS, False
        try:
            yield
        finally:
            self._until = inf

    def _step(self, code: CodeType, *_: object) -> object:
        if sys.version_info >= (3, 12) and code.co_filename != self._file:
            return sys.monitoring.DISABLE
        self._left -= 1
        if self._left <= 0:
            self._left = STEPS
            if time.process_time() > self._until:
                self.is_over = True
                raise TimeIsOver
        return None

    def __enter__(self) -> CallClock:
        if sys.version_info >= (3, 12):
            hooks = sys.monitoring
            hooks.use_tool_id(hooks.DEBUGGER_ID, "noughts")
            for event in (hooks.events.JUMP, hooks.events.PY_START):
                hooks.register_callback(hooks.DEBUGGER_ID, event, self._step)
            hooks.set_events(hooks.DEBUGGER_ID, hooks.events.JUMP | hooks.events.PY_START)
        return self

    def __exit__(self, *error: object) -> None:
        if sys.version_info >= (3, 12):
            hooks = sys.monitoring
            hooks.set_events(hooks.DEBUGGER_ID, hooks.events.NO_EVENTS)
            hooks.free_tool_id(hooks.DEBUGGER_ID)


class _Nowhere(io.TextIOBase):
    """A stream that forgets all text."""

    def write(self, text: str) -> int:
        return len(text)
