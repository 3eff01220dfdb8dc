"""Results of searches of one position, combined; a proof is never lost.

results of growing depth ──steady()────────────► estimates that do not jump
result, proofs           ──with_proofs()───────► the value of every move
result, its best move    ──informed()──────────►
earlier and later result ──merged()────────────►
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from noughts.search.result import SearchResult, Value

DEPTHS = 3
"""A shown estimate is the mean over this many depths."""


def steady(results: Iterable[SearchResult]) -> Iterator[SearchResult]:
    """Yield results in which an estimate is its mean with those of up to two depths before.

    An odd depth ends with a move of the own side and sees too much, an even one too little; and
    averaging three depths limits the effect of one misleading depth. Depth 0, which searches
    nothing, does not count; it is yielded if it is proven, or the only one.
    """
    before: deque[SearchResult] = deque(maxlen=DEPTHS - 1)
    last = None
    for result in results:
        if last is not None and 0 < last.depth != result.depth:
            before.append(last)
        last = result
        if result.depth > 0 or result.value.is_exact:
            yield _mean_result([*before, result])
    if last is not None and last.depth == 0 and not last.value.is_exact:
        yield last


def _mean_result(results: Sequence[SearchResult]) -> SearchResult:
    """Return the last result, each estimate replaced by its mean over all results."""
    *_, result = results
    if not result.moves:
        value = _mean([each.value for each in results])
        return result if value.is_exact else replace(result, score=value.rank)
    moves = {move: _mean([each.moves[move] for each in results]) for move in result.moves}
    return with_best(result, moves)


def _mean(values: Sequence[Value]) -> Value:
    """Return the mean of estimates; the last value if any is proven."""
    estimates = [each.estimate for each in values if each.estimate is not None]
    if len(estimates) < len(values):
        return values[-1]
    return Value.unknown(fmean(estimates))


def informed(result: SearchResult, best: SearchResult | None) -> SearchResult:
    """Return the values of all moves with the proof of another search for the best move.

    A win or a draw proves the value of its move. No other move is better than a draw, and after a
    proven loss every move loses. Of two proven wins the sooner one counts.
    """
    if best is None or not best.value.is_exact or best.move is None:
        return result
    is_sooner = best.value.is_win and best.value.rank > result.value.rank
    if result.value.is_exact and not is_sooner:
        return result
    moves, lines = dict(result.moves), dict(result.lines)
    for move, value in moves.items():
        if value.is_exact:
            continue
        if best.value.is_loss:
            moves[move] = Value.loss()
        elif best.value.is_draw:
            moves[move] = Value.unknown(min(value.estimate or 0.0, 0.0))
    moves[best.move], lines[best.move] = best.value, best.line
    return replace(
        result,
        move=best.move,
        score=best.score,
        exact=best.exact,
        line=best.line,
        moves=moves,
        lines=lines,
    )


def with_proofs(result: SearchResult, proofs: SearchResult | None) -> SearchResult:
    """Return the values of all moves with those that another search has proven."""
    known = {} if proofs is None else proofs.moves
    new = {
        move: value
        for move, value in known.items()
        if value.is_exact and not result.moves[move].is_exact
    }
    if not new:
        return result
    lines = {**result.lines, **{move: (move,) for move in new}}
    return with_best(result, {**result.moves, **new}, lines)


def with_proof(result: SearchResult, proof: SearchResult) -> SearchResult:
    """Return the values of all moves with the proven moves and the proven value of a search."""
    return informed(with_proofs(result, proof), proof)


def merged(known: SearchResult | None, found: SearchResult) -> SearchResult:
    """Return the combined result of two searches of a position.

    Proven values are kept; estimates are taken from the deeper search, since estimates of different
    depths do not compare.
    """
    if known is None or not found.moves:
        return found
    deeper, other = (found, known) if found.depth >= known.depth else (known, found)
    proven = {
        move: value
        for move, value in other.moves.items()
        if value.is_exact and not deeper.moves[move].is_exact
    }
    lines = {**deeper.lines, **{move: other.lines[move] for move in proven}}
    whole = with_best(deeper, {**deeper.moves, **proven}, lines)
    if known.move is not None and known.moves[known.move].is_exact:
        # Of equal proofs the first one stays the best.
        whole = with_best(replace(whole, move=known.move), whole.moves, lines)
    return replace(whole, nodes=found.nodes, seconds=found.seconds)


def with_best(
    result: SearchResult,
    moves: dict[int, Value],
    lines: dict[int, tuple[int, ...]] | None = None,
) -> SearchResult:
    """Return a result with other values of its moves, and the best of them.

    Of equal moves the best one stays.

    Args:
        result: of the same position.
        moves: the value of every legal move.
        lines: a line that begins with each move; default: those of the result.
    """
    lines = result.lines if lines is None else lines
    best = max(moves, key=lambda move: moves[move].rank)
    if result.move is not None and moves[result.move].rank == moves[best].rank:
        best = result.move
    own = result.line if result.line[:1] == (best,) else (best,)
    return replace(
        result,
        move=best,
        score=moves[best].score(result.position.ply),
        exact=all(value.is_exact for value in moves.values()),
        line=lines.get(best, own),
        moves=moves,
        lines=lines,
    )


def along(values: Sequence[Value]) -> list[Value]:
    """Return the values of a line's positions, each for its side to move, with proofs passed on.

    The positions before and after a lost one are won. Those before and after a draw are at least
    drawn.

    >>> print(*along([Value.unknown(0.1), Value.unknown(0.2), Value.loss(4), Value.unknown(-0.9)]))
    +0.10 W L 4 W
    """
    found = list(values)
    pairs = [(place, place + 1) for place in range(len(found) - 1)]
    for place, next_ in [*((b, a) for a, b in reversed(pairs)), *pairs]:
        if found[next_].is_exact:
            continue
        if found[place].is_loss:
            found[next_] = Value.win()
        elif found[place].is_draw:
            found[next_] = Value.unknown(max(found[next_].estimate or 0.0, 0.0))
    return found
