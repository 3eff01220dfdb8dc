"""The WebSockets against clients that send anything, in any order, and disconnect at any time."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from needs import needs_proc
from patience import PATIENCE
from serving import WEBSOCKET, serving
from web import API
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

Reached = tuple[int, str, Path]
"""The port, the path of a game with its join key after `?key=`, and the server's log."""

STARTS = [
    "basic",
    "mnk:3,3,3,misere",
    "mnk:19,19,5",
    "connect4",
    "advanced:full=draw",
    "ultimate:tie=boards,won=open",
    "basic~XXX.OO1.3~O",
    "ultimate~9.9.9.9.X8.9.9.9.9~O~1",
    "checkers",
    "",
    "~",
]
ANYTHING: list[Any] = [
    None,
    True,
    -1,
    2**70,
    1e308,
    "",
    "51",
    "\0",
    "é\u2028",
    [],
    {},
    [[[]]],
    "x" * 999,
]


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reached]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, "--no-limits") as (_, port):
        body = json.dumps({"start": "ultimate", "o": "guest"}).encode()
        wanted = Request(
            f"http://127.0.0.1:{port}{API}/games", body, {"Content-Type": "application/json"}
        )
        with urlopen(wanted, timeout=PATIENCE) as answer:
            game = json.load(answer)
        yield port, f"{game['id']}/live?key={game['keys']['join']}", folder / "log"


def question(rng: random.Random) -> str:
    """Return a request, often valid, often with an error."""
    asked: dict[str, Any] = {
        "do": rng.choice(("analyse", "graph", "explain", "review", "hint", "lab", "stop")),
        "id": rng.randrange(5),
        "start": rng.choice(STARTS),
        "moves": rng.choice(([], ["5"], ["51", "15"], ["a1", "b2", "a2"], ["4"] * 7, ["x"])),
    }
    if rng.random() < 0.3:
        asked["of"] = rng.randrange(5)
    if rng.random() < 0.2:
        asked["move"] = rng.choice(("5", "51", ""))
    if rng.random() < 0.4:
        asked[rng.choice([*asked, "other"])] = rng.choice(ANYTHING)
    if rng.random() < 0.1:
        del asked[rng.choice(list(asked))]
    text = json.dumps(asked, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.1:
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice(("", "\\ud800", '"', "}", "NaN")) + text[place + 1 :]
    return text


def path(rng: random.Random, game: str) -> str:
    return API + rng.choice(
        ["/analysis"] * 3
        + [f"/games/{game}"] * 2
        + ["/games/x/live", "/games/%00/live", "/nothing"]
    )


def talks(port: int, game: str, rng: random.Random) -> None:
    """Send requests as a client does, receive some answers, and disconnect."""
    with (
        contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError),
        connect(f"ws://127.0.0.1:{port}{path(rng, game)}", close_timeout=1) as session,
    ):
        for _ in range(rng.randrange(12)):
            if rng.random() < 0.8:
                session.send(question(rng))
            elif rng.random() < 0.5:
                session.send(rng.randbytes(rng.randrange(200)))
            else:
                session.send([question(rng), "", question(rng)])  # in fragments
            if rng.random() < 0.5:
                hear(session, rng.random() / 10)


def hear(session: ClientConnection, seconds: float) -> None:
    """Receive for a while; every message is a game, an answer or a problem."""
    with contextlib.suppress(TimeoutError):
        while True:
            said = json.loads(session.recv(timeout=seconds))
            assert "version" in said or "kind" in said or said["type"].startswith("urn:noughts:")


def shouts(port: int, game: str, rng: random.Random) -> None:
    """Send a message above the size limit."""
    with (
        contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError),
        connect(f"ws://127.0.0.1:{port}{path(rng, game)}", close_timeout=1) as session,
    ):
        session.send("[" * rng.choice((60_000, 70_000, 1_000_000)))
        session.recv(timeout=0.2)


def babbles(port: int, game: str, rng: random.Random) -> None:
    """Send frames that violate the protocol, and disconnect in the middle."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as client:
        start = f"GET {path(rng, game)} HTTP/1.1\r\n".encode() + WEBSOCKET
        client.sendall(start if rng.random() < 0.8 else start[: rng.randrange(len(start))])
        if rng.random() < 0.5:
            client.settimeout(0.2)
            client.recv(65536)
        for _ in range(rng.randrange(4)):
            payload = rng.randbytes(rng.randrange(60))
            frame = rng.choice(
                (
                    b"\x81" + bytes([0x80 | len(payload)]) + bytes(4) + payload,  # not UTF-8
                    b"\x82" + bytes([0x80 | len(payload)]) + bytes(4) + payload,
                    b"\x81" + bytes([len(payload)]) + payload,  # not masked
                    b"\x80\x80" + bytes(4),  # continues nothing
                    b"\x01\x80" + bytes(4) + b"\x81\x80" + bytes(4),  # begins twice
                    b"\x81\xff" + struct.pack("!Q", 2**62) + bytes(4),  # endless
                    b"\x88\x82" + bytes(4) + b"\x00\x01",  # closes with an invalid code
                    b"\x89\x80" + bytes(4),  # pings
                    payload,
                )
            )
            client.sendall(frame)
        if rng.random() < 0.5:
            linger = struct.pack("ii", 1, 0)  # Disconnects without a closing frame.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)


def comes_and_goes(port: int, game: str, rng: random.Random) -> None:
    """Connect many times for a moment."""
    for _ in range(rng.randrange(1, 12)):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as one:
            one.sendall(f"GET {path(rng, game)} HTTP/1.1\r\n".encode() + WEBSOCKET)
            if rng.random() < 0.3:
                one.shutdown(socket.SHUT_WR)


CLIENTS: list[Callable[[int, str, random.Random], None]] = [talks, shouts, babbles, comes_and_goes]


def let_loose(reached: Reached, rounds: int, seed: int) -> None:
    port, game, log = reached
    rng = random.Random(seed)
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
    for client in silent:  # These clients send requests and never read.
        client.sendall(f"GET {API}/analysis HTTP/1.1\r\n".encode() + WEBSOCKET)
    for _ in range(rounds):
        rng.choice(CLIENTS)(port, game, random.Random(rng.random()))
    for client in silent:
        client.close()
    assert log.read_text() == ""
    with connect(f"ws://127.0.0.1:{port}{API}/analysis") as session:
        session.send('{"do": "analyse", "id": 7, "start": "basic"}')
        while not (said := json.loads(session.recv(timeout=PATIENCE)))["done"]:
            assert said["id"] == 7
    with connect(f"ws://127.0.0.1:{port}{API}/games/{game}") as session:
        assert json.loads(session.recv(timeout=PATIENCE))["version"] == 0
    assert log.read_text() == ""


def test_server_survives_any_client(reached: Reached) -> None:
    let_loose(reached, 60, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_server_survives_many_clients(reached: Reached, seed: int) -> None:
    let_loose(reached, 400, seed)


@needs_proc
def test_disconnected_clients_are_forgotten(tmp_path: Path) -> None:
    """After many connections the server has no more open files than before."""
    with serving(tmp_path, "--no-limits") as (process, port):
        files = Path(f"/proc/{process.pid}/fd")
        # The first analysis starts the worker processes, whose pipes stay open.
        wanted = json.dumps({"start": "basic"}).encode()
        headers = {"Content-Type": "application/json"}
        url = f"http://127.0.0.1:{port}{API}/explain"
        with urlopen(Request(url, wanted, headers), timeout=PATIENCE) as answer:
            answer.read()
        rng = random.Random(3)
        for _ in range(5):
            comes_and_goes(port, "x/live", rng)
        # A worker process that starts meanwhile opens a pipe or two; 60 connections would open 60.
        before = len(list(files.iterdir())) + 3
        for _ in range(30):
            babbles(port, "x/live", rng)
            comes_and_goes(port, "x/live", rng)
        end = time.monotonic() + PATIENCE
        while len(list(files.iterdir())) > before and time.monotonic() < end:
            time.sleep(0.1)
        assert len(list(files.iterdir())) <= before
        assert (tmp_path / "log").read_text() == ""
