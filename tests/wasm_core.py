"""The core as WebAssembly beside the native one, asked the same questions.

served() ──► address of a page with a worker      in_chromium() ──► Page, in_firefox() ──► Ask
question ──► Ask ──► answer of core.wasm          native() ──► answer of the native core
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from firefox import firefox
from page import chromium
from playwright.sync_api import Page
from site_page import listening

from noughts import _core, nets

PAGE = Path(__file__).parent / "wasm"
CORE = Path(__file__).parents[1] / "src/noughts/web/static/core"
TYPES = {".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html"}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:"
)
NO_LIMIT = 2**31 - 1

Question = tuple[str, dict[str, Any]]
Ask = Callable[[Sequence[Question]], list[Any]]


class _Files(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self.path.partition("?")[0].lstrip("/") or "index.html"
        folder, _, file = name.rpartition("/")
        if folder == "nets":
            body = weights(file)
        elif folder in ("", "core") and Path(file).suffix in TYPES:
            body = ((CORE if folder else PAGE) / file).read_bytes()
        else:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("content-type", TYPES.get(Path(file).suffix, "application/octet-stream"))
        self.send_header("content-length", str(len(body)))
        self.send_header("content-security-policy", POLICY)
        # Memory is shared with workers only in a page that is isolated from other origins.
        self.send_header("cross-origin-opener-policy", "same-origin")
        self.send_header("cross-origin-embedder-policy", "require-corp")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write no log."""


@contextmanager
def served() -> Iterator[str]:
    """Serve the page under a strict policy, and yield its address."""
    with listening(_Files) as found:
        yield found


@contextmanager
def in_chromium(address: str) -> Iterator[Page]:
    """Yield the page in Chromium; fail if its console has an error."""
    with chromium() as browser:
        page = browser.new_page()
        wrong: list[str] = []
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        yield page
        assert wrong == []


@contextmanager
def in_firefox(address: str, folder: Path) -> Iterator[Ask]:
    with firefox(address, folder) as page:
        page.marionette.navigate(address)
        page.until("return Boolean(window.wrappedJSObject.ask)")
        page.marionette.timeout.script = 600

        def ask(questions: Sequence[Question]) -> list[Any]:
            script = (
                "const [questions, done] = arguments;"
                "window.ask(JSON.parse(questions))"
                ".then((answers) => done(JSON.stringify(answers)))"
            )
            text = json.dumps(list(questions))
            answers: list[Any] = json.loads(
                page.marionette.execute_async_script(script, [text], sandbox=None)
            )
            return answers

        yield ask
        assert page.errors() == []


@cache
def weights(rules: str) -> bytes:
    """Return the weights of the installed net for some rules."""
    net = nets.net_of(rules)
    assert net is not None
    return net.weights


@cache
def _net(rules: str) -> _core.Weights:
    return _core.Weights(weights(rules))


def finding(found: _core.Finding) -> dict[str, Any]:
    """Return a finding in the form of the loader."""
    names = ("move", "score", "exact", "lower", "upper", "depth", "nodes", "simulations")
    return {name: getattr(found, name) for name in (*names, "seconds", "table_use", "pv")}


def _searched(call: str, question: dict[str, Any]) -> Any:
    options, limits = question["options"], dict(question["limits"])
    engine = _core.Engine(
        question["rules"],
        options.get("tableMib", 64),
        options.get("seed", 0),
        options.get("evaluation", ""),
        0,
        b"",
        _net(question["net"]) if question["net"] else None,
        options.get("threads", 1),
    )
    method = _core.Method[limits.pop("method")]
    names = ("depth", "nodes", "seconds", "simulations")
    limit = _core.Limit(*(limits.get(name) for name in names))
    reports: list[Any] = []

    def shown(found: Any) -> Any:
        if call == "search":
            return finding(found)
        return [[move, finding(each)] for move, each in found]

    def report(found: Any) -> None:
        if question["reported"]:
            reports.append(shown(found))

    found = getattr(engine, call)(question["position"], method, limit, report)
    return {"found": shown(found), "reports": reports}


def _counted(position: str, limits: dict[str, Any]) -> Any:
    layers: list[Any] = []

    def report(rows: Sequence[tuple[int, int, int]]) -> None:
        layers.append([[str(number) for number in row] for row in rows])

    plies = limits.get("plies", NO_LIMIT)
    end = _core.count(position, plies, float("inf"), limits["bytes"], report)
    return {"end": end.name, "layers": layers}


def _random_game(position: str, seed: str) -> Any:
    plies, outcome = _core.random_game(position, int(seed))
    return {"plies": [[moves, move] for moves, move in plies], "outcome": outcome}


def native(question: Question) -> Any:
    """Return the answer of the native core."""
    name, told = question
    try:
        match name:
            case "perft":
                return str(_core.perft(told["position"], told["depth"]))
            case "random_game":
                return _random_game(**told)
            case "threat_tree":
                size, nodes = told["size"], told["nodes"]
                return _core.threat_tree(told["position"], told["loses"], -1, size, nodes)
            case "book_place":
                return list(_core.book_place(told["position"]))
            case "estimate":
                return _net(told["net"]).estimate(told["position"])
            case "count":
                return _counted(**told)
            case _:
                return _searched(name, told)
    except ValueError as error:
        return {"problem": str(error), "kind": "value"}


def without_clock(answer: Any) -> Any:
    """Return an answer without seconds, and with rounded shares of tables."""
    if isinstance(answer, dict):
        return {
            name: round(value, 6) if name == "table_use" else without_clock(value)
            for name, value in answer.items()
            if name != "seconds"
        }
    return [without_clock(each) for each in answer] if isinstance(answer, list) else answer
