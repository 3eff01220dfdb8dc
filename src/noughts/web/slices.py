"""Native searches of the games of the engine, in slices of the pool's threads."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any, TypeVar

from noughts.answers.positions import AnalysisView, GraphPoint, analysis_data
from noughts.answers.problems import Refused
from noughts.opponents import Opponent
from noughts.search.result import SearchResult
from noughts.web.clients import Account, current
from noughts.web.game import Game, MachineSearch
from noughts.web.knowledge import Knowledge
from noughts.web.machine_moves import MoveSearch, at_once
from noughts.web.pool import Engines, Pool
from noughts.web.searches import Deepening, Graph
from noughts.web.thinker import AskedLine

Result = TypeVar("Result")

LAST_MOMENT = 0.05
"""Seconds that a stopped search has to end."""
PAUSE = 0.1
"""Seconds between two views of one analysis."""
FIRST_NODES = 20_000
"""Nodes of an analysis before its first view: after fewer nodes, values still change too much."""


class Slices:
    """A `Thinker` that lends engines to searches, which take turns.

    Args:
        pool: threads for the searches.
        knowledge: earlier results, and where new ones go.
    """

    def __init__(self, pool: Pool, knowledge: Knowledge) -> None:
        self._pool, self._engines, self._knowledge = pool, Engines(), knowledge

    async def move(
        self, game: Game, search: MachineSearch, machine: Opponent, tell: Callable[[Game], None]
    ) -> str:
        """See `Thinker`."""
        text = (await self.found(game, search, machine, tell)).text
        assert text is not None
        return text

    async def found(
        self, game: Game, search: MachineSearch, machine: Opponent, tell: Callable[[Game], None]
    ) -> SearchResult:
        """Return the move of a machine with its value; otherwise as `move`."""
        work = MoveSearch(self._engines, game.id, search.position, machine)
        stopped = asyncio.ensure_future(search.enough.wait())
        try:
            while not stopped.done():
                try:
                    with self._engines.kept(game.id):
                        await self._until(game, search, work, stopped, tell)
                    break
                except Refused as busy:
                    await asyncio.wait((stopped,), timeout=busy.retry)
        finally:
            stopped.cancel()
        if work.failure is not None and not search.enough.is_set():
            raise work.failure
        best = work.best
        if best is None:
            best = await asyncio.to_thread(at_once, self._engines, search.position)
        return best

    async def call(self, game: Game, function: Callable[..., Result], *arguments: Any) -> Result:
        """Return the result of a function that a person waits for as for a move."""
        while True:
            try:
                return await self._pool.call(function, *arguments, urgent=game.has_person)
            except Refused as busy:
                await asyncio.sleep(busy.retry or PAUSE)

    async def _until(
        self,
        game: Game,
        search: MachineSearch,
        work: MoveSearch,
        stopped: asyncio.Future[Any],
        tell: Callable[[Game], None],
    ) -> None:
        """Run a search until it is done, out of time, or stopped.

        Raises:
            Refused: too many searches are running.
        """

        def told(waits: bool) -> None:
            search.waits = waits
            asyncio.get_running_loop().call_soon(show)

        def show() -> None:
            if search.waits != search.shown and game.search is search:
                search.shown = search.waits
                tell(game)

        searching = self._pool.run(current.get(), work, urgent=game.has_person, told=told)
        running = asyncio.ensure_future(searching)
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

    async def analyse(
        self,
        account: Account,
        line: AskedLine,
        seconds: float,
        tell: Callable[[AnalysisView], None],
    ) -> AnalysisView:
        """See `Thinker`."""
        loop, position = asyncio.get_running_loop(), line.positions[-1]
        changed, state = asyncio.Event(), {"waiting": True}
        owner, knowledge = secrets.token_hex(8), self._knowledge

        def found() -> None:
            loop.call_soon_threadsafe(changed.set)

        def turn(waiting: bool) -> None:
            state["waiting"] = waiting
            changed.set()

        before = knowledge.analyses.get(position)
        best = knowledge.best
        search = Deepening(self._engines, owner, position, seconds, best, before, found)

        # In a thread, since the view of a large board takes milliseconds.
        def viewed(done: bool, waiting: bool) -> AnalysisView:
            result = search.result
            if result is not None:
                is_early = not done and not result.exact and result.nodes < FIRST_NODES
                result = None if is_early else knowledge.told(result)
            return analysis_data(position, result, done=done, waiting=waiting)

        async def report() -> None:
            while await changed.wait():
                changed.clear()
                tell(await asyncio.to_thread(viewed, False, **state))
                await asyncio.sleep(PAUSE)

        reporting = asyncio.ensure_future(report())
        try:
            with self._engines.kept(owner), knowledge.watched(changed):
                await self._pool.run(account, search, told=turn)
        finally:
            reporting.cancel()
            if search.result is not None:
                knowledge.learn_analysis(search.result)
        return await asyncio.to_thread(viewed, True, False)

    async def graph(
        self, account: Account, line: AskedLine, tell: Callable[[GraphPoint], None]
    ) -> None:
        """See `Thinker`."""
        loop = asyncio.get_running_loop()

        def told(point: GraphPoint) -> None:
            self._knowledge.tell()
            tell(point)

        def found(point: GraphPoint) -> None:
            loop.call_soon_threadsafe(told, point)

        search = Graph(self._engines, line.positions, self._knowledge.best, found)
        await self._pool.run(account, search)
