"""Count the positions and the games of a whole game, one ply after another.

    position ──► count_game() ──► GameCount    layer 0 · layer 1 · … · the reason of the end

Every layer holds each of its positions once, with the number of move sequences that lead to it, so
that games are counted and never played one by one. The native core counts the built-in games from
their start, with one position of each class under the symmetries; Python counts all others.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from noughts import _core
from noughts.engine import is_native
from noughts.games.position import Player, Position, canonical_key
from noughts.labs.report import Progress, silent

SECONDS = 60.0
MEMORY_MIB = 1024
LARGEST_MEMORY = 1 << 20
"""Largest memory limit of a count, in MiB."""

Kind = Literal["unfinished", "x", "draw", "o"]
KINDS: tuple[Kind, ...] = ("unfinished", "x", "draw", "o")
"""The positions of a layer by their outcome."""
RESULTS = KINDS[1:]
_KIND_OF_WINNER: dict[Player | None, Kind] = {Player.X: "x", None: "draw", Player.O: "o"}
_KINDS_OF_THE_CORE: tuple[Kind, ...] = ("unfinished", "x", "o", "draw")

End = Literal["complete", "plies", "seconds", "memory", "overflow"]
"""Why a count ended: `complete`, or the bound that was reached. `overflow`: more than 2⁶⁴ sequences
lead to one class of positions."""


class Amount(NamedTuple):
    """The counts of some positions of one ply."""

    positions: int
    classes: int
    """Positions up to symmetry."""
    sequences: int
    """Sequences of moves that lead to these positions."""


CountedLayer = dict[Kind, Amount]
"""The positions of one ply, by `KINDS`. The sequences of finished positions are games."""


def total(layer: CountedLayer) -> Amount:
    """Return the counts of all positions of a layer."""
    return Amount(*map(sum, zip(*layer.values(), strict=True)))


@dataclass(frozen=True)
class GameCount:
    """The exact counts of a game, or of its first plies."""

    start: Position
    layers: tuple[CountedLayer, ...]
    """The complete layers, from the first position on."""
    end: End
    seconds: float

    @property
    def is_complete(self) -> bool:
        return self.end == "complete"

    @property
    def plies(self) -> int:
        """Number of the last complete layer; the first is 0."""
        return len(self.layers) - 1

    def sum_of(self, *kinds: Kind) -> Amount:
        """Return the sum of the counts over all layers; of all kinds if none is named."""
        amounts = [layer[kind] for layer in self.layers for kind in kinds or KINDS]
        return Amount(*map(sum, zip(*amounts, strict=True)))

    @property
    def games_by_length(self) -> dict[int, int]:
        """The number of games of each length in plies that occurs."""
        games = (sum(layer[kind].sequences for kind in RESULTS) for layer in self.layers)
        return {plies: number for plies, number in enumerate(games) if number}

    @property
    def mean_length(self) -> float | None:
        """The mean length of the counted games, in plies; `None` if there are none."""
        games = self.games_by_length
        if not games:
            return None
        return sum(plies * number for plies, number in games.items()) / sum(games.values())


def count_game(
    start: Position,
    *,
    plies: int | None = None,
    seconds: float = SECONDS,
    memory_mib: int = MEMORY_MIB,
    native: bool = True,
    progress: Progress = silent,
) -> GameCount:
    """Count the positions and games that follow from a position, exactly.

    Two positions are the same if their keys are: for the built-in games, if their position strings
    are. A position that occurs after different numbers of moves counts once for each.

    >>> import noughts
    >>> count = count_game(noughts.game("basic"))
    >>> count.sum_of().positions, count.sum_of().classes, count.sum_of(*RESULTS).sequences
    (5478, 765, 255168)

    Args:
        start: the first position.
        plies: the last layer to count; all if left out.
        seconds: time limit. Only complete layers count.
        memory_mib: limit of the memory of the layers, in MiB; in Python, by how much the process
            may grow, which is not known on Windows.
        native: whether the core may count, where it can; the results are the same.
        progress: called with (plies counted, most plies) after each layer; if the most
            is not known, it is one ply more than counted.

    Raises:
        ValueError: a bound is out of range.
    """
    if plies is not None and plies < 0:
        raise ValueError(f"the number of plies is 0 or more, not {plies}")
    if not 0 < seconds < inf:
        raise ValueError(f"the time limit is above 0 s, not {seconds:g}")
    if not 1 <= memory_mib <= LARGEST_MEMORY:
        raise ValueError(f"the memory limit is 1 to {LARGEST_MEMORY:,} MiB, not {memory_mib}")
    began = time.perf_counter()
    layers: list[CountedLayer] = []
    last = min(inf if bound is None else bound for bound in (plies, start.max_plies))

    def report(layer: CountedLayer) -> None:
        layers.append(layer)
        done = len(layers) - 1
        progress(done, done + 1 if last == inf else int(last))

    # The core needs a first position that no symmetry changes.
    can_core = native and is_native(start) and start.ply == 0
    count = _count_natively if can_core else _count_in_python
    end = count(start, plies, seconds, memory_mib << 20, report)
    return GameCount(start, tuple(layers), end, time.perf_counter() - began)


_Report = Callable[[CountedLayer], None]
_UNBOUNDED = 2**31 - 1


def _count_natively(
    start: Position, plies: int | None, seconds: float, max_bytes: int, report: _Report
) -> End:
    def receive(rows: Any) -> None:
        layer: CountedLayer = {
            kind: Amount(positions, classes, sequences)
            for kind, (classes, positions, sequences) in zip(_KINDS_OF_THE_CORE, rows, strict=True)
        }
        report({kind: layer[kind] for kind in KINDS})

    bound = _UNBOUNDED if plies is None else min(plies, _UNBOUNDED)
    return cast("End", _core.count(str(start), bound, seconds, max_bytes, receive).name)


_Reached = dict[Hashable, tuple[Position, int]]
"""The positions of a ply by key, each with the number of sequences that lead to it."""


def _count_in_python(
    start: Position, plies: int | None, seconds: float, max_bytes: int, report: _Report
) -> End:
    until = time.perf_counter() + seconds
    before = _resident_bytes()

    def check() -> None:
        if time.perf_counter() >= until:
            raise _BoundReached("seconds")
        if _resident_bytes() - before > max_bytes:
            raise _BoundReached("memory")

    try:
        for ply, layer in enumerate(_layers(start, check)):
            report(layer)
            if not layer["unfinished"].positions:
                return "complete"
            if ply == plies:
                break
        return "plies"
    except _BoundReached as bound:
        return bound.end


def _resident_bytes() -> int:
    """Return the bytes that this process uses; its peak if only that is known, or 0."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return 0
    # Kilobytes, but bytes on macOS.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


class _BoundReached(Exception):
    """Ends a count from within."""

    def __init__(self, end: End) -> None:
        super().__init__(end)
        self.end = end


CHECKED_EVERY = 256
"""Positions between two checks of the bounds in Python."""


def _layers(start: Position, check: Callable[[], None]) -> Iterator[CountedLayer]:
    """Yield the counts of one ply after another; call `check` every few positions."""
    reached: _Reached = {start.key(): (start, 1)}
    while True:
        check()
        kinds: dict[Kind, list[tuple[Position, int]]] = {kind: [] for kind in KINDS}
        for position, ways in reached.values():
            outcome = position.outcome()
            kind = "unfinished" if outcome is None else _KIND_OF_WINNER[outcome.winner]
            kinds[kind].append((position, ways))
        yield {kind: _amount(places, check) for kind, places in kinds.items()}
        reached = {}
        for number, (position, ways) in enumerate(kinds["unfinished"]):
            if number % CHECKED_EVERY == 0:
                check()
            for move in position.legal_moves():
                after = position.play(move)
                key = after.key()
                reached[key] = (after, reached[key][1] + ways if key in reached else ways)


def _amount(places: list[tuple[Position, int]], check: Callable[[], None]) -> Amount:
    classes = set()
    for number, (position, _) in enumerate(places):
        if number % CHECKED_EVERY == 0:
            check()
        classes.add(canonical_key(position))
    return Amount(len(places), len(classes), sum(ways for _, ways in places))
