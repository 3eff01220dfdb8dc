"""`noughts train` in processes, since JAX does not bear the forks of other tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from command import NOUGHTS


def ended(*words: object) -> subprocess.CompletedProcess[str]:
    """Run `noughts train` as a process, since JAX does not bear the forks of other tests.

    For the few steps of a test, compilation takes most of the time.
    """
    command = [NOUGHTS, "train", *map(str, words)]
    quick = os.environ | {"JAX_DISABLE_MOST_OPTIMIZATIONS": "1"}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=quick)


IN_TURN = """
import json, sys
from typer.testing import CliRunner
from noughts.cli.main import app

for words in json.load(sys.stdin):
    done = CliRunner().invoke(app, ["train", *words])
    assert done.exit_code == 0, (words, done.output)
    print(json.dumps(done.output))
"""


def in_turn(*commands: tuple[object, ...]) -> list[str]:
    """Run several `noughts train` in one process, since importing JAX takes longer than a step."""
    words = json.dumps([[str(word) for word in command] for command in commands])
    quick = os.environ | {"JAX_DISABLE_MOST_OPTIMIZATIONS": "1"}
    command = (sys.executable, "-c", IN_TURN)
    done = subprocess.run(
        command, input=words, capture_output=True, text=True, timeout=600, env=quick
    )
    assert done.returncode == 0, done.stderr
    outputs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(outputs) == len(commands)
    return outputs


def losses_of(output: str) -> list[float]:
    """Return the loss after each epoch of `noughts train fit`."""
    return [float(line.split()[-1]) for line in output.splitlines() if "loss" in line]
