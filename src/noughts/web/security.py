"""The guard in front of the application: host and origin checks, rate limits, security headers.

    request  ──► Host ──► Origin ──► buckets, budget ──► whole body, bounded ──► application
    response ◄── headers for browsers ◄────────────────────────────────────────────┘

Other sites can make a browser send requests here, also through DNS rebinding; Host and Origin
reveal that. Limits are per network address, since a client can drop its cookie at any time. A
WebSocket over the limit is slowed down; other requests over the limit get 429. The processor time
and the bytes of every answer are charged to the client's budget.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from noughts.answers.problems import Refused
from noughts.web.admission import Admission
from noughts.web.budgets import SECOND_OF_BYTES, Budgets, Metered
from noughts.web.clients import Account, account_of, client_of, current, parsed_address
from noughts.web.errors import INTERNAL_ERROR, respond
from noughts.web.health import HEALTH, Figures
from noughts.web.settings import DEFAULT, Settings

LARGEST_BODY = 2 * 1024 * 1024
"""Largest request body, in bytes."""
LARGEST_MESSAGE = 64 * 1024
"""Largest WebSocket message, in bytes."""
MAX_CLIENTS = 10_000
"""Most clients with a bucket; the least recently active ones are dropped."""
WILDCARDS = ("0.0.0.0", "::")
"""Hosts that mean every address of the machine."""


def policy(*scripts: str) -> str:
    """Return the Content-Security-Policy of a response.

    Args:
        scripts: the hashes of the scripts in it, as sources.
    """
    sources = " ".join(("'self'", *scripts))
    return (
        f"default-src 'none'; script-src {sources}; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    )


HEADERS = {
    "Content-Security-Policy": policy(),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every response: no foreign content, no inline scripts, no frames. A page may have its
own policy, which allows one script by its hash."""
_POLICY = b"content-security-policy"
_EVERYWHERE = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}


@dataclass(frozen=True)
class Rate:
    """A rate limit: `burst` at once, `each_second` in the long run."""

    each_second: float
    burst: float


@dataclass(frozen=True)
class Limits:
    """The limits of one client address, wide enough for a school class behind one address."""

    requests: Rate = Rate(100, 1000)
    """All requests, and all messages of WebSockets."""
    games: Rate = Rate(1, 200)
    """Requests that add games to the database."""
    thinking: Rate = Rate(5, 60)
    """Requests that start a search or other heavy work."""
    messages: Rate = Rate(10, 50)
    """Messages of one WebSocket."""
    sockets: int = 200
    """Open WebSockets."""
    stored_games: int = 50_000
    """Games in the database."""
    stored_mib: int = 500
    """MiB of the records of these games."""


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
        most: most buckets kept.
        clock: returns seconds.
    """

    def __init__(
        self, rate: Rate, most: int = MAX_CLIENTS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._most, self._clock = rate, most, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._left)

    def wait(self, client: str) -> float:
        """Take a client's token and return 0; without a token return the seconds until one."""
        left, now = self._left_of(client)
        taken = left >= 1
        self._keep(client, left - taken, now)
        return 0.0 if taken else (1 - left) / self._rate.each_second

    def reserve(self, client: str) -> float:
        """Take a client's token, in advance if there is none; return the seconds until it is due.

        >>> clock = [0.0]
        >>> buckets = Buckets(Rate(each_second=2, burst=1), clock=lambda: clock[0])
        >>> [buckets.reserve("a") for _ in range(3)], buckets.wait("a")
        ([0.0, 0.5, 1.0], 1.5)
        """
        left, now = self._left_of(client)
        self._keep(client, left - 1, now)
        return max(0.0, (1 - left) / self._rate.each_second)

    def _left_of(self, client: str) -> tuple[float, float]:
        """Return a client's tokens, and the time."""
        now = self._clock()
        left, then = self._left.get(client, (self._rate.burst, now))
        return min(self._rate.burst, left + (now - then) * self._rate.each_second), now

    def _keep(self, client: str, left: float, now: float) -> None:
        self._left[client] = left, now
        self._left.move_to_end(client)
        if len(self._left) > self._most:
            self._left.popitem(last=False)


class Guard:
    """ASGI middleware that refuses bad requests and adds the security headers.

    Args:
        app: the application.
        hosts: allowed host names; `None` allows any. A wildcard among them allows every numeric
            address, since DNS rebinding needs a name.
        limits: limits of one client; `None` for none.
        settings: the time for the body of a request.
        budgets: the processor time and bytes of requests are charged to them.
        figures: count responses and WebSockets.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Collection[str] | None,
        limits: Limits | None,
        settings: Settings = DEFAULT,
        budgets: Budgets | None = None,
        figures: Figures | None = None,
    ) -> None:
        self._application = app
        self._figures = figures or Figures()
        self._budgets = budgets or Budgets()
        self._admission = Admission(self._budgets)
        self._settings = settings
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
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        account = account_of(scope)
        current.set(account)
        charge, send = partial(self._budgets.charge, account), self._counted(account, send)
        await self._admission.turn(account)
        if scope["type"] == "http":
            send = _with_headers(scope, self._noted(send))
            await Metered(self._request(scope, receive, send), charge)
        else:
            await Metered(self._socket(scope, receive, send), charge)

    def _counted(self, account: Account, send: Send) -> Send:
        """Return a `send` that charges the bytes."""

        async def counted(message: Message) -> None:
            sent = message.get("body") or message.get("bytes") or message.get("text") or b""
            self._budgets.charge(account, len(sent) / SECOND_OF_BYTES)
            await send(message)

        return counted

    def _noted(self, send: Send) -> Send:
        """Return a `send` that counts the responses by status."""

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._figures.responses[message["status"]] += 1
            await send(message)

        return noted

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            self._check_source(scope)
            kinds = _kinds(scope["method"], scope["path"])
            for kind in kinds:
                self._check_rate(kind, client_of(scope))
            if len(kinds) > 1:
                self._budgets.check(current.get())
            whole = await _whole(scope, receive, self._settings.body_seconds)
        except Refused as refused:
            await self._refuse(refused, scope, receive, send)
            return
        if whole is None:
            return
        try:
            await self._application(scope, whole, noting)
        except Exception:
            if not started:
                await respond(INTERNAL_ERROR)(scope, receive, send)
            raise

    async def _refuse(self, refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a refusal; one over a rate is delayed, since clients may ask again at once."""
        if refused.status == 429:
            await asyncio.sleep(self._settings.refusal_seconds)
        await respond(refused)(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        try:
            self._check_source(scope)
            self._check_rate("requests", client)
            if self._limits is not None and self._sockets[client] >= self._limits.sockets:
                detail = "Too many open connections from your address. Close some of them."
                raise Refused(429, "too-many", detail, retry=10)
        except Refused as refused:
            await self._refuse(refused, scope, receive, send)
            return
        self._sockets[client] += 1
        self._figures.sockets += 1
        try:
            await self._application(scope, self._slowed(client, receive), send)
        except WebSocketDisconnect:
            pass  # The client disconnected during the reply.
        finally:
            self._sockets[client] -= 1
            self._figures.sockets -= 1
            if not self._sockets[client]:
                del self._sockets[client]

    def _check_source(self, scope: Scope) -> None:
        """Refuse requests from pages of other sites.

        Raises:
            Refused: the host is not allowed, or the request comes from another site.
        """
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if scope["path"] == HEALTH:
            return
        if self._hosts is not None and not _is_among(_name(host), self._hosts):
            detail = f"Host {_name(host)[:100]!r} is not allowed. Add it with --allow-host."
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
            raise Refused(403, "origin", "Requests from other sites are refused.", field="Origin")

    def _check_rate(self, kind: str, client: str) -> None:
        wait = self._buckets[kind].wait(client) if kind in self._buckets else 0
        if wait:
            detail = "Too many requests. Try again in a few seconds."
            raise Refused(429, "too-many", detail, retry=wait)

    def _slowed(self, client: str, receive: Receive) -> Receive:
        """Return a `receive` that delays WebSocket messages over the limit."""
        if self._limits is None:
            return receive
        own, shared = Buckets(self._limits.messages, most=1), self._buckets["requests"]

        async def slowed() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                # One sleep, since many that look for a token again and again would use a core.
                await asyncio.sleep(max(own.reserve(client), shared.reserve(client)))
            return message

        return slowed


def _kinds(method: str, path: str) -> list[str]:
    """Return the limits that a request counts against."""
    kinds = ["requests"]
    parts = path.removeprefix("/api/v1/").split("/")
    if method == "POST" and parts[0] == "games" and parts[-1] in OPENING:
        kinds.append("games")
    is_list = method == "GET" and "." not in parts[0]
    if parts[0].partition(".")[0] in THINKING and path.startswith("/api/") and not is_list:
        kinds.append("thinking")
    return kinds


OPENING = ("games", "import", "rematch", "accept")
"""Last parts of the paths that add games."""
THINKING = ("analysis", "graph", "explain", "hint", "review", "replay", "labs", "check")
"""Parts of the API that start heavy work."""


def _name(host: str) -> str:
    """Return the host name in a Host header, without its port.

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
    return any(wildcard in hosts for wildcard in WILDCARDS) and parsed_address(name) is not None


def _origin_host(origin: str) -> str | None:
    """Return the host and port of an origin; `None` for one without a host, such as `null`.

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
    """Return whether a person is following a link from another site."""
    if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
        return False
    return headers.get("sec-fetch-mode") == "navigate"


async def _whole(scope: Scope, receive: Receive, seconds: float) -> Receive | None:
    """Return a `receive` that yields the whole body at once; `None` if the client disconnects.

    Raises:
        Refused: the body is too large or too slow.
    """
    too_large = Refused(413, "too-large", f"A request has at most {LARGEST_BODY:,} bytes.")
    length = Headers(scope=scope).get("content-length", "")
    if length.isdecimal() and (len(length) > 15 or int(length) > LARGEST_BODY):
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
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
    """Return a `send` that adds the headers of every response."""
    caching = b"no-store" if scope["path"].startswith("/api/") else b"no-cache"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = dict(message["headers"])
            headers = [each for each in message["headers"] if each[0] not in _EVERYWHERE]
            headers += (_EVERYWHERE | {_POLICY: own.get(_POLICY, _EVERYWHERE[_POLICY])}).items()
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", caching))
            if message["status"] in (408, 413, 500):
                # The rest of the body is not read, so the connection cannot be reused.
                headers.append((b"connection", b"close"))
            message = {**message, "headers": headers}
        await send(message)

    return sending
