"""All games of the server: opening, changing, saving, and the moves of machines.

    request ──► Games.get ──► Game: seats, round, version ──► changed ──► saved, listeners woken
                                 ▲                                └─ a machine's turn: pool ─┐
                                 └──────────────────── its move ─────────────────────────────┘

All of it runs on the event loop, so that one change ends before the next one begins. A game belongs
to one server at a time. Another server only shows it, and takes it when a player connected there
changes it, or when its server has ended.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any

from noughts.answers.checked import file_name
from noughts.answers.names import clean_name
from noughts.answers.positions import check_game
from noughts.answers.problems import Refused
from noughts.arena.swap2 import Swap2Step
from noughts.database.store import Store, Stored, StoreUnavailable
from noughts.games.position import NotationError, Player, Position, parse_moves
from noughts.games.progress import ILLEGAL_MOVE, GameInProgress
from noughts.games.record import SWAP2, Record
from noughts.games.registry import parse_start
from noughts.games.series import exchanged
from noughts.games.swap2 import FIRST_STONES, Swap2, check_swap2
from noughts.opponents import OpponentFailed
from noughts.web import changes, clocks, presence
from noughts.web.checked_files import CheckedFiles, Moves
from noughts.web.clients import Account, current
from noughts.web.clocks import Flags, GameClock, parse_control
from noughts.web.counting import Counter
from noughts.web.game import (
    CONTROL,
    ID,
    Game,
    MachineSearch,
    Seat,
    game_of,
    is_same,
    new_id,
    stored_of,
)
from noughts.web.machine_moves import is_level, parse_machine
from noughts.web.models import NewGameRequest
from noughts.web.saving import MOVED, Saver
from noughts.web.settings import DEFAULT, Settings
from noughts.web.thinkers import Thinkers

GRACE = 3.0
"""Seconds after which a server lets a flag fall in a game of another server."""
RETRY = 1.0
"""Seconds to the next attempt to let a flag fall, while the database does not answer."""

log = logging.getLogger(__name__)


def _conflict() -> Refused:
    detail = "The game has changed meanwhile. You see its current state."
    return Refused(409, "conflict", detail, field="version")


def not_found() -> Refused:
    """Return the error for a game that does not exist or that the client may not see."""
    return Refused(404, "not-found", "Game not found, or your link does not open it.")


class Games:
    """The games in memory, backed by the store."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        settings: Settings = DEFAULT,
    ) -> None:
        self._store = store
        self.settings = settings
        self._thinkers, self.files = thinkers, thinkers.files
        self._open: dict[str, Game] = {}
        self._loading: dict[str, asyncio.Future[Game | None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.counter = Counter(store)
        self.saver = Saver(
            store,
            lambda ids: self._schedule(self._clear_failures, ids),
            lambda ids: self._schedule(self._moved, ids),
            self.counter.note,
        )
        store.follow(lambda ids: self._schedule(self._follow, ids))
        self._reading: set[asyncio.Task[None]] = set()
        self._flags = Flags(lambda id_: self._begin(self._fall(id_)), self._stalled)

    def __len__(self) -> int:
        """Return the number of games in memory."""
        return len(self._open)

    # Reading

    async def get(self, id: str, player: str, key: str | None = None) -> Game:  # noqa: A002
        """Return a game that a client may see.

        Raises:
            Refused: the game does not exist, or the client may not see it (the same error).
            StoreUnavailable: the game is not in memory, and the database does not answer.
        """
        game = await self._find(id)
        if game is not None and not self._is_ours(game):
            await self._compare([game])
            await self._read_again(game)
            game = self._open.get(id)
        if game is None or not game.may_look(player, key):
            raise not_found()
        return game

    async def _find(self, id: str) -> Game | None:  # noqa: A002
        if not ID.fullmatch(id):
            return None
        self._loop = asyncio.get_running_loop()
        if id in self._open:
            self._open[id] = self._open.pop(id)
            return self._open[id]
        if id not in self._loading:
            self._loading[id] = asyncio.ensure_future(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Game | None:  # noqa: A002
        stored = await asyncio.to_thread(self._read, id)
        if stored is None or self.saver.is_waiting(id):  # waiting and not open means deleted
            return None
        return self._keep(game_of(stored))

    def _read(self, id: str) -> Stored | None:  # noqa: A002
        """Return a game from the database, and take it if its server has ended."""
        stored = self._store.load(id)
        if stored is None or self._store.states([id]).get(id, (0, None))[1] is not None:
            return stored
        return self._store.take(id)

    def _keep(self, game: Game) -> Game:
        """Hold a game in memory; drop an idle one if there are too many."""
        self._open[game.id] = game
        if len(self._open) > self.settings.open_games:
            for old in self._open.values():
                busy = old.listeners or old.search or self.saver.is_waiting(old.id)
                if old is not game and not busy:
                    del self._open[old.id]
                    break
        self._resume(game)
        return game

    def _resume(self, game: Game) -> None:
        """Let the machine to move search, or the clock of the person to move run."""
        self._think(game)
        # The game's server comes first: another one only acts for one that stands still.
        due = game.due
        self._flags.set(game.id, due and due + (0 if self._is_ours(game) else GRACE))

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

    # Changes by people

    async def add(self, game: Game, *, answers: bool = False) -> Game:
        """Save a new game and return it.

        Args:
            game: the game.
            answers: whether the player's browser, not the server, finds the first move of a level.

        Raises:
            StoreUnavailable: too many games are waiting for the database.
        """
        if len(self.saver) >= self.settings.open_games:
            raise StoreUnavailable(self.saver.failure or "too many games are waiting")
        game.origin = self._store.origin(current.get().address)
        if answers:
            self._think(game, by_visitor=True)
        self._keep(game)
        await self._save(game)
        return game

    async def change(
        self,
        game: Game,
        version: int,
        player: str,
        act: Callable[[Game, Player], None],
        *,
        answers: bool = False,
    ) -> Game:
        """Change a game for a player.

        Args:
            game: the game.
            version: the version that the player has seen.
            player: the player's id.
            act: the change; called with the player's side, or the side to move if both are theirs.
            answers: whether the player's browser, not the server, finds the reply of a level.

        Raises:
            Refused: the player has no seat, or the game has changed since `version`.
            IllegalMove: the rules do not allow the change.
        """
        sides = await self._check_seat(game, version, player)
        turn = game.turn
        act(game, turn if turn in sides else sides[0])
        if answers:
            self._think(game, by_visitor=True)
        await self.changed(game)
        return game

    async def _check_seat(self, game: Game, version: int, player: str) -> list[Player]:
        """Return the sides of a player, whose version must be current."""
        _seats_of(game, player)
        await self._own(game)
        if version > game.version:  # The event of another server's change is still under way.
            await self._compare([game])
            await self._own(game)
        sides = _seats_of(game, player)
        if _is_late(game):
            await self._fall(game.id)
        if version != game.version or not self.holds(game):
            raise _conflict()
        return sides

    async def changed(self, game: Game) -> None:
        """Save a changed game, wake its listeners, and start the machine to move."""
        game.version += 1
        game.updated = time.time()
        if game.stuck != game.stage:
            game.stuck = game.trouble = None
        if game.search is not None and (game.search.stage != game.stage or game.round.is_over):
            self._stop_thinking(game)
        self._resume(game)
        await self._save(game)

    def holds(self, game: Game) -> bool:
        """Return whether a game is the current object: not deleted, not reloaded."""
        return self._open.get(game.id) is game

    def private(self, account: Account, *, with_open_seat: bool = True) -> list[Position]:
        """Return the positions of the client's games in progress between two people.

        A client's games are those in which the client has a seat, and those open in its browser.
        Before the first move, a position is not private.

        Args:
            account: the client.
            with_open_seat: whether a game counts that waits for its second person.
        """
        return [
            game.round.position
            for game in self._open.values()
            if game.involves(account)
            and (game.is_shared if with_open_seat else game.has_two)
            and game.round.moves
            and not game.round.is_over
        ]

    def listen(self, game: Game, event: asyncio.Event, account: Account) -> None:
        """Begin to set an event at every change of a game, and let its machines play."""
        before = game.here
        game.listeners[event] = account
        self._think(game)
        self._show_presence(game, before)

    def unlisten(self, game: Game, event: asyncio.Event) -> None:
        """End `listen`. A game between machines pauses when nobody watches it.

        If the person's browser was to find a move, the server now searches for it.
        """
        before = game.here
        del game.listeners[event]
        if game.is_paused:
            self._stop_thinking(game)
        if game.search is not None and before - game.here:
            game.search.settle()
        self._show_presence(game, before)

    def _show_presence(self, game: Game, before: set[str]) -> None:
        """Show all clients, also of other servers, which players have come or gone."""
        changed = game.here ^ before
        if changed:
            self.tell(game)
            self._announce(
                presence.event(game.id, player, is_there=player in game.here) for player in changed
            )

    def _announce(self, events: Iterable[str]) -> None:
        told = list(events)
        if told and self._store.is_shared:
            self._begin(asyncio.to_thread(self._store.announce, told))

    def tell(self, game: Game) -> None:
        """Wake all clients that have the game open."""
        for event in game.listeners:
            event.set()

    async def join(self, game: Game, player: str, key: str, name: str = "") -> Game:
        """Give the open seat to a player with the join key, and the name that the player gives.

        Raises:
            Refused: the key is wrong, or the seat is taken.
        """
        if not is_same(key, game.join_key):
            raise Refused(403, "wrong-key", "This link is not an invitation to the game.")
        await self._own(game)
        if game.sides_of(player):
            return game
        seat = next((seat for seat in game.seats.values() if seat.kind == "open"), None)
        if seat is None:
            raise Refused(409, "taken", "Someone has already joined. You are watching.")
        seat.kind, seat.player, seat.given = "person", player, clean_name(name)
        game.pass_clock(game.turn)
        await self.changed(game)
        return game

    async def rematch(self, game: Game, player: str) -> Game:
        """Return the rematch, with the sides swapped; or `game`, in which it is now offered.

        Between two people the first request offers the rematch and the other player's opens it.
        """
        sides = _seats_of(game, player)
        await self._own(game)
        if not game.round.is_over:
            raise Refused(409, "not-over", "The game is still in progress.")
        if game.next is not None:
            return await self.get(game.next, player)
        side = sides[0]
        if not game.is_shared or game.offers.is_from(side.other, "rematch"):
            return await self._open_rematch(game)
        if not game.offers.is_from(side, "rematch"):
            changes.ask(game, "rematch", side)
            await self.changed(game)
        return game

    async def _open_rematch(self, game: Game) -> Game:
        """Open the rematch. The links of the game open it, too."""
        before = game.round.record
        tags = {CONTROL: before.tags[CONTROL]} if game.clock else {}
        seats, score = {side: game.seats[side.other] for side in Player}, game.series.total()
        if game.swap2 is not None:
            tags["Opening"] = SWAP2
            # Whoever was player 2 places the stones now, and may have X already.
            seats = game.seats if game.swap2.is_swapped else seats
        keeps = seats is game.seats
        following = Game(
            new_id(),
            GameInProgress(Record(before.start, tags)),
            {side: Seat(**vars(seats[side])) for side in Player},
            game.swapped,
            watch_key=game.watch_key,
            join_key=game.join_key,
            score=score if keeps else exchanged(score),
            clock=game.clock and GameClock.of(game.clock.control),
        )
        game.next = following.id
        try:
            await self.add(following)
        except BaseException:
            game.next = None
            raise
        game.offers.close(accepted=True)
        await self.changed(game)
        return following

    async def agree(self, game: Game, version: int, player: str) -> Game:
        """Accept the opponent's offer; return the game to continue with.

        Raises:
            Refused: the player has no seat, the game has changed, or there is no offer.
        """
        sides = await self._check_seat(game, version, player)
        if game.next is None and game.offers.is_from(sides[0].other, "rematch"):
            return await self._open_rematch(game)
        return await self.change(game, version, player, changes.accept)

    async def delete(self, game: Game, player: str) -> None:
        """Delete a game from a player's list, and from the server once no list has it.

        Raises:
            Refused: the game is in progress against another person.
        """
        try:
            await self._delete(game, player)
        except Refused as refused:
            if refused.kind != "conflict":
                raise
            # Another server has changed the game, and its event is still under way.
            await self._delete(await self.get(game.id, player), player)

    async def _delete(self, game: Game, player: str) -> None:
        _seats_of(game, player)
        await self._own(game)
        if game.is_shared and not game.round.is_over:
            raise Refused(409, "not-over", "Your opponent is still playing. Resign first.")
        for seat in game.seats.values():
            if seat.player == player:
                seat.player = None
        if any(seat.player for seat in game.seats.values()):
            await self.changed(game)
            return
        self._stop_thinking(game)
        self._flags.set(game.id, None)
        self._open.pop(game.id, None)
        game.version += 1
        self.tell(game)
        if await self.saver.delete(game.id) == MOVED:
            raise _conflict()

    # Clocks

    async def _fall(self, id: str) -> None:  # noqa: A002
        """End a game in which the time of the player to move is up."""
        try:
            game = await self._find(id)
            if game is None:
                return
            if not self._is_ours(game):
                await self._compare([game])
                await self._read_again(game)
            if _is_late(game):
                await self._own(game)
            if not _is_late(game):
                self._resume(game)
                return
            game.round.forfeit(game.turn)
            changes.end(game)
            await self.changed(game)
        except Refused:
            pass  # Another server has the game by now, and its clock.
        except StoreUnavailable:
            self._flags.set(id, clocks.now() + RETRY)
            raise

    def _stalled(self, seconds: float) -> None:
        """Charge nobody for a time in which the server stood still."""
        for game in self._open.values():
            if game.clock is not None and game.due is not None and self._is_ours(game):
                game.clock = game.clock.later(seconds)
                self._resume(game)
                self.tell(game)

    # Machines

    def add_file(self, text: str, moves: Moves) -> None:
        """Keep the moves of a checked file, and continue the games that waited for them."""
        self.files.keep(text, moves)
        for game in self._open.values():
            if game.trouble and game.seats[game.turn].kind == text:
                game.stuck = game.trouble = None
                self._think(game)
                self.tell(game)

    def _think(self, game: Game, *, by_visitor: bool = False) -> None:
        """Let the machine to move search, or its opponent's browser in its place."""
        seat = game.seats[game.turn]
        if game.round.is_over or not seat.is_machine or game.search or game.trouble:
            return
        if not self._is_ours(game) or game.is_paused:
            return
        loop = asyncio.get_running_loop()
        game.search = search = MachineSearch(game.stage, game.turn)
        if by_visitor and not game.is_opening and is_level(seat.kind, search.position):
            search.answer = loop.create_future()
        search.task = loop.create_task(self._move(game, search))

    async def _move(self, game: Game, search: MachineSearch) -> None:
        """Play the machine's move, or its step in swap2; set `trouble` if it fails."""
        step: Swap2Step | None = None
        move: str | None = None
        try:
            if game.is_opening:
                step = await self._thinkers.step(game, search, self.tell)
            else:
                move = await self._thinkers.move(game, search, self.tell)
        except Exception as error:
            if not isinstance(error, NotationError | OpponentFailed):
                log.exception("a machine failed")
            game.search, game.stuck = None, search.stage
            game.trouble = f"The machine does not move: {error}. Take a move back, or resign."
            self.tell(game)
            return
        game.search = None
        if step is not None:
            if step.choice is not None:
                game.choose(step.choice)
            for stone in step.moves:
                game.round.play(stone)
        elif move is None:
            game.round.forfeit(search.side, ILLEGAL_MOVE)
            changes.end(game)
        else:
            game.round.play(search.position.parse_move(move))
        with suppress(Refused):  # The game belongs to another server by now.
            await self.changed(game)

    async def answer(self, game: Game, version: int, player: str, move: str | None) -> Game:
        """Play the move that a player's browser found for a level; for `None` the server searches.

        Raises:
            Refused: the player has no seat, the game has changed, or the server finds the move.
            IllegalMove: the rules do not allow the move.
        """
        await self._check_seat(game, version, player)
        search = game.search
        if search is None or search.task is None or not search.awaits_answer:
            raise Refused(409, "late", "The server finds this move.")
        if move is not None:
            search.position.parse_move(move)
        search.settle(move)
        if move is not None:
            await asyncio.wait((search.task,), timeout=1)
        return game

    async def stop(self, game: Game, version: int, player: str) -> Game:
        """Make the machine play its best move so far.

        Raises:
            Refused: the player has no seat, the game has changed, or no machine is thinking.
        """
        await self._check_seat(game, version, player)
        search = game.search
        if search is None or search.task is None:
            raise Refused(409, "nothing", "No machine is thinking.")
        search.enough.set()
        search.settle()
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
        """Save a game or note the failure, then wake its listeners.

        Saving comes first, so that no client sees a state that a crash could lose.

        Raises:
            Refused: the game belongs to another server; it has been read again.
        """
        self._loop = asyncio.get_running_loop()
        version = game.version
        failure = await self.saver.save(stored_of(game))
        if failure == MOVED:
            self._leave(game)
            raise _conflict()
        if failure is None:
            game.saved = max(game.saved, version)
            game.owner = self._store.generation
        if version == game.version:
            game.failure = failure
            self.tell(game)

    def _schedule(self, act: Callable[..., None], *arguments: Any) -> None:
        """Call a function on the event loop, from another thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(act, *arguments)

    def _clear_failures(self, ids: Sequence[str]) -> None:
        for id_ in ids:
            game = self._open.get(id_)
            if game is not None and not self.saver.is_waiting(id_):
                game.saved, game.failure = game.version, None
                self.tell(game)

    # Other servers

    def _is_ours(self, game: Game) -> bool:
        return not game.is_stale and game.owner in (None, self._store.generation)

    async def _own(self, game: Game) -> None:
        """Make the game one of this server, so that it can be changed.

        Raises:
            Refused: the game no longer exists, or is no longer in memory.
        """
        if not self._is_ours(game):
            await self._read_again(game, self._store.take)
        if not self.holds(game):
            raise _conflict()

    async def _read_again(
        self, game: Game, read: Callable[[str], Stored | None] | None = None
    ) -> None:
        """Replace the state of a stale game by the one in the database, or by that of `read`."""
        async with game.moving:
            if not self.holds(game) or self._is_ours(game) or not (game.is_stale or read):
                return
            self._stop_thinking(game)
            await self.saver.drop(game.id)
            stored = await asyncio.to_thread(read or self._read, game.id)
            if stored is None:
                self._open.pop(game.id, None)
            else:
                game.replace(stored)
                self._resume(game)
            self.tell(game)

    def _follow(self, events: Sequence[str] | None) -> None:
        """Compare games in memory with those that other servers changed; for `None` compare all."""
        if events is None:
            self._renew_presence()
        ids = list(self._open) if events is None else events
        for heard in filter(presence.is_event, ids):
            game = self._open.get(heard.split(":")[1])
            if game is not None and game.elsewhere.hear(heard):
                self.tell(game)
        games = [self._open[id_] for id_ in ids if id_ in self._open]
        saved = [game for game in games if game.saved >= 0]
        if saved:
            self._begin(self._compare(saved))

    def _renew_presence(self) -> None:
        """Tell the other servers again who is here, and forget players whom they no longer name."""
        for game in self._open.values():
            if game.elsewhere.forget():
                self.tell(game)
        self._announce(
            presence.event(game.id, player, is_there=True)
            for game in self._open.values()
            if game.listeners
            for player in game.here
        )

    async def _compare(self, games: Sequence[Game]) -> None:
        reads = [(game.reads, self._is_ours(game)) for game in games]
        states = await asyncio.to_thread(self._store.states, [game.id for game in games])
        for game, (read, was_ours) in zip(games, reads, strict=True):
            version, owner = states.get(game.id, (-1, None))
            moved = was_ours != (owner == self._store.generation)
            changed = not was_ours and (owner is None or version != game.version)
            if (moved or changed) and read == game.reads and not game.moving.locked():
                self._leave(game)

    def _leave(self, game: Game) -> None:
        """Note that another server has a game; read it at once if a client shows it."""
        game.is_stale = True
        self._stop_thinking(game)
        if game.listeners:
            self._begin(self._read_again(game))

    def _moved(self, ids: Sequence[str]) -> None:
        for id_ in ids:
            if id_ in self._open:
                self._leave(self._open[id_])

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        async def done() -> None:
            with suppress(StoreUnavailable):  # The next check looks again.
                await work

        task = asyncio.get_running_loop().create_task(done())
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    def close(self) -> tuple[str, list[Stored]] | None:
        """Stop all searches and save; return the reason and the games if saving fails."""
        self._flags.close()
        for game in self._open.values():
            self._stop_thinking(game)
        self.counter.close()
        return self.saver.close()


def new_game(wanted: NewGameRequest, player: str, files: CheckedFiles) -> Game:
    """Return the game that a player wants to open.

    Args:
        wanted: the game.
        player: the player's id.
        files: the checked files that can play.

    Raises:
        IllegalMove, NotationError: in the start, the moves or the opponents.
    """
    start = parse_start(wanted.start)
    check_game(start)
    moves = parse_moves(start, wanted.moves)
    if wanted.opening:
        _check_opening(start, moves, wanted)
    seats = {
        side: _seat(text, player, start, wanted.name, files)
        for side, text in zip(Player, (wanted.x, wanted.o), strict=True)
    }
    if not any(seat.player == player for seat in seats.values()) and any(
        seat.kind == "open" for seat in seats.values()
    ):
        raise Refused(422, "request", "Set x or o to `me`.", field="x")
    clock = GameClock.of(parse_control(wanted.clock)) if wanted.clock else None
    if clock and any(seat.is_machine for seat in seats.values()):
        raise Refused(422, "request", "A clock is for games between people.", field="clock")
    tags = {CONTROL: clock.control.text} if clock else {}
    if wanted.opening:
        tags["Opening"] = wanted.opening
    game = Game(
        new_id(),
        GameInProgress(Record.from_moves(start, moves, tags)),
        seats,
        wanted.swapped,
        clock=clock,
    )
    game.pass_clock(game.turn)
    return game


def _check_opening(start: Position, moves: Sequence[int], wanted: NewGameRequest) -> None:
    """Check that a game can begin with swap2.

    Raises:
        NotationError: it is no m,n,k-game for swap2, or not at its first move.
        Refused: too many moves are played, or the letters are to be swapped.
    """
    check_swap2(start)
    if not Swap2().can_have(len(moves)):
        detail = f"With {SWAP2} a new game has at most {FIRST_STONES} moves."
        raise Refused(422, "request", detail, field="moves")
    if wanted.swapped:
        detail = f"With {SWAP2} the letters are not swapped: the players choose them."
        raise Refused(422, "request", detail, field="swapped")


def _seat(text: str, player: str, start: Position, name: str, files: CheckedFiles) -> Seat:
    """Return a seat from the text in a request.

    Raises:
        NotationError: the page has no such opponent.
    """
    if text == "me":
        return Seat("person", player, clean_name(name))
    if text == "guest":
        return Seat("open")
    if file_name(text):
        files.check(text, start)
    else:
        parse_machine(text, start)
    return Seat(text)


def _seats_of(game: Game, player: str) -> list[Player]:
    """Return the sides of a player; refuse spectators."""
    sides = game.sides_of(player)
    if not sides:
        raise Refused(403, "not-yours", "You are watching this game.")
    return sides


def _is_late(game: Game) -> bool:
    """Return whether the time of the side to move is up."""
    return game.due is not None and game.due <= clocks.now()
