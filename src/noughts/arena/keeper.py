"""What stands between a match and the process of a bot: a program of its own.

    match ──socket──► keeper ──session, limits, exec──► bot, and what it starts
      └───────────── input, output, error stream ────────┘

    python keeper.py SOCKET MEMORY SECONDS PROGRAM ARGUMENT …

It bounds the bot's memory (bytes) and processor time (0 for no bound), tells how it began and how
it ended, and leaves nothing of it behind: when the bot has ended, or the other end of the socket is
closed, be it because the match was killed, the bot and all that it has started are ended.

Limits are to be set between fork and exec, where a process with threads may run no Python
(docs.python.org, `subprocess`, on `preexec_fn`), and a process can watch over others only while it
lives itself: hence a program, without threads, started for each bot. What bot and match say to each
other does not pass through it. It imports as little as it can, because it is started often.

Said on the socket, a line each: `started PID`, or `failed ERRNO`, and at the end `exited STATUS
SECONDS`: the exit status, or minus the number of the signal that ended it, and its processor time.
"""

import ctypes
import errno
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress

GRACE = 0.5
"""Seconds that the bot has to end by itself once it is told to, by SIGTERM."""
DESPAIR = 5.0
"""Seconds after which what cannot be ended is given up."""

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
    # Else the bot's streams would stay open after it has closed them.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    tell(control, f"failed {failure}" if failure else f"started {bot}")

    ended = None
    while ended is None:
        told, _, _ = select.select([control, wake], [], [])
        ended = reap(bot, wake)
        if control in told and ended is None:
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
    """Return the number of the bot's process, and of the error that hinders it, or 0."""
    # Closed by a successful exec, with nothing in it.
    failure, failed = os.pipe()
    bot = os.fork()
    if bot == 0:
        become(argv, memory, seconds, failed)
    os.close(failed)
    return bot, int(os.read(failure, 100) or 0)


def become(argv: list[str], memory: int, seconds: int, failed: int) -> None:
    """Turn into the bot; what hinders that is written to `failed`."""
    try:
        os.setsid()
        if _ON_LINUX:
            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        # Python ignores these, and a program started by it would, too.
        for each in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(each, signal.SIG_DFL)
        limit(resource.RLIMIT_CORE, 0)
        if memory:
            limit(resource.RLIMIT_AS, memory)
        if seconds:
            # The first is SIGXCPU, which a program may ignore; the second kills.
            limit(resource.RLIMIT_CPU, seconds, seconds + 1)
        os.execvp(argv[0], argv)
    except OSError as error:
        os.write(failed, str(error.errno).encode())
    except MemoryError:
        os.write(failed, str(errno.ENOMEM).encode())
    finally:
        os._exit(127)


def limit(which: int, soft: int, hard: int | None = None) -> None:
    """Set a limit, never above what the user has."""
    _, most = resource.getrlimit(which)
    bounds = (soft, soft if hard is None else hard)
    if most != resource.RLIM_INFINITY:
        bounds = (min(bounds[0], most), min(bounds[1], most))
    resource.setrlimit(which, bounds)


def reap(bot: int, wake: int) -> tuple[int, float] | None:
    """Bury every child that has ended; return the bot's status and seconds if it is among them."""
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
    """Return the children of this process, those that it has adopted among them.

    Elsewhere than on Linux these are not known, and another process adopts them.
    """
    found = []
    if _ON_LINUX:
        me = str(os.getpid())
        for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib is slow to import
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                        # PID (NAME) STATE PARENT …, and the name may hold anything.
                        parent = file.read().rpartition(b")")[2].split()[1].decode()
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if parent == me:
                    found.append(int(name))
    return found


def send(kill: Callable[[int, int], None], target: int, which: int) -> None:
    # Nobody is left; in macOS's words that is, for a group, that it is not allowed.
    with suppress(ProcessLookupError, PermissionError):
        kill(target, which)


def tell(control: int, line: str) -> None:
    with suppress(BrokenPipeError):  # the match is gone
        os.write(control, f"{line}\n".encode())


if __name__ == "__main__":
    main()
