"""Certificates: the winner's moves, from which anybody can check a proof.

    noughts-proof 1
    start advanced~9.9.9.9.9.9.9.9.9~X~-
    attacker X
    cut 16
    moves 612345
                        an empty line, then one byte for each move of the attacker

The tree is walked depth first from the start: the attacker has one move, the other side all legal
replies in ascending order. Left out are replies after which the attacker can complete a line at
once, and a reply that a symmetry of the position maps to a smaller one. The attacker's nodes before
the ply `cut` have a byte each, in the order of the walk: the cell, 0 to 8, if the board is given,
else 9 + 9 * board + cell. Nodes from the cut on are leaves, which the checker proves by a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from noughts import _core
from noughts._core import StopFlag
from noughts.games.nested import Advanced
from noughts.games.position import NotationError, Player, move_texts
from noughts.games.registry import position
from noughts.proof.campaign import FIRST_PLY, BadCampaign, Campaign
from noughts.proof.log import unpack
from noughts.proof.work import Prove, do
from noughts.work.parallel import Runner

Read = TypeVar("Read")

MAGIC = "noughts-proof 1"
EXPANSIONS = 10**12
"""Most expansions of a leaf: in effect no limit."""


class BadCertificate(ValueError):
    """A file that is no certificate, or one that is damaged."""


@dataclass(frozen=True)
class Certificate:
    """A strategy of the attacker down to a ply."""

    start: str
    attacker: Player
    cut: int
    codes: bytes

    def shortened(self, cut: int) -> Certificate:
        """Return the part before a ply.

        Raises:
            BadCertificate: a move is illegal or missing, moves are left, or the cut is deeper.
        """
        return Certificate(self.start, self.attacker, cut, self._part(cut)[0])

    def leaves(self) -> int:
        """Return the number of leaves.

        Raises:
            BadCertificate: a move is illegal or missing, or moves are left.
        """
        return self._part(self.cut)[1]

    def moves_by_ply(self) -> dict[int, int]:
        """Return the number of moves at each ply.

        Raises:
            BadCertificate: a move is illegal or missing, or moves are left.
        """
        counts = self._read(_core.counts_of_strategy)
        return {ply: count for ply, count in enumerate(counts) if count}

    def answers(self, place: Advanced) -> dict[int, int | None]:
        """Return the attacker's answer to each legal move of the other side; at leaves `None`.

        Raises:
            KeyError: the certificate has no such position, or the attacker is to move.
            BadCertificate: a move of the certificate is illegal or missing, or moves are left.
        """
        if place.turn is self.attacker or not self.holds(place):
            raise KeyError(str(place))
        return {move: self.move_in(place.play(move)) for move in place.legal_moves()}

    def paths(self, leaves: Sequence[int]) -> list[list[int]]:
        """Return the moves from the start to leaves, whose numbers (from 0) ascend.

        Raises:
            BadCertificate: a move is illegal or missing, or moves are left.
        """
        return [[*path] for path in self._read(_core.leaf_paths, leaves)]

    @cached_property
    def _book(self) -> _core.StrategyBook:
        return self._read(_core.StrategyBook)

    def holds(self, place: Advanced) -> bool:
        """Whether an unfinished position, or an image of it, is won by these moves.

        Raises:
            BadCertificate: a move of the certificate is illegal or missing, or moves are left.
        """
        return self._book.find(str(place)) is not None

    def move_in(self, place: Advanced) -> int | None:
        """Return the attacker's move in an unfinished position, however it came about.

        It is the move of the certificate, its image if the certificate has an image of the
        position, or a move that completes a line. `None` from the cut on, in other positions, and
        if the other side is to move.

        Raises:
            BadCertificate: a move of the certificate is illegal or missing, or moves are left.
        """
        move = self._book.find(str(place))
        return None if move is None or move < 0 else move

    def _part(self, cut: int) -> tuple[bytes, int]:
        if cut > self.cut:
            raise BadCertificate(f"the moves end at ply {self.cut}; there are none to ply {cut}")
        return self._read(_core.part_of_strategy, cut)

    def _read(self, read: Callable[..., Read], *more: object) -> Read:
        """Call a reader of the core with the moves."""
        try:
            return read(self.start, self.attacker is Player.O, self.codes, self.cut, *more)
        except ValueError as error:
            raise BadCertificate(str(error)) from error

    def packed(self) -> bytes:
        """Return the content of its file."""
        head = (
            MAGIC,
            f"start {self.start}",
            f"attacker {self.attacker}",
            f"cut {self.cut}",
            f"moves {len(self.codes)}",
        )
        return "\n".join(head).encode() + b"\n\n" + self.codes


def read(path: Path) -> Certificate:
    """Read a certificate; its moves are not checked.

    Raises:
        OSError: the file cannot be read.
        BadCertificate: it is no certificate.
    """
    head, gap, codes = path.read_bytes().partition(b"\n\n")
    magic, *lines = head.decode(errors="replace").split("\n")
    fields = dict(line.partition(" ")[::2] for line in lines)
    if magic != MAGIC or not gap or [*fields] != ["start", "attacker", "cut", "moves"]:
        raise BadCertificate(f"{path} is no certificate: its first line is not {MAGIC!r}")
    try:
        start = position(fields["start"])
        certificate = Certificate(str(start), Player[fields["attacker"]], int(fields["cut"]), codes)
        moves = int(fields["moves"])
    except (KeyError, ValueError, NotationError) as error:
        raise BadCertificate(f"{path}: {error}") from error
    if not isinstance(start, Advanced) or start.outcome() is not None:
        raise BadCertificate(
            f"{path}: certificates begin with an unfinished position of `advanced`"
        )
    if moves != len(codes):
        raise BadCertificate(f"{path} has {len(codes)} moves; its head says {moves}")
    return certificate


def of_campaign(campaign: Campaign) -> Certificate:
    """Return the certificate of a campaign, with all moves that its log holds.

    Raises:
        BadCampaign: it is not proven yet.
    """
    plan = campaign.plan
    return Certificate(plan.start, plan.attacker, plan.cut, b"".join(_codes(campaign, "")))


def _codes(campaign: Campaign, path: str) -> Iterator[bytes]:
    if campaign.is_job(path):
        if path not in campaign.won:
            raise BadCampaign("the campaign is not proven yet")
        yield unpack(campaign.won[path].codes)
        return
    if path not in campaign.choices:
        raise BadCampaign("the campaign is not proven yet")
    place = campaign.position(path)
    move = campaign.choices[path][-1]
    yield bytes([9 + move if place.forced is None else move % 9])
    for child in campaign.children(path):
        yield from _codes(campaign, child)


class LeafProof(NamedTuple):
    """The proof of a leaf."""

    leaf: int
    """Its number, from 0."""
    moves: str
    """The moves from the start to the leaf."""
    is_won: bool
    expansions: int


CHUNK = 100_000
"""Leaves whose moves are found in one walk."""


def sampled(total: int, count: int, seed: int) -> list[int]:
    """Draw `count` leaves at random, with replacement; return their numbers without repeats."""
    return sorted(set(Random(seed).choices(range(total), k=count))) if total else []


def proofs(certificate: Certificate, leaves: Sequence[int], runner: Runner) -> Iterator[LeafProof]:
    """Prove leaves; yield each proof as it comes.

    Raises:
        BadCertificate: a move is illegal or missing, or moves are left.
    """
    work = partial(_prove, certificate.start)
    for at in range(0, len(leaves), CHUNK):
        chunk = leaves[at : at + CHUNK]
        waiting = iter([*zip(chunk, certificate.paths(chunk), strict=True)])
        results: Iterator[tuple[tuple[int, list[int]], LeafProof]] = runner(
            work,
            lambda waiting=waiting: next(waiting, None),  # type: ignore[misc]
        )
        for _, leaf in results:
            yield leaf


def _prove(start: str, item: tuple[int, list[int]], stop: StopFlag) -> LeafProof:
    number, path = item
    first = position(start)
    place = first
    for move in path:
        place = place.play(move)
    done = do(Prove("", str(place), FIRST_PLY, EXPANSIONS), stop)
    moves = " ".join(move_texts(first, path))
    return LeafProof(number, moves, done.verdict == "won", done.expansions)
