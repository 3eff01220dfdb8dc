"""The HTTP API of games: open, list, show, delete, join, accept an offer, rematch."""

from __future__ import annotations

import secrets
from math import isfinite, nan
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response, WebSocket
from starlette.requests import HTTPConnection

from noughts.answers.positions import PositionView, RefusalView, played_line, refusal_data
from noughts.answers.problems import Problem, Refused
from noughts.database.store import player_id
from noughts.web import game_views
from noughts.web.clients import COOKIE, current, secret_of
from noughts.web.fair_play import MACHINE_OFF, is_near, not_now
from noughts.web.game import Game
from noughts.web.games import Games, new_game
from noughts.web.models import (
    ChangeRequest,
    GamesPage,
    GameView,
    JoinRequest,
    NewGameRequest,
)
from noughts.web.pool import Pool
from noughts.web.positions import position_view
from noughts.web.quotas import Quotas

YEAR = 365 * 24 * 3600

problems: dict[int | str, dict[str, Any]] = {
    "default": {"model": Problem, "description": "A problem document."}
}
router = APIRouter(prefix="/api/v1", tags=["Games"], responses=problems)


# Coroutines, because FastAPI would run plain functions in threads.


async def games_of(connection: HTTPConnection) -> Games:
    games: Games = connection.app.state.games
    return games


async def until_gone(connection: Request | WebSocket) -> None:
    """Wait until the client disconnects; ignore its messages."""
    while not (await connection.receive())["type"].endswith(".disconnect"):
        pass


async def identify_client(connection: HTTPConnection) -> str:
    """Return the player id of the client; clients without a cookie share an id that has no
    games.
    """
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


async def quotas_of(connection: HTTPConnection) -> Quotas:
    quotas: Quotas = connection.app.state.quotas
    return quotas


async def reading_of(connection: HTTPConnection) -> Pool:
    """Return the thread that reads short texts of clients; that of `importing_of` reads long
    ones.
    """
    reading: Pool = connection.app.state.reading
    return reading


async def importing_of(connection: HTTPConnection) -> Pool:
    importing: Pool = connection.app.state.importing
    return importing


OpenGames = Annotated[Games, Depends(games_of)]
StoredQuotas = Annotated[Quotas, Depends(quotas_of)]
Reading = Annotated[Pool, Depends(reading_of)]
Importing = Annotated[Pool, Depends(importing_of)]
Client = Annotated[str, Depends(identify_client)]
RememberedClient = Annotated[str, Depends(remember_client)]
KeyHeader = Annotated[str | None, Header(alias="noughts-key", max_length=100)]


async def find_game(id: str, games: OpenGames, player: Client, key: KeyHeader = None) -> Game:  # noqa: A002
    return await games.get(id, player, key)


FoundGame = Annotated[Game, Depends(find_game)]


def answer(game: Game, player: str) -> Response:
    """Return the response with a game, without the check and the rendering of FastAPI."""
    return Response(game_views.shown(game, player).text, media_type="application/json")


@router.get("/position")
async def show_position(
    reading: Reading,
    start: Annotated[str, Query(max_length=2_000, description="Rules id or position string.")],
    moves: Annotated[str, Query(max_length=2_000, description="Moves to play from there.")] = "",
) -> PositionView:
    """Return a position with its legal moves."""
    return await reading.call(_shown, start, moves)


@router.get("/refusal")
async def show_refusal(
    reading: Reading,
    start: Annotated[str, Query(max_length=2_000, description="Rules id or position string.")],
    move: Annotated[str, Query(max_length=200, description="The text of the move.")],
    moves: Annotated[str, Query(max_length=2_000, description="Moves to play first.")] = "",
) -> RefusalView:
    """Return why a move is not allowed, and where to play instead."""
    return await reading.call(refusal_data, start, moves, move)


def _shown(start: str, moves: str) -> PositionView:
    played = played_line(start, moves)
    return position_view(played.positions, played.moves[-1] if played.moves else None)


@router.post("/games", status_code=201)
async def open_game(
    body: NewGameRequest,
    games: OpenGames,
    quotas: StoredQuotas,
    reading: Reading,
    player: RememberedClient,
) -> GameView:
    """Open a game."""
    game = await reading.call(new_game, body, player, games.files)
    has_machine = any(seat.is_machine for seat in game.seats.values())
    private = games.private(current.get(), with_open_seat=False) if has_machine else []
    if bool(private) and await reading.call(is_near, game.round.positions, private):
        raise not_now(MACHINE_OFF)
    await quotas.check(games=1)
    return game_views.view(await games.add(game, answers=body.answers), player)


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
    return {
        "games": [
            game_views.summary(each, player)
            for each in shown
            if not games.saver.is_deleted(each.id)
        ],
        "next": f"{shown[-1].updated!r}~{shown[-1].id}" if len(stored) > count else None,
    }


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


@router.get("/games/{id}", response_model=GameView)
async def show_game(game: FoundGame, player: Client) -> Response:
    """Return a game that you play or have a key for."""
    return answer(game, player)


@router.delete("/games/{id}", status_code=204)
async def delete_game(game: FoundGame, games: OpenGames, player: Client) -> None:
    """Delete a game from your list."""
    await games.delete(game, player)


@router.post("/games/{id}/accept", response_model=GameView)
async def accept(
    body: ChangeRequest, game: FoundGame, games: OpenGames, quotas: StoredQuotas, player: Client
) -> Response:
    """Accept the other person's offer; return the rematch if that is the offer."""
    if game.round.is_over:
        await quotas.check(games=1)
    return answer(await games.agree(game, body.version, player), player)


@router.post("/games/{id}/rematch", response_model=GameView)
async def rematch(
    game: FoundGame, games: OpenGames, quotas: StoredQuotas, player: Client
) -> Response:
    """Open a rematch with the sides swapped; between two people offer it, or agree to one.

    The reply is the rematch, or after an offer the game.
    """
    await quotas.check(games=1)
    return answer(await games.rematch(game, player), player)


@router.post("/games/{id}/join")
async def join(
    id: str,  # noqa: A002
    body: JoinRequest,
    games: OpenGames,
    player: RememberedClient,
) -> GameView:
    """Take the open seat."""
    game = await games.get(id, player, body.key)
    return game_views.view(await games.join(game, player, body.key, body.name), player)
