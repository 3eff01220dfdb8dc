"""The explorer: a position ──► its moves, each with its exact value and the games with it.

steps() ──► moves that are equal by symmetry ──┐
exact_values() ──► Value, where it is proven ──┼──► explored(): a list, the best first
openings, a server's games ──► Outcomes ──────────┘
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import NamedTuple

from noughts.engine import is_native
from noughts.explorer.counts import Outcomes, steps
from noughts.explorer.openings import openings_of
from noughts.games.position import Position
from noughts.judgement.judge import Judge
from noughts.search.result import Limit, Value

NODES = 400_000
"""Nodes of the analysis that proves values."""
OWN_NODES = 20_000
"""Nodes in a user's own game, which is searched in Python."""
TABLE_MIB = 8
KEPT = 2_000
"""Positions whose exact values are kept."""


class Explored(NamedTuple):
    """A move of a position, together with those that are equal to it by symmetry."""

    moves: tuple[int, ...]
    value: Value | None
    """The proven value for the side to move; `None` if none is proven."""
    outcomes: Outcomes
    """The counted games with one of these moves."""


def explored(
    position: Position, counts: Mapping[int, Outcomes], values: Mapping[int, Value]
) -> list[Explored]:
    """Return the moves of a position: proven wins first, then the most played, then losses.

    Args:
        position: a position; one of a finished game has no moves.
        counts: the outcomes of steps, by the keys of `steps`.
        values: values of moves; only proven ones count.
    """
    found = [
        Explored(tuple(moves), _best_known(moves, values), counts.get(key, Outcomes()))
        for key, moves in steps(position).items()
    ]
    found.sort(key=lambda each: (-each.value.rank if each.value else 0, -each.outcomes.games))
    return found


def _best_known(moves: Collection[int], values: Mapping[int, Value]) -> Value | None:
    """Return the proven value of equal moves, with its distance if that of one is known."""
    proven = [values[move] for move in moves if move in values and values[move].is_exact]
    return max(proven, key=lambda value: value.plies is not None, default=None)


@lru_cache(KEPT)
def exact_values(position: Position) -> Mapping[int, Value]:
    """Return the values of the moves that a judge proves; none in a finished game.

    All limits are nodes, and the tables are empty at first, so that the same is proven on every
    machine: all moves of 3×3 and 4×4, and those of 5×5 and of Connect Four up to 7×6 in all
    positions that were tried.
    """
    if position.outcome() is not None:
        return {}
    limit = Limit(nodes=NODES if is_native(position) else OWN_NODES)
    values = Judge(position, limit, table_mib=TABLE_MIB).values(position).moves
    return {move: value for move, value in values.items() if value.is_exact}


def engine_counts(position: Position) -> Mapping[int, Outcomes]:
    """Return the counts of the engine's own games; none where there are none.

    Raises:
        BadOpenings: the installed file is damaged.
    """
    found = openings_of(position.rules_id)
    return {} if found is None else found.counts
