"""The end of a search: requested from another thread, or due after some seconds.

stop = Stop(seconds)
stop.order(root)             ends a textbook search, as its order of moves
stop.stream(engine, begin)   ends a native search
stop.set                     requests the end
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Protocol

from noughts.games.position import Position
from noughts.search.result import Order, SearchResult
from noughts.search.walk import LimitReached


class Stoppable(Protocol):
    """Anything whose search `stop` ends, such as an `Engine`."""

    def stop(self) -> None: ...


class Stop:
    """A request to end one search, from any thread.

    Args:
        seconds: the textbook searches also end after this time, checked at every node.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._until = inf if seconds is None else time.perf_counter() + seconds
        self._requested = threading.Event()
        self._lock = threading.Lock()
        self._engine: Stoppable | None = None

    def set(self) -> None:
        """End the search within milliseconds, or as soon as it begins."""
        self._requested.set()
        with self._lock:
            if self._engine is not None:
                self._engine.stop()

    def is_set(self) -> bool:
        return self._requested.is_set()

    def order(self, root: Position) -> Order:
        """Return the usual order of moves, which raises `LimitReached` once the search must end.

        At the root it raises nothing, since a search has to return a move.
        """

        def moves(position: Position) -> Sequence[int]:
            if position is not root and (self.is_set() or time.perf_counter() >= self._until):
                raise LimitReached
            return position.legal_moves()

        return moves

    def stream(
        self, engine: Stoppable, begin: Callable[[], Iterator[SearchResult]]
    ) -> Iterator[SearchResult]:
        """Yield the results of the native search that `begin` starts on `engine`.

        A stop requested before the search began ends it at its first result. Once the results are
        exhausted or closed, a stop no longer reaches the engine.
        """
        with self._lock:
            self._engine = engine
        try:
            results = begin()
            if self.is_set():
                engine.stop()
            yield from results
        finally:
            with self._lock:
                self._engine = None
