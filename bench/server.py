"""Measure the server under load: its latency, and its memory as games are added.

    load generator (this process) ──HTTP, WebSockets──► noughts serve (a process of its own)
        │ people, each with an address of the loopback network
        └──► latencies, measured from the time a move was due; resident memory ──► the table

Three scenes: games between two people, each with an open page, and a move a second in each game;
games against the engine, timed from the move to the machine's reply on the page; and many games in
sequence. The exit code is 1 if a target is missed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from table import Line, parser, show
from websockets.asyncio.client import ClientConnection, connect

from noughts.web.models import following

API = "/api/v1"
RULES = ("basic", "mnk:5,5,4", "connect4", "advanced", "ultimate")
MEGABYTE = 1024 * 1024
STARTING = 60.0
"""Seconds until the server must have started."""

ARRIVING = 0.02
"""Seconds between the arrivals of two people."""
ANSWERING = 30.0
"""Seconds after which an answer counts as missing."""


@dataclass(frozen=True)
class Load:
    """The amount of load."""

    games: int
    machine_games: int
    seconds: float
    first: int
    """The number of the game at which the memory measurement begins,"""
    last: int
    """and of the game at which it ends."""


FULL = Load(games=300, machine_games=50, seconds=30, first=1_000, last=10_000)
QUICK = Load(games=10, machine_games=4, seconds=0.5, first=20, last=40)


class Refusal(Exception):
    """The server answered with an error.

    Args:
        said: the request and the answer.
        retry: seconds of `Retry-After`, 0 without it.
    """

    def __init__(self, said: str, retry: int = 0) -> None:
        super().__init__(said)
        self.retry = retry


class Person:
    """A person with one connection to the server and one address.

    Args:
        port: of the server.
        number: from 0; determines the address, one of 127.1.0.0/16.
    """

    def __init__(self, port: int, number: int) -> None:
        self.port = port
        self.address = f"127.1.{number // 250}.{number % 250 + 1}"
        self.cookie = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the answer to a request as data.

        Raises:
            Refusal: it is an error.
        """
        head, answer = await self.request(method, path, body)
        if int(head.split(" ", 2)[1]) >= 400:
            retry = re.search(r"(?i)^retry-after: (\d+)", head, re.MULTILINE)
            said = f"{method} {path}: {head.splitlines()[0]} {answer.decode()}"
            raise Refusal(said, int(retry[1]) if retry else 0)
        given = re.search(r"(?i)^set-cookie: noughts=([^;\r]+)", head, re.MULTILINE)
        if given:
            self.cookie = given[1]
        return json.loads(answer) if answer else None

    async def request(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> tuple[str, bytes]:
        """Return head and body of the answer to a request of the API."""
        data = b"" if body is None else json.dumps(body).encode()
        request = (
            f"{method} {API}{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
            f"Cookie: noughts={self.cookie}\r\n\r\n"
        )
        return await self._exchange(request.encode() + data)

    async def _exchange(self, request: bytes) -> tuple[str, bytes]:
        """Return head and body of the answer to a request.

        A server closes a long idle connection, perhaps at this moment; the unread request is then
        sent again on a new connection, as browsers do.
        """
        while True:
            is_new = self._streams is None
            if self._streams is None:
                self._streams = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.address, 0)
                )
            reader, writer = self._streams
            try:
                writer.write(request)
                async with asyncio.timeout(ANSWERING):
                    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
                if is_new:
                    raise
                continue
            length = re.search(r"(?i)^content-length: (\d+)", head, re.MULTILINE)
            return head, await reader.readexactly(int(length[1]) if length else 0)

    def live(self, game: str) -> connect:
        """Open the WebSocket of a game, as a page does."""
        return self.socket(f"/games/{game}/live")

    def socket(self, path: str) -> connect:
        """Open a WebSocket of the API."""
        return connect(
            f"ws://127.0.0.1:{self.port}{API}{path}",
            additional_headers={"Cookie": f"noughts={self.cookie}"},
            local_addr=(self.address, 0),
            compression=None,
            open_timeout=ANSWERING,
            proxy=None,
            ping_interval=None,
        )

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class Server:
    """A `noughts serve` on a free port, with a database in a folder.

    Args:
        folder: for the database, and the file `lag` of `loop_lag.py`.
        processors: those that it may use; all if left out.
    """

    def __init__(self, folder: Path, processors: set[int] | None = None) -> None:
        self._lag = folder / "lag"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        program = Path(__file__).with_name("loop_lag.py")
        database = str(folder / "games.db")
        options = ("serve", "--port", str(self.port), "--database", database)
        self._process = subprocess.Popen(
            (sys.executable, program, self._lag, *options), stdout=subprocess.DEVNULL
        )
        if processors is not None:
            os.sched_setaffinity(self._process.pid, processors)

    async def wait(self) -> None:
        """Wait until the server answers.

        Raises:
            OSError: it does not.
        """
        until = time.monotonic() + STARTING
        while True:
            try:
                person = Person(self.port, 0)
                await person.ask("GET", "/position?start=basic")
            except OSError:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise
                await asyncio.sleep(0.1)
            else:
                person.close()
                return

    @property
    def memory(self) -> int:
        """Resident memory in bytes."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        assert found is not None
        return int(found[1]) * 1024

    @property
    def seconds(self) -> float:
        """CPU seconds so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def lag(self) -> list[float]:
        """Return how late the event loop was, in seconds, once the server is closed."""
        return [float(line) for line in self._lag.read_text().split()]

    def close(self) -> None:
        """End the server as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(30)


# The scenes


async def people(port: int, load: Load) -> list[float]:
    """Return the seconds that each move between people waited for its answer."""
    latencies: list[float] = []

    async def play(number: int, start: float) -> None:
        rng = random.Random(number)
        pair = Person(port, 2 * number), Person(port, 2 * number + 1)
        due = start + rng.random()
        while due < start + load.seconds:
            game = await _opened(pair[0], RULES[number % len(RULES)], "guest")
            key = {"key": game["keys"]["join"]}
            game = await pair[1].ask("POST", f"/games/{game['id']}/join", key)
            async with _watching(pair[0], game["id"]), _watching(pair[1], game["id"]):
                while due < start + load.seconds and game["position"]["moves"]:
                    await asyncio.sleep(due - time.monotonic())
                    move = rng.choice(list(game["position"]["moves"]))
                    wanted = {"move": move, "version": game["version"]}
                    mover = pair[len(game["moves"]) % 2]
                    game = await mover.ask("POST", f"/games/{game['id']}/moves", wanted)
                    latencies.append(time.monotonic() - due)
                    due += 1
        for person in pair:
            person.close()

    await _all(play, load.games)
    return latencies


async def machines(port: int, load: Load) -> list[float]:
    """Return the seconds from each move to the machine's reply on the page."""
    latencies: list[float] = []

    async def play(number: int, start: float) -> None:
        rng = random.Random(number)
        person = Person(port, number)
        due = start + rng.random()
        while due < start + load.seconds:
            game = await _opened(person, RULES[number % len(RULES)], "engine:level=3")
            async with person.live(game["id"]) as live:
                followed = Followed(live)
                while due < start + load.seconds and game["position"]["moves"]:
                    await asyncio.sleep(due - time.monotonic())
                    due = max(due + 1, time.monotonic())
                    sent = time.monotonic()
                    move = rng.choice(list(game["position"]["moves"]))
                    wanted = {"move": move, "version": game["version"]}
                    await person.ask("POST", f"/games/{game['id']}/moves", wanted)
                    game = await followed.until(len(game["moves"]) + 2)
                    if len(game["moves"]) % 2 == 0:
                        latencies.append(time.monotonic() - sent)
            due = max(due, time.monotonic())
        person.close()

    await _all(play, load.machine_games)
    return latencies


async def many(port: int, load: Load, memory: Callable[[], int]) -> int:
    """Return the growth of memory in bytes between two of many games in sequence."""
    counted, before = 0, 0

    async def play(number: int, _: float) -> None:
        nonlocal counted, before
        rng = random.Random(number)
        for first in range(number * 100, load.last, 2_000):
            person = Person(port, first // 100)
            for _ in range(min(100, load.last - first)):
                game = await _opened_in_time(person, rng.choice(RULES))
                for _ in range(3):
                    move = rng.choice(list(game["position"]["moves"]))
                    wanted = {"move": move, "version": game["version"]}
                    game = await person.ask("POST", f"/games/{game['id']}/moves", wanted)
                counted += 1
                if counted == load.first:
                    before = memory()
            person.close()

    await _all(play, 20)
    assert counted == load.last, f"{counted} games were played"
    return memory() - before


async def _opened(person: Person, rules: str, other: str) -> Any:
    return await person.ask("POST", "/games", {"start": rules, "x": "me", "o": other})


async def _opened_in_time(person: Person, rules: str) -> Any:
    """Open a game, at a busy server when it says."""
    while True:
        try:
            return await _opened(person, rules, "me")
        except Refusal as refusal:
            if not refusal.retry:
                raise
            await asyncio.sleep(refusal.retry)


class Followed:
    """A game as its WebSocket tells it."""

    def __init__(self, live: ClientConnection) -> None:
        self._live = live
        self._view: dict[str, Any] = {}

    async def until(self, moves: int) -> Any:
        """Return the game once it has this number of moves or is over."""
        while not self._view or (len(self._view["moves"]) < moves and self._view["result"] == "*"):
            async with asyncio.timeout(ANSWERING):
                self._view = following(self._view, await self._live.recv())
        return self._view


@asynccontextmanager
async def _watching(person: Person, game: str) -> AsyncIterator[None]:
    """Read the updates of a game, as an open page does."""

    async def read(live: ClientConnection) -> None:
        async for _ in live:
            pass

    async with person.live(game) as live:
        reading = asyncio.create_task(read(live))
        yield
        reading.cancel()


async def _all(play: Callable[[int, float], Coroutine[Any, Any, None]], count: int) -> None:
    """Let people play, who arrive one after another before the start."""
    start = time.monotonic() + ARRIVING * count
    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(play(number, start))
            await asyncio.sleep(ARRIVING)


def percentile(figures: list[float], share: float) -> float:
    """Return the smallest figure that at least this share does not exceed.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 0.5)
    2.0
    """
    ordered = sorted(figures)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


async def measure(load: Load) -> list[Line]:
    """Run each scene on its own server, and return the lines of the table."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for name, target, count, scene in (
            ("people, two in each game: a move answered", 100, load.games, people),
            ("engine, level 3: the machine's move", 500, load.machine_games, machines),
        ):
            server = Server(Path(folder))
            try:
                await server.wait()
                before = server.seconds
                waits = [1000 * wait for wait in await scene(server.port, load)]
                work = 1000 * (server.seconds - before) / len(waits)
            finally:
                server.close()
            about = f"{name}, {count} games"
            lag = [1000 * late for late in server.lag()]
            lines += [
                Line(f"{about}, p95", percentile(waits, 0.95), "ms", "≤", target),
                Line(f"{about}, median", percentile(waits, 0.5), "ms", "beside", target),
                Line(f"{about}, moves a second", len(waits) / load.seconds, "", "beside", count),
                Line(f"{about}, the server's CPU for each", work, "ms", "beside", target),
                Line(f"{about}, the event loop's lag, p99", percentile(lag, 0.99), "ms", "≤", 50),
            ]
        server = Server(Path(folder))
        try:
            await server.wait()
            grown = await many(server.port, load, lambda: server.memory)
        finally:
            server.close()
        about = f"resident memory, game {load.first:,} to {load.last:,}"
        lines.append(Line(about, grown / MEGABYTE, "MiB", "<", 20))
    return lines


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--games", type=int, help="number of games between people")
    wanted = options.parse_args()
    load = QUICK if wanted.quick else FULL
    if wanted.games is not None:
        load = replace(load, games=wanted.games)
    lines = asyncio.run(measure(load))
    show({}, lines, [], as_json=wanted.json)
    missed = [line.name for line in lines if line.met is False]
    for name in missed:
        print(f"missed: {name}", file=sys.stderr)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
