"""Checked files as opponents: the moves that a student's function chose during its check.

    check ──► keep(text, moves)          a game's machine ──► move(text, position)

No file runs during a game. After a restart of the server, another check of the same file lets its
games continue.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from noughts.answers.checked import file_name
from noughts.games.position import NotationError, Position
from noughts.opponents import OpponentFailed

MAX_FILES = 50
"""Most files whose moves are kept; the least recently used file is dropped."""
RULES = "basic"
"""The game that the checked functions play."""

Moves = Mapping[str, str | None]
"""A move for each position that the function was asked about; `None` for no legal move."""


class CheckedFiles:
    """The moves of the files that were checked last, by their texts as opponents."""

    def __init__(self) -> None:
        self._moves: OrderedDict[str, Moves] = OrderedDict()

    def keep(self, text: str, moves: Moves) -> None:
        """Keep the moves of a file; forget the least recently used file."""
        self._moves[text] = moves
        self._moves.move_to_end(text)
        if len(self._moves) > MAX_FILES:
            self._moves.popitem(last=False)

    def check(self, text: str, start: Position) -> None:
        """Check that a file can play from a position.

        Raises:
            NotationError: the moves of the file are not kept, or it plays another game.
        """
        if text not in self._moves:
            raise NotationError(text, "OPPONENT", "the server has no moves of this file")
        if start.rules_id != RULES:
            raise NotationError(text, "OPPONENT", f"a checked file plays only {RULES}")

    def move(self, text: str, position: Position) -> str | None:
        """Return the move of a file; `None` if it answered with no legal move.

        Raises:
            OpponentFailed: the moves of the file are not kept, or it was not asked about this
                position.
        """
        name = file_name(text)
        if text not in self._moves:
            raise OpponentFailed(f"the server no longer has the moves of {name}, so check it again")
        self._moves.move_to_end(text)
        moves = self._moves[text]
        if str(position) not in moves:
            raise OpponentFailed(f"{name} was too slow to be asked about this board")
        return moves[str(position)]
