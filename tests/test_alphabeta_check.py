"""`noughts check --as alphabeta`: each mistake is named, and no right search is called wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from command import run
from students import imports_forgotten

from noughts.school.alphabeta import FIRST, FULL, PARTS, check_search, minimax_of, tree_cases
from noughts.school.alphabeta_models import Search, mistakes
from noughts.school.report import CheckReport
from noughts.school.student import Interface, StudentFile
from noughts.school.tree_nodes import nodes_of
from noughts.views.check_report import headline, mark_of


def changed(source: str, *changes: tuple[str, str]) -> str:
    """Return a source with texts replaced, each of which must be there."""
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


AT_MAX, AT_MIN = ("break  # at MAX", "pass"), ("break  # at MIN", "pass")
ENTRY = ("    move = None\n", "    move = None\n    low, high = alpha, beta\n")
SOFT = """
import math

def alphabeta(node, depth, alpha=-math.inf, beta=math.inf):
    if not node.children or depth == 0:
        return node.value, None
    move = None
    if node.maximizing:
        best = -math.inf
        for number, child in enumerate(node.children):
            value, _ = alphabeta(child, depth - 1, alpha, beta)
            if value > best:
                best, move = value, number
            alpha = max(alpha, best)
            if alpha >= beta:
                break  # at MAX
    else:
        best = math.inf
        for number, child in enumerate(node.children):
            value, _ = alphabeta(child, depth - 1, alpha, beta)
            if value < best:
                best, move = value, number
            beta = min(beta, best)
            if beta <= alpha:
                break  # at MIN
    return best, move
"""
HARD = """
import math

def alphabeta(node, depth):
    values = [search(child, depth - 1, -math.inf, math.inf) for child in node.children[:0]]
    alpha, beta, move = -math.inf, math.inf, None
    for number, child in enumerate(node.children):
        value = search(child, depth - 1, alpha, beta)
        if node.maximizing and value > alpha:
            alpha, move = value, number
        if not node.maximizing and value < beta:
            beta, move = value, number
    return (alpha if node.maximizing else beta), move

def search(node, depth, alpha, beta):
    if depth == 0 or len(node.children) == 0:
        return node.value
    for child in node.children:
        value = search(child, depth - 1, alpha, beta)
        if node.maximizing:
            if value >= beta:
                return beta
            alpha = max(alpha, value)
        else:
            if value <= alpha:
                return alpha
            beta = min(beta, value)
    return alpha if node.maximizing else beta
"""
NEGAMAX = """
def alphabeta(node, depth):
    color = 1 if node.maximizing else -1
    value, move = negamax(node, depth, -1000, 1000, color)
    return color * value, move

def negamax(node, depth, alpha, beta, color):
    if depth == 0 or not node.children:
        return color * node.value, None
    best, move = -1000, None
    for number, child in enumerate(node.children):
        value = -negamax(child, depth - 1, -beta, -alpha, -color)[0]
        if value > best:
            best, move = value, number
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best, move
"""
CUTS_FIRST = """
def alphabeta(node, depth):
    def value(node, depth, alpha, beta):
        if depth == 0 or not node.children:
            return node.value
        found = []
        for child in node.children:
            if alpha >= beta:
                break
            found.append(value(child, depth - 1, alpha, beta))
            if node.maximizing:
                alpha = max(alpha, found[-1])
            else:
                beta = min(beta, found[-1])
        return (max if node.maximizing else min)(found)

    best = move = None
    alpha, beta = float("-inf"), float("inf")
    for number, child in enumerate(node.children):
        got = value(child, depth - 1, alpha, beta)
        if best is None or (got > best if node.maximizing else got < best):
            best, move = got, number
        if node.maximizing:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
    return best, move
"""
CLASS = """
from math import inf

class Search:
    def __init__(self):
        self.nodes = 0

    def max_value(self, node, depth, alpha, beta):
        self.nodes += 1
        if depth == 0 or not node.children:
            return node.value, None
        best, move = -inf, None
        for number, child in enumerate(node.children):
            value = self.min_value(child, depth - 1, alpha, beta)[0]
            if value > best:
                best, move = value, number
            if best >= beta:
                return best, move
            alpha = max(alpha, best)
        return best, move

    def min_value(self, node, depth, alpha, beta):
        self.nodes += 1
        if depth == 0 or not node.children:
            return node.value, None
        best, move = inf, None
        for number, child in enumerate(node.children):
            value = self.max_value(child, depth - 1, alpha, beta)[0]
            if value < best:
                best, move = value, number
            if best <= alpha:
                return best, move
            beta = min(beta, best)
        return best, move

def alphabeta(node, depth):
    search = Search()
    first = search.max_value if node.maximizing else search.min_value
    return first(node, depth, -inf, inf)
"""
LOOP_AT_ROOT = """
def alphabeta(node, depth):
    visits = 0

    def go(node, depth, alpha, beta):
        nonlocal visits
        visits += 1
        if depth == 0 or not node.children:
            return node.value
        if node.maximizing:
            for child in node.children:
                alpha = max(alpha, go(child, depth - 1, alpha, beta))
                if alpha >= beta:
                    return beta
            return alpha
        for child in node.children:
            beta = min(beta, go(child, depth - 1, alpha, beta))
            if beta <= alpha:
                return alpha
        return beta

    best = move = None
    alpha, beta = float("-inf"), float("inf")
    for number, child in enumerate(node.children):
        value = go(child, depth + -1, alpha, beta)
        if best is None or (value > best if node.maximizing else value < best):
            best, move = value, number
        if node.maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
    return best, move
"""
ONE_WINDOW = """
from math import inf

def alphabeta(node, depth):
    global ALPHA, BETA
    ALPHA, BETA = -inf, inf
    return go(node, depth)

def go(node, depth):
    global ALPHA, BETA
    if depth == 0 or not node.children:
        return node.value, None
    best, move = -inf if node.maximizing else inf, None
    for number, child in enumerate(node.children):
        value, _ = go(child, depth - 1)
        if node.maximizing:
            if value > best:
                best, move = value, number
            ALPHA = max(ALPHA, best)
        else:
            if value < best:
                best, move = value, number
            BETA = min(BETA, best)
        if ALPHA >= BETA:
            break
    return best, move
"""
SORTED = """
from math import inf

def alphabeta(node, depth, alpha=-inf, beta=inf):
    if depth == 0 or not node.children:
        return node.value, None
    best, move = -inf if node.maximizing else inf, None
    children = list(enumerate(node.children))
    children.sort(key=lambda each: each[1].value, reverse=node.maximizing)
    for place, (number, child) in enumerate(children):
        value, _ = alphabeta(child, depth - 1, alpha, beta)
        if node.maximizing:
            if value > best:
                best, move = value, number
            alpha = max(alpha, best)
        else:
            if value < best:
                best, move = value, number
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, move
"""
BACKWARDS = SORTED.replace(
    "children.sort(key=lambda each: each[1].value, reverse=node.maximizing)", "children.reverse()"
)
SCOUT = """
def alphabeta(node, depth):
    color = 1 if node.maximizing else -1
    value, move = scout(node, depth, -1000, 1000, color)
    return color * value, move

def scout(node, depth, alpha, beta, color):
    if depth == 0 or not node.children:
        return color * node.value, None
    best, move = -1000, None
    for number, child in enumerate(node.children):
        if number == 0:
            value = -scout(child, depth - 1, -beta, -alpha, -color)[0]
        else:
            value = -scout(child, depth - 1, -alpha - 1, -alpha, -color)[0]
            if alpha < value < beta:
                value = -scout(child, depth - 1, -beta, -value, -color)[0]
        if value > best:
            best, move = value, number
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best, move
"""
DEEPENING = """
from math import inf

def alphabeta(node, depth):
    first = {}
    found = None, None
    for limit in range(1, depth + 1):
        met = []
        found = search(node, limit, -inf, inf, first, met)
    return found

def search(node, depth, alpha, beta, first, met):
    if depth == 0 or not node.children:
        met.append(bool(node.children))
        return node.value, None
    best, move = -inf if node.maximizing else inf, None
    children = list(enumerate(node.children))
    children.sort(key=lambda each: each[0] != first.get(node))
    for place, (number, child) in enumerate(children):
        value, _ = search(child, depth - 1, alpha, beta, first, met)
        if node.maximizing:
            if value > best:
                best, move = value, number
            alpha = max(alpha, best)
        else:
            if value < best:
                best, move = value, number
            beta = min(beta, best)
        if alpha >= beta:
            break
    first[node] = move
    return best, move
"""
UNTIL_NOTHING_IS_DEEPER = (
    "        found = search(node, limit, -inf, inf, first, met)\n",
    "        found = search(node, limit, -inf, inf, first, met)\n        if not any(met): break\n",
)
ASPIRATION = (
    "        found = search(node, limit, -inf, inf, first, met)\n",
    "        low, high = (found[0] or 0) - 5, (found[0] or 0) + 5\n"
    "        found = search(node, limit, low, high, first, met)\n"
    "        if not low < found[0] < high:\n"
    "            found = search(node, limit, -inf, inf, first, met)\n",
)
DEEPENING_SCOUT = (
    changed(
        SCOUT,
        ("= scout(node, depth, -1000, 1000, color)", "= deepen(node, depth, color)"),
        ("color)[0]", "color, first)[0]"),
        ("beta, color):", "beta, color, first):"),
        ("enumerate(node.children)", "in_order(node, first)"),
        ("if number == 0", "if move is None"),
        ("    return best, move\n", "    first[node] = move\n    return best, move\n"),
    )
    + """
def in_order(node, first):
    return sorted(enumerate(node.children), key=lambda each: each[0] != first.get(node))

def deepen(node, depth, color):
    first = {}
    for limit in range(1, depth + 1):
        found = scout(node, limit, -1000, 1000, color, first)
    return found
"""
)

RIGHT = {
    "fail-soft": SOFT,
    "fail-hard": HARD,
    "negamax": NEGAMAX,
    "a class": CLASS,
    "a closure, and a loop at the root": LOOP_AT_ROOT,
    "sorts the branches by their values": SORTED,
    "from right to left": BACKWARDS,
    "a list": changed(SOFT, ("return best, move", "return [best, move]")),
    "looks before each branch": CUTS_FIRST,
    "reads fewer values": SCOUT,
    "iterative deepening": DEEPENING,
    "deepening in the same order": changed(DEEPENING, ("    first[node] = move\n", "")),
    "searched for the value and for the move": changed(SOFT, ("alphabeta(", "pruned("))
    + "\ndef alphabeta(node, depth): return pruned(node, depth)[0], pruned(node, depth)[1]\n",
    "deepening from depth 0": changed(DEEPENING, ("range(1, depth + 1)", "range(depth + 1)")),
    "deepening until nothing is deeper": changed(DEEPENING, UNTIL_NOTHING_IS_DEEPER),
    "deepening until a pass is repeated": changed(
        DEEPENING, UNTIL_NOTHING_IS_DEEPER, ("bool(node.children)", "depth == 0")
    ),
    "deepening with small windows first": changed(DEEPENING, ASPIRATION),
    "deepening with fewer values": DEEPENING_SCOUT,
    **{
        f"cuts at MAX {at_max} and at MIN {at_min}": changed(
            SOFT,
            ("alpha >= beta", f"alpha {at_max} beta"),
            ("beta <= alpha", f"beta {at_min} alpha"),
        )
        for at_max, at_min in product((">=", ">"), ("<=", "<"))
    },
    "negamax without cuts at equality": changed(NEGAMAX, ("alpha >= beta", "alpha > beta")),
    "fail-hard without cuts at equality": changed(
        HARD, ("value >= beta", "value > beta"), ("value <= alpha", "value < alpha")
    ),
    "depth at most 0": changed(SOFT, ("depth == 0", "depth <= 0")),
    "floats": changed(SOFT, ("return node.value", "return float(node.value)")),
}
WRONG = {
    "no cuts": ("cuts", "never cuts", changed(SOFT, AT_MAX, AT_MIN)),
    "no cuts in deepening": ("cuts", "never cuts", changed(DEEPENING, ("break", "pass"))),
    "no cuts in deepening until nothing is deeper": (
        "cuts",
        "never cuts",
        changed(
            DEEPENING,
            UNTIL_NOTHING_IS_DEEPER,
            ("bool(node.children)", "depth == 0"),
            ("            break", "            pass"),
        ),
    ),
    "minimax before alpha-beta": (
        "cuts",
        "reads values that alpha-beta cuts off",
        changed(SOFT, ("alphabeta(", "whole("), AT_MAX, AT_MIN)
        + changed(SOFT, ("alphabeta(", "pruned("))
        + "\ndef alphabeta(node, depth): whole(node, depth); return pruned(node, depth)\n",
    ),
    "no cut at MIN in deepening": (
        "cuts",
        "cuts at MAX nodes only",
        changed(DEEPENING, ("alpha >= beta", "alpha >= beta and node.maximizing")),
    ),
    "places among branches in deepening": (
        "move",
        "in the order in which it tries them",
        changed(
            DEEPENING,
            ("best, move = value, number", "best, move, kept = value, place, number"),
            ("first[node] = move", "first[node] = kept"),
        ),
    ),
    "bounds of the pass before": (
        "value",
        "returns another value than minimax does",
        changed(
            DEEPENING,
            (
                "        found = search(node, limit, -inf, inf",
                "        found = search(node, limit, low, inf",
            ),
            ("    found = None, None\n", "    found, low = (None, None), -inf\n"),
            ("        met = []\n", "        met = []\n        low = found[0] or -inf\n"),
        ),
    ),
    "deepening a ply early": (
        "depth",
        "one ply too early",
        changed(DEEPENING, ("range(1, depth + 1)", "range(1, depth)")),
    ),
    "deepening a ply late": (
        "depth",
        "one ply too late",
        changed(DEEPENING, ("range(1, depth + 1)", "range(1, depth + 2)")),
    ),
    "deepening without a depth": (
        "depth",
        "takes no notice",
        changed(DEEPENING, ("range(1, depth + 1)", "range(1, 10)")),
    ),
    "a new window for each child": (
        "cuts",
        "never cuts",
        changed(SOFT, ("depth - 1, alpha, beta", "depth - 1, -math.inf, math.inf")),
    ),
    "no cut with sorted branches": (
        "cuts",
        "never cuts",
        changed(SORTED, ("break", "pass")),
    ),
    "no cut at MIN in a class": (
        "cuts",
        "cuts at MAX nodes only",
        changed(CLASS, ("if best <= alpha:", "if False:")),
    ),
    "one window": ("cuts", "one alpha and one beta", ONE_WINDOW),
    "no cut at MAX": ("cuts", "cuts at MIN nodes only", changed(SOFT, AT_MAX)),
    "no cut at MIN": ("cuts", "cuts at MAX nodes only", changed(SOFT, AT_MIN)),
    "alpha is not raised": (
        "cuts",
        "cuts at MAX nodes only",
        changed(
            SOFT,
            ("alpha = max(alpha, best)", "low = max(alpha, best)"),
            ("alpha >= beta", "low >= beta"),
        ),
    ),
    "half a window": (
        "cuts",
        "hands on only one bound",
        changed(
            HARD,
            (
                "        value = search(child, depth - 1, alpha, beta)\n"
                "        if node.maximizing:",
                "        if node.maximizing:\n"
                "            value = search(child, depth - 1, alpha, math.inf)\n"
                "        else:\n"
                "            value = search(child, depth - 1, -math.inf, beta)\n"
                "        if node.maximizing:",
            ),
        ),
    ),
    "cut on the wrong side": (
        "cuts",
        "cuts on the wrong side. A MAX",
        changed(
            SOFT,
            ("if alpha >= beta", "if best <= low"),
            ("if beta <= alpha", "if best >= high"),
            ENTRY,
        ),
    ),
    "a bound that is narrowed before": (
        "cuts",
        "only the first branch of a node: it cuts on the wrong side",
        changed(
            SOFT, ("if alpha >= beta", "if best <= alpha"), ("if beta <= alpha", "if best >= beta")
        ),
    ),
    "cut on the wrong side at MAX": (
        "cuts",
        "wrong side at MAX nodes",
        changed(SOFT, ("if alpha >= beta", "if best <= low"), ENTRY),
    ),
    "cut at the own bound": (
        "cuts",
        "only the first branch of a MAX node: it cuts on the wrong side",
        changed(CLASS, ("if best >= beta:", "if best >= alpha:")),
    ),
    "return within the loop": (
        "cuts",
        "only the first branch of a MIN node",
        changed(LOOP_AT_ROOT, ("        return beta\n\n", "            return beta\n\n")),
    ),
    "start exchanged": (
        "cuts",
        "or begins with alpha and beta exchanged",
        changed(CLASS, ("depth, -inf, inf", "depth, inf, -inf")),
    ),
    "exchanged window, cut where a bound is raised": (
        "cuts",
        "alpha and beta exchanged",
        changed(
            NEGAMAX,
            ("-beta, -alpha, -color", "-alpha, -beta, -color"),
            (
                "        alpha = max(alpha, value)\n",
                "            if value <= alpha: continue\n            alpha = value\n",
            ),
            (
                "        if alpha >= beta:\n            break",
                "            if alpha >= beta:\n                break",
            ),
        ),
    ),
    "exchanged window": (
        "cuts",
        "alpha and beta exchanged",
        changed(SOFT, ("depth - 1, alpha, beta", "depth - 1, beta, alpha")),
    ),
    "negamax with the same window": (
        "cuts",
        "never cuts",
        changed(NEGAMAX, ("-beta, -alpha, -color", "alpha, beta, -color")),
    ),
    "negamax with bounds not exchanged": (
        "cuts",
        "alpha and beta exchanged (in negamax",
        changed(NEGAMAX, ("-beta, -alpha, -color", "-alpha, -beta, -color")),
    ),
    "small window": (
        "cuts",
        "a window that is too small",
        changed(SOFT, ("alpha=-math.inf, beta=math.inf", "alpha=-1, beta=1")),
    ),
    "from 0": (
        "cuts",
        "a window that is too small",
        changed(SOFT, ("alpha=-math.inf, beta=math.inf", "alpha=0, beta=math.inf")),
    ),
    "a window of five": (
        "cuts",
        "a window that is too small",
        changed(SOFT, ("alpha=-math.inf, beta=math.inf", "alpha=-5, beta=5")),
    ),
    "best from 0": (
        "value",
        "best value that a branch may not beat",
        changed(CLASS, ("best, move = -inf, None", "best, move = 0, None")),
    ),
    "no minus": (
        "value",
        "forgets a minus sign",
        changed(NEGAMAX, ("value = -negamax", "value = negamax")),
    ),
    "leaf without a sign": (
        "value",
        "forgets the sign of a leaf",
        changed(NEGAMAX, ("return color * node.value", "return node.value")),
    ),
    "root without a sign": (
        "value",
        "for the player to move",
        changed(NEGAMAX, ("return color * value, move", "return value, move")),
    ),
    "max below the root": (
        "value",
        "largest value everywhere below the root",
        changed(CLASS, ("self.min_value", "self.max_value")),
    ),
    "move before value": (
        "value",
        "returns (move, value)",
        changed(SOFT, ("alphabeta(", "pair("))
        + "\ndef alphabeta(node, depth): return pair(node, depth)[::-1]\n",
    ),
    "max everywhere": (
        "value",
        "largest value everywhere",
        changed(SOFT, ("if node.maximizing", "if True")),
    ),
    "exchanged players": (
        "value",
        "smallest value at MAX nodes",
        changed(SOFT, ("if node.maximizing", "if not node.maximizing")),
    ),
    "last branch": (
        "value",
        "never looks at the last branch",
        changed(SOFT, ("enumerate(node.children)", "enumerate(node.children[:-1])")),
    ),
    "first branch": (
        "value",
        "never looks at the first branch",
        changed(SOFT, ("enumerate(node.children)", "list(enumerate(node.children))[1:]")),
    ),
    "moves from 1": (
        "move",
        "counts its moves from 1",
        changed(SOFT, ("enumerate(node.children)", "enumerate(node.children, 1)")),
    ),
    "places among sorted branches": (
        "move",
        "in the order in which it tries them",
        changed(SORTED, ("= value, number", "= value, place")),
    ),
    "a child as move": (
        "move",
        "number of a child",
        changed(SOFT, ("= value, number", "= value, child")),
    ),
    "later move at MAX": (
        "move",
        "of the same value at MAX nodes",
        changed(SOFT, ("value > best", "value >= best")),
    ),
    "later move": (
        "move",
        "replaces its move",
        changed(SOFT, ("value > best", "value >= best"), ("value < best", "value <= best")),
    ),
    "depth by two": ("depth", "counts the depth by two", changed(SOFT, ("depth - 1", "depth - 2"))),
    "depth by two below the root": (
        "depth",
        "counts the depth by two",
        changed(LOOP_AT_ROOT, ("depth - 1", "depth - 2"), ("depth == 0", "depth <= 0")),
    ),
    "depth from branch to branch": (
        "depth",
        "counts the depth down in its loop",
        changed(
            SOFT,
            (
                "value, _ = alphabeta(child, depth - 1",
                "depth -= 1; value, _ = alphabeta(child, depth",
            ),
        ),
    ),
    "depth by two, stopped": (
        "depth",
        "counts the depth by two",
        changed(SOFT, ("depth - 1", "depth - 2"), ("depth == 0", "depth <= 0")),
    ),
    "depth at MAX only": (
        "depth",
        "every second ply",
        changed(SOFT, ("depth - 1", "depth - node.maximizing")),
    ),
    "no depth": ("depth", "takes no notice", changed(SOFT, (" or depth == 0", ""))),
    "a ply early": ("depth", "one ply too early", changed(SOFT, ("depth == 0", "depth <= 1"))),
    "a ply late": ("depth", "one ply too late", changed(SOFT, ("depth == 0", "depth == -1"))),
    "the value alone": (
        "value",
        "it must return a pair",
        "def alphabeta(node, depth): return [1]",
    ),
    "an exception": (
        "value",
        "raises ZeroDivisionError in line 1",
        "def alphabeta(node, depth): 1 / 0",
    ),
    "no move": (
        "move",
        "number of a child",
        changed(SOFT, ("alphabeta(", "pair("))
        + "\ndef alphabeta(node, depth): return pair(node, depth)[0]\n",
    ),
}


@pytest.fixture(autouse=True)
def imports_restored() -> Iterator[None]:
    with imports_forgotten():
        yield


def checked(source: str, folder: Path) -> CheckReport:
    path = folder / "search.py"
    path.write_text(source, "utf-8")
    return check_search(StudentFile(path, Interface.ALPHABETA), "alphabeta", lambda *_: None)


@pytest.mark.parametrize("name", RIGHT)
def test_right_search_passes(name: str, tmp_path: Path) -> None:
    report = checked(RIGHT[name], tmp_path)
    assert report.passed, report
    assert [*report.functions] == [*PARTS]
    assert all(each.cases > 60 and not each.suffers_from for each in report.functions.values())


@pytest.mark.parametrize("name", WRONG)
def test_mistake_is_named(name: str, tmp_path: Path) -> None:
    part, says, source = WRONG[name]
    report = checked(source, tmp_path)
    (wrong,) = (each for each in PARTS if report.functions[each].failures)
    (failure,) = report.functions[wrong].failures
    assert says in failure.says, failure
    assert wrong == part
    assert failure.tree
    for each in report.functions.values():
        assert each.suffers_from in ((), (part,))


def test_a_search_without_an_answer_has_no_point(tmp_path: Path) -> None:
    """What could not be checked is not called right."""
    report = checked("def alphabeta(node, depth): 1 / 0", tmp_path)
    assert report.points == 0
    assert headline(report) == "1 of 4 parts has a mistake."
    assert [mark_of(each)[0] for each in report.functions.values()] == ["✗", "–", "–", "–"]
    assert [report.verdict(part) for part in PARTS] == ["wrong", *["not checked"] * 3]
    (failure,) = report.functions["value"].failures
    assert failure.expected == "(3, 0), reads 7 values: a1.b1 a1.b2 a1.b3 a2.b1 a3.b1 a3.b2 a3.b3"
    assert failure.got == "ZeroDivisionError: division by zero"
    for guess in ("return 3, 0", "return len(node.children), 0"):
        assert checked(f"def alphabeta(node, depth): {guess}", tmp_path).points == 0
    # Without a limit of depth it is right.
    report = checked(changed(SOFT, ("depth == 0", "1 // depth < 0")), tmp_path)
    assert [each.passed for each in report.functions.values()] == [True, True, True, False]
    assert "raises ZeroDivisionError in line 5" in report.functions["depth"].failures[0].says


def test_models_of_mistakes_are_told_apart() -> None:
    """Two mistakes that give the same answers on every tree could not both be named."""
    asked = [
        (nodes_of(case.board, bool(case.action[1]))[0], case.action[0])
        for case in tree_cases()
        if case.action
    ]

    def answers(model: Search) -> tuple[object, ...]:
        return tuple(model.run(root, depth) for root, depth in asked)

    right = answers(Search())
    found = {mistake.says: answers(mistake.models[0]) for mistake in mistakes()}
    assert len({*found.values(), right}) == len(found) + 1 == 37


def test_textbook_reads_the_known_leaves() -> None:
    """AIMA's figure of alpha-beta: the second MIN node is cut after its first leaf."""
    root, _ = nodes_of(FIRST[0], True)
    found = Search().run(root, FULL)
    assert (found.value, found.move) == (3, 0)
    assert found.read == ("a1.b1", "a1.b2", "a1.b3", "a2.b1", "a3.b1", "a3.b2", "a3.b3")
    assert minimax_of(root, FULL) == (3, [0])


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "search.py"
    path.write_text(WRONG["no cut at MIN"][2].replace("alphabeta(", "prune("), "utf-8")
    done = run("check", path, "--as", "alphabeta", "--function", "prune", "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert data["as"] == "alphabeta"
    assert data["functions"]["cuts"]["passed"] is False
    assert CheckReport.from_data(data).as_data().keys() < data.keys()
    text = run("check", path, "--as", "alphabeta", "--function", "prune").stdout
    assert "cuts at MAX nodes only" in text
    assert "MAX begins" in text or "MIN begins" in text
    missing = run("check", path, "--as", "alphabeta")
    assert missing.returncode == 2
    assert "has no function alphabeta" in missing.stderr
