"""Games on their way to the database: in groups, late, refused, and at the end of the server."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from test_store import stored

import noughts
from noughts.apps.web import saving
from noughts.apps.web.game import Game, game_of, stored_of
from noughts.apps.web.games import Games
from noughts.apps.web.models import NewGame
from noughts.apps.web.pool import Engines, Pool
from noughts.apps.web.problems import Refused
from noughts.apps.web.saving import SLOW, Saver, farewell
from noughts.apps.web.told import view
from noughts.arena.round import Round
from noughts.games.record import Node, Record, parse_text
from noughts.store import Store, Stored, StoreUnavailable, file_url, player_id

ADA = player_id("ada")


class Doubtful(Store):
    """A store that fails, or takes its time, as a test wants."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.failure: Exception | None = None
        self.open = threading.Event()
        self.open.set()
        self.batches: list[list[str]] = []

    def save(self, stored: Sequence[Stored], deleted: Sequence[str] = ()) -> None:
        self.batches.append([*(game.id for game in stored), *deleted])
        assert self.open.wait(60)
        if self.failure is not None:
            raise self.failure
        super().save(stored, deleted)


@pytest.fixture
def store(tmp_path: Path) -> Doubtful:
    return Doubtful(file_url(str(tmp_path / "games.db")))


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> float:
    """Return how long answers wait for the database; in tests longer: the machine may be busy."""
    usual = saving.PATIENCE
    monkeypatch.setattr(saving, "PATIENCE", 60.0)
    return usual


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that the saver does by itself."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.01)


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


# The saver


def test_games_that_come_together_are_written_together(store: Doubtful) -> None:
    async def test() -> None:
        saver = Saver(store)
        store.open.clear()
        first = asyncio.create_task(saver.save(stored("first")))
        await until(lambda: store.batches == [["first"]])
        others = [asyncio.create_task(saver.save(stored(f"{n}"))) for n in range(5)]
        gone = asyncio.create_task(saver.delete("first"))
        await asyncio.sleep(0)
        store.open.set()
        assert await asyncio.gather(first, *others, gone) == [None] * 7
        assert [len(batch) for batch in store.batches] == [1, 6]
        assert store.load("first") is None
        assert saver.close() is None

    run(test())


def test_a_game_waits_while_the_database_fails_and_is_told_when_it_is_saved(
    store: Doubtful,
) -> None:
    async def test() -> None:
        told: list[str] = []
        saver = Saver(store, told.extend)
        store.failure = StoreUnavailable("the disk is full")
        assert await saver.save(stored("a")) == "the disk is full"
        began = time.monotonic()
        assert await saver.save(stored("b")) == saver.failure == "the disk is full"
        assert time.monotonic() - began < saving.RETRY / 2, "nobody waits for a known failure"
        assert saver.is_waiting("a")
        assert len(saver) == 2
        store.failure = None
        await until(lambda: len(told) == 2)
        assert sorted(told) == ["a", "b"]
        assert len(saver) == 0
        assert await saver.save(stored("c")) is None
        assert sorted(told) == ["a", "b"], "what was saved at once is not told again"
        assert store.load("a") == stored("a")
        assert saver.close() is None

    run(test())


def test_an_answer_waits_a_second_for_a_database_that_hangs(
    store: Doubtful, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "PATIENCE", patience)

    async def test() -> None:
        told: list[str] = []
        saver = Saver(store, told.extend)
        store.open.clear()
        began = time.monotonic()
        assert await saver.save(stored("a")) == SLOW
        waited = time.monotonic() - began
        assert waited >= saving.PATIENCE - 0.05
        began = time.monotonic()
        assert await saver.save(stored("a", 1)) == SLOW
        assert time.monotonic() - began < saving.PATIENCE / 2
        store.open.set()
        await until(lambda: told == ["a"])
        kept = store.load("a")
        assert kept is not None
        assert kept.version == 1, "told when the last version is on the disk, not before"
        assert saver.failure is None
        assert saver.close() is None

    run(test())


def test_a_fault_of_another_kind_does_not_end_the_saver(store: Doubtful) -> None:
    async def test() -> None:
        saver = Saver(store)
        store.failure = RuntimeError("never thought of")
        assert await saver.save(stored("a")) == "never thought of"
        store.failure = None
        await until(lambda: len(saver) == 0)
        assert store.load("a") == stored("a")
        assert saver.close() is None

    run(test())


def test_closing_tries_once_more_and_returns_what_could_not_be_written(store: Doubtful) -> None:
    async def test() -> None:
        saver = Saver(store)
        store.failure = StoreUnavailable("no space")
        await saver.save(stored("a"))
        await saver.save(stored("b"))
        await saver.delete("c")
        left = saver.close()
        assert left == ("no space", [stored("a"), stored("b")])
        said = farewell(*left)
        assert said.startswith("noughts: 2 games are not saved (no space); these lines can be ")
        assert said.endswith(stored("a").record + stored("b").record)

    run(test())


def test_closing_does_not_wait_for_ever(store: Doubtful, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "FAREWELL", 0.2)
    monkeypatch.setattr(saving, "PATIENCE", 0.2)

    async def test() -> None:
        saver = Saver(store)
        store.open.clear()
        await saver.save(stored("a"))
        assert saver.close() == (SLOW, [stored("a")])
        store.open.set()

    run(test())


# Games


@asynccontextmanager
async def table(store: Store) -> AsyncIterator[Games]:
    pool = Pool()
    games = Games(store, pool, Engines())
    try:
        yield games
    finally:
        games.close()
        await pool.close()


async def opened(games: Games, moves: str = "") -> Game:
    return await games.open(NewGame(start="basic", moves=moves, x="me", o="me"), ADA)


async def play(games: Games, game: Game, move: str) -> None:
    await games.change(game, game.version, ADA, lambda game, side: games.play(game, side, move))


def test_a_game_goes_on_while_the_file_is_locked_and_is_saved_after(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def test() -> None:
        store = Store(file_url(str(path)))
        async with table(store) as games:
            game = await opened(games)
            seen = asyncio.Event()
            game.listeners[seen] = ADA
            other = sqlite3.connect(path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            await play(games, game, "5")
            assert time.monotonic() - began < 10
            shown = view(game, ADA).saved
            assert not shown.done
            assert shown.notice is not None
            assert shown.notice.startswith("Not saved yet (")
            await play(games, game, "1")
            assert view(game, ADA).moves == ["5", "1"]
            other.execute("ROLLBACK")
            other.close()
            await until(lambda: view(game, ADA).saved.done)
            seen.clear()
            await play(games, game, "9")
            assert seen.is_set()
            kept = store.load(game.id)
            assert kept == stored_of(game)
        store.close()

    run(test())


def test_a_file_that_is_removed_and_comes_back_has_the_game(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def test() -> None:
        store = Store(file_url(str(path)))
        async with table(store) as games:
            game = await opened(games)
            path.rename(tmp_path / "aside")
            await play(games, game, "5")
            assert "is gone" in str(view(game, ADA).saved.notice)
            told = asyncio.Event()
            game.listeners[told] = ADA
            (tmp_path / "aside").rename(path)
            async with asyncio.timeout(60):
                await told.wait()
            assert view(game, ADA).saved.done
            assert store.load(game.id) == stored_of(game)
        store.close()

    run(test())


def test_new_games_are_refused_when_too_many_wait(
    store: Doubtful, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.apps.web.games.MOST_OPEN", 2)

    async def test() -> None:
        async with table(store) as games:
            store.failure = StoreUnavailable("no space")
            kept = [await opened(games), await opened(games)]
            with pytest.raises(StoreUnavailable, match="no space"):
                await opened(games)
            await play(games, kept[0], "5")
            store.failure = None
            await until(lambda: len(games.saver) == 0)
            await opened(games)

    run(test())


def test_a_deleted_game_stays_deleted_while_the_database_is_slow(store: Doubtful) -> None:
    async def test() -> None:
        async with table(store) as games:
            game = await opened(games)
            store.failure = StoreUnavailable("no space")
            await games.delete(game, ADA)
            with pytest.raises(Refused, match="no such game"):
                await games.get(game.id, ADA)
            store.failure = None
            await until(lambda: len(games.saver) == 0)
            assert store.load(game.id) is None

    run(test())


def test_games_that_nobody_needs_leave_memory_and_come_back_as_they_were(
    store: Doubtful, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.apps.web.games.MOST_OPEN", 3)

    async def test() -> None:
        async with table(store) as games:
            made = [await opened(games, "5 1") for _ in range(6)]
            watched = await opened(games)
            watched.listeners[asyncio.Event()] = ADA
            for _ in range(4):
                await opened(games)
            assert len(games._open) <= 4
            again = await games.get(made[0].id, ADA)
            assert again is not made[0]
            assert stored_of(again) == stored_of(made[0])
            assert await games.get(watched.id, ADA) is watched
            with pytest.raises(Refused, match="gone on"):
                await play(games, made[0], "9")

    run(test())


# What a row holds


def test_what_was_taken_back_and_the_variations_there_come_back(store: Doubtful) -> None:
    text = '[Game "basic"]\n1. 5 1 2. 9 {a} (2. 2 8) 3 (2... 7 {b} 3. 4) 3. 7 (3. 6) *'
    for back in range(6):
        game = Game("a", Round(parse_text(text)[0]), game_of(stored()).seats)
        for _ in range(back):
            game.round.undo()
        if back == 2:
            game.round.beside.append(Node(7, "tried"))
        store.save([stored_of(game)])
        kept = store.load("a")
        assert kept is not None
        again = game_of(kept)
        assert stored_of(again) == kept
        while game.round.undone:
            assert again.round.redo()
            game.round.redo()
            assert again.round.record == game.round.record
        assert not again.round.redo()


def test_variations_beyond_the_end_come_back_when_nothing_was_taken_back(store: Doubtful) -> None:
    played = Round(Record.from_moves(noughts.game("basic"), [4]))
    played.beside.append(Node(0, "tried", [Node(8)]))
    game = Game("a", played, game_of(stored()).seats)
    again = game_of(stored_of(game))
    assert again.round.moves == [4]
    assert not again.round.undone
    assert [branch.path for branch in view(again, ADA).branches] == [["5", "1", "9"]]
    assert [branch.shared for branch in view(again, ADA).branches] == [1]
    store.close()
