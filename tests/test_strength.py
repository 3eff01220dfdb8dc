"""The strength bench in short: its matches, and its evaluation of results."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import noughts
from noughts.arena.openings import Opening
from noughts.arena.schedule import Fixture
from noughts.games.record import Record

BENCH = Path(__file__).parent.parent / "bench"


def strength(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, str(BENCH / "strength.py"), *arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the function that imports a module of the bench."""
    monkeypatch.syspath_prepend(BENCH)
    return importlib.import_module


def test_run_is_continued(tmp_path: Path) -> None:
    short = ("evaluation", "--game", "advanced", "--seconds", "0.005", "--pairs", "2")
    first = strength(*short, "--out", str(tmp_path))
    assert first.returncode == ("MISSED" in first.stdout), first.stderr
    (path,) = tmp_path.iterdir()
    whole = path.read_text(encoding="utf-8")
    assert len(whole.splitlines()) == 4
    again = strength(*short, "--out", str(tmp_path))
    assert (again.returncode, again.stdout) == (first.returncode, first.stdout)
    assert path.read_text(encoding="utf-8") == whole


def test_openings_of_exact_claims_have_proven_values(bench: Any) -> None:
    module = bench("strength")
    claim = module.Claim("mnk:4,4,3", "random", "perfect", pairs=3, plies=3, exact=True)
    match, worths = module.match_of(claim, seed=0)
    assert len(worths) == 3
    assert len(match.fixtures) == 6
    for opening, worth in worths.items():
        position = module.end_of(opening)
        value = noughts.search.negamax(position).value.kind
        for_mover = {"win": 1.0, "draw": 0.5, "loss": 0.0}[value]
        assert worth == (for_mover if position.turn is noughts.Player.X else 1 - for_mover)


def test_half_points_below_the_value_are_lost(bench: Any) -> None:
    module = bench("strength")
    start, opening = noughts.game("mnk:9,9,5"), Opening("mnk:9,9,5")
    claim = module.Claim("mnk:9,9,5", "a", "b", exact=True)
    fixtures = [Fixture(number, 1, opening, 0, 1, 0) for number in (1, 2)]

    def lost(worth: float, *results: str) -> int:
        games = [
            Record.from_moves(start, [], {"X": x, "O": o}, result=result)
            for (x, o), result in zip((("a", "b"), ("b", "a")), results, strict=True)
        ]
        return int(module.half_points_lost(claim, fixtures, games, {opening: worth}))

    draw = "1/2-1/2"
    # X should win: a draw as X loses one half point, and O cannot lose any.
    assert [lost(1, "1-0", "1-0"), lost(1, draw, "1-0"), lost(1, "0-1", "0-1")] == [0, 1, 2]
    assert [lost(0.5, draw, draw), lost(0.5, "1-0", "1-0"), lost(0, "0-1", "1-0")] == [0, 1, 2]


def test_perfect_play_loses_nothing(bench: Any) -> None:
    module = bench("regret")
    worths = module.worths_of_moves("basic")
    assert module.mean_regret("perfect", worths, [0]) == 0
    # The exact loss of random play is the mean over all legal moves.
    exact = sum(
        sum(max(moves.values()) - worth for worth in moves.values()) / len(moves)
        for moves in worths.values()
    ) / len(worths)
    assert module.mean_regret("random", worths, range(5)) == pytest.approx(exact, rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "required: suite"),
        (("all",), "invalid choice: 'all'"),
        (("exact", "--game", "basic"), "has no claims about basic"),
        (("evaluation", "--plies", "99"), "after 99 plies every game is over"),
        (("exact", "--pairs", "0"), "--pairs and --jobs must be at least 1"),
    ],
)
def test_unplayable_claims_are_refused(arguments: tuple[str, ...], complaint: str) -> None:
    done = strength(*arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
