"""Check claims of strength; each is a match of the arena with a target.

    python bench/strength.py openspiel --jobs 2 --out FOLDER

    suite ──► claims ──► a match each, over paired openings ──► table: score, Elo, met or missed

Openings are random, without an immediate win for the side to move. Openings of exact claims are
solved, and the first bot must not end below their value. With --out each match has a results file
as written by `noughts match`: an interrupted run continues from it, and `noughts results` shows the
games. The exit status is 1 if a target was missed.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import noughts
from noughts import NotationError, Player, Position
from noughts.arena.bot import parse_entry
from noughts.arena.control import Control
from noughts.arena.match import Match, Workers, refusals
from noughts.arena.openings import NoOpenings, Opening, random_openings
from noughts.arena.regret import POINTS
from noughts.arena.results import OtherTerms, Results, games_of
from noughts.arena.schedule import Fixture, Terms, schedule
from noughts.arena.standings import Meeting
from noughts.arena.statistics import score, standard_error
from noughts.engine import Engine
from noughts.games.record import RESULTS, Record
from noughts.search import Limit


class Claim(NamedTuple):
    """A match and the target of its first bot."""

    game: str
    """A rules id."""
    a: str
    b: str
    seconds: float = 0.1
    """The most time for a move."""
    nodes: int | None = None
    """The most nodes for a move, in place of the time."""
    plies: int = 4
    """The number of random plies before a pair."""
    pairs: int = 100
    exact: bool = False
    """Whether openings are solved, so that A must not end below their value."""
    target: float | None = None
    """The smallest accepted score of A, 0 to 1."""


NESTED = ("ultimate", "ultimate:tie=boards", "advanced")
ALPHABETA = "engine:method=alphabeta"
SUITES: dict[str, tuple[Claim, ...]] = {
    "openspiel": tuple(
        Claim(game, "engine", "openspiel", target=0.9) for game in ("ultimate", NESTED[1])
    ),
    # The value of the evaluation, speed excluded.
    "evaluation": tuple(
        Claim(game, ALPHABETA, f"{ALPHABETA},evaluation=report", target=0.75)
        for game in ("advanced", "ultimate")
    ),
    "exact": (
        Claim("connect4", "engine", "openspiel", plies=8, exact=True),
        Claim("mnk:5,5,4", "engine", "openspiel", exact=True),
    ),
    "methods": tuple(
        Claim(game, ALPHABETA, f"engine:method={method}", seconds=0.02)
        for game in (*NESTED, "connect4", "mnk:5,5,4", "mnk:9,9,5", "mnk:15,15,5")
        for method in ("mcts", "assisted")
    ),
}
SOLVE = Limit(seconds=60)
"""The time to solve an opening of an exact match; after it another one is drawn."""
MARGIN = 60.0
"""Late moves are not forfeited; the table shows their times."""
RESERVE = 2
"""The ratio of openings drawn to those needed, since some may not be solved."""
Worths = Mapping[Opening, float]
"""The value of each opening for X: 1, ½ or 0."""


def end_of(opening: Opening) -> Position:
    """Return the position after an opening."""
    position = noughts.game(opening.start)
    for move in opening.moves:
        position = position.play(move)
    return position


def solved(openings: Sequence[Opening], count: int) -> Worths:
    """Return the values of the first solvable openings, at most `count`."""
    worths: dict[Opening, float] = {}
    for opening in openings:
        if len(worths) == count:
            break
        position = end_of(opening)
        found = Engine(position.rules_id).solve(position, SOLVE, weakly=True)
        if found.exact:
            worth = POINTS[found.value.kind]
            worths[opening] = worth if position.turn is Player.X else 1 - worth
    return worths


def match_of(claim: Claim, seed: int) -> tuple[Match, Worths]:
    """Return the match of a claim, and the values of its openings if it is exact.

    Raises:
        NotationError: no such game or bot.
        NoOpenings: none of this length.
        ValueError: a bot that does not play the game.
    """
    count = claim.pairs * (RESERVE if claim.exact else 1)
    openings = random_openings(claim.game, claim.plies, count, seed)
    worths = solved(openings, claim.pairs) if claim.exact else {}
    terms = Terms(
        (parse_entry(claim.a), parse_entry(claim.b)),
        (claim.game,),
        claim.pairs,
        Control(None if claim.nodes else claim.seconds, claim.nodes, margin=MARGIN),
        seed,
        event=f"{claim.a} against {claim.b}",
    )
    fixtures = list(schedule(terms, {claim.game: [*worths] or openings}))
    for refusal in refusals(terms, fixtures):
        raise ValueError(refusal)
    return Match(terms, fixtures), worths


def play(claim: Claim, match: Match, jobs: int, path: Path | None) -> None:
    """Play the remaining games of a match, and add them to the file.

    Raises:
        OtherTerms: the file holds other games.
    """
    with ExitStack() as stack:
        results = None if path is None else stack.enter_context(closing(Results(path)))
        if results is not None:
            known = games_of(results.records, match.terms, match.fixtures)
            for number, record in known.items():
                match.add(number, record)
        for record in match.play(Workers(jobs)):
            if results is not None:
                results.add(record)
            print(
                f"\r{claim.game}: {claim.a} : {claim.b}, {len(match.over)} of "
                f"{len(match.fixtures)} games\x1b[K",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print("\r\x1b[K", end="", file=sys.stderr)


def half_points_lost(
    claim: Claim, fixtures: Sequence[Fixture], games: Sequence[Record], worths: Worths
) -> int:
    """Return by how many half points A ended below the values of the openings."""
    points = {RESULTS[Player.X]: 1.0, RESULTS[None]: 0.5, RESULTS[Player.O]: 0.0}
    lost = 0.0
    for fixture, game in zip(fixtures, games, strict=True):
        worth, point = worths[fixture.opening], points[game.result]
        lost += max(0.0, worth - point if game.tags["X"] == claim.a else point - worth)
    return round(2 * lost)


def verdict(claim: Claim, match: Match, worths: Worths) -> tuple[str, bool]:
    """Return the target and the result as text, and whether the target was met."""
    if claim.exact:
        lost = half_points_lost(claim, match.fixtures, match.counted, worths)
        values = ", ".join(
            f"{[*worths.values()].count(worth)} {word}"
            for worth, word in ((1.0, "won"), (0.5, "drawn"), (0.0, "lost"))
        )
        return f"{lost} half points lost (0); openings {values} for X", lost == 0
    if claim.target is None:
        return "", True
    met = score(match.pairs) >= claim.target
    return f"{'met' if met else 'MISSED'} (≥ {claim.target:.0%})", met


def result_row(claim: Claim, match: Match, worths: Worths) -> tuple[str, ...]:
    meeting: Meeting = match.standings.meeting(claim.a, claim.b)
    error = standard_error(meeting.pairs)
    return (
        claim.game,
        claim.a,
        claim.b,
        f"{meeting.wins}/{meeting.draws}/{meeting.losses}",
        "-".join(map(str, meeting.pairs)),
        f"{score(meeting.pairs):.1%} ± {error:.1%}",
        meeting.elo_text,
        verdict(claim, match, worths)[0],
    )


def time_rows(claim: Claim, match: Match) -> Iterator[tuple[str, ...]]:
    """Yield the move times of both bots."""
    for tally in match.standings.ranking():
        mean = tally.mean_seconds or 0.0
        yield (
            claim.game,
            tally.name,
            f"{tally.moves}",
            f"{mean * 1e3:.1f}",
            f"{tally.max_seconds * 1e3:.1f}",
        )


def best_rows(claims: Mapping[Claim, Match]) -> Iterator[tuple[str, ...]]:
    """Yield the best method for each game: alpha-beta, unless another one beats it."""
    for game in dict.fromkeys(claim.game for claim in claims):
        rivals = {claim.b: match.pairs for claim, match in claims.items() if claim.game == game}
        rival = min(rivals, key=lambda name: score(rivals[name]))
        points, error = score(rivals[rival]), standard_error(rivals[rival])
        sure = ("yes" if abs(points - 0.5) > 1.96 * error else "no") if error else "no spread"
        best, other = (ALPHABETA, rival) if points >= 0.5 else (rival, ALPHABETA)
        yield game, best, other, f"{max(points, 1 - points):.1%}", sure


def print_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, tuple("-" * width for width in widths), *rows):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    print()


def name_of(claim: Claim) -> str:
    words = "".join(letter if letter.isalnum() else "-" for letter in "_".join(claim[:3]))
    return f"{words}.jsonl"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--game", help="only the claims about this rules id")
    parser.add_argument("--seconds", type=float, help="seconds for a move (0.1; methods 0.02)")
    parser.add_argument("--pairs", type=int, help="pairs of each match (100)")
    parser.add_argument(
        "--plies", type=int, help="random plies before a pair (4; exact connect4 8)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of openings and bots (0)")
    parser.add_argument("--jobs", type=int, default=1, help="games played at once (1)")
    parser.add_argument("--out", type=Path, help="folder of results files; continues their matches")
    options = parser.parse_args()
    given = {
        key: value
        for key, value in vars(options).items()
        if key in ("seconds", "pairs", "plies") and value is not None
    }
    claims = [
        claim._replace(**given)
        for claim in SUITES[options.suite]
        if options.game in (None, claim.game)
    ]
    if not claims:
        parser.error(f"--game: the suite {options.suite} has no claims about {options.game}")
    if min(options.jobs, given.get("pairs", 1)) < 1:
        parser.error("--pairs and --jobs must be at least 1")
    # A terminated process ends its children, as on Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    played: dict[Claim, tuple[Match, Worths]] = {}
    try:
        if options.out is not None:
            options.out.mkdir(parents=True, exist_ok=True)
        for claim in claims:
            played[claim] = match, _ = match_of(claim, options.seed)
            path = None if options.out is None else options.out / name_of(claim)
            play(claim, match, options.jobs, path)
    except (NotationError, NoOpenings, OtherTerms, ValueError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130
    print_table(
        ("game", "A", "B", "W/D/L", "pairs 0-½-1-1½-2", "score", "Elo (95 %)", "target"),
        [result_row(claim, *each) for claim, each in played.items()],
    )
    print_table(
        ("game", "bot", "moves", "mean ms", "most ms"),
        [row for claim, (match, _) in played.items() for row in time_rows(claim, match)],
    )
    met = all(verdict(claim, *each)[1] for claim, each in played.items())
    if options.suite == "methods":
        matches = {claim: match for claim, (match, _) in played.items()}
        head = ("game", "best", "against", "score", "beyond chance (95 %)")
        print_table(head, [*best_rows(matches)])
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
