"""Games of the page that begin with swap2: phases, seats, clocks, undo, machines, records."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from web import Person, people, problem

from noughts.games.record import parse_text
from noughts.web import clocks

RULES = "mnk:6,6,4,exact"
STONES = ("c3", "c4", "d3")
SWAP2: dict[str, Any] = {"start": RULES, "opening": "swap2"}
MORE = ("more", "a1", "b1")


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Person]]:
    with people(tmp_path_factory.mktemp("swap2"), 3) as found:
        yield found


@pytest.fixture
def pair(three: list[Person]) -> tuple[Person, Person]:
    return three[0], three[1]


def current(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = person.get_json(f"/games/{game['id']}")
    return found


def acted(person: Person, game: dict[str, Any], *entries: str) -> dict[str, Any]:
    """Return the game after moves and choices of a person."""
    for entry in entries:
        game = current(person, game)
        is_choice = entry in ("O", "X", "more")
        what = {"choice": entry} if is_choice else {"move": entry}
        game = person.change(game, "choice" if is_choice else "moves", **what)
    return game


def joined(anna: Person, ben: Person, **wanted: Any) -> dict[str, Any]:
    """Return a game with swap2 in which Anna places the first stones."""
    game = anna.open(**SWAP2, o="guest", name="Anna", **wanted)
    key = {"key": game["keys"]["join"], "name": "Ben"}
    assert ben.ask("POST", f"/games/{game['id']}/join", key).status_code == 200
    return game


def refused(person: Person, game: dict[str, Any], what: str, **more: Any) -> tuple[str, str]:
    """Send a change that must be refused; return the kind and the sentence."""
    body = {"version": current(person, game)["version"], **more}
    answer = person.ask("POST", f"/games/{game['id']}/{what}", body)
    return problem(answer)[1], answer.json()["detail"]


def settled(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    """Return a game once its machine has acted."""
    end = time.monotonic() + PATIENCE
    while True:
        game = current(person, game)
        assert game["trouble"] is None, game["trouble"]
        if game["swap2"]["side"] in game["yours"] or game["result"] != "*":
            return game
        assert time.monotonic() < end
        time.sleep(0.02)


def opponent_of(game: dict[str, Any]) -> str | None:
    """Return the text of the machine that plays O, if one does."""
    found: str | None = game["players"]["O"]["opponent"]
    return found


def test_friends_place_stones_and_choose(three: list[Person]) -> None:
    anna, ben, carl = three
    game = joined(anna, ben)
    watch = {"noughts-key": game["keys"]["watch"]}
    for number, stone in enumerate(STONES):
        swap2 = game["swap2"]
        assert (swap2["first"], swap2["side"], swap2["decided"]) == ("X", "X", False)
        assert swap2["situation"]["X"].startswith(f"You place an {'XO'[number % 2]}: stone")
        assert "move" not in current(ben, game)["can"]
        assert refused(ben, game, "moves", move="a1") == ("not-your-turn", "It is not your turn.")
        game = acted(anna, game, stone)
    assert "choose" not in current(anna, game)["can"]
    assert "move" not in current(anna, game)["can"]
    assert refused(anna, game, "choice", choice="O")[0] == "not-your-turn"
    seen = current(ben, game)
    assert "choose" in seen["can"]
    assert seen["swap2"]["choices"] == ["O", "X", "more"]
    wanted = "You choose: play X, play O and move next, or add two stones."
    assert seen["swap2"]["situation"]["O"] == wanted
    assert refused(ben, game, "moves", move="a1") == ("choose", wanted)
    watched = carl.get_json(f"/games/{game['id']}", headers=watch)
    assert watched["swap2"]["situation"]["-"].startswith("Player 2 chooses")
    assert not {"choose", "move"} & set(watched["can"])
    game = acted(ben, game, "X")
    assert game["yours"] == ["X"]
    assert game["swap2"]["situation"]["X"] == "You chose X. O to move."
    assert current(anna, game)["yours"] == ["O"]
    assert refused(ben, game, "choice", choice="O") == (
        "nothing",
        "There is no side to choose now.",
    )
    game = acted(anna, game, "a1")
    assert game["swap2"]["situation"] is None
    text = anna.ask("GET", f"/games/{game['id']}/export", params={"format": "text"}).text
    (record,) = parse_text(text)
    found = {name: record.tags[name] for name in ("X", "O", "Opening", "Choices")}
    assert found == {"X": "Ben", "O": "Anna", "Opening": "swap2", "Choices": "X"}


@pytest.mark.parametrize(("last", "x"), [("O", "Ben"), ("X", "Anna")])
def test_two_more_stones_give_the_choice_back(
    pair: tuple[Person, Person], last: str, x: str
) -> None:
    anna, ben = pair
    game = acted(anna, joined(anna, ben), *STONES)
    game = acted(ben, game, "more", "a1")
    assert refused(ben, game, "choice", choice="O")[0] == "nothing"
    game = acted(ben, game, "b1")
    assert "choose" in current(anna, game)["can"]
    assert refused(anna, game, "choice", choice="more")[0] == "choose"
    game = acted(anna, game, last)
    names = {side: each["given"] for side, each in game["players"].items()}
    assert names["X"] == x
    assert game["position"]["turn"] == "O"
    assert ("move" in game["can"]) == (last == "O")


def test_a_clock_runs_for_the_player_who_decides(
    pair: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(clocks, "now", lambda: now)
    monkeypatch.setattr(clocks, "STALL", float("inf"))  # of the machine, in real time
    anna, ben = pair
    game = joined(anna, ben, clock="60+0")
    for stone in STONES:
        assert game["clock"]["running"] is None
        now += 7
        game = acted(anna, game, stone)
    assert game["clock"]["running"] == "O"
    now += 10
    game = acted(ben, game, "more")
    now += 4
    game = acted(ben, game, "a1", "b1")
    assert (game["clock"]["running"], game["clock"]["o"]) == ("X", 46)
    now += 20
    # Anna takes O, and so her clock is now that of O.
    game = acted(anna, game, "O")
    assert (game["clock"]["x"], game["clock"]["o"], game["clock"]["running"]) == (46, 40, "O")
    now += 41
    assert current(anna, game)["clock"]["o"] == 0
    body = {"version": game["version"], "move": "f6"}
    assert problem(anna.ask("POST", f"/games/{game['id']}/moves", body))[0] == 409
    game = current(anna, game)
    assert (game["result"], game["termination"]) == ("1-0", "time forfeit")


def test_friends_take_back_a_choice(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = acted(ben, acted(anna, joined(anna, ben), *STONES), "X")
    asked = ben.change(game, "undo")
    assert asked["offer"] == {"kind": "undo", "side": "X"}
    game = anna.change(current(anna, asked), "accept")
    assert (game["yours"], game["moves"]) == (["X"], [*STONES])
    assert current(ben, game)["swap2"]["choices"] == ["O", "X", "more"]
    # A further refusal to take back counts, also after the sides have changed.
    game = acted(ben, game, "X")
    asked = ben.change(game, "undo")
    game = anna.change(current(anna, asked), "decline")
    assert "undo" not in current(ben, game)["can"]
    assert "undo" in game["can"]


def test_two_people_at_one_browser_undo_and_redo(pair: tuple[Person, Person]) -> None:
    anna = pair[0]
    game = acted(anna, anna.open(**SWAP2, o="me"), *STONES, *MORE, "O", "a2")
    assert game["swap2"]["first"] == "O"
    left = [
        (5, "O", []),
        (5, "X", ["O", "X"]),
        (4, "X", []),
        (3, "X", []),
        (3, "X", ["O", "X", "more"]),
        (2, "X", []),
    ]
    for moves, first, choices in left:
        game = anna.change(game, "undo")
        found = len(game["moves"]), game["swap2"]["first"], game["swap2"]["choices"]
        assert found == (moves, first, choices)
    game = anna.change(game, "redo")
    assert game["swap2"]["choices"] == ["O", "X", "more"]
    assert "redo" not in game["can"]
    assert refused(anna, game, "redo")[0] == "nothing"
    game = acted(anna, game, "O")
    assert game["undone"] == []
    game = anna.change(game, "resign")
    assert (game["result"], game["swap2"]["situation"]) == ("1-0", None)
    assert "choose" not in game["can"]


@pytest.mark.parametrize(
    ("last", "sides"),
    [("X", ("X", "X")), ("O", ("O", "X"))],
)
def test_the_rematch_begins_with_swap2_and_the_other_player(
    pair: tuple[Person, Person], last: str, sides: tuple[str, str]
) -> None:
    anna, ben = pair
    game = acted(ben, acted(anna, joined(anna, ben), *STONES), last)
    assert game["yours"] == [sides[0]]
    game = ben.change(game, "resign")
    anna.ask("POST", f"/games/{game['id']}/rematch")
    following = ben.ask("POST", f"/games/{game['id']}/rematch").json()
    assert following["yours"] == [sides[1]]
    assert following["swap2"]["first"] == "X"
    assert following["score"] == {"x": 0, "o": 1, "draws": 0}


@pytest.mark.parametrize("opponent", ["engine:level=3", "random"])
def test_the_machine_places_three_stones(pair: tuple[Person, Person], opponent: str) -> None:
    anna = pair[0]
    game = settled(anna, anna.open(**SWAP2, x=opponent, o="me"))
    assert len(game["moves"]) == 3
    assert game["swap2"]["choices"] == ["O", "X", "more"]
    assert "undo" not in game["can"]
    game = settled(anna, acted(anna, game, "X"))
    assert (game["yours"], opponent_of(game), len(game["moves"])) == (["X"], opponent, 4)
    game = settled(anna, anna.change(game, "undo"))
    assert (game["yours"], len(game["moves"])) == (["O"], 3)
    game = settled(anna, acted(anna, game, "more", *list(game["position"]["moves"])[:2]))
    assert game["swap2"]["decided"]


@pytest.mark.parametrize(
    ("stones", "yours"),
    [
        # X has an open three; two stones of X stand alone.
        (("c3", "f1", "d3"), ["O"]),
        (("a1", "c3", "f6"), ["X"]),
    ],
)
def test_the_machine_chooses_by_its_own_estimate(
    pair: tuple[Person, Person], stones: tuple[str, ...], yours: list[str]
) -> None:
    anna = pair[0]
    game = anna.open(**SWAP2, o="engine:nodes=3000", moves=" ".join(stones))
    game = settled(anna, game)
    assert game["yours"] == yours
    # The machine with O has moved, and the person with O is to move.
    assert len(game["moves"]) == (3 if yours == ["O"] else 4)
    game = anna.change(game, "undo")
    assert (len(game["moves"]), game["yours"]) == (2, ["X"])
    game = settled(anna, anna.change(game, "redo"))
    assert game["yours"] == yours


def test_a_review_gives_the_stones_no_label(three: list[Person]) -> None:
    body = {"start": "mnk:6,1,4", "moves": ["a1", "b1", "c1", "d1"], "opening": 3}
    review = three[2].ask("POST", "/review", body).json()
    assert [bool(each["label"]) for each in review["remarks"]] == [False, False, False, True]


def test_an_imported_game_goes_on_with_its_choices(pair: tuple[Person, Person]) -> None:
    anna = pair[0]
    game = acted(anna, anna.open(**SWAP2, o="me"), *STONES, "more", "a1")
    text = anna.ask("GET", f"/games/{game['id']}/export", params={"format": "json"}).text
    for given, side in ((text, "X"), (text.replace('"more"', '"mor"'), None)):
        listed = anna.ask("POST", "/games/import", {"text": given}).json()["games"]
        found = anna.get_json(f"/games/{listed[0]['id']}")
        if side is None:
            assert found["swap2"] is None
            continue
        assert found["swap2"] == game["swap2"]
        assert acted(anna, found, "b1", "O")["swap2"]["first"] == "O"


def test_a_stored_game_goes_on_with_its_choices(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        game = acted(anna, anna.open(**SWAP2, o="me"), *STONES, "more", "a1")
        cookies = anna.cookies
    with people(tmp_path) as (anna,):
        anna.cookies = cookies
        found = current(anna, game)
        assert {**found, "tag": ""} == {**game, "tag": ""}
        assert acted(anna, found, "b1", "O")["swap2"]["first"] == "O"


@pytest.mark.parametrize(
    ("wanted", "kind", "field"),
    [
        ({"start": "basic"}, "notation", "RULES"),
        ({"start": "mnk:6,6,3"}, "notation", "RULES"),
        ({"start": "mnk:6,6,4~X5.6.6.6.6.6~O"}, "notation", "RULES"),
        ({"moves": "a1 a2 a3 a4"}, "request", "moves"),
        ({"swapped": True}, "request", "swapped"),
        ({"opening": "swap"}, "request", "body.opening"),
    ],
)
def test_wrong_games_are_refused(
    pair: tuple[Person, Person], wanted: dict[str, Any], kind: str, field: str
) -> None:
    answer = pair[0].ask("POST", "/games", {**SWAP2, "o": "me", **wanted})
    assert problem(answer) == (422, kind)
    assert answer.json()["field"] == field


def test_other_games_have_no_choice(pair: tuple[Person, Person]) -> None:
    anna = pair[0]
    game = anna.open("basic", o="me")
    assert game["swap2"] is None
    assert refused(anna, game, "choice", choice="O")[0] == "nothing"
