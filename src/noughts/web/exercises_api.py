"""The HTTP API of exercises: kinds, one exercise without its answers, marks, and the answers.

kind, difficulty, seed ──► a worker process ──► ExerciseView, ExerciseMarks, ExerciseAnswers

The same kind, difficulty and seed are the same exercise, so the server keeps none.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from noughts.answers import tasks
from noughts.answers.exercises import (
    ExerciseAnswers,
    ExerciseKinds,
    ExerciseMarks,
    ExerciseView,
    check_exercise,
    exercise_kinds,
)
from noughts.exercises.exercise import Grade
from noughts.web.analysis_api import run_task
from noughts.web.games_api import problems
from noughts.web.models import MarkRequest

router = APIRouter(prefix="/api/v1", tags=["Exercises"], responses=problems)


def _named(
    kind: Annotated[str, Path(max_length=20, description="Name of a kind.")],
    seed: Annotated[int, Query(ge=0, lt=2**31, description="Chooses the exercise.")],
    difficulty: Annotated[Grade | None, Query(description="Default: any.")] = None,
) -> tuple[str, int, Grade | None]:
    """Return the kind, the seed and the difficulty, which name an exercise.

    Raises:
        Refused: there is no such kind.
    """
    check_exercise(kind, seed)
    return kind, seed, difficulty


Named = Annotated[tuple[str, int, Grade | None], Depends(_named)]


@router.get("/exercises")
def list_kinds() -> ExerciseKinds:
    """List the kinds of exercises."""
    return exercise_kinds()


@router.get("/exercises/{kind}")
async def show_exercise(named: Named, request: Request) -> ExerciseView:
    """Return an exercise without its answers."""
    return await run_task(request, tasks.exercise, *named)


@router.post("/exercises/{kind}/marks")
async def mark_answers(body: MarkRequest, named: Named, request: Request) -> ExerciseMarks:
    """Mark answers to some entries of an exercise, and say why a wrong one is wrong."""
    kind, seed, difficulty = named
    return await run_task(request, tasks.exercise_marks, kind, seed, body.answers, difficulty)


@router.get("/exercises/{kind}/answers")
async def show_answers(named: Named, request: Request) -> ExerciseAnswers:
    """Return the answers of an exercise with their reasons."""
    return await run_task(request, tasks.exercise_answers, *named)
