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
from html import escape
from importlib.resources import files

from noughts.arena.referee import parse_note
from noughts.arena.regret import Audit
from noughts.arena.standings import UNKNOWN, Meeting, Standings
from noughts.arena.statistics import Sprt, Z, score, score_margin, standard_error
from noughts.games.position import Player
from noughts.games.record import Record
from noughts.games.words import count
from noughts.views import replay
from noughts.views.match_report import words
from noughts.views.match_report.charts import (
    TimeScale,
    course_line,
    quantile,
    score_bar,
    seconds_text,
    time_strip,
)
from noughts.views.match_report.games import games_data
from noughts.views.match_report.words import Course
from noughts.views.single_file import card, page
from noughts.views.standings import points_text

STATIC = files(__package__) / "static"
SCRIPTS = (
    *(replay.STATIC / name for name in ("words.js", "board.js", "theme.js")),
    *(STATIC / name for name in ("game.js", "viewer.js", "list.js", "report.js")),
)
STYLES = (
    *(replay.STATIC / name for name in ("base.css", "board.css", "file.css")),
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
    title = words.title_of(records)
    sections = [
        _terms(records, table),
        _standings(table),
        _sides(table),
        _meetings(table),
        _by_rules(table),
        _test(words.course_of(records, table, sprt)) if sprt and table.games else "",
        _times(records),
        _faults(table),
        _regret(table, audit) if audit is not None else "",
        _GAMES if records else "",
    ]
    return page(
        title,
        "".join(sections),
        games_data(records, None if audit is None else audit.lost),
        styles=STYLES,
        scripts=SCRIPTS,
        theme=theme,
    )


# HTML ---------------------------------------------------------------------------------------------


def _table(name: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of HTML cells; the first cell of a row is its header."""
    head = "".join(f'<th scope="col">{each}</th>' for each in headers)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(name)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _note(text: str) -> str:
    return f'<p class="soft">{escape(text)}</p>'


def _bot(table: Standings, name: str) -> str:
    text = table.bots[name].text
    about = f"<small>{escape(text)}</small>" if text not in ("", name) else ""
    return f"<b>{escape(name)}</b>{about}"


# Match ----------------------------------------------------------------------------------


def _terms(records: Sequence[Record], table: Standings) -> str:
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
    plies = [record.number("Opening") for record in records]
    openings = {
        (str(record.start), *record.moves[:first])
        for record, first in zip(records, plies, strict=True)
        if first
    }
    ends = Counter(record.termination for record in records)
    seeds = told("Seed")
    rows = {
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
    items = ""
    for name, text in rows.items():
        width = ' class="long"' if len(text) > 40 else ""
        items += f"<div{width}><dt>{name}</dt><dd>{escape(text)}</dd></div>" if text else ""
    return f'<p class="lead">{escape(words.lead(table))}</p><dl class="terms">{items}</dl>'


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


def _standings(table: Standings) -> str:
    rows = []
    for tally in table.ranking():
        meeting = words.against_others(table, tally.name)
        bar = score_bar(tally.score, *_interval(meeting))
        rows.append(
            [
                _bot(table, tally.name),
                f"{points_text(tally.points)} / {tally.games:,}",
                f'<span class="scored">{bar}<span>{words.percent(tally.score)}</span></span>',
                *map(escape, (words.elo(meeting), meeting.superiority_text)),
                *(f"{each:,}" for each in (tally.wins, tally.draws, tally.losses)),
            ]
        )
    if not rows:
        return card("standings", "Standings", _note("No game has a result."))
    headers = ["Bot", "Points", "Score", "Elo ± 95 %", "LOS", "Won", "Drawn", "Lost"]
    left_out = ""
    if table.unfinished:
        left_out = f" Not counted: {count(table.unfinished, 'game')} without a result."
    return card(
        "standings",
        "Standings",
        _table("Standings", headers, rows),
        _note(
            "Elo is the difference to the others that the score stands for; LOS how likely the bot "
            "is the stronger one. Where games come in pairs, the pair is the unit of both, and of "
            f"the lines that show 95 % of a score.{left_out}"
        ),
    )


def _sides(table: Standings) -> str:
    """Return the games of X against O, of all games and by rules."""
    if not table.games:
        return ""
    parts = {"All games": table}
    if len(table.by_rules) > 1:
        parts |= table.by_rules
    rows = []
    for name, part in parts.items():
        sides = part.sides()
        margin = score_margin(sides.counts)
        bar = score_bar(sides.score, sides.score - margin, sides.score + margin)
        rows.append(
            [
                escape(name),
                f'<span class="scored">{bar}<span>{words.percent(sides.score)}</span></span>',
                f"{100 * margin:.1f}",
                *(f"{each:,}" for each in (sides.wins, sides.draws, sides.losses)),
                sides.better or "not decided",
            ]
        )
    headers = ["Games", "Score of X", "± 95 %", "X won", "Drawn", "O won", "Better"]
    return card("sides", "X against O", _table("X against O", headers, rows))


def _meetings(table: Standings) -> str:
    """Return a crosstable, and the pairs of each pairing of bots."""
    names = [tally.name for tally in table.ranking()]
    if len(names) < 2:
        return ""
    cells = [
        [
            f"{number}. {escape(name)}",
            *(
                '<span class="soft" aria-label="itself">·</span>'
                if name == other
                else _met(table.meeting(name, other))
                for other in names
            ),
        ]
        for number, name in enumerate(names, 1)
    ]
    columns = [
        f'<abbr title="{escape(name)}">{number}</abbr>' for number, name in enumerate(names, 1)
    ]
    paired = [meeting for meeting in table.meetings() if any(meeting.pairs)]
    if len(names) == 2:
        return card("meetings", "Pairs", _pentanomial(paired[0])) if paired else ""
    rows = [
        [
            f"{escape(meeting.a)} – {escape(meeting.b)}",
            *(f"{count:,}" for count in meeting.pairs),
            *map(escape, (words.elo(meeting), meeting.superiority_text)),
        ]
        for meeting in paired
    ]
    headers = ["Pairs, by points of the first", "0", "½", "1", "1½", "2", "Elo ± 95 %", "LOS"]
    return card(
        "meetings",
        "Who against whom",
        _table("Crosstable", ["Points against", *columns], cells),
        _note("Green and red: 95 % of the score lie on one side of even."),
        _table("Pairs", headers, rows) if rows else "",
    )


def _met(meeting: Meeting) -> str:
    """Return the points of a meeting, in colour if one bot is clearly better."""
    if not any(meeting.games):
        return "–"
    lower, upper = _interval(meeting)
    tone = "good" if lower is not None and lower > 0.5 else ""
    tone = "bad" if upper is not None and upper < 0.5 else tone
    how = f"{meeting.wins} won, {meeting.draws} drawn, {meeting.losses} lost"
    text = f"{points_text(meeting.points)} / {sum(meeting.games)}"
    return f'<span class="chip {tone}" title="{how}">{text}</span>'


def _pentanomial(meeting: Meeting) -> str:
    most = max(meeting.pairs)
    bars = "".join(
        f'<li><span>{count:,}</span><i style="height:{96 * count / most:.0f}px"></i>'
        f'<span class="soft">{points}</span></li>'
        for count, points in zip(meeting.pairs, ("0", "½", "1", "1½", "2"), strict=True)
    )
    return (
        f'<figure><ul class="bars">{bars}</ul><figcaption class="soft">How many pairs, by the '
        f"points of {escape(meeting.a)} from their two games.</figcaption></figure>"
    )


def _by_rules(table: Standings) -> str:
    if len(table.by_rules) < 2:
        return ""
    groups = []
    names = [tally.name for tally in table.ranking()]
    for rules, part in table.by_rules.items():
        rows = []
        for tally in (part.bots[name] for name in names if name in part.bots):
            bar = score_bar(tally.score, *_interval(words.against_others(part, tally.name)))
            name = f'<span title="{escape(tally.name)}">{escape(tally.name)}</span>'
            rows.append(f"<li>{name}{bar}<b>{words.percent(tally.score)}</b></li>")
        groups.append(f'<div><h3>{escape(rules)}</h3><ul class="strips">{"".join(rows)}</ul></div>')
    return card("rules", "Score by game", f'<div class="groups">{"".join(groups)}</div>')


def _test(course: Course) -> str:
    sprt, (lower, upper) = course.sprt, course.sprt.bounds
    end = len(course.ratios) if course.decided is None else course.decided + 1
    return card(
        "test",
        "Sequential test",
        f"<p>{escape(course.sentence)}</p>",
        f'<div class="plot"><span>{upper:+.2f} passes</span>'
        f"{course_line(course.ratios[:end], sprt.bounds)}"
        f"<span>{lower:+.2f} fails</span></div>",
        _note(
            f"The logarithm of the likelihood ratio, pair by pair, in {sprt.model} Elo, with α "
            f"{sprt.alpha:g} and β {sprt.beta:g}: they hold only if the test was fixed before the "
            "match."
        ),
    )


# Play ----------------------------------------------------------------------------------


def _times(records: Iterable[Record]) -> str:
    times: dict[str, list[float]] = {}
    for record in records:
        names = {player: record.tags.get(str(player), UNKNOWN) for player in Player}
        turn = record.start.turn
        for node in record.main_line():
            note = parse_note(node.comment)
            if note is not None:
                times.setdefault(names[turn], []).append(note.seconds)
            turn = turn.other
    if not times:
        return ""
    ordered = {name: sorted(own) for name, own in times.items()}
    scale = TimeScale([end for own in ordered.values() for end in (own[0], own[-1])])
    rows = [
        [
            escape(name),
            f'<span class="timed">{time_strip(own, scale)}</span>',
            *(
                seconds_text(time)
                for time in (quantile(own, 0.5), sum(own) / len(own), quantile(own, 0.99), own[-1])
            ),
        ]
        for name, own in sorted(ordered.items(), key=lambda item: -quantile(item[1], 0.5))
    ]
    headers = ["Bot", f'<span class="timed">{scale.axis()}</span>']
    return card(
        "times",
        "Time a move",
        _table("Time a move", [*headers, "Median", "Mean", "99 %", "Most"], rows),
        _note(
            "On a log scale: the dot is the median, the thick line holds the middle 80 % of the "
            "moves, the short mark stands at 99 %, the thin line goes to the most."
        ),
    )


def _faults(table: Standings) -> str:
    verdicts = sorted({verdict for tally in table.bots.values() for verdict in tally.faults})
    if not verdicts:
        return card("faults", "Faults", _note("No bot was at fault."))
    rows = [
        [
            escape(tally.name),
            *(f"{tally.faults[verdict] or '–'}" for verdict in verdicts),
            f"{tally.faults.total()} of {tally.games:,}",
        ]
        for tally in table.ranking()
        if tally.faults
    ]
    return card(
        "faults",
        "Faults",
        _table("Faults", ["Games lost by", *map(escape, verdicts), "in all"], rows),
    )


def _regret(table: Standings, audit: Audit) -> str:
    rows = []
    for tally in table.ranking():
        own = audit.bots[tally.name]
        rows.append(
            [
                escape(tally.name),
                "–" if own.mean is None else f"{own.mean:.4f}",
                f"{own.points:g}",
                f"{own.mistakes:,}",
                f"{own.blunders:,}",
                f"{own.solved:,} of {own.moves:,}",
            ]
        )
    headers = ["Bot", "Points a move", "in all", "Mistakes", "Blunders", "Moves solved"]
    return card(
        "regret",
        "Regret",
        _table("Regret", headers, rows),
        _note(
            "What a move gave away, a win being 1 point, a draw ½ and a loss 0: half a point is a "
            f"mistake, a whole one a blunder. {words.solved(audit)}"
        ),
    )


_GAMES = """<section id="games" aria-labelledby="listed">
<h2 id="listed">Games</h2>
<noscript>The games are shown by a script, and scripts are switched off.</noscript>
<div class="beside"><div class="card list"></div>
<div class="card viewer" role="group" aria-label="The game"></div></div>
<p class="soft"><kbd>↑</kbd> <kbd>↓</kbd> in the list go from game to game,
<kbd>←</kbd> <kbd>→</kbd> <kbd>Home</kbd> <kbd>End</kbd> from move to move.</p>
</section>"""
