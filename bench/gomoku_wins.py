"""Measure how many wins of five in a row the engine proves in a second.

    python bench/gomoku_wins.py play --positions 900    games of the levels, one position of each
    python bench/gomoku_wins.py judge                   proves these positions, one line each
    python bench/gomoku_wins.py measure --seconds 1     the share of the wins that the engine proves

    level against level ──► a position before the end ──► many nodes ──► wins ──► a second for each

The winner of the game is to move, 5 to 19 plies before the end. `judge` searches with more nodes
each time, up to `--nodes`; the positions that it proves won are the set, by the plies that the game
still took. An interrupted run continues.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from json_lines import Row, append, rows_in

import noughts
from noughts.engine import Engine
from noughts.games.position import Position
from noughts.levels import choose, level_of
from noughts.search.result import Limit, SearchResult

SIDE = 15
RULES = f"mnk:{SIDE},{SIDE},5"
LEVELS = range(3, 8)
RANDOM_PLIES = 3
PLIES = range(5, 20, 2)
"""From a position to the end of its game."""
OPEN = "unknown"
FIRST_NODES, MOST_NODES = 1_000_000, 100_000_000
TABLE = 256
"""MiB, of `judge`."""


def game_of(number: int) -> tuple[list[str], Position]:
    """Play a game of one level against another; the number is the seed. Return moves and end."""
    rng = random.Random(number)
    levels = [level_of(RULES, rng.choice(LEVELS)) for _ in range(2)]
    engines = [Engine(RULES, table_mib=16) for _ in range(2)]
    position: Position = noughts.game(RULES)
    moves: list[str] = []
    while position.outcome() is None:
        move: int | None
        if position.ply < RANDOM_PLIES:
            move = rng.choice([each for each in position.legal_moves() if _is_central(each)])
        else:
            side = position.ply % 2
            move = choose(engines[side], position, levels[side], rng.getrandbits(32)).move
        assert move is not None
        moves.append(position.move_text(move))
        position = position.play(move)
    return moves, position


def _is_central(move: int) -> bool:
    return all(abs(place - SIDE // 2) <= 2 for place in divmod(move, SIDE))


def play(options: argparse.Namespace) -> int:
    """Play games until there are enough positions: one of each won game, its winner to move."""
    rows = rows_in(options.file)
    number = max((row["game"] for row in rows), default=-1) + 1
    while len(rows) < options.positions:
        moves, end = game_of(number)
        outcome = end.outcome()
        before = random.Random(number).choice(PLIES)
        if outcome and outcome.winner and before <= len(moves) - RANDOM_PLIES:
            rows.append({"game": number, "before": before, "moves": " ".join(moves[:-before])})
            append(options.file, rows[-1])
        number += 1
    print(f"{len(rows)} positions of {number} games")
    return 0


def search(engine: Engine, row: Row, limit: Limit) -> SearchResult:
    engine.clear()
    return engine.best_move(noughts.game(RULES).after(row["moves"]), limit)


def judge(options: argparse.Namespace) -> int:
    """Search in the open positions, each with ten times its nodes so far, up to the most."""
    engine = Engine(RULES, table_mib=TABLE)
    verdicts = _verdicts(options.file)
    known = {row["game"]: row for row in rows_in(verdicts)}
    nodes = min(FIRST_NODES, options.nodes)
    while True:
        for row in rows_in(options.file):
            old = known.get(row["game"])
            if old is not None and (old["verdict"] != OPEN or old["limit"] >= nodes):
                continue
            result = search(engine, row, Limit(nodes=nodes))
            found = {"verdict": result.value.kind, "limit": nodes, "nodes": result.nodes}
            known[row["game"]] = {"game": row["game"], **found}
            append(verdicts, known[row["game"]])
        if nodes >= options.nodes:
            break
        nodes = min(10 * nodes, options.nodes)
    counts = Counter(row["verdict"] for row in known.values())
    print(", ".join(f"{number} {kind}" for kind, number in counts.most_common()))
    return 0


def measure(options: argparse.Namespace) -> int:
    """Print the share of the wins that one search proves, by their plies, as a Markdown table."""
    known = {row["game"]: row["verdict"] for row in rows_in(_verdicts(options.file))}
    wins = [row for row in rows_in(options.file) if known.get(row["game"]) == "win"]
    if not wins:
        print("no win is known: run `play`, then `judge`", file=sys.stderr)
        return 1
    engine = Engine(RULES)
    limit = Limit(seconds=options.seconds)
    count: Counter[int] = Counter()
    proven: Counter[int] = Counter()
    for row in wins[: options.positions]:
        count[row["before"]] += 1
        proven[row["before"]] += search(engine, row, limit).value.is_win
    print("| plies | wins | proven |")
    print("|---|--:|--:|")
    for plies in sorted(count):
        print(_line(str(plies), proven[plies], count[plies]))
    print(_line("all", proven.total(), count.total()))
    return 0


def _line(name: str, proven: int, count: int) -> str:
    return f"| {name} | {count} | {proven} ({proven / count:.1%}) |"


def _verdicts(file: Path) -> Path:
    return file.with_suffix(".verdicts.jsonl")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("do", choices=("play", "judge", "measure"))
    parser.add_argument("--file", type=Path, default=Path("build/wins.jsonl"), help="of positions")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=MOST_NODES, help="the most of `judge`")
    parser.add_argument("--seconds", type=float, default=1, help="for a win, of `measure`")
    options = parser.parse_args(arguments)
    options.file.parent.mkdir(parents=True, exist_ok=True)
    return {"play": play, "judge": judge, "measure": measure}[options.do](options)


if __name__ == "__main__":
    sys.exit(main())
