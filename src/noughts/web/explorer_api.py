"""The HTTP API of the explorer: the moves of a position, their values and the games with them.

start, moves ──► steps ──► Store.outcomes, openings ──► counts ──┐
             └─► a thread, or a worker process: exact_values ───┴──► ExplorerView
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request

from noughts.answers import tasks
from noughts.answers.explorer import (
    ExplorerView,
    counted_keys,
    counted_of_engine,
    explorer_data,
)
from noughts.answers.positions import played_line
from noughts.database.store import Store
from noughts.engine import is_native
from noughts.explorer.counts import Outcomes, added
from noughts.explorer.explore import exact_values
from noughts.search.result import Value
from noughts.web.analysis_api import check_fair, run_task, unless_disconnected
from noughts.web.clients import current
from noughts.web.games_api import Reading, games_of, problems
from noughts.web.pool import Pool

router = APIRouter(prefix="/api/v1", tags=["Analysis"], responses=problems)

Source = Literal["both", "server", "engine"]


@router.get("/explorer")
async def explore(
    request: Request,
    reading: Reading,
    start: Annotated[str, Query(max_length=2_000, description="Rules id or position string.")],
    moves: Annotated[str, Query(max_length=2_000, description="Moves to play from there.")] = "",
    source: Annotated[Source, Query(description="The games to count.")] = "both",
    values: Annotated[bool, Query(description="Whether to search for exact values.")] = True,
) -> ExplorerView:
    """Return every move with its value, if it is proven, and how the games with it ended."""
    played = await reading.call(played_line, start, moves)
    line = played.texts
    await check_fair(await games_of(request), current.get(), start, line)
    keys = await reading.call(counted_keys, played)
    counts: list[tuple[int, Outcomes]] = []
    if source != "engine" and keys:
        store: Store = request.app.state.store
        counts += (await asyncio.to_thread(store.outcomes, keys)).items()
    if source != "server":
        counts += await reading.call(counted_of_engine, played.position, keys)
    proven: Mapping[int, Value] = {}
    if values and is_native(played.position):
        pool: Pool = request.app.state.pool
        proven = await unless_disconnected(request, pool.call(exact_values, played.position))
    elif values:
        proven = await run_task(request, tasks.proven, start, line)
    return await reading.call(explorer_data, played, added(counts), proven)
