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
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from noughts.arena.bot import Bounds, Fault, Verdict
from noughts.arena.process import Child
from noughts.school.check import MAX_ENDS, Progress, check_runner
from noughts.school.host import IMPORT_SECONDS, end_of, loads_once
from noughts.school.report import CheckReport, not_imported
from noughts.school.student import CallAnswer, Case, FileFails, Interface

BOUNDS = Bounds(memory_mib=4096)
"""Address space; NumPy alone reserves more than a gigabyte."""
CHUNK = 400
"""Cases in one request."""
LOST = "lost"
"""The end of a process that took answers with it: each is asked for again, apart."""
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
        self._host: _Host | None = None
        self._fresh: _Host | None = None
        """The process that starts a new one for each call."""
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
        self._end_children()
        self._folder.cleanup()

    def _end_children(self) -> None:
        for host in (self._host, self._fresh):
            if host is not None:
                host.child.close(0)
        self._host = self._fresh = None

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

        They end early after `MAX_ENDS` calls that ended the process.

        Args:
            function: its name.
            cases: the calls.
            right: functions to replace by right ones.
            seconds: processor time of one call.
            fresh: make each call in a new process.
            remember: keep the values of the file's pure functions from call to call.
        """
        request = {
            "function": function,
            "right": [*right],
            "seconds": seconds,
            "remember": remember,
            "apart": fresh,
        }
        ends = done = 0
        while done < len(cases) and ends < MAX_ENDS:
            chunk = cases[done : done + CHUNK]
            for answer in self._ask(request, chunk, fresh):
                if answer.ended == LOST:
                    request["apart"] = True
                    break
                yield answer
                done += 1
                ends += bool(answer.ended)

    def _ask(
        self, request: dict[str, Any], chunk: Sequence[Case], fresh: bool
    ) -> Iterator[CallAnswer]:
        """Yield the answers to a chunk, up to one that ended the process."""
        try:
            host = self._running(fresh)
        except FileFails as error:
            yield loads_once(error)
            return
        left, calls = len(chunk), fresh
        try:
            host.child.send(json.dumps({**request, "cases": chunk}))
            while left or calls:
                # A function that sleeps uses no processor time.
                reply = host.reply(START_SECONDS + 5 * request["seconds"])
                calls = reply["calls"] and not fresh
                left -= len(reply["answers"])
                yield from (CallAnswer(*each) for each in reply["answers"])
        except Fault:
            end = end_of(host.child.status) if calls or fresh else LOST
            self._end_children()
            yield CallAnswer(ended=end)
        except GeneratorExit:
            # The remaining replies would be taken for those of the next request.
            self._end_children()
            raise

    def _running(self, fresh: bool) -> _Host:
        """Return the process for a request; start it if it does not run."""
        if fresh:
            if self._fresh is None:
                self._fresh, _ = self._begun("fresh")
            return self._fresh
        return self._host or self._start()

    def _start(self) -> _Host:
        self._host, reply = self._begun()
        self.parameters: dict[str, int] = reply["parameters"]
        """The functions of the file with the number of arguments that each needs."""
        return self._host

    def _begun(self, *words: str) -> tuple[_Host, dict[str, Any]]:
        """Return a new process, and its first reply.

        Raises:
            FileFails: the file cannot be imported.
        """
        program = [sys.executable, "-P", "-m", "noughts.school.host", str(self.path)]
        host: _Host | None = None
        try:
            child = Child(
                [*program, str(self.interface), *words],
                bounds=BOUNDS,
                directory=Path(self._folder.name),
            )
            host = _Host(child, secrets.token_hex(8))
            child.send(host.token)
            reply = host.reply(START_SECONDS + 5 * IMPORT_SECONDS)
            if "fails" not in reply:
                return host, reply
            why = reply["fails"]
        except Fault:
            why = "time" if host is None else end_of(host.child.status)
            if why == "time":
                why = (
                    "The import does not end: move the game's loop below "
                    '`if __name__ == "__main__":`.'
                )
        if host is not None:
            host.child.close(0)
        raise FileFails(why)


class _Host(NamedTuple):
    """A process of `noughts.school.host`."""

    child: Child
    token: str
    """The beginning of its replies; other lines are not the host's."""

    def reply(self, seconds: float) -> Any:
        """Return the next reply.

        Raises:
            Fault: the process has ended, or does not answer in time.
        """
        while (line := self.child.line(seconds)) is not None:
            token, _, data = line.partition(" ")
            if token == self.token:
                return json.loads(data)
        raise self.child.fault(Verdict.HANG, "no reply")
