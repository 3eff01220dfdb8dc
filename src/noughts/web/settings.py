"""The settings of a server: the times and bounds of connections, games and work."""

from __future__ import annotations

import os
from dataclasses import dataclass

NICENESS = 10
"""The `nice` value of searches and tasks, so that the server comes first.

At 19, the highest value, a task would get no time for minutes while searches or other programs run.
"""


@dataclass(frozen=True)
class Settings:
    """Times in seconds, and largest numbers of things; `Limits` has the rates of one client."""

    header_seconds: float = 10.0
    """Time that a client may take to send the headers of a request."""
    body_seconds: float = 20.0
    """Time that a client may take to send the body of a request."""
    refusal_seconds: float = 3.0
    """Time before a client over its rate gets its refusal."""
    unread_seconds: float = 30.0
    """Time that a client may leave data unread."""
    ping_seconds: float = 10.0
    """Time between two pings of a WebSocket."""
    pong_seconds: float = 5.0
    """Time that a client may take to answer a ping; then its connection counts as broken."""
    connections_of_one: int | None = 500
    """Most connections of one address, without WebSockets; `None` for any number."""

    open_games: int = 1000
    """Games kept in memory while nobody uses them."""
    moves_of_a_game: int = 2_000
    """Most moves of one game, variations included."""
    lines_of_a_game: int = 100_000
    """Most moves in all lines of a game together, each line counted from the start."""
    comments_of_a_game: int = 100_000
    """Most characters in the comments and tags of one game."""

    answer_seconds: float = 10.0
    """Time that a visitor's engine has to find the move of a level; then the server searches."""
    analysis_seconds: float = 20.0
    """Search time of an analysis over the WebSocket."""
    waiting_moves: int = 2_000
    """Most moves of machines that wait for a thread."""
    waiting_searches: int = 400
    """Most other searches that wait for a thread."""
    searches_of_one: int = 100
    """Most searches of one address that wait for a thread, except moves."""
    searches_of_cookie: int = 20
    """Most searches of one cookie that wait for a thread, except moves."""
    first_slice: float = 0.1
    """Time of a search's first slice while others wait."""
    slice: float = 0.5
    """Time of its later slices while others wait."""
    urgent_slice: float = 0.05
    """Time of a slice while a move of a machine waits."""

    waiting_tasks: int = 100
    """Most tasks of worker processes, running or waiting."""
    tasks_of_one: int = 40
    """Most tasks of one address, running or waiting."""
    tasks_of_cookie: int = 6
    """Most tasks of one cookie, running or waiting."""
    explain_seconds: float = 30.0
    """Time limit of a replay or another short task."""
    review_seconds: float = 180.0
    """Time limit of a review, or of the graph of a registered game."""
    lab_seconds: float = 300.0
    """Time limit of a lab."""
    check_seconds: float = 300.0
    """Time limit of the check of a file."""
    progress_seconds: float = 0.2
    """Time between two reads of a task's progress."""


DEFAULT = Settings()


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
