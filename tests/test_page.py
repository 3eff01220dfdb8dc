"""The page in a real browser, on the real server with the real engine and a database."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

import pytest
from page import (
    Visit,
    Visitor,
    button,
    choose,
    faults,
    moves,
    needs_axe,
    needs_browser,
    playable,
    settled,
)
from playwright.sync_api import Page, WebSocketRoute, expect

import noughts
from noughts.views.svg import DARK, LIGHT

pytestmark = needs_browser
GAMES = ["basic", "mnk:4,4,3", "connect4", "advanced", "ultimate"]


def begun(visitor: Visitor, game: str, *, opponent: str = "Engine, by level") -> Page:
    """Open a board that is ready to play."""
    page = visitor.go(f"/?game={game}")
    choose(page, opponent=opponent)
    if opponent == "Engine, by level":
        choose(page, level="1")
    expect(playable(page).first).to_be_visible()
    return page


def play_out(page: Page, play: Callable[[Page], None]) -> int:
    """Play until the game is over; return how many moves were made."""
    made = 0
    while not page.locator(".result").is_visible():
        play(page)
        made = settled(page, made + 1)
    return made


def result(page: Page) -> str:
    return page.locator(".result").inner_text()


# Playing


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_mouse(visit: Visit, game: str) -> None:
    visitor = visit()
    page = begun(visitor, game)
    play_out(page, lambda page: playable(page).last.click())
    expect(page).to_have_url(re.compile(r"/game/[\w-]+$"))
    assert re.match(r"[XO] wins|A draw", result(page))
    expect(playable(page)).to_have_count(0)
    if result(page)[1:].startswith(" wins"):
        expect(page.locator(".picture .won").first).to_be_attached()
    shown = moves(page).all_inner_texts()
    start = noughts.game(game)
    for text in shown:
        start = start.play(start.parse_move(text))
    assert start.outcome() is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_keys_alone(visit: Visit, game: str) -> None:
    page = begun(visit(), game)

    def play(page: Page) -> None:
        page.keyboard.press("End")
        expect(page.locator(".cell:focus")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("Enter")

    page.locator(".cell[tabindex='0']").focus()
    play_out(page, play)
    assert re.match(r"[XO] wins|A draw", result(page))


@pytest.mark.parametrize(
    ("game", "typed"), [("basic", "5"), ("mnk:12,3,3", "b2"), ("connect4", "4"), ("ultimate", "59")]
)
def test_a_move_is_typed(visit: Visit, game: str, typed: str) -> None:
    page = begun(visit(), game, opponent="Two people here")
    page.keyboard.type(typed[0])
    if len(typed) > 1:
        expect(page.locator(".typed")).to_have_text(f"Move: {typed[0]}")
        page.keyboard.type(typed[1:])
    expect(moves(page)).to_have_text([typed])
    expect(page.locator(".typed")).to_have_text("")


def test_a_typed_move_with_which_a_longer_one_begins_waits_for_enter(visit: Visit) -> None:
    page = begun(visit(), "mnk:3,12,3", opponent="Two people here")
    page.keyboard.type("a1")
    expect(page.locator(".typed")).to_have_text("Move: a1")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_text(["a1"])
    page.keyboard.type("a12")
    expect(moves(page)).to_have_text(["a1", "a12"])


def test_a_typed_move_that_is_not_legal_is_refused_with_the_reason(visit: Visit) -> None:
    visitor = visit()
    page = begun(visitor, "basic", opponent="Two people here")
    page.keyboard.type("5")
    expect(moves(page)).to_have_count(1)
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("taken")
    page.keyboard.type("1")
    expect(moves(page)).to_have_text(["5", "1"])
    expect(page.get_by_role("alert")).to_have_text("")
    visitor.expected(422)


def test_arrow_keys_go_over_the_cells_and_from_board_to_board(visit: Visit) -> None:
    page = begun(visit(), "ultimate", opponent="Two people here")
    focused = page.locator(".cell:focus")
    page.locator(".cell[tabindex='0']").focus()
    expect(focused).to_have_attribute("aria-label", "board 1, cell 1, empty")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "board 2, cell 1, empty")
    page.keyboard.press("Control+ArrowDown")
    expect(focused).to_have_attribute("aria-label", "board 5, cell 1, empty")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_text(["51"])
    expect(focused).to_have_attribute("aria-label", "board 5, cell 1, X, last move")
    page.keyboard.press("Home")
    expect(focused).to_have_attribute("aria-label", "board 1, cell 1, empty")
    assert page.locator(".cell[tabindex='0']").count() == 1


def test_moves_and_results_are_announced(visit: Visit) -> None:
    page = begun(visit(), "ultimate", opponent="Two people here")
    said = page.locator("#said")
    page.keyboard.type("51")
    expect(said).to_have_text("X plays 51. O to move on board 1.")
    page.keyboard.type("17")
    expect(said).to_have_text("O plays 17. X to move on board 7.")
    expect(page.get_by_role("grid")).to_have_attribute(
        "aria-label", re.compile("X to move on board 7")
    )
    page = begun(visit(), "basic", opponent="Two people here")
    for move in "51923":
        page.keyboard.type(move)
    page.keyboard.type("7")
    page.keyboard.type("4")
    page.keyboard.type("8")
    page.keyboard.type("6")
    expect(page.locator("#said")).to_have_text(re.compile("^X plays"))


def test_the_forced_board_is_marked(visit: Visit) -> None:
    page = begun(visit(), "ultimate", opponent="Two people here")
    page.keyboard.type("57")
    expect(page.locator(".picture .ground.forced")).to_have_count(1)
    assert {name.split(",")[0] for name in labels(page)} == {"board 7"}


def labels(page: Page) -> list[str]:
    found: list[str] = playable(page).evaluate_all(
        "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    )
    return found


def test_a_disc_is_shown_where_it_would_fall(visit: Visit) -> None:
    page = begun(visit(), "connect4", opponent="Two people here")
    page.keyboard.type("4")
    expect(moves(page)).to_have_count(1)
    page.get_by_role("gridcell", name="column 4, row 6, empty").hover()
    ghost = page.locator(".ghost path")
    expect(ghost).to_be_visible()
    box, cell = (
        ghost.bounding_box(),
        page.get_by_role("gridcell", name="column 4, row 2").bounding_box(),
    )
    assert box is not None
    assert cell is not None
    assert cell["y"] < box["y"] + box["height"] / 2 < cell["y"] + cell["height"]


# Taking back, looking back


def test_undo_and_redo(visit: Visit) -> None:
    page = begun(visit(), "basic")
    page.keyboard.type("1")
    settled(page, 2)
    before = moves(page).all_inner_texts()
    button(page, "Undo").click()
    expect(moves(page)).to_have_count(0)
    expect(button(page, "Undo")).to_be_disabled()
    page.keyboard.press("Control+y")
    expect(moves(page)).to_have_text(before)
    page.keyboard.press("Control+z")
    expect(moves(page)).to_have_count(0)
    page.keyboard.press("Control+Shift+z")
    expect(moves(page)).to_have_text(before)


def test_one_looks_back_and_comes_back(visit: Visit) -> None:
    page = begun(visit(), "basic", opponent="Two people here")
    for move in "5192":
        page.keyboard.type(move)
        expect(page.locator("[aria-current=step]")).to_have_text(move)
    moves(page).nth(1).click()
    expect(page.locator(".note:not(.alert)")).to_contain_text("after move 2 of 4")
    expect(page.get_by_role("gridcell", name="cell 9, empty")).to_be_visible()
    page.keyboard.press("]")
    expect(page.locator(".note:not(.alert)")).to_contain_text("after move 3 of 4")
    page.keyboard.press("[")
    expect(page.locator(".note:not(.alert)")).to_contain_text("after move 2 of 4")
    page.keyboard.press("Escape")
    expect(page.locator(".note:not(.alert)")).to_have_count(0)
    expect(page.get_by_role("gridcell", name="cell 2, O")).to_be_visible()


def test_a_move_in_the_past_is_a_try_beside_the_game(visit: Visit) -> None:
    page = begun(visit(), "basic", opponent="Two people here")
    for move in "519":
        page.keyboard.type(move)
        expect(page.locator("[aria-current=step]")).to_have_text(move)
    moves(page).nth(0).click()
    page.get_by_role("gridcell", name="cell 3, empty").click()
    expect(page.locator(".note:not(.alert)")).to_contain_text(
        "You are trying moves; the game stands at move 3"
    )
    expect(moves(page)).to_have_text(["5", "1", "9"])
    expect(page.locator(".variation button")).to_have_text(["3"])
    button(page, "Back to the game").click()
    expect(page.get_by_role("gridcell", name="cell 3, empty")).to_be_visible()


def test_resigning_asks_once_and_a_rematch_swaps_the_sides(visit: Visit) -> None:
    page = begun(visit(), "basic")
    playable(page).first.click()
    settled(page, 2)
    button(page, "More to do").click()
    button(page, "Resign").click()
    button(page, "Go on").click()
    expect(page.locator(".result")).to_have_count(0)
    button(page, "More to do").click()
    button(page, "Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_have_text("O wins: X has resigned.")
    expect(page.locator(".score")).to_have_text("You 0 : 1 Engine, level 1")
    first = page.url
    button(page, "Rematch").click()
    expect(page).not_to_have_url(first)
    expect(page.locator(".player").nth(1)).to_contain_text("You")
    expect(page.locator(".score")).to_have_text("Engine, level 1 1 : 0 You")
    settled(page, 1)


def test_who_wants_o_and_to_begin_sees_the_letters_swapped(visit: Visit) -> None:
    page = begun(visit(), "basic")
    page.get_by_role("radio", name="O", exact=True).check()
    expect(page.locator(".player").nth(1)).to_contain_text("You")
    expect(page.locator(".player").nth(1)).to_contain_text("to move")
    page.keyboard.type("5")
    expect(page.get_by_role("gridcell", name="cell 5, O")).to_be_visible()
    settled(page, 2)
    expect(page.locator(".player").nth(1)).to_contain_text("to move")
    button(page, "More to do").click()
    button(page, "Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_have_text("X wins: O has resigned.")


def test_the_machine_begins_when_it_is_to(visit: Visit) -> None:
    page = begun(visit(), "connect4")
    page.get_by_role("radio", name="The machine").check()
    button(page, "Start").press("Enter")
    assert settled(page, 1) == 1
    expect(page.locator(".cell:focus")).to_be_visible()
    expect(page).to_have_title("Your move · Connect Four · noughts")
    expect(page.locator(".player").nth(0)).to_contain_text("You")


def test_a_long_search_is_shown_and_stopped(visit: Visit) -> None:
    page = visit().go("/?game=ultimate")
    choose(page, opponent="Engine, by time")
    page.get_by_label("Seconds a move").fill("25")
    page.get_by_label("Seconds a move").press("Enter")
    page.keyboard.press("Escape")
    playable(page).first.click()
    expect(page.locator(".thinking .doing")).to_have_text("thinks")
    button(page, "Stop").click()
    expect(moves(page)).to_have_count(2, timeout=15_000)
    expect(page.locator(".thinking")).to_have_count(0)


# The set-up


def test_the_last_choice_is_remembered(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/?game=mnk")
    for name, value in (("columns", "6"), ("rows", "5"), ("in a row", "3")):
        page.get_by_label(name, exact=True).fill(value)
        page.get_by_label(name, exact=True).press("Tab")
    page.get_by_role("slider").fill("7")
    expect(page.get_by_role("gridcell")).to_have_count(30)
    page = visitor.go("/")
    expect(page.get_by_role("gridcell")).to_have_count(30)
    expect(page.locator(".player").nth(1)).to_contain_text("Engine, level 7")
    expect(page.locator("[data-tab=mnk]")).to_have_attribute("aria-current", "page")


def test_a_variant_of_the_rules_is_played(visit: Visit) -> None:
    visitor = visit()
    page = begun(visitor, "ultimate", opponent="Two people here")
    page.get_by_text("Variants of the rules").click()
    page.get_by_label("A won board").select_option(label="stays open")
    expect(page.get_by_text("it cannot be won again")).to_be_visible()
    playable(page).first.click()
    expect(page).to_have_url(re.compile("/game/"))
    shown = visitor.context.request.get(page.url.replace("/game/", "/api/v1/games/")).json()
    assert shown["rules"] == "ultimate:won=open"


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/nothing/here", "There is nothing at this address."),
        ("/game/nosuchgame", "There is no such game, or your link does not open it."),
        ("/?game=chess", "There is no game chess here."),
        ("/position/basic~XXX.OOO.3~X", "both X and O have a line"),
        ("/?game=mnk:40,3,3", "19"),
    ],
)
def test_a_wrong_address_gets_a_calm_sentence(visit: Visit, path: str, sentence: str) -> None:
    visitor = visit()
    page = visitor.go(path)
    expect(page.get_by_role("heading")).to_contain_text(sentence)
    for status in (404, 422):
        visitor.expected(status)


def test_a_position_in_the_address_is_played_from(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/position/basic~XX1.OO1.3~X?moves=9")
    expect(page.get_by_role("gridcell", name="cell 9, X, last move")).to_be_visible()
    expect(page.locator(".player").nth(1)).to_contain_text("to move")
    playable(page).first.click()
    settled(page, 2)
    expect(page.locator(".move.x").first).to_have_text("9")


# Sharing


def open_seat(visitor: Visitor, game: str = "basic") -> tuple[Page, str]:
    """Open a game for somebody with a link; return its page, and where the link leads."""
    page = begun(visitor, game, opponent="A person with a link")
    button(page, "Open the game and get the link").click()
    link = page.get_by_label("Send this link to the other player")
    expect(link).to_be_visible()
    return page, link.input_value().removeprefix(visitor.address)


def test_two_play_by_link_and_a_third_looks_on(visit: Visit) -> None:
    host, guest, watcher = visit(), visit(), visit()
    page, link = open_seat(host)
    there = guest.go(link)
    expect(there.locator(".player").nth(1)).to_contain_text("You")
    expect(page.get_by_label("Send this link to the other player")).to_have_count(0)
    assert "join" not in there.url
    page.keyboard.type("5")
    expect(moves(there)).to_have_text(["5"])
    there.keyboard.type("1")
    expect(moves(page)).to_have_text(["5", "1"])

    button(page, "Share").click()
    watched = page.get_by_label("To look on").input_value().removeprefix(host.address)
    look = watcher.go(watched)
    expect(moves(look)).to_have_text(["5", "1"])
    expect(button(look, "Undo")).to_be_disabled()
    page.keyboard.press("Escape")
    page.keyboard.type("9")
    expect(moves(look)).to_have_text(["5", "1", "9"])
    late = visit()
    seat = late.go(link)
    expect(seat.get_by_role("alert")).to_contain_text("taken")
    late.expected(409)
    nobody = visit()
    expect(nobody.go(page.url.removeprefix(host.address)).get_by_role("heading")).to_contain_text(
        "There is no such game"
    )
    nobody.expected(404)


def test_copying_a_link_says_so(visit: Visit) -> None:
    page = begun(visit(permissions=["clipboard-read", "clipboard-write"]), "basic")
    page.keyboard.type("5")
    settled(page, 2)
    button(page, "Share").click()
    button(page, "Copy").last.click()
    expect(button(page, "Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.get_by_label("This position").input_value()
    page.goto(copied)
    expect(page.get_by_role("gridcell", name="cell 5, X")).to_be_visible()


def test_a_game_is_taken_out_and_put_in_again(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    page = begun(visitor, "ultimate", opponent="Two people here")
    for move in ("51", "17"):
        page.keyboard.type(move)
        expect(page.locator("[aria-current=step]")).to_have_text(move)
    button(page, "Share").click()
    beginnings = {
        "Text record": b"[",
        "JSON": b"{",
        "Picture, SVG": b"<svg",
        "Picture, PNG": b"\x89PNG",
    }
    for name, beginning in beginnings.items():
        with page.expect_download() as download:
            button(page, name).click()
        assert download.value.path().read_bytes().startswith(beginning)
        assert download.value.suggested_filename.startswith("noughts-ultimate-")
    download.value.save_as(tmp_path / "game.png")
    page.keyboard.press("Escape")

    page = visitor.go("/games")
    button(page, "Import").click()
    page.get_by_label("Games as text").fill("ultimate 51 99")
    page.get_by_role("dialog").get_by_role("button", name="Import").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).not_to_have_text("")
    file = tmp_path / "game.txt"
    file.write_text("basic 5 1 9 2\n", encoding="utf-8")
    page.get_by_label("From a file").set_input_files(file)
    expect(page.get_by_label("Games as text")).to_have_value("basic 5 1 9 2\n")
    page.get_by_role("dialog").get_by_role("button", name="Import").click()
    expect(moves(page)).to_have_text(["5", "1", "9", "2"])
    visitor.expected(422)


def test_a_reload_goes_on_where_the_game_was(visit: Visit) -> None:
    page = begun(visit(), "ultimate")
    playable(page).first.click()
    made = settled(page, 2)
    before = moves(page).all_inner_texts()
    page.reload()
    expect(moves(page)).to_have_text(before)
    playable(page).first.click()
    assert settled(page, made + 1) > made


def test_two_tabs_show_one_game(visit: Visit) -> None:
    visitor = visit()
    page = begun(visitor, "basic", opponent="Two people here")
    page.keyboard.type("5")
    expect(page).to_have_url(re.compile("/game/"))
    other = visitor.tab()
    other.goto(page.url)
    expect(moves(other)).to_have_text(["5"])
    page.keyboard.type("1")
    expect(moves(other)).to_have_text(["5", "1"])
    other.keyboard.type("9")
    expect(moves(page)).to_have_text(["5", "1", "9"])


def test_the_later_of_two_conflicting_moves_is_refused(visit: Visit) -> None:
    visitor = visit()
    page = begun(visitor, "basic", opponent="Two people here")
    page.keyboard.type("5")
    expect(page).to_have_url(re.compile("/game/"))
    # A tab that hears nothing of what the other one does.
    other = visitor.tab()
    other.route_web_socket(re.compile("/live"), lambda _: None)
    other.goto(page.url)
    expect(moves(other)).to_have_text(["5"])
    page.keyboard.type("1")
    expect(moves(page)).to_have_text(["5", "1"])
    other.keyboard.type("9")
    expect(other.get_by_role("alert")).to_contain_text("The game has gone on in the meantime")
    expect(moves(other)).to_have_text(["5", "1"])
    other.keyboard.type("9")
    expect(moves(page)).to_have_text(["5", "1", "9"])
    expect(other.get_by_role("alert")).to_have_text("")
    visitor.expected(409)


def test_a_lost_connection_is_said_and_comes_back(visit: Visit) -> None:
    visitor = visit()
    page = begun(visitor, "basic", opponent="Two people here")
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    page.route_web_socket(re.compile("/live"), through)
    page.keyboard.type("5")
    expect(page).to_have_url(re.compile("/game/"))
    page.reload()
    expect(moves(page)).to_have_text(["5"])
    while not sockets:
        page.wait_for_timeout(50)
    sockets[-1].close(code=1012)
    expect(page.get_by_role("alert")).to_have_text(
        "The connection is lost. It comes back by itself."
    )
    expect(page.get_by_role("alert")).to_have_text("")
    page.keyboard.type("1")
    expect(moves(page)).to_have_text(["5", "1"])


# Looks


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_the_colours_are_those_of_the_house(visit: Visit, scheme: str, theme: object) -> None:
    page = visit(color_scheme=scheme).go("/?game=basic")
    expect(playable(page).first).to_be_visible()
    names = type(theme)._fields  # type: ignore[attr-defined]
    for name, colour in zip(names, theme, strict=True):  # type: ignore[call-overload]
        value = page.evaluate(
            "name => getComputedStyle(document.documentElement).getPropertyValue(name)",
            f"--{name.replace('_', '-')}",
        )
        assert value == colour


def test_the_theme_is_chosen_and_kept(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.go("/")
    for _ in range(2):
        page.locator("#theme").click()
    expect(page.locator("body")).to_have_css("background-color", "rgb(19, 21, 24)")
    page.reload()
    expect(page.locator("body")).to_have_css("background-color", "rgb(19, 21, 24)")


@pytest.mark.parametrize("width", [360, 768, 1024, 2560])
@pytest.mark.parametrize(
    "path", ["/?game=ultimate", "/?game=connect4", "/?game=mnk:19,19,5", "/games"]
)
def test_nothing_is_scrolled_sideways(visit: Visit, path: str, width: int) -> None:
    page = visit(viewport={"width": width, "height": 740}).go(path)
    expect(page.locator(".cell, h1").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_is_touched_is_large_enough(visit: Visit) -> None:
    page = begun(visit(viewport={"width": 360, "height": 740}, has_touch=True), "ultimate")
    cell = page.locator(".cell").first.bounding_box()
    assert cell is not None
    assert min(cell["width"], cell["height"]) >= 32
    playable(page).first.tap()
    settled(page, 2)
    sizes: list[list[object]] = page.evaluate(
        """() => [...document.querySelectorAll('button, select, input:not([type=radio]), a')]
             .filter((each) => each.checkVisibility() && !each.closest('.rows, .skip'))
             .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect().height])"""
    )
    assert [each for each in sizes if float(str(each[1])) < 40] == []


def test_no_motion_where_none_is_wanted(visit: Visit) -> None:
    page = begun(visit(reduced_motion="reduce"), "basic", opponent="Two people here")
    page.keyboard.type("5")
    expect(page.locator(".fresh .latest")).to_have_css("animation-name", "none")


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_screen_has_a_serious_fault_of_accessibility(visit: Visit, scheme: str) -> None:
    visitor = visit(color_scheme=scheme)
    found = {}
    for game in GAMES:
        page = begun(visitor, game)
        found[f"set-up of {game}"] = faults(page)
        playable(page).first.click()
        settled(page, 2)
        found[game] = faults(page)
    moves(page).first.click()
    found["a look back"] = faults(page)
    button(page, "More to do").click()
    found["menu"] = faults(page)
    button(page, "Keys").click()
    found["keys"] = faults(page)
    page.keyboard.press("Escape")
    button(page, "Share").click()
    found["share"] = faults(page)
    page = begun(visitor, "basic")
    play_out(page, lambda page: playable(page).first.click())
    found["over"] = faults(page)
    page = visitor.go("/games")
    expect(page.locator(".game").first).to_be_visible()
    found["games"] = faults(page)
    page = visitor.go("/nothing")
    found["an error"] = faults(page)
    visitor.expected(404)
    assert {screen: wrong for screen, wrong in found.items() if wrong} == {}


# My games


def test_games_are_listed_found_taken_up_and_deleted(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/games")
    expect(page.get_by_text("You have played no games yet.")).to_be_visible()
    for game in ("basic", "connect4"):
        page = begun(visitor, game)
        playable(page).first.click()
        settled(page, 2)
    page.get_by_role("link", name="My games").click()
    games = page.locator(".game")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text("Connect Four")
    expect(games.first.locator("svg")).to_be_visible()
    page.get_by_role("searchbox").fill("basic")
    expect(games).to_have_count(1)
    games.get_by_role("link").click()
    settled(page, 2)
    page.go_back()
    expect(games).to_have_count(2)
    games.first.get_by_role("button").click()
    button(page, "Keep it").click()
    expect(games).to_have_count(2)
    games.first.get_by_role("button").click()
    button(page, "Delete").click()
    expect(games).to_have_count(1)
    page.reload()
    expect(games).to_have_count(1)
    page.get_by_role("searchbox").fill("ultimate")
    expect(page.get_by_text("No game of yours has these words.")).to_be_visible()


# Speed

CLICKED = """async (cell) => {
  const picture = document.querySelector('.picture');
  const before = performance.now();
  const drawn = new Promise((done) => {
    const watch = new MutationObserver(() => {
      watch.disconnect();
      requestAnimationFrame(() => done(performance.now() - before));
    });
    watch.observe(picture, { childList: true });
  });
  cell.click();
  return drawn;
}"""


@pytest.mark.parametrize("game", ["basic", "connect4"])
def test_a_click_is_answered_at_once(visit: Visit, game: str) -> None:
    """From the click to one's own mark on the screen; the target is 50 ms (p95) on a free machine.

    What is asserted leaves room for a machine that is busy with other things.
    """
    taken: list[float] = []
    visitor = visit()
    while len(taken) < 40:
        page = begun(visitor, game)
        while not page.locator(".result").is_visible():
            made = moves(page).count()
            taken.append(playable(page).first.evaluate(CLICKED))
            settled(page, made + 1)
    cuts = quantiles(taken, n=20)
    print(f"{game}: {len(taken)} clicks, median {cuts[9]:.0f} ms, p95 {cuts[18]:.0f} ms")
    assert cuts[9] < 500
