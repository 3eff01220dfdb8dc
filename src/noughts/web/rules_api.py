"""The rules as data: games, options, opponents and levels, for the form of a new game.

GAMES, LEVELS ──► GET /rules ──► RulesView
rules id      ──► GET /lesson ──► LessonView
core.wasm     ──► GET /engine ──► EngineView
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from noughts.answers.rules import LessonView, RulesView, lesson_data, rules_data
from noughts.web.games_api import Reading, problems
from noughts.web.models import EngineView
from noughts.web.visitor import visitor

router = APIRouter(prefix="/api/v1", tags=["Games"], responses=problems)


@router.get("/rules")
def show_rules() -> RulesView:
    """Return the games with their options, the opponents, and how each level plays."""
    return rules_data()


@router.get("/lesson")
async def show_lesson(
    rules: Annotated[str, Query(max_length=200, description="Rules id.")],
    reading: Reading,
) -> LessonView:
    """Return the rules of a game for a newcomer: three pictures, and a film for nine boards."""
    return await reading.call(lesson_data, rules)


@router.get("/engine")
async def show_engine() -> EngineView:
    """Return the address of the engine that runs in a browser."""
    found = await asyncio.to_thread(visitor)
    return {"address": found and found.address}
