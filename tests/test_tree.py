"""Drawn trees: every node is drawn or counted, and nothing overlaps."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest
from command import run
from hypothesis import given
from hypothesis import strategies as st
from samples import RULES_IDS, random_position, replay
from typer.testing import CliRunner

import noughts
from noughts.cli import main, trace
from noughts.extras import missing
from noughts.search import Limit, alphabeta, hminimax, mcts, minimax, negamax
from noughts.search.tree import Tree, trace_tree
from noughts.views import tree as view

SVG = "{http://www.w3.org/2000/svg}"

TREES = {
    "minimax": lambda: trace_tree(minimax, replay("basic", "51379")),
    "alphabeta": lambda: trace_tree(alphabeta, replay("basic", "5137")),
    "sign": lambda: trace_tree(alphabeta, replay("basic", "123"), score="sign", stop_at_win=True),
    "hminimax": lambda: trace_tree(hminimax, replay("ultimate", "51 15"), Limit(depth=2)),
    "negamax": lambda: trace_tree(negamax, replay("connect4", "4455"), Limit(depth=3)),
    "mcts": lambda: trace_tree(mcts, replay("basic", "51"), Limit(simulations=60), seed=1),
}


@pytest.fixture(params=TREES)
def tree(request: pytest.FixtureRequest) -> Tree:
    return TREES[request.param]()


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def folded(twigs: list[view.Twig]) -> int:
    """Return the number of nodes that the stubs count."""
    said = [line for twig in twigs for line in twig.lines if line.startswith("+ ")]
    return sum(int(line.split()[1].replace(",", "")) for line in said)


def test_whole_tree_is_drawn_node_by_node(tree: Tree) -> None:
    twigs = view.fold(tree, view.MAX_BOARDS, 99)
    drawn = [twig.node for twig in twigs if twig.node]
    assert {node.number for node in drawn} == {node.number for node in tree.root.walk()}
    assert len(drawn) == sum(1 for _ in tree.root.walk())
    assert folded(twigs) == 0


@pytest.mark.parametrize("most", [1, 2, 10, 50])
@pytest.mark.parametrize("breadth", [1, 3, 9])
def test_omitted_nodes_are_counted(tree: Tree, most: int, breadth: int) -> None:
    twigs = view.fold(tree, most, breadth)
    drawn = [twig.node for twig in twigs if twig.node]
    assert len(drawn) <= most
    assert len(set(drawn)) == len(drawn)
    assert len(drawn) + folded(twigs) == sum(1 for _ in tree.root.walk())
    for twig in twigs:
        assert sum(twigs[child].node is not None for child in twig.children) <= breadth


def test_nodes_omitted_by_the_trace_are_counted() -> None:
    tree = trace_tree(alphabeta, replay("basic", "51"), max_depth=2)
    assert tree.result is not None
    twigs = view.fold(tree, 20)
    assert sum(twig.node is not None for twig in twigs) + folded(twigs) == tree.result.nodes


def test_principal_variation_is_drawn_first_and_marked(tree: Tree) -> None:
    twigs = view.fold(tree, len(tree.line), 1)
    assert [twig.node for twig in twigs if twig.chosen] == tree.line


def test_pruned_moves_equal_those_of_the_trace() -> None:
    tree = TREES["alphabeta"]()
    cuts = [node for node in tree.root.walk() if node.cut and node.cut.moves]
    assert cuts
    twigs = view.fold(tree, view.MAX_BOARDS, 9)
    stubs = [twig for twig in twigs if twig.pruned]
    assert len(stubs) == len(cuts)
    counts = [int(twig.lines[1].split()[0]) for twig in stubs]
    assert sum(counts) == sum(len(node.cut.moves) for node in cuts if node.cut)
    for twig in stubs:
        assert re.fullmatch(r"\S+( \d+)? (≥ beta|≤ alpha) \S+( \d+)?", twig.lines[0])
    picture = view.picture(tree, most=view.MAX_BOARDS)
    assert picture.count('class="pruned"') == len(cuts)


def test_picture_shows_the_result_of_the_search(tree: Tree) -> None:
    for theme in ("auto", "light", "dark"):
        picture = view.picture(tree, theme=theme, most=12)
        said = texts(picture)
        assert "MAX" in said
        assert "MIN" in said
        root = ElementTree.fromstring(picture)
        groups = [g for g in root.iter(f"{SVG}g") if g.find(f"{SVG}title") is not None]
        assert len(groups) == 12
        assert len(re.findall('class="chosen"', picture)) == min(len(tree.line), 12) - 1


def test_windows_values_and_visits_are_at_the_nodes() -> None:
    said = texts(view.picture(TREES["alphabeta"]()))
    assert "[-∞, ∞]" in said
    said = texts(view.picture(TREES["mcts"]()))
    assert "60 visits" in said
    assert "O moves" in said


def test_max_is_the_player_at_the_root() -> None:
    picture = view.picture(trace_tree(minimax, replay("basic", "51379")))
    said = texts(picture)
    assert said[said.index("MAX") + 1] == "O moves"
    assert "value for O: W 1 · line 4 · " in picture


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_every_game_can_be_drawn(rules_id: str) -> None:
    position = random_position(noughts.game(rules_id), random.Random(rules_id))
    depth = 2 if len(position.legal_moves()) < 50 else 1
    tree = trace_tree(hminimax, position, Limit(depth=depth))
    ElementTree.fromstring(view.picture(tree, most=15))
    assert view.dot(tree, most=15).startswith("digraph")


# Places

trees = st.integers(1, 60).flatmap(
    lambda size: st.tuples(*(st.integers(0, max(box - 1, 0)) for box in range(size)))
)


@given(trees, st.data())
def test_boxes_do_not_overlap_and_parents_are_centred(
    parents: tuple[int, ...], data: st.DataObject
) -> None:
    size = len(parents)
    sizes = st.lists(st.floats(1, 200), min_size=size, max_size=size)
    widths = data.draw(sizes)
    children: list[list[int]] = [[] for _ in parents]
    depths = [0] * size
    for box in range(1, size):
        children[parents[box]].append(box)
        depths[box] = depths[parents[box]] + 1
    middles = view.tidy(children, widths, gap=5)
    for depth in set(depths):
        layer = sorted((middles[box], widths[box]) for box in range(size) if depths[box] == depth)
        for (left, left_width), (right, right_width) in pairwise(layer):
            assert right - right_width / 2 - (left + left_width / 2) >= 5 - 1e-6
    for box, below in enumerate(children):
        if below:
            places = [middles[child] for child in below]
            assert places == sorted(places)
            assert middles[box] == pytest.approx((places[0] + places[-1]) / 2, abs=1e-6)
    left_edge = min(middle - width / 2 for middle, width in zip(middles, widths, strict=True))
    assert left_edge == pytest.approx(0, abs=1e-6)


def test_deep_tree_is_drawn() -> None:
    chain = [[box + 1] for box in range(1999)] + [[]]
    assert view.tidy(chain, [10.0] * 2000) == [5.0] * 2000


# Other forms and the command


def test_dot_has_every_node_and_edge(tree: Tree) -> None:
    twigs = view.fold(tree, 20)
    graph = view.dot(tree, most=20)
    assert len(re.findall(r"^  n\d+ \[label", graph, re.MULTILINE)) == len(twigs)
    assert len(re.findall(r"^  n\d+ -> n\d+ \[", graph, re.MULTILINE)) == len(twigs) - 1
    assert graph.count("penwidth=3") == sum(twig.chosen for twig in twigs) - 1
    assert graph.count("arrowhead=tee") == sum(twig.pruned for twig in twigs)


def test_command_writes_svg_dot_and_png(tmp_path: Path) -> None:
    position = ("basic", "--moves", "51379")
    printed = run("tree", *position)
    assert printed.returncode == 0
    ElementTree.fromstring(printed.stdout)
    assert run("tree", *position, "-o", "tree.svg", cwd=tmp_path).returncode == 0
    assert (tmp_path / "tree.svg").read_text() == printed.stdout
    assert run("tree", *position, "-o", "tree.dot", cwd=tmp_path).returncode == 0
    assert (tmp_path / "tree.dot").read_text().startswith("digraph")
    assert run("tree", *position, "--theme", "dark", "-o", "tree.png", cwd=tmp_path).returncode == 0
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("basic", "-o", "t.gif"), 2, "does not end in .svg, .png or .dot"),
        (("basic", "-o", "t.png", "--theme", "auto"), 2, "choose light or dark for a PNG"),
        (("basic", "--nodes", "0"), 2, "--nodes: choose 1 to 2,000, not 0"),
        (("basic", "--nodes", "2001"), 2, "not 2,001"),
        (("basic", "--moves", "14253"), 3, "X wins with the top row"),
        (("basic~XX",), 3, "The text is not of the form RULES~CELLS~SIDE"),
        (("chess",), 2, 'No game called "chess"'),
        (("basic", "--moves", "51379", "-o", "nowhere/t.svg"), 3, "cannot write"),
    ],
)
def test_trees_that_cannot_be_drawn_are_refused(
    arguments: tuple[str, ...], code: int, words: str, tmp_path: Path
) -> None:
    done = run("tree", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert not list(tmp_path.iterdir())


def test_large_tree_is_refused_and_drawn_to_a_depth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trace, "MAX_NODES", 1000)
    position = ["tree", "basic", "--moves", "51", "--algorithm", "minimax"]
    done = CliRunner().invoke(main.app, position)
    assert done.exit_code == 2
    nodes = trace_tree(minimax, replay("basic", "51"), max_depth=0).left_out + 1
    assert f"The search has {nodes:,} nodes; fewer than 1,000 can be drawn" in done.output
    assert "--depth 4" in done.output
    done = CliRunner().invoke(main.app, [*position, "--depth", "1"])
    assert done.exit_code == 0
    hidden = [text for text in texts(done.stdout) if text.startswith("+ ")]
    assert len(hidden) == 7
    assert sum(int(text.split()[1].replace(",", "")) for text in hidden) == nodes - 8


def test_missing_extra_for_png_is_named(tmp_path: Path) -> None:
    """The module search is replaced, as if resvg_py were not installed."""
    program = (
        "import importlib.util as util, sys; find = util.find_spec;"
        "util.find_spec = lambda name, *rest: None if name == 'resvg_py' else find(name, *rest);"
        "from noughts.cli.main import main; sys.argv = ['noughts', 'tree', 'basic', '-o', 't.png'];"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=dict(os.environ),
        check=False,
    )
    assert done.returncode == 2
    assert missing("Drawing PNG", "resvg_py", "plots") in done.stderr
