"""The native engine: the fast searches of one game, with their tables.

    position string, limit ──► noughts._core ──► findings ──► SearchResult

The rulebook checks all texts before they reach the core, so that only the package's own errors are
raised. A search runs without the GIL: engines in several threads run in parallel, Ctrl-C works, and
`stop` ends a search from any thread. A search that streams its results runs in a separate thread.

An engine makes one search at a time; a second one raises `EngineBusy`. When Python ends, all
searches end first. A forked child has the engines of its parent, without their searches.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import inf
from queue import SimpleQueue
from typing import Any, TypedDict

from noughts import _core, nets
from noughts.books import NO_BOOK, book_of
from noughts.games import registry
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Position
from noughts.games.registry import parse_start
from noughts.games.row import RowPosition
from noughts.search.mcts import bounded
from noughts.search.result import (
    LARGEST_ESTIMATE,
    LARGEST_LIMITS,
    NO_LIMIT,
    WIN,
    Limit,
    SearchResult,
    Value,
)

METHODS = {
    "alphabeta": "alpha-beta, one depth after another",
    "selective": "the same with pruning, for the best move: sees deeper",
    "assisted": "alpha-beta and the exact solver of the game in turns",
    "mcts": "Monte Carlo tree search",
    "mcts_random": "the same with playouts that are random throughout",
}
"""The methods of `analyse`."""

DEFAULT_TABLE, LARGEST_TABLE = 64, 1 << 16
"""Memory of an engine's tables, in MiB."""

MAX_THREADS = 256

EngineBusy = _core.EngineBusy
"""Raised by an engine that is searching already, perhaps for an unfinished `analyse`."""

EVALUATIONS = ("report",)
"""Evaluations to compare with the engine's own: that of a course report, for nested games."""


def is_native(position: Position) -> bool:
    """Whether the core knows the game of the position."""
    return isinstance(position, RowPosition | NestedPosition)


def native_position(position: Position | str) -> Position:
    """Return the position of a string or rules id, if the core knows its game.

    Raises:
        NotationError: not a position, or of a game that the core does not know.
        TypeError: an object of another kind.
    """
    if isinstance(position, str):
        position = parse_start(position)
    if not isinstance(position, Position):
        reason = f"a search needs one position or its string, not {type(position).__name__}"
        raise TypeError(f"{reason}; `Engine.evaluate` takes many")
    if not is_native(position):
        reason = "the native core knows only the built-in games"
        raise NotationError(str(position), "RULES", reason)
    return position


def perft(position: Position | str, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies, as `games.position.perft`, but natively.

    >>> perft("ultimate", 6)
    4020960

    Raises:
        NotationError: as `native_position`.
        ValueError: a negative depth, or one above a million.
    """
    if not 0 <= depth <= LARGEST_LIMITS["depth"]:
        raise ValueError(f"a depth of {depth} is not from 0 to {LARGEST_LIMITS['depth']:,}")
    return _core.perft(str(native_position(position)), depth)


class SketchData(TypedDict):
    """The marks on a board that show a sentence; see `noughts.explain.sketch`."""

    move: int | None
    player: str
    rings: list[int]
    sends: int | None


class HintData(TypedDict):
    """A sentence of a hint: a phrase of `games.phrases` as data, and its sketch."""

    phrase: dict[str, Any]
    sketch: SketchData | None


def hint(position: Position, move: int, values: Mapping[int, Value]) -> list[HintData]:
    """Return why to play a move, as codes: a threat, the move with its reasons, and its value.

    Args:
        position: an unfinished position that the core knows.
        move: the best move.
        values: the value of every legal move.
    """
    words = []
    for each in sorted(values, key=lambda other: other != move):
        value = values[each]
        number = value.plies if value.is_exact else value.chance
        text = "" if number is None else str(number)
        words.append(f"{position.move_text(each)}:{value.kind[0]}{text}")
    found: list[HintData] = json.loads(_core.hint(str(position), " ".join(words)))
    return found


_Search = Callable[[Callable[[Any], None] | None], Any]
"""A search of the core, called with a listener or `None`."""


class Engine:
    """The searches of one set of rules, with their tables.

    >>> import noughts
    >>> engine = Engine("basic")
    >>> result = engine.solve(noughts.position("basic~XX1.OO1.3~X"))
    >>> result.move, str(result.value)
    (2, 'W 1')

    Args:
        rules: a rules id.
        table_mib: memory of the tables, or of the tree of MCTS, in MiB.
        threads: threads of alpha-beta. The results of one are reproducible, those of more are not.
        seed: of all random choices; modulo 2⁶⁴.
        evaluation: one of `EVALUATIONS`; the engine's own if left out.
        book: whether `assisted` looks up the values of positions with few stones (`books`).
        net: a learned evaluation (`nets`) or its file, `small` for the installed small net, or `no`
            for the hand-written evaluation; the installed net of the rules if left out.

    Raises:
        NotationError: no such rules, or rules that the core does not know.
        ValueError: a table below 1 MiB or above `LARGEST_TABLE`, threads below 1 or above
            `MAX_THREADS`, or an evaluation of other rules; as `nets.BadNet`, no net, or one of
            other rules.
    """

    def __init__(
        self,
        rules: str,
        *,
        table_mib: int = DEFAULT_TABLE,
        threads: int = 1,
        seed: int = 0,
        evaluation: str | None = None,
        book: bool = True,
        net: str | nets.Net | None = None,
    ) -> None:
        if table_mib < 1:
            raise ValueError(f"a table of {table_mib} MiB is too small; the minimum is 1")
        if table_mib > LARGEST_TABLE:
            raise ValueError(f"a table of {table_mib} MiB is too large; at most {LARGEST_TABLE:,}")
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"the number of threads is 1 to {MAX_THREADS}, not {threads}")
        start = native_position(registry.game(rules))
        known = EVALUATIONS if isinstance(start, NestedPosition) else ()
        if evaluation is not None and evaluation not in known:
            there = f"there is {' '.join(known)}" if known else "there is only the engine's own"
            raise ValueError(f"no evaluation {evaluation!r} for {start.rules_id}; {there}")
        self.rules = start.rules_id
        self._start = start
        opened = (book_of(self.rules) if book else None) or NO_BOOK
        if evaluation is not None:
            if net not in (None, nets.NO_NET):
                raise ValueError("a net and another evaluation exclude each other; choose one")
            net = nets.NO_NET
        self.net = nets.chosen(self.rules, net)
        self._core = _core.Engine(
            self.rules,
            table_mib,
            seed % 2**64,
            evaluation or "",
            *opened,
            self.net.core if self.net else None,
            threads,
        )
        self._user: tuple[int, object] | None = None
        """The process and the search that use the engine."""

    def stop(self) -> None:
        """End the search in progress, from any thread; it still returns its last result."""
        self._core.stop()

    def clear(self) -> None:
        """Clear all tables, so that the next search does not depend on earlier ones.

        Raises:
            EngineBusy: during a search.
        """
        with self._alone():
            self._core.clear()

    def analyse(
        self,
        position: Position | str,
        limit: Limit = NO_LIMIT,
        *,
        method: str | None = None,
        moves: bool = True,
    ) -> Iterator[SearchResult]:
        """Yield results of growing depth; without a limit, until one is proven or `stop`.

        Args:
            position: a position of these rules, its string, or a rules id.
            limit: when to end. A depth bounds the tree of MCTS (`search.mcts`).
            method: one of `METHODS`; the best one for the game if left out. `selective`
                works as `alphabeta` if a depth is given, or if the value of every move is asked
                for: then after a search for wins by fours.
            moves: whether `result.moves` holds the value of every legal move. The first result is
                then of depth 0, the evaluation of the position after each move. Without it, the
                engine looks for the best move alone and sees deeper in the same time.

        Raises:
            NotationError: not a position of these rules.
            ValueError: no such method, or one that cannot give the value of every move.
            EngineBusy: at the first result, during another search of this engine.
        """
        place, search, made = self._search(position, limit, method, moves)
        return (made(found, place, limit) for found in self._stream(search))

    def best_move(
        self,
        position: Position | str,
        limit: Limit = NO_LIMIT,
        *,
        method: str | None = None,
        moves: bool = False,
    ) -> SearchResult:
        """Return the last result of `analyse`, by default without the value of every move.

        Raises:
            NotationError: not a position of these rules.
            ValueError: no such method, or one that cannot give the value of every move.
            EngineBusy: during another search of this engine.
        """
        place, search, made = self._search(position, limit, method, moves)
        return made(self._call(search), place, limit)

    def evaluate(self, positions: Iterable[Position | str]) -> list[Value]:
        """Return the value of each position: the best evaluation after one move, or its proof.

        >>> [str(value) for value in Engine("basic").evaluate(["basic", "basic~XX1.OO1.3~X"])]
        ['+0.29', 'W 1']

        Raises:
            NotationError: not a position of these rules.
            TypeError: one position, not several.
            EngineBusy: during another search of this engine.
        """
        if isinstance(positions, (str, Position)):
            raise TypeError("evaluate needs a list of positions; write [position] for one")
        return [self.best_move(each, Limit(depth=1)).value for each in positions]

    def solve(
        self, position: Position | str, limit: Limit = NO_LIMIT, *, weakly: bool = False
    ) -> SearchResult:
        """Return the exact value; or, where the limit comes first, the `bounds` reached.

        With `weakly`, only the winner is proven, not the distance; in row games that is faster, and
        the solver of the nine-board games never proves the distance. In the nine-board games a
        limit of depth is the longest win to look for, in plies. The book is not used.

        Raises:
            NotationError: not a position of these rules.
            EngineBusy: during another search of this engine.
        """
        place = self._checked(position)
        self._core.arm()
        method = _core.Method.solve_weakly if weakly else _core.Method.solve
        search = partial(self._core.search, str(place), method, _limit(limit))
        return _result(self._call(search), place, limit, None)

    def _checked(self, position: Position | str) -> Position:
        place = native_position(position)
        if place.rules_id != self.rules:
            raise NotationError(str(place), "RULES", f"this engine plays only {self.rules}")
        return place

    def _search(
        self, position: Position | str, limit: Limit, method: str | None, moves: bool
    ) -> tuple[Position, _Search, Callable[[Any, Position, Limit], SearchResult]]:
        """Return the position, its search in the core, and the reader of the findings."""
        place = self._checked(position)
        if method is not None and method not in METHODS:
            raise ValueError(f"there is no method {method!r}; there are {' '.join(METHODS)}")
        is_mcts = method is not None and method.startswith("mcts")
        if moves and is_mcts:
            raise ValueError(f"{method} values no move but the best: ask it with moves=False")
        if is_mcts:
            limit = bounded(limit)
        if moves or is_mcts:
            limit = replace(limit, max_seconds=None)
        self._core.arm()
        every_move = moves and place.outcome() is None
        search = self._core.scores if every_move else self._core.search
        chosen = _core.Method[method or "best"]
        net = None if is_mcts else self.net
        made = partial(_result_of_all if every_move else _result, net=net)
        return place, partial(search, str(place), chosen, _limit(limit)), made

    def _call(self, search: _Search) -> Any:
        """Run `search` in this thread and return its result."""
        with self._alone():
            return search(None)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Use the engine alone, or raise `EngineBusy`; at the end forget a `stop`.

        The core refuses a second call too; this also covers the pauses between results.
        """
        mine = (os.getpid(), object())
        if self._user is not None and self._user[0] == mine[0]:
            raise EngineBusy("this engine is searching: end that search first, or use another one")
        self._user = mine
        try:
            yield
        finally:
            if self._user is mine:
                self._user = None
            self._core.arm()

    def _stream(self, search: _Search) -> Iterator[Any]:
        """Run `search` in another thread; yield its reports and then its result.

        Where there are no threads, in a browser, all come at the end of the search.
        """
        if sys.platform == "emscripten":
            found: list[Any] = []
            found.append(self._call(lambda _: search(found.append)))
            yield from found
            return
        queue: SimpleQueue[tuple[str, Any]] = SimpleQueue()

        def run() -> None:
            try:
                queue.put(("end", search(lambda found: queue.put(("report", found)))))
            except BaseException as error:  # raised again in the waiting thread
                queue.put(("error", error))

        with self._alone():
            process, kind = os.getpid(), "report"
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            try:
                while kind == "report":
                    if os.getpid() != process:
                        raise EngineBusy("this search belongs to the process that was forked")
                    kind, found = queue.get()
                    if kind == "error":
                        raise found
                    yield found
            finally:
                if kind == "report" and os.getpid() == process:
                    self._core.stop()
                thread.join()


def _limit(limit: Limit) -> _core.Limit:
    seconds, target = limit.seconds, None
    if limit.max_seconds is not None:
        seconds, target = limit.max_seconds, limit.seconds
    return _core.Limit(limit.depth, limit.nodes, seconds, limit.simulations, target)


def _result(
    found: _core.Finding, position: Position, limit: Limit, net: nets.Net | None
) -> SearchResult:
    """Return a finding of the core as a result, with the calibrated estimate of a net."""

    def scaled(score: int) -> float:
        if abs(score) > _core.WIN:
            return inf if score > 0 else -inf
        if abs(score) >= _core.SURE:
            size = WIN - _core.WIN + abs(score)
            return size if score > 0 else -size
        estimate = score / _core.ESTIMATE_UNIT
        if net is not None:
            estimate = net.expected(position.rules_id, estimate)
        return max(-LARGEST_ESTIMATE, min(LARGEST_ESTIMATE, estimate))

    score = scaled(found.score)
    if found.exact and found.lower != found.upper:
        # The winner is proven, the distance is not.
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
        line=tuple(found.pv),
        table_use=found.table_use,
        simulations=found.simulations,
        bounds=(scaled(found.lower), scaled(found.upper)),
    )


def _result_of_all(
    found: list[tuple[int, _core.Finding]], position: Position, limit: Limit, net: nets.Net | None
) -> SearchResult:
    """Return the findings about every move, best first, as one result of the position."""
    results = [_result(each, position, limit, net) for _, each in found]
    values = {move: result.value for (move, _), result in zip(found, results, strict=True)}
    lines = {move: tuple(each.pv) for move, each in found}
    return replace(
        results[0],
        exact=all(result.exact for result in results),
        complete=all(result.complete for result in results),
        depth=max(result.depth for result in results),
        nodes=max(result.nodes for result in results),
        seconds=max(result.seconds for result in results),
        moves=dict(sorted(values.items())),
        lines=dict(sorted(lines.items())),
    )
