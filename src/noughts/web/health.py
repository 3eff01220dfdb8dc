"""For operators: whether the server works, and its figures.

GET /healthz ──► 200 or 503           for a supervisor or a load balancer, under any host name
GET /metrics ──► Prometheus' text     for programs of this machine only
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi.requests import Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from noughts.answers.problems import Refused
from noughts.database.store import StoreUnavailable
from noughts.version import __version__
from noughts.web.clients import LOOPBACK, parsed_address
from noughts.web.errors import respond

HEALTH, METRICS = "/healthz", "/metrics"
DATABASE_SECONDS = 2.0
"""Seconds within which the database must answer."""


@dataclass
class Figures:
    """What the server has done since its start."""

    responses: Counter[int] = field(default_factory=Counter)
    """The number of responses by their status."""
    sockets: int = 0
    """The number of open WebSockets."""
    began: float = field(default_factory=time.time)


async def show_health(request: Request) -> Response:
    """Answer 200 if the server works and its database answers; else 503, with the reason."""
    state = request.app.state
    reason = state.games.saver.failure
    try:
        await asyncio.wait_for(asyncio.to_thread(state.store.load, "none"), DATABASE_SECONDS)
    except StoreUnavailable as error:
        reason = str(error)
    except TimeoutError:
        reason = f"the database does not answer within {DATABASE_SECONDS:g} s"
    if reason is None:
        return JSONResponse({"status": "ok", "version": __version__})
    return JSONResponse({"status": "unavailable", "reason": reason}, status_code=503)


async def show_metrics(request: Request) -> Response:
    """Return the figures of the server; other machines, and clients of a proxy, get 404."""
    address = parsed_address(request.client.host if request.client else "")
    # A proxy on this machine passes on the name by which its clients know the server.
    if address is None or not address.is_loopback or request.url.hostname not in LOOPBACK:
        return respond(Refused(404, "http", "Not Found."))
    return PlainTextResponse(metrics(request.app.state), media_type="text/plain; version=0.0.4")


def metrics(state: Any) -> str:
    """Return the figures of an application as text for Prometheus."""
    figures: Figures = state.figures
    games = state.games
    by_status = {f'{{status="{each}"}}': number for each, number in figures.responses.items()}
    shown: list[tuple[str, str, str, Mapping[str, float]]] = [
        ("responses_total", "counter", "Responses by status.", by_status),
        ("websockets", "gauge", "Open WebSockets.", {"": figures.sockets}),
        ("open_games", "gauge", "Games in memory.", {"": len(games)}),
        ("unsaved_games", "gauge", "Games that wait for the database.", {"": len(games.saver)}),
        ("waiting_searches", "gauge", "Searches that wait for a thread.", {"": state.pool.waiting}),
        ("start_time_seconds", "gauge", "Unix time of the start.", {"": figures.began}),
        ("cpu_seconds_total", "counter", "Time of the processor.", {"": time.process_time()}),
    ]
    lines = []
    for name, kind, about, values in shown:
        lines += [f"# HELP noughts_{name} {about}", f"# TYPE noughts_{name} {kind}"]
        lines += [f"noughts_{name}{label} {values[label]:.15g}" for label in sorted(values)]
    return "\n".join(lines) + "\n"
