"""Openings: the first moves of a pair of games, which both bots get from either side.

    a file ──read_openings()─────────┐
    chance ──random_openings()───────┼──► Opening: a start and moves ──► schedule
    chance + solver ──balanced_openings()─┘

The same arguments give the same openings, everywhere: what chance draws depends on the seed, and
what the solver proves is bounded by nodes, never by time. More openings of one source begin with
the fewer, so that a match can be made longer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from noughts.engine import Engine, is_native
from noughts.games import record
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.registry import GAMES, game, parse_moves, parse_start
from noughts.search import Limit, Value, negamax

SOLVER_NODES = 1_000_000
"""How far the exact solver of the core looks for the value of an opening."""
PYTHON_NODES = 20_000
"""The same in a game that the core does not know, where `negamax` takes its place."""
TABLE_MIB = 16
"""Memory of the solver's table."""
PATIENCE = 1000
"""So many draws in a row without a new opening, and there is none left."""
SOLVER_PATIENCE = 100
"""So many openings in a row of which none is proven a draw, and there is none left."""
FIRST_PATIENCE = 20
"""The same for the first ones if not even one is proven to be anything."""

Solver = Callable[[Position], Value]
"""The value of a position; unknown where it is not proven."""


class Opening(NamedTuple):
    """Where a game begins, and its first moves."""

    start: str
    """A rules id or a position string."""
    moves: tuple[int, ...] = ()


class NoOpenings(ValueError):
    """There is no opening of the kind that is wanted; the message says why."""


class Drawn(NamedTuple):
    """Openings that were proven to be draws, and what it took."""

    openings: list[Opening]
    tried: int
    solved: int
    """How many of those tried have a proven value."""


def solver(rules_id: str, nodes: int | None = None) -> Solver:
    """Return what proves values within a number of nodes, the same in every run.

    What it found before helps it, so that the order of the positions matters. A user's own game is
    searched in Python, and not as far.
    """
    if not is_native(game(rules_id)):
        bound = Limit(nodes=min(nodes or PYTHON_NODES, PYTHON_NODES))
        return lambda place: negamax(place, bound).value
    engine = Engine(rules_id, table_mib=TABLE_MIB)
    limit = Limit(nodes=nodes or SOLVER_NODES)
    return lambda place: engine.solve(place, limit).value


def random_openings(start: str, plies: int, count: int, seed: int) -> list[Opening]:
    """Return openings of random moves, at most `count`, no two of which reach one position.

    They are fewer where the game has no more. None ends the game, or lets the side to move win at
    once.

    Args:
        start: a rules id or a position string.
        plies: moves of each; with 0 the one opening is the start.
        count: how many are wanted.
        seed: of the draw.

    Raises:
        NoOpenings: there is none.
    """
    found = [opening for opening, _ in _draw(start, plies, count, seed)]
    if not found:
        raise NoOpenings(f"{start} has no opening of {plies} plies from which a game can go on")
    return found


def balanced_openings(
    start: str,
    plies: int,
    count: int,
    seed: int,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> Drawn:
    """Return openings as `random_openings` that are all proven to be draws.

    Args:
        start: a rules id or a position string.
        plies: moves of each.
        count: how many are wanted.
        seed: of the draw.
        progress: is told how many were found, of how many.

    Raises:
        NoOpenings: none could be proven to be a draw.
    """
    prove = solver(parse_start(start).rules_id)
    found: list[Opening] = []
    tried = solved = since = 0
    for opening, place in _draw(start, plies, None, seed):
        value = prove(place).value
        tried, solved, since = tried + 1, solved + (value != "unknown"), since + 1
        if value == "draw":
            found.append(opening)
            since = 0
            progress(len(found), count)
        if len(found) == count or since == (SOLVER_PATIENCE if solved else FIRST_PATIENCE):
            break
    if not found:
        nodes = SOLVER_NODES if is_native(parse_start(start)) else PYTHON_NODES
        raise NoOpenings(
            f"no opening of {plies} plies of {start} was proven to be a draw: of {tried} tried, "
            f"{solved} have a value that is proven within {nodes:,} nodes, and none is a draw"
        )
    return Drawn(found, tried, solved)


def _draw(
    start: str, plies: int, count: int | None, seed: int
) -> Iterator[tuple[Opening, Position]]:
    """Yield openings and where they lead, until chance finds no new one."""
    rng = random.Random(f"openings {start} {plies} {seed}")
    first, seen, missed = parse_start(start), set[Hashable](), 0
    while missed < PATIENCE and (count is None or len(seen) < count):
        place, moves = first, list[int]()
        while len(moves) < plies and (legal := place.legal_moves()):
            moves.append(rng.choice(legal))
            place = place.play(moves[-1])
        missed += 1
        if len(moves) == plies and place.key() not in seen and _goes_on(place):
            seen.add(place.key())
            missed = 0
            yield Opening(start, tuple(moves)), place


def _goes_on(place: Position) -> bool:
    """Whether there is a game to be played: it is not over, and not with the next move."""
    if place.outcome() is not None:
        return False
    after = (place.play(move).outcome() for move in place.legal_moves())
    return not any(outcome and outcome.winner is place.turn for outcome in after)


# Files --------------------------------------------------------------------------------------------


def read_openings(
    path: Path, starts: Sequence[str], plies: int | None = None
) -> dict[str, list[Opening]]:
    """Return the openings that a file has for each start, in their order.

    In a file of records (`.jsonl`, or text that begins with a tag) each game is an opening: those
    of its moves that its tag `Opening` counts, else all of them. Otherwise each line is one: a
    position string or a rules id and moves from there, or moves alone, from each start; empty
    lines, and those that begin with `#`, are passed over. What has a position or rules of its own
    is for the starts of these rules.

    Args:
        path: of the file.
        starts: rules ids or position strings.
        plies: keep only so many of the moves.

    Raises:
        IllegalMove: a move that the rules do not allow; the reason names the line.
        NotationError: a line, or a record, that cannot be read; the reason names the line.
        NoOpenings: an opening after which the game is over, or a start for which there is none.
        OSError: as `open`.
    """
    found: dict[str, list[Opening]] = {start: [] for start in starts}
    for name, start, moves in _openings_of(path, starts):
        end = start
        for move in moves[:plies]:
            end = end.play(move)
        if end.outcome() is not None:
            advice = "; --plies keeps the first moves only" if plies is None and moves else ""
            raise NoOpenings(f"{path}, {name}: the game is over there{advice}")
        text = start.rules_id if start == game(start.rules_id) else str(start)
        for each in starts:
            if parse_start(each).rules_id == start.rules_id:
                found[each].append(Opening(text, tuple(moves[:plies])))
    for each, openings in found.items():
        if not openings:
            raise NoOpenings(f"{path} has no opening for {each}")
    return found


def _openings_of(
    path: Path, starts: Sequence[str]
) -> Iterator[tuple[str, Position, Sequence[int]]]:
    """Yield where each opening of a file stands, its start and its moves."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        lines = file.readlines()
    first = next((line for line in lines if line.strip()), "")
    if path.suffix == ".jsonl" or first.startswith('[Game "'):
        for number, each in enumerate(record.read(path), 1):
            length = int(each.tags.get("Opening", len(each.moves)))
            yield f"game {number}", each.start, each.moves[:length]
        return
    for number, line in enumerate(lines, 1):
        head, _, rest = line.strip().partition(" ")
        if not head or head.startswith("#"):
            continue
        try:
            if "~" in head or head.partition(":")[0] in GAMES:
                start = parse_start(head)
                yield f"line {number}", start, parse_moves(start, rest)
                continue
            for start in map(parse_start, starts):
                yield f"line {number}", start, parse_moves(start, line)
        except NotationError as error:
            reason = f"line {number}: {error.reason}"
            raise NotationError(error.text, error.field, reason) from None
        except IllegalMove as error:
            reason = f"line {number}: {error.reason}"
            raise IllegalMove(error.move, error.position, reason) from None
