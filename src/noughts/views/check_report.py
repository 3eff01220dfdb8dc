"""The report on a student's file as text, page, JUnit XML and Gradescope's results.

CheckReport ─┬─check_text()──► for a terminal
             ├─check_page()──► one HTML text
             ├─junit()───────► XML
             └─gradescope()──► results.json
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from noughts.school.report import UNTOUCHED, CaseFailure, CheckReport, FunctionReport
from noughts.school.student import position_of
from noughts.views import match_report, svg
from noughts.views import text as text_view
from noughts.views.foreign import without_controls
from noughts.views.single_file import page

STYLES = (match_report.STATIC / "report.css", files("noughts.views") / "check_report.css")
BOARD_SIZE = 120
"""Width of a board on the page, in pixels."""

_NOT_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


def headline(report: CheckReport) -> str:
    """Return the verdict on the file as one sentence."""
    if report.import_failure:
        return "The file cannot be imported."
    if report.passed:
        return "Everything is right."
    if report.is_untouched:
        return UNTOUCHED
    wrong = sum(not each.passed for each in report.functions.values())
    verb = "has a mistake" if wrong == 1 else "have mistakes"
    return f"{wrong} of {len(report.functions)} functions {verb}."


def values(failure: CaseFailure) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a failure."""
    if failure.action is not None:
        yield "action", str(failure.action)
    yield "got", failure.got
    yield "expected", failure.expected


def mark_of(function: FunctionReport) -> tuple[str, str, str]:
    """Return a mark, its style in a terminal and its CSS class on the page."""
    if function.suffers_from:
        return "~", "yellow", "suffers"
    return ("✓", "green", "right") if function.passed else ("✗", "red", "wrong")


# Text ---------------------------------------------------------------------------------------------


def check_text(report: CheckReport, file: str) -> RenderableType:
    """Return the report for a terminal: the functions, then each mistake with its board.

    Args:
        report: of the file.
        file: its name.
    """
    parts: list[RenderableType] = [Text(f"{file}: {headline(report)}", "bold")]
    if report.import_failure:
        return Group(*parts, Text(report.import_failure))
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, each in report.functions.items():
        mark, style, _ = mark_of(each)
        table.add_row(Text(mark, style), Text(name), Text(plain(report.verdict(name))))
    parts.append(Padding(table, (1, 0, 0, 2), expand=False))
    parts += [
        Padding(_failure_text(failure), (1, 0, 0, 0), expand=False)
        for _, failures in shown_failures(report)
        for failure in failures
    ]
    if sentence := report.play_sentence():
        parts.append(Padding(Text(sentence), (1, 0, 0, 0), expand=False))
    return Group(*parts)


def shown_failures(report: CheckReport) -> list[tuple[str, tuple[CaseFailure, ...]]]:
    """Return the functions with failures; none for an untouched file, whose headline says all."""
    if report.is_untouched:
        return []
    return [(name, each.failures) for name, each in report.functions.items() if each.failures]


def plain(text: str) -> str:
    """Return a text without the backticks around code."""
    return text.replace("`", "")


def _failure_text(failure: CaseFailure) -> RenderableType:
    says = Text(plain(failure.says), "bold")
    if not failure.board:
        return says
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, value in values(failure):
        table.add_row(Text(name, "dim"), Text(value))
    side = Table.grid(padding=(0, 3, 0, 0))
    side.add_row(text_view.board(position_of(failure.board)), table)
    return Group(says, Padding(side, (0, 0, 0, 2), expand=False))


# Page ---------------------------------------------------------------------------------------------


def check_page(report: CheckReport, file: str, *, whole: str = "", theme: str = "auto") -> str:
    """Return the report as a page in one file.

    Args:
        report: of the file.
        file: its name.
        whole: address of the page of the class, which gets a link.
        theme: `light`, `dark`, or `auto` for the setting of the reader's system.
    """
    return page(
        "check_report.html",
        f"Check of {file}",
        styles=STYLES,
        theme=theme,
        report=report,
        headline=headline(report),
        whole=whole,
        failures=shown_failures(report),
        mark_of=mark_of,
        values=values,
        board=_board,
    )


def _board(cells: str) -> str:
    return svg.board(position_of(cells), size=BOARD_SIZE)


# Other programs -----------------------------------------------------------------------------------


def failure_lines(failure: CaseFailure) -> str:
    """Return a failure as lines: the sentence, the board, the values."""
    board = [failure.board[row : row + 3] for row in (0, 3, 6)] if failure.board else []
    named = [f"{name}: {value}" for name, value in values(failure)]
    return "\n".join([failure.says, *board, *named])


def _output(report: CheckReport, name: str) -> str:
    failures = map(failure_lines, report.functions[name].failures)
    return "\n\n".join([f"{name}: {report.verdict(name)}.", *failures])


def junit(report: CheckReport, file: str) -> str:
    """Return the report as JUnit XML: one test case a function, and one for the import.

    A function that only suffers from others is skipped.

    Args:
        report: of the file.
        file: its name, for the suite.
    """
    suite = ElementTree.Element("testsuite", name=file)
    imported = ElementTree.SubElement(suite, "testcase", classname=file, name="import")
    if report.import_failure:
        _add(imported, "failure", report.import_failure, report.import_failure)
    for name, each in report.functions.items():
        case = ElementTree.SubElement(suite, "testcase", classname=file, name=name)
        if each.suffers_from:
            _add(case, "skipped", report.verdict(name), "")
        elif not each.passed:
            says = each.failures[0].says if each.failures else report.verdict(name)
            _add(case, "failure", says, _output(report, name))
    for attribute, found in (("tests", "*"), ("failures", "*/failure"), ("skipped", "*/skipped")):
        suite.set(attribute, str(len(suite.findall(found))))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode") + "\n"


def _add(case: ElementTree.Element, tag: str, message: str, text: str) -> None:
    message, text = (_NOT_XML.sub("", without_controls(each)) for each in (message, text))
    ElementTree.SubElement(case, tag, message=message).text = text


def gradescope(report: CheckReport) -> dict[str, Any]:
    """Return the report as Gradescope's `results.json`: one point a function.

    A function that only suffers from others has its point. A file that cannot be imported, or that
    is as the course hands it out, has none.
    """
    tests = [
        {
            "name": name,
            "score": int(each.passed),
            "max_score": 1,
            "status": "passed" if each.passed else "failed",
            "output": without_controls(_output(report, name)),
        }
        for name, each in report.functions.items()
    ]
    output = f"{headline(report)} {report.import_failure or report.play_sentence()}".strip()
    data: dict[str, Any] = {"output": without_controls(output), "tests": tests}
    if not report.points:
        data["score"] = 0
    return data
