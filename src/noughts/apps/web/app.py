"""The application: everything of the page put together.

noughts serve ──► create_app(url) ──► API · WebSockets · static files
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.requests import Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

import noughts
from noughts.apps.web import analysis, api, branches, keep, learn, live, problems
from noughts.apps.web.games import Games
from noughts.apps.web.models import Question
from noughts.apps.web.pool import Engines, Pool
from noughts.apps.web.reference import reference
from noughts.apps.web.saving import farewell
from noughts.apps.web.security import Guard, Limits
from noughts.apps.web.thinker import Thinker
from noughts.apps.web.workers import Workers
from noughts.store import Store
from noughts.views import replay
from noughts.views.svg import DARK, LIGHT

STATIC = files("noughts.apps.web") / "static"
PAGES = ("/", "/game/{id}", "/position/{position:path}", "/games", "/lab", "/replay")
"""The addresses that the page's own script tells apart."""


class Application(FastAPI):
    """An application whose description tells errors as what they are."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI description."""
        if self.openapi_schema is None:
            for operations in super().openapi()["paths"].values():
                for operation in operations.values():
                    content = operation["responses"]["default"]["content"]
                    content["application/problem+json"] = content.pop("application/json")
        return super().openapi()


def create_app(
    database: str,
    *,
    hosts: Collection[str] | None = None,
    limits: Limits | None = Limits(),  # noqa: B008 - a constant
) -> Application:
    """Return the application on a database, given by an SQLAlchemy URL.

    Args:
        database: the URL.
        hosts: the names under which it may be asked for, as `Guard` has them; any, if left out.
        limits: what one client may ask for; no limits with `None`.

    Raises:
        StoreUnavailable: the database cannot be opened.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool, engines = Pool(), Engines()
        app.state.pool = pool
        app.state.games = Games(store, pool, engines)
        workers = Workers()
        app.state.thinker = Thinker(pool, engines, workers)
        yield
        unsaved = app.state.games.close()
        await pool.close()
        await workers.close()
        store.close()
        if unsaved is not None:
            print(farewell(*unsaved), file=sys.stderr, end="")

    store = Store(database)
    app = Application(
        title="noughts",
        version=noughts.__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.store = store
    problems.install(app)
    app.add_middleware(Guard, hosts=hosts, limits=limits)
    app.include_router(keep.router)
    app.include_router(api.router)
    app.include_router(branches.router)
    app.include_router(live.router)
    app.include_router(analysis.router)
    app.include_router(learn.router)
    app.mount("/static/replay", StaticFiles(directory=str(replay.STATIC)), "replay")
    app.add_api_route("/static/palette.css", _palette, include_in_schema=False)
    static = StaticFiles(directory=str(STATIC))
    app.mount("/static", static, "static")

    async def page(request: Request) -> Response:
        return await static.get_response("index.html", request.scope)

    for path in PAGES:
        app.add_route(path, page)

    @cache
    def described() -> str:
        question = Question.model_json_schema(ref_template="#/components/schemas/{model}")
        return reference(app.openapi(), {"Question": question})

    app.add_route("/docs", lambda _: HTMLResponse(described()))

    async def nothing(request: Request, error: Exception) -> Response:
        """Let the page say to a person that there is nothing at an address."""
        if not request.headers.get("accept", "").startswith("text/html"):
            assert isinstance(error, HTTPException)
            return problems.respond(problems.Refused(404, "http", f"{error.detail}."))
        return FileResponse(str(STATIC / "index.html"), 404)

    app.add_exception_handler(404, nothing)
    return app


async def _palette() -> Response:
    """Return the house's colours as CSS variables, light or dark as the reader wants them."""
    light = f"{{color-scheme:light;{LIGHT.variables}}}"
    dark = f"{{color-scheme:dark;{DARK.variables}}}"
    sheet = (
        f":root{light}@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){dark}}}"
        f":root[data-theme=dark]{dark}\n"
    )
    return Response(sheet, media_type="text/css")
