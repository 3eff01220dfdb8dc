"""Levels of play from 1 to 10: search depth and noise of the estimates.

    Engine.analyse: depth 0, 1, … ──► value of each move ──► the best move
                                      a win or loss within the level's sight,
                                      else an estimate with noise

A level makes the mistakes of people. It overlooks distant wins and losses: beyond its sight they
count as estimates, and its sight is sometimes one or two plies shorter. It misjudges the other
moves a little. It never plays a random move, but the best move by these values. Levels are limited
by plies and nodes, not by time, and so play the same on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from noughts.engine import Engine
from noughts.games.position import Position
from noughts.games.words import count
from noughts.search.result import NO_LIMIT, Limit, SearchResult, Value

FULL_STRENGTH = Limit(nodes=1_000_000)
"""Limit of the highest level: up to half a second, on large m,n,k-boards some seconds."""


class Level(NamedTuple):
    """The weaknesses of a level.

    Args:
        sight: search depth in plies, and the largest distance of a win or loss that it sees.
        slip: the chance that its sight is a ply shorter, and then again a ply shorter.
        blur: standard deviation of the noise of its estimates, which lie between -1 and 1.
        nodes: maximum of its search, which then ends at the last finished depth.
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
"""Every level by its number; the highest has no weakness except its limit."""
BEGINNERS = 1
"""The level that newcomers meet first: it wins where it can, but blocks nothing on purpose."""
_WINNERS = {1: "a beginner can win", 4: "a careful player can win", 7: "a strong player can win"}
"""The players who can beat a level, from that level on."""


def description(number: int) -> str:
    """Return the sight of a level, and the players who can beat it.

    >>> description(5), description(10)
    ('sees 5 plies ahead, often less; a careful player can win', 'full strength')
    """
    level = LEVELS[number]
    if level is None:
        return "full strength"
    sight = f"sees {count(level.sight, 'ply', 'plies')} ahead"
    often = ", often less" if level.slip >= 0.3 else ", sometimes less" if level.slip else ""
    return f"{sight}{often}; {_WINNERS[max(each for each in _WINNERS if each <= number)]}"


def choose(
    engine: Engine,
    position: Position,
    level: int,
    seed: int,
    limit: Limit = NO_LIMIT,
    is_stopped: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """Return the move that a level plays in a game in progress, with its view of the move.

    For the same position, level and seed it is the same, whatever was searched before, unless
    `limit` or a stop ends the search.

    Args:
        engine: an engine of the game.
        position: the position to move in.
        level: a key of `LEVELS`.
        seed: of its slips and of the noise of its estimates.
        limit: ends the search sooner than the level does.
        is_stopped: asked after each depth; the search ends once it returns true.

    Raises:
        KeyError: no such level.
        NotationError: not a position of the engine's rules.
    """
    chosen = LEVELS[level]
    if chosen is None:
        return engine.best_move(position, FULL_STRENGTH.tighter(limit))
    rng = random.Random(seed)
    sight = chosen.sight
    while sight > 1 and rng.random() < chosen.slip:
        sight -= 1
    engine.clear()
    bound = Limit(depth=sight, nodes=chosen.nodes).tighter(limit)
    seen: dict[int, Value] = {}
    for result in engine.analyse(position, bound):
        seen |= {move: value for move, value in result.moves.items() if is_seen(value, sight)}
        if is_stopped():
            engine.stop()
    blur = {move: rng.gauss(0, chosen.blur) for move in sorted(seen)}

    def judged(move: int) -> float:
        value = seen[move]
        return value.rank + blur[move] if value.kind in ("unknown", "draw") else value.rank

    best = max(sorted(seen), key=judged)
    value = seen[best]
    return replace(
        result,
        move=best,
        score=value.score(position.ply),
        exact=value.is_exact,
        line=(best,),
        moves={},
    )


def is_seen(value: Value, sight: int) -> bool:
    """Whether a value is an estimate, a draw, or a win or loss within `sight` plies."""
    if value.kind in ("unknown", "draw"):
        return True
    return value.plies is not None and value.plies <= sight
