"""The games that are open: who sits where, what each may do, and who is to be told.

    request ──► Games.get ──► Game: seats, round, version ──► changed ──► saved, listeners told
                                 ▲                                └─ a machine's turn: pool ─┐
                                 └──────────────────── its move ─────────────────────────────┘

Everything here runs on the event loop, so that a change is whole before the next one begins.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from hmac import compare_digest
from typing import Any, cast

import noughts
from noughts.apps.web.machines import MoveSearch, at_once, parse_machine
from noughts.apps.web.models import (
    GameSummary,
    GameView,
    Keys,
    Letter,
    NewGame,
    PlayerView,
    Saved,
    Score,
    Thinking,
)
from noughts.apps.web.pool import Engines, Pool
from noughts.apps.web.problems import Refused
from noughts.apps.web.saving import Saver
from noughts.apps.web.shown import branches_of, comments_of, line_texts, position_view
from noughts.arena.player import OpponentFailed, opponent_name, parse_opponent
from noughts.arena.round import RESIGNATION, Round
from noughts.games import record
from noughts.games.position import NotationError, Player, Position
from noughts.games.record import RESULTS, UNFINISHED, Node, Record
from noughts.games.registry import parse_moves
from noughts.search import SearchResult
from noughts.store import Store, Stored, StoreUnavailable
from noughts.views.words import outcome_sentence

LAST_MOMENT = 0.05
"""Seconds that a machine's search has to end when it is stopped."""
TAKEN_BACK = "TakenBack"
"""The tag that says how many moves of a line were taken back."""
MOST_OPEN = 1000
"""How many games are kept in memory; others are read again when they are asked for."""
NOT_SAVED = "Not saved yet ({}). The game goes on and is saved as soon as the database answers."

log = logging.getLogger(__name__)


@dataclass
class Seat:
    """Who moves for a side."""

    kind: str
    """`person`, `open`, or the text of an opponent."""
    player: str | None = None
    """Of a person: `noughts.store.player_id` of the secret."""

    @property
    def is_machine(self) -> bool:
        return self.kind not in ("person", "open")

    @property
    def name(self) -> str:
        if not self.is_machine:
            return "Guest" if self.kind == "person" else "Open seat"
        return opponent_name(self.kind)


@dataclass(eq=False)
class Game:
    """One game, with everything that its players share."""

    id: str
    round: Round
    seats: dict[Player, Seat]
    swapped: bool = False
    version: int = 0
    watch_key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    join_key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    score: dict[Player | None, float] = field(
        default_factory=lambda: {Player.X: 0, Player.O: 0, None: 0}
    )
    """Of the series before this game; draws under `None`."""
    next: str | None = None
    created: float = field(default_factory=time.time)
    updated: float = field(default_factory=time.time)
    search: Search | None = None
    """The search of the machine that is to move."""
    trouble: str | None = None
    """Why the machine that is to move does not."""
    stuck: Position | None = None
    """Where that is so."""
    saved: int = -1
    """The version that is in the database."""
    failure: str | None = None
    """Why the game as it stands is not in the database."""
    listeners: dict[asyncio.Event, str] = field(default_factory=dict)
    """Who has the game open, each with its player id; the event is set at every change."""

    def sides_of(self, player: str) -> list[Player]:
        """Return the sides that a player moves for."""
        return [side for side, seat in self.seats.items() if seat.player == player]

    def may_look(self, player: str, key: str | None) -> bool:
        """Whether a client may see the game."""
        if self.sides_of(player):
            return True
        keys = (self.watch_key, self.join_key)
        return key is not None and any(is_same(key, each) for each in keys)

    @property
    def is_shared(self) -> bool:
        """Whether two people, each at a browser, play it."""
        people = {seat.player for seat in self.seats.values() if not seat.is_machine}
        return len(people) > 1


@dataclass(eq=False)
class Search:
    """A machine's search for a move."""

    position: Position
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is to play what it has found."""
    waits: bool = False
    """Whether others think before it."""
    shown: bool = False
    """What the listeners know of that."""
    task: asyncio.Task[None] | None = None


def is_same(key: str, known: str) -> bool:
    """Return whether a key is the one known, in a time that tells nothing of how near it is."""
    return compare_digest(key.encode(errors="replace"), known.encode())


def not_found() -> Refused:
    """Return what somebody is told of a game that is not there, or not theirs to see."""
    return Refused(404, "not-found", "There is no such game, or your link does not open it.")


def new_id() -> str:
    return secrets.token_urlsafe(12)


ID = re.compile(r"[A-Za-z0-9_-]{16}")
"""What `new_id` returns."""


def iso(seconds: float) -> str:
    """Return a time in ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


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
        start = (
            noughts.position(wanted.start) if "~" in wanted.start else noughts.game(wanted.start)
        )
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
        """Return the sides of a player who knows the game as it stands."""
        sides = game.sides_of(player)
        if not sides:
            raise Refused(403, "not-yours", "You look on in this game; you have no seat in it.")
        if version != game.version or self._open.get(game.id) is not game:
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
        if not game.round.undo(_whose(game, side)):
            raise Refused(409, "nothing", "There is no move of yours to take back.")

    def redo(self, game: Game, side: Player) -> None:
        _may_take_back(game)
        if not game.round.redo(_whose(game, side)):
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
        if not game.sides_of(player):
            raise Refused(403, "not-yours", "You look on in this game; you have no seat in it.")
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
        if not game.sides_of(player):
            raise Refused(403, "not-yours", "You look on in this game; you have no seat in it.")
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


def _may_take_back(game: Game) -> None:
    if game.is_shared:
        raise Refused(409, "shared", "Moves against another person are not taken back.")
    if game.next is not None:
        raise Refused(409, "over", "The next game of the series has begun.")


def _whose(game: Game, side: Player) -> Player | None:
    """Return whose last move is taken back: the person's against a machine, else the last."""
    return side if any(seat.is_machine for seat in game.seats.values()) else None


def total(game: Game) -> dict[Player | None, float]:
    """Return the score of the series, this game included; draws under `None`."""
    score = dict(game.score)
    for winner, result in RESULTS.items():
        if result == game.round.record.result:
            score[winner] += 1
    return score


# What a client sees


def view(game: Game, player: str) -> GameView:
    """Return a game as one client sees it."""
    search = game.search
    beside_the_version = (
        game.saved,
        game.failure,
        game.trouble,
        game.next,
        search and (search.position, search.waits),
        frozenset(game.listeners.values()),
    )
    return _view(game, player, game.version, beside_the_version)


# Whoever moves is answered, and told again as one who has the game open: mostly the same.
@lru_cache(maxsize=256)
def _view(game: Game, player: str, _version: int, _beside_the_version: object) -> GameView:
    played, kept = game.round, game.round.record
    sides = game.sides_of(player)
    moves = played.moves
    score = total(game)
    here = set(game.listeners.values())
    players: dict[Letter, PlayerView] = {
        side.value: PlayerView(
            kind="machine" if seat.is_machine else "open" if seat.kind == "open" else "person",
            opponent=seat.kind if seat.is_machine else None,
            name="You" if side in sides else seat.name,
            yours=side in sides,
            here=seat.is_machine or seat.player in here,
        )
        for side, seat in game.seats.items()
    }
    thinking = None
    if game.search is not None:
        thinking = Thinking(side=game.search.position.turn.value, waiting=game.search.waits)
    branches = list(branches_of(game.round))
    return GameView(
        id=game.id,
        version=game.version,
        rules=kept.start.rules_id,
        start=str(kept.start),
        swapped=game.swapped,
        moves=line_texts(played),
        undone=noughts.move_texts(played.position, [node.move for node in reversed(played.undone)]),
        position=position_view(played.positions, moves[-1] if moves else None),
        players=players,
        yours=[side.value for side in sides],
        result=cast(Any, kept.result),
        termination=kept.termination,
        sentence=_ending(game),
        score=Score(x=score[Player.X], o=score[Player.O], draws=int(score[None])),
        thinking=thinking,
        trouble=None if played.is_over else game.trouble,
        branches=branches,
        comments=comments_of(kept),
        can=list(_allowed(game, sides)),
        keys=Keys(
            watch=game.watch_key,
            join=game.join_key
            if any(seat.kind == "open" for seat in game.seats.values())
            else None,
        )
        if sides
        else None,
        next=game.next,
        saved=Saved(
            done=game.saved == game.version,
            notice=None if game.failure is None else NOT_SAVED.format(game.failure),
        ),
        created=iso(game.created),
        updated=iso(game.updated),
    )


def summary(stored: Stored, player: str) -> GameSummary:
    """Return a game as a list shows it."""
    seats: dict[Letter, Seat] = {
        "X": Seat(stored.x, stored.x_player),
        "O": Seat(stored.o, stored.o_player),
    }
    names = {side: "You" if seat.player == player else seat.name for side, seat in seats.items()}
    return GameSummary(
        id=stored.id,
        rules=stored.rules,
        x=names["X"],
        o=names["O"],
        result=stored.result,
        termination=stored.termination,
        plies=stored.plies,
        position=stored.position,
        swapped=stored.swapped,
        yours=[side for side, seat in seats.items() if seat.player == player],
        created=iso(stored.created),
        updated=iso(stored.updated),
    )


def _ending(game: Game) -> str | None:
    kept = game.round.record
    if kept.result == UNFINISHED:
        return None
    if game.round.position.outcome() is not None:
        return outcome_sentence(game.round.position)
    winner = next(player for player, result in RESULTS.items() if result == kept.result)
    if winner is not None and kept.termination == RESIGNATION:
        return f"{winner} wins: {winner.other} has resigned."
    return f"{kept.result} ({kept.termination})."


def _allowed(game: Game, sides: Sequence[Player]) -> Iterator[Any]:
    played = game.round
    if not sides:
        return
    if not played.is_over and played.position.turn in sides:
        yield "move"
    if not game.is_shared and game.next is None:
        whose = _whose(game, sides[0])
        if any(whose in (None, position.turn) for position in played.positions[:-1]):
            yield "undo"
        if played.undone:
            yield "redo"
    yield "rematch" if played.is_over else "resign"
    if game.search is not None:
        yield "stop"
    yield "vary"
    if played.is_over or not game.is_shared:
        yield "delete"


# The database


def stored_of(game: Game) -> Stored:
    """Return a game as the database has it."""
    kept = game.round.record
    x, o = (game.seats[side] for side in Player)
    words = [
        kept.start.rules_id,
        kept.start.rules_id.partition(":")[0].replace("connect4", "connect four"),
        *(x.name, o.name, *kept.tags.values()),
        *(kept.result, kept.termination, iso(game.created)),
    ]
    return Stored(
        id=game.id,
        version=game.version,
        rules=kept.start.rules_id,
        position=str(game.round.position),
        plies=len(game.round.positions) - 1,
        result=kept.result,
        termination=kept.termination,
        record=record.format_json_line(kept),
        words=" ".join(words).lower(),
        x=x.kind,
        o=o.kind,
        x_player=x.player,
        o_player=o.player,
        swapped=game.swapped,
        watch_key=game.watch_key,
        join_key=game.join_key,
        x_score=game.score[Player.X],
        o_score=game.score[Player.O],
        draws=int(game.score[None]),
        next=game.next,
        created=game.created,
        updated=game.updated,
        undone=_beyond(game.round),
    )


def _beyond(played: Round) -> str | None:
    """Return what was taken back, and the variations there, as a record from the last position."""
    children: list[Node] = []
    for node in played.undone:
        children = [Node(node.move, node.comment, [*children, *node.children])]
    children += played.beside
    if not children:
        return None
    beyond = Record(played.position, {TAKEN_BACK: str(len(played.undone))}, children=children)
    *_, end = beyond.positions()
    outcome = end.outcome()
    if outcome is not None:
        beyond.result, beyond.termination = RESULTS[outcome.winner], outcome.termination.value
    return record.format_json_line(beyond)


def _go_back(played: Round, beyond: str) -> None:
    """Give a round what `_beyond` says of it."""
    kept = record.parse_json_line(beyond)
    children = kept.children
    for _ in range(int(kept.tags[TAKEN_BACK])):
        played.undone.insert(0, children.pop(0))
        children = played.undone[0].children
    played.beside = kept.children


def game_of(stored: Stored) -> Game:
    """Return a game as it was stored."""
    played = Round(record.parse_json_line(stored.record))
    if stored.undone is not None:
        _go_back(played, stored.undone)
    return Game(
        stored.id,
        played,
        {Player.X: Seat(stored.x, stored.x_player), Player.O: Seat(stored.o, stored.o_player)},
        stored.swapped,
        stored.version,
        stored.watch_key,
        stored.join_key,
        {Player.X: stored.x_score, Player.O: stored.o_score, None: stored.draws},
        stored.next,
        stored.created,
        stored.updated,
        saved=stored.version,
    )
