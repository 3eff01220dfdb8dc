"""Check a student's alpha-beta by its value, its move, its cuts and its depth.

    trees ──alphabeta(node, depth)──► (value, move), values read ──textbook──► right, or not
                                              └── the same as a `Search` with one mistake: named

The textbook's search (AIMA, ch. 5; Knuth and Moore 1975) may cut at equality or not, fail soft or
hard, be written as negamax, and try the branches in any order: it reads the values of one of these
variants, or fewer. A mistake is named if a model of it gives the same answers and reads the same
values on every tree. Of iterative deepening, the last pass counts.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from noughts.games.given_tree import Tree, parse_tree, tree_text
from noughts.games.words import count
from noughts.school.alphabeta_models import Found, Mistake, Search, mistakes, right_searches
from noughts.school.report import CaseFailure, CheckReport, FunctionReport, PlayReport
from noughts.school.specification import value_of
from noughts.school.student import CallAnswer, Case, Interface
from noughts.school.tree_nodes import Node, in_order, nodes_of

PARTS = ("value", "move", "cuts", "depth")
"""The judged parts of the search, in the order of the report."""
SECONDS = 2.0
"""Processor time of one search; the largest tree has 81 leaves."""
SHOWN_LEAVES = 12
FULL = 20
"""A depth that reaches every leaf, also in a search that counts one ply more for each branch. An
iterative deepening makes as many passes, so the number is small."""
FIRST = ("((3 12 8) (2 4 6) (14 5 2))", "(((3 5) (6 9)) ((1 2) (0 -1)))", "((-5 -3) (-8 -9))")
"""Trees that the report shows first; the first one is AIMA's."""
RANDOM_TREES = 60


def tree_cases() -> list[Case]:
    """Return the searches to check: trees, whether MAX begins, and the depth."""
    every: list[tuple[Tree, int]] = [(parse_tree(text), 1) for text in FIRST]
    chance = random.Random(47)
    for number in range(RANDOM_TREES):
        width = (2, 3)[number % 2]
        depth = 2 + number % 3
        most = (3, 9, 99)[number % 3]
        every.append((_random_tree(chance, width, depth, most), int(number % 4 < 2)))
    cases = []
    for tree, is_max in every:
        text = tree_text(tree)
        cases.append(Case(text, (FULL, is_max)))
        cases += [Case(text, (depth, is_max)) for depth in (1, 2, 3) if depth < _height(tree)]
    return cases


def _random_tree(chance: random.Random, width: int, depth: int, most: int) -> Tree:
    if depth == 0:
        return chance.randint(-most, most)
    return tuple(
        _random_tree(chance, width, depth - 1, most)
        for _ in range(chance.choice((width, width, 2)))
    )


def _height(tree: Tree) -> int:
    return 0 if isinstance(tree, int) else 1 + max(map(_height, tree))


class JudgedSearch(NamedTuple):
    """A case with its answer, and the parts that are wrong."""

    case: Case
    answer: CallAnswer
    found: Found
    trees: tuple[Node, ...]
    """The tree with the branches in the orders in which the search may have tried them: it shows
    no place of those that it did not try."""
    wrong: frozenset[str]
    """The wrong parts."""


def check_search(
    runner: Any, function: str, progress: Callable[[str, int, int], None]
) -> CheckReport:
    """Check the alpha-beta of a runner's file.

    Args:
        runner: a `check.FileRunner`.
        function: the name of the search.
        progress: called with the function, the number of trees done and that of all.
    """
    cases = tree_cases()
    judged: list[JudgedSearch] = []
    answers = runner.call(function, cases, right=(), seconds=SECONDS)
    for number, (answer, case) in enumerate(zip(answers, cases, strict=False), 1):
        judged.append(judge_search(case, answer))
        progress(function, number, len(cases))
    return CheckReport(
        Interface.ALPHABETA, _reports(function, with_cuts(judged)), PlayReport(0, 0, ())
    )


def judge_search(case: Case, answer: CallAnswer) -> JudgedSearch:
    """Return a case with the wrong parts of an answer, without its cuts."""
    depth, is_max = _terms(case)
    root = _root(case.board, is_max)
    if answer.raised or answer.ended:
        part = "value" if depth == FULL else "depth"
        return JudgedSearch(case, answer, Found(None, None, ()), (root,), frozenset({part}))
    value, move = _returned(answer)
    last = _last_pass(answer.visited.split(" "), root, case)
    read = _without_previews(last, root, depth)
    found = Found(value, move, tuple(dict.fromkeys(read)))
    best, moves = minimax_of(root, depth)
    faults = {"value": value != best, "move": move not in moves}
    wrong = frozenset(part for part, is_wrong in faults.items() if is_wrong)
    if depth != FULL and wrong:
        wrong = frozenset({"depth"})
    return JudgedSearch(case, answer, found, _as_tried(root, found.read), wrong)


def with_cuts(judged: Sequence[JudgedSearch]) -> list[JudgedSearch]:
    """Return the cases with the cuts judged: the values read are those of one variant, or fewer."""
    answered = [each for each in judged if not (each.answer.raised or each.answer.ended)]
    fewest: list[JudgedSearch] | None = None
    for search in right_searches():
        extra = [each for each in answered if not _reads_no_more(each, search)]
        if fewest is None or len(extra) < len(fewest):
            fewest = extra
    over = {each.case for each in fewest or ()}
    return [
        each._replace(wrong=each.wrong | {_cut_part(each)})
        if each.case in over and "depth" not in each.wrong
        else each
        for each in judged
    ]


def _cut_part(judged: JudgedSearch) -> str:
    return "cuts" if _terms(judged.case)[0] == FULL else "depth"


@cache
def _root(text: str, is_max: bool) -> Node:
    return nodes_of(text, is_max)[0]


def _reads_no_more(judged: JudgedSearch, search: Search) -> bool:
    """Return whether an answer reads only values that another search reads, too."""
    depth, _ = _terms(judged.case)
    found = {*judged.found.read}
    return any(
        found <= {*_kept(search.run(tree, depth).read, judged.case)} for tree in judged.trees
    )


def _kept(names: Iterable[str], case: Case) -> list[str]:
    """Return the names of read nodes without those above the limit of depth.

    Those may be read to order the branches.
    """
    above = _above(case.board, _terms(case)[0])
    return [name for name in names if name not in above]


def _last_pass(names: list[str], root: Node, case: Case) -> list[str]:
    """Return the names, as `_kept` does, that the last of several searches of a tree reads.

    Iterative deepening reads nodes one ply further down in each pass, and then the leaves again and
    again.
    """
    depth, _ = _terms(case)
    plies = [_ply(name) for name in names]
    first = {name for name in names if _ply(name) == 1}
    is_deepening = (
        plies == sorted(plies) and len({*plies}) > 1 and len(first) in (0, len(root.children))
    )
    if is_deepening:
        names = [name for name in names if _ply(name) == plies[-1]]
    names = _kept(names, case)
    for length in range(1, len(names) // 2 + 1):
        last = names[-length:]
        if names == last * (len(names) // length) or (
            is_deepening
            and last == names[-2 * length : -length]
            and _is_proven(root, depth, {*last})
        ):
            return last
    if not is_deepening:
        # A whole search before alpha-beta, such as minimax, is not left out.
        return names
    # Passes that try the branches in different orders.
    passes: list[list[str]] = [[]]
    for name in names:
        if name in passes[-1] and _is_proven(root, depth, {*passes[-1]}):
            passes.append([])
        passes[-1].append(name)
    return passes[-1] if _is_proven(root, depth, {*passes[-1]}) else names


def _ply(name: str) -> int:
    return name.count(".") + 1 if name else 0


def _is_proven(root: Node, depth: int, read: Container[str]) -> bool:
    """Return whether the values that were read leave only one value for the root."""
    low, high = _bounds(root, depth, read)
    return low == high


def _bounds(node: Node, depth: int, read: Container[str]) -> tuple[float, float]:
    """Return the least and the largest value that a node may have, by the values that were read."""
    if depth == 0 or not node.children:
        value = node.hidden_value
        return (value, value) if node.name in read else (-math.inf, math.inf)
    lows, highs = zip(*(_bounds(child, depth - 1, read) for child in node.children), strict=True)
    choose = max if node.maximizing else min
    return choose(lows), choose(highs)


def _without_previews(names: list[str], root: Node, depth: int) -> list[str]:
    """Return the names without the first reading of all children of a node, if a second follows.

    So a search sorts branches whose values end it.
    """
    if depth == 0 or not root.children:
        return names
    children = [child.name for child in root.children]
    places = [place for place, name in enumerate(names) if name in children]
    run = places[: len(children)]
    if (
        len(places) > len(children) > 1
        and [names[place] for place in run] == children
        and run[-1] - run[0] == len(run) - 1
    ):
        return names[: run[0]] + names[run[-1] + 1 :]
    for child in root.children:
        names = _without_previews(names, child, depth - 1)
    return names


def _as_tried(root: Node, read: Sequence[str]) -> tuple[Node, ...]:
    """Return the tree with the branches in the orders in which a search may have tried them."""
    first: dict[str, int] = {}
    for place, name in enumerate(read):
        steps = name.split(".")
        for length in range(1, len(steps) + 1):
            first.setdefault(".".join(steps[:length]), place)
    tried = in_order(root, first, stays=False)
    names = [*_names(tried)]
    if names == [*_names(root)]:
        return (root,)
    staying = in_order(root, first, stays=True)
    return (tried,) if names == [*_names(staying)] else (staying, tried)


def _names(node: Node) -> Iterator[str]:
    yield node.name
    for child in node.children:
        yield from _names(child)


def _terms(case: Case) -> tuple[int, bool]:
    assert case.action is not None
    return case.action[0], bool(case.action[1])


def _returned(answer: CallAnswer) -> tuple[float | None, int | None]:
    """Return the value and the move of an answer; `None` for one that is not there."""
    found = value_of(answer)
    if type(found) in (int, float):
        return found, None
    if type(found) in (tuple, list) and len(found) == 2 and type(found[0]) in (int, float):
        return found[0], found[1] if type(found[1]) is int else None
    if partly := _PARTLY.fullmatch(answer.value):
        return float(partly[1]), int(partly[2]) if partly[2].isdecimal() else None
    return None, None


# An infinite value, or a move that is no number: Python has no literals of them.
_PARTLY = re.compile(r"[(\[](-?inf|-?\d+(?:\.\d+)?), ([^,]*)[)\]]")


@cache
def _above(text: str, depth: int) -> frozenset[str]:
    """Return the names of the nodes above the leaves and the limit of depth."""

    def names(node: Node, depth: int) -> Iterator[str]:
        if depth and node.children:
            yield node.name
            for child in node.children:
                yield from names(child, depth - 1)

    return frozenset(names(_root(text, True), depth))


def minimax_of(node: Node, depth: int) -> tuple[int, list[int]]:
    """Return the minimax value of a node to a depth, and its best moves."""
    if depth == 0 or not node.children:
        return node.hidden_value, []
    values = [minimax_of(child, depth - 1)[0] for child in node.children]
    best = max(values) if node.maximizing else min(values)
    return best, [number for number, value in enumerate(values) if value == best]


# The report ---------------------------------------------------------------------------------------


def _reports(function: str, judged: Sequence[JudgedSearch]) -> dict[str, FunctionReport]:
    """Return the verdict on each part of the search."""
    wrong = {part: [each for each in judged if part in each.wrong] for part in PARTS}
    if not any(wrong.values()):
        return {part: FunctionReport(True, _cases(judged, part)) for part in PARTS}
    named = _named(judged)
    if named is None:
        behind = next(part for part in ("value", "move", "cuts", "depth") if wrong[part])
        says = f"`{function}` {_unnamed(behind, wrong[behind][0])}"
    else:
        behind, says = named.part, f"`{function}` {named.says}"
    found = {}
    for part in PARTS:
        cases = _cases(judged, part)
        if part == behind:
            shown = next(iter(wrong[part] or [each for each in judged if each.wrong]))
            failure = _failure(shown, says)
            found[part] = FunctionReport(False, cases, (failure,), share=0.0)
        elif named is None and behind == "value":
            # Where values are wrong for an unknown reason, moves and cuts say nothing.
            found[part] = FunctionReport(False, 0, share=0.0)
        else:
            suffers = (behind,) if wrong[part] else ()
            found[part] = FunctionReport(True, cases, suffers_from=suffers)
    return found


def _cases(judged: Sequence[JudgedSearch], part: str) -> int:
    return sum((_terms(each.case)[0] != FULL) == (part == "depth") for each in judged)


def _named(judged: Sequence[JudgedSearch]) -> Mistake | None:
    """Return the known mistake that explains every answer; `None` if none does."""
    # Most models fail on a wrong answer, and all of them return a value and moves.
    telling = sorted(judged, key=lambda each: not each.wrong)
    if any(each.found.value is None and not _stops_at_once(each) for each in judged) or all(
        each.found.move is None for each in judged
    ):
        return None
    is_depth = all("depth" in each.wrong for each in judged if each.wrong)
    for mistake in mistakes():
        if (mistake.part == "depth") != is_depth:
            continue
        for model in mistake.models:
            if all(_explains(model, each) for each in telling):
                return mistake
    return None


def _stops_at_once(judged: JudgedSearch) -> bool:
    """Return whether a search of depth 1 reads no branch, as one that stops a ply early.

    What it answers then says nothing.
    """
    return _terms(judged.case)[0] == 1 and not judged.found.read


def _explains(model: Search, judged: JudgedSearch) -> bool:
    depth, _ = _terms(judged.case)
    if _stops_at_once(judged):
        return depth == model.horizon
    for tree in judged.trees:
        found = model.run(tree, depth)
        is_same = (found.value, found.move) == (judged.found.value, judged.found.move)
        if is_same and {*_kept(found.read, judged.case)} == {*judged.found.read}:
            return True
    return False


def _unnamed(part: str, judged: JudgedSearch) -> str:
    """Return the end of a sentence about a mistake that is not known."""
    answer = judged.answer
    if answer.ended == "time":
        return "does not come to an end here: return at a node without children, and at depth 0."
    if answer.ended:
        return f"does not return: {answer.ended}"
    if answer.raised:
        where = f" in line {answer.line}" if answer.line else ""
        kind, _, text = answer.raised.partition(": ")
        return f"raises {kind}{where} ({text})."
    if part == "value" and judged.found.value is None:
        return f"returns {answer.value}; it must return a pair (value, move)."
    if part == "move" and judged.found.move is None:
        return (
            f"returns {answer.value}; it must return a pair (value, move), where the move is the "
            "number of a child, counted from 0."
        )
    return {
        "value": "returns another value than minimax does.",
        "move": "returns the right value with a move that does not have it.",
        "cuts": "reads values that alpha-beta cuts off: a cut is missing, or a window is too wide.",
        "depth": "is right without a limit of depth, and wrong with one.",
    }[part]


def _failure(judged: JudgedSearch, says: str) -> CaseFailure:
    """Return a failure with the tree that shows it."""
    depth, is_max = _terms(judged.case)
    first = "MAX" if is_max else "MIN"
    limit = "" if depth == FULL else f", depth {depth}"
    answer = judged.answer
    textbook = _kept(Search().run(judged.trees[-1], depth).read, judged.case)
    value, moves = minimax_of(_root(judged.case.board, is_max), depth)
    wanted = f"({value}, {' or '.join(map(str, moves))}), reads {_listed(textbook)}"
    got = answer.raised or _why(answer) or f"{answer.value}, reads {_listed(judged.found.read)}"
    return CaseFailure(
        "", None, wanted, got, says, says, tree=f"{judged.case.board} ({first} begins{limit})"
    )


def _why(answer: CallAnswer) -> str:
    return "no answer in time" if answer.ended == "time" else answer.ended


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "no value"
    shown = " ".join(names[:SHOWN_LEAVES])
    more = len(names) - SHOWN_LEAVES
    return f"{count(len(names), 'value')}: {shown}{f' and {more} more' if more > 0 else ''}"
