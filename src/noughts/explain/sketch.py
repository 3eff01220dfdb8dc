"""Where on the board a sentence is visible: an arrow to a move, rings, and a dashed arrow.

97 sends O to the bottom-left board, which O can win at once with 73
 └─ move: an arrow to 97      └─ sends: a dashed arrow to it         └─ rings: 73
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from noughts.explain.kinds import ANSWERS, Fact, Moves
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition

POINTED = (
    *("wins", "loses_at_once", "draws", "only_move", "every_answer", "no_good_answer"),
    *("takes_board", "stops_boards", "denies_board", "denies_game", "gains_board", "spares"),
)
"""Kinds of which only the move is shown."""
RINGED = (*ANSWERS, "give_win", "zugzwang", "frees")
"""Kinds with rings around the last moves of their lines."""
SENDING = ("allows", "frees", "gives_board", "sends_in_vain")
"""Kinds that say where a move sends the opponent."""


class Sketch(NamedTuple):
    """The parts of a sentence on the board; cells as in `Position.cell`."""

    move: int | None
    """The cell of the move that the sentence is about."""
    player: Player
    """The player of the rings."""
    rings: tuple[int, ...]
    """The cells that the sentence names."""
    sends: int | None
    """The board, from 0, that the move names."""


def sketch(position: Position, fact: Fact) -> Sketch | None:
    """Return where a fact is visible; `None` for facts about values and games without a board."""
    if not isinstance(position, RowPosition | NestedPosition):
        return None
    if fact.kind in RINGED:
        ends = [line for line in fact.lines if line[1:]]
        rings: Sequence[int] = [_cell(position, line) for line in ends]
    elif fact.kind == "two_in_line":
        rings = fact.moves
    elif fact.kind == "awaits":
        rings = fact.cells
    elif fact.kind in (*POINTED, *SENDING):
        rings = ()
    else:
        return None
    move = None if fact.move is None else position.cell(fact.move)
    sends = fact.board if fact.kind in SENDING else None
    return Sketch(move, fact.player, tuple(sorted(set(rings))), sends)


def _cell(position: RowPosition | NestedPosition, line: Moves) -> int:
    """Return the cell of the last move of a line."""
    return position.after(line[:-1]).cell(line[-1])
