"""The commands that teach: `noughts lab`, `explain`, `review`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.apps.command import (
    JsonFlag,
    MovesOption,
    SeedOption,
    after,
    answer,
    complete_rules,
    examples,
    fail,
    progress,
    read_position,
    read_records,
)
from noughts.games.position import IllegalMove, NotationError, Player

if TYPE_CHECKING:
    from rich.console import Console

    from noughts.games.record import Record
    from noughts.report import Report
    from noughts.views.review import Remark

app = typer.Typer()


DepthOption = Annotated[int | None, typer.Option(help="Plies to look ahead.", min=1)]
NodesOption = Annotated[
    int | None,
    typer.Option(
        help="Positions to enter; if no limit is given a million, or 50,000 in a game of your own.",
        min=1,
    ),
]
SecondsOption = Annotated[
    float | None, typer.Option(help="Time to think about each position.", min=0.001)
]


def complete_lab(incomplete: str) -> list[str]:
    from noughts.labs import LABS

    return [name for name in LABS if name.startswith(incomplete)]


@app.command(
    epilog=examples(
        "noughts lab",
        "noughts lab counts",
        "noughts lab first-move --games 50",
        "noughts lab prune --tree '((3 12 8) (2 4 6) (14 5 2))'",
        "noughts lab prune --seed 7 --branching 2 --depth 4",
    )
)
def lab(
    name: Annotated[
        str | None,
        typer.Argument(help="The lab to run; a list if left out.", autocompletion=complete_lab),
    ] = None,
    seed: SeedOption = None,
    games: Annotated[
        int | None, typer.Option(help="How many games to play, in labs that play.", min=2)
    ] = None,
    tree: Annotated[
        str | None,
        typer.Option(help="The tree of prune, such as '((3 12 8) (2 4 6) (14 5 2))'."),
    ] = None,
    branching: Annotated[
        int | None, typer.Option(help="Branches of each node of a random tree.", min=1)
    ] = None,
    depth: Annotated[int | None, typer.Option(help="Plies of a random tree.", min=1)] = None,
    first: Annotated[
        str | None, typer.Option(help="Who moves first in a tree, max or min.")
    ] = None,
    json_: JsonFlag = False,
) -> None:
    """Run again what the sources claim: what was claimed, what came out, what it teaches."""
    from noughts.labs import LABS

    if name is None:
        about = {each: (LABS[each].__doc__ or "").partition("\n")[0] for each in LABS}
        if json_:
            answer({"labs": about})
            return
        for each, sentence in about.items():
            print(f"{each:<12}{sentence}")
        return
    if name not in LABS:
        fail(f"there is no lab {name!r}; there are {' '.join(LABS)}", 2)
    run = LABS[name]
    given = {"seed": seed, "games": games, "tree": tree, "first": first}
    given |= {"branching": branching, "depth": depth}
    chosen = {key: value for key, value in given.items() if value is not None}
    for key in chosen.keys() - inspect.signature(run).parameters.keys():
        fail(f"the lab {name} takes no --{key}", 2)
    with progress(name) as show:
        try:
            report = run(progress=show, **chosen)
        except NotationError as error:
            fail(f"--tree: {error.reason}, in {error.text!r}", 3)
        except ValueError as error:
            fail(str(error), 2)
    if json_:
        answer({"lab": report.name, **report.data})
        return
    _show_report(report)


def _show_report(report: Report) -> None:
    from rich import box
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table

    console = Console(highlight=False)
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


@app.command(
    epilog=examples(
        "noughts explain basic --moves 51",
        "noughts explain basic~XX1.OO1.3~X 7",
        "noughts explain connect4 4 --moves 4453 --json",
    )
)
def explain(
    position: Annotated[
        str, typer.Argument(help="A position string or a rules id.", autocompletion=complete_rules)
    ],
    move: Annotated[
        str | None, typer.Argument(help="A move there; the position itself if left out.")
    ] = None,
    moves: MovesOption = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    seconds: SecondsOption = None,
    json_: JsonFlag = False,
) -> None:
    """Say why, in true sentences, each with the moves that prove it."""
    from noughts.apps.terminal import Screen, show_position, show_sentences
    from noughts.search import Limit
    from noughts.views.explain import as_data
    from noughts.views.explain import explain as sentences_about
    from noughts.views.facts import Judge
    from noughts.views.words import outcome_sentence

    place = after(*read_position(position, moves))
    if place.outcome() is not None:
        fail(f"there is nothing left to explain. {outcome_sentence(place)}", 3)
    try:
        chosen = None if move is None else place.parse_entry(move)
    except IllegalMove as error:
        fail(str(error), 3)
    said = sentences_about(place, Judge(place, Limit(depth, nodes, seconds)), chosen)
    if json_:
        asked = None if chosen is None else place.move_text(chosen)
        sentences = [as_data(place, sentence) for sentence in said]
        answer({"position": str(place), "move": asked, "sentences": sentences})
        return
    screen = Screen()
    show_position(screen, place)
    show_sentences(screen.console, place, said)


class Side(StrEnum):
    """Whose mistakes are tried again."""

    X = "X"
    O = "O"  # noqa: E741
    BOTH = "both"


@app.command(
    epilog=examples(
        "noughts review games.txt",
        "noughts review games.jsonl --game 3 --save reviewed.txt",
        "noughts review games.txt --retry --side O",
    )
)
def review(
    file: Annotated[Path, typer.Argument(help="A file of records (.jsonl: JSON lines).")],
    game: Annotated[
        int | None, typer.Option(help="Review only this game of the file, from 1.", min=1)
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Append each game, with comments and better lines, to this file."),
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try the mistakes again, without seeing the answer.")
    ] = False,
    side: Annotated[
        Side | None, typer.Option(help="Whose mistakes to try again: X, O or both (the default).")
    ] = None,
    depth: DepthOption = None,
    nodes: NodesOption = None,
    seconds: SecondsOption = None,
    json_: JsonFlag = False,
) -> None:
    """Look over the moves of a game: what each did to its value, and what was better."""
    from noughts.apps.retry import try_again
    from noughts.apps.terminal import Leave, Screen
    from noughts.games import record as records
    from noughts.search import Limit
    from noughts.views.facts import Judge
    from noughts.views.review import annotated, review_data
    from noughts.views.review import review as remarks_on

    if side is not None and not retry:
        fail("--side goes with --retry", 2)
    if json_ and retry:
        fail("--retry asks and answers; it goes without --json", 2)
    limit, screen, number = Limit(depth, nodes, seconds), Screen(), 0
    for number, each in enumerate(read_records(file), 1):
        if game not in (None, number):
            continue
        judge = Judge(each.start, limit)
        with progress("reviewing") as show:
            remarks = remarks_on(each, judge, show)
        if save is not None:
            try:
                records.append(save, annotated(each, remarks, judge))
            except OSError as error:
                fail(f"--save: {save}: {error.strerror or error}", 3)
        if json_:
            answer({"game": number, **review_data(each, remarks)})
        elif retry:
            sides = [p for p in Player if side in (None, Side.BOTH, Side(p.value))]
            try:
                try_again(screen, remarks, judge, sides, number)
            except Leave:
                return
        else:
            _show_review(screen.console, each, remarks, number)
    if not number:
        fail(f"{file} holds no game", 3)
    if game is not None and game > number:
        fail(f"--game {game}: {file} holds {number}", 3)


LABEL_STYLES = {"mistake": "bold yellow", "blunder": "bold red", "doubtful": "yellow"}


def _show_review(console: Console, record: Record, remarks: Sequence[Remark], number: int) -> None:
    """Print a review: every move with its label, what was wrong with it, and the tallies."""
    from rich.text import Text

    from noughts.apps.terminal import show_sentences

    names = " - ".join(record.tags.get(str(player), str(player)) for player in Player)
    console.print(Text(f"Game {number}: {record.start.rules_id}, {names}, {record.result}", "bold"))
    if not remarks:
        console.print("no moves")
    width = max((len(r.position.move_text(r.move)) for r in remarks), default=0)
    for ply, remark in enumerate(remarks, 1):
        position = remark.position
        worth = str(remark.after)
        if remark.label in ("mistake", "blunder", "doubtful", "slower", "sooner"):
            worth = f"{remark.before} to {remark.after}"
        row = Text(f"{ply:>3} {position.turn} {position.move_text(remark.move):<{width}}   ")
        row.append(f"{remark.label:<9}", LABEL_STYLES.get(remark.label, ""))
        row.append(f"  {worth}", "bright_black")
        console.print(row)
        show_sentences(console, position, remark.sentences, 6)
    console.print()
    _show_tallies(console, record, remarks)


def _show_tallies(console: Console, record: Record, remarks: Sequence[Remark]) -> None:
    from rich.text import Text

    from noughts.views.review import summary

    for player, tally in summary(remarks).items():
        name = record.tags.get(str(player), "")
        counts = ", ".join(f"{count} {label}" for label, count in tally.labels.items())
        console.print(Text(f"{player}{f' ({name})' if name else ''}: {counts or 'no moves'}"))
        said = []
        if tally.choices:
            share = 100 * tally.kept / tally.choices
            what = f"{tally.kept} of {tally.choices} moves that could have lost value"
            said.append(f"accuracy {share:.0f} %: kept the value with {what}")
        if tally.estimate_lost is not None:
            over = f"{tally.estimated} move{'s' if tally.estimated > 1 else ''}"
            said.append(f"estimate lost: {tally.estimate_lost:.2f} a move, over {over}")
        for text in said:
            console.print(Text(f"    {text}"))
    console.print()
