"""The trace of a search: its steps as a sequence of events.

    record(alphabeta, position, limit, write=…)
        Start   enter · leaf · best · cut · leave …          minimax, alpha-beta, H-minimax, negamax
                select · expand · rollout · backpropagate …  MCTS
        End     the result, and the numbers of recorded and skipped nodes

`write` receives every event: `list.append` keeps them, `JsonLines` of `noughts.search.trace_file`
writes them to a file, and `grow` of `noughts.search.tree` makes a tree. All scores are for MAX, the
player to move at the root, on the scale of `noughts.search.result`. Nodes are numbered in the order
of entry, from 1 for the root.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, NamedTuple, Protocol, get_args

from noughts.games.position import Position
from noughts.search.result import Limit, Order, Score, SearchResult, value_of, win_score

Bound = Literal["exact", "lower", "upper", "none"]
"""How a node's score relates to its value for the depth of the search.

`exact`: equal; `lower`: the value is at least the score; `upper`: at most; `none`: neither is
known. A cutoff leaves a bound, as the moves that it skips could change the value.
"""
OPPOSITE: dict[Bound, Bound] = {
    "exact": "exact",
    "lower": "upper",
    "upper": "lower",
    "none": "none",
}
"""The bound of minus the score."""


class Scale(NamedTuple):
    """The scale of the scores of a trace."""

    score: Score | Literal["utility"]
    ply: int = 0
    """The ply of the root, from which distances count."""
    estimates: bool = False
    """Whether a score may be an estimate, so that 0 need not be a draw."""

    def text(self, score: float, bound: Bound = "exact") -> str:
        """Return a score as text: `W 5` from the root, `D`, `+0.42`; on other scales `1`, `0`.

        A bound has `≥` or `≤` before it; an unknown bound is `?`.

        >>> distance, sign = Scale("distance"), Scale("sign")
        >>> [distance.text(score) for score in (9995, 0, -9996, 0.5, float("inf"))]
        ['W 5', 'D', 'L 4', '+0.50', '∞']
        >>> [sign.text(score) for score in (1, 0, -1)]
        ['1', '0', '-1']
        >>> distance.text(9995, "lower"), sign.text(1, "upper"), sign.text(1, "none")
        ('≥ W 5', '≤ 1', '?')
        """
        if bound != "exact":
            return {"lower": f"≥ {self.text(score)}", "upper": f"≤ {self.text(score)}"}.get(
                bound, "?"
            )
        if abs(score) == inf:
            return "∞" if score > 0 else "-∞"
        if self.score == "utility":
            return f"{score:g}"
        if score == round(score) and (self.score != "distance" or (self.estimates and not score)):
            return f"{round(score)}"
        return str(value_of(score, self.ply, exact=not 0 < abs(score) < 1))

    def largest(self, plies: int) -> float:
        """Return the largest score of a node at `plies` below the root in an unfinished game.

        >>> [Scale(score, 3).largest(2) for score in ("distance", "sign", "ten")]
        [9994, 1, 8]
        """
        if self.score == "utility":
            return inf
        return win_score(self.score, self.ply, self.ply + plies + 1)


class Start(NamedTuple):
    """The first event: the search, its position, limit and options."""

    search: str
    position: Position
    limit: Limit
    options: dict[str, Any]

    @property
    def scale(self) -> Scale:
        """The scale of the scores."""
        score = self.options.get("score", "sign" if self.search == "mcts" else "distance")
        estimates = self.limit.depth is not None or self.search in ("negamax", "mcts")
        return Scale("utility" if callable(score) else score, self.position.ply, estimates)


class Deepen(NamedTuple):
    """Iterative deepening starts again at the root, to this depth."""

    depth: int


class Enter(NamedTuple):
    """The search enters a node; `parent` and `move` are `None` for the root."""

    node: int
    parent: int | None
    move: int | None
    position: Position
    alpha: float | None = None
    """The window of the search, if it has one: MAX is sure of alpha, MIN of beta."""
    beta: float | None = None


class Leaf(NamedTuple):
    """A node gets its score without a search of its moves.

    `reason`: `over` (the game is over), `depth` (an estimate at the cutoff depth), `table`.
    """

    node: int
    score: float
    reason: str
    bound: Bound = "exact"
    """Other than `exact` only with `table`."""


class Best(NamedTuple):
    """A move of a node is better than the moves before it; the window is the new one."""

    node: int
    move: int
    score: float
    alpha: float | None = None
    beta: float | None = None
    bound: Bound = "exact"
    """The bound of the move's score."""


class Cut(NamedTuple):
    """The search skips the other moves of a node.

    `reason`: `beta` (a MAX node has at least beta, the `edge` of its window), `alpha` (a MIN node
    has at most alpha), `win` (a win is proven).
    """

    node: int
    score: float
    reason: str
    edge: float | None
    moves: tuple[int, ...]


class Leave(NamedTuple):
    """A node returns its score to its parent.

    `left_out` counts the nodes below it that are not recorded.
    """

    node: int
    score: float
    move: int | None
    left_out: int = 0
    bound: Bound = "exact"


class Select(NamedTuple):
    """MCTS goes from a node to the child with the largest upper confidence bound.

    `bounds` holds the bounds of the children by number; a proven child has none.
    """

    node: int
    child: int
    bounds: dict[int, float]


class Expand(NamedTuple):
    """MCTS adds a node to its tree."""

    node: int
    parent: int | None
    move: int | None
    position: Position


class Rollout(NamedTuple):
    """MCTS plays at random from a node to the end of the game.

    `reward` is 1, ½ or 0 for the player who moved to the node. `moves` is empty if the result of
    the node is proven.
    """

    node: int
    moves: tuple[int, ...]
    reward: float


class Backpropagate(NamedTuple):
    """MCTS counts a simulation at a node: its new visits and total reward for the mover.

    `proven` is the reward if it is proven.
    """

    node: int
    visits: int
    reward: float
    proven: float | None


class End(NamedTuple):
    """The last event, with the numbers of recorded and skipped nodes."""

    result: SearchResult
    recorded: int
    left_out: int


Event = (
    Start
    | Deepen
    | Enter
    | Leaf
    | Best
    | Cut
    | Leave
    | Select
    | Expand
    | Rollout
    | Backpropagate
    | End
)
KINDS: dict[str, Any] = {kind.__name__.lower(): kind for kind in get_args(Event)}
"""The events by their names in JSON."""


def kind_of(event: Event) -> str:
    """Return the name of an event in JSON: `enter`, `leaf` and so on."""
    return type(event).__name__.lower()


def so_far(bound: Bound, maximizing: bool) -> Bound:
    """Return the bound of a node in progress, given that of its best move so far.

    Moves not yet searched can only raise the value of a MAX node, and lower that of a MIN node.

    >>> so_far("exact", maximizing=True), so_far("upper", maximizing=True)
    ('lower', 'none')
    """
    side: Bound = "lower" if maximizing else "upper"
    return side if bound in ("exact", side) else "none"


class Visited(Protocol):
    """The data of an MCTS node that a trace needs."""

    move: int | None
    position: Position
    visits: int
    reward: float
    proven: float | None


@dataclass(slots=True)
class _Open:
    """A node that the search has entered and not left."""

    node: int | None
    """Its number, or `None` if it is not recorded."""
    move: int | None
    position: Position
    maximizing: bool
    alpha: float | None
    beta: float | None
    untried: list[int] = field(default_factory=list)
    unsearched: int = 0
    score: float | None = None
    best: int | None = None
    left_out: int = 0
    reached: bool = False
    """Whether the player to move has a move that is proven to reach the score."""
    limited: bool = True
    """Whether no move searched so far can be better than the score."""

    def next_move(self, position: Position) -> int:
        """Return the untried move that leads to `position`, and mark it as tried."""
        key = position.key()
        for move in self.untried:
            if self.position.play(move).key() == key:
                self.untried.remove(move)
                return move
        raise AssertionError(f"no untried move leads from {self.position} to {position}")

    def improves(self, score: float, bound: Bound) -> bool:
        """Take the score of a child; return whether it is the best so far."""
        self.unsearched -= 1
        reached = so_far(bound, self.maximizing) != "none"
        self.limited &= so_far(bound, not self.maximizing) != "none"
        if self.score is not None and not (
            score > self.score if self.maximizing else score < self.score
        ):
            self.reached |= reached and score == self.score
            return False
        self.score, self.reached = score, reached
        if self.alpha is not None and self.maximizing:
            self.alpha = max(self.alpha, score)
        if self.beta is not None and not self.maximizing:
            self.beta = min(self.beta, score)
        return True

    def bound(self, score: float, largest: float) -> Bound:
        """Return the bound of the final score; `largest` is the highest score of any move."""
        limited = self.limited and not self.unsearched
        limited = limited or (score if self.maximizing else -score) >= largest
        bounds: tuple[Bound, Bound] = ("lower", "upper")
        at_least, at_most = bounds if self.maximizing else bounds[::-1]
        if self.reached:
            return "exact" if limited else at_least
        return at_most if limited else "none"

    def cut(self, score: float) -> Cut:
        """Return the event for the cutoff of the untried moves."""
        assert self.node is not None
        moves = tuple(self.untried)
        if self.maximizing and self.beta is not None and score >= self.beta:
            return Cut(self.node, score, "beta", self.beta, moves)
        if not self.maximizing and self.alpha is not None and score <= self.alpha:
            return Cut(self.node, score, "alpha", self.alpha, moves)
        return Cut(self.node, score, "win", None, moves)


class Trace:
    """Turns the reports of a search into events.

    A depth-first search reports each node that it enters, the moves there, and the score. The trace
    derives the move that led to a node, the best move so far, and the cutoffs.

    Args:
        write: receives every event.
        scale: of the scores.
        max_nodes: record at most this many nodes.
        max_depth: record nodes down to this depth.
    """

    def __init__(
        self,
        write: Callable[[Event], object],
        scale: Scale,
        max_nodes: int | None = None,
        max_depth: int | None = None,
    ) -> None:
        self.write = write
        self.scale = scale
        self.max_nodes = inf if max_nodes is None else max_nodes
        self.max_depth = inf if max_depth is None else max_depth
        self.entered = 0
        self.recorded = 0
        self._path: list[_Open] = []
        self._cutoffs = 0
        self._told: dict[object, tuple[int, float]] = {}
        """Number and depth of the recorded MCTS nodes."""

    def _number(self, depth: float) -> int | None:
        """Return the number of a new node, or `None` if it is not recorded."""
        self.entered += 1
        if self.recorded >= self.max_nodes or depth > self.max_depth:
            return None
        self.recorded += 1
        return self.entered

    # Depth-first searches

    def deepen(self, depth: int) -> None:
        """Start again at the root, to this depth."""
        self.write(Deepen(depth))

    def enter(
        self, position: Position, alpha: float | None = None, beta: float | None = None
    ) -> None:
        """Enter a child of the current node."""
        parent = self._path[-1] if self._path else None
        node = self._number(len(self._path))
        move = parent.next_move(position) if parent and parent.node is not None else None
        maximizing = not parent or position.turn is self._path[0].position.turn
        self._path.append(_Open(node, move, position, maximizing, alpha, beta))
        if node is not None:
            above = None if parent is None else parent.node
            self.write(Enter(node, above, move, position, alpha, beta))

    def noting(self, actions: Order) -> Order:
        """Return `actions`, wrapped to note the moves of the current node."""

        def noted(position: Position) -> Sequence[int]:
            moves = actions(position)
            if self._path:
                self._path[-1].untried = list(moves)
                self._path[-1].unsearched = len(moves)
            return moves

        return noted

    def leaf(self, score: float, reason: str, bound: Bound = "exact") -> None:
        """Leave a node whose moves are not searched."""
        node = self._path[-1].node
        if node is not None:
            self.write(Leaf(node, score, reason, bound))
        self._close(score, bound)

    def leave(self, score: float, cutoffs: int = 0) -> None:
        """Leave a node after its moves; if `cutoffs` has grown, there was a cutoff."""
        left = self._path[-1]
        bound = left.bound(score, self.scale.largest(len(self._path) - 1))
        if left.node is not None:
            if cutoffs > self._cutoffs:
                self.write(left.cut(score))
            self.write(Leave(left.node, score, left.best, left.left_out, bound))
        self._cutoffs = cutoffs
        self._close(score, bound)

    def _close(self, score: float, bound: Bound) -> None:
        closed = self._path.pop()
        if not self._path:
            return
        parent = self._path[-1]
        if closed.node is None:
            parent.left_out += 1 + closed.left_out
        if parent.improves(score, bound) and parent.node is not None:
            assert closed.move is not None
            parent.best = closed.move
            self.write(Best(parent.node, closed.move, score, parent.alpha, parent.beta, bound))

    def end(self, score: float | None, cutoffs: int) -> None:
        """Leave the root with its score, or all nodes of an interrupted search."""
        if self._path and score is not None:
            self.leave(score, cutoffs)
        self._path.clear()
        self._cutoffs = 0

    # Monte Carlo tree search

    def expand(self, parent: Visited | None, child: Visited) -> None:
        """Add a node to the tree, the root first."""
        above, depth = (None, -1) if parent is None else self._told.get(parent, (None, inf))
        node = self._number(depth + 1)
        if node is not None:
            self._told[child] = node, depth + 1
            self.write(Expand(node, above, child.move, child.position))

    def select(self, node: Visited, child: Visited, bounds: Mapping[Any, float]) -> None:
        """Go from a node to the child with the largest of the `bounds`."""
        told = self._told
        if child in told:
            numbers = {told[other][0]: bounds[other] for other in bounds if other in told}
            self.write(Select(told[node][0], told[child][0], numbers))

    def rollout(self, node: Visited, moves: Sequence[int], reward: float) -> None:
        """Play from a node to the end of the game."""
        if node in self._told:
            self.write(Rollout(self._told[node][0], tuple(moves), reward))

    def backpropagate(self, path: Sequence[Visited]) -> None:
        """Report the nodes of a simulation's path, from its end to the root."""
        for node in reversed(path):
            if node in self._told:
                number = self._told[node][0]
                self.write(Backpropagate(number, node.visits, node.reward, node.proven))


def record(
    search: Callable[..., SearchResult],
    position: Position,
    limit: Limit | None = None,
    *,
    write: Callable[[Event], object],
    max_nodes: int | None = None,
    max_depth: int | None = None,
    **options: Any,
) -> SearchResult:
    """Run a search of `noughts.search` and write its trace, from `Start` to `End`.

    Args:
        search: such as `alphabeta`.
        position: the root.
        limit: of the search; its default if left out.
        write: receives every event.
        max_nodes: record at most this many nodes; the search is unaffected.
        max_depth: record nodes down to this depth.
        options: of the search.

    >>> import noughts
    >>> from noughts.search import minimax
    >>> events = []
    >>> result = record(minimax, noughts.position("basic~XOX.XOO.1X1~O"), write=events.append)
    >>> " ".join(kind_of(event) for event in events)
    'start enter enter enter leaf best leave best enter enter leaf best leave leave end'
    """
    name = search.__name__
    limit = limit or inspect.signature(search).parameters["limit"].default
    start = Start(name, position, limit, options)
    trace = Trace(write, start.scale, max_nodes, max_depth)
    write(start)
    result = search(position, limit, trace=trace, **options)
    write(End(result, trace.recorded, trace.entered - trace.recorded))
    return result
