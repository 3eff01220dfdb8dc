"""Every screen and every game of the site, in Chromium and Firefox, and files between two pages."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from firefox import Firefox, firefox
from needs import (
    AXE,
    needs_browser,
    needs_firefox,
    needs_site_parts,
    needs_wasm,
)
from page import (
    Visit,
    Visitor,
    beat_first,
    button,
    drop,
    faults,
    moves,
    served,
    wait_for,
    wait_until,
)
from playwright.sync_api import Browser, Page, expect
from samples import random_game
from site_page import hosted, written

from noughts.games.position import Position
from noughts.games.registry import game
from noughts.views.board import cell_of

pytestmark = [
    pytest.mark.xdist_group("site"),
    needs_browser,
    needs_wasm,
    # Marionette leaves sockets open while it waits for Firefox.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

GAMES = (
    *("basic", "mnk:3,3,3,misere", "mnk:5,5,4", "mnk:20,20,5,exact", "connect4", "connect4:5,4"),
    *("advanced", "advanced:full=draw", "ultimate", "ultimate:tie=boards,won=open"),
)
LIGHT = {
    "": ".home-game svg",
    "#/?game=ultimate": ".cell.may",
    "#/?game=mnk&opponent=me": ".cell.may",
    "#/position/connect4~7.7.7.7.7.3X3~O?moves=4": ".cell.may",
    "#/games": "main h1",
    "#/lab": "main h1",
    "#/learn": "main .page-card",
    "#/learn/ultimate": "main .rule-steps svg",
    "#/check": ".check-drop",
    "#/nothing": "main :text('Page not found')",
    "#/game/0123456789ab": "main :text('This browser has no such game.')",
    "#/position/basic~X9": "main :text('The text is not of the form')",
}
"""The screens without Python, and an element of their content."""
COMPUTED = {
    "#/puzzles": ".puzzle-card svg",
    "#/puzzles/today": ".cell.may",
    "#/explore/connect4": ".explored-move .chip",
    "#/lab?lab=example": "main pre, main table",
    "#/replay?start=basic&moves=5+1+9+3": "main [aria-label=Replay] button",
    "#/replay?start=basic&moves=5+1+9+3&algorithm=minimax&algorithm=alphabeta": (
        "main [aria-label=Replay] button"
    ),
    "#/exercises": "main a.card",
    "#/exercises/minimax": "main svg",
    "#/exercises/nothing": "main :text('no exercise'), main [role=alert]",
    "#/puzzles/nothing": "main .sentence, main [role=alert]",
}
"""The screens that Python fills."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a site below a path; yield its address."""
    root = tmp_path_factory.mktemp("site")
    written(root)
    with hosted(root) as found:
        yield found


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """Return a visitor, who sees no error and asks for nothing outside the folder."""
    return visit()


def line_of(rules: str, chosen: random.Random) -> tuple[list[Position], list[int]]:
    """Return the positions of a random game, and the cell of each move."""
    line = [*random_game(game(rules), chosen)]
    cells: list[int] = []
    for before, after in pairwise(line):
        move = next(each for each in before.legal_moves() if before.play(each) == after)
        cell = cell_of(before, move)
        assert cell is not None
        cells.append(cell)
    return line, cells


def show(page: Page, path: str, ready: str) -> None:
    page.goto(page.url.partition("#")[0] + path)
    expect(page.locator(ready).first).to_be_visible()


def test_screens(visitor: Visitor) -> None:
    page = visitor.go("")
    for path, ready in LIGHT.items():
        show(page, path, ready)
        wide = "document.documentElement.scrollWidth > window.innerWidth"
        assert not page.evaluate(wide), path


@pytest.mark.soak
@needs_site_parts
@pytest.mark.parametrize("width", [1240, 390])
def test_every_screen(visitor: Visitor, width: int) -> None:
    page = visitor.go("")
    page.set_viewport_size({"width": width, "height": 844})
    for path, ready in (LIGHT | COMPUTED).items():
        show(page, path, ready)
        page.wait_for_load_state("networkidle")
        wide = "document.documentElement.scrollWidth > window.innerWidth"
        assert not page.evaluate(wide), path
        if AXE.exists():
            assert faults(page) == [], path


def play_out(page: Page, rules: str, chosen: random.Random) -> None:
    """Play a random game of both sides to its end on the board."""
    line, cells = line_of(rules, chosen)
    show(page, f"#/?game={rules}&opponent=me", ".cell.may")
    for number, cell in enumerate(cells, 1):
        page.locator(f'.cell[data-cell="{cell}"]').click()
        expect(moves(page)).to_have_count(number)
    outcome = line[-1].outcome()
    assert outcome is not None
    said = "draw" if outcome.winner is None else f"{outcome.winner} wins"
    expect(page.locator(".situation")).to_contain_text(re.compile(said, re.IGNORECASE))
    expect(page.locator(".cell.may")).to_have_count(0)


def test_a_game_is_played_to_its_end(visitor: Visitor) -> None:
    play_out(visitor.go(""), "connect4:5,4", random.Random(2))


@pytest.mark.soak
@pytest.mark.parametrize("rules", GAMES)
def test_every_game_is_played_to_its_end(visitor: Visitor, rules: str) -> None:
    page = visitor.go("")
    for seed in range(1 if rules == "mnk:19,19,5" else 2):
        play_out(page, rules, random.Random(seed))
    show(page, f"#/?game={rules}&opponent=engine:level=2", ".cell.may")
    page.locator(".cell.may").first.click()
    expect(moves(page).nth(1)).to_be_visible()


@pytest.mark.parametrize("isolated", [True, False])
def test_a_host_with_headers_gives_threads(
    browser: Browser, tmp_path: Path, isolated: bool
) -> None:
    headers = {
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
    }
    written(tmp_path)
    with hosted(tmp_path, headers if isolated else {}) as address:
        visitor = Visitor(browser, address)
        asked: list[str] = []
        visitor.context.on("request", lambda request: asked.append(request.url))
        page = visitor.go("#/?game=mnk:4,4,4&opponent=engine:seconds=0.2")
        for number in (1, 3):
            expect(page).to_have_title(re.compile("^Your move"))
            page.locator(".cell.may").first.click()
            expect(moves(page)).to_have_count(number + 1)
        assert page.evaluate("crossOriginIsolated") is isolated
        if isolated:
            # From the cache of the service worker.
            wait_until(page, "async () => Boolean((await navigator.serviceWorker.ready).active)")
            page.reload()
            expect(moves(page)).to_have_count(4)
            assert page.evaluate("crossOriginIsolated")
            page.locator(".cell.may").first.click()
            expect(moves(page)).to_have_count(6)
        # Python and a page without network have this one; the worker keeps it in its own time.
        assert wait_for(page, lambda: any(url.endswith("/core.wasm") for url in asked))
        assert any(url.endswith("/core-threads.wasm") for url in asked) is isolated
        assert visitor.wrong == []
        visitor.context.close()


# The check of a student's file

FIRST = """
def minimax(board):
    return next(((i, j) for i in range(3) for j in range(3) if board[i][j] is None), None)
"""
"""A file whose `minimax` takes the first free cell."""
LATE = """
def move(cells):
    free = [at for at, cell in enumerate(cells) if cell not in ("X", "O")]
    return free[0] if len(free) > 7 else 99
"""
"""A file with one function, which has no legal move after the second."""


@pytest.mark.soak
@needs_site_parts
def test_a_file_is_checked_and_played_without_a_server(visitor: Visitor) -> None:
    page = visitor.go("#/check")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    drop(page, FIRST, "tictactoe.py")
    headline = page.get_by_role("heading", name="8 of 8 functions have mistakes.")
    expect(headline).to_be_visible()
    expect(page.locator(".check-functions tr").last).to_have_text("✗minimaxwrong")
    beat_first(page)
    page.reload()
    expect(page.locator(".result")).to_contain_text("You win!")
    button(page, "Rematch").click()
    page.locator(".cell.may[data-cell='4']").click()
    expect(moves(page)).to_have_count(2)

    page.goto(visitor.address + "#/check")
    page.get_by_text("Another kind of file").click()
    page.get_by_label("Its functions").select_option("moves")
    drop(page, LATE, "late.py")
    expect(page.get_by_text("late.py", exact=True)).to_be_visible()
    button(page, "Play as X").click()
    page.locator(".cell.may[data-cell='4']").click()
    expect(moves(page)).to_have_count(2)
    page.locator(".cell.may[data-cell='8']").click()
    sentence = "X wins: O answered with no legal move."
    expect(page.locator(".situation, .result").first).to_contain_text(sentence)
    button(page, "Undo").click()
    expect(moves(page)).to_have_count(2)
    assert {*sent} == {"GET"}


# Files and links between a served page and a site


def exported(page: Page, form: str) -> str:
    """Return the shown game as the page's file."""
    button(page, "Share").click()
    with page.expect_download() as download:
        button(page, form).click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    page.keyboard.press("Escape")
    return text


def open_imported(page: Page, text: str) -> None:
    """Import a game on the list of games, which opens it."""
    button(page, "Import").click()
    page.get_by_label("Games as text").fill(text)
    page.locator("dialog").get_by_role("button", name="Import").click()
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.soak
@needs_site_parts
def test_games_and_links_move_between_a_served_page_and_a_site(
    visitor: Visitor, browser: Browser, tmp_path: Path
) -> None:
    line, cells = line_of("ultimate", random.Random(5))
    count = 12
    with served(tmp_path / "games.db") as address:
        there = Visitor(browser, address)
        for form in ("Text record", "JSON"):
            here = visitor.go("")
            play_some(here, "#/?game=ultimate&opponent=me", cells[:count])
            text = exported(here, form)
            page = there.go("/games")
            open_imported(page, text)
            expect(moves(page)).to_have_count(count)
            text = exported(page, form)
            there.go("/games")
            show(here, "#/games", "main h1")
            open_imported(here, text)
            expect(moves(here)).to_have_count(count)
            for each in (page, here):
                each.keyboard.press("Escape")
        path = f"/position/{line[3]}"
        for page, link in ((there.page, f"{address}{path}"), (here, f"{visitor.address}#{path}")):
            page.goto(link)
            expect(page.locator(".cell.may")).to_have_count(len(line[3].legal_moves()))
        # Each page's own link, converted as docs/site.md says.
        ours = link_of(here)
        theirs = link_of(there.page)
        assert ours.partition("#")[2] == theirs.removeprefix(address)
        assert there.wrong == []
        there.context.close()


def play_some(page: Page, path: str, cells: list[int]) -> None:
    show(page, path, ".cell.may")
    for number, cell in enumerate(cells, 1):
        page.locator(f'.cell[data-cell="{cell}"]').click()
        expect(moves(page)).to_have_count(number)


def link_of(page: Page) -> str:
    """Return the position link of the share dialog."""
    button(page, "Share").click()
    return page.get_by_label("Position link").input_value()


# Firefox


@pytest.fixture
def fox(address: str, tmp_path: Path) -> Iterator[Firefox]:
    with firefox(address, tmp_path) as found:
        found.go("", ".home-game")
        yield found
        assert found.errors() == []


def plain(selector: str) -> str:
    """Return a selector of Playwright for the browser's own `querySelector`."""
    return ", ".join(re.sub(r" ?:text\([^)]*\)", " h1", each) for each in selector.split(", "))


@needs_firefox
def test_firefox_plays_a_game_to_its_end(fox: Firefox) -> None:
    fox_plays(fox, "basic", 1)


def fox_plays(fox: Firefox, rules: str, seed: int) -> None:
    _, cells = line_of(rules, random.Random(seed))
    fox.go(f"#/?game={rules}&opponent=me", ".cell.may")
    for number, cell in enumerate(cells, 1):
        fox.click(f'.cell[data-cell="{cell}"]')
        fox.wait(".rows .half button", number)
    fox.until("return document.querySelectorAll('.cell.may').length === 0")


@pytest.mark.soak
@needs_firefox
@needs_site_parts
def test_firefox_shows_every_screen_and_plays_every_game(fox: Firefox) -> None:
    for path, ready in (LIGHT | COMPUTED).items():
        fox.go(path, plain(ready))
        fox.until("return document.documentElement.scrollWidth <= window.innerWidth")
        assert fox.errors() == [], path
    for rules in GAMES:
        if rules != "mnk:19,19,5":  # One hundred clicks and more.
            fox_plays(fox, rules, 1)
        fox.go(f"#/?game={rules}&opponent=engine:level=1", ".cell.may")
        fox.click(".cell.may")
        fox.wait(".rows .half button", 2)
        assert fox.errors() == [], rules
