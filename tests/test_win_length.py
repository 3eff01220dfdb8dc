"""The bound on the length of X's win in ultimate:won=open: it is never higher than the truth."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from proof_samples import TOOLS, compiled

import noughts
from noughts.engine import Engine
from noughts.games.position import Player
from noughts.search import Limit

RULES = "ultimate:won=open"
OPENING = "55 51 15 52 25 53 35 54 45 56 65 57 75 58 85 59"
"""Sixteen plies in which X leaves O no choice: from here X wins by ply 43, and not before."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(TOOLS / "win_length.cpp", tmp_path_factory.mktemp("win_length"))


def answer(program: Path, *texts: str) -> str:
    run = subprocess.run([program, *texts], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    assert (run.returncode == 0) == run.stdout.startswith("no win"), run.stdout
    return run.stdout.strip()


@pytest.mark.parametrize(
    ("ply", "moves", "positions"), [(21, "", 8_796), (23, "", 48_153), (33, OPENING, 6_315)]
)
def test_positions_are_counted(program: Path, ply: int, moves: str, positions: int) -> None:
    found = answer(program, str(ply), "--moves", moves, "--bits", "20")
    assert found == f"no win by ply {ply}: {positions} positions"


def test_no_win_of_the_engine_is_denied(program: Path) -> None:
    engine = Engine(RULES, table_mib=16)
    won = denied = 0
    for seed in range(40):
        rng, line, moves = random.Random(seed), [noughts.game(RULES)], list[str]()
        while line[-1].outcome() is None:
            move = rng.choice(line[-1].legal_moves())
            moves.append(line[-1].move_text(move))
            line.append(line[-1].play(move))
        for left in (7, 10, 13):
            position = line[-1 - left]
            last_ply = min(81, position.ply + 9 - position.ply % 2)
            found = engine.solve(position, Limit(depth=last_ply - position.ply, nodes=300_000))
            x_wins = found.exact and (
                found.value.is_win if position.turn is Player.X else found.value.kind == "loss"
            )
            played = " ".join(moves[: position.ply])
            said = answer(program, str(last_ply), "--moves", played, "--bits", "12")
            won += x_wins
            denied += said.startswith("no win")
            assert not (x_wins and said.startswith("no win")), (str(position), last_ply)
    assert won > 10
    assert denied > 10


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("x",),
        ("0",),
        ("41", "--moves"),
        ("41", "--moves", "55 99"),
        ("41", "--moves", "5551"),
        ("41", "--moves", "50"),
        ("41", "--bits", "99"),
        ("41", "--more", "1"),
    ],
)
def test_wrong_arguments_are_refused(program: Path, texts: tuple[str, ...]) -> None:
    run = subprocess.run([program, *texts], capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stderr.startswith("win_length: ")
