"""The benches' table: its lines, their times, and its output.

figures ──► Line (figure, target, ratio) ──► a table, or one JSON object
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Literal

Task = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Line:
    """A line of the table: a figure, its unit, and its upper or lower target.

    A `"beside"` target is only for comparison. `seconds` are the medians of a ratio, ours first.
    """

    name: str
    figure: float
    unit: str
    relation: Literal["<", "≤", "≥", "beside"]
    target: float
    seconds: tuple[float, ...] = ()

    @property
    def met(self) -> bool | None:
        match self.relation:
            case "<":
                return self.figure < self.target
            case "≤":
                return self.figure <= self.target
            case "≥":
                return self.figure >= self.target
        return None

    @property
    def ratio(self) -> float:
        """The figure divided by its target."""
        return self.figure / self.target

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "figure": self.figure,
            "unit": self.unit,
            "target": f"{self.relation} {_shortest(self.target)}",
            "ratio": self.ratio,
            "met": self.met,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        met = {True: "met", False: "MISSED", None: ""}[self.met]
        target = f"{self.relation} {_shortest(self.target)}"
        sides = " : ".join(f"{1000 * side:.4g} ms" for side in self.seconds)
        result = f"{_figure(self.figure):>11} {self.unit:<13} {target:>16}"
        return f"{self.name:<56}{result}  {self.ratio:6.2f}  {met:<7}{sides}".rstrip()


def _figure(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 or figure == int(figure) else f"{figure:.3f}"


def _shortest(figure: float) -> str:
    return f"{figure:,.3f}".rstrip("0").rstrip(".")


def seconds(task: Task, clock: Clock = time.perf_counter) -> float:
    started = clock()
    task()
    return clock() - started


def medians(
    ours: Task, theirs: Task, rounds: int, clock: Clock = time.perf_counter
) -> tuple[float, float]:
    """Return the median seconds of two tasks that take turns."""
    pairs = [(seconds(ours, clock), seconds(theirs, clock)) for _ in range(rounds)]
    return median(our for our, _ in pairs), median(their for _, their in pairs)


def parser(about: str) -> argparse.ArgumentParser:
    """Return a parser with the common options."""
    result = argparse.ArgumentParser(description=about.partition("\n")[0])
    result.add_argument("--json", action="store_true", help="print one JSON object")
    result.add_argument("--quick", action="store_true", help="a short run, without comparing times")
    return result


def show(
    nodes: dict[str, int],
    lines: list[Line],
    skipped: list[str],
    *,
    as_json: bool,
    **figures: int,
) -> None:
    """Print the node counts, the named figures, the table, and the skipped lines with reasons."""
    machine = f"Python {platform.python_version()} on {platform.machine()}"
    if as_json:
        answer = {
            "schema": 1,
            "machine": machine,
            "nodes": nodes,
            **figures,
            "lines": [line.as_json() for line in lines],
            "skipped": skipped,
        }
        print(json.dumps(answer, ensure_ascii=False))
        return
    print(machine)
    for name, count in nodes.items():
        print(f"  {name:<56}{count:>11,} positions")
    for name, figure in figures.items():
        print(f"  {name:<56}{figure:>11,}")
    for line in lines:
        print(f"  {line}")
    for reason in skipped:
        print(f"  skipped: {reason}")
