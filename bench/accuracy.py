"""The accuracy that reviews give to random play and to the levels.

    python bench/accuracy.py play GAME...      100 games a level, kept in accuracy.jsonl
    python bench/accuracy.py show              the median of each level, as a Markdown table

    a level against level 5, after a random move ──► accuracy of the level ──► median

All levels have the same opponent, since a better opponent sets harder problems. The level plays X
in even games and O in odd ones. A player whose moves never mattered has no accuracy. An interrupted
run continues; several runs with different games can share a file.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from json_lines import append, rows_in

import noughts
from noughts.engine import Engine
from noughts.explain import review
from noughts.games.position import NotationError, Player
from noughts.games.record import Record
from noughts.judgement.judge import Judge
from noughts.levels import choose, level_of
from noughts.search.result import Limit

LEVELS = (0, 1, 3, 5, 7, 9, 10)
"""The levels measured; 0 is random play."""
OPPONENT = 5
"""The level of the opponent."""
GAMES = 100
"""Of each level."""
NODES = 20_000
"""Of each position, in the review."""
RESULTS = Path(__file__).with_suffix(".jsonl")


def moves_of(rules_id: str, level: int, seed: int) -> list[int]:
    """Return the moves of a game of a level against `OPPONENT`."""
    rng = random.Random(f"{rules_id}{level}{seed}")
    engines = [Engine(rules_id, table_mib=4) for _ in range(2)]
    position = noughts.game(rules_id)
    moves: list[int] = []
    while position.outcome() is None:
        side = position.ply % 2
        mover = level if side == seed % 2 else OPPONENT
        move: int | None
        if mover == 0 or not moves:
            move = rng.choice(position.legal_moves())
        else:
            move = choose(engines[side], position, level_of(rules_id, mover), seed + 1).move
        assert move is not None
        moves.append(move)
        position = position.play(move)
    return moves


def accuracy(rules_id: str, level: int, seed: int) -> float | None:
    """Return the accuracy of a level in a game, 0 to 100; `None` if its moves never mattered."""
    start = noughts.game(rules_id)
    record = Record.from_moves(start, moves_of(rules_id, level, seed), {"Opening": "1"})
    found = review.accuracy(record, list(Player)[seed % 2], Judge(start, Limit(nodes=NODES)))
    return None if found is None else round(found, 1)


def play(options: argparse.Namespace) -> int:
    done = {(row["game"], row["level"], row["seed"]) for row in rows_in(options.file)}
    for seed in range(options.games):
        for rules_id in options.game:
            for level in LEVELS:
                if (rules_id, level, seed) not in done:
                    found = accuracy(rules_id, level, seed)
                    row = {"game": rules_id, "level": level, "seed": seed, "accuracy": found}
                    append(options.file, row)
    return show(options)


def show(options: argparse.Namespace) -> int:
    """Print the medians; the exit status is 1 if there are none."""
    found: dict[str, dict[int, list[float]]] = {}
    games: dict[str, set[int]] = {}
    for row in rows_in(options.file):
        if row["accuracy"] is not None:
            found.setdefault(row["game"], {}).setdefault(row["level"], []).append(row["accuracy"])
        games.setdefault(row["game"], set()).add(row["seed"])
    if not found:
        print("no game is reviewed: run `play`", file=sys.stderr)
        return 1
    names = (str(level) if level else "random" for level in LEVELS)
    print(f"| game | games a level | {' | '.join(names)} |")
    print(f"|---|--:|{'--:|' * len(LEVELS)}")
    for rules_id, levels in found.items():
        medians = (f"{median(levels[n]):.0f}" if levels.get(n) else "" for n in LEVELS)
        print(f"| `{rules_id}` | {len(games[rules_id])} | {' | '.join(medians)} |")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("do", choices=("play", "show"))
    parser.add_argument("game", nargs="*", help="rules ids, for `play`")
    parser.add_argument("--file", type=Path, default=RESULTS)
    parser.add_argument("--games", type=int, default=GAMES, help="of each level")
    options = parser.parse_args(arguments)
    if options.do == "play" and not options.game:
        parser.error("name a game to play, such as connect4")
    try:
        for rules_id in options.game:
            noughts.game(rules_id)
    except NotationError as error:
        parser.error(str(error))
    return {"play": play, "show": show}[options.do](options)


if __name__ == "__main__":
    sys.exit(main())
