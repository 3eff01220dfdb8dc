"""Searches in a process beside the window: an opponent's move, an analysis, a hint.

    GameState ──ask(Job)──► SearchProcess ──► its process: Opponent.think, Analyser.analyse
              ◄──poll()──── SearchReport, SearchReport, …, the last one done

Positions are sent as texts and moves. `stop` ends the search, and the process keeps its tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from noughts.analysis import Analyser
from noughts.explain.hint import hint
from noughts.games import registry
from noughts.games.position import Position
from noughts.judgement.judge import analysed
from noughts.opponents import Opponent, OpponentFailed, opponent
from noughts.search import Limit, SearchResult, Value
from noughts.window.worker import Inbox, Worker

ANALYSIS = Limit(seconds=60)
"""Limit of the analysis of the shown position."""


class Job(NamedTuple):
    """A search to run: for the move of `opponent`, or an analysis or a hint."""

    kind: str
    """`move`, `analysis` or `hint`."""
    start: str
    """A position string."""
    moves: tuple[int, ...]
    """Moves from there to the position to search."""
    opponent: str = ""
    seed: int | None = None


class SearchReport(NamedTuple):
    """The results of a search so far."""

    kind: str
    move: int | None
    value: Value
    values: dict[int, Value]
    """The value of every legal move, in an analysis or a hint."""
    line: tuple[int, ...]
    depth: int
    nodes: int
    simulations: int
    seconds: float
    exact: bool
    sentences: tuple[str, ...] = ()
    """The sentences of a hint."""
    done: bool = False


class SearchFailed(NamedTuple):
    """The reason why a search failed."""

    kind: str
    reason: str
    done: bool = True


class SearchProcess:
    """One search at a time, in a process that knows the same games as the window.

    Args:
        load: files that register games of the user's own.
    """

    def __init__(self, load: tuple[Path, ...] = ()) -> None:
        self._worker = Worker(serve, *map(str, load))
        self._worker.start()
        self._number = 0
        self.job: Job | None = None
        """The search in progress."""

    @property
    def pid(self) -> int | None:
        """The id of the process while it runs."""
        return self._worker.pid

    def ask(self, job: Job) -> None:
        """Begin a search, and stop the one before."""
        self.stop()
        self._number += 1
        self.job = job
        self._worker.send((self._number, job))

    def stop(self) -> None:
        """Stop the search in progress and ignore its results."""
        if self.job is None:
            return
        self._worker.send((self._number, None))
        self.job = None

    def poll(self) -> list[SearchReport | SearchFailed]:
        """Return the reports of the search since the last call."""
        try:
            answers = self._worker.poll()
        except EOFError:
            job, self.job = self.job, None
            return [SearchFailed(job.kind, "the search ended unexpectedly")] if job else []
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
    """Answer the jobs of the window, one after the other."""
    for path in load:
        registry.load(Path(path))
    searcher = Searcher()
    inbox.urgent = searcher.stop_at_once
    for number, job in inbox:
        try:
            for report in searcher.search(number, job):
                outbox.send((number, report))
        except OpponentFailed as error:
            outbox.send((number, SearchFailed(job.kind, str(error))))
        except Exception as error:  # whatever a game of the user's own may raise
            outbox.send((number, SearchFailed(job.kind, f"{type(error).__name__}: {error}")))


class Searcher:
    """Runs one search after the other, and keeps opponents and tables between them."""

    def __init__(self) -> None:
        self._opponents: dict[tuple[str, int | None], Opponent] = {}
        self._analyser = Analyser()
        self._searching: Opponent | Analyser = self._analyser
        self._stopped = 0

    def stop_at_once(self, message: tuple[int, Job | None]) -> bool:
        """Stop the search if the message says so; return whether it does."""
        number, job = message
        if job is not None:
            return False
        self._stopped = number
        self._searching.stop()
        return True

    def search(self, number: int, job: Job) -> Iterator[SearchReport]:
        """Yield the reports of a search, the last with `done`."""
        position = registry.position(job.start)
        for move in job.moves:
            position = position.play(move)
        last = None
        results = self._begin(position, job)
        if self._stopped >= number:  # before the search had begun
            return
        for result in results:
            if self._stopped >= number:
                return
            last, found = _report(job.kind, result), result
            if job.kind == "analysis":
                yield last
        assert last is not None
        if job.kind == "hint":
            last = last._replace(sentences=tuple(map(str, hint(position, found))))
        yield last._replace(done=True)

    def _begin(self, position: Position, job: Job) -> Iterator[SearchResult]:
        if job.kind != "move":
            self._searching = self._analyser
            if job.kind == "hint":
                return analysed(position, analyser=self._analyser)
            return self._analyser.analyse(position, ANALYSIS)
        known = (job.opponent, job.seed)
        if known not in self._opponents:
            self._opponents[known] = opponent(*known)
        self._searching = self._opponents[known]
        return self._searching.think(position)


def _report(kind: str, result: SearchResult) -> SearchReport:
    return SearchReport(
        kind,
        result.move,
        result.value,
        result.moves,
        result.line,
        result.depth,
        result.nodes,
        result.simulations,
        result.seconds,
        result.exact,
    )
