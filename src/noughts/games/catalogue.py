"""The declarations that every form for a new game is drawn from.

A game class declares its `title`, `about`, `sizes`, `options`, `presets` and `default_opponent`
beside its rules; the page, the window, the terminal and `noughts games` read them from there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Size(NamedTuple):
    """A number in a rules id; the sizes come first, in their declared order."""

    name: str
    """The label, such as `"Columns"`."""
    symbol: str
    """The letter in messages and usage texts, such as `"M"`."""
    least: int
    most: int
    default: int
    within: tuple[str, ...] = ()
    """Names of other sizes; this size may not exceed the largest of these sizes."""


def with_defaults(sizes: Sequence[Size], given: Sequence[T]) -> list[T | int]:
    """Return the given values of the first sizes, and the defaults of the others."""
    return [*given, *(size.default for size in sizes[len(given) :])]


class OptionValue(NamedTuple):
    """One value of an option."""

    text: str
    """The word in a rules id, such as `"full=draw"`; empty for a flag that is off."""
    title: str
    about: str
    """The effect on the rules, one sentence."""
    titled: str = ""
    """Text that the value adds to the title of a board that is no preset."""
    ruled: str = ""
    """The rule on boards of all sizes, in place of that of the game and of `about`."""


class GameOption(NamedTuple):
    """An option of the rules."""

    title: str
    values: tuple[OptionValue, ...]
    """The default first."""

    @property
    def key(self) -> str:
        """The word before `=` in a rules id, or the flag."""
        return self.values[-1].text.partition("=")[0]


class Preset(NamedTuple):
    """A well-known choice of sizes and options."""

    title: str
    rules_id: str
    also_called: tuple[str, ...] = ()


def make_rules_id(name: str, words: Iterable[object]) -> str:
    """Return a rules id from a game's name, its sizes and the texts of its options.

    >>> make_rules_id("mnk", [3, 3, 3, "misere"]), make_rules_id("mnk", ["", ""])
    ('mnk:3,3,3,misere', 'mnk')
    """
    options = ",".join(str(word) for word in words if word != "")
    return f"{name}:{options}" if options else name


def file_stem(rules_id: str) -> str:
    """Return a rules id as a part of a file's name, safe on every system.

    >>> file_stem("mnk:3,3,3,misere"), file_stem("advanced:full=draw")
    ('mnk-3-3-3-misere', 'advanced-full-draw')
    """
    return re.sub(r"[^a-z0-9]+", "-", rules_id)


def folded(title: str) -> str:
    """Return a title without case, accents, spaces and punctuation.

    >>> folded("Misère 3×3") == folded("misere 3X3")
    True
    """
    plain = unicodedata.normalize("NFKD", title.casefold().replace("×", "x"))
    return re.sub(r"[\W_]|[̀-ͯ]", "", plain)
