"""The opponents, and the searches that can be watched: one parser for both.

alphabeta:depth=6,evaluation=lines   ──parse_opponent()──► Opponent ──choose(position)──► result
NAME      KEY   VALUE …              ──parse_search()────► Watched: search, limit, options
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol

from noughts import levels
from noughts.engine import EVALUATIONS as ENGINE_EVALUATIONS
from noughts.engine import METHODS, Engine, is_native
from noughts.games.given_tree import GivenTree, opposite, utility
from noughts.games.position import NotationError, Player, Position
from noughts.games.row import RowPosition
from noughts.search import (
    Limit,
    SearchResult,
    alphabeta,
    deepen,
    hminimax,
    mcts,
    minimax,
    negamax,
)
from noughts.search.evaluation import EVALUATIONS, default_evaluation, evaluations_for
from noughts.search.result import NO_LIMIT, Evaluation

LIMITS = ("depth", "nodes", "seconds")
PERFECT_SECONDS = 10.0
DEFAULT_NODES = 50_000
"""How far a search looks that is given no limit, in a game too large to be searched to its end."""


class OpponentFailed(RuntimeError):
    """An opponent gave no move."""


class Kind(NamedTuple):
    """One kind of opponent: what it does, in words, and the keys that it takes."""

    about: str
    keys: tuple[str, ...] = ()


OPPONENTS: dict[str, Kind] = {
    "human": Kind("a person at the keyboard"),
    "random": Kind("any legal move", ("seed",)),
    "minimax": Kind("minimax", (*LIMITS, "seed")),
    "alphabeta": Kind("alpha-beta", (*LIMITS, "evaluation", "seed")),
    "hminimax": Kind("minimax to a cutoff depth", (*LIMITS, "evaluation", "seed")),
    "negamax": Kind("iterative deepening with a table", (*LIMITS, "evaluation", "seed")),
    "mcts": Kind("Monte Carlo tree search", (*LIMITS, "simulations", "exploration", "seed")),
    "engine": Kind(
        "the native engine, by level (1 to 10) or by limits",
        ("level", *LIMITS, "method", "evaluation", "table", "book", "seed"),
    ),
    "perfect": Kind("never errs; for games solved in its seconds (10)", ("seconds", "seed")),
}
"""Every kind of opponent by its name."""

NAMES = {
    "human": "Person",
    "alphabeta": "Alpha-beta",
    "hminimax": "H-minimax",
    "mcts": "MCTS",
}
"""Opponents whose names are not their words with a capital."""

_YES_OR_NO = {"yes": True, "no": False}.__getitem__
_KEYS: dict[str, Callable[[str], Any]] = {
    "depth": int,
    "nodes": int,
    "simulations": int,
    "seed": int,
    "seconds": float,
    "exploration": float,
    "evaluation": str,
    "level": int,
    "method": str,
    "table": int,
    "book": _YES_OR_NO,
    "score": str,
    "stop_at_win": _YES_OR_NO,
    "strict": _YES_OR_NO,
    "symmetry": _YES_OR_NO,
}


class Watched(NamedTuple):
    """A textbook search to be watched, with what it is given."""

    text: str
    search: Callable[..., SearchResult]
    limit: Limit
    options: dict[str, Any]


_SEARCHES: dict[str, tuple[Callable[..., SearchResult], tuple[str, ...]]] = {
    "minimax": (minimax, ("score", "stop_at_win")),
    "alphabeta": (alphabeta, ("score", "stop_at_win", "strict", "evaluation")),
    "hminimax": (hminimax, ("score", "evaluation")),
    "negamax": (negamax, ("score", "symmetry", "evaluation")),
    "mcts": (mcts, ("simulations", "exploration")),
}
"""The searches that can be watched, and the keys of each beside the limits and the seed."""
SEARCHES = tuple(_SEARCHES)
WATCHED_DEPTH = 3
WATCHED_NODES = 10_000
"""In a large game a search that is watched and is given no limit goes to this depth at most, and
not to one where there may be more nodes."""
WATCHED_SIMULATIONS = 100
"""So many are made by MCTS that is given no limit, in any game."""


class Choose(Protocol):
    """What finds the move of an opponent."""

    def __call__(self, position: Position, limit: Limit = NO_LIMIT) -> SearchResult:
        """Return its result in `position`; `limit` is for one whose text gives it none.

        Raises:
            OpponentFailed: it has no move to give.
        """


class Opponent(NamedTuple):
    """An opponent, ready to play; `choose` is `None` for a person."""

    text: str
    choose: Choose | None
    values: Mapping[str, Any]
    """The value that the text gives for each key."""


def parse_opponent(text: str, seed: int | None = None) -> Opponent:
    """Return the opponent that `text` names, such as `mcts:simulations=1000`.

    `seed` is used where the text gives none.

    Raises:
        NotationError: no such opponent, key or value.
    """
    name, colon, rest = text.partition(":")
    if name not in OPPONENTS:
        raise _refusal(text, f"there is no opponent {name!r}; there are {' '.join(OPPONENTS)}")
    values = _parse_keys(text, name, rest, OPPONENTS[name].keys) if colon else {}
    if name == "human":
        return Opponent(text, None, {})
    rng = random.Random(values.get("seed", seed))
    chance = name in ("random", "mcts") or "level" in values
    chance = chance or seed is not None or "seed=" in rest
    choose = _chooser(name, values)

    def choose_seeded(position: Position, limit: Limit = NO_LIMIT) -> SearchResult:
        return choose(position, rng.getrandbits(32) if chance else None, limit)

    return Opponent(text, choose_seeded, values)


def opponent_name(text: str) -> str:
    """Return an opponent as people call it.

    >>> opponent_name("engine:level=4"), opponent_name("mcts:seconds=0.5,seed=1")
    ('Engine, level 4', 'MCTS, 0.5 s a move, seed 1')
    """
    name, _, rest = text.partition(":")
    words = [word.replace("=", " ") for word in rest.split(",") if word]
    words = [f"{word[8:]} s a move" if word.startswith("seconds ") else word for word in words]
    return ", ".join([NAMES.get(name, name.capitalize()), *words])


def parse_search(text: str, position: Position) -> Watched:
    """Return the textbook search that `text` names, such as `alphabeta:depth=4,score=sign`.

    It is to be watched in `position`, and gets a limit if it has none and the game is large.

    Raises:
        NotationError: no such search, key or value, or an evaluation that is not for the game.
    """
    name, colon, rest = text.partition(":")
    if name not in _SEARCHES:
        raise _refusal(
            text, f"there is no search {name!r}; there are {' '.join(_SEARCHES)}", "SEARCH"
        )
    search, own = _SEARCHES[name]
    values = _parse_keys(text, name, rest, (*LIMITS, *own, "seed"), "SEARCH") if colon else {}
    limits = {key: values.pop(key) for key in (*LIMITS, "simulations") if key in values}
    limit = Limit(**limits)
    if not limits and name == "mcts":
        limit = Limit(simulations=WATCHED_SIMULATIONS)
    elif not limits and not is_small(position):
        branching = len(position.legal_moves())
        fitting = (d for d in range(WATCHED_DEPTH, 1, -1) if branching**d <= WATCHED_NODES)
        limit = Limit(depth=next(fitting, 1))
    if name == "mcts":
        values.setdefault("seed", 0)
    if "evaluation" in values:
        values["evaluate"] = evaluation_named(values.pop("evaluation"), position)
    elif name == "alphabeta" and limit.depth is not None:
        values["evaluate"] = default_evaluation(position)
    if isinstance(position, GivenTree):
        if name not in ("minimax", "alphabeta", "hminimax"):
            raise _refusal(
                text, f"{name} searches for wins, and a tree with given values has none", "SEARCH"
            )
        if "score" in values or "stop_at_win" in values:
            raise _refusal(
                text, "a tree with given values has scores of its own, and no wins", "SEARCH"
            )
        values["score"] = utility if position.turn is Player.X else opposite
    return Watched(text, search, limit, values)


def evaluation_named(name: str, position: Position) -> Evaluation:
    """Return the evaluation `name` for the game of a position.

    Raises:
        NotationError: it is for other games.
    """
    fitting = evaluations_for(position)
    if name not in fitting:
        reason = (
            f"the evaluation {name} is not for {position.rules_id}; "
            f"there it is one of {' '.join(fitting)}"
        )
        raise _refusal(f"evaluation={name}", reason)
    return fitting[name]


def engine_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Engine` that an opponent's values say, but for the seed."""
    names = {"table": "table_mib", "evaluation": "evaluation", "book": "book"}
    return {name: values[key] for key, name in names.items() if key in values}


def _refusal(text: str, reason: str, field: str = "OPPONENT") -> NotationError:
    return NotationError(text, field, reason)


def _parse_keys(
    text: str, name: str, rest: str, keys: tuple[str, ...], field: str = "OPPONENT"
) -> dict[str, Any]:
    known: dict[str, Collection[Any]] = {
        "evaluation": ENGINE_EVALUATIONS if name == "engine" else EVALUATIONS,
        "method": METHODS,
        "level": levels.LEVELS,
        "score": ("distance", "sign"),
    }
    values: dict[str, Any] = {}
    for word in rest.split(","):
        key, _, value = word.partition("=")
        if key not in keys:
            takes = " ".join(keys) if keys else "no keys"
            raise _refusal(text, f"{name} has no key {key!r}; it takes {takes}", field)
        if key in values:
            raise _refusal(text, f"the key {key} is given twice", field)
        try:
            if not re.fullmatch("[0-9]+([.][0-9]+)?|[a-z-]+", value):
                raise ValueError
            values[key] = _KEYS[key](value)
        except KeyError:
            raise _refusal(text, f"{key}={value!r} is neither yes nor no", field) from None
        except ValueError:
            raise _refusal(text, f"{key}={value!r} is not a number", field) from None
        if key in ("depth", "nodes", "simulations", "seconds", "table") and not values[key] > 0:
            raise _refusal(text, f"{key} must be above 0", field)
        if key in known and values[key] not in known[key]:
            names = " ".join(map(str, known[key]))
            raise _refusal(text, f"there is no {key} {value!r}; there are {names}", field)
    if "level" in values and (others := values.keys() & {*LIMITS, "method", "evaluation", "book"}):
        raise _refusal(text, f"a level takes no {min(others)}: it has its own", field)
    return values


def _chooser(
    name: str, values: Mapping[str, Any]
) -> Callable[[Position, int | None, Limit], SearchResult]:
    """Return what finds the move of an opponent, given a position, a seed for it, and the limit
    for one that has none of its own."""
    own = Limit(**{key: values.get(key) for key in (*LIMITS, "simulations")})

    def evaluation(position: Position) -> Any:
        if "evaluation" not in values:
            return default_evaluation(position)
        try:
            return evaluation_named(values["evaluation"], position)
        except NotationError as error:
            raise OpponentFailed(error.reason) from None

    def at_random(position: Position, seed: int | None, _: Limit) -> SearchResult:
        move = random.Random(seed).choice(position.legal_moves())
        return SearchResult(move, 0.0, False, True, 0, 1, 0.0, position, pv=(move,))

    def to_a_depth(search: Any, position: Position, limit: Limit) -> SearchResult:
        if limit.depth is not None or (limit == NO_LIMIT and is_small(position)):
            return search(position, limit)  # type: ignore[no-any-return]
        bound = Limit(nodes=DEFAULT_NODES) if limit == NO_LIMIT else limit
        *_, last = deepen(search, position, bound)
        return last

    def by_minimax(position: Position, seed: int | None, limit: Limit) -> SearchResult:
        return to_a_depth(partial(minimax, seed=seed), position, limit)

    def by_alphabeta(position: Position, seed: int | None, limit: Limit) -> SearchResult:
        search = partial(alphabeta, seed=seed, evaluate=evaluation(position))
        return to_a_depth(search, position, limit)

    def by_hminimax(position: Position, seed: int | None, limit: Limit) -> SearchResult:
        search = partial(hminimax, seed=seed, evaluate=evaluation(position))
        return to_a_depth(search, position, limit)

    def by_negamax(position: Position, seed: int | None, limit: Limit) -> SearchResult:
        large = limit == NO_LIMIT and not is_small(position)
        bound = Limit(nodes=DEFAULT_NODES) if large else limit
        return negamax(position, bound, seed=seed, evaluate=evaluation(position))

    def by_mcts(position: Position, seed: int | None, limit: Limit) -> SearchResult:
        bound = Limit(simulations=1000) if limit == NO_LIMIT else limit
        return mcts(position, bound, seed=seed, exploration=values.get("exploration", 1.0))

    engines: dict[str, Engine] = {}

    def engine_for(position: Position, seed: int | None) -> Engine:
        rules_id = position.rules_id
        if rules_id not in engines:
            try:
                engines[rules_id] = Engine(rules_id, seed=seed or 0, **engine_options(values))
            except ValueError as error:
                raise OpponentFailed(str(error)) from None
        return engines[rules_id]

    def natively(position: Position, seed: int | None, limit: Limit) -> SearchResult:
        engine = engine_for(position, seed)
        if "level" in values:
            return levels.choose(engine, position, values["level"], seed or 0)
        bound = levels.FULL_STRENGTH if limit == NO_LIMIT else limit
        return engine.best_move(position, bound, method=values.get("method"))

    table: dict[Any, Any] = {}

    def perfectly(position: Position, seed: int | None, limit: Limit) -> SearchResult:
        seconds = limit.seconds or PERFECT_SECONDS
        bound = Limit(seconds=seconds)
        if is_native(position):
            result = engine_for(position, seed).best_move(position, bound)
        else:
            result = negamax(position, bound, table=table, seed=seed)
        if not result.exact:
            raise OpponentFailed(
                f"perfect does not solve {position} within {seconds:g} seconds; "
                "give it more with perfect:seconds=…, or choose another opponent"
            )
        return result

    choose: Callable[[Position, int | None, Limit], SearchResult] = {
        "random": at_random,
        "minimax": by_minimax,
        "alphabeta": by_alphabeta,
        "hminimax": by_hminimax,
        "negamax": by_negamax,
        "mcts": by_mcts,
        "engine": natively,
        "perfect": perfectly,
    }[name]
    if own == NO_LIMIT:
        return choose
    return lambda position, seed, _: choose(position, seed, own)


def is_small(position: Position) -> bool:
    """Whether the rest of the game is searched to its end in about a second."""
    return isinstance(position, GivenTree) or (
        isinstance(position, RowPosition)
        and not position.rules.gravity
        and position.rules.size - position.ply <= 9
    )
