"""Budgets: use by address and cookie, and a school class that plays behind one address."""

from __future__ import annotations

import asyncio
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest
from patience import PATIENCE
from web import API, Person, people, problem

from noughts.answers.problems import Refused
from noughts.database.store import Store, StoreUnavailable, file_url
from noughts.web.budgets import BUSY, EXCESS, HALF_LIFE, MAX_USERS, Budgets, Metered
from noughts.web.clients import Account
from noughts.web.quotas import Quotas
from noughts.web.security import Limits

A, B = Account("a", "1"), Account("b", "1")


@dataclass
class Turn:
    account: Account
    urgent: bool = False


def test_use_decays_and_is_that_of_the_address_too() -> None:
    now = [0.0]
    budgets = Budgets(clock=lambda: now[0])
    budgets.charge(A, 3.0)
    budgets.charge(Account("a", "2"), 1.0)
    assert (budgets.used("a"), budgets.used(A)) == (4.0, 3.0)
    now[0] = 2 * HALF_LIFE
    assert (budgets.used("a"), budgets.used(A)) == (1.0, 0.75)
    for _ in range(50):
        now[0] += 30 * HALF_LIFE
        budgets.charge(B, 1.0)
    assert budgets.used("b") == pytest.approx(1.0)
    assert budgets.used("a") < 1e-9


def test_number_of_known_users_is_bounded() -> None:
    budgets = Budgets()
    budgets.charge(A, 5.0)
    for number in range(MAX_USERS):
        budgets.charge(Account("c", str(number)), 0.001)
    assert len(budgets._of_accounts) <= MAX_USERS
    assert budgets.used("a") > 4


class Unread(dict[Account, float]):
    """A dictionary whose entries are looked up, and never walked through."""

    def walk(self, *_: object) -> NoReturn:
        pytest.fail("all accounts are read")

    __iter__ = keys = values = items = walk


def test_checks_take_no_longer_with_the_cookies_of_an_address() -> None:
    budgets = Budgets()
    for number in range(1_000):
        budgets.charge(Account("c", str(number)), 0.001)
    budgets._of_accounts = Unread(budgets._of_accounts)
    for _ in range(10):
        budgets.charge(A, 0.03)
        budgets.check(B)
        assert budgets.used(A) > 0


def test_only_a_busy_machine_refuses_and_only_an_address_far_over_its_share() -> None:
    budgets = Budgets(cores=2, clock=lambda: 0.0)
    budgets.charge(A, 1000.0)
    budgets.check(A)
    budgets.charge(B, 1.0)
    with pytest.raises(Refused) as refused:
        budgets.check(A)
    assert (refused.value.status, refused.value.kind) == (429, "over-budget")
    assert refused.value.retry >= 1
    budgets.check(B)
    Budgets(cores=2, refuses=False).check(A)
    idle = Budgets(cores=100, clock=lambda: 0.0)
    for account in (A, B):
        idle.charge(account, 1.0)
    idle.charge(A, BUSY * idle._all / 2)
    idle.check(A)


def test_work_of_an_address_far_over_its_share_is_not_urgent() -> None:
    budgets = Budgets(cores=1, clock=lambda: 0.0)
    budgets.charge(B, 1.0)
    move, analysis = Turn(A, urgent=True), Turn(B)
    budgets.charge(A, EXCESS * budgets._all / 2 * 0.99)
    assert budgets.first([analysis, move]) is move
    budgets.charge(A, 1.0)
    assert budgets.first([analysis, move]) is analysis


def test_each_step_of_a_metered_task_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no second that passes between its steps."""
    charged: list[float] = []
    clock = SimpleNamespace(now=0.0)
    clock.perf_counter = lambda: clock.now
    monkeypatch.setattr("noughts.web.budgets.time", clock)

    async def task(waits: asyncio.Event) -> str:
        clock.now += 2
        await asyncio.sleep(0)
        waits.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            clock.now += 3
        return "done"

    async def run() -> str:
        waits = asyncio.Event()
        running = asyncio.ensure_future(_awaited(Metered(task(waits), charged.append)))
        await waits.wait()
        clock.now += 100
        running.cancel()
        return await running

    async def _awaited(metered: Metered[str]) -> str:
        return await metered

    assert asyncio.run(run()) == "done"
    assert [each for each in charged if each] == [2, 3]


def test_class_behind_one_address_plays_level_4_without_a_refusal(tmp_path: Path) -> None:
    """Thirty cookies, full games over HTTP, while another address is active."""
    played: list[int] = []

    def play(pupil: Person, number: int) -> None:
        rng = random.Random(number)
        game = pupil.open(("basic", "connect4", "mnk:5,5,4")[number % 3], o="engine:level=4")
        until = time.monotonic() + PATIENCE
        while game["result"] == "*":
            assert time.monotonic() < until
            if "move" in game["can"]:
                game = pupil.change(game, "moves", move=rng.choice(list(game["position"]["moves"])))
            else:
                time.sleep(0.05)
                game = pupil.get_json(f"/games/{game['id']}")
        played.append(len(game["moves"]))

    with people(tmp_path, 30, limits=Limits()) as pupils:
        pupils[0].app.state.budgets.charge(B, 1.0)  # type: ignore[attr-defined]
        with ThreadPoolExecutor(30) as threads:
            for each in [threads.submit(play, *pair[::-1]) for pair in enumerate(pupils)]:
                each.result()
    assert len(played) == 30


def test_only_heavy_work_of_an_address_over_its_share_is_refused(tmp_path: Path) -> None:
    with people(tmp_path, limits=Limits()) as (anna,):
        game = anna.open(o="me")
        budgets: Budgets = anna.app.state.budgets  # type: ignore[attr-defined]
        budgets.charge(Account("testclient"), 1000.0)
        budgets.charge(B, 1.0)
        line = {"start": "basic", "moves": []}
        heavy = ("analysis", "graph", "explain", "review", "replay", "labs/counts")
        for path, body in [("games", {"start": "basic"}), *((each, line) for each in heavy)]:
            refused = anna.post(f"{API}/{path}", json=body)
            assert problem(refused) == (429, "over-budget"), path
            assert int(refused.headers["retry-after"]) >= 1
        with anna.websocket_connect(f"{API}/analysis") as session:
            for number, do in enumerate(("analyse", "hint")):
                session.send_json({"do": do, "id": number} | line)
                assert session.receive_json()["type"] == "urn:noughts:over-budget"
        assert len(anna.play(game, *"51379")["moves"]) == 5
        assert anna.ask("GET", "/games").status_code == 200


# Stored games


def test_address_stores_a_bounded_number_of_games(tmp_path: Path) -> None:
    with people(tmp_path, 2, limits=Limits(stored_games=3)) as (anna, ben):
        game = anna.open(o="me")
        for _ in range(2):
            ben.open(o="me")
        record = "basic 5 1 9\n"
        for path, body in (
            ("/games", {"start": "basic"}),
            ("/games/import", {"text": record}),
        ):
            refused = anna.ask("POST", path, body)
            assert problem(refused) == (429, "quota")
            assert refused.headers["Retry-After"] == "60"
            assert "may store 3 games" in refused.json()["detail"]
        assert anna.play(game, "5")["moves"] == ["5"], "moves are never refused"
        assert anna.ask("DELETE", f"/games/{game['id']}").status_code == 204
    with people(tmp_path, 1, limits=Limits(stored_games=3)) as (anna,):
        anna.open(o="me")
        assert problem(anna.ask("POST", "/games", {"start": "basic"})) == (429, "quota")


def test_address_stores_a_bounded_size(tmp_path: Path) -> None:
    with people(tmp_path, 1, limits=Limits(stored_mib=1)) as (anna,):
        game = anna.open(o="me")
        text = "x" * 2_000
        for _ in range(600):
            body = {"version": game["version"], "path": [], "comment": text}
            answer = anna.ask("PUT", f"/games/{game['id']}/comments", body)
            if answer.status_code != 200:
                break
            game = answer.json()
        assert problem(answer) == (429, "quota")
        assert game["version"] > 400
        assert "may store 1 MiB" in answer.json()["detail"]
        long = {"text": "basic 5 1 9 2\n" * 200}
        assert problem(anna.ask("POST", "/games/import", long)) == (429, "quota")


def test_games_are_opened_while_the_database_does_not_answer(tmp_path: Path) -> None:
    class Down(Store):
        def use(self, address: str) -> tuple[int, int]:
            raise StoreUnavailable(address)

    store = Down(file_url(str(tmp_path / "games.db")))
    quotas = Quotas(store, Limits(stored_games=2))
    for _ in range(2):
        asyncio.run(quotas.check(games=1))
    with pytest.raises(Refused, match="may store 2 games"):
        asyncio.run(quotas.check(games=1))
    store.close()


def test_address_in_the_database_is_of_no_use_elsewhere(tmp_path: Path) -> None:
    first, second = (Store(file_url(str(tmp_path / name))) for name in ("a.db", "b.db"))
    assert first.origin("192.0.2.1") == first.origin("192.0.2.1") != second.origin("192.0.2.1")
    first.close()
    again = Store(file_url(str(tmp_path / "a.db")))
    assert again.origin("192.0.2.1") != second.origin("192.0.2.1")
    again.close()
    second.close()
