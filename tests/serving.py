"""`noughts serve` as a process, and raw WebSocket requests to it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from command import NOUGHTS
from databases import provide


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run `noughts serve` on a free port, and give the process and the port."""
    database = str(provide(folder / "games.db"))
    command = (NOUGHTS, "serve", "--port", "0", "--database", database, *options)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://\S+:(\d+)/", line)
            assert found, (line, (folder / "log").read_text())
            yield process, int(found[1])
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


HEAD = b"Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"


WEBSOCKET = (
    HEAD + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
