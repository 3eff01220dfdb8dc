"""The report of reviewed games as one page: accuracy, the graph, turning points, every move.

records, remarks ──review_report()──► one HTML text
                                      charts and boards are SVG; a script only for the theme
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
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
from noughts.views import match_report, replay
from noughts.views.board import cell_of
from noughts.views.single_file import card, page
from noughts.views.svg import AUTO, CELL, centre, drawing, label, number

STATIC = files(__package__) / "static"
SCRIPTS = (replay.STATIC / "theme.js", STATIC / "review.js")
STYLES = (
    *(replay.STATIC / name for name in ("base.css", "file.css")),
    match_report.STATIC / "report.css",
    STATIC / "review.css",
)

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
    body = "".join(
        _game(index, *game, alone=len(games) == 1) for index, game in enumerate(games, 1)
    )
    title = _title(games[0][0]) if len(games) == 1 else f"Review of {count(len(games), 'game')}"
    return page(title, body, {}, styles=STYLES, scripts=SCRIPTS, theme=theme)


def _title(record: Record) -> str:
    names = " - ".join(record.tags.get(str(player)) or str(player) for player in Player)
    return f"{title_and_rule(record.start)[0]}: {names}, {record.result}"


def _game(index: int, record: Record, remarks: Sequence[Remark], alone: bool) -> str:
    head = "" if alone else f'<p class="lead">{index}. {escape(_title(record))}</p>'
    points = [
        ply for player in people(record) or list(Player) for ply in turning_points(remarks, player)
    ]
    wins = " ".join(map(str, proven_wins(remarks)))
    proven = f'<p class="proven">{wins}</p>' if wins else ""
    accuracy = _players(record, remarks), proven, _graph(index, remarks, points)
    cards = [card(f"accuracy-{index}", "Accuracy", *accuracy)]
    if points:
        shown = "".join(_point(remarks, ply) for ply in points)
        turning = f'<div class="points">{shown}</div>'
        cards.append(card(f"points-{index}", "Turning points", turning))
    if remarks:
        cards.append(card(f"moves-{index}", "All moves", _moves(remarks)))
    return head + "".join(cards)


def _players(record: Record, remarks: Sequence[Remark]) -> str:
    said = []
    for player, tally in summary(remarks).items():
        name = record.tags.get(str(player))
        accuracy = "–" if tally.accuracy is None else f"{tally.accuracy:.0f}"
        who = f"{player}, {name}" if name else str(player)
        said.append(
            f'<div><b class="{str(player).lower()}">{accuracy}</b>{escape(who)}'
            f"<small>{tally}</small></div>"
        )
    return f'<div class="players">{"".join(said)}</div>'


def _graph(index: int, remarks: Sequence[Remark], points: Sequence[int]) -> str:
    """Return the value of each position for X, filled in the colours of the players.

    Args:
        index: of the game on the page.
        remarks: of the game.
        points: the numbers of moves to mark, from 1.
    """
    if not remarks:
        return ""
    first = remarks[0]
    values = [_for_x(first.before, first)] + [_for_x(each.after, each) for each in remarks]
    middle, step = HEIGHT / 2, WIDTH / len(remarks)
    places = [
        (number(at * step), number(middle - value * middle)) for at, value in enumerate(values)
    ]
    course = "L".join(f"{x} {y}" for x, y in places)
    area = f"M0 {number(middle)}L{course}L{WIDTH} {number(middle)}Z"
    sides = "".join(
        f'<clipPath id="{side}-{index}"><rect y="{y}" width="{WIDTH}" height="{number(middle)}"/>'
        f'</clipPath><path class="{side}" clip-path="url(#{side}-{index})" d="{area}"/>'
        for side, y in (("x", 0), ("o", number(middle)))
    )
    dots = "".join(
        f'<path class="turning" d="M{x} {y}h0"/>' for x, y in map(places.__getitem__, points)
    )
    said = "The value of each position: above the middle X is better, below it O"
    return (
        f'<svg class="course-of-game" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none"'
        f' role="img" aria-label="{said}">{sides}'
        f'<path class="zero" d="M0 {number(middle)}H{WIDTH}"/>'
        f'<path class="values" d="M{course}"/>{dots}</svg>'
        f'<p class="soft">{said}. Dots mark turning points.</p>'
    )


def _for_x(value: Value, remark: Remark) -> float:
    """Return a value for the mover as one for X, from -1 to 1."""
    return value.expected if remark.position.turn is Player.X else -value.expected


def _point(remarks: Sequence[Remark], ply: int) -> str:
    """Return a turning point: the board with arrows, and the reasons."""
    remark = remarks[ply - 1]
    before = remarks[ply - 2] if ply > 1 else None
    said = "".join(f"<p>{escape(each.text)}</p>" for each in remark.sentences)
    head = f"Move {ply}: {_move(remark)} {_label(remark)}"
    return f"<div>{_board(remark, before)}<h3>{head}</h3>{said}</div>"


def _board(remark: Remark, before: Remark | None) -> str:
    """Return the board before an error, with arrows to the move played and to the better one."""
    position = remark.position
    if not isinstance(position, RowPosition | NestedPosition):
        return f"<pre>{escape(position.diagram())}</pre>"
    last = None if before is None else cell_of(before.position, before.move)
    drawn = drawing(position, AUTO, last=last)
    found = sketch(position, remark.sentences[0].fact)
    over = ""
    if found is not None:
        ink = AUTO.player(found.player)
        for x, y in (centre(position, cell) for cell in found.rings):
            over += (
                f'<circle class="ring" cx="{number(x)}" cy="{number(y)}" r="8.2" stroke="{ink}"'
                ' stroke-width="1.8"/>'
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


def _moves(remarks: Sequence[Remark]) -> str:
    rows = []
    for ply, remark in enumerate(remarks, 1):
        worth = outlook(remark.after)
        if remark.label not in SILENT:
            worth = f"{outlook(remark.before)} → {worth}"
        said = "".join(f"<p>{escape(each.text)}</p>" for each in remark.sentences)
        cells = (str(ply), _move(remark), _label(remark), worth)
        rows.append(f"<li>{''.join(f'<span>{cell}</span>' for cell in cells)}{said}</li>")
    note = "The chance to win, or the proven result, is that of the player who moved"
    return f'<ol class="all">{"".join(rows)}</ol><p class="soft">{note}.</p>'


def _move(remark: Remark) -> str:
    position = remark.position
    side = str(position.turn)
    text = escape(position.move_text(remark.move))
    return f'<span class="move {side.lower()}">{side} {text}</span>'


def _label(remark: Remark) -> str:
    tone = "bad" if remark.label in ERRORS else "good" if remark.label == "best" else ""
    return f'<span class="label {tone}">{remark.label}</span>'
