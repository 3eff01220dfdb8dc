"""Searches and their options as text, such as `alphabeta:depth=4,score=sign`.

    NAME:KEY=VALUE,KEY=VALUE ──parse_values()──► {KEY: VALUE}
    alphabeta:depth=4        ──parse_search()──► WatchedSearch: search, limit, options

`parse_values` also reads the opponents (`noughts.opponents`). `parse_search` reads the textbook
searches that are traced, drawn, replayed and stepped through.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, get_args

from noughts.games.given_tree import GivenTree, opposite, utility
from noughts.games.position import NotationError, Player, Position
from noughts.games.row import RowPosition
from noughts.search.evaluation import EVALUATIONS, default_evaluation, evaluations_for
from noughts.search.mcts import mcts
from noughts.search.minimax import alphabeta, hminimax, minimax
from noughts.search.negamax import TableScore, negamax
from noughts.search.result import LARGEST_LIMITS, Evaluation, Limit, Score, SearchResult
from noughts.search.walk import check_ten

LIMITS = tuple(LARGEST_LIMITS)
"""The keys that bound a search, as in `Limit`."""
DEFAULT_DEPTH = 3
DEFAULT_NODES = 10_000
"""Default limit of a search in a large game: this depth, or the largest one of fewer nodes."""
DEFAULT_SIMULATIONS = 100
"""Default limit of MCTS, in any game."""

_COUNT, _NUMBER, _WORD, _CHOICE = "a whole number", "a number", "a word", "yes or no"
_FILE = "a file or no"
_KEYS = {
    "depth": _COUNT,
    "nodes": _COUNT,
    "simulations": _COUNT,
    "seed": _COUNT,
    "seconds": _NUMBER,
    "exploration": _NUMBER,
    "evaluation": _WORD,
    "level": _COUNT,
    "sight": _COUNT,
    "slip": _NUMBER,
    "blur": _NUMBER,
    "method": _WORD,
    "table": _COUNT,
    "threads": _COUNT,
    "book": _CHOICE,
    "net": _FILE,
    "score": _WORD,
    "stop_at_win": _CHOICE,
    "strict": _CHOICE,
    "symmetry": _CHOICE,
}
_SHAPES: dict[str, tuple[str, Callable[[str], Any]]] = {
    _COUNT: ("[0-9]{1,300}", int),
    _NUMBER: ("[0-9]{1,300}([.][0-9]+)?", float),
    _WORD: ("[a-z_-]+", str),
    _CHOICE: ("yes|no", "yes".__eq__),
    _FILE: (".+", str),
}
_BOUNDS = {
    **LARGEST_LIMITS,
    "sight": LARGEST_LIMITS["depth"],
    "table": 1 << 16,
    "threads": 256,
}
"""Keys whose values must be above 0, and the largest value of each."""


class WatchedSearch(NamedTuple):
    """A textbook search with its limit and options."""

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
"""The textbook searches, and the keys of each beside the limits and the seed."""
SEARCHES = tuple(_SEARCHES)


def parse_search(text: str, position: Position) -> WatchedSearch:
    """Return the textbook search that `text` names, such as `alphabeta:depth=4,score=sign`.

    Without a limit it gets the default one if the game at `position` is large.

    Raises:
        NotationError: no such search, key or value, or an evaluation of another game.
    """
    name, _, _ = text.partition(":")
    check_name(text, name, _SEARCHES, "SEARCH")
    search, own = _SEARCHES[name]
    keys = ("depth", "nodes", "seconds", *own, "seed")
    choices = {"evaluation": EVALUATIONS, "score": scores_of(name)}
    values = parse_values(text, keys, choices, "SEARCH")
    limits = {key: values.pop(key) for key in LIMITS if key in values}
    limit = Limit(**limits)
    if not limits and name == "mcts":
        limit = Limit(simulations=DEFAULT_SIMULATIONS)
    elif not limits and not is_small(position):
        branching = len(position.legal_moves())
        fitting = (d for d in range(DEFAULT_DEPTH, 1, -1) if branching**d <= DEFAULT_NODES)
        limit = Limit(depth=next(fitting, 1))
    if values.get("score") == "ten":
        try:
            check_ten(position, limit)
        except ValueError as error:
            raise NotationError(text, "SEARCH", str(error)) from None
    if name == "mcts":
        values.setdefault("seed", 0)
    if "evaluation" in values:
        values["evaluate"] = evaluation_named(values.pop("evaluation"), position)
    elif name == "alphabeta" and limit.depth is not None:
        values["evaluate"] = default_evaluation(position)
    if isinstance(position, GivenTree):
        if name not in ("minimax", "alphabeta", "hminimax"):
            reason = f"{name} searches for wins, and a tree with given values has none"
            raise NotationError(text, "SEARCH", reason)
        if "score" in values or "stop_at_win" in values:
            reason = "a tree with given values takes no score or stop_at_win: nobody wins it"
            raise NotationError(text, "SEARCH", reason)
        values["score"] = utility if position.turn is Player.X else opposite
    return WatchedSearch(text, search, limit, values)


def scores_of(name: str) -> tuple[str, ...]:
    """Return the values of the key `score` that a search takes."""
    return get_args(TableScore if name == "negamax" else Score)


def evaluation_named(name: str, position: Position) -> Evaluation:
    """Return the evaluation `name` for the game of a position.

    Raises:
        NotationError: it is for other games.
    """
    fitting = evaluations_for(position)
    if name not in fitting:
        reason = f"{name} is not for {position.rules_id}. Choose one of: {' '.join(fitting)}"
        raise NotationError(f"evaluation={name}", "OPPONENT", reason)
    return fitting[name]


def is_small(position: Position) -> bool:
    """Whether the rest of the game can be searched to its end in about a second."""
    return isinstance(position, GivenTree) or (
        isinstance(position, RowPosition)
        and not position.rules.gravity
        and position.rules.size - position.ply <= 9
    )


def check_name(text: str, name: str, known: Collection[str], field: str) -> None:
    """Check that `name`, the first word of `text`, is one of `known`.

    Raises:
        NotationError: it is not; the reason names a near miss.
    """
    if name not in known:
        raise NotationError(text, field, _unknown(field.lower(), name, known))


def parse_values(
    text: str, keys: Collection[str], choices: Mapping[str, Collection[Any]], field: str
) -> dict[str, Any]:
    """Return the values that `text` gives after its name and a colon.

    Args:
        text: such as `alphabeta:depth=6`.
        keys: the keys that the name takes.
        choices: the values that a key takes, where they are listed.
        field: of the errors.

    Raises:
        NotationError: an unknown key, a key given twice, or a wrong value.
    """
    name, colon, rest = text.partition(":")
    values: dict[str, Any] = {}
    if colon and not rest:
        raise NotationError(text, field, "nothing follows the colon")
    for word in rest.split(",") if rest else ():
        key, _, value = word.partition("=")
        if key not in keys:
            raise NotationError(text, field, _unknown("key", key, keys, f" of {name}"))
        if key in values:
            raise NotationError(text, field, f"{key} is given twice")
        values[key] = _value(text, key, value, field)
        if key in choices and values[key] not in choices[key]:
            raise NotationError(text, field, _unknown(key, value, choices[key]))
    return values


def _value(text: str, key: str, value: str, field: str) -> Any:
    shape, read = _SHAPES[_KEYS[key]]
    if not re.fullmatch(shape, value):
        raise NotationError(text, field, f"{key} must be {_KEYS[key]}, not {value!r}")
    found = read(value)
    if key in _BOUNDS and not found > 0:
        raise NotationError(text, field, f"{key} must be above 0")
    if key in _BOUNDS and found > _BOUNDS[key]:
        raise NotationError(text, field, f"{key} must be at most {_BOUNDS[key]:,}")
    return found


def _unknown(kind: str, word: str, known: Collection[Any], where: str = "") -> str:
    words = list(map(str, known))
    near = difflib.get_close_matches(word, [each for each in words if not each.isdigit()], 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    choices = " ".join(words) or "none"
    return f"there is no {kind} {word!r}{where}.{hint} Choose one of: {choices}"
