"""Measure first visits on a slow connection: 50 kB/s, and 800 ms until a reply begins.

    Chromium, cold cache ──emulated network──► a process with noughts serve
        └──► seconds from the request of the page to its board, and to a move that the server has
                         ──emulated network──► a static host with the folder of noughts site
        └──► seconds to the board, and to a move that the page has

The static host compresses the files, as most do; its visitors load the core, too, which decides
whether a move is legal. Each visit has a new browser context. A visitor clicks as soon as a cell
can be clicked. After the home page has drawn its cards, one more click opens a game. The exit code
is 1 if a target is missed.
"""

from __future__ import annotations

import functools
import gzip
import json
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, BrowserContext, ElementHandle, Page, sync_playwright
from served import PROGRAM, serving
from table import Line, parser, show

BYTES_PER_SECOND, LATENCY = 50_000, 800
DRAWN, ACCEPTED, ACCEPTED_HERE = 3.0, 5.0, 7.0
NETWORK = {
    "offline": False,
    "latency": LATENCY,
    "downloadThroughput": BYTES_PER_SECOND,
    "uploadThroughput": BYTES_PER_SECOND,
}
POSITION = "ultimate~9.9.9.9.X8.9.9.9.9~O~1"
BOARD = ".stage svg.board path"
Visit = Callable[[str, BrowserContext], tuple[float, ...]]
Play = Callable[[Page, float], tuple[float, float]]


class StaticHost(SimpleHTTPRequestHandler):
    """A host of static files that compresses them."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        file = Path(self.translate_path(self.path))
        content = gzip.compress((file / "index.html" if file.is_dir() else file).read_bytes())
        self.send_response(200)
        self.send_header("content-type", self.guess_type(file) if file.is_file() else "text/html")
        self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Write no log."""


@contextmanager
def hosting() -> Iterator[str]:
    """Write the folder of `noughts site`, and host it on a free port; yield its address."""
    program = Path(sys.executable).with_name("noughts")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run((program, "site", folder), stdout=subprocess.DEVNULL, check=True)
        handler = functools.partial(StaticHost, directory=folder)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
            threading.Thread(target=host.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{host.server_port}"
            host.shutdown()


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
    drawn, cell = first_cell(page, started)
    with page.expect_response(lambda reply: reply.request.method == "POST" and reply.ok):
        cell.click()
    return drawn, time.perf_counter() - started


def played_here(page: Page, started: float) -> tuple[float, float]:
    """Wait for the board and play a move; return when it was drawn and when the page had it."""
    drawn, cell = first_cell(page, started)
    cell.click()
    page.wait_for_selector(".moves .rows button")
    return drawn, time.perf_counter() - started


def first_cell(page: Page, started: float) -> tuple[float, ElementHandle]:
    """Wait for the board; return when it was drawn, and a cell that can be clicked."""
    drawn = seen(page, BOARD, started)
    cell = page.wait_for_selector(".cell.may")
    assert cell is not None
    return drawn, cell


def linked(url: str, context: BrowserContext, play: Play = played) -> tuple[float, ...]:
    """Open a link with an empty cache, and play a move."""
    page = slow(context)
    started = time.perf_counter()
    page.goto(url, wait_until="commit")
    return play(page, started)


def game_link(address: str, context: BrowserContext) -> tuple[float, ...]:
    return linked(address + invitation(address), context)


def own_game(address: str, context: BrowserContext) -> tuple[float, ...]:
    """Come back to a game with a cookie, but without cached files."""
    first = context.new_page()
    first.goto(f"{address}/?game=ultimate&opponent=me")
    first.click(".cell.may")
    first.wait_for_url("**/game/*")
    url = first.url
    first.close()
    return linked(url, context)


def position_link(address: str, context: BrowserContext) -> tuple[float, ...]:
    return linked(f"{address}/position/{POSITION}", context)


def static_link(address: str, context: BrowserContext) -> tuple[float, ...]:
    return linked(f"{address}/#/position/{POSITION}", context, played_here)


def static_game(address: str, context: BrowserContext) -> tuple[float, ...]:
    return linked(f"{address}/#/?game=ultimate&opponent=me", context, played_here)


def home(address: str, context: BrowserContext, play: Play = played) -> tuple[float, ...]:
    """Open the home page, then play on the board of a card; the second time is from its click."""
    page = slow(context)
    started = time.perf_counter()
    page.goto(f"{address}/", wait_until="commit")
    cards = seen(page, ".home-game svg", started)
    clicked = time.perf_counter()
    page.click("[data-game=ultimate] .home-play")
    return cards, *play(page, clicked)


Scenes = dict[str, tuple[Visit, tuple[str, ...]]]
HOME = ("cards", "board after a click", "move after a click")
SERVED: Scenes = {
    "invite link": (game_link, ("board", "move")),
    "own game": (own_game, ("board", "move")),
    "position link": (position_link, ("board", "move")),
    "home page": (home, HOME),
}
STATIC: Scenes = {
    "static, link to a game": (static_game, ("board", "move")),
    "static, position link": (static_link, ("board", "move")),
    "static, home page": (functools.partial(home, play=played_here), HOME),
}


def measure(
    browser: Browser, address: str, scenes: Scenes, accepted: float, rounds: int
) -> list[Line]:
    lines = []
    for scene, (visit, names) in scenes.items():
        times = []
        for _ in range(rounds):
            context = browser.new_context()
            context.add_init_script("localStorage.setItem('noughts.film', 'true')")
            times.append(visit(address, context))
            context.close()
        for name, each in zip(names, zip(*times, strict=True), strict=True):
            target = accepted if name.startswith("move") else DRAWN
            lines.append(Line(f"{scene}: {name}", median(each), "s", "≤", target))
    return lines


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--rounds", type=int, default=3, help="visits of each kind")
    wanted = options.parse_args()
    rounds = 1 if wanted.quick else wanted.rounds
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        with serving() as (address, _):
            lines = measure(browser, address, SERVED, ACCEPTED, rounds)
        with hosting() as address:
            lines += measure(browser, address, STATIC, ACCEPTED_HERE, rounds)
        browser.close()
    show({}, lines, [], as_json=wanted.json)
    sys.exit(any(line.met is False for line in lines))


if __name__ == "__main__":
    main()
