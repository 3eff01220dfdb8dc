"""Certificates of `noughts unbeatable`, and the checker, which shares nothing with the package."""

from __future__ import annotations

import ast
import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command import run
from samples import as_result

import noughts

CHECKER = Path(__file__).parent.parent / "tools" / "check_certificate.py"
Lines = list[dict[str, Any]]
"""A certificate: its first line, then its moves."""


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_certificate", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def certificate(folder: Path, *words: object) -> Lines:
    file = folder / "proof.jsonl"
    done = run("unbeatable", *words, "--certificate", file)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    return certificate(tmp_path_factory.mktemp("good"), "alphabeta")


def code(checker: ModuleType, folder: Path, lines: Lines) -> int:
    file = folder / "checked.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    found: int = checker.main(str(file))
    return int(found)


def test_the_checker_is_short_and_imports_nothing_of_the_package() -> None:
    source = CHECKER.read_text()
    assert len(source.splitlines()) <= 100
    imports = {
        name.name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import)
        for name in node.names
    } | {
        str(node.module).partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
    }
    assert imports
    assert imports <= sys.stdlib_module_names


@pytest.mark.parametrize(
    "rules",
    [
        *("basic", "mnk:5,4,3", "mnk:3,3,3,misere", "mnk:4,2,1", "connect4", "connect4:5,4,3"),
        *("mnk:5,4,3,exact", "mnk:4,4,2,exact,misere"),
    ],
)
def test_the_checkers_rules_are_those_of_the_package(checker: ModuleType, rules: str) -> None:
    rng = random.Random(1)
    game = checker.Rules(rules)
    compared = set()
    for _ in range(15):
        position = noughts.game(rules)
        cells = "_" * position.rules.size  # type: ignore[attr-defined]
        while position.outcome() is None:
            legal = game.moves(cells)
            moves = {position.move_text(move): move for move in position.legal_moves()}
            assert legal.keys() == moves.keys()
            assert game.string(cells, str(position.turn)) == str(position)
            text = rng.choice(sorted(moves))
            mover = str(position.turn)
            cells = cells[: legal[text]] + mover + cells[legal[text] + 1 :]
            position = position.play(moves[text])
            found = as_result(position.outcome())
            result = "" if found is None else found[0] or "draw"
            assert game.result(cells, mover) == result
            compared.add(str(position))
    assert len(compared) > 5


def test_a_good_certificate(
    checker: ModuleType, good: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert good[0]["sides"] == {
        "X": {"positions": 81, "lines": 73},
        "O": {"positions": 426, "lines": 569},
    }
    assert code(checker, tmp_path, good) == 0
    assert capsys.readouterr().out.startswith("right: never loses at basic: ")


@pytest.mark.parametrize(
    "words",
    [
        ("alphabeta:seed=3", "--game", "basic~X2.1O1.3~X"),
        ("perfect", "--game", "mnk:3,3,3,misere", "--ask", 2, "--side", "X"),
        ("perfect", "--game", "connect4:4,4", "--side", "X"),
        ("perfect", "--game", "mnk:4,3,3", "--side", "X"),
        ("perfect", "--game", "basic~X2.1O1.3~X"),
    ],
)
def test_certificates_of_other_bots_and_games(
    checker: ModuleType, tmp_path: Path, words: tuple[object, ...]
) -> None:
    lines = certificate(tmp_path, *words)
    assert len(lines) > 10
    assert code(checker, tmp_path, lines) == 0


def changed(lines: Lines, position: str | None, **values: object) -> Lines:
    """Return a certificate with other values in the line of a position, or in the first line."""
    return [{**line, **values} if line.get("position") == position else line for line in lines]


def test_every_missing_position_is_noticed(
    checker: ModuleType, good: Lines, tmp_path: Path
) -> None:
    for at in range(1, len(good), 10):
        assert code(checker, tmp_path, good[:at] + good[at + 1 :]) == 1


def test_tampered_certificates(
    checker: ModuleType, good: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corner = "basic~X2.3.3~O"
    sides = good[0]["sides"]
    more_lines = {**sides, "X": {**sides["X"], "lines": sides["X"]["lines"] + 1}}
    fewer_positions = {**sides, "O": {**sides["O"], "positions": 1}}
    tampered = [
        (changed(good, corner, move="1"), f"wrong: 1 is given for {corner}"),
        (changed(good, corner, move="none"), f"wrong: none is given for {corner}"),
        (changed(good, corner, move="2"), "wrong: no move is given for basic~XO"),
        (changed(good, None, sides=more_lines), "wrong: as X, it claims"),
        (changed(good, None, sides=fewer_positions), "wrong: as O, it claims"),
        (
            [*good, {"position": "basic~XXO.OXX.OX1~O", "move": "9"}],
            "wrong: unreachable: basic~XXO.OXX.OX1~O",
        ),
    ]
    for lines, says in tampered:
        assert code(checker, tmp_path, lines) == 1
        assert capsys.readouterr().out.startswith(says)


def test_a_losing_move_is_noticed(
    checker: ModuleType, good: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After 1 2, O is lost; moves for all later positions are added."""
    corner = "basic~X2.3.3~O"
    lines = changed(good, corner, move="2")
    known = {line["position"] for line in good[1:]}
    waiting = [noughts.position(corner).play("2")]
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves():
            place = position.play(move)
            if place.outcome() is None and str(place) not in known:
                known.add(str(place))
                reply = place.legal_moves()[0]
                lines.append({"position": str(place), "move": place.move_text(reply)})
                waiting.append(place.play(reply))
    assert code(checker, tmp_path, lines) == 1
    assert capsys.readouterr().out.startswith("wrong: O loses after ")


@pytest.mark.parametrize("rules", ["mnk:3,3,3", "mnk:3,3,3,misere", "connect4:3,3,3"])
def test_wrong_rules(checker: ModuleType, good: Lines, tmp_path: Path, rules: str) -> None:
    start = str(noughts.game(rules))
    assert code(checker, tmp_path, [{**good[0], "rules": rules, "start": start}, *good[1:]]) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"rules": "chess"},
        {"rules": "ultimate"},
        {"rules": "basic:large"},
        {"rules": "mnk:3,3,3"},
        {"sides": {}},
        {"sides": {"Z": {}}},
        {"start": "basic"},
        {"start": "basic~4.3.3~X"},
    ],
)
def test_files_that_are_no_certificates(
    checker: ModuleType, good: Lines, tmp_path: Path, change: dict[str, Any]
) -> None:
    assert code(checker, tmp_path, [{**good[0], **change}, *good[1:]]) == 3


def test_the_checker_as_a_program(good: Lines, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no JSON\n")
    file = tmp_path / "proof.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in good))
    for name, wanted in (("proof.jsonl", 0), ("text", 3), ("nothing", 3)):
        command = [sys.executable, "-I", str(CHECKER), str(tmp_path / name)]
        assert subprocess.run(command, capture_output=True).returncode == wanted


def test_no_certificate_of_a_bot_that_loses(tmp_path: Path) -> None:
    file = tmp_path / "proof.jsonl"
    done = run("unbeatable", "random", "--ask", 1, "--certificate", file)
    assert done.returncode == 1
    assert "No certificate is written" in done.stderr
    assert not file.exists()
