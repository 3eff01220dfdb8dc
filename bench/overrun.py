"""Measure how late the engine moves under `go movetime`, on the machine as it is and on a busy one.

    python bench/overrun.py                        10, 100 and 1,000 ms a move
    python bench/overrun.py --busy 2               the same beside two processes that never rest
    python bench/overrun.py --game mnk:20,20,5     on a board whose nodes take longer

    go movetime N ──► the engine, a process ──► bestmove        late: the time between, less N

The time runs from the line sent to the line read, as a manager measures it. A negative figure is a
move before its time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path

NOUGHTS = Path(sys.executable).with_name("noughts")

TIMES = {10: 400, 100: 200, 1000: 40}
"""Milliseconds of a move, and how many moves are measured."""
PLIES = 24
"""Moves are asked for in the positions of the first plies of a game, in turns."""
SHARE = 0.99


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of the values do not exceed.

    >>> percentile([3.0, 1.0, 2.0], 0.5), percentile([3.0, 1.0, 2.0], 0.99)
    (2.0, 3.0)
    """
    return sorted(values)[ceil(share * len(values)) - 1]


def spin() -> None:
    while True:
        pass


class Talk:
    """A conversation with an engine."""

    def __init__(self, command: Sequence[str], game: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.ask("uci", "uciok")
        self.ask(f"setoption name UCI_Variant value {game}\nucinewgame\nisready", "readyok")

    def ask(self, lines: str, answer: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{lines}\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.split()[:1] == [answer]:
                return line.strip()
        raise RuntimeError(f"the engine ended before {answer!r}")

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def lateness(talk: Talk, milliseconds: int, count: int) -> Iterator[float]:
    """Yield how late each move comes, in milliseconds."""
    moves: list[str] = []
    for _ in range(count):
        if len(moves) == PLIES:
            moves = []
        talk.ask(f"position startpos moves {' '.join(moves)}\nisready", "readyok")
        began = time.perf_counter()
        line = talk.ask(f"go movetime {milliseconds}", "bestmove")
        yield 1000 * (time.perf_counter() - began) - milliseconds
        moves.append(line.split()[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="ultimate")
    parser.add_argument("--busy", type=int, default=0, help="processes that never rest")
    parser.add_argument("--command", default=f"{NOUGHTS} engine", help="of the engine")
    parser.add_argument("--part", type=float, default=1.0, help="of the moves")
    options = parser.parse_args()
    others = [multiprocessing.Process(target=spin, daemon=True) for _ in range(options.busy)]
    for other in others:
        other.start()
    load = os.getloadavg()[0]
    print(
        f"{options.game}, {options.busy} busy processes, {os.cpu_count()} cores, load {load:.1f}\n"
    )
    print("| ms a move | moves | earliest | median | p99 | latest |")
    print("|--:|--:|--:|--:|--:|--:|")
    talk = Talk(shlex.split(options.command), options.game)
    for milliseconds, count in TIMES.items():
        late = list(lateness(talk, milliseconds, max(1, int(options.part * count))))
        figures = (min(late), percentile(late, 0.5), percentile(late, SHARE), max(late))
        print(
            f"| {milliseconds:,} | {len(late)} | " + " | ".join(f"{x:+.1f}" for x in figures) + " |"
        )
    talk.close()
    for other in others:
        other.terminate()
        other.join()
    return 0


if __name__ == "__main__":
    sys.exit(main())
