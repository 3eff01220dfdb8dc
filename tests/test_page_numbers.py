"""The numbers of the analysis on the page: one value of a position, in one wording everywhere."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from needs import needs_browser
from page import PATIENT, Visit, Visitor, Visitors, button, drawn, served
from patience import PATIENCE
from playwright.sync_api import Browser, Page, expect

import noughts

pytestmark = needs_browser
REST = re.compile("exact|stopped")
WON = "52 28 84 43 31 14 41 15 53 38 87 75 54 46 66 65 51 18 88 85 25 94 44 45 89 95 13 37 78 39 91"
"""Moves of `ultimate` after which the mover wins, which a short search does not prove."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose analyses end soon."""
    settings = replace(PATIENT, analysis_seconds=0.2)
    with served(tmp_path_factory.mktemp("numbers") / "games.db", settings) as found:
        yield found


@pytest.fixture(scope="module")
def patient_visitors(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visitors]:
    """Visitors of a server whose analyses end when they are exact, however slow the machine is."""
    settings = replace(PATIENT, analysis_seconds=PATIENCE)
    with (
        served(tmp_path_factory.mktemp("exact") / "games.db", settings) as address,
        closing(Visitors(browser, address)) as found,
    ):
        yield found


@pytest.fixture
def patient_visit(patient_visitors: Visitors) -> Iterator[Visit]:
    """Return `visit` for the server whose analyses end when they are exact."""
    yield from patient_visitors.of_one_test()


def analysed(visitor: Visitor, start: str, line: str = "") -> Page:
    """Open a position and switch the analysis on."""
    page = visitor.go(f"/position/{start}?moves={line.replace(' ', '+')}")
    expect(page.locator(".cell").first).to_be_visible()
    button(page, "Analysis").click()
    return page


def at_rest(page: Page, ply: int) -> None:
    """Wait for the end of the searches of the shown position, which has a number."""
    graph = page.get_by_role("slider", name="Graph of the game")
    expect(graph).to_have_attribute("aria-valuenow", str(ply))
    expect(page.locator(".status")).to_have_text(REST)
    expect(graph).not_to_have_attribute("aria-valuetext", re.compile("…"))
    drawn(page, 3)  # The last points of the graph are drawn once a frame.


def headline_of(words: str, turn: str) -> str:
    """Return the headline that the words of the best move mean, for the player to move."""
    other = {"X": "O", "O": "X"}[turn]
    if found := re.fullmatch(r"(\d+) %", words):
        chance = int(found[1])
        if chance == 50:
            return "Even, 50 %"
        return f"{turn} {chance} %" if chance > 50 else f"{other} {100 - chance} %"
    if found := re.fullmatch(r"(wins|loses)( in \d+ moves?)?", words):
        return f"{turn if found[1] == 'wins' else other} wins{found[2] or ''}"
    assert words == "draws"
    return "Draw"


def words_of(mark: str) -> str:
    """Return the words of a mark in a cell."""
    if mark.endswith("%"):
        return f"{mark[:-1]} %"
    kind, _, count = mark.partition(" ")
    verb = {"win": "wins", "loss": "loses", "draw": "draws"}[kind]
    return f"{verb} in {count} move{'' if count == '1' else 's'}" if count else verb


def compared(page: Page, ply: int) -> str:
    """Compare all numbers of the position with a number, once at rest; return its headline."""
    while True:
        at_rest(page, ply)
        found = headline(page)
        try:
            compare(page, found)
        except AssertionError:
            # An explanation or a point of the graph that came meanwhile has proven more.
            at_rest(page, ply)
            if headline(page) != found:
                continue
            compare(page, found)
        return found


def headline(page: Page) -> str:
    """Return the value of the shown position in words."""
    return page.locator(".number-of-all strong").inner_text()


def compare(page: Page, found: str) -> None:
    """Compare all numbers of the shown position with its headline."""
    turn = (page.locator(".playing-board").get_attribute("data-turn") or "").upper()
    graph = page.get_by_role("slider", name="Graph of the game")
    assert (graph.get_attribute("aria-valuetext") or "").partition(": ")[2] == found
    bar = page.get_by_role("meter", name="Chance to win")
    assert bar.get_attribute("aria-valuetext") == found
    assert page.locator(".bar-words").text_content() == found
    share = int(bar.get_attribute("aria-valuenow") or -1)
    if percent := re.fullmatch(r"([XO]) (\d+) %", found):
        assert share == (int(percent[2]) if percent[1] == "X" else 100 - int(percent[2]))
    elif wins := re.match("([XO]) (wins|has won)", found):
        assert share == (100 if wins[1] == "X" else 0)
    else:
        assert share == 50
    best = page.locator(".cell", has=page.locator(".chip.best"))
    assert best.count() == (0 if "has won" in found else 1)
    if best.count():
        label = (best.get_attribute("aria-label") or "").split(", ")
        assert label[-1] == "best move"
        words = label[-2]
        assert best.get_attribute("title") == words
        assert {headline_of(words, turn), found} in ({found}, {"Draw", "Even, 50 %"})
        mark = page.locator(".chip.best").inner_text().replace("\n", " ")
        ranking = page.locator(".ranking .chip")
        if ranking.count():
            assert mark == "1"
            assert ranking.first.inner_text() == words
        else:
            assert words_of(mark) == words


@pytest.mark.parametrize(
    ("start", "line", "plies"),
    [
        ("ultimate", "55 51 15 58 85 52 22 29 93 36 66 64", 3),
        pytest.param("ultimate", "", 3, marks=pytest.mark.soak),
        ("connect4", "4 4 4 4", 3),
        ("mnk:15,15,5", "h8 h9 g9 i7 f10", 2),
        pytest.param("mnk:15,15,5", "h8 a1 h9 a3 h10 a5", 2, marks=pytest.mark.soak),
        ("basic", "5", 8),
    ],
)
def test_all_numbers_of_a_position_agree(visit: Visit, start: str, line: str, plies: int) -> None:
    rng = random.Random(f"{start} {line}")
    page = analysed(visit(), start, line)
    first, seen = len(line.split()), []
    for number in range(first, first + plies):
        seen.append(compared(page, number))
        cells = page.locator(".cell.may")
        cells.nth(rng.randrange(cells.count())).click()
        expect(page.locator(".variation button")).to_have_count(len(seen))
        if "has won" in page.locator(".number-of-all").inner_text():
            break
    button(page, "Step back").click()
    compared(page, first + len(seen) - 1)
    graph = page.get_by_role("slider", name="Graph of the game")
    graph.focus()
    page.keyboard.press("Home")
    compared(page, 0)
    assert seen


def test_numbers_have_the_letters_that_people_see(patient_visit: Visit) -> None:
    page = patient_visit().go("/?game=basic")
    page.get_by_role("radio", name="O", exact=True).check()
    button(page, "Analysis").click()
    at_rest(page, 0)
    for number, cell in enumerate((0, 1), 1):
        page.locator(".cell").nth(cell).click()
        at_rest(page, number)
    assert compared(page, 2) == "O wins in 3 moves"
    assert page.get_by_role("meter").get_attribute("aria-valuenow") == "0"


def test_hint_and_graph_agree_without_the_analysis(visit: Visit) -> None:
    page = analysed(visit(), "ultimate", "55 51 15 58 85 52 22 29 93 36 66 64")
    at_rest(page, 12)
    button(page, "Analysis").click()
    button(page, "Hint").click()
    hint = page.locator(".hinted .said").last
    expect(hint).to_be_visible()
    found = re.search(r"expected score is about (\d+)\s%\.", hint.inner_text())
    assert found
    expect(page.locator(".chip.best")).to_have_text(f"{found[1]}%")


def finished(visitor: Visitor, start: str, line: str) -> list[str]:
    """Play a line to its end against oneself, with random moves; return the moves."""
    rng = random.Random(line)
    position = noughts.game(start).after(line)
    moves = line.split()
    while position.outcome() is None:
        chosen = rng.choice(position.legal_moves())
        moves.append(position.move_text(chosen))
        position = position.play(chosen)
    body = {"start": start, "moves": " ".join(moves), "x": "me", "o": "me"}
    game = visitor.context.request.post(f"{visitor.address}/api/v1/games", data=body).json()
    visitor.go(f"/game/{game['id']}")
    return moves


def said(page: Page) -> list[str]:
    """Return the sentences on the page, also the folded ones."""
    return page.locator(".said").all_text_contents()


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("connect4:5,4", "3 3 1"),
        pytest.param("advanced", "17 78 87 71 11 14 47 75 55 51 12 24", marks=pytest.mark.soak),
        pytest.param("ultimate", WON, marks=pytest.mark.soak),
        pytest.param("connect4", "4 4 4 4 3", marks=pytest.mark.soak),
    ],
)
def test_review_graph_and_analysis_agree(visit: Visit, start: str, line: str) -> None:
    visitor = visit()
    moves = finished(visitor, start, line)
    page = visitor.page
    heard: list[Any] = []

    def hear(frame: str | bytes) -> None:
        answer = json.loads(frame)
        if answer.get("kind") == "review":
            heard.append(answer)

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    button(page, "Review").click()
    expect(page.locator(".side .accuracy").first).to_be_visible()
    (review,) = heard
    assert not [text for text in said(page) if "%" in text]
    proven = [each for each in review["remarks"] if each["proven"]]
    assert proven
    graph = page.get_by_role("slider", name="Graph of the game")
    graph.focus()
    at = len(moves)
    for each in reversed(proven):
        while at >= each["ply"]:
            at -= 1
            page.keyboard.press("ArrowLeft")
            expect(graph).to_have_attribute("aria-valuenow", str(at))
            expect(graph).not_to_have_attribute("aria-valuetext", re.compile("…"))
        shown = (graph.get_attribute("aria-valuetext") or "").partition(": ")[2]
        found = headline_of(each["before"]["words"], each["player"])
        assert {shown.partition(" in ")[0], found.partition(" in ")[0]} == {
            found.partition(" in ")[0]
        }
    button(page, "Analysis").click()
    for each in random.Random(1).sample(review["remarks"], 3):
        page.locator(".moves .rows .move", has_text=re.compile(rf"^{each['move']}$")).first.click()
        ply = moves.index(each["move"]) + 1
        if ply == len(moves):
            continue
        compared(page, ply)
        button(page, "Show more").click()
        at_rest(page, ply)
        assert not [text for text in said(page) if "%" in text]
        button(page, "Show less").click()


@pytest.mark.parametrize(
    ("start", "line"),
    [
        pytest.param("ultimate", WON, marks=pytest.mark.soak),
        ("connect4", "4 4 4 4 4 2 2 2 6 6"),
    ],
)
def test_proven_sentences_agree_with_the_number(visit: Visit, start: str, line: str) -> None:
    page = analysed(visit(), start, line)
    at_rest(page, len(line.split()))
    expect(page.locator(".said").first).to_be_visible()
    until = time.monotonic() + PATIENCE
    while True:
        try:
            compare_sentences(page, compared(page, len(line.split())))
        except AssertionError:
            # The proof of a sentence reaches the number a little later.
            if time.monotonic() > until:
                raise
        else:
            return


def compare_sentences(page: Page, headline: str) -> None:
    """Compare the sentences on the shown position with its number."""
    turn = (page.locator(".playing-board").get_attribute("data-turn") or "").upper()
    other = {"X": "O", "O": "X"}[turn]
    texts = said(page)
    assert texts
    for text in texts:
        assert "%" not in text
        if re.match(r"Every move loses", text):
            assert headline.startswith(f"{other} wins")
        if found := re.match(r"\w+ wins( in \d+ moves?)?", text):
            assert headline.startswith(f"{turn} wins")
            distance = headline.partition(" wins")[2]
            assert not distance or not found[1] or distance == found[1]


def test_large_board_shows_a_heat_map_and_five_moves(visit: Visit) -> None:
    page = analysed(visit(), "mnk:15,15,5", "h8 h9 g9 i7 f10")
    at_rest(page, 5)
    chips = page.locator(".cell .chip")
    expect(chips).to_have_count(5)
    assert sorted(chips.all_inner_texts()) == list("12345")
    rows = page.get_by_role("list", name="Best moves").get_by_role("listitem")
    expect(rows).to_have_count(5)
    chances = []
    for number, row in enumerate(rows.all(), 1):
        move, words = row.inner_text().split("\n")[:2]
        cell = page.locator(".cell", has=page.locator(f".chip:text-is('{number}')"))
        label = (cell.get_attribute("aria-label") or "").split(", ")
        assert (label[0], label[1], label[2:4]) == (move, "empty", [str(number), words]) or (
            str(number) in words.split() and label[2] == words
        )
        chances.append(int(words.partition(" ")[0]))
    assert chances == sorted(chances, reverse=True)
    assert page.locator(".cell.hot").count() + page.locator(".cell.lost").count() == 220
    rows.nth(2).get_by_role("link").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".variation button")).to_have_count(1)


def test_analysis_that_ends_within_its_first_depth_says_so(
    browser: Browser, tmp_path: Path
) -> None:
    with served(tmp_path / "games.db", replace(PATIENT, analysis_seconds=1e-6)) as address:
        visitor = Visitor(browser, address)
        page = analysed(visitor, "mnk:15,15,5", "h8 h9 g9 i7 f10")
        at_rest(page, 5)
        expect(page.locator(".status")).to_have_text("stopped")
        expect(page.locator(".cell .chip")).to_have_count(5)
        assert not visitor.wrong
        visitor.context.close()


def test_details_are_remembered(patient_visit: Visit) -> None:
    visitor = patient_visit()
    page = analysed(visitor, "basic", "1 2")
    expect(page.locator(".status")).to_be_hidden()
    page.get_by_text("Details").click()
    expect(page.locator(".facts .chip")).to_have_text("W 5")
    expect(page.get_by_text("a draw counted as half a win")).to_be_visible()
    page = analysed(visitor, "basic", "1 2")
    expect(page.locator(".status")).to_be_visible()


SIZES = """chips => chips.map(chip => {
  const [own, cell] = [chip, chip.parentElement].map(each => each.getBoundingClientRect());
  return [chip.innerText, own.width, own.height, cell.width, cell.height];
})"""


def test_marks_fit_into_their_cells(visit: Visit, patient_visit: Visit) -> None:
    phone = {"width": 390, "height": 844}
    marks = set()
    for visit_this, start, line in (
        (patient_visit, "basic", "1 2"),
        (patient_visit, "connect4", "4 4 4 4 3"),
        (visit, "ultimate", ""),
        (visit, "mnk:9,9,5", "e5"),
    ):
        page = analysed(visit_this(viewport=phone), start, line)
        at_rest(page, len(line.split()))
        chips = page.locator(".cell .chip").evaluate_all(SIZES)
        assert chips
        for text, *chip, width, height in chips:
            marks.add(text.partition("\n")[0].partition(" ")[0])
            assert chip[0] <= width
            assert chip[1] <= height
    assert marks >= {"win", "loss", "draw"}


@pytest.mark.parametrize(("width", "height"), [(1240, 860), (900, 900), (390, 844), (844, 390)])
def test_bar_is_beside_the_board_or_above_it(visit: Visit, width: int, height: int) -> None:
    page = analysed(visit(viewport={"width": width, "height": height}), "connect4:4,4", "1 2")
    at_rest(page, 2)
    bar = page.get_by_role("meter").bounding_box()
    board = page.locator(".playing-board .picture").bounding_box()
    assert bar
    assert board
    assert bar["x"] >= 0
    if width == 390:
        assert bar["width"] > 5 * bar["height"]
        assert bar["y"] + bar["height"] <= board["y"]
        expect(page.locator(".bar-words")).to_be_visible()
    else:
        assert bar["height"] > 5 * bar["width"]
        assert bar["x"] + bar["width"] <= board["x"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
