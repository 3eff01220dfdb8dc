"""The HTTP API of labs: their options and reports.

LABS ──► GET /labs ──► LabList
options ──► POST /labs/NAME ──► a worker process ──► Report
"""

from __future__ import annotations

from fastapi import APIRouter, Request

from noughts.answers.labs import LabList, lab_list
from noughts.labs.report import Report
from noughts.web.analysis_api import thinkers_of, unless_disconnected
from noughts.web.clients import current
from noughts.web.games_api import problems
from noughts.web.models import LabOptions

router = APIRouter(prefix="/api/v1", tags=["Labs and replays"], responses=problems)


@router.get("/labs")
def list_labs() -> LabList:
    """List the labs with their options."""
    return lab_list()


@router.post("/labs/{name}")
async def run_lab(name: str, body: LabOptions, request: Request) -> Report:
    """Run a lab; the WebSocket `analysis` reports progress, too."""
    running = thinkers_of(request).lab(current.get(), name, body.given)
    return Report(**await unless_disconnected(request, running))
