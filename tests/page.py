"""The page in a real browser on a real server.

served(database) ──► address ──► Visitor: a browser context whose errors are recorded
                                 Visitors: visitors for one test after another, without traces

Starting a browser, a server or a page takes much longer than a test: a process has one browser and
one server, `chromium()` and `address()`, until `end_shared`.
"""

from __future__ import annotations

import contextlib
import re
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urljoin

import uvicorn
from databases import provide
from needs import AXE, CHROMIUM
from patience import PATIENCE
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Route,
    expect,
    sync_playwright,
)

from noughts.web.app import create_app
from noughts.web.settings import Settings

T = TypeVar("T")
PATIENCE_MS = 1_000 * PATIENCE
"""Milliseconds until something counts as missing, on a slow machine."""
PATIENT = Settings(explain_seconds=PATIENCE)
"""Explanations may take as long as tests wait."""
QUICK = replace(PATIENT, analysis_seconds=0.5)
"""Analyses end soon, since they take the processors from other tests."""


@contextlib.contextmanager
def served(
    database: Path,
    settings: Settings = PATIENT,
    network: str | None = None,
    check_key: str | None = None,
) -> Iterator[str]:
    """Serve the page on a free port, and yield its address; `network` is the one for others."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    url = f"sqlite:///{provide(database)}"
    app = create_app(url, settings=settings, network=network, check_key=check_key)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        until = time.monotonic() + PATIENCE
        while not server.started and time.monotonic() < until:
            time.sleep(0.02)
        assert server.started
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive()


_shared = contextlib.ExitStack()
"""Ends the browser and the server of the process."""


@cache
def _browser() -> Browser:
    assert CHROMIUM, "no chromium; make browser installs it"
    playwright = _shared.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    _shared.callback(browser.close)
    return browser


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Yield the browser of the process; afterwards close the contexts that were opened in it."""
    browser = _browser()
    before = browser.contexts
    yield browser
    for context in browser.contexts:
        if context not in before:
            context.close()


@cache
def address() -> str:
    """Return the address of the process's server, with `QUICK` analyses."""
    folder = _shared.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
    return _shared.enter_context(served(Path(folder) / "games.db", QUICK))


def end_shared() -> None:
    """End the browser and the server of the process, if they run."""
    _browser.cache_clear()
    address.cache_clear()
    _shared.close()


class Visitor:
    """A person with a separate browser context, who has seen the film if not a `newcomer`.

    `wrong` collects script errors, console messages and requests to other hosts. `expected` removes
    the messages of a refusal that a test provokes.
    """

    def __init__(self, browser: Browser, address: str, **settings: Any) -> None:
        self.address = address
        self.wrong: list[str] = []
        self.is_altered = settings.pop("newcomer", False)
        """Whether something will outlast the test: `clear` cannot remove it."""
        settings.setdefault("viewport", {"width": 1240, "height": 860})
        self.viewport = settings["viewport"]
        self._context: BrowserContext = browser.new_context(**settings)
        self._context.set_default_timeout(PATIENCE_MS)
        if not self.is_altered:
            self._context.add_init_script("localStorage.setItem('noughts.film', 'true')")
        self.page = self.tab()
        for name in LASTING:
            setattr(self.page, name, self._altering(getattr(self.page, name)))

    @property
    def context(self) -> BrowserContext:
        self.is_altered = True
        return self._context

    def _altering(self, call: Callable[..., T]) -> Callable[..., T]:
        def altered(*arguments: Any, **options: Any) -> T:
            self.is_altered = True
            return call(*arguments, **options)

        return altered

    def tab(self) -> Page:
        """Open another tab."""
        page = self._context.new_page()
        page.on("console", lambda message: self.wrong.append(message.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", lambda request: self._asked(request.url))
        return page

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.wrong.append(f"a request to {url}")

    def expected(self, status: int) -> None:
        """Remove the browser's messages about answers with a status."""
        self.wrong = [each for each in self.wrong if f"status of {status}" not in each]

    def go(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.page

    def clear(self) -> None:
        """Leave the page, and remove the traces of a test: storage, cookies, tabs, settings.

        The cache of files stays, and the page's process with its compiled scripts.
        """
        page = self.page
        page.unroute_all(behavior="ignoreErrors")
        for other in self._context.pages:
            if other != page:
                other.close()
        origin = urljoin(self.address, "/")
        page.goto(origin + "static/icon.svg")  # has no script
        page.evaluate("sessionStorage.clear()")
        self._context.clear_cookies()
        session = self._context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": STORED})
        session.detach()
        page.set_viewport_size(self.viewport)
        page.emulate_media(
            media="null", color_scheme="null", reduced_motion="null", forced_colors="null"
        )
        page.mouse.move(-1, -1)
        self.wrong.clear()


LASTING = ("add_init_script", "expose_binding", "expose_function", "on", "once", "route_web_socket")
"""Methods of a page whose effect ends with the page."""
STORED = "local_storage,indexeddb,service_workers,cache_storage"
"""Kinds of storage, as Chromium calls them."""


class Visitors:
    """The visitors of an address, who come again in later tests with the same settings.

    A visitor whose page a test has altered does not. `page.clock` alters it, too: a test that uses
    it asks for a visitor with `fresh=True`.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._idle: list[tuple[str, Visitor]] = []
        self._here: list[tuple[str, Visitor]] = []

    def visit(self, *, fresh: bool = False, **settings: Any) -> Visitor:
        kind = repr(sorted(settings.items()))
        found = [each for each in self._idle if each[0] == kind and not fresh]
        if found:
            self._idle.remove(found[0])
            self._here.append(found[0])
        else:
            visitor = Visitor(self._browser, self._address, **settings)
            visitor.is_altered |= fresh
            self._here.append((kind, visitor))
        return self._here[-1][1]

    def of_one_test(self) -> Iterator[Visit]:
        """Yield the function that opens a visitor's browser; none may have reported an error."""
        yield self.visit
        wrong = self._end()
        assert wrong == [[] for _ in wrong]

    def _end(self) -> list[list[str]]:
        """End a test; return the errors of each of its visitors."""
        wrong = [[*visitor.wrong] for _, visitor in self._here]
        for kind, visitor in self._here:
            if visitor.is_altered or any(wrong):
                visitor.context.close()
            else:
                visitor.clear()
                self._idle.append((kind, visitor))
        self._here.clear()
        return wrong

    def close(self) -> None:
        for _, visitor in self._idle:
            visitor.context.close()


Visit = Callable[..., Visitor]
"""The type of the fixture `visit`."""

expect.set_options(timeout=PATIENCE_MS)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def wait_for(page: Page, check: Callable[[], T]) -> T:
    """Call a function until its result is true, while the page runs. Return the last result."""
    until = time.monotonic() + PATIENCE
    while not (found := check()) and time.monotonic() < until:
        drawn(page)
    return found


def drawn(page: Page, frames: int = 1) -> None:
    """Wait until the page has drawn some frames."""
    frame = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    for _ in range(frames):
        page.evaluate(frame)


def wait_until(page: Page, script: str, argument: Any = None) -> None:
    """Wait until a function returns true.

    It may be async, and the page may forbid `eval`, unlike with Playwright's `wait_for_function`.
    """
    assert wait_for(page, lambda: page.evaluate(script, argument)), f"never true: {script}"


def intercept(page: Page, url: str | re.Pattern[str], handle: Callable[[Route], object]) -> None:
    """Hand the requests of a page that is open to a function.

    After `Page.route` Chromium may send some requests past the route; afterwards it sends none.
    """
    page.route(url, handle)
    probe = "/static/icon.svg?intercepted"
    page.route(f"**{probe}", lambda route: route.fulfill(status=204))
    wait_until(page, "async (probe) => (await fetch(probe)).status === 204", probe)


def moves(page: Page) -> Locator:
    """Return the buttons of the moves in the move list, variations excluded."""
    return page.locator(".rows .half button")


def playable(page: Page) -> Locator:
    return page.locator(".cell.may")


def settled(page: Page, least: int) -> int:
    """Wait for at least `least` moves and for the person's turn or the end; count the moves."""
    expect(moves(page).nth(least - 1)).to_be_visible()
    expect(page.locator(".result, .turn:has-text('You')").first).to_be_visible()
    return moves(page).count()


def choose(page: Page, **settings: str) -> None:
    """Fill in the set-up form: the opponent by its title, the level by its number."""
    for name, value in settings.items():
        if name == "opponent":
            page.get_by_label("Opponent").select_option(label=value)
        else:
            page.get_by_role("slider").fill(value)


def drop(page: Page, source: str, name: str = "tictactoe.py") -> None:
    """Drop a file on the page, as the file manager does."""
    given = page.evaluate_handle(
        """([source, name]) => {
             const data = new DataTransfer();
             data.items.add(new File([source], name));
             return data;
           }""",
        [source, name],
    )
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event(".check-call", event, {"dataTransfer": given})


def beat_first(page: Page) -> None:
    """Play from the report of a checked file that takes the first free cell, and win as O."""
    button(page, "Play as O").click()
    expect(page.locator(".players")).to_contain_text("tictactoe.py")
    for number, cell in ((1, 4), (3, 2), (5, 6)):
        expect(moves(page)).to_have_count(number)
        page.locator(f".cell[data-cell='{cell}']").click()
    expect(page.locator(".result")).to_contain_text("You win!")


def faults(page: Page) -> list[str]:
    """Return the serious and critical accessibility faults that axe-core finds, light and dark.

    In the dark only the contrasts can differ.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = []
    schemes: list[tuple[Literal["dark", "light"], list[str]]]
    schemes = [("dark", ["color-contrast"]), ("light", [])]
    for scheme, only in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        options = {"resultTypes": ["violations"]} | ({"runOnly": only} if only else {})
        found += page.evaluate(
            """async (options) => {
                 document.getAnimations().forEach((each) => each.cancel());  // colours in between
                 return (await axe.run(document, options)).violations;
               }""",
            options,
        )
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
