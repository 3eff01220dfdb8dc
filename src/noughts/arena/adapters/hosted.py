"""Shared code of the adapters for Python functions: parse, find and call one.

    FILE.py:function ──parse_place()──► Place                    checked before the match
    FILE.py:function ──find()─────────► function                 in the host process
    Turn ──the adapter's Choose──► Answer: the returned object, and its text after `bestmove`

The function never runs in the process of the match: `open_bot` starts `host`, so that a function
that hangs, crashes or floods is at fault like any other process. The author of a function knows no
protocol: `HostedBot` tells faults by the returned object, and each adapter describes the right
answer (`wanted`).
"""

from __future__ import annotations

import operator
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from noughts.arena import uci
from noughts.arena.bot import KINDS, Bot, Entry, Turn, Verdict
from noughts.games.position import NotationError, Position
from noughts.games.registry import load, own_files

RETURNED = "info string returned "
"""The line before `bestmove`, with the returned object, begins so."""
LONGEST_ANSWER = 80
"""Most characters shown of a returned object that is not a move."""

_IN_ANOTHER_PYTHON = (
    "import runpy, site, sys; [site.addsitedir(folder) for folder in {folders}]; "
    "runpy.run_module('noughts.arena.adapters.host', run_name='__main__')"
)
"""A program that finds this package behind the packages of the other Python."""
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_NAME = re.compile(r"[A-Za-z_]\w*")


class Answer(NamedTuple):
    """What a function returned, and the text to send after `bestmove`."""

    returned: object
    text: str


Choose = Callable[[Turn], Answer]
"""Asks a function for its move."""


class Place(NamedTuple):
    """The place of a function: `source` is a path that ends in `.py`, or a module name."""

    source: str
    name: str | None

    @property
    def is_file(self) -> bool:
        return self.source.endswith(".py")


def parse_place(text: str, rest: str, *, named: bool | None) -> Place:
    """Return the place that `rest` names, as `FILE.py:function` or `package.module:function`.

    Args:
        text: the whole entry, for the message.
        rest: the text after its kind.
        named: whether a function must be named; `None` if it is optional.

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
        raise refuse(f"no function is named; expected {source}:function")
    if named is False and name is not None:
        raise refuse(f"write the file alone, without :{name}")
    if place.is_file:
        if not Path(source).is_file():
            raise refuse(f"there is no file {source}")
    elif name is None or not _MODULE.fullmatch(source):
        raise refuse(f"{rest!r} is neither a file that ends in .py nor module:function")
    return place


# The `check` of adapters, by what their bots are named by.
check_function = partial(parse_place, named=True)
check_file = partial(parse_place, named=False)
check_place = partial(parse_place, named=None)


def _split(rest: str) -> Place:
    source, colon, name = rest.rpartition(":")
    return Place(source, name) if colon and not rest.endswith(".py") else Place(rest, None)


def open_bot(entry: Entry, rest: str) -> Bot:
    """Start a host for the function, and return the bot connected to it.

    Raises:
        Fault: the host does not start, or does not find the function.
    """
    kind = entry.text.partition(":")[0]
    place = _split(rest)
    # The host may run in another folder.
    file = Path(place.source)
    source = str(file.resolve()) if file.is_file() else place.source
    host = ["-P", "-m", "noughts.arena.adapters.host"]
    if entry.python is not None:
        host = ["-P", "-c", _IN_ANOTHER_PYTHON.format(folders=_package_folders())]
    named = "" if place.name is None else f":{place.name}"
    command = [entry.python or sys.executable, *host, kind, source + named]
    return HostedBot(entry, [*command, *map(str, own_files())])


def _package_folders() -> list[str]:
    """Return the folders with this package and its requirements."""
    return [folder for folder in sys.path if folder.endswith("-packages")]


class HostedBot(uci.ProcessBot):
    """A host of a function, whose faults are told in terms of the function."""

    knows_protocol = False

    def _instead_of(self, question: str, answer: str, others: list[str]) -> str:  # noqa: ARG002
        return f"its file did not end within {self.entry.bounds.start_seconds:g} s"

    def _refuse(self, turn: Turn, verdict: Verdict, line: str, info: str, reason: str) -> NoReturn:  # noqa: ARG002
        position = turn.position
        kind = import_module(KINDS[self.entry.text.partition(":")[0]].module)
        returned = info.removeprefix(RETURNED)
        message = f"it returned {returned} in {position}; expected {kind.wanted(position)}"
        raise self.child.fault(verdict, message)

    def _stop(self, turn: Turn, others: list[str]) -> NoReturn:
        began, patience = time.monotonic() - turn.deadline, self.entry.bounds.stop_seconds
        late = f"it returned no move within {turn.deadline:.3f} s"
        for word, _ in self._lines(time.monotonic() + patience, others):
            if word == "bestmove":
                seconds = time.monotonic() - began
                raise self.child.fault(Verdict.TIME, f"{late}, but after {seconds:.3f} s")
        raise self.child.fault(Verdict.HANG, f"{late}, and none within {patience:g} s more")


def find(rest: str) -> Any:
    """Return the function that `rest` names, or the module if it names none.

    A file is run again each time, with the modules of its folder, so that a bot keeps nothing
    between games. Errors of the file are passed on.

    Raises:
        LookupError: there is no such name.
        NotationError: there is no such file.
    """
    place = parse_place(rest, rest, named=None)
    if place.is_file:
        folder = Path(place.source).resolve().parent
        # As in a script, modules of its folder come first.
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if file and name != "__main__" and folder in Path(file).parents:
                del sys.modules[name]
        module = load(Path(place.source))
    else:
        module = import_module(place.source)
    return module if place.name is None else member(module, place.name)


def member(module: ModuleType, name: str) -> Any:
    """Return the object that a module calls `name`.

    Raises:
        LookupError: there is none; the message names the module's functions.
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
    """Return the number of a move, legal or not, as text for `bestmove`.

    Anything else becomes a text that is not a move in any game.

    >>> import noughts
    >>> spoken(noughts.game("connect4"), 3), spoken(noughts.game("mnk:3,3,3"), None)
    ('4', '<None>')
    """
    try:
        return position.move_text(operator.index(move))  # type: ignore[arg-type]
    except Exception:  # not an integer, or one that a registered game has no text for
        return f"<{'_'.join(shown_object(move).split())}>"


def cell_of(answer: object, rows: int, columns: int, first: int) -> int | None:
    """Return the cell, row by row, for a pair of row and column; `None` for anything else.

    >>> cell_of((3, 1), 3, 3, first=1), cell_of((3, 1), 3, 3, first=0), cell_of("31", 3, 3, first=0)
    (6, None, None)
    """
    try:
        row, column = (operator.index(number) - first for number in answer)  # type: ignore
    except (TypeError, ValueError):
        return None
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else None


def shown_object(answer: object) -> str:
    """Return the beginning of the `repr` of a returned object, in one line."""
    try:
        text = " ".join(repr(answer).split())
    except Exception:  # a user's class may fail here
        text = f"an object of {type(answer).__name__}"
    return text if len(text) <= LONGEST_ANSWER else f"{text[: LONGEST_ANSWER - 1]}…"
