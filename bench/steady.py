"""Measure how much the value of a position changes from one depth of the search to the next.

    python bench/steady.py --positions 300

    games of level 8 ──► positions ──► the last two values of the analysis ──► share of small steps
                                  └──► the last two values of the graph    ──►

Positions are drawn from games of level 8 against itself, after openings of 4 random plies. A value
is the expected result, from -1 to 1. The searches are limited by nodes, so that the load of the
machine does not matter; 300,000 nodes take 0.1 to 0.3 s. A position counts where two values are
shown and both are estimates. The last column compares the analysis with the graph. The exit status
is 1 if a share of the others is below the target.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import noughts
from noughts import Position
from noughts.arena.openings import random_openings
from noughts.engine import Engine
from noughts.judgement.results import steady
from noughts.opponents import opponent
from noughts.search import Limit, SearchResult, Value
from noughts.web.searches import GRAPH_MIB, GRAPH_NODES

GAMES = (
    "ultimate",
    "ultimate:tie=boards",
    "ultimate:won=open",
    "advanced",
    "mnk:15,15,5",
)
NODES = 300_000
STEP = 0.1
"""A smaller difference counts as steady."""
TARGET = 0.95
Shown = Callable[[Iterable[SearchResult]], Iterator[SearchResult]]
"""The results as they are shown."""
OPENING = 4
EACH = 10
"""Most positions of one game."""


def positions(game: str, count: int, seed: int, player: str) -> Iterator[Position]:
    """Yield unfinished positions of at most `count` games of a player against itself."""
    rng = random.Random(seed)
    for number, opening in enumerate(random_openings(game, OPENING, count, seed)):
        bot = opponent(player, seed + number)
        line = [noughts.game(game).after(" ".join(map(str, opening_texts(game, opening.moves))))]
        while line[-1].outcome() is None:
            move = bot.choose(line[-1]).move
            assert move is not None
            line.append(line[-1].play(move))
        yield from rng.sample(line[:-1], min(EACH, len(line) - 1))


def opening_texts(game: str, moves: tuple[int, ...]) -> list[str]:
    """Return the moves of an opening as text."""
    return noughts.move_texts(noughts.game(game), moves)


def last_two(results: Iterable[SearchResult]) -> tuple[Value | None, Value]:
    """Return the last values of the last two depths; with one depth, `None` and its value."""
    *_, before, last = [None, *{each.depth: each.value for each in results}.values()]
    assert last is not None
    return before, last


def measure(
    game: str, count: int, nodes: int, seed: int, player: str, shown: Shown
) -> dict[str, Any]:
    """Return the counts of steady positions of a game."""
    found: dict[str, Any] = {"game": game, "positions": 0}
    for name in ("analysis", "graph", "both"):
        found |= {f"{name}_estimates": 0, f"{name}_steady": 0}
    analysing, drawing = Engine(game), Engine(game, table_mib=GRAPH_MIB)
    for position in islice(positions(game, count, seed, player), count):
        found["positions"] += 1
        analysing.clear()
        analysis = last_two(shown(analysing.analyse(position, Limit(nodes=nodes))))
        graph = last_two(shown(drawing.analyse(position, Limit(nodes=GRAPH_NODES), moves=False)))
        pairs = {"analysis": analysis, "graph": graph, "both": (analysis[1], graph[1])}
        for name, (one, other) in pairs.items():
            if one is not None and one.estimate is not None and other.estimate is not None:
                found[f"{name}_estimates"] += 1
                found[f"{name}_steady"] += abs(one.estimate - other.estimate) < STEP
    return found


def share(found: dict[str, Any], name: str) -> float:
    """Return the share of steady positions; 1 where none is unproven."""
    estimates: int = found[f"{name}_estimates"]
    return found[f"{name}_steady"] / estimates if estimates else 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES, help="rules ids")
    parser.add_argument("--positions", type=int, default=300, help="of each game")
    parser.add_argument("--nodes", type=int, default=NODES, help="of an analysis")
    parser.add_argument("--player", default="engine:level=8", help="whose games")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--single", action="store_true", help="values of single depths")
    parser.add_argument("--json", action="store_true", help="one JSON line for each game")
    chosen = parser.parse_args()
    if not chosen.json:
        print(
            f"{'game':22}{'positions':>10}{'unproven':>10}{'analysis':>10}{'graph':>8}{'both':>8}"
        )
    shown: Shown = iter if chosen.single else steady
    is_met = True
    for game in chosen.games:
        found = measure(game, chosen.positions, chosen.nodes, chosen.seed, chosen.player, shown)
        is_met &= min(share(found, "analysis"), share(found, "graph")) >= TARGET
        if chosen.json:
            print(json.dumps({"schema": 1, **found}), flush=True)
            continue
        shares = [f"{share(found, name):.1%}" for name in ("analysis", "graph", "both")]
        print(
            f"{game:22}{found['positions']:10}{found['analysis_estimates']:10}"
            f"{shares[0]:>10}{shares[1]:>8}{shares[2]:>8}",
            flush=True,
        )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
