"""A process beside the window, which can be ended at any moment.

    window ──send()──► pipe ──► serve(inbox, outbox) in another Python process
           ◄──poll()── pipe ◄──── answers, whenever they come

The process ends with the window, however that ends: it reads the end of its pipe.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

GENTLE = 5
"""The `nice` value of the processes, relative to that of the window."""

START = (
    "import importlib, sys; module, function, pipe, *words = sys.argv[1:];"
    "from noughts.window.worker import serve;"
    "serve(int(pipe), getattr(importlib.import_module(module), function), words)"
)


class Worker:
    """A process that runs a function of a module, and is started again after it was ended.

    Args:
        serve: the function: `serve(inbox, outbox, *words)` reads messages and answers.
        words: further arguments of the function.
    """

    def __init__(self, serve: Callable[..., None], *words: str) -> None:
        self._command = (sys.executable, "-P", "-c", START, serve.__module__, serve.__name__)
        self._words = words
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None

    def start(self) -> Connection:
        """Start the process if it does not run yet, and return the window's end of its pipe."""
        if self._pipe is None:
            self._pipe, far = Pipe()
            with far:
                self._process = subprocess.Popen(
                    (*self._command, str(far.fileno()), *self._words),
                    pass_fds=(far.fileno(),),
                    stdin=subprocess.DEVNULL,
                    stdout=2,
                    start_new_session=True,
                )
        return self._pipe

    @property
    def pid(self) -> int | None:
        """The number of the process while it runs."""
        return None if self._process is None else self._process.pid

    def send(self, message: object) -> None:
        """Send a message; one to a process that has died is lost, and `poll` raises an error."""
        try:
            self.start().send(message)
        except BrokenPipeError:
            return

    def poll(self) -> list[Any]:
        """Return the messages that have arrived.

        Raises:
            EOFError: the process has ended by itself; the next `send` starts another.
        """
        found: list[Any] = []
        while self._pipe is not None and self._pipe.poll():
            try:
                found.append(self._pipe.recv())
            except (EOFError, ConnectionResetError):
                if found:
                    break
                self.end()
                raise EOFError from None
        return found

    def end(self) -> None:
        """End the process at once, whatever it does; the next `send` starts another."""
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.wait()
            self._pipe.close()
        self._process = self._pipe = None


def serve(pipe: int, run: Callable[..., None], words: list[str]) -> None:
    """Run a function on a pipe, in a `Worker`'s process."""
    os.nice(GENTLE)
    connection = Connection(pipe)
    run(Inbox(connection), connection, *words)


class Inbox:
    """The messages to a process. A thread reads them; it starts when the first is requested.

    Args:
        connection: where they come from; at its end the process ends.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._messages: SimpleQueue[Any] = SimpleQueue()
        self.urgent: Callable[[Any], bool] = lambda _: False
        """Called with each message as it comes; returns whether the message needs nothing more."""

    def _read(self) -> None:
        try:
            while True:
                message = self._connection.recv()
                if not self.urgent(message):
                    self._messages.put(message)
        except (EOFError, OSError):
            os._exit(0)

    def __iter__(self) -> Iterator[Any]:
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            yield self._messages.get()
