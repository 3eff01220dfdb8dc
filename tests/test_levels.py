"""Levels of play: wins seen and overlooked, the same play everywhere, their data and its bench."""

from __future__ import annotations

import importlib
import json
import random
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from samples import random_game

import noughts
from noughts.arena.statistics import score, standard_error
from noughts.engine import Engine
from noughts.games.lines import BOARD, HAS_LINE
from noughts.games.nested import NestedPosition
from noughts.games.position import Player
from noughts.games.registry import GAMES, sample
from noughts.games.row import RowPosition
from noughts.levels import (
    BEGINNERS,
    DEFAULT,
    LEVELS,
    BadLevels,
    Level,
    choose,
    is_seen,
    ladders,
    level_of,
    parsed,
)
from noughts.opponents import OpponentFailed, opponent
from noughts.search import Value

BENCH = Path(__file__).parent.parent / "bench"

WIN_IN_ONE = noughts.position("basic~XX1.OO1.3~X")
LOSS_IN_TWO = noughts.position("basic~X2.1O1.X2~O")


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_takes_an_immediate_win(level: int) -> None:
    engine = Engine("basic", table_mib=1)
    assert {
        choose(engine, WIN_IN_ONE, level_of("basic", level), seed).move for seed in range(20)
    } == {2}


def test_low_levels_overlook_more_than_high_levels() -> None:
    engine = Engine("basic", table_mib=1)

    def errors(level: int) -> int:
        return sum(
            choose(engine, LOSS_IN_TWO, level_of("basic", level), seed).move != 3
            for seed in range(50)
        )

    assert errors(1) > 10
    assert errors(5) < errors(1)
    assert errors(9) == errors(10) == 0


@pytest.mark.parametrize("rules_id", ["basic", "connect4", "advanced", "ultimate"])
def test_level_depends_only_on_position_and_seed(rules_id: str) -> None:
    engine, rng = Engine(rules_id, table_mib=4), random.Random(rules_id)
    positions = [list(random_game(noughts.game(rules_id), rng))[4] for _ in range(5)]
    for level in (level_of(rules_id, number) for number in (1, 3, 5)):
        moves = [choose(engine, position, level, 7).move for position in positions]
        again = [choose(engine, position, level, 7).move for position in reversed(positions)]
        assert moves == again[::-1]
        legal = [position.legal_moves() for position in positions]
        assert all(move in there for move, there in zip(moves, legal, strict=True))


def test_seen_values() -> None:
    assert is_seen(Value.win(3), 3)
    assert not is_seen(Value.loss(4), 3)
    assert not is_seen(Value.win(), 9)
    assert is_seen(Value.unknown(0.2), 1)
    assert is_seen(Value.draw(), 1)


def completes(position: RowPosition | NestedPosition, move: int, marks: int) -> bool:
    """Return whether a mark at a move completes a line with these marks, on its small board."""
    cell = position.cell(move)
    after = marks | 1 << cell
    if isinstance(position, NestedPosition):
        return HAS_LINE[after >> 9 * (cell // 9) & BOARD]
    return position.rules.line_through(cell, after)


def naive_move(position: RowPosition | NestedPosition, rng: random.Random) -> int:
    """Return a line, else a block, else any move, as a beginner plays."""
    legal = list(position.legal_moves())
    mine, theirs = (
        (position.x, position.o) if position.turn is Player.X else (position.o, position.x)
    )
    takes = [move for move in legal if completes(position, move, mine)]
    blocks = [move for move in legal if completes(position, move, theirs)]
    return rng.choice(takes or blocks or legal)


@pytest.mark.parametrize("name", GAMES)
def test_beginner_beats_the_level_of_newcomers_in_every_game(name: str) -> None:
    found = sample(name)
    assert found
    won = 0
    for seed in range(12):
        rng = random.Random(seed)
        machine = opponent(f"engine:level={BEGINNERS}", seed=seed)
        position = noughts.game(found[0].rules_id)
        while position.outcome() is None:
            assert isinstance(position, RowPosition | NestedPosition)
            move = (
                naive_move(position, rng) if not position.ply % 2 else machine.choose(position).move
            )
            assert move is not None
            position = position.play(move)
        won += position.outcome().winner is Player.X  # type: ignore[union-attr]
    assert won >= 3


@pytest.mark.parametrize("number", [1, 2, 4, 6])
def test_levels_play_near_the_stones_of_a_large_board(number: int) -> None:
    """Of 225 moves the one with the luckiest noise would often be at the edge."""
    position = noughts.game("mnk:15,15,5").after("h8")
    level = level_of("mnk:15,15,5", number)
    engine, moves = Engine("mnk:15,15,5", table_mib=8), set()
    for seed in range(4):
        move = choose(engine, position, level, seed).move
        assert move is not None
        assert max(abs(move // 15 - 7), abs(move % 15 - 7)) <= 4
        moves.add(move)
    assert len(moves) > 1


@pytest.mark.parametrize("rules_id", ["basic", "connect4", "advanced", "ultimate:tie=boards"])
def test_parameters_in_a_text_make_the_same_level(rules_id: str) -> None:
    level = level_of(rules_id, 3)
    text = f"engine:sight={level.sight},slip={level.slip},blur={level.blur},nodes={level.nodes}"
    start = noughts.game(rules_id)
    moves = [opponent("engine:level=3", seed).choose(start).move for seed in range(8)]
    assert [opponent(text, seed).choose(start).move for seed in range(8)] == moves
    assert len(set(moves)) > 1


def test_levels_grow_stronger_in_the_data() -> None:
    for game, ladder in ladders().items():
        assert game in (DEFAULT, *GAMES)
        *erring, highest = ladder
        assert highest == Level(1_000_000)
        for lower, upper in pairwise(erring):
            assert lower.sight is not None
            assert upper.sight is not None
            assert lower.sight < upper.sight
            assert lower.blur >= upper.blur


ROWS = [f"{n} = {{ sight = {n}, slip = 0, blur = 0, nodes = 9 }}" for n in LEVELS[:-1]]
GOOD = "\n".join(("[default]", *ROWS, "10 = { nodes = 9 }"))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[default]", "[default", "at line 1"),
        ("[default]", "[ultimate]", r"there is no table \[default\]"),
        ("[default]", "x = 1\n[default]", r"\[x\] must have the levels 1 to 10 in order"),
        ("\n2 =", "\n12 =", r"\[default\] must have the levels 1 to 10 in order"),
        ("10 = {", "10 = { sight = 9, ", "level 10 must have nodes and nothing else"),
        ("4 = { sight = 4, ", "4 = { ", "level 4 must have nodes, sight, slip, blur"),
        ("sight = 4", "sight = 4.5", "level 4: sight must be a number, not 4.5"),
        ("sight = 4, slip = 0", "sight = 4, slip = 1.5", "slip must be from 0 to 1, not 1.5"),
        ("10 = { nodes = 9", "10 = { nodes = 0", "nodes must be at least 1, not 0"),
        ("sight = 4", "sight = true", "sight must be a number, not True"),
    ],
)
def test_damaged_levels_are_refused(old: str, new: str, complaint: str) -> None:
    assert parsed(GOOD)[DEFAULT][8].sight == 9
    assert GOOD.count(old) == 1
    with pytest.raises(BadLevels, match=complaint):
        parsed(GOOD.replace(old, new))


def test_level_sees_as_far_in_every_game() -> None:
    other = GOOD.replace("default", "ultimate").replace("sight = 4", "sight = 5")
    with pytest.raises(BadLevels, match=r"\[ultimate\] level 4 sees 5 plies, and by \[default\] 4"):
        parsed(f"{GOOD}\n{other}")


def test_damaged_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ladders.cache_clear()
    monkeypatch.setattr("noughts.levels.files", lambda _: tmp_path)
    for content, complaint in ((None, "cannot read levels.toml"), (b"[", "levels.toml is damaged")):
        if content is not None:
            (tmp_path / "levels.toml").write_bytes(content)
        with pytest.raises(OpponentFailed, match=rf"{complaint}.*Install noughts again"):
            opponent("engine:level=4").choose(WIN_IN_ONE)
        with pytest.raises(OpponentFailed, match=complaint):
            opponent("engine").choose(WIN_IN_ONE)


def test_page_has_only_the_ten_levels() -> None:
    machine_moves = pytest.importorskip("noughts.web.machine_moves")
    with pytest.raises(noughts.NotationError, match="choose a level from 1 to 10"):
        machine_moves.parse_machine("engine:sight=4", noughts.game("basic"))


# The bench ----------------------------------------------------------------------------------------


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module that measures and tunes the levels."""
    monkeypatch.syspath_prepend(BENCH)
    return importlib.import_module("levels")


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / "levels.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_file_is_as_the_bench_writes_it(bench: Any) -> None:
    assert bench.text_of(ladders()) == bench.FILE.read_text(encoding="utf-8")


def test_steps_have_no_time_limit(bench: Any) -> None:
    """A busy machine must play the same games."""
    for step in bench.steps_of(ladders(), bench.GAMES):
        match, _ = bench.match_of(step.claim(1), 0)
        control = match.terms.control
        assert control.seconds is control.clock is control.depth is None
        assert control.nodes == max(step.a.nodes, step.b.nodes)


def test_ladder_is_of_these_levels(bench: Any) -> None:
    """Every level beats the one below by the measured games, two standard errors allowed."""
    steps = bench.steps_of(ladders(), bench.GAMES)
    points = bench.measured(bench.LADDER, steps)
    assert len(points) == len(steps) == 27
    for pairs in points.values():
        assert sum(pairs) > 0
        assert score(pairs) + 2 * standard_error(pairs) > bench.TARGET


def test_measure_continues(tmp_path: Path) -> None:
    ladder = tmp_path / "ladder.json"
    short = ("measure", "--game", "connect4", "--level", 2, "--ladder", ladder, "--out", tmp_path)
    first = run(*short, "--pairs", 2)
    assert first.returncode in (0, 1), first.stderr
    (row,) = json.loads(ladder.read_text())
    assert (row["game"], row["level"], sum(row["points"])) == ("connect4", 2, 2)
    (games,) = tmp_path.glob("*.jsonl")
    played = games.read_text()
    assert len(played.splitlines()) == 4
    assert run(*short, "--pairs", 3).returncode in (0, 1)
    assert games.read_text().startswith(played)
    assert len(games.read_text().splitlines()) == 6
    kept = ladder.read_text()
    ladder.unlink()
    # The last game is missing, and with it the last pair.
    games.write_text("".join(games.read_text().splitlines(keepends=True)[:-1]))
    shown = run("collect", "--ladder", ladder, "--out", tmp_path)
    assert ", 2 pairs |" in shown.stdout
    assert json.loads(ladder.read_text())[0].keys() == json.loads(kept)[0].keys()
    ladder.write_text(kept)
    shown = run("show", "--ladder", ladder)
    assert ", 3 pairs |" in shown.stdout
    assert shown.stdout.count("not measured") == 26


def test_next_noise_goes_where_the_aim_is(bench: Any) -> None:
    assert bench.next_blur({0.1: 0.85}, 0.7) > 0.1
    assert bench.next_blur({0.1: 0.6}, 0.7) < 0.1
    assert bench.next_blur({0.0: 0.85}, 0.7) > 0
    assert 0.1 < bench.next_blur({0.1: 0.8, 0.2: 0.6}, 0.7) < 0.2
    # A line of the wrong slope, by chance, is not followed.
    assert bench.next_blur({0.1: 0.8, 0.2: 0.82}, 0.7) > 0.1


def test_tune_changes_a_level_of_one_game(bench: Any, tmp_path: Path) -> None:
    file = tmp_path / "levels.toml"
    shutil.copy(bench.FILE, file)
    options = ("--game", "connect4", "--level", 2, "--pairs", 3, "--aim", 0.6, "--band", 0.01)
    done = run("tune", *options, "--file", file, "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    tried = {line.split()[2] for line in done.stdout.splitlines()}
    before, after = ladders(), parsed(file.read_text(encoding="utf-8"))
    assert len(tried) == len(done.stdout.splitlines()) >= 2
    assert f"{bench.bot(bench.ladder_of(after, 'connect4')[1])}:" in tried
    assert all(after[game] == before[game] for game in before if game != "connect4")
