"""The counter of moves: a thread that counts the games of a store for the explorer.

    a game was saved, changed or deleted ──note()──► Store.count_games
    at the start, and after a failure ──► Store.uncounted ───┘

A restart continues where the last run ended: the store knows which games are counted.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping

from noughts.database.store import SILENCE, Store, Stored, StoreUnavailable
from noughts.games.record import UNFINISHED

BATCH = 20
"""Games in one transaction."""
SHARE = 0.2
"""The largest share of the time in which the counter works, so that requests come first."""
RETRY = 5.0
"""Seconds from a failure to the next attempt."""

log = logging.getLogger(__name__)


class Counter:
    """A thread that counts the moves of finished games.

    Args:
        store: the store.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed = threading.Condition()
        self._noted: set[str] = set()
        self._scans = True
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="counter", daemon=True)
        self._thread.start()

    def note(self, saved: Mapping[str, Stored | None]) -> None:
        """Count saved games later, if they may be finished; `None` is a deleted game."""
        finished = {
            id_
            for id_, game in saved.items()
            if game is None or game.result != UNFINISHED or game.undone is not None
        }
        if finished:
            with self._changed:
                self._noted |= finished
                self._changed.notify()

    def close(self) -> None:
        """Stop; the next server counts the rest."""
        with self._changed:
            self._ended.set()
            self._changed.notify()
        self._thread.join(SILENCE)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._scans or self._noted or self._ended.is_set())
                if self._ended.is_set():
                    return
                ids = [self._noted.pop() for _ in range(min(BATCH, len(self._noted)))]
            began, pause = time.monotonic(), 0.0
            try:
                if not ids:
                    ids = self._store.uncounted(BATCH)
                    self._scans = bool(ids)
                if ids:
                    self._store.count_games(ids)
                pause = (time.monotonic() - began) * (1 / SHARE - 1)
            except StoreUnavailable:
                self._scans, pause = True, RETRY
            except Exception:
                log.exception("games could not be counted")
                self._scans, pause = True, RETRY
            self._ended.wait(pause)
