"""The command line as a script sees it: output, JSON, exit codes, complaints on stderr."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import noughts

NOUGHTS = str(Path(sys.executable).with_name("noughts"))


def run(*arguments: str, entries: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [NOUGHTS, *arguments],
        input=entries,
        stdin=None if entries is not None else subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
    )


def answer(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["schema"] == 1
    return data  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["analyse", "checkers"], 2, "there is no game 'checkers'"),
        (["analyse", "mnk:3,3"], 2, "mnk needs its sizes"),
        (["perft", "ultimate:tie=win", "--depth", "2"], 2, "'tie=win' is not tie=draw or"),
        (["play", "basic", "--o", "stockfish"], 2, "there is no opponent 'stockfish'"),
        (["play", "basic", "--o", "mcts:depht=3"], 2, "mcts has no key 'depht'"),
        (["play", "basic", "--o", "alphabeta:depth=x"], 2, "depth='x' is not a number"),
        (["play", "basic", "--o", "alphabeta:depth=0"], 2, "depth must be above 0"),
        (["play", "basic", "--o", "mcts:seed=1,seed=2"], 2, "the key seed is given twice"),
        (["play", "basic", "--o", "human:depth=1"], 2, "human has no key 'depth'"),
        (["analyse", "basic~XXX.OOO.3~X"], 3, "both X and O have a line"),
        (["analyse", "basic", "--moves", "55"], 3, "move 2: cell 5 is taken by X"),
        (["games", "basic"], 2, "games takes no rules id or two"),
        (["lab", "nothing"], 2, "there is no lab 'nothing'"),
        (["lab", "size", "--games", "9"], 2, "the lab size takes no --games"),
        (["--load", "missing.py", "games"], 2, "missing.py is not a Python file"),
        (["perft", "basic"], 2, "depth"),
        (["analyse", "basic", "--depth", "0"], 2, "depth"),
        (["no-such-command"], 2, "no-such-command"),
        (["play", "ultimate", "--x", "perfect:seconds=0.05"], 4, "perfect does not solve"),
    ],
)
def test_refusals_name_the_fault_and_have_their_exit_code(
    arguments: list[str], code: int, complaint: str
) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_games_lists_every_game_in_a_sentence() -> None:
    done = run("games")
    for family in noughts.GAMES.values():
        assert family.name in done.stdout
        assert family.about in done.stdout
    assert [game["name"] for game in answer("games")["games"]] == list(noughts.GAMES)


def test_games_shows_where_two_rules_part() -> None:
    data = answer("games", "ultimate", "ultimate:won=open")
    position = noughts.game("ultimate")
    for text in data["moves"]:
        position = position.play(position.parse_move(text))
    assert str(position) == data["positions"][0]
    closed, opened = data["allowed"]
    assert {text[0] for text in opened} == {"6"}
    assert "6" not in {text[0] for text in closed}
    misere = answer("games", "mnk:3,3,3", "mnk:3,3,3,misere")
    assert misere["outcomes"] == ["X wins", "O wins"]
    assert len(misere["moves"]) == 5
    same = answer("games", "basic", "mnk:3,3,3")
    assert (same["moves"], same["compared"], same["complete"]) == (None, 5478, True)
    assert "the rules are the same" in run("games", "basic", "mnk:3,3,3").stdout


def test_analyse_gives_every_move_its_value() -> None:
    data = answer("analyse", "basic", "--moves", "51")
    assert data["position"] == "basic~O2.1X1.3~X"
    assert (data["value"], data["exact"], data["estimate"]) == ("draw", True, None)
    assert set(data["scores"]) == set("2346789")
    assert {score["value"] for score in data["scores"].values()} == {"draw"}
    won = answer("analyse", "basic~XX1.OO1.3~X")
    assert (won["best"], won["value"], won["plies"], won["pv"]) == ("3", "win", 1, ["3"])
    assert won["scores"]["7"] == {"value": "loss", "plies": 2, "estimate": None}
    over = answer("analyse", "basic~XXX.OO1.3~O")
    assert (over["best"], over["value"], over["plies"], over["scores"]) == (None, "loss", 0, {})
    assert run("analyse", "basic~XXX.OO1.3~O").stdout == "X wins with the line 1 2 3.\n"


def test_analyse_speaks_of_estimates_where_nothing_is_proven() -> None:
    data = answer("analyse", "ultimate", "--depth", "2")
    assert (data["value"], data["exact"], data["depth"]) == ("unknown", False, 2)
    assert all(-1 < score["estimate"] < 1 for score in data["scores"].values())
    assert len(data["scores"]) == 81
    limited = answer("analyse", "ultimate", "--nodes", "500")
    assert limited["nodes"] <= 500


def test_perft_counts_each_depth() -> None:
    assert answer("perft", "connect4", "--depth", "5")["nodes"] == [7, 49, 343, 2401, 16807]
    moves = "55 54 45 53 35 51 15 58 88 85 56 65 57 75 52 25 59"
    free = answer("perft", "advanced", "--moves", moves, "--depth", "3")
    draw = answer("perft", "advanced:full=draw", "--moves", moves, "--depth", "3")
    assert (free["nodes"], draw["nodes"]) == ([9, 126, 1035], [9, 63, 483])


def test_a_lab_as_table_and_as_json() -> None:
    data = answer("lab", "size")
    assert 5478 in data.values()
    shown = run("lab", "size")
    assert "5,478" in shown.stdout
    assert "size" in run("lab").stdout


def test_a_game_of_ones_own_is_loaded(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n", encoding="utf-8")
    done = run("--load", str(broken), "games")
    assert (done.returncode, "ZeroDivisionError" in done.stderr) == (3, True)


def test_version_help_and_completion() -> None:
    assert run("--version").stdout == f"noughts {noughts.__version__}\n"
    for command in ("play", "games", "analyse", "perft", "lab"):
        assert command in run("--help").stdout
        assert "Examples:" in run(command, "--help").stdout
    assert "complet" in run("--help").stdout


def test_control_c_ends_with_130_and_without_a_traceback() -> None:
    counting = subprocess.Popen(
        [NOUGHTS, "perft", "ultimate", "--depth", "9"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert counting.stdout is not None
    assert counting.stdout.readline().split() == ["1", "81"]
    time.sleep(0.2)
    counting.send_signal(signal.SIGINT)
    _, complaint = counting.communicate(timeout=20)
    assert counting.returncode == 130
    assert "Traceback" not in complaint


def test_output_into_a_pipe_that_closes_makes_no_noise() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{NOUGHTS} perft ultimate --depth 6 | head -n 1"],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.stdout.split() == ["1", "81"]
    assert "Traceback" not in done.stderr
