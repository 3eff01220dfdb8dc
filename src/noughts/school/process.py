"""Run a student's file in a bounded process, and start a new one where a call ends it.

    check_file() ──► FileProcess ──► CheckReport

    call(function, cases) ──requests──► host ──CallAnswer──► one for each case
                            │ a call without end, os._exit, a crash
                            └──► CallAnswer(ended=…), a new process, the next case

The process has bounded memory and time and a temporary folder as its working directory.
"""

from __future__ import annotations

import json
import secrets
import signal
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from noughts.arena.bot import Bounds, Fault, Verdict
from noughts.arena.process import Child
from noughts.school.check import MAX_ENDS, Progress, check_runner
from noughts.school.host import IMPORT_SECONDS
from noughts.school.report import CheckReport, not_imported
from noughts.school.student import CallAnswer, Case, FileFails, Interface

BOUNDS = Bounds(memory_mib=4096)
"""Address space; NumPy alone reserves more than a gigabyte."""
CHUNK = 400
"""Cases in one request."""
START_SECONDS = 30.0
"""Seconds to start Python and import the file, apart from its processor time."""


def check_file(
    path: Path,
    interface: Interface | None = None,
    function: str | None = None,
    *,
    within: Path | None = None,
    progress: Progress = lambda *_: None,
) -> CheckReport:
    """Check a student's file in a separate process.

    Args:
        path: the file.
        interface: its functions; by default those of CS50, if the file has them.
        function: the function that chooses a move, of another interface than CS50's.
        within: the folder of its working directory; by default the system's.
        progress: called during the check.

    Raises:
        NothingToCheck: the file has none of the functions.
        OSError: the system has no resources for a process.
    """
    form = interface or Interface.CS50
    try:
        with FileProcess(path, form, within) as process:
            return check_runner(process, interface, function, progress)
    except FileFails as error:
        return not_imported(form, str(error))


class FileProcess:
    """A student's file in a separate process; a context manager.

    Args:
        path: the file.
        interface: decides how functions are called.
        within: the folder of its working directory; by default the system's for temporary files.

    Raises:
        FileFails: the file cannot be imported.
        OSError: the system has no resources for a process.
    """

    def __init__(self, path: Path, interface: Interface, within: Path | None = None) -> None:
        self.path = path.resolve()
        self.interface = interface
        self._child: Child | None = None
        self._token = ""
        self._folder = tempfile.TemporaryDirectory(
            prefix="noughts-check-", dir=within, ignore_cleanup_errors=True
        )
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> FileProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove its folder."""
        self._end_child()
        self._folder.cleanup()

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.close(0)
            self._child = None

    def call(
        self, function: str, cases: Sequence[Case], *, right: Collection[str], seconds: float
    ) -> Iterator[CallAnswer]:
        """Yield the answers of a function to cases, in order.

        They end early after `MAX_ENDS` calls that ended the process.

        Args:
            function: its name.
            cases: the calls.
            right: functions to replace by right ones.
            seconds: processor time of one call.
        """
        ends = done = 0
        while done < len(cases) and ends < MAX_ENDS:
            chunk = cases[done : done + CHUNK]
            for answer in self._ask(function, chunk, right, seconds):
                yield answer
                done += 1
                ends += bool(answer.ended)

    def _ask(
        self, function: str, chunk: Sequence[Case], right: Collection[str], seconds: float
    ) -> Iterator[CallAnswer]:
        """Yield the answers to a chunk, up to one that ended the process."""
        if self._child is None:
            try:
                self._start()
            except FileFails as error:
                yield CallAnswer(ended=f"The file loads once, but not again: {error}")
                return
        request = {"function": function, "right": [*right], "seconds": seconds, "cases": chunk}
        try:
            assert self._child is not None
            self._child.send(json.dumps(request))
            for _ in chunk:
                # A function that sleeps uses no processor time.
                reply = self._reply(START_SECONDS + 5 * seconds)
                yield CallAnswer(*reply)
        except Fault:
            assert self._child is not None
            yield CallAnswer(ended=_end_of(self._child))
            self._end_child()
        except GeneratorExit:
            # The remaining replies would be taken for those of the next request.
            self._end_child()
            raise

    def _start(self) -> None:
        self._token = secrets.token_hex(8)
        host = [sys.executable, "-P", "-m", "noughts.school.host", str(self.path)]
        try:
            self._child = Child(
                [*host, str(self.interface)], bounds=BOUNDS, directory=Path(self._folder.name)
            )
            self._child.send(self._token)
            reply = self._reply(START_SECONDS + 5 * IMPORT_SECONDS)
        except Fault:
            end = "time" if self._child is None else _end_of(self._child)
            self._end_child()
            if end == "time":
                end = (
                    "The import does not end: move the game's loop below "
                    '`if __name__ == "__main__":`.'
                )
            raise FileFails(end) from None
        if "fails" in reply:
            raise FileFails(reply["fails"])
        self.parameters: dict[str, int] = reply["parameters"]
        """The functions of the file with the number of arguments that each needs."""

    def _reply(self, seconds: float) -> Any:
        """Return the next reply of the host; other lines are not the host's.

        Raises:
            Fault: the process has ended, or does not answer in time.
        """
        assert self._child is not None
        while (line := self._child.line(seconds)) is not None:
            token, _, data = line.partition(" ")
            if token == self._token:
                return json.loads(data)
        raise self._child.fault(Verdict.HANG, "no reply")


def _end_of(child: Child) -> str:
    """Return why a process ended: `time`, or a sentence."""
    status = child.status
    if status is None or status == -signal.SIGPROF:
        return "time"
    if status >= 0:
        return f"It ends Python with the exit status {status}."
    return f"It crashes Python ({signal.Signals(-status).name}), perhaps by endless recursion."
