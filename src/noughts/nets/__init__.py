"""Nets: learned evaluations of the native engine, as data files.

    ultimate.net ──► net_of("ultimate") ──► Engine
         ▲
    noughts train data ──► noughts train fit

A file is a line `noughts-net 1`, a line of JSON (the card: see `Card`), then the weights, packed by
zlib, in the order of `core/net.hpp` or, for Gomoku, `core/five_net.hpp`. A small net has fewer
weights: those of ultimate fit into the text of a program (`noughts.export`).
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from math import copysign
from pathlib import Path
from typing import Any

from noughts import _core

MAGIC = b"noughts-net 1"
NO_NET = "no"
"""The name that stands for the hand-written evaluation."""
NESTED = {
    "ultimate": ("ultimate", "ultimate:tie=boards"),
    "ultimate-open": ("ultimate:won=open", "ultimate:tie=boards,won=open"),
    "advanced": ("advanced", "advanced:full=draw"),
}
"""The names of the nets of nine-board games, with the rules ids that each one evaluates."""
GOMOKU = "gomoku"
"""The name of the net of Gomoku."""
FAMILIES = NESTED | {
    GOMOKU: tuple(
        f"mnk:{size},{size},5{exact}" for size in range(15, 21) for exact in ("", ",exact")
    )
}
"""The names of all nets, with the rules ids that each one evaluates."""
SMALL_NET = "small"
"""The name that stands for the installed small net of the rules."""
SMALL_FAMILY = NESTED["ultimate"]
"""The rules ids that small nets evaluate."""
MIN_PARTS = 10
"""Fewest parts of a curve."""
LARGEST = 400_000
"""Most bytes of a file."""


_SIZES = (_core.NET_SIZE, _core.SMALL_NET_SIZE, _core.FIVE_NET_SIZE)


class BadNet(ValueError):
    """A file that is missing, damaged or no net."""


@dataclass(frozen=True)
class Card:
    """How a net came to be."""

    name: str
    rules: tuple[str, ...]
    """The rules ids that it evaluates."""
    sha256: str
    """The SHA-256 of the weights."""
    positions: int
    """The number of positions in training, without symmetric ones."""
    nodes: int
    """Nodes of the search that judged each position."""
    seed: int
    generation: int = 1
    """1 if the judging search used the hand-written evaluation, else one more than its net."""
    curves: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """By rules id: the mean result of games for each of equal parts of the estimate,
    from 0 to 1."""


@dataclass(frozen=True)
class Net:
    """A learned evaluation: its card and its weights."""

    card: Card
    weights: bytes

    @cached_property
    def core(self) -> _core.Weights:
        """The weights as the core reads them: tables of up to 11 MiB, which all engines share."""
        return _core.Weights(self.weights)

    def expected(self, rules: str, estimate: float) -> float:
        """Return the expected result for an estimate of the core, in the same order."""
        curve = self.card.curves.get(rules)
        if curve is None:
            return estimate
        ends = (0.0, *curve, 1.0)
        parts = len(curve)
        size = min(abs(estimate), 1) * parts
        at = int(size + 0.5)
        left = max(0.0, at - 0.5)
        right = min(at + 0.5, parts)
        share = (size - left) / (right - left)
        return copysign(ends[at] + share * (ends[at + 1] - ends[at]), estimate)

    @property
    def is_small(self) -> bool:
        """Whether this is a small net."""
        return len(self.weights) == _core.SMALL_NET_SIZE

    @property
    def is_gomoku(self) -> bool:
        """Whether this is a net of Gomoku."""
        return len(self.weights) == _core.FIVE_NET_SIZE

    def packed(self) -> bytes:
        """Return the content of its file."""
        card = json.dumps(asdict(self.card)).encode()
        return b"\n".join((MAGIC, card, zlib.compress(self.weights, 9)))


def made(name: str, rules: tuple[str, ...], weights: bytes, **facts: Any) -> Net:
    """Return a net of weights, with its card.

    Args:
        name: any name.
        rules: the rules ids that it evaluates.
        weights: `noughts._core.NET_SIZE` bytes, `SMALL_NET_SIZE` of a small net, or
            `FIVE_NET_SIZE` of a net of Gomoku.
        facts: the other fields of the card.
    """
    sha256 = hashlib.sha256(weights).hexdigest()
    return Net(Card(name=name, rules=rules, sha256=sha256, **facts), weights)


def unpacked(data: bytes) -> Net:
    """Return the net that a file's content stands for.

    Raises:
        BadNet: the content is no net, or damaged.
    """
    try:
        magic, card, packed = data.split(b"\n", 2)
        if magic != MAGIC:
            raise BadNet("the file is not a net of noughts")
        fields = json.loads(card)
        unpacker = zlib.decompressobj()
        weights = unpacker.decompress(packed, max(_SIZES) + 1)
        curves = {rules: tuple(curve) for rules, curve in fields.get("curves", {}).items()}
        for curve in curves.values():
            if len(curve) < MIN_PARTS or not all(0 <= mean <= 1 for mean in curve):
                raise BadNet(f"a curve of a net has {MIN_PARTS} numbers from 0 to 1, or more")
        read = Card(**fields | {"rules": tuple(fields["rules"]), "curves": curves})
    except BadNet:
        raise
    except (ValueError, TypeError, KeyError, zlib.error) as error:
        raise BadNet("the file is not a net of noughts, or it is damaged") from error
    fits = (len(weights) == _core.FIVE_NET_SIZE) == (read.rules == FAMILIES[GOMOKU])
    is_whole = unpacker.eof and len(weights) in _SIZES and fits
    if not is_whole or hashlib.sha256(weights).hexdigest() != read.sha256:
        raise BadNet("the net is damaged: its weights are not those of its card")
    return Net(read, weights)


@cache
def read(path: Path) -> Net:
    """Return the net in a file.

    Raises:
        BadNet: there is no such file, or it is no net.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadNet(f"cannot read the net {path}: {error.strerror}") from error
    try:
        return unpacked(data)
    except BadNet as error:
        raise BadNet(f"{path}: {error}") from None


@cache
def net_of(rules: str) -> Net | None:
    """Return the installed net of a game; `None` where there is none.

    Raises:
        BadNet: the installed file is damaged.
    """
    for name, family in FAMILIES.items():
        if rules in family:
            return _installed(name)
    return None


@cache
def small_net() -> Net:
    """Return the installed small net, of ultimate.

    Raises:
        BadNet: the installed file is damaged or missing.
    """
    net = _installed("ultimate-small")
    if net is None:
        raise BadNet("this installation has no small net")
    return net


def _installed(name: str) -> Net | None:
    file = files(__name__) / f"{name}.net"
    return unpacked(file.read_bytes()) if file.is_file() else None


def chosen(rules: str, name: str | Net | None) -> Net | None:
    """Return the net that an engine uses; `None` for the hand-written evaluation.

    Args:
        rules: the engine's rules id.
        name: a net, a file, `SMALL_NET` or `NO_NET`; the installed net if left out.

    Raises:
        BadNet: no net, or one of other rules.
    """
    if name is None:
        return net_of(rules)
    if name == NO_NET:
        return None
    if name == SMALL_NET and rules not in SMALL_FAMILY:
        raise BadNet(f"there is no small net for {rules}, only for {' and '.join(SMALL_FAMILY)}")
    if name == SMALL_NET:
        return small_net()
    net = name if isinstance(name, Net) else read(Path(name))
    if rules not in net.card.rules:
        known = net.card.rules
        games = f"{known[0]} to {known[-1]}" if net.is_gomoku else " and ".join(known)
        raise BadNet(f"the net {net.card.name} evaluates {games}, not {rules}")
    return net


def family_of(rules: str) -> tuple[str, ...]:
    """Return the rules ids that one net evaluates, `rules` among them.

    Raises:
        ValueError: no net evaluates these rules.
    """
    for family in FAMILIES.values():
        if rules in family:
            return family
    raise ValueError(f"no net evaluates {rules}")
