"""The trace of a search: what it did, one event after another, for whoever wants to watch.

    record(alphabeta, position, limit, write=…)
        Start   enter · leaf · best · cut · leave …          minimax, alpha-beta, H-minimax, negamax
                select · expand · rollout · backpropagate …  MCTS
        End     the result, and how many nodes are told of and how many are not

`write` gets every event as it happens: `list.append` keeps them, `JsonLines` of
`noughts.search.trace_file` writes them to a file, and `grow` of `noughts.search.tree` makes a tree
of them. All scores are MAX's, the player's to move at the root, on the
scale of `noughts.search.result`; nodes are numbered as they are entered, the root being 1.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, NamedTuple, Protocol

from noughts.games.position import Position
from noughts.search.result import Limit, Order, Score, SearchResult, value_of


class Scale(NamedTuple):
    """How the scores of a trace read."""

    score: Score | Literal["utility"]
    ply: int = 0
    """The ply of the root, from which distances count."""
    estimates: bool = False
    """Whether a score may be an estimate, so that 0 need not be a draw."""

    def text(self, score: float) -> str:
        """Return a score as people read it: `W 5` from the root, `D`, `+0.42`; by sign `1`, `0`.

        >>> distance, sign = Scale("distance"), Scale("sign")
        >>> [distance.text(score) for score in (9995, 0, -9996, 0.5, float("inf"))]
        ['W 5', 'D', 'L 4', '+0.50', '∞']
        >>> [sign.text(score) for score in (1, 0, -1)]
        ['1', '0', '-1']
        """
        if abs(score) == inf:
            return "∞" if score > 0 else "-∞"
        if self.score == "utility":
            return f"{score:g}"
        if score == round(score) and (self.score != "distance" or (self.estimates and not score)):
            return f"{round(score)}"
        return str(value_of(score, self.ply, exact=not 0 < abs(score) < 1))


class Start(NamedTuple):
    """The first event: what is searched, and how."""

    search: str
    position: Position
    limit: Limit
    options: dict[str, Any]

    @property
    def scale(self) -> Scale:
        """How its scores read."""
        score = self.options.get("score", "sign" if self.search == "mcts" else "distance")
        estimates = self.limit.depth is not None or self.search in ("negamax", "mcts")
        return Scale("utility" if callable(score) else score, self.position.ply, estimates)


class Deepen(NamedTuple):
    """Iterative deepening begins anew at the root, now to this depth."""

    depth: int


class Enter(NamedTuple):
    """The search enters a node; `parent` and `move` are `None` for the root."""

    node: int
    parent: int | None
    move: int | None
    position: Position
    alpha: float | None = None
    """What MAX is sure of, and beta what MIN is, where the search has a window."""
    beta: float | None = None


class Leaf(NamedTuple):
    """A node gets its score and is looked at no further.

    `reason`: `over` (so is the game), `depth` (an estimate at the cutoff depth), `table`.
    """

    node: int
    score: float
    reason: str


class Best(NamedTuple):
    """A move of a node is better than those before it; the window is the one it leaves."""

    node: int
    move: int
    score: float
    alpha: float | None = None
    beta: float | None = None


class Cut(NamedTuple):
    """The other moves of a node, if it has any, are not looked at.

    `reason`: `beta` (a MAX node has at least beta, the `bound`), `alpha` (a MIN node has at most
    alpha), `win` (a sure win is enough).
    """

    node: int
    score: float
    reason: str
    bound: float | None
    moves: tuple[int, ...]


class Leave(NamedTuple):
    """A node hands its score up to its parent.

    `left_out` counts the nodes below it that the trace does not tell of.
    """

    node: int
    score: float
    move: int | None
    left_out: int = 0


class Select(NamedTuple):
    """MCTS goes from a node to the child with the largest upper confidence bound.

    `bounds` are those of the children by number; a proven one has none.
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

    `reward` is 1, ½ or 0 for the player who moved to the node. There are no moves where the
    result at the node is proven.
    """

    node: int
    moves: tuple[int, ...]
    reward: float


class Backpropagate(NamedTuple):
    """MCTS counts a simulation at a node: its visits and rewards now, for who moved there.

    `proven` is the reward where it is certain.
    """

    node: int
    visits: int
    reward: float
    proven: float | None


class End(NamedTuple):
    """The last event. `recorded` nodes are told of; `left_out` were searched as well."""

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
KINDS: dict[str, Any] = {
    kind.__name__.lower(): kind
    for kind in (
        *(Start, Deepen, Enter, Leaf, Best, Cut, Leave),
        *(Select, Expand, Rollout, Backpropagate, End),
    )
}
"""The events by their names in JSON."""


def kind_of(event: Event) -> str:
    """Return the name of an event in JSON: `enter`, `leaf` and so on."""
    return type(event).__name__.lower()


class Visited(Protocol):
    """What a node of MCTS tells of itself."""

    move: int | None
    position: Position
    visits: int
    reward: float
    proven: float | None


@dataclass(slots=True)
class _Open:
    """A node that is entered and not yet left."""

    node: int | None
    """Its number, or `None` where the trace does not tell of it."""
    move: int | None
    position: Position
    maximizing: bool
    alpha: float | None
    beta: float | None
    untried: list[int] = field(default_factory=list)
    score: float | None = None
    best: int | None = None
    left_out: int = 0

    def next_move(self, position: Position) -> int:
        """Return the untried move that leads to `position`; it is now tried."""
        key = position.key()
        for move in self.untried:
            if self.position.play(move).key() == key:
                self.untried.remove(move)
                return move
        raise AssertionError(f"no untried move leads from {self.position} to {position}")

    def improves(self, score: float) -> bool:
        """Take the score of a child; return whether it is better than those before it."""
        if self.score is not None and not (
            score > self.score if self.maximizing else score < self.score
        ):
            return False
        self.score = score
        if self.alpha is not None and self.maximizing:
            self.alpha = max(self.alpha, score)
        if self.beta is not None and not self.maximizing:
            self.beta = min(self.beta, score)
        return True

    def cut(self, score: float) -> Cut:
        """Return why the moves that are left are not looked at."""
        assert self.node is not None
        moves = tuple(self.untried)
        if self.maximizing and self.beta is not None and score >= self.beta:
            return Cut(self.node, score, "beta", self.beta, moves)
        if not self.maximizing and self.alpha is not None and score <= self.alpha:
            return Cut(self.node, score, "alpha", self.alpha, moves)
        return Cut(self.node, score, "win", None, moves)


class Trace:
    """Turns what a search reports into events; it reports as little as can be.

    A depth-first search says where it enters a node, which moves it has there, and what came out.
    Which move led to a node, what is best so far, and which moves were cut off follows from that.

    Args:
        write: gets every event.
        most_nodes: tell of so many nodes only.
        most_depth: tell of nodes down to this depth only.
    """

    def __init__(
        self,
        write: Callable[[Event], object],
        most_nodes: int | None = None,
        most_depth: int | None = None,
    ) -> None:
        self.write = write
        self.most_nodes = inf if most_nodes is None else most_nodes
        self.most_depth = inf if most_depth is None else most_depth
        self.entered = 0
        self.recorded = 0
        self._path: list[_Open] = []
        self._cutoffs = 0
        self._told: dict[object, tuple[int, float]] = {}
        """Number and depth of the nodes of MCTS that are told of."""

    def _number(self, depth: float) -> int | None:
        """Return the number of a new node, or `None` if the trace does not tell of it."""
        self.entered += 1
        if self.recorded >= self.most_nodes or depth > self.most_depth:
            return None
        self.recorded += 1
        return self.entered

    # Depth-first searches

    def deepen(self, depth: int) -> None:
        """Begin anew at the root, now to this depth."""
        self.write(Deepen(depth))

    def enter(
        self, position: Position, alpha: float | None = None, beta: float | None = None
    ) -> None:
        """Enter a node below the one that was entered last and not left."""
        parent = self._path[-1] if self._path else None
        node = self._number(len(self._path))
        move = parent.next_move(position) if parent and parent.node is not None else None
        maximizing = not parent or position.turn is self._path[0].position.turn
        self._path.append(_Open(node, move, position, maximizing, alpha, beta))
        if node is not None:
            above = None if parent is None else parent.node
            self.write(Enter(node, above, move, position, alpha, beta))

    def noting(self, actions: Order) -> Order:
        """Return `actions`, which now tell the moves of the node that was entered last."""

        def noted(position: Position) -> Sequence[int]:
            moves = actions(position)
            if self._path:
                self._path[-1].untried = list(moves)
            return moves

        return noted

    def leaf(self, score: float, reason: str) -> None:
        """Leave a node that is looked at no further."""
        node = self._path[-1].node
        if node is not None:
            self.write(Leaf(node, score, reason))
        self._close(score)

    def leave(self, score: float, cutoffs: int = 0) -> None:
        """Leave a node after its moves; with one of the search's `cutoffs` if they have grown."""
        left = self._path[-1]
        if left.node is not None:
            if cutoffs > self._cutoffs:
                self.write(left.cut(score))
            self.write(Leave(left.node, score, left.best, left.left_out))
        self._cutoffs = cutoffs
        self._close(score)

    def _close(self, score: float) -> None:
        closed = self._path.pop()
        if not self._path:
            return
        parent = self._path[-1]
        if closed.node is None:
            parent.left_out += 1 + closed.left_out
        if parent.node is not None and parent.improves(score):
            assert closed.move is not None
            parent.best = closed.move
            self.write(Best(parent.node, closed.move, score, parent.alpha, parent.beta))

    def end(self, score: float | None, cutoffs: int) -> None:
        """Leave the root with its score, or all nodes where the search was broken off."""
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
        """Go from a node to a child, which has the largest of the `bounds`."""
        told = self._told
        if child in told:
            numbers = {told[other][0]: bounds[other] for other in bounds if other in told}
            self.write(Select(told[node][0], told[child][0], numbers))

    def rollout(self, node: Visited, moves: Sequence[int], reward: float) -> None:
        """Play from a node to the end of the game."""
        if node in self._told:
            self.write(Rollout(self._told[node][0], tuple(moves), reward))

    def backpropagate(self, path: Sequence[Visited]) -> None:
        """Tell what a simulation left in the nodes of its path, from its end to the root."""
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
    most_nodes: int | None = None,
    most_depth: int | None = None,
    **options: Any,
) -> SearchResult:
    """Run a search of `noughts.search` and write its trace, from `Start` to `End`.

    Args:
        search: such as `alphabeta`.
        position: the root.
        limit: of the search, its own default if left out.
        write: gets every event.
        most_nodes: tell of so many nodes only; the search goes on.
        most_depth: tell of nodes down to this depth only.
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
    trace = Trace(write, most_nodes, most_depth)
    write(Start(name, position, limit, options))
    result = search(position, limit, trace=trace, **options)
    write(End(result, trace.recorded, trace.entered - trace.recorded))
    return result
