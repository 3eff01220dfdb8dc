"""Positions, trees and results as pictures and tables in notebooks.

%load_ext noughts ──register()──► Position, Tree: SVG     SearchResult: its board and a table
"""

from __future__ import annotations

from html import escape
from typing import Any

from noughts.games.position import Position, move_texts
from noughts.search.result import SearchResult
from noughts.views import svg


def register(shell: Any) -> None:
    """Show positions, trees and results as pictures and tables in an `InteractiveShell`."""
    formatters = shell.display_formatter.formatters
    formatters["image/svg+xml"].for_type(Position, svg.board)
    # By name, so that the module of trees is imported when a tree is shown first.
    formatters["image/svg+xml"].for_type_by_name("noughts.search.tree", "Tree", _tree)
    formatters["text/html"].for_type(SearchResult, result_view)


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
