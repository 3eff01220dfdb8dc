"""An engine as a bot of CodinGame's Ultimate Tic-Tac-Toe: one game on stdin and stdout.

    row column of the other side, or -1 -1    ──► play ──position, limit──► Opponent.choose
    number of legal moves, then each of them      │
    row column of the engine                  ◄───┘

Rows and columns are from 0 to 8, over the nine boards. Without a line, more won boards win. The
other side of the protocol, which starts such bots, is `noughts.arena.adapters.codingame`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from noughts.arena.adapters.codingame import place
from noughts.games.position import Position
from noughts.games.registry import game
from noughts.opponents import Opponent
from noughts.search.result import Limit

RULES = "ultimate:tie=boards"
FIRST, LATER = Limit(seconds=0.9), Limit(seconds=0.09)
"""Limits of the first move and of each later one; the site allows 1 s and 0.1 s."""


def play(player: Opponent, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Answer turn after turn until the lines end or the game is over.

    >>> from noughts.opponents import opponent
    >>> play(opponent("random:seed=1"), ["0 0", "1", "0 1"], print)
    1 1

    Raises:
        ValueError: a line that the protocol does not allow here, or a move against the rules.
        BrokenPipeError: from `write`.
    """
    position: Position = game(RULES)
    player.new_game()
    player.get_ready(position)
    limit, waiting = FIRST, (line for line in lines if line.strip())
    for line in waiting:
        row, column = _pair(line)
        if (row, column) != (-1, -1):
            position = position.play(_move(position, row, column))
        if position.outcome() is not None:
            return
        _skip(waiting)
        move = player.choose(position, limit).move
        assert move is not None
        write("{} {}".format(*place(position, move)))
        position = position.play(move)
        limit = LATER


def _move(position: Position, row: int, column: int) -> int:
    for move in position.legal_moves():
        if place(position, move) == (row, column):
            return move
    raise ValueError(f"{row} {column} is not a legal move in {position}")


def _pair(line: str) -> tuple[int, int]:
    try:
        row, column = map(int, line.split())
    except ValueError:
        raise ValueError(f"expected a row and a column, not {line.strip()[:40]!r}") from None
    return row, column


def _skip(lines: Iterator[str]) -> None:
    """Read the legal moves, which the engine knows."""
    count = next(lines, "0").strip()
    if not count.isdecimal():
        raise ValueError(f"expected the number of legal moves, not {count[:40]!r}")
    for _ in range(int(count)):
        next(lines, "")
