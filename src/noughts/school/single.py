"""Check one file, and print the report as JSON.

    python -m noughts.school.single FILE INTERFACE FUNCTION

INTERFACE and FUNCTION may be empty. The caller bounds the time. The output is the object of
`CheckReport.as_data`, or `{"unfit": SENTENCE}` for a file without the functions to check.
"""

from __future__ import annotations

import ctypes
import json
import signal
import sys
from pathlib import Path

from noughts.school.check import NothingToCheck
from noughts.school.process import check_file
from noughts.school.student import Interface

_DIE_WITH_PARENT = 1  # prctl(2): PR_SET_PDEATHSIG


def main() -> None:
    """Check the file that the arguments name."""
    if sys.platform == "linux":
        # A check whose caller was killed is of no use.
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    file, interface, function = sys.argv[1:]
    as_ = Interface(interface) if interface else None
    try:
        data = check_file(Path(file), as_, function or None).as_data()
    except NothingToCheck as error:
        data = {"unfit": f"The file {error}."}
    json.dump(data, sys.stdout)


if __name__ == "__main__":
    main()
