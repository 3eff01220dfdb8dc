"""Compare the estimates of the installed nets with the results of games, and keep the counts.

    python bench/calibration.py play --games 5000            games of seed 0, which make the curves
    python bench/calibration.py play --games 5000 --seed 9   games that check them
    python bench/calibration.py check                        the check, as a Markdown table
    python bench/calibration.py install                      write the curves of all games of seed 0

    net ──► games of the engine against itself ──► calibration.json: counts and results by estimate
                                                          │
                        curves in the nets ◄── seed 0 ────┴──── other seeds ──► check

A row of the file has 500 games of a net and a seed: the estimates of their positions by size, in
steps of 0.005, for both signs, and the results. An interrupted run continues, on another machine
too. Rows of other nets do not count. The exit status of `check` is 1 if a mean result is farther
than 0.05 from the estimates.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib.resources import files
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from noughts import nets
from noughts.nets import NESTED, Net
from noughts.train.calibrate import Judged, calibrated, curve, play

FILE = Path(__file__).parent / "calibration.json"
GAMES = tuple(game for family in NESTED.values() for game in family)
BINS = 200
"""Of the size of an estimate, for each sign."""
PARTS = 20
"""Of the range of the estimates shown, from -1 to 1, in the check."""
TENTHS = 10
"""Of the range of the chances shown, from 0 to 1."""
TARGET = 0.05
GAMES_OF_ROW = 500

Row = dict[str, Any]


class Part(NamedTuple):
    """A part of the range of estimates: the results, less the estimates, in each row of games."""

    counts: list[int]
    sums: list[float]

    @property
    def mean(self) -> float:
        return sum(self.sums) / sum(self.counts) if any(self.counts) else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean, from its differences between rows."""
        total, rows = sum(self.counts), len(self.counts)
        if rows < 2 or total == 0:
            return 0.0
        pairs = zip(self.sums, self.counts, strict=True)
        squares = sum((each - self.mean * count) ** 2 for each, count in pairs)
        return sqrt(squares * rows / (rows - 1)) / total


def net_of(game: str) -> Net:
    net = nets.net_of(game)
    assert net is not None
    return net


def bin_of(estimate: float) -> int:
    """Return the bin of an estimate; those of negative ones mirror the others.

    >>> [bin_of(each) for each in (-1, -0.001, 0, 0.006, 1)]
    [0, 199, 200, 201, 399]
    """
    size = min(BINS - 1, int(abs(estimate) * BINS))
    return BINS + size if estimate >= 0 else BINS - 1 - size


def middle_of(place: int) -> float:
    """Return the estimate in the middle of a bin.

    >>> middle_of(0), middle_of(200)
    (-0.9975, 0.0025)
    """
    return (place - BINS + 0.5) / BINS


def counted(judged: Sequence[Judged]) -> Row:
    """Return the positions in each bin, and the sums of their results."""
    counts, sums = [0] * (2 * BINS), [0] * (2 * BINS)
    for estimate, result in judged:
        counts[bin_of(estimate)] += 1
        sums[bin_of(estimate)] += int(result)
    return {"counts": counts, "sums": sums}


def rows_in(file: Path) -> list[Row]:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


def write_rows(file: Path, rows: Sequence[Row]) -> None:
    ordered = sorted(rows, key=lambda row: (row["game"], row["net"], row["seed"], row["first"]))
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in ordered)
    new = file.with_suffix(".new")
    new.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    new.replace(file)


def of_game(rows: Sequence[Row], game: str) -> list[Row]:
    """Return the rows of a game that were played with its installed net."""
    sha = net_of(game).card.sha256
    return [row for row in rows if row["game"] == game and row["net"] == sha]


def judged_in(rows: Sequence[Row]) -> list[Judged]:
    """Return a position for each one counted, with the mean result of its bin."""
    return [
        Judged(middle_of(place), total / count)
        for row in rows
        for place, (count, total) in enumerate(zip(row["counts"], row["sums"], strict=True))
        for _ in range(count)
    ]


def parts_of(net: Net, game: str, rows: Sequence[Row], number: int = PARTS) -> list[Part]:
    """Compare estimates as shown with results, in a number of equal parts of the range."""
    parts = [Part([0] * len(rows), [0.0] * len(rows)) for _ in range(number)]
    for at, row in enumerate(rows):
        for place, (count, total) in enumerate(zip(row["counts"], row["sums"], strict=True)):
            shown = net.expected(game, middle_of(place))
            part = parts[min(number - 1, int((shown + 1) * number / 2))]
            part.counts[at] += count
            part.sums[at] += total - count * shown
    return parts


def play_games(options: argparse.Namespace) -> int:
    for first in range(0, options.games, GAMES_OF_ROW):
        for game in options.game or GAMES:
            known, net = rows_in(options.file), net_of(game)
            own = {"game": game, "net": net.card.sha256, "seed": options.seed, "first": first}
            if any(own.items() <= row.items() for row in known):
                continue
            judged = list(play(game, net, GAMES_OF_ROW, seed=options.seed, first=first))
            write_rows(options.file, [*known, own | counted(judged)])
            print(f"{game}, seed {options.seed}: game {first + GAMES_OF_ROW}", file=sys.stderr)
    return 0


def check(options: argparse.Namespace) -> int:
    """Print the largest distance of a mean result from the estimates, for each game.

    The last column has it for chances from 0 to 1, a draw counted as half a win, in tenths.
    """
    print("| game | games | positions | distance | error | of a chance |")
    print("|---|--:|--:|--:|--:|--:|")
    worst = 0.0
    for game in options.game or GAMES:
        net = net_of(game)
        rows = [row for row in of_game(rows_in(options.file), game) if row["seed"] != 0]
        if not rows:
            continue
        parts = parts_of(net, game, rows)
        distance, error = max(abs(part.mean) for part in parts), max(part.error for part in parts)
        games = GAMES_OF_ROW * len(rows)
        positions = sum(sum(row["counts"]) for row in rows)
        tenths = parts_of(net, game, rows, TENTHS)
        chance = max(abs(part.mean) for part in tenths) / 2
        found = f"{distance:.3f} | {error:.3f} | {chance:.3f}"
        print(f"| `{game}` | {games:,} | {positions:,} | {found} |")
        worst = max(worst, distance)
    return int(worst > TARGET)


def install(options: argparse.Namespace) -> int:
    """Write the curves into the installed nets."""
    for name, family in NESTED.items():
        net = net_of(family[0])
        curves = dict(net.card.curves)
        for game in set(family) & set(options.game or GAMES):
            rows = [row for row in of_game(rows_in(options.file), game) if row["seed"] == 0]
            if rows:
                curves[game] = curve(judged_in(rows))
        if curves != net.card.curves:
            file = Path(str(files(nets))) / f"{name}.net"
            file.write_bytes(calibrated(net, curves).packed())
            print(f"{file}: new curves")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=("play", "check", "install"))
    parser.add_argument("--game", action="append", choices=GAMES, help="only this; repeatable")
    parser.add_argument("--games", type=int, default=5_000, help="of each game, in rows (5000)")
    parser.add_argument("--seed", type=int, default=0, help="of the openings (0)")
    parser.add_argument("--file", type=Path, default=FILE, help="file of the counts")
    options = parser.parse_args()
    return {"play": play_games, "check": check, "install": install}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
