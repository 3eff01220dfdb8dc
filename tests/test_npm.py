"""The npm package in an empty project: types, a bundle, the core in Node, the board in Chromium."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from needs import needs_browser, needs_node, needs_wasm, skip
from page import chromium
from playwright.sync_api import expect
from samples import random_position
from wasm_core import native

import noughts
from noughts.version import __version__

ROOT = Path(__file__).parent.parent
PACKAGING = ROOT / "packaging" / "npm"
CORE = ROOT / "src/noughts/web/static/core"
TARBALL = ROOT / f"build/npm/noughts-{__version__}.tgz"
SAMPLES = Path(__file__).parent / "npm"
TOOLS = ("esbuild@0.28.2", "typescript@7.0.2", "@types/node@20.19.9", "publint@0.3.25")
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:; worker-src blob:"
HTML = '<!doctype html><link rel="icon" href="data:,"><script src="page.js" defer></script>'

pytestmark = needs_node


def output(*command: str | Path, folder: Path) -> str:
    """Run a command and return its standard output; fail with all that it printed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project with the tarball, a bundler and TypeScript installed."""
    if not TARBALL.exists():
        skip("no npm package: make npm builds it")
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    install = ("npm", "install", "--silent", "--no-audit", "--no-fund")
    output(*install, TARBALL, *TOOLS, folder=folder)
    for sample in SAMPLES.iterdir():
        shutil.copy(sample, folder)
    return folder


def bundled(project: Path, name: str, *options: str) -> Path:
    """Bundle a sample into one minified file."""
    out = project / "out" / f"{name}.js"
    esbuild = project / "node_modules/.bin/esbuild"
    kind = ("--bundle", "--minify", f"--outfile={out}", *options)
    output(esbuild, f"{name}.ts", *kind, folder=project)
    return out


def searches() -> Iterator[dict[str, Any]]:
    rng = random.Random(5)
    for rules in ("basic", "mnk:5,5,4", "connect4", "advanced", "ultimate"):
        for method, limit in (("alphabeta", "nodes"), ("mcts", "simulations")):
            position = str(random_position(noughts.game(rules), rng))
            limits = {"method": method, limit: 1000}
            yield {"rules": rules, "position": position, "limits": limits}


def test_every_declared_name_is_there() -> None:
    """The types name each export of the scripts, and the methods and properties of the classes."""
    compared = 0
    for path in PACKAGING.glob("*.d.ts"):
        if path.name == "board.d.ts":
            continue
        declared = path.read_text("utf-8")
        script = CORE / f"{path.name.removesuffix('.d.ts')}.js"
        names = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.M)
        exported = names.findall(script.read_text("utf-8"))
        assert set(exported) == set(names.findall(declared))
        compared += len(exported)
    assert compared > 15
    scripts = (CORE / "core.js").read_text("utf-8")
    types = (PACKAGING / "core.d.ts").read_text("utf-8")
    internal = {"answer", "call", "core", "give", "handle", "refuse"}
    for name in ("Core", "Weights", "Engine"):
        written = re.findall(rf"^export class {name} .*?^}}", scripts, re.M | re.S)[0]
        methods = re.findall(r"^  (?:async |get )?([a-z]\w*)\(", written, re.M)
        declared = re.findall(rf"^export class {name} .*?^}}", types, re.M | re.S)[0]
        told = re.findall(r"^  (?:private |readonly )?([a-z]\w*)[(:]", declared, re.M)
        assert set(methods) - internal == set(told), name


def test_attributes_are_those_of_the_element() -> None:
    element = (ROOT / "src/noughts/views/embed/static/element.js").read_text("utf-8")
    read = set(json.loads(re.findall(r"^const READ = (\[.*?\]);", element, re.M | re.S)[0]))
    types = (PACKAGING / "board.d.ts").read_text("utf-8")
    (declared,) = re.findall(r"interface NoughtsBoardAttributes \{(.*?)^\}", types, re.M | re.S)
    # CSS reads the theme.
    assert {*re.findall(r"^  (\w+)\?:", declared, re.M)} == read | {"theme"}


@pytest.mark.soak
def test_types(project: Path) -> None:
    output(project / "node_modules/.bin/tsc", "--project", ".", folder=project)
    sample = project / "core.ts"
    right = sample.read_text("utf-8")
    wrong = right.replace("// @ts-expect-error", "//")
    assert wrong != right
    sample.write_text(wrong, encoding="utf-8")
    try:
        with pytest.raises(AssertionError, match="guess"):
            output(project / "node_modules/.bin/tsc", "--project", ".", folder=project)
    finally:
        sample.write_text(right, encoding="utf-8")


@pytest.mark.soak
def test_the_linter_of_npm_packages_finds_no_error(project: Path) -> None:
    """It warns that board.js is no module: a page may also load it by an ordinary script tag."""
    publint = project / "node_modules/.bin/publint"
    said = output(publint, "node_modules/noughts", "--pack", "false", folder=project)
    assert "Errors" not in said
    assert said.count("./board.js is written in CJS") <= 1
    assert len(re.findall(r"^\d+\. ", said, re.M)) <= 1
    described = project / "node_modules/noughts/package.json"
    right = described.read_text("utf-8")
    described.write_text(right.replace("./words.js", "./nothing.js"), "utf-8")
    try:
        with pytest.raises(AssertionError, match="nothing"):
            output(publint, "node_modules/noughts", "--pack", "false", folder=project)
    finally:
        described.write_text(right, "utf-8")


@pytest.mark.soak
@needs_wasm
def test_core_in_node_answers_as_python(project: Path) -> None:
    script = bundled(project, "core", "--platform=node", "--format=esm")
    questions = list(searches())
    wasm = project / "node_modules/noughts/core.wasm"
    *found, facts = map(
        json.loads,
        output("node", script, json.dumps([str(wasm), questions]), folder=project).splitlines(),
    )
    assert len(found) == len(questions) == 10
    for question, answer in zip(questions, found, strict=True):
        told = question | {"options": {"tableMib": 2, "seed": 1}, "net": None, "reported": False}
        expected = native(("search", told))["found"]
        is_mcts = question["limits"]["method"] == "mcts"
        best = None if is_mcts else native(("scores", told))["found"][0][0]
        assert answer.pop("best") == best
        assert answer.pop("reported") is not None
        assert answer == {name: expected[name] for name in answer}
        assert answer["nodes"] > 0
    position = noughts.game("connect4").after("4455")
    assert facts["board"] == "rack 42 1234567"
    assert facts["state"] == "X to move"
    assert facts["perft"] == str(native(("perft", {"position": str(position), "depth": 3})))
    assert facts["refused"].startswith("Move 2: cell 5 is taken.")
    assert facts["hint"].startswith("Play top left: ")


@pytest.mark.soak
def test_import_on_a_server_does_nothing(project: Path) -> None:
    code = 'await import("noughts/board"); console.log(typeof customElements)'
    found = output("node", "--input-type=module", "-e", code, folder=project)
    assert found.strip() == "undefined"


@contextmanager
def opened(script: Path, wrong: list[str]) -> Iterator[Any]:
    """Open a page with a script, under a strict policy; `wrong` gets errors and requests."""
    address = "http://bundle.test/"
    files = {
        address: ("text/html", HTML),
        f"{address}page.js": ("text/javascript", script.read_text("utf-8")),
    }
    with chromium() as browser:
        page = browser.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))

        def answer(route: Any) -> None:
            url = route.request.url
            if url not in files:
                wrong.append(f"a request to {url}")
                route.abort()
                return
            kind, body = files[url]
            headers = {"content-security-policy": POLICY}
            route.fulfill(content_type=kind, body=body, headers=headers)

        page.route("**", answer)
        page.goto(address)
        yield page


@pytest.mark.soak
@needs_wasm
@needs_browser
def test_bundled_board_plays(project: Path) -> None:
    wrong: list[str] = []
    with opened(bundled(project, "page"), wrong) as page:
        with page.expect_worker():
            page.locator("noughts-board .cell[data-cell='4']").click()
        expect(page).to_have_title(re.compile(r"^5 [1-9]$"))
    assert wrong == []
