"""The program of a worker process: run a task, and tell its news.

begin(news, games) once ──► work(place, task, arguments) ──► its result
                                 └── done, of, objects ──► memory shared with the server
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from noughts.answers.tasks import WITH_PROGRESS, WITH_TELL
from noughts.games.registry import load
from noughts.web.news import News
from noughts.web.settings import NICENESS

_news: News
"""The news of the running tasks, for the server."""


def begin(news: News, loaded: Sequence[Path]) -> None:
    """Initialize a worker process, with the games of the loaded files."""
    global _news
    for path in loaded:
        load(path)
    _news = news
    os.nice(NICENESS)


def work(
    place: int, task: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]
) -> Any:
    """Run a task and return its result; its news go to a place of the shared memory."""
    tells: dict[str, Any] = {}
    if task in WITH_PROGRESS:
        tells["progress"] = partial(_news.step, place)
    if task in WITH_TELL:
        tells["tell"] = partial(_news.add, place)
    return task(*arguments, **named, **tells)


def nothing() -> None:
    """Do nothing, so that the worker imports this module before the first task."""
