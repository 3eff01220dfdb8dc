"""What the kinds share that are programs of another site's protocol: how one is named and asked.

./bot --fast ──parse_command()──► words ──Child──► lines ──answer()──► a line, or a Fault
"""

from __future__ import annotations

import shlex
import time
from shutil import which

from noughts.arena.bot import Verdict
from noughts.arena.process import Child
from noughts.games.position import NotationError

LATE_SECONDS = 1.0
"""How long a late answer is waited for, so that a slow bot can be told from one that hangs."""


def parse_command(text: str, rest: str) -> list[str]:
    """Return the words of a command; no shell reads it, but words can be quoted as in one.

    Raises:
        NotationError: a quote is left open, or there is no such program.
    """
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise NotationError(text, "BOT", f"{rest!r} is not a command: {error}") from None
    if not words or which(words[0]) is None:
        raise NotationError(text, "BOT", f"there is no program {words[0] if words else rest!r}")
    return words


def answer(child: Child, until: float, wanted: str) -> str:
    """Return the next line of a bot that is not empty.

    Args:
        child: its process.
        until: by the clock of `time.monotonic`, when the answer is due; a little more is waited.
        wanted: what the answer is to be, for the message.

    Raises:
        Fault: none comes, or the process ends.
    """
    while True:
        left = until + LATE_SECONDS - time.monotonic()
        line = child.line(max(0.0, left))
        if line is None:
            begun = f", but {child.partial[:80]!r} without an end of line" if child.partial else ""
            raise child.fault(Verdict.HANG, f"no answer came where {wanted} is wanted{begun}")
        if line.strip():
            return line.strip()


def garbage(child: Child, line: str, wanted: str) -> Exception:
    """Return the fault of a bot that has answered with something else than what was wanted."""
    shown = line if len(line) <= 80 else f"{line[:80]}…"
    return child.fault(Verdict.GARBAGE, f"it answered {shown!r}; wanted is {wanted}")
