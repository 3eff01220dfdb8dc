"""The games of a match as data, for a script without rules.

    records, regrets ──games_data()──► starts  the boards that games begin on
                                       texts   every text once
                                       games   changes by each move: a cell, open boards, owners

Texts are given by their indices in the list of texts; times are in microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noughts.arena.referee import parse_note
from noughts.arena.standings import UNKNOWN
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.games.row import RowPosition
from noughts.games.swap2 import opening_moves
from noughts.views.board import board_data, lines, owners
from noughts.views.single_file import Places

Lost = Sequence[float | None]
"""The regret of each move of a game, from `noughts.arena.regret.regrets`."""


def games_data(records: Sequence[Record], lost: Sequence[Lost] | None) -> dict[str, Any]:
    """Return the games for JSON, as `static/game.js` takes them.

    Args:
        records: of one or more matches.
        lost: the regrets of each record; `None` if they were not computed.

    Raises:
        IllegalMove: a record contains an illegal move.
    """
    texts, bots, starts = Places(), Places(), Places()
    texts[""]
    boards: list[dict[str, Any]] = []
    games = []
    for number, record in enumerate(records, 1):
        start = record.start
        if str(start) not in starts:
            boards.append(_start(start))
        x, o = (record.tags.get(str(player), UNKNOWN) for player in Player)
        game = {
            "number": _whole(record.tags.get("Round"), number),
            "event": texts[record.tags.get("Event", "")],
            "start": starts[str(start)],
            "x": bots[x],
            "o": bots[o],
            "result": record.result,
            "how": texts[record.termination],
            "opening": min(opening_moves(record), len(record.moves)),
            **_moves(record, texts),
            "notes": _notes(record, texts),
        }
        if "Fault" in record.tags:
            game["fault"] = record.tags["Fault"]
        if lost is not None:
            game["lost"] = "".join(
                "-" if each is None else str(round(2 * each)) for each in lost[number - 1]
            )
        games.append(game)
    return {"bots": list(bots), "texts": list(texts), "starts": boards, "games": games}


def _whole(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() else otherwise


def _start(position: Position) -> dict[str, Any]:
    start = {
        "rules": position.rules_id,
        "side": "XO".index(str(position.turn)),
        "board": board_data(position),
    }
    if isinstance(position, NestedPosition):
        start["owners"] = owners(position)
    return start


def _moves(record: Record, texts: Places) -> dict[str, Any]:
    """Return the number of moves, and the change of each on the board."""
    moves = record.moves
    *before, last = positions = list(record.positions())
    found: dict[str, Any] = {"moves": len(moves)}
    if not isinstance(last, RowPosition | NestedPosition):
        texted = zip(before, moves, strict=True)
        return found | {
            "texts": [texts[position.move_text(move)] for position, move in texted],
            "diagrams": [texts[position.diagram()] for position in positions[1:]],
        }
    found["cells"] = [
        position.cell(move)
        for position, move in zip(before, moves, strict=True)
        if isinstance(position, RowPosition | NestedPosition)
    ]
    if last.outcome() is not None:
        found["lines"] = lines(last)
    if isinstance(last, NestedPosition):
        nested = [position for position in positions if isinstance(position, NestedPosition)]
        found["open"] = [
            sum(1 << board for board in {move // 9 for move in position.legal_moves()})
            for position in nested
        ]
        owned = [owners(position) for position in nested]
        found["owners"] = [
            [ply, owned[ply]] for ply in range(1, len(owned)) if owned[ply] != owned[ply - 1]
        ]
    return found


def _notes(record: Record, texts: Places) -> dict[str, list[int]]:
    """Return the notes of the moves as columns; -1 means none."""
    columns: dict[str, list[int]] = {"time": [], "value": [], "depth": [], "nodes": []}
    for node in record.main_line():
        note = parse_note(node.comment)
        row = (-1, 0, -1, -1)
        if note is not None:
            row = (
                round(note.seconds * 1e6),
                texts[note.value or ""],
                -1 if note.depth is None else note.depth,
                -1 if note.nodes is None else note.nodes,
            )
        for column, each in zip(columns.values(), row, strict=True):
            column.append(each)
    return columns
