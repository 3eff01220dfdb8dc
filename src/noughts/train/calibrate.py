"""Calibrate a net: the expected result that each of its estimates means.

net ──► games of the engine against itself ──► mean result by estimate ──► curve, in the card

The games begin with some random moves; then every move is the engine's best: the results are
those of strong play, unlike those of the games that train the net.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from noughts.engine import Engine
from noughts.games.registry import game
from noughts.nets import Net
from noughts.search.result import Limit

NODES = 30_000
"""Nodes of each search, which sees about as much as level 9."""
PARTS, MANY = 20, 50_000
"""Parts of a curve, and the positions that they need; fewer positions give half of the parts."""
STEADY = 20
"""Imaginary positions added to each part, whose result is the estimate, to damp chance."""
MIN_RISE = 0.002
"""Smallest rise of a curve from one part to the next, so that estimates keep their order."""
MAX_RANDOM = 8
"""Most random moves at the beginning of a game."""


class Judged(NamedTuple):
    """An estimate for the side to move, and the result of the game for that side."""

    estimate: float
    result: float


def play(
    rules: str, net: Net, games: int, nodes: int = NODES, seed: int = 0, first: int = 0
) -> Iterator[Judged]:
    """Yield the estimates of the positions of games, each with the result.

    Args:
        rules: a rules id that the net evaluates.
        net: of the search; its estimates are not calibrated.
        games: the number of games.
        nodes: of each search, of all moves.
        seed: of the random moves.
        first: the number of the first game; games with different numbers differ.
    """
    plain = calibrated(net, {})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for judged in pool.map(
            partial(_game, rules, plain, nodes, seed), range(first, first + games)
        ):
            yield from judged


def _game(rules: str, net: Net, nodes: int, seed: int, number: int) -> list[Judged]:
    rng, engine = random.Random(f"{seed} {number}"), Engine(rules, table_mib=4, net=net)
    method = "selective" if net.is_gomoku else "alphabeta"
    position, seen = game(rules), []
    for _ in range(2 + number % (MAX_RANDOM - 1)):
        if position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
    while (outcome := position.outcome()) is None:
        found = engine.best_move(position, Limit(nodes=nodes), method=method)
        assert found.move is not None
        if found.value.estimate is not None:
            seen.append((found.value.estimate, position.turn))
        position = position.play(found.move)
    return [
        Judged(estimate, 0 if outcome.winner is None else 1 if outcome.winner is side else -1)
        for estimate, side in seen
    ]


def curve(judged: list[Judged]) -> tuple[float, ...]:
    """Return the expected result in each of `PARTS` equal parts of the estimate, rising.

    An estimate and its negative count together. Few positions give fewer parts.
    """
    parts = PARTS if len(judged) >= MANY else PARTS // 2
    sums, counts = [0.0] * parts, [0] * parts
    for estimate, result in judged:
        part = min(parts - 1, int(abs(estimate) * parts))
        sums[part] += result if estimate >= 0 else -result
        counts[part] += 1
    middles = [(part + 0.5) / parts for part in range(parts)]
    means = [
        (total + STEADY * middle) / (number + STEADY)
        for total, number, middle in zip(sums, counts, middles, strict=True)
    ]
    rising: list[float] = []
    for part, mean in enumerate(means):
        least = (rising[-1] if rising else 0) + MIN_RISE
        rising.append(round(min(max(mean, least), 1 - MIN_RISE * (parts - part)), 4))
    return tuple(rising)


def calibrated(net: Net, curves: dict[str, tuple[float, ...]]) -> Net:
    """Return a net with other curves."""
    return replace(net, card=replace(net.card, curves=curves))
