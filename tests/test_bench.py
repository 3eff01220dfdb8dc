"""The benches in short: their node counts against those that they should print."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HOUSE = Path(__file__).parent.parent
SIGNATURE = json.loads((HOUSE / "tests" / "data" / "signature.json").read_text())


def quick(name: str) -> Any:
    command = (sys.executable, HOUSE / "bench" / name, "--quick", "--json")
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
    """A change of it is meant, has its reason, and a line in CHANGELOG.md."""
    answer = quick("engine.py")
    assert answer["nodes"] == SIGNATURE["nodes"]
    assert answer["signature"] == SIGNATURE["signature"] == sum(answer["nodes"].values())


def test_the_sprt_errs_as_seldom_as_it_says() -> None:
    """A tenth part of what the bench measures: 60 matches at each hypothesis, widely apart."""
    command = (sys.executable, HOUSE / "bench" / "sprt.py", "--quick", "--json", "--runs", "60")
    answer = json.loads(subprocess.check_output(command, text=True))
    for case in answer["cases"]:
        # 5 %, and three standard errors of 60 runs.
        assert case["passed_at_elo0"] < 0.135
        assert case["failed_at_elo1"] < 0.135
        # Between the hypotheses it takes longest.
        assert max(case["pairs_at_elo0"], case["pairs_at_elo1"]) < case["pairs_between"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--data", "nowhere"), "there is no *.txt in nowhere"),
        (("--pons", "nowhere"), "there is no Solver.cpp in nowhere"),
    ],
)
def test_missing_folders_are_named(arguments: tuple[str, str], reason: str) -> None:
    command = (sys.executable, HOUSE / "bench" / "engine.py", *arguments)
    result = subprocess.run(command, text=True, capture_output=True)
    assert result.returncode == 2
    assert reason in result.stderr


def test_the_arena_is_measured() -> None:
    """Whether its figures are met depends on the machine; here they only have to be there."""
    command = (sys.executable, HOUSE / "bench" / "arena.py", "--quick", "--json")
    result = subprocess.run(command, text=True, capture_output=True)
    assert result.returncode in (0, 1), result.stderr
    lines = json.loads(result.stdout)["lines"]
    assert [line["unit"] for line in lines] == ["ms"] * 8 + ["s", ""] + ["ms"] * 13
    assert all(line["figure"] > 0 for line in lines if line["unit"])
