"""Boards drawn with characters, in pieces that a view can colour.

 X │ 2 │ 3          ┏━1━━━━━┓ ┌─2─────┐
───┼───┼───         ┃ 1 2 3 ┃ │ · · · │     [X] the last move
 4 │[O]│ 6          ┃ 4 X 6 ┃ │ ·[O]· │     *X* the winning line
───┼───┼───         ┃ 7 8 9 ┃ │ · · · │     ┏━┓ a board where the next move may be
 7 │ 8 │ 9          ┗━━━━━━━┛ └───────┘
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from noughts.games.letters import shown_player
from noughts.games.position import Player


class Piece(NamedTuple):
    """Characters of one colour."""

    text: str
    player: Player | None = None
    """The player whose colour the characters have."""
    faded: bool = False


Drawing = list[list[Piece]]
"""The lines of a picture."""


class Lines(NamedTuple):
    """The characters that boards are drawn with."""

    across: str
    down: str
    cross: str
    dot: str
    light: tuple[str, ...]
    """A frame: left top, across, right top, down, left bottom, right bottom."""
    heavy: tuple[str, ...]


UNICODE = Lines("─", "│", "┼", "·", tuple("┌─┐│└┘"), tuple("┏━┓┃┗┛"))
ASCII = Lines("-", "|", "+", ".", tuple("+-+|++"), tuple("#=#H##"))


class Look(NamedTuple):
    """The characters and letters of a board."""

    lines: Lines = UNICODE
    swapped: bool = False
    """X is shown as O and O as X, for a person who chose O and moves first."""

    def shown(self, player: Player) -> Player:
        """Return the player whose letter and colour stand for `player`."""
        return shown_player(player, self.swapped)

    def mark(self, player: Player, faded: bool = False) -> Piece:
        """Return the letter of a player."""
        return Piece(str(self.shown(player)), self.shown(player), faded)

    def dot(self) -> Piece:
        return Piece(self.lines.dot, faded=True)


def plain(drawing: Drawing) -> str:
    """Return a drawing as text, without spaces at the ends of lines."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in drawing)


def grid(
    marks: Sequence[Player | None],
    columns: int,
    width: int,
    labels: Mapping[int, str],
    last: int | None,
    won: Collection[int],
    look: Look,
) -> Drawing:
    """Draw a board in a grid.

    Args:
        marks: of every cell, row by row from the top left.
        columns: of the board.
        width: of a cell, in characters.
        labels: of empty cells.
        last: the cell of the last move.
        won: the cells of the winning line.
        look: the characters and letters.
    """
    drawing: Drawing = []
    rule = look.lines.cross.join([look.lines.across * width] * columns)
    for start in range(0, len(marks), columns):
        if start:
            drawing.append([Piece(rule, faded=True)])
        line = []
        for cell in range(start, start + columns):
            if cell > start:
                line.append(Piece(look.lines.down, faded=True))
            player = marks[cell]
            if player is None:
                line.append(Piece(labels.get(cell, " ").center(width), faded=True))
            else:
                left, right = _frame(cell, last, won)
                margin = " " * ((width - 3) // 2)
                line += Piece(margin + left), look.mark(player), Piece(right + margin)
        drawing.append(line)
    return drawing


def spaced(
    cells: Iterable[int], glyphs: Sequence[Piece], last: int | None, won: Collection[int]
) -> list[Piece]:
    """Draw cells in a row with one character between them, which brackets may take."""
    line = [Piece(" ")]
    for cell in cells:
        left, right = _frame(cell, last, won)
        if left != " ":
            line[-1] = Piece(left)
        line += glyphs[cell], Piece(right)
    return line


def _frame(cell: int, last: int | None, won: Collection[int]) -> tuple[str, str]:
    """Return the characters left and right of a mark."""
    return ("*", "*") if cell in won else ("[", "]") if cell == last else (" ", " ")
