"""The event loop while clients send long texts: how long it works at a stretch."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from web import Person, people

import noughts
from noughts.games.record import Record, RecordNode, format_text

LONGEST = 0.5
"""Seconds of processor time that the loop may work at a stretch, whatever else the machine does."""
HOSTILE = "connect4:9,19,19~" + ".".join(["XO" * 4 + "X", "OX" * 4 + "O"] * 9) + ".9~O"


@pytest.fixture(autouse=True)
def _collection_of_the_command() -> Iterator[None]:
    """Collect garbage as `noughts serve` does."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@contextmanager
def punctual(person: Person) -> Iterator[None]:
    """Check that the event loop never works long at a stretch meanwhile."""
    stretches: list[float] = []

    async def watch() -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.005)
            stretches.append(time.thread_time() - before)

    assert person.portal is not None
    watching = person.portal.start_task_soon(watch)
    try:
        yield
    finally:
        watching.cancel()
    assert stretches
    assert max(stretches) < LONGEST


def test_long_move_list(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,), punctual(anna):
        for moves in ("1 " * 5_000, "1234567" * 2_000):
            assert anna.ask("POST", "/games", {"start": "connect4", "moves": moves}).is_error
        long = "mnk:19,19,19"
        moves = " ".join(f"{chr(97 + n % 19)}{n // 19 + 1}" for n in range(340))
        assert len(anna.open(long, moves=moves)["moves"]) == 340


def test_hostile_positions(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,), punctual(anna):
        for number in range(10):
            body = {"start": HOSTILE.replace("~O", "~X" * (number % 2) or "~O")}
            anna.ask("POST", "/games", body)
            anna.ask("GET", "/position", params=body)
            anna.ask("GET", "/position", params={"start": f"mnk:19,{number + 9},7"})


def test_long_import(tmp_path: Path) -> None:
    head = '[Game "connect4"]\n\n'
    with people(tmp_path) as (anna,), punctual(anna):
        text = head + "1. 1 " + "(1. 2) " * 100_000 + "*\n"
        assert anna.ask("POST", "/games/import", {"text": text}).status_code == 422
        text = json.dumps({"schema": 1, "game": "basic", "moves": ["1"] * 100_000, "result": "*"})
        assert anna.ask("POST", "/games/import", {"text": text}).status_code == 422


def game_with_variations(count: int) -> str:
    """Return the record of a game with many variations, each a move long."""
    start = noughts.game("mnk:19,19,19")
    record = Record.from_moves(start, range(300))
    for node, position in list(zip(record.main_line(), record.positions(), strict=False))[-2::-1]:
        if count:
            moves = [move for move in position.legal_moves() if move != node.move]
            added = min(count, len(moves))
            count -= added
            list(record.main_line())[position.ply - 1].children += map(RecordNode, moves[:added])
    return format_text(record)


def test_game_with_too_long_variations_is_refused(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,), punctual(anna):
        refused = anna.ask("POST", "/games/import", {"text": game_with_variations(1_500)})
        assert refused.status_code == 422
        assert "lines" in refused.json()["detail"]
        answer = anna.ask("POST", "/games/import", {"text": game_with_variations(250)})
        assert answer.status_code == 201, answer.text
        game = anna.get_json(f"/games/{answer.json()['games'][0]['id']}")
        assert len(game["variations"]) == 250
        for _ in range(5):
            game = anna.change(anna.change(game, "undo"), "redo")
