"""The native engine: exact answers, limits, stopping, threads, and the interface in Python."""

from __future__ import annotations

import itertools
import random
import signal
import subprocess
import sys
import threading
import time
from math import inf
from pathlib import Path

import pytest
from patience import PATIENCE
from samples import data, random_game, random_position, reachable

import noughts
from noughts import nets
from noughts.engine import METHODS, Engine
from noughts.games.row import ConnectFour, RowPosition
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
            assert result.value.kind == value.kind, str(position)
            if result.move is None:
                assert position.outcome() is not None
        assert basic.best_move(position).value == value, str(position)


def test_every_move_has_a_value(basic: Engine) -> None:
    rng = random.Random(1)
    for _ in range(50):
        *_, position, _, _ = random_game(noughts.game("basic"), rng)
        assert basic.best_move(position, moves=True).moves == every_move(minimax, position).moves


@pytest.mark.parametrize(
    "rules_id",
    [
        *("mnk:4,4,3", "mnk:3,3,3,misere", "mnk:4,3,3,misere", "mnk:4,4,3,exact"),
        *("mnk:4,3,3,exact,misere", "mnk:5,3,3,exact"),
    ],
)
def test_row_games_agree_with_python(rules_id: str) -> None:
    engine, rng = Engine(rules_id, table_mib=1), random.Random(rules_id)
    for _ in range(20):
        *_, position, _, _, _, _ = random_game(noughts.game(rules_id), rng)
        expected = negamax(position, evaluate=unknown)
        solved = engine.solve(position)
        for result in (solved, engine.best_move(position)):
            assert (result.exact, result.value.kind) == (True, expected.value.kind)
        assert solved.value.plies in (expected.value.plies, None)


# In one row long lines are frequent, and marks that spoil an own line, or a wait for the other side
# to do so, decide games: monotone arguments would fail here. In misere games it matters who runs
# out of moves first.
@pytest.mark.parametrize(
    ("rules_id", "positions"),
    [
        *(("mnk:3,3,2,exact", 476), ("mnk:7,1,3,exact", 651), ("mnk:9,1,2,exact,misere", 2046)),
        *(("mnk:5,2,2,exact", 969), ("mnk:4,3,2,exact", 4031)),
        *(("mnk:3,3,3,misere", 4520), ("mnk:8,1,2,misere", 697)),
        *(("mnk:4,3,2,misere", 2463), ("mnk:9,1,3,misere", 4856)),
        pytest.param("mnk:5,2,3,misere", 14011, marks=pytest.mark.soak),
        pytest.param("mnk:4,3,3,misere", 79563, marks=pytest.mark.soak),
        pytest.param("mnk:9,1,3,exact", 4934, marks=pytest.mark.soak),
        pytest.param("mnk:4,3,3,exact", 81489, marks=pytest.mark.soak),
        pytest.param("mnk:5,2,3,exact", 14229, marks=pytest.mark.soak),
    ],
)
def test_every_position_of_small_games_is_solved(rules_id: str, positions: int) -> None:
    start = noughts.game(rules_id)
    engine, values = Engine(rules_id, table_mib=1), dict[noughts.Position, int]()
    for position in sorted(reachable(start), key=lambda each: -each.ply):
        outcome = position.outcome()
        if outcome is not None:
            sign = 1 if outcome.winner is position.turn else -1
            values[position] = sign if outcome.winner else 0
            continue
        best = max(-values[position.play(move)] for move in position.legal_moves())
        values[position] = best
        for result in (engine.solve(position), engine.solve(position, weakly=True)):
            assert result.exact, str(position)
            assert result.value.kind == ("draw", "win", "loss")[best], str(position)
            move = position.play(result.move) if result.move is not None else position
            assert -values[move] == best, str(position)
    assert sum(1 for position in values if position.outcome() is None) == positions


@pytest.mark.parametrize(
    ("position", "value"),
    [
        ("mnk:5,5,4,exact~1O3.1X2X.O1O2.X1OXX.OX2O~X", Value.win(7)),
        ("mnk:6,4,4,exact~4XO.OXX1O1.X4O.OX2X1~O", Value.draw()),
    ],
)
def test_a_cell_on_fewer_lines_is_better_where_a_mark_spoils_a_line(
    position: str, value: Value
) -> None:
    """With `exact`, a cell on all lines of another one may be the worse of the two."""
    here = noughts.position(position)
    result = Engine(here.rules_id, table_mib=1).solve(here)
    assert (result.exact, result.value) == (True, value)


@pytest.mark.parametrize(
    "rules_id",
    [
        *("advanced", "advanced:full=draw", "ultimate", "ultimate:tie=boards"),
        *("ultimate:won=open", "connect4", "connect4:5,4", "connect4:9,9"),
    ],
)
def test_endgames_agree_with_python(rules_id: str) -> None:
    engine, rng = Engine(rules_id, table_mib=4), random.Random(rules_id)
    compared = compared_with_mcts = 0
    for _ in range(16):
        positions = list(random_game(noughts.game(rules_id), rng))
        position = positions[-min(len(positions), rng.randint(2, 7))]
        expected = negamax(position, Limit(nodes=10_000), evaluate=unknown)
        if not expected.exact:
            continue
        for result in (engine.solve(position), engine.best_move(position)):
            assert (result.exact, result.value.kind) == (True, expected.value.kind), str(position)
        compared += 1
        by_simulations = engine.best_move(position, Limit(simulations=20_000), method="mcts")
        if by_simulations.exact:
            assert by_simulations.value.kind == expected.value.kind, str(position)
            compared_with_mcts += 1
    assert compared >= 5
    assert compared_with_mcts >= 5


@pytest.mark.parametrize(
    ("rules_id", "value"),
    [
        # Uiterwijk 2019; Hsu, Ko et al. 2020; and earlier papers.
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
    result = Engine(rules_id, table_mib=64).solve(rules_id, weakly=True)
    assert (result.exact, result.value.kind) == (True, value)


@pytest.mark.soak
@pytest.mark.parametrize(("rules_id", "value"), [("connect4", "win"), ("mnk:8,4,4", "draw")])
def test_published_values_that_take_longer(rules_id: str, value: str) -> None:
    result = Engine(rules_id, table_mib=512).solve(rules_id, Limit(seconds=900), weakly=True)
    assert (result.exact, result.value.kind) == (True, value)


def score_of(engine: Engine, moves: str) -> int:
    """Return the exact score after moves, in stones, as in the literature."""
    position = ConnectFour.start().after(moves)
    value = engine.solve(position).value
    if value.plies is None:
        assert value.is_draw
        return 0
    stones = position.score_of_win(value.plies)
    return stones if value.is_win else -stones


@pytest.mark.parametrize(("moves", "score"), [("4455", 18), ("44455554221", -15)])
def test_published_scores_of_connect_four(moves: str, score: int) -> None:
    """The scores of blog.gamesolver.org."""
    assert score_of(Engine("connect4"), moves) == score


def test_scores_of_connect_four_agree_with_another_program() -> None:
    """Random positions of ten stones or more, scored by Pascal Pons' program."""
    engine = Engine("connect4", table_mib=8)
    for line in (DATA / "connect4.txt").read_text().splitlines():
        moves, score = line.split()
        engine.clear()
        assert score_of(engine, moves) == int(score), moves


@pytest.mark.soak
def test_scores_of_the_first_moves_of_connect_four() -> None:
    """The scores of blog.gamesolver.org; a reply has the negated score of the move."""
    engine = Engine("connect4", table_mib=512)
    assert [-score_of(engine, f"{column}") for column in range(1, 8)] == [-2, -1, 0, 1, 0, -1, -2]


@pytest.mark.soak
def test_ultimate_with_won_boards_open_is_won_by_x_by_ply_43_and_not_by_41() -> None:
    """After 16 plies that Bertholon et al. (arXiv 2006.02353) prove to be forced."""
    position = noughts.game("ultimate:won=open").after(
        "55 51 15 52 25 53 35 54 45 56 65 57 75 58 85 59"
    )
    limit = Limit(depth=43 - position.ply, seconds=1800)
    result = Engine("ultimate:won=open", table_mib=512).solve(position, limit)
    assert (result.exact, result.value) == (True, Value.win())
    assert result.bounds == (WIN - 43, inf)
    limit = Limit(depth=41 - position.ply, seconds=1800)
    result = Engine("ultimate:won=open", table_mib=512).solve(position, limit)
    assert not result.exact
    assert result.bounds == (-(WIN - 42), WIN - 42)


@pytest.mark.parametrize("rules_id", ["advanced", "ultimate", "ultimate:won=open"])
def test_win_is_solved_at_its_distance_and_not_before(rules_id: str) -> None:
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


@pytest.mark.parametrize("games", [12, pytest.param(400, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "rules_id", ["advanced", "advanced:full=draw", "ultimate", "ultimate:tie=boards"]
)
def test_proofs_of_the_selective_search_are_right(rules_id: str, games: int) -> None:
    """Winners against the solver, distances against the search of all moves."""
    rng = random.Random(rules_id)
    engine, solver, whole = (Engine(rules_id, table_mib=4) for _ in range(3))
    proven = distances = 0
    for _ in range(games):
        for position in list(random_game(noughts.game(rules_id), rng))[10:-1:2]:
            limit = Limit(nodes=int(10 ** rng.uniform(2, 4.5)))
            found = engine.best_move(position, limit, method="selective")
            if not found.exact:
                continue
            solved = solver.solve(position, Limit(nodes=2_000_000))
            if solved.exact:
                proven += 1
                assert found.value.kind == solved.value.kind, str(position)
            if found.value.plies is not None:
                shorter = Limit(depth=found.value.plies)
                exact = whole.best_move(position, shorter, method="alphabeta")
                assert exact.value == found.value, str(position)
                distances += 1
    assert min(proven, distances) > games


def test_each_move_of_a_proven_line_keeps_the_value() -> None:
    """Also with a table that other searches have filled."""
    solution = solve_all(noughts.game("basic"))
    engine = Engine("basic")
    going_on = [position for position in solution if position.outcome() is None]
    for position in going_on:
        engine.best_move(position, moves=True)
    for position in going_on:
        line = engine.best_move(position, method="alphabeta").line
        assert line
        for move in line:
            value = solution[position]
            position = position.play(move)
            assert solution[position].for_mover == value


def test_simulations_know_that_a_won_board_is_not_won_again() -> None:
    """A line on a board of the other side, which would complete three in line, wins nothing."""
    position = noughts.position(
        "ultimate:won=open~OOOXOXXXO.XXXX2OOO.X2OOOOOX.OXXOOXO1X.XOXOXO2X.XXOXOOO1X.O1XXXXOX1"
        ".OO2XXOX1.XOXO2XOO~X~7~OXOOXOX--"
    )
    result = Engine(position.rules_id, table_mib=1).best_move(
        position, Limit(simulations=1_500), method="mcts"
    )
    assert (result.exact, result.value.kind) == (True, "draw")


def test_only_the_centre_draws_misere() -> None:
    result = Engine("mnk:3,3,3,misere").best_move("mnk:3,3,3,misere", moves=True)
    assert [m for m, value in result.moves.items() if value.is_draw] == [4]
    assert {value.kind for m, value in result.moves.items() if m != 4} == {"loss"}


def test_interrupted_search_claims_nothing_false() -> None:
    result = Engine("connect4", table_mib=8).solve("connect4", Limit(nodes=5_000))
    assert (result.exact, result.complete, result.value.kind) == (False, False, "unknown")
    low, high = result.bounds
    assert low < 1
    assert high > -1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rules_id", ["ultimate", "advanced", "connect4", "mnk:15,15,5"])
def test_results_improve_within_the_limit(rules_id: str, method: str) -> None:
    engine = Engine(rules_id, table_mib=16, seed=3)
    results = list(engine.analyse(rules_id, Limit(nodes=20_000), method=method, moves=False))
    assert [result.nodes for result in results] == sorted(result.nodes for result in results)
    legal = noughts.game(rules_id).legal_moves()
    for result in results:
        assert result.nodes <= 20_000
        assert result.move in legal
        position = noughts.game(rules_id)
        for move in result.line:
            position = position.play(move)
    again = list(
        Engine(rules_id, table_mib=16, seed=3).analyse(
            rules_id, Limit(nodes=20_000), method=method, moves=False
        )
    )
    assert [(r.move, r.score, r.nodes) for r in again] == [
        (r.move, r.score, r.nodes) for r in results
    ]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("searches", [100, pytest.param(1000, marks=pytest.mark.soak)])
def test_searches_are_stopped_at_random_moments(method: str, searches: int) -> None:
    engine, rng = Engine("ultimate", table_mib=4), random.Random(method)
    for _ in range(searches):
        timer = threading.Timer(rng.random() * 0.004, engine.stop)
        results = engine.analyse("ultimate", method=method, moves=False)
        timer.start()
        *_, last = results  # without the stop it would never end
        timer.join()
        assert last.move is not None


def test_abandoned_generator_ends_its_search() -> None:
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
    _, complaint = child.communicate(timeout=PATIENCE)
    assert "KeyboardInterrupt" in complaint


def test_refusals() -> None:
    with pytest.raises(noughts.NotationError, match=r"[Nn]o game called"):
        Engine("checkers")
    with pytest.raises(ValueError, match="the minimum is 1"):
        Engine("basic", table_mib=0)
    engine = Engine("basic", table_mib=1)
    with pytest.raises(noughts.NotationError, match="This engine plays only basic"):
        engine.best_move("connect4")
    with pytest.raises(noughts.NotationError, match="Both X and O have a line"):
        engine.solve("basic~XXX.OOO.3~X")
    with pytest.raises(ValueError, match="there is no method"):
        engine.analyse("basic", method="guess")
    with pytest.raises(ValueError, match="moves=False"):
        engine.analyse("basic", method="mcts")


@pytest.mark.parametrize(
    ("rules_id", "moves"),
    [
        *(("ultimate", ""), ("ultimate", "55"), ("ultimate:won=open", "55 51"), ("advanced", "")),
        # Half a turn maps the marks to themselves, and not the forced board.
        ("ultimate", "12 29 98 81"),
        *(("connect4", ""), ("connect4", "4"), ("mnk:5,5,4", "c3"), ("mnk:5,4,4", "")),
    ],
)
def test_symmetric_moves_have_equal_values(rules_id: str, moves: str) -> None:
    """With the hand-written evaluation: a net values symmetric positions a little differently."""
    start = noughts.game(rules_id).after(moves)
    engine = Engine(rules_id, table_mib=4, net="no")
    result = engine.best_move(start, Limit(depth=3), moves=True)
    for move in start.legal_moves():
        reply = engine.best_move(start.play(move), Limit(depth=2)).value
        assert reply.estimate is not None
        assert result.moves[move].estimate == -reply.estimate


SOLVED = (Limit(nodes=100_000), Limit(seconds=10))
"""The limit of a solver whose value is compared with a search's, short and in soak."""


@pytest.mark.parametrize("rules_id", ["ultimate", "advanced", "connect4", "mnk:5,5,4"])
@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_threads_search_one_position_together(rules_id: str, moves: bool, step: int) -> None:
    engine = Engine(rules_id, table_mib=16, threads=3)
    rng = random.Random(rules_id)
    for position in list(random_game(noughts.game(rules_id), rng))[:-1:step]:
        result = engine.best_move(position, Limit(nodes=20_000), moves=moves)
        assert result.move in position.legal_moves()
        assert result.nodes <= 20_000
        if result.exact:
            solved = Engine(rules_id, table_mib=16).solve(position, SOLVED[step == 1])
            if solved.exact:
                assert solved.value.kind == result.value.kind, str(position)


@pytest.mark.parametrize(
    "rules_id",
    [
        *("connect4:4,4,3", "connect4:3,7,3", "connect4:5,4,2", "connect4:6,4,6", "connect4:5,5,5"),
        *("connect4:6,6,5", "connect4:8,8", "connect4:9,9,5"),
    ],
)
def test_games_with_gravity_are_solved_weakly(rules_id: str) -> None:
    """Lines of other lengths and wide boards; the move keeps the value."""
    solver, whole = (Engine(rules_id, table_mib=8) for _ in range(2))
    limit = Limit(nodes=30_000)
    start, rng, compared = noughts.game(rules_id), random.Random(rules_id), 0
    for _ in range(20):
        position = random_position(start, rng)
        solved = solver.solve(position, limit, weakly=True)
        expected = whole.solve(position, limit)
        if not (solved.exact and expected.exact):
            continue
        compared += 1
        assert solved.value.kind == expected.value.kind, str(position)
        assert solved.move is not None
        after = position.play(solved.move)
        value = whole.solve(after, limit)
        if value.exact:
            assert value.value.for_mover.kind == solved.value.kind, str(position)
    assert compared >= 3


@pytest.mark.parametrize(
    "rules_id",
    ["mnk:6,6,4", "mnk:7,7,4", "mnk:9,8,4", "mnk:9,9,5", "mnk:6,6,4,exact", "mnk:9,9,4,exact"],
)
@pytest.mark.parametrize("games", [2, pytest.param(20, marks=pytest.mark.soak)])
def test_selective_search_of_row_games_proves_only_true_values(rules_id: str, games: int) -> None:
    """It leaves out moves far from all marks, but not where the others lose."""
    engine, rng, proven = Engine(rules_id, table_mib=16), random.Random(rules_id), 0
    solver = Engine(rules_id, table_mib=64)
    for _ in range(games):
        for position in list(random_game(noughts.game(rules_id), rng))[4:-1:2]:
            engine.clear()
            result = engine.best_move(position, Limit(nodes=5_000), method="selective")
            if not result.exact:
                continue
            proven += 1
            exact = solver.solve(position, SOLVED[games == 20], weakly=True)
            if exact.exact:
                assert exact.value.kind == result.value.kind, str(position)
            if result.value.plies is not None and len(result.line) == result.value.plies:
                end = position.after(result.line).outcome()
                assert end is not None
                assert (end.winner is position.turn) == result.value.is_win, str(position)
    assert proven > 3 * games


@pytest.mark.parametrize("rules_id", ["mnk:6,6,4", "mnk:7,7,4", "mnk:7,7,4,exact"])
@pytest.mark.parametrize("games", [3, pytest.param(20, marks=pytest.mark.soak)])
def test_values_of_all_moves_know_wins_by_fours(rules_id: str, games: int) -> None:
    """With few nodes they prove more than the search of all moves; their lines end the game."""
    engine, rng = Engine(rules_id, table_mib=16), random.Random(rules_id)
    proven = {"selective": 0, "alphabeta": 0}
    for _ in range(games):
        for position in list(random_game(noughts.game(rules_id), rng))[6:-1:3]:
            for method in proven:
                engine.clear()
                result = engine.best_move(position, Limit(nodes=3_000), moves=True, method=method)
                for move, value in result.moves.items():
                    if not value.is_exact:
                        continue
                    proven[method] += 1
                    after = position.play(move)
                    if after.outcome() is None:
                        exact = engine.solve(after, Limit(nodes=1_000_000), weakly=True)
                        if exact.exact:
                            assert exact.value.for_mover.kind == value.kind, f"{position} {move}"
                    if value.plies is None and len(result.lines[move]) > 3:
                        end = position.after(result.lines[move]).outcome()
                        if end is not None:
                            assert (end.winner is position.turn) == value.is_win, str(position)
    assert proven["selective"] > 1.05 * proven["alphabeta"] > 0


def test_values_of_all_moves_show_a_win_by_fours_to_its_end() -> None:
    cells = "15.15.15.15.15.6OOO6.5XX1OX5.6X8.6X1X6.5X1O2O4.6OO2X4.15.15.15.15"
    position = noughts.position(f"mnk:15,15,5~{cells}~X")
    result = Engine("mnk:15,15,5").best_move(position, Limit(nodes=20_000), moves=True)
    winning = [move for move, value in result.moves.items() if value.is_win]
    losing = [move for move, value in result.moves.items() if value.is_loss]
    assert winning
    assert losing
    for move in winning + losing:
        end = position.after(result.lines[move]).outcome()
        assert end is not None
        assert (end.winner is position.turn) == (move in winning)


def test_lines_of_large_boards_are_legal_and_those_of_wins_end() -> None:
    start = noughts.game("mnk:15,15,5")
    rng, ended, won_at_once = random.Random(5), 0, 0
    engine = Engine("mnk:15,15,5", table_mib=16)
    for _ in range(6):
        position = start
        while position.outcome() is None and position.ply < 40:
            near = [
                move for move in position.legal_moves() if 4 <= move % 15 <= 10 and 60 <= move < 165
            ]
            position = position.play(rng.choice(near or position.legal_moves()))
            if position.outcome() is not None:
                break
            for result in engine.analyse(position, Limit(nodes=2_000), moves=False):
                end = position.after(result.line).outcome()
                if not result.exact or not result.value.is_win:
                    continue
                assert end is not None
                assert end.winner is position.turn
                ended += len(result.line) > 2
                won_at_once += len(result.line) == 1
    assert ended > 5
    assert won_at_once > 5


@pytest.mark.parametrize(
    ("rules_id", "middle"),
    [
        ("mnk:15,15,5", "h8"),
        ("mnk:19,19,6", "j10"),
        ("mnk:12,11,5", "f6 g6"),
        ("mnk:10,10,5", "e5 e6 f5 f6"),
        ("mnk:9,9,5", "e5"),
    ],
)
def test_large_board_is_opened_in_the_middle(rules_id: str, middle: str) -> None:
    for seed in range(3):
        engine = Engine(rules_id, table_mib=16, seed=seed)
        assert engine.best_move(rules_id, Limit(nodes=5_000)).text in middle.split()


def test_first_moves_are_worth_less_towards_the_edge() -> None:
    start = noughts.game("mnk:15,15,5")
    engine = Engine("mnk:15,15,5", table_mib=16)
    moves = engine.best_move(start, Limit(nodes=1_000_000), moves=True).moves
    worth = [moves[start.parse_move(text)].estimate or 0 for text in ("h8", "c8", "b8", "a8")]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] - worth[-1] > 0.05


@pytest.mark.parametrize(("rules_id", "depth"), [("mnk:3,3,3", 9), ("connect4:9,7,5", 10)])
def test_nodes_of_two_searches_of_the_signature(rules_id: str, depth: int) -> None:
    """`test_bench.py` tests the whole signature. Read there how to change it."""
    engine = Engine(rules_id, table_mib=4, seed=1, net="no")
    result = engine.best_move(noughts.game(rules_id), Limit(depth=depth), method="alphabeta")
    name = f"alpha-beta {depth}, {rules_id}, ply 0"
    assert result.nodes == data("signature")["nodes"][name]


def test_threads_see_deeper_and_one_is_reproducible() -> None:
    def nodes(threads: int) -> int:
        engine = Engine("ultimate", table_mib=16, threads=threads)
        return engine.best_move("ultimate", Limit(depth=9), method="alphabeta").nodes

    assert nodes(1) == nodes(1)
    assert nodes(2) > nodes(1) / 2
    for wrong in (0, -1, 257):
        with pytest.raises(ValueError, match="number of threads"):
            Engine("ultimate", threads=wrong)


@pytest.mark.parametrize("rules_id", [each[0] for each in nets.NESTED.values()])
def test_estimates_of_successive_depths_differ_little(rules_id: str) -> None:
    engine, rng, steps = Engine(rules_id, table_mib=16, book=False), random.Random(5), []
    for number in range(48):
        position = noughts.game(rules_id)
        for _ in range(number % 24):
            move = rng.choice(position.legal_moves())
            if rng.random() < 0.7:
                move = engine.best_move(position, Limit(nodes=500)).move or 0
            if position.play(move).outcome() is None:
                position = position.play(move)
        for moves in (False, True):
            limit = Limit(nodes=8_000)
            shown = [found.value for found in engine.analyse(position, limit, moves=moves)]
            known = [value.estimate for value in shown if value.estimate is not None]
            steps += [abs(one - two) for one, two in itertools.pairwise(known)]
    assert len(steps) > 300
    assert sum(step < 0.1 for step in steps) > 0.95 * len(steps)


@pytest.mark.parametrize("plays_first", [True, False])
def test_basic_is_played_perfectly_against_every_line(basic: Engine, plays_first: bool) -> None:
    """The engine never loses, and takes every win offered in the fewest moves."""
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
        assert not values[position].is_loss, str(position)
        waiting.append((after, False))


@pytest.mark.parametrize("rules", ["mnk:4,4,3", "mnk:7,7,4", "connect4:5,4,3", "mnk:15,15,5"])
def test_of_moves_that_lose_as_late_one_that_stops_a_win_comes_first(rules: str) -> None:
    rng, engine, seen = random.Random(rules), Engine(rules), 0
    for _ in range(12):
        for place in random_game(noughts.game(rules), rng):
            assert isinstance(place, RowPosition)
            if place.outcome() is not None or not (wins := wins_of_other(place)):
                continue
            found = engine.best_move(place, Limit(nodes=500), moves=True)
            assert found.move is not None
            latest = found.moves[found.move]
            if latest.is_loss:
                stops = {move for move in wins if found.moves[move] == latest}
                assert not stops or found.move in stops
                seen += bool(stops)
    assert seen


def wins_of_other(place: RowPosition) -> set[int]:
    """Return the moves on the cells where the other side would win now."""
    passed = place._replace(x=place.o, o=place.x)
    return {
        move
        for move in place.legal_moves()
        if (outcome := passed.play(move).outcome()) and outcome.winner
    }
