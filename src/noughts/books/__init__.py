"""Books: what every position of a game with a fixed number of stones is worth.

    connect4.book ──► book_of("connect4") ──► Engine, where it plays; never where it solves
          ▲
    python -m noughts.books connect4 9: every position solved by the engine, without a book

Only Connect Four has one: with so few stones a proof takes longer than a move may. The file is a
line, `RULES STONES`, and then the values, compressed by zlib; `core/book.hpp` says which is whose.
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

ENTRIES = {"unknown": 0, "loss": 1, "draw": 2, "win": 3}
"""The byte for a value of the side to move."""


class Book(NamedTuple):
    """The values of the positions with so many stones."""

    stones: int
    values: bytes
    """A byte for each place, see `ENTRIES`; `noughts._core.book_place` tells the places."""

    def packed(self, rules: str) -> bytes:
        """Return what the file of the book holds."""
        return f"{rules} {self.stones}\n".encode() + zlib.compress(self.values, 9)


def unpacked(data: bytes) -> Book:
    """Return the book of a file.

    Raises:
        ValueError: it is none.
    """
    try:
        head, packed = data.split(b"\n", 1)
        return Book(int(head.split()[1]), zlib.decompress(packed))
    except (ValueError, IndexError, zlib.error) as error:
        raise ValueError("this is not a book") from error


NO_BOOK = Book(0, b"")


@cache
def book_of(rules: str) -> Book | None:
    """Return the book of a game that engines play by; `None` where there is none."""
    file = files(__name__) / f"{rules}.book"
    return unpacked(file.read_bytes()) if file.is_file() else None
