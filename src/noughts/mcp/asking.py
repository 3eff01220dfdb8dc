"""Questions of a client to worker processes: bounded in time, cancelled with the request.

ask(task, …) ──► WorkerProcesses.run ──► a process, which can be killed ──► JSON data
                      └── progress ──► notifications to the client
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from mcp.server.mcpserver import Context

from noughts.answers import tasks
from noughts.web.budgets import Budgets
from noughts.web.clients import NOBODY, Account, account_of
from noughts.web.settings import DEFAULT
from noughts.web.workers import WorkerProcesses

SECONDS = 30.0
"""Time limit of a question. Clients usually wait for a minute."""
REVIEW_SECONDS = 55.0
"""Time limit of the review of a game."""


class Asking:
    """Asks the tasks of `noughts.answers` in worker processes, for clients of an MCP server.

    Args:
        processes: number of worker processes.
        budgets: the clients' use of the processors, which over HTTP decides whose turn it is.
    """

    def __init__(self, processes: int | None = None, budgets: Budgets | None = None) -> None:
        self._processes = processes
        self._budgets = budgets or Budgets(refuses=False)
        self._workers: WorkerProcesses | None = None
        self._open = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Have the worker processes; they start with the first question, and end at last."""
        self._open += 1
        if self._workers is None:
            settings = replace(DEFAULT, progress_seconds=0.1)
            self._workers = WorkerProcesses(self._processes, settings, self._budgets)
        try:
            yield
        finally:
            self._open -= 1
            if not self._open:
                workers, self._workers = self._workers, None
                # The server is ending, perhaps because it was cancelled.
                await asyncio.shield(workers.close())

    async def ask(self, context: Context[Any], task: Callable[..., Any], *asked: Any) -> Any:
        """Return the answer of a task; tell the client its progress.

        A cancelled request kills the process of the task.

        Raises:
            IllegalMove, NotationError: in the position or the moves.
            Refused: the question takes too long, or the server is busy.
        """
        assert self._workers is not None
        told = _Told(context)
        seconds = REVIEW_SECONDS if task is tasks.review else SECONDS
        try:
            return await self._workers.run(
                _account(context),
                task,
                *asked,
                seconds=seconds,
                long=task in (tasks.review, tasks.evaluate),
                tell=told.tell,
            )
        finally:
            told.end()


def _account(context: Context[Any]) -> Account:
    """Return the account of the client: its address over HTTP, nobody's over stdio."""
    request = context.request_context.request
    return NOBODY if request is None else account_of(request.scope)


class _Told:
    """Sends the progress of a task, always more than before."""

    def __init__(self, context: Context[Any]) -> None:
        self._context = context
        self._last = 0.0
        self._sending: set[asyncio.Task[None]] = set()

    def tell(self, kind: str, news: Mapping[str, Any]) -> None:
        if kind == "progress" and news["done"] > self._last:
            self._last = news["done"]
            sending = asyncio.ensure_future(
                self._context.report_progress(news["done"], news["of"] or None)
            )
            self._sending.add(sending)
            sending.add_done_callback(self._sent)

    def _sent(self, sending: asyncio.Task[None]) -> None:
        self._sending.discard(sending)
        # A client that has left gets no more progress.
        _ = sending.cancelled() or sending.exception()

    def end(self) -> None:
        for sending in self._sending:
            sending.cancel()
