"""Positions, trees and results that show themselves in notebooks.

IPython ──register()──► Position, Tree: SVG     SearchResult: a table     show(): board and table

`import noughts` registers by itself where IPython is running.
"""

from __future__ import annotations

import sys
from html import escape
from typing import Any, NamedTuple

import noughts
from noughts.games.position import Position
from noughts.search.result import SearchResult
from noughts.views import svg


def register(shell: Any = None) -> bool:
    """Let a shell of IPython show what noughts has as pictures and tables.

    Args:
        shell: an `InteractiveShell`; the one that runs if left out.

    Returns:
        Whether there is a shell.
    """
    if shell is None and "IPython" in sys.modules:
        shell = sys.modules["IPython"].get_ipython()
    if shell is None:
        return False
    formatters = shell.display_formatter.formatters
    formatters["image/svg+xml"].for_type(Position, svg.board)
    # Trees are known by name, so that those who draw none do not wait for their module.
    formatters["image/svg+xml"].for_type_by_name("noughts.search.tree", "Tree", _tree)
    formatters["text/html"].for_type(SearchResult, table)
    return True


def _tree(tree: Any) -> str:
    from noughts.views.tree import notebook_tree

    return notebook_tree(tree)


def table(result: SearchResult, position: Position | None = None) -> str:
    """Return a result as an HTML table; its moves are numbers where `position` is not given."""
    texts = (
        [str(move) for move in result.pv]
        if position is None
        else noughts.move_texts(position, result.pv)
    )
    rows = {
        "value": f"{result.value}",
        "line": " ".join(texts) or "none: the game is over",
        "nodes": f"{result.nodes:,}",
        "simulations": f"{result.simulations:,}" if result.simulations else "",
        "cutoffs": f"{result.cutoffs:,}" if result.cutoffs else "",
        "depth": f"{result.depth}",
        "time": f"{result.seconds:.3f} s",
    }
    return (
        "<table>"
        + "".join(
            f'<tr><th scope="row" style="text-align:left">{name}</th>'
            f'<td style="text-align:left">{escape(text)}</td></tr>'
            for name, text in rows.items()
            if text
        )
        + "</table>"
    )


class Shown(NamedTuple):
    """A result beside its board, for a notebook."""

    position: Position
    result: SearchResult

    def _repr_html_(self) -> str:
        picture = svg.board(self.position, values=self.result.scores or self._best())
        return (
            '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:start">'
            f"{picture}{table(self.result, self.position)}</div>"
        )

    def _best(self) -> dict[int, Any]:
        move = self.result.move
        return {} if move is None else {move: self.result.value}


def show(position: Position, result: SearchResult) -> Shown:
    """Return a result that a notebook shows as the board, with the values of moves, and a table."""
    return Shown(position, result)
