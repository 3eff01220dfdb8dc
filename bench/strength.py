"""Matches of the native engine: against OpenSpiel, against itself, against the exact value.

    python bench/strength.py --suite openspiel --jobs 2 --out openspiel.jsonl
    python bench/strength.py ultimate engine engine:evaluation=report --seconds 0.1 --pairs 100

    schedule ──► pairs still to play ──► processes ──► one JSON line a pair ──► tables

A player is an opponent of `noughts play` or `openspiel`, its C++ MCTSBot. Who has no limit of its
own gets --seconds (or --nodes) for each move, and has one core: a process plays one game at a
time, and only the side to move thinks. Every game has new players, with empty tables. The opening
of a pair depends on the game, the plies and the seed alone, so that all matches of one game start
from the same ones; an opening is drawn anew where the side to move wins at once.

With --out a run that was broken off goes on where it was: what the file holds is not played again.
The exit status is 1 if a target was missed.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from match import Choose, Game, Time, draw_opening, pair_score, play_pair
from openspiel import openspiel_player
from regret import mean_regret, worths_of_moves

import noughts
from noughts import NotationError, Player, Position
from noughts.arena.player import OPPONENTS, parse_opponent
from noughts.arena.statistics import Z, elo, elo_interval, pentanomial, standard_error
from noughts.engine import Engine
from noughts.search import Limit


class Match(NamedTuple):
    """One line of a schedule: A against B, and what is wanted of A."""

    game: str
    """A rules id."""
    a: str
    b: str
    seconds: float | None = 0.1
    """For a move, to a player without a limit of its own."""
    nodes: int | None = None
    """The same; simulations for OpenSpiel."""
    plies: int = 4
    """Random plies before a pair."""
    exact: bool = False
    """Openings are solved, and A is not to end below their value."""
    seed: int = 0
    pairs: int = 100
    target: float | None = None
    """The least score of A, 0 to 1."""

    @property
    def terms(self) -> dict[str, Any]:
        """What makes its games: everything but how many there are and what is wanted."""
        return {key: self._asdict()[key] for key in self._fields if key not in ("pairs", "target")}


NESTED = ("ultimate", "ultimate:tie=boards", "advanced")
ALPHABETA = "engine:method=alphabeta"
LEVELS = range(1, 11)
SUITES: dict[str, tuple[Match, ...]] = {
    "openspiel": tuple(
        Match(game, "engine", "openspiel", target=0.9)
        for game in ("ultimate", "ultimate:tie=boards")
    ),
    # What the evaluation is worth, apart from speed.
    "evaluation": tuple(
        Match(game, ALPHABETA, f"{ALPHABETA},evaluation=report", target=0.75)
        for game in ("advanced", "ultimate")
    ),
    "exact": (
        Match("connect4", "engine", "openspiel", plies=8, exact=True),
        Match("mnk:5,5,4", "engine", "openspiel", exact=True),
    ),
    "methods": tuple(
        Match(game, ALPHABETA, f"engine:method={method}")
        for game in (*NESTED, "connect4", "mnk:5,5,4", "mnk:9,9,5", "mnk:15,15,5")
        for method in ("mcts", "assisted")
    ),
    # Levels are limited by nodes of their own, and so are the same on every machine.
    "ladder": tuple(
        Match(
            game, f"engine:level={level + 1}", f"engine:level={level}", None, pairs=200, target=0.65
        )
        for game in ("ultimate", "advanced", "connect4")
        for level in LEVELS[:-1]
    ),
}
REGRET_SEEDS = range(3)
SOLVE = Limit(seconds=60)
"""How long an opening of an exact match may take to be solved; then another one is drawn."""

Record = dict[str, Any]
"""One pair: the terms of its match, its number, the value of its opening, and its two games."""


# One pair


OWN_LIMITS = ("depth", "nodes", "seconds", "simulations", "level")


def has_own_limit(text: str) -> bool:
    return any(f"{key}=" in text for key in OWN_LIMITS)


def new_player(match: Match, text: str, seed: int) -> Choose:
    """Return a player for one game.

    Raises:
        ImportError: OpenSpiel is not installed.
        NotationError: no such player.
        ValueError: OpenSpiel does not have the game.
    """
    if text == "openspiel":
        return openspiel_player(match.game, seed, seconds=match.seconds, simulations=match.nodes)
    name, colon, _ = text.partition(":")
    if name in OPPONENTS and not has_own_limit(text):
        limits = {"seconds": match.seconds, "nodes": match.nodes}
        taken = {key: limits[key] for key in OPPONENTS[name].keys if limits.get(key)}
        for key, value in taken.items():
            text += f"{',' if colon else ':'}{key}={value}"
            colon = ":"
    choose = parse_opponent(text, seed).choose
    if choose is None:
        raise NotationError(text, "OPPONENT", "a person plays no match")

    def choose_move(game: Game) -> int:
        result = choose(game.position)
        assert result.move is not None
        return result.move

    return choose_move


def undecided(position: Position) -> bool:
    """Whether the side to move has no move that wins at once."""
    ends = (position.play(move).outcome() for move in position.legal_moves())
    return all(end is None or end.winner is not position.turn for end in ends)


def opening_of(match: Match, rng: random.Random) -> tuple[Game, float | None]:
    """Return an opening and, for an exact match, what it is worth to X: 1, ½ or 0."""
    while True:
        opening = draw_opening(noughts.game(match.game), match.plies, rng, undecided)
        if not match.exact:
            return opening, None
        found = Engine(match.game).solve(opening.position, SOLVE)
        if found.exact:
            worth = {"win": 1.0, "draw": 0.5, "loss": 0.0}[found.value.value]
            return opening, worth if opening.position.turn is Player.X else 1 - worth


def play(task: tuple[Match, int]) -> Record:
    """Play one pair of a match."""
    match, number = task
    rng = random.Random(f"{match.seed} {match.game} {match.plies} {number}")
    opening, worth = opening_of(match, rng)

    def player(text: str) -> Choose:
        return new_player(match, text, rng.getrandbits(31))

    pair = play_pair(opening, partial(player, match.a), partial(player, match.b))
    games = [
        {
            "a": str(side),
            "moves": " ".join(
                position.move_text(move)
                for position, move in zip(game.positions, game.moves, strict=False)
            ),
            "score": game.score_of(side),
            "a_times": game.times_of(side),
            "b_times": game.times_of(side.other),
        }
        for game, side in zip(pair, (Player.X, Player.O), strict=True)
    ]
    return {
        **match.terms,
        "pair": number,
        "worth": worth,
        "score": pair_score(pair),
        "games": games,
    }


# The whole schedule


def key_of(terms: Record, number: int) -> str:
    return json.dumps([*(terms[key] for key in Match("", "", "").terms), number])


def read_records(path: Path) -> list[Record]:
    """Return the pairs played before; a last line that was cut off is taken out of the file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        print(f"{path}: the last line was cut off, and is taken out", file=sys.stderr)
        path.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def play_all(matches: Sequence[Match], jobs: int, out: Path | None) -> dict[Match, list[Record]]:
    """Return the pairs of every match: from the file, or played now and added to it."""
    known = {
        key_of(record, record["pair"]): record for record in (read_records(out) if out else [])
    }
    results: dict[Match, list[Record]] = {match: [] for match in matches}
    tasks: dict[str, tuple[Match, int]] = {}
    for match in matches:
        for number in range(match.pairs):
            key = key_of(match.terms, number)
            if key in known:
                results[match].append(known[key])
            else:
                tasks[key] = match, number
    started = time.perf_counter()
    ignore_interrupts = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    # A fresh interpreter for each process: none inherits a lock or a signal handler.
    with get_context("spawn").Pool(jobs, initializer=ignore_interrupts) as pool:
        for done, record in enumerate(pool.imap_unordered(play, tasks.values()), 1):
            match, _ = tasks[key_of(record, record["pair"])]
            results[match].append(record)
            if out:
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(record) + "\n")
            played = results[match]
            left = (time.perf_counter() - started) / done * (len(tasks) - done)
            print(
                f"\r{done}/{len(tasks)} pairs, about {left / 60:.0f} min left; {match.game} "
                f"{match.a} : {match.b} {mean(scores_of(played)):.1%} of {len(played)}\x1b[K",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print(file=sys.stderr)
    return results


# What came out


def scores_of(records: Sequence[Record]) -> list[float]:
    return [record["score"] for record in records]


def half_points_lost(records: Sequence[Record]) -> int:
    """Return by how many half points A ended below the values of the openings."""
    lost = 0.0
    for record in records:
        for game in record["games"]:
            worth = record["worth"] if game["a"] == "X" else 1 - record["worth"]
            lost += max(0.0, worth - game["score"])
    return round(2 * lost)


def verdict(match: Match, records: Sequence[Record]) -> tuple[str, bool]:
    """Return what was wanted, and whether it came out."""
    if match.exact:
        worths = Counter(record["worth"] for record in records)
        lost = half_points_lost(records)
        values = f"{worths[1.0]} won, {worths[0.5]} drawn, {worths[0.0]} lost for X"
        return f"{lost} half points lost (0); openings {values}", lost == 0
    if match.target is None:
        return "", True
    met = mean(scores_of(records)) >= match.target
    return f"{'met' if met else 'MISSED'} (≥ {match.target:.0%})", met


def result_row(match: Match, records: Sequence[Record]) -> tuple[str, ...]:
    scores = scores_of(records)
    counts = pentanomial(scores)
    points = Counter(game["score"] for record in records for game in record["games"])
    score = mean(scores)
    lower, upper = elo_interval(counts)
    # Where all pairs end alike their spread says nothing of what others would do.
    interval = f"{lower:+.0f} … {upper:+.0f}" if lower < upper else "no spread"
    return (
        match.game,
        match.a,
        match.b,
        f"{2 * len(scores)}",
        f"{points[1.0]}/{points[0.5]}/{points[0.0]}",
        "-".join(map(str, counts)),
        f"{score:.1%} ± {standard_error(counts):.1%}",
        f"{elo(score):+.0f} ({interval})",
        verdict(match, records)[0],
    )


def time_rows(match: Match, records: Sequence[Record]) -> Iterator[tuple[str, ...]]:
    """Yield what the moves of either player took, and by how much they passed the limit."""
    for player, key in ((match.a, "a_times"), (match.b, "b_times")):
        times = [
            Time(*each) for record in records for game in record["games"] for each in game[key]
        ]
        wall, cpu = mean(each.wall for each in times), mean(each.cpu for each in times)
        limit = None if has_own_limit(player) else match.seconds
        over = [max(0.0, each.wall - limit) for each in times] if limit else []
        yield (
            match.game,
            player,
            f"{len(times)}",
            f"{wall * 1e3:.1f}",
            f"{cpu / wall:.0%}",
            f"{mean(over) * 1e3:.1f}" if over else "",
            f"{max(over) * 1e3:.1f}" if over else "",
        )


def best_row(game: str, results: dict[Match, list[Record]]) -> tuple[str, ...]:
    """Say which method is best at a game: alpha-beta, unless another one beats it."""
    rivals = {match.b: scores_of(results[match]) for match in results if match.game == game}
    rival = min(rivals, key=lambda name: mean(rivals[name]))
    score = mean(rivals[rival])
    error = standard_error(pentanomial(rivals[rival]))
    sure = ("yes" if abs(score - 0.5) > Z * error else "no") if error else "no spread"
    best, next_best = (ALPHABETA, rival) if score >= 0.5 else (rival, ALPHABETA)
    return game, best, next_best, f"{max(score, 1 - score):.1%}", sure


def print_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, tuple("-" * width for width in widths), *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    print()


def report(results: dict[Match, list[Record]]) -> bool:
    """Print the tables; return whether every target is met."""
    print_table(
        ("game", "A", "B", "games", "W/D/L", "pairs 0-½-1-1½-2", "score", "Elo (95 %)", "wanted"),
        [result_row(match, records) for match, records in results.items()],
    )
    print_table(
        ("game", "player", "moves", "mean ms", "on a core", "mean ms over", "most ms over"),
        [row for match, records in results.items() for row in time_rows(match, records)],
    )
    return all(verdict(match, records)[1] for match, records in results.items())


def report_regrets() -> bool:
    """Print what each level gives away on basic; return whether each errs less than the last.

    Where a level never errs the next can do no better, and is only not to err either.
    """
    worths = worths_of_moves("basic")
    # A table that is soon emptied holds the whole game.
    players = [f"engine:level={level},table=1" for level in LEVELS]
    regrets = [mean_regret(player, worths, REGRET_SEEDS) for player in players]
    print_table(
        ("level on basic", "mean regret"),
        [(f"{level}", f"{regret:.4f}") for level, regret in zip(LEVELS, regrets, strict=True)],
    )
    return all(later < earlier or later == 0 for earlier, later in pairwise(regrets))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "match", nargs="*", help="a game, A and B, such as ultimate engine openspiel"
    )
    parser.add_argument("--suite", choices=SUITES, help="a schedule in place of one match")
    parser.add_argument("--exact", action="store_true", default=None, help="solve the openings")
    parser.add_argument("--seconds", type=float, help="for a move (0.1)")
    parser.add_argument("--nodes", type=int, help="for a move, in place of seconds")
    parser.add_argument("--pairs", type=int, help="of each match (100; ladder 200)")
    parser.add_argument("--plies", type=int, help="drawn before a pair (4; exact connect4 8)")
    parser.add_argument("--seed", type=int, help="of openings and players (0)")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (1)")
    parser.add_argument("--out", type=Path, help="JSON lines, a pair each, to go on from")
    options = parser.parse_args()
    if len(options.match) != (0 if options.suite else 3):
        parser.error("wanted is either a suite, or a game and two players")
    given = {key: value for key, value in vars(options).items() if value is not None}
    if "nodes" in given:
        given.setdefault("seconds", None)
    terms = {key: given[key] for key in Match._fields if key in given}
    schedule = SUITES[options.suite] if options.suite else (Match(*options.match),)
    matches = [match._replace(**terms) for match in schedule]
    if min(options.jobs, given.get("pairs", 1)) < 1 or given.get("plies", 0) < 0:
        parser.error("wanted are at least one pair and one job, and no less than 0 plies")
    try:
        for match in matches:
            Limit(seconds=match.seconds, nodes=match.nodes)
            draw_opening(noughts.game(match.game), match.plies, random.Random(0), undecided)
            for player in (match.a, match.b):
                new_player(match, player, seed=0)
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    # A process that is ended takes those that it started with it, as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        results = play_all(matches, options.jobs, options.out)
        met = report(results)
        if options.suite == "methods":
            games = dict.fromkeys(match.game for match in matches)
            head = ("game", "best", "against", "score", "beyond chance (95 %)")
            print_table(head, [best_row(game, results) for game in games])
        if options.suite == "ladder":
            met &= report_regrets()
    except KeyboardInterrupt:
        return 130
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
