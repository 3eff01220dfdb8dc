"""The highlighted lines of pseudocode, against programs that run the pseudocode line by line."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Generator, Iterator
from itertools import groupby
from math import inf
from typing import Any

import pytest
from recordings import recorded
from samples import random_position

import noughts
from noughts.games.position import Position
from noughts.search.pseudocode import LINES, line_of, pseudocode
from noughts.search.recording import Recording
from noughts.search.result import SURE, WIN
from noughts.search.textbook import SEARCHES
from noughts.search.trace import End, kind_of

Step = tuple[int, str]
"""A line that runs, and the position that it runs for."""
Run = Generator[Step, None, float]

SAMPLES = [
    "minimax",
    "minimax:stop_at_win=yes",
    "minimax:nodes=40",
    "minimax:depth=2",
    "alphabeta",
    "alphabeta:strict=yes",
    "alphabeta:score=sign",
    "alphabeta:stop_at_win=yes",
    "alphabeta:score=sign,stop_at_win=yes",
    "alphabeta:strict=yes,stop_at_win=yes",
    "alphabeta:depth=3",
    "alphabeta:nodes=40",
    "hminimax:depth=2",
    "hminimax:nodes=40",
    "negamax",
    "negamax:depth=3",
    "negamax:nodes=300",
    "mcts:simulations=80,seed=1",
    "mcts:nodes=30,seed=2",
]
STARTS = [
    noughts.position("basic~OX1.1X1.2O~X"),
    noughts.position("basic~X2.1O1.1X1~O"),
    noughts.position("connect4:4,4,3~4.4.1O1X.XXOO~X"),
    *(
        position
        for seed in range(12)
        if 4 <= (position := random_position(noughts.game("basic"), random.Random(seed))).ply <= 6
    ),
]


class LimitReached(Exception):
    """The limit of nodes ends a search from within."""


class Program:
    """Runs the pseudocode of a search, as its options and limit make it."""

    def __init__(self, recording: Recording) -> None:
        start = recording.start
        self.root, self.limit = start.position, start.limit
        self.options = start.options
        self.by_sign = start.options.get("score") == "sign"
        self.nodes = 0

    def enter(self) -> None:
        if self.limit.nodes is not None and self.nodes >= self.limit.nodes:
            raise LimitReached
        self.nodes += 1

    def is_leaf(self, position: Position) -> bool:
        depth = inf if self.limit.depth is None else self.limit.depth
        return position.outcome() is not None or position.ply - self.root.ply >= depth

    def utility(self, position: Position) -> float:
        outcome = position.outcome()
        if outcome is None:
            return self.estimate(position)
        if outcome.winner is None:
            return 0
        win = 1 if self.by_sign else WIN - position.ply
        return win if outcome.winner is self.root.turn else -win

    def estimate(self, position: Position) -> float:
        evaluate = self.options.get("evaluate")
        if evaluate is None:
            return 0
        estimate: float = evaluate(position)
        return estimate if position.turn is self.root.turn else -estimate

    def is_sure(self, value: float) -> bool:
        return bool(self.options.get("stop_at_win")) and value >= (1 if self.by_sign else SURE)

    def minimax(self) -> Iterator[Step]:
        yield 0, str(self.root)
        yield 1, str(self.root)
        yield from self.one_side(self.root, 3, 1)
        yield 2, str(self.root)

    def one_side(self, position: Position, first: int, sign: int) -> Run:
        """Run MAX-VALUE from line `first`, or with minus the values MIN-VALUE."""
        self.enter()
        here = str(position)
        yield first + 1, here
        yield first + 2, here
        if self.is_leaf(position):
            return self.utility(position)
        yield first + 3, here
        value = -inf
        for move in position.legal_moves():
            below = self.one_side(position.play(move), first + 6 * sign, -sign)
            value = max(value, sign * (yield from below))
            yield first + 4, here
            if self.is_sure(value):
                break
        yield first + 5, here
        return sign * value

    def alphabeta(self) -> Iterator[Step]:
        yield 0, str(self.root)
        yield 1, str(self.root)
        yield from self.max_value(self.root, -inf, inf)
        yield 2, str(self.root)

    def is_cut(self, value: float, bound: float) -> bool:
        return value > bound or (value == bound and not self.options.get("strict"))

    def max_value(self, position: Position, alpha: float, beta: float) -> Run:
        self.enter()
        here = str(position)
        yield 4, here
        yield 5, here
        if self.is_leaf(position):
            return self.utility(position)
        yield 6, here
        value = -inf
        for move in position.legal_moves():
            yield 7, here
            value = max(value, (yield from self.min_value(position.play(move), alpha, beta)))
            yield 8, here
            yield 9, here
            if self.is_cut(value, beta) or self.is_sure(value):
                return value
            yield 10, here
            alpha = max(alpha, value)
        yield 11, here
        return value

    def min_value(self, position: Position, alpha: float, beta: float) -> Run:
        self.enter()
        here = str(position)
        yield 13, here
        yield 14, here
        if self.is_leaf(position):
            return self.utility(position)
        yield 15, here
        value = inf
        for move in position.legal_moves():
            yield 16, here
            value = min(value, (yield from self.max_value(position.play(move), alpha, beta)))
            yield 17, here
            yield 18, here
            if self.is_cut(-value, -alpha) or self.is_sure(-value):
                return value
            yield 19, here
            beta = min(beta, value)
        yield 20, here
        return value

    def hminimax(self) -> Iterator[Step]:
        yield from self.cases(self.root)

    def cases(self, position: Position) -> Iterator[Step]:
        self.enter()
        here = str(position)
        yield 0, here
        if position.outcome() is not None:
            return
        yield 1, here
        if self.is_leaf(position):
            return
        line = 2 if position.turn is self.root.turn else 3
        for move in position.legal_moves():
            yield from self.cases(position.play(move))
            yield line, here

    def run(self, search: str) -> Iterator[Step]:
        programs: dict[str, Callable[[], Iterator[Step]]] = {
            "minimax": self.minimax,
            "alphabeta": self.alphabeta,
            "hminimax": self.hminimax,
        }
        try:
            yield from programs[search]()
        except LimitReached:
            return


def highlights(recording: Recording) -> list[Step]:
    """Return the highlighted lines with their positions; one shown for several events once."""
    steps = []
    for number in range(1, len(recording) + 1):
        moment = recording.at(number)
        line = line_of(moment)
        if line is not None:
            steps.append((line, str(moment.position)))
    return [step for step, _ in groupby(steps)]


@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("text", [text for text in SAMPLES if not re.match("negamax|mcts", text)])
def test_the_pseudocode_runs_through_the_highlighted_lines(text: str, start: Position) -> None:
    recording = recorded(start, text)
    steps = highlights(recording)
    program = Program(recording)
    running = program.run(recording.start.search)
    for place, step in enumerate(steps):
        assert step in running, (place, step, LINES[recording.start.search][step[0]])
    for _ in running:  # The last `return` of `hminimax` has no event of its own.
        pass
    end = recording.end
    assert end is not None
    assert program.nodes == end.result.nodes
    assert len(steps) > 5


def lines_of_nodes(recording: Recording) -> dict[int | None, str]:
    """Return the highlighted lines of each node as a text such as `0 6 7 9`."""
    lines: dict[int | None, list[str]] = {}
    for number in range(1, len(recording) + 1):
        moment = recording.at(number)
        of = None if isinstance(moment.event, End) else moment.node
        lines.setdefault(of, []).append(str(line_of(moment)))
    return {node: " ".join(each) for node, each in lines.items()}


@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("text", [text for text in SAMPLES if text.startswith("negamax")])
def test_the_lines_of_negamax_run_in_their_order(text: str, start: Position) -> None:
    recording = recorded(start, text)
    end = recording.end
    assert end is not None
    lines = lines_of_nodes(recording)
    whole = r"0 ([123]|(6 )+(7 )?9)"
    stopped = rf"{whole}|0( 6)*"
    assert re.fullmatch(r"11 (12 )*13", lines.pop(None))
    for node, text in lines.items():
        assert re.fullmatch(whole if end.result.complete else stopped, text), (node, text)
    assert len(lines) > 2


@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("text", [text for text in SAMPLES if text.startswith("mcts")])
def test_the_lines_of_mcts_run_in_their_order(text: str, start: Position) -> None:
    recording = recorded(start, text)
    lines = " ".join(str(line_of(recording.at(n))) for n in range(1, len(recording) + 1))
    assert re.fullmatch(r"0 1 ((3 )*(4 )?5 (6 )+)+7", lines)


@pytest.mark.parametrize("search", SEARCHES)
def test_every_event_has_a_line_that_does_it(search: str) -> None:
    words: dict[str, Any] = {
        "enter": "function|H-MINIMAX",
        "leaf over": "UTILITY",
        "leaf depth": "EVAL",
        "leaf table": "the table knows",
        "best": "MAX|MIN|max|min",
        "cut": "if v|for each",
        "leave": "return v|over a",
        "select": "SELECT",
        "expand": "EXPAND|NODE",
        "rollout": "SIMULATE",
        "backpropagate": "BACK-PROPAGATE",
    }
    recording = recorded(noughts.position("basic~X2.1O1.2X~O"), search)
    start = recording.start
    assert len(pseudocode(start)) == len(LINES[search])
    checked = 0
    for number, event in enumerate(recording.events, 1):
        moment = recording.at(number)
        kind = kind_of(event)
        kind = f"leaf {getattr(event, 'reason', '')}" if kind == "leaf" else kind
        if kind not in words:
            continue
        line = line_of(moment)
        assert line is not None
        assert re.search(words[kind], LINES[search][line]), (event, LINES[search][line])
        checked += 1
        if search in ("minimax", "alphabeta"):
            side = "MAX" if moment.path[-1].maximizing else "MIN"
            above = [text for text in LINES[search][: line + 1] if text.startswith("function")]
            assert above[-1].startswith(f"function {side}-VALUE")
    assert checked > 20


def test_a_search_without_pseudocode_has_no_lines() -> None:
    recording = recorded(noughts.position("basic~XOX.O1O.X2~X"), "minimax")
    mine = Recording([recording.start._replace(search="mine"), *recording.events[1:]])
    assert pseudocode(mine.start) == ()
    assert line_of(mine.at(3)) is None
