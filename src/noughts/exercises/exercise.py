"""An exercise as data, and how answers are marked.

    Exercise
      figure   nodes of a tree, or one board          shown to the student
      entries  label, answer, clue, mistakes          the blanks to fill in
         └──mark(exercise, {name: text})──► right or wrong, and a sentence why

An exercise holds all its answers and sentences: marking needs no search. `as_data` and `from_data`
write and read it as JSON.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Literal, NamedTuple, Self, get_args

from noughts.games.registry import position

EntryKind = Literal["number", "choice", "set"]

PRUNED = "-"
"""The answer for a node that the search does not enter."""
SHORT = 3
"""Choices of at most this many characters are typed; longer ones are chosen by letter."""

_INFINITY = re.compile(r"([+-]?)(?:inf|infinity|oo)")
_PRUNED = ("-", "--", "pruned", "x")
_EMPTY = ("-", "none", "")


class Grade(StrEnum):
    """The difficulty of an exercise."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class BadAnswer(ValueError):
    """A text that cannot be an answer to its entry."""


class BadExercises(ValueError):
    """A file that holds no exercises."""


@dataclass(frozen=True, slots=True)
class ExerciseEntry:
    """A blank to fill in."""

    name: str
    """Unique in its exercise, such as `B.value`."""
    label: str
    """The question in a few words, such as `Value of B`."""
    answer: str
    """A number, one of the choices, or several of them in order with spaces between."""
    why: str
    """Why the answer is right: a sentence."""
    clue: str
    """How to find the answer: a sentence that does not name it."""
    kind: EntryKind = "number"
    """The answer is a number (also `-inf`, `inf` and, for a pruned node, `-`), one of the choices,
    or a set of them."""
    choices: tuple[str, ...] = ()
    row: str = ""
    """Row and column of the entry in a table; empty outside a table."""
    column: str = ""
    tolerance: float = 0.0
    """The largest distance of a right number from the answer."""
    mistakes: Mapping[str, str] = field(default_factory=dict)
    """Sentences by wrong answer; for a set, by each choice that is wrongly in it or missing."""
    otherwise: str = ""
    """A sentence on all other wrong answers, in place of the clue."""

    def read(self, text: str) -> str:
        """Return an answer as it is compared: a plain number, a choice, or sorted choices.

        >>> entry = ExerciseEntry("B.value", "Value of B", "3", why="", clue="")
        >>> entry.read(" 3.0 "), entry.read("−∞"), entry.read("1/2")
        ('3', '-inf', '0.5')

        Raises:
            BadAnswer: the text cannot be an answer.
        """
        plain = " ".join(text.replace("−", "-").replace("–", "-").replace("∞", "inf").split())
        if self.kind == "number":
            return self._number(plain)
        if self.kind == "choice":
            return self._choice(plain)
        if plain.lower() in _EMPTY:
            return ""
        named = {self._choice(word) for word in plain.replace(",", " ").split()}
        return " ".join(each for each in self.choices if each in named)

    def _number(self, text: str) -> str:
        if text.lower() in _PRUNED:
            return PRUNED
        infinite = _INFINITY.fullmatch(text.lower())
        if infinite:
            return f"{'-' if infinite[1] == '-' else ''}inf"
        whole, slash, half = text.replace("½", ".5").replace(",", ".").partition("/")
        try:
            value = float(whole) / float(half) if slash else float(whole)
        except (ValueError, ZeroDivisionError):
            raise BadAnswer(f"{text!r} is not a number") from None
        if not math.isfinite(value):
            raise BadAnswer(f"{text!r} is not a number")
        return plain_number(value)

    def _choice(self, text: str) -> str:
        if text in self.choices:  # A leaf `c` and an inner node `C` may both be choices.
            return text
        for choice in self.choices:
            if text.lower() == choice.lower():
                return choice
        for letter, choice in zip(self.letters, self.choices, strict=False):
            if text.lower() == letter:
                return choice
        options = ", ".join(self.letters or self.choices)
        raise BadAnswer(f"{text!r} is none of {options}")

    @property
    def letters(self) -> str:
        """The letters of the choices; none if the choices are short."""
        long = any(len(choice) > SHORT for choice in self.choices)
        return "abcdefghijklmnopqrstuvwxyz"[: len(self.choices)] if long else ""

    def is_right(self, read: str) -> bool:
        """Whether an answer, as `read` returns it, is right."""
        if self.kind == "number" and is_finite(read) and is_finite(self.answer):
            return abs(float(read) - float(self.answer)) <= self.tolerance + 1e-9
        return read == self.answer

    def wrong(self, read: str) -> str:
        """Return a sentence on a wrong answer, as `read` returns it."""
        if self.kind == "set":
            different = set(read.split()) ^ set(self.answer.split())
            read = next((each for each in self.choices if each in different), read)
        return self.mistakes.get(read, self.otherwise or self.clue)

    @property
    def shown(self) -> str:
        """The answer as people write it: `−∞` and `–` for `-inf` and `-`, `none` for no choice."""
        if self.kind == "set":
            return self.answer or "none"
        return written(self.answer) if self.kind == "number" else self.answer


def plain_number(value: float) -> str:
    """Return a number as `ExerciseEntry.read` does: `3`, `-0.5`, `-inf`."""
    return f"{round(value, 6) + 0.0:.10g}"


def is_finite(text: str) -> bool:
    """Whether an answer is a finite number."""
    return text not in (PRUNED, "inf", "-inf")


def written(number: str) -> str:
    """Return a number as people write it.

    >>> [written(number) for number in ("-inf", "-3", "-", "0.5")]
    ['−∞', '−3', '–', '0.5']
    """
    return "–" if number == PRUNED else number.replace("inf", "∞").replace("-", "−")


class FigureNode(NamedTuple):
    """A node of the figure: of a tree, or a board by itself."""

    name: str
    """`A`, `B` and so on; `a`, `b` and so on for leaves; empty for a board by itself."""
    parent: str | None = None
    move: str = ""
    """The move from the parent."""
    role: str = ""
    """`MAX` or `MIN`; empty for a leaf or a board by itself."""
    given: tuple[str, ...] = ()
    """Lines that a student sees in the node, such as the value of a leaf."""
    solved: tuple[str, ...] = ()
    """Lines that the answer key shows in their place."""
    position: str = ""
    """The board to draw, as a position string; empty without a board."""
    pruned: bool = False
    """Whether alpha-beta does not enter the node: for the answer key."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise with its answers."""

    kind: str
    title: str
    task: str
    rules: tuple[str, ...]
    """The conventions that make the answers unique, one sentence each."""
    figure: tuple[FigureNode, ...]
    """Parents before children, children in the order of the search."""
    entries: tuple[ExerciseEntry, ...]
    source: str
    """The tree or position, as text."""
    points: int
    """The measured work; `difficulty` is its grade."""
    difficulty: Grade

    def entry(self, name: str) -> ExerciseEntry:
        """Return the entry of a name.

        Raises:
            KeyError: there is none.
        """
        for each in self.entries:
            if each.name == name:
                return each
        raise KeyError(name)

    @property
    def is_tree(self) -> bool:
        return len(self.figure) > 1

    @property
    def table(self) -> tuple[list[str], list[str]]:
        """The rows of the entries that are in a table, sorted, and its columns in order."""
        inside = [each for each in self.entries if each.column]
        rows = sorted({each.row for each in inside}, key=lambda row: (len(row), row))
        return rows, list(dict.fromkeys(each.column for each in inside))

    def as_data(self) -> dict[str, Any]:
        """Return the exercise as a JSON object; `from_data` reads it."""
        data = asdict(self)
        data["figure"] = [node._asdict() for node in self.figure]
        return data

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Return the exercise of a JSON object.

        Raises:
            BadExercises: it is not one.
        """
        try:
            _check_types(data)
            values = dict(data, rules=tuple(data["rules"]), difficulty=Grade(data["difficulty"]))
            values["figure"] = tuple(
                FigureNode(**dict(node, given=tuple(node["given"]), solved=tuple(node["solved"])))
                for node in data["figure"]
            )
            values["entries"] = tuple(
                ExerciseEntry(**dict(entry, choices=tuple(entry["choices"])))
                for entry in data["entries"]
            )
            found = cls(**values)
            found.check()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadExercises(f"this is not an exercise: {error}") from None
        return found

    def check(self) -> None:
        """Check that the figure can be drawn and the entries can be answered.

        Raises:
            ValueError: they cannot.
        """
        if not self.figure or self.figure[0].parent is not None:
            raise ValueError("the figure has no root")
        names = {self.figure[0].name}
        for node in self.figure[1:]:
            if node.parent not in names:
                raise ValueError(f"the node {node.name} does not follow its parent")
            if node.name in names:
                raise ValueError(f"two nodes are called {node.name}")
            names.add(node.name)
        if len({entry.name for entry in self.entries}) < len(self.entries):
            raise ValueError("two entries have the same name")
        for text in filter(None, (node.position for node in self.figure)):
            position(text)
        if not self.is_tree and not self.figure[0].position:
            raise ValueError("the figure has no board")
        for entry in self.entries:
            known = entry.kind in get_args(EntryKind)
            if not known or not entry.is_right(entry.read(entry.answer)):
                raise ValueError(f"the entry {entry.name} cannot be answered")


_TYPES: dict[str, Any] = {
    "points": int,
    "tolerance": int | float,
    "pruned": bool,
    "parent": str | None,
    "mistakes": dict,
    **dict.fromkeys(("rules", "figure", "entries", "given", "solved", "choices"), list),
}
"""Types of the fields whose values are not plain strings."""


def _check_types(data: Mapping[str, Any]) -> None:
    """Check the types of a JSON object's fields, in all objects inside it, too.

    Raises:
        TypeError: one is wrong.
    """
    for name, value in data.items():
        if not isinstance(value, _TYPES.get(name, str)):
            raise TypeError(f"{name} has a wrong type")
        for inner in value if isinstance(value, list) else ():
            if name in ("figure", "entries"):
                _check_types(inner)
            elif not isinstance(inner, str):
                raise TypeError(f"{name} must hold texts")
        if isinstance(value, dict) and not all(isinstance(each, str) for each in value.values()):
            raise TypeError(f"{name} must hold texts")


class Mark(NamedTuple):
    """The mark of one entry."""

    name: str
    right: bool
    says: str
    """Why the answer is right or wrong."""


def mark(exercise: Exercise, answers: Mapping[str, str]) -> list[Mark]:
    """Mark the answers to some entries of an exercise, in the order of the entries.

    Args:
        exercise: to mark.
        answers: texts by the names of entries.

    Raises:
        KeyError: the exercise has no such entry.
    """
    for name in answers:
        exercise.entry(name)
    marks = []
    for entry in exercise.entries:
        if entry.name in answers:
            try:
                read = entry.read(answers[entry.name])
            except BadAnswer as error:
                marks.append(Mark(entry.name, False, f"{error}."))
                continue
            right = entry.is_right(read)
            marks.append(Mark(entry.name, right, entry.why if right else entry.wrong(read)))
    return marks


def score(marks: Iterable[Mark]) -> str:
    """Return the number of right entries in words: `3 of 5 right`."""
    marks = list(marks)
    return f"{sum(mark.right for mark in marks)} of {len(marks)} right"
