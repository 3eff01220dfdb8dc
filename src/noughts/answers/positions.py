"""Positions, values and analyses as JSON data, and lines of moves from texts.

start, moves ──parse_line()──► positions ──line_data()───► `PositionView` data
                               Value     ──value_data()──► `ValueView` data

The names of the data are those of the types in `noughts.web.models`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noughts.explain.situation import refusal, situation
from noughts.games.nested import NestedPosition
from noughts.games.position import (
    IllegalMove,
    NotationError,
    Player,
    Position,
    move_texts,
    parse_moves,
)
from noughts.games.progress import GameInProgress
from noughts.games.record import Record
from noughts.games.registry import GAMES, parse_start
from noughts.games.row import RowPosition
from noughts.games.words import description, outcome_sentence, state
from noughts.search.result import SearchResult, Value, own_moves
from noughts.views.board import board_data, cell_of, lines, owners
from noughts.views.svg import NOTABLE
from noughts.views.values import mark, words

Data = dict[str, Any]

EMPTY_BOARD: Data = {
    "text": "",
    "columns": 0,
    "rows": 0,
    "cells": "",
    "names": [],
    "owners": None,
    "plays_on": False,
}
"""The defaults of `BoardView`."""


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


def played_line(start: str, moves: str) -> GameInProgress:
    """Return a game from its start and its moves in one text.

    Raises:
        IllegalMove, NotationError: in the start or the moves.
    """
    first = parse_start(start)
    check_game(first)
    return GameInProgress(Record.from_moves(first, parse_moves(first, moves)))


def refusal_data(start: str, moves: str, move: str) -> Data:
    """Return why a move is not allowed, and where moves are, as `RefusalView` data.

    Raises:
        IllegalMove, NotationError: in the start or the moves before.
    """
    found = refusal(played_line(start, moves).position, move)
    if found is None:
        return {"sentence": None, "boards": [], "cells": []}
    return found._asdict()


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


def line_data(line: Sequence[Position], last_move: int | None) -> Data:
    """Return the last position of a line, as `PositionView` data."""
    return position_data(line[-1], len(line) - 1, last_cell(line, last_move))


def last_cell(line: Sequence[Position], last_move: int | None) -> int | None:
    """Return the cell of the last move of a line; `None` if there is none."""
    return cell_of(line[-2], last_move) if len(line) > 1 else None


def position_data(position: Position, ply: int, last: int | None) -> Data:
    """Return a position after a number of plies and a move that took the cell `last`."""
    outcome = position.outcome()
    return {
        **picture_data(position, last),
        "position": str(position),
        "rules": position.rules_id,
        "ply": ply,
        "moves": {
            position.move_text(move): (
                position.cell(move)
                if isinstance(position, RowPosition | NestedPosition)
                else number
            )
            for number, move in enumerate(position.legal_moves())
        },
        "outcome": outcome
        and {
            "winner": outcome.winner and outcome.winner.value,
            "termination": str(outcome.termination),
            "sentence": outcome_sentence(position),
        },
        "state": state(position),
        "situation": {
            "-": situation(position, last),
            **{each.value: situation(position, last, each) for each in Player},
        },
        "description": description(position),
    }


def picture_data(position: Position, last: int | None) -> Data:
    """Return a position after a move that took the cell `last`, as `PictureView` data."""
    cell_lines, board_lines = lines(position)
    legal = position.legal_moves()
    nested = position if isinstance(position, NestedPosition) else None
    return {
        "turn": position.turn.value,
        "board": {
            **EMPTY_BOARD,
            **board_data(position),
            "owners": nested and owners(nested),
            "lines": cell_lines,
            "board_lines": board_lines,
        },
        "open": sorted({move // 9 for move in legal}) if nested else [],
        "forced": nested.forced if nested and legal else None,
        "named": nested.target if nested else None,
        "last": last,
    }


def value_data(value: Value) -> Data:
    """Return a value, as `ValueView` data."""
    return {
        "value": value.kind,
        "plies": value.plies,
        "estimate": value.estimate,
        "text": str(value),
        "chance": value.chance,
        "moves": None if value.plies is None else own_moves(value.plies),
        "mark": mark(value),
        "words": words(value),
        "tone": "good" if value.rank >= NOTABLE else "bad" if value.rank <= -NOTABLE else "even",
    }


def proof_data(proof: SearchResult) -> Data:
    """Return the proven moves and the proven value of a position, for analyses of it."""
    text = proof.position.move_text
    return {
        "position": str(proof.position),
        "move": None if proof.move is None else text(proof.move),
        "line": move_texts(proof.position, proof.line),
        "value": value_data(proof.value) if proof.value.is_exact else None,
        "values": {text(move): value_data(value) for move, value in proof.moves.items()},
    }


def analysis_data(
    position: Position, result: SearchResult | None, *, done: bool, waiting: bool
) -> Data:
    """Return an analysis, as `AnalysisView` data; `result` is `None` before the first result."""
    text = position.move_text
    data: Data = {
        "position": str(position),
        "done": done,
        "waiting": waiting,
        "depth": 0,
        "nodes": 0,
        "per_second": 0,
        "seconds": 0.0,
        "move": None,
        "value": None,
        "values": {},
        "lines": {},
    }
    if result is None:
        return data
    return data | {
        "depth": result.depth,
        "nodes": result.nodes,
        "per_second": round(result.nodes / result.seconds) if result.seconds > 0 else 0,
        "seconds": round(result.seconds, 3),
        "move": None if result.move is None else text(result.move),
        "value": value_data(result.value),
        "values": {text(move): value_data(value) for move, value in result.moves.items()},
        "lines": {text(move): move_texts(position, line) for move, line in result.lines.items()},
    }
