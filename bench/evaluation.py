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
from functools import partial
from statistics import mean

from match import Choose, Game, draw_opening, pair_score, play_pair

import noughts
from noughts import NotationError, Player, Position
from noughts.arena.statistics import Z, pentanomial, standard_error
from noughts.search import Limit, alphabeta
from noughts.search.evaluation import evaluations_for
from noughts.search.result import Evaluation


def player(evaluate: Evaluation, limit: Limit, seed: int) -> Choose:
    """Return alpha-beta with this evaluation."""

    def choose(game: Game) -> int:
        result = alphabeta(game.position, limit, evaluate=evaluate, seed=seed)
        assert result.move is not None
        return result.move

    return choose


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
        first = draw_opening(start, options.opening, rng)
        seed = rng.randrange(2**32)
        games = play_pair(first, partial(player, a, limit, seed), partial(player, b, limit, seed))
        pairs.append(pair_score(games))
        rewards += games[0].score_of(Player.X), games[1].score_of(Player.O)
        seen.extend(position for game in games for position in game.positions[game.drawn : -1])
        print(f"\r{number + 1}/{options.pairs} pairs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    margin = Z * standard_error(pentanomial(pairs))
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
