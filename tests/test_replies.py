"""Each reply has the type that mypy checks where it is made, and no other fields."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import pytest
from fastapi.exceptions import ResponseValidationError
from fastapi.testclient import TestClient
from pydantic import TypeAdapter
from test_browser_python import (
    NODES,
    Ask,
    about_exercises,
    about_line,
    about_puzzles,
    limit_nodes,
)

from noughts.answers.calls import CALLS, answer
from noughts.answers.tasks import WithProofs
from noughts.database.store import file_url
from noughts.web import labs_api
from noughts.web.app import create_app

UNTYPED = ("replay", "replay_page", "lab", "import_games", "export_game", "check", "move")
"""The calls whose reply is a text, or data of another module."""


def test_replies_have_their_types(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_nodes(monkeypatch, NODES)
    line = {"start": "basic", "moves": ["1", "2", "3"]}
    calls: list[Ask] = [("rules", {}), ("labs", {}), ("analyse", line), ("graph", line)]
    for rules in ("basic", "connect4", "ultimate"):
        calls += about_line(rules, random.Random(1), 4)
    calls += [*about_exercises(range(1)), *about_puzzles(1)]
    found = set()
    for call, given in calls:
        kind = get_type_hints(CALLS[call])["return"]
        reply = json.loads(answer(call, json.dumps(given))).get("result")
        if call in UNTYPED or reply is None:
            continue
        if get_origin(kind) is WithProofs:
            (kind,) = get_args(kind)
            assert isinstance(reply.pop("proofs"), list)
        described = TypeAdapter(kind)
        assert described.dump_python(described.validate_python(reply), mode="json") == reply, call
        found.add(call)
    assert found == CALLS.keys() - UNTYPED


def test_server_checks_its_replies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(file_url(str(tmp_path / "games.db")))) as client:
        assert client.get("/api/v1/labs").status_code == 200
        monkeypatch.setattr(labs_api, "lab_list", lambda: {"labs": [{"name": 1}]})
        with pytest.raises(ResponseValidationError):
            client.get("/api/v1/labs")
