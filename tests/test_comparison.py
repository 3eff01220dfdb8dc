"""Comparisons: counts equal those of the searches, and charts show them."""

from __future__ import annotations

import itertools
import json
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from command import answer, run
from patience import PATIENCE
from samples import NIM

import noughts
from noughts.extras import missing
from noughts.games.position import perft
from noughts.labs import comparison
from noughts.labs.comparison import (
    ASCENDING,
    BEST_FIRST,
    CENTRE_FIRST,
    EACH,
    GUESSED,
    MCTS,
    MINIMAX,
    RANDOM,
    SIZES,
    SYMMETRY,
    TABLE,
    WORST_FIRST,
    Growth,
    SearchComparison,
    best_moves,
    centre_first,
    compare,
    count_tree,
    effective_branching_factor,
    grow,
    hindsight,
    minimal_leaves,
)
from noughts.search import Limit, alphabeta, hminimax, negamax, solve_all
from noughts.search.evaluation import default_evaluation
from noughts.search.walk import LimitReached

if TYPE_CHECKING:
    from noughts.views.chart import Theme

ROOT = Path(__file__).parents[1]
GAP = "\N{EN SPACE}"
SVG = "{http://www.w3.org/2000/svg}"
ORDERED = (WORST_FIRST, RANDOM, ASCENDING, CENTRE_FIRST, GUESSED, BEST_FIRST)


@pytest.fixture(scope="module")
def basic() -> SearchComparison:
    return compare(noughts.game("basic"), simulations=(10, 100))


@pytest.fixture(scope="module")
def chart() -> Any:
    """Import matplotlib only in the process that draws."""
    from noughts.views import chart

    return chart


@pytest.fixture(scope="module")
def growth() -> Growth:
    positions = [noughts.game(rules) for rules in ("mnk:2,2,2", "mnk:3,2,3", "mnk:3,3,3")]
    return grow(positions, Limit(nodes=20_000))


# measures


def test_effective_branching_factor_solves_its_equation() -> None:
    # AIMA 3.6.1: a solution at depth 5 with 52 generated nodes, plus the root, gives 1.92.
    assert round(effective_branching_factor(53, 5), 2) == 1.92
    for branching in (1, 2, 7):
        for depth in (1, 2, 9):
            nodes = sum(branching**ply for ply in range(depth + 1))
            assert effective_branching_factor(nodes, depth) == pytest.approx(branching)
    assert effective_branching_factor(1, 3) == pytest.approx(0)


@pytest.mark.parametrize(("nodes", "depth"), [(0, 3), (5, 0)])
def test_no_branching_factor_without_nodes_or_depth(nodes: int, depth: int) -> None:
    with pytest.raises(ValueError, match="has no branching factor"):
        effective_branching_factor(nodes, depth)


def test_minimal_leaves_are_those_of_knuth_and_moore() -> None:
    assert [minimal_leaves(3, depth) for depth in (1, 2, 3, 4)] == [3, 5, 11, 17]


def test_tree_sizes_equal_perft() -> None:
    for rules, depth in (("basic", 9), ("connect4", 5), ("ultimate", 3), ("advanced", 3)):
        start = noughts.game(rules)
        counts = [perft(start, plies) for plies in range(depth + 1)]
        sizes = tuple(sum(counts[: plies + 1]) for plies in range(depth + 1))
        tree = count_tree(start, Limit(depth=depth))
        assert (tree.sizes, tree.whole) == (sizes, rules == "basic")


def test_large_tree_is_counted_in_part() -> None:
    assert count_tree(noughts.game("basic"), most=50) == ((1, 10, 82), False)
    assert count_tree(noughts.game("basic"), Limit(nodes=600)) == ((1, 10, 82, 586), False)
    # The first ply is always counted.
    assert count_tree(noughts.game("basic"), Limit(nodes=5)) == ((1, 10), False)


# orders


def test_most_lines_cross_the_centre() -> None:
    def first(rules: str) -> list[str]:
        position = noughts.game(rules)
        order = centre_first(position)
        assert order is not None
        return [position.move_text(move) for move in order(position)]

    assert first("basic") == ["5", "1", "3", "7", "9", "2", "4", "6", "8"]
    assert first("connect4")[0] == "4"
    assert set(first("mnk:4,4,4")[:4]) >= {"b2", "c2"}
    for rules in ("advanced", "ultimate"):
        assert first(rules)[0] == "55"
        assert {text[1] for text in first(rules)[:9]} == {"5"}


def test_hindsight_order_knows_the_best_moves() -> None:
    start = noughts.game("basic").play(0)
    solution = solve_all(start)
    known = hindsight(start, Limit(), 8, default_evaluation(start))
    assert set(known.moves) == {p.key() for p in solution if p.outcome() is None}
    worth = {"win": 1, "draw": 0, "loss": -1, "unknown": 9}
    for position in solution:
        if position.outcome() is None:
            values = [
                worth[solution[position.play(move)].for_mover.kind]
                for move in known.best_first(position)
            ]
            assert values == sorted(values, reverse=True)
            assert list(known.worst_first(position)) == list(known.best_first(position))[::-1]
    with pytest.raises(LimitReached):
        hindsight(start, Limit(nodes=100), 8, default_evaluation(start))


# one position


def test_known_counts_on_the_empty_board(basic: SearchComparison) -> None:
    assert (basic.depth, basic.whole, basic.tree[-1]) == (9, True, 549_946)
    nodes = {search: basic.at(search)[9].result.nodes for search in basic.searches}
    assert nodes[MINIMAX] == 549_946
    assert nodes[ASCENDING] == 18_297
    assert nodes[CENTRE_FIRST] == 7_275
    assert nodes[BEST_FIRST] < nodes[CENTRE_FIRST]
    assert nodes[ASCENDING] < nodes[WORST_FIRST] < nodes[MINIMAX]
    assert nodes[SYMMETRY] < nodes[TABLE]
    assert basic.best == tuple(range(9))
    assert {each.among_best for each in basic.runs} == {True}
    for search in basic.searches:
        assert str(basic.at(search)[9].result.value) == "D"
        assert sorted(basic.at(search)) == list(range(1, 10))


def test_counts_equal_those_of_the_searches(basic: SearchComparison) -> None:
    start = basic.position
    evaluate = default_evaluation(start)
    for depth in (3, 4):
        limit = Limit(depth=depth)
        again = {
            MINIMAX: hminimax(start, limit, score="sign"),
            ASCENDING: alphabeta(start, limit, score="sign", evaluate=evaluate),
            CENTRE_FIRST: alphabeta(
                start, limit, score="sign", evaluate=evaluate, order=centre_first(start)
            ),
            TABLE: negamax(start, limit, score="sign"),
            SYMMETRY: negamax(start, limit, score="sign", symmetry=True),
        }
        for search, result in again.items():
            found = basic.at(search)[depth]
            assert (found.result.nodes, found.result.cutoffs) == (result.nodes, result.cutoffs)
            assert found.result.move == result.move
            assert found.branching == effective_branching_factor(result.nodes, depth)
    assert [basic.at(MINIMAX)[depth].result.nodes for depth in range(1, 10)] == list(basic.tree[1:])


@pytest.mark.parametrize(
    "text",
    [
        "connect4",
        "connect4:4,4,3",
        "mnk:4,4,3,misere",
        "advanced:full=draw",
        "ultimate:tie=boards,won=open",
        "ultimate~9.9.9.9.X8.9.9.9.9~O~1",
    ],
)
def test_every_order_finds_the_value_of_minimax(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "NATIVE_NODES", 10_000)  # The best moves are not checked.
    position = noughts.position(text) if "~" in text else noughts.game(text)
    found = compare(position, Limit(nodes=4_000), simulations=(5,))
    assert found.depth >= 2
    assert not found.whole
    for depth in range(1, found.depth + 1):
        full = found.at(MINIMAX)[depth].result
        assert full.complete
        assert full.nodes == found.tree[depth] <= 4_000
        for search in ORDERED:
            result = found.at(search)[depth].result
            assert result.score == pytest.approx(full.score), (search, depth)
            assert result.nodes <= full.nodes
        assert found.at(BEST_FIRST)[depth].result.nodes <= found.at(WORST_FIRST)[depth].result.nodes
    assert {each.among_best for each in found.runs} <= {True, False, None}


def test_limited_search_shows_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "NATIVE_NODES", 10_000)  # The best moves are not checked.
    found = compare(noughts.game("connect4"), Limit(depth=5, nodes=1_000), simulations=(5,))
    full = found.at(MINIMAX)[5]
    assert (full.result.complete, full.result.nodes, full.branching) == (False, 1_000, None)
    assert found.depth == 5
    # The tree is still counted.
    assert found.tree[5] == 19_608
    assert found.branching(5) == pytest.approx(7)
    centre = found.at(CENTRE_FIRST)[5]
    assert centre.result.complete
    assert centre.branching is not None
    assert max(found.at(BEST_FIRST)) < 5


def test_deepest_depth_is_one_that_minimax_finishes() -> None:
    start = noughts.game("mnk:9,9,5")
    found = compare(start, Limit(nodes=10_000, seconds=0.001), simulations=())
    assert found.depth == 1
    assert {each.depth for each in found.runs} == {1}


def test_losing_move_is_not_among_the_best() -> None:
    # X wins only at c1; elsewhere O wins at c2.
    position = noughts.position("mnk:3,3,3~XX1.OO1.3~X")
    found = compare(position, simulations=(1,), seed=1)
    assert [position.move_text(move) for move in found.best or ()] == ["c1"]
    for each in found.runs:
        assert each.among_best is (each.result.move == 2)
    assert {each.among_best for each in found.runs if each.search != MCTS} == {True}


def test_best_moves_may_be_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "NATIVE_NODES", 10_000)
    assert best_moves({0: "win", 1: "unknown"}) is None
    assert best_moves({0: "win", 1: "draw", 2: "win"}) == (0, 2)
    assert compare(noughts.game("ultimate"), Limit(nodes=100), simulations=()).best is None


def test_seed_decides_random_choices() -> None:
    def nodes(seed: int) -> list[tuple[str, int | None, int, int | None]]:
        found = compare(noughts.game("basic"), Limit(depth=5), seed=seed, simulations=(20,))
        return [(e.search, e.depth, e.result.nodes, e.result.move) for e in found.runs]

    assert nodes(1) == nodes(1)
    assert nodes(1) != nodes(2)


def test_progress_reaches_the_end() -> None:
    steps: list[tuple[int, int]] = []
    compare(
        noughts.game("basic"),
        Limit(depth=2),
        simulations=(1,),
        progress=lambda done, total: steps.append((done, total)),
    )
    assert steps == sorted(steps)
    assert steps[0][0] == 0
    assert steps[-1][0] == steps[-1][1]


def test_finished_game_is_refused() -> None:
    over = noughts.position("basic~XXX.OO1.3~O")
    with pytest.raises(ValueError, match="the game is over"):
        compare(over)
    with pytest.raises(ValueError, match="the game is over"):
        grow([noughts.game("basic"), over])


# several positions


def test_growth_over_boards(growth: Growth) -> None:
    assert growth.trees == (41, 1_885, 549_946)
    assert [runs[MINIMAX].result.nodes for runs in growth.runs] == [41, 1_885, 20_000]
    assert [runs[MINIMAX].result.complete for runs in growth.runs] == [True, True, False]
    assert growth.runs[-1][ASCENDING].result.nodes == 18_297
    assert growth.searches == [MINIMAX, ASCENDING, CENTRE_FIRST, TABLE, SYMMETRY]


def test_growth_to_a_depth() -> None:
    found = grow([noughts.game("basic"), noughts.game("ultimate")], Limit(depth=3))
    assert found.trees == (586, 7_138)
    assert [runs[MINIMAX].result.nodes for runs in found.runs] == [586, 7_138]


def test_sizes_are_growing_boards() -> None:
    cells = [len(noughts.game(rules).legal_moves()) for rules in SIZES]
    assert cells == sorted(cells)


# charts


def texts(svg: bytes) -> str:
    return "\n".join(
        "".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_chart_names_every_search_and_its_nodes(
    theme: Theme, basic: SearchComparison, chart: Any
) -> None:
    svg = chart.depth_chart(basic, "svg", theme)
    for search in basic.searches:
        assert f"{search}{GAP}{basic.at(search)[9].result.nodes:,}" in texts(svg)
    assert chart.PALETTES[theme].paper.encode() in svg
    assert svg == chart.depth_chart(basic, "svg", theme)
    assert b"<dc:date>" not in svg


def test_chart_marks_where_a_limit_ended_a_search(growth: Growth, chart: Any) -> None:
    shown = texts(chart.growth_chart(growth))
    assert f"minimax{GAP}>20,000" in shown
    assert "limit 20,000" in shown
    assert f"whole tree{GAP}549,946" in shown
    assert "mnk:3,2,3" in shown


def test_chart_as_png(basic: SearchComparison, growth: Growth, chart: Any) -> None:
    for png in (chart.depth_chart(basic, "png"), chart.growth_chart(growth, "png", "dark")):
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
        assert (width, height) == (2_000, 1_160)


def test_labels_lie_inside_the_picture_without_overlap(basic: SearchComparison, chart: Any) -> None:
    drawn = ElementTree.fromstring(chart.depth_chart(basic)).iter(f"{SVG}text")
    places = sorted(float(text.attrib["y"]) for text in drawn if GAP in (text.text or ""))
    assert len(places) == len(basic.searches)
    gaps = [below - above for above, below in itertools.pairwise(places)]
    assert min(gaps) >= chart.LABEL_GAP - 0.1
    assert places[0] > 0
    assert places[-1] < chart.SIZE[1] * 72


def test_docs_show_the_output(basic: SearchComparison) -> None:
    svg = (ROOT / "docs" / "pictures" / "compare.svg").read_bytes()
    for search in basic.searches:
        assert f"{search}{GAP}{basic.at(search)[9].result.nodes:,}" in texts(svg)


# the command


def test_compare_as_json() -> None:
    data = answer("compare", "basic", "--moves", "5 1", "--depth", "4")
    assert data["position"] == "basic~O2.1X1.3~X"
    assert (data["depth"], data["whole"]) == (4, False)
    assert data["limit"]["nodes"] == EACH.nodes
    start = noughts.position("basic~O2.1X1.3~X")
    widths = [perft(start, plies) for plies in range(5)]
    assert data["tree"] == list(itertools.accumulate(widths))
    assert data["guides"]["all"] == pytest.approx(data["branching"] ** 4)
    assert data["guides"]["root"] == pytest.approx(data["branching"] ** 2)
    assert data["best"]
    full = next(e for e in data["searches"] if e["search"] == MINIMAX and e["depth"] == 4)
    assert full["nodes"] == sum(widths)
    assert full["complete"] is True
    assert full["move"] in data["best"]
    made = [e["simulations"] for e in data["searches"] if e["search"] == MCTS]
    assert made[:2] == [10, 100]
    # The third search proves the value in under 1,000 simulations, so there is no fourth.
    assert len(made) == 3
    assert made[2] < 1_000
    assert data["searches"][-1]["value"] == "draw"


def test_table_never_truncates_a_number() -> None:
    for columns in ("40", "100"):
        done = run("compare", "basic", "--depth", "3", COLUMNS=columns)
        assert done.returncode == 0
        assert re.search(r"^minimax +586 +8\.00 +\d\.\d{3} +5 +\+0\.33 +yes", done.stdout, re.M)
        assert "MCTS, 10,000 simulations" in done.stdout
        assert done.stderr == ""


def test_growth_as_a_table_and_as_json() -> None:
    boards = ("mnk:2,2,2", "mnk:3,3,3")
    done = run("compare", *boards, "--nodes", "20000")
    assert re.search(r"^mnk:3,3,3 +D +549,946 +>20,000 +18,297 +7,275", done.stdout, re.M)
    assert "> stands before" in done.stdout
    data = answer("compare", *boards, "--nodes", "20000")
    assert [each["tree"] for each in data["positions"]] == [41, 549_946]
    assert data["positions"][1]["searches"][0]["complete"] is False


def test_registered_game() -> None:
    nim = str(NIM)
    data = answer("--load", nim, "compare", "nim~1.2.2~O", "--depth", "3")
    assert data["best"] == ["a1"]
    assert {each["search"] for each in data["searches"]} == {
        MINIMAX, WORST_FIRST, RANDOM, ASCENDING, GUESSED, BEST_FIRST, TABLE, MCTS,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        ([], 2, "Name a position, several, or --sizes"),
        (["basic", "--sizes"], 2, "Name a position, several, or --sizes"),
        (["basic", "mnk:3,3,3", "--moves", "5"], 2, "--moves needs exactly one position"),
        (["basic", "mnk:3,3,3", "--seed", "5"], 2, "--seed needs exactly one position"),
        (["basic", "-o", "chart.pdf"], 2, "chart.pdf is not a .png or .svg file"),
        (["basic", "-o", "nowhere/chart.png"], 3, "there is no folder nowhere"),
        (["basic", "--theme", "blue"], 2, "theme"),
        (["basic", "--depth", "0"], 2, "depth"),
        (["checkers"], 2, 'No game called "checkers"'),
        (["basic~XXX.OO1.3~O"], 3, "Cannot search basic~XXX.OO1.3~O: the game is over. X wins"),
        (["basic", "basic~XXX.OO1.3~O"], 3, "Cannot search basic~XXX.OO1.3~O"),
        (["basic~XXX.OOO.3~X"], 3, "Both X and O have a line"),
        (["basic", "--moves", "55"], 3, "Move 2: cell 5 is taken."),
    ],
)
def test_refusals(arguments: list[str], code: int, complaint: str) -> None:
    done = run("compare", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_help_has_examples() -> None:
    assert "compare" in run("--help").stdout
    assert "Examples:" in run("compare", "--help").stdout


def test_chart_files(tmp_path: Path) -> None:
    svg, png = tmp_path / "chart.svg", tmp_path / "chart.PNG"
    assert (
        run("compare", "basic", "--depth", "2", "-o", str(svg), "--theme", "dark").returncode == 0
    )
    assert "basic: cost of each search" in texts(svg.read_bytes())
    assert b"#131518" in svg.read_bytes()
    done = run("compare", "basic", "ultimate", "--depth", "2", "-o", str(png), "--json")
    assert json.loads(done.stdout)["depth"] == 2
    assert png.read_bytes().startswith(b"\x89PNG")
    tmp_path.joinpath("folder.svg").mkdir()
    done = run("compare", "basic", "--depth", "1", "-o", str(tmp_path / "folder.svg"))
    assert (done.returncode, "cannot write" in done.stderr) == (3, True)


def test_without_matplotlib_the_extra_is_named() -> None:
    program = (
        "import sys; sys.modules['matplotlib'] = None; sys.argv[0] = 'noughts';"
        "from noughts.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "compare", "basic", "-o", "chart.svg"],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    wanted = f"noughts: {missing('Drawing charts', 'matplotlib', 'plots')}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", wanted)


def test_control_c_ends_with_130() -> None:
    program = (
        "from noughts.labs import comparison; compare = comparison.compare\n"
        "def told(*values, **more): print('begun', flush=True); return compare(*values, **more)\n"
        "comparison.compare = told; from noughts.cli.main import main; main()"
    )
    words = ("compare", "ultimate", "--nodes", "100000000", "--seconds", "100")
    comparing = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert comparing.stdout is not None
    assert comparing.stdout.readline() == "begun\n"
    time.sleep(0.2)
    comparing.send_signal(signal.SIGINT)
    out, complaint = comparing.communicate(timeout=PATIENCE)
    assert (comparing.returncode, out) == (130, "")
    assert "Traceback" not in complaint
