"""Measure how many positions that the engine calls even are won or lost.

    python bench/even.py play --positions 500        games, and the positions in them called even
    python bench/even.py judge                       solves these positions, one line each
    python bench/even.py show                        the shares won, lost, drawn and open, by ply

    the engine ──► games ──► positions called even ──► solve ──► won, lost, drawn or open
                                  after a deep search

A game begins with 4 random plies; then the engine plays both sides, with a fresh table for each
game. A position counts if the estimate of its search, not proven, is within `EVEN` of 0, at `DEPTH`
or deeper; so does the first whose search proves a draw, which ends the game. `judge` asks the
solver about those without a proof, with more nodes each time, up to `--nodes`: it proves a win, a
loss or a draw, or leaves the position open. An interrupted run continues.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from json_lines import append, rows_in

import noughts
from noughts.engine import Engine
from noughts.games.position import Position
from noughts.search.result import Limit, SearchResult

RULES = "ultimate:tie=boards"
PLIES = range(20, 46)
DEPTH = 15
EVEN = 0.01
RANDOM_PLIES = 4
NODES = 200_000
"""A move, in the games."""
FIRST_NODES, MOST_NODES = 1_000_000, 40_000_000
"""Of the solver."""
TABLE = 256
"""MiB, of the solver."""
KINDS = ("won", "lost", "drawn", "open", "proven")
"""What a position is; `proven` are draws that the search of the game proves."""
BAND = 5
"""Plies, in the table."""


def is_called_even(result: SearchResult) -> bool:
    if result.exact:
        return result.value.is_draw
    return result.depth >= DEPTH and abs(result.score) <= EVEN


def game_of(number: int, engine: Engine, nodes: int) -> Iterator[tuple[Position, str, bool]]:
    """Yield the positions called even in a game, whose number is the seed.

    Each comes with the moves to it, and whether the search proves the draw.
    """
    engine.clear()
    rng = random.Random(number)
    position: Position = noughts.game(engine.rules)
    moves: list[str] = []
    while position.outcome() is None and position.ply < PLIES.stop:
        if position.ply < RANDOM_PLIES:
            move = rng.choice(list(position.legal_moves()))
        else:
            result = engine.best_move(position, Limit(nodes=nodes))
            if position.ply in PLIES and is_called_even(result):
                yield position, " ".join(moves), result.exact
                if result.exact:
                    return
            assert result.move is not None
            move = result.move
        moves.append(position.move_text(move))
        position = position.play(move)


def play(options: argparse.Namespace) -> int:
    """Play games until there are enough positions; those of the last game all count."""
    rows = rows_in(options.file)
    number = max((row["game"] for row in rows), default=options.seed - 1) + 1
    count = len(rows)
    engine = Engine(options.rules)
    while count < options.positions:
        for position, moves, proven in game_of(number, engine, options.game_nodes):
            row = {"game": number, "ply": position.ply, "moves": moves, "proven": proven}
            append(options.file, row)
            count += 1
        number += 1
    print(f"{count} positions of {number - options.seed} games")
    return 0


def verdict(engine: Engine, position: Position, nodes: int) -> tuple[str, int]:
    """Return one of `KINDS`, for the side to move, and the nodes of the solver."""
    engine.clear()
    result = engine.solve(position, Limit(nodes=nodes))
    if not result.exact:
        return "open", result.nodes
    return {"win": "won", "loss": "lost", "draw": "drawn"}[result.value.kind], result.nodes


def judge(options: argparse.Namespace) -> int:
    """Solve the positions that are open, each with ten times its nodes so far, up to the most."""
    engine = Engine(options.rules, table_mib=TABLE)
    verdicts = options.file.with_suffix(".verdicts.jsonl")
    known = {(row["game"], row["ply"]): row for row in rows_in(verdicts)}
    nodes = min(FIRST_NODES, options.nodes)
    while True:
        for row in rows_in(options.file):
            key = (row["game"], row["ply"])
            old = known.get(key)
            if old is not None and (old["verdict"] != "open" or old["limit"] >= nodes):
                continue
            if row["proven"]:
                kind, spent = "proven", 0
            else:
                position = noughts.game(options.rules).after(row["moves"])
                kind, spent = verdict(engine, position, nodes)
            of_key = {"game": key[0], "ply": key[1]}
            known[key] = {**of_key, "verdict": kind, "limit": nodes, "nodes": spent}
            append(verdicts, known[key])
        if nodes >= options.nodes:
            return show(options)
        nodes = min(10 * nodes, options.nodes)


def show(options: argparse.Namespace) -> int:
    """Print the shares as a Markdown table; the exit status is 1 if nothing is judged."""
    verdicts = rows_in(options.file.with_suffix(".verdicts.jsonl"))
    known = {(row["game"], row["ply"]): row for row in verdicts}
    if not known:
        print("no position is judged: run `play`, then `judge`", file=sys.stderr)
        return 1
    counts: dict[int, Counter[str]] = {}
    for (_, ply), row in known.items():
        counts.setdefault(ply // BAND * BAND, Counter())[row["verdict"]] += 1
    print(f"| plies | positions | {' | '.join(KINDS)} | won or lost |")
    print("|---" + "|--:" * (len(KINDS) + 2) + "|")
    total: Counter[str] = Counter()
    for band in sorted(counts):
        total += counts[band]
        print(_line(f"{band} to {band + BAND - 1}", counts[band]))
    print(_line("all", total))
    limits = [row["limit"] for row in known.values() if row["verdict"] == "open"]
    if limits:
        print(f"\nopen after {min(limits):,} nodes of the solver, or more")
    return 0


def _line(name: str, count: Counter[str]) -> str:
    each = " | ".join(str(count[kind]) for kind in KINDS)
    share = (count["won"] + count["lost"]) / count.total()
    return f"| {name} | {count.total()} | {each} | {share:.1%} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("do", choices=("play", "judge", "show"))
    parser.add_argument("--file", type=Path, default=Path("build/even.jsonl"), help="of positions")
    parser.add_argument("--rules", default=RULES)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0, help="number of the first game")
    parser.add_argument("--game-nodes", type=int, default=NODES, help="for each move of a game")
    parser.add_argument("--nodes", type=int, default=MOST_NODES, help="the most for the solver")
    options = parser.parse_args(arguments)
    options.file.parent.mkdir(parents=True, exist_ok=True)
    return {"play": play, "judge": judge, "show": show}[options.do](options)


if __name__ == "__main__":
    sys.exit(main())
