"""The report of `noughts check` as files for graders and people."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from noughts.cli.output import check_page, fail, failing, writing
from noughts.school.grading import PAGE, FormatName, Grading, NotGraded, Visibility

if TYPE_CHECKING:
    from noughts.school.report import CheckReport


@dataclass(frozen=True)
class ReportFiles:
    """Files for the report of a check."""

    panel: ClassVar[str] = "Reports"
    format_: Annotated[
        FormatName | None,
        typer.Option(
            "--format",
            help="Write the report for a grader: to --out, or stdout; with --class a file for each "
            "student in a folder of this name in --out.",
        ),
    ] = None
    html: Annotated[Path | None, typer.Option(help="Write a page in one file.")] = None
    junit: Annotated[Path | None, typer.Option(help="Short for --format junit --out FILE.")] = None
    gradescope: Annotated[
        Path | None,
        typer.Option(
            help="Short for --format gradescope --out FILE; with --class a folder, with one file a "
            "student."
        ),
    ] = None
    partial: Annotated[
        bool,
        typer.Option("--partial", help="Give a function at fault a part of its point."),
    ] = False
    visibility: Annotated[
        Visibility | None, typer.Option(help="When Gradescope shows the tests to students.")
    ] = None
    leaderboard: Annotated[
        bool, typer.Option("--leaderboard", help="Let Gradescope rank the students by points.")
    ] = False
    page: Annotated[
        str,
        typer.Option(
            help="Address of the page that opens boards: a server, or a folder of noughts site "
            "with # at its end.",
        ),
    ] = PAGE

    def grading(self, file: str) -> Grading:
        """Return the choices of a grade for a file."""
        return Grading(
            file, self.page, self.partial, self.visibility, self.leaderboard, {**os.environ}
        )

    def wanted(self, out: Path | None) -> Sequence[tuple[str, FormatName, Path | None]]:
        """Return the option, the format and the file of each report; without a file: stdout."""
        short = ((FormatName.JUNIT, self.junit), (FormatName.GRADESCOPE, self.gradescope))
        found = [(f"--{name}", name, path) for name, path in short if path is not None]
        return found if self.format_ is None else [*found, ("--out", self.format_, out)]

    def check(self, out: Path | None) -> None:
        """Fail before the work starts if a file could not be written after it."""
        if self.html is not None:
            check_page(self.html, "--html")
        for option, _, path in self.wanted(out):
            if path is not None and not path.parent.is_dir():
                fail(f"{option}: there is no folder {path.parent}", 3)

    def write(self, report: CheckReport, name: str, out: Path | None) -> None:
        """Write the files that are asked for."""
        from noughts.views.graders import grade

        if self.html is not None:
            from noughts.views.check_report import check_page as page_of

            with writing(self.html, "--html"):
                self.html.write_text(page_of(report, name, page_at=self.page), "utf-8")
        for option, form, path in self.wanted(out):
            with failing(2, NotGraded):
                text = grade(form, report, self.grading(name))
            if path is None:
                print(text, end="")
                continue
            with writing(path, option):
                path.write_text(text, "utf-8")
