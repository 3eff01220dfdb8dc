"""The specification of the checked functions: their cases, the right values, the kinds of fault.

    boards ──cases()──► Case ──a file──► CallAnswer ──judge()──► kinds of fault, none if right

The course (cs50.harvard.edu/ai, Project 0, Tic-Tac-Toe) leaves open the kind of exception,
`player` and `actions` on finished boards, `utility` on others, and the choice among best moves;
none of these is a fault here.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from noughts.games import registry
from noughts.games.lines import symmetries
from noughts.games.position import Position
from noughts.games.row import Basic
from noughts.school.student import Action, CallAnswer, Case, Interface
from noughts.search import Value, solve_all

OUTSIDE = ((3, 0), (0, 3), (3, 3), (-1, 0), (0, -1), (-1, -1), (-3, 1))
"""Actions outside the board; as list indices, negative numbers raise no error."""
UTILITY = {"X": 1, "O": -1, None: 0}
FEW_MARKS, VERY_FEW_MARKS = 3, 2
"""Most marks on a board where all taken cells are tried, and all of `OUTSIDE`."""


class Foreign(NamedTuple):
    """A returned value that is not plain data."""

    type_name: str
    text: str

    def __repr__(self) -> str:
        return self.text


class Solved(NamedTuple):
    """The facts about a reachable board."""

    turn: str
    """The player to move; on a finished board without meaning."""
    over: bool
    winner: str | None
    actions: frozenset[Action]
    values: dict[Action, str]
    """`win`, `draw` or `loss` for the mover, for each action; empty on finished boards."""
    best: frozenset[Action]


def text_of(position: Basic) -> str:
    """Return a position as a board of nine characters."""
    return "".join(mark.value if (mark := position.mark(cell)) else "." for cell in range(9))


@cache
def solution() -> dict[str, Solved]:
    """Return every board that a game can reach, those with fewest marks first."""
    values = solve_all(registry.game("basic"))
    found = {text_of(each): _solved(each, values) for each in values if isinstance(each, Basic)}
    return {board: found[board] for board in sorted(found, key=_order)}


def _order(board: str) -> tuple[int, str]:
    return 9 - board.count("."), board.replace(".", "Z")


def _solved(position: Basic, values: Mapping[Position, Value]) -> Solved:
    outcome = position.outcome()
    empty = frozenset(divmod(cell, 3) for cell in range(9) if position.mark(cell) is None)
    ends: dict[Action, str] = {}
    if outcome is None:
        for move in position.legal_moves():
            ends[divmod(move, 3)] = values[position.play(move)].for_mover.kind
    rank = ("loss", "draw", "win").index
    most = max(map(rank, ends.values()), default=0)
    return Solved(
        turn=position.turn.value,
        over=outcome is not None,
        winner=outcome.winner.value if outcome is not None and outcome.winner else None,
        actions=empty,
        values=ends,
        best=frozenset(action for action, end in ends.items() if rank(end) == most),
    )


def first_of_its_class(board: str) -> bool:
    """Return whether no rotation or reflection of a board comes before it."""
    return board == min("".join(board[cell] for cell in turned) for turned in symmetries(3, 3))


def cases(function: str, boards: Sequence[str]) -> list[Case]:
    """Return the calls of one of the course's functions that are checked on these boards."""
    known = solution()
    if function == "initial_state":
        return [Case("." * 9)]
    if function == "result":
        return [Case(board, action) for board in boards for action in _tried(board)]
    if function in ("player", "actions"):
        return [Case(board) for board in boards if not known[board].over]
    if function == "utility":
        return [Case(board) for board in boards if known[board].over]
    return [Case(board) for board in boards]


def _tried(board: str) -> Iterator[Action]:
    """Yield every possible action of a board, and some impossible ones."""
    here = solution()[board]
    if here.over:
        return
    yield from sorted(here.actions)
    marks = 9 - board.count(".")
    if marks <= FEW_MARKS:
        yield from (divmod(cell, 3) for cell in range(9) if board[cell] != ".")
    else:
        yield from (divmod(board.index(mark), 3) for mark in "XO")
    if marks <= VERY_FEW_MARKS:
        yield from OUTSIDE


def is_possible(case: Case) -> bool:
    """Return whether the action of a case is an empty cell."""
    return case.action is None or case.action in solution()[case.board].actions


def rows_of(board: str) -> list[list[str | None]]:
    """Return a board as the course's three lists, with `None` for an empty cell."""
    line = [None if cell == "." else cell for cell in board]
    return [line[0:3], line[3:6], line[6:9]]


def expected(interface: Interface, function: str, case: Case) -> Any:
    """Return the right value; for a choice of moves all right ones, in order."""
    here = solution()[case.board]
    if interface is not Interface.CS50 or function == "minimax":
        if here.over:
            return None
        return sorted(spoken(interface, action) for action in here.best)
    if function == "result":
        assert case.action is not None
        cell = 3 * case.action[0] + case.action[1]
        return rows_of(case.board[:cell] + here.turn + case.board[cell + 1 :])
    return {
        "initial_state": rows_of("." * 9),
        "player": here.turn,
        "actions": set(here.actions),
        "winner": here.winner,
        "terminal": here.over,
        "utility": UTILITY[here.winner],
    }[function]


def kind_of(interface: Interface, function: str, case: Case) -> Any:
    """Return the kind of a case, so that a constant function is right in one kind only."""
    here = solution()[case.board]
    if interface is not Interface.CS50 or function == "minimax":
        return None if here.over else here.turn
    if function == "result":
        return is_possible(case)
    is_list = function in ("initial_state", "actions")
    return None if is_list else expected(interface, function, case)


def spoken(interface: Interface, action: Action) -> Any:
    """Return an action in the form of an interface."""
    i, j = action
    if interface is Interface.AIMA:
        return i + 1, j + 1
    return 3 * i + j if interface is Interface.MOVES else action


def action_of(interface: Interface, value: object) -> Action | None:
    """Return a value of an interface as an action, also outside the board; `None` if it is none."""
    if interface is Interface.MOVES:
        return divmod(value, 3) if type(value) is int else None
    if type(value) is not tuple or [type(each) for each in value] != [int, int]:
        return None
    first = 1 if interface is Interface.AIMA else 0
    return value[0] - first, value[1] - first


@lru_cache(maxsize=20_000)
def _literal(text: str) -> Any:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return Foreign("object", text)


def value_of(answer: CallAnswer) -> Any:
    """Return the value of an answer; do not change it, as calls share it."""
    return Foreign(answer.foreign, answer.value) if answer.foreign else _literal(answer.value)


def judge(interface: Interface, function: str, case: Case, answer: CallAnswer) -> list[str]:
    """Return the kinds of fault of an answer, none if it is right.

    The kinds are `time`, `ended`, `exits`, `raised`, `accepted` (an impossible action), `changed`
    (the argument), `shares` (rows) and `value`.
    """
    if answer.ended:
        return ["time" if answer.ended == "time" else "ended"]
    if answer.exits:
        return ["exits"]
    kinds = ["changed"] if answer.after and function != "initial_state" else []
    if not is_possible(case):
        return kinds if answer.raised else [*kinds, "accepted"]
    if answer.raised:
        return [*kinds, "raised"]
    if not is_right(interface, function, case, value_of(answer)):
        kinds.append("value")
    elif answer.shares and not kinds:
        kinds.append("shares")
    return kinds


def is_right(interface: Interface, function: str, case: Case, value: Any) -> bool:
    """Return whether a returned value is right, its type included."""
    wanted = expected(interface, function, case)
    if interface is not Interface.CS50 or function == "minimax":
        if wanted is None:
            return value is None
        return action_of(interface, value) in solution()[case.board].best
    if function == "actions":
        return value == wanted and all(action_of(interface, each) for each in value)
    if function in ("initial_state", "result"):
        return value == wanted and all(type(row) is list for row in value)
    if function == "utility":
        return type(value) in (int, float) and bool(value == wanted)
    return type(value) is type(wanted) and bool(value == wanted)
