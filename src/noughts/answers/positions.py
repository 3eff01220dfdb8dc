"""Positions, values and analyses as JSON data, and lines of moves from texts.

start, moves ──parse_line()──► positions ──line_data()───► PositionView
                               Value     ──value_data()──► ValueView
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from noughts.answers.described import Described
from noughts.explain.situation import refusal, situation
from noughts.games.nested import NestedPosition
from noughts.games.phrases import said
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

Letter = Literal["X", "O"]


class BoardView(Described):
    """A board to draw. Cells are numbered row by row; nested boards one after the other."""

    kind: Literal["grid", "rack", "nested", "text"]
    """`text` is a diagram without cells, for a game of your own."""
    text: str
    """The diagram, if that is the kind."""
    columns: int
    rows: int
    cells: str
    """`X`, `O` or `.` for each cell."""
    names: list[str]
    """The text of the move at each cell; for a rack at each column."""
    owners: str | None
    """Owner of each of nine boards: `X`, `O`, `D` for a full one without owner, `-` for none."""
    plays_on: bool
    """Whether won boards stay playable."""
    lines: list[tuple[int, int]]
    """First and last cell of each winning line."""
    board_lines: list[tuple[int, int]]
    """First and last board of each winning line of boards."""


class OutcomeView(Described):
    """The end of a game; `winner` is null for a draw."""

    winner: Letter | None
    termination: str
    sentence: str
    """The result, such as `X wins with the top row.`"""


class PictureView(Described):
    """A position to draw."""

    turn: Letter
    board: BoardView
    open: list[int]
    """Boards with legal moves in a nested game, from 0."""
    forced: int | None
    """The board that the rules force the next move onto, from 0."""
    named: int | None
    """The board that the last move of a nested game names, from 0; it may be closed."""
    last: int | None
    """The cell of the last move, if known."""


class PositionView(PictureView):
    """A position with its board, legal moves and outcome."""

    position: str
    """The position string."""
    rules: str
    ply: int
    """Plies played from the start of its line."""
    moves: dict[str, int]
    """The cell of every legal move, by the text of the move; without cells, its number in order."""
    outcome: OutcomeView | None
    state: str
    """The side to move and its board, such as `X to move on board 1`, or the result."""
    situation: dict[Literal["X", "O", "-"], str]
    """The player to move, the boards and the reason, as a sentence to X, to O, and to others:
    `O played bottom right, so you play the bottom-right board.` The result if the game is over."""
    description: str
    """The board in words, for a screen reader."""


class RefusalView(Described):
    """Why a move is not allowed."""

    sentence: str | None
    """The reason for a person; null if the move is legal."""
    boards: list[int]
    """The boards to play on instead, from 0, if the move is on the wrong one."""
    cells: list[int]
    """The cells to play on instead, if only the cell is wrong."""


class ValueView(Described):
    """The value of a move or a position for the side to move."""

    value: Literal["win", "draw", "loss", "unknown"]
    plies: int | None
    estimate: float | None
    text: str
    """`W 9`, `L 12`, `D`, or `+0.42` for an estimate."""
    chance: int
    """Chance to win in per cent; a draw counts as half. Only proven values have 0 and 100."""
    moves: int | None
    """Distance to the end in moves of the player to move."""
    mark: str
    """The value in a few characters: `win 5`, `loss 6`, `draw`, or a chance such as `71`."""
    words: str
    """`wins in 5 moves`, `loses in 6 moves`, `draws`, or `71 %`."""
    tone: Literal["good", "even", "bad"]
    """The colour of the text."""


class AnalysisView(Described):
    """The result of an analysis so far."""

    position: str
    done: bool
    waiting: bool
    """Whether the search is queued behind others."""
    depth: int
    nodes: int
    per_second: int
    """Nodes a second."""
    seconds: float
    move: str | None
    """The best move; null if the game is over."""
    value: ValueView | None
    """The value of the position; null before the first result."""
    values: dict[str, ValueView]
    """The value of every legal move."""
    lines: dict[str, list[str]]
    """The expected line from each move on."""


class GraphPoint(Described):
    """The value of one position of a line for X."""

    ply: int
    value: ValueView
    score: float
    """The expected result for X, from -1 to 1."""


class GraphView(Described):
    points: list[GraphPoint]


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


def refusal_data(start: str, moves: str, move: str) -> RefusalView:
    """Return why a move is not allowed, and where to play instead.

    Raises:
        IllegalMove, NotationError: in the start or the moves before.
    """
    found = refusal(played_line(start, moves).position, move)
    if found is None:
        return {"sentence": None, "boards": [], "cells": []}
    return {"sentence": found.sentence, "boards": [*found.boards], "cells": [*found.cells]}


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
            reason = said("move", number=number, reason=error.reason)
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


def line_data(line: Sequence[Position], last_move: int | None) -> PositionView:
    """Return the last position of a line."""
    return position_data(line[-1], len(line) - 1, last_cell(line, last_move))


def facts_data(position: Position) -> Data:
    """Return the facts of a position that the visitor's engine needs, fields of `PositionView`."""
    return {
        "position": str(position),
        "rules": position.rules_id,
        "board": _board(position),
    }


def last_cell(line: Sequence[Position], last_move: int | None) -> int | None:
    """Return the cell of the last move of a line; `None` if there is none."""
    return cell_of(line[-2], last_move) if len(line) > 1 else None


def position_data(position: Position, ply: int, last: int | None) -> PositionView:
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
        "outcome": None
        if outcome is None
        else {
            "winner": None if outcome.winner is None else outcome.winner.value,
            "termination": outcome.termination.value,
            "sentence": outcome_sentence(position),
        },
        "state": state(position),
        "situation": {
            "-": situation(position, last),
            **{each.value: situation(position, last, each) for each in Player},
        },
        "description": description(position),
    }


def picture_data(position: Position, last: int | None) -> PictureView:
    """Return a position after a move that took the cell `last`."""
    legal = position.legal_moves()
    nested = position if isinstance(position, NestedPosition) else None
    return {
        "turn": position.turn.value,
        "board": _board(position),
        "open": sorted({move // 9 for move in legal}) if nested else [],
        "forced": nested.forced if nested and legal else None,
        "named": nested.target if nested else None,
        "last": last,
    }


def _board(position: Position) -> BoardView:
    known = board_data(position)
    cell_lines, board_lines = lines(position)
    return {
        "kind": known["kind"],
        "text": known.get("text", ""),
        "columns": known.get("columns", 0),
        "rows": known.get("rows", 0),
        "cells": known.get("cells", ""),
        "names": known.get("names", []),
        "owners": owners(position) if isinstance(position, NestedPosition) else None,
        "plays_on": known.get("plays_on", False),
        "lines": [(first, last) for first, last in cell_lines],
        "board_lines": [(first, last) for first, last in board_lines],
    }


def value_data(value: Value) -> ValueView:
    """Return a value for the side to move."""
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


def point_data(ply: int, position: Position, value: Value) -> GraphPoint:
    """Return the value of a position of a line; `value` is for the player to move."""
    for_x = value if position.turn is Player.X else value.swapped
    return {"ply": ply, "value": value_data(for_x), "score": for_x.expected}


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
) -> AnalysisView:
    """Return an analysis; `result` is `None` before the first result."""
    text = position.move_text
    data: AnalysisView = {
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
    return {
        **data,
        "depth": result.depth,
        "nodes": result.nodes,
        "per_second": round(result.nodes / result.seconds) if result.seconds > 0 else 0,
        "seconds": round(result.seconds, 3),
        "move": None if result.move is None else text(result.move),
        "value": value_data(result.value),
        "values": {text(move): value_data(value) for move, value in result.moves.items()},
        "lines": {text(move): move_texts(position, line) for move, line in result.lines.items()},
    }
