"""One judgement: everything that speaks of a position agrees, and no proof is lost."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from needs import NODE, needs_node

import noughts
from noughts import Position
from noughts.answers import tasks
from noughts.answers.positions import GraphPoint
from noughts.engine import Engine
from noughts.explorer.explore import exact_values
from noughts.games.position import Player
from noughts.judgement.judge import MEETING, Judge, budgets
from noughts.judgement.results import along, merged
from noughts.levels import choose, level_of
from noughts.search import Limit, SearchResult, Value
from noughts.site import build
from noughts.views.modules import bundle, ordered
from noughts.web.knowledge import Knowledge, Known
from noughts.web.pool import Engines
from noughts.web.searches import Deepening, Graph

SMALL = ("basic", "mnk:4,4,3", "mnk:3,3,3,misere")
LARGE = ("connect4", "advanced", "ultimate")
CROSSED = "4 6 4 4 4 4 4 2 2 1 3 3 5 3"
"""A game of Connect Four whose graph once ran from a draw to X, to O and back."""


def played(rules_id: str, seed: int) -> tuple[Position, list[str]]:
    """Return a start and the moves of a game of two levels."""
    rng = random.Random(f"{rules_id} {seed}")
    start = position = noughts.game(rules_id)
    engines = [Engine(rules_id, table_mib=4) for _ in range(2)]
    levels = [level_of(rules_id, rng.randint(1, 10)) for _ in range(2)]
    texts = []
    while position.outcome() is None:
        side = position.turn is Player.O
        move = choose(engines[side], position, levels[side], seed).move
        assert move is not None
        texts.append(position.move_text(move))
        position = position.play(move)
    return start, texts


def kind_of(view: Any) -> str | None:
    """Return the proven kind of a value for the page; `None` if it is not proven."""
    return None if view is None or view["value"] == "unknown" else view["value"]


def graph_in_slices(line: Sequence[Position]) -> list[GraphPoint]:
    points: dict[int, GraphPoint] = {}
    graph = Graph(Engines(), line, Known(1_000), lambda point: points.update({point["ply"]: point}))
    assert graph.go_on()
    return [points[ply] for ply in range(len(line))]


def agree(found: Iterable[str | None]) -> bool:
    """Whether all values that are proven are the same."""
    return len({kind for kind in found if kind is not None}) <= 1


@pytest.fixture
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the searches of review and hint by few nodes alone: each run proves the same, soon."""
    for name in ("EXPLAINED", "REVIEWED"):
        monkeypatch.setattr(tasks, name, Limit(nodes=min(30_000, getattr(tasks, name).nodes)))
    monkeypatch.setattr("noughts.judgement.judge.full_strength", lambda _: Limit(nodes=10_000))
    monkeypatch.setattr(tasks, "REVIEW_SECONDS", 1e9)


def verdicts(rules_id: str, seed: int, step: int = 1) -> int:
    """Compare the verdicts on all positions of a game, and every `step` plies those of searches.

    The searches are hint, explorer and analysis; review and both graphs judge the game as a whole.
    Return how many positions are proven by all whose limit is a number of nodes, which leaves out
    the analysis.
    """
    start, texts = played(rules_id, seed)
    line = [start]
    for text in texts:
        line.append(line[-1].play(line[-1].parse_move(text)))
    flipped = {"win": "loss", "loss": "win", "draw": "draw", None: None}
    nothing = lambda *_: None  # noqa: E731
    reviewed = tasks.review(str(start), texts, progress=nothing, tell=nothing).reply["remarks"]
    graphs = tasks.graph(str(start), texts), graph_in_slices(line)
    whole = 0
    for ply, position in enumerate(line[:-1]):
        is_x = position.turn is Player.X
        remark = reviewed[ply]
        found = {"review": kind_of(remark["before"]) if remark["proven"] else None}
        for name, graph in zip(("graph", "graph in slices"), graphs, strict=True):
            kind = kind_of(graph[ply]["value"])
            found[name] = kind if is_x else flipped[kind]
        if ply % step == seed % step:
            found |= searched(start, texts[:ply], position)
            whole += None not in [kind for name, kind in found.items() if name != "analysis"]
        assert agree(found.values()), (str(position), found)
        if ply:  # Of a proven value, the move before it has the other side's.
            after = flipped[kind_of(reviewed[ply - 1]["after"])]
            assert agree([after, found["review"]]), (str(position), after, found)
        if rules_id in (*SMALL, "connect4"):
            missing = [name for name, kind in found.items() if kind is None and name != "analysis"]
            assert not missing, (str(position), found)
    return whole


def searched(start: Position, texts: list[str], position: Position) -> dict[str, str | None]:
    """Return the kinds that searches of one position prove."""
    found = {"hint": kind_of(tasks.hint(str(start), texts).reply["value"])}
    explorer = exact_values(position)
    if len(explorer) == len(position.legal_moves()) or any(
        value.is_win for value in explorer.values()
    ):
        found["explorer"] = max(explorer.values(), key=lambda value: value.rank).kind
    else:
        found["explorer"] = None
    search = Deepening(Engines(), "", position, 0.05, Known(10))
    search.go_on()
    assert search.result is not None
    value = search.result.value
    found["analysis"] = value.kind if value.is_exact else None
    return found


@pytest.mark.usefixtures("no_clock")
@pytest.mark.parametrize("rules_id", SMALL)
def test_all_that_speak_of_a_position_agree(rules_id: str) -> None:
    assert sum(verdicts(rules_id, seed) for seed in range(3)) > 6


@pytest.mark.usefixtures("no_clock")
@pytest.mark.parametrize("rules_id", LARGE)
def test_all_that_speak_of_a_large_game_agree(rules_id: str) -> None:
    assert sum(verdicts(rules_id, seed, 9) for seed in range(2)) > 0


@pytest.mark.soak
@pytest.mark.parametrize("rules_id", [*SMALL, *LARGE])
@pytest.mark.parametrize("first", range(0, 200, 10))
@pytest.mark.usefixtures("no_clock")
def test_all_that_speak_of_many_games_agree(rules_id: str, first: int) -> None:
    step = 1 if rules_id in SMALL else 9
    assert sum(verdicts(rules_id, seed, step) for seed in range(first, first + 10)) > 5


def test_the_values_of_connect_four_are_those_of_the_solver() -> None:
    texts = CROSSED.split()
    line = [noughts.game("connect4")]
    for text in texts:
        line.append(line[-1].play(line[-1].parse_move(text)))
    engine = Engine("connect4")
    for ply, (one, other) in enumerate(
        zip(tasks.graph("connect4", texts), graph_in_slices(line), strict=True)
    ):
        assert one["value"]["value"] == other["value"]["value"]
        if ply >= 8:  # Without the book the solver takes longer for fewer stones.
            value = engine.solve(line[ply]).value
            for_x = value if line[ply].turn is Player.X else value.swapped
            assert one["value"]["value"] == for_x.kind
            assert one["value"]["plies"] == for_x.plies or ply < 9


def test_limits_grow_only_where_a_solver_answers() -> None:
    limit = Limit(nodes=1_000)
    assert len(budgets(noughts.game("connect4"), limit)) == 4
    assert budgets(noughts.game("connect4:9,9"), limit) == [limit]
    assert len(budgets(noughts.game("mnk:5,5,4"), limit)) == 2
    for rules_id in ("mnk:5,5,4,misere", "ultimate", "advanced", "mnk:15,15,5"):
        assert budgets(noughts.game(rules_id), limit) == [limit]


def test_a_limit_of_a_person_holds_where_a_solver_would_need_more() -> None:
    position, limit = noughts.game("connect4:6,5"), Limit(nodes=2_000)
    found = Judge(position, limit, exactly=True).values(position)
    assert not found.value.is_exact
    assert found.nodes < 10_000
    assert Judge(position, limit).values(position).value.is_exact


def test_a_proof_of_another_search_is_used_and_stays() -> None:
    position = noughts.game("ultimate")
    judge = Judge(position, Limit(nodes=2_000))
    assert not judge.values(position).value.is_exact
    move = position.legal_moves()[3]
    proof = SearchResult(
        move, 1, True, False, 9, 9, 0.0, position, (move,), moves={move: Value.win(11)}
    )
    judge.know([proof])
    assert judge.values(position).move == move
    assert judge.values(position).value.is_win
    assert Judge(position, Limit(nodes=2_000)).values(position).value.kind == "unknown"


def test_a_proven_move_proves_the_position_after_it() -> None:
    position = noughts.game("ultimate")
    judge = Judge(position, Limit(nodes=2_000))
    move = position.legal_moves()[3]
    moves = {move: Value.win(11)}
    proof = SearchResult(move, 1, True, False, 9, 9, 0.0, position, (move,), moves=moves)
    judge.know([proof])
    _, after = judge.along(position, [move])
    assert after.value == Value.loss(10)


def result_of(position: Position, values: dict[int, Value], move: int, depth: int) -> SearchResult:
    lines: dict[int, tuple[int, ...]] = {each: (each,) for each in values}
    score = values[move].score(position.ply)
    return SearchResult(
        move, score, False, False, depth, 9, 0.0, position, (move,), moves=values, lines=lines
    )


def test_the_first_of_equal_proofs_stays_the_best_move() -> None:
    position = noughts.game("basic")
    unknown = dict.fromkeys(position.legal_moves(), Value.unknown())
    first = result_of(position, {**unknown, 3: Value.win()}, 3, 4)
    second = result_of(position, {**unknown, 3: Value.win(), 5: Value.win()}, 5, 6)
    assert merged(first, second).move == 3
    shorter = result_of(position, {**unknown, 3: Value.win(), 5: Value.win(7)}, 5, 6)
    assert merged(first, shorter).move == 5


def test_proofs_flow_along_a_line() -> None:
    unknown = Value.unknown(0.3)
    assert along([unknown, Value.loss(3), unknown]) == [Value.win(), Value.loss(3), Value.win()]
    assert along([unknown, Value.draw(), Value.unknown(-0.4)]) == [
        unknown,
        Value.draw(),
        Value.unknown(0.0),
    ]
    assert along([Value.win(3), unknown]) == [Value.win(3), unknown]


def test_lines_that_meet_are_searched_once() -> None:
    """Two lines of the same play: the second one takes over the rest of the first."""
    heard: list[SearchResult] = []
    start = noughts.game("connect4")
    judge = Judge(start, heard=heard.append)
    first = judge.line(start, 3)
    assert len(first) == 41
    assert start.after(first).outcome() is not None
    earlier = start.after(first[:2])
    heard.clear()
    second = judge.line(earlier, first[2])
    assert second == first[2:]
    assert max(result.position.ply for result in heard) < MEETING


def test_no_move_is_proven_by_the_line_of_an_earlier_search() -> None:
    """For O 69 is proven to lose, while the line found with it goes on with a losing move of X."""
    boards = "3X1X3.6X1X.3O1O1X1.2XXOXO2.3O1X3.OOX4X1.5O2X.O2O5.2O1X3O"
    start = noughts.position(f"advanced~{boards}~O~6")
    moves = noughts.parse_moves(start, "69 94")
    judge, engine, compared = Judge(start, Limit(nodes=30_000)), Engine("advanced"), 0
    for found in judge.along(start, moves)[:2]:
        for move, value in found.moves.items():
            if value.is_exact:
                truth = engine.solve(found.position.play(move)).value.for_mover
                assert value.kind == truth.kind, found.position.move_text(move)
                compared += 1
    assert compared > 5


def test_knowledge_keeps_a_proof_beside_a_later_estimate() -> None:
    position = noughts.game("basic")
    unknown = dict.fromkeys(position.legal_moves(), Value.unknown())
    known = Knowledge()
    known.learn_proofs([result_of(position, {4: Value.draw()}, 4, 9)])
    assert known.told(result_of(position, unknown, 0, 2)).moves[4].is_draw


def test_sentences_use_what_an_analysis_has_proven() -> None:
    position = noughts.game("ultimate")
    move = position.legal_moves()[3]
    known = Knowledge()
    known.learn_proofs([result_of(position, {move: Value.win(11)}, move, 9)])
    told = known.about([position])
    assert [each.moves for each in told] == [{move: Value.win(11)}]
    hint = tasks.hint("ultimate", (), known=told).reply
    assert (hint["move"], hint["value"]["value"]) == (position.move_text(move), "win")
    tasks._kept_judge.cache_clear()


def known_on_the_page(folder: Path, notes: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """Return the values of lines that `createKnown` of the page has after some notes."""
    script = bundle(ordered(build.modules(), "/static/known.js"))
    module = folder / "known.mjs"
    module.write_text(script + "export const { createKnown } = $_static_known;\n")
    assert NODE is not None
    command = [NODE, "tests/known.mjs", str(module)]
    done = subprocess.run(
        command, input=json.dumps(notes), capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def shown(value: str, chance: int, plies: int | None = None) -> dict[str, Any]:
    return {"value": value, "chance": chance, "moves": plies, "plies": plies}


@needs_node
def test_the_page_keeps_proofs_and_lets_them_flow(tmp_path: Path) -> None:
    even, won = shown("unknown", 53), shown("win", 100)
    found = known_on_the_page(
        tmp_path,
        [
            ("5", "point", shown("loss", 0)),
            ("5", "view", even),
            ("5 1", "view", won),
            ("5 1", "view", even),
            ("5 1", "point", shown("win", 100, 9)),
            ("5 1 9", "view", even),
            ("4 1", "view", shown("loss", 0)),
            ("4", "point", even),
        ],
    )
    assert found["5"]["value"] == "loss"  # a proof counts more than the running analysis
    assert found["5 1"] == shown("win", 100, 9)  # with its distance
    assert found["5 1 9"] == even  # X moved in a won position, perhaps wrongly
    assert found["4"]["value"] == "loss"  # O has a winning reply
    assert found[""] is None
    lost = known_on_the_page(
        tmp_path, [("5 1", "point", shown("loss", 0)), ("5 1 9", "view", even)]
    )
    assert lost["5 1 9"]["value"] == "loss"  # every move of X loses
