"""The accuracy that reviews give to random play and to the levels.

    python bench/accuracy.py GAME [GAMES] [NODES]

Each game is played by one level against itself, after a random move, and reviewed with NODES a
position. Prints the median accuracy of the players of each level, and how many they are.
"""

from __future__ import annotations

import random
import sys
from statistics import median

import noughts
from noughts.engine import Engine
from noughts.explain.review import review, summary
from noughts.games.record import Record
from noughts.judgement.judge import Judge
from noughts.levels import choose, level_of
from noughts.search.result import Limit

LEVELS = (0, 1, 3, 5, 7, 9, 10)
"""The levels measured; 0 is random play."""


def moves_of(rules_id: str, level: int, seed: int) -> list[int]:
    """Return the moves of a game of a level against itself."""
    rng = random.Random(f"{rules_id}{level}{seed}")
    engines = [Engine(rules_id, table_mib=4) for _ in range(2)]
    position = noughts.game(rules_id)
    moves: list[int] = []
    while position.outcome() is None:
        move: int | None
        if level == 0 or not moves:
            move = rng.choice(position.legal_moves())
        else:
            engine = engines[position.ply % 2]
            move = choose(engine, position, level_of(rules_id, level), seed + 1).move
        assert move is not None
        moves.append(move)
        position = position.play(move)
    return moves


def main(rules_id: str, games: int = 4, nodes: int = 100_000) -> None:
    start = noughts.game(rules_id)
    for level in LEVELS:
        found = []
        for seed in range(games):
            record = Record.from_moves(start, moves_of(rules_id, level, seed), {"Opening": "1"})
            sides = summary(review(record, Judge(start, Limit(nodes=nodes)))).values()
            found += [side.accuracy for side in sides if side.accuracy is not None]
        name = f"level {level}" if level else "random"
        said = f"{median(found):.0f} ({len(found)} players)" if found else "no move matters"
        print(f"{rules_id} {name}: {said}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
