"""Labels, symmetries and the measure of a policy, against the solvers and the rules."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import noughts
from noughts import Engine, Position
from noughts.games.notation import format_cells
from noughts.judgement.judge import analysed
from noughts.rl import Batch, MoveMeasure, evaluate, label, measure, mistakes, symmetries


def illegal(_: Any, legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    return np.full(len(legal), 99)


def perfect(observation: npt.NDArray[np.uint8], legal: npt.NDArray[np.bool_]) -> list[int]:
    """Play tic-tac-toe by the labels."""
    found = []
    for seen, mask in zip(observation, legal, strict=True):
        mine, theirs = (
            sum(1 << int(cell) for cell in np.flatnonzero(seen[:, :, plane])) for plane in (0, 1)
        )
        side = "O" if seen.sum() % 2 else "X"
        x, o = (mine, theirs) if side == "X" else (theirs, mine)
        known = label([f"basic~{format_cells(x, o, 3, 3)}~{side}"])
        assert (~np.isnan(known["move_values"][0]) == mask).all()
        found.append(int(known["optimal"][0].argmax()))
    return found


def positions_of(rules: str, count: int, least: int = 0, most: int = 80) -> list[Position]:
    rng = random.Random(rules)
    found: list[Position] = []
    while len(found) < count:
        position = noughts.game(rules)
        for _ in range(rng.randint(least, most)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.ply >= least:
            found.append(position)
    return found


def check_labels(positions: list[Position], found: dict[str, npt.NDArray[Any]]) -> None:
    """Compare labels with the solver: everything that is proven."""
    engine = Engine(positions[0].rules_id)
    for row, position in enumerate(positions):
        outcome = position.outcome()
        legal = [] if outcome else list(position.legal_moves())
        assert np.flatnonzero(~np.isnan(found["move_values"][row])).tolist() == legal
        if outcome is not None:
            won = outcome.winner
            value = 0 if won is None else 1 if won is position.turn else -1
            assert (found["value"][row], found["proven"][row]) == (value, True)
            continue
        solved = engine.solve(position).value
        if found["proven"][row]:
            assert found["value"][row] == solved.expected
            if found["distance"][row] >= 0 and solved.plies is not None:
                assert found["distance"][row] == solved.plies
        for move in legal:
            if found["move_proven"][row, move]:
                after = position.play(move)
                ended = after.outcome()
                if ended is None:
                    value = -round(engine.solve(after).value.expected)
                else:
                    value = 0 if ended.winner is None else 1
                    value = -value if ended.winner is position.turn.other else value
                assert found["move_values"][row, move] == value
                if found["proven"][row]:
                    is_best = value == solved.expected
                    assert found["optimal"][row, move] == is_best, (str(position), move)


@pytest.mark.parametrize("rules", ["basic", "mnk:3,3,3,misere", "mnk:4,2,2", "connect4:3,3,3"])
def test_tables_equal_the_solver(rules: str) -> None:
    positions = positions_of(rules, 60)
    found = label(positions)
    assert found["proven"].all()
    check_labels(positions, found)
    batch = Batch(rules, len(positions))
    batch.load(positions)
    for name, values in label(batch).items():
        np.testing.assert_array_equal(values, found[name])


@pytest.mark.parametrize(
    ("rules", "least"), [("connect4", 20), ("mnk:4,4,4", 4), ("ultimate", 50), ("advanced", 30)]
)
def test_searches_prove_nothing_false(rules: str, least: int) -> None:
    positions = positions_of(rules, 6, least, least + 12)
    for nodes in (None, 2_000):
        found = label(positions, nodes=nodes, threads=2)
        check_labels(positions, found)
        assert (abs(found["estimate"]) <= 1).all()
        assert (found["value"][~found["proven"]] == 0).all()
        assert found["optimal"].any(axis=1).sum() == sum(
            each.outcome() is None for each in positions
        )


def test_the_book_equals_the_search() -> None:
    positions = positions_of("connect4", 8, 2, 8) + positions_of("connect4", 2, 9, 11)
    positions.append(noughts.position("connect4~7.7.7.X6.XO5.XO5~O"))
    positions.append(noughts.game("connect4").after("1 2 1 2 1 2 1"))
    batch = Batch("connect4", len(positions))
    batch.load(positions)
    found = label(batch)
    for name, values in label(positions).items():
        np.testing.assert_array_equal(values, found[name])
    assert found["distance"][-2:].tolist() == [-1, 0]
    for row, position in enumerate(positions[:-1]):
        if position.ply > 8 or position.outcome() is not None:
            continue
        *_, result = analysed(position)
        assert result.exact
        assert (found["value"][row], found["proven"][row]) == (result.value.expected, True)
        for move, value in result.moves.items():
            assert found["move_values"][row, move] == value.expected
            assert found["optimal"][row, move] == (value.expected == result.value.expected)
        wins = any(each.plies == 1 for each in result.moves.values())
        assert found["distance"][row] == (1 if wins else -1)


def test_a_batch_keeps_labels_and_regret() -> None:
    batch = Batch("basic", 4, illegal="lose", labels=True)
    assert batch.labels["optimal"].all()
    batch.step([0, 0, 4, 8])
    assert not batch.regret.any()
    assert batch.labels["optimal"][0].nonzero()[0].tolist() == [4]
    batch.step([4, 1, 0, 8])
    assert batch.regret.tolist() == [0, 1, 0, 1], "a draw is lost, and an illegal action loses"
    assert batch.regret_proven.all()
    assert batch.labels["value"].tolist() == [0, 1, 0, -1]
    assert not batch.labels["optimal"][3].any()
    batch.step([8, 3, 1, 0])
    assert batch.regret_proven.tolist() == [True, True, True, False], "one game is over"
    batch.reset(batch.terminated)
    assert batch.labels["optimal"].sum(axis=1).tolist() == [4, 6, 1, 9]
    batch.reset(np.zeros(4, np.bool_))
    batch.reset()
    assert batch.labels["optimal"].all()
    lost = Batch("basic", 1, illegal="lose", labels=True)
    lost.step([9])
    lost.step([0])
    assert (lost.regret[0], lost.labels["value"][0]) == (0, -1), "a game that is over stays so"
    far = Batch("ultimate", 1, labels=True, nodes=300)
    far.step([40])
    assert far.regret[0] >= 0
    assert not far.regret_proven.any()


def test_an_estimate_is_not_called_exact() -> None:
    found = label([noughts.game("ultimate"), noughts.game("ultimate").play(40)], nodes=500)
    assert not found["proven"].any()
    assert not found["move_proven"].any()
    assert found["distance"].tolist() == [-1, -1]


@pytest.mark.parametrize("rules", ["mnk:4,3,3", "connect4:4,4"])
def test_a_label_does_not_depend_on_the_others(rules: str) -> None:
    positions = positions_of(rules, 30, 2, 6)
    found = label(positions, nodes=300)
    assert 0 < found["move_proven"].sum() < (~np.isnan(found["move_values"])).sum()
    turned = label(positions[::-1], nodes=300, threads=2)
    for name, values in turned.items():
        np.testing.assert_array_equal(values[::-1], found[name])


def test_wrong_positions_are_refused() -> None:
    with pytest.raises(ValueError, match="no position to label"):
        label([])
    with pytest.raises(ValueError, match="one game, not for basic and mnk:3,3,3"):
        label(["basic", "mnk:3,3,3"])
    with pytest.raises(noughts.NotationError):
        label(["basic~9~X"])
    with pytest.raises(ValueError, match="one thread or more, not 0"):
        label(["basic"], threads=0)
    for one in ("basic~3.3.3~X", noughts.game("basic")):
        with pytest.raises(TypeError, match="give a list of positions, such as"):
            label(one)  # type: ignore[arg-type]
    for wrong in (5, None, b"basic", np.zeros((3, 3, 2), np.uint8)):
        with pytest.raises(TypeError, match="row 1: expected a position or its string, not"):
            label(["basic", wrong])  # type: ignore[list-item]
    texts = np.array(["basic~XX1.OO1.3~X"])
    assert label(texts)["value"].tolist() == label(iter(texts))["value"].tolist() == [1]


def test_a_perfect_policy_loses_nothing() -> None:
    report = evaluate(perfect, "basic", games=6, levels=(1, 10), seed=4)
    found = report.measure
    assert (found.regret, found.optimal_share, report.illegal_rate) == (0, 1, 0)
    assert found.proven == report.moves > found.matters > 15
    assert all(each.losses < 3 for each in report.levels)
    again = evaluate(perfect, "basic", games=6, levels=(1, 10), seed=4)
    assert again == report
    assert f"the choice matters{found.matters:10}  100.0 %   0.000" in str(report)
    assert report.as_data()["levels"][0]["level"] == 1
    assert report.as_data()["matters"] == found.matters


def test_moves_are_measured_where_the_choice_matters() -> None:
    # X wins by 2, and O by 5; on the empty board all moves draw; the last position is over.
    positions = ["basic~XX1.OO1.3~X", "basic~X1X.OO1.X2~O", "basic~3.3.3~X", "basic~XXX.OO1.3~O"]
    found = label(positions)
    assert measure(found, [2, 5, 4, 8]) == MoveMeasure(3, 3, 0, 2)
    wrong = measure(found, [6, 7, 4, 8])
    assert wrong == MoveMeasure(proven=3, optimal=1, lost=4, matters=2)
    assert (wrong.optimal_share, wrong.regret) == (1 / 3, 4 / 3)
    assert (wrong.matters_optimal_share, wrong.matters_regret) == (0, 2)
    # Illegal actions are no moves of a measure.
    assert measure(found, [0, -1, 9, 8]).proven == 0
    nothing = measure(found, [0, -1, 9, 8]).as_data()
    assert (nothing["regret"], nothing["matters_optimal_share"]) == (None, None)
    with pytest.raises(ValueError, match=r"4 positions need as many actions, not the shape \(1,\)"):
        measure(found, [1])
    with pytest.raises(TypeError, match="integers, not float64"):
        measure(found, [1.0, 2, 3, 4])


def test_a_position_counts_whatever_is_played_in_it() -> None:
    found = {
        "value": np.array([1], np.int8),
        "proven": np.array([True]),
        "move_values": np.array([[1, -0.5, np.nan]], np.float32),
        "move_proven": np.array([[True, False, False]]),
    }
    assert [measure(found, [action]).proven for action in (0, 1)] == [0, 0]
    found["move_values"][0, 1], found["move_proven"][0, 1] = 0, True
    assert [measure(found, [action]).proven for action in (0, 1)] == [1, 1]


def test_illegal_actions_lose_and_are_counted() -> None:
    report = evaluate(illegal, "connect4:4,4", games=4, levels=(1,), plies=0, nodes=100)
    assert (report.moves, report.illegal, report.measure.proven) == (4, 4, 0)
    assert report.levels[0].losses == 4
    assert "proven                     0        -       -" in str(report)


@pytest.mark.parametrize(
    ("policy", "games", "said"),
    [
        (illegal, 3, "give an even number, not 3"),
        (lambda _, legal: [0.5] * len(legal), 2, "integers"),
    ],
)
def test_wrong_evaluations_are_refused(policy: Any, games: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        evaluate(policy, "basic", games=games, levels=(1,))


def test_reports_name_the_rules_and_openings_are_checked() -> None:
    report = evaluate(perfect, "Tic-tac-toe", games=2, levels=(1,))
    assert report.rules == report.as_data()["rules"] == "basic"
    with pytest.raises(ValueError, match="0 random plies or more, not -1"):
        evaluate(perfect, "basic", plies=-1)


def test_mistakes_take_any_policy() -> None:
    assert mistakes(illegal, "basic") == (4520, 4520)

    def writes(observation: npt.NDArray[np.uint8], legal: npt.NDArray[np.bool_]) -> Any:
        chosen = legal.argmax(axis=1)
        observation[:], legal[:] = 0, True
        return chosen

    assert mistakes(writes, "basic") == mistakes(lambda _, legal: legal.argmax(axis=1), "basic")
    with pytest.raises(ValueError, match="a policy returns integers, here 1 of them"):
        mistakes(lambda _, legal: legal.argmax(axis=1) * 1.0, "basic")
    with pytest.raises(ValueError, match="one level or more"):
        evaluate(illegal, "basic", levels=())


@pytest.mark.parametrize(
    "rules", ["basic", "mnk:4,3,3", "connect4:5,4", "connect4:1,9", "advanced", "ultimate"]
)
def test_symmetries_follow_the_rules(rules: str) -> None:
    turns = symmetries(rules)
    for position in positions_of(rules, 6, 1, 9):
        if position.outcome() is not None:
            continue
        images = list(position.symmetries())
        assert len(images) == len(turns)
        batch, after = Batch(rules, 1 + len(images)), Batch(rules, 1 + len(images))
        batch.load([position, *images])
        moves = position.legal_moves()
        move = moves[len(moves) // 2]
        played = [
            image.play(int(turn.actions(move))) for image, turn in zip(images, turns, strict=True)
        ]
        after.load([position.play(move), *played])
        for row, turn in enumerate(turns, 1):
            for each in (batch, after):
                assert (turn.observation(each.observation[0]) == each.observation[row]).all()
                assert (turn.by_action(each.legal[0]) == each.legal[row]).all()
