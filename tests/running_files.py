"""Students' files that tell where they run, for the tests of the server's checks."""

from __future__ import annotations

import time
from pathlib import Path

from patience import PATIENCE


def marking(folder: Path, rest: str = "") -> tuple[str, Path]:
    """Return a file that leaves its process id at a path when it runs."""
    mark = folder / "mark"
    return (
        f"import os\nopen({str(mark)!r}, 'w').write(f'{{os.getpid()}} {{os.getcwd()}}')\n{rest}",
        mark,
    )


def sleeping(folder: Path) -> tuple[str, Path]:
    return marking(folder, "import time\ntime.sleep(600)\n")


def process_of(mark: Path) -> tuple[int, Path]:
    """Return the process id of a file that runs, and its folder."""
    until = time.monotonic() + PATIENCE
    while not (mark.exists() and mark.read_text()):
        assert time.monotonic() < until, "the file does not run"
        time.sleep(0.02)
    number, _, folder = mark.read_text().partition(" ")
    return int(number), Path(folder)


def until_ended(number: int) -> None:
    until = time.monotonic() + PATIENCE
    while Path(f"/proc/{number}").exists():
        assert time.monotonic() < until, "the file's process still runs"
        time.sleep(0.02)
