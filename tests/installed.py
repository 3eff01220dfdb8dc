"""Check an installed package by its commands; the source tree and a compiler are not needed.

    python tests/installed.py

runs the `noughts` command beside the Python that runs this file.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

NOUGHTS = str(Path(sys.executable).with_name("noughts"))
SECONDS = 120
"""The time limit of one command, in seconds."""


def check(expected: str, *arguments: str, typed: str = "") -> None:
    """Run a command; its output must match the regular expression `expected`."""
    command = (NOUGHTS, *arguments)
    done = subprocess.run(
        command, input=typed, capture_output=True, encoding="utf-8", timeout=SECONDS
    )
    if done.returncode != 0 or not re.search(expected, done.stdout, re.MULTILINE):
        sys.exit(
            f"{' '.join(arguments)}: exit code {done.returncode}, expected output {expected!r}, "
            f"got:\n{done.stdout}{done.stderr}"
        )
    print(f"noughts {' '.join(arguments)}: passed", flush=True)


def check_serve(folder: Path) -> None:
    """Start the server, and ask it for its page."""
    command = (NOUGHTS, "serve", "--port", "0", "--database", str(folder / "games.db"))
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as server:
        try:
            assert server.stdout is not None
            address = next(
                found[0] for line in server.stdout if (found := re.search(r"http://\S+", line))
            )
            with urlopen(address, timeout=SECONDS) as reply:
                page = reply.read().decode()
            if reply.status != 200 or "<title>" not in page:
                sys.exit(f"serve: {address} gave status {reply.status}:\n{page}")
        finally:
            server.terminate()
    print("noughts serve: passed", flush=True)


def check_board() -> None:
    """Make the board of a notebook."""
    code = "import noughts; print(noughts.board('basic')._repr_html_())"
    shown = subprocess.check_output((sys.executable, "-c", code), text=True, timeout=SECONDS)
    if "<noughts-board" not in shown:
        sys.exit(f"board: {shown[:200]}")
    print("noughts.board: passed", flush=True)


def main() -> None:
    check(r"^5 draw     2 loss 3 ", "analyse", "basic", "--moves", "1")
    check(r"^D   best c3 ", "solve", "mnk:5,5,4")
    check(r"random:seed=1.* plays \d", "play", "basic", "--o", "random:seed=1", typed="5\nquit\n")
    match = ("engine:level=2", "random", "--game", "basic", "--pairs", "1", "--seed", "1")
    check(r"engine:level=2 +2 ", "match", *match)
    check(r"^int main\(", "export", "codingame")
    check(r"customElements\.define", "export", "board")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check("^Try it: ", "site", str(folder / "site"))
        if not (folder / "site/core/core.wasm").is_file():
            sys.exit("site: there is no core.wasm")
        check_board()
        check_serve(folder)


if __name__ == "__main__":
    main()
