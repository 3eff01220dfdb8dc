"""Openings of the engine's own games: the installed files, one for each game.

    PLY  MOVE  X  DRAWS  O        a step and its outcomes, in the order of a walk through the tree

The line of a step follows the line of the step before it, which has a smaller PLY by one. A
position that several lines reach is continued in the first one only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from noughts.explorer.counts import Counts, Outcomes, keys_of, steps
from noughts.games.position import Position, canonical_key
from noughts.games.registry import game

MIN_GAMES = 2
"""A step of fewer games is not written."""


class BadOpenings(ValueError):
    """A file of openings is damaged; the message says where."""


class Openings(NamedTuple):
    """The first moves of the engine's own games of one game."""

    rules: str
    games: int
    """Games that were counted."""
    counts: Counts

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file after its header."""
        start = game(self.rules)
        seen = {canonical_key(start)}

        def below(position: Position) -> Iterator[str]:
            for key, (move, *_) in steps(position).items():
                outcomes = self.counts.get(key, Outcomes())
                if outcomes.games < MIN_GAMES:
                    continue
                after = position.play(move)
                yield f"{after.ply} {position.move_text(move)} {' '.join(map(str, outcomes))}"
                if (known := canonical_key(after)) not in seen:
                    seen.add(known)
                    yield from below(after)

        yield from below(start)


_HEADER = re.compile(r"# noughts explore (\S+) --make FILE --games (\d+) --seed \d+")


def header(rules: str, games: int, seed: int) -> str:
    """Return the first line of a file: the command that makes it."""
    return f"# noughts explore {rules} --make FILE --games {games} --seed {seed}"


def parse_openings(lines: Iterable[str]) -> Openings:
    """Return the openings of the lines of a file.

    Raises:
        BadOpenings: the message names the line.
    """
    first, *rest = lines
    named = _HEADER.fullmatch(first.strip())
    if named is None:
        raise BadOpenings("line 1 does not name the command that made the file")
    path = [game(named[1])]
    counts: dict[int, Outcomes] = {}
    for number, line in enumerate(rest, 2):
        if line.startswith("#"):
            continue
        try:
            ply, move, *results = line.split()
            del path[int(ply) :]
            path.append(path[-1].play(move))
            (key,) = keys_of(path[int(ply) - 1 :])
            x, draws, o = map(int, results)
        except (ValueError, IndexError) as error:
            raise BadOpenings(f"line {number} is not a step with its games: {error}") from error
        counts[key] = Outcomes(x, draws, o)
    return Openings(named[1], int(named[2]), counts)


@cache
def openings_of(rules: str) -> Openings | None:
    """Return the installed openings of a game; `None` where there are none.

    Raises:
        BadOpenings: the installed file is damaged.
    """
    file = files(__package__) / f"{re.sub('[^a-z0-9]', '-', rules)}.txt"
    if not file.is_file():
        return None
    try:
        found = parse_openings(file.read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError, BadOpenings) as error:
        raise BadOpenings(f"cannot read the openings of {rules}: {error}") from error
    return found if found.rules == rules else None
