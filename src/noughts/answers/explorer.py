"""The explorer's page as JSON data: the moves of a position, their values and the games with them.

start, moves ──played_line()──► GameInProgress ──explorer_data()──► ExplorerView
                                     └──counted_keys()──► outcomes ──┘
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from noughts.answers.described import Described
from noughts.answers.positions import PositionView, ValueView, line_data, value_data
from noughts.explorer.counts import MAX_PLIES, Outcomes, steps
from noughts.explorer.explore import engine_counts, explored
from noughts.explorer.openings import openings_of
from noughts.games.position import Position
from noughts.games.progress import GameInProgress
from noughts.search.result import Value


class OutcomesView(Described):
    """Finished games by their results."""

    games: int
    x: int
    """Games that X won."""
    draws: int
    o: int
    """Games that O won."""


class ExploredMove(Described):
    """A move, with the moves that are equal to it by rotation or reflection."""

    moves: list[str]
    value: ValueView | None
    """The proven value for the side to move; null if none is proven."""
    outcomes: OutcomesView
    """The counted games with one of these moves."""


class ExplorerView(Described):
    """The moves of a position: proven wins first, then the most played, then losses."""

    position: PositionView
    line: list[str]
    """The moves from the start to the position."""
    moves: list[ExploredMove]
    outcomes: OutcomesView
    """The counted games of all moves together."""
    counted: bool
    """Whether games are counted here: only the first moves of a game are."""
    engine: int
    """Number of the engine's own games of these rules that are counted."""


def counted_keys(played: GameInProgress) -> list[int]:
    """Return the keys of the moves of the last position, as far as they are counted."""
    return list(steps(played.position)) if played.position.ply < MAX_PLIES else []


def counted_of_engine(position: Position, keys: Sequence[int]) -> list[tuple[int, Outcomes]]:
    """Return the outcomes of the engine's own games by the keys of moves."""
    counts = engine_counts(position)
    return [(key, counts[key]) for key in keys if key in counts]


def explorer_data(
    played: GameInProgress, counts: Mapping[int, Outcomes], values: Mapping[int, Value]
) -> ExplorerView:
    """Return the moves of the last position of a line.

    Args:
        played: the line.
        counts: the outcomes of moves, by their keys.
        values: values of moves; only proven ones count.
    """
    position = played.position
    moves = explored(position, counts, values)
    openings = openings_of(position.rules_id)
    total = Outcomes()
    for each in moves:
        total = total.plus(each.outcomes)
    return {
        "position": line_data(played.positions, played.moves[-1] if played.moves else None),
        "line": played.texts,
        "moves": [
            {
                "moves": [position.move_text(move) for move in each.moves],
                "value": None if each.value is None else value_data(each.value),
                "outcomes": _results(each.outcomes),
            }
            for each in moves
        ],
        "outcomes": _results(total),
        "counted": position.ply < MAX_PLIES,
        "engine": openings.games if openings else 0,
    }


def _results(outcomes: Outcomes) -> OutcomesView:
    x, draws, o = outcomes
    return {"games": outcomes.games, "x": x, "draws": draws, "o": o}
