"""Measure the window's frames while machines think: `python bench/window.py`.

The window is drawn 60 times a second, without a display, during an opponent's search and an
analysis of the same position. A frame takes in new results, draws everything and shows it. Beside
the wall time is the CPU time of the window's thread, which other programs hardly change.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

os.environ["SDL_VIDEODRIVER"] = "dummy"

from noughts import Player, game, parse_moves
from noughts.window.app import FRAME, App

TARGET = 0.050
"""The limit for 99 of 100 frames, in seconds."""
OPPONENTS = ("engine", "alphabeta", "mcts")


def frames(
    app: App, rules_id: str, opponent: str, seconds: float
) -> tuple[list[float], list[float]]:
    """Return the wall seconds and the CPU seconds of each frame during a search."""
    start = game(rules_id)
    text = f"{opponent}:seconds={seconds:g}"
    app.play(start, {Player.X: "human", Player.O: text})
    assert app.game is not None
    if not app.game.analysing:
        app.game.analyse()
    app.draw()
    app.game.play(parse_moves(start, start.move_text(start.legal_moves()[-1]))[0])
    clock, work = [], []
    while app.game.is_thinking:
        before = time.perf_counter(), time.thread_time()
        app.screen.update()
        app.draw()
        clock.append(time.perf_counter() - before[0])
        work.append(time.thread_time() - before[1])
        time.sleep(max(0.0, FRAME - clock[-1]))
    return clock, work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=3.0, help="seconds that each machine thinks"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="pixels for a unit of length")
    arguments = parser.parse_args()
    app = App(theme="light", scale=arguments.scale)
    print(f"a window of {app.window.size[0]}×{app.window.size[1]}, frames in milliseconds")
    names = ("median", "p99", "longest", "p99 work")
    print(f"{'game':<12}{'opponent':<12}{'frames':>7}" + "".join(f"{name:>10}" for name in names))
    for rules_id in ("ultimate", "mnk:15,15,5"):
        for opponent in OPPONENTS:
            clock, work = frames(app, rules_id, opponent, arguments.seconds)
            p99 = statistics.quantiles(clock, n=100)[98]
            figures = (
                *(statistics.median(clock), p99, max(clock)),
                statistics.quantiles(work, n=100)[98],
            )
            shown = "".join(f"{1000 * each:>10.1f}" for each in figures)
            above = "" if p99 <= TARGET else f"   above {1000 * TARGET:.0f}"
            print(f"{rules_id:<12}{opponent:<12}{len(clock):>7}{shown}{above}")
    app.close()


if __name__ == "__main__":
    main()
