"""The rating of a puzzle: how often each level of the engine plays its first move.

One search gives the values that all levels see, since they differ by depth, nodes and noise only:

    analyse(depth of level 9) ──► values at depth 0, 1, 2, … ──► level 1 … 9, `TRIES` seeds each
    best_move(level 10)       ──► level 10

The rating is the level that plays the move half of the time, by a logistic curve over the levels
whose slope is 1: from level to level the odds of finding the move grow by a factor of e. 0 means
that every level always finds it, 11 that none ever does.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp

from noughts.engine import Engine
from noughts.games.position import Position
from noughts.levels import HIGHEST, LEVELS, is_seen, level_of, preferred, sight_in_game
from noughts.puzzles.puzzle import TRIES
from noughts.search.result import Limit, Value

LOWEST_RATING, HIGHEST_RATING = 0.0, 11.0


def solved_by_level(engine: Engine, position: Position, move: int) -> tuple[int, ...]:
    """Return how often each level plays a move, of `TRIES`.

    A level plays as in `levels.choose`, with two differences: its search is the first part
    of that of level 9, and its seeds are 0 to `TRIES` - 1.
    """
    levels = [level_of(position.rules_id, number) for number in LEVELS if number != HIGHEST]
    engine.clear()
    deepest = max(level.sight or 0 for level in levels)
    most = Limit(depth=deepest, nodes=max(level.nodes for level in levels))
    searched = [(each.depth, each.nodes, each.moves) for each in engine.analyse(position, most)]
    counts = []
    for level in levels:
        known = [(depth, moves) for depth, nodes, moves in searched if nodes <= level.nodes]
        known = known or [searched[0][::2]]
        seen: dict[int, dict[int, Value]] = {}
        hits = 0
        for seed in range(TRIES):
            rng = random.Random(seed)
            sight = sight_in_game(level, rng)
            if sight not in seen:
                seen[sight] = _seen(known, sight)
            hits += preferred(seen[sight], level, rng) == move
        counts.append(hits)
    engine.clear()
    best = engine.best_move(position, Limit(nodes=level_of(position.rules_id, HIGHEST).nodes)).move
    return (*counts, TRIES * (best == move))


def _seen(known: Sequence[tuple[int, dict[int, Value]]], sight: int) -> dict[int, Value]:
    """Return the values that a level sees, from the results of growing depth."""
    seen: dict[int, Value] = {}
    for depth, moves in known:
        if depth <= sight:
            seen |= {move: value for move, value in moves.items() if is_seen(value, sight)}
    return seen


def rating(solved: Sequence[int]) -> float:
    """Return the rating for the counts of levels 1 to 10, rounded to one decimal.

    It is the maximum of the likelihood: the expected number of tries that succeed is the number
    that did.

    >>> rating([0, 0, 0, 0, 4, 8, 8, 8, 8, 8]), rating([8] * 10), rating([0] * 10)
    (5.0, 0.0, 11.0)
    """
    share = sum(solved) / TRIES
    low, high = LOWEST_RATING, HIGHEST_RATING
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(1 / (1 + exp(middle - level)) for level in LEVELS)
        low, high = (middle, high) if expected > share else (low, middle)
    return round(low, 1)
