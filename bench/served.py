"""A server process for measurements with a real browser."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """Run `noughts serve` on a free port; yield its address and the number of its process."""
    program = Path(sys.executable).with_name("noughts")
    with tempfile.TemporaryDirectory() as folder:
        command = (program, "serve", "--port", "0", "--database", f"{folder}/games.db")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = re.search(r"http://\S+:\d+", server.stdout.readline())
            assert found, "noughts serve did not start"
            try:
                yield found[0], server.pid
            finally:
                server.terminate()
