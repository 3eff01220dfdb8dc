"""The database fails once, at each of its statements and commits in turn."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from noughts.database.store import Store, Stored, file_url, player_id
from noughts.games.position import Player
from noughts.web import changes
from noughts.web.game import Game, stored_of
from noughts.web.games import Games, new_game
from noughts.web.models import NewGameRequest
from noughts.web.pool import Pool
from noughts.web.thinkers import Thinkers
from noughts.web.workers import WorkerProcesses

ADA, BOB = player_id("ada"), player_id("bob")


class Faults:
    """Makes a store fail at one of its steps: before or after a statement or a commit."""

    def __init__(self, store: Store, at: int) -> None:
        self.step, self.at = 0, at
        engine: Any = store._engine
        event.listen(engine, "before_cursor_execute", self.count)
        event.listen(engine, "after_cursor_execute", self.count)
        commit = engine.dialect.do_commit

        def do_commit(connection: Any) -> None:
            self.count()
            commit(connection)
            self.count()

        engine.dialect.do_commit = do_commit

    def count(self, *_: Any) -> None:
        self.step += 1
        if self.step == self.at:
            raise OperationalError("a statement", {}, Exception("a fault of the test"))


class Session:
    """Two people play, comment, go back and delete; each acknowledged change is noted."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.told: dict[str, tuple[int, str] | None] = {}
        """The version and the record of each game when it was acknowledged; `None` if deleted."""
        self.last: dict[str, Stored | None] = {}

    def note(self, game: Game) -> Game:
        self.last[game.id] = stored_of(game)
        if game.saved == game.version:
            self.told[game.id] = game.version, stored_of(game).record
        return game

    async def open(self, other: str) -> Game:
        wanted = NewGameRequest(start="basic", x="me", o=other)
        return await self.games.add(new_game(wanted, ADA, self.games.files))

    async def change(self, game: Game, act: Callable[[Game, Player], None]) -> None:
        self.note(await self.games.change(game, game.version, ADA, act))

    async def play(self, game: Game, move: str) -> None:
        await self.change(game, lambda game, side: changes.play(game, side, move))

    async def run(self) -> None:
        alone = self.note(await self.open("me"))
        await self.play(alone, "5")
        await self.change(alone, changes.undo)
        await self.change(alone, lambda game, _: game.round.vary([3, 8]))
        await self.change(alone, changes.redo)
        await self.change(alone, lambda game, _: setattr(game.round.record, "comment", "why?"))
        shared = self.note(await self.open("guest"))
        self.note(await self.games.join(shared, BOB, shared.join_key))
        await self.play(shared, "5")
        await self.change(shared, changes.resign)
        self.note(await self.games.rematch(shared, ADA))
        self.note(await self.games.rematch(shared, BOB))
        self.note(shared)
        for player in (ADA, BOB):
            await self.games.delete(shared, player)
            self.last[shared.id] = None if player == BOB else stored_of(shared)
        if not self.games.saver.is_waiting(shared.id):
            self.told[shared.id] = None


async def session(store: Store) -> Session:
    """Run a session to its end, until all is saved."""
    pool, workers = Pool(), WorkerProcesses(processes=1)
    games = Games(store, Thinkers(pool, workers))
    games.saver.retry = 0.005
    played = Session(games)
    try:
        await played.run()
        async with asyncio.timeout(60):
            while len(games.saver):
                await asyncio.sleep(0.002)
    finally:
        assert games.close() is None
        await pool.close()
        await workers.close()
    return played


@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_nothing_acknowledged_is_lost_wherever_the_database_fails_once(
    tmp_path: Path, stride: int
) -> None:
    empty = tmp_path / "empty.db"
    Store(file_url(str(empty))).close()
    steps = 0
    for at in range(1, 1_000, stride):
        path = tmp_path / f"{at}.db"
        shutil.copy(empty, path)
        store = Store(file_url(str(path)))
        store.claim()
        store.origin("")  # reads the secret
        faults = Faults(store, at)
        played = asyncio.run(session(store))
        store.close()
        again = Store(file_url(str(path)))
        for id_, told in played.told.items():
            kept = again.load(id_)
            if told is None:
                assert kept is None, (at, id_)
            elif played.last[id_] is not None:
                assert kept is not None, (at, id_)
                assert kept.version >= told[0], (at, id_)
                if kept.version == told[0]:
                    assert kept.record == told[1], (at, id_)
        for id_, last in played.last.items():
            assert again.load(id_) == last, (at, id_)
        again.close()
        if faults.step < at:
            break
        steps += 1
    assert steps * stride > 40, steps
