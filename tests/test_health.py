"""What operators ask: whether the server works, and its figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import run
from web import Person, people

from noughts.database.store import Store, StoreUnavailable
from noughts.web.app import create_app


@pytest.fixture
def anna(tmp_path: Path) -> Iterator[Person]:
    with people(tmp_path, hosts={"localhost"}) as (first,):
        yield first


def figures(person: Person, **how: str) -> dict[str, float]:
    answer = person.get("/metrics", headers={"host": "localhost", **how})
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.split(" ") for line in lines)}


def test_health_under_any_name(anna: Person) -> None:
    answer = anna.get("/healthz", headers={"host": "10.1.2.3:8322"})
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")
    assert anna.get("/", headers={"host": "10.1.2.3:8322"}).status_code == 421


def test_health_without_a_database(anna: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: str) -> None:
        raise StoreUnavailable("the disk is gone")

    monkeypatch.setattr(Store, "load", lambda _, id_: fails(id_))
    answer = anna.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "reason": "the disk is gone"}


def test_figures_follow_what_happens(tmp_path: Path) -> None:
    app = create_app(f"sqlite:///{tmp_path / 'games.db'}", hosts={"localhost"})
    with Person(app, base_url="http://localhost", client=("127.0.0.1", 1)) as anna:
        before = figures(anna)
        game = anna.open("basic", x="me", o="me")
        anna.play(game, "5")
        assert anna.get("/api/v1/games/none").status_code == 404
        with anna.websocket_connect(f"ws://localhost/api/v1/games/{game['id']}/live"):
            after = figures(anna)
        assert after["noughts_open_games"] == before["noughts_open_games"] + 1
        assert after["noughts_websockets"] == 1
        assert after['noughts_responses_total{status="201"}'] == 1
        assert after['noughts_responses_total{status="404"}'] == 1
        assert figures(anna)["noughts_websockets"] == 0
        described = anna.get("/metrics", headers={"host": "localhost"}).text
        names = re.findall(r"^# TYPE (\S+) (?:counter|gauge)$", described, re.MULTILINE)
        assert {name.partition("{")[0] for name in after} == {*names}


@pytest.mark.parametrize(
    ("client", "host"), [("192.0.2.7", "localhost"), ("127.0.0.1", "games.example.org")]
)
def test_figures_are_for_this_machine_alone(tmp_path: Path, client: str, host: str) -> None:
    """A proxy without X-Forwarded-For has the address of this machine, and its clients' host."""
    app = create_app(f"sqlite:///{tmp_path / 'games.db'}", hosts={"localhost", host})
    with Person(app, base_url=f"http://{host}", client=(client, 1)) as person:
        assert person.get("/metrics").status_code == 404
        assert person.get("/healthz").status_code == 200


def test_options_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_DATABASE", "nonsense://x")
    done = run("serve", "--port", "0")
    assert done.returncode == 2
    assert "nonsense" in done.stderr
    monkeypatch.setenv("NOUGHTS_PROXY", "999.1.1.1")
    assert "--proxy: '999.1.1.1'" in run("serve", "--port", "0").stderr
    monkeypatch.delenv("NOUGHTS_PROXY")
    monkeypatch.setenv("NOUGHTS_ALLOW_HOST", "a.example b/c")
    assert "--allow-host: 'b/c'" in run("serve", "--port", "0").stderr
