"""A Python function of one's own: `python:FILE.py:function` or `python:package.module:function`.

    Turn ──position (and seconds)──► function ──► a move: its int, or its text

The function takes a `noughts` position, and the seconds for its move if it has a parameter of that
name; it plays every game, a user's own among them. A class is made anew for each game, and its
instance called.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from noughts.arena.adapters.hosted import Choose, find, open_bot, parse_place, spoken
from noughts.arena.bot import Turn
from noughts.games.position import Position

__all__ = ["check", "choose_by", "load", "open_bot", "refusal"]


def check(text: str, rest: str) -> None:
    """Check that `rest` names a function.

    Raises:
        NotationError: it does not, or there is no such file.
    """
    parse_place(text, rest, named=True)


def refusal(start: Position, opening: Sequence[int]) -> str | None:  # noqa: ARG001
    """Return why such a function cannot play from there: `None`, as it always can."""
    return None


def load(rest: str) -> Choose:
    """Return what asks the function that `rest` names; for use in the process of the host.

    Raises:
        LookupError: there is no such function.
    """
    return choose_by(find(parse_place(f"python:{rest}", rest, named=True)))


def choose_by(function: Any) -> Choose:
    """Return what asks a function, or an instance of a class."""
    if inspect.isclass(function):
        function = function()
    try:
        timed = "seconds" in inspect.signature(function).parameters
    except ValueError:  # a function that is not written in Python may not tell
        timed = False

    def choose(turn: Turn) -> str:
        given = {"seconds": turn.limit.seconds} if timed else {}
        return spoken(turn.position, function(turn.position, **given))

    return choose
