"""The HTTP API of the explorer: the moves of a position, their values and the games with them.

start, moves ──► steps ──► Store.outcomes, openings ──► counts ──┐
             └─► a thread, or a worker process: exact_values ───┴──► ExplorerView
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request

from noughts.engine import is_native
from noughts.explorer.counts import MOST_PLIES, Outcomes, added, steps
from noughts.explorer.explore import engine_counts, exact_values, explored
from noughts.explorer.openings import openings_of
from noughts.games.position import Position, parse_moves
from noughts.games.progress import GameInProgress
from noughts.games.record import Record
from noughts.games.registry import parse_start
from noughts.search.result import Value
from noughts.store import Store
from noughts.web import tasks
from noughts.web.analysis_api import check_fair, run_task, unless_disconnected
from noughts.web.clients import current
from noughts.web.games_api import Reading, games_of, problems
from noughts.web.models import ExploredMove, ExplorerView, OutcomesView
from noughts.web.pool import Pool
from noughts.web.positions import check_game, position_view, value_view

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
    played = await reading.call(_played, start, moves)
    line = played.texts
    await check_fair(await games_of(request), current.get(), start, line)
    keys = await reading.call(_keys, played)
    counts: list[tuple[int, Outcomes]] = []
    if source != "engine" and keys:
        store: Store = request.app.state.store
        counts += (await asyncio.to_thread(store.outcomes, keys)).items()
    if source != "server":
        counts += await reading.call(_engine_counts, played.position, keys)
    proven: Mapping[int, Value] = {}
    if values and is_native(played.position):
        pool: Pool = request.app.state.pool
        proven = await unless_disconnected(request, pool.call(exact_values, played.position))
    elif values:
        proven = await run_task(request, tasks.proven, start, line)
    return await reading.call(_view, played, line, added(counts), proven)


def _played(start: str, moves: str) -> GameInProgress:
    first = parse_start(start)
    check_game(first)
    return GameInProgress(Record.from_moves(first, parse_moves(first, moves)))


def _keys(played: GameInProgress) -> list[int]:
    """Return the keys of the moves of the last position, as far as they are counted."""
    return list(steps(played.position)) if played.position.ply < MOST_PLIES else []


def _engine_counts(position: Position, keys: Sequence[int]) -> list[tuple[int, Outcomes]]:
    counts = engine_counts(position)
    return [(key, counts[key]) for key in keys if key in counts]


def _view(
    played: GameInProgress,
    line: list[str],
    counts: Mapping[int, Outcomes],
    values: Mapping[int, Value],
) -> ExplorerView:
    position = played.position
    moves = explored(position, counts, values)
    openings = openings_of(position.rules_id)
    total = Outcomes()
    for each in moves:
        total = total.plus(each.outcomes)
    return ExplorerView(
        position=position_view(played.positions, played.moves[-1] if played.moves else None),
        line=line,
        moves=[
            ExploredMove(
                moves=[position.move_text(move) for move in each.moves],
                value=each.value and value_view(each.value),
                outcomes=_results(each.outcomes),
            )
            for each in moves
        ],
        outcomes=_results(total),
        counted=position.ply < MOST_PLIES,
        engine=openings.games if openings else 0,
    )


def _results(outcomes: Outcomes) -> OutcomesView:
    return OutcomesView(games=outcomes.games, **outcomes._asdict())
