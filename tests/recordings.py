"""Recorded searches for the tests of the replay."""

from __future__ import annotations

import json
import re
from typing import Any

import noughts
from noughts.search.recording import Recording
from noughts.search.textbook import parse_search
from noughts.search.trace import record

SMALL = "basic~XOX.O1O.X2~X"


MIDDLE = "basic~X2.1O1.2X~O"


def recorded(position: noughts.Position, search: str, **bounds: int) -> Recording:
    watched = parse_search(search, position)
    recording = Recording()
    options = {**watched.options, **bounds}
    record(watched.search, position, watched.limit, write=recording, **options)
    return recording


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


def long_recording() -> Recording:
    """Return 20,000 events of a minimax of 59,705 nodes, the last ones included."""
    recording = Recording(max_events=20_000)
    start = noughts.game("basic").after("1")
    watched = parse_search("minimax", start)
    record(watched.search, start, write=recording, max_nodes=8_000)
    return recording
