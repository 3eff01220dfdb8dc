"""Openings: they have the requested properties, and are the same in every run."""

from __future__ import annotations

from pathlib import Path

import pytest

import noughts
from noughts.arena.openings import (
    EVEN,
    PROVABLE_PLY,
    NoOpenings,
    Opening,
    balanced_openings,
    even_openings,
    is_estimated,
    random_openings,
    read_openings,
)
from noughts.engine import Engine
from noughts.games import record, registry
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.record import Record
from noughts.search import Limit, negamax


def end_of(opening: Opening) -> Position:
    place = registry.parse_start(opening.start)
    for move in opening.moves:
        place = place.play(move)
    return place


@pytest.mark.parametrize(
    ("start", "plies"),
    [
        ("basic", 3),
        ("mnk:4,4,3,misere", 4),
        ("connect4:5,4,3", 4),
        ("advanced:full=draw", 6),
        ("ultimate:tie=boards,won=open", 8),
        ("connect4~7.7.7.7.7.3X3~O", 2),
    ],
)
def test_random_openings_leave_a_game_to_play(start: str, plies: int) -> None:
    found = random_openings(start, plies, 40, seed=5)
    assert {len(opening.moves) for opening in found} == {plies}
    assert {opening.start for opening in found} == {start}
    ends = [end_of(opening) for opening in found]
    assert len({end.key() for end in ends}) == len(found) > 20
    for end in ends:
        assert end.outcome() is None
        for move in end.legal_moves():
            outcome = end.play(move).outcome()
            assert outcome is None or outcome.winner is not end.turn


def test_random_openings_depend_only_on_the_seed() -> None:
    first = random_openings("ultimate", 4, 20, seed=1)
    assert first == random_openings("ultimate", 4, 20, seed=1)
    assert first == random_openings("ultimate", 4, 50, seed=1)[:20]
    assert first != random_openings("ultimate", 4, 20, seed=2)


def test_number_of_openings_is_at_most_that_of_positions() -> None:
    assert len(random_openings("basic", 1, 100, seed=0)) == 9
    assert random_openings("basic", 0, 100, seed=0) == [Opening("basic")]
    with pytest.raises(NoOpenings, match="after 9 plies every game is over"):
        random_openings("basic", 9, 1, seed=0)


@pytest.mark.usefixtures("nim")
def test_openings_of_a_registered_game() -> None:
    assert len(random_openings("nim", 2, 10, seed=0)) == 10
    with pytest.raises(NoOpenings, match="none is a draw"):
        balanced_openings("nim", 2, 1, seed=0)


def test_balanced_openings_are_draws() -> None:
    told: list[tuple[int, int]] = []
    drawn = balanced_openings("mnk:3,3,3", 3, 12, 1, lambda *done: told.append(done))
    assert len(drawn.openings) == 12
    assert drawn.tried >= drawn.solved > 12
    assert told[-1] == (12, 12)
    assert {negamax(end_of(opening)).value.kind for opening in drawn.openings} == {"draw"}
    again = balanced_openings("mnk:3,3,3", 3, 30, 1)
    assert again.openings[:12] == drawn.openings
    assert 12 < len(again.openings) < 31


def test_even_openings_are_those_of_the_seed() -> None:
    told: list[tuple[int, int]] = []
    found = even_openings("mnk:15,15,5", 5, 3, 2, lambda *done: told.append(done), nodes=2_000)
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert len({end_of(opening).key() for opening in found}) == 3
    assert even_openings("mnk:15,15,5", 5, 2, 2, nodes=2_000) == found[:2]
    assert all(
        4 <= move % 15 <= 10 and 4 <= move // 15 <= 10 for each in found for move in each.moves
    )
    engine = Engine("mnk:15,15,5", table_mib=16, seed=2)
    for opening in found:
        engine.clear()
        estimate = engine.best_move(end_of(opening), Limit(nodes=2_000)).value.estimate
        assert estimate is not None
        assert abs(estimate) <= EVEN


@pytest.mark.parametrize("rules_id", ["ultimate", "ultimate:tie=boards,won=open", "advanced"])
def test_openings_of_nine_boards_are_estimated_until_they_can_be_proven(rules_id: str) -> None:
    start = noughts.game(rules_id)
    assert is_estimated(start)
    found = even_openings(rules_id, 4, 3, 1, nodes=500)
    assert len({end_of(opening).key() for opening in found}) == 3
    engine = Engine(rules_id, table_mib=16, seed=1)
    for opening in found:
        engine.clear()
        estimate = engine.best_move(end_of(opening), Limit(nodes=500)).value.estimate
        assert estimate is not None
        assert abs(estimate) <= EVEN
    late = end_of(random_openings(rules_id, PROVABLE_PLY, 1, 0)[0])
    assert not is_estimated(late)


def test_without_an_even_opening_the_reason_is_given() -> None:
    with pytest.raises(NoOpenings, match=r"no opening of 0 plies of mnk:15,15,5~.* is even"):
        even_openings(f"{noughts.game('mnk:15,15,5').after('h8 a1 h9 a3 h10 a5')}", 0, 1, 0)


def test_game_too_large_for_the_solver_is_reported() -> None:
    with pytest.raises(NoOpenings, match="of 20 tried, 0 have a value that is proven within 1,000"):
        balanced_openings("ultimate", 4, 3, seed=0, nodes=1000)


# Files


def write(folder: Path, *lines: str) -> Path:
    path = folder / "openings.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_line_holds_moves_or_a_position_or_both(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "# three openings of each game, and one more of connect4",
        "1 2",
        "",
        "basic~X8~O".replace("X8", "X2.3.3"),
        "connect4 4453",
        "basic 5",
        "connect4~7.7.7.7.7.3X3~O 4",
    )
    found = read_openings(path, ["basic", "connect4"])
    assert found["basic"] == [
        Opening("basic", (0, 1)),
        Opening("basic~X2.3.3~O"),
        Opening("basic", (4,)),
    ]
    assert found["connect4"] == [
        Opening("connect4", (0, 1)),
        Opening("connect4", (3, 3, 4, 2)),
        Opening("connect4~7.7.7.7.7.3X3~O", (3,)),
    ]
    assert read_openings(path, ["basic"], plies=1)["basic"][0] == Opening("basic", (0,))


@pytest.mark.parametrize("name", ["games.jsonl", "games.txt"])
def test_games_are_openings(tmp_path: Path, name: str) -> None:
    start = noughts.game("basic")
    path = tmp_path / name
    record.append(path, Record.from_moves(start, [4, 0, 8]))
    record.append(path, Record.from_moves(start, [0, 4, 1, 2, 6], {"Opening": "2"}))
    record.append(path, Record.from_moves(noughts.game("connect4"), [3]))
    assert read_openings(path, ["basic"])["basic"] == [
        Opening("basic", (4, 0, 8)),
        Opening("basic", (0, 4)),
    ]


@pytest.mark.parametrize(
    ("lines", "error", "said"),
    [
        (["5", "5 5"], IllegalMove, "Line 2: move 2: cell 5 is taken."),
        (["basic~X~O"], NotationError, "Line 1: the number of rows is 1, not 3."),
        (["connect4 44"], NoOpenings, "has no opening for basic"),
        (["1 4 2 5 3"], NoOpenings, "line 1: the game is over there; --plies"),
        ([], NoOpenings, "has no opening for basic"),
    ],
)
def test_errors_in_a_file_are_named(
    tmp_path: Path, lines: list[str], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        read_openings(write(tmp_path, *lines), ["basic"])


def test_unreadable_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_openings(tmp_path / "none", ["basic"])
    (tmp_path / "noise").write_bytes(bytes(range(128, 256)) + b"\n")
    with pytest.raises((IllegalMove, NotationError), match=r"[Ll]ine "):
        read_openings(tmp_path / "noise", ["basic"])
