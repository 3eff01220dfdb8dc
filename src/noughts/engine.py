"""The native engine: one game's fast searches and their tables, behind one narrow door.

    position string, limit ──► noughts._core ──► better and better findings ──► SearchResult

Texts are checked by the rulebook before they go through the door, so that only the package's own
errors come back. A search runs without the GIL: engines in several threads run in parallel, Ctrl-C
works, and `stop` ends a search from any thread. Where results are yielded as they come, the search
has a thread of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf
from queue import SimpleQueue
from typing import Any

import noughts
from noughts import _core
from noughts.books import NO_BOOK, book_of
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Position
from noughts.games.registry import parse_start
from noughts.games.row import RowPosition
from noughts.search.result import LARGEST_ESTIMATE, NO_LIMIT, WIN, Limit, SearchResult

METHODS = {
    "alphabeta": "alpha-beta, one depth after another",
    "assisted": "alpha-beta and the exact solver of the game in turns",
    "mcts": "Monte Carlo tree search",
    "mcts_random": "the same with playouts that are random throughout",
}
"""The searches that `analyse` can be asked for."""

EVALUATIONS = ("report",)
"""Evaluations beside the engine's own, for comparison: of a course report, for nested games."""


def is_native(position: Position) -> bool:
    """Whether the core knows the game of the position too."""
    return isinstance(position, RowPosition | NestedPosition)


def native_position(position: Position | str) -> Position:
    """Return a position that the core knows too, given as itself, as its string or a rules id.

    Raises:
        NotationError: not a position, or one of a game that the core does not have.
    """
    if isinstance(position, str):
        position = parse_start(position)
    if not is_native(position):
        reason = "the native core has the games of the house only"
        raise NotationError(str(position), "RULES", reason)
    return position


def perft(position: Position | str, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies, as `noughts.perft` does, but natively.

    >>> perft("ultimate", 6)
    4020960

    Raises:
        NotationError: as `native_position`.
    """
    return _core.perft(str(native_position(position)), depth)


def default_method(position: Position) -> str:
    """Return the method that plays a game best at equal time (`bench/strength.py`, methods).

    The exact solvers of row games pay for the time that they take, or cost nothing that can be
    measured; proof-number search does not, since alpha-beta sees most wins of the nine-board games
    as soon.
    """
    return "assisted" if isinstance(position, RowPosition) else "alphabeta"


_Search = Callable[[Callable[[Any], None] | None], Any]
"""A search of the core with all but its listener filled in."""


class Engine:
    """The searches of one set of rules, with their tables.

    >>> engine = Engine("basic")
    >>> result = engine.solve(noughts.position("basic~XX1.OO1.3~X"))
    >>> result.move, str(result.value)
    (2, 'W 1')

    Args:
        rules: a rules id.
        table_mib: memory of the tables, or of the tree of MCTS, in MiB.
        seed: of what is left to chance.
        evaluation: one of `EVALUATIONS`; the engine's own if left out.
        book: whether `assisted` looks up what positions with few stones are worth (`books`).

    Raises:
        NotationError: no such rules, or none that the core has.
        ValueError: a table of less than 1 MiB, or an evaluation that the rules do not have.
    """

    def __init__(
        self,
        rules: str,
        *,
        table_mib: int = 64,
        seed: int = 0,
        evaluation: str | None = None,
        book: bool = True,
    ) -> None:
        if table_mib < 1:
            raise ValueError(f"a table of {table_mib} MiB; the least is 1")
        start = native_position(noughts.game(rules))
        known = EVALUATIONS if isinstance(start, NestedPosition) else ()
        if evaluation is not None and evaluation not in known:
            there = f"there is {' '.join(known)}" if known else "there is only the engine's own"
            raise ValueError(f"no evaluation {evaluation!r} for {start.rules_id}; {there}")
        self.rules = start.rules_id
        self._start = start
        opened = (book_of(self.rules) if book else None) or NO_BOOK
        self._core = _core.Engine(self.rules, table_mib, seed, evaluation or "", *opened)
        self._busy = threading.Lock()

    def stop(self) -> None:
        """End the search under way, from any thread; it still gives its last result."""
        self._core.stop()

    def clear(self) -> None:
        """Forget everything, so that the next search is as the first."""
        with self._busy:
            self._core.clear()

    def analyse(
        self, position: Position | str, limit: Limit = NO_LIMIT, *, method: str | None = None
    ) -> Iterator[SearchResult]:
        """Yield better and better results; without a limit, until one is proven or `stop`.

        The method is `default_method` of the game if it is left out.

        Raises:
            NotationError: not a position of these rules.
            ValueError: no such method.
        """
        place, search = self._search(position, limit, self._method(method))
        return (_result(found, place, limit) for found in self._stream(search))

    def best_move(
        self, position: Position | str, limit: Limit = NO_LIMIT, *, method: str | None = None
    ) -> SearchResult:
        """Return the last result of `analyse`.

        Raises:
            NotationError: not a position of these rules.
            ValueError: no such method.
        """
        place, search = self._search(position, limit, self._method(method))
        return _result(self._call(search), place, limit)

    def solve(
        self, position: Position | str, limit: Limit = NO_LIMIT, *, weakly: bool = False
    ) -> SearchResult:
        """Return the exact value; or, where the limit comes first, the `bounds` reached.

        Weakly, who wins is enough: in Connect Four that is quicker than how soon, which the other
        solvers leave open anyway. A limit of depth is for the nine-board games: wins are looked for
        within so many plies. No book is asked.

        Raises:
            NotationError: not a position of these rules.
        """
        method = _core.Method.solve_weakly if weakly else _core.Method.solve
        place, search = self._search(position, limit, method)
        return _result(self._call(search), place, limit)

    def every_move(
        self, position: Position | str, limit: Limit = NO_LIMIT
    ) -> Iterator[SearchResult]:
        """Yield better and better results whose `scores` hold the value of every legal move.

        The first is of depth 0: what the evaluation says of the position after each move.

        Raises:
            NotationError: not a position of these rules.
        """
        place, search = self._scores(position, limit)
        if place.outcome() is not None:
            return iter((self.solve(place),))
        return (_result_of_all(found, place, limit) for found in self._stream(search))

    def scores(self, position: Position | str, limit: Limit = NO_LIMIT) -> SearchResult:
        """Return the last result of `every_move`.

        Raises:
            NotationError: not a position of these rules.
        """
        place, search = self._scores(position, limit)
        if place.outcome() is not None:
            return self.solve(place)
        return _result_of_all(self._call(search), place, limit)

    def _checked(self, position: Position | str) -> Position:
        place = native_position(position)
        if place.rules_id != self.rules:
            raise NotationError(str(place), "RULES", f"this engine is of {self.rules}")
        return place

    def _arm(self) -> None:
        """Forget a `stop` of before; one from now on ends the search that is asked for."""
        if not self._busy.locked():
            self._core.arm()

    def _search(
        self, position: Position | str, limit: Limit, method: _core.Method
    ) -> tuple[Position, _Search]:
        place = self._checked(position)
        self._arm()
        return place, partial(self._core.search, str(place), method, _limit(limit))

    def _scores(self, position: Position | str, limit: Limit) -> tuple[Position, _Search]:
        place = self._checked(position)
        self._arm()
        method = self._method(None)
        return place, partial(self._core.scores, str(place), method, _limit(limit))

    def _method(self, name: str | None) -> _core.Method:
        if name is not None and name not in METHODS:
            raise ValueError(f"there is no method {name!r}; there are {' '.join(METHODS)}")
        return _core.Method[name or default_method(self._start)]

    def _call(self, search: _Search) -> Any:
        """Return what `search` does, in this thread."""
        with self._busy:
            try:
                return search(None)
            finally:
                self._core.arm()

    def _stream(self, search: _Search) -> Iterator[Any]:
        """Yield what `search` reports and then what it returns, while it runs in its own thread."""
        queue: SimpleQueue[tuple[str, Any]] = SimpleQueue()

        def run() -> None:
            try:
                queue.put(("end", search(lambda found: queue.put(("report", found)))))
            except BaseException as error:  # raised again where it is waited for
                queue.put(("error", error))

        with self._busy:
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            try:
                kind = "report"
                while kind == "report":
                    kind, found = queue.get()
                    if kind == "error":
                        raise found
                    yield found
            finally:
                if thread.is_alive():
                    self._core.stop()
                thread.join()
                self._core.arm()


def _limit(limit: Limit) -> _core.Limit:
    return _core.Limit(limit.depth, limit.nodes, limit.seconds, limit.simulations)


def _result(found: _core.Finding, position: Position, limit: Limit) -> SearchResult:
    """Return a finding of the core in the terms of Python."""

    def scaled(score: int) -> float:
        if abs(score) > _core.WIN:
            return inf if score > 0 else -inf
        if abs(score) >= _core.SURE:
            size = WIN - _core.WIN + abs(score)
            return size if score > 0 else -size
        return max(-LARGEST_ESTIMATE, min(LARGEST_ESTIMATE, score / _core.ESTIMATE_UNIT))

    score = scaled(found.score)
    if found.exact and found.lower != found.upper:
        # Who wins is proven, how soon is not.
        score = 1 if score > 0 else -1
    return SearchResult(
        move=found.move if found.move >= 0 else None,
        score=score,
        exact=found.exact,
        complete=found.exact or (limit.depth is not None and found.depth >= limit.depth),
        depth=found.depth,
        nodes=found.nodes,
        seconds=found.seconds,
        position=position,
        pv=tuple(found.pv),
        table_use=found.table_use,
        simulations=found.simulations,
        bounds=(scaled(found.lower), scaled(found.upper)),
    )


def _result_of_all(
    found: list[tuple[int, _core.Finding]], position: Position, limit: Limit
) -> SearchResult:
    """Return the findings about every move, best first, as one result about the position."""
    results = [_result(each, position, limit) for _, each in found]
    values = {move: result.value for (move, _), result in zip(found, results, strict=True)}
    lines = {move: tuple(each.pv) for move, each in found}
    return replace(
        results[0],
        exact=all(result.exact for result in results),
        complete=all(result.complete for result in results),
        depth=max(result.depth for result in results),
        nodes=max(result.nodes for result in results),
        seconds=max(result.seconds for result in results),
        scores=dict(sorted(values.items())),
        lines=dict(sorted(lines.items())),
    )
