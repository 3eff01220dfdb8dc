"""The table of a match as text: for a terminal, a log, or a file.

    Standings ──standings_text()──► points of each bot
                                    two bots: Elo ± 95 %, and its probability
                                    more bots: a crosstable

Rich prints it, without styles if the output is not a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from noughts.arena.standings import TOO_FEW, Meeting, Standings, Tally
from noughts.arena.statistics import Sprt
from noughts.games.record import Record
from noughts.games.words import percent

NAME_WIDTH = 36
"""Widest column of names; a longer name continues in the next line."""
LAST_LINE = 200
"""Most characters shown of the last line of a message."""


def standings_text(table: Standings, sprt: Sprt | None = None) -> RenderableType:
    """Return the table of all games, and one for each rules id if there are several.

    Args:
        table: of at least one game.
        sprt: a test whose state is shown, for two bots.
    """
    parts = [ranking_table(table), *_meaning(table)]
    if sprt is not None:
        parts.append(Text(sprt_text(table, sprt)))
    if len(table.by_rules) > 1:
        for rules, part in table.by_rules.items():
            parts += [Group(Text(rules, "bold"), ranking_table(part)), *_meaning(part)]
    return Group(*(Padding(part, (0, 0, 1, 0), expand=False) for part in parts[:-1]), parts[-1])


def _meaning(table: Standings) -> Iterable[RenderableType]:
    if len(table.bots) > 2:
        yield meetings_table(table)
    for meeting in table.meetings() if len(table.bots) == 2 else ():
        yield Group(*map(Text, meeting_lines(meeting)))


def ranking_table(table: Standings, *, whole: bool = True) -> Table:
    """Return the bots with their games and points, best first.

    Args:
        table: of at least one game.
        whole: whether names are shown whole, even if the table becomes wider than the screen.
    """
    tallies = table.ranking()
    faults = any(tally.faults for tally in tallies)
    headers = ["", "bot", "games", "won", "drawn", "lost", "points", "score"]
    headers += [*(["faults"] if faults else []), "ms/move", "most"]
    shown = bot_table(headers, table.bots, whole)
    for rank, tally in enumerate(tallies, 1):
        numbers = (tally.games, tally.wins, tally.draws, tally.losses)
        cells = [str(rank), tally.name, *(f"{number:,}" for number in numbers)]
        cells += [points_text(tally.points), percent(tally.score)]
        cells += [str(tally.faults.total() or "")] if faults else []
        shown.add_row(*map(Text, [*cells, *_times(tally)]))
    return shown


def _times(tally: Tally) -> tuple[str, str]:
    if tally.mean_seconds is None:
        return "", ""
    return f"{1000 * tally.mean_seconds:,.1f}", f"{1000 * tally.max_seconds:,.1f}"


def meetings_table(table: Standings, *, whole: bool = True) -> Table:
    """Return a crosstable of points in the order of the ranking.

    If only one bot met the others, the table has one row.
    """
    meetings = table.meetings()
    names = [tally.name for tally in table.ranking()]
    for name in names:
        if len(names) > 2 and all(name in (meeting.a, meeting.b) for meeting in meetings):
            others = [other for other in names if other != name]
            return _gauntlet_table([table.meeting(name, other) for other in others], whole)
    shown = bot_table(["", "points from", *map(str, range(1, len(names) + 1))], names, whole)
    for rank, name in enumerate(names, 1):
        cells = [_points_of(table.meeting(name, other)) for other in names]
        shown.add_row(*map(Text, [str(rank), name, *cells]))
    return shown


def _gauntlet_table(meetings: Sequence[Meeting], whole: bool) -> Table:
    name = meetings[0].a
    headers = ("", f"{name} against", "points", "won", "drawn", "lost", "Elo ± 95 %")
    shown = bot_table(headers, [meeting.b for meeting in meetings], whole)
    for meeting in meetings:
        numbers = (f"{each:,}" for each in (meeting.wins, meeting.draws, meeting.losses))
        cells = ("", meeting.b, _points_of(meeting), *numbers, meeting.elo_text)
        shown.add_row(*map(Text, cells))
    return shown


MAX_PAIRINGS = 15
"""Most pairings of bots that have rows in the table of X against O."""


def sides_table(table: Standings) -> Table:
    """Return the games of X, who moves first, against O: of all games, by rules, by bots.

    With more than `MAX_PAIRINGS` pairings of bots, these have no rows.
    """
    rows = [("all games", table.sides())]
    several = len(table.by_rules) > 1
    for rules, part in table.by_rules.items():
        rows += [(rules, part.sides())] if several else []
        pairings = part.sides_by_bots()
        if 1 < len(pairings) <= MAX_PAIRINGS:
            rows += [(f"  {' – '.join(bots)}", sides) for bots, sides in pairings.items()]
    headers = ("", "X against O", "games", "X won", "drawn", "O won", "X's score ± 95 %", "better")
    shown = bot_table(headers, [name for name, _ in rows])
    for name, sides in rows:
        counts = (sum(sides.games), sides.wins, sides.draws, sides.losses)
        cells = ("", name, *(f"{number:,}" for number in counts), sides.score_text)
        shown.add_row(*map(Text, (*cells, sides.better or "not decided")))
    return shown


def _points_of(meeting: Meeting) -> str:
    return f"{points_text(meeting.points)}/{sum(meeting.games)}" if any(meeting.games) else "·"


def meeting_lines(meeting: Meeting) -> list[str]:
    """Return the comparison of two bots in sentences."""
    elo = meeting.elo_text
    if elo != TOO_FEW:
        elo += f" at 95 %; stronger with a likelihood of {meeting.superiority_text}"
    lines = [f"Elo of {meeting.a} over {meeting.b}: {elo}"]
    if any(meeting.pairs):
        counts = " · ".join(f"{count:,}" for count in meeting.pairs)
        lines.append(f"pairs with 0 · ½ · 1 · 1½ · 2 points: {counts}")
    return lines


def sprt_text(table: Standings, sprt: Sprt) -> str:
    """Return the state of a test of the first bot against the second."""
    a, b = table.bots
    counts = table.meeting(a, b).pairs
    ratio, (lower, upper) = sprt.ratio(counts), sprt.bounds
    verdict = {True: "passed", False: "failed", None: "not decided"}[sprt.passed(counts)]
    return (
        f"SPRT of {a}, Elo {sprt.elo0:g} or {sprt.elo1:g}: {verdict}; "
        f"LLR {ratio:+.2f} of {lower:+.2f} to {upper:+.2f}"
    )


class FaultLine(NamedTuple):
    """One kind of fault of a bot: its count, and the message of the first one in short."""

    name: str
    verdict: str
    times: int
    round: str
    """The number of the first of these games; empty if the records have no numbers."""
    message: str

    def __str__(self) -> str:
        place = f", first in game {self.round}" if self.round else ""
        return f"{self.name}: {self.verdict}, {self.times:,} ×{place}: {self.message}"


def fault_lines(records: Iterable[Record]) -> list[FaultLine]:
    """Return the faults of a match, one line for each bot and verdict, in order of appearance."""
    found: dict[tuple[str, str], FaultLine] = {}
    for record in records:
        side, _, message = record.tags.get("Fault", "").partition(": ")
        if side:
            name = record.tags.get(side, "?")
            # The last line of a long message is the end of the error stream, which usually names
            # the cause.
            first, *more = message.splitlines() or [""]
            ends = [line.strip()[-LAST_LINE:] for line in more[-1:]]
            said = " … ".join([first, *(end for end in ends if end not in first)])
            new = FaultLine(name, record.termination, 0, record.tags.get("Round", ""), said)
            line = found.get((name, record.termination), new)
            found[name, record.termination] = line._replace(times=line.times + 1)
    return list(found.values())


def points_text(points: float) -> str:
    """Return points as tables have them.

    >>> points_text(12.5), points_text(0.5), points_text(3.0)
    ('12½', '½', '3')
    """
    whole, half = divmod(round(points * 2), 2)
    return f"{whole:,}{'½' * half}" if whole or not half else "½"


def bot_table(headers: Sequence[str], names: Iterable[str], whole: bool = True) -> Table:
    """Return an empty table whose second column is for names."""
    width = min(NAME_WIDTH, max(map(cell_len, [*names, headers[1]])))
    table = Table(
        box=box.SIMPLE_HEAD,
        border_style="bright_black",
        padding=(0, 1, 0, 0),
        pad_edge=False,
        show_edge=False,
    )
    for number, header in enumerate(headers):
        if number == 1:
            least = width if whole else None
            table.add_column(header, overflow="fold", min_width=least, max_width=width)
        else:
            table.add_column(header, justify="right", no_wrap=True)
    return table
