"""Training: games for it, symmetries, and a net that learns."""

from __future__ import annotations

import json
import math
import random
import signal
import subprocess
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command import NOUGHTS
from needs import IN_CI, imported
from nets_reference import balance, content, rows
from patience import PATIENCE
from samples import random_game
from training import ended, in_turn, losses_of
from typer.testing import CliRunner

import noughts
from noughts import _core, nets
from noughts.cli.main import app
from noughts.games.nested import NestedPosition
from noughts.train.calibrate import Judged, calibrated, curve
from noughts.train.calibrate import play as replay
from noughts.work.parallel import in_threads

np = imported("numpy", "train")

from noughts.train.data import (  # noqa: E402
    CELLS,
    CONTENTS,
    IMAGES,
    ROWS,
    TURNED_ROWS,
    Plan,
    _keys,
    load,
    play,
)
from noughts.train.pack import floats, packed, quantized, weights_of  # noqa: E402

run = CliRunner().invoke
ULTIMATE = nets.NESTED["ultimate"]


def played(folder: Path, positions: int, plan: Plan) -> int:
    *_, total = play(folder, plan, positions, run=in_threads(2))
    return total


def test_games_are_continued_and_the_same_again(tmp_path: Path) -> None:
    plan = Plan(ULTIMATE, nodes=20, seed=3)
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
        played(tmp_path / "a", more, Plan(ULTIMATE, nodes=21, seed=3))


@pytest.mark.parametrize("name", nets.NESTED)
def test_samples_are_possible_positions(tmp_path: Path, name: str) -> None:
    played(tmp_path, 2_000, Plan(nets.NESTED[name], nodes=20))
    samples = load(tmp_path)
    chosen = samples.rows[:, 0]
    digits = samples.contents[:, :, None] // 3 ** np.arange(9) % 3
    nobodys = samples.contents < 19_683
    is_open = nobodys | (samples.contents >= 19_686)
    # The side to move has as many marks as the other side, or one less.
    free = (nobodys.all(1)) & (chosen % 10 != 9)
    difference = ((digits == 2).sum((1, 2)) - (digits == 1).sum((1, 2)))[free]
    assert set(difference) == {0, 1}
    forced = np.flatnonzero(chosen % 10 < 9)
    assert is_open[forced, chosen[forced] % 10].all()
    assert set(np.unique(samples.result)) == {-1, 0, 1}
    # A proven win is nearly always won.
    assert samples.result[samples.score == 1].mean() > 0.8
    assert samples.result[samples.score == -1].mean() < -0.8
    assert {True, False} == set(chosen >= 10)
    assert samples.rows.shape[1] == (3 if name == "advanced" else 1)
    assert (samples.contents >= 19_686).any() == (name == "ultimate-open")


def test_symmetric_positions_count_once() -> None:
    rng = np.random.default_rng(1)
    contents = rng.integers(0, CONTENTS, (300, 9)).astype(np.int32)
    chosen = rng.integers(0, 20, 300).astype(np.int32)
    for symmetry in range(8):
        boards = IMAGES[symmetry][contents[:, CELLS[symmetry]]].astype(np.int32)
        assert (_keys(boards, TURNED_ROWS[symmetry][chosen]) == _keys(contents, chosen)).all()
    assert len(np.unique(_keys(contents, chosen))) == 300


@pytest.mark.skipif(not find_spec("optax") and not IN_CI, reason="the extra `train` is missing")
@pytest.mark.parametrize(
    ("positions", "epochs"), [(5_000, 3), pytest.param(60_000, 12, marks=pytest.mark.soak)]
)
def test_net_learns_and_plays(tmp_path: Path, positions: int, epochs: int) -> None:
    games, file = tmp_path / "games", tmp_path / "small.net"
    weights, packed_file = tmp_path / "small.npz", tmp_path / "packed.net"
    more, small_file, again = tmp_path / "more.net", tmp_path / "tiny.net", tmp_path / "games2"
    _, fitted, repacked, continued, small, _ = in_turn(
        ("data", games, "--positions", positions, "--nodes", 30),
        ("fit", games, "-o", file, "--epochs", epochs, "--weights", weights),
        ("pack", weights, "-o", packed_file),
        ("fit", games, "-o", more, "--epochs", 1, "--from", file),
        ("fit", games, "-o", small_file, "--size", "small", "--epochs", epochs // 2),
        ("data", again, "--positions", 1, "--nodes", 30, "--net", file),
    )
    losses = losses_of(fitted)
    assert len(losses) == epochs + 1
    assert losses[-1] < losses[0] - 0.001
    net = nets.read(file)
    assert (net.card.name, net.card.generation, net.card.nodes) == ("small", 1, 30)
    assert file.stat().st_size < nets.LARGEST
    assert net.card.sha256 in repacked
    assert nets.read(packed_file) == replace(net, card=replace(net.card, name="packed"))
    assert abs(losses_of(continued)[0] - losses[-1]) < 0.002
    assert nets.read(more).card.positions == 2 * net.card.positions
    losses = losses_of(small)
    assert losses[-1] < losses[0] - 0.001
    assert nets.read(small_file).is_small
    facts = json.loads((again / "data.json").read_text())
    assert (facts["generation"], facts["net"]) == (2, net.card.sha256)


RANDOM_WEIGHTS = {
    "embedding": (CONTENTS, 16),
    "place": (9, 16, 32),
    "rows": (ROWS, 32),
    "second": (8, 32),
    "second_bias": (8,),
    "third": (8,),
    "bias": (),
    "estimate": (),
    "balance": (),
}


@pytest.mark.parametrize("name", nets.NESTED)
def test_weights_of_a_net_make_the_same_net(name: str) -> None:
    net = nets.net_of(nets.NESTED[name][0])
    assert net is not None
    assert quantized(weights_of(net)) == net.weights


@pytest.mark.parametrize(
    ("net", "code", "said"),
    [
        (nets.small_net(), 3, "The net ultimate-small is small"),
        (nets.net_of("advanced"), 2, "is not a full net of ultimate and ultimate:tie=boards"),
    ],
)
def test_training_continues_no_other_net(
    tmp_path: Path, net: nets.Net, code: int, said: str
) -> None:
    games, first = tmp_path / "games", tmp_path / "first.net"
    first.write_bytes(net.packed())
    played(games, 1, Plan(ULTIMATE, nodes=10))
    result = run(app, ["train", "fit", str(games), "-o", str(tmp_path / "x"), "--from", str(first)])
    assert result.exit_code == code
    assert said in " ".join(result.output.split())


def random_weights() -> dict[str, Any]:
    rng = np.random.default_rng(3)
    return {name: rng.normal(0, 0.3, shape) for name, shape in RANDOM_WEIGHTS.items()}


@pytest.fixture
def two_nets(tmp_path: Path) -> tuple[Path, Path]:
    """Return the files of the installed net of `advanced`, and of one that knows nothing."""
    good, bad = tmp_path / "good.net", tmp_path / "bad.net"
    installed = nets.net_of("advanced")
    assert installed is not None
    good.write_bytes(installed.packed())
    bad.write_bytes(packed(random_weights(), "bad", Plan(nets.NESTED["advanced"]), 1).packed())
    return good, bad


def test_net_is_tested_in_a_match(tmp_path: Path, two_nets: tuple[Path, Path]) -> None:
    good, bad = two_nets
    out = tmp_path / "test.jsonl"
    quick = ("--nodes", 40, "--elo1", 300, "--jobs", 2)
    refused = ended("test", bad, *quick)
    assert refused.returncode == 1, refused.stderr
    assert "SPRT of bad-" in refused.stdout
    assert "installed-" in refused.stdout
    assert ": failed; LLR" in refused.stdout
    undecided = ended("test", good, "--against", bad, *quick, "--pairs", 1, "--out", out)
    assert undecided.returncode == 5, undecided.stderr
    assert len(out.read_text().splitlines()) == 2
    accepted = ended("test", good, "--against", bad, *quick, "--out", out, "--json")
    assert accepted.returncode == 0, accepted.stderr
    assert "2 games already played" in accepted.stderr
    data = json.loads(accepted.stdout)
    assert data["sprt"]["passed"] is True
    assert data["control"] == "nodes=40"
    # The games of one net are not continued with another one in the same file.
    weights = random_weights() | {"bias": np.array(0.2)}
    bad.write_bytes(packed(weights, "bad", Plan(nets.NESTED["advanced"]), 1).packed())
    other = ended("test", good, "--against", bad, *quick, "--out", out)
    assert other.returncode == 3
    assert "has another match" in other.stderr


def test_interrupted_test_shows_its_state(tmp_path: Path, two_nets: tuple[Path, Path]) -> None:
    good, bad = two_nets
    out = tmp_path / "test.jsonl"
    options = ("--against", str(bad), "--nodes", "50", "--elo1", "0.1", "--out", str(out))
    command = [NOUGHTS, "train", "test", str(good), *options, "--jobs", "1"]
    testing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + PATIENCE
    while not out.exists() or out.read_text().count("\n") < 4:
        assert testing.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    testing.send_signal(signal.SIGINT)
    _, said = testing.communicate(timeout=PATIENCE)
    assert testing.returncode == 130
    assert "not decided; LLR" in said
    assert "To continue: noughts train test" in said


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("none.net",), 3, "cannot read the net none.net"),
        (("good.net",), 2, "The two nets are the same"),
        (("bad.net", "--elo0", "5", "--elo1", "5"), 2, "Elo0 is less than elo1"),
        (("bad.net", "--game", "basicx"), 2, 'no game called "basicx"'),
        (("bad.net", "--game", "ultimate"), 3, "evaluates advanced and advanced:full=draw, not"),
        (("bad.net", "--against", "none.net"), 3, "cannot read the net none.net"),
        (("bad.net", "--nodes", "9", "--seconds", "1"), 2, "choose one of them"),
    ],
)
def test_impossible_tests_of_nets_are_refused(
    arguments: tuple[str, ...],
    code: int,
    complaint: str,
    two_nets: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(two_nets[0].parent)
    nets.read.cache_clear()
    result = run(app, ["train", "test", *arguments])
    assert result.exit_code == code, result.output
    assert complaint.lower() in " ".join(result.output.split()).lower()


def test_pack_makes_a_net_of_weights(tmp_path: Path) -> None:
    plan = Plan(ULTIMATE, nodes=70, seed=2, generation=3)
    weights, file = tmp_path / "mine.npz", tmp_path / "mine.net"
    weights.write_bytes(floats(random_weights(), plan, 1_234))
    result = run(app, ["train", "pack", str(weights), "-o", str(file)])
    assert result.exit_code == 0, result.output
    nets.read.cache_clear()
    net = nets.read(file)
    assert net == packed(random_weights(), "mine", plan, 1_234)
    for words in (net.card.sha256, "1,234, each judged by 70 nodes", "3, seed 2", *ULTIMATE):
        assert words in result.output
    renamed = run(app, ["train", "pack", str(file), "-o", str(file), "--name", "A new name"])
    assert renamed.exit_code == 0, renamed.output
    nets.read.cache_clear()
    assert nets.read(file) == replace(net, card=replace(net.card, name="A new name"))


def test_pack_refuses_other_files(tmp_path: Path) -> None:
    plan, file = Plan(ULTIMATE), tmp_path / "x.npz"

    def complaint() -> str:
        result = run(app, ["train", "pack", str(file), "-o", str(tmp_path / "x.net")])
        assert result.exit_code == 3
        assert not (tmp_path / "x.net").exists()
        return " ".join(result.output.split())

    assert "No such file" in complaint()
    whole = floats(random_weights(), plan, 1)
    for damaged in (b"", b"PK", whole[:-500], b"noughts-net 1\n{}"):
        file.write_bytes(damaged)
        words = complaint()
        assert "holds no weights" in words or "damaged" in words
    file.write_bytes(floats({"embedding": np.zeros(3)}, plan, 1))
    assert "has no array 'place'" in complaint()
    file.write_bytes(floats(random_weights() | {"third": np.zeros(7)}, plan, 1))
    assert "a net has" in complaint()


@pytest.mark.parametrize(("name", "size"), [*((name, 16) for name in nets.NESTED), ("ultimate", 2)])
def test_whole_numbers_give_the_results_of_the_weights(name: str, size: int) -> None:
    """The network of `noughts.train.fit` in floating point, beside the core."""
    rng = np.random.default_rng(4)
    weights = {
        "embedding": rng.normal(0, 0.3, (CONTENTS, size)),
        "place": rng.normal(0, 0.3, (9, 16, 32)),
        "rows": rng.normal(0.1, 0.2, (ROWS, 32)),
        "second": rng.normal(0, 0.3, (8, 32)),
        "second_bias": rng.normal(0.1, 0.2, 8),
        "third": rng.normal(0, 0.6, 8),
        "bias": np.array(0.1),
        "estimate": np.array(1.5),
        "balance": np.array(2.0),
    }
    bounded = {key: np.clip(value, -1.98, 1.98) for key, value in weights.items()}
    family = nets.NESTED[name]
    net = packed(bounded, "x", Plan(family), 1)
    engine_net, errors = _core.Weights(net.weights), []
    assert net.is_small == (size == 2)
    embedding = bounded["embedding"][IMAGES.T if size == 2 else np.arange(CONTENTS)]
    embedding = embedding.reshape(CONTENTS, 16)
    for position in list(random_game(noughts.game(family[0]), random.Random(4)))[:-1]:
        assert isinstance(position, NestedPosition)
        total = bounded["rows"][rows(position)].sum(0)
        for board in range(9):
            total += embedding[content(position, board)] @ bounded["place"][board]
        hidden = np.clip(total, 0, 1) @ bounded["second"].T + bounded["second_bias"]
        known = balance(position)
        logit = np.clip(hidden, 0, 1) @ bounded["third"] + bounded["bias"]
        logit += 1.5 * known / (2458 + abs(known)) + 2.0 * known / 2**15
        errors.append(engine_net.estimate(str(position)) / 10_000 - np.tanh(logit / 2))
    assert len(errors) > 15
    assert np.abs(errors).max() < 0.04
    assert np.abs(errors).mean() < 0.01


def test_curve_is_the_mean_result() -> None:
    rng = random.Random(2)
    judged = []
    for _ in range(40_000):
        estimate = rng.uniform(-1, 1)
        expected = math.copysign(abs(estimate) ** 0.5, estimate)
        judged.append(Judged(estimate, 1 if rng.uniform(-1, 1) < expected else -1))
    for tenth, mean in enumerate(curve(judged)):
        assert mean == pytest.approx(((tenth + 0.5) / 10) ** 0.5, abs=0.06)
    for part, mean in enumerate(curve(judged * 2)):
        assert mean == pytest.approx(((part + 0.5) / 20) ** 0.5, abs=0.1)
    assert [len(curve(judged * times)) for times in (1, 2)] == [10, 20]
    assert curve([]) == tuple((tenth + 0.5) / 10 for tenth in range(10))
    rising = curve([Judged(0.05, 1.0)] * 5_000 + [Judged(0.95, -1.0)] * 5_000)
    assert list(rising) == sorted(set(rising))
    assert 0 < rising[0] < rising[-1] < 1


def test_command_calibrates_a_net(tmp_path: Path) -> None:
    file = tmp_path / "mine.net"
    advanced = nets.net_of("advanced")
    assert advanced is not None
    file.write_bytes(calibrated(advanced, {}).packed())
    result = run(app, ["train", "calibrate", str(file), "--games", "4", "--nodes", "200"])
    assert result.exit_code == 0, result.output
    nets.read.cache_clear()
    net = nets.read(file)
    assert net.weights == advanced.weights
    assert list(net.card.curves) == ["advanced", "advanced:full=draw"]
    missing = run(app, ["train", "calibrate", str(tmp_path / "none.net")])
    assert missing.exit_code == 3
    assert "No such file" in missing.output


@pytest.mark.soak
@pytest.mark.parametrize(
    ("rules_id", "games"),
    [("ultimate", 7_000), ("ultimate:tie=boards", 7_000), ("advanced", 15_000)],
)
def test_estimates_are_expected_results(rules_id: str, games: int) -> None:
    """Over 100,000 positions, in each tenth of the estimate."""
    net = nets.net_of(rules_id)
    assert net is not None
    sums, counts = [0.0] * 20, [0] * 20
    for estimate, result in replay(rules_id, net, games, seed=9):
        expected = net.expected(rules_id, estimate)
        tenth = min(19, int(10 * (expected + 1)))
        sums[tenth] += result - expected
        counts[tenth] += 1
    assert sum(counts) >= 100_000
    assert max(abs(total / number) for total, number in zip(sums, counts, strict=True)) < 0.05


def test_bad_input_is_refused(tmp_path: Path) -> None:
    result = run(app, ["train", "fit", str(tmp_path), "-o", str(tmp_path / "x.net")])
    assert result.exit_code in (2, 3)
    played(tmp_path / "a", 1, Plan(nets.NESTED["advanced"], nodes=10))
    small = ["--size", "small", "-o", str(tmp_path / "x.net")]
    result = run(app, ["train", "fit", str(tmp_path / "a"), *small])
    assert result.exit_code == 2
    assert "--size: a small net evaluates ultimate and" in result.output
    result = run(app, ["train", "data", str(tmp_path / "g"), "--net", str(tmp_path / "none.net")])
    assert result.exit_code == 3
    assert "No such file" in result.output
    result = run(app, ["train", "data", str(tmp_path / "g"), "--game", "connect4"])
    assert result.exit_code == 2
    assert "No net evaluates connect4" in result.output
