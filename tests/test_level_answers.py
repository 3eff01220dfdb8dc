"""A client finds the moves of a level in place of the server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from service import until_saved
from web import API, IMPATIENT, Person, people, problem

LEVEL = "engine:level=1"
PATIENT = replace(IMPATIENT, answer_seconds=60)
"""A server that searches only where the client cannot answer."""


@pytest.fixture
def three(tmp_path: Path) -> Iterator[list[Person]]:
    with people(tmp_path, 3, settings=PATIENT) as found:
        yield found


@pytest.fixture
def anna(three: list[Person]) -> Person:
    return three[0]


def waiting(person: Person, start: str = "basic", move: str = "5", **wanted: Any) -> dict[str, Any]:
    """Return a game in which the server waits for the client's move of a level."""
    game = person.open(start, **{"o": LEVEL, **wanted})
    game = person.change(game, "moves", move=move, answers=True)
    assert "answer" in game["can"]
    assert game["thinking"] == {"side": "O", "waiting": False}
    return game


def answered(person: Person, game: dict[str, Any], move: str | None) -> Any:
    """Send the move of a level; return the response."""
    body = {"version": game["version"], "move": move}
    return person.ask("POST", f"/games/{game['id']}/answers", body)


def moved(person: Person, game: dict[str, Any], plies: int) -> dict[str, Any]:
    """Return a game as soon as it has a number of moves, those of the server included."""
    until = time.monotonic() + PATIENCE
    while len((seen := person.get_json(f"/games/{game['id']}"))["moves"]) < plies:
        assert time.monotonic() < until, "the server does not move"
        time.sleep(0.02)
    assert "answer" not in seen["can"]
    found: dict[str, Any] = seen
    return found


def test_move_of_the_client_is_played_and_saved(anna: Person) -> None:
    game = waiting(anna)
    found = answered(anna, game, "3").json()
    assert (found["moves"], found["thinking"]) == (["5", "3"], None)
    assert found["version"] == game["version"] + 1
    assert "move" in found["can"]
    assert "answer" not in found["can"]
    until_saved(anna, f"{API}/games/{game['id']}")
    again = anna.change(found, "moves", move="1", answers=True)
    assert answered(anna, again, "9").json()["moves"] == ["5", "3", "1", "9"]


def test_client_finds_the_first_move_of_a_level_that_begins(anna: Person) -> None:
    game = anna.open("connect4", x=LEVEL, o="me", answers=True)
    assert "answer" in game["can"]
    assert answered(anna, game, "4").json()["moves"] == ["4"]


def test_move_of_the_client_may_end_the_game(anna: Person) -> None:
    game = waiting(anna, moves="1 4 2 5", move="9")
    assert answered(anna, game, "6").json()["result"] == "0-1"


def test_last_move_of_the_person_leaves_nothing_to_answer(anna: Person) -> None:
    game = anna.open(o=LEVEL, moves="1 4 2 5")
    game = anna.change(game, "moves", move="3", answers=True)
    assert (game["result"], game["thinking"]) == ("1-0", None)
    assert problem(answered(anna, game, "6")) == (409, "late")


@pytest.mark.parametrize("move", ["5", "nonsense", "55", ""])
def test_illegal_move_is_refused_and_the_server_waits_on(anna: Person, move: str) -> None:
    game = waiting(anna)
    assert answered(anna, game, move).status_code == 422
    assert "answer" in anna.get_json(f"/games/{game['id']}")["can"]
    assert answered(anna, game, "1").json()["moves"] == ["5", "1"]


def test_server_moves_for_a_client_without_a_move(anna: Person) -> None:
    game = waiting(anna)
    assert answered(anna, game, None).status_code == 200
    moved(anna, game, 2)


def test_server_moves_after_a_time(tmp_path: Path) -> None:
    with people(tmp_path, settings=replace(IMPATIENT, answer_seconds=2)) as (anna,):
        game = waiting(anna)
        seen = moved(anna, game, 2)
        assert problem(answered(anna, game, "1")) == (409, "conflict")
        assert problem(answered(anna, seen, "1")) == (409, "late")


def test_late_answer_cannot_disturb_the_search_of_the_server(tmp_path: Path) -> None:
    settings = replace(IMPATIENT, answer_seconds=0.01)
    with people(tmp_path, settings=settings) as (anna,):
        # The highest level searches for some time.
        game = anna.open("ultimate", o="engine:level=10")
        game = anna.change(game, "moves", move="55", answers=True)
        until = time.monotonic() + PATIENCE
        while "answer" in anna.get_json(f"/games/{game['id']}")["can"]:
            assert time.monotonic() < until, "the server does not search"
        assert problem(answered(anna, game, "51")) in ((409, "late"), (409, "conflict"))
        moved(anna, game, 2)


def test_server_moves_when_the_page_of_the_person_closes(anna: Person, three: list[Person]) -> None:
    game = anna.open(o=LEVEL)
    watch = {"noughts-key": game["keys"]["watch"]}
    with three[1].websocket_connect(f"{API}/games/{game['id']}/live?key={watch['noughts-key']}"):
        with anna.websocket_connect(f"{API}/games/{game['id']}/live") as page:
            page.receive_json()
            game = anna.change(game, "moves", move="5", answers=True)
            time.sleep(0.3)
            assert len(anna.get_json(f"/games/{game['id']}")["moves"]) == 1
        moved(anna, game, 2)


def test_spectator_who_leaves_changes_nothing(anna: Person, three: list[Person]) -> None:
    game = waiting(anna)
    key = game["keys"]["watch"]
    with three[1].websocket_connect(f"{API}/games/{game['id']}/live?key={key}") as page:
        seen = page.receive_json()
        assert seen["thinking"] == {"side": "O", "waiting": False}
        assert seen["can"] == []
    time.sleep(0.3)
    assert "answer" in anna.get_json(f"/games/{game['id']}")["can"]


def test_stop_lets_the_server_move_at_once(anna: Person) -> None:
    game = waiting(anna, "ultimate", "55", o="engine:level=10")
    assert "stop" in game["can"]
    body = {"version": game["version"]}
    assert anna.ask("POST", f"/games/{game['id']}/stop", body).status_code == 200
    moved(anna, game, 2)


@pytest.mark.parametrize("what", ["undo", "resign"])
def test_answer_after_another_change_is_refused(anna: Person, what: str) -> None:
    game = waiting(anna)
    changed = anna.change(game, what)
    assert "answer" not in changed["can"]
    assert changed["thinking"] is None
    assert problem(answered(anna, game, "1")) == (409, "conflict")
    assert problem(answered(anna, changed, "1")) == (409, "late")
    if what == "undo":
        again = anna.change(changed, "moves", move="9", answers=True)
        assert answered(anna, again, "1").json()["moves"] == ["9", "1"]


def test_comment_keeps_the_server_waiting(anna: Person) -> None:
    game = waiting(anna)
    body = {"version": game["version"], "path": ["5"], "comment": "the centre"}
    changed = anna.ask("PUT", f"/games/{game['id']}/comments", body).json()
    assert "answer" in changed["can"]
    assert answered(anna, changed, "1").json()["moves"] == ["5", "1"]


def test_restarted_server_moves(tmp_path: Path) -> None:
    with people(tmp_path, settings=PATIENT) as (anna,):
        game = waiting(anna)
        cookies = dict(anna.cookies)
    with people(tmp_path, settings=PATIENT) as (anna,):
        anna.cookies.update(cookies)
        moved(anna, game, 2)


# Fair play


def other_machine(anna: Person, _: Person) -> dict[str, Any]:
    game = anna.open("ultimate", o="engine:seconds=20")
    return anna.change(game, "moves", move="55", answers=True)


def table_of_a_level(anna: Person, _: Person) -> dict[str, Any]:
    game = anna.open("ultimate", o="engine:level=10,seed=3")
    return anna.change(game, "moves", move="55", answers=True)


def one_browser(anna: Person, _: Person) -> dict[str, Any]:
    game = anna.open(x="me", o="me", answers=True)
    return anna.change(game, "moves", move="5", answers=True)


def two_people(anna: Person, ben: Person) -> dict[str, Any]:
    game = anna.open(x="me", o="guest", answers=True)
    join = {"key": game["keys"]["join"]}
    game = ben.ask("POST", f"/games/{game['id']}/join", join).json()
    return anna.change(game, "moves", move="5", answers=True)


def open_seat(anna: Person, _: Person) -> dict[str, Any]:
    game = anna.open(x="me", o="guest", answers=True)
    return anna.change(game, "moves", move="5", answers=True)


@pytest.mark.parametrize(
    "opened", [other_machine, table_of_a_level, one_browser, two_people, open_seat]
)
def test_only_the_moves_of_a_level_are_left_to_a_client(
    three: list[Person], opened: Callable[[Person, Person], dict[str, Any]]
) -> None:
    anna, ben, _ = three
    game = opened(anna, ben)
    assert "answer" not in game["can"]
    assert problem(answered(anna, game, "51" if game["rules"] == "ultimate" else "1"))[0] == 409
    if opened is two_people:
        assert problem(answered(ben, game, "1")) == (409, "late")


def test_nobody_else_may_answer(three: list[Person]) -> None:
    anna, ben, carl = three
    game = waiting(anna)
    body = {"version": game["version"], "move": "1"}
    key = {"noughts-key": game["keys"]["watch"]}
    path = f"/games/{game['id']}/answers"
    assert problem(ben.ask("POST", path, body, headers=key)) == (403, "not-yours")
    assert problem(carl.ask("POST", path, body)) == (404, "not-found")
    assert anna.get_json(f"/games/{game['id']}")["moves"] == ["5"]


def test_machines_alone_are_the_servers(three: list[Person]) -> None:
    anna = three[0]
    game = anna.open(x=LEVEL, o=LEVEL, answers=True)
    assert game["can"] == []
    body, key = {"version": game["version"], "move": "1"}, {"noughts-key": game["keys"]["watch"]}
    refused = anna.ask("POST", f"/games/{game['id']}/answers", body, headers=key)
    assert problem(refused) == (403, "not-yours")
    path = f"{API}/games/{game['id']}/live?key={key['noughts-key']}"
    with anna.websocket_connect(path) as page:
        assert page.receive_json()["moves"] == []
        page.receive_json()
    seen = anna.get_json(f"/games/{game['id']}", headers=key)
    assert seen["moves"]


def test_address_of_the_engine(anna: Person) -> None:
    address = anna.get_json("/engine")["address"]
    assert address is None or anna.get(f"{address}parts.json").status_code == 200
