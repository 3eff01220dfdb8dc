"""What the pool's threads search for: a machine's move, all moves of a position, a game's graph.

    position ──► MoveSearch ──► the best move so far
             ──► Deepening ──► the value and the line of every move so far
    line     ──► Graph ──► a value for each of its positions

Each works in slices, and what it has found so far may be read from any thread at any time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from noughts.apps.web.pool import Engines
from noughts.engine import Engine
from noughts.games.position import Player, Position
from noughts.search.result import Limit, SearchResult, Value

ANALYSIS_MIB = 64
"""Memory of the tables of an analysis."""
GRAPH_MIB = 4
GRAPH_NODES = 20_000
"""How far each position of a graph is searched."""
GRAPH_TOTAL = 1_500_000
"""How far all positions of a long line are searched together."""
MOST_KNOWN = 20_000
"""How many values of positions are remembered."""


class NativeWork:
    """Work of an engine in slices, to be ended at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._gives_way = False

    def give_way(self) -> None:
        """End the slice soon."""
        self._gives_way = True
        with self._lock:
            if self._engine is not None:
                self._engine.stop()

    @contextmanager
    def stoppable(self, engine: Engine) -> Iterator[None]:
        """Let `give_way` stop an engine, and never one that has gone on to somebody else."""
        with self._lock:
            self._engine = engine
        try:
            yield
        finally:
            with self._lock:
                self._engine = None


class Deepening(NativeWork):
    """All moves of a position, better and better known.

    Args:
        engines: where its engine comes from.
        owner: for whom the engine is kept between slices.
        position: one of the house's games.
        seconds: how long to think, all slices together.
        changed: is told of each better result, in a thread of the pool.
    """

    def __init__(
        self,
        engines: Engines,
        owner: str,
        position: Position,
        seconds: float,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self._engines, self._owner, self._changed = engines, owner, changed
        self.position = position
        self.result: SearchResult | None = None
        """What is known so far; nodes and seconds are those of all slices."""
        self._seconds = seconds

    def go_on(self) -> bool:
        """Search on; return whether all is proven, or the time is over."""
        self._gives_way = False
        before = self.result
        nodes, seconds = (before.nodes, before.seconds) if before else (0, 0.0)
        rules = self.position.rules_id
        lent = self._engines.lent(self._owner, rules, ANALYSIS_MIB)
        with lent as engine, self.stoppable(engine):
            limit = Limit(seconds=max(self._seconds - seconds, 0.001))
            for found in engine.every_move(self.position, limit):
                whole = replace(found, nodes=nodes + found.nodes, seconds=seconds + found.seconds)
                self.result = merged(self.result, whole)
                self._changed()
        assert self.result is not None
        return not self._gives_way or self.result.seconds >= self._seconds or _settled(self.result)


def _settled(result: SearchResult) -> bool:
    return all(
        value.value == "draw" or (value.value != "unknown" and value.plies is not None)
        for value in result.scores.values()
    )


def merged(known: SearchResult | None, found: SearchResult) -> SearchResult:
    """Return what two searches of a position know together, the latter having begun anew.

    What is proven stays; estimates are those of the deeper search, since those of different depths
    do not compare.
    """
    if known is None or not found.scores:
        return found
    deeper, other = (found, known) if found.depth >= known.depth else (known, found)
    proven = {
        move: value
        for move, value in other.scores.items()
        if value.value != "unknown" and deeper.scores[move].value == "unknown"
    }
    scores = {**deeper.scores, **proven}
    lines = {**deeper.lines, **{move: other.lines[move] for move in proven}}
    best = max(scores, key=lambda move: scores[move].rank)
    if deeper.move is not None and scores[deeper.move].rank == scores[best].rank:
        best = deeper.move
    return replace(
        deeper,
        move=best,
        score=scores[best].score(deeper.position.ply),
        exact=all(value.value != "unknown" for value in scores.values()),
        nodes=found.nodes,
        seconds=found.seconds,
        pv=lines[best],
        scores=scores,
        lines=lines,
    )


class Known:
    """Values of positions, for the player to move; the latest used are remembered."""

    def __init__(self, most: int = MOST_KNOWN) -> None:
        self._most = most
        self._values: OrderedDict[str, tuple[int, Value]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, position: Position) -> Value | None:
        """Return what is known of a position."""
        text = str(position)
        with self._lock:
            if text not in self._values:
                return None
            self._values.move_to_end(text)
            return self._values[text][1]

    def learn(self, position: Position, value: Value, nodes: int) -> None:
        """Remember a value, unless a search of more nodes gave one."""
        text = str(position)
        with self._lock:
            if self._values.get(text, (0, value))[0] <= nodes:
                self._values[text] = nodes, value
                self._values.move_to_end(text)
                while len(self._values) > self._most:
                    self._values.popitem(last=False)


class Graph(NativeWork):
    """A value for each position of a line, the last first.

    Args:
        engines: where its engine comes from.
        line: the positions.
        known: values that need no search; it learns those that are found.
        tell: is told the ply and the value for X, in a thread of the pool.
    """

    def __init__(
        self,
        engines: Engines,
        line: Sequence[Position],
        known: Known,
        tell: Callable[[int, Value], None],
    ) -> None:
        super().__init__()
        self._engines, self._line, self._known, self._tell = engines, line, known, tell
        self._left = list(range(len(line)))
        self._nodes = max(1_000, min(GRAPH_NODES, GRAPH_TOTAL // len(line)))

    def go_on(self) -> bool:
        """Judge one position after another; return whether all are."""
        self._gives_way = False
        with self._engines.lent(None, self._line[0].rules_id, GRAPH_MIB) as engine:
            while self._left and not self._gives_way:
                ply = self._left[-1]
                position = self._line[ply]
                value = self._known.get(position)
                if value is None:
                    result = engine.best_move(position, Limit(nodes=self._nodes))
                    value = result.value
                    self._known.learn(position, value, result.nodes)
                self._left.pop()
                self._tell(ply, for_x(position, value))
        return not self._left


def for_x(position: Position, value: Value) -> Value:
    """Return a value for the player to move as one for X."""
    if position.turn is Player.X:
        return value
    other = value.for_mover
    return Value(other.value, value.plies, other.estimate)
