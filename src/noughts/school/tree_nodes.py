"""The nodes of a tree that a student's alpha-beta searches; they note each value that it reads.

"((3 12 8) (2 4 6))" ──nodes_of()──► Node ──alphabeta(node, depth)──► (value, move)
                                     └──► the nodes whose values were read, in order
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy

from noughts.games.given_tree import Tree, parse_tree


class Node:
    """A node of a tree.

    Args:
        tree: the tree below it.
        maximizing: whether MAX chooses a branch here.
        name: its place, such as `a2.b1`; empty for the root.
        seen: receives the name when the value is read.
    """

    def __init__(self, tree: Tree, maximizing: bool, name: str, seen: list[str]) -> None:
        self.maximizing = maximizing
        self.name = name
        self._seen = seen
        self.hidden_value = estimate(tree)
        letter = chr(ord("a") + (name.count(".") + 1 if name else 0))
        below = tree if isinstance(tree, tuple) else ()
        self.children = [
            Node(each, not maximizing, f"{name}{'.' if name else ''}{letter}{number}", seen)
            for number, each in enumerate(below, 1)
        ]

    @property
    def value(self) -> int:
        """The value of a leaf for MAX; of an inner node an estimate, for a limit of depth."""
        self._seen.append(self.name)
        return self.hidden_value

    def __repr__(self) -> str:
        return f"<node {self.name or 'root'}>"


def number_of(child: Node) -> int:
    """Return the number of a node among the children of its parent, counted from 0."""
    return int(child.name.rpartition(".")[2][1:]) - 1


def in_order(node: Node, first: Mapping[str, int], *, stays: bool) -> Node:
    """Return a copy of a tree with the children of each node in an order.

    Args:
        node: the root.
        first: for the name of a node its place in the order. Children without a place come last,
            or with `stays` remain where they are if the others are in order already.
    """
    copied = copy(node)
    children = node.children
    placed = [first[child.name] for child in children if child.name in first]
    if not stays or placed != sorted(placed):
        children = sorted(children, key=lambda child: first.get(child.name, math.inf))
    copied.children = [in_order(child, first, stays=stays) for child in children]
    return copied


def estimate(tree: Tree) -> int:
    """Return the value of a leaf, and of a tree the mean of its estimated branches.

    >>> estimate(((3, 12, 8), (2, 4, 6)))
    5
    """
    if isinstance(tree, int):
        return tree
    return sum(map(estimate, tree)) // len(tree)


def nodes_of(text: str, maximizing: bool) -> tuple[Node, list[str]]:
    """Return the root of a tree, and the list that gets the names of nodes whose values are read.

    Args:
        text: the tree, as for `games.given_tree`.
        maximizing: whether MAX chooses first.
    """
    seen: list[str] = []
    return Node(parse_tree(text), maximizing, "", seen), seen
