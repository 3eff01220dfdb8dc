"""The server, on uvicorn: connections that do not wait for ever, and an end without delay.

    accepted ──► headers, within a time and a size ──► request ──► answer, read within a time
                                       └──► WebSocket ──► messages, read within a time

A client that only holds a connection open, sends its headers drop by drop, or does not read what it
asked for, is cut off. What the application has for somebody who does not read waits in the
connection, a bounded amount, and goes with it.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import ClassVar

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from noughts.apps.web.security import LARGEST_MESSAGE

HEADER_SECONDS = 10.0
"""How long a client may take to send the headers of a request."""
LARGEST_HEADERS = 64 * 1024
"""The most bytes of the headers of a request, beside those that come with the last of them."""
UNREAD_SECONDS = 30.0
"""How long a client may read nothing of what waits for it."""
FAULTS_OF_CLIENTS = ("Invalid HTTP request", "Invalid UTF-8 sequence", "Unsupported upgrade")
"""What uvicorn logs of requests that break the protocol, which are refused, and that is all."""
FAREWELL_SECONDS = 1
"""How long clients may take to end their requests when the server ends."""


class Unread:
    """A protocol whose client has to read."""

    _unread: asyncio.TimerHandle | None = None
    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)  # type: ignore[misc]
        connection = transport.get_extra_info("socket")
        if connection is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            # For the little that is left when a connection is closed: no timer of ours runs then.
            milliseconds = int(UNREAD_SECONDS * 1000)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        loop = asyncio.get_running_loop()
        self._unread = loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        _cancel(self._unread)
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._unread)
        super().connection_lost(exc)  # type: ignore[misc]


class Connection(Unread, HttpToolsProtocol):
    """A connection for requests, and for the WebSocket that one of them may ask for."""

    most_of_one: ClassVar[int | None] = 500
    """How many one address may have at once, WebSockets aside."""
    _open: ClassVar[Counter[str]] = Counter()
    _address = ""
    _deadline: asyncio.TimerHandle | None = None
    _taken = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._open[self._address] += 1
        if self.most_of_one is not None and self._open[self._address] > self.most_of_one:
            transport.abort()
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._begin()
        if self._deadline is not None and self._taken > LARGEST_HEADERS:
            self.transport.abort()
            return
        self._taken += len(data)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        _cancel(self._deadline)
        self._deadline = None
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        super().handle_websocket_upgrade()

    def _begin(self) -> None:
        self._taken = 0
        self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _leave(self) -> None:
        _cancel(self._deadline)
        self._open[self._address] -= 1
        if self._open[self._address] <= 0:
            del self._open[self._address]


class AnyNumber(Connection):
    """One of as many as clients like, as where all of them come through a proxy."""

    most_of_one = None


class Socket(Unread, WebSocketsSansIOProtocol):  # type: ignore[misc]
    """A connection for a WebSocket."""


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """Return whether a record of uvicorn's tells of more than clients' faults and its own end."""
    return not str(record.msg).startswith((*FAULTS_OF_CLIENTS, "Cancel %s running task"))


class Server(uvicorn.Server):
    """A server for an application.

    Args:
        application: what it serves.
        proxy: the address of a proxy that is believed in what it says of its clients.
        is_bounded: whether one address may have a bounded number of connections only.
        ready: is called when requests are answered.
    """

    def __init__(
        self,
        application: ASGIApp,
        *,
        proxy: str | None = None,
        is_bounded: bool = True,
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        config = uvicorn.Config(
            application,
            http=Connection if is_bounded and proxy is None else AnyNumber,
            ws=Socket,
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            proxy_headers=proxy is not None,
            forwarded_allow_ips=proxy,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=FAREWELL_SECONDS,
        )
        super().__init__(config)
        self._ready = ready
        self.ended_by: int | None = None
        """The signal that ended it."""
        logging.getLogger("uvicorn.error").addFilter(_is_worth_telling)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """End because of a signal; at the second Ctrl-C without farewell."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
        self.ended_by = sig
