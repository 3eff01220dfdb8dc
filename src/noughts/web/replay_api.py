"""Replays of textbook searches, as JSON or as a page.

position, one or two searches ──► a worker process ──► JSON for the viewer, or one HTML file
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from noughts.answers import tasks
from noughts.games.catalogue import file_stem
from noughts.web.analysis_api import run
from noughts.web.games_api import problems
from noughts.web.models import ReplayRequest

router = APIRouter(prefix="/api/v1", tags=["Labs and replays"], responses=problems)


@router.post("/replay", response_class=Response)
async def replay(body: ReplayRequest, request: Request) -> Response:
    """Record one or two searches and return their replay as JSON."""
    text = await run(request, tasks.replay, body.start, body.moves, body.algorithms, False)
    return Response(text, media_type="application/json")


@router.get("/replay.html", response_class=Response)
async def replay_page(
    request: Request,
    start: Annotated[str, Query(max_length=2_000, description="Rules id or position string.")],
    moves: Annotated[str, Query(max_length=2_000, description="Moves to play from there.")] = "",
    algorithm: Annotated[
        list[str] | None, Query(max_length=2, description="One or two searches.")
    ] = None,
) -> Response:
    """Record one or two searches and return their replay as a single HTML file."""
    algorithms = algorithm or ["alphabeta"]
    text = await run(request, tasks.replay, start, moves.split(), algorithms, True)
    name = file_stem(start.partition("~")[0])
    return Response(
        text,
        media_type="text/html",
        headers={"Content-Disposition": f'attachment; filename="replay-{name}.html"'},
    )
