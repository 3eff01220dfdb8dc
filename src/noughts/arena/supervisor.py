"""Supervisor process between a match and a bot.

    match ──socket──► supervisor ──session, limits, exec──► bot and its processes
      └───────────── input, output, error stream ────────┘

    python supervisor.py SOCKET MEMORY SECONDS PROGRAM ARGUMENT …

It limits the bot's memory (bytes) and processor time (0 for no limit) and reports how the bot
started and ended. When the bot has ended, or the socket is closed (also because the match was
killed), it ends the bot and every process that the bot has started.

Limits must be set between fork and exec, where a process with threads may not run Python
(docs.python.org, `subprocess`, on `preexec_fn`), and the supervisor must outlive a killed match: so
it is a separate program without threads, one for each bot. The lines between bot and match do not
pass through it. It imports little, because it is started often.

Lines on the socket: `started PID` or `failed ERRNO`, `runs` for each byte from the match while the
bot runs, and at the end `exited STATUS SECONDS`: the exit status, or minus the signal number, and
the processor time.
"""

import ctypes
import errno
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress

GRACE = 0.5
"""Seconds between SIGTERM and SIGKILL."""
DESPAIR = 5.0
"""Seconds after which the supervisor gives up on processes that do not end."""

_ON_LINUX = sys.platform == "linux"
_DIE_WITH_PARENT, _ADOPT_ORPHANS = 1, 36  # prctl(2): PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER


def main() -> None:
    control, memory, seconds = map(int, sys.argv[1:4])
    os.set_inheritable(control, False)
    if _ON_LINUX:
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    bot, failure = start(sys.argv[4:], memory, seconds)
    # Otherwise the bot's streams would stay open after it has closed them.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    tell(control, f"failed {failure}" if failure else f"started {bot}")

    ended = None
    while ended is None:
        told, _, _ = select.select([control, wake], [], [])
        ended = reap(bot, wake)
        if control in told and ended is None:
            with suppress(ConnectionResetError):
                if os.read(control, 1):
                    tell(control, "runs")
                    continue
            send(os.killpg, bot, signal.SIGTERM)
            until = time.monotonic() + GRACE
            while ended is None and (left := until - time.monotonic()) > 0:
                select.select([wake], [], [], left)
                ended = reap(bot, wake)
            break
    send(os.killpg, bot, signal.SIGKILL)
    until = time.monotonic() + DESPAIR
    while time.monotonic() < until:
        ended = reap(bot, wake) or ended
        orphans = children()
        if not orphans:
            break
        for orphan in orphans:
            send(os.kill, orphan, signal.SIGKILL)
        select.select([wake], [], [], 0.1)
    status, used = ended or (-signal.SIGKILL, 0.0)
    tell(control, f"exited {status} {used:.3f}")


def start(argv: list[str], memory: int, seconds: int) -> tuple[int, int]:
    """Start the bot; return its process id, and the error number or 0."""
    # A successful exec closes this pipe with nothing in it.
    failure, failed = os.pipe()
    bot = os.fork()
    if bot == 0:
        become(argv, memory, seconds, failed)
    os.close(failed)
    return bot, int(os.read(failure, 100) or 0)


def become(argv: list[str], memory: int, seconds: int, failed: int) -> None:
    """Replace this process by the bot; write the error number to `failed` on failure."""
    import resource  # Python in a browser has none, but imports this module.

    try:
        os.setsid()
        if _ON_LINUX:
            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        # Python ignores these signals, and a child would inherit that.
        for each in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(each, signal.SIG_DFL)
        limit(resource.RLIMIT_CORE, 0)
        if memory:
            limit(resource.RLIMIT_AS, memory)
        if seconds:
            # The first limit sends SIGXCPU, which a program may ignore; the second kills.
            limit(resource.RLIMIT_CPU, seconds, seconds + 1)
        os.execvp(argv[0], argv)
    except OSError as error:
        os.write(failed, str(error.errno).encode())
    except MemoryError:
        os.write(failed, str(errno.ENOMEM).encode())
    finally:
        os._exit(127)


def limit(which: int, soft: int, hard: int | None = None) -> None:
    """Set a limit, never above the user's own."""
    import resource

    _, most = resource.getrlimit(which)
    bounds = (soft, soft if hard is None else hard)
    if most != resource.RLIM_INFINITY:
        bounds = (min(bounds[0], most), min(bounds[1], most))
    resource.setrlimit(which, bounds)


def reap(bot: int, wake: int) -> tuple[int, float] | None:
    """Reap every child that has ended; return the bot's status and seconds if it has ended."""
    with suppress(BlockingIOError):
        while os.read(wake, 1000):
            pass
    ended = None
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        if pid == bot:
            ended = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def children() -> list[int]:
    """Return the children of this process, including adopted ones.

    Only Linux lists them; elsewhere another process adopts orphans.
    """
    found = []
    if _ON_LINUX:
        me = str(os.getpid())
        for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib is slow to import
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                        # PID (NAME) STATE PARENT …, where NAME may contain spaces and brackets.
                        parent = file.read().rpartition(b")")[2].split()[1].decode()
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if parent == me:
                    found.append(int(name))
    return found


def send(kill: Callable[[int, int], None], target: int, which: int) -> None:
    # No process is left; macOS reports that as "not permitted" for a group.
    with suppress(ProcessLookupError, PermissionError):
        kill(target, which)


def tell(control: int, line: str) -> None:
    with suppress(BrokenPipeError):  # the match has ended
        os.write(control, f"{line}\n".encode())


if __name__ == "__main__":
    main()
