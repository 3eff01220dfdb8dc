"""Program that runs a student's file in a separate process and answers calls of its functions.

    python -m noughts.school.host FILE INTERFACE [fresh]

    first line in   TOKEN
    first line out  TOKEN {"parameters": {…}} or TOKEN {"fails": SENTENCE}
    a request       {"function", "right", "seconds", "remember", "apart",
                     "cases": [[BOARD, ACTION, MOVES], …]}
    replies         lines `TOKEN {"answers": [[CallAnswer], …], "calls": CALLS}`, in order

Several answers share a line. `CALLS` says that they are all so far, and that a call is in progress:
if the process ends then, this call has ended it. With `apart` each answer has its own line.

With `fresh` the program does not load the file: a new process loads it for each case.

The file cannot reach these lines by printing or reading: before it is loaded, its input and output
are replaced by the null device. A call that takes more than its processor time is ended by SIGPROF,
together with the process. This keeps mistakes apart from the check; it is no sandbox.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

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
TOGETHER = 0.2
"""Seconds on the clock after which answers are sent."""
LARGEST_FILE = 10 << 20
"""Most bytes of a file that the student's code writes."""
_NEW_USER, _NEW_NET = 0x10000000, 0x40000000  # unshare(2): CLONE_NEWUSER, CLONE_NEWNET


def main() -> None:
    """Load the file that the arguments name, and answer requests until the input ends."""
    path, interface, is_fresh = Path(sys.argv[1]), Interface(sys.argv[2]), sys.argv[3:] == ["fresh"]
    requests, replies = os.fdopen(os.dup(0)), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    token = requests.readline().strip()
    _leave_network()
    _limit_files()

    def reply(data: object) -> None:
        os.write(replies, f"{token} {json.dumps(data)}\n".encode())

    with without_input():
        (_answer_fresh if is_fresh else _answer)(path, interface, requests, reply)


Reply = Callable[[object], None]


def _answer(path: Path, interface: Interface, requests: TextIO, reply: Reply) -> None:
    """Load the file, and reply to each request."""
    # The time of a call is its processor time, so that a busy machine ends no function.
    signal.setitimer(signal.ITIMER_PROF, IMPORT_SECONDS)
    try:
        file = StudentFile(path, interface)
    except FileFails as error:
        reply({"fails": str(error)})
        return
    signal.setitimer(signal.ITIMER_PROF, 0)
    reply({"parameters": file.parameters})
    prepared, call = None, None
    for line in requests:
        request = json.loads(line)
        setting = request["function"], request["right"], request["remember"]
        if call is None or setting != prepared:
            signal.setitimer(signal.ITIMER_PROF, IMPORT_SECONDS)
            function, right, remember = setting
            prepared, call = setting, file.prepare(function, right, remember=remember)
        with _Replies(reply) as replies:
            for case in map(Case.from_data, request["cases"]):
                if request["apart"]:
                    replies.tell()
                signal.setitimer(signal.ITIMER_PROF, request["seconds"])
                answer = call(case)
                signal.setitimer(signal.ITIMER_PROF, 0)
                replies.add(answer)


class _Replies:
    """Answers on their way; a context manager, which sends those of `TOGETHER` seconds together.

    Args:
        reply: sends a line.
    """

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._answers: list[CallAnswer] = []
        self._is_told = False

    def add(self, answer: CallAnswer) -> None:
        """Add an answer, to be sent later; at once if its call was told."""
        self._answers.append(answer)
        if self._is_told:
            self._send()

    def tell(self, *_: object) -> None:
        """Send the answers so far during a call, unless that is done."""
        if not self._is_told:
            answers, self._answers, self._is_told = self._answers, [], True
            self._reply({"answers": answers, "calls": True})

    def __enter__(self) -> _Replies:
        signal.signal(signal.SIGALRM, self.tell)
        signal.setitimer(signal.ITIMER_REAL, TOGETHER, TOGETHER)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._is_told = True  # A signal that is still to come sends nothing.
        self._send()

    def _send(self) -> None:
        answers, self._answers = self._answers, []
        self._reply({"answers": answers, "calls": False})
        self._is_told = False


def _answer_fresh(path: Path, interface: Interface, requests: TextIO, reply: Reply) -> None:
    """Reply to each request; a new process loads the file for each case."""
    reply({"parameters": {}})
    for line in requests:
        request = json.loads(line)
        for case in map(Case.from_data, request["cases"]):
            reply({"answers": [_in_new_process(path, interface, request, case)], "calls": True})


def _in_new_process(
    path: Path, interface: Interface, request: dict[str, Any], case: Case
) -> CallAnswer:
    """Return the first answer of a new process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.setitimer(signal.ITIMER_PROF, IMPORT_SECONDS)
            file = StudentFile(path, interface)
            call = file.prepare(request["function"], request["right"], again=False)
            signal.setitimer(signal.ITIMER_PROF, request["seconds"])
            answer = call(case)
        except FileFails as error:
            answer = loads_once(error)
        os.write(writing, json.dumps(answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        found = stream.read()
    _, status = os.waitpid(child, 0)
    try:
        return CallAnswer(*json.loads(found))
    except ValueError:  # the process has ended before
        return CallAnswer(ended=end_of(os.waitstatus_to_exitcode(status)))


def loads_once(error: FileFails) -> CallAnswer:
    """Return the answer for a file that cannot be imported a second time."""
    return CallAnswer(ended=f"The file loads once, but not again: {error}")


def end_of(status: int | None) -> str:
    """Return why a process ended: `time`, or a sentence."""
    if status is None or status == -signal.SIGPROF:
        return "time"
    if status >= 0:
        return f"It ends Python with the exit status {status}."
    return f"It crashes Python ({signal.Signals(-status).name}), perhaps by endless recursion."


def _leave_network() -> None:
    """Give this process a network without interfaces, where the system allows it."""
    if sys.platform == "linux":
        unshare = ctypes.CDLL(None).unshare
        if unshare(_NEW_USER | _NEW_NET) != 0:
            unshare(_NEW_NET)


def _limit_files() -> None:
    import resource

    with suppress(ValueError):  # the user's own limit is lower
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))


if __name__ == "__main__":
    main()
