"""The tables of row games: results against published values and a naive solver, and resumption."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from command import answer, run
from naive import NaiveRow

from noughts.engine import Engine
from noughts.games.position import NotationError
from noughts.proof import tables
from noughts.proof.tables import BadTable, BoardResult, TableName
from noughts.search import Limit
from noughts.search.result import Outlook

NAMES: tuple[TableName, ...] = ("mnk", "misere", "connect4")


def result(rules: str, at_least: Outlook, at_most: Outlook, seconds: float = 1.0) -> BoardResult:
    return BoardResult(rules, at_least, at_most, 100, seconds, 3, "0")


# The committed results


@pytest.mark.parametrize("name", NAMES)
def test_results_agree_with_the_published_values(name: TableName) -> None:
    rows = tables.rows(tables.boards(name), tables.read(tables.installed(name)))
    agreeing = [row.rules for row in rows if row.status == "agrees"]
    assert not [row.rules for row in rows if row.status == "disagrees"]
    for row in rows:
        for published in row.published:
            if row.value:
                assert row.value == published.value, row.rules
    assert len(agreeing) >= {"mnk": 60, "misere": 18, "connect4": 26}[name]


def test_every_misere_board_is_proven() -> None:
    rows = tables.rows(tables.boards("misere"), tables.read(tables.installed("misere")))
    values = {row.rules: row.value for row in rows}
    assert None not in values.values()
    # On a board with a centre the first player takes it and mirrors each move: no line of four
    # through the centre is ever full, and of two other lines the opponent's is full first.
    assert "loss" not in (values["mnk:5,5,4,misere"], values["mnk:5,5,5,misere"])


@pytest.mark.parametrize("name", NAMES)
def test_results_are_of_boards_in_the_form_of_the_table(name: TableName) -> None:
    results = tables.read(tables.installed(name))
    assert results
    for each in results:
        assert each.rules == tables.canonical(each.rules)
        assert tables.table_of(each.rules) == name
    assert {each.rules for each in results} >= set(tables.boards(name))


def test_published_values_do_not_contradict_each_other() -> None:
    several = 0
    for rules, values in tables.published().items():
        assert len({each.value for each in values}) == 1, rules
        several += len(values) > 1
        if rules not in tables.too_wide():
            assert rules == tables.canonical(rules)
    assert several > 40
    assert sorted(tables.too_wide())[:2] == ["connect4:10,4", "connect4:10,5"]


SMALL = [
    *("mnk:3,3,3", "mnk:4,3,3", "mnk:5,4,4", "mnk:5,5,5", "mnk:7,7,5", "mnk:8,8,6", "mnk:6,5,4"),
    *("mnk:4,4,3,misere", "mnk:4,4,4,misere", "mnk:5,5,2,misere"),
    *("connect4:4,4", "connect4:5,4", "connect4:4,5", "connect4:4,4,3", "connect4:5,5,5"),
]


def test_small_boards_have_the_committed_values() -> None:
    for rules in SMALL:
        name = tables.table_of(rules)
        committed = tables.known(tables.read(tables.installed(name)))[rules]
        assert committed.value, rules
        found = tables.result_of(Engine(rules, table_mib=16).solve(rules, weakly=True), 0.0)
        assert found.value == committed.value, rules


# A naive solver


def naive_value(rules: str) -> Outlook:
    """Return the value of an empty board, from lists of lists and minimax alone."""
    board = tables.place_of(rules).rules
    naive = NaiveRow(rules, board.columns, board.rows, board.k)
    lines = _lines(board.columns, board.rows, board.k)
    size = board.columns * board.rows

    @cache
    def best(mine: int, theirs: int) -> int:
        if not naive.falls:
            moves = [cell for cell in range(size) if not (mine | theirs) >> cell & 1]
        else:
            moves = []
            for column in range(board.columns):
                cells = [row * board.columns + column for row in reversed(range(board.rows))]
                free = [cell for cell in cells if not (mine | theirs) >> cell & 1]
                moves += free[:1]
        if not moves:
            return 0
        value = -1
        for move in moves:
            after = mine | 1 << move
            if any(after & line == line for line in lines):
                score = -1 if naive.misere else 1
            else:
                score = -best(theirs, after)
            value = max(value, score)
            if value == 1:
                break
        return value

    return tables.ORDER[best(0, 0) + 1]


def _lines(columns: int, rows: int, k: int) -> list[int]:
    found = []
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(k)]
                if all(0 <= y < rows and 0 <= x < columns for y, x in cells):
                    found.append(sum(1 << (y * columns + x) for y, x in cells))
    return found


MISERE = tables.boards("misere", (4, 4))


@pytest.mark.parametrize(
    "rules",
    [
        *[each for each in MISERE if each not in ("mnk:4,4,3,misere", "mnk:4,4,4,misere")],
        # The largest has three million positions.
        pytest.param("mnk:4,4,3,misere", marks=pytest.mark.soak),
        pytest.param("mnk:4,4,4,misere", marks=pytest.mark.soak),
        *("mnk:3,3,3", "mnk:4,3,3", "mnk:4,3,4", "connect4:3,3,3", "connect4:4,3,3"),
        *("connect4:3,4,3", "connect4:4,4,3"),
        pytest.param("connect4:4,4", marks=pytest.mark.soak),
    ],
)
def test_a_naive_solver_finds_the_committed_values(rules: str) -> None:
    committed = tables.known(tables.read(tables.installed(tables.table_of(rules))))
    assert committed[rules].value == naive_value(rules)


def test_all_misere_boards_to_4x4_are_compared() -> None:
    assert len(MISERE) == 14


# The computation


def test_proving_is_resumed(tmp_path: Path) -> None:
    file = tmp_path / "results" / "mnk.jsonl"
    chosen = tables.boards("mnk", (3, 3))
    working = tables.prove(chosen, file, 5.0, memory=4)
    first, left = next(working)
    assert (first.rules, first.value, left) == ("mnk:2,2,2", "win", 4)
    working.close()
    assert [each.rules for each in tables.read(file)] == chosen[:1]
    # The next result was being written when the process was killed.
    with file.open("a") as opened:
        opened.write('{"rules": "mnk:3,')
    found = [each.rules for each, _ in tables.prove(chosen, file, 5.0, memory=4, jobs=2)]
    assert sorted(found) == sorted(chosen[1:])
    values = [row.value for row in tables.rows(chosen, tables.read(file))]
    assert values == ["win", "win", "win", "draw", "draw"]
    assert not list(tables.prove(chosen, file, 5.0, memory=4))


def test_a_board_that_takes_too_long_is_stopped_and_tried_longer(tmp_path: Path) -> None:
    file, seconds = tmp_path / "mnk.jsonl", 4.0
    # Far apart: on a busy machine a try is stopped late.
    with mock.patch.multiple(tables, FIRST_TRY=0.05, NEXT_TRY=100):
        (first, left), (second, _) = tables.prove(["mnk:8,8,5"], file, seconds, memory=4)
        assert (first.at_least, first.at_most, first.value, left) == ("draw", "win", None, 1)
        assert 0 < first.nodes < second.nodes
        assert first.depth >= 1
        # Again the same limit: there is nothing to do.
        assert not list(tables.prove(["mnk:8,8,5"], file, seconds, memory=4))
        row = tables.rows(["mnk:8,8,5"], tables.read(file))[0]
    assert (row.status, row.value) == ("unproven", None)
    assert row.result is not None
    assert row.result.seconds == second.seconds


@mock.patch.object(tables, "FIRST_TRY", 1000.0)
def test_an_interrupted_try_is_kept_unless_a_longer_one_is_known(tmp_path: Path) -> None:
    file = tmp_path / "mnk.jsonl"

    def interrupt(quick: str) -> list[BoardResult]:
        working = tables.prove([quick, "mnk:8,8,5"], file, 1000.0, memory=4, jobs=2)
        assert next(working)[0].rules == quick
        working.close()
        return [each for each in tables.read(file) if each.rules == "mnk:8,8,5"]

    (interrupted,) = interrupt("mnk:2,2,2")
    assert interrupted.value is None
    assert interrupted.seconds > 0
    tables.append(file, interrupted._replace(seconds=800.0))
    assert len(interrupt("mnk:3,3,3")) == 2


def test_tries_of_a_board_hold_together() -> None:
    rules = "mnk:5,5,4,misere"
    tries = [result(rules, "loss", "draw", 5.0), result(rules, "draw", "win", 2.0)]
    (known,) = tables.known(tries).values()
    assert (known.value, known.seconds) == ("draw", 5.0)
    tries = [result(rules, "loss", "win", 5.0), result(rules, "win", "win", 2.0)]
    for order in (tries, tries[::-1]):
        (known,) = tables.known(order).values()
        assert (known.value, known.seconds) == ("win", 2.0)
    with pytest.raises(BadTable, match="exclude each other"):
        tables.known([*tries, result(rules, "draw", "draw")])


@pytest.mark.parametrize(
    "line",
    [
        "?",
        '{"rules": "mnk:3,3,3"}',
        json.dumps(result("mnk:1", "win", "win")._asdict()),
        json.dumps(result("advanced", "win", "win")._asdict()),
        json.dumps(result("mnk:3,3,3", "win", "draw")._asdict()),
    ],
)
def test_damaged_results_are_refused(line: str, tmp_path: Path) -> None:
    file = tmp_path / "mnk.jsonl"
    good = json.dumps(result("mnk:3,3,3", "draw", "draw")._asdict())
    file.write_text(f"{good}\n{line}\n")
    with pytest.raises(BadTable, match="line 2 is damaged"):
        tables.read(file)


def test_a_disagreement_is_named() -> None:
    found = tables.rows(
        ["mnk:3,3,3", "mnk:8,8,5", "mnk:7,7,5", "mnk:2,2,2", "mnk:7,6,5"],
        [
            result("mnk:3,3,3", "win", "win"),
            result("mnk:8,8,5", "draw", "win"),
            result("mnk:7,7,5", "draw", "draw"),
            result("mnk:2,2,2", "win", "win"),
        ],
    )
    statuses = [row.status for row in found]
    assert statuses == ["disagrees", "unproven", "agrees", "new", "open"]


def test_boards() -> None:
    assert len(tables.boards("mnk")) == 120
    assert len(tables.boards("misere")) == 30
    connect4 = tables.boards("connect4")
    assert {"connect4", "connect4:8,8", "connect4:6,6,3", "connect4:6,6,5"} <= set(connect4)
    assert "connect4:9,8" not in connect4
    assert all(len(set(tables.boards(name))) == len(tables.boards(name)) for name in NAMES)
    assert tables.boards("mnk", (3, 2)) == ["mnk:2,2,2", "mnk:3,2,2", "mnk:3,2,3"]
    with pytest.raises(NotationError, match="only m,n,k-games"):
        tables.canonical("advanced")


def test_strategy_stealing_holds_only_for_the_normal_game() -> None:
    for rules, at_least in (("mnk:8,8,5", "draw"), ("mnk:5,5,4,misere", "loss")):
        found = Engine(rules, table_mib=4).solve(rules, Limit(nodes=5_000), weakly=True)
        assert not found.exact
        assert tables.result_of(found, 1.0).at_least == at_least


# The command


def test_the_command_shows_the_table() -> None:
    done = run("table", "mnk", "--to", "4,4")
    assert done.returncode == 0, done.stderr
    assert "4,4,3" in done.stdout
    assert "first (wikipedia, friedman)" in done.stdout
    assert "Proven here: 14 of 14 boards." in done.stdout
    assert "Proven here: 120 of 120 boards." in run("table", "mnk").stdout
    assert "Published, but not proven here: " in run("table", "connect4").stdout


def test_the_command_answers_as_json() -> None:
    data = answer("table", "mnk", "--misere", "--to", "4x3")
    assert data["table"] == "misere"
    assert [row["rules"] for row in data["boards"]][-1] == "mnk:4,3,4,misere"
    values = {row["rules"]: row["value"] for row in data["boards"]}
    assert values["mnk:4,3,3,misere"] == "loss"
    assert (data["disagreements"], data["gaps"]) == ([], [])
    wanted = {"rules", "status", "value", "published", "at_least", "at_most", "nodes", "seconds"}
    assert wanted <= set(data["boards"][0])


def test_the_command_proves_boards(tmp_path: Path) -> None:
    file = tmp_path / "connect4.jsonl"
    with mock.patch.object(tables, "installed", return_value=file):
        words = ("table", "connect4", "--board", "connect4:4,4,3", "--board", "connect4:4,4")
        assert "Neither proven here nor published: 4,4,3." in run(*words).stdout
        data = answer(*words, "--prove", "--memory", 4)
        assert [row["value"] for row in data["boards"]] == ["win", "draw"]
        tables.append(file, result("connect4:5,4", "win", "win"))
        done = run("table", "connect4", "--board", "connect4:5,4")
    assert done.returncode == 1
    assert "Disagreements with a published value: 5,4,4." in done.stdout
    assert len(tables.read(file)) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("connect4", "--misere"), "--misere: only m,n,k-games have it"),
        (("mnk", "--to", "7"), "--to: '7' is not columns and rows, as in 7,7"),
        (("mnk", "--to", "99,99"), "--to:"),
        (("mnk", "--to", "1,1"), "There are no boards of these sizes"),
        (("mnk", "--board", "connect4:4,4"), "--board: connect4:4,4 is not in this table"),
        (("mnk", "--board", "mnk:3,3"), "--board:"),
        (("connect4", "--board", "ultimate"), "--board:"),
    ],
)
def test_wrong_options_are_refused(words: tuple[str, ...], said: str) -> None:
    done = run("table", *words)
    assert done.returncode == 2
    assert said.lower() in done.stderr.lower()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mnk.jsonl"
    file.write_text("?\n")
    with mock.patch.object(tables, "installed", return_value=file):
        done = run("table", "mnk")
    assert done.returncode == 3
    assert "line 1 is damaged" in done.stderr
