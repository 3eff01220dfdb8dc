"""The process of a bot: send it lines, read its lines, and end it.

    send(line) ──► input   ┌─────┐ output ──────► line(seconds)
                           │ bot │ error stream ─► the log, and the last lines in messages
    close() ► supervisor ──┴─────┴ exit ─────────► Fault: crash, early exit, flood

There are no threads: every call that sends or waits also reads the bot's streams, so that no bot
blocks the caller for longer than the time given. The supervisor
(`supervisor.py`) is a separate process that limits the bot and ends all of its processes.
"""

from __future__ import annotations

import os
import re
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import IO

from noughts.arena import supervisor
from noughts.arena.bot import Bounds, Fault, Verdict

LINE_BYTES = 1 << 20
"""Longest line of output; a longer one is a flood."""
OUTPUT_BYTES = 16 << 20
"""Most output between two lines sent to the bot; more is a flood."""
ERROR_BYTES = 4 << 20
"""Most bytes on the error stream between two lines sent to the bot; more is a flood."""
UNREAD_BYTES = 1 << 20
"""Most bytes that may wait for the bot to read them; with more, the bot counts as not reading."""
LOG_BYTES = 1 << 20
"""Bytes of an error stream that go to the log in full; after that, only its end."""
LAST_BYTES = 4096
"""Bytes kept from the end of the error stream, for messages and the log."""
LAST_LINES, LAST_COLUMNS = 10, 200
"""Lines of the error stream in a message, and the longest part shown of each."""
CLOSED_SECONDS = 0.5
"""Seconds within which a process that has closed its input or output must end.

After them, the supervisor is asked whether the process still runs.
"""
POLITE_SECONDS = 1.0
"""Seconds that `close` waits for a process to exit after the end of its input."""
SUPERVISOR_SECONDS = supervisor.GRACE + supervisor.DESPAIR + 5
"""Seconds the supervisor has to end a bot before it is killed itself."""

_CHUNK = 1 << 16


class LogUnwritable(OSError):
    """The log of a bot cannot be written; the message names the file."""


class Child:
    """A process in its own session that reads and writes lines of text.

    >>> child = Child(["cat"])
    >>> child.send("hello")
    >>> child.line(10)
    'hello'
    >>> child.close()

    Args:
        argv: the program, found as a shell would find it, and its arguments; no shell is used.
        bounds: limits of memory and time.
        directory: working directory, default the current one. A relative path of the program
            always starts from the current one.
        name: name of its log file, default the program's name.
        tells_lines: whether faults name the last line that was sent to it.

    Raises:
        Fault: it does not start, or not within `start_seconds`.
        LogUnwritable: the log cannot be opened.
        OSError: the system has no resources for a process.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        bounds: Bounds = Bounds(),  # noqa: B008 - it is immutable
        directory: Path | None = None,
        name: str | None = None,
        tells_lines: bool = True,
    ) -> None:
        self._tells_lines = tells_lines
        # A relative path must not be resolved in the bot's directory.
        program = str(Path(argv[0]).absolute()) if directory and "/" in argv[0] else argv[0]
        self.argv = [program, *argv[1:]]
        self.bounds = bounds
        self.pid: int | None = None
        """The bot's process id, and that of its process group."""
        self.status: int | None = None
        """Exit status, or minus the signal number; `None` while it runs."""
        self._cpu_seconds = 0.0
        self._lines: deque[bytes] = deque()
        self._partial = bytearray()
        self._unread = bytearray()
        self._sent = ""
        self._news = bytearray()
        self._error_end = bytearray()
        self._output_bytes = self._error_bytes = 0
        self._flood: str | None = None
        self._closed: tuple[str, float] | None = None
        self._is_asked = self._still_runs = False
        self._failure: str | None = None
        self._is_at_fault = False
        self._is_kept = True
        if directory is not None and not directory.is_dir():
            raise Fault(Verdict.CRASH, f"it cannot be started in {directory}: no such folder")
        self._log = _Log(bounds.log, name or Path(argv[0]).name) if bounds.log else None
        self._start(directory)
        try:
            self._wait_for_start()
        except BaseException:
            self.close(0)
            raise

    def _start(self, directory: Path | None) -> None:
        self._control, theirs = socket.socketpair()
        bounds = ((self.bounds.memory_mib or 0) << 20, self.bounds.cpu_seconds or 0)
        argv = [sys.executable, "-I", "-S", supervisor.__file__, str(theirs.fileno())]
        try:
            self._supervisor = subprocess.Popen(
                [*argv, *(str(bound) for bound in bounds), *self.argv],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=directory,
                start_new_session=True,
                pass_fds=[theirs.fileno()],
            )
        except BaseException:
            self._control.close()
            if self._log is not None:
                self._log.end(b"")
            raise
        finally:
            theirs.close()
        streams = (self._supervisor.stdin, self._supervisor.stdout, self._supervisor.stderr)
        self._input, self._output, self._errors = (stream for stream in streams if stream)
        self._selector = selectors.DefaultSelector()
        for stream, take in (
            (self._output, self._take_output),
            (self._errors, self._take_errors),
            (self._control, self._take_news),
        ):
            self._selector.register(stream, selectors.EVENT_READ, take)
        for each in (*streams, self._control):
            assert each is not None
            os.set_blocking(each.fileno(), False)

    def _wait_for_start(self) -> None:
        seconds = self.bounds.start_seconds
        until = time.monotonic() + seconds
        while self.pid is None:
            if self._failure is not None:
                raise self.fault(Verdict.CRASH, f"it cannot be started: {self._failure}")
            if (left := until - time.monotonic()) <= 0:
                raise self.fault(
                    Verdict.SLOW_START, f"its process did not start within {seconds:g} s"
                )
            self._pump(left)
        if self._log is not None:
            self._log.begin(self.pid, self.argv)

    def send(self, *lines: str) -> None:
        """Send lines; those that the process has not read yet are buffered here.

        Raises:
            Fault: it has ended without another line, does not read, or has written too much.
        """
        self._pump(0)
        if not self._lines:
            self._check()
        self._output_bytes = self._error_bytes = 0
        self._sent = lines[-1]
        self._unread += "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")
        self._give_input()

    def line(self, seconds: float) -> str | None:
        """Return the next line of its output, without the newline; `None` if none comes in time.

        An unfinished line counts once the process has closed its output. Invalid UTF-8 is
        replaced.

        Raises:
            Fault: it has ended without another line, does not read, or writes too much.
            LogUnwritable: its log cannot be written.
        """
        until = time.monotonic() + seconds
        while not self._lines:
            self._check_log()
            self._check()
            left = max(0.0, until - time.monotonic())
            if not self._pump(left if self._closed is None else min(left, CLOSED_SECONDS)) and (
                time.monotonic() >= until
            ):
                return None
        return self._lines.popleft().removesuffix(b"\r").decode(errors="replace")

    def wait_for(self, other: socket.socket, seconds: float) -> bool:
        """Wait until `other`, the bot's connection, can be read; return whether it can.

        Output of the process is dropped meanwhile.

        Raises:
            Fault: it has ended, or writes too much.
            LogUnwritable: its log cannot be written.
        """
        self._output_bytes = self._error_bytes = 0
        self._lines.clear()
        until = time.monotonic() + seconds
        self._selector.register(other, selectors.EVENT_READ, lambda: None)
        try:
            while True:
                left = max(0.0, until - time.monotonic())
                ready = self._selector.select(left)
                if any(key.fileobj is other for key, _ in ready):
                    return True
                self._take(ready)
                self._check_log()
                self._check()
                if not ready and time.monotonic() >= until:
                    return False
        finally:
            self._selector.unregister(other)

    @property
    def partial(self) -> str:
        """Its unfinished line of output."""
        return self._partial.decode(errors="replace")

    def fault(self, verdict: Verdict, message: str) -> Fault:
        """Return a fault whose message shows the end of the process's error stream.

        After this, `close` does not wait for the process to exit.
        """
        self._pump(0)
        self._is_at_fault = True
        lines = map(printable, self._error_end.decode(errors="replace").splitlines())
        last = [line for line in lines if line.strip()][-LAST_LINES:]
        if last:
            message += f"; its last words: {last[-1].strip()}"
        if len(last) > 1:
            message = "\n  ".join([message, *last])
        return Fault(verdict, message)

    def close(self, seconds: float = POLITE_SECONDS) -> None:
        """End the process and all processes that it has started; raise nothing.

        Close its input, give it `seconds` to exit unless it is at fault, then send SIGTERM, and
        soon after SIGKILL.
        """
        if self._input.closed:
            return
        if self._is_open(self._input):
            self._selector.unregister(self._input)
        self._input.close()
        until = time.monotonic() + (0 if self._is_at_fault or self._flood else seconds)
        while self.status is None and self._is_kept and (left := until - time.monotonic()) > 0:
            self._pump(left)
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        until = time.monotonic() + SUPERVISOR_SECONDS
        while self._is_kept and (left := until - time.monotonic()) > 0:
            self._pump(left)
        if self._is_kept:
            self._supervisor.kill()
        self._supervisor.wait()
        if self.status is None and self.pid is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._selector.close()
        for each in (self._output, self._errors, self._control):
            each.close()
        if self._log is not None:
            self._log.end(bytes(self._error_end))

    def _check(self) -> None:
        """Raise the known fault, if there is one; ask the supervisor what only it knows."""
        if self._flood is not None:
            raise self.fault(Verdict.FLOOD, self._flood)
        if self.status is not None:
            verdict = Verdict.CRASH if self.status else Verdict.EXIT
            message = f"its process {self._end()}"
            if self._sent and self._tells_lines:
                message += f", after {printable(self._sent.rstrip())!r} was sent to it"
            raise self.fault(verdict, message)
        if not self._is_kept:
            raise self.fault(Verdict.CRASH, "the process that watches over it was ended")
        if len(self._unread) > UNREAD_BYTES:
            waiting = f"{len(self._unread) >> 10} KiB"
            raise self.fault(Verdict.HANG, f"it does not read its input: {waiting} wait for it")
        if self._closed is not None:
            stream, since = self._closed
            if self._still_runs:
                closed = f"it has closed its {stream}, though it still runs"
                raise self.fault(Verdict.EXIT, f"{closed}; a bot keeps both open until the end")
            if not self._is_asked and time.monotonic() - since >= CLOSED_SECONDS:
                self._is_asked = True
                with suppress(OSError):
                    self._control.send(b"?")

    def _check_log(self) -> None:
        """Raise the failure of the log, if there is one."""
        if self._log is not None and self._log.failure is not None:
            raise LogUnwritable(self._log.failure)

    def _end(self) -> str:
        """Return how the process ended, in words."""
        assert self.status is not None
        cpu_seconds = self.bounds.cpu_seconds
        if self.status >= 0:
            end = f"ended with exit status {self.status}"
        elif cpu_seconds is not None and (
            self.status == -signal.SIGXCPU
            or (self.status == -signal.SIGKILL and self._cpu_seconds >= cpu_seconds)
        ):
            return f"was killed: it has used up its {cpu_seconds} s of processor time"
        else:
            end = f"was killed by {_signal_name(-self.status)}"
        if self.status and self.bounds.memory_mib is not None:
            end += f" (its memory was bounded to {self.bounds.memory_mib} MiB)"
        return end

    def _pump(self, seconds: float) -> bool:
        """Wait for at most these seconds until a stream is ready; return whether one was."""
        if self._input.closed and not self._selector.get_map():
            return False
        ready = self._selector.select(max(0.0, seconds))
        self._take(ready)
        return bool(ready)

    def _take(self, ready: list[tuple[selectors.SelectorKey, int]]) -> None:
        for key, _ in ready:
            # After the exit is reported, the other streams hold all that was written.
            if self._is_open(key.fileobj):
                key.data()

    def _is_open(self, stream: object) -> bool:
        return stream in self._selector.get_map()

    def _read(self, stream: IO[bytes] | socket.socket) -> bytes | None:
        """Return the available bytes; empty bytes mean end of stream, which is then closed."""
        try:
            chunk = os.read(stream.fileno(), _CHUNK)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            chunk = b""  # The supervisor ended before it read a question.
        if not chunk:
            self._selector.unregister(stream)
        return chunk

    def _take_output(self) -> bool:
        chunk = self._read(self._output)
        if chunk is None or self._flood is not None:
            return bool(chunk)
        if not chunk:
            if self._partial:
                self._lines.append(bytes(self._partial))
                self._partial.clear()
            self._close("output")
            return False
        self._output_bytes += len(chunk)
        first, *others = chunk.split(b"\n")
        self._partial += first
        for other in others:
            self._lines.append(bytes(self._partial))
            self._partial[:] = other
        if len(self._partial) > LINE_BYTES:
            self._flood = f"a line of its output is longer than {LINE_BYTES >> 20} MiB"
        elif self._output_bytes > OUTPUT_BYTES:
            self._flood = f"it wrote more than {OUTPUT_BYTES >> 20} MiB where an answer was wanted"
        return True

    def _take_errors(self) -> bool:
        chunk = self._read(self._errors)
        if not chunk:
            return False
        self._error_bytes += len(chunk)
        self._error_end += chunk
        del self._error_end[:-LAST_BYTES]
        if self._log is not None:
            self._log.add(chunk)
        if self._error_bytes > ERROR_BYTES and self._flood is None:
            self._flood = f"it wrote more than {ERROR_BYTES >> 20} MiB on its error stream at once"
        return True

    def _take_news(self) -> None:
        chunk = self._read(self._control)
        if chunk is None:
            return
        if not chunk:
            self._is_kept = False
            if self.pid is None and self._failure is None:
                self._failure = "the process that was to watch over it ended"
        self._news += chunk
        *lines, rest = self._news.split(b"\n")
        self._news[:] = rest
        for line in lines:
            word, *values = line.decode().split()
            if word == "started":
                self.pid = int(values[0])
            elif word == "failed":
                self._failure = f"{self.argv[0]}: {os.strerror(int(values[0]))}"
            elif word == "runs":
                self._still_runs = True
            elif word == "exited":
                self.status, self._cpu_seconds = int(values[0]), float(values[1])
                # All processes have ended, so their last output has arrived.
                for stream, take in (
                    (self._output, self._take_output),
                    (self._errors, self._take_errors),
                ):
                    while self._is_open(stream) and take():
                        pass

    def _give_input(self) -> None:
        try:
            while self._unread:
                del self._unread[: os.write(self._input.fileno(), self._unread)]
        except BlockingIOError:
            if not self._is_open(self._input):
                self._selector.register(self._input, selectors.EVENT_WRITE, self._give_input)
            return
        except BrokenPipeError:
            self._unread.clear()
            self._close("input")
        if self._is_open(self._input):
            self._selector.unregister(self._input)

    def _close(self, stream: str) -> None:
        self._closed = self._closed or (stream, time.monotonic())


def file_name(name: str) -> str:
    """Return the name of a bot as that of a file; other bots have other files.

    >>> file_name("level4"), file_name("a/b"), file_name("a:b")
    ('level4', 'a_b-c14cddc0', 'a_b-6783a31e')
    """
    safe = re.sub(r"[^\w.=,+-]+", "_", name).lstrip(".")[:100]
    return safe if safe and safe == name else f"{safe}-{sha256(name.encode()).hexdigest()[:8]}"


class _Log:
    """The log of the error streams of one bot's processes, in one file.

    Each line begins with the process id, as several processes may run at a time.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{file_name(name)}.log"
        self.failure: str | None = None
        """Why it could not be written."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab", buffering=0)
        except OSError as error:
            raise LogUnwritable(self._reason(error)) from error
        self._prefix = b""
        self._partial = bytearray()
        self._left = LOG_BYTES
        self._left_out = 0

    def begin(self, pid: int, argv: Sequence[str]) -> None:
        self._prefix = b"%d " % pid
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._write(f"--- started {now}: {shlex.join(argv)}\n".encode(errors="replace"))
        self.add(b"")

    def add(self, chunk: bytes) -> None:
        taken = chunk[: self._left]
        self._left -= len(taken)
        self._left_out += len(chunk) - len(taken)
        self._partial += taken
        if not self._prefix:
            return  # written before the report of the start
        whole = self._partial.rfind(b"\n") + 1
        self._write(bytes(self._partial[:whole]))
        del self._partial[:whole]

    def end(self, error_end: bytes) -> None:
        """Write the remaining lines and close the file."""
        if self._partial:
            self._write(bytes(self._partial) + b"\n")
        if self._left_out:
            self._write(b"--- %d bytes are missing; the end:\n" % self._left_out)
            self._write(error_end[-self._left_out :] + b"\n")
        self._file.close()

    def _write(self, lines: bytes) -> None:
        text = b"".join(self._prefix + line for line in lines.splitlines(keepends=True))
        if text and self.failure is None:
            try:
                self._file.write(text)
            except OSError as error:
                self.failure = self._reason(error)

    def _reason(self, error: OSError) -> str:
        return f"cannot write {self._path}: {error.strerror}"


def printable(line: str) -> str:
    """Return a line that is safe to print: short, and without control characters."""
    shown = "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in line)
    return shown if len(shown) <= LAST_COLUMNS else f"{shown[: LAST_COLUMNS - 1]}…"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
