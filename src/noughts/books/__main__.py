"""Build a book: solve every position of a game with so many stones.

    python -m noughts.books connect4 9 connect4.book

A run that was broken off goes on from its file.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import noughts
from noughts import _core
from noughts.books import ENTRIES, Book, unpacked
from noughts.engine import Engine
from noughts.games.position import Position

MOST_STONES = 16
TABLE_MIB = 16
"""A table that stays in the processor's cache is quicker than one that forgets less."""
BATCH = 200
"""Positions that one process solves in a row, with its table as it is."""
SAVED_EVERY = 30.0
"""Seconds."""


def positions(rules: str, stones: int) -> dict[int, Position]:
    """Return the positions with so many stones that come up and go on, by their places in a book.

    Of a position and its mirror image it is one.

    Raises:
        NotationError: no such rules.
        ValueError: there are no books for them.
    """
    level = {0: noughts.game(rules)}
    for _ in range(stones):
        after = (each.play(move) for each in level.values() for move in each.legal_moves())
        level = {_core.book_place(str(each))[0]: each for each in after if each.outcome() is None}
    return dict(sorted(level.items()))


_engines: dict[str, Engine] = {}


def entries(batch: list[Position]) -> list[int]:
    """Solve positions, and return their entries."""
    rules = batch[0].rules_id
    engine = _engines.setdefault(rules, Engine(rules, table_mib=TABLE_MIB))
    return [ENTRIES[engine.solve(position, weakly=True).value.value] for position in batch]


def build(wanted: dict[int, Position], book: Book, jobs: int) -> Iterator[tuple[int, Book]]:
    """Solve the positions that a book does not know, and yield how many are left, and the book."""
    values = bytearray(book.values)
    places = [place for place in wanted if values[place] == ENTRIES["unknown"]]
    batches = [places[i : i + BATCH] for i in range(0, len(places), BATCH)]
    left = len(places)
    with ProcessPoolExecutor(jobs) as pool:
        solved = pool.map(entries, [[wanted[place] for place in batch] for batch in batches])
        for batch, found in zip(batches, solved, strict=True):
            for place, entry in zip(batch, found, strict=True):
                values[place] = entry
            left -= len(batch)
            yield left, Book(book.stones, bytes(values))


def write(path: Path, data: bytes) -> None:
    """Write a file in one step."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def main() -> int:
    parser = argparse.ArgumentParser(prog="noughts.books", description=__doc__.partition("\n")[0])
    parser.add_argument("rules", help="a rules id of Connect Four")
    parser.add_argument("stones", type=int, help=f"of its positions, 1 to {MOST_STONES}")
    parser.add_argument("file", type=Path, help="the book, to be made or gone on with")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (all cores)")
    options = parser.parse_args()
    if not 1 <= options.stones <= MOST_STONES:
        parser.error(f"wanted are 1 to {MOST_STONES} stones")
    try:
        wanted = positions(options.rules, options.stones)
        _, places = _core.book_place(str(next(iter(wanted.values()))))
        book = Book(options.stones, bytes(places))
        if options.file.exists():
            book = unpacked(options.file.read_bytes())
        if (book.stones, len(book.values)) != (options.stones, places):
            parser.error(f"{options.file} is another book")
        saved = time.monotonic()
        for left, better in build(wanted, book, options.jobs):
            print(f"\r{len(wanted) - left:,} of {len(wanted):,}\x1b[K", end="", file=sys.stderr)
            if left == 0 or time.monotonic() - saved > SAVED_EVERY:
                write(options.file, better.packed(options.rules))
                saved = time.monotonic()
    except (ValueError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130
    print(file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
