"""The value of every move: by the native core where it knows the game, else in Python.

position, limit ──analyse()──► Engine.analyse      ──► result, result, …
                               or search.analyse          the last is the best
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from noughts import search
from noughts.engine import DEFAULT_TABLE, Engine, is_native
from noughts.games.position import Position
from noughts.search.result import NO_LIMIT, Limit, SearchResult, Value
from noughts.search.stop import Stop
from noughts.search.walk import LimitReached


def analyse(
    position: Position, limit: Limit = NO_LIMIT, *, moves: bool = True
) -> Iterator[SearchResult]:
    """Yield results of growing depth until one is proven or the limit is reached.

    Closing the iterator ends the search. `Analyser` can also be stopped from another thread, and
    keeps its tables for the next position.

    >>> from noughts.games.registry import position
    >>> *_, result = analyse(position("basic~XX1.OO1.3~X"))
    >>> {result.position.move_text(move): str(value) for move, value in result.moves.items()}
    {'3': 'W 1', '6': 'D', '7': 'L 2', '8': 'L 2', '9': 'L 2'}

    Args:
        position: the position to analyse.
        limit: when to end.
        moves: whether `result.moves` holds the value of every legal move; without it, the search
            sees deeper in the same time.
    """
    return Analyser().analyse(position, limit, moves=moves)


class Analyser:
    """Searches positions one after the other, and keeps the tables of the latest rules.

    Args:
        table_mib: memory of the native engine's tables, in MiB.
    """

    def __init__(self, *, table_mib: int = DEFAULT_TABLE) -> None:
        self._table_mib = table_mib
        self._engine: Engine | None = None
        self._stop = Stop()

    def analyse(
        self,
        position: Position,
        limit: Limit = NO_LIMIT,
        *,
        moves: bool = True,
        engine: Engine | None = None,
    ) -> Iterator[SearchResult]:
        """Yield results as the function `analyse`; `stop` ends them, even before the first.

        Args:
            position: the position to analyse.
            limit: when to end.
            moves: whether `result.moves` holds the value of every legal move.
            engine: used for native searches in place of the analyser's own engine.
        """
        self._stop = stop = Stop()
        if not is_native(position):
            return _in_python(position, limit, moves, stop)
        used = engine or self._engine_for(position)
        return stop.stream(used, lambda: used.analyse(position, limit, moves=moves))

    def best_move(
        self, position: Position, limit: Limit = NO_LIMIT, *, moves: bool = False
    ) -> SearchResult:
        """Return the last result of `analyse`, by default without the value of every move."""
        *_, last = self.analyse(position, limit, moves=moves)
        return last

    def solve(self, position: Position, limit: Limit = NO_LIMIT) -> SearchResult:
        """Return the exact value, or the best result within the limit or until `stop`."""
        if not is_native(position):
            return search.negamax(position, limit)
        used = self._engine_for(position)
        self._stop = stop = Stop()
        [found] = stop.stream(used, lambda: iter([used.solve(position, limit)]))
        return found

    def solve_moves(self, position: Position, limit: Limit, nodes: int) -> dict[int, Value]:
        """Return the value of every legal move, each solved by itself with a full window.

        Args:
            position: a position of a game in progress.
            limit: of all moves together; the native solvers take only its seconds.
            nodes: of the native solvers, for all moves together.
        """
        if not is_native(position):
            solver = partial(search.negamax, score="sign", table={})
            return search.every_move(solver, position, limit).moves
        moves = position.legal_moves()
        seconds = None if limit.seconds is None else limit.seconds / len(moves)
        values: dict[int, Value] = {}
        for index, move in enumerate(moves):
            # The moves after it may use the nodes that a move does not need.
            share = Limit(nodes=max(nodes // (len(moves) - index), 1), seconds=seconds)
            found = self.solve(position.play(move), share)
            values[move] = found.value.for_mover
            nodes -= found.nodes
        return values

    def clear(self) -> None:
        """Clear the tables: the next search does not depend on earlier ones."""
        if self._engine is not None:
            self._engine.clear()

    def stop(self) -> None:
        """End the analysis in progress from any thread; its last result so far counts."""
        self._stop.set()

    def _engine_for(self, position: Position) -> Engine:
        if self._engine is None or self._engine.rules != position.rules_id:
            self._engine = None  # Free its tables before creating the next ones.
            self._engine = Engine(position.rules_id, table_mib=self._table_mib)
        return self._engine


def _in_python(position: Position, limit: Limit, moves: bool, stop: Stop) -> Iterator[SearchResult]:
    first = True

    def order(place: Position) -> list[int]:
        if stop.is_set() and not first:
            raise LimitReached
        return list(place.legal_moves())

    try:
        for result in search.analyse(position, limit, moves=moves, order=order):
            yield result
            first = False
            if stop.is_set():
                return
    except LimitReached:
        return
