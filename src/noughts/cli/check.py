"""`noughts check`: check a student's file, or those of a class."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from noughts.cli.check_class import ClassOptions, run_class
from noughts.cli.options import LEARN, Commands, JsonFlag
from noughts.cli.output import Screen, answer, check_page, fail, failing, progress, warn, writing
from noughts.school.grading import PAGE, FormatName, Grading, NotGraded, Visibility
from noughts.school.handed_in import wrong_name
from noughts.school.student import Interface

if TYPE_CHECKING:
    from noughts.school.report import CheckReport

app = Commands()


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


@app.add_to(
    LEARN,
    "noughts check tictactoe.py",
    "noughts check tictactoe.py --html report.html",
    "noughts check players.py --as aima --function alpha_beta_player",
    "noughts check tictactoe.py --format gradescope --out results.json",
    "noughts check homework",
    "noughts check --class homework.zip --out reports",
)
def check(
    files: ReportFiles,
    class_: ClassOptions,
    file: Annotated[
        Path | None, typer.Argument(help="A Python file, or the folder of a class.")
    ] = None,
    as_: Annotated[
        Interface | None,
        typer.Option(
            "--as",
            help="cs50: the seven functions of the CS50 AI project. aima: player(game, state) of "
            "AIMA's games. moves: a list of nine cells to a cell from 0 to 8. alphabeta: "
            "alphabeta(node, depth) of a tree to (value, move). Left out: cs50 if the file has "
            "those functions.",
        ),
    ] = None,
    function: Annotated[
        str | None,
        typer.Option(help="The function to check, if it has not the usual name."),
    ] = None,
    json_: JsonFlag = False,
) -> None:
    """Check a student's file, or a class, on every board that a game can reach.

    For each faulty function you see the smallest board that shows the mistake. The file runs in a
    separate process with limits of time and memory. That is no sandbox: check strangers' files
    in a container.

    Exit code: 0 all right, 1 something is wrong, 4 the file, or no file of a class, can be run.
    """
    if function is not None and as_ in (None, Interface.CS50):
        fail("--function needs --as aima, moves or alphabeta", 2)
    if (file is None) == (class_.class_ is None):
        fail("name a file, or a folder with --class", 2)
    if file is not None and file.is_dir():
        file, class_ = None, replace(class_, class_=file)
    if json_ and files.format_ and class_.out is None:
        fail("--json and --format both print; name a file with --out", 2)
    class_.check(has_format=files.format_ is not None)
    if file is None:
        if files.junit or files.html:
            fail("--junit and --html are for one file; --out gets the pages of a class", 2)
        run_class(class_, files, as_, function, json_)
        return
    from noughts.school.check import NothingToCheck
    from noughts.school.process import check_file
    from noughts.views.check_report import check_text

    if not file.is_file():
        fail(f"there is no file {file}", 3)
    files.check(class_.out)
    try:
        with progress("checking") as show:
            report = check_file(
                file, as_, function, progress=lambda _, done, total: show(done, total)
            )
    except NothingToCheck as error:
        advice = "name its function with --function" if as_ else "check a player with --as"
        fail(f"the file {file} {error}; {advice}", 2)
    if not report.import_failure and (wrong := wrong_name(file.name)):
        warn(f"The file {file} is checked as Python. {wrong}")
    files.write(report, file.name, class_.out)
    if json_:
        answer(report.as_data())
    elif files.format_ is None or class_.out is not None:
        Screen().print(check_text(report, file.name, files.page), soft_wrap=False)
    sys.stdout.flush()
    raise typer.Exit(4 if report.import_failure else 0 if report.passed else 1)
