"""Native searches on a bounded number of threads, with fair turns between clients.

run(client, job) ──► the client's queue ──► turns ──► a thread ──► the job's result
                        too many wait: Busy, with the seconds after which to ask again
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from noughts.apps.web.problems import Refused

Result = TypeVar("Result")
MOST_WAITING = 200
"""How many jobs wait at most, all clients together."""
MOST_OF_ONE = 20
"""How many of one client."""


class Pool:
    """Threads for searches, which run without the GIL.

    Args:
        threads: how many; one for each core if left out.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._free = threads or os.cpu_count() or 1
        self._threads = ThreadPoolExecutor(self._free, "search")
        self._queues: OrderedDict[str, deque[tuple[Callable[[], Any], asyncio.Future[Any]]]] = (
            OrderedDict()
        )

    @property
    def waiting(self) -> int:
        return sum(map(len, self._queues.values()))

    async def run(self, client: str, job: Callable[[], Result]) -> Result:
        """Return what `job` returns, run on a thread when it is the client's turn.

        Raises:
            Refused: too many wait already.
        """
        queue = self._queues.get(client, ())
        if self.waiting >= MOST_WAITING or len(queue) >= MOST_OF_ONE:
            raise Refused(503, "busy", "The engine is busy. Try again in a few seconds.", retry=3)
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append((job, done))
        self._start()
        return await done

    def _start(self) -> None:
        while self._free and self._queues:
            client, queue = self._queues.popitem(last=False)
            job, done = queue.popleft()
            if queue:
                self._queues[client] = queue
            if done.cancelled():
                continue
            self._free -= 1
            asyncio.get_running_loop().create_task(self._do(job, done))

    async def _do(self, job: Callable[[], Any], done: asyncio.Future[Any]) -> None:
        try:
            result = await asyncio.get_running_loop().run_in_executor(self._threads, job)
            if not done.cancelled():
                done.set_result(result)
        except Exception as error:
            if not done.cancelled():
                done.set_exception(error)
        finally:
            self._free += 1
            self._start()

    def close(self) -> None:
        """Let the threads end."""
        self._threads.shutdown(wait=False, cancel_futures=True)
