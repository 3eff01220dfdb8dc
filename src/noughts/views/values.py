"""Values in the words of players, for the page and the window.

    Value ──chance()──► 62        per cent, a draw counts as half
          ──mark()────► 62, win 3, draw, loss 4       on a cell
          ──words()───► 62 %, wins in 3 moves, draws, loses in 4 moves

All are for the side to move, as the value itself; `Value.for_mover` turns it round.
"""

from __future__ import annotations

from math import floor

from noughts.games.words import count
from noughts.search.result import Value, own_moves

SUREST = 99
"""Largest chance in per cent of a value that is not proven; the smallest is 1."""


def chance(value: Value) -> int:
    """Return the chance to win in per cent, from 0 to 100; a draw counts as half a win.

    The chances of both sides add up to 100, and only proven values have 0 and 100.

    >>> chance(Value.unknown(0.24)), chance(Value.unknown(-0.24)), chance(Value.win(3))
    (62, 38, 100)
    """
    if value.is_exact:
        return {"win": 100, "draw": 50}.get(value.kind, 0)
    estimate = value.estimate or 0.0
    size = min(floor(50 * abs(estimate) + 0.5), SUREST - 50)
    return 50 + size if estimate > 0 else 50 - size


def mark(value: Value) -> str:
    """Return a value in a few characters, for a cell of a board.

    >>> [mark(each) for each in (Value.unknown(0.24), Value.win(5), Value.draw(), Value.loss())]
    ['62', 'win 3', 'draw', 'loss']
    """
    if not value.is_exact:
        return str(chance(value))
    if value.plies is None or value.is_draw:
        return value.kind
    return f"{value.kind} {own_moves(value.plies)}"


def words(value: Value) -> str:
    """Return a value in words that follow the name of a move or a player.

    >>> [words(each) for each in (Value.unknown(0.24), Value.win(5), Value.loss(2), Value.draw())]
    ['62 %', 'wins in 3 moves', 'loses in 1 move', 'draws']
    """
    if not value.is_exact:
        return f"{chance(value)} %"
    verb = {"win": "wins", "loss": "loses", "draw": "draws"}[value.kind]
    if value.plies is None or value.is_draw:
        return verb
    return f"{verb} in {count(own_moves(value.plies), 'move')}"
