"""The README, the pages of docs/ and the docstrings, run as they stand.

In a page, a block fenced as

    ```pycon            is a session, or without >>> a program, in one Python for the whole page
    ```python           likewise
    ```python PATH      is a part of that file, word for word
    ```console          is run: the lines `$ COMMAND`, each followed by the output wanted

where `…` stands for any text, and alone on a line for any lines. Commands run by bash in a folder
that holds the examples. Blocks fenced otherwise (```text) are left alone.
"""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import noughts

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(noughts.__path__, "noughts.")
    if not module.name.endswith("__main__")
)
SCRIPTS = [*EXAMPLES, *sorted((ROOT / "bench").glob("*.py")), *sorted((ROOT / "docs").glob("*.py"))]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


class Block(NamedTuple):
    language: str
    path: str
    line: int
    """The line of the page where the block's text begins, counted from 1."""
    text: str


class Command(NamedTuple):
    command: str
    line: int
    output: list[str]


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    fences = re.finditer(r"^```(\w+) *(.*)\n((?:.*\n)*?)```$", text, re.MULTILINE)
    return [
        Block(fence[1], fence[2], text.count("\n", 0, fence.start(3)) + 1, fence[3])
        for fence in fences
    ]


def commands(block: Block) -> list[Command]:
    found: list[Command] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            found.append(Command(line[2:], number, []))
        else:
            assert found, f"line {number}: output before the first command"
            found[-1].output.append(line.rstrip())
    return found


def pattern(output: list[str]) -> str:
    """Return the regular expression that an output must match as a whole.

    >>> wanted = pattern(["two … four", "…", "end"])
    >>> [bool(re.fullmatch(wanted, text)) for text in ("two 3 four\\nend\\n", "two four\\nend\\n")]
    [True, False]
    """
    return "".join(
        "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n"
        for line in output
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in a folder with the examples, and forget the games registered there."""
    shutil.copytree(
        ROOT / "examples",
        tmp_path,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    games = dict(noughts.GAMES)
    yield tmp_path
    noughts.GAMES.clear()
    noughts.GAMES.update(games)
    for example in EXAMPLES:
        sys.modules.pop(example.stem, None)


def test_the_pages_are_found() -> None:
    assert {"README.md", "search.md", "rules.md", "your-game.md"} <= {page.name for page in PAGES}


@each_page
@pytest.mark.usefixtures("folder")
def test_python(page: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    for block in blocks(page):
        if block.language not in ("python", "pycon") or block.path:
            continue
        if ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(
                block.text, names, page.name, str(page), block.line - 1
            )
            runner.run(test, clear_globs=False)
            names = test.globs
        else:
            code = "\n" * (block.line - 1) + block.text
            exec(compile(code, page, "exec"), names)
    assert not runner.summarize(verbose=False).failed


@each_page
def test_quoted_code(page: Path) -> None:
    for block in blocks(page):
        if block.language == "python" and block.path:
            source = (ROOT / block.path).read_text(encoding="utf-8").splitlines()
            quoted = textwrap.dedent(block.text).rstrip("\n")
            length = quoted.count("\n") + 1
            parts = ("\n".join(source[i : i + length]) for i in range(len(source) - length + 1))
            assert any(textwrap.dedent(part) == quoted for part in parts), (
                f"{page.name}, line {block.line}: {block.path} has no such lines"
            )


@each_page
def test_console(page: Path, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "100"}
    for block in blocks(page):
        for command in commands(block) if block.language == "console" else ():
            answer = subprocess.run(
                ("bash", "-c", command.command),
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                timeout=300,
            )
            got = "".join(f"{line.rstrip()}\n" for line in answer.stdout.splitlines())
            assert re.fullmatch(pattern(command.output), got), (
                f"{page.name}, line {command.line}: {command.command}\n"
                f"gave (exit code {answer.returncode}):\n{got}"
            )


@each_page
def test_links(page: Path) -> None:
    """Links to files of the repository lead somewhere."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_your_game_shows_the_whole_example() -> None:
    page = ROOT / "docs" / "your-game.md"
    shown = [block.text for block in blocks(page) if block.path == "examples/nim.py"]
    assert shown == [(ROOT / "examples" / "nim.py").read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", ["noughts", *MODULES])
def test_docstrings(name: str) -> None:
    if name == "noughts.arena.cluster":
        pytest.importorskip("ray")
    assert not doctest.testmod(importlib.import_module(name)).failed


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_docstrings_of_scripts(script: Path) -> None:
    command = (sys.executable, "-m", "doctest", script)
    answer = subprocess.run(command, cwd=script.parent, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_pattern() -> None:
    assert not doctest.testmod(sys.modules[__name__]).failed
