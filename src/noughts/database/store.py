"""Games in a database: an SQLite file by default, any SQLAlchemy URL.

    Stored ──save()────────► games ────load(id)──────► Stored
                                   ────find(player)──► games, the latest first
    games ──count_games()──► counted, steps ──outcomes()──► how often moves were played
    Record ──add_result()──► results ──results()─────► JSON lines, the earliest first

A row of `games` is a game of the page: its players, its secret keys, its record as a JSON line, and
its owner, the one server that may write it. A row of `steps` has the results of the finished games
with a move, up to rotation and reflection (`explorer.counts`), and one of `counted` has the steps
that a game added to them. A row of `results` is a game of a match. The row of
`server` has the generation of the last server (each new one takes the next number) and a secret,
which hides the addresses in `games.origin`. Opening a store applies the migrations in
`migrations/versions/`: a change to a table below needs a new one.
Migrations only add columns and tables, so that an update loses no game.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib.resources import files
from itertools import chain
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from noughts.database.servers import Link, announce, can_link, running
from noughts.explorer.counts import CountedLine, Outcomes, added, line_of
from noughts.extras import pip_install
from noughts.games.record import SWAP2, UNFINISHED, Record, format_json_line, lock
from noughts.games.swap2 import opening_moves

MIGRATIONS = files("noughts.database") / "migrations"
NEWEST = "0007"
"""The newest migration."""
OPENING = 4_661_847
"""Advisory lock of PostgreSQL: one program at a time migrates the tables."""
PATIENCE = 1.0
"""Seconds to wait for a locked database."""
RESULT_PATIENCE = 30.0
"""Seconds to wait, with a game of a match, for a database locked by other matches."""
PAUSE = 0.01
"""Seconds between two tries to set the log of a new file."""
SILENCE = 5.0
"""Seconds to wait for a database server."""
DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
"""The driver for URLs that name none."""
PACKAGES = {"psycopg": "psycopg[binary]", "MySQLdb": "mysqlclient"}
"""The package of a driver whose module has another name."""

metadata = sa.MetaData()

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("rules", sa.String(64), nullable=False),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("plies", sa.Integer, nullable=False),
    sa.Column("result", sa.String(8), nullable=False),
    sa.Column("termination", sa.Text, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("x", sa.Text, nullable=False),
    sa.Column("o", sa.Text, nullable=False),
    sa.Column("x_player", sa.String(64)),
    sa.Column("o_player", sa.String(64)),
    sa.Column("swapped", sa.Boolean, nullable=False),
    sa.Column("watch_key", sa.String(32), nullable=False),
    sa.Column("join_key", sa.String(32), nullable=False),
    sa.Column("x_score", sa.Double, nullable=False),
    sa.Column("o_score", sa.Double, nullable=False),
    sa.Column("draws", sa.Integer, nullable=False),
    sa.Column("next", sa.String(32)),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("updated", sa.Double, nullable=False),
    sa.Column("undone", sa.Text),
    sa.Column("owner", sa.Integer),
    sa.Column("origin", sa.String(32)),
    sa.Column("x_name", sa.String(32)),
    sa.Column("o_name", sa.String(32)),
    sa.Column("x_left", sa.Double),
    sa.Column("o_left", sa.Double),
    sa.Column("since", sa.Double),
    sa.Column("offers", sa.Text),
    sa.Index("games_of_x", "x_player", "updated"),
    sa.Index("games_of_o", "o_player", "updated"),
    sa.Index("games_by_origin", "origin"),
)

results = sa.Table(
    "results",
    metadata,
    sa.Column("event", sa.String(255), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("rules", sa.String(64), nullable=False),
    sa.Column("x", sa.Text, nullable=False),
    sa.Column("o", sa.Text, nullable=False),
    sa.Column("x_bot", sa.Text, nullable=False),
    sa.Column("o_bot", sa.Text, nullable=False),
    sa.Column("result", sa.String(8), nullable=False),
    sa.Column("termination", sa.Text, nullable=False),
    sa.Column("control", sa.Text, nullable=False),
    sa.Column("opening", sa.Integer, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("played", sa.Double, nullable=False),
    sa.Index("results_by_time", "rules", "played"),
)

steps = sa.Table(
    "steps",
    metadata,
    sa.Column("step", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("x", sa.Integer, nullable=False),
    sa.Column("draws", sa.Integer, nullable=False),
    sa.Column("o", sa.Integer, nullable=False),
)

counted = sa.Table(
    "counted",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("line", sa.Text, nullable=False),
)

server = sa.Table(
    "server",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("secret", sa.String(32)),
)


@dataclass(frozen=True, slots=True)
class Stored:
    """A game in the database."""

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
    """Text for searches, in lower case."""
    x: str
    o: str
    """The player of each side: `person`, `open`, or the text of an opponent."""
    x_player: str | None
    o_player: str | None
    """The `player_id` of each side that is a person."""
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
    """Undone moves and their variations: a record that starts at the last position."""
    owner: int | None = field(default=None, compare=False)
    """The generation of the server that may write it; `None` of a game that is not stored yet."""
    origin: str | None = None
    """The network address that opened it, as `Store.origin` hides it."""
    x_name: str | None = None
    o_name: str | None = None
    """The names that people gave."""
    x_left: float | None = None
    o_left: float | None = None
    """Seconds left on the clocks at `since`; `None` without clocks."""
    since: float | None = None
    """The time since which the clock of the side to move runs, in seconds since 1970, UTC."""
    offers: str | None = None
    """The offers of `noughts.web.offers` as text."""


class StoreUnavailable(Exception):
    """The database cannot be opened or does not answer; the message is one sentence."""


def player_id(secret: str) -> str:
    """Return the id of the player with a secret; the secret cannot be found from it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def file_url(path: str) -> str:
    """Return the URL of an SQLite file."""
    return URL.create("sqlite", database=path).render_as_string()


def without_password(url: str) -> str:
    """Return the URL or path of a database without its password."""
    return make_url(url).render_as_string(hide_password=True) if "://" in url else url


class Store:
    """The database of games; methods may be called from any thread.

    Args:
        url: of SQLAlchemy, such as `sqlite:////home/me/games.db` or
            `postgresql://me:secret@host/games`.

    Raises:
        StoreUnavailable: the database cannot be opened, or a newer noughts wrote it.
        ValueError: not the URL of a database, or of one in memory.
    """

    def __init__(self, url: str) -> None:
        parsed = _url(url)
        self._file = _file(parsed)
        self._seen: tuple[int, int] | None = None
        self._log: tuple[int, int] | None = None
        """Device and inode of the database and of its write-ahead log."""
        self._opening = threading.Lock()
        self._claim = ExitStack()
        self._link: Link | None = None
        """The link to other servers on PostgreSQL."""
        self.generation = 0
        """The number of this server; 0 if the store has not claimed the database."""
        try:
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
            self._engine = _engine(parsed)
        except ImportError as error:
            package = PACKAGES.get(error.name or "", error.name)
            reason = f"this kind of database needs {error.name}: {pip_install(str(package))}"
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
        """Use the database as a server, until the store is closed or the program ends.

        A server keeps games in memory, so each game belongs to one server at a time. On PostgreSQL
        several servers share the games; a file has one server.

        Raises:
            StoreUnavailable: another server uses the file.
        """
        with self._guarded(), ExitStack() as kept:
            if self._file is not None and not _is_locked(self._file.resolve(), kept):
                raise StoreUnavailable("another `noughts serve` uses it")
            with self._connected() as connection:
                self.generation = _next_generation(connection)
            self.origin("")  # Reads the secret: a game is opened while the database is down, too.
            if can_link(self._engine):
                self._link = kept.enter_context(closing(Link(self._engine, self.generation)))
            self._claim = kept.pop_all()

    def follow(self, changed: Callable[[Sequence[str] | None], None]) -> None:
        """Call `changed` with the games that other servers change and their events, in a thread.

        It gets `None` every few seconds, and whenever events may have been lost: any game may have
        changed. It is never called if no other server can use the database.
        """
        if self._link is not None:
            self._link.follow(changed)

    @property
    def is_shared(self) -> bool:
        """Whether other servers can use the database at the same time."""
        return self._link is not None

    def announce(self, events: Sequence[str]) -> None:
        """Send texts without spaces to the other servers, which get them like ids of games.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with self._connected() as connection:
            announce(connection, self.generation, events)

    def save(self, stored: Sequence[Stored], deleted: Sequence[str] = ()) -> list[str]:
        """Write games and delete others in one transaction; never replace a newer version.

        Returns the ids of the games that were left alone, since they belong to another server.

        Raises:
            StoreUnavailable: nothing was written.
        """
        with self._connected() as connection:
            ids = sa.select(games.c.id).where(games.c.id.in_([game.id for game in stored]))
            known = set(connection.scalars(ids))
            # A file may have been replaced by one without the game.
            is_new = {game.id: game.owner is None or self._file is not None for game in stored}
            new = [game for game in stored if game.id not in known and is_new[game.id]]
            old = [game for game in stored if game.id in known]
            if new:
                connection.execute(sa.insert(games), [self._row(game) for game in new])
            written = {game.id for game in new}
            if old:
                written |= self._replace(connection, old)
            gone = set(deleted)
            if deleted:
                chosen = games.c.id.in_(deleted)
                ours = sa.and_(chosen, games.c.owner == self.generation)
                connection.execute(sa.delete(games).where(ours))
                gone -= set(connection.scalars(sa.select(games.c.id).where(chosen)))
            if can_link(self._engine):
                announce(connection, self.generation, [*written, *gone])
        asked = [*(game.id for game in stored), *deleted]
        return [id_ for id_ in asked if id_ not in written | gone]

    def _replace(self, connection: sa.Connection, stored: Sequence[Stored]) -> set[str]:
        """Write games that the database has; return the ids of those that belong to this server."""
        rows = [
            self._row(game)
            | {"this_id": game.id, "this_version": game.version, "this_owner": self.generation}
            for game in stored
        ]
        if connection.execute(_REPLACE, rows).rowcount == len(stored):
            return {game.id for game in stored}
        found = sa.select(games.c.id, games.c.version, games.c.owner)
        query = found.where(games.c.id.in_([game.id for game in stored]))
        states = {id_: (version, owner) for id_, version, owner in connection.execute(query)}
        return {g.id for g in stored if states.get(g.id) == (g.version, self.generation)}

    def _row(self, game: Stored) -> dict[str, object]:
        row = {column.name: getattr(game, column.name) for column in _COLUMNS}
        return _clean(row | {"owner": self.generation})

    def take(self, id: str) -> Stored | None:  # noqa: A002
        """Make this server the owner of a game, and return it; `None` if there is none.

        If its server has ended, a running clock is charged from now on only.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with self._connected() as connection:
            chosen = games.c.id == id
            is_left = games.c.owner.not_in(self._running(connection))
            runs = sa.and_(chosen, is_left, games.c.since.is_not(None))
            connection.execute(sa.update(games).where(runs).values(since=time.time()))
            connection.execute(sa.update(games).where(chosen).values(owner=self.generation))
            if can_link(self._engine):
                announce(connection, self.generation, [id])
            row = connection.execute(sa.select(*_COLUMNS).where(chosen)).one_or_none()
        return None if row is None else Stored(*row)

    def states(self, ids: Sequence[str]) -> dict[str, tuple[int, int | None]]:
        """Return the version and the owner of games; `None` if the owner does not run.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        query = sa.select(games.c.id, games.c.version, games.c.owner).where(games.c.id.in_(ids))
        with self._connected() as connection:
            run = self._running(connection)
            rows = connection.execute(query)
            return {id_: (version, owner if owner in run else None) for id_, version, owner in rows}

    def _running(self, connection: sa.Connection) -> set[int]:
        others = running(connection) if can_link(self._engine) else set()
        return {self.generation, *others}

    def load(self, id: str) -> Stored | None:  # noqa: A002
        """Return a game by its id.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with self._connected() as connection:
            row = connection.execute(sa.select(*_COLUMNS).where(games.c.id == id)).one_or_none()
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
            words: only games that contain all of these.
            before: only games after the one with this `updated` and `id` in the list.
            count: maximum number of games.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        wanted = [sa.or_(games.c.x_player == player, games.c.o_player == player)]
        wanted += [games.c.words.contains(word.lower(), autoescape=True) for word in words]
        if before is not None:
            updated, id_ = before
            earlier = sa.and_(games.c.updated == updated, games.c.id < id_)
            wanted.append(sa.or_(games.c.updated < updated, earlier))
        query = (
            sa.select(*_COLUMNS)
            .where(*wanted)
            .order_by(games.c.updated.desc(), games.c.id.desc())
            .limit(count)
        )
        with self._connected() as connection:
            return [Stored(*row) for row in connection.execute(query)]

    def origin(self, address: str) -> str:
        """Return a network address as a code, which is of no use without this database's secret.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        return hashlib.blake2b(address.encode(), key=self._secret, digest_size=16).hexdigest()

    @cached_property
    def _secret(self) -> bytes:
        with self._connected() as connection:
            secret: str = connection.execute(sa.select(server.c.secret)).scalar_one()
        return secret.encode()

    def use(self, address: str) -> tuple[int, int]:
        """Return the number of games that a network address has opened, and their characters.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        size = sa.func.length(games.c.record) + sa.func.coalesce(sa.func.length(games.c.undone), 0)
        total = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(size), 0))
        query = total.where(games.c.origin == self.origin(address))
        with self._connected() as connection:
            count, characters = connection.execute(query).one()
        return count, int(characters)

    def uncounted(self, most: int) -> list[str]:
        """Return the ids of at most `most` games that are new or changed since they were counted.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        both = games.outerjoin(counted, games.c.id == counted.c.id)
        is_new = sa.and_(games.c.result != UNFINISHED, counted.c.id.is_(None))
        changed = sa.select(games.c.id).select_from(both)
        changed = changed.where(sa.or_(is_new, counted.c.version != games.c.version)).limit(most)
        gone = sa.select(counted.c.id).where(counted.c.id.not_in(sa.select(games.c.id))).limit(most)
        with self._connected() as connection:
            found = [*connection.scalars(changed), *connection.scalars(gone)]
        return found[:most]

    def count_games(self, ids: Sequence[str]) -> None:
        """Count the first moves of games; correct the counts of changed and deleted games.

        Raises:
            StoreUnavailable: nothing was counted.
        """
        query = sa.select(games.c.id, games.c.version, games.c.result, games.c.record)
        with self._connected() as connection:
            rows = connection.execute(query.where(games.c.id.in_(ids))).all()
        versions = {row.id: row.version for row in rows}
        lines = {row.id: line_of(row.record) for row in rows if row.result != UNFINISHED}
        with self._connected() as connection:
            # This row is a lock: one program at a time counts.
            connection.execute(sa.update(server).values(generation=server.c.generation))
            now = sa.select(games.c.id, games.c.version).where(games.c.id.in_(ids))
            if {row.id: row.version for row in connection.execute(now)} != versions:
                return  # They are changing, and will be counted afterwards.
            chosen = counted.c.id.in_(ids)
            query = sa.select(counted.c.line).where(chosen)
            before = [CountedLine.parse(line) for line in connection.scalars(query)]
            connection.execute(sa.delete(counted).where(chosen))
            kept = [
                {"id": id_, "version": versions[id_], "line": str(line)}
                for id_, line in lines.items()
            ]
            if kept:
                connection.execute(sa.insert(counted), kept)
            more = added(chain.from_iterable(line.counted for line in lines.values()))
            less = added(chain.from_iterable(line.counted for line in before))
            none = Outcomes()
            changes = {key: more.get(key, none).minus(less.get(key, none)) for key in more | less}
            _change_steps(connection, {key: each for key, each in changes.items() if any(each)})

    def outcomes(self, keys: Collection[int]) -> dict[int, Outcomes]:
        """Return the results of the games with each step, by its key; no entry without games.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        query = sa.select(steps).where(steps.c.step.in_(keys))
        with self._connected() as connection:
            return {key: Outcomes(*outcomes) for key, *outcomes in connection.execute(query)}

    def add_result(self, record: Record) -> bool:
        """Add a game of a match, and return whether it is new.

        A known game, with the same event and number, is not changed.

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
                    connection.execute(sa.insert(results), row)
            except IntegrityError:
                return False
        return True

    def results(self, event: str | None = None, rules: str | None = None) -> list[str]:
        """Return the games of matches as JSON lines of `noughts.games.record`, the earliest first.

        Args:
            event: only this match, in the order of the games' numbers.
            rules: only this game, a rules id.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        query = sa.select(results.c.record)
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
        """Migrate the tables, and remember the file."""
        with self._engine.connect() as connection, connection.begin():
            _migrate(connection)
            if self.generation:  # The file was replaced: all its games are this server's.
                self.generation = _next_generation(connection)
                connection.execute(sa.update(games).values(owner=self.generation))
        self._seen, self._log = _which(self._file), _which(_log_of(self._file))

    @contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        """Open a transaction on the current file of the database.

        An open file can be written to after its removal, and the games would be lost: a removed
        file counts as gone, and a replaced file is opened again.
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
                # SQLite would apply the old file's log to the new file.
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


def _change_steps(connection: sa.Connection, changes: Mapping[int, Outcomes]) -> None:
    """Add changes to the rows of steps; delete rows without games."""
    chosen = steps.c.step.in_(changes)
    rows = connection.execute(sa.select(steps).where(chosen))
    known = ((key, Outcomes(*outcomes)) for key, *outcomes in rows)
    whole = added(chain(known, changes.items()))
    connection.execute(sa.delete(steps).where(chosen))
    left = [{"step": key, **each._asdict()} for key, each in whole.items() if any(each)]
    if left:
        connection.execute(sa.insert(steps), left)


def _next_generation(connection: sa.Connection) -> int:
    """Return a number that no server on the database has had."""
    connection.execute(sa.update(server).values(generation=server.c.generation + 1))
    generation: int = connection.execute(sa.select(server.c.generation)).scalar_one()
    return generation


def _is_locked(file: Path, kept: ExitStack) -> bool:
    """Lock a file for one server, until `kept` is closed; return whether that worked."""
    if file.stat().st_nlink > 1:
        raise StoreUnavailable(f"{file} has a second name, a hard link, which SQLite forbids")
    # A lock on the database itself would release SQLite's locks when it is closed.
    return lock(kept.enter_context(file.with_name(f"{file.name}-server").open("w")))


_COLUMNS = [games.c[each.name] for each in fields(Stored)]
_REPLACE = (
    sa.update(games)
    .where(
        games.c.id == sa.bindparam("this_id"),
        games.c.version <= sa.bindparam("this_version"),
        games.c.owner == sa.bindparam("this_owner"),
    )
    .values({each.name: sa.bindparam(each.name) for each in games.c if each.name != "id"})
)


def _result_row(record: Record) -> dict[str, object]:
    """Return the row of `results` for a record.

    Raises:
        ValueError: the record is not of a match.
    """
    tags = record.tags
    missing = [name for name in ("Event", "Round", "X", "O", "Date") if not tags.get(name)]
    if missing:
        raise ValueError(f"the game has no tag {missing[0]}, which every game of a match has")
    if record.played is None:
        reason = "not an ISO date, with or without a Time"
        raise ValueError(f"the tag Date is {tags['Date']!r}, {reason}")
    for name in ("Round", "Opening"):
        if not tags.get(name, "0").isdecimal() and (name, tags[name]) != ("Opening", SWAP2):
            raise ValueError(f"the tag {name} is {tags[name]!r}, not a number")
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
        "opening": opening_moves(record),
        "seed": tags.get("Seed", ""),
        "record": format_json_line(record),
        "played": record.played.timestamp(),
    }


def _clean(row: dict[str, object]) -> dict[str, object]:
    """Return a row without NUL characters, which PostgreSQL refuses; records escape them."""
    return {
        name: value.replace("\0", "") if isinstance(value, str) else value
        for name, value in row.items()
    }


def _url(given: str) -> URL:
    """Parse a URL, and add the default driver if it names none."""
    try:
        url = make_url(given)
        url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
        url.get_dialect()
    except NoSuchModuleError:
        known = "known are sqlite, postgresql and the other dialects of SQLAlchemy"
        raise ValueError(f"no kind of database is called {url.drivername!r}: {known}") from None
    except (ArgumentError, ValueError):  # ValueError: the port is not a number
        wanted = "sqlite:////home/me/games.db or postgresql://me:secret@host/games"
        raise ValueError(f"not the URL of a database, such as {wanted}") from None
    except ImportError:
        pass  # Creating the engine reports the missing package.
    if url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("a database in memory is lost at the end. Name a file")
    return url


def _file(url: URL) -> Path | None:
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    path = url.database
    return Path(path.removeprefix("file:").partition("?")[0] if path.startswith("file:") else path)


def _log_of(file: Path | None) -> Path | None:
    """Return the write-ahead log of an SQLite file."""
    return file and file.with_name(file.name + "-wal")


def _which(file: Path | None) -> tuple[int, int] | None:
    """Return the device and inode of the file at a path, if there is one."""
    if file is None:
        return None
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _engine(url: URL) -> sa.Engine:
    if url.get_backend_name() == "sqlite":
        engine = sa.create_engine(url, connect_args={"timeout": PATIENCE})
        sa.event.listen(engine, "connect", _settle)
        return engine
    wait: dict[str, object] = {}
    if url.drivername == "postgresql+psycopg":
        wait = {
            "connect_timeout": round(SILENCE),
            "tcp_user_timeout": round(1000 * SILENCE),
            "options": f"-c statement_timeout={1000 * SILENCE:.0f}",
        }
    return sa.create_engine(url, pool_pre_ping=True, pool_timeout=SILENCE, connect_args=wait)


def _settle(connection: object, _: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    # A commit is on disk when it returns, and readers do not wait for writers.
    _set_log(cursor)
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _set_log(cursor: sqlite3.Cursor) -> None:
    """Set a write-ahead log.

    Of two programs that set the log of a new file at once, SQLite refuses one without a wait,
    whatever its timeout: that program tries again.
    """
    last = time.monotonic() + SILENCE
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > last:
                raise
        time.sleep(PAUSE)


def _migrate(connection: sa.Connection) -> None:
    """Apply the migrations that a database lacks, one program at a time.

    Raises:
        StoreUnavailable: a newer noughts or another program made the tables.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA busy_timeout={1000 * SILENCE:.0f}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        connection.exec_driver_sql(f"PRAGMA busy_timeout={1000 * PATIENCE:.0f}")
    elif connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({OPENING})")
    inspector = sa.inspect(connection)
    current = (
        connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        if inspector.has_table("alembic_version")
        else None
    )
    if current is None and inspector.has_table(games.name):
        raise StoreUnavailable("it has a table of games that noughts did not make")
    if current != NEWEST:
        _upgrade(connection, current)
    # Refuse a read-only database now, not at the first move.
    connection.execute(sa.delete(games).where(sa.false()))


def _upgrade(connection: sa.Connection, current: str | None) -> None:
    """Apply the migrations after the current one."""
    # Alembic would take a tenth of the start of a server, which seldom needs it.
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS))
    context = MigrationContext.configure(connection)
    steps = {step.revision: step for step in scripts.walk_revisions()}
    if current is not None and current not in steps:
        raise StoreUnavailable(
            f"it was written by a newer noughts (its tables are of version {current}, and this one "
            f"knows {NEWEST}): update noughts"
        )
    for step in reversed(list(scripts.iterate_revisions("head", current or "base"))):
        with Operations.context(context):
            step.module.upgrade()
        context.stamp(scripts, step.revision)
