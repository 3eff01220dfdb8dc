"""Positions, trees, results and checks of answers as pictures and tables in notebooks.

%load_ext noughts ──register()──► Position, Tree: SVG     SearchResult: its board and a table
                                  AnswerCheck: its sentence and the position that shows a mistake
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import zip_longest
from typing import Any, NamedTuple

from noughts.games.position import Position, move_texts
from noughts.school.answers import AnswerCheck
from noughts.search.result import SearchResult
from noughts.views import svg


def register(shell: Any) -> None:
    """Show positions, trees and results as pictures and tables in an `InteractiveShell`."""
    formatters = shell.display_formatter.formatters
    formatters["image/svg+xml"].for_type(Position, svg.board)
    # By name, so that the module of trees is imported when a tree is shown first.
    formatters["image/svg+xml"].for_type_by_name("noughts.search.tree", "Tree", _tree)
    formatters["text/html"].for_type(SearchResult, result_view)
    formatters["text/html"].for_type(AnswerCheck, check_view)


def _tree(tree: Any) -> str:
    from noughts.views.tree import notebook_tree

    return notebook_tree(tree)


def result_view(result: SearchResult) -> str:
    """Return the HTML of a result: its board, with the values of moves, and a table beside it."""
    position = result.position
    best = {} if result.move is None else {result.move: result.value}
    rows = {
        "value": f"{result.value}",
        "line": " ".join(move_texts(position, result.line)) or "none: the game is over",
        "nodes": f"{result.nodes:,}",
        "simulations": f"{result.simulations:,}" if result.simulations else "",
        "cutoffs": f"{result.cutoffs:,}" if result.cutoffs else "",
        "depth": f"{result.depth}",
        "time": f"{result.seconds:.3f} s",
    }
    table = "".join(
        f'<tr><th scope="row" style="text-align:left">{name}</th>'
        f'<td style="text-align:left">{escape(text)}</td></tr>'
        for name, text in rows.items()
        if text
    )
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:start">'
        f"{svg.board(position, values=result.moves or best)}<table>{table}</table></div>"
    )


def check_view(check: AnswerCheck) -> str:
    """Return the HTML of a check: its sentence beside a bar, and the board of the wrong case."""
    theme = svg.LIGHT
    colour = {True: theme.good, False: theme.bad, None: theme.soft}[check.is_right]
    picture = svg.board(check.case, size=160) if isinstance(check.case, Position) else ""
    return (
        f'<div style="border-left:4px solid {colour};padding:.2em .8em">'
        f"<div>{escape(str(check))}</div>{picture}</div>"
    )


class BoardRow(NamedTuple):
    """Pictures of boards in a row, for the end of a cell."""

    pictures: tuple[str, ...]
    """The pictures as SVG."""
    captions: tuple[str, ...]

    def _repr_html_(self) -> str:
        figures = "".join(
            f'<figure style="margin:0;text-align:center">{picture}'
            f"<figcaption>{escape(caption)}</figcaption></figure>"
            for picture, caption in zip_longest(self.pictures, self.captions, fillvalue="")
        )
        return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{figures}</div>'


def side_by_side(
    positions: Iterable[Position], captions: Iterable[object] = (), *, size: float = 130
) -> BoardRow:
    """Return small pictures of positions, for the end of a cell.

    Args:
        positions: of any games.
        captions: a text below each board.
        size: of the longer side of a board, in pixels.
    """
    pictures = tuple(svg.board(position, size=size) for position in positions)
    return BoardRow(pictures, tuple(map(str, captions)))
