"""Native searches on a bounded number of threads, with fair turns between clients.

    run(client, work) ──► the client's queue ──► turns ──► a thread: work.go_on() ──► done
        too many wait: busy      ▲                            │ others wait: give_way()
                                 └──── its tables stay ◄──────┘

Moves that machines have not begun to think about come first, then everything else, the clients in
turn. Searches run without the GIL; the rest runs on the event loop.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from noughts.apps.web.problems import Refused
from noughts.engine import Engine

MOST_URGENT, MOST_WAITING = 2_000, 200
"""How many works wait at most, all clients together: machines' moves, and others."""
MOST_OF_ONE = 20
"""How many of one client, beside moves."""
SLICE, FIRST_SLICE = 0.5, 0.1
"""Seconds for which a work may go on while others wait; less at first, so that all soon see
something."""
URGENT_SLICE = 0.05
"""The same while a machine's move waits."""
PATIENCE = 2.0
"""Seconds after which a work's turn comes before machines' moves."""
PRESS = 0.02
"""Seconds after which a work that is to give way is told again: it may not have begun before."""
MOST_MIB = 512
"""Memory of the tables of all engines together."""


class Work(Protocol):
    """What threads do, slice by slice."""

    def go_on(self) -> bool:
        """Work until it is done, or has to give way; return whether it is done."""

    def give_way(self) -> None:
        """Let `go_on` return soon; told from the event loop, and again until it has."""


@dataclass(eq=False)
class _Turn:
    client: str
    work: Work
    urgent: bool
    told: Callable[[bool], None]
    done: asyncio.Future[None]
    since: float = field(default_factory=time.monotonic)
    """When it began to wait."""
    started: float | None = None
    """When its slice began."""
    is_new: bool = True
    """Whether it is in its first slice, or waits for it."""
    press: asyncio.TimerHandle | None = None
    due: float = 0.0
    """When `press` comes, on the clock of the loop."""


_Queues = OrderedDict[str, deque[_Turn]]
"""What waits, by client; the first client's turn is next."""


class Pool:
    """Threads for native searches.

    Args:
        threads: how many; one for each core if left out.
    """

    def __init__(self, threads: int | None = None) -> None:
        self._free = threads or os.cpu_count() or 1
        self._threads = ThreadPoolExecutor(self._free, "search")
        self._urgent: _Queues = OrderedDict()
        self._others: _Queues = OrderedDict()
        self._running: dict[_Turn, asyncio.Task[None]] = {}

    @property
    def waiting(self) -> int:
        """How many works wait for a thread."""
        return sum(len(queue) for queues in self._both for queue in queues.values())

    @property
    def _both(self) -> tuple[_Queues, _Queues]:
        return self._urgent, self._others

    async def run(
        self,
        client: str,
        work: Work,
        *,
        urgent: bool = False,
        told: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """Return when a work is done. If the caller is cancelled, the work ends soon.

        Args:
            client: whose it is; clients take turns.
            work: what to do.
            urgent: whether its first slice comes before the others.
            told: is told whether the work waits, at each change.

        Raises:
            Refused: too many wait already.
        """
        most = MOST_URGENT if urgent else MOST_WAITING
        full = not urgent and len(self._others.get(client, ())) >= MOST_OF_ONE
        if full or self.waiting >= most:
            raise Refused(503, "busy", "The engine is busy. Try again in a few seconds.", retry=3)
        turn = _Turn(client, work, urgent, told, asyncio.get_running_loop().create_future())
        self._wait(turn)
        self._start()
        try:
            await turn.done
        finally:
            if turn in self._running:
                self._end(turn)
            else:
                self._leave(turn)

    async def close(self) -> None:
        """End all that runs, and the threads."""
        running = dict(self._running)
        for queues in self._both:
            queues.clear()
        for turn in running:
            turn.done.cancel()
            self._end(turn)
        await asyncio.gather(*running.values())
        self._threads.shutdown()

    # The queues

    def _wait(self, turn: _Turn) -> None:
        queues = self._urgent if turn.urgent else self._others
        queues.setdefault(turn.client, deque()).append(turn)
        turn.since = time.monotonic()
        turn.told(True)

    def _leave(self, turn: _Turn) -> None:
        for queues in self._both:
            queue = queues.get(turn.client)
            if queue and turn in queue:
                queue.remove(turn)
                if not queue:
                    del queues[turn.client]

    def _next(self) -> _Turn | None:
        longest = min((queue[0].since for queue in self._others.values()), default=None)
        starving = longest is not None and time.monotonic() - longest > PATIENCE
        queues = self._others if starving or not self._urgent else self._urgent
        if not queues:
            return None
        client, queue = queues.popitem(last=False)
        turn = queue.popleft()
        if queue:
            queues[client] = queue
        return turn

    # The threads

    def _start(self) -> None:
        while self._free and (turn := self._next()):
            self._free -= 1
            turn.started = time.monotonic()
            turn.told(False)
            self._running[turn] = asyncio.get_running_loop().create_task(self._slice(turn))
        waiting = self.waiting
        if waiting:
            for turn in list(self._running)[:waiting]:
                slice_ = FIRST_SLICE if turn.is_new else SLICE
                self._press_at(turn, URGENT_SLICE if self._urgent else slice_)

    async def _slice(self, turn: _Turn) -> None:
        loop = asyncio.get_running_loop()
        try:
            done = await loop.run_in_executor(self._threads, turn.work.go_on)
            if not turn.done.done():
                if done:
                    turn.done.set_result(None)
                else:
                    turn.urgent = turn.is_new = False
                    self._wait(turn)
        except Exception as error:
            if not turn.done.done():
                turn.done.set_exception(error)
        finally:
            del self._running[turn]
            if turn.press is not None:
                turn.press.cancel()
            turn.press = turn.started = None
            self._free += 1
            self._start()

    def _press_at(self, turn: _Turn, seconds: float) -> None:
        """Let a turn give way when its slice has been so long."""
        loop = asyncio.get_running_loop()
        assert turn.started is not None
        due = loop.time() + max(0.0, turn.started + seconds - time.monotonic())
        if turn.press is not None:
            # uvloop gives what is due at once a handle that does not know when.
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
        """Let a turn that nobody waits for any more end now."""
        if turn.press is not None:
            turn.press.cancel()
        self._press(turn)


# Engines


class _Kind(NamedTuple):
    rules: str
    mib: int
    evaluation: str | None
    book: bool
    seed: int | None


@dataclass(eq=False)
class _Held:
    kind: _Kind
    engine: Engine
    owner: str | None


class Engines:
    """Engines that are used again and again, their memory bounded.

    When memory is needed, engines that are not kept go first, the one that has been idle longest
    before others. Of those that are kept the one that was used last goes: where many take turns,
    the others find theirs again.

    Args:
        most_mib: of the tables of all that are idle or in use; what a few threads use at a time
            must fit.
    """

    def __init__(self, most_mib: int = MOST_MIB) -> None:
        self._most_mib = most_mib
        self._lock = threading.Lock()
        self._idle: list[_Held] = []
        """The longest idle first."""
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
        """Lend an engine: the one that the owner had before, if it is still there.

        Raises:
            ValueError: as `Engine`.
        """
        kind = _Kind(rules, mib, evaluation, book, seed)
        held = self._take(owner, kind) or self._new(owner, kind)
        try:
            yield held.engine
        finally:
            with self._lock:
                self._idle.append(held)

    @contextmanager
    def kept(self, owner: str) -> Iterator[None]:
        """Keep the engines of an owner for it meanwhile, as far as there is memory."""
        with self._lock:
            self._keeping.add(owner)
        try:
            yield
        finally:
            with self._lock:
                self._keeping.discard(owner)

    def _take(self, owner: str | None, kind: _Kind) -> _Held | None:
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

    def _new(self, owner: str | None, kind: _Kind) -> _Held:
        with self._lock:
            while self._idle and self._mib + kind.mib > self._most_mib:
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
