"""What the kinds share that are Python functions: how one is named, found, and asked.

    FILE.py:function ──parse_place()──► Place ──find()──► function      in the process of the host
    Turn ──the site's choose──► what the function returned ──spoken()──► text after `bestmove`

The function never runs in the process of the match: `open_bot` starts `host`, which speaks the
house's own protocol, so that what stops, crashes or floods is one more process at fault.
"""

from __future__ import annotations

import importlib.util
import operator
import re
import shlex
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from noughts.arena import uci
from noughts.arena.bot import Bot, Entry, Turn
from noughts.games.position import NotationError, Position
from noughts.games.registry import GAMES

Choose = Callable[[Turn], str]
"""Asks a function for its move and returns what to say of it behind `bestmove`."""

LONGEST_ANSWER = 80
"""Characters of what a function returned that are told if it is no move."""

_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_NAME = re.compile(r"[A-Za-z_]\w*")


class Place(NamedTuple):
    """Where a function is: `source` is a path that ends in `.py`, or a module that Python finds."""

    source: str
    name: str | None

    @property
    def is_file(self) -> bool:
        return self.source.endswith(".py")


def parse_place(text: str, rest: str, *, named: bool | None) -> Place:
    """Return the place that `rest` names, as `FILE.py:function` or `package.module:function`.

    Args:
        text: the whole entry, for the message.
        rest: what follows its kind.
        named: whether a function must be named, `None` if it may be.

    Raises:
        NotationError: another form, or there is no such file.
    """

    def refuse(reason: str) -> NotationError:
        return NotationError(text, "BOT", reason)

    place = _split(rest)
    source, name = place
    if name is not None and not _NAME.fullmatch(name):
        raise refuse(f"{name!r} is not the name of a function")
    if named and name is None:
        raise refuse(f"no function is named; wanted is {source}:function")
    if named is False and name is not None:
        raise refuse(f"a file alone is wanted, without :{name}")
    if place.is_file:
        if not Path(source).is_file():
            raise refuse(f"there is no file {source}")
    elif name is None or not _MODULE.fullmatch(source):
        raise refuse(f"{rest!r} is neither a file that ends in .py nor module:function")
    return place


def _split(rest: str) -> Place:
    source, colon, name = rest.rpartition(":")
    return Place(source, name) if colon and not rest.endswith(".py") else Place(rest, None)


def open_bot(entry: Entry, rest: str) -> Bot:
    """Start a host for the function, and return the bot that speaks with it.

    Raises:
        Fault: the host does not start, or does not find the function.
    """
    kind = entry.text.partition(":")[0]
    place = _split(rest)
    # The host may run in another folder.
    source = str(Path(place.source).resolve()) if place.is_file else place.source
    # A bot asks for the same games as the match, those of the user's own files among them.
    modules = (sys.modules[game.__module__] for game in GAMES.values())
    loaded = {getattr(module, "__file__", None) for module in modules}
    house = Path(__file__).parents[2]
    own = sorted(file for file in loaded if file and not Path(file).is_relative_to(house))
    host = [sys.executable, "-P", "-m", "noughts.arena.adapters.host"]
    named = "" if place.name is None else f":{place.name}"
    command = [*host, kind, source + named, *own]
    return uci.open_bot(entry, shlex.join(command))


def run_file(path: Path) -> ModuleType:
    """Run a Python file as a module of its own and return it; its neighbours can be imported."""
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(f"bot_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def find(place: Place) -> Any:
    """Return the function at a place, or the module if the place names none.

    A file is run anew each time, so that a bot keeps nothing from one game for the next. What the
    file raises is passed on.

    Raises:
        LookupError: there is no such name.
    """
    module = run_file(Path(place.source)) if place.is_file else import_module(place.source)
    return module if place.name is None else member(module, place.name)


def member(module: ModuleType, name: str) -> Any:
    """Return what a module calls `name`.

    Raises:
        LookupError: nothing; the message names the callables that it has.
    """
    if hasattr(module, name):
        return getattr(module, name)
    own = [
        key
        for key, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", None) == module.__name__
    ]
    has = f"; it has {' '.join(own)}" if own else ""
    raise LookupError(f"{module.__file__} has no {name}{has}")


def spoken(position: Position, move: object) -> str:
    """Return a move as `bestmove` says it, legal or not.

    `move` is an int of any kind or the text of a move. What is neither is told as Python shows it,
    which is no move in any game.

    >>> import noughts
    >>> spoken(noughts.game("connect4"), 3), spoken(noughts.game("mnk:3,3,3"), None)
    ('4', '<None>')
    """
    if isinstance(move, str) and len(move.split()) == 1:
        return move.strip()
    try:
        return position.move_text(operator.index(move))  # type: ignore[arg-type]
    except Exception:  # no int, or one for which a user's own game has no text
        return no_move(move)


def cell_of(answer: object, rows: int, columns: int, first: int) -> int | None:
    """Return the cell, row by row, that a pair of row and column names; `None` for what names none.

    >>> cell_of((3, 1), 3, 3, first=1), cell_of((3, 1), 3, 3, first=0), cell_of("31", 3, 3, first=0)
    (6, None, None)
    """
    try:
        row, column = (operator.index(number) - first for number in answer)  # type: ignore
    except (TypeError, ValueError):
        return None
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else None


def no_move(answer: object) -> str:
    """Return how an answer is told that stands for no move: as one word."""
    return f"<{'_'.join(repr(answer).split())[:LONGEST_ANSWER]}>"
