"""Fuzz the parsers: they may raise only the package's own errors.

    python tests/fuzz.py --seconds 20            fuzz each target for 20 seconds
    python tests/fuzz.py positions --seconds 20  fuzz one target

Each target runs in a process of its own, since the fuzzer ends its process; one runs on each
processor. The exit code is 1 if a target raises another error, or if the fuzzer is missing where CI
is set.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path

try:
    import atheris
except ImportError:
    atheris = None

# The fuzzer follows only the lines of modules that are imported here.
with atheris.instrument_imports() if atheris else nullcontext():
    import noughts
    from noughts import _core
    from noughts.engine import METHODS, Engine
    from noughts.games import record
    from noughts.opponents import opponent
    from noughts.search import Limit

STARTS = [
    noughts.game(rules_id)
    for rules_id in ("basic", "mnk:5,4,4", "connect4:4,4", "advanced", "ultimate:won=open")
]


def explain(error: noughts.NotationError | noughts.IllegalMove) -> None:
    """Check that the error's message is its reason as a sentence, with a capital first."""
    assert error.reason[1:] in str(error)


def rules_ids(text: str) -> None:
    start = noughts.game(text)
    assert noughts.game(start.rules_id) == start


def positions(text: str) -> None:
    position = noughts.position(text)
    assert noughts.position(str(position)) == position


def moves(text: str) -> None:
    """Parse the text as a move of several games, and as an entry at their prompts."""
    for start in STARTS:
        for parse in (start.parse_move, start.parse_entry):
            try:
                assert parse(text) in start.legal_moves()
            except noughts.IllegalMove as error:
                explain(error)


def move_lists(text: str) -> None:
    for start in STARTS:
        try:
            position = start
            for move in noughts.parse_moves(start, text):
                position = position.play(move)
        except noughts.IllegalMove as error:
            explain(error)


def records(text: str) -> None:
    parsed = record.parse_text(text)
    assert record.parse_text("\n".join(map(record.format_text, parsed))) == parsed


def foreign_records(text: str) -> None:
    for game in record.read_any(io.StringIO(text, newline=None)):
        assert record.parse_text(record.format_text(game)) == [game]


def json_records(text: str) -> None:
    parsed = record.parse_json_line(text)
    assert record.parse_json_line(record.format_json_line(parsed)) == parsed


def opponents(text: str) -> None:
    assert opponent(text).text == text


def engines(text: str) -> None:
    """Search the position or rules id in the text with every method."""
    rules_id = noughts.position(text).rules_id if "~" in text else text
    engine, limit = Engine(rules_id, table_mib=1), Limit(nodes=100)
    for method in METHODS:
        assert engine.best_move(text, limit, method=method).nodes <= 100
    engine.solve(text, limit)
    engine.best_move(text, limit, moves=True)


def core(text: str) -> None:
    """Pass the text to the core, which reads or refuses it."""
    try:
        _core.perft(text, 1)
        engine = _core.Engine(text.partition("~")[0], 1, 0, "", 0, b"")
        engine.search(text, _core.Method.assisted, _core.Limit(None, 100, None, None), None)
    except ValueError as error:
        if "the core" not in str(error):
            raise


TARGETS: dict[str, tuple[Callable[[str], None], list[str]]] = {
    "rules_ids": (
        rules_ids,
        ["mnk:5,4,3,exact,misere", "ultimate:tie=boards,won=open", "connect4:8,7"],
    ),
    "positions": (positions, [str(start.play(start.legal_moves()[0])) for start in STARTS]),
    "moves": (moves, ["5", "1 2", "a1", "51"]),
    "move_lists": (move_lists, ["5 1 9", "4453", "51 15 55"]),
    "records": (records, ['[Game "basic"]\n[X "you"]\n\n1. 5 1 {a corner} (2 3) 2. 9 *\n']),
    "foreign_records": (
        foreign_records,
        [
            "Piskvorky 6x5, 0:0, 0\n1,1,0\n6,5,120\nann\nben\n-1\n1,Freestyle\n",
            "(;GM[4]SZ[6:5]PB[a]RE[B+R]AB[aa]AW[b1];B[cc]C[a\\]];W[d1](;B[ab])(;B[ba]))",
            "connect4 4453\n445\nhttps://connect4.gamesolver.org/?pos=44",
        ],
    ),
    "json_records": (
        json_records,
        ['{"schema": 1, "game": "basic", "moves": ["5", {"move": "1", "comment": "c"}]}'],
    ),
    "opponents": (opponents, ["engine:level=4", "mcts:simulations=10,seed=1", "perfect:seconds=1"]),
    "engines": (engines, [str(start.play(start.legal_moves()[0])) for start in STARTS]),
    "core": (core, [str(start.play(start.legal_moves()[0])) for start in STARTS]),
}
"""Each parser, with the texts that fuzzing starts from."""


def fuzz(name: str, seconds: int, corpus: Path) -> None:
    """Fuzz one target and end the process, with a non-zero exit code if the target fails."""
    target, examples = TARGETS[name]

    def check(data: bytes) -> None:
        try:
            target(data.decode("utf-8", "replace"))
        except (noughts.NotationError, noughts.IllegalMove) as error:
            explain(error)

    for number, example in enumerate(examples):
        (corpus / f"example-{number}").write_text(example)
    options = [f"-max_total_time={seconds}", "-max_len=400", "-timeout=10", "-verbosity=0"]
    atheris.Setup([sys.argv[0], str(corpus), f"-artifact_prefix={corpus}/", *options], check)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", nargs="?", choices=TARGETS, help="one target; default: all")
    parser.add_argument("--seconds", type=int, default=20, help="seconds for each target")
    parser.add_argument("--corpus", type=Path, help="fuzz in this process; keep the inputs here")
    given = parser.parse_args()
    if atheris is None:
        print("the extra `fuzz` (atheris) is not installed: nothing is fuzzed", file=sys.stderr)
        return 1 if "CI" in os.environ else 0
    if given.corpus:
        fuzz(given.target or parser.error("name the target"), given.seconds, given.corpus)
    names = [given.target] if given.target else list(TARGETS)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = [name for name in pool.map(partial(run, seconds=given.seconds), names) if name]
    print(f"failed: {' '.join(failed)}" if failed else f"no target failed: {' '.join(names)}")
    return 1 if failed else 0


def run(name: str, seconds: int) -> str | None:
    """Fuzz a target in a process of its own; return its name and print its output if it fails."""
    with tempfile.TemporaryDirectory() as corpus:
        command = [sys.executable, __file__, name, f"--seconds={seconds}", f"--corpus={corpus}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(f"{name}: {seconds} s, exit code {done.returncode}", flush=True)
    if done.returncode == 0:
        return None
    print(done.stdout + done.stderr)
    return name


if __name__ == "__main__":
    sys.exit(main())
