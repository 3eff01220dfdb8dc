"""A board to play on in a notebook: the element of `noughts.views.embed` at the end of a cell.

position ──board()──► NotebookBoard ──► HTML: the script once, the element, a picture inside it

It is plain HTML: it needs no server and no extension, stays in the saved notebook and works in its
HTML export. Where scripts do not run, the picture is shown.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from html import escape
from typing import Any, Literal, NamedTuple

from noughts.engine import native_position
from noughts.games.position import Position
from noughts.games.record import Record, format_text
from noughts.views import embed, svg

_script_cell: str | None = None
"""The id of the cell whose output has the script."""


class NotebookBoard(NamedTuple):
    """A board for the end of a cell."""

    start: str
    """The position string, or the text of a record."""
    html: str
    """The element without the script."""

    def __repr__(self) -> str:
        return f"noughts.board({self.start!r})"

    def _repr_html_(self) -> str:
        """Return the HTML of the output.

        Raises:
            embed.CoreMissing: the package was built without core.wasm.
        """
        return _script() + self.html


def board(
    position: Position | Record | str,
    *,
    play: bool | str = True,
    side: Literal["X", "O"] | None = None,
    analysis: bool = False,
    controls: bool = False,
    theme: Literal["auto", "light", "dark"] = "auto",
    size: float = 360,
) -> NotebookBoard:
    """Return a board to play on, for the end of a cell of a notebook.

    >>> import noughts
    >>> board(noughts.game("connect4").after("4453"), play="engine:level=4")
    noughts.board('connect4~7.7.7.7.3O3.2OXX2~X')

    Args:
        position: where play begins, also as a string or rules id; or a record to replay.
        play: whether moves can be played; or the machine that answers, `engine:level=4` or
            `engine:nodes=20000`.
        side: the side of the person against a machine; default the side to move.
        analysis: whether a button shows the value of every move.
        controls: whether buttons step through the moves; a record always has them.
        theme: `auto` follows the notebook.
        size: the width in pixels.

    Raises:
        NotationError: not a position, or not of a built-in game.
    """
    if isinstance(position, Record):
        native_position(position.start)
        start = format_text(position)
        shown, *_ = position.positions()
        attributes = {"record": start}
    else:
        shown = native_position(position)
        start = str(shown)
        attributes = {"position": start}
        if play:
            attributes["play"] = "" if play is True else play
    attributes |= {name: "" for name, on in (("analysis", analysis), ("controls", controls)) if on}
    attributes |= {"side": side} if side else {}
    attributes |= {"theme": theme} if theme != "auto" else {}
    attributes["style"] = f"width:{size:g}px;max-width:100%"
    return NotebookBoard(start, element(attributes, svg.board(shown, theme=theme, size=size)))


def element(attributes: Mapping[str, str], fallback: str) -> str:
    """Return the HTML of a board; `fallback` is HTML for readers without the script."""
    given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<noughts-board{given}>{fallback}</noughts-board>"


def _script() -> str:
    """Return the script, unless the output of another cell has it.

    A cell that has it and runs again keeps it. Where cells have no ids, each output has it.
    """
    global _script_cell
    cell = _cell()
    if cell and _script_cell not in (None, cell):
        return ""
    _script_cell = cell
    return f"<script>{embed.script()}</script>"


def _cell() -> str | None:
    """Return the id of the running cell, if the notebook names it."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython else None
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell = request.get("metadata", {}).get("cellId")
    return str(cell) if cell else None
