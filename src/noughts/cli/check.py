"""`noughts check`: check a student's file, or those of a class."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from noughts.cli.check_class import ClassOptions, run_class
from noughts.cli.options import LEARN, Commands, JsonFlag
from noughts.cli.output import Screen, answer, check_page, fail, progress, warn, writing
from noughts.school.handed_in import wrong_name
from noughts.school.student import Interface

if TYPE_CHECKING:
    from noughts.school.report import CheckReport

app = Commands()


@dataclass(frozen=True)
class ReportFiles:
    """Files for the report of a check."""

    panel: ClassVar[str] = "Reports"
    junit: Annotated[
        Path | None, typer.Option(help="Write JUnit XML, one test case a function.")
    ] = None
    html: Annotated[Path | None, typer.Option(help="Write a page in one file.")] = None
    gradescope: Annotated[
        Path | None,
        typer.Option(
            help="Write Gradescope's results.json, one point a function; with --class a folder, "
            "with one file a student."
        ),
    ] = None

    def check(self) -> None:
        """Fail before the work starts if a file could not be written after it."""
        if self.html is not None:
            check_page(self.html, "--html")
        for option, path in (("--junit", self.junit), ("--gradescope", self.gradescope)):
            if path is not None and not path.parent.is_dir():
                fail(f"{option}: there is no folder {path.parent}", 3)

    def write(self, report: CheckReport, name: str) -> None:
        """Write the files that are asked for."""
        from noughts.views import check_report

        texts: list[tuple[str, Path | None, Callable[[], str]]] = [
            ("--junit", self.junit, lambda: check_report.junit(report, name)),
            ("--html", self.html, lambda: check_report.check_page(report, name)),
            (
                "--gradescope",
                self.gradescope,
                lambda: json.dumps(check_report.gradescope(report), indent=2) + "\n",
            ),
        ]
        for option, path, text in texts:
            if path is not None:
                with writing(path, option):
                    path.write_text(text(), "utf-8")


@app.add_to(
    LEARN,
    "noughts check tictactoe.py",
    "noughts check tictactoe.py --html report.html",
    "noughts check players.py --as aima --function alpha_beta_player",
    "noughts check tictactoe.py --gradescope results.json --junit junit.xml --json",
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
            "AIMA's games. moves: a list of nine cells to a cell from 0 to 8. Left out: cs50 if "
            "the file has those functions.",
        ),
    ] = None,
    function: Annotated[
        str | None,
        typer.Option(help="The function to check with aima (default player) or moves (move)."),
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
        fail("--function needs --as aima or --as moves", 2)
    if (file is None) == (class_.class_ is None):
        fail("name a file, or a folder with --class", 2)
    if file is not None and file.is_dir():
        file, class_ = None, replace(class_, class_=file)
    class_.check()
    if file is None:
        if files.junit or files.html:
            fail("--junit and --html are for one file; --out gets the pages of a class", 2)
        run_class(class_, files.gradescope, as_, function, json_)
        return
    from noughts.school.check import NothingToCheck
    from noughts.school.process import check_file
    from noughts.views.check_report import check_text

    if not file.is_file():
        fail(f"there is no file {file}", 3)
    files.check()
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
    files.write(report, file.name)
    if json_:
        answer(report.as_data())
    else:
        Screen().print(check_text(report, file.name), soft_wrap=False)
    sys.stdout.flush()
    raise typer.Exit(4 if report.import_failure else 0 if report.passed else 1)
