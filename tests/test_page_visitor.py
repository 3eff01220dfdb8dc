"""The served page computes the analysis in the visitor's browser, and else on the server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from needs import needs_browser, needs_wasm
from page import Visit, button
from playwright.sync_api import Page, expect
from test_fair_play import shared_game
from web import API, people

from noughts.engine import Engine
from noughts.games.registry import game
from noughts.search.result import Limit
from noughts.views.values import mark
from noughts.web.visitor import visitor

LINE = "4 4 4 4 4 2 2 2"


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
    expect(page.locator(".cell .chip")).to_have_count(len(marks))
    for _ in range(200):
        if (shown := sorted(page.locator(".cell .chip").all_text_contents())) == marks:
            break
        page.wait_for_timeout(100)
    assert shown == marks
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
