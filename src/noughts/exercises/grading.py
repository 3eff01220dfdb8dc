"""The difficulty of an exercise, from the work that its traces show."""

from __future__ import annotations

from collections.abc import Iterable

from noughts.exercises.exercise import Exercise, ExerciseEntry, FigureNode, Grade
from noughts.games.position import Position

GRADES: dict[str, tuple[int, int]] = {
    "minimax": (12, 20),
    "alphabeta": (16, 26),
    "move": (2, 4),
    "order": (14, 22),
    "count": (14, 22),
    "evaluation": (6, 8),
    "mcts": (4, 6),
}
"""For each kind the most points of an easy exercise, and of one of medium difficulty.

minimax: branches whose values are compared. alphabeta: nodes entered, 2 for each cutoff, 4 more
for each deep cutoff. move: plies to the end of the game, by the best move or after the wrong move
that lasts longest. order: leaves searched in the drawn and in the best order. count: nodes that
alpha-beta enters, and 2 for each cutoff. evaluation: lines with a mark. mcts: bounds to compute.
"""


def difficulty_of(kind: str, points: int) -> Grade:
    """Return the difficulty of an exercise of a kind with these points.

    >>> [difficulty_of("minimax", points).value for points in (6, 14, 39)]
    ['easy', 'medium', 'hard']
    """
    easy, medium = GRADES[kind]
    if points <= easy:
        return Grade.EASY
    return Grade.MEDIUM if points <= medium else Grade.HARD


def exercise_of(
    kind: str,
    title: str,
    task: str,
    rules: Iterable[str],
    figure: Iterable[FigureNode],
    entries: Iterable[ExerciseEntry],
    source: Position,
    *,
    points: int,
) -> Exercise:
    """Return an exercise with its difficulty; other arguments as the fields of `Exercise`."""
    return Exercise(
        kind,
        title,
        task,
        tuple(rules),
        tuple(figure),
        tuple(entries),
        str(source),
        points,
        difficulty_of(kind, points),
    )
