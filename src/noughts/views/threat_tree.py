"""The tree of a win by threats as rows, for terminals and pages.

    ThreatTree ──rows()──► a row for each group of replies ──text()──► lines with indentation

A row has all moves that follow without a choice: fours with their only replies. So a tree of fours
is one row, and rows below it are for the replies to an open three.

    X h8
        O g7: X i9 O j10 X f6 (then e5 or j9 wins)
        any other reply: X k8 (then g8 or l8 wins)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noughts.games.phrases import phrase, sentence
from noughts.games.position import Position
from noughts.games.row import MNK
from noughts.games.words import count
from noughts.search.result import own_moves
from noughts.threat_tree import ThreatNode, ThreatTree

INDENT = 4


class ThreatRow(NamedTuple):
    """Replies with their common answer, and what follows without a choice."""

    depth: int
    """The number of rows above it; 0 at the root."""
    base: tuple[int, ...]
    """The moves from the position of the tree to this row."""
    replies: tuple[int, ...]
    """The replies; at a row of any other one reply as an example; none at the root."""
    is_any_other: bool
    """Whether the row is for any reply that the rows beside it do not have."""
    moves: tuple[int, ...]
    """The answer, and more moves of both sides in turn, after the first of the replies."""
    note: str
    """What is to say after the last move; empty where rows below go on."""


def rows(tree: ThreatTree) -> Iterator[ThreatRow]:
    """Yield the rows of a tree, each before those below it."""
    yield from _rows(tree.position, tree.root, 0, (), (), False)


def _rows(
    start: Position,
    node: ThreatNode,
    depth: int,
    base: tuple[int, ...],
    replies: tuple[int, ...],
    is_any_other: bool,
) -> Iterator[ThreatRow]:
    moves = [] if node.move is None else [node.move]
    while (four := _after_four(node)) is not None:
        reply, node = four
        assert node.move is not None
        moves += reply, node.move
    path = (*base, *replies[:1], *moves)
    fives = _two_fives(node)
    yield ThreatRow(depth, base, replies, is_any_other, tuple(moves), _note(start, node, fives))
    if fives:
        return
    listed = {reply for each in node.replies for reply in each.moves}
    for each in node.replies:
        shown = each.moves or (_example(start.after(path), listed, path),)
        yield from _rows(start, each.then, depth + 1, path, shown, not each.moves)


def _after_four(node: ThreatNode) -> tuple[int, ThreatNode] | None:
    """Return the only reply to a four, and what follows it, if that is more than a line."""
    if node.move is None or not node.replies or len(node.replies[0].moves) != 1:
        return None
    (reply,), then = node.replies[0]
    others = [each.then for each in node.replies[1:]]
    is_four = all(_is_five(other) and other.move == reply for other in others)
    return (reply, then) if is_four and not _is_five(then) else None


def _two_fives(node: ThreatNode) -> tuple[int, ...]:
    """Return the cells of two lines of which the defender can stop one; none without them."""
    found = [each.then.move for each in node.replies if _is_five(each.then)]
    if node.move is None or not found or len(found) < len(node.replies):
        return ()
    cells = {*found, *node.replies[0].moves}
    return tuple(sorted(cell for cell in cells if cell is not None))


def _is_five(node: ThreatNode) -> bool:
    return not node.replies and not node.is_cut


def _example(place: Position, listed: set[int], path: tuple[int, ...]) -> int:
    """Return an unlisted reply near the last move, to show on the board."""
    cells = [move for move in place.legal_moves() if move not in listed]
    assert isinstance(place, MNK)
    columns = place.rules.columns
    row, column = divmod(path[-1], columns) if path else (0, 0)
    return min(
        cells, key=lambda each: (abs(each // columns - row) + abs(each % columns - column), each)
    )


def _note(start: Position, node: ThreatNode, fives: tuple[int, ...]) -> str:
    if node.is_cut:
        return str(phrase("tree-left-out", moves=count(own_moves(node.plies), "move")))
    if fives:
        return str(phrase("tree-fives", cells=[start.move_text(five) for five in fives]))
    return "" if node.replies else str(phrase("tree-five"))


def headline(tree: ThreatTree, found: Sequence[ThreatRow]) -> str:
    """Return the win that a tree proves, and a guide to its rows, in sentences."""
    names = {"player": tree.winner.value, "other": tree.winner.other.value}
    said = [phrase("tree-wins", moves=count(own_moves(tree.plies), "move"), **names)]
    if any(len(row.moves) > 1 for row in found):
        said.append(phrase("tree-fours", **names))
    if tree.is_cut:
        said.append(phrase("tree-cut", size=f"{tree.size:,}"))
    return " ".join(sentence(str(each)) for each in said)


def row_text(tree: ThreatTree, row: ThreatRow) -> str:
    """Return a row as text, without its indentation."""
    start = tree.position
    replies = [start.move_text(reply) for reply in row.replies]
    said = ""
    if row.is_any_other:
        said = str(phrase("tree-any"))
    elif replies:
        said = f"{tree.winner.other} {', '.join(replies)}"
    elif not row.moves:
        said = str(phrase("tree-begin", other=tree.winner.other.value))
    players = tree.winner, tree.winner.other
    moves = " ".join(
        f"{players[at % 2]} {start.move_text(move)}" for at, move in enumerate(row.moves)
    )
    note = f" ({row.note})" if row.note else ""
    return (f"{said}: {moves}" if said and moves else said or moves) + note


def text(tree: ThreatTree, most: int) -> str:
    """Return a tree as at most `most` lines of rows, with its headline before them."""
    found = list(rows(tree))
    lines = [f"{' ' * INDENT * row.depth}{row_text(tree, row)}" for row in found[:most]]
    if len(found) > most:
        lines.append(str(phrase("tree-more", rows=count(len(found) - most, "more row"))))
    return "\n".join([headline(tree, found), *lines])
