"""Read what people type and the files they name: positions, moves, records, tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from noughts.arena.statistics import Sprt
from noughts.cli.output import fail, failing, warn
from noughts.games.position import IllegalMove, NotationError, Position, parse_moves
from noughts.games.record import Record
from noughts.games.registry import parse_start, position


def read_position(text: str, moves: str = "", trees: bool = False) -> tuple[Position, list[int]]:
    """Return the position that `text` names, and the moves to play there.

    With `trees`, the text may also be a tree with given values.
    """
    is_tree = text.startswith("(")
    if is_tree and not trees:
        fail("This command takes no tree. Trees work with `lab prune`, `step`, `tree`, `trace`.", 2)
    with failing(3 if "~" in text or is_tree else 2, NotationError):
        start = position(text) if is_tree else parse_start(text)
    with failing(3, IllegalMove, "--moves: "):
        return start, parse_moves(start, moves)


def read_position_after(text: str, moves: str = "", trees: bool = False) -> Position:
    """Return the position after `moves` from the position that `text` names."""
    start, played = read_position(text, moves, trees)
    return start.after(played)


def read_sprt(text: str) -> Sprt:
    """Return the test that `--sprt` names: `0,10` or `0,10,0.05,0.05`."""

    try:
        elo0, elo1, *rates = map(float, text.split(","))
        alpha, beta = rates or (0.05, 0.05)
    except ValueError:
        fail(f"--sprt: {text!r} is not ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA", 2)
    test = Sprt(elo0, elo1, alpha, beta)
    with failing(2, ValueError, "--sprt: "):
        test.check()
    return test


def read_records(file: Path) -> Iterator[Record]:
    """Yield the records of a file, or fail if it cannot be read.

    A last line that was cut off, as by a loss of power, is skipped with a warning.
    """
    from noughts.games import record as records

    try:
        yield from records.read(file)
    except OSError as error:
        fail(f"Cannot read {file}: {error.strerror or error}", 3)
    except IllegalMove as error:
        fail(f"{file}: {error}", 3)
    except NotationError as error:
        # Of JSON lines only the last can be without an end.
        if file.suffix != ".jsonl" or error.field != "JSON" or error.text.endswith("\n"):
            fail(f"{file}: {error}", 3)
        warn(f"{file}: skipped the last line, which is cut off")
