"""Check the functions of a student's file on every board that a game can reach.

    FileRunner ──every case──► wrong answers ──right companions──► at fault, or suffers
        └──again, in other orders──► unsteady    └──► sentences ──► CheckReport

A runner calls the functions: `noughts.school.process` in a separate process. The checks are the
same for every runner. They alone decide the verdict, never the file's code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple, Protocol

from noughts.school.alphabeta import PARTS, check_search
from noughts.school.mistakes import Wrong, explanation, grouped_by_mistake
from noughts.school.report import CaseFailure, CheckReport, FunctionReport, PlayReport, missing
from noughts.school.specification import (
    action_of,
    cases,
    expected,
    first_of_its_class,
    is_possible,
    judge,
    kind_of,
    rows_of,
    solution,
    value_of,
)
from noughts.school.student import FUNCTIONS, WRITTEN, Action, CallAnswer, Case, Interface

MAX_ENDS = 3
"""After this many calls that end the process, the other cases of a function are skipped."""
FEW_EMPTY = 6
"""Most empty cells of a board on which a plain search takes less than `CheckLimits.call`."""
MAX_TRIED = 100
"""Most wrong cases that are tried again to find the functions behind them."""
MAX_PROBES = 8
"""Cases that a set of several functions must cure in part before all are tried."""
MAX_ORDERED = 400
"""Most cases that are asked again in the opposite order."""
MAX_CONFIRMED = 20
"""Most cases of each kind that are asked again without a memory."""
MAX_FRESH = 3
"""Cases of each function that are asked in new processes."""
MOSTLY = 0.6
"""Share of the wrong cases with right companions that must be wrong without them, too, if the
companions are to tell more about a mistake than the file as it is."""
ENDED = ("exits", "ended", "time")
"""Kinds of fault that end Python."""
WAYS = ("fresh", "not fresh", "game", "not game", "order", "not order")
"""The ways of asking that show state, the clearest first: right or wrong in a new process, in a
game from the file's own start, in the opposite order."""
GAMES = (
    ((1, 1), (0, 0), (0, 1), (2, 1), (0, 2), (2, 0), (1, 0), (1, 2), (2, 2)),
    ((0, 0), (1, 1), (2, 2), (0, 2), (2, 0), (1, 0), (2, 1)),
    ((0, 1), (0, 0), (1, 0), (1, 1), (2, 1), (2, 2)),
)
"""Games that are played from the file's own start: a draw, a win for X and one for O."""
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
        self,
        function: str,
        cases: Sequence[Case],
        *,
        right: Collection[str],
        seconds: float,
        fresh: bool = False,
        remember: bool = False,
    ) -> Iterator[CallAnswer]:
        """Yield answers in order; right functions replace those of the file named in `right`.

        With `fresh`, each call is the first one of a new process or, where there are none, of the
        file loaded again. With `remember`, the values of the file's pure functions are kept from
        call to call.
        """


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
    """Limit of each round of calls that look for the causes of wrong answers, or for state."""


class Checked(NamedTuple):
    """The answers of one function."""

    cases: int
    wrong: list[Wrong]
    passed: list[Case]
    chosen: dict[str, Any]
    """The returned move for each board; only for a function that chooses a move."""
    boards: int
    """Number of boards to check, whether or not all were reached."""
    unsteady: tuple[Wrong, ...] = ()
    """Wrong answers to cases that were answered rightly at another time."""

    @classmethod
    def nothing(cls, boards: int = 0) -> Checked:
        """Return no answers yet."""
        return cls(0, [], [], {}, boards)

    @property
    def fails(self) -> bool:
        return bool(self.wrong or self.unsteady)


class Cure(NamedTuple):
    """The functions whose repair makes a function right."""

    sets: tuple[tuple[str, ...], ...]
    """Smallest sets of functions; each cures some of the wrong cases."""
    is_whole: bool
    """Whether they cure all wrong cases that were tried."""

    @property
    def functions(self) -> set[str]:
        return {name for names in self.sets for name in names}


def interface_of(parameters: dict[str, int]) -> Interface | None:
    """Return the interface that a file's functions fit best; `None` if they fit none."""
    if len(parameters.keys() & set(WRITTEN)) >= 2 or "minimax" in parameters:
        return Interface.CS50
    return None


MOVE_FUNCTIONS = {
    Interface.CS50: "minimax",
    Interface.AIMA: "player",
    Interface.MOVES: "move",
    Interface.ALPHABETA: "alphabeta",
}
"""The function that chooses a move, unless another one is named."""


def wanted_functions(interface: Interface | None, function: str | None) -> tuple[str, ...]:
    """Return the names of the functions that a file should have."""
    if interface in (None, Interface.CS50):
        return FUNCTIONS
    return (function or MOVE_FUNCTIONS[interface],)


def judged_names(interface: Interface | None, function: str | None) -> tuple[str, ...]:
    """Return the names under which a report has its verdicts."""
    return PARTS if interface is Interface.ALPHABETA else wanted_functions(interface, function)


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
        has = next((f"only {each}" for each in WRITTEN if each in runner.parameters), "none")
        raise NothingToCheck(f"has {has} of the seven functions of the CS50 AI project")
    name = function or MOVE_FUNCTIONS[form]
    if form is not Interface.CS50 and name not in runner.parameters:
        has = ", ".join(runner.parameters) or "none"
        raise NothingToCheck(f"has no function {name}. Its functions: {has}")
    if form is Interface.ALPHABETA:
        return check_search(runner, name, progress)
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
        self._remembers = True
        """Whether the answers of searches with a memory are those of the file as it is."""
        self._has_games = False
        """Whether `initial_state` and `result` of the file lead to the boards of games."""

    def run(self) -> CheckReport:
        """Call the functions, and return the report."""
        there = [name for name in self.functions if name in self.runner.parameters]
        absent = [name for name in self.functions if name not in there]
        as_is = {name: self._ask(name, ()) for name in there}
        begin = ("initial_state", "result")
        self._has_games = all(name in as_is and not as_is[name].wrong for name in begin)
        for name, found in as_is.items():
            unsteady = self._unsteady(name, (), found)
            if unsteady and name == self.chooser and self._remembers:
                # A memory hides that a function does not always give the same answer.
                self._remembers = False
                found = self._ask(name, ())
                unsteady = self._unsteady(name, (), found)
            as_is[name] = found._replace(unsteady=unsteady)
        cures = self._cures(as_is, absent)
        behind = {*absent, *(name for name in cures if not cures[name].is_whole)}
        functions = {}
        for name in self.functions:
            if name in absent:
                functions[name] = missing(name)
                continue
            found, cure = as_is[name], cures.get(name)
            is_faulty = cure is not None and not cure.is_whole
            suffers = () if cure is None or is_faulty else cure.functions & behind
            functions[name] = FunctionReport(
                not is_faulty,
                found.cases,
                tuple(self._failures(name, as_is, cures, absent)) if is_faulty else (),
                tuple(each for each in self.functions if each in suffers),
                found.boards if found.cases < found.boards and not found.fails else None,
                self._share(name, found) if is_faulty else 1.0,
            )
        chosen = as_is[self.chooser].chosen if self.chooser in there else {}
        games, _ = play(self.interface, chosen)
        return CheckReport(self.interface, functions, games, moves=moves(self.interface, chosen))

    def _share(self, name: str, found: Checked) -> float:
        """Return the part of a point for a function at fault, as in `FunctionReport.share`."""
        if found.unsteady or any(wrong.answer.ended for wrong in found.wrong):
            return 0.0
        right = Counter(kind_of(self.interface, name, case) for case in found.passed)
        wrong = Counter(kind_of(self.interface, name, each.case) for each in found.wrong)
        tenths = [10 * right[kind] // (right[kind] + wrong[kind]) for kind in right | wrong]
        return min(tenths, default=0) / 10

    # State

    def _unsteady(self, name: str, right: Sequence[str], found: Checked) -> tuple[Wrong, ...]:
        """Return wrong answers of a function to cases that it has answered rightly, or will.

        Some cases are asked again in the opposite order, some in new processes, and some in games
        from the file's own start.

        Args:
            name: of the function.
            right: functions of the file to replace by right ones.
            found: its answers in order.
        """
        if any(wrong.answer.ended for wrong in found.wrong):
            return ()
        wrong = {each.case: each for each in found.wrong}
        every = self._short(name, [*found.passed, *wrong])
        every.sort(key=lambda case: case.board.count("."), reverse=name != self.chooser)
        unsteady: list[Wrong] = []
        for how, case, answer in self._again(name, right, every):
            kinds = judge(self.interface, name, case, answer)
            plain = case._replace(moves=None)
            if kinds and plain not in wrong:
                unsteady.append(Wrong(plain, answer, kinds, how))
            elif not kinds and plain in wrong:
                unsteady.append(wrong[plain]._replace(how=f"not {how}"))
        # The answer of a new process is the easiest to see again.
        unsteady.sort(key=lambda each: WAYS.index(each.how))
        if (
            unsteady
            and unsteady[0].how.endswith("fresh")
            and self._varies(name, right, unsteady[0])
        ):
            # Chance, not a kept value.
            unsteady = [each._replace(how=each.how.replace("fresh", "order")) for each in unsteady]
        return tuple(unsteady)

    def _varies(self, name: str, right: Sequence[str], wrong: Wrong) -> bool:
        """Return whether new processes answer a case differently."""
        every = [wrong.case] * MAX_FRESH
        answers = list(self._call(name, every, right, fresh=True))
        known = wrong.answer if wrong.how == "fresh" else answers[0]
        return not all(_is_same(known, answer) for answer in answers)

    def _again(
        self, name: str, right: Sequence[str], every: Sequence[Case]
    ) -> Iterator[tuple[str, Case, CallAnswer]]:
        """Ask some of these cases in each other way; yield the way, the case and the answer."""
        several = list(every[:: 1 + len(every) // MAX_ORDERED])
        few = list(every[len(every) // 2 :: 1 + len(every) // (2 * MAX_FRESH)])
        asked = {
            "fresh": few[:MAX_FRESH],
            "order": several[::-1],
            "game": [*self._in_games(name, {*every})],
        }
        for how, some in asked.items():
            answers = self._call(name, some, right, fresh=how == "fresh")
            for answer, case in self._in_time(answers, some):
                yield how, case, answer

    def _in_games(self, name: str, every: Collection[Case]) -> Iterator[Case]:
        """Yield those of the cases that occur in games from the file's own start."""
        if not self._has_games:
            return
        for game in GAMES:
            board = "." * 9
            for number, action in enumerate((*game, None)):
                plain = Case(board, action if name == "result" else None)
                if plain in every and name != "initial_state":
                    yield plain._replace(moves=game[:number])
                if action is not None:
                    cell = 3 * action[0] + action[1]
                    board = board[:cell] + solution()[board].turn + board[cell + 1 :]

    def _in_time(
        self, answers: Iterable[CallAnswer], some: Sequence[Case]
    ) -> Iterator[tuple[CallAnswer, Case]]:
        """Yield answers with their cases, until the time for another round of calls is over."""
        left = self.limits.again
        for answer, case in zip(answers, some, strict=False):
            yield answer, case
            left -= answer.seconds
            if left < 0:
                return

    # Causes

    def _cures(self, as_is: dict[str, Checked], absent: Sequence[str]) -> dict[str, Cure]:
        """Return what cures each failing function; nothing cures one that is at fault itself."""
        failing = [name for name in as_is if as_is[name].fails]

        def cure_of(name: str, suspects: Collection[str]) -> Cure:
            return self._cure(name, as_is[name], [each for each in suspects if each != name])

        every = [name for name in self.functions if name in failing or name in absent]
        cures = {name: cure_of(name, every) for name in failing}
        for name in failing:
            # Two functions may be wrong, and one of them right together with the other.
            left = self._tried(name, as_is[name])
            others = [each for each in self.functions if each != name]
            if not cures[name].is_whole and (
                len(self._cured(name, as_is[name], left, others)) == len(left)
            ):
                cures[name] = cure_of(name, others)
        for name in failing:
            faulty = [each for each in every if each in absent or not cures[each].is_whole]
            if cures[name].is_whole and not cures[name].functions <= {*faulty}:
                # The functions behind it suffer from others; without any, it is at fault.
                cure = cure_of(name, faulty)
                if cure.is_whole or not cures[name].functions & {*faulty}:
                    cures[name] = cure
        return cures

    def _cure(self, name: str, found: Checked, suspects: Sequence[str]) -> Cure:
        """Try sets of functions in order of size: does a function fail with right ones there?"""
        left = self._tried(name, found)
        sets: list[tuple[str, ...]] = []
        for size in range(1, len(suspects) + 1):
            is_cured: dict[tuple[str, ...], set[int]] = {}
            for some in combinations(suspects, size):
                if not left:
                    return Cure(tuple(sets), True)
                is_cured[some] = self._cured(name, found, left, some)
                if len(is_cured[some]) == len(left):
                    break
            while is_cured:
                best = max(is_cured, key=lambda some: len(is_cured[some]))
                cured = is_cured.pop(best)
                if not cured:
                    break
                sets.append(best)
                is_cured = {some: numbers - cured for some, numbers in is_cured.items()}
                left = {number: case for number, case in left.items() if number not in cured}
        return Cure(tuple(sets), not left)

    def _tried(self, name: str, found: Checked) -> dict[int, Case]:
        """Return wrong cases of a function to try again, some of each kind, with numbers."""
        if found.unsteady:
            return {0: found.unsteady[0].case}
        groups = grouped_by_mistake(self.interface, name, found.wrong)
        some: list[Case] = []
        for group in groups:
            every = [wrong.case for wrong in group]
            short = [case for case in every if not self._is_long(name, case)] or every[:1]
            most = 1 if group[0].answer.ended else 1 + MAX_TRIED // len(groups)
            some += short[:: 1 + len(short) // most]
        return dict(enumerate(some))

    def _cured(
        self, name: str, found: Checked, left: dict[int, Case], right: Sequence[str]
    ) -> set[int]:
        """Return the numbers of the cases in which a function is right with others in place.

        A case for which there is no time counts as right.
        """
        if found.unsteady:
            every = [*found.passed, *(each.case for each in (*found.wrong, *found.unsteady))]
            every = self._short(name, [*dict.fromkeys(every)])
            is_wrong = any(
                judge(self.interface, name, case, answer)
                for _, case, answer in self._again(name, right, every)
            )
            return set() if is_wrong else {*left}
        probes = [*left]
        if len(right) > 1:
            probes = probes[:: 1 + len(probes) // MAX_PROBES]
        wrong = self._wrong_ones(name, left, probes, right)
        if len(wrong) == len(probes):
            return set()
        others = [number for number in left if number not in probes]
        return {*left} - wrong - self._wrong_ones(name, left, others, right)

    def _wrong_ones(
        self, name: str, left: dict[int, Case], numbers: Sequence[int], right: Sequence[str]
    ) -> set[int]:
        some = [left[number] for number in numbers]
        answers = self._in_time(self._call(name, some, right, remember=True), some)
        # The answers first, so that their generator comes to its end.
        return {
            number
            for (answer, case), number in zip(answers, numbers, strict=False)
            if judge(self.interface, name, case, answer)
        }

    def _is_long(self, name: str, case: Case) -> bool:
        """Return whether a plain search of the rest of the game may take seconds."""
        return name == self.chooser and case.board.count(".") > FEW_EMPTY

    def _call(
        self,
        name: str,
        every: Sequence[Case],
        right: Sequence[str],
        *,
        fresh: bool = False,
        remember: bool = False,
    ) -> Iterator[CallAnswer]:
        """Call a function; `remember` holds only for one that chooses a move."""
        long = any(self._is_long(name, case) for case in every)
        seconds = self.limits.search if long else self.limits.call
        remember = remember and self._remembers and name == self.chooser
        return self.runner.call(
            name, every, right=right, seconds=seconds, fresh=fresh, remember=remember
        )

    def _ask(self, name: str, right: Sequence[str]) -> Checked:
        if name == self.chooser:
            found = self._ask_chooser(name, right)
            if self._remembers and not self._is_confirmed(name, right, found):
                self._remembers = False
                found = self._ask_chooser(name, right)
            return found
        every = cases(name, self._boards)
        found = Checked.nothing(len(every))
        return self._judged(name, every, self._call(name, every, right), found)

    def _is_confirmed(self, name: str, right: Sequence[str], found: Checked) -> bool:
        """Return whether a function without a memory gives the same answers, in some cases.

        These are those nearest to the end of the game, some others, and as many wrong ones.
        """
        wrong = {each.case: each.kinds for each in found.wrong}
        for every in (found.passed, [*wrong]):
            short = self._short(name, every)
            some = [*short[:MAX_CONFIRMED], *short[:: 1 + len(short) // MAX_CONFIRMED]]
            for answer, case in self._in_time(self._call(name, some, right), some):
                if judge(self.interface, name, case, answer) != wrong.get(case, []):
                    return False
        return True

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
        answers = self._call(name, every, right, remember=True)
        return self._judged(name, every, _timed(answers, spent), found), sum(spent)

    # Failures

    def _failures(
        self,
        name: str,
        as_is: dict[str, Checked],
        cures: dict[str, Cure],
        absent: Sequence[str],
    ) -> Iterator[CaseFailure]:
        """Yield one failure for each mistake of a function at fault.

        The answers are those of the file as it is. If companions hide a mistake, right ones
        replace them, and the failure names these.
        """
        found = as_is[name]
        others = [each for each in self.functions if each != name]
        others = [each for each in others if each in absent or as_is[each].fails]
        wrong, passed = found.wrong, found.passed
        if others:
            alone = self._ask(name, others)
            if found.unsteady:
                wrong = [each._replace(replaced=tuple(others)) for each in alone.wrong]
                passed = alone.passed
            else:
                wrong, passed = self._own(name, found, alone, cures[name], others)
        if found.unsteady and not (
            others and alone.wrong and not self._unsteady(name, others, alone)
        ):
            yield failure_of(self.interface, name, found.unsteady, found.passed)
            return
        groups = grouped_by_mistake(self.interface, name, wrong)
        is_only = len(groups) == 1 and not any(map(is_possible, passed))
        for group in groups[:MAX_FAILURES]:
            first = next((each for each in group if not each.replaced), group[0])
            if first.replaced:
                first = first._replace(replaced=self._fewest(name, first))
            ordered = [first, *(each for each in group if each is not first)]
            yield failure_of(self.interface, name, ordered, passed, is_only=is_only)

    def _own(
        self, name: str, found: Checked, alone: Checked, cure: Cure, others: Sequence[str]
    ) -> tuple[list[Wrong], list[Case]]:
        """Return the wrong answers that are a function's own fault, and the cases without fault.

        Right functions in place of others show a mistake best, if the function is wrong without
        them in most of the same cases. Else it relies on the others as they are, such as on a value
        that the course leaves open, and only its answers as it is are facts.
        """
        before = {wrong.case: wrong for wrong in found.wrong}
        short = self._short(name, before)
        cured = {
            case
            for names in cure.sets
            for answer, case in self._in_time(self._call(name, short, names, remember=True), short)
            if not judge(self.interface, name, case, answer)
        }
        own = [wrong for wrong in alone.wrong if wrong.case in before and wrong.case not in cured]
        # A function that relies on others as they are often fails with an exception without them.
        shown = [
            wrong
            for wrong in own
            if wrong.kinds[0] != "raised" or before[wrong.case].kinds[0] in ("raised", *ENDED)
        ]
        asked = {*before, *found.passed}
        if own and len(shown) >= MOSTLY * sum(wrong.case in asked for wrong in alone.wrong):
            return [
                before[each.case]
                if _shows_same(each, before[each.case])
                else each._replace(replaced=tuple(others))
                for each in own
            ], alone.passed
        right = cured | {*alone.passed}
        left = [wrong for wrong in found.wrong if wrong.case not in right] or found.wrong
        return left, [*found.passed, *(case for case in before if case in right)]

    def _short(self, name: str, every: Iterable[Case]) -> list[Case]:
        return [case for case in every if not self._is_long(name, case)]

    def _fewest(self, name: str, wrong: Wrong) -> tuple[str, ...]:
        """Return the smallest set of right functions with which a function gives an answer."""
        if not wrong.answer.ended:
            for size in range(1, len(wrong.replaced)):
                for some in combinations(wrong.replaced, size):
                    (answer,) = self._call(name, [wrong.case], some)
                    if _is_same(answer, wrong.answer):
                        return some
        return wrong.replaced


def _shows_same(wrong: Wrong, other: Wrong) -> bool:
    """Return whether two wrong answers to a case show the same mistake."""
    if wrong.kinds[0] == other.kinds[0] in ("changed", "shares", "accepted"):
        return True
    return _is_same(wrong.answer, other.answer)


def _is_same(answer: CallAnswer, other: CallAnswer) -> bool:
    """Return whether two answers are equal; the text of other objects may have an address."""
    one, two = (
        each._replace(seconds=0.0, value="" if each.foreign else each.value)
        for each in (answer, other)
    )
    return one == two


def failure_of(
    interface: Interface,
    name: str,
    group: Sequence[Wrong],
    passed: Sequence[Case],
    *,
    is_only: bool = False,
) -> CaseFailure:
    """Return the failure for one mistake, on the first board of its group.

    That is the board with the fewest marks; for a function that chooses a move, the board nearest
    to the end, whose search is the smallest.

    Args:
        interface: of the file.
        name: of the function.
        group: the wrong answers that the mistake explains.
        passed: the cases with a right answer.
        is_only: whether the function has no right answer, and no other mistake.
    """
    case, answer = group[0].case, group[0].answer
    kind = group[0].kinds[0]
    if kind == "accepted":
        wanted = "an exception"
    elif kind == "changed":
        wanted = f"the board stays {rows_of(case.board)!r}"
    elif kind == "shares":
        wanted = "a new board with new rows"
        if name == "initial_state":
            wanted = "three separate lists, new at each call"
    else:
        value = expected(interface, name, case)
        wanted = repr(sorted(value) if isinstance(value, set) else value)
        if name == "actions":
            wanted = "{" + wanted[1:-1] + "}" if value else "set()"
        elif name == "initial_state":
            wanted = "three lists of three EMPTY cells"
        elif isinstance(value, list) and name != "result":
            wanted = " or ".join(map(repr, value))
    explained = explanation(interface, name, group, passed, is_only=is_only)
    return CaseFailure(case.board, case.action, wanted, _got(name, answer, kind), *explained)


def _got(name: str, answer: CallAnswer, kind: str) -> str:
    """Return the result of a call in words."""
    if answer.ended:
        return "no answer in time" if kind == "time" else "the end of Python"
    if answer.raised:
        return answer.raised + (f" (line {answer.line})" if answer.line else "")
    if kind == "changed":
        return f"the board became {answer.after}"
    if kind == "shares" and name == "initial_state":
        if answer.shares == "board":
            return "the same lists at each call"
        return f"{answer.after} after a mark at (0, 0)"
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
