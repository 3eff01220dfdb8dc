"""How much of the exact value a player gives away in a small game: its mean regret.

Over all positions of the game in which there is a move to make, each once; in points, as
`noughts.arena.regret` has them: a win is worth 1, a draw ½ and a loss 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import noughts
from noughts import Position
from noughts.arena.player import parse_opponent
from noughts.arena.regret import POINTS
from noughts.engine import Engine

Worths = dict[Position, dict[int, float]]
"""What every move is worth, in every position to be moved in."""


def worths_of_moves(rules_id: str) -> Worths:
    """Return what every move is worth to the side to move, solved by the engine.

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
            scores = engine.scores(position).scores
            worths[position] = {move: POINTS[scores[move].value] for move in scores}
            waiting += map(position.play, scores)
    return worths


def mean_regret(player: str, worths: Worths, seeds: Sequence[int]) -> float:
    """Return the mean of what a move of the player, with each of the seeds, gives away.

    Raises:
        NotationError: no such player.
    """
    lost = 0.0
    for seed in seeds:
        choose = parse_opponent(player, seed).choose
        assert choose is not None
        for position, moves in worths.items():
            move = choose(position).move
            assert move is not None
            lost += max(moves.values()) - moves[move]
    return lost / len(seeds) / len(worths)
