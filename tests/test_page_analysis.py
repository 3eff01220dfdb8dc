"""The analysis on the game page, in a real browser: values, reasons, graph, variations, review."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

import pytest
from needs import needs_axe, needs_browser
from page import (
    Visit,
    Visitor,
    button,
    choose,
    faults,
    moves,
    playable,
    settled,
    wait_for,
    wait_until,
)
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

import noughts
from noughts.answers.tasks import explain
from noughts.engine import Engine
from noughts.games.row import RowPosition
from noughts.views.values import mark

pytestmark = needs_browser
EXACT = re.compile(r"^(win \d+|draw|loss \d+)$")
ESTIMATE = re.compile(r"^\d+%$")
BEST = "The marked cell looks best. Not proven."
ULTIMATE = "55 51 15 58 85 52 22 29 93 36 66 64"


def position(visitor: Visitor, start: str, line: str = "") -> Page:
    page = visitor.go(f"/position/{start}?moves={line.replace(' ', '+')}")
    expect(page.locator(".cell").first).to_be_visible()
    return page


ENDLESS = """
const send = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (question, ...others) {
  if (question.seconds) question.seconds = Infinity;
  return send.call(this, question, ...others);
};
"""
"""Lets every search run to its end, however slow the machine is."""


def analysed(visitor: Visitor, start: str, line: str = "", script: str = "") -> Page:
    """Open a position, evaluate a script and switch the analysis on."""
    page = position(visitor, start, line)
    page.evaluate(f"() => {{{ENDLESS}{script}}}")
    button(page, "Analysis").click()
    return page


def played(page: Page, game: str, line: str) -> None:
    """Play a game on one page, both sides."""
    choose(page, opponent="Two people here")
    names = [noughts.game(game).move_text(move) for move in noughts.game(game).legal_moves()]
    for number, move in enumerate(line.split(), 1):
        page.locator(".cell").nth(names.index(move)).click()
        expect(moves(page)).to_have_count(number)


def chips(page: Page) -> Locator:
    return page.locator(".chip", has=page.locator("xpath=ancestor::*[@role='gridcell']"))


def why(page: Page) -> Locator:
    return page.locator(".sentences .said")


def sure(page: Page, start: str, line: str) -> dict[int, str]:
    """Wait until every value is exact; return the engine's text for each legal cell."""
    place = noughts.position(start) if "~" in start else noughts.game(start)
    for move in line.split():
        place = place.play(place.parse_move(move))
    assert isinstance(place, RowPosition)
    expect(page.locator(".status")).to_contain_text("exact")
    scores = Engine(place.rules_id).best_move(place, moves=True).moves
    return {place.cell(move): mark(value) for move, value in scores.items()}


# Chips


@pytest.mark.parametrize(
    ("start", "line"),
    [("basic", "5"), ("basic", "1 2"), ("mnk:3,3,3,misere", "b2"), ("connect4:4,4", "2 2 3")],
)
def test_every_legal_move_shows_an_exact_value(visit: Visit, start: str, line: str) -> None:
    page = analysed(visit(), start, line)
    values = sure(page, start, line)
    expect(chips(page)).to_have_count(len(values))
    for cell, value in values.items():
        expect(page.locator(f".cell[data-cell='{cell}'] .chip")).to_have_text(value)
    assert all(EXACT.match(value) for value in values.values())
    label = page.locator(".cell", has=page.locator(".chip.best")).get_attribute("aria-label")
    best = page.locator(".chip.best").inner_text()
    assert label is not None
    words = {"win": "wins", "draw": "draws", "loss": "loses"}[best.partition(" ")[0]]
    assert f", {words}" in label
    assert label.endswith("best move")
    expect(why(page).first).to_be_visible()


RECORD_STATUSES = """
const statuses = [];
window.statuses = statuses;
new MutationObserver(() => {
  const status = document.querySelector(".status")?.textContent;
  if (status?.startsWith("depth") && statuses.at(-1) !== status) statuses.push(status);
}).observe(document, { subtree: true, childList: true });
"""


def test_values_of_a_large_game_come_at_once_and_deepen(visit: Visit) -> None:
    page = analysed(visit(), "ultimate", ULTIMATE, RECORD_STATUSES)
    expect(chips(page)).to_have_count(9)
    assert all(ESTIMATE.match(text) for text in chips(page).all_inner_texts())
    status = page.locator(".status")
    expect(status).to_be_hidden()
    page.get_by_text("Details").click()
    expect(status).to_be_visible()
    wait_until(page, "new Set(statuses.map((each) => each.split(' ')[1])).size > 1")
    first, *_ = statuses = page.evaluate("statuses")
    assert re.fullmatch(r"depth \d+ · [\d.]+ ?[kM]? nodes/s", first)
    depths = [int(each.split()[1]) for each in statuses]
    assert depths == sorted(depths)
    expect(page.locator(".variation-line .step").first).to_have_text(re.compile(r"^4\d$"))
    button(page, "Analysis").click()
    expect(chips(page)).to_have_count(0)
    expect(page.locator(".why")).to_be_hidden()


def test_values_follow_the_shown_position(visit: Visit) -> None:
    page = analysed(visit(), "ultimate", ULTIMATE)
    expect(chips(page)).to_have_count(9)
    moves(page).nth(0).click()
    expect(chips(page)).to_have_count(8)
    forced = page.locator(".cell", has=page.locator(".chip"))
    labels = [forced.nth(at).get_attribute("aria-label") or "" for at in range(8)]
    assert all(label.startswith("board 5, ") for label in labels)
    page.keyboard.press("Escape")
    expect(chips(page)).to_have_count(9)


def test_values_in_a_game_against_the_engine(visit: Visit) -> None:
    page = visit().go("/?game=connect4")
    choose(page, level="1")
    playable(page).first.click()
    settled(page, 2)
    button(page, "Analysis").click()
    expect(chips(page)).to_have_count(7)
    playable(page).first.click()
    settled(page, 4)
    expect(page.locator(".cell.may:has(.chip)")).to_have_count(7)
    expect(page.get_by_text("Exploring.")).to_have_count(0)


def test_moves_can_be_explored_on_a_set_up_board(
    visit: Visit,
) -> None:
    page = analysed(visit(), "basic")
    sure(page, "basic", "")
    page.locator(".cell").nth(0).click()
    expect(page.get_by_text("Exploring. The game has not started.")).to_be_visible()
    expect(page).to_have_url(re.compile("/position/"))
    expect(chips(page)).to_have_count(8)
    expect(page.locator(".variation button")).to_have_text(["1"])
    button(page, "Delete variation").click()
    expect(page.locator(".variation")).to_have_count(0)
    expect(chips(page)).to_have_count(9)


def test_hidden_page_searches_nothing(visit: Visit) -> None:
    page = analysed(visit(), "ultimate")
    expect(chips(page)).to_have_count(81)
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', {value: hidden, \
        configurable: true}); document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(hide, True)
    expect(chips(page)).to_have_count(0)
    page.evaluate(hide, False)
    expect(chips(page)).to_have_count(81)


class FakeServer:
    """The WebSocket of analyses of a page, with the test as its server."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[WebSocketRoute] = []
        self.asked: list[dict[str, Any]] = []
        self.is_up = True
        page.route_web_socket(re.compile("/api/v1/analysis$"), self._open)

    def _open(self, line: WebSocketRoute) -> None:
        if not self.is_up:
            line.close()
            return
        self.lines.append(line)
        line.on_message(lambda text: self.asked.append(json.loads(text)))

    def question(self, do: str, after: int = 0) -> int:
        """Wait for a question with a number above `after`; return that of the last one."""

        def named() -> list[int]:
            return [each["id"] for each in self.asked if each["do"] == do and each["id"] > after]

        return wait_for(self.page, named)[-1]

    def send(self, question: int, kind: str, **data: Any) -> None:
        self.lines[-1].send(json.dumps({"id": question, "kind": kind, **data}))


NO_VALUES: dict[str, Any] = {
    "done": False,
    "waiting": True,
    "depth": 0,
    "nodes": 0,
    "per_second": 0,
    "seconds": 0,
    "move": None,
    "value": None,
    "values": {},
    "lines": {},
}
BUSY: dict[str, Any] = {"status": 503, "detail": "Too many think. Try again soon."}


def test_page_says_why_no_values_come_when_the_server_is_busy(visit: Visit) -> None:
    visitor = visit()
    server = FakeServer(visitor.page)
    page = analysed(visitor, "basic")
    first = server.question("analyse")
    server.send(first, "values", position=str(noughts.game("basic")), **NO_VALUES)
    expect(page.locator(".status")).to_have_text("waiting")
    server.send(first, "problem", **BUSY)
    expect(page.locator(".sentences")).to_have_text(BUSY["detail"])
    server.question("analyse", first)
    server.is_up = False
    server.lines[0].close()
    expect(page.locator(".sentences")).to_contain_text("Connection lost.")
    server.asked.clear()
    server.is_up = True
    server.question("analyse")
    assert len(server.lines) == 2
    button(page, "Analysis").click()
    server.question("stop")
    button(page, "Hint").click()
    server.send(server.question("hint"), "problem", **BUSY)
    expect(page.locator(".hinted")).to_have_text(BUSY["detail"])


WINS: dict[str, Any] = {
    "value": "win", "chance": 100, "moves": None, "plies": None, "estimate": None,
    "mark": "win", "words": "wins", "tone": "good",
}  # fmt: skip


def explained(visitor: Visitor) -> tuple[Page, FakeServer, int]:
    """Play 1 2 with the analysis on; return the open question why 5 wins."""
    server = FakeServer(visitor.page)
    page = visitor.go("/?game=basic")
    played(page, "basic", "1 2")
    button(page, "Analysis").click()
    found = {**NO_VALUES, "waiting": False, "move": "5", "value": WINS, "values": {"5": WINS}}
    position = str(noughts.game("basic").after("1 2"))
    server.send(server.question("analyse"), "values", position=position, **(found | {"done": True}))
    return page, server, server.question("explain")


SENTENCES = explain("basic", ["1", "2"], "5").reply["sentences"]


def test_refused_explanation_is_asked_for_again(visit: Visit) -> None:
    page, server, asked = explained(visit())
    server.send(asked, "problem", **BUSY)
    expect(page.locator(".sentences")).to_have_text(BUSY["detail"])
    again = server.question("explain", asked)
    server.send(again, "why", sentences=SENTENCES)
    expect(why(page).first).to_have_text(re.compile(r"^The centre wins"))


def test_change_that_is_no_move_leaves_the_explanation_open(visit: Visit) -> None:
    visitor = visit()
    page, server, asked = explained(visitor)
    address = page.url.replace("/game/", "/api/v1/games/")
    game = visitor.context.request.get(address).json()
    comment = {"version": game["version"], "path": ["1"], "comment": "A corner."}
    assert visitor.context.request.put(f"{address}/comments", data=comment).ok
    expect(page.locator(".comment-row")).to_have_text("1: A corner.")
    server.send(asked, "why", sentences=SENTENCES)
    expect(why(page).first).to_have_text(re.compile(r"^The centre wins"))


def test_a_proven_move_without_an_explanation_is_called_proven(visit: Visit) -> None:
    """The search of the values may prove a move where that of the sentences does not."""
    visitor = visit()
    server = FakeServer(visitor.page)
    page = analysed(visitor, "basic")
    found = {**NO_VALUES, "waiting": False, "move": "5", "value": WINS, "values": {"5": WINS}}
    position = str(noughts.game("basic"))
    server.send(server.question("analyse"), "values", position=position, **found)
    expect(page.locator(".sentences")).to_have_text("The marked cell wins.")
    server.send(server.question("explain"), "why", sentences=[])
    expect(page.locator(".number-of-all")).to_have_text("X wins proven")
    expect(page.locator(".sentences")).to_have_text("The marked cell wins.")


def test_a_proof_that_a_search_does_not_know_starts_it_again(visit: Visit) -> None:
    """A point of the graph is proven while the search of the same position has estimates alone."""
    visitor = visit()
    server = FakeServer(visitor.page)
    page = analysed(visitor, "basic")
    likely = {**WINS, "value": "unknown", "chance": 57, "estimate": 0.14, "mark": "57%"}
    draw = {**WINS, "value": "draw", "chance": 50, "mark": "draw", "words": "draws"}
    found = {**NO_VALUES, "waiting": False, "move": "5", "value": likely, "values": {"5": likely}}
    position = str(noughts.game("basic"))
    first, graph = server.question("analyse"), server.question("graph")
    server.send(first, "values", position=position, **found)
    server.send(graph, "point", ply=0, value=draw)
    expect(page.locator(".number-of-all strong")).to_have_text("Draw")
    server.send(first, "values", position=position, **(found | {"done": True}))
    again = server.question("analyse", first)
    # It is asked once more, not for ever.
    server.asked.clear()
    server.send(again, "values", position=position, **(found | {"done": True}))
    expect(page.locator(".status")).to_have_text("stopped")
    assert "analyse" not in {each["do"] for each in server.asked}


# Why


def test_line_previews_on_hover_and_is_explored_by_a_click(visit: Visit) -> None:
    page = analysed(visit(), "basic", "1 2")
    sure(page, "basic", "1 2")
    expect(why(page).first).to_be_visible()
    page.locator(".step").nth(2).hover()
    expect(page.locator(".previewing")).to_be_visible()
    expect(page.locator(".step-number")).to_have_count(3)
    assert sorted(page.locator(".step-number").all_inner_texts()) == ["1", "2", "3"]
    page.mouse.move(5, 5)
    expect(page.locator(".step-number")).to_have_count(0)
    page.locator(".step").nth(1).focus()
    page.keyboard.press("Tab")
    expect(page.locator(".step-number")).to_have_count(3)
    line = page.locator(".step").all_inner_texts()[:3]
    page.keyboard.press("Enter")
    expect(page.locator(".variation button")).to_have_text(line)
    expect(page.get_by_text("Exploring. The game is at move 2.")).to_be_visible()
    expect(page.locator(".step-number")).to_have_count(0)


def test_one_sentence_says_why_and_more_are_shown_on_request(visit: Visit) -> None:
    page = analysed(visit(), "basic", "1 2")
    expect(why(page).first).to_have_text(re.compile(r"wins|winning"))
    said = why(page).count()
    button(page, "Show more").click()
    expect(why(page).first).to_have_text(re.compile("^X to move wins in 3 moves"))
    assert why(page).count() >= said
    page.locator(".proof").first.hover()
    expect(page.locator(".step-number").first).to_be_visible()
    button(page, "Explain last move").click()
    last = page.locator(".explained .said").last
    expect(last).to_contain_text("Top middle turns a draw into a loss")
    button(page, "Coordinates").click()
    expect(last).to_contain_text("2 turns a draw into a loss")
    expect(why(page).first).to_have_text(re.compile("^X to move wins in 3 moves with [1-9]"))


def test_more_sentences_that_are_not_there_are_told_of(visit: Visit) -> None:
    page = analysed(visit(), "ultimate", "55 51")
    expect(page.locator(".sentences")).not_to_have_text("Analysing…")
    button(page, "Show more").click()
    expect(page.locator(".sentences")).to_contain_text("Nothing more is proven.")
    button(page, "Show less").click()
    expect(page.locator(".sentences")).not_to_contain_text("Nothing more is proven.")


def test_hint_says_the_threat_first_and_shows_it(visit: Visit) -> None:
    page = position(visit(), "basic~XX1.1O1.3~O")
    button(page, "Hint").click()
    said = page.locator(".hinted .said")
    expect(said).to_have_text(
        [
            "X threatens the top row.",
            "Play top right: it blocks that line.",
            "It is the only move that does not lose.",
        ]
    )
    assert page.locator(".hint-move").all_inner_texts() == said.all_inner_texts()[1:2]
    expect(page.locator(".sketch .ring")).to_have_count(0)
    said.first.locator("a").hover()
    expect(page.locator(".sketch .ring")).to_have_count(1)


def test_hint_names_a_move_and_why_without_the_analysis(visit: Visit) -> None:
    page = position(visit(), "basic~XX1.OO1.3~X")
    button(page, "Hint").click()
    expect(page.locator(".hinted")).to_have_text("Play top right: it wins with the top row.")
    expect(chips(page)).to_have_text(["win 1"])
    expect(page.locator("#said")).to_contain_text("Play top right: it wins with the top row.")
    button(page, "Analysis").click()
    expect(page.locator(".hinted")).to_be_hidden()
    expect(button(page, "Hint")).to_be_disabled()


def test_letters_are_swapped_in_every_sentence(visit: Visit) -> None:
    page = visit().go("/?game=basic")
    page.get_by_role("radio", name="O", exact=True).check()
    button(page, "Analysis").click()
    button(page, "Show more").click()
    expect(why(page).first).to_have_text(re.compile("^O to move: a draw"))


# The graph


def test_graph_leads_through_the_game(visit: Visit) -> None:
    page = analysed(visit(), "basic", "1 2 5 3")
    graph = page.get_by_role("slider", name="Graph of the game")
    expect(graph).to_have_attribute("aria-valuetext", "After move 4: X wins in 1 move")
    expect(graph.locator(".proven")).to_have_count(5)
    graph.focus()
    page.keyboard.press("ArrowLeft")
    expect(graph).to_have_attribute("aria-valuenow", "3")
    expect(moves(page).nth(2)).to_have_attribute("aria-current", "step")
    page.keyboard.press("Home")
    expect(graph).to_have_attribute("aria-valuetext", "At the start: Draw")
    box = graph.bounding_box()
    assert box
    graph.click(position={"x": box["width"] * 0.98, "y": box["height"] / 2})
    expect(graph).to_have_attribute("aria-valuenow", "4")
    expect(page.get_by_text("Viewing")).to_have_count(0)


# Variations


def test_variation_with_comment_survives_a_reload_and_is_deleted(visit: Visit) -> None:
    page = visit().go("/?game=basic")
    played(page, "basic", "1 2 5 3")
    moves(page).nth(0).click()
    page.locator(".cell").nth(4).click()
    expect(page.locator(".variation button")).to_have_text(["5"])
    page.locator(".cell").nth(8).click()
    expect(page.get_by_text("Exploring. The game is at move 4.")).to_be_visible()
    expect(page.locator(".variation button")).to_have_text(["5", "9"])
    expect(page.locator(".variation .number")).to_have_text("2.")
    button(page, "Comment on 9").click()
    page.get_by_label("Comment on 9").fill("The other corner.")
    button(page, "Save").click()
    expect(page.locator(".comment-row")).to_have_text("9: The other corner.")
    page.reload()
    expect(page.locator(".variation button")).to_have_text(["5", "9"])
    expect(page.locator(".comment-row")).to_have_text("9: The other corner.")
    expect(page.locator(".rows > li.current .number")).to_have_text("3")
    page.locator(".variation button").last.click()
    button(page, "Delete variation").click()
    expect(page.locator(".variation")).to_have_count(0)
    button(page, "Back to the game").click()
    expect(playable(page)).to_have_count(5)
    page.reload()
    expect(moves(page)).to_have_count(4)


def test_spectator_explores_moves_that_nobody_else_sees(visit: Visit) -> None:
    owner = visit().go("/?game=basic")
    played(owner, "basic", "1 2 5")
    button(owner, "Share").click()
    link = owner.get_by_label("Watch link").input_value()
    guest = visit().go("/" + link.split("/", 3)[3])
    expect(moves(guest)).to_have_count(3)
    moves(guest).nth(1).click()
    guest.locator(".cell").nth(8).click()
    expect(guest.locator(".variation button")).to_have_text(["9"])
    expect(guest.get_by_text("Comment on")).to_have_count(0)
    owner.reload()
    expect(moves(owner)).to_have_count(3)


def test_game_against_a_person_is_not_analysed_before_its_end(visit: Visit) -> None:
    host = visit().go("/?game=basic")
    choose(host, opponent="A person with a link")
    button(host, "Open the game and get the link").click()
    link = host.locator(".link input").first.input_value()
    guest = visit().go("/" + link.split("/", 3)[3])
    expect(playable(host).first).to_be_visible()
    for page in (host, guest):
        expect(button(page, "Analysis")).to_be_disabled()
        expect(button(page, "Hint")).to_be_disabled()
    for number, cell in enumerate((0, 1, 4, 2, 8), 1):
        (host if number % 2 else guest).locator(".cell").nth(cell).click()
        expect(moves(host)).to_have_count(number)
        expect(moves(guest)).to_have_count(number)
    for page in (host, guest):
        expect(button(page, "Analysis")).to_be_enabled()
        expect(button(page, "Review")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "line"), [("ultimate", "55 51 15"), ("mnk:15,15,5", "h8 i9 h9 h10")]
)
def test_moves_are_in_view_beside_the_analysis(visit: Visit, game: str, line: str) -> None:
    page = analysed(visit(viewport={"width": 1280, "height": 800}), game, line)
    expect(chips(page).first).to_be_visible()
    expect(page.locator(".graph .shown")).to_be_visible()
    expect(page.get_by_role("heading", name="Moves")).to_be_in_viewport(ratio=0.9)
    expect(moves(page).last).to_be_in_viewport(ratio=0.9)


# The review


def test_review_labels_the_moves_and_an_error_is_tried_again(visit: Visit) -> None:
    page = visit().go("/?game=basic")
    played(page, "basic", "1 2 5 3 9")
    button(page, "Review").click()
    labels, verdict = page.locator(".rows .remark"), page.locator(".retry strong")
    expect(labels).to_have_text(["best", "blunder", "best", "loses faster", "best"])
    name = "2. O 2, blunder"
    expect(page.get_by_role("button", name=name)).to_have_class(re.compile("move o"))
    expect(page.locator(".side").last).to_contain_text("1 loses faster, 1 blunder")
    expect(page.locator(".decided")).to_contain_text("Move 2:top middleblunderbetter: the centre")
    button(page, "Try the error again").click()
    task = "Move 2: Find a better move than top middle for O."
    expect(page.get_by_role("heading", name=task)).to_be_visible()
    expect(labels).to_have_count(0)
    page.locator(".cell").nth(3).click()
    expect(verdict).to_have_text("Not that one. Try another move.")
    expect(page.locator(".retry .said .proof")).to_have_text(["Middle left loses in 3 moves."])
    # The wrong move is taken back.
    expect(playable(page)).to_have_count(8)
    expect(verdict).to_have_text("Not that one. Try another move.")
    button(page, "Clue").click()
    expect(page.locator(".clues li")).to_have_text(["1 of 8 moves will do."])
    page.locator(".cell").nth(4).click()
    expect(verdict).to_have_text("That is right!")
    expect(playable(page)).to_have_count(0)
    button(page, "Done").click()
    expect(labels).to_have_count(5)
    expect(page.locator(".variation")).to_have_count(0)
    expect(page.locator(".shown-move")).to_contain_text("Move 2:top middleblunder")
    button(page, "Try again: move 2, 2").click()
    button(page, "Clue").click()
    button(page, "Show answer").click()
    expect(verdict).to_have_text("That is right!")
    button(page, "Close review").click()
    expect(page.locator(".cell[aria-label='cell 9, X, last move']")).to_be_visible()
    expect(page.locator(".report")).to_be_hidden()
    expect(button(page, "Review")).to_be_focused()


def test_the_text_on_a_wrong_move_moves_no_board_on_a_phone(visit: Visit) -> None:
    page = visit(viewport={"width": 390, "height": 844}).go("/?game=basic")
    played(page, "basic", "1 2 5 3 9")
    button(page, "Review").click()
    button(page, "Try the error again").click()
    expect(playable(page)).to_have_count(8)
    place = "document.querySelector('.playing-board').getBoundingClientRect().top + scrollY"
    before = page.evaluate(place)
    page.locator(".cell").nth(3).click()
    expect(page.locator(".retry .said .proof")).to_have_text(["Middle left loses in 3 moves."])
    assert page.evaluate(place) == before
    expect(page.locator(".retry strong")).to_be_in_viewport()


NO_REASONS = """
for (const [kind, name] of [[WebSocket, "send"], [Worker, "postMessage"]]) {
  const send = kind.prototype[name];
  kind.prototype[name] = function (...sent) {
    if (!JSON.stringify(sent).includes("try")) send.apply(this, sent);
  };
}
"""
"""Keeps every question about a tried move from being asked."""


def test_verdict_on_a_tried_move_does_not_wait_for_its_reason(visit: Visit) -> None:
    page = visit().go("/?game=basic")
    played(page, "basic", "1 2 5 3 9")
    button(page, "Review").click()
    button(page, "Try the error again").click()
    expect(playable(page)).to_have_count(8)
    page.evaluate(f"() => {{{NO_REASONS}}}")
    page.locator(".cell").nth(3).click()
    verdict, waiting = page.locator(".retry strong"), page.locator(".retry .quietly")
    expect(verdict).to_have_text("Not that one. Try another move.")
    expect(waiting).to_have_text("Looking for the reason…")
    expect(page.locator("#said")).to_have_text("Not that one. Try another move.")
    expect(playable(page)).to_have_count(8)
    page.locator(".cell").nth(4).click()
    expect(verdict).to_have_text("That is right!")
    expect(waiting).to_have_text("Looking for the reason…")


def test_a_move_tried_in_place_of_an_error_is_not_answered(visit: Visit) -> None:
    """Until the wrong move is taken back, no click plays for the opponent."""
    visitor = visit(fresh=True)
    visitor.page.clock.install(time=0)
    page = visitor.go("/?game=basic")
    played(page, "basic", "1 2 5 3 9")
    button(page, "Review").click()
    button(page, "Try the error again").click()
    expect(playable(page)).to_have_count(8)
    page.clock.pause_at(3_600)
    page.keyboard.type("4")
    expect(page.locator(".retry strong")).to_have_text("Not that one. Try another move.")
    page.keyboard.type("5")
    expect(page.locator(".cell").nth(4)).to_have_attribute("aria-label", re.compile("empty|5$"))
    page.clock.run_for(1_000)
    expect(playable(page)).to_have_count(8)


def test_sentence_is_shown_on_the_board_while_it_is_pointed_at(visit: Visit) -> None:
    page = position(visit(), "ultimate~6X2.9.5X3.8X.9.2O5O.3O5.5X3.7O1~X~9", "96")
    button(page, "Analysis").click()
    button(page, "Explain last move").click()
    said = page.locator(".explained .said", has_text="which O can win at once with middle right of")
    expect(said).to_be_visible()
    # While the search runs and the best move is explained, the sentence moves under the pointer.
    expect(page.locator(".status")).to_contain_text(re.compile("stopped|exact"))
    expect(page.locator(".why")).not_to_contain_text(re.compile("so far|…"))
    sketch = page.locator(".sketch")
    page.mouse.move(5, 5)
    expect(sketch).to_have_count(0)
    said.locator(".proof").hover()
    for part in ("ring.o", "pointer.x", "sending.x"):
        expect(sketch.locator(f".{part}")).to_have_count(1)
    expect(sketch.locator("text")).to_have_count(0)
    expect(page.locator(".step-number")).to_have_count(0)
    assert page.locator(".chip:visible").count() == page.locator(".why .chip:visible").count()
    page.mouse.move(5, 5)
    expect(sketch).to_have_count(0)
    said.locator(".proof").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(said.locator(".proof-lines li")).to_have_count(1)
    for number in (1, 2):
        page.keyboard.press("Tab")
        expect(page.locator(".step-number")).to_have_count(number)
    button(page, "Hide proof").click()
    expect(said.locator(".proof-lines")).to_be_hidden()
    button(page, "Coordinates").click()
    named = page.locator(".explained .said", has_text="96 sends O to the middle-right board")
    named.locator(".proof").hover()
    expect(sketch.locator("text")).to_have_text(["66", "96"])


def test_a_win_in_gomoku_is_shown_with_every_reply(visit: Visit) -> None:
    """The rows of its tree open and close, by keys too, and show their positions."""
    page = position(visit(), "mnk:15,15,5", "h6 f8 j6 h8 j8 f6 i9 h10 i7")
    button(page, "Analysis").click()
    tree = page.locator(".explained .proof-tree")
    button(page, "Explain last move").click()
    said = page.locator(".explained .said", has_text="i7 wins")
    # While the search runs, links move under the pointer.
    page.mouse.move(5, 5)
    said.get_by_role("button", name="Show proof").focus()
    page.keyboard.press("Enter")
    expect(tree.locator("p")).to_contain_text("X wins in at most 5 moves, whatever O plays.")
    shown = tree.locator("li:visible")
    expect(shown).to_have_count(5)
    expect(shown.nth(1)).to_contain_text("Og5 → Xk9 Ol10 Xj9")
    expect(shown.nth(4)).to_have_text("any other reply → Xg5 · then f4 or k9 wins")
    toggle = tree.get_by_role("button", name="Replies to j9")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.focus()
    page.keyboard.press("Enter")
    expect(toggle).to_have_attribute("aria-expanded", "true")
    expect(shown).to_have_count(7)
    # The board previews the moves to a row, and a click goes there.
    page.keyboard.press("Tab")
    expect(page.locator(".step-number")).to_have_count(2)
    tree.get_by_role("link", name="h9", exact=True).click()
    for cell, owner in (("j5", "O"), ("h9", "X")):
        label = page.locator(f".cell[aria-label*='{cell}']")
        expect(label).to_have_attribute("aria-label", re.compile(owner))


def test_a_tap_on_a_tree_previews_and_a_second_one_goes_there(visit: Visit) -> None:
    phone = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    page = position(phone, "mnk:15,15,5", "h6 f8 j6 h8 j8 f6 i9 h10 i7")
    button(page, "Analysis").tap()
    button(page, "Explain last move").tap()
    said = page.locator(".explained .said", has_text="i7 wins")
    said.get_by_role("button", name="Show proof").tap()
    tree, numbers = page.locator(".explained .proof-tree"), page.locator(".step-number")
    for name, count in (("k9", 3), ("g5", 2)):
        tree.get_by_role("link", name=name, exact=True).first.tap()
        expect(numbers).to_have_count(count)
    expect(tree.locator(".tapped")).to_have_count(1)
    tree.locator(".tapped").tap()
    expect(tree).to_have_count(0)
    expect(page.locator(".cell[aria-label*='g5']")).to_have_attribute("aria-label", re.compile("O"))


@pytest.mark.parametrize(
    ("width", "height", "start", "line"),
    [
        (360, 640, "ultimate~6X2.9.5X3.8X.9.2O5O.3O5.5X3.7O1~X~9", "96"),
        (390, 844, "connect4", "4 4 4 4 3 3"),
        (844, 390, "ultimate~6X2.9.5X3.8X.9.2O5O.3O5.5X3.7O1~X~9", "96"),
    ],
)
def test_board_stays_in_view_while_its_sentences_play(
    visit: Visit, width: int, height: int, start: str, line: str
) -> None:
    page = analysed(visit(viewport={"width": width, "height": height}, has_touch=True), start, line)
    button(page, "Explain last move").click()
    expect(page.locator(".explained .proof").last).to_be_visible()
    proofs = page.locator(".explained .proof")
    assert proofs.count() >= 1
    page.mouse.wheel(0, 10_000)
    for proof in proofs.all():
        # During the search, the lines above the sentence may still grow and move it.
        assert wait_for(page, functools.partial(is_in_view, page, proof))


def is_in_view(page: Page, proof: Locator) -> bool:
    """Focus a sentence; return whether it and the board are in view."""
    proof.blur()
    proof.focus()
    return bool(page.evaluate(BOARD_AND_SENTENCE_IN_VIEW))


BOARD_AND_SENTENCE_IN_VIEW = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const board = box(".picture");
  const said = document.activeElement.getBoundingClientRect();
  const isWhole = board.top >= 0 && board.bottom <= innerHeight;
  if (innerWidth > innerHeight) return isWhole;
  const end = said.top + Math.min(said.height, 40);
  return isWhole && board.bottom <= said.top + 1 && end <= box(".actions").top + 1;
}"""
"""Whether the whole board and the first lines of the focused sentence are in view."""


def test_keys_lead_from_error_to_error(visit: Visit) -> None:
    page = visit(viewport={"width": 1240, "height": 620}).go("/?game=connect4:5,4")
    choose(page, opponent="Two people here")
    for number, column in enumerate((2, 2, 0, 0, 1, 4, 3), 1):
        page.locator(".cell").nth(column).click()
        expect(moves(page)).to_have_count(number)
    button(page, "Review").click()
    expect(page.get_by_role("heading", name=re.compile(r"^\d+ errors$"))).to_be_visible()
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".graph .turning").nth(1)).to_be_attached()
    decided = page.locator(".decided")
    expect(decided).to_contain_text("Move 6:5blunder")
    expect(decided.locator(".said")).to_have_text(re.compile("^5 leaves X's row of 4 .* open"))
    decided.get_by_role("button", name="Show move 6").click()
    explore = page.get_by_role("link", name="Explore the position before move 6")
    href = re.compile(r"^/explore/connect4:5,4.*\?moves=3\+3\+1\+1\+2$")
    expect(explore).to_have_attribute("href", href)
    assert [int(text) for text in page.locator(".side .accuracy").all_inner_texts()]
    button(page, "Try again: move 6, 5").click()
    task = page.get_by_role("heading", name="Move 6: Find a better move than 5 for O.")
    expect(task).to_be_in_viewport(ratio=0.9)
    button(page, "Clue").click()
    expect(page.locator(".clues li")).to_have_text(["X threatens to win at once."])
    button(page, "Another clue").click()
    expect(page.locator(".clues li").last).to_have_text(re.compile("^Look at the columns"))
    expect(button(page, "Next error")).to_be_visible()
    page.keyboard.press("Shift+ArrowLeft")
    expect(task).to_be_hidden()
    earlier = page.get_by_role("heading", name=re.compile("Find a better move"))
    expect(earlier).to_be_visible()
    expect(page.locator(".clues")).to_have_count(0)
    page.keyboard.press("Shift+ArrowRight")
    expect(task).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name=re.compile(r"^\d+ errors$"))).to_be_visible()


def test_errors_are_those_of_people(visit: Visit) -> None:
    page = visit().go("/?game=basic")
    choose(page, level="1")
    while not page.get_by_role("button", name="Rematch").is_visible():
        count = moves(page).count()
        playable(page).last.click()
        expect(moves(page)).not_to_have_count(count)
        expect(
            page.locator(".cell.may, .rematch, button:has-text('Rematch')").first
        ).to_be_visible()
    both = [button(page, name).bounding_box() for name in ("Review", "Rematch")]
    assert both[0]
    assert both[1]
    assert both[0]["width"] == pytest.approx(both[1]["width"], abs=1)
    button(page, "Review").click()
    expect(page.locator(".side .accuracy")).to_have_count(2)
    own = page.locator(".rows .half:has(.remark.bad) .move.x").count()
    expect(page.locator(".graph .turning")).to_have_count(min(own, 3))


def test_review_shows_progress_and_can_be_left(visit: Visit) -> None:
    page = visit().go("/?game=connect4:5,4")
    choose(page, opponent="Two people here")
    for number, column in enumerate((0, 1, 0, 1, 0, 1, 0), 1):
        page.locator(".cell").nth(column).click()
        expect(moves(page)).to_have_count(number)
    button(page, "Review").click()
    expect(page.get_by_role("progressbar").or_(page.locator(".side").first)).to_be_visible()
    button(page, "Close review").click()
    expect(button(page, "Review")).to_be_focused()
    button(page, "Review").click()
    expect(page.locator(".rows .remark")).to_have_count(7)
    button(page, "Close review").click()
    button(page, "Undo").click()
    expect(page.locator(".rows .remark")).to_have_count(0)


def test_the_first_errors_are_shown_while_the_rest_is_computed(visit: Visit) -> None:
    """The server tells an error; the review itself is held back."""
    visitor = visit(fresh=True)
    found = {"kind": "found", "ply": 6, "player": "O", "move": "5", "label": "blunder"}
    asked: list[str | bytes] = []

    def route(ws: WebSocketRoute) -> None:
        server = ws.connect_to_server()

        def from_page(message: str | bytes) -> None:
            if '"do":"review"' not in str(message):
                server.send(message)
                return
            asked.append(message)
            number = json.loads(message)["id"]
            ws.send(json.dumps({"id": number, "kind": "progress", "done": 3, "of": 15}))
            ws.send(json.dumps({"id": number, **found}))

        ws.on_message(from_page)

    visitor.page.route_web_socket(re.compile("/analysis"), route)
    page = visitor.go("/?game=connect4:5,4")
    choose(page, opponent="Two people here")
    for number, column in enumerate((2, 2, 0, 0, 1, 4, 3), 1):
        page.locator(".cell").nth(column).click()
        expect(moves(page)).to_have_count(number)
    button(page, "Review").click()
    expect(page.locator(".shown-move .error-head")).to_have_text(["Move 6:5blunderShow"])
    expect(page.get_by_text("Reviewing: 3 of 15")).to_be_visible()
    expect(page.locator(".rows .remark")).to_have_text(["blunder"])
    assert len(asked) == 1


# Accessibility


@needs_axe
def test_no_serious_accessibility_fault(visit: Visit) -> None:
    visitor = visit()
    page = analysed(visitor, "ultimate", ULTIMATE)
    expect(chips(page)).to_have_count(9)
    expect(page.locator(".graph .shown")).to_be_visible()
    expect(page.locator(".sentences")).to_have_text(BEST)
    assert faults(page) == []
    page = visitor.go("/?game=basic")
    played(page, "basic", "1 2 5 3 9")
    moves(page).nth(1).click()
    page.locator(".cell").nth(8).click()
    button(page, "Review").click()
    expect(page.locator(".rows .remark").first).to_be_visible()
    page.locator(".review").get_by_role("button", name="Analysis").click()
    expect(why(page).first).to_be_visible()
    assert faults(page) == []
    button(page, "Try the error again").click()
    page.locator(".cell").nth(3).click()
    expect(page.locator(".retry strong")).to_have_text("Not that one. Try another move.")
    assert faults(page) == []


def test_nothing_scrolls_sideways(visit: Visit) -> None:
    page = analysed(visit(), "ultimate", ULTIMATE)
    for width in (320, 390, 1000, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        expect(chips(page)).to_have_count(9)
        expect(page.locator(".graph .shown")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
