"""The rows of a data set, made a piece at a time.

plan, number ──► positions of some games ──label()──► a table, as the bytes of a Parquet file

Rows do not depend on the pieces made before, so pieces can be made at once, on any machine.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from noughts import _core
from noughts.dataset.games import played
from noughts.dataset.plan import DatasetPlan
from noughts.games.position import Position, canonical_key
from noughts.games.registry import position as parsed
from noughts.rl.batch import Batch
from noughts.rl.labels import Labels, label

GAMES = 5
"""Games in a piece."""
LISTED = 1_000
"""Positions in a piece of a game of which all are listed."""
EARLY = 3
"""Positions with fewer marks occur in many games: their labels are kept."""
TOGETHER = 50
"""Positions between two looks at whether to stop."""
UNPROVEN, DOUBLES = "unproven", "doubles"
"""Numbers in the metadata of a part: positions without a proof, and symmetric to earlier ones."""


class PlayedPosition(NamedTuple):
    """A position of a data set, and what its game says of it."""

    position: Position
    game: int | None = None
    move: int | None = None
    """The move that was played."""
    result: int | None = None
    """The result for the side to move, 1, 0 or -1."""


def schema(rules: str) -> pa.Schema:
    """Return the columns of a data set, with what they mean."""
    rows, columns, planes, actions = _core.Batch(rules, 1, 1).shape()
    cells = rows * columns * planes

    def column(name: str, kind: pa.DataType, about: str, missing: bool = False) -> pa.Field:
        return pa.field(name, kind, nullable=missing, metadata={"about": about})

    own = "for the side to move"
    return pa.schema(
        [
            column("position", pa.string(), "position string of noughts"),
            column("ply", pa.int16(), "marks on the board"),
            column(
                "observation",
                pa.list_(pa.uint8(), cells),
                f"0 or 1, {rows} × {columns} × {planes} in C order, as noughts.rl.Batch gives it",
            ),
            column("legal", pa.list_(pa.bool_(), actions), "whether each action is legal"),
            column("value", pa.int8(), f"1, 0 or -1 {own}; 0 where it is not proven"),
            column("proven", pa.bool_(), "whether `value` is proven"),
            column("estimate", pa.float32(), "`value` if proven, else of a search, -1 to 1"),
            column(
                "distance", pa.int32(), "plies to the end with best play, -1 if unknown or drawn"
            ),
            column("optimal", pa.list_(pa.bool_(), actions), "the actions that keep the value"),
            column(
                "move_values",
                pa.list_(pa.float32(), actions),
                f"the value of each action {own}, NaN if it is not legal",
            ),
            column("move_proven", pa.list_(pa.bool_(), actions), "which of them are proven"),
            column("game", pa.int64(), "number of the game, none if all are listed", True),
            column("move", pa.int16(), "the action played in it", True),
            column("result", pa.int8(), f"the result of the game {own}, 1, 0 or -1", True),
        ]
    )


def games_piece(plan: DatasetPlan, piece: tuple[int, Any], stop: _core.StopFlag) -> bytes:
    """Return the rows of some games, given by a number, as a Parquet file; if stopped, of fewer."""
    places: dict[Any, PlayedPosition] = {}
    doubles = 0
    for each in range(piece[0] * GAMES, (piece[0] + 1) * GAMES):
        if stop.is_set():
            break
        found = played(plan, each)
        for position, move in zip(found.positions, found.moves, strict=True):
            side = 1 if position.turn is found.positions[0].turn else -1
            place = PlayedPosition(position, each, move, side * found.result)
            doubles += places.setdefault(canonical_key(position), place) is not place
    return _packed(plan, [*places.values()], doubles, stop)


def listed_piece(
    plan: DatasetPlan, piece: tuple[int, tuple[str, ...]], stop: _core.StopFlag
) -> bytes:
    """Return the rows of some positions, given by their strings."""
    return _packed(plan, [PlayedPosition(parsed(text)) for text in piece[1]], 0, stop)


def _packed(
    plan: DatasetPlan, places: Sequence[PlayedPosition], doubles: int, stop: _core.StopFlag
) -> bytes:
    # Early positions first, so that the others are labelled in groups of one size.
    places = sorted(places, key=lambda place: place.position.ply >= EARLY)
    labels = labelled(plan, [place.position for place in places], stop)
    count = len(labels["value"])
    is_kept = np.ones(count, np.bool_)
    if plan.labels == "exact":
        legal = ~np.isnan(labels["move_values"])
        is_kept = labels["proven"] & (labels["move_proven"] | ~legal).all(axis=1)
    rows = np.flatnonzero(is_kept)
    table = _table(plan.rules, [places[row] for row in rows], _rows(labels, rows))
    numbers = {UNPROVEN: str(count - len(rows)), DOUBLES: str(doubles)}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(numbers), sink, compression="zstd")
    return bytes(sink.getvalue())


def labelled(plan: DatasetPlan, positions: Sequence[Position], stop: _core.StopFlag) -> Labels:
    """Return the labels of positions, early ones first; if stopped, of one or more of them."""
    found: list[Labels] = []
    at = 0
    while at < len(positions) and not (found and stop.is_set()):
        if positions[at].ply < EARLY:
            found.append(_early(str(positions[at]), plan.nodes))
            at += 1
        else:
            group = positions[at : at + TOGETHER]
            found.append(label(group, nodes=plan.nodes))
            at += len(group)
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


@functools.lru_cache(maxsize=1 << 12)
def _early(position: str, nodes: int | None) -> Labels:
    return label([position], nodes=nodes)


def _rows(labels: Labels, rows: npt.NDArray[np.int64]) -> Labels:
    return {name: values[rows] for name, values in labels.items()}


def _table(rules: str, places: Sequence[PlayedPosition], labels: Labels) -> pa.Table:
    batch = Batch(rules, max(len(places), 1))
    batch.load([place.position for place in places] or [batch.start])
    count = len(places)
    columns: dict[str, Iterable[Any]] = {
        "position": [str(place.position) for place in places],
        "ply": batch.ply[:count],
        "observation": batch.observation[:count].reshape(count, -1),
        "legal": batch.legal[:count],
        "game": [place.game for place in places],
        "move": [place.move for place in places],
        "result": [place.result for place in places],
        **labels,
    }
    kinds = schema(rules)
    return pa.table([_array(columns[field.name], field.type) for field in kinds], kinds)


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    if isinstance(kind, pa.FixedSizeListType):
        flat = pa.array(np.ascontiguousarray(values).reshape(-1), kind.value_type)
        return pa.FixedSizeListArray.from_arrays(flat, type=kind)
    return pa.array(values, kind)
