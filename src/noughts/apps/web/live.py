"""The WebSocket half of the API: a game as it changes.

changed ──► event ──► GameView as JSON ──► the page
"""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket

from noughts.apps.web import told
from noughts.apps.web.api import games_of, who
from noughts.apps.web.game import Game
from noughts.apps.web.games import not_found
from noughts.apps.web.problems import Refused, document, problem
from noughts.store import StoreUnavailable

router = APIRouter(prefix="/api/v1")

NOT_FOUND, TRY_AGAIN = 4404, 1013
"""Codes that a WebSocket is closed with: the second one by RFC 6455's registry."""


@router.websocket("/games/{id}/live")
async def live(socket: WebSocket, id: str, key: str | None = None) -> None:  # noqa: A002
    """Send the game now, and again at every change; at the end say why there is no more."""
    player, games = await who(socket), await games_of(socket)
    await socket.accept()
    try:
        game = await games.get(id, player, key)
        await _follow(socket, game, player, key)
    except (Refused, StoreUnavailable) as error:
        refused = problem(error)
        await socket.send_json(document(refused))
        await socket.close(NOT_FOUND if refused.status == 404 else TRY_AGAIN)


async def _follow(socket: WebSocket, game: Game, player: str, key: str | None) -> None:
    """Send a game at every change, until the client goes.

    Raises:
        Refused: the game is deleted, or not for the client to see any more.
    """
    games = await games_of(socket)
    changed = asyncio.Event()
    game.listeners[changed] = player
    games.tell(game)
    gone = asyncio.ensure_future(_until_gone(socket))
    gone.add_done_callback(lambda _: changed.set())
    try:
        while await changed.wait() and not gone.done():
            changed.clear()
            if not games.holds(game) or not game.may_look(player, key):
                raise not_found()
            await socket.send_text(told.view(game, player).model_dump_json())
    finally:
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await gone
        del game.listeners[changed]
        games.tell(game)


async def _until_gone(socket: WebSocket) -> None:
    """Return when a client has gone; whatever it sends says nothing."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
