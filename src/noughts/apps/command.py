"""What the commands share: how they read their words, how they answer, and how they complain.

stdout is the answer, stderr is progress and complaints. Exit codes: 0 done, 1 the answer is no,
2 wrong usage, 3 a bad position, move list or file, 4 an engine or bot failed, 130 Ctrl-C.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

import noughts
from noughts.games.position import IllegalMove, NotationError, Player, Position
from noughts.games.record import Record
from noughts.games.registry import parse_start

if TYPE_CHECKING:
    from rich.console import RenderableType

    from noughts.arena.statistics import Sprt


def examples(*lines: str) -> str:
    """Return the end of a help page, each example on a line of its own."""
    return "\n\n".join(("Examples:", *lines))


def complete_rules(incomplete: str) -> list[str]:
    return [name for name in noughts.GAMES if name.startswith(incomplete)]


JsonFlag = Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")]
SeedOption = Annotated[
    int | None, typer.Option(help="Seed of everything that is left to chance.", min=0)
]
MovesOption = Annotated[
    str, typer.Option(help="Moves to play first, such as '51 15 55' (basic, connect4: 4453).")
]


SaveOption = Annotated[
    Path | None, typer.Option(help="Append every game to this file (.jsonl: JSON lines).")
]
SwappedFlag = Annotated[
    bool, typer.Option("--swapped", help="Show X as O and O as X: O moves first.")
]


class Theme(StrEnum):
    """The themes of pictures and of the window."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


class ChartTheme(StrEnum):
    """The themes of charts, which do not follow their reader."""

    LIGHT = "light"
    DARK = "dark"


def fail(message: str, code: int) -> NoReturn:
    """Complain on stderr and end with an exit code."""
    print(f"noughts: {message}", file=sys.stderr)
    raise typer.Exit(code)


def read_position(text: str, moves: str = "", trees: bool = False) -> tuple[Position, list[int]]:
    """Return the position that a rules id or a position string names, and moves to play there.

    With `trees` the text may also be a tree with given values, for commands that watch a search.
    """
    is_tree = text.startswith("(")
    if is_tree and not trees:
        fail(
            "a tree with given values is no game; `lab prune`, `step`, `tree` and `trace` take it",
            2,
        )
    try:
        start = noughts.position(text) if is_tree else parse_start(text)
    except NotationError as error:
        fail(str(error), 3 if "~" in text or is_tree else 2)
    try:
        return start, noughts.parse_moves(start, moves)
    except IllegalMove as error:
        fail(f"--moves: {error}", 3)


def to_go_on(
    command: str, start: Position, sides: Mapping[Player, str], moves: Sequence[int], swapped: bool
) -> str:
    """Return the command line that goes on with a game.

    Args:
        command: what opens a game, as a shell has it.
        start: where the game began.
        sides: who plays, as opponents are named.
        moves: what was played.
        swapped: whether the letters are shown exchanged.
    """
    flag = " --swapped" if swapped else ""
    texts = " ".join(noughts.move_texts(start, moves))
    x, o = (sides[player] for player in Player)
    return f"{command} '{start}' --x {x} --o {o}{flag} --moves '{texts}'"


def read_sprt(text: str) -> Sprt:
    """Return the test that `--sprt` names: `0,10` or `0,10,0.05,0.05`."""
    from noughts.arena.statistics import Sprt

    try:
        elo0, elo1, *rates = map(float, text.split(","))
        alpha, beta = rates or (0.05, 0.05)
    except ValueError:
        fail(f"--sprt: {text!r} is not ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA", 2)
    test = Sprt(elo0, elo1, alpha, beta)
    try:
        test.check()
    except ValueError as error:
        fail(f"--sprt: {error}", 2)
    return test


def after(start: Position, moves: list[int]) -> Position:
    for move in moves:
        start = start.play(move)
    return start


def answer(data: dict[str, Any]) -> None:
    """Print a JSON object."""
    print(json.dumps({"schema": 1, **data}, ensure_ascii=False))


def read_records(file: Path) -> Iterator[Record]:
    """Yield the records of a file; where it cannot be read, say why and end.

    A last line that is cut off, as by a loss of power, is left out, with a word.
    """
    from noughts.games import record as records

    try:
        yield from records.read(file)
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror or error}", 3)
    except IllegalMove as error:
        fail(f"{file}: {error}", 3)
    except NotationError as error:
        # Of JSON lines only the last can be without an end.
        if file.suffix != ".jsonl" or error.field != "JSON" or error.text.endswith("\n"):
            fail(f"{file}: {error}", 3)
        print(f"noughts: {file}: the last line is cut off, and left out", file=sys.stderr)


def show_tables(shown: RenderableType) -> None:
    """Print tables and what stands around them, as wide as their numbers need.

    A number that is cut short would be a false one.
    """
    from rich.console import Console

    console = Console(highlight=False)
    unbounded = console.options.update(width=1000)
    widths = [console.measure(table, options=unbounded).maximum for table in _tables(shown)]
    console.width = max([console.width, *widths])
    console.print(shown)


def _tables(shown: RenderableType) -> Iterator[RenderableType]:
    """Yield the tables of a group."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table

    if isinstance(shown, Table):
        yield shown
    elif isinstance(shown, Padding):
        yield from _tables(shown.renderable)
    elif isinstance(shown, Group):
        for part in shown.renderables:
            yield from _tables(part)


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """Say why the file that `--output` names cannot be written, where it cannot."""
    try:
        yield
    except OSError as error:
        fail(f"--output: {output} cannot be written: {error.strerror}", 3)


@contextmanager
def progress(what: str) -> Iterator[Any]:
    """Show a bar on stderr, if that is a terminal, while a long work goes on."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),  # Else what is printed meanwhile goes to stderr.
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def check_chart(output: Path) -> None:
    """Refuse before the work what cannot be drawn after it."""
    if output.suffix.lower() not in (".png", ".svg"):
        fail(f"--output: {output} is not a .png or .svg file", 2)
    if not output.parent.is_dir():
        fail(f"--output: there is no folder {output.parent}", 3)
    try:
        import noughts.views.chart  # noqa: F401
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        fail("drawing charts needs matplotlib: pip install 'noughts[plots]'", 2)


def show_table(
    title: str,
    headers: Sequence[str],
    sections: Iterable[Sequence[Sequence[str]]],
    paragraphs: Iterable[str],
) -> None:
    """Print a table with its title and what is to be said of it; no number is cut short."""
    from rich import box
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 0, 0, 1))
    for number, header in enumerate(headers):
        table.add_column(
            header.replace(", ", ",\n").replace(" ", "\n"),
            justify="right" if number else "left",
            no_wrap=True,
        )
    for section in sections:
        for row in section:
            table.add_row(*map(Text, row))
        table.add_section()
    width = min(console.width, 100)
    console.print(title, markup=False, width=width)
    show_tables(Padding(table, (1, 0)))
    for paragraph in paragraphs:
        console.print(paragraph, markup=False, width=width)
