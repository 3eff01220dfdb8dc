"""Games as files: what one takes out of the server, and what one puts in.

a game ──export──► record as text, JSON line, board as SVG or PNG ──► a file
record · JSON lines · position · rules and moves ──import──► games of whoever asks
"""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from importlib.util import find_spec
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

import noughts
from noughts.apps.web import told
from noughts.apps.web.api import Found, GamesHere, WhoStays, problems
from noughts.apps.web.game import Game, Seat, new_id, stored_of
from noughts.apps.web.models import GameList, Imported
from noughts.apps.web.problems import Refused
from noughts.apps.web.shown import position_view
from noughts.arena.round import Round
from noughts.games import record
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, NotationError, Player, Position
from noughts.games.record import Record
from noughts.games.registry import parse_moves, parse_start
from noughts.games.row import RowPosition
from noughts.views import svg, tree

MOST_GAMES = 200
"""So many games are imported at once."""
MOST_MOVES = 2_000
"""So many moves, variations included, may an imported game have."""
MOST_SAID = 100_000
"""So many characters may the comments and tags of an imported game have."""
BARE_RUNS = ("basic", "connect4")
"""The games that a run of digits without a game may be of."""

router = APIRouter(prefix="/api/v1", responses=problems)


class Format(StrEnum):
    """What a game is exported as."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"
    PNG = "png"


class Theme(StrEnum):
    """The colours of a picture; `auto` follows the reader's system, and PNG cannot."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


KINDS = {
    Format.TEXT: ("text/plain; charset=utf-8", "txt"),
    Format.JSON: ("application/json", "json"),
    Format.SVG: ("image/svg+xml", "svg"),
    Format.PNG: ("image/png", "png"),
}
"""The media type and the file ending of each format."""
_FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A file.",
        "content": {kind.partition(";")[0]: {} for kind, _ in KINDS.values()},
    }
}


# Export


@router.get("/games/{id}/export", response_class=Response, responses=_FILES)
async def export_game(
    game: Found,
    format: Annotated[Format, Query(description="A record, or a picture.")] = Format.TEXT,  # noqa: A002
    theme: Annotated[Theme | None, Query(description="Of a picture; else auto, or light.")] = None,
    ply: Annotated[
        int | None, Query(ge=0, description="After so many moves; else at the end.")
    ] = None,
) -> Response:
    """Return a game as a file."""
    played = game.round
    length = len(played.moves)
    if ply is not None and ply > length:
        raise Refused(422, "request", f"The game has {length} moves so far.", field="ply")
    until = length if ply is None else ply
    if format is Format.TEXT:
        body = record.format_text(_record_of(game, until)).encode()
    elif format is Format.JSON:
        body = record.format_json_line(_record_of(game, until)).encode()
    else:
        body = await _picture(played, until, format, theme)
    kind, ending = KINDS[format]
    at = "" if until == length else f"-move-{until}"
    name = f"noughts-{_word(game.round.record.start.rules_id)}-{_day(game)}{at}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, media_type=kind, headers=headers)


def _record_of(game: Game, until: int) -> Record:
    """Return the record up to a move, with the players' names and the date."""
    kept = game.round.record
    names = {side.value: game.seats[side].name for side in Player}
    tags = names | {"Date": _day(game)} | kept.tags
    if until < len(game.round.moves):
        return Record.from_moves(kept.start, kept.moves[:until], tags)
    return Record(kept.start, tags, kept.comment, kept.children, kept.result, kept.termination)


async def _picture(played: Round, until: int, format: Format, theme: Theme | None) -> bytes:  # noqa: A002
    if format is Format.PNG and theme is Theme.AUTO:
        reason = "A PNG is light or dark, and cannot follow the reader's system."
        raise Refused(422, "request", reason, field="theme")
    if format is Format.PNG and find_spec("resvg_py") is None:
        reason = "Drawing PNG needs resvg_py on the server: pip install 'noughts[plots]'."
        raise Refused(501, "missing-extra", reason, field="format")
    position, last = played.positions[until], None
    if until:
        before = played.positions[until - 1]
        assert isinstance(before, RowPosition | NestedPosition)
        last = before.cell(played.moves[until - 1])
    chosen = theme or (Theme.LIGHT if format is Format.PNG else Theme.AUTO)

    def draw() -> bytes:
        picture = svg.board(position, last=last, theme=chosen.value)
        return picture.encode() if format is Format.SVG else tree.png(picture)

    return await asyncio.to_thread(draw)


def _word(rules_id: str) -> str:
    """Return a rules id as a part of a file name: `mnk-5-5-4`."""
    return re.sub(r"[^a-z0-9]+", "-", rules_id)


def _day(game: Game) -> str:
    return datetime.fromtimestamp(game.created, UTC).date().isoformat()


# Import


@router.post("/games/import", status_code=201)
async def import_games(wanted: Imported, games: GamesHere, player: WhoStays) -> GameList:
    """Keep games as yours: records as text or JSON lines, positions, or rules with moves.

    All of them, or none if there is something wrong with one.
    """
    records = await asyncio.to_thread(lambda: list(read_games(wanted.text)))
    kept = []
    for each in records:
        seats = {side: Seat("person", player) for side in Player}
        kept.append(await games.add(Game(new_id(), Round(each), seats)))
    return GameList(games=[told.summary(stored_of(game), player) for game in kept], next=None)


def read_games(text: str) -> Iterator[Record]:
    """Yield the games of a text, in whichever of the known forms it is.

    Records begin with `[`, JSON lines with `{`; else every line is a game: a position string or a
    rules id, and moves. A run of digits alone will do where it can be of one game only.

    Raises:
        IllegalMove, NotationError: of a game that cannot be read; the reason names the line.
    """
    text = text.removeprefix("\ufeff")
    lines = io.StringIO(text, newline=None)
    first = text.lstrip()[:1]
    reader = {"[": record.read_text, "{": record.read_json_lines}.get(first, _read_lines)
    number = 0
    for number, each in enumerate(reader(lines), 1):
        if number > MOST_GAMES:
            raise NotationError(text, "TEXT", f"there are more than {MOST_GAMES} games in it")
        position_view([each.start], None)
        _check_size(text, number, each)
        yield each
    if not number:
        raise NotationError(text, "TEXT", "there is no game in it")


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
        wanted = "a record, a position, or a game and its moves, such as `connect4 4453`"
        raise NotationError(line, "TEXT", f"{word!r} begins no game; wanted is {wanted}")
    start = parse_start(word)
    return Record.from_moves(start, parse_moves(start, moves))


def _read_run(run: str) -> Record:
    """Return the one game that a run of digits can be."""
    found: dict[str, Record] = {}
    refused: list[IllegalMove] = []
    for name in BARE_RUNS:
        start: Position = noughts.game(name)
        try:
            found[name] = Record.from_moves(start, parse_moves(start, run))
        except IllegalMove as error:
            refused.append(error)
    if len(found) == 1:
        return next(iter(found.values()))
    if not found:
        raise refused[-1]
    choice = " or ".join(f"`{name} {run}`" for name in found)
    raise NotationError(run, "TEXT", f"it can be of more than one game: write {choice}")


def _check_size(text: str, number: int, kept: Record) -> None:
    said, moves = len(kept.comment) + sum(map(len, kept.tags.values())), 0
    waiting = list(kept.children)
    while waiting:
        node = waiting.pop()
        said, moves = said + len(node.comment), moves + 1
        waiting += node.children
    for count, most, what in ((moves, MOST_MOVES, "moves"), (said, MOST_SAID, "characters said")):
        if count > most:
            reason = f"game {number} has {count:,} {what}; at most {most:,} are kept"
            raise NotationError(text, "TEXT", reason)
