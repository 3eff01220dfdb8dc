"""The visitor's browser computes the analysis and the moves of levels, and else the server does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from needs import needs_browser, needs_wasm
from page import (
    Visit,
    Visitor,
    button,
    drawn,
    intercept,
    moves,
    playable,
    served,
    settled,
    wait_for,
)
from playwright.sync_api import Page, Request, Route, expect
from test_fair_play import shared_game
from web import API, people

from noughts.engine import Engine
from noughts.games.registry import game
from noughts.opponents import opponent
from noughts.search.result import Limit
from noughts.views.values import mark
from noughts.web.visitor import visitor

LINE = "4 4 4 4 4 2 2 2 6 6"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the page, whose analyses last until all is proven."""
    with served(tmp_path_factory.mktemp("page") / "games.db") as found:
        yield found


def heard(page: Page) -> list[dict[str, Any]]:
    """Return the list that gets the answers over the WebSocket of analyses."""
    answers: list[dict[str, Any]] = []

    def listen(socket: Any) -> None:
        if socket.url.endswith("/analysis"):
            socket.on("framereceived", lambda frame: answers.append(json.loads(frame)))

    page.on("websocket", listen)
    return answers


@needs_browser
@needs_wasm
@pytest.mark.parametrize("by_visitor", [True, False])
def test_values_are_exact_by_the_visitor_or_the_server(visit: Visit, by_visitor: bool) -> None:
    """The values of a solved position; without its files the engine of the server answers."""
    found = Engine("connect4").best_move(
        game("connect4").after(LINE), Limit(seconds=10), moves=True
    )
    person = visit()
    answers = heard(person.page)
    if not by_visitor:
        person.context.route("**/static/visitor/**", lambda route: route.abort())
    page = person.go(f"/position/connect4?moves={LINE.replace(' ', '+')}")
    button(page, "Analysis").click()
    marks = sorted(mark(value) for value in found.moves.values())
    chips = page.locator(".cell .chip")
    expect(chips).to_have_count(len(marks))
    wait_for(page, lambda: sorted(chips.all_text_contents()) == marks)
    assert sorted(chips.all_text_contents()) == marks
    kinds = {each["kind"] for each in answers}
    assert "facts" in kinds
    assert ("values" in kinds) == (not by_visitor)
    if by_visitor:
        assert person.wrong == []
    person.wrong.clear()


@needs_wasm
def test_only_the_worker_may_compile_webassembly(tmp_path: Any) -> None:
    files = visitor()
    assert files is not None
    with people(tmp_path) as (anna,):
        for path, file in files.files.items():
            answer = anna.get(f"{files.address}{path}")
            assert answer.status_code == 200
            assert answer.content == file.plain
            assert "immutable" in answer.headers["cache-control"]
        policy = anna.get(f"{files.address}app/worker.js").headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy
        assert "unsafe" not in anna.get("/").headers["content-security-policy"]
        assert anna.get(f"/static/visitor/{'0' * 16}/app/worker.js").status_code == 404


@needs_wasm
def test_running_game_between_people_is_refused_to_visitors_too(tmp_path: Any) -> None:
    with people(tmp_path, 2) as (anna, ben):
        shared_game(anna, ben, *"15")
        with anna.websocket_connect(f"{API}/analysis") as socket:
            asked = {"do": "analyse", "by": "visitor", "start": "basic", "moves": ["1", "5"]}
            socket.send_json(asked | {"id": 1})
            assert socket.receive_json()["status"] == 403
            socket.send_json(asked | {"id": 2, "start": "connect4", "moves": []})
            facts = socket.receive_json()
    assert (facts["kind"], facts["rules"], facts["proofs"]) == ("facts", "connect4", None)


# Hints


@needs_browser
@needs_wasm
@pytest.mark.parametrize("can", [True, False])
def test_later_hints_come_from_the_visitors_engine(visit: Visit, can: bool) -> None:
    """The server gives the first hint; without the files of the engine it gives all."""
    person = visit()
    asked: list[dict[str, Any]] = []

    def listen(socket: Any) -> None:
        if socket.url.endswith("/analysis"):
            socket.on("framesent", lambda frame: asked.append(json.loads(frame)))

    person.page.on("websocket", listen)
    if not can:
        person.context.route("**/static/visitor/**", lambda route: route.abort())
    page = person.go(f"/position/connect4?moves={LINE.replace(' ', '+')}")
    texts = []

    def found() -> bool:
        """Ask for a hint; return whether the visitor found it."""
        before = len(asked)
        button(page, "Hint").click()
        expect(page.locator(".hint-move")).to_be_visible()
        texts.append(page.locator(".hinted").inner_text())
        return "hint" not in [each["do"] for each in asked[before:]]

    if can:
        assert wait_for(page, found)
        assert wait_for(page, lambda: asked[-1]["do"] == "stop")
    else:
        assert not any(found() for _ in range(4))
    assert [each["do"] for each in asked].count("hint") == len(texts) - can
    if can:
        assert asked[-2] == asked[-2] | {"do": "analyse", "by": "visitor"}
    assert len(set(texts)) == 1
    assert "Play column" in texts[0]
    if can:
        assert person.wrong == []
    person.wrong.clear()


@needs_browser
@needs_wasm
def test_hint_is_refused_during_a_game_between_people(visit: Visit) -> None:
    """The server is asked first, also when the visitor's engine could answer."""
    host, guest = visit(), visit()
    for person in (host, guest):
        person.go("/")
    api = f"{host.address}{API}/games"
    opened = host.context.request.post(api, data={"start": "basic", "o": "guest"}).json()
    shared = f"{api}/{opened['id']}"
    version = guest.context.request.post(
        f"{shared}/join", data={"key": opened["keys"]["join"]}
    ).json()["version"]
    for person, move in ((host, "1"), (guest, "5")):
        answer = person.context.request.post(
            f"{shared}/moves", data={"version": version, "move": move}
        )
        version = answer.json()["version"]
    page = host.go("/position/basic?moves=1+5")
    with page.expect_response(re.compile(r"core[^/]*\.wasm")) as core:
        button(page, "Hint").click()
    core.value.finished()
    for _ in range(5):
        button(page, "Hint").click()
        expect(page.locator(".hinted")).to_contain_text("between two people")
        expect(page.locator(".hint-move")).to_have_count(0)
    host.wrong.clear()


# The moves of a level


class Sent:
    """The moves that a page sends to the server: the person's, and those that it finds itself."""

    def __init__(self, page: Page) -> None:
        self.promised: list[bool] = []
        """Of each move of the person whether the page finds the reply."""
        self.answers: list[str | None] = []
        page.on("request", self._note)

    def _note(self, request: Request) -> None:
        if request.method != "POST":
            return
        body: dict[str, Any] = request.post_data_json or {}
        if request.url.endswith(("/games", "/moves")):
            self.promised.append(body.get("answers", False))
        elif request.url.endswith("/answers"):
            self.answers.append(body["move"])


def reply(page: Page, plies: int) -> None:
    """Play the first legal cell and wait for the reply."""
    playable(page).first.click()
    settled(page, plies)


def ready(visitor: Visitor, path: str) -> tuple[Page, Sent]:
    """Open a game; play until the page finds a reply itself. Return the page and its requests."""
    sent = Sent(visitor.page)
    page = visitor.go(path)
    last_file = r"\.net$" if "ultimate" in path else r"\.wasm$"
    with page.expect_response(re.compile(last_file)):
        reply(page, 2)
    while not sent.answers:
        assert len(sent.promised) < 100, "the engine is not loaded"
        button(page, "Undo").click()  # The game must not end before the engine is there.
        expect(moves(page)).to_have_count(0)
        reply(page, 2)
    return page, sent


@needs_browser
@needs_wasm
def test_level_moves_in_the_visitors_browser(visit: Visit) -> None:
    visitor = visit()
    page, sent = ready(visitor, "/?game=ultimate&opponent=engine:level=2")
    for _ in range(3):
        reply(page, moves(page).count() + 2)
    assert sent.promised[-4:] == [True] * 4
    line = game_of(page)["moves"]
    assert sent.answers[-3:] == line[-5::2]


@needs_browser
@needs_wasm
def test_highest_level_plays_the_move_of_the_package(visit: Visit) -> None:
    page, sent = ready(visit(), "/?game=mnk:5,5,4&opponent=engine:level=10")
    line = game_of(page)["moves"]
    place = game("mnk:5,5,4").after(" ".join(line[: line.index(sent.answers[0])]))
    assert opponent("engine:level=10").choose(place).text == sent.answers[0]


def game_of(page: Page) -> Any:
    """Return the game of a page."""
    place = page.url.replace("/game/", f"{API}/games/")
    return page.context.request.get(place).json()


@needs_browser
@needs_wasm
def test_next_games_begin_with_the_visitors_engine(visit: Visit) -> None:
    """A rematch, in which the machine begins, and a new game with swapped letters."""
    page, sent = ready(visit(), "/?game=mnk:5,5,4&opponent=engine:level=1")
    button(page, "More").click()
    button(page, "Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_be_visible()
    found = len(sent.answers)
    button(page, "Rematch").click()
    expect(moves(page)).to_have_count(1)
    reply(page, 3)
    assert len(sent.answers) == found + 1
    button(page, "More").click()
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("gridcell")).to_have_count(25)
    page.get_by_role("radio", name="O", exact=True).check()
    reply(page, 2)
    assert sent.promised[-1]
    assert len(sent.answers) == found + 2
    assert game_of(page)["moves"][-1] == sent.answers[-1]
    expect(page.locator(".player").nth(1)).to_contain_text("to move")


@needs_browser
@needs_wasm
def test_server_moves_for_a_browser_without_the_engine(visit: Visit) -> None:
    visitor = visit()
    visitor.context.route("**/static/visitor/**", lambda route: route.abort())
    sent = Sent(visitor.page)
    page = visitor.go("/?game=ultimate&opponent=engine:level=1")
    for plies in (2, 4, 6):
        reply(page, plies)
    assert sent.promised == [False] * 3
    assert sent.answers == []
    assert visitor.wrong
    visitor.wrong.clear()


def undone(page: Page, before: int) -> None:
    button(page, "Undo").click()
    expect(moves(page)).to_have_count(before)
    reply(page, before + 2)


def stopped(page: Page, before: int) -> None:
    button(page, "Stop").click()
    expect(moves(page)).to_have_count(before + 2)


def reloaded(page: Page, before: int) -> None:
    page.reload()
    expect(moves(page)).to_have_count(before + 2)


def left(page: Page, before: int) -> None:
    """Go to the home page and come back; the server has moved."""
    page.locator("a[href='/']").first.click()
    page.go_back()
    expect(moves(page)).to_have_count(before + 2)


@needs_browser
@needs_wasm
@pytest.mark.parametrize("act", [undone, stopped, reloaded, left])
def test_server_moves_after(visit: Visit, act: Callable[[Page, int], None]) -> None:
    """The engine never answers; the server moves after each action of the person."""
    page, sent = ready(visit(), "/?game=ultimate&opponent=engine:level=1")
    before, found = moves(page).count(), len(sent.answers)
    page.evaluate("Worker.prototype.postMessage = () => {}")
    playable(page).first.click()
    expect(page.locator(".thinking .doing")).to_have_text("thinking…")
    drawn(page, 30)
    expect(moves(page)).to_have_count(before + 1)
    act(page, before)
    assert sent.promised[-1] or act is undone
    assert len(sent.answers) == found


@needs_browser
@needs_wasm
def test_other_tab_shows_the_move_that_a_tab_finds(visit: Visit) -> None:
    visitor = visit()
    page, sent = ready(visitor, "/?game=ultimate&opponent=engine:level=1")
    other = visitor.tab()
    other.goto(page.url)
    others = Sent(other)
    expect(moves(other)).to_have_count(moves(page).count())
    for _ in range(2):
        reply(page, moves(page).count() + 2)
        expect(moves(other)).to_have_count(moves(page).count())
    assert others.answers == []
    reply(other, moves(other).count() + 2)
    expect(moves(page)).to_have_count(moves(other).count())
    assert sent.answers


@needs_browser
@needs_wasm
def test_reply_does_not_leave_an_earlier_position(visit: Visit) -> None:
    page, _ = ready(visit(), "/?game=ultimate&opponent=engine:level=1")
    held: list[Route] = []
    intercept(page, "**/answers", lambda route: held.append(route))
    before = moves(page).count()
    playable(page).first.click()
    expect(moves(page)).to_have_count(before + 1)
    button(page, "Step back").click()
    expect(page.locator(".note:not(.alert)")).to_contain_text("Viewing move")
    wait_for(page, lambda: held)[0].continue_()
    expect(moves(page)).to_have_count(before + 2)
    expect(page.locator(".note:not(.alert)")).to_contain_text("Viewing move")
