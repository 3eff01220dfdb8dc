"""A server with the OpenAI-compatible chat interface that answers as a test wants.

script: Question ──► Say(text) · Status(429, …) · Drop() · … ──► the reply
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Say:
    """An answer of the model."""

    text: str | None
    finish: str = "stop"


@dataclass(frozen=True)
class Status:
    """An error of the server."""

    code: int
    message: str = "no"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Bytes in place of a reply of the interface."""

    body: bytes
    length: int | None = None


@dataclass(frozen=True)
class Drop:
    """A connection that ends without a reply."""


@dataclass(frozen=True)
class Endless:
    """A connection that gets the same bytes again and again."""

    part: bytes


@dataclass(frozen=True)
class Wait:
    """No reply, until the test ends."""


Script = Callable[[dict[str, Any]], Say | Status | Raw | Drop | Endless | Wait]


class ChatServer:
    """The server. `asked` has the requests, `keys` their `Authorization` headers."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.ended = threading.Event()
        chat = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                question = json.loads(body)
                assert self.path == "/v1/chat/completions"
                chat.asked.append(question)
                chat.keys.append(self.headers.get("authorization"))
                match chat.script(question):
                    case Say(text, finish):
                        self._send(200, json.dumps(_completion(text, finish)).encode(), {})
                    case Status(code, message, headers):
                        said = json.dumps({"error": {"message": message}}).encode()
                        self._send(code, said, headers)
                    case Raw(whole, length):
                        self._send(200, whole, {}, length)
                    case Drop():
                        self.close_connection = True
                    case Endless(part):
                        self.close_connection = True
                        with suppress(OSError):
                            while not chat.ended.is_set():
                                self.wfile.write(part)
                    case Wait():
                        chat.ended.wait()
                        self.close_connection = True

            def _send(
                self, code: int, body: bytes, headers: dict[str, str], length: int | None = None
            ) -> None:
                self.send_response(code)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body) if length is None else length))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _completion(text: str | None, finish: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7},
    }


def said_moves(question: dict[str, Any]) -> list[str]:
    """Return the legal moves that a question lists."""
    last = [each["content"] for each in question["messages"] if "Legal moves" in each["content"]]
    found = re.search(r"Legal moves: ([^\n]*)", last[0])
    assert found is not None
    return found[1].split()


def first_legal(question: dict[str, Any]) -> Say:
    """Answer rightly."""
    return Say(f"I play here.\nMOVE: {said_moves(question)[0]}")


@contextmanager
def chat_server(script: Script = first_legal) -> Iterator[ChatServer]:
    server = ChatServer(script)
    try:
        yield server
    finally:
        server.close()
