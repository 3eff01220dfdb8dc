"""The server against attacks: other sites, floods, and clients that never finish."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from command import NOUGHTS
from databases import provide
from needs import needs_proc
from patience import PATIENCE
from serving import WEBSOCKET, serving
from starlette.testclient import WebSocketDenialResponse
from web import API, Person, people, problem
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from noughts.web import security, server
from noughts.web.app import create_app
from noughts.web.clients import client_of
from noughts.web.security import Buckets, Guard, Limits, Rate
from noughts.web.settings import Settings

HOSTS = {"127.0.0.1", "localhost", "::1"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with serving(tmp_path_factory.mktemp("server")) as (_, port):
        yield port


def talk(port: int, data: bytes, seconds: float = PATIENCE) -> bytes:
    """Send bytes to the server, and return its answer up to the end of the connection."""
    with socket.create_connection(("127.0.0.1", port), seconds) as connection:
        connection.sendall(data)
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer


# Headers of every answer


@pytest.mark.parametrize(
    ("path", "caching"),
    [
        ("/", "no-store"),
        ("/game/x", "no-store"),
        ("/static/main.js", "no-cache"),
        ("/static/palette.css", "no-cache"),
        ("/static/nothing.js", "no-cache"),
        (f"{API}/rules", "no-store"),
        (f"{API}/nothing", "no-store"),
        ("/docs", "no-cache"),
    ],
)
def test_every_answer_has_its_headers(tmp_path: Path, path: str, caching: str) -> None:
    with people(tmp_path) as (anna,):
        answer = anna.get(path)
    headers, text = dict(answer.headers), answer.text
    lowered = {name.lower(): value for name, value in security.HEADERS.items()}
    policy = headers["content-security-policy"]
    # The HTML of the page has a script, which its policy names.
    plain = re.sub(r" 'sha256-[\w+/]{43}='", "", policy)
    assert {**headers, "content-security-policy": plain}.items() >= lowered.items()
    assert (plain == policy) == ("/static/built" not in text)
    assert headers["cache-control"] == caching
    assert "unsafe" not in policy
    assert "*" not in policy


def test_internal_error_is_a_document_with_all_headers() -> None:
    async def fails(*_: Any) -> None:
        raise ZeroDivisionError

    answer = Person(Guard(fails, None, None), raise_server_exceptions=False).get("/")
    assert problem(answer) == (500, "internal")
    assert "ZeroDivisionError" not in answer.text
    assert answer.headers["connection"] == "close"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_unchanged_files_are_not_sent_again(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        for path in ("/static/main.js", "/static/icon.svg"):
            tag = anna.get(path).headers["etag"]
            assert anna.get(path, headers={"if-none-match": tag}).status_code == 304
            assert anna.head(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd"]
)
def test_no_file_outside_the_page_is_served(port: int, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    assert talk(port, request.encode()).startswith(b"HTTP/1.1 404")


# Origins


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:8322", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:8322", 200),
        ("evil.example", 421),
        ("evil.example:8322", 421),
        ("127.0.0.1.evil.example", 421),
        ("192.168.1.5", 421),
        ("localhost.", 421),
        ("", 421),
        ("[", 421),
        ("a\xe9", 421),
    ],
)
def test_only_known_host_names_are_served(tmp_path: Path, host: str, status: int) -> None:
    with people(tmp_path, hosts=HOSTS) as (anna,):
        answer = anna.get("/", headers={b"host": host.encode("latin-1")})
        assert answer.status_code == status
        if status != 200:
            assert problem(answer) == (421, "host")


def test_wildcard_accepts_addresses_but_no_names() -> None:
    async def answers(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    anna = Person(Guard(answers, {"0.0.0.0", "My-Host"}, None))
    for host, status in (("10.1.2.3:80", 200), ("[fe80::1]", 200), ("my-host", 200), ("x", 421)):
        assert anna.get("/", headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"origin": "http://127.0.0.1:8322"}, 201),
        ({"origin": "https://127.0.0.1:8322"}, 201),
        ({"origin": "http://127.0.0.1:8322", "sec-fetch-site": "same-origin"}, 201),
        ({"origin": "http://127.0.0.1"}, 403),
        ({"origin": "http://127.0.0.1:3000"}, 403),
        ({"origin": "http://localhost:8322"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:8322.evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": "file://"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 403),
    ],
)
def test_other_sites_cannot_change_anything(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    with people(tmp_path, hosts=HOSTS) as (anna,):
        headers = {"host": "127.0.0.1:8322", **headers}
        answer = anna.ask("POST", "/games", {"start": "basic"}, headers=headers)
        assert answer.status_code == status
        if status == 403:
            assert problem(answer) == (403, "origin")
            assert anna.get_json("/games", headers={"host": "localhost"})["games"] == []
        allowed = {"location", "access-control-allow-origin"} & set(answer.headers)
        assert not allowed


def test_link_from_another_site_works_but_its_scripts_get_nothing(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        foreign = {"sec-fetch-site": "cross-site"}
        assert anna.get("/", headers=foreign | {"sec-fetch-mode": "navigate"}).status_code == 200
        for path in ("/", "/static/main.js", f"{API}/rules"):
            assert problem(anna.get(path, headers=foreign | {"sec-fetch-mode": "no-cors"})) == (
                403,
                "origin",
            )


@pytest.mark.parametrize("path", ["/analysis", "/games/x/live"])
@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": "null"}]
)
def test_other_sites_cannot_open_a_websocket(
    tmp_path: Path, path: str, headers: dict[str, str]
) -> None:
    with (
        people(tmp_path, hosts={"testserver"}) as (anna,),
        pytest.raises(WebSocketDenialResponse) as refused,
        anna.websocket_connect(API + path, headers=headers),
    ):
        pass
    assert problem(refused.value)[0] in (403, 421)


def test_cookie_is_not_readable_by_scripts_or_other_sites(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        assert "set-cookie" not in anna.get("/").headers
        plain = anna.ask("POST", "/games", {"start": "basic"}).headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(plain.split("; "))
        assert "Secure" not in plain
        secret = plain.partition("=")[2].partition(";")[0]
        assert len(secret) >= 32
        again = anna.ask("POST", "/games", {"start": "basic"}).headers["set-cookie"]
        assert secret in again
        anna.base_url = "https://testserver"
        assert "Secure" in anna.ask("POST", "/games", {"start": "basic"}).headers["set-cookie"]


@pytest.mark.parametrize("cookie", [b"a", b"", b'"\\001"', b"x" * 33, b"\xff" * 32, b"; ; =;"])
def test_forged_cookie_is_ignored(tmp_path: Path, cookie: bytes) -> None:
    with people(tmp_path) as (anna,):
        headers = {"cookie": b"noughts=" + cookie}
        answer = anna.ask("POST", "/games", {"start": "basic"}, headers=headers)
        assert answer.status_code == 201
        given = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
        assert given.encode() != cookie
        assert len(given) == 32


def test_ids_and_keys_cannot_be_guessed(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        games = [anna.open(o="guest") for _ in range(50)]
    texts = [text for game in games for text in (game["id"], *game["keys"].values())]
    assert len(set(texts)) == 150
    assert all(
        re.fullmatch(r"[A-Za-z0-9_-]{16,}", text) for text in texts
    )  # 6 bits for each letter


# Limits on rate and size


def test_bucket_empties_and_refills() -> None:
    now = [0.0]
    buckets = Buckets(Rate(each_second=10, burst=5), most=100, clock=lambda: now[0])
    assert [buckets.wait("a") for _ in range(5)] == [0] * 5
    assert buckets.wait("a") == pytest.approx(0.1)
    now[0] += 0.1
    assert buckets.wait("a") == 0
    assert buckets.wait("a") > 0
    now[0] += 1000
    assert [buckets.wait("a") > 0 for _ in range(6)] == [False] * 5 + [True]
    for number in range(10_000):
        buckets.wait(str(number))
    assert len(buckets) == 100


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("testclient", "testclient"),
    ],
)
def test_client_is_an_address_or_a_network(address: str, client: str) -> None:
    assert client_of({"type": "http", "client": (address, 1)}) == client


@pytest.mark.parametrize(
    ("kind", "method", "path"),
    [
        ("requests", "GET", f"{API}/rules"),
        ("requests", "GET", "/static/main.js"),
        ("games", "POST", f"{API}/games"),
        ("games", "POST", f"{API}/games/import"),
        ("games", "POST", f"{API}/games/x/rematch"),
        ("games", "POST", f"{API}/games/x/accept"),
        ("thinking", "POST", f"{API}/analysis"),
        ("thinking", "POST", f"{API}/review"),
        ("thinking", "POST", f"{API}/labs/counts"),
        ("thinking", "GET", f"{API}/replay.html"),
    ],
)
def test_refusal_says_when_to_try_again(tmp_path: Path, kind: str, method: str, path: str) -> None:
    limits = Limits(**{kind: Rate(each_second=0.01, burst=3)})  # type: ignore[arg-type]
    with people(tmp_path, limits=limits) as (anna,):
        for _ in range(3):
            assert anna.request(method, path).status_code != 429
        refused = anna.request(method, path)
        assert problem(refused) == (429, "too-many")
        assert 1 <= int(refused.headers["retry-after"]) <= 100
        if kind != "requests":
            assert anna.get(f"{API}/rules").status_code == 200
            assert anna.get(f"{API}/games").status_code == 200


def test_moves_do_not_count_as_new_games(tmp_path: Path) -> None:
    limits = replace(Limits(), games=Rate(each_second=0.01, burst=1))
    with people(tmp_path, limits=limits) as (anna,):
        assert len(anna.play(anna.open(o="me"), *"51379")["moves"]) == 5
        assert anna.ask("POST", "/games", {"start": "basic"}).status_code == 429


def test_number_of_websockets_is_bounded(tmp_path: Path) -> None:
    with people(tmp_path, limits=replace(Limits(), sockets=2)) as (anna,):
        path = f"{API}/analysis"
        with anna.websocket_connect(path), anna.websocket_connect(path):
            with pytest.raises(WebSocketDenialResponse) as refused, anna.websocket_connect(path):
                pass
            assert problem(refused.value) == (429, "too-many")
        with anna.websocket_connect(path):
            pass


def test_fast_websocket_is_slowed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = 0
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("noughts.web.security.asyncio.sleep", sleep)

    async def listens(_: Any, receive: Any, send: Any) -> None:
        nonlocal heard
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            heard += 1
        await send({"type": "websocket.close"})

    limits = replace(Limits(), messages=Rate(each_second=20, burst=5))
    with Person(Guard(listens, None, limits)).websocket_connect("/") as session:
        for _ in range(15):
            session.send_text("x")
        session.close()
        session.receive()
    assert heard == 15
    # Five at once, then one more each twentieth of a second.
    assert slept[:5] == [0.0] * 5
    assert slept[5:15] == pytest.approx([0.05 * place for place in range(1, 11)], abs=0.05)


@pytest.mark.parametrize("length", ["3000000", "9" * 400, "-1", "x"])
def test_announced_size_of_a_request_is_bounded(port: int, length: str) -> None:
    request = (
        f"POST {API}/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length}\r\n\r\n"
    )
    assert talk(port, request.encode()).startswith((b"HTTP/1.1 413", b"HTTP/1.1 400"))


def pour(connection: socket.socket, part: bytes, most: int) -> int:
    """Send data repeatedly until the server closes the connection; return how often it was sent."""
    for count in range(most):
        try:
            connection.sendall(part)
        except ConnectionError:
            return count
    return most


def test_size_of_a_request_without_length_is_bounded(port: int) -> None:
    head = (
        f"POST {API}/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall(head.encode())
        assert pour(connection, chunk, 2000) < 2000
    # Enough for a refusal, without losing the answer with the connection.
    body = chunk * (security.LARGEST_BODY // 0x10000 + 1)
    assert talk(port, head.encode() + body + b"0\r\n\r\n").startswith(b"HTTP/1.1 413")


def test_endless_headers_are_refused(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        assert pour(connection, b"x-header: " + b"x" * 5000 + b"\r\n", 20_000) < 20_000


def test_size_of_a_websocket_message_is_bounded(port: int) -> None:
    with connect(f"ws://127.0.0.1:{port}{API}/analysis") as session:
        session.send("x" * (security.LARGEST_MESSAGE + 1))
        with pytest.raises(Exception, match="1009"):
            session.recv(timeout=PATIENCE)


# Limits on time


HASTY = Settings(header_seconds=0.3, unread_seconds=0.5, body_seconds=0.5)


async def flood(scope: Any, receive: Any, send: Any) -> None:
    """An application that sends more than any client reads."""
    if scope["type"] == "lifespan":
        return
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            await send({"type": "websocket.send", "text": "x" * 100_000})
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(1000):
        await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
    await send({"type": "http.response.body"})


@contextmanager
def listening(settings: Settings, application: Any = None) -> Iterator[tuple[server.Server, int]]:
    """Run an application on a server in a thread, by default the flooding one."""
    application = application or Guard(flood, None, Limits(), settings)
    bound = socket.create_server(("127.0.0.1", 0))
    running = server.Server(application, settings=settings)
    thread = threading.Thread(target=running.run, args=([bound],))
    thread.start()
    try:
        yield running, bound.getsockname()[1]
    finally:
        running.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


def ends(running: server.Server, seconds: float = PATIENCE) -> bool:
    """Return whether all connections and their tasks end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not running.server_state.connections and not running.server_state.tasks:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: x\r\nA",
        b"\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + WEBSOCKET,
    ],
    ids=["silent", "line", "header", "blank", "body", "chunks", "unread", "unread websocket"],
)
def test_endless_wait_is_cut_off(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted, begin = threading.Event(), server.Connection._begin

    def accept(connection: server.Connection) -> None:
        begin(connection)
        accepted.set()

    monkeypatch.setattr(server.Connection, "_begin", accept)
    with listening(HASTY) as (running, port):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port))
        with contextlib.suppress(ConnectionError):  # cut off already, on a slow machine
            client.sendall(data)
        assert accepted.wait(PATIENCE)
        assert ends(running)
        client.close()
        assert not server.Connection._open


def test_client_that_leaves_at_once_does_not_hold_the_server() -> None:
    with listening(replace(HASTY, header_seconds=PATIENCE)) as (running, port):
        client = socket.create_connection(("127.0.0.1", port))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.sendall(b"GET / HTTP/1.1\r\n" + WEBSOCKET)
        client.close()
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as other:
            other.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert other.recv(12) == b"HTTP/1.1 200"
        assert ends(running)


def test_websocket_that_does_not_read_in_time_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    dropped, drop = threading.Event(), server.Socket._drop

    def noted(connection: server.Socket) -> None:
        drop(connection)
        dropped.set()

    monkeypatch.setattr(server.Socket, "_drop", noted)
    with listening(Settings(unread_seconds=2)) as (running, port), socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port))
        with connect(f"ws://127.0.0.1:{port}/", sock=client, max_queue=1) as slow:
            assert dropped.wait(PATIENCE)
            with pytest.raises(ConnectionClosed) as closed:
                deque(slow, maxlen=0)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == server.SLOW
        assert closed.value.rcvd.reason == "You left data unread for 2 s. Connect again."
        assert ends(running)


def test_connections_of_an_address_are_bounded() -> None:
    with listening(Settings(connections_of_one=3)) as (running, port):
        clients = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in range(5)]
        assert clients[-1].recv(1) == b""
        assert len(running.server_state.connections) <= 3
        for client in clients:
            client.close()
        assert ends(running)


# The command


def test_server_prints_its_address_and_a_second_one_its_refusal(tmp_path: Path, port: int) -> None:
    with urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
        assert b"<title>" in page.read()
    second = subprocess.run(
        (NOUGHTS, "serve", "--port", str(port), "--database", str(tmp_path / "games.db")),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert second.returncode == 4
    assert f"Cannot listen on 127.0.0.1, port {port}: Address already in use" in second.stderr


def test_connection_that_answers_no_ping_is_closed(tmp_path: Path) -> None:
    settings = Settings(ping_seconds=1, pong_seconds=2)
    app = create_app(f"sqlite:///{provide(tmp_path / 'games.db')}", settings=settings)
    with listening(settings, app) as (_, port):
        request = f"GET {API}/analysis HTTP/1.1\r\n".encode()
        with (
            connect(f"ws://127.0.0.1:{port}{API}/analysis") as alive,
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as broken,
        ):
            broken.sendall(request + WEBSOCKET)
            received = b""
            while chunk := broken.recv(4096):
                received += chunk
            assert b"101 Switching" in received
            alive.send('{"do": "analyse", "id": 1, "start": "basic"}')
            assert "values" in str(alive.recv(timeout=PATIENCE))


@pytest.mark.parametrize(("ending", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_server_ends_at_once_during_a_search(
    tmp_path: Path, ending: signal.Signals, code: int
) -> None:
    with serving(tmp_path) as (process, port):
        base = f"ws://127.0.0.1:{port}{API}"
        idle = socket.create_connection(("127.0.0.1", port))
        silent = socket.create_connection(("127.0.0.1", port))
        silent.sendall(b"GET " + f"{API}/analysis".encode() + b" HTTP/1.1\r\n" + WEBSOCKET)
        with connect(f"{base}/analysis") as thinking, connect(f"{base}/analysis") as waiting:
            thinking.send('{"do": "analyse", "id": 1, "start": "mnk:15,15,5"}')
            thinking.recv(timeout=PATIENCE)
            process.send_signal(ending)
            assert process.wait(PATIENCE) == code
            with pytest.raises(Exception, match="1012"):
                waiting.recv(timeout=PATIENCE)
        idle.close()
        silent.close()
    assert (tmp_path / "log").read_text() == ""


def children(process: subprocess.Popen[str]) -> list[int]:
    """Return the children of the server's process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == process.pid and "spawn_main" in (folder / "cmdline").read_text():
                found.append(int(folder.name))
    return found


@needs_proc
def test_killed_workers_are_replaced(tmp_path: Path) -> None:
    """For example by a system short of memory, while the server is idle."""
    with serving(tmp_path, "--no-limits") as (process, port):
        body = b'{"start": "basic", "moves": ["5"]}'
        wanted = Request(f"http://127.0.0.1:{port}{API}/explain", body)
        wanted.add_header("Content-Type", "application/json")
        for _ in range(2):
            for worker in children(process):
                os.kill(worker, signal.SIGKILL)
            answers = []
            while 200 not in answers:
                try:
                    answers.append(urlopen(wanted, timeout=PATIENCE).status)
                except HTTPError as error:
                    answers.append(error.code)
                    error.close()
            assert set(answers) <= {200, 503}
            assert len(answers) < 10
    assert (tmp_path / "log").read_text() == ""


def test_no_key_is_in_the_log(tmp_path: Path) -> None:
    secret = "S" * 32
    with serving(tmp_path) as (process, port):
        path, cookie = f"{API}/games/{'A' * 16}/live?key={secret}", {"Cookie": f"noughts={secret}"}
        with connect(f"ws://127.0.0.1:{port}{path}", additional_headers=cookie) as session:
            assert "not-found" in str(session.recv(timeout=PATIENCE))
        for line in (f"GET /{secret} HTTP/1.1", f"{secret}", f"GET / HTTP/1.1\r\nCookie: {secret}"):
            talk(port, f"{line}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert (tmp_path / "log").read_text() == ""


@pytest.mark.parametrize(
    ("options", "code", "complaint"),
    [
        (("--host", "no.such.host.invalid"), 2, "no.such.host.invalid"),
        (("--port", "70000"), 2, "--port"),
        (("--host", "192.0.2.1"), 4, "Cannot listen on 192.0.2.1"),
    ],
)
def test_unavailable_address_is_reported(
    tmp_path: Path, options: tuple[str, ...], code: int, complaint: str
) -> None:
    done = subprocess.run(
        (NOUGHTS, "serve", *options, "--database", str(tmp_path / "games.db")),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
    )
    assert (done.returncode, complaint in done.stderr) == (code, True)


def test_host_names_are_allowed_by_options(tmp_path: Path) -> None:
    options = ("--host", "0.0.0.0", "--allow-host", "games.example", "--no-limits")
    with serving(tmp_path, *options) as (_, port):
        for host, status in (("games.example", b"200"), ("evil.example", b"421")):
            request = f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            assert talk(port, request.encode()).split()[1] == status
        request = f"GET {API}/address HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        told = rf'{{"network":"http://[\w.-]+:{port}"}}'
        assert re.search(told.encode(), talk(port, request.encode()))


@pytest.fixture(scope="module", params=[(), ("--proxy", "127.0.0.1")], ids=["direct", "proxy"])
def behind(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[int, bool]]:
    """The port of a server, and whether it trusts a proxy."""
    with serving(tmp_path_factory.mktemp("proxy"), *request.param) as (_, port):
        yield port, bool(request.param)


def test_only_a_named_proxy_is_trusted(behind: tuple[int, bool]) -> None:
    port, is_trusted = behind
    body = '{"start": "basic"}'
    request = (
        f"POST {API}/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        "X-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.7\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )
    assert (b"Secure" in talk(port, request.encode())) == is_trusted


def test_clients_behind_a_proxy_are_told_apart(behind: tuple[int, bool]) -> None:
    """By the forwarded address; those of one IPv6 network are one client."""
    port, is_trusted = behind
    with contextlib.ExitStack() as sockets:

        def status(address: str) -> int:
            opened = sockets.enter_context(socket.create_connection(("127.0.0.1", port)))
            forwarded = f"GET {API}/analysis HTTP/1.1\r\nX-Forwarded-For: {address}\r\n"
            opened.sendall(forwarded.encode() + WEBSOCKET)
            return int(opened.recv(65536).split()[1])

        assert [status("2001:db8::1") for _ in range(Limits().sockets)] == [101] * Limits().sockets
        others = [status("2001:db8::2"), status("2001:db8:0:1::1")]
        assert others == [429, 101 if is_trusted else 429]


def test_refused_websockets_are_no_errors_of_the_server(tmp_path: Path) -> None:
    line = f"GET {API}/analysis HTTP/1.1\r\n".encode()
    with serving(tmp_path) as (_, port), contextlib.ExitStack() as sockets:
        foreign = talk(port, line + b"Origin: http://evil.example\r\n" + WEBSOCKET)
        assert foreign.startswith(b"HTTP/1.1 403 ")
        for _ in range(Limits().sockets):
            opened = sockets.enter_context(socket.create_connection(("127.0.0.1", port)))
            opened.sendall(line + WEBSOCKET)
            assert opened.recv(65536).startswith(b"HTTP/1.1 101 ")
        assert talk(port, line + WEBSOCKET).startswith(b"HTTP/1.1 429 ")
    assert (tmp_path / "log").read_text() == ""


def sockets_of(pid: int) -> int:
    """Return the number of sockets that a process has open."""
    count = 0
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            count += str(file.readlink()).startswith("socket:")
    return count


def test_clients_that_leave_before_their_refusals_are_not_logged(tmp_path: Path) -> None:
    """Each sends many requests at once, most of them over the rate, and hangs up."""
    request = f"GET {API}/games HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with serving(tmp_path) as (process, port):
        before = sockets_of(process.pid)
        for _ in range(70):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(20 * request)
                connection.recv(100)
        until = time.monotonic() + PATIENCE
        while sockets_of(process.pid) > before:
            assert time.monotonic() < until, "connections stay open"
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
    assert (tmp_path / "log").read_text() == ""
