"""The store: SQLite and a real PostgreSQL; migrated, refused, and shared."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from databases import ADA, BOB, cluster, stored
from patience import PATIENCE
from sqlalchemy import create_engine, text

import noughts
from noughts.database import store as module
from noughts.database.store import Store, Stored, StoreUnavailable, file_url, player_id
from noughts.explorer.counts import Outcomes, added, line_of, steps
from noughts.extras import pip_install
from noughts.games.record import UNFINISHED, Record, format_json_line, parse_json_line


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with cluster() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return file_url(str(tmp_path / "games.db"))
    server: str = request.getfixturevalue("postgres")
    engine = create_engine(driven(server), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("DROP DATABASE IF EXISTS test WITH (FORCE)"))
        connection.execute(text("CREATE DATABASE test"))
    engine.dispose()
    return server.replace("/postgres", "/test")


def driven(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = Store(url)
    yield opened
    opened.close()


def test_saved_game_is_loaded_exactly(store: Store) -> None:
    game = stored(swapped=True, next="b", undone="{}", record='{"comment": "☃ \\u0000"}\n')
    store.save([game])
    assert store.load("a") == game
    assert store.load("b") is None


def test_newer_version_replaces_an_older_and_never_the_reverse(store: Store) -> None:
    store.save([stored(version=1), stored("b")])
    store.save([stored(version=3), stored("b", version=1), stored("c")])
    store.save([stored(version=2)])
    versions = [getattr(store.load(id_), "version", None) for id_ in "abc"]
    assert versions == [3, 1, 0]
    store.save([], ["a", "c"])
    assert [store.load(id_) is None for id_ in "abc"] == [True, False, True]


def test_text_with_a_nul_blocks_no_other_game(store: Store) -> None:
    store.save([stored(termination="odd\0end"), stored("b")])
    kept = store.load("a")
    assert kept is not None
    assert kept.termination == "oddend"


def test_games_are_found_by_player_and_words_latest_first(store: Store) -> None:
    store.save(
        [
            stored("a", 1),
            stored("b", 2, words="connect4 engine, level 4"),
            stored("c", 3, x_player=BOB, o_player=ADA),
            stored("d", 4, x_player=BOB),
        ]
    )

    def found(*words: str, player: str = ADA, **how: Any) -> str:
        return "".join(game.id for game in store.find(player, words=words, **how))

    assert found() == "cba"
    assert found(player=BOB) == "dc"
    assert found(player=player_id("")) == ""
    assert found("LEVEL", "connect") == "b"
    assert found("Über") == "ca"
    assert found("100%") == "ca"
    assert found("a_b") == "ca"
    assert found("%") == "ca"
    assert found("1_0") == ""
    assert found(count=2) == "cb"
    assert found(before=(stored("b", 2).updated, "b")) == "a"


def test_games_of_the_same_moment_are_each_on_one_page(store: Store) -> None:
    store.save([stored(id_) for id_ in "gfedcba"])
    seen, before = "", None
    while page := store.find(ADA, before=before, count=3):
        seen += "".join(game.id for game in page)
        before = page[-1].updated, page[-1].id
    assert seen == "gfedcba"


# Results of matches


def of_a_match(
    number: int = 1, game: str = "basic", moves: str = "5 1 3 4 7", **tags: str
) -> Record:
    """Return a stored game of a match."""
    start = noughts.game(game)
    of_all = {"Event": "e", "Round": str(number), "X": "a", "O": "b", "Date": "2026-03-01"}
    return Record.from_moves(start, noughts.parse_moves(start, moves), of_all | tags)


def test_results_are_loaded_unchanged(store: Store) -> None:
    games = [
        of_a_match(
            2, Date="2026-03-02", Time="10:00:00", Seed=str(2**80), Fault="O: odd \0 \u2028 text"
        ),
        of_a_match(1, Date="2026-03-02T12:30:00+02:00", XBot="engine:level=4", Opening="2"),
        of_a_match(1, "connect4", "4453", Event="f"),
    ]
    swapped = of_a_match(1, "mnk:6,6,4", "a1", Event="g", Opening="swap2")
    assert store.add_result(swapped)
    assert [parse_json_line(line) for line in store.results("g")] == [swapped]
    for game in games:
        assert store.add_result(game)
    by_time = [parse_json_line(line) for line in store.results() if line not in store.results("g")]
    assert by_time == [games[2], games[0], games[1]], "10:00 is before 10:30 UTC"
    of_event = [parse_json_line(line) for line in store.results("e")]
    assert of_event == [games[1], games[0]]
    assert [parse_json_line(line) for line in store.results(rules="connect4")] == [games[2]]
    assert store.results("nothing") == []


def test_known_result_is_not_replaced(store: Store) -> None:
    assert store.add_result(of_a_match(1))
    assert not store.add_result(of_a_match(1, moves="1 2 3"))
    assert store.add_result(of_a_match(1, Event="f"))
    assert [parse_json_line(line) for line in store.results("e")] == [of_a_match(1)]


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        ({"Event": ""}, "has no tag Event"),
        ({"X": ""}, "has no tag X"),
        ({"Date": "yesterday"}, "the tag Date is 'yesterday', not an ISO date"),
        ({"Round": "first"}, "the tag Round is 'first', not a number"),
        ({"Round": "swap2"}, "the tag Round is 'swap2', not a number"),
        ({"Opening": "-1"}, "the tag Opening is '-1', not a number"),
    ],
)
def test_record_without_a_match_is_refused(
    tmp_path: Path, tags: dict[str, str], reason: str
) -> None:
    opened = Store(file_url(str(tmp_path / "games.db")))
    with pytest.raises(ValueError, match=reason):
        opened.add_result(of_a_match(1, **tags))
    assert opened.results() == []
    opened.close()


def test_concurrent_writers_store_a_result_once(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        new = list(pool.map(store.add_result, [of_a_match(n % 5) for n in range(40)]))
    assert new.count(True) == len(store.results()) == 5


# Migrations


def versions(url: str) -> list[str]:
    engine = create_engine(driven(url))
    with engine.connect() as connection:
        found = list(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())
    engine.dispose()
    return found


def test_migrations_create_the_store_s_tables(url: str) -> None:
    Store(url).close()
    engine = create_engine(driven(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, module.metadata) == []
    engine.dispose()


REVISIONS = [step.revision for step in ScriptDirectory(str(module.MIGRATIONS)).walk_revisions()]


def test_newest_migration_is_known() -> None:
    assert REVISIONS[0] == module.NEWEST


@pytest.mark.parametrize("older", REVISIONS[1:])
def test_database_of_every_older_version_is_migrated(
    url: str, older: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ScriptDirectory.iterate_revisions
    monkeypatch.setattr(
        ScriptDirectory, "iterate_revisions", lambda self, _, lower: whole(self, older, lower)
    )
    Store(url).close()
    assert versions(url) == [older]
    columns = [each.name for each in fields(Stored) if each.default is MISSING]
    row = {name: getattr(stored("old"), name) for name in columns}
    engine = create_engine(driven(url))
    with engine.begin() as connection:
        names = ", ".join(columns)
        places = ", ".join(f":{name}" for name in columns)
        connection.execute(text(f"INSERT INTO games ({names}) VALUES ({places})"), row)
    engine.dispose()
    monkeypatch.undo()
    new = Store(url)
    assert versions(url) == REVISIONS[:1]
    assert new.load("old") == stored("old")
    new.save([finished("over", "5 1 3 2 7")])
    new.count_games(new.uncounted(10))
    assert counts_of(new) == recounted("5 1 3 2 7")
    assert new.add_result(of_a_match())
    new.close()


def test_failed_migration_leaves_the_database_unchanged(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    with monkeypatch.context() as broken:
        broken.setattr(MigrationContext, "stamp", fail)
        with pytest.raises(RuntimeError):
            Store(url)
    opened = Store(url)
    opened.save([stored()])
    opened.close()


def test_database_of_a_newer_noughts_is_refused(url: str) -> None:
    Store(url).close()
    engine = create_engine(driven(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreUnavailable, match=r"a newer noughts .* 9999.*: update noughts"):
        Store(url)


def test_database_with_other_tables_is_left_alone(url: str) -> None:
    engine = create_engine(driven(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE games (title TEXT)"))
    engine.dispose()
    with pytest.raises(StoreUnavailable, match="a table of games that noughts did not make"):
        Store(url)


def open_one(url: str, id: str, gate: Any) -> None:  # noqa: A002
    gate.wait(PATIENCE)
    opened = Store(url)
    opened.save([stored(id)])
    opened.close()


def test_concurrent_programs_migrate_an_empty_database_once(url: str) -> None:
    spawn = multiprocessing.get_context("spawn")
    gate = spawn.Barrier(3)
    programs = [spawn.Process(target=open_one, args=(url, id_, gate)) for id_ in "abc"]
    for program in programs:
        program.start()
    for program in programs:
        program.join(PATIENCE)
    assert [program.exitcode for program in programs] == [0] * 3
    assert len(versions(url)) == 1
    opened = Store(url)
    assert len(opened.find(ADA)) == 3
    opened.close()


def test_threads_share_a_store(store: Store) -> None:
    failed: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for version in range(10):
                store.save([stored(name, version)])
                kept = store.load(name)
                assert kept is not None
                assert kept.version == version
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_one_server_claims_a_file_until_it_closes_it(tmp_path: Path) -> None:
    first, second = (Store(file_url(str(tmp_path / "games.db"))) for _ in range(2))
    first.claim()
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="another `noughts serve` uses it"):
            second.claim()
    first.save([stored()])
    assert second.load("a") == stored(), "reading is allowed"
    first.close()
    second.claim()
    second.close()


# Databases that cannot be opened, or fail later


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("games.db", "not the URL of a database, such as sqlite:"),
        ("nonsense://x", "no kind of database is called 'nonsense': known are sqlite"),
        ("postgresql+nonsense://x", "no kind of database is called 'postgresql.nonsense'"),
        ("sqlite://", "a database in memory is lost at the end. Name a file"),
        ("sqlite:///:memory:", "a database in memory"),
        ("sqlite:///", "a database in memory"),
        ("postgresql://x:port/y", "not the URL of a database"),
    ],
)
def test_invalid_database_urls_are_refused(url: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Store(url)


def test_missing_driver_is_named_with_its_package() -> None:
    with pytest.raises(StoreUnavailable, match=r"needs oracledb: .* -m pip install 'oracledb'"):
        Store("oracle://x")
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from noughts.database.store import Store, StoreUnavailable\n"
        "try: Store('postgresql://x/y')\n"
        "except StoreUnavailable as error: print(error)"
    )
    said = subprocess.check_output((sys.executable, "-c", program), text=True)
    assert said == f"this kind of database needs psycopg: {pip_install('psycopg[binary]')}\n"


def test_file_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    (tmp_path / "no-database").write_text("a letter to a friend, longer than a header " * 9)
    Store(file_url(str(tmp_path / "games.db"))).close()
    for path, said in (
        ("no-database", "file is not a database"),
        ("no-database/games.db", "the folder .*no-database cannot be made: "),
        (".", "unable to open database file"),
    ):
        with pytest.raises(StoreUnavailable, match=said):
            Store(file_url(str(tmp_path / path)))
    with pytest.raises(StoreUnavailable, match="readonly"):
        Store(f"sqlite:///file:{tmp_path}/games.db?mode=ro&uri=true")


def test_missing_folder_is_created(tmp_path: Path) -> None:
    Store(file_url(str(tmp_path / "new" / "folder" / "odd ?#% name.db"))).close()
    assert (tmp_path / "new" / "folder" / "odd ?#% name.db").exists()


def test_refusing_server_is_reported(postgres: str) -> None:
    for wrong, said in (
        (postgres.replace("a%20secret", "no%20secret"), 'password .* failed for user "noughts"'),
        (postgres.replace("/postgres", "/nowhere"), 'database "nowhere" does not exist'),
        (postgres.replace("127.0.0.1:", "127.0.0.1:1"), "."),
    ):
        with pytest.raises(StoreUnavailable, match=said) as caught:
            Store(wrong)
        assert "secret" not in str(caught.value)
        assert "\n" not in str(caught.value)


def test_locked_file_fails_after_a_second_and_is_saved_later(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    opened = Store(file_url(str(path)))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="database is locked"):
        opened.save([stored()])
    assert opened.load("a") is None, "a file locked for writing can be read"
    other.execute("ROLLBACK")
    other.close()
    opened.save([stored()])
    assert opened.load("a") == stored()
    opened.close()


def test_full_file_fails_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle = module._settle

    def small(connection: Any, record: Any) -> None:
        settle(connection, record)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={max(pages, 16)}")

    monkeypatch.setattr(module, "_settle", small)
    opened = Store(file_url(str(tmp_path / "games.db")))
    opened.save([stored()])
    with pytest.raises(StoreUnavailable, match="full"):
        opened.save([stored("b"), stored("c", record="x" * 200_000)])
    assert opened.load("b") is None
    assert opened.load("a") == stored()
    opened.close()


def test_removed_file_is_missing_until_it_is_back(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    opened = Store(file_url(str(path)))
    opened.save([stored()])
    aside = tmp_path / "aside"
    path.rename(aside)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"the file .*games\.db is gone"):
            opened.save([stored("b")])
    aside.rename(path)
    opened.save([stored("b")])
    assert len(opened.find(ADA)) == 2
    opened.close()
    assert sqlite3.connect(path).execute("SELECT count(*) FROM games").fetchone() == (2,)


def test_replaced_file_is_opened(tmp_path: Path) -> None:
    path, other = tmp_path / "games.db", tmp_path / "other.db"
    opened = Store(file_url(str(path)))
    opened.save([stored()])
    second = Store(file_url(str(other)))
    second.save([stored("b")])
    second.close()
    os.replace(other, path)  # noqa: PTH105
    assert opened.load("a") is None
    assert opened.load("b") == stored("b")
    path.unlink()
    path.touch()
    opened.save([stored("c")])
    assert [game.id for game in opened.find(ADA)] == ["c"]
    opened.close()


def test_restarted_server_is_used_again(postgres: str) -> None:
    opened = Store(postgres)
    engine = create_engine(driven(postgres), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> :me"),
            {"me": connection.execute(text("SELECT pg_backend_pid()")).scalar()},
        )
    engine.dispose()
    opened.save([stored()])
    assert opened.load("a") == stored()
    opened.close()


# One writer of each game


def test_server_writes_no_game_of_another(url: str) -> None:
    """Whatever became of the locks."""
    first, second = Store(url), Store(url)
    first.claim()
    assert first.save([stored(), stored("b"), stored("d")]) == []
    forget(first)
    second.claim()
    taken = [second.take(id_) for id_ in "abd"]
    assert taken == [stored(), stored("b"), stored("d")]
    assert all(game and game.owner == second.generation for game in taken)
    assert first.save([stored(version=1), stored("c")], ["b"]) == ["a", "b"]
    assert second.load("a") == stored()
    assert second.load("b") == stored("b")
    assert second.save([stored(version=1)], ["b"]) == []
    assert first.take("x") is None
    assert {game.id for game in second.find(ADA)} == {"a", "c", "d"}
    first.take("c")
    second.take("c")
    assert first.save([replace(stored("c", version=5), owner=first.generation)]) == ["c"]
    first.close()
    second.close()


def test_another_path_to_a_claimed_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    (tmp_path / "folder").symlink_to(tmp_path)
    first = Store(file_url(str(tmp_path / "link.db")))
    first.claim()
    for path in ("games.db", "folder/games.db"):
        second = Store(file_url(str(tmp_path / path)))
        with pytest.raises(StoreUnavailable, match="another `noughts serve` uses it"):
            second.claim()
        second.close()
    first.save([stored()])
    (tmp_path / "second.db").hardlink_to(tmp_path / "games.db")
    with pytest.raises(StoreUnavailable):  # by SQLite itself
        Store(file_url(str(tmp_path / "second.db")))
    first.close()
    second = Store(file_url(str(tmp_path / "second.db")))
    with pytest.raises(StoreUnavailable, match="has a second name, a hard link"):
        second.claim()
    second.close()


def forget(store: Store) -> None:
    """Release the lock of a store, which does not know it."""
    store._claim.close()


def test_newer_version_is_never_replaced_by_a_server(url: str) -> None:
    server = Store(url)
    server.claim()
    server.save([stored(version=3)])
    assert server.save([stored("b"), stored(version=2)]) == ["a"]
    loaded = server.load("a")
    assert loaded is not None
    assert loaded.version == 3
    server.close()


def test_games_of_a_replaced_file_are_this_server_s(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    server = Store(file_url(str(path)))
    server.claim()
    server.save([stored()])
    server.close()
    shutil.copy(path, copy)
    server = Store(file_url(str(path)))
    server.claim()
    server.take("a")
    server.save([stored(version=1)])
    copy.replace(path)
    assert server.save([stored(version=2), stored("b")]) == []
    assert server.load("a") == stored(version=2)
    server.close()


# Several servers on PostgreSQL


on_postgresql = pytest.mark.parametrize("url", ["postgresql"], indirect=True)


def until(true: Callable[[], bool]) -> None:
    """Wait for a result of another thread."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@on_postgresql
def test_owner_is_known_while_its_server_runs(url: str) -> None:
    first, second = Store(url), Store(url)
    first.claim()
    second.claim()
    first.save([stored()])
    assert second.states(["a", "x"]) == {"a": (0, first.generation)}
    first.close()
    until(lambda: second.states(["a"]) == {"a": (0, None)})
    second.take("a")
    assert second.states(["a"]) == {"a": (0, second.generation)}
    second.close()


@on_postgresql
def test_servers_hear_of_each_other_s_changes_also_after_a_lost_connection(url: str) -> None:
    engine = create_engine(driven(url))
    ending = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
    first, second = Store(url), Store(url)
    heard: list[Sequence[str] | None] = []
    first.claim()
    second.claim()
    second.follow(heard.append)
    many = [f"{n:016}" for n in range(1_000)]
    for attempt in range(2):
        until(lambda: None in heard)
        heard.clear()
        first.save([stored(id_, version=attempt) for id_ in many])
        until(lambda: sum(len(ids or ()) for ids in heard) == len(many))
        assert sorted(id_ for ids in heard for id_ in ids or ()) == many
        second.save([stored("own", version=attempt)])
        first.take("a")
        first.save([], [many.pop()])
        with engine.connect() as connection:
            connection.execute(text(ending))
        heard.clear()
    until(lambda: None in heard)
    until(lambda: first.states(["own"]) == {"own": (1, second.generation)})
    first.close()
    second.close()
    engine.dispose()


# Counted moves


def finished(id_: str, moves: str, **changed: Any) -> Stored:
    """Return a game of basic with these moves; it is over, or resigned by O."""
    game = Record.from_moves(noughts.game("basic"), moves)
    if game.result == UNFINISHED:
        game = Record.from_moves(game.start, moves, result="1-0", termination="resignation")
    return stored(id_, result=game.result, record=format_json_line(game), **changed)


def count_all(store: Store) -> None:
    while ids := store.uncounted(2):
        store.count_games(ids)


def recounted(*lines: str) -> dict[int, Outcomes]:
    """Return the counts of games of basic, from their records alone."""
    found = [line_of(finished("", line).record) for line in lines]
    return added(each for line in found for each in line.counted)


def counts_of(store: Store) -> dict[int, Outcomes]:
    """Return all counts of a store."""
    with store._engine.connect() as connection:
        rows = connection.execute(text("SELECT step, x, draws, o FROM steps"))
        return {key: Outcomes(*outcomes) for key, *outcomes in rows}


def test_finished_games_are_counted_once(store: Store) -> None:
    lines = ["5 1 3 2 7", "5 2 3 1 7", "5 9 7 8 3", "1", "1 5 9 2 8 7 3 6 4"]
    store.save([finished(f"game{number}", line) for number, line in enumerate(lines)])
    store.save([stored("running"), stored("own", result="1-0", record="{}")])
    assert len(store.uncounted(100)) == len(lines) + 1
    count_all(store)
    assert counts_of(store) == recounted(*lines)
    store.count_games(["game0", "game1", "running", "unknown"])
    assert counts_of(store) == recounted(*lines)
    start = noughts.game("basic")
    first = store.outcomes(list(steps(start)))
    assert [first[key] for key, moves in steps(start).items() if 4 in moves] == [(3, 0, 0)]
    assert sum(each.games for each in first.values()) == len(lines)


def test_changed_and_deleted_games_are_counted_anew(store: Store) -> None:
    store.save([finished("a", "5 1 3 2 7"), finished("b", "5 1 3 2 7"), finished("c", "1")])
    count_all(store)
    store.save([stored("a", version=1), finished("b", "5 1 3 7 4 6 2 8 9", version=1)], ["c"])
    assert sorted(store.uncounted(100)) == ["a", "b", "c"]
    count_all(store)
    assert counts_of(store) == recounted("5 1 3 7 4 6 2 8 9")
    store.save([finished("b", "5 1 3 7 4 6 2 8 9", version=2)])
    count_all(store)
    assert counts_of(store) == recounted("5 1 3 7 4 6 2 8 9")
    store.save([], ["b"])
    count_all(store)
    assert counts_of(store) == {}


def test_two_programs_count_every_game_once(store: Store, url: str) -> None:
    lines = ["5 1 3 2 7", "1 5 9", "2 5 8 1 9", "1 9 3 2 7 4"]
    store.save([finished(f"game{number}", line) for number, line in enumerate(4 * lines)])
    other = Store(url)
    with ThreadPoolExecutor(4) as pool:
        ids = [store.uncounted(4) for _ in range(2)] + [other.uncounted(16) for _ in range(2)]
        for each in [
            pool.submit(one.count_games, batch)
            for one, batch in zip((store, other, store, other), ids, strict=True)
        ]:
            each.result()
    other.close()
    count_all(store)
    assert counts_of(store) == recounted(*(4 * lines))
