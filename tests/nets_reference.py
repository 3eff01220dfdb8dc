"""The inputs of a net, computed from the Python rules."""

from __future__ import annotations

import math

from noughts.games.nested import NestedPosition
from noughts.games.position import Player
from noughts.search.evaluation import LINE_BOARDS, board_chances

_LINES = [sum(1 << cell for cell in cells) for cells in LINE_BOARDS]


def marks(position: NestedPosition, board: int, player: Player) -> int:
    return (position.x if player is Player.X else position.o) >> 9 * board & 511


def content(position: NestedPosition, board: int) -> int:
    """Return the content of a board for the side to move."""
    owner, mine, theirs = position.owner(board), *_marks_of_both(position, board)
    if position.closed >> board & 1:
        return 19_685 if owner is None else 19_683 if owner is position.turn else 19_684
    if owner is not None:
        return 19_686 + (mine | theirs) + (0 if owner is position.turn else 512)
    return sum((mine >> n & 1) * 3**n + 2 * (theirs >> n & 1) * 3**n for n in range(9))


def rows(position: NestedPosition) -> list[int]:
    """Return the rows of a position for the side to move."""
    forced, rules = position.forced, position.rules_id
    is_variant = "tie=boards" in rules or "full=draw" in rules
    chosen = (9 if forced is None else forced) + 10 * is_variant
    if not rules.startswith("advanced"):
        return [chosen]
    _, safe, safe_on = _safety(position)
    moves = 10 if forced is None else safe_on[forced]
    return [chosen, 20 + 32 * min(31, safe[0]) + min(31, safe[1]), 20 + 32 * 32 + moves]


def _safety(position: NestedPosition) -> tuple[list[int], list[int], list[int]]:
    """Return the threats and the safe cells of both sides, and those of the mover by boards."""
    boards = [_marks_of_both(position, board) for board in range(9)]
    threats = [
        [n for n in range(9) if _completes(boards[n][side], boards[n][1 - side])] for side in (0, 1)
    ]

    def safe_cells(board: int, side: int) -> int:
        mine, theirs = boards[board]
        empty = [cell for cell in range(9) if not (mine | theirs) >> cell & 1]
        return sum(cell not in threats[1 - side] for cell in empty)

    safe = [sum(safe_cells(n, side) for n in range(9) if n not in threats[side]) for side in (0, 1)]
    counts = [len(each) for each in threats]
    return counts, safe, [safe_cells(board, 0) for board in range(9)]


def _marks_of_both(position: NestedPosition, board: int) -> tuple[int, int]:
    return marks(position, board, position.turn), marks(position, board, position.turn.other)


def _completes(mine: int, theirs: int) -> bool:
    """Whether one more mark makes a line."""
    return any((mine & line).bit_count() == 2 and not theirs & line for line in _LINES)


def balance(position: NestedPosition) -> int:
    """Return the balance of the hand-written evaluation in the unit of nets."""
    if not position.rules_id.startswith("advanced"):
        return chances_balance(position)
    threats, safe, _ = _safety(position)
    lines = 0
    for board in range(9):
        sides = _marks_of_both(position, board)
        for mine, theirs, sign in ((*sides, 1), (*sides[::-1], -1)):
            lines += sign * sum(
                (mine & line).bit_count() == 1 and not theirs & line for line in _LINES
            )
    return 64 * (12 * (threats[0] - threats[1]) + lines + safe[0] - safe[1])


def chances_balance(position: NestedPosition) -> int:
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
