"""Play every opponent against every other at every game, and write `docs/results.md`.

    python docs/results.py --jobs 2

    BOTS × GAMES ──► a round robin a game ──► build/results/GAME.jsonl ──► ratings ──► the page

An interrupted run resumes.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import noughts
from noughts.arena.bot import parse_entry
from noughts.arena.control import Control
from noughts.arena.match import Match, Workers
from noughts.arena.openings import random_openings
from noughts.arena.rating import Rating, rate
from noughts.arena.results import Results, games_of
from noughts.arena.schedule import Terms, schedule
from noughts.games.words import percent

SECONDS = 0.02
MARGIN = 60.0
"""Seconds that a move may be late, so that nobody loses on time."""
PAIRS = 2
PLIES = 3
SEARCHES = ("minimax", "hminimax", "alphabeta", "negamax", "mcts", "openspiel", "engine")
LEVELS = {f"level {level}": f"engine:level={level}" for level in range(1, 11)}
BOTS = {"random": "random", **{name: name for name in SEARCHES}, **LEVELS}
GAMES = ("basic", "mnk:7,7,5", "connect4", "advanced", "ultimate")
ANCHOR = ("level 5", 0.0)
FOLDER = Path(__file__).parent.parent / "build" / "results"

PAGE = """\
# How strong they are

Every opponent played every other at every game: random moves, the textbook searches, OpenSpiel's
`MCTSBot`, the native engine, and its ten levels. This command writes the page:

    python docs/results.py --jobs {jobs}

Every bot gets at most {milliseconds:g} ms a move, also where its level would take longer. Any two
bots played {pairs} pairs of each game, from {plies} random plies, with sides swapped: {games:,}
games in total, seed 0, on {machine}.

Ratings are Elo ± 95 % ([ratings.md](ratings.md)), separately for each game; level 5 is 0. `>` marks
bots that lost no points, `<` bots that won none: their rating is a bound. OpenSpiel has no
`advanced`.

{table}

Score of each bot in all its games:

{scores}
"""


def match_of(game: str) -> Match:
    """Return the round robin of a game, between the bots that play it."""
    openings = random_openings(game, PLIES, PAIRS, seed=0)
    start = noughts.game(game)
    entries = (parse_entry(text)._replace(name=name) for name, text in BOTS.items())
    moves = openings[0].moves
    playing = tuple(
        entry
        for entry in entries
        if not any(entry.refusal(start, moves, side) for side in noughts.Player)
    )
    terms = Terms(playing, (game,), PAIRS, Control(seconds=SECONDS, margin=MARGIN), event=game)
    return Match(terms, list(schedule(terms, {game: openings})))


def play(match: Match, path: Path, jobs: int) -> None:
    """Play the missing games of a match."""
    with closing(Results(path)) as results:
        known = games_of(results.records, match.terms, match.fixtures)
        for number, record in known.items():
            match.add(number, record)
        for record in match.play(Workers(jobs)):
            results.add(record)
            count = f"{len(match.over)} of {len(match.fixtures)} games"
            print(f"\r{match.terms.event}: {count}\x1b[K", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def rating_text(rating: Rating | None) -> str:
    """Return a rating as a cell of a table."""
    if rating is None:
        return ""
    margin = f" ± {rating.margin:.0f}" if rating.margin else ""
    return f"{rating.bound}{' ' if rating.bound else ''}{rating.elo:+.0f}{margin}"


def table(cells: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield the lines of a table with a row a bot and a column a game."""
    yield f"| bot | {' | '.join(f'`{game}`' for game in cells)} |"
    yield f"|---|{'--:|' * len(cells)}"
    for bot in BOTS:
        yield f"| {bot} | {' | '.join(cells[game].get(bot, '') for game in cells)} |"


def machine() -> str:
    """Return a description of this machine."""
    cores = f"{os.cpu_count()} cores of {platform.machine()}"
    return f"{cores}, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (1)")
    jobs = parser.parse_args().jobs
    FOLDER.mkdir(parents=True, exist_ok=True)
    matches = {game: match_of(game) for game in GAMES}
    for game, match in matches.items():
        play(match, FOLDER / f"{game.replace(':', '_')}.jsonl", jobs)
    ratings = {
        game: {each.name: rating_text(each) for each in rate(match.standings.meetings(), ANCHOR)}
        for game, match in matches.items()
    }
    scores = {
        game: {each.name: percent(each.score, 0) for each in match.standings.ranking()}
        for game, match in matches.items()
    }
    text = PAGE.format(
        jobs=jobs,
        milliseconds=1000 * SECONDS,
        pairs=PAIRS,
        plies=PLIES,
        games=sum(len(match.fixtures) for match in matches.values()),
        machine=machine(),
        table="\n".join(table(ratings)),
        scores="\n".join(table(scores)),
    )
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
