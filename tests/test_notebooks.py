"""The notebooks of examples/notebooks run, show pictures, and have tasks that can be solved."""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.school.answers import check_answer, check_function, check_goal
from noughts.views.notebook import check_view, side_by_side

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module that runs notebooks for the documentation."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    return importlib.import_module("notebooks")


def solutions(number: str) -> dict[str, str]:
    """Return the solutions of a notebook by the names of their cells."""
    text = (FOLDER / "solutions.md").read_text("utf-8")
    (part,) = re.findall(rf"^## {number} · .*\n((?:(?!## ).*\n)*)", text, re.MULTILINE)
    return dict(re.findall(r"^```python (task-\w+)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL))


def is_picture(output: dict[str, Any]) -> bool:
    return "image/svg+xml" in output or "<svg" in output.get("text/html", "")


def is_right(outputs: list[dict[str, Any]]) -> bool:
    """Return the verdict of a check cell, as the student sees it."""
    html = outputs[-1]["text/html"]
    assert re.search("[✓✗…] ", html)
    return "✓ " in html


def test_there_are_five_notebooks_with_links_to_the_next() -> None:
    assert [path.stem[0] for path in NOTEBOOKS] == ["1", "2", "3", "4", "5"]
    for path, following in pairwise(NOTEBOOKS):
        assert f"]({following.name})" in path.read_text("utf-8")


def test_jupyterlite_has_the_notebooks_without_links_to_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    importlib.import_module("lite").add_notebooks(FOLDER, tmp_path / "out")
    changed = 0
    for path in NOTEBOOKS:
        before = json.loads(path.read_text("utf-8"))
        after = json.loads((tmp_path / "out" / path.name).read_text("utf-8"))
        assert [cell["id"] for cell in after["cells"]] == [cell["id"] for cell in before["cells"]]
        for old, new in zip(before["cells"], after["cells"], strict=True):
            text = "".join(old["source"])
            shown = re.sub(r"\[([^\]]+)\]\(\.\./[^)]+\)", r"\1", text)
            assert "".join(new["source"]) == shown
            changed += shown != text
    assert changed == 3


@each_notebook
def test_notebook_runs_and_its_tasks_have_solutions(path: Path, runner: Any) -> None:
    """Run a notebook as a student opens it, then each task with its solution."""
    cells = [cell for cell in runner.cells(path) if cell.kind == "code"]
    solved = solutions(path.stem[0])
    assert list(solved) == [cell.name for cell in cells if cell.name.startswith("task-")]
    checks: dict[str, list[str]] = {task: [] for task in solved}
    untouched: dict[str, list[bool]] = {task: [] for task in solved}
    pictures, task = 0, ""
    with runner.session() as session:
        for cell in cells:
            outputs = session.run(cell.source)
            pictures += sum(map(is_picture, outputs))
            if cell.name in solved:
                task = cell.name
            if cell.name.startswith("check-"):
                checks[task].append(cell.source)
                untouched[task].append(is_right(outputs))
        assert pictures >= 3, "pictures at the end of cells"
        for task, solution in solved.items():
            assert checks[task], f"{task} has no check"
            assert not all(untouched[task]), f"{task} is right before it is answered"
            session.run(solution)
            assert all(is_right(session.run(check)) for check in checks[task]), task


@each_notebook
def test_notebook_is_stored_without_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    names = [cell["id"] for cell in notebook["cells"]]
    assert len(set(names)) == len(names) > 20
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
            assert max(map(len, "".join(cell["source"]).splitlines())) <= 100


@each_notebook
def test_notebook_imports_documented_names(path: Path, runner: Any) -> None:
    """docs/python.md lists every module and name that a notebook imports."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    seen = 0
    for cell in runner.cells(path):
        source = re.sub(r"^(\s*)%.*", r"\1pass", cell.source, flags=re.MULTILINE)
        for node in ast.walk(ast.parse(source)) if cell.kind == "code" else ():
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("noughts."):
                (row,) = re.findall(rf"^\| `{node.module}` \| (.*) \|$", page, re.MULTILINE)
                for name in node.names:
                    assert f"`{name.name}" in row, f"{node.module}.{name.name}"
                    seen += 1
    assert seen


@each_notebook
def test_page_of_the_site_has_the_pictures(path: Path, runner: Any) -> None:
    """The first cells of a notebook make Markdown with files of pictures."""
    cells = runner.cells(path)
    first = next(n for n, cell in enumerate(cells) if cell.name.startswith("task-"))
    markdown, pictures = runner.page(path.stem, cells[:first])
    assert markdown.startswith(f"# {path.stem[0]} · ")
    for name, picture in pictures.items():
        assert f"]({name})]({name})" in markdown
        assert picture.startswith(("<svg", "<?xml"))
    assert "](../" not in markdown


@pytest.mark.parametrize("checkout", [True, False])
def test_setup_installs_where_noughts_is_missing(
    checkout: bool, runner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run the first cell without noughts, in a checkout and elsewhere, with another `%pip`."""
    place = tmp_path / "examples" / "notebooks"
    place.mkdir(parents=True)
    if checkout:
        (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(place)
    asked: list[str] = []
    for path in NOTEBOOKS:
        (setup,) = (cell for cell in runner.cells(path) if cell.name == "setup")
        with runner.session() as session, monkeypatch.context() as without:
            without.setitem(sys.modules, "noughts", None)

            def pip(line: str) -> None:
                asked.append(line)
                sys.modules["noughts"] = noughts

            session.shell.register_magic_function(pip)
            session.run(setup.source)
            session.run(setup.source)
    assert asked == [f"install --quiet {'../..' if checkout else 'noughts'}"] * len(NOTEBOOKS)


def test_answers_that_are_not_right() -> None:
    assert check_answer(..., 1).is_right is None
    assert check_answer({"a": 1, "b": ...}, {"a": 1, "b": 2}).is_right is None
    assert check_answer({"a": 1}, {"a": 1, "b": 2}).says == "Not right: b."
    assert check_answer(True, 1).is_right is False
    assert check_answer(1.234567, 1.2345671).is_right
    assert check_answer(1.2345, 1.2346).is_right is False


def test_a_wrong_case_is_drawn() -> None:
    position = noughts.game("basic").play("5")
    check = check_function(lambda _: "<b>", lambda _: "", [position])
    sentence, picture = ElementTree.fromstring(check_view(check))
    assert sentence.text == str(check)
    assert picture.tag.endswith("svg")
    row = side_by_side([position, position.play("1")], ["first", "a < b"])
    figures = ElementTree.fromstring(row._repr_html_())
    assert [figure[1].text for figure in figures] == ["first", "a < b"]


def test_functions_that_are_not_right() -> None:
    position = ["X", None]

    def forgetful(cells: list[Any]) -> int:
        cells.clear()
        return 2

    changed = check_function(forgetful, len, [position])
    assert changed.says == "It changes its argument in case 1 of 1."
    assert position == ["X", None]
    failed = check_function(lambda n: 1 // n, lambda n: 1 // (n or 1), [1, 2, 0])
    assert failed.says.startswith("It fails in case 3 of 3: ZeroDivisionError: ")
    assert failed.case == 0
    long = check_function(lambda _: "x" * 1000, lambda _: "", [1])
    assert len(long.says) < 200
    assert check_function(lambda _: ..., lambda n: n, [1]).is_right is None
    with pytest.raises(ValueError, match="at least one case"):
        check_function(len, len, [])
    with pytest.raises(ValueError, match="one bound"):
        check_goal(1, above=0, below=2)
