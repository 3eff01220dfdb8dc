"""Openings: the first moves of a pair of games, which each bot plays from both sides.

    a file ──read_openings()─────────┐
    chance ──random_openings()───────┼──► Opening: a start and moves ──► schedule
    chance + solver ──balanced_openings()─┤
    chance + engine ──even_openings()─────┘

The same arguments give the same openings everywhere: random openings depend on the seed, and the
solver is limited by nodes, not by time. A longer list begins with the shorter one, so that a match
can be extended.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from noughts.analysis import Analyser
from noughts.engine import Engine, is_native
from noughts.games import record
from noughts.games.nested import NestedPosition
from noughts.games.position import Position, parse_moves, placed
from noughts.games.registry import GAMES, game, parse_start
from noughts.games.row import MNK
from noughts.games.words import short_text
from noughts.search import Limit, Value

SOLVER_NODES = 1_000_000
"""Default nodes of the core's exact solver for an opening."""
PYTHON_NODES = 20_000
"""Maximum nodes of `negamax`, in games that the core does not know."""
TABLE_MIB = 16
"""Memory of the solver's table in MiB."""
PATIENCE = 1000
"""Random draws in a row without a new opening after which the draw ends."""
SOLVER_PATIENCE = 100
"""Openings in a row without a proven draw after which the search ends."""
FIRST_PATIENCE = 20
"""First openings after which the search ends if none of them has a proven value."""

LARGE_BOARD = 81
"""Cells from which an m,n,k-game is too large for proofs of its openings."""
PROVABLE_PLY = 30
"""The ply from which the openings of a nine-board game can be proven."""
EVEN_NODES = 20_000
"""Default nodes of the engine for an opening that it estimates."""
EVEN = 0.15
"""The largest estimate, for either side, of an opening that counts as even."""
MIDDLE = 7
"""Columns and rows in the middle of a large board in which the stones of an opening stand."""

Solver = Callable[[Position], Value]
"""Returns the value of a position, unknown if it is not proven."""


class Opening(NamedTuple):
    """The start of a game and its first moves."""

    start: str
    """A rules id or a position string."""
    moves: tuple[int, ...] = ()


class NoOpenings(ValueError):
    """No opening of the requested kind exists; the message has the reason."""


class Drawn(NamedTuple):
    """Openings that were proven to be draws, and the work for them."""

    openings: list[Opening]
    tried: int
    solved: int
    """Number of tried openings with a proven value."""


def default_nodes(rules_id: str) -> int:
    """Return the default nodes of a proof: fewer in a game that is searched in Python."""
    return SOLVER_NODES if is_native(game(rules_id)) else PYTHON_NODES


def solver(rules_id: str, nodes: int | None = None) -> Solver:
    """Return a function that proves values within a number of nodes, the same in every run.

    It keeps its tables, so that the order of the positions matters. A user's game is searched in
    Python, within fewer nodes.
    """
    most = default_nodes(rules_id)
    nodes = nodes or most
    limit = Limit(nodes=nodes if is_native(game(rules_id)) else min(nodes, most))
    analyser = Analyser(table_mib=TABLE_MIB)
    return lambda place: analyser.solve(place, limit).value


def random_openings(start: str, plies: int, count: int, seed: int) -> list[Opening]:
    """Return openings of random moves, at most `count`, no two of which reach the same position.

    There may be fewer in a small game. No opening ends the game or lets the side to move win at
    once.

    Args:
        start: a rules id or a position string.
        plies: moves of each opening; with 0 the only opening is the start.
        count: maximum number.
        seed: seed of the draw.

    Raises:
        NoOpenings: there is none.
    """
    found = [opening for opening, _ in _draw(start, plies, count, seed)]
    if not found:
        raise NoOpenings(f"{start}: after {plies} plies every game is over")
    return found


def balanced_openings(
    start: str,
    plies: int,
    count: int,
    seed: int,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
    *,
    nodes: int | None = None,
) -> Drawn:
    """Return openings as `random_openings` that are all proven to be draws.

    Args:
        start: a rules id or a position string.
        plies: moves of each opening.
        count: maximum number.
        seed: seed of the draw.
        progress: called with (found, wanted).
        nodes: limit of the proof of an opening; default 1,000,000 (20,000 in Python).

    Raises:
        NoOpenings: none could be proven to be a draw.
    """
    rules_id = parse_start(start).rules_id
    nodes = nodes or default_nodes(rules_id)
    prove = solver(rules_id, nodes)
    found: list[Opening] = []
    tried = solved = since = 0
    for opening, place in _draw(start, plies, None, seed):
        value = prove(place).kind
        tried, solved, since = tried + 1, solved + (value != "unknown"), since + 1
        if value == "draw":
            found.append(opening)
            since = 0
            progress(len(found), count)
        if len(found) == count or since == (SOLVER_PATIENCE if solved else FIRST_PATIENCE):
            break
    if not found:
        raise NoOpenings(
            f"no opening of {plies} plies of {start} was proven to be a draw: of {tried} tried, "
            f"{solved} have a value that is proven within {nodes:,} nodes, and none is a draw"
        )
    return Drawn(found, tried, solved)


def is_large_board(start: Position) -> bool:
    """Whether a position is of an m,n,k-game that is too large for proofs of its openings."""
    return isinstance(start, MNK) and start.rules.size >= LARGE_BOARD and not start.rules.misere


def is_estimated(start: Position) -> bool:
    """Whether openings from a position are too early for proofs, so that the engine estimates them.

    So it is on large boards, and in nine-board games before `PROVABLE_PLY`.
    """
    is_nested = isinstance(start, NestedPosition) and start.ply < PROVABLE_PLY
    return is_nested or is_large_board(start)


def even_openings(
    start: str,
    plies: int,
    count: int,
    seed: int,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
    *,
    nodes: int = EVEN_NODES,
) -> list[Opening]:
    """Return openings that the engine estimates as even.

    The estimate of the best move is at most `EVEN` for either side, and no win is proven. Stones on
    a large board are in its middle. The engine has the seed of the draw and begins each search with
    empty tables.

    Args:
        start: a rules id or a position string for which `is_estimated` is true.
        plies: moves of each opening.
        count: maximum number.
        seed: seed of the draw and of the engine.
        progress: called with (found, wanted).
        nodes: of the engine, for each opening.

    Raises:
        NoOpenings: none of the openings tried is even.
    """
    first = parse_start(start)
    middle = _middle(first) if isinstance(first, MNK) else None
    engine = Engine(first.rules_id, table_mib=TABLE_MIB, seed=seed)
    found: list[Opening] = []
    since = 0
    for opening, place in _draw(start, plies, None, seed, middle):
        engine.clear()
        estimate = engine.best_move(place, Limit(nodes=nodes)).value.estimate
        since += 1
        if estimate is not None and abs(estimate) <= EVEN:
            found.append(opening)
            since = 0
            progress(len(found), count)
        if len(found) == count or since == SOLVER_PATIENCE:
            break
    if not found:
        raise NoOpenings(
            f"no opening of {plies} plies of {start} is even by the engine's estimate with "
            f"{nodes:,} nodes"
        )
    return found


def _middle(board: MNK) -> frozenset[int]:
    """Return the cells at most `MIDDLE` columns and rows wide in the middle of a board."""
    rules = board.rules
    left, top = (rules.columns - MIDDLE) // 2, (rules.rows - MIDDLE) // 2
    return frozenset(
        row * rules.columns + column
        for row in range(max(top, 0), min(top + MIDDLE, rules.rows))
        for column in range(max(left, 0), min(left + MIDDLE, rules.columns))
    )


def _draw(
    start: str, plies: int, count: int | None, seed: int, cells: frozenset[int] | None = None
) -> Iterator[tuple[Opening, Position]]:
    """Yield openings and their final positions, until no new one is drawn.

    With `cells` all moves are among them.
    """
    rng = random.Random(f"openings {start} {plies} {seed}")
    first, seen, missed = parse_start(start), set[Hashable](), 0
    while missed < PATIENCE and (count is None or len(seen) < count):
        place, moves = first, list[int]()
        while len(moves) < plies and (legal := place.legal_moves()):
            if cells is not None and not (legal := [move for move in legal if move in cells]):
                break
            moves.append(rng.choice(legal))
            place = place.play(moves[-1])
        missed += 1
        if len(moves) == plies and place.key() not in seen and _goes_on(place):
            seen.add(place.key())
            missed = 0
            yield Opening(start, tuple(moves)), place


def _goes_on(place: Position) -> bool:
    """Whether the game is in progress and cannot be won by the next move."""
    if place.outcome() is not None:
        return False
    after = (place.play(move).outcome() for move in place.legal_moves())
    return not any(outcome and outcome.winner is place.turn for outcome in after)


# Files --------------------------------------------------------------------------------------------


def read_openings(
    path: Path, starts: Sequence[str], plies: int | None = None
) -> dict[str, list[Opening]]:
    """Return the openings of a file for each start, in their order.

    In a file of records, in any form that `record.read` knows, each game is an opening: as many of
    its moves as its tag `Opening` says, or all moves without the tag. In any other file each line
    is an opening: moves, for every start; or a position string or rules id and moves from it, for
    the starts with the same rules. Empty lines and lines that begin with `#` are ignored.

    Args:
        path: the file.
        starts: rules ids or position strings.
        plies: maximum number of moves of each opening.

    Raises:
        IllegalMove: a move is against the rules; the reason names the line.
        NotationError: a line or record cannot be read; the reason names the line.
        NoOpenings: an opening ends the game, or a start has no opening.
        OSError: as `open`.
    """
    found: dict[str, list[Opening]] = {start: [] for start in starts}
    for name, start, moves in _openings_of(path, starts):
        if start.after(moves[:plies]).outcome() is not None:
            advice = "; --plies keeps the first moves only" if plies is None and moves else ""
            raise NoOpenings(f"{path}, {name}: the game is over there{advice}")
        for each in starts:
            if parse_start(each).rules_id == start.rules_id:
                found[each].append(Opening(short_text(start), tuple(moves[:plies])))
    for each, openings in found.items():
        if not openings:
            raise NoOpenings(f"{path} has no opening for {each}")
    return found


def _openings_of(
    path: Path, starts: Sequence[str]
) -> Iterator[tuple[str, Position, Sequence[int]]]:
    """Yield the place of each opening in a file, its start and its moves."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        lines = file.readlines()
    first = next((line for line in lines if line.strip()), "")
    if path.suffix == ".jsonl" or record.has_records(first):
        for number, each in enumerate(record.read(path), 1):
            length = int(each.tags.get("Opening", len(each.moves)))
            yield f"game {number}", each.start, each.moves[:length]
        return
    for number, line in enumerate(lines, 1):
        head, _, rest = line.strip().partition(" ")
        if not head or head.startswith("#"):
            continue
        with placed(f"line {number}"):
            if "~" in head or head.partition(":")[0] in GAMES:
                start = parse_start(head)
                yield f"line {number}", start, parse_moves(start, rest)
                continue
            for start in map(parse_start, starts):
                yield f"line {number}", start, parse_moves(start, line)
