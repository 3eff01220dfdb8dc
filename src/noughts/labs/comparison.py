"""Compare the costs of searches on one position, and their growth with the board.

    position ──► compare() ──► SearchComparison   each search to depths 1 to d; MCTS by simulations
    positions ─► grow()    ──► Growth             the same searches on one board after another

All searches score by sign, as in the courses, and stop at the same depth, where they use the game's
default evaluation: depth-limited minimax is H-minimax. A search that reaches its limit would need
*more* nodes than it counts (`complete` is false).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import NamedTuple

from noughts.analysis import Analyser
from noughts.games.lines import LINES
from noughts.games.nested import NestedPosition
from noughts.games.position import Position
from noughts.games.row import RowPosition
from noughts.labs.report import Progress, silent
from noughts.search import (
    Limit,
    SearchResult,
    alphabeta,
    hminimax,
    in_order,
    mcts,
    minimax,
    negamax,
)
from noughts.search.evaluation import default_evaluation
from noughts.search.result import NO_LIMIT, Evaluation, Order, Outlook
from noughts.search.walk import LimitReached, Watch, estimated

Contender = Callable[[Position, Limit], SearchResult]
"""A search with its options filled in."""

EACH = Limit(nodes=600_000)
"""Default limit of each search: enough for the whole tree of 3×3."""
SIMULATIONS = (10, 100, 1_000, 10_000)
"""Numbers of simulations at which MCTS is run."""
NATIVE_NODES = 3_000_000
"""Node limit of the native solvers for the exact values of the moves."""

MINIMAX = "minimax"
WORST_FIRST = "alpha-beta, worst first"
RANDOM = "alpha-beta, random"
ASCENDING = "alpha-beta, ascending"
CENTRE_FIRST = "alpha-beta, centre first"
GUESSED = "alpha-beta, best guess"
BEST_FIRST = "alpha-beta, best first"
TABLE = "negamax, table"
SYMMETRY = "negamax, table, symmetry"
MCTS = "MCTS"
SEARCHES = (
    MINIMAX,
    WORST_FIRST,
    RANDOM,
    ASCENDING,
    CENTRE_FIRST,
    GUESSED,
    BEST_FIRST,
    TABLE,
    SYMMETRY,
    MCTS,
)
"""All searches in display order."""

SIZES = ("mnk:2,2,2", "mnk:3,2,3", "mnk:3,3,3", "mnk:4,3,3", "mnk:4,4,3", "mnk:4,4,4")
"""Boards of 4, 6, 9, 12 and 16 cells, for measuring the growth."""


@dataclass(frozen=True)
class Run:
    """One search on one position."""

    search: str
    """The search and order of moves, such as `"alpha-beta, centre first"`."""
    depth: int | None
    """Depth limit in plies; `None` for MCTS and for a search to the end of the game."""
    result: SearchResult
    among_best: bool | None = None
    """Whether its move is one of the best; `None` if unknown."""

    @property
    def branching(self) -> float | None:
        """The effective branching factor, if a depth was given and reached."""
        if not self.depth or not self.result.complete:
            return None
        return effective_branching_factor(self.result.nodes, self.depth)


@dataclass(frozen=True)
class SearchComparison:
    """The runs of all searches on one position."""

    position: Position
    depth: int
    """The final depth d of all searches except MCTS."""
    whole: bool
    """Whether every game is over at that depth, so that no evaluation was needed."""
    tree: tuple[int, ...]
    """Positions of the whole tree to depth 0, 1, 2 and so on, as far as counted."""
    runs: tuple[Run, ...]
    """Runs by depth, then in the order of the searches; those of MCTS last."""
    best: tuple[int, ...] | None
    """The best moves by sign, each searched with a full window; `None` if unknown."""
    limit: Limit
    """The limit of each search."""
    seed: int

    @property
    def searches(self) -> list[str]:
        """The names of the searches with a depth."""
        return list(dict.fromkeys(run.search for run in self.runs if run.search != MCTS))

    def at(self, search: str) -> dict[int, Run]:
        """Return the runs of one search by depth, the deepest last."""
        return {run.depth: run for run in self.runs if run.search == search and run.depth}

    def branching(self, depth: int) -> float | None:
        """Return b, the effective branching factor of the whole tree to `depth`, if it is known."""
        if not 0 < depth < len(self.tree):
            return None
        return effective_branching_factor(self.tree[depth], depth)


@dataclass(frozen=True)
class Growth:
    """The runs of the same searches on several start positions."""

    positions: tuple[Position, ...]
    depth: int | None
    """Depth limit in plies; `None` for the end of the game."""
    trees: tuple[int | None, ...]
    """For each position, the nodes of its whole tree to that depth, if counted."""
    runs: tuple[dict[str, Run], ...]
    """For each position, its runs by search."""
    limit: Limit

    @property
    def searches(self) -> list[str]:
        """The names of the searches."""
        return list(dict.fromkeys(search for runs in self.runs for search in runs))


def effective_branching_factor(nodes: int, depth: int) -> float:
    """Return b*, the branching factor of a uniform tree with these nodes and this depth.

    It solves nodes = 1 + b* + b*² + … + b*^depth, the root being one of the nodes (Nilsson,
    Problem-Solving Methods in Artificial Intelligence, 1971; Russell and Norvig, AIMA, 3.6.1,
    whose example is 52 nodes and the root, at depth 5).

    >>> round(effective_branching_factor(53, 5), 2)
    1.92

    Raises:
        ValueError: no nodes, or depth 0.
    """
    if nodes < 1 or depth < 1:
        raise ValueError(f"a tree of {nodes} nodes and depth {depth} has no branching factor")
    low, high = 0.0, float(nodes)
    for _ in range(100):
        middle = (low + high) / 2
        total = 0.0
        for _ in range(depth + 1):
            total = total * middle + 1
        low, high = (middle, high) if total < nodes else (low, middle)
    return high


def minimal_leaves(branching: float, depth: int) -> float:
    """Return b^⌈d/2⌉ + b^⌊d/2⌋ - 1, the fewest leaves of any proof of the value.

    Alpha-beta visits no others in a uniform tree where the best move always comes first (Knuth
    and Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6, 1975).

    >>> minimal_leaves(3, 3)
    11
    """
    return branching ** -(-depth // 2) + branching ** (depth // 2) - 1


class TreeCount(NamedTuple):
    """The size of the tree that minimax searches."""

    sizes: tuple[int, ...]
    """Nodes to depth 0, 1, 2 and so on."""
    whole: bool
    """Whether all games are over at the last depth."""


def count_tree(position: Position, limit: Limit = NO_LIMIT, most: int = 100_000) -> TreeCount:
    """Count the nodes of the tree below a position, ply by ply.

    Equal positions of one ply are counted together, which allows trees too large to search.

    >>> import noughts
    >>> count_tree(noughts.game("basic")).sizes[-1]
    549946

    Args:
        position: the root.
        limit: of depth and nodes; the first ply is counted in any case.
        most: most different positions of a ply held in memory; the count ends before more.
    """
    sizes = [1]
    layer: dict[Hashable, tuple[Position, int]] = {position.key(): (position, 1)}
    while len(layer) <= most:
        width = sum(ways * len(place.legal_moves()) for place, ways in layer.values())
        if not width:
            return TreeCount(tuple(sizes), True)
        nodes, depth = sizes[-1] + width, len(sizes)
        too_large = limit.nodes is not None and nodes > limit.nodes and depth > 1
        if too_large or (limit.depth is not None and depth > limit.depth):
            break
        sizes.append(nodes)
        after: dict[Hashable, tuple[Position, int]] = {}
        for place, ways in layer.values():
            for move in place.legal_moves():
                child = place.play(move)
                key = child.key()
                after[key] = child, ways + (after[key][1] if key in after else 0)
            if len(after) > most:
                break
        layer = after
    return TreeCount(tuple(sizes), False)


# orders of moves


def centre_first(position: Position) -> Order | None:
    """Return the order that tries cells in more lines first; `None` in a game without cells.

    In the nested games the cell counts more than its board.
    """
    if isinstance(position, RowPosition):
        rules = position.rules
        through = [len(lines) for lines in rules.lines_through]
        if rules.gravity:
            through = [sum(through[column :: rules.columns]) for column in range(rules.columns)]
        return in_order(sorted(range(len(through)), key=lambda move: -through[move]))
    if isinstance(position, NestedPosition):
        cells = [sum(line >> cell & 1 for line in LINES) for cell in range(9)]
        return in_order(sorted(range(81), key=lambda move: (-cells[move % 9], -cells[move // 9])))
    return None


def random_order(seed: int) -> Order:
    """Return an order that shuffles the moves of every position, determined by the seed."""
    rng = random.Random(seed)

    def order(position: Position) -> list[int]:
        moves = position.legal_moves()
        return rng.sample(moves, len(moves))

    return order


def worth(position: Position, evaluate: Evaluation) -> float:
    """Return the result of a finished game, or an estimate, for the side to move."""
    outcome = position.outcome()
    if outcome is None:
        return estimated(evaluate, position)
    return 0.0 if outcome.winner is None else 1.0 if outcome.winner is position.turn else -1.0


def guessed(evaluate: Evaluation) -> Order:
    """Return the order of moves by the evaluation of the positions after them, best first."""

    def order(position: Position) -> list[int]:
        return sorted(position.legal_moves(), key=lambda move: worth(position.play(move), evaluate))

    return order


@dataclass(frozen=True)
class Hindsight:
    """An order of moves by their values in a full search, best first."""

    moves: dict[Hashable, tuple[int, ...]]

    def best_first(self, position: Position) -> tuple[int, ...]:
        return self.moves[position.key()]

    def worst_first(self, position: Position) -> tuple[int, ...]:
        return self.moves[position.key()][::-1]


def hindsight(position: Position, limit: Limit, depth: int, evaluate: Evaluation) -> Hindsight:
    """Return the results of minimax to `depth` for every position, each searched once.

    For a position reached at several depths the deepest search counts.

    Raises:
        LimitReached: the limit of positions or time is reached.
    """
    watch = Watch(limit)
    entered, check_at = 0, watch.check(0)
    values: dict[tuple[Hashable, int], float] = {}
    moves: dict[Hashable, tuple[int, ...]] = {}
    looked: dict[Hashable, int] = {}

    def value_of(place: Position, left: int) -> float:
        nonlocal entered, check_at
        if left == 0 or place.outcome() is not None:
            return worth(place, evaluate)
        key = place.key()
        known = values.get((key, left))
        if known is not None:
            return known
        entered += 1
        if entered >= check_at:
            check_at = watch.check(entered)
        scores = {move: -value_of(place.play(move), left - 1) for move in place.legal_moves()}
        if left > looked.get(key, 0):
            looked[key] = left
            moves[key] = tuple(sorted(scores, key=lambda move: -scores[move]))
        values[key, left] = max(scores.values())
        return values[key, left]

    value_of(position, depth)
    return Hindsight(moves)


# searches


def contenders(
    position: Position, seed: int, evaluate: Evaluation | None = None
) -> dict[str, Contender]:
    """Return the searches that need only the position, by name.

    Args:
        position: the root.
        seed: of the random order.
        evaluate: the estimate at a depth limit; by default the game's own evaluation.
    """
    evaluate = evaluate or default_evaluation(position)

    def full_width(position: Position, limit: Limit) -> SearchResult:
        if limit.depth is None:
            return minimax(position, limit, score="sign")
        return hminimax(position, limit, evaluate=evaluate, score="sign")

    def pruned(order: Callable[[], Order | None]) -> Contender:
        return lambda position, limit: alphabeta(
            position, limit, score="sign", evaluate=evaluate, order=order()
        )

    found: dict[str, Contender] = {
        MINIMAX: full_width,
        RANDOM: pruned(lambda: random_order(seed)),
        ASCENDING: pruned(lambda: None),
    }
    central = centre_first(position)
    if central is not None:
        found[CENTRE_FIRST] = pruned(lambda: central)
    found[GUESSED] = pruned(lambda: guessed(evaluate))
    found[TABLE] = partial(negamax, score="sign", evaluate=evaluate)
    if len(list(position.symmetries())) > 1:
        found[SYMMETRY] = partial(negamax, score="sign", evaluate=evaluate, symmetry=True)
    return found


def compare(
    position: Position,
    limit: Limit = EACH,
    *,
    seed: int = 0,
    simulations: Sequence[int] = SIMULATIONS,
    evaluate: Evaluation | None = None,
    progress: Progress = silent,
) -> SearchComparison:
    """Run every search on a position, to depth 1, 2 and so on.

    Args:
        position: an unfinished game.
        limit: of each search. Its `depth` is the last depth; default the deepest that minimax
            finishes within the limit, at least 1.
        seed: of the random order of moves and of MCTS.
        simulations: of MCTS, one run for each number, up to the first that proves the value
            or runs out of time.
        evaluate: the estimate at a depth limit; by default the game's own evaluation.
        progress: called with (done, total) after each search.

    Raises:
        ValueError: the game is over.
    """
    refuse_finished(position)
    each = replace(limit, depth=None)
    tree = count_tree(position, each if limit.depth is None else Limit(depth=limit.depth))
    whole, depth = tree.whole, len(tree.sizes) - 1
    if limit.depth is not None and not whole:
        depth = limit.depth
    evaluate = evaluate or default_evaluation(position)
    searches = contenders(position, seed, evaluate)
    steps, total = count(), depth * (len(searches) + 2) + len(simulations) + 1

    def run(search: str, contend: Contender, plies: int) -> Run:
        progress(next(steps), total)
        # To the end of the game, no evaluation is used.
        to_the_end = whole and plies == len(tree.sizes) - 1
        return Run(
            search, plies, contend(position, replace(each, depth=None if to_the_end else plies))
        )

    runs: list[Run] = []
    for plies in range(1, depth + 1):
        full = run(MINIMAX, searches[MINIMAX], plies)
        if plies > 1 and limit.depth is None and not full.result.complete:
            depth, whole = plies - 1, False
            break
        here = {search: run(search, searches[search], plies) for search in [*searches][1:]}
        here[MINIMAX] = full
        with suppress(LimitReached):
            known = hindsight(position, each, plies, evaluate)
            for search, order in ((WORST_FIRST, known.worst_first), (BEST_FIRST, known.best_first)):
                ordered = partial(alphabeta, score="sign", evaluate=evaluate, order=order)
                here[search] = run(search, ordered, plies)
        runs += (here[search] for search in SEARCHES if search in here)
    for number in simulations:
        progress(total - 1, total)
        result = mcts(position, Limit(simulations=number, seconds=limit.seconds), seed=seed)
        # A run with all its simulations is complete; only the time limit stops it early.
        finished = result.complete or result.simulations >= number
        runs.append(Run(MCTS, None, replace(result, complete=finished)))
        if result.exact or not finished:
            break
    progress(total - 1, total)
    outlooks = move_outlooks(position, each)
    progress(total, total)
    return SearchComparison(
        position=position,
        depth=depth,
        whole=whole,
        tree=tree.sizes,
        runs=tuple(replace(each, among_best=is_best(each.result.move, outlooks)) for each in runs),
        best=best_moves(outlooks),
        limit=each,
        seed=seed,
    )


def grow(
    positions: Sequence[Position],
    limit: Limit = EACH,
    *,
    progress: Progress = silent,
) -> Growth:
    """Run the searches on several positions, to the end of the game or to one depth.

    Args:
        positions: unfinished games, from small to large.
        limit: of each search; its `depth` is the depth of all.
        progress: called with (done, total) after each search.

    Raises:
        ValueError: one of the games is over.
    """
    wanted = (MINIMAX, ASCENDING, CENTRE_FIRST, TABLE, SYMMETRY)
    for position in positions:
        refuse_finished(position)
    trees: list[int | None] = []
    runs: list[dict[str, Run]] = []
    total = len(positions) * len(wanted)
    for number, position in enumerate(positions):
        searches = contenders(position, seed=0)
        runs.append({})
        for index, search in enumerate(wanted):
            progress(number * len(wanted) + index, total)
            if search in searches:
                runs[-1][search] = Run(search, limit.depth, searches[search](position, limit))
        tree = count_tree(position, Limit(depth=limit.depth))
        counted = tree.whole or len(tree.sizes) - 1 == limit.depth
        trees.append(tree.sizes[-1] if counted else None)
    progress(total, total)
    return Growth(tuple(positions), limit.depth, tuple(trees), tuple(runs), limit)


def refuse_finished(position: Position) -> None:
    """Raise a ValueError if the game is over."""
    if position.outcome() is not None:
        raise ValueError(f"there is nothing to search in {position}: the game is over")


# which moves are best


def move_outlooks(position: Position, limit: Limit) -> dict[int, Outlook]:
    """Return the outcome of each legal move under best play, as far as it can be proven.

    Each move is searched separately with a full window, by the native solvers if they know the
    game, else by negamax within `limit`.
    """
    values = Analyser().solve_moves(position, limit, NATIVE_NODES)
    return {move: value.kind for move, value in values.items()}


RANGE: dict[Outlook, tuple[int, int]] = {
    "win": (1, 1),
    "draw": (0, 0),
    "loss": (-1, -1),
    "unknown": (-1, 1),
}
"""Lower and upper bound of a move's value by sign, for each outcome."""


def is_best(move: int | None, outlooks: Mapping[int, Outlook]) -> bool | None:
    """Return whether no move is better; `None` if unknown.

    >>> is_best(1, {1: "draw", 2: "loss"}), is_best(1, {1: "draw", 2: "unknown"})
    (True, None)
    >>> is_best(1, {1: "loss", 2: "draw", 3: "unknown"})
    False
    """
    if move is None:
        return None
    least, most = RANGE[outlooks[move]]
    if least >= max(RANGE[outlook][1] for outlook in outlooks.values()):
        return True
    return False if most < max(RANGE[outlook][0] for outlook in outlooks.values()) else None


def best_moves(outlooks: Mapping[int, Outlook]) -> tuple[int, ...] | None:
    """Return the best moves, or `None` if they are not all known.

    >>> best_moves({1: "draw", 2: "loss", 3: "draw"}), best_moves({1: "draw", 2: "unknown"})
    ((1, 3), None)
    """
    found = {move: is_best(move, outlooks) for move in outlooks}
    return None if None in found.values() else tuple(move for move in found if found[move])
