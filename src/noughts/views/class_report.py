"""The report on a class as text, page, CSV and JSON.

StudentResult, MistakeGroup ─┬─class_table(), class_mistakes()──► for a terminal
                             ├─class_page()──► one HTML text, with links to the students' pages
                             ├─class_csv()───► a table
                             └─class_data()──► for JSON
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from noughts.games.words import count
from noughts.school.classroom import MistakeGroup, StudentResult, grouped
from noughts.school.report import UNTOUCHED
from noughts.school.submissions import Submission
from noughts.views import check_report
from noughts.views.check_report import mark_of, plain, shown_failures
from noughts.views.single_file import page

STYLES = (*check_report.STYLES, files("noughts.views") / "class_report.css")
REPORTS = "reports"
"""Folder of the students' pages, beside that of the class."""
SHOWN_GROUPS, SHOWN_NAMES = 10, 5
"""Most groups, and names in one, in a terminal; the page shows all."""
LEGEND = "✓ right   ✗ wrong   ~ right, but fails because of another   – not checked"
WORDS = {"✓": "right", "✗": "wrong", "~": "suffers", "–": "not checked"}


class ClassReport:
    """The results of a class.

    Args:
        title: the name of the class.
        functions: the names of the checked functions.
        results: of the students checked so far, in order.
        waiting: the other students.
    """

    def __init__(
        self,
        title: str,
        functions: Sequence[str],
        results: Sequence[StudentResult],
        waiting: Sequence[Submission] = (),
    ) -> None:
        self.title = title
        self.functions = functions
        self.results = results
        self.waiting = waiting
        self.groups = grouped(results)

    @property
    def summary(self) -> str:
        """The numbers of students in one sentence."""
        passed = sum(each.passed for each in self.results)
        failed = sum(not each.ran for each in self.results)
        parts = [f"{passed} with everything right"]
        if wrong := len(self.results) - passed - failed:
            parts.append(f"{wrong} with mistakes")
        if failed:
            parts.append(f"{failed} without a file that runs")
        if self.waiting:
            parts.append(f"{len(self.waiting)} not checked yet")
        total = len(self.results) + len(self.waiting)
        return f"{count(total, 'student')}: {', '.join(parts)}."

    def marks(self, result: StudentResult) -> list[tuple[str, str]]:
        """Return a mark for each function, with the CSS class of the mark."""
        report = result.report
        if report is None or report.import_failure:
            return [("–", "soft")] * len(self.functions)
        found = [mark_of(report.functions[name]) for name in self.functions]
        return [(mark, kind) for mark, _, kind in found]

    def wrong(self, number: int) -> int:
        """Return how many students have a mistake in a function, by its index."""
        return sum(self.marks(each)[number][0] == "✗" for each in self.results)


def page_name(result: StudentResult) -> str:
    """Return the path of a student's page, relative to that of the class; empty without one."""
    return f"{REPORTS}/{result.submission.name}.html" if result.report is not None else ""


def _points(result: StudentResult, report: ClassReport) -> str:
    """Return the points of a student, of all that there are."""
    return f"{result.points} of {len(report.functions)}"


def _lost(result: StudentResult) -> str:
    if result.report is None or not result.report.play.games:
        return "–"
    return f"{result.report.play.lost:,} of {result.report.play.games:,}"


def _why_not(result: StudentResult) -> str:
    """Return why a file was not checked; empty if it was."""
    return result.failure or (result.report.import_failure if result.report else "")


# Text ---------------------------------------------------------------------------------------------


def class_table(report: ClassReport) -> RenderableType:
    """Return the table of the students for a terminal."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 0, 0, 1))
    table.add_column("student", max_width=30, overflow="ellipsis", no_wrap=True)
    table.add_column("points", justify="right", no_wrap=True)
    for name in report.functions:
        table.add_column(name, justify="center", no_wrap=True)
    table.add_column("games lost", justify="right", no_wrap=True)
    styles = {"✓": "green", "✗": "red", "~": "yellow", "–": "dim"}
    for each in report.results:
        marks = [Text(mark, styles[mark]) for mark, _ in report.marks(each)]
        points = Text(_points(each, report))
        table.add_row(Text(each.submission.student), points, *marks, Text(_lost(each)))
    return Group(Padding(table, (0, 0, 1, 0)))


def class_mistakes(report: ClassReport) -> RenderableType:
    """Return a legend, the most frequent mistakes and the summary for a terminal."""
    parts: list[RenderableType] = [Text(LEGEND, "dim"), Text()]
    if report.groups:
        lines = Table.grid(padding=(0, 2, 0, 0))
        for group in report.groups[:SHOWN_GROUPS]:
            text = Text(plain(group.mistake))
            text.append(f"\n{_names(group)}", "dim")
            lines.add_row(Text(f"{len(group.results)}", justify="right"), text)
        parts += [Text("Mistakes, by number of students", "bold"), lines]
        if len(report.groups) > SHOWN_GROUPS:
            parts.append(Text(f"and {len(report.groups) - SHOWN_GROUPS} more", "dim"))
        parts.append(Text())
    return Group(*parts, Text(report.summary, "bold"))


def _names(group: MistakeGroup) -> str:
    names = [each.submission.student for each in group.results]
    more = len(names) - SHOWN_NAMES
    return ", ".join(names[:SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")


# Page ---------------------------------------------------------------------------------------------


def class_page(report: ClassReport, theme: str = "auto") -> str:
    """Return the report as a page in one file.

    Args:
        report: of the class.
        theme: `light`, `dark`, or `auto` for the setting of the reader's system.
    """
    return page(
        "class_report.html",
        f"Check of {report.title}",
        styles=STYLES,
        theme=theme,
        report=report,
        legend=LEGEND.replace("   ", " · "),
        words=WORDS,
        count=count,
        lost=_lost,
        points=_points,
        page_name=page_name,
        why_not=_why_not,
    )


# Tables for other programs ------------------------------------------------------------------------


def class_csv(report: ClassReport) -> str:
    """Return the report as CSV: one line a student."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(
        ["student", "file", "passed", "points", *report.functions, "games", "games_lost", "says"]
    )
    for each in report.results:
        submission, found = each.submission, each.report
        shown = shown_failures(found) if found else []
        failures = [failure.says for _, failures in shown for failure in failures]
        if found and found.is_untouched:
            failures = [UNTOUCHED]
        if each.remark:
            failures.append(each.remark)
        table.writerow(
            [
                _cell(submission.student),
                _cell(submission.place),
                "yes" if each.passed else "no",
                each.points,
                *(WORDS[mark] for mark, _ in report.marks(each)),
                found.play.games if each.ran and found else "",
                found.play.lost if each.ran and found else "",
                _cell(plain(_why_not(each) or " ".join(failures))),
            ]
        )
    for waiting in report.waiting:
        table.writerow([_cell(waiting.student), _cell(waiting.place)])
    return out.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    text = text.encode("utf-8", "replace").decode()
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def class_data(report: ClassReport) -> dict[str, Any]:
    """Return the report for JSON."""
    return {
        "passed": not report.waiting and all(each.passed for each in report.results),
        "students": [
            {
                "student": each.submission.student,
                "file": each.submission.place,
                "passed": each.passed,
                "points": each.points,
                "page": page_name(each) or None,
                "failure": each.failure or None,
                "report": each.report.as_data() if each.report else None,
            }
            for each in report.results
        ],
        "waiting": [each.student for each in report.waiting],
        "mistakes": [
            {
                "function": group.function or None,
                "mistake": group.mistake,
                "students": [each.submission.student for each in group.results],
            }
            for group in report.groups
        ],
    }
