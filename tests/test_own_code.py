"""Code of users: games, evaluations, and what they hear where it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import run
from samples import NIM

import noughts
from noughts import NotationError
from noughts.opponents import opponent
from noughts.search import alphabeta
from noughts.search.textbook import parse_search
from noughts.search.walk import BadEvaluation

EVALUATIONS = """
def centre(position):
    owner = position.mark(4)
    return 0.0 if owner is None else 0.5 if owner is position.turn else -0.5
def five(position): return 5
def none(position): return None
def bad(position):
    return {}["x"]
def two(position, more): return 0.0
"""
HALF = """
import noughts
@noughts.register
class Half(noughts.Position):
    name = "half"
    def legal_moves(self): return [0]
"""
OTHER = """
import noughts
@noughts.register
class Other:
    name = "other"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ev.py").write_text(EVALUATIONS)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("nothing.py", "x = 1", "nothing.py registers no game; write @noughts.register"),
        ("none.py", None, "--load: there is no file none.py"),
        ("half.py", HALF, "Half lacks __str__, key, outcome, play, turn, which every game"),
        ("other.py", OTHER, "a game is a subclass of noughts.Position, not <class"),
        ("nameless.py", HALF.replace("name =", "label ="), "Half lacks name, __str__, key"),
        ("fails.py", "1 / 0", "fails.py: ZeroDivisionError"),
    ],
)
def test_wrong_game_is_named(folder: Path, name: str, code: str | None, said: str) -> None:
    if code is not None:
        (folder / name).write_text(code)
    done = run("--load", name, "games")
    assert done.returncode in (2, 3)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_file_in_place_of_a_game_is_named() -> None:
    done = run("solve", NIM)
    assert done.returncode == 2
    assert "nim.py`, and name its game." in done.stderr


def test_own_game_is_solved_in_python() -> None:
    done = run("--load", NIM, "solve", "nim")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("W 11   best a2 ")
    weakly = run("--load", NIM, "solve", "nim", "--weakly", "--json")
    assert '"value": "win", "plies": null' in weakly.stdout
    cut = run("--load", NIM, "solve", "nim", "--seconds", "0.001", "--json")
    assert '"bounds": [null, null]' in cut.stdout


@pytest.mark.usefixtures("folder")
def test_own_evaluation_by_text() -> None:
    for search in ("alphabeta", "hminimax", "negamax"):
        text = f"{search}:depth=1,evaluation=ev.py:centre"
        found = opponent(text, own_code=True).choose(noughts.game("basic"))
        assert found.text == "5"
        assert parse_search(text, noughts.game("basic"), own_code=True).options["evaluate"]
    done = run("compare", "basic", "--depth", "2", "--evaluation", "ev.py:centre")
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("five", "ev.py:five returned 5 for basic~"),
        ("none", "returned None for basic~"),
        ("bad", "ev.py:bad fails on basic~X2.3.3~O: KeyError: 'x' (line 8 of ev.py)."),
        ("two", "TypeError: two() missing 1 required positional argument: 'more'."),
    ],
)
def test_wrong_evaluation_is_named(name: str, said: str) -> None:
    text = f"alphabeta:depth=1,evaluation=ev.py:{name}"
    for words in (
        ("tree", "basic", "--algorithm", text),
        ("compare", "basic", "--depth", "1", "--evaluation", f"ev.py:{name}"),
    ):
        done = run(*words)
        assert done.returncode == 3
        assert said in done.stderr
        assert "Traceback" not in done.stderr
    match = run("match", f"bot={text}", "random", "--game", "basic", "--pairs", "1")
    assert "bot, game 1: crash: ev.py:" in match.stdout + match.stderr
    with pytest.raises(BadEvaluation):
        alphabeta(noughts.game("basic"), noughts.Limit(depth=1), evaluate=lambda _: 5)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ev.py:nothing", "ev.py has no function nothing"),
        ("no.py:centre", "there is no file no.py"),
        ("centre", "there is no evaluation 'centre'"),
        ("ev.py", "evaluation must be a name, or a function such as FILE.py:function"),
    ],
)
def test_evaluations_that_cannot_be_loaded(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        opponent(f"alphabeta:evaluation={text}", own_code=True)
    assert reason in refused.value.reason


@pytest.mark.usefixtures("folder")
def test_only_the_command_line_runs_files() -> None:
    """The server reads such texts from its clients."""
    text = "alphabeta:evaluation=ev.py:centre"
    for read in (lambda: opponent(text), lambda: parse_search(text, noughts.game("basic"))):
        with pytest.raises(NotationError, match="only at the command line"):
            read()
    with pytest.raises(NotationError):
        opponent("engine:evaluation=ev.py:centre", own_code=True)


def test_many_positions_are_evaluated_at_once() -> None:
    engine = noughts.Engine("ultimate")
    start = noughts.game("ultimate")
    values = engine.evaluate([start, start.play("55"), str(start.play("11"))])
    assert [value.estimate is not None for value in values] == [True] * 3
    assert values[0].estimate != values[1].estimate
    with pytest.raises(TypeError, match=r"not list; `Engine.evaluate` takes many"):
        engine.best_move([start])  # type: ignore[arg-type]
    for one in (start, "ultimate"):
        with pytest.raises(TypeError, match="a list of positions"):
            engine.evaluate(one)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a list of bots"):
        noughts.play_match("level4")


@pytest.mark.parametrize("rules", ["connect4:5,4", "mnk:4,3,3", "ultimate", "advanced"])
def test_planes_have_the_marks_where_they_lie(rules: str) -> None:
    position = noughts.game(rules)
    for move in (0, 1, 2, 12):
        if move in position.legal_moves():
            position = position.play(move)
    mine, theirs, *legal = position.planes()  # type: ignore[attr-defined]
    drawn = position.diagram()
    assert sum(map(sum, mine)) == drawn.count(str(position.turn))
    assert sum(map(sum, theirs)) == drawn.count(str(position.turn.other))
    assert sum(sum(map(sum, plane)) for plane in legal) in (0, len(position.legal_moves()))
