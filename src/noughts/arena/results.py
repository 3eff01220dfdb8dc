"""The results file of a match: JSON lines, one record each, appended after every game.

    Results(path) ──► the existing records, without an unfinished last line
      add(record) ──► one more line, written at once
    games_of(records, terms, fixtures) ──► the finished games, or the difference in terms

The file is locked while it is open, so that two matches cannot write into one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from noughts.arena.schedule import Fixture, Terms, tags_of
from noughts.games.position import IllegalMove, NotationError, move_texts
from noughts.games.record import (
    Record,
    append_whole,
    format_json_line,
    lock,
    parse_json_line,
    read_json_lines,
)
from noughts.games.registry import parse_start

SYNC_SECONDS = 1.0
"""Seconds of a match that a power failure may lose; the end of the process loses nothing."""


class OtherTerms(ValueError):
    """The file holds results of another match; the message names the first difference."""


class Busy(OSError):
    """Another match is writing to the file."""


class Results:
    """A results file, open for appending.

    Args:
        path: the file, created if it does not exist.

    Raises:
        Busy: another match has it open.
        IllegalMove, NotationError: a line is not a record; the reason names it.
        OSError: as `open`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._synced = time.monotonic()
        self._file = path.open("a+b", buffering=0)
        try:
            if not lock(self._file):
                raise Busy(f"another match writes into {path}")
            self.records, self.cut_off = self._read()
        except BaseException:
            self._file.close()
            raise

    def add(self, record: Record) -> None:
        """Append the record of a game.

        Raises:
            OSError: as `write`; a partly written record is removed.
        """
        append_whole(self._file, format_json_line(record).encode())
        self.records.append(record)
        if time.monotonic() - self._synced >= SYNC_SECONDS:
            self._sync()

    def close(self) -> None:
        """Write everything to disk, and unlock the file."""
        if not self._file.closed:
            self._sync()
            self._file.close()

    def _sync(self) -> None:
        with suppress(OSError):  # a pipe or a device cannot be synced
            os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def _read(self) -> tuple[list[Record], bool]:
        """Return the records, and whether an unfinished last line was removed."""
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
    # Invalid UTF-8 becomes lone surrogates, which the reader refuses with their line.
    return data.decode("utf-8", errors="surrogateescape").split("\n")


def games_of(
    records: Iterable[Record], terms: Terms, fixtures: Sequence[Fixture]
) -> dict[int, Record]:
    """Return the records of a match's games by number.

    Raises:
        OtherTerms: a record has other terms, or its game is not in the schedule.
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
    """Check that a record is of the fixture's game.

    Raises:
        OtherTerms: it is of another game.
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
