"""Run `noughts serve`, and write to a file how late its event loop was.

python bench/loop_lag.py FILE serve --port 8322 ──► FILE: seconds, a line for each 10 ms
"""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path
from typing import ClassVar

from noughts.cli.main import main
from noughts.web import server

INTERVAL = 0.01
"""Seconds between two times at which the loop should be free."""


class Sampled(server.Server):
    """A server that notes how late its loop is, at every `INTERVAL`."""

    late: ClassVar[list[float]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._sampling = asyncio.create_task(self._sample())

    async def _sample(self) -> None:
        now = asyncio.get_running_loop().time
        due = now() + INTERVAL
        while not self.should_exit:
            await asyncio.sleep(due - now())
            here = now()
            while due <= here:  # Each of these times was missed, not only the first.
                self.late.append(here - due)
                due += INTERVAL


if __name__ == "__main__":
    file = Path(sys.argv.pop(1))
    server.Server = Sampled  # type: ignore[misc]
    try:
        main()
    finally:
        file.write_text("".join(f"{seconds:.6f}\n" for seconds in Sampled.late))
