"""The HTTP API of links: the address of the server in its network, and links as QR codes.

    GET address ──► http://192.168.1.5:8322, or null ──► the links that the page shows
    GET games/ID/qr?link=join&origin=… ──► SVG

The browser names the origin, since behind a proxy only it knows the server's name.
"""

from __future__ import annotations

import io
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Query, Request, Response

from noughts.answers.problems import Refused
from noughts.web.game import Game
from noughts.web.games_api import Client, FoundGame, Reading, problems
from noughts.web.models import AddressView

router = APIRouter(prefix="/api/v1", tags=["Games"], responses=problems)

Origin = Annotated[
    str,
    Query(
        max_length=300,
        pattern=r"^https?://[A-Za-z0-9.:\[\]_-]+$",
        description="Scheme, host and port of the link.",
    ),
]


@router.get("/address")
async def show_address(request: Request) -> AddressView:
    """Return the address at which others in the network reach the server."""
    return {"network": request.app.state.network}


@router.get(
    "/games/{id}/qr",
    response_class=Response,
    responses={200: {"description": "A picture.", "content": {"image/svg+xml": {}}}},
)
async def show_link(
    game: FoundGame,
    player: Client,
    reading: Reading,
    link: Annotated[Literal["join", "watch"], Query(description="To play or to watch.")],
    origin: Origin,
) -> Response:
    """Return a link of your game as a QR code."""
    picture = await reading.call(_qr, f"{origin}{_path(game, player, link)}")
    return Response(picture, media_type="image/svg+xml")


def _path(game: Game, player: str, link: str) -> str:
    """Return the path of a link, with its key.

    Raises:
        Refused: the player has no seat, or no seat is open.
    """
    if not game.sides_of(player):
        raise Refused(403, "not-yours", "You are watching this game.")
    if link == "join" and not game.is_open:
        raise Refused(409, "taken", "No seat is open.")
    return f"/game/{game.id}#{link}={game.join_key if link == 'join' else game.watch_key}"


def _qr(text: str) -> bytes:
    """Return a QR code as SVG: black on white, with the margin that readers need."""
    picture = io.BytesIO()
    code = segno.make_qr(text, error="m")
    code.save(picture, kind="svg", xmldecl=False, omitsize=True, light="white", border=4)
    return picture.getvalue()
