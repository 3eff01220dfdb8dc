"""Limits, counters and leaf scores of the tree searches, so that each search shows its algorithm
and little else.

    walk = Walk(position, limit, …)          before the search
    walk.leaf(position, ply, alive)          the score of a leaf
    walk.enter(nodes, position, …)           check the limit
    walk.result(score, line, nodes, …)       after it
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from math import copysign, inf
from typing import Any

from noughts.games.position import Outcome, Position
from noughts.search.result import (
    LARGEST_ESTIMATE,
    SURE,
    TEN,
    Evaluation,
    Limit,
    Order,
    Score,
    SearchResult,
    Utility,
    win_score,
)
from noughts.search.trace import Trace

Window = tuple[float | None, float | None]
"""Alpha and beta; `None` in a search that has none."""
Line = tuple[int, Any] | None
"""A line of moves as linked pairs `(move, rest of the line)`, cheap to extend at the front."""


def sign_of(score: float) -> float:
    """Return a proven win or loss without its distance, and any other score as it is.

    >>> sign_of(9995), sign_of(-9995), sign_of(0.25)
    (1.0, -1.0, 0.25)
    """
    return copysign(1.0, score) if SURE <= abs(score) < inf else score


def check_ten(root: Position, limit: Limit) -> None:
    """Check that a search with the score `ten` sees no game end too far away.

    Raises:
        ValueError: it can look more than `TEN` plies ahead.
    """
    plies = min(inf if most is None else most for most in (limit.depth, root.max_plies))
    if plies > TEN:
        raise ValueError(
            f"score=ten looks at most {TEN} plies ahead, as a win farther away would score 0 or "
            f"less: give a depth of at most {TEN}"
        )


class LimitReached(Exception):
    """Ends a search from within."""


def unknown(position: Position) -> float:  # noqa: ARG001 - an evaluation takes a position
    """Estimate every position as 0."""
    return 0


class BadEvaluation(ValueError):
    """An evaluation gave no number from -1 to 1."""


def estimated(evaluate: Evaluation, position: Position) -> float:
    """Return the estimate of an evaluation, kept below a proven win or loss.

    Raises:
        BadEvaluation: it is no number from -1 to 1.
    """
    estimate = evaluate(position)
    try:
        is_estimate = -1 <= estimate <= 1
    except TypeError:
        is_estimate = False
    if not is_estimate:
        name = getattr(evaluate, "__name__", "the evaluation")
        reason = "an evaluation returns a number from -1 to 1, for the side to move"
        raise BadEvaluation(f"{name} returned {estimate!r} for {position}; {reason}")
    return min(max(estimate, -LARGEST_ESTIMATE), LARGEST_ESTIMATE)


class Watch:
    """Checks the limit of a search: at its last node, and with a time limit every 1,024 nodes."""

    def __init__(self, limit: Limit) -> None:
        self.started = time.perf_counter()
        self.nodes = inf if limit.nodes is None else limit.nodes
        self.until = None if limit.seconds is None else self.started + limit.seconds

    def check(self, nodes: int) -> float:
        """Return the number of nodes at which to check again.

        Raises:
            LimitReached: the limit of nodes or time is reached.
        """
        if nodes >= self.nodes or self.is_over:
            raise LimitReached
        return self.nodes if self.until is None else min(self.nodes, nodes + 1024)

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.until is not None and time.perf_counter() >= self.until

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.started


class Walk:
    """A depth-first search in progress; scores are for MAX, the player to move at the root."""

    def __init__(
        self,
        root: Position,
        limit: Limit,
        score: Score | Utility = "distance",
        order: Order | None = None,
        seed: int | None = None,
        evaluate: Evaluation = unknown,
        trace: Trace | None = None,
        window: Window = (None, None),
    ) -> None:
        self.root = root
        self.actions: Order = order or type(root).legal_moves
        self.seed = seed
        self.evaluate = evaluate
        self.score: Score = "distance" if callable(score) else score
        self.utility = score if callable(score) else None
        self.sure = inf if self.utility else SURE if self.score == "distance" else 1
        """The smallest score of a proven win."""
        self.horizon = inf if limit.depth is None else root.ply + limit.depth
        if score == "ten":
            check_ten(root, limit)
        self.watch = Watch(limit)
        self.player = root.turn
        self.deepest = root.ply
        self.peak = 1
        self.unproven = False
        self.trace = trace
        if trace:
            trace.enter(root, *window)
            self.actions = trace.noting(self.actions)

    def enter(
        self,
        nodes: int,
        position: Position,
        alpha: float | None = None,
        beta: float | None = None,
    ) -> float:
        """Check the limit and trace a position; return the number of nodes at which to call again.

        A traced search calls at every node.

        Raises:
            LimitReached: the limit of nodes or time is reached.
        """
        check_at = self.watch.check(nodes)
        if self.trace is None:
            return check_at
        self.trace.enter(position, alpha, beta)
        return nodes + 1

    def check(self) -> float:
        """Return the number of nodes at which to call `enter` for the first time."""
        try:
            check_at = self.watch.check(0)
        except LimitReached:
            return 1  # The search ends once it has a move.
        return 1 if self.trace else check_at

    def root_moves(self) -> Sequence[int]:
        """Return the moves of the root, shuffled if there is a seed."""
        moves = self.actions(self.root)
        return moves if self.seed is None else random.Random(self.seed).sample(moves, len(moves))

    def leaf(self, position: Position, ply: int, alive: int) -> float:
        """Return the score of a position that is not searched further.

        `alive` counts the positions on the path to it and their successors.
        """
        if alive > self.peak:
            self.peak = alive
        if ply > self.deepest:
            self.deepest = ply
        outcome = position.outcome()
        score = self._estimate(position) if outcome is None else self._final(position, outcome, ply)
        if self.trace:
            self.trace.leaf(score, "depth" if outcome is None else "over")
        return score

    def _estimate(self, position: Position) -> float:
        self.unproven = True
        # An evaluation proves nothing, even if it returns 1.
        estimate = estimated(self.evaluate, position)
        return estimate if position.turn is self.player else -estimate

    def _final(self, position: Position, outcome: Outcome, ply: int) -> float:
        if self.utility:
            return self.utility(position)
        if outcome.winner is None:
            return 0
        win = win_score(self.score, self.root.ply, ply)
        return win if outcome.winner is self.player else -win

    def nothing_to_search(self) -> bool:
        """Whether the game is over at the root, or the depth limit is 0."""
        return self.root.outcome() is not None or self.horizon <= self.root.ply

    def leaf_result(self) -> SearchResult:
        """Return the result of a root that is a leaf."""
        return self.result(self.leaf(self.root, self.root.ply, 1), None, 1, complete=True)

    def result(
        self,
        score: float,
        line: Line,
        nodes: int,
        *,
        complete: bool,
        cutoffs: int = 0,
        table: int = 0,
        quickest: bool = True,
    ) -> SearchResult:
        """Return the result of the search.

        A score of minus infinity means that no move was searched to its end. The distance of a win
        is proven only if all moves were searched for a quicker one (`quickest`), or it is 1.
        """
        if self.trace:
            self.trace.end(score if complete else None, cutoffs)
        is_next = score == win_score(self.score, self.root.ply, self.root.ply + 1)
        if not self.utility and not is_next and not (complete and quickest) and abs(score) < inf:
            score = copysign(1.0, score) if abs(score) >= 1 else score
        if score == -inf:
            score, line = 0.0, (self.actions(self.root)[0], None)
        pv = []
        while line is not None:
            move, line = line
            pv.append(move)
        return SearchResult(
            move=pv[0] if pv else None,
            score=score + 0.0,
            exact=self._is_exact(score, complete),
            complete=complete,
            depth=self.deepest - self.root.ply,
            nodes=nodes,
            seconds=self.watch.elapsed,
            position=self.root,
            line=tuple(pv),
            cutoffs=cutoffs,
            peak=self.peak,
            table=table,
        )

    def _is_exact(self, score: float, complete: bool) -> bool:
        # One winning move proves a win; a loss needs every move.
        if self.utility is None and (score >= 1 or (complete and score <= -1)):
            return True
        return complete and not self.unproven
