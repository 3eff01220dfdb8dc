"""The HTTP half of the API: `/api/v1/…`, documented at `/docs`."""

from __future__ import annotations

import re
import secrets
from math import isfinite, nan
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Response
from starlette.requests import HTTPConnection

from noughts.apps.web import told
from noughts.apps.web.game import Game
from noughts.apps.web.games import Games
from noughts.apps.web.models import (
    Change,
    GameList,
    GameView,
    JoinWanted,
    MoveWanted,
    NewGame,
    PositionView,
    Problem,
)
from noughts.apps.web.problems import Refused
from noughts.apps.web.shown import position_view
from noughts.arena.round import Round
from noughts.games.record import Record
from noughts.games.registry import parse_moves, parse_start
from noughts.store import player_id

COOKIE = "noughts"
SECRET = re.compile(r"[A-Za-z0-9_-]{32}")
YEAR = 365 * 24 * 3600

problems: dict[int | str, dict[str, Any]] = {
    "default": {"model": Problem, "description": "What is wrong, in a sentence."}
}
router = APIRouter(prefix="/api/v1", responses=problems)


# These are no work for threads: a coroutine is run where it is called.


async def games_of(connection: HTTPConnection) -> Games:
    games: Games = connection.app.state.games
    return games


def secret_of(connection: HTTPConnection) -> str | None:
    """Return the secret in a client's cookie, if it is one that was given out here."""
    secret = connection.cookies.get(COOKIE, "")
    return secret if SECRET.fullmatch(secret) else None


async def who(connection: HTTPConnection) -> str:
    """Return who asks; all who have no secret are the same player, one without games."""
    return player_id(secret_of(connection) or "")


async def who_stays(connection: HTTPConnection, response: Response) -> str:
    """Return who asks; somebody without a secret gets one, and any is good for a year from now."""
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


GamesHere = Annotated[Games, Depends(games_of)]
Who = Annotated[str, Depends(who)]
WhoStays = Annotated[str, Depends(who_stays)]
KeyHeader = Annotated[str | None, Header(alias="noughts-key", max_length=100)]


async def found(id: str, games: GamesHere, player: Who, key: KeyHeader = None) -> Game:  # noqa: A002
    return await games.get(id, player, key)


Found = Annotated[Game, Depends(found)]


@router.get("/position")
def show_position(
    start: Annotated[str, Query(max_length=2_000, description="A rules id or a position string.")],
    moves: Annotated[str, Query(max_length=2_000, description="Moves to play there.")] = "",
) -> PositionView:
    """Return any position, with its legal moves."""
    first = parse_start(start)
    position_view([first], None)
    played = Round(Record.from_moves(first, parse_moves(first, moves)))
    return position_view(played.positions, played.moves[-1] if played.moves else None)


@router.post("/games", status_code=201)
async def open_game(wanted: NewGame, games: GamesHere, player: WhoStays) -> GameView:
    """Open a game."""
    return told.view(await games.open(wanted, player), player)


@router.get("/games")
async def list_games(
    games: GamesHere,
    player: Who,
    search: Annotated[str, Query(max_length=200, description="Words that must occur.")] = "",
    after: Annotated[str, Query(max_length=100, description="`next` of the list before.")] = "",
    count: Annotated[int, Query(ge=1, le=100)] = 20,
) -> GameList:
    """List your games, the latest first."""
    stored = await games.mine(player, search.split(), _place(after), count + 1)
    shown = stored[:count]
    return GameList(
        games=[told.summary(each, player) for each in shown if not games.saver.is_deleted(each.id)],
        next=f"{shown[-1].updated!r}~{shown[-1].id}" if len(stored) > count else None,
    )


def _place(after: str) -> tuple[float, str] | None:
    """Return where a list goes on: the `updated` and the id of the last game before."""
    updated, _, id_ = after.partition("~")
    try:
        place = (float(updated), id_) if after else None
    except ValueError:
        place = (nan, "")
    if place is not None and not (isfinite(place[0]) and id_):
        detail = "`after` is the `next` of a list before; this is none."
        raise Refused(422, "request", detail, field="after")
    return place


@router.get("/games/{id}")
async def show_game(game: Found, player: Who) -> GameView:
    """Return a game that you play, or have a key for."""
    return told.view(game, player)


@router.delete("/games/{id}", status_code=204)
async def delete_game(game: Found, games: GamesHere, player: Who) -> None:
    """Take a game out of your list for good."""
    await games.delete(game, player)


@router.post("/games/{id}/moves")
async def play(wanted: MoveWanted, game: Found, games: GamesHere, player: Who) -> GameView:
    """Play a move."""
    await games.change(
        game, wanted.version, player, lambda game, side: games.play(game, side, wanted.move)
    )
    return told.view(game, player)


@router.post("/games/{id}/undo")
async def undo(wanted: Change, game: Found, games: GamesHere, player: Who) -> GameView:
    """Take back your last move, and the machine's answer to it."""
    return told.view(await games.change(game, wanted.version, player, games.undo), player)


@router.post("/games/{id}/redo")
async def redo(wanted: Change, game: Found, games: GamesHere, player: Who) -> GameView:
    """Play again what was taken back last."""
    return told.view(await games.change(game, wanted.version, player, games.redo), player)


@router.post("/games/{id}/resign")
async def resign(wanted: Change, game: Found, games: GamesHere, player: Who) -> GameView:
    """Give the game up."""
    return told.view(await games.change(game, wanted.version, player, games.resign), player)


@router.post("/games/{id}/stop")
async def stop(wanted: Change, game: Found, games: GamesHere, player: Who) -> GameView:
    """Let the machine play the best move that it has found so far."""
    return told.view(await games.stop(game, wanted.version, player), player)


@router.post("/games/{id}/rematch")
async def rematch(game: Found, games: GamesHere, player: Who) -> GameView:
    """Open the next game of the series, the sides swapped."""
    return told.view(await games.rematch(game, player), player)


@router.post("/games/{id}/join")
async def join(
    id: str,  # noqa: A002
    wanted: JoinWanted,
    games: GamesHere,
    player: WhoStays,
) -> GameView:
    """Take the open seat."""
    game = await games.get(id, player, wanted.key)
    return told.view(await games.join(game, player, wanted.key), player)
