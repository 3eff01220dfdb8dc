"""Native searches on a bounded number of threads, with turns by the clients' budgets.

    run(account, work) ──► waiting ──► budgets.first() ──► a thread: work.go_on() ──► done
     too many wait: busy      ▲                               │ others wait: give_way()
                              └───── its tables stay ◄────────┘

Moves that a person waits for come first. The time of each slice is charged to its account.
Searches run without the GIL; the rest runs on the event loop.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from noughts.answers.problems import Refused
from noughts.engine import Engine
from noughts.web.budgets import Budgets
from noughts.web.clients import Account, current
from noughts.web.settings import DEFAULT, NICENESS, Settings, processors

Result = TypeVar("Result")

PRESS = 0.02
"""Seconds between calls of `give_way`, which has no effect before a search has begun."""
MAX_MIB = 512
"""Memory of the tables of all engines together, in MiB."""


class Work(Protocol):
    """A job of the pool, done in slices."""

    def go_on(self) -> bool:
        """Work until the job is done or `give_way` is called; return whether it is done."""

    def give_way(self) -> None:
        """Let `go_on` return soon; called from the event loop, repeatedly until it has returned."""


@dataclass(eq=False)
class _Turn:
    account: Account
    work: Work
    urgent: bool
    told: Callable[[bool], None]
    done: asyncio.Future[None]
    started: float | None = None
    """Time at which its slice started."""
    is_new: bool = True
    """Whether it is still in its first slice."""
    press: asyncio.TimerHandle | None = None
    due: float = 0.0
    """Time of `press` on the clock of the loop."""


class _Call(Generic[Result]):
    """A function call as a job of the pool that takes one slice."""

    result: Result

    def __init__(self, function: Callable[[], Result]) -> None:
        self._function = function

    def go_on(self) -> bool:
        self.result = self._function()
        return True

    def give_way(self) -> None:
        """Do nothing: the call runs to its end."""


def _lower_priority() -> None:
    """Let the event loop come before this thread; only Linux has priorities of threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


class Pool:
    """Threads for native searches.

    Args:
        threads: number of threads; one for each core if left out.
        settings: how many may wait, and for how long one runs while others wait.
        budgets: the clients' use, which decides whose turn it is.
    """

    def __init__(
        self,
        threads: int | None = None,
        settings: Settings = DEFAULT,
        budgets: Budgets | None = None,
    ) -> None:
        self._settings, self._budgets = settings, budgets or Budgets()
        self._free = threads or processors()
        self._threads = ThreadPoolExecutor(self._free, "search", initializer=_lower_priority)
        self._waiting: list[_Turn] = []
        self._running: dict[_Turn, asyncio.Task[None]] = {}

    @property
    def waiting(self) -> int:
        """Number of jobs that wait for a thread."""
        return len(self._waiting)

    async def run(
        self,
        account: Account,
        work: Work,
        *,
        urgent: bool = False,
        told: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """Return when a job is done. If the caller is cancelled, the job ends soon.

        Args:
            account: the owner of the job.
            work: the job.
            urgent: whether a person waits for it as for a move.
            told: called with whether the job waits, at each change.

        Raises:
            Refused: too many wait already, or the client is over its budget.
        """
        settings = self._settings
        most = settings.waiting_moves if urgent else settings.waiting_searches
        if not urgent:
            self._budgets.check(account)
        others = [turn.account for turn in self._waiting if not turn.urgent]
        full = not urgent and (
            (account.player and others.count(account) >= settings.searches_of_cookie)
            or sum(each.address == account.address for each in others) >= settings.searches_of_one
        )
        if full or self.waiting >= most:
            raise Refused(503, "busy", "The engine is busy. Try again in a few seconds.", retry=3)
        turn = _Turn(account, work, urgent, told, asyncio.get_running_loop().create_future())
        # A caller that is cancelled at the last moment never asks for the exception.
        turn.done.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._wait(turn)
        self._start()
        try:
            await turn.done
        finally:
            if turn in self._running:
                self._end(turn)
            elif turn in self._waiting:
                self._waiting.remove(turn)

    async def call(
        self, function: Callable[..., Result], *arguments: Any, urgent: bool = False
    ) -> Result:
        """Return the result of a function, called in a thread for the present account.

        Raises:
            Refused: as `run`.
        """
        call = _Call(partial(function, *arguments))
        await self.run(current.get(), call, urgent=urgent)
        return call.result

    async def close(self) -> None:
        """End all that runs, and the threads."""
        running = dict(self._running)
        self._waiting.clear()
        for turn in running:
            turn.done.cancel()
            self._end(turn)
        await asyncio.gather(*running.values())
        self._threads.shutdown()

    # The threads

    def _wait(self, turn: _Turn) -> None:
        self._waiting.append(turn)
        turn.told(True)

    def _start(self) -> None:
        while self._free and self._waiting:
            turn = self._budgets.first(self._waiting)
            self._waiting.remove(turn)
            self._free -= 1
            turn.started = time.monotonic()
            turn.told(False)
            self._running[turn] = asyncio.get_running_loop().create_task(self._slice(turn))
        is_urgent = any(turn.urgent for turn in self._waiting)
        for turn in list(self._running)[: self.waiting]:
            settings = self._settings
            slice_ = settings.first_slice if turn.is_new else settings.slice
            self._press_at(turn, settings.urgent_slice if is_urgent else slice_)

    async def _slice(self, turn: _Turn) -> None:
        loop = asyncio.get_running_loop()
        try:
            done = await loop.run_in_executor(self._threads, turn.work.go_on)
            if not turn.done.done():
                if done:
                    turn.done.set_result(None)
                else:
                    turn.is_new = False
                    self._wait(turn)
        except Exception as error:
            if not turn.done.done():
                turn.done.set_exception(error)
        finally:
            assert turn.started is not None
            self._budgets.charge(turn.account, time.monotonic() - turn.started)
            del self._running[turn]
            if turn.press is not None:
                turn.press.cancel()
            turn.press = turn.started = None
            self._free += 1
            self._start()

    def _press_at(self, turn: _Turn, seconds: float) -> None:
        """End the slice of a turn after `seconds`."""
        loop = asyncio.get_running_loop()
        assert turn.started is not None
        due = loop.time() + max(0.0, turn.started + seconds - time.monotonic())
        if turn.press is not None:
            # The handles of uvloop do not know their time.
            due = min(due, turn.due)
            turn.press.cancel()
        turn.due, turn.press = due, loop.call_at(due, self._press, turn)

    def _press(self, turn: _Turn) -> None:
        if turn.started is not None and (turn.done.done() or self.waiting):
            turn.work.give_way()
            loop = asyncio.get_running_loop()
            turn.due, turn.press = (
                loop.time() + PRESS,
                loop.call_later(PRESS, self._press, turn),
            )
        else:
            turn.press = None

    def _end(self, turn: _Turn) -> None:
        """End a turn whose caller is gone."""
        if turn.press is not None:
            turn.press.cancel()
        self._press(turn)


# Engines


class _EngineSettings(NamedTuple):
    rules: str
    mib: int
    evaluation: str | None
    book: bool
    seed: int | None


@dataclass(eq=False)
class _Held:
    kind: _EngineSettings
    engine: Engine
    owner: str | None


class Engines:
    """Engines for reuse, within a limit of memory.

    When memory is needed, engines that are not kept go first, the one that has been idle longest
    before others. Of the kept engines, the one used last goes first: where many owners take turns,
    the others then find their engines again.

    Args:
        max_mib: memory of the tables of all engines, idle or in use; the tables in use by a few
            threads must fit.
    """

    def __init__(self, max_mib: int = MAX_MIB) -> None:
        self._max_mib = max_mib
        self._lock = threading.Lock()
        self._idle: list[_Held] = []
        """Idle engines, the longest idle first."""
        self._keeping: set[str | None] = set()
        self._mib = 0

    @property
    def mib(self) -> int:
        """The memory of all tables now, in MiB."""
        return self._mib

    @contextmanager
    def lent(
        self,
        owner: str | None,
        rules: str,
        mib: int,
        *,
        evaluation: str | None = None,
        book: bool = True,
        seed: int | None = None,
    ) -> Iterator[Engine]:
        """Lend an engine, if possible the one that the owner had before.

        Raises:
            ValueError: as `Engine`.
        """
        kind = _EngineSettings(rules, mib, evaluation, book, seed)
        held = self._take(owner, kind) or self._new(owner, kind)
        try:
            yield held.engine
        finally:
            with self._lock:
                self._idle.append(held)

    @contextmanager
    def kept(self, owner: str) -> Iterator[None]:
        """Reserve the idle engines of an owner, as far as memory allows."""
        with self._lock:
            self._keeping.add(owner)
        try:
            yield
        finally:
            with self._lock:
                self._keeping.discard(owner)

    def _take(self, owner: str | None, kind: _EngineSettings) -> _Held | None:
        with self._lock:
            fitting = [held for held in self._idle if held.kind == kind]
            found = [held for held in fitting if held.owner == owner]
            found += [held for held in fitting if held.owner not in self._keeping]
            if not found:
                return None
            self._idle.remove(found[0])
            found[0].owner = owner
            return found[0]

    def _drop_one(self) -> None:
        free = [held for held in self._idle if held.owner not in self._keeping]
        dropped = free[0] if free else self._idle[-1]
        self._idle.remove(dropped)
        self._mib -= dropped.kind.mib

    def _new(self, owner: str | None, kind: _EngineSettings) -> _Held:
        with self._lock:
            while self._idle and self._mib + kind.mib > self._max_mib:
                self._drop_one()
            self._mib += kind.mib
        seed = secrets.randbits(32) if kind.seed is None else kind.seed
        try:
            engine = Engine(
                kind.rules,
                table_mib=kind.mib,
                seed=seed,
                evaluation=kind.evaluation,
                book=kind.book,
            )
        except BaseException:
            with self._lock:
                self._mib -= kind.mib
            raise
        return _Held(kind, engine, owner)
