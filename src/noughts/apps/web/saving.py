"""Games on their way to the database: many in one transaction, none forgotten if it fails.

    save(game) ──► waiting ──► one transaction ──► what was waited for is done
                      ▲             │ fails: the caller is told why, and the games wait on
                      └─────────────┘

A change is acknowledged as saved when its transaction is on the disk, never before.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from noughts.store import Store, Stored, StoreUnavailable

RETRY = 1.0
"""Seconds until a database that failed is tried again."""


class Saver:
    """One thread that writes games to a store.

    Args:
        store: where to.
        on_saved: is told the ids of games that were saved late, in the writer's thread.
    """

    def __init__(
        self, store: Store, on_saved: Callable[[list[str]], None] = lambda _: None
    ) -> None:
        self._store = store
        self._on_saved = on_saved
        self._changed = threading.Condition()
        self._waiting: dict[str, Stored | None] = {}
        self._told: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[str | None]]] = []
        self._failure: str | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="saver", daemon=True)
        self._thread.start()

    @property
    def failure(self) -> str | None:
        """Why the last transaction failed, if it did."""
        return self._failure

    def is_waiting(self, id: str) -> bool:  # noqa: A002
        """Whether a game has changes that are not in the database yet."""
        return id in self._waiting

    async def save(self, game: Stored) -> str | None:
        """Write a game; return `None` when it is on the disk, or why it has to wait."""
        return await self._put(game.id, game)

    async def delete(self, id: str) -> str | None:  # noqa: A002
        """Delete a game, in the same way."""
        return await self._put(id, None)

    async def _put(self, id: str, game: Stored | None) -> str | None:  # noqa: A002
        loop = asyncio.get_running_loop()
        done: asyncio.Future[str | None] = loop.create_future()
        with self._changed:
            self._waiting[id] = game
            if self._failure is not None:
                return self._failure
            self._told.append((loop, done))
            self._changed.notify()
        return await done

    def close(self) -> str | None:
        """Write what is left and end; return why not all of it could be written."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join()
        return self._failure

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._failure is None:
                    self._changed.wait_for(lambda: self._waiting or self._ended)
                else:
                    self._changed.wait_for(lambda: self._ended, RETRY)
                if self._ended and not self._waiting:
                    return
                batch, told = dict(self._waiting), self._told
                self._told = []
            failed_before = self._failure is not None
            failure = None
            try:
                self._store.save(
                    [game for game in batch.values() if game is not None],
                    [key for key, game in batch.items() if game is None],
                )
            except StoreUnavailable as error:
                failure = str(error)
            with self._changed:
                self._failure = failure
                if failure is None:
                    for key, game in batch.items():
                        if self._waiting.get(key, game) is game:
                            self._waiting.pop(key, None)
                else:
                    told += self._told
                    self._told = []
                ended = self._ended
            for loop, done in told:
                loop.call_soon_threadsafe(_tell, done, failure)
            if failed_before and failure is None:
                self._on_saved(list(batch))
            if ended and failure is not None:
                return


def _tell(done: asyncio.Future[str | None], failure: str | None) -> None:
    if not done.done():
        done.set_result(failure)
