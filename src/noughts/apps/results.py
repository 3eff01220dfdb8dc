"""`noughts results`: the table of games that were played, each game in a line, and the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.apps.command import (
    JsonFlag,
    Theme,
    answer,
    examples,
    fail,
    progress,
    read_records,
    read_sprt,
    show_tables,
    writing,
)
from noughts.games.position import Player

if TYPE_CHECKING:
    from rich.table import Table

    from noughts.arena.regret import Audit
    from noughts.arena.standings import Standings
    from noughts.games.record import Record
    from noughts.views.match_report.words import Course

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
    from noughts.arena.regret import NODES, Solver, audit
    from noughts.arena.standings import standings
    from noughts.views.match_report import match_report, words

    if nodes is not None and not regret:
        fail("--nodes goes with --regret", 2)
    if output is not None and output.suffix.lower() not in (".html", ".htm"):
        fail(f"--output: {output} is not a .html file", 2)
    test = None if sprt is None else read_sprt(sprt)
    records = words.in_order(record for file in files for record in read_records(file))
    if not records:
        fail(f"no game in {' '.join(map(str, files))}", 3)
    table = standings(records)
    if test is not None and len(table.bots) != 2:
        fail(f"--sprt is for two bots; here are {len(table.bots)}", 2)
    found = None
    if regret:
        with progress("solving") as show:
            found = audit(records, Solver(nodes or NODES), show)
    course = None if test is None else words.course_of(records, table, test)
    if json_:
        answer(_data(records, table, found, course, games))
    else:
        _show(records, table, found, course)
        if games:
            _show_games(records)
    if output is not None:
        page = match_report(records, table, audit=found, sprt=test, theme=theme)
        with writing(output):
            output.write_text(page, encoding="utf-8")


# As text ------------------------------------------------------------------------------------------


def _show(
    records: Sequence[Record], table: Standings, found: Audit | None, course: Course | None
) -> None:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from noughts.views.match_report import words
    from noughts.views.standings import fault_lines, standings_text

    left_out = f", {table.unfinished:,} without a result" if table.unfinished else ""
    title = f"{words.title_of(records)}: {words.count(table.games, 'game')}{left_out}"
    parts: list[RenderableType] = [Text(title, "bold")]
    if table.games:
        parts += ["", standings_text(table)]
    if course is not None:
        parts += ["", Text(course.sentence)]
    if found is not None:
        parts += ["", _regret_table(found), "", words.solved(found)]
    show_tables(Group(*parts))
    if faults := fault_lines(records):
        print("\nfaults:")
        for line in faults:
            print(f"  {line}")


def _regret_table(found: Audit) -> Table:
    from rich.text import Text

    from noughts.views.standings import bot_table, points_text

    headers = ("", "regret", "points/move", "in all", "mistakes", "blunders", "moves solved")
    shown = bot_table(headers, found.bots, whole=True)
    ranked = sorted(found.bots.items(), key=lambda item: item[1].mean or 0.0)
    for rank, (name, own) in enumerate(ranked, 1):
        mean = "" if own.mean is None else f"{own.mean:.4f}"
        counts = (f"{own.mistakes:,}", f"{own.blunders:,}", f"{own.solved:,} of {own.moves:,}")
        shown.add_row(*map(Text, (f"{rank}", name, mean, points_text(own.points), *counts)))
    return shown


_GAMES = ("game", "rules", "X", "O", "result", "moves", "ended by")


def _show_games(records: Sequence[Record]) -> None:
    from noughts.arena.standings import UNKNOWN

    rows = [_GAMES]
    for number, record in enumerate(records, 1):
        x, o = (record.tags.get(str(player), UNKNOWN) for player in Player)
        why = record.tags.get("Fault", "").partition("\n")[0]
        ending = f"{record.termination}: {why}" if why else record.termination
        round_ = record.tags.get("Round", f"{number}")
        moves = f"{len(record.moves):>5}"
        rows.append((round_, record.start.rules_id, x, o, record.result, moves, ending))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print()
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


# As data ------------------------------------------------------------------------------------------


def _data(
    records: Sequence[Record],
    table: Standings,
    found: Audit | None,
    course: Course | None,
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
    if course is not None:
        data["sprt"] = {
            **course.sprt._asdict(),
            "a": course.a,
            "b": course.b,
            "bounds": course.sprt.bounds,
            "ratio": course.ratios[-1],
            "pairs": len(course.ratios) - 1,
            "decided": course.decided,
            "passed": course.passed,
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
