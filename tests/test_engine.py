"""The native engine: exact answers, limits, stopping, threads, and the door."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from math import inf
from pathlib import Path

import pytest
from samples import random_game

import noughts
from noughts.engine import METHODS, Engine
from noughts.games.row import ConnectFour
from noughts.search import WIN, Limit, Value, every_move, minimax, negamax, solve_all
from noughts.search.walk import unknown

DATA = Path(__file__).with_name("data")


@pytest.fixture(scope="module")
def basic() -> Engine:
    return Engine("basic", table_mib=1)


def test_3x3_positions_are_solved_with_their_distance(basic: Engine) -> None:
    for position, value in list(solve_all(noughts.game("basic")).items())[::3]:
        for result in (basic.solve(position), basic.best_move(position)):
            assert result.exact
            assert result.value.value == value.value, str(position)
            if result.move is None:
                assert position.outcome() is not None
        assert basic.best_move(position).value == value, str(position)


def test_every_move_is_valued(basic: Engine) -> None:
    rng = random.Random(1)
    for _ in range(50):
        *_, position, _, _ = random_game(noughts.game("basic"), rng)
        assert basic.scores(position).scores == every_move(minimax, position).scores


@pytest.mark.parametrize("rules_id", ["mnk:4,4,3", "mnk:3,3,3,misere", "mnk:4,3,3,misere"])
def test_row_games_agree_with_python(rules_id: str) -> None:
    engine, rng = Engine(rules_id, table_mib=1), random.Random(rules_id)
    for _ in range(20):
        *_, position, _, _, _, _ = random_game(noughts.game(rules_id), rng)
        expected = negamax(position, evaluate=unknown)
        for result in (engine.solve(position), engine.best_move(position)):
            assert (result.exact, result.value.value) == (True, expected.value.value)


@pytest.mark.parametrize(
    "rules_id",
    [
        *("advanced", "advanced:full=draw", "ultimate", "ultimate:tie=boards"),
        *("ultimate:won=open", "connect4", "connect4:5,4", "connect4:9,9"),
    ],
)
def test_endgames_agree_with_python(rules_id: str) -> None:
    engine, rng = Engine(rules_id, table_mib=4), random.Random(rules_id)
    for _ in range(25):
        positions = list(random_game(noughts.game(rules_id), rng))
        position = positions[-min(len(positions), rng.randint(2, 7))]
        expected = negamax(position, Limit(nodes=10_000), evaluate=unknown)
        if not expected.exact:
            continue
        for result in (engine.solve(position), engine.best_move(position)):
            assert (result.exact, result.value.value) == (True, expected.value.value), str(position)
        by_simulations = engine.best_move(position, Limit(simulations=20_000), method="mcts")
        if by_simulations.exact:
            assert by_simulations.value.value == expected.value.value, str(position)


@pytest.mark.parametrize(
    ("rules_id", "value"),
    [
        # Uiterwijk 2019; Hsu, Ko et al. 2020; and earlier ones.
        *(("mnk:4,3,3", "win"), ("mnk:5,3,3", "win"), ("mnk:6,3,3", "win"), ("mnk:4,4,3", "win")),
        *(("mnk:6,5,4", "win"), ("mnk:6,6,4", "win"), ("mnk:7,7,4", "win")),
        *(("mnk:3,3,3", "draw"), ("mnk:4,4,4", "draw"), ("mnk:5,4,4", "draw")),
        *(("mnk:6,4,4", "draw"), ("mnk:7,4,4", "draw"), ("mnk:5,5,4", "draw")),
        *(("mnk:5,5,5", "draw"), ("mnk:6,5,5", "draw"), ("mnk:6,6,5", "draw")),
        *(("mnk:7,5,5", "draw"), ("mnk:7,7,5", "draw"), ("mnk:3,3,3,misere", "draw")),
        # Tromp, John's Connect Four Playground.
        *(("connect4:4,4", "draw"), ("connect4:5,4", "draw"), ("connect4:7,4", "draw")),
        *(("connect4:4,5", "draw"), ("connect4:5,5", "draw"), ("connect4:4,6", "draw")),
        *(("connect4:6,5", "draw"), ("connect4:5,6", "draw"), ("connect4:6,4", "loss")),
        ("connect4:6,6", "loss"),
    ],
)
def test_published_values(rules_id: str, value: str) -> None:
    result = Engine(rules_id, table_mib=64).solve(rules_id, Limit(seconds=60), weakly=True)
    assert (result.exact, result.value.value) == (True, value)


@pytest.mark.soak
@pytest.mark.parametrize(("rules_id", "value"), [("connect4", "win"), ("mnk:8,4,4", "draw")])
def test_published_values_that_take_longer(rules_id: str, value: str) -> None:
    result = Engine(rules_id, table_mib=512).solve(rules_id, Limit(seconds=900), weakly=True)
    assert (result.exact, result.value.value) == (True, value)


def score_of(engine: Engine, moves: str) -> int:
    """Return the exact score after moves, in stones as the literature counts them."""
    position = ConnectFour.start()
    for move in noughts.parse_moves(position, moves):
        position = position.play(move)
    value = engine.solve(position).value
    if value.plies is None:
        assert value.value == "draw"
        return 0
    stones = position.score_of_win(value.plies)
    return stones if value.value == "win" else -stones


@pytest.mark.parametrize(("moves", "score"), [("4455", 18), ("44455554221", -15)])
def test_published_scores_of_connect_four(moves: str, score: int) -> None:
    """Those of blog.gamesolver.org."""
    assert score_of(Engine("connect4"), moves) == score


def test_scores_of_connect_four_that_another_program_finds_too() -> None:
    """Random positions of ten stones and more, scored by Pascal Pons' program as well."""
    engine = Engine("connect4", table_mib=8)
    for line in (DATA / "connect4.txt").read_text().splitlines():
        moves, score = line.split()
        engine.clear()
        assert score_of(engine, moves) == int(score), moves


@pytest.mark.soak
def test_scores_of_the_first_moves_of_connect_four() -> None:
    """Those of blog.gamesolver.org; a reply's score is the move's turned round."""
    engine = Engine("connect4", table_mib=512)
    assert [-score_of(engine, f"{column}") for column in range(1, 8)] == [-2, -1, 0, 1, 0, -1, -2]


@pytest.mark.soak
def test_ultimate_with_won_boards_open_is_won_by_x_by_ply_43_and_not_by_41() -> None:
    """After the 16 plies that Bertholon et al. (arXiv 2006.02353) show to be forced."""
    position = noughts.game("ultimate:won=open")
    for move in noughts.parse_moves(position, "55 51 15 52 25 53 35 54 45 56 65 57 75 58 85 59"):
        position = position.play(move)
    limit = Limit(depth=43 - position.ply, seconds=1800)
    result = Engine("ultimate:won=open", table_mib=512).solve(position, limit)
    assert (result.exact, result.value) == (True, Value("win", None, None))
    assert result.bounds == (WIN - 43, inf)
    limit = Limit(depth=41 - position.ply, seconds=1800)
    result = Engine("ultimate:won=open", table_mib=512).solve(position, limit)
    assert not result.exact
    assert result.bounds == (-(WIN - 42), WIN - 42)


@pytest.mark.parametrize("rules_id", ["advanced", "ultimate", "ultimate:won=open"])
def test_a_win_is_solved_within_its_distance_and_not_sooner(rules_id: str) -> None:
    engine, rng, found = Engine(rules_id, table_mib=4), random.Random(2), 0
    while found < 3:
        for position in list(random_game(noughts.game(rules_id), rng))[:-1]:
            plies = engine.best_move(position, Limit(depth=5)).value.plies
            if plies is not None and plies >= 3:
                found += 1
                for depth in (plies - 1, plies):
                    result = engine.solve(position, Limit(depth=depth))
                    assert result.exact == (depth == plies)
                    end = WIN - position.ply - plies
                    assert result.bounds == ((end, inf) if result.exact else (-end, end))
                break


def test_each_move_of_a_proven_line_keeps_the_value() -> None:
    """Also where the table is full of what other searches have left."""
    solution = solve_all(noughts.game("basic"))
    engine = Engine("basic")
    going_on = [position for position in solution if position.outcome() is None]
    for position in going_on:
        engine.scores(position)
    for position in going_on:
        line = engine.best_move(position, method="alphabeta").pv
        assert line
        for move in line:
            value = solution[position]
            position = position.play(move)
            assert solution[position].for_mover == value


def test_only_the_centre_draws_misere() -> None:
    result = Engine("mnk:3,3,3,misere").scores("mnk:3,3,3,misere")
    assert [m for m, value in result.scores.items() if value.value == "draw"] == [4]
    assert {value.value for m, value in result.scores.items() if m != 4} == {"loss"}


def test_a_search_that_is_cut_short_is_honest() -> None:
    result = Engine("connect4", table_mib=8).solve("connect4", Limit(nodes=5_000))
    assert (result.exact, result.complete, result.value.value) == (False, False, "unknown")
    low, high = result.bounds
    assert low < 1
    assert high > -1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rules_id", ["ultimate", "advanced", "connect4", "mnk:15,15,5"])
def test_results_get_better_within_the_limit(rules_id: str, method: str) -> None:
    engine = Engine(rules_id, table_mib=16, seed=3)
    results = list(engine.analyse(rules_id, Limit(nodes=20_000), method=method))
    assert [result.nodes for result in results] == sorted(result.nodes for result in results)
    legal = noughts.game(rules_id).legal_moves()
    for result in results:
        assert result.nodes <= 20_000
        assert result.move in legal
        position = noughts.game(rules_id)
        for move in result.pv:
            position = position.play(move)
    again = list(
        Engine(rules_id, table_mib=16, seed=3).analyse(rules_id, Limit(nodes=20_000), method=method)
    )
    assert [(r.move, r.score, r.nodes) for r in again] == [
        (r.move, r.score, r.nodes) for r in results
    ]


@pytest.mark.parametrize("method", METHODS)
def test_a_thousand_searches_are_stopped_at_random_moments(method: str) -> None:
    engine, rng = Engine("ultimate", table_mib=4), random.Random(method)
    slowest = 0.0
    for _ in range(500):
        stopped: list[float] = []

        def stop(into: list[float] = stopped) -> None:
            into.append(time.perf_counter())
            engine.stop()

        timer = threading.Timer(rng.random() * 0.004, stop)
        results = engine.analyse("ultimate", method=method)
        timer.start()
        *_, last = results
        ended = time.perf_counter()
        timer.join()
        assert last.move is not None
        slowest = max(slowest, ended - stopped[0])
    assert slowest < 0.5  # 20 ms on a quiet machine; a shared one may take the processor away


def test_a_generator_that_is_left_ends_its_search() -> None:
    engine = Engine("ultimate", table_mib=4)
    for _ in engine.analyse("ultimate"):
        break
    assert engine.best_move("ultimate", Limit(nodes=1000)).move is not None


def test_two_engines_in_two_threads() -> None:
    def search(into: list[int]) -> None:
        into.append(
            Engine("ultimate", table_mib=4).best_move("ultimate", Limit(nodes=50_000)).nodes
        )

    found: list[int] = []
    threads = [threading.Thread(target=search, args=(found,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1


def test_control_c_ends_a_search() -> None:
    script = (
        "from noughts.engine import Engine; print(1, flush=True); "
        "Engine('ultimate').best_move('ultimate')"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    _, complaint = child.communicate(timeout=10)
    assert "KeyboardInterrupt" in complaint


def test_refusals() -> None:
    with pytest.raises(noughts.NotationError, match="there is no game"):
        Engine("checkers")
    with pytest.raises(ValueError, match="the least is 1"):
        Engine("basic", table_mib=0)
    engine = Engine("basic", table_mib=1)
    with pytest.raises(noughts.NotationError, match="this engine is of basic"):
        engine.best_move("connect4")
    with pytest.raises(noughts.NotationError, match="both X and O have a line"):
        engine.solve("basic~XXX.OOO.3~X")
    with pytest.raises(ValueError, match="there is no method"):
        engine.analyse("basic", method="guess")


@pytest.mark.parametrize(
    ("rules_id", "moves"),
    [
        *(("ultimate", ""), ("ultimate", "55"), ("ultimate:won=open", "55 51"), ("advanced", "")),
        *(("connect4", ""), ("connect4", "4"), ("mnk:5,5,4", "c3"), ("mnk:5,4,4", "")),
    ],
)
def test_moves_that_a_symmetry_makes_the_same(rules_id: str, moves: str) -> None:
    start = noughts.game(rules_id)
    for move in noughts.parse_moves(start, moves):
        start = start.play(move)
    engine = Engine(rules_id, table_mib=4)
    result = engine.scores(start, Limit(depth=3))
    for move in start.legal_moves():
        reply = engine.best_move(start.play(move), Limit(depth=2)).value
        assert reply.estimate is not None
        assert result.scores[move].estimate == -reply.estimate


@pytest.mark.parametrize("plays_first", [True, False])
def test_basic_is_played_perfectly_over_all_lines(basic: Engine, plays_first: bool) -> None:
    """It never loses, and takes every win that it is offered in the fewest moves."""
    values = solve_all(noughts.game("basic"))
    waiting, seen = [(noughts.game("basic"), plays_first)], set()
    while waiting:
        position, engine_moves = waiting.pop()
        if position in seen or position.outcome() is not None:
            continue
        seen.add(position)
        if not engine_moves:
            waiting += [(position.play(move), True) for move in position.legal_moves()]
            continue
        move = basic.best_move(position).move
        assert move is not None
        after = position.play(move)
        assert values[after].for_mover == values[position], str(position)
        assert values[position].value != "loss", str(position)
        waiting.append((after, False))
