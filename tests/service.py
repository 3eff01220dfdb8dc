"""`noughts serve` as a process on any database, and games on it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
from databases import provide
from patience import PATIENCE

API = "/api/v1"
PROGRAM = "from noughts.cli.main import main; main()"


class Serving:
    """A `noughts serve` on a database, on a free port."""

    def __init__(self, database: Path | str) -> None:
        if isinstance(database, Path):
            provide(database)
        self.process = subprocess.Popen(
            (sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--database", str(database)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        address = re.search(r"http://\S+", said)
        assert address is not None, self.process.communicate(timeout=PATIENCE)
        self.address = address[0].rstrip("/")

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address + API, timeout=PATIENCE)

    def end(self, how: signal.Signals = signal.SIGTERM) -> str:
        """Send a signal to the server; return its stderr."""
        self.process.send_signal(how)
        said: str = self.process.communicate(timeout=PATIENCE)[1]
        return said


@contextmanager
def serving(database: Path | str) -> Iterator[Serving]:
    server = Serving(database)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


def opened(client: httpx.Client, start: str = "basic", **wanted: str) -> Any:
    answer = client.post("/games", json={"start": start, "x": "me", "o": "me", **wanted})
    assert answer.status_code == 201, answer.text
    return answer.json()


def until_saved(client: httpx.Client, path: str) -> Any:
    """Wait until a game is saved, which the server attempts every second; return the game."""
    until = time.monotonic() + PATIENCE
    while not (game := client.get(path).json())["saved"]["done"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    return game


def moved(client: httpx.Client, game: Any, move: str) -> Any:
    """Play a move, and wait until it is acknowledged as saved."""
    body = {"version": game["version"], "move": move}
    answer = client.post(f"/games/{game['id']}/moves", json=body)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    # A reply waits for the database for a second.
    return found if found["saved"]["done"] else until_saved(client, f"/games/{game['id']}")
