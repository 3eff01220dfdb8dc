"""The textbook searches by name, such as `alphabeta:depth=4,score=sign`.

    NAME:KEY=VALUE,KEY=VALUE ──parse_search()──► TextbookSearch: search, limit, options

They are the searches that are traced, drawn, replayed and stepped through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, get_args

from noughts.games.given_tree import GivenTree, opposite, utility
from noughts.games.position import NotationError, Player, Position
from noughts.games.row import RowPosition
from noughts.search.evaluation import EVALUATIONS, default_evaluation, evaluations_for
from noughts.search.mcts import mcts
from noughts.search.minimax import alphabeta, hminimax, minimax
from noughts.search.negamax import TableScore, negamax
from noughts.search.options import check_name, parse_values
from noughts.search.own_evaluation import is_own, own_evaluation
from noughts.search.result import LARGEST_LIMITS, Evaluation, Limit, Score, SearchResult
from noughts.search.walk import check_ten

LIMITS = tuple(LARGEST_LIMITS)
"""The keys that bound a search, as in `Limit`."""
DEFAULT_DEPTH = 3
"""In a large game, the largest depth of a search without a limit."""
DEFAULT_NODES = 10_000
"""That depth is smaller where the full tree of moves would have more positions."""
DEFAULT_SIMULATIONS = 100
"""Default limit of MCTS, in any game."""


class TextbookSearch(NamedTuple):
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


def parse_search(text: str, position: Position, *, own_code: bool = False) -> TextbookSearch:
    """Return the textbook search that `text` names, such as `alphabeta:depth=4,score=sign`.

    Without a limit it gets the default one if the game at `position` is large. With `own_code`, the
    evaluation may be a function of a file, which then runs in this process.

    Raises:
        NotationError: no such search, key or value, or an evaluation of another game.
    """
    name, _, _ = text.partition(":")
    check_name(text, name, _SEARCHES, "SEARCH")
    search, own = _SEARCHES[name]
    keys = ("depth", "nodes", "seconds", *own, "seed")
    choices = {"evaluation": EVALUATIONS, "score": scores_of(name)}
    values = parse_values(text, keys, choices, "SEARCH", own_code=own_code)
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
    return TextbookSearch(text, search, limit, values)


def scores_of(name: str) -> tuple[str, ...]:
    """Return the values of the key `score` that a search takes."""
    return get_args(TableScore if name == "negamax" else Score)


def evaluation_named(name: str, position: Position) -> Evaluation:
    """Return the evaluation `name`, or the function of a file, for the game of a position.

    Raises:
        NotationError: it is for other games, or it is a function that cannot be loaded.
    """
    if is_own(name):
        return own_evaluation(name)
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
