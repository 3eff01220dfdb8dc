"""Batches of games: every array against the rules in Python, and wrong input."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from samples import RULES_IDS

import noughts
from noughts import NotationError, Player, Position
from noughts.extras import missing
from noughts.games.nested import NestedPosition
from noughts.games.row import RowPosition
from noughts.rl import Batch, IllegalAction

NATIVE = [
    each for each in RULES_IDS if isinstance(noughts.game(each), RowPosition | NestedPosition)
]
LARGE = ["mnk:20,20,5", "mnk:15,15,5,exact", "connect4:9,8", "mnk:9,9,5,misere"]


def check_row(batch: Batch, row: int, position: Position) -> None:
    """Compare the arrays of a game with its position."""
    outcome = position.outcome()
    assert batch.terminated[row] == (outcome is not None)
    legal = [] if outcome else list(position.legal_moves())
    assert np.flatnonzero(batch.legal[row]).tolist() == legal
    planes = np.array(position.planes())  # type: ignore[attr-defined]
    seen = batch.observation[row]
    assert (seen[:, :, :2] == planes[:2].transpose(1, 2, 0)).all(), position
    if isinstance(position, NestedPosition):
        open_ = {move // 9 for move in legal}
        for place in range(81):
            board = place // 27 * 3 + place % 9 // 3
            assert seen[place // 9, place % 9, 2] == (board in open_), position
    assert batch.turn[row] == (position.turn is Player.O)
    assert batch.ply[row] == position.ply
    assert str(batch.positions()[row]) == str(position)


@pytest.mark.parametrize("rules", [*NATIVE, *LARGE])
@pytest.mark.parametrize("games", [3, pytest.param(300, marks=pytest.mark.soak)])
def test_random_games_follow_the_rules(rules: str, games: int) -> None:
    batch, rng = Batch(rules, games, seed=3), random.Random(rules)
    positions = [noughts.game(rules)] * games
    while not batch.terminated.all():
        actions = batch.sample()
        before = batch.terminated.copy()
        batch.step(actions)
        for row, action in enumerate(actions):
            if before[row]:
                assert batch.reward[row].tolist() == [0, 0]
                continue
            positions[row] = after = positions[row].play(int(action))
            outcome = after.outcome()
            won = None if outcome is None else outcome.winner
            assert batch.reward[row].tolist() == (
                [0, 0] if won is None else [1, -1] if won is Player.X else [-1, 1]
            )
        row = rng.randrange(games)
        check_row(batch, row, positions[row])
    for row, position in enumerate(positions):
        check_row(batch, row, position)
    last = batch.observation.copy()
    batch.step(np.full(games, 10_000))
    assert (batch.observation == last).all()
    assert not batch.reward.any()


def test_threads_and_seeds_give_the_same_games() -> None:
    def played(threads: int, seed: int) -> list[Any]:
        batch = Batch("ultimate", 3_000, threads=threads, illegal="random", seed=seed)
        for _ in range(20):
            batch.step(np.zeros(3_000, np.int64))
        return [batch.observation.copy(), batch.legal.copy(), batch.ply.copy()]

    one, two, other = played(1, 5), played(2, 5), played(1, 6)
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    assert not (one[0] == other[0]).all()


def test_samples_are_fair() -> None:
    batch = Batch("connect4", 14_000)
    counts = np.bincount(batch.sample(seed=1), minlength=7)
    assert (abs(counts - 2_000) < 250).all()
    assert (batch.sample(seed=1) == batch.sample(seed=1)).all()
    assert not (batch.sample() == batch.sample()).all()


def test_illegal_actions() -> None:
    raising = Batch("basic", 3)
    raising.step([0, 1, 2])
    with pytest.raises(
        IllegalAction, match=r"row 1: action 1 is illegal: legal are 0 2 3"
    ) as error:
        raising.step([1, 1, 1])
    assert (error.value.row, error.value.action) == (1, 1)
    assert raising.ply.tolist() == [1, 1, 1], "no game has moved"
    for action in (9, -1, 2**40):
        with pytest.raises(IllegalAction, match=f"action {action} is illegal: actions are 0 to 8"):
            raising.step([1, 0, action])
    losing = Batch("basic", 2, illegal="lose")
    losing.step([4, 4])
    losing.step([4, 0])
    assert losing.terminated.tolist() == [True, False]
    assert losing.reward.tolist() == [[1, -1], [0, 0]]
    assert not losing.legal[0].any()
    ignoring = Batch("basic", 2, illegal="ignore")
    ignoring.step([4, 4])
    ignoring.step([4, 0])
    assert ignoring.ply.tolist() == [1, 2]
    assert ignoring.reward.tolist() == [[0, 0], [0, 0]]
    guessing = Batch("basic", 2, illegal="random")
    guessing.step([4, 4])
    guessing.step([4, 0])
    assert guessing.ply.tolist() == [2, 2]


def test_games_are_reset_by_a_mask() -> None:
    batch = Batch("mnk:4,3,3", 3)
    batch.step([0, 1, 2])
    batch.reset([True, False, True])
    assert batch.ply.tolist() == [0, 1, 0]
    check_row(batch, 0, noughts.game("mnk:4,3,3"))
    check_row(batch, 1, noughts.game("mnk:4,3,3").play(1))
    batch.reset()
    assert batch.ply.tolist() == [0, 0, 0]


@pytest.mark.parametrize("rules", ["connect4", "mnk:5,5,4", "advanced", "ultimate:won=open"])
def test_positions_are_loaded(rules: str) -> None:
    rng = random.Random(rules)
    positions: list[Position] = []
    while len(positions) < 20:
        position = noughts.game(rules)
        for _ in range(rng.randrange(40)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        positions.append(position)
    batch = Batch(rules, 20)
    batch.load([str(each) if index % 2 else each for index, each in enumerate(positions)])
    for row, position in enumerate(positions):
        check_row(batch, row, position)


@pytest.mark.parametrize(
    ("act", "error", "said"),
    [
        (lambda: Batch("chess", 2), NotationError, "No game called"),
        (lambda: Batch("basic", 0), ValueError, "one game or more, not 0"),
        (lambda: Batch("basic", 2, threads=0), ValueError, "one thread or more"),
        (lambda: Batch("basic", 2, illegal="die"), ValueError, "illegal is one of raise lose"),  # type: ignore[arg-type]
        (lambda: Batch("basic", 2).step([1, 2], "die"), ValueError, "illegal is one of raise"),  # type: ignore[arg-type]
        (
            lambda: Batch("basic", 1).step(np.array([2**64 - 1], np.uint64)),
            IllegalAction,
            f"action {2**64 - 1} is illegal",
        ),
        (lambda: Batch("basic", 2).step([1]), ValueError, r"expected the shape \(2,\), not \(1,\)"),
        (lambda: Batch("basic", 2).step([[1, 2]]), ValueError, r"not \(1, 2\)"),
        (lambda: Batch("basic", 2).step([1.0, 2.0]), TypeError, "integers, not float64"),
        (lambda: Batch("basic", 2).step([np.nan, 1]), TypeError, "integers, not float64"),
        (lambda: Batch("basic", 2).step([True, False]), TypeError, "integers, not bool"),
        (lambda: Batch("basic", 2).step(["1", "2"]), TypeError, "integers, not <U1"),
        (lambda: Batch("basic", 2).reset([1, 0]), TypeError, "dtype bool, not int64"),
        (lambda: Batch("basic", 2).reset([True]), ValueError, "expected the shape"),
        (lambda: Batch("basic", 2).load(["basic~9~X"]), ValueError, "2 games need as many"),
        (lambda: Batch("basic", 1).load(["basic~9~X"]), NotationError, "row"),
        (lambda: Batch("basic", 1).load([noughts.game("mnk:3,3,3")]), ValueError, "other rules"),
        (lambda: Batch("basic", 1).load([5]), TypeError, "row 0: expected a position or its str"),  # type: ignore[list-item]
    ],
)
def test_wrong_input_is_refused(act: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        act()


def test_arrays_are_written_in_place() -> None:
    batch = Batch("connect4", 4)
    seen = batch.observation
    batch.step([3, 3, 3, 3])
    assert seen is batch.observation
    assert seen[:, 5, 3, 1].tolist() == [1, 1, 1, 1]
    names = ("observation", "legal", "reward", "terminated", "truncated", "turn", "ply")
    assert [str(getattr(batch, name).dtype) for name in names] == [
        *("uint8", "bool", "float32", "bool", "bool", "int8", "int32")
    ]
    assert not batch.truncated.any()


def test_writing_to_the_arrays_breaks_nothing_else() -> None:
    batch = Batch("connect4", 1, illegal="random")
    batch.load([noughts.game("connect4").after("1 1 1 1 1 1")])
    batch.legal[:] = True
    batch.step([0])
    assert batch.ply.tolist() == [6], "the column is full"
    full = Batch("connect4:1,1,1", 1, illegal="random")
    full.step([0])
    full.terminated[:] = False
    assert full.sample().tolist() == [0]


def test_without_numpy_the_extra_is_named() -> None:
    program = "import sys; sys.modules['numpy'] = None; import noughts.rl"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert missing("noughts.rl", "numpy", "rl") in done.stderr
