"""The commands that show a search at work: `noughts trace`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from noughts.apps.command import (
    MovesOption,
    after,
    complete_rules,
    examples,
    fail,
    progress,
    read_position,
)
from noughts.games.position import NotationError, Position

if TYPE_CHECKING:
    from noughts.arena.player import Watched

app = typer.Typer()

ALGORITHMS = (
    "minimax, alphabeta, hminimax, negamax or mcts, with limits and options as in "
    "alphabeta:depth=4,score=sign or mcts:simulations=50,seed=1"
)
PositionArgument = Annotated[
    str, typer.Argument(help="A position string or a rules id.", autocompletion=complete_rules)
]


def complete_algorithm(incomplete: str) -> list[str]:
    from noughts.arena.player import SEARCHES

    return [name for name in SEARCHES if name.startswith(incomplete)]


AlgorithmOption = Annotated[
    str,
    typer.Option(help=f"The search: {ALGORITHMS}.", autocompletion=complete_algorithm),
]


def read_search(text: str, position: Position) -> Watched:
    """Return the search that `text` names, for a position where there is something to search."""
    from noughts.apps.terminal import outcome_sentence
    from noughts.arena.player import parse_search

    if position.outcome() is not None:
        fail(f"there is nothing to search in {position}: {outcome_sentence(position)}", 3)
    try:
        return parse_search(text, position)
    except NotationError as error:
        fail(str(error), 2)


@app.command(
    epilog=examples(
        "noughts trace basic --moves 5129 --algorithm minimax",
        "noughts trace connect4 --algorithm alphabeta:depth=5 -o search.jsonl",
        "noughts trace ultimate --algorithm mcts:simulations=200,seed=1 -o search.jsonl",
    )
)
def trace(
    position: PositionArgument,
    moves: MovesOption = "",
    algorithm: AlgorithmOption = "alphabeta",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file, not to stdout.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Tell of so many nodes only; the search goes on.", min=1)
    ] = None,
    depth: Annotated[
        int | None, typer.Option(help="Tell of nodes down to this depth only.", min=0)
    ] = None,
) -> None:
    """Write every step of a search as JSON lines: nodes, windows, values, cutoffs, simulations."""
    place = after(*read_position(position, moves))
    watched = read_search(algorithm, place)
    if output is None:
        _write_trace(watched, place, sys.stdout, nodes, depth)
        return
    try:
        with output.open("w", encoding="utf-8") as file:
            _write_trace(watched, place, file, nodes, depth)
    except OSError as error:
        fail(f"--output: {output} cannot be written: {error.strerror}", 3)


def _write_trace(
    watched: Watched, place: Position, file: IO[str], nodes: int | None, depth: int | None
) -> None:
    from noughts.search.trace import Event, record
    from noughts.search.trace_file import JsonLines

    write, told = JsonLines(file), 0
    with progress("searching") as show:

        def written(event: Event) -> None:
            nonlocal told
            write(event)
            told += 1
            if told % 10_000 == 0:
                show(told, None)

        record(
            watched.search,
            place,
            watched.limit,
            write=written,
            most_nodes=nodes,
            most_depth=depth,
            **watched.options,
        )
