"""What stands between the network and the application: who may ask, how much, and for how long.

    request  ──► Host ──► Origin ──► token buckets ──► the body, whole and bounded ──► application
    response ◄── headers for browsers ◄───────────────────────────────────────────────────┘

A page of another site can let a browser ask here, under a name of its own for this address too:
Host and Origin tell such requests. A client is an address, since a cookie is as easily dropped as
got. A WebSocket that sends too much is slowed down; what else asks too much is told to wait.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from noughts.apps.web.problems import Refused, respond

LARGEST_BODY = 2 * 1024 * 1024
"""The most bytes of a request."""
LARGEST_MESSAGE = 64 * 1024
"""The most bytes of a WebSocket's message."""
BODY_SECONDS = 20.0
"""How long a client may take to send the body of a request."""
MOST_CLIENTS = 10_000
"""How many clients are remembered; of more, those that have not asked for longest are forgotten."""
WILDCARDS = ("0.0.0.0", "::")
"""Hosts to listen on that stand for every address of the machine."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What every answer tells the browser: nothing from elsewhere, nothing inline, in no frame."""
_EVERYWHERE = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}


@dataclass(frozen=True)
class Rate:
    """How often something may happen: `burst` times at once, `each_second` in the long run."""

    each_second: float
    burst: float


@dataclass(frozen=True)
class Limits:
    """What one client may ask for. A school class behind one address is meant to fit."""

    requests: Rate = Rate(100, 1000)
    """Of any kind; every message of a WebSocket is one, too."""
    games: Rate = Rate(1, 200)
    """Requests that put games into the database."""
    thinking: Rate = Rate(5, 60)
    """Requests that let the machine think or calculate."""
    messages: Rate = Rate(10, 50)
    """Of one WebSocket."""
    sockets: int = 200
    """WebSockets open at once."""


class Buckets:
    """A token bucket for each client.

    >>> clock = [0.0]
    >>> buckets = Buckets(Rate(each_second=2, burst=3), clock=lambda: clock[0])
    >>> [buckets.wait("a") for _ in range(4)], buckets.wait("b")
    ([0.0, 0.0, 0.0, 0.5], 0.0)
    >>> clock[0] = 0.5
    >>> buckets.wait("a")
    0.0

    Args:
        rate: how fast a bucket fills, and how much it holds.
        most: how many buckets are kept.
        clock: seconds.
    """

    def __init__(
        self, rate: Rate, most: int = MOST_CLIENTS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._most, self._clock = rate, most, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._left)

    def wait(self, client: str) -> float:
        """Take a token of a client; return 0, or if there is none, the seconds until there is."""
        now = self._clock()
        left, then = self._left.pop(client, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - then) * self._rate.each_second)
        taken = left >= 1
        self._left[client] = (left - taken, now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return 0.0 if taken else (1 - left) / self._rate.each_second


class Guard:
    """Lets through what may pass, and gives every answer its headers.

    Args:
        app: what is guarded.
        hosts: the names under which it may be asked for; any, if left out. A wildcard among them
            stands for every address, since an address, unlike a name, cannot be made to lead here.
        limits: of one client; none, if left out.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None, limits: Limits | None) -> None:
        self._application = app
        self._hosts = None if hosts is None else frozenset(name.lower() for name in hosts)
        self._limits = limits
        self._buckets = (
            {}
            if limits is None
            else {
                kind: Buckets(getattr(limits, kind)) for kind in ("requests", "games", "thinking")
            }
        )
        self._sockets: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, _with_headers(scope, send))
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._application(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            self._check_source(scope)
            for kind in _kinds(scope["method"], scope["path"]):
                self._check_rate(kind, client_of(scope))
            whole = await _whole(scope, receive)
        except Refused as refused:
            await respond(refused)(scope, receive, send)
            return
        if whole is None:
            return
        try:
            await self._application(scope, whole, noting)
        except Exception:
            if not started:
                detail = "Something went wrong on the server; it was noted."
                await respond(Refused(500, "internal", detail))(scope, receive, send)
            raise

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        try:
            self._check_source(scope)
            self._check_rate("requests", client)
            if self._limits is not None and self._sockets[client] >= self._limits.sockets:
                detail = "Too many connections are open from your address. Close some of them."
                raise Refused(429, "too-many", detail, retry=10)
        except Refused as refused:
            await respond(refused)(scope, receive, send)
            return
        self._sockets[client] += 1
        try:
            await self._application(scope, self._slowed(client, receive), send)
        except WebSocketDisconnect:
            pass  # The client went while it was being answered.
        finally:
            self._sockets[client] -= 1
            if not self._sockets[client]:
                del self._sockets[client]

    def _check_source(self, scope: Scope) -> None:
        """Refuse what a page of another site has asked for.

        Raises:
            Refused: the name is not one of this server's, or the request comes from another site.
        """
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts is not None and not _is_among(_name(host), self._hosts):
            detail = f"This server does not answer to the name {_name(host)[:100]!r}."
            raise Refused(421, "host", detail, field="Host")
        origin = headers.get("origin")
        if origin is None:
            site = headers.get("sec-fetch-site", "none")
            is_foreign = site not in ("same-origin", "none") and not _is_visit(scope, headers)
        else:
            scheme = origin.partition("://")[0]
            asked = _origin_host(f"{scheme}://{host}")
            is_foreign = asked is None or _origin_host(origin) != asked
        if is_foreign:
            raise Refused(403, "origin", "Other sites may not ask here.", field="Origin")

    def _check_rate(self, kind: str, client: str) -> None:
        wait = self._buckets[kind].wait(client) if kind in self._buckets else 0
        if wait:
            detail = "That was too much at once. Try again in a moment."
            raise Refused(429, "too-many", detail, retry=wait)

    def _slowed(self, client: str, receive: Receive) -> Receive:
        """Return `receive` of a WebSocket, which waits where messages come too fast."""
        if self._limits is None:
            return receive
        own, shared = Buckets(self._limits.messages, most=1), self._buckets["requests"]

        async def slowed() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                while wait := own.wait(client) or shared.wait(client):
                    await asyncio.sleep(wait)
            return message

        return slowed


def client_of(scope: Scope) -> str:
    """Return whom a request is counted for: its address, of IPv6 the network of 64 bits."""
    client = scope.get("client")
    return _network(client[0]) if client else ""


@lru_cache(MOST_CLIENTS)
def _network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, 64), strict=False).network_address)


def _kinds(method: str, path: str) -> list[str]:
    """Return what a request counts as."""
    kinds = ["requests"]
    parts = path.removeprefix("/api/v1/").split("/")
    if method == "POST" and parts[0] == "games" and parts[-1] in ("games", "import", "rematch"):
        kinds.append("games")
    is_list = method == "GET" and "." not in parts[0]
    if parts[0].partition(".")[0] in THINKING and path.startswith("/api/") and not is_list:
        kinds.append("thinking")
    return kinds


THINKING = ("analysis", "graph", "explain", "hint", "review", "replay", "labs")
"""The parts of the API that let the machine think or calculate."""


def _name(host: str) -> str:
    """Return the name of a Host header, without its port.

    >>> _name("LOCALHOST:8322"), _name("[::1]:8322"), _name("example.org")
    ('localhost', '::1', 'example.org')
    """
    host = host.lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_among(name: str, hosts: Collection[str]) -> bool:
    if name in hosts:
        return True
    return any(wildcard in hosts for wildcard in WILDCARDS) and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _origin_host(origin: str) -> str | None:
    """Return the host and port of an origin; nothing of one that names none, such as `null`.

    >>> _origin_host("https://Example.org"), _origin_host("http://[::1]"), _origin_host("null")
    ('example.org:443', '[::1]:80', None)
    """
    scheme, _, rest = origin.lower().partition("://")
    port = {"http": 80, "https": 443}.get(scheme)
    if port is None or not rest:
        return None
    has_port = ":" in rest.rpartition("]")[2]
    return rest if has_port else f"{rest}:{port}"


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Whether a person follows a link from another site."""
    if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
        return False
    return headers.get("sec-fetch-mode") == "navigate"


async def _whole(scope: Scope, receive: Receive) -> Receive | None:
    """Return a `receive` that gives the whole body at once; nothing if the client has gone.

    Raises:
        Refused: the body is too large, or comes too slowly.
    """
    too_large = Refused(413, "too-large", f"A request has at most {LARGEST_BODY:,} bytes.")
    length = Headers(scope=scope).get("content-length", "")
    if length.isdecimal() and (len(length) > 15 or int(length) > LARGEST_BODY):
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                body += message.get("body", b"")
                if len(body) > LARGEST_BODY:
                    raise too_large
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        raise Refused(408, "slow", "The request took too long to arrive.") from None
    given = False

    async def whole() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    return whole


def _with_headers(scope: Scope, send: Send) -> Send:
    """Return `send` of a request that gives the answer the headers which every answer has."""
    caching = b"no-store" if scope["path"].startswith("/api/") else b"no-cache"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [each for each in message["headers"] if each[0] not in _EVERYWHERE]
            headers += _EVERYWHERE.items()
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", caching))
            if message["status"] in (408, 413, 500):
                # What is left of the body is not waited for; after an error uvicorn closes, too.
                headers.append((b"connection", b"close"))
            message = {**message, "headers": headers}
        await send(message)

    return sending
