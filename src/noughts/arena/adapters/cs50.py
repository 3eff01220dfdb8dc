"""The CS50 AI course's tic-tac-toe project: `cs50:FILE.py`, a file with `minimax(board)`.

    Turn ──board──► minimax ──► (i, j), row and column from 0

    board   [[X, O, EMPTY],
             [EMPTY, X, EMPTY],      X, O and EMPTY are the file's own
             [EMPTY, EMPTY, O]]

The file is the student's `tictactoe.py` (cs50.harvard.edu/ai, Project 0, Tic-Tac-Toe). Of its seven
functions the game needs the one: the rules are kept by the match.
"""

from __future__ import annotations

from collections.abc import Sequence

from noughts.arena.adapters.hosted import (
    Choose,
    cell_of,
    find,
    member,
    no_move,
    open_bot,
    parse_place,
    spoken,
)
from noughts.arena.bot import Turn
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition

__all__ = ["check", "load", "open_bot", "refusal"]

RULES = ("basic", "mnk:3,3,3")


def check(text: str, rest: str) -> None:
    """Check that `rest` names a file.

    Raises:
        NotationError: it does not, or there is no such file.
    """
    parse_place(text, rest, named=False)


def refusal(start: Position, opening: Sequence[int]) -> str | None:  # noqa: ARG001
    """Return why the project's program cannot play from there, or `None` if it can."""
    if start.rules_id in RULES:
        return None
    return f"the CS50 project plays {' and '.join(RULES)}, not {start.rules_id}"


def load(rest: str) -> Choose:
    """Return what asks the file that `rest` names; for use in the process of the host.

    Raises:
        LookupError: it has no `minimax`.
    """
    module = find(parse_place(f"cs50:{rest}", rest, named=False))
    minimax = member(module, "minimax")
    marks = {player: getattr(module, player.value, player.value) for player in Player}
    empty = getattr(module, "EMPTY", None)

    def choose(turn: Turn) -> str:
        position = turn.position
        assert isinstance(position, RowPosition)
        cells = [position.mark(cell) for cell in range(9)]
        line = [empty if player is None else marks[player] for player in cells]
        answer = minimax([line[0:3], line[3:6], line[6:9]])
        cell = cell_of(answer, 3, 3, first=0)
        return no_move(answer) if cell is None else spoken(position, cell)

    return choose
