"""The news of running tasks, in memory that the server shares with its worker processes.

task ──► step(place, done, of), add(place, …) ──► shared memory ──► steps(place), added(place)

Each running task has a place. There is no lock, since a killed process would never release it: one
process writes, and the server reads what is complete.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from multiprocessing.context import SpawnContext
from typing import Any

SIZE = 1 << 16
"""Most bytes of what a task tells besides its steps; more is dropped."""


class News:
    """Steps done, and JSON objects, of the tasks of some worker processes.

    Args:
        places: how many tasks run at once.
    """

    def __init__(self, places: int) -> None:
        context = SpawnContext()
        self._steps = context.RawArray("i", 2 * places)
        self._texts = context.RawArray("c", SIZE * places)
        self._written = context.RawArray("i", places)
        self._read = [0] * places

    def begin(self, place: int) -> None:
        """Forget the news of a task that has ended."""
        self._steps[2 * place] = self._steps[2 * place + 1] = 0
        self._written[place] = self._read[place] = 0

    def step(self, place: int, done: int, of: int) -> None:
        """Note the steps done, and all steps."""
        self._steps[2 * place], self._steps[2 * place + 1] = done, of

    def steps(self, place: int) -> tuple[int, int]:
        """Return the steps done, and all steps."""
        return self._steps[2 * place], self._steps[2 * place + 1]

    def add(self, place: int, data: Mapping[str, Any]) -> None:
        """Add an object, as JSON."""
        text = json.dumps(data).encode() + b"\n"
        begin = self._written[place]
        if begin + len(text) <= SIZE:
            start = SIZE * place + begin
            self._texts[start : start + len(text)] = text
            self._written[place] = begin + len(text)

    def added(self, place: int) -> list[dict[str, Any]]:
        """Return the objects since the last call."""
        begin, end = self._read[place], self._written[place]
        self._read[place] = end
        start = SIZE * place
        return [json.loads(line) for line in self._texts[start + begin : start + end].splitlines()]
