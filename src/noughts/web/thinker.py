"""The interface of the server's searches: `Slices` are native, `Processes` in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from noughts.answers.positions import AnalysisView, GraphPoint
from noughts.games.position import Position
from noughts.opponents import Opponent
from noughts.web.clients import Account
from noughts.web.game import Game, MachineSearch


class AskedLine(NamedTuple):
    """A position and how it was reached."""

    start: str
    moves: Sequence[str]
    positions: Sequence[Position]
    """The start and the position after each move."""


class Thinker(Protocol):
    """Searches for the server. Each method raises `Refused` if too many searches are open."""

    async def move(
        self, game: Game, search: MachineSearch, machine: Opponent, tell: Callable[[Game], None]
    ) -> str:
        """Return the move of a machine, soon once `search.enough` is set.

        `tell` gets the game when the search begins or ends to wait behind others.

        Raises:
            OpponentFailed: the machine finds no move.
        """

    async def analyse(
        self,
        account: Account,
        line: AskedLine,
        seconds: float,
        tell: Callable[[AnalysisView], None],
    ) -> AnalysisView:
        """Return the value of every move at the end of a line; `tell` gets earlier views."""

    async def graph(
        self, account: Account, line: AskedLine, tell: Callable[[GraphPoint], None]
    ) -> None:
        """Call `tell` with the value of each position of a line, in any order."""
