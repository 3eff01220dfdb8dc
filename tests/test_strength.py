"""The matches of the bench in short: their games, and what is made of the results."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import noughts

BENCH = Path(__file__).parent.parent / "bench"
SHORT = ("connect4", "engine", "engine:nodes=20", "--nodes", "200", "--pairs", "2")


def strength(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, str(BENCH / "strength.py"), *arguments)
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def moves(played: Sequence[dict[str, Any]]) -> dict[int, list[str]]:
    return {record["pair"]: [game["moves"] for game in record["games"]] for record in played}


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what imports a module of the bench by its name."""
    monkeypatch.syspath_prepend(BENCH)
    return importlib.import_module


def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    first = strength(*SHORT, "--out", str(out))
    assert first.returncode == 0, first.stderr
    whole = out.read_text(encoding="utf-8")
    played = records(out)
    assert [record["pair"] for record in played] == [0, 1]
    for record in played:
        x, o = record["games"]
        assert (x["a"], o["a"]) == ("X", "O")
        # The same opening of four plies, and games that were played to their ends.
        assert x["moves"].split()[:4] == o["moves"].split()[:4]
        for game in (x, o):
            position = noughts.game("connect4")
            for move in noughts.parse_moves(position, game["moves"]):
                position = position.play(move)
            outcome = position.outcome()
            assert outcome is not None
            winner = None if outcome.winner is None else str(outcome.winner)
            assert game["score"] == (0.5 if winner is None else float(winner == game["a"]))
            assert len(game["a_times"]) + len(game["b_times"]) == position.ply - 4

    assert strength(*SHORT, "--out", str(out)).stdout == first.stdout
    assert out.read_text(encoding="utf-8") == whole

    out.write_text(whole[:-10], encoding="utf-8")
    again = strength(*SHORT, "--out", str(out), "--jobs", "2")
    assert "the last line was cut off" in again.stderr
    assert moves(records(out)) == moves(played)


def test_the_bridge_to_openspiel_plays_to_the_end(tmp_path: Path, bench: Any) -> None:
    try:
        bench("openspiel").import_pyspiel()
    except ImportError as error:
        if "CI" in os.environ:
            pytest.fail(f"CI runs these tests, and OpenSpiel cannot be imported: {error}")
        pytest.skip(f"OpenSpiel, the extra `oracle`, cannot be imported: {error}")
    for game, options in (("ultimate:tie=boards", ()), ("mnk:5,5,4", ("--exact",))):
        out = tmp_path / "pairs.jsonl"
        out.unlink(missing_ok=True)
        limits = ("--nodes", "200", "--pairs", "2", "--out", str(out))
        done = strength(game, "openspiel", "random", *limits, *options)
        assert done.returncode in (0, 1), done.stderr
        played = records(out)
        assert len(played) == 2
        assert all((record["worth"] in (0, 0.5, 1)) == bool(options) for record in played)
        # Two hundred simulations a move are worth more than none.
        assert sum(record["score"] for record in played) > 1


def test_half_points_below_the_value_are_lost(bench: Any) -> None:
    module = bench("strength")

    def lost(worth: float, as_x: float, as_o: float) -> int:
        games = [{"a": "X", "score": as_x}, {"a": "O", "score": as_o}]
        return int(module.half_points_lost([{"worth": worth, "games": games}]))

    # What X should win: a draw as X loses one half point, and O cannot lose any.
    assert [lost(1, 1, 0), lost(1, 0.5, 0), lost(1, 0, 1)] == [0, 1, 2]
    assert [lost(0.5, 0.5, 0.5), lost(0.5, 1, 0), lost(0, 0, 0)] == [0, 1, 2]


def test_openings_are_not_decided_at_once(bench: Any) -> None:
    module = bench("strength")
    assert module.undecided(noughts.position("basic~XX1.OO1.3~X")) is False
    assert module.undecided(noughts.position("basic~XO1.OX1.3~X")) is False
    # What the other side threatens, and a move that loses in misère, decide nothing.
    assert module.undecided(noughts.position("basic~X2.OO1.1X1~X")) is True
    assert module.undecided(noughts.position("mnk:3,3,3,misere~XX1.OO1.3~X")) is True


def test_who_never_errs_gives_nothing_away(bench: Any) -> None:
    module = bench("regret")
    worths = module.worths_of_moves("basic")
    assert module.mean_regret("perfect", worths, [0]) == 0
    # Exactly what chance would give away is the mean over all legal moves.
    exact = sum(
        sum(max(moves.values()) - worth for worth in moves.values()) / len(moves)
        for moves in worths.values()
    ) / len(worths)
    assert module.mean_regret("random", worths, range(5)) == pytest.approx(exact, rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "either a suite, or a game and two players"),
        (("basic", "random", "random", "--suite", "exact"), "either a suite, or a game"),
        (("draughts", "random", "random"), "no game 'draughts'"),
        (("basic", "random", "human"), "a person plays no match"),
        (("advanced", "random", "openspiel"), "OpenSpiel has no advanced"),
        (("basic", "random", "random", "--plies", "9"), "no opening of 9 plies"),
        (("basic", "random", "random", "--seconds", "0"), "must be above 0"),
        (("basic", "random", "random", "--pairs", "0"), "at least one pair"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: tuple[str, ...], complaint: str) -> None:
    done = strength(*arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
