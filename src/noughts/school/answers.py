"""Check the answers of a student in a notebook.

    value    ──check_answer()────► AnswerCheck   right, not right, or not answered yet
    function ──check_function()──►               on many cases; the first wrong one
    number   ──check_goal()──────►               below or above a bound

`...` stands for an answer that is still to come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from math import isclose
from typing import Any

from noughts.games.words import count


@dataclass(frozen=True)
class AnswerCheck:
    """The verdict on one answer."""

    is_right: bool | None
    """Whether the answer is right; `None` if there is no answer yet."""
    says: str
    """The verdict in one sentence."""
    case: Any = None
    """The first case in which a function is wrong, such as a position."""

    def __str__(self) -> str:
        mark = {True: "✓", False: "✗", None: "…"}[self.is_right]
        return f"{mark} {self.says}"


MAX_LETTERS = 120
"""Most characters of a value in a verdict."""
NOT_ANSWERED = AnswerCheck(None, "Not answered yet. Put your answer in place of the three dots.")


def check_answer(answer: object, right: object) -> AnswerCheck:
    """Compare an answer with the right one, which the verdict does not reveal.

    >>> print(check_answer(8, 9))
    ✗ 8 is not right.
    >>> print(check_answer({"a1": 3, "a2": 4}, {"a1": 3, "a2": 2}))
    ✗ Not right: a2.
    >>> print(check_answer(..., 9))
    … Not answered yet. Put your answer in place of the three dots.

    Args:
        answer: the student's; for a mapping, the verdict names the keys with wrong answers.
        right: the right answer. Floats are compared to six decimals.
    """
    if isinstance(right, Mapping):
        if not isinstance(answer, Mapping) or any(value is ... for value in answer.values()):
            return NOT_ANSWERED
        wrong = [key for key in right if key not in answer or not _equal(answer[key], right[key])]
        if wrong:
            return AnswerCheck(False, f"Not right: {', '.join(map(str, wrong))}.")
        return AnswerCheck(True, "Right.")
    if answer is ...:
        return NOT_ANSWERED
    if _equal(answer, right):
        return AnswerCheck(True, "Right.")
    return AnswerCheck(False, f"{_short(answer)} is not right.")


def check_function(
    function: Callable[[Any], Any], right: Callable[[Any], Any], cases: Iterable[Any]
) -> AnswerCheck:
    """Compare a function with a right one on every case, and stop at the first difference.

    >>> print(check_function(lambda n: n * 2, lambda n: n + n, range(1000)))
    ✓ Right in 1,000 cases.
    >>> print(check_function(lambda n: n * 2, lambda n: n**2, [0, 2, 3]))
    ✗ Wrong in case 3 of 3: it returns 6, and 9 is right.

    Args:
        function: of the student; called with a copy of each list.
        right: the right function.
        cases: the arguments, one for each call.

    Raises:
        ValueError: there are no cases.
    """
    every_case = list(cases)
    if not every_case:
        raise ValueError("a check needs at least one case")
    for number, case in enumerate(every_case, 1):
        where = f"in case {number:,} of {len(every_case):,}"
        expected = right(case)
        given = deepcopy(case) if isinstance(case, list) else case
        try:
            got = function(given)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            return AnswerCheck(False, f"It fails {where}: {why}", case)
        if got is ...:
            return NOT_ANSWERED
        if given != case:
            return AnswerCheck(False, f"It changes its argument {where}.", case)
        if not _equal(got, expected):
            says = f"Wrong {where}: it returns {_short(got)}, and {_short(expected)} is right."
            return AnswerCheck(False, says, case)
    return AnswerCheck(True, f"Right in {count(len(every_case), 'case')}.")


def check_goal(
    number: float, *, below: float | None = None, above: float | None = None
) -> AnswerCheck:
    """Check whether a number is below or above a bound.

    >>> print(check_goal(7_274, below=7_275))
    ✓ 7,274 is below 7,275.
    >>> print(check_goal(2.5, above=4))
    ✗ Not yet: 2.5 is not above 4.

    Raises:
        ValueError: neither bound is given, or both.
    """
    if (below is None) == (above is None):
        raise ValueError("a goal has one bound: below or above")
    bound, word = (below, "below") if below is not None else (above, "above")
    assert bound is not None
    if number < bound if word == "below" else number > bound:
        return AnswerCheck(True, f"{number:,} is {word} {bound:,}.")
    return AnswerCheck(False, f"Not yet: {number:,} is not {word} {bound:,}.")


def _short(value: object) -> str:
    """Return a value as text, cut after `MAX_LETTERS`."""
    text = repr(value)
    return text if len(text) <= MAX_LETTERS else f"{text[: MAX_LETTERS - 2]} …"


def _equal(answer: object, right: object) -> bool:
    """Return whether two values are equal; `True` is not 1, and floats may differ a little."""
    if isinstance(answer, bool) != isinstance(right, bool):
        return False
    if isinstance(answer, float | int) and isinstance(right, float):
        return isclose(answer, right, abs_tol=5e-7, rel_tol=1e-9)
    return answer == right
