"""Print answers, errors and progress.

Answers go to stdout, errors and progress to stderr. Exit codes: 0 done, 1 the answer is no,
2 wrong usage, 3 a bad position, move list or file, 4 an engine or bot failed or a disk is full,
5 a test ended undecided, 130 Ctrl-C.
"""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, TextIO

import typer
from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from noughts.extras import missing
from noughts.games.phrases import sentence
from noughts.games.position import Player, Position, move_texts
from noughts.views.foreign import escaped_controls, without_controls

FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of a write for which no argument of the command is to blame."""


def fail(error: object, code: int) -> NoReturn:
    """Print an error as a sentence on stderr, and exit with a code."""
    message = sentence(str(error))
    # A command at the end, as in `pip install '…'`, stays fit to copy.
    shown = message[:-1] if message.endswith("'.") else message
    warn(shown)
    raise typer.Exit(code)


def warn(message: str) -> None:
    """Print a message on stderr."""
    say(f"noughts: {message}", sys.stderr)


def say(text: str, file: TextIO | None = None) -> None:
    """Print a text without its control characters, by default on stdout."""
    print(without_controls(text), file=file)


class Screen(Console):
    """A console that leaves out control characters, since texts may come from strangers."""

    def __init__(self, **options: Any) -> None:
        # Rich would colour numbers, and draw ":x:" in a name as a picture.
        super().__init__(highlight=False, emoji=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else without_controls(text), style, control)


@contextmanager
def failing(
    code: int, errors: type[Exception] | tuple[type[Exception], ...], before: str = ""
) -> Iterator[None]:
    """Fail with a code where one of these errors is raised; the message begins with `before`.

    The message of an `OSError` has no number; without `before` it begins with the name of the file.
    """
    try:
        yield
    except errors as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        if isinstance(error, UnicodeDecodeError):
            why = "it is not text in UTF-8"
        if isinstance(error, OSError) and error.filename and not before:
            before = f"cannot read {error.filename}: "
        fail(f"{before}{why}", code)


def answer(data: dict[str, Any]) -> None:
    """Print a JSON object."""
    print(escaped_controls(json.dumps({"schema": 1, **data}, ensure_ascii=False)))


def suggestion(text: str, known: Iterable[str]) -> str:
    """Return "Did you mean …?" with the nearest names, or the list of all.

    >>> suggestion("analise", ["analyse", "solve"]), suggestion("x", ["analyse", "solve"])
    ('Did you mean analyse?', 'Choose from: analyse, solve.')
    """
    names = list(known)
    near = get_close_matches(text.lower(), names)
    return f"Did you mean {' or '.join(near)}?" if near else f"Choose from: {', '.join(names)}."


def resume_command(
    command: str, start: Position, sides: Mapping[Player, str], moves: Sequence[int], swapped: bool
) -> str:
    """Return the command line that resumes a game.

    Args:
        command: the command that opens a game, quoted for a shell.
        start: first position of the game.
        sides: texts of the two opponents.
        moves: moves played so far.
        swapped: whether X is shown as O, and O as X.
    """
    flag = " --swapped" if swapped else ""
    x, o = (sides[player] for player in Player)
    texts = " ".join(move_texts(start, moves))
    return f"{command} '{start}' --x {x} --o {o}{flag} --moves '{texts}'"


@contextmanager
def progress(title: str, unit: str = "") -> Iterator[Any]:
    """Show a progress bar on stderr if it is a terminal; yield `show(done, total)`.

    For work of unknown length, `total` is `None`, and `unit` names the things to count.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    counted = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} " + unit),
        TimeElapsedColumn(),
    )
    console = Screen(stderr=True)
    with Progress(
        *(counted if unit else ()),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),  # Otherwise output to a pipe goes to stderr.
    ) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def writing(path: Path, option: str = "--output") -> Iterator[None]:
    """Fail with the reason if the file of an option cannot be written."""
    try:
        yield
    except OSError as error:
        fail_to_write(path, error, option)


def fail_to_write(path: Path, error: OSError, option: str) -> NoReturn:
    """Fail because the file of an option cannot be written."""
    code = 4 if error.errno in FULL_DISK else 3
    fail(f"{option}: cannot write {path}: {error.strerror or error}", code)


def check_page(path: Path, option: str) -> None:
    """Fail before the work starts if no page could be written after it."""
    if path.suffix.lower() not in (".html", ".htm"):
        fail(f"{option}: {path} is not a .html file", 2)
    if not path.parent.is_dir():
        fail(f"{option}: there is no folder {path.parent}", 3)


def check_chart(output: Path, option: str = "--output") -> None:
    """Fail before the work starts if the chart could not be drawn after it."""
    if output.suffix.lower() not in (".png", ".svg"):
        fail(f"{option}: {output} is not a .png or .svg file", 2)
    if not output.parent.is_dir():
        fail(f"{option}: there is no folder {output.parent}", 3)
    try:
        import noughts.views.chart  # noqa: F401
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        fail(missing("drawing charts", "matplotlib", "plots"), 2)


def show_tables(shown: RenderableType) -> None:
    """Print tables at the width that their numbers need, so that none is cut short."""

    console = Screen()
    unbounded = console.options.update(width=1000)
    widths = [console.measure(table, options=unbounded).maximum for table in _tables(shown)]
    console.width = max([console.width, *widths])
    console.print(shown)


def _tables(shown: RenderableType) -> Iterator[RenderableType]:
    if isinstance(shown, Table):
        yield shown
    elif isinstance(shown, Padding):
        yield from _tables(shown.renderable)
    elif isinstance(shown, Group):
        for part in shown.renderables:
            yield from _tables(part)


def show_table(
    title: str,
    headers: Sequence[str],
    sections: Iterable[Sequence[Sequence[str]]],
    paragraphs: Iterable[str],
) -> None:
    """Print a title, a table in sections, and paragraphs below it; no number is cut short."""

    console = Screen()
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
