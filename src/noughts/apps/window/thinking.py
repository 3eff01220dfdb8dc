"""Searches beside the window: an opponent's move, an analysis, a hint.

    Table ──ask(Job)──► Thinker ──► process: opponent's choice · engine · textbook search
          ◄──poll()──── Finding, Finding, … , the last one done

Positions go to the process as texts and moves. `stop` ends a native analysis within the engine,
which keeps its tables; any other search is ended with its process.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import noughts
from noughts import search
from noughts.apps.window.worker import Inbox, Worker
from noughts.arena.player import Opponent, OpponentFailed, parse_opponent
from noughts.engine import Engine, is_native
from noughts.games import registry
from noughts.games.position import Position
from noughts.search import Limit, SearchResult, Value
from noughts.views.explain import sentences, what_it_does
from noughts.views.facts import Fact

ANALYSIS = Limit(seconds=60)
"""How long a position is analysed while it is looked at."""
HINT = Limit(nodes=1_000_000, seconds=3)
"""How far a hint looks, as at the terminal."""
SAID = 2
"""How many sentences a hint has at most."""


class Job(NamedTuple):
    """What a search is asked for: `opponent`'s move, or an analysis or a hint if that is empty."""

    kind: str
    """`move`, `analysis` or `hint`."""
    start: str
    """A position string."""
    moves: tuple[int, ...]
    """Played from there; the search is of the position after them."""
    opponent: str = ""
    seed: int | None = None


class Finding(NamedTuple):
    """What a search has found so far."""

    kind: str
    move: int | None
    value: Value
    values: dict[int, Value]
    """Of every legal move, in an analysis or a hint."""
    line: tuple[int, ...]
    depth: int
    nodes: int
    simulations: int
    seconds: float
    exact: bool
    sentences: tuple[str, ...] = ()
    """Why the move of a hint."""
    done: bool = False


class Failed(NamedTuple):
    """Why a search has come to nothing."""

    kind: str
    reason: str
    done: bool = True


class Thinker:
    """One search at a time, in a process that knows the same games as the window.

    Args:
        load: files that register games of the user's own.
    """

    def __init__(self, load: tuple[Path, ...] = ()) -> None:
        self._worker = Worker(serve, *map(str, load))
        self._worker.start()
        self._number = 0
        self.job: Job | None = None
        """What is being searched."""

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return self._worker.pid

    def ask(self, job: Job) -> None:
        """Begin a search, and end the one before."""
        self.stop()
        self._number += 1
        self.job = job
        self._worker.send((self._number, job))

    def stop(self) -> None:
        """End the search under way; nothing more comes of it."""
        if self.job is None:
            return
        if self.job.kind != "move" and is_native(noughts.position(self.job.start)):
            self._worker.send((self._number, None))
        else:
            self._worker.end()
            self._worker.start()
        self.job = None

    def poll(self) -> list[Finding | Failed]:
        """Return what the search has found since the last call."""
        try:
            answers = self._worker.poll()
        except EOFError:
            job, self.job = self.job, None
            return [Failed(job.kind, "the search has broken off")] if job else []
        found = [answer for number, answer in answers if number == self._number and self.job]
        if found and found[-1].done:
            self.job = None
        return found

    def close(self) -> None:
        """End the process."""
        self._worker.end()
        self.job = None


# In the process -----------------------------------------------------------------------------------


def serve(inbox: Inbox, outbox: Connection, *load: str) -> None:
    """Search what is asked for, one after the other."""
    for path in load:
        registry.load(Path(path))
    desk = Desk()
    inbox.urgent = desk.heed
    for number, job in inbox:
        try:
            for finding in desk.work(number, job):
                outbox.send((number, finding))
        except OpponentFailed as error:
            outbox.send((number, Failed(job.kind, str(error))))
        except Exception as error:  # whatever a game of the user's own may raise
            outbox.send((number, Failed(job.kind, f"{type(error).__name__}: {error}")))


class Desk:
    """What a process keeps between searches: the opponents, and the engine with its tables."""

    def __init__(self) -> None:
        self._opponents: dict[tuple[str, int | None], Opponent] = {}
        self._engine: Engine | None = None
        self._stopped = 0

    def heed(self, message: tuple[int, Job | None]) -> bool:
        """Take a message as it comes, and end the search that it says is to end."""
        number, job = message
        if job is not None:
            return False
        self._stopped = number
        if self._engine is not None:
            self._engine.stop()
        return True

    def work(self, number: int, job: Job) -> Iterator[Finding]:
        """Yield what is found, the last with `done`."""
        position = noughts.position(job.start)
        for move in job.moves:
            position = position.play(move)
        if job.kind == "move":
            yield self._move(position, job)
            return
        last = None
        for result in self._analysis(position, ANALYSIS if job.kind == "analysis" else HINT):
            # A stop that came before the engine had begun is not lost.
            if self._stopped >= number:
                return
            last = _finding(job.kind, result)
            if job.kind == "analysis":
                yield last
        assert last is not None
        if job.kind == "hint":
            last = last._replace(sentences=tuple(why(position, last)))
        yield last._replace(done=True)

    def _move(self, position: Position, job: Job) -> Finding:
        known = (job.opponent, job.seed)
        if known not in self._opponents:
            self._opponents[known] = parse_opponent(*known)
        choose = self._opponents[known].choose
        assert choose is not None
        return _finding(job.kind, choose(position))._replace(done=True)

    def _analysis(self, position: Position, limit: Limit) -> Iterator[SearchResult]:
        if not is_native(position):
            return search.analyse(position, limit)
        if self._engine is None or self._engine.rules != position.rules_id:
            self._engine = Engine(position.rules_id)
        return self._engine.every_move(position, limit)


def why(position: Position, found: Finding) -> list[str]:
    """Return what a hint says of its move: what it does, or else what it is worth."""
    assert found.move is not None
    said = sentences(position, islice(what_it_does(position, found.move, found.value), SAID))
    if not said:
        known = found.value.value != "unknown"
        fact = Fact(
            "standing" if known else "open",
            position.turn,
            found.move,
            (found.line,),
            value=found.value,
            depth=found.depth,
        )
        said = sentences(position, [fact])
    return [str(sentence) for sentence in said]


def _finding(kind: str, result: SearchResult) -> Finding:
    return Finding(
        kind,
        result.move,
        result.value,
        result.scores,
        result.pv,
        result.depth,
        result.nodes,
        result.simulations,
        result.seconds,
        result.exact,
    )
