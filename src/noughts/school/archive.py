"""Unpack the archive of a class, as learning platforms offer it for download.

class.zip ──unpack()──► files of bounded number and size, all inside the given folder
"""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from noughts.school.submissions import METADATA, USUAL_NAME

MAX_ENTRIES = 20_000
"""Most files and folders in an archive."""
LARGEST_TOTAL = 200 << 20
"""Most bytes of all unpacked files."""
_CHUNK = 1 << 20


class BadArchive(Exception):
    """An archive that is not unpacked; the message is a clause about it."""


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack a ZIP archive, and return the folder of the class in it.

    That is the given folder or, if the archive has but one folder that is no student's, that one.

    Args:
        archive: the file.
        folder: an empty folder.

    Raises:
        BadArchive: it is no ZIP archive, is too large, or has unsafe paths, links or passwords.
        OSError: the archive cannot be read.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            if len(entries) > MAX_ENTRIES:
                raise BadArchive(f"has more than {MAX_ENTRIES:,} files")
            places = [_place(each) for each in entries]
            left = LARGEST_TOTAL
            for entry, place in zip(entries, places, strict=True):
                if place.parts[:1] != ("__MACOSX",):
                    left = _write(opened, entry, folder / place, left)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise BadArchive(f"is no ZIP archive that can be read: {error}") from None
    return _class_folder(folder)


def _place(entry: zipfile.ZipInfo) -> PurePosixPath:
    """Return the relative path of an entry.

    Raises:
        BadArchive: it may lie outside the folder, is a link, or has a password.
    """
    name = entry.filename.replace("\\", "/")
    place = PurePosixPath(name)
    if place.is_absolute() or ".." in place.parts or re.match(r"[A-Za-z]:", name) or not name:
        raise BadArchive(f"has an unsafe path, {entry.filename!r}; nothing was unpacked")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise BadArchive(f"has a link, {entry.filename!r}; nothing was unpacked")
    if entry.flag_bits & 1:
        raise BadArchive("has a password: unpack it first")
    return place


def _write(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, left: int) -> int:
    """Write an entry to a path, and return how many bytes may follow."""
    try:
        if entry.filename.endswith(("/", "\\")):
            path.mkdir(parents=True, exist_ok=True)
            return left
        path.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(entry) as source, path.open("wb") as target:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise BadArchive(f"has more than {LARGEST_TOTAL >> 20} MiB of files")
                target.write(chunk)
    except OSError as error:
        why = error.strerror or error
        raise BadArchive(f"has a file that cannot be unpacked, {entry.filename!r}: {why}") from None
    return left


def _class_folder(folder: Path) -> Path:
    """Return the only folder in a folder, if it holds a class; else the folder itself."""
    inside = [each for each in folder.iterdir() if not each.name.startswith((".", "__"))]
    if len(inside) != 1 or not inside[0].is_dir():
        return folder
    (only,) = inside
    if (only / METADATA).is_file():
        return only
    files = [each for each in only.iterdir() if each.is_file()]
    is_student = (only / USUAL_NAME).is_file() or "_assignsubmission_" in only.name
    has_class = len(files) > 1 or any(each.is_dir() for each in only.iterdir())
    return only if has_class and not is_student else folder
