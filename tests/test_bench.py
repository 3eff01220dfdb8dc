"""The bench in short: its node counts, which it asserts, against those it should print."""

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parent.parent / "bench" / "textbook.py"


def test_node_counts() -> None:
    command = (sys.executable, BENCH, "--quick", "--json")
    answer = json.loads(subprocess.check_output(command, text=True))
    assert answer["schema"] == 1
    assert answer["skipped"] == ["everything but the node counts"]
    nodes = answer["nodes"]
    # One more than the moves made, which the sources count: the root.
    assert nodes["minimax"] == nodes["minimax, lists of lists"] == 549_945 + 1
    assert nodes["alpha-beta, row-major"] == 18_296 + 1
    assert nodes["alpha-beta, centre first"] == 7_274 + 1
    assert nodes["solved"] == 5_478
