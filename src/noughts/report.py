"""What a lab gives, and how it says how far it is.

lab(progress=…) ──► Report    claim · picture · table · what it teaches · data
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Progress = Callable[[int, int], None]
"""Is told how many of how many steps are done."""


@dataclass(frozen=True)
class Report:
    """What a lab found out."""

    name: str
    claim: str
    """What was claimed, and by whom."""
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The table of what came out, as it is shown."""
    teaches: str
    """One paragraph."""
    data: dict[str, Any]
    """What came out, as a JSON object."""
    picture: str = ""
    """Lines of text, no more than 80 columns where it can be."""


def silent(_done: int, _total: int) -> None:
    """Tell nobody."""
