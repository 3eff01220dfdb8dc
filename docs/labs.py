"""Run every lab, and write the results to `docs/labs.md`.

python docs/labs.py
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from noughts.labs.claims import LABS
from noughts.labs.report import Report

HEAD = """\
# The labs

Claims of courses, blogs and student projects about these games, tested. `noughts lab` lists the
labs, `noughts lab NAME` runs one. `python docs/labs.py` writes this page.
"""


def section(report: Report) -> str:
    """Return one lab as Markdown: claim, table, paragraph."""
    rows = [report.headers, ("---",) * len(report.headers), *report.rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    picture = f"```text\n{report.picture}\n```\n\n" if report.picture else ""
    claim = f"**Claimed.** {report.claim}"
    return f"## {report.name}\n\n{claim}\n\n{picture}{table}\n\n{report.teaches}\n"


def page(reports: Iterable[Report]) -> str:
    """Return the whole page as Markdown."""
    return "\n".join([HEAD, *(section(report) for report in reports)])


if __name__ == "__main__":
    text = page(lab() for lab in LABS.values())
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")
