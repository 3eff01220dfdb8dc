"""Opponents: a text in, an object out that thinks about a position.

    alphabeta:depth=6 ──opponent()──► Opponent ──think(position, limit)──► result, result, …
    NAME      KEY   VALUE                        choose(position, limit)──► the last of them

    engine, perfect     Engine.analyse                ▲
    mcts                one search                    │ ends soon after
    the others          depth 1, 2, 3, …            stop()

Where the text and the caller both give a limit, the tighter one holds. Where neither does, the
default limit of the kind holds (`Opponent.limit`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from noughts import levels
from noughts.books import book_of
from noughts.engine import EVALUATIONS as ENGINE_EVALUATIONS
from noughts.engine import METHODS, Engine, is_native
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Player, Position
from noughts.games.row import ConnectFour, RowPosition
from noughts.levels import HIGHEST
from noughts.search import SearchResult, alphabeta, deepen, hminimax, mcts, minimax
from noughts.search.evaluation import EVALUATIONS, default_evaluation
from noughts.search.mcts import SIMULATIONS
from noughts.search.negamax import Table
from noughts.search.negamax import analyse as deepen_negamax
from noughts.search.options import check_name, parse_values
from noughts.search.own_evaluation import is_own, own_evaluation
from noughts.search.result import NO_LIMIT, TEN, Evaluation, Limit
from noughts.search.stop import Stop
from noughts.search.textbook import LIMITS, evaluation_named, is_small, scores_of
from noughts.search.walk import BadEvaluation

BOUNDS = ("depth", "nodes", "seconds")
"""The limits that every search takes."""
WEAKNESSES = ("sight", "slip", "blur")
"""The keys that make a custom level, with `nodes` (`noughts.levels`)."""
ENGINE_OPTIONS = ("table", "threads", "book", "net")
LARGE_GAME = Limit(nodes=50_000)
"""Default limit of a textbook search in a game too large to be searched to its end."""
MCTS_DEFAULT = Limit(simulations=SIMULATIONS)
PERFECT_DEFAULT = Limit(seconds=10.0)
LARGEST_TREE = Limit(nodes=1_000_000)
"""Bound of every MCTS tree in Python without a limit of depth or simulations: about 1 GiB."""


class OpponentFailed(RuntimeError):
    """An opponent has no move to play."""


class OpponentKind(NamedTuple):
    """A kind of opponent: a description and the keys that it takes."""

    about: str
    keys: tuple[str, ...] = ()


OPPONENTS: dict[str, OpponentKind] = {
    "human": OpponentKind("another person at this keyboard"),
    "random": OpponentKind("any legal move", ("seed",)),
    "minimax": OpponentKind("searches every reply", (*BOUNDS, "score", "seed")),
    "alphabeta": OpponentKind("minimax with cutoffs", (*BOUNDS, "evaluation", "score", "seed")),
    "hminimax": OpponentKind(
        "minimax to a depth, then an estimate", (*BOUNDS, "evaluation", "score", "seed")
    ),
    "negamax": OpponentKind(
        "deepens with a table of positions", (*BOUNDS, "evaluation", "score", "seed")
    ),
    "mcts": OpponentKind(
        "Monte Carlo tree search: plays random games",
        (*BOUNDS, "simulations", "exploration", "seed"),
    ),
    "engine": OpponentKind(
        "the native engine, by level (1 to 10) or by limits",
        ("level", *WEAKNESSES, *BOUNDS, "method", "evaluation", *ENGINE_OPTIONS, "seed"),
    ),
    "perfect": OpponentKind("never errs; needs a game that it can solve", ("seconds", "seed")),
}
"""Every kind of opponent by its name."""

_LEVEL = re.compile(r"level ?(\d{1,2})", re.IGNORECASE)
_NAMES = {"human": "Person", "alphabeta": "Alpha-beta", "hminimax": "H-minimax", "mcts": "MCTS"}
"""Names that are not the kind with a capital letter."""
_SEARCHES: dict[str, Any] = {"minimax": minimax, "alphabeta": alphabeta, "hminimax": hminimax}


def max_perfect_cells(game: type[Position], *, misere: bool = False) -> int:
    """Return the most cells of a board that `perfect` solves from the start in a second or two."""
    if issubclass(game, ConnectFour):
        return 20
    if issubclass(game, RowPosition):
        return 16 if misere else 25
    return 0


def suits_perfect(position: Position) -> bool:
    """Whether a menu offers `perfect`: where a board is small, or a book knows the first moves."""
    if book_of(position.rules_id) is not None:
        return True
    if not isinstance(position, RowPosition):
        return False
    most = max_perfect_cells(type(position), misere=position.rules.misere)
    return position.rules.size <= most


def perfect_begins(position: Position) -> bool:
    """Whether `perfect` knows a game only as the first player: a book has the moves of a proof."""
    return isinstance(position, NestedPosition) and book_of(position.rules_id) is not None


def meant(text: str) -> str:
    """Return the opponent that a short text such as `level4` means; other texts stay as they are.

    >>> meant("level4"), meant("Level 10"), meant("random")
    ('engine:level=4', 'engine:level=10', 'random')
    """
    found = _LEVEL.fullmatch(text)
    return f"engine:level={found[1]}" if found else text


def opponent(text: str, seed: int | None = None, *, own_code: bool = False) -> Opponent:
    """Return the opponent that `text` names, such as `mcts:simulations=1000`.

    `level4` is short for `engine:level=4`.

    >>> from noughts.games.registry import position
    >>> opponent("perfect").choose(position("basic~XX1.OO1.3~X")).text
    '3'

    Args:
        text: a kind, and values for some of its keys.
        seed: used if the text gives none.
        own_code: whether the evaluation may be a function of a file, which runs in this process.

    Raises:
        NotationError: no such kind, key or value, or a function that cannot be loaded.
    """
    text = meant(text)
    kind = text.partition(":")[0]
    check_name(text, kind, OPPONENTS, "OPPONENT")
    choices = {
        "evaluation": ENGINE_EVALUATIONS if kind == "engine" else EVALUATIONS,
        "method": METHODS,
        "score": scores_of(kind),
        "level": levels.LEVELS,
    }
    own_code &= kind != "engine"
    values = parse_values(text, OPPONENTS[kind].keys, choices, "OPPONENT", own_code=own_code)
    _check_level(text, values)
    evaluation = values.get("evaluation", "")
    return Opponent(text, values, seed, own_evaluation(evaluation) if is_own(evaluation) else None)


def _check_level(text: str, values: Mapping[str, Any]) -> None:
    """Check that a level, or the weaknesses of one, go with the other values.

    Raises:
        NotationError: they do not.
    """
    others = {*LIMITS, *WEAKNESSES, "method", "evaluation", "threads", "book", "net"}
    if "level" in values and (given := sorted(values.keys() & others)):
        raise NotationError(text, "OPPONENT", f"a level takes no {given[0]}: it has its own")
    if "sight" in values:
        if "method" in values:
            raise NotationError(text, "OPPONENT", "sight takes no method: every move is searched")
    elif given := sorted(values.keys() & {*WEAKNESSES}):
        raise NotationError(text, "OPPONENT", f"{given[0]} needs sight, the plies of a level")
    for key in ("slip", "blur"):
        if values.get(key, 0) > 1:
            raise NotationError(text, "OPPONENT", f"{key} must be at most 1")


def opponent_name(text: str) -> str:
    """Return an opponent as people call it.

    >>> opponent_name("engine:level=4"), opponent_name("mcts:seconds=0.5,seed=1")
    ('Engine, level 4', 'MCTS, 0.5 s a move, seed 1')
    """
    kind, _, rest = text.partition(":")
    words = [word.replace("=", " ") for word in rest.split(",") if word]
    words = [f"{word[8:]} s a move" if word.startswith("seconds ") else word for word in words]
    return ", ".join([_NAMES.get(kind, kind.capitalize()), *words])


class Opponent:
    """An opponent that thinks about one position at a time.

    Args:
        text: its kind, and its values as people write them.
        values: the value of each key that is given.
        seed: used if the values have none. Without a seed, or with 0, the textbook searches and
            the engine leave nothing to chance.
        evaluate: the function of a file that its values name.
    """

    def __init__(
        self,
        text: str,
        values: Mapping[str, Any],
        seed: int | None = None,
        evaluate: Evaluation | None = None,
    ) -> None:
        self._evaluate = evaluate
        self.text = text
        self.kind = text.partition(":")[0]
        self.values = dict(values)
        self._seed = self.values.get("seed", seed)
        self._rng = random.Random(self._seed)
        self._stop = Stop()
        self._table: Table = {}
        self._engine: Engine | None = None

    @property
    def is_human(self) -> bool:
        """Whether this is a person, who cannot `think`."""
        return self.kind == "human"

    @property
    def name(self) -> str:
        """The opponent as people call it."""
        return opponent_name(self.text)

    @property
    def errs(self) -> bool:
        """Whether it has the weaknesses of a level."""
        return "sight" in self.values or self.values.get("level", HIGHEST) < HIGHEST

    @property
    def is_random(self) -> bool:
        """Whether chance plays a part in its moves: by its kind, its level or a seed above 0."""
        return self.kind in ("random", "mcts") or self.errs or bool(self._seed)

    def _level(self, position: Position) -> levels.Level:
        """Return the engine's level in a game: the highest if its text names none.

        Raises:
            OpponentFailed: the file of the levels is damaged.
        """
        try:
            level = levels.level_of(position.rules_id, self.values.get("level", HIGHEST))
        except levels.BadLevels as error:
            raise OpponentFailed(str(error)) from error
        return level._replace(**{key: self.values[key] for key in WEAKNESSES if key in self.values})

    def is_native(self, position: Position) -> bool:
        """Whether it thinks about a position with an `Engine`."""
        return self.kind == "engine" or (self.kind == "perfect" and is_native(position))

    def _own_limit(self, position: Position) -> Limit:
        own = Limit(**{key: self.values.get(key) for key in LIMITS})
        if self.kind == "perfect" and own == NO_LIMIT:
            return PERFECT_DEFAULT
        if self.values.get("level") == HIGHEST:
            return Limit(nodes=self._level(position).nodes)
        return own

    def _default_limit(self, position: Position) -> Limit:
        if self.errs or self.kind == "random":
            return NO_LIMIT
        if self.kind == "engine":
            return Limit(nodes=self._level(position).nodes)
        if self.kind == "mcts":
            return MCTS_DEFAULT
        return NO_LIMIT if is_small(position) else LARGE_GAME

    def limit(self, position: Position, limit: Limit = NO_LIMIT) -> Limit:
        """Return the limit under which it thinks about a position.

        That is the tighter of the limit in its text and `limit`, or the default of its kind if
        there is neither. A level also looks no farther than its own plies and nodes.
        """
        bound = self._own_limit(position).tighter(limit)
        return self._default_limit(position) if bound == NO_LIMIT else bound

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> SearchResult:
        """Return the last result of `think`.

        Raises:
            OpponentFailed: it has no move.
        """
        *_, last = self.think(position, limit)
        return last

    def think(
        self,
        position: Position,
        limit: Limit = NO_LIMIT,
        *,
        until_stopped: bool = False,
        engine: Engine | None = None,
    ) -> Iterator[SearchResult]:
        """Yield results, each from more search, at least one; the game must not be over.

        A `stop` after this call ends them, also before the first.

        Args:
            position: the position to think about.
            limit: of the caller; the tighter of this and the opponent's own holds.
            until_stopped: if neither gives a limit, think until `stop`, without the default limit.
            engine: used for native searches in place of the opponent's own engine.

        Raises:
            OpponentFailed: it has no move. A perfect opponent raises this after its last result,
                if that is not proven.
        """
        if self.is_human:
            raise OpponentFailed("a person chooses moves without thinking aloud")
        bound = self._own_limit(position).tighter(limit)
        if bound == NO_LIMIT and not until_stopped:
            bound = self._default_limit(position)
        self._stop = stop = Stop(bound.seconds)
        if self.kind == "random":
            results = self._at_random(position)
        elif self.is_native(position):
            results = self._natively(position, bound, stop, engine)
        elif self.kind == "mcts":
            results = self._by_simulations(position, bound, stop)
        else:
            whole = bound == NO_LIMIT and not until_stopped
            results = self._by_depth(position, bound, stop, whole=whole)
        if self.kind != "perfect":
            return results
        is_own = limit.seconds is None or limit.seconds > (bound.seconds or 0)
        return self._proven(position, results, is_own)

    def stop(self) -> None:
        """End the thinking from any thread; its last result so far counts."""
        self._stop.set()

    def new_game(self) -> None:
        """Forget earlier games, so that the next one does not depend on them."""
        self._table.clear()
        if self._engine is not None:
            self._engine.clear()

    def get_ready(self, position: Position) -> None:
        """Create the engine before the first move of a game, if it needs one."""
        if self.is_native(position):
            self._engine_for(position)

    def _move_seed(self) -> int | None:
        """Return a seed for the next move; `None` if its moves are not random."""
        return self._rng.getrandbits(32) if self.is_random else None

    def _engine_for(self, position: Position) -> Engine:
        if self._engine is None or self._engine.rules != position.rules_id:
            self._engine = None  # Free its tables before creating the next ones.
            names = {"table": "table_mib"}
            names |= {key: key for key in ("threads", "evaluation", "book", "net")}
            options = {name: self.values[key] for key, name in names.items() if key in self.values}
            seed = random.Random(self._seed).getrandbits(32) if self._seed else 0
            try:
                self._engine = Engine(position.rules_id, seed=seed, **options)
            except ValueError as error:
                raise OpponentFailed(str(error)) from None
        return self._engine

    def _at_random(self, position: Position) -> Iterator[SearchResult]:
        move = random.Random(self._move_seed()).choice(position.legal_moves())
        yield SearchResult(move, 0.0, False, True, 0, 1, 0.0, position, line=(move,))

    def _natively(
        self, position: Position, bound: Limit, stop: Stop, engine: Engine | None
    ) -> Iterator[SearchResult]:
        used = engine or self._engine_for(position)
        # A proof is all that a perfect opponent needs, even where it does not help to play.
        method = "assisted" if self.kind == "perfect" else self.values.get("method")

        def begin() -> Iterator[SearchResult]:
            if not self.errs:
                return used.analyse(position, bound, method=method, moves=False)
            level, seed = self._level(position), self._move_seed() or 0
            return iter([levels.choose(used, position, level, seed, bound, stop.is_set)])

        return stop.stream(used, begin)

    def _by_simulations(
        self, position: Position, bound: Limit, stop: Stop
    ) -> Iterator[SearchResult]:
        if bound.simulations is None and bound.depth is None:
            bound = bound.tighter(LARGEST_TREE)
        exploration = self.values.get("exploration", 1.0)
        seed = self._move_seed()
        yield mcts(position, bound, exploration=exploration, seed=seed, is_stopped=stop.is_set)

    def _by_depth(
        self, position: Position, bound: Limit, stop: Stop, *, whole: bool
    ) -> Iterator[SearchResult]:
        """Yield results of growing depth; or one of the whole game, if that is small."""
        options: dict[str, Any] = {"seed": self._move_seed(), "order": stop.order(position)}
        if self._evaluate is not None:
            options["evaluate"] = self._evaluate
        elif "evaluation" in self.values:
            try:
                options["evaluate"] = evaluation_named(self.values["evaluation"], position)
            except NotationError as error:
                raise OpponentFailed(error.reason) from None
        elif self.kind in ("alphabeta", "hminimax"):
            options["evaluate"] = default_evaluation(position)
        if "score" in self.values:
            options["score"] = self.values["score"]
        if self.values.get("score") == "ten":
            bound = bound.tighter(Limit(depth=TEN))
        try:
            if self.kind not in _SEARCHES:
                table = self._table if self.kind == "perfect" else {}
                yield from deepen_negamax(position, bound, moves=False, table=table, **options)
            elif whole:
                yield _SEARCHES[self.kind](position, bound, **options)
            else:
                yield from deepen(partial(_SEARCHES[self.kind], **options), position, bound)
        except BadEvaluation as error:
            raise OpponentFailed(str(error)) from None

    def _proven(
        self, position: Position, results: Iterator[SearchResult], is_own: bool
    ) -> Iterator[SearchResult]:
        """Yield the results, and raise `OpponentFailed` if the last is not proven.

        Args:
            position: the position.
            results: of the search.
            is_own: whether its own limit of time holds, not that of the caller.
        """
        for last in results:
            yield last
        if last.exact:
            return
        advice = "Choose another opponent"
        if perfect_begins(position) and position.turn is Player.O:
            advice = "Let it begin, which it knows from a proof, or choose another opponent"
        elif is_own:
            advice = "Give it more time, as in perfect:seconds=60, or choose another opponent"
        raise OpponentFailed(
            f"Perfect does not solve {position} within {last.seconds:.2g} s. {advice}"
        )
