"""The clocks of games between people, and the task that lets flags fall.

    a move ──► GameClock.passed() ──► left, since ──► row of the game ──► any server
                    └── due() ──► Flags: one task for all games ──► lost on time

A clock is stored as the seconds left at a time, so that it runs on wherever the game goes. The
first move of each side is not timed; with swap2 the first three stones are not.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from noughts.arena.control import Clocks, Control, parse_clock
from noughts.games.position import NotationError, Player

UNTIMED = 2
"""Plies before the clocks run."""
MIN_SECONDS, MAX_SECONDS = 1.0, 3 * 3600.0
"""Bounds of the time for a game."""
MAX_INCREMENT = 180.0
TICK = 0.5
"""Most seconds that the task of `Flags` sleeps while a clock runs."""
STALL = 1.5
"""If a tick took more seconds than this, the server was paused: nobody is charged."""

_OFFSET = time.time() - time.monotonic()


def now() -> float:
    """Return the time in seconds since 1970; it never jumps."""
    return _OFFSET + time.monotonic()


def parse_control(text: str) -> Control:
    """Return the time control of a clock such as `180+2`: seconds of a game, and of each move.

    Raises:
        NotationError: no clock, or one beyond the page's bounds.
    """
    seconds, increment = parse_clock(text)
    if not MIN_SECONDS <= seconds <= MAX_SECONDS or increment > MAX_INCREMENT:
        reason = (
            f"on the page a clock has {MIN_SECONDS:g} to {MAX_SECONDS:g} seconds "
            f"and at most {MAX_INCREMENT:g} more for each move"
        )
        raise NotationError(text, "CLOCK", reason)
    return Control(clock=seconds, increment=increment)


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clocks of both sides.

    >>> clock = GameClock(Control(clock=60, increment=2), Clocks(60, 60), since=100.0)
    >>> clock.at(Player.X, 110.0), clock.due(Player.X)
    (Clocks(x=50.0, o=60), 160.0)
    >>> clock.passed(Player.X, 110.0, increment=True).left
    Clocks(x=52.0, o=60)
    """

    control: Control
    left: Clocks
    """Seconds of each side at `since`."""
    since: float | None = None
    """The time at which the running clock was started; `None` while both clocks are stopped."""

    @classmethod
    def of(cls, control: Control) -> GameClock:
        """Return the clocks before the first move."""
        assert control.clock is not None
        return cls(control, Clocks(control.clock, control.clock))

    def at(self, turn: Player, time: float) -> Clocks:
        """Return the seconds left at a time; `turn` is to move."""
        spent = 0.0 if self.since is None else max(0.0, time - self.since)
        return self.left.spend(turn, spent, 0.0)

    def due(self, turn: Player) -> float | None:
        """Return the time at which the side to move loses; `None` while the clocks are stopped."""
        return None if self.since is None else self.since + self.left.of(turn)

    def passed(
        self, turn: Player, time: float, *, increment: bool = False, runs: bool = True
    ) -> GameClock:
        """Return the clocks after a change.

        Args:
            turn: the side to move before it, which is charged.
            time: the time of the change.
            increment: whether it is a move; one that was timed adds the increment.
            runs: whether the side to move afterwards is on the clock.
        """
        added = self.control.increment if increment and self.since is not None else 0.0
        left = self.at(turn, time).spend(turn, 0.0, added)
        return replace(self, left=left, since=time if runs else None)

    def swapped(self) -> GameClock:
        """Return the clocks of the players after they have changed sides."""
        return replace(self, left=Clocks(self.left.o, self.left.x))

    def later(self, seconds: float) -> GameClock:
        """Return the clocks moved on by the seconds in which the server stood still."""
        return self if self.since is None else replace(self, since=self.since + seconds)


class Flags:
    """The times at which games are lost on time; one task waits for all of them.

    Args:
        fall: called with the id of each game whose time is up.
        stalled: called with the seconds during which this program stood still.
    """

    def __init__(self, fall: Callable[[str], None], stalled: Callable[[float], None]) -> None:
        self._fall, self._stalled = fall, stalled
        self._due: dict[str, float] = {}
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """Return the number of running clocks."""
        return len(self._due)

    def set(self, id: str, due: float | None) -> None:  # noqa: A002
        """Set the time of a game; `None` if its clock does not run."""
        if due is None:
            self._due.pop(id, None)
            return
        self._due[id] = due
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """Stop the task: no game is lost on time any more."""
        self._due.clear()
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while self._due:
            began = time.monotonic()
            await asyncio.sleep(min(TICK, max(0.0, min(self._due.values()) - now())))
            slept = time.monotonic() - began
            if slept > STALL:
                self._stalled(slept)
            late = [id_ for id_, due in self._due.items() if due <= now()]
            for id_ in late:
                del self._due[id_]
                self._fall(id_)
