"""The analyst: runs every kind of analysis for the server's clients.

analyse, graph ──► pool: threads, native searches in slices; workers for other games
explain, hint, attempt, review, lab, replay, check: run ──► workers: processes that run Python
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from noughts.answers import tasks
from noughts.answers.labs import check_lab
from noughts.answers.positions import (
    AnalysisView,
    Data,
    GraphPoint,
    analysis_data,
    parse_line,
    proof_data,
)
from noughts.engine import is_native
from noughts.games.position import Position
from noughts.search.result import SearchResult
from noughts.web.clients import Account
from noughts.web.pool import Engines, Pool
from noughts.web.searches import Deepening, Graph, Known, informed, with_proofs
from noughts.web.settings import DEFAULT, Settings
from noughts.web.workers import WorkerProcesses

Answer = TypeVar("Answer")
PAUSE = 0.1
"""Seconds between two views of one analysis."""
FIRST_NODES = 20_000
"""Nodes of an analysis before its first view: after fewer nodes, values still change too much."""
MAX_VALUES = 20_000
"""Most positions with a known value."""
MAX_ANALYSES = 200
"""Most positions with a known value of every move."""
LONG = (tasks.replay, tasks.graph, tasks.review, tasks.lab, tasks.check)
"""The tasks that may take seconds."""


class Analyst:
    """The analyses of one server.

    Args:
        pool: threads for native searches.
        engines: engines for these threads.
        workers: processes for Python work.
        settings: the time limits.
    """

    def __init__(
        self, pool: Pool, engines: Engines, workers: WorkerProcesses, settings: Settings = DEFAULT
    ) -> None:
        self._pool, self._engines, self._workers = pool, engines, workers
        self._known, self._analysed = Known(MAX_VALUES), Known(MAX_ANALYSES)
        self._proven = Known(MAX_VALUES)
        self._changed: set[asyncio.Event] = set()
        """Events to set when the values of an analysis in progress have changed."""
        self.settings = settings
        review, lab = settings.review_seconds, settings.lab_seconds
        self._seconds = {tasks.graph: review, tasks.review: review, tasks.lab: lab}
        self._seconds[tasks.check] = settings.check_seconds

    def warm(self) -> None:
        """Start the processes before the first question."""
        self._workers.warm()

    async def analyse(
        self,
        account: Account,
        start: str,
        moves: Sequence[str],
        seconds: float,
        tell: Callable[[AnalysisView], None] = lambda _: None,
    ) -> AnalysisView:
        """Return the value of every move; `tell` gets intermediate results.

        Raises:
            IllegalMove, NotationError: in the start or the moves.
            Refused: too many searches are open.
        """
        position = (await asyncio.to_thread(parse_line, start, moves))[-1]
        if not is_native(position):
            return await self.run(account, tasks.analyse, start, moves)
        loop = asyncio.get_running_loop()
        changed, state = asyncio.Event(), {"waiting": True}
        owner = secrets.token_hex(8)

        def found() -> None:
            loop.call_soon_threadsafe(changed.set)

        def turn(waiting: bool) -> None:
            state["waiting"] = waiting
            changed.set()

        before = self._analysed.get(position)
        search = Deepening(self._engines, owner, position, seconds, self._known, before, found)

        # In a thread, since the view of a large board takes milliseconds.
        def viewed(done: bool, waiting: bool) -> AnalysisView:
            result = search.result
            if result is not None:
                is_early = not done and not result.exact and result.nodes < FIRST_NODES
                result = None if is_early else self._told(result)
            return analysis_data(position, result, done=done, waiting=waiting)

        async def report() -> None:
            while await changed.wait():
                changed.clear()
                tell(await asyncio.to_thread(viewed, False, **state))
                await asyncio.sleep(PAUSE)

        reporting = asyncio.ensure_future(report())
        self._changed.add(changed)
        try:
            with self._engines.kept(owner):
                await self._pool.run(account, search, told=turn)
        finally:
            reporting.cancel()
            self._changed.discard(changed)
            if search.result is not None:
                self._analysed.learn(search.result)
                self._known.learn(replace(search.result, moves={}, lines={}))
        return await asyncio.to_thread(viewed, True, False)

    async def proofs(self, position: Position) -> AsyncIterator[Data | None]:
        """Yield the proofs of other searches of a position, as `proof_data`, at each change."""
        changed = asyncio.Event()
        self._changed.add(changed)
        try:
            found = self._proofs(position)
            yield found
            while await changed.wait():
                changed.clear()
                last, found = found, self._proofs(position)
                if found != last:
                    yield found
        finally:
            self._changed.discard(changed)

    def _proofs(self, position: Position) -> Data | None:
        proven, known = self._proven.get(position), self._known.get(position)
        found = None if proven is None else proof_data(proven)
        if known is None or not known.value.is_exact:
            return found
        return proof_data(replace(known, moves={} if proven is None else proven.moves))

    def _told(self, result: SearchResult) -> SearchResult:
        """Return the result of an analysis with the proofs of other searches of its position."""
        position = result.position
        result = with_proofs(result, self._proven.get(position))
        return informed(result, self._known.get(position))

    async def graph(
        self, account: Account, start: str, moves: Sequence[str], tell: Callable[[GraphPoint], None]
    ) -> None:
        """Call `tell` with the value of each position of a line, in any order.

        Raises:
            IllegalMove, NotationError: in the start or the moves.
            Refused: too many searches are open.
        """
        line = await asyncio.to_thread(parse_line, start, moves)
        if not is_native(line[0]):
            for point in await self.run(account, tasks.graph, start, moves):
                tell(point)
            return
        loop = asyncio.get_running_loop()

        def found(point: GraphPoint) -> None:
            loop.call_soon_threadsafe(tell, point)

        await self._pool.run(account, Graph(self._engines, line, self._known, found))

    async def run(
        self,
        account: Account,
        task: Callable[..., Answer],
        *asked: Any,
        tell: Callable[[int, int], None] = lambda *_: None,
    ) -> Answer:
        """Run a task of `noughts.answers.tasks` in a worker process and return its result.

        Args:
            account: the client that asks.
            task: the task, with its arguments.
            tell: called with (done, of) when the progress changes.

        Raises:
            IllegalMove, NotationError: in the start or the moves.
            Refused: too many tasks are open, or the task takes too long.
        """
        seconds = self._seconds.get(task, self.settings.explain_seconds)
        found: Answer = await self._workers.run(
            account, task, *asked, seconds=seconds, long=task in LONG, tell=tell
        )
        if isinstance(found, tasks.WithProofs):
            self._learn(found.proofs)
        return found

    def _learn(self, proofs: Iterable[SearchResult]) -> None:
        """Let the analyses, now and later, use the proofs of a task."""
        for proof in proofs:
            self._proven.learn(proof)
            if proof.value.is_exact:
                self._known.learn(replace(proof, moves={}))
        for changed in self._changed:
            changed.set()

    async def lab(
        self,
        account: Account,
        name: str,
        options: dict[str, Any],
        tell: Callable[[int, int], None] = lambda *_: None,
    ) -> dict[str, Any]:
        """Run a lab and return its report, as data.

        Raises:
            Refused: unknown lab or option.
        """
        check_lab(name, options)
        return await self.run(account, tasks.lab, name, options, tell=tell)
