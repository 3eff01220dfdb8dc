"""Saving games: in groups, late, refused, and at the server's end."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from databases import stored
from patience import PATIENCE

import noughts
from noughts.answers.problems import Refused
from noughts.database.store import Store, Stored, StoreUnavailable, file_url, player_id
from noughts.games.progress import GameInProgress
from noughts.games.record import Record, RecordNode, parse_text
from noughts.web import changes
from noughts.web.clients import Account
from noughts.web.game import Game, game_of, stored_of
from noughts.web.game_views import view
from noughts.web.games import Games, new_game
from noughts.web.models import NewGameRequest
from noughts.web.pool import Pool
from noughts.web.saving import SLOW, Saver, unsaved_message
from noughts.web.settings import DEFAULT, Settings
from noughts.web.thinkers import Thinkers
from noughts.web.workers import WorkerProcesses

ADA = player_id("ada")


class Doubtful(Store):
    """A store that fails or waits when a test says so."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.failure: Exception | None = None
        self.open = threading.Event()
        self.open.set()
        self.batches: list[list[str]] = []

    def save(self, stored: Sequence[Stored], deleted: Sequence[str] = ()) -> list[str]:
        self.batches.append([*(game.id for game in stored), *deleted])
        assert self.open.wait(PATIENCE)
        if self.failure is not None:
            raise self.failure
        return super().save(stored, deleted)


@pytest.fixture
def store(tmp_path: Path) -> Doubtful:
    return Doubtful(file_url(str(tmp_path / "games.db")))


LONG = 60.0
"""Seconds to wait for the database on a busy machine."""


async def until(true: Callable[[], bool]) -> None:
    """Wait for a result of the saver's thread."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.01)


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


# The saver


def test_waiting_games_are_saved_together(store: Doubtful) -> None:
    async def test() -> None:
        saver = Saver(store, patience=LONG)
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


def test_game_waits_during_a_failure_and_its_save_is_reported(
    store: Doubtful,
) -> None:
    async def test() -> None:
        told: list[str] = []
        saver = Saver(store, told.extend, patience=LONG)
        store.failure = StoreUnavailable("the disk is full")
        assert await saver.save(stored("a")) == "the disk is full"
        assert await saver.save(stored("b")) == saver.failure == "the disk is full"
        assert saver.is_waiting("a")
        assert len(saver) == 2
        store.failure = None
        await until(lambda: len(told) == 2)
        assert sorted(told) == ["a", "b"]
        assert len(saver) == 0
        assert await saver.save(stored("c")) is None
        assert sorted(told) == ["a", "b"], "an immediate save is not reported again"
        assert store.load("a") == stored("a")
        assert saver.close() is None

    run(test())


def test_answer_waits_a_second_for_a_hanging_database(
    store: Doubtful,
) -> None:

    async def test() -> None:
        told: list[str] = []
        saver = Saver(store, told.extend)
        store.open.clear()
        assert await saver.save(stored("a")) == SLOW
        saver.patience = LONG  # the next reply does not wait again
        assert await saver.save(stored("a", 1)) == SLOW
        store.open.set()
        await until(lambda: told == ["a"])
        kept = store.load("a")
        assert kept is not None
        assert kept.version == 1, "reported when the last version is saved, not before"
        assert saver.failure is None
        assert saver.close() is None

    run(test())


def test_unexpected_error_does_not_end_the_saver(store: Doubtful) -> None:
    async def test() -> None:
        saver = Saver(store, patience=LONG)
        store.failure = RuntimeError("never thought of")
        assert await saver.save(stored("a")) == "never thought of"
        store.failure = None
        await until(lambda: len(saver) == 0)
        assert store.load("a") == stored("a")
        assert saver.close() is None

    run(test())


def test_closing_tries_again_and_returns_unsaved_games(store: Doubtful) -> None:
    async def test() -> None:
        saver = Saver(store, patience=LONG)
        store.failure = StoreUnavailable("no space")
        await saver.save(stored("a"))
        await saver.save(stored("b"))
        await saver.delete("c")
        left = saver.close()
        assert left == ("no space", [stored("a"), stored("b")])
        said = unsaved_message(*left)
        assert said.startswith("noughts: 2 games were not saved (no space). Import these lines ")
        assert said.endswith(stored("a").record + stored("b").record)

    run(test())


def test_closing_does_not_wait_forever(store: Doubtful) -> None:
    async def test() -> None:
        saver = Saver(store, patience=0.2, farewell=0.2)
        store.open.clear()
        await saver.save(stored("a"))
        assert saver.close() == (SLOW, [stored("a")])
        store.open.set()

    run(test())


# Games


@asynccontextmanager
async def table(store: Store, settings: Settings = DEFAULT) -> AsyncIterator[Games]:
    pool, workers = Pool(), WorkerProcesses(1)
    games = Games(store, Thinkers(pool, workers, settings), settings)
    games.saver.patience = LONG
    try:
        yield games
    finally:
        games.close()
        await pool.close()
        await workers.close()


async def opened(games: Games, moves: str = "") -> Game:
    wanted = NewGameRequest(start="basic", moves=moves, x="me", o="me")
    return await games.add(new_game(wanted, ADA, games.files))


async def play(games: Games, game: Game, move: str) -> None:
    await games.change(game, game.version, ADA, lambda game, side: changes.play(game, side, move))


def test_game_continues_while_the_file_is_locked_and_is_saved_later(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def test() -> None:
        store = Store(file_url(str(path)))
        async with table(store) as games:
            game = await opened(games)
            seen = asyncio.Event()
            game.listeners[seen] = Account("", ADA)
            other = sqlite3.connect(path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            await play(games, game, "5")
            shown = view(game, ADA)["saved"]
            assert not shown["done"]
            assert shown["notice"] is not None
            assert shown["notice"].startswith("Not saved yet (")
            await play(games, game, "1")
            assert view(game, ADA)["moves"] == ["5", "1"]
            other.execute("ROLLBACK")
            other.close()
            await until(lambda: view(game, ADA)["saved"]["done"])
            seen.clear()
            await play(games, game, "9")
            assert seen.is_set()
            kept = store.load(game.id)
            assert kept == stored_of(game)
        store.close()

    run(test())


def test_file_that_is_removed_and_restored_has_the_game(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    async def test() -> None:
        store = Store(file_url(str(path)))
        async with table(store) as games:
            game = await opened(games)
            path.rename(tmp_path / "aside")
            await play(games, game, "5")
            assert "is gone" in str(view(game, ADA)["saved"]["notice"])
            told = asyncio.Event()
            game.listeners[told] = Account("", ADA)
            (tmp_path / "aside").rename(path)
            async with asyncio.timeout(60):
                await told.wait()
            assert view(game, ADA)["saved"]["done"]
            assert store.load(game.id) == stored_of(game)
        store.close()

    run(test())


def test_new_games_are_refused_when_too_many_wait(
    store: Doubtful,
) -> None:
    async def test() -> None:
        async with table(store, Settings(open_games=2)) as games:
            store.failure = StoreUnavailable("no space")
            kept = [await opened(games), await opened(games)]
            with pytest.raises(StoreUnavailable, match="no space"):
                await opened(games)
            await play(games, kept[0], "5")
            store.failure = None
            await until(lambda: len(games.saver) == 0)
            await opened(games)

    run(test())


def test_deleted_game_stays_deleted_with_a_slow_database(store: Doubtful) -> None:
    async def test() -> None:
        async with table(store) as games:
            game = await opened(games)
            store.failure = StoreUnavailable("no space")
            await games.delete(game, ADA)
            with pytest.raises(Refused, match="not found"):
                await games.get(game.id, ADA)
            store.failure = None
            await until(lambda: len(games.saver) == 0)
            assert store.load(game.id) is None

    run(test())


def test_idle_games_leave_memory_and_return_unchanged(
    store: Doubtful,
) -> None:
    async def test() -> None:
        async with table(store, Settings(open_games=3)) as games:
            made = [await opened(games, "5 1") for _ in range(6)]
            watched = await opened(games)
            watched.listeners[asyncio.Event()] = Account("", ADA)
            for _ in range(4):
                await opened(games)
            assert len(games._open) <= 4
            again = await games.get(made[0].id, ADA)
            assert again is not made[0]
            assert stored_of(again) == stored_of(made[0])
            assert await games.get(watched.id, ADA) is watched
            with pytest.raises(Refused, match="changed meanwhile"):
                await play(games, made[0], "9")

    run(test())


# Contents of a row


def test_undone_moves_and_their_variations_are_loaded(store: Doubtful) -> None:
    text = '[Game "basic"]\n1. 5 1 2. 9 {a} (2. 2 8) 3 (2... 7 {b} 3. 4) 3. 7 (3. 6) *'
    for back in range(6):
        game = Game("a", GameInProgress(parse_text(text)[0]), game_of(stored()).seats)
        for _ in range(back):
            game.round.undo()
        if back == 2:
            game.round.beside.append(RecordNode(7, "tried"))
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


def test_variations_after_the_end_are_loaded_without_undone_moves(store: Doubtful) -> None:
    played = GameInProgress(Record.from_moves(noughts.game("basic"), [4]))
    played.beside.append(RecordNode(0, "tried", [RecordNode(8)]))
    game = Game("a", played, game_of(stored()).seats)
    again = game_of(stored_of(game))
    assert again.round.moves == [4]
    assert not again.round.undone
    assert [branch["path"] for branch in view(again, ADA)["variations"]] == [["5", "1", "9"]]
    assert [branch["shared"] for branch in view(again, ADA)["variations"]] == [1]
    store.close()
