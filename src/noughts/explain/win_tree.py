"""The tree of replies behind a proven win of five in a row.

position, fact ──tree_of()──► ThreatTree, or none
"""

from __future__ import annotations

from noughts.explain.kinds import Fact
from noughts.games.position import Position
from noughts.threat_tree import SIZE, ThreatTree, has_threat_trees, threat_tree

NODES = 100_000
"""Limit of the searches for a tree, in positions."""
OF_A_MOVE = ("worth", "only", "quickest", "slower", "gives_up")
"""Kinds of facts on the value of a move."""
OF_ALL = ("standing", "holds_out", "sooner")
"""Kinds of facts on the value of the position."""


def tree_of(position: Position, fact: Fact, size: int = SIZE) -> ThreatTree | None:
    """Return the tree that proves the win or loss of a fact, with at most `size` nodes.

    `None` without such a value, in other games, and where threats alone do not win, or not as soon
    as the fact says.
    """
    value, move = fact.value, fact.move
    if value is None or move is None or not (value.is_win or value.is_loss):
        return None
    if fact.kind not in (*OF_A_MOVE, *OF_ALL) or not has_threat_trees(position):
        return None
    if value.is_loss and fact.kind in OF_A_MOVE:
        position, played, move = position.play(move), 1, None
        if position.outcome() is not None:
            return None
    else:
        played, move = 0, move if value.is_win else None
    tree = threat_tree(position, move, size=size, nodes=NODES)
    if tree is None or (tree.winner is fact.player) is not value.is_win:
        return None
    is_in_time = value.plies is None or played + tree.plies <= value.plies
    return tree if is_in_time and not tree.root.is_cut and tree.root.replies else None
