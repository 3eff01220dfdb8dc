"""The positions of a data set: those of games, or every position of a small game.

source, seed, number ──played()──► the moves of a game
rules ──every_position()──► one of each set of symmetric positions, in the order of their plies
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import NamedTuple

from noughts.dataset.plan import DatasetPlan
from noughts.games.position import Position, canonical_key
from noughts.games.registry import game
from noughts.games.row import RowPosition
from noughts.levels import LEVELS
from noughts.opponents import Opponent, opponent

OPENING = 6
"""A game of levels or of the engine begins with this many random moves, or fewer."""
SELF_PLAY = "engine:nodes=1000"
"""The engine that plays against itself."""
LARGEST = 1_000_000
"""The most positions, without symmetric ones, of a game of which all are listed."""


MAX_CELLS = 20
"""Boards with more cells have more positions than that; they need not be counted first."""


class TooMany(ValueError):
    """A game has too many positions to list them."""


class Played(NamedTuple):
    """A game."""

    number: int
    positions: tuple[Position, ...]
    """Those in which a player was to move."""
    moves: tuple[int, ...]
    """The move that was played in each."""
    result: int
    """1 if X has won, -1 if O has, 0 for a draw."""


def played(plan: DatasetPlan, number: int) -> Played:
    """Play a game; the same plan and number give the same game."""
    rng = random.Random(f"{plan.source}:{plan.seed}:{number}")
    start = game(plan.rules)
    opening = 0
    players: tuple[Opponent, ...] = ()
    if plan.source != "random":
        opening = rng.randint(0, OPENING)
        players = _players(plan, rng)
    position, positions, moves = start, list[Position](), list[int]()
    while (outcome := position.outcome()) is None:
        if not players or position.ply < opening:
            move = rng.choice(list(position.legal_moves()))
        else:
            chosen = players[position.ply % 2].choose(position).move
            assert chosen is not None
            move = chosen
        positions.append(position)
        moves.append(move)
        position = position.play(move)
    winner = outcome.winner
    result = 0 if winner is None else 1 if winner is start.turn else -1
    return Played(number, tuple(positions), tuple(moves), result)


def _players(plan: DatasetPlan, rng: random.Random) -> tuple[Opponent, Opponent]:
    if plan.source == "selfplay":
        player = opponent(SELF_PLAY, rng.getrandbits(31))
        return player, player
    texts = [f"engine:level={rng.choice(LEVELS)}" for _ in range(2)]
    x, o = (opponent(text, rng.getrandbits(31)) for text in texts)
    return x, o


def every_position(rules: str, progress: Callable[[int], None]) -> list[Position]:
    """Return the positions of a game in which a player is to move, one of each symmetric set.

    Args:
        rules: a rules id.
        progress: called with their number so far, after each ply.

    Raises:
        TooMany: there are more than `LARGEST`.
    """
    start = game(rules)
    too_many = TooMany(
        f"there are more than {LARGEST:,} positions of {rules}, too many to list: take those of "
        "games, --from random, levels or selfplay"
    )
    if not isinstance(start, RowPosition) or start.rules.size > MAX_CELLS:
        raise too_many
    layer: dict[Hashable, Position] = {canonical_key(start): start}
    found: list[Position] = []
    while layer:
        found += layer.values()
        progress(len(found))
        after: dict[Hashable, Position] = {}
        for position in layer.values():
            for child in map(position.play, position.legal_moves()):
                if child.outcome() is None:
                    after.setdefault(canonical_key(child), child)
            if len(found) + len(after) > LARGEST:
                raise too_many
        layer = after
    return found
