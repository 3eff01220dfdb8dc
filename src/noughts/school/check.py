"""Check the functions of a student's file on every board that a game can reach.

    FileRunner ──every case──► wrong answers ──with right companions──► at fault, or suffers
                                             └──► sentences            ──► CheckReport

A runner calls the functions: `noughts.school.process` in a separate process. The checks are the
same for every runner. They alone decide the verdict, never the file's code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from noughts.school.mistakes import Wrong, explanation, grouped_by_mistake
from noughts.school.report import CaseFailure, CheckReport, FunctionReport, PlayReport, missing
from noughts.school.specification import (
    action_of,
    cases,
    expected,
    first_of_its_class,
    judge,
    rows_of,
    solution,
    value_of,
)
from noughts.school.student import FUNCTIONS, Action, CallAnswer, Case, Interface

MAX_ENDS = 3
"""After this many calls that end the process, the other cases of a function are skipped."""
FEW_EMPTY = 6
"""Most empty cells of a board on which a plain search takes less than `CheckLimits.call`."""
MAX_TRIED = 100
"""Most wrong cases that are tried again to find the functions behind them."""
MAX_FAILURES = 5
"""Most failures reported for one function."""
Progress = Callable[[str, int, int], None]
"""Called with a function, the number of its cases done, and that of all its cases."""


class FileRunner(Protocol):
    """Calls the functions of one file."""

    @property
    def parameters(self) -> dict[str, int]:
        """The functions of the file with the number of arguments that each needs."""

    def call(
        self, function: str, cases: Sequence[Case], *, right: Collection[str], seconds: float
    ) -> Iterator[CallAnswer]:
        """Yield answers in order; right functions replace those of the file named in `right`."""


class CheckLimits(NamedTuple):
    """Limits of a check, in seconds of processor time."""

    call: float = 2.0
    """Limit of one call of a function."""
    search: float = 120.0
    """Limit of one call of a function that chooses a move on a board with few marks."""
    searches: float = 10.0
    """Rough limit of all calls of a function that chooses a move; a slow one gets fewer boards."""
    games: float = 10.0
    """Rough limit of a slow function's further calls, on the boards that occur in its games."""
    again: float = 2.0
    """Limit of the calls of a function that has failed, to find the function at fault."""


class Checked(NamedTuple):
    """The answers of one function."""

    cases: int
    wrong: list[Wrong]
    passed: list[Case]
    chosen: dict[str, Any]
    """The returned move for each board; only for a function that chooses a move."""
    boards: int
    """Number of boards to check, whether or not all were reached."""

    @classmethod
    def nothing(cls, boards: int = 0) -> Checked:
        """Return no answers yet."""
        return cls(0, [], [], {}, boards)


def interface_of(parameters: dict[str, int]) -> Interface | None:
    """Return the interface that a file's functions fit best; `None` if they fit none."""
    if len(parameters.keys() & set(FUNCTIONS)) >= 2 or "minimax" in parameters:
        return Interface.CS50
    return None


MOVE_FUNCTIONS = {Interface.CS50: "minimax", Interface.AIMA: "player", Interface.MOVES: "move"}
"""The function that chooses a move, unless another one is named."""


class NothingToCheck(Exception):
    """A file without the functions to check; the message is a clause about the file."""


def check_runner(
    runner: FileRunner, interface: Interface | None, function: str | None, progress: Progress
) -> CheckReport:
    """Check the file of a runner.

    Args:
        runner: calls its functions.
        interface: its functions; by default those of CS50, if the file has them.
        function: the function that chooses a move, of another interface than CS50's.
        progress: called during the check.

    Raises:
        NothingToCheck: the file lacks the functions.
    """
    form = interface or Interface.CS50
    if interface is None and interface_of(runner.parameters) is None:
        has = next((f"only {each}" for each in FUNCTIONS if each in runner.parameters), "none")
        raise NothingToCheck(f"has {has} of the seven functions of the CS50 AI project")
    name = function or MOVE_FUNCTIONS[form]
    if form is not Interface.CS50 and name not in runner.parameters:
        has = ", ".join(runner.parameters) or "none"
        raise NothingToCheck(f"has no function {name}. Its functions: {has}")
    return Check(runner, form, name, progress=progress).run()


class Check:
    """The check of one file.

    Args:
        runner: calls its functions.
        interface: the functions that it has.
        function: the name of the function that chooses a move.
        functions: the functions to check; by default all of the interface.
        boards: the boards to check, all reachable ones by default.
        limits: bounds of the time.
        progress: called during the check.
    """

    def __init__(
        self,
        runner: FileRunner,
        interface: Interface = Interface.CS50,
        function: str = "minimax",
        *,
        functions: Sequence[str] | None = None,
        boards: Iterable[str] | None = None,
        limits: CheckLimits = CheckLimits(),  # noqa: B008 - it is immutable
        progress: Progress = lambda *_: None,
    ) -> None:
        self.runner = runner
        self.interface = interface
        every = FUNCTIONS if interface is Interface.CS50 else (function,)
        self.functions = tuple(every if functions is None else functions)
        self.chooser = function
        self.limits = limits
        self._progress = progress
        self._boards = list(solution() if boards is None else boards)

    def run(self) -> CheckReport:
        """Call the functions, and return the report."""
        there = [name for name in self.functions if name in self.runner.parameters]
        absent = [name for name in self.functions if name not in there]
        as_is = {name: self._ask(name, ()) for name in there}
        failing = [name for name in there if as_is[name].wrong]
        lists = [name for name in failing if name == "actions" and _only_not_a_set(as_is[name])]
        alone = {name: self._alone(name, as_is[name], lists) for name in failing}
        at_fault = [name for name in failing if alone[name].wrong]
        functions = {}
        for name in self.functions:
            if name in absent:
                functions[name] = missing(name)
                continue
            found = as_is[name]
            suffers: tuple[str, ...] = ()
            if name in at_fault:
                found = alone[name]
            elif name in failing:
                suffers = self._causes(name, found, [*at_fault, *absent])
            # Two functions may each be right, and wrong together.
            is_faulty = bool(found.wrong) and not suffers
            functions[name] = FunctionReport(
                not is_faulty,
                found.cases,
                tuple(self._failures(name, found)) if is_faulty else (),
                suffers,
                found.boards if found.cases < found.boards and not found.wrong else None,
            )
        chosen = as_is[self.chooser].chosen if self.chooser in there else {}
        games, _ = play(self.interface, chosen)
        return CheckReport(self.interface, functions, games, moves=moves(self.interface, chosen))

    def _others(self, name: str) -> list[str]:
        return [each for each in self.functions if each != name]

    def _alone(self, name: str, as_is: Checked, lists: Collection[str]) -> Checked:
        """Return the answers of a failing function while right functions replace all others.

        Functions in `lists` return the right moves as a list, where a right function returns a
        set. If `name` fails only with a set, these functions of the file are not replaced.
        """
        others = self._others(name)
        if not self._fails(name, as_is, others):
            return Checked.nothing()
        kept = [each for each in others if each not in lists]
        if kept != others and not self._fails(name, as_is, kept):
            return Checked.nothing()
        return self._ask(name, kept)

    def _causes(self, name: str, as_is: Checked, faulty: Sequence[str]) -> tuple[str, ...]:
        """Return the functions whose faults make a right function fail.

        If no single function does, return all faulty ones.
        """
        causes = []
        for cause in faulty:
            right = [each for each in self._others(name) if each != cause]
            if self._fails(name, as_is, right):
                causes.append(cause)
        return tuple(causes or faulty)

    def _fails(self, name: str, as_is: Checked, right: Sequence[str]) -> bool:
        """Return whether a function fails again in some of the cases in which it has failed."""
        wrong = [each.case for each in as_is.wrong]
        wrong = [case for case in wrong if not self._is_long(name, case)] or wrong
        few = wrong[:: 1 + len(wrong) // MAX_TRIED]
        left = self.limits.again
        for answer, case in zip(self._call(name, few, right), few, strict=False):
            if judge(self.interface, name, case, answer):
                return True
            left -= answer.seconds
            if left < 0:
                break
        return False

    def _is_long(self, name: str, case: Case) -> bool:
        """Return whether a plain search of the rest of the game may take seconds."""
        return name == self.chooser and case.board.count(".") > FEW_EMPTY

    def _call(self, name: str, every: Sequence[Case], right: Sequence[str]) -> Iterator[CallAnswer]:
        long = any(self._is_long(name, case) for case in every)
        seconds = self.limits.search if long else self.limits.call
        return self.runner.call(name, every, right=right, seconds=seconds)

    def _ask(self, name: str, right: Sequence[str]) -> Checked:
        if name == self.chooser:
            return self._ask_chooser(name, right)
        every = cases(name, self._boards)
        found = Checked.nothing(len(every))
        return self._judged(name, every, self._call(name, every, right), found)

    def _judged(
        self,
        name: str,
        every: Sequence[Case],
        answers: Iterable[CallAnswer],
        found: Checked,
    ) -> Checked:
        """Return `found` with the answers to more cases."""
        done = found.cases
        # The answers first, so that their generator comes to its end.
        for answer, case in zip(answers, every, strict=False):
            done += 1
            kinds = judge(self.interface, name, case, answer)
            if kinds:
                found.wrong.append(Wrong(case, answer, kinds))
            else:
                found.passed.append(case)
            if name == self.chooser:
                chose = not (answer.raised or answer.ended)
                found.chosen[case.board] = value_of(answer) if chose else None
            if done % 100 == 0:
                self._progress(name, done, found.boards)
        return found._replace(cases=done)

    def _ask_chooser(self, name: str, right: Sequence[str]) -> Checked:
        """Check a function that chooses a move: first the boards nearest to the end.

        A search takes about n times longer on a board with n empty cells than on one with n - 1. If
        all boards with n would take too long, one of each class under rotation and reflection is
        checked; if these would too, only those that occur in the function's games.
        """
        known = solution()
        mine = [
            each
            for each in self._boards
            if self.interface is Interface.CS50 or not known[each].over
        ]
        found = Checked.nothing(len(mine))
        left, mean = self.limits.searches, 0.0
        for empty in range(10):
            level = [board for board in mine if board.count(".") == empty]
            mean *= empty
            if mean * len(level) > left:
                level = [board for board in level if first_of_its_class(board)]
            if mean * len(level) > left:
                break
            found, spent = self._ask_boards(name, right, level, found)
            if level:
                left -= spent
                mean = spent / len(level)
            if sum(bool(wrong.answer.ended) for wrong in found.wrong) >= MAX_ENDS:
                return found
        # The games are those of the file as it is.
        left = 0.0 if right else self.limits.games
        while left > 0:
            _, open_ = play(self.interface, found.chosen)
            level = [
                board
                for board in set(open_) & set(mine)
                if board.count(".") <= FEW_EMPTY + 1 or first_of_its_class(board)
            ]
            if not level:
                break
            found, spent = self._ask_boards(name, right, sorted(level), found)
            left -= spent
            if found.wrong and found.wrong[-1].answer.ended:
                break
        return found

    def _ask_boards(
        self, name: str, right: Sequence[str], boards: Sequence[str], found: Checked
    ) -> tuple[Checked, float]:
        """Return `found` with the moves on more boards, and the processor time in seconds."""
        spent: list[float] = []
        every = [Case(board) for board in boards]
        answers = self._call(name, every, right)
        return self._judged(name, every, _timed(answers, spent), found), sum(spent)

    def _failures(self, name: str, found: Checked) -> Iterator[CaseFailure]:
        """Yield one failure for each mistake."""
        groups = grouped_by_mistake(self.interface, name, found.wrong)
        for group in groups[:MAX_FAILURES]:
            yield failure_of(self.interface, name, group, found.passed)


def _only_not_a_set(found: Checked) -> bool:
    """Return whether every wrong answer of `actions` has the right moves, in a list or tuple."""
    known = solution()
    return bool(found.wrong) and all(
        isinstance(wrong.value, list | tuple)
        and {action_of(Interface.CS50, each) for each in wrong.value}
        == known[wrong.case.board].actions
        for wrong in found.wrong
    )


def failure_of(
    interface: Interface, name: str, group: Sequence[Wrong], passed: Sequence[Case]
) -> CaseFailure:
    """Return the failure for one mistake, on the first board that shows it.

    That is the board with the fewest marks; for a function that chooses a move, the board nearest
    to the end, whose search is the smallest.

    Args:
        interface: of the file.
        name: of the function.
        group: the wrong answers that the mistake explains.
        passed: the cases with a right answer.
    """
    case, answer = group[0].case, group[0].answer
    kind = group[0].kinds[0]
    if kind == "accepted":
        wanted = "an exception"
    elif kind == "changed":
        wanted = f"the board stays {rows_of(case.board)!r}"
    elif kind == "shares":
        wanted = "a new board with new rows"
    else:
        value = expected(interface, name, case)
        wanted = repr(sorted(value) if isinstance(value, set) else value)
        if name == "actions":
            wanted = "{" + wanted[1:-1] + "}" if value else "set()"
        elif isinstance(value, list) and name != "result":
            wanted = " or ".join(map(repr, value))
    explained = explanation(interface, name, group, passed)
    return CaseFailure(case.board, case.action, wanted, _got(answer, kind), *explained)


def _got(answer: CallAnswer, kind: str) -> str:
    """Return the result of a call in words."""
    if answer.ended:
        return "no answer in time" if kind == "time" else "the end of Python"
    if answer.raised:
        return answer.raised + (f" (line {answer.line})" if answer.line else "")
    if kind == "changed":
        return f"the board became {answer.after}"
    if kind == "shares":
        return "the given board" if answer.shares == "board" else "rows of the given board"
    return answer.value


def _timed(answers: Iterable[CallAnswer], spent: list[float]) -> Iterator[CallAnswer]:
    """Yield answers, and note their processor times."""
    for answer in answers:
        spent.append(answer.seconds)
        yield answer


def moves(interface: Interface, chosen: dict[str, Any]) -> dict[str, Action | None]:
    """Return the move of a function on each unfinished board; `None` for one that is not legal.

    Args:
        interface: the form of the moves.
        chosen: the answer of the function for each board.
    """
    known = solution()
    found = {}
    for board, value in chosen.items():
        if not known[board].over:
            action = action_of(interface, value)
            found[board] = action if action in known[board].actions else None
    return found


def play(interface: Interface, chosen: dict[str, Any]) -> tuple[PlayReport, list[str]]:
    """Play a function as X and as O against every sequence of replies.

    An impossible move loses. Games that reach a board without a known choice do not count; return
    these boards, too.

    Args:
        interface: the form of the moves.
        chosen: the move of the function for each board.
    """
    games = 0
    losses: list[tuple[str, ...]] = []
    open_: list[str] = []
    known = solution()

    def follow(board: str, moves: tuple[str, ...], side: str) -> None:
        nonlocal games
        here = known[board]
        if here.over:
            games += 1
            if here.winner not in (None, side):
                losses.append(moves)
            return
        replies: list[Action] = sorted(here.actions)
        if here.turn == side:
            if board not in chosen:
                open_.append(board)
                return
            action = action_of(interface, chosen[board])
            if action not in here.actions:
                games += 1
                losses.append(moves)
                return
            assert action is not None
            replies = [action]
        for i, j in replies:
            cell = 3 * i + j
            after = board[:cell] + here.turn + board[cell + 1 :]
            follow(after, (*moves, str(cell + 1)), side)

    for side in "XO":
        follow("." * 9, (), side)
    shortest = min(losses, key=lambda moves: (len(moves), moves), default=())
    return PlayReport(games, len(losses), shortest), open_
