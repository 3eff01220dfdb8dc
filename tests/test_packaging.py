"""The files for package indexes and GitHub agree with the package (`make lint-packaging` lints)."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest

from noughts.cli.serve import serve
from noughts.version import __version__

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def test_versions_are_equal() -> None:
    (cited,) = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    assert cited == __version__
    described = json.loads((ROOT / "packaging/npm/package.json").read_text("utf-8"))
    assert "version" not in described, "tools/npm_package.py adds it"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_calls_commands_that_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    targets = re.findall(r"^\s+(?:run: )?make ([a-z -]+)$", text, re.M)
    for target in (each for line in targets for each in line.split()):
        assert re.search(rf"^{target}:", MAKEFILE, re.M), target
    for name in re.findall(r"needs: \[?([\w, ]+)", text):
        assert set(name.split(", ")) <= set(re.findall(r"^  ([\w-]+):$", text, re.M))
    used = re.findall(r"uses: (\S+)", text)
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) for action in used)
    assert used


def test_image_sets_options_of_the_server() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    options = {
        each.envvar
        for parameter in inspect.signature(serve, eval_str=True).parameters.values()
        for each in getattr(parameter.annotation, "__metadata__", ())
    }
    assert set(re.findall(r"\bNOUGHTS_\w+", text)) <= options
    assert (ROOT / ".dockerignore").read_text("utf-8").splitlines()[-1] == "!dist/*.whl"


def test_wheel_for_pyodide_has_the_platform_of_the_downloaded_one() -> None:
    (platform,) = re.findall(r"^PYODIDE_PLATFORM := pyemscripten_(\w+)_wasm32$", MAKEFILE, re.M)
    lock = ROOT / "build/pyodide/package/pyodide-lock.json"
    if not lock.exists():
        pytest.skip("no Pyodide: make pyodide downloads it")
    info = json.loads(lock.read_text("utf-8"))["info"]
    assert info["abi_version"] == platform
