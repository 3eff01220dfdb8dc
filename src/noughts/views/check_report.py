"""The report on a student's file as text and as a page; `views.graders` has it for programs.

CheckReport ─┬─check_text()──► for a terminal
             └─check_page()──► one HTML text
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from noughts.school.grading import PAGE
from noughts.school.report import UNTOUCHED, CaseFailure, CheckReport, FunctionReport
from noughts.school.student import position_of
from noughts.views import match_report, svg
from noughts.views import text as text_view
from noughts.views.single_file import page

STYLES = (match_report.STATIC / "report.css", files("noughts.views") / "check_report.css")
BOARD_SIZE = 120
"""Width of a board on the page, in pixels."""


def headline(report: CheckReport) -> str:
    """Return the verdict on the file as one sentence."""
    if report.import_failure:
        return "The file cannot be imported."
    if report.passed:
        return "Everything is right."
    if report.is_untouched:
        return UNTOUCHED
    wrong = sum(bool(each.failures) for each in report.functions.values())
    verb = "has a mistake" if wrong == 1 else "have mistakes"
    return f"{wrong} of {len(report.functions)} {report.things} {verb}."


def values(failure: CaseFailure) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a failure."""
    if failure.tree:
        yield "tree", failure.tree
    if failure.action is not None:
        yield "action", str(failure.action)
    yield "got", failure.got
    yield "expected", failure.expected


def address(failure: CaseFailure, page: str = PAGE) -> str:
    """Return the address that opens the board of a failure; empty without a board.

    Args:
        failure: the board.
        page: the address of a server, or that of a folder of `noughts site` with `#` at its end.
    """
    return f"{page.rstrip('/')}/position/{failure.position}" if failure.board else ""


def mark_of(function: FunctionReport) -> tuple[str, str, str]:
    """Return a mark, its style in a terminal and its CSS class on the page."""
    if function.suffers_from:
        return "~", "yellow", "suffers"
    if function.is_unchecked:
        return "–", "dim", "soft"
    return ("✓", "green", "right") if function.passed else ("✗", "red", "wrong")


# Text ---------------------------------------------------------------------------------------------


def check_text(report: CheckReport, file: str, page: str = PAGE) -> RenderableType:
    """Return the report for a terminal: the functions, then each mistake with its board.

    Args:
        report: of the file.
        file: its name.
        page: as for `address`.
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
        Padding(_failure_text(failure, page), (1, 0, 0, 0), expand=False)
        for _, failures in shown_failures(report)
        for failure in failures
    ]
    sentences = [report.play_sentence()]
    if page == PAGE and any(each.board for _, some in shown_failures(report) for each in some):
        sentences.append("The addresses open while noughts serve runs.")
    parts += [Padding(Text(each), (1, 0, 0, 0), expand=False) for each in sentences if each]
    return Group(*parts)


def shown_failures(report: CheckReport) -> list[tuple[str, tuple[CaseFailure, ...]]]:
    """Return the functions with failures; none for an untouched file, whose headline says all."""
    if report.is_untouched:
        return []
    return [(name, each.failures) for name, each in report.functions.items() if each.failures]


def plain(text: str) -> str:
    """Return a text without the backticks around code."""
    return text.replace("`", "")


def _failure_text(failure: CaseFailure, page: str) -> RenderableType:
    says = Text(plain(failure.says), "bold")
    if not (failure.board or failure.tree):
        return says
    table = Table.grid(padding=(0, 2, 0, 0))
    for name, value in values(failure):
        table.add_row(Text(name, "dim"), Text(value))
    if failure.tree:
        return Group(says, Padding(table, (0, 0, 0, 2), expand=False))
    side = Table.grid(padding=(0, 3, 0, 0))
    side.add_row(text_view.board(position_of(failure.board)), table)
    link = Text(address(failure, page), "dim", no_wrap=True, overflow="ignore")
    return Group(says, Padding(Group(side, link), (0, 0, 0, 2), expand=False))


# Page ---------------------------------------------------------------------------------------------


def check_page(
    report: CheckReport, file: str, *, page_at: str = PAGE, whole: str = "", theme: str = "auto"
) -> str:
    """Return the report as a page in one file.

    Args:
        report: of the file.
        file: its name.
        page_at: where boards are opened, as for `address`.
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
        address=lambda failure: address(failure, page_at),
    )


def _board(cells: str) -> str:
    return svg.board(position_of(cells), size=BOARD_SIZE)
