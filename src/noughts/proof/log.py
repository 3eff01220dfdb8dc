"""The log of a campaign: lines with checksums, in files that only grow.

    noughts-campaign 1 advanced 3f9c…         the format, the rules, the version of engine and net
    1795718400 choose - 55 5000000            when, path of the node, the move, nodes
    1795718460 won 5551112233… 812345 0.31 212 c-n…   path, expansions, seconds, leaves, codes
    1795718461 open 5551112244… 100000000 31.2        path, expansions, seconds
    …                                         each line ends with its CRC-32

Each run of a campaign writes new files. A line whose checksum is wrong does not count; its work is
done again.
"""

from __future__ import annotations

import base64
import binascii
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FORMAT = "noughts-campaign 1"
LINES = 2_000
"""Lines of a file before the next one begins."""


class BadLog(ValueError):
    """A log of another format or other rules."""


class Line(NamedTuple):
    """One line of a log."""

    seconds: int
    """Time of writing, in seconds since 1970."""
    version: str
    """The version of the engine and the net that did the work."""
    kind: str
    """`choose`, `won`, `open` or `lost`."""
    path: str
    """The moves from the start of the campaign, two digits each."""
    rest: tuple[str, ...]


def pack(codes: bytes) -> str:
    """Return codes of a strategy as a word of text."""
    return base64.b85encode(zlib.compress(codes, 9)).decode()


def unpack(word: str) -> bytes:
    """Return the codes of `pack`.

    Raises:
        ValueError: the word is damaged.
    """
    try:
        return zlib.decompress(base64.b85decode(word))
    except zlib.error as error:
        raise ValueError(f"damaged codes: {error}") from error


def _sealed(text: str) -> str:
    return f"{text} {binascii.crc32(text.encode()):08x}\n"


def _opened(line: str) -> str | None:
    """Return the text of a line, without its checksum; `None` if that is wrong."""
    text, _, seal = line.rpartition(" ")
    return text if _sealed(text) == f"{text} {seal}\n" and line else None


class Log:
    """The log in a folder, for one set of rules."""

    def __init__(self, folder: Path, rules: str) -> None:
        self.folder = folder
        self.rules = rules
        self.damaged: list[str] = []
        """Places of the damaged lines that `read` has skipped so far."""
        self._file: int | None = None
        self._lines = 0

    def files(self) -> list[Path]:
        """Return the files, oldest first."""
        return sorted(file for file in self.folder.glob("*.log") if file.stem.isdecimal())

    def read(self) -> Iterator[Line]:
        """Yield the lines that count.

        Raises:
            BadLog: a file has another format, or is of other rules.
        """
        self.damaged = []
        for file in self.files():
            content = file.read_text(errors="replace")
            if not content:
                continue  # of a run that was killed before it wrote
            first, *lines = content.split("\n")
            header = _opened(first)
            if header is None:
                # Without its first line nothing says whose results these are.
                self.damaged.append(f"{file.name}: line 1")
                continue
            if header.rpartition(" ")[0] != f"{FORMAT} {self.rules}":
                raise BadLog(
                    f"{file} begins with {header!r}; this version reads {FORMAT!r} for {self.rules}"
                )
            version = header.rpartition(" ")[2]
            for number, line in enumerate(lines, 2):
                if not line and number == len(lines) + 1:
                    continue
                text = _opened(line)
                if text is None:
                    self.damaged.append(f"{file.name}: line {number}")
                    continue
                when, kind, path, *rest = text.split(" ")
                yield Line(int(when), version, kind, "" if path == "-" else path, tuple(rest))

    def append(self, version: str, kind: str, path: str, *rest: object) -> Line:
        """Write a line, and return it once it is on the disk."""
        if self._file is None or self._lines >= LINES:
            self._begin(version)
        line = Line(int(time.time()), version, kind, path, tuple(map(str, rest)))
        self._write(" ".join((str(line.seconds), kind, path or "-", *line.rest)))
        self._lines += 1
        return line

    def close(self) -> None:
        """End the file in progress."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _begin(self, version: str) -> None:
        self.close()
        self.folder.mkdir(parents=True, exist_ok=True)
        last = max((int(file.stem) for file in self.files()), default=0)
        self._file = os.open(
            self.folder / f"{last + 1:06}.log", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644
        )
        self._lines = 0
        self._write(f"{FORMAT} {self.rules} {version}")

    def _write(self, text: str) -> None:
        assert self._file is not None
        data = _sealed(text).encode()
        while data:  # a disk that is full takes a part, then fails
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)
