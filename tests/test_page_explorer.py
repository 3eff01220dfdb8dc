"""The explorer on the page, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from needs import needs_axe, needs_browser
from page import QUICK, Visit, button, faults, playable, served
from playwright.sync_api import Page, expect

import noughts
from noughts.explorer.explore import exact_values, explored
from noughts.explorer.openings import openings_of
from noughts.views.values import mark

pytestmark = needs_browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the page with games of its own, since the explorer counts the finished ones."""
    with served(tmp_path_factory.mktemp("explorer") / "games.db", QUICK) as found:
        yield found


def rows(page: Page) -> list[list[str]]:
    """Return the texts of each row: moves, value, games."""
    return [
        row.locator(".explored-name, .explored-value, .explored-games").all_inner_texts()
        for row in page.locator(".explored-move").all()
    ]


def expected_rows(rules: str, moves: str = "") -> list[list[str]]:
    """Return the rows of the page for a position whose moves all have values."""
    position = noughts.game(rules).after(moves)
    openings = openings_of(rules)
    counts = openings.counts if openings else {}
    found = []
    for each in explored(position, counts, exact_values(position)):
        assert each.value is not None
        texts = " ".join(map(position.move_text, each.moves))
        found.append([texts, mark(each.value), str(each.outcomes.games)])
    return found


@needs_axe
def test_rows_have_the_exact_values_and_the_games(visit: Visit) -> None:
    page = visit().go("/explore")
    expect(page).to_have_title("Explorer · Connect Four · noughts")
    expect(page.locator(".explored-move .chip")).to_have_count(4)
    assert rows(page) == expected_rows("connect4")
    expect(page.locator(".cell .chip")).to_have_text(
        ["loss", "loss", "draw", "win", "draw", "loss", "loss"]
    )
    expect(page.locator(".cell .chip.best")).to_have_count(1)
    assert faults(page) == []


def test_moves_of_an_address_may_be_one_run_of_digits(visit: Visit) -> None:
    for kind in ("explore", "position"):
        page = visit().go(f"/{kind}/connect4?moves=44535")
        expect(page.locator(".situation")).to_contain_text("X played column 5.")


def test_rows_the_board_and_keys_play(visit: Visit) -> None:
    page = visit().go("/explore/basic")
    expect(page.locator(".explored-move .chip")).to_have_count(3)
    row = page.get_by_role("button", name=re.compile("^Play 5 draw 0 games"))
    row.hover()
    expect(page.locator(".cell.pointed")).to_have_count(1)
    row.click()
    expect(page.locator(".situation")).to_have_text("X played in the centre. O to move.")
    expect(page).to_have_url(re.compile(r"/explore/basic\?moves=5$"))
    expect(page.locator(".explored-move .chip")).to_have_count(2)
    assert rows(page) == expected_rows("basic", "5")
    page.locator("[data-cell='0']").click()
    expect(page.locator(".explored-path a")).to_have_text(["5", "1"])
    page.keyboard.type("9")
    expect(page.locator(".explored-path a")).to_have_text(["5", "1", "9"])
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".explored-path a")).to_have_text(["5", "1"])
    button(page, "Forward").click()
    expect(page.locator(".explored-path a")).to_have_text(["5", "1", "9"])
    page.locator(".explored-path a").first.click()
    expect(page.locator(".explored-path a")).to_have_text(["5"])
    page.go_back()
    expect(page.locator(".explored-path a")).to_have_text(["5", "1", "9"])
    button(page, "Start").click()
    expect(page.locator(".explored-path a")).to_have_count(0)
    expect(button(page, "Back")).to_be_disabled()
    page.locator(".explored-move").first.focus()
    for moves in (1, 2):
        page.keyboard.press("Enter")
        expect(page.locator(".explored-path a")).to_have_count(moves)
        expect(page.locator(".explored")).not_to_have_attribute("aria-busy", "true")
        expect(page.locator(".explored-move").first).to_be_focused()


def test_a_finished_game_has_no_rows(visit: Visit) -> None:
    page = visit().go("/explore/basic?moves=5+1+3+2")
    expect(page.locator(".explored-move .chip").first).to_have_text("win 1")
    page.keyboard.type("7")
    expect(page.locator(".situation")).to_have_text("X wins with the diagonal from top right.")
    expect(page.locator(".explored-move")).to_have_count(0)
    expect(playable(page)).to_have_count(0)
    expect(page.get_by_role("link", name="Play from here")).to_be_visible()


def test_the_source_and_the_game_are_chosen(visit: Visit) -> None:
    page = visit().go("/explore/ultimate")
    openings = openings_of("ultimate")
    assert openings is not None
    expect(page.locator(".explored-move").first).to_be_visible()
    expect(page.locator(".caption")).to_contain_text(f"and {openings.games:,} of the engine.")
    shown = page.locator(".explored-move").count()
    button(page, f"Show {15 - shown} more").click()
    expect(page.locator(".explored-move")).to_have_count(15)
    page.get_by_role("radio", name="This server").check()
    expect(page.locator(".caption")).to_have_text(
        "No games yet. Counted: finished games of this server."
    )
    expect(page).to_have_url(re.compile(r"\?source=server$"))
    page.get_by_role("combobox", name="Game").select_option("basic")
    expect(page.locator(".explored-move .chip")).to_have_count(3)
    expect(page).to_have_url(re.compile(r"/explore/basic\?source=server$"))


def test_a_game_leads_to_the_explorer(visit: Visit) -> None:
    page = visit().go("/position/connect4?moves=4")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="Explore this position").click()
    expect(page).to_have_url(re.compile(r"/explore/connect4.*moves=4$"))
    expect(page.locator(".explored-path a")).to_have_text(["4"])
    page.goto(page.url.partition("/explore")[0] + "/learn")
    page.locator("a[href='/explore/connect4']").click()
    expect(page.locator("h1")).to_have_text("Explorer")


@pytest.mark.parametrize("width", [320, 390, 1240])
def test_nothing_is_wider_than_the_screen(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 844}).go("/explore/connect4?moves=3")
    expect(page.locator(".explored-move .chip")).to_have_count(7)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    card = page.locator(".explored-moves")
    assert card.evaluate("card => card.scrollWidth <= card.clientWidth")


def test_bad_addresses_are_reported(visit: Visit) -> None:
    visitor = visit()
    for path, message in (
        ("/explore/chess", 'No game called "chess"'),
        ("/explore/basic?moves=5+5", "Cell 5 is taken"),
    ):
        page = visitor.go(path)
        expect(page.locator("h1")).to_contain_text(re.compile(message, re.IGNORECASE))
    visitor.expected(422)
