"""Worker processes of the server."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future
from typing import Any

import pytest
from needs import needs_linux
from patience import PATIENCE

from noughts.web.clients import NOBODY
from noughts.web.pool import Pool
from noughts.web.settings import NICENESS
from noughts.web.workers import WorkerProcesses


def test_process_that_is_starting_ends_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    async def closed_at_once() -> None:
        others = set(multiprocessing.active_children())
        workers = WorkerProcesses(2)
        workers.warm()
        while len(started := set(multiprocessing.active_children()) - others) < 2:
            await asyncio.sleep(0)
        first, second = sorted(process.pid or 0 for process in started)
        os.kill(second, signal.SIGSTOP)
        os.kill(first, signal.SIGSTOP)
        closing = asyncio.ensure_future(workers.close())
        await asyncio.sleep(0.5)
        os.kill(second, signal.SIGCONT)
        await closing

    asyncio.run(closed_at_once())
    assert capfd.readouterr().err == ""


@needs_linux
def test_tasks_are_as_urgent_as_searches() -> None:
    """A process with the highest `nice` value starves on a busy machine."""

    async def niceness() -> list[int]:
        workers, pool = WorkerProcesses(1), Pool(1)
        of_task = await workers.run(NOBODY, os.getpriority, os.PRIO_PROCESS, 0, seconds=PATIENCE)
        of_search = await pool.call(
            lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        )
        await workers.close()
        await pool.close()
        return [of_task, of_search]

    assert asyncio.run(niceness()) == [os.nice(0) + NICENESS, NICENESS]


def test_task_whose_caller_leaves_while_it_is_scheduled_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scheduling, left = threading.Event(), threading.Event()
    scheduled: Future[Any] = Future()

    def slowly(*_: object, **__: object) -> Future[Any]:
        scheduling.set()
        left.wait(PATIENCE)
        return scheduled

    async def left_early() -> None:
        workers = WorkerProcesses(1)
        monkeypatch.setattr(workers._pool, "schedule", slowly)
        asking = asyncio.ensure_future(workers.run(NOBODY, len, seconds=PATIENCE))
        await asyncio.to_thread(scheduling.wait, PATIENCE)
        asking.cancel()
        await asyncio.wait((asking,))
        left.set()
        ended = threading.Event()
        scheduled.add_done_callback(lambda _: ended.set())
        assert await asyncio.to_thread(ended.wait, PATIENCE)
        assert scheduled.cancelled()
        await workers.close()

    asyncio.run(left_early())
