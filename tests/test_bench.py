"""The benches in short: pinned node counts, exit codes, and the form of their figures."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import run

import noughts
from noughts import nets
from noughts.engine import Engine
from noughts.levels import full_strength
from noughts.train.calibrate import curve, play

ROOT = Path(__file__).parent.parent
SIGNATURE = json.loads((ROOT / "tests" / "data" / "signature.json").read_text())


def quick(name: str) -> Any:
    command = (sys.executable, ROOT / "bench" / name, "--quick", "--json")
    answer = json.loads(subprocess.check_output(command, text=True))
    assert answer["schema"] == 1
    assert answer["skipped"] == ["everything but the node counts"]
    return answer


def test_node_counts() -> None:
    nodes = quick("textbook.py")["nodes"]
    # One more than the moves made, which the sources count: the root.
    assert nodes["minimax"] == nodes["minimax, lists of lists"] == 549_945 + 1
    assert nodes["alpha-beta, row-major"] == 18_296 + 1
    assert nodes["alpha-beta, centre first"] == 7_274 + 1
    assert nodes["solved"] == 5_478


def test_node_signature() -> None:
    """A change of the signature needs a reason and a line in CHANGELOG.md."""
    answer = quick("engine.py")
    assert answer["nodes"] == SIGNATURE["nodes"]
    assert answer["signature"] == SIGNATURE["signature"] == sum(answer["nodes"].values())


def test_steadiness_counts_positions_with_two_estimates() -> None:
    limits = ("--positions", "12", "--nodes", "3000", "--player", "engine:level=1")
    command = (sys.executable, ROOT / "bench" / "steady.py", "ultimate", "--json", *limits)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    assert found["positions"] == 12
    shares = []
    for name in ("analysis", "graph", "both"):
        steady, estimates = found[f"{name}_steady"], found[f"{name}_estimates"]
        assert 0 <= steady <= estimates <= 12
        assert estimates > 5
        shares.append(steady / estimates)
    assert done.returncode == (min(shares[:2]) < 0.95)


def test_calibration_keeps_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench")
    calibration = importlib.import_module("calibration")
    monkeypatch.setattr(calibration, "GAMES_OF_ROW", 2)
    file, own = tmp_path / "counts.json", ("--game", "advanced")

    def main(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["calibration.py", *words, "--file", str(file)])
        return (calibration.main(), *capsys.readouterr())

    for lines in (2, 0):  # the second run finds its games
        code, _, progress = main("play", *own, "--games", "3", "--seed", "9")
        assert (code, len(progress.splitlines())) == (0, lines)
    rows = json.loads(file.read_text())
    assert [row["first"] for row in rows] == [0, 2]
    for row in rows:
        games = play("advanced", calibration.net_of("advanced"), 2, seed=9, first=row["first"])
        results = [result for _, result in games]
        assert (sum(row["counts"]), sum(row["sums"])) == (len(results), sum(results))
    code, table, _ = main("check")
    positions = sum(sum(row["counts"]) for row in rows)
    assert table.splitlines()[2].startswith(f"| `advanced` | 4 | {positions} | ")
    assert code == 1  # four games cannot meet the target


def test_curves_of_open_boards_follow_from_the_kept_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench")
    calibration = importlib.import_module("calibration")
    for game in nets.NESTED["ultimate-open"]:
        rows = calibration.of_game(calibration.rows_in(calibration.FILE), game)
        judged = calibration.judged_in([row for row in rows if row["seed"] == 0])
        assert curve(judged) == calibration.net_of(game).card.curves[game]


def test_chances_agree_with_the_kept_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each tenth of the chances shown, the mean result lies within 0.05."""
    monkeypatch.syspath_prepend(ROOT / "bench")
    calibration = importlib.import_module("calibration")
    checked = []
    for game in calibration.GAMES:
        rows = calibration.of_game(calibration.rows_in(calibration.FILE), game)
        rows = [row for row in rows if row["seed"] != 0]
        if sum(sum(row["counts"]) for row in rows) >= 100_000:
            net = calibration.net_of(game)
            for part in calibration.parts_of(net, game, rows, calibration.TENTHS):
                assert abs(part.mean) / 2 <= calibration.TARGET
            checked.append(game)
    assert {*nets.NESTED["ultimate-open"], "advanced"} <= {*checked}


def test_sprt_error_rates_are_within_their_bounds() -> None:
    """A tenth of the bench: 60 matches at each hypothesis, with bounds far apart."""
    command = (sys.executable, ROOT / "bench" / "sprt.py", "--quick", "--json", "--runs", "60")
    answer = json.loads(subprocess.check_output(command, text=True))
    for case in answer["cases"]:
        # 5 % plus three standard errors of 60 runs.
        assert case["passed_at_elo0"] < 0.135
        assert case["failed_at_elo1"] < 0.135
        # A strength between the hypotheses takes longest.
        assert max(case["pairs_at_elo0"], case["pairs_at_elo1"]) < case["pairs_between"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--data", "nowhere"), "no *.txt in nowhere"),
        (("--pons", "nowhere"), "no Solver.cpp in nowhere"),
    ],
)
def test_missing_folders_are_named(arguments: tuple[str, str], reason: str) -> None:
    command = (sys.executable, ROOT / "bench" / "engine.py", *arguments)
    result = subprocess.run(command, text=True, capture_output=True)
    assert result.returncode == 2
    assert reason in result.stderr


@pytest.mark.soak
def test_arena_bench_prints_every_line() -> None:
    """Whether the targets are met depends on the machine; the exit code says so."""
    command = (sys.executable, ROOT / "bench" / "arena.py", "--quick", "--json")
    result = subprocess.run(command, text=True, capture_output=True)
    lines = json.loads(result.stdout)["lines"]
    assert result.returncode == (False in [line["met"] for line in lines]), result.stderr
    assert [line["unit"] for line in lines] == ["ms"] * 8 + ["s", ""] + ["ms"] * 13
    assert all(line["figure"] > 0 for line in lines if line["unit"])


MATCH_UNITS = [""] * 2
SERVER_UNITS = ["ms"] * 3 + ["×", "ms", "ms", "", ""]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "units", "counted"), [("match", MATCH_UNITS, 2), ("cookies", SERVER_UNITS, 1)]
)
def test_attacks_refuse_no_victim_and_do_no_harm(name: str, units: list[str], counted: int) -> None:
    """Whether the times are met depends on the machine; the exit code says so.

    `make soak` has all attacks. The scripts of the one on the library resemble those of
    test_engine_life.py, and its commands run in the next test.
    """
    command = (sys.executable, ROOT / "bench" / "attack.py", "--quick", "--json", name)
    result = subprocess.run(command, text=True, capture_output=True)
    assert result.stdout, result.stderr
    lines = json.loads(result.stdout)["lines"]
    assert result.returncode == (False in [line["met"] for line in lines]), result.stderr
    assert [line["unit"] for line in lines] == units
    counts = [line for line in lines if not line["unit"] and line["met"] is not None]
    assert len(counts) == counted
    assert all(line["figure"] == 0 for line in counts), counts


def test_absurd_commands_are_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench")
    commands = importlib.import_module("hostile").COMMANDS
    assert commands
    for command in commands:
        done = run(*command)
        assert done.returncode in (2, 3), command
        assert "Traceback" not in done.stderr


def test_unknown_attack_is_refused() -> None:
    command = (sys.executable, ROOT / "bench" / "attack.py", "nonsense")
    result = subprocess.run(command, text=True, capture_output=True)
    assert result.returncode == 2
    assert "no attack is called 'nonsense'" in result.stderr


def test_the_curve_of_ultimate_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench")
    curve_bench = importlib.import_module("ultimate_curve")
    results, limits = tmp_path / "results.jsonl", ("--plies", "44", "46", "--positions", "2")

    def main(*words: str) -> str:
        monkeypatch.setattr(
            sys, "argv", ["ultimate_curve.py", *words, "--results", str(results), "--table", "8"]
        )
        assert curve_bench.main() == 0
        return capsys.readouterr().out

    rows: list[dict[str, Any]] = []
    for nodes in (2, 2, 200_000):  # the second run finds all its results, the third the solved ones
        main("measure", *limits, "--nodes", str(nodes))
        before, rows = len(rows), curve_bench.rows_in(results)
        assert len(rows) == before or nodes != 2 or before == 0
    assert len([row for row in rows if row["limit"] == 2]) == 2 * 2 * 2 * 2
    last = {(row["curve"], row["position"]): row for row in rows}
    assert all(row["solved"] and row["nodes"] <= 200_000 for row in last.values())
    for row in last.values():
        if row["curve"] == "moves":
            whole = last["value", row["position"]]["value"]
            kinds = row["moves"].values()
            assert whole == next(kind for kind in ("win", "draw", "loss") if kind in kinds)
    table = main("show", "--nodes", "200000")
    assert table.count("| 2 | 100% ") == 8


def test_the_games_of_the_curve_are_legal_and_of_level_10() -> None:
    """The first move after the opening of the first game of each rules is that of the engine."""
    rows = [
        json.loads(line)
        for line in (ROOT / "bench" / "ultimate_games.jsonl").read_text().splitlines()
    ]
    for rules in ("ultimate", "ultimate:tie=boards"):
        games = [row for row in rows if row["rules"] == rules]
        assert [row["game"] for row in games] == list(range(len(games)))
        positions = [noughts.game(rules).after(row["moves"]) for row in games]
        assert sum(position.ply == 50 for position in positions) > 1
        assert all(position.ply == 50 or position.outcome() for position in positions)
        opening = noughts.game(rules).after(" ".join(games[0]["moves"].split()[:4]))
        best = Engine(rules).best_move(opening, full_strength(rules))
        assert best.text == games[0]["moves"].split()[4]


def test_puzzles_keep_the_ratings_that_the_engine_gives(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench")
    assert importlib.import_module("puzzle_ratings").main(["mnk:3,3,3,misere"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("mnk-3-3-3-misere.txt: 60 puzzles, ")
    assert "(+0.0); 0 change by more than 1, 0 have another difficulty" in told
