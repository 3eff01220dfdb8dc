"""The servers of one PostgreSQL database: which of them run, and which games they change.

    save, take ──► NOTIFY ──► the link of every other server ──► `changed` with the games' ids
    Link ──► advisory lock with the server's generation: it runs

Events may be lost with their connection. So each server is also asked to check its games every
`CHECK` seconds.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa

CHANNEL = "noughts"
RUNNING = 4_661_848
"""First key of the advisory lock of a running server; the second is its generation."""
CHECK = 5.0
"""Seconds between checks of all games."""
RETRY = 1.0
"""Seconds between attempts to connect again."""
WAIT = 0.25
"""Seconds to wait for an event before the link checks whether it was closed."""
LONGEST = 7_000
"""Most characters of an event; PostgreSQL allows 8,000 bytes."""

log = logging.getLogger(__name__)


class Link:
    """A connection that shows other servers that this one runs, and receives their events.

    Args:
        engine: of a database that `can_link` accepts.
        generation: the number of this server.

    Raises:
        SQLAlchemyError, psycopg.Error: the database does not answer.
    """

    def __init__(self, engine: sa.Engine, generation: int) -> None:
        self._engine, self._generation = engine, generation
        self._connection = self._connect()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self, changed: Callable[[Sequence[str] | None], None]) -> None:
        """Call `changed` in a thread: with changed games, and with `None` to check all."""
        self._thread = threading.Thread(
            target=self._run, args=(changed,), name="servers", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop, and show that the server no longer runs."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self._connection.close()

    def _connect(self) -> Any:
        """Return a connection of psycopg, out of the engine's pool."""
        pooled = self._engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()
        try:
            connection.autocommit = True
            # A shared lock, since PostgreSQL may still hold it for a connection that was lost.
            connection.execute(f"SELECT pg_advisory_lock_shared({RUNNING}, {self._generation})")
            connection.execute(f"LISTEN {CHANNEL}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _run(self, changed: Callable[[Sequence[str] | None], None]) -> None:
        checked = 0.0
        while not self._ended.is_set():
            try:
                if self._connection.closed:
                    self._connection = self._connect()
                    checked = 0.0
                for generation, ids in self._events():
                    if generation != self._generation:
                        changed(ids)
                if time.monotonic() - checked >= CHECK:
                    self._connection.execute("SELECT 1")
                    changed(None)
                    checked = time.monotonic()
            except Exception as error:
                # Whatever fails, the next attempt may work; the thread must not die.
                log.debug("the link to other servers: %s", error)
                self._connection.close()
                self._ended.wait(RETRY)

    def _events(self) -> Iterator[tuple[int, list[str]]]:
        for event in self._connection.notifies(timeout=WAIT):
            generation, *ids = event.payload.split()
            yield int(generation), ids


def can_link(engine: sa.Engine) -> bool:
    """Return whether several servers can share a database: PostgreSQL with its usual driver."""
    return engine.dialect.name == "postgresql" and engine.driver == "psycopg"


def announce(connection: sa.Connection, generation: int, ids: Iterable[str]) -> None:
    """Tell other servers that games changed, once the transaction ends."""
    tell = sa.text("SELECT pg_notify(:channel, :event)")
    event = str(generation)
    for id_ in ids:
        if len(event) + len(id_) >= LONGEST:
            connection.execute(tell, {"channel": CHANNEL, "event": event})
            event = str(generation)
        event += f" {id_}"
    if event != str(generation):
        connection.execute(tell, {"channel": CHANNEL, "event": event})


def running(connection: sa.Connection) -> set[int]:
    """Return the generations of the servers that run."""
    query = sa.text(
        "SELECT objid FROM pg_locks JOIN pg_database ON pg_database.oid = database "
        "WHERE locktype = 'advisory' AND classid = :key AND objsubid = 2 AND granted "
        "AND datname = current_database()"
    )
    return set(connection.scalars(query, {"key": RUNNING}))
