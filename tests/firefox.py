"""The page in Firefox: started without a window, driven by Marionette.

firefox(folder) ──► Firefox: go, wait, click, theme, errors
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from needs import FIREFOX, imported
from patience import PATIENCE

SCHEME = "layout.css.prefers-color-scheme.content-override"
MESSAGES = """
  const [address] = arguments;
  const found = Services.console.getMessageArray().filter(
    (each) => each instanceof Ci.nsIScriptError && each.sourceName.startsWith(address));
  Services.console.reset();
  return found.map((each) => each.errorMessage);
"""


class Firefox:
    """A Firefox on the page at an address."""

    def __init__(self, marionette: Any, address: str) -> None:
        self.marionette, self.address = marionette, address

    def go(self, path: str, ready: str) -> None:
        """Open a path and wait for an element, given by a CSS selector."""
        self.marionette.navigate(self.address + path)
        self.wait(ready)

    def wait(self, selector: str, least: int = 1) -> None:
        """Wait for `least` visible elements or more."""
        script = (
            "return [...document.querySelectorAll(arguments[0])]"
            ".filter((each) => each.checkVisibility()).length >= arguments[1]"
        )
        self.until(script, selector, least)

    def until(self, script: str, *arguments: object) -> None:
        """Wait until the body of a function returns true in the page."""
        end = time.monotonic() + PATIENCE
        while not self.ask(script, *arguments):
            assert time.monotonic() < end, (self.marionette.get_url(), arguments)
            time.sleep(0.05)

    def ask(self, script: str, *arguments: object) -> Any:
        """Run the body of a function in the page; return its result."""
        return self.marionette.execute_script(script, script_args=arguments)

    def click(self, selector: str) -> None:
        """Click the first visible element with the mouse."""
        self.wait(selector)
        found = self.marionette.find_elements("css selector", selector)
        next(each for each in found if each.is_displayed()).click()

    def scheme(self, name: Literal["light", "dark"], paper: str) -> None:
        """Choose the colours that the system prefers; wait until the page has this ground."""
        self.marionette.set_pref(SCHEME, ("dark", "light").index(name))
        colour = f"rgb({', '.join(str(int(paper[at : at + 2], 16)) for at in (1, 3, 5))})"
        script = "return getComputedStyle(document.body).backgroundColor === arguments[0]"
        self.until(script, colour)

    def errors(self) -> list[str]:
        """Return the errors and warnings of the page in the console since the last call."""
        with self.marionette.using_context("chrome"):
            found: list[str] = self.marionette.execute_script(MESSAGES, [self.address])
        return found


@contextmanager
def firefox(address: str, folder: Path) -> Iterator[Firefox]:
    """Start Firefox for the page at an address; its log is written to the folder."""
    assert FIREFOX, "no Firefox; make browser installs it"
    driver = imported("marionette_driver.marionette", "dev")
    with warnings.catch_warnings():
        # While Firefox starts, each try to connect leaves a socket open.
        warnings.simplefilter("ignore", ResourceWarning)
        marionette = driver.Marionette(
            bin=FIREFOX, headless=True, gecko_log=str(folder / "firefox.log"), port=0
        )
    try:
        marionette.start_session()
        marionette.set_window_rect(width=1240, height=860)
        yield Firefox(marionette, address)
    finally:
        marionette.quit()
        marionette.cleanup()
