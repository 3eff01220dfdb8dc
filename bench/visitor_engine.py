"""Measure the processor time of the server for a visitor with the analysis on.

Chromium ──► a game of ultimate against level 5, the analysis on, a move every few seconds
    ├──► without the files of the visitor's engine: the server analyses
    └──► with them: the visitor's browser analyses

The processor time is that of `noughts serve` and its processes, from the first position with values
to the last, for each minute. The exit code is 1 if the second is more than 1/20 of the first.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, Route, sync_playwright
from served import PROGRAM, serving
from table import Line, parser, show

MOST = 1 / 20
PAUSE = 5
"""Seconds between two moves of the visitor."""


def processor_seconds(process: int) -> float:
    """Return the processor time of a process and of its children, also of those that ended."""
    place = Path(f"/proc/{process}")
    times = (place / "stat").read_text().rpartition(")")[2].split()[11:15]
    children = [each for task in place.glob("task/*/children") for each in task.read_text().split()]
    own = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(each)) for each in children)


def measured(browser: Browser, by_visitor: bool, seconds: float) -> tuple[float, int]:
    """Return the processor time for each minute of a game, and the moves of the visitor."""
    with serving() as (address, process):
        return played(browser, address, process, by_visitor, seconds)


def played(
    browser: Browser, address: str, server: int, by_visitor: bool, seconds: float
) -> tuple[float, int]:
    """Play on a server; return the same as `measured`."""
    context = browser.new_context()
    context.add_init_script("localStorage.setItem('noughts.film', 'true')")
    asked: list[str] = []

    def route(each: Route) -> None:
        asked.append(each.request.url)
        each.continue_() if by_visitor else each.abort()

    context.route("**/static/visitor/**", route)
    page = context.new_page()
    page.goto(f"{address}/?game=ultimate&opponent=engine:level=5")
    page.locator(".cell.may").first.click()
    page.get_by_role("button", name="Analysis", exact=True).click()
    page.locator(".cell .chip").first.wait_for()
    began, before, moves = time.monotonic(), processor_seconds(server), 0
    while time.monotonic() - began < seconds:
        page.wait_for_timeout(PAUSE * 1000)
        free = page.locator(".cell.may")
        if not free.count():
            break
        free.first.click()
        moves += 1
    spent, minutes = processor_seconds(server) - before, (time.monotonic() - began) / 60
    context.close()
    assert asked, "the page did not ask for the visitor's engine; build core.wasm with make wasm"
    return spent / minutes, moves


def main() -> None:
    assert __doc__ is not None
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=60, help="length of each game")
    given = options.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        rows = [measured(browser, by_visitor, given.seconds) for by_visitor in (False, True)]
        browser.close()
    (server, _), (visitor, moves) = rows
    name = f"processor time of the server, visitor analyses, {moves} moves"
    share = "that, as part of the time without the visitor's engine"
    lines = [
        Line(name, visitor, "s a minute", "beside", server),
        Line(share, visitor / server, "of it", "≤", MOST),
    ]
    show({}, lines, [], as_json=given.json)
    sys.exit(visitor / server > MOST)


if __name__ == "__main__":
    main()
