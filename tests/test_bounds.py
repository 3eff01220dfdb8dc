"""Bounds: every score of a trace and of its views against the true value of the node."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from math import inf
from typing import Any

import pytest
from samples import random_position
from typer.testing import CliRunner

import noughts
from noughts.cli.main import app
from noughts.cli.stepper import Stepper, path_lines
from noughts.games.drawing import Look
from noughts.games.position import Position
from noughts.search import Limit, alphabeta, hminimax, minimax, negamax
from noughts.search.evaluation import default_evaluation
from noughts.search.recording import Moment, Recording
from noughts.search.result import LARGEST_ESTIMATE, WIN
from noughts.search.trace import Best, Deepen, Enter, Leaf, Leave, Scale, record
from noughts.search.tree import Grower, TreeNode, trace_tree
from noughts.views import tree as view
from noughts.views.narrate import sentence
from noughts.views.replay import replay_data
from noughts.views.svg import LIGHT

GAMES = ("basic", "mnk:4,3,3", "mnk:3,3,3,misere", "connect4:4,4,3", "advanced", "ultimate")
SEARCHES: dict[str, Any] = {
    "minimax": minimax,
    "minimax, stop at a win": partial(minimax, stop_at_win=True),
    "minimax, sign, stop at a win": partial(minimax, score="sign", stop_at_win=True),
    "alphabeta": alphabeta,
    "alphabeta, sign": partial(alphabeta, score="sign"),
    "alphabeta, stop at a win": partial(alphabeta, stop_at_win=True),
    "alphabeta, strict": partial(alphabeta, strict=True),
    "alphabeta, window": partial(alphabeta, window=(-0.5, 0.5)),
    "alphabeta, window below": partial(alphabeta, window=(-inf, -WIN + 8)),
    "alphabeta, evaluation": partial(alphabeta, evaluate=default_evaluation(noughts.game("basic"))),
    "hminimax": hminimax,
    "negamax": negamax,
    "negamax, sign": partial(negamax, score="sign"),
    "negamax, symmetry": partial(negamax, symmetry=True),
}
LOSING = "basic~O1X.X2.XOO~X"
"""Sign alpha-beta from here once drew a 1, a win, at a move that loses."""

every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


def unpacked(search: Any, root: Position) -> tuple[Any, dict[str, Any], Any]:
    """Return a search, its options, and the evaluation that it uses at its depth."""
    options = dict(search.keywords) if isinstance(search, partial) else {}
    search = search.func if isinstance(search, partial) else search
    if "evaluate" in options and root.rules_id != "basic":
        options["evaluate"] = default_evaluation(root)
    evaluate = options.get("evaluate")
    if search in (hminimax, negamax):
        evaluate = default_evaluation(root)
    return search, options, evaluate or (lambda _: 0)


class Oracle:
    """The true value of each node for MAX: every move searched, no window, no table."""

    def __init__(self, root: Position, scale: Scale, evaluate: Any) -> None:
        self.root, self.scale, self.evaluate = root, scale, evaluate
        self.value: Callable[[Position, float], float] = cache(self._value)

    def _value(self, position: Position, plies_left: float) -> float:
        outcome = position.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return 0
            win = 1 if self.scale.score == "sign" else WIN - position.ply
            return win if outcome.winner is self.root.turn else -win
        if plies_left <= 0:
            estimate: float = min(max(self.evaluate(position), -LARGEST_ESTIMATE), LARGEST_ESTIMATE)
            return estimate if position.turn is self.root.turn else -estimate
        values: list[float] = [
            self.value(position.play(move), plies_left - 1) for move in position.legal_moves()
        ]
        return max(values) if position.turn is self.root.turn else min(values)

    def agrees(self, text: str, position: Position, depth: float, scores: set[float]) -> str:
        """Check a value as it is drawn; return its sign, empty for a plain one.

        `scores` are the numbers that the text can stand for.
        """
        value = self.value(position, depth)
        if text in ("?", "·", "…"):
            return text
        found = re.fullmatch(r"([≤≥]?) ?(.+)", text)
        assert found
        sign, number = found.groups()
        meant = [score for score in scores if self.scale.text(score) == number]
        assert meant, (text, scores)
        if not sign:
            assert self.scale.text(value) == number, (text, value, str(position))
        elif sign == "≤":
            assert value <= max(meant), (text, value, str(position))
        else:
            assert value >= min(meant), (text, value, str(position))
        return sign


def sample(rules_id: str, seed: int) -> tuple[Position, Limit]:
    position = random_position(noughts.game(rules_id), random.Random(f"{rules_id} {seed}"))
    moves = len(position.legal_moves())
    if moves <= 6 and rules_id in ("basic", "mnk:3,3,3,misere"):
        return position, Limit()
    return position, Limit(depth=1 if moves > 40 else 2 if moves > 8 else 3)


@pytest.mark.parametrize("rules_id", GAMES)
@every_search
def test_each_score_of_a_trace_is_true(search: Any, rules_id: str) -> None:
    """At every event, so that nodes in progress are compared too."""
    seen: Counter[str] = Counter()
    for seed in range(4):
        root, limit = sample(rules_id, seed)
        function, options, evaluate = unpacked(search, root)
        recording, grower = Recording(), Grower()
        record(function, root, limit, write=recording, **options)
        oracle = Oracle(root, recording.start.scale, evaluate)
        depth: float = inf if limit.depth is None else limit.depth
        for number, event in enumerate(recording.events, 1):
            grower(event)
            if isinstance(event, Deepen):
                depth = event.depth
            if not isinstance(event, Enter | Leaf | Best | Leave):
                continue
            node = grower.nodes[event.node]
            moment = recording.at(number).path[-1]
            assert (moment.score, moment.bound) == (node.score, node.bound)
            if node.score is None:
                continue
            left = depth - (node.position.ply - root.ply)
            value = oracle.value(node.position, left)
            if node.bound == "exact":
                assert value == node.score, (str(node.position), left)
            elif node.bound == "lower":
                assert value >= node.score, (str(node.position), left)
            elif node.bound == "upper":
                assert value <= node.score, (str(node.position), left)
            if isinstance(event, Best):
                assert event.move is not None
                reached = oracle.value(node.position.play(event.move), left - 1)
                assert event.bound != "none"
                assert reached <= event.score or event.bound == "lower"
                assert reached >= event.score or event.bound == "upper"
            else:
                assert node.bound != "none", "the search has left it"
            seen[node.bound] += isinstance(event, Leave)
    assert seen.total() > 5
    without_cutoffs = search in (minimax, hminimax) or "sign, stop" in str(search)
    assert (seen["lower"] + seen["upper"] == 0) or not without_cutoffs


def test_bounds_are_common() -> None:
    """The test above compares bounds, and a full window leaves some nodes with plain values."""
    tree = trace_tree(alphabeta, noughts.position("basic~X2.1O1.2X~O"))
    bounds = Counter(node.bound for node in tree.root.walk())
    assert min(bounds["exact"], bounds["lower"], bounds["upper"]) > 1
    assert bounds["lower"] + bounds["upper"] > 15


@pytest.mark.parametrize("rules_id", ["basic", "connect4:4,4,3"])
@every_search
def test_each_value_drawn_is_true(search: Any, rules_id: str) -> None:
    for seed in range(3):
        root, limit = sample(rules_id, seed)
        function, options, evaluate = unpacked(search, root)
        tree = trace_tree(function, root, limit, **options)
        oracle = Oracle(root, tree.start.scale, evaluate)
        most = inf if limit.depth is None else tree.depth or limit.depth
        if tree.depth is not None:
            most = tree.depth
        graph = view.dot(tree, most=60)
        picture = view.picture(tree, most=60, theme="light")
        labels = re.findall(r'^  n\d+ \[label="[^"]*\\n(MAX|MIN) ([^"\\]*)"', graph, re.MULTILINE)
        nodes = [twig.node for twig in view.fold(tree, 60) if twig.node]
        titles = re.findall(r"<title>node (\d+): [^<]*?, ([^,<]*)(?:, [^<]*)?</title>", picture)
        assert len(labels) == len(nodes) == len(titles)
        for node, (_, text), (number, said) in zip(nodes, labels, titles, strict=True):
            assert (node.number, text) == (int(number), said)
            scores = {node.score} if node.score is not None else set()
            oracle.agrees(text, node.position, most - node.position.ply + root.ply, scores)
        check_colours(nodes, picture)
        assert f"value for {root.turn}: {labels[0][1]} ·" in picture


def check_colours(nodes: list[TreeNode], picture: str) -> None:
    """Make sure that a bound never has the colour of a win or a loss."""
    groups = re.findall(r"<g><title>node \d+.*?</title>.*?(?=<g><title>|$)", picture, re.DOTALL)
    assert len(groups) == len(nodes)
    for node, group in zip(nodes, groups, strict=True):
        chip = group[group.rindex("</svg>") if "</svg>" in group else 0 :]
        if node.bound != "exact":
            assert LIGHT.good_tint not in chip
            assert LIGHT.bad_tint not in chip


@every_search
def test_the_stepper_and_the_replay_draw_what_is_true(search: Any) -> None:
    root = noughts.position("basic~X2.1O1.1OX~X")
    function, options, evaluate = unpacked(search, root)
    recording = Recording()
    record(function, root, write=recording, **options)
    oracle = Oracle(root, recording.start.scale, evaluate)
    scores = {e.score for e in recording.events if isinstance(e, Leaf | Best | Leave)}
    data = replay_data([recording])
    texts, columns = data["texts"], data["searches"][0]["events"]
    stepper, checked = Stepper(recording, "search"), 0
    depth = recording.start.limit.depth or inf
    for number, event in enumerate(recording.events, 1):
        if isinstance(event, Deepen):
            depth = event.depth
        agrees = partial(check, oracle, scores, recording.at(number), depth)
        if not isinstance(event, Leaf | Best | Leave):
            continue
        node = recording.at(number).path[-1]
        replayed = texts[columns["value"][number - 1]]
        sign = agrees(replayed, 0)
        assert (columns["tone"][number - 1] == 0) or not sign
        checked += 1
        said = sentence(recording.at(number))
        for pattern, above in ((r" hands (.+?) up to", 0), (r"(?:MAX|MIN) keeps (.+?):", 1)):
            for text in re.findall(pattern, said):
                agrees(text, above)
        limits = re.findall(r"o move so far gives MAX (?:more|less) than (.+?)\.(?:\s|$)", said)
        for text in limits:
            parent = recording.at(number).path[-1 if isinstance(event, Best) else -2]
            assert oracle.scale.text(parent.score or 0) == text
            sign = "≤" if parent.maximizing else "≥"
            for move in {child.move for child in searched(recording, parent.node, number)}:
                position = parent.position.play(move)
                oracle.agrees(f"{sign} {text}", position, depth - (position.ply - root.ply), scores)
                checked += 1
        if isinstance(event, Best):
            gives = re.search(r" gives (.+?)(?:,|:|\.(?:\s|$))", said)
            assert gives
            position = node.position.play(event.move)
            left = depth - (position.ply - root.ply)
            oracle.agrees(gives[1], position, left, scores)
        if number % 7 == 0:
            stepper.obey(f"go {number}")
            drawn = [line.plain for line in path_lines(stepper.moment, None, Look())]
            for place, line in enumerate(reversed(drawn[1:])):
                agrees(re.findall(r"(?:[≤≥] )?(?:[WL] )?\S+$", line)[0], place)
                checked += 1
    assert checked > 10


def searched(recording: Recording, node: int, number: int) -> list[Any]:
    """Return the children of a node that the search has left."""
    children = (recording.seen(child, number) for child in recording.children(node, number))
    return [child for child in children if child.done]


def check(
    oracle: Oracle, scores: set[float], moment: Moment, depth: float, text: str, above: int
) -> str:
    """Check a value that is drawn for a node of the path, `above` places over the last one."""
    position = moment.path[-1 - above].position
    return oracle.agrees(text, position, depth - (position.ply - oracle.root.ply), scores)


def test_a_losing_move_is_not_drawn_as_a_win() -> None:
    done = CliRunner().invoke(
        app, ["tree", LOSING, "--algorithm", "alphabeta:score=sign", "--theme", "light"]
    )
    assert done.exit_code == 0
    values = dict(re.findall(r"<title>node \d+: X plays (\d), ([^,<]*)", done.stdout))
    assert values == {"2": "≤ -1", "5": "1", "6": "≤ -1"} or "1" not in (values["2"], values["6"])
    oracle = Oracle(noughts.position(LOSING), Scale("sign"), lambda _: 0)
    for move, text in values.items():
        after = oracle.root.play(int(move) - 1)
        oracle.agrees(text, after, inf, {-1, 0, 1})


def test_a_search_stopped_by_its_limit_leaves_bounds() -> None:
    root = noughts.game("basic")
    for nodes in (300, 2000, 5000):
        tree = trace_tree(alphabeta, root, Limit(nodes=nodes))
        oracle = Oracle(root, tree.start.scale, lambda _: 0)
        opened = [node for node in tree.root.walk() if node.score is not None]
        assert len(opened) > 100
        for node in opened:
            if node.position.ply >= 3:
                oracle.agrees(
                    tree.start.scale.text(node.score or 0, node.bound),
                    *(node.position, inf, {node.score or 0}),
                )
