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
from noughts.judgement.results import informed, with_proofs
from noughts.search.result import SearchResult

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
        self.tell()

    def tell(self) -> None:
        """Let the analyses in progress look for new proofs."""
        for changed in self._changed:
            changed.set()

    def about(self, line: Iterable[Position]) -> list[SearchResult]:
        """Return the proven results and moves of each position of a line."""
        found = []
        for position in line:
            for known in (self._proven, self.analyses, self.best):
                result = known.get(position)
                if result is not None and (result.exact or known is not self.best):
                    proven = {m: value for m, value in result.moves.items() if value.is_exact}
                    if proven or result.exact:
                        found.append(replace(result, moves=proven, lines={}))
        return found

    @contextmanager
    def watched(self, changed: asyncio.Event) -> Iterator[None]:
        """Within the context, set an event whenever proofs are learnt."""
        self._changed.add(changed)
        try:
            yield
        finally:
            self._changed.discard(changed)

    def told(self, result: SearchResult) -> SearchResult:
        """Return the result of an analysis, with proofs added from other searches."""
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


def _weight(result: SearchResult) -> tuple[bool, float, int]:
    """Return a key that orders results of one position by their worth."""
    value = result.value
    # Of two wins the sooner one is worth more, and a win with a distance more than one without.
    return value.is_exact, value.rank if value.is_win else 0.0, result.nodes
