"""Measure how early the engine proves a lost game of five in a row lost.

    noughts match a=engine:nodes=20000 b=engine:nodes=10000 --game mnk:15,15,5 --out games.jsonl
    python bench/gomoku_losses.py games.jsonl --nodes 60000
    PYTHON bench/gomoku_losses.py games.jsonl --nodes 96000    PYTHON of another version of noughts

In each game that somebody wins, the engine searches the loser's positions one after another, from
the first one on, until it proves the loss. It prints the mean number of plies from there to the
end; a loss that is never proven counts 0.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from json_lines import rows_in

import noughts
from noughts.engine import Engine
from noughts.games.position import Position
from noughts.search.result import Limit


def games_in(file: Path) -> Iterator[tuple[str, list[Position]]]:
    """Yield the rules and all positions of each game that has a winner."""
    for row in rows_in(file):
        if "moves" not in row:
            continue
        positions: list[Position] = [noughts.game(row["game"])]
        for move in row["moves"]:
            text = move if isinstance(move, str) else move["move"]
            positions.append(positions[-1].play(positions[-1].parse_move(text)))
        outcome = positions[-1].outcome()
        if outcome is not None and outcome.winner:
            yield row["game"], positions


def plies_lost(rules: str, positions: Sequence[Position], limit: Limit) -> int:
    """Return the plies before the end at which a search first proves the loser's loss, or 0."""
    engine = Engine(rules, table_mib=64)
    plies = len(positions) - 1
    for left in range(plies - plies % 2, 0, -2):
        found = engine.best_move(positions[plies - left], limit)
        if found.exact and found.score < 0:
            return left
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="games of a match, in JSON lines")
    parser.add_argument("--nodes", type=int, default=60_000, help="of each search")
    parser.add_argument("--games", type=int, default=200, help="at most")
    options = parser.parse_args(arguments)
    if not options.file.is_file():
        parser.error(f"{options.file} is not a file")
    found: list[int] = []
    for rules, positions in games_in(options.file):
        found.append(plies_lost(rules, positions, Limit(nodes=options.nodes)))
        if len(found) == options.games:
            break
    if not found:
        print("no game has a winner", file=sys.stderr)
        return 1
    print(f"{mean(found):.1f} plies before the end, {len(found)} games")
    return 0


if __name__ == "__main__":
    sys.exit(main())
