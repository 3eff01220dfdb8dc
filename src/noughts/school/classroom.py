"""Check the files of a class, each in its own process, and keep every result.

    folder ──find_submissions()──► ClassCheck ──► runner ──CheckOutcome──► OUT/results/NAME.json
                                       └── results from before, if file and checker are the same

A runner yields an outcome for each submission, in any order: `LocalRunner` here, `ClusterRunner`
in `noughts.school.cluster`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from noughts import cs50
from noughts.school.check import judged_names, wanted_functions
from noughts.school.handed_in import wrong_name
from noughts.school.report import UNTOUCHED, CheckReport
from noughts.school.student import Interface
from noughts.school.submissions import (
    LARGEST_FILE,
    OTHERS,
    Submission,
    find_submissions,
    fingerprint,
    left_out,
)
from noughts.version import __version__

SECONDS = 600.0
"""Longest check of one file, on the clock."""


class ClassTerms(NamedTuple):
    """The terms of a check, the same for every file of a class."""

    interface: Interface | None = None
    """The functions that the files have; if `None`, each file's functions decide."""
    function: str | None = None
    """The function that chooses a move, if it has not the usual name."""
    seconds: float = SECONDS
    """Longest check of one file, on the clock."""

    @property
    def wanted(self) -> tuple[str, ...]:
        """The names of the functions that a file should have."""
        return wanted_functions(self.interface, self.function)

    @property
    def functions(self) -> tuple[str, ...]:
        """The names under which the reports have their verdicts."""
        return judged_names(self.interface, self.function)


class CheckOutcome(NamedTuple):
    """The end of the check of one file."""

    report: dict[str, Any] | None
    """The report, from `CheckReport.as_data`; `None` if there is none."""
    failure: str = ""
    """Why there is no report, in a sentence; else empty."""
    is_final: bool = True
    """Whether another check of the same file would end like this one."""


class StudentResult(NamedTuple):
    """The result of one student."""

    submission: Submission
    report: CheckReport | None
    failure: str = ""
    """Why there is no report, in a sentence; else empty."""

    @property
    def passed(self) -> bool:
        return self.report is not None and self.report.passed

    @property
    def ran(self) -> bool:
        """Whether the file could be imported and checked."""
        return self.report is not None and not self.report.import_failure

    @property
    def points(self) -> int:
        """One point for each function that is right."""
        return 0 if self.report is None else self.report.points

    @property
    def remark(self) -> str:
        """A sentence about the name of a file that was checked; else empty."""
        file = self.submission.file
        if not self.ran or file is None or self.submission.is_archive:
            return ""
        return wrong_name(file.name)


Task = tuple[Submission, dict[str, bytes]]
"""A submission and its files."""
Runner = Callable[
    [Sequence[Task], ClassTerms], Generator[tuple[Submission, CheckOutcome], None, None]
]


@cache
def checker_version() -> str:
    """Return a hash of the code that decides on a file."""
    found = sha256(__version__.encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    found.update(Path(cs50.__file__).read_bytes())
    return found.hexdigest()


class ClassCheck:
    """The check of a class; its results are kept in a folder.

    Args:
        folder: with the students' files.
        out: folder for the results; created if it does not exist.
        terms: of every check.

    Raises:
        OSError: a folder cannot be read or written.
    """

    def __init__(self, folder: Path, out: Path, terms: ClassTerms = ClassTerms()) -> None:  # noqa: B008 - it is immutable
        self.terms = terms
        self._store = out / "results"
        self.submissions = find_submissions(folder, terms.wanted, out)
        self.left_out = left_out(folder, self.submissions, out)
        """The names of files in the folder that are no student's program."""
        self._keys: dict[str, str] = {}
        self._found: dict[str, StudentResult] = {}
        self.left: list[Task] = []
        """Submissions without a result."""
        self.kept = 0
        """Number of results from before."""
        self._store.mkdir(parents=True, exist_ok=True)
        for each in self.submissions:
            if each.file is None:
                nothing = "There is no Python file in this folder."
                self._found[each.place] = StudentResult(each, None, nothing)
                continue
            try:
                contents = each.contents()
                is_large = each.file.stat().st_size > LARGEST_FILE
                failure = f"The file is larger than {LARGEST_FILE >> 20} MiB." if is_large else ""
                if each.is_archive and not contents:
                    failure = "This is a ZIP archive without a Python file: hand in the program."
            except OSError as error:
                contents = {}
                failure = f"The file cannot be read: {error.strerror or error}."
            # The beginning of another kind of file is enough to tell it.
            if failure and not (contents and each.file.suffix.lower() in OTHERS):
                self._found[each.place] = StudentResult(each, None, failure)
                continue
            self._keys[each.place] = self._key(contents)
            kept = self._load(each)
            if kept is None:
                self.left.append((each, contents))
            else:
                self._found[each.place] = kept
                self.kept += 1

    @property
    def results(self) -> list[StudentResult]:
        """The results so far, in the order of the submissions."""
        return [self._found[each.place] for each in self.submissions if each.place in self._found]

    @property
    def waiting(self) -> list[Submission]:
        """The submissions without a result so far."""
        return [each for each in self.submissions if each.place not in self._found]

    def run(self, runner: Runner) -> Generator[StudentResult, None, None]:
        """Check the submissions that are left, and yield each result after it is stored.

        Those with the same files are checked once.

        Raises:
            OSError: a result cannot be stored.
        """
        same: dict[str, list[Task]] = {}
        for task in self.left:
            same.setdefault(self._keys[task[0].place], []).append(task)
        outcomes = runner([tasks[0] for tasks in same.values()], self.terms)
        try:
            for checked, outcome in outcomes:
                for submission, _ in same[self._keys[checked.place]]:
                    report = outcome.report and CheckReport.from_data(outcome.report)
                    result = StudentResult(submission, report or None, outcome.failure)
                    if outcome.is_final:
                        self._keep(submission, outcome)
                    self._found[submission.place] = result
                    yield result
        finally:
            outcomes.close()

    def _key(self, contents: dict[str, bytes]) -> str:
        """Return a hash of all that decides about a result, without the time limit."""
        terms = f"{self.terms.interface} {self.terms.function}"
        return sha256(f"{checker_version()} {terms} {fingerprint(contents)}".encode()).hexdigest()

    def _path(self, submission: Submission) -> Path:
        return self._store / f"{submission.name}.json"

    def _load(self, submission: Submission) -> StudentResult | None:
        """Return a result from before; `None` if there is none for this very file and checker."""
        try:
            data = json.loads(self._path(submission).read_bytes())
            is_same = (data["place"], data["key"]) == (
                submission.place,
                self._keys[submission.place],
            )
            if not is_same or (data["failure"] and data["seconds"] != self.terms.seconds):
                return None
            report = data["report"] and CheckReport.from_data(data["report"])
            return StudentResult(submission, report, data["failure"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _keep(self, submission: Submission, outcome: CheckOutcome) -> None:
        data = {
            "schema": 1,
            "student": submission.student,
            "place": submission.place,
            "key": self._keys[submission.place],
            "seconds": self.terms.seconds,
            "failure": outcome.failure,
            "report": outcome.report,
        }
        replace_file(self._path(submission), json.dumps(data, indent=1) + "\n")


def replace_file(path: Path, text: str) -> None:
    """Write a file as a whole or not at all.

    Raises:
        OSError: it cannot be written; the old file stays.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(text, "utf-8")
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


class LocalRunner:
    """Checks files on this machine.

    Args:
        jobs: most files checked at once.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def __call__(
        self, tasks: Sequence[Task], terms: ClassTerms
    ) -> Generator[tuple[Submission, CheckOutcome], None, None]:
        """Yield the outcomes as they come; closing the generator ends the checks that run."""
        running = Running()
        pool = ThreadPoolExecutor(self._jobs)
        try:
            futures = {
                pool.submit(outcome_of, contents, terms, running): submission
                for submission, contents in tasks
            }
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            running.end()
            pool.shutdown()


class Running:
    """The processes of checks in progress."""

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._is_over = False

    def add(self, process: subprocess.Popen[bytes]) -> None:
        self._processes.add(process)
        if self._is_over:
            process.kill()

    def remove(self, process: subprocess.Popen[bytes]) -> None:
        self._processes.discard(process)

    def end(self) -> None:
        """End all, and every one that is still added."""
        self._is_over = True
        for process in [*self._processes]:
            process.kill()


def outcome_of(
    contents: dict[str, bytes], terms: ClassTerms, running: Running | None = None
) -> CheckOutcome:
    """Check one file in a separate process, within its time.

    Args:
        contents: the file and those beside it, from `Submission.contents`.
        terms: of the check.
        running: has the process while it runs.
    """
    with tempfile.TemporaryDirectory(prefix="noughts-class-", ignore_cleanup_errors=True) as folder:
        files, temporary = Path(folder, "files"), Path(folder, "temporary")
        try:
            temporary.mkdir()
            for name, data in contents.items():
                path = files / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            words = [terms.interface or "", terms.function or ""]
            program = (sys.executable, "-P", "-m", "noughts.school.single")
            process = subprocess.Popen(
                [*program, str(files / next(iter(contents))), *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                # A check that is ended cannot remove its temporary folder.
                env={**os.environ, "TMPDIR": str(temporary)},
            )
        except OSError as error:
            return CheckOutcome(None, f"The check did not start: {error.strerror or error}.", False)
        return _outcome(process, terms, running or Running())


def _outcome(process: subprocess.Popen[bytes], terms: ClassTerms, running: Running) -> CheckOutcome:
    """Return the outcome of a process, which is ended if it takes too long."""
    with process:
        running.add(process)
        try:
            out, err = process.communicate(timeout=terms.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return CheckOutcome(None, f"The check did not end within {terms.seconds:g} s.")
        finally:
            running.remove(process)
    try:
        data = json.loads(out)
        if "unfit" in data:
            return CheckOutcome(None, data["unfit"])
        CheckReport.from_data(data)
    except (ValueError, KeyError, TypeError, AttributeError):
        lines = err.decode(errors="replace").strip().splitlines()
        why = lines[-1] if lines else f"exit status {process.returncode}"
        return CheckOutcome(None, f"The check failed: {why}", False)
    return CheckOutcome(data)


class MistakeGroup(NamedTuple):
    """Near-identical mistakes of several students."""

    function: str
    """The function with the mistake; empty if it is one of the whole file."""
    mistake: str
    results: tuple[StudentResult, ...]
    """The results of the students who made the mistake, in order."""


def grouped(results: Iterable[StudentResult]) -> list[MistakeGroup]:
    """Return the mistakes of a class, the most frequent first.

    Mistakes of a function with the same sentence, apart from values and lines, are near-identical;
    so are weak moves without a pattern on the same boards.
    """
    found: dict[tuple[str, str, str], list[StudentResult]] = {}
    for each in results:
        for key in dict.fromkeys(_mistakes(each)):
            found.setdefault(key, []).append(each)
    groups = [
        MistakeGroup(function, mistake, tuple(students))
        for (function, mistake, _), students in found.items()
    ]
    return sorted(groups, key=lambda each: (-len(each.results), each.function, each.mistake))


def _mistakes(result: StudentResult) -> list[tuple[str, str, str]]:
    """Return the keys of a student's mistakes: function, mistake, cases."""
    report = result.report
    if report is None:
        return [("", result.failure, "")]
    if report.import_failure:
        return [("", without_lines(report.import_failure), "")]
    found = [("", result.remark, "")] if result.remark else []
    if report.is_untouched:
        return [*found, ("", UNTOUCHED, "")]
    return found + [
        (name, failure.mistake, failure.cases)
        for name, function in report.functions.items()
        for failure in function.failures
    ]


def without_lines(text: str) -> str:
    """Return the reason of a failed import without the numbers of lines.

    >>> without_lines("Line 3 is not Python: '(' was never closed.")
    "A line is not Python: '(' was never closed."
    """
    return re.sub(r" \(line \d+\)", "", re.sub(r"^Line \d+ ", "A line ", text))
