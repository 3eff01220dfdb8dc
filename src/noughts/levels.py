"""Levels of play from 1 to 10: how far the engine sees, and how well it judges what it sees.

    every_move: depth 0, 1, … ──► what the level sees of each move ──► the best of it
                                  wins and losses within its sight,
                                  else a blurred estimate

A level errs as people do. It overlooks what is far off first: a win or a loss farther off than its
sight is to it a move like others, and now and then its sight is a ply shorter, or two. Among moves
that it sees no end of, it misjudges a little. It knows no chance moves: what it plays is the best
by what it sees. Levels are limited by plies and nodes, not by time, and so play alike everywhere.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

from noughts.engine import Engine
from noughts.games.position import Position
from noughts.search.result import Limit, SearchResult, Value

FULL_STRENGTH = Limit(nodes=1_000_000)
"""How far the highest level looks: half a second or less, on large m,n,k-boards some seconds."""


class Level(NamedTuple):
    """How a level errs.

    Args:
        sight: plies that it looks ahead, and the distance of the wins and losses that it sees.
        slip: the chance that it sees a ply less, and then again one less.
        blur: standard deviation of what is added to its estimates, which lie between -1 and 1.
        nodes: where a search to its sight would take more, it ends at the last depth finished.
    """

    sight: int
    slip: float
    blur: float
    nodes: int = 400_000


LEVELS: dict[int, Level | None] = {
    1: Level(1, 0.0, 0.5),
    2: Level(2, 0.4, 0.3),
    3: Level(3, 0.45, 0.15),
    4: Level(4, 0.38, 0.11),
    5: Level(5, 0.3, 0.08),
    6: Level(6, 0.15, 0.05),
    7: Level(7, 0.0, 0.0),
    8: Level(10, 0.3, 0.0, nodes=200_000),
    9: Level(17, 0.0, 0.0, nodes=500_000),
    10: None,
}
"""Every level by its number; the highest does not err but for its limit."""


def choose(engine: Engine, position: Position, level: int, seed: int) -> SearchResult:
    """Return the move that a level plays in a position that is going on, and its view of it.

    For the same position, level and seed it is the same, whatever was searched before.

    Raises:
        KeyError: no such level.
        NotationError: not a position of the engine's rules.
    """
    chosen = LEVELS[level]
    if chosen is None:
        return engine.best_move(position, FULL_STRENGTH)
    rng = random.Random(seed)
    sight = chosen.sight
    while sight > 1 and rng.random() < chosen.slip:
        sight -= 1
    engine.clear()
    seen: dict[int, Value] = {}
    for result in engine.every_move(position, Limit(depth=sight, nodes=chosen.nodes)):
        seen |= {move: value for move, value in result.scores.items() if is_seen(value, sight)}
    blur = {move: rng.gauss(0, chosen.blur) for move in sorted(seen)}

    def judged(move: int) -> float:
        value = seen[move]
        return value.rank + blur[move] if value.value in ("unknown", "draw") else value.rank

    best = max(sorted(seen), key=judged)
    value = seen[best]
    return replace(
        result,
        move=best,
        score=value.score(position.ply),
        exact=value.value != "unknown",
        pv=(best,),
        scores={},
    )


def is_seen(value: Value, sight: int) -> bool:
    """Whether a value is an estimate, or the end of a game that is not farther off than `sight`."""
    if value.value in ("unknown", "draw"):
        return True
    return value.plies is not None and value.plies <= sight
