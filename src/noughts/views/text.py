"""Boards as text: marks in colour, coordinates in empty cells, the last move in brackets.

 X │ 2 │ 3          ┏━1━━━━━┓ ┌─2─────┐
───┼───┼───         ┃ 1 2 3 ┃ │ · · · │     [X] the last move
 4 │[O]│ 6          ┃ 4 X 6 ┃ │ ·[O]· │     *X* the winning line
───┼───┼───         ┃ 7 8 9 ┃ │ · · · │     ┏━┓ a board where the next move may be
 7 │ 8 │ 9          ┗━━━━━━━┛ └───────┘
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rich.text import Text

from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position
from noughts.games.row import ConnectFour, RowPosition

STYLES = {Player.X: "bold #4a8df8", Player.O: "bold #e8743b"}
"""The inks of the two players, readable on light and on dark."""
SOFT = "bright_black"
WIDEST_GRID = 9
"""A board with more columns or rows is drawn without a grid."""


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
    """How boards are drawn: with which characters, and with the letters swapped or not."""

    lines: Lines = UNICODE
    swapped: bool = False
    """X is shown as O and O as X, for a person who chose O and moves first."""

    def letter(self, player: Player) -> str:
        return str(player.other if self.swapped else player)

    def style(self, player: Player) -> str:
        return STYLES[player.other if self.swapped else player]

    def mark(self, player: Player) -> Text:
        return Text(self.letter(player), self.style(player))


def board(position: Position, last: int | None = None, look: Look | None = None) -> Text:
    """Return the board as text of several lines.

    Args:
        position: of any game; one that this view does not know shows its `diagram()`.
        last: the cell that the last move took.
        look: the characters and letters to draw with.
    """
    look = look or Look()
    if isinstance(position, NestedPosition):
        return _nested(position, last, look)
    if isinstance(position, RowPosition):
        large = max(position.rules.columns, position.rules.rows) > WIDEST_GRID
        return _large_row(position, last, look) if large else _row(position, last, look)
    return Text(position.diagram())


def _frame(cell: int, last: int | None, won: Iterable[int]) -> tuple[str, str]:
    """Return what stands left and right of a mark."""
    return ("*", "*") if cell in won else ("[", "]") if cell == last else (" ", " ")


def _labels(position: RowPosition) -> dict[int, str]:
    """Return the text of each empty cell where a move can go."""
    moves = position.legal_moves()
    return {position.cell(move): position.move_text(move) for move in moves}


def _row(position: RowPosition, last: int | None, look: Look) -> Text:
    """Draw a row game in a grid."""
    rules, won, labels = position.rules, position.winning_line(), _labels(position)
    lines = look.lines
    width = 3 if position.move_text(0).isdigit() else 5
    rows = []
    for row in range(rules.rows):
        cells = []
        for cell in range(row * rules.columns, (row + 1) * rules.columns):
            player = position.mark(cell)
            if player is None:
                cells.append(Text(labels.get(cell, " ").center(width), SOFT))
            else:
                left, right = _frame(cell, last, won)
                mark = Text.assemble(left, look.mark(player), right)
                mark.pad((width - 3) // 2)
                cells.append(mark)
        rows.append(Text(lines.down, SOFT).join(cells))
    rule = lines.cross.join([lines.across * width] * rules.columns)
    board = Text(f"\n{rule}\n", SOFT).join(rows)
    if isinstance(position, ConnectFour):
        numbers = " ".join(str(column + 1).center(width) for column in range(rules.columns))
        board.append(f"\n{numbers}", SOFT)
    return board


def _spaced(
    cells: range, last: int | None, won: Iterable[int], glyph: Callable[[int], Text]
) -> Text:
    """Draw cells in a row with one character between them, which brackets may take."""
    gaps = [" "] * (len(cells) + 1)
    for index, cell in enumerate(cells):
        for side, bracket in enumerate(_frame(cell, last, won)):
            if bracket != " ":
                gaps[index + side] = bracket
    row = Text(gaps[0])
    for index, cell in enumerate(cells):
        row.append_text(glyph(cell))
        row.append(gaps[index + 1])
    return row


def _large_row(position: RowPosition, last: int | None, look: Look) -> Text:
    """Draw a row game that is too large for a grid, with its coordinates at the edges."""
    rules, won = position.rules, position.winning_line()
    gravity = isinstance(position, ConnectFour)

    def glyph(cell: int) -> Text:
        player = position.mark(cell)
        return look.mark(player) if player else Text(look.lines.dot, SOFT)

    names = [str(c + 1) if gravity else chr(ord("a") + c) for c in range(rules.columns)]
    header = Text(f"    {' '.join(names)}", SOFT)
    rows = []
    for row in range(rules.rows):
        cells = range(row * rules.columns, (row + 1) * rules.columns)
        name = "" if gravity else str(row + 1)
        rows.append(Text(f"{name:>2} ", SOFT) + _spaced(cells, last, won, glyph))
    return Text("\n").join([*rows, header] if gravity else [header, *rows])


def _nested(position: NestedPosition, last: int | None, look: Look) -> Text:
    """Draw the nine boards, with the owners of boards beside them."""
    won, line = position.winning_line(), position.winning_boards()
    legal = set(position.legal_moves())
    open_boards = {move // 9 for move in legal}

    def glyph(cell: int) -> Text:
        player = position.mark(cell)
        if player is None:
            return Text(str(cell % 9 + 1) if cell in legal else look.lines.dot, SOFT)
        faded = position.owner(cell // 9) is not None and cell not in won
        style = look.style(player)
        return Text(look.letter(player), f"dim {style}" if faded else style)

    def rows_of(board: int) -> list[Text]:
        owner = position.owner(board)
        heavy = board in open_boards or board in line
        left_top, across, right_top, down, left_bottom, right_bottom = (
            look.lines.heavy if heavy else look.lines.light
        )
        ink = look.style(position.turn) if board in open_boards else SOFT
        if owner is not None and board not in open_boards:
            ink = look.style(owner)
        title = f"{board + 1}" if owner is None else f"{board + 1}{across} {look.letter(owner)} "
        top = f"{left_top}{across}{title.ljust(6, across)}{right_top}"
        inner = [
            Text.assemble((down, ink), _spaced(cells, last, won, glyph), (down, ink))
            for cells in (range(9 * board + 3 * row, 9 * board + 3 * row + 3) for row in range(3))
        ]
        bottom = f"{left_bottom}{across * 7}{right_bottom}"
        return [Text(top, ink), *inner, Text(bottom, ink)]

    def owner_row(row: int) -> Text:
        def owner_glyph(board: int) -> Text:
            owner = position.owner(board)
            if owner is not None:
                return look.mark(owner)
            return Text("=" if position.closed >> board & 1 else look.lines.dot, SOFT)

        return _spaced(range(3 * row, 3 * row + 3), None, line, owner_glyph)

    drawn = []
    for band in range(3):
        boards = [rows_of(3 * band + column) for column in range(3)]
        drawn += [Text(" ").join(parts) for parts in zip(*boards, strict=True)]
    for line_number, text in enumerate((Text("boards", SOFT), *map(owner_row, range(3)))):
        drawn[line_number].append("   ")
        drawn[line_number].append_text(text)
    return Text("\n").join(drawn)
