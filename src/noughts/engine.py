"""The native engine: one game's fast searches and their tables, behind one narrow door.

    position string, limit ──► noughts._core ──► better and better findings ──► SearchResult

Texts are checked by the rulebook before they go through the door, so that only the package's own
errors come back. A search runs without the GIL in a thread of its own: engines in several threads
run in parallel, Ctrl-C works, and `stop` ends a search from any thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from queue import SimpleQueue
from typing import Any

import noughts
from noughts import _core
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Position
from noughts.games.row import RowPosition
from noughts.search.result import LARGEST_ESTIMATE, NO_LIMIT, WIN, Limit, SearchResult

METHODS = ("alphabeta", "mcts")
"""The searches that `analyse` can be asked for; the first is the default."""


def native_position(position: Position | str) -> Position:
    """Return a position that the core knows too, given as itself, as its string or a rules id.

    Raises:
        NotationError: not a position, or one of a game that the core does not have.
    """
    if isinstance(position, str):
        position = noughts.position(position) if "~" in position else noughts.game(position)
    if not isinstance(position, RowPosition | NestedPosition):
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


class Engine:
    """The searches of one set of rules, with their tables.

    >>> engine = Engine("basic")
    >>> result = engine.solve(noughts.position("basic~XX1.OO1.3~X"))
    >>> result.move, str(result.value)
    (2, 'W 1')

    Args:
        rules: a rules id.
        table_mib: memory of the table, or of the tree of MCTS, in MiB.
        seed: of what is left to chance.

    Raises:
        NotationError: no such rules, or none that the core has.
        ValueError: a table of less than 1 MiB.
    """

    def __init__(self, rules: str, *, table_mib: int = 64, seed: int = 0) -> None:
        if table_mib < 1:
            raise ValueError(f"a table of {table_mib} MiB; the least is 1")
        self.rules = native_position(noughts.game(rules)).rules_id
        self._core = _core.Engine(self.rules, table_mib, seed)
        self._busy = threading.Lock()

    def stop(self) -> None:
        """End the search under way, from any thread; it still gives its last result."""
        self._core.stop()

    def analyse(
        self, position: Position | str, limit: Limit = NO_LIMIT, *, method: str = METHODS[0]
    ) -> Iterator[SearchResult]:
        """Yield better and better results; without a limit, until one is proven or `stop`.

        Raises:
            NotationError: not a position of these rules.
            ValueError: no such method.
        """
        if method not in METHODS:
            raise ValueError(f"there is no method {method!r}; there are {' '.join(METHODS)}")
        return self._search(position, limit, method)

    def best_move(
        self, position: Position | str, limit: Limit = NO_LIMIT, *, method: str = METHODS[0]
    ) -> SearchResult:
        """Return the last result of `analyse`.

        Raises:
            NotationError: not a position of these rules.
            ValueError: no such method.
        """
        *_, last = self.analyse(position, limit, method=method)
        return last

    def solve(self, position: Position | str, limit: Limit = NO_LIMIT) -> SearchResult:
        """Return the exact value; or, where the limit comes first, the `bounds` reached.

        Raises:
            NotationError: not a position of these rules.
        """
        *_, last = self._search(position, limit, "solve")
        return last

    def scores(self, position: Position | str, limit: Limit = NO_LIMIT) -> SearchResult:
        """Return a result whose `scores` hold the value of every legal move.

        Raises:
            NotationError: not a position of these rules.
        """
        place = self._checked(position)
        if place.outcome() is not None:
            return self.solve(place)
        self._arm()
        text, bound = str(place), _limit(limit)
        (found,) = self._run(lambda _: self._core.scores(text, bound))
        results = [_result(each, place, limit) for _, each in found]
        best = max(results, key=lambda result: result.value.rank)
        return replace(
            best,
            exact=all(result.exact for result in results),
            complete=all(result.complete for result in results),
            nodes=max(result.nodes for result in results),
            seconds=max(result.seconds for result in results),
            scores={move: result.value for (move, _), result in zip(found, results, strict=True)},
        )

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
        self, position: Position | str, limit: Limit, method: str
    ) -> Iterator[SearchResult]:
        place = self._checked(position)
        self._arm()
        text, bound, chosen = str(place), _limit(limit), _core.Method[method]
        found = self._run(lambda report: self._core.search(text, chosen, bound, report))
        return (_result(each, place, limit) for each in found)

    def _run(self, work: Callable[[Callable[[Any], None]], Any]) -> Iterator[Any]:
        """Yield what `work` reports and then what it returns, while it runs in its own thread."""
        queue: SimpleQueue[tuple[str, Any]] = SimpleQueue()

        def run() -> None:
            try:
                queue.put(("end", work(lambda found: queue.put(("report", found)))))
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
        ply=position.ply,
        pv=tuple(found.pv),
        table_use=found.table_use,
        simulations=found.simulations,
        bounds=(scaled(found.lower), scaled(found.upper)),
    )
