"""The figures of a language model's answers in a game, as a tag of its record.

answers=12 illegal=1 unreadable=0 sent=4711 received=96
"""

from __future__ import annotations

import re
from typing import NamedTuple

TAG = "Answers"
"""The end of the tags `XAnswers` and `OAnswers`."""


class Answers(NamedTuple):
    """Answers of a model in one game or in many."""

    answers: int = 0
    illegal: int = 0
    """Answers with a move that is not legal."""
    unreadable: int = 0
    """Answers without a move."""
    sent: int = 0
    """Tokens sent to the server."""
    received: int = 0
    """Tokens of the answers."""

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self._asdict().items())

    def plus(self, other: Answers) -> Answers:
        """Return the sum."""
        return Answers(*(a + b for a, b in zip(self, other, strict=True)))


def parse_answers(text: str) -> Answers | None:
    """Parse a tag; return `None` for another text.

    >>> parse_answers(str(Answers(12, 1, 0, 4711, 96)))
    Answers(answers=12, illegal=1, unreadable=0, sent=4711, received=96)
    """
    pattern = " ".join(rf"{name}=(\d{{1,15}})" for name in Answers._fields)
    found = re.fullmatch(pattern, text)
    return None if found is None else Answers(*map(int, found.groups()))
