"""Make exercises: candidates by chance ──► one right answer, new, of the difficulty ──► kept.

Every candidate has its own random numbers, so the same call makes the same exercises.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

from noughts.exercises.boards import make_evaluation, make_move
from noughts.exercises.exercise import Exercise
from noughts.exercises.material import Made, Wish
from noughts.exercises.simulation import make_mcts
from noughts.exercises.trees import make_alphabeta, make_count, make_minimax, make_order

TRIES = 1000
"""Candidates in a row without a new exercise, before the search for more ends."""


ANY = Wish()


class ExerciseKind(NamedTuple):
    """A kind of exercise."""

    title: str
    about: str
    make: Callable[[Wish, random.Random], Made | None]
    takes: tuple[str, ...]
    """The fields of `Wish` that it accepts, besides the difficulty."""


KINDS: dict[str, ExerciseKind] = {
    "minimax": ExerciseKind(
        "Minimax values",
        "fill in the minimax values of a tree",
        make_minimax,
        ("depth", "branching", "game"),
    ),
    "alphabeta": ExerciseKind(
        "Alpha-beta",
        "fill in alpha, beta and values, and find the pruned leaves",
        make_alphabeta,
        ("depth", "branching", "game"),
    ),
    "move": ExerciseKind(
        "Best move", "find the best move, and say why it is best", make_move, ("game",)
    ),
    "order": ExerciseKind(
        "Order of branches",
        "find the order of branches that prunes most",
        make_order,
        ("depth", "branching"),
    ),
    "count": ExerciseKind(
        "Count the nodes",
        "count the nodes of minimax and alpha-beta",
        make_count,
        ("depth", "branching", "game"),
    ),
    "evaluation": ExerciseKind(
        "Evaluation E(n)", "evaluate a board by its open lines, E(n)", make_evaluation, ("game",)
    ),
    "mcts": ExerciseKind(
        "Monte Carlo tree search",
        "one simulation of Monte Carlo tree search: bounds, choice, new counts",
        make_mcts,
        ("game",),
    ),
}
"""The kinds of exercises by name."""


class TooFew(ValueError):
    """There are fewer different exercises than asked for."""


def exercises(kind: str, number: int, seed: int = 0, wish: Wish = ANY) -> Iterator[Exercise]:
    """Yield exercises of a kind, no two alike.

    >>> [each.source for each in exercises("minimax", 2, seed=1, wish=Wish(2, 2))]
    ['((15 14) (20 10))', '((11 6) (5 4))']

    Args:
        kind: one of `KINDS`.
        number: of exercises.
        seed: of the random numbers.
        wish: the depth and branching of trees, the game, the difficulty.

    Raises:
        NotationError: the wish names no game or position.
        TooFew: fewer different exercises were found.
        ValueError: the kind does not know a wish, or trees do not fit on a page.
    """
    for name in ("depth", "branching", "game"):
        if getattr(wish, name) is not None and name not in KINDS[kind].takes:
            raise ValueError(f"{kind} takes no {name}; it takes {' '.join(KINDS[kind].takes)}")
    if wish.game is not None and (wish.depth or wish.branching):
        raise ValueError("depth and branching are for random trees: give them without a game")
    taken: set[Hashable] = set()
    candidate = vain = 0
    while len(taken) < number:
        made = KINDS[kind].make(wish, random.Random(f"{kind} {seed} {candidate}"))
        candidate += 1
        fits = made is not None and wish.difficulty in (None, made.exercise.difficulty)
        if made is not None and fits and made.key not in taken:
            taken.add(made.key)
            vain = 0
            yield made.exercise
            continue
        vain += 1
        if vain == TRIES:
            grade = f"{wish.difficulty} " if wish.difficulty else ""
            found = f"only {len(taken)} different" if taken else "no"
            raise TooFew(
                f"{found} {grade}exercises of {kind} were found, not {number}; "
                f"{'ask for fewer or ' if taken else ''}change the options"
            )
