"""Conformance vectors: the files, and each implementation of the rules against the files alone."""

from __future__ import annotations

import json
import re
import subprocess
import warnings
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from command import run
from needs import CORE_WASM, imported, needs_node, needs_wasm
from samples import RULES
from scripts import write_module

import noughts
from noughts import _core
from noughts.arena.adapters.openspiel import openspiel_game
from noughts.games import position as rules_of_python
from noughts.games.nested import NestedPosition
from noughts.games.phrases import PHRASES, sentence

NO_TEXT = {"which-cell", "which-column", "which-board"}
"""Codes of an empty line at a prompt, which the core does not return."""
IN_A_LIST = {"move"}
"""Codes that only add the number of a move in a list."""
SMALL = 20_000
"""Most sequences to count in OpenSpiel, whose states Python asks one by one."""

Json = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("vectors")
    done = run("vectors", found)
    assert (done.returncode, done.stderr) == (0, "")
    return found


@pytest.fixture(scope="module")
def files(folder: Path) -> dict[str, Json]:
    """Return the contents of all files by name."""
    return {path.name: json.loads(path.read_bytes()) for path in folder.iterdir()}


@pytest.fixture(scope="module")
def games(files: dict[str, Json]) -> list[Json]:
    """Return the contents of the files of rules."""
    found = [data for data in files.values() if "rules" in data]
    assert len(found) == len(files) - 2 > 25
    return found


def entries(games: list[Json], field: str) -> Iterator[tuple[str, Json]]:
    """Yield the rules id and each entry of a list of the files."""
    for data in games:
        for entry in data[field]:
            yield data["rules"], entry


# The files


def test_files_follow_the_schema(files: dict[str, Json]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Warnings of the package's own imports.
        jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    validator = jsonschema.Draft202012Validator(files["schema.json"])
    validator.check_schema(files["schema.json"])
    for name, data in files.items():
        assert validator.is_valid(data) == (name != "schema.json"), name
    for wrong in (
        {**files["basic.json"], "schema": 2},
        {**files["basic.json"], "positions": []},
        {"schema": 1, "refusals": [{"code": "over", "move": "1", "reason": "The game is over."}]},
    ):
        assert not validator.is_valid(wrong)


def test_files_are_small_and_the_same_each_time(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = run("vectors", folder)
    assert done.returncode == 0
    assert re.fullmatch(rf"{folder}: {len(before)} files, 0\.\d MB\n", done.stdout)
    assert before == {path.name: path.read_bytes() for path in folder.iterdir()}
    assert 100_000 < sum(map(len, before.values())) < 3_000_000
    assert all(re.fullmatch(r"[a-z0-9-]+\.json", name) for name in before)


def test_every_tested_rules_id_has_a_file(games: list[Json]) -> None:
    found = {data["rules"] for data in games}
    tested = {rules_id for each in RULES.values() for rules_id in each}
    assert tested - found == set()
    assert len(found) > len(tested) + 5


def test_every_special_case_appears(files: dict[str, Json], games: list[Json]) -> None:
    named = files["schema.json"]["$defs"]["position"]["properties"]["case"]["oneOf"]
    found = [
        (rules, entry["case"]) for rules, entry in entries(games, "positions") if "case" in entry
    ]
    assert {case for _, case in found} == {each["const"] for each in named}
    assert len(set(found)) == len(found) > 20


def test_every_code_of_a_refusal_appears(files: dict[str, Json]) -> None:
    found = [entry["code"] for entry in files["refusals.json"]["refusals"]]
    known = set(takewhile(lambda code: code != "state-won", PHRASES)) - NO_TEXT - IN_A_LIST
    missing, unknown = known - set(found), set(found) - known
    assert (missing, unknown) == (set(), set())
    assert len(set(found)) == len(found) > 50


@pytest.mark.parametrize(
    ("made", "code", "complaint"),
    [
        (None, 3, "there is no folder"),
        ("notes.txt", 2, "has other files: notes.txt; choose an empty folder"),
        ("basic.json/", 3, "DIR: cannot write"),
    ],
)
def test_unfit_folder_is_refused(
    tmp_path: Path, made: str | None, code: int, complaint: str
) -> None:
    place = tmp_path / "vectors"
    if made:
        place.mkdir()
        (place / made).mkdir() if made.endswith("/") else (place / made).touch()
    done = run("vectors", place)
    assert done.returncode == code
    assert complaint in done.stderr
    assert not made or [each.name for each in place.iterdir()] == [made.rstrip("/")]


# Rules against the files


def test_python_follows_the_vectors(games: list[Json]) -> None:
    compared = 0
    for rules, entry in entries(games, "positions"):
        played = noughts.game(rules).after(entry["moves"])
        for found in (played, noughts.position(entry["position"])):
            legal = {found.move_text(move): move for move in found.legal_moves()}
            assert str(found) == entry["position"]
            assert str(found.turn) == entry["turn"]
            assert [*legal.items()] == [*entry["legal"].items()]
            assert as_json(found.outcome()) == entry["outcome"]
            compared += 1
    assert compared > 1000


def test_python_counts_as_the_vectors(games: list[Json]) -> None:
    compared = 0
    for _, entry in entries(games, "perft"):
        position = noughts.position(entry["position"])
        if entry["nodes"] > SMALL:
            continue
        assert rules_of_python.perft(position, entry["depth"]) == entry["nodes"]
        assert sum(entry["split"].values()) == entry["nodes"]
        compared += 1
    assert compared > 50


def read(entry: Json) -> None:
    """Read a text of `refusals.json` as Python does."""
    if "rules" in entry:
        noughts.game(entry["rules"])
    else:
        position = noughts.position(entry["position"])
        position.parse_move(entry["move"])


def test_python_refuses_what_the_vectors_refuse(files: dict[str, Json]) -> None:
    for entry in files["refusals.json"]["refusals"]:
        with pytest.raises((noughts.NotationError, noughts.IllegalMove)) as caught:
            read(entry)
        assert isinstance(caught.value, noughts.NotationError | noughts.IllegalMove)
        parts = re.split(r"\{\w+[^{}]*\}", PHRASES[entry["code"]])
        assert re.match(".+".join(map(re.escape, parts)), caught.value.reason, re.DOTALL), entry
        assert entry["reason"] == sentence(caught.value.reason)


def test_the_native_core_follows_the_vectors(games: list[Json]) -> None:
    ends = {"X": 1, "O": 2, None: 3}
    for _, entry in entries(games, "positions"):
        plies, end = _core.random_game(entry["position"], 1)
        assert (plies[0][0] if plies else []) == [*entry["legal"].values()], entry
        assert bool(plies) == (entry["outcome"] is None)
        assert not entry["outcome"] or end == ends[entry["outcome"]["winner"]]
    for _, entry in entries(games, "perft"):
        assert _core.perft(entry["position"], entry["depth"]) == entry["nodes"]
        position = noughts.position(entry["position"])
        for move, below in entry["split"].items():
            after = str(position.play(move))
            assert _core.perft(after, entry["depth"] - 1) == below, after


@needs_node
@needs_wasm
def test_the_core_in_node_follows_the_vectors(
    folder: Path, files: dict[str, Json], games: list[Json], tmp_path: Path
) -> None:
    script = Path(__file__).with_name("vectors.mjs")
    module = write_module(tmp_path, "core/core")
    done = subprocess.run(
        ["node", script, module, CORE_WASM, folder], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {
        "positions": len([*entries(games, "positions")]),
        "counts": len([*entries(games, "perft")]),
        "refusals": len(files["refusals.json"]["refusals"]),
        "wrong": [],
    }


def in_openspiel(rules: str) -> bool:
    """Whether OpenSpiel has the same rules, scores included."""
    try:
        return bool(openspiel_game(rules)) and rules != "ultimate:tie=boards"
    except ValueError:
        return False


def test_openspiel_agrees_with_the_vectors(games: list[Json]) -> None:
    pyspiel = imported("pyspiel", "oracle")
    shared = [data for data in games if in_openspiel(data["rules"])]
    assert {"basic", "connect4", "ultimate", "mnk:5,4,4"} < {data["rules"] for data in shared}
    for rules, entry in entries(shared, "positions"):
        position = noughts.game(rules)
        state = pyspiel.load_game(openspiel_game(rules)).new_initial_state()
        for text in entry["moves"]:
            move = position.parse_move(text)
            for action in actions(position, move):
                state.apply_action(action)
            position = position.play(move)
        assert legal_numbers(position, state) == [*entry["legal"].values()], entry
        assert state.is_terminal() == (entry["outcome"] is not None)
        if entry["outcome"]:
            returns = {"X": [1, -1], "O": [-1, 1], None: [0, 0]}
            assert state.returns() == returns[entry["outcome"]["winner"]], entry
        else:
            assert state.current_player() == "XO".index(entry["turn"])
    counted = 0
    for data in shared:
        for entry in data["perft"]:
            if entry["position"] == data["start"] and entry["nodes"] <= SMALL:
                state = pyspiel.load_game(openspiel_game(data["rules"])).new_initial_state()
                start = noughts.game(data["rules"])
                assert sequences(start, state, entry["depth"]) == entry["nodes"]
                counted += 1
    assert counted > 10


def actions(position: noughts.Position, move: int) -> list[int]:
    """Return a move as actions of OpenSpiel, where a free choice of a board is one of its own."""
    if not isinstance(position, NestedPosition):
        return [move]
    return [move % 9] if position.forced is not None else [move // 9, move % 9]


def legal_numbers(position: noughts.Position, state: Any) -> list[int]:
    if state.is_terminal():
        return []
    if not isinstance(position, NestedPosition):
        return [*state.legal_actions()]
    if position.forced is not None:
        return [9 * position.forced + cell for cell in state.legal_actions()]
    return [
        9 * board + cell
        for board in state.legal_actions()
        for cell in state.child(board).legal_actions()
    ]


def sequences(position: noughts.Position, state: Any, depth: int) -> int:
    """Count move sequences; the position only tells how many actions a move has."""
    numbers = legal_numbers(position, state)
    if depth == 1:
        return len(numbers)
    total = 0
    for move in numbers:
        after = state.clone()
        for action in actions(position, move):
            after.apply_action(action)
        total += sequences(position.play(move), after, depth - 1)
    return total


def as_json(outcome: noughts.Outcome | None) -> Json | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner and outcome.winner.value,
        "termination": outcome.termination.value,
    }
