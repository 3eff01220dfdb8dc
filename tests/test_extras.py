"""The commands that install what an extra needs: pip understands them, and they name each extra."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from noughts.extras import missing, pip_install, requirements_of

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def name_of(requirement: str) -> str:
    """Return the name of a requirement, as indexes write it; the metadata sorts the versions."""
    return re.split("[<>=[ ]", requirement)[0].replace("_", "-").lower()


@pytest.mark.parametrize("extra", EXTRAS)
def test_requirements_are_those_of_the_project(extra: str) -> None:
    assert set(map(name_of, requirements_of(extra))) == set(map(name_of, EXTRAS[extra]))


def test_command_runs_in_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(missing("the page", "fastapi", "web").partition(": ")[2])
    assert words[:4] == [sys.executable, "-m", "pip", "install"]
    assert any(word.startswith("fastapi>=") for word in words)
    monkeypatch.setattr(sys, "executable", "/a folder/python")
    command = shlex.split(pip_install("a>=1", "b"))
    assert command == ["/a folder/python", "-m", "pip", "install", "a>=1", "b"]
