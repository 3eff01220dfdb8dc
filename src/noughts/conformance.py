"""Conformance vectors: JSON files with which a program in any language can check its rules.

    RULES ──start, perft, positions──► mnk-3-3-3-misere.json, …
    CASES ──moves to special cases───►   in the positions of their rules
    REFUSED_… ──text, code, reason───► refusals.json
    schema() ────────────────────────► schema.json, the meaning of every field

The same package writes the same bytes each time.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from noughts.games.catalogue import file_stem
from noughts.games.position import (
    IllegalMove,
    NotationError,
    Player,
    Position,
    Termination,
    move_texts,
    parse_moves,
    perft,
)
from noughts.games.registry import game, parse_start

Json = dict[str, Any]

VERSION = 1
"""Version of the format, in the field `schema` of every file."""
GAMES = 4
"""Random games whose positions a file has; every second one avoids its end, to fill up boards."""
SAMPLES = 6
"""Positions from each random game, beside its last one."""
LATE_DEPTH = 3
"""Most plies of the move sequences that are counted from a late position."""

RULES: dict[str, int] = {
    "basic": 5,
    "mnk:3,3,3": 5,
    "mnk:3,3,3,misere": 5,
    "mnk:1,1,1": 2,
    "mnk:2,3,2": 5,
    "mnk:2,3,2,misere": 5,
    "mnk:4,3,3": 4,
    "mnk:5,1,3": 5,
    "mnk:5,4,4": 4,
    "mnk:3,7,3": 4,
    "mnk:4,4,4,misere": 4,
    "mnk:4,4,3,exact": 4,
    "mnk:4,3,2,exact,misere": 4,
    "mnk:6,6,4,exact,misere": 3,
    "mnk:15,15,5": 2,
    "mnk:15,15,5,exact": 2,
    "mnk:19,19,5": 2,
    "mnk:20,20,5": 2,
    "connect4": 5,
    "connect4:3,3,3": 6,
    "connect4:4,4": 6,
    "connect4:5,4,3": 6,
    "connect4:8,7": 5,
    "connect4:9,2,2": 5,
    "connect4:9,6,5": 5,
    "connect4:4,20": 6,
    "advanced": 4,
    "advanced:full=draw": 4,
    "ultimate": 4,
    "ultimate:tie=boards": 4,
    "ultimate:won=open": 4,
    "ultimate:tie=boards,won=open": 4,
}
"""The rules that get a file, each with the most plies counted from its start."""


class SpecialCase(NamedTuple):
    """A situation that programs often get wrong."""

    about: str
    games: Mapping[str, str]
    """The moves to it, by rules id."""


_WON_TARGET = "12 21 18 81 15 51"
_ALL_CLOSED = (
    "92 22 29 96 61 11 14 48 86 67 71 15 58 84 47 73 34 45 55 57 79 97 78 81 17 75 51 "
    "16 69 95 54 44 41 13 36 62 21 19 93 39 98 87 74 42 28 52 24 76 66 65 56 68 25 32 "
    "94 99 91 31 72 37 77 38"
)
_FULL_TARGET = "55 54 45 53 35 51 15 58 88 85 56 65 57 75 52 25 59 95"

CASES: dict[str, SpecialCase] = {
    "full-board": SpecialCase(
        "The board is full without a line: a draw.",
        {
            "basic": "6 3 5 9 1 2 8 4 7",
            "connect4:5,4,3": "2 3 4 4 3 1 1 4 4 5 5 2 3 3 1 1 5 2 2 5",
        },
    ),
    "line-on-last-cell": SpecialCase(
        "The last empty cell completes a line, which decides; the game is no draw.",
        {
            "basic": "3 2 5 1 8 9 6 7 4",
            "mnk:4,4,4,misere": "a4 d3 a1 c3 d2 d1 b1 d4 c2 b2 b4 a3 c1 c4 a2 b3",
            "connect4:3,3,3": "1 2 2 1 1 3 2 3 3",
        },
    ),
    "two-lines": SpecialCase(
        "One move completes two lines.",
        {
            "basic": "2 4 3 6 5 7 9 8 1",
            "connect4": "6 6 5 5 3 1 7 5 4",
            "advanced": "97 72 24 42 29 93 32 23 31 13 35 53 37 73 33",
        },
    ),
    "longer-line": SpecialCase(
        "A line longer than K counts, without `exact`.",
        {"mnk:5,4,4": "a1 a3 b1 b3 d1 d3 e1 e3 c1"},
    ),
    "overline": SpecialCase(
        "A line longer than K does not count, with `exact`.",
        {
            "mnk:4,4,3,exact": "a1 a3 b1 b3 d1 d3 c1",
            "mnk:4,3,2,exact,misere": "a1 a3 c1 c3 b1",
            "mnk:15,15,5,exact": "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1",
        },
    ),
    "overline-and-line": SpecialCase(
        "One move makes a line longer than K and one of exactly K, which counts.",
        {"mnk:4,4,3,exact": "a1 a2 b1 b2 d1 d2 c2 a4 c3 d4 c1"},
    ),
    "misere": SpecialCase(
        "Whoever completes a line loses.",
        {"mnk:3,3,3,misere": "a1 a2 b1 b2 c1", "mnk:4,3,2,exact,misere": "a1 c3 b1"},
    ),
    "gravity": SpecialCase(
        "A mark falls on the marks below it.",
        {"connect4": "4 4 5 3"},
    ),
    "full-column": SpecialCase(
        "A full column is no legal move.",
        {"connect4": "4 4 4 4 4 4"},
    ),
    "sent": SpecialCase(
        "The cell of the last move is the board to play on.",
        {"advanced": "51", "ultimate": "51"},
    ),
    "won-target": SpecialCase(
        "The last move names a won board, which is closed: any open board is allowed.",
        {"ultimate": _WON_TARGET},
    ),
    "open-won-target": SpecialCase(
        "The last move names a won board, which stays open: it is the board to play on.",
        {"ultimate:won=open": _WON_TARGET},
    ),
    "second-line": SpecialCase(
        "The other player completes a line on a won board, which keeps its owner.",
        {"ultimate:won=open": "55 51 18 85 57 75 59 91 15 52 25 53 37 73 36 67 74 45 58"},
    ),
    "full-target": SpecialCase(
        "The last move names a full board: any board that is not closed is allowed.",
        {
            "advanced": _FULL_TARGET,
            "ultimate": (
                "72 25 59 94 47 71 11 17 79 97 77 78 81 18 87 73 37 74 44 49 91 12 21 15 52 28 "
                "86 67 76 66 64 41 27 75 57"
            ),
            "ultimate:won=open": (
                "48 84 43 34 41 19 94 44 45 52 24 46 69 93 39 95 54 42 28 88 81 14 47 76 62 21 13 "
                "37 74 49 98 85 53 36 64"
            ),
        },
    ),
    "full-target-draw": SpecialCase(
        "The last move names a full board: a draw, with `full=draw`.",
        {"advanced:full=draw": _FULL_TARGET},
    ),
    "line-before-draw": SpecialCase(
        "The last move names a full board and completes a line: a win, with `full=draw`.",
        {
            "advanced:full=draw": (
                "61 17 76 67 79 99 94 46 68 87 71 18 88 81 13 33 34 48 84 44 45 57 72 28 85 56 "
                "66 69 96 64 49 98 83 35 53 32 27 75 54 41 16 62 24 43 39 91 12 26 63 36 65 55 59 "
                "92 25 58 86"
            )
        },
    ),
    "two-lines-of-boards": SpecialCase(
        "One move completes two lines of won boards.",
        {
            "ultimate": (
                "17 76 68 85 52 23 32 25 58 81 18 89 92 22 21 13 31 15 55 75 65 94 42 24 41 19 "
                "93 35 36 69 95 37 71 11 96 67 72 26 62 79 91 48 34 44 49 45 73 39 38 46 33"
            )
        },
    ),
    "all-closed": SpecialCase(
        "All boards are closed, without three won boards in line: a draw, with `tie=draw`.",
        {"ultimate": _ALL_CLOSED},
    ),
    "more-boards": SpecialCase(
        "All boards are closed, and the player with more of them wins, with `tie=boards`.",
        {"ultimate:tie=boards": _ALL_CLOSED},
    ),
    "equal-boards": SpecialCase(
        "All boards are closed, and both players have as many: a draw, with `tie=boards`.",
        {
            "ultimate:tie=boards": (
                "48 87 78 85 52 25 57 71 12 29 91 13 35 59 93 36 61 17 72 22 24 43 32 27 73 38 84 "
                "42 21 11 15 54 45 55 56 63 37 74 41 18 83 39 98 89 99 97 77 79 92 26 65 51 16 64 "
                "44 46 68 88 31 14 49 67 76 62 28 69 23 34 33 66 75"
            )
        },
    ),
    "line-before-boards": SpecialCase(
        "The last open board closes and completes a line, which decides, not the number of boards.",
        {
            "ultimate:tie=boards": (
                "27 75 51 12 23 32 25 58 83 34 41 11 19 97 72 13 37 73 31 93 35 52 86 66 68 87 79 "
                "96 67 77 54 44 43 33 36 64 46 62 65 56 63 38 89 94 47 45 59 91 49 53 39 55"
            )
        },
    ),
}
"""The special cases, by the names in the files."""

REFUSED_RULES: dict[str, str] = {
    "no-game": "chess",
    "no-options": "mnk:",
    "late-size": "mnk:3,3,misere,3",
    "extra-size": "mnk:3,3,3,3",
    "bad-size": "mnk:0,3,3",
    "no-option": "mnk:3,3,3,draw",
    "same-option": "ultimate:tie=draw,tie=draw",
    "bad-option": "ultimate:tie=none",
    "no-sizes": "mnk:5,5",
    "no-height": "connect4:8",
    "large-board": "mnk:21,3,3",
    "long-line": "mnk:3,3,4",
}
"""Rules ids that must be refused, by the codes of `games.phrases`."""

REFUSED_POSITIONS: dict[str, str] = {
    "fields": "basic~3.3.3",
    "rows": "basic~3.3~X",
    "row": "basic~3.3.2~X",
    "row-mark": "basic~3.3.1?1~X",
    "row-number": "basic~3.3.03~X",
    "boards": "advanced~9.9~X~-",
    "board": "advanced~9.9.9.9.9.9.9.9.8~X~-",
    "board-mark": "advanced~9.9.9.9.9.9.9.9.8x~X~-",
    "board-number": "advanced~9.9.9.9.9.9.9.9.099~X~-",
    "side": "basic~3.3.3~Y",
    "marks": "basic~XX1.3.3~O",
    "turn": "basic~X2.3.3~X",
    "hanging": "connect4~X6.7.7.7.7.7~O",
    "two-lines": "basic~XXX.OOO.3~X",
    "late-line": "basic~XXX.OO1.O2~X",
    "last-move": "mnk:6,2,2~XX2XX.O1O1O1~O",
    "built": "mnk:9,9,2,exact~2X6.XXX6.X1X6.X2X5.9.O1O1O1O1O.9.O1O1O4.9~X",
    "stack": "connect4~7.7.3O3.3O3.3X3.3X3~X",
    "target": "advanced~9.9.9.9.9.9.9.9.9~X~0",
    "early-target": "advanced~9.9.9.9.9.9.9.9.9~X~5",
    "no-target": "advanced~X8.9.9.9.9.9.9.9.9~O~-",
    "extra-owners": "ultimate~9.9.9.9.9.9.9.9.9~X~-~---------",
    "no-owners": "ultimate:won=open~9.9.9.9.9.9.9.9.9~X~-",
    "owners": "ultimate:won=open~9.9.9.9.9.9.9.9.9~X~-~---",
    "owner": "ultimate:won=open~XXX6.OO7.9.9.9.9.9.9.9~O~3~---------",
    "owner-full": "ultimate:won=open~XOXXOOOXX.O8.9.9.9.9.9.9.9~X~1~---------",
    "owner-open": "ultimate:won=open~X8.9.9.9.9.9.9.9.9~O~1~X--------",
    "board-lines": "ultimate~XXXOOO3.9.9.9.9.9.9.9.9~X~6",
    "board-late": "ultimate~XXX3XXX.OOO6.OO7.O8.9.9.9.9.9~X~1",
    "many-lines": "advanced~XXX6.XXX6.OO7.OO7.O8.9.9.9.9~O~1",
    "two-wins": "advanced~XXX6.OOO6.9.9.9.9.9.9.9~X~1",
    "late-win": "advanced~XXX6.OO7.O8.9.9.9.9.9.9~X~1",
    "unmarked-target": "ultimate~X8.9.9.9.9.9.9.9.9~O~2",
    "closed-target": "ultimate~XXX1X4.OO7.O8.9.9.9.9.9.9~O~5",
    "idle-target": "advanced~XXX6.O3X4.O8.O8.9.9.9.9.9~O~5",
}
"""Position strings that must be refused, by the codes of `games.phrases`."""

REFUSED_MOVES: dict[str, tuple[str, str, str]] = {
    "over": ("basic", "1 4 2 5 3", "6"),
    "no-cell": ("mnk:5,4,4", "", "f1"),
    "no-move": ("basic", "", "x"),
    "taken": ("mnk:9,9,5", "e5", "e5"),
    "taken-few": ("basic", "5", "5"),
    "no-column": ("connect4", "", "8"),
    "no-drop": ("connect4", "", "x"),
    "full": ("connect4", "4 4 4 4 4 4", "4"),
    "which-board-of": ("ultimate", "", "5"),
    "no-board": ("ultimate", "", "50"),
    "no-nested-move": ("ultimate", "", "x"),
    "other-board": ("ultimate", "55", "11"),
    "won-board": ("ultimate", _WON_TARGET, "13"),
    "full-board": ("advanced", _FULL_TARGET, "51"),
    "taken-there": ("ultimate", "55", "55"),
}
"""Moves that must be refused, by the codes of `games.phrases`: rules id, moves before, move."""


class OtherFiles(ValueError):
    """A folder with files that are no vectors."""


def file_name(rules_id: str) -> str:
    """Return the name of the file of some rules.

    >>> file_name("mnk:3,3,3,misere"), file_name("ultimate:won=open")
    ('mnk-3-3-3-misere.json', 'ultimate-won-open.json')
    """
    return f"{file_stem(rules_id)}.json"


def write(folder: Path) -> dict[str, int]:
    """Write the vectors into a folder, in place of earlier ones.

    Returns:
        The sizes of the files in bytes, by name.

    Raises:
        OtherFiles: the folder has other files.
        OSError: there is no such folder, or a file cannot be written.
    """
    names = {*map(file_name, RULES), "refusals.json", "schema.json"}
    others = sorted({path.name for path in folder.iterdir()} - names)
    if others:
        raise OtherFiles(f"the folder {folder} has other files: {' '.join(others[:3])}")
    sizes = {}
    for name, data in files():
        content = _text(data).encode()
        (folder / name).write_bytes(content)
        sizes[name] = len(content)
    return sizes


def files() -> Iterator[tuple[str, Json]]:
    """Yield the names of all files and their contents."""
    for rules_id in RULES:
        yield file_name(rules_id), vectors(rules_id)
    yield "refusals.json", {"schema": VERSION, "refusals": [*refusals()]}
    yield "schema.json", schema()


def vectors(rules_id: str) -> Json:
    """Return the contents of the file of some rules, one of `RULES`."""
    start = game(rules_id)
    rng = random.Random(rules_id)
    games = [_random_game(start, rng, avoid_end=number % 2 == 1) for number in range(GAMES)]
    chosen: list[tuple[list[int], str | None]] = [
        (parse_moves(start, each.games[rules_id]), name)
        for name, each in CASES.items()
        if rules_id in each.games
    ]
    chosen.append(([], None))
    for moves in games:
        at = rng.sample(range(len(moves)), min(SAMPLES, len(moves)))
        chosen += [(moves[:plies], None) for plies in (*sorted(at), len(moves))]
    entries: dict[str, Json] = {}
    for moves, case in chosen:
        entry = _entry(start, moves, case)
        entries.setdefault(entry["position"], entry)
    deepest = RULES[rules_id]
    counts = [_counted(start, depth) for depth in range(max(1, deepest - 2), deepest + 1)]
    late = games[1][: len(games[1]) * 2 // 3]
    if late:
        counts.append(_counted(start.after(late), min(LATE_DEPTH, deepest)))
    return {
        "schema": VERSION,
        "rules": start.rules_id,
        "start": str(start),
        "perft": counts,
        "positions": [*entries.values()],
    }


def _random_game(start: Position, rng: random.Random, avoid_end: bool) -> list[int]:
    """Return the moves of a random game."""
    position, moves = start, []
    while position.outcome() is None:
        for _ in range(6 if avoid_end else 1):
            move = rng.choice(position.legal_moves())
            if position.play(move).outcome() is None:
                break
        moves.append(move)
        position = position.play(move)
    return moves


def _entry(start: Position, moves: list[int], case: str | None) -> Json:
    position = start.after(moves)
    outcome = position.outcome()
    return {
        **({"case": case} if case else {}),
        "moves": move_texts(start, moves),
        "position": str(position),
        "turn": str(position.turn),
        "legal": {position.move_text(move): move for move in position.legal_moves()},
        "outcome": outcome
        and {
            "winner": outcome.winner and str(outcome.winner),
            "termination": str(outcome.termination),
        },
    }


def _counted(position: Position, depth: int) -> Json:
    split = {
        position.move_text(move): perft(position.play(move), depth - 1)
        for move in position.legal_moves()
    }
    return {
        "position": str(position),
        "depth": depth,
        "nodes": sum(split.values()),
        "split": split,
    }


def refusals() -> Iterator[Json]:
    """Yield the texts that must be refused, each with the code and the reason."""
    for code, text in REFUSED_RULES.items():
        yield {"code": code, "rules": text, "reason": _reason(parse_start, text)}
    for code, text in REFUSED_POSITIONS.items():
        yield {"code": code, "position": text, "reason": _reason(parse_start, text)}
    for code, (rules_id, moves, move) in REFUSED_MOVES.items():
        position = game(rules_id).after(moves)
        reason = _reason(position.parse_move, move)
        yield {"code": code, "position": str(position), "move": move, "reason": reason}


def _reason(read: Callable[[str], object], text: str) -> str:
    """Return the sentence with which `read` refuses a text."""
    try:
        read(text)
    except (NotationError, IllegalMove) as error:
        return str(error)
    raise AssertionError(f"{text} is not refused")


def schema() -> Json:
    """Return the JSON schema of the files, which says what every field means."""
    codes = [*REFUSED_RULES, *REFUSED_POSITIONS, *REFUSED_MOVES]
    position = _string("A position string.")
    rules = _string("A rules id.")
    counts = {"type": "integer", "minimum": 0}
    version = {"const": VERSION}
    player = {"enum": [str(each) for each in Player]}
    reason = _string("The sentence of noughts; other programs need not use it.")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Conformance vectors of noughts",
        "oneOf": [{"$ref": "#/$defs/vectors"}, {"$ref": "#/$defs/refusals"}],
        "$defs": {
            "vectors": _object(
                "The vectors of some rules.",
                {
                    "schema": version,
                    "rules": rules,
                    "start": position,
                    "perft": _list({"$ref": "#/$defs/perft"}),
                    "positions": _list({"$ref": "#/$defs/position"}),
                },
            ),
            "perft": _object(
                "A number of move sequences.",
                {
                    "position": position,
                    "depth": {"type": "integer", "minimum": 1, "description": "Length in plies."},
                    "nodes": counts,
                    "split": {
                        "description": "The sequences that begin with each legal move.",
                        "type": "object",
                        "additionalProperties": counts,
                    },
                },
            ),
            "position": _object(
                "A position that play from the start reaches.",
                {
                    "case": {
                        "description": "The special case that the position shows.",
                        "oneOf": [
                            {"const": name, "description": case.about}
                            for name, case in CASES.items()
                        ],
                    },
                    "moves": {
                        "description": "Texts of the moves from the start.",
                        "type": "array",
                        "items": {"type": "string"},
                    },
                    "position": position,
                    "turn": player | {"description": "The player to move; at the end, the next."},
                    "legal": {
                        "description": "The number of each legal move, by its text, ascending.",
                        "type": "object",
                        "additionalProperties": counts,
                    },
                    "outcome": {
                        "description": "The end of the game, or null.",
                        "oneOf": [{"type": "null"}, {"$ref": "#/$defs/outcome"}],
                    },
                },
                optional=("case",),
            ),
            "outcome": _object(
                "The end of a game.",
                {
                    "winner": {
                        "description": "The winner; null for a draw.",
                        "enum": [*player["enum"], None],
                    },
                    "termination": {
                        "description": "A line; nobody can move, a draw; nobody can move, and "
                        "with `tie=boards` more boards win; the draw of `full=draw`.",
                        "enum": [str(each) for each in Termination if each != Termination.RULES],
                    },
                },
            ),
            "refusals": _object(
                "Texts that must be refused.",
                {"schema": version, "refusals": _list({"$ref": "#/$defs/refusal"})},
            ),
            "refusal": _object(
                "A rules id, a position string, or a move in a position that must be refused.",
                {
                    "code": {"enum": codes},
                    "rules": rules,
                    "position": position,
                    "move": _string("The text of a move."),
                    "reason": reason,
                },
                optional=("rules", "position", "move"),
            )
            | {
                "oneOf": [{"required": ["rules"]}, {"required": ["position"]}],
                "dependentRequired": {"move": ["position"]},
            },
        },
    }


def _string(about: str) -> Json:
    return {"description": about, "type": "string"}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items, "minItems": 1}


def _object(about: str, fields: Json, optional: Iterable[str] = ()) -> Json:
    return {
        "description": about,
        "type": "object",
        "properties": fields,
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def _text(data: Json) -> str:
    """Return an object as JSON: a field on each line, and an item of a list on each line."""

    def written(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    fields = []
    for name, value in data.items():
        shown = written(value)
        if isinstance(value, list):
            shown = "[\n" + ",\n".join(f"  {written(each)}" for each in value) + "\n ]"
        fields.append(f" {written(name)}: {shown}")
    return "{\n" + ",\n".join(fields) + "\n}\n"
