"""The report on a student's file in the formats of graders: one table, `FORMATS`.

CheckReport, Grading ──grade("gradescope", …)──► the text of results.json

| format       | specification | read by |
|--------------|---------------|---------|
| json         | docs/class.md | `CheckReport.from_data` |
| junit        | the XML of JUnit | continuous integration |
| gradescope   | gradescope-autograders.readthedocs.io/en/latest/specs | Gradescope |
| check50      | the JSON of `check50 -o json` | `check50.renderer`, submit.cs50.io |
| otter        | the JSON of ottr | otter-grader: `GradingResults.from_ottr_json` |
| pytest       | the lines of pytest-reportlog | `pytest.TestReport`, programs for such logs |
| classroom50  | github.com/foundation50/classroom50: schemas/result-v1.schema.json | Classroom 50 |
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple
from xml.etree import ElementTree

from noughts.school.grading import PAGE, FormatName, Grading, NotGraded
from noughts.school.report import CaseFailure, CheckReport
from noughts.views.check_report import address, headline, plain, values
from noughts.views.foreign import without_controls

_NOT_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
CHECK50_VERSION = "3.5.0"
"""The version of check50 whose JSON is written."""
TENTHS = 10
"""Points of a function where a format has whole points only, and parts of a point are allowed."""
CLASSROOM50 = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""The variables in which the runner of Classroom 50 tells an autograder about a submission."""


# Parts of several formats -------------------------------------------------------------------------


def failure_lines(failure: CaseFailure, page: str = PAGE) -> str:
    """Return a failure as lines: the sentence, the board, the values, the address of the board."""
    board = [failure.board[row : row + 3] for row in (0, 3, 6)] if failure.board else []
    named = [f"{name}: {value}" for name, value in values(failure)]
    link = [f"open: {address(failure, page)}"] if failure.board else []
    return "\n".join([failure.says, *board, *named, *link])


def output(report: CheckReport, name: str, grading: Grading) -> str:
    """Return the verdict on a function and its failures, as lines."""
    failures = [failure_lines(each, grading.page) for each in report.functions[name].failures]
    reason = report.reason(name) if grading.partial else ""
    verdict = f"{name}: {report.verdict(name)}.{f' {reason}' if reason else ''}"
    return without_controls("\n\n".join([verdict, *failures]))


def first_sentence(report: CheckReport, name: str) -> str:
    """Return the sentence about the first mistake of a function, or its verdict."""
    failures = report.functions[name].failures
    return without_controls(plain(failures[0].says if failures else report.verdict(name)))


def summary(report: CheckReport) -> str:
    """Return the verdict on the file in sentences."""
    rest = report.import_failure or report.play_sentence()
    return without_controls(f"{headline(report)} {rest}".strip())


def _text(data: object) -> str:
    return json.dumps(data, indent=2) + "\n"


# Formats ------------------------------------------------------------------------------------------


def to_json(report: CheckReport, grading: Grading) -> str:  # noqa: ARG001
    """Return the object of `noughts check --json`."""
    return _text({"schema": 1, **report.as_data()})


def to_junit(report: CheckReport, grading: Grading) -> str:
    """Return JUnit XML: one test case a function, and one for the import.

    A function that only suffers from others is skipped.
    """
    file = grading.file
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
            _add(case, "failure", says, output(report, name, grading))
    for attribute, found in (("tests", "*"), ("failures", "*/failure"), ("skipped", "*/skipped")):
        suite.set(attribute, str(len(suite.findall(found))))
    suite.set("errors", "0")
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode") + "\n"


def _add(case: ElementTree.Element, tag: str, message: str, text: str) -> None:
    message, text = (_NOT_XML.sub("", without_controls(each)) for each in (message, text))
    ElementTree.SubElement(case, tag, message=message).text = text


def to_gradescope(report: CheckReport, grading: Grading) -> str:
    """Return Gradescope's `results.json`: one point a function.

    A function that only suffers from others has its point. A file that cannot be imported, or that
    is as the course hands it out, has none.
    """
    tests = [
        {
            "name": name,
            "score": _short(report.points_of(name, partial=grading.partial)),
            "max_score": 1,
            "status": "passed" if each.passed else "failed",
            "output": output(report, name, grading),
        }
        for name, each in report.functions.items()
    ]
    data: dict[str, Any] = {"output": summary(report), "tests": tests}
    if not any(test["score"] for test in tests):
        data["score"] = 0
    if grading.visibility is not None:
        data["visibility"] = str(grading.visibility)
    if grading.leaderboard:
        games, lost, _ = report.play
        points = [report.points_of(name, partial=grading.partial) for name in report.functions]
        data["leaderboard"] = [{"name": "Points", "value": _short(round(sum(points), 1))}]
        if games:
            share = round(100 * (games - lost) / games, 1)
            data["leaderboard"].append({"name": "Games not lost, %", "value": share})
    return _text(data)


def _short(points: float) -> float:
    """Return a number of points as an integer if it is whole."""
    return int(points) if points == int(points) else points


def check50_results(report: CheckReport, grading: Grading) -> list[dict[str, Any]]:
    """Return the results of check50, one a function, after one for the import.

    A function that only suffers from others depends on the first of them, and is skipped.
    """
    imported = {
        "name": "imports",
        "description": f"{grading.file} can be imported",
        "passed": not report.import_failure,
        "log": [],
        "cause": {"rationale": without_controls(report.import_failure), "help": None}
        if report.import_failure
        else None,
        "data": {},
        "dependency": None,
    }
    return [
        imported,
        *(_check50_result(report, name, grading) for name in report.functions),
    ]


def _check50_result(report: CheckReport, name: str, grading: Grading) -> dict[str, Any]:
    each = report.functions[name]
    is_skipped = bool(report.import_failure or each.suffers_from)
    cause: dict[str, str | None] | None = None
    if is_skipped:
        cause = {"rationale": "can't check until a frown turns upside down"}
    elif not each.passed:
        cause = {"rationale": first_sentence(report, name), "help": _help(report, name, grading)}
    return {
        "name": name,
        "description": f"{name} is right",
        "passed": None if is_skipped else each.passed,
        "log": [] if cause is None or is_skipped else output(report, name, grading).splitlines(),
        "cause": cause,
        "data": {"points": report.points_of(name, partial=grading.partial)},
        "dependency": each.suffers_from[0] if each.suffers_from else "imports",
    }


def _help(report: CheckReport, name: str, grading: Grading) -> str | None:
    failures = report.functions[name].failures
    if not failures or not (failures[0].board or failures[0].tree):
        return None
    shown = "; ".join(f"{word}: {value}" for word, value in values(failures[0]))
    link = address(failures[0], grading.page)
    return without_controls(f"{shown}; open {link}" if link else shown)


def to_check50(report: CheckReport, grading: Grading) -> str:
    """Return the JSON of `check50 -o json`."""
    results = check50_results(report, grading)
    return _text({"slug": "noughts/tictactoe", "results": results, "version": CHECK50_VERSION})


def to_otter(report: CheckReport, grading: Grading) -> str:
    """Return the JSON of ottr, which otter-grader reads: a test file for each function.

    A function with a part of its point has two test cases.
    """
    return _text(
        {"test_file_results": [_otter(report, name, grading) for name in report.functions]}
    )


def _otter(report: CheckReport, name: str, grading: Grading) -> dict[str, Any]:
    points = report.points_of(name, partial=grading.partial)
    said = output(report, name, grading)
    parts = [(name, points, True), (f"{name}, the rest", round(1 - points, 1), False)]
    if points in (0, 1):
        parts = [(name, 1.0, points == 1)]
    return {
        "filename": f"{name}.py",
        "points": [part for _, part, _ in parts],
        "test_case_results": [
            {
                "passed": passed,
                "error": None if passed else said,
                "test_case": {
                    "name": case,
                    "code": f"noughts check {grading.file}",
                    "hidden": False,
                    "points": part,
                    "success_message": said.splitlines()[0],
                    "failure_message": said,
                },
            }
            for case, part, passed in parts
        ],
    }


def to_pytest(report: CheckReport, grading: Grading) -> str:
    """Return the lines of pytest-reportlog: a test for each function."""
    lines: list[dict[str, Any]] = [
        {"pytest_version": "8", "$report_type": "SessionStart"},
        *(_pytest(report, name, grading) for name in report.functions),
        {"exitstatus": int(not report.passed), "$report_type": "SessionFinish"},
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def _pytest(report: CheckReport, name: str, grading: Grading) -> dict[str, Any]:
    each = report.functions[name]
    outcome = "skipped" if each.suffers_from else "passed" if each.passed else "failed"
    longrepr: object = None
    if outcome == "skipped":
        longrepr = [grading.file, 0, f"Skipped: {plain(report.verdict(name))}"]
    elif outcome == "failed":
        longrepr = without_controls(report.import_failure) or output(report, name, grading)
    return {
        "nodeid": f"{grading.file}::{name}",
        "location": [grading.file, 0, name],
        "keywords": {name: 1},
        "outcome": outcome,
        "longrepr": longrepr,
        "when": "call",
        "user_properties": [["points", report.points_of(name, partial=grading.partial)]],
        "sections": [],
        "duration": 0.0,
        "start": 0.0,
        "stop": 0.0,
        "$report_type": "TestReport",
    }


def to_classroom50(report: CheckReport, grading: Grading) -> str:
    """Return the `result.json` of an autograder of Classroom 50.

    Its points are whole numbers: one a function, or ten if parts are allowed.

    Raises:
        NotGraded: the variables are missing that tell whose submission it is.
    """
    given = {
        key: grading.environment.get(name, "") or _default(key, grading.environment)
        for key, name in CLASSROOM50.items()
    }
    if absent := [CLASSROOM50[key] for key, value in given.items() if not value]:
        raise NotGraded(
            "Classroom 50 tells a grader in variables whose file it is. Missing: "
            f"{', '.join(absent)}."
        )
    most = TENTHS if grading.partial else 1
    tests: list[dict[str, Any]] = [
        {
            "test-name": name,
            "passed": each.passed,
            "score": round(most * report.points_of(name, partial=grading.partial)),
            "max-score": most,
            "output": output(report, name, grading),
        }
        for name, each in report.functions.items()
    ]
    return _text(
        {
            "schema": "classroom50/result/v1",
            **given,
            "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "score": sum(test["score"] for test in tests),
            "max-score": most * len(tests),
            "tests": tests,
        }
    )


def _default(key: str, environment: Mapping[str, str]) -> str:
    """Return the value of a variable that a runner may leave out."""
    names = {"owner": "USERNAME", "review": "COMMIT_URL"}
    if key == "assignment_type":
        return "individual"
    return environment.get(names[key], "") if key in names else ""


class Format(NamedTuple):
    """A format of graders."""

    write: Callable[[CheckReport, Grading], str]
    ending: str
    """The ending of its files."""
    about: str
    """The program that reads it."""


FORMATS = {
    FormatName.JSON: Format(to_json, "json", "this program"),
    FormatName.JUNIT: Format(to_junit, "xml", "continuous integration"),
    FormatName.GRADESCOPE: Format(to_gradescope, "json", "Gradescope"),
    FormatName.CHECK50: Format(to_check50, "json", "check50"),
    FormatName.OTTER: Format(to_otter, "json", "otter-grader"),
    FormatName.PYTEST: Format(to_pytest, "jsonl", "programs for logs of pytest"),
    FormatName.CLASSROOM50: Format(to_classroom50, "json", "Classroom 50"),
}
"""The writers of the formats."""


def grade(name: FormatName, report: CheckReport, grading: Grading) -> str:
    """Return a report in a format.

    Raises:
        NotGraded: the format lacks something.
    """
    return FORMATS[name].write(report, grading)
