"""The explorer's page as JSON data: the moves of a position, their values and the games with them.

start, moves ──played_line()──► GameInProgress ──explorer_data()──► `ExplorerView` data
                                     └──counted_keys()──► outcomes ──┘
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from noughts.answers.positions import Data, line_data, value_data
from noughts.explorer.counts import MOST_PLIES, Outcomes, steps
from noughts.explorer.explore import engine_counts, explored
from noughts.explorer.openings import openings_of
from noughts.games.position import Position
from noughts.games.progress import GameInProgress
from noughts.search.result import Value


def counted_keys(played: GameInProgress) -> list[int]:
    """Return the keys of the moves of the last position, as far as they are counted."""
    return list(steps(played.position)) if played.position.ply < MOST_PLIES else []


def counted_of_engine(position: Position, keys: Sequence[int]) -> list[tuple[int, Outcomes]]:
    """Return the outcomes of the engine's own games by the keys of moves."""
    counts = engine_counts(position)
    return [(key, counts[key]) for key in keys if key in counts]


def explorer_data(
    played: GameInProgress, counts: Mapping[int, Outcomes], values: Mapping[int, Value]
) -> Data:
    """Return the moves of the last position of a line, as `ExplorerView` data.

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
                "value": each.value and value_data(each.value),
                "outcomes": _results(each.outcomes),
            }
            for each in moves
        ],
        "outcomes": _results(total),
        "counted": position.ply < MOST_PLIES,
        "engine": openings.games if openings else 0,
    }


def _results(outcomes: Outcomes) -> Data:
    return {"games": outcomes.games, **outcomes._asdict()}
