"""The report of a match as one page: results, statistics, times, and every game.

    records, Standings, Audit, Sprt ──match_report()──► one HTML text
                                      tables and charts  HTML and SVG, made here
                                      games              data, shown by static/*.js

Tables and charts work without the script; only the games need it. The boards are those of the
replay, and the script has no rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files

from noughts.arena.chat.figures import model_figures
from noughts.arena.referee import parse_note
from noughts.arena.regret import Audit
from noughts.arena.standings import UNKNOWN, Meeting, Standings
from noughts.arena.statistics import Sprt, Z, score, score_margin, standard_error
from noughts.games.position import Player
from noughts.games.record import Record
from noughts.games.swap2 import opening_moves
from noughts.games.words import count
from noughts.views import replay
from noughts.views.match_report import charts, words
from noughts.views.match_report.games import games_data
from noughts.views.models_table import HEADERS, NOTES, model_cells
from noughts.views.single_file import page
from noughts.views.standings import points_text

STATIC = files(__package__) / "static"
SCRIPTS = (
    *(replay.STATIC / name for name in ("words.js", "board.js", "key.js", "steps.js")),
    *(STATIC / name for name in ("game.js", "viewer.js", "list.js", "report.js")),
)
STYLES = (
    *(replay.STATIC / name for name in ("board.css", "steps.css")),
    STATIC / "report.css",
)


def match_report(
    records: Sequence[Record],
    table: Standings,
    *,
    audit: Audit | None = None,
    sprt: Sprt | None = None,
    theme: str = "auto",
) -> str:
    """Return a page that shows the games of one or more matches.

    Args:
        records: the games, in the order in which they are listed.
        table: of these records.
        audit: the regret of these records, if it was computed.
        sprt: a test whose course is shown, for two bots only; A is the first bot of `table`.
        theme: `light`, `dark`, or `auto` for the setting of the reader's system.

    Raises:
        IllegalMove: a record contains an illegal move.
        ValueError: a test, but not exactly two bots.
    """
    return page(
        "match_report/page.html",
        words.title_of(records),
        styles=STYLES,
        scripts=SCRIPTS,
        data=games_data(records, None if audit is None else audit.lost),
        theme=theme,
        terms=_terms(records),
        table=table,
        ranking=table.ranking(),
        course=words.course_of(records, table, sprt) if sprt and table.games else None,
        paired=[meeting for meeting in table.meetings() if any(meeting.pairs)],
        verdicts=sorted({verdict for tally in table.bots.values() for verdict in tally.faults}),
        times=_times(records),
        audit=audit,
        models=[(each.name, model_cells(each)) for each in model_figures(records, audit)],
        model_headers=HEADERS,
        model_notes=NOTES,
        words=words,
        charts=charts,
        count=count,
        points=points_text,
        interval=_interval,
        margin=score_margin,
    )


# Match ----------------------------------------------------------------------------------


def _terms(records: Sequence[Record]) -> dict[str, str]:
    def told(tag: str) -> list[str]:
        return list(dict.fromkeys(r.tags[tag] for r in records if r.tags.get(tag)))

    def some(texts: Sequence[str], noun: str) -> str:
        return " · ".join(texts) if len(texts) <= 4 else count(len(texts), noun)

    pairs = {
        (record.tags.get("Event"), record.start.rules_id, record.tags["Pair"])
        for record in records
        if "Pair" in record.tags
    }
    rules = Counter(record.start.rules_id for record in records)
    plies = [opening_moves(record) for record in records]
    openings = {
        (str(record.start), *record.moves[:first])
        for record, first in zip(records, plies, strict=True)
        if first
    }
    ends = Counter(record.termination for record in records)
    seeds = told("Seed")
    return {
        "Games": count(len(records), "game")
        + (f" in {count(len(pairs), 'pair')}" if pairs else ""),
        "A move": some(told("Control"), "time control"),
        "Openings": f"{len(openings):,} different, {_span(plies)} plies" if openings else "none",
        "Seed": some(seeds, "seed") if len(seeds) < len(records) else "one for each game",
        "Played": _span([date[:10] for date in told("Date")]),
        "Machine": some(told("Machine"), "machine"),
        "Rules": " · ".join(f"{each} ({number:,})" for each, number in rules.items()),
        "Ended by": " · ".join(f"{how} ({number:,})" for how, number in ends.most_common()),
    }


def _span(values: Sequence[object]) -> str:
    """Return the first and the last value, or the only one."""
    if not values:
        return ""
    low, high = min(values), max(values)  # type: ignore[type-var]
    return f"{low}" if low == high else f"{low} to {high}"


# Results ------------------------------------------------------------------------------------------


def _interval(meeting: Meeting) -> tuple[float | None, float | None]:
    """Return the bounds of 95 % of a score."""
    if sum(meeting.counts) < 2:
        return None, None
    margin = Z * standard_error(meeting.counts)
    middle = score(meeting.counts)
    return middle - margin, middle + margin


# Play ----------------------------------------------------------------------------------


def _times(records: Iterable[Record]) -> dict[str, list[float]]:
    """Return the seconds of each bot's moves, ascending, and the slowest bot first."""
    times: dict[str, list[float]] = {}
    for record in records:
        names = {player: record.tags.get(str(player), UNKNOWN) for player in Player}
        turn = record.start.turn
        for node in record.main_line():
            note = parse_note(node.comment)
            if note is not None:
                times.setdefault(names[turn], []).append(note.seconds)
            turn = turn.other
    ordered = {name: sorted(own) for name, own in times.items()}
    return dict(sorted(ordered.items(), key=lambda item: -charts.quantile(item[1], 0.5)))
