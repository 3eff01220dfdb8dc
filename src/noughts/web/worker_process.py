"""The program of a worker process: run a task, and tell its progress.

begin(progress, games) once ──► work(place, task, arguments) ──► its result
                                     └── done, of ──► memory shared with the server
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from noughts.answers.tasks import WITH_PROGRESS
from noughts.games.registry import load
from noughts.web.settings import NICENESS

_progress: Any = None
"""Steps done and steps in all of each running task, in memory shared with the server."""


def begin(progress: Any, loaded: Sequence[Path]) -> None:
    """Initialize a worker process, with the games of the loaded files."""
    global _progress
    for path in loaded:
        load(path)
    _progress = progress
    os.nice(NICENESS)


def work(
    place: int, task: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]
) -> Any:
    """Run a task and return its result; its progress goes to an index of the shared memory."""

    def report(done: int, of: int) -> None:
        _progress[2 * place], _progress[2 * place + 1] = done, of

    tells = {"progress": report} if task in WITH_PROGRESS else {}
    return task(*arguments, **named, **tells)


def nothing() -> None:
    """Do nothing, so that the worker imports this module before the first task."""
