"""The games API: games from the first move to the rematch, and refusals."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from samples import NIM, RULES_IDS, SOME_RULES_IDS, games_restored
from starlette.testclient import WebSocketTestSession
from web import Person, people, problem

import noughts
from noughts.games.registry import load
from noughts.web.models import following


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Person]]:
    with people(tmp_path_factory.mktemp("games"), 3) as found:
        yield found


@pytest.fixture
def anna(three: list[Person]) -> Person:
    return three[0]


@pytest.fixture
def ben(three: list[Person]) -> Person:
    return three[1]


@pytest.fixture
def carl(three: list[Person]) -> Person:
    return three[2]


def settled(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    """Return a game as soon as no machine is thinking."""
    end = time.monotonic() + PATIENCE
    while game["thinking"]:
        assert time.monotonic() < end, "the machine does not move"
        time.sleep(0.03)
        game = person.get_json(f"/games/{game['id']}")
    return game


# Whole games


@pytest.mark.parametrize("rules", SOME_RULES_IDS)
def test_game_of_any_rules_is_played_to_its_end(anna: Person, rules: str) -> None:
    rng = random.Random(rules)
    position = noughts.game(rules)
    game = anna.open(rules, o="me")
    assert game["start"] == str(position)
    while position.outcome() is None:
        shown = game["position"]
        texts = [position.move_text(move) for move in position.legal_moves()]
        assert list(shown["moves"]) == texts
        assert (shown["position"], shown["turn"]) == (str(position), position.turn.value)
        assert (shown["outcome"], game["result"], game["sentence"]) == (None, "*", None)
        assert "move" in game["can"]
        text = rng.choice(texts)
        position = position.play(position.parse_move(text))
        game = anna.play(game, text)
        assert game["moves"][-1] == text
    outcome = position.outcome()
    assert outcome is not None
    winner = outcome.winner and outcome.winner.value
    assert game["result"] == {"X": "1-0", "O": "0-1", None: "1/2-1/2"}[winner]
    assert (
        game["termination"]
        == outcome.termination.value
        == game["position"]["outcome"]["termination"]
    )
    assert game["position"]["outcome"]["winner"] == winner
    assert game["position"]["moves"] == {}
    assert game["sentence"].endswith(".")
    assert sorted(game["can"]) == ["delete", "rematch", "undo", "vary"]
    assert game["score"] == {"x": winner == "X", "o": winner == "O", "draws": winner is None}
    late = anna.ask("POST", f"/games/{game['id']}/moves", {"version": game["version"], "move": "1"})
    assert problem(late) == (409, "over")
    kept = anna.get_json(f"/games/{game['id']}")
    assert {**kept, "saved": None} == {**game, "saved": None}  # A slow disk saves it meanwhile.


@pytest.mark.parametrize("rules", SOME_RULES_IDS)
@pytest.mark.parametrize("level", [1, 4])
@pytest.mark.parametrize("most", [6, pytest.param(12, marks=pytest.mark.soak)])
def test_machine_replies_in_all_rules(anna: Person, rules: str, level: int, most: int) -> None:
    rng = random.Random(rules)
    game = settled(anna, anna.open(rules, x=f"engine:level={level}", o="me"))
    moves = 0
    most = 1 if rules == "mnk:19,19,5" else most
    while game["result"] == "*" and moves < most:
        assert (game["position"]["turn"], game["trouble"]) == ("O", None)
        game = settled(anna, anna.play(game, rng.choice(list(game["position"]["moves"]))))
        moves += 1
    assert game["players"]["X"]["name"] == f"Engine, level {level}"
    replayed = noughts.game(rules)
    for move in noughts.parse_moves(replayed, " ".join(game["moves"])):
        replayed = replayed.play(move)
    assert str(replayed) == game["position"]["position"]


def test_two_machines_play_each_other(anna: Person, ben: Person) -> None:
    game = anna.open("connect4:4,4", x="random", o="engine:level=1")
    assert game["yours"] == []
    assert game["can"] == []
    assert problem(ben.ask("GET", f"/games/{game['id']}")) == (404, "not-found")
    headers = {"noughts-key": game["keys"]["watch"]}
    shown = ben.get_json(f"/games/{game['id']}", headers=headers)
    assert (shown["moves"], shown["thinking"]) == ([], None), "nobody watches"
    path = f"/api/v1/games/{game['id']}/live?key={headers['noughts-key']}"
    with ben.websocket_connect(path) as socket:
        Heard(socket).until(lambda view: len(view["moves"]) > 1)
    left = ben.get_json(f"/games/{game['id']}", headers=headers)
    assert left["thinking"] is None
    with ben.websocket_connect(path) as socket:
        Heard(socket).until(lambda view: view["result"] != "*")


# One person


def test_undo_and_redo(anna: Person) -> None:
    game = anna.play(anna.open(o="me"), "5", "1", "3")
    game = anna.change(game, "undo")
    assert (game["moves"], game["undone"]) == (["5", "1"], ["3"])
    game = anna.change(anna.change(game, "undo"), "undo")
    assert (game["moves"], game["undone"]) == ([], ["5", "1", "3"])
    assert "undo" not in game["can"]
    body = {"version": game["version"]}
    assert problem(anna.ask("POST", f"/games/{game['id']}/undo", body)) == (409, "nothing")
    game = anna.change(anna.change(game, "redo"), "redo")
    assert (game["moves"], game["undone"]) == (["5", "1"], ["3"])
    game = anna.play(game, "9")
    assert (game["moves"], game["undone"]) == (["5", "1", "9"], [])
    body = {"version": game["version"]}
    assert problem(anna.ask("POST", f"/games/{game['id']}/redo", body)) == (409, "nothing")


def test_undo_against_a_machine_takes_back_its_reply_too(anna: Person) -> None:
    game = settled(anna, anna.play(anna.open(o="random"), "5"))
    assert len(game["moves"]) == 2
    back = anna.change(game, "undo")
    assert (back["moves"], back["undone"], back["thinking"]) == ([], game["moves"], None)
    assert anna.change(back, "redo")["moves"] == game["moves"]


def test_resignation_then_rematch_keeps_the_score(anna: Person) -> None:
    game = anna.change(anna.open(o="engine:level=2"), "resign")
    assert (game["result"], game["termination"]) == ("0-1", "resignation")
    assert game["sentence"] == "O wins: X resigned."
    assert game["score"] == {"x": 0, "o": 1, "draws": 0}
    again = anna.ask("POST", f"/games/{game['id']}/resign", {"version": game["version"]})
    assert problem(again) == (409, "over")
    following = anna.ask("POST", f"/games/{game['id']}/rematch").json()
    assert following["players"]["X"]["name"] == "Engine, level 2"
    assert following["yours"] == ["O"]
    assert following["score"] == {"x": 1, "o": 0, "draws": 0}
    assert anna.get_json(f"/games/{game['id']}")["next"] == following["id"]
    twice = anna.ask("POST", f"/games/{game['id']}/rematch").json()
    assert twice["id"] == following["id"]
    ended = anna.get_json(f"/games/{game['id']}")
    body = {"version": ended["version"]}
    assert problem(anna.ask("POST", f"/games/{game['id']}/undo", body)) == (409, "over")
    assert problem(anna.ask("POST", f"/games/{following['id']}/rematch")) == (409, "not-over")


def test_resignation_can_be_undone(anna: Person) -> None:
    game = anna.change(anna.play(anna.open(o="me"), "5"), "resign")
    game = anna.change(game, "undo")
    assert (game["result"], game["moves"]) == ("*", [])


def test_game_starts_from_any_position(anna: Person) -> None:
    game = anna.open("ultimate~9.9.9.9.X8.9.9.9.9~O~1", o="me", moves="15")
    assert (game["moves"], game["position"]["forced"]) == (["15"], 4)
    over = anna.open("basic", moves="1 4 2 5 3", o="me")
    assert over["sentence"] == "X wins with the top row."


# Two people and spectators


def test_a_finished_game_invites_nobody(anna: Person) -> None:
    assert anna.open("basic", moves="1 2 5 3", o="guest")["keys"]["join"]
    over = anna.open("basic", moves="1 2 5 3 9", o="guest")
    assert over["keys"]["join"] is None
    qr = f"/games/{over['id']}/qr?link=join&origin=http://localhost"
    assert problem(anna.ask("GET", qr)) == (409, "taken")


def test_second_person_joins_by_link(anna: Person, ben: Person, carl: Person) -> None:
    game = anna.open("connect4", o="guest")
    path = f"/games/{game['id']}"
    assert (game["yours"], game["players"]["O"]["kind"]) == (["X"], "open")
    key = game["keys"]["join"]
    joined = ben.ask("POST", f"{path}/join", {"key": key}).json()
    assert (joined["yours"], joined["keys"]["join"]) == (["O"], None)
    assert ben.ask("POST", f"{path}/join", {"key": key}).json()["yours"] == ["O"]
    assert problem(carl.ask("POST", f"{path}/join", {"key": key})) == (409, "taken")
    game = anna.play(anna.get_json(path), "4")
    wait = anna.ask("POST", f"{path}/moves", {"version": game["version"], "move": "4"})
    assert problem(wait) == (409, "not-your-turn")
    redo = anna.ask("POST", f"{path}/redo", {"version": game["version"]})
    assert problem(redo) == (409, "shared")
    game = ben.play(ben.get_json(path), "4")
    assert game["moves"] == ["4", "4"]
    assert problem(ben.ask("DELETE", path)) == (409, "not-over")
    game = ben.change(game, "resign")
    assert game["sentence"] == "X wins: O resigned."
    offered = ben.ask("POST", f"{path}/rematch").json()
    assert (offered["id"], offered["offer"]) == (game["id"], {"kind": "rematch", "side": "O"})
    following = anna.ask("POST", f"{path}/rematch").json()
    assert following["yours"] == ["O"]
    assert ben.ask("POST", f"{path}/rematch").json()["id"] == following["id"]
    assert ben.ask("DELETE", path).status_code == 204
    assert problem(ben.ask("GET", path)) == (404, "not-found")
    assert anna.get_json(path)["result"] == "1-0"


def test_watch_key_allows_only_watching(anna: Person, carl: Person) -> None:
    game = anna.play(anna.open(o="me"), "5")
    path, key = f"/games/{game['id']}", {"noughts-key": game["keys"]["watch"]}
    seen = carl.get_json(path, headers=key)
    assert (seen["moves"], seen["yours"], seen["can"], seen["keys"]) == (["5"], [], [], None)
    body = {"version": game["version"]}
    move: dict[str, str] = {"move": "1"}
    changes = {"moves": move, "answers": move, "undo": {}, "redo": {}, "resign": {}}
    for what, more in changes.items():
        answer = carl.ask("POST", f"{path}/{what}", body | more, headers=key)
        assert problem(answer) == (403, "not-yours")
    assert problem(carl.ask("POST", f"{path}/rematch", headers=key)) == (403, "not-yours")
    assert problem(carl.ask("DELETE", path, headers=key)) == (403, "not-yours")
    join = carl.ask("POST", f"{path}/join", {"key": game["keys"]["watch"]})
    assert problem(join) == (403, "wrong-key")


@pytest.mark.parametrize("key", [None, "", "x", "x" * 22, "ключ".encode(), b"\xe9"])
def test_game_without_seat_or_key_is_not_found(
    anna: Person, carl: Person, key: str | bytes | None
) -> None:
    game = anna.open()
    headers = {} if key is None else {"noughts-key": key}
    answers = []
    for id_ in (game["id"], "A" * 16, "no such game", "x" * 500, "%00"):
        path = f"/games/{id_}"
        asked = [carl.ask("GET", path, headers=headers), carl.ask("DELETE", path, headers=headers)]
        offers = ("answers", "draw", "accept", "decline")
        for what in ("moves", "undo", "redo", "resign", "stop", "rematch", "join", "name", *offers):
            body: dict[str, Any] = {"version": 0}
            body |= {"move": "1"} if what in ("moves", "answers") else {}
            body |= {"name": "Eve"} if what == "name" else {}
            body = {"key": "wrong"} if what == "join" else body
            asked.append(carl.ask("POST", f"{path}/{what}", body, headers=headers))
        answers.append([(each.status_code, each.content) for each in asked])
        assert {problem(each) for each in asked} == {(404, "not-found")}
    assert all(each == answers[0] for each in answers)


def test_second_of_two_conflicting_moves_is_refused(anna: Person) -> None:
    game = anna.open(o="me")
    path = f"/games/{game['id']}/moves"
    assert anna.ask("POST", path, {"version": 0, "move": "5"}).status_code == 200
    assert problem(anna.ask("POST", path, {"version": 0, "move": "1"})) == (409, "conflict")
    assert anna.get_json(f"/games/{game['id']}")["moves"] == ["5"]


# Lists


def test_games_are_listed_only_for_their_players(tmp_path: Path) -> None:
    with people(tmp_path, 2) as (anna, ben):
        assert ben.get_json("/games") == {"games": [], "next": None}
        ids = [anna.open(rules, o="me")["id"] for rules in ("basic", "connect4", "ultimate")]
        listed = anna.get_json("/games")
        assert [each["id"] for each in listed["games"]] == ids[::-1]
        first = anna.get_json("/games", params={"count": 2})
        rest = anna.get_json("/games", params={"count": 2, "after": first["next"]})
        assert [each["id"] for each in first["games"] + rest["games"]] == ids[::-1]
        assert rest["next"] is None
        found = anna.get_json("/games", params={"search": "connect"})
        assert [each["id"] for each in found["games"]] == [ids[1]]
        assert ben.get_json("/games")["games"] == []
        assert anna.ask("DELETE", f"/games/{ids[0]}").status_code == 204
        assert problem(anna.ask("GET", f"/games/{ids[0]}")) == (404, "not-found")
        assert len(anna.get_json("/games")["games"]) == 2


def test_game_survives_a_restart(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        game = anna.play(anna.open(o="me"), "5", "1")
        cookie = anna.cookies["noughts"]
    with people(tmp_path) as (anna,):
        anna.cookies["noughts"] = cookie
        assert anna.play(anna.get_json(f"/games/{game['id']}"), "9")["moves"] == ["5", "1", "9"]
    database = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert game["id"].encode() in database
    assert cookie.encode() not in database


# Updates of a game


class Heard:
    """The game as a client sees it over its WebSocket."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.game: dict[str, Any] = {}
        self.sizes: list[int] = []

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first view that meets a condition; views before it may be merged."""
        while True:
            text = self.socket.receive_text()
            self.sizes.append(len(text))
            self.game = following(self.game, text)
            if wanted(self.game):
                return self.game


def test_updates_follow_a_game(anna: Person, ben: Person, carl: Person) -> None:
    game = anna.open(o="guest")
    path, keys = f"/api/v1/games/{game['id']}/live", game["keys"]
    by_key = f"{path}?key={keys['watch']}"
    with anna.websocket_connect(path) as first, carl.websocket_connect(by_key) as second:
        hers, onlookers = Heard(first), Heard(second)
        assert hers.until(lambda game: game["players"]["X"]["online"])["keys"] == keys
        assert onlookers.until(lambda game: game["players"]["X"]["online"])["keys"] is None
        ben.ask("POST", f"/games/{game['id']}/join", {"key": keys["join"]})
        for each in (hers, onlookers):
            joined = each.until(lambda game: game["version"] == 1)
            assert joined["players"]["O"]["name"] == "Guest"
        with ben.websocket_connect(path) as third:
            assert Heard(third).until(lambda _: True)["yours"] == ["O"]
            assert hers.until(lambda game: game["players"]["O"]["online"])
        assert hers.until(lambda game: not game["players"]["O"]["online"])
        anna.play(anna.get_json(f"/games/{game['id']}"), "5")
        for each in (hers, onlookers):
            assert each.until(lambda game: game["version"] == 2)["moves"] == ["5"]
        assert hers.game == anna.get_json(f"/games/{game['id']}")


def test_updates_cost_what_changed(anna: Person, carl: Person) -> None:
    game = anna.open("mnk:19,19,5", o="me")
    rng = random.Random(1)
    path = f"/api/v1/games/{game['id']}/live"
    with anna.websocket_connect(path) as first:
        hers = Heard(first)
        hers.until(lambda _: True)
        for _ in range(60):
            game = anna.play(game, rng.choice(list(game["position"]["moves"])))
            if rng.random() < 0.3:
                game = anna.change(game, "undo")
            if rng.random() < 0.3:
                body = {"version": game["version"], "path": game["moves"], "comment": "x" * 1_500}
                game = anna.ask("PUT", f"/games/{game['id']}/comments", body).json()
            assert hers.until(lambda view: view["version"] == game["version"]) == game  # noqa: B023
        whole = hers.sizes[0]
        del hers.sizes[:]
        by_key = f"{path}?key={game['keys']['watch']}"
        with carl.websocket_connect(by_key) as second:
            watching = Heard(second)
            watching.until(lambda _: True)
        anna.play(game, rng.choice(list(game["position"]["moves"])))
        seen = hers.until(lambda view: view["version"] > game["version"])
        assert len(hers.sizes) <= 2, "a visitor without a seat changes nothing that is shown"
        assert max(hers.sizes) < whole
        assert watching.sizes[0] > 2 * whole
    with anna.websocket_connect(f"{path}?have={seen['tag']}") as third:
        again = Heard(third)
        again.game = seen
        game = anna.play(seen, rng.choice(list(seen["position"]["moves"])))
        assert again.until(lambda view: view["version"] == game["version"]) == game
        assert max(again.sizes) < whole
    with carl.websocket_connect(f"{by_key}&have={seen['tag']}") as fourth:
        other = Heard(fourth)
        assert other.until(lambda _: True)["keys"] is None, "the tag is of a player's view"
    with anna.websocket_connect(f"{path}?have=nonsense") as fifth:
        assert Heard(fifth).until(lambda _: True)["moves"] == game["moves"]


def test_spectators_are_sent_the_deletion(anna: Person) -> None:
    game = anna.open(o="me")
    with anna.websocket_connect(f"/api/v1/games/{game['id']}/live") as socket:
        socket.receive_json()
        anna.ask("DELETE", f"/games/{game['id']}")
        assert socket.receive_json()["type"] == "urn:noughts:not-found"
        assert socket.receive()["code"] == 4404


@pytest.mark.parametrize("id_", ["A" * 16, "short", "%00"])
def test_updates_need_a_key(anna: Person, id_: str) -> None:
    with anna.websocket_connect(f"/api/v1/games/{id_}/live?key=%C3%A9") as socket:
        assert socket.receive_json()["type"] == "urn:noughts:not-found"
        assert socket.receive()["code"] == 4404


# Refusals


@pytest.mark.parametrize(
    ("method", "path", "body", "refusal"),
    [
        ("POST", "/games", {}, (422, "request")),
        ("POST", "/games", [], (422, "request")),
        ("POST", "/games", {"start": "checkers"}, (422, "notation")),
        ("POST", "/games", {"start": "mnk:3,3"}, (422, "notation")),
        ("POST", "/games", {"start": "mnk:21,20,5"}, (422, "notation")),
        ("POST", "/games", {"start": "basic~9~X"}, (422, "notation")),
        ("POST", "/games", {"start": "basic", "moves": "11"}, (422, "illegal-move")),
        ("POST", "/games", {"start": "basic", "moves": "1 2 3 4 5 6 7 8"}, (422, "illegal-move")),
        ("POST", "/games", {"start": "basic", "o": "stockfish"}, (422, "notation")),
        ("POST", "/games", {"start": "basic", "o": "minimax"}, (422, "notation")),
        ("POST", "/games", {"start": "basic", "o": "engine:level=11"}, (422, "notation")),
        ("POST", "/games", {"start": "basic", "o": "engine:seconds=1e9"}, (422, "notation")),
        ("POST", "/games", {"start": "basic", "o": "engine:seconds=nan"}, (422, "notation")),
        ("POST", "/games", {"start": "basic", "x": "guest", "o": "guest"}, (422, "request")),
        ("POST", "/games", {"start": "basic", "x": "guest", "o": "random"}, (422, "request")),
        ("POST", "/games", {"start": "x" * 20_001}, (422, "request")),
        ("GET", "/games?count=0", None, (422, "request")),
        ("GET", "/games?count=101", None, (422, "request")),
        ("GET", "/position", None, (422, "request")),
        ("GET", "/position?start=checkers", None, (422, "notation")),
        ("GET", "/position?start=basic&moves=55", None, (422, "illegal-move")),
        ("GET", "/position?start=basic&moves=%F0%9F%98%80", None, (422, "illegal-move")),
        ("GET", "/nothing", None, (404, "http")),
        ("PUT", "/games", {}, (405, "http")),
    ],
)
def test_refusals_are_problem_documents(
    anna: Person, method: str, path: str, body: Any, refusal: tuple[int, str]
) -> None:
    assert problem(anna.ask(method, path, body)) == refusal


@pytest.mark.parametrize(
    ("wanted", "refusal"),
    [
        ({"move": "0"}, (422, "illegal-move")),
        ({"move": "5"}, (422, "illegal-move")),
        ({"move": ""}, (422, "illegal-move")),
        ({"move": "a1"}, (422, "illegal-move")),
        ({"move": "٣"}, (422, "illegal-move")),
        ({"move": "1" * 201}, (422, "request")),
        ({"move": 1}, (422, "request")),
        ({"move": "1", "version": "1"}, (422, "request")),
        ({"move": "1", "version": 10**400}, (409, "conflict")),
        ({"move": "1", "version": True}, (422, "request")),
        ({"move": "1", "version": None}, (422, "request")),
        ({"move": "1", "side": "O"}, (422, "request")),
        ({}, (422, "request")),
        ({"move": "1", "version": -1}, (409, "conflict")),
    ],
)
def test_refused_moves_change_nothing(
    anna: Person, wanted: dict[str, Any], refusal: tuple[int, str]
) -> None:
    game = anna.play(anna.open(o="me"), "5")
    body = {"version": game["version"], **wanted}
    assert problem(anna.ask("POST", f"/games/{game['id']}/moves", body)) == refusal
    assert anna.get_json(f"/games/{game['id']}") == game


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b'{"start": NaN}',
        b'"x"',
        b"null",
        b'{"start": "\\ud800"}',
        b'{"start": "basic", "\\ud800": 1}',
    ],
)
def test_invalid_request_bodies_are_refused(anna: Person, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = anna.post("/api/v1/games", content=body, headers=headers)
    assert problem(answer)[0] in (400, 422)


# A game of the user's own


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Serve `examples/nim.py` beside the built-in games."""
    with games_restored():
        load(NIM)
        with people(tmp_path_factory.mktemp("nim")) as (person,):
            yield person


def test_own_game_is_listed_with_its_title_and_default_opponent(nim: Person) -> None:
    rules = nim.get_json("/rules")
    game = next(each for each in rules["games"] if each["name"] == "nim")
    assert (game["title"], game["default_opponent"], game["native"]) == ("Nim", "alphabeta", False)
    assert all(each["native"] for each in rules["games"] if each["name"] != "nim")


def test_own_game_shows_its_diagram_and_legal_moves(nim: Person) -> None:
    shown = nim.get_json("/position?start=nim&moves=c3")
    assert shown["board"]["kind"] == "text"
    assert shown["board"]["text"] == "a |||\nb ||||\nc ||"
    moves = ["a1", "a2", "a3", "b1", "b2", "b3", "b4", "c1", "c2"]
    assert shown["moves"] == {text: number for number, text in enumerate(moves)}
    assert (shown["last"], shown["state"]) == (None, "O to move")


@pytest.mark.parametrize("opponent", ["random", "alphabeta:depth=2", "mcts:seconds=0.1", "perfect"])
def test_opponents_play_an_own_game_to_its_end(nim: Person, opponent: str) -> None:
    game = settled(nim, nim.open("nim", x=opponent, o="me"))
    while not game["position"]["outcome"]:
        game = settled(nim, nim.play(game, next(iter(game["position"]["moves"]))))
        assert game["trouble"] is None
    position = noughts.game("nim").after(" ".join(game["moves"]))
    assert position.outcome() is not None
    if opponent == "perfect":  # The first player wins Nim with piles of 3, 4 and 5.
        assert game["result"] == "1-0"


def test_stopped_opponent_of_an_own_game_moves_at_once(
    nim: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.web.machine_moves.SLOWEST", 3_600.0)
    game = nim.open("nim", x="mcts:seconds=3000", o="me")
    answer = nim.ask("POST", f"/games/{game['id']}/stop", {"version": game["version"]})
    assert answer.status_code == 200
    assert len(settled(nim, game)["moves"]) == 1


def test_native_opponent_is_refused_for_an_own_game(nim: Person) -> None:
    answer = nim.ask("POST", "/games", {"start": "nim", "o": "engine:level=4"})
    assert problem(answer) == (422, "notation")


def test_own_game_is_analysed_and_explained_in_a_worker(nim: Person) -> None:
    line = {"start": "nim~1.2.3~X", "moves": ["c1"]}
    best = nim.ask("POST", "/analysis", line).json()
    values = {move: value["value"] for move, value in best["values"].items()}
    assert [move for move, value in values.items() if value == "win"] == ["a1"]
    assert nim.ask("POST", "/hint", line).json()["move"] == best["move"]
    points = nim.ask("POST", "/graph", line).json()["points"]
    assert [point["ply"] for point in points] == [0, 1]
    for path in ("/explain", "/review", "/replay"):
        assert nim.ask("POST", path, line).status_code == 200


def test_own_game_is_exported_as_text_without_a_picture(nim: Person) -> None:
    game = nim.play(nim.open("nim", o="me"), "a2")
    path = f"/games/{game['id']}/export?format="
    assert '[Game "nim"]' in nim.ask("GET", f"{path}text").text
    for kind in ("svg", "png"):
        answer = nim.ask("GET", path + kind)
        assert problem(answer) == (422, "request")
        assert answer.json()["detail"] == "Nim has no picture. Use the format text or json."


# Rules and refusals as data


def test_refusal_says_why_and_where_moves_are(anna: Person) -> None:
    asked = "/refusal?start=ultimate&moves=51&move="
    assert anna.get_json(f"{asked}11") == {"sentence": None, "boards": [], "cells": []}
    refused = anna.get_json(f"{asked}99")
    assert refused["sentence"] == "Play the top-left board: X played top left."
    assert (refused["boards"], refused["cells"]) == ([0], [])
    taken = anna.get_json("/refusal?start=connect4:4,4&moves=1111&move=1")
    assert taken["sentence"] == "Column 1 is full. Choose another column."
    assert taken["cells"] == [13, 14, 15]
    for wrong in ("start=chess&move=1", "start=basic&moves=5 5&move=1"):
        assert problem(anna.ask("GET", f"/refusal?{wrong}"))[0] == 422


@pytest.mark.parametrize("rules", RULES_IDS)
def test_lesson_of_any_rules_has_pictures(anna: Person, rules: str) -> None:
    lesson = anna.get_json(f"/lesson?rules={rules}")
    # A full board without two in a row is rare.
    is_small = rules.startswith(("mnk:1,1,1", "mnk:2,3,2", "mnk:4,3,2"))
    assert len(lesson["steps"]) == (2 if is_small else 3)
    assert bool(lesson["scenes"]) == rules.startswith(("advanced", "ultimate"))
    for step in lesson["steps"]:
        cells = step["picture"]["board"]["cells"]
        last = step["picture"]["last"]
        assert last is None or cells[last] != "."
    assert problem(anna.ask("GET", "/lesson?rules=chess"))[0] == 422


BUILT_IN = ("basic", "mnk", "connect4", "advanced", "ultimate")


def test_every_game_can_be_begun_with_one_click(anna: Person) -> None:
    games = anna.get_json("/rules")["games"]
    assert {each["name"] for each in games} >= set(BUILT_IN)
    for each in games:
        if each["name"] not in BUILT_IN:
            continue  # another test has registered it
        quick = each["quick"]
        game = anna.open(quick["rules"], o=quick["opponent"])
        assert game["can"] == ["move", "resign", "vary", "delete"]
        assert game["position"]["situation"]["X"].startswith("You begin: ")
        assert game["position"]["situation"]["-"].startswith("X begins: ")
        assert quick["picture"]["board"]["cells"].strip(".")
