"""Boards as coloured text, from the drawings of `noughts.games.drawing`."""

from __future__ import annotations

from rich.text import Text

from noughts.games.drawing import Look, Piece
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition

STYLES = {Player.X: "bold #4a8df8", Player.O: "bold #e8743b"}
"""The colours of the two players, readable on light and on dark."""
SOFT = "bright_black"


def board(position: Position, last: int | None = None, look: Look | None = None) -> Text:
    """Return the board as coloured text of several lines.

    Args:
        position: of any game; one that is not built in shows its `diagram()`.
        last: the cell that the last move took.
        look: the characters and letters to draw with.
    """
    if not isinstance(position, RowPosition | NestedPosition):
        return Text(position.diagram())
    lines = position.drawing(last, look)
    return Text("\n").join(
        Text.assemble(*((piece.text, _style(piece)) for piece in line)) for line in lines
    )


def _style(piece: Piece) -> str:
    if piece.player is None:
        return SOFT if piece.faded else ""
    return f"dim {STYLES[piece.player]}" if piece.faded else STYLES[piece.player]
