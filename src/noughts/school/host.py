"""Program that runs a student's file in a separate process and answers calls of its functions.

    python -m noughts.school.host FILE INTERFACE

    first line in   TOKEN
    first line out  TOKEN {"parameters": {…}} or TOKEN {"fails": SENTENCE}
    a request       {"function", "right", "seconds", "cases": [[BOARD, ACTION], …]}
    replies         one line `TOKEN [CallAnswer]` for each case

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
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from noughts.school.student import Case, FileFails, Interface, StudentFile, without_input

IMPORT_SECONDS = 10.0
"""Processor time to import the file."""
LARGEST_FILE = 10 << 20
"""Most bytes of a file that the student's code writes."""
_NEW_USER, _NEW_NET = 0x10000000, 0x40000000  # unshare(2): CLONE_NEWUSER, CLONE_NEWNET


def main() -> None:
    """Load the file that the arguments name, and answer requests until the input ends."""
    path, interface = Path(sys.argv[1]), Interface(sys.argv[2])
    requests, replies = os.fdopen(os.dup(0)), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    token = requests.readline().strip()
    _leave_network()
    _limit_files()
    with without_input():
        _answer(path, interface, requests, replies, token)


def _answer(path: Path, interface: Interface, requests: TextIO, replies: int, token: str) -> None:
    """Load the file, and write a reply to each request, after the token, to `replies`."""

    def reply(data: object) -> None:
        os.write(replies, f"{token} {json.dumps(data)}\n".encode())

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
        setting = request["function"], request["right"]
        if call is None or setting != prepared:
            signal.setitimer(signal.ITIMER_PROF, IMPORT_SECONDS)
            prepared, call = setting, file.prepare(*setting)
        for board, action in request["cases"]:
            signal.setitimer(signal.ITIMER_PROF, request["seconds"])
            answer = call(Case(board, None if action is None else tuple(action)))
            signal.setitimer(signal.ITIMER_PROF, 0)
            reply(answer)


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
