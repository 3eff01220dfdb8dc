"""What `noughts` alone proposes, run as it is printed, by somebody who types nothing more."""

from __future__ import annotations

import re
import shlex

import pytest
from command import run

from noughts.cli.main import START

COMMANDS = re.findall(r"^  noughts (.+?)  ", START, re.MULTILINE)


def test_all_are_found() -> None:
    assert len(COMMANDS) == START.count("\n  noughts ")


@pytest.mark.parametrize("words", [each for each in COMMANDS if not each.startswith("serve")])
def test_command_runs(words: str) -> None:
    done = run(*shlex.split(words))
    assert done.returncode == 0, done.stderr
    assert done.stdout
