"""Games in a database: an SQLite file by default, any SQLAlchemy URL.

    Stored ──save()──► games ──load(id)──────► Stored
                             ──find(player)──► summaries, the latest first

A row holds one game: who has its seats, its secrets, and its record as a JSON line. Schema changes
are migrations (`noughts/migrations`), which opening a store applies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from sqlalchemy import (
    Boolean,
    Column,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    and_,
    create_engine,
    delete,
    event,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("rules", String(64), nullable=False),
    Column("position", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("result", String(8), nullable=False),
    Column("termination", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("x", Text, nullable=False),
    Column("o", Text, nullable=False),
    Column("x_player", String(64)),
    Column("o_player", String(64)),
    Column("swapped", Boolean, nullable=False),
    Column("watch_key", String(32), nullable=False),
    Column("join_key", String(32), nullable=False),
    Column("x_score", Float, nullable=False),
    Column("o_score", Float, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("next", String(32)),
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Index("games_of_x", "x_player", "updated"),
    Index("games_of_o", "o_player", "updated"),
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as the database has it."""

    id: str
    version: int
    rules: str
    position: str
    """The last position."""
    plies: int
    result: str
    termination: str
    record: str
    """A JSON line of `noughts.games.record`."""
    words: str
    """What a search looks in, in lower case."""
    x: str
    o: str
    """Who has the seat: `person`, `open`, or the text of an opponent."""
    x_player: str | None
    o_player: str | None
    """Of a person, who it is: `player_id` of a secret."""
    swapped: bool
    watch_key: str
    join_key: str
    x_score: float
    o_score: float
    draws: int
    """The score of the series before this game."""
    next: str | None
    """The id of the rematch."""
    created: float
    updated: float
    """Seconds since 1970, UTC."""


class StoreUnavailable(Exception):
    """The database does not answer, is locked or full; the message says which."""


def player_id(secret: str) -> str:
    """Return who holds a secret, without telling the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Store:
    """The database of games; methods may be called from any thread.

    Args:
        url: as SQLAlchemy has it, such as `sqlite:////home/me/games.db` or
            `postgresql+psycopg://…`.

    Raises:
        StoreUnavailable: it cannot be opened.
        ValueError: not a URL, or one of a database whose driver is not installed.
    """

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        if self.url.get_backend_name() == "sqlite" and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        self._engine = _engine(url)
        metadata.create_all(self._engine)

    def save(self, stored: Sequence[Stored], deleted: Sequence[str] = ()) -> None:
        """Write games and delete others, all or nothing; an older version replaces no newer one.

        Raises:
            StoreUnavailable: nothing was written.
        """
        with _Guard(), self._engine.begin() as connection:
            for game in stored:
                row = asdict(game)
                changed = connection.execute(
                    update(games)
                    .where(games.c.id == game.id, games.c.version <= game.version)
                    .values(row)
                )
                known = changed.rowcount or connection.scalar(
                    select(games.c.id).where(games.c.id == game.id)
                )
                if not known:
                    connection.execute(insert(games).values(row))
            if deleted:
                connection.execute(delete(games).where(games.c.id.in_(deleted)))

    def load(self, id: str) -> Stored | None:  # noqa: A002
        """Return a game by its id.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with _Guard(), self._engine.connect() as connection:
            row = connection.execute(select(*_COLUMNS).where(games.c.id == id)).one_or_none()
        return None if row is None else Stored(*row)

    def find(
        self,
        player: str,
        *,
        words: Sequence[str] = (),
        before: tuple[float, str] | None = None,
        count: int = 20,
    ) -> list[Stored]:
        """Return the games of a player, the latest first.

        Args:
            player: a `player_id`.
            words: only those in which all of these occur.
            before: only those behind the one with this `updated` and `id`.
            count: at most so many.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        wanted = [or_(games.c.x_player == player, games.c.o_player == player)]
        wanted += [games.c.words.contains(word.lower(), autoescape=True) for word in words]
        if before is not None:
            updated, id_ = before
            earlier = and_(games.c.updated == updated, games.c.id < id_)
            wanted.append(or_(games.c.updated < updated, earlier))
        query = (
            select(*_COLUMNS)
            .where(*wanted)
            .order_by(games.c.updated.desc(), games.c.id.desc())
            .limit(count)
        )
        with _Guard(), self._engine.connect() as connection:
            return [Stored(*row) for row in connection.execute(query)]

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()


_COLUMNS = [games.c[each.name] for each in fields(Stored)]


class _Guard:
    """Turns the errors of any database into `StoreUnavailable`."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, SQLAlchemyError):
            raise StoreUnavailable(str(getattr(error, "orig", None) or error)) from error


def _engine(url: str) -> Engine:
    engine = create_engine(url, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def settle(connection: object, _: object) -> None:
            cursor = connection.cursor()  # type: ignore[attr-defined]
            # A commit is on the disk when it returns, and readers do not wait for it.
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
            cursor.execute("PRAGMA busy_timeout=1000")
            cursor.close()

    return engine
