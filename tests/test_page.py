"""The page in a real browser, on the real server with the real engine and a database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from needs import needs_axe, needs_browser
from page import (
    Visit,
    Visitor,
    button,
    choose,
    faults,
    intercept,
    moves,
    playable,
    served,
    settled,
    wait_for,
)
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect
from samples import NIM, games_restored

import noughts
from noughts.games.registry import load
from noughts.opponents import suits_perfect
from noughts.views.svg import DARK, LIGHT

pytestmark = needs_browser
GAMES = ["basic", "mnk:4,4,3", "connect4", "advanced", "ultimate"]


def begun(visitor: Visitor, game: str, *, opponent: str = "Engine, by level") -> Page:
    """Open a board and wait until it is ready to play."""
    page = visitor.go(f"/?game={game}")
    choose(page, opponent=opponent)
    if opponent == "Engine, by level":
        choose(page, level="1")
    expect(playable(page).first).to_be_visible()
    return page


def play_out(page: Page, play: Callable[[Page], None]) -> int:
    """Play until the game is over; return the number of moves."""
    made = moves(page).count()
    while not page.locator(".result").is_visible():
        play(page)
        made = settled(page, made + 1)
    return made


RESULT = r"You win! X wins|You lost O wins|Draw A draw"


def result(page: Page) -> str:
    return " ".join(page.locator(name).inner_text() for name in (".result", ".situation"))


# Playing


@pytest.mark.parametrize("game", GAMES)
def test_game_is_played_to_its_end_by_mouse(visit: Visit, game: str) -> None:
    visitor = visit()
    page = begun(visitor, game)
    play_out(page, lambda page: playable(page).last.click())
    expect(page).to_have_url(re.compile(r"/game/[\w-]+$"))
    assert re.match(RESULT, result(page))
    expect(playable(page)).to_have_count(0)
    if " wins" in result(page):
        expect(page.locator(".picture .won").first).to_be_attached()
    shown = moves(page).all_inner_texts()
    start = noughts.game(game)
    for text in shown:
        start = start.play(start.parse_move(text))
    assert start.outcome() is not None


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=pytest.mark.soak if game in ("mnk:4,4,3", "advanced") else ())
        for game in GAMES
    ],
)
def test_game_is_played_to_its_end_by_keyboard(visit: Visit, game: str) -> None:
    page = begun(visit(), game)

    def play(page: Page) -> None:
        page.keyboard.press("End")
        expect(page.locator(".cell:focus")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("Enter")

    page.locator(".cell[tabindex='0']").focus()
    play_out(page, play)
    assert re.match(RESULT, result(page))


def test_perfect_begins_where_it_knows_only_the_first_player(visit: Visit) -> None:
    page = visit(fresh=True).go("/?game=advanced")
    expect(page.get_by_role("radio", name="You", exact=True)).to_be_checked()
    choose(page, opponent="Perfect")
    expect(page.get_by_role("radio", name="You", exact=True)).to_have_count(0)
    choose(page, opponent="Engine, by level")
    expect(page.get_by_role("radio", name="You", exact=True)).to_be_checked()
    page.get_by_role("radio", name="The machine").check()
    page.get_by_role("radio", name="You", exact=True).check()
    expect(button(page, "Start")).to_have_count(0)
    choose(page, opponent="Perfect")
    button(page, "Start").click()
    expect(moves(page).first).to_have_text("55")


def test_perfect_is_offered_where_the_other_programs_offer_it(visit: Visit) -> None:
    visitor = visit(fresh=True)
    offered = [
        *("basic", "connect4", "connect4:8,8", "connect4:5,4", "mnk:3,3,3", "mnk:15,15,5"),
        *("mnk:5,5,4", "mnk:5,5,4,misere", "mnk:4,4,3,exact,misere"),
        *("advanced", "advanced:full=draw", "ultimate", "ultimate:tie=boards"),
    ]
    seen = set()
    for rules in offered:
        page = visitor.go(f"/?game={rules}")
        expect(page.get_by_label("Opponent")).to_be_visible()
        texts = page.get_by_label("Opponent").locator("option").all_text_contents()
        assert ("Perfect" in texts) is suits_perfect(noughts.game(rules)), rules
        seen.add("Perfect" in texts)
    assert seen == {True, False}


def test_a_larger_board_has_another_opponent_than_perfect(visit: Visit) -> None:
    page = visit(fresh=True).go("/?game=mnk:4,2,3")
    choose(page, opponent="Perfect")
    page.get_by_label("Columns", exact=True).fill("13")
    page.get_by_label("Columns", exact=True).blur()
    expect(page).to_have_title(re.compile("13×2"))
    expect(page.get_by_label("Opponent")).to_have_value("engine:level={}")


@pytest.mark.parametrize(
    ("game", "typed"), [("basic", "5"), ("mnk:12,3,3", "b2"), ("connect4", "4"), ("ultimate", "59")]
)
def test_move_is_typed(visit: Visit, game: str, typed: str) -> None:
    page = begun(visit(), game, opponent="Two people here")
    page.keyboard.type(typed[0])
    if len(typed) > 1:
        expect(page.locator(".typed")).to_have_text(f"Move: {typed[0]}")
        page.keyboard.type(typed[1:])
    expect(moves(page)).to_have_text([typed])
    expect(page.locator(".typed")).to_have_text("")


def test_typed_prefix_of_a_longer_move_waits_for_enter(visit: Visit) -> None:
    page = begun(visit(), "mnk:3,12,3", opponent="Two people here")
    page.keyboard.type("a1")
    expect(page.locator(".typed")).to_have_text("Move: a1")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_text(["a1"])
    page.keyboard.type("a12")
    expect(moves(page)).to_have_text(["a1", "a12"])


@pytest.mark.parametrize(
    ("game", "first", "wrong", "reason", "then"),
    [
        ("basic", "5", "5", "taken", "3"),
        ("basic", "5", "q", None, "3"),
        ("mnk:5,5,4", "c3", "c3", "taken", "a1"),
        ("mnk:5,5,4", "c3", "c7", "There is no cell c7", "a1"),
        ("mnk:5,5,4", "c3", "z", None, "a1"),
        ("connect4", "4", "9", "There is no column 9", "4"),
        ("ultimate", "51", "99", "Play the top-left board", "15"),
    ],
)
def test_typed_move_that_cannot_be_legal_is_refused_and_cleared(
    visit: Visit, game: str, first: str, wrong: str, reason: str | None, then: str
) -> None:
    page = begun(visit(), game, opponent="Two people here")
    page.keyboard.type(first)
    expect(moves(page)).to_have_text([first])
    page.keyboard.type(wrong)
    if reason:
        expect(page.locator(".refusal")).to_contain_text(reason)
    expect(page.locator(".typed")).to_have_text("")
    page.keyboard.type(then)
    expect(moves(page)).to_have_text([first, then])
    expect(page.locator(".refusal")).to_be_hidden()


def test_arrow_keys_move_over_cells_and_boards(visit: Visit) -> None:
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
    said, situation = page.locator("#said"), page.locator(".situation")
    page.keyboard.type("51")
    expect(said).to_have_text("X plays 51.")
    expect(situation).to_have_text("X played top left, so O plays the top-left board.")
    page.keyboard.type("17")
    expect(said).to_have_text("O plays 17.")
    expect(situation).to_have_text("O played bottom left, so X plays the bottom-left board.")
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


def test_forced_board_is_marked(visit: Visit) -> None:
    page = begun(visit(), "ultimate", opponent="Two people here")
    page.keyboard.type("57")
    expect(page.locator(".picture .ground.forced")).to_have_count(1)
    assert {name.split(",")[0] for name in labels(page)} == {"board 7"}


def labels(page: Page) -> list[str]:
    found: list[str] = playable(page).evaluate_all(
        "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    )
    return found


def test_disc_is_previewed_where_it_would_fall(visit: Visit) -> None:
    page = begun(visit(), "connect4", opponent="Two people here")
    page.keyboard.type("4")
    expect(moves(page)).to_have_count(1)
    page.get_by_role("gridcell", name="column 4, row 6, empty").hover()
    ghost = page.locator(".ghost path:not(.disc)")
    expect(ghost).to_be_visible()
    box, cell = (
        ghost.bounding_box(),
        page.get_by_role("gridcell", name="column 4, row 2").bounding_box(),
    )
    assert box is not None
    assert cell is not None
    assert cell["y"] < box["y"] + box["height"] / 2 < cell["y"] + cell["height"]


# Undo, and earlier positions


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


def test_earlier_moves_are_viewed(visit: Visit) -> None:
    page = begun(visit(), "basic", opponent="Two people here")
    for move in "5192":
        page.keyboard.type(move)
        expect(page.locator("[aria-current=step]")).to_have_text(move)
    moves(page).nth(1).click()
    expect(page.locator(".note:not(.alert)")).to_contain_text("Viewing move 2 of 4")
    expect(page.get_by_role("gridcell", name="cell 9, empty")).to_be_visible()
    page.keyboard.press(".")
    expect(page.locator(".note:not(.alert)")).to_contain_text("Viewing move 3 of 4")
    page.keyboard.press(",")
    expect(page.locator(".note:not(.alert)")).to_contain_text("Viewing move 2 of 4")
    page.keyboard.press("Escape")
    expect(page.locator(".note:not(.alert)")).to_have_count(0)
    expect(page.get_by_role("gridcell", name="cell 2, O")).to_be_visible()


def test_move_in_the_past_explores_a_variation(visit: Visit) -> None:
    page = begun(visit(), "basic", opponent="Two people here")
    for move in "519":
        page.keyboard.type(move)
        expect(page.locator("[aria-current=step]")).to_have_text(move)
    moves(page).nth(0).click()
    page.get_by_role("gridcell", name="cell 3, empty").click()
    expect(page.locator(".note:not(.alert)")).to_contain_text("Exploring. The game is at move 3")
    expect(moves(page)).to_have_text(["5", "1", "9"])
    expect(page.locator(".variation button")).to_have_text(["3"])
    button(page, "Back to the game").click()
    expect(page.get_by_role("gridcell", name="cell 3, empty")).to_be_visible()


def test_resigning_asks_once_and_a_rematch_swaps_sides(visit: Visit) -> None:
    page = begun(visit(), "basic")
    playable(page).first.click()
    settled(page, 2)
    button(page, "More").click()
    button(page, "Resign").click()
    button(page, "Keep playing").click()
    expect(page.locator(".result")).to_have_count(0)
    button(page, "More").click()
    button(page, "Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_have_text("You lost")
    expect(page.locator(".situation")).to_have_text("O wins: X resigned.")
    expect(page.locator(".score")).to_have_text("You – Engine, level 1 · 0 : 1")
    first = page.url
    button(page, "Rematch").click()
    expect(page).not_to_have_url(first)
    expect(page.locator(".player").nth(1)).to_contain_text("You")
    expect(page.locator(".score")).to_have_text("Engine, level 1 – You · 1 : 0")
    settled(page, 1)


def test_person_with_o_who_starts_sees_letters_swapped(visit: Visit) -> None:
    page = begun(visit(), "basic")
    page.get_by_role("radio", name="O", exact=True).check()
    expect(page.locator(".player").nth(1)).to_contain_text("You")
    expect(page.locator(".player").nth(1)).to_contain_text("to move")
    page.keyboard.type("5")
    expect(page.get_by_role("gridcell", name="cell 5, O")).to_be_visible()
    settled(page, 2)
    expect(page.locator(".player").nth(1)).to_contain_text("to move")
    button(page, "More").click()
    button(page, "Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_have_text("You lost")
    expect(page.locator(".situation")).to_have_text("X wins: O resigned.")


def test_machine_moves_first(visit: Visit) -> None:
    page = begun(visit(), "connect4")
    page.get_by_role("radio", name="The machine").check()
    button(page, "Start").press("Enter")
    assert settled(page, 1) == 1
    expect(page.locator(".cell:focus")).to_be_visible()
    expect(page).to_have_title("Your move · Connect Four · noughts")
    expect(page.locator(".player").nth(0)).to_contain_text("You")


def test_long_search_is_shown_and_stopped(visit: Visit) -> None:
    page = visit().go("/?game=ultimate")
    choose(page, opponent="Engine, by time")
    page.get_by_label("Seconds a move").fill("25")
    page.get_by_label("Seconds a move").press("Enter")
    page.keyboard.press("Escape")
    playable(page).first.click()
    expect(page.locator(".thinking .doing")).to_have_text("thinking…")
    edges = """() => {
      const box = (name) => document.querySelector(`.thinking ${name}`).getBoundingClientRect();
      return [box(".thought").left, box(".thought").right, box(".stop").left];
    }"""
    left, right, stop = page.evaluate(edges)
    assert left < right <= stop
    button(page, "Stop").click()
    expect(moves(page)).to_have_count(2)
    expect(page.locator(".thinking")).to_have_count(0)


# The set-up


def test_last_choice_is_remembered(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/?game=mnk")
    expect(page.get_by_label("Columns", exact=True)).to_have_count(0)
    page.get_by_label("Board", exact=True).select_option(label="Custom")
    for name, value in (("Columns", "6"), ("Rows", "5"), ("In a row", "3")):
        page.get_by_label(name, exact=True).fill(value)
        page.get_by_label(name, exact=True).press("Tab")
    page.get_by_role("slider").fill("7")
    expect(page.get_by_role("gridcell")).to_have_count(30)
    page = visitor.go("/?game=mnk")
    expect(page.get_by_role("gridcell")).to_have_count(30)
    expect(page.locator(".player").nth(1)).to_contain_text("Engine, level 7")
    expect(page.locator("[data-tab=mnk]")).to_have_attribute("aria-current", "page")


def test_preset_sets_sizes_and_options(visit: Visit) -> None:
    page = visit().go("/?game=mnk")
    board = page.get_by_label("Board", exact=True)
    for preset, size, line in (("4×4", "4", "Wins"), ("Misère 3×3", "3", "Loses")):
        board.select_option(label=preset)
        expect(page.get_by_role("gridcell")).to_have_count(int(size) ** 2)
        expect(page.get_by_role("spinbutton")).to_have_count(0)
        expect(page.locator(".setup .about")).to_contain_text(f"{size} in a row on a {preset[-3:]}")
        expect(page.get_by_label("A full line").locator("option:checked")).to_have_text(line)
    board.select_option(label="Custom")
    page.get_by_label("Columns", exact=True).fill("5")
    page.get_by_label("Columns", exact=True).press("Tab")
    expect(page.get_by_role("gridcell")).to_have_count(15)
    expect(board.locator("option:checked")).to_have_text("Custom")
    expect(page.locator(".setup .about")).to_contain_text("Avoid 3 in a row on a 5×3 board")
    page.get_by_text("Variants: not the usual rules").click()
    page.get_by_label("A longer line").select_option(label="Does not count")
    expect(page.locator(".setup .about")).to_contain_text("A longer line does not count.")
    expect(page).to_have_title(re.compile("5×3, 3 in a row, exact, misère"))


def test_variant_of_the_rules_is_played(visit: Visit) -> None:
    visitor = visit()
    page = begun(visitor, "ultimate", opponent="Two people here")
    page.get_by_text("Variants of the rules").click()
    page.get_by_label("A won board").select_option(label="Open")
    expect(page.locator(".variants").get_by_text("A won board stays open")).to_be_visible()
    expect(page.locator(".rule-notes")).to_contain_text("A won board stays open")
    playable(page).first.click()
    expect(page).to_have_url(re.compile("/game/"))
    shown = visitor.context.request.get(page.url.replace("/game/", "/api/v1/games/")).json()
    assert shown["rules"] == "ultimate:won=open"


@pytest.mark.parametrize("viewport", [(1240, 860), (390, 844)])
def test_click_that_ends_typing_of_a_number_is_taken(
    visit: Visit, viewport: tuple[int, int]
) -> None:
    width, height = viewport
    visitor = visit(viewport={"width": width, "height": height})
    page = visitor.go("/?game=connect4:8,6,4")
    for name, value in (("Columns", "9"), ("Rows", "7"), ("In a row", "5")):
        page.get_by_label(name, exact=True).click()
        expect(page.get_by_label(name, exact=True)).to_be_focused()
        page.keyboard.press("Control+a")
        page.keyboard.type(value)
    page.locator(".segments label").filter(has_text="The machine").click()
    expect(page.get_by_role("radio", name="The machine")).to_be_focused()
    expect(page.get_by_role("radio", name="The machine")).to_be_checked()
    expect(page.locator(".setup .about")).to_contain_text("5 in a row")
    expect(page).to_have_title(re.compile("9×7"))
    expect(button(page, "Start")).to_be_visible()

    page = visitor.go("/?game=mnk:9,9,4")
    page.get_by_label("In a row", exact=True).click()
    page.keyboard.press("Control+a")
    page.keyboard.type("5")
    # The field for swap2 appears above the variants.
    page.get_by_text("Variants of the rules").click()
    expect(page.get_by_text("Begin with swap2")).to_be_visible()
    expect(page.get_by_label("A longer line")).to_be_visible()
    page.get_by_label("Rows", exact=True).fill("11")
    page.locator("label").filter(has_text=re.compile("^O$")).click()
    expect(page.get_by_role("radio", name="O", exact=True)).to_be_checked()
    expect(page.get_by_role("radio", name="O", exact=True)).to_be_focused()
    expect(page).to_have_title(re.compile("9×11"))


def test_a_form_that_is_drawn_anew_keeps_what_is_typed(visit: Visit) -> None:
    page = visit().go("/")
    page.evaluate(
        """async () => {
            const { element, patch } = await import("/static/dom.js");
            const made = (value) => element("p", { id: "form" }, element("input", { value }));
            document.getElementById("main").append(made(6));
            window.redraw = (value) => patch(document.getElementById("form"), made(value));
        }"""
    )
    typed = page.locator("#form input")
    typed.fill("7")
    page.evaluate("redraw(6)")
    expect(typed).to_have_value("7")
    page.evaluate("redraw(5)")
    expect(typed).to_have_value("5")
    typed.fill("7")
    typed.blur()
    page.evaluate("redraw(5)")
    expect(typed).to_have_value("5")


def test_game_opens_with_the_number_typed_last(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/?game=mnk:9,9,5&opponent=guest")
    page.get_by_role("radio", name="Own").check()
    page.get_by_label("Rows", exact=True).fill("10")
    button(page, "Open the game and get the link").click()
    expect(page).to_have_url(re.compile("/game/"))
    expect(page.get_by_role("gridcell")).to_have_count(90)
    page = visitor.go("/?game=basic&opponent=guest")
    page.get_by_role("radio", name="Own").check()
    page.get_by_label("Minutes each").fill("7")
    button(page, "Open the game and get the link").click()
    expect(page.locator(".time-left").first).to_have_text("7:00")


@pytest.mark.parametrize(
    ("typed", "taken"), [("0", 1), ("-3", 1), ("", 15), ("99", 20), ("2.6", 3)]
)
def test_number_out_of_range_becomes_the_nearest(visit: Visit, typed: str, taken: int) -> None:
    page = visit().go("/?game=mnk:4,4,3")
    board = page.get_by_label("Board", exact=True)
    board.select_option(label="Custom")
    columns = page.get_by_label("Columns", exact=True)
    columns.fill(typed)
    columns.press("Enter")
    expect(columns).to_have_value(str(taken))
    expect(columns).to_be_focused()
    expect(page.get_by_role("gridcell")).to_have_count(4 * taken)


def test_seconds_out_of_range_become_the_nearest(visit: Visit) -> None:
    page = visit().go("/?game=ultimate")
    choose(page, opponent="Engine, by time")
    seconds = page.get_by_label("Seconds a move")
    usual, least = seconds.input_value(), seconds.get_attribute("min")
    assert least != usual
    for typed, taken in (("0", least), ("", usual)):
        seconds.fill(typed)
        seconds.press("Enter")
        expect(seconds).to_have_value(str(taken))


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/nothing/here", "Page not found"),
        ("/game/nosuchgame", "Game not found, or your link does not open it."),
        ("/?game=chess", 'No game is called "chess".'),
        ("/position/basic~XXX.OOO.3~X", "Both X and O have a line"),
        ("/?game=mnk:40,3,3", "20×20"),
    ],
)
def test_wrong_address_shows_a_sentence(visit: Visit, path: str, sentence: str) -> None:
    visitor = visit()
    page = visitor.go(path)
    expect(page.get_by_role("heading")).to_contain_text(sentence)
    for status in (404, 422):
        visitor.expected(status)


def test_position_in_the_address_is_played_from(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/position/basic~XX1.OO1.3~X?moves=9")
    expect(page.get_by_role("gridcell", name="cell 9, X, last move")).to_be_visible()
    expect(page.locator(".player").nth(1)).to_contain_text("to move")
    playable(page).first.click()
    settled(page, 2)
    expect(page.locator(".move.x").first).to_have_text("9")
    visitor.go("/position/basic~XX1.OO1.3~X?moves=3")
    expect(page.locator(".situation")).to_contain_text("X wins")
    expect(page.get_by_role("heading", name="Play from here")).to_be_hidden()


# Sharing


def open_seat(visitor: Visitor, game: str = "basic") -> tuple[Page, str]:
    """Open a game with an open seat; return its page and the link to join."""
    page = begun(visitor, game, opponent="A person with a link")
    button(page, "Open the game and get the link").click()
    link = page.get_by_label("Invite your opponent")
    expect(link).to_be_visible()
    return page, link.input_value().removeprefix(visitor.address)


def test_two_play_by_link_and_a_third_watches(visit: Visit) -> None:
    host, guest, watcher = visit(), visit(), visit()
    page, link = open_seat(host)
    there = guest.go(link)
    expect(there.locator(".player").nth(1)).to_contain_text("You")
    expect(page.get_by_label("Invite your opponent")).to_have_count(0)
    assert "join" not in there.url
    page.keyboard.type("5")
    expect(moves(there)).to_have_text(["5"])
    there.keyboard.type("1")
    expect(moves(page)).to_have_text(["5", "1"])

    button(page, "Share").click()
    watched = page.get_by_label("Watch link").input_value().removeprefix(host.address)
    look = watcher.go(watched)
    expect(moves(look)).to_have_text(["5", "1"])
    expect(button(look, "Undo")).to_be_disabled()
    page.keyboard.press("Escape")
    page.keyboard.type("9")
    expect(moves(look)).to_have_text(["5", "1", "9"])
    late = visit()
    seat = late.go(link)
    expect(seat.get_by_role("alert")).to_contain_text("already joined")
    late.expected(409)
    nobody = visit()
    expect(nobody.go(page.url.removeprefix(host.address)).get_by_role("heading")).to_contain_text(
        "Game not found"
    )
    nobody.expected(404)


def test_copying_a_link_is_confirmed(visit: Visit) -> None:
    page = begun(visit(permissions=["clipboard-read", "clipboard-write"]), "basic")
    page.keyboard.type("5")
    settled(page, 2)
    button(page, "Share").click()
    button(page, "Copy").last.click()
    expect(button(page, "Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.get_by_label("Position link").input_value()
    page.goto(copied)
    expect(page.get_by_role("gridcell", name="cell 5, X")).to_be_visible()


def test_game_is_exported_and_imported(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    page = begun(visitor, "ultimate", opponent="Two people here")
    for move in ("51", "17"):
        page.keyboard.type(move)
        expect(page.locator("[aria-current=step]")).to_have_text(move)
    button(page, "Share").click()
    beginnings = {
        "Text record": b"[",
        "JSON": b"{",
        "SVG picture": b"<svg",
        "PNG picture": b"\x89PNG",
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
    other = tmp_path / "game.sgf"
    other.write_bytes("(;GM[4]PB[Jörg];B[hh])".encode("latin-1"))
    page.get_by_label("From a file").set_input_files(other)
    expect(page.get_by_label("Games as text")).to_have_value("(;GM[4]PB[Jörg];B[hh])")
    page.get_by_label("From a file").set_input_files(file)
    expect(page.get_by_label("Games as text")).to_have_value("basic 5 1 9 2\n")
    page.get_by_role("dialog").get_by_role("button", name="Import").click()
    expect(moves(page)).to_have_text(["5", "1", "9", "2"])
    visitor.expected(422)


def test_reload_continues_the_game(visit: Visit) -> None:
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


def test_later_of_two_conflicting_moves_is_refused(visit: Visit) -> None:
    visitor = visit()
    page = begun(visitor, "basic", opponent="Two people here")
    page.keyboard.type("5")
    expect(page).to_have_url(re.compile("/game/"))
    # This tab gets no updates.
    other = visitor.tab()
    other.route_web_socket(re.compile("/live"), lambda _: None)
    other.goto(page.url)
    expect(moves(other)).to_have_text(["5"])
    page.keyboard.type("1")
    expect(moves(page)).to_have_text(["5", "1"])
    other.keyboard.type("9")
    expect(other.get_by_role("alert")).to_contain_text("The game has changed meanwhile")
    expect(moves(other)).to_have_text(["5", "1"])
    other.keyboard.type("9")
    expect(moves(page)).to_have_text(["5", "1", "9"])
    expect(other.get_by_role("alert")).to_have_text("")
    visitor.expected(409)


def test_lost_connection_is_shown_and_restored(visit: Visit) -> None:
    visitor = visit()
    page = begun(visitor, "basic", opponent="Two people here")
    sockets: list[WebSocketRoute] = []
    is_up = True

    def through(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if is_up:
            socket.connect_to_server()
        else:
            socket.close()

    page.route_web_socket(re.compile("/live"), through)
    page.keyboard.type("5")
    expect(page).to_have_url(re.compile("/game/"))
    page.reload()
    expect(moves(page)).to_have_text(["5"])
    assert wait_for(page, lambda: sockets)
    is_up = False
    sockets[-1].close(code=1012)
    expect(page.get_by_role("alert")).to_have_text("Connection lost. Reconnecting…")
    is_up = True
    expect(page.get_by_role("alert")).to_have_text("")
    page.keyboard.type("1")
    expect(moves(page)).to_have_text(["5", "1"])


# Looks


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_colours_equal_those_of_the_svg_views(visit: Visit, scheme: str, theme: object) -> None:
    page = visit(color_scheme=scheme).go("/?game=basic")
    expect(playable(page).first).to_be_visible()
    names = type(theme)._fields  # type: ignore[attr-defined]
    for name, colour in zip(names, theme, strict=True):  # type: ignore[call-overload]
        value = page.evaluate(
            "name => getComputedStyle(document.documentElement).getPropertyValue(name)",
            f"--{name.replace('_', '-')}",
        )
        assert value == colour


def test_theme_is_chosen_and_kept(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.go("/")
    for _ in range(2):
        page.locator("#theme").click()
    expect(page.locator("body")).to_have_css("background-color", "rgb(19, 21, 24)")
    page.reload()
    expect(page.locator("body")).to_have_css("background-color", "rgb(19, 21, 24)")


@pytest.mark.parametrize(
    "path", ["/", "/?game=ultimate", "/?game=connect4", "/?game=mnk:19,19,5", "/games"]
)
def test_nothing_scrolls_sideways(visit: Visit, path: str) -> None:
    page = visit().go(path)
    expect(page.locator(".cell, h1").first).to_be_visible()
    for width in (360, 768, 1024, 2560):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_controls_are_large_enough_to_touch(visit: Visit) -> None:
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


def test_reduced_motion_is_respected(visit: Visit) -> None:
    page = begun(visit(reduced_motion="reduce"), "basic", opponent="Two people here")
    page.keyboard.type("5")
    expect(page.locator("[data-fresh] path").first).to_have_css("animation-name", "none")


@needs_axe
def test_no_view_has_a_serious_accessibility_fault(visit: Visit) -> None:
    visitor = visit()
    found = {}
    # Boards of more cells have the same elements; the rest is looked at beside the smallest.
    for game in ("ultimate", "connect4", "basic"):
        page = begun(visitor, game)
        if game == "basic":
            found["set-up"] = faults(page)
        playable(page).first.click()
        settled(page, 2)
        found[game] = faults(page)
    moves(page).first.click()
    found["a look back"] = faults(page)
    button(page, "More").click()
    found["menu"] = faults(page)
    page.keyboard.press("Escape")
    button(page, "Keys").click()
    expect(page.get_by_role("dialog")).to_be_visible()
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
    expect(page.locator("h1")).to_have_text("Page not found")
    found["an error"] = faults(page)
    visitor.expected(404)
    assert {screen: wrong for screen, wrong in found.items() if wrong} == {}


# My games


def test_games_are_listed_found_continued_and_deleted(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/games")
    expect(page.get_by_text("You have no games yet.")).to_be_visible()
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
    button(page, "Cancel").click()
    expect(games).to_have_count(2)
    games.first.get_by_role("button").click()
    button(page, "Delete").click()
    expect(games).to_have_count(1)
    page.reload()
    expect(games).to_have_count(1)
    page.get_by_role("searchbox").fill("ultimate")
    expect(page.get_by_text("No games match your search.")).to_be_visible()


def test_connection_that_is_left_before_it_opens_is_no_error(visit: Visit) -> None:
    page = visit().go("/")
    with page.expect_websocket() as opened:
        page.evaluate("""async () => {
          const client = await import("/static/client.js");
          client.follow("nothing", null, { connected() {} })();
        }""")
    if not opened.value.is_closed():
        opened.value.wait_for_event("close")


# A game of the user's own


@pytest.fixture
def nim(browser: Browser, tmp_path: Path) -> Iterator[Visitor]:
    """Serve `examples/nim.py` beside the built-in games."""
    with games_restored():
        load(NIM)
        with served(tmp_path / "games.db") as address:
            visitor = Visitor(browser, address)
            yield visitor
            visitor.context.close()
            assert not visitor.wrong


def test_own_game_is_played_to_its_end(nim: Visitor) -> None:
    page = nim.go("/?game=nim")
    expect(page.locator(".diagram")).to_have_text("a |||\nb ||||\nc |||||")
    expect(page.get_by_label("Opponent")).to_have_value("alphabeta")
    expect(page.get_by_text("You play")).to_have_count(0)
    expect(page.get_by_role("link", name="Nim")).to_have_attribute("aria-current", "page")
    choose(page, opponent="Monte Carlo, by time")
    page.get_by_label("Seconds a move").fill("0.1")
    page.keyboard.press("Tab")
    page.keyboard.type("c1")
    settled(page, 2)
    page.locator(".legal-moves .may").first.focus()  # one counter: no answer ends the game
    page.keyboard.press("Enter")
    settled(page, 4)
    expect(page.locator(".legal-moves button:focus")).to_have_count(1)
    play_out(page, lambda page: page.locator(".legal-moves .may").last.click())
    assert re.match(RESULT, result(page))
    expect(page.locator(".legal-moves button")).to_have_count(0)
    position = noughts.game("nim").after(" ".join(moves(page).all_inner_texts()))
    assert position.outcome() is not None
    button(page, "Share").click()
    expect(button(page, "Text record")).to_be_visible()
    expect(button(page, "SVG picture")).to_have_count(0)
    page.keyboard.press("Escape")
    page.goto(f"{nim.address}/games")
    expect(page.locator(".game .diagram")).to_have_text("a\nb\nc")


def test_own_game_shows_values_and_a_hint(nim: Visitor) -> None:
    page = nim.go("/position/nim~1.2.2~X")
    button(page, "Hint").click()
    expect(page.locator(".hint-move")).to_have_text("Play a1.")
    button(page, "Analysis").click()
    expect(page.locator(".legal-moves .chip")).to_have_count(5)
    expect(page.locator(".legal-moves .chip.best")).to_have_count(1)


@needs_axe
def test_own_game_has_no_accessibility_faults(nim: Visitor) -> None:
    page = nim.go("/?game=nim")
    expect(page.locator(".legal-moves .may").first).to_be_visible()
    assert faults(page) == []


def test_foot_of_the_set_up_covers_no_field(visit: Visit) -> None:
    """The button to open a game keeps in view, and fields that get the focus scroll clear of it."""
    page = visit(viewport={"width": 1240, "height": 700}).go("/?game=ultimate&opponent=guest")
    foot = page.locator(".setup-foot")
    expect(foot).to_be_in_viewport()
    assert foot.evaluate("each => getComputedStyle(each).backgroundColor").startswith("rgb(")
    fields = page.locator(".setup :is(select, input, summary)")
    assert fields.count() > 8
    for field in fields.all():
        if not field.is_visible():
            continue
        field.focus()
        field.evaluate("each => each.scrollIntoView({ block: 'nearest' })")
        box, edge = field.bounding_box(), foot.bounding_box()
        assert box is not None
        assert edge is not None
        assert box["y"] + box["height"] <= edge["y"] + 1


def test_page_that_comes_late_does_not_join_the_next_one(visit: Visit) -> None:
    page = visit().go("/learn")
    held: list[Route] = []
    intercept(page, "**/api/v1/labs", lambda route: held.append(route))
    page.get_by_role("link", name=re.compile("^Lab")).click()
    assert wait_for(page, lambda: len(held) == 1)
    page.get_by_role("link", name="My games").click()
    expect(page.locator("h1")).to_have_text("My games")
    with page.expect_response("**/api/v1/labs"):
        held[0].continue_()
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.locator("h1")).to_have_text("My games")
