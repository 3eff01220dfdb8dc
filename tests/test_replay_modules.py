"""The replay's modules on their own: boards drawn from data, viewers mounted in a page."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from needs import needs_browser
from playwright.sync_api import Browser, Page, Route, expect
from recordings import MIDDLE, SMALL, recorded
from samples import RULES_IDS

import noughts
from noughts.games.nested import NestedPosition
from noughts.games.position import Position
from noughts.games.row import RowPosition
from noughts.views import replay, svg
from noughts.views.board import board_data, lines, owners
from noughts.views.modules import Module, bundle, ordered, parse

pytestmark = needs_browser
ORIGIN = "http://replay.test"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a page that can import the modules, and forbids inline styles."""
    wrong: list[str] = []

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(f"{ORIGIN}/")
        if name == "":
            sheets = "".join(
                f'<link rel="stylesheet" href="/{sheet}">'
                for sheet in ("board.css", "replay.css", "steps.css")
            )
            policy = "default-src 'none'; script-src 'self'; style-src 'self'"
            body = (
                f"<!doctype html>{sheets}<h2 class=card>Around</h2>"
                "<div id=one></div><div id=two></div><input id=other>"
            )
            route.fulfill(
                body=body, content_type="text/html", headers={"Content-Security-Policy": policy}
            )
            return
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        body = (replay.STATIC / name).read_text(encoding="utf-8")
        route.fulfill(body=body, content_type=kind)

    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.route(f"{ORIGIN}/**", serve)
    page.goto(f"{ORIGIN}/")
    yield page
    context.close()
    assert wrong == []


# Boards


def as_data(position: Position, last: int | None = None) -> dict[str, Any]:
    """Return the argument of `drawBoard` for a position."""
    board = board_data(position)
    if board["kind"] == "text":
        return {"board": {"kind": "text", "text": position.diagram()}}
    board["lines"], board["board_lines"] = lines(position)
    opened: list[int] = []
    if isinstance(position, NestedPosition):
        board["owners"] = owners(position)
        opened = sorted({move // 9 for move in position.legal_moves()})
    over = position.outcome() is not None
    return {
        "board": board,
        "turn": str(position.turn),
        "open": opened,
        "last": last,
        "over": over,
    }


def drawn(page: Page, position: Position, last: int | None = None, **options: Any) -> str:
    html: str = page.evaluate(
        "async ([position, options]) => (await import('/board.js')).drawBoard(position, options)",
        [as_data(position, last), options],
    )
    return html


def ends(path: str) -> list[list[float]]:
    """Return the ends of the strokes of a path."""
    return [[float(x) for x in re.findall(r"[-\d.]+", part)] for part in path.split("M")[1:]]


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_boards_equal_those_of_the_svg(page: Page, rules_id: str) -> None:
    """Size, cells, marks and winning lines are placed as by views/svg.py."""
    position = noughts.game(rules_id)
    rng = random.Random(rules_id)
    last = None
    while position.outcome() is None:
        move = rng.choice(position.legal_moves())
        if isinstance(position, RowPosition | NestedPosition):
            last = position.cell(move)
        position = position.play(move)
    if not isinstance(position, RowPosition | NestedPosition):
        assert position.diagram() in drawn(page, position)
        return
    picture = svg.drawing(position, svg.LIGHT, last=last)
    data = as_data(position)
    size, centres = page.evaluate(
        """async (board) => {
          const { boardSize, centre } = await import('/board.js');
          const cells = Array.from(board.cells, (_, cell) => centre(board, cell));
          return [boardSize(board), cells];
        }""",
        data["board"],
    )
    assert size == [picture.width, picture.height]
    wanted = [svg.centre(position, cell) for cell in range(len(centres))]
    assert [tuple(each) for each in centres] == wanted
    html = drawn(page, position, last, large=True)
    for name, strokes in (("x", 2), ("o", 1)):
        marks = "".join(re.findall(rf'class="{name}" d="([^"]*)"', html))
        assert marks.count("M") == strokes * data["board"]["cells"].count(name.upper())
    ours = [ends(d) for d in re.findall(r'class="won[^"]*" d="([^"]*)"', html)]
    theirs = [ends(d) for d in re.findall(r'class="won"[^>]* d="([^"]*)"', picture.body)]
    assert len(ours) == len(theirs)
    for our, their in zip(ours, theirs, strict=True):
        assert sorted(our) == [pytest.approx(each, abs=0.01) for each in sorted(their)]
    frame = re.search(r'class="last" x="([^"]*)" y="([^"]*)"', picture.body)
    assert frame
    assert f'class="last" x="{frame[1]}" y="{frame[2]}"' in html


def test_playable_boards_are_marked(page: Page) -> None:
    forced = drawn(page, noughts.position("ultimate~9.9.9.9.X8.9.9.9.9~O~1"))
    assert forced.count('class="ground open by-o forced"') == 1
    assert forced.count('class="ground open') == 1
    free = drawn(page, noughts.game("ultimate"))
    assert free.count('class="ground open by-x"') == 9


def test_won_board_is_covered(page: Page) -> None:
    """A large mark covers it; where it is still open, the mark is faint and the cells legible."""
    closed = noughts.position("ultimate~XXX6.OO7.9.9.9.9.9.9.9~O~2")
    html = drawn(page, closed)
    assert html.count('class="faded"') == html.count('class="owner x"') == 1
    open_ = noughts.position("ultimate:won=open~XXX6.OO7.9.9.9.9.9.9.9~O~2~X--------")
    html = drawn(page, open_)
    assert 'class="faded"' not in html
    assert html.count('class="owner x faint"') == 1
    full = noughts.position("ultimate:won=open~XXXOOXOXO.9.9.9.9.9.9.9.9~O~2~X--------")
    html = drawn(page, full)
    assert html.count('class="faded"') == html.count('class="owner x"') == 1


def test_names_of_moves(page: Page) -> None:
    def names(rules_id: str, names: str) -> list[str]:
        html = drawn(page, noughts.game(rules_id), names=names)
        return re.findall(r"<text[^>]*>([^<]*)<", html)

    assert names("mnk:4,3,3", "edges") == ["a", "b", "c", "d", "1", "2", "3"]
    assert names("mnk:2,2,2", "cells") == ["a1", "b1", "a2", "b2"]
    assert names("basic", "edges") == []
    assert names("basic", "cells") == list("123456789")
    assert names("connect4", "edges") == names("connect4", "cells") == list("1234567")
    assert names("ultimate", "") == []


# Viewers


def mount(page: Page, place: str, data: dict[str, Any]) -> None:
    page.evaluate(
        """async ([place, data]) => {
          const { mount } = await import("/player.js");
          window.viewers ??= {};
          window.viewers[place] = mount(document.getElementById(place), data);
        }""",
        [place, data],
    )


def small_data(search: str = "alphabeta") -> dict[str, Any]:
    return replay.replay_data([recorded(noughts.position(SMALL), search)])


def test_several_viewers_on_a_page(page: Page) -> None:
    data = small_data()
    mount(page, "one", data)
    mount(page, "two", replay.replay_data([recorded(noughts.position(MIDDLE), "mcts")]))
    one, two = page.locator("#one"), page.locator("#two")
    one.get_by_role("button", name="To the end").click()
    last = len(data["searches"][0]["events"]["kind"])
    expect(one.locator(".place")).to_have_text(f"event {last} of {last}")
    opened = int((two.locator(".place").text_content() or "").split()[1])
    two.get_by_role("button", name="Step forward").click()
    page.keyboard.press(".")
    expect(two.locator(".place")).to_contain_text(f"event {opened + 2} of")
    expect(one.locator(".place")).to_have_text(f"event {last} of {last}")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Home")
    expect(one.locator(".place")).to_contain_text("event 1 of")
    expect(two.locator(".place")).to_contain_text(f"event {opened + 2} of")
    page.locator("#other").press("End")
    expect(one.locator(".place")).to_contain_text("event 1 of")


def test_viewer_can_be_removed_and_mounted_again(page: Page) -> None:
    data = small_data()
    mount(page, "one", data)
    before = page.locator("#one").inner_text()
    page.locator("#one").get_by_role("button", name="Play").click()
    page.evaluate("window.viewers.one.destroy()")
    assert (
        page.evaluate("document.getElementById('one').outerHTML") == '<div id="one" class=""></div>'
    )
    page.keyboard.press("End")
    mount(page, "one", data)
    assert page.locator("#one").inner_text() == before


def test_styles_stay_inside(page: Page) -> None:
    look = """(() => {
      const style = getComputedStyle(document.querySelector("h2"));
      return [...style].map((name) => name + style[name]).join();
    })()"""
    with_sheets = page.evaluate(look)
    page.evaluate("document.querySelectorAll('link').forEach(link => link.remove())")
    assert page.evaluate(look) == with_sheets


# The single file


def scripts(**sources: str) -> list[Module]:
    return [parse(f"/{name}.js", source) for name, source in sources.items()]


def test_modules_become_one_script(page: Page) -> None:
    one = "const own = 1;\nexport const first = own;\nexport async function second() {}\n"
    two = (
        'import { first as own, second } from "./one.js";\nimport * as one from "/one.js";\n'
        "window.found = [own, one.first, typeof second, typeof one.own];\n"
    )
    page.evaluate(bundle(scripts(one=one, two=two)))
    assert page.evaluate("window.found") == [1, 1, "function", "undefined"]


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ('import { third } from "./one.js";\n', r"/two.js imports \['third'\] from /one.js"),
        ('import { first } from "./three.js";\n', r"imports \['first'\] from /three.js"),
        ('import "./one.js";\n', "in a form that is not known"),
        ("export default 1;\n", "in a form that is not known"),
        ("export let changing = 1;\n", "in a form that is not known"),
    ],
)
def test_modules_that_cannot_be_bundled(source: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        bundle(scripts(one="export const first = 1;\n", two=source))


def test_modules_are_ordered_by_their_imports() -> None:
    use = 'import {{ x }} from "./{}.js";\n'
    modules = {each.address: each for each in scripts(a=use.format("b"), b=use.format("c"), c="")}
    assert [each.address for each in ordered(modules, "/a.js")] == ["/c.js", "/b.js", "/a.js"]
    circle = modules | {"/c.js": parse("/c.js", use.format("a"))}
    with pytest.raises(ValueError, match=r"each other: /a.js /b.js /c.js /a.js"):
        ordered(circle, "/a.js")
    with pytest.raises(ValueError, match=r"/b.js imports /c.js, which is not there"):
        ordered({name: modules[name] for name in ("/a.js", "/b.js")}, "/a.js")
