"""Charts of agents that learn, drawn with matplotlib (extra `plots`).

    PolicyReport ─► report_chart() ─► SVG or PNG   games against each level
    CurvePoints ──► regret_chart() ─► SVG or PNG   regret by games of training, a line an agent

The same numbers give the same file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from noughts.extras import missing
from noughts.games.words import percent
from noughts.rl.curve import CurvePoint
from noughts.rl.evaluation import PolicyReport

try:
    from matplotlib import rc_context
    from matplotlib.ticker import FuncFormatter, NullLocator

    from noughts.views.chart import PALETTES, STYLE, Kind, Label, Theme, empty, label_lines, saved
except ModuleNotFoundError as error:
    raise ImportError(missing("a chart of an agent", "matplotlib", "plots")) from error

WIDE = 0.085, 0.12, 0.885, 0.69
"""The place of a plot without labels beside it."""


def report_chart(report: PolicyReport, kind: Kind = "svg", theme: Theme = "light") -> bytes:
    """Draw a policy's wins, draws and losses against each level.

    Args:
        report: of `noughts.rl.evaluate`.
        kind: the format of the file.
        theme: the colours.
    """
    palette = PALETTES[theme]
    with rc_context(STYLE):
        found = report.measure
        about = "No position was proven"
        if found.proven:
            about = f"Optimal: {percent(found.optimal_share)} of {found.proven:,} proven moves"
        if found.matters:
            about += (
                f", {percent(found.matters_optimal_share)} of {found.matters:,} where the choice"
                f" matters. Regret: {found.regret:.3f} and {found.matters_regret:.3f}"
            )
        illegal = f". Illegal: {percent(report.illegal_rate)}." if report.illegal else "."
        figure, axes = empty(
            palette, f"{report.rules}: score of a policy against each level", about + illegal
        )
        axes.set_position(WIDE)
        inks = {"won": palette.good, "drawn": palette.line, "lost": palette.o}
        places = range(len(report.levels))
        below = [0.0 for _ in places]
        for name, colour in inks.items():
            shares = [100 * _share(level, name) for level in report.levels]
            axes.bar(places, shares, 0.62, below, color=colour)
            for place, share, under in zip(places, shares, below, strict=True):
                if share >= 8:
                    ink = palette.ink if name == "drawn" else palette.paper
                    middle = under + share / 2
                    axes.text(place, middle, f"{share:.0f}", color=ink, ha="center", va="center")
            below = [under + share for under, share in zip(below, shares, strict=True)]
        for place, level in zip(places, report.levels, strict=True):
            axes.text(
                place,
                103,
                percent(level.score, 0),
                color=palette.ink,
                weight="bold",
                ha="center",
            )
        axes.set_xticks(places, [f"level {level.level}" for level in report.levels])
        axes.set_yticks((0, 25, 50, 75, 100), ("0 %", "", "50 %", "", "100 %"))
        axes.set_xlim(-0.7, len(report.levels) - 0.3)
        axes.set_ylim(0, 109)
        for right, (name, colour) in zip((0.84, 0.915, 0.97), inks.items(), strict=True):
            ink = palette.soft if name == "drawn" else colour
            figure.text(right, 0.94, name, color=ink, weight="bold", va="center", ha="right")
        return saved(figure, kind)


def _share(level: Any, name: str) -> float:
    """Return the part of the games against a level that were won, drawn or lost."""
    numbers = {"won": level.wins, "drawn": level.draws, "lost": level.losses}
    return float(numbers[name] / sum(numbers.values()))


def regret_chart(
    title: str,
    curves: Mapping[str, Sequence[CurvePoint]],
    kind: Kind = "svg",
    theme: Theme = "light",
) -> bytes:
    """Draw the value that a move of each agent loses, by the games of its training.

    Args:
        title: the heading.
        curves: the points of each agent, one or more, by its name.
        kind: the format of the file.
        theme: the colours.
    """
    palette = PALETTES[theme]
    with rc_context(STYLE):
        figure, axes = empty(
            palette,
            title,
            "Mean value that a move loses in proven positions: a win is 1, a draw 0, a loss -1.",
        )
        axes.set_position((0.085, 0.12, 0.7, 0.69))
        most = max(point.games for points in curves.values() for point in points)
        axes.set_xscale("symlog", linthresh=100, linscale=0.6)
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda games, _: f"{games:,.0f}"))
        inks = (palette.x, palette.o, palette.ink, palette.good, palette.soft)
        labels = []
        for number, (name, points) in enumerate(curves.items()):
            colour = inks[number % len(inks)]
            axes.plot(
                [point.games for point in points],
                [point.regret for point in points],
                color=colour,
                lw=1.8,
                marker="o",
                ms=4.5,
                clip_on=False,
                zorder=3,
            )
            last = points[-1]
            text = f"{name}\N{EN SPACE}{last.regret:.3f}"
            labels.append(Label(text, colour, last.games, last.regret))
        axes.set_xlim(0, max(most, 100))
        axes.set_ylim(bottom=0)
        axes.set_xlabel("games of training", color=palette.soft)
        label_lines(axes, labels)
        return saved(figure, kind)
