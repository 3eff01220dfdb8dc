"""The HTTP API of files: export of games, import into the client's list.

game ──export──► record as text or JSON line, board as SVG or PNG
record · JSON lines · position · rules and moves ──import──► games of the client
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from noughts.answers.files import player_names, read_games
from noughts.answers.problems import Refused
from noughts.games import record
from noughts.games.catalogue import file_stem
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Player
from noughts.games.progress import GameInProgress
from noughts.games.record import Record
from noughts.games.row import RowPosition
from noughts.views import svg, tree
from noughts.views.board import cell_of
from noughts.views.svg import ImageTheme
from noughts.web import game_views
from noughts.web.game import Game, Seat, new_id, stored_of
from noughts.web.games_api import (
    FoundGame,
    Importing,
    OpenGames,
    RememberedClient,
    StoredQuotas,
    problems,
)
from noughts.web.models import GamesPage, ImportRequest
from noughts.web.settings import Settings

router = APIRouter(prefix="/api/v1", tags=["Games"], responses=problems)


class FileFormat(StrEnum):
    """The format of an exported game."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"
    PNG = "png"


KINDS = {
    FileFormat.TEXT: ("text/plain; charset=utf-8", "txt"),
    FileFormat.JSON: ("application/json", "json"),
    FileFormat.SVG: ("image/svg+xml", "svg"),
    FileFormat.PNG: ("image/png", "png"),
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
    game: FoundGame,
    format: Annotated[FileFormat, Query(description="A record, or a picture.")] = FileFormat.TEXT,  # noqa: A002
    theme: Annotated[
        ImageTheme | None, Query(description="Of a picture; else auto, or light.")
    ] = None,
    ply: Annotated[
        int | None, Query(ge=0, description="Stop after this many moves; default all.")
    ] = None,
) -> Response:
    """Return a game as a file."""
    played = game.round
    length = len(played.moves)
    if ply is not None and ply > length:
        raise Refused(422, "request", f"The game has only {length} moves.", field="ply")
    until = length if ply is None else ply
    if format is FileFormat.TEXT:
        body = record.format_text(_record_of(game, until)).encode()
    elif format is FileFormat.JSON:
        body = record.format_json_line(_record_of(game, until)).encode()
    else:
        body = await _picture(played, until, format, theme)
    kind, ending = KINDS[format]
    at = "" if until == length else f"-move-{until}"
    name = f"noughts-{file_stem(game.round.record.start.rules_id)}-{_day(game)}{at}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, media_type=kind, headers=headers)


def _record_of(game: Game, until: int) -> Record:
    """Return the record up to a ply, with the players' names and the date."""
    kept = game.round.record
    names = {side.value: game.seats[side].name for side in Player}
    tags = names | {"Date": _day(game)} | kept.tags
    if until < len(game.round.moves):
        return Record.from_moves(kept.start, kept.moves[:until], tags)
    return Record(kept.start, tags, kept.comment, kept.children, kept.result, kept.termination)


async def _picture(
    played: GameInProgress, until: int, kind: FileFormat, theme: ImageTheme | None
) -> bytes:
    if kind is FileFormat.PNG and theme is ImageTheme.AUTO:
        reason = "A PNG has no theme auto. Use light or dark."
        raise Refused(422, "request", reason, field="theme")
    if kind is FileFormat.PNG and find_spec("resvg_py") is None:
        reason = "This server draws no PNG: it lacks resvg_py. Use the format svg."
        raise Refused(501, "missing-extra", reason, field="format")
    position, last = played.positions[until], None
    if not isinstance(position, RowPosition | NestedPosition):
        reason = f"{position.title} has no picture. Use the format text or json."
        raise Refused(422, "request", reason, field="format")
    if until:
        last = cell_of(played.positions[until - 1], played.moves[until - 1])
    chosen = theme or (ImageTheme.LIGHT if kind is FileFormat.PNG else ImageTheme.AUTO)

    def draw() -> bytes:
        picture = svg.board(position, last=last, theme=chosen.value)
        return picture.encode() if kind is FileFormat.SVG else tree.png(picture)

    return await asyncio.to_thread(draw)


def _day(game: Game) -> str:
    return datetime.fromtimestamp(game.created, UTC).date().isoformat()


# Import


@router.post("/games/import", status_code=201)
async def import_games(
    body: ImportRequest,
    games: OpenGames,
    quotas: StoredQuotas,
    importing: Importing,
    player: RememberedClient,
) -> GamesPage:
    """Import games into your list: records, JSON lines, positions, or games with their moves.

    If one game is wrong, none is imported.
    """

    def seat(kept: Record, side: Player) -> Seat:
        return Seat("person", player, player_names(kept)[side])

    def read() -> list[Game]:
        return [
            Game(new_id(), GameInProgress(each), {side: seat(each, side) for side in Player})
            for each in read_games(body.text, partial(_check_size, games.settings))
        ]

    new = await importing.call(read)
    await quotas.check(len(new), len(body.text))
    kept = [await games.add(game) for game in new]
    return {
        "games": [game_views.summary(stored_of(game), player) for game in kept],
        "next": None,
    }


def _check_size(settings: Settings, text: str, number: int, kept: Record) -> None:
    """Check the size of an imported game.

    Raises:
        NotationError: it is too large.
    """
    characters, moves, lines = len(kept.comment) + sum(map(len, kept.tags.values())), 0, 0
    waiting = [(1, node) for node in kept.children]
    while waiting:
        depth, node = waiting.pop()
        characters, moves = characters + len(node.comment), moves + 1
        lines += 0 if node.children else depth
        waiting += [(depth + 1, child) for child in node.children]
    limits = (
        (moves, settings.moves_of_a_game, "moves"),
        (lines, settings.lines_of_a_game, "moves in all lines from the start"),
        (characters, settings.comments_of_a_game, "characters in comments and tags"),
    )
    for count, most, what in limits:
        if count > most:
            reason = f"game {number} has {count:,} {what}; the limit is {most:,}"
            raise NotationError(text, "TEXT", reason)
