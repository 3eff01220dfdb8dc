"""Measure the processor time of the server for a visitor who plays against a level.

Chromium ──► games of ultimate: level 5 with the analysis on; levels 5 and 10 without it
    ├──► without the files of the visitor's engine: the server computes
    └──► with them: the visitor's browser analyses, and finds the moves of the level

A visitor moves every few seconds. The processor time is that of `noughts serve` and its processes
for each minute of the game. It is measured from some seconds after the first reply, when the
server has started its processes. The exit code is 1 if with the
analysis on more than 1/20 of the time is left.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Request, Route, sync_playwright
from served import PROGRAM, serving
from table import Line, parser, show

MOST = 1 / 20
PAUSE = 5
"""Seconds between two moves of the visitor."""


class Game(NamedTuple):
    """What a visitor does."""

    level: int
    analysis: bool

    def __str__(self) -> str:
        return f"level {self.level}{', analysis on' if self.analysis else ''}"


GAMES = (Game(5, True), Game(5, False), Game(10, False))


class Figures(NamedTuple):
    """Figures of one game."""

    per_minute: float
    """Processor time of the server for each minute, in seconds."""
    moves: int
    """Moves of the visitor."""
    answers: int
    """Replies that the visitor's browser found."""


def processor_seconds(process: int) -> float:
    """Return the processor time of a process and of its children, also of those that ended."""
    place = Path(f"/proc/{process}")
    times = (place / "stat").read_text().rpartition(")")[2].split()[11:15]
    children = [each for task in place.glob("task/*/children") for each in task.read_text().split()]
    own = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(each)) for each in children)


def measured(browser: Browser, game: Game, by_visitor: bool, seconds: float) -> Figures:
    """Play a game on a new server."""
    with serving() as (address, process):
        return played(browser, address, process, game, by_visitor, seconds)


def played(
    browser: Browser, address: str, server: int, game: Game, by_visitor: bool, seconds: float
) -> Figures:
    """Play a game on a server."""
    context = browser.new_context()
    context.add_init_script("localStorage.setItem('noughts.film', 'true')")
    asked: list[str] = []
    answers: list[str] = []

    def route(each: Route) -> None:
        asked.append(each.request.url)
        each.continue_() if by_visitor else each.abort()

    def note(request: Request) -> None:
        if request.url.endswith("/answers"):
            answers.append(request.url)

    context.route("**/static/visitor/**", route)
    page = context.new_page()
    page.on("request", note)
    page.goto(f"{address}/?game=ultimate&opponent=engine:level={game.level}")
    page.locator(".cell.may").first.click()
    page.locator(".rows .half button").nth(1).wait_for()
    if game.analysis:
        page.get_by_role("button", name="Analysis", exact=True).click()
        page.locator(".cell .chip").first.wait_for()
    page.wait_for_timeout(PAUSE * 1000)
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
    return Figures(spent / minutes, moves, len(answers))


def main() -> None:
    assert __doc__ is not None
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=60, help="length of each game")
    given = options.parse_args()
    lines, shares = [], {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        for game in GAMES:
            server, visitor = (measured(browser, game, by, given.seconds) for by in (False, True))
            shares[game] = visitor.per_minute / server.per_minute
            moves = f"{visitor.moves} moves, {visitor.answers} replies by the visitor"
            name = f"{game}: processor time of the server, {moves}"
            lines += [
                Line(name, visitor.per_minute, "s a minute", "beside", server.per_minute),
                Line(f"{game}: share that is left", shares[game], "of it", "≤", MOST)
                if game.analysis
                else Line(f"{game}: share that is left", shares[game], "of it", "beside", 1),
            ]
        browser.close()
    show({}, lines, [], as_json=given.json)
    sys.exit(any(share > MOST for game, share in shares.items() if game.analysis))


if __name__ == "__main__":
    main()
