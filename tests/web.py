"""The page's server for tests: the application in this process, asked by several people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
from fastapi.testclient import TestClient

from noughts.apps.web.app import create_app
from noughts.apps.web.security import Limits

API = "/api/v1"


class Person(TestClient):
    """Somebody at a browser of their own, known by their own cookie."""

    def ask(self, method: str, path: str, body: Any = None, **how: Any) -> httpx.Response:
        """Return the answer to a request of the API."""
        return self.request(method, API + path, json=body, **how)

    def get_json(self, path: str, **how: Any) -> Any:
        """Return what the API has under a path."""
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
        """Change a game that stands as it is known, and return it as it stands then."""
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


@contextmanager
def people(
    folder: Path, count: int = 1, *, hosts: set[str] | None = None, limits: Limits | None = None
) -> Iterator[list[Person]]:
    """Run the application on a database in a folder, and give people who may ask it."""
    app = create_app(f"sqlite:///{folder / 'games.db'}", hosts=hosts, limits=limits)
    with Person(app) as first:
        others = [Person(app) for _ in range(count - 1)]
        for other in others:
            other.portal = first.portal  # All on one event loop, as at a real server.
        yield [first, *others]


def problem(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and the kind of a refusal, which must be a problem document."""
    document = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert document["status"] == answer.status_code
    assert document["detail"].endswith((".", "?", ")"))
    return answer.status_code, document["type"].removeprefix("urn:noughts:")
