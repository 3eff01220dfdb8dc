"""A bot for the basic game with one fault: `python faulty.py FAULT [AFTER]`.

It speaks the protocol and plays the first free cell. The fault occurs at its move number AFTER,
default 1, or at the start if it is in `AT_START`.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

moves: list[str] = []


def say(text: str) -> None:
    print(text, flush=True)


def move() -> None:
    """Play the first free cell."""
    say(f"bestmove {next(str(cell) for cell in range(1, 10) if str(cell) not in moves)}")


def crash() -> None:
    print("about to fail", file=sys.stderr)
    raise RuntimeError("no idea what to play")


def killed() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def exits() -> None:
    sys.exit(0)


def hangs() -> None:
    time.sleep(1000)


def spins() -> None:
    while True:
        pass


def hogs() -> None:
    hoard: list[bytearray] = []
    while True:
        hoard.append(bytearray(1 << 24))


def repeats() -> None:
    say(f"bestmove {moves[0] if moves else 0}")


def garbage() -> None:
    say("bestmove banana")


def none() -> None:
    say("bestmove none")


def bare() -> None:
    say("5")
    hangs()


def binary() -> None:
    sys.stdout.buffer.write(bytes(range(256)) * 20 + b"\n\xff\xfe\n")
    say("bestmove \x1b[2J\x07")


def errors() -> None:
    for _ in range(10_000):
        sys.stderr.write("x" * 1023 + "\n")
    hangs()


def infos() -> None:
    while True:
        print("info depth 1 score draw nodes 1 pv 5 " + "x" * 400)


def long() -> None:
    sys.stdout.write("x" * (3 << 20))
    sys.stdout.flush()
    hangs()


def partial() -> None:
    sys.stdout.write("bestmove 9")
    sys.stdout.flush()
    hangs()


def unended() -> None:
    sys.stdout.write("bestmove 9")
    sys.stdout.flush()


def capitals() -> None:
    say("BESTMOVE 9")


def noise() -> None:
    sys.stdout.buffer.write(b"\x00\xff\x1b[2J\n")
    sys.stdout.buffer.flush()


def late() -> None:
    next(sys.stdin)  # `stop`, which comes when its time is up
    time.sleep(0.2)
    say("bestmove 9")


def deaf() -> None:
    for line in sys.stdin:
        if line.strip() == "isready":
            say("readyok")


def obeys() -> None:
    for line in sys.stdin:
        if line.strip() == "stop":
            say("bestmove 9")


def offspring(end: Callable[[], None]) -> None:
    """Start processes that outlive the bot: one ignores SIGTERM, one has its own session."""
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(1000)"
    for own_session in (False, True):
        for _ in range(3):
            subprocess.Popen([sys.executable, "-S", "-c", stubborn], start_new_session=own_session)
    time.sleep(0.3)
    end()


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hangs()


def closes_input() -> None:
    os.close(0)
    move()
    hangs()


def closes_output() -> None:
    os.close(1)
    hangs()


AT_START = {"start-crash": crash, "start-exit": exits, "start-hang": hangs}
FAULTS = {
    "crash": crash,
    "killed": killed,
    "exit": exits,
    "hang": hangs,
    "spin": spins,
    "hog": hogs,
    "repeats": repeats,
    "garbage": garbage,
    "none": none,
    "bare": bare,
    "binary": binary,
    "errors": errors,
    "infos": infos,
    "long": long,
    "partial": partial,
    "unended": unended,
    "capitals": capitals,
    "noise": noise,
    "late": late,
    "deaf": deaf,
    "obeys": obeys,
    "offspring": lambda: offspring(hangs),
    "offspring-exit": lambda: offspring(exits),
    "stubborn": stubborn,
    "closes-input": closes_input,
    "closes-output": closes_output,
}


def main() -> None:
    fault = sys.argv[1] if len(sys.argv) > 1 else ""
    after = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if fault in AT_START and after == 1:
        AT_START[fault]()
    asked = 0
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "uci":
            say("id name faulty\noption name UCI_Variant type combo default basic var basic\nuciok")
        elif word == "isready":
            say("readyok")
        elif word == "ucinewgame":
            asked = 0
        elif word == "position":
            moves[:] = rest[rest.index("moves") + 1 :] if "moves" in rest else []
        elif word == "go":
            asked += 1
            if asked == after and fault:
                FAULTS[fault]()
            else:
                say(f"info depth 1 score estimate 0.5 nodes {asked}")
                move()
        elif word == "quit":
            return


main()
