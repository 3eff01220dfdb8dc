"""Training: games for it, symmetries, and a net that learns."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from needs import imported
from typer.testing import CliRunner

from noughts import Engine, Limit, _core, nets
from noughts.cli.main import app

imported("optax", "train")

from noughts.train import fit  # noqa: E402
from noughts.train.data import CELLS, CHOSEN, IMAGES, Plan, _keys, load, play  # noqa: E402

run = CliRunner().invoke


def played(folder: Path, positions: int, plan: Plan) -> int:
    *_, total = play(folder, plan, positions, jobs=2)
    return total


def test_games_are_continued_and_the_same_again(tmp_path: Path) -> None:
    plan = Plan(nodes=20, seed=3)
    first = played(tmp_path / "a", 1, plan)
    more = played(tmp_path / "a", first + 1, plan)
    assert more > first
    assert played(tmp_path / "a", more, plan) == more
    played(tmp_path / "b", more, plan)
    names = [file.name for file in sorted((tmp_path / "a").iterdir())]
    assert "shard-000000.samples" in names
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    with pytest.raises(ValueError, match="played otherwise"):
        played(tmp_path / "a", more, Plan(nodes=21, seed=3))


def test_samples_are_possible_positions(tmp_path: Path) -> None:
    played(tmp_path, 5_000, Plan(nodes=20))
    samples = load(tmp_path)
    digits = samples.contents[:, :, None] // 3 ** np.arange(9) % 3
    is_open = samples.contents < 19_683
    # The side to move has as many marks as the other side, or one less.
    free = (is_open.all(1)) & (samples.chosen % 10 != 9)
    difference = ((digits == 2).sum((1, 2)) - (digits == 1).sum((1, 2)))[free]
    assert set(difference) == {0, 1}
    forced = samples.chosen % 10 < 9
    rows = np.flatnonzero(forced)
    assert is_open[rows, samples.chosen[rows] % 10].all()
    assert set(np.unique(samples.result)) == {-1, 0, 1}
    # A proven win is nearly always won.
    assert samples.result[samples.score == 1].mean() > 0.8
    assert samples.result[samples.score == -1].mean() < -0.8
    assert (samples.chosen >= 10).any()
    assert (samples.chosen < 10).any()


def test_symmetric_positions_count_once() -> None:
    rng = np.random.default_rng(1)
    contents = rng.integers(0, 19_686, (300, 9)).astype(np.int32)
    chosen = rng.integers(0, 20, 300).astype(np.int32)
    for symmetry in range(8):
        boards = IMAGES[symmetry][contents[:, CELLS[symmetry]]].astype(np.int32)
        assert (_keys(boards, CHOSEN[symmetry][chosen]) == _keys(contents, chosen)).all()
    assert len(np.unique(_keys(contents, chosen))) == 300


def test_net_learns_and_plays(tmp_path: Path) -> None:
    games, file = tmp_path / "games", tmp_path / "small.net"
    result = run(app, ["train", "data", str(games), "--positions", "60000", "--nodes", "30"])
    assert result.exit_code == 0, result.output
    result = run(app, ["train", "fit", str(games), "-o", str(file), "--epochs", "4"])
    assert result.exit_code == 0, result.output
    losses = [float(line.split()[-1]) for line in result.output.splitlines() if "loss" in line]
    assert len(losses) == 5
    assert losses[-1] < losses[0] - 0.005
    net = nets.read(file)
    assert (net.card.name, net.card.generation, net.card.nodes) == ("small", 1, 30)
    assert file.stat().st_size < nets.LARGEST
    assert (
        Engine("ultimate", net=str(file)).best_move("ultimate", Limit(nodes=500)).move is not None
    )
    again = tmp_path / "games2"
    result = run(
        app,
        ["train", "data", str(again), "--positions", "1", "--nodes", "30", "--net", str(file)],
    )
    assert result.exit_code == 0, result.output
    facts = json.loads((again / "data.json").read_text())
    assert (facts["generation"], facts["net"]) == (2, net.card.sha256)


def test_weights_in_whole_numbers_give_the_estimates_of_the_fit(tmp_path: Path) -> None:
    played(tmp_path, 20_000, Plan(nodes=20))
    samples = load(tmp_path)
    *_, epoch = fit.fit(samples, epochs=2)
    net = fit.packed(epoch.weights, "x", Plan(), len(samples.score))
    _core.Net(net.weights)
    at = 0
    for name in ("embedding", "place"):
        value = np.asarray(epoch.weights[name])
        packed = np.frombuffer(net.weights[at : at + value.size], "i1").reshape(value.shape)
        assert np.abs(packed / 64 - value).max() <= 1 / 128 + 1e-6
        at += value.size


def test_bad_input_is_refused(tmp_path: Path) -> None:
    result = run(app, ["train", "fit", str(tmp_path), "-o", str(tmp_path / "x.net")])
    assert result.exit_code in (2, 3)
    result = run(app, ["train", "data", str(tmp_path / "g"), "--net", str(tmp_path / "none.net")])
    assert result.exit_code == 3
    assert "No such file" in result.output
