"""The HTTP API of labs: their options and reports.

LABS ──► GET /labs ──► LabList
options ──► POST /labs/NAME ──► a worker process ──► Report
"""

from __future__ import annotations

import inspect
from typing import Any

from fastapi import APIRouter, Request

from noughts.labs.claims import LABS
from noughts.labs.report import Report
from noughts.web.analysis_api import analyst_of, unless_disconnected
from noughts.web.clients import current
from noughts.web.games_api import problems
from noughts.web.models import LabList, LabOption, LabOptions, LabView

router = APIRouter(prefix="/api/v1", tags=["Labs and replays"], responses=problems)

KINDS: dict[str, Any] = {"integer": "number", "string": "text"}
"""The kind of an option by the JSON type of its values; those of another kind are choices."""


def _option(name: str, known: dict[str, Any]) -> LabOption:
    """Return an option of `LabOptions` from its JSON schema."""
    value, _ = known["anyOf"]
    return LabOption(
        name=name,
        kind="choice" if "enum" in value else KINDS[value["type"]],
        sentence=known["description"],
        least=value.get("minimum"),
        most=value.get("maximum"),
        choices=value.get("enum", []),
    )


LAB_OPTIONS = [_option(*each) for each in LabOptions.model_json_schema()["properties"].items()]
"""All options of labs in the order of the form; a lab has those that its function takes."""
SLOW = ("counts", "first-move", "heuristic")
"""Labs that take more than a few seconds."""


@router.get("/labs")
def list_labs() -> LabList:
    """List the labs with their options."""
    labs = []
    for name, run in LABS.items():
        taken = inspect.signature(run).parameters
        options = [
            option.model_copy(update={"default": taken[option.name].default})
            for option in LAB_OPTIONS
            if option.name in taken
        ]
        about = (run.__doc__ or "").partition("\n")[0]
        labs.append(LabView(name=name, sentence=about, options=options, slow=name in SLOW))
    return LabList(labs=labs)


@router.post("/labs/{name}")
async def run_lab(name: str, body: LabOptions, request: Request) -> Report:
    """Run a lab; the WebSocket `analysis` reports progress, too."""
    running = analyst_of(request).lab(current.get(), name, body.given)
    return Report(**await unless_disconnected(request, running))
