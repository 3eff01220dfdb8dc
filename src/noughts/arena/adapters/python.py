"""A user's Python function: `python:FILE.py:function` or `python:package.module:function`.

    Turn ──position (and seconds)──► function ──► a move: its number, or its text

The function takes a `noughts` position, and the seconds for its move if it has a parameter
`seconds`. It plays every game, registered ones included. If it is a class, each game creates an
instance and calls that.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from noughts.arena.adapters.hosted import Answer, Choose, find, open_bot, spoken
from noughts.arena.adapters.hosted import check_function as check
from noughts.arena.bot import Turn
from noughts.games.position import Player, Position

__all__ = ["check", "choose_by", "load", "open_bot", "refusal", "wanted"]


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return `None`: a function can play from every position."""
    return None


def wanted(position: Position) -> str:
    """Describe the right answer of the function."""
    move = position.legal_moves()[0]
    text = position.move_text(move)
    return f"a legal move: its number, such as {move}, or its text, such as {text!r}"


def load(rest: str) -> Choose:
    """Return a function that asks the named function for a move; runs in the host process.

    Raises:
        LookupError: there is no such function.
        TypeError: it cannot be called.
    """
    return choose_by(find(rest))


def choose_by(function: Any) -> Choose:
    """Return a function that asks `function` for moves, or a new instance if it is a class."""
    if inspect.isclass(function):
        function = function()
    if not callable(function):
        kind = type(function).__name__
        raise TypeError(f"{kind} cannot be called; a bot is a function, or a class with __call__")
    try:
        timed = "seconds" in inspect.signature(function).parameters
    except ValueError:  # built-in functions may have no signature
        timed = False

    def choose(turn: Turn) -> Answer:
        given = {"seconds": turn.limit.seconds} if timed else {}
        move = function(turn.position, **given)
        is_text = isinstance(move, str) and len(move.split()) == 1
        return Answer(move, move.strip() if is_text else spoken(turn.position, move))

    return choose
