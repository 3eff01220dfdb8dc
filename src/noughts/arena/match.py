"""Play a match, in this process or in worker processes, one game at a time in each.

    Terms, fixtures ──Match.play(runner)──► records as the games end ──► standings, test
      GameWorker.play(fixture): opens the bots, keeps them for the next game, closes those at fault
      in_process   one worker in this process
      Workers      a worker in each worker process; a game whose process dies is played again

The runner affects only the speed: a game depends on the terms and the fixture alone. Nothing is
printed here.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import NamedTuple

from noughts.arena.bot import Bot, Entry, Fault, GameSetup, Reply, Turn
from noughts.arena.openings import Opening, solver
from noughts.arena.process import LogUnwritable
from noughts.arena.referee import Adjudicate, play_game
from noughts.arena.schedule import Fixture, Terms, tags_of
from noughts.arena.standings import Standings
from noughts.arena.statistics import Sprt
from noughts.games.position import Outcome, Player, Position
from noughts.games.record import Record, format_json_line, parse_json_line
from noughts.games.registry import load, parse_start

ADJUDICATION_NODES = 20_000
"""Node limit of the exact solver before each move of a game that may be adjudicated."""
KEPT_BOTS = 8
"""Bots kept open between games; the least recently used is closed first."""
DEATHS = 3
"""Processes that may die in one game before the match gives up."""
FAREWELL = 5.0
"""Seconds a worker has to close its bots."""

Runner = Callable[[Terms, Iterable[Fixture]], Generator[tuple[Fixture, Record], None, None]]
"""Plays fixtures, taking each when its game begins and yielding it with its record when it ends.
Closing it abandons the games in progress and ends their bots."""


class WorkerLost(RuntimeError):
    """A game could not be played, because every worker process that tried has died."""


class _Seat:
    """A bot that starts on first use."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._bot: Bot | None = None

    @property
    def ends_in_time(self) -> bool:
        return self._bot is not None and self._bot.ends_in_time

    def new_game(self, setup: GameSetup) -> None:
        if self._bot is None:
            self._bot = self._entry.open()
        self._bot.new_game(setup)

    def choose(self, turn: Turn) -> Reply:
        assert self._bot is not None
        return self._bot.choose(turn)

    def end_game(self, record: Record) -> None:
        if self._bot is not None:
            self._bot.end_game(record)

    def notes(self) -> Mapping[str, str]:
        return {} if self._bot is None else self._bot.notes()

    def close(self) -> None:
        if self._bot is not None:
            self._bot.close()
            self._bot = None


class GameWorker:
    """Plays games of a match one after another, and keeps the bots open between games."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._seats: dict[int, _Seat] = {}
        """Open bots by entry, the most recently used last."""

    def play(self, fixture: Fixture) -> Record:
        """Play a game and return its record, which names the fault of a bot."""
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
    """Return a function that ends a game from `start` once its exact value is proven.

    Use it for one game only, so that no game depends on the order of play.
    """
    prove = solver(start.rules_id, ADJUDICATION_NODES)

    def sure(place: Position) -> Outcome | None:
        value = prove(place).kind
        if value == "unknown":
            return None
        winners = {"win": place.turn, "loss": place.turn.other}
        return Outcome(winners.get(value))

    return sure


class Match:
    """A match and its state.

    Games count in the order of the schedule, not of their ends, so that short games do not bias the
    table or the test.

    Args:
        terms: of the match.
        fixtures: all of its games.
        sprt: a test for two entries in one game, which ends the match at the first pair that
            decides it; later pairs do not count.
    """

    def __init__(self, terms: Terms, fixtures: Sequence[Fixture], sprt: Sprt | None = None) -> None:
        self.terms = terms
        self.fixtures = fixtures
        self.sprt = sprt
        self.passed: bool | None = None
        """The decision of the test; `None` until there is one."""
        self.standings = Standings()
        self.counted: list[Record] = []
        """The records of the games in the table, from the first game of the schedule on."""
        self.running: dict[int, Fixture] = {}
        """The games in progress, by number."""
        self.over: set[int] = set()
        """The numbers of the games that are over."""
        self.changing = threading.Lock()
        """Held while a game is counted, for readers in other threads."""
        self._waiting: dict[int, Record] = {}

    @property
    def is_over(self) -> bool:
        return self.passed is not None or len(self.over) == len(self.fixtures)

    @property
    def pairs(self) -> tuple[int, ...]:
        """Counted pairs by the points of the first entry, in a match of two entries."""
        first, second = self.terms.entries
        return self.standings.meeting(first.name, second.name).pairs

    def add(self, number: int, record: Record) -> None:
        """Count a finished game."""
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
        """Play the remaining games, and yield each record when its game ends."""

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
    """Yield the reasons, known before the first game, why entries cannot play their games."""
    asked: set[tuple[int, Opening, Player]] = set()
    for fixture in fixtures:
        for side, index in ((Player.X, fixture.x), (Player.O, fixture.o)):
            if (index, fixture.opening, side) not in asked:
                asked.add((index, fixture.opening, side))
                start, moves = parse_start(fixture.opening.start), fixture.opening.moves
                if reason := terms.entries[index].refusal(start, moves, side):
                    yield f"{terms.entries[index].name}: {reason}"


def try_bots(terms: Terms, fixtures: Iterable[Fixture]) -> None:
    """Start every bot once with the rules that it will play, so that a broken bot costs no games.

    Raises:
        Fault: a bot does not start, or does not play the rules; the message names the entry.
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
                seat.new_game(GameSetup(parse_start(text), Player.X, terms.control, terms.seed))
        except Fault as fault:
            raise Fault(fault.verdict, f"{entry.name}: {fault.message}") from None
        finally:
            seat.close()


# Runners ------------------------------------------------------------------------------------------


def in_process(
    terms: Terms, fixtures: Iterable[Fixture]
) -> Generator[tuple[Fixture, Record], None, None]:
    """Play the fixtures in this process, one after another."""
    with closing(GameWorker(terms)) as worker:
        for fixture in fixtures:
            yield fixture, worker.play(fixture)


def cores() -> list[int]:
    """Return the numbers of the cores that this process may use."""
    if sys.platform == "linux":
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def default_jobs() -> int:
    """Return the number of parallel games that does not distort clocks: the cores less one.

    A game needs one core, since only the side to move thinks.
    """
    return max(1, len(cores()) - 1)


class Waiting:
    """Games not yet started, and games whose process died."""

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        self._fixtures = iter(fixtures)
        self._again: deque[Fixture] = deque()
        self._deaths: dict[int, int] = {}

    def next(self) -> Fixture | None:
        """Return the next game; `None` if there is none now (a game can come back later)."""
        return self._again.popleft() if self._again else next(self._fixtures, None)

    def again(self, fixture: Fixture, how: str) -> None:
        """Queue again a game whose process died; `how` describes the death.

        Raises:
            WorkerLost: too many processes died in this game.
        """
        deaths = self._deaths[fixture.number] = self._deaths.get(fixture.number, 0) + 1
        if deaths == DEATHS:
            raise WorkerLost(
                f"game {fixture.number} cannot be played: the process that plays it died {DEATHS} "
                f"times, the last time {how}"
            )
        self._again.append(fixture)


class Workers:
    """A runner with several worker processes.

    If a process dies, a new one plays the game again.

    Args:
        jobs: number of games played at once.
        pin: whether to bind each process and its bots to one core.
    """

    def __init__(self, jobs: int, *, pin: bool = False) -> None:
        self._jobs = jobs
        self._pin = pin

    def __call__(
        self, terms: Terms, fixtures: Iterable[Fixture]
    ) -> Generator[tuple[Fixture, Record], None, None]:
        """Play the fixtures.

        Raises:
            WorkerLost: too many processes died in one game.
            LogUnwritable: the log of a bot cannot be written.
            RuntimeError: a game could not be played, and no bot caused it; the message says why.
        """
        waiting = Waiting(fixtures)
        workers: list[_WorkerProcess] = []
        usable = cores()
        try:
            for number in range(self._jobs):
                fixture = waiting.next()
                if fixture is None:
                    break
                core = usable[number % len(usable)] if self._pin else None
                workers.append(_WorkerProcess(terms, core, fixture))
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
                        workers.append(_WorkerProcess(terms, worker.core, fixture))
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


class _WorkerProcess:
    """A worker process, and the game that it is playing."""

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
        # A dead process is noticed when its answer is read.
        with suppress(BrokenPipeError):
            self.connection.send(fixture)

    def receive(self) -> str | None:
        """Return the record as a JSON line; `None` if the process has died.

        Raises:
            LogUnwritable: the log of a bot could not be written.
            RuntimeError: the game could not be played.
        """
        try:
            answer: _Answer = self.connection.recv()
        except (EOFError, ConnectionResetError):
            return None
        if answer.unwritable:
            raise LogUnwritable(answer.unwritable)
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
        """Ask the process to end, and kill it if it does not."""
        self.connection.close()
        self._process.join(FAREWELL)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


class _Answer(NamedTuple):
    """A worker's answer about a game: its record, or an error."""

    line: str = ""
    error: str = ""
    unwritable: str = ""
    """Why the log of a bot could not be written."""


def _work(connection: Connection, terms: Terms, core: int | None) -> None:
    """Play the games received, until the match sends no more or its process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if core is not None and sys.platform == "linux":
        os.sched_setaffinity(0, {core})
    for path in terms.load:
        load(path)
    with closing(GameWorker(terms)) as worker, suppress(EOFError, ConnectionError):
        while True:
            fixture: Fixture = connection.recv()
            try:
                answer = _Answer(format_json_line(worker.play(fixture)))
            except LogUnwritable as error:
                answer = _Answer(unwritable=str(error))
            except Exception:  # a registered game may raise anything; the match reports it
                answer = _Answer(error=traceback.format_exc())
            connection.send(answer)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(1)


def _end_with_parent() -> None:
    """End this process, even during a game, when the match's process has died."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
