"""Games on their way to the database: many in one transaction, none forgotten if it fails.

    save(game) ──► waiting ──► one transaction ──► what was waited for is done
                      ▲             │ fails, or takes long: the caller is told why
                      └─────────────┘ the games wait on, and who listens is told when they are saved

A change is acknowledged as saved when its transaction is on the disk, never before, and an answer
waits for that no longer than `PATIENCE`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from noughts.store import Store, Stored

RETRY = 1.0
"""Seconds until a database that failed is tried again."""
PATIENCE = 1.0
"""Seconds that an answer waits for the database."""
PACE = 0.02
"""Seconds from one transaction to the next, so that under load each holds many games."""
FAREWELL = 10.0
"""Seconds that closing waits for the last transaction."""
SLOW = "the database has not answered yet"


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
        """What is not on the disk yet; `None` stands for a game that is to be deleted."""
        self._told: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[str | None]]] = []
        self._late: set[str] = set()
        """Games whose callers know that they are not saved."""
        self._failure: str | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="saver", daemon=True)
        self._thread.start()

    @property
    def failure(self) -> str | None:
        """Why the last transaction failed, or has not ended yet, if so."""
        return self._failure

    def __len__(self) -> int:
        """How many games wait."""
        return len(self._waiting)

    def is_waiting(self, id: str) -> bool:  # noqa: A002
        """Whether a game has changes that are not in the database yet."""
        return id in self._waiting

    def is_deleted(self, id: str) -> bool:  # noqa: A002
        """Whether a game is in the database only until it can be deleted there."""
        return id in self._waiting and self._waiting[id] is None

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
                self._late.add(id)
                return self._failure
            self._told.append((loop, done))
            self._changed.notify()
        try:
            async with asyncio.timeout(PATIENCE):
                failure = await done
        except TimeoutError:
            with self._changed:
                if id not in self._waiting:
                    return None
                self._late.add(id)
                self._failure = failure = self._failure or SLOW
        return failure

    def close(self) -> tuple[str, list[Stored]] | None:
        """Write what is left and end; return why, and which games, could not be written."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(FAREWELL)
        with self._changed:
            if not self._waiting:
                return None
            return self._failure or SLOW, [game for game in self._waiting.values() if game]

    def _run(self) -> None:
        began = 0.0
        while True:
            with self._changed:
                if self._failure is None:
                    self._changed.wait_for(lambda: self._waiting or self._ended)
                else:
                    self._changed.wait_for(lambda: self._ended, RETRY)
                if self._ended and not self._waiting:
                    return
            time.sleep(max(0.0, began + PACE - time.monotonic()))
            began = time.monotonic()
            with self._changed:
                batch, told = dict(self._waiting), self._told
                self._told = []
            failure = self._write(batch)
            with self._changed:
                self._failure = failure
                ended = self._ended
                if failure is None:
                    for key, game in batch.items():
                        if self._waiting.get(key, game) is game:
                            self._waiting.pop(key, None)
                    late = list(self._late.difference(self._waiting))
                    self._late.intersection_update(self._waiting)
                else:
                    late = []
                    told += self._told
                    self._told = []
                    self._late.update(self._waiting)
            # A database that answers after the farewell finds nobody there any more.
            with suppress(RuntimeError):
                for loop, done in told:
                    loop.call_soon_threadsafe(_tell, done, failure)
                if late:
                    self._on_saved(late)
            if ended and failure is not None:
                return

    def _write(self, batch: dict[str, Stored | None]) -> str | None:
        """Write games in one transaction; return why that failed."""
        try:
            self._store.save(
                [game for game in batch.values() if game is not None],
                [key for key, game in batch.items() if game is None],
            )
        except Exception as error:
            # Whatever it is, the thread lives, the games wait on, and people are told.
            return str(error) or type(error).__name__
        return None


def _tell(done: asyncio.Future[str | None], failure: str | None) -> None:
    if not done.done():
        done.set_result(failure)


def farewell(reason: str, games: Sequence[Stored]) -> str:
    """Return what is said of games that could not be saved: their records, to be imported again."""
    count = "a game is" if len(games) == 1 else f"{len(games)} games are"
    said = f"noughts: {count} not saved ({reason}); these lines can be imported on the page\n"
    return said + "".join(game.record for game in games)
