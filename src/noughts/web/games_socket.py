"""The WebSocket of a game: its view, and then every change.

changed ──► event ──► GameView or GameChange as JSON ──► the page
"""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import APIRouter, WebSocket

from noughts.answers.problems import Refused, document
from noughts.database.store import StoreUnavailable
from noughts.web import game_views
from noughts.web.clients import current
from noughts.web.errors import problem
from noughts.web.game import Game
from noughts.web.games import not_found
from noughts.web.games_api import games_of, identify_client, until_gone

router = APIRouter(prefix="/api/v1")

NOT_FOUND, TRY_AGAIN = 4404, 1013
"""Close codes of the WebSocket; 1013 is in the registry of RFC 6455."""


@router.websocket("/games/{id}/live")
async def live(
    socket: WebSocket,
    id: str,  # noqa: A002
    key: str | None = None,
    have: str = "",
) -> None:
    """Send the game now and then its changes; at the end send a problem document."""
    player, games = await identify_client(socket), await games_of(socket)
    await socket.accept()
    try:
        game = await games.get(id, player, key)
        await _follow(socket, game, player, key, have)
    except (Refused, StoreUnavailable) as error:
        refused = problem(error)
        await socket.send_json(document(refused))
        await socket.close(NOT_FOUND if refused.status == 404 else TRY_AGAIN)


async def _follow(socket: WebSocket, game: Game, player: str, key: str | None, have: str) -> None:
    """Send a game and its changes, until the client disconnects.

    Raises:
        Refused: the game was deleted, or the client may no longer see it.
    """
    games = await games_of(socket)
    changed = asyncio.Event()
    changed.set()
    known = game_views.known(have, game, player)
    games.listen(game, changed, current.get())
    gone = asyncio.ensure_future(until_gone(socket))
    gone.add_done_callback(lambda _: changed.set())
    try:
        while await changed.wait() and not gone.done():
            changed.clear()
            if not games.holds(game) or not game.may_look(player, key):
                raise not_found()
            shown = game_views.shown(game, player)
            if shown is not known:
                await socket.send_text(game_views.change(known, shown) if known else shown.text)
            known = shown
    finally:
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await gone
        games.unlisten(game, changed)
