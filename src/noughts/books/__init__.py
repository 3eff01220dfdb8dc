"""Books: values and moves of the positions early in a game, computed once for play.

    connect4.book ──► book_of("connect4") ──► Engine, where it plays; never where it solves

    connect4              the value of each position with a number of stones  noughts book
    advanced[:full=draw]  X's moves of the proof before a ply                 noughts proof export

Early in these games a proof takes longer than a move may. The file is a line `RULES STONES`, then
the content, compressed by zlib: for Connect Four in the order of `core/book.hpp`, for a proof the
moves of its certificate (`proof.certificate`).
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from noughts.games.catalogue import file_stem

RULES = ("connect4", "advanced", "advanced:full=draw")
"""The rules ids with an installed book."""
MAX_STONES = 16
ENTRIES = {"unknown": 0, "loss": 1, "draw": 2, "win": 3}
"""The byte for a value of the side to move."""


class Book(NamedTuple):
    """Knowledge of the positions with `stones` stones; in a book of moves, of those with fewer."""

    stones: int
    content: bytes
    """One of `ENTRIES` for each place; `noughts._core.book_place` gives a position's place. Or the
    moves of a certificate."""

    def packed(self, rules: str) -> bytes:
        """Return the content of the book's file."""
        return f"{rules} {self.stones}\n".encode() + zlib.compress(self.content, 9)


def unpacked(data: bytes) -> Book:
    """Return the book that a file's content stands for.

    Raises:
        ValueError: the content is not a book.
    """
    try:
        head, packed = data.split(b"\n", 1)
        return Book(int(head.split()[1]), zlib.decompress(packed))
    except (ValueError, IndexError, zlib.error) as error:
        raise ValueError("this is not a book") from error


NO_BOOK = Book(0, b"")


@cache
def book_of(rules: str) -> Book | None:
    """Return the installed book of a game; `None` where there is none."""
    if rules not in RULES:
        return None
    return unpacked((files(__name__) / book_file(rules)).read_bytes())


def book_file(rules: str) -> str:
    """Return the name of the file of an installed book."""
    return f"{file_stem(rules)}.book"
