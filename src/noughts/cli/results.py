"""`noughts results`: the table, the games and the report of a match."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from noughts.arena.standings import UNKNOWN, Standings, standings
from noughts.cli.inputs import read_records, read_sprt
from noughts.cli.options import MORE, Commands, JsonFlag
from noughts.cli.output import answer, check_page, fail, progress, say, show_tables, writing
from noughts.games.position import Player
from noughts.games.record import Record
from noughts.games.words import count
from noughts.views.foreign import without_controls
from noughts.views.standings import bot_table, fault_lines, points_text, sides_table, standings_text
from noughts.views.svg import ImageTheme

if TYPE_CHECKING:
    from noughts.arena.regret import Audit
    from noughts.views.match_report.words import Course

app = Commands()


@app.add_to(
    MORE,
    "noughts results cup.jsonl",
    "noughts results cup.jsonl --regret -o report.html",
    "noughts results old.jsonl new.jsonl --games",
    "noughts results cup.jsonl --sprt 0,10 --json",
)
def results(
    files: Annotated[list[Path], typer.Argument(help="Files of games (.jsonl: JSON lines).")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write an HTML report with every game."),
    ] = None,
    games: Annotated[bool, typer.Option("--games", help="List the games.")] = False,
    regret: Annotated[
        bool,
        typer.Option("--regret", help="Show the proven losses of value by each bot's moves."),
    ] = False,
    nodes: Annotated[
        int | None,
        typer.Option(help="With --regret: most nodes for each position. Default: 20,000.", min=1),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1[,ALPHA,BETA]",
            help="Test whether the first of two bots is ELO0 or ELO1 stronger.",
        ),
    ] = None,
    theme: Annotated[ImageTheme, typer.Option(help="Colours of the report.")] = ImageTheme.AUTO,
    json_: JsonFlag = False,
) -> None:
    """Show the result of a match: points, Elo, faults and times."""
    from noughts.arena.regret import NODES, Solver, audit
    from noughts.views.match_report import match_report, words

    if nodes is not None and not regret:
        fail("--nodes goes with --regret", 2)
    if output is not None:
        check_page(output, "--output")
    test = None if sprt is None else read_sprt(sprt)
    records = words.in_order(record for file in files for record in read_records(file))
    if not records:
        fail(f"there are no games in {' '.join(map(str, files))}", 3)
    table = standings(records)
    if test is not None and len(table.bots) != 2:
        fail(f"--sprt needs two bots; there are {len(table.bots)}", 2)
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

    from noughts.views.match_report import words

    left_out = f", {table.unfinished:,} without a result" if table.unfinished else ""
    title = f"{words.title_of(records)}: {count(table.games, 'game')}{left_out}"
    parts: list[RenderableType] = [Text(title, "bold")]
    if table.games:
        parts += ["", standings_text(table), "", sides_table(table)]
    if course is not None:
        parts += ["", Text(course.sentence)]
    if found is not None:
        parts += ["", _regret_table(found), "", words.solved(found)]
    show_tables(Group(*parts))
    if faults := fault_lines(records):
        print("\nfaults:")
        for line in faults:
            say(f"  {line}")


def _regret_table(found: Audit) -> Table:

    headers = ("", "regret", "points/move", "in all", "lost ½", "lost 1", "moves solved")
    shown = bot_table(headers, found.bots, whole=True)
    ranked = sorted(found.bots.items(), key=lambda item: item[1].mean or 0.0)
    for rank, (name, own) in enumerate(ranked, 1):
        mean = "" if own.mean is None else f"{own.mean:.4f}"
        counts = (
            f"{own.half_points:,}",
            f"{own.whole_points:,}",
            f"{own.solved:,} of {own.moves:,}",
        )
        shown.add_row(*map(Text, (f"{rank}", name, mean, points_text(own.points), *counts)))
    return shown


_GAMES = ("game", "rules", "X", "O", "result", "moves", "ended by")


def _show_games(records: Sequence[Record]) -> None:

    rows: list[Sequence[str]] = [_GAMES]
    for number, record in enumerate(records, 1):
        x, o = (record.tags.get(str(player), UNKNOWN) for player in Player)
        why = record.tags.get("Fault", "").partition("\n")[0]
        ending = f"{record.termination}: {why}" if why else record.termination
        round_ = record.tags.get("Round", f"{number}")
        moves = f"{len(record.moves):>5}"
        rows.append((round_, record.start.rules_id, x, o, record.result, moves, ending))
    rows = [[" ".join(without_controls(cell).splitlines()) for cell in row] for row in rows]
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
