"""The choices of a grade: the format of the report, parts of points, and what others see of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

PAGE = "http://127.0.0.1:8322"
"""Address of the page of `noughts serve`, to which boards link."""
REQUIREMENT = "noughts"
"""What check50 installs for a pack of checks, unless it is told to install nothing."""


class FormatName(StrEnum):
    """The formats of `views.graders`."""

    JSON = "json"
    JUNIT = "junit"
    GRADESCOPE = "gradescope"
    CHECK50 = "check50"
    OTTER = "otter"
    PYTEST = "pytest"
    CLASSROOM50 = "classroom50"


class Visibility(StrEnum):
    """When Gradescope shows the tests to students."""

    VISIBLE = "visible"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"
    HIDDEN = "hidden"


class Grading(NamedTuple):
    """The choices of a grade."""

    file: str
    """The name of the student's file."""
    page: str = PAGE
    """The address of the page that opens boards, as for `check_report.address`."""
    partial: bool = False
    """Whether a function at fault may have a part of its point."""
    visibility: Visibility | None = None
    """When Gradescope shows the tests; by default its own setting."""
    leaderboard: bool = False
    """Whether Gradescope ranks the students."""
    environment: Mapping[str, str] = MappingProxyType({})
    """The variables of the process, for Classroom 50."""


class NotGraded(Exception):
    """A format lacks something; the message is a sentence for the teacher."""
