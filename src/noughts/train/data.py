"""Positions for training: games of the engine against itself, in a folder.

    seed ──► game 0, 1, 2, … ──► shard-000000.samples, shard-000001.samples, …
                                 data.json: how they were played

The search that moves also judges each position. Games begin with some random moves and have a few
later on. A shard is written as a whole, so an interrupted run loses at most the games in progress,
and a later call continues.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noughts import _core, nets
from noughts.games.lines import BOARD, HAS_LINE
from noughts.work.parallel import Runner, in_threads

GAMES = 200
"""Games in a shard."""
FACTS = "data.json"
CONTENTS = 3**9 + 3 + 2 * 2**9
"""Number of contents of a board: 3⁹ if nobody has won it; 3 if it is closed (won, lost or drawn);
2⁹ if won and 2⁹ if lost but open, by the cells taken."""
CHOSEN_ROWS = 20
ROWS = CHOSEN_ROWS + 32**2 + 11
"""Rows: the chosen board, for two variants of the rules; in `advanced` also the numbers of the safe
cells of both sides, as a pair, and of the safe moves."""
NO_ROW = 65_535
EMBEDDED, WIDTH, HIDDEN = 16, 32, 8
"""Sizes of the layers of a net."""


@dataclass(frozen=True)
class Plan:
    """How games are played."""

    rules: tuple[str, ...]
    """Rules ids of one family of `nets.FAMILIES`; the games take turns."""
    nodes: int = 1_500
    """Nodes of the search for each move."""
    seed: int = 0
    net: str = nets.NO_NET
    """The SHA-256 of the net of the search, or `no`."""
    generation: int = 1


class Samples(NamedTuple):
    """Positions from the view of the side to move; the first axis is the position."""

    contents: NDArray[np.int32]
    """(n, 9): the content of each board, below `CONTENTS`; in base 3, digit 1 is an own mark, 2 the
    other side's.
    """
    rows: NDArray[np.int32]
    """(n, 1 or 3): the first is the chosen board, 9 for a free choice; 10 more in a variant."""
    balance: NDArray[np.float32]
    """(n,): the balance of the hand-written evaluation, in its unit."""
    score: NDArray[np.float32]
    """(n,): the expected result by the search, from -1 to 1; proven results are -1, 0 and 1."""
    result: NDArray[np.float32]
    """(n,): the result of the game, -1, 0 or 1."""


def sample_size(rules: tuple[str, ...]) -> int:
    """Return the bytes of a position of a family of games."""
    is_gomoku = rules == nets.FAMILIES[nets.GOMOKU]
    return _core.FIVE_SAMPLE_SIZE if is_gomoku else _core.SAMPLE_SIZE


def plan_of(folder: Path) -> Plan:
    """Return how the games of a folder were played.

    Raises:
        OSError, ValueError: the folder holds no games.
    """
    fields = json.loads((folder / FACTS).read_text())
    return Plan(**fields | {"rules": tuple(fields["rules"])})


def play(
    folder: Path,
    plan: Plan,
    positions: int,
    net: nets.Net | None = None,
    run: Runner | None = None,
) -> Iterator[int]:
    """Play until a folder holds enough positions; yield their number after each shard.

    Args:
        folder: made if needed. A folder with games of the same plan is continued.
        plan: how to play.
        positions: the wanted number.
        net: of the search; its SHA-256 is in the plan.
        run: plays the games; in threads on all cores if left out.

    Raises:
        ValueError: the folder holds games of another plan, or its games are no family.
        OSError: the folder cannot be written.
        WorkerLost: a runner has lost its machines.
    """
    if plan.rules not in nets.FAMILIES.values():
        raise ValueError(f"no net evaluates {' and '.join(plan.rules)}")
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / FACTS).exists():
        if plan_of(folder) != plan:
            raise ValueError(f"{folder} holds games that were played otherwise: see its {FACTS}")
    else:
        (folder / FACTS).write_text(json.dumps(asdict(plan), indent=1) + "\n")
    known = {_number(file) for file in shards(folder)}
    size = sample_size(plan.rules)
    total = sum(file.stat().st_size for file in shards(folder)) // size
    yield total

    def numbers() -> Iterator[int]:
        for number in count():
            if total >= positions:
                return
            if number not in known:
                yield number

    wanted = numbers()
    work = functools.partial(shard, plan, net.packed() if net else None)
    with closing((run or in_threads())(work, lambda: next(wanted, None))) as made:
        for number, samples in made:
            file = folder / f"shard-{number:06}.samples"
            partial = file.with_suffix(".partial")
            partial.write_bytes(samples)
            partial.replace(file)
            total += len(samples) // size
            yield total


def shard(plan: Plan, net: bytes | None, number: int, stop: _core.StopFlag) -> bytes:
    """Play the games of a shard and return their samples; fewer if stopped.

    Args:
        plan: how to play.
        net: the content of its file.
        number: of the shard.
        stop: ends the work after the game in progress.
    """
    weights = _core_of(net) if net else None
    samples = b""
    for played in range(number * GAMES, (number + 1) * GAMES):
        if stop.is_set():
            break
        samples += _core.self_play(
            plan.rules[played % len(plan.rules)],
            (plan.seed * 1_000_000_007 + played) % 2**64,
            plan.nodes,
            weights,
        )
    return samples


@functools.lru_cache(maxsize=1)
def _core_of(net: bytes) -> _core.Weights:
    """Return the weights of a net, which all shards of a process share."""
    return nets.unpacked(net).core


def shards(folder: Path) -> list[Path]:
    """Return the files with the positions of a folder."""
    return sorted(folder.glob("shard-*.samples"))


def _number(shard: Path) -> int:
    return int(shard.stem.removeprefix("shard-"))


def read_rows(folders: Sequence[Path], size: int) -> NDArray[np.uint8]:
    """Return the samples of folders, a row of `size` bytes each.

    Raises:
        ValueError: there are none.
    """
    data = b"".join(file.read_bytes() for folder in folders for file in shards(folder))
    if not data:
        raise ValueError(f"no positions in {' '.join(map(str, folders))}")
    return np.frombuffer(data, np.uint8).reshape(-1, size)


def load(*folders: Path) -> Samples:
    """Return the positions of folders; of symmetric ones only the first.

    Raises:
        ValueError: there are none.
    """
    rows = read_rows(folders, _core.SAMPLE_SIZE)
    words = rows.view("<u2").astype(np.int32)
    contents, named = words[:, :9], words[:, 9:12]
    if len(np.unique((named != NO_ROW).sum(1))) > 1:
        raise ValueError(f"positions of different games in {' '.join(map(str, folders))}")
    named = named[:, named[0] != NO_ROW]
    _, first = np.unique(_keys(contents, named[:, 0]), return_index=True)
    first.sort()
    signed = rows.view("<i2")[first].astype(np.float32)
    return Samples(
        contents[first],
        named[first],
        signed[:, 13],
        np.clip(signed[:, 14] / _core.ESTIMATE_UNIT, -1, 1),
        rows[first, 24].view(np.int8).astype(np.float32),
    )


def _cells(symmetry: int) -> NDArray[np.int64]:
    """Return the source of each cell; bits of `symmetry` mirror columns, rows, the diagonal."""
    cells = np.arange(9).reshape(3, 3)
    if symmetry & 1:
        cells = cells[:, ::-1]
    if symmetry & 2:
        cells = cells[::-1]
    return (cells.T if symmetry & 4 else cells).ravel()


CELLS = np.array([_cells(symmetry) for symmetry in range(8)])
"""(8, 9): for each symmetry, the source of each cell, or board, of the image."""
_POWERS = 3 ** np.arange(9)
_DIGITS = np.arange(3**9)[:, None] // _POWERS % 3


def _taken(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the image of each set of cells, as bits."""
    sets = np.arange(2**9)[:, None] >> np.arange(9) & 1
    bits: NDArray[np.int64] = sets[:, cells] << np.arange(9)
    images: NDArray[np.int64] = bits.sum(1)
    return images


IMAGES = np.array(
    [
        np.concatenate(
            [
                (_DIGITS[:, cells] * _POWERS).sum(1),
                np.arange(3**9, 3**9 + 3),
                *(3**9 + 3 + 2**9 * side + _taken(cells) for side in (0, 1)),
            ]
        )
        for cells in CELLS
    ]
)
"""(8, `CONTENTS`): the content of a board after each symmetry."""
SMALL_EMBEDDED = 2
"""Length of a content's vector in a small net, which joins the vectors of its eight images."""
_BASE_3 = (np.arange(2**9)[:, None] >> np.arange(9) & 1) @ _POWERS
SMALL_CONTENTS = np.array(
    [
        _BASE_3[own] + 2 * _BASE_3[other]
        for own in range(2**9)
        for other in range(2**9)
        if not own & other and own | other != BOARD and not HAS_LINE[own] and not HAS_LINE[other]
    ]
    + [*range(3**9, 3**9 + 3)]
)
"""The contents that a small net knows, in its order: open boards without a line, closed boards."""
TURNED_ROWS = np.array(
    [[*np.argsort(cells), 9, *(np.argsort(cells) + 10), *range(19, ROWS)] for cells in CELLS]
)
"""(8, `ROWS`): each row after each symmetry."""


def _keys(contents: NDArray[np.int32], chosen: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each position, the same for symmetric ones."""
    least = np.full(len(contents), np.iinfo(np.uint64).max, np.uint64)
    for symmetry in range(8):
        key = TURNED_ROWS[symmetry][chosen].astype(np.uint64)
        for board in range(9):
            key *= np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
            key += IMAGES[symmetry][contents[:, CELLS[symmetry][board]]].astype(np.uint64)
        least = np.minimum(least, key)
    return least
