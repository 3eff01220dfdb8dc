"""The choice between native and textbook analysis, its results and stops."""

from __future__ import annotations

import threading

import pytest

import noughts
from noughts.analysis import Analyser, analyse
from noughts.engine import Engine
from noughts.games import registry
from noughts.games.position import Position
from noughts.search import SearchResult, negamax
from noughts.search import analyse as analyse_in_python
from noughts.search.result import Limit

"""Maximum seconds of a search that has been stopped, on the slowest machine."""
LIMIT = Limit(nodes=3_000)


def found(result: SearchResult) -> tuple[object, ...]:
    return result.move, result.score, result.exact, result.nodes, result.depth, result.moves


@pytest.mark.parametrize("rules_id", ["basic", "connect4", "mnk:5,5,4", "ultimate"])
def test_built_in_games_are_analysed_natively(rules_id: str) -> None:
    position = noughts.game(rules_id)
    for moves in (True, False):
        *_, ours = analyse(position, LIMIT, moves=moves)
        *_, native = Engine(rules_id).analyse(position, LIMIT, moves=moves)
        assert found(ours) == found(native)
        assert bool(ours.moves) is moves
    assert found(Analyser().best_move(position, LIMIT)) == found(
        Engine(rules_id).best_move(position, LIMIT)
    )
    assert found(Analyser().solve(position, LIMIT)) == found(
        Engine(rules_id).solve(position, LIMIT)
    )


def test_other_games_are_analysed_in_python(nim: Position) -> None:
    limit = Limit(nodes=500)
    ours, textbook = list(analyse(nim, limit)), list(analyse_in_python(nim, limit))
    assert list(map(found, ours)) == list(map(found, textbook))
    assert len(ours) > 2
    for result in (Analyser().best_move(nim, limit), Analyser().solve(nim, limit)):
        assert found(result) == found(negamax(nim, limit))


def test_tables_are_kept_between_positions() -> None:
    analyser, position = Analyser(), noughts.game("mnk:4,3,3")
    first, again = (analyser.best_move(position, Limit(nodes=10**6)) for _ in range(2))
    assert first.exact
    assert again.exact
    assert again.nodes < first.nodes


def test_every_move_is_solved_by_itself(nim: Position) -> None:
    position = noughts.position("basic~XX1.OO1.3~X")
    values = Analyser().solve_moves(position, Limit(seconds=60), 10_000)
    assert [value.kind for value in values.values()] == ["win", "draw", "loss", "loss", "loss"]
    late = registry.position("nim~1.2.2~X")
    values = Analyser().solve_moves(late, Limit(seconds=60), 10_000)
    assert list(values) == list(late.legal_moves())
    assert all(value.is_exact for value in values.values())
    assert type(nim) is type(late)


@pytest.mark.parametrize("rules_id", ["nim", "ultimate"])
@pytest.mark.parametrize("moves", [True, False])
def test_stop_before_the_first_result_ends_the_analysis(
    nim: Position, rules_id: str, moves: bool
) -> None:
    analyser, position = Analyser(), nim if rules_id == "nim" else noughts.game(rules_id)
    results = analyser.analyse(position, moves=moves)
    analyser.stop()
    assert list(results)
    # The next search is not stopped.
    *_, last = analyser.analyse(position, Limit(depth=3), moves=moves)
    assert last.depth >= 3


@pytest.mark.parametrize("rules_id", ["nim", "ultimate"])
def test_stop_from_another_thread_ends_the_analysis(nim: Position, rules_id: str) -> None:
    analyser, position = Analyser(), nim if rules_id == "nim" else noughts.game(rules_id)
    results = analyser.analyse(position)
    next(results)
    timer = threading.Timer(0.05, analyser.stop)
    timer.start()
    list(results)
    timer.join()


def test_closing_the_results_ends_the_search() -> None:
    analyser, position = Analyser(), noughts.game("ultimate")
    results = analyser.analyse(position)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert analyser.best_move(position, Limit(depth=2)).depth == 2
