"""The net of Gomoku: the core computes its network, and training works."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import asdict
from math import tanh
from pathlib import Path
from typing import Any

import pytest
from needs import imported
from training import in_turn, losses_of
from typer.testing import CliRunner

import noughts
from noughts import Engine, _core, nets
from noughts.cli.main import app
from noughts.games.row import MNK
from noughts.search import Limit

np = imported("numpy", "train")

from noughts.train import gomoku_data  # noqa: E402
from noughts.train.calibrate import play as replay  # noqa: E402
from noughts.train.data import Plan, play  # noqa: E402
from noughts.train.pack import packed, quantized, weights_of  # noqa: E402
from noughts.work.parallel import in_threads  # noqa: E402

GOMOKU = nets.FAMILIES[nets.GOMOKU]
DIRECTIONS = (0, 1), (1, 0), (1, -1), (1, 1)
SHAPES = {
    "vectors": (3_321, 32),
    "features_bias": (32,),
    "second": (16, 64),
    "second_bias": (16,),
    "third": (16,),
    "bias": (),
    "estimate": (),
    "moves": (64,),
}


def random_weights(seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {name: rng.normal(0, 0.2, shape) for name, shape in SHAPES.items()}


def plan(nodes: int = 100) -> Plan:
    return Plan(GOMOKU, nodes=nodes)


def numbers_of_windows() -> dict[tuple[int, ...], int]:
    """Number the windows by their keys, whose last digit is the first cell."""
    found: dict[tuple[int, ...], int] = {}
    for digits in itertools.product(range(3), repeat=8):
        if digits <= digits[::-1]:
            found[digits] = len(found)
    return found


NUMBERS = numbers_of_windows()


def number_of(window: list[int]) -> int:
    """Return the number of a window's vector, which its mirror image has, too."""
    digits = tuple(window[::-1])
    return NUMBERS[min(digits, digits[::-1])]


def reference(weights: dict[str, Any], position: MNK, by_patterns: int) -> int:
    """Return the estimate of a net by the arithmetic of `core/five_net.hpp`, cell by cell."""
    size = position.rules.columns
    marks = {}
    for cell in range(size * size):
        if (mark := position.mark(cell)) is not None:
            marks[divmod(cell, size)] = 1 if mark is position.turn else 2
    whole = {
        name: np.clip(np.round(np.asarray(weights[name]) * unit), low, -low - 1).astype(np.int64)
        for name, unit, low in (
            ("vectors", 64, -128),
            ("features_bias", 64, -128),
            ("second", 64, -511),
            ("second_bias", 2**15, -(2**27)),
            ("third", 64, -(2**15)),
            ("bias", 2**13, -(2**27)),
            ("estimate", 2**23 / 10_000, -(2**31)),
        )
    }
    sums = np.zeros(64, np.int64)
    for row, column in itertools.product(range(size), repeat=2):
        around = itertools.product(range(row - 2, row + 3), range(column - 2, column + 3))
        if (row, column) in marks or not any(place in marks for place in around):
            continue
        for view in (0, 1):
            features = whole["features_bias"].copy()
            for down, right in DIRECTIONS:
                window = []
                for step in (-4, -3, -2, -1, 1, 2, 3, 4):
                    place = row + down * step, column + right * step
                    is_outside = not (0 <= place[0] < size and 0 <= place[1] < size)
                    content = 2 if is_outside else marks.get(place, 0)
                    is_turned = view and content and not is_outside
                    window.append(3 - content if is_turned else content)
                features += whole["vectors"][number_of(window)]
            sums[32 * view : 32 * view + 32] += features.clip(0, 127)
    hidden = (whole["second_bias"] + whole["second"] @ (sums >> 1)) >> 8
    logit = int(whole["bias"] + (int(whole["estimate"]) * by_patterns >> 10))
    logit += int(hidden.clip(0, 1023) @ whole["third"])
    size_of = min(abs(logit) // 16, 10 * 2**13 // 16 - 1)
    result = int(9_999 * tanh(size_of * 16 / 2**14) + 0.5)
    return result if logit >= 0 else -result


def of_sample(sample: Any, rules: str) -> MNK:
    """Return the position of a sample."""
    size = noughts.game(rules).rules.columns  # type: ignore[attr-defined]
    contents = [sample[cell // 4] >> cell % 4 * 2 & 3 for cell in range(size * size)]
    own = sum(content == 1 for content in contents)
    is_x = own == sum(content == 2 for content in contents)
    marks = "XO" if is_x else "OX"
    text, run = "", 0
    for number, content in enumerate(contents):
        if content == 0:
            run += 1
        if run and (content or number % size == size - 1):
            text, run = text + str(run), 0
        if content:
            text += marks[content - 1]
        if number % size == size - 1 and number + 1 < size * size:
            text += "."
    found = noughts.position(f"{rules}~{text}~{'X' if is_x else 'O'}")
    assert isinstance(found, MNK)
    return found


def samples(rules: str, seed: int, nodes: int = 60) -> Any:
    """Return the samples of a game, a row each."""
    found = np.frombuffer(_core.self_play(rules, seed, nodes, None), np.uint8)
    return found.reshape(-1, _core.FIVE_SAMPLE_SIZE)


def word(sample: Any, at: int) -> int:
    return int(sample[at : at + 2].view("<i2")[0])


@pytest.mark.parametrize("rules", ["mnk:15,15,5", "mnk:15,15,5,exact", "mnk:20,20,5"])
def test_estimates_are_those_of_the_network(rules: str) -> None:
    weights = random_weights()
    net = packed(weights, "random", plan(), 1)
    seen = set()
    for seed in range(8):
        for sample in samples(rules, seed)[::3]:
            position = of_sample(sample, rules)
            estimate = net.core.estimate(str(position))
            assert estimate == reference(weights, position, word(sample, 104)), str(position)
            seen.add(estimate)
    assert len(seen) > 8


def test_an_estimate_is_the_same_for_symmetric_positions() -> None:
    net = packed(random_weights(1), "random", plan(), 1)
    rng = random.Random(1)
    cells = rng.sample(range(225), 30)
    found = set()
    for symmetry in ("as it is", "diagonal", "rows"):
        position = noughts.game("mnk:15,15,5")
        for cell in cells:
            row, column = divmod(cell, 15)
            if symmetry == "diagonal":
                row, column = column, row
            elif symmetry == "rows":
                row = 14 - row
            position = position.play(15 * row + column)
            if position.outcome():
                break
        found.add(net.core.estimate(str(position)))
    assert len(found) == 1


@pytest.mark.parametrize("rules", ["mnk:15,15,5", "mnk:16,16,5,exact"])
def test_samples_are_positions_of_games(rules: str) -> None:
    game = samples(rules, 3, 200)
    assert (samples(rules, 3, 200) == game).all()
    before = None
    for sample in game:
        position = of_sample(sample, rules)
        assert position.outcome() is None
        move = word(sample, 108)
        assert move in position.legal_moves()
        if before is not None:
            assert position.ply == before + 1
        before = position.ply
    score, result = word(game[-1], 106), int(game[-1][103:104].view(np.int8)[0])
    # A game ends with a proof, and its result is that of the proof.
    assert abs(score) > _core.ESTIMATE_UNIT
    assert result == (1 if score > 0 else -1)
    assert [int(each[103:104].view(np.int8)[0]) for each in game[::-1]] == [
        result * (-1) ** number for number in range(len(game))
    ]


def test_positions_for_training_are_those_of_the_samples(tmp_path: Path) -> None:
    *_, count = play(tmp_path, plan(40), 1, run=in_threads(2))
    positions = gomoku_data.load(tmp_path)
    assert len(positions.score) == count
    assert positions.cells.sum() == len(positions.lines)
    assert positions.lines.max() < gomoku_data.COUNT
    assert (positions.chosen < positions.cells).all()
    assert (positions.chosen >= 0).mean() > 0.95
    assert (np.abs(positions.estimate) < 1).all()
    assert set(np.unique(positions.result)) <= {-1, 0, 1}
    proven = np.abs(positions.score) == 1
    assert proven.any()
    assert (positions.result[proven] == positions.score[proven]).all()
    with pytest.raises(ValueError, match="no positions in"):
        gomoku_data.load(tmp_path / "none")


def test_weights_are_packed_and_read_again() -> None:
    weights = random_weights(2)
    net = packed(weights, "random", plan(), 7)
    assert len(net.weights) == _core.FIVE_NET_SIZE == len(quantized(weights))
    assert net.is_gomoku
    assert not net.is_small
    assert nets.unpacked(net.packed()) == net
    assert len(net.packed()) < nets.LARGEST
    again = weights_of(net)
    assert again.keys() == weights.keys()
    assert quantized(again) == net.weights


def test_a_net_of_other_games_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "g.net"
    file.write_bytes(packed(random_weights(), "g", plan(), 1).packed())
    with pytest.raises(nets.BadNet, match=r"evaluates mnk:15,15,5 to mnk:20,20,5,exact, not ulti"):
        Engine("ultimate", net=str(file))
    with pytest.raises(nets.BadNet, match="not mnk:9,9,5"):
        Engine("mnk:9,9,5", net=str(file))
    with pytest.raises(nets.BadNet, match="damaged"):  # its card has the rules of another family
        nets.unpacked(packed(random_weights(), "g", Plan(nets.NESTED["advanced"]), 1).packed())
    core = nets.read(file).core
    with pytest.raises(ValueError, match="other games"):
        _core.self_play("ultimate", 1, 10, core)
    with pytest.raises(ValueError, match="9,9,3"):
        _core.self_play("mnk:9,9,3", 1, 10, None)


def test_an_engine_searches_with_the_net(tmp_path: Path) -> None:
    file = tmp_path / "g.net"
    file.write_bytes(packed(random_weights(), "g", plan(), 1).packed())
    position = noughts.game("mnk:15,15,5")
    for text in ("h8", "h9", "g9", "i7"):
        position = position.play(position.parse_move(text))
    plain = Engine("mnk:15,15,5", net="no")
    with_net = [Engine("mnk:15,15,5", net=str(file), threads=threads) for threads in (1, 2)]
    limit = Limit(nodes=4_000)
    values = [engine.best_move(position, limit).value for engine in (plain, *with_net)]
    assert values[0] != values[1]
    assert with_net[0].net is not None
    # What is proven does not depend on estimates: X has an open four.
    for text in ("f10", "a1", "e11", "a2"):
        position = position.play(position.parse_move(text))
    for engine in (plain, *with_net):
        assert engine.best_move(position, limit).value.is_win


def test_estimates_are_calibrated_by_games_of_the_best_method() -> None:
    net = packed(random_weights(), "g", plan(), 1)
    (first, second) = ([*replay(GOMOKU[0], net, 1, nodes=150)] for _ in range(2))
    assert first == second
    assert len(first) > 4
    assert {each.result for each in first} == {-1, 1}
    # The estimates are those of the net: another net has others.
    other = packed(random_weights(3), "g", plan(), 1)
    assert [*replay(GOMOKU[0], other, 1, nodes=150)] != first


def test_positions_of_nine_boards_are_not_mixed_with_those_of_gomoku(tmp_path: Path) -> None:
    for name, family in (("g", GOMOKU), ("u", nets.NESTED["ultimate"])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data.json").write_text(json.dumps(asdict(Plan(family))))
    words = ["train", "fit", *(str(tmp_path / name) for name in "gu"), "-o", str(tmp_path / "x")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 3
    assert "Positions of different games in" in done.output


def test_net_of_gomoku_learns(tmp_path: Path) -> None:
    games, file, more = tmp_path / "games", tmp_path / "g.net", tmp_path / "more.net"
    _, fitted, _ = in_turn(
        ("data", games, "--game", "mnk:15,15,5", "--positions", 2_500, "--nodes", 40),
        ("fit", games, "-o", file, "--epochs", 1),
        ("fit", games, "-o", more, "--epochs", 1, "--from", file),
    )
    losses = losses_of(fitted)
    assert len(losses) == 2
    assert losses[-1] < losses[0]
    net = nets.read(file)
    assert (net.card.rules, net.card.nodes) == (GOMOKU, 40)
    assert nets.read(more).card.positions == 2 * net.card.positions
