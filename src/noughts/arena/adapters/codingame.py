"""Bots of CodinGame's tic-tac-toe, ultimate or 3×3: `codingame:COMMAND`.

    Turn ──opponentRow opponentCol───► bot ──row col──► move
           validActionCount
           row col                          (as many lines)

Rows and columns are counted from 0, over the whole board of 9×9 or 3×3; before the first move of a
game the opponent's are -1 -1. Text after the two numbers of an answer is a message. Every line of
standard output is an answer; the error stream is free for debugging. Each game has its own process
(github.com/CodinGame/game-tictactoe: Referee.java, statement_en.html).

The site's own rules are `ultimate:tie=boards`, with 1 second for the first move and 0.1 for others.
A bot learns only the opponent's last move, and remembers its own. So it plays from the start of the
game, or as O behind an opening of one move: an opening with one of its own moves would mislead it.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence

from noughts.arena.adapters.program import answer, garbage, open_child
from noughts.arena.bot import Bot, Entry, GameSetup, Reply, Turn, Verdict
from noughts.arena.process import Child
from noughts.arena.uci import check
from noughts.games.nested import Ultimate
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.games.registry import game

__all__ = ["CodinGameBot", "check", "open_bot", "place", "refusal"]

SMALL = ("basic", "mnk:3,3,3")
"""The rules of the site's first league."""

_ANSWER = re.compile(r"(?P<row>-?[0-9]{1,9})\s+(?P<column>-?[0-9]{1,9})(?:\s.*)?")


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:
    """Return why a CodinGame bot cannot play `side` after the opening, or `None` if it can."""
    if not isinstance(start, Ultimate) and start.rules_id not in SMALL:
        return f"a CodinGame bot plays ultimate and {' '.join(SMALL)}, not {start.rules_id}"
    own = len(opening) > 1 or (len(opening) == 1 and side is Player.X)
    if own or start != game(start.rules_id):
        return (
            "a CodinGame bot learns only its opponent's last move, so it starts neither from a "
            "position nor behind an opening with one of its own moves: play with --plies 0"
        )
    return None


def open_bot(entry: Entry, rest: str) -> Bot:  # noqa: ARG001 - its text has it
    """Return the bot; its process starts with its first game."""
    return CodinGameBot(entry)


def place(position: Position, move: int) -> tuple[int, int]:
    """Return the row and the column of a move.

    >>> place(game("ultimate"), 9 * 5 + 6), place(game("basic"), 5)
    ((5, 6), (1, 2))
    """
    if not isinstance(position, Ultimate):
        return divmod(move, 3)
    board, cell = divmod(move, 9)
    return board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3


class CodinGameBot(Bot):
    """A bot of the site, with one process for each game."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self._child: Child | None = None

    def new_game(self, setup: GameSetup) -> None:
        self.close()
        self._child = open_child(self.entry)
        # The site shuffles the moves that it sends, as simple bots play the first.
        self._rng = random.Random(setup.seed)

    def choose(self, turn: Turn) -> Reply:
        assert self._child is not None
        until = time.monotonic() + turn.deadline
        position = turn.position
        moves = list(position.legal_moves())
        self._rng.shuffle(moves)
        last = place(position, turn.moves[-1]) if turn.moves else (-1, -1)
        lines = [last, (len(moves),), *(place(position, move) for move in moves)]
        self._child.send("\n".join(" ".join(map(str, numbers)) for numbers in lines))
        row, column = place(position, moves[0])
        wanted = f"a row and a column, such as `{row} {column}`"
        line = answer(self._child, until, wanted)
        found = _ANSWER.fullmatch(line)
        if found is None:
            raise garbage(self._child, line, wanted)
        row, column = int(found["row"]), int(found["column"])
        for move in moves:
            if place(position, move) == (row, column):
                return Reply(move)
        offered = ", ".join(f"{row} {column}" for row, column in sorted(lines[2:]))
        raise self._child.fault(
            Verdict.ILLEGAL, f"it answered {row} {column}; it was offered {offered}"
        )

    def end_game(self, record: Record) -> None:  # noqa: ARG002 - it is not told
        self.close()

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None
