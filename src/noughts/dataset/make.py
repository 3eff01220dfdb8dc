"""Makes a data set in a folder.

    dataset.json          the plan, at first without counts
    parts/000000.parquet  the pieces, in any order
        │ all that are needed
        ▼
    data/train-00000-of-00002.parquet, …   without duplicates, each game in one split
    README.md             the card

The pieces count in the order of their numbers, whatever the order in which they were made, so the
same plan makes the same files with any number of cores, also after an interruption.
"""

from __future__ import annotations

import functools
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from noughts.dataset.card import card
from noughts.dataset.games import TooMany, every_position
from noughts.dataset.pieces import (
    DOUBLES,
    GAMES,
    LISTED,
    UNPROVEN,
    games_piece,
    listed_piece,
    schema,
)
from noughts.dataset.plan import FACTS, SPLITS, Counts, DatasetPlan, Facts, facts_of
from noughts.games.position import canonical_key
from noughts.games.registry import position
from noughts.work.parallel import Runner, Work, in_threads

DATA, CARD, PARTS = "data", "README.md", "parts"
SHARD = 100_000
"""The most rows in a file."""
PATIENCE = 500
"""Games in a row without a new position after which there are taken to be no more."""
HELD_OUT = {8: "validation", 9: "test"}
"""The splits of games by the last digit of their number; the others train."""

Show = Callable[[int, int | None], None]
Item = tuple[int, tuple[str, ...]]
"""The number of a piece; its position strings, where they are no positions of games."""


class OtherDataset(ValueError):
    """The folder has other files, or another data set."""


class NothingProven(ValueError):
    """No position could be labelled exactly."""


def make(
    folder: Path, plan: DatasetPlan, run: Runner | None = None, show: Show = lambda *_: None
) -> Facts:
    """Make a data set in a folder, or complete one; return what it holds.

    A finished one with the same plan is left as it is.

    Args:
        folder: made if needed.
        plan: what to make.
        run: does the pieces; in threads on all cores if left out.
        show: called with the positions so far, and those wanted.

    Raises:
        NotationError: no such rules, or rules that the core does not know.
        ValueError: a plan that cannot be: `TooMany` positions to list, `NothingProven`,
            `OtherDataset` in the folder.
        OSError: the folder cannot be written.
        WorkerLost: a runner has lost its machines.
    """
    plan = plan.check()
    begun = _begun(folder, plan)
    if begun.counts is not None:
        shutil.rmtree(folder / PARTS, ignore_errors=True)
        return begun
    (folder / PARTS).mkdir(exist_ok=True)
    merged = _Merged(plan, show)
    if plan.has_games:
        work, items = games_piece, _numbered()
    else:
        work, items = listed_piece, _listed(plan, show)
    try:
        _pieces(folder, merged, run or in_threads(), functools.partial(work, plan), items)
        if not merged.found:
            raise NothingProven(
                f"none of {merged.unproven:,} positions of {plan.rules} could be proven: give more "
                "--nodes, or take --labels searched"
            )
    except (TooMany, NothingProven):  # The folder is free for another try.
        shutil.rmtree(folder / PARTS)
        (folder / FACTS).unlink()
        raise
    _write(folder, plan, merged)
    facts = Facts(plan, merged.counts)
    (folder / CARD).write_text(card(facts), "utf-8")
    facts.write(folder)
    shutil.rmtree(folder / PARTS)
    return facts


def _begun(folder: Path, plan: DatasetPlan) -> Facts:
    """Return the facts of a folder for a plan, which are written if it is empty."""
    if folder.exists() and not folder.is_dir():
        raise OtherDataset(f"{folder} is a file, not a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / FACTS).exists():
        facts = facts_of(folder)
        if facts.plan != plan:
            raise OtherDataset(
                f"{folder} has another data set, of noughts {facts.plan.version}: "
                f"`{facts.plan.command}`; choose another folder"
            )
        return facts
    if others := sorted(each.name for each in folder.iterdir() if each.name != f"{FACTS}.part"):
        raise OtherDataset(
            f"{folder} has other files: {' '.join(others[:3])}; choose an empty folder"
        )
    facts = Facts(plan)
    facts.write(folder)
    return facts


class _Merged:
    """The rows that the data set will have: those of the pieces so far, without duplicates."""

    def __init__(self, plan: DatasetPlan, show: Show) -> None:
        self.plan = plan
        self.seen: set[Any] = set()
        self.rows: list[list[int]] = []
        """The rows of each piece that are used."""
        self.by_split: Counter[str] = Counter()
        self.found = self.unproven = self.duplicates = self.proven = self.barren = 0
        self.show = show

    def add(self, file: Path) -> None:
        """Count the next piece."""
        columns = ["position", "game", "proven"]
        table = pq.read_table(file, columns=columns)
        used: list[int] = []
        rows = zip(*(table[name].to_pylist() for name in columns), strict=True)
        for row, (text, game, proven) in enumerate(rows):
            if self.found == self.plan.positions:
                break
            key = canonical_key(position(text))
            if key in self.seen:
                self.duplicates += 1
            else:
                self.seen.add(key)
                used.append(row)
                self.found += 1
                self.proven += proven
                self.by_split[split_of(game)] += 1
        self.rows.append(used)
        facts = pq.read_schema(file).metadata
        self.unproven += int(facts[UNPROVEN.encode()])
        self.duplicates += int(facts[DOUBLES.encode()])
        self.barren = 0 if used else self.barren + GAMES * self.plan.has_games
        self.show(self.found, self.plan.positions)

    @property
    def counts(self) -> Counts:
        games = GAMES * self.plan.has_games * len(self.rows)
        rows = {split: self.by_split[split] for split in SPLITS if self.by_split[split]}
        return Counts(rows, games, self.duplicates, self.unproven, self.proven)

    @property
    def is_done(self) -> bool:
        return self.found >= self.plan.positions or self.barren >= PATIENCE


def _pieces(
    folder: Path, merged: _Merged, run: Runner, work: Work[Item, bytes], items: Iterable[Item]
) -> None:
    """Make pieces and count them in their order, until the data set is complete."""
    made = {int(file.stem) for file in (folder / PARTS).glob("*.parquet")}

    def merge() -> None:
        while not merged.is_done and len(merged.rows) in made:
            merged.add(_part(folder, len(merged.rows)))

    merge()
    wanted = (item for item in items if item[0] not in made)
    with closing(run(work, lambda: None if merged.is_done else next(wanted, None))) as pieces:
        for (number, _), content in pieces:
            part = _part(folder, number).with_suffix(".partial")
            part.write_bytes(content)
            part.replace(_part(folder, number))
            made.add(number)
            merge()
            if merged.is_done:
                return


def _part(folder: Path, number: int) -> Path:
    return folder / PARTS / f"{number:06}.parquet"


def _numbered() -> Iterator[Item]:
    return ((number, ()) for number in count())


def _listed(plan: DatasetPlan, show: Show) -> Iterator[Item]:
    """Yield all positions in an order of chance, a piece at a time."""
    texts = [str(each) for each in every_position(plan.rules, lambda found: show(found, None))]
    random.Random(plan.seed).shuffle(texts)
    for number, first in enumerate(range(0, len(texts), LISTED)):
        yield number, tuple(texts[first : first + LISTED])


def split_of(game: int | None) -> str:
    """Return the split of a game; positions of no game train."""
    return HELD_OUT.get(-1 if game is None else game % 10, SPLITS[0])


def _write(folder: Path, plan: DatasetPlan, merged: _Merged) -> None:
    """Write the files of each split into `data`, which is complete once it has that name."""
    partial = folder / f"{DATA}.partial"
    for old in (partial, folder / DATA):
        shutil.rmtree(old, ignore_errors=True)
    partial.mkdir()
    shards = {name: _Shards(partial, name, total) for name, total in merged.by_split.items()}
    for number, used in enumerate(merged.rows):
        table = pq.read_table(_part(folder, number)).take(pa.array(used, pa.int64()))
        table = table.replace_schema_metadata(None).cast(schema(plan.rules))
        splits = [split_of(game) for game in table["game"].to_pylist()]
        for name in {*splits}:
            shards[name].add(table.filter(pa.array([each == name for each in splits])))
    for each in shards.values():
        each.close()
    partial.replace(folder / DATA)


class _Shards:
    """The files of a split, of at most `SHARD` rows each."""

    def __init__(self, folder: Path, split: str, total: int) -> None:
        self._folder, self._split = folder, split
        self._files = -(-total // SHARD)
        self._tables: list[pa.Table] = []
        self._rows = self._written = 0

    def add(self, table: pa.Table) -> None:
        self._tables.append(table)
        self._rows += len(table)
        while self._rows >= SHARD:
            held = pa.concat_tables(self._tables)
            self._save(held[:SHARD])
            self._tables, self._rows = [held[SHARD:]], self._rows - SHARD

    def close(self) -> None:
        if self._rows:
            self._save(pa.concat_tables(self._tables))

    def _save(self, table: pa.Table) -> None:
        name = f"{self._split}-{self._written:05}-of-{self._files:05}.parquet"
        pq.write_table(table.combine_chunks(), self._folder / name, compression="zstd")
        self._written += 1
