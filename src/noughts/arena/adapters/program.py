"""Shared code of the adapters for programs: start one, and read its answers.

    ./bot --fast ──open_child()──► Child ──lines──► answer() ──► a line in time, or a Fault

The referee enforces the deadline; this module only waits until then.
"""

from __future__ import annotations

import shlex
import time

from noughts.arena.bot import Entry, Fault, Verdict
from noughts.arena.process import Child, printable

LATE_SECONDS = 1.0
"""Seconds to wait for a late answer, to tell a slow bot from one that hangs."""


def open_child(entry: Entry, *more: str) -> Child:
    """Start the program that an entry's text names, with more arguments after its own.

    Raises:
        Fault: it does not start.
    """
    command = entry.text.partition(":")[2]
    return Child(
        [*shlex.split(command), *more],
        bounds=entry.bounds,
        directory=entry.directory,
        name=entry.name,
    )


def answer(
    child: Child,
    until: float,
    wanted: str,
    *,
    aside: tuple[str, ...] = (),
    verdict: Verdict = Verdict.HANG,
) -> str:
    """Return the next answer of a bot.

    Args:
        child: its process.
        until: deadline by `time.monotonic`; the wait is `LATE_SECONDS` longer.
        wanted: description of the answer, for the message.
        aside: beginnings, in capitals, of lines to skip. Empty lines are skipped too.
        verdict: the fault of a bot that does not answer.

    Raises:
        Fault: no answer comes, or the process ends.
    """
    last = until + LATE_SECONDS
    while (line := child.line(max(0.0, last - time.monotonic()))) is not None:
        line = line.strip()
        if line and not line.upper().startswith(aside):
            return line
        if time.monotonic() >= last:
            break
    reason = f"no answer came where {wanted} is expected"
    if child.partial:
        reason += f"; it wrote {printable(child.partial)!r} without an end of line"
    else:
        reason += ": does it flush its output?"
    raise child.fault(verdict, reason)


def garbage(child: Child, line: str, wanted: str) -> Fault:
    """Return the fault of a bot whose answer does not have the expected form."""
    return child.fault(Verdict.GARBAGE, f"it answered {printable(line)!r}; expected {wanted}")
