"""What the server knows of positions: the results of its searches, and the proofs among them.

    searches, tasks ──learn()──► Knowledge ──told()────► a result with all that is proven
                                           ──proofs()──► to those who analyse the position now

A proven value is never replaced by an estimate.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from noughts.answers.positions import Data, proof_data
from noughts.games.position import Position
from noughts.search.result import SearchResult, Value

MAX_VALUES = 20_000
"""Most positions with a known value."""
MAX_ANALYSES = 200
"""Most positions with a known value of every move."""


class Known:
    """A cache of results by position; the latest used are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[str, SearchResult] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, position: Position) -> SearchResult | None:
        """Return the known result of a position, or `None`."""
        text = str(position)
        with self._lock:
            if text not in self._results:
                return None
            self._results.move_to_end(text)
            return self._results[text]

    def learn(self, result: SearchResult) -> None:
        """Store a result, unless a proven one or one of a larger search is known."""
        text = str(result.position)
        with self._lock:
            known = self._results.get(text)
            if known is None or _weight(known) <= _weight(result):
                self._results[text] = result
                self._results.move_to_end(text)
                while len(self._results) > self._most:
                    self._results.popitem(last=False)


class Knowledge:
    """The results of one server, for those who analyse a position and for later searches."""

    def __init__(self) -> None:
        self.best = Known(MAX_VALUES)
        """Results of searches for the best move."""
        self.analyses = Known(MAX_ANALYSES)
        """Values of every move."""
        self._proven = Known(MAX_VALUES)
        self._changed: set[asyncio.Event] = set()

    def learn_analysis(self, result: SearchResult) -> None:
        """Keep the values of every move."""
        self.analyses.learn(result)
        self.best.learn(replace(result, moves={}, lines={}))

    def learn_proofs(self, proofs: Iterable[SearchResult]) -> None:
        """Keep proven moves, and let the analyses, now and later, use them."""
        for proof in proofs:
            self._proven.learn(proof)
            if proof.value.is_exact:
                self.best.learn(replace(proof, moves={}))
        for changed in self._changed:
            changed.set()

    @contextmanager
    def watched(self, changed: asyncio.Event) -> Iterator[None]:
        """Set an event when proofs are learnt."""
        self._changed.add(changed)
        try:
            yield
        finally:
            self._changed.discard(changed)

    def told(self, result: SearchResult) -> SearchResult:
        """Return the result of an analysis with the proofs of other searches of its position."""
        position = result.position
        result = with_proofs(result, self._proven.get(position))
        return informed(result, self.best.get(position))

    async def proofs(self, position: Position) -> AsyncIterator[Data | None]:
        """Yield the proofs of other searches of a position, as `proof_data`, at each change."""
        changed = asyncio.Event()
        with self.watched(changed):
            found = self._proofs(position)
            yield found
            while await changed.wait():
                changed.clear()
                last, found = found, self._proofs(position)
                if found != last:
                    yield found

    def _proofs(self, position: Position) -> Data | None:
        proven, known = self._proven.get(position), self.best.get(position)
        found = None if proven is None else proof_data(proven)
        if known is None or not known.value.is_exact:
            return found
        return proof_data(replace(known, moves={} if proven is None else proven.moves))


def informed(result: SearchResult, best: SearchResult | None) -> SearchResult:
    """Return the values of all moves with the proof of another search for the best move.

    A win or a draw proves the value of its move. No other move is better than a draw, and after a
    proven loss every move loses. Of two proven wins the sooner one counts.
    """
    if best is None or not best.value.is_exact or best.move is None:
        return result
    is_sooner = best.value.is_win and best.value.rank > result.value.rank
    if result.value.is_exact and not is_sooner:
        return result
    moves, lines = dict(result.moves), dict(result.lines)
    for move, value in moves.items():
        if value.is_exact:
            continue
        if best.value.is_loss:
            moves[move] = Value.loss()
        elif best.value.is_draw:
            moves[move] = Value.unknown(min(value.estimate or 0.0, 0.0))
    moves[best.move], lines[best.move] = best.value, best.line
    return replace(
        result,
        move=best.move,
        score=best.score,
        exact=best.exact,
        line=best.line,
        moves=moves,
        lines=lines,
    )


def with_proofs(result: SearchResult, proofs: SearchResult | None) -> SearchResult:
    """Return the values of all moves with those that another search has proven."""
    known = {} if proofs is None else proofs.moves
    new = {move: value for move, value in known.items() if not result.moves[move].is_exact}
    if not new:
        return result
    lines = {**result.lines, **{move: (move,) for move in new}}
    return with_best(result, {**result.moves, **new}, lines)


def merged(known: SearchResult | None, found: SearchResult) -> SearchResult:
    """Return the combined result of two searches of a position.

    Proven values are kept; estimates are taken from the deeper search, since estimates of different
    depths do not compare.
    """
    if known is None or not found.moves:
        return found
    deeper, other = (found, known) if found.depth >= known.depth else (known, found)
    proven = {
        move: value
        for move, value in other.moves.items()
        if value.is_exact and not deeper.moves[move].is_exact
    }
    lines = {**deeper.lines, **{move: other.lines[move] for move in proven}}
    whole = with_best(deeper, {**deeper.moves, **proven}, lines)
    return replace(whole, nodes=found.nodes, seconds=found.seconds)


def with_best(
    result: SearchResult, moves: dict[int, Value], lines: dict[int, tuple[int, ...]]
) -> SearchResult:
    """Return a result with other values of its moves, and the best of them."""
    best = max(moves, key=lambda move: moves[move].rank)
    if result.move is not None and moves[result.move].rank == moves[best].rank:
        best = result.move
    return replace(
        result,
        move=best,
        score=moves[best].score(result.position.ply),
        exact=all(value.is_exact for value in moves.values()),
        line=lines[best],
        moves=moves,
        lines=lines,
    )


def _weight(result: SearchResult) -> tuple[bool, float, int]:
    """Return a key that orders results of one position by their worth."""
    value = result.value
    # Of two wins the sooner one is worth more, and a win with a distance more than one without.
    return value.is_exact, value.rank if value.is_win else 0.0, result.nodes
