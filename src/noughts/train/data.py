"""Positions for training: games of the engine against itself, in a folder.

    seed ──► game 0, 1, 2, … ──► shard-000000.samples, shard-000001.samples, …
                                 data.json: how they were played

The search that moves also judges each position. Games begin with some random moves and have a few
later on. A shard is written as a whole, so an interrupted run loses at most the games in progress,
and a later call continues.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts import _core, nets
from noughts.games.registry import game

RULES = ("ultimate", "ultimate:tie=boards")
"""The rules ids that one net evaluates."""
GAMES = 200
"""Games in a shard."""
FACTS = "data.json"
CONTENTS = 19_686
"""Contents of a small board: 3⁹, and won, lost and drawn."""


@dataclass(frozen=True)
class Plan:
    """How games are played."""

    rules: tuple[str, ...] = RULES
    """The games take turns."""
    nodes: int = 1_500
    """Of the search for each move."""
    seed: int = 0
    net: str = nets.NO_NET
    """The SHA-256 of the net of the search, or `no`."""
    generation: int = 1


class Samples(NamedTuple):
    """Positions from the view of the side to move; the first axis is the position."""

    contents: NDArray[np.int32]
    """(n, 9): of each board, below `CONTENTS`; in base 3 a digit 1 is an own mark, 2 another."""
    chosen: NDArray[np.int32]
    """(n,): the board that the last move chose, 9 for a free choice; 10 more with `tie=boards`."""
    balance: NDArray[np.float32]
    """(n,): of the hand-written evaluation, in its own unit."""
    score: NDArray[np.float32]
    """(n,): the expected result by the search, from -1 to 1; proven results are -1, 0 and 1."""
    result: NDArray[np.float32]
    """(n,): of the game, -1, 0 or 1."""


def plan_of(folder: Path) -> Plan:
    """Return how the games of a folder were played.

    Raises:
        OSError, ValueError: the folder holds no games.
    """
    fields = json.loads((folder / FACTS).read_text())
    return Plan(**fields | {"rules": tuple(fields["rules"])})


def play(
    folder: Path, plan: Plan, positions: int, net: nets.Net | None = None, jobs: int | None = None
) -> Iterator[int]:
    """Play until a folder holds enough positions; yield their number after each shard.

    Args:
        folder: made if needed. A folder with games of the same plan is continued.
        plan: how to play.
        positions: the wanted number.
        net: of the search; its SHA-256 is in the plan.
        jobs: games at once; all cores if left out.

    Raises:
        ValueError: the folder holds games of another plan, or a game that no net evaluates.
        OSError: the folder cannot be written.
    """
    unknown = [rules for rules in plan.rules if game(rules).rules_id not in RULES]
    if unknown:
        raise ValueError(f"a net evaluates {' and '.join(RULES)}, not {unknown[0]}")
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / FACTS).exists():
        if plan_of(folder) != plan:
            raise ValueError(f"{folder} holds games that were played otherwise: see its {FACTS}")
    else:
        (folder / FACTS).write_text(json.dumps(asdict(plan), indent=1) + "\n")
    known = {_number(file) for file in _shards(folder)}
    total = sum(file.stat().st_size for file in _shards(folder)) // _core.SAMPLE_SIZE
    yield total
    jobs = jobs or os.cpu_count() or 1
    numbers = (number for number in range(10**9) if number not in known)
    stop = Event()
    with ThreadPoolExecutor(jobs) as pool:
        running: set[Future[int]] = set()
        try:
            while total < positions:
                while len(running) < jobs:
                    running.add(pool.submit(_play_shard, folder, plan, next(numbers), net, stop))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                total += sum(each.result() for each in done)
                yield total
            total += sum(each.result() for each in running)
        finally:
            stop.set()
    yield total


def _play_shard(folder: Path, plan: Plan, number: int, net: nets.Net | None, stop: Event) -> int:
    """Play the games of a shard and return the number of positions; 0 if stopped."""
    samples = b""
    for played in range(number * GAMES, (number + 1) * GAMES):
        if stop.is_set():
            return 0
        samples += _core.self_play(
            plan.rules[played % len(plan.rules)],
            (plan.seed * 1_000_000_007 + played) % 2**64,
            plan.nodes,
            net.core if net else None,
        )
    file = folder / f"shard-{number:06}.samples"
    partial = file.with_suffix(".partial")
    partial.write_bytes(samples)
    partial.replace(file)
    return len(samples) // _core.SAMPLE_SIZE


def _shards(folder: Path) -> list[Path]:
    return sorted(folder.glob("shard-*.samples"))


def _number(shard: Path) -> int:
    return int(shard.stem.removeprefix("shard-"))


def load(*folders: Path) -> Samples:
    """Return the positions of folders; of symmetric ones only the first.

    Raises:
        ValueError: there are none.
    """
    files = [file for folder in folders for file in _shards(folder)]
    rows = np.frombuffer(b"".join(file.read_bytes() for file in files), np.uint8)
    rows = rows.reshape(-1, _core.SAMPLE_SIZE)
    if not len(rows):
        raise ValueError(f"no positions in {' '.join(map(str, folders))}")
    contents = rows[:, :18].copy().view("<u2").astype(np.int32)
    chosen = rows[:, 18].astype(np.int32)
    _, first = np.unique(_keys(contents, chosen), return_index=True)
    first.sort()
    two = rows[first, 20:24].copy().view("<i2").astype(np.float32)
    return Samples(
        contents[first],
        chosen[first],
        two[:, 0],
        np.clip(two[:, 1] / _core.ESTIMATE_UNIT, -1, 1),
        rows[first, 19].view(np.int8).astype(np.float32),
    )


def _cells(symmetry: int) -> NDArray[np.int64]:
    """Return the cell that each cell of the image comes from; bits: columns, rows, diagonal."""
    cells = np.arange(9).reshape(3, 3)
    if symmetry & 1:
        cells = cells[:, ::-1]
    if symmetry & 2:
        cells = cells[::-1]
    return (cells.T if symmetry & 4 else cells).ravel()


CELLS = np.array([_cells(symmetry) for symmetry in range(8)])
"""(8, 9): for each symmetry, the cell or board that each one of the image comes from."""
_POWERS = 3 ** np.arange(9)
_DIGITS = np.arange(3**9)[:, None] // _POWERS % 3
IMAGES = np.array(
    [
        np.concatenate([(_DIGITS[:, cells] * _POWERS).sum(1), np.arange(3**9, CONTENTS)])
        for cells in CELLS
    ]
)
"""(8, `CONTENTS`): the content of a board after each symmetry."""
CHOSEN = np.array([[*np.argsort(cells), 9, *(np.argsort(cells) + 10), 19] for cells in CELLS])
"""(8, 20): the row of the chosen board after each symmetry."""


def _keys(contents: NDArray[np.int32], chosen: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each position, the same for symmetric ones."""
    least = np.full(len(contents), np.iinfo(np.uint64).max, np.uint64)
    for symmetry in range(8):
        key = CHOSEN[symmetry][chosen].astype(np.uint64)
        for board in range(9):
            key *= np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
            key += IMAGES[symmetry][contents[:, CELLS[symmetry][board]]].astype(np.uint64)
        least = np.minimum(least, key)
    return least
