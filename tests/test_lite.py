"""JupyterLite with the notebooks of the course, in Chromium, without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from needs import needs_browser, skip
from page import chromium
from playwright.sync_api import Locator, expect
from site_page import FOLDER, hosted

ROOT = Path(__file__).parent.parent
LITE = ROOT / "build" / "lite"
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
START = 1_000_000
"""Milliseconds until the kernel has started: it unpacks many packages."""

SOLVE = "noughts.Engine('connect4').solve(noughts.game('connect4').after('4455')).text"

pytestmark = [needs_browser, pytest.mark.soak, pytest.mark.timeout(1_800)]


@pytest.fixture
def lite() -> Path:
    if not (LITE / "index.html").exists():
        skip("no JupyterLite: make lite builds it")
    return LITE


@contextmanager
def opened(folder: Path, root: Path, name: str) -> Iterator[Any]:
    """Open a notebook on a host of its own; every request to others fails the test."""
    (root / FOLDER).parent.mkdir(parents=True)
    (root / FOLDER).symlink_to(folder, target_is_directory=True)
    with hosted(root) as address, chromium() as browser:
        context = browser.new_context()
        outside: list[str] = []

        def guard(route: Any) -> None:
            if route.request.url.startswith(address):
                route.continue_()
            else:
                outside.append(route.request.url)
                route.abort()

        context.route("**/*", guard)
        page = context.new_page()
        page.goto(f"{address}lab/index.html?path={name}")
        yield page
        assert outside == []


def run(page: Any, cell: Locator) -> Locator:
    """Run a cell and return its outputs, when it has ended."""
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"), timeout=START)
    return cell.locator(".jp-OutputArea-output")


def test_contents_are_the_notebooks(lite: Path) -> None:
    listed = json.loads((lite / "api/contents/all.json").read_text("utf-8"))
    assert {each["name"] for each in listed["content"]} == {path.name for path in NOTEBOOKS}
    for path in NOTEBOOKS:
        assert "](../" not in (lite / "files" / path.name).read_text("utf-8")


def test_cells_run_without_a_network(lite: Path, tmp_path: Path) -> None:
    """Run the first cells of a notebook, then cells that search and show a board to play on."""
    with opened(lite, tmp_path, NOTEBOOKS[0].name) as page:
        cells = page.locator(".jp-Notebook .jp-CodeCell")
        expect(cells.first).to_be_visible(timeout=START)
        kernel = page.locator(".jp-Notebook-ExecutionIndicator")
        expect(kernel).to_have_attribute("data-status", "idle", timeout=START)
        expect(run(page, cells.nth(0))).to_have_count(0)
        expect(run(page, cells.nth(1)).locator("svg, img")).to_have_count(1)
        expect(run(page, cells.nth(2)).locator("svg, img")).to_have_count(1)
        fill(page, cells.nth(3), SOLVE)
        expect(run(page, cells.nth(3))).to_have_text("'3'")
        fill(page, cells.nth(4), "noughts.board('basic')")
        board = run(page, cells.nth(4)).locator("noughts-board")
        expect(board.locator(".cell.may")).to_have_count(9)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_to_its_end(lite: Path, tmp_path: Path, path: Path) -> None:
    """Run all cells of a notebook as a student opens it: no error, and nothing from a network."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    count = sum(cell["cell_type"] == "code" for cell in cells)
    with opened(lite, tmp_path, path.name) as page:
        # JupyterLab draws only the cells that the window shows.
        page.set_viewport_size({"width": 1200, "height": 30_000})
        kernel = page.locator(".jp-Notebook-ExecutionIndicator")
        expect(kernel).to_have_attribute("data-status", "idle", timeout=START)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        prompts = page.locator(".jp-Notebook .jp-CodeCell .jp-InputPrompt")
        wanted = [f"[{number}]:" for number in range(1, count + 1)]
        expect(prompts).to_have_text(wanted, timeout=START)
        outputs = page.locator(".jp-OutputArea-output")
        assert outputs.count() > 10
        for kind in ("stderr", "error"):
            wrong = page.locator(f"[data-mime-type='application/vnd.jupyter.{kind}']")
            assert wrong.all_inner_texts() == []


def fill(page: Any, cell: Locator, source: str) -> None:
    """Replace the source of a cell."""
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)
