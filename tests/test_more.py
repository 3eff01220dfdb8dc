"""The tests that `make test` leaves to `make test-all` exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FEW, MORE
from more import KEPT, LEFT, THINNED, has_kept, has_more, is_more

NAMES = ("tests/test_row.py", "tests/test_campaign.py", "tests/test_parse_time.py")


@pytest.mark.parametrize("file", sorted({*KEPT, *LEFT, *THINNED}))
def test_every_name_is_that_of_a_test(file: str) -> None:
    text = Path(__file__).with_name(f"{file}.py").read_text(encoding="utf-8")
    defined = set(re.findall(r"def (test_\w+)\(", text))
    listed = (*KEPT.get(file, ()), *LEFT.get(file, ()), *THINNED.get(file, ()))
    named = {name.partition("[")[0] for name in listed}
    assert named <= defined
    assert file not in KEPT or file not in LEFT


def test_tests_are_told_apart() -> None:
    assert not is_more("test_row", "test_anything")
    assert is_more("test_servers", "test_anything[1]")
    assert is_more("test_docs", "test_console[rules.md]")
    assert not is_more("test_docs", "test_console[README.md]")
    assert is_more("test_docs", "test_python[rules.md]")
    assert not is_more("test_docs", "test_python[python.md]")
    assert is_more("test_campaign", "test_kills_change_nothing[5]")
    assert not is_more("test_campaign", "test_another")
    many = [is_more("test_bounds", "test_each_score_of_a_trace_is_true[x]", at) for at in range(6)]
    assert many == [False, True, True, True, True, False]


def test_files_are_told_apart() -> None:
    assert (has_kept("test_row"), has_more("test_row")) == (True, False)
    assert (has_kept("test_servers"), has_more("test_servers")) == (False, True)
    assert (has_kept("test_docs"), has_more("test_docs")) == (True, True)
    assert (has_kept("test_campaign"), has_more("test_campaign")) == (True, True)


def test_each_set_imports_its_files_only(pytestconfig: pytest.Config) -> None:
    def chosen(mark: str) -> set[str]:
        command = (sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", mark, *NAMES)
        done = subprocess.run(command, capture_output=True, text=True, cwd=pytestconfig.rootpath)
        return {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}

    few, more = chosen(FEW), chosen(MORE)
    assert few == {"tests/test_row.py", "tests/test_campaign.py"}
    assert more == {"tests/test_parse_time.py", "tests/test_campaign.py"}
