"""The layers of the modules, unique class names, short commands and a quick import."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import noughts

SOURCE = Path(noughts.__file__).parent

LAYERS = (
    ("_core", "extras", "games", "version", "work"),
    ("search",),
    ("nets",),
    ("books", "cs50", "engine", "levels", "threat_tree"),
    ("analysis", "opponents"),
    ("judgement",),
    ("explorer",),
    (
        "arena",
        "cluster",
        "conformance",
        "database",
        "dataset",
        "explain",
        "export",
        "labs",
        "proof",
        "rl",
        "train",
    ),
    ("exercises", "puzzles", "school"),
    ("views",),
    ("answers",),
    ("web",),
    ("mcp", "site"),
    ("cli", "pytest_plugin", "window"),
    ("",),
)
"""The parts of the package from the lowest up; `""` is `noughts/__init__.py`."""
RANKS = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}

MAX_PARAMETERS = 10


def module_name(file: Path) -> str:
    parts = ("noughts", *file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(file): file for file in SOURCE.rglob("*.py")}
KNOWN = {*FILES, "noughts._core"}

Trees = dict[str, ast.Module]
Imports = dict[str, set[str]]


@pytest.fixture(scope="module")
def trees() -> Trees:
    """Return the syntax tree of every module."""
    return {module: ast.parse(file.read_bytes()) for module, file in FILES.items()}


@pytest.fixture(scope="module")
def imports(trees: Trees) -> Imports:
    """Return the modules of the package that each of its modules imports."""
    return {module: imported(tree) - {module} for module, tree in trees.items()}


def imported(tree: ast.Module) -> set[str]:
    """Return the modules of the package that a module imports anywhere, in functions too."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not used"
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                found.add(inner if inner in KNOWN else str(node.module))
    return found & KNOWN


def part(module: str) -> str:
    return module.partition(".")[2].partition(".")[0]


def cycle(imports: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the modules of an import cycle, none if there is no cycle.

    >>> cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})[0] in "abc"
    True
    """
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_part_has_a_layer() -> None:
    assert {part(module) for module in KNOWN} <= RANKS.keys()


def test_no_module_imports_a_higher_layer(imports: Imports) -> None:
    assert len(imports) > 100
    assert not [
        f"{module} imports {other}"
        for module, others in sorted(imports.items())
        for other in sorted(others)
        if RANKS[part(other)] > RANKS[part(module)]
    ]


def test_no_import_cycle(imports: Imports) -> None:
    assert cycle({"a": {"b"}, "b": {"a"}})
    assert not cycle(imports)


def test_every_class_name_has_one_meaning(trees: Trees) -> None:
    homes = defaultdict(set)
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(module)
    assert len(homes) > 200
    assert not {name: modules for name, modules in homes.items() if len(modules) > 1}


def test_commands_have_few_parameters(trees: Trees) -> None:
    lengths = {
        node.name: len(node.args.args) + len(node.args.kwonlyargs)
        for module, tree in trees.items()
        if part(module) == "cli"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    assert {"play", "match", "serve"} <= lengths.keys()
    assert not {name for name, length in lengths.items() if length > MAX_PARAMETERS}


def test_scripts_of_the_page_have_no_import_cycle() -> None:
    names = re.compile(r'(?:^import\b|\bimport\()[^;]*?"\./(\w+\.js)"', re.MULTILINE)
    scripts = {
        script.name: set(names.findall(script.read_text()))
        for script in (SOURCE / "web" / "static").glob("*.js")
    }
    assert sum(map(len, scripts.values())) > 50
    assert not cycle(scripts)


def loaded(program: str) -> set[str]:
    """Return the modules that a program has loaded at its end."""
    names = f"{program}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", names], capture_output=True, text=True)
    return set(done.stdout.split())


def test_templates_are_loaded_for_pages_only() -> None:
    found = loaded(
        "import noughts.cli.main, noughts.views.class_report, noughts.views.match_report"
    )
    assert "noughts.views.single_file" in found
    assert not found & {"jinja2", "markupsafe"}


def test_import_loads_few_modules() -> None:
    """`import noughts` loads the rules and searches, and no package of others."""
    found = loaded("import noughts") - loaded("")
    own = {name for name in found if name.partition(".")[0] == "noughts"}
    assert {name.partition(".")[0] for name in found - own} <= sys.stdlib_module_names
    assert len(own) < 40
    assert len(found - own) < 60
    assert not found & {"asyncio", "ssl", "multiprocessing", "unittest", "email", "http"}


def test_every_public_name_is_there() -> None:
    for name in noughts.__all__:
        assert name == "GAMES" or getattr(noughts, name).__name__ == name
    assert set(noughts.__all__) <= set(dir(noughts))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        noughts.nothing  # noqa: B018
