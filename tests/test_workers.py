"""Worker processes of the server."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal

import pytest

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
