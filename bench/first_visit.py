"""Measure first visits on a slow connection: 50 kB/s, and 800 ms until a reply begins.

    Chromium, cold cache ──emulated network──► a process with noughts serve
        └──► seconds from the request of the page to its board, and to a move that the server has

Each visit has a new browser context. A visitor clicks as soon as a cell can be clicked. After
the home page has drawn its cards, one more click opens a game. The exit code is 1 if a target is
missed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from table import Line, parser, show

BYTES_PER_SECOND, LATENCY = 50_000, 800
DRAWN, ACCEPTED = 3.0, 5.0
PROGRAM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
NETWORK = {
    "offline": False,
    "latency": LATENCY,
    "downloadThroughput": BYTES_PER_SECOND,
    "uploadThroughput": BYTES_PER_SECOND,
}
POSITION = "ultimate~9.9.9.9.X8.9.9.9.9~O~1"
BOARD = ".stage svg.board path"
Visit = Callable[[str, BrowserContext], tuple[float, ...]]


@contextmanager
def serving() -> Iterator[str]:
    """Run `noughts serve` on a free port; yield its address."""
    program = Path(sys.executable).with_name("noughts")
    with tempfile.TemporaryDirectory() as folder:
        command = (program, "serve", "--port", "0", "--database", f"{folder}/games.db")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = re.search(r"http://\S+:\d+", server.stdout.readline())
            assert found, "noughts serve did not start"
            try:
                yield found[0]
            finally:
                server.terminate()


def invitation(address: str) -> str:
    """Open a game with a free seat; return the path of its invite link."""
    body = {"start": "ultimate", "moves": "51", "x": "me", "o": "guest"}
    request = urllib.request.Request(
        f"{address}/api/v1/games", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        game = json.load(answer)
    return f"/game/{game['id']}#join={game['keys']['join']}"


def slow(context: BrowserContext) -> Page:
    """Return a new tab behind the slow connection, with an empty cache."""
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": False})
    network.send("Network.clearBrowserCache")
    network.send("Network.emulateNetworkConditions", NETWORK)
    return page


def seen(page: Page, selector: str, started: float) -> float:
    """Wait until the page is painted and has an element; return the seconds since the start."""
    painted = 'performance.getEntriesByName("first-contentful-paint").length'
    page.wait_for_function(
        f"selector => document.querySelector(selector) && {painted}", arg=selector
    )
    return time.perf_counter() - started


def played(page: Page, started: float) -> tuple[float, float]:
    """Wait for the board and play a move; return when it was drawn and when the server had it."""
    drawn = seen(page, BOARD, started)
    cell = page.wait_for_selector(".cell.may")
    assert cell is not None
    with page.expect_response(lambda reply: reply.request.method == "POST" and reply.ok):
        cell.click()
    return drawn, time.perf_counter() - started


def game_link(address: str, context: BrowserContext) -> tuple[float, ...]:
    path = invitation(address)
    page = slow(context)
    started = time.perf_counter()
    page.goto(address + path, wait_until="commit")
    return played(page, started)


def own_game(address: str, context: BrowserContext) -> tuple[float, ...]:
    """Come back to a game with a cookie, but without cached files."""
    first = context.new_page()
    first.goto(f"{address}/?game=ultimate&opponent=me")
    first.click(".cell.may")
    first.wait_for_url("**/game/*")
    url = first.url
    first.close()
    page = slow(context)
    started = time.perf_counter()
    page.goto(url, wait_until="commit")
    return played(page, started)


def position_link(address: str, context: BrowserContext) -> tuple[float, ...]:
    page = slow(context)
    started = time.perf_counter()
    page.goto(f"{address}/position/{POSITION}", wait_until="commit")
    return played(page, started)


def home(address: str, context: BrowserContext) -> tuple[float, ...]:
    """Open the home page, then play on the board of a card; the second time is from its click."""
    page = slow(context)
    started = time.perf_counter()
    page.goto(f"{address}/", wait_until="commit")
    cards = seen(page, ".home-game svg", started)
    clicked = time.perf_counter()
    page.click("[data-game=ultimate] .home-play")
    return cards, *played(page, clicked)


SCENES: dict[str, tuple[Visit, tuple[str, ...]]] = {
    "invite link": (game_link, ("board", "move")),
    "own game": (own_game, ("board", "move")),
    "position link": (position_link, ("board", "move")),
    "home page": (home, ("cards", "board after a click", "move after a click")),
}


def measure(browser: Browser, address: str, rounds: int) -> list[Line]:
    lines = []
    for scene, (visit, names) in SCENES.items():
        times = []
        for _ in range(rounds):
            context = browser.new_context()
            context.add_init_script("localStorage.setItem('noughts.film', 'true')")
            times.append(visit(address, context))
            context.close()
        for name, each in zip(names, zip(*times, strict=True), strict=True):
            target = ACCEPTED if name.startswith("move") else DRAWN
            lines.append(Line(f"{scene}: {name}", median(each), "s", "≤", target))
    return lines


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--rounds", type=int, default=3, help="visits of each kind")
    wanted = options.parse_args()
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        lines = measure(browser, address, 1 if wanted.quick else wanted.rounds)
        browser.close()
    show({}, lines, [], as_json=wanted.json)
    sys.exit(any(line.met is False for line in lines))


if __name__ == "__main__":
    main()
