"""The command that opens the window: `noughts window`."""

from __future__ import annotations

import importlib.util
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.apps.command import (
    MovesOption,
    SaveOption,
    SeedOption,
    SwappedFlag,
    Theme,
    complete_rules,
    examples,
    fail,
    read_position,
)
from noughts.games.position import NotationError, Player, Position

if TYPE_CHECKING:
    from noughts.apps.window.app import App

app = typer.Typer()

PERSON, MACHINE = "human", "engine:level=4"
COURSE = "noughts.cs50"
"""What `--cs50` plays with if no module is named."""


@app.command(
    epilog=examples(
        "noughts window",
        "noughts window ultimate --o engine:level=6",
        "noughts window connect4 --x human --o mcts:seconds=1 --save games.txt",
        "noughts window --cs50 tictactoe.py",
    )
)
def window(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            help="A rules id or a position string; asked for in the window if left out. "
            "With --cs50: the file or module that has the seven functions.",
            autocompletion=complete_rules,
        ),
    ] = None,
    x: Annotated[
        str, typer.Option("--x", help="Who plays X and moves first, as in `noughts play`.")
    ] = PERSON,
    o: Annotated[str, typer.Option("--o", help="Who plays O.")] = MACHINE,
    moves: MovesOption = "",
    save: SaveOption = None,
    seed: SeedOption = None,
    swapped: SwappedFlag = False,
    theme: Annotated[
        Theme, typer.Option(help="The colours; auto is light or dark as the desktop is.")
    ] = Theme.AUTO,
    scale: Annotated[
        float, typer.Option(help="How large everything is drawn.", min=0.6, max=4.0)
    ] = 1.0,
    cs50: Annotated[
        bool,
        typer.Option("--cs50", help="Play with the course's seven functions, ours or your own."),
    ] = False,
) -> None:
    """Open a window: play any of the games with the mouse or the keyboard."""
    sides = {Player.X: x, Player.O: o}
    start: Position | None = None
    opening: list[int] = []
    if (cs50 or game is None) and (moves or swapped or (x, o) != (PERSON, MACHINE)):
        fail("--x, --o, --moves and --swapped need a game, as in `noughts window basic`", 2)
    if cs50:
        _find_module(game or COURSE)
    else:
        from noughts.arena.player import parse_opponent

        if game is not None:
            start, opening = read_position(game, moves)
        try:
            for text in sides.values():
                parse_opponent(text)
        except NotationError as error:
            fail(str(error), 2)
    opened = _open(context, save=save, seed=seed, theme=theme, scale=scale)
    lines: list[str] = []
    failed = ""
    try:
        if cs50:
            opened.study(game or COURSE)
        elif start is None:
            opened.set_up()
        else:
            opened.play(start, sides, moves=opening, swapped=swapped)
        opened.run()
    finally:
        opened.close()
        if opened.table is not None:
            command = shlex.join(["noughts", *context.obj, "window"])
            lines = opened.table.farewell(command)
            failed = opened.table.failure
        for line in lines:
            print(line)
    if failed:
        fail(failed, 4)


def _find_module(name: str) -> None:
    """Complain if there is no such file, and no module of that name."""
    path = Path(name)
    if path.suffix == ".py" or "/" in name:
        if not path.is_file():
            fail(f"--cs50: there is no file {name}", 3)
        return
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        found = None
    finally:
        sys.path.pop(0)
    if found is None:
        fail(f"--cs50: there is no module {name}, and no file of that name", 3)


def _open(
    context: typer.Context, *, save: Path | None, seed: int | None, theme: Theme, scale: float
) -> App:
    """Open the window, or say what it needs."""
    try:
        from noughts.apps.window.app import App, NoDisplay
    except ImportError as error:
        fail(f"the window needs {error.name}: pip install 'noughts[window]'", 2)
    load = tuple(Path(word) for word in context.obj if word != "--load")
    try:
        return App(theme=theme.value, scale=scale, load=load, save=save, seed=seed)
    except NoDisplay as error:
        fail(f"no window can be opened here: {error}; `noughts play` plays in the terminal", 4)
