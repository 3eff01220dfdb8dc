"""The tree of a trace: its nodes, their scores and the cutoffs.

events ──grow()──► Tree   root: TreeNode ── children: TreeNode …
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from noughts.games.position import Player, Position
from noughts.search import trace
from noughts.search.result import Limit, SearchResult


@dataclass(slots=True, eq=False)
class TreeNode:
    """A position that the search entered."""

    number: int
    move: int | None
    """The move that led here; `None` at the root."""
    position: Position
    alpha: float | None = None
    """The window at entry, alpha and beta, if the search has one."""
    beta: float | None = None
    score: float | None = None
    """Its score for MAX; the best so far if the search was interrupted."""
    bound: trace.Bound = "none"
    """How the score relates to the value of the node."""
    reason: str | None = None
    """Why its moves were not searched: `over`, `depth` or `table`."""
    best: int | None = None
    """The move that leads to the score."""
    cut: trace.Cut | None = None
    left_out: int = 0
    """Unrecorded nodes below."""
    visits: int = 0
    """Simulations of MCTS through the node; `reward` is their total, for the last mover."""
    reward: float = 0.0
    proven: float | None = None
    children: list[TreeNode] = field(default_factory=list)

    def walk(self) -> Iterator[TreeNode]:
        """Yield the node and its descendants, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


@dataclass(slots=True, eq=False)
class Tree:
    """The tree of a search; with iterative deepening, of its last iteration."""

    start: trace.Start
    root: TreeNode
    depth: int | None = None
    """The depth of the iteration."""
    result: SearchResult | None = None
    left_out: int = 0
    """Unrecorded nodes of all iterations."""

    @property
    def maximizer(self) -> Player:
        """MAX, the player to move at the root."""
        return self.start.position.turn

    @property
    def line(self) -> list[TreeNode]:
        """The nodes of the principal variation from the root, as far as they are recorded."""
        line = [self.root]
        for move in self.result.line if self.result else ():
            below = [child for child in line[-1].children if child.move == move]
            if not below:
                break
            line.append(below[0])
        return line


class Grower:
    """Grows the tree of a trace, event by event; `tree` and `nodes` are valid after each event."""

    def __init__(self) -> None:
        self.start: trace.Start | None = None
        self.tree: Tree | None = None
        self.nodes: dict[int, TreeNode] = {}
        """The nodes of the tree by number."""
        self._depth: int | None = None

    def __call__(self, event: trace.Event) -> None:
        """Take one more event."""
        match event:
            case trace.Start():
                self.start = event
            case trace.Deepen(depth):
                self._depth = depth
            case trace.Enter(number, parent, move, position, alpha, beta):
                self._add(TreeNode(number, move, position, alpha, beta), parent)
            case trace.Expand(number, parent, move, position):
                self._add(TreeNode(number, move, position), parent)
            case trace.Leaf(number, score, reason, bound):
                node = self.nodes[number]
                node.score, node.reason, node.bound = score, reason, bound
            case trace.Best(number, move, score, _, _, bound):
                node = self.nodes[number]
                node.score, node.best = score, move
                assert self.tree is not None
                node.bound = trace.so_far(bound, node.position.turn is self.tree.maximizer)
            case trace.Cut(number):
                self.nodes[number].cut = event
            case trace.Leave(number, score, move, left_out, bound):
                node = self.nodes[number]
                node.score, node.bound = score, bound
                node.best, node.left_out = move, left_out
            case trace.Backpropagate(number, visits, reward, proven):
                node = self.nodes[number]
                node.visits, node.reward, node.proven = visits, reward, proven
            case trace.End(result, _, left_out):
                assert self.tree is not None
                self.tree.result, self.tree.left_out = result, left_out

    def _add(self, node: TreeNode, parent: int | None) -> None:
        if parent is None:
            assert self.start is not None
            self.nodes = {}
            self.tree = Tree(self.start, node, self._depth)
        else:
            self.nodes[parent].children.append(node)
        self.nodes[node.number] = node


def grow(events: Iterable[trace.Event]) -> Tree:
    """Return the tree of a trace.

    >>> import noughts
    >>> from noughts.search import alphabeta
    >>> events, position = [], noughts.position("basic~XOX.XOO.1X1~O")
    >>> result = trace.record(alphabeta, position, write=events.append)
    >>> [(node.number, str(node.position)) for node in grow(events).root.walk()][:2]
    [(1, 'basic~XOX.XOO.1X1~O'), (2, 'basic~XOX.XOO.OX1~X')]

    Raises:
        ValueError: the trace has no node.
    """
    grower = Grower()
    for event in events:
        grower(event)
    if grower.tree is None:
        raise ValueError("a trace without a node has no tree")
    return grower.tree


def trace_tree(
    search: Callable[..., SearchResult],
    position: Position,
    limit: Limit | None = None,
    **options: Any,
) -> Tree:
    """Run a search and return its tree; the options are those of `record`."""
    grower = Grower()
    trace.record(search, position, limit, write=grower, **options)
    assert grower.tree is not None
    return grower.tree
