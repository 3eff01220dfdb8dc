"""The opponents of `noughts play`, thinking aloud: bounded from outside, and stopped at once.

    position, limit ──► native     Engine.analyse                  ──► Thought, Thought, …
                        textbook   deepen(search), mcts
                                     ▲
    stop ────────────────────────────┘ heeded at the next position that is looked into

Where an opponent and who asks it both set a limit, the tighter one holds.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from typing import Any

import noughts
from noughts import levels
from noughts.arena.player import (
    DEFAULT_NODES,
    LIMITS,
    OPPONENTS,
    PERFECT_SECONDS,
    OpponentFailed,
    engine_options,
    evaluation_named,
    is_small,
    opponent_name,
    parse_opponent,
)
from noughts.arena.protocol import Option, info_of
from noughts.arena.serving import Thought
from noughts.engine import METHODS, Engine, is_native
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Position
from noughts.games.row import RowPosition
from noughts.search import alphabeta, deepen, hminimax, mcts, minimax, negamax
from noughts.search.evaluation import default_evaluation
from noughts.search.negamax import Table
from noughts.search.result import NO_LIMIT, Limit, Order, SearchResult
from noughts.search.walk import LimitReached

BEST_METHOD = "auto"
"""The method that a game is played with best."""
LARGEST_TABLE = 1 << 16
"""MiB that the native engine can be given."""
LARGEST_TREE = 1_000_000
"""Nodes of a tree of Python's MCTS that is given no limit: a GiB or so."""
_DEEPENED = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "hminimax": hminimax,
    "negamax": negamax,
}


class Thinking:
    """An opponent as a `noughts.arena.serving.Thinker`.

    >>> thinking = Thinking("engine:level=4")
    >>> [option.name for option in thinking.options]
    ['Hash', 'Level', 'Method', 'OwnBook', 'Seed']

    Args:
        text: the opponent, such as `alphabeta:depth=6`.

    Raises:
        NotationError: no such opponent, key or value; or a person, who is no engine.
    """

    author = "the authors of noughts"

    def __init__(self, text: str = "engine") -> None:
        opponent = parse_opponent(text)
        if opponent.choose is None:
            raise NotationError(text, "OPPONENT", "a person is no engine")
        self._kind = text.partition(":")[0]
        self._values = dict(opponent.values)
        self._rng = random.Random(self._values.get("seed", 0))
        self._stop = Stop(None)
        self._table: Table = {}
        self._engine: Engine | None = None
        self._made_of: tuple[Any, ...] = ()
        self.name = f"noughts {noughts.__version__} ({opponent_name(text)})"
        self.variants = variants(native=self._kind == "engine")
        self.options = self._offered()

    def _offered(self) -> list[Option]:
        get = self._values.get
        level, seed = str(get("level", 0)), str(get("seed", 0))
        methods = (BEST_METHOD, *METHODS)
        offered = {
            "table": Option("Hash", "spin", str(get("table", 64)), least=1, most=LARGEST_TABLE),
            "level": Option("Level", "spin", level, least=0, most=max(levels.LEVELS)),
            "method": Option("Method", "combo", get("method", BEST_METHOD), choices=methods),
            "book": Option("OwnBook", "check", "true" if get("book", True) else "false"),
            "seed": Option("Seed", "spin", seed, least=0, most=2**31 - 1),
        }
        return [option for key, option in offered.items() if key in OPPONENTS[self._kind].keys]

    def set_option(self, name: str, value: str) -> None:
        if name == "Hash":
            self._values["table"] = int(value)
        elif name == "Level":
            self._values["level"] = int(value)
        elif name == "Method":
            self._values["method"] = value
        elif name == "OwnBook":
            self._values["book"] = value == "true"
        elif name == "Seed":
            self._values["seed"] = int(value)
            self._rng = random.Random(int(value))

    def new_game(self) -> None:
        self._table.clear()
        if self._engine is not None:
            self._engine.clear()

    def get_ready(self, rules_id: str) -> None:
        start = noughts.game(rules_id)
        if self._is_native(start):
            self._engine_for(start)

    def think(self, position: Position, limit: Limit | None) -> Iterator[Thought]:
        own = Limit(**{key: self._values.get(key) for key in (*LIMITS, "simulations")})
        if self._kind == "perfect" and own.seconds is None:
            own = Limit(seconds=PERFECT_SECONDS)
        bound = tighter(own, limit or NO_LIMIT)
        if limit is None and own == NO_LIMIT:
            bound = self._usual(position)
        self._stop = stop = Stop(bound.seconds)
        if self._kind == "random":
            return iter((Thought(self._rng.choice(position.legal_moves())),))
        # Native searches begin here, where a stop of before is forgotten; not at the first `next`.
        results = self._results(position, bound, stop)
        return (_thought(result) for result in results)

    def stop(self) -> None:
        self._stop.told.set()
        if self._engine is not None:
            self._engine.stop()

    def _results(self, position: Position, bound: Limit, stop: Stop) -> Iterator[SearchResult]:
        level = self._values.get("level")
        if level:
            return self._of_level(position, level, stop)
        if self._is_native(position):
            method = self._values.get("method", BEST_METHOD)
            results = self._engine_for(position).analyse(
                position, bound, method=None if method == BEST_METHOD else method
            )
        elif self._kind == "mcts":
            results = self._by_simulations(position, bound, stop)
        else:
            results = self._deepening(position, bound, stop)
        return self._proven(position, results) if self._kind == "perfect" else results

    def _is_native(self, position: Position) -> bool:
        return self._kind == "engine" or (self._kind == "perfect" and is_native(position))

    def _engine_for(self, position: Position) -> Engine:
        """Return the engine of the position's rules and of the options as they are."""
        options = {"seed": self._values.get("seed", 0), **engine_options(self._values)}
        made_of = (position.rules_id, options)
        if self._engine is None or self._made_of != made_of:
            self._engine = None  # Its memory is free before that of the next is taken.
            self._engine = Engine(position.rules_id, **options)
            self._made_of = made_of
        return self._engine

    def _usual(self, position: Position) -> Limit:
        """Return how far an opponent looks that nobody has set a limit."""
        if self._kind == "engine":
            return levels.FULL_STRENGTH
        if self._kind == "mcts":
            return Limit(simulations=1000)
        return NO_LIMIT if is_small(position) else Limit(nodes=DEFAULT_NODES)

    def _seed(self) -> int | None:
        """Return a seed for the next move; `None` where nothing is left to chance."""
        chance = self._kind == "mcts" or "level" in self._values or self._values.get("seed", 0)
        return self._rng.getrandbits(32) if chance else None

    def _of_level(self, position: Position, level: int, stop: Stop) -> Iterator[SearchResult]:
        engine = self._engine_for(position)
        with stop.ending(engine):
            yield levels.choose(engine, position, level, self._seed() or 0)

    def _by_simulations(
        self, position: Position, bound: Limit, stop: Stop
    ) -> Iterator[SearchResult]:
        if bound.simulations is None and bound.depth is None:
            bound = tighter(bound, Limit(nodes=LARGEST_TREE))
        exploration = self._values.get("exploration", 1.0)
        yield mcts(
            position,
            bound,
            seed=self._seed(),
            exploration=exploration,
            is_stopped=stop.told.is_set,
        )

    def _deepening(self, position: Position, bound: Limit, stop: Stop) -> Iterator[SearchResult]:
        options: dict[str, Any] = {"seed": self._seed(), "order": stop.heeding(position)}
        if self._kind in ("perfect", "negamax"):
            options["table"] = self._table if self._kind == "perfect" else {}
        if "evaluation" in self._values:
            options["evaluate"] = evaluation_named(self._values["evaluation"], position)
        elif self._kind != "minimax":
            options["evaluate"] = default_evaluation(position)
        search: Any = _DEEPENED.get(self._kind, negamax)
        return deepen(partial(search, **options), position, bound)

    def _proven(
        self, position: Position, results: Iterator[SearchResult]
    ) -> Iterator[SearchResult]:
        """Yield the results, and let the last be an exact one.

        Raises:
            OpponentFailed: it is not.
        """
        result = None
        for result in results:
            yield result
        if result is None or not result.exact:
            raise OpponentFailed(f"perfect does not solve {position} within its time")


class Stop:
    """Whether a search is to end: because it is told to, or its time is up."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._until = inf if seconds is None else time.perf_counter() + seconds
        self.told = threading.Event()

    def heeding(self, root: Position) -> Order:
        """Return the order of moves as it is, with an ear for the end.

        A search asks for it wherever it goes, far more often than it looks at the clock. At the
        root it goes unheeded: there has to be a move.
        """

        def order(position: Position) -> Any:
            if position is not root and (self.told.is_set() or time.perf_counter() >= self._until):
                raise LimitReached
            return position.legal_moves()

        return order

    @contextmanager
    def ending(self, engine: Engine) -> Iterator[None]:
        """End whatever the engine searches here once it is time, also what begins only then."""
        over = threading.Event()

        def watch() -> None:
            self.told.wait(self._seconds)
            while not over.wait(0.005):
                engine.stop()

        watching = threading.Thread(target=watch, daemon=True)
        watching.start()
        try:
            yield
        finally:
            over.set()
            self.told.set()
            watching.join()


def tighter(first: Limit, second: Limit) -> Limit:
    """Return the limit that allows what both do.

    >>> tighter(Limit(depth=6, seconds=1.0), Limit(seconds=0.1))
    Limit(depth=6, nodes=None, seconds=0.1, simulations=None)
    """
    bounds = {}
    for key in (*LIMITS, "simulations"):
        given = [each for each in (getattr(first, key), getattr(second, key)) if each is not None]
        bounds[key] = min(given, default=None)
    return Limit(**bounds)


def variants(*, native: bool) -> list[str]:
    """Return what can be played, as the choices of `UCI_Variant`: all games, or the core's own.

    >>> variants(native=True)[:3]
    ['basic', 'mnk:*', 'connect4']
    """
    found = []
    for name, family in noughts.GAMES.items():
        if native and not issubclass(family, RowPosition | NestedPosition):
            continue
        with suppress(NotationError):  # m,n,k-games have no rules without sizes.
            found.append(noughts.game(name).rules_id)
        found += [f"{name}:*"] if family.options else []
    return found


def _thought(result: SearchResult) -> Thought:
    assert result.move is not None, "only a game that is over has no move"
    return Thought(result.move, info_of(result))
