"""Positions, trees and results that show themselves in notebooks.

IPython ──register()──► Position, Tree: SVG     SearchResult: its board and a table

`import noughts` registers by itself where IPython is running.
"""

from __future__ import annotations

import sys
from html import escape
from typing import Any

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
    formatters["text/html"].for_type(SearchResult, result_view)
    return True


def _tree(tree: Any) -> str:
    from noughts.views.tree import notebook_tree

    return notebook_tree(tree)


def result_view(result: SearchResult) -> str:
    """Return the HTML of a result: its board, with the values of moves, and a table beside it."""
    position = result.position
    best = {} if result.move is None else {result.move: result.value}
    rows = {
        "value": f"{result.value}",
        "line": " ".join(noughts.move_texts(position, result.pv)) or "none: the game is over",
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
        f"{svg.board(position, values=result.scores or best)}<table>{table}</table></div>"
    )
