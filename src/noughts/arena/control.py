"""Time controls: the time, nodes or depth that a bot has for a move.

    Control ──limit(remaining)──► Limit of this move; deadline(remaining) ──► seconds
    Clocks  ──spend(side, seconds)──► Clocks, with the increment

A control limits each move by seconds, nodes or depth, or a whole game by a clock with increment.
The match measures the time, not the bot.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from noughts.games.position import NotationError, Player
from noughts.search.result import LARGEST_LIMITS, Limit

PATIENCE = 60.0
"""Seconds for a move under a control of nodes or depth; after them a bot counts as hanging."""
MARGIN = 0.02
"""Seconds by which a move may be late: a grace period for communication."""

SHORTEST = 0.001
"""Minimum seconds of a search."""
MOVES_LEFT = 40
"""Moves for which the remaining time of a clock should last, besides the increment."""
LARGEST_SHARE = 0.4
"""The largest part of the remaining time for one move."""

_CLOCK = re.compile(r"([0-9]+(?:\.[0-9]+)?)(?:\+([0-9]+(?:\.[0-9]+)?))?")


class Control(NamedTuple):
    """A time control; exactly one of the first four is given.

    Args:
        seconds: for each move.
        nodes: for each move.
        depth: for each move.
        clock: seconds for the whole game, for each side.
        increment: seconds added to the clock after each move.
        margin: seconds by which a move may be late.
        first_seconds: for the first move of each side, in place of `seconds`.

    >>> Control(clock=10, increment=0.1).text, Control(seconds=0.1, first_seconds=1.0).text
    ('clock=10+0.1', 'seconds=0.1,first=1')
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: float | None = None
    increment: float = 0.0
    margin: float = MARGIN
    first_seconds: float | None = None

    @property
    def of_first_move(self) -> Control:
        """The control of the first move of a side."""
        return self if self.first_seconds is None else self._replace(seconds=self.first_seconds)

    @property
    def text(self) -> str:
        """The control as one word, such as `seconds=0.1`; without the margin."""
        if self.clock is not None:
            increment = f"+{self.increment:g}" if self.increment else ""
            return f"clock={self.clock:g}{increment}"
        if self.first_seconds is not None:
            return f"seconds={self.seconds:g},first={self.first_seconds:g}"
        for key, value in (("seconds", self.seconds), ("nodes", self.nodes), ("depth", self.depth)):
            if value is not None:
                return f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
        return "none"

    def limit(self, remaining: float | None, overhead: float = 0.0) -> Limit:
        """Return the limit of the next move, given the mover's remaining time on a clock.

        On a clock `seconds` is a share of the remaining time and of the increment, for bots without
        time management; `max_seconds` is four times as much, but never all that remains.

        Args:
            remaining: seconds on the clock; `None` without a clock.
            overhead: seconds of communication that the clock counts too.
        """
        if remaining is None:
            return Limit(self.depth, self.nodes, self.seconds)
        left = min(remaining, LARGEST_LIMITS["seconds"]) - overhead
        share = left / MOVES_LEFT + 0.8 * self.increment
        most = max(SHORTEST, min(4 * share, LARGEST_SHARE * left))
        return Limit(seconds=max(SHORTEST, min(share, most)), max_seconds=most)

    def deadline(self, remaining: float | None) -> float:
        """Return the seconds after which the next move is too late."""
        if remaining is not None:
            return remaining + self.margin
        return PATIENCE if self.seconds is None else self.seconds + self.margin


def parse_clock(text: str) -> tuple[float, float]:
    """Return the seconds and the increment of a clock such as `10+0.1` or `60`.

    Raises:
        NotationError: another text, or no time.
    """
    found = _CLOCK.fullmatch(text)
    base, increment = (float(found[1]), float(found[2] or 0)) if found else (0.0, 0.0)
    if not base or max(base, increment) > LARGEST_LIMITS["seconds"]:
        reason = "not a clock: expected seconds and an increment, such as 10+0.1, or seconds"
        raise NotationError(text, "CLOCK", reason)
    return base, increment


class Clocks(NamedTuple):
    """Remaining time of each side, in seconds."""

    x: float
    o: float

    def of(self, side: Player) -> float:
        return self.x if side is Player.X else self.o

    def spend(self, side: Player, seconds: float, increment: float) -> Clocks:
        """Return the clocks after a move of `side` that took `seconds`, with the increment.

        If the move took more than the remaining time, the clock holds the increment.
        """
        left = max(0.0, self.of(side) - seconds) + increment
        return self._replace(**{"x" if side is Player.X else "o": left})
