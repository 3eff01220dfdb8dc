"""The games that are open: who sits where, what each may do, and who is to be told.

    request ──► Games.get ──► Game: seats, round, version ──► changed ──► saved, listeners told
                                 ▲                                └─ a machine's turn: pool ─┐
                                 └──────────────────── its move ─────────────────────────────┘

Everything here runs on the event loop, so that a change is whole before the next one begins.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

from noughts.apps.web.game import (
    ID,
    Game,
    Search,
    Seat,
    game_of,
    is_same,
    new_id,
    stored_of,
    total,
    whose,
)
from noughts.apps.web.machines import MoveSearch, at_once, parse_machine
from noughts.apps.web.models import NewGame
from noughts.apps.web.pool import Engines, Pool
from noughts.apps.web.problems import Refused
from noughts.apps.web.saving import Saver
from noughts.apps.web.shown import position_view
from noughts.arena.player import OpponentFailed, parse_opponent
from noughts.arena.round import Round
from noughts.games.position import NotationError, Player
from noughts.games.record import Record
from noughts.games.registry import parse_moves, parse_start
from noughts.search import SearchResult
from noughts.store import Store, Stored, StoreUnavailable

LAST_MOMENT = 0.05
"""Seconds that a machine's search has to end when it is stopped."""
MOST_OPEN = 1000
"""How many games are kept in memory; others are read again when they are asked for."""

log = logging.getLogger(__name__)


def not_found() -> Refused:
    """Return what somebody is told of a game that is not there, or not theirs to see."""
    return Refused(404, "not-found", "There is no such game, or your link does not open it.")


class Games:
    """All games: those in memory, and those in the store behind them."""

    def __init__(self, store: Store, pool: Pool, engines: Engines) -> None:
        self._store = store
        self._pool = pool
        self._engines = engines
        self._open: dict[str, Game] = {}
        self._loading: dict[str, asyncio.Future[Game | None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.saver = Saver(store, self._saved_late)

    # What there is

    async def get(self, id: str, player: str, key: str | None = None) -> Game:  # noqa: A002
        """Return a game that a client may see.

        Raises:
            Refused: there is none, or it is not the client's to see: which of them is not told.
            StoreUnavailable: it is not in memory, and the database does not answer.
        """
        game = await self._find(id)
        if game is None or not game.may_look(player, key):
            raise not_found()
        return game

    async def _find(self, id: str) -> Game | None:  # noqa: A002
        if not ID.fullmatch(id):
            return None
        if id in self._open:
            self._open[id] = self._open.pop(id)
            return self._open[id]
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Game | None:  # noqa: A002
        stored = await asyncio.to_thread(self._store.load, id)
        if stored is None or self.saver.is_waiting(id):  # what waits, and is not open, is deleted
            return None
        return self._keep(game_of(stored))

    def _keep(self, game: Game) -> Game:
        """Hold a game in memory, and let go of one that nobody needs there."""
        self._open[game.id] = game
        if len(self._open) > MOST_OPEN:
            for old in self._open.values():
                busy = old.listeners or old.search or self.saver.is_waiting(old.id)
                if old is not game and not busy:
                    del self._open[old.id]
                    break
        self._think(game)
        return game

    async def mine(
        self, player: str, words: Sequence[str], before: tuple[float, str] | None, count: int
    ) -> list[Stored]:
        """Return the stored games of a player, the latest first.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        return await asyncio.to_thread(
            lambda: self._store.find(player, words=words, before=before, count=count)
        )

    # What people do

    async def open(self, wanted: NewGame, player: str) -> Game:
        """Open a game and return it.

        Raises:
            IllegalMove, NotationError: of the start, its moves, or the opponents.
        """
        start = parse_start(wanted.start)
        position_view([start], None)
        moves = parse_moves(start, wanted.moves)
        seats = {
            side: _seat(text, player)
            for side, text in zip(Player, (wanted.x, wanted.o), strict=True)
        }
        if not any(seat.player == player for seat in seats.values()) and any(
            seat.kind == "open" for seat in seats.values()
        ):
            raise Refused(422, "request", "One of the two seats is to be yours.", field="x")
        game = Game(new_id(), Round(Record.from_moves(start, moves)), seats, wanted.swapped)
        return await self.add(game)

    async def add(self, game: Game) -> Game:
        """Take a new game among those that there are, and return it.

        Raises:
            StoreUnavailable: too many games wait for the database already.
        """
        if len(self.saver) >= MOST_OPEN:
            raise StoreUnavailable(self.saver.failure or "too many games wait for it")
        self._keep(game)
        await self._save(game)
        return game

    async def change(
        self, game: Game, version: int, player: str, act: Callable[[Game, Player], None]
    ) -> Game:
        """Let a player change a game that stands as the player knows it.

        `act` gets the side that the player acts for: the one to move where both are the player's.

        Raises:
            Refused: the player has no seat, or the game has gone on in the meantime.
            IllegalMove: the change is against the rules.
        """
        sides = self._check_seat(game, version, player)
        turn = game.round.position.turn
        act(game, turn if turn in sides else sides[0])
        await self.changed(game)
        return game

    def _check_seat(self, game: Game, version: int, player: str) -> list[Player]:
        """Return the sides of a player, who is to know the game as it stands."""
        sides = _seats_of(game, player)
        if version != game.version or not self.holds(game):
            detail = "The game has gone on in the meantime. It is shown as it is now."
            raise Refused(409, "conflict", detail, field="version")
        return sides

    async def changed(self, game: Game) -> None:
        """Note that a game has changed: a machine may move, it is saved, its listeners are told."""
        game.version += 1
        game.updated = time.time()
        here = game.round.position
        if game.stuck is not here:
            game.stuck = game.trouble = None
        if game.search is not None and (game.search.position is not here or game.round.is_over):
            self._stop_thinking(game)
        self._think(game)
        await self._save(game)

    def holds(self, game: Game) -> bool:
        """Whether a game is still the one that is played: not deleted, nor read anew."""
        return self._open.get(game.id) is game

    def tell(self, game: Game) -> None:
        """Wake all who have the game open."""
        for event in game.listeners:
            event.set()

    def play(self, game: Game, side: Player, text: str) -> None:
        """Play a move for a side.

        Raises:
            IllegalMove: the rules do not allow it, or it is not the side's turn.
        """
        position = game.round.position
        if game.round.is_over:
            raise Refused(409, "over", "The game is over.")
        if position.turn is not side:
            raise Refused(409, "not-your-turn", "It is not your turn.")
        game.round.play(position.parse_move(text))

    def undo(self, game: Game, side: Player) -> None:
        _may_take_back(game)
        if not game.round.undo(whose(game, side)):
            raise Refused(409, "nothing", "There is no move of yours to take back.")

    def redo(self, game: Game, side: Player) -> None:
        _may_take_back(game)
        if not game.round.redo(whose(game, side)):
            raise Refused(409, "nothing", "There is nothing to play again.")

    def resign(self, game: Game, side: Player) -> None:
        if game.round.is_over:
            raise Refused(409, "over", "The game is over.")
        game.round.resign(side)

    async def join(self, game: Game, player: str, key: str) -> Game:
        """Give the open seat to a player who has the key.

        Raises:
            Refused: the key is wrong, or the seat is taken.
        """
        if not is_same(key, game.join_key):
            raise Refused(403, "wrong-key", "This link does not give a seat in the game.")
        if game.sides_of(player):
            return game
        seat = next((seat for seat in game.seats.values() if seat.kind == "open"), None)
        if seat is None:
            raise Refused(409, "taken", "The seat is taken already. You may look on.")
        seat.kind, seat.player = "person", player
        await self.changed(game)
        return game

    async def rematch(self, game: Game, player: str) -> Game:
        """Return the next game of a series, opened by whoever asks first: the sides swapped."""
        _seats_of(game, player)
        if not game.round.is_over:
            raise Refused(409, "not-over", "The game still goes on.")
        if game.next is not None:
            return await self.get(game.next, player)
        seats = {side: Seat(**vars(game.seats[side.other])) for side in Player}
        score = total(game)
        following = Game(
            new_id(),
            Round(Record(game.round.record.start)),
            seats,
            game.swapped,
            score={Player.X: score[Player.O], Player.O: score[Player.X], None: score[None]},
        )
        game.next = following.id
        await self.add(following)
        await self.changed(game)
        return following

    async def delete(self, game: Game, player: str) -> None:
        """Take a game out of a player's list; it is gone when no person is left in it.

        Raises:
            Refused: another person still plays it.
        """
        _seats_of(game, player)
        if game.is_shared and not game.round.is_over:
            raise Refused(409, "not-over", "Somebody plays this game with you: resign it first.")
        for seat in game.seats.values():
            if seat.player == player:
                seat.player = None
        if any(seat.player for seat in game.seats.values()):
            await self.changed(game)
            return
        self._stop_thinking(game)
        self._open.pop(game.id, None)
        game.version += 1
        self.tell(game)
        await self.saver.delete(game.id)

    # Machines

    def _think(self, game: Game) -> None:
        seat = game.seats[game.round.position.turn]
        if game.round.is_over or not seat.is_machine or game.search or game.trouble:
            return
        game.search = search = Search(game.round.position)
        search.task = asyncio.get_running_loop().create_task(self._move(game, search))

    async def _move(self, game: Game, search: Search) -> None:
        """Let the machine that is to move do so, or say why it does not."""
        try:
            result = await self._found(game, search)
        except Exception as error:
            if not isinstance(error, NotationError | OpponentFailed):
                log.exception("a machine failed")
            game.search, game.stuck = None, search.position
            game.trouble = f"The machine does not move: {error}. Take a move back, or resign."
            self.tell(game)
            return
        assert result.move is not None
        game.search = None
        game.round.play(result.move)
        await self.changed(game)

    async def _found(self, game: Game, search: Search) -> SearchResult:
        """Return the move of a machine, in its time, or at once when `search.enough` is set.

        Raises:
            NotationError: the page has no such machine any more.
            OpponentFailed: it has no move to give.
        """
        position = search.position
        text = game.seats[position.turn].kind
        machine = parse_machine(text)
        if machine.name == "random":
            choose = parse_opponent(text).choose
            assert choose is not None
            return choose(position)
        work = MoveSearch(self._engines, game.id, position, machine)
        person = next((seat.player for seat in game.seats.values() if seat.player), game.id)
        stopped = asyncio.ensure_future(search.enough.wait())
        try:
            while not stopped.done():
                try:
                    with self._engines.kept(game.id):
                        await self._until(game, search, work, person, stopped)
                    break
                except Refused as busy:
                    await asyncio.wait((stopped,), timeout=busy.retry)
        finally:
            stopped.cancel()
        best = work.best
        if best is None:
            best = await asyncio.to_thread(at_once, self._engines, position)
        if machine.is_perfect and not best.exact and not search.enough.is_set():
            seconds = f"{machine.limit.seconds:g} seconds"
            raise OpponentFailed(f"it could not solve the position within {seconds}")
        return best

    async def _until(
        self,
        game: Game,
        search: Search,
        work: MoveSearch,
        client: str,
        stopped: asyncio.Future[Any],
    ) -> None:
        """Let a machine search to the end of its work or its time, or until it is stopped.

        Raises:
            Refused: too many search already.
        """

        def told(waits: bool) -> None:
            search.waits = waits
            asyncio.get_running_loop().call_soon(show)

        def show() -> None:
            if search.waits != search.shown and game.search is search:
                search.shown = search.waits
                self.tell(game)

        running = asyncio.ensure_future(self._pool.run(client, work, urgent=True, told=told))
        try:
            either = asyncio.FIRST_COMPLETED
            await asyncio.wait((running, stopped), timeout=work.seconds, return_when=either)
            if not running.done():
                work.stop()
                if not search.waits:
                    await asyncio.wait((running,), timeout=LAST_MOMENT)
            if running.done():
                running.result()
        finally:
            running.cancel()

    async def stop(self, game: Game, version: int, player: str) -> Game:
        """Let the machine play the best move that it has found so far.

        Raises:
            Refused: the player has no seat, the game has gone on, or no machine thinks.
        """
        self._check_seat(game, version, player)
        search = game.search
        if search is None or search.task is None:
            raise Refused(409, "nothing", "The machine does not think just now.")
        search.enough.set()
        await asyncio.wait((search.task,), timeout=1)
        return game

    def _stop_thinking(self, game: Game) -> None:
        if game.search is not None:
            task = game.search.task
            if task is not None and task is not asyncio.current_task():
                task.cancel()
            game.search = None

    # The database

    async def _save(self, game: Game) -> None:
        """Save a game, or note why it has to wait, and tell its listeners.

        They are told then, and not before, so that nobody sees what a crash could take back.
        """
        self._loop = asyncio.get_running_loop()
        version = game.version
        failure = await self.saver.save(stored_of(game))
        if failure is None:
            game.saved = max(game.saved, version)
        if version == game.version:
            game.failure = failure
            self.tell(game)

    def _saved_late(self, ids: list[str]) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._clear_failures, ids)

    def _clear_failures(self, ids: Sequence[str]) -> None:
        for id_ in ids:
            game = self._open.get(id_)
            if game is not None and not self.saver.is_waiting(id_):
                game.saved, game.failure = game.version, None
                self.tell(game)

    def close(self) -> tuple[str, list[Stored]] | None:
        """End all searches, write what is left; return why, and which games, could not be."""
        for game in self._open.values():
            self._stop_thinking(game)
        return self.saver.close()


def _seat(text: str, player: str) -> Seat:
    """Return the seat that a request asks for.

    Raises:
        NotationError: no such opponent, or none that the page has.
    """
    if text == "me":
        return Seat("person", player)
    if text == "guest":
        return Seat("open")
    parse_machine(text)
    return Seat(text)


def _seats_of(game: Game, player: str) -> list[Player]:
    """Return the sides of a player, who is to have one."""
    sides = game.sides_of(player)
    if not sides:
        raise Refused(403, "not-yours", "You look on in this game; you have no seat in it.")
    return sides


def _may_take_back(game: Game) -> None:
    if game.is_shared:
        raise Refused(409, "shared", "Moves against another person are not taken back.")
    if game.next is not None:
        raise Refused(409, "over", "The next game of the series has begun.")
