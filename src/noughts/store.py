"""Games in a database: an SQLite file by default, any SQLAlchemy URL.

    Stored ──save()────────► games ────load(id)──────► Stored
                                   ────find(player)──► summaries, the latest first
    Record ──add_result()──► results ──results()─────► JSON lines, the earliest first

A row of `games` holds a game of the page: who has its seats, its secrets, and its record as a JSON
line. A row of `results` holds a game of a match. The tables change by migrations,
`migrations/versions/NUMBER_WHAT.py`, which opening a store applies: whoever changes one below adds
a migration. They only ever add, so that no game is lost by an update.
"""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import IO

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Double,
    Engine,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    and_,
    bindparam,
    create_engine,
    delete,
    event,
    false,
    insert,
    inspect,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from noughts.games.record import Record, format_json_line

if sys.platform != "win32":
    import fcntl

MIGRATIONS = files("noughts") / "migrations"
OPENING = 4_661_847
"""The advisory lock under which one of several programs that open a PostgreSQL migrates it."""
SERVING = 4_661_848
"""The advisory lock of the one server that keeps its games in a PostgreSQL."""
PATIENCE = 1.0
"""Seconds that a locked database is waited for."""
RESULT_PATIENCE = 30.0
"""The same for the game of a match: nobody waits for it, and others may write theirs as well."""
SILENCE = 5.0
"""Seconds after which a database server that does not answer is given up."""
DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
"""The driver for URLs that name none."""
PACKAGES = {"psycopg": "psycopg[binary]", "MySQLdb": "mysqlclient"}
"""What to install for a driver, where the package has another name than the module."""

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
    Column("x_score", Double, nullable=False),
    Column("o_score", Double, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("next", String(32)),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Column("undone", Text),
    Index("games_of_x", "x_player", "updated"),
    Index("games_of_o", "o_player", "updated"),
)

results = Table(
    "results",
    metadata,
    Column("event", String(255), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("rules", String(64), nullable=False),
    Column("x", Text, nullable=False),
    Column("o", Text, nullable=False),
    Column("x_bot", Text, nullable=False),
    Column("o_bot", Text, nullable=False),
    Column("result", String(8), nullable=False),
    Column("termination", Text, nullable=False),
    Column("control", Text, nullable=False),
    Column("opening", Integer, nullable=False),
    Column("seed", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("played", Double, nullable=False),
    Index("results_by_time", "rules", "played"),
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
    undone: str | None = None
    """What was taken back, and variations there: a record that starts at the last position."""


class StoreUnavailable(Exception):
    """The database cannot be opened or does not answer; the message says why, in one sentence."""


def player_id(secret: str) -> str:
    """Return who holds a secret, without telling the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def file_url(path: str) -> str:
    """Return the URL of an SQLite file."""
    return URL.create("sqlite", database=path).render_as_string()


def without_password(url: str) -> str:
    """Return a database's URL, or the path of its file, as it may be shown."""
    return make_url(url).render_as_string(hide_password=True) if "://" in url else url


class Store:
    """The database of games; methods may be called from any thread.

    Args:
        url: as SQLAlchemy has it, such as `sqlite:////home/me/games.db` or
            `postgresql://me:secret@host/games`.

    Raises:
        StoreUnavailable: it cannot be opened, or is of a newer noughts.
        ValueError: not the URL of a database that keeps anything.
    """

    def __init__(self, url: str) -> None:
        parsed = _url(url)
        self._file = _file(parsed)
        self._seen: tuple[int, int] | None = None
        self._log: tuple[int, int] | None = None
        """Which files the database and its write-ahead log are."""
        self._opening = threading.Lock()
        self._claim = ExitStack()
        try:
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
            self._engine = _engine(parsed)
        except ImportError as error:
            package = PACKAGES.get(error.name or "", error.name)
            reason = f"this kind of database needs {error.name}: pip install '{package}'"
            raise StoreUnavailable(reason) from error
        except OSError as error:
            assert self._file is not None
            reason = f"the folder {self._file.parent} cannot be made: {error.strerror}"
            raise StoreUnavailable(reason) from error
        try:
            with self._opening, self._guarded():
                self._open()
        except BaseException:
            self._engine.dispose()
            raise

    def claim(self) -> None:
        """Take the database for this store alone, until it is closed or the program ends.

        A server keeps games in memory: two of them on one database would undo each other's moves.

        Raises:
            StoreUnavailable: another one has it.
        """
        with self._guarded(), ExitStack() as kept:
            if self._file is not None:
                # Not the database itself: to close a file that SQLite has open breaks its locks.
                lock = kept.enter_context(
                    self._file.with_name(f"{self._file.name}-server").open("w")
                )
                is_ours = _lock(lock)
            elif self._engine.dialect.name == "postgresql":
                connection = kept.enter_context(self._engine.connect())
                connection.execution_options(isolation_level="AUTOCOMMIT")
                ask = text(f"SELECT pg_try_advisory_lock({SERVING})")
                is_ours = bool(connection.scalar(ask))
            else:
                is_ours = True
            if not is_ours:
                raise StoreUnavailable("another noughts serve keeps its games there")
            self._claim = kept.pop_all()

    def save(self, stored: Sequence[Stored], deleted: Sequence[str] = ()) -> None:
        """Write games and delete others, all or nothing; an older version replaces no newer one.

        Raises:
            StoreUnavailable: nothing was written.
        """
        with self._connected() as connection:
            known = set(
                connection.scalars(select(games.c.id).where(games.c.id.in_([x.id for x in stored])))
            )
            new = [_row(game) for game in stored if game.id not in known]
            old = [
                _row(game) | {"this_id": game.id, "this_version": game.version}
                for game in stored
                if game.id in known
            ]
            if new:
                connection.execute(insert(games), new)
            if old:
                connection.execute(_REPLACE, old)
            if deleted:
                connection.execute(delete(games).where(games.c.id.in_(deleted)))

    def load(self, id: str) -> Stored | None:  # noqa: A002
        """Return a game by its id.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with self._connected() as connection:
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
        with self._connected() as connection:
            return [Stored(*row) for row in connection.execute(query)]

    def add_result(self, record: Record) -> bool:
        """Write a game of a match, and return whether it is a new one.

        A game that is known, by its event and its number, stays as it is.

        Raises:
            StoreUnavailable: nothing was written.
            ValueError: the record is not one of a match; the message names the tag.
        """
        row = _clean(_result_row(record))
        with self._connected() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql(f"PRAGMA busy_timeout={1000 * RESULT_PATIENCE:.0f}")
            try:
                with connection.begin_nested():
                    connection.execute(insert(results), row)
            except IntegrityError:
                return False
        return True

    def results(self, event: str | None = None, rules: str | None = None) -> list[str]:
        """Return the games of matches as JSON lines of `noughts.games.record`, the earliest first.

        Args:
            event: of this match alone, in the order of their numbers.
            rules: of this game alone, a rules id.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        query = select(results.c.record)
        if rules is not None:
            query = query.where(results.c.rules == rules)
        if event is None:
            query = query.order_by(results.c.played, results.c.event, results.c.number)
        else:
            query = query.where(results.c.event == event).order_by(results.c.number)
        with self._connected() as connection:
            return list(connection.scalars(query))

    def close(self) -> None:
        """Close all connections."""
        self._claim.close()
        self._engine.dispose()

    def _open(self) -> None:
        """Bring the database's tables up to date, and note which file it is."""
        with self._engine.connect() as connection, connection.begin():
            _migrate(connection)
        self._seen, self._log = _which(self._file), _which(_log_of(self._file))

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """Give a transaction on the file that stands at the path now.

        A file that was removed can still be written to where it is open, and nobody would find
        it again: so it counts as gone, and one that was put in its place is opened.
        """
        with self._guarded():
            if _which(self._file) != self._seen:
                with self._opening:
                    self._open_again()
            with self._engine.begin() as connection:
                yield connection

    def _open_again(self) -> None:
        found = _which(self._file)
        if found is None:
            raise StoreUnavailable(f"the file {self._file} is gone")
        if found != self._seen:
            self._engine.dispose()
            log = _log_of(self._file)
            if log is not None and self._log is not None and _which(log) == self._log:
                # SQLite would write what is in the old file's log to the new file.
                log.unlink()
            self._open()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn the errors of any database into `StoreUnavailable`."""
        try:
            yield
        except (SQLAlchemyError, self._engine.dialect.loaded_dbapi.Error, OSError) as error:
            said = str(getattr(error, "orig", None) or error)
            first = next(iter(said.splitlines()), type(error).__name__)
            raise StoreUnavailable(first) from error


_COLUMNS = [games.c[each.name] for each in fields(Stored)]
_REPLACE = (
    update(games)
    .where(games.c.id == bindparam("this_id"), games.c.version <= bindparam("this_version"))
    .values({each.name: bindparam(each.name) for each in games.c if each.name != "id"})
)


def _row(game: Stored) -> dict[str, object]:
    return _clean({column.name: getattr(game, column.name) for column in _COLUMNS})


def _result_row(record: Record) -> dict[str, object]:
    """Return what `results` has of a record.

    Raises:
        ValueError: it is not one of a match.
    """
    tags = record.tags
    missing = [name for name in ("Event", "Round", "X", "O", "Date") if not tags.get(name)]
    if missing:
        raise ValueError(f"a game of a match has the tag {missing[0]}, and this one has none")
    if record.played is None:
        reason = "which is no date in ISO form, perhaps with its Time"
        raise ValueError(f"the tag Date is {tags['Date']!r}, {reason}")
    for name in ("Round", "Opening"):
        if not tags.get(name, "0").isdecimal():
            raise ValueError(f"the tag {name} is {tags[name]!r}, which is no number")
    return {
        "event": tags["Event"],
        "number": int(tags["Round"]),
        "rules": record.start.rules_id,
        "x": tags["X"],
        "o": tags["O"],
        "x_bot": tags.get("XBot", ""),
        "o_bot": tags.get("OBot", ""),
        "result": record.result,
        "termination": record.termination,
        "control": tags.get("Control", ""),
        "opening": int(tags.get("Opening", "0")),
        "seed": tags.get("Seed", ""),
        "record": format_json_line(record),
        "played": record.played.timestamp(),
    }


def _clean(row: dict[str, object]) -> dict[str, object]:
    """Return a row without NUL, which PostgreSQL's texts do not hold; records have it escaped."""
    return {
        name: value.replace("\0", "") if isinstance(value, str) else value
        for name, value in row.items()
    }


def _url(given: str) -> URL:
    """Read a URL; one that names no driver gets the one that this program is tested with."""
    try:
        url = make_url(given)
        url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
        url.get_dialect()
    except NoSuchModuleError:
        known = "known are sqlite, postgresql and the other dialects of SQLAlchemy"
        raise ValueError(f"there is no kind of database {url.drivername!r}: {known}") from None
    except (ArgumentError, ValueError):  # a port that is no number is the latter
        wanted = "sqlite:////home/me/games.db or postgresql://me:secret@host/games"
        raise ValueError(f"not the URL of a database, such as {wanted}") from None
    except ImportError:
        pass  # Which package is missing is said when the engine is made.
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("a database in memory keeps nothing: name a file")
    return url


def _file(url: URL) -> Path | None:
    """Return the file of an SQLite database."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    path = url.database
    return Path(path.removeprefix("file:").partition("?")[0] if path.startswith("file:") else path)


def _lock(file: IO[str]) -> bool:
    """Lock a file until it is closed; return whether nobody else has."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _log_of(file: Path | None) -> Path | None:
    """Return the write-ahead log of an SQLite file."""
    return file and file.with_name(file.name + "-wal")


def _which(file: Path | None) -> tuple[int, int] | None:
    """Return which file stands at a path, if any does."""
    if file is None:
        return None
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": PATIENCE})
        event.listen(engine, "connect", _settle)
        return engine
    wait: dict[str, object] = {}
    if url.drivername == "postgresql+psycopg":
        wait = {
            "connect_timeout": round(SILENCE),
            "tcp_user_timeout": round(1000 * SILENCE),
            "options": f"-c statement_timeout={1000 * SILENCE:.0f}",
        }
    return create_engine(url, pool_pre_ping=True, pool_timeout=SILENCE, connect_args=wait)


def _settle(connection: object, _: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    # A commit is on the disk when it returns, and readers do not wait for it.
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _migrate(connection: Connection) -> None:
    """Apply the migrations that a database lacks, one program at a time.

    Raises:
        StoreUnavailable: the database is of a newer noughts, or of another program.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({OPENING})")
    scripts = ScriptDirectory(str(MIGRATIONS))
    context = MigrationContext.configure(connection)
    current = context.get_current_revision()
    steps = {step.revision: step for step in scripts.walk_revisions()}
    if current is not None and current not in steps:
        raise StoreUnavailable(
            f"it was written by a newer noughts (its tables are of version {current}, and this one "
            f"knows {scripts.get_current_head()}): update noughts"
        )
    if current is None and inspect(connection).has_table(games.name):
        raise StoreUnavailable("it has a table of games that noughts did not make")
    for step in reversed(list(scripts.iterate_revisions("head", current or "base"))):
        with Operations.context(context):
            step.module.upgrade()
        context.stamp(scripts, step.revision)
    # What may only be read is refused now, not at the first move.
    connection.execute(delete(games).where(false()))
