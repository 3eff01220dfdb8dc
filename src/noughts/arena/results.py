"""The results file of a match: JSON lines, a record each, that grow with every game.

    Results(path) ──► the records of before, the cut-off last line taken off
      add(record) ──► a line more, on its way to the disk at once
    games_of(records, terms, fixtures) ──► which games are over, or how the terms differ

The file is locked while it is open, so that two matches cannot write into one.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from noughts.arena.schedule import Fixture, Terms, tags_of
from noughts.games.position import IllegalMove, NotationError
from noughts.games.record import Record, format_json_line, parse_json_line, read_json_lines
from noughts.games.registry import move_texts, parse_start

if sys.platform != "win32":
    import fcntl

SYNC_SECONDS = 1.0
"""How much of a match a loss of power may cost; the end of the process alone costs nothing."""


class OtherTerms(ValueError):
    """Results that are not those of the match; the message tells the first difference."""


class Busy(OSError):
    """Another match writes into the file."""


class Results:
    """A results file, open to be added to.

    Args:
        path: of the file, which is made if need be.

    Raises:
        Busy: another match has it open.
        IllegalMove, NotationError: a line that is no record; the reason names it.
        OSError: as `open`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._synced = time.monotonic()
        self._file = path.open("a+b")
        try:
            self._lock()
            self.records, self.cut_off = self._read()
        except BaseException:
            self._file.close()
            raise

    def add(self, record: Record) -> None:
        """Add a game as a whole.

        Raises:
            OSError: as `write`; what was written of the game is taken back.
        """
        size = self._file.seek(0, os.SEEK_END)
        try:
            self._file.write(format_json_line(record).encode())
            self._file.flush()
        except BaseException:
            with suppress(OSError):
                self._file.truncate(size)
            raise
        self.records.append(record)
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            self._sync()

    def close(self) -> None:
        """Make sure that all is on the disk, and let others have the file."""
        if not self._file.closed:
            self._sync()
            self._file.close()

    def _sync(self) -> None:
        with suppress(OSError):  # a pipe or a device keeps nothing
            os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def _lock(self) -> None:
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Busy(f"another match writes into {self.path}") from None

    def _read(self) -> tuple[list[Record], bool]:
        """Return the records, and whether the last line was cut off; then it is taken off."""
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        records = list(read_json_lines(_lines(data[:whole])))
        rest = data[whole:]
        if not rest:
            return records, False
        try:
            last = parse_json_line(rest.decode())
        except (IllegalMove, NotationError, UnicodeDecodeError):
            self._file.truncate(whole)
            return records, True
        self._file.write(b"\n")
        return [*records, last], False


def _lines(data: bytes) -> list[str]:
    # What is not UTF-8 becomes lone surrogates, which the reader refuses with their line.
    return data.decode("utf-8", errors="surrogateescape").split("\n")


def games_of(
    records: Iterable[Record], terms: Terms, fixtures: Sequence[Fixture]
) -> dict[int, Record]:
    """Return the records of games that the terms have, by their numbers.

    Raises:
        OtherTerms: a game that was played on other terms, or that they do not have.
    """
    found: dict[int, Record] = {}
    for line, record in enumerate(records, 1):
        number = record.tags.get("Round", "")
        if not number.isdecimal():
            raise OtherTerms(f"game {line} of the file is of no match: it has no number (Round)")
        if not 1 <= int(number) <= len(fixtures):
            raise OtherTerms(f"the file has a game {number}, and the match {len(fixtures)} games")
        _compare(terms, fixtures[int(number) - 1], record)
        found.setdefault(int(number), record)
    return found


def _compare(terms: Terms, fixture: Fixture, record: Record) -> None:
    """Make sure that a record is of the game that the fixture says.

    Raises:
        OtherTerms: it is not.
    """
    start = parse_start(fixture.opening.start)
    wanted = tags_of(terms, fixture)
    had = {name: record.tags.get(name, "") for name in (*wanted, "Margin", "Adjudicate")}
    differences = [
        (name, had[name] or "none", wanted.get(name, "none"))
        for name in had
        if had[name] != wanted.get(name, "")
    ]
    if str(record.start) != str(start):
        differences.insert(0, ("the start", str(record.start), str(start)))
    opening = fixture.opening.moves
    record_moves = tuple(record.moves[: len(opening)])
    if str(record.start) == str(start) and record_moves != opening:
        was, is_ = (" ".join(move_texts(start, moves)) for moves in (record_moves, opening))
        differences.append(("the opening", was, is_))
    if differences:
        name, was, is_ = differences[0]
        raise OtherTerms(f"game {fixture.number} was played with {name} {was}, here it is {is_}")
