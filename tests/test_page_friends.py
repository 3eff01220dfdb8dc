"""Two people in two real browsers: names, clocks, offers, who is away, links, a silent server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from needs import needs_axe, needs_browser
from page import Visit, Visitor, button, choose, drawn, faults, intercept, moves, playable, served
from playwright.sync_api import Browser, Locator, Page, Route, expect

from noughts.web import clocks

pytestmark = needs_browser

NETWORK = "http://192.0.2.7:8322"


def set_up(visitor: Visitor, game: str = "basic") -> Page:
    """Open the set-up of a game against a person with a link."""
    page = visitor.go(f"/?game={game}")
    choose(page, opponent="A person with a link")
    return page


def invited(page: Page) -> str:
    """Open the game that is set up; return the path of its invite link."""
    button(page, "Open the game and get the link").click()
    link = page.get_by_label("Invite your opponent")
    expect(link).to_be_visible()
    return re.sub("^.*(?=/game/)", "", link.input_value())


def joined(visit: Visit, *line: str) -> tuple[Visitor, Visitor]:
    """Return two people who play a game, after some moves; the host is X."""
    host, guest = visit(), visit()
    page = set_up(host)
    there = guest.go(invited(page))
    expect(row(there, "O")).to_contain_text("You")
    for number, move in enumerate(line):
        mover = there if number % 2 else page
        expect(playable(mover).first).to_be_visible()
        mover.keyboard.type(move)
        for each in (page, there):
            expect(moves(each)).to_have_count(number + 1)
    return host, guest


def row(page: Page, side: str) -> Locator:
    return page.locator(".player").nth("XO".index(side))


def offer(page: Page) -> Locator:
    return page.locator(".offer-sentence")


def test_clock_and_names_are_set_up_and_the_flag_falls(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = 0.0
    begin = clocks.now()
    monkeypatch.setattr(clocks, "now", lambda: begin + later)
    monkeypatch.setattr(clocks, "STALL", float("inf"))  # of the machine, in real time
    host, guest = visit(), visit()
    page = set_up(host)
    page.get_by_role("radio", name="10+5").check()
    expect(page.locator(".setup")).to_contain_text("10 minutes each and 5 extra seconds")
    page.get_by_role("radio", name="Own").check()
    page.get_by_label("Minutes each").fill("1.5")
    page.get_by_label("Extra seconds").fill("7")
    page.get_by_label("Your name").fill("First")
    page.get_by_label("Your name").press("Tab")
    there = guest.go(invited(page))
    expect(row(there, "X")).to_contain_text("First")
    expect(page.locator(".time-left")).to_have_text(["1:30", "1:30"])

    button(there, "Add name").click()
    there.get_by_role("dialog").get_by_role("textbox").fill("Second")
    there.keyboard.press("Enter")
    expect(row(page, "O")).to_contain_text("Second")
    expect(button(there, "Add name")).to_have_count(0)
    page.reload()
    expect(row(page, "O")).to_contain_text("Second")

    page.keyboard.type("1")
    expect(moves(there)).to_have_count(1)
    there.keyboard.type("5")
    expect(moves(page)).to_have_count(2)
    expect(page.locator(".time-left.running")).to_have_attribute("data-side", "X")
    for each in (page, there):
        expect(row(each, "X").locator(".time-left")).to_have_text(re.compile(r"^1:[0-2]\d$"))
    later = 75.0
    page.reload()
    expect(page.locator(".time-left.running.low")).to_have_text(re.compile(r"0:[01]\d\.\d"))
    later = 1_000.0  # A server that stood still charges nobody for that time.
    for each, verdict in ((page, "You lost"), (there, "You win!")):
        expect(each.locator(".result")).to_have_text(verdict)
        expect(each.locator(".situation")).to_have_text("O wins: X ran out of time.")
    expect(page.locator(".time-left.running")).to_have_count(0)
    expect(row(there, "X").locator(".time-left")).to_have_text("0:00.0")


def check_phone(there: Page) -> None:
    """Check that an offer is on the screen of a phone, below the board."""
    accept = button(there, "Accept")
    there.set_viewport_size({"width": 740, "height": 360})
    expect(accept).to_be_in_viewport(ratio=1)
    there.set_viewport_size({"width": 360, "height": 600})
    expect(accept).to_be_in_viewport(ratio=1)
    board, answer, bar = (
        each.evaluate(
            "each => [each.getBoundingClientRect().top, each.getBoundingClientRect().bottom]"
        )
        for each in (there.locator(".pane"), accept, there.locator(".actions"))
    )
    assert board[1] <= answer[0] < answer[1] <= bar[0]
    there.set_viewport_size({"width": 1240, "height": 860})


def places(page: Page) -> list[object]:
    """Return the places of the board and of the buttons that are there without an offer."""
    found: list[object] = page.evaluate(
        """() => [...document.querySelectorAll('.pane, .actions button, .tools button, .cards')]
             .map((each) => { const {x, y} = each.getBoundingClientRect(); return [x, y]; })"""
    )
    return found


@needs_axe
def test_draw_and_take_back_are_offered_and_answered(visit: Visit) -> None:
    page, there = (each.page for each in joined(visit, "1", "5"))
    before = places(there)
    button(page, "Offer draw").click()
    expect(offer(page)).to_have_text("You offer a draw.")
    expect(offer(there)).to_have_text("Your opponent offers a draw.")
    assert places(there) == before
    assert faults(there) == []
    check_phone(there)
    button(there, "Decline").click()
    expect(offer(page)).to_have_text("Your draw offer was not accepted.")
    expect(offer(there)).to_have_text("")
    assert places(page) == before
    expect(button(page, "Offer draw")).to_be_disabled()

    button(page, "Undo").click()
    expect(offer(there)).to_have_text("Your opponent asks to take back a move.")
    button(page, "Withdraw").click()
    for each in (page, there):
        expect(offer(each)).to_have_text("")
    expect(button(page, "Undo")).to_be_disabled()
    button(there, "Undo").click()
    button(page, "Accept").click()
    for each in (page, there):
        expect(moves(each)).to_have_text(["1"])
        expect(offer(each)).to_have_text("")
    assert places(there) == before

    button(there, "Offer draw").click()
    expect(offer(page)).to_have_text("Your opponent offers a draw.")
    button(page, "Accept").click()
    for each in (page, there):
        expect(each.locator(".result")).to_have_text("Draw")
        expect(each.locator(".situation")).to_have_text("A draw: both players agreed.")


def test_move_goes_through_when_an_offer_comes_before_it(visit: Visit) -> None:
    host, guest = joined(visit, "1", "5")
    page, there = host.page, guest.page
    intercept(page, re.compile("/moves$"), lambda route: held(route, there))
    page.keyboard.type("2")
    expect(moves(there)).to_have_text(["1", "5", "2"])
    expect(page.get_by_role("alert")).to_have_text("")
    expect(offer(there)).to_have_text("Your draw offer was not accepted.")
    host.expected(409)


def held(route: Route, there: Page) -> None:
    """Let a request pass after the other person has offered a draw."""
    if button(there, "Offer draw").is_enabled():
        button(there, "Offer draw").click()
        expect(button(there, "Withdraw")).to_be_visible()
    route.continue_()


def test_rematch_carries_both_people_and_a_spectator_along(visit: Visit) -> None:
    page, there = (each.page for each in joined(visit, "1"))
    button(page, "Share").click()
    watched = page.get_by_label("Watch link").input_value()
    look = visit().go(watched[watched.index("/game/") :])
    expect(moves(look)).to_have_text(["1"])
    page.keyboard.press("Escape")
    button(page, "More").click()
    expect(page.get_by_role("link", name="Step through search")).to_have_count(0)
    button(page, "Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(there.locator(".result")).to_contain_text("You win!")
    button(page, "More").click()
    expect(page.get_by_role("link", name="Step through search")).to_be_visible()
    page.keyboard.press("Escape")
    first = page.url
    button(there, "Rematch").click()
    expect(offer(there)).to_have_text("You offer a rematch.")
    expect(button(there, "Rematch")).to_be_disabled()
    expect(offer(page)).to_have_text("Your opponent wants a rematch.")
    expect(offer(look)).to_have_text("Guest wants a rematch.")
    assert page.url == first
    button(page, "Decline").click()
    expect(offer(there)).to_have_text("Your rematch was not accepted.")
    button(page, "Rematch").click()
    expect(offer(there)).to_have_text("Your opponent wants a rematch.")
    button(there, "Accept").click()
    for each in (page, there, look):
        expect(each).not_to_have_url(re.compile(re.escape(first)))
        expect(moves(each)).to_have_count(0)
    assert page.url == there.url == look.url.partition("#")[0]
    expect(row(page, "O")).to_contain_text("You")
    expect(row(there, "X")).to_contain_text("You")
    there.keyboard.type("5")
    for each in (page, look):
        expect(moves(each)).to_have_text(["5"])


def test_tab_says_whose_move_it_is_and_the_row_who_is_away(visit: Visit) -> None:
    page, there = (each.page for each in joined(visit, "1"))
    doing, icon = row(page, "O").locator(".doing"), there.locator("link[rel=icon]")
    expect(doing).to_have_text("to move")
    expect(page).to_have_title("O to move · Tic-tac-toe · noughts")
    expect(there).to_have_title("Your move · Tic-tac-toe · noughts")
    expect(icon).to_have_attribute("href", "/static/icon-turn.svg")

    address = there.url
    there.get_by_role("link", name="My games").click()
    expect(icon).to_have_attribute("href", "/static/icon.svg")
    expect(there).to_have_title(re.compile("^My games"))
    expect(doing).to_have_text("to move · away")
    there.goto(address)
    expect(doing).to_have_text("to move")

    there.keyboard.type("5")
    expect(page).to_have_title("Your move · Tic-tac-toe · noughts")
    expect(there).to_have_title("X to move · Tic-tac-toe · noughts")
    expect(icon).to_have_attribute("href", "/static/icon.svg")


# Links


def test_link_of_a_server_for_this_machine_says_so(visit: Visit) -> None:
    page = set_up(visit())
    invited(page)
    note = "Links work on this machine only"
    expect(page.locator(".card .local")).to_contain_text(note)
    button(page, "Share").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".local")).to_contain_text(note)
    expect(dialog.locator("code")).to_have_text("noughts serve --host 0.0.0.0")
    expect(dialog.locator(".qr")).to_have_count(0)


@pytest.fixture
def in_network(browser: Browser, tmp_path: Path) -> Iterator[Visitor]:
    """Visit a server that others in the network reach, at its own machine."""
    with served(tmp_path / "games.db", network=NETWORK) as address:
        visitor = Visitor(browser, address)
        yield visitor
        visitor.context.close()
        assert not visitor.wrong


@needs_axe
def test_link_in_the_network_has_its_address_and_a_qr_code(in_network: Visitor) -> None:
    page = set_up(in_network)
    invited(page)
    link = page.get_by_label("Invite your opponent")
    expect(link).to_have_value(re.compile(f"^{re.escape(NETWORK)}/game/[\\w-]+#join="))
    button(page, "Share").click()
    dialog = page.get_by_role("dialog")
    code = dialog.get_by_role("img", name="QR code of the invite link")
    expect(code).to_be_visible()
    assert code.evaluate("async image => { await image.decode(); return image.naturalWidth; }") > 0
    expect(dialog.locator(".local")).to_have_count(0)
    for each in dialog.get_by_role("textbox").all():
        expect(each).to_have_value(re.compile(f"^{re.escape(NETWORK)}/"))
    assert faults(page) == []


# A server that does not answer


def test_sentence_on_a_silent_server_ends_when_it_answers(visit: Visit) -> None:
    visitor = visit(fresh=True)
    visitor.page.clock.install()
    page = visitor.go("/?game=basic")
    choose(page, opponent="Two people here")
    expect(playable(page).first).to_be_visible()
    intercept(page, "**", lambda route: route.abort())
    page.keyboard.type("5")
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("The server does not answer. Try again.")
    for _ in range(4):
        page.clock.fast_forward(1_000)
        drawn(page, 3)
        assert alert.inner_text() == "The server does not answer. Try again."
    page.unroute("**")
    expect(alert).to_have_text("")
    page.keyboard.type("5")
    expect(moves(page)).to_have_text(["5"])
    visitor.wrong = [each for each in visitor.wrong if "ERR_FAILED" not in each]


IS_SEEN = """
() => {
  const focused = document.activeElement;
  if (focused === document.body) return true;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return focused.contains(there) || Boolean(there?.closest("label")?.contains(focused));
}
"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_bars_of_a_small_window_hide_no_focus(visit: Visit, width: int, height: int) -> None:
    page = visit(viewport={"width": width, "height": height}).go("/?game=mnk&opponent=guest")
    expect(button(page, "Open the game and get the link")).to_be_visible()
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate(IS_SEEN), page.evaluate("document.activeElement.outerHTML")
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.querySelector('.actions button:enabled').focus()")
    assert page.evaluate("scrollY") == 0
