"""Games as files: records, positions and moves in; records and pictures out.

record · JSON lines · .psq · SGF · position · rules and moves ──read_games()──► records
record ──import_games()──► games of the page without a server ──export_game()──► record, SVG
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from noughts.answers.names import clean_name
from noughts.answers.positions import Data, check_game, parse_path
from noughts.games import record
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Player, Position
from noughts.games.progress import GameInProgress
from noughts.games.record import Record, RecordNode
from noughts.games.registry import parse_start
from noughts.games.row import RowPosition
from noughts.games.swap2 import swap2_of
from noughts.views import svg
from noughts.views.board import cell_of

MAX_GAMES = 200
"""Most games in one import."""

Check = Callable[[str, int, Record], None]


def read_games(text: str, check: Check = lambda *_: None) -> Iterator[Record]:
    """Yield the games of a text in any form that `record.read_any` knows.

    Args:
        text: the content of a file.
        check: called with the text, the number of a game and its record; may raise.

    Raises:
        IllegalMove, NotationError: in a game; the reason names the line.
    """
    lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
    number = 0
    for number, each in enumerate(record.read_any(lines), 1):
        if number > MAX_GAMES:
            raise NotationError(text, "TEXT", f"more than {MAX_GAMES} games")
        check_game(each.start)
        check(text, number, each)
        yield each
    if not number:
        raise NotationError(text, "TEXT", "no game found")


def player_names(kept: Record) -> dict[Player, str | None]:
    """Return the names of a record's players, as a page shows them; `None` for a missing one."""
    return {side: clean_name(kept.tags.get(side.value, "")) for side in Player}


def import_games(text: str) -> list[Data]:
    """Return the games of a text as the page without a server keeps them.

    Returns:
        For each game `start`, `moves`, `result` and `termination`; `lines`, its variations, each
        with all moves from the start; `comments` by these moves, joined by spaces; `tags`; `names`
        of the players by their sides; and `choices`, those of a game that began with swap2.

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
    swap2 = swap2_of(kept)
    return {
        **({} if swap2 is None else {"choices": [*swap2.made]}),
        "start": str(kept.start),
        "moves": [*GameInProgress(kept).texts],
        "lines": lines[1:],
        "comments": comments,
        "tags": kept.tags,
        "names": {side.value: name for side, name in player_names(kept).items()},
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
