"""The report of reviewed games as one page: accuracy, the graph, turning points, every move.

records, remarks ──review_report()──► one HTML text
                                      charts and boards are SVG, without a script
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from noughts.explain.review import (
    ERRORS,
    SILENT,
    Remark,
    people,
    proven_wins,
    summary,
    turning_points,
)
from noughts.explain.sentences import outlook
from noughts.explain.sketch import sketch
from noughts.games.nested import NestedPosition
from noughts.games.position import Player
from noughts.games.record import Record
from noughts.games.row import ConnectFour, RowPosition
from noughts.games.words import count, title_and_rule
from noughts.search import Value
from noughts.views import match_report
from noughts.views.board import cell_of
from noughts.views.single_file import page
from noughts.views.svg import AUTO, CELL, centre, drawing, label, number

STATIC = files(__package__) / "static"
STYLES = (match_report.STATIC / "report.css", STATIC / "review.css")

Reviewed = tuple[Record, Sequence[Remark]]
"""A game and its remarks, one for each move."""

WIDTH, HEIGHT = 1000, 200
"""Size of the graph in units; it is stretched to the width of the page."""
TIP = 7
"""Distance from the middle of a cell at which an arrow ends, in twentieths of a cell."""
LENGTH, WING = 17, 6.3
"""Length of an arrow and of its wings."""
MARGIN = 16
"""Space around a board, for arrows."""


def review_report(games: Sequence[Reviewed], theme: str = "auto") -> str:
    """Return a page that shows reviewed games.

    Args:
        games: each with its remarks, from `noughts.explain.review.review`.
        theme: `light`, `dark`, or `auto` for the setting of the reader's system.
    """
    title = _title(games[0][0]) if len(games) == 1 else f"Review of {count(len(games), 'game')}"
    return page(
        "review_report/page.html",
        title,
        styles=STYLES,
        theme=theme,
        games=games,
        title_of=_title,
        summary=summary,
        proven_wins=proven_wins,
        turning_points=_turning_points,
        places=_places,
        width=WIDTH,
        height=HEIGHT,
        board=_board,
        outlook=outlook,
        errors=ERRORS,
        silent=SILENT,
    )


def _title(record: Record) -> str:
    names = " - ".join(record.tags.get(str(player)) or str(player) for player in Player)
    return f"{title_and_rule(record.start)[0]}: {names}, {record.result}"


def _turning_points(record: Record, remarks: Sequence[Remark]) -> list[int]:
    """Return the numbers of the moves, from 1, at which the people of a game lost most."""
    return [
        ply for player in people(record) or list(Player) for ply in turning_points(remarks, player)
    ]


def _places(remarks: Sequence[Remark]) -> list[str]:
    """Return the places on the graph of the value for X, at the start and after each move."""
    if not remarks:
        return []
    first = remarks[0]
    values = [_for_x(first.before, first)] + [_for_x(each.after, each) for each in remarks]
    middle, step = HEIGHT / 2, WIDTH / len(remarks)
    return [
        f"{number(at * step)} {number(middle - value * middle)}" for at, value in enumerate(values)
    ]


def _for_x(value: Value, remark: Remark) -> float:
    """Return a value for the mover as one for X, from -1 to 1."""
    return value.expected if remark.position.turn is Player.X else -value.expected


def _board(remarks: Sequence[Remark], ply: int) -> str:
    """Return the board before an error, with arrows to the move played and to the better one.

    It is empty in a game without cells.
    """
    remark, position = remarks[ply - 1], remarks[ply - 1].position
    if not isinstance(position, RowPosition | NestedPosition):
        return ""
    before = remarks[ply - 2] if ply > 1 else None
    last = None if before is None else cell_of(before.position, before.move)
    drawn = drawing(position, AUTO, last=last)
    found = sketch(position, remark.sentences[0].fact)
    over = ""
    if found is not None:
        ink = AUTO.player(found.player)
        for x, y in (centre(position, cell) for cell in found.rings):
            # A circle would look like a nought.
            over += (
                f'<rect class="ring" x="{number(x - 7.8)}" y="{number(y - 7.8)}" width="15.6"'
                f' height="15.6" rx="2.5" fill="none" stroke="{ink}" stroke-width="1.4"'
                ' stroke-dasharray="2.6 2.6"/>'
            )
    for name, move, ink in (("better", remark.best, AUTO.good), ("played", remark.move, AUTO.bad)):
        over += _arrow(position, move, name, ink, drawn.width, drawn.height)
    size = f"{-MARGIN} {-MARGIN} {drawn.width + 2 * MARGIN} {drawn.height + 2 * MARGIN}"
    played, better = (position.move_text(move) for move in (remark.move, remark.best))
    return (
        f'<svg viewBox="{size}" role="img" aria-label="{played} was played; {better} is better"'
        f' fill="none" stroke-linecap="round" stroke-linejoin="round">{drawn.body}{over}</svg>'
    )


def _arrow(
    position: RowPosition | NestedPosition,
    move: int,
    name: str,
    ink: str,
    width: float,
    height: float,
) -> str:
    """Return an arrow to the cell of a move, with its name: from above into a rack."""
    x, y = centre(position, position.cell(move))
    if isinstance(position, ConnectFour):
        tip = y - TIP
        path = f"M{number(x)} {number(min(-4, tip - 6))}V{number(tip)}"
        path += "m-4.5 -4.5l4.5 4.5l4.5 -4.5"
        text = label(position.move_text(move), x, -10, ink, 9, bold=True)
    else:
        right, down = (-1 if x > width / 2 else 1), (-1 if y > height / 2 else 1)

        def at(distance: float) -> str:
            return f"{number(x + right * distance * 0.71)} {number(y + down * distance * 0.71)}"

        path = f"M{at(TIP + LENGTH)}L{at(TIP)}"
        path += f"M{at(TIP)}h{number(right * WING)}M{at(TIP)}v{number(down * WING)}"
        text = label(position.move_text(move), x, y, ink, 0.35 * CELL, bold=True)
    return f'<path class="{name}" d="{path}" stroke="{ink}" stroke-width="2.6"/>{text}'
