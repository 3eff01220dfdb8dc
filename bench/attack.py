"""Attack the server from one address, and measure it for a victim at another; then attack a match,
the library and the commands (`bench/hostile.py`).

    attacker (a process, 127.0.0.2) ──200 connections──► noughts serve
    victim   (this process, 127.0.0.1) ──page, moves──────►     └──► waits, beside those of quiet

Every attack has a new server, which alone uses one processor. The exit code is 1 if a limit is
missed.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from typing import Any

import hostile
from server import API, Followed, Person, Refusal, Server, percentile
from table import Line, parser, show
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

VICTIM, ATTACKER = "127.0.0.1", "127.0.0.2"
QUIET_SECONDS = 10.0
PAUSE = 0.1
"""Seconds between two rounds of the victim."""
NICENESS = 5
"""The `nice` value of the attacker, which would run on another machine."""

PROCESSORS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
OF_SERVER, OF_OTHERS = (
    ({PROCESSORS[0]}, set(PROCESSORS[1:])) if len(PROCESSORS) > 1 else (None, None)
)

PAGE_RATIO, REPLY_MS, MOVE_MS = 3, 1000, 200
"""The limits: the median of the page in ratio to quiet; 95 % of the replies and of own moves."""

HOSTILE = "connect4:9,19,19~" + ".".join(["XO" * 4 + "X", "OX" * 4 + "O"] * 9) + ".9~O"
RECORD = '[Game "connect4"]\n\n1. 1 ' + "(1. 2) " * 120_000 + "*\n"
LONG_GAME = {
    "schema": 1,
    "game": "mnk:19,19,19",
    "moves": [f"{chr(97 + cell % 19)}{cell // 19 + 1}" for cell in range(300)],
    "variations": [
        {"line": 0, "after": 299, "moves": [f"{chr(97 + cell % 19)}{cell // 19 + 1}"]}
        for cell in range(300, 361)
    ],
    "result": "*",
}


# The attacker


@dataclass
class Shared:
    """All that the connections of an attack share: a long game, and the answers so far."""

    port: int
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    game: str = ""
    version: int = 0
    answers: Counter[str] = field(default_factory=Counter)


class Attacker(Person):
    """A connection of the attacker, which ignores `Retry-After`."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared.port, 0)
        self.address, self.cookie, self.shared = ATTACKER, shared.cookie, shared

    async def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the answer to a request, `None` if it is an error, and count it."""
        head, answer = await self.request(method, path, body)
        status = int(head.split(" ", 2)[1])
        has_retry = "\r\nretry-after:" in head.lower()
        kind = "refused" if status in (429, 503) and has_retry else str(status)
        self.shared.answers["answered" if status < 400 else kind] += 1
        if kind == "refused":
            await asyncio.sleep(0.1)
        return json.loads(answer) if status < 400 and answer else None

    async def open_long_game(self) -> None:
        """Import the long game for all connections."""
        games = await self.send("POST", "/games/import", {"text": json.dumps(LONG_GAME)})
        self.shared.game = games["games"][0]["id"]

    async def hear(self, session: ClientConnection, seconds: float) -> None:
        """Read the messages of a WebSocket, and count the refusals."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async for text in session:
                    status = json.loads(text).get("status", 200)
                    refused = status in (429, 503)
                    self.shared.answers["refused" if refused else "answered"] += 1
                    if refused:
                        return


Attack = Callable[[Attacker, int], Coroutine[Any, Any, None]]
"""A round of an attack, repeated by each connection, which has a number."""


async def cookies(attacker: Attacker, _: int) -> None:
    """Analyse with a new cookie every time, a thousand in all."""
    attacker.cookie = secrets.token_urlsafe(24)
    async with attacker.socket("/analysis") as session:
        for number, do in enumerate(("analyse", "graph", "hint", "review")):
            question = {"do": do, "id": number, "start": "mnk:15,15,5", "moves": ["h8", "h9"]}
            await session.send(json.dumps(question))
        await attacker.hear(session, 5)


async def positions(attacker: Attacker, number: int) -> None:
    """Send positions that take long to check, and rules with large tables."""
    rules = f"mnk:19,{9 + number % 11},{2 + random.randrange(7)}"
    await attacker.send("GET", f"/position?start={HOSTILE if number % 2 else rules}")
    await attacker.send("POST", "/games", {"start": HOSTILE})


async def watchers(attacker: Attacker, number: int) -> None:
    """Watch a long game, and come and go."""
    async with attacker.socket(f"/games/{attacker.shared.game}/live") as session:
        await attacker.hear(session, 600 if number < 150 else 0.05)


async def machines(attacker: Attacker, _: int) -> None:
    """Let machines play against each other, each with half a minute for a move."""
    machine = "engine:seconds=30"
    await attacker.send("POST", "/games", {"start": "ultimate", "x": machine, "o": machine})
    await attacker.send("POST", "/games", {"start": "ultimate", "x": machine, "o": "me"})


async def connections(attacker: Attacker, number: int) -> None:
    """Open WebSockets and connections, and close them at once."""
    if number % 2:
        async with attacker.socket("/analysis"):
            pass
    else:
        await attacker.send("GET", "/games")
        attacker.close()


async def imports(attacker: Attacker, _: int) -> None:
    """Import records of almost a million characters."""
    await attacker.send("POST", "/games/import", {"text": RECORD})


async def readers(attacker: Attacker, _: int) -> None:
    """Ask for large answers without reading them."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", attacker.port, local_addr=(attacker.address, 0), limit=1024
    )
    request = (
        f"GET {API}/games/{attacker.shared.game} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Cookie: noughts={attacker.cookie}\r\n\r\n"
    )
    writer.write(request.encode() * 20)
    head = await reader.readuntil(b"\r\n")
    attacker.shared.answers["refused" if b" 429 " in head else "answered"] += 1
    await asyncio.sleep(5)
    writer.close()


async def undos(attacker: Attacker, _: int) -> None:
    """Undo and redo moves of a long game."""
    shared = attacker.shared
    path = f"/games/{shared.game}"
    for change in ("undo", "redo"):
        game = await attacker.send("POST", f"{path}/{change}", {"version": shared.version})
        game = game or await attacker.send("GET", path)
        shared.version = game["version"] if game else shared.version


async def labs(attacker: Attacker, number: int) -> None:
    """Run labs, replays and reviews."""
    line = {"start": "mnk:15,15,5", "moves": ["h8", "h9", "i9"]}
    path = ("/labs/counts", "/replay", "/review", "/labs/heuristic")[number % 4]
    await attacker.send("POST", path, {} if "labs" in path else line)


ATTACKS: dict[str, Attack] = {
    each.__name__: each
    for each in (
        *(cookies, positions, watchers, machines, connections),
        *(imports, readers, undos, labs),
    )
}


LOCAL = {"library": hostile.library, "match": hostile.match}
"""The attacks without a server."""


async def attack(name: str, port: int, seconds: float, count: int) -> Counter[str]:
    """Attack a server with a number of connections; return the number of answers by kind."""
    shared = Shared(port)
    first = Attacker(shared)
    await first.open_long_game()
    first.close()

    async def repeat(number: int) -> None:
        attacker = Attacker(shared)
        while True:
            try:
                await ATTACKS[name](attacker, number)
            except (OSError, EOFError, WebSocketException, TimeoutError, ValueError):
                shared.answers["disconnected"] += 1
                attacker.close()
                await asyncio.sleep(0.1)

    running = [asyncio.create_task(repeat(number)) for number in range(count)]
    await asyncio.wait(running, timeout=seconds)
    for task in running:
        task.cancel()
    await asyncio.wait(running, timeout=5)
    return shared.answers


def _attacker(name: str, port: int, seconds: float, count: int, answers: Queue[Any]) -> None:
    os.nice(NICENESS)
    answers.put(dict(asyncio.run(attack(name, port, seconds, count))))


# The victim


@dataclass
class Waits:
    """The seconds that the victim waited, by kind, and the number of refusals."""

    page: list[float] = field(default_factory=list)
    move: list[float] = field(default_factory=list)
    reply: list[float] = field(default_factory=list)
    refused: int = 0


async def victim(port: int, seconds: float) -> Waits:
    """Read the page, play both sides of a game, and play against level 4, for a time."""
    waits, until = Waits(), time.monotonic() + seconds
    each = _pages(port, waits, until), _moves(port, waits, until), _replies(port, waits, until)
    await asyncio.gather(*each)
    return waits


def _person(port: int) -> Person:
    person = Person(port, 0)
    person.address = VICTIM
    return person


async def _pages(port: int, waits: Waits, until: float) -> None:
    request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    while time.monotonic() < until:
        person, sent = _person(port), time.monotonic()
        head, _ = await person._exchange(request)
        waits.refused += not head.startswith("HTTP/1.1 200")
        waits.page.append(time.monotonic() - sent)
        person.close()
        await asyncio.sleep(PAUSE)


async def _moves(port: int, waits: Waits, until: float) -> None:
    person = _person(port)
    while time.monotonic() < until:
        with suppress(Refusal):
            waits.refused += 1
            game = await person.ask("POST", "/games", {"start": "connect4", "x": "me", "o": "me"})
            while game["result"] == "*" and time.monotonic() < until:
                move, sent = random.choice(list(game["position"]["moves"])), time.monotonic()
                body = {"version": game["version"], "move": move}
                game = await person.ask("POST", f"/games/{game['id']}/moves", body)
                waits.move.append(time.monotonic() - sent)
                await asyncio.sleep(PAUSE)
            waits.refused -= 1
    person.close()


async def _replies(port: int, waits: Waits, until: float) -> None:
    person = _person(port)
    wanted = {"start": "connect4", "x": "me", "o": "engine:level=4"}
    while time.monotonic() < until:
        with suppress(Refusal):
            waits.refused += 1
            game = await person.ask("POST", "/games", wanted)
            async with person.live(game["id"]) as live:
                followed = Followed(live)
                while game["result"] == "*" and time.monotonic() < until:
                    sent = time.monotonic()
                    move = random.choice(list(game["position"]["moves"]))
                    body = {"version": game["version"], "move": move}
                    await person.ask("POST", f"/games/{game['id']}/moves", body)
                    game = await followed.until(len(game["moves"]) + 2)
                    waits.reply.append(time.monotonic() - sent)
                    await asyncio.sleep(PAUSE)
            waits.refused -= 1
    person.close()


# The bench


async def quiet(seconds: float) -> Waits:
    """Return the waits of a victim alone."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), OF_SERVER)
        try:
            await server.wait()
            return await victim(server.port, seconds)
        finally:
            server.close()


async def attacked(name: str, seconds: float, count: int) -> tuple[Waits, dict[str, int]]:
    """Return the waits of a victim during an attack, and the attacker's answers by kind."""
    context = multiprocessing.get_context("spawn")
    answers: Any = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), OF_SERVER)
        try:
            await server.wait()
            arguments = name, server.port, seconds, count, answers
            attacker = context.Process(target=_attacker, args=arguments)
            attacker.start()
            await asyncio.sleep(min(2.0, seconds / 4))
            waits = await victim(server.port, seconds - 2.0 if seconds > 4 else seconds)
            counted: dict[str, int] = await asyncio.to_thread(answers.get, True, 60)
            attacker.join()
            return waits, counted
        finally:
            server.close()


def verdict(name: str, waits: Waits, calm: Waits, answers: dict[str, int]) -> list[Line]:
    """Return the lines of an attack."""
    ratio = percentile(waits.page, 0.5) / percentile(calm.page, 0.5)
    refused, others = answers.get("refused", 0), sum(answers.values())
    return [
        Line(f"{name}: page, median to quiet", ratio, "×", "≤", PAGE_RATIO),
        Line(f"{name}: own move, p95", 1000 * percentile(waits.move, 0.95), "ms", "≤", MOVE_MS),
        Line(f"{name}: reply, p95", 1000 * percentile(waits.reply, 0.95), "ms", "≤", REPLY_MS),
        Line(f"{name}: the victim's refusals", waits.refused, "", "≤", 0.5),
        Line(f"{name}: 429 and 503 with Retry-After", refused, "", "beside", max(1, others)),
    ]


async def measure(names: list[str], seconds: float, count: int) -> list[Line]:
    """Run attacks one after another, and return the lines of the table."""
    if not names:
        return []
    calm = await quiet(min(seconds, QUIET_SECONDS))
    lines = [
        Line("quiet: page, median", 1000 * percentile(calm.page, 0.5), "ms", "beside", 10),
        Line("quiet: own move, p95", 1000 * percentile(calm.move, 0.95), "ms", "≤", MOVE_MS),
        Line("quiet: reply, p95", 1000 * percentile(calm.reply, 0.95), "ms", "≤", REPLY_MS),
    ]
    for name in names:
        waits, answers = await attacked(name, seconds, count)
        print(f"{name}: {answers}", file=sys.stderr)
        lines += verdict(name, waits, calm, answers)
    return lines


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=60.0, help="length of each attack")
    options.add_argument("--connections", type=int, default=200, help="of the attacker")
    known = [*ATTACKS, *LOCAL]
    options.add_argument("attacks", nargs="*", metavar="ATTACK", help=", ".join(known))
    wanted = options.parse_args()
    if unknown := set(wanted.attacks) - set(known):
        options.error(f"no attack is called {sorted(unknown)[0]!r}. Attacks: {', '.join(known)}")
    if OF_OTHERS is not None:
        os.sched_setaffinity(0, OF_OTHERS)
    seconds, count = (1.5, 20) if wanted.quick else (wanted.seconds, wanted.connections)
    names = wanted.attacks or known
    lines = asyncio.run(measure([name for name in names if name in ATTACKS], seconds, count))
    lines += [line for name in names if name in LOCAL for line in LOCAL[name]()]
    show({}, lines, [], as_json=wanted.json)
    sys.exit(1 if any(line.met is False for line in lines) else 0)


if __name__ == "__main__":
    main()
