"""Games as files: records, positions and moves in; records and pictures out.

record · JSON lines · position · rules and moves ──read_games()──► records
record ──import_games()──► games of the page without a server ──export_game()──► record, SVG
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from noughts.answers.positions import Data, check_game, parse_path
from noughts.games import record, registry
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, NotationError, Position, parse_moves
from noughts.games.progress import GameInProgress
from noughts.games.record import Record, RecordNode
from noughts.games.registry import parse_start
from noughts.games.row import RowPosition
from noughts.views import svg
from noughts.views.board import cell_of

MAX_GAMES = 200
"""Most games in one import."""
BARE_RUNS = ("basic", "connect4")
"""The games whose moves may be a run of digits without a rules id."""

Check = Callable[[str, int, Record], None]


def read_games(text: str, check: Check = lambda *_: None) -> Iterator[Record]:
    """Yield the games of a text in any of the known formats.

    Records begin with `[`, JSON lines with `{`. Otherwise every line is a position string or rules
    id followed by moves, or a run of digits that fits only one game.

    Args:
        text: the content of a file.
        check: called with the text, the number of a game and its record; may raise.

    Raises:
        IllegalMove, NotationError: in a game; the reason names the line.
    """
    text = text.removeprefix("\ufeff")
    lines = io.StringIO(text, newline=None)
    first = text.lstrip()[:1]
    reader = {"[": record.read_text, "{": record.read_json_lines}.get(first, _read_lines)
    number = 0
    for number, each in enumerate(reader(lines), 1):
        if number > MAX_GAMES:
            raise NotationError(text, "TEXT", f"more than {MAX_GAMES} games")
        check_game(each.start)
        check(text, number, each)
        yield each
    if not number:
        raise NotationError(text, "TEXT", "no game found")


def _read_lines(lines: io.StringIO) -> Iterator[Record]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _read_line(line.strip())
        except IllegalMove as error:
            reason = f"line {number}: {error.reason}"
            raise IllegalMove(error.move, error.position, reason) from None
        except NotationError as error:
            raise NotationError(error.text, error.field, f"line {number}: {error.reason}") from None


def _read_line(line: str) -> Record:
    """Return the game of a line such as `connect4 4453`, `basic~9~X 5 1` or `4453`."""
    word, _, moves = line.partition(" ")
    if re.fullmatch("[1-9]+", line):
        return _read_run(line)
    if not word[0].isalpha():
        expected = "a record, a position, or a game and its moves, such as `connect4 4453`"
        raise NotationError(line, "TEXT", f"{word!r} is no game; expected {expected}")
    start = parse_start(word)
    return Record.from_moves(start, parse_moves(start, moves))


def _read_run(run: str) -> Record:
    """Return the only game that a run of digits fits."""
    found: dict[str, Record] = {}
    refused: list[IllegalMove] = []
    for name in BARE_RUNS:
        start: Position = registry.game(name)
        try:
            found[name] = Record.from_moves(start, parse_moves(start, run))
        except IllegalMove as error:
            refused.append(error)
    if len(found) == 1:
        return next(iter(found.values()))
    if not found:
        raise refused[-1]
    choice = " or ".join(f"`{name} {run}`" for name in found)
    raise NotationError(run, "TEXT", f"more than one game fits: write {choice}")


def import_games(text: str) -> list[Data]:
    """Return the games of a text as the page without a server keeps them.

    Returns:
        For each game `start`, `moves`, `result` and `termination`; `lines`, its variations, each
        with all moves from the start; and `comments` by these moves, joined by spaces.

    Raises:
        IllegalMove, NotationError: as `read_games`.
    """
    return [_imported(each) for each in read_games(text)]


def _imported(kept: Record) -> Data:
    lines: list[list[str]] = []
    comments = {"": kept.comment} if kept.comment else {}
    waiting: list[tuple[Position, RecordNode, list[str]]]
    waiting = [(kept.start, node, []) for node in reversed(kept.children)]
    while waiting:
        before, node, path = waiting.pop()
        path = [*path, before.move_text(node.move)]
        if node.comment:
            comments[" ".join(path)] = node.comment
        if not node.children:
            lines.append(path)
        after = before.play(node.move)
        waiting += [(after, child, path) for child in reversed(node.children)]
    return {
        "start": str(kept.start),
        "moves": [*GameInProgress(kept).texts],
        "lines": lines[1:],
        "comments": comments,
        "result": kept.result,
        "termination": kept.termination,
    }


def export_game(
    start: str,
    moves: Sequence[str],
    format: Literal["text", "json", "svg"],  # noqa: A002
    lines: Sequence[Sequence[str]] = (),
    comments: Mapping[str, str] | None = None,
    tags: Mapping[str, str] | None = None,
    result: str | None = None,
    termination: str | None = None,
    theme: Literal["auto", "light", "dark"] = "auto",
) -> str:
    """Return a game of `import_games` as a record, or its last position as a picture.

    Raises:
        IllegalMove, NotationError: the game is against the rules.
    """
    first = parse_start(start)
    played = parse_path(first, moves)
    if format == "svg":
        positions = [first]
        for move in played:
            positions.append(positions[-1].play(move))
        last = positions[-1]
        assert isinstance(last, RowPosition | NestedPosition)
        cell = cell_of(positions[-2], played[-1]) if played else None
        return svg.board(last, last=cell, theme=theme)
    kept = Record.from_moves(first, played, tags, result=result, termination=termination)
    game = GameInProgress(kept)
    for line in lines:
        game.vary(parse_path(first, line))
    for words, comment in (comments or {}).items():
        node = game.find(parse_path(first, words.split())) if words else kept
        if node is not None:
            node.comment = comment
    return record.format_text(kept) if format == "text" else record.format_json_line(kept)
