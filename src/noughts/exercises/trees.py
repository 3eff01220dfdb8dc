"""Exercises on trees: minimax, alpha-beta, the order of moves, the number of nodes.

tree or position ──minimax, alphabeta──► traces ──► answers, sentences, points

Inner nodes are A, B, C … from the top, leaves a, b, c … from the left. All values are for MAX.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

from noughts.exercises.exercise import PRUNED, ExerciseEntry, FigureNode, plain_number, written
from noughts.exercises.grading import exercise_of
from noughts.exercises.material import Made, Wish, near_end, random_tree, start_of
from noughts.explain.sentences import listed
from noughts.games.given_tree import GivenTree, Tree, utility
from noughts.games.position import Position, canonical_key
from noughts.games.words import count
from noughts.search import alphabeta, in_order, minimax
from noughts.search.tree import Tree as SearchTree
from noughts.search.tree import TreeNode, trace_tree

Path = tuple[int, ...]
"""The moves from the root to a node."""

GAME_NODES = (8, 22)
"""Fewest and most nodes of the tree of a position."""
ORDERS = 4
"""Orders to choose from."""
MAX_ORDERED = 4
"""Most branches of a root whose orders are all tried."""

SEARCHED_FROM_LEFT = "Branches are searched from left to right."
WINDOW = (
    "The search enters A with alpha = −∞ and beta = ∞.",
    "A node is cut off as soon as alpha ≥ beta: the search skips its other branches.",
)
FAIL_SOFT = "A node that is cut off returns the best value found so far (fail-soft)."


def letters(number: int, first: str) -> str:
    """Return the name of a node by its number: `A`, `B`, … `Z`, `AA`.

    >>> letters(0, "A"), letters(25, "a"), letters(26, "A")
    ('A', 'z', 'AA')
    """
    turn, place = divmod(number, 26)
    return (letters(turn - 1, first) if turn else "") + chr(ord(first) + place)


class Named:
    """The trees of minimax and alpha-beta from one root, with names of the nodes."""

    def __init__(self, root: Position) -> None:
        self.root = root
        self.is_given = isinstance(root, GivenTree)
        self.options: dict[str, Any] = {"score": utility if self.is_given else "sign"}
        self.whole = trace_tree(minimax, root, **self.options)
        self.cut = trace_tree(alphabeta, root, **self.options)
        self.nodes = by_path(self.whole)
        self.entered = by_path(self.cut)
        by_depth = sorted(self.nodes, key=len)
        inner = [path for path in by_depth if self.nodes[path].children]
        leaves = [path for path in self.nodes if not self.nodes[path].children]
        self.names = {path: letters(number, "A") for number, path in enumerate(inner)}
        self.names |= {path: letters(number, "a") for number, path in enumerate(leaves)}
        self.inner, self.leaves = inner, leaves

    def role(self, path: Path) -> str:
        return "MIN" if len(path) % 2 else "MAX"

    def value(self, path: Path) -> float:
        """Return the minimax value of a node."""
        found = self.nodes[path].score
        assert found is not None
        return found

    def below(self, path: Path) -> list[Path]:
        """Return the children of a node."""
        return [
            (*path, child.move) for child in self.nodes[path].children if child.move is not None
        ]

    def searched(self, path: Path) -> list[Path]:
        """Return the children of a node that alpha-beta enters."""
        return [child for child in self.below(path) if child in self.entered]

    def returned(self, path: Path) -> float:
        """Return the value that alpha-beta returns from a node that it enters."""
        found = self.entered[path].score
        assert found is not None
        return found

    def cut_above(self, path: Path) -> Path:
        """Return the node whose cutoff prunes a node."""
        while path not in self.entered:
            path = path[:-1]
        return path

    def why_pruned(self, path: Path) -> str:
        """Return the reason why alpha-beta does not enter a node, as a sentence."""
        above = self.cut_above(path)
        return f"The search does not enter {self.named(path)}: {self.why_cut(above)}"

    def named(self, path: Path) -> str:
        """Return the name of a node for use in a sentence: `A`, or `leaf a`."""
        return f"{'' if self.nodes[path].children else 'leaf '}{self.names[path]}"

    def why_cut(self, path: Path) -> str:
        """Return the reason of a cutoff as a sentence."""
        cut = self.entered[path].cut
        assert cut is not None
        assert cut.edge is not None
        last = self.named(self.searched(path)[-1])
        relation = f"at least beta, {said(cut.edge)}"
        if cut.reason == "alpha":
            relation = f"at most alpha, {said(cut.edge)}"
        return (
            f"{self.names[path]} is cut off after {last}, where its value, {said(cut.score)}, "
            f"is {relation}."
        )

    def is_cut(self, path: Path) -> bool:
        """Whether alpha-beta skips branches of a node that it enters."""
        cut = self.entered[path].cut
        return cut is not None and bool(cut.moves)

    def figure(self, *, solved: bool, marked: bool = False) -> tuple[FigureNode, ...]:
        """Return the nodes to draw.

        Args:
            solved: whether the key shows minimax values; otherwise those of alpha-beta.
            marked: whether the key marks pruned nodes.
        """
        found = []
        for path, node in self.nodes.items():
            is_leaf = not node.children
            value = said(self.value(path))
            key = value if solved or is_leaf else ""
            if marked and not is_leaf and path in self.entered:
                key = said(self.returned(path))
            found.append(
                FigureNode(
                    name=self.names[path],
                    parent=self.names[path[:-1]] if path else None,
                    move="" if self.is_given or not path else self._move(path),
                    role="" if is_leaf else self.role(path),
                    given=(value,) if is_leaf else (),
                    solved=(key,) if key else (),
                    position="" if self.is_given else str(node.position),
                    pruned=marked and path not in self.entered,
                )
            )
        return tuple(found)

    def _move(self, path: Path) -> str:
        return self.nodes[path[:-1]].position.move_text(path[-1])

    @property
    def sides(self) -> str:
        """A sentence on MAX and the values in a game; empty for a tree with given values."""
        if self.is_given:
            return ""
        mover = self.root.turn
        return f" {mover} is to move at A and is MAX. A win for {mover} is 1, a draw 0, a loss −1."

    @property
    def key(self) -> Hashable:
        """A key that trees share if their leaf values differ by a constant only."""
        if not isinstance(self.root, GivenTree):
            return canonical_key(self.root)
        least = min(self.value(path) for path in self.leaves)
        return shifted(self.root.tree, round(least))


def by_path(tree: SearchTree) -> dict[Path, TreeNode]:
    """Return the nodes of a tree by their paths, in the order of the search."""
    found: dict[Path, TreeNode] = {}
    waiting: list[tuple[Path, TreeNode]] = [((), tree.root)]
    while waiting:
        path, node = waiting.pop()
        found[path] = node
        waiting += [
            ((*path, child.move), child)
            for child in reversed(node.children)
            if child.move is not None
        ]
    return found


def shifted(tree: Tree, by: int) -> Tree:
    """Return a tree with `by` subtracted from every leaf value.

    >>> shifted(((3, 5), 4), 3)
    ((0, 2), 1)
    """
    return tree - by if isinstance(tree, int) else tuple(shifted(branch, by) for branch in tree)


def unordered(tree: Tree) -> Hashable:
    """Return a key that trees share if they differ in the order of branches only.

    >>> unordered(((3, 5), 4)) == unordered((4, (5, 3)))
    True
    """
    if isinstance(tree, int):
        return tree
    return tuple(sorted((unordered(branch) for branch in tree), key=repr))


def said(score: float) -> str:
    return written(plain_number(score))


def root_of(wish: Wish, rng: random.Random, *, uneven: bool = False) -> Position | None:
    """Return the root of a tree: a random one, or a position of the game."""
    if wish.game is None:
        return random_tree(wish, rng, uneven=uneven)
    return near_end(start_of(wish), rng, *GAME_NODES)


def without(answer: str, mistakes: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the sentences by wrong answer; of two on the same answer, the first."""
    found: dict[str, str] = {}
    for wrong, sentence in mistakes:
        if wrong != answer:
            found.setdefault(wrong, sentence)
    return found


def extremes(named: Named, path: Path, values: Sequence[float]) -> Iterator[tuple[str, str]]:
    """Yield the mistakes of a node that takes the wrong one of the values of its branches."""
    name, role = named.names[path], named.role(path)
    right, wrong = ("largest", "smallest") if role == "MAX" else ("smallest", "largest")
    end = min(values) if role == "MAX" else max(values)
    numbers = listed([said(value) for value in values])
    yield (
        plain_number(end),
        f"{said(end)} is the {wrong} of {numbers}, but {name} is a {role} node: it takes the "
        f"{right}.",
    )
    for value in values:
        yield (
            plain_number(value),
            f"{said(value)} is the value of one branch, but not the {right} of {numbers}.",
        )


# The kinds


def make_minimax(wish: Wish, rng: random.Random) -> Made | None:
    """Return an exercise: the minimax value of every node, and the choice of MAX."""
    root = root_of(wish, rng)
    if root is None:
        return None
    named = Named(root)
    children = named.below(())
    best = [path for path in children if named.value(path) == named.value(())]
    if len(best) > 1 or len(children) < 2:
        return None
    entries = [_value_entry(named, path) for path in sorted(named.inner, key=len, reverse=True)]
    names = [named.names[path] for path in children]
    right, value = named.names[best[0]], said(named.value(()))
    entries.append(
        ExerciseEntry(
            name="choice",
            label="MAX chooses at A",
            answer=right,
            why=f"{right} has the value {value}, the largest of the branches of A.",
            clue="MAX chooses the branch with the largest value.",
            kind="choice",
            choices=tuple(names),
            mistakes=without(
                right,
                (
                    (
                        named.names[path],
                        f"{named.names[path]} has the value {said(named.value(path))}; another "
                        "branch has more.",
                    )
                    for path in children
                ),
            ),
        )
    )
    key = named.key
    if isinstance(root, GivenTree):
        key = unordered(shifted(root.tree, round(min(map(named.value, named.leaves)))))
    return Made(
        exercise_of(
            "minimax",
            "Minimax",
            "Write the minimax value into every empty node. Which branch does MAX choose at A?"
            + named.sides,
            (),
            named.figure(solved=True),
            entries,
            root,
            points=len(named.nodes) - 1,
        ),
        key,
    )


def _value_entry(named: Named, path: Path) -> ExerciseEntry:
    name, role = named.names[path], named.role(path)
    values = [named.value(child) for child in named.below(path)]
    best = "largest" if role == "MAX" else "smallest"
    answer = plain_number(named.value(path))
    numbers = listed([said(value) for value in values])
    of = f"the {best} of {numbers}" if len(values) > 1 else f"that of its only branch, {numbers}"
    why = f"{name} is a {role} node: its value is {of}."
    return ExerciseEntry(
        name=f"{name}.value",
        label=f"Value of {name}",
        answer=answer,
        why=why,
        otherwise=why,
        clue=f"{name} is a {role} node: its value is the {best} of its branches.",
        row=name,
        column="value",
        mistakes=without(answer, extremes(named, path, values)),
    )


def make_alphabeta(wish: Wish, rng: random.Random) -> Made | None:
    """Return an exercise: the windows and values of alpha-beta, and the pruned leaves."""
    root = root_of(wish, rng)
    if root is None:
        return None
    named = Named(root)
    pruned = [path for path in named.leaves if path not in named.entered]
    if not pruned:
        return None
    entries = [*_windows(named, ()), _pruned_entry(named)]
    cuts = [path for path in named.entered if named.is_cut(path)]
    deep = [path for path in cuts if _setter(named, path, _edge(named, path)) != path[:-1]]
    return Made(
        exercise_of(
            "alphabeta",
            "Alpha-beta",
            "Search the tree with alpha-beta. Write alpha and beta at entry of every node, and the "
            "value that it returns; write – for a node that the search does not enter. "
            "Which leaves are pruned?" + named.sides,
            (SEARCHED_FROM_LEFT, *WINDOW, FAIL_SOFT),
            named.figure(solved=False, marked=True),
            entries,
            root,
            points=len(named.entered) + 2 * len(cuts) + 4 * len(deep),
        ),
        named.key,
    )


def _edge(named: Named, path: Path) -> str:
    cut = named.entered[path].cut
    assert cut is not None
    return cut.reason


def _setter(named: Named, path: Path, bound: str) -> Path | None:
    """Return the node above that gave a node its alpha or beta, or `None` for the first window."""
    for length in range(len(path) - 1, -1, -1):
        above = named.entered[path[:length]]
        if getattr(above, bound) != getattr(named.entered[path[: length + 1]], bound):
            return path[:length]
    return None


def _windows(named: Named, path: Path) -> Iterator[ExerciseEntry]:
    """Yield the entries of a node and the nodes below, in the order of the search."""
    if path not in named.nodes or not named.nodes[path].children:
        return
    if path:
        yield _bound_entry(named, path, "alpha")
        yield _bound_entry(named, path, "beta")
    for child in named.below(path):
        yield from _windows(named, child)
    yield _returned_entry(named, path)


def _not_entered(named: Named, path: Path, column: str, label: str) -> ExerciseEntry:
    name = named.names[path]
    return ExerciseEntry(
        name=f"{name}.{column}",
        label=label,
        answer=PRUNED,
        why=named.why_pruned(path),
        clue=f"Does the search enter {name}? Look for a cutoff above it, or write –.",
        row=name,
        column=column,
    )


def _bound_entry(named: Named, path: Path, bound: str) -> ExerciseEntry:
    name, label = named.names[path], f"{bound.capitalize()} at entry of {named.names[path]}"
    if path not in named.entered:
        return _not_entered(named, path, bound, label)
    player, most = ("MAX", "largest") if bound == "alpha" else ("MIN", "smallest")
    node = named.entered[path]
    values = {"alpha": node.alpha, "beta": node.beta}
    value = values.pop(bound)
    (other_bound, other) = values.popitem()
    assert value is not None
    assert other is not None
    setter = _setter(named, path, bound)
    if setter is None:
        why = f"No {player} node above {name} has a value yet, so {bound} is still {said(value)}."
    else:
        why = f"{bound.capitalize()} is {said(value)}: {player} is already sure of it at "
        why += f"{named.names[setter]}."
    answer = plain_number(value)
    return ExerciseEntry(
        name=f"{name}.{bound}",
        label=label,
        answer=answer,
        why=why,
        clue=f"{bound.capitalize()} is the {most} value that the {player} nodes above {name} have "
        f"so far; {'−∞' if bound == 'alpha' else '∞'} if they have none.",
        row=name,
        column=bound,
        mistakes=without(
            answer,
            [
                (PRUNED, f"The search enters {name}: no node above it is cut off before."),
                (plain_number(other), f"{said(other)} is {other_bound}, not {bound}."),
            ],
        ),
    )


def _returned_entry(named: Named, path: Path) -> ExerciseEntry:
    name, role = named.names[path], named.role(path)
    label = f"Value of {name}"
    if path not in named.entered:
        return _not_entered(named, path, "value", label)
    value = named.returned(path)
    answer = plain_number(value)
    values = [named.returned(child) for child in named.searched(path)]
    best = "largest" if role == "MAX" else "smallest"
    numbers = listed([said(each) for each in values])
    if named.is_cut(path):
        why = f"{named.why_cut(path)} It returns {said(value)}."
    elif len(values) > 1:
        why = f"{name} is a {role} node: it returns the {best} of {numbers}."
    else:
        why = f"{name} returns the value of its only branch, {numbers}."
    true_value = named.value(path)
    mistakes = [
        (PRUNED, f"The search enters {name}: no node above it is cut off before."),
        *([*extremes(named, path, values)] if len(values) > 1 else ()),
        (
            plain_number(true_value),
            f"{said(true_value)} is the minimax value of {name}, but alpha-beta skips branches "
            "below it and returns only a bound.",
        ),
    ]
    return ExerciseEntry(
        name=f"{name}.value",
        label=label,
        answer=answer,
        why=why,
        otherwise="" if named.is_cut(path) else why,
        clue=f"{name} is a {role} node: it returns the {best} value of the branches that are "
        "searched.",
        row=name,
        column="value",
        mistakes=without(answer, mistakes),
    )


def _pruned_entry(named: Named) -> ExerciseEntry:
    pruned = [path for path in named.leaves if path not in named.entered]
    cutting = [path for path in named.entered if named.is_cut(path)]
    return ExerciseEntry(
        name="pruned",
        label="Leaves that are pruned",
        answer=" ".join(named.names[path] for path in pruned),
        why=" ".join(map(named.why_cut, cutting)),
        clue="A leaf is pruned if a node above it is cut off before the search comes to the leaf.",
        kind="set",
        choices=tuple(named.names[path] for path in named.leaves),
        mistakes={
            named.names[path]: named.why_pruned(path)
            if path in pruned
            else f"Leaf {named.names[path]} is searched: no node above it is cut off before."
            for path in named.leaves
        },
    )


def make_order(wish: Wish, rng: random.Random) -> Made | None:
    """Return an exercise: the order of the root's branches that prunes most."""
    root = random_tree(wish, rng)
    named = Named(root)
    children = named.below(())
    if not 3 <= len(children) <= MAX_ORDERED:
        return None
    searched = {order: leaves_searched(root, order) for order in permutations(root.legal_moves())}
    drawn, least = searched[root.legal_moves()], min(searched.values())
    best = [order for order, leaves in searched.items() if leaves == least]
    worse = [order for order, leaves in searched.items() if leaves > least]
    if len(worse) < ORDERS - 1:
        return None
    offered = [rng.choice(best), *rng.sample(worse, ORDERS - 1)]
    rng.shuffle(offered)

    def text(order: Sequence[int]) -> str:
        return " ".join(named.names[(move,)] for move in order)

    right = next(text(order) for order in offered if order in best)
    everything = len(named.leaves)
    too_many = f"{everything} is the number of all leaves, which minimax searches."
    value = said(named.value(()))
    entries = [
        ExerciseEntry(
            name="drawn",
            label=f"Leaves searched in the order {text(root.legal_moves())}",
            answer=str(drawn),
            why=f"Alpha-beta searches {count(drawn, 'leaf', 'leaves')} of {everything}.",
            clue="Search the tree as it is drawn, and count the leaves that are not pruned.",
            mistakes=without(str(drawn), [(str(everything), too_many)]),
        ),
        ExerciseEntry(
            name="best",
            label="The order of A's branches with the fewest leaves searched",
            answer=right,
            why=f"In the order {right}, alpha-beta searches {count(least, 'leaf', 'leaves')}; each "
            f"of the other three orders takes more. The value of A is {value} in every order.",
            clue="A good branch first gives alpha a large value, which cuts off the later branches "
            "early.",
            kind="choice",
            choices=tuple(map(text, offered)),
            mistakes=without(
                right,
                (
                    (
                        text(order),
                        f"In the order {text(order)}, alpha-beta searches "
                        f"{count(searched[order], 'leaf', 'leaves')}. Another order takes fewer.",
                    )
                    for order in offered
                ),
            ),
        ),
        ExerciseEntry(
            name="fewest",
            label="Leaves searched in this order",
            answer=str(least),
            why=f"In the order {right}, alpha-beta searches {count(least, 'leaf', 'leaves')} of "
            f"{everything}.",
            clue="Draw the branches of A in this order, and search again from left to right.",
            mistakes=without(str(least), [(str(everything), too_many)]),
        ),
    ]
    return Made(
        exercise_of(
            "order",
            "Order of moves",
            "Alpha-beta may search the branches of A in another order. Which of these orders "
            "searches the fewest leaves?",
            (
                "Below A, branches are searched from left to right, as drawn.",
                *WINDOW,
            ),
            named.figure(solved=True),
            entries,
            root,
            points=drawn + least,
        ),
        named.key,
    )


def leaves_searched(root: GivenTree, order: Sequence[int]) -> int:
    """Return the number of leaves that alpha-beta searches with the root's moves in an order."""
    first = in_order(order)
    tree = trace_tree(
        alphabeta,
        root,
        score=utility,
        order=lambda node: node.legal_moves() if node.path else first(node),
    )
    return sum(1 for node in tree.root.walk() if node.reason)


def make_count(wish: Wish, rng: random.Random) -> Made | None:
    """Return an exercise: the number of nodes that minimax and alpha-beta enter."""
    root = root_of(wish, rng, uneven=True)
    if root is None:
        return None
    named = Named(root)
    whole, cut = len(named.nodes), len(named.entered)
    if whole == cut:
        return None
    leaves = sum(1 for path in named.leaves if path in named.entered)
    cuts = [path for path in named.entered if named.is_cut(path)]
    reasons = " ".join(map(named.why_cut, cuts))

    def entry(name: str, label: str, answer: int, why: str, clue: str) -> ExerciseEntry:
        all_leaves = f"{len(named.leaves)} is the number of leaves in the whole tree."
        known = [
            (whole - 1, "The root counts, too.") if name == "minimax" else (-1, ""),
            (cut - 1, "The root counts, too.") if name == "alphabeta" else (-1, ""),
            (whole, f"{whole} is the number of nodes that minimax enters."),
            (cut, f"{cut} is the number of nodes that alpha-beta enters, inner nodes included."),
            (len(named.leaves), all_leaves),
            (leaves, f"{leaves} is the number of leaves that alpha-beta enters."),
        ]
        return ExerciseEntry(
            name=name,
            label=label,
            answer=str(answer),
            why=why,
            clue=clue,
            mistakes=without(str(answer), ((str(n), says) for n, says in known if n > 0)),
        )

    entries = [
        entry(
            "minimax",
            "Nodes that minimax enters",
            whole,
            f"Minimax enters every node: {len(named.inner)} inner nodes and "
            f"{count(len(named.leaves), 'leaf', 'leaves')}.",
            "Minimax enters every node. Count inner nodes, leaves and the root.",
        ),
        entry(
            "alphabeta",
            "Nodes that alpha-beta enters",
            cut,
            f"{reasons} That leaves out {count(whole - cut, 'node')} of {whole}.",
            "Search with alpha and beta, and cross out pruned branches with everything below.",
        ),
        entry(
            "leaves",
            "Leaves that alpha-beta enters",
            leaves,
            f"Of the {cut} nodes that alpha-beta enters, {cut - leaves} are inner nodes.",
            "Count the leaves that are not crossed out.",
        ),
    ]
    return Made(
        exercise_of(
            "count",
            "Count the nodes",
            "How many nodes does each search enter?" + named.sides,
            ("The root counts as a node.", SEARCHED_FROM_LEFT, *WINDOW),
            named.figure(solved=False, marked=True),
            entries,
            root,
            points=cut + 2 * len(cuts),
        ),
        named.key,
    )
