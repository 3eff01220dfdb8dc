"""The API of puzzles."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest
from web import Person, people, problem

from noughts.games.position import move_texts
from noughts.puzzles.puzzle import GAMES, LEVELS, Puzzle, all_puzzles, puzzle_of_day, puzzles_of


@pytest.fixture(scope="module")
def anna(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with people(tmp_path_factory.mktemp("games")) as (found,):
        yield found


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return next(each for each in puzzles_of("connect4") if each.moves == 3)


def test_lists_are_by_game_and_difficulty(anna: Person) -> None:
    whole = anna.get_json("/puzzles", params={"count": 60})
    assert whole["total"] == len(all_puzzles())
    assert [each["rules"] for each in whole["games"]] == list(GAMES)
    assert sum(sum(each["levels"].values()) for each in whole["games"]) == whole["total"]
    ratings = [each["rating"] for each in whole["puzzles"]]
    assert len(ratings) == 60
    assert ratings == sorted(ratings)
    for level in LEVELS:
        wanted = {"rules": "connect4", "level": level, "count": 5}
        found = anna.get_json("/puzzles", params=wanted)
        assert {each["rules"] for each in found["puzzles"]} <= {"connect4"}
        assert {each["level"] for each in found["puzzles"]} <= {level}
        later = anna.get_json("/puzzles", params=wanted | {"start": 2, "count": 3})
        assert later["puzzles"] == found["puzzles"][2:]
        after = anna.get_json(
            "/puzzles", params=wanted | {"after": found["puzzles"][1]["id"], "count": 3}
        )
        assert after["puzzles"] == later["puzzles"]
    assert anna.get_json("/puzzles", params={"rules": "mnk:4,4,3"})["total"] == 0


def test_a_puzzle_does_not_tell_its_solution(anna: Person, puzzle: Puzzle) -> None:
    shown = anna.get_json(f"/puzzles/{puzzle.id}")
    assert shown["task"] == puzzle.task
    assert shown["position"]["position"] == str(puzzle.position)
    assert [each["name"] for each in shown["themes"]] == list(puzzle.themes)
    assert "line" not in shown
    assert "solved" not in shown


def test_the_puzzle_of_a_day(anna: Person) -> None:
    day = datetime.date(2026, 11, 23)
    assert anna.get_json(f"/puzzles/days/{day}")["id"] == puzzle_of_day(day).id
    for wrong in ("today", "0", "20261123"):
        assert problem(anna.ask("GET", f"/puzzles/days/{wrong}")) == (422, "request")


def test_a_puzzle_is_solved_move_by_move(anna: Person, puzzle: Puzzle) -> None:
    texts = move_texts(puzzle.position, puzzle.line)
    path = f"/puzzles/{puzzle.id}/moves"
    for number in range(0, len(texts), 2):
        answer = anna.ask("POST", path, {"moves": texts[:number], "move": texts[number]}).json()
        assert answer["right"]
        assert answer["solved"] == (number == len(texts) - 1)
        assert answer["reply"] == (None if answer["solved"] else texts[number + 1])
        after = [puzzle.position.after(puzzle.line[: number + 1])]
        if not answer["solved"]:
            after.append(puzzle.position.after(puzzle.line[: number + 2]))
        assert [each["position"] for each in answer["positions"]] == [*map(str, after)]
        assert bool(answer["sentences"]) == answer["solved"]
    rest = anna.ask("POST", f"/puzzles/{puzzle.id}/solution", {"moves": texts[:2]}).json()
    assert rest["moves"] == texts[2:]
    assert rest["sentences"][0]["move"] == texts[0]


def test_a_wrong_move_is_explained(anna: Person, puzzle: Puzzle) -> None:
    position = puzzle.position
    wrong = next(move for move in position.legal_moves() if move != puzzle.line[0])
    body = {"move": position.move_text(wrong)}
    answer = anna.ask("POST", f"/puzzles/{puzzle.id}/moves", body).json()
    assert not answer["right"]
    assert answer["reply"] is None
    assert answer["sentences"]


def test_wrong_requests_are_refused(anna: Person, puzzle: Puzzle) -> None:
    path = f"/puzzles/{puzzle.id}"
    for unknown in ("0123456789", "ABC", "xyz"):
        answer = anna.ask("GET", f"/puzzles/{unknown}")
        assert problem(answer) == (404, "not-found")
        assert answer.json()["detail"] == "There is no such puzzle."
    assert problem(anna.ask("POST", "/puzzles/xyz/solution", {})) == (404, "not-found")
    assert problem(anna.ask("POST", f"{path}/moves", {"move": "9"})) == (422, "illegal-move")
    assert problem(anna.ask("POST", f"{path}/moves", {"moves": ["9"], "move": "1"})) == (
        422,
        "illegal-move",
    )
    assert problem(anna.ask("POST", f"{path}/solution", {"moves": ["1"] * 21})) == (422, "request")
    assert problem(anna.ask("GET", "/puzzles", params={"level": "mate"})) == (422, "request")
    full = [*move_texts(puzzle.position, puzzle.line)]
    status, _ = problem(anna.ask("POST", f"{path}/moves", {"moves": full, "move": "1"}))
    assert status == 422


def test_lines_that_leave_the_solution(anna: Person, puzzle: Puzzle) -> None:
    """A program may send any legal moves."""
    position, moves = puzzle.position, list[str]()
    for _ in range(2):
        move = next(m for m in position.legal_moves() if m != puzzle.line[0])
        moves.append(position.move_text(move))
        position = position.play(move)
    rest = anna.ask("POST", f"/puzzles/{puzzle.id}/solution", {"moves": moves})
    assert rest.status_code == 200
    path, move_text = f"/puzzles/{puzzle.id}/moves", position.move_text(position.legal_moves()[0])
    right = anna.ask("POST", path, {"moves": moves, "move": move_text}).json()["right"]
    assert right == bool(rest.json()["moves"][:1] == [move_text])
    for many in (moves[:1], [*moves, move_text]):
        answer = anna.ask("POST", path, {"moves": many, "move": "1"})
        assert answer.status_code == 422
        assert "at most 4" in answer.json()["detail"]
