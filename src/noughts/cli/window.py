"""`noughts window`: play in a window."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from noughts.cli.inputs import read_position
from noughts.cli.options import PLAY, Commands, GameOptions, complete_rules, number_option
from noughts.cli.output import fail, failing, warn
from noughts.extras import missing
from noughts.games.position import NotationError, Player
from noughts.opponents import opponent
from noughts.views.svg import ImageTheme

if TYPE_CHECKING:
    from noughts.window.app import App

app = Commands()

COURSE = "noughts.cs50"
"""Module that `--cs50` opens if none is named."""


@app.add_to(
    PLAY,
    "noughts window",
    "noughts window ultimate --o engine:level=6",
    "noughts window connect4 --o mcts:seconds=1 --save games.txt",
    "noughts window --cs50 tictactoe.py",
)
def window(
    context: typer.Context,
    options: GameOptions,
    game: Annotated[
        str | None,
        typer.Argument(
            help="A game or a position string. Left out: you choose in the window. "
            "With --cs50: a file or module with the seven functions.",
            autocompletion=complete_rules,
        ),
    ] = None,
    theme: Annotated[
        ImageTheme, typer.Option(help="Colours; auto follows the desktop.")
    ] = ImageTheme.AUTO,
    scale: Annotated[float, number_option("Size of everything.", 0.6, 4.0)] = 1.0,
    cs50: Annotated[
        bool, typer.Option("--cs50", help="Play with the seven functions of the CS50 AI project.")
    ] = False,
) -> None:
    """Play in a window, with the mouse or the keyboard."""

    if (cs50 or game is None) and (options.moves or options.swapped or options.x or options.o):
        fail("--x, --o, --moves and --swapped need a game, as in `noughts window basic`", 2)
    start = opening = None
    sides: dict[Player, str] = {}
    if cs50:
        _find_module(game or COURSE)
    elif game is not None:
        start, opening = read_position(game, options.moves)
        sides = options.sides(start)
        with failing(2, NotationError):
            for text in sides.values():
                opponent(text)
    opened = _open(context, options, theme, scale)
    command = shlex.join(["noughts", *context.obj, "window"])

    def say_goodbye() -> None:
        for line in opened.game.farewell(command) if opened.game is not None else ():
            print(line, flush=True)

    def lost() -> NoReturn:
        try:
            say_goodbye()
            warn("The display was lost.")
        finally:
            os._exit(4)

    from noughts.window.display import when_lost

    when_lost(lost)
    try:
        if cs50:
            opened.study(game or COURSE)
        elif start is None:
            opened.set_up()
        else:
            opened.play(start, sides, moves=opening or (), swapped=options.swapped)
        opened.run()
    finally:
        opened.close()
        say_goodbye()
    if opened.game is not None and opened.game.failure:
        fail(opened.game.failure, 4)


def _find_module(name: str) -> None:
    """Fail unless there is a file or a module of that name."""
    from noughts.window.cs50_functions import find_course_file

    if find_course_file(name) is None:
        is_file = name.endswith(".py") or "/" in name
        also = "" if is_file else f", and no module {name}"
        fail(f"--cs50: there is no file {name}{also}", 3)


def _open(context: typer.Context, options: GameOptions, theme: ImageTheme, scale: float) -> App:
    """Open the window, or fail with the reason."""
    try:
        from noughts.window.app import App, NoDisplay
    except ImportError as error:
        fail(missing("the window", error.name, "window"), 2)
    load = tuple(Path(word) for word in context.obj if word != "--load")
    try:
        return App(theme=theme.value, scale=scale, load=load, save=options.save, seed=options.seed)
    except NoDisplay as error:
        fail(f"cannot open a window: {error}. `noughts play` plays in the terminal.", 4)
