"""Positions, values, comments and variations as models of the API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from noughts.explain.situation import situation
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, NotationError, Player, Position, move_texts
from noughts.games.progress import GameInProgress
from noughts.games.record import Record, RecordNode
from noughts.games.registry import GAMES, parse_start
from noughts.games.row import RowPosition
from noughts.games.words import description, outcome_sentence, state
from noughts.search.result import SearchResult, Value, own_moves
from noughts.views.board import board_data, cell_of, lines, owners
from noughts.views.svg import NOTABLE
from noughts.views.values import mark, words
from noughts.web.models import (
    AnalysisView,
    BoardView,
    OutcomeView,
    PictureView,
    PositionView,
    ValueView,
    VariationView,
)


def parse_line(start: str, moves: Sequence[str]) -> list[Position]:
    """Return the positions of a line from its start to its end.

    Raises:
        IllegalMove, NotationError: in the start or the moves.
    """
    first = parse_start(start)
    check_game(first)
    line = [first]
    for move in parse_path(first, moves):
        line.append(line[-1].play(move))
    return line


def parse_path(start: Position, moves: Sequence[str]) -> list[int]:
    """Return the moves of a line as numbers.

    Raises:
        IllegalMove: the rules do not allow a move; the reason has its number.
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


def check_game(position: Position) -> None:
    """Check that the page plays a position.

    Raises:
        NotationError: it is a tree of given values.
    """
    if position.rules_id.partition(":")[0] not in GAMES:
        raise NotationError(str(position), "RULES", "the page plays games, not trees")


def position_view(line: Sequence[Position], last_move: int | None) -> PositionView:
    """Return the view of the last position of a line."""
    return _view(line[-1], len(line) - 1, cell_of(line[-2], last_move) if len(line) > 1 else None)


# Cached: every client that has the game open gets the same view.
@lru_cache(maxsize=512, typed=True)
def _view(position: Position, ply: int, last: int | None) -> PositionView:
    legal = position.legal_moves()
    outcome = position.outcome()
    return PositionView(
        **dict(picture_view(position, last)),
        position=str(position),
        rules=position.rules_id,
        ply=ply,
        moves={
            position.move_text(move): (
                position.cell(move)
                if isinstance(position, RowPosition | NestedPosition)
                else number
            )
            for number, move in enumerate(legal)
        },
        outcome=outcome
        and OutcomeView(
            winner=outcome.winner and outcome.winner.value,
            termination=str(outcome.termination),
            sentence=outcome_sentence(position),
        ),
        state=state(position),
        situation={
            "-": situation(position, last),
            **{each.value: situation(position, last, each) for each in Player},
        },
        description=description(position),
    )


def picture_view(position: Position, last: int | None) -> PictureView:
    """Return the picture of a position after a move that took the cell `last`."""
    cell_lines, board_lines = lines(position)
    legal = position.legal_moves()
    nested = position if isinstance(position, NestedPosition) else None
    return PictureView(
        turn=position.turn.value,
        board=BoardView(
            **board_data(position),
            owners=nested and owners(nested),
            lines=[(first, last) for first, last in cell_lines],
            board_lines=[(first, last) for first, last in board_lines],
        ),
        open=sorted({move // 9 for move in legal}) if nested else [],
        forced=nested.forced if nested and legal else None,
        named=nested.target if nested else None,
        last=last,
    )


def value_view(value: Value) -> ValueView:
    """Return the view of a value."""
    return ValueView(
        value=value.kind,
        plies=value.plies,
        estimate=value.estimate,
        text=str(value),
        chance=value.chance,
        moves=None if value.plies is None else own_moves(value.plies),
        mark=mark(value),
        words=words(value),
        tone="good" if value.rank >= NOTABLE else "bad" if value.rank <= -NOTABLE else "even",
    )


def analysis_view(
    position: Position, result: SearchResult | None, *, done: bool, waiting: bool
) -> AnalysisView:
    """Return the view of an analysis; `result` is `None` before the first result."""
    text = position.move_text
    view = AnalysisView(
        position=str(position),
        done=done,
        waiting=waiting,
        depth=0,
        nodes=0,
        per_second=0,
        seconds=0.0,
        move=None,
        value=None,
        values={},
        lines={},
    )
    if result is not None:
        view.depth, view.nodes = result.depth, result.nodes
        view.per_second = round(result.nodes / result.seconds) if result.seconds > 0 else 0
        view.seconds = round(result.seconds, 3)
        view.move = None if result.move is None else text(result.move)
        view.value = value_view(result.value)
        view.values = {text(move): value_view(value) for move, value in result.moves.items()}
        view.lines = {text(move): move_texts(position, line) for move, line in result.lines.items()}
    return view


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
            yield VariationView(path=path, shared=shared, comments=comments)
            continue
        first, *others = node.children
        after = before.play(node.move)
        waiting += [(other, after, path, {}, len(path)) for other in reversed(others)]
        waiting.append((first, after, path, comments, shared))
