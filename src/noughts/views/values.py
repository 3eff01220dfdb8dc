"""Values in the words of players, for the page and the window.

    Value ──mark()────► 62%, win 3, draw, loss 4       on a cell
          ──words()───► 62 %, wins in 3 moves, draws, loses in 4 moves

All are for the side to move, as the value itself; `Value.for_mover` turns it round.
"""

from __future__ import annotations

from noughts.games.words import count
from noughts.search.result import Value, own_moves


def mark(value: Value) -> str:
    """Return a value in a few characters, for a cell of a board.

    >>> [mark(each) for each in (Value.unknown(0.24), Value.win(5), Value.draw(), Value.loss())]
    ['62%', 'win 3', 'draw', 'loss']
    """
    if not value.is_exact:
        return f"{value.chance}%"
    if value.plies is None or value.is_draw:
        return value.kind
    return f"{value.kind} {own_moves(value.plies)}"


def words(value: Value) -> str:
    """Return a value in words that follow the name of a move or a player.

    >>> [words(each) for each in (Value.unknown(0.24), Value.win(5), Value.loss(2), Value.draw())]
    ['62 %', 'wins in 3 moves', 'loses in 1 move', 'draws']
    """
    if not value.is_exact:
        return f"{value.chance} %"
    verb = {"win": "wins", "loss": "loses", "draw": "draws"}[value.kind]
    if value.plies is None or value.is_draw:
        return verb
    return f"{verb} in {count(own_moves(value.plies), 'move')}"
