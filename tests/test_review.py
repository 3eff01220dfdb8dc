"""Reviews: labels against independent exact values, annotated records, and retrying mistakes."""

from __future__ import annotations

import json
import random
import re
import threading
from functools import cache
from pathlib import Path

import pytest
from command import run
from patience import PATIENCE
from sentence_checks import SOLVED, check, end, solution
from terminal import Start, ends

import noughts
from noughts.engine import Engine
from noughts.explain.errors import CLUES
from noughts.explain.facts import by_rules, threat_of_other
from noughts.explain.review import (
    DOUBT,
    ERRORS,
    FLAWS,
    LABELS,
    SILENT,
    SINGLE_DOUBT,
    SPREAD,
    STEEPNESS,
    Remark,
    accuracy,
    annotated,
    label_of,
    people,
    proven_wins,
    review,
    summary,
    turning_points,
)
from noughts.explain.sentences import sentences
from noughts.games import record as records
from noughts.games.nested import NestedPosition
from noughts.games.phrases import board_name
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.games.row import ConnectFour, RowPosition
from noughts.judgement.judge import Judge
from noughts.levels import choose, level_of
from noughts.search import Limit, SearchResult, Value


@pytest.fixture(autouse=True)
def _short_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move of the engine at full strength is that of a short search."""
    monkeypatch.setattr("noughts.judgement.judge.full_strength", lambda _: Limit(nodes=10_000))


GAMES = """\
[Game "basic"]
[X "Ann"]
[O "Ben"]
[Result "1-0"]

1. 1 2 {a try} 2. 5 3 3. 9 1-0

[Game "ultimate"]
[Result "*"]

1. 55 51 2. 11 *
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    path.write_text(GAMES, encoding="utf-8")
    return path


def random_record(rules_id: str, rng: random.Random) -> Record:
    begin = noughts.game(rules_id)
    moves, position = [], begin
    while position.outcome() is None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return Record.from_moves(begin, moves)


def reviewed(rules_id: str, rng: random.Random) -> tuple[Record, Judge, list[Remark]]:
    """Return a random game with its review."""
    record = random_record(rules_id, rng)
    judge = Judge(record.start, Limit(nodes=3_000))
    return record, judge, review(record, judge)


@cache
def one_review(rules_id: str, seed: int) -> tuple[Judge, list[Remark]]:
    """Return the review of one random game, which several tests look at."""
    _, judge, remarks = reviewed(rules_id, random.Random(seed))
    return judge, remarks


def label_by(best: Value, own: Value, moves: int) -> str:
    """Return the label that follows from exact values."""
    if moves == 1:
        return "forced"
    if best.kind != own.kind:
        return "blunder"
    if best.plies == own.plies:
        return "best"
    return "slower win" if own.is_win else "loses faster"


POINTS = {"win": 2, "draw": 1, "loss": 0}


@pytest.mark.parametrize("rules_id", SOLVED)
def test_labels_and_accuracy_follow_exact_values(rules_id: str) -> None:
    rng = random.Random(7)
    exact = solution(rules_id)
    seen = set()
    for _ in range(20):
        record, _, remarks = reviewed(rules_id, rng)
        kept: dict[Player, list[float]] = {player: [] for player in Player}
        for remark, place in zip(remarks, record.positions(), strict=False):
            assert remark.position == place
            own = exact[place.play(remark.move)].for_mover
            assert remark.label == label_by(exact[place], own, len(place.legal_moves()))
            assert (remark.before, remark.after) == (exact[place], own)
            lost = (POINTS[exact[place].kind] - POINTS[own.kind]) / 2
            assert remark.lost == lost
            if len({exact[place.play(move)].kind for move in place.legal_moves()}) > 1:
                kept[place.turn].append((1 - lost) ** STEEPNESS)
            seen.add(remark.label)
        for player, tally in summary(remarks).items():
            own_moves = [r for r in remarks if r.position.turn is player]
            assert sum(tally.labels.values()) == len(own_moves)
            mean = 100 * sum(kept[player]) / len(kept[player]) if kept[player] else None
            assert tally.accuracy == pytest.approx(mean)
    assert seen <= set(LABELS) - {"good", "unclear", "inaccuracy", "mistake"}
    assert "best" in seen


@pytest.mark.parametrize("rules_id", SOLVED)
def test_proven_wins_are_those_of_exact_values(rules_id: str) -> None:
    rng = random.Random(8)
    exact = solution(rules_id)
    seen = set()

    def winner(place: Position) -> Player | None:
        value = exact[place]
        return place.turn if value.is_win else place.turn.other if value.is_loss else None

    for _ in range(20):
        record, _, remarks = reviewed(rules_id, rng)
        *places, last = record.positions()
        outcome = last.outcome()
        assert outcome is not None
        winners = [*map(winner, places), outcome.winner]
        covered: list[Player | None] = [None] * len(places)
        for win in proven_wins(remarks):
            covered[win.first - 1 : win.last] = [win.player] * (win.last - win.first + 1)
            assert (winners[win.last] is win.player) is (win.end == "won")
            assert win.end == "thrown away" or win.last == len(places)
            assert win.first == 1 or winners[win.first - 2] is not win.player
            seen.add(win.end)
        assert covered == winners[:-1]
    assert seen == {"won", "thrown away"}


def test_a_win_that_is_no_longer_proven() -> None:
    win, loss, unknown = Value.win(5), Value.loss(4), Value.unknown(0.2)
    place = noughts.game("basic")
    after = place.play(0)
    remarks = [
        remark_on(place, 4)._replace(before=win, after=win),
        remark_on(after, 4)._replace(before=loss, after=unknown),
        remark_on(place, 4)._replace(before=unknown, after=unknown),
        remark_on(after, 4)._replace(before=win, after=win),
    ]
    assert list(map(str, proven_wins(remarks))) == [
        "X's win is proven from move 1 to move 2.",
        "O's win is proven from move 4 on.",
    ]
    thrown = [remark_on(place, 4)._replace(before=win, after=loss)]
    assert list(map(str, proven_wins(thrown))) == ["X's win is thrown away by move 1."]
    assert proven_wins([]) == []


@pytest.mark.parametrize(
    ("rules_id", "seed"),
    [
        ("mnk:6,6,4", 5),
        ("ultimate:tie=boards", 5),
        *(
            pytest.param(rules_id, seed, marks=pytest.mark.soak)
            for rules_id, seed in (
                ("advanced", 5),
                *((each, 3) for each in ("mnk:6,6,4", "advanced", "ultimate:tie=boards")),
            )
        ),
    ],
)
def test_labels_follow_the_loss_with_its_error_taken_off(rules_id: str, seed: int) -> None:
    judge, remarks = one_review(rules_id, seed)
    seen = set()
    for remark in remarks:
        if len(remark.position.legal_moves()) == 1:
            continue
        proven = remark.before.is_exact + remark.after.is_exact
        sure = remark.lost - (DOUBT, SINGLE_DOUBT, 0)[proven]
        wanted = [label for label, least in FLAWS if sure >= least]
        if remark.label in ERRORS:
            assert remark.label == wanted[-1]
            assert remark.move not in remark.good
            assert remark.best in remark.good
        elif wanted:
            assert judge.choice(remark.position) == remark.move
            assert (remark.label == "unclear") == remark.after.is_loss
        elif remark.label == "best":
            assert remark.lost == 0
        assert remark.after.rank <= remark.before.rank
        seen.add(remark.label)
    assert any(not remark.before.is_exact for remark in remarks)
    assert len(seen) > 2


@pytest.mark.parametrize("rules_id", [*SOLVED, "connect4:5,4", "advanced", "ultimate"])
def test_every_sentence_of_a_review_is_true(rules_id: str) -> None:
    _, remarks = one_review(rules_id, 5)
    said = 0
    for remark in remarks:
        assert bool(remark.sentences) == (remark.label not in SILENT)
        for sentence in remark.sentences:
            check(remark.position, sentence)
            said += 1
    assert said


def test_later_proof_counts_for_the_move_before() -> None:
    begin, limit, rng = noughts.game("mnk:6,5,4"), Limit(nodes=500), random.Random(2)
    learned = 0
    for _ in range(2):
        moves, position = [], begin
        while position.outcome() is None:
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        for remark in review(Record.from_moves(begin, moves), Judge(begin, limit)):
            place = remark.position
            unaided = Judge(begin, limit).values(place).moves[remark.move]
            if not unaided.is_exact and remark.after.is_exact:
                exact = Engine("mnk:6,5,4").solve(place.play(remark.move)).value.for_mover
                assert exact.kind == remark.after.kind
                learned += 1
    assert learned


def test_annotated_record_keeps_the_game_and_adds_better_lines() -> None:
    (record, _) = records.parse_text(GAMES)
    judge = Judge(record.start)
    remarks = review(record, judge)
    copy = annotated(record, remarks, judge)
    assert copy.moves == record.moves
    assert (copy.tags, copy.result) == (record.tags, record.result)
    assert records.parse_text(records.format_text(copy)) == [copy]
    second = copy.children[0].children
    assert second[0].comment == ("a try blunder: 2 turns a draw into a loss in 3 moves; 5 draws.")
    (better,) = second[1:]
    assert record.start.play(0).move_text(better.move) == "5"
    line, node = [0, better.move], better
    while node.children:
        node = node.children[0]
        line.append(node.move)
    outcome = end(record.start, tuple(line)).outcome()
    assert outcome is not None
    assert outcome.winner is None
    assert record.children[0].children[0].comment == "a try"
    assert annotated(copy, remarks, judge).children[0].children[1:] != []
    assert len(annotated(copy, remarks, judge).children[0].children) == 2


UNSOLVED = ("ultimate", "ultimate:tie=boards", "advanced", "mnk:9,9,5")


def unflagged(rules_id: str, seed: int, monkeypatch: pytest.MonkeyPatch, nodes: int) -> int:
    """Play a game of the engine against level 9, and return the number of its reviewed moves."""
    monkeypatch.setattr("noughts.judgement.judge.full_strength", lambda _: Limit(nodes=nodes))
    start, rng = noughts.game(rules_id), random.Random(f"{rules_id} {seed}")
    engine, other = Engine(rules_id, table_mib=16), Engine(rules_id, table_mib=16)
    moves, position = [], start
    while position.outcome() is None:
        move: int | None
        if position.ply < 2:
            move = rng.choice(position.legal_moves())
        elif (position.ply + seed) % 2:
            move = choose(other, position, level_of(rules_id, 9), seed).move
        else:
            engine.clear()
            move = engine.best_move(position, Limit(nodes=nodes)).move
        assert move is not None
        moves.append(move)
        position = position.play(move)
    remarks = review(Record.from_moves(start, moves), Judge(start, Limit(nodes=nodes // 5)))
    own = [r for r in remarks if r.position.ply >= 2 and (r.position.ply + seed) % 2 == 0]
    for remark in own:
        assert remark.label not in ERRORS, (str(remark.position), remark)
    return len(own)


@pytest.mark.parametrize("rules_id", UNSOLVED[:3])
@pytest.mark.parametrize("games", [1, pytest.param(10, marks=pytest.mark.soak)])
def test_choices_of_the_engine_are_no_errors(
    rules_id: str, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = sum(unflagged(rules_id, seed, monkeypatch, 8_000) for seed in range(games))
    assert found > 5 * games


@pytest.mark.soak
@pytest.mark.parametrize("rules_id", UNSOLVED)
@pytest.mark.parametrize("first", range(0, 200, 10))
def test_choices_of_level_10_are_no_errors(
    rules_id: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(first, first + 10):
        unflagged(rules_id, seed, monkeypatch, 1_000_000)


def test_moves_of_one_search_are_compared_at_one_depth() -> None:
    """A game whose moves were once judged at depths of different parity."""
    start = noughts.game("ultimate")
    moves = noughts.parse_moves(start, "59 95 54 46 69 97 73 33 37 76")
    for nodes in (20_000, 50_000, 200_000):
        judge = Judge(start, Limit(nodes=nodes))
        for remark in review(Record.from_moves(start, moves), judge):
            assert remark.label not in ERRORS, (nodes, str(remark.position), remark)
            again = Judge(start, Limit(nodes=nodes)).alone(remark.position)
            assert judge.alone(remark.position).moves == again.moves


@pytest.mark.parametrize("rules_id", ["ultimate", "advanced", "basic", "mnk:5,5,4"])
@pytest.mark.parametrize("seed", [5, pytest.param(11, marks=pytest.mark.soak)])
def test_exercises_accept_the_moves_that_a_review_does_not_flag(rules_id: str, seed: int) -> None:
    judge, remarks = one_review(rules_id, seed)
    errors = [remark for remark in remarks if remark.label in ERRORS]
    assert errors
    for remark in remarks:
        if remark.label not in ERRORS:
            assert remark.good == []
    for remark in errors:
        good = set(remark.good)
        assert remark.move not in good
        for move in remark.position.legal_moves():
            assert (label_of(remark.position, move, judge) not in ERRORS) == (move in good)


def remark_on(place: Position, move: int, label: str = "good", lost: float = 0.0) -> Remark:
    return Remark(place, move, label, move, Value.draw(), Value.draw(), lost, 1.0, [], [], [])


def test_accuracy_is_100_without_errors_and_falls_with_the_loss() -> None:
    place = noughts.game("basic")
    marks = [
        remark_on(place, 0, "good" if lost == 0 else "inaccuracy", lost)
        for lost in (0.0, 0.1, 0.11, 0.3, 0.5, 0.9, 1.0)
    ]
    found = [mark.accuracy for mark in marks]
    assert found == sorted(found, key=lambda each: -(each or 0))
    assert (found[0], found[-1]) == (100, 0)
    assert len(set(found)) == len(found)
    assert summary(marks)[Player.O].accuracy is None
    assert summary([])[Player.X].accuracy is None
    forced = remark_on(place, 0, "forced")._replace(spread=0.0)
    assert summary([forced])[Player.X].accuracy is None
    mean = summary(marks)[Player.X].accuracy
    assert mean == pytest.approx(sum(each or 0 for each in found) / len(found))
    best = [remark_on(place, 0, label) for label in LABELS if label not in ERRORS]
    assert summary(best)[Player.X].accuracy == 100
    alike = remark_on(place, 0)._replace(spread=SPREAD / 2)
    assert summary([alike])[Player.X].accuracy is None


@pytest.mark.parametrize("rules_id", ["connect4:5,4", "ultimate", "mnk:7,7,5"])
def test_accuracy_alone_is_that_of_the_review(rules_id: str) -> None:
    record = random_record(rules_id, random.Random(3))
    record.tags["Opening"] = "2"
    judges = [Judge(record.start, Limit(nodes=3_000)) for _ in range(3)]
    players = summary(review(record, judges[2]))
    for player, judge in zip(Player, judges, strict=False):
        found = accuracy(record, player, judge)
        assert found is not None
        assert found == players[player].accuracy


def test_turning_points_are_the_worst_errors_of_a_player() -> None:
    x, o = noughts.game("basic"), noughts.game("basic").play(4)
    lost = (0.2, 0.0, 0.5, 0.0, 0.5, 0.0, 1.0)
    remarks = [
        remark_on(x if at % 2 == 0 else o, at, "inaccuracy" if each else "good", each)
        for at, each in enumerate(lost)
    ]
    assert turning_points(remarks, Player.X) == [7, 3, 5]
    assert turning_points(remarks, Player.O) == []
    assert turning_points(remarks[:1], Player.X) == [1]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Ann", "Ben"), ["X", "O"]),
        (("Ann", "engine:level=4"), ["X"]),
        (("Engine, level 10", "Person"), ["O"]),
        (("mcts:seconds=1", "Alpha-beta, depth 3"), []),
        (("human", ""), ["X", "O"]),
    ],
)
def test_people_are_the_players_that_are_no_opponents(
    names: tuple[str, str], expected: list[str]
) -> None:
    record = Record.from_moves(noughts.game("basic"), [], dict(zip("XO", names, strict=True)))
    assert [str(player) for player in people(record)] == expected


@pytest.mark.parametrize("rules_id", ["ultimate", "advanced", "basic", "connect4:5,4", "mnk:5,5,4"])
@pytest.mark.parametrize("seed", [5, pytest.param(11, marks=pytest.mark.soak)])
def test_clues_are_true_and_name_no_good_move(rules_id: str, seed: int) -> None:
    _, remarks = one_review(rules_id, seed)
    errors = [remark for remark in remarks if remark.label in ERRORS]
    assert errors
    for remark in remarks:
        assert bool(remark.clues) == (remark.label in ERRORS)
    for remark in errors:
        place = remark.position
        first, *where = remark.clues
        assert first == clue_by_facts(remark)
        words = set(re.findall(r"\w+", first.partition(" moves will do")[0]))
        if " moves will do" not in first:
            assert not words & {place.move_text(move) for move in remark.good}
        assert rules_id != "basic" or not where
        for region in where:
            inside = [move for move in place.legal_moves() if lies_in(place, move, region)]
            assert remark.best in inside
            assert len(inside) < len(place.legal_moves())
    assert rules_id == "basic" or any(len(remark.clues) == 2 for remark in errors)


@pytest.mark.parametrize("rules_id", ["connect4", "ultimate", "advanced", "mnk:9,9,5"])
def test_threads_change_nothing(rules_id: str) -> None:
    record = random_record(rules_id, random.Random(3))
    one, three = (
        review(record, Judge(record.start, Limit(nodes=3_000), exactly=True, threads=threads))
        for threads in (1, 3)
    )
    assert one == three


def test_interrupted_review_ends_its_searches() -> None:
    record = random_record("ultimate", random.Random(3))
    first, searched = threading.Event(), set()

    def heard(result: SearchResult) -> None:
        searched.add(result.position.ply)
        assert result.position.ply > len(record.moves) - 2 or first.wait(PATIENCE)

    def progress(*_: int) -> None:
        first.set()
        raise KeyboardInterrupt

    judge = Judge(record.start, Limit(nodes=10**10), threads=2, heard=heard)
    with pytest.raises(KeyboardInterrupt):
        review(record, judge, progress)
    assert len(searched) < len(record.moves) / 2


def test_opening_moves_of_a_match_have_no_label() -> None:
    start = noughts.game("connect4:5,4")
    moves = [start.parse_move(text) for text in ["3", "3", "1", "1", "2", "5", "4"]]
    judge = Judge(start)
    whole = review(Record.from_moves(start, moves), judge)
    given = review(Record.from_moves(start, moves, {"Opening": "4"}), judge)
    assert [remark.label for remark in given] == ["", *("",) * 3, *(r.label for r in whole[4:])]
    assert whole[2].label == "blunder"
    assert all(remark.accuracy is None for remark in given[:4])
    assert sum(summary(given)[Player.X].labels.values()) == 2
    assert turning_points(given, Player.X) == []
    assert not given[2].sentences


def lies_in(place: Position, move: int, region: str) -> bool:
    """Whether a move lies in a part of the board that a clue names."""
    if isinstance(place, ConnectFour):
        return place.move_text(move) in re.findall(r"\d+", region)
    if isinstance(place, NestedPosition):
        board, row = divmod(int(place.move_text(move)), 10)[0] - 1, (move % 9) // 3
        is_row = region.startswith(f"Look at the {('top', 'middle', 'bottom')[row]} row of")
        return region.endswith(f"the {board_name(board)}.") and (is_row or "row" not in region)
    assert isinstance(place, RowPosition)
    row, column = divmod(move, place.rules.columns)
    down = ("top", "middle", "bottom")[3 * row // place.rules.rows]
    along = ("left", "middle", "right")[3 * column // place.rules.columns]
    named = "centre" if (down, along) == ("middle", "middle") else f"{down} {along}"
    return region == f"Look at the {named} of the board."


def clue_by_facts(remark: Remark) -> str:
    """Return the clue that follows from facts that are checked here."""
    place = remark.position
    found: dict[int, dict[str, str]] = {}
    for move in (remark.move, remark.best):
        found[move] = {}
        for sentence in sentences(place, by_rules(place, move)):
            check(place, sentence)
            is_sure = sentence.fact.kind not in ("two_threats", "every_answer", "no_good_answer")
            value = remark.after if move == remark.move else remark.before
            if is_sure or value.is_win:
                found[move][sentence.fact.kind] = str(sentence.fact.player)
    played, better = found[remark.move], found[remark.best]
    helped = [(better, played, str(place.turn)), (played, better, str(place.turn.other))]
    for facts, others, player in helped:
        for kind, owner in facts.items():
            if owner == player and kind not in others and kind in CLUES:
                return CLUES[kind].format(
                    player=place.turn, other=place.turn.other, move=place.move_text(remark.move)
                )
    if threat_of_other(place):
        return f"{place.turn.other} threatens to win at once."
    return f"{len(remark.good)} of {len(place.legal_moves())} moves will do."


def test_longest_game_is_annotated() -> None:
    begin = noughts.game("mnk:19,19,19")
    order = range(300)
    record = Record.from_moves(begin, order)
    remarks = [
        remark_on(place, move) for place, move in zip(record.positions(), order, strict=False)
    ]
    assert annotated(record, remarks, Judge(begin, Limit(nodes=1))) == record


# The command --------------------------------------------------------------------------------------


def test_command_labels_every_move_and_sums_up(file: Path) -> None:
    done = run("review", str(file), "--game", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Game 1: basic, Ann - Ben, 1-0",
        "  1 X 1   best          draw",
        "  2 O 2   blunder       draw to loss 3",
        "      2 turns a draw into a loss in 3 moves; 5 draws.",
        *done.stdout.splitlines()[4:6],
        "  3 X 5   best          win 3",
        "  4 O 3   loses faster  loss 2 to loss 1",
        "      3 leaves X's line 1 5 9 open: X wins at once with 9.",
        "          3 9",
        "      3 loses at once; 9 lasts 2 moves.",
        "          3 9",
        "          9 7 4 3",
        "  5 X 9   best          win 1",
        "",
        "X (Ann): accuracy 100; 3 best",
        "O (Ben): accuracy 2; 1 loses faster, 1 blunder",
        "    turning point, move 2: 2 turns a draw into a loss in 3 moves; 5 draws.",
        "X's win is proven from move 3 on.",
        "",
    ]


def test_json_has_a_line_for_each_game(file: Path) -> None:
    done = run("review", str(file), "--json", "--nodes", "5000")
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["schema"], first["game"], second["game"]) == (1, 1, 2)
    assert [move["label"] for move in first["moves"]] == [
        "best",
        "blunder",
        "best",
        "loses faster",
        "best",
    ]
    assert first["players"]["O"]["accuracy"] == pytest.approx(100 * 0.5**STEEPNESS)
    assert first["players"]["O"]["turning_points"] == [2]
    assert first["moves"][1]["sentences"][0]["claim"] == "gives_up"
    assert {move["label"] for move in second["moves"]} <= set(LABELS) - {"forced"}
    assert 0 <= second["players"]["X"]["accuracy"] <= 100
    again = run("review", str(file), "--json", "--nodes", "5000")
    assert again.stdout == done.stdout


def test_json_lines_round_trip(file: Path, tmp_path: Path) -> None:
    other, saved = tmp_path / "games.jsonl", tmp_path / "reviewed.jsonl"
    for record in records.read(file):
        records.append(other, record)
    done = run("review", str(other), "--nodes", "5000", "--save", str(saved))
    assert done.returncode == 0
    basic, ultimate = records.read(saved)
    assert basic.children[0].children[0].comment.startswith("a try blunder: ")
    assert ultimate.moves == list(records.read(file))[1].moves


@pytest.mark.parametrize(
    ("text", "arguments", "code", "complaint"),
    [
        (None, [], 3, ": No such file"),
        ("", [], 3, "has no games"),
        ("1. 5 1", [], 3, "Line 1: '1.' is no game"),
        ("(;GM[1]SZ[19];B[pd])", [], 3, "This is an SGF record of Go; noughts reads SGF of Gomoku"),
        ('[Game "basic"]\n\n1. 5 5 *\n', [], 3, "Line 3: cell 5 is taken."),
        (GAMES, ["--game", "3"], 3, "--game 3: "),
        (GAMES, ["--game", "0"], 2, "'0' is not the number of a game in the file"),
        ("4453", ["--game", "connect4"], 2, "write a line such as `connect4 4453`"),
        (GAMES, ["--side", "X"], 2, "--side goes with --retry"),
        (GAMES, ["--retry", "--json"], 2, "prints no JSON: leave out --json"),
        (GAMES, ["--retry", "--side", "Z"], 2, "side"),
        (GAMES, ["--game", "1", "--save", "/no/such/folder/file"], 3, "--save: cannot write"),
    ],
)
def test_wrong_input_is_refused(
    tmp_path: Path, text: str | None, arguments: list[str], code: int, complaint: str
) -> None:
    path = tmp_path / "games.txt"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = run("review", str(path), *arguments)
    assert done.returncode == code
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_game_without_moves_is_reviewed(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text('[Game "basic"]\n\n*\n', encoding="utf-8")
    done = run("review", str(path))
    assert (done.returncode, "no moves" in done.stdout) == (0, True)
    assert "no error" in run("review", str(path), "--retry").stdout


# Retrying -----------------------------------------------------------------------------------------


def retry(file: Path, entries: str, *arguments: str) -> str:
    done = run("review", str(file), "--game", "1", "--retry", *arguments, entries=entries)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_answer_is_hidden_until_it_is_found(file: Path) -> None:
    shown = retry(file, "9\nhint\nhint\nwhat\n1\n")
    assert "O played 2: it turned a draw into a loss. What holds the draw?" in shown
    assert "No.\n9 loses in 3 moves." in shown
    assert "1 of 8 moves will do." in shown
    assert '"what" is not a move' in shown
    assert "Cell 1 is taken" in shown
    asked = shown.partition("O (hint")[2].replace("4 | 5 | 6", "")
    assert "5 " not in asked.replace("Free cells: 2 3 4 5 6 7 8 9.", "")
    assert shown.endswith("Found: 0 of 1.\n")


def test_found_answer_is_explained(file: Path) -> None:
    shown = retry(file, "5\n")
    assert "Yes.\n5 is the only move that keeps the draw" in shown
    assert shown.endswith("Found: 1 of 1.\n")


@pytest.mark.parametrize(
    ("entries", "answer"), [("show\n", True), ("skip\n", False), ("quit\n", False), ("", False)]
)
def test_show_skip_quit_and_end_of_input(file: Path, entries: str, answer: bool) -> None:
    shown = retry(file, entries)
    assert ("5 is the only move that keeps the draw" in shown) == answer
    assert shown.endswith("Found: 0 of 1.\n")


def test_each_side_has_its_own_mistakes(file: Path) -> None:
    assert "no error of X to try again" in retry(file, "", "--side", "X")
    assert "error 1 of 1" in retry(file, "", "--side", "O")


def test_threat_is_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    record = Record.from_moves(
        noughts.game("basic"), noughts.parse_moves(noughts.game("basic"), "51329")
    )
    records.append(path, record)
    shown = retry(path, "hint\n")
    assert "X threatens to win at once." in shown


def test_retrying_at_a_terminal(start: Start, file: Path) -> None:
    child = start(f"review {file} --game 1 --retry")
    child.expect("What holds the draw")
    child.expect("O .hint, show, skip, quit.: ")
    child.sendline("5")
    child.expect("Yes")
    child.expect("Found: 1 of 1")
    ends(child)


def test_errors_are_labels() -> None:
    assert set(ERRORS) < set(LABELS)
