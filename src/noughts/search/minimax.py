"""Minimax, alpha-beta and H-minimax side by side, as AIMA (Russell and Norvig, ch. 5) has them.

MAX is the player to move at the root. All three walk the same tree:

    minimax     every position, down to the end of the game
    alphabeta   the same value, without the branches that cannot change it
    hminimax    down to a cutoff depth, where an evaluation stands for the rest

In each, `max_value` and `min_value` return what a position is worth to MAX and leave in `line`
the best play from there. `alive` counts the positions on the path and their successors.
"""

from __future__ import annotations

from math import inf

from noughts.games.position import Position
from noughts.search.evaluation import default_evaluation
from noughts.search.result import (
    NO_LIMIT,
    Evaluation,
    Limit,
    Order,
    Score,
    SearchResult,
    Utility,
)
from noughts.search.trace import Trace
from noughts.search.walk import LimitReached, Line, Walk, unknown

FOUR_PLIES = Limit(depth=4)


def minimax(
    position: Position,
    limit: Limit = NO_LIMIT,
    *,
    score: Score | Utility = "distance",
    stop_at_win: bool = False,
    order: Order | None = None,
    seed: int | None = None,
    trace: Trace | None = None,
) -> SearchResult:
    """Search every line of play to its end.

    Args:
        position: the root.
        limit: at its depth a position counts as 0 unless the game is over there.
        score: `"distance"` prefers the quicker win and the slower loss, `"sign"` does not; or a
            function that gives what a finished position is worth to MAX.
        stop_at_win: look at no further move of a position once one wins.
        order: gives the moves of a position to try; ascending if left out.
        seed: shuffles the moves of the root, so that ties fall differently.
        trace: is told of every step.
    """
    walk = Walk(position, limit, score, order, seed, trace=trace)
    actions, horizon, sure = walk.actions, walk.horizon, walk.sure
    nodes, check_at, cutoffs = 1, walk.check(), 0
    line: Line = None

    def max_value(position: Position, ply: int, alive: int) -> float:
        nonlocal nodes, check_at, cutoffs, line
        if nodes >= check_at:
            check_at = walk.enter(nodes, position)
        nodes += 1
        if position.outcome() is not None or ply >= horizon:
            line = None
            return walk.leaf(position, ply, alive)
        best, best_line = -inf, None
        moves = actions(position)
        alive += len(moves)
        for move in moves:
            value = min_value(position.play(move), ply + 1, alive)
            if value > best:
                best, best_line = value, (move, line)
                if stop_at_win and value >= sure:
                    cutoffs += 1
                    break
        line = best_line
        if trace:
            trace.leave(best, cutoffs)
        return best

    def min_value(position: Position, ply: int, alive: int) -> float:
        nonlocal nodes, check_at, cutoffs, line
        if nodes >= check_at:
            check_at = walk.enter(nodes, position)
        nodes += 1
        if position.outcome() is not None or ply >= horizon:
            line = None
            return walk.leaf(position, ply, alive)
        best, best_line = inf, None
        moves = actions(position)
        alive += len(moves)
        for move in moves:
            value = max_value(position.play(move), ply + 1, alive)
            if value < best:
                best, best_line = value, (move, line)
                if stop_at_win and value <= -sure:
                    cutoffs += 1
                    break
        line = best_line
        if trace:
            trace.leave(best, cutoffs)
        return best

    if walk.nothing_to_search():
        return walk.leaf_result()
    best, best_line, complete = -inf, None, True
    moves = walk.root_moves()
    try:
        for move in moves:
            value = min_value(position.play(move), position.ply + 1, 1 + len(moves))
            if value > best:
                best, best_line = value, (move, line)
                if stop_at_win and value >= sure:
                    cutoffs += 1
                    break
    except LimitReached:
        complete = False
    return walk.result(best, best_line, nodes, complete=complete, cutoffs=cutoffs)


def alphabeta(
    position: Position,
    limit: Limit = NO_LIMIT,
    *,
    score: Score | Utility = "distance",
    stop_at_win: bool = False,
    strict: bool = False,
    window: tuple[float, float] = (-inf, inf),
    evaluate: Evaluation = unknown,
    order: Order | None = None,
    seed: int | None = None,
    trace: Trace | None = None,
) -> SearchResult:
    """Search like minimax, but pass over moves that cannot change the value of the root.

    Alpha is what MAX is sure of on the path to a position, beta what MIN is. A move that gives
    MAX at least beta will not be reached, since MIN has something as good before it: the other
    moves of that position are cut off (Knuth and Moore 1975).

    Fail-soft contract, for a position of value v searched with the window (alpha, beta), where
    the score s comes out:

        alpha < s < beta    s == v
        s <= alpha          v <= s
        s >= beta           v >= s

    Args:
        position: the root.
        limit: at its depth `evaluate` stands for the rest of the game.
        score: `"distance"` prefers the quicker win and the slower loss, `"sign"` does not; or a
            function that gives what a finished position is worth to MAX.
        stop_at_win: look at no further move of a position once one wins.
        strict: cut off only where a value lies beyond the window, not where it reaches its edge;
            the same result from many more positions.
        window: alpha and beta at the root.
        evaluate: the estimate at the depth limit, for the side to move there.
        order: gives the moves of a position to try; ascending if left out.
        seed: shuffles the moves of the root, so that ties fall differently.
        trace: is told of every step.
    """
    walk = Walk(position, limit, score, order, seed, evaluate, trace, window)
    actions, horizon, sure = walk.actions, walk.horizon, walk.sure
    nodes, check_at, cutoffs = 1, walk.check(), 0
    line: Line = None

    def max_value(position: Position, ply: int, alive: int, alpha: float, beta: float) -> float:
        nonlocal nodes, check_at, cutoffs, line
        if nodes >= check_at:
            check_at = walk.enter(nodes, position, alpha, beta)
        nodes += 1
        if position.outcome() is not None or ply >= horizon:
            line = None
            return walk.leaf(position, ply, alive)
        best, best_line = -inf, None
        moves = actions(position)
        alive += len(moves)
        for move in moves:
            value = min_value(position.play(move), ply + 1, alive, alpha, beta)
            if value > best:
                best, best_line = value, (move, line)
                if (
                    value > beta
                    or (value == beta and not strict)
                    or (stop_at_win and value >= sure)
                ):
                    cutoffs += 1
                    break
                if value > alpha:
                    alpha = value
        line = best_line
        if trace:
            trace.leave(best, cutoffs)
        return best

    def min_value(position: Position, ply: int, alive: int, alpha: float, beta: float) -> float:
        nonlocal nodes, check_at, cutoffs, line
        if nodes >= check_at:
            check_at = walk.enter(nodes, position, alpha, beta)
        nodes += 1
        if position.outcome() is not None or ply >= horizon:
            line = None
            return walk.leaf(position, ply, alive)
        best, best_line = inf, None
        moves = actions(position)
        alive += len(moves)
        for move in moves:
            value = max_value(position.play(move), ply + 1, alive, alpha, beta)
            if value < best:
                best, best_line = value, (move, line)
                if (
                    value < alpha
                    or (value == alpha and not strict)
                    or (stop_at_win and value <= -sure)
                ):
                    cutoffs += 1
                    break
                if value < beta:
                    beta = value
        line = best_line
        if trace:
            trace.leave(best, cutoffs)
        return best

    if walk.nothing_to_search():
        return walk.leaf_result()
    best, best_line, complete = -inf, None, True
    alpha, beta = window
    moves = walk.root_moves()
    try:
        for move in moves:
            value = min_value(
                position.play(move), position.ply + 1, 1 + len(moves), max(alpha, best), beta
            )
            if value > best:
                best, best_line = value, (move, line)
                if value >= beta or (stop_at_win and value >= sure):
                    cutoffs += 1
                    break
    except LimitReached:
        complete = False
    if not alpha < best < beta:
        walk.unproven = True
    return walk.result(best, best_line, nodes, complete=complete, cutoffs=cutoffs)


def hminimax(
    position: Position,
    limit: Limit = FOUR_PLIES,
    *,
    evaluate: Evaluation | None = None,
    score: Score | Utility = "distance",
    order: Order | None = None,
    seed: int | None = None,
    trace: Trace | None = None,
) -> SearchResult:
    """Search every line of play to a cutoff depth, and evaluate the positions there.

        H-MINIMAX(s, d) = UTILITY(s)                                if s is terminal
                          EVAL(s)                                   if d is the cutoff depth
                          max or min of H-MINIMAX(RESULT(s, a), d + 1) over the actions a

    Args:
        position: the root.
        limit: its depth is the cutoff depth.
        evaluate: the estimate for the side to move at the cutoff; the game's default if left out.
        score: `"distance"` prefers the quicker win and the slower loss, `"sign"` does not; or a
            function that gives what a finished position is worth to MAX.
        order: gives the moves of a position to try; ascending if left out.
        seed: shuffles the moves of the root, so that ties fall differently.
        trace: is told of every step.
    """
    evaluate = evaluate or default_evaluation(position)
    walk = Walk(position, limit, score, order, seed, evaluate, trace)
    nodes, check_at = 1, walk.check()
    line: Line = None

    def h_minimax(position: Position, ply: int, alive: int) -> float:
        nonlocal nodes, check_at, line
        if nodes >= check_at:
            check_at = walk.enter(nodes, position)
        nodes += 1
        if position.outcome() is not None or ply >= walk.horizon:
            line = None
            return walk.leaf(position, ply, alive)
        maximizing = position.turn is walk.player
        best, best_line = -inf if maximizing else inf, None
        moves = walk.actions(position)
        for move in moves:
            value = h_minimax(position.play(move), ply + 1, alive + len(moves))
            if value > best if maximizing else value < best:
                best, best_line = value, (move, line)
        line = best_line
        if trace:
            trace.leave(best)
        return best

    if walk.nothing_to_search():
        return walk.leaf_result()
    best, best_line, complete = -inf, None, True
    moves = walk.root_moves()
    try:
        for move in moves:
            value = h_minimax(position.play(move), position.ply + 1, 1 + len(moves))
            if value > best:
                best, best_line = value, (move, line)
    except LimitReached:
        complete = False
    return walk.result(best, best_line, nodes, complete=complete)
