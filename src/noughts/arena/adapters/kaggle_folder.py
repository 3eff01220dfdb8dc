"""The folder of a Kaggle submission: its files, and the path by which they are known there.

submission.tar.gz ──unpacked()──► a folder with main.py
/kaggle_simulations/agent/weights.npz ──moved_in()──► the file beside the agent's
"""

from __future__ import annotations

import atexit
import builtins
import io
import os
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

MAIN = "main.py"
"""The file of an archive that Kaggle runs."""
AGENT = "/kaggle_simulations/agent"
"""Kaggle's folder of the submission."""
ARCHIVES = (".tar.gz", ".tgz", ".zip")


def is_archive(path: str) -> bool:
    """Return whether a path is that of a submission in one file."""
    return path.endswith(ARCHIVES)


@cache
def unpacked(archive: Path) -> Path:
    """Return the main file of an archive, unpacked into a folder that is removed at the end.

    Raises:
        LookupError: it has no `main.py`, or is not an archive.
    """
    folder = Path(tempfile.mkdtemp(prefix="noughts-kaggle-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(folder)
        else:
            with tarfile.open(archive) as packed_files:
                packed_files.extractall(folder, filter="data")
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise LookupError(f"{archive} cannot be unpacked: {error}") from None
    if not (folder / MAIN).is_file():
        raise LookupError(f"{archive} has no {MAIN} at its top")
    return folder / MAIN


def moved_in(folder: Path) -> None:
    """Let the functions of Python that open and list files find Kaggle's folder at `folder`."""
    for module, names in _FUNCTIONS.items():
        for name in names:
            known = getattr(module, name)
            setattr(module, name, _translated(getattr(known, "__wrapped__", known), str(folder)))


_FUNCTIONS: dict[Any, tuple[str, ...]] = {
    builtins: ("open",),
    io: ("open",),
    os: ("open", "stat", "listdir", "scandir"),
}


def _translated(function: Callable[..., Any], folder: str) -> Callable[..., Any]:
    @wraps(function)
    def call(path: Any = ".", *arguments: Any, **options: Any) -> Any:
        text = os.fspath(path) if isinstance(path, str | os.PathLike) else path
        if isinstance(text, str) and (text == AGENT or text.startswith(f"{AGENT}/")):
            path = folder + text[len(AGENT) :]
        return function(path, *arguments, **options)

    return call
