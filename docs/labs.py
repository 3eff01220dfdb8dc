"""Run every lab, and write the results to `docs/labs.md`.

python docs/labs.py
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from noughts.labs.claims import LABS
from noughts.labs.first_move import first_move, points_of
from noughts.labs.report import Report
from noughts.views.chart import first_move_chart

HEAD = """\
# The labs

Claims of courses, blogs and student projects about these games, tested. `noughts lab` lists the
labs, `noughts lab NAME` runs one. `python docs/labs.py` writes this page.
"""


FIRST_MOVE = {"games": 200, "depth": 6}
"""Options of the measurement of `first-move` on the page; it takes some minutes."""
COMMAND = " ".join(f"--{name} {value}" for name, value in FIRST_MOVE.items())
FIRST_MOVE_NOTE = f"""\
![X's score by depth with error bars, a panel for each game](pictures/first-move.svg)

Made by `noughts lab first-move {COMMAND} -o first-move.svg`.

"""


def section(report: Report) -> str:
    """Return one lab as Markdown: claim, picture, table, paragraph."""
    rows = [report.headers, ("---",) * len(report.headers), *report.rows]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    picture = f"```text\n{report.picture}\n```\n\n" if report.picture else ""
    if report.name == "first-move":
        picture = FIRST_MOVE_NOTE
    claim = f"**Claimed.** {report.claim}"
    return f"## {report.name}\n\n{claim}\n\n{picture}{table}\n\n{report.teaches}\n"


def page(reports: Iterable[Report]) -> str:
    """Return the whole page as Markdown."""
    return "\n".join([HEAD, *(section(report) for report in reports)])


if __name__ == "__main__":
    reports = {name: lab() for name, lab in LABS.items() if name != "first-move"}
    reports["first-move"] = first_move(games=FIRST_MOVE["games"], depth=FIRST_MOVE["depth"])
    text = page(reports[name] for name in LABS)
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")
    chart = first_move_chart(points_of(reports["first-move"]))
    Path(__file__).with_name("pictures").joinpath("first-move.svg").write_bytes(chart)
