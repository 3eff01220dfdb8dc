"""The tests that `make test` leaves to `make test-all` exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from more import KEPT, LEFT, is_more


@pytest.mark.parametrize("file", [*KEPT, *LEFT])
def test_every_name_is_that_of_a_test(file: str) -> None:
    text = Path(__file__).with_name(f"{file}.py").read_text(encoding="utf-8")
    defined = set(re.findall(r"def (test_\w+)\(", text))
    named = {name.partition("[")[0] for name in (*KEPT.get(file, ()), *LEFT.get(file, ()))}
    assert named <= defined
    assert file not in KEPT or file not in LEFT


def test_tests_are_told_apart() -> None:
    assert not is_more("test_row", "test_anything")
    assert is_more("test_servers", "test_anything[1]")
    assert is_more("test_docs", "test_console[rules.md]")
    assert not is_more("test_docs", "test_console[README.md]")
    assert not is_more("test_docs", "test_python[rules.md]")
    assert is_more("test_campaign", "test_kills_change_nothing[5]")
    assert not is_more("test_campaign", "test_another")
