"""Attack the library, the commands and a match: scripts, numbers and bots that must do no harm.

scripts that end in the middle of a search ─┐
commands with absurd numbers ───────────────┼──► lines of the table of `bench/attack.py`
bots that crash, hang or write garbage ─────┘
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from table import Line

PATIENCE = 60.0
"""Seconds that a script or a command may take."""
PROGRAM = "from noughts.cli.main import main; main()"
IMPORTS = "import os, threading, time\nfrom noughts.engine import *\nfrom noughts import Limit\n"
SCRIPTS = (
    "results = Engine('ultimate').analyse('ultimate'); next(results)",
    "results = [Engine('ultimate').analyse('ultimate') for _ in range(4)]\n"
    "for each in results: next(each)",
    "threading.Thread(target=lambda: Engine('ultimate').solve('ultimate'), daemon=True).start()\n"
    "time.sleep(0.2)",
    "threading.Thread(target=lambda: perft('ultimate', 12), daemon=True).start(); time.sleep(0.2)",
    "engine = Engine('ultimate')\n"
    "for _ in engine.analyse('ultimate', Limit(nodes=20_000)):\n"
    "  try: engine.best_move('ultimate')\n"
    "  except EngineBusy: pass\n"
    "  else: os._exit(1)",
    "results = Engine('ultimate').analyse('ultimate'); next(results)\n"
    "child = os.fork()\n"
    "if child == 0: os._exit(Engine('basic').best_move('basic').text == '')\n"
    "assert os.waitpid(child, 0)[1] == 0",
    "for _ in range(2):\n"
    "  try: Engine('ultimate', table_mib=2**16).best_move('ultimate', Limit(nodes=1000))\n"
    "  except MemoryError: pass",
)
"""Scripts that must end by themselves with code 0 and without a word."""
BIG = "9" * 20
COMMANDS = (
    ("analyse", "basic", "--nodes", BIG),
    ("analyse", "basic", "--depth", BIG),
    ("solve", "basic", "--table", "99999999"),
    ("perft", "ultimate", "-1"),
    ("match", f"engine:nodes={BIG}", "random", "--pairs", "1"),
    ("match", "mcts:depth=0", "random", "--pairs", "1"),
    ("play", "mnk:99999999,9,9"),
    ("analyse", "connect4:9,19,19~" + ".".join(["XO" * 9] * 9) + "~X"),
    ("analyse", "(" * 100_000),
)
"""Commands that must be refused with a sentence."""
BOTS = {
    "crash": "def choose(position): raise ValueError('no')",
    "exit": "import os\ndef choose(position): os._exit(3)",
    "hang": "import time\ndef choose(position): time.sleep(3600)",
    "garbage": "def choose(position): return 'x' * 1_000_000",
    "noise": "import sys\ndef choose(position):\n"
    "  sys.stdout.write('\\x1b[2J' * 1_000_000); return '5'",
    "memory": "def choose(position): return [0] * 10**12",
}
"""Bots that lose all their games, and nothing else."""


def library() -> list[Line]:
    """Return the number of scripts that abort, hang or complain, and of commands not refused."""
    aborted = sum(not _is_quiet(IMPORTS + script) for script in SCRIPTS)
    accepted = sum(not _is_refused(command) for command in COMMANDS)
    return [
        Line(f"library: of {len(SCRIPTS)} scripts end badly", aborted, "", "<", 1),
        Line(f"commands: of {len(COMMANDS)} not refused by a sentence", accepted, "", "<", 1),
    ]


def match() -> list[Line]:
    """Return the number of games that faulty bots do not lose, and of processes that they leave."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        for name, source in BOTS.items():
            (path / f"{name}.py").write_text(source)
        bots = [f"{name}=python:{name}.py:choose" for name in BOTS]
        options = ("--game", "basic", "--pairs", "1", "--seconds", "1", "--out", "games.jsonl")
        _run("-c", PROGRAM, "match", "random", *bots, "--gauntlet", *options, at=path)
        lines, games = (path / "games.jsonl").read_text().splitlines(), len(BOTS) * 2
        lost = sum(_lost(json.loads(line)) for line in lines)
        left = sum(_folder(process).startswith(folder) for process in Path("/proc").glob("[0-9]*"))
    return [
        Line(f"match: of {games} games of faulty bots not lost by them", games - lost, "", "<", 1),
        Line("match: processes left behind", left, "", "<", 1),
    ]


def _run(*command: str, at: Path | None = None) -> subprocess.CompletedProcess[str] | None:
    """Return a Python process that has ended; `None` if it has not in time."""
    try:
        return subprocess.run(
            [sys.executable, *command],
            cwd=at,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return None


def _is_quiet(script: str) -> bool:
    done = _run("-c", script)
    return done is not None and (done.returncode, done.stderr) == (0, "")


def _is_refused(command: tuple[str, ...]) -> bool:
    done = _run("-c", PROGRAM, *command)
    return done is not None and done.returncode in (2, 3) and "Traceback" not in done.stderr


def _lost(game: dict[str, object]) -> bool:
    """Return whether the faulty bot lost a game."""
    tags = game["tags"]
    assert isinstance(tags, dict)
    return game["result"] == ("0-1" if tags["X"] in BOTS else "1-0")


def _folder(process: Path) -> str:
    """Return the working folder of a process, empty if it has ended."""
    try:
        return str((process / "cwd").readlink())
    except OSError:
        return ""
