"""Measure core.wasm in Chromium and Firefox beside the native core: nodes or simulations a second.

    python bench/wasm.py            a minute of searches
    python bench/wasm.py --quick    a few seconds of them, without targets

`make wasm` builds core.wasm, and `make browser` installs browsers; a missing one is skipped. The
cores take turns at each search, with one thread and the wall time of the search alone, and their
medians are compared. Then Chromium searches with one and two threads in turn, as does the native
core; other programs on the machine lower the ratio of both.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, Literal

from table import Line, parser, show

import noughts

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from needs import CHROMIUM, CORE_THREADS, CORE_WASM, FIREFOX
from wasm_core import Ask, Question, in_chromium, in_firefox, native, served

ROUNDS = 3
TARGETS = {"Chromium": 0.6, "Firefox": 0.5}
SEARCHES: tuple[tuple[str, str, str, str | None, int], ...] = (
    ("alpha-beta with the net", "ultimate", "selective", "ultimate", 1_500_000),
    ("alpha-beta", "ultimate", "alphabeta", None, 4_000_000),
    ("MCTS", "ultimate", "mcts", None, 200_000),
    ("alpha-beta with the net", "advanced", "selective", "advanced", 1_500_000),
    ("alpha-beta", "connect4", "alphabeta", None, 1_500_000),
    ("the solver", "connect4:6,5", "solve", None, 3_000_000),
    ("alpha-beta", "mnk:9,9,5", "alphabeta", None, 500_000),
    ("alpha-beta", "mnk:15,15,5", "alphabeta", None, 400_000),
)
"""The search, its rules, method, net and nodes or simulations."""


def question(rules: str, method: str, net: str | None, number: int) -> Question:
    limit = "simulations" if method == "mcts" else "nodes"
    told = {
        "rules": rules,
        "options": {"tableMib": 64, "seed": 1},
        "net": net,
        "position": str(noughts.game(rules)),
        "limits": {"method": method, limit: number},
        "reported": False,
    }
    return "search", told


def lines(ask: Ask, browser: str, quick: bool) -> Iterator[Line]:
    """Yield the speed in a browser over that of the native core for each search."""
    cores: tuple[Callable[[Question], Any], ...] = (lambda each: ask([each])[0], native)
    for what, rules, method, net, number in SEARCHES:
        asked = question(rules, method, net, number // 60 if quick else number)
        took: tuple[list[float], list[float]] = ([], [])
        results = set()
        for _ in range(ROUNDS):
            for core, seconds in zip(cores, took, strict=True):
                found = core(asked)["found"]
                results.add((found["nodes"], found["move"], found["score"]))
                seconds.append(found["seconds"])
        assert len(results) == 1, results
        ours, theirs = median(took[0]), median(took[1])
        title = f"{browser}, {what}, {rules}: over native"
        relation: Literal["beside", "≥"] = "beside" if quick else "≥"
        yield Line(title, theirs / ours, "×", relation, TARGETS[browser], (ours, theirs))


THREADED = (SEARCHES[0], SEARCHES[1], SEARCHES[6])


def threads(ask: Ask, quick: bool) -> Iterator[Line]:
    """Yield nodes a second of two threads over those of one; `ask` has core-threads.wasm."""
    for what, rules, method, net, number in THREADED:
        asked = [
            question(rules, method, net, number // 10 if quick else 2 * number) for _ in range(2)
        ]
        for each, count in zip(asked, (1, 2), strict=True):
            each[1]["options"]["threads"] = count
        for name, core in (("Chromium", lambda each: ask([each])[0]), ("native", native)):
            speeds: tuple[list[float], list[float]] = ([], [])
            for _ in range(1 if quick else ROUNDS):
                for each, found in zip(asked, speeds, strict=True):
                    answer = core(each)["found"]
                    found.append(answer["nodes"] / answer["seconds"])
            one, two = median(speeds[0]), median(speeds[1])
            title = f"{name}, {what}, {rules}: two threads over one"
            yield Line(title, two / one, "×", "beside", 2, (one, two))


def main() -> None:
    options = parser(__doc__ or "").parse_args()
    found: list[Line] = []
    skipped: list[str] = []
    with ExitStack() as stack:
        address = stack.enter_context(served())
        if not CORE_WASM.exists():
            skipped.append("everything: make wasm builds core.wasm")
        if CORE_WASM.exists() and FIREFOX:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            found += lines(
                stack.enter_context(in_firefox(address, folder)), "Firefox", options.quick
            )
        elif CORE_WASM.exists():
            skipped.append("Firefox: make browser installs it")
        if CORE_WASM.exists() and CHROMIUM:
            page = stack.enter_context(in_chromium(address))
            found += lines(
                lambda asked: page.evaluate("asked => ask(asked)", list(asked)),
                "Chromium",
                options.quick,
            )
            if CORE_THREADS.exists():
                found += threads(
                    lambda asked: page.evaluate("asked => ask(asked, 2)", list(asked)),
                    options.quick,
                )
            else:
                skipped.append("threads: make wasm builds core-threads.wasm")
        elif CORE_WASM.exists():
            skipped.append("Chromium: make browser installs it")
    show({}, found, skipped, as_json=options.json)


if __name__ == "__main__":
    main()
