"""Processes for work that burns Python: words, reviews, labs, replays.

    run(client, task, …) ──► its turn ──► a process, which may be killed ──► plain data
                                             └── done, of ──► shared memory ──► progress

The event loop never waits for Python that computes, and a client that has gone ends its work.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from typing import Any

from pebble import ProcessExpired, ProcessPool

from noughts.apps.web import tasks
from noughts.apps.web.problems import Refused
from noughts.games.position import IllegalMove, NotationError

MOST_WAITING = 40
"""How many tasks wait at most, all clients together."""
MOST_OF_ONE = 6
"""How many a client may have, running or waiting."""
MOST_TASKS = 200
"""How many tasks a process does before a new one takes its place: it grows with each."""
LOOK = 0.2
"""Seconds between two looks at how far a task is."""


class Workers:
    """Processes for tasks; a task is a function of a module, with a keyword `progress`.

    Args:
        processes: how many; long tasks leave one of them to short ones.
    """

    def __init__(self, processes: int | None = None) -> None:
        count = processes or max(2, (os.cpu_count() or 1) // 2)
        self._context = multiprocessing.get_context("spawn")
        # Without a lock: a process may be killed at any time, and would never give it back.
        self._progress = self._context.RawArray("i", 2 * count)
        self._count = count
        self._pool = self._started()
        self._places = list(range(count))
        self._any, self._long = asyncio.Semaphore(count), asyncio.Semaphore(max(1, count - 1))
        self._open: Counter[str] = Counter()
        self._warm: asyncio.Task[Any] | None = None

    def _started(self) -> ProcessPool:
        return ProcessPool(
            self._count,
            max_tasks=MOST_TASKS,
            initializer=tasks.begin,
            initargs=(self._progress,),
            context=self._context,
        )

    def warm(self) -> None:
        """Start the processes, if that has not been done: the first task need not wait for it."""
        if self._warm is None:
            starting = asyncio.to_thread(self._pool.schedule, tasks.nothing)
            self._warm = asyncio.ensure_future(starting)

    async def run(
        self,
        client: str,
        task: Callable[..., Any],
        *arguments: Any,
        seconds: float,
        long: bool = False,
        tell: Callable[[int, int], None] = lambda *_: None,
    ) -> Any:
        """Return what a task gives. If the caller is cancelled, its process is killed.

        Args:
            client: whose it is.
            task: what to do, with these arguments.
            seconds: the most that it may take.
            long: whether it takes more than a moment.
            tell: is told now and then how much of how much is done.

        Raises:
            Refused: too many wait already, or it takes too long.
        """
        if self._open[client] >= MOST_OF_ONE or self._open.total() >= MOST_WAITING:
            raise Refused(503, "busy", "Too much is being worked out. Try again soon.", retry=5)
        self._open[client] += 1
        try:
            async with self._long if long else nullcontext(), self._any:
                return await self._run(task, arguments, seconds, tell)
        finally:
            self._open[client] -= 1
            self._open += Counter()  # forgets who has none

    async def _run(
        self,
        task: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        tell: Callable[[int, int], None],
    ) -> Any:
        place = self._places.pop()
        self._progress[2 * place] = self._progress[2 * place + 1] = 0
        running: Future[Any] | None = None
        pool = self._pool
        try:
            # The first one starts the processes, which takes a while.
            scheduling = asyncio.to_thread(
                pool.schedule, tasks.work, args=(place, task, arguments), timeout=seconds
            )
            try:
                running = await scheduling
            except RuntimeError:
                raise BrokenProcessPool from None
            waited = asyncio.wrap_future(running)
            told = (0, 0)
            while not (await asyncio.wait((waited,), timeout=LOOK))[0]:
                if not pool.active:
                    raise BrokenProcessPool
                now = self._progress[2 * place], self._progress[2 * place + 1]
                if now != told:
                    told = now
                    tell(*told)
            return waited.result()
        except (IllegalMove, NotationError):
            raise
        except ValueError as error:
            reason = str(error).rstrip(".")
            detail = f"{reason[:1].upper()}{reason[1:]}."
            raise Refused(422, "request", detail) from None
        except TimeoutError:
            detail = f"This takes more than {seconds:g} seconds, and was given up."
            raise Refused(503, "too-long", detail) from None
        except (ProcessExpired, BrokenProcessPool):
            if not pool.active and pool is self._pool:
                # Processes were killed from outside in a moment that the pool does not get over.
                self._pool = self._started()
                threading.Thread(target=_end, args=(pool,), daemon=True).start()
            detail = "The process that worked on this has died. Try again."
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


def _end(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()
