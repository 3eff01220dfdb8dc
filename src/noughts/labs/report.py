"""The report of a lab, and its progress.

lab(progress=…) ──► Report    claim · picture · table · lesson · data
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Progress = Callable[[int, int], None]
"""Called with (done, total) steps."""


@dataclass(frozen=True)
class Report:
    """The result of a lab."""

    __pydantic_config__ = {"use_attribute_docstrings": True}  # noqa: RUF012 - read by FastAPI
    name: str
    claim: str
    """The claim and its source."""
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The table of results, as shown."""
    teaches: str
    """One paragraph."""
    data: dict[str, Any]
    """The results as a JSON object."""
    picture: str = ""
    """Lines of text, at most 80 columns if possible."""


def silent(_done: int, _total: int) -> None:
    """Ignore the progress."""
