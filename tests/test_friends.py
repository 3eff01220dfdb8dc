"""Two people on the API: names, clocks, offers, links. Time is simulated."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2 as httpx
import pytest
import segno
from patience import PATIENCE
from serving import serving
from web import API, Person, people, problem

import noughts
from noughts.games.record import parse_text
from noughts.web import clocks
from noughts.web.clocks import GameClock, parse_control

FAST = {"clock": "60+2"}


class Time:
    """The server's time, in seconds since 1970; it stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = time.time()


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Time:
    simulated = Time()
    monkeypatch.setattr(clocks, "now", lambda: simulated.now)
    # Where the machine stalls, the simulated time has stood still already.
    monkeypatch.setattr(clocks, "STALL", float("inf"))
    return simulated


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Person]]:
    with people(tmp_path_factory.mktemp("friends"), 3) as found:
        yield found


@pytest.fixture
def pair(three: list[Person]) -> tuple[Person, Person]:
    return three[0], three[1]


def joined(anna: Person, ben: Person, *line: str, guest: str = "", **wanted: Any) -> dict[str, Any]:
    """Return a game of two people after some moves, as Anna (X) sees it."""
    game = anna.open(o="guest", **wanted)
    key = {"key": game["keys"]["join"], "name": guest}
    assert ben.ask("POST", f"/games/{game['id']}/join", key).status_code == 200
    for number, move in enumerate(line):
        moved(ben if number % 2 else anna, game, move)
    return current(anna, game)


def current(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = person.get_json(f"/games/{game['id']}")
    return found


def moved(person: Person, game: dict[str, Any], move: str) -> dict[str, Any]:
    return person.play(current(person, game), move)


def asked(person: Person, game: dict[str, Any], what: str, **more: Any) -> dict[str, Any]:
    """Send a change to the present version of a game, which must be accepted."""
    return person.change(current(person, game), what, **more)


def refused(person: Person, game: dict[str, Any], what: str, **more: Any) -> tuple[int, str]:
    body = {"version": current(person, game)["version"], **more}
    return problem(person.ask("POST", f"/games/{game['id']}/{what}", body))


def over(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    """Return a game once it is over, without a request that could end it."""
    end = time.monotonic() + PATIENCE
    while (found := current(person, game))["result"] == "*":
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


# Names


def test_names_are_shown_to_the_others_and_recorded(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = joined(anna, ben, name="Anna\u202e  B.", guest="Ben")
    assert game["players"]["X"]["name"] == "You"
    assert game["players"]["X"]["given"] == "Anna B."
    assert game["players"]["O"]["name"] == "Ben"
    assert current(ben, game)["players"]["X"]["name"] == "Anna B."
    game = asked(ben, game, "name", name="  Benjamin ")
    assert current(anna, game)["players"]["O"]["name"] == "Benjamin"
    exported = anna.ask("GET", f"/games/{game['id']}/export", params={"format": "text"})
    (record,) = parse_text(exported.text)
    assert (record.tags["X"], record.tags["O"]) == ("Anna B.", "Benjamin")
    found = anna.get_json("/games", params={"search": "benjamin"})["games"]
    assert [(each["id"], each["x"], each["o"]) for each in found] == [
        (game["id"], "You", "Benjamin")
    ]
    asked(ben, game, "name", name="\u200b")
    assert current(anna, game)["players"]["O"]["name"] == "Guest"


def test_long_name_is_refused(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    answer = anna.ask("POST", "/games", {"start": "basic", "name": "x" * 25})
    assert problem(answer) == (422, "request")
    assert refused(ben, joined(anna, ben), "name", name="x" * 25) == (422, "request")


# Clocks


@pytest.mark.parametrize("clock", ["3", "180+2", "0.5+200", "10801", "60+181", "x", "0"])
def test_clock_is_checked(pair: tuple[Person, Person], clock: str) -> None:
    answer = pair[0].ask("POST", "/games", {"start": "basic", "o": "guest", "clock": clock})
    if clock in ("3", "180+2"):
        assert answer.json()["clock"]["seconds"] == float(clock.partition("+")[0])
    else:
        assert problem(answer) == (422, "notation")
        assert answer.json()["field"] == "CLOCK"


def test_machine_has_no_clock(pair: tuple[Person, Person]) -> None:
    wanted = {"start": "basic", "o": "engine:level=1", "clock": "60"}
    assert problem(pair[0].ask("POST", "/games", wanted)) == (422, "request")


def test_clock_runs_after_the_first_move_of_each_side(
    pair: tuple[Person, Person], now: Time
) -> None:
    anna, ben = pair
    game = anna.open(o="guest", **FAST)
    clock = {"seconds": 60, "increment": 2, "x": 60, "o": 60, "running": None}
    assert game["clock"] == clock
    now.now += 1000
    ben.ask("POST", f"/games/{game['id']}/join", {"key": game["keys"]["join"]})
    now.now += 1000
    assert moved(anna, game, "1")["clock"] == clock
    now.now += 1000
    assert moved(ben, game, "5")["clock"] == clock | {"running": "X"}
    now.now += 20
    assert current(ben, game)["clock"] == clock | {"x": 40, "running": "X"}
    assert moved(anna, game, "2")["clock"] == clock | {"x": 42, "running": "O"}
    now.now += 5.5
    assert moved(ben, game, "3")["clock"] == clock | {"x": 42, "o": 56.5, "running": "X"}
    now.now += 2
    over_ = asked(anna, game, "resign")
    assert over_["clock"] == clock | {"x": 40, "o": 56.5, "running": None}


def test_flag_falls_without_a_request(pair: tuple[Person, Person], now: Time) -> None:
    anna, ben = pair
    game = joined(anna, ben, "1", "5", **FAST)
    path = f"{API}/games/{game['id']}/live"
    with ben.websocket_connect(path) as socket:
        assert socket.receive_json()["clock"]["running"] == "X"
        now.now += 60.5
        heard = socket.receive_json()
        end = heard.get("values", heard)
        assert (end["result"], end["termination"]) == ("0-1", "time forfeit")
        assert end["sentence"] == "O wins: X ran out of time."
        assert (end["clock"]["x"], end["clock"]["running"]) == (0, None)
    assert problem(
        anna.ask("POST", f"/games/{game['id']}/moves", {"version": game["version"], "move": "2"})
    ) == (409, "conflict")
    exported = anna.ask("GET", f"/games/{game['id']}/export", params={"format": "text"})
    (record,) = parse_text(exported.text)
    assert (record.result, record.termination) == ("0-1", "time forfeit")
    assert record.tags["Control"] == "clock=60+2"


def test_late_move_is_refused_though_the_flag_has_not_fallen(
    tmp_path: Path, now: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "TICK", 1e6)
    with people(tmp_path, 2) as (anna, ben):
        game = joined(anna, ben, "1", "5", **FAST)
        now.now += 59.9
        game = moved(anna, game, "2")
        now.now += 60
        body = {"version": game["version"], "move": "3"}
        assert problem(ben.ask("POST", f"/games/{game['id']}/moves", body)) == (409, "conflict")
        assert current(anna, game)["sentence"] == "X wins: O ran out of time."


def test_flag_of_two_people_at_one_browser_stays_down(
    pair: tuple[Person, Person], now: Time
) -> None:
    anna, _ = pair
    game = anna.play(anna.open(o="me", **FAST), "1", "5")
    now.now += 10
    game = anna.change(game, "undo")
    assert game["clock"] == {"seconds": 60, "increment": 2, "x": 50, "o": 60, "running": None}
    game = anna.play(game, "5")
    now.now += 51
    game = over(anna, game)
    assert game["termination"] == "time forfeit"
    assert "undo" not in game["can"]
    assert refused(anna, game, "undo") == (409, "over")


def test_no_clock_stays_after_its_game(pair: tuple[Person, Person], now: Time) -> None:
    anna, ben = pair
    flags = anna.app.state.games._flags  # type: ignore[attr-defined]
    games = [joined(anna, ben, "1", "5", **FAST) for _ in range(4)]
    assert len(flags) >= 4
    asked(anna, games[0], "resign")
    asked(anna, games[1], "draw")
    asked(ben, games[1], "accept")
    for move in ("2", "9", "3"):
        moved(ben if move == "9" else anna, games[2], move)
    now.now += 100
    assert [over(anna, game)["termination"] for game in games] == [
        *("resignation", "by agreement", "line", "time forfeit")
    ]
    assert len(flags) == 0


def claim(person: Person) -> None:
    """Give the application a generation, so that the next one knows that it has ended."""
    person.app.state.store.claim()  # type: ignore[attr-defined]


@contextmanager
def reopened(folder: Path, before: list[Person]) -> Iterator[list[Person]]:
    """Run the application again on its database, with the same people."""
    with people(folder, len(before)) as again:
        claim(again[0])
        for person, old in zip(again, before, strict=True):
            person.cookies = old.cookies
        yield again


def test_restart_charges_nobody(tmp_path: Path, now: Time) -> None:
    with people(tmp_path, 2) as before:
        anna, ben = before
        claim(anna)
        game = joined(anna, ben, "1", "5", **FAST)
        now.now += 25
        game = moved(anna, game, "2")
        now.now += 30
    with reopened(tmp_path, before) as (anna, ben):
        now.now = time.time()  # That of the store, which another server has read.
        clock = current(ben, game)["clock"]
        assert (clock["x"], clock["running"]) == (37, "O")
        # The store's time was a little earlier, on a slow machine some seconds.
        assert clock["o"] == pytest.approx(60, abs=10)
        left = clock["o"]
        now.now += 20
        game = moved(ben, game, "3")
        assert game["clock"]["o"] == pytest.approx(left - 18, abs=0.1)
        now.now += 40
        assert over(ben, game)["sentence"] == "O wins: X ran out of time."


def test_game_that_left_the_memory_runs_out_of_time(tmp_path: Path, now: Time) -> None:
    with people(tmp_path, 2) as (anna, ben):
        game = joined(anna, ben, "1", "5", **FAST)
        games = anna.app.state.games  # type: ignore[attr-defined]
        games._open.clear()
        now.now += 61
        end = time.monotonic() + PATIENCE
        while not (game["id"] in games._open and games._open[game["id"]].round.is_over):
            assert time.monotonic() < end
            time.sleep(0.05)
        assert current(ben, game)["termination"] == "time forfeit"


def test_nobody_is_charged_while_the_server_stands_still(
    pair: tuple[Person, Person], now: Time
) -> None:
    anna, ben = pair
    games = anna.app.state.games  # type: ignore[attr-defined]
    game = joined(anna, ben, "1", "5", **FAST)
    now.now += 30
    assert current(anna, game)["clock"]["x"] == 30

    async def stall() -> None:
        games._stalled(10)

    assert anna.portal is not None
    anna.portal.call(stall)
    assert current(anna, game)["clock"]["x"] == 40


def test_flag_falls_later_where_the_program_stood_still(
    now: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sleep takes its own seconds, and the second one five more."""
    start, more = now.now, iter((0.0, 5.0))
    fell: list[tuple[str, float]] = []
    stalls: list[float] = []

    async def sleep(seconds: float) -> None:
        now.now += seconds + next(more, 0.0)

    def stalled(seconds: float) -> None:
        stalls.append(seconds)
        flags.set("game", start + 3 + seconds)

    monkeypatch.setattr(clocks, "STALL", 1.5)
    monkeypatch.setattr(clocks, "time", SimpleNamespace(monotonic=lambda: now.now))
    monkeypatch.setattr(
        clocks,
        "asyncio",
        SimpleNamespace(sleep=sleep, get_running_loop=asyncio.get_running_loop),
    )
    flags = clocks.Flags(lambda id_: fell.append((id_, now.now - start)), stalled)

    async def run() -> None:
        flags.set("game", start + 3)
        assert flags._task is not None
        await flags._task

    asyncio.run(run())
    assert stalls == pytest.approx([clocks.TICK + 5])
    ((game, after),) = fell
    assert game == "game"
    assert after == pytest.approx(3 + stalls[0])


def test_clock_of_no_time_does_not_go_below_zero() -> None:
    clock = GameClock.of(parse_control("5+1"))
    turn = noughts.Player.X
    assert clock.due(turn) is None
    clock = clock.passed(turn, 100.0)
    assert clock.at(turn, 90.0) == (5, 5)
    assert clock.at(turn, 200.0) == (0, 5)
    assert clock.passed(turn, 103.0, increment=True).left == (3, 5)


def test_clocks_add_up() -> None:
    """Time is only lost by thinking and won by increments, whatever comes between the moves."""
    rng, compared = random.Random(1), 0
    for _ in range(200):
        clock, now, increments, spent = GameClock.of(parse_control("300+3")), 0.0, 0, 0.0
        turn = noughts.Player.X
        for ply in range(rng.randrange(2, 40)):
            seconds = rng.uniform(0, 5)
            now += seconds
            spent += seconds if clock.since is not None else 0
            is_move = rng.random() < 0.8  # Else an offer, a name or a take-back.
            increments += is_move and clock.since is not None
            clock = clock.passed(turn, now, increment=is_move, runs=ply > 0)
            turn = turn.other if is_move else turn
            assert sum(clock.left) == pytest.approx(600 + 3 * increments - spent)
            compared += 1
    assert compared > 1000


# Offers


def offer(kind: str, side: str) -> dict[str, str]:
    return {"kind": kind, "side": side}


def test_draw_is_offered_and_agreed(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = joined(anna, ben, "1", "5")
    assert "draw" in game["can"]
    game = asked(anna, game, "draw")
    assert game["offer"] == offer("draw", "X")
    assert ("draw" in game["can"], "decline" in game["can"]) == (False, True)
    theirs = current(ben, game)
    assert {"accept", "decline"} <= set(theirs["can"])
    game = asked(ben, game, "accept")
    assert (game["result"], game["termination"]) == ("1/2-1/2", "by agreement")
    assert game["sentence"] == "A draw: both players agreed."
    assert game["offer"] is None
    exported = anna.ask("GET", f"/games/{game['id']}/export", params={"format": "text"})
    assert parse_text(exported.text)[0].termination == "by agreement"


def test_two_offers_of_a_draw_agree(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = joined(anna, ben, "1")
    asked(ben, game, "draw")
    assert asked(anna, game, "draw")["termination"] == "by agreement"


def test_move_withdraws_an_offer(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = joined(anna, ben, "1", "5")
    for mover in (anna, ben):
        asked(anna if mover is ben else ben, game, "draw")
        assert moved(mover, game, "2" if mover is anna else "3")["offer"] is None
        assert refused(mover, game, "accept") == (409, "nothing")


def test_offer_is_declined_and_not_repeated_at_once(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = joined(anna, ben, "1", "5")
    asked(anna, game, "draw")
    assert refused(anna, game, "accept") == (409, "nothing")
    assert refused(ben, game, "undo") == (409, "offer")
    assert asked(ben, game, "decline")["offer"] is None
    assert refused(ben, game, "decline") == (409, "nothing")
    assert refused(anna, game, "draw") == (409, "offer")
    assert "draw" not in current(anna, game)["can"]
    moved(anna, game, "2")
    asked(anna, game, "draw")
    assert asked(anna, game, "decline")["offer"] is None, "withdrawn"
    assert refused(anna, game, "draw") == (409, "offer")


def test_offers_are_bounded(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = joined(anna, ben, start="connect4")
    made = 0
    for column in "13572":
        moved(anna, game, column)
        if "draw" in current(anna, game)["can"]:
            asked(anna, game, "draw")
            made += 1
        else:
            assert refused(anna, game, "draw") == (409, "offer")
        moved(ben, game, column)
    assert made == 3


def test_take_back_is_asked_and_agreed(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = joined(anna, ben)
    assert refused(anna, game, "undo") == (409, "nothing")
    moved(anna, game, "1")
    assert asked(anna, game, "undo")["offer"] == offer("undo", "X")
    assert asked(ben, game, "accept")["moves"] == []
    for move in ("1", "5", "2"):
        moved(ben if move == "5" else anna, game, move)
    asked(ben, game, "undo")
    assert asked(anna, game, "accept")["moves"] == ["1"], "Ben's move and the reply"
    assert current(ben, game)["can"][0] == "move"
    assert "redo" not in current(ben, game)["can"]


def test_time_used_is_not_taken_back(pair: tuple[Person, Person], now: Time) -> None:
    anna, ben = pair
    game = joined(anna, ben, "1", "5", **FAST)
    now.now += 10
    moved(anna, game, "2")
    asked(anna, game, "undo")
    now.now += 4
    game = asked(ben, game, "accept")
    assert game["clock"] == {"seconds": 60, "increment": 2, "x": 52, "o": 56, "running": "X"}


def test_offers_need_an_opponent(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    for other in ("guest", "me", "random"):
        game = anna.open(o=other)
        assert refused(anna, game, "draw") == (409, "alone")
        assert "draw" not in game["can"]
    game = joined(anna, ben, "1")
    asked(anna, game, "resign")
    assert ben.ask("DELETE", f"/games/{game['id']}").status_code == 204
    assert problem(anna.ask("POST", f"/games/{game['id']}/rematch")) == (409, "alone")
    assert "rematch" not in current(anna, game)["can"]


def test_rematch_carries_both_and_the_spectators_along(three: list[Person]) -> None:
    anna, ben, carl = three
    game = joined(anna, ben, "1", guest="Ben", **FAST)
    path, key = f"/games/{game['id']}", {"noughts-key": game["keys"]["watch"]}
    with carl.websocket_connect(f"{API}{path}/live?key={game['keys']['watch']}") as socket:
        assert socket.receive_json()["next"] is None
        asked(anna, game, "resign")
        socket.receive_json()
        asked_ = ben.ask("POST", f"{path}/rematch").json()
        assert (asked_["id"], asked_["offer"]) == (game["id"], offer("rematch", "O"))
        assert ben.ask("POST", f"{path}/rematch").json()["version"] == asked_["version"]
        assert socket.receive_json()["values"]["offer"] == offer("rematch", "O")
        again = accepted(anna, game)
        assert socket.receive_json()["values"]["next"] == again["id"]
    assert (again["yours"], again["players"]["X"]["name"]) == (["O"], "Ben")
    assert current(ben, again)["yours"] == ["X"]
    assert again["clock"] == {"seconds": 60, "increment": 2, "x": 60, "o": 60, "running": None}
    assert carl.get_json(f"/games/{again['id']}", headers=key)["yours"] == []
    assert again["score"] == {"x": 1, "o": 0, "draws": 0}
    assert again["offer"] is None
    assert current(anna, game)["offer"] is None


def accepted(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    """Accept the offer of a rematch, and return the rematch."""
    body = {"version": current(person, game)["version"]}
    again: dict[str, Any] = person.ask("POST", f"/games/{game['id']}/accept", body).json()
    assert again["id"] != game["id"]
    return again


def test_declined_rematch_is_not_offered_again(pair: tuple[Person, Person]) -> None:
    anna, ben = pair
    game = joined(anna, ben, "1")
    asked(anna, game, "resign")
    ben.ask("POST", f"/games/{game['id']}/rematch")
    asked(anna, game, "decline")
    assert problem(ben.ask("POST", f"/games/{game['id']}/rematch")) == (409, "offer")
    anna.ask("POST", f"/games/{game['id']}/rematch")
    assert accepted(ben, game)["yours"] == ["X"]


def test_offer_survives_a_restart(tmp_path: Path) -> None:
    with people(tmp_path, 2) as before:
        anna, ben = before
        game = joined(anna, ben, "1", "5")
        asked(anna, game, "draw")
        asked(ben, game, "decline")
        asked(ben, game, "undo")
    with reopened(tmp_path, before) as (anna, ben):
        assert current(anna, game)["offer"] == offer("undo", "O")
        assert asked(anna, game, "accept")["moves"] == ["1"]
        assert refused(anna, game, "draw") == (409, "offer")


# Links


def test_link_is_a_qr_code_for_the_players_only(three: list[Person]) -> None:
    anna, ben, carl = three
    game = anna.open(o="guest")
    path = f"/games/{game['id']}/qr"
    asked_ = {"link": "join", "origin": "http://192.0.2.7:8322"}
    answer = anna.ask("GET", path, params=asked_)
    assert answer.headers["content-type"] == "image/svg+xml"
    link = f"http://192.0.2.7:8322/game/{game['id']}#join={game['keys']['join']}"
    assert drawn(answer.text) == matrix(link)
    watch = {"noughts-key": game["keys"]["watch"]}
    assert problem(carl.ask("GET", path, params=asked_)) == (404, "not-found")
    assert problem(carl.ask("GET", path, params=asked_, headers=watch)) == (403, "not-yours")
    ben.ask("POST", f"/games/{game['id']}/join", {"key": game["keys"]["join"]})
    assert problem(anna.ask("GET", path, params=asked_)) == (409, "taken")
    answer = ben.ask("GET", path, params={**asked_, "link": "watch"})
    assert drawn(answer.text) == matrix(link.partition("#")[0] + f"#watch={game['keys']['watch']}")


def matrix(text: str) -> set[tuple[int, int]]:
    """Return the dark modules of the QR code of a text, as column and row."""
    rows = enumerate(segno.make_qr(text, error="m").matrix)
    return {(x, y) for y, row in rows for x, dark in enumerate(row) if dark}


def drawn(svg: str) -> set[tuple[int, int]]:
    """Return the dark modules of a QR code in an SVG of horizontal strokes."""
    path = re.search(r'stroke="#000" d="([^"]+)"', svg)
    assert path is not None
    found, x, y = set(), 0.0, 0.0
    for command, arguments in re.findall(r"([Mmh])([^Mmh]+)", path[1]):
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", arguments)]
        if command == "h":
            found |= {(int(x) + at - 4, int(y) - 4) for at in range(int(numbers[0]))}
            x += numbers[0]
        else:
            dx, dy = numbers
            x, y = (dx, dy) if command == "M" else (x + dx, y + dy)
    return found


@pytest.mark.parametrize("origin", ["", "ftp://a", "http://a/b", "http://a b", "javascript:x"])
def test_qr_code_has_a_link_of_the_page(pair: tuple[Person, Person], origin: str) -> None:
    game = pair[0].open(o="guest")
    asked_ = {"link": "join", "origin": origin}
    answer = pair[0].ask("GET", f"/games/{game['id']}/qr", params=asked_)
    assert problem(answer) == (422, "request")


@pytest.mark.soak
@pytest.mark.parametrize("options", [(), ("--host", "::1")])
def test_server_for_its_own_machine_has_no_address_in_the_network(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    with serving(tmp_path, *options) as (_, port):
        host = "[::1]" if options else "127.0.0.1"
        found = httpx.get(f"http://{host}:{port}{API}/address").json()
    assert found == {"network": None}
