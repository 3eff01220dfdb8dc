"""The examples in the README, in docs/ and in docstrings, run as they are.

In a page, a block fenced as

    ```pycon            is a session, or a program without >>>, in one Python for the whole page
    ```python           is the same
    ```python PATH      is a part of that file, word for word
    ```console          is run: lines `$ COMMAND`, each followed by its expected output

`…` stands for any text, and alone on a line for any lines. Commands run in a folder with the
examples. Other blocks (```text) are not run.
"""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from command import PLAIN, run
from needs import imported
from samples import NIM, games_restored

import noughts

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(noughts.__path__, "noughts.")
    if not module.name.endswith(("__main__", "train.fit"))  # JAX does not bear forks.
)
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


class Block(NamedTuple):
    language: str
    path: str
    line: int
    """The line of the page on which the block's text begins, counted from 1."""
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
    """Return a regular expression that matches a whole output; times may differ.

    A table with a column of times may also be wider or narrower.

    >>> regex = pattern(["two … four", "…", "end in 0.2 s"])
    >>> texts = "two 3 four\\nend in 1.54 s\\n", "two four\\nend in 0.2 s\\n"
    >>> [bool(re.fullmatch(regex, text)) for text in texts]
    [True, False]
    >>> regex = pattern(["  bot  points  ms/move", "─────", "  one      14     15.1"])
    >>> bool(re.fullmatch(regex, "  bot  points  ms/move\\n──────\\n  one      14      2.9\\n"))
    True
    """
    found = []
    is_timed = False
    for line in output:
        text = "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n"
        text = re.sub(r"\d+(\\.\d+)?(?=\\ s\b)", r"[\\d.]+", text)
        is_timed = (is_timed or "ms/move" in line) and bool(line.strip())
        if is_timed:
            text = re.sub(r"(\\ )+", r"\\ +", re.sub("─+", "─+", text))
            text = re.sub(r"(\d+\\.\d+)(?=(\\ \+\d+\\.\d+)?\n)", r"[\\d.]+", text)
        found.append(text)
    return "".join(found)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in a folder with the examples, and forget the games registered there.

    It is the checkout's root, too, as far as pages name files there: `examples/nim.py`.
    """
    shutil.copytree(
        ROOT / "examples",
        tmp_path,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (tmp_path / "examples").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with games_restored():
        yield tmp_path
    for example in EXAMPLES:
        sys.modules.pop(example.stem, None)


def test_pages_are_found() -> None:
    assert {"README.md", "search.md", "rules.md", "your-game.md"} <= {page.name for page in PAGES}


@each_page
@pytest.mark.usefixtures("folder")
def test_python(page: Path) -> None:
    if page.name == "rl.md":
        imported("jax", "jax")
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


def shell(command: str, folder: Path) -> tuple[str, int]:
    """Run a command of a page and return its output and exit code.

    `noughts` runs in this process where the command has no pipe, redirection or variable.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    if words[0] == "noughts" and not any(
        set(word) <= set("();<>|&") or "$" in word for word in words
    ):
        done = run(*words[1:], cwd=folder, errors_in_output=True)
        return done.stdout, done.returncode
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    answer = subprocess.run(
        ("bash", "-c", command),
        cwd=folder,
        env={**os.environ, **PLAIN, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
    )
    return answer.stdout, answer.returncode


@pytest.mark.parametrize(
    "page",
    [
        # Its searches of the whole game take half a minute.
        pytest.param(page, marks=pytest.mark.soak if page.name == "compare.md" else ())
        for page in PAGES
    ],
    ids=lambda page: page.name,
)
def test_console(page: Path, folder: Path) -> None:
    for block in blocks(page):
        for command in commands(block) if block.language == "console" else ():
            output, code = shell(command.command, folder)
            got = "".join(f"{line.rstrip()}\n" for line in output.splitlines())
            assert re.fullmatch(pattern(command.output), got), (
                f"{page.name}, line {command.line}: {command.command}\n"
                f"printed (exit code {code}):\n{got}"
            )


@each_page
def test_links(page: Path) -> None:
    """Links to files of the repository resolve."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_your_game_shows_the_whole_example() -> None:
    page = ROOT / "docs" / "your-game.md"
    shown = [block.text for block in blocks(page) if block.path == "examples/nim.py"]
    assert shown == [NIM.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", ["noughts", *MODULES])
def test_docstrings(name: str) -> None:
    if name == "noughts.arena.cluster":
        imported("ray", "cluster")
    if name.startswith("noughts.rl.jax"):
        imported("jax", "jax")
    assert not doctest.testmod(importlib.import_module(name)).failed


@pytest.mark.parametrize("folder_name", ["examples", "bench", "docs"])
def test_docstrings_of_scripts(folder_name: str) -> None:
    scripts = sorted((ROOT / folder_name).glob("*.py"))
    assert scripts
    command = [sys.executable, "-m", "doctest", *map(str, scripts)]
    answer = subprocess.run(command, cwd=ROOT / folder_name, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_pattern() -> None:
    assert not doctest.testmod(sys.modules[__name__]).failed
