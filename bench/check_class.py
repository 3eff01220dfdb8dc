"""The processor time of `noughts check --class`, on the faulty and right files of the tests.

    python bench/check_class.py [FILES] [STEP]

The class has FILES files: those of `tests/students.py`, again and again with small edits, as of
students who have worked from the same template. With STEP, only every STEP-th is checked. Prints
the processor time of all checks, and the time on the clock.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from textwrap import dedent

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from students import BASE, FAULTY, RIGHT

EDITS = (
    (),
    (("possible", "open_cells"),),
    (("new_board", "after"), ("values", "scores")),
)
"""Names that are replaced in the second and third copy of a file."""


def write_class(folder: Path, files: int, step: int) -> int:
    """Write the files of a class, and return how many there are."""
    sources = [*(each.source for each in FAULTY.values()), *RIGHT.values(), BASE]
    written = 0
    for number in range(0, files, step):
        source = dedent(sources[number % len(sources)])
        for old, new in EDITS[number // len(sources) % len(EDITS)]:
            source = source.replace(old, new)
        (folder / f"s{number:03}.py").write_text(f"{source}\n# {number}\n", "utf-8")
        written += 1
    return written


def main(files: int = 200, step: int = 1) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "class")
        place.mkdir()
        written = write_class(place, files, step)
        started = time.monotonic()
        program = "from noughts.cli.main import main; main()"
        words = ["check", "--class", str(place), "--out", str(Path(folder, "reports"))]
        subprocess.run([sys.executable, "-c", program, *words], stdout=subprocess.DEVNULL)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = used.ru_utime + used.ru_stime
        clock = time.monotonic() - started
    print(f"{written} files: {spent:.0f} s of processor time, {spent / written:.1f} s each")
    print(f"{clock:.0f} s on the clock")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
