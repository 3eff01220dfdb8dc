"""Several servers on one PostgreSQL: they share the games, and lose no acknowledged move.

people ──► proxy ──► noughts serve ─┐
               └───► noughts serve ─┴──► PostgreSQL
                         ╳ killed, paused, cut off
"""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Self

import httpx2 as httpx
import pytest
from databases import cluster, restart
from patience import PATIENCE
from proxy import proxy
from service import API, Serving, moved, opened, serving
from websockets.sync.client import connect

from noughts.web.models import following


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with cluster() as url:
        yield url


@pytest.fixture(scope="module")
def two(database: str) -> Iterator[tuple[Serving, Serving]]:
    with serving(database) as first, serving(database) as second:
        yield first, second


def on(server: Serving, client: httpx.Client) -> httpx.Client:
    """Return the same person on another server."""
    return httpx.Client(base_url=server.address + API, cookies=client.cookies, timeout=PATIENCE)


class Watcher:
    """A game as one person sees it, through a WebSocket."""

    def __init__(self, server: Serving, client: httpx.Client, game: Any) -> None:
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        path = f"{server.address.replace('http', 'ws')}{API}/games/{game['id']}/live"
        self.socket = connect(path, additional_headers={"Cookie": cookies})
        self.view: Any = {}

    def __enter__(self) -> Self:
        self.socket.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def until_online(self, *sides: str) -> None:
        """Read until the players of these sides, and no others, have the game open."""
        end = time.monotonic() + PATIENCE
        while sides != tuple(s for s in "XO" if self.view and self.view["players"][s]["online"]):
            assert time.monotonic() < end, self.view
            self.view = following(self.view, self.socket.recv(timeout=PATIENCE))

    def until(self, **wanted: Any) -> Any:
        """Read until the view has the wanted values."""
        end = time.monotonic() + PATIENCE
        while not self.view or any(self.view[name] != value for name, value in wanted.items()):
            assert time.monotonic() < end, self.view
            self.view = following(self.view, self.socket.recv(timeout=PATIENCE))
        return self.view


def test_people_on_two_servers_play_one_game(two: tuple[Serving, Serving]) -> None:
    first, second = two
    with first.client() as ada, second.client() as bob:
        game = opened(ada, o="guest", clock="600")
        path = f"/games/{game['id']}"
        with Watcher(first, ada, game) as hers:
            joined = bob.post(f"{path}/join", json={"key": game["keys"]["join"]}).json()
            assert joined["yours"] == ["O"]
            view = hers.until(version=joined["version"])
            with Watcher(second, bob, game) as his:
                for each in (hers, his):
                    each.until_online("X", "O")
                for turn, move in enumerate("51397"):
                    client = (ada, bob)[turn % 2]
                    view = moved(client, view, move)
                    for socket in (hers, his):
                        seen = socket.until(version=view["version"])
                        assert seen["moves"] == view["moves"]
                assert view["result"] == "1-0"
                # Each side had timed moves; the other server charges what passed on this one.
                assert 540 < view["clock"]["x"] < 600, view["clock"]
                assert 540 < view["clock"]["o"] < 600, view["clock"]
                offered = bob.post(f"{path}/rematch").json()
                hers.until(version=offered["version"], offer={"kind": "rematch", "side": "O"})
                again = ada.post(f"{path}/rematch").json()
                assert hers.until(next=again["id"])
                assert his.until(next=again["id"])
            hers.until_online("X")
        assert ada.get(f"/games/{again['id']}").json()["yours"] == ["O"]
        assert ada.delete(path).status_code == 204
        assert bob.delete(path).status_code == 204
        assert ada.get(path).status_code == bob.get(path).status_code == 404


def test_machine_moves_on_when_its_server_dies(database: str, two: tuple[Serving, Serving]) -> None:
    second, _ = two
    with serving(database) as first, first.client() as player:
        game = opened(player, "ultimate", o="engine:seconds=20")
        with on(second, player) as same, Watcher(second, player, game) as socket:
            moved(player, game, "55")
            socket.until(moves=["55"])
            first.end(signal.SIGKILL)
            view = socket.until(thinking={"side": "O", "waiting": False})
            stopped = same.post(f"/games/{game['id']}/stop", json={"version": view["version"]})
            assert stopped.status_code == 200, stopped.text
            assert len(socket.until(thinking=None)["moves"]) == 2


def test_change_on_a_server_that_shows_an_old_state_is_refused(
    two: tuple[Serving, Serving],
) -> None:
    first, second = two
    with first.client() as player, ExitStack() as stack:
        game = opened(player)
        same = stack.enter_context(on(second, player))
        path = f"/games/{game['id']}"
        assert same.get(path).json()["moves"] == []
        moved(player, game, "5")
        late = same.post(f"{path}/moves", json={"version": game["version"], "move": "9"})
        assert late.status_code == 409, late.text
        assert late.json()["type"] == "urn:noughts:conflict"
        assert same.get(path).json()["moves"] == ["5"]


@pytest.mark.parametrize("rounds", [2, pytest.param(200, marks=pytest.mark.soak)])
def test_paused_server_overwrites_nothing(rounds: int, two: tuple[Serving, Serving]) -> None:
    for number in range(rounds):
        first, second = two if number % 2 else two[::-1]
        with first.client() as player, on(second, player) as heir:
            game = opened(player)
            heir.cookies = player.cookies
            path = f"/games/{game['id']}"
            game = moved(player, game, "5")
            with paused(first):
                taken = moved(heir, game, "1")
            late = player.post(f"{path}/moves", json={"version": game["version"], "move": "9"})
            assert late.status_code == 409, late.text
            assert player.get(path).json()["moves"] == ["5", "1"]
            game = moved(player, taken, "3")
            assert heir.get(path).json()["version"] in (taken["version"], game["version"])
            moved(heir, game, "7")


@pytest.mark.soak
def test_flag_falls_once_while_the_server_of_the_game_is_paused(
    two: tuple[Serving, Serving],
) -> None:
    first, second = two
    with first.client() as ada, second.client() as bob:
        game = opened(ada, o="guest", clock="4")
        path = f"/games/{game['id']}"
        view = bob.post(f"{path}/join", json={"key": game["keys"]["join"]}).json()
        with Watcher(first, ada, game) as hers, Watcher(second, bob, game) as his:
            for client, move in ((ada, "5"), (bob, "1")):
                view = moved(client, view, move)
            assert view["clock"]["running"] == "X"
            with paused(first):
                view = his.until(result="0-1")
            assert (view["termination"], view["clock"]["x"]) == ("time forfeit", 0)
            assert hers.until(result="0-1")["version"] == view["version"]
            # Each server lets the flag of a later game fall: it has none of this game left.
            for server in two:
                let_a_flag_fall(server)
            for client in (ada, bob):
                assert client.get(path).json()["version"] == view["version"]


def let_a_flag_fall(server: Serving) -> None:
    """Wait until the shortest clock has run out on a server."""
    with server.client() as ada, server.client() as bob:
        game = opened(ada, o="guest", clock="1")
        with Watcher(server, ada, game) as hers:
            path, key = f"/games/{game['id']}/join", {"key": game["keys"]["join"]}
            view = bob.post(path, json=key).json()
            for client, move in ((ada, "5"), (bob, "1")):
                view = moved(client, view, move)
            hers.until(termination="time forfeit")


@contextmanager
def paused(server: Serving) -> Iterator[None]:
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


# Behind a proxy, with faults


class Traveller(threading.Thread):
    """A person who plays through the proxy, whatever fails, and notes acknowledged moves."""

    def __init__(self, address: str, rng: random.Random) -> None:
        super().__init__()
        self.address, self.rng = address, rng
        self.cookies = httpx.Cookies()
        self.told: dict[str, tuple[int, list[str]]] = {}
        """For each game the last version acknowledged as saved, and its moves."""
        self.seen: dict[str, int] = {}
        """The highest version of each game shown, saved or not."""
        self.noted = 0
        self.failed: str | None = None
        self.ended = threading.Event()

    def run(self) -> None:
        try:
            while not self.ended.is_set():
                try:
                    # A new connection for each game, since the proxy chooses a server for it.
                    with self.client() as client:
                        self._play(client)
                        self.cookies = client.cookies
                except httpx.TransportError:
                    time.sleep(0.02)
        except Exception as error:
            self.failed = repr(error)

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address + API, cookies=self.cookies, timeout=PATIENCE)

    def _play(self, client: httpx.Client) -> None:
        if self.told and self.rng.random() < 0.7:
            id_ = self.rng.choice(list(self.told))
            game = self._current(client, id_)
        else:
            wanted = {"start": self.rng.choice(("basic", "connect4")), "x": "me", "o": "me"}
            game = client.post("/games", json=wanted).json()
            id_ = game.get("id", "")
        for _ in range(6):
            if "status" in game:
                # A new game that was never shown as saved is lost with its server.
                lost = (404,) if id_ not in self.told else ()
                assert game["status"] in (409, 503, *lost), (game, id_)
                return
            self.compare(game)
            moves = list(game["position"]["moves"])
            act, body = "moves", {"move": self.rng.choice(moves or ["1"])}
            if not moves or (game["moves"] and self.rng.random() < 0.15):
                act, body = "undo", {}
            path = f"/games/{game['id']}/{act}"
            game = client.post(path, json={"version": game["version"], **body}).json()

    def _current(self, client: httpx.Client, id_: str) -> Any:
        """Return a game, which another server may show a moment late."""
        end = time.monotonic() + PATIENCE
        while True:
            game = client.get(f"/games/{id_}").json()
            if game.get("version", 0) >= self.told[id_][0] or time.monotonic() > end:
                return game
            time.sleep(0.02)

    def compare(self, game: Any) -> None:
        """Check a game against the acknowledged moves, and note it if it is saved."""
        version, moves = self.told.get(game["id"], (game["version"], game["moves"]))
        assert game["version"] >= version, (game, version)
        if game["version"] == version:
            assert game["moves"] == moves, (game, moves)
        self.seen[game["id"]] = max(game["version"], self.seen.get(game["id"], 0))
        if game["saved"]["done"]:
            self.told[game["id"]] = game["version"], game["moves"]
            self.noted += 1

    def check_all(self) -> None:
        """Compare the games with the acknowledged moves.

        While the database is down, moves are shown as unsaved; they and one more change may be
        saved later.
        """
        with self.client() as client:
            for id_, (version, moves) in self.told.items():
                kept = self._current(client, id_)
                assert version <= kept["version"] <= self.seen[id_] + 1, (kept, version)
                if kept["version"] == version:
                    assert kept["moves"] == moves


def shake(database: str, faults: list[str]) -> int:
    """Let people play on two servers behind a proxy, through faults; return acknowledged moves."""
    rng = random.Random(2)
    servers = [Serving(database), Serving(database)]
    try:
        with proxy(lambda: [int(each.address.rpartition(":")[2]) for each in servers]) as address:
            people = [Traveller(address, random.Random(n)) for n in range(4)]
            for person in people:
                person.start()
            for fault in faults:
                wanted = sum(person.noted for person in people) + rng.randint(5, 60)
                end = time.monotonic() + PATIENCE
                while sum(person.noted for person in people) < wanted:
                    assert time.monotonic() < end
                    assert all(person.is_alive() for person in people), [p.failed for p in people]
                    time.sleep(0.001)
                which = rng.randrange(2)
                if fault == "kill":
                    servers[which].end(signal.SIGKILL)
                    servers[which] = Serving(database)
                elif fault == "pause":
                    with paused(servers[which]):
                        time.sleep(rng.uniform(0, 0.5))
                else:
                    restart(database)
            for person in people:
                person.ended.set()
            for person in people:
                person.join(PATIENCE)
                assert person.failed is None, person.failed
                person.check_all()
            return sum(person.noted for person in people)
    finally:
        for server in servers:
            server.end(signal.SIGKILL)


FAULTS = ["kill", "pause", "restart"]


@pytest.mark.parametrize(
    "faults", [FAULTS, pytest.param([*FAULTS, "kill"] * 25, marks=pytest.mark.soak)]
)
def test_servers_behind_a_proxy_lose_nothing_acknowledged(database: str, faults: list[str]) -> None:
    """At length, each round kills a server twice, on average each of the two once."""
    assert shake(database, faults) > 0
