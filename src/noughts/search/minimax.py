"""Minimax, alpha-beta and H-minimax side by side, after AIMA (Russell and Norvig, ch. 5).

MAX is the player to move at the root. All three search the same tree:

    minimax     every position, down to the end of the game
    alphabeta   the same value, without the branches that cannot change it
    hminimax    down to a cutoff depth, with an evaluation of the positions there

In each, `max_value` and `min_value` return the value of a position for MAX and set `line` to the
best play from there. `alive` counts the positions on the path and their successors.
"""

from __future__ import annotations

from math import inf

from noughts.games.position import Position
from noughts.search.evaluation import default_evaluation
from noughts.search.result import NO_LIMIT, Evaluation, Limit, Order, Score, SearchResult, Utility
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
        limit: a position at its depth counts as 0 unless the game is over there.
        score: `"distance"` prefers the quicker win and the slower loss, `"sign"` does not;
            `"ten"` does, and scores a win 10 - depth, at most 10 plies ahead; or a function from a
            finished position to its value for MAX.
        stop_at_win: skip the other moves of a position once one wins.
        order: the moves of a position in the order to try; ascending by default.
        seed: shuffles the moves of the root, to vary the choice among equal moves.
        trace: receives every step.
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
    return walk.result(
        best, best_line, nodes, complete=complete, cutoffs=cutoffs, quickest=not stop_at_win
    )


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
    """Search like minimax, but skip moves that cannot change the value of the root.

    On the path to a position, MAX is sure of at least alpha, and MIN of at most beta. If a move
    gives MAX at least beta, MIN avoids the position, since an earlier choice is as good: the other
    moves of the position are cut off (Knuth and Moore 1975).

    Fail-soft contract, for a position of value v whose search with the window (alpha, beta)
    returns the score s:

        alpha < s < beta    s == v
        s <= alpha          v <= s
        s >= beta           v >= s

    Args:
        position: the root.
        limit: at its depth positions get the value of `evaluate`.
        score: `"distance"` prefers the quicker win and the slower loss, `"sign"` does not;
            `"ten"` does, and scores a win 10 - depth, at most 10 plies ahead; or a function from a
            finished position to its value for MAX.
        stop_at_win: skip the other moves of a position once one wins.
        strict: cut off only if a value lies beyond the window, not at its edge; the result is the
            same, with many more positions.
        window: alpha and beta at the root.
        evaluate: the estimate for the side to move at the depth limit.
        order: the moves of a position in the order to try; ascending by default.
        seed: shuffles the moves of the root, to vary the choice among equal moves.
        trace: receives every step.
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
    return walk.result(
        best, best_line, nodes, complete=complete, cutoffs=cutoffs, quickest=not stop_at_win
    )


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
        evaluate: the estimate for the side to move at the cutoff; the game's default evaluation
            if left out.
        score: `"distance"` prefers the quicker win and the slower loss, `"sign"` does not;
            `"ten"` does, and scores a win 10 - depth, at most 10 plies ahead; or a function from a
            finished position to its value for MAX.
        order: the moves of a position in the order to try; ascending by default.
        seed: shuffles the moves of the root, to vary the choice among equal moves.
        trace: receives every step.
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
