"""Requests to a server with the OpenAI-compatible chat interface.

    messages ──POST …/chat/completions──► answer, tokens
               429: waits as the server asks · 5xx: tries again · time, tokens, connection: a Fault

The interface: https://platform.openai.com/docs/api-reference/chat. The key comes from the
environment; it is in the header of a request, and in nothing that is written.
"""

from __future__ import annotations

import http.client
import io
import json
import os
import re
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from noughts.arena.bot import Fault, Verdict
from noughts.arena.chat.prompt import Message
from noughts.arena.process import printable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

KEY = "NOUGHTS_CHAT_KEY"
"""The variable of the environment with the key of the server."""
PATH = "/chat/completions"
LARGEST_REPLY = 4 << 20
"""Most bytes of a reply; more is a flood."""
SERVER_TRIES = 4
"""How often a request is sent to a server that fails with a status of 5xx."""
FIRST_WAIT = 0.5
"""Least seconds before another try; after an error of the server twice as many each time."""
DEFAULT_WAIT = 2.0
"""Seconds to wait after 429 without `Retry-After`."""
MOST_TOKENS = 10**12
"""Most tokens of an answer that can be true."""
CHUNK = 1 << 16

Clock = Callable[[], float]
Sleep = Callable[[float], None]


class Completion(NamedTuple):
    """The answer of a model."""

    text: str
    sent: int
    """Tokens of the messages, as the server counts them; 0 if it does not."""
    received: int
    """Tokens of the answer, thoughts included."""
    is_cut: bool
    """Whether the limit of tokens ended it."""


class _Reply(NamedTuple):
    status: int
    retry_after: str | None
    body: bytes


def key_of_environment() -> str:
    """Return the key, or an empty text."""
    return os.environ.get(KEY, "").strip()


class Endpoint:
    """A model on a server.

    Args:
        model: its name there.
        url: the base of the interface, such as `http://localhost:11434/v1`, or the whole address.
        tokens: most tokens of an answer.
        clock: returns seconds.
        sleep: waits for seconds.
    """

    def __init__(
        self,
        model: str,
        url: str,
        tokens: int,
        *,
        clock: Clock = time.monotonic,
        sleep: Sleep = time.sleep,
    ) -> None:
        self._model, self._tokens = model, tokens
        parts = urlsplit(url)
        path = parts.path.rstrip("/")
        self._is_secure, self._place = parts.scheme == "https", parts.netloc
        self._path = path if path.endswith(PATH) else path + PATH
        self._clock, self._sleep = clock, sleep
        self._limit_name = "max_tokens"

    def complete(self, messages: Sequence[Message], deadline: float) -> Completion:
        """Return the answer to the messages.

        Args:
            messages: the conversation so far.
            deadline: when the answer is too late, on the clock.

        Raises:
            Fault: it is too late, the connection is lost, or the server refuses the request.
        """
        failed = 0
        while True:
            reply = self._post(messages, deadline)
            if reply.status == 200:
                return self._read(reply.body)
            said = self._shown(_message_of(reply.body)) or "no message"
            if reply.status == 400 and "max_completion_tokens" in said:
                if self._limit_name == "max_completion_tokens":
                    raise Fault(Verdict.REFUSED, f"the server answered 400: {said}")
                self._limit_name = "max_completion_tokens"
                continue
            if reply.status == 429:
                wait = max(FIRST_WAIT, _seconds_of(reply.retry_after))
                self._wait(wait, deadline, f"the server asked to wait {wait:g} s: {said}")
            elif reply.status >= 500:
                failed += 1
                if failed == SERVER_TRIES:
                    times = f"{SERVER_TRIES} times, at last {reply.status}: {said}"
                    raise Fault(Verdict.REFUSED, f"the server failed {times}")
                wait = FIRST_WAIT * 2 ** (failed - 1)
                self._wait(wait, deadline, f"the server answered {reply.status}: {said}")
            else:
                raise Fault(Verdict.REFUSED, f"the server answered {reply.status}: {said}")

    def _wait(self, seconds: float, deadline: float, why: str) -> None:
        left = deadline - self._clock()
        if seconds >= left:
            raise Fault(Verdict.TIME, f"{why}; {max(left, 0):.1f} s were left")
        self._sleep(seconds)

    def _post(self, messages: Sequence[Message], deadline: float) -> _Reply:
        """Send the request once, and return the reply, or raise as `complete`."""
        data = {"model": self._model, "messages": [*messages], self._limit_name: self._tokens}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key := key_of_environment():
            if not (key.isascii() and key.isprintable()):
                # The error of the HTTP client would show the key.
                raise Fault(Verdict.REFUSED, f"{KEY} has characters that no key has")
            headers["Authorization"] = f"Bearer {key}"
        connection = self._connection(self._left(deadline))
        connection.response_class = partial(_response, left=partial(self._left, deadline))  # type: ignore[assignment]
        try:
            connection.request("POST", self._path, json.dumps(data).encode(), headers)
            return self._reply(connection)
        except TimeoutError:
            raise Fault(Verdict.TIME, "the server did not answer in time") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = self._shown(str(error)) or type(error).__name__
            raise Fault(Verdict.DROPPED, f"{self._place}: {reason}") from None
        finally:
            connection.close()

    def _connection(self, seconds: float) -> http.client.HTTPConnection:
        if self._is_secure:
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(self._place, timeout=seconds, context=context)
        return http.client.HTTPConnection(self._place, timeout=seconds)

    def _reply(self, connection: http.client.HTTPConnection) -> _Reply:
        body = bytearray()
        with connection.getresponse() as response:
            while part := response.read1(CHUNK):
                body += part
                if len(body) > LARGEST_REPLY:
                    raise Fault(Verdict.FLOOD, f"a reply of more than {LARGEST_REPLY >> 20} MiB")
            if response.length:
                raise ConnectionError("the connection was lost within the reply")
            return _Reply(response.status, response.headers.get("Retry-After"), bytes(body))

    def _left(self, deadline: float) -> float:
        left = deadline - self._clock()
        if left <= 0:
            raise Fault(Verdict.TIME, "the server did not answer in time")
        return left

    def _read(self, body: bytes) -> Completion:
        """Return the answer in a reply.

        Raises:
            Fault: it is not a reply of the chat interface.
        """
        try:
            data = json.loads(body)
            choice = data["choices"][0]
            content = choice["message"].get("content") or ""
            text = content if isinstance(content, str) else _parts(content)
            cut = choice.get("finish_reason") == "length"
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            # A key that a cut goes through would be found no more.
            shown = self._shown(body.decode(errors="replace"))
            reason = f"the reply is not one of the chat interface: {shown}"
            raise Fault(Verdict.GARBAGE, reason) from None
        sent, received = (_tokens(data, f"{each}_tokens") for each in ("prompt", "completion"))
        return Completion(_without_key(text), sent, received, cut)

    def _shown(self, text: str) -> str:
        """Return the text of a server as it can be shown: without the key, in one line."""
        return printable(" ".join(_without_key(text).split()))


class _Timed(io.RawIOBase):
    """The bytes of a reply, within the time that is left for all of them.

    The time limit of a socket holds for each part alone.
    """

    def __init__(self, connected: socket.socket, left: Callable[[], float]) -> None:
        self._socket, self._left = connected, left
        self._raw = connected.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        self._socket.settimeout(self._left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return the file that a response reads."""
        return io.BufferedReader(self)


def _response(
    connected: socket.socket, *, left: Callable[[], float], **options: Any
) -> http.client.HTTPResponse:
    """Return the reply of a server; `left` returns the seconds that are left, or raises."""
    return http.client.HTTPResponse(_Timed(connected, left), **options)  # type: ignore[arg-type]


def _without_key(text: str) -> str:
    """Return a text without the key, also as JSON may write it: `\\/`, `\\u002b`."""
    key = key_of_environment()
    if not key:
        return text
    letters = (rf"(?:\\?{re.escape(each)}|\\u{ord(each):04x})" for each in key)
    return re.sub("".join(letters), "…", text, flags=re.IGNORECASE)


def _tokens(data: Any, name: str) -> int:
    """Return a number of tokens in a reply; 0 if the server counts none."""
    usage = data.get("usage")
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if type(found) is int and 0 <= found <= MOST_TOKENS else 0


def _parts(content: Any) -> str:
    """Return the text of an answer in parts."""
    return "".join(part["text"] for part in content if part.get("type") == "text")


def _message_of(body: bytes) -> str:
    """Return the message of an error, which servers wrap in different ways."""
    text = body.decode(errors="replace")
    try:
        data = json.loads(text)
        error = data.get("error", data)
        text = str((error.get("message") if isinstance(error, dict) else error) or text)
    except (ValueError, AttributeError, RecursionError):
        pass
    return text


def _seconds_of(retry_after: str | None) -> float:
    """Return the seconds of `Retry-After`, which is a number or a date.

    >>> _seconds_of("3"), _seconds_of("0.5"), _seconds_of(None), _seconds_of("soon")
    (3.0, 0.5, 2.0, 2.0)
    >>> _seconds_of("Wed, 21 Oct 2015 07:28:00 GMT")
    0.0
    """
    if retry_after is None:
        return DEFAULT_WAIT
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return DEFAULT_WAIT
