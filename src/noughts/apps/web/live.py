"""The WebSocket half of the API: a game as it changes.

changed ──► event ──► GameView as JSON ──► the page
"""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from noughts.apps.web import games as table
from noughts.apps.web.api import games_of, who
from noughts.apps.web.problems import Refused, document

router = APIRouter(prefix="/api/v1")


@router.websocket("/games/{id}/live")
async def live(socket: WebSocket, id: str, key: str | None = None) -> None:  # noqa: A002
    """Send the game now, and again at every change."""
    player = who(socket)
    await socket.accept()
    try:
        game = await games_of(socket).get(id, player, key)
    except Refused as refused:
        await socket.send_json(document(refused))
        await socket.close(4404)
        return
    changed = asyncio.Event()
    game.listeners[changed] = player
    games_of(socket).tell(game)
    gone = asyncio.ensure_future(_until_gone(socket))
    try:
        while not gone.done():
            waiting = asyncio.ensure_future(changed.wait())
            await asyncio.wait((waiting, gone), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if changed.is_set() and not gone.done():
                changed.clear()
                await socket.send_text(table.view(game, player).model_dump_json())
    except WebSocketDisconnect:
        pass
    finally:
        gone.cancel()
        del game.listeners[changed]
        games_of(socket).tell(game)


async def _until_gone(socket: WebSocket) -> None:
    try:
        while True:
            await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return
