"""The inputs of a net, computed from the Python rules."""

from __future__ import annotations

import math

from noughts.games.nested import NestedPosition
from noughts.games.position import Player
from noughts.search.evaluation import LINE_BOARDS, board_chances


def marks(position: NestedPosition, board: int, player: Player) -> int:
    return (position.x if player is Player.X else position.o) >> 9 * board & 511


def content(position: NestedPosition, board: int) -> int:
    """Return the content of a board for the side to move."""
    owner = position.owner(board)
    if owner is not None:
        return 19_683 if owner is position.turn else 19_684
    if position.closed >> board & 1:
        return 19_685
    mine, theirs = (marks(position, board, p) for p in (position.turn, position.turn.other))
    return sum((mine >> n & 1) * 3**n + 2 * (theirs >> n & 1) * 3**n for n in range(9))


def hand_written_balance(position: NestedPosition) -> int:
    """Return the balance of the chances in whole numbers, as the core computes it."""
    worth = []
    for board in range(9):
        owner = position.owner(board)
        x, o = marks(position, board, Player.X), marks(position, board, Player.O)
        known = {Player.X: (1024, 0), Player.O: (0, 1024)}
        worth.append(known[owner] if owner else board_chances(x, o))
    lines = sum(
        math.prod(worth[n][0] for n in line) - math.prod(worth[n][1] for n in line)
        for line in LINE_BOARDS
    )
    boards = sum(x - o for x, o in worth)
    of_x = int(lines / 2**17) + int(410 * boards / 1024)
    own = of_x if position.turn is Player.X else -of_x
    return own + (1638 if position.forced is None else 0)
