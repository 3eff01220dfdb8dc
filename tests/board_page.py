"""A page of another site with the element <noughts-board>, in Chromium, under a strict policy.

boards() ──► Boards: show(HTML), play(moves), state()      files come from memory, not from a server
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from page import chromium
from playwright.sync_api import expect

from noughts.views import embed

ADDRESS = "http://board.test/"
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:; worker-src blob:"
HTML = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>A course</title>'
    '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
    "{}<main><h1>A course</h1>{}</main></html>"
)
SCRIPT = '<script src="noughts-board.js"></script>'
DRIVER = """() => {
  window.heard = [];
  addEventListener("noughts-move", (event) => heard.push(event.detail));
  const root = (at) => document.querySelectorAll("noughts-board")[at].shadowRoot;
  window.boardState = (at) => {
    const inside = root(at);
    const text = (name) => inside?.querySelector(name)?.textContent ?? null;
    const may = [...(inside?.querySelectorAll(".cell.may") ?? [])];
    return {
      problem: text(".problem"), status: text(".status"), comment: text(".comment"),
      worth: text(".worth"), players: text(".players"), count: text(".place"),
      board: inside?.querySelector("[role=grid]")?.getAttribute("aria-label") ?? null,
      may: may.map((cell) => Number(cell.dataset.cell)),
      chips: Object.fromEntries([...(inside?.querySelectorAll(".cell") ?? [])]
        .filter((cell) => cell.title).map((cell) => [cell.dataset.cell, cell.title])),
    };
  };
  window.playCells = (at, cells) => cells.map((cell) => {
    root(at).querySelector(`.cell[data-cell="${cell}"]`).click();
    return { ...boardState(at), ...heard.at(-1) };
  });
}"""


class Boards:
    """The page. `wrong` collects its errors and its requests."""

    def __init__(self, page: Any) -> None:
        self.page, self.wrong = page, list[str]()

    def show(self, *boards: str, policy: str = POLICY, script: str = SCRIPT) -> Any:
        """Open the page with these boards, given as HTML; wait until all are drawn."""
        headers = {"content-security-policy": policy}
        files = {
            f"{ADDRESS}core/{name}": ("text/javascript", (embed.CORE / name).read_text("utf-8"))
            for name in ("core.js", "phrases.js", "values.js", "words.js")
        } | {
            ADDRESS: ("text/html", HTML.format(script, "".join(boards))),
            f"{ADDRESS}noughts-board.js": ("text/javascript", embed.script()),
        }

        def answer(route: Any) -> None:
            if route.request.url not in files:
                self.wrong.append(f"a request to {route.request.url}")
                route.abort()
                return
            kind, body = files[route.request.url]
            route.fulfill(content_type=kind, body=body, headers=headers)

        self.page.unroute_all()
        self.page.route("**", answer)
        self.page.goto(ADDRESS)
        self.page.evaluate(DRIVER)
        there = self.page.locator("[role=grid][aria-label], .problem")
        expect(there).to_have_count(len(boards))
        return self.page

    def state(self, at: int = 0) -> dict[str, Any]:
        """Return the texts of a board, its playable cells and the values on cells."""
        found: dict[str, Any] = self.page.evaluate("at => boardState(at)", at)
        return found

    def until(self, at: int, name: str, text: str) -> None:
        """Wait until a part of a board contains a text."""
        board = self.page.locator("noughts-board").nth(at)
        expect(board.locator(f".{name}")).to_contain_text(text)

    def set(self, name: str, value: str | None, at: int = 0) -> dict[str, Any]:
        """Change an attribute; return the state afterwards."""
        self.page.evaluate(
            """async ([at, name, value]) => {
                 const board = document.querySelectorAll("noughts-board")[at];
                 if (value === null) board.removeAttribute(name);
                 else board.setAttribute(name, value);
                 await new Promise((done) => setTimeout(done));
               }""",
            [at, name, value],
        )
        return self.state(at)

    def play(self, cells: list[int], at: int = 0) -> list[dict[str, Any]]:
        """Click cells one after the other; return the state and the event after each."""
        found: list[dict[str, Any]] = self.page.evaluate(
            "([at, cells]) => playCells(at, cells)", [at, cells]
        )
        return found


@contextmanager
def boards() -> Iterator[Boards]:
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        opened = Boards(page)
        page.on("console", lambda message: opened.wrong.append(message.text))
        page.on("pageerror", lambda error: opened.wrong.append(str(error)))
        yield opened
