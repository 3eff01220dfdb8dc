"""`noughts check`: check a student's file, or those of a class."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.check_class import ClassOptions, run_class
from noughts.cli.check_files import ReportFiles
from noughts.cli.options import LEARN, Commands, JsonFlag
from noughts.cli.output import Screen, answer, fail, progress, warn
from noughts.school.handed_in import wrong_name
from noughts.school.student import Interface

if TYPE_CHECKING:
    pass

app = Commands()


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

    Exit code: 0 everything is right, 1 something is wrong, 4 no file can be run.
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
