"""Commands that show the steps of a search: `noughts trace`, `tree`, `step`, `replay`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.inputs import read_position_after
from noughts.cli.options import (
    DEVELOP,
    LEARN,
    MORE,
    Commands,
    MovesOption,
    PositionArgument,
    complete_rules,
)
from noughts.cli.output import Screen, fail, failing, progress, warn, writing
from noughts.extras import missing
from noughts.games.given_tree import GivenTree
from noughts.games.position import NotationError, Position
from noughts.games.words import outcome_sentence
from noughts.search.textbook import SEARCHES, TextbookSearch, parse_search
from noughts.search.trace import Event, record
from noughts.views.svg import ImageTheme

if TYPE_CHECKING:
    from noughts.search.recording import Recording
    from noughts.search.tree import Tree

app = Commands()

ALGORITHMS = (
    "minimax, alphabeta, hminimax, negamax or mcts, with limits and options as in "
    "alphabeta:depth=4,score=ten or mcts:simulations=50,seed=1"
)


def complete_algorithm(incomplete: str) -> list[str]:

    return [name for name in SEARCHES if name.startswith(incomplete)]


AlgorithmOption = Annotated[
    str,
    typer.Option(help=f"The search: {ALGORITHMS}.", autocompletion=complete_algorithm),
]


def read_search(text: str, position: Position) -> TextbookSearch:
    """Return the search that `text` names; fail if it is unknown or the game is over."""

    if position.outcome() is not None:
        leaf = isinstance(position, GivenTree)
        why = "it is a leaf" if leaf else f"the game is over. {outcome_sentence(position)}"
        fail(f"cannot search {position}: {why}", 3)
    with failing(2, NotationError):
        return parse_search(text, position, own_code=True)


@app.add_to(
    DEVELOP,
    "noughts trace basic --moves 1547 --algorithm minimax",
    "noughts trace connect4 --algorithm alphabeta:depth=5 -o search.jsonl",
    "noughts trace ultimate --algorithm mcts:simulations=200,seed=1 -o search.jsonl",
)
def trace(
    position: PositionArgument,
    moves: MovesOption = "",
    algorithm: AlgorithmOption = "alphabeta",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Record at most this many nodes.", min=1)
    ] = None,
    depth: Annotated[
        int | None, typer.Option(help="Record nodes down to this depth.", min=0)
    ] = None,
) -> None:
    """Write every step of a search as JSON lines."""
    from noughts.search.trace_file import JsonLines

    place = read_position_after(position, moves, trees=True)
    chosen = read_search(algorithm, place)
    if output is None:
        _record(chosen, place, JsonLines(sys.stdout), nodes, depth)
        return
    with writing(output), output.open("w", encoding="utf-8") as file:
        _record(chosen, place, JsonLines(file), nodes, depth)


def _record(
    chosen: TextbookSearch,
    place: Position,
    write: Callable[[Event], object],
    nodes: int | None,
    depth: int | None,
) -> None:
    """Run a search and write its trace: at most `nodes` nodes, down to `depth`."""

    told = 0
    with progress("searching") as show:

        def counted(event: Event) -> None:
            nonlocal told
            write(event)
            told += 1
            if told % 10_000 == 0:
                show(told, None)

        record(
            chosen.search,
            place,
            chosen.limit,
            write=counted,
            max_nodes=nodes,
            max_depth=depth,
            **chosen.options,
        )


MAX_NODES = 200_000
"""Most nodes of a tree that is kept for drawing."""


@app.add_to(
    MORE,
    "noughts tree basic --moves 51379 -o tree.svg",
    "noughts tree connect4 --moves 4455 --algorithm alphabeta:depth=3 --theme dark -o tree.png",
    "noughts tree basic --moves 51 --algorithm mcts:simulations=100,seed=1 -o tree.dot",
)
def tree(
    position: PositionArgument,
    moves: MovesOption = "",
    algorithm: AlgorithmOption = "alphabeta",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A .svg, .png or .dot file. Default: SVG to stdout."),
    ] = None,
    nodes: Annotated[int, typer.Option(help="Nodes to draw; the others are folded.")] = 30,
    breadth: Annotated[int, typer.Option(help="Moves to draw below a node.", min=1)] = 7,
    depth: Annotated[int | None, typer.Option(help="Draw nodes down to this depth.", min=0)] = None,
    theme: Annotated[
        ImageTheme | None, typer.Option(help="Colours. Default: auto, or light for PNG.")
    ] = None,
) -> None:
    """Draw the tree of a search, with values, cutoffs and the best line."""
    from noughts.views import tree as view

    if not 1 <= nodes <= view.MAX_BOARDS:
        fail(f"--nodes: choose 1 to {view.MAX_BOARDS:,}, not {nodes:,}", 2)
    form = ".svg" if output is None else output.suffix.lower()
    if form not in (".svg", ".png", ".dot"):
        fail(f"--output: {output} does not end in .svg, .png or .dot", 2)
    if form == ".png" and theme is ImageTheme.AUTO:
        fail("--theme: choose light or dark for a PNG; only SVG follows the reader's system", 2)
    if form == ".png" and find_spec("resvg_py") is None:
        fail(missing("drawing PNG", "resvg_py", "plots"), 2)
    place = read_position_after(position, moves, trees=True)
    chosen = read_search(algorithm, place)
    grown = _grown(chosen, place, depth)
    if form == ".dot":
        drawn = view.dot(grown, most=nodes, breadth=breadth).encode()
    else:
        look = theme or (ImageTheme.LIGHT if form == ".png" else ImageTheme.AUTO)
        picture = view.picture(grown, theme=look.value, most=nodes, breadth=breadth)
        drawn = picture.encode() if form == ".svg" else view.png(picture)
    if output is None:
        print(drawn.decode(), end="")
        return
    with writing(output):
        output.write_bytes(drawn)


def _grown(chosen: TextbookSearch, place: Position, depth: int | None) -> Tree:
    """Return the tree of a search, or fail if it is too large."""
    from noughts.search.tree import Grower

    grower = Grower()
    _record(chosen, place, grower, MAX_NODES, depth)
    grown = grower.tree
    assert grown is not None
    assert grown.result is not None
    if grown.result.nodes - grown.left_out >= MAX_NODES:
        fail(
            f"the search has {grown.result.nodes:,} nodes; fewer than {MAX_NODES:,} can be drawn. "
            "Draw the top of the tree (--depth 4), or a smaller search "
            f"(--algorithm {chosen.search.__name__}:depth=4).",
            2,
        )
    return grown


@app.add_to(
    LEARN,
    "noughts step basic~XOX.XOO.1X1~O",
    "noughts step connect4 --moves 4453 --algorithm alphabeta:depth=4",
    "noughts step ultimate --algorithm mcts:simulations=200,seed=1",
    "echo cutoff | noughts step basic --moves 1547",
    "noughts step '((3 12 8) (2 4 6) (14 5 2))'",
)
def step(
    position: PositionArgument,
    moves: MovesOption = "",
    algorithm: AlgorithmOption = "alphabeta",
    nodes: Annotated[int, typer.Option(help="Record at most this many nodes.", min=1)] = 25_000,
    ascii_: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
) -> None:
    """Watch a search step by step, forward and back.

    If stdin is not a terminal, each line is a command, and the state after it is printed.
    """

    from noughts.cli.stepper import Stepper, browse, follow

    place = read_position_after(position, moves, trees=True)
    chosen = read_search(algorithm, place)
    recording = _recorded(chosen, place, nodes, None, 10 * nodes)
    console, stepper = Screen(), Stepper(recording, chosen.text)
    try:
        # Without termios, as on Windows, single keys cannot be read.
        keys = sys.stdin.isatty() and find_spec("termios") is not None
        if keys and console.is_terminal and not console.is_dumb_terminal:
            browse(stepper, console, ascii_)
        else:
            follow(stepper, console, ascii_)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


@app.add_to(
    LEARN,
    "noughts replay basic --moves 1547 -o replay.html",
    "noughts replay basic --moves 51 --algorithm minimax --algorithm alphabeta -o replay.html",
    "noughts replay '((3 12 8) (2 4 6) (14 5 2))' -o replay.html",
    "noughts replay --trace search.jsonl -o replay.html",
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
            help=f"The search: {ALGORITHMS}. Give two to compare them.",
            autocompletion=complete_algorithm,
            show_default="alphabeta",
        ),
    ] = None,
    trace: Annotated[
        list[Path] | None,
        typer.Option(help="A file of `noughts trace`, instead of a search. Give two to compare."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the page to this file.")
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            help="Record at most this many nodes.",
            min=1,
            max=30_000,
            show_default="5000",
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(help="Record nodes down to this depth.", min=0)
    ] = None,
) -> None:
    """Write an HTML page that replays a search: tree, values and code, step by step."""
    from noughts.views import replay as view

    if output is None and sys.stdout.isatty():
        fail("name a file for the page, such as -o replay.html", 2)
    if trace:
        if position or moves or algorithm or nodes or depth is not None:
            fail("--trace does not go with a position or options of a search", 2)
        if len(trace) > 2:
            fail(f"--trace: give one or two files, not {len(trace)}", 2)
        recordings = [_read_recording(path) for path in trace]
    elif position is None:
        fail("name a position, or a file with --trace", 2)
    else:
        place = read_position_after(position, moves, trees=True)
        searches = [read_search(text, place) for text in algorithm or ["alphabeta"]]
        if len(searches) > 2:
            fail(f"--algorithm: give one or two searches, not {len(searches)}", 2)
        recordings = [
            _recorded(chosen, place, nodes or 5_000, depth, view.MAX_EVENTS) for chosen in searches
        ]
    try:
        page = view.replay(recordings)
    except NO_TRACE as error:
        if not trace:
            raise
        fail(f"--trace: {str(error) or 'the events contradict each other'}", 3)
    for recording in recordings:
        _warn_of_gaps(recording)
    if output is None:
        print(page)
        return
    with writing(output):
        output.write_text(page, encoding="utf-8")
    for recording in recordings:
        name = view.name_of(recording.start)
        print(f"{output}   {name}: {len(recording):,} events")


NO_TRACE = (ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""Errors raised by a file of events that contradict each other."""


def _recorded(
    chosen: TextbookSearch, place: Position, nodes: int, depth: int | None, events: int
) -> Recording:
    """Return at most `events` events of a search, of at most `nodes` nodes, down to `depth`."""
    from noughts.search.recording import Recording

    recording = Recording(max_events=events)
    _record(chosen, place, recording, nodes, depth)
    return recording


def _read_recording(path: Path) -> Recording:
    """Return the events of a file of `noughts trace`, or fail with the reason."""
    from noughts.search.recording import Recording
    from noughts.search.trace_file import read_json_lines
    from noughts.views.replay import MAX_EVENTS

    try:
        with path.open(encoding="utf-8") as file, progress("reading"):
            return Recording(read_json_lines(file), max_events=MAX_EVENTS)
    except OSError as error:
        fail(f"--trace: cannot read {path}: {error.strerror}", 3)
    except UnicodeDecodeError as error:
        fail(f"--trace: {path} is not UTF-8 text: {error.reason} at byte {error.start}", 3)
    except NO_TRACE as error:
        fail(f"--trace: {path}: {error}", 3)


def _warn_of_gaps(recording: Recording) -> None:
    """Warn about nodes and events that are missing from the page."""
    from noughts.views.replay import name_of

    end, name = recording.end, name_of(recording.start)
    if end is not None and end.left_out:
        nodes = f"{end.recorded:,} of {end.recorded + end.left_out:,} nodes"
    elif recording.dropped:
        nodes = f"{len(recording):,} of {len(recording) + recording.dropped:,} events"
    else:
        return
    warn(
        f"{name}: the page has {nodes}. --depth 4 shows the top of the tree, --nodes more "
        "of it; --moves or alphabeta:depth=4 searches less."
    )
