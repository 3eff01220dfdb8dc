"""The protocol checker: correct engines pass, and each mistake fails its check."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from command import NOUGHTS, run
from patience import PATIENCE
from samples import NIM

import noughts
from noughts.arena.bot import Entry
from noughts.arena.compliance import (
    ABOUT,
    OF_ANY_RULES,
    OF_RULES,
    ONLY_PROTOCOL,
    RULES,
    CheckResult,
    Compliance,
)
from noughts.arena.control import Control
from noughts.arena.referee import play_game
from noughts.games.position import Player

ROOT = Path(__file__).parent.parent
MINIMAL = ROOT / "examples" / "minimal_engine.py"


def check(argv: Sequence[str], *rules_ids: str, seconds: float = PATIENCE) -> list[CheckResult]:
    compliance = Compliance(argv, seconds=seconds)
    try:
        return list(compliance.results(rules_ids or compliance.rules_ids()))
    finally:
        compliance.close()


def not_passed(findings: list[CheckResult]) -> dict[str, str]:
    return {each.check: each.outcome for each in findings if each.outcome != "passed"}


def test_minimal_engine_passes_and_is_small() -> None:
    findings = check([sys.executable, str(MINIMAL)])
    assert not_passed(findings) == {"seed": "not offered"}
    assert len(findings) == len(OF_ANY_RULES) + len(OF_RULES) + 1
    lines = MINIMAL.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 60
    assert not any("noughts" in line for line in lines)


def test_minimal_engine_plays_a_game_without_an_error() -> None:
    bots = {
        Player.X: Entry("random", "random").open(),
        Player.O: Entry("minimal", f"uci:{sys.executable} {MINIMAL}").open(),
    }
    try:
        for seed in range(3):
            start = noughts.game("basic")
            record = play_game(start, (), bots, Control(seconds=60), seed, {})
            assert "Fault" not in record.tags
            assert record.result in ("0-1", "1/2-1/2")
    finally:
        for bot in bots.values():
            bot.close()


@pytest.mark.parametrize(
    "opponent", ["engine", "alphabeta", pytest.param("random", marks=pytest.mark.soak)]
)
def test_our_engines_pass(opponent: str) -> None:
    argv = [NOUGHTS, "engine", opponent]
    assert not_passed(check(argv, "mnk:3,3,3,misere", "connect4:4,4")) == {}


def test_registered_games_are_checked() -> None:
    nim = str(NIM)
    engine = f"{NOUGHTS} --load {nim} engine negamax"
    done = subprocess.run(
        [
            *(NOUGHTS, "--load", nim, "check-engine", "--rules", "nim", "--json", engine),
            *("--seconds", str(PATIENCE)),
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    data = json.loads(done.stdout)
    assert (data["schema"], data["failed"], data["not_offered"]) == (1, 0, 0)
    assert data["passed"] == len(data["checks"]) == len(OF_ANY_RULES) + len(OF_RULES) + 1


class Wrong(NamedTuple):
    """A part of the minimal engine, its wrong replacement, and the failed checks."""

    old: str
    new: str
    failing: set[str]
    reason: str


WRONG = {
    "no name": Wrong("id name minimal\\n", "", {"name"}, "no line id name"),
    "chatter": Wrong(
        "id name", "hello\\nid name", {ONLY_PROTOCOL}, "'hello' is not a line of the protocol"
    ),
    "a default that is no choice": Wrong(
        "default basic", "default chess", {"options"}, "Expected one of basic"
    ),
    "no rules": Wrong("UCI_Variant", "Variant", {"options"}, "no option UCI_Variant"),
    "ignores quit": Wrong(
        'elif word == "quit":',
        'elif word == "leave":',
        {"quit", "quit while thinking"},
        "it still runs 3 s after quit",
    ),
    "a failure at the end": Wrong(
        "        sys.stdout.flush()\n",
        "        sys.stdout.flush()\n    sys.exit(3)\n",
        {"quit", "end of input", "quit while thinking"},
        "exit status 3",
    ),
    "a taken cell": Wrong(
        "    return max(after, ",
        "    return (0, '5') if len(after) < 8 else max(after, ",
        {"legal moves", "positions", "positions and moves", "two games"},
        "Cell 5 is taken",
    ),
    "ignores infinite": Wrong(
        'elif word == "go" and "infinite" in words:', "elif False:", {"stop"}, "before stop"
    ),
    "ignores stop": Wrong(
        '(word == "stop" and pending)', "False", {"stop"}, "no bestmove within 3 s"
    ),
    "an answer to stop when idle": Wrong(
        " and pending", "", {"stop when idle"}, "though there was no go"
    ),
    "ends after a bad position": Wrong(
        "except (ValueError, IndexError)", "except KeyError", {"bad position"}, "exit status 1"
    ),
    "a move in a bad position": Wrong(
        '                best = "none"\n', "", {"bad position"}, "expected bestmove none"
    ),
    "a move in a finished game": Wrong(
        'return -1, "none"', 'return -1, "1"', {"game over"}, "though the game is over"
    ),
    "late": Wrong(
        '            print(f"bestmove {best}")',
        '            if {"150", "wtime"} & {*words}: __import__("time").sleep(0.5)\n'
        '            print(f"bestmove {best}")',
        {"movetime", "clock"},
        "each of them more than",
    ),
    "not ready while it thinks": Wrong(
        'print("readyok")',
        'print("info depth high" if pending else "readyok")',
        {"readyok while thinking", ONLY_PROTOCOL},
        "no readyok within 3 s",
    ),
    "ends after an unknown word": Wrong(
        'elif word == "quit":',
        'elif word in ("quit", "xyzzy"):',
        {"unknown words"},
        "exit status 0",
    ),
    "a wrong seed": Wrong(
        "basic\\nuciok",
        "basic\\noption name Seed type spin default 9 min 0 max 5\\nuciok",
        {"options"},
        "Expected a whole number from 0 to 5",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_mistake_fails_its_check(tmp_path: Path, name: str) -> None:
    old, new, failing, reason = WRONG[name]
    text = MINIMAL.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "engine.py"
    file.write_text(text.replace(old, new), encoding="utf-8")
    findings = check([sys.executable, str(file)], seconds=15.0)
    failed = {each.check: each for each in findings if each.outcome == "failed"}
    assert failed.keys() == failing
    assert any(reason in each.reason for each in failed.values()), failed
    assert all(each.said for each in failed.values() if each.check != ONLY_PROTOCOL)


def test_rules_not_offered_are_reported() -> None:
    findings = check([sys.executable, str(MINIMAL)], "connect4")
    assert not_passed(findings) == {RULES: "not offered"}


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["no-such-program --fast"], 4, "it cannot be started"),
        (["true"], 4, "its process ended with exit status 0"),
        (["sh -c 'echo off; exit 3'"], 4, "its process ended with exit status 3"),
        (["cat", "--seconds", "3"], 4, "no uciok within 3 s; it wrote 'uci'"),
        (["echo 'uciok"], 2, "No closing quotation"),
        ([" "], 2, "The command is empty"),
        (["cat", "--rules", "chess"], 2, 'No game called "chess"'),
        (["cat", "--seconds", "0"], 2, "seconds"),
    ],
)
def test_refusals_have_their_exit_code(arguments: list[str], code: int, complaint: str) -> None:
    done = run("check-engine", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_failure_shows_its_reason_and_the_dialogue(tmp_path: Path) -> None:
    file = tmp_path / "engine.py"
    text = MINIMAL.read_text(encoding="utf-8")
    file.write_text(text.replace(*WRONG["ignores stop"][:2]), encoding="utf-8")
    done = run("check-engine", f"{sys.executable} {file}", "--seconds", "15")
    assert done.returncode == 1
    assert ABOUT["stop"] in done.stdout
    assert "> go infinite" in done.stdout
    assert "> stop" in done.stdout
    assert done.stdout.splitlines()[-1] == "19 passed, 1 failed, 1 not offered"


def test_docs_describe_every_check() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for key, about in ABOUT.items():
        assert f"| {key} | {about} |" in page
