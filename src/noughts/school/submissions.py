"""The students' files in a folder: files such as `anna.py`, or a folder for each student.

FOLDER/anna.py                                           student anna
FOLDER/Ben Okri/lab/game.py                              student Ben Okri
FOLDER/Ben Okri_12345_assignsubmission_file_/game.py     the same, from Moodle
FOLDER/Ben Okri/project.zip                              the same, in an archive
FOLDER/okriben_LATE_12345_678910_tictactoe-1.py          student okriben, from Canvas
FOLDER/submission_123456/game.py                         from Gradescope, whose
FOLDER/submission_metadata.yml                           file has the names

Of several files, the one with the most of the wanted functions is checked.
"""

from __future__ import annotations

import ast
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from noughts.school.zipped import python_in

USUAL_NAME = "tictactoe.py"
METADATA = "submission_metadata.yml"
"""Gradescope's file about the submissions beside it."""
LONGEST_NAME = 60
"""Most characters of a file's name that is made from a student's."""
MAX_FILES = 300
"""Most files of a folder that are read."""
LARGEST_FILE = 1 << 20
"""Largest Python file that is read, in bytes."""
TEXTS = (".txt", ".pyw", "")
"""Endings of files that may be Python under another name."""
OTHERS = (".ipynb", ".zip", ".rar", ".7z", ".gz", ".docx", ".doc", ".odt", ".rtf", ".pdf", ".html")
"""Endings of files that students hand in for a program; the check says what to do."""
_DEFINITION = re.compile(r"^(?:async )?def (\w+)|^(\w+) *=", re.MULTILINE)
_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)")
_CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)")
_AGAIN = re.compile(r"-\d+(?=\.\w+$)")
"""The number that Canvas adds to the name of a file that is handed in again."""


class Submission(NamedTuple):
    """The work of one student."""

    student: str
    """The student's name, or that of the file without its ending."""
    place: str
    """The name of the file or folder, unique in the class."""
    name: str
    """A name for files about this student: safe, and unique without regard to case."""
    file: Path | None
    """The file to check; `None` if the student's folder has no file for that."""
    beside: tuple[tuple[str, Path], ...] = ()
    """The student's other files, with their names, if there is no folder of the student."""

    @property
    def is_archive(self) -> bool:
        """Whether the program is in a ZIP archive."""
        return self.file is not None and self.file.suffix.lower() == ".zip"

    def contents(self) -> dict[str, bytes]:
        """Return the file to check and the other Python files of its folder, by relative path.

        The first is the file to check. A file that does not lie in a student's own folder comes
        without the others there, as `tictactoe.py`, so that it imports no file of another student,
        and hides no module with its name. Of an archive, its Python files; empty if it has none.

        Raises:
            OSError: a file cannot be read.
        """
        if self.file is None:
            return {}
        if self.is_archive:
            return python_in(self.file, USUAL_NAME, LARGEST_FILE)
        if self.place == self.file.name:
            files = [(USUAL_NAME, self.file), *self.beside]
        else:
            folder = self.file.parent
            others = [each for each in python_files(folder) if each != self.file]
            files = [(each.relative_to(folder).as_posix(), each) for each in (self.file, *others)]
        return {name: _head(file) for name, file in files}


def _head(file: Path) -> bytes:
    """Return the content of a file, as far as the largest one that is read."""
    with file.open("rb") as stream:
        return stream.read(LARGEST_FILE)


def fingerprint(contents: dict[str, bytes]) -> str:
    """Return a hash of files and their names."""
    found = sha256()
    for name, data in contents.items():
        found.update(f"{len(name)} {len(data)} {name}\n".encode("utf-8", "surrogateescape"))
        found.update(data)
    return found.hexdigest()


class _Entry(NamedTuple):
    """A file or folder in the folder of a class."""

    path: Path
    student: str
    number: str
    """The number that a learning platform gives to the student or the work; may be empty."""
    file: str
    """The name under which a file of a learning platform was handed in; else empty."""


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
    students: dict[tuple[str, str], list[_Entry]] = {}
    for entry in _entries(folder, wanted, besides):
        is_alone = not entry.number
        key = (entry.path.name, "") if is_alone else (entry.student, entry.number)
        students.setdefault(key, []).append(entry)
    shown = Counter(entries[0].student for entries in students.values())
    found = []
    for entries in students.values():
        student, number = entries[0].student, entries[0].number
        if number and shown[student] > 1:
            student = f"{student} ({number})"
        found.append((student, *_work(entries, wanted)))
    names = [_safe(student) for student, *_ in found]
    tally = Counter(map(str.casefold, names))
    return [
        Submission(
            _shown(student),
            place,
            name if tally[name.casefold()] == 1 else f"{name}-{_short_hash(place)}",
            file,
            beside,
        )
        for (student, place, file, beside), name in zip(found, names, strict=True)
    ]


def left_out(folder: Path, submissions: Iterable[Submission], besides: Path) -> list[str]:
    """Return the names of the files in a class's folder that belong to no submission.

    Args:
        folder: of the class.
        submissions: found there.
        besides: the folder of the reports.

    Raises:
        OSError: the folder cannot be read.
    """
    used = {each.place for each in submissions} | {METADATA}
    used |= {path.name for each in submissions for _, path in each.beside}
    return [
        _shown(path.name)
        for path in _visible(folder, besides)
        if path.is_file() and path.name not in used
    ]


def _visible(folder: Path, besides: Path | None) -> Iterator[Path]:
    """Yield the files and folders of a folder, by name."""
    for path in sorted(folder.iterdir(), key=lambda path: (path.name.casefold(), path.name)):
        if path.name.startswith((".", "__")) or path.is_symlink():
            continue
        if besides is None or path.resolve() != besides.resolve():
            yield path


def _entries(folder: Path, wanted: Collection[str], besides: Path | None) -> Iterator[_Entry]:
    """Yield the files and folders of students."""
    metadata = folder / METADATA
    names = (
        gradescope_names(_head(metadata).decode("utf-8", "replace"))
        if _is_regular(metadata)
        else {}
    )
    for path in _visible(folder, besides):
        is_folder = path.is_dir()
        if is_folder and path.name in names:
            yield _Entry(path, names[path.name], path.name.rpartition("_")[2], "")
        elif found := _MOODLE.fullmatch(path.name) or (
            None if is_folder else _CANVAS.fullmatch(path.name)
        ):
            file = _AGAIN.sub("", found["file"])
            if is_folder or _may_be_program(path, wanted):
                yield _Entry(path, found["name"].strip(), found["id"], file)
        elif is_folder:
            yield _Entry(path, path.name, "", "")
        elif _may_be_program(path, wanted):
            yield _Entry(path, path.name.removesuffix(path.suffix).removesuffix(".py"), "", "")


def _is_regular(path: Path) -> bool:
    """Return whether a path is a regular file: a read of a pipe or socket may never end."""
    return path.is_file() and not path.is_symlink()


def _may_be_program(path: Path, wanted: Collection[str]) -> bool:
    """Return whether a file in the class's own folder is a student's work."""
    if not path.is_file():
        return False
    ending = path.suffix.lower()
    return ending in (".py", *OTHERS) or bool(ending in TEXTS and _defined(path) & {*wanted})


def _work(
    entries: Sequence[_Entry], wanted: Collection[str]
) -> tuple[str, Path | None, tuple[tuple[str, Path], ...]]:
    """Return the place of a student's work, the file to check and those beside it."""
    folders = [entry.path for entry in entries if entry.path.is_dir()]
    if folders:
        files = [_likeliest(_files(folder), wanted) for folder in folders]
        best = _likeliest([file for file in files if file is not None], wanted)
        index = files.index(best) if best is not None else 0
        return folders[index].name, best, ()
    named = {entry.path: entry.file for entry in entries}
    best = _likeliest([*named], wanted)
    assert best is not None
    beside = tuple(
        (name, path)
        for path, name in named.items()
        if path != best and name.endswith(".py") and name != USUAL_NAME
    )
    return best.name, best, beside


def gradescope_names(metadata: str) -> dict[str, str]:
    """Return the students' names in Gradescope's file, by the folders of their submissions.

    >>> gradescope_names("submission_7:\\n  :submitters:\\n  - :name: Ana Ng\\n    :sid: '1'\\n")
    {'submission_7': 'Ana Ng'}
    """
    names: dict[str, list[str]] = {}
    folder, is_among_submitters = "", False
    for line in metadata.splitlines():
        if found := re.fullmatch(r"(submission_\d+):\s*", line):
            folder, is_among_submitters = found[1], False
        elif found := re.match(r" {0,2}:(\w+):", line):
            is_among_submitters = found[1] == "submitters"
        elif is_among_submitters and (found := re.fullmatch(r"[ -]*:name:\s*(.*?)\s*", line)):
            names.setdefault(folder, []).append(_scalar(found[1]))
    return {folder: " and ".join(each) for folder, each in names.items()}


def _scalar(text: str) -> str:
    """Return a value of YAML without its quotes."""
    if text[:1] == text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text[:1] == '"':
        try:
            return str(ast.literal_eval(text))  # the escapes of names are those of Python
        except (ValueError, SyntaxError):
            return text.strip('"')
    return text


def python_files(folder: Path) -> list[Path]:
    """Return the Python files below a folder, those nearest to it first."""
    found = [each for each in _files(folder) if each.suffix.lower() == ".py"]
    return [each for each in found if each.stat().st_size <= LARGEST_FILE]


def _files(folder: Path) -> list[Path]:
    """Return the visible files below a folder, those nearest to it first."""
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
            if not path.name.startswith(".") and _is_regular(path):
                yield path


def _likeliest(files: Sequence[Path], wanted: Collection[str]) -> Path | None:
    """Return the file to check: the one with the most of the wanted functions.

    Without any of them, a Python file or else another program that students hand in; `None` if
    there is none.
    """

    def rank(file: Path) -> tuple[int, int, bool]:
        ending = file.suffix.lower()
        sort = 2 if ending == ".py" else 1 if ending in OTHERS else 0
        count = len(_defined(file) & {*wanted}) if ending in (".py", *TEXTS) else 0
        return count, sort, file.name == USUAL_NAME

    ranks = {file: rank(file) for file in files}
    fit = [file for file in files if ranks[file] > (0, 0, True)]
    return max(fit, key=lambda file: ranks[file], default=None)


def _defined(file: Path) -> set[str]:
    """Return the names that a file defines; roughly, if it is not valid Python."""
    data = _head(file)
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    text = data.decode(encoding, "replace")
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
