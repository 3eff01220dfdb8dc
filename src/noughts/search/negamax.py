"""Negamax with iterative deepening and a transposition table.

The value for one side is minus the value for the other, so one function serves both. The table
stores the result of a position, whatever moves led to it:

    key(position) → (depth, bound, score, move)

    depth   plies that the score looks ahead; infinite if it depends on no estimate
    bound   EXACT, or LOWER after a cutoff, or UPPER if no move reached alpha
    score   for the side to move; the distance to a win or loss counts from the position
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from math import inf
from typing import Any, Literal

from noughts.games.position import Position, canonical_key
from noughts.search.evaluation import default_evaluation
from noughts.search.result import NO_LIMIT, Evaluation, Limit, Order, SearchResult
from noughts.search.root import deepen, every_move
from noughts.search.trace import OPPOSITE, Bound, Trace
from noughts.search.walk import LimitReached, Line, Walk

EXACT: Bound = "exact"
LOWER: Bound = "lower"
UPPER: Bound = "upper"
TableScore = Literal["distance", "sign"]
"""The scores that a table can hold; `"ten"` scores cannot, since they depend on the root."""
Entry = tuple[float, Bound, float, int | None]
Table = dict[Hashable, Entry]


def negamax(
    position: Position,
    limit: Limit = NO_LIMIT,
    *,
    score: TableScore = "distance",
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
        limit: the result is that of the last depth finished within the limit.
        score: `"distance"` prefers the quicker win and the slower loss, `"sign"` does not.
        evaluate: the estimate for the side to move at the cutoff; the game's default evaluation
            if left out.
        symmetry: whether rotated and mirrored positions share a table entry.
        table: the table of an earlier search with the same game, `score` and `symmetry`; it is
            filled further.
        table_entries: the size at which the table is emptied.
        order: the moves of a position in the order to try, after the table's move.
        seed: shuffles the moves of the root, to vary the choice among equal moves.
        trace: receives every step.
    """
    *_, last = analyse(
        position,
        limit,
        moves=False,
        score=score,
        evaluate=evaluate,
        symmetry=symmetry,
        table=table,
        table_entries=table_entries,
        order=order,
        seed=seed,
        trace=trace,
    )
    return last


def analyse(
    position: Position, limit: Limit = NO_LIMIT, *, moves: bool = True, **options: Any
) -> Iterator[SearchResult]:
    """Yield results of negamax to depth 1, 2, 3 and so on, until proven or at the limit.

    Args:
        position: the root.
        limit: when to end.
        moves: whether `result.moves` holds the value of every legal move; without it, the search
            sees deeper in the same time.
        options: as of `negamax`.
    """
    options = {"table": {}, **{key: each for key, each in options.items() if each is not None}}
    if moves:
        yield from deepen(partial(every_move, partial(negamax, **options)), position, limit)
        return
    options = {"evaluate": default_evaluation(position), **options}
    search: Any = partial(_to_depth, **options)
    if position.outcome() is not None or limit.depth == 0:
        yield search(position, limit)
    else:
        yield from deepen(search, position, limit)


def _to_depth(
    position: Position,
    limit: Limit,
    *,
    evaluate: Evaluation,
    table: Table,
    score: TableScore = "distance",
    symmetry: bool = False,
    table_entries: int = 1_000_000,
    order: Order | None = None,
    seed: int | None = None,
    trace: Trace | None = None,
) -> SearchResult:
    """Search to the depth of `limit`, with the fail-soft contract of `alphabeta`."""
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
                    trace.leaf(sign * best, "table", bound if sign > 0 else OPPOSITE[bound])
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
    """Return a score counted from a position `plies` later; estimates stay as they are."""
    return score + plies if score > 1 else score - plies if score < -1 else score


def _extended(position: Position, line: Line, table: Table) -> Line:
    """Return `line` from `position`, extended by the best moves of the table."""
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
