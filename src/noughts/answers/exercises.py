"""Exercises as JSON data: their kinds, and the types of the other replies."""

from __future__ import annotations

from typing import Literal

from noughts.answers.described import Described
from noughts.answers.problems import Refused
from noughts.exercises.exercise import EntryKind
from noughts.exercises.make import KINDS


class ExerciseKindView(Described):
    """A kind of exercise."""

    name: str
    title: str
    about: str
    """The task, without a capital letter and a full stop."""


class ExerciseKinds(Described):
    kinds: list[ExerciseKindView]


class ExerciseEntryView(Described):
    """A blank to fill in."""

    name: str
    label: str
    kind: EntryKind
    """The answer is a number (or `-inf`, `inf`, `-` for a pruned node), a choice, or several."""
    choices: list[str]
    row: str
    """Row and column in the table of entries; both are empty outside it."""
    column: str
    clue: str
    """How to find the answer."""


class FigureView(Described):
    """A tree or a board, as a drawing."""

    width: float
    height: float
    body: str
    """The content of an SVG element of this size."""
    scale: float
    """Pixels for a unit of `body`, so that letters are legible."""
    description: str
    """The drawing in words."""


class ExerciseView(Described):
    """An exercise without its answers."""

    title: str
    task: str
    rules: list[str]
    """The conventions that make the answers unique, a sentence each."""
    difficulty: Literal["easy", "medium", "hard"]
    figure: FigureView
    entries: list[ExerciseEntryView]


class ExerciseMark(Described):
    """The mark of one answer."""

    name: str
    right: bool
    says: str
    """Why the answer is right or wrong."""


class ExerciseMarks(Described):
    marks: list[ExerciseMark]


class ExerciseAnswer(Described):
    """The answer of an entry."""

    name: str
    answer: str
    """The answer as a person writes it."""
    why: str


class ExerciseAnswers(Described):
    """The answers of an exercise."""

    figure: FigureView
    """The figure with the answers."""
    answers: list[ExerciseAnswer]


def exercise_kinds() -> ExerciseKinds:
    """Return the kinds."""
    return {
        "kinds": [
            {"name": name, "title": kind.title, "about": kind.about} for name, kind in KINDS.items()
        ]
    }


def check_exercise(kind: str, seed: int) -> None:
    """Check the name of an exercise.

    Raises:
        Refused: there is no such kind or seed.
    """
    if kind not in KINDS:
        raise Refused(404, "not-found", "There is no such kind of exercise.", field="kind")
    if not 0 <= seed < 2**31:
        raise Refused(422, "request", "seed: expected a number from 0 to 2147483647.", field="seed")
