"""Negamax with iterative deepening and a transposition table.

The value for one side is minus the value for the other, so that one function serves both. The
table remembers what was found out about a position, however it was reached:

    key(position) → (depth, bound, score, move)

    depth   plies that the score looks ahead; infinite where no cutoff depth had a say in it
    bound   EXACT, or LOWER where a cutoff left moves out, or UPPER where none reached alpha
    score   for the side to move, a win or loss counted from the position, not from the root
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from math import inf

from noughts.games.position import Position, canonical_key
from noughts.search.evaluation import default_evaluation
from noughts.search.result import NO_LIMIT, Evaluation, Limit, Order, Score, SearchResult
from noughts.search.root import deepen, every_move
from noughts.search.trace import Trace
from noughts.search.walk import LimitReached, Line, Walk

EXACT, LOWER, UPPER = "exact", "lower", "upper"
Entry = tuple[float, str, float, int | None]
Table = dict[Hashable, Entry]


def negamax(
    position: Position,
    limit: Limit = NO_LIMIT,
    *,
    score: Score = "distance",
    evaluate: Evaluation | None = None,
    symmetry: bool = False,
    table: Table | None = None,
    table_entries: int = 1_000_000,
    order: Order | None = None,
    seed: int | None = None,
    trace: Trace | None = None,
) -> SearchResult:
    """Search to depth 1, 2, 3 and so on, until the value is proven or the limit is reached.

    Args:
        position: the root.
        limit: the result is that of the last depth finished within it.
        score: `"distance"` prefers the quicker win and the slower loss, `"sign"` does not.
        evaluate: the estimate for the side to move at the cutoff; the game's default if left out.
        symmetry: let turned and mirrored positions share their entry in the table.
        table: a table to go on with, of the same game, `score` and `symmetry`; filled here.
        table_entries: a table that holds so many entries is emptied before it takes another.
        order: gives the moves of a position to try, after the one in the table.
        seed: shuffles the moves of the root, so that ties fall differently.
        trace: is told of every step.
    """
    search = partial(
        _to_depth,
        score=score,
        evaluate=evaluate or default_evaluation(position),
        symmetry=symmetry,
        table={} if table is None else table,
        table_entries=table_entries,
        order=order,
        seed=seed,
        trace=trace,
    )
    if position.outcome() is not None or limit.depth == 0:
        return search(position, limit)
    *_, last = deepen(search, position, limit)
    return last


def analyse(position: Position, limit: Limit = NO_LIMIT) -> Iterator[SearchResult]:
    """Yield the value of every legal move (`scores`), looking one ply deeper each time.

    Ends when all are proven, or at the limit.
    """
    search = partial(negamax, table={})
    yield from deepen(partial(every_move, search), position, limit)


def _to_depth(
    position: Position,
    limit: Limit,
    *,
    score: Score,
    evaluate: Evaluation,
    symmetry: bool,
    table: Table,
    table_entries: int,
    order: Order | None,
    seed: int | None,
    trace: Trace | None,
) -> SearchResult:
    """Search to the depth of `limit`, fail-soft as `alphabeta` has it."""
    if trace and limit.depth:
        trace.deepen(limit.depth)
    walk = Walk(position, limit, score, order, seed, evaluate, trace, (-inf, inf))
    key = canonical_key if symmetry else type(position).key
    nodes, check_at, cutoffs, root_ply = 1, walk.check(), 0, position.ply
    line: Line = None

    def value_of(position: Position, ply: int, alive: int, alpha: float, beta: float) -> float:
        nonlocal nodes, check_at, cutoffs, line
        sign = -1 if (ply - root_ply) & 1 else 1
        if nodes >= check_at:
            window = (alpha, beta) if sign > 0 else (-beta, -alpha)
            check_at = walk.enter(nodes, position, *window)
        nodes += 1
        if position.outcome() is not None or ply >= walk.horizon:
            line = None
            return sign * walk.leaf(position, ply, alive)
        place = key(position)
        entry = table.get(place)
        if entry is not None and entry[0] >= walk.horizon - ply:
            depth, bound, best, best_move = entry
            best = _moved(best, -ply)
            if bound == EXACT or (best >= beta if bound == LOWER else best <= alpha):
                if depth < inf:
                    walk.unproven = True
                    walk.deepest = max(walk.deepest, ply + int(depth))
                line = None if best_move is None else (best_move, None)
                if trace:
                    trace.leaf(sign * best, "table")
                return best
        moves = walk.actions(position)
        alive += len(moves)
        known = None if entry is None else entry[3]
        if known is not None:
            moves = [known, *(move for move in moves if move != known)]
        unproven_before, walk.unproven = walk.unproven, False
        best, best_move, best_line, floor = -inf, None, None, alpha
        for move in moves:
            value = -value_of(position.play(move), ply + 1, alive, -beta, -floor)
            if value > best:
                best, best_move, best_line = value, move, (move, line)
                if value >= beta:
                    cutoffs += 1
                    break
                floor = max(floor, value)
        if len(table) >= table_entries:
            table.clear()
        table[place] = (
            walk.horizon - ply if walk.unproven else inf,
            LOWER if best >= beta else EXACT if best > alpha else UPPER,
            _moved(best, ply),
            None if symmetry else best_move,
        )
        walk.unproven = walk.unproven or unproven_before
        line = best_line
        if trace:
            trace.leave(sign * best, cutoffs)
        return best

    if walk.nothing_to_search():
        return walk.leaf_result()
    best, best_line, complete = -inf, None, True
    moves = walk.root_moves()
    try:
        for move in moves:
            value = -value_of(position.play(move), position.ply + 1, 1 + len(moves), -inf, -best)
            if value > best:
                best, best_line = value, _extended(position, (move, line), table)
    except LimitReached:
        complete = False
    return walk.result(best, best_line, nodes, complete=complete, cutoffs=cutoffs, table=len(table))


def _moved(score: float, plies: int) -> float:
    """Return a win or loss as it counts from a position `plies` later; estimates as they are."""
    return score + plies if score > 1 else score - plies if score < -1 else score


def _extended(position: Position, line: Line, table: Table) -> Line:
    """Return `line` from `position`, followed by the best moves that the table knows."""
    moves = []
    while line is not None:
        move, line = line
        moves.append(move)
        position = position.play(move)
    while position.outcome() is None:
        _, bound, _, best_move = table.get(position.key(), (0, UPPER, 0, None))
        if bound != EXACT or best_move is None:
            break
        moves.append(best_move)
        position = position.play(best_move)
    for move in reversed(moves):
        line = move, line
    return line
