"""Iterative deepening, the value of every move, and the solution of a whole game.

deepen(search, position, limit)      depth 1, then 2, … until the limit
every_move(search, position, limit)  the value of each legal move
solve_all(position)                  the exact value of every position that can follow
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from noughts.games.position import Position
from noughts.search.result import NO_LIMIT, Limit, Order, SearchResult, Value
from noughts.search.walk import LimitReached, Watch, sign_of

Search = Callable[[Any, Limit], SearchResult]
"""Any search with its options filled in: takes a position and a limit."""
MIN_SECONDS = 1e-6
"""Seconds for a search that begins when the time is already up."""


def in_order(moves: Sequence[int]) -> Order:
    """Return an order that tries the moves of `moves` first, in their order, then the others.

    >>> import noughts
    >>> in_order((4, 0, 2))(noughts.game("basic"))
    [4, 0, 2, 1, 3, 5, 6, 7, 8]
    """
    rank = {move: index for index, move in enumerate(moves)}

    def order(position: Position) -> list[int]:
        return sorted(position.legal_moves(), key=lambda move: rank.get(move, len(rank)))

    return order


def remaining(watch: Watch, limit: Limit, nodes: int) -> Limit:
    """Return the rest of a limit after `nodes` nodes.

    Raises:
        LimitReached: no nodes or time remain.
    """
    watch.check(nodes)
    return replace(
        limit,
        nodes=None if limit.nodes is None else limit.nodes - nodes,
        seconds=None if limit.seconds is None else max(limit.seconds - watch.elapsed, MIN_SECONDS),
    )


def deepen(search: Search, position: Position, limit: Limit = NO_LIMIT) -> Iterator[SearchResult]:
    """Search to depth 1, 2, 3 and so on, and yield each finished result.

    The search ends when a result is exact, or at the limit. A limit of nodes or time yields the
    last finished result once more, with `complete` false. Nodes, cutoffs and seconds count from
    the start. There is always a first result, even if the limit interrupts it.
    """
    watch = Watch(limit)
    nodes = cutoffs = depth = deepest = 0
    last: SearchResult | None = None
    while limit.depth is None or depth < limit.depth:
        depth += 1
        try:
            left = remaining(watch, limit, nodes)
        except LimitReached:
            if last is not None:
                yield replace(last, complete=False, seconds=watch.elapsed)
                return
            left = replace(limit, seconds=MIN_SECONDS)
        result = search(position, replace(left, depth=depth))
        nodes += result.nodes
        cutoffs += result.cutoffs
        deepest = max(deepest, result.depth)
        # A table can hold a win or loss beyond this depth, while a quicker one is still unseen.
        proven = result.exact and (result.value.plies or 0) <= depth
        if last is None or result.complete or result.exact:
            last = result if proven else replace(result, score=sign_of(result.score))
        last = replace(
            last,
            complete=result.complete,
            nodes=nodes,
            cutoffs=cutoffs,
            depth=deepest,
            seconds=watch.elapsed,
        )
        yield last
        if proven or not result.complete:
            return


def every_move(search: Search, position: Position, limit: Limit = NO_LIMIT) -> SearchResult:
    """Return the result of searching each legal move by itself, with a full window.

    `moves` holds the value of every legal move; the result is exact if every value is. The depth
    limit counts from `position`. Moves beyond the limit of nodes or time are `unknown`.
    """
    if position.outcome() is not None or limit.depth == 0:
        return search(position, limit)
    watch = Watch(limit)
    nodes, cutoffs, depth, peak, complete = 1, 0, 0, 0, True
    values: dict[int, Value] = {}
    lines: dict[int, tuple[int, ...]] = {}
    open_moves = set()  # whose wins may be quicker than known
    for move in position.legal_moves():
        values[move], lines[move] = Value.unknown(), (move,)
        try:
            left = remaining(watch, limit, nodes)
        except LimitReached:
            complete = False
            open_moves.add(move)
            continue
        below = None if limit.depth is None else limit.depth - 1
        result = search(position.play(move), replace(left, depth=below))
        values[move], lines[move] = result.value.for_mover, (move, *result.line)
        nodes += result.nodes
        cutoffs += result.cutoffs
        depth, peak = max(depth, 1 + result.depth), max(peak, result.peak)
        complete = complete and result.complete
        if not result.complete or (values[move].is_win and values[move].plies is None):
            open_moves.add(move)
    best = max(values, key=lambda move: values[move].rank)
    score = values[best].score(position.ply)
    if open_moves - {best} and values[best].plies != 1:
        score = sign_of(score)
    return SearchResult(
        move=best,
        score=score,
        exact=all(value.is_exact for value in values.values()),
        complete=complete,
        depth=depth,
        nodes=nodes,
        seconds=watch.elapsed,
        position=position,
        line=lines[best],
        cutoffs=cutoffs,
        peak=peak + len(values),
        moves=values,
    )


def solve_all(start: Position, most: int = 1_000_000) -> dict[Position, Value]:
    """Return the exact value of every position that can follow from `start`.

    >>> import noughts
    >>> solution = solve_all(noughts.game("basic"))
    >>> len(solution), str(solution[noughts.game("basic")])
    (5478, 'D')

    Raises:
        ValueError: there are more than `most` positions.
    """
    solution: dict[Position, Value] = {}

    def solve(position: Position) -> Value:
        value = solution.get(position)
        if value is None:
            outcome = position.outcome()
            if outcome is None:
                after = (solve(position.play(move)) for move in position.legal_moves())
                value = max((value.for_mover for value in after), key=attrgetter("rank"))
            elif outcome.winner is None:
                value = Value.draw()
            else:
                value = Value("win" if outcome.winner is position.turn else "loss", 0, None)
            if len(solution) >= most:
                raise ValueError(f"more than {most:,} positions can be reached from {start}")
            solution[position] = value
        return value

    solve(start)
    return solution
