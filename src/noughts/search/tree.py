"""The tree of a trace: its nodes, what they were worth, and what was cut off.

events ──grow()──► Tree   root: Node ── children: Node …
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from noughts.games.position import Player, Position
from noughts.search.result import Limit, SearchResult
from noughts.search.trace import (
    Backpropagate,
    Best,
    Cut,
    Deepen,
    End,
    Enter,
    Event,
    Expand,
    Leaf,
    Leave,
    Start,
    record,
)


@dataclass(slots=True, eq=False)
class Node:
    """A position that the search entered, as the trace left it."""

    number: int
    move: int | None
    """The move that led here; `None` at the root."""
    position: Position
    alpha: float | None = None
    """The window with which it was entered, where the search has one."""
    beta: float | None = None
    score: float | None = None
    """What it is worth to MAX; the best so far where the search was broken off."""
    reason: str | None = None
    """Why it was looked at no further: `over`, `depth` or `table`."""
    best: int | None = None
    """The move that leads to the score."""
    cut: Cut | None = None
    left_out: int = 0
    """Nodes below that the trace does not tell of."""
    visits: int = 0
    """Simulations of MCTS through the node, and what they brought the player who moved here."""
    reward: float = 0.0
    proven: float | None = None
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yield the node and all below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


@dataclass(slots=True, eq=False)
class Tree:
    """What a search searched; with iterative deepening in its last iteration."""

    start: Start
    root: Node
    depth: int | None = None
    """To which the iteration went."""
    result: SearchResult | None = None
    left_out: int = 0
    """Nodes of all iterations that the trace does not tell of."""

    @property
    def maximizer(self) -> Player:
        """MAX, the player to move at the root."""
        return self.start.position.turn

    @property
    def line(self) -> list[Node]:
        """The nodes of the principal variation, the root first, as far as the tree has them."""
        line = [self.root]
        for move in self.result.pv if self.result else ():
            below = [child for child in line[-1].children if child.move == move]
            if not below:
                break
            line.append(below[0])
        return line


class Grower:
    """Grows the tree of a trace, event by event; `tree` and `nodes` may be looked at after each."""

    def __init__(self) -> None:
        self.start: Start | None = None
        self.tree: Tree | None = None
        self.nodes: dict[int, Node] = {}
        """The nodes of the tree by number."""
        self._depth: int | None = None

    def __call__(self, event: Event) -> None:
        """Take one more event."""
        match event:
            case Start():
                self.start = event
            case Deepen(depth):
                self._depth = depth
            case Enter(number, parent, move, position, alpha, beta):
                self._add(Node(number, move, position, alpha, beta), parent)
            case Expand(number, parent, move, position):
                self._add(Node(number, move, position), parent)
            case Leaf(number, score, reason):
                node = self.nodes[number]
                node.score, node.reason = score, reason
            case Best(number, move, score):
                node = self.nodes[number]
                node.score, node.best = score, move
            case Cut(number):
                self.nodes[number].cut = event
            case Leave(number, score, move, left_out):
                node = self.nodes[number]
                node.score, node.best, node.left_out = score, move, left_out
            case Backpropagate(number, visits, reward, proven):
                node = self.nodes[number]
                node.visits, node.reward, node.proven = visits, reward, proven
            case End(result, _, left_out):
                assert self.tree is not None
                self.tree.result, self.tree.left_out = result, left_out

    def _add(self, node: Node, parent: int | None) -> None:
        if parent is None:
            assert self.start is not None
            self.nodes = {}
            self.tree = Tree(self.start, node, self._depth)
        else:
            self.nodes[parent].children.append(node)
        self.nodes[node.number] = node


def grow(events: Iterable[Event]) -> Tree:
    """Return the tree of a trace.

    >>> import noughts
    >>> from noughts.search import alphabeta
    >>> events = []
    >>> result = record(alphabeta, noughts.position("basic~XOX.XOO.1X1~O"), write=events.append)
    >>> [(node.number, str(node.position)) for node in grow(events).root.walk()][:2]
    [(1, 'basic~XOX.XOO.1X1~O'), (2, 'basic~XOX.XOO.OX1~X')]

    Raises:
        ValueError: there is no node in it.
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
    record(search, position, limit, write=grower, **options)
    assert grower.tree is not None
    return grower.tree
