"""Two evaluations against each other under the same search: how much better is one?

    python bench/evaluation.py ultimate chances report --depth 3 --pairs 200

Each pair starts from one random opening and is played twice with the sides swapped, so that a
good opening is nobody's luck. The pair is the unit of the error bar: its two games depend on
each other. The same seed plays the same games. Ends with what one call of either costs.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from math import sqrt
from statistics import mean, stdev

import noughts
from noughts import NotationError, Player, Position
from noughts.search import Limit, alphabeta
from noughts.search.evaluation import evaluations_for
from noughts.search.result import Evaluation


def opening(start: Position, plies: int, rng: random.Random) -> Position:
    """Return a position after `plies` random moves in which the game goes on."""
    while True:
        position = start
        for _ in range(plies):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position


def played(
    start: Position, x: Evaluation, o: Evaluation, limit: Limit, seed: int
) -> list[Position]:
    """Return the positions of a game between alpha-beta with `x` and with `o`."""
    game = [start]
    while game[-1].outcome() is None:
        position = game[-1]
        evaluate = x if position.turn is Player.X else o
        result = alphabeta(position, limit, evaluate=evaluate, seed=seed)
        assert result.move is not None
        game.append(position.play(result.move))
    return game


def reward_of_x(game: list[Position]) -> float:
    outcome = game[-1].outcome()
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner is Player.X)


def microseconds(evaluate: Evaluation, positions: list[Position]) -> float:
    """Return the mean time of one call, over positions that are not over."""
    started = time.perf_counter()
    for position in positions:
        evaluate(position)
    return (time.perf_counter() - started) / len(positions) * 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", help="rules id, such as ultimate:tie=boards")
    parser.add_argument("a", help="name of an evaluation")
    parser.add_argument("b", help="name of the one it is compared with")
    parser.add_argument("--depth", type=int, default=3, help="plies that alpha-beta looks ahead")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games, at least 2")
    parser.add_argument("--opening", type=int, default=4, help="random plies before each pair")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        start = noughts.game(options.game)
    except NotationError as error:
        parser.error(str(error))
    fitting = evaluations_for(start)
    for name in (options.a, options.b):
        if name not in fitting:
            parser.error(f"no evaluation {name!r} fits {options.game}: {', '.join(fitting)}")
    if options.depth < 1 or options.pairs < 2:
        parser.error("wanted are a depth of at least 1 and at least 2 pairs")

    a, b = fitting[options.a], fitting[options.b]
    limit = Limit(depth=options.depth)
    rng = random.Random(options.seed)
    pairs: list[float] = []
    rewards: list[float] = []
    seen: list[Position] = []
    started = time.perf_counter()
    for number in range(options.pairs):
        first = opening(start, options.opening, rng)
        seed = rng.randrange(2**32)
        games = played(first, a, b, limit, seed), played(first, b, a, limit, seed)
        scores = reward_of_x(games[0]), 1 - reward_of_x(games[1])
        pairs.append(mean(scores))
        rewards.extend(scores)
        seen.extend(position for game in games for position in game[:-1])
        print(f"\r{number + 1}/{options.pairs} pairs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    margin = 1.96 * stdev(pairs) / sqrt(len(pairs))
    print(
        f"{options.game}, alpha-beta to depth {options.depth}, {options.pairs} pairs "
        f"from {options.opening} random plies, seed {options.seed}"
    )
    print(
        f"{options.a} against {options.b}: {mean(pairs):.1%} ± {margin:.1%} (95 %), "
        f"{rewards.count(1)} won, {rewards.count(0.5)} drawn, {rewards.count(0)} lost"
    )
    print(
        f"one call: {options.a} {microseconds(a, seen):.1f} µs, "
        f"{options.b} {microseconds(b, seen):.1f} µs; "
        f"{time.perf_counter() - started:.0f} s in all"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
