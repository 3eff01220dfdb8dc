"""Names, tags and comments of foreign files and bots: no control character reaches the screen."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import run

import noughts
from noughts.games import record
from noughts.games.record import Record
from noughts.views.foreign import CONTROLS, without_controls

HOSTILE = "\x1b]0;owned\x07\x1b[31m\x7f\x9b2J\r\b\u202e\u2066\u200f\u061c"
"""A title, colours, erased lines and text turned around."""


def test_controls_are_those_of_terminals_and_of_directions() -> None:
    kept = "\t\n Ünï \N{ZERO WIDTH JOINER}\N{HEBREW LETTER ALEF}\N{CROSS MARK}"
    assert without_controls(kept) == kept
    for code in (*range(9), *range(11, 32), *range(0x7F, 0xA0), *range(0x202A, 0x202F)):
        assert without_controls(f"a{chr(code)}b") == "ab"
    for code in (0x61C, 0x200E, 0x200F, *range(0x2066, 0x206A)):
        assert without_controls(f"a{chr(code)}b") == "ab"


def name(letter: str) -> str:
    return f"{HOSTILE}{letter}{HOSTILE}"


def hostile_games() -> Iterator[Record]:
    for number, (x, o) in enumerate([("a", "b"), ("b", "a")] * 2, 1):
        tags = {"X": name(x), "O": name(o), "Event": name("event"), "Round": str(number)}
        tags |= {"Pair": str((number + 1) // 2), "Date": "2026-01-01"}
        game = Record.from_moves(noughts.game("basic"), "5 1 9", tags)
        game.comment = game.children[0].comment = name("comment")
        if number == 1:
            game = Record.from_moves(noughts.game("basic"), "5 1 9 2 3 4 7", tags)
        else:
            game.result, game.termination = "1-0", name("termination")
            game.tags["Fault"] = f"O: {name('fault')}\n{name('last words')}"
        yield game


@pytest.fixture(params=["games.jsonl", "games.txt"])
def hostile(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file: Path = tmp_path / request.param
    for game in hostile_games():
        record.append(file, game)
    return file


COMMANDS = (
    "results FILE",
    "results FILE --games --regret",
    "results FILE --sprt 0,10",
    "results FILE --games --json",
    "ratings FILE",
    "ratings FILE --json",
    "review FILE",
    "review FILE --json",
    "review FILE --retry",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_read_games(command: str, hostile: Path) -> None:
    done = run(*command.replace("FILE", str(hostile)).split())
    assert done.returncode == 0, done.stderr
    assert not CONTROLS.search(done.stdout + done.stderr)
    if command.endswith("--json"):
        assert HOSTILE in "".join(strings(json.loads(done.stdout.splitlines()[0])))
    elif "--retry" not in command:
        assert without_controls(name("a")) in done.stdout


def strings(data: object) -> Iterator[str]:
    """Yield the texts in JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, list):
        for each in data:
            yield from strings(each)
    elif isinstance(data, dict):
        for key, each in data.items():
            yield from strings([key, each])


def test_pages_and_charts(hostile: Path, tmp_path: Path) -> None:
    page, chart = tmp_path / "report.html", tmp_path / "chart.svg"
    assert run("results", hostile, "-o", page).returncode == 0
    assert not CONTROLS.search(page.read_text())
    assert without_controls(name("a")) in page.read_text()
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    assert run("ratings", hostile, "-o", chart).returncode == 0
    assert not CONTROLS.search(chart.read_text())


def test_saved_games_keep_every_character(hostile: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.jsonl"
    assert run("review", hostile, "--game", 2, "--save", saved).returncode == 0
    (game,) = record.read(saved)
    assert game.tags["X"] == name("b")
    assert name("comment") in game.comment


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.txt", f'[Game "basic"]\n[X{HOSTILE} "a"]\n\n*\n'),
        ("a.txt", f'[Game "{HOSTILE.replace(chr(13), "")}"]\n\n*\n'),
        ("a.txt", f'[Game "basic"]\n\n1. {HOSTILE.replace(chr(13), "")}5 *\n'),
        ("a.jsonl", json.dumps({"schema": 1, "game": "basic", "moves": [HOSTILE], "result": "*"})),
        ("a.jsonl", json.dumps({"schema": 1, "game": HOSTILE, "moves": [], "result": "*"})),
        ("a.jsonl", json.dumps({"schema": 1, HOSTILE: 1})),
    ],
)
def test_messages_that_quote_a_file(file: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_text(text)
    openings = ("match", "random", "o=random", "--game", "basic", "--openings", path)
    for words in (("results", path), ("ratings", path), ("review", path), openings):
        done = run(*words)
        assert done.returncode == 3
        assert done.stderr.startswith("noughts: ")
        assert not CONTROLS.search(done.stdout + done.stderr), words


def test_match_that_goes_on_from_a_foreign_file(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    words = ("match", "random", "o=random", "--game", "basic", "--pairs", 1, "--out", file)
    assert run(*words).returncode == 0
    first, second = record.read(file)
    file.unlink()
    first.tags["Fault"] = f"X: {name('fault')}"
    record.append(file, first)
    record.append(file, second)
    done = run(*words)
    assert (done.returncode, "[31m" in done.stdout) == (0, True), done.stderr
    assert not CONTROLS.search(done.stdout + done.stderr)
    second.tags["Seed"] = HOSTILE
    record.append(file, second)
    done = run(*words)
    assert done.returncode == 3
    assert not CONTROLS.search(done.stderr)


def test_bot_with_a_hostile_name(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        f"for _ in open(0): print({f'id name {HOSTILE}b'!a}, 'uciok', sep='\\n', flush=True)"
    )
    command = shlex.join([sys.executable, "-X", "utf8", str(bot)])
    done = run("check-engine", command, "--rules", "basic", "--seconds", "2")
    assert "[31m" in done.stdout
    assert not CONTROLS.search(done.stdout + done.stderr)


def test_name_with_line_feeds_stays_in_its_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    record.append(file, Record.from_moves(noughts.game("basic"), "5 1", {"X": "a\n\nb", "O": "c"}))
    printed = run("review", str(file)).stdout.splitlines()
    assert printed[0] == "Game 1: basic, a b - c, *"
    assert "X (a b): 1 best" in printed
