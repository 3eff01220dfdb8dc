"""The server, on uvicorn, with time limits for slow clients and a fast shutdown.

    accepted ──► headers, bounded in time and size ──► request ──► response, read in time
                                       └──► WebSocket ──► messages, read in time

A client is disconnected if it sends no request, sends its headers too slowly, or does not read its
response. Until then a bounded amount of unread data waits in the connection.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any, ClassVar

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from noughts.web.security import LARGEST_MESSAGE
from noughts.web.settings import DEFAULT, Settings

LARGEST_HEADERS = 64 * 1024
"""Largest headers of a request in bytes, without the last packet."""
FAULTS_OF_CLIENTS = (
    *("Invalid HTTP request", "Invalid UTF-8 sequence", "Unsupported upgrade"),
    "ASGI callable returned without completing handshake",  # The client disconnected before it.
)
"""Log messages of uvicorn about invalid requests, which are not worth logging."""
SLOW = 1008
"""Close code for a client that does not read, the policy violation of RFC 6455."""
FAREWELL_SECONDS = 1
"""Seconds for open requests to end at shutdown."""


class ReadTimeout:
    """A protocol that disconnects a client that does not read."""

    settings: ClassVar[Settings] = DEFAULT
    _unread: asyncio.TimerHandle | None = None
    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)  # type: ignore[misc]
        connection = transport.get_extra_info("socket")
        if connection is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            # Covers data left at the close of a connection, when no timer of the server runs.
            milliseconds = int(2 * self.settings.unread_seconds * 1000)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        later = asyncio.get_running_loop().call_later
        self._unread = later(self.settings.unread_seconds, self._drop)

    def _drop(self) -> None:
        self.transport.abort()

    def resume_writing(self) -> None:
        _cancel(self._unread)
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._unread)
        super().connection_lost(exc)  # type: ignore[misc]


class Connection(ReadTimeout, HttpToolsProtocol):
    """An HTTP connection, which may upgrade to a WebSocket."""

    _open: ClassVar[Counter[str]] = Counter()
    _address = ""
    _deadline: asyncio.TimerHandle | None = None
    _taken = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._cycles: list[RequestResponseCycle] = []
        self._address = self.client[0] if self.client else ""
        self._open[self._address] += 1
        most = self.settings.connections_of_one
        if most is not None and self._open[self._address] > most:
            transport.abort()
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)
        # uvicorn tells this only to the last of several requests that were sent at once.
        for cycle in self._cycles:
            cycle.disconnected = True
            cycle.message_event.set()

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
        cycles = [*self._cycles, self.cycle]
        self._cycles = [each for each in cycles if each and not each.response_complete]

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        super().handle_websocket_upgrade()

    def _begin(self) -> None:
        self._taken = 0
        self._deadline = self.loop.call_later(self.settings.header_seconds, self.transport.abort)

    def _leave(self) -> None:
        _cancel(self._deadline)
        self._open[self._address] -= 1
        if self._open[self._address] <= 0:
            del self._open[self._address]


class Socket(ReadTimeout, WebSocketsSansIOProtocol):  # type: ignore[misc]
    """A WebSocket connection. It is closed with a reason if the client does not read."""

    def _drop(self) -> None:
        """Send a reason after the unread data, and wait for the client as long once more."""
        seconds = self.settings.unread_seconds
        self.conn.fail(SLOW, f"You left data unread for {seconds:g} s. Connect again.")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        self.loop.call_later(seconds, self.transport.abort)

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.transport.is_closing():
            # An application that only sends would never let the loop tell that the client left.
            await asyncio.sleep(0)
        # Otherwise uvicorn reports a refused connection, which it has logged, as an error.
        self.handshake_complete = self.handshake_complete or self.close_sent


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Return whether a log record is about more than a client's error or the shutdown."""
    is_cancelled = record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError)
    known = str(record.msg).startswith((*FAULTS_OF_CLIENTS, "Cancel %s running task"))
    return not (known or is_cancelled)


class Server(uvicorn.Server):
    """A server for an application.

    Args:
        application: the ASGI application.
        proxy: address of a trusted proxy, whose headers name the clients; its connections are
            not bounded in number.
        settings: the time limits, and the number of connections.
        ready: called when the server accepts requests.
    """

    def __init__(
        self,
        application: ASGIApp,
        *,
        proxy: str | None = None,
        settings: Settings = DEFAULT,
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        if proxy is not None:
            settings = replace(settings, connections_of_one=None)
        config = uvicorn.Config(
            application,
            http=type("Connection", (Connection,), {"settings": settings}),
            ws=type("Socket", (Socket,), {"settings": settings}),
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            ws_ping_interval=settings.ping_seconds,
            ws_ping_timeout=settings.pong_seconds,
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
        """The signal that ended the server."""
        logging.getLogger("uvicorn.error").addFilter(_is_worth_logging)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Shut down on a signal; on a second Ctrl-C without waiting for requests."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
        self.ended_by = sig
