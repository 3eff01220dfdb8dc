"""A textbook tree with given leaf values, played as a game.

    ((3 12 8) (2 4 6) (14 5 2))      X and O choose branches in turn down to a leaf.
     a1       a2      a3             X is MAX and gets its value; O is MIN.
       b1 b2 b3

Nobody wins, so it is not a registered game, and a search needs `score=utility`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self, TypeAlias

from noughts.games.position import IllegalMove, NotationError, Outcome, Player, Position

Tree: TypeAlias = "int | tuple[Tree, ...]"
"""A leaf value, or the branches of a node."""

MAX_DEPTH = 20
"""Most plies of a tree; each ply has a letter."""
DIAGRAM_WIDTH = 24


def parse_tree(text: str) -> Tree:
    """Return the tree of a text such as `((3 12 8) (2 4 6))`.

    Spaces or commas separate values and branches.

    >>> parse_tree("((3 12), 8 (-2))")
    ((3, 12), 8, (-2,))

    Raises:
        NotationError: the reason names the character at fault.
    """
    open_at: list[int] = []
    branches: list[list[Tree]] = [[]]

    def refuse(place: int, reason: str) -> NotationError:
        return NotationError(text, "TREE", f"character {place + 1}: {reason}")

    for token in re.finditer(r"[\s,]+|[()]|[^\s,()]+", text):
        word, place = token[0], token.start()
        if word == "(":
            if not open_at and branches[0]:
                raise refuse(place, "the tree has already ended")
            if len(open_at) == MAX_DEPTH:
                raise refuse(place, f"the tree is too deep; the limit is {MAX_DEPTH} plies")
            open_at.append(place)
            branches.append([])
        elif word == ")":
            if not open_at:
                raise refuse(place, "this ) has no (")
            open_at.pop()
            node = branches.pop()
            if not node:
                raise refuse(place, "this node has no branches")
            branches[-1].append(tuple(node))
        elif word.strip(", \t\n"):
            if not re.fullmatch("-?[0-9]{1,9}", word):
                raise refuse(place, f'"{word}" is not a whole number')
            if not open_at:
                where = "the tree has already ended" if branches[0] else "begin a tree with ("
                raise refuse(place, where)
            branches[-1].append(int(word))
    if open_at:
        raise refuse(open_at[-1], "this ( has no )")
    if not branches[0]:
        raise NotationError(text, "TREE", "write a tree such as ((3 12 8) (2 4 6))")
    return branches[0][0]


def tree_text(tree: Tree) -> str:
    """Return the text of a tree, for `parse_tree`."""
    return str(tree) if isinstance(tree, int) else f"({' '.join(map(tree_text, tree))})"


@dataclass(frozen=True, repr=False, slots=True)
class GivenTree(Position):
    """A node of a tree; a move is the index of a branch, written `a1`, `b1` and so on.

    >>> tree = GivenTree.parse("((3 12 8) (2 4 6))")
    >>> str(tree.play(1).play(0)), utility(tree.play(1).play(0))
    ('((3 12 8) (2 4 6))~a2.b1', 2)
    """

    name = "tree"
    about = "A tree with given leaf values: choose branches in turn; X gets the value of the leaf."
    tree: Tree
    path: tuple[int, ...] = ()
    """The branches chosen so far."""

    @classmethod
    def parse(cls, text: str) -> Self:
        tree, tilde, moves = text.partition("~")
        position = cls(parse_tree(tree))
        for move in moves.split(".") if tilde else ():
            try:
                position = position.play(position.parse_move(move))
            except IllegalMove as error:
                raise NotationError(text, "PATH", error.reason) from None
        return position

    @property
    def here(self) -> Tree:
        """The tree below this node, or the value of a leaf."""
        here = self.tree
        for branch in self.path:
            assert isinstance(here, tuple)
            here = here[branch]
        return here

    @property
    def turn(self) -> Player:
        return Player.O if len(self.path) % 2 else Player.X

    @property
    def ply(self) -> int:
        return len(self.path)

    def legal_moves(self) -> tuple[int, ...]:
        here = self.here
        return tuple(range(len(here))) if isinstance(here, tuple) else ()

    def play(self, move: int | str) -> Self:
        return type(self)(self.tree, (*self.path, self.legal_move(move)))

    def outcome(self) -> Outcome | None:
        return None if isinstance(self.here, tuple) else Outcome(None)

    def key(self) -> tuple[int, ...]:
        return self.path

    def __str__(self) -> str:
        names = [f"{_letter(ply)}{branch + 1}" for ply, branch in enumerate(self.path)]
        return "~".join(
            [tree_text(self.tree), ".".join(names)] if names else [tree_text(self.tree)]
        )

    def move_text(self, move: int) -> str:
        return f"{_letter(self.ply)}{move + 1}"

    def diagram(self) -> str:
        text = tree_text(self.here)
        return text if len(text) <= DIAGRAM_WIDTH else f"{text[: DIAGRAM_WIDTH - 2]} …"


def _letter(ply: int) -> str:
    return chr(ord("a") + ply)


def utility(position: GivenTree) -> int:
    """Return the value of a leaf for X: the `score` for a search with X to move first."""
    here = position.here
    assert isinstance(here, int), "only a leaf has a value"
    return here


def opposite(position: GivenTree) -> int:
    """Return the value of a leaf for O: the `score` for a search with O to move first, as MAX."""
    return -utility(position)
