"""Python in the browser gives the answers of the installed package, in Node and in browsers."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from firefox import firefox
from needs import NODE, SITE_PARTS, needs_browser, needs_firefox, needs_site_parts
from page import PATIENCE_MS, chromium
from patience import PATIENCE
from samples import random_game
from students import BASE

import noughts
from noughts.answers.calls import CALLS, answer
from noughts.answers.labs import SLOW
from noughts.exercises.make import KINDS
from noughts.labs.claims import LABS
from noughts.puzzles.puzzle import GAMES, puzzles_of

pytestmark = needs_site_parts

Ask = tuple[str, dict[str, Any]]

RULES = (
    *("basic", "mnk:3,3,3", "mnk:3,3,3,misere", "mnk:4,4,3", "mnk:5,5,4", "mnk:15,15,5"),
    *("connect4", "connect4:5,4,3", "advanced", "advanced:full=draw"),
    *("ultimate", "ultimate:tie=boards", "ultimate:won=open", "ultimate:tie=boards,won=open"),
)
# A busy machine must not decide how far a search goes: limits of nodes in place of seconds.
LIMITS = """
from noughts.answers import tasks
from noughts.explorer import explore
from noughts.judgement import judge
from noughts.search.result import Limit
tasks.EXPLAINED, tasks.REVIEWED = Limit(nodes=NODES), Limit(nodes=NODES // 4)
explore.NODES = NODES
judge.SOLVED.clear()
judge.full_strength = lambda rules: Limit(nodes=NODES)
"""


class Node:
    """Python in Node, which answers calls one after another."""

    def __init__(self, nodes: int) -> None:
        program = LIMITS.replace("NODES // 4", str(nodes // 4)).replace("=NODES", f"={nodes}")
        program = program.replace("NODES = NODES", f"NODES = {nodes}")
        assert NODE is not None
        script = ["tests/pyodide.mjs", str(SITE_PARTS), program]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([NODE, *script], stdin=pipe, stdout=pipe, text=True)

    def ask(self, calls: Sequence[Ask]) -> list[dict[str, Any]]:
        """Return the answers of calls."""
        found = []
        for call in calls:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.process.stdin.write(f"{json.dumps(call)}\n")
            self.process.stdin.flush()
            found.append(json.loads(self.process.stdout.readline()))
        return found

    def close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        self.process.wait(PATIENCE)


def limit_nodes(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    """Give this process the limits of `Node`."""
    from noughts.answers import tasks
    from noughts.explorer import explore
    from noughts.search.result import Limit

    monkeypatch.setattr(tasks, "EXPLAINED", Limit(nodes=nodes))
    monkeypatch.setattr(tasks, "REVIEWED", Limit(nodes=nodes // 4))
    monkeypatch.setattr(explore, "NODES", nodes)
    monkeypatch.setattr("noughts.judgement.judge.SOLVED", {})
    monkeypatch.setattr("noughts.judgement.judge.full_strength", lambda _: Limit(nodes=nodes))


NODES = 4_000


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    found = Node(NODES)
    yield found
    found.close()


def timeless(data: Any) -> Any:
    """Return data without seconds, the only part that differs between two answers."""
    if isinstance(data, dict):
        return {
            name: timeless(value)
            for name, value in data.items()
            if name not in ("seconds", "per_second", "took")
        }
    return [timeless(each) for each in data] if isinstance(data, list) else data


def compare(node: Node, calls: Sequence[Ask]) -> set[str]:
    """Compare answers with those of this process; return the calls that gave results."""
    gave = set()
    for (name, given), found in zip(calls, node.ask(calls), strict=True):
        own = json.loads(answer(name, json.dumps(given)))
        assert timeless({key: found[key] for key in own}) == timeless(own), (name, given)
        if "result" in own:
            gave.add(name)
    return gave


def about_line(rules: str, rng: random.Random, plies: int) -> Iterator[Ask]:
    """Yield the calls about a random line."""
    start = noughts.game(rules)
    game = list(random_game(start, rng))
    line = game[: 1 + plies] if len(game) > 1 + plies else game[:-1]
    moves = [
        next(before.move_text(m) for m in before.legal_moves() if before.play(m) == after)
        for before, after in pairwise(line)
    ]
    last = line[-1]
    move = last.move_text(rng.choice(last.legal_moves()))
    asked = {"start": rules, "moves": moves}
    yield "position", {"start": rules, "moves": " ".join(moves)}
    yield "refusal", {"start": rules, "moves": " ".join(moves), "move": moves[0] if moves else "0"}
    yield "lesson", {"rules": rules}
    yield "explain", asked
    yield "explain", asked | {"move": move}
    yield "hint", asked
    yield "try", asked | {"move": move}
    yield "review", {"start": rules, "moves": moves[:4]}
    yield "explorer", {"start": rules, "moves": " ".join(moves[:3])}
    yield "replay", asked | {"algorithms": ["alphabeta:depth=1", "mcts:simulations=5,seed=1"]}
    yield "replay_page", asked | {"algorithms": ["alphabeta:depth=1"]}
    yield "move", asked | {"opponent": "negamax:depth=1"}


def about_puzzles(count: int) -> Iterator[Ask]:
    """Yield the calls about some puzzles of each game."""
    yield "puzzles", {"level": "easy"}
    yield "puzzle_day", {"date": "2026-11-23"}
    for rules in GAMES:
        for each in puzzles_of(rules)[:count]:
            yield "puzzle", {"id": each.id}
            for move in (each.line[0], each.position.legal_moves()[0]):
                text = each.position.move_text(move)
                yield "puzzle_move", {"id": each.id, "moves": [], "move": text}
            yield "puzzle_solution", {"id": each.id, "moves": []}


def about_exercises(seeds: range) -> Iterator[Ask]:
    """Yield the calls about exercises of each kind."""
    yield "exercises", {}
    for kind in KINDS:
        for seed in seeds:
            yield "exercise", {"kind": kind, "seed": seed}
            yield "exercise_answers", {"kind": kind, "seed": seed}
            yield "exercise_marks", {"kind": kind, "seed": seed, "answers": {}}


FAULTS: list[Ask] = [
    ("nothing", {}),
    ("explain", {}),
    ("explain", {"start": "basic", "moves": "5"}),
    ("explain", {"start": "basic", "moves": ["5", "5"]}),
    ("explain", {"start": "chess", "moves": []}),
    ("hint", {"start": "basic", "moves": ["1", "4", "2", "5", "3"]}),
    ("puzzle", {"id": "0000000000"}),
    ("puzzle_day", {"date": "tomorrow"}),
    ("exercise", {"kind": "chess", "seed": 1}),
    ("exercise", {"kind": "minimax", "seed": -1}),
    ("lab", {"name": "size", "options": {"games": 2}}),
    ("lab", {"name": "tree", "options": {"depth": 99}}),
    ("replay", {"start": "basic", "moves": [], "algorithms": []}),
    ("move", {"start": "basic", "moves": [], "opponent": "nobody"}),
    ("check", {"file": "x = 1"}),
]


def test_answers_equal_those_of_the_package(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_nodes(monkeypatch, NODES)
    rng = random.Random(1)
    calls: list[Ask] = [("rules", {}), ("labs", {}), *FAULTS]
    for rules in ("basic", "ultimate"):
        calls += about_line(rules, rng, 4)
    calls += list(about_exercises(range(1)))[:4]
    calls += list(about_puzzles(1))[:5]
    gave = compare(node, calls)
    assert len(gave) > 15
    assert len(FAULTS) > 10


def test_a_win_has_the_same_tree(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_nodes(monkeypatch, NODES)
    moves = ["h6", "f8", "j6", "h8", "j8", "f6", "i9", "h10"]
    asked = {"start": "mnk:15,15,5", "moves": moves, "move": "i7"}
    (found,) = node.ask([("explain", asked)])
    assert sum(each["tree"] is not None for each in found["result"]["sentences"]) == 1
    assert compare(node, [("explain", asked)]) == {"explain"}


@pytest.mark.soak
@pytest.mark.parametrize("rules", RULES)
def test_answers_about_many_lines(node: Node, monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    limit_nodes(monkeypatch, NODES)
    rng = random.Random(rules)
    for plies in (0, 1, 2, 3, 5, 8, 12, 20):
        gave = compare(node, list(about_line(rules, rng, plies)))
        assert {"position", "explain", "hint", "explorer", "replay"} <= gave


@pytest.mark.soak
def test_answers_about_puzzles_and_exercises(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_nodes(monkeypatch, NODES)
    gave = compare(node, [*about_puzzles(3), *about_exercises(range(5))])
    assert len(gave) == 9


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in LABS if name not in SLOW])
def test_labs_equal_those_of_the_package(node: Node, name: str) -> None:
    assert compare(node, [("lab", {"name": name, "options": {}})]) == {"lab"}


@pytest.mark.soak
def test_every_call_is_compared() -> None:
    rng = random.Random(1)
    calls = {name for name, _ in [*about_line("basic", rng, 2), *about_puzzles(1)]}
    calls |= {name for name, _ in [*about_exercises(range(1)), *FAULTS]}
    elsewhere = {"rules", "labs", "analyse", "graph", "import_games", "export_game"}
    assert calls | elsewhere == {*CALLS, "nothing"}


SLOW_FILE = BASE + "\n\ndef winner(board):\n    while True:\n        pass\n"


@pytest.mark.soak
def test_student_files_are_checked(node: Node) -> None:
    (right,) = node.ask([("check", {"file": BASE})])
    assert right["result"]["functions"]["winner"]["passed"]
    assert right["progress"] is not None
    (slow,) = node.ask([("check", {"file": SLOW_FILE})])
    assert not slow["result"]["functions"]["winner"]["passed"]
    (failure, *_) = slow["result"]["functions"]["winner"]["failures"]
    assert failure["got"] == "no answer in time"


CSP = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "worker-src 'self'"
)
PAGE = (
    '<!doctype html><title>Python</title><pre id="results" hidden></pre>'
    '<script type="module" src="browser_python.js"></script>'
)


class Files(SimpleHTTPRequestHandler):
    """Serves the parts, and the page of the scenario, without permission for inline scripts."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def translate_path(self, path: str) -> str:
        name = path.partition("?")[0].lstrip("/")
        folder = Path(__file__).parent if name == "browser_python.js" else SITE_PARTS
        return str(folder / name)

    def do_GET(self) -> None:
        if self.path.partition("?")[0] != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", CSP)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def check_scenario(found: dict[str, Any]) -> None:
    """Check the results that the page has written."""
    data = json.loads(answer("explain", '{"start": "ultimate", "moves": ["55"]}'))["result"]
    texts = [each["claim"] for each in found["explain"]["result"]["sentences"]]
    assert texts == [each["claim"] for each in data["sentences"]]
    count, last = found["loaded"]
    assert count > 1
    assert last["done"] == last["of"] > 10_000_000
    assert found["fault"]["problem"]["status"] == 422


@needs_browser
def test_worker_in_chromium(site: str) -> None:
    with chromium() as browser:
        page = browser.new_page()
        page.goto(site)
        page.wait_for_selector("#results", timeout=PATIENCE_MS)
        text = page.locator("#results").text_content()
    assert text is not None
    check_scenario(json.loads(text))


@needs_firefox
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_worker_in_firefox(site: str, tmp_path: Path) -> None:
    with firefox(site, tmp_path) as browser:
        browser.go("/", "#results")
        text = browser.ask("return document.querySelector('#results').textContent")
        assert browser.errors() == []
    check_scenario(json.loads(text))


@needs_browser
@pytest.mark.soak
def test_calls_that_do_not_end_are_ended(site: str) -> None:
    with chromium() as browser:
        page = browser.new_page()
        page.goto(f"{site}/?long")
        page.wait_for_selector("#results", timeout=2 * PATIENCE_MS)
        found = json.loads(page.locator("#results").text_content() or "")
    check_scenario(found)
    assert found["endless"]["problem"]["type"] == "urn:noughts:too-long"
    assert found["running"]["problem"]["type"] == "urn:noughts:cancelled"
    assert found["waiting"]["problem"]["type"] == "urn:noughts:cancelled"
    assert found["after"]["result"]["position"] == "basic~3.1X1.3~O"
