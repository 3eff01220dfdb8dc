"""What the kinds share that are programs of another site's protocol: how one is started and asked.

    ./bot --fast ──open_child()──► Child ──lines──► answer() ──► a line in time, or a Fault

The deadline is the referee's: here it is only how long to wait.
"""

from __future__ import annotations

import shlex
import time

from noughts.arena.bot import Entry, Fault, Verdict
from noughts.arena.process import Child, printable

LATE_SECONDS = 1.0
"""How long a late answer is waited for, so that a slow bot can be told from one that hangs."""


def open_child(entry: Entry, *more: str) -> Child:
    """Start the program that an entry's text names, with more arguments behind its own.

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
    """Return the next line of a bot that is an answer.

    Args:
        child: its process.
        until: by the clock of `time.monotonic`, when the answer is due; a little more is waited.
        wanted: what the answer is to be, for the message.
        aside: how lines begin, in capitals, that are none; empty ones are none either.
        verdict: that of a bot that gives none.

    Raises:
        Fault: none comes, or the process ends.
    """
    last = until + LATE_SECONDS
    while (line := child.line(max(0.0, last - time.monotonic()))) is not None:
        line = line.strip()
        if line and not line.upper().startswith(aside):
            return line
        if time.monotonic() >= last:
            break
    begun = f"; it wrote {printable(child.partial)!r} without an end of line" * bool(child.partial)
    reason = f"no answer came where {wanted} is wanted{begun}: does it flush its output?"
    raise child.fault(verdict, reason)


def garbage(child: Child, line: str, wanted: str) -> Fault:
    """Return the fault of a bot that has answered with something else than what was wanted."""
    return child.fault(Verdict.GARBAGE, f"it answered {printable(line)!r}; wanted is {wanted}")
