"""The API against its description: schemathesis sends valid and invalid requests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2 as httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies
from needs import needs_browser
from page import Visit
from patience import PATIENCE
from playwright.sync_api import expect
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import serving
from web import Person, people

from noughts.web.app import create_app

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


def test_websocket_questions_are_described(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    assert "review" in schemas["Question"]["properties"]["do"]["enum"]
    assert schemas["GameView"]["properties"]["version"]["description"]


@needs_browser
def test_api_page_shows_every_operation_without_network(
    visit: Visit, description: dict[str, Any]
) -> None:
    page = visit().go("/docs")
    expect(page.locator(".opblock").first).to_be_visible()
    shown = page.locator(".opblock").evaluate_all(
        "blocks => blocks.map(block => [block.querySelector('.opblock-summary-method').innerText,"
        " block.querySelector('.opblock-summary-path').dataset.path])"
    )
    expected = [
        [method.upper(), path]
        for path, operations in description["paths"].items()
        for method in operations
    ]
    assert sorted(shown) == sorted(expected)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    """Run the server; yield a client who has a game, and the path of the server's log."""
    folder = tmp_path_factory.mktemp("server")
    with (
        serving(folder, "--no-limits") as (_, port),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client,
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
    """Replace half of the generated values by existing ones, to reach more code."""
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
    puzzle = client.get("/api/v1/puzzles", params={"count": 1}).json()["puzzles"][0]
    if "/puzzles/" in case.path and "id" in (case.path_parameters or {}) and rng.random() < 0.7:
        case.path_parameters["id"] = puzzle["id"]
    if isinstance((case.query or {}).get("start"), str) and rng.random() < 0.7:
        case.query["start"] = rng.choice(STARTS)


def check(operation: Any, served: tuple[httpx.Client, Path], examples: int) -> None:
    """Send valid and invalid requests to an operation, and check the answers.

    On a slow machine the server may stop what takes too long, as described.
    """
    client, log = served
    modes = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(case=strategies.one_of(modes))
    def ask(case: Case[Any]) -> None:
        if case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE:
            made_sensible(case, client)
        answer = case.call(base_url=str(client.base_url), timeout=PATIENCE)
        is_slow = answer.status_code == 503 and answer.json()["type"] == "urn:noughts:too-long"
        checks = [each for each in CHECKS if each is not not_a_server_error or not is_slow]
        case.validate_response(answer, checks=checks)

    ask()
    assert log.read_text() == ""


each_operation = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda each: f"{each.method} {each.path}"
)


@each_operation
def test_server_answers_as_described(operation: Any, served: tuple[httpx.Client, Path]) -> None:
    check(operation, served, 3)


@pytest.mark.soak
@each_operation
def test_server_answers_as_described_at_length(
    operation: Any, served: tuple[httpx.Client, Path]
) -> None:
    check(operation, served, 150)
