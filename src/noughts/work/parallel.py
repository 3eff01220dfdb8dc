"""Independent pieces of work, several at once.

    take() ──► item ──► work(item, stop), on a free core ──► (item, result)

`noughts.cluster` does the same on the machines of a Ray cluster.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

from noughts._core import StopFlag

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = Callable[[Item, StopFlag], Result]
"""Does a piece of work; if the flag is set meanwhile, the result does not count."""
Take = Callable[[], Item | None]
"""Returns the next piece; `None` while there is none, until another one is done."""


class Runner(Protocol):
    """Does pieces of work, several at once."""

    def __call__(
        self, work: Work[Item, Result], take: Take[Item]
    ) -> Generator[tuple[Item, Result], None, None]:
        """Yield each piece with its result, until there is none left and all are done.

        Closing the generator stops the work.
        """


def in_threads(jobs: int | None = None) -> Runner:
    """Return a runner in threads of this process, one for each core if left out.

    The work should leave the interpreter, as the searches of the core do.
    """
    places = jobs or os.cpu_count() or 1

    def run(
        work: Work[Item, Result], take: Take[Item]
    ) -> Generator[tuple[Item, Result], None, None]:
        running: dict[Future[Result], Item] = {}
        stop = StopFlag()
        with ThreadPoolExecutor(places) as pool:
            try:
                while True:
                    while len(running) < places and (item := take()) is not None:
                        running[pool.submit(work, item, stop)] = item
                    if not running:
                        return
                    for each in wait(running, return_when=FIRST_COMPLETED).done:
                        yield running.pop(each), each.result()
            finally:
                stop.set()

    return run
