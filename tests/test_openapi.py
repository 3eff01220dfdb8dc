"""The API as it is described: asked by schemathesis for all that the description allows and not."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2 as httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from test_security import serving
from web import Person, people

from noughts.apps.web.app import create_app

CHECKS = [
    negative_data_rejection,
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

with TemporaryDirectory() as folder:
    SCHEMA = schemathesis.openapi.from_dict(create_app(f"sqlite:///{folder}/games.db").openapi())
SCHEMA.config.checks.negative_data_rejection.expected_statuses = [
    *("400", "404", "405", "409", "413", "422")
]
OPERATIONS: list[Any] = [found.ok() for found in SCHEMA.get_all_operations()]  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def anna(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with people(tmp_path_factory.mktemp("games")) as (found,):
        yield found


@pytest.fixture(scope="module")
def description(anna: Person) -> dict[str, Any]:
    found: dict[str, Any] = anna.get("/openapi.json").json()
    return found


def test_every_error_is_described_as_a_problem_document(description: dict[str, Any]) -> None:
    operations = [each for path in description["paths"].values() for each in path.values()]
    assert len(operations) >= 20
    for operation in operations:
        content = operation["responses"]["default"]["content"]
        problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
        assert content == {"application/problem+json": problem}
        assert "422" not in operation["responses"]


def test_the_page_of_the_api_shows_all_of_it(anna: Person, description: dict[str, Any]) -> None:
    page = anna.get("/docs").text
    for path, operations in description["paths"].items():
        for method in operations:
            assert f"<b>{method.upper()}</b> <code>{path}</code>" in page
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(set(ids)) == len(ids)
    assert set(description["components"]["schemas"]) <= set(ids)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert "One more with every change" in page
    for inline in ("<script", "style=", "<style", "onclick", "https://"):
        assert inline not in page
    for file in re.findall(r'(?:href|src)="(/[^"]+)"', page):
        assert anna.get(file).status_code == 200


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    """Run the server, and give a client with a game and the server's log."""
    folder = tmp_path_factory.mktemp("server")
    with (
        serving(folder, "--no-limits") as (_, port),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
    ):
        yield client, folder / "log"


STARTS = [
    "basic",
    "connect4:4,4",
    "mnk:3,3,3,misere",
    "ultimate~9.9.9.9.X8.9.9.9.9~O~1",
    "advanced",
]


def made_sensible(case: Case[Any], client: httpx.Client) -> None:
    """Put what there is in the place of half of what was made up, so that more is reached."""
    rng = random.Random(repr((case.path_parameters, case.query, case.body)))
    game = client.post("/api/v1/games", json={"start": rng.choice(STARTS), "o": "me"}).json()
    if "id" in (case.path_parameters or {}) and rng.random() < 0.7:
        case.path_parameters["id"] = game["id"]
        case.cookies = dict(client.cookies)
    if isinstance(case.body, dict):
        sensible = {
            "start": rng.choice(STARTS),
            "version": game["version"],
            "move": next(iter(game["position"]["moves"])),
            "moves": [],
            "path": rng.choice([[], ["1"], ["51", "15"]]),
            "seconds": 0.05,
            "algorithms": ["alphabeta:depth=2"],
        }
        for name, value in sensible.items():
            if name in case.body and rng.random() < 0.7:
                case.body[name] = value
    if "start" in (case.query or {}) and rng.random() < 0.7:
        case.query["start"] = rng.choice(STARTS)


def check(operation: Any, served: tuple[httpx.Client, Path], examples: int) -> None:
    """Ask for one operation, rightly and wrongly by turns, and compare what is answered."""
    client, log = served
    modes = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(case=strategies.one_of(modes))
    def ask(case: Case[Any]) -> None:
        if case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE:
            made_sensible(case, client)
        case.call_and_validate(base_url=str(client.base_url), checks=CHECKS, timeout=60)

    ask()
    assert log.read_text() == ""


each_operation = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda each: f"{each.method} {each.path}"
)


@each_operation
def test_the_server_answers_as_described(operation: Any, served: tuple[httpx.Client, Path]) -> None:
    check(operation, served, 15)


@pytest.mark.soak
@each_operation
def test_the_server_answers_as_described_at_length(
    operation: Any, served: tuple[httpx.Client, Path]
) -> None:
    check(operation, served, 150)
