"""The thread pool: fair turns, engines within their memory, and machines that keep their time."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from patience import PATIENCE

import noughts
from noughts import NotationError
from noughts.answers.positions import GraphPoint, point_data, value_data
from noughts.answers.problems import Refused
from noughts.answers.rules import SLOWEST
from noughts.database.store import file_url
from noughts.engine import Engine
from noughts.judgement.results import informed, merged
from noughts.search.result import Limit, Value
from noughts.web.app import create_app
from noughts.web.budgets import Budgets
from noughts.web.clients import NOBODY, Account
from noughts.web.knowledge import Known
from noughts.web.machine_moves import LARGEST_MIB, MoveSearch, parse_machine
from noughts.web.pool import Engines, Pool
from noughts.web.searches import GRAPH_NODES, Deepening, Graph
from noughts.web.settings import DEFAULT, Settings

API = "/api/v1"
A, B, C = (Account(address, "player") for address in "abc")


class Task:
    """A task that reports when it runs, and ends when released."""

    def __init__(self, name: str, log: list[str], slices: int = 1) -> None:
        self.name, self.log, self.slices = name, log, slices
        self.began = threading.Event()
        self.go = threading.Event()
        self.told = 0

    def go_on(self) -> bool:
        self.log.append(self.name)
        self.began.set()
        self.go.wait(PATIENCE)
        self.go.clear()
        self.slices -= 1
        return self.slices == 0

    def give_way(self) -> None:
        self.told += 1
        self.go.set()


def released(name: str, log: list[str]) -> Task:
    task = Task(name, log)
    task.go.set()
    return task


def in_pool(
    test: Callable[[Pool], Awaitable[None]],
    threads: int = 1,
    settings: Settings = DEFAULT,
    budgets: Budgets | None = None,
) -> None:
    async def run() -> None:
        pool = Pool(threads, settings, budgets)
        try:
            await asyncio.wait_for(test(pool), PATIENCE)
        finally:
            await pool.close()

    asyncio.run(run())


async def began(task: Task) -> None:
    assert await asyncio.to_thread(task.began.wait, PATIENCE)


def test_turns_go_to_the_address_and_then_to_the_cookie_with_less_use() -> None:
    log: list[str] = []
    budgets = Budgets()
    a1, a2, b1 = Account("a", "1"), Account("a", "2"), Account("b", "1")
    for account, seconds in ((a1, 2.0), (a2, 1.0), (b1, 2.5), (C, 3.5)):
        budgets.charge(account, seconds)

    async def test(pool: Pool) -> None:
        first = Task("first", log)
        running = [asyncio.ensure_future(pool.run(NOBODY, first))]
        await began(first)
        wanted = [(C, "c"), (a1, "a1"), (a1, "a1 again"), (a2, "a2"), (b1, "b"), (C, "c again")]
        for account, name in wanted:
            running.append(asyncio.ensure_future(pool.run(account, released(name, log))))
        await asyncio.sleep(0)
        assert pool.waiting == 6
        first.go.set()
        await asyncio.gather(*running)
        assert pool.waiting == 0

    in_pool(test, budgets=budgets)
    assert log == ["first", "b", "a2", "a1", "a1 again", "c", "c again"]


def test_slices_are_charged_to_their_account() -> None:
    log: list[str] = []
    budgets = Budgets()

    async def test(pool: Pool) -> None:
        long = Task("long", log)
        running = asyncio.ensure_future(pool.run(A, long))
        await began(long)
        await asyncio.sleep(0.2)
        long.go.set()
        await running

    in_pool(test, budgets=budgets)
    assert 0.15 < budgets.used(A) == pytest.approx(budgets.used("a"), rel=0.01)


def test_moves_come_first_in_every_slice() -> None:
    log: list[str] = []

    async def test(pool: Pool) -> None:
        first = Task("first", log)
        running = [asyncio.ensure_future(pool.run(A, first))]
        await began(first)
        running.append(asyncio.ensure_future(pool.run(B, released("analysis", log))))
        await asyncio.sleep(0)
        move = Task("move", log, slices=2)
        running.append(asyncio.ensure_future(pool.run(C, move, urgent=True)))
        await asyncio.sleep(0)
        first.go.set()
        while len(log) < 3:
            move.go.set()
            await asyncio.sleep(0.005)
        move.go.set()
        await asyncio.gather(*running)

    in_pool(test)
    assert log == ["first", "move", "move", "analysis"]


def test_move_of_an_address_far_over_its_share_is_not_urgent() -> None:
    log: list[str] = []
    budgets = Budgets(cores=1)
    budgets.charge(A, 100.0)
    budgets.charge(B, 1.0)

    async def test(pool: Pool) -> None:
        first = Task("first", log)
        running = [asyncio.ensure_future(pool.run(C, first))]
        await began(first)
        for account, name, urgent in ((A, "move", True), (B, "analysis", False)):
            work = released(name, log)
            running.append(asyncio.ensure_future(pool.run(account, work, urgent=urgent)))
            await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await pool.run(A, released("too much", log))
        assert (refused.value.status, refused.value.kind) == (429, "over-budget")
        assert refused.value.retry >= 1
        first.go.set()
        await asyncio.gather(*running)

    in_pool(test, budgets=budgets)
    assert log == ["first", "analysis", "move"]


def test_long_task_yields_and_resumes() -> None:
    log: list[str] = []
    waits: list[bool] = []

    async def test(pool: Pool) -> None:
        long = Task("long", log, slices=2)
        running = asyncio.ensure_future(pool.run(A, long, told=waits.append))
        await began(long)
        await pool.run(B, released("short", log))
        while len(log) < 3:
            await asyncio.sleep(0.005)
        long.go.set()
        await running

    in_pool(test)
    assert log == ["long", "short", "long"]
    assert waits == [True, False, True, False]


def test_single_task_is_not_interrupted() -> None:
    log: list[str] = []

    async def test(pool: Pool) -> None:
        tasks = [Task(name, log) for name in "ab"]
        running = [asyncio.ensure_future(pool.run(Account(task.name), task)) for task in tasks]
        await asyncio.sleep(0.1)
        assert [task.told for task in tasks] == [0, 0]
        for task in tasks:
            task.go.set()
        await asyncio.gather(*running)

    in_pool(test, 2, Settings(slice=0.01, first_slice=0.01, urgent_slice=0.01))


def test_too_many_tasks_are_refused_at_once() -> None:
    log: list[str] = []

    async def refused(pool: Pool, account: Account, urgent: bool = False) -> Refused:
        with pytest.raises(Refused) as caught:
            await pool.run(account, released("too much", log), urgent=urgent)
        return caught.value

    async def test(pool: Pool) -> None:
        first = Task("first", log)
        running = [asyncio.ensure_future(pool.run(A, first))]
        await began(first)

        async def queued(account: Account, urgent: bool = False) -> None:
            task = released(account.address, log)
            running.append(asyncio.ensure_future(pool.run(account, task, urgent=urgent)))
            await asyncio.sleep(0)

        await queued(A)
        await queued(A)
        problem = await refused(pool, A)
        assert (problem.status, problem.kind) == (503, "busy")
        assert problem.retry > 0
        other = Account("a", "another cookie")
        await queued(other)
        await refused(pool, other)
        await queued(B)
        await refused(pool, C)
        await queued(C, urgent=True)
        await refused(pool, C, urgent=True)
        first.go.set()
        await asyncio.gather(*running)
        await pool.run(A, released("again", log))

    limits = {"searches_of_one": 3, "searches_of_cookie": 2}
    in_pool(test, settings=Settings(waiting_moves=5, waiting_searches=4, **limits))
    assert "too much" not in log
    assert log[-1] == "again"


def test_task_of_a_disconnected_client_is_cancelled() -> None:
    log: list[str] = []

    async def test(pool: Pool) -> None:
        long, other = Task("long", log), Task("other", log)
        running = asyncio.ensure_future(pool.run(A, long))
        await began(long)
        waiting = asyncio.ensure_future(pool.run(B, other))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        assert pool.waiting == 0
        running.cancel()
        await pool.run(C, released("next", log))
        assert long.told > 0

    in_pool(test)
    assert log == ["long", "next"]


def test_failing_task_reports_and_frees_its_thread() -> None:
    class Failing:
        def go_on(self) -> bool:
            raise ZeroDivisionError

        def give_way(self) -> None:
            raise AssertionError

    log: list[str] = []

    async def test(pool: Pool) -> None:
        with pytest.raises(ZeroDivisionError):
            await pool.run(A, Failing())
        await pool.run(A, released("next", log))

    in_pool(test)
    assert log == ["next"]


def test_closing_the_pool_ends_running_tasks() -> None:
    log: list[str] = []

    async def test(pool: Pool) -> None:
        long = Task("long", log)
        running = asyncio.ensure_future(pool.run(A, long))
        await began(long)
        waiting = asyncio.ensure_future(pool.run(B, Task("never", log)))
        await asyncio.sleep(0)
        await pool.close()
        assert running.cancelled() or running.cancelling() or running.done()
        waiting.cancel()

    in_pool(test)
    assert log == ["long"]


# Engines


def test_owner_gets_its_engine_again() -> None:
    engines = Engines()
    with engines.kept("a"):
        with engines.lent("a", "basic", 1) as first:
            pass
        with engines.lent("b", "basic", 1) as other:
            assert other is not first
        with engines.lent("a", "basic", 2) as larger:
            assert larger is not first
    with engines.lent("a", "basic", 1) as again:
        assert again is first
    with engines.lent("c", "basic", 1) as others, engines.lent("d", "basic", 1) as last:
        assert {others, last} == {first, other}, "an engine without an owner is for all"


def test_with_too_little_memory_most_owners_keep_their_tables() -> None:
    engines = Engines(max_mib=8)
    owners = [f"owner {number}" for number in range(6)]
    found_again = 0
    with ExitStack() as kept:
        for owner in owners:
            kept.enter_context(engines.kept(owner))
        known: dict[str, Engine] = {}
        for owner in 5 * owners:
            with engines.lent(owner, "basic", 2) as engine:
                found_again += known.get(owner) is engine
                known[owner] = engine
            assert engines.mib <= 8
    assert found_again >= 12, "discarding the oldest would keep none"


def test_memory_of_engines_is_bounded() -> None:
    engines = Engines(max_mib=8)
    for number in range(20):
        with engines.lent(f"owner {number}", "basic", 2):
            assert engines.mib <= 8
    with engines.lent("x", "basic", 2) as x, engines.lent("y", "advanced", 4) as y:
        assert engines.mib <= 8
        assert x is not y
    with engines.lent("y", "advanced", 4) as again:
        assert again is y


def test_failed_engine_takes_no_memory() -> None:
    engines = Engines()
    with (
        pytest.raises(ValueError, match="no evaluation"),
        engines.lent("a", "basic", 4, evaluation="report"),
    ):
        pass
    assert engines.mib == 0


# Searches


def test_analysis_in_slices_ends_with_the_truth() -> None:
    position = noughts.position("connect4:4,4~4.1X2.1O2.1X1O~X")
    true = Engine(position.rules_id).best_move(position, moves=True)
    assert true.exact
    search = Deepening(Engines(), "a", position, PATIENCE, Known(10))
    slices = 1
    while not interrupted(search, 0.001):
        slices += 1
    assert search.result is not None
    assert {move: value.kind for move, value in search.result.moves.items()} == {
        move: value.kind for move, value in true.moves.items()
    }
    assert search.result.value.kind == true.value.kind


def interrupted(search: Deepening, seconds: float) -> bool:
    timer = threading.Timer(seconds, search.give_way)
    timer.start()
    try:
        return search.go_on()
    finally:
        timer.join()


def test_analysis_keeps_its_time() -> None:
    search = Deepening(Engines(), "a", noughts.game("ultimate"), 0.2, Known(10))
    assert search.go_on()
    assert search.result is not None
    assert search.result.seconds > 0.1
    assert set(search.result.moves) == set(noughts.game("ultimate").legal_moves())


def test_proven_values_stay_and_estimates_share_a_depth() -> None:
    position = noughts.position("basic~XX1.OO1.3~X")
    engine = Engine("basic")
    whole = engine.best_move(position, moves=True)
    shallow = engine.best_move(position, Limit(depth=1), moves=True)
    assert whole.exact
    both = merged(whole, shallow)
    assert both.moves == whole.moves
    assert both.move == whole.move
    assert merged(shallow, whole).moves == whole.moves
    assert merged(None, shallow) is shallow


def test_graph_of_a_game_is_for_x_and_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    line = [noughts.game("basic")]
    for move in (0, 1, 4, 8, 3):
        line.append(line[-1].play(move))
    told: list[GraphPoint] = []
    known = Known(10)
    assert Graph(Engines(), line, known, told.append).go_on()
    told.sort(key=lambda point: point["ply"])
    assert [point["ply"] for point in told] == [0, 1, 2, 3, 4, 5]
    assert [point["value"]["value"] for point in told[:3]] == ["draw", "draw", "win"]
    assert told[2]["value"] == value_data(Value.win(5))
    assert told[5]["score"] == 1

    def fails(*_: object) -> None:
        raise AssertionError("it is known already")

    monkeypatch.setattr(Engine, "best_move", fails)
    again: list[GraphPoint] = []
    assert Graph(Engines(), line, known, again.append).go_on()
    assert again[::-1] == told


def test_value_for_o_is_negated_for_x() -> None:
    o_to_move = noughts.game("basic").play(0)
    for position, value, for_x in (
        (o_to_move, Value.win(4), Value.loss(4)),
        (o_to_move, Value.unknown(0.25), Value.unknown(-0.25)),
        (noughts.game("basic"), Value.win(5), Value.win(5)),
    ):
        assert point_data(0, position, value)["value"] == value_data(for_x)


def test_number_of_cached_values_is_bounded() -> None:
    known = Known(most=2)
    start = noughts.game("basic")
    places = [start.play(move) for move in range(3)]
    engine = Engine("basic")
    for place in places:
        known.learn(engine.best_move(place, Limit(depth=4)))
    assert [known.get(place) is None for place in places] == [True, False, False]
    deep = known.get(places[2])
    known.learn(engine.best_move(places[2], Limit(depth=1)))
    assert known.get(places[2]) is deep, "the search with more nodes stays"
    proof = replace(engine.best_move(places[2]), nodes=1)
    assert proof.value.is_exact
    known.learn(proof)
    assert known.get(places[2]) is proof, "a proof replaces estimates"


@pytest.mark.parametrize("rules", ["connect4:4,4", "mnk:3,3,3,misere", "mnk:4,4,4", "basic"])
def test_proof_of_the_best_move_bounds_the_values_of_all(rules: str) -> None:
    rng, engine, kinds = random.Random(rules), Engine(rules), set()
    for _ in range(90):
        position = noughts.game(rules)
        for _ in range(rng.randint(0, 8)):
            if position.outcome() is None:
                position = position.play(rng.choice(list(position.legal_moves())))
        if position.outcome() is not None:
            continue
        engine.clear()
        early = engine.best_move(position, Limit(nodes=2), moves=True)
        truth = engine.best_move(position, moves=True)
        found = informed(early, engine.best_move(position))
        assert found.value.kind == truth.value.kind
        if not early.value.is_exact:
            kinds.add(truth.value.kind)
            assert found.move is not None
            assert truth.moves[found.move].kind == truth.value.kind
        for move, value in found.moves.items():
            if value.is_exact:
                assert value.kind == truth.moves[move].kind
            elif truth.value.is_draw and not early.value.is_exact:
                assert (value.estimate or 0) <= 0
    assert kinds >= {"draw", "win"}


def test_analysis_continues_an_earlier_one() -> None:
    position, known = noughts.game("ultimate"), Known(10)
    first = Deepening(Engines(), "a", position, 0.3, known)
    assert first.go_on()
    best = known.get(position)
    assert best is not None
    assert best.nodes <= GRAPH_NODES
    assert first.result is not None
    again = Deepening(Engines(), "a", position, 0.3, known, first.result)
    assert again.go_on()
    assert again.result is not None
    assert again.result.depth >= first.result.depth
    assert again.result.seconds >= first.result.seconds


# Machines


@pytest.mark.parametrize("level", range(1, 11))
def test_every_level_finds_a_legal_move(level: int) -> None:
    position = noughts.game("connect4")
    search = MoveSearch(Engines(), "a", position, parse_machine(f"engine:level={level}", position))
    while not search.go_on():
        pass
    assert search.best is not None
    assert search.best.move in position.legal_moves()


def test_machine_whose_time_ran_out_while_waiting_plays_at_once() -> None:
    machine = parse_machine("engine:seconds=30", noughts.game("ultimate"))
    search = MoveSearch(Engines(), "a", noughts.game("ultimate"), machine)
    search._asked -= 40
    assert search.go_on()
    assert search.best is not None
    assert search.best.seconds < 30


def test_machine_that_yields_continues_with_its_remaining_time() -> None:
    machine = parse_machine("engine:nodes=300000", noughts.game("ultimate"))
    search = MoveSearch(Engines(), "a", noughts.game("ultimate"), machine)
    timer = threading.Timer(0.01, search.give_way)
    timer.start()
    done = search.go_on()
    timer.join()
    while not done:
        done = search.go_on()
    assert search.best is not None
    assert search.best.move in noughts.game("ultimate").legal_moves()


@pytest.mark.parametrize(
    "text",
    [
        "human",
        "minimax:depth=2",
        "engine:level=11",
        "engine:colour=red",
        f"engine:seconds={SLOWEST + 1:g}",
        f"engine:table={LARGEST_MIB + 1}",
        "",
    ],
)
def test_unsupported_machines_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_machine(text, noughts.game("basic"))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(file_url(str(tmp_path / "games.db")), limits=None)
    with TestClient(app) as client:
        yield client


def opened(client: TestClient, start: str, **wanted: str) -> Any:
    answer = client.post(f"{API}/games", json={"start": start} | wanted)
    assert answer.status_code == 201, answer.text
    return answer.json()


def settled(client: TestClient, game: Any, wanted: Callable[[Any], bool]) -> Any:
    """Return a game as soon as it meets a condition."""
    until = time.monotonic() + PATIENCE
    while not wanted(game):
        assert time.monotonic() < until, game
        time.sleep(0.02)
        game = client.get(f"{API}/games/{game['id']}").json()
    return game


def change(client: TestClient, game: Any, what: str, **wanted: Any) -> Any:
    body = {"version": game["version"]} | wanted
    return client.post(f"{API}/games/{game['id']}/{what}", json=body)


# A book would answer at once: those of `advanced` have its start, that of Connect Four has not.
RULES_OF_A_LONG_SEARCH = ["mnk:15,15,5", "connect4", "ultimate:tie=boards", "ultimate:won=open"]


@pytest.mark.parametrize("rules", RULES_OF_A_LONG_SEARCH)
def test_stopped_machine_plays_its_best_move_so_far(
    client: TestClient, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.web.machine_moves.SLOWEST", 3_600.0)
    game = opened(client, rules, x="engine:seconds=3000", o="me")
    assert game["thinking"] == {"side": "X", "waiting": False}
    assert "stop" in game["can"]
    game = change(client, game, "stop").json()
    game = settled(client, game, lambda game: game["moves"])
    assert len(game["moves"]) == 1
    assert game["thinking"] is None
    answer = change(client, game, "stop")
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:noughts:nothing")


def test_waiting_machine_is_stopped_too(client: TestClient) -> None:
    pool: Pool = client.app.state.pool  # type: ignore[attr-defined]
    log: list[str] = []
    tasks = [Task("long", log, slices=-1) for _ in range(64)]
    assert client.portal is not None
    for task in tasks:
        task.give_way = lambda: None  # type: ignore[method-assign]
    running = [
        client.portal.start_task_soon(partial(pool.run, urgent=True), NOBODY, task)
        for task in tasks
    ]
    game = opened(client, "ultimate", x="engine:seconds=30", o="me")
    game = settled(client, game, lambda game: game["thinking"]["waiting"])
    game = change(client, game, "stop").json()
    game = settled(client, game, lambda game: game["moves"])
    assert len(game["moves"]) == 1
    for task, future in zip(tasks, running, strict=True):
        task.slices = 1
        task.go.set()
        future.cancel()


def test_machine_without_a_move_says_so_and_the_game_stays_open(client: TestClient) -> None:
    game = opened(client, "ultimate", x="me", o="perfect:seconds=0.05")
    game = change(client, game, "moves", move="55").json()
    game = settled(client, game, lambda game: game["trouble"])
    assert "could not solve" in game["trouble"]
    assert game["thinking"] is None
    assert {"undo", "resign"} <= set(game["can"])
    game = change(client, game, "undo").json()
    assert game["moves"] == []
    assert game["trouble"] is None
    game = change(client, game, "moves", move="51").json()
    game = settled(client, game, lambda game: game["trouble"])
    game = change(client, game, "resign").json()
    assert (game["result"], game["trouble"]) == ("0-1", None)


def test_perfect_plays_a_solved_move(client: TestClient) -> None:
    game = opened(client, "basic", x="me", o="perfect")
    game = change(client, game, "moves", move="1").json()
    game = settled(client, game, lambda game: len(game["moves"]) == 2)
    assert game["moves"] == ["1", "5"], "any other reply loses"


def test_busy_pool_only_delays_a_machine(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool: Pool = client.app.state.pool  # type: ignore[attr-defined]
    run = pool.run
    refused: list[bool] = []

    async def busy_once(*work: Any, **how: Any) -> None:
        if not refused:
            refused.append(True)
            raise Refused(503, "busy", "The engine is busy.", retry=0.05)
        await run(*work, **how)

    monkeypatch.setattr(pool, "run", busy_once)
    game = opened(client, "basic", x="engine:level=1", o="me")
    settled(client, game, lambda game: len(game["moves"]) == 1)
    assert refused
