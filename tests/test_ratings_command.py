"""`noughts ratings`: from files and databases to a table, JSON and a chart."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from command import run, run_program
from patience import PATIENCE
from samples import NIM

import noughts
from noughts.arena.rating import RatingPoint, history, rate
from noughts.arena.standings import standings
from noughts.database.store import Store, file_url
from noughts.extras import missing
from noughts.games import record as records
from noughts.games.record import Record
from noughts.views.rating_chart import rating_chart

ROOT = Path(__file__).parents[1]
SVG = "{http://www.w3.org/2000/svg}"
X_WINS, O_WINS, DRAWN = "5 1 3 4 7", "1 5 2 3 9 7", "5 1 3 7 4 6 2 8 9"
GAP = "\N{EN SPACE}"


def answer(*arguments: str | Path) -> Any:
    done = run("ratings", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert data["schema"] == 1
    return data


def played(
    number: int, x: str, o: str, moves: str = X_WINS, game: str = "basic", **tags: str
) -> Record:
    start = noughts.game(game)
    of_all = {"Event": "e", "Round": str(number), "X": x, "O": o, "Date": f"2026-03-{number:02}"}
    return Record.from_moves(start, noughts.parse_moves(start, moves), of_all | tags)


def tournament() -> list[Record]:
    """Return connected games of three players by date; c loses to both others."""
    pairs = [("a", "b"), ("b", "c"), ("a", "c"), ("a", "b"), ("b", "c"), ("a", "c")]
    games = []
    for number, (x, o) in enumerate(pairs):
        moves = (DRAWN, X_WINS, X_WINS, X_WINS, DRAWN, X_WINS)[number]
        games.append(played(2 * number + 1, x, o, moves, Pair=str(number)))
        games.append(played(2 * number + 2, o, x, DRAWN, Pair=str(number)))
    return games


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    for game in tournament():
        records.append(path, game)
    return path


def elo(data: Any) -> dict[str, float]:
    return {each["name"]: each["elo"] for each in data["ratings"]}


def test_table(file: Path) -> None:
    done = run("ratings", file)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines() if line.strip()]
    assert " ".join(lines[0]) == "12 games of basic, 2026-03-01 to 2026-03-12"
    assert lines[1] == ["player", "Elo", "±", "games", "points", "score"]
    assert [line[0] for line in lines[3:6]] == ["a", "b", "c"]
    assert lines[3][3:] == ["8", "5½", "68.8", "%"]
    rated = {rating.name: rating for rating in rate(standings(tournament()).meetings())}
    assert lines[3][1] == f"{rated['a'].elo:.0f}"
    assert lines[3][2] == f"{rated['a'].margin:.0f}"
    assert "± is the 95 % error bar against the mean, which is 1500." in done.stdout


def test_json_has_all_digits(file: Path) -> None:
    data = answer(file)
    assert (data["games"], data["rules"]) == (12, ["basic"])
    assert (data["from"], data["to"], data["anchor"]) == ("2026-03-01", "2026-03-12", None)
    expected = [rating._asdict() for rating in rate(standings(tournament()).meetings())]
    assert data["ratings"] == expected


def test_anchor_fixes_the_scale(file: Path) -> None:
    free, held = answer(file), answer(file, "--anchor", "c=-250.5")
    assert elo(held)["c"] == -250.5
    assert elo(held)["a"] - elo(held)["c"] == pytest.approx(elo(free)["a"] - elo(free)["c"])
    assert held["anchor"] == {"name": "c", "elo": -250.5}
    named = run("ratings", file, "--anchor", "c=0").stdout
    assert "against c, the anchor" in named
    assert re.search(r"^c +0 +0 +8 ", named, re.M)


def test_selected_games(file: Path) -> None:
    records.append(file, played(30, "a", "d", "4453", "connect4", Event="f"))
    misere = "mnk:3,3,3,misere"
    records.append(file, played(13, "d", "a", "a1 b2 a2 b1 c3 c2 a3", misere, Event="g"))
    assert answer(file)["games"] == 13, "an unfinished game does not count"
    assert answer(file, "--game", "basic")["games"] == 12
    assert answer(file, "--game", misere)["ratings"][0]["name"] == "a"
    assert answer(file, "--since", "2026-03-05")["games"] == 9
    assert answer(file, "--since", "2026-03-12T00:00:00+00:00")["games"] == 2
    assert run("ratings", file, "--game", "ultimate").returncode == 3


def test_games_without_names_or_against_oneself_do_not_count(file: Path) -> None:
    before = answer(file)
    records.append(file, played(31, "a", "a"))
    records.append(file, Record.from_moves(noughts.game("basic"), [4, 0, 2, 1, 6]))
    assert answer(file) == before


def test_game_in_files_and_a_database_counts_once(file: Path, tmp_path: Path) -> None:
    store = Store(file_url(str(tmp_path / "results.db")))
    for game in tournament()[:6]:
        store.add_result(game)
    store.add_result(played(1, "a", "z", Event="other"))
    store.close()
    database = ("--database", tmp_path / "results.db")
    assert answer(*database)["games"] == 7
    assert answer(file, file, *database)["games"] == 13
    assert answer(*database, "--game", "basic") == answer(*database)
    text = tmp_path / "match.txt"
    records.append(text, tournament()[0])
    assert answer(text, file)["games"] == 12


def test_unbounded_ratings_are_explained(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    games = [("a", "b"), ("b", "a"), ("a", "c"), ("b", "c"), ("d", "a"), ("x", "y"), ("y", "x")]
    for number, (x, o) in enumerate(games, 1):
        moves = DRAWN if "x" in (x, o) else X_WINS
        records.append(file, played(number, x, o, moves))
    done = run("ratings", file)
    rows = re.findall(
        r"^([a-z]) +([<>~]?) ?(-?\d+) +(\d*) +\d+ +[\d½]+ +[\d.]+ %", done.stdout, re.M
    )
    assert [(name, bound, bool(margin)) for name, bound, _, margin in rows] == [
        *(("d", ">", False), ("a", "", True), ("b", "", True), ("c", "<", False)),
        *(("x", "", False), ("y", "", False)),
    ]
    said = " ".join(done.stdout.split())
    assert "> marks players who won every game against the others" in said
    assert "< those who lost every game against them" in said
    assert "~ those" not in said
    assert "The groups share no opponents" in said
    assert "A player with equal results in all games has no error bar." in said


def test_names_are_shown_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    records.append(file, played(1, "[bold]a[/]", "b [0]"))
    done = run("ratings", file)
    assert re.search(r"^\[bold\]a\[/\] ", done.stdout, re.M)
    assert re.search(r"^b \[0\] ", done.stdout, re.M)


def test_registered_game(tmp_path: Path) -> None:
    line = {
        "schema": 1, "game": "nim", "tags": {"X": "a", "O": "b"},
        "moves": ["a3", "b4", "c5"], "result": "1-0", "termination": "rules",
    }  # fmt: skip
    file = tmp_path / "nim.jsonl"
    file.write_text(json.dumps(line) + "\n")
    nim = str(NIM)
    done = run("--load", nim, "ratings", file)
    assert done.returncode == 0, done.stderr
    assert "1 game of nim" in done.stdout
    refused = run_program("ratings", file)
    assert (refused.returncode, 'no game called "nim"' in refused.stderr.lower()) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        ([], 2, "Name files of games, --database, or both"),
        (["nowhere.jsonl"], 3, "Cannot read nowhere.jsonl: No such file"),
        (["broken.jsonl"], 3, "broken.jsonl: "),
        (["empty.jsonl"], 3, "There are no finished games between two players"),
        (["match.jsonl", "--game", "draughts"], 2, '--game: No game called "draughts"'),
        (["match.jsonl", "--anchor", "a"], 2, "'a' is not a player and a rating"),
        (["match.jsonl", "--anchor", "a=b"], 2, "'a=b' is not a player and a rating"),
        (["match.jsonl", "--anchor", "a=nan"], 2, "'a=nan' is not a player and a rating"),
        (["match.jsonl", "--anchor", "z=1500"], 2, "no games of z to rate it by; there are of a"),
        (["match.jsonl", "--since", "May"], 2, "--since: 'May' is not a date"),
        (["match.jsonl", "--since", "2027-01-01"], 3, "There are no finished games"),
        (["match.jsonl", "-o", "chart.pdf"], 2, "chart.pdf is not a .png or .svg file"),
        (["match.jsonl", "-o", "nowhere/chart.svg"], 3, "there is no folder nowhere"),
        (["--database", "nowhere.db"], 3, "there is no file nowhere.db"),
        (["--database", "match.jsonl"], 4, "match.jsonl: file is not a database"),
        (["--database", "nonsense://x"], 2, "no kind of database is called 'nonsense'"),
        (["--database", "sqlite:////"], 4, "Cannot open the database"),
    ],
)
def test_refusals(
    file: Path,
    arguments: list[str],
    code: int,
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(file.parent)
    Path("empty.jsonl").touch()
    Path("broken.jsonl").write_text('{"schema": 1}\n')
    done = run("ratings", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert not Path("nowhere.db").exists()


@pytest.mark.parametrize(
    ("absent", "arguments", "wanted"),
    [
        (
            "sqlalchemy",
            ("--database", "sqlite:///x.db"),
            missing("A database", "sqlalchemy", "arena"),
        ),
        (
            "matplotlib",
            ("match.jsonl", "-o", "r.svg"),
            missing("Drawing charts", "matplotlib", "plots"),
        ),
    ],
)
def test_missing_packages_are_named(absent: str, arguments: Sequence[str], wanted: str) -> None:
    program = (
        f"import sys; sys.modules[{absent!r}] = None; sys.argv[0] = 'noughts';"
        "from noughts.cli.main import main; main()"
    )
    command = [sys.executable, "-c", program, "ratings", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"noughts: {wanted}\n")


# The chart


def test_history_ends_with_the_ratings_of_all_games() -> None:
    games = tournament()
    found = history(games, 4)
    assert [(moment.games, moment.date) for moment in found] == [
        *((3, "2026-03-03"), (6, "2026-03-06"), (9, "2026-03-09"), (12, "2026-03-12")),
    ]
    assert found[-1].ratings == rate(standings(games).meetings())
    assert found[1].ratings == rate(standings(games[:6]).meetings())
    assert [moment.games for moment in history(games[:3])] == [1, 2, 3]
    # c is not in the first two games.
    assert [moment.games for moment in history(games, 6, ("c", 0))] == [4, 6, 8, 10, 12]


def texts(picture: bytes) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_chart_names_every_line_with_its_rating() -> None:
    moments = history(tournament())
    picture = rating_chart("Ratings at basic", moments)
    said = texts(picture)
    assert "Ratings at basic" in said
    for rating in moments[-1].ratings:
        assert f"{rating.name}{GAP}{rating.elo:.0f} ± {rating.margin:.0f}" in said
    assert {"12", "2026-03-12"} <= set(said)
    assert rating_chart("Ratings at basic", moments) == picture
    dark = rating_chart("Ratings at basic", moments, theme="dark")
    assert b"#131518" in dark
    assert b"#131518" not in picture


def test_chart_with_few_games_many_players_and_odd_names() -> None:
    one = [played(1, "a$b$", "a name of more than twenty-two letters & <marks>")]
    (moment,) = history(one)
    said = texts(rating_chart("Ratings", [moment]))
    # One player won everything, so only the other has a bounded rating.
    assert any(text.startswith(("a$b$", "a name of more than t…")) for text in said)
    assert any("Without 1 of 2 players." in text for text in said)
    many = [played(n, f"p{n:02}", f"p{n + 1:02}", DRAWN) for n in range(1, 31)]
    lines = texts(rating_chart("Ratings", [RatingPoint(30, "", history(many)[-1].ratings)]))
    assert sum(text.startswith("p") for text in lines) == 12
    assert any("Without 19 of 31 players." in text for text in lines)
    assert rating_chart("Ratings", [moment], "png").startswith(b"\x89PNG")


def test_chart_files(file: Path) -> None:
    svg, png = file.with_name("ratings.svg"), file.with_name("ratings.PNG")
    done = run("ratings", file, "-o", svg, "--theme", "dark")
    assert (done.returncode, done.stderr) == (0, "")
    assert "player" in done.stdout
    assert "Ratings at basic" in texts(svg.read_bytes())
    assert answer(file, "-o", png)["games"] == 12
    assert png.read_bytes().startswith(b"\x89PNG")
    file.with_name("folder.svg").mkdir()
    done = run("ratings", file, "-o", file.with_name("folder.svg"))
    assert (done.returncode, "cannot write" in done.stderr) == (3, True)


def test_help_has_examples() -> None:
    assert "ratings" in run("--help").stdout
    assert "Examples:" in run("ratings", "--help").stdout
