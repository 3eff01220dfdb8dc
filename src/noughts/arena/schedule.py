"""The terms of a match, and its schedule of games.

    Terms, openings ──schedule()──► Fixture 1, 2, 3, …
      round 1: each game, each pairing: a pair of games with one opening, the sides swapped
      round 2: the next openings …

A schedule is data and depends on the terms alone. Rounds come one after another, so that a table
grows evenly, and a match with more pairs continues a shorter one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from noughts.arena.bot import Entry
from noughts.arena.control import MARGIN, Control
from noughts.arena.openings import Opening


class Terms(NamedTuple):
    """The settings that define a match, independent of where and how fast it is played."""

    entries: tuple[Entry, ...]
    games: tuple[str, ...]
    """Rules ids or start positions."""
    pairs: int
    """Number of game pairs for each pairing and each of `games`."""
    control: Control
    seed: int = 0
    gauntlet: bool = False
    """Whether only the first entry plays, against each of the others."""
    adjudicate: bool = False
    """Whether a game ends once its exact value is proven."""
    event: str = "match"
    """The name of the match."""
    load: tuple[Path, ...] = ()
    """Python files that register games."""

    def pairings(self) -> list[tuple[int, int]]:
        """Return the pairings as indices of entries."""
        every = combinations(range(len(self.entries)), 2)
        return [(a, b) for a, b in every if a == 0 or not self.gauntlet]


class Fixture(NamedTuple):
    """A scheduled game."""

    number: int
    """Number of the game, from 1."""
    pair: int
    """Number of the pair, from 1; both games of a pair have the same opening."""
    opening: Opening
    x: int
    """The index of the entry that plays X."""
    o: int
    seed: int
    """Seed of the bots' random choices."""


def schedule(terms: Terms, openings: Mapping[str, Sequence[Opening]]) -> Iterator[Fixture]:
    """Yield the games of a match in their order.

    Args:
        terms: of the match.
        openings: for each of `games`; reused in order if there are fewer than pairs.
    """
    number = pair = 0
    for round_ in range(terms.pairs):
        for game in terms.games:
            opening = openings[game][round_ % len(openings[game])]
            for a, b in terms.pairings():
                pair += 1
                for x, o in ((a, b), (b, a)):
                    number += 1
                    seed = random.Random(f"game {number} {terms.seed}").getrandbits(32)
                    yield Fixture(number, pair, opening, x, o, seed)


def tags_of(terms: Terms, fixture: Fixture) -> dict[str, str]:
    """Return the tags of a game's record that follow from the terms (see `docs/arena.md`).

    Two records with equal tags are of one game, played twice.
    """
    x, o = (terms.entries[index] for index in (fixture.x, fixture.o))
    tags = {
        "Event": terms.event,
        "Round": str(fixture.number),
        "Pair": str(fixture.pair),
        "X": x.name,
        "O": o.name,
        "XBot": x.text,
        "OBot": o.text,
    }
    for side, entry in (("X", x), ("O", o)):
        if entry.options:
            tags[f"{side}Options"] = ", ".join(f"{name}={value}" for name, value in entry.options)
    tags |= {
        "Control": terms.control.text,
        "Opening": str(len(fixture.opening.moves)),
        "Seed": str(fixture.seed),
    }
    if terms.control.margin != MARGIN:
        tags["Margin"] = f"{terms.control.margin:g}"
    if terms.adjudicate:
        tags["Adjudicate"] = "yes"
    return tags
