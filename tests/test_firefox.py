"""The page in Firefox: each screen, light and dark, without an error in the console."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from firefox import Firefox, firefox
from needs import needs_firefox, needs_wasm
from patience import PATIENCE

from noughts.views.svg import DARK, LIGHT

pytestmark = [
    needs_firefox,
    # Marionette leaves sockets open while it waits for Firefox.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
GAMES = ("basic", "connect4", "mnk", "advanced", "ultimate")


@pytest.fixture(scope="module")
def browser_of_mozilla(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(address, tmp_path_factory.mktemp("firefox")) as found:
        found.go("/", ".home-game svg")
        found.ask("localStorage.setItem('noughts.film', 'true')")
        yield found


@pytest.fixture
def page(browser_of_mozilla: Firefox) -> Iterator[Firefox]:
    yield browser_of_mozilla
    assert browser_of_mozilla.errors() == []


def looks(page: Firefox) -> None:
    """Check the colours of both schemes, and that nothing scrolls sideways."""
    page.scheme("dark", DARK.paper)
    page.scheme("light", LIGHT.paper)
    assert page.ask("return document.documentElement.scrollWidth <= window.innerWidth")


def played(page: Firefox, game: str) -> None:
    """Play moves of both sides with the mouse."""
    page.go(f"/?game={game}&opponent=me", ".cell.may")
    for number in (1, 2):
        page.click(".cell.may")
        page.wait(".rows .half button", number)


def test_errors_are_noticed(page: Firefox) -> None:
    page.go("/games", "main h1")
    assert page.errors() == []
    page.ask(
        "const script = document.createElement('script'); script.src = '/static/nothing.js';"
        "script.onerror = () => (document.title = 'failed'); document.body.append(script);"
    )
    page.until("return document.title === 'failed'")
    until = time.monotonic() + PATIENCE
    while not page.errors():  # Messages come from another process.
        assert time.monotonic() < until


def test_lines_of_the_board_are_thin(page: Firefox) -> None:
    """In the screen's pixels: Firefox drops lengths that it cannot read, and draws thick lines."""
    page.go("/position/basic~X2.3.3~O?moves=5", ".playing-board .picture .last")
    script = """
      const [name, property] = arguments;
      const part = document.querySelector(`.playing-board .picture ${name}`);
      const pixels = part.ownerSVGElement.getScreenCTM().a;
      return getComputedStyle(part)[property].split(", ").map((each) => parseFloat(each) * pixels);
    """
    assert page.ask(script, "path.grid", "strokeWidth") == pytest.approx([2], abs=0.1)
    assert page.ask(script, ".last", "strokeWidth") == pytest.approx([2], abs=0.1)
    assert page.ask(script, ".last", "strokeDasharray") == pytest.approx([0, 5], abs=0.2)


def test_game_is_played_analysed_and_reviewed(page: Firefox) -> None:
    played(page, "ultimate")
    looks(page)
    page.go("/position/basic~XX1.OO1.3~X?moves=", ".cell.may")
    page.click("button[aria-pressed='false']:not(.tool)")
    page.wait(".cell .chip")
    looks(page)
    page.go("/?game=basic&opponent=me", ".cell.may")
    for number, cell in enumerate((0, 3, 1, 4, 2), 1):
        page.click(f".cell[data-cell='{cell}']")
        page.wait(".rows .half button", number)
    page.click(".review-game")
    page.wait(".side .accuracy")
    looks(page)


@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/", ".home-game svg"),
        ("/puzzles/today", ".cell.may"),
        ("/lab?lab=example", "main pre, main table"),
        ("/replay", ".replay svg"),
    ],
)
def test_screen_is_shown(page: Firefox, path: str, ready: str) -> None:
    page.go(path, ready)
    looks(page)


@needs_wasm
def test_level_moves_in_the_browser(page: Firefox) -> None:
    names = "performance.getEntriesByType('resource').map(({ name }) => name)"
    sent = f"return {names}.some((name) => name.endsWith('/answers'))"
    page.go("/?game=ultimate&opponent=engine:level=1", ".cell.may")
    for plies in range(2, 22, 2):
        page.click(".cell.may")
        page.wait(".rows .half button", plies)
        if page.ask(sent):
            break
    assert page.ask(sent)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played(page: Firefox, game: str) -> None:
    played(page, game)
    looks(page)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("path", "ready"),
    [
        ("/puzzles", ".puzzle-card svg"),
        ("/games", "main h1"),
        ("/lab", "main h1"),
        ("/check", ".check-off"),
    ],
)
def test_other_screens(page: Firefox, path: str, ready: str) -> None:
    page.go(path, ready)
    looks(page)
