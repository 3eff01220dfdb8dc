"""A match being played: in this process, or in processes of its own, one game at a time in each.

    Terms, fixtures ──Match.play(runner)──► records as the games end ──► standings, test
      Room.play(fixture): opens the bots, keeps them for the next game, closes those at fault
      in_process   one room, here
      Workers      a room in each of several processes; a game whose process dies is played again

Which runner plays a match changes nothing but its speed: what a game depends on is in the terms and
the fixture. Nothing is printed here.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import NamedTuple

from noughts.arena.bot import Bot, Entry, Fault, Reply, Table, Turn
from noughts.arena.openings import Opening, solver
from noughts.arena.referee import Adjudicate, play_game
from noughts.arena.schedule import Fixture, Terms, tags_of
from noughts.arena.standings import Standings
from noughts.arena.statistics import Sprt
from noughts.games.position import Outcome, Player, Position
from noughts.games.record import Record, format_json_line, parse_json_line
from noughts.games.registry import load, parse_start

ADJUDICATION_NODES = 20_000
"""How far the exact solver looks before each move of a game that it may end."""
KEPT_BOTS = 8
"""How many bots a room keeps between games; those that played longest ago leave."""
DEATHS = 3
"""So many processes may die over one game before the match gives up."""
FAREWELL = 5.0
"""Seconds that a process gets to end its bots."""

Runner = Callable[[Terms, Iterable[Fixture]], Generator[tuple[Fixture, Record], None, None]]
"""Plays the fixtures, each taken when its game begins, and yields every one as its game ends; when
it is closed, the games under way are given up and their bots end."""


class RoomLost(RuntimeError):
    """A game could not be played: process after process that tried to has died."""


class _Seat:
    """A bot that is started when it is first needed."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._bot: Bot | None = None

    def new_game(self, table: Table) -> None:
        if self._bot is None:
            self._bot = self._entry.open()
        self._bot.new_game(table)

    def choose(self, turn: Turn) -> Reply:
        assert self._bot is not None
        return self._bot.choose(turn)

    def end_game(self, record: Record) -> None:
        if self._bot is not None:
            self._bot.end_game(record)

    def close(self) -> None:
        if self._bot is not None:
            self._bot.close()
            self._bot = None


class Room:
    """Where the games of a match are played one after another; it keeps the bots between them."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._seats: dict[int, _Seat] = {}
        """Of each entry, those that played last at the end."""

    def play(self, fixture: Fixture) -> Record:
        """Return the record of a game; what a bot does wrong is told there."""
        terms = self._terms
        start = parse_start(fixture.opening.start)
        sides = {Player.X: fixture.x, Player.O: fixture.o}
        bots = {side: self._seat(index) for side, index in sides.items()}
        now = datetime.now(UTC)
        tags = tags_of(terms, fixture) | {"Date": f"{now:%Y-%m-%d}", "Time": f"{now:%H:%M:%S}"}
        record = play_game(
            start,
            fixture.opening.moves,
            bots,
            terms.control,
            fixture.seed,
            tags,
            adjudicator(start) if terms.adjudicate else None,
        )
        if "Fault" in record.tags:
            self._seats.pop(sides[Player(record.tags["Fault"][0])]).close()
        return record

    def close(self) -> None:
        """Close all bots."""
        while self._seats:
            self._seats.popitem()[1].close()

    def _seat(self, index: int) -> _Seat:
        seat = self._seats.pop(index, None) or _Seat(self._terms.entries[index])
        self._seats[index] = seat
        if len(self._seats) > KEPT_BOTS:
            self._seats.pop(next(iter(self._seats))).close()
        return seat


def adjudicator(start: Position) -> Adjudicate:
    """Return what ends a game, begun at `start`, whose exact value is proven with little effort.

    It is for one game: what it found in others would make a game depend on the order of play.
    """
    prove = solver(start.rules_id, ADJUDICATION_NODES)

    def sure(place: Position) -> Outcome | None:
        value = prove(place).value
        if value == "unknown":
            return None
        winners = {"win": place.turn, "loss": place.turn.other}
        return Outcome(winners.get(value))

    return sure


class Match:
    """A match and how it stands.

    Games count in the order of the schedule, not in that of their ends: what the table and a test
    say depends on nobody's being quick.

    Args:
        terms: of the match.
        fixtures: all of its games.
        sprt: a test that ends the match, of two entries in one game, after the first pair that
            decides it; the games of later pairs do not count.
    """

    def __init__(self, terms: Terms, fixtures: Sequence[Fixture], sprt: Sprt | None = None) -> None:
        self.terms = terms
        self.fixtures = fixtures
        self.sprt = sprt
        self.passed: bool | None = None
        """What the test says; `None` as long as it says nothing."""
        self.standings = Standings()
        self.counted: list[Record] = []
        """The games of the table, from the first on."""
        self.running: dict[int, Fixture] = {}
        """The games under way, by number."""
        self.over: set[int] = set()
        """The numbers of the games that are over."""
        self.changing = threading.Lock()
        """Held while a game is counted, for who looks at the table from another thread."""
        self._waiting: dict[int, Record] = {}

    @property
    def is_over(self) -> bool:
        return self.passed is not None or len(self.over) == len(self.fixtures)

    @property
    def pairs(self) -> tuple[int, ...]:
        """The pairs that count, by the points of the first entry, where there are two entries."""
        first, second = self.terms.entries
        return self.standings.meeting(first.name, second.name).pairs

    def add(self, number: int, record: Record) -> None:
        """Take note of a game that is over."""
        with self.changing:
            self.running.pop(number, None)
            self.over.add(number)
            self._waiting[number] = record
            while self.passed is None and len(self.counted) + 1 in self._waiting:
                self.counted.append(self._waiting.pop(len(self.counted) + 1))
                self.standings.add(self.counted[-1])
                if self.sprt is not None and len(self.counted) % 2 == 0:
                    self.passed = self.sprt.passed(self.pairs)

    def play(self, runner: Runner) -> Iterator[Record]:
        """Play the games that are not over, and yield each as it ends."""

        def to_play() -> Iterator[Fixture]:
            for fixture in self.fixtures:
                if fixture.number not in self.over:
                    self.running[fixture.number] = fixture
                    yield fixture

        if self.is_over:
            return
        with closing(runner(self.terms, to_play())) as games:
            for fixture, record in games:
                self.add(fixture.number, record)
                yield record
                if self.passed is not None:
                    return


def refusals(terms: Terms, fixtures: Iterable[Fixture]) -> Iterator[str]:
    """Yield why entries cannot play games that they are to play, as far as that is known before."""
    asked: set[tuple[int, Opening]] = set()
    for fixture in fixtures:
        for index in (fixture.x, fixture.o):
            if (index, fixture.opening) not in asked:
                asked.add((index, fixture.opening))
                start, moves = parse_start(fixture.opening.start), fixture.opening.moves
                if reason := terms.entries[index].refusal(start, moves):
                    yield f"{terms.entries[index].name}: {reason}"


def try_bots(terms: Terms, fixtures: Iterable[Fixture]) -> None:
    """Start every bot once, and tell it the rules that it is to play: what is wrong with it from
    the start then costs no games.

    Raises:
        Fault: one cannot be started, or does not play the rules; the message names the entry.
    """
    starts: dict[int, dict[str, str]] = {}
    for fixture in fixtures:
        for index in (fixture.x, fixture.o):
            text = fixture.opening.start
            starts.setdefault(index, {}).setdefault(text.partition("~")[0], text)
    for index in sorted(starts):
        entry = terms.entries[index]
        seat = _Seat(entry)
        try:
            for text in starts[index].values():
                seat.new_game(Table(parse_start(text), Player.X, terms.control, terms.seed))
        except Fault as fault:
            raise Fault(fault.verdict, f"{entry.name}: {fault.message}") from None
        finally:
            seat.close()


# Runners ------------------------------------------------------------------------------------------


def in_process(
    terms: Terms, fixtures: Iterable[Fixture]
) -> Generator[tuple[Fixture, Record], None, None]:
    """Play the fixtures here, one after another."""
    with closing(Room(terms)) as room:
        for fixture in fixtures:
            yield fixture, room.play(fixture)


def cores() -> list[int]:
    """Return the cores that this process may use."""
    if sys.platform == "linux":
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def default_jobs() -> int:
    """Return how many games at once disturb no clock: one on each core, one left for the rest.

    In a game only the side to move thinks, so that one core is enough for it.
    """
    return max(1, len(cores()) - 1)


class Waiting:
    """The games that nobody plays yet, and those whose process died."""

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        self._fixtures = iter(fixtures)
        self._again: deque[Fixture] = deque()
        self._deaths: dict[int, int] = {}

    def next(self) -> Fixture | None:
        """Return the next game to be played; `None` if none is left, but one may come again."""
        return self._again.popleft() if self._again else next(self._fixtures, None)

    def again(self, fixture: Fixture, how: str) -> None:
        """Let a game be played again whose process died, `how` saying in what way.

        Raises:
            RoomLost: it was not the first one.
        """
        deaths = self._deaths[fixture.number] = self._deaths.get(fixture.number, 0) + 1
        if deaths == DEATHS:
            raise RoomLost(
                f"game {fixture.number} cannot be played: the process that plays it died {DEATHS} "
                f"times, the last time {how}"
            )
        self._again.append(fixture)


class Workers:
    """A runner with a room in each of several processes.

    A process that dies loses nothing but time: a new one takes its place and plays the game again.

    Args:
        jobs: how many games are played at once.
        pin: whether each process, with its bots, keeps to a core of its own.
    """

    def __init__(self, jobs: int, *, pin: bool = False) -> None:
        self._jobs = jobs
        self._pin = pin

    def __call__(
        self, terms: Terms, fixtures: Iterable[Fixture]
    ) -> Generator[tuple[Fixture, Record], None, None]:
        """Play the fixtures.

        Raises:
            RoomLost: process after process died over one game.
            RuntimeError: a game could not be played for a reason that is no bot's; it is told.
        """
        waiting = Waiting(fixtures)
        workers: list[_Worker] = []
        usable = cores()
        try:
            for number in range(self._jobs):
                fixture = waiting.next()
                if fixture is None:
                    break
                core = usable[number % len(usable)] if self._pin else None
                workers.append(_Worker(terms, core, fixture))
            while workers:
                ready = wait([worker.connection for worker in workers])
                for worker in [worker for worker in workers if worker.connection in ready]:
                    played, line = worker.fixture, worker.receive()
                    if line is None:
                        waiting.again(played, worker.how_it_ended())
                        worker.close()
                        workers.remove(worker)
                        fixture = waiting.next()
                        assert fixture is not None
                        workers.append(_Worker(terms, worker.core, fixture))
                        continue
                    fixture = waiting.next()
                    if fixture is None:
                        worker.close()
                        workers.remove(worker)
                    else:
                        worker.send(fixture)
                    yield played, parse_json_line(line)
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.close()


class _Worker:
    """A process with a room, and the game that it is playing."""

    def __init__(self, terms: Terms, core: int | None, fixture: Fixture) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.core = core
        self._process = context.Process(target=_work, args=(theirs, terms, core), daemon=True)
        self._process.start()
        theirs.close()
        self.send(fixture)

    def send(self, fixture: Fixture) -> None:
        self.fixture = fixture
        # One that has died is found out when its answer is read.
        with suppress(BrokenPipeError):
            self.connection.send(fixture)

    def receive(self) -> str | None:
        """Return the record as a line; `None` if the process has died.

        Raises:
            RuntimeError: the game could not be played.
        """
        try:
            answer: _Answer = self.connection.recv()
        except (EOFError, ConnectionResetError):
            return None
        if answer.error:
            raise RuntimeError(f"game {self.fixture.number} could not be played:\n{answer.error}")
        return answer.line

    def how_it_ended(self) -> str:
        self._process.join(FAREWELL)
        code = self._process.exitcode
        if code is None or code >= 0:
            return f"with status {code}"
        return f"by signal {-code} ({signal.Signals(-code).name})"

    def terminate(self) -> None:
        self._process.terminate()

    def close(self) -> None:
        """Let the process end, and end it if it does not."""
        self.connection.close()
        self._process.join(FAREWELL)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


class _Answer(NamedTuple):
    """What a process says of a game: its record, or what went wrong."""

    line: str = ""
    error: str = ""


def _work(connection: Connection, terms: Terms, core: int | None) -> None:
    """Play the games that come, until none comes or the match's process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if core is not None and sys.platform == "linux":
        os.sched_setaffinity(0, {core})
    for path in terms.load:
        load(path)
    with closing(Room(terms)) as room, suppress(EOFError, ConnectionError):
        while True:
            fixture: Fixture = connection.recv()
            try:
                answer = _Answer(format_json_line(room.play(fixture)))
            except Exception:  # whatever a user's own game may raise; the match tells it
                answer = _Answer(error=traceback.format_exc())
            connection.send(answer)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(1)


def _end_with_parent() -> None:
    """End this process, in the middle of a game if need be, when that of the match has died."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
