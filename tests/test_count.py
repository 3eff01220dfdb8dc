"""Counts of positions and games: published figures, and two independent counts of each."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from command import run
from naive import NaiveNested, NaiveRow
from samples import NIM, games_restored

import noughts
from noughts.games import registry
from noughts.labs.counting import RESULTS, GameCount, _resident_bytes, count_game, total

NESTED = ("advanced", "advanced:full=draw", "ultimate", "ultimate:tie=boards")
NESTED_OPEN = ("ultimate:won=open", "ultimate:tie=boards,won=open")


def games(count: GameCount) -> int:
    return count.sum_of(*RESULTS).sequences


def counted(count: GameCount) -> GameCount:
    """Return a count without its time."""
    return replace(count, seconds=0)


# Published figures


def test_tic_tac_toe() -> None:
    """The usual figures; the lab `size` has the counts up to symmetry of Schaeffer (2002)."""
    count = count_game(noughts.game("basic"))
    assert count.is_complete
    assert [total(layer).positions for layer in count.layers] == [
        *(1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)
    ]
    assert [total(layer).classes for layer in count.layers] == [
        *(1, 3, 12, 38, 108, 174, 204, 153, 57, 15)
    ]
    assert count.sum_of()[:2] == (5478, 765)
    assert count.sum_of(*RESULTS)[:2] == (958, 138)
    assert [count.sum_of(kind).sequences for kind in RESULTS] == [131_184, 46_080, 77_904]
    assert [count.sum_of(kind).positions for kind in RESULTS] == [626, 16, 316]
    assert count.games_by_length == {5: 1440, 6: 5328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert count.mean_length == sum(n * g for n, g in count.games_by_length.items()) / 255_168


def test_positions_of_connect_four() -> None:
    """OEIS A212693 (Tromp; Edelkamp and Kissmann)."""
    count = count_game(noughts.game("connect4"), plies=9)
    assert count.end == "plies"
    assert [total(layer).positions for layer in count.layers] == [
        *(1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275, 558_186)
    ]


@pytest.mark.parametrize(
    ("rules", "number"), [("connect4:4,3", 356_232), ("connect4:5,4", 152_505_051_772)]
)
def test_games_of_connect_four(rules: str, number: int) -> None:
    """OEIS A342329 (Jehn)."""
    assert games(count_game(noughts.game(rules))) == number


# Counts by hand and by an independent program


@pytest.mark.parametrize(
    ("rules", "lengths"),
    [
        ("mnk:3,1,1", {1: 3}),
        ("mnk:2,1,2", {2: 2}),
        ("mnk:3,1,2", {3: 6}),
        ("mnk:2,2,2", {3: 4 * 3 * 2}),
        ("connect4:1,4,4", {4: 1}),
    ],
)
def test_small_games_counted_by_hand(rules: str, lengths: dict[int, int]) -> None:
    assert count_game(noughts.game(rules)).games_by_length == lengths


Naive = NaiveRow | NaiveNested


def play_all(make: Callable[[list[Any]], Naive], plies: int) -> dict[str, Any]:
    """Play every game move by move up to some length; return counts by ply."""
    positions: list[set[Any]] = [set() for _ in range(plies + 1)]
    sequences = [0] * (plies + 1)
    results: dict[str | None, list[int]] = {who: [0] * (plies + 1) for who in ("X", None, "O")}

    def walk(moves: list[Any]) -> None:
        place = make(moves)
        ply = len(moves)
        sequences[ply] += 1
        state: tuple[Any, ...]
        if isinstance(place, NaiveNested):
            state = (tuple(map(tuple, place.boards)), tuple(place.winners), place.target)
        else:
            state = tuple(map(tuple, place.grid))
        positions[ply].add(state)
        result = place.result()
        if result is not None:
            results[result[0]][ply] += 1
        elif ply < plies:
            for move in place.legal_moves():
                walk([*moves, move])

    walk([])
    return {
        "positions": [len(each) for each in positions],
        "sequences": sequences,
        "results": [results["X"], results[None], results["O"]],
    }


def row_maker(rules: str) -> Callable[[list[Any]], Naive]:
    start: Any = noughts.game(rules)

    def make(moves: list[Any]) -> NaiveRow:
        place = NaiveRow(rules, start.rules.columns, start.rules.rows, start.rules.k)
        for move in moves:
            place.play(move)
        return place

    return make


def nested_maker(rules: str) -> Callable[[list[Any]], Naive]:
    def make(moves: list[Any]) -> NaiveNested:
        place = NaiveNested(rules)
        for move in moves:
            place.play(*move)
        return place

    return make


def assert_equal_to_naive(count: GameCount, found: dict[str, Any]) -> None:
    plies = range(count.plies + 1)
    assert [total(layer).positions for layer in count.layers] == found["positions"][: len(plies)]
    assert [total(layer).sequences for layer in count.layers] == found["sequences"][: len(plies)]
    assert [[layer[kind].sequences for layer in count.layers] for kind in RESULTS] == [
        each[: len(plies)] for each in found["results"]
    ]


ROWS = ["mnk:3,2,2", "mnk:3,2,3", "mnk:3,2,2,misere", "mnk:6,1,3", "mnk:1,6,2,misere"]
ROWS += ["connect4:2,4", "connect4:3,2,2", "connect4:3,3,3", "connect4:1,7,2"]


@pytest.mark.parametrize("rules", ROWS)
def test_small_row_games_equal_a_naive_count(rules: str) -> None:
    start = noughts.game(rules)
    most = start.max_plies
    assert most is not None
    assert_equal_to_naive(count_game(start), play_all(row_maker(rules), most))


@pytest.mark.parametrize("rules", [*NESTED, *NESTED_OPEN])
def test_nine_board_games_equal_a_naive_count(rules: str) -> None:
    count = count_game(noughts.game(rules), plies=2)
    assert_equal_to_naive(count, play_all(nested_maker(rules), 2))


@pytest.mark.parametrize(
    ("rules", "plies"),
    [
        *((rules, None) for rules in (*ROWS, "basic", "mnk:3,3,3,misere", "mnk:4,2,3")),
        *(("mnk:2,4,2", None), ("connect4:3,4,3", None)),
        *(("mnk:9,7,5", 2), ("mnk:19,6,2", 1), ("connect4:9,9", 3), ("connect4:8,15,5", 3)),
        *((rules, 2) for rules in NESTED_OPEN),
    ],
)
def test_core_equals_python(rules: str, plies: int | None) -> None:
    """The core keeps one position of each class, Python keeps all."""
    start = noughts.game(rules)
    native = count_game(start, plies=plies)
    slow = count_game(start, plies=plies, native=False, seconds=3600, memory_mib=1 << 14)
    assert counted(native) == counted(slow)
    assert native.end == ("complete" if plies is None else "plies")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("rules", "plies"),
    [("mnk:4,3,3", None), ("mnk:4,4,4", 6), ("connect4:4,4", None), ("connect4:4,5", 12)]
    + [("mnk:9,9,5", 3), ("mnk:12,10,2", 2), ("mnk:16,16,3", 2), ("connect4:9,9", 5)]
    + [(rules, 4) for rules in (*NESTED, *NESTED_OPEN)],
)
def test_core_equals_python_in_larger_games(rules: str, plies: int | None) -> None:
    test_core_equals_python(rules, plies)


def test_count_from_a_later_position() -> None:
    start = noughts.game("mnk:3,2,3")
    whole = count_game(start)
    after = [count_game(start.play(move)) for move in start.legal_moves()]
    assert sum(map(games, after)) == games(whole)
    for ply, layer in enumerate(whole.layers[1:]):
        assert sum(total(count.layers[ply]).sequences for count in after) == total(layer).sequences
    over = noughts.position("basic~XXX.OO1.3~O")
    assert count_game(over).games_by_length == {0: 1}


def test_game_of_a_users_own() -> None:
    with games_restored():
        registry.load(NIM)
        count = count_game(noughts.game("nim"))
    assert count.is_complete
    # The orders of taking 3, 4 and 5 stones one by one: the longest games.
    assert count.games_by_length[12] == 27_720
    assert min(count.games_by_length) == 3
    assert games(count) == sum(count.games_by_length.values())


# Bounds


@pytest.mark.parametrize("native", [True, False])
def test_count_stops_at_its_bounds(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # How soon a process grows depends on the tests before.
    grown = itertools.count(_resident_bytes(), 100_000)
    monkeypatch.setattr("noughts.labs.counting._resident_bytes", lambda: next(grown))
    start = noughts.game("ultimate")
    short = count_game(start, seconds=0.05, native=native)
    assert short.end == "seconds"
    assert short.plies < 81
    small = count_game(start, memory_mib=1, native=native)
    assert small.end == "memory"
    more = count_game(start, plies=small.plies, native=native)
    assert counted(more).layers == small.layers
    assert count_game(start, plies=0, native=native).layers == small.layers[:1]


def test_the_memory_of_the_process_is_known() -> None:
    before = _resident_bytes()
    block = bytearray(64 << 20)
    assert before > 1 << 20
    assert _resident_bytes() - before > len(block) // 2


@pytest.mark.parametrize(
    "bounds", [{"plies": -1}, {"seconds": 0.0}, {"memory_mib": 0}, {"memory_mib": 1 << 40}]
)
def test_bounds_out_of_range_are_refused(bounds: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is"):
        count_game(noughts.game("basic"), **bounds)


def test_progress_counts_plies() -> None:
    steps: list[tuple[int, int]] = []
    count_game(noughts.game("basic"), progress=lambda done, most: steps.append((done, most)))
    assert steps == [(ply, 9) for ply in range(10)]


# The command


def test_command() -> None:
    done = run("count", "basic")
    assert done.returncode == 0
    assert "255,168 games: 131,184 won by X (51.4 %)" in done.stdout
    data = json.loads(run("count", "basic", "--json").stdout)
    assert (data["complete"], data["ended_by"]) == (True, "complete")
    assert data["total"]["games"] == sum(
        each["games"] for ply in data["plies"] for each in ply["over"].values()
    )
    assert data["total"]["positions"] == 5478


def test_stopped_command_says_so() -> None:
    done = run("count", "connect4", "--memory", "1")
    assert done.returncode == 1
    reached = done.stdout.splitlines()[-1]
    assert reached.startswith("Counted completely to ply ")
    assert reached.endswith(" of 42; stopped at 1 MiB.")
    data = json.loads(run("count", "connect4", "--memory", "1", "--json").stdout)
    assert (data["complete"], data["ended_by"], data["total"]) == (False, "memory", None)
    asked = run("count", "connect4", "--plies", "3")
    assert asked.returncode == 0
    assert asked.stdout.splitlines()[-1] == "Counted completely to ply 3 of 42."


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["chess"], 2), (["basic~XX~O"], 3), (["basic", "--plies", "-1"], 2), (["(1 2)"], 2)],
)
def test_wrong_usage(arguments: list[str], code: int) -> None:
    done = run("count", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr
