"""Labs: they give the figures of their sources, and the documentation shows their output.

A figure without a source was counted by an independent program.
"""

import inspect
import itertools
import json
import re
import runpy
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any, cast

import pytest
from command import run
from hypothesis import given, settings
from hypothesis import strategies as st

import noughts
from noughts import IllegalMove, NotationError, Player
from noughts.arena.openings import random_openings
from noughts.games.given_tree import GivenTree, Tree, parse_tree, tree_text
from noughts.games.row import Basic
from noughts.labs.claims import LABS
from noughts.labs.first_move import AGENTS, RULES, FirstMovePoint, first_move, points_of, verdict
from noughts.labs.report import Report
from noughts.search import Value, solve_all

DOCS = Path(__file__).parents[1] / "docs"
PAGE = "".join(
    (DOCS / name).read_text(encoding="utf-8") for name in ("labs.md", "worked-examples.md")
)
MEASUREMENTS = (DOCS / "measurements.md").read_text(encoding="utf-8")
LABS_PAGE = runpy.run_path(str(DOCS / "labs.py"))
"""The names of the script that writes the pages."""


def run_lab(name: str, **options: Any) -> Report:
    """Run a lab and check the properties of every report."""
    steps: list[tuple[int, int]] = []
    report = LABS[name](progress=lambda done, total: steps.append((done, total)), **options)
    total = steps[0][1]
    assert steps[0] == (0, total)
    assert steps[-1] == (total, total)
    assert steps == sorted(set(steps))
    assert report.name == name
    assert report.rows
    assert {len(row) for row in report.rows} == {len(report.headers)}
    assert json.loads(json.dumps(report.data)) == report.data
    return report


def shown(report: Report) -> bool:
    """Return whether the pages show this report as the command prints it."""
    section = cast("Callable[[Report], str]", LABS_PAGE["section"])
    return section(report) in PAGE


@pytest.fixture(scope="module")
def solution() -> dict[Basic, Value]:
    return cast("dict[Basic, Value]", solve_all(Basic.start()))


def test_docs_list_every_lab_once() -> None:
    assert re.findall("^## (.*)$", PAGE, re.MULTILINE) == list(LABS)


def test_every_lab_is_described_in_a_sentence() -> None:
    for lab in LABS.values():
        first_line = (inspect.getdoc(lab) or "").split("\n")[0]
        assert re.fullmatch(r"[A-Z][^.]*\.", first_line), lab


def test_counts(solution: dict[Basic, Value]) -> None:
    report = run_lab("counts")
    data = report.data
    # The blog's three counters, without its opening.
    assert (data["minimax"], data["strict"], data["strict_stop"]) == (549_945, 146_119, 94_977)
    assert (data["stop_only"], data["proper"], data["proper_stop"]) == (94_977, 18_296, 16_810)
    assert {
        order: tuple(made[key] for key in ("strict", "strict_stop", "proper", "proper_stop"))
        for order, made in data["orders"].items()
    } == {
        "row by row": (146_119, 94_977, 18_296, 16_810),
        "centre, corners, edges": (72_245, 67_181, 7_274, 6_322),
        "corners, centre, edges": (102_989, 69_480, 11_553, 9_663),
        "edges, corners, centre": (293_417, 147_522, 42_093, 39_850),
    }
    assert (data["report_break"], data["report_mended"]) == (85_917, 34_202)
    assert data["first_mark"] == {
        "corner": {"report_break": 17_137, "report_mended": 6_304},
        "centre": {"report_break": 19_479, "report_mended": 8_465},
        "edge": {"report_break": 17_614, "report_mended": 7_210},
    }
    # With a table each edge of the position graph is one move made, and no edge occurs twice.
    edges = {(p, p.play(move)) for p in solution for move in p.legal_moves()}
    assert data["minimax_table"] == len(edges)
    assert data["minimax_table_symmetry"] < data["minimax_table"]
    for made in data["orders"].values():
        assert made["negamax_table_symmetry"] < made["negamax_table"] < made["proper"]
    for key, made in data["opening"].items():
        assert 0 < made < data[key]
    assert shown(report)


def test_size() -> None:
    report = run_lab("size")
    data = report.data
    assert data["factorial"] == 362_880
    assert data["tree_nodes"] == 549_946
    assert data["tree_nodes_per_ply"] == [
        1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872,
    ]  # fmt: skip
    assert data["games"] == {"total": 255_168, "x": 131_184, "o": 77_904, "draw": 46_080}
    assert data["games_per_length"] == {
        "5": 1440, "6": 5328, "7": 47952, "8": 72576, "9": 127872,
    }  # fmt: skip
    assert data["positions"] == 5_478
    assert data["positions_per_ply"] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert data["positions_over"] == {"total": 958, "x": 626, "o": 316, "draw": 16}
    assert data["values"] == {"x": 2_936, "draw": 1_068, "o": 1_474}
    assert data["classes"] == 765
    assert data["classes_per_ply"] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert data["classes_over"] == {"total": 138, "x": 91, "o": 44, "draw": 3}
    # Schaeffer 2002 quotes 26,830 as the number of games up to symmetry.
    assert data["class_paths"] == {"total": 26_830, "x": 13_957, "o": 8_005, "draw": 4_868}
    assert data["games_up_to_symmetry"] == 31_896
    assert shown(report)


def test_unbeatable() -> None:
    report = run_lab("unbeatable")
    data = report.data
    matches = [data[rules][side] for rules in ("basic", "mnk:3,3,3,misere") for side in "xo"]
    for match in matches:
        assert match["games"] == match["wins"] + match["draws"] + match["losses"]
        assert match["losses"] == 0
        assert match["wins"] > 0, "some of the opponents' lines are bad"
        assert match["draws"] > 0, "and some are perfect, since both games are draws"
    for key in ("games", "wins", "draws", "losses"):
        assert data[key] == sum(match[key] for match in matches)
    assert shown(report)


def test_fastest(solution: dict[Basic, Value]) -> None:
    report = run_lab("fastest")
    data = report.data

    def by_sign(position: Basic) -> int:
        """Return the first winning move, without a search."""
        return next(
            move
            for move in position.legal_moves()
            if solution[position.play(move)].for_mover.is_win
        )

    def reading(position: Basic) -> str:
        return "".join(
            {"X": "1", "O": "2", "None": "3"}[str(position.mark(cell))] for cell in range(9)
        )

    won = [position for position, value in solution.items() if value.is_win]
    missed = [p for p in won if solution[p.play(by_sign(p))].for_mover != solution[p]]
    assert (data["won"], data["missed"]) == (len(won), len(missed))
    first = min(missed, key=lambda p: (p.ply, reading(p)))
    assert data["position"] == str(first)
    assert data["distance"]["plies"] == solution[first].plies
    assert data["sign"]["plies"] > data["distance"]["plies"]
    sign_move, quick_move = (first.parse_move(data[key]["move"]) for key in ("sign", "distance"))
    assert sign_move == by_sign(first)
    assert solution[first.play(quick_move)].for_mover == solution[first]
    assert shown(report)


@pytest.mark.soak
def test_heuristic(solution: dict[Basic, Value]) -> None:
    report = run_lab("heuristic")
    data = report.data
    assert data["positions"] == 4_520
    depths = data["depths"]
    assert list(depths) == [str(depth) for depth in range(1, 9)]
    # At depth 1 the nodes are the positions and the moves from them.
    moves = sum(len(position.legal_moves()) for position in solution)
    assert depths["1"]["nodes"] == 4_520 + moves
    best_missed = quickest_missed = 0
    for position, value in solution.items():
        if position.outcome() is None:
            after = [position.play(move) for move in position.legal_moves()]
            chosen = solution[max(after, key=lambda p: worth(p, position.turn))].for_mover
            best_missed += chosen.kind != value.kind
            quickest_missed += chosen.rank != value.rank
    assert depths["1"]["best_missed"] == best_missed
    assert depths["1"]["quickest_missed"] == quickest_missed
    for shallow, deep in itertools.pairwise(depths.values()):
        assert shallow["nodes"] < deep["nodes"]
        assert shallow["best_missed"] >= deep["best_missed"]
    assert shown(report)


def worth(position: Basic, player: Player) -> float:
    """Return E(n) = M - O for `player`, from lines written out; finished games exceed it."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 100 if outcome.winner is player else -100
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")
    owners = [{position.mark(int(cell)) for cell in line} for line in lines]
    return sum((player.other not in marks) - (player not in marks) for marks in owners)


QUICK: dict[str, Any] = {"games": 3, "depth": 2}
TWO_RULES = ("advanced:full=draw", "ultimate:tie=boards")


@pytest.fixture
def two_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the lab first-move play two games, to save time."""
    monkeypatch.setattr("noughts.labs.first_move.RULES", TWO_RULES)


@pytest.mark.usefixtures("two_rules")
def test_first_move_is_repeatable_and_adds_up() -> None:
    report = run_lab("first-move", seed=5, **QUICK)
    assert report == run_lab("first-move", seed=5, **QUICK)
    assert report.data != {**run_lab("first-move", seed=6, **QUICK).data, "seed": 5}
    points = report.data["points"]
    assert {(each["rules"], each["agent"], each["depth"]) for each in points} == set(
        itertools.product(TWO_RULES, AGENTS, (1, 2))
    )
    for each in points:
        assert each["wins"] + each["draws"] + each["losses"] == each["games"] == 3
        assert each["score"] == pytest.approx((each["wins"] + each["draws"] / 2) / 3)
        assert each["ahead"] is None, "three games decide nothing"
    assert [each.data() for each in points_of(report)] == points


@pytest.mark.usefixtures("two_rules")
def test_more_games_continue_the_same_series() -> None:
    few, more = (run_lab("first-move", games=games, depth=1).data for games in (2, 4))
    for first, second in zip(few["points"], more["points"], strict=True):
        for result in ("wins", "draws", "losses"):
            assert 0 <= second[result] - first[result] <= 2


@pytest.mark.usefixtures("two_rules")
def test_first_move_repeats_the_games_of_a_match() -> None:
    """One point, played again by the opponents of its text, one move after another."""
    rules, agent = "ultimate:tie=boards", "report"
    (found,) = (
        each
        for each in run_lab("first-move", seed=2, **QUICK).data["points"]
        if (each["rules"], each["agent"], each["depth"]) == (rules, agent, 2)
    )
    results = {"X": 0, "O": 0, None: 0}
    for opening in random_openings(rules, 2, 3, seed=2):
        position = noughts.game(rules).after(opening.moves)
        sides = {side: noughts.opponent(found["bot"]) for side in Player}
        while position.outcome() is None:
            text = sides[position.turn].choose(position).text
            assert text is not None
            position = position.play(text)
        outcome = position.outcome()
        assert outcome is not None
        results[outcome.winner and outcome.winner.value] += 1
    assert results == {"X": found["wins"], "O": found["losses"], None: found["draws"]}


def test_first_move_says_no_more_than_its_intervals() -> None:
    def said(**results: tuple[int, int, int]) -> str:
        return verdict(
            "ultimate",
            [FirstMovePoint("ultimate", agent, 3, *each) for agent, each in results.items()],
        )

    even, first, second, few = (50, 0, 50), (70, 0, 30), (30, 0, 70), (10, 0, 0)
    assert said(report=even, textbook=even, engine=even) == "ultimate: not decided with any agent."
    assert said(report=few, textbook=even, engine=first) == (
        "ultimate: first player ahead with engine (70 % ± 9 for X at depth 3), not decided with "
        "report and textbook."
    )
    assert said(report=second, textbook=first, engine=second) == (
        "ultimate: first player ahead with textbook (70 % ± 9 for X at depth 3), second player "
        "ahead with report (30 % ± 9 for X at depth 3) and engine (30 % ± 9 for X at depth 3)."
    )
    # Half the interval is 1.96 · √(0.24 / 100) = 0.096.
    point = FirstMovePoint("ultimate", "engine", 3, 60, 0, 40)
    assert point.error == pytest.approx(0.0960, abs=1e-4)
    assert str(point) == "60 ± 10 X"
    assert FirstMovePoint("ultimate", "engine", 3, 59, 0, 41).ahead is None


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"games": 1}, "1 games have no error bar"), ({"depth": 0}, "the depth is 1 or more")],
)
def test_first_move_refuses_what_it_cannot_measure(options: dict[str, int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        first_move(**options)  # type: ignore[arg-type]


@pytest.mark.usefixtures("two_rules")
def test_chart_of_first_move(tmp_path: Path) -> None:
    chart = tmp_path / "first-move.svg"
    done = run("lab", "first-move", "--games", 2, "--depth", 1, "-o", chart)
    assert done.returncode == 0
    text = chart.read_text(encoding="utf-8")
    assert all(f">{rules}<" in text for rules in TWO_RULES)
    assert all(f">{agent}<" in text for agent in AGENTS)
    wrong = run("lab", "size", "-o", chart)
    assert (wrong.returncode, "no chart" in wrong.stderr) == (2, True)
    missing = run("lab", "first-move", "-o", tmp_path / "nowhere" / "chart.svg")
    assert (missing.returncode, "there is no folder" in missing.stderr) == (3, True)


def test_docs_show_a_measurement_of_first_move() -> None:
    section = MEASUREMENTS.partition("## First move\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([a-z:=,]+) \| (report|textbook|engine) \| (.*) \|$", section, re.M)
    assert {row[:2] for row in rows} == set(itertools.product(RULES, AGENTS))
    assert "noughts lab first-move --games 200 --depth 6" in section


@pytest.mark.soak
def test_docs_show_the_output_of_first_move() -> None:
    report = run_lab("first-move", games=200, depth=6)
    assert shown(report)
    assert LABS_PAGE["table"](report) in MEASUREMENTS
    assert LABS_PAGE["with_first_move"](MEASUREMENTS, report) == MEASUREMENTS


# Prune and example

trees = st.recursive(
    st.integers(-5, 5),
    lambda below: st.lists(below, min_size=1, max_size=3).map(tuple),
    max_leaves=7,
).filter(lambda tree: isinstance(tree, tuple))


def value_of(tree: Tree, maximizing: bool) -> int:
    """Return the value of a tree, without our searches."""
    if isinstance(tree, int):
        return tree
    return (max if maximizing else min)(value_of(branch, not maximizing) for branch in tree)


def looked_at(tree: Tree, maximizing: bool, alpha: float, beta: float) -> tuple[float, list[int]]:
    """Return the value and the visited leaves of the textbook's alpha-beta."""
    if isinstance(tree, int):
        return tree, [tree]
    best, leaves = -inf if maximizing else inf, []
    for branch in tree:
        value, below = looked_at(branch, not maximizing, alpha, beta)
        leaves += below
        best = max(best, value) if maximizing else min(best, value)
        if maximizing:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, leaves


def orders(tree: Tree) -> Iterator[Tree]:
    """Yield a tree with its branches in every order."""
    if isinstance(tree, int):
        yield tree
        return
    for branches in itertools.permutations(tree):
        yield from itertools.product(*map(orders, branches))


@given(trees, st.sampled_from(["max", "min"]))
def test_prune_visits_the_leaves_of_the_textbook(tree: Tree, first: str) -> None:
    maximizing = first == "max"
    text = tree_text(tree)
    data = run_lab("prune", tree=text, first=first).data
    _, leaves = looked_at(tree, maximizing, -inf, inf)
    assert data["tree"] == text
    assert data["value"] == value_of(tree, maximizing)
    assert data["alphabeta"]["leaves"] == leaves
    assert data["minimax"]["leaves"] == [int(word) for word in re.findall(r"-?\d+", text)]
    for cut in data["alphabeta"]["cutoffs"]:
        assert cut["moves"]
        if cut["reason"] == "beta":
            assert cut["score"] >= cut["edge"]
        else:
            assert cut["score"] <= cut["edge"]


@settings(max_examples=40)
@given(trees.filter(lambda tree: sum(1 for _ in itertools.islice(orders(tree), 2001)) <= 2000))
def test_best_order_is_the_best_of_all(tree: Tree) -> None:
    fewest = min(len(looked_at(order, True, -inf, inf)[1]) for order in orders(tree))
    assert run_lab("prune", tree=tree_text(tree)).data["best_order"]["leaves"] == fewest


@pytest.mark.parametrize(("branching", "depth"), [(1, 4), (2, 1), (2, 6), (3, 3), (4, 4), (5, 2)])
def test_best_order_of_a_uniform_tree(branching: int, depth: int) -> None:
    """Knuth and Moore 1975: b^⌈d/2⌉ + b^⌊d/2⌋ - 1."""
    data = run_lab("prune", branching=branching, depth=depth, seed=5).data
    fewest = branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
    assert data["best_order"]["leaves"] == fewest <= len(data["alphabeta"]["leaves"])
    assert len(data["minimax"]["leaves"]) == branching**depth
    assert data == run_lab("prune", branching=branching, depth=depth, seed=5).data
    if branching > 1:
        assert data != run_lab("prune", branching=branching, depth=depth, seed=6).data


def test_prune_shows_the_figure_of_the_textbook() -> None:
    report = run_lab("prune")
    assert report.data["value"] == 3
    assert report.data["alphabeta"]["leaves"] == [3, 12, 8, 2, 14, 5, 2]
    assert report.data["best_order"]["leaves"] == 5
    assert re.search(r"a2 MIN +2 +3 … ∞ +≤ 2  2 ≤ alpha 3: b2 b3 cut off$", report.picture, re.M)
    assert len(re.findall("·$", report.picture, re.M)) == 2
    assert shown(report)


def test_min_at_the_root_is_drawn_from_min_s_side() -> None:
    lines = run_lab("prune", tree="((3 12) (4 2))", first="min").picture.split("\n")
    assert re.match("MIN +4 ", lines[1])
    assert re.match("├─ a1 MAX +12 ", lines[2])
    assert re.match("└─ a2 MAX +4 ", lines[5])
    assert "beta 5: b2 cut off" in run_lab("prune", tree="((3 5) (6 2))", first="min").picture


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Write a tree such as"),
        ("5", "Character 1: begin a tree with ("),
        ("(3 12", "Character 1: this ( has no )"),
        ("((3 12) (2 4)", "Character 1: this ( has no )"),
        ("(3 12))", "Character 7: this ) has no ("),
        ("(3 () 4)", "Character 5: this node has no branches"),
        ("(3 x)", 'Character 4: "x" is not a whole number'),
        ("(3 4.5)", 'Character 4: "4.5" is not a whole number'),
        ("(3 4) (5)", "Character 7: the tree has already ended"),
        ("(3 4) 5", "Character 7: the tree has already ended"),
        ("(" * 21 + "1" + ")" * 21, "Character 21: the tree is too deep; the limit is 20 plies"),
    ],
)
def test_invalid_tree_is_refused_with_its_place(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=re.escape(reason)):
        parse_tree(text)
    done = run("lab", "prune", "--tree", text)
    assert (done.returncode, reason in done.stderr) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["lab", "prune", "--tree", "(1 2)", "--seed", "3"], "leaves nothing to chance"),
        (["lab", "prune", "--depth", "9"], "3^9 = 19,683 leaves is too large to draw"),
        (["lab", "prune", "--first", "me"], "'me' moves first? it is max or min"),
        (["lab", "example", "--tree", "(1 2)"], "The lab example has no option --tree"),
        (["step", "(1 2)", "--algorithm", "mcts"], "a tree with given values has none"),
        (["step", "(1 2)", "--algorithm", "minimax:score=sign"], "takes no score or stop_at_win"),
        (["analyse", "((1 2) (3 4))"], "This command takes no tree"),
    ],
)
def test_commands_that_are_not_for_trees_refuse_one(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert (done.returncode, complaint in done.stderr) == (2, True)


@given(trees)
def test_tree_is_a_position(tree: Tree) -> None:
    assert parse_tree(tree_text(tree)) == tree
    position = GivenTree(tree)
    while position.outcome() is None:
        assert noughts.position(str(position)) == position
        move = position.legal_moves()[-1]
        assert position.parse_move(position.move_text(move)) == move
        position = position.play(move)
    assert noughts.position(str(position)) == position
    assert isinstance(position.here, int)
    with pytest.raises(IllegalMove):
        position.play(0)


def test_tree_is_stepped_through_with_either_root() -> None:
    tree = "((3 12 8) (2 4 6) (14 5 2))"
    done = run("step", tree, entries="cutoff\nend\n")
    assert "2 <= alpha 3: the moves b2 b3 are not looked at." in done.stdout
    assert "X plays a1, which gives 3." in done.stdout
    done = run("step", f"{tree}~a3", entries="end\n")
    assert "O plays b3, which gives -2." in done.stdout
    done = run("step", tree, "--moves", "a1 b2", entries="")
    assert (done.returncode, "it is a leaf" in done.stderr) == (3, True)


def test_example() -> None:
    report = run_lab("example")
    data = report.data
    states = {state["state"]: state for state in data["states"]}
    assert list(states) == list(range(1, 11))
    start = cast("Basic", noughts.position(data["position"]))
    assert [state for state in states if not states[state]["below"]] == [2, 5, 7, 9, 10]
    for state in states.values():
        position = noughts.position(state["position"])
        outcome = position.outcome()
        below = [states[number] for number in state["below"]]
        after = {str(position.play(position.parse_move(child["move"]))) for child in below}
        assert after == {child["position"] for child in below}
        assert len(after) == len(position.legal_moves())
        if outcome is None:
            scores = [child["score"] for child in below]
            assert state["score"] == (max if position.turn is start.turn else min)(scores)
        else:
            assert state["score"] == {Player.X: 10, Player.O: -10, None: 0}[outcome.winner]
    assert [states[number]["score"] for number in (2, 3, 4)] == [10, -10, -10]
    assert data["move"] == states[2]["move"]
    assert data["nodes"] == {"minimax": 10, "alphabeta": 6}
    assert max(map(len, report.picture.split("\n"))) <= 80
    assert shown(report)
