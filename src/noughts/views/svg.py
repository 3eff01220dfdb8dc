"""Boards as SVG: whole pictures, and drawings for use inside larger ones.

position ──drawing()──► Drawing: width, height, body ──at(x, y, width)──► a group in a tree, a page
                           └───────document()──► a whole file;  board() does both

One length unit is a twentieth of a cell, whatever the size on screen:

    ┌─────┬─────┬─────┐ 0        X, O    strokes; all marks of a player are one path
    │ ╲ ╱ │     │ ╭─╮ │          ┄┄┄     a dotted frame: the last move
    │ ╱ ╲ │     │ ╰─╯ │          ───     the winning line, drawn through
    └─────┴─────┴─────┘ 20       W 9     a chip: the value of a move, as text and in colour
    0     20    40    60
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from html import escape
from typing import NamedTuple

from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position
from noughts.games.row import Basic, ConnectFour, RowPosition
from noughts.games.words import cell_name, description, state
from noughts.search.result import Value
from noughts.views.board import lines

CELL = 20
CARD = 70
"""Size of one of nine boards, with its margin."""
GAP = 4
NESTED = 3 * CARD + 2 * GAP
HOLE = 7.8
"""Radius of a hole in Connect Four's rack."""
EMBOSSED = 0.56
"""Size of the mark on a disc, as a share of a mark by itself."""
MARGIN = 8
"""Margin of a single board."""
NOTABLE = 0.25
"""An estimate this far from 0 has the colour of a good or a bad value."""

SANS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONOSPACE = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


class ImageTheme(StrEnum):
    """Themes of pictures, reports and the window; `auto` follows the reader's system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


class Theme(NamedTuple):
    """The colours of a picture, as in SVG; `good`, `bad` and `even` are for values.

    `rack` is the plate of Connect Four; `line` is for frames, `grid` for the lines of a board.
    """

    paper: str
    card: str
    ink: str
    soft: str
    line: str
    grid: str
    x: str
    o: str
    active: str
    good: str
    good_tint: str
    bad: str
    bad_tint: str
    even: str
    even_tint: str
    rack: str

    def player(self, player: Player) -> str:
        return self.x if player is Player.X else self.o

    def value(self, rank: float) -> tuple[str, str]:
        """Return the ink and the tint of a value, given its rank or its score."""
        if rank >= NOTABLE:
            return self.good, self.good_tint
        return (self.bad, self.bad_tint) if rank <= -NOTABLE else (self.even, self.even_tint)

    @property
    def variables(self) -> str:
        """The colours as CSS declarations: `--paper:#fbfaf8;--card:…`."""
        return ";".join(
            f"--{name.replace('_', '-')}:{colour}"
            for name, colour in zip(self._fields, self, strict=True)
        )


LIGHT = Theme(
    *("#fbfaf8", "#ffffff", "#1c1f23", "#6b7078", "#dedbd5", "#87837c"),
    *("#1d5fd1", "#d2541b", "#eaf1fd"),
    *("#0d7a5f", "#e1f3ec", "#b3261e", "#fbe6e4", "#4b5563", "#eff0f2", "#cdd7e8"),
)
DARK = Theme(
    *("#131518", "#1b1e22", "#e9e7e3", "#9aa0a8", "#343940", "#787e87"),
    *("#7fb0ff", "#ff9a66", "#1d2b42"),
    *("#5fd3ae", "#15332a", "#ff8f86", "#3a1d1b", "#c3c8cf", "#2a2e34", "#2c3a55"),
)
AUTO = Theme(*(f"var(--{name.replace('_', '-')})" for name in Theme._fields))
"""The colours as CSS variables, which `STYLE` or a page defines."""
THEMES = {"auto": AUTO, "light": LIGHT, "dark": DARK}
STYLE = (
    f".noughts{{{LIGHT.variables}}}"
    f"@media(prefers-color-scheme:dark){{.noughts{{{DARK.variables}}}}}"
)
"""A style sheet that gives `AUTO` the light or dark colours of the reader's system."""


def theme_named(name: str) -> Theme:
    """Return a theme by its name.

    Raises:
        ValueError: there is no such theme.
    """
    if name not in THEMES:
        raise ValueError(f"there is no theme {name!r}; there are {' '.join(THEMES)}")
    return THEMES[name]


class Pen(NamedTuple):
    """Widths of strokes, in twentieths of a cell."""

    mark: float
    grid: float


FINE, BOLD = Pen(1.7, 0.7), Pen(2.4, 1.0)
"""Pens for a single board, and for a board a few dozen pixels wide."""


class Drawing(NamedTuple):
    """A part of a picture with its size."""

    width: float
    height: float
    body: str
    """SVG elements; strokes have round ends, and elements without stroke define their fill."""

    def at(self, x: float, y: float, width: float) -> str:
        """Return the drawing as a group `width` wide, with its left top corner at (x, y)."""
        scale = f" scale({number(width / self.width)})" if width != self.width else ""
        return f'<g transform="translate({number(x)} {number(y)}){scale}">{self.body}</g>'


def number(value: float) -> str:
    """Return a length with at most three decimals, as short as possible."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def board(
    position: Position,
    *,
    last: int | None = None,
    values: Mapping[int, Value] | None = None,
    theme: str = "auto",
    size: float | None = None,
    title: str | None = None,
) -> str:
    """Return a picture of the board, as the text of an SVG file.

    >>> import noughts
    >>> picture = board(noughts.game("basic").play("5"), last=4, theme="light")
    >>> picture.startswith("<svg "), "<title>basic: O to move</title>" in picture
    (True, True)

    Args:
        position: of any game; one that is not built in shows its `diagram()`.
        last: the cell that the last move took.
        values: values of moves for the side to move, shown on their cells.
        theme: `light`, `dark`, or `auto` for a file that follows the reader's system. Most
            programs that turn SVG into pixels know no CSS and need `light` or `dark`.
        size: of the longer side, in pixels.
        title: first text for screen readers; default the game and the side to move.

    Raises:
        ValueError: there is no such theme.
    """
    colours = theme_named(theme)
    inner = drawing(position, colours, last=last, values=values, labels=True)
    width, height = inner.width + 2 * MARGIN, inner.height + 2 * MARGIN
    if size is None:
        size = 600 if isinstance(position, NestedPosition) else min(600, 120 + 2 * inner.width)
        # A chip's letters are 4.7 units high; 10 pixels are legible.
        size = max(size, 2.2 * max(width, height) if values else 0)
    said = description(position)
    if last is not None and isinstance(position, RowPosition | NestedPosition):
        said += f" Last move: {cell_name(position, last)}."
    if values:
        said += f" Values for {position.turn}: {_value_list(position, values)}."
    return document(
        Drawing(width, height, inner.at(MARGIN, MARGIN, inner.width)),
        theme,
        title=title or f"{position.rules_id}: {state(position)}",
        description=said,
        scale=size / max(width, height),
    )


def document(
    picture: Drawing,
    theme: str,
    *,
    title: str,
    description: str,
    scale: float = 1,
    shrink: bool = True,
    paper: bool = True,
) -> str:
    """Return a drawing as the text of an SVG file.

    Args:
        picture: the drawing.
        theme: the name of its theme.
        title: first text for screen readers.
        description: further text for screen readers.
        scale: pixels for a unit.
        shrink: shrink on a narrow page instead of scrolling.
        paper: whether the drawing has a background.
    """
    colours = theme_named(theme)
    width, height = number(picture.width), number(picture.height)
    ground = f'<rect width="{width}" height="{height}" fill="{colours.paper}"/>' if paper else ""
    fit = ' style="max-width:100%;height:auto"' if shrink else ""
    style = f"<style>{STYLE}</style>" if theme == "auto" else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="noughts" viewBox="0 0 {width} {height}"'
        f' width="{number(picture.width * scale)}" height="{number(picture.height * scale)}"'
        f'{fit} role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{style}"
        f'{ground}<g fill="none" stroke-linecap="round" stroke-linejoin="round"'
        f' font-family="{SANS}">'
        f"{picture.body}</g></svg>\n"
    )


def drawing(
    position: Position,
    theme: Theme,
    *,
    last: int | None = None,
    values: Mapping[int, Value] | None = None,
    labels: bool = False,
    pen: Pen = FINE,
    over: bool = False,
) -> Drawing:
    """Return the board as a part of a larger picture; other arguments as for `board`.

    Args:
        labels: show the names of columns and rows, in games whose moves use them.
        pen: `BOLD` for a board a few dozen pixels wide.
        over: whether the game has ended, perhaps by resignation: no board is to be played on.
    """
    if isinstance(position, RowPosition):
        drawn = _row(position, theme, pen)
    elif isinstance(position, NestedPosition):
        drawn = _nested(position, theme, pen, over)
    else:
        return _diagram(position, theme, values or {})
    overlay = _last_frame(position, last, theme) + "".join(
        chip(str(value), *centre(position, position.cell(move)), theme.value(value.rank))
        for move, value in (values or {}).items()
    )
    drawn = drawn._replace(body=drawn.body + overlay)
    if labels and isinstance(position, RowPosition) and not isinstance(position, Basic):
        return _labelled(drawn, position, theme)
    return drawn


def chip(text: str, x: float, y: float, colours: tuple[str, str], size: float = 4.7) -> str:
    """Return a value as text on a tint, around the point (x, y); `size` is that of its letters."""
    width, height = chip_width(text, size), 1.7 * size
    return (
        f'<rect x="{number(x - width / 2)}" y="{number(y - height / 2)}" width="{number(width)}"'
        f' height="{number(height)}" rx="{number(0.35 * size)}" fill="{colours[1]}"/>'
        + label(text, x, y, colours[0], size, bold=True)
    )


def chip_width(text: str, size: float = 4.7) -> float:
    return (0.66 * max(len(text), 2) + 0.5) * size


def label(
    text: str, x: float, y: float, ink: str, size: float, *, bold: bool = False, anchor: str = ""
) -> str:
    """Return a line of text whose letters are `size` high and centred on the point (x, y).

    Args:
        text: plain text.
        x: of the middle, or of the side that `anchor` names.
        y: of the middle of digits.
        ink: the colour.
        size: of the font.
        bold: whether letters are bold.
        anchor: `middle`, `start` or `end`: the part of the text at `x`.
    """
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{number(x)}" y="{number(y + 0.36 * size)}" font-size="{number(size)}"{weight}'
        f' text-anchor="{anchor or "middle"}" fill="{ink}">{escape(text)}</text>'
    )


# Marks


def _marks(
    centres: Iterable[tuple[float, float]], player: Player, ink: str, size: float = 1.0
) -> str:
    """Return the marks of a player around these points, as one path."""
    if player is Player.X:
        reach = number(10.6 * size)
        path = "".join(
            f"M{number(x - 5.3 * size)} {number(y - 5.3 * size)}l{reach} {reach}"
            f"m0-{reach}l-{reach} {reach}"
            for x, y in centres
        )
    else:
        path = _circles(centres, 5.8 * size)
    return f'<path class="{player}" stroke="{ink}" d="{path}"/>' if path else ""


def next_mark(position: RowPosition | NestedPosition, theme: Theme, pen: Pen) -> Drawing:
    """Return the mark of the player to move, or their disc in Connect Four, in a cell."""
    player, middle = position.turn, [(CELL / 2, CELL / 2)]
    if isinstance(position, ConnectFour):
        return Drawing(CELL, CELL, _discs(middle, player, theme, pen))
    marks = _marks(middle, player, theme.player(player))
    return Drawing(CELL, CELL, f'<g stroke-width="{number(pen.mark)}">{marks}</g>')


def _circles(centres: Iterable[tuple[float, float]], radius: float) -> str:
    across = number(2 * radius)
    arc = f"a{number(radius)} {number(radius)} 0 1 0 "
    return "".join(
        f"M{number(x - radius)} {number(y)}{arc}{across} 0{arc}-{across} 0" for x, y in centres
    )


def _players_marks(position: RowPosition | NestedPosition, cells: Iterable[int], ink: Theme) -> str:
    """Return the marks of both players on these cells."""
    found: dict[Player, list[tuple[float, float]]] = {player: [] for player in Player}
    for cell in cells:
        player = position.mark(cell)
        if player is not None:
            found[player].append(centre(position, cell))
    return "".join(_marks(found[player], player, ink.player(player)) for player in Player)


def centre(position: RowPosition | NestedPosition, cell: int) -> tuple[float, float]:
    """Return the middle of a cell, in units of the drawing of its board."""
    if isinstance(position, NestedPosition):
        left, top = _corner(cell // 9)
        row, column = divmod(cell % 9, 3)
        edge = (CARD - 3 * CELL) / 2
        return left + edge + (column + 0.5) * CELL, top + edge + (row + 0.5) * CELL
    row, column = divmod(cell, position.rules.columns)
    return (column + 0.5) * CELL, (row + 0.5) * CELL


def _last_frame(position: RowPosition | NestedPosition, last: int | None, theme: Theme) -> str:
    if last is None:
        return ""
    x, y = centre(position, last)
    side = CELL - 3.4
    # Around a disc the frame is a ring.
    falling = isinstance(position, ConnectFour)
    rounded, ink = (side / 2, theme.ink) if falling else (2, theme.soft)
    return (
        f'<rect class="last" x="{number(x - side / 2)}" y="{number(y - side / 2)}"'
        f' width="{number(side)}" height="{number(side)}" rx="{number(rounded)}" stroke="{ink}"'
        f' stroke-width=".9" stroke-dasharray="0 1.9"/>'
    )


def _won(position: RowPosition | NestedPosition, theme: Theme, pen: Pen) -> str:
    """Return the winning lines of cells and of boards, drawn through."""
    cells, boards = lines(position)
    drawn = ""
    for player in Player:
        ink = theme.player(player)
        ends = [
            [centre(position, cell) for cell in line]
            for line in cells
            if position.mark(line[0]) is player
        ]
        if isinstance(position, ConnectFour):
            drawn += _through(ends, theme.card, pen.mark + 2.3, 7, "casing")
        drawn += _through(ends, ink, pen.mark, 7)
        if isinstance(position, NestedPosition):
            # The middle of a board is that of its middle cell.
            wide = [
                [centre(position, 9 * board + 4) for board in line]
                for line in boards
                if position.owner(line[0]) is player
            ]
            drawn += _through(wide, ink, 1.8 * pen.mark, 30)
    return drawn


def _through(
    ends: Iterable[Sequence[tuple[float, float]]],
    ink: str,
    width: float,
    over: float,
    name: str = "won",
) -> str:
    """Return lines through these pairs of points, `over` units longer at each end."""
    path = ""
    for (x1, y1), (x2, y2) in ends:
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1)
        right, down = (x2 - x1) / length * over, (y2 - y1) / length * over
        path += (
            f"M{number(x1 - right)} {number(y1 - down)}L{number(x2 + right)} {number(y2 + down)}"
        )
    if not path:
        return ""
    return f'<path class="{name}" stroke="{ink}" stroke-width="{number(width)}" d="{path}"/>'


# Row games


def _row(position: RowPosition, theme: Theme, pen: Pen) -> Drawing:
    rules = position.rules
    width, height = rules.columns * CELL, rules.rows * CELL
    if isinstance(position, ConnectFour):
        body = _rack(position, theme, pen)
    else:
        has_edge = not isinstance(position, Basic)
        marks = _players_marks(position, range(rules.size), theme)
        body = _edge(width, height, theme, pen) if has_edge else ""
        body += _grid(width, height, theme, pen)
        body += f'<g stroke-width="{pen.mark}">{marks}</g>' if marks else ""
    body += _won(position, theme, pen)
    return Drawing(width, height, body)


def _labelled(drawn: Drawing, position: RowPosition, theme: Theme) -> Drawing:
    """Return the board with the names of its columns, and of its rows if moves use them."""
    width, height, body = drawn
    # A large board is shown smaller, so its names are larger.
    size = max(6.0, width / 42)
    edge = 1.8 * size
    columns = [(column + 0.5) * CELL for column in range(position.rules.columns)]
    if isinstance(position, ConnectFour):
        for column, x in enumerate(columns):
            body += label(str(column + 1), x, height + 8, theme.soft, size)
        return Drawing(width, height + 12, body)
    names = "".join(
        label(chr(ord("a") + column), edge + x, size / 2, theme.soft, size)
        for column, x in enumerate(columns)
    )
    names += "".join(
        label(str(row + 1), 1.2 * size, edge + (row + 0.5) * CELL, theme.soft, size, anchor="end")
        for row in range(position.rules.rows)
    )
    return Drawing(width + edge, height + edge, names + drawn.at(edge, edge, width))


def _grid(width: float, height: float, theme: Theme, pen: Pen) -> str:
    """Return the lines between cells."""
    inset = 1
    path = "".join(f"M{inset} {y}H{width - inset}" for y in range(CELL, int(height), CELL))
    path += "".join(f"M{x} {inset}V{height - inset}" for x in range(CELL, int(width), CELL))
    return f'<path stroke="{theme.grid}" stroke-width="{pen.grid}" d="{path}"/>'


def _edge(width: float, height: float, theme: Theme, pen: Pen) -> str:
    """Return the sheet of a board whose columns have names, with its edge."""
    return (
        f'<rect class="edge" width="{width}" height="{height}" rx="2" fill="{theme.card}"'
        f' stroke="{theme.soft}" stroke-opacity=".6" stroke-width="{number(pen.grid * 1.4)}"/>'
    )


def _rack(position: ConnectFour, theme: Theme, pen: Pen) -> str:
    """Return Connect Four's rack: a plate with round holes, and discs with a small mark each."""
    columns, rows = position.rules.columns, position.rules.rows
    width, height = columns * CELL, rows * CELL
    # A dash of no length with round ends is a dot.
    holes = "".join(f"M10 {y}H{width - 9.9}" for y in range(CELL // 2, height, CELL))
    body = (
        f'<rect x="-1.5" y="-1.5" width="{width + 3}" height="{height + 3}" rx="5"'
        f' fill="{theme.rack}"/>'
        f'<path d="{holes}" stroke="{theme.paper}" stroke-width="{2 * HOLE}"'
        f' stroke-dasharray="0 {CELL}"/>'
    )
    for player in Player:
        cells = [cell for cell in range(position.rules.size) if position.mark(cell) is player]
        body += _discs([centre(position, cell) for cell in cells], player, theme, pen)
    return body


def _discs(centres: Sequence[tuple[float, float]], player: Player, theme: Theme, pen: Pen) -> str:
    """Return the discs of a player around these points, with a small mark on each."""
    if not centres:
        return ""
    marks = _marks(centres, player, theme.card, EMBOSSED)
    return (
        f'<path class="disc" fill="{theme.player(player)}" d="{_circles(centres, HOLE)}"/>'
        f'<g stroke-width="{number(0.85 * pen.mark)}">{marks}</g>'
    )


# Nested games


def _corner(board: int) -> tuple[float, float]:
    """Return the left top corner of one of the nine boards."""
    row, column = divmod(board, 3)
    return column * (CARD + GAP), row * (CARD + GAP)


def _nested(position: NestedPosition, theme: Theme, pen: Pen, over: bool) -> Drawing:
    legal = set() if over else {move // 9 for move in position.legal_moves()}
    one_line = position.rules.one_line
    body = ""
    for board in range(9):
        owner = None if one_line else position.owner(board)
        body += _card(board, theme, pen, position.turn if board in legal else None, len(legal) == 1)
        marks = _players_marks(position, range(9 * board, 9 * board + 9), theme)
        left, top = _corner(board)
        grid = Drawing(60, 60, _grid(60, 60, theme, pen)).at(left + 5, top + 5, 60)
        inner = grid + (f'<g stroke-width="{pen.mark}">{marks}</g>' if marks else "")
        # A won board that is still playable keeps its marks legible under a faint large mark.
        playable = owner is not None and not position.closed >> board & 1
        body += f'<g opacity=".3">{inner}</g>' if owner and not playable else inner
        if owner is not None:
            body += _sheet(board, f'fill="{theme.player(owner)}" fill-opacity=".1"')
            middle = [(left + CARD / 2, top + CARD / 2)]
            large = _marks(middle, owner, theme.player(owner), 3.1)
            faint = ' opacity=".4"' if playable else ""
            body += f'<g stroke-width="{number(2.8 * pen.mark)}"{faint}>{large}</g>'
    body += _won(position, theme, pen)
    return Drawing(NESTED, NESTED, body)


def _card(board: int, theme: Theme, pen: Pen, mover: Player | None, forced: bool) -> str:
    """Return the background of one board, in the mover's colour if it is playable."""
    fill = theme.active if mover and forced else theme.card
    ink = theme.player(mover) if mover else theme.line
    width = pen.grid * (2.4 if mover and forced else 1)
    name = 'class="open" ' if mover else ""
    return _sheet(board, f'{name}fill="{fill}" stroke="{ink}" stroke-width="{number(width)}"')


def _sheet(board: int, attributes: str) -> str:
    left, top = _corner(board)
    return (
        f'<rect x="{number(left)}" y="{number(top)}" width="{CARD}" height="{CARD}" rx="4"'
        f" {attributes}/>"
    )


# Other games


def _diagram(position: Position, theme: Theme, values: Mapping[int, Value]) -> Drawing:
    """Return the `diagram()` of a game, with the values of moves below it."""
    drawn = position.diagram().splitlines() or [""]
    width = max(6.1 * max(map(len, drawn)), 40)
    # A space at the start of a line counts only if it is one that does not break.
    shown = [escape(line).replace(" ", "\u00a0") for line in drawn]
    rows = "".join(f'<tspan x="0" y="{12 * i + 9}">{line}</tspan>' for i, line in enumerate(shown))
    text = f'<text font-family="{MONOSPACE}" font-size="10" fill="{theme.ink}">{rows}</text>'
    height, x = 12 * len(drawn) + 2, 0.0
    for move, value in values.items():
        said = f"{position.move_text(move)}  {value}"
        wide = chip_width(said)
        if not x:
            height += 10
        elif x + wide > max(width, 120):
            x, height = 0, height + 10
        text += chip(said, x + wide / 2, height - 4, theme.value(value.rank))
        width, x = max(width, x + wide), x + wide + 2
    return Drawing(width, height, text)


def _value_list(position: Position, values: Mapping[int, Value]) -> str:
    return ", ".join(f"{position.move_text(move)} {value}" for move, value in values.items())
