"""Run every lab, and write the results to pages of the documentation.

    claims about games and searches ──► labs.md
    worked examples                 ──► worked-examples.md
    the table of `first-move`       ──► measurements.md

python docs/labs.py
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from noughts.labs.claims import LABS
from noughts.labs.first_move import first_move, points_of
from noughts.labs.report import Report
from noughts.views.chart import first_move_chart

DOCS = Path(__file__).parent
HEADS = {
    "labs.md": """\
# The labs

After this page you can repeat the claims of courses, blogs and student projects about these games,
and see which claims hold. `noughts lab` lists the labs, `noughts lab NAME` runs one. Two more
labs are [worked examples](worked-examples.md). `python docs/labs.py` writes this page.
""",
    "worked-examples.md": """\
# Worked examples

After this page you can follow alpha-beta and minimax by hand, on two small trees of textbooks and
courses. `noughts lab prune` draws [any tree](see.md#a-tree-with-given-leaf-values), `noughts lab
example` the end of a game. `python docs/labs.py` writes this page.
""",
}
"""The beginning of each page."""
EXAMPLES = ("prune", "example")
"""The labs of `worked-examples.md`; all others are in `labs.md`."""

FIRST_MOVE = {"games": 200, "depth": 6}
"""Options of the measurement of `first-move` on the page; it takes some minutes."""
COMMAND = " ".join(f"--{name} {value}" for name, value in FIRST_MOVE.items())
FIRST_MOVE_NOTE = f"""\
![X's score by depth with error bars, a panel for each game](pictures/first-move.svg)

Made by `noughts lab first-move {COMMAND} -o first-move.svg`, which also prints
[the table](measurements.md#first-move)."""
FIRST_MOVE_TABLE = re.compile(r"(^## First move\n(?:(?!## |\|).*\n)*)(?:\|.*\n)+", re.MULTILINE)
"""The section of `measurements.md` to the end of its table."""


def table(report: Report) -> str:
    """Return the table of a lab as Markdown."""
    rows = [report.headers, ("---",) * len(report.headers), *report.rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def section(report: Report) -> str:
    """Return one lab as Markdown: claim, picture, table, paragraph.

    `first-move` has its chart in place of the table.
    """
    evidence = table(report)
    if report.picture:
        evidence = f"```text\n{report.picture}\n```\n\n{evidence}"
    if report.name == "first-move":
        evidence = FIRST_MOVE_NOTE
    claim = f"**Claimed.** {report.claim}"
    return f"## {report.name}\n\n{claim}\n\n{evidence}\n\n{report.teaches}\n"


def page(name: str, reports: Iterable[Report]) -> str:
    """Return a whole page as Markdown."""
    return "\n".join([HEADS[name], *(section(report) for report in reports)])


def with_first_move(measurements: str, report: Report) -> str:
    """Return the text of `measurements.md` with a new table of `first-move`."""
    text, count = FIRST_MOVE_TABLE.subn(lambda old: f"{old[1]}{table(report)}\n", measurements)
    assert count == 1, "measurements.md has no table of first-move"
    return text


if __name__ == "__main__":
    reports = {name: lab() for name, lab in LABS.items() if name != "first-move"}
    reports["first-move"] = first_move(games=FIRST_MOVE["games"], depth=FIRST_MOVE["depth"])
    for name in HEADS:
        labs = [each for each in LABS if (each in EXAMPLES) == (name == "worked-examples.md")]
        (DOCS / name).write_text(page(name, map(reports.__getitem__, labs)), encoding="utf-8")
    measured = DOCS / "measurements.md"
    text = with_first_move(measured.read_text(encoding="utf-8"), reports["first-move"])
    measured.write_text(text, encoding="utf-8")
    chart = first_move_chart(points_of(reports["first-move"]))
    (DOCS / "pictures" / "first-move.svg").write_bytes(chart)
