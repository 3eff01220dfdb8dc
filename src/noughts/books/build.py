"""Build a book: solve every position of a game with a given number of stones.

positions(rules, stones) ──► solve(wanted, book, jobs) ──► better books, until none is unknown
                                  ▲
read_or_create(file, …) ──────────┘
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from noughts import _core
from noughts.books import ENTRIES, Book, unpacked
from noughts.engine import Engine
from noughts.games import registry
from noughts.games.position import Position

TABLE_MIB = 16
"""Memory of a solver's table: it fits the processor's cache, which beats a larger table."""
BATCH = 200
"""Positions that a process solves before it reports."""


def positions(rules: str, stones: int) -> dict[int, Position]:
    """Return the unfinished positions with `stones` stones, by their places in a book.

    A position and its mirror image share a place.

    Raises:
        NotationError: no such rules.
        ValueError: the rules have no books.
    """
    start = registry.game(rules)
    try:
        _core.book_place(str(start))
    except ValueError:
        raise ValueError(f"no book can hold positions of {rules}") from None
    level = {0: start}
    for _ in range(stones):
        after = (each.play(move) for each in level.values() for move in each.legal_moves())
        level = {_core.book_place(str(each))[0]: each for each in after if each.outcome() is None}
    return dict(sorted(level.items()))


def read_or_create(file: Path, wanted: dict[int, Position], stones: int) -> Book:
    """Return the book in a file, or one that knows no position where there is no such file.

    Raises:
        ValueError: the file is not a book of this size.
        OSError: the file cannot be read.
    """
    _, places = _core.book_place(str(next(iter(wanted.values()))))
    book = unpacked(file.read_bytes()) if file.exists() else Book(stones, bytes(places))
    if (book.stones, len(book.content)) != (stones, places):
        raise ValueError(f"{file} is a book of another game or number of stones")
    return book


@cache
def _solver(rules: str) -> Engine:
    """Return the engine of this process, which keeps its table from batch to batch."""
    return Engine(rules, table_mib=TABLE_MIB)


def _entries(batch: list[Position]) -> list[int]:
    """Solve positions, and return their entries."""
    engine = _solver(batch[0].rules_id)
    return [ENTRIES[engine.solve(position, weakly=True).value.kind] for position in batch]


def solve(wanted: dict[int, Position], book: Book, jobs: int) -> Iterator[tuple[int, Book]]:
    """Solve the unknown positions of a book; yield their remaining number and the book."""
    values = bytearray(book.content)
    places = [place for place in wanted if values[place] == ENTRIES["unknown"]]
    batches = [places[i : i + BATCH] for i in range(0, len(places), BATCH)]
    left = len(places)
    with ProcessPoolExecutor(jobs) as pool:
        solved = pool.map(_entries, [[wanted[place] for place in batch] for batch in batches])
        for batch, found in zip(batches, solved, strict=True):
            for place, entry in zip(batch, found, strict=True):
                values[place] = entry
            left -= len(batch)
            yield left, Book(book.stones, bytes(values))


def write(file: Path, book: Book, rules: str) -> None:
    """Replace a file by a book in one step."""
    part = file.with_name(f"{file.name}.part")
    part.write_bytes(book.packed(rules))
    part.replace(file)
