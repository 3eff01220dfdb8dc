"""The report of a check: the verdict on every function, as data and in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from noughts.games.words import count, percent
from noughts.school.student import FUNCTIONS, WRITTEN, Action, Interface, position_of

UNTOUCHED = "No function is written yet: each raises NotImplementedError."
"""The one mistake of a file as the course hands it out."""


class CaseFailure(NamedTuple):
    """The smallest case in which a function makes one mistake."""

    board: str
    """Nine characters, `X`, `O` or `.`; empty if the function is missing."""
    action: Action | None
    expected: str
    got: str
    says: str
    """The likely mistake, in one sentence."""
    mistake: str
    """The same without values and lines of this file, equal for near-identical mistakes."""
    cases: str = ""
    """Fingerprint of the wrong cases if only they tell the mistake from others; else empty."""
    tree: str = ""
    """The tree of a search that is checked on trees; else empty."""

    @property
    def position(self) -> str:
        """The position string of the board; empty without one."""
        return str(position_of(self.board)) if self.board else ""


class FunctionReport(NamedTuple):
    """The verdict on one function."""

    passed: bool
    """False if the function itself is at fault, or could not be checked."""
    cases: int
    failures: tuple[CaseFailure, ...] = ()
    """Empty if the function could not be checked."""
    suffers_from: tuple[str, ...] = ()
    """The functions at fault that make this one fail; with right ones in their place it passes."""
    of_cases: int | None = None
    """All cases, if a slow function was checked on fewer; else `None`."""
    share: float = 1.0
    """The part of a point for a function at fault: the share of right cases, in whole tenths,
    among those of the kind with the fewest, such as boards that X has won; 1 if it is right."""

    @property
    def is_unchecked(self) -> bool:
        """Whether it could not be checked, and so has no point."""
        return not (self.passed or self.failures)


class PlayReport(NamedTuple):
    """Games of the function that chooses moves, as X and as O, against every reply."""

    games: int
    lost: int
    shortest_loss: tuple[str, ...]
    """Cells from 1 to 9; up to an impossible move, if that ended the game."""


class CheckReport(NamedTuple):
    """The verdict on a file."""

    interface: Interface
    functions: dict[str, FunctionReport]
    play: PlayReport
    import_failure: str = ""
    """Why the file cannot be imported; empty if it can."""
    moves: Mapping[str, Action | None] = MappingProxyType({})
    """The move chosen on each unfinished board that was asked; `None` if it is not legal."""

    @property
    def passed(self) -> bool:
        return not self.import_failure and all(each.passed for each in self.functions.values())

    @property
    def things(self) -> str:
        """The noun for the judged things: functions, or parts of a search."""
        return "parts" if self.interface is Interface.ALPHABETA else "functions"

    @property
    def is_untouched(self) -> bool:
        """Whether the student has written none of the course's functions."""
        return all(
            name in self.functions
            and [each.mistake for each in self.functions[name].failures] == [not_written(name)]
            for name in WRITTEN
        )

    @property
    def points(self) -> int:
        """One point for each function that is right; none for an untouched file."""
        return 0 if self.is_untouched else sum(each.passed for each in self.functions.values())

    def points_of(self, name: str, *, partial: bool = False) -> float:
        """Return the points for a function: 0 or 1, or a part of 1 if that is allowed."""
        each = self.functions[name]
        if self.is_untouched or self.import_failure:
            return 0.0
        return each.share if partial or each.passed else 0.0

    def reason(self, name: str) -> str:
        """Return why a function has a part of its point, in a sentence; empty if it has all."""
        each = self.functions[name]
        if each.passed or self.is_untouched or not 0 < each.share < 1:
            return ""
        share = percent(each.share, 0)
        return f"{each.share:g} of 1 point: of each kind of case, at least {share} are right."

    def as_data(self) -> dict[str, Any]:
        """Return the report for JSON."""
        data: dict[str, Any] = {
            "as": str(self.interface),
            "passed": self.passed,
            "functions": {name: _data(each) for name, each in self.functions.items()},
            "play": {**self.play._asdict(), "shortest_loss": list(self.play.shortest_loss)},
        }
        if self.import_failure:
            data["import"] = {"passed": False, "says": self.import_failure}
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> CheckReport:
        """Return the report of `as_data`.

        Raises:
            KeyError, TypeError, ValueError: the data are not those of a report.
        """
        play = data["play"]
        return cls(
            Interface(data["as"]),
            {name: _function(each) for name, each in data["functions"].items()},
            PlayReport(play["games"], play["lost"], tuple(play["shortest_loss"])),
            data.get("import", {}).get("says", ""),
        )

    def verdict(self, name: str) -> str:
        """Return the verdict on a function, in words without its failures."""
        each = self.functions[name]
        if each.suffers_from:
            return f"right, but fails because of {_names(each.suffers_from)}"
        if self.import_failure:
            return "not checked"
        if not each.passed:
            if each.is_unchecked:
                return "not checked"
            return "wrong" if each.cases else "missing"
        if each.of_cases:
            return f"right in {each.cases:,} of {count(each.of_cases, 'case')}; too slow for all"
        return f"right in {count(each.cases, 'case')}"

    def play_sentence(self) -> str:
        """Return the result of the games in one sentence; empty if none was played."""
        games, lost, moves = self.play
        if not games or self.is_untouched:
            return ""
        start = self.functions.get("initial_state")
        it = "It" if start is None or start.passed else "With a right initial_state, it"
        if not lost:
            return f"{it} loses none of {count(games, 'game')} against every reply, as X and as O."
        shown = f" The shortest: {' '.join(moves)} (cells from 1 to 9)." if moves else ""
        return f"{it} loses {lost:,} of {count(games, 'game')} against every reply.{shown}"


def not_written(function: str) -> str:
    """Return the mistake of a function that the student has not begun."""
    return f"`{function}` is not written yet: it raises NotImplementedError."


def missing(name: str) -> FunctionReport:
    """Return the report on a function that the file does not have."""
    says = f"The file has no `{name}`."
    return FunctionReport(
        False, 0, (CaseFailure("", None, f"a function {name}", "nothing", says, says),), share=0.0
    )


def not_imported(interface: Interface, why: str) -> CheckReport:
    """Return the report on a file that cannot be imported."""
    names = FUNCTIONS if interface is Interface.CS50 else ()
    functions = {name: FunctionReport(False, 0, share=0.0) for name in names}
    return CheckReport(interface, functions, PlayReport(0, 0, ()), why)


def _data(function: FunctionReport) -> dict[str, Any]:
    return {
        "passed": function.passed,
        "cases": function.cases,
        "failures": [
            {
                **failure._asdict(),
                "action": failure.action and list(failure.action),
                "position": failure.position or None,
            }
            for failure in function.failures
        ],
        "suffers_from": list(function.suffers_from),
        "of_cases": function.of_cases,
        "share": function.share,
    }


def _function(data: dict[str, Any]) -> FunctionReport:
    failures = (
        CaseFailure(
            **{
                **{name: value for name, value in each.items() if name != "position"},
                "action": each["action"] and tuple(each["action"]),
            }
        )
        for each in data["failures"]
    )
    suffers = tuple(data["suffers_from"])
    return FunctionReport(
        data["passed"], data["cases"], tuple(failures), suffers, data["of_cases"], data["share"]
    )


def _names(names: tuple[str, ...]) -> str:
    *most, last = (f"`{name}`" for name in names)
    return f"{', '.join(most)} and {last}" if most else last
