"""How an agent has learned: its measures after more and more games, kept in a file.

report of `evaluate`, games so far ──Curve.add()──► a line of JSON ──► `noughts.views.agent_chart`
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from noughts.rl.evaluation import PolicyReport


class CurvePoint(NamedTuple):
    """The measure of an agent after some games."""

    games: int
    """Games of its training so far."""
    regret: float
    """The mean of the value that a move loses in proven positions, as in `MoveMeasure`."""
    optimal_share: float
    """The share of optimal moves there."""
    proven: int
    """The moves that were measured."""


class Curve:
    """The measures of an agent, in the order of its games.

    >>> from tempfile import TemporaryDirectory
    >>> from noughts.rl import evaluate
    >>> first = lambda observation, legal: legal.argmax(axis=1)
    >>> with TemporaryDirectory() as folder:
    ...     curve = Curve(Path(folder) / "curve.jsonl")
    ...     curve.add(0, evaluate(first, "basic", games=2, levels=(1,)))
    ...     [point.games for point in Curve(curve.file).points]
    [0]

    Args:
        file: of JSON lines; one that exists is continued.

    Attributes:
        points: a list of `CurvePoint`, fewest games first.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no such file.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.points: list[CurvePoint] = []
        if not file.exists():
            return
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(True), 1):
            # An interrupted program leaves a last line without its end.
            if line.endswith("\n"):
                try:
                    self.points.append(CurvePoint(**json.loads(line)))
                except (TypeError, ValueError) as error:
                    raise ValueError(f"{file}, line {number}: no point of a curve") from error

    def add(self, games: int, report: PolicyReport) -> None:
        """Note a measure in the list and in the file, in place of any with as many games or more.

        An agent that continues from an earlier save so measures its later games again.
        """
        found = report.measure
        point = CurvePoint(games, found.regret, found.optimal_share, found.proven)
        self.points = [each for each in self.points if each.games < games] + [point]
        text = "".join(f"{json.dumps(each._asdict())}\n" for each in self.points)
        part = self.file.with_name(f"{self.file.name}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(self.file)
