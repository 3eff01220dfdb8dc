"""The kinds of exercises, as JSON data."""

from __future__ import annotations

from noughts.answers.positions import Data
from noughts.answers.problems import Refused
from noughts.exercises.make import KINDS


def exercise_kinds() -> Data:
    """Return the kinds, as `ExerciseKinds` data."""
    return {
        "kinds": [
            {"name": name, "title": kind.title, "about": kind.about} for name, kind in KINDS.items()
        ]
    }


def check_kind(kind: str) -> None:
    """Check the name of a kind.

    Raises:
        Refused: there is no such kind.
    """
    if kind not in KINDS:
        raise Refused(404, "not-found", "There is no such kind of exercise.", field="kind")
