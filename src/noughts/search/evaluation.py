"""Estimates of positions where a search cuts off: from the side to move, between -1 and 1."""

from __future__ import annotations

from noughts.games.position import Position
from noughts.games.row import RowPosition
from noughts.search.result import Evaluation
from noughts.search.walk import unknown


def open_lines(position: RowPosition) -> tuple[int, int]:
    """Return how many lines are still open to the side to move, and to the other side."""
    x = sum(1 for line in position.rules.lines if not line & position.o)
    o = sum(1 for line in position.rules.lines if not line & position.x)
    return (o, x) if position.ply & 1 else (x, o)


def lines(position: RowPosition) -> float:
    """E(n) = M(n) - O(n), the lines open to either side, over the number of lines."""
    mine, theirs = open_lines(position)
    sign = -1 if position.rules.misere else 1
    return sign * (mine - theirs) / (len(position.rules.lines) + 1)


def default_evaluation(position: Position) -> Evaluation:
    """Return the evaluation that is used for this game where none is named."""
    return lines if isinstance(position, RowPosition) else unknown


EVALUATIONS: dict[str, Evaluation] = {"lines": lines}


def evaluations_for(position: Position) -> tuple[str, ...]:
    """Return the names of the evaluations that fit a position."""
    return ("lines",) if isinstance(position, RowPosition) else ()
