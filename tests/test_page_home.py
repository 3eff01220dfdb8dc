"""The home page, the rules, the sentence above the board and refusals, in a real browser."""

from __future__ import annotations

import re

import pytest
from needs import needs_axe, needs_browser
from page import Visit, button, choose, faults, moves, playable, settled, wait_for, wait_until
from playwright.sync_api import Locator, Page, Route, expect

import noughts
from noughts.explain.lesson import lesson
from noughts.explain.situation import refusal, situation
from noughts.games.nested import NestedPosition
from noughts.games.position import Player
from noughts.games.registry import GAMES

pytestmark = needs_browser


def together(page: Page, address: str, rules_id: str, played: str = "") -> None:
    """Open a game of two people at one browser, after some moves."""
    page.goto(f"{address}/?game={rules_id}&opponent=me")
    expect(playable(page).first).to_be_visible()
    for number, move in enumerate(played.split(), 1):
        page.keyboard.type(move)
        expect(page.locator(".rows .half button")).to_have_count(number)


def card(page: Page, name: str) -> Locator:
    return page.locator(f"[data-game='{name}'] .home-play")


# Home


@needs_axe
def test_home_begins_a_game_with_one_click_and_continues_it(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    expect(page.locator(".home-game")).to_have_count(len(GAMES))
    expect(page.locator(".home-game svg.board")).to_have_count(len(GAMES))
    expect(page).to_have_title(re.compile("^noughts · Play"))
    assert page.locator("form, select, input").count() == 0
    for name, game in GAMES.items():
        expect(card(page, name)).to_contain_text(game.title)
    expect(page.get_by_text("Continue")).to_have_count(0)
    assert faults(page) == []

    card(page, "ultimate").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".player").nth(1)).to_have_text(re.compile("Engine, level 1"))
    expect(page.get_by_label("Opponent")).to_be_hidden()
    expect(page.locator(".situation")).to_have_text("You begin: play in any cell.")
    playable(page).nth(30).click()
    settled(page, 2)
    address = page.url

    page.locator(".wordmark").click()
    page.get_by_role("link", name=re.compile("Continue")).click()
    expect(page).to_have_url(address)
    assert settled(page, 2) >= 2


def test_home_leads_to_options_friends_and_learning(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    page.get_by_role("link", name="Options of Connect Four").click()
    expect(page.get_by_label("Opponent")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Play a friend").click()
    expect(button(page, "Open the game and get the link")).to_be_visible()
    page.go_back()
    page.get_by_role("main").get_by_role("link", name=re.compile("^Learn")).click()
    expect(page).to_have_url(re.compile("/learn$"))
    page.go_back()
    expect(page.get_by_text("After the game, see your mistakes explained.")).to_be_visible()
    card(page, "mnk").click()
    expect(page.get_by_role("gridcell")).to_have_count(225)
    page.get_by_text("Change opponent, side or rules").click()
    choose(page, level="7")
    expect(page.locator(".player").nth(1)).to_contain_text("Engine, level 7")


SHIFTS = """
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shifts.push(value);
    }).observe({ type: "layout-shift", buffered: true });
"""
NOTABLE_SHIFT = 0.001
"""A shift of the page that somebody may notice; the limit of a good page is 0.1."""


def test_card_of_todays_puzzle_names_the_game_and_the_task(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    with page.expect_response("**/puzzles/days/*") as reply:
        visitor.go("/")
    puzzle = reply.value.json()
    card = page.get_by_role("link", name=re.compile("Today's puzzle"))
    expect(card.locator("p")).to_have_text(f"{puzzle['title']}. {puzzle['task']}")


@pytest.mark.parametrize("path", ["/", "/puzzles"])
def test_late_replies_move_nothing(visit: Visit, path: str) -> None:
    visitor = visit(fresh=True)
    page = visitor.go("/?game=basic&opponent=me")
    playable(page).first.click()
    expect(moves(page)).to_have_count(1)
    page.add_init_script(SHIFTS)
    held: list[Route] = []
    page.route("**/puzzles/days/*", lambda route: held.append(route))
    visitor.go(path)
    shown = page.get_by_role("link", name=re.compile("Today's puzzle"))
    expect(shown).to_be_visible()
    if path == "/":
        expect(page.get_by_role("link", name=re.compile("Continue"))).to_be_visible()
    wait_until(page, "() => document.fonts.status === 'loaded'")
    assert wait_for(page, lambda: len(held) == 1)
    held[0].continue_()
    expect(shown.locator("svg.board")).to_be_visible()
    frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    page.evaluate(frames)
    assert max(page.evaluate("window.shifts"), default=0) < NOTABLE_SHIFT


@needs_axe
def test_learn_leads_to_lessons_and_to_search(visit: Visit) -> None:
    page = visit().go("/")
    page.get_by_role("navigation").get_by_role("link", name="Learn").click()
    expect(page.locator(".page-card h2")).to_have_text(
        [
            *(game.title for game in GAMES.values()),
            *("Step through search", "Exercises", "Lab", "Explorer"),
        ]
    )
    assert faults(page) == []
    for name, address in [
        ("Step through search", "/replay"),
        ("Exercises", "/exercises"),
        ("Lab", "/lab"),
        ("Explorer", "/explore/connect4"),
    ]:
        page.get_by_role("main").get_by_role("link", name=name).click()
        expect(page).to_have_url(re.compile(f"{address}$"))
        if name != "Explorer":
            current = page.get_by_role("navigation").locator("[aria-current]")
            expect(current).to_have_text("Learn")
        page.go_back()
        expect(page).to_have_url(re.compile("/learn$"))
        expect(page.get_by_role("main").get_by_role("link", name=name)).to_be_visible()
    page.get_by_role("main").get_by_role("link", name=GAMES["connect4"].title).click()
    told = lesson(noughts.game("connect4"))
    expect(page.get_by_role("heading", level=1)).to_have_text(told.title)
    expect(page.locator(".rule-steps li")).to_have_text([step.sentence for step in told.steps])
    assert faults(page) == []
    page.get_by_role("link", name="Next: Nine boards").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Nine boards")
    page.get_by_role("link", name="Play", exact=True).click()
    expect(playable(page).first).to_be_visible()


def test_home_has_play_on_the_screen_of_a_phone_on_its_side(visit: Visit) -> None:
    page = visit(viewport={"width": 844, "height": 390}).go("/")
    for name in ("basic", "mnk"):
        expect(card(page, name).get_by_text("Play", exact=True)).to_be_in_viewport(ratio=1)


def test_every_page_has_a_title_and_one_heading(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    together(page, visitor.address, "basic", "5")
    expect(page).to_have_url(re.compile("/game/"))
    expected = {
        page.url.removeprefix(visitor.address): "O to move · Tic-tac-toe · noughts",
        "/": "noughts · Play tic-tac-toe and its family",
        "/?game=ultimate": "Your move · Ultimate · noughts",
        "/position/connect4?moves=4": "Your move · Connect Four · noughts",
        "/games": "My games · noughts",
        "/puzzles": "Puzzles · noughts",
        "/explore/basic": "Explorer · Tic-tac-toe · noughts",
        "/check": "Check your code · noughts",
        "/learn": "Learn · noughts",
        "/learn/mnk:3,3,3": "3×3 · noughts",
        "/lab": "Lab · noughts",
        "/replay": "Alpha-beta · noughts",
        "/replay?start=basic&moves=5+5": "Step through search · noughts",
        "/nothing": "Page not found · noughts",
    }
    for path, title in expected.items():
        visitor.go(path)
        expect(page).to_have_title(title)
        expect(page.locator("h1")).to_have_count(1)
        assert page.locator("h1").inner_text().strip()
    for status in (404, 422):
        visitor.expected(status)


# Rules


def test_rules_are_shown_in_three_pictures_and_fold(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    steps = page.locator(".rule-steps li")
    for rules_id in ("connect4", "mnk:3,3,3,misere", "ultimate:won=open", "basic"):
        together(page, visitor.address, rules_id)
        told = lesson(noughts.game(rules_id))
        expect(steps).to_have_text([step.sentence for step in told.steps])
        expect(page.locator(".rule-steps svg.board")).to_have_count(3)
    playable(page).first.click()
    expect(moves(page)).to_have_count(1)
    expect(steps.first).to_be_hidden()
    page.get_by_text("Rules", exact=True).click()
    expect(steps.first).to_be_visible()
    playable(page).first.click()
    expect(moves(page)).to_have_count(2)
    expect(steps.first).to_be_visible()


@needs_axe
def test_film_is_shown_once_and_can_be_skipped_and_seen_again(visit: Visit) -> None:
    visitor = visit(newcomer=True)
    page = visitor.page
    page.clock.install()
    visitor.go("/?game=basic")
    expect(page.locator(".rule-steps")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    visitor.go("/?game=ultimate")
    film = page.get_by_role("dialog", name="How to play Ultimate")
    caption = film.locator(".film-caption")
    expect(caption).not_to_be_empty()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(film).to_have_count(0)
    visitor.go("/?game=advanced")
    expect(page.locator(".rule-steps")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)

    visitor.go("/?game=ultimate")
    expect(button(page, "Watch it")).to_be_visible()
    expect(film).to_have_count(0)
    page.clock.pause_at(page.evaluate("Date.now() + 3_600_000") / 1000)
    button(page, "Watch it").click()
    scenes = lesson(noughts.game("ultimate")).scenes
    for scene in scenes:
        expect(caption).to_have_text(scene.sentence)
        expect(button(page, "Skip")).to_be_focused()
        page.clock.run_for(round(1000 * scene.seconds))
    expect(button(page, "Again")).to_be_visible()
    button(page, "Again").click()
    expect(caption).to_have_text(scenes[0].sentence)
    button(page, "Skip").click()
    expect(film).to_have_count(0)


def test_film_stands_still_with_reduced_motion(visit: Visit) -> None:
    page = visit(newcomer=True, reduced_motion="reduce").go("/?game=advanced")
    film = page.get_by_role("dialog", name="How to play Nine boards")
    scenes = lesson(noughts.game("advanced")).scenes
    expect(film.locator("li")).to_have_text([scene.sentence for scene in scenes])
    expect(film.locator("svg.board")).to_have_count(len(scenes))
    button(page, "Play").click()
    expect(film).to_have_count(0)


# The sentence and the arrow


def test_sentence_and_arrow_follow_the_game(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    game = "51 15 55 59 95 52 25 57 75 54 45"
    together(page, visitor.address, "ultimate")
    position, last = noughts.game("ultimate"), None
    line, arrow = page.locator(".situation"), page.locator(".layer .arrow")
    for move in game.split()[:6]:
        number = position.parse_move(move)
        position, last = position.play(number), number
        page.keyboard.type(move)
        expect(line).to_have_text(situation(position, last))
        expect(arrow).to_have_count(int(number % 9 != number // 9))
    expect(line).to_have_attribute("role", "status")
    # A game with a machine speaks to the person; the arrow belongs to the first three games.
    page.evaluate("localStorage.setItem('noughts.guided', '[1, 2, 3]')")
    visitor.go("/?game=ultimate&opponent=random")
    playable(page).nth(20).click()
    settled(page, 2)
    after = noughts.game("ultimate").after(" ".join(moves(page).all_inner_texts()))
    assert isinstance(after, NestedPosition)
    expect(line).to_have_text(situation(after, None, Player.X))
    expect(page.locator(".layer .arrow")).to_have_count(0)


def test_sentence_swaps_letters_with_the_board(visit: Visit) -> None:
    page = visit().go("/?game=basic")
    page.get_by_role("radio", name="O", exact=True).check()
    expect(page.locator(".situation")).to_have_text(re.compile("^You begin: "))
    page.keyboard.type("5")
    settled(page, 2)
    expect(page.locator(".situation")).to_have_text(re.compile(r"^X played .+\. Your turn\.$"))


# Refusals

REFUSED = [
    ("basic", "5", "5"),
    ("mnk:5,5,4", "c3 a1", "c3"),
    ("connect4:4,4", "1 1 1 1", "1"),
    ("advanced", "59 95", "59"),
    ("ultimate", "51", "99"),
]
CELLS = {"basic": 9, "mnk:5,5,4": 25, "connect4:4,4": 4, "advanced": 81, "ultimate": 81}


@pytest.mark.parametrize(("rules_id", "played", "wrong"), REFUSED)
def test_move_that_is_not_allowed_is_refused_at_the_board(
    visit: Visit, rules_id: str, played: str, wrong: str
) -> None:
    visitor = visit(has_touch=True)
    page = visitor.page
    together(page, visitor.address, rules_id, played)
    position = noughts.game(rules_id).after(played)
    why = refusal(position, wrong)
    assert why
    numbers = {position.move_text(number): number for number in range(CELLS[rules_id])}
    cell = page.locator(f".cell[data-cell='{numbers[wrong]}']")
    bubble = page.locator(".refusal")
    for way in ("click", "tap", "press", "type"):
        if way == "press":
            cell.focus()
            page.keyboard.press("Enter")
        elif way == "type":
            page.keyboard.type(wrong)
        else:
            getattr(cell, way)(force=True)
        expect(bubble).to_have_text(why.sentence)
        expect(page.locator("#said")).to_have_text(why.sentence)
        expect(page.locator(".cell.wanted")).to_have_count(len(why.cells))
        wanted = page.locator(".picture .ground.wanted")
        expect(wanted).to_have_count(len(why.boards))
        expect(page.locator(".cell.refused")).to_have_count(int(way != "type"))
        page.keyboard.press("Escape")
        expect(bubble).to_be_hidden()
    expect(moves(page)).to_have_text(played.split())
    playable(page).first.click()
    expect(moves(page)).to_have_count(len(played.split()) + 1)


def test_person_who_is_not_to_move_is_told_so(visit: Visit) -> None:
    host, guest = visit(), visit()
    page = host.go("/?game=basic&opponent=guest")
    button(page, "Open the game and get the link").click()
    link = page.get_by_label("Invite your opponent").input_value()
    there = guest.go(link.removeprefix(host.address))
    expect(there.locator(".situation")).to_have_text(re.compile("^X begins: "))
    there.get_by_role("gridcell", name="cell 5, empty").click(force=True)
    expect(there.locator(".refusal")).to_have_text("It is not your turn.")
