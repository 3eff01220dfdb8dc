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

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from noughts import _core
from noughts.games.nested import Advanced
from noughts.games.position import NotationError, Player
from noughts.games.registry import position
from noughts.proof.campaign import BadCampaign, Campaign
from noughts.proof.log import unpack

MAGIC = "noughts-proof 1"


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

    def _part(self, cut: int) -> tuple[bytes, int]:
        if cut > self.cut:
            raise BadCertificate(f"the moves end at ply {self.cut}; there are none to ply {cut}")
        try:
            return _core.part_of_strategy(
                self.start, self.attacker is Player.O, self.codes, self.cut, cut
            )
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
        raise BadCertificate(f"{path} is no certificate: it does not begin as one of {MAGIC!r}")
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
