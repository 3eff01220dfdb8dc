"""`noughts lab`: repeat an experiment from a course or a paper, and compare its claim."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.padding import Padding
from rich.table import Table

from noughts.cli.options import MORE, ChartTheme, Commands, JsonFlag, SeedOption
from noughts.cli.output import (
    Screen,
    answer,
    check_chart,
    fail,
    failing,
    progress,
    suggestion,
    writing,
)
from noughts.games.position import NotationError

if TYPE_CHECKING:
    from noughts.labs.report import Report

app = Commands()


def complete_lab(incomplete: str) -> list[str]:
    from noughts.labs.claims import LABS

    return [name for name in LABS if name.startswith(incomplete)]


@app.add_to(
    MORE,
    "noughts lab",
    "noughts lab counts",
    "noughts lab first-move --games 100 --depth 6",
    "noughts lab first-move -o first-move.svg",
    "noughts lab prune --tree '((3 12 8) (2 4 6) (14 5 2))'",
    "noughts lab prune --seed 7 --branching 2 --depth 4",
)
def lab(
    name: Annotated[
        str | None,
        typer.Argument(help="The lab to run. Left out: a list.", autocompletion=complete_lab),
    ] = None,
    seed: SeedOption = None,
    games: Annotated[
        int | None, typer.Option(help="Games to play, in labs that play.", min=2)
    ] = None,
    tree: Annotated[
        str | None,
        typer.Option(help="Tree of the lab prune, such as '((3 12 8) (2 4 6) (14 5 2))'."),
    ] = None,
    branching: Annotated[
        int | None, typer.Option(help="Branches of each node of a random tree.", min=1)
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(help="Plies of a random tree, or of first-move's deepest searches.", min=1),
    ] = None,
    first: Annotated[
        str | None, typer.Option(help="Player to move at the root of a tree: max or min.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Draw the chart of first-move: a .svg or .png file."),
    ] = None,
    theme: Annotated[ChartTheme, typer.Option(help="Colours of the chart.")] = ChartTheme.LIGHT,
    json_: JsonFlag = False,
) -> None:
    """Repeat an experiment from a course or a paper, and compare its claim."""
    from noughts.labs.claims import LABS

    if name is None:
        about = {each: (LABS[each].__doc__ or "").partition("\n")[0] for each in LABS}
        if json_:
            answer({"labs": about})
            return
        for each, sentence in about.items():
            print(f"{each:<12}{sentence}")
        return
    if name not in LABS:
        fail(f"no lab called {name!r}. {suggestion(name, LABS)}", 2)
    run = LABS[name]
    given = {"seed": seed, "games": games, "tree": tree, "first": first}
    given |= {"branching": branching, "depth": depth}
    chosen = {key: value for key, value in given.items() if value is not None}
    for key in chosen.keys() - inspect.signature(run).parameters.keys():
        fail(f"the lab {name} has no option --{key}", 2)
    if output is not None:
        if name != "first-move":
            fail(f"the lab {name} has no chart, so no option --output", 2)
        check_chart(output)
    with progress(name) as show, failing(2, ValueError), failing(3, NotationError, "--tree: "):
        report = run(progress=show, **chosen)
    if output is not None:
        _draw(report, output, theme)
    if json_:
        answer({"lab": report.name, **report.data})
        return
    _show_report(report)


def _draw(report: Report, output: Path, theme: ChartTheme) -> None:
    from noughts.labs.first_move import points_of
    from noughts.views.chart import first_move_chart, kind_of

    with writing(output):
        output.write_bytes(first_move_chart(points_of(report), kind_of(output.name), theme.value))


def _show_report(report: Report) -> None:

    console = Screen()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    first, *others = report.headers
    table.add_column(first)
    for number, header in enumerate(others, 1):
        numeric = all(" " not in row[number] for row in report.rows)
        table.add_column(header.replace(", ", ",\n"), justify="right", no_wrap=numeric)
    for row in report.rows:
        table.add_row(*row)
    width = min(console.width, 100)
    console.print(f"Claimed: {report.claim}", markup=False, width=width)
    if report.picture:
        console.print(f"\n{report.picture}", markup=False, soft_wrap=True)
    console.print(Padding(table, (1, 0)))
    console.print(report.teaches, markup=False, width=width)
