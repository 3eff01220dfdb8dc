"""The commands that show a search at work: `noughts trace`, `step`, `tree`, `replay`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.apps.command import (
    MovesOption,
    Theme,
    after,
    complete_rules,
    examples,
    fail,
    progress,
    read_position,
    writing,
)
from noughts.games.given_tree import GivenTree
from noughts.games.position import NotationError, Position

if TYPE_CHECKING:
    from noughts.arena.player import Watched
    from noughts.search.recording import Recording
    from noughts.search.trace import Event
    from noughts.search.tree import Tree

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
    from noughts.arena.player import parse_search
    from noughts.views.words import outcome_sentence

    if position.outcome() is not None:
        leaf = isinstance(position, GivenTree)
        why = "it is a leaf." if leaf else outcome_sentence(position)
        fail(f"there is nothing to search in {position}: {why}", 3)
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
    from noughts.search.trace_file import JsonLines

    place = after(*read_position(position, moves, trees=True))
    watched = read_search(algorithm, place)
    if output is None:
        _record(watched, place, JsonLines(sys.stdout), nodes, depth)
        return
    with writing(output), output.open("w", encoding="utf-8") as file:
        _record(watched, place, JsonLines(file), nodes, depth)


def _record(
    watched: Watched,
    place: Position,
    write: Callable[[Event], object],
    nodes: int | None,
    depth: int | None,
) -> None:
    """Run a search and write its trace, so many nodes of it down to a depth, with progress."""
    from noughts.search.trace import record

    told = 0
    with progress("searching") as show:

        def counted(event: Event) -> None:
            nonlocal told
            write(event)
            told += 1
            if told % 10_000 == 0:
                show(told, None)

        record(
            watched.search,
            place,
            watched.limit,
            write=counted,
            most_nodes=nodes,
            most_depth=depth,
            **watched.options,
        )


MOST_NODES = 200_000
"""A tree with more nodes is not kept to be drawn."""


@app.command(
    epilog=examples(
        "noughts tree basic --moves 51379 -o tree.svg",
        "noughts tree connect4 --moves 4455 --algorithm alphabeta:depth=3 --theme dark -o tree.png",
        "noughts tree basic --moves 51 --algorithm mcts:simulations=100,seed=1 -o tree.dot",
    )
)
def tree(
    position: PositionArgument,
    moves: MovesOption = "",
    algorithm: AlgorithmOption = "alphabeta",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write to this .svg, .png or .dot; else SVG to stdout."
        ),
    ] = None,
    nodes: Annotated[int, typer.Option(help="Draw so many nodes, and fold the others.")] = 30,
    breadth: Annotated[int, typer.Option(help="Draw so many moves of a node.", min=1)] = 7,
    depth: Annotated[
        int | None, typer.Option(help="Draw nodes down to this depth only.", min=0)
    ] = None,
    theme: Annotated[
        Theme | None, typer.Option(help="Colours; auto, or light for PNG, if left out.")
    ] = None,
) -> None:
    """Draw the tree of a search: boards, values, the line played, what is pruned and why."""
    from noughts.views import tree as view

    if not 1 <= nodes <= view.MOST_BOARDS:
        reason = f"a picture has 1 to {view.MOST_BOARDS:,} boards; the others are folded"
        fail(f"--nodes: {nodes:,} is too {'many' if nodes > 1 else 'few'}: {reason}", 2)
    form = ".svg" if output is None else output.suffix.lower()
    if form not in (".svg", ".png", ".dot"):
        fail(f"--output: {output} does not end in .svg, .png or .dot", 2)
    if form == ".png" and theme is Theme.AUTO:
        fail("--theme: a PNG is light or dark, and cannot follow the reader's system", 2)
    if form == ".png" and find_spec("resvg_py") is None:
        fail("drawing PNG needs resvg_py: pip install 'noughts[plots]'", 2)
    place = after(*read_position(position, moves, trees=True))
    watched = read_search(algorithm, place)
    grown = _grown(watched, place, depth)
    if form == ".dot":
        drawn = view.dot(grown, most=nodes, breadth=breadth).encode()
    else:
        chosen = theme or (Theme.LIGHT if form == ".png" else Theme.AUTO)
        picture = view.picture(grown, theme=chosen.value, most=nodes, breadth=breadth)
        drawn = picture.encode() if form == ".svg" else view.png(picture)
    if output is None:
        print(drawn.decode(), end="")
        return
    with writing(output):
        output.write_bytes(drawn)


def _grown(watched: Watched, place: Position, depth: int | None) -> Tree:
    """Return the tree of a search, or refuse one that is too large to be kept."""
    from noughts.search.tree import Grower

    grower = Grower()
    _record(watched, place, grower, MOST_NODES, depth)
    grown = grower.tree
    assert grown is not None
    assert grown.result is not None
    if grown.result.nodes - grown.left_out >= MOST_NODES:
        fail(
            f"the search enters {grown.result.nodes:,} nodes, and fewer than "
            f"{MOST_NODES:,} can be drawn and folded: ask for the upper layers with --depth 4, or "
            f"for a smaller search, such as --algorithm {watched.search.__name__}:depth=4",
            2,
        )
    return grown


@app.command(
    epilog=examples(
        "noughts step basic~XOX.XOO.1X1~O",
        "noughts step connect4 --moves 4453 --algorithm alphabeta:depth=4",
        "noughts step ultimate --algorithm mcts:simulations=200,seed=1",
        "echo cutoff | noughts step basic --moves 5129",
        "noughts step '((3 12 8) (2 4 6) (14 5 2))'",
    )
)
def step(
    position: PositionArgument,
    moves: MovesOption = "",
    algorithm: AlgorithmOption = "alphabeta",
    nodes: Annotated[
        int, typer.Option(help="Tell of so many nodes only; the search goes on.", min=1)
    ] = 25_000,
    ascii_: Annotated[bool, typer.Option("--ascii", help="Draw with plain characters.")] = False,
) -> None:
    """Go through a search step by step: forward, back, to the next cutoff, to the end.

    Where the input is no terminal, every line of it is a command, and is answered by the state.
    """
    from rich.console import Console

    from noughts.apps.stepper import Stepper, browse, follow

    place = after(*read_position(position, moves, trees=True))
    watched = read_search(algorithm, place)
    recording = _recorded(watched, place, nodes, None, 10 * nodes)
    console, stepper = Console(highlight=False), Stepper(recording, watched.text)
    try:
        if sys.stdin.isatty() and console.is_terminal and not console.is_dumb_terminal:
            browse(stepper, console, ascii_)
        else:
            follow(stepper, console, ascii_)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


@app.command(
    epilog=examples(
        "noughts replay basic --moves 5129 -o see.html",
        "noughts replay basic --moves 51 --algorithm minimax --algorithm alphabeta -o see.html",
        "noughts replay '((3 12 8) (2 4 6) (14 5 2))' -o see.html",
        "noughts replay --trace search.jsonl -o see.html",
    )
)
def replay(
    position: Annotated[
        str | None,
        typer.Argument(help="A position string or a rules id.", autocompletion=complete_rules),
    ] = None,
    moves: MovesOption = "",
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            help=f"The search: {ALGORITHMS}. Given twice, two searches stand side by side.",
            autocompletion=complete_algorithm,
            show_default="alphabeta",
        ),
    ] = None,
    trace: Annotated[
        list[Path] | None,
        typer.Option(help="A file of noughts trace, in place of a search; may be given twice."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the page to this file.")
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            help="Tell of so many nodes only; the search goes on.",
            min=1,
            max=30_000,
            show_default="5000",
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(help="Tell of nodes down to this depth only.", min=0)
    ] = None,
) -> None:
    """Write a page that replays a search in any browser: tree, values and code, step by step."""
    from noughts.views import replay as view

    if output is None and sys.stdout.isatty():
        fail("a replay is a page for a browser: name a file for it, such as -o see.html", 2)
    if trace:
        if position or moves or algorithm or nodes or depth is not None:
            fail("--trace: the file says what was searched, and holds what it tells of", 2)
        if len(trace) > 2:
            fail(f"--trace: one search or two side by side, not {len(trace)}", 2)
        recordings = [_read_recording(path) for path in trace]
    elif position is None:
        fail("what is to be replayed? Name a position, or a file with --trace", 2)
    else:
        place = after(*read_position(position, moves, trees=True))
        searches = [read_search(text, place) for text in algorithm or ["alphabeta"]]
        if len(searches) > 2:
            fail(f"--algorithm: one search or two side by side, not {len(searches)}", 2)
        recordings = [
            _recorded(watched, place, nodes or 5_000, depth, view.MOST_EVENTS)
            for watched in searches
        ]
    try:
        page = view.replay(recordings)
    except NO_TRACE as error:
        if not trace:
            raise
        fail(f"--trace: {str(error) or 'the events do not fit together'}", 3)
    for recording in recordings:
        _say_what_is_missing(recording)
    if output is None:
        print(page)
        return
    with writing(output):
        output.write_text(page, encoding="utf-8")
    for recording in recordings:
        name = view.name_of(recording.start)
        print(f"{output}   {name}: {len(recording):,} events")


NO_TRACE = (ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""What comes up with a file whose lines are events and do not fit together."""


def _recorded(
    watched: Watched, place: Position, nodes: int, depth: int | None, events: int
) -> Recording:
    """Return the events of a search, so many of so many nodes down to a depth."""
    from noughts.search.recording import Recording

    recording = Recording(most_events=events)
    _record(watched, place, recording, nodes, depth)
    return recording


def _read_recording(path: Path) -> Recording:
    """Return the events of a file of `noughts trace`, or refuse it with the reason."""
    from noughts.search.recording import Recording
    from noughts.search.trace_file import read_json_lines
    from noughts.views.replay import MOST_EVENTS

    try:
        with path.open(encoding="utf-8") as file, progress("reading"):
            return Recording(read_json_lines(file), most_events=MOST_EVENTS)
    except OSError as error:
        fail(f"--trace: {path} cannot be read: {error.strerror}", 3)
    except UnicodeDecodeError as error:
        fail(f"--trace: {path} is no text in UTF-8: {error.reason} at byte {error.start}", 3)
    except NO_TRACE as error:
        fail(f"--trace: {path}: {error}", 3)


def _say_what_is_missing(recording: Recording) -> None:
    """Complain of nodes and events that the page does not tell of, and say what to ask for."""
    from noughts.views.replay import name_of

    end, name = recording.end, name_of(recording.start)
    if end is not None and end.left_out:
        nodes = f"{end.recorded:,} of {end.recorded + end.left_out:,} nodes"
    elif recording.dropped:
        nodes = f"{len(recording):,} of {len(recording) + recording.dropped:,} events"
    else:
        return
    print(
        f"noughts: {name}: the page tells of {nodes}; --depth 4 tells of the upper layers, --nodes"
        " of more, --moves or a limit such as alphabeta:depth=4 of a smaller search",
        file=sys.stderr,
    )
