"""The report of a check in the formats of graders, read by their programs where it can be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

import pytest
from command import run
from needs import imported
from students import BASE, FAULTY, FEW, RIGHT, imports_forgotten

import noughts
from noughts.school.check import Check, CheckLimits
from noughts.school.grading import FormatName, Grading, NotGraded, Visibility
from noughts.school.report import CheckReport, not_imported
from noughts.school.student import FUNCTIONS, Interface, StudentFile
from noughts.views.check_report import address, check_page
from noughts.views.graders import FORMATS, grade

GRADING = Grading("tictactoe.py")
SUBMISSION = {
    "CLASSROOM": "games",
    "ASSIGNMENT": "tictactoe",
    "OWNER": "anna",
    "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "COMMIT_URL": "https://example.org/commit/a1b2c3d",
    "RELEASE_URL": "https://example.org/releases/1",
}
UNTOUCHED = BASE + "".join(
    f"\n\ndef {name}({arguments}):\n    raise NotImplementedError\n"
    for name, arguments in (
        *((each, "board") for each in FUNCTIONS[1:] if each != "result"),
        ("result", "board, action"),
    )
)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CheckReport]:
    """Return reports of every kind, from checks on few boards."""
    sources = {
        "right": BASE,
        "a line": FAULTY["winner: one diagonal"].source,
        "a list": FAULTY["actions: a list"].source,
        "untouched": UNTOUCHED,
    }
    folder = tmp_path_factory.mktemp("files")
    limits = CheckLimits(searches=0.05, games=0.0, again=0.02)
    found = {"not imported": not_imported(Interface.CS50, "Line 1 is not Python: \x1b[31mred\x00.")}
    for name, source in sources.items():
        path = folder / "tictactoe.py"
        path.write_text(source, "utf-8")
        with imports_forgotten():
            found[name] = Check(StudentFile(path), boards=FEW[::3], limits=limits).run()
    return found


def data(form: str, report: CheckReport, **choices: Any) -> Any:
    environment = {"environment": SUBMISSION}
    grading = GRADING._replace(**{**environment, **choices})
    return json.loads(grade(FormatName(form), report, grading))


def test_every_format_is_in_the_table() -> None:
    assert {*FORMATS} == {*FormatName}


# All formats --------------------------------------------------------------------------------------


def verdicts(form: str, report: CheckReport) -> dict[str, str]:
    """Return pass, fail or skip for each function, as a format says."""
    words = {True: "pass", False: "fail", None: "skip"}
    if form == "junit":
        suite = ElementTree.fromstring(grade(FormatName.JUNIT, report, GRADING))
        return {
            case.get("name", ""): "fail"
            if case.find("failure") is not None
            else "skip"
            if case.find("skipped") is not None
            else "pass"
            for case in suite
            if case.get("name") != "import"
        }
    if form == "pytest":
        lines = grade(FormatName.PYTEST, report, GRADING).splitlines()
        tests = [each for each in map(json.loads, lines) if each["$report_type"] == "TestReport"]
        short = {"passed": "pass", "failed": "fail", "skipped": "skip"}
        return {each["location"][2]: short[each["outcome"]] for each in tests}
    found = data(form, report)
    if form == "json":
        return {
            name: "skip" if each["suffers_from"] else words[each["passed"]]
            for name, each in found["functions"].items()
        }
    if form == "check50":
        return {each["name"]: words[each["passed"]] for each in found["results"][1:]}
    if form == "otter":
        return {
            each["filename"][:-3]: words[all(case["passed"] for case in each["test_case_results"])]
            for each in found["test_file_results"]
        }
    key = "name" if form == "gradescope" else "test-name"
    return {each[key]: words[each["score"] > 0] for each in found["tests"]}


@pytest.mark.parametrize("form", [*FormatName])
def test_formats_agree(form: str, reports: dict[str, CheckReport]) -> None:
    for kind in ("right", "a line", "a list"):
        report = reports[kind]
        has_skips = form in ("json", "junit", "check50", "pytest")
        expected = {
            name: "skip" if each.suffers_from and has_skips else "pass" if each.passed else "fail"
            for name, each in report.functions.items()
        }
        assert verdicts(form, report) == expected
    assert "pass" not in verdicts(form, reports["not imported"]).values()


@pytest.mark.parametrize("form", [*FormatName])
def test_sentence_and_link_are_there_and_no_controls(
    form: str, reports: dict[str, CheckReport]
) -> None:
    grading = GRADING._replace(environment=SUBMISSION, page="https://example.org/noughts/#")
    text = grade(FormatName(form), reports["a line"], grading)
    assert "misses the line 3 5 7" in text
    position = reports["a line"].functions["winner"].failures[0].position
    link = f"https://example.org/noughts/#/position/{position}"
    assert (position if form == "json" else link) in text
    bad = grade(FormatName(form), reports["not imported"], grading)
    assert "\x1b" not in bad
    assert "\\u0000" not in bad or form == "json"


def test_untouched_file_has_no_point_in_any_format(reports: dict[str, CheckReport]) -> None:
    report = reports["untouched"]
    assert report.is_untouched
    scores = data("gradescope", report, partial=True)
    assert scores["score"] == 0
    assert [each["score"] for each in scores["tests"]] == [0] * 8
    assert data("classroom50", report, partial=True)["score"] == 0
    assert {each["passed"] for each in data("check50", report)["results"][2:]} == {False}
    for each in data("otter", report)["test_file_results"]:
        assert not any(case["passed"] for case in each["test_case_results"])


def test_address_of_a_board_is_a_position_that_opens(reports: dict[str, CheckReport]) -> None:
    (failure,) = reports["a line"].functions["winner"].failures
    start, path, text = address(failure).partition("/position/")
    assert (start, path) == ("http://127.0.0.1:8322", "/position/")
    assert str(noughts.position(text)) == text
    assert text.split("~")[1].count("X") == 3
    page = check_page(reports["a line"], "tictactoe.py", page_at="https://example.org/#")
    assert f'href="https://example.org/#/position/{text}"' in page


# Parts of points ----------------------------------------------------------------------------------


def test_part_of_a_point_has_its_reason(reports: dict[str, CheckReport]) -> None:
    report = reports["a line"]
    share = report.functions["winner"].share
    assert 0.5 <= share < 1
    tests = {each["name"]: each for each in data("gradescope", report, partial=True)["tests"]}
    assert tests["winner"]["score"] == share
    assert f"{share:g} of 1 point: of each kind of case, at least" in tests["winner"]["output"]
    assert tests["utility"]["score"] == 1
    whole = data("classroom50", report, partial=True)
    assert (whole["score"], whole["max-score"]) == (70 + round(10 * share), 80)
    assert data("classroom50", report)["score"] == 7


def test_constant_function_has_no_part_of_a_point(tmp_path: Path) -> None:
    """`return None` is right on most boards, but on no board with a winner."""
    limits = CheckLimits(searches=0.02, games=0.0, again=0.02)
    path = tmp_path / "tictactoe.py"
    for function, value in (("winner", "None"), ("terminal", "False"), ("player", "X")):
        path.write_text(f"{BASE}\n\ndef {function}(board):\n    return {value}\n", "utf-8")
        with imports_forgotten():
            check = Check(StudentFile(path), functions=[function], boards=FEW, limits=limits)
            assert check.run().functions[function].share == 0


# Their own readers --------------------------------------------------------------------------------


def test_json_is_read_back(reports: dict[str, CheckReport]) -> None:
    for report in reports.values():
        again = CheckReport.from_data(data("json", report))
        assert again.as_data() == report.as_data()


def test_pytest_reads_its_log(reports: dict[str, CheckReport]) -> None:
    lines = grade(FormatName.PYTEST, reports["a line"], GRADING).splitlines()
    first, *tests, last = map(json.loads, lines)
    assert (first["$report_type"], last) == (
        "SessionStart",
        {"exitstatus": 1, "$report_type": "SessionFinish"},
    )
    read = [pytest.TestReport._from_json(each) for each in tests]
    assert [each.nodeid for each in read] == [f"tictactoe.py::{name}" for name in FUNCTIONS]
    assert {each.head_line for each in read if each.failed} == {"winner"}
    (failed,) = (each for each in read if each.failed)
    assert "3 5 7" in failed.longreprtext
    (skipped, *_) = (each for each in read if each.skipped)
    assert isinstance(skipped.longrepr, tuple | list)
    assert len(skipped.longrepr) == 3


def test_check50_renders_its_json(reports: dict[str, CheckReport]) -> None:
    imported("check50", "graders")
    from check50 import renderer
    from check50.runner import CheckResult

    found = data("check50", reports["a line"])
    for each in found["results"]:
        assert CheckResult.from_dict(each).name == each["name"]
    text = renderer.to_ansi(**found, _log=True)
    assert text.count(":(") == 1
    assert "misses the line 3 5 7" in text
    assert "3 5 7" in renderer.to_html(**found)


@pytest.mark.soak
def test_otter_grader_reads_its_json(reports: dict[str, CheckReport]) -> None:
    """Needs otter-grader, whose many requirements are no extra; docs/measurements.md has a run."""
    try:
        from otter.test_files import GradingResults
    except ImportError:
        pytest.skip("otter-grader is not installed")
    text = grade(FormatName.OTTER, reports["a line"], GRADING._replace(partial=True))
    results = GradingResults.from_ottr_json(text)
    assert results.possible == pytest.approx(8)
    share = reports["a line"].functions["winner"].share
    assert results.total == pytest.approx(7 + share)


RESULT_V1 = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit",
        "release", "review", "datetime", "score", "max-score", "tests",
    ],
    "properties": {
        "schema": {"const": "classroom50/result/v1"},
        **{
            name: {"type": "string", "minLength": 1}
            for name in ("classroom", "assignment", "owner", "commit", "release", "review")
        },
        "assignment_type": {"enum": ["individual", "group"]},
        "submission": {"type": "string", "pattern": "^submit/"},
        "datetime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
        "score": {"type": "integer", "minimum": 0},
        "max-score": {"type": "integer", "minimum": 0},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["test-name", "passed", "score", "max-score"],
                "properties": {
                    "test-name": {"type": "string", "minLength": 1},
                    "passed": {"type": "boolean"},
                    "score": {"type": "integer", "minimum": 0},
                    "max-score": {"type": "integer", "minimum": 0},
                },
            },
        },
    },
}  # fmt: skip
"""The rules of schemas/result-v1.schema.json of github.com/foundation50/classroom50."""
RESULTS_JSON = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "output": {"type": "string"},
        "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["score", "name"],
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "output": {"type": "string"},
                },
            },
        },
        "leaderboard": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "value"],
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": ["number", "string"]},
                    "order": {"enum": ["asc", "desc"]},
                },
            },
        },
    },
}
"""The rules of gradescope-autograders.readthedocs.io/en/latest/specs, of the fields in use."""


def test_schemas(reports: dict[str, CheckReport]) -> None:
    jsonschema = imported("jsonschema", "graders")
    for report in reports.values():
        for partial in (False, True):
            result = data("classroom50", report, partial=partial)
            jsonschema.validate(result, RESULT_V1)
            assert result["score"] <= result["max-score"]
            assert all(each["score"] <= each["max-score"] for each in result["tests"])
            choices = {"visibility": Visibility.AFTER_DUE_DATE, "leaderboard": True}
            results = data("gradescope", report, partial=partial, **choices)
            jsonschema.validate(results, RESULTS_JSON)
            assert results["visibility"] == "after_due_date"
            assert results["leaderboard"][0]["name"] == "Points"
    assert "visibility" not in data("gradescope", reports["right"])


def test_classroom50_needs_to_know_whose_file_it_is(reports: dict[str, CheckReport]) -> None:
    with pytest.raises(NotGraded, match=r"Missing: CLASSROOM, ASSIGNMENT, OWNER"):
        grade(FormatName.CLASSROOM50, reports["right"], GRADING)
    group = data(
        "classroom50", reports["right"], environment={**SUBMISSION, "ASSIGNMENT_TYPE": "group"}
    )
    assert (group["assignment_type"], group["review"]) == ("group", SUBMISSION["COMMIT_URL"])


# The commands -------------------------------------------------------------------------------------

BROKEN = "def player(board:\n"


@pytest.mark.parametrize("form", [*FormatName])
def test_command_writes_each_format(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SUBMISSION.items():
        monkeypatch.setenv(name, value)
    file, out = tmp_path / "tictactoe.py", tmp_path / "report"
    file.write_text(BROKEN, "utf-8")
    done = run("check", file, "--format", form, "--out", out)
    assert done.returncode == 4
    assert "cannot be imported" in done.stdout
    printed = run("check", file, "--format", form)
    assert printed.returncode == 4
    hides_time = form == "classroom50"
    assert hides_time or printed.stdout == out.read_text("utf-8")


def test_short_forms_are_the_same(tmp_path: Path) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text(BROKEN, "utf-8")
    for form in ("junit", "gradescope"):
        out = tmp_path / form
        run("check", file, f"--{form}", out)
        assert run("check", file, "--format", form).stdout == out.read_text("utf-8")
    assert json.loads(run("check", file, "--json").stdout) == json.loads(
        run("check", file, "--format", "json").stdout
    )


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--out", "x"], 2, "--out needs --class or --format"),
        (["--format", "moodle"], 2, "moodle"),
        (["--format", "otter", "--json"], 2, "name a file with --out"),
        (["--format", "otter", "--out", "no/x"], 3, "there is no folder no"),
        (["--format", "classroom50"], 2, "Missing: CLASSROOM"),
    ],
)
def test_wrong_usage(arguments: list[str], code: int, says: str, tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text(BROKEN, "utf-8")
    done = run("check", "tictactoe.py", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert says in done.stderr


def test_format_of_a_class_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("anna", "ben"):
        (folder / f"{name}.py").write_text(BROKEN, "utf-8")
    done = run("check", "--class", folder, "--out", tmp_path / "out", "--format", "junit")
    assert done.returncode == 4
    written = sorted(path.name for path in (tmp_path / "out/junit").iterdir())
    assert written == ["anna.xml", "ben.xml"]


# check50 ------------------------------------------------------------------------------------------


def of_check50(source: str, folder: Path) -> dict[str, dict[str, Any]]:
    """Return the results of check50 itself for a file, by name."""
    imported("check50", "graders")
    pack, work, out = folder / "pack", folder / "work", folder / "results.json"
    assert run("export", "check50", pack).returncode == 0
    work.mkdir()
    (work / "tictactoe.py").write_text(source, "utf-8")
    program = [sys.executable, "-m", "check50", "--dev", str(pack), "-o", "json"]
    done = subprocess.run(
        [*program, "--output-file", str(out)], cwd=work, capture_output=True, env={**os.environ}
    )
    assert out.exists(), done.stderr
    return {each["name"]: each for each in json.loads(out.read_text("utf-8"))["results"]}


def of_command(source: str, folder: Path) -> CheckReport:
    """Return the report of `noughts check` on a file."""
    path = folder / "tictactoe.py"
    path.write_text(source, "utf-8")
    return CheckReport.from_data(json.loads(run("check", path, "--json").stdout))


def assert_same_verdicts(results: dict[str, dict[str, Any]], report: CheckReport) -> None:
    assert results["imports"]["passed"] is not bool(report.import_failure)
    for name, each in report.functions.items():
        found = results[name]
        if report.import_failure or each.suffers_from:
            assert found["passed"] is None
            assert found["dependency"] in (*each.suffers_from, "imports")
        else:
            assert found["passed"] is each.passed
        if each.failures:
            assert found["cause"]["rationale"] == each.failures[0].says.replace("`", "")


@pytest.mark.parametrize("name", ["winner: one diagonal", "no Python"])
def test_check50_gives_our_verdicts(name: str, tmp_path: Path) -> None:
    source = FAULTY[name].source if name in FAULTY else BROKEN
    results = of_check50(source, tmp_path)
    assert_same_verdicts(results, of_command(source, tmp_path))


EVERY_FILE = {**{name: each.source for name, each in FAULTY.items()}, **RIGHT}


@pytest.mark.soak
@pytest.mark.parametrize("name", EVERY_FILE)
def test_check50_gives_our_verdicts_on_every_file(name: str, tmp_path: Path) -> None:
    source = dedent(EVERY_FILE[name])
    results = of_check50(source, tmp_path)
    assert_same_verdicts(results, of_command(source, tmp_path))


def test_pack_overwrites_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("", "utf-8")
    done = run("export", "check50", tmp_path)
    assert done.returncode == 3
    assert "has other files" in done.stderr
    pack = tmp_path / "pack"
    assert run("export", "check50", pack, "--requirement", "noughts>=1").returncode == 0
    assert run("export", "check50", pack).returncode == 0
    assert "noughts>=1" not in (pack / ".cs50.yaml").read_text("utf-8")


# pytest -------------------------------------------------------------------------------------------


def of_pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--noughts", *words]
    return subprocess.run(program, cwd=folder, capture_output=True, text=True)


def test_plugin_checks_a_file(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "def move(cells):\n    return min(n for n in range(9) if cells[n] is None)\n", "utf-8"
    )
    done = of_pytest(tmp_path, "bot.py", "--noughts-as", "moves", "--junit-xml", "out.xml")
    assert done.returncode == 1, done.stderr
    assert "(cells from 0 to 8), which loses" in done.stdout
    assert "open: http://127.0.0.1:8322/position/basic~" in done.stdout
    assert "Traceback" not in done.stdout
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert [case.get("name") for case in suite.iter("testcase")] == ["move"]


def test_plugin_does_not_import_the_file_and_leaves_tests_alone(tmp_path: Path) -> None:
    (tmp_path / "tictactoe.py").write_text(f"{BROKEN}", "utf-8")
    (tmp_path / "test_other.py").write_text("def test_that_passes(): pass\n", "utf-8")
    done = of_pytest(tmp_path)
    assert "8 failed, 1 passed" in done.stdout
    assert "Line 1 is not Python" in done.stdout
    wrong = of_pytest(tmp_path, "--noughts-as", "chess")
    assert wrong.returncode != 0
    assert "choose from cs50" in wrong.stdout + wrong.stderr
