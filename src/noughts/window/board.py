"""The board in the window: its picture, the places of its moves, and its overlays.

    position ──views.svg.drawing()──► picture ─┐
             ──spots()──► move: (x, y) ────────┼──► values · hint · cursor · ghost of a mark
    point    ──move_at()──► move               ┘

A game that the views do not know shows its `diagram()`, and its moves as buttons below.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import hypot, inf
from typing import NamedTuple, TypeVar

from noughts.games.nested import NestedPosition
from noughts.games.position import Position
from noughts.games.row import Basic, ConnectFour, RowPosition
from noughts.search import Value
from noughts.views import svg
from noughts.views.svg import CELL, FINE, NESTED, Drawing, Pen, Theme, number
from noughts.views.values import mark
from noughts.window.drawing import BODY, CONTROL, Box, Canvas

Key = TypeVar("Key")
READABLE = 8.5
"""Least font size of a value."""
CHIP = 4.7
"""Font size of a value in units of the picture, as in the SVGs."""
HEAVIEST = 13.0
"""Largest stroke width of a mark."""
BEST_SHOWN = 5
"""Number of best moves with a value where the cells are too small for all."""


class Layer(NamedTuple):
    """The overlays of a board."""

    values: Mapping[int, Value] = {}
    hint: int | None = None
    """The move of a hint."""
    cursor: int | None = None
    """The move under the keyboard cursor."""
    ghost: int | None = None
    """The move under the mouse."""
    last: int | None = None
    """The cell of the last move."""


def shown_position(position: Position, swapped: bool) -> Position:
    """Return the position to draw, with X and O swapped or not."""
    if swapped and isinstance(position, NestedPosition):
        x, o, won_x, won_o = position.x, position.o, position.won_x, position.won_o
        return position._replace(x=o, o=x, won_x=won_o, won_o=won_x, ply=position.ply + 1)
    if swapped and isinstance(position, RowPosition):
        return position._replace(x=position.o, o=position.x, ply=position.ply + 1)
    return position


@lru_cache(maxsize=64)
def picture(position: Position, theme: Theme, pen: Pen, over: bool = False) -> Drawing:
    """Return the picture of a board with a margin for strokes that cross its edge."""
    drawn = svg.drawing(position, theme, pen=pen, over=over)
    return Drawing(drawn.width + 3, drawn.height + 3, drawn.at(1.5, 1.5, drawn.width))


def has_picture(position: Position) -> bool:
    """Return whether the views can draw the game."""
    return isinstance(position, RowPosition | NestedPosition)


class BoardWidget:
    """The board of one position in a box of the window.

    Args:
        position: the position to show.
        room: the box that the board may fill.
        swapped: whether X is shown as O, and O as X.
        canvas: the canvas, for text widths.
        ended: whether the game has ended at this position.
    """

    def __init__(
        self, position: Position, room: Box, swapped: bool, canvas: Canvas, ended: bool = False
    ) -> None:
        self.position = position
        self.ended = ended
        self.drawn = shown_position(position, swapped)
        self.room = room
        self._canvas = canvas
        self._labels: list[tuple[str, float, float]] = []
        self.unit = 1.0
        self.box = room
        if isinstance(position, RowPosition | NestedPosition):
            self._place(position)
        else:
            self._place_diagram(position)

    def _place(self, position: RowPosition | NestedPosition) -> None:
        """Compute the size of the board and the places of its labels."""
        columns, rows, left, top, below = 0, 0, 1.5, 1.5, 1.5
        width = height = float(NESTED)
        if isinstance(position, RowPosition):
            columns, rows = position.rules.columns, position.rules.rows
            width, height = float(columns * CELL), float(rows * CELL)
            if isinstance(position, ConnectFour):
                below = 12.0
            elif not isinstance(position, Basic):
                left = top = max(10.0, width / 30)
        unit = min(
            self.room.width / (width + left + 1.5), self.room.height / (height + top + below)
        )
        self.unit = unit
        whole = (width + left + 1.5) * unit, (height + top + below) * unit
        x = self.room.x + (self.room.width - whole[0]) / 2 + left * unit
        y = self.room.y + (self.room.height - whole[1]) / 2 + top * unit
        self.box = Box(x, y, width * unit, height * unit)
        side = unit * CELL
        if below > 2:
            self._labels = [
                (str(column + 1), x + (column + 0.5) * side, self.box.bottom + 7 * unit)
                for column in range(columns)
            ]
        elif left > 2:
            self._labels = [
                (chr(ord("a") + column), x + (column + 0.5) * side, y - left * unit / 2)
                for column in range(columns)
            ] + [(str(row + 1), x - left * unit / 2, y + (row + 0.5) * side) for row in range(rows)]

    def _place_diagram(self, position: Position) -> None:
        """Divide the room between the diagram and the buttons of the moves."""
        canvas, moves = self._canvas, position.legal_moves()
        widest = max((canvas.width(position.move_text(move)) for move in moves), default=0)
        # A button shows a move and its value.
        self.button_width = max(widest + 76, 96)
        self.per_row = max(1, int((self.room.width + 8) // (self.button_width + 8)))
        rows = -(-len(moves) // self.per_row)
        needed = rows * (CONTROL + 8)
        below = min(needed, self.room.height * 0.6)
        self.box = self.room._replace(height=self.room.height - below - 12)
        self.buttons = Box(self.room.x, self.box.bottom + 12, self.room.width, below)

    def centre(self, cell: int) -> tuple[float, float]:
        """Return the centre of a cell on the canvas."""
        assert isinstance(self.position, RowPosition | NestedPosition)
        x, y = svg.centre(self.position, cell)
        return self.box.x + x * self.unit, self.box.y + y * self.unit

    def spots(self) -> dict[int, tuple[float, float]]:
        """Return the place of each legal move: the centre of its cell or button."""
        position = self.position
        if isinstance(position, RowPosition | NestedPosition):
            return {move: self.centre(position.cell(move)) for move in position.legal_moves()}
        return {
            move: self._button(index).centre for index, move in enumerate(position.legal_moves())
        }

    def _button(self, index: int) -> Box:
        row, column = divmod(index, self.per_row)
        x = self.buttons.x + column * (self.button_width + 8)
        return Box(x, self.buttons.y + row * (CONTROL + 8), self.button_width, CONTROL)

    def move_at(self, point: tuple[float, float], scrolled: float = 0.0) -> int | None:
        """Return the legal move at a point, or `None`; in Connect Four a whole column is a move."""
        position = self.position
        if not isinstance(position, RowPosition | NestedPosition):
            if not self.buttons.holds(point):
                return None
            moved = point[0], point[1] + scrolled
            return next(
                (
                    move
                    for index, move in enumerate(position.legal_moves())
                    if self._button(index).holds(moved)
                ),
                None,
            )
        reach = self.unit * CELL / 2
        falls = isinstance(position, ConnectFour)
        for move, (x, y) in self.spots().items():
            if abs(point[0] - x) <= reach and (
                self.box.holds(point) if falls else abs(point[1] - y) <= reach
            ):
                return move
        return None

    def cell_text(self, point: tuple[float, float]) -> str | None:
        """Return the text of the move at a point, legal or not; `None` outside the cells."""
        position = self.position
        if not isinstance(position, RowPosition | NestedPosition) or not self.box.holds(point):
            return None
        if isinstance(position, NestedPosition):
            cells = 81
        else:
            rules = position.rules
            cells = rules.columns if rules.gravity else rules.size
        reach = self.unit * CELL / 2
        falls = isinstance(position, ConnectFour)
        for cell in range(cells):
            x, y = self.centre(cell)
            if abs(point[0] - x) <= reach and (falls or abs(point[1] - y) <= reach):
                return position.move_text(cell)
        return None

    def _picture(self, canvas: Canvas) -> tuple[Drawing, Box]:
        """Return the picture of the board, and its box."""
        # Limits the strokes of boards with large cells.
        pen = Pen(min(FINE.mark, HEAVIEST / self.unit), min(FINE.grid, HEAVIEST / 3 / self.unit))
        drawn = picture(self.drawn, canvas.theme, pen, self.ended)
        return drawn, self.box.inset(-1.5 * self.unit)

    def is_ready(self, canvas: Canvas) -> bool:
        """Return whether the picture is cached; if not, draw it in a thread."""
        return not has_picture(self.drawn) or canvas.is_ready(*self._picture(canvas))

    def draw(self, canvas: Canvas, over: Layer, scrolled: float = 0.0, alpha: int = 255) -> None:
        """Draw the board and its overlays."""
        if not isinstance(self.drawn, RowPosition | NestedPosition):
            self._draw_diagram(canvas, over, scrolled)
            return
        canvas.draw(*self._picture(canvas), alpha)
        if over.last is not None:
            self._draw_last(canvas, over.last)
        for text, x, y in self._labels:
            size = min(max(4.5 * self.unit, 9), 16)
            canvas.text(text, x, y, size, canvas.theme.soft, align=0.5)
        self._draw_over(canvas, over)

    def _draw_last(self, canvas: Canvas, cell: int) -> None:
        x, y = self.centre(cell)
        side = 0.83 * self.unit * CELL
        dot = min(max(0.9 * self.unit, 1.2), 3.5)
        # Around a disc the frame is a ring.
        falls = isinstance(self.position, ConnectFour)
        rounded = (0.5 if falls else 0.1) * side
        ink = canvas.theme.ink if falls else canvas.theme.soft
        body = (
            f'<rect x="{number(dot)}" y="{number(dot)}" width="{number(side)}"'
            f' height="{number(side)}" rx="{number(rounded)}" stroke="{ink}"'
            f' stroke-width="{number(dot)}" stroke-dasharray="0 {number(2.2 * dot)}"/>'
        )
        box = Box(x - side / 2, y - side / 2, side, side).inset(-dot)
        canvas.draw(Drawing(box.width, box.height, body), box)

    def _draw_over(self, canvas: Canvas, over: Layer) -> None:
        spots, theme = self.spots(), canvas.theme
        side = self.unit * CELL
        mover = theme.player(self.drawn.turn)
        if over.ghost is not None and over.ghost in spots and over.ghost not in over.values:
            self._ghost(canvas, *spots[over.ghost])
        self._chips(canvas, over, spots)
        for move, width in ((over.hint, 3.0), (over.cursor, 2.0)):
            if move is not None and move in spots:
                x, y = spots[move]
                reach = side / 2 - (1.5 if move == over.cursor else 0.5)
                box = Box(x - reach, y - reach, 2 * reach, 2 * reach)
                ink = mover if width == 2.0 else theme.good
                canvas.sheet(box, stroke=ink, width=width, round_=0.12 * side)

    def _ghost(self, canvas: Canvas, x: float, y: float) -> None:
        assert isinstance(self.drawn, RowPosition | NestedPosition)
        pen = Pen(min(FINE.mark, HEAVIEST / self.unit), FINE.grid)
        drawn = svg.next_mark(self.drawn, canvas.theme, pen)
        side = self.unit * CELL
        box = Box(x - side / 2, y - side / 2, side, side)
        canvas.draw(drawn, box, alpha=90)

    def _chips(self, canvas: Canvas, over: Layer, spots: Mapping[int, tuple[float, float]]) -> None:
        size = min(CHIP * self.unit, BODY + 3)
        shown = {move: value for move, value in over.values.items() if move in spots}
        if size < READABLE:
            # Only a few large values fit: of the best moves, the hint, and under the cursors.
            ranked = sorted(shown, key=lambda move: -shown[move].rank)[:BEST_SHOWN]
            small = self.unit * CELL < 29
            wanted = {*ranked, over.hint, over.cursor, over.ghost}
            shown = {move: shown[move] for move in shown if move in wanted or not small}
            size = READABLE
        for move, value in shown.items():
            text = mark(value)
            fitting = min(1.0, self.unit * CELL / (canvas.width(text, size, bold=True) + size))
            canvas.chip(text, *spots[move], value.rank, size * fitting)

    # The user's games

    def _draw_diagram(self, canvas: Canvas, over: Layer, scrolled: float) -> None:
        canvas.card(self.box)
        draw_diagram(canvas, self.position, self.box.inset(16))
        canvas.clip(self.buttons)
        for index, move in enumerate(self.position.legal_moves()):
            box = self._button(index)
            self._draw_move(canvas, over, move, box._replace(y=box.y - scrolled))
        canvas.clip(None)

    def _draw_move(self, canvas: Canvas, over: Layer, move: int, box: Box) -> None:
        theme = canvas.theme
        ink = theme.line
        if move == over.cursor:
            ink = theme.player(self.drawn.turn)
        elif move == over.hint:
            ink = theme.good
        fill = theme.even_tint if move == over.ghost else theme.card
        canvas.sheet(box, fill, ink, width=1 if ink == theme.line else 2)
        text = self.position.move_text(move)
        value = over.values.get(move)
        if value is None:
            canvas.text(text, *box.centre, align=0.5)
            return
        canvas.text(text, box.x + 12, box.centre[1])
        width = canvas.width(mark(value), 12, bold=True)
        canvas.chip(mark(value), box.right - 12 - width / 2, box.centre[1], value.rank, 12)

    @property
    def overflow(self) -> float:
        """Distance by which the buttons can scroll."""
        if has_picture(self.position):
            return 0.0
        rows = -(-len(self.position.legal_moves()) // self.per_row)
        return max(0.0, rows * (CONTROL + 8) - self.buttons.height)

    def reveal(self, move: int, scrolled: float) -> float:
        """Return the scroll distance at which a move's button is visible."""
        if has_picture(self.position):
            return 0.0
        box = self._button(list(self.position.legal_moves()).index(move))
        least = box.bottom - self.buttons.bottom
        most = box.y - self.buttons.y
        return min(max(scrolled, least, 0.0), most)


def draw_diagram(canvas: Canvas, position: Position, room: Box) -> None:
    """Draw the `diagram()` of a game as large as the room allows."""
    lines = position.diagram().splitlines() or [""]
    widest = max(canvas.width(line, 100, mono=True) for line in lines) / 100
    size = min(room.width / max(widest, 0.1), room.height / (1.25 * len(lines)), 40)
    x = room.x + (room.width - widest * size) / 2
    y = room.y + (room.height - 1.25 * size * len(lines)) / 2
    for index, line in enumerate(lines):
        canvas.text(line, x, y + (index + 0.5) * 1.25 * size, size, mono=True)


def toward(
    spots: Mapping[int, tuple[float, float]], here: int | None, direction: tuple[int, int]
) -> int | None:
    """Return the move nearest to `here` in a direction, or `here` if there is none.

    Without `here` it is the move nearest to the centre of all.

    >>> toward({0: (0, 0), 1: (10, 0), 3: (0, 10)}, 0, (1, 0))
    1
    """
    if not spots:
        return None
    if here is None or here not in spots:
        middle = (
            sum(x for x, _ in spots.values()) / len(spots),
            sum(y for _, y in spots.values()) / len(spots),
        )
        return min(
            spots, key=lambda move: hypot(spots[move][0] - middle[0], spots[move][1] - middle[1])
        )
    return nearest(spots, here, direction, aside=2.5)


def nearest(
    places: Mapping[Key, tuple[float, float]], here: Key, direction: tuple[int, int], aside: float
) -> Key:
    """Return the place nearest to `here` in a direction, or `here` if there is none.

    Args:
        places: the places by their keys.
        here: the key of the place to leave.
        direction: one step to the right and down.
        aside: weight of the distance across the direction.
    """
    x, y = places[here]
    best, least = here, inf
    for key, (other_x, other_y) in places.items():
        along = (other_x - x) * direction[0] + (other_y - y) * direction[1]
        across = abs((other_x - x) * direction[1]) + abs((other_y - y) * direction[0])
        if along > 1 and along + aside * across < least:
            best, least = key, along + aside * across
    return best
