"""The CS50 AI course's tic-tac-toe project: `cs50:FILE.py`, a file with `minimax(board)`.

    Turn ──board──► minimax ──► (i, j), row and column from 0

    board   [[X, O, EMPTY],
             [EMPTY, X, EMPTY],      X, O and EMPTY are the file's own
             [EMPTY, EMPTY, O]]

The file is the student's `tictactoe.py` (cs50.harvard.edu/ai, Project 0, Tic-Tac-Toe). Of its seven
functions only `minimax` is called; the match applies the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from noughts.arena.adapters.hosted import Answer, Choose, cell_of, find, member, open_bot, spoken
from noughts.arena.adapters.hosted import check_file as check
from noughts.arena.bot import Turn
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition

__all__ = ["check", "load", "open_bot", "refusal", "wanted"]

RULES = ("basic", "mnk:3,3,3")


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return why the project's program cannot play after the opening, or `None` if it can."""
    if start.rules_id in RULES:
        return None
    return f"the CS50 project plays {' and '.join(RULES)}, not {start.rules_id}"


def wanted(position: Position) -> str:
    """Describe the right answer of `minimax`."""
    example = divmod(position.legal_moves()[0], 3)
    return f"row and column of an empty cell, counted from 0, such as {example}"


def load(rest: str) -> Choose:
    """Return a function that asks the named file for a move; runs in the host process.

    Raises:
        LookupError: the file has no `minimax`.
    """
    module = find(rest)
    minimax = member(module, "minimax")
    marks = {player: getattr(module, player.value, player.value) for player in Player}
    empty = getattr(module, "EMPTY", None)

    def choose(turn: Turn) -> Answer:
        position = turn.position
        assert isinstance(position, RowPosition)
        cells = [position.mark(cell) for cell in range(9)]
        line = [empty if player is None else marks[player] for player in cells]
        answer = minimax([line[0:3], line[3:6], line[6:9]])
        cell = cell_of(answer, 3, 3, first=0)
        return Answer(answer, spoken(position, answer if cell is None else cell))

    return choose
