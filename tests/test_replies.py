"""Each reply has the type that mypy checks where it is made, and no other fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from fastapi.exceptions import ResponseValidationError
from fastapi.testclient import TestClient
from pydantic import TypeAdapter

from noughts.answers.calls import CALLS, answer
from noughts.answers.tasks import WithProofs
from noughts.exercises.make import KINDS
from noughts.puzzles.puzzle import puzzles_of
from noughts.store import file_url
from noughts.web import labs_api
from noughts.web.app import create_app

PUZZLE = puzzles_of("basic")[0]
WRONG = next(move for move in PUZZLE.position.legal_moves() if move != PUZZLE.line[0])
NESTED = {"start": "ultimate", "moves": ["55", "51", "15"]}
REPLIES: list[tuple[str, dict[str, Any]]] = [
    ("position", {"start": "basic", "moves": "1 4 2 5 3"}),
    ("position", {"start": "ultimate", "moves": "55"}),
    ("position", {"start": "connect4"}),
    ("refusal", {"start": "ultimate", "moves": "55", "move": "11"}),
    ("refusal", {"start": "basic", "moves": "", "move": "1"}),
    ("rules", {}),
    ("lesson", {"rules": "basic"}),
    ("lesson", {"rules": "ultimate"}),
    ("analyse", {"start": "basic", "moves": ["5"]}),
    ("explain", {"start": "basic", "moves": ["1", "2"], "move": "3"}),
    ("explain", NESTED),
    ("graph", {"start": "basic", "moves": ["1", "2"]}),
    ("hint", {"start": "basic", "moves": ["1", "2"]}),
    ("try", {"start": "basic", "moves": ["1", "2"], "move": "3"}),
    ("review", {"start": "basic", "moves": ["1", "2", "3", "4", "7"]}),
    ("labs", {}),
    ("puzzles", {"rules": "basic"}),
    ("puzzle", {"id": PUZZLE.id}),
    *[
        ("puzzle_move", {"id": PUZZLE.id, "moves": [], "move": PUZZLE.position.move_text(move)})
        for move in (PUZZLE.line[0], WRONG)
    ],
    ("puzzle_solution", {"id": PUZZLE.id, "moves": []}),
    ("exercises", {}),
    *[("exercise", {"kind": kind, "seed": 1}) for kind in KINDS],
    ("exercise_marks", {"kind": "minimax", "seed": 1, "answers": {}}),
    ("exercise_answers", {"kind": "minimax", "seed": 1}),
    ("explorer", {"start": "basic", "moves": "1 2"}),
]


@pytest.mark.parametrize(("call", "given"), REPLIES)
def test_reply_has_its_type(call: str, given: dict[str, Any]) -> None:
    kind = get_type_hints(CALLS[call])["return"]
    reply = json.loads(answer(call, json.dumps(given)))["result"]
    if get_origin(kind) is WithProofs:
        (kind,) = get_args(kind)
        assert isinstance(reply.pop("proofs"), list)
    described = TypeAdapter(kind)
    assert described.dump_python(described.validate_python(reply), mode="json") == reply


def test_server_checks_its_replies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(file_url(str(tmp_path / "games.db")))
    with TestClient(app) as client:
        assert client.get("/api/v1/labs").status_code == 200
        monkeypatch.setattr(labs_api, "lab_list", lambda: {"labs": [{"name": 1}]})
        with pytest.raises(ResponseValidationError):
            client.get("/api/v1/labs")
