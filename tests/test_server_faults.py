"""The real server, killed, shut down and asked twice at once: acknowledged moves are saved.

clients ──moves──► noughts serve ──kill -9──╳  noughts serve, again
   └── every acknowledged move ────────────────► is still there
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from command import run
from databases import cluster
from patience import PATIENCE
from service import API, PROGRAM, moved, opened, serving, until_saved
from sqlalchemy import create_engine, text

from noughts.games.record import read_json_lines

RULES = ("basic", "mnk:5,5,4", "connect4", "advanced", "ultimate")
ROOT = Path(__file__).parent.parent


# Killed


class Player(threading.Thread):
    """A person who plays until the server dies, and notes acknowledged moves.

    Args:
        address: of the server.
        cookies: of this person.
        told: for each game, the last version acknowledged as saved, and its moves.
        rng: chooses games and moves.
    """

    def __init__(
        self,
        address: str,
        cookies: httpx.Cookies,
        told: dict[str, tuple[int, list[str]]],
        rng: random.Random,
    ) -> None:
        super().__init__()
        self.address, self.cookies, self.told, self.rng = address, cookies, told, rng
        self.failed: str | None = None
        self.noted = 0

    def run(self) -> None:
        try:
            with httpx.Client(
                base_url=self.address + API, cookies=self.cookies, timeout=PATIENCE
            ) as client:
                while True:
                    self._play(client)
        except httpx.TransportError:
            pass
        except Exception as error:
            self.failed = repr(error)

    def _play(self, client: httpx.Client) -> None:
        game = opened(client, self.rng.choice(RULES))
        self._note(game)
        for _ in range(10):
            moves = list(game["position"]["moves"])
            what, wanted = "moves", {"move": self.rng.choice(moves or ["1"])}
            if not moves or (game["moves"] and self.rng.random() < 0.15):
                what, wanted = "undo", {}
            answer = client.post(
                f"/games/{game['id']}/{what}", json={"version": game["version"], **wanted}
            )
            assert answer.status_code == 200, answer.text
            game = answer.json()
            self._note(game)

    def _note(self, game: Any) -> None:
        if game["saved"]["done"]:
            self.told[game["id"]] = game["version"], game["moves"]
            self.noted += 1


def check(address: str, cookies: httpx.Cookies, told: dict[str, tuple[int, list[str]]]) -> None:
    """Compare a person's games with the acknowledged moves.

    One more change may be saved without acknowledgement; the game is then one version ahead.
    """
    with httpx.Client(base_url=address + API, cookies=cookies, timeout=PATIENCE) as client:
        for id_, (version, moves) in told.items():
            kept = client.get(f"/games/{id_}").json()
            assert kept["version"] in (version, version + 1), (kept, version)
            if kept["version"] == version:
                assert kept["moves"] == moves
            else:
                assert abs(len(kept["moves"]) - len(moves)) == 1


def kill_often(folder: Path, kills: int) -> int:
    """Kill a loaded server `kills` times, each time after some acknowledged changes.

    Returns the number of games.
    """
    rng = random.Random(1)
    database = folder / "games.db"
    people: list[tuple[httpx.Cookies, dict[str, tuple[int, list[str]]]]] = []
    for kill in range(kills + 1):
        with serving(database) as server:
            while len(people) < 4:
                with server.client() as client:
                    opened(client)
                    people.append((httpx.Cookies(client.cookies), {}))
            for cookies, told in people:
                check(server.address, cookies, told)
            if kill == kills:
                break
            players = [
                Player(server.address, cookies, told, random.Random(rng.random()))
                for cookies, told in people
            ]
            for player in players:
                player.start()
            wanted, until = rng.randint(1, 60), time.monotonic() + PATIENCE
            while sum(player.noted for player in players) < wanted:
                assert time.monotonic() < until
                assert all(player.is_alive() for player in players)
                time.sleep(0.001)
            server.end(signal.SIGKILL)
            for player in players:
                player.join(PATIENCE)
                assert player.failed is None, player.failed
    return sum(len(told) for _, told in people)


def test_acknowledged_moves_survive_a_kill(tmp_path: Path) -> None:
    assert kill_often(tmp_path, 1) > 0


@pytest.mark.soak
def test_acknowledged_moves_survive_fifty_kills(tmp_path: Path) -> None:
    assert kill_often(tmp_path, 50) > 0


# Conflicting moves


def test_one_of_two_conflicting_moves_is_played_and_the_other_refused(tmp_path: Path) -> None:
    """Several tabs play the same games at once; their answers are consistent."""

    async def race(address: str) -> None:
        async with httpx.AsyncClient(base_url=address + API, timeout=PATIENCE) as first:
            games = [
                (await first.post("/games", json={"start": rules, "x": "me", "o": "me"})).json()
                for rules in RULES
            ]
            told: dict[tuple[str, int], list[str]] = {}
            conflicts = 0

            async def tab(seed: int) -> None:
                nonlocal conflicts
                rng = random.Random(seed)
                async with httpx.AsyncClient(
                    base_url=address + API, cookies=first.cookies, timeout=PATIENCE
                ) as client:
                    known = {game["id"]: game for game in games}
                    for _ in range(12):
                        game = rng.choice(list(known.values()))
                        path = f"/games/{game['id']}"
                        move = rng.choice(list(game["position"]["moves"]) or ["1"])
                        answer = await client.post(
                            f"{path}/moves", json={"move": move, "version": game["version"]}
                        )
                        if answer.status_code == 200:
                            after = answer.json()
                            key = (game["id"], game["version"] + 1)
                            assert key not in told, "two tabs were told that they made this change"
                            told[key] = [*game["moves"], move]
                            assert after["version"] > game["version"]
                            assert after["moves"][: len(told[key])] == told[key]
                        else:
                            problem = answer.json()
                            assert answer.status_code == 409, problem
                            assert problem["type"] in ("urn:noughts:conflict", "urn:noughts:over")
                            conflicts += problem["type"] == "urn:noughts:conflict"
                            after = (await client.get(path)).json()
                        known[game["id"]] = after

            await asyncio.gather(*(tab(seed) for seed in range(6)))
            assert conflicts > 0
            for game in games:
                end = (await first.get(f"/games/{game['id']}")).json()
                versions = [version for id_, version in told if id_ == game["id"]]
                assert sorted(versions) == list(range(1, end["version"] + 1))
                if versions:
                    assert end["moves"] == told[game["id"], end["version"]]

    with serving(tmp_path / "games.db") as server:
        asyncio.run(race(server.address))


# A failing database


def test_server_stays_up_while_its_database_is_locked(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with serving(database) as server, server.client() as client:
        game = opened(client)
        other = sqlite3.connect(database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        path = f"/games/{game['id']}"
        for move in ("5", "1"):
            answer = client.post(f"{path}/moves", json={"move": move, "version": game["version"]})
            game = answer.json()
            assert game["saved"]["done"] is False
            assert game["saved"]["notice"].endswith("the game is saved when the database answers.")
        assert game["moves"] == ["5", "1"]
        other.execute("ROLLBACK")
        other.close()
        until_saved(client, path)
        cookies = client.cookies
        server.end(signal.SIGKILL)
    with serving(database) as server, server.client() as client:
        client.cookies = cookies
        assert client.get(path).json()["moves"] == ["5", "1"]


def test_server_stays_up_while_its_postgresql_is_down() -> None:
    with cluster() as url:
        driven = url.replace("postgresql://", "postgresql+psycopg://")
        engine = create_engine(driven, isolation_level="AUTOCOMMIT")

        def tell(*lines: str) -> None:
            with engine.connect() as connection:
                for line in lines:
                    connection.execute(text(line))

        tell("CREATE DATABASE kept")
        database = url.replace("/postgres", "/kept")
        with serving(database) as server, server.client() as client:
            game = opened(client)
            path = f"/games/{game['id']}"
            until_saved(client, path)
            tell(
                "ALTER DATABASE kept ALLOW_CONNECTIONS false",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'kept'",
            )
            game = client.post(f"{path}/moves", json={"move": "5", "version": 0}).json()
            assert (game["moves"], game["saved"]["done"]) == (["5"], False)
            assert "Not saved yet" in game["saved"]["notice"]
            tell("ALTER DATABASE kept ALLOW_CONNECTIONS true")
            until_saved(client, path)
            cookies = client.cookies
            server.end(signal.SIGKILL)
        with serving(database) as server, server.client() as client:
            client.cookies = cookies
            assert client.get(path).json()["moves"] == ["5"]
            assert server.end() == ""
        engine.dispose()


def test_server_names_the_games_it_could_not_save_at_its_end(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with serving(database) as server, server.client() as client:
        first, second = opened(client), opened(client)
        database.rename(tmp_path / "aside.db")
        for game in (first, second):
            client.post(f"/games/{game['id']}/moves", json={"move": "5", "version": 0})
            until = time.monotonic() + PATIENCE
            while "is gone" not in str(client.get(f"/games/{game['id']}").json()["saved"]):
                assert time.monotonic() < until
                time.sleep(0.1)
        answer = client.get(f"/games/{'A' * 16}")
        assert answer.status_code == 503
        assert answer.json()["detail"].startswith("The database does not answer (the file ")
        assert answer.headers["retry-after"]
        line, *records = server.end().splitlines(keepends=True)
        assert re.match(r"noughts: 2 games were not saved \(the file .* is gone\)", line)
        assert [kept.moves for kept in read_json_lines(records)] == [[4], [4]]


def test_server_saves_waiting_games_at_its_end(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with serving(database) as server, server.client() as client:
        opened(client)
        said = server.end(signal.SIGINT)
        assert said == ""
    left = sqlite3.connect(database).execute("SELECT record FROM games").fetchall()
    assert [json.loads(record)["game"] for (record,) in left] == ["basic"]


# A database that cannot be opened


def test_second_server_on_a_database_is_refused_while_the_first_runs(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with serving(database) as first:
        options = ("serve", "--port", "0", "--database", str(database))
        done = subprocess.run(
            (sys.executable, "-c", PROGRAM, *options),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 4
        assert "another `noughts serve` uses it" in done.stderr
        assert first.end() == ""


@pytest.mark.parametrize(
    ("database", "code", "said"),
    [
        ("nonsense://x", 2, "--database: no kind of database is called 'nonsense'"),
        ("sqlite://", 2, "--database: a database in memory is lost at the end. Name a file"),
        (
            "/dev/null/games.db",
            4,
            "/dev/null/games.db: the folder /dev/null cannot be ",
        ),
        (".", 4, "Cannot open the database .: unable to open database file"),
        ("oracle://me:secret@x", 4, "this kind of database needs oracledb: "),
        (
            "postgresql://me:secret@127.0.0.1:1/x",
            4,
            "database postgresql://me:***@127.0.0.1:1/x: ",
        ),
    ],
)
def test_database_that_cannot_be_opened_ends_serve_with_the_reason(
    tmp_path: Path, database: str, code: int, said: str
) -> None:
    done = run("serve", "--port", "0", "--database", database, cwd=tmp_path)
    assert done.returncode == code
    assert said in done.stderr
    assert "secret" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


# Load


@pytest.mark.soak
def test_server_bench_measures_every_scene() -> None:
    done = subprocess.run(
        (sys.executable, ROOT / "bench" / "server.py", "--quick", "--json"),
        capture_output=True,
        text=True,
        timeout=600,
    )
    lines = json.loads(done.stdout)["lines"]
    bounded = [line for line in lines if line["met"] is not None]
    assert len(bounded) == 5
    assert done.returncode == (False in [line["met"] for line in bounded]), done.stderr
    assert all(line["figure"] > 0 for line in lines if line["unit"] == "ms")


# Clocks


def test_killed_server_charges_nobody_for_its_absence(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    with serving(database) as server, server.client() as client:
        game = opened(client, clock="600")
        cookies = client.cookies
        for move in "159":
            game = moved(client, game, move)
        server.end(signal.SIGKILL)
    with contextlib.closing(sqlite3.connect(database)) as file, file:
        file.execute("UPDATE games SET since = since - 3600")  # an hour passes
    with serving(database) as server:
        address = server.address + API
        with httpx.Client(base_url=address, cookies=cookies, timeout=PATIENCE) as client:
            game = client.get(f"/games/{game['id']}").json()
            assert (game["result"], game["clock"]["running"]) == ("*", "O")
            left = game["clock"]["o"]
            assert 0 < left <= 600
            until = time.monotonic() + PATIENCE
            while client.get(f"/games/{game['id']}").json()["clock"]["o"] >= left:
                assert time.monotonic() < until, "the clock stands"
                time.sleep(0.2)  # the server bounds the rate of requests
