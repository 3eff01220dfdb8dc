"""Swap2 decided by an opponent: the first stones, and the choice by its own estimate.

    stones due   ──stones()──► three or two that the engine estimates as even
    3 │ 5 stones ──decide()──► O and its next move │ X

Gomocup's protocol, the terminal and the page use it.
"""

from __future__ import annotations

import random
from contextlib import suppress
from typing import NamedTuple

from noughts.arena.openings import NoOpenings, even_openings, is_large_board, random_openings
from noughts.games.position import Position
from noughts.games.swap2 import ALL_STONES, Choice, Swap2
from noughts.opponents import Opponent
from noughts.search.result import NO_LIMIT, Limit, SearchResult


class Swap2Step(NamedTuple):
    """The next step of a player in swap2."""

    choice: Choice | None
    """The choice; `None` if stones are due."""
    moves: tuple[int, ...]
    """The stones, or after the choice of O its move; none after the choice of X."""


def stones(position: Position, last: int, seed: int, *, is_even: bool = True) -> tuple[int, ...]:
    """Return stones for a position of swap2, up to stone number `last`.

    On a large board the engine estimates the position after them as even, if `is_even`. Where it
    finds no such stones, and on a small board, they are random: the other player then has the
    better side, whatever they are.

    Raises:
        NoOpenings: after any stones the game would be over.
    """
    start = str(position) if position.ply else position.rules_id
    count = last - position.ply
    with suppress(NoOpenings):
        if is_even and is_large_board(position):
            return even_openings(start, count, 1, seed)[0].moves
    return random_openings(start, count, 1, seed)[0].moves


def decide(result: SearchResult) -> Swap2Step:
    """Choose a side by a search of the position after the stones, in which O is to move.

    O means the move that was found. The engine never adds two stones: the better one of the two
    sides is worth at least as much, by the same estimate, as the side that the other player leaves.
    """
    assert result.move is not None
    return Swap2Step("X", ()) if result.value.expected < 0 else Swap2Step("O", (result.move,))


def next_step(
    player: Opponent, position: Position, swap2: Swap2, seed: int, limit: Limit = NO_LIMIT
) -> Swap2Step:
    """Return the next step of a player, whose turn it is to place stones or to choose.

    A random player has random stones, chooses at random, and then may add two stones.

    Args:
        player: the opponent that acts.
        position: the position after the stones so far.
        swap2: the choices so far; the sides are not decided yet.
        seed: of the stones, and of random choices.
        limit: of the search.

    Raises:
        OpponentFailed: the player has no move.
    """
    choices = swap2.choices_at(position.ply)
    is_random = player.kind == "random"
    if not choices:
        return Swap2Step(None, stones(position, swap2.stones, seed, is_even=not is_random))
    choice = random.Random(seed).choice(choices)
    if is_random and choice == "X":
        return Swap2Step("X", ())
    if is_random and choice == "more":
        return Swap2Step("more", stones(position, ALL_STONES, seed, is_even=False))
    return decide(player.choose(position, limit))
