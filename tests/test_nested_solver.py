"""The solver of the nine-board games against alpha-beta to the end of the game."""

import random
from math import inf

import pytest
from samples import random_game

import noughts
from noughts.engine import Engine
from noughts.games.nested import NestedPosition
from noughts.games.position import wins_at_once
from noughts.search import Limit

ULTIMATE = [
    "ultimate", "ultimate:tie=boards", "ultimate:won=open", "ultimate:tie=boards,won=open",
]  # fmt: skip
KINDS = {"loss": -1, "draw": 0, "win": 1}


def cells_left(position: noughts.Position) -> int:
    """Return the number of empty cells on open boards: the most plies that a game can last."""
    assert isinstance(position, NestedPosition)
    return len({*position._replace(target=None).legal_moves()})


def late_positions(rules_id: str, count: int, max_left: int) -> list[noughts.Position]:
    """Return different positions of random games, each the first with few cells left."""
    rng, found = random.Random(5), set[noughts.Position]()
    while len(found) < count:
        for position in random_game(noughts.game(rules_id), rng):
            if position.outcome() is None and cells_left(position) <= max_left:
                found.add(position)
                break
    return sorted(found, key=str)


@pytest.mark.parametrize("rules_id", ULTIMATE)
def test_values_and_bounds_are_those_of_alpha_beta(rules_id: str) -> None:
    solver, whole = Engine(rules_id, table_mib=8), Engine(rules_id, table_mib=32)
    kinds = dict.fromkeys(KINDS, 0)
    inside = 0
    for position in late_positions(rules_id, 80, 18):
        truth = whole.best_move(position, method="alphabeta")
        assert truth.exact
        solver.clear()
        solved = solver.solve(position)
        assert solved.exact
        assert solved.value.kind == truth.value.kind, str(position)
        kinds[truth.value.kind] += 1
        for nodes in (1, 3, 10, 30):
            solver.clear()
            low, high = solver.solve(position, Limit(nodes=nodes)).bounds
            assert low <= truth.score <= high, str(position)
            inside += -inf < low or high < inf
    assert min(kinds.values()) > 3
    assert inside > 80


@pytest.mark.parametrize("rules_id", ULTIMATE)
def test_a_solved_move_keeps_the_value(rules_id: str) -> None:
    solver, whole = Engine(rules_id, table_mib=8), Engine(rules_id, table_mib=32)
    kept = dict.fromkeys(KINDS, 0)
    for position in late_positions(rules_id, 60, 18):
        solver.clear()
        solved = solver.solve(position)
        assert solved.move is not None
        assert solved.line[0] == solved.move
        after = position.play(solved.move)
        if after.outcome() is None:
            value = -KINDS[whole.best_move(after, method="alphabeta").value.kind]
        else:
            value = -KINDS[solver.solve(after).value.kind]
        assert value == KINDS[solved.value.kind], str(position)
        kept[solved.value.kind] += 1
    assert min(kept.values()) >= 3


@pytest.mark.parametrize(
    "text",
    [
        "ultimate~X1O3X2.O7X.3XXX3.1O3X1O1.4O1X2.O2O1OOXX.2OX1XO1X.2O2O1XX.1XO2XOOO~X~3",
        "ultimate~O1OXOX1OX.1XO5O.X2X3O1.X1XO1O3.O3X2X1.1O5XX.X3O1X2.OX1O2OX1.X5O1O~X~9",
        "ultimate:tie=boards~X6OO.1X1O1O1X1.X1OX1O3.OX1XOXXO1.3O4X.1OOX1X1O1.2XO2O2.1OX1X1XXO"
        ".2O2X1OX~X~3",
    ],
)
def test_the_move_of_a_draw_is_a_defence(text: str) -> None:
    """That the other side cannot win is proven first here; the other proof has a losing move."""
    position = noughts.position(text)
    engine = Engine(position.rules_id)
    solved = engine.solve(position)
    assert solved.value.is_draw
    assert solved.move is not None
    assert engine.solve(position.play(solved.move)).value.is_draw


@pytest.mark.parametrize(
    ("rules_id", "count"),
    [
        ("advanced", 1),
        pytest.param("advanced", 20, marks=pytest.mark.soak),
        pytest.param("advanced:full=draw", 20, marks=pytest.mark.soak),
    ],
)
def test_values_before_the_plies_of_the_prover(rules_id: str, count: int) -> None:
    """A value of ply 17 follows from those of ply 18, which another search proves."""
    solver, later, rng = Engine(rules_id), Engine(rules_id), random.Random(3)
    kinds = dict.fromkeys(KINDS, 0)
    while min(kinds["win"], kinds["loss"]) < count:
        position = noughts.game(rules_id)
        while position.ply < 17 and position.outcome() is None:
            safe = [m for m in position.legal_moves() if not wins_at_once(position.play(m))]
            position = position.play(rng.choice(safe or position.legal_moves()))
        if position.outcome() is not None or wins_at_once(position):
            continue
        solved = solver.solve(position, Limit(nodes=400_000))
        if not solved.exact or kinds[solved.value.kind] == count:
            continue
        values = {
            move: KINDS[later.solve(position.play(move)).value.for_mover.kind]
            for move in position.legal_moves()
        }
        assert KINDS[solved.value.kind] == max(values.values())
        if solved.value.is_win:
            assert solved.move is not None
            assert values[solved.move] == 1
        kinds[solved.value.kind] += 1


@pytest.mark.parametrize("rules_id", ["advanced", "advanced:full=draw"])
def test_early_positions_end_at_the_limit_of_nodes(rules_id: str) -> None:
    solver, rng = Engine(rules_id), random.Random(4)
    ended = 0
    for position in random_game(noughts.game(rules_id), rng):
        if position.ply >= 18 or position.outcome() is not None:
            break
        for nodes in (1, 1_000, 35_000, 100_000):
            low, high = solver.solve(position, Limit(nodes=nodes)).bounds
            assert low <= high
            ended += 1
    assert ended > 20
