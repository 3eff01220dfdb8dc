"""Find openings of five in a row from which each side wins about as often.

    python bench/gomoku_openings.py --count 100 > bench/gomoku_openings.txt
    noughts match A B --game mnk:15,15,5 --openings bench/gomoku_openings.txt --pairs 100

    4 to 7 random stones ──► even by 100,000 nodes ──► 8 games of the engine ──► 3 won by each side

An even estimate is not enough: two equal engines often win such an opening with the same side, and
then a pair of games ends 1 to 1, however much one of two bots is better. The engine therefore plays
each opening out against itself, with other nodes in each game. An opening is kept if each side wins
at least three games. The same arguments give the same openings.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from multiprocessing.pool import Pool

import noughts
from noughts.arena.openings import NoOpenings, even_openings
from noughts.engine import Engine
from noughts.games.position import Player, Position, move_texts
from noughts.search.result import Limit

RULES = "mnk:15,15,5"
PLIES = (4, 5, 6, 7)
EVEN_NODES = 100_000
GAMES, LEAST = 8, 3
"""Games from each opening, and how many of them each side wins at least."""
ONE_SIDED = 4
"""No more games are played if one side wins this many first ones, all of them."""
NODES = 15_000
"""A move in the first game; a tenth more in each game after it."""
BLOCK = 64
"""Seeds at a time."""


def x_wins(engine: Engine, position: Position, nodes: int) -> bool | None:
    """Play on until the end or a proof. Return whether X wins, None for a draw."""
    while (outcome := position.outcome()) is None:
        found = engine.best_move(position, Limit(nodes=nodes))
        if found.exact:
            return None if found.value.is_draw else (found.score > 0) == (position.turn is Player.X)
        assert found.move is not None
        position = position.play(found.move)
    return None if outcome.winner is None else outcome.winner is Player.X


def is_balanced(position: Position) -> bool:
    engine = Engine(RULES, table_mib=32)
    won = Counter[bool | None]()
    for number in range(GAMES):
        engine.clear()
        won[x_wins(engine, position, NODES + NODES // 10 * number)] += 1
        if number + 1 == ONE_SIDED == max(won.values()):
            return False
    return min(won[True], won[False]) >= LEAST


def opening_of(seed: int) -> str | None:
    """Return the balanced opening of a seed as moves in text, or None if it has none."""
    try:
        plies = PLIES[seed % len(PLIES)]
        opening = even_openings(RULES, plies, 1, seed, nodes=EVEN_NODES)[0]
    except NoOpenings:
        return None
    start = noughts.game(RULES)
    if not is_balanced(start.after(opening.moves)):
        return None
    return " ".join(move_texts(start, opening.moves))


def balanced_openings(pool: Pool) -> Iterator[tuple[int, str]]:
    """Yield seeds and their openings, in order of the seeds."""
    for first in count(step=BLOCK):
        seeds = range(first, first + BLOCK)
        for seed, moves in zip(seeds, pool.imap(opening_of, seeds), strict=True):
            if moves is not None:
                yield seed, moves


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="of openings")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    print(f"# python bench/gomoku_openings.py --count {options.count}")
    with multiprocessing.Pool(options.jobs) as pool:
        found = islice(balanced_openings(pool), options.count)
        for number, (seed, moves) in enumerate(found, start=1):
            print(moves, flush=True)
            print(f"{number} of {seed + 1} openings", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
