"""`noughts book`: build the engine's book of a game."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer

from noughts.books import MAX_STONES, Book
from noughts.cli.options import DEVELOP, Commands
from noughts.cli.output import failing, progress, writing

app = Commands()

SAVED_EVERY = 30.0
"""Seconds between two writes of the file."""


@app.add_to(
    DEVELOP,
    "noughts book connect4 9 connect4.book --jobs 4",
)
def book(
    rules: Annotated[str, typer.Argument(help="A rules id of Connect Four.")],
    stones: Annotated[int, typer.Argument(help="Stones on the board.", min=1, max=MAX_STONES)],
    file: Annotated[Path, typer.Argument(help="The book to write, or to continue.")],
    jobs: Annotated[int | None, typer.Option(help="Processes (all cores).", min=1)] = None,
) -> None:
    """Build an opening book: solve every position with a number of stones.

    An interrupted run continues from its file.
    """
    from noughts.books import build

    with failing(2, ValueError):
        wanted = build.positions(rules, stones)
    with failing(3, (ValueError, OSError)):
        known = build.read_or_create(file, wanted, stones)

    def save(book: Book) -> None:
        with writing(file, "FILE"):
            build.write(file, book, rules)

    save(known)  # A file that cannot be written is refused before the work.
    saved = time.monotonic()
    with progress("solving") as show:
        for left, better in build.solve(wanted, known, jobs or os.cpu_count() or 1):
            show(len(wanted) - left, len(wanted))
            if left == 0 or time.monotonic() - saved > SAVED_EVERY:
                save(better)
                saved = time.monotonic()
