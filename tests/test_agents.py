"""The agents of `examples/agents`: their results, and runs that continue after an interruption."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from needs import imported

from noughts.rl import Batch, MoveMeasure, evaluate, label, mistakes, symmetries
from noughts.rl.curve import Curve
from noughts.views.agent_chart import regret_chart, report_chart

FOLDER = Path(__file__).parents[1] / "examples/agents"


def agent(name: str) -> ModuleType:
    """Import the file of an agent."""
    spec = importlib.util.spec_from_file_location(f"agent_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Pickles of its classes need its name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def trained(
    module: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch, *words: object
) -> list[Any]:
    """Run an agent's file with a folder and options, and return its curve."""
    monkeypatch.setattr(sys, "argv", ["agent", str(folder), *map(str, words)])
    module.main()
    return Curve(folder / "curve.jsonl").points


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure agents in few games."""
    monkeypatch.setitem(evaluate.__kwdefaults__, "games", 2)  # type: ignore[arg-type]
    monkeypatch.setitem(evaluate.__kwdefaults__, "levels", (2, 10))  # type: ignore[arg-type]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["menace", "q_learning", "dqn"])
def test_continued_training_is_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = agent(name)
    small = {"PARTS": 2, "SAMPLE": 16, "WIDTHS": (8,), "MEMORY": 900, "SHOWN": (0, 40)}
    for constant, value in small.items():
        if hasattr(module, constant):
            monkeypatch.setattr(module, constant, value)
    games = 80
    whole = trained(module, tmp_path / "a", monkeypatch, "--games", games)
    assert [point.games for point in whole] == sorted({point.games for point in whole})
    assert whole[-1].games >= games

    class Killed(Exception):
        pass

    add = Curve.add

    def die_at_the_end(curve: Curve, done: int, report: Any) -> None:
        if done >= games:
            raise Killed
        add(curve, done, report)

    with monkeypatch.context() as patch:
        patch.setattr(Curve, "add", die_at_the_end)
        with pytest.raises(Killed):
            trained(module, tmp_path / "b", monkeypatch, "--games", games)
    again = trained(module, tmp_path / "b", monkeypatch, "--games", games)
    assert again == whole
    assert len(again) == 3
    assert (tmp_path / "a/curve.svg").read_bytes().startswith(b"<?xml")
    for fewer in (games, games // 4):
        # The training is complete: the command measures the agent again.
        assert trained(module, tmp_path / "a", monkeypatch, "--games", fewer) == whole


def test_q_learning_becomes_exact() -> None:
    module = agent("q_learning")
    table, games = np.zeros((3**9, 9), np.float32), 0
    batch, rng = Batch("basic", module.AT_ONCE), np.random.default_rng([0, 0])
    images = symmetries("basic")
    counts = []
    for stop in (0, 1_000, 10_000):
        while games < stop:
            games += module.learn(table, batch, images, rng)
        counts.append(mistakes(lambda *seen: module.best(table, *seen), "basic")[0])
    assert counts[0] > counts[1] > counts[2] == 0


def test_q_learning_refuses_large_boards_and_other_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = agent("q_learning")
    with pytest.raises(SystemExit, match="16 cells"):
        trained(module, tmp_path, monkeypatch, "--rules", "mnk:4,4,4")
    np.savez(tmp_path / "table.npz", table=np.zeros(1), games=1, rules="mnk:3,3,3,misere")
    with pytest.raises(SystemExit, match="has learned mnk:3,3,3,misere"):
        trained(module, tmp_path, monkeypatch)


def test_matchboxes_of_menace() -> None:
    module = agent("menace")
    boxes = module.Boxes()
    start = Batch("basic", 1).observation[0]
    lid, turn = boxes.place(start)
    # Corner, edge and middle, each with four beads, as in Michie's first box.
    assert (lid, turn, sorted(boxes.beads[lid])) == ("." * 9, 0, [0] * 6 + [4] * 3)
    batch, rng = Batch("basic", 1), np.random.default_rng(1)
    for _ in range(300):
        module.play(boxes, batch, rng)
    assert all(sum(beads) > 0 for beads in boxes.beads.values())
    # Beads lie on free cells only.
    assert not any(
        beads[cell] and lid[cell] != "." for lid, beads in boxes.beads.items() for cell in range(9)
    )
    root = ElementTree.fromstring(module.drawing(boxes))
    texts = [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert sum(text.endswith("beads") for text in texts) == 12


def test_matchboxes_learn_from_the_result() -> None:
    module = agent("menace")
    boxes = module.Boxes()
    boxes.beads["." * 9] = [4] * 9
    boxes.teach("." * 9, 4, 3)
    boxes.teach("." * 9, 0, -1)
    assert boxes.beads["." * 9] == [3, 4, 4, 4, 7, 4, 4, 4, 4]
    boxes.beads["." * 9] = [1] + [0] * 8
    boxes.teach("." * 9, 0, -1)
    assert boxes.beads["." * 9] == [1] + [0] * 8


def test_slopes_of_the_net_are_those_of_its_error() -> None:
    module = agent("dqn")
    rng = np.random.default_rng(2)
    net = [each.astype(np.float64) for each in module.new_net(18, 9, rng)]
    boards = rng.integers(2, size=(5, 3, 3, 2))
    moves, targets = rng.integers(9, size=5), rng.uniform(-1, 1, 5)

    def error() -> float:
        found = module.layers(net, boards)[-1][np.arange(5), moves]
        return float(((found - targets) ** 2).mean())

    slopes = module.slopes(net, boards, moves, targets)
    compared = 0
    for weights, slope in zip(net, slopes, strict=True):
        place = np.unravel_index(np.argmax(np.abs(slope)), slope.shape)
        before = weights[place]
        weights[place] = before + 1e-5
        above = error()
        weights[place] = before - 1e-5
        measured = (above - error()) / 2e-5
        weights[place] = before
        assert slope[place] == pytest.approx(measured, rel=1e-2)
        compared += 1
    assert compared == 6


def test_charts_have_the_numbers_of_the_reports() -> None:
    report = evaluate(lambda _, legal: legal.argmax(axis=1), "basic", games=2, levels=(1, 10))
    chart = report_chart(report).decode()
    assert chart == report_chart(report).decode()
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", chart)
    assert f"{100 * report.levels[0].score:.0f} %" in texts
    found = report.measure
    assert any(
        f"{100 * found.matters_optimal_share:.1f} % of {found.matters} where the choice" in text
        and f"{found.regret:.3f} and {found.matters_regret:.3f}" in text
        for text in texts
    )
    assert {"level 1", "level 10", "won", "drawn", "lost"} <= {*texts}
    from noughts.rl.curve import CurvePoint

    lines = {"A": [CurvePoint(0, 0.5, 0.5, 9), CurvePoint(500, 0.125, 0.9, 9)]}
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", regret_chart("Title", lines).decode())
    assert {"Title", "A\N{EN SPACE}0.125"} <= {*texts}


@pytest.mark.usefixtures("quick")
def test_without_matplotlib_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "noughts.views.agent_chart")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    trained(agent("menace"), tmp_path, monkeypatch, "--games", 1)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("a chart of an agent needs matplotlib: ")
    assert "-m pip install 'matplotlib" in last
    assert not (tmp_path / "curve.svg").exists()


def test_curve_is_kept_and_damage_is_named(tmp_path: Path) -> None:
    report = evaluate(lambda _, legal: legal.argmax(axis=1), "basic", games=2, levels=(1,))
    curve = Curve(tmp_path / "curve.jsonl")
    for games in (0, 100, 200, 100):
        curve.add(games, report)
    assert [point.games for point in curve.points] == [0, 100]
    with curve.file.open("a") as file:
        file.write('{"games": 3')
    assert Curve(curve.file).points == curve.points
    curve.file.write_text("no\n")
    with pytest.raises(ValueError, match="line 1: no point of a curve"):
        Curve(curve.file)


def test_alphazero_is_measured_on_a_data_set(tmp_path: Path) -> None:
    imported("mctx", "baselines")
    parquet = imported("pyarrow.parquet", "data")
    module = agent("alphazero")
    rules, batch = module.Rules("connect4:3,3,3"), Batch("connect4:3,3,3", 40, seed=2)
    for _ in range(4):
        batch.step(batch.sample())
    found = {"observation": batch.observation.reshape(40, -1), **label(batch)}
    table = imported("pyarrow", "data").table({name: list(found[name]) for name in found})
    (tmp_path / "data").mkdir()
    parquet.write_table(table, tmp_path / "data/test.parquet")

    def best(boards: Any, _: Any) -> Any:
        assert (boards == batch.observation).all()
        return found["optimal"].argmax(axis=1)

    wanted = MoveMeasure(proven=40, optimal=40, lost=0, matters=deciding(found))
    assert module.measure_on(tmp_path, best, rules) == wanted
    assert 0 < wanted.matters < 40


def deciding(found: dict[str, Any]) -> int:
    """Count the positions in which two legal moves differ in value."""
    rows = found["move_values"]
    return sum(len({each for each in row if not np.isnan(each)}) > 1 for row in rows)


@pytest.mark.usefixtures("quick")
def test_alphazero_knows_the_rules_and_learns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported("mctx", "baselines")
    # Optimizing takes longer than these few steps, and so does compiling a second time.
    config = imported("jax", "baselines").config
    config.update("jax_disable_most_optimizations", True)
    config.update("jax_compilation_cache_dir", str(tmp_path / "cache"))
    config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    module = agent("alphazero")
    rules = module.Rules("connect4:5,4")
    batch, boards, compared = Batch(rules.id, 40, seed=1), rules.start(40), 0
    while not batch.terminated.all():
        live, moves = ~batch.terminated, batch.sample()
        side = batch.turn.copy()
        assert (np.asarray(boards)[live] == batch.observation[live]).all()
        assert (np.asarray(rules.legal(boards))[live] == batch.legal[live]).all()
        boards, won, over = rules.drop(boards, moves)
        batch.step(moves)
        assert (np.asarray(over)[live] == batch.terminated[live]).all()
        gained = batch.reward[np.arange(40), side] == 1
        assert (np.asarray(won)[live] == gained[live]).all()
        compared += int(live.sum())
    assert compared > 300
    for name, value in {
        "WIDTH": 16,
        "LAYERS": 2,
        "GAMES": 4,
        "MOVES": 24,
        "BATCH": 8,
        "STEPS": 2,
        "SHOWN": 1,
        "LEVELS": (1,),
    }.items():
        monkeypatch.setattr(module, name, value)
    words = "--rules", "connect4:5,4", "--simulations", 2, "--games", 2
    assert len(trained(module, tmp_path, monkeypatch, *words, "--rounds", 1)) == 2
    assert len(trained(module, tmp_path, monkeypatch, *words, "--rounds", 2)) == 3
    with pytest.raises(SystemExit, match="choose another folder"):
        trained(module, tmp_path, monkeypatch, "--rules", "connect4:4,4", "--rounds", 1)
