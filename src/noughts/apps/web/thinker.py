"""All that thinks for the clients of the server, each kind of work where it belongs.

analyse, graph ──► pool: threads, native searches in slices
explain, hint, attempt, review, lab, replay ──► workers: processes that run Python
"""

from __future__ import annotations

import asyncio
import inspect
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import noughts
from noughts.apps.web import tasks
from noughts.apps.web.models import AnalysisView
from noughts.apps.web.pool import Engines, Pool
from noughts.apps.web.problems import Refused
from noughts.apps.web.searches import Deepening, Graph, Known
from noughts.apps.web.shown import value_view
from noughts.apps.web.workers import Workers
from noughts.games.position import Position
from noughts.labs import LABS
from noughts.search.result import SearchResult, Value

PAUSE = 0.1
"""Seconds between two views of one analysis."""
EXPLAIN_SECONDS, REPLAY_SECONDS, REVIEW_SECONDS, LAB_SECONDS = 30.0, 30.0, 180.0, 300.0
"""How long words, the searches of a replay, a review and a lab may take."""


def analysis_view(
    position: Position, result: SearchResult | None, *, done: bool, waiting: bool
) -> AnalysisView:
    """Return what is known of a position, as the page shows it."""
    if result is None:
        return AnalysisView(
            position=str(position),
            done=done,
            waiting=waiting,
            depth=0,
            nodes=0,
            per_second=0,
            seconds=0.0,
            move=None,
            value=None,
            values={},
            lines={},
        )
    text = position.move_text
    return AnalysisView(
        position=str(position),
        done=done,
        waiting=waiting,
        depth=result.depth,
        nodes=result.nodes,
        per_second=round(result.nodes / result.seconds) if result.seconds > 0 else 0,
        seconds=round(result.seconds, 3),
        move=None if result.move is None else text(result.move),
        value=value_view(result.value),
        values={text(move): value_view(value) for move, value in result.scores.items()},
        lines={
            text(move): noughts.move_texts(position, line) for move, line in result.lines.items()
        },
    )


class Thinker:
    """All that thinks for the clients of one server.

    Args:
        pool: the threads.
        engines: what they search with.
        workers: the processes.
    """

    def __init__(self, pool: Pool, engines: Engines, workers: Workers) -> None:
        self._pool, self._engines, self._workers = pool, engines, workers
        self._known = Known()

    def warm(self) -> None:
        """Make ready for questions that are likely to come."""
        self._workers.warm()

    async def analyse(
        self,
        client: str,
        position: Position,
        seconds: float,
        tell: Callable[[AnalysisView], None] = lambda _: None,
    ) -> AnalysisView:
        """Return what all moves are worth; `tell` hears it as it gets better.

        Raises:
            Refused: too many wait already.
        """
        loop = asyncio.get_running_loop()
        changed, state = asyncio.Event(), {"waiting": True}
        owner = secrets.token_hex(8)

        def found() -> None:
            loop.call_soon_threadsafe(changed.set)

        def turn(waiting: bool) -> None:
            state["waiting"] = waiting
            changed.set()

        search = Deepening(self._engines, owner, position, seconds, found)

        async def report() -> None:
            while await changed.wait():
                changed.clear()
                tell(analysis_view(position, search.result, done=False, **state))
                await asyncio.sleep(PAUSE)

        reporting = asyncio.ensure_future(report())
        try:
            with self._engines.kept(owner):
                await self._pool.run(client, search, told=turn)
        finally:
            reporting.cancel()
        assert search.result is not None
        self._known.learn(position, search.result.value, search.result.nodes)
        return analysis_view(position, search.result, done=True, waiting=False)

    async def graph(
        self, client: str, line: Sequence[Position], tell: Callable[[int, Value], None]
    ) -> None:
        """Tell, for each ply of a line, what the position there is worth to X, in any order.

        Raises:
            Refused: too many wait already.
        """
        loop = asyncio.get_running_loop()

        def found(ply: int, value: Value) -> None:
            loop.call_soon_threadsafe(tell, ply, value)

        await self._pool.run(client, Graph(self._engines, line, self._known, found))

    async def explain(
        self, client: str, start: str, moves: Sequence[str], move: str | None
    ) -> dict[str, Any]:
        """Return why a position, or a move in it, is worth what it is: a `WhyView`."""
        task, seconds = tasks.explain, EXPLAIN_SECONDS
        return await self._plain(client, task, start, moves, move, seconds=seconds)

    async def hint(self, client: str, start: str, moves: Sequence[str]) -> dict[str, Any]:
        """Return the best move known, and why: a `HintView`."""
        return await self._plain(client, tasks.hint, start, moves, seconds=EXPLAIN_SECONDS)

    async def attempt(
        self, client: str, start: str, moves: Sequence[str], move: str
    ) -> dict[str, Any]:
        """Return whether a move keeps what a position is worth: a `TriedView`."""
        task, seconds = tasks.attempt, EXPLAIN_SECONDS
        return await self._plain(client, task, start, moves, move, seconds=seconds)

    async def review(
        self,
        client: str,
        start: str,
        moves: Sequence[str],
        tell: Callable[[int, int], None] = lambda *_: None,
    ) -> dict[str, Any]:
        """Return remarks on every move of a line: a `ReviewView`."""
        task, seconds = tasks.review, REVIEW_SECONDS
        return await self._plain(client, task, start, moves, seconds=seconds, long=True, tell=tell)

    async def lab(
        self,
        client: str,
        name: str,
        options: dict[str, Any],
        tell: Callable[[int, int], None] = lambda *_: None,
    ) -> dict[str, Any]:
        """Return what a lab finds out: a `ReportView`.

        Raises:
            Refused: there is no such lab, or it does not take these options.
        """
        check_lab(name, options)
        task, seconds = tasks.lab, LAB_SECONDS
        return await self._plain(client, task, name, options, seconds=seconds, long=True, tell=tell)

    async def replay(
        self, client: str, start: str, moves: Sequence[str], algorithms: Sequence[str], page: bool
    ) -> str:
        """Return what a replay of one or two searches shows, as JSON, or the page that does."""
        asked = start, moves, algorithms, page
        text: str = await self._workers.run(
            client, tasks.replay, *asked, seconds=REPLAY_SECONDS, long=True
        )
        return text

    async def _plain(self, client: str, *work: Any, **how: Any) -> dict[str, Any]:
        data: dict[str, Any] = await self._workers.run(client, *work, **how)
        return data


def check_lab(name: str, options: Mapping[str, Any]) -> None:
    """Refuse a lab that there is not, and what it does not take.

    Raises:
        Refused: with the reason.
    """
    if name not in LABS:
        detail = f"There is no lab {name!r}; there are {' '.join(LABS)}."
        raise Refused(404, "not-found", detail, field="lab")
    for option in options.keys() - inspect.signature(LABS[name]).parameters.keys():
        raise Refused(422, "request", f"The lab {name} takes no {option}.", field=option)
