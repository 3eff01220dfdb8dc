"""A pack of checks for check50 (github.com/cs50/check50), and the checks in it.

    noughts export check50 DIR ──► DIR/.cs50.yaml, DIR/__init__.py
    check50 --dev DIR ──imports──► checks(): one check a function ──► pass, or the sentence

check50 skips a check if the one that it depends on fails. Which function fails because of another
depends on the file, so the file is checked first, when check50 imports the pack; the dependencies
are those of `FunctionReport.suffers_from`. check50 imports the pack again in the process of each
check: these read the report of the first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from noughts.school.classroom import ClassTerms, outcome_of
from noughts.school.grading import REQUIREMENT, Grading
from noughts.school.report import CheckReport, not_imported
from noughts.school.student import Interface
from noughts.school.submissions import USUAL_NAME, python_files
from noughts.views.graders import check50_results

_REPORT = "noughts-report.json"
CONFIG = """\
check50:
  files:
    - !exclude "*"
    - !include "*.py"
    - !require {file}
  dependencies:
    - {requirement}
"""
CHECKS = '''\
"""Checks of {file} for check50, written by `noughts export check50`."""

from noughts.views.check50_pack import checks

globals().update(checks())
'''


def write_pack(folder: Path, requirement: str = REQUIREMENT) -> list[Path]:
    """Write the pack, and return its files.

    Args:
        folder: for the pack; created if it does not exist.
        requirement: what pip installs for it: `noughts`, or the address of a wheel.

    Raises:
        OSError: a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        ".cs50.yaml": CONFIG.format(file=USUAL_NAME, requirement=json.dumps(requirement)),
        "__init__.py": CHECKS.format(file=USUAL_NAME),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in texts]


def checks() -> dict[str, Any]:
    """Return the checks by name, for the names of the pack. Needs check50, which runs this."""
    import check50
    from check50 import internal

    root = Path(internal.run_root_dir)
    results = check50_results(_report(root), Grading(USUAL_NAME))
    plain = {each["name"]: _check(each, check50) for each in results}
    found: dict[str, Any] = {}
    for each in results:
        after = plain.get(each["dependency"])
        found[each["name"]] = check50.check(after)(plain[each["name"]])
    return found


def _report(root: Path) -> CheckReport:
    """Return the report on the student's file; the first process checks it for all."""
    kept = root / _REPORT
    if kept.exists():
        return CheckReport.from_data(json.loads(kept.read_text("utf-8")))
    file = root / "-" / USUAL_NAME
    others = [each for each in python_files(file.parent) if each != file]
    contents = {
        each.relative_to(file.parent).as_posix(): each.read_bytes() for each in (file, *others)
    }
    outcome = outcome_of(contents, ClassTerms())
    if outcome.report is None:
        report = not_imported(Interface.CS50, outcome.failure)
    else:
        report = CheckReport.from_data(outcome.report)
    kept.write_text(json.dumps(report.as_data()), "utf-8")
    return report


def _check(result: dict[str, Any], check50: Any) -> Callable[[], None]:
    """Return a function that passes or fails as a result says."""

    def run() -> None:
        for line in result["log"]:
            check50.log(line)
        if result["passed"] is False:
            raise check50.Failure(result["cause"]["rationale"], help=result["cause"]["help"])
        check50.data(**result["data"])

    run.__name__ = result["name"]
    run.__qualname__ = result["name"]
    run.__doc__ = result["description"]
    return run
