"""The writer of games: many games in one transaction, retried after a failure.

    save(game) ──► waiting ──► one transaction ──► the callers continue
                      ▲             │ fails or is slow: the callers get the reason
                      └─────────────┘ the games stay waiting; `on_saved` reports them later

A change counts as saved once its transaction is on disk. A reply waits for that at most `PATIENCE`
seconds. A game that belongs to another server is not written: its callers get `MOVED`.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from noughts.database.store import Store, Stored

RETRY = 1.0
"""Seconds from a failure to the next attempt."""
PATIENCE = 1.0
"""Seconds that a reply waits for the database."""
PACE = 0.02
"""Least seconds between transactions, so that under load each holds many games."""
FAREWELL = 10.0
"""Seconds that closing waits for the last transaction."""
SLOW = "the database has not answered yet"
MOVED = "another server has the game"


class Saver:
    """A thread that writes games to a store.

    Args:
        store: the store.
        on_saved: called in the writer's thread with the ids of games saved late.
        on_moved: the same with games that belong to another server and whose callers do not wait.
        on_written: called in the writer's thread with the games of each transaction.
        patience: seconds that a reply waits for the database.
        farewell: seconds that closing waits for the last transaction.
        retry: seconds from a failure to the next attempt.
    """

    def __init__(
        self,
        store: Store,
        on_saved: Callable[[list[str]], None] = lambda _: None,
        on_moved: Callable[[list[str]], None] = lambda _: None,
        on_written: Callable[[Mapping[str, Stored | None]], None] = lambda _: None,
        *,
        patience: float = PATIENCE,
        farewell: float = FAREWELL,
        retry: float = RETRY,
    ) -> None:
        self.patience = patience
        self.farewell = farewell
        self.retry = retry
        self._store = store
        self._on_saved, self._on_moved, self._on_written = on_saved, on_moved, on_written
        self._changed = threading.Condition()
        self._waiting: dict[str, Stored | None] = {}
        """Games not on disk yet; `None` for a game to delete."""
        self._writing: frozenset[str] = frozenset()
        """Games of the transaction that runs."""
        self._callers: list[tuple[str, asyncio.AbstractEventLoop, asyncio.Future[str | None]]] = []
        self._late: set[str] = set()
        """Ids of games whose callers got a failure."""
        self._failure: str | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="saver", daemon=True)
        self._thread.start()

    @property
    def failure(self) -> str | None:
        """The reason if the last transaction failed or is overdue."""
        return self._failure

    def __len__(self) -> int:
        """Return the number of waiting games."""
        return len(self._waiting)

    def is_waiting(self, id: str) -> bool:  # noqa: A002
        """Return whether a game has changes that are not on disk."""
        return id in self._waiting

    def is_deleted(self, id: str) -> bool:  # noqa: A002
        """Return whether a game waits to be deleted."""
        return id in self._waiting and self._waiting[id] is None

    async def save(self, game: Stored) -> str | None:
        """Write a game; return `None` once it is on disk, or the reason why it waits."""
        return await self._put(game.id, game)

    async def delete(self, id: str) -> str | None:  # noqa: A002
        """Delete a game; return as `save` does."""
        return await self._put(id, None)

    async def _put(self, id: str, game: Stored | None) -> str | None:  # noqa: A002
        loop = asyncio.get_running_loop()
        done: asyncio.Future[str | None] = loop.create_future()
        with self._changed:
            self._waiting[id] = game
            if self._failure is not None:
                self._late.add(id)
                return self._failure
            self._callers.append((id, loop, done))
            self._changed.notify()
        try:
            async with asyncio.timeout(self.patience):
                failure = await done
        except TimeoutError:
            with self._changed:
                if id not in self._waiting:
                    return None
                self._late.add(id)
                self._failure = failure = self._failure or SLOW
        return failure

    async def drop(self, id: str) -> None:  # noqa: A002
        """Forget the unsaved changes of a game, also those that are just being written."""
        with self._changed:
            self._waiting.pop(id, None)
            self._late.discard(id)
            dropped = [caller for caller in self._callers if caller[0] == id]
            self._callers = [caller for caller in self._callers if caller[0] != id]
        for _, _, done in dropped:
            _tell(done, MOVED)
        while id in self._writing:
            await asyncio.sleep(PACE)

    def close(self) -> tuple[str, list[Stored]] | None:
        """Write the waiting games and stop; return the reason and the games on failure."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(self.farewell)
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
                    self._changed.wait_for(lambda: self._ended, self.retry)
                if self._ended and not self._waiting:
                    return
            time.sleep(max(0.0, began + PACE - time.monotonic()))
            began = time.monotonic()
            with self._changed:
                batch, callers = dict(self._waiting), self._callers
                self._writing, self._callers = frozenset(batch), []
            moved, failure = self._write(batch)
            with self._changed:
                self._failure, self._writing = failure, frozenset()
                ended = self._ended
                if failure is None:
                    for key, game in batch.items():
                        if self._waiting.get(key, game) is game:
                            self._waiting.pop(key, None)
                    told = {id_ for id_, _, _ in callers} - self._late
                    late = list(self._late.difference(self._waiting, moved))
                    self._late.intersection_update(self._waiting)
                else:
                    told, late = set(), []
                    callers += self._callers
                    self._callers = []
                    self._late.update(self._waiting)
            # The event loop may have closed before a slow database answered.
            with suppress(RuntimeError):
                for id_, loop, done in callers:
                    loop.call_soon_threadsafe(_tell, done, MOVED if id_ in moved else failure)
                if late:
                    self._on_saved(late)
                if not told.issuperset(moved):
                    self._on_moved([id_ for id_ in moved if id_ not in told])
            if ended and failure is not None:
                return

    def _write(self, batch: dict[str, Stored | None]) -> tuple[list[str], str | None]:
        """Write games in one transaction.

        Returns the ids of games that belong to another server, and the reason if it fails.
        """
        try:
            moved = self._store.save(
                [game for game in batch.values() if game is not None],
                [key for key, game in batch.items() if game is None],
            )
        except Exception as error:
            # Any failure is reported and retried; the thread must not die.
            return [], str(error) or type(error).__name__
        self._on_written(batch)
        return moved, None


def _tell(done: asyncio.Future[str | None], failure: str | None) -> None:
    if not done.done():
        done.set_result(failure)


def unsaved_message(reason: str, games: Sequence[Stored]) -> str:
    """Return a message with the records of games that could not be saved."""
    count = "1 game was" if len(games) == 1 else f"{len(games)} games were"
    message = f"noughts: {count} not saved ({reason}). Import these lines on the page:\n"
    return message + "".join(game.record for game in games)
