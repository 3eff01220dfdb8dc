"""Swap2 in real browsers: the set-up, friends, the machine, a second tab, a reload, the site."""

from __future__ import annotations

import re
from pathlib import Path

from needs import needs_axe, needs_browser, needs_wasm
from page import Visit, Visitor, button, choose, chromium, faults, moves, playable
from playwright.sync_api import Locator, Page, expect
from site_page import hosted, written

pytestmark = needs_browser

STONES = ("h8", "e3", "i9")
YOUR_CHOICE = "You choose: play X, play O and move next, or add two stones."


def set_up(page: Page, opponent: str) -> None:
    choose(page, opponent=opponent)
    begin = page.get_by_role("group", name="Begin with swap2")
    begin.get_by_role("radio", name="Yes").check()
    expect(page.locator(".setup")).to_contain_text("Player 1 places three stones, X O X.")


def situation(page: Page) -> Locator:
    return page.locator(".situation")


def choices(page: Page) -> Locator:
    """Return the choices that are due."""
    return page.get_by_role("group", name="Your side").locator("button:enabled")


def placed(page: Page, *stones: str) -> None:
    count = moves(page).count()
    for number, stone in enumerate(stones, count + 1):
        expect(playable(page).first).to_be_visible()
        page.keyboard.type(stone)
        expect(moves(page)).to_have_count(number)


def seats(page: Page) -> list[str]:
    """Return the names of the players of X and O, with their marks or numbers."""
    rows = page.locator(".player").all()
    marks = [row.locator(".mark").get_attribute("aria-label") for row in rows]
    names = [row.locator(".name").inner_text() for row in rows]
    return [f"{mark} {name}" for mark, name in zip(marks, names, strict=True)]


@needs_axe
def test_friends_choose_their_sides(visit: Visit) -> None:
    host, guest, watcher = visit(), visit(), visit()
    page = host.go("/?game=mnk")
    set_up(page, "A person with a link")
    assert not page.get_by_role("group", name="You play").is_visible()
    expect(situation(page)).to_contain_text("You place an X: stone 1 of 3.")
    button(page, "Open the game and get the link").click()
    link = page.get_by_label("Invite your opponent")
    expect(link).to_be_visible()
    there = guest.go(re.sub("^.*(?=/game/)", "", link.input_value()))
    expect(situation(there)).to_contain_text("Your opponent places an X: stone 1 of 3.")
    assert seats(there) == ["Player 1 Guest", "Player 2 You"]
    button(page, "Share").click()
    watch = page.get_by_role("dialog").get_by_label("Watch")
    seen = watcher.go(re.sub("^.*(?=/game/)", "", watch.input_value()))
    page.keyboard.press("Escape")
    placed(page, *STONES)
    expect(situation(page)).to_contain_text("Your opponent chooses")
    expect(choices(page)).to_have_count(0)
    expect(situation(seen)).to_contain_text("Player 2 chooses")
    expect(choices(seen)).to_have_count(0)
    expect(situation(there)).to_have_text(YOUR_CHOICE)
    expect(there).to_have_title(re.compile("^Your move"))
    assert faults(there) == []
    # A move is refused by the sentence; a second tab shows the choice, too.
    there.locator("[data-cell='0']").click(force=True)
    expect(there.locator(".refusal")).to_have_text(YOUR_CHOICE)
    second = guest.tab()
    second.goto(there.url)
    choices(second).get_by_text("Add two stones").click()
    expect(situation(there)).to_contain_text("You place an O: stone 4 of 5.")
    placed(there, "c3", "d4")
    page.reload()
    expect(situation(page)).to_have_text("You choose: play X, or play O and move next.")
    expect(choices(page)).to_have_text(["Play X", "Play O"])
    choices(page).get_by_text("Play O").click()
    expect(situation(page)).to_have_text("You chose O. Your turn.")
    for each in (page, there, seen, second):
        expect(each.locator(".choices")).to_be_hidden()
    assert seats(page) == ["X Guest", "O You"]
    expect(situation(there)).to_have_text("Your opponent chose O. O to move.")
    placed(page, "k5")
    expect(situation(there)).to_have_text("Your opponent chose O and played k5. Your turn.")


def test_the_machine_places_stones_and_undo_takes_back_the_choice(visit: Visit) -> None:
    page = visit().go("/?game=mnk")
    set_up(page, "Random")
    page.get_by_role("radio", name="The machine").check()
    button(page, "Start").click()
    expect(situation(page)).to_have_text(YOUR_CHOICE)
    expect(moves(page)).to_have_count(3)
    choices(page).get_by_text("Play X").click()
    expect(moves(page)).to_have_count(4)
    assert seats(page) == ["X You", "O Random"]
    button(page, "Undo").click()
    expect(situation(page)).to_have_text(YOUR_CHOICE)
    assert seats(page) == ["Player 1 Random", "Player 2 You"]
    choices(page).get_by_text("Play O").click()
    expect(situation(page)).to_have_text("You chose O. Your turn.")


def test_swap2_is_offered_where_it_can_begin(visit: Visit) -> None:
    page = visit().go("/?game=mnk")
    begin = page.get_by_role("group", name="Begin with swap2")
    expect(begin).to_be_visible()
    page.get_by_label("Board", exact=True).select_option(label="Custom")
    page.get_by_label("In a row").fill("3")
    page.get_by_label("In a row").press("Tab")
    expect(begin).to_be_hidden()
    page.goto(page.url.replace("game=mnk", "game=connect4"))
    expect(page.get_by_label("Opponent")).to_be_visible()
    expect(begin).to_be_hidden()


@needs_wasm
def test_a_page_without_a_server_begins_with_swap2(tmp_path: Path) -> None:
    written(tmp_path)
    with hosted(tmp_path) as address, chromium() as browser:
        visitor = Visitor(browser, address)
        page = visitor.go("#/?game=mnk")
        set_up(page, "Engine, by level")
        choose(page, level="1")
        placed(page, *STONES)
        expect(situation(page)).to_contain_text("Your opponent chose")
        button(page, "Undo").click()
        expect(situation(page)).to_contain_text("You place an X: stone 3 of 3.")
        page.reload()
        expect(situation(page)).to_contain_text("You place an X: stone 3 of 3.")
        visitor.go("#/?game=mnk")
        page.get_by_role("radio", name="The machine").check()
        button(page, "Start").click()
        expect(situation(page)).to_have_text(YOUR_CHOICE)
        choices(page).get_by_text("Add two stones").click()
        expect(situation(page)).to_contain_text("You place an O: stone 4 of 5.")
        assert visitor.wrong == []
