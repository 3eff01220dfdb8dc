"""`noughts results`: the table of games that were played, each game in a line, and the report."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.apps.command import JsonFlag, Theme, answer, examples, fail, progress, writing
from noughts.games.position import IllegalMove, NotationError, Player

if TYPE_CHECKING:
    from rich.console import Console

    from noughts.arena.regret import Audit
    from noughts.arena.standings import Meeting, Standings
    from noughts.arena.statistics import Sprt
    from noughts.games.record import Record

app = typer.Typer()


@app.command(
    epilog=examples(
        "noughts results cup.jsonl",
        "noughts results cup.jsonl --regret -o report.html",
        "noughts results old.jsonl new.jsonl --games",
        "noughts results cup.jsonl --sprt 0,10 --json",
    )
)
def results(
    files: Annotated[list[Path], typer.Argument(help="Files of records (.jsonl: JSON lines).")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the report, with every game, to this page."),
    ] = None,
    games: Annotated[bool, typer.Option("--games", help="List the games.")] = False,
    regret: Annotated[
        bool, typer.Option("--regret", help="Say what the moves gave away, where it is proven.")
    ] = False,
    nodes: Annotated[
        int | None,
        typer.Option(help="With --regret: search each position so far, 20,000 if left out.", min=1),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1[,ALPHA,BETA]",
            help="Is the first of two bots better by ELO1, rather than by ELO0 only?",
        ),
    ] = None,
    theme: Annotated[Theme, typer.Option(help="The look of the report.")] = Theme.AUTO,
    json_: JsonFlag = False,
) -> None:
    """Show who won a match and how surely: points, Elo, faults, times; and write its report."""
    from rich.console import Console

    from noughts.arena.regret import NODES, Solver, audit
    from noughts.arena.standings import standings
    from noughts.views.match_report import words

    if nodes is not None and not regret:
        fail("--nodes goes with --regret", 2)
    if output is not None and output.suffix.lower() not in (".html", ".htm"):
        fail(f"--output: {output} is not a .html file", 2)
    test = None if sprt is None else read_sprt(sprt)
    records = words.in_order(record for file in files for record in _records(file))
    if not records:
        fail(f"no game in {' '.join(map(str, files))}", 3)
    table = standings(records)
    if test is not None and len(table.bots) != 2:
        fail(f"--sprt is for two bots; here are {len(table.bots)}", 2)
    found = None
    if regret:
        with progress("solving") as show:
            found = audit(records, Solver(nodes or NODES), show)
    if json_:
        answer(_data(records, table, found, test, games))
    else:
        console = Console(highlight=False)
        show_standings(console, records, table, found)
        if test is not None:
            said = words.course_of(records, table, test).sentence
            console.print(said, markup=False, soft_wrap=True)
        if games:
            _show_games(records)
    if output is not None:
        write_report(output, records, table, audit=found, sprt=test, theme=theme)


def read_sprt(text: str) -> Sprt:
    """Return the test that `0,10` or `0,10,0.05,0.05` means."""
    from noughts.arena.statistics import Sprt

    try:
        elo0, elo1, *rates = map(float, text.split(","))
        alpha, beta = rates or (0.05, 0.05)
    except ValueError:
        fail(f"--sprt: {text!r} is not ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, all numbers", 2)
    test = Sprt(elo0, elo1, alpha, beta)
    try:
        test.check()
    except ValueError as error:
        fail(f"--sprt: {text!r}: {error}", 2)
    return test


def write_report(
    output: Path,
    records: Sequence[Record],
    table: Standings,
    *,
    audit: Audit | None = None,
    sprt: Sprt | None = None,
    theme: str = "auto",
) -> None:
    """Write the page that shows a match; the arguments are those of `match_report`."""
    from noughts.views.match_report import match_report

    text = match_report(records, table, audit=audit, sprt=sprt, theme=theme)
    with writing(output):
        output.write_text(text, encoding="utf-8")


def _records(file: Path) -> Iterator[Record]:
    """Yield the records of a file; the last line may be cut off, as by a loss of power."""
    from noughts.games import record

    try:
        yield from record.read(file)
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror or error}", 3)
    except NotationError as error:
        # Of JSON lines only the last can be without an end.
        if file.suffix != ".jsonl" or error.field != "JSON" or error.text.endswith("\n"):
            fail(f"{file}: {error}", 3)
        print(f"noughts: {file}: the last line is cut off, and left out", file=sys.stderr)
    except IllegalMove as error:
        fail(f"{file}: {error}", 3)


# As text ------------------------------------------------------------------------------------------


def show_standings(
    console: Console, records: Sequence[Record], table: Standings, found: Audit | None = None
) -> None:
    """Print who has how many points, who did what against whom, and who was at fault.

    Args:
        console: where to.
        records: the games.
        table: of these records.
        found: of these records, where their regret was looked for.
    """
    from noughts.views.match_report import words

    played = words.count(table.games, "game")
    left_out = f", {table.unfinished:,} without a result" if table.unfinished else ""
    title = f"{words.title_of(records)}: {played}{left_out}"
    console.print(title, style="bold", markup=False, soft_wrap=True)
    names = [tally.name for tally in table.ranking()]
    if not names:
        return
    _show_table(console, _BOTS, [_bot_row(table, name) for name in names])
    if len(names) > 2:
        numbers = [f"{number}" for number, _ in enumerate(names, 1)]
        rows = [
            (f"{number}. {name}", *(_met(table.meeting(name, other)) for other in names))
            for number, name in zip(numbers, names, strict=True)
        ]
        _show_table(console, ("points against", *numbers), rows)
    paired = [meeting for meeting in table.meetings() if any(meeting.pairs)]
    if paired:
        rows = [
            (f"{m.a} – {m.b}", *map(str, m.pairs), words.elo(m), words.superiority(m))
            for m in paired
        ]
        _show_table(console, _PAIRS, rows)
    if len(table.by_rules) > 1:
        parts = table.by_rules.values()
        rows = [
            (name, *(words.percent(p.bots[name].score) if name in p.bots else "" for p in parts))
            for name in names
        ]
        _show_table(console, ("score by game", *table.by_rules), rows)
    verdicts = sorted({verdict for tally in table.bots.values() for verdict in tally.faults})
    if verdicts:
        rows = [
            (name, *(f"{table.bots[name].faults[verdict] or ''}" for verdict in verdicts))
            for name in names
            if table.bots[name].faults
        ]
        _show_table(console, ("games lost by", *verdicts), rows)
    if found is not None:
        _show_regret(console, names, found)


_BOTS = (
    *("bot", "points", "score", "Elo ± 95 %", "LOS", "won", "drawn", "lost", "faults"),
    *("a move", "most"),
)
_PAIRS = ("pairs, by points of the first", "0", "½", "1", "1½", "2", "Elo ± 95 %", "LOS")
_REGRET = ("regret", "points a move", "in all", "mistakes", "blunders", "moves solved")
_GAMES = ("game", "rules", "X", "O", "result", "moves", "ended by")


def _bot_row(table: Standings, name: str) -> tuple[str, ...]:
    from noughts.views.match_report import words
    from noughts.views.match_report.charts import seconds_text

    tally, meeting = table.bots[name], words.against_others(table, name)
    mean = tally.mean_seconds
    return (
        name,
        f"{words.points(tally.points)} / {tally.games:,}",
        words.percent(tally.score),
        words.elo(meeting),
        words.superiority(meeting),
        *(f"{each:,}" for each in (tally.wins, tally.draws, tally.losses)),
        f"{tally.faults.total() or ''}",
        *(("", "") if mean is None else map(seconds_text, (mean, tally.most_seconds))),
    )


def _met(meeting: Meeting) -> str:
    from noughts.views.match_report import words

    games = sum(meeting.games)
    return f"{words.points(meeting.points)} / {games:,}" if games else "·"


def _show_regret(console: Console, names: Iterable[str], found: Audit) -> None:
    from noughts.views.match_report import words

    rows = [
        (
            name,
            "" if own.mean is None else f"{own.mean:.4f}",
            f"{own.points:g}",
            f"{own.mistakes:,}",
            f"{own.blunders:,}",
            f"{own.solved:,} of {own.moves:,}",
        )
        for name, own in ((name, found.bots[name]) for name in names)
    ]
    _show_table(console, _REGRET, rows)
    print(f"{words.solved(found)}\n")


def _show_games(records: Sequence[Record]) -> None:
    from noughts.arena.standings import UNKNOWN

    rows = [_GAMES]
    for number, record in enumerate(records, 1):
        x, o = (record.tags.get(str(player), UNKNOWN) for player in Player)
        why = record.tags.get("Fault", "").partition("\n")[0]
        ending = f"{record.termination}: {why}" if why else record.termination
        moves = f"{len(record.moves):>5}"
        round_ = record.tags.get("Round", f"{number}")
        rows.append((round_, record.start.rules_id, x, o, record.result, moves, ending))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


def _show_table(console: Console, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table with an empty line behind it; it is as wide as its numbers need."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 0, 0, 1))
    for number, header in enumerate(headers):
        table.add_column(header, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    # A number that is cut short would be a false one.
    wide = console.options.update(width=1000)
    console.width = max(console.width, console.measure(table, options=wide).maximum)
    console.print(table)
    console.print()


# As data ------------------------------------------------------------------------------------------


def _data(
    records: Sequence[Record],
    table: Standings,
    found: Audit | None,
    test: Sprt | None,
    games: bool,
) -> dict[str, Any]:
    from noughts.views.match_report import words

    data: dict[str, Any] = {"title": words.title_of(records), **table.data()}
    if found is not None:
        data["regret"] = {
            "nodes": found.nodes,
            "games_untried": found.untried,
            "bots": {name: {**own._asdict(), "mean": own.mean} for name, own in found.bots.items()},
        }
    if test is not None:
        course = words.course_of(records, table, test)
        data["sprt"] = {
            **test._asdict(),
            "a": course.a,
            "b": course.b,
            "bounds": test.bounds,
            "ratio": course.ratios[-1],
            "pairs": len(course.ratios) - 1,
            "decided": course.decided,
            "passed": None if course.decided is None else course.ratios[course.decided] > 0,
        }
    if games:
        data["list"] = [
            {
                "tags": record.tags,
                "game": record.start.rules_id,
                "result": record.result,
                "termination": record.termination,
                "moves": len(record.moves),
                **({} if found is None else {"regret": found.lost[number]}),
            }
            for number, record in enumerate(records)
        ]
    return data
