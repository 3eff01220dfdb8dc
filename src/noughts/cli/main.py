"""The command line: build `noughts` from its commands."""

from __future__ import annotations

import io
import os
import sys
from collections import UserDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import cleandoc, getdoc
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from noughts.cli.options import examples
from noughts.cli.output import FULL_DISK, fail, warn
from noughts.games import registry
from noughts.games.phrases import sentence
from noughts.search.walk import BadEvaluation
from noughts.version import __version__

START = """\
noughts: play tic-tac-toe, Connect Four and their relatives, and see how the computer thinks.

Try first:
  noughts play                            choose a game and play it here
  noughts serve --open                    play in a browser
  noughts analyse connect4 --moves 44     the value of every move
  noughts step basic --moves 1547         watch a search, step by step
  noughts match level4 random --pairs 5   let two bots play a match

All commands: noughts --help. One command: noughts play --help."""
COMMANDS = {
    "play": ["play"],
    "window": ["window"],
    "serve": ["serve"],
    "puzzle": ["puzzle"],
    "analyse": ["analyse", "solve"],
    "explain": ["explain", "review"],
    "match": ["match"],
    "trace": ["step", "replay", "tree", "trace"],
    "check": ["check"],
    "exercise": ["exercise"],
    "games": ["games", "perft"],
    "explore": ["explore"],
    "compare": ["compare"],
    "labs": ["lab"],
    "count": ["count"],
    "unbeatable": ["unbeatable"],
    "results": ["results"],
    "ratings": ["ratings"],
    "export": ["export"],
    "site": ["site"],
    "proof": ["proof"],
    "table": ["table"],
    "engine": ["engine", "check-engine"],
    "book": ["book"],
    "train": ["train"],
    "dataset": ["dataset"],
    "vectors": ["vectors"],
    "mcp": ["mcp"],
}
"""The modules of the commands, in the order of the help, with the names of their commands."""
SPELLINGS = {"analyze": "analyse"}


class LazyCommands(UserDict[str, Any]):
    """The commands by name. A module is imported when one of its commands is used."""

    def __init__(self) -> None:
        super().__init__({name: module for module, names in COMMANDS.items() for name in names})

    def __getitem__(self, name: str) -> Any:
        found = super().__getitem__(name)
        if isinstance(found, str):
            self.update(get_group(import_module(f"noughts.cli.{found}").app).commands)
            found = super().__getitem__(name)
        return found


class Group(TyperGroup):
    """The commands of `noughts`, with other spellings and suggestions for mistyped options."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = LazyCommands()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        found = super().get_command(ctx, SPELLINGS.get(cmd_name, cmd_name))
        if "--help" in sys.argv and found is not None:
            _without_ranges(found)
            _with_paragraphs(found)
        return found

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """List the commands by their summaries: their options, which take time, are not built."""
        self.commands = dict(_summaries())
        super().format_help(ctx, formatter)

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        with _suggesting():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        with _suggesting():
            return super().invoke(ctx)


def _summaries() -> Iterator[tuple[str, TyperCommand]]:
    for module, names in COMMANDS.items():
        commands = import_module(f"noughts.cli.{module}").app
        texts = {info.name: info.typer_instance.info.help for info in commands.registered_groups}
        panels = {info.name: info.rich_help_panel for info in commands.registered_groups}
        for info in commands.registered_commands:
            name = info.name or info.callback.__name__.replace("_", "-")
            texts[name], panels[name] = getdoc(info.callback), info.rich_help_panel
        for name in names:
            yield name, TyperCommand(name, help=texts[name], rich_help_panel=panels[name])


def _without_ranges(command: Any) -> None:
    """Leave the ranges of numbers out of a help page: an error names them where they matter."""
    from typer import rich_utils

    rich_utils.RANGE_STRING = ""
    for each in command.params:
        if each.metavar is None and each.type.name.endswith(" range"):
            each.metavar = f"<{each.type.name.removesuffix(' range')}>"
    for each in getattr(command, "commands", {}).values():
        _without_ranges(each)


def _with_paragraphs(command: Any) -> None:
    """Join the lines of each paragraph of a help page, so that it fills the terminal's width."""
    paragraphs = cleandoc(command.help or "").split("\n\n")
    command.help = "\n\n".join(each.replace("\n", " ") for each in paragraphs)
    for each in getattr(command, "commands", {}).values():
        _with_paragraphs(each)


@contextmanager
def _suggesting() -> Iterator[None]:
    """Answer an unknown option with the nearest ones."""
    try:
        yield
    except Exception as error:
        # Typer's own class is private, and differs between its versions.
        if possibilities := getattr(error, "possibilities", None):
            error.message += f". Did you mean {' or '.join(possibilities)}?"  # type: ignore[attr-defined]
            error.possibilities = None  # type: ignore[attr-defined]
        raise


app = typer.Typer(
    name="noughts",
    cls=Group,
    help="Play tic-tac-toe, Connect Four and their relatives, and see how the computer thinks.",
    epilog=examples(
        "noughts play", "noughts play ultimate --o mcts:seconds=1", "noughts lab counts"
    ),
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"noughts {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    load: Annotated[
        list[Path] | None,
        typer.Option(help="A Python file that registers games of your own. Repeatable."),
    ] = None,
    version: Annotated[  # noqa: ARG001 - acts in its callback
        bool,
        typer.Option("--version", help="Show the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    context.obj = [word for path in load or () for word in ("--load", str(path))]
    for path in load or ():
        load_file(path)
    if context.invoked_subcommand is None:
        print(START)


def load_file(path: Path) -> None:
    """Run a Python file, so that the games in it register themselves."""
    if path.is_dir():
        fail(f"--load: {path} is a folder, not a Python file", 2)
    if not path.exists():
        fail(f"--load: there is no file {path}", 2)
    if path.suffix != ".py":
        fail(f"--load: {path} is not a Python file", 2)
    before = dict(registry.GAMES)
    try:
        registry.load(path)
    except Exception as error:  # whatever a user's file may raise
        fail(f"--load: {path}: {type(error).__name__}: {error}", 3)
    if before == registry.GAMES:
        fail(f"--load: {path} registers no game; write @noughts.register above its class", 3)


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            print(end="", flush=True)
    except BadEvaluation as error:
        warn(sentence(str(error)))
        sys.exit(3)
    except MemoryError:
        _end("there is not enough memory for this")
    except OSError as error:
        if error.errno not in FULL_DISK:
            raise
        # Otherwise the interpreter writes the rest when it exits, and fails again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _end(f"cannot write the output: {error.strerror}")


def _end(reason: str) -> NoReturn:
    """Exit because the machine failed."""
    with suppress(OSError):  # stderr may be on the full disk, too
        warn(reason)
    sys.exit(4)
