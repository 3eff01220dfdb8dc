"""The API's analysis, explanations, rules, labs and replays, over WebSocket and HTTP."""

from __future__ import annotations

import itertools
import json
import random
import re
import socket as socket_module
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient
from patience import PATIENCE
from samples import SOME_RULES_IDS, random_position
from starlette.testclient import WebSocketTestSession

import noughts
from noughts.answers.rules import RulesView
from noughts.database.store import file_url
from noughts.engine import Engine
from noughts.games.registry import GAMES
from noughts.labs.claims import LABS
from noughts.labs.first_move import AGENTS
from noughts.labs.first_move import RULES as NESTED_RULES
from noughts.levels import LEVELS
from noughts.search import minimax, solve_all
from noughts.search.recording import Recording
from noughts.search.trace import record
from noughts.views.replay import replay_data
from noughts.web import analysis_api
from noughts.web.analysis_api import Outbox
from noughts.web.app import create_app
from noughts.web.settings import Settings

API = "/api/v1"
Answer = dict[str, Any]


def served(folder: Path, **settings: Any) -> TestClient:
    url = file_url(str(folder / "games.db"))
    patient = {"explain_seconds": PATIENCE, **settings}
    return TestClient(create_app(url, limits=None, settings=Settings(**patient)))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("analysis")) as client:
        yield client


@pytest.fixture
def socket(client: TestClient) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(f"{API}/analysis") as socket:
        yield socket


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server whose analyses end soon, and which reads the progress of tasks often."""
    folder = tmp_path_factory.mktemp("brief")
    with served(folder, analysis_seconds=0.2, progress_seconds=0.01) as client:
        yield client


@pytest.fixture
def brief_socket(brief: TestClient) -> Iterator[WebSocketTestSession]:
    with brief.websocket_connect(f"{API}/analysis") as socket:
        yield socket


numbers = itertools.count(1)


def ask(socket: WebSocketTestSession, do: str, **question: Any) -> int:
    id_ = next(numbers)
    socket.send_json({"do": do, "id": id_, **question})
    return id_


def answers(
    socket: WebSocketTestSession, until: Callable[[Answer], bool] | None = None
) -> list[Answer]:
    """Return the messages up to the one that ends the answer, or a problem."""
    heard: list[Answer] = []
    while not heard or not (heard[-1]["kind"] == "problem" or (until and until(heard[-1]))):
        heard.append(socket.receive_json())
    return heard


def last(socket: WebSocketTestSession, id_: int, kind: str) -> Answer:
    *_, answer = answers(
        socket,
        lambda answer: answer["id"] == id_ and answer["kind"] == kind and answer.get("done", True),
    )
    assert (answer["id"], answer["kind"]) == (id_, kind), answer
    return answer


# Analysis


@pytest.mark.parametrize("rules", SOME_RULES_IDS)
def test_every_move_has_a_value_and_a_line(brief_socket: WebSocketTestSession, rules: str) -> None:
    position = random_position(noughts.game(rules), random.Random(rules))
    id_ = ask(brief_socket, "analyse", start=str(position))
    heard = answers(brief_socket, lambda answer: bool(answer["done"]))
    assert {(answer["id"], answer["kind"]) for answer in heard} == {(id_, "values")}
    depths = [answer["depth"] for answer in heard]
    assert depths == sorted(depths), "results improve"
    view = heard[-1]
    texts = {position.move_text(move) for move in position.legal_moves()}
    assert set(view["values"]) == set(view["lines"]) == texts
    assert view["position"] == str(position)
    assert view["nodes"] > 0
    for text, line in view["lines"].items():
        assert line[0] == text
        assert noughts.parse_moves(position, " ".join(line))
    best = view["values"][view["move"]]
    assert best == view["value"]
    for each in view["values"].values():
        given = {"value", "plies", "estimate", "text", "tone"}
        assert set(each) == given | {"chance", "moves", "mark", "words"}
        assert (each["estimate"] is None) == (each["value"] != "unknown")
        proven = {"win": 100, "draw": 50, "loss": 0}
        expected = proven.get(each["value"], 50 + 50 * (each["estimate"] or 0))
        assert abs(each["chance"] - expected) <= 1


def test_analysis_ends_when_everything_is_proven(socket: WebSocketTestSession) -> None:
    true = solve_all(noughts.game("basic"))
    for moves in ([], ["1"], ["5", "2"], ["1", "5", "9"]):
        view = last(socket, ask(socket, "analyse", start="basic", moves=moves), "values")
        position = noughts.game("basic")
        for text in moves:
            position = position.play(position.parse_move(text))
        for move in position.legal_moves():
            value = true[position.play(move)].for_mover
            shown = view["values"][position.move_text(move)]
            assert (shown["value"], shown["plies"]) == (value.kind, value.plies)


def test_finished_game_has_a_value_and_no_moves(socket: WebSocketTestSession) -> None:
    moves = ["1", "4", "2", "5", "3"]
    view = last(socket, ask(socket, "analyse", start="basic", moves=moves), "values")
    assert (view["move"], view["values"], view["lines"]) == (None, {}, {})
    assert view["value"]["value"] == "loss"


def test_new_request_replaces_one_of_the_same_kind(
    socket: WebSocketTestSession,
) -> None:
    first = ask(socket, "analyse", start="ultimate")
    answers(socket, lambda answer: answer["depth"] > 1)
    second = ask(socket, "analyse", start="basic")
    heard = answers(socket, lambda answer: answer["id"] == second and answer["done"])
    order = [answer["id"] for answer in heard]
    assert order == sorted(order), "no result of the replaced request follows"
    assert not any(answer["done"] for answer in heard if answer["id"] == first)


def test_stop_ends_one_request_or_all(client: TestClient, socket: WebSocketTestSession) -> None:
    pool = client.app.state.pool  # type: ignore[attr-defined]
    for of in (True, False):
        id_ = ask(socket, "analyse", start="ultimate")
        answers(socket, lambda answer: answer["depth"] > 1)
        ask(socket, "stop", **({"of": id_} if of else {}))
        until = time.monotonic() + PATIENCE
        while pool._running:
            assert time.monotonic() < until
            time.sleep(0.02)


def test_search_ends_when_its_client_disconnects(client: TestClient) -> None:
    pool = client.app.state.pool  # type: ignore[attr-defined]
    with client.websocket_connect(f"{API}/analysis") as socket:
        ask(socket, "analyse", start="ultimate")
        answers(socket, lambda answer: answer["depth"] > 1)
        assert pool._running
    until = time.monotonic() + PATIENCE
    while pool._running:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_graph_has_a_point_for_every_ply(socket: WebSocketTestSession) -> None:
    moves = ["4", "4", "3", "5", "2"]  # X threatens 1; 2, 3 and 4 in a row block.
    id_ = ask(socket, "graph", start="connect4", moves=moves)
    heard = answers(socket, lambda answer: answer["kind"] == "graph_done")
    points = {answer["ply"]: answer for answer in heard if answer["kind"] == "point"}
    assert sorted(points) == [0, 1, 2, 3, 4, 5]
    assert {answer["id"] for answer in heard} == {id_}
    for point in points.values():
        assert -1 <= point["score"] <= 1
        if point["value"]["estimate"] is not None:
            assert point["score"] == point["value"]["estimate"]


def test_graph_values_are_for_x(socket: WebSocketTestSession) -> None:
    moves = ["1", "2", "5", "3", "9"]  # X wins
    ask(socket, "graph", start="basic", moves=moves)
    heard = answers(socket, lambda answer: answer["kind"] == "graph_done")
    points = {answer["ply"]: answer for answer in heard if answer["kind"] == "point"}
    assert [points[ply]["score"] for ply in range(6)] == [0, 0, 1, 1, 1, 1]
    assert [points[ply]["value"]["text"] for ply in (3, 4)] == ["W 4", "W 1"]


def test_slow_clients_get_only_the_latest_result() -> None:
    outbox = Outbox()
    for depth in range(10_000):
        outbox.put({"id": 1, "depth": depth}, "values")
    outbox.put({"id": 2})
    assert list(outbox._waiting.values()) == [{"id": 1, "depth": 9_999}, {"id": 2}]
    assert not outbox.is_full
    for _ in range(analysis_api.MAX_UNSENT):
        outbox.put({"id": 3})
    assert outbox.is_full
    outbox.drop(3)
    assert not outbox.is_full


# Explanations


def test_explain_gives_reasons_with_proofs(socket: WebSocketTestSession) -> None:
    position = noughts.position("basic~XX1.OO1.3~X")
    why = last(socket, ask(socket, "explain", start=str(position), move="7"), "why")
    assert [said["text"] for said in why["sentences"]] == [
        "7 leaves O's line 4 5 6 open: O wins at once with 6.",
        "7 turns a win into an immediate loss; 3 wins at once.",
    ]
    for said in why["sentences"]:
        for line in said["lines"]:
            assert noughts.parse_moves(position, " ".join(line))
    assert why["sentences"][1]["value"]["text"] == "L 2"


def test_hint_is_the_best_move_with_its_reason(socket: WebSocketTestSession) -> None:
    hint = last(socket, ask(socket, "hint", start="basic~XX1.OO1.3~X"), "hint")
    assert (hint["move"], hint["value"]["text"]) == ("3", "W 1")
    (said,) = hint["sentences"]
    assert said["text"] == "Play top right: it wins with the top row."
    assert said["claim"] == "play-place"
    assert said["sketch"] == {"move": 2, "player": "X", "rings": [], "sends": None}


def test_hint_says_the_threat_first(socket: WebSocketTestSession) -> None:
    hint = last(socket, ask(socket, "hint", start="basic~XX1.1O1.3~O"), "hint")
    threat, move, value = hint["sentences"]
    assert threat["text"] == "X threatens the top row."
    assert threat["sketch"] == {"move": None, "player": "X", "rings": [2], "sends": None}
    assert move["text"] == "Play top right: it blocks that line."
    assert value["text"] == "It is the only move that does not lose."
    assert hint["value"]["value"] == "draw"


def test_judging_a_move_does_not_show_the_answer(socket: WebSocketTestSession) -> None:
    bad = last(socket, ask(socket, "try", start="basic", moves=["1"], move="2"), "tried")
    assert not any("5" in said["text"] for said in bad["sentences"]), "only 5 is good"
    remarks = last(socket, ask(socket, "review", start="basic", moves=["1", "2"]), "review")
    _, error = remarks["remarks"]
    assert (error["error"], error["good"]) == (True, ["5"])


@pytest.mark.parametrize("rules", ["basic", "connect4:4,4", "advanced"])
def test_review_comments_on_every_move(socket: WebSocketTestSession, rules: str) -> None:
    rng, position = random.Random(rules), noughts.game(rules)
    moves: list[str] = []
    while position.outcome() is None and len(moves) < 8:
        move = rng.choice(list(position.legal_moves()))
        moves.append(position.move_text(move))
        position = position.play(move)
    id_ = ask(socket, "review", start=rules, moves=moves)
    review = last(socket, id_, "review")
    assert [remark["move"] for remark in review["remarks"]] == moves
    assert [remark["ply"] for remark in review["remarks"]] == list(range(1, len(moves) + 1))
    for remark in review["remarks"]:
        assert {"value", "text", "tone"} <= set(remark["before"])
        assert remark["error"] == (remark["label"] in ("mistake", "blunder", "inaccuracy"))
    counted = [sum(review["summary"][side]["labels"].values()) for side in "XO"]
    assert counted == [(len(moves) + 1) // 2, len(moves) // 2]


def test_lab_reports_progress(brief_socket: WebSocketTestSession) -> None:
    options = {"games": 2, "depth": 1, "seed": 1}
    id_ = ask(brief_socket, "lab", lab="first-move", options=options)
    heard = answers(brief_socket, lambda answer: answer["kind"] == "report")
    told = [(answer["done"], answer["of"]) for answer in heard if answer["kind"] == "progress"]
    assert told == sorted(told)
    assert told[-1][1] == 2 * len(NESTED_RULES) * len(AGENTS)
    report = heard[-1]
    assert report["id"] == id_
    assert report["data"] == json.loads(json.dumps(LABS["first-move"](**options).data))


# Refusals


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ({"do": "analyse", "start": "chess"}, "notation"),
        ({"do": "analyse", "start": "basic~XX7~X"}, "notation"),
        ({"do": "analyse", "start": "((3 12) (2 4))"}, "notation"),
        ({"do": "analyse", "start": "basic", "moves": ["5", "5"]}, "illegal-move"),
        ({"do": "analyse", "start": "basic", "moves": ["a"] * 401}, "request"),
        ({"do": "analyse", "start": "basic", "color": "red"}, "request"),
        ({"do": "dance", "start": "basic"}, "request"),
        ({"do": "analyse"}, "notation"),
        ({"do": "explain", "start": "basic", "moves": ["1", "4", "2", "5", "3"]}, "request"),
        ({"do": "explain", "start": "basic", "move": "0"}, "illegal-move"),
        ({"do": "try", "start": "basic"}, "illegal-move"),
        ({"do": "hint", "start": "basic", "moves": ["1", "4", "2", "5", "3"]}, "request"),
        ({"do": "review", "start": "mnk:3,3,9"}, "notation"),
        ({"do": "lab", "lab": "physics"}, "not-found"),
        ({"do": "lab", "lab": "counts", "options": {"depth": 3}}, "request"),
        ({"do": "lab", "lab": "prune", "options": {"tree": "((3"}}, "notation"),
        ({"do": "lab", "lab": "prune", "options": {"branching": 16, "depth": 8}}, "request"),
        ({"do": "lab", "lab": "prune", "options": {"depth": 0}}, "request"),
    ],
)
def test_unanswerable_request_gets_a_problem(
    socket: WebSocketTestSession, question: Any, kind: str
) -> None:
    id_ = next(numbers)
    socket.send_json({"id": id_} | question)
    *_, problem = answers(socket)
    assert (problem["id"], problem["kind"]) == (id_, "problem")
    assert problem["type"] == f"urn:noughts:{kind}"
    assert (
        problem["detail"][0].isupper() or problem["detail"][0].isdigit() or ":" in problem["detail"]
    )
    assert problem["detail"].endswith((".", "?"))


@pytest.mark.parametrize("text", ["", "x", "[]", "{}", "null", '{"id": "a"}', "[" * 100_000])
def test_invalid_request_gets_a_problem_and_stops_nothing(
    socket: WebSocketTestSession, text: str
) -> None:
    socket.send_text(text)
    (problem,) = answers(socket)
    assert (problem["id"], problem["status"]) == (None, 422)
    socket.send_bytes(b"\xff")
    assert answers(socket)[0]["kind"] == "problem"
    assert last(socket, ask(socket, "analyse", start="basic"), "values")["done"]


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    with served(tmp_path, tasks_of_one=0) as client:
        answer = client.post(f"{API}/explain", json={"start": "basic"})
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert answer.json()["type"] == "urn:noughts:busy"


def test_slow_task_is_stopped(tmp_path: Path) -> None:
    with served(tmp_path, lab_seconds=0.3) as client:
        answer = client.post(f"{API}/labs/heuristic", json={})
        assert (answer.status_code, answer.json()["type"]) == (503, "urn:noughts:too-long")
        answer = client.post(f"{API}/explain", json={"start": "basic"})
        assert answer.status_code == 200, "other clients get a process"


# The same over HTTP


def test_http_gives_the_same_answers(client: TestClient) -> None:
    line = {"start": "basic", "moves": ["1", "2"]}
    view = client.post(f"{API}/analysis", json=line | {"seconds": 5}).json()
    assert view["done"]
    assert view["values"]["5"]["text"] == "W 5"
    points = client.post(f"{API}/graph", json=line).json()["points"]
    assert [point["score"] for point in points] == [0, 0, 1]
    why = client.post(f"{API}/explain", json=line).json()
    assert why["sentences"][0]["text"].startswith("X to move wins in 3 moves")
    hint = client.post(f"{API}/hint", json=line).json()
    assert hint["value"]["text"] == "W 5"
    review = client.post(f"{API}/review", json=line).json()
    assert [remark["label"] for remark in review["remarks"]] == ["best", "blunder"]


def test_http_analysis_keeps_its_time_limit(client: TestClient) -> None:
    wanted = {"start": "ultimate", "seconds": 0.2}
    view = client.post(f"{API}/analysis", json=wanted).json()
    assert view["done"]
    assert view["seconds"] > 0.1
    for seconds in (0, -1, 11, "x"):
        answer = client.post(f"{API}/analysis", json=wanted | {"seconds": seconds})
        assert answer.status_code == 422


# Rules


def rules_of(client: TestClient) -> RulesView:
    rules: RulesView = client.get(f"{API}/rules").json()
    return rules


def test_form_makes_valid_rules_ids(client: TestClient) -> None:
    made = set()
    for game in rules_of(client)["games"]:
        sizes = [str(size["default"]) for size in game["sizes"]]
        for chosen in itertools.product(*(option["values"] for option in game["options"])):
            words = [*sizes, *(value["text"] for value in chosen if value["text"])]
            rules = f"{game['name']}:{','.join(words)}" if words else game["name"]
            made.add(noughts.game(rules).rules_id)
    assert {name.partition(":")[0] for name in made} == {
        name for name in GAMES if name in ("basic", "mnk", "connect4", "advanced", "ultimate")
    }
    variants = {"connect4", "advanced:full=draw", "ultimate:tie=boards,won=open"}
    assert variants | {"mnk:15,15,5,exact,misere", "ultimate", "basic"} <= made


def test_sizes_have_the_bounds_of_the_rules(client: TestClient) -> None:
    for game in rules_of(client)["games"]:
        for place, size in enumerate(game["sizes"]):
            for number, legal in (
                (size["least"], True),
                (size["most"], True),
                (size["least"] - 1, False),
                (size["most"] + 1, False),
            ):
                sizes = [each["default"] for each in game["sizes"]]
                sizes[place] = number
                for other, each in enumerate(game["sizes"]):
                    # A line must fit on the board.
                    if each["within"] and other != place:
                        sizes[other] = 1
                    if size["within"] and each["name"] in size["within"] and number <= each["most"]:
                        sizes[other] = max(number, 1)
                rules = f"{game['name']}:{','.join(map(str, sizes))}"
                if legal:
                    assert noughts.game(rules)
                else:
                    with pytest.raises(noughts.NotationError):
                        noughts.game(rules)


def test_every_opponent_in_the_form_plays(client: TestClient) -> None:
    rules = rules_of(client)
    assert [level["level"] for level in rules["levels"]] == list(LEVELS)
    assert len({level["sentence"] for level in rules["levels"]}) == len(LEVELS)
    for opponent in rules["opponents"]:
        for number in {opponent["least"], opponent["most"], opponent["default"]}:
            text = opponent["text"].format("" if number is None else f"{number:g}")
            answer = client.post(f"{API}/games", json={"start": "basic", "o": text})
            # The others are for a user's own games.
            expected = 422 if opponent["native"] is False else 201
            assert answer.status_code == expected, answer.text
        if opponent["most"] is not None:
            text = opponent["text"].format(f"{opponent['most'] + 1:g}")
            answer = client.post(f"{API}/games", json={"start": "basic", "o": text})
            assert answer.status_code == 422


# Labs and replays


def test_labs_list_their_options(client: TestClient) -> None:
    labs = {lab["name"]: lab for lab in client.get(f"{API}/labs").json()["labs"]}
    assert list(labs) == list(LABS)
    assert [option["name"] for option in labs["prune"]["options"]] == [
        "tree",
        "first",
        "branching",
        "depth",
        "seed",
    ]
    assert labs["counts"]["options"] == []
    for lab in labs.values():
        for option in lab["options"]:
            for bound, step in (("least", -1), ("most", 1)):
                if option[bound] is not None:
                    wanted = {option["name"]: option[bound] + step}
                    answer = client.post(f"{API}/labs/{lab['name']}", json=wanted)
                    assert answer.status_code == 422


def test_lab_returns_its_report(client: TestClient) -> None:
    given = {"tree": "((3 12 8) (2 4 6) (14 5 2))", "first": "min"}
    report = client.post(f"{API}/labs/prune", json=given).json()
    own = LABS["prune"](**given)
    assert report["rows"] == [list(row) for row in own.rows]
    assert (report["claim"], report["picture"]) == (own.claim, own.picture)
    assert client.post(f"{API}/labs/physics", json={}).status_code == 404


def test_replay_returns_the_data_of_the_viewer(client: TestClient) -> None:
    start = noughts.position("basic~XOX.XOO.1X1~O")
    wanted = {"start": str(start), "algorithms": ["minimax", "alphabeta"]}
    answer = client.post(f"{API}/replay", json=wanted)
    assert answer.headers["content-type"] == "application/json"
    data = answer.json()
    recording = Recording()
    record(minimax, start, write=recording)
    own = json.loads(json.dumps(replay_data([recording])))
    assert data["position"] == own["position"]
    assert [search["name"] for search in data["searches"]] == ["Minimax", "Alpha-beta"]
    assert data["searches"][0]["nodes"] == own["searches"][0]["nodes"]


def test_replay_of_a_large_search_is_truncated(client: TestClient) -> None:
    wanted = {"start": "basic", "moves": ["5"], "algorithms": ["minimax"]}
    answer = client.post(f"{API}/replay", json=wanted)
    (search,) = answer.json()["searches"]
    assert search["told"] == 5_000
    assert search["searched"] > 5_000
    assert len(answer.content) < 4_000_000


def test_replay_as_a_single_page(client: TestClient) -> None:
    query = {"start": "connect4", "moves": "4 4", "algorithm": ["alphabeta:depth=2", "mcts"]}
    answer = client.get(f"{API}/replay.html", params=query)
    assert answer.text.startswith("<!doctype html>")
    assert answer.headers["content-disposition"] == 'attachment; filename="replay-connect4.html"'


@pytest.mark.parametrize(
    "wanted",
    [
        {"start": "basic", "algorithms": []},
        {"start": "basic", "algorithms": ["minimax"] * 3},
        {"start": "basic", "algorithms": ["engine"]},
        {"start": "basic", "algorithms": ["minimax:depth=x"]},
        {"start": "basic", "moves": ["1", "4", "2", "5", "3"]},
        {"start": "nim"},
    ],
)
def test_invalid_replay_is_refused(client: TestClient, wanted: Any) -> None:
    answer = client.post(f"{API}/replay", json=wanted)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def test_page_values_equal_engine_values(client: TestClient) -> None:
    position = noughts.position("connect4:4,4~4.1X2.1O2.1X1O~X")
    true = Engine(position.rules_id).best_move(position, moves=True)
    wanted = {"start": str(position), "seconds": 10}
    view = client.post(f"{API}/analysis", json=wanted).json()
    assert {text: each["text"] for text, each in view["values"].items()} == {
        position.move_text(move): str(value) for move, value in true.moves.items()
    }


# Clients that disconnect


def test_http_search_ends_when_its_client_disconnects(tmp_path: Path) -> None:
    app = create_app(file_url(str(tmp_path / "games.db")), limits=None)
    listening = socket_module.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=5))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        until = time.monotonic() + PATIENCE
        while not server.started:
            assert time.monotonic() < until
            time.sleep(0.02)
        address = listening.getsockname()
        body = json.dumps({"start": "ultimate", "seconds": 10})
        head = f"POST {API}/analysis HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket_module.create_connection(address) as connection:
            connection.sendall((head + body).encode())
            while not app.state.pool._running:
                assert time.monotonic() < until
                time.sleep(0.02)
            (turn,) = app.state.pool._running
        while turn in app.state.pool._running:
            assert time.monotonic() < until
            time.sleep(0.02)
        assert turn.work.result.seconds < 9, "the search ended early"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()


WON = "58 89 91 16 69 96 66 63 39 98 86 62 23 35 57 79 92 27 72 22 29 93 38 88 81 15 59 99 71 13"
"""Moves of `ultimate` after which the mover wins, which a short search does not prove."""


@pytest.mark.parametrize(
    "task", ["explain", pytest.param("hint", marks=pytest.mark.soak), "review"]
)
def test_analysis_knows_the_proofs_of_sentences(tmp_path: Path, task: str) -> None:
    played = WON.split()
    start, moves = noughts.game("ultimate").after(" ".join(played[:-2])), played[-2:]
    line = {"start": str(start), "moves": moves}
    asked = {**line, "seconds": 0.001}
    with served(tmp_path) as client:
        before = client.post(f"{API}/analysis", json=asked).json()
        assert before["value"]["value"] == "unknown"
        reviewed = {**line, "moves": [*moves, before["move"]]}
        answer = client.post(f"{API}/{task}", json=reviewed if task == "review" else line).json()
        assert "proofs" not in answer
        after = client.post(f"{API}/analysis", json=asked).json()
        points = client.post(f"{API}/graph", json=line).json()["points"]
    if task == "review":
        assert answer["remarks"][-1]["proven"]
        assert answer["remarks"][-1]["before"] == after["value"]
    assert after["value"]["value"] == "win"
    assert points[-1]["value"]["value"] == "win"
    sentences = [] if task == "review" else answer["sentences"]
    assert not any("%" in each["text"] for each in sentences)
    for each in sentences:
        if found := re.fullmatch(r"(\d\d) loses.*", each["text"]):
            assert after["values"][found[1]]["value"] == "loss"
