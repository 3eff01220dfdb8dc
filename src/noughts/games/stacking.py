"""Whether alternating turns can stack the marks of a Connect Four board.

    3  O
    2  X  O
    1  O  X  X     from their tops: OXO, OX, X
       1  2  3     taken off in turns: O from 1, X from 1, O from 2, X from 2, O from 1, X from 3

The exact question is that of a job shop with two machines and jobs that return to a machine, so
that no fast algorithm is known. A linear test refuses almost all impossible boards, and a bounded
search decides nearly all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

MAX_BOARDS = 2_000
"""Boards that the search visits before it gives up."""

Columns = tuple[str, ...]
"""The marks of each column from the top, such as `("OX", "X")`."""


# Cached: a game in progress checks its start whenever it is saved.
@lru_cache(maxsize=256)
def can_stack(boards: tuple[Columns, ...]) -> bool:
    """Return whether alternating turns, X first, can stack any of some boards.

    A board that play can reach is never refused. The search takes marks off the columns; if it
    gives up, the answer is True.

    >>> can_stack((("OX", "OX"),)), can_stack((("XX", "OO"),)), can_stack((("XO", "XO"),))
    (True, True, False)
    """
    waiting = [tuple(sorted(filter(None, board))) for board in boards]
    waiting = [board for board in waiting if _keeps_balance(board)]
    seen = set(waiting)
    while waiting:
        board = waiting.pop()
        left = sum(map(len, board)) - 1
        if left < 0 or len(seen) > MAX_BOARDS:
            return True
        mover, following = ("X", "O") if left % 2 == 0 else ("O", "X")
        # The last one is taken first: the column that needs the most turns.
        for column in sorted({each for each in board if each[0] == mover}, key=_turns):
            rest = list(board)
            rest.remove(column)
            rest += [column[1:]] if column[1:] else []
            after = tuple(sorted(rest))
            has_time = all(_turns(each) + (each[0] != following) <= left for each in after)
            if has_time and after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


@lru_cache(maxsize=4096)
def _turns(column: str) -> int:
    """Return the fewest turns that take a column: two equal marks need a turn in between."""
    return len(column) + sum(map(str.__eq__, column, column[1:]))


def _keeps_balance(board: Columns) -> bool:
    """Return whether the balance can stay within each of its two bounds, tested one by one.

    The balance is X's marks less O's; alternating turns keep it at 0 or 1. With one bound, it is
    best to take marks that lower the balance as soon as possible; from the end, backwards, the same
    holds (Abdel-Wahab and Kameda, Scheduling to minimize maximum cumulative cost, 1978).
    """
    odd = sum(map(len, board)) % 2
    backwards = [column[::-1] for column in board]
    return (
        _sinks(board, "O", odd, 1)
        and _sinks(board, "X", -odd, 0)
        and _sinks(backwards, "X", 0, 1)
        and _sinks(backwards, "O", 0, 0)
    )


def _sinks(columns: Iterable[str], rising: str, balance: int, most: int) -> bool:
    """Return whether all columns can reach their lowest balance without exceeding `most`.

    Args:
        columns: the marks in their order.
        rising: the mark that adds 1 to the balance; the other one subtracts 1.
        balance: the balance at the beginning.
        most: its bound.
    """
    climbs = [list(_climbs(column, rising))[::-1] for column in columns]
    can_sink = True
    while can_sink:
        can_sink = False
        for each in climbs:
            while each and balance + each[-1] <= most:
                each.pop()
                balance -= 1
                can_sink = True
    return not any(climbs)


def _climbs(column: str, rising: str) -> Iterator[int]:
    """Yield the rise of the balance before each new minimum of a column."""
    height = low = peak = 0
    for mark in column:
        height += 1 if mark == rising else -1
        peak = max(peak, height)
        if height < low:
            yield peak - low
            low = peak = height
