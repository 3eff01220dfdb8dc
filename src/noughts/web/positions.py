"""Positions, comments and variations of games as JSON data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from noughts.answers.positions import PositionView, last_cell, position_data
from noughts.games.position import Position
from noughts.games.progress import GameInProgress
from noughts.games.record import Record, RecordNode
from noughts.web.models import VariationView


def position_view(line: Sequence[Position], last_move: int | None) -> PositionView:
    """Return the view of the last position of a line."""
    return _view(line[-1], len(line) - 1, last_cell(line, last_move))


# Cached: every client that has the game open gets the same view.
@lru_cache(maxsize=512, typed=True)
def _view(position: Position, ply: int, last: int | None) -> PositionView:
    return position_data(position, ply, last)


def comments_of(kept: Record) -> dict[int, str]:
    """Return the comments on the moves of the game by number; 0 is before the first move."""
    found = {0: kept.comment} | {
        number: node.comment for number, node in enumerate(kept.main_line(), 1)
    }
    return {number: comment for number, comment in found.items() if comment}


def variations_of(played: GameInProgress) -> Iterator[VariationView]:
    """Yield the variations, each with its whole line from the start."""
    texts, kept = played.texts, played.record
    waiting: list[tuple[RecordNode, Position, list[str], dict[int, str], int]] = []
    followers = [kept.children, *(node.children for node in kept.main_line())]
    for ply, (before, siblings) in enumerate(zip(played.positions, followers, strict=True)):
        leaving = siblings[1:] if ply < len(texts) else played.beside
        waiting += [(node, before, texts[:ply], {}, ply) for node in reversed(leaving)]
    while waiting:
        node, before, path, comments, shared = waiting.pop()
        path = [*path, before.move_text(node.move)]
        if node.comment:
            comments = comments | {len(path): node.comment}
        if not node.children:
            yield {"path": path, "shared": shared, "comments": comments}
            continue
        first, *others = node.children
        after = before.play(node.move)
        waiting += [(other, after, path, {}, len(path)) for other in reversed(others)]
        waiting.append((first, after, path, comments, shared))
