"""Traces: true to the search, complete, bounded, and equal as JSON lines and as a tree.

python tests/test_trace.py     rewrites the golden traces
"""

from __future__ import annotations

import io
import json
import random
import re
import tracemalloc
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from command import run
from samples import RULES_IDS, random_position

import noughts
from noughts import NotationError, Position
from noughts.search import Limit, SearchResult, alphabeta, hminimax, mcts, minimax, negamax
from noughts.search.textbook import SEARCHES, parse_search
from noughts.search.trace import (
    Backpropagate,
    Cut,
    Deepen,
    End,
    Enter,
    Event,
    Expand,
    Leave,
    Rollout,
    Select,
    Start,
    kind_of,
    record,
)
from noughts.search.trace_file import JsonLines, read_json_lines
from noughts.search.tree import Tree, TreeNode, grow
from noughts.search.walk import sign_of

GOLDEN = Path(__file__).parent / "data" / "traces"
GOLDEN_POSITIONS = {
    "basic": ("basic~XO1.1X1.O2~X", ""),
    "connect4": ("connect4:4,4,3~4.4.1O1X.XXOO~X", "depth=3"),
    "ultimate": (
        "ultimate~1OX1X2OO.XXXOOXXOO.XOO1X2XO.OX1OX3X.OOO1XXO1O.OO5OO.1XXO1X3.1X1XO1O1X.XOOXXXOXX"
        "~X~1",
        "depth=2",
    ),
}
"""Each game's position and the limit of its depth-first searches."""
DEPTH_FIRST: dict[str, Any] = {
    "minimax": minimax,
    "minimax, stop at a win": partial(minimax, score="sign", stop_at_win=True),
    "alphabeta": alphabeta,
    "alphabeta, sign": partial(alphabeta, score="sign"),
    "alphabeta, ten": partial(alphabeta, score="ten"),
    "alphabeta, stop at a win": partial(alphabeta, stop_at_win=True),
    "alphabeta, strict": partial(alphabeta, strict=True),
    "alphabeta, window": partial(alphabeta, window=(-0.5, 0.5)),
    "hminimax": hminimax,
    "negamax": negamax,
    "negamax, symmetry": partial(negamax, symmetry=True),
}


def traced(
    search: Any, position: Position, limit: Limit, **options: Any
) -> tuple[SearchResult, list[Event]]:
    """Return the result of a search and its trace."""
    events: list[Event] = []
    if isinstance(search, partial):
        options = search.keywords | options
        search = search.func
    return record(search, position, limit, write=events.append, **options), events


def timeless(result: SearchResult) -> SearchResult:
    return replace(result, seconds=0.0)


def sample(rules_id: str, seed: int = 0, size: int = 0) -> tuple[Position, Limit]:
    """Return a position of a random game, and a limit that keeps its tree small.

    Size 1 is larger than size 0.
    """
    position = random_position(noughts.game(rules_id), random.Random(f"{rules_id} {seed}"))
    branching = len(position.legal_moves())
    shallow, deep = [(30, 6), (50, 8)][size]
    return position, Limit(depth=1 if branching > shallow else 2 if branching > deep else 4)


each_size = pytest.mark.parametrize("size", [0, pytest.param(1, marks=pytest.mark.soak)])
every_search = pytest.mark.parametrize("search", DEPTH_FIRST.values(), ids=DEPTH_FIRST)


@pytest.mark.parametrize("rules_id", RULES_IDS)
@every_search
@each_size
def test_trace_gives_the_tree_the_values_and_the_counters(
    search: Any, rules_id: str, size: int
) -> None:
    position, limit = sample(rules_id, size=size)
    result, events = traced(search, position, limit)
    assert timeless(result) == timeless(search(position, limit)), "the trace changed the search"
    kinds = Counter(map(kind_of, events))
    assert (kinds["enter"], kinds["cut"]) == (result.nodes, result.cutoffs)
    assert kinds["leaf"] + kinds["leave"] == kinds["enter"]
    tree = grow(events)
    assert tree.root.position == position
    assert tree.root.score is not None
    assert result.score in (tree.root.score, sign_of(tree.root.score))
    assert tree.root.best == result.move
    assert max(node.position.ply for node in tree.root.walk()) <= position.ply + result.depth
    assert sum(1 for _ in tree.root.walk()) == kinds["enter"] - first_of_last_iteration(events)
    played = position
    for node in tree.line[1:]:
        assert node.move is not None
        played = played.play(node.move)
        assert node.position == played
        assert node.score == tree.root.score
    for node in tree.root.walk():
        check_node(tree, node)


def first_of_last_iteration(events: list[Event]) -> int:
    """Return the number of nodes entered before the last iteration."""
    last = max((i for i, event in enumerate(events) if isinstance(event, Deepen)), default=0)
    return sum(isinstance(event, Enter) for event in events[:last])


def check_node(tree: Tree, node: TreeNode) -> None:
    """Check that a node's value follows from its children by minimax."""
    maximizing = node.position.turn is tree.maximizer
    tried = [child.move for child in node.children]
    assert len(set(tried)) == len(tried)
    for child in node.children:
        assert child.move is not None
        assert node.position.play(child.move) == child.position
    if node.reason is not None:
        assert not node.children
        assert (node.reason == "over") == (node.position.outcome() is not None)
        return
    scores = [child.score for child in node.children if child.score is not None]
    assert node.score == (max(scores) if maximizing else min(scores))
    chosen = scores.index(node.score)
    assert node.best == node.children[chosen].move, "the first of the best"
    left = set(node.position.legal_moves()) - set(tried)
    assert left == set(node.cut.moves if node.cut else ())
    if node.cut:
        check_cut(node, node.cut, maximizing)


def check_cut(node: TreeNode, cut: Cut, maximizing: bool) -> None:
    assert cut.score == node.score
    if cut.reason == "win":
        assert abs(cut.score) >= 1
        assert (cut.score > 0) == maximizing
    elif maximizing:
        assert cut.reason == "beta"
        assert cut.edge == node.beta
        assert cut.score >= (node.beta or 0)
    else:
        assert cut.reason == "alpha"
        assert cut.edge == node.alpha
        assert cut.score <= (node.alpha or 0)


@pytest.mark.parametrize("rules_id", RULES_IDS)
@each_size
def test_child_s_window_follows_from_its_parent(rules_id: str, size: int) -> None:
    position, limit = sample(rules_id, 1, size)
    for search in (alphabeta, negamax):
        _, events = traced(search, position, limit)
        for node in grow(events).root.walk():
            alpha, beta = node.alpha, node.beta
            assert alpha is not None
            assert beta is not None
            for child in node.children:
                assert (child.alpha, child.beta) == (alpha, beta)
                assert child.score is not None
                if node.position.turn is position.turn:
                    alpha = max(alpha, child.score)
                else:
                    beta = min(beta, child.score)


@every_search
@pytest.mark.parametrize("bounds", [{"max_nodes": 7}, {"max_depth": 1}, {"max_nodes": 1}])
def test_truncated_trace_counts_what_it_omits(search: Any, bounds: dict[str, int]) -> None:
    position = noughts.position("basic~XO1.1X1.O2~X")
    result, events = traced(search, position, Limit(), **bounds)
    end = events[-1]
    assert isinstance(end, End)
    assert timeless(result) == timeless(search(position, Limit()))
    assert end.recorded == sum(isinstance(event, Enter) for event in events)
    assert end.recorded + end.left_out == result.nodes
    told = sum(event.left_out for event in events if isinstance(event, Leave))
    assert told == end.left_out
    if "max_nodes" in bounds:
        assert end.recorded <= bounds["max_nodes"]
    else:
        assert {len(path) for path in paths(grow(events).root)} <= {0, 1}


def paths(root: TreeNode) -> list[tuple[int | None, ...]]:
    found: list[tuple[int | None, ...]] = [()]
    for child in root.children:
        found += [(child.move, *path) for path in paths(child)]
    return found


def test_interrupted_search_leaves_its_nodes_open() -> None:
    result, events = traced(minimax, noughts.game("basic"), Limit(nodes=100))
    assert not result.complete
    tree = grow(events)
    assert tree.result == result
    assert sum(1 for _ in tree.root.walk()) == 100
    assert tree.root.score is None


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_mcts(rules_id: str) -> None:
    position = random_position(noughts.game(rules_id), random.Random(rules_id))
    limit = Limit(simulations=40)
    result, events = traced(mcts, position, limit, seed=3)
    assert timeless(result) == timeless(mcts(position, limit, seed=3))
    kinds = Counter(map(kind_of, events))
    assert (kinds["expand"], kinds["rollout"]) == (result.nodes, result.simulations)
    tree = grow(events)
    simulations = Counter(e.node for e in events if isinstance(e, Backpropagate))
    for node in tree.root.walk():
        assert node.visits == simulations[node.number]
        assert 0 <= node.reward <= node.visits
        assert sum(child.visits for child in node.children) <= node.visits
        for child in node.children:
            assert child.move is not None
            assert node.position.play(child.move) == child.position
    nodes = {node.number: node for node in tree.root.walk()}
    for event in events:
        if isinstance(event, Select):
            assert event.bounds[event.child] == max(event.bounds.values())
        elif isinstance(event, Rollout):
            end = nodes[event.node].position
            for move in event.moves:
                end = end.play(move)
            outcome = end.outcome()
            if outcome is None:
                assert nodes[event.node].proven is not None
            else:
                mover = nodes[event.node].position.turn.other
                wanted = 0.5 if outcome.winner is None else float(outcome.winner is mover)
                assert event.reward == wanted
    told, bounded = traced(mcts, position, limit, seed=3, max_nodes=5)
    assert timeless(told) == timeless(result)
    assert sum(isinstance(event, Expand) for event in bounded) == min(5, result.nodes)


def as_json(events: list[Event]) -> str:
    file = io.StringIO()
    write = JsonLines(file)
    for event in events:
        write(event)
    return file.getvalue()


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("rules_id", RULES_IDS)
@each_size
def test_json_lines_round_trip(name: str, rules_id: str, size: int) -> None:
    position, limit = sample(rules_id, 2, size)
    watched = parse_search(name, position)
    limit = watched.limit if name == "mcts" else limit
    _, events = traced(watched.search, position, limit, **watched.options)
    text = as_json(events)
    lines = text.splitlines()
    assert json.loads(lines[0])["schema"] == 1
    for event, again in zip(events, read_json_lines(lines), strict=True):
        if isinstance(event, End):
            event = event._replace(result=replace(event.result, moves={}))
        elif isinstance(event, Start) and "evaluate" in event.options:
            name = event.options["evaluate"].__name__
            event = event._replace(options=event.options | {"evaluate": name})
        assert again == event


def line_with(pattern: str, replacement: str) -> str:
    """Return a trace whose first line with `pattern` is changed."""
    _, events = traced(alphabeta, noughts.position("basic~XO1.1X1.O2~X"), Limit(depth=2))
    text, count = re.subn(pattern, replacement, as_json(events), count=1)
    assert count == 1
    return text


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (r'"schema":1', '"schema":9', "line 1: schema 9, not 1"),
        (r'"position":"[^"]*"', '"position":"basic~X9~O"', "Line 1: "),
        (
            r'"event":"leaf","node":3',
            '"event":"leaf","node":9',
            "line 5: 9 is missing, or not known",
        ),
        (r'"reason":"depth"', '"reason":[]', r"\[\] is not a reason of leaf"),
        (r'"score":0', '"score":"much"', "score is 'much', not a number"),
        (r'"node":3', '"node":2', "line 4: node 2 is entered twice"),
        (r'"left_out":0', '"left_out":-1', "left_out is -1, not a count"),
        (r'(\{"event":"leave".*)', r"\1\n\1", "is missing, or not known here"),
        (r'"event":"leaf"', '"event":"twig"', "line 5: 'twig' is missing, or not known here"),
        (r'"move":"3"', '"move":"1"', "line 3: .*cell 1 is taken"),
        (r'"parent":1', '"parent":77', "line 3: 77 is missing, or not known here"),
        (r'{"event":"enter",', "{", "line 2: 'event' is missing"),
        (r'{"event":"enter".*', "[]", "line 2: "),
        (r'{"event":"enter".*', "enter", "line 2: Expecting value"),
        (r'{"schema":1.*\n', "", "line 1: None is missing"),
    ],
)
def test_invalid_traces_are_refused(pattern: str, replacement: str, reason: str) -> None:
    with pytest.raises(NotationError, match=f"(?i){reason}"):
        list(read_json_lines(line_with(pattern, replacement).splitlines()))


def test_trace_without_nodes_has_no_tree() -> None:
    with pytest.raises(ValueError, match="without a node"):
        grow([Start("minimax", noughts.game("basic"), Limit(), {})])


def written_in_bounded_memory(path: Path, limit: Limit) -> int:
    """Write the trace of minimax on the empty board; return the peak memory in bytes."""
    tracemalloc.start()
    with path.open("w", encoding="utf-8") as file:
        record(minimax, noughts.game("basic"), limit, write=JsonLines(file))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_trace_streams_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    assert 5 * written_in_bounded_memory(path, Limit(depth=4)) < path.stat().st_size


@pytest.mark.soak
def test_minimax_on_the_empty_board_streams_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    assert written_in_bounded_memory(path, Limit()) < 1_000_000
    with path.open(encoding="utf-8") as file:
        kinds = Counter(json.loads(line)["event"] for line in file)
    assert kinds["enter"] == 549_946


# Golden traces


def golden_trace(position: str, search: str) -> str:
    """Return the trace of a search as text, without times."""
    start = noughts.position(position)
    watched = parse_search(search, start)
    _, events = traced(watched.search, start, watched.limit, **watched.options)
    return re.sub('"seconds":[^,]*,', "", as_json(events))


def golden_traces() -> dict[str, tuple[str, str]]:
    """Return position and search of each golden trace, by file name."""
    found = {}
    for game, (position, limit) in GOLDEN_POSITIONS.items():
        for name in SEARCHES:
            options = "simulations=12,seed=1" if name == "mcts" else limit
            found[f"{game}-{name}"] = position, f"{name}:{options}" if options else name
    return found


@pytest.mark.parametrize("name", golden_traces())
def test_golden_traces(name: str) -> None:
    assert golden_trace(*golden_traces()[name]) == (GOLDEN / f"{name}.jsonl").read_text("utf-8")


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, trace in golden_traces().items():
        (GOLDEN / f"{name}.jsonl").write_text(golden_trace(*trace), "utf-8")


def test_ten_minus_depth_is_shown_by_every_view(tmp_path: Path) -> None:
    """X wins at once with 10; its other moves lose, or win later, for less."""
    place, search = "basic~XX1.OO1.3~X", "minimax:score=ten"
    stepped = run("step", place, "--algorithm", search, entries="end\n")
    assert "X plays 3, which gives 10." in stepped.stdout
    tree = run("tree", place, "--algorithm", search, "-o", tmp_path / "tree.dot")
    page = run("replay", place, "--algorithm", search, "-o", tmp_path / "replay.html")
    assert (tree.returncode, page.returncode) == (0, 0)
    drawn = (tmp_path / "tree.dot").read_text(encoding="utf-8")
    assert re.search(r"\b10\b", drawn)
    assert re.search(r"-9\b", drawn)
    assert "W 1" not in drawn
    events = [
        json.loads(line) for line in run("trace", place, "--algorithm", search).stdout.splitlines()
    ]
    values = {event["value"] for event in events if event["event"] == "leaf"}
    assert {"10", "-9", "0"} <= values <= {str(number) for number in range(-10, 11)}
    end = events[-1]
    assert (end["score"], end["value"], end["plies"]) == (10, "win", 1)
