"""The web application: the API, its description, and the static files of the page.

noughts serve ──► create_app(url) ──► API · WebSockets · static files
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.requests import Request
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException

from noughts.answers.problems import Refused
from noughts.database.store import Store
from noughts.version import __version__
from noughts.views import replay
from noughts.web import (
    analysis_api,
    changes_api,
    check_api,
    errors,
    exercises_api,
    explorer_api,
    files_api,
    games_api,
    games_socket,
    labs_api,
    pages,
    puzzles_api,
    replay_api,
    rules_api,
    share_api,
    variations_api,
)
from noughts.web.budgets import Budgets
from noughts.web.bundles import STATIC, bundles, palette
from noughts.web.checks import Checks
from noughts.web.games import Games
from noughts.web.health import HEALTH, METRICS, Figures, show_health, show_metrics
from noughts.web.models import GameChange, Question
from noughts.web.pool import Pool
from noughts.web.quotas import Quotas
from noughts.web.saving import unsaved_message
from noughts.web.security import Guard, Limits
from noughts.web.settings import DEFAULT, Settings
from noughts.web.thinkers import Thinkers
from noughts.web.workers import WorkerProcesses

SWAGGER = files("fastapi_offline") / "static"
APIS = (
    *(changes_api, files_api, games_api, share_api, variations_api, games_socket),
    *(analysis_api, explorer_api, rules_api, labs_api, puzzles_api, replay_api),
    *(check_api, exercises_api),
)
PAGES = (
    *("/", "/game/{id}", "/position/{position:path}", "/games", "/lab", "/replay", "/check"),
    *("/explore", "/explore/{start:path}", "/learn", "/learn/{start}"),
    *("/puzzles", "/puzzles/{id}", "/exercises", "/exercises/{kind}"),
)
"""The routes of the page's script, which all get `index.html`."""


API = """
The page does nothing that your program cannot do. Moves, rules and positions are written as
everywhere in noughts. An error is a problem document (RFC 9457) with a sentence for people.

```sh
GAMES=http://127.0.0.1:8322/api/v1/games
curl -c me -b me $GAMES --json '{"start": "basic", "o": "engine:level=4"}'
curl -c me -b me $GAMES/ID/moves --json '{"version": 0, "move": "5"}'
```

* **Cookie.** Your first game sets a cookie that identifies you from then on. To open another
  person's game, send its watch or join key in the header `noughts-key`.
* **Versions.** A request that changes a game names the `version` it applies to. If the game has
  changed since, the reply is 409 and nothing happens.
* **Limits.** With 429 and 503, the header `Retry-After` says when to try again.
* **WebSocket `/api/v1/games/{id}/live`** sends a `GameView`, and after every change a `GameChange`
  or, if that is shorter, a `GameView`. Without a seat, add the key: `?key=…`. With `?have=TAG`, the
  `tag` of the last view, a new connection begins with the changes since. For an unknown game it
  sends a problem document and closes with code 4404.
* **WebSocket `/api/v1/analysis`** takes `Question` objects and sends replies with the `id` of the
  question and a `kind`: `values` (an `AnalysisView`), `point` for each position of a line and then
  `graph_done`, `why`, `hint`, `tried`, `progress`, `found` (a `FoundError`) and then `review`,
  `report`, or `problem`. A new question replaces an open one with the same `do`.
"""
"""Introduction of the API's description, in Markdown."""


class Application(FastAPI):
    """FastAPI with an OpenAPI description of its problem documents and WebSocket messages."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI description."""
        if self.openapi_schema is None:
            description = super().openapi()
            for operations in description["paths"].values():
                for operation in operations.values():
                    content = operation["responses"]["default"]["content"]
                    content["application/problem+json"] = content.pop("application/json")
            schemas = description["components"]["schemas"]
            for kind in (Question, GameChange):
                schema = TypeAdapter(kind).json_schema(ref_template="#/components/schemas/{model}")
                schemas |= schema.pop("$defs")
                schemas[kind.__name__] = schema
        return super().openapi()


def create_app(
    database: str,
    *,
    hosts: Collection[str] | None = None,
    limits: Limits | None = Limits(),  # noqa: B008 - a constant
    settings: Settings = DEFAULT,
    network: str | None = None,
    check_key: str | None = None,
) -> Application:
    """Return the application.

    Args:
        database: the SQLAlchemy URL of the database.
        hosts: allowed host names, as in `Guard`; any by default.
        limits: limits of one client; `None` for none.
        settings: times and bounds of the server's work.
        network: the address for others in the network; `None` if there are none.
        check_key: lets a client check files, which run on the server; `None` for nobody.

    Raises:
        StoreUnavailable: the database cannot be opened.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.pool = pool = Pool(settings=settings, budgets=budgets)
        # Python code holds the lock of the interpreter: more threads would gain nothing.
        app.state.reading, app.state.importing = reading = [
            Pool(1, settings, budgets) for _ in range(2)
        ]
        workers = WorkerProcesses(settings=settings, budgets=budgets)
        app.state.thinkers = thinkers = Thinkers(pool, workers, settings)
        app.state.games = Games(store, thinkers, settings)
        app.state.quotas = Quotas(store, limits)
        app.state.checks = Checks(thinkers, app.state.games, check_key)
        yield
        unsaved = app.state.games.close()
        for each in (pool, *reading):
            await each.close()
        await workers.close()
        store.close()
        if unsaved is not None:
            print(unsaved_message(*unsaved), file=sys.stderr, end="")

    store, budgets = Store(database), Budgets(refuses=limits is not None)
    app = Application(
        title="noughts",
        description=API,
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.store, app.state.budgets, app.state.network = store, budgets, network
    app.state.figures = figures = Figures()
    errors.install(app)
    app.add_middleware(
        Guard, hosts=hosts, limits=limits, settings=settings, budgets=budgets, figures=figures
    )
    # Routes as they are: `include_router` would build the models of every reply once more.
    app.router.routes += [route for api in APIS for route in api.router.routes]
    app.mount("/static/swagger", StaticFiles(directory=str(SWAGGER)), "swagger")
    app.mount("/static/replay", StaticFiles(directory=str(replay.STATIC)), "replay")
    app.add_api_route("/static/palette.css", _palette, include_in_schema=False)
    app.add_route("/static/built/{digest}/{name}", pages.show_file)
    app.add_route("/static/visitor/{digest}/{name:path}", pages.show_visitor_file)
    static = StaticFiles(directory=str(STATIC))
    app.mount("/static", static, "static")

    for path in PAGES:
        app.add_route(path, pages.show_page)

    async def docs(request: Request) -> Response:
        return await static.get_response("api.html", request.scope)

    app.add_route("/docs", docs)
    app.add_route(HEALTH, show_health)
    app.add_route(METRICS, show_metrics)

    async def not_found(request: Request, error: Exception) -> Response:
        """Answer a browser with the page, which shows the error, and a program with a document."""
        if not request.headers.get("accept", "").startswith("text/html"):
            assert isinstance(error, HTTPException)
            return errors.respond(Refused(404, "http", f"{error.detail}."))
        return pages.page(request, bundles(), {}, status=404)

    app.add_exception_handler(404, not_found)
    return app


async def _palette() -> Response:
    return Response(palette(), media_type="text/css")
