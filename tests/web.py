"""The page's application in this process, with several people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
from databases import provide
from fastapi.testclient import TestClient
from patience import PATIENCE

from noughts.web.app import create_app
from noughts.web.security import Limits
from noughts.web.settings import Settings

API = "/api/v1"


class Person(TestClient):
    """A person with a browser and a cookie of their own."""

    def ask(self, method: str, path: str, body: Any = None, **how: Any) -> httpx.Response:
        """Send a request to the API and return the answer."""
        return self.request(method, API + path, json=body, **how)

    def get_json(self, path: str, **how: Any) -> Any:
        """Return the JSON document at a path of the API."""
        answer = self.ask("GET", path, **how)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def open(self, start: str = "basic", **wanted: Any) -> dict[str, Any]:
        """Open a game and return it."""
        answer = self.ask("POST", "/games", {"start": start, **wanted})
        assert answer.status_code == 201, answer.text
        game: dict[str, Any] = answer.json()
        return game

    def change(self, game: dict[str, Any], what: str, **wanted: Any) -> dict[str, Any]:
        """Change a game and return its new version."""
        body = {"version": game["version"], **wanted}
        answer = self.ask("POST", f"/games/{game['id']}/{what}", body)
        assert answer.status_code == 200, answer.text
        changed: dict[str, Any] = answer.json()
        assert changed["version"] > game["version"]
        return changed

    def play(self, game: dict[str, Any], *moves: str) -> dict[str, Any]:
        """Play moves and return the game after them."""
        for move in moves:
            game = self.change(game, "moves", move=move)
        return game


IMPATIENT = Settings(refusal_seconds=0.05, explain_seconds=PATIENCE)
"""A client over its rate does not wait long for its refusal; a slow machine may explain slowly."""


@contextmanager
def people(
    folder: Path,
    count: int = 1,
    *,
    hosts: set[str] | None = None,
    limits: Limits | None = None,
    settings: Settings = IMPATIENT,
    **more: Any,
) -> Iterator[list[Person]]:
    """Run the application on a database in a folder; yield `count` people."""
    database = f"sqlite:///{provide(folder / 'games.db')}"
    app = create_app(database, hosts=hosts, limits=limits, settings=settings, **more)
    with Person(app) as first:
        app.state.games.saver.patience = PATIENCE  # for a slow disk
        others = [Person(app) for _ in range(count - 1)]
        for other in others:
            other.portal = first.portal  # All on one event loop, as on a real server.
        yield [first, *others]


def problem(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the kind of a refusal; it must be a problem document."""
    document = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert document["status"] == answer.status_code
    assert document["detail"].endswith((".", "?", ")"))
    return answer.status_code, document["type"].removeprefix("urn:noughts:")
