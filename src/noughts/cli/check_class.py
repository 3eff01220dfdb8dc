"""The class of `noughts check --class`: check every file, and write the reports."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from noughts.cli.cluster import RayAddressOption, RayFlag, cluster_address
from noughts.cli.output import (
    Screen,
    answer,
    fail,
    fail_to_write,
    failing,
    progress,
    say,
    show_tables,
    warn,
    writing,
)
from noughts.games.words import count
from noughts.school.grading import FormatName, NotGraded
from noughts.school.student import Interface

if TYPE_CHECKING:
    from noughts.cli.check_files import ReportFiles
    from noughts.school.classroom import ClassCheck, Runner
    from noughts.views.class_report import ClassReport

SHOWN_NAMES = 5
"""Most names in a sentence about files that are not checked."""


@dataclass(frozen=True)
class ClassOptions:
    """A folder of files to check together."""

    panel: ClassVar[str] = "A class"
    class_: Annotated[
        Path | None,
        typer.Option(
            "--class",
            help="Check every file in this folder or ZIP archive, or one in the folder of each "
            "student; also downloads of Moodle, Canvas and Gradescope.",
        ),
    ] = None
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for index.html, a page for each student, results.csv and .json. Default: "
            "NAME-reports, here. For one file: the file of --format."
        ),
    ] = None
    jobs: Annotated[
        int | None, typer.Option(help="Files checked at once. Default: all cores.", min=1)
    ] = None
    seconds: Annotated[
        float | None,
        typer.Option(help="Longest check of one file. Default: 600.", min=1, max=86_400),
    ] = None
    ray: RayFlag = False
    ray_address: RayAddressOption = None

    def check(self, *, has_format: bool) -> None:
        """Fail if an option of classes is given without a class."""
        names = ("out", "jobs", "seconds", "ray", "ray_address")
        given = [name for name in names if getattr(self, name)]
        if self.class_ is None and given and not (given == ["out"] and has_format):
            also = " or --format" if given[0] == "out" else ""
            fail(f"--{given[0].replace('_', '-')} needs --class{also}", 2)


def run_class(
    options: ClassOptions,
    files: ReportFiles,
    interface: Interface | None,
    function: str | None,
    as_json: bool,
) -> None:
    """Check a class, write its reports, and exit with the code of `noughts check`.

    Args:
        options: of the class.
        files: the formats for graders; its paths are folders.
        interface: the functions that the files have.
        function: the function that chooses a move.
        as_json: print JSON in place of a table.
    """
    from noughts.school.classroom import SECONDS, ClassCheck, ClassTerms

    place = options.class_
    assert place is not None
    title = place.resolve().stem if place.is_file() else place.resolve().name
    out = options.out or Path(f"{title}-reports")
    with _class_folder(place) as folder:
        _check_folders(folder, out)
        terms = ClassTerms(interface, function, options.seconds or SECONDS)
        runner = _runner(options)
        try:
            check = ClassCheck(folder, out, terms)
        except OSError as error:
            fail(f"cannot read {error.filename}: {error.strerror or error}", 3)
    if not check.submissions:
        fail(f"--class: there is no Python file in {place}, and no student's folder", 3)
    _tell_start(check, out)
    try:
        _run(check, runner, out)
    except KeyboardInterrupt:
        _write(check, title, out, files)
        done = len(check.results)
        say(
            f"Stopped. {done} of {count(len(check.submissions), 'student')} checked; "
            "the same command checks the others.",
            sys.stderr,
        )
        raise typer.Exit(130) from None
    report = _write(check, title, out, files)
    _show(report, out, as_json)
    if not any(each.ran for each in report.results):
        raise typer.Exit(4)
    raise typer.Exit(0 if all(each.passed for each in report.results) else 1)


@contextmanager
def _class_folder(place: Path) -> Iterator[Path]:
    """Yield the folder of a class; that of an archive exists as long as this context."""
    if place.is_dir():
        yield place
        return
    if not place.is_file():
        fail(f"--class: there is no folder {place}", 3)
    from noughts.school.archive import BadArchive, unpack

    with TemporaryDirectory(prefix="noughts-class-", ignore_cleanup_errors=True) as folder:
        try:
            found = unpack(place, Path(folder))
        except BadArchive as error:
            fail(f"--class: the file {place} {error}", 3)
        except OSError as error:
            fail(f"--class: cannot read {place}: {error.strerror or error}", 3)
        yield found


def _check_folders(folder: Path, out: Path) -> None:
    """Fail if the reports would overwrite something else."""
    if out.exists():
        if not out.is_dir():
            fail(f"--out: {out} is a file; name a folder", 3)
        if out.resolve() == folder.resolve():
            fail("--out: choose another folder than that of --class", 2)
        if any(out.iterdir()) and not (out / "results").is_dir():
            fail(f"--out: {out} has other files; choose a new folder", 3)
    with writing(out, "--out"):
        out.mkdir(parents=True, exist_ok=True)


def _runner(options: ClassOptions) -> Runner:
    if not (options.ray or options.ray_address):
        from noughts.arena.match import cores
        from noughts.school.classroom import LocalRunner

        return LocalRunner(options.jobs or len(cores()))
    address = cluster_address(options.ray_address)
    from noughts.school.cluster import ClusterRunner

    return ClusterRunner(options.jobs, address, tell=warn)


def _tell_start(check: ClassCheck, out: Path) -> None:
    kept = f", {check.kept} with a result from before" if check.kept else ""
    total = count(len(check.submissions), "student")
    say(f"{total}{kept}; {count(len(check.left), 'file')} to check.", sys.stderr)
    say(f"The reports go to the folder {out}.", sys.stderr)
    if check.left_out:
        names = ", ".join(check.left_out[:SHOWN_NAMES])
        more = len(check.left_out) - SHOWN_NAMES
        say(f"Not checked: {names}{f' and {more} more' if more > 0 else ''}.", sys.stderr)


def _run(check: ClassCheck, runner: Runner, out: Path) -> None:
    from noughts.arena.match import WorkerLost

    total = len(check.left)
    with progress(f"checking {count(total, 'file')}") as show, failing(4, WorkerLost):
        show(0, total)
        try:
            for done, _ in enumerate(check.run(runner), 1):
                show(done, total)
        except OSError as error:
            fail_to_write(out, error, "--out")


def _write(check: ClassCheck, title: str, out: Path, files: ReportFiles) -> ClassReport:
    """Write all reports, and return that of the class."""
    from noughts.school.classroom import replace_file
    from noughts.views import check_report, class_report
    from noughts.views.graders import FORMATS, grade

    report = class_report.ClassReport(title, check.terms.functions, check.results, check.waiting)
    pages = out / class_report.REPORTS
    texts: list[tuple[Path, Callable[[], str]]] = [
        (out / "index.html", lambda: class_report.class_page(report)),
        (out / "results.csv", lambda: class_report.class_csv(report)),
        (
            out / "results.json",
            lambda: json.dumps({"schema": 1, **class_report.class_data(report)}, indent=1) + "\n",
        ),
    ]
    with writing(out, "--out"):
        pages.mkdir(exist_ok=True)
        for each in report.results:
            if each.report is not None:
                text = check_report.check_page(
                    each.report,
                    each.submission.student,
                    page_at=files.page,
                    whole="../index.html",
                )
                replace_file(pages / f"{each.submission.name}.html", text)
        for path, text_of in texts:
            replace_file(path, text_of())
    wanted = []
    if files.gradescope is not None:
        wanted.append(("--gradescope", FormatName.GRADESCOPE, files.gradescope))
    if files.format_ is not None:
        wanted.append(("--format", files.format_, out / files.format_))
    for option, form, folder in wanted:
        with writing(folder, option), failing(2, NotGraded):
            folder.mkdir(parents=True, exist_ok=True)
            for each in report.results:
                if each.report is not None:
                    text = grade(form, each.report, files.grading(each.submission.place))
                    name = f"{each.submission.name}.{FORMATS[form].ending}"
                    replace_file(folder / name, text)
    return report


def _show(report: ClassReport, out: Path, as_json: bool) -> None:
    from noughts.views.class_report import class_data, class_mistakes, class_table

    if as_json:
        answer(class_data(report))
    else:
        screen = Screen()
        show_tables(class_table(report))
        screen.print(class_mistakes(report))
        screen.print(f"The page of the class: {out / 'index.html'}", markup=False, soft_wrap=True)
    sys.stdout.flush()
