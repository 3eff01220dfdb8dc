"""The progress of a match on stderr: a live table at a terminal, else a line every ten seconds.

Match ──view()──► bar, pace, games in progress, table     Record ──► a line for each new fault
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from noughts.arena.match import Match
from noughts.arena.schedule import Fixture
from noughts.games.record import Record
from noughts.views.standings import (
    fault_lines,
    meeting_lines,
    meetings_table,
    ranking_table,
    sprt_text,
)

LINE_SECONDS = 10.0
"""Seconds between two lines of progress."""
SHOWN_GAMES = 4
"""Games in progress that are listed."""
CROSSED_BOTS = 8
"""Most bots whose results against each other fit the screen."""


class Pace:
    """Games played, speed and remaining time of a match."""

    def __init__(self, played: Match) -> None:
        self._played = played
        self._began = time.monotonic()
        self._before = len(played.over)

    def __str__(self) -> str:
        done, total = len(self._played.over), len(self._played.fixtures)
        seconds = time.monotonic() - self._began
        rate = (done - self._before) / seconds if seconds else 0.0
        words = [f"{done:,} of {total:,} games"]
        if rate:
            at_most = "at most " if self._played.sprt else ""
            pace = f"{rate:.1f} games/s" if rate >= 1 else f"{1 / rate:.1f} s/game"
            words += [pace, f"{at_most}{_clock((total - done) / rate)} left"]
        return " · ".join(words)


@contextmanager
def shown_progress(console: Console, played: Match) -> Iterator[Callable[[Record], None]]:
    """Show the progress of a match; yield a function to call with each game that ends."""
    if not console.is_terminal:
        yield _line_printer(console, played)
        return
    pace = Pace(played)

    class View:
        def __rich__(self) -> RenderableType:
            with played.changing:
                return view(played, str(pace))

    with Live(View(), console=console, refresh_per_second=4, transient=True):
        yield _fault_printer(console)


def view(played: Match, pace: str) -> RenderableType:
    """Return the live display of a match: progress, games, table.

    The most important part is first: a low screen cuts off the rest.
    """
    line = Table.grid(padding=(0, 2, 0, 0))
    bar = ProgressBar(len(played.fixtures), len(played.over), width=30, complete_style="blue")
    line.add_row(bar, Text(pace))
    parts: list[RenderableType] = [line]
    running = sorted(played.running.values())
    parts += [Text(_fixture_text(played, each), "bright_black") for each in running[:SHOWN_GAMES]]
    if len(running) > SHOWN_GAMES:
        parts.append(Text(f"and {len(running) - SHOWN_GAMES} more", "bright_black"))
    table = played.standings
    if not table.games:
        return Group(*parts)
    parts += [Text(), ranking_table(table, whole=False), Text()]
    if len(table.bots) == 2:
        parts += [Text(meeting_lines(table.meetings()[0])[0])]
        parts += [Text(sprt_text(table, played.sprt))] if played.sprt else []
    elif len(table.bots) <= CROSSED_BOTS:
        parts += [meetings_table(table, whole=False)]
    return Group(*parts)


def _fixture_text(played: Match, fixture: Fixture) -> str:
    x, o = (played.terms.entries[index].name for index in (fixture.x, fixture.o))
    return f"game {fixture.number}: {x} (X) – {o} (O), {fixture.opening.start.partition('~')[0]}"


def _line_printer(console: Console, played: Match) -> Callable[[Record], None]:
    """Return a function that prints a line of progress every `LINE_SECONDS`."""
    pace, told, last = Pace(played), _fault_printer(console), time.monotonic()

    def said(record: Record) -> None:
        nonlocal last
        told(record)
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            console.print(str(pace), markup=False, soft_wrap=True)

    return said


def _fault_printer(console: Console) -> Callable[[Record], None]:
    """Return a function that prints the first fault of each kind of each bot."""
    told: set[tuple[str, str]] = set()

    def tell(record: Record) -> None:
        for line in fault_lines([record]):
            if (line.name, line.verdict) not in told:
                told.add((line.name, line.verdict))
                message = f"{line.name}, game {line.round}: {line.verdict}: {line.message}"
                console.print(message, markup=False, soft_wrap=True)

    return tell


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
