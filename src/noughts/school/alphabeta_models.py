"""Models of a student's alpha-beta: the variants of the textbook's, and those with one mistake.

Search(…one mistake…).run(tree) ──same answers as the student's on all trees──► Mistake
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import inf
from typing import Any, NamedTuple

from noughts.school.tree_nodes import Node


class Found(NamedTuple):
    """The answer of a search on a tree."""

    value: float | None
    move: int | None
    read: tuple[str, ...]
    """The names of the nodes whose values were read at the horizon, each once."""


class Search(NamedTuple):
    """A model of alpha-beta with at most one mistake."""

    cuts: tuple[bool, bool] = (True, True)
    """Whether MAX and MIN nodes cut."""
    at_equality: tuple[bool, bool] = (True, True)
    wrong_side: tuple[bool, bool] = (False, False)
    """Whether MAX and MIN nodes compare with the other bound."""
    side_bound: str = "now"
    """The value of this other bound: `now`, at the `entry` of the node, or `after` an update."""
    tests_window: bool = False
    """Whether the test is alpha ≥ beta, which differs if a window is wrong."""
    start: tuple[float, float] = (-inf, inf)
    is_hard: bool = False
    """Whether values outside the window are replaced by its bounds."""
    hands_on: str = "window"
    """The window of a child: `window`, `half` (one bound of the node) or `exchanged`."""
    step: tuple[int, int] = (1, 1)
    """Depth that a ply of MAX and of MIN takes away."""
    horizon: int = 0
    """Depth at which the search stops."""
    has_depth: bool = True
    passes_horizon: bool = False
    """Whether only this very depth stops the search, so that a step of two may pass it."""
    takes: str = "both"
    """`both`, or `max` or `min` for a search that takes these everywhere, or `exchanged`."""
    replaces_equal: bool = False
    """Whether a later move replaces one of the same value."""
    skips_last: bool = False

    def run(self, root: Node, depth: int) -> Found:
        """Return the answer on a tree."""
        read: list[str] = []
        value, move = self._value(root, depth, *self.start, read)
        return Found(value, move, tuple(dict.fromkeys(read)))

    def _value(
        self, node: Node, depth: int, alpha: float, beta: float, read: list[str]
    ) -> tuple[float, int | None]:
        is_end = depth == self.horizon if self.passes_horizon else depth <= self.horizon
        if not node.children or (self.has_depth and is_end):
            read.append(node.name)
            return node.hidden_value, None
        is_max = {"both": node.maximizing, "exchanged": not node.maximizing}.get(
            self.takes, self.takes == "max"
        )
        side = int(not is_max)
        sign = 1 if is_max else -1
        # From the side of the node: the larger, the better; `low` is its own bound.
        low, high = (alpha, beta) if is_max else (-beta, -alpha)
        best, move = (low if self.is_hard else -inf), None
        below = node.children[:-1] if self.skips_last else node.children
        entry = low
        for number, child in enumerate(below):
            inner = self._window(low, high, is_max)
            value, _ = self._value(child, depth - self.step[side], *inner, read)
            value *= sign
            if value > best or (self.replaces_equal and value >= best) or move is None:
                best, move = max(value, best), number
            bound = max(low, best) if self.tests_window else best
            reached = bound >= high if self.at_equality[side] else bound > high
            if self.wrong_side[side]:
                own = {"now": low, "entry": entry, "after": max(low, best)}[self.side_bound]
                reached = best <= own if self.at_equality[side] else best < own
            if self.cuts[side] and reached:
                break
            low = max(low, best)
        if self.is_hard:
            best = min(best, high)
        return sign * best, move

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
    switches = product((False, True), repeat=4)
    return tuple(
        Search(at_equality=(at_max, at_min), is_hard=hard, tests_window=window, **options)
        for hard, at_max, at_min, window in switches
    )


@cache
def right_searches() -> tuple[Search, ...]:
    """Return the variants of the textbook's search."""
    return tuple(each for each in _both() if not each.tests_window)


def _on_side(at_max: bool, at_min: bool) -> tuple[Search, ...]:
    return tuple(
        each
        for bound in ("now", "entry", "after")
        for each in _both(wrong_side=(at_max, at_min), side_bound=bound)
    )


STARTS = ((-1, 1), (0, inf), (-inf, 0), (0, 0), (-1, inf), (-inf, 1), (-10, 10), (-2, 2))
"""Windows with which a wrong search may begin."""
STOP = "and stop as soon as alpha ≥ beta"
NEGAMAX = "in negamax as (-beta, -alpha)"
ONE_EACH = "each ply takes 1 away"


@cache
def mistakes() -> tuple[Mistake, ...]:
    """Return the known mistakes."""
    return (
        Mistake(
            "cuts",
            "never cuts: it reads every leaf, as minimax does. Hand alpha and beta on to the "
            f"children ({NEGAMAX}), narrow them, {STOP}.",
            _both(cuts=(False, False)),
        ),
        Mistake(
            "cuts",
            f"cuts at MAX nodes only. At a MIN node, lower beta, {STOP}.",
            _both(cuts=(True, False)),
        ),
        Mistake(
            "cuts",
            f"cuts at MIN nodes only. At a MAX node, raise alpha, {STOP}.",
            _both(cuts=(False, True)),
        ),
        Mistake(
            "cuts",
            "hands on only one bound of its window, so that cuts by a bound from further up are "
            "missing: a child gets alpha and beta.",
            _both(hands_on="half"),
        ),
        Mistake(
            "cuts",
            "cuts on the wrong side. A MAX node stops at beta or more, a MIN node at alpha or "
            "less.",
            _on_side(True, True),
        ),
        Mistake(
            "cuts",
            "cuts on the wrong side at MAX nodes, which stop at beta or more.",
            _on_side(True, False),
        ),
        Mistake(
            "cuts",
            "cuts on the wrong side at MIN nodes, which stop at alpha or less.",
            _on_side(False, True),
        ),
        Mistake(
            "cuts",
            f"hands on its window with alpha and beta exchanged ({NEGAMAX}).",
            _both(hands_on="exchanged"),
        ),
        Mistake(
            "cuts",
            "begins with a window that is too small: begin with -math.inf and math.inf.",
            tuple(each for start in STARTS for each in _both(start=start)),
        ),
        Mistake(
            "value",
            "takes the largest value everywhere: a MIN node takes the smallest.",
            _both(takes="max"),
        ),
        Mistake(
            "value",
            "takes the smallest value everywhere: a MAX node takes the largest.",
            _both(takes="min"),
        ),
        Mistake(
            "value",
            "takes the smallest value at MAX nodes and the largest at MIN nodes: exchange them.",
            _both(takes="exchanged"),
        ),
        Mistake("value", "never looks at the last branch of a node.", _both(skips_last=True)),
        Mistake(
            "move",
            "replaces its move by a later one of the same value. That value may be only a bound, "
            "and the move a worse one: replace it for a better value only.",
            _both(replaces_equal=True),
        ),
        Mistake(
            "depth",
            f"counts the depth by two: {ONE_EACH}.",
            (*_both(step=(2, 2)), *_both(step=(2, 2), passes_horizon=True)),
        ),
        Mistake(
            "depth",
            "counts the depth at every second ply only, so that it looks twice as far: "
            f"{ONE_EACH}.",
            (*_both(step=(1, 0)), *_both(step=(0, 1))),
        ),
        Mistake("depth", "stops one ply too early: it evaluates at depth 0.", _both(horizon=1)),
        Mistake("depth", "stops one ply too late: it evaluates at depth 0.", _both(horizon=-1)),
        Mistake(
            "depth",
            "takes no notice of the depth: it searches to the leaves.",
            _both(has_depth=False),
        ),
    )
