"""Measure the ladder of levels, and tune it.

    python bench/levels.py measure --jobs 2          matches of each level against the one below
    python bench/levels.py collect                   keep the points of an interrupted run
    python bench/levels.py tune --game ultimate      change the levels until the steps are even
    python bench/levels.py show                      the measured ladder, as a Markdown table
    python bench/levels.py regrets                   the loss of value by each level on basic

    levels.toml ──► steps ──► a match each (strength.py) ──► ladder.json: points of the pairs
         ▲                                │
         └── tune: one knob of a level ◄──┘

Levels are limited by nodes, and these matches have no time limit, so a busy machine plays the same
games more slowly. Every match has a results file in the folder --out, named by the parameters of
both levels: an interrupted run continues, and a level that returns to earlier parameters has its
games already. `ladder.json` keeps the parameters beside the points, and `show` leaves out a step
whose levels have changed.

`tune` goes up from level 2 and changes the noise of each level's estimates (blur): strength depends
on it evenly, unlike on sight and nodes, where odd and even depths differ. It ends at level 9: the
highest level has the nodes that its reply time allows, and the rest of the strength falls to the
last step, which is reported. So --aim decides how much is left for it.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import exp, log
from pathlib import Path
from typing import NamedTuple

from regret import mean_regret, worths_of_moves
from strength import Claim, match_of, play, print_table

import noughts
from noughts.arena.results import OtherTerms, games_of
from noughts.arena.statistics import elo, score, standard_error
from noughts.games.record import Record, read
from noughts.levels import DEFAULT, HIGHEST, LEVELS, Ladders, Level, parsed

ROOT = Path(__file__).parent.parent
FILE = Path(noughts.__file__).parent / "levels.toml"
LADDER = ROOT / "bench" / "ladder.json"
GAMES = ("ultimate", "advanced", "connect4")
TARGET = 0.65
"""The smallest accepted score of a level against the one below."""
MIN_BLUR = 0.02
"""Less noise counts as this much, where `tune` begins to add some."""
TRIALS = 6
"""Matches for one level at most, in `tune`."""
ROUND = 20
"""Pairs of each step before the next step has its turn."""
ELO_OF_HALF = 120
"""The first guess of what half the noise gains; the trials correct it."""
REGRET_SEEDS = range(3)
HEADER = """\
# The levels of play, by game: see noughts.levels. `python bench/levels.py tune` writes this file.
"""


class Step(NamedTuple):
    """A level against the one below, in a game."""

    game: str
    upper: int
    a: Level
    b: Level

    def claim(self, pairs: int) -> Claim:
        """Return the match of the step; its bots are named by all parameters."""
        nodes = max(self.a.nodes, self.b.nodes)
        return Claim(self.game, bot(self.a), bot(self.b), nodes=nodes, pairs=pairs, target=TARGET)

    @property
    def file(self) -> str:
        return f"{self.game}_{bot(self.a)}_{bot(self.b)}.jsonl".replace("engine:", "")


def bot(level: Level) -> str:
    """Return the opponent that plays as a level.

    >>> bot(Level(400_000, 4, 0.38, 0.11))
    'engine:nodes=400000,sight=4,slip=0.38,blur=0.11'
    """
    values = {key: value for key, value in level._asdict().items() if value is not None}
    if level.sight is None:
        values = {"nodes": level.nodes}
    return "engine:" + ",".join(f"{key}={value}" for key, value in values.items())


def ladder_of(ladders: Ladders, game: str) -> tuple[Level, ...]:
    return ladders.get(game, ladders[DEFAULT])


def levels_in(file: Path) -> Ladders:
    return parsed(file.read_text(encoding="utf-8"))


def write_level(file: Path, game: str, number: int, level: Level) -> None:
    """Change a level of one game, if it differs."""
    ladders = levels_in(file)
    ladder = list(ladder_of(ladders, game))
    if ladder[number - 1] != level:
        ladder[number - 1] = level
        file.write_text(text_of({**ladders, game: tuple(ladder)}), encoding="utf-8")


def steps_of(ladders: Ladders, games: Sequence[str]) -> list[Step]:
    return [
        Step(game, upper, a, b)
        for game in games
        for upper, (b, a) in enumerate(pairwise(ladder_of(ladders, game)), 2)
    ]


def text_of(ladders: Ladders) -> str:
    """Return the content of `levels.toml`."""
    lines = [HEADER]
    for game, ladder in ladders.items():
        lines.append(f"[{game}]")
        for number, level in zip(LEVELS, ladder, strict=True):
            own = {"nodes": f"{level.nodes:_}"}
            if level.sight is not None:
                own = {
                    "sight": f"{level.sight}",
                    "slip": f"{level.slip}",
                    "blur": f"{level.blur}",
                    **own,
                }
            row = ", ".join(f"{key} = {value}" for key, value in own.items())
            lines.append(f"{number} = {{ {row} }}")
        lines.append("")
    return "\n".join(lines)


def played(path: Path) -> list[Record]:
    return list(read(path)) if path.exists() else []


def pairs_in(games: Sequence[Record]) -> int:
    """Return the number of pairs that were begun."""
    return (max((int(game.tags["Round"]) for game in games), default=0) + 1) // 2


def points_of(step: Step, pairs: int, options: argparse.Namespace) -> tuple[int, ...]:
    """Play a step, or continue it, and return its pairs by the points of the upper level.

    A file with more games than asked for is finished.
    """
    path = options.out / step.file
    claim = step.claim(max(pairs, pairs_in(played(path))))
    match, _ = match_of(claim, options.seed)
    play(claim, match, options.jobs, path)
    return match.pairs


# Measure ------------------------------------------------------------------------------------------


def write_points(file: Path, points: Mapping[Step, Sequence[int]]) -> None:
    """Write the points of steps, with the parameters of both levels, as JSON, one step a line."""
    rows = [
        {
            "game": step.game,
            "level": step.upper,
            "a": bot(step.a),
            "b": bot(step.b),
            "points": list(pairs),
        }
        for step, pairs in sorted(points.items(), key=lambda each: each[0][:2])
    ]
    lines = ",\n".join(json.dumps(row) for row in rows)
    file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def measured(file: Path, steps: Sequence[Step]) -> dict[Step, tuple[int, ...]]:
    """Return the points of those steps that a ladder file has with the same parameters."""
    rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    known = {(row["game"], row["a"], row["b"]): tuple(row["points"]) for row in rows}
    keys = {step: (step.game, bot(step.a), bot(step.b)) for step in steps}
    return {step: known[key] for step, key in keys.items() if key in known}


def measure(options: argparse.Namespace) -> int:
    """Play all steps in rounds, and keep the points after each match."""
    every = steps_of(levels_in(options.file), GAMES)
    chosen = [
        step
        for step in every
        if step.game in (options.game or GAMES) and step.upper in (options.level or LEVELS)
    ]
    for pairs in (*range(ROUND, options.pairs, ROUND), options.pairs):
        for step in chosen:
            if sum(measured(options.ladder, [step]).get(step, ())) < pairs:
                now = {step: points_of(step, pairs, options)}
                # Read again: another process may measure other steps.
                write_points(options.ladder, measured(options.ladder, every) | now)
    points = measured(options.ladder, chosen)
    show(options)
    return 0 if all(score(points[step]) >= TARGET for step in chosen) else 1


def collect(options: argparse.Namespace) -> int:
    """Keep the points of all results files, also of matches that are not over."""
    every = steps_of(levels_in(options.file), GAMES)
    points = measured(options.ladder, every)
    for step in every:
        if games := played(options.out / step.file):
            match, _ = match_of(step.claim(pairs_in(games)), options.seed)
            for number, record in games_of(games, match.terms, match.fixtures).items():
                match.add(number, record)
            if len(match.counted) > 1 and sum(match.pairs) > sum(points.get(step, ())):
                points[step] = match.pairs
    write_points(options.ladder, points)
    return show(options)


def show(options: argparse.Namespace) -> int:
    """Print the measured steps of the present levels as a Markdown table."""
    steps = steps_of(levels_in(options.file), GAMES)
    points = measured(options.ladder, steps)
    print(f"| level | over |{''.join(f' `{game}` |' for game in GAMES)}")
    print(f"|--:|--:|{'--:|' * len(GAMES)}")
    for upper in LEVELS[1:]:
        own = {step.game: points.get(step) for step in steps if step.upper == upper}
        cells = " | ".join(_cell(own[game]) for game in GAMES)
        print(f"| {upper} | {upper - 1} | {cells} |")
    return 0


def _cell(points: Sequence[int] | None) -> str:
    if not points:
        return "not measured"
    percent, error = 100 * score(points), 100 * standard_error(points)
    return f"{percent:.1f} % ± {error:.1f} %, {sum(points)} pairs"


# Tune ---------------------------------------------------------------------------------------------


def next_blur(trials: Mapping[float, float], aim: float) -> float:
    """Return the noise to try next, rounded to two digits.

    It is where the line through the two trials nearest to the aim meets it, in Elo by the
    logarithm of the noise.

    Args:
        trials: scores by noise, at least one.
        aim: the wanted score.
    """
    missing = {
        log(max(blur, MIN_BLUR)): elo(min(0.98, max(0.02, got))) - elo(aim)
        for blur, got in trials.items()
    }
    first, *others = sorted(missing, key=lambda knob: abs(missing[knob]))
    loss = ELO_OF_HALF / log(2)
    if others:
        slope = (missing[others[0]] - missing[first]) / (first - others[0])
        # Chance can turn the line the wrong way, or make it nearly level.
        loss = min(3 * loss, max(loss / 3, slope))
    return float(f"{exp(first + missing[first] / loss):.2g}")


def tune(options: argparse.Namespace) -> int:
    """Change the levels of the games from the bottom up, and write `levels.toml` after each."""
    for game in options.game or GAMES:
        for number in sorted(options.level or LEVELS[1:]):
            below, level = ladder_of(levels_in(options.file), game)[number - 2 : number]
            trials: dict[float, float] = {}
            while level.blur not in trials and len(trials) < (TRIALS if number < HIGHEST else 1):
                points = points_of(Step(game, number, level, below), options.pairs, options)
                trials[level.blur] = got = score(points)
                print(f"{game} {number}: {bot(level)}: {_cell(points)}", flush=True)
                if abs(got - options.aim) > options.band:
                    # No level is noisier than the one below.
                    level = level._replace(blur=min(below.blur, next_blur(trials, options.aim)))
            best = min(trials, key=lambda blur: abs(trials[blur] - options.aim))
            write_level(options.file, game, number, level._replace(blur=best))
    return 0


def regrets(_: argparse.Namespace) -> int:
    """Print the mean regret of each level on basic; fail if one errs more than the one below."""
    worths = worths_of_moves("basic")
    # A small table, quick to clear, holds the whole game.
    players = [f"engine:level={level},table=1" for level in LEVELS]
    found = [mean_regret(player, worths, REGRET_SEEDS) for player in players]
    rows = [(f"{level}", f"{regret:.4f}") for level, regret in zip(LEVELS, found, strict=True)]
    print_table(("level on basic", "mean regret"), rows)
    return 0 if all(later < earlier or later == 0 for earlier, later in pairwise(found)) else 1


COMMANDS = {
    "measure": measure,
    "collect": collect,
    "tune": tune,
    "show": show,
    "regrets": regrets,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("--game", action="append", choices=GAMES, help="only this game; repeatable")
    parser.add_argument(
        "--level", action="append", type=int, choices=LEVELS[1:], help="only this level; repeatable"
    )
    parser.add_argument("--pairs", type=int, help="pairs of each match (200; tune 40)")
    parser.add_argument("--aim", type=float, default=0.72, help="score of each step in tune (0.72)")
    parser.add_argument("--band", type=float, default=0.03, help="accepted distance from it (0.03)")
    parser.add_argument("--seed", type=int, default=0, help="seed of openings and bots (0)")
    parser.add_argument("--jobs", type=int, default=1, help="games played at once (1)")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "ladder", help="folder of the results files"
    )
    parser.add_argument("--file", type=Path, default=FILE, help="file of the levels")
    parser.add_argument("--ladder", type=Path, default=LADDER, help="file of the points")
    options = parser.parse_args()
    if options.pairs is None:
        options.pairs = 40 if options.command == "tune" else 200
    if min(options.jobs, options.pairs) < 1:
        parser.error("--pairs and --jobs must be at least 1")
    if not 0.5 < options.aim < 0.98:
        parser.error("--aim must be between 0.5 and 0.98")
    # A terminated process ends its children, as on Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        return COMMANDS[options.command](options)
    except (OtherTerms, ValueError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
