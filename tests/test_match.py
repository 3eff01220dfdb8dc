"""Matches: schedule, workers, faults, results files and the command."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import pexpect
import pytest
from command import NOUGHTS, run
from matches import fixtures_of, terms_of, timeless
from patience import PATIENCE
from samples import NIM

import noughts
from noughts.arena.bot import Fault, Verdict, parse_entry
from noughts.arena.control import Control
from noughts.arena.match import (
    GameWorker,
    Match,
    WorkerLost,
    Workers,
    in_process,
    refusals,
    try_bots,
)
from noughts.arena.openings import Opening
from noughts.arena.results import Busy, OtherTerms, Results, games_of
from noughts.arena.schedule import Fixture, Terms, schedule
from noughts.arena.statistics import Sprt
from noughts.games.position import NotationError
from noughts.games.record import Record, format_json_line, parse_json_line, read
from noughts.games.registry import load

ROOT = Path(__file__).parent.parent
FAULTY = f"{shlex.quote(sys.executable)} {ROOT / 'tests' / 'bots' / 'faulty.py'}"


# The schedule


def test_every_pair_meets_over_each_opening_from_both_sides() -> None:
    terms = terms_of("random", "a=random", "b=random", games=("basic", "connect4"), pairs=3)
    fixtures = fixtures_of(terms)
    assert [fixture.number for fixture in fixtures] == list(range(1, 2 * 3 * 3 * 2 + 1))
    met = []
    for first, second in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert first.pair == second.pair
        assert first.opening == second.opening
        assert (first.x, first.o) == (second.o, second.x)
        met.append((first.opening.start, first.x, first.o))
    for game in terms.games:
        for two in combinations(range(3), 2):
            assert met.count((game, *two)) == terms.pairs
    assert len({fixture.seed for fixture in fixtures}) == len(fixtures)
    # After each round all pairs have met equally often.
    assert len(set(met[:6])) == 6


def test_gauntlet_pairs_the_first_with_each_other() -> None:
    terms = terms_of("random", "a=random", "b=random", gauntlet=True)
    assert {(f.x, f.o) for f in fixtures_of(terms)} == {(0, 1), (1, 0), (0, 2), (2, 0)}


def test_longer_match_begins_with_the_shorter_one() -> None:
    short, long = (fixtures_of(terms_of("random", "a=random", pairs=pairs)) for pairs in (3, 8))
    assert long[: len(short)] == short
    other = fixtures_of(terms_of("random", "a=random", pairs=3, seed=1))
    assert all(a.seed != b.seed for a, b in zip(short, other, strict=True))


# Workers


def test_workers_play_the_same_games_as_one_process() -> None:
    terms = terms_of("engine", "mcts", "alphabeta", games=("basic", "connect4:4,4"), pairs=1)
    fixtures = fixtures_of(terms)
    here = {fixture: timeless(record) for fixture, record in in_process(terms, fixtures)}
    shuffled = random.Random(0).sample(fixtures, len(fixtures))
    there = {fixture: timeless(record) for fixture, record in Workers(2)(terms, shuffled)}
    assert here == there
    assert sorted(here) == fixtures


def test_adjudication_does_not_depend_on_the_order() -> None:
    terms = terms_of("random", "a=random", games=("connect4:4,4",), pairs=3, adjudicate=True)
    fixtures = fixtures_of(terms, plies=6)
    one_room = [record for _, record in in_process(terms, fixtures)]
    alone = [record for fixture in fixtures for _, record in in_process(terms, [fixture])]
    assert [timeless(record) for record in one_room] == [timeless(record) for record in alone]
    ended = [record for record in one_room if record.termination == "adjudication"]
    assert ended
    for record in ended:
        *_, end = record.positions()
        value = noughts.search.negamax(end).value.kind
        winner = {"win": end.turn, "loss": end.turn.other}.get(value)
        assert record.result == noughts.games.record.RESULTS[winner]


def test_killed_process_costs_no_game() -> None:
    terms = terms_of("random", "mcts:simulations=20", pairs=20)
    fixtures = fixtures_of(terms)
    over = []
    for fixture, record in Workers(2)(terms, fixtures):
        over.append(fixture)
        assert record.result != "*"
        if len(over) in (3, 11):
            for child in multiprocessing.active_children():
                child.kill()
    assert sorted(over) == fixtures
    assert not multiprocessing.active_children()


DEADLY = """
import multiprocessing, os, signal
import noughts
from noughts.games.row import Basic

@noughts.register
class Deadly(Basic):
    name = "deadly"
    about = "Kills the process of a match that asks for a move."

    def legal_moves(self):
        if multiprocessing.parent_process() is not None:
            {what}
        return super().legal_moves()
"""


@pytest.mark.usefixtures("forget_games")
@pytest.mark.parametrize(
    ("what", "error", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", WorkerLost, "died 3 times, .* signal 9"),
        ("os._exit(7)", WorkerLost, "died 3 times, the last time with status 7"),
        ("raise OSError('no moves today')", RuntimeError, "no moves today"),
    ],
)
def test_unplayable_game_ends_the_match(
    tmp_path: Path, what: str, error: type[Exception], said: str
) -> None:
    file = tmp_path / "deadly_game.py"
    file.write_text(DEADLY.format(what=what))
    load(file)
    terms = terms_of("random", "a=random", games=("deadly",), load=(file,))
    fixtures = list(schedule(terms, {"deadly": [Opening("deadly")]}))
    with pytest.raises(error, match=said):
        list(Workers(1)(terms, fixtures))
    assert not multiprocessing.active_children()


def test_closing_a_match_ends_its_processes() -> None:
    terms = terms_of("random", "mcts:seconds=1", games=("ultimate",), pairs=10)
    terms = terms._replace(control=Control(seconds=5))
    games = Workers(2)(terms, iter(fixtures_of(terms)))
    one = terms_of("random", "a=random", pairs=10)
    quick = Workers(2)(one, iter(fixtures_of(one)))
    next(quick)
    assert len(multiprocessing.active_children()) == 2
    quick.close()
    assert not multiprocessing.active_children()
    games.close()  # A match that has not begun has no process.
    assert not multiprocessing.active_children()


# Faults


def test_bot_at_fault_loses_and_plays_on() -> None:
    terms = terms_of("random", f"bad=uci:{FAULTY} crash", pairs=2)
    records = [record for _, record in in_process(terms, fixtures_of(terms))]
    assert {record.termination for record in records} == {Verdict.CRASH.value}
    for record in records:
        side = record.tags["Fault"][0]
        assert record.tags[side] == "bad"
        assert record.result == ("0-1" if side == "X" else "1-0")


def test_bot_that_does_not_start_loses_the_game() -> None:
    terms = terms_of("random", "none=uci:false")
    fixtures = fixtures_of(terms)
    with closing(GameWorker(terms)) as room:
        record = room.play(fixtures[0])
    assert record.result == "1-0"
    assert record.tags["Fault"].startswith("O: ")
    assert record.moves == list(fixtures[0].opening.moves)
    with pytest.raises(Fault, match="none: "):
        try_bots(terms, fixtures)


def test_unplayable_games_are_known_before_the_match() -> None:
    terms = terms_of("random", f"cs50:{ROOT / 'examples' / 'bots' / 'tictactoe.py'}")
    assert not list(refusals(terms, fixtures_of(terms)))
    large = terms._replace(games=("connect4",))
    assert list(refusals(large, fixtures_of(large)))


# Counting


def records_of(terms: Terms, fixtures: Sequence[Fixture]) -> list[Record]:
    return [record for _, record in in_process(terms, fixtures)]


def test_games_count_in_the_order_of_the_schedule() -> None:
    terms = terms_of("engine", "random", pairs=12)
    fixtures = fixtures_of(terms)
    records = records_of(terms, fixtures)
    test = Sprt(0, 400)
    in_order = Match(terms, fixtures, test)
    for number, record in enumerate(records, 1):
        in_order.add(number, record)
    assert in_order.passed is True
    assert len(in_order.counted) < len(records)
    assert len(in_order.counted) % 2 == 0
    for seed in range(5):
        mixed = Match(terms, fixtures, test)
        for index in random.Random(seed).sample(range(len(records)), len(records)):
            mixed.add(index + 1, records[index])
        assert mixed.counted == in_order.counted
        assert mixed.standings.data() == in_order.standings.data()
        assert mixed.passed is True


def test_decided_test_ends_the_match() -> None:
    terms = terms_of("engine", "random", pairs=500)
    played = Match(terms, fixtures_of(terms), Sprt(0, 400))
    games = list(played.play(in_process))
    assert played.passed is True
    assert played.is_over
    assert len(games) == len(played.counted) < 100
    assert not list(played.play(in_process))


# The results file


@pytest.fixture(scope="module")
def small() -> tuple[Terms, list[Fixture], list[Record]]:
    terms = terms_of("mcts", "alphabeta", pairs=2)
    fixtures = fixtures_of(terms)
    return terms, fixtures, records_of(terms, fixtures)


Small = tuple[Terms, list[Fixture], list[Record]]


def test_results_are_kept_and_found_again(tmp_path: Path, small: Small) -> None:
    terms, fixtures, records = small
    path = tmp_path / "games.jsonl"
    with closing(Results(path)) as results:
        assert not results.records
        for record in reversed(records):
            results.add(record)
            assert len(path.read_text().splitlines()) == len(results.records)
        with pytest.raises(Busy, match="another match"):
            Results(path)
    assert list(read(path)) == records[::-1]
    with closing(Results(path)) as results:
        assert games_of(results.records, terms, fixtures) == dict(enumerate(records, 1))


@pytest.mark.parametrize("left", [1, 40, -1])
def test_cut_off_line_is_removed(tmp_path: Path, small: Small, left: int) -> None:
    _, _, records = small
    path = tmp_path / "games.jsonl"
    first, second = (format_json_line(record) for record in records[:2])
    path.write_text(first + second[:left])
    with closing(Results(path)) as results:
        whole = left == -1  # Only the newline is missing.
        assert results.cut_off is not whole
        results.add(records[2])
    kept = [records[0], records[1], records[2]] if whole else [records[0], records[2]]
    assert list(read(path)) == kept


def test_broken_line_inside_a_file_is_left_alone(tmp_path: Path, small: Small) -> None:
    line = format_json_line(small[2][0])
    path = tmp_path / "games.jsonl"
    path.write_text(line + line[:50] + "\n" + line)
    before = path.read_bytes()
    with pytest.raises(NotationError, match="Line 2"):
        Results(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 1}, "Seed"),
        ({"event": "other"}, "Event match, here it is other"),
        ({"control": Control(nodes=200)}, "Control nodes=100, here it is nodes=200"),
        ({"control": Control(nodes=100, margin=1.0)}, "Margin none, here it is 1"),
        ({"adjudicate": True}, "Adjudicate none, here it is yes"),
        (
            {"entries": tuple(map(parse_entry, ("mcts", "engine")))},
            "O alphabeta, here it is engine",
        ),
        ({"games": ("mnk:3,3,3",)}, "the start basic~3.3.3~X, here it is mnk:3,3,3~3.3.3~X"),
        ({"pairs": 1}, "a game 3, and the match 2 games"),
    ],
)
def test_results_of_other_terms_are_refused(
    small: Small, change: dict[str, Any], said: str
) -> None:
    terms, _, records = small
    other = terms._replace(**change)
    with pytest.raises(OtherTerms, match=said):
        games_of(records, other, fixtures_of(other))


def test_results_of_other_openings_are_refused(small: Small) -> None:
    terms, fixtures, records = small
    other = [f._replace(opening=Opening("basic", (4, 0))) for f in fixtures]
    with pytest.raises(OtherTerms, match=r"the opening .*, here it is 5 1"):
        games_of(records, terms, other)
    with pytest.raises(OtherTerms, match="is of no match"):
        games_of([Record(noughts.game("basic"))], terms, fixtures)


# The command


LONG = (
    *("--load", str(NIM), "match", "mcts", "negamax"),
    *("--game", "connect4", "--game", "nim", "--nodes", "100", "--pairs", "4"),
    *("--event", "long", "--jobs", "2", "--out"),
)


def table_of(text: str) -> list[list[str]]:
    """Return the words of a table without the times."""
    return [line.split()[:-2] for line in text.splitlines()]


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [NOUGHTS, *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
    )


def wait_for_games(path: Path, count: int) -> None:
    ends = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes().count(b"\n") < count:
        assert time.monotonic() < ends
        time.sleep(0.02)


def processes_with(word: str) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if word.encode() in environment:
            found.append(int(folder.name))
    return found


@pytest.mark.usefixtures("forget_games")
def test_interrupted_match_ends_in_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(*LONG, "whole.jsonl", cwd=tmp_path)
    assert whole.returncode == 0, whole.stderr

    monkeypatch.setenv("NOUGHTS_TEST_RUN", mark := f"run of {tmp_path}")
    broken = tmp_path / "broken.jsonl"
    stopped = start(tmp_path, *LONG, broken.name)
    wait_for_games(broken, 2)
    stopped.send_signal(signal.SIGINT)
    said = stopped.communicate(timeout=PATIENCE)
    if stopped.returncode != 0:  # The match was not over yet.
        assert stopped.returncode == 130
        assert said[0] == ""
        assert "To continue: noughts --load" in said[1]
    killed = start(tmp_path, *LONG, broken.name)
    wait_for_games(broken, 4)
    killed.kill()
    killed.communicate(timeout=PATIENCE)
    ends = time.monotonic() + PATIENCE
    while processes_with(mark) and time.monotonic() < ends:
        time.sleep(0.1)
    assert not processes_with(mark)
    data = broken.read_bytes()
    broken.write_bytes(data[:-30])

    rest = run(*LONG, broken.name, cwd=tmp_path)
    assert rest.returncode == 0, rest.stderr
    assert "is cut off; its game is played again" in rest.stderr
    assert table_of(rest.stdout) == table_of(whole.stdout)
    load(NIM)
    games, again = (
        sorted(map(timeless, read(path))) for path in (tmp_path / "whole.jsonl", broken)
    )
    assert games == again
    assert len(games) == 16

    done = run(*LONG, broken.name, cwd=tmp_path)
    assert table_of(done.stdout) == table_of(whole.stdout)
    assert broken.read_bytes().count(b"\n") == 16


def test_report_shows_the_regret_of_moves(tmp_path: Path) -> None:
    words = ("match", "random", "engine", "--game", "basic", "--nodes", "100", "--pairs", "2")
    done = run(*words, "--report", "report.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    regret = page[page.index("Regret</h2>") :]
    # All of basic is solved, and the engine loses nothing.
    found = re.search(r"engine.*?>0\.0000<.*?>(\d+) of (\d+)<", regret, re.DOTALL)
    assert found is not None
    assert found[1] == found[2]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "A match needs two bots, such as `level4 random`, not 0"),
        (["random"], 2, "two bots, such as `level4 random`, not 1"),
        (["random", "random"], 2, "Two bots are called random. Rename one: other=random"),
        (["random", "human"], 2, "A person cannot play in a match"),
        (["random", "stockfish"], 2, 'No bot is called "stockfish"'),
        (["random", "mcts:depht=3"], 2, "There is no key 'depht' of mcts"),
        (["random", "mcts", "--game", "chess"], 2, 'No game called "chess"'),
        (
            ["random", "mcts", "--game", "basic~XXX.OO1.3~O"],
            3,
            "--game: the game is over in basic~XXX",
        ),
        (
            ["random", "mcts", "--nodes", "5", "--clock", "1+1"],
            2,
            "--clock and --nodes: choose one",
        ),
        (["random", "mcts", "--clock", "soon"], 2, "Not a clock"),
        (
            ["random", "mcts", "--nodes", "5", "--first-seconds", "1"],
            2,
            "--first-seconds does not go with --nodes",
        ),
        (["random", "mcts", "--pairs", "0"], 2, "--pairs"),
        (["random", "mcts", "--sprt", "5"], 2, "'5' is not ELO0,ELO1"),
        (["random", "mcts", "--sprt", "10,5"], 2, "elo0 is less than elo1"),
        (["random", "mcts", "engine", "--sprt", "0,5"], 2, "--sprt needs two bots and one game"),
        (
            ["random", "mcts", "--game", "basic", "--plies", "9"],
            2,
            "basic: after 9 plies every",
        ),
        (["random", "mcts", "--balanced", "2", "--plies", "2"], 2, "--balanced does not go with"),
        (["random", "mcts", "--openings", "none.txt"], 3, "cannot read none.txt"),
        (["random", "mcts", "--openings", "bad.txt"], 3, '"nonsense" is not a move'),
        (["random", "mcts", "--bots", "none.toml"], 3, "cannot read none.toml"),
        (["random", "mcts", "--bots", "bad.toml"], 3, "bad.toml, [a]: unknown key 'bto'"),
        (["random", "mcts", "--out", "games.txt"], 2, "games.txt is not a .jsonl file"),
        (["random", "mcts", "--out", "none/a.jsonl"], 3, "cannot write none/a.jsonl: No such"),
        (["random", "mcts", "--out", "bad.jsonl"], 3, "bad.jsonl is not a file of games: "),
        (["random", "mcts", "--report", "none/a.html"], 3, "there is no folder none"),
        (["random", "mcts", "--database", "a.db"], 2, "--database needs --event"),
        (["random", "b=uci:false"], 4, "crash: b: "),
        (["random", "cs50:bad.txt", "--game", "basic"], 2, "bad.txt"),
        (["random", "engine", "--game", "nim"], 2, 'No game called "nim"'),
    ],
)
def test_refusals_name_the_fault_and_have_their_exit_code(
    tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    (tmp_path / "bad.txt").write_text("nonsense\n")
    (tmp_path / "bad.toml").write_text('[a]\nbto = "random"\n')
    (tmp_path / "bad.jsonl").write_text('{"schema": 2}\n')
    before = sorted(tmp_path.iterdir())
    done = run("match", *arguments, cwd=tmp_path)
    assert said in " ".join(done.stderr.split()), done.stderr
    assert done.returncode == code
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_engine_does_not_play_a_registered_game(tmp_path: Path) -> None:
    load = ("--load", str(NIM))
    done = run(*load, "match", "engine", "random", "--game", "nim", cwd=tmp_path)
    assert done.returncode == 2
    assert "engine: the engine does not know nim" in done.stderr


def test_json_holds_the_whole_result(tmp_path: Path) -> None:
    bad = f"bad=uci:{FAULTY} crash"
    arguments = ("match", "random", bad, "--game", "basic", "--pairs", "2", "--seed", "3")
    done = run(*arguments, "--out", "games.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "bad, game 1: crash: " in done.stderr
    data = json.loads(done.stdout)
    assert data["schema"] == 1
    assert (data["event"], data["games"], data["seed"]) == ("games", ["basic"], 3)
    assert data["played"] == data["standings"]["games"] == 4
    best, worst = data["standings"]["bots"]
    assert (best["name"], best["points"]) == ("random", 4)
    assert (worst["name"], worst["faults"]) == ("bad", {"crash": 4})
    (fault,) = data["faults"]
    assert (fault["name"], fault["times"], fault["round"]) == ("bad", 4, "1")
    assert "no idea what to play" in (Path(tmp_path, data["log"]) / "bad.log").read_text()


def test_bots_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "bots.toml").write_text(
        f'[first]\nbot = "random"\n\n[second]\nbot = "uci:{NOUGHTS} engine"\n'
        'start = 60\nmemory = 4000\noptions = {Level = 2, Hash = "1"}\n'
    )
    arguments = ("match", "--bots", "bots.toml", "--game", "basic", "--pairs", "1", "--json")
    done = run(*arguments, "--out", "games.jsonl", "--seconds", "30", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not json.loads(done.stdout)["faults"]
    record = parse_json_line((tmp_path / "games.jsonl").read_text().splitlines()[0])
    assert record.tags["OOptions"] == "Level=2, Hash=1"
    one = run(*arguments[:1], "first", "mcts", *arguments[1:], cwd=tmp_path)
    assert [bot["name"] for bot in json.loads(one.stdout)["bots"]] == ["first", "mcts"]


def test_bot_runs_in_its_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    engine = home / "engine.sh"
    engine.write_text(f"#!/bin/sh\npwd >&2\nexec {NOUGHTS} engine\n")
    engine.chmod(0o755)
    (home / "bot.py").write_text("def first(position):\n    return position.legal_moves()[0]\n")
    (home / "bots.toml").write_text(
        '[a]\nbot = "uci:home/engine.sh"\ndirectory = "home"\n'
        '[b]\nbot = "python:home/bot.py:first"\ndirectory = "home"\n'
    )
    arguments = ("match", "--bots", "home/bots.toml", "--game", "basic", "--pairs", "1", "--json")
    bounds = ("--start-seconds", "60", "--seconds", "30", "--log", "logs")
    done = run(*arguments, *bounds, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not json.loads(done.stdout)["faults"]
    assert str(home) in (tmp_path / "logs" / "a.log").read_text()
    (home / "bots.toml").write_text('[a]\nbot = "random"\ndirectory = "none"\n')
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 3
    assert "there is no folder" in done.stderr


def test_sprt_is_continued(tmp_path: Path) -> None:
    arguments = (
        *("match", "engine", "random", "--game", "basic", "--nodes", "50"),
        *("--sprt", "0,300", "--out", "test.jsonl", "--json"),
    )
    first = json.loads(run(*arguments, cwd=tmp_path).stdout)
    assert first["sprt"]["passed"] is True
    assert first["sprt"]["ratio"] >= first["sprt"]["bounds"][1]
    again = json.loads(run(*arguments, cwd=tmp_path).stdout)
    assert again == first


def test_database_keeps_the_games_too(tmp_path: Path) -> None:
    arguments = ("match", "random", "mcts", "--game", "basic", "--event", "e", "--nodes", "20")
    first = run(*arguments, "--pairs", "2", "--out", "games.jsonl", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    # The database gets the games of the file, which is not needed afterwards.
    both = ("--out", "games.jsonl", "--database", "games.db")
    assert run(*arguments, "--pairs", "2", *both, cwd=tmp_path).returncode == 0
    rest = run(*arguments, "--pairs", "3", "--database", "games.db", "--json", cwd=tmp_path)
    assert "4 games already played" in rest.stderr
    assert json.loads(rest.stdout)["played"] == 6
    other = run(*arguments, "--seed", "7", "--database", "games.db", cwd=tmp_path)
    assert other.returncode == 3
    assert "games.db has another match: game 1 was played with Seed" in other.stderr


def test_table_grows_at_a_terminal(tmp_path: Path) -> None:
    arguments = ["match", "random", "mcts:simulations=50", "--game", "basic", "--pairs", "100"]
    child = pexpect.spawn(NOUGHTS, arguments, cwd=tmp_path, encoding="utf-8", timeout=PATIENCE)
    child.setwinsize(40, 100)
    child.expect(r"\d+ of 200 games")
    child.expect("Elo of mcts")
    child.sendintr()
    child.expect("stopped after [0-9]+ of 200 games; they are lost")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
