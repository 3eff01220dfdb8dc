"""The module `noughts._core` of the pure wheel: the core as WebAssembly, for Python in a browser.

    noughts.engine ──► this module ──► core.js in the same worker ──► core.wasm

The page's worker registers the JavaScript module `noughts_wasm` with `core`, an instance of `Core`
of core.js, before anything imports the package. In other Pyodides, as in JupyterLite, the wheel has
both files, and this module loads them. A search blocks the worker; only the end of the worker ends
it early. The names are those of `src/noughts/_core.pyi`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from js import Object
from pyodide.ffi import JsException, to_js


def _load() -> Any:
    """Return an instance of `Core` of the core.js and core.wasm in this package.

    Modules are loaded asynchronously, and `import noughts` is not: so core.js becomes a script.
    """
    from importlib.resources import files

    from js import WebAssembly
    from pyodide.code import run_js

    from noughts.views.modules import bundle, ordered, parse

    folder = files(__package__) / "web" / "static" / "core"
    modules = {
        f"/{name}": parse(f"/{name}", (folder / name).read_text(encoding="utf-8"))
        for name in ("core.js", "phrases.js", "words.js")
    }
    script = bundle(ordered(modules, "/core.js"))
    loaded = run_js(f"(() => {{\n{script}return {modules['/core.js'].name};\n}})()")
    return loaded.Core.new(WebAssembly.Module.new(to_js((folder / "core.wasm").read_bytes())))


try:
    from noughts_wasm import core
except ImportError:
    core = _load()

WIN, SURE, ESTIMATE_UNIT = 30_000, 29_000, 10_000
NET_SIZE, SMALL_NET_SIZE, FIVE_NET_SIZE, SAMPLE_SIZE = 403_804, 28_396, 108_584, 30


class EngineBusy(RuntimeError):
    pass


@contextmanager
def _errors() -> Iterator[None]:
    """Raise refusals of the core as the native module does."""
    try:
        yield
    except JsException as error:
        kinds = {"value": ValueError, "busy": EngineBusy, "ended": MemoryError}
        raise kinds.get(getattr(error, "kind", ""), RuntimeError)(error.message) from None


def _options(**values: Any) -> Any:
    """Return a JavaScript object of the values that are not `None`."""
    given = {name: value for name, value in values.items() if value is not None}
    return to_js(given, dict_converter=Object.fromEntries)


def perft(position: str, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies."""
    with _errors():
        return int(core.perft(position, depth))


def random_game(position: str, seed: int) -> tuple[list[tuple[list[int], int]], int]:
    """Play random moves to the end; return [(legal moves, move played), ...] and the outcome."""
    with _errors():
        game = core.randomGame(position, seed).to_py()
    return [(moves, move) for moves, move in game["plies"]], game["outcome"]


def hint(position: str, values: str) -> str:
    """Return the sentences of a hint as JSON, from the values of all legal moves."""
    with _errors():
        return str(core.answer("hint", to_js([position, values])))


def threat_tree(position: str, loses: bool, first: int, most: int, nodes: int) -> list[int]:
    """Return the tree of a win of five in a row by threats as codes; none if no win is found."""
    with _errors():
        options = _options(loses=loses, first=first, size=most, nodes=nodes)
        codes: list[int] = core.threatTree(position, options).to_py()
    return codes


def book_place(position: str) -> tuple[int, int]:
    """Return the index of a Connect Four position in a book, and the length of that book."""
    with _errors():
        index, size = core.bookPlace(position).to_py()
    return index, size


class CountEnd(enum.Enum):
    complete = 0
    plies = 1
    seconds = 2
    memory = 3
    overflow = 4


def count(
    position: str,
    plies: int,
    seconds: float,
    bytes: int,  # noqa: A002
    report: Callable[[Sequence[tuple[int, int, int]]], None],
) -> CountEnd:
    """Count the positions of each ply after a start position; return the reason of the end."""

    def heard(layer: Any) -> None:
        report([(classes, positions, int(games)) for classes, positions, games in layer])

    with _errors():
        options = _options(plies=plies, seconds=seconds, bytes=bytes)
        return CountEnd[core.count(position, options, heard)]


class Method(enum.Enum):
    alphabeta = 0
    selective = 1
    mcts = 2
    mcts_random = 3
    solve = 4
    solve_weakly = 5
    assisted = 6
    best = 7


class Limit(NamedTuple):
    """Limits of a search; the first one reached ends it."""

    depth: int | None
    nodes: int | None
    seconds: float | None
    simulations: int | None
    target: float | None = None


class Finding(NamedTuple):
    """Result of a search."""

    move: int
    score: int
    exact: bool
    lower: int
    upper: int
    depth: int
    nodes: int
    simulations: int
    seconds: float
    table_use: float
    pv: list[int]


class Weights:
    """The weights of a net, a learned evaluation."""

    def __init__(self, weights: bytes) -> None:
        with _errors():
            self.net = core.weights(to_js(weights))

    def __del__(self) -> None:
        if hasattr(self, "net"):
            self.net.delete()

    def estimate(self, position: str) -> int:
        """Return the estimate of an unfinished position of a nine-board game, without a search."""
        with _errors():
            return int(self.net.estimate(position))


def self_play(rules: str, seed: int, nodes: int, net: Weights | None) -> bytes:
    """Refuse: nets are trained outside the browser."""
    raise NotImplementedError("self-play needs the native core: install noughts on a computer")


class Engine:
    """The searches of one set of rules, with their tables; one thread."""

    def __init__(
        self,
        rules: str,
        table_mib: int,
        seed: int,
        evaluation: str,
        stones: int,
        book: bytes,
        net: Weights | None = None,
        threads: int = 1,
    ) -> None:
        del threads
        options = _options(
            tableMib=table_mib,
            seed=seed,
            evaluation=evaluation,
            stones=stones,
            book=to_js(book) if book else None,
            net=net and net.net,
        )
        with _errors():
            self._engine = core.engine(rules, options)

    def __del__(self) -> None:
        if hasattr(self, "_engine"):
            self._engine.delete()

    def arm(self) -> None:
        """Reset the stop flag; a later `stop` ends the next search."""
        self._engine.arm()

    def stop(self) -> None:
        """Stop the search in progress, from its report, or the next one."""
        self._engine.stop()

    def search(
        self,
        position: str,
        method: Method,
        limit: Limit,
        report: Callable[[Finding], None] | None,
    ) -> Finding:
        """Search; call `report` with each better finding."""
        heard = report and (lambda found: report(_finding(found.to_py())))
        with _errors():
            found = self._engine.search(position, _asked(method, limit), heard)
            return _finding(found.to_py())

    def scores(
        self,
        position: str,
        method: Method,
        limit: Limit,
        report: Callable[[Sequence[tuple[int, Finding]]], None] | None,
    ) -> list[tuple[int, Finding]]:
        """Find the value of every legal move."""
        heard = report and (lambda found: report(_findings(found.to_py())))
        with _errors():
            found = self._engine.scores(position, _asked(method, limit), heard)
            return _findings(found.to_py())

    def clear(self) -> None:
        """Clear all tables: the next search starts from nothing."""
        with _errors():
            self._engine.clear()


def _asked(method: Method, limit: Limit) -> Any:
    return _options(method=method.name, **limit._asdict())


def _finding(found: dict[str, Any]) -> Finding:
    return Finding(**found)


def _findings(found: list[list[Any]]) -> list[tuple[int, Finding]]:
    return [(move, _finding(each)) for move, each in found]
