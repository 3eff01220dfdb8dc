"""Counts of moves: how often each was played, and how those games ended.

    position ──steps()──► key of each step ──► Counts ──► Outcomes: won by X, drawn, won by O
    game ──keys_of()──► the keys of its first moves          record ──line_of()──► CountedLine

A step leads from a position to the next one. All rotations and reflections are the same step: its
key is a hash of the canonical keys of both positions. So equal moves count together, and no move
needs to be mapped back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position, canonical_key
from noughts.games.record import RESULTS, parse_json_line
from noughts.games.row import RowPosition

MAX_PLIES = 12
"""Steps up to this ply of a game are counted; later positions are seldom seen twice."""

WINNERS = {result: winner for winner, result in RESULTS.items()}
"""The winner of each result; `None` of a draw."""


class Outcomes(NamedTuple):
    """Finished games by their results."""

    x: int = 0
    """Games that X won."""
    draws: int = 0
    o: int = 0
    """Games that O won."""

    @property
    def games(self) -> int:
        return sum(self)

    def plus(self, other: Outcomes) -> Outcomes:
        """Return both outcomes together.

        >>> Outcomes(1, 2, 0).plus(Outcomes(0, 1, 3))
        Outcomes(x=1, draws=3, o=3)
        """
        return Outcomes(self.x + other.x, self.draws + other.draws, self.o + other.o)

    def minus(self, other: Outcomes) -> Outcomes:
        """Return these outcomes without others."""
        return Outcomes(self.x - other.x, self.draws - other.draws, self.o - other.o)

    @classmethod
    def won_by(cls, winner: Player | None) -> Outcomes:
        """Return the outcomes of one game; a draw has no winner."""
        return cls(int(winner is Player.X), int(winner is None), int(winner is Player.O))


Counts = Mapping[int, Outcomes]
"""The outcomes of each step, by its key."""


def steps(position: Position) -> dict[int, list[int]]:
    """Return the legal moves by the key of their step; equal moves share one.

    >>> import noughts
    >>> list(steps(noughts.game("basic")).values())
    [[0, 2, 6, 8], [1, 3, 5, 7], [4]]
    """
    found: dict[int, list[int]] = {}
    before = _identity(position)
    for move in position.legal_moves():
        found.setdefault(_key(before, _identity(position.play(move))), []).append(move)
    return found


def keys_of(line: Sequence[Position]) -> list[int]:
    """Return the keys of the steps of a game, as far as they are counted.

    Args:
        line: the positions of the game.
    """
    counted = [each for each in line if each.ply <= MAX_PLIES]
    return [_key(before, after) for before, after in pairwise(map(_identity, counted))]


def added(counted: Iterable[tuple[int, Outcomes]]) -> dict[int, Outcomes]:
    """Return the sum of the outcomes of each key."""
    found: dict[int, Outcomes] = {}
    for key, outcomes in counted:
        found[key] = found.get(key, Outcomes()).plus(outcomes)
    return found


class CountedLine(NamedTuple):
    """The first steps of a finished game, as a server counts them."""

    winner: Player | None
    keys: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(map(str, (RESULTS[self.winner], *self.keys)))

    @property
    def counted(self) -> list[tuple[int, Outcomes]]:
        """The key of each step, with the outcome of the game."""
        return [(key, Outcomes.won_by(self.winner)) for key in self.keys]

    @classmethod
    def parse(cls, text: str) -> CountedLine:
        """Return a line from the text that `str` made of it."""
        result, *keys = text.split()
        return cls(WINNERS[result], tuple(map(int, keys)))


def line_of(record: str) -> CountedLine:
    """Return the line of a finished game; only the built-in games have steps.

    Args:
        record: a JSON line of `noughts.games.record`.
    """
    try:
        game = parse_json_line(record)
    except ValueError:  # Of rules that this program has not loaded.
        return CountedLine(None, ())
    is_built_in = isinstance(game.start, RowPosition | NestedPosition)
    keys = keys_of(list(game.positions())) if is_built_in else ()
    return CountedLine(WINNERS[game.result], tuple(keys))


def _identity(position: Position) -> str:
    return f"{position.rules_id} {canonical_key(position)}"


def _key(before: str, after: str) -> int:
    """Return a number of 64 bits, with a sign, as databases have them."""
    digest = blake2b(f"{before}\n{after}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
