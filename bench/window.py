"""How long the window's frames take while machines think: `python bench/window.py`.

The window is drawn 60 times a second, without a display, while an opponent thinks for some seconds
and the engine analyses the same position beside it. A frame is what happens between two waits:
taking in what was found, drawing all, showing it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

os.environ["SDL_VIDEODRIVER"] = "dummy"

from noughts import Player, game, parse_moves
from noughts.apps.window.app import FRAME, App

TARGET = 0.050
"""The most seconds that 99 of 100 frames may take."""
OPPONENTS = ("engine", "alphabeta", "mcts")


def frames(app: App, rules_id: str, opponent: str, seconds: float) -> list[float]:
    """Return the seconds that each frame took while the opponent thought about its answer."""
    start = game(rules_id)
    text = f"{opponent}:seconds={seconds:g}"
    app.play(start, {Player.X: "human", Player.O: text})
    assert app.table is not None
    if not app.table.analysing:
        app.table.analyse()
    app.draw()
    app.table.play(parse_moves(start, start.move_text(start.legal_moves()[-1]))[0])
    found = []
    while app.table.is_thinking:
        before = time.perf_counter()
        app.screen.update()
        app.draw()
        took = time.perf_counter() - before
        found.append(took)
        time.sleep(max(0.0, FRAME - took))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for which each machine thinks")
    parser.add_argument("--scale", type=float, default=1.0, help="pixels for a unit of length")
    arguments = parser.parse_args()
    app = App(theme="light", scale=arguments.scale)
    print(f"a window of {app.window.size[0]}×{app.window.size[1]}, frames in milliseconds")
    print(f"{'game':<12}{'opponent':<12}{'frames':>8}{'median':>9}{'p99':>9}{'longest':>9}")
    for rules_id in ("basic", "ultimate", "mnk:15,15,5"):
        for opponent in OPPONENTS:
            taken = frames(app, rules_id, opponent, arguments.seconds)
            if len(taken) < 50:
                continue
            p99 = statistics.quantiles(taken, n=100)[98]
            figures = (1000 * each for each in (statistics.median(taken), p99, max(taken)))
            shown = "".join(f"{each:>9.1f}" for each in figures)
            above = "" if p99 <= TARGET else f"   above {1000 * TARGET:.0f}"
            print(f"{rules_id:<12}{opponent:<12}{len(taken):>8}{shown}{above}")
    app.close()


if __name__ == "__main__":
    main()
