"""Games as files: exported, imported, listed, found again and deleted, over HTTP."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

import noughts
from noughts.apps.web import keep
from noughts.apps.web.app import create_app
from noughts.games.record import Record, parse_json_line, parse_text
from noughts.store import file_url
from noughts.views.svg import DARK, LIGHT

from .samples import RULES_IDS, random_game

API = "/api/v1"
PLAYABLE = [rules for rules in RULES_IDS if rules.partition(":")[0] in noughts.GAMES]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(file_url(str(tmp_path / "games.db")))) as client:
        yield client


def opened(client: TestClient, start: str = "basic", moves: str = "", **wanted: str) -> Any:
    wanted = {"start": start, "moves": moves, "x": "me", "o": "me"} | wanted
    answer = client.post(f"{API}/games", json=wanted)
    assert answer.status_code == 201, answer.text
    return answer.json()


def export(client: TestClient, game: Any, **query: Any) -> Any:
    return client.get(f"{API}/games/{game['id']}/export", params=query)


def imported(client: TestClient, text: str) -> Any:
    return client.post(f"{API}/games/import", json={"text": text})
