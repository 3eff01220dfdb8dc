"""The Python files in a ZIP archive that a student has handed in.

project.zip ──python_in()──► {"tictactoe.py": …, "helper.py": …}    the file to check first
"""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path, PurePosixPath

MAX_FILES = 300
"""Most Python files of an archive that are read."""
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError),
    RuntimeError,  # a password
)
_DEFINITION = re.compile(rb"^def ", re.MULTILINE)


def python_in(archive: Path, usual: str, largest: int) -> dict[str, bytes]:
    """Return the Python files of an archive by their paths, which begin at the file to check.

    That is the file of the usual name, or else the one with the most functions. Nothing is
    unpacked. Empty if there is none, or the archive cannot be read.

    Args:
        archive: the file.
        usual: the usual name of the file to check.
        largest: most bytes of a file; larger files are skipped.

    Raises:
        OSError: the file cannot be read.
    """
    found: dict[PurePosixPath, bytes] = {}
    try:
        with zipfile.ZipFile(archive) as opened:
            for entry in opened.infolist():
                path = PurePosixPath(entry.filename.replace("\\", "/"))
                if _is_program(path) and entry.file_size <= largest and len(found) < MAX_FILES:
                    with opened.open(entry) as stream:
                        found[path] = stream.read(largest)
    except _UNREADABLE:
        return {}

    def rank(path: PurePosixPath) -> tuple[bool, int, int]:
        return path.name == usual, len(_DEFINITION.findall(found[path])), -len(path.parts)

    if not found:
        return {}
    first = max(found, key=rank)
    others = [path for path in found if path != first and path.is_relative_to(first.parent)]
    return {path.relative_to(first.parent).as_posix(): found[path] for path in (first, *others)}


def _is_program(path: PurePosixPath) -> bool:
    hidden = any(part.startswith((".", "__")) for part in path.parts)
    return path.suffix.lower() == ".py" and not hidden and not path.is_absolute()
