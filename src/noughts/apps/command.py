"""What the commands share: how they read their words, how they answer, and how they complain.

stdout is the answer, stderr is progress and complaints. Exit codes: 0 done, 1 the answer is no,
2 wrong usage, 3 a bad position, move list or file, 4 an engine or bot failed, 130 Ctrl-C.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

import noughts
from noughts.games.position import IllegalMove, NotationError, Player, Position
from noughts.games.registry import parse_start


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


def after(start: Position, moves: list[int]) -> Position:
    for move in moves:
        start = start.play(move)
    return start


def answer(data: dict[str, Any]) -> None:
    """Print a JSON object."""
    print(json.dumps({"schema": 1, **data}, ensure_ascii=False))


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
