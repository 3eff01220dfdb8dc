"""The parsers under a coverage-guided fuzzer: only the package's own errors may escape.

    python tests/fuzz.py --seconds 20            each target for 20 seconds
    python tests/fuzz.py positions --seconds 20  one of them

Each target runs in a process of its own, since the fuzzer ends its process. The exit code is 1
if another error escaped, or if the fuzzer is missing where CI is set.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

try:
    import atheris
except ImportError:
    atheris = None

# Only what is imported in here tells the fuzzer which lines an input has reached.
with atheris.instrument_imports() if atheris else nullcontext():
    import noughts
    from noughts import _core
    from noughts.arena.player import parse_opponent
    from noughts.engine import METHODS, Engine
    from noughts.games import record
    from noughts.search import Limit

STARTS = [
    noughts.game(rules_id)
    for rules_id in ("basic", "mnk:5,4,4", "connect4:4,4", "advanced", "ultimate:won=open")
]


def explain(error: noughts.NotationError | noughts.IllegalMove) -> None:
    """Check that the error can say what is wrong."""
    assert error.reason in str(error)


def rules_ids(text: str) -> None:
    start = noughts.game(text)
    assert noughts.game(start.rules_id) == start


def positions(text: str) -> None:
    position = noughts.position(text)
    assert noughts.position(str(position)) == position


def moves(text: str) -> None:
    """Read the text as a move of several games, then as an entry at their prompts."""
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


def json_records(text: str) -> None:
    parsed = record.parse_json_line(text)
    assert record.parse_json_line(record.format_json_line(parsed)) == parsed


def opponents(text: str) -> None:
    assert parse_opponent(text).text == text


def engines(text: str) -> None:
    """Search every position that the text can be read as, with every method."""
    rules_id = noughts.position(text).rules_id if "~" in text else text
    engine, limit = Engine(rules_id, table_mib=1), Limit(nodes=100)
    for method in METHODS:
        assert engine.best_move(text, limit, method=method).nodes <= 100
    engine.solve(text, limit)
    engine.scores(text, limit)


def core(text: str) -> None:
    """Hand the text to the core itself, which is to read or to refuse it."""
    try:
        _core.perft(text, 1)
        engine = _core.Engine(text.partition("~")[0], 1, 0, "", 0, b"")
        engine.search(text, _core.Method.assisted, _core.Limit(None, 100, None, None), None)
    except ValueError as error:
        if "the core" not in str(error):
            raise


TARGETS: dict[str, tuple[Callable[[str], None], list[str]]] = {
    "rules_ids": (rules_ids, ["mnk:5,4,4,misere", "ultimate:tie=boards,won=open", "connect4:8,7"]),
    "positions": (positions, [str(start.play(start.legal_moves()[0])) for start in STARTS]),
    "moves": (moves, ["5", "1 2", "a1", "51"]),
    "move_lists": (move_lists, ["5 1 9", "4453", "51 15 55"]),
    "records": (records, ['[Game "basic"]\n[X "you"]\n\n1. 5 1 {a corner} (2 3) 2. 9 *\n']),
    "json_records": (
        json_records,
        ['{"schema": 1, "game": "basic", "moves": ["5", {"move": "1", "comment": "c"}]}'],
    ),
    "opponents": (opponents, ["engine:level=4", "mcts:simulations=10,seed=1", "perfect:seconds=1"]),
    "engines": (engines, [str(start.play(start.legal_moves()[0])) for start in STARTS]),
    "core": (core, [str(start.play(start.legal_moves()[0])) for start in STARTS]),
}
"""Each parser with texts to begin from."""


def fuzz(name: str, seconds: int, corpus: Path) -> None:
    """Fuzz one target and end the process, with an exit code other than 0 if it failed."""
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
    parser = argparse.ArgumentParser(description="Fuzz the parsers.")
    parser.add_argument("target", nargs="?", choices=TARGETS, help="one target; all if left out")
    parser.add_argument("--seconds", type=int, default=20, help="for each target")
    parser.add_argument("--corpus", type=Path, help="fuzz in this process and keep all inputs here")
    given = parser.parse_args()
    if atheris is None:
        print("atheris, the extra `fuzz`, is not installed: nothing is fuzzed", file=sys.stderr)
        return 1 if "CI" in os.environ else 0
    if given.corpus:
        fuzz(given.target or parser.error("name the target"), given.seconds, given.corpus)
    failed = []
    for name in [given.target] if given.target else TARGETS:
        print(f"{name}: {given.seconds} s", flush=True)
        with tempfile.TemporaryDirectory() as corpus:
            command = [sys.executable, __file__, name, f"--seconds={given.seconds}"]
            run = subprocess.run(
                [*command, f"--corpus={corpus}"], capture_output=True, text=True, check=False
            )
        if run.returncode:
            failed.append(name)
            print(run.stdout + run.stderr)
    print(f"failed: {' '.join(failed)}" if failed else "nothing but the package's errors escaped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
