"""Positions and values of the house in the terms of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from noughts.apps.web.models import Board, Branch, Outcome, PositionView, ValueView
from noughts.arena.round import Round
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.record import Node, Record
from noughts.games.registry import parse_start
from noughts.games.row import RowPosition
from noughts.search.result import Value
from noughts.views.board import board_data, lines, owners
from noughts.views.svg import NOTABLE
from noughts.views.words import description, outcome_sentence, state


def parse_line(start: str, moves: Sequence[str]) -> list[Position]:
    """Return the positions of a line, from its start to its end.

    Raises:
        IllegalMove, NotationError: of the start or the moves, or of a game that the page has not.
    """
    first = parse_start(start)
    position_view([first], None)
    line = [first]
    for move in parse_path(first, moves):
        line.append(line[-1].play(move))
    return line


def parse_path(start: Position, moves: Sequence[str]) -> list[int]:
    """Return moves that are played one after another.

    Raises:
        IllegalMove: naming the first that the rules do not allow.
    """
    position, parsed = start, []
    for number, text in enumerate(moves, 1):
        try:
            parsed.append(position.parse_move(text))
        except IllegalMove as error:
            reason = f"move {number}: {error.reason}"
            raise IllegalMove(error.move, error.position, reason) from None
        position = position.play(parsed[-1])
    return parsed


def position_view(line: Sequence[Position], last_move: int | None) -> PositionView:
    """Return the end of a line of positions, as the page shows it.

    Raises:
        NotationError: of a game that the page does not have.
    """
    position = line[-1]
    if not isinstance(position, RowPosition | NestedPosition):
        raise NotationError(str(position), "RULES", "the page has the games of the house only")
    before = line[-2] if len(line) > 1 else None
    last = None
    if last_move is not None and isinstance(before, RowPosition | NestedPosition):
        last = before.cell(last_move)
    return _view(position, len(line) - 1, last)


# Whoever moves is answered, and all who look on are told: mostly the same.
@lru_cache(maxsize=512)
def _view(position: RowPosition | NestedPosition, ply: int, last: int | None) -> PositionView:
    cell_lines, board_lines = lines(position)
    nested = isinstance(position, NestedPosition)
    legal = position.legal_moves()
    outcome = position.outcome()
    return PositionView(
        position=str(position),
        rules=position.rules_id,
        turn=position.turn.value,
        ply=ply,
        board=Board(
            **board_data(position),
            owners=owners(position) if isinstance(position, NestedPosition) else None,
            lines=[(first, last) for first, last in cell_lines],
            board_lines=[(first, last) for first, last in board_lines],
        ),
        moves={position.move_text(move): position.cell(move) for move in legal},
        open=sorted({move // 9 for move in legal}) if nested else [],
        forced=position.forced if isinstance(position, NestedPosition) and legal else None,
        last=last,
        outcome=outcome
        and Outcome(
            winner=outcome.winner and outcome.winner.value,
            termination=str(outcome.termination),
            sentence=outcome_sentence(position),
        ),
        state=state(position),
        description=description(position),
    )


def value_view(value: Value) -> ValueView:
    """Return a value with its text and its tone."""
    return ValueView(
        value=value.value,
        plies=value.plies,
        estimate=value.estimate,
        text=str(value),
        tone="good" if value.rank >= NOTABLE else "bad" if value.rank <= -NOTABLE else "even",
    )


def comments_of(kept: Record) -> dict[int, str]:
    """Return what was said of the moves of the game, by number; 0 is before the first."""
    found = {0: kept.comment} | {
        number: node.comment for number, node in enumerate(kept.main_line(), 1)
    }
    return {number: comment for number, comment in found.items() if comment}


def branches_of(played: Round) -> Iterator[Branch]:
    """Yield the variations, each as the whole line to its end."""
    texts, kept = line_texts(played), played.record
    waiting: list[tuple[Node, Position, list[str], dict[int, str], int]] = []
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
            yield Branch(path=path, shared=shared, comments=comments)
            continue
        first, *others = node.children
        after = before.play(node.move)
        waiting += [(other, after, path, {}, len(path)) for other in reversed(others)]
        waiting.append((first, after, path, comments, shared))


def line_texts(played: Round) -> list[str]:
    """Return the moves of the line as text."""
    return [
        before.move_text(move) for before, move in zip(played.positions, played.moves, strict=False)
    ]
