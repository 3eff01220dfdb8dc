"""`noughts puzzle` in the terminal: solving, help, streaks, wrong usage."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from command import run

from noughts.games.position import move_texts
from noughts.puzzles.puzzle import Puzzle, puzzle_of_day, puzzles_of
from noughts.puzzles.streak import Streak, load_streak

SEED = "3"


def play(folder: Path, entries: str, *arguments: str) -> str:
    done = run(
        *("puzzle", "play", *arguments), entries=entries, XDG_DATA_HOME=str(folder), TERM="dumb"
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def kept(folder: Path) -> Streak:
    return load_streak(folder / "noughts" / "puzzles.json")


def answers(puzzle: Puzzle) -> str:
    """Return the own moves of a solution, one a line."""
    return "".join(f"{text}\n" for text in move_texts(puzzle.position, puzzle.line)[::2])


def first_of(folder: Path, *arguments: str) -> Puzzle:
    """Return the puzzle that a new person gets first."""
    shown = play(folder, "show\nquit\n", *arguments)
    solution = shown.partition("Solution: ")[2].partition("\n")[0]
    found = [
        each
        for each in puzzles_of("mnk:5,5,4")
        if " ".join(move_texts(each.position, each.line)) == solution
        and f"rating {each.rating}\n" in shown
    ]
    assert found
    return found[0]


def test_a_person_solves_a_puzzle(tmp_path: Path) -> None:
    arguments = ("mnk:5,5,4", "--level", "medium", "--seed", SEED)
    puzzle = first_of(tmp_path / "other", *arguments)
    shown = play(tmp_path, answers(puzzle) + "quit\n", *arguments)
    assert puzzle.task in shown
    assert "Solved!\n" in shown
    assert shown.count("Yes. ") == puzzle.moves - 1
    assert "In a row without help: 1. Best: 1." in shown
    assert kept(tmp_path) == Streak([puzzle.id], 1, 1)
    again = play(tmp_path, "show\nquit\n", *arguments)
    assert f"Solution: {' '.join(move_texts(puzzle.position, puzzle.line))}\n" not in again


def test_wrong_moves_and_hints_end_the_row(tmp_path: Path) -> None:
    arguments = ("mnk:5,5,4", "--level", "medium", "--seed", SEED)
    puzzle = first_of(tmp_path / "other", *arguments)
    position = puzzle.position
    wrong = next(m for m in position.legal_moves() if m != puzzle.line[0])
    Streak(["0" * 10], 4, 6).save(tmp_path / "noughts" / "puzzles.json")
    text = position.move_text(wrong)
    taken = next(
        position.move_text(cell) for cell in range(25) if cell not in position.legal_moves()
    )
    entries = f"help\n{taken}\n{text}\nhint\nhint\nhint\nhint\nhint\n{answers(puzzle)}quit\n"
    shown = play(tmp_path, entries, *arguments)
    assert "show     show the solution, and continue" in shown
    assert f"Cell {taken} is taken." in shown or f"{taken} is taken" in shown
    assert "No.\n" in shown
    assert "No more hints." in shown
    assert "Solved!" in shown
    assert "In a row" not in shown
    assert (kept(tmp_path).in_row, kept(tmp_path).best) == (0, 6)


def test_skip_goes_to_the_next_puzzle(tmp_path: Path) -> None:
    shown = play(tmp_path, "skip\nskip\n", "basic", "--seed", SEED)
    assert "Puzzle 1 of " in shown
    assert "Puzzle 3 of " in shown
    assert kept(tmp_path) == Streak()


def test_the_puzzle_of_the_day_counts_days(tmp_path: Path) -> None:
    today = datetime.date.today()
    file = tmp_path / "noughts" / "puzzles.json"
    yesterday = (today - datetime.timedelta(1)).isoformat()
    Streak(days=6, day=yesterday).save(file)
    shown = play(tmp_path, answers(puzzle_of_day(today)), "--today")
    assert "Days in a row: 7." in shown
    assert "Days in a row: 7." in play(tmp_path, answers(puzzle_of_day(today)), "--today")
    data = json.loads(file.read_text())
    assert data | {"days": 7, "day": today.isoformat()} == data
    Streak(days=6, day="2020-01-01").save(file)
    assert "Days in a row: 1." in play(tmp_path, answers(puzzle_of_day(today)), "--today")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["play", "chess"], 2, 'No game called "chess"'),
        (["play", "connect4:5,4"], 2, "There are no puzzles of connect4:5,4. Games: basic"),
        (["play", "basic", "--today"], 2, "--today takes no game"),
        (["play", "basic", "--level", "hard"], 2, "There are no hard puzzles of basic"),
        (["make", "chess", "--out", "x"], 2, 'No game called "chess"'),
        (["make", "basic", "--out", "/nowhere/x"], 3, "--out: cannot write"),
        (["make", "mnk:15,15,5", "--keep", "--out", "x"], 2, "--keep needs exact values"),
    ],
)
def test_wrong_usage(arguments: list[str], code: int, said: str, tmp_path: Path) -> None:
    done = run("puzzle", *arguments, XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == code
    assert said in done.stderr


def test_a_damaged_streak_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "noughts" / "puzzles.json"
    file.parent.mkdir()
    file.write_text("{")
    done = run("puzzle", "play", "basic", XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 4
    assert "puzzles.json is damaged" in done.stderr
    assert file.read_text() == "{"


def test_make_prints_the_number_of_puzzles(tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    done = run("puzzle", "make", "connect4:5,4", "--count", 2, "--seed", 1, "--out", file)
    assert done.stdout.startswith(f"{file}: 2 puzzles from ")
