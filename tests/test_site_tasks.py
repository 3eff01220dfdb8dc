"""Puzzles, exercises and labs of the site: their lists without Python, and its notice."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from typing import Any

import pytest
from needs import needs_browser, needs_wasm
from page import Visit, Visitor
from playwright.sync_api import Page, expect
from site_page import FOLDER, hosted

from noughts.answers.puzzles import puzzle_list
from noughts.puzzles.puzzle import GAMES, all_puzzles, puzzle_of_day
from noughts.site import build
from noughts.site.tasks import DAYS, FIRST_DAY, task_files

pytestmark = pytest.mark.xdist_group("site")

SILENT = """
export class Python {
  constructor({ loading }) {
    this.loading = loading;
  }
  async call(name) {
    window.calls = [...(window.calls ?? []), name];
    this.loading({ done: 1, of: 2 });
    const line = window.document.getElementById("loading");
    window.notices = [...(window.notices ?? []), line?.textContent ?? null];
    this.loading({ done: 2, of: 2 });
    const document = { status: 503, type: "urn:noughts:no", detail: `No ${name}.` };
    throw Object.assign(new Error(name), { document });
  }
}
"""
"""In place of Python: it is loaded anew for each call, and answers none."""


@pytest.fixture(scope="module")
def puzzles() -> dict[str, Any]:
    """Return the file of puzzles."""
    found: dict[str, Any] = json.loads(task_files()["data/puzzles.json"])
    return found


def test_file_has_the_puzzles_in_the_order_of_the_lists(puzzles: dict[str, Any]) -> None:
    found = puzzles["puzzles"]
    assert len(found) == len(all_puzzles())
    compared = 0
    for rules in (None, *GAMES):
        for level in (None, "hard"):
            chosen = [
                each["id"]
                for each in found
                if rules in (None, each["rules"]) and level in (None, each["level"])
            ]
            expected = puzzle_list(rules, level, count=len(found))
            assert chosen == [each["id"] for each in expected["puzzles"]]
            compared += len(chosen)
    assert compared > 2 * len(found)


def test_file_has_the_puzzle_of_each_day(puzzles: dict[str, Any]) -> None:
    assert len(puzzles["days"]) == DAYS
    assert puzzles["first_day"] == "2026-01-01"
    for number in range(0, DAYS, 97):
        day = FIRST_DAY + datetime.timedelta(days=number)
        assert puzzles["puzzles"][puzzles["days"][number]]["id"] == puzzle_of_day(day).id


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a site with `SILENT` in place of Python; yield its address."""
    root = tmp_path_factory.mktemp("site")
    (root / "parts/python").mkdir(parents=True)
    (root / "parts/python/client.js").write_text(SILENT, encoding="utf-8")
    build.write(root / "host" / FOLDER, root / "parts")
    with hosted(root / "host") as found:
        yield found


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    return visit()


def show(page: Page, path: str, heading: str) -> None:
    page.goto(page.url.partition("#")[0] + path)
    expect(page.locator("h1")).to_have_text(heading)


@needs_browser
@needs_wasm
def test_lists_need_no_python(visitor: Visitor) -> None:
    page = visitor.go("#/puzzles?rules=connect4&level=medium")
    chosen = puzzle_list("connect4", "medium")
    expect(page.locator(".puzzle-card h3")).to_have_text(
        [each["task"] for each in chosen["puzzles"]]
    )
    expect(page.locator(".puzzle-card svg.board")).to_have_count(len(chosen["puzzles"]))
    expect(page.get_by_text(f"{chosen['total']} puzzles")).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".puzzle-card")).to_have_count(24)
    expect(page.locator(".puzzle-today svg.board")).to_be_visible()
    show(page, "#/exercises", "Exercises")
    expect(page.locator(".page-card")).not_to_have_count(0)
    show(page, "#/lab", "Lab")
    expect(page.locator(".page-card")).not_to_have_count(0)
    show(page, "#/learn", "Learn")
    assert page.evaluate("window.calls") is None


@needs_browser
@needs_wasm
def test_puzzle_is_shown_before_python_is_there(visitor: Visitor) -> None:
    puzzle = puzzle_list("advanced", "medium", count=1)["puzzles"][0]
    page = visitor.go(f"#/puzzles/{puzzle['id']}")
    expect(page.locator(".situation")).to_have_text(puzzle["task"])
    expect(page.locator(".cell.may").first).to_be_visible()
    page.goto(visitor.address + "#/puzzles/today")
    expect(page.locator("h1")).to_have_text("Today's puzzle")
    page.locator(".cell.may").first.click()
    expect(page.locator(".verdict")).to_have_text("No puzzle_move.")


@needs_browser
@needs_wasm
def test_page_without_a_reply_has_an_outline(visitor: Visitor) -> None:
    page = visitor.go("")
    outline = "getComputedStyle(document.querySelector('main'), '::before').content"
    expect(page.locator("h1")).to_be_visible()
    assert page.evaluate(outline) == "none"
    page.evaluate("document.querySelector('main').replaceChildren()")
    assert page.evaluate(outline) == '""'


@needs_browser
@needs_wasm
def test_notice_of_python_is_shown_once(visitor: Visitor) -> None:
    page = visitor.go("#/explore/connect4")
    expect(page.locator("h1")).to_have_text("No explorer.")
    show(page, "#/exercises/minimax", "No exercise.")
    assert page.evaluate("window.notices") == ["Loading Python, once: 50 %", None]
    expect(page.locator("#loading")).to_have_count(0)
