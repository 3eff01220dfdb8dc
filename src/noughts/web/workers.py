"""Worker processes for heavy Python work: explanations, reviews, labs, replays.

    run(account, task, …) ──► waiting ──► a process, which can be killed ──► JSON data
                                             └── news ──► shared memory ──► the client

The event loop stays free, and the work of a client that disconnects is killed. The clients'
budgets decide whose turn it is, and are charged the time in which a task holds a process.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing.context import SpawnContext
from typing import Any

from pebble import ProcessExpired, ProcessPool

from noughts.answers.problems import Refused, problem
from noughts.games.position import IllegalMove, NotationError
from noughts.games.registry import own_files
from noughts.web import worker_process
from noughts.web.budgets import Budgets
from noughts.web.clients import Account
from noughts.web.news import News
from noughts.web.settings import DEFAULT, Settings, processors

NOTHING: Mapping[str, Any] = {}
Tell = Callable[[str, Mapping[str, Any]], None]
"""Gets the news of a task: `progress` with steps `done` and `of`, or what it has `found`."""
MAX_TASKS = 200
"""Tasks until a process is replaced, since its memory grows with each."""


def ignore(_kind: str, _news: Mapping[str, Any]) -> None:
    """A `Tell` that does nothing."""


class _Context(SpawnContext):
    """Keeps the locks of a pool, as long as the pool lives.

    A pool drops its locks before it ends its processes; a process that is just starting could then
    not open them, and would print a traceback.
    """

    def __init__(self) -> None:
        self._locks: list[Any] = []

    def RLock(self) -> Any:  # noqa: N802
        self._locks.append(super().RLock())
        return self._locks[-1]


@dataclass(eq=False)
class _Waiting:
    account: Account
    urgent: bool
    long: bool
    turn: asyncio.Future[None]


class WorkerProcesses:
    """A pool of processes for tasks, the functions of a module.

    Args:
        processes: number of processes; long tasks leave one of them free for short tasks.
        settings: how many tasks may be open, and how often their news are read.
        budgets: the clients' use.
    """

    def __init__(
        self,
        processes: int | None = None,
        settings: Settings = DEFAULT,
        budgets: Budgets | None = None,
    ) -> None:
        self._settings, self._budgets = settings, budgets or Budgets()
        count = processes or max(2, processors() // 2)
        self._news = News(count)
        self._count = count
        self._pool = self._started()
        self._places = list(range(count))
        self._waiting: list[_Waiting] = []
        self._free, self._free_for_long = count, max(1, count - 1)
        self._open: Counter[Account] = Counter()
        self._warm: asyncio.Task[Any] | None = None

    def _started(self) -> ProcessPool:
        return ProcessPool(
            self._count,
            max_tasks=MAX_TASKS,
            initializer=worker_process.begin,
            initargs=(self._news, own_files()),
            context=_Context(),
        )

    def warm(self) -> None:
        """Start the processes if they are not running, so that the first task need not wait."""
        if self._warm is None:
            starting = asyncio.to_thread(self._pool.schedule, worker_process.nothing)
            self._warm = asyncio.ensure_future(starting)

    async def run(
        self,
        account: Account,
        task: Callable[..., Any],
        *arguments: Any,
        seconds: float,
        named: Mapping[str, Any] = NOTHING,
        long: bool = False,
        urgent: bool = False,
        tell: Tell = ignore,
    ) -> Any:
        """Run a task and return its result; cancelling the caller kills the process.

        Args:
            account: the client that asks.
            task: the function, with its arguments.
            seconds: time limit.
            named: more arguments of the task.
            long: whether the task may take seconds.
            urgent: whether a person waits for it as for a move.
            tell: called with the news of the task, when there are some.

        Raises:
            Refused: too many tasks are open, the client is over its budget, or the task takes too
                long.
        """
        settings, opened = self._settings, self._open
        if not urgent:
            self._budgets.check(account)
        of_address = sum(opened[each] for each in opened if each.address == account.address)
        if (
            (account.player and opened[account] >= settings.tasks_of_cookie)
            or of_address >= settings.tasks_of_one
            or opened.total() >= settings.waiting_tasks
        ):
            detail = "The server is busy. Try again in a few seconds."
            raise Refused(503, "busy", detail, retry=5)
        opened[account] += 1
        try:
            async with self._process(account, urgent, long):
                return await self._run(task, arguments, named, seconds, tell)
        finally:
            opened[account] -= 1
            if not opened[account]:
                del opened[account]

    @asynccontextmanager
    async def _process(self, account: Account, urgent: bool, long: bool) -> AsyncIterator[None]:
        """Wait for a process and hold it."""
        waiting = _Waiting(account, urgent, long, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._start()
        began = None
        try:
            await waiting.turn
            began = time.monotonic()
            yield
        finally:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._free += 1
                self._free_for_long += long
            if began is not None:
                self._budgets.charge(account, time.monotonic() - began)
            self._start()

    def _start(self) -> None:
        """Give the free processes to waiting tasks."""
        while self._free and (
            ready := [
                each
                for each in self._waiting
                if not each.turn.done() and (self._free_for_long or not each.long)
            ]
        ):
            first = self._budgets.first(ready)
            self._waiting.remove(first)
            self._free -= 1
            self._free_for_long -= first.long
            first.turn.set_result(None)

    async def _run(
        self,
        task: Callable[..., Any],
        arguments: tuple[Any, ...],
        named: Mapping[str, Any],
        seconds: float,
        tell: Tell,
    ) -> Any:
        place = self._places.pop()
        self._news.begin(place)
        running: Future[Any] | None = None
        pool = self._pool
        try:
            # In a thread, since the first call starts the processes.
            asked = (place, task, arguments, named)
            work = partial(pool.schedule, worker_process.work, args=asked, timeout=seconds)
            scheduling = asyncio.ensure_future(asyncio.to_thread(work))
            try:
                running = await asyncio.shield(scheduling)
            except RuntimeError:
                raise BrokenProcessPool from None
            except asyncio.CancelledError:
                # The thread still schedules the task, which nobody would end.
                scheduling.add_done_callback(_cancel_scheduled)
                raise
            waited = asyncio.wrap_future(running)
            # A caller that is cancelled meanwhile never asks for the exception.
            waited.add_done_callback(lambda done: done.cancelled() or done.exception())
            last = (0, 0)
            poll = self._settings.progress_seconds
            while not (await asyncio.wait((waited,), timeout=poll))[0]:
                if not pool.active:
                    raise BrokenProcessPool
                now = self._news.steps(place)
                if now != last:
                    last = now
                    tell("progress", {"done": now[0], "of": now[1]})
                for data in self._news.added(place):
                    tell("found", data)
            return waited.result()
        except (IllegalMove, NotationError):
            raise
        except ValueError as error:
            raise problem(error) from None
        except TimeoutError:
            detail = f"This took more than {seconds:g} seconds and was stopped."
            raise Refused(503, "too-long", detail) from None
        except (ProcessExpired, BrokenProcessPool):
            if not pool.active and pool is self._pool:
                # The pool does not recover if processes are killed at certain moments.
                self._pool = self._started()
                threading.Thread(target=_end, args=(pool,), daemon=True).start()
            detail = "The worker process ended unexpectedly. Try again."
            raise Refused(503, "died", detail, retry=1) from None
        finally:
            if running is not None:
                running.cancel()
            self._places.append(place)

    async def close(self) -> None:
        """End all processes."""
        if self._warm is not None:
            await asyncio.wait((self._warm,))
        await asyncio.to_thread(_end, self._pool)


def _cancel_scheduled(scheduling: asyncio.Future[Any]) -> None:
    """Cancel a task whose caller has left while it was being scheduled."""
    if not scheduling.cancelled() and scheduling.exception() is None:
        scheduling.result().cancel()


def _end(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()
