"""The material of exercises: random trees, and positions near the end of a game."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import NamedTuple

from noughts.exercises.exercise import Exercise, Grade
from noughts.games.given_tree import GivenTree, Tree
from noughts.games.position import Position
from noughts.games.registry import parse_start
from noughts.search import Limit, minimax

SIZES = ((2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 2))
"""Depth and branching of random trees, unless the caller chooses."""
MAX_LEAVES = 32
"""Most leaves of a tree that fits on a page."""


class Wish(NamedTuple):
    """Wishes for an exercise; `None` leaves the choice to chance."""

    depth: int | None = None
    branching: int | None = None
    game: str | None = None
    """A rules id or position string, in place of a random tree or of tic-tac-toe."""
    difficulty: Grade | None = None


class Made(NamedTuple):
    """An exercise, and a key that it shares with exercises that are too much alike."""

    exercise: Exercise
    key: Hashable


def sizes(wish: Wish) -> list[tuple[int, int]]:
    """Return the depths and branchings of trees that a wish allows.

    Raises:
        ValueError: such trees do not fit on a page.
    """
    if wish.depth and wish.branching:
        chosen = [(wish.depth, wish.branching)]
    elif wish.depth or wish.branching:
        chosen = [
            (depth, branching)
            for depth in ([wish.depth] if wish.depth else range(2, 5))
            for branching in ([wish.branching] if wish.branching else range(2, 5))
        ]
    else:
        chosen = list(SIZES)
    fitting = [size for size in chosen if size[1] ** size[0] <= MAX_LEAVES]
    if not fitting:
        depth, branching = chosen[0]
        raise ValueError(
            f"a tree of depth {depth} with {branching} branches has {branching**depth} leaves; "
            f"at most {MAX_LEAVES} fit on a page"
        )
    return fitting


def random_tree(wish: Wish, rng: random.Random, *, uneven: bool = False) -> GivenTree:
    """Return a tree with different leaf values.

    Args:
        wish: its depth and branching.
        rng: the source of chance.
        uneven: whether nodes may have fewer branches, but at least two in the first two plies.
    """
    depth, branching = rng.choice(sizes(wish))
    most = branching**depth
    values = rng.sample(range(1, max(20, 2 * most) + 1), most)

    def below(plies: int) -> Tree:
        if not plies:
            return values.pop()
        number = rng.randint(2 if plies > depth - 2 else 1, branching) if uneven else branching
        return tuple(below(plies - 1) for _ in range(number))

    return GivenTree(below(depth))


def start_of(wish: Wish) -> Position:
    """Return the position that a wish names; tic-tac-toe without one.

    Raises:
        NotationError: there is no such game, or no such position.
        ValueError: the game is over in the position.
    """
    start = parse_start(wish.game or "basic")
    if start.outcome() is not None:
        raise ValueError(f"the game is over in {start}")
    return start


def random_game(start: Position, rng: random.Random) -> list[Position]:
    """Return the unfinished positions of a random game, in order; at least `start`."""
    game = [start]
    while (after := game[-1].play(rng.choice(game[-1].legal_moves()))).outcome() is None:
        game.append(after)
    return game


def near_end(start: Position, rng: random.Random, least: int, most: int) -> Position | None:
    """Return a position of a random game from `start` whose whole tree is small, or `None`.

    Args:
        start: where the game begins.
        rng: the source of chance.
        least: nodes of the tree, at least.
        most: nodes of the tree, at most.
    """
    found = []
    for position in reversed(random_game(start, rng)):
        result = minimax(position, Limit(nodes=most + 1))
        if not result.complete or result.nodes > most:
            break
        if result.nodes >= least:
            found.append(position)
    return rng.choice(found) if found else None
