"""Positions and values of the house in the terms of the page."""

from __future__ import annotations

from collections.abc import Sequence

import noughts
from noughts.apps.web.models import Board, Outcome, PositionView, ValueView
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, NotationError, Position
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
    first = noughts.position(start) if "~" in start else noughts.game(start)
    position_view([first], None)
    line = [first]
    for number, move in enumerate(moves, 1):
        try:
            line.append(line[-1].play(line[-1].parse_move(move)))
        except IllegalMove as error:
            reason = f"move {number}: {error.reason}"
            raise IllegalMove(error.move, error.position, reason) from None
    return line


def position_view(line: Sequence[Position], last_move: int | None) -> PositionView:
    """Return the end of a line of positions, as the page shows it.

    Raises:
        NotationError: of a game that the page does not have.
    """
    position = line[-1]
    if not isinstance(position, RowPosition | NestedPosition):
        raise NotationError(str(position), "RULES", "the page has the games of the house only")
    cell_lines, board_lines = lines(position)
    nested = isinstance(position, NestedPosition)
    legal = position.legal_moves()
    before = line[-2] if len(line) > 1 else None
    last = None
    if last_move is not None and isinstance(before, RowPosition | NestedPosition):
        last = before.cell(last_move)
    outcome = position.outcome()
    return PositionView(
        position=str(position),
        rules=position.rules_id,
        turn=position.turn.value,
        ply=len(line) - 1,
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
