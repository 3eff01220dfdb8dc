"""Wins of five in a row by threats, as trees that prove them.

    position ──► threat_tree() ──► ThreatTree

A node has one move of the attacker and groups of replies. The replies of a group have the same
answer; those of the last group are not listed: they are any other. Such a reply does nothing
against the threat, which the attacker carries out.

    X h8
      O g7        ──► X i9 …
      O f10, c3   ──► X g8 …
      any other   ──► X k8 …
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from noughts import _core
from noughts.games.position import IllegalMove, Player, Position
from noughts.games.row import MNK

NODES = 200_000
"""Default limit of the searches for one tree, in positions."""
SIZE = 1_000
"""Default limit of a tree, in nodes."""


class ThreatNode(NamedTuple):
    """What the attacker plays in one position, and all that can follow."""

    move: int | None
    """The move of the attacker; `None` at a root where the other side is to move first."""
    plies: int
    """Plies to the end of the game, at most, from before the move on."""
    is_cut: bool
    """Whether the replies are left out here, because the tree would be too large."""
    replies: tuple[ThreatReplies, ...]
    """All replies, in groups; none if the move completes a line."""

    def as_data(self, position: Position) -> dict[str, Any]:
        """Return this node as JSON data, moves as texts; see `ThreatTree.as_data`."""
        text = position.move_text
        return {
            "move": None if self.move is None else text(self.move),
            "plies": self.plies,
            "cut": self.is_cut,
            "replies": [
                {
                    "moves": [text(move) for move in each.moves] or None,
                    "then": each.then.as_data(position),
                }
                for each in self.replies
            ],
        }

    def nodes(self) -> Iterator[ThreatNode]:
        """Yield this node and all below it, each before those below it."""
        yield self
        for each in self.replies:
            yield from each.then.nodes()


class ThreatReplies(NamedTuple):
    """Replies of the defender that have the same answer."""

    moves: tuple[int, ...]
    """The replies; empty: any legal move that the other groups do not have."""
    then: ThreatNode


class ThreatTree(NamedTuple):
    """A proof that one side wins by threats, whatever the other side plays."""

    position: Position
    winner: Player
    root: ThreatNode

    @property
    def plies(self) -> int:
        """Plies to the end of the game, at most."""
        return self.root.plies

    @property
    def size(self) -> int:
        """The number of nodes."""
        return sum(1 for _ in self.root.nodes())

    @property
    def is_cut(self) -> bool:
        """Whether replies are missing: then the tree alone is no proof."""
        return any(node.is_cut for node in self.root.nodes())

    def as_data(self) -> dict[str, Any]:
        """Return the whole tree as JSON data.

        A node has `move` (`null` where the other side is to move first), `plies`, `cut`, and
        `replies`: groups with their `moves`, `null` for any other, and the node `then`.
        """
        return {
            "position": str(self.position),
            "winner": self.winner.value,
            "plies": self.plies,
            "size": self.size,
            "cut": self.is_cut,
            "root": self.root.as_data(self.position),
        }


def has_threat_trees(position: Position) -> bool:
    """Whether the game of a position is five in a row, on a board of any size."""
    return isinstance(position, MNK) and position.rules.k == 5 and not position.rules.misere


def threat_tree(
    position: Position, move: int | None = None, *, size: int = SIZE, nodes: int = NODES
) -> ThreatTree | None:
    """Return the tree of a win by threats; `None` if none is found, which proves nothing.

    Threats are fours, and moves that threaten a win by fours, as open threes do.

    >>> import noughts
    >>> place = noughts.game("mnk:9,9,5").after("e5 a1 e6 a9 f5 i1 g5 i9")
    >>> tree = threat_tree(place)
    >>> tree.winner.value, place.move_text(tree.root.move), tree.plies, tree.size, tree.is_cut
    ('X', 'd5', 3, 3, False)

    Args:
        position: of five in a row. The side to move wins; or, without a `move`, the other side
            wins after every move.
        move: the move that wins; any that does if left out.
        size: the most nodes; a larger tree is cut, its first replies complete.
        nodes: positions for the searches.

    Raises:
        IllegalMove: `move` is not legal.
        ValueError: another game, a game that is over, or a limit below 1.
    """
    if not has_threat_trees(position):
        raise ValueError(f"only five in a row has trees of threats, not {position.rules_id}")
    if position.outcome() is not None:
        raise ValueError(f"the game is over in {position}")
    if size < 1 or nodes < 1:
        raise ValueError(f"a tree needs limits of 1 or more, not {min(size, nodes)}")
    if move is not None and move not in position.legal_moves():
        raise IllegalMove(move, position, "not a legal move")
    first = -1 if move is None else move
    for loses in (False, True):
        codes = _core.threat_tree(str(position), loses, first, size, nodes)
        if codes:
            winner = position.turn.other if loses else position.turn
            return ThreatTree(position, winner, _read(iter(codes)))
        if move is not None:
            break
    return None


def _read(codes: Iterator[int]) -> ThreatNode:
    """Return the next node of the core's tree, which is in preorder."""
    move, plies, cut, groups = (next(codes) for _ in range(4))
    replies = tuple(
        ThreatReplies(tuple(next(codes) for _ in range(next(codes))), _read(codes))
        for _ in range(groups)
    )
    return ThreatNode(None if move < 0 else move, plies, bool(cut), replies)
