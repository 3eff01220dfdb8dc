"""Options and arguments that several commands take, and their completion.

Options that belong together are the fields of a dataclass, such as `SearchLimits`. A command takes
the dataclass as one parameter, and its fields become options.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from math import isnan
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from typer.models import ParameterInfo

from noughts.games.position import Player, Position
from noughts.games.registry import GAMES
from noughts.opponents import OPPONENTS
from noughts.search.result import LARGEST_LIMITS, Limit

PLAY, ANALYSE, LEARN, COMPETE = "Play", "Analyse", "Learn", "Compete"
MORE, DEVELOP = "More", "For developers"
"""Panels of the help of `noughts`."""


def examples(*lines: str) -> str:
    """Return the end of a help page: one example a line."""
    return "\n".join(("Examples:", *(f"  {line}" for line in lines)))


def complete_rules(incomplete: str) -> list[str]:
    return [name for name in GAMES if name.startswith(incomplete)]


def complete_opponent(incomplete: str) -> list[str]:

    return [name for name in OPPONENTS if name.startswith(incomplete)]


PositionArgument = Annotated[
    str, typer.Argument(help="A game or a position string.", autocompletion=complete_rules)
]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON.")]
SeedOption = Annotated[int | None, typer.Option(help="Seed for random choices.", min=0)]
MovesOption = Annotated[
    str, typer.Option(help="Moves to play first: '51 15 55' (basic and connect4 also 4453).")
]


def number_option(help_: str, least: float | None = None, most: float | None = None) -> Any:
    """Return an option for a number, which may not be `nan`: that lies in every range."""

    def checked(value: float | None) -> float | None:
        if value is not None and isnan(value):
            raise typer.BadParameter("nan is not a number.")
        return value

    return typer.Option(help=help_, min=least, max=most, callback=checked)


def limit_option(bound: str, help_: str) -> Any:
    """Return the option for a bound of `Limit`."""
    least = 0.001 if bound == "seconds" else 1
    return number_option(help_, least, LARGEST_LIMITS[bound])


class ChartTheme(StrEnum):
    """Themes of charts, which cannot follow the reader's system."""

    LIGHT = "light"
    DARK = "dark"


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that Typer understands: dataclass parameters are spread into options.

    A dataclass may name the help panel of its options in a class variable `panel`.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name not in groups:
            spread = [parameter.replace(annotation=hints[parameter.name])]
        else:
            spread = _options_of(groups[parameter.name])
        parameters += [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in spread]

    @wraps(command)
    def run(**values: Any) -> None:
        built = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**values, **built)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


class Commands(typer.Typer):
    """The commands of a module."""

    def add_to(
        self, panel: str, *lines: str
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Return a decorator: it adds a command to a panel of the help, with lines of examples."""
        add = self.command(rich_help_panel=panel, epilog=examples(*lines))
        return lambda command: add(grouped(command))


def _options_of(group: Any) -> list[inspect.Parameter]:
    """Return the fields of a dataclass as parameters, in the help panel of the dataclass."""
    hints = get_type_hints(group, include_extras=True)
    found = []
    for field in fields(group):
        kind, option = hints[field.name].__origin__, copy(hints[field.name].__metadata__[0])
        assert isinstance(option, ParameterInfo)
        option.rich_help_panel = getattr(group, "panel", None)
        found.append(
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=Annotated[kind, option],
            )
        )
    return found


@dataclass(frozen=True)
class GameOptions:
    """How a game begins: its players, its first moves, the letters and the file for the record."""

    x: Annotated[
        str | None,
        typer.Option(
            "--x",
            help="The player of X, who moves first: human, random, minimax, alphabeta, hminimax, "
            "negamax, mcts, engine or perfect, with options as in alphabeta:depth=6. A side left "
            "out is human if the other is given.",
            autocompletion=complete_opponent,
        ),
    ] = None
    o: Annotated[
        str | None,
        typer.Option(
            "--o",
            help="The player of O. If neither is given, you play X against a computer.",
            autocompletion=complete_opponent,
        ),
    ] = None
    moves: MovesOption = ""
    save: Annotated[
        Path | None, typer.Option(help="Append every game to this file (.jsonl: JSON lines).")
    ] = None
    seed: SeedOption = None
    swapped: Annotated[
        bool, typer.Option("--swapped", help="Show X as O and O as X, so that O moves first.")
    ] = False

    def sides(self, start: Position) -> dict[Player, str]:
        """Return the texts of the players; the game's own opponent plays O if neither is given."""
        default = start.default_opponent if self.x is self.o is None else "human"
        return {Player.X: self.x or "human", Player.O: self.o or default}


NODES = "Positions to search. Without any limit: a million, or 50,000 in a game of your own."


@dataclass(frozen=True)
class SearchLimits:
    """Limits of a search."""

    depth: Annotated[int | None, limit_option("depth", "Plies to look ahead.")] = None
    nodes: Annotated[int | None, limit_option("nodes", NODES)] = None
    seconds: Annotated[float | None, limit_option("seconds", "Seconds to search.")] = None

    @property
    def limit(self) -> Limit:
        return Limit(self.depth, self.nodes, self.seconds)
