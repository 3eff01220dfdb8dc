"""What is to be played: the terms of a match, and its games one by one.

    Terms, openings ──schedule()──► Fixture 1, 2, 3, …
      round 1: each game, each pairing: a pair of games with one opening, the sides swapped
      round 2: the next openings …

A schedule is data and depends on the terms alone. The rounds come one after another, so that a
table grows evenly, and a match that is made longer goes on where the shorter one ended.
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
    """What makes a match, wherever and however fast it is played."""

    entries: tuple[Entry, ...]
    games: tuple[str, ...]
    """Rules ids, or position strings to start from."""
    pairs: int
    """Pairs of games for each pairing and each of the games."""
    control: Control
    seed: int = 0
    gauntlet: bool = False
    """Whether the first entry meets all others, and they not one another."""
    adjudicate: bool = False
    """Whether a game ends as soon as its exact value is known."""
    event: str = "match"
    """What the match is called."""
    load: tuple[Path, ...] = ()
    """Python files that make games of a user's own known."""

    def pairings(self) -> list[tuple[int, int]]:
        """Return who meets whom, as indices of entries."""
        every = combinations(range(len(self.entries)), 2)
        return [(a, b) for a, b in every if a == 0 or not self.gauntlet]


class Fixture(NamedTuple):
    """A game that is to be played."""

    number: int
    """From 1."""
    pair: int
    """From 1; the two games of a pair have the same opening."""
    opening: Opening
    x: int
    """The index of the entry that plays X."""
    o: int
    seed: int
    """For what the bots leave to chance."""


def schedule(terms: Terms, openings: Mapping[str, Sequence[Opening]]) -> Iterator[Fixture]:
    """Yield the games of a match in their order.

    Args:
        terms: of the match.
        openings: for each of its games; where they are fewer than the pairs they come again.
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
    """Return the tags of the record of a game that the terms decide; `docs/arena.md` lists them.

    Two records with the same of these are of the same game, played twice.
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
