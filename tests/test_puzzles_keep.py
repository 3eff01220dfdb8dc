"""Puzzles in which one move keeps a win, proven again by the checker of certificates in C."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE
from proof_samples import TOOLS, compiled

import noughts
from noughts.answers import tasks
from noughts.cli.puzzle_play import PuzzleGame
from noughts.cli.terminal import Terminal
from noughts.engine import Engine
from noughts.games.nested import Advanced
from noughts.games.position import NotationError
from noughts.judgement.judge import Judge
from noughts.proof.certificate import Certificate
from noughts.puzzles.make import make, puzzles_of_game
from noughts.puzzles.proof import GLANCE, Prover
from noughts.puzzles.puzzle import KEEP_GAMES, Puzzle, puzzles_of
from noughts.puzzles.solve import faults, judged, reasons, rest_of_solution
from noughts.puzzles.streak import Streak
from noughts.search.result import Limit

SAMPLE = 6
"""Puzzles that `make test` proves again."""
KEEPS = [puzzle for puzzle in puzzles_of("advanced") if puzzle.kind == "keep"]

Wins = Callable[[Advanced, int], bool]


@pytest.fixture(scope="module")
def wins(tmp_path_factory: pytest.TempPathFactory) -> Wins:
    """Return a function that says whether a move wins, by the checker of certificates in C."""
    folder = tmp_path_factory.mktemp("checker")
    program, file = compiled(TOOLS / "check_proof.c", folder), folder / "after.proof"

    def wins(position: Advanced, move: int) -> bool:
        after = position.play(move)
        outcome = after.outcome()
        if outcome is not None:
            return outcome.winner is position.turn
        # Without a move: the checker itself proves the position after each reply.
        file.write_bytes(Certificate(str(after), position.turn, after.ply + 1, b"").packed())
        done = subprocess.run([program, file], capture_output=True, text=True, timeout=PATIENCE)
        said = done.stdout
        places = ("not proven: leaf ", "not proven: the other side wins after move 0")
        assert done.returncode == 0 or said.startswith((*places, "not proven: a draw after move 0"))
        return done.returncode == 0

    return wins


def winning(position: Advanced, wins: Wins) -> list[int]:
    return [move for move in position.legal_moves() if wins(position, move)]


def test_there_are_puzzles_of_this_kind() -> None:
    assert KEEP_GAMES == ("advanced",)
    assert len(KEEPS) >= 30
    assert {puzzle.player for puzzle in KEEPS} == set(noughts.Player)
    assert {puzzle.level for puzzle in KEEPS} == {"easy", "medium", "hard"}
    for puzzle in KEEPS:
        assert puzzle.task == f"{puzzle.player} to move: only one move keeps the win."
        assert (puzzle.moves, len(puzzle.line)) == (1, 1)


def test_a_sample_is_proven_again(wins: Wins) -> None:
    for puzzle in random.Random(len(KEEPS)).sample(KEEPS, SAMPLE):
        assert isinstance(puzzle.position, Advanced)
        assert winning(puzzle.position, wins) == [puzzle.line[0]]


@pytest.mark.soak
def test_all_are_proven_again(wins: Wins) -> None:
    for puzzle in KEEPS:
        assert isinstance(puzzle.position, Advanced)
        assert winning(puzzle.position, wins) == [puzzle.line[0]]


def test_the_only_win_is_that_of_the_checker(wins: Wins) -> None:
    """Compare positions with no, one and several winning moves: puzzles, and two plies on."""
    engine = Engine("advanced", table_mib=16, book=False)
    compared: Counter[int] = Counter()
    for puzzle in [each for each in KEEPS if each.position.ply >= 20][::8]:
        rng = random.Random(puzzle.id)
        right, wrong = puzzle.line[0], rng.choice(puzzle.position.legal_moves())
        between = [puzzle.position.play(move) for move in {right, wrong}]
        later = [each.play(rng.choice(each.legal_moves())) for each in between]
        for position in (puzzle.position, *between, *later):
            assert isinstance(position, Advanced)
            if position.outcome() is not None:
                continue
            engine.clear()
            if engine.best_move(position, Limit(nodes=GLANCE), moves=True).value.is_win:
                continue
            moves = winning(position, wins)
            engine.clear()
            found = Prover("advanced", engine=engine).only_win(position)
            assert found == (moves[0] if len(moves) == 1 else None)
            compared[min(len(moves), 2)] += 1
    assert set(compared) == {0, 1, 2}
    assert compared.total() > 12


def test_only_the_solution_is_right() -> None:
    for puzzle in KEEPS[:: len(KEEPS) // 6]:
        assert rest_of_solution(puzzle, ()) == puzzle.line
        for move in puzzle.position.legal_moves():
            verdict = judged(puzzle, (), move)
            assert verdict.right == verdict.solved == (move == puzzle.line[0])


def test_reasons_and_faults_say_nothing_unproven() -> None:
    puzzle = max(KEEPS, key=lambda each: each.rating)
    position = puzzle.position
    judge = Judge(position, Limit(nodes=10_000))
    assert not judge.values(position).value.is_exact
    *_, only = reasons(puzzle, judge)
    assert (only.kind, only.move, str(only.value)) == ("only", puzzle.line[0], "W")
    for move in position.legal_moves():
        if move != puzzle.line[0]:
            for fact in faults(puzzle, position, move, judge):
                assert fact.kind != "estimate"
                assert fact.value is None or fact.value.is_loss or fact.value.is_draw


def test_answers_to_a_program() -> None:
    puzzle = KEEPS[0]
    position = puzzle.position
    first = position.move_text(puzzle.line[0])
    answer = tasks.puzzle_move(puzzle.id, [], first)
    assert answer["solved"]
    texts = [each["text"] for each in answer["sentences"]]
    assert texts[-1] == f"{first} is the only winning move."
    assert tasks.puzzle_solution(puzzle.id, [])["moves"] == [first]
    other = next(move for move in position.legal_moves() if move != puzzle.line[0])
    wrong = tasks.puzzle_move(puzzle.id, [], position.move_text(other))
    assert not wrong["right"]
    assert not any("Not proven" in each["text"] for each in wrong["sentences"])


def test_a_person_is_told_that_a_move_gives_up_the_win(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    puzzle: Puzzle = KEEPS[-1]
    position = puzzle.position
    first = position.move_text(puzzle.line[0])
    other = next(
        text for move in position.legal_moves() if (text := position.move_text(move)) != first
    )
    entries = iter([other, first])
    monkeypatch.setattr("builtins.input", lambda *_: next(entries))
    streak = Streak()
    assert PuzzleGame(Terminal(ascii_only=True), streak).solve(puzzle, "Puzzle 1")
    said = capsys.readouterr().out
    assert f"{puzzle.player} to move: only one move keeps the win." in said
    assert f"No. {other} does not keep the win." in said
    assert "Solved!\n" in said
    assert f"{first} is the only winning move." in said
    assert streak.solved == [puzzle.id]


def test_the_command_makes_the_installed_puzzles() -> None:
    """Game 11 of the command at the head of the installed file has a puzzle of it."""
    (made,) = puzzles_of_game("advanced", 2, 11, keep=True)
    assert made in KEEPS


def test_large_boards_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="too large to solve"):
        next(make("mnk:15,15,5", 1, 1, tmp_path / "x.txt", keep=True))
    assert not list(tmp_path.iterdir())
