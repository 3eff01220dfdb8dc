"""The page in a real browser on a real server: what its tests share.

served(database) ──► address ──► Visitor: a browser of its own, that must find no fault
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from noughts.apps.web.app import create_app

CHROMIUM = shutil.which("chromium")
AXE = Path(__file__).parents[1] / "build/axe-core/package/axe.min.js"
needs_browser = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ, reason="no chromium here; make browser installs it"
)
needs_axe = pytest.mark.skipif(
    not AXE.exists() and "CI" not in os.environ, reason="no axe-core here; make axe fetches it"
)
PATIENCE = 60_000
"""Milliseconds that a slow machine may take before something counts as missing."""


@contextlib.contextmanager
def served(database: Path) -> Iterator[str]:
    """Serve the page on a free port, and yield its address."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    app = create_app(f"sqlite:///{database}")
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        until = time.monotonic() + PATIENCE / 1000
        while not server.started and time.monotonic() < until:
            time.sleep(0.02)
        assert server.started
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
        assert not thread.is_alive()


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    assert CHROMIUM, "no chromium; make browser installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser of their own.

    Whatever goes wrong in it is in `wrong`: errors of scripts, messages on the console, requests to
    elsewhere. A refusal that a test means to get is taken out by `expected`.
    """

    def __init__(self, browser: Browser, address: str, **settings: Any) -> None:
        self.address = address
        self.wrong: list[str] = []
        settings.setdefault("viewport", {"width": 1240, "height": 860})
        self.context: BrowserContext = browser.new_context(**settings)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.tab()

    def tab(self) -> Page:
        """Open one more tab."""
        page = self.context.new_page()
        page.on("console", lambda message: self.wrong.append(message.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", lambda request: self._asked(request.url))
        return page

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.wrong.append(f"a request to {url}")

    def expected(self, status: int) -> None:
        """Forgive what the browser says of answers with a status."""
        self.wrong = [each for each in self.wrong if f"status of {status}" not in each]

    def go(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.page


Visit = Callable[..., Visitor]
"""What lets somebody visit the page: the fixture `visit`."""

expect.set_options(timeout=PATIENCE)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def moves(page: Page) -> Locator:
    """Return the buttons of the game's line in the move list."""
    return page.locator(".rows .half button")


def playable(page: Page) -> Locator:
    return page.locator(".cell.may")


def settled(page: Page, least: int) -> int:
    """Wait until at least so many moves are made and one may move or the game is over."""
    expect(moves(page).nth(least - 1)).to_be_visible()
    expect(page.locator(".result, .turn:has-text('You')").first).to_be_visible()
    return moves(page).count()


def choose(page: Page, **settings: str) -> None:
    """Choose in the set-up, field by field: an opponent by its title, a level by its number."""
    for name, value in settings.items():
        if name == "opponent":
            page.get_by_label("Opponent").select_option(label=value)
        else:
            page.get_by_role("slider").fill(value)


def faults(page: Page) -> list[str]:
    """Return what axe-core finds to be a serious or critical fault of accessibility."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
    )
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
