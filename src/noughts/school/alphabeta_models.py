"""Models of a student's alpha-beta: the variants of the textbook's, and those with one mistake.

Search(…one mistake…).run(tree) ──same answers as the student's on all trees──► Mistake
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from math import inf
from typing import Any, NamedTuple

from noughts.school.tree_nodes import Node, number_of


class Found(NamedTuple):
    """The answer of a search on a tree."""

    value: float | None
    move: int | None
    read: tuple[str, ...]
    """The names of the nodes whose values were read at the horizon, each once."""


class Search(NamedTuple):
    """A model of alpha-beta with at most one mistake; pairs are for MAX and for MIN nodes."""

    cuts: tuple[bool, bool] = (True, True)
    """Whether MAX and MIN nodes cut."""
    at_equality: tuple[bool, bool] = (True, True)
    wrong_side: tuple[bool, bool] = (False, False)
    """Whether MAX and MIN nodes compare with the other bound."""
    side_bound: str = "now"
    """The value of this other bound: `now`, at the `entry` of the node, or `after` an update."""
    tests_window: bool = False
    """Whether the test is alpha ≥ beta, which differs if a window is wrong."""
    tests: str = "always"
    """After which values a node tests for a cut: `always`, or only a `better` one, or only one that
    has `raised` its bound. The last two differ if a window is wrong."""
    start: tuple[float, float] = (-inf, inf)
    is_hard: tuple[bool, bool] = (False, False)
    """Whether values beyond a node's own bound, and beyond the other one, are replaced by it."""
    hands_on: str = "window"
    """The window of a child: `window`, `half` (one bound of the node) or `exchanged`; or `shared`,
    if all nodes have one window."""
    step: tuple[int, int] = (1, 1)
    """Depth that a ply of MAX and of MIN takes away."""
    first_step: int | None = None
    """Depth that the first ply takes away, if the root has a separate loop."""
    branch_step: int = 0
    """Depth that each branch takes away from the next ones."""
    horizon: int = 0
    """Depth at which the search stops."""
    has_depth: bool = True
    passes_horizon: bool = False
    """Whether only this very depth stops the search, so that a step of two may pass it."""
    takes: str = "both"
    """`both`, or `max` or `min` for a search that takes these everywhere, or `exchanged`;
    `max below` or `min below` if only the root takes its own."""
    first_best: tuple[float, float] | None = None
    """The values for MAX that a branch must beat at first."""
    replaces_equal: tuple[bool, bool] = (False, False)
    """Whether a later move replaces one of the same value."""
    skips: str = ""
    """The branch that is never tried: `first`, `last`, or all `others` than the first."""
    skips_at: tuple[bool, bool] = (True, True)
    spares_root: bool = False
    """Whether the root, with a separate loop, tries every branch."""
    forgets: str = ""
    """The change of sign that a negamax forgets: of the value of a `child`, a `leaf` or the
    `root`."""
    returns: str = "pair"
    """`pair`, or `exchanged`, or a move counted `from 1`, or by its `place` among sorted ones."""

    @lru_cache(1 << 14)  # noqa: B019 - searches and trees are few, and stay
    def run(self, root: Node, depth: int) -> Found:
        """Return the answer on a tree, whose branches are in the order of the search."""
        read: list[str] = []
        value, best, *_ = self._value(root, depth, *self.start, read, True)
        if self.forgets == "root" and not root.maximizing:
            value = -value
        move = None if best is None else number_of(root.children[best])
        if self.returns == "place":
            move = best
        if self.returns == "from 1" and move is not None:
            move += 1
        once = tuple(dict.fromkeys(read))
        return (
            Found(move, int(value), once)
            if self.returns == "exchanged"
            else Found(value, move, once)
        )

    def _value(
        self, node: Node, depth: int, alpha: float, beta: float, read: list[str], is_root: bool
    ) -> tuple[float, int | None, float, float]:
        """Return the value, the best branch, and the window at the end."""
        is_end = depth == self.horizon if self.passes_horizon else depth <= self.horizon
        if not node.children or (self.has_depth and is_end):
            read.append(node.name)
            is_turned = self.forgets == "leaf" and not node.maximizing
            return -node.hidden_value if is_turned else node.hidden_value, None, alpha, beta
        is_max = self._takes_max(node, is_root)
        side = int(not is_max)
        sign = 1 if is_max else -1
        # From the side of the node: the larger, the better; `low` is its own bound.
        low, high = (alpha, beta) if is_max else (-beta, -alpha)
        best, move = (low if self.is_hard[0] else -inf), None
        if self.first_best:
            best = sign * self.first_best[side]
        entry = low
        step = self.step[side] if not is_root or self.first_step is None else self.first_step
        for number, child in self._branches(node, side, is_root):
            inner = self._window(low, high, is_max)
            below = depth - step - number * self.branch_step
            value, _, *after = self._value(child, below, *inner, read, False)
            if self.hands_on == "shared":
                low, high = after if is_max else (-after[1], -after[0])
            value *= -sign if self.forgets == "child" else sign
            is_better, is_raised = value > best, value > max(low, best)
            if (
                is_better
                or (self.replaces_equal[side] and value >= best)
                or (move is None and not self.first_best)
            ):
                best, move = max(value, best), number
            bound = max(low, best) if self.tests_window else best
            reached = bound >= high if self.at_equality[side] else bound > high
            if self.wrong_side[side]:
                own = {"now": low, "entry": entry, "after": max(low, best)}[self.side_bound]
                reached = best <= own if self.at_equality[side] else best < own
            is_tested = {"always": True, "better": is_better, "raised": is_raised}[self.tests]
            low = max(low, best)
            if self.cuts[side] and reached and is_tested:
                break
        if self.is_hard[1]:
            best = min(best, high)
        return sign * best, move, *((low, high) if is_max else (-high, -low))

    def _takes_max(self, node: Node, is_root: bool) -> bool:
        kind, _, below = self.takes.partition(" ")
        if kind == "both" or (below and is_root):
            return node.maximizing
        return not node.maximizing if kind == "exchanged" else kind == "max"

    def _branches(self, node: Node, side: int, is_root: bool) -> list[tuple[int, Node]]:
        every = [*enumerate(node.children)]
        if not self.skips or not self.skips_at[side] or (is_root and self.spares_root):
            return every
        return {"first": every[1:], "last": every[:-1], "others": every[:1]}[self.skips]

    def _window(self, low: float, high: float, is_max: bool) -> tuple[float, float]:
        """Return alpha and beta of a child."""
        alpha, beta = (low, high) if is_max else (-high, -low)
        if self.hands_on == "half":
            return (alpha, inf) if is_max else (-inf, beta)
        if self.hands_on == "exchanged":
            return beta, alpha
        return alpha, beta


class Mistake(NamedTuple):
    """A known mistake."""

    part: str
    """The part of the search that has it: `value`, `move`, `cuts` or `depth`."""
    says: str
    """The end of a sentence that begins with the function."""
    models: tuple[Search, ...]


def _both(**options: Any) -> tuple[Search, ...]:
    """Return the models of a mistake, with every right variant of the rest."""
    either = (False, True)
    switches = product(
        ((False, False), (True, False), (True, True)),
        product(either, either),
        either,
        ("always", "better", "raised"),
    )
    return tuple(
        Search(is_hard=hard, at_equality=equal, tests_window=window, tests=tests, **options)
        for hard, equal, window, tests in switches
    )


@cache
def right_searches() -> tuple[Search, ...]:
    """Return the variants of the textbook's search."""
    return tuple(
        Search(at_equality=(at_max, at_min), is_hard=(is_hard, is_hard))
        for is_hard, at_max, at_min in product((False, True), repeat=3)
    )


def _on_side(at_max: bool, at_min: bool) -> tuple[Search, ...]:
    return tuple(
        each
        for bound in ("now", "entry", "after")
        for each in _both(wrong_side=(at_max, at_min), side_bound=bound)
        # Below the bound that is raised already no value lies: that would be no cut at all.
        if bound != "after" or all(map(_implies, each.wrong_side, each.at_equality))
    )


def _implies(first: bool, second: bool) -> bool:
    return second or not first


STARTS = (
    *((-1, 1), (0, inf), (-inf, 0), (0, 0), (-1, inf), (-inf, 1)),
    *((-most, most) for most in (*range(2, 26), *range(30, 100, 5), 99)),
    *((0, most) for most in (1, 10, 20, 50, 99, 100)),
)
"""Windows with which a wrong search may begin."""
BESTS = ((0, 0), (-1, 1), (0, inf), (-inf, 0), (-1, inf), (-inf, 1), (1, -1))
"""Values with which MAX and MIN nodes of a wrong search may begin."""
STOP = "and stop as soon as alpha ≥ beta"
NEGAMAX = "in negamax as (-beta, -alpha)"
ONE_EACH = "each ply takes 1 away"
REPLACES = (
    "replaces its move by a later one of the same value{}. That value may be only a bound, and the "
    "move a worse one: replace it for a better value only."
)


@cache
def mistakes() -> tuple[Mistake, ...]:
    """Return the known mistakes; where two explain an answer, the first one is named."""
    return (*_of_values(), *_of_cuts(), *_of_moves(), *_of_depths())


def _of_cuts() -> Iterator[Mistake]:
    def cuts(says: str, models: tuple[Search, ...]) -> Mistake:
        return Mistake("cuts", says, models)

    yield cuts(
        "never cuts: it reads every leaf, as minimax does. Hand alpha and beta on to the "
        f"children ({NEGAMAX}), narrow them, {STOP}.",
        _both(cuts=(False, False)),
    )
    yield cuts(
        "cuts at MAX nodes only: MAX nodes do not raise alpha, or MIN nodes do not stop as soon "
        "as alpha ≥ beta.",
        _both(cuts=(True, False)),
    )
    yield cuts(
        "cuts at MIN nodes only: MIN nodes do not lower beta, or MAX nodes do not stop as soon "
        "as alpha ≥ beta.",
        _both(cuts=(False, True)),
    )
    yield cuts(
        "hands on only one bound of its window, so that cuts by a bound from further up are "
        "missing: a child gets alpha and beta.",
        _both(hands_on="half"),
    )
    yield cuts(
        "tries only the first branch of a node: it cuts on the wrong side (a MAX node stops at "
        "beta or more, a MIN node at alpha or less), returns within the loop, or begins with "
        "alpha and beta exchanged.",
        (*_both(skips="others"), *_both(skips="others", spares_root=True)),
    )
    for at_max, side in (
        (True, "MAX node: it cuts on the wrong side (it stops at beta or more)"),
        (False, "MIN node: it cuts on the wrong side (it stops at alpha or less)"),
    ):
        yield cuts(
            f"tries only the first branch of a {side}, or returns within the loop.",
            tuple(
                each
                for spares in (False, True)
                for each in _both(skips="others", skips_at=(at_max, not at_max), spares_root=spares)
            ),
        )
    yield cuts(
        "cuts on the wrong side at MAX nodes, which stop at beta or more.",
        _on_side(True, False),
    )
    yield cuts(
        "cuts on the wrong side at MIN nodes, which stop at alpha or less.",
        _on_side(False, True),
    )
    yield cuts(
        "cuts on the wrong side. A MAX node stops at beta or more, a MIN node at alpha or less.",
        _on_side(True, True),
    )
    yield cuts(
        f"hands on its window with alpha and beta exchanged ({NEGAMAX}).",
        _both(hands_on="exchanged"),
    )
    yield cuts(
        "has one alpha and one beta for all nodes: hand them on as arguments, so that each node "
        "has its own.",
        _both(hands_on="shared"),
    )
    yield cuts(
        "begins with a window that is too small: begin with -math.inf and math.inf.",
        tuple(each for start in STARTS for each in _both(start=start)),
    )


def _of_values() -> Iterator[Mistake]:
    def value(says: str, *models: Search) -> Mistake:
        return Mistake("value", says, models)

    yield value("returns (move, value): it must return (value, move).", *_both(returns="exchanged"))
    for kind, wrong, right, other in (
        ("max", "largest", "smallest", "MIN"),
        ("min", "smallest", "largest", "MAX"),
    ):
        yield value(
            f"takes the {wrong} value everywhere: a {other} node takes the {right}.",
            *_both(takes=kind),
        )
        yield value(
            f"takes the {wrong} value everywhere below the root: a {other} node takes the {right}.",
            *_both(takes=f"{kind} below"),
        )
    yield value(
        "takes the smallest value at MAX nodes and the largest at MIN nodes: exchange them.",
        *_both(takes="exchanged"),
    )
    yield value(
        "forgets a minus sign: in negamax the value of a branch is minus that of the child.",
        *_both(forgets="child"),
    )
    yield value(
        "forgets the sign of a leaf: in negamax its value is for the player to move, and so "
        "-node.value at a MIN node.",
        *_both(forgets="leaf"),
    )
    yield value(
        "returns the value for the player to move: it must return that for MAX, which is minus "
        "that of negamax at a MIN node.",
        *_both(forgets="root"),
    )
    yield value(
        "begins with a best value that a branch may not beat: begin with -math.inf at a MAX node "
        "and math.inf at a MIN node.",
        *(each for best in BESTS for each in _both(first_best=best)),
    )
    yield value("never looks at the first branch of a node.", *_both(skips="first"))
    yield value("never looks at the last branch of a node.", *_both(skips="last"))


def _of_moves() -> Iterator[Mistake]:
    def move(says: str, models: tuple[Search, ...]) -> Mistake:
        return Mistake("move", says, models)

    yield move(
        "counts its moves from 1: the first child has the number 0.", _both(returns="from 1")
    )
    yield move(
        "numbers its moves in the order in which it tries them: a move is the number of the child "
        "in node.children as it was handed over.",
        _both(returns="place"),
    )
    yield move(REPLACES.format(""), _both(replaces_equal=(True, True)))
    yield move(REPLACES.format(" at MAX nodes"), _both(replaces_equal=(True, False)))
    yield move(REPLACES.format(" at MIN nodes"), _both(replaces_equal=(False, True)))


def _of_depths() -> Iterator[Mistake]:
    def depth(says: str, models: tuple[Search, ...]) -> Mistake:
        return Mistake("depth", says, models)

    yield depth(
        f"counts the depth by two: {ONE_EACH}.",
        tuple(
            each
            for first in (None, 1)
            for passes in (False, True)
            for each in _both(step=(2, 2), first_step=first, passes_horizon=passes)
        ),
    )
    yield depth(
        f"counts the depth at every second ply only, so that it looks twice as far: {ONE_EACH}.",
        (*_both(step=(1, 0)), *_both(step=(0, 1))),
    )
    yield depth(
        "counts the depth down in its loop, so that later branches are searched less deeply: "
        "hand depth - 1 to each child.",
        (*_both(branch_step=1), *_both(branch_step=1, passes_horizon=True)),
    )
    yield depth("stops one ply too early: it evaluates at depth 0.", _both(horizon=1))
    yield depth("stops one ply too late: it evaluates at depth 0.", _both(horizon=-1))
    yield depth("takes no notice of the depth: it searches to the leaves.", _both(has_depth=False))
