"""`noughts review --html`: the page has the figures of the review, and opens in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from command import run
from needs import needs_axe, needs_browser
from page import faults
from playwright.sync_api import Browser, Page

import noughts
from noughts.answers.reasons import review_data
from noughts.explain.review import review, turning_points
from noughts.games import record as records
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.judgement.judge import Judge
from noughts.search import Limit
from noughts.views.review_report import Reviewed, review_report

SHARP = "</script><b>&amp;"
"""The name of a player that a careless page would interpret as HTML."""
GAMES = {
    "basic": "1 2 5 3 9",
    "connect4": "4 4 1 1 2 7 3",
    "ultimate": "55 51 15 58 85 52 22 29 93 36 66 64",
    "mnk:5,5,4": "c3 a1 b2 e5 d4 e4 a5 e3 b1 e2",
}
POINTS = {"win": 1.0, "draw": 0.0, "loss": -1.0}
Open = Callable[..., Page]


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tests, not the solvers, decide how far a search goes."""
    monkeypatch.setattr("noughts.judgement.judge.SOLVED", {})
    monkeypatch.setattr("noughts.judgement.judge.full_strength", lambda _: Limit(nodes=3_000))


def reviewed(rules_id: str) -> Reviewed:
    """Return a game of Ann against a player with a sharp name, and its remarks."""
    start = noughts.game(rules_id)
    moves = noughts.parse_moves(start, GAMES[rules_id])
    record = Record.from_moves(start, moves, {"X": "Ann", "O": SHARP})
    return record, review(record, Judge(start, Limit(nodes=3_000)))


class Texts(HTMLParser):
    """The texts of a page, each with the elements around it, such as `p.lead`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.path: list[str] = []
        self.found: list[tuple[set[str], str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "br"):
            name = dict(attrs).get("class")
            self.path.append(f"{tag}.{name}" if name else tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.path.pop().split(".")[0] == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            tags = {each.split(".")[0] for each in self.path}
            self.found.append((tags | {*self.path}, data.strip()))

    def of(self, *parts: str) -> list[str]:
        """Return the texts in elements with these tags, or tags and classes."""
        return [text for path, text in self.found if set(parts) <= path]


@pytest.mark.parametrize("rules_id", GAMES)
def test_figures_are_those_of_the_review(rules_id: str) -> None:
    record, remarks = reviewed(rules_id)
    data = review_data(remarks, Judge(record.start, Limit(nodes=3_000)))
    players, texts = [*data["summary"].values()], Texts(review_report([(record, remarks)]))
    assert texts.path == []
    shown = texts.of("div.players", "b")
    assert shown == [f"{each['accuracy']:.0f}" for each in players]
    assert texts.of("h1") == [title for title in texts.of("h1") if SHARP in title] != []
    assert texts.of("p.proven") == [" ".join(win["sentence"] for win in data["wins"])] * bool(
        data["wins"]
    )
    points = [ply for each in players for ply in each["turning_points"]]
    headings = texts.of("div.points", "h3")
    assert [int(text[5:-1]) for text in headings if text.startswith("Move ")] == points
    moves = [*zip(*[iter(texts.of("ol.all", "li", "span"))] * 4, strict=True)]
    assert [row[:3] for row in moves] == [
        (str(each["ply"]), f"{each['player']} {each['move']}", each["label"])
        for each in data["remarks"]
    ]
    sentences = [said.text for each in remarks for said in each.sentences]
    assert texts.of("ol.all", "p") == sentences
    said = [said.text for ply in points for said in remarks[ply - 1].sentences]
    assert texts.of("div.points", "p") == said


def test_some_game_has_turning_points_of_both_players() -> None:
    _, remarks = reviewed("ultimate")
    assert all(turning_points(remarks, player) for player in Player)


@pytest.mark.parametrize("rules_id", GAMES)
def test_graph_has_a_point_for_each_position(rules_id: str) -> None:
    record, remarks = reviewed(rules_id)
    page = review_report([(record, remarks)])
    (graph,) = re.findall(r'<svg class="course-of-game".*?</svg>', page, re.DOTALL)
    paths = {each.get("class"): each.get("d", "") for each in ElementTree.fromstring(graph).iter()}
    places = [tuple(map(float, each.split())) for each in paths["values"][1:].split("L")]
    assert len(places) == len(record.moves) + 1
    assert [x for x, _ in places] == pytest.approx(
        [1000 * at / len(record.moves) for at in range(len(places))], abs=0.01
    )
    for remark, (_, y) in zip(remarks, places[1:], strict=True):
        value = POINTS.get(remark.after.kind, remark.after.estimate)
        assert value is not None
        sign = 1 if remark.position.turn is Player.X else -1
        assert y == pytest.approx(100 - 100 * sign * value, abs=0.01)


def test_registered_game_without_a_board_has_its_diagram(nim: Position) -> None:
    moves = [nim.legal_moves()[0]]
    record = Record.from_moves(nim, moves)
    page = review_report([(record, review(record, Judge(nim, Limit(nodes=3_000))))])
    assert "All moves" in page


# The command --------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    for rules_id in ("basic", "connect4"):
        start = noughts.game(rules_id)
        moves = noughts.parse_moves(start, GAMES[rules_id])
        records.append(path, Record.from_moves(start, moves, {"X": "Ann", "O": "Ben"}))
    return path


def test_command_writes_the_games_that_it_reviews(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    done = run("review", str(file), "--html", str(page), "--nodes", "3000", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    games = [json.loads(line) for line in done.stdout.splitlines()]
    texts = Texts(page.read_text(encoding="utf-8"))
    assert texts.of("div.players", "b") == [
        f"{game['players'][side]['accuracy']:.0f}" for game in games for side in "XO"
    ]
    assert len(texts.of("p.lead")) == len(games) == 2
    done = run("review", str(file), "--html", str(page), "--game", "2", "--nodes", "3000")
    assert done.returncode == 0
    assert texts.of("p.lead") != Texts(page.read_text(encoding="utf-8")).of("p.lead") == []


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["--html", "review.txt"], 2, "--html: review.txt is not a .html file"),
        (["--html", "/no/such/folder/a.html"], 3, "--html: there is no folder /no/such/folder"),
        (["--html", "a.html", "--retry"], 2, "writes no page: leave out --html"),
        (["--html", "{folder}"], 3, "--html: cannot write"),
    ],
)
def test_wrong_paths_are_refused(
    file: Path, tmp_path: Path, arguments: list[str], code: int, complaint: str
) -> None:
    folder = tmp_path / "folder.html"
    folder.mkdir()
    given = [each.format(folder=folder) for each in arguments]
    done = run("review", str(file), "--nodes", "100", *given)
    assert done.returncode == code
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


# In a browser -------------------------------------------------------------------------------------


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a report from disk, offline, and allows no browser error."""
    wrong: list[str] = []
    contexts = []

    def open_(**settings: Any) -> Page:
        file = tmp_path / "review.html"
        file.write_text(review_report([reviewed(each) for each in GAMES]), encoding="utf-8")
        context = browser.new_context(offline=True, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []


@needs_browser
def test_light_and_dark(opened: Open) -> None:
    page = opened(color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(19, 21, 24)"
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(paper) == "rgb(251, 250, 248)"


@needs_browser
def test_nothing_is_wider_than_a_phone(opened: Open) -> None:
    page = opened(viewport={"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator(".points svg").count() > 3


@needs_browser
@needs_axe
def test_accessibility(opened: Open) -> None:
    for scheme in ("light", "dark"):
        assert faults(opened(color_scheme=scheme)) == []
