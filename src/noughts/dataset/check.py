"""Checks a data set: every row for its form, and the proofs of a sample by another way.

every row ──► the columns, the card's numbers, no duplicates, each game in one split
a sample ──► each action solved by itself with a full window ──► the same values and distances
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from noughts.analysis import Analyser
from noughts.dataset.make import DATA, split_of
from noughts.dataset.pieces import schema
from noughts.dataset.plan import BadDataset, Facts, facts_of
from noughts.games.position import NotationError, Position, canonical_key
from noughts.games.registry import position as parsed
from noughts.rl.batch import Batch
from noughts.search.result import Limit, Value

NODES = 2_000_000
"""Default positions to search for each position of a sample."""
MOST = 20
"""Faults after which a check ends."""

Row = dict[str, Any]


class DatasetCheck(NamedTuple):
    """The result of a check."""

    facts: Facts
    rows: int
    """Rows whose form was checked."""
    sample: int
    """Positions that were to be proven again."""
    values: int
    """Values of actions, proven in the data set, that were proven again."""
    left: int
    """Those that the search could not prove again within its nodes."""
    faults: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether there is no fault."""
        return not self.faults


def check(
    folder: Path,
    sample: int = 100,
    seed: int = 0,
    nodes: int = NODES,
    show: Callable[[int, int], None] = lambda *_: None,
) -> DatasetCheck:
    """Check a data set, and prove a sample of it again.

    Args:
        folder: of `make`.
        sample: positions to prove again.
        seed: of the sample.
        nodes: positions to search for each of them.
        show: called with the steps so far, and all: a step is a row, and a position of the sample.

    Raises:
        BadDataset: the folder holds no finished data set, or its files cannot be read.
    """
    facts = facts_of(folder)
    if facts.counts is None:
        raise BadDataset(f"{folder} is not finished: repeat the command that makes it")
    total = facts.counts.positions
    chosen = {*random.Random(seed).sample(range(total), min(sample, total))}
    faults: list[str] = []
    rows, picked = 0, list[Row]()
    seen = set[Any]()
    by_split = dict.fromkeys(facts.counts.rows, 0)
    for split, table in _tables(folder, facts):
        by_split[split] = by_split.get(split, 0) + len(table)
        for row in table.to_pylist():
            faults += _faults_of_row(facts, split, row, seen)
            if rows in chosen:
                picked.append(row)
            rows += 1
            show(rows, total + len(chosen))
        if len(faults) > MOST:
            break
    if by_split != facts.counts.rows and len(faults) <= MOST:
        faults.append(f"the card counts {facts.counts.rows}, and the files have {by_split}")
    values = left = 0
    for number, row in enumerate(picked, 1):
        for proven in _proven_again(row, nodes, faults):
            values += proven
            left += not proven
        show(rows + number, total + len(chosen))
    return DatasetCheck(facts, rows, len(picked), values, left, tuple(faults[:MOST]))


def _tables(folder: Path, facts: Facts) -> Iterator[tuple[str, pa.Table]]:
    """Yield each part of the files with its split."""
    files = sorted((folder / DATA).glob("*.parquet"))
    if not files:
        raise BadDataset(f"{folder / DATA} has no .parquet files")
    wanted = schema(facts.plan.rules)
    for file in files:
        try:
            with pq.ParquetFile(file) as content:
                if not content.schema_arrow.equals(wanted):
                    raise BadDataset(f"{file} has other columns, or columns of other types")
                for batch in content.iter_batches(10_000):
                    yield file.name.partition("-")[0], pa.Table.from_batches([batch])
        except (OSError, pa.ArrowException) as error:
            raise BadDataset(f"{file} cannot be read: {error}") from error


def _faults_of_row(facts: Facts, split: str, row: Row, seen: set[Any]) -> Iterator[str]:
    """Yield what is wrong with the form of a row."""
    text = row["position"]
    try:
        position = parsed(text)
    except NotationError as error:
        yield f"{text}: {error}"
        return
    if position.rules_id != facts.plan.rules:
        yield f"{text}: the rules are {facts.plan.rules}"
        return
    if (key := canonical_key(position)) in seen:
        yield f"{text}: it is here twice, or a symmetric one"
    seen.add(key)
    if split_of(row["game"]) != split:
        yield f"{text}: game {row['game']} belongs in {split_of(row['game'])}, not in {split}"
    batch = Batch(facts.plan.rules, 1)
    batch.load([position])
    same = (
        row["observation"] == batch.observation[0].reshape(-1).tolist()
        and row["legal"] == batch.legal[0].tolist()
        and row["ply"] == position.ply
    )
    if not same:
        yield f"{text}: observation, legal or ply are not those of the position"
    values = np.array(row["move_values"], np.float32)
    if (np.isnan(values) == batch.legal[0]).any():
        yield f"{text}: move_values has a number for other actions than the legal ones"
    elif row["proven"] and row["value"] != row["estimate"]:
        yield f"{text}: value and estimate differ, though the value is proven"
    elif facts.plan.labels == "exact" and not (
        row["proven"] and row["move_proven"] == row["legal"] and row["value"] == np.nanmax(values)
    ):
        yield f"{text}: not every value is exact"
    elif row["optimal"] != _keeping(row, values):
        yield f"{text}: optimal are not the actions that keep the value"
    elif row["distance"] != -1 and not (
        row["value"] and 1 <= row["distance"] <= (position.max_plies or math.inf)
    ):
        yield f"{text}: no game of the value {row['value']} ends after {row['distance']} plies"


def _keeping(row: Row, values: npt.NDArray[np.float32]) -> list[bool]:
    """Return the actions that keep the value, by the other columns of the row."""
    best = values == np.nanmax(values)
    if row["proven"]:
        best = (values == row["value"]) & row["move_proven"]
    elif any(row["optimal"]):  # Estimates can differ by less than the column has digits.
        best &= row["optimal"]
    found: list[bool] = best.tolist()
    return found


def _proven_again(row: Row, nodes: int, faults: list[str]) -> Iterator[bool]:
    """Solve each action of a position; yield for each proven one whether it is proven again."""
    try:
        position = parsed(row["position"])
    except NotationError:  # It is among the faults of the rows.
        return
    found = _solved(position, nodes)
    for move, value in found.items():
        if not row["move_proven"][move]:
            continue
        if not value.is_exact:
            yield False
            continue
        yield True
        if row["move_values"][move] != value.expected:
            faults.append(
                f"{position}: action {move} has the value {value.expected:g}, "
                f"not {row['move_values'][move]:g}"
            )
    if found and all(value.is_exact for value in found.values()):
        best = max(value.expected for value in found.values())
        keeping = [value for value in found.values() if value.expected == best]
        plies = [value.plies for value in keeping if value.plies is not None]
        if row["proven"] and row["value"] != best:
            faults.append(f"{position}: the value is {best:g}, not {row['value']}")
        elif row["distance"] != -1 and len(plies) == len(keeping):
            distance = min(plies) if best > 0 else max(plies)
            if row["distance"] != distance:
                faults.append(f"{position}: the distance is {distance}, not {row['distance']}")


def _solved(position: Position, nodes: int) -> dict[int, Value]:
    """Return the value of every action; the tables are new, so no earlier search has a say."""
    return Analyser(table_mib=16).solve_moves(position, Limit(), nodes)
