"""The HTTP API of games: open, list, play, undo, resign, rematch, join."""

from __future__ import annotations

import re
import secrets
from math import isfinite, nan
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response, WebSocket
from starlette.requests import HTTPConnection

from noughts.games.position import parse_moves
from noughts.games.progress import GameInProgress
from noughts.games.record import Record
from noughts.games.registry import parse_start
from noughts.store import player_id
from noughts.web import game_views
from noughts.web.errors import Refused
from noughts.web.game import Game
from noughts.web.games import Games
from noughts.web.models import (
    ChangeRequest,
    GamesPage,
    GameView,
    JoinRequest,
    MoveRequest,
    NewGameRequest,
    PositionView,
    Problem,
)
from noughts.web.positions import check_game, position_view

COOKIE = "noughts"
SECRET = re.compile(r"[A-Za-z0-9_-]{32}")
YEAR = 365 * 24 * 3600

problems: dict[int | str, dict[str, Any]] = {
    "default": {"model": Problem, "description": "A problem document."}
}
router = APIRouter(prefix="/api/v1", tags=["Games"], responses=problems)


# Coroutines, because FastAPI would run plain functions in threads.


async def games_of(connection: HTTPConnection) -> Games:
    games: Games = connection.app.state.games
    return games


def secret_of(connection: HTTPConnection) -> str | None:
    """Return the secret in a client's cookie, if it has the right form."""
    secret = connection.cookies.get(COOKIE, "")
    return secret if SECRET.fullmatch(secret) else None


async def until_gone(connection: Request | WebSocket) -> None:
    """Wait until the client disconnects; ignore its messages."""
    while not (await connection.receive())["type"].endswith(".disconnect"):
        pass


async def identify_client(connection: HTTPConnection) -> str:
    """Return the player id of the client; all clients without a cookie share one without games."""
    return player_id(secret_of(connection) or "")


async def remember_client(connection: HTTPConnection, response: Response) -> str:
    """Return the player id of the client, and set or renew its cookie for a year."""
    secret = secret_of(connection) or secrets.token_urlsafe(24)
    response.set_cookie(
        COOKIE,
        secret,
        max_age=YEAR,
        httponly=True,
        samesite="strict",
        secure=connection.url.scheme in ("https", "wss"),
    )
    return player_id(secret)


OpenGames = Annotated[Games, Depends(games_of)]
Client = Annotated[str, Depends(identify_client)]
RememberedClient = Annotated[str, Depends(remember_client)]
KeyHeader = Annotated[str | None, Header(alias="noughts-key", max_length=100)]


async def find_game(id: str, games: OpenGames, player: Client, key: KeyHeader = None) -> Game:  # noqa: A002
    return await games.get(id, player, key)


FoundGame = Annotated[Game, Depends(find_game)]


@router.get("/position")
def show_position(
    start: Annotated[str, Query(max_length=2_000, description="Rules id or position string.")],
    moves: Annotated[str, Query(max_length=2_000, description="Moves to play from there.")] = "",
) -> PositionView:
    """Return a position with its legal moves."""
    first = parse_start(start)
    check_game(first)
    played = GameInProgress(Record.from_moves(first, parse_moves(first, moves)))
    return position_view(played.positions, played.moves[-1] if played.moves else None)


@router.post("/games", status_code=201)
async def open_game(body: NewGameRequest, games: OpenGames, player: RememberedClient) -> GameView:
    """Open a game."""
    return game_views.view(await games.open(body, player), player)


@router.get("/games")
async def list_games(
    games: OpenGames,
    player: Client,
    search: Annotated[str, Query(max_length=200, description="Words to search for.")] = "",
    after: Annotated[str, Query(max_length=100, description="`next` of the previous page.")] = "",
    count: Annotated[int, Query(ge=1, le=100)] = 20,
) -> GamesPage:
    """List your games, the latest first."""
    stored = await games.mine(player, search.split(), _place(after), count + 1)
    shown = stored[:count]
    return GamesPage(
        games=[
            game_views.summary(each, player)
            for each in shown
            if not games.saver.is_deleted(each.id)
        ],
        next=f"{shown[-1].updated!r}~{shown[-1].id}" if len(stored) > count else None,
    )


def _place(after: str) -> tuple[float, str] | None:
    """Return the place where a page of the list begins: `updated` and id of the game before."""
    updated, _, id_ = after.partition("~")
    try:
        place = (float(updated), id_) if after else None
    except ValueError:
        place = (nan, "")
    if place is not None and not (isfinite(place[0]) and id_):
        detail = "`after` must be the `next` of a previous page."
        raise Refused(422, "request", detail, field="after")
    return place


@router.get("/games/{id}")
async def show_game(game: FoundGame, player: Client) -> GameView:
    """Return a game that you play or have a key for."""
    return game_views.view(game, player)


@router.delete("/games/{id}", status_code=204)
async def delete_game(game: FoundGame, games: OpenGames, player: Client) -> None:
    """Delete a game from your list."""
    await games.delete(game, player)


@router.post("/games/{id}/moves")
async def play(body: MoveRequest, game: FoundGame, games: OpenGames, player: Client) -> GameView:
    """Play a move."""
    await games.change(
        game, body.version, player, lambda game, side: games.play(game, side, body.move)
    )
    return game_views.view(game, player)


@router.post("/games/{id}/undo")
async def undo(body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client) -> GameView:
    """Undo your last move and the machine's reply."""
    return game_views.view(await games.change(game, body.version, player, games.undo), player)


@router.post("/games/{id}/redo")
async def redo(body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client) -> GameView:
    """Redo the moves undone last."""
    return game_views.view(await games.change(game, body.version, player, games.redo), player)


@router.post("/games/{id}/resign")
async def resign(
    body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client
) -> GameView:
    """Resign the game."""
    return game_views.view(await games.change(game, body.version, player, games.resign), player)


@router.post("/games/{id}/stop")
async def stop(body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client) -> GameView:
    """Make the machine play its best move so far."""
    return game_views.view(await games.stop(game, body.version, player), player)


@router.post("/games/{id}/rematch")
async def rematch(game: FoundGame, games: OpenGames, player: Client) -> GameView:
    """Open a rematch with the sides swapped."""
    return game_views.view(await games.rematch(game, player), player)


@router.post("/games/{id}/join")
async def join(
    id: str,  # noqa: A002
    body: JoinRequest,
    games: OpenGames,
    player: RememberedClient,
) -> GameView:
    """Take the open seat."""
    game = await games.get(id, player, body.key)
    return game_views.view(await games.join(game, player, body.key), player)
