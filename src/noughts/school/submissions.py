"""The students' files in a folder: files such as `anna.py`, or a folder for each student.

FOLDER/anna.py               student anna
FOLDER/Ben Okri/lab/game.py  student Ben Okri: the file with the most of the wanted functions
"""

from __future__ import annotations

import ast
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

USUAL_NAME = "tictactoe.py"
LONGEST_NAME = 60
"""Most characters of a file's name that is made from a student's."""
MAX_FILES = 300
"""Most Python files of a folder that are read."""
LARGEST_FILE = 1 << 20
"""Largest file that is read, in bytes."""
_DEFINITION = re.compile(r"^(?:async )?def (\w+)|^(\w+) *=", re.MULTILINE)


class Submission(NamedTuple):
    """The work of one student."""

    student: str
    """The name of the file without its ending, or of the folder."""
    place: str
    """The name of the file or folder, unique in the class."""
    name: str
    """A name for files about this student: safe, and unique without regard to case."""
    file: Path | None
    """The file to check; `None` if the student's folder has no Python file."""

    def contents(self) -> dict[str, bytes]:
        """Return the file to check and the other Python files of its folder, by relative path.

        The first is the file to check. A file that does not lie in a student's own folder comes
        alone, as `tictactoe.py`, so that it imports no file of another student, and hides no
        module with its name.

        Raises:
            OSError: a file cannot be read.
        """
        if self.file is None:
            return {}
        if self.place == self.file.name:
            return {USUAL_NAME: self.file.read_bytes()}
        others = [each for each in python_files(self.file.parent) if each != self.file]
        return {
            each.relative_to(self.file.parent).as_posix(): each.read_bytes()
            for each in (self.file, *others)
        }


def fingerprint(contents: dict[str, bytes]) -> str:
    """Return a hash of files and their names."""
    found = sha256()
    for name, data in contents.items():
        found.update(f"{len(name)} {len(data)} {name}\n".encode("utf-8", "surrogateescape"))
        found.update(data)
    return found.hexdigest()


def find_submissions(
    folder: Path, wanted: Collection[str], besides: Path | None = None
) -> list[Submission]:
    """Return the submissions of a folder, by name; without hidden files and links.

    Args:
        folder: with files, or with a folder for each student.
        wanted: names of the functions that a student's file has.
        besides: a folder to leave out.

    Raises:
        OSError: the folder cannot be read.
    """
    found: list[tuple[str, str, Path | None]] = []
    for each in sorted(folder.iterdir(), key=lambda path: (path.name.casefold(), path.name)):
        if each.name.startswith((".", "__")) or each.is_symlink():
            continue
        if besides is not None and each.resolve() == besides.resolve():
            continue
        if each.is_dir():
            found.append((each.name, each.name, _likeliest(each, wanted)))
        elif each.suffix == ".py" and each.is_file():
            found.append((each.stem, each.name, each))
    names = [_safe(student) for student, _, _ in found]
    tally = Counter(map(str.casefold, names))
    return [
        Submission(
            _shown(student),
            place,
            name if tally[name.casefold()] == 1 else f"{name}-{_short_hash(place)}",
            file,
        )
        for (student, place, file), name in zip(found, names, strict=True)
    ]


def python_files(folder: Path) -> list[Path]:
    """Return the Python files below a folder, those nearest to it first."""
    found = sorted(_walk(folder), key=lambda path: (len(path.parts), str(path)))
    return found[:MAX_FILES]


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = [
            each
            for each in folders
            if not each.startswith((".", "__"))
            and each not in ("venv", "env", "site-packages", "node_modules")
        ]
        for file in files:
            path = Path(place, file)
            is_python = path.suffix == ".py" and not path.name.startswith(".")
            if is_python and not path.is_symlink() and path.stat().st_size <= LARGEST_FILE:
                yield path


def _likeliest(folder: Path, wanted: Collection[str]) -> Path | None:
    """Return the Python file with the most of the wanted functions; `None` without any file."""
    files = python_files(folder)
    if not files:
        return None
    return max(files, key=lambda file: (len(_defined(file) & {*wanted}), file.name == USUAL_NAME))


def _defined(file: Path) -> set[str]:
    """Return the names that a file defines; roughly, if it is not valid Python."""
    text = file.read_bytes().decode("utf-8", "replace")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {name for pair in _DEFINITION.findall(text) for name in pair}
    found = set()
    for each in tree.body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(each.name)
        elif isinstance(each, ast.Assign):
            found |= {target.id for target in each.targets if isinstance(target, ast.Name)}
    return found


def _shown(name: str) -> str:
    """Return a name that can be written as UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def _safe(name: str) -> str:
    """Return a name for a file: letters, digits, `.`, `_` and `-`, without a dot in front.

    >>> _safe("../../Zoë  O'Neil"), _safe(".."), _safe("李雷")
    ('Zoë-O-Neil', 'student', '李雷')
    """
    text = unicodedata.normalize("NFC", _shown(name))
    kept = "".join(each if each.isalnum() or each in "._-" else " " for each in text)
    return "-".join(kept.split())[:LONGEST_NAME].strip("-.") or "student"


def _short_hash(text: str) -> str:
    return sha256(os.fsencode(text)).hexdigest()[:8]
