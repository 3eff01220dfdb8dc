"""The command line in scripts: output, JSON, exit codes, and errors on stderr."""

from __future__ import annotations

import signal
import subprocess
from importlib import import_module
from pathlib import Path

import pytest
from command import NOUGHTS, answer, run, run_program
from patience import PATIENCE
from typer.main import get_group

import noughts
from noughts.cli.main import COMMANDS


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["analyse", "checkers"], 2, 'No game called "checkers"'),
        (["analyse", "mnk:3,3"], 2, "The sizes are missing"),
        (["perft", "ultimate:tie=win", "--depth", "2"], 2, "The option is tie=draw or tie=boards"),
        (["play", "basic", "--o", "stockfish"], 2, "There is no opponent 'stockfish'"),
        (
            ["play", "basic", "--o", "mcts:depht=3"],
            2,
            "There is no key 'depht' of mcts. Did you mean depth?",
        ),
        (["play", "basic", "--o", "alphabeta:depth=x"], 2, "Depth must be a whole number, not 'x'"),
        (["play", "basic", "--o", "alphabeta:depth=0"], 2, "Depth must be above 0"),
        (["play", "basic", "--o", "mcts:seed=1,seed=2"], 2, "Seed is given twice"),
        (
            ["play", "basic", "--o", "human:depth=1"],
            2,
            "There is no key 'depth' of human. Choose one of: none",
        ),
        (["analyse", "basic~XXX.OOO.3~X"], 3, "Both X and O have a line"),
        (["analyse", "basic", "--moves", "55"], 3, "Move 2: cell 5 is taken."),
        (["games", "basic"], 2, "Name two games to compare"),
        (["lab", "nothing"], 2, "No lab called 'nothing'"),
        (["lab", "size", "--games", "9"], 2, "The lab size has no option --games"),
        (["--load", "missing.py", "games"], 2, "there is no file missing.py"),
        (["perft", "basic"], 2, "depth"),
        (["analyse", "basic", "--depth", "0"], 2, "depth"),
        (["no-such-command"], 2, "no-such-command"),
        (["play", "ultimate", "--x", "perfect:seconds=0.05"], 4, "Perfect does not solve"),
        (["analyse", "basic", "--seconds", "nan"], 2, "nan is not a number."),
        (["match", "random", "a=random", "--margin", "nan"], 2, "nan is not a number."),
        (["window", "basic", "--scale", "nan"], 2, "nan is not a number."),
        (["proof", "status", "proofs/advanced.proof"], 3, "advanced.proof is a file, not the"),
        (["proof", "show", "proofs/advanced.proof", "-o", "a.png"], 2, "a.png is not an .svg file"),
        (["--load", "tests", "games"], 2, "tests is a folder, not a Python file"),
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


def test_games_shows_where_two_rules_differ() -> None:
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
    assert set(data["moves"]) == set("2346789")
    assert {score["value"] for score in data["moves"].values()} == {"draw"}
    won = answer("analyse", "basic~XX1.OO1.3~X")
    assert (won["move"], won["value"], won["plies"], won["line"]) == ("3", "win", 1, ["3"])
    assert won["moves"]["7"] == {"value": "loss", "plies": 2, "estimate": None}
    over = answer("analyse", "basic~XXX.OO1.3~O")
    assert (over["move"], over["value"], over["plies"], over["moves"]) == (None, "loss", 0, {})
    assert run("analyse", "basic~XXX.OO1.3~O").stdout == "X wins with the top row.\n"


def test_analyse_gives_estimates_where_nothing_is_proven() -> None:
    data = answer("analyse", "ultimate", "--depth", "2")
    assert (data["value"], data["exact"], data["depth"]) == ("unknown", False, 2)
    assert all(-1 < score["estimate"] < 1 for score in data["moves"].values())
    assert len(data["moves"]) == 81
    limited = answer("analyse", "ultimate", "--nodes", "500")
    assert limited["nodes"] <= 500


def test_perft_counts_each_depth() -> None:
    assert answer("perft", "connect4", "--depth", "5")["nodes"] == [7, 49, 343, 2401, 16807]
    moves = "55 54 45 53 35 51 15 58 88 85 56 65 57 75 52 25 59"
    free = answer("perft", "advanced", "--moves", moves, "--depth", "3")
    draw = answer("perft", "advanced:full=draw", "--moves", moves, "--depth", "3")
    assert (free["nodes"], draw["nodes"]) == ([9, 126, 1035], [9, 63, 483])


def test_lab_as_table_and_as_json() -> None:
    data = answer("lab", "size")
    assert 5478 in data.values()
    shown = run("lab", "size")
    assert "5,478" in shown.stdout
    assert "size" in run("lab").stdout


def test_registered_game_is_loaded(tmp_path: Path) -> None:
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


def test_help_breaks_lines_only_where_they_are_full() -> None:
    shown = run_program("check", "--help", COLUMNS="80").stdout
    assert "The file runs in a separate process with" in shown
    assert "check strangers' files in a container." in " ".join(shown.split())


def test_control_c_ends_with_130_and_no_traceback() -> None:
    counting = subprocess.Popen(
        [NOUGHTS, "perft", "ultimate", "--depth", "9"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert counting.stdout is not None
    assert counting.stdout.readline().split() == ["1", "81"]
    counting.send_signal(signal.SIGINT)
    _, complaint = counting.communicate(timeout=PATIENCE)
    assert counting.returncode == 130
    assert "Traceback" not in complaint


def test_closed_pipe_causes_no_error_message() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{NOUGHTS} perft ultimate --depth 6 | head -n 1"],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.stdout.split() == ["1", "81"]
    assert "Traceback" not in done.stderr


def test_noughts_alone_says_what_to_try_first() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert "noughts play" in done.stdout
    assert len(done.stdout.splitlines()) < 12


def test_the_help_has_panels() -> None:
    text = run("--help").stdout
    panels = ("Play", "Analyse", "Compete", "Learn", "More", "For developers")
    places = [text.index(f"─ {panel} ─") for panel in panels]
    assert places == sorted(places)
    assert "─ Commands ─" not in text


@pytest.mark.parametrize("module", COMMANDS)
def test_a_module_has_the_commands_that_are_listed(module: str) -> None:
    group = get_group(import_module(f"noughts.cli.{module}").app)
    assert sorted(group.commands) == sorted(COMMANDS[module])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["analize", "basic"], "Did you mean 'analyse'?"),
        (["mach"], "Did you mean 'match'?"),
        (["analyse", "basic", "--movs", "5"], "Did you mean --moves or --nodes?"),
        (["--lod", "nim.py"], "Did you mean --load?"),
        (["analyse", "ultimat"], "Did you mean Ultimate?"),
        (["play", "basic", "--o", "alfabeta"], "Did you mean alphabeta?"),
        (["lab", "count"], "Did you mean counts?"),
    ],
)
def test_a_near_miss_is_answered_with_a_suggestion(arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())


def test_other_spellings_of_commands_and_games() -> None:
    spelled = answer("analyze", "Tic-Tac-Toe", "--moves", "51")
    known = answer("analyse", "basic", "--moves", "51")
    assert spelled["position"] == known["position"]
    assert answer("perft", "connect four", "--depth", "2")["nodes"] == [7, 49]
