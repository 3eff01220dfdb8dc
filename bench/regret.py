"""Measure how much of the exact value a player loses in a small game: its mean regret.

The mean is over all unfinished positions of the game, in points as in `noughts.arena.regret`: a win
is 1, a draw ½ and a loss 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import noughts
from noughts import Position
from noughts.arena.regret import POINTS
from noughts.engine import Engine
from noughts.opponents import opponent

Worths = dict[Position, dict[int, float]]
"""The value of every move in every unfinished position."""


def worths_of_moves(rules_id: str) -> Worths:
    """Return the value of every move for the side to move, solved by the engine.

    >>> worths = worths_of_moves("basic")
    >>> len(worths), set(worths[noughts.game("basic")].values())
    (4520, {0.5})
    """
    engine = Engine(rules_id)
    found: dict[Hashable, Position] = {}
    worths: Worths = {}
    waiting: list[Position] = [noughts.game(rules_id)]
    while waiting:
        position = waiting.pop()
        if position.outcome() is None and position.key() not in found:
            found[position.key()] = position
            scores = engine.best_move(position, moves=True).moves
            worths[position] = {move: POINTS[scores[move].kind] for move in scores}
            waiting += map(position.play, scores)
    return worths


def mean_regret(player: str, worths: Worths, seeds: Sequence[int]) -> float:
    """Return the mean loss of the player's moves, over all seeds.

    Raises:
        NotationError: no such player.
    """
    lost = 0.0
    for seed in seeds:
        bot = opponent(player, seed)
        for position, moves in worths.items():
            move = bot.choose(position).move
            assert move is not None
            lost += max(moves.values()) - moves[move]
    return lost / len(seeds) / len(worths)
