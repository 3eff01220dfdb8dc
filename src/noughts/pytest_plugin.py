"""A plugin of pytest: `pytest --noughts tictactoe.py` checks a student's file.

    tictactoe.py ──StudentModule──► one item a function ──check_file(), once──► pass, fail or skip

A file named on the command line, or called `tictactoe.py`, is not imported here: it is checked in a
separate process, as `noughts check` does. A function that only suffers from others is skipped.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from noughts.school.report import CheckReport

USUAL_NAME = "tictactoe.py"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("noughts", "checks of tic-tac-toe programs (noughts)")
    group.addoption(
        "--noughts", action="store_true", help="check students' files, as `noughts check` does"
    )
    group.addoption("--noughts-as", metavar="KIND", help="their functions, as for --as")
    group.addoption("--noughts-function", metavar="NAME", help="the function that chooses a move")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect a student's file in place of a module of tests."""
    found = yield
    if not parent.config.getoption("--noughts") or file_path.suffix != ".py":
        return found
    if parent.session.isinitpath(file_path) or file_path.name == USUAL_NAME:
        return [StudentModule.from_parent(parent, path=file_path)]
    return found


class NotRight(Exception):
    """A function at fault; the message has the boards."""


class StudentModule(pytest.File):
    """A student's file."""

    _report: CheckReport | None = None

    def collect(self) -> Iterable[pytest.Item]:
        """Yield an item for each function."""
        from noughts.school.check import judged_names

        for name in judged_names(*self._kind()):
            yield FunctionItem.from_parent(self, name=name)

    def report(self) -> CheckReport:
        """Return the report on the file, which is checked once."""
        from noughts.school.check import NothingToCheck
        from noughts.school.process import check_file

        if self._report is None:
            try:
                self._report = check_file(self.path, *self._kind())
            except NothingToCheck as error:
                raise NotRight(f"The file {error}.") from None
        return self._report

    def _kind(self) -> tuple[Any, str | None]:
        from noughts.school.student import Interface

        kind = self.config.getoption("--noughts-as")
        if kind is not None and kind not in [*Interface]:
            raise pytest.UsageError(f"--noughts-as: choose from {', '.join(Interface)}")
        return kind and Interface(kind), self.config.getoption("--noughts-function")


class FunctionItem(pytest.Item):
    """A function of a student's file."""

    def runtest(self) -> None:
        """Pass, fail or skip as the report says."""
        from noughts.school.grading import Grading
        from noughts.views.check_report import plain
        from noughts.views.graders import output

        assert isinstance(self.parent, StudentModule)
        report = self.parent.report()
        self.user_properties.append(("points", report.points_of(self.name)))
        if report.import_failure:
            raise NotRight(report.import_failure)
        each = report.functions[self.name]
        if each.suffers_from:
            pytest.skip(plain(report.verdict(self.name)))
        if not each.passed:
            raise NotRight(output(report, self.name, Grading(self.path.name)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        """Return the sentence and the board in place of a traceback."""
        if isinstance(excinfo.value, NotRight):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the place of the function, for reports."""
        return self.path, None, self.name
