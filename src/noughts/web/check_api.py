"""The HTTP API of checks of students' files.

file ──► POST /check ──► CheckView, or JSON lines: progress, …, report
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.requests import HTTPConnection

from noughts.answers.problems import Refused, document
from noughts.web.analysis_api import unless_disconnected
from noughts.web.check_models import CheckAccess, CheckRequest, CheckView
from noughts.web.checks import Checks
from noughts.web.clients import current
from noughts.web.games_api import KeyHeader, problems

router = APIRouter(prefix="/api/v1", tags=["Checks"], responses=problems)
LINES = "application/jsonl"
_REPORT: dict[int | str, dict[str, Any]] = {
    200: {"description": "The report; JSON lines with `progress`.", "content": {LINES: {}}}
}


async def checks_of(connection: HTTPConnection) -> Checks:
    checks: Checks = connection.app.state.checks
    return checks


FileChecks = Annotated[Checks, Depends(checks_of)]


@router.get("/check")
async def show_access(checks: FileChecks, key: KeyHeader = None) -> CheckAccess:
    """Return whether the server checks files, and whether your key is right."""
    return checks.access(key)


@router.post("/check", response_model=CheckView, responses=_REPORT)
async def check(
    body: CheckRequest, checks: FileChecks, request: Request, key: KeyHeader = None
) -> Response:
    """Check a student's file, which runs on the server.

    Needs a server with `--check-files` and, in the header `noughts-key`, the key that it printed.
    """
    checks.permit(key)
    if body.progress:
        return StreamingResponse(_lines(body, checks, request), media_type=LINES)
    checking = checks.run(current.get(), body)
    return JSONResponse(await unless_disconnected(request, checking))


async def _lines(body: CheckRequest, checks: Checks, request: Request) -> AsyncIterator[str]:
    """Yield the progress of a check, then its report or problem, as JSON lines."""
    news: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def tell(kind: str, told: Mapping[str, Any]) -> None:
        news.put_nowait({"kind": kind, **told})

    running = unless_disconnected(request, checks.run(current.get(), body, tell))
    checking = asyncio.ensure_future(running)

    def end(checked: asyncio.Future[Any]) -> None:
        # A stream that is cancelled meanwhile never asks for the exception.
        if not checked.cancelled():
            checked.exception()
        news.put_nowait(None)

    checking.add_done_callback(end)
    try:
        while (progress := await news.get()) is not None:
            yield _line(progress)
        try:
            yield _line({"kind": "report", **checking.result()})
        except Refused as refused:
            yield _line({"kind": "problem", **document(refused)})
    finally:
        checking.cancel()


def _line(data: dict[str, Any]) -> str:
    return f"{json.dumps(data)}\n"
