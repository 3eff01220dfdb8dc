"""The search for a position where two sets of rules differ."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from noughts.games.position import Position


class RulesDifference(NamedTuple):
    """The result of a comparison of two sets of rules."""

    moves: tuple[int, ...] | None
    """The moves to a position where the rules differ; `None` if no difference was found."""
    first: Position
    """The position after `moves` under the first rules; the start position if `moves` is `None`."""
    second: Position
    positions: int
    """Number of compared pairs of positions."""
    complete: bool
    """Whether every position was compared, which proves equal rules if `moves` is `None`."""


def compare(
    first: Position, second: Position, positions: int = 20_000, games: int = 2_000, seed: int = 0
) -> RulesDifference:
    """Play the same moves from two start positions until their rules differ.

    Compares positions in order of ply, at most `positions` of them, then random `games`, and
    returns the shortest difference.
    """
    compared = 0
    seen = set()
    waiting: deque[tuple[tuple[int, ...], Position, Position]] = deque([((), first, second)])
    while waiting and compared < positions:
        moves, left, right = waiting.popleft()
        compared += 1
        if _differ(left, right):
            return RulesDifference(moves, left, right, compared, False)
        for move in left.legal_moves():
            after = left.play(move), right.play(move)
            keys = after[0].key(), after[1].key()
            if keys not in seen:
                seen.add(keys)
                waiting.append(((*moves, move), *after))
    if not waiting:
        return RulesDifference(None, first, second, compared, True)
    rng = random.Random(seed)
    shortest = RulesDifference(None, first, second, compared, False)
    for number in range(games):
        most = None if shortest.moves is None else len(shortest.moves) - 1
        # Every second game avoids its end, to fill up boards.
        for moves, left, right in islice(_random_game(first, second, rng, number % 2 == 1), most):
            compared += 1
            if _differ(left, right):
                shortest = RulesDifference(moves, left, right, compared, False)
                break
    return shortest._replace(positions=compared)


def _differ(left: Position, right: Position) -> bool:
    ends = [position.outcome() for position in (left, right)]
    winners = [end and (end.winner, True) for end in ends]
    return winners[0] != winners[1] or list(left.legal_moves()) != list(right.legal_moves())


def _random_game(
    left: Position, right: Position, rng: random.Random, long: bool
) -> Iterator[tuple[tuple[int, ...], Position, Position]]:
    moves: tuple[int, ...] = ()
    while left.outcome() is None:
        choices = rng.sample(left.legal_moves(), len(left.legal_moves()))
        going_on = (move for move in choices if left.play(move).outcome() is None)
        move = next(going_on, choices[0]) if long else choices[0]
        moves, left, right = (*moves, move), left.play(move), right.play(move)
        yield moves, left, right
