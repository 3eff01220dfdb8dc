"""A game with its seats and keys, and its row in the database.

Game: round, seats, score ──stored_of()──► Stored ──game_of()──► Game
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hmac import compare_digest

from noughts.answers.checked import file_name
from noughts.arena.control import Clocks
from noughts.database.store import Stored
from noughts.games import record
from noughts.games.position import Player, Position
from noughts.games.progress import TIME_FORFEIT, GameInProgress
from noughts.games.record import RESULTS, Record, RecordNode
from noughts.games.series import NO_SCORE, Score, Series, exchanged
from noughts.games.swap2 import FIRST_STONES, Choice, Swap2, swap2_of
from noughts.opponents import opponent_name
from noughts.web import clocks
from noughts.web.clients import Account
from noughts.web.clocks import UNTIMED, GameClock, parse_control
from noughts.web.offers import Offers, parse_offers
from noughts.web.presence import Presence

CONTROL = "Control"
"""The tag with the time control, as in the records of matches."""
Stage = tuple[Position, tuple[Choice, ...]]
"""A position of a game, and the choices of swap2 before it."""
TAKEN_BACK = "TakenBack"
"""The tag with the number of undone moves."""


@dataclass
class Seat:
    """The player of one side."""

    kind: str
    """`person`, `open`, or the text of an opponent or of a checked file."""
    player: str | None = None
    """The player id of a person, from `noughts.database.store.player_id`."""
    given: str | None = None
    """The name that the person gave."""

    @property
    def is_machine(self) -> bool:
        return self.kind not in ("person", "open")

    @property
    def name(self) -> str:
        if not self.is_machine:
            return (self.given or "Guest") if self.kind == "person" else "Waiting for opponent"
        return file_name(self.kind) or opponent_name(self.kind)


@dataclass(eq=False)
class Game:
    """A game: moves, seats, keys, score, and the search of its machine."""

    id: str
    round: GameInProgress
    seats: dict[Player, Seat]
    swapped: bool = False
    version: int = 0
    watch_key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    join_key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    score: Score = field(default_factory=lambda: NO_SCORE)
    """The points from the games before this one."""
    clock: GameClock | None = None
    offers: Offers = field(default_factory=Offers)
    next: str | None = None
    created: float = field(default_factory=time.time)
    updated: float = field(default_factory=time.time)
    search: MachineSearch | None = None
    """The search of the machine to move."""
    trouble: str | None = None
    """A sentence on why the machine to move failed."""
    stuck: Stage | None = None
    """The stage at which it failed."""
    saved: int = -1
    """The version in the database."""
    owner: int | None = None
    """The server that the game belongs to; `None` before it is in the database."""
    origin: str | None = None
    """The address that opened it, as the store hides it."""
    is_stale: bool = False
    """Whether another server has changed it since it was read."""
    moving: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the game is read again from the database."""
    reads: int = 0
    """How often it was read again."""
    failure: str | None = None
    """The reason why the present version is not in the database."""
    listeners: dict[asyncio.Event, Account] = field(default_factory=dict)
    """The account of each client that has the game open; its event is set at every change."""
    elsewhere: Presence = field(default_factory=Presence)
    """The players who have it open on other servers."""
    swap2: Swap2 | None = field(init=False)
    """The choices of a game that begins with swap2. Player 1 has X until the sides are decided."""

    def __post_init__(self) -> None:
        self.swap2 = swap2_of(self.round.record)

    @property
    def ply(self) -> int:
        """The number of moves played."""
        return len(self.round.positions) - 1

    @property
    def stage(self) -> Stage:
        """The position, and the choices that led to it."""
        return self.round.position, () if self.swap2 is None else self.swap2.made

    @property
    def turn(self) -> Player:
        """The side whose player acts: moves, or in swap2 places a stone or chooses."""
        if self.swap2 is None:
            return self.round.position.turn
        return self.swap2.side_of(self.swap2.player_at(self.ply))

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices of swap2 that are due."""
        if self.swap2 is None or self.round.is_over:
            return ()
        return self.swap2.choices_at(self.ply)

    @property
    def is_opening(self) -> bool:
        """Whether the sides of swap2 are not decided yet."""
        return self.swap2 is not None and not self.swap2.is_decided

    def choose(self, choice: Choice) -> None:
        """Make one of the `choices` of swap2, and give the players the sides that follow."""
        assert self.swap2 is not None
        side = self.turn
        made = Swap2(self.swap2.made)
        made.choose(choice, self.ply)
        self.round.undone.clear()
        # The player who chooses is charged before the sides change.
        was_swapped, self.swap2 = self.swap2.is_swapped, made
        self.pass_clock(side)
        self._sit(was_swapped)

    def _sit(self, was_swapped: bool) -> None:
        """Note the choices in the record, and give the players their sides."""
        assert self.swap2 is not None
        self.swap2.tag(self.round.record)
        if was_swapped == self.swap2.is_swapped:
            return
        self.seats = {side: self.seats[side.other] for side in Player}
        self.score = exchanged(self.score)
        self.clock = self.clock and self.clock.swapped()
        self.offers.swap()

    @property
    def can_undo(self) -> bool:
        """Whether `undo` has a move or a choice to take back."""
        if self.swap2 is None:
            return self.series.can_undo
        return self.swap2.last_act(self.ply, self.series.person) is not None

    def undo(self, whose: Player | None) -> bool:
        """Take back the last move of a side, or of any, with those after it.

        In swap2 a choice is taken back like a move, and the players sit as before it. Returns False
        if there is nothing to take back.
        """
        if self.swap2 is None:
            return self.round.undo(whose)
        act = self.swap2.last_act(self.ply, whose)
        if act is None:
            return False
        self.round.go_back(act.moves)
        was_swapped, self.swap2 = self.swap2.is_swapped, Swap2(act.made)
        self._sit(was_swapped)
        return True

    @property
    def can_redo(self) -> bool:
        """Whether `redo` has a move to play again; a choice of swap2 comes first."""
        return self.series.can_redo and not self.choices

    def redo(self) -> bool:
        """Play the moves again that `undo` took back last, up to the next choice of swap2.

        Returns False if there are none.
        """
        if self.swap2 is None:
            return self.series.redo()
        if not self.can_redo:
            return False
        self.round.redo()
        while self.can_redo and self.series.person not in (None, self.turn):
            self.round.redo()
        return True

    def sides_of(self, player: str) -> list[Player]:
        """Return the sides of a player."""
        return [side for side, seat in self.seats.items() if seat.player == player]

    def may_look(self, player: str, key: str | None) -> bool:
        """Return whether a client may see the game."""
        if self.sides_of(player):
            return True
        keys = (self.watch_key, self.join_key)
        return key is not None and any(is_same(key, each) for each in keys)

    def involves(self, account: Account) -> bool:
        """Return whether a client has a seat, or the game open."""
        return bool(self.sides_of(account.player)) or account in self.listeners.values()

    def replace(self, stored: Stored) -> None:
        """Become the game of a database row; the listeners stay."""
        for name, value in vars(game_of(stored)).items():
            if name not in ("elsewhere", "listeners", "moving", "reads", "search"):
                setattr(self, name, value)
        self.reads += 1

    @property
    def due(self) -> float | None:
        """The time at which the side to move loses on time; `None` without a running clock."""
        return None if self.clock is None else self.clock.due(self.turn)

    def pass_clock(self, side: Player, *, increment: bool = False) -> None:
        """Charge the clock of the side that was to move, and start that of the side to move.

        Args:
            side: the side to move before the change.
            increment: whether the change is a move.
        """
        if self.clock is None:
            return
        untimed = UNTIMED if self.swap2 is None else FIRST_STONES
        runs = not (self.round.is_over or self.is_open or self.ply < untimed)
        self.clock = self.clock.passed(side, clocks.now(), increment=increment, runs=runs)

    @property
    def series(self) -> Series:
        """The game with its people and score."""
        people = [side for side, seat in self.seats.items() if not seat.is_machine]
        return Series(self.round, people, self.score)

    def own_moves(self, side: Player) -> int:
        """Return the number of a side's moves, and choices of swap2."""
        if self.swap2 is not None:
            sides = (self.swap2.side_of(act.player) for act in self.swap2.acts(self.ply))
            return sum(each is side for each in sides)
        return sum(position.turn is side for position in self.round.positions[:-1])

    @property
    def is_paused(self) -> bool:
        """Whether machines play it and nobody watches."""
        return not self.has_person and not self.listeners

    @property
    def here(self) -> set[str]:
        """The player ids with a seat that have the game open on this server."""
        there = {account.player for account in self.listeners.values()}
        return {seat.player for seat in self.seats.values() if seat.player} & there

    @property
    def online(self) -> set[str]:
        """The player ids with a seat that have the game open on any server."""
        players = {seat.player for seat in self.seats.values() if seat.player}
        return self.here | {player for player in players if player in self.elsewhere}

    @property
    def has_person(self) -> bool:
        """Whether a person plays it, who waits for the moves of a machine."""
        return not all(seat.is_machine for seat in self.seats.values())

    @property
    def is_shared(self) -> bool:
        """Whether two people play it in two browsers."""
        people = {seat.player for seat in self.seats.values() if not seat.is_machine}
        return len(people) > 1

    @property
    def is_open(self) -> bool:
        """Whether the game waits for a person with the link."""
        has_open_seat = any(seat.kind == "open" for seat in self.seats.values())
        return has_open_seat and not self.round.is_over

    @property
    def has_two(self) -> bool:
        """Whether two people in two browsers have the seats, so that one can make offers."""
        return self.is_shared and all(seat.player for seat in self.seats.values())

    @property
    def is_lost_on_time(self) -> bool:
        return self.round.record.termination == TIME_FORFEIT


@dataclass(eq=False)
class MachineSearch:
    """A machine's search for a move, or for its choice in swap2."""

    stage: Stage
    """The stage at which it is to act."""
    side: Player
    """Its side."""
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    """Set to make it play its best move so far."""
    waits: bool = False
    """Whether it is queued behind other searches."""
    shown: bool = False
    """The value of `waits` that the listeners last received."""
    task: asyncio.Task[None] | None = None
    answer: asyncio.Future[str | None] | None = None
    """The move that the person's browser finds in place of the server; `None` if it finds none."""

    @property
    def position(self) -> Position:
        """The position in which it is to act."""
        return self.stage[0]

    @property
    def awaits_answer(self) -> bool:
        """Whether the server waits for the person's browser to find the move."""
        return self.answer is not None and not self.answer.done()

    def settle(self, move: str | None = None) -> None:
        """End the wait for the person's browser; without a move the server searches."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(move)


def is_same(key: str, known: str) -> bool:
    """Return whether two keys are equal, in constant time."""
    return compare_digest(key.encode(errors="replace"), known.encode())


def new_id() -> str:
    return secrets.token_urlsafe(12)


ID = re.compile(r"[A-Za-z0-9_-]{16}")
"""The form of the ids of `new_id`."""


def iso(seconds: float) -> str:
    """Return a time in ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def stored_of(game: Game) -> Stored:
    """Return the database row of a game."""
    kept = game.round.record
    x, o = (game.seats[side] for side in Player)
    clock = game.clock
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
        plies=game.ply,
        result=kept.result,
        termination=kept.termination,
        record=record.format_json_line(kept, game.round.positions),
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
        owner=game.owner,
        origin=game.origin,
        x_name=x.given,
        o_name=o.given,
        x_left=None if clock is None else clock.left.x,
        o_left=None if clock is None else clock.left.o,
        since=None if clock is None else clock.since,
        offers=game.offers.text,
    )


def _clock_of(stored: Stored, tags: dict[str, str]) -> GameClock | None:
    """Return the clocks of a database row, whose record has the time control."""
    if stored.x_left is None or stored.o_left is None:
        return None
    control = parse_control(tags[CONTROL].removeprefix("clock="))
    return GameClock(control, Clocks(stored.x_left, stored.o_left), stored.since)


def _beyond(played: GameInProgress) -> str | None:
    """Return the undone moves and their variations as a record from the last position."""
    children: list[RecordNode] = []
    for node in played.undone:
        children = [RecordNode(node.move, node.comment, [*children, *node.children])]
    children += played.beside
    if not children:
        return None
    beyond = Record(played.position, {TAKEN_BACK: str(len(played.undone))}, children=children)
    *_, end = beyond.positions()
    outcome = end.outcome()
    if outcome is not None:
        beyond.result, beyond.termination = RESULTS[outcome.winner], outcome.termination.value
    return record.format_json_line(beyond)


def _go_back(played: GameInProgress, beyond: str) -> None:
    """Restore the undone moves of a round from the record of `_beyond`."""
    kept = record.parse_json_line(beyond)
    children = kept.children
    for _ in range(int(kept.tags[TAKEN_BACK])):
        played.undone.insert(0, children.pop(0))
        children = played.undone[0].children
    played.beside = kept.children


def game_of(stored: Stored) -> Game:
    """Return the game of a database row."""
    played = GameInProgress(record.parse_json_line(stored.record))
    if stored.undone is not None:
        _go_back(played, stored.undone)
    return Game(
        stored.id,
        played,
        {
            Player.X: Seat(stored.x, stored.x_player, stored.x_name),
            Player.O: Seat(stored.o, stored.o_player, stored.o_name),
        },
        stored.swapped,
        stored.version,
        stored.watch_key,
        stored.join_key,
        {Player.X: stored.x_score, Player.O: stored.o_score, None: stored.draws},
        _clock_of(stored, played.record.tags),
        parse_offers(stored.offers),
        stored.next,
        stored.created,
        stored.updated,
        saved=stored.version,
        owner=stored.owner,
        origin=stored.origin,
    )
