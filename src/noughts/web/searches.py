"""Searches in the pool's threads: all moves of a position, and the graph of a game.

    position ──► Deepening ──► the value and the line of every move so far
    line     ──► Graph     ──► a value for each of its positions

Each works in slices; its results so far can be read from any thread. `machine_moves` searches for
the moves of machines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from noughts.analysis import Analyser
from noughts.answers.positions import GraphPoint, point_data
from noughts.engine import Engine
from noughts.games.position import Position
from noughts.judgement.judge import budgets, is_settled
from noughts.judgement.results import along, merged, steady
from noughts.search.result import Limit, SearchResult, Value
from noughts.web.knowledge import Known
from noughts.web.pool import Engines

ANALYSIS_MIB = 64
"""Memory of the tables of an analysis, in MiB."""
GRAPH_MIB = 4
GRAPH_NODES = 20_000
"""Maximum nodes for each position of a graph."""
GRAPH_TOTAL = 1_500_000
"""Maximum nodes for all positions of a line together."""


class Deepening:
    """The value of every move of a position, searched in slices.

    Args:
        engines: where its engine comes from.
        owner: for whom the engine is kept between slices.
        position: of a built-in game.
        seconds: how long to think, all slices together.
        known: results of searches for the best move; the first search here adds its own.
        result: of an earlier analysis, which is continued.
        changed: called after each better result, in a thread of the pool.
    """

    def __init__(
        self,
        engines: Engines,
        owner: str,
        position: Position,
        seconds: float,
        known: Known,
        result: SearchResult | None = None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._engines, self._owner, self._changed = engines, owner, changed
        self._analyser, self._gives_way = Analyser(), False
        self.position = position
        self._known = known
        self.result = result
        """The result so far; nodes and seconds are those of all slices."""
        self._seconds = seconds

    def give_way(self) -> None:
        """End the slice soon."""
        self._gives_way = True
        self._analyser.stop()

    def go_on(self) -> bool:
        """Search on; return whether all is proven, or the time is over."""
        self._gives_way = False
        before = self.result
        nodes, seconds = (before.nodes, before.seconds) if before else (0, 0.0)
        rules = self.position.rules_id
        lent = self._engines.lent(self._owner, rules, ANALYSIS_MIB)
        with lent as engine:
            if self._known.get(self.position) is None:
                self._known.learn(best_move(engine, self.position, GRAPH_NODES))
            limit = Limit(seconds=max(self._seconds - seconds, 0.001))
            for found in steady(self._analyser.analyse(self.position, limit, engine=engine)):
                whole = replace(found, nodes=nodes + found.nodes, seconds=seconds + found.seconds)
                self.result = merged(self.result, whole)
                self._changed()
        assert self.result is not None
        return not self._gives_way or self.result.seconds >= self._seconds or _settled(self.result)


def _settled(result: SearchResult) -> bool:
    return all(
        value.is_draw or (value.is_exact and value.plies is not None)
        for value in result.moves.values()
    )


def best_move(engine: Engine, position: Position, nodes: int) -> SearchResult:
    """Search for the best move, with more nodes until the result is settled, and return it."""
    for limit in budgets(position, Limit(nodes=nodes)):
        *_, result = steady(engine.analyse(position, limit, moves=False))
        if is_settled(result):
            break
    return result


class Graph:
    """A value for each position of a line, the last first.

    Args:
        engines: where its engine comes from.
        line: the positions.
        known: results that need no search; new ones are added.
        tell: called with the value of each, in a thread of the pool.
    """

    def __init__(
        self,
        engines: Engines,
        line: Sequence[Position],
        known: Known,
        tell: Callable[[GraphPoint], None],
    ) -> None:
        self._engines, self._line, self._known, self._tell = engines, line, known, tell
        self._gives_way = False
        self._left = list(range(len(line)))
        self._values: dict[int, Value] = {}
        self._told: dict[int, Value] = {}
        self._nodes = max(1_000, min(GRAPH_NODES, GRAPH_TOTAL // len(line)))

    def give_way(self) -> None:
        """End the slice after the current position."""
        self._gives_way = True

    def go_on(self) -> bool:
        """Search one position after another; return whether all are done."""
        self._gives_way = False
        with self._engines.lent(None, self._line[0].rules_id, GRAPH_MIB) as engine:
            while self._left and not self._gives_way:
                ply = self._left[-1]
                position = self._line[ply]
                result = self._known.get(position)
                if result is None:
                    result = best_move(engine, position, self._nodes)
                    self._known.learn(result)
                self._left.pop()
                self._values[ply] = result.value
                self._tell_all(ply)
        return not self._left

    def _tell_all(self, first: int) -> None:
        """Call `tell` with the values that change now that all from ply `first` on are known."""
        before = self._told
        values = [self._values[ply] for ply in range(first, len(self._line))]
        self._told = dict(enumerate(along(values), first))
        for ply, value in self._told.items():
            if before.get(ply) != value:
                self._tell(point_data(ply, self._line[ply], value))
