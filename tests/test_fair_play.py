"""No analysis of a running game between two people, by no question of theirs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from needs import needs_browser
from page import PATIENCE_MS, Visit, Visitor, button, choose, moves
from playwright.sync_api import expect
from samples import RULES, random_position
from web import API, Person, people, problem

import noughts
from noughts.puzzles.puzzle import puzzles_of
from noughts.web.fair_play import is_near

LINE = ["1", "5"]
NEXT = [*LINE, "9"]
WEBSOCKET = ("analyse", "graph", "explain", "hint", "review", "try")


@pytest.fixture
def three(tmp_path: Path) -> Iterator[list[Person]]:
    """Two players and a third person with another game, and so a cookie."""
    with people(tmp_path, 3) as found:
        found[2].open("connect4", o="me")
        yield found


def shared_game(host: Person, guest: Person, *line: str, start: str = "basic") -> dict[str, Any]:
    """Return a game in progress between two people."""
    game = host.open(start, o="guest")
    key = {"key": game["keys"]["join"]}
    guest.ask("POST", f"/games/{game['id']}/join", key)
    for number, move in enumerate(line):
        player = (host, guest)[number % 2]
        game = player.play(player.get_json(f"/games/{game['id']}"), move)
    return game


HTTP = ("analysis", "graph", "explain", "hint", "review", "replay")
ALL = [*HTTP, "replay.html", "explorer", *(f"socket {do}" for do in WEBSOCKET), "games"]
SOME = ["analysis", "socket hint", "games"]
"""Questions with a short answer."""


def refused(
    person: Person, start: str, line: list[str], move: str = "3", among: Sequence[str] = ALL
) -> list[str]:
    """Return the questions about a line that are refused; the others are answered."""
    found = []
    asked = {"start": start, "moves": line}
    for path in [each for each in HTTP if each in among]:
        limit = {"seconds": 0.2} if path == "analysis" else {}
        answer = person.ask("POST", f"/{path}", asked | limit)
        if answer.status_code != 200:
            assert problem(answer) == (403, "not-now")
            found.append(path)
    query = {"start": start, "moves": " ".join(line)}
    page = "replay.html"
    if page in among and person.ask("GET", f"/{page}", params=query).status_code == 403:
        found.append(page)
    if "explorer" in among and person.ask("GET", "/explorer", params=query).status_code == 403:
        found.append("explorer")
    with person.websocket_connect(f"{API}/analysis") as socket:
        for number, do in enumerate(each for each in WEBSOCKET if f"socket {each}" in among):
            socket.send_json({"do": do, "id": number, **asked, "move": move})
            while True:
                heard = socket.receive_json()
                if heard["kind"] == "problem":
                    assert heard["type"] == "urn:noughts:not-now", heard
                    found.append(f"socket {do}")
                if heard["kind"] not in ("progress", "point") and heard.get("done", True):
                    break
    if person.ask("POST", "/games", {"start": start, "moves": " ".join(line)}).status_code == 403:
        found.append("games")
    return found


def test_players_get_no_answer_about_their_game(three: list[Person]) -> None:
    host, guest, other = three
    game = shared_game(host, guest, *LINE)
    for player in (host, guest):
        assert refused(player, "basic", LINE) == ALL
    here = str(noughts.game("basic").after("1 5"))
    turned = str(noughts.game("basic").after("9 5"))
    assert refused(host, here, []) == ALL, "the position alone"
    assert refused(host, turned, []) == ALL, "the same, rotated"
    assert refused(host, "mnk:3,3,3", ["a1", "b2"], "c1") == ALL, "the same by another name"
    assert refused(host, "basic", NEXT) == ALL, "a move later"
    assert refused(host, "basic", ["2", "5"], among=SOME) == [], "another position"
    assert refused(other, "basic", LINE) == [], "another client"
    assert refused(host, "connect4", ["4"], among=SOME) == []
    guest.change(guest.get_json(f"/games/{game['id']}"), "resign")
    assert refused(host, "basic", LINE, among=SOME) == [], "after the end"


def test_players_solve_puzzles(three: list[Person]) -> None:
    host, guest, _ = three
    shared_game(host, guest, *LINE)
    puzzle = puzzles_of("basic")[-1]
    asked = {"move": puzzle.position.move_text(puzzle.line[0])}
    assert host.ask("POST", f"/puzzles/{puzzle.id}/moves", asked).json()["right"]


def test_spectators_get_none_while_they_watch(three: list[Person]) -> None:
    host, guest, other = three
    game = shared_game(host, guest, *LINE)
    path = f"{API}/games/{game['id']}/live?key={game['keys']['watch']}"
    nobody = Person(host.app)
    nobody.portal = host.portal
    for spectator in (other, nobody):
        with spectator.websocket_connect(path) as socket:
            assert socket.receive_json()["between_people"]
            assert refused(spectator, "basic", LINE) == ALL
    assert refused(other, "basic", LINE, among=SOME) == []


def test_games_of_one_person_are_analysed(three: list[Person]) -> None:
    host, guest, other = three
    assert not host.open("basic", o="me", moves="1 5")["between_people"]
    assert refused(host, "basic", LINE, among=SOME) == []
    waiting = host.open("basic", o="guest")
    assert waiting["between_people"]
    assert refused(host, "basic", [], among=SOME) == [], "nothing is played yet"
    host.play(waiting, "1")
    machine = ["games"]
    assert refused(host, "basic", ["1"]) == [each for each in ALL if each not in machine]
    guest.ask("POST", f"/games/{waiting['id']}/join", {"key": waiting["keys"]["join"]})
    assert refused(host, "basic", ["1"], among=machine) == machine
    assert refused(other, "basic", ["1"], among=SOME) == []


@pytest.mark.parametrize("rules", [rules for name in RULES for rules in RULES[name]])
def test_position_is_near_itself_and_its_images(rules: str) -> None:
    rng, compared = random.Random(rules), 0
    for _ in range(10):
        position = random_position(noughts.game(rules), rng)
        for image in position.symmetries():
            assert is_near([image], [position])
            legal = image.legal_moves()
            for move in rng.sample(legal, min(2, len(legal))):
                after = image.play(move)
                assert is_near([after], [position])
                assert not is_near([position], [after])
                compared += 1
    assert compared >= 10


@needs_browser
def test_players_and_their_watch_link_show_no_analysis(visit: Visit) -> None:
    def other_tab(visitor: Visitor, path: str) -> str:
        """Return the words of a new tab, after Analysis was chosen if it can be."""
        page = visitor.tab()
        page.goto(visitor.address + path)
        expect(page.locator(".cell").first).to_be_visible()
        if button(page, "Analysis").is_enabled():
            button(page, "Analysis").click()
            expect(page.locator(".sentences")).to_contain_text("between two people")
            expect(page.locator(".chip")).to_have_count(0)
            expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", "Not known yet")
        title = button(page, "Analysis").get_attribute("title") or ""
        page.close()
        return title

    host, guest = visit(), visit()
    page = host.go("/?game=basic")
    choose(page, opponent="A person with a link")
    button(page, "Open the game and get the link").click()
    link = page.locator(".link input").first.input_value()
    theirs = guest.go("/" + link.split("/", 3)[3])
    expect(page.locator(".players")).not_to_contain_text("Waiting for opponent")
    for number, cell in enumerate((0, 4), 1):
        (page if number % 2 else theirs).locator(".cell").nth(cell).click()
        expect(moves(page)).to_have_count(number)
        expect(moves(theirs)).to_have_count(number)
    button(page, "Share").click()
    watch = "/" + page.get_by_label("Watch link").input_value().split("/", 3)[3]
    page.keyboard.press("Escape")
    for visitor in (host, guest):
        other_tab(visitor, "/position/basic?moves=1+5")
        other_tab(visitor, f"/position/{noughts.game('basic').after('1 5')}")
    spectator = visit()
    assert "between two people" in other_tab(spectator, watch)
    for number, cell in enumerate((1, 3, 2), 3):
        (page if number % 2 else theirs).locator(".cell").nth(cell).click()
        expect(moves(page)).to_have_count(number)
        expect(moves(theirs)).to_have_count(number)
    expect(button(page, "Analysis")).to_be_enabled(timeout=PATIENCE_MS)
