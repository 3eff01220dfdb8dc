"""Measure from which ply on well-played positions of ultimate are solved, as two curves.

    python bench/ultimate_curve.py play                     the games, kept in ultimate_games.jsonl
    python bench/ultimate_curve.py measure --plies 36 40    results, kept in ultimate_curve.jsonl
    python bench/ultimate_curve.py show                     the curves, as Markdown tables

    level 10 ──► games ──► 200 positions a ply ──► solve ──► nodes and value ──► shares solved
                                                     │
                                                     └──► solve after every move, in the same limit

A game begins with 4 random plies; then level 10 plays both sides. The positions of a ply are those
of the first games that reach it. A node is a position entered. One curve asks for the value of the
position, the other for the value of every move; each has a fresh table and the whole limit. An
interrupted run continues, and a run with a higher limit repeats only unsolved positions.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path

from json_lines import Row, append, rows_in

import noughts
from noughts.engine import Engine
from noughts.games.position import Position
from noughts.levels import full_strength
from noughts.search.result import Limit

RULES = ("ultimate", "ultimate:tie=boards")
CURVES = ("value", "moves")
PLIES = tuple(range(30, 51, 2))
RANDOM_PLIES = 4
POSITIONS = 200
"""A ply, of each game."""
FOLDER = Path(__file__).parent
GAMES, RESULTS = FOLDER / "ultimate_games.jsonl", FOLDER / "ultimate_curve.jsonl"


def game_of(rules: str, number: int, engine: Engine) -> str:
    """Return the moves of a game up to the last ply measured; the number is the seed."""
    engine.clear()
    rng = random.Random(number)
    limit = full_strength(rules)
    position, moves = noughts.game(rules), []
    while position.outcome() is None and position.ply < max(PLIES):
        if position.ply < RANDOM_PLIES:
            move = rng.choice(list(position.legal_moves()))
        else:
            best = engine.best_move(position, limit).move
            assert best is not None
            move = best
        moves.append(position.move_text(move))
        position = position.play(move)
    return " ".join(moves)


def play(options: argparse.Namespace) -> int:
    """Play games, of all rules in turns, until every ply has its positions."""
    engines = {rules: Engine(rules) for rules in options.rules}
    while engines:
        for rules in list(engines):
            games = [row["moves"] for row in rows_in(options.games) if row["rules"] == rules]
            long = sum(len(moves.split()) >= max(PLIES) for moves in games)
            if long >= options.positions:
                del engines[rules]
                continue
            moves = game_of(rules, len(games), engines[rules])
            append(options.games, {"rules": rules, "game": len(games), "moves": moves})
            print(f"{rules}: game {len(games)}, {long} long ones before", file=sys.stderr)
    return 0


def positions_at(games: Sequence[Row], rules: str, ply: int, most: int) -> list[Position]:
    """Return the positions of a ply, unfinished, of the first games that reach it."""
    found: list[Position] = []
    for row in games:
        moves = row["moves"].split()
        if row["rules"] != rules or len(moves) < ply or len(found) == most:
            continue
        position = noughts.game(rules).after(" ".join(moves[:ply]))
        if position.outcome() is None:
            found.append(position)
    return found


def value_of(engine: Engine, position: Position, nodes: int) -> Row:
    engine.clear()
    found = engine.solve(position, Limit(nodes=nodes))
    return {"solved": found.exact, "nodes": found.nodes, "value": found.value.kind}


def values_of_moves(engine: Engine, position: Position, nodes: int) -> Row:
    """Solve the position after every move, one after the other, until the limit."""
    engine.clear()
    spent, moves = 0, position.legal_moves()
    values: dict[str, str] = {}
    for move in moves:
        found = engine.solve(position.play(move), Limit(nodes=max(1, nodes - spent)))
        spent += found.nodes
        if not found.exact or spent > nodes:
            break
        values[position.move_text(move)] = found.value.for_mover.kind
    return {"solved": len(values) == len(moves), "nodes": spent, "moves": values}


def measure(options: argparse.Namespace) -> int:
    games, old = rows_in(options.games), rows_in(options.results)
    known = {(row["curve"], row["position"]): row for row in old}  # the last line holds
    for rules in options.rules:
        engine = Engine(rules, table_mib=options.table)
        for ply in options.plies:
            for position in positions_at(games, rules, ply, options.positions):
                for curve in options.curves:
                    before = known.get((curve, str(position)))
                    if before and (before["solved"] or before["limit"] >= options.nodes):
                        continue
                    measured = value_of if curve == "value" else values_of_moves
                    found = measured(engine, position, options.nodes)
                    row = {"curve": curve, "ply": ply, "position": str(position)}
                    append(options.results, row | {"limit": options.nodes} | found)
            print(f"{rules}: ply {ply}", file=sys.stderr)
    return 0


def solved_within(rows: Sequence[Row], nodes: int) -> list[Row]:
    return [row for row in rows if row["solved"] and row["nodes"] <= nodes]


def tables(rows: Sequence[Row], nodes: int) -> Iterator[str]:
    """Yield the lines of a table for each game: the shares solved, and the mean nodes.

    The mean is geometric; an unsolved position counts with the nodes spent.
    """
    last = {(row["curve"], row["position"]): row for row in rows}.values()
    for rules in RULES:
        yield f"`{rules}`, {nodes:,} nodes:"
        yield ""
        yield "| ply | positions | value | nodes | positions | every move | nodes |"
        yield "|--:|--:|--:|--:|--:|--:|--:|"
        for ply in sorted({row["ply"] for row in last}):
            cells = [f"| {ply} "]
            for curve in CURVES:
                chosen = [
                    row
                    for row in last
                    if (row["curve"], row["ply"]) == (curve, ply)
                    and row["position"].partition("~")[0] == rules
                    and (row["limit"] >= nodes or row["solved"])
                ]
                if not chosen:
                    cells.append("| 0 | – | – ")
                    continue
                share = len(solved_within(chosen, nodes)) / len(chosen)
                mean = exp(sum(log(min(row["nodes"], nodes) + 1) for row in chosen) / len(chosen))
                cells.append(f"| {len(chosen)} | {share:.0%} | {mean:,.0f} ")
            yield "".join(cells) + "|"
        yield ""


def show(options: argparse.Namespace) -> int:
    print("\n".join(tables(rows_in(options.results), options.nodes)))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=("play", "measure", "show"))
    parser.add_argument("--rules", nargs="+", choices=RULES, default=RULES, help="(both)")
    parser.add_argument("--curves", nargs="+", choices=CURVES, default=CURVES, help="(both)")
    parser.add_argument("--plies", nargs="+", type=int, choices=PLIES, default=PLIES, help="(all)")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="a ply (200)")
    parser.add_argument("--nodes", type=int, default=10**8, help="limit of a position (10⁸)")
    parser.add_argument("--table", type=int, default=1024, help="MiB of the solver's table (1024)")
    parser.add_argument("--games", type=Path, default=GAMES, help="file of the games")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    options = parser.parse_args()
    return {"play": play, "measure": measure, "show": show}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
