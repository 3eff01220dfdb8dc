"""`noughts results`: the command as people run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import run
from samples import NIM

import noughts
from noughts.games import record as records
from noughts.games.record import Record


def game(number: int, x: str, o: str, moves: str, **tags: str) -> Record:
    start = noughts.game("basic")
    said = {"Event": "The cup", "Round": str(number), "Pair": str((number + 1) // 2)}
    played = noughts.parse_moves(start, moves)
    return Record.from_moves(start, played, {**said, "X": x, "O": o, **tags})


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Two pairs: alpha wins the first 2-0 and the second 1½-½, a half through beta's fault."""
    file = tmp_path / "cup.jsonl"
    crashed = game(4, "beta", "alpha", "51", Fault="X: ended with SIGSEGV\nand more")
    crashed.result, crashed.termination = "0-1", "crash"
    for each in (
        game(2, "beta", "alpha", "514293"),
        game(1, "alpha", "beta", "14253"),
        game(3, "alpha", "beta", "512876439"),
        crashed,
    ):
        records.append(file, each)
    return file


def test_table_and_games(cup: Path) -> None:
    answer = run("results", cup, "--games")
    assert (answer.returncode, answer.stderr) == (0, "")
    shown = [" ".join(line.split()) for line in answer.stdout.splitlines()]
    assert shown[0] == "The cup: 4 games"
    assert "1 alpha 4 3 1 0 3½ 87.5 %" in shown
    assert "2 beta 4 0 1 3 ½ 12.5 % 1" in shown
    assert "beta: crash, 1 ×, first in game 4: ended with SIGSEGV … and more" in shown
    assert "all games 4 1 1 2 37.5 % ± 17.3 not decided" in shown
    assert shown[-5:] == [
        "game rules X O result moves ended by",
        "1 basic alpha beta 1-0 5 line",
        "2 basic beta alpha 0-1 6 line",
        "3 basic alpha beta 1/2-1/2 9 full",
        "4 basic beta alpha 0-1 2 crash: X: ended with SIGSEGV",
    ]


def test_json(cup: Path) -> None:
    answer = run("results", cup, "--games", "--regret", "--sprt", "0,10", "--json")
    assert (answer.returncode, answer.stderr) == (0, "")
    data = json.loads(answer.stdout)
    assert (data["schema"], data["title"], data["games"]) == (1, "The cup", 4)
    assert [bot["points"] for bot in data["bots"]] == [3.5, 0.5]
    assert (data["sides"]["x_wins"], data["sides"]["draws"], data["sides"]["o_wins"]) == (1, 1, 2)
    assert data["sides"]["bots"][0]["bots"] == ["alpha", "beta"]
    assert [each["tags"]["Round"] for each in data["list"]] == ["1", "2", "3", "4"]
    assert data["sprt"]["pairs"] == 2
    assert data["sprt"]["passed"] is None
    assert all(own["solved"] == own["moves"] for own in data["regret"]["bots"].values())
    assert [len(each["regret"]) for each in data["list"]] == [5, 6, 9, 2]
    # An edge in reply to a corner gives away the draw; every later position is lost.
    assert data["list"][0]["regret"] == [0.0, 0.5, 0.0, 0.0, 0.0]


def test_report_is_written(cup: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    answer = run("results", cup, "-o", page, "--theme", "dark", "--regret", "--nodes", "50")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "within 50 nodes" in answer.stdout
    text = page.read_text(encoding="utf-8")
    assert '<html lang="en" data-theme="dark">' in text
    assert "X against O" in text
    assert "alpha has 3½ of 4 points against beta." in text


def test_several_files_and_a_cut_off_line(cup: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.jsonl"
    first, second, *_ = cup.read_text(encoding="utf-8").splitlines(keepends=True)
    half.write_text(first.replace("The cup", "Another") + second[:100], encoding="utf-8")
    answer = run("results", cup, half)
    assert answer.returncode == 0
    assert answer.stderr == f"noughts: {half}: skipped the last line, which is cut off\n"
    assert answer.stdout.startswith("2 matches: 5 games\n")


def test_registered_game(tmp_path: Path) -> None:
    file, page = tmp_path / "nim.jsonl", tmp_path / "nim.html"
    line = {"schema": 1, "game": "nim", "moves": ["a2", "c5"], "result": "1-0"}
    line["termination"] = "crash"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    answer = run("results", file)
    assert answer.returncode == 3
    assert 'no game called "nim"' in answer.stderr
    example = NIM
    answer = run("--load", example, "results", file, "--regret", "-o", page)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "5,000 in registered games" in " ".join(answer.stdout.split())
    assert "a |\nb ||||\nc |||||" in json.loads(data_of(page))["texts"]


def data_of(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    return text.partition('id="data">')[2].partition("</script>")[0]


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (("--sprt", "5"), 2, "ELO0,ELO1"),
        (("--sprt", "5,one"), 2, "ELO0,ELO1"),
        (("--sprt", "10,0"), 2, "elo0 is less than elo1"),
        (("--nodes", "5"), 2, "--nodes goes with --regret"),
        (("-o", "report.txt"), 2, "is not a .html file"),
        (("-o", "nowhere/report.html"), 3, "there is no folder nowhere"),
        (("nowhere.jsonl",), 3, "Cannot read nowhere.jsonl"),
        ((Path(__file__),), 3, "is no game"),
    ],
)
def test_refusals(cup: Path, words: tuple[object, ...], code: int, complaint: str) -> None:
    answer = run("results", cup, *words)
    assert answer.returncode == code
    assert complaint in answer.stderr
    assert "Traceback" not in answer.stderr


def test_file_without_games_and_a_test_of_three(cup: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", encoding="utf-8")
    answer = run("results", empty)
    assert (answer.returncode, answer.stdout) == (3, "")
    assert answer.stderr == f"noughts: There are no games in {empty}.\n"
    records.append(cup, game(5, "gamma", "beta", "514293"))
    answer = run("results", cup, "--sprt", "0,10")
    assert answer.returncode == 2
    assert "--sprt needs two bots; there are 3" in answer.stderr
