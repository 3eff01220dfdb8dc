"""The native core as Python sees it.

    position string ──► noughts._core ──► plain results

Texts are checked by the rulebook before they go through the door, so that only the package's own
errors come back.
"""

from __future__ import annotations

import noughts
from noughts import _core
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Position
from noughts.games.row import RowPosition


def native_text(position: Position | str) -> str:
    """Return the position string that goes to the core.

    Raises:
        NotationError: not a position, or one of a game that the core does not have.
    """
    if isinstance(position, str):
        position = noughts.position(position) if "~" in position else noughts.game(position)
    text = str(position)
    if not isinstance(position, RowPosition | NestedPosition):
        raise NotationError(text, "RULES", "the native core knows the games of the house only")
    return text


def perft(position: Position | str, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies, as `noughts.perft` does, but natively.

    >>> perft("ultimate", 6)
    4020960

    Raises:
        NotationError: as `native_text`.
    """
    return _core.perft(native_text(position), depth)
