"""The page of the labs: list, form, progress and report."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from needs import needs_axe, needs_browser
from page import Visit, button, faults
from playwright.sync_api import Page, expect

from noughts.labs.claims import LABS
from noughts.labs.report import Report

pytestmark = needs_browser


def done(page: Page) -> None:
    expect(page.get_by_role("heading", name="Lesson")).to_be_visible()


def progress_of(steps: int) -> re.Pattern[str]:
    return re.compile(rf"^[\d,]+ of ({steps}|{steps:,})$")


def table(page: Page) -> list[list[str]]:
    """Return the cells of the table by row, the headers first."""
    rows: list[list[str]] = page.get_by_role("row").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return rows


def cells(report: Report) -> list[list[str]]:
    """Return the expected cells; a list of numbers has the room of the empty ones after it."""
    rows = [[*row] for row in report.rows]
    for row in rows:
        while any(" · " in text for text in row) and not row[-1]:
            row.pop()
    return [[*report.headers], *rows]


def test_list_of_labs(visit: Visit) -> None:
    page = visit().go("/lab")
    names = [name.replace("-", " ").capitalize() for name in LABS]
    expect(page.locator(".page-card h2")).to_have_text(names)
    about = (LABS["example"].__doc__ or "").partition("\n")[0]
    page.get_by_role("link", name=about).click()
    expect(page).to_have_url(re.compile(r"/lab\?lab=example$"))
    expect(page).to_have_title("Example · noughts")
    done(page)
    page.get_by_role("link", name="All labs").click()
    expect(page).to_have_url(re.compile("/lab$"))


@pytest.mark.parametrize("name", ["example", "prune", "size"])
def test_report_equals_that_of_the_lab(visit: Visit, name: str, tmp_path: Path) -> None:
    page = visit().go(f"/lab?lab={name}")
    done(page)
    report = LABS[name]()
    assert table(page) == cells(report)
    for text in (report.claim, report.teaches):
        expect(page.get_by_text(text, exact=True)).to_be_visible()
    pictures = page.get_by_role("region", name="Drawing")
    assert pictures.all_text_contents() == ([report.picture] if report.picture else [])
    with page.expect_download() as got:
        button(page, "Download JSON").click()
    got.value.save_as(tmp_path / "lab.json")
    data = json.loads((tmp_path / "lab.json").read_text(encoding="utf-8"))
    assert data == json.loads(json.dumps({"lab": name, **report.data}))


def test_lab_with_options(visit: Visit) -> None:
    page = visit().go("/lab?lab=prune")
    done(page)
    page.get_by_label("Tree").fill("((5 (7 2)) (4 9))")
    page.get_by_label("First").select_option("min")
    page.keyboard.press("Tab")
    page.get_by_label("Tree").press("Enter")
    report = LABS["prune"](tree="((5 (7 2)) (4 9))", first="min")
    expect(page.get_by_role("region", name="Drawing")).to_have_text(report.picture)
    assert table(page) == cells(report)
    page.reload()
    done(page)
    expect(page.get_by_label("Tree")).to_have_value("((5 (7 2)) (4 9))")
    expect(page.get_by_label("First")).to_have_value("min")
    assert table(page) == cells(report)


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("tree=((3", "this ( has no )"),
        ("tree=(1 2)&seed=4", "nothing to chance"),
        ("branching=16&depth=8", "too large to draw"),
    ],
)
def test_invalid_option_of_a_lab(visit: Visit, query: str, complaint: str) -> None:
    page = visit().go(f"/lab?lab=prune&{query}")
    expect(page.get_by_role("alert")).to_contain_text(complaint)
    for name in ("Tree", "Seed", "Branching", "Depth"):
        page.get_by_label(name).fill("")
    button(page, "Run lab").click()
    done(page)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_number_out_of_bounds_is_not_sent(visit: Visit) -> None:
    page = visit().go("/lab?lab=first-move")
    games = page.get_by_role("spinbutton", name="Games")
    games.fill("1")
    button(page, "Run lab").click()
    assert games.evaluate("input => input.validity.rangeUnderflow")
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_slow_lab_waits_for_its_button_and_can_be_stopped(visit: Visit) -> None:
    page = visit().go("/lab?lab=first-move")
    expect(page.get_by_text("Takes some minutes.")).to_be_visible()
    button(page, "Run lab").click()
    # Six games; three agents, of which one searches only to depth 3.
    expect(page.get_by_text(progress_of(40 * 6 * (4 + 3 + 4)))).to_be_visible()
    button(page, "Stop").click()
    page.get_by_role("spinbutton", name="Games").fill("200")
    page.get_by_label("Depth").fill("8")
    button(page, "Run lab").click()
    expect(button(page, "Run lab")).to_be_disabled()
    expect(page.get_by_text(progress_of(200 * 6 * (8 + 3 + 8)))).to_be_visible()
    button(page, "Stop").click()
    expect(page.get_by_role("alert")).to_have_text("Stopped.")
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(button(page, "Run lab")).to_be_focused()
    page.get_by_role("spinbutton", name="Games").fill("2")
    page.get_by_label("Depth").fill("1")
    page.get_by_label("Seed").fill("3")
    button(page, "Run lab").click()
    done(page)
    report = LABS["first-move"](games=2, depth=1, seed=3)
    assert table(page) == cells(report)


def test_unknown_lab(visit: Visit) -> None:
    page = visit().go("/lab?lab=alchemy")
    expect(page.get_by_text('No lab is called "alchemy"')).to_be_visible()
    page.get_by_role("link", name="All labs").click()
    expect(page.get_by_role("heading", name="Lab")).to_be_visible()


@needs_axe
def test_accessible(visit: Visit) -> None:
    page = visit().go("/lab")
    expect(page.get_by_role("heading", name="Lab")).to_be_visible()
    assert faults(page) == []
    for name in ("prune", "example"):
        page.goto(page.url.partition("/lab")[0] + f"/lab?lab={name}")
        done(page)
        assert faults(page) == []


@pytest.mark.parametrize("name", ["size", "prune", "example"])
def test_no_sideways_scroll(visit: Visit, name: str) -> None:
    page = visit().go(f"/lab?lab={name}")
    done(page)
    for width in (360, 768, 2560):
        page.set_viewport_size({"width": width, "height": 780})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
