"""The viewer on the page: from a form, an address, or a game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from needs import needs_axe, needs_browser
from page import Visit, button, faults
from playwright.sync_api import Locator, Page, expect
from recordings import data_of, recorded

import noughts
from noughts.search.trace import Cut
from noughts.views.replay import replay, replay_data

pytestmark = needs_browser


def place(page: Page) -> Locator:
    """Wait for the viewer; return its text about the shown event."""
    found = page.locator(".replay .place")
    expect(found).to_be_visible()
    return found


def alert(page: Page) -> Locator:
    return page.get_by_role("alert")


def test_the_example(visit: Visit) -> None:
    page = visit().go("/replay")
    recording = recorded(noughts.game("basic").after("1547"), "alphabeta")
    cut = next(number for number, event in enumerate(recording.events, 1) if isinstance(event, Cut))
    expect(place(page)).to_have_text(f"event {cut} of {len(recording)}")
    expect(page.get_by_text("Alpha-beta on Tic-tac-toe, after 1 5 4 7")).to_be_visible()
    expect(page).to_have_title("Alpha-beta · noughts")
    button(page, "To the end").click()
    expect(place(page)).to_have_text(f"event {len(recording)} of {len(recording)}")
    page.keyboard.press("Home")
    expect(place(page)).to_have_text(f"event 1 of {len(recording)}")


@pytest.mark.parametrize(
    ("start", "moves", "algorithm"),
    [
        ("mnk:3,3,3,misere", "b2 a1", "hminimax:depth=3"),
        ("mnk:7,5,4", "d3", "minimax:depth=1"),
        ("connect4", "4453", "alphabeta:depth=3"),
        ("advanced:full=draw", "55 51", "mcts:simulations=20,seed=1"),
        ("ultimate:tie=boards,won=open", "55 51", "alphabeta:depth=2,score=sign"),
        ("basic~XOX.O1O.X2~X", "", "negamax"),
    ],
)
def test_every_game_and_search(visit: Visit, start: str, moves: str, algorithm: str) -> None:
    page = visit().go(f"/replay?start={start}&moves={moves}&algorithm={algorithm}")
    first = noughts.position(start) if "~" in start else noughts.game(start)
    position = first
    for move in noughts.parse_moves(first, moves):
        position = position.play(move)
    recording = recorded(position, algorithm)
    shown = min(len(recording), 50_000)
    expect(place(page)).to_contain_text(f" of {shown:,}")
    button(page, "To the end").click()
    expect(page.locator(".replay [role=treeitem]").first).to_be_visible()
    inputs = [page.get_by_label(name, exact=True).input_value() for name in ("Position", "Moves")]
    assert inputs == [start, moves]


def test_two_searches_by_the_form(visit: Visit) -> None:
    page = visit().go("/replay?start=basic&moves=5127&algorithm=minimax:depth=3")
    place(page)
    button(page, "Change search").click()
    expect(page.get_by_label("Algorithm")).to_have_value("minimax")
    expect(page.get_by_label("Depth")).to_have_value("3")
    button(page, "Add second search").click()
    second = page.get_by_role("group", name="Second search")
    second.get_by_label("Algorithm").select_option(label="Monte Carlo tree search")
    second.get_by_label("Simulations").fill("15")
    second.get_by_label("Other options").fill("seed=4")
    page.get_by_label("Moves", exact=True).fill("5 1 2")
    expect(page.locator(".asked").get_by_text("O to move.")).to_be_visible()
    button(page, "Search").click()
    expect(page.locator(".pane")).to_have_count(2)
    names = page.locator(".pane h2").all_inner_texts()
    assert names == ["Minimax", "Monte Carlo tree search"]
    expect(page.locator(".pane").nth(1)).to_contain_text("simulations 15 · seed 4")
    expect(page).to_have_url(re.compile(r"algorithm=minimax%3Adepth%3D3&algorithm=mcts%3A"))
    page.reload()
    expect(page.locator(".pane")).to_have_count(2)
    page.go_back()
    expect(page.locator(".pane")).to_have_count(1)
    button(page, "Change search").click()
    button(page, "Add second search").click()
    button(page, "Remove second search").click()
    expect(page.get_by_label("Algorithm")).to_have_count(1)


def test_replay_of_a_game(visit: Visit) -> None:
    page = visit().go("/position/basic?moves=5+1+2")
    button(page, "More").click()
    page.get_by_role("link", name="Step through search").click()
    place(page)
    expect(page.get_by_text("Alpha-beta on Tic-tac-toe, after 5 1 2")).to_be_visible()
    button(page, "To the start").click()
    expect(page.locator(".which")).to_have_text("The root")
    expect(page.locator(".standing")).to_have_text("O to move (MAX)")


def test_letters_are_swapped_as_in_the_game(visit: Visit) -> None:
    """Where O starts by the players' choice, the viewer shows the swapped letters."""
    page = visit().go(
        "/replay?start=ultimate&moves=51+15&letters=swapped&algorithm=minimax:depth=1"
    )
    place(page)
    expect(page.locator(".replay").get_by_role("status")).to_contain_text("O, to move, is MAX")
    expect(page.locator(".standing")).to_have_text("O to move (MAX)")
    expect(page.locator(".large .marks .o")).to_have_count(1)
    expect(page.locator(".large .forced.by-o")).to_have_count(1)
    button(page, "Step forward").click()
    expect(page.get_by_role("treeitem", name="root")).to_contain_class("by-o")
    button(page, "Change search").click()
    expect(page.locator(".asked").get_by_text("O to move on board 5.")).to_be_visible()
    page.get_by_label("Depth").fill("2")
    button(page, "Search").click()
    expect(page).to_have_url(re.compile("letters=swapped.*depth%3D2"))
    expect(page.locator(".standing")).to_have_text("O to move (MAX)")
    button(page, "Change search").click()
    page.get_by_label("Position").fill("basic")
    page.get_by_label("Moves", exact=True).fill("")
    button(page, "Search").click()
    expect(page.locator(".standing")).to_have_text("X to move (MAX)")


IMPOSSIBLE = {
    "start=checkers": "checkers",
    "start=basic~XXX.OOO.3~X": "Both X and O have a line",
    "start=basic&moves=55": "cell 5 is taken",
    "start=connect4&moves=9": "no column 9",
    "start=basic&moves=14253": "The game is over. X wins",
    "start=basic&algorithm=alphabet": "there is no search 'alphabet'",
    "start=basic&algorithm=alphabeta:depth=deep": "depth",
    "start=connect4&algorithm=hminimax:evaluation=line": "evaluation",
    "start=": "No game called",
}


def test_impossible_searches_are_refused(visit: Visit) -> None:
    visitor = visit()
    for query, complaint in IMPOSSIBLE.items():
        page = visitor.go(f"/replay?{query}")
        expect(alert(page)).to_contain_text(complaint, ignore_case=True)
        expect(page.locator(".replay")).to_have_count(0)
    page.get_by_label("Position").fill("basic")
    page.get_by_label("Moves", exact=True).fill("5127")
    page.get_by_label("Algorithm").select_option(label="Minimax")
    button(page, "Search").click()
    expect(place(page)).to_contain_text("event 1 of")
    expect(alert(page)).to_have_count(0)
    visitor.wrong = [each for each in visitor.wrong if "status of 4" not in each]


def test_downloaded_file_equals_that_of_the_command(visit: Visit, tmp_path: Path) -> None:
    page = visit().go("/replay?start=basic&moves=5127&algorithm=minimax&algorithm=alphabeta")
    place(page)
    with page.expect_download() as got:
        button(page, "Download").click()
    assert got.value.suggested_filename == "replay-basic.html"
    got.value.save_as(tmp_path / "see.html")
    position = noughts.position("basic~OX1.1X1.O2~X")
    recordings = [recorded(position, name) for name in ("minimax", "alphabeta")]
    file = (tmp_path / "see.html").read_text(encoding="utf-8")
    assert data_of(file) == json.loads(json.dumps(replay_data(recordings)))


def test_search_can_be_stopped(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/replay?start=connect4&algorithm=minimax:depth=20")
    expect(page.get_by_text("Searching…")).to_be_visible()
    button(page, "Stop").click()
    expect(alert(page)).to_have_text("Stopped.")
    page.get_by_label("Depth").fill("1")
    button(page, "Search").click()
    place(page)
    expect(page.get_by_text("Searching…")).to_be_hidden()


def test_leaving_removes_the_viewer(visit: Visit) -> None:
    page = visit().go("/replay")
    place(page)
    button(page, "Play").click()
    page.get_by_role("link", name="Learn", exact=True).click()
    expect(page.get_by_role("heading", name="Learn")).to_be_visible()
    expect(page.locator(".replay")).to_have_count(0)
    page.keyboard.press("End")
    page.go_back()
    expect(place(page)).to_contain_text("event 11 of")


LOOK = """() => {
  const names = ["margin", "padding", "border", "font-size", "font-weight", "line-height", "color",
    "background-color", "background-image", "min-height", "min-width", "display", "opacity",
    "stroke-width", "fill", "stroke", "text-align", "appearance", "gap", "box-shadow"];
  return [...document.querySelectorAll(".replay .controls, .replay .controls *, .pane *")].map(
    (each) => {
      const style = getComputedStyle(each);
      const values = names.map((name) => `${name}: ${style.getPropertyValue(name)}`);
      return `${each.tagName} ${each.getAttribute("class")} ${values.join("; ")}`;
    });
}"""


def test_viewer_looks_as_in_the_file(visit: Visit, tmp_path: Path) -> None:
    """No style of the page affects the viewer; a shared class name would show here."""
    (tmp_path / "see.html").write_text(
        replay([recorded(noughts.position("ultimate~9.9.9.9.X8.9.9.9.9~O~1"), "minimax:depth=1")]),
        encoding="utf-8",
    )

    def look(page: Page) -> Any:
        place(page)
        page.locator(".replay .slider").fill("12")
        expect(place(page)).to_contain_text("event 13 of")
        return page.evaluate(LOOK)

    settings = {"viewport": {"width": 1240, "height": 860}, "reduced_motion": "reduce"}
    visitor = visit(**settings)
    page = visitor.go("/replay?start=ultimate&moves=51&algorithm=minimax:depth=1")
    in_page = look(page)
    page.goto((tmp_path / "see.html").as_uri())
    visitor.wrong.clear()
    differ = [each for each in zip(in_page, look(page), strict=True) if each[0] != each[1]]
    assert differ == []


@needs_axe
def test_accessible(visit: Visit) -> None:
    page = visit().go(
        "/replay?start=basic&moves=5127&algorithm=alphabeta&algorithm=mcts:simulations=20"
    )
    place(page)
    page.locator(".replay .slider").fill("60")
    button(page, "Change search").click()
    expect(page.get_by_label("Position")).to_be_visible()
    assert faults(page) == []


def test_no_sideways_scroll(visit: Visit) -> None:
    page = visit().go("/replay?start=ultimate&moves=51&algorithm=mcts:simulations=15")
    place(page)
    button(page, "To the end").click()
    button(page, "Change search").click()
    button(page, "Add second search").click()
    for width in (360, 768, 1240, 2560):
        page.set_viewport_size({"width": width, "height": 780})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        sizes: list[list[float]] = page.evaluate(
            "[...document.querySelectorAll('main button, main select, main input')]"
            ".map(e => e.getBoundingClientRect()).filter(box => box.width)"
            ".map(box => [box.width, box.height])"
        )
        assert min(min(size) for size in sizes) >= 40


def test_fields_of_the_form_begin_below_each_other(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/replay?start=basic&moves=5+5")
    expect(page.get_by_text("Cell 5 is taken")).to_be_visible()
    first = (page.get_by_label("Position"), page.get_by_role("combobox", name="Algorithm"))
    boxes = [each.bounding_box() for each in (*first, button(page, "Search"))]
    assert len({round(box["x"]) for box in boxes if box}) == 1
    visitor.expected(422)


def test_leaving_during_an_answer_is_no_error(visit: Visit) -> None:
    """The answer has begun: its status is there, but not its text."""
    page = visit().go("/learn")
    page.evaluate(
        """() => {
          const own = window.fetch;
          window.fetch = async (url, options) => {
            if (!String(url).endsWith("/replay")) return own(url, options);
            document.documentElement.dataset.begun = "";
            const text = new Promise((_, refuse) => {
              options.signal.addEventListener("abort", () => refuse(options.signal.reason));
            });
            return { ok: true, status: 200, json: () => text };
          };
        }"""
    )
    page.get_by_role("main").get_by_role("link", name="Step through search").click()
    expect(page.locator("html[data-begun]")).to_be_attached()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Learn")
