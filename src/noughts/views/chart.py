"""Charts of comparisons of searches, drawn with matplotlib (extra `plots`).

    SearchComparison ─► depth_chart()  ─► SVG or PNG   nodes by depth, one line for each search
    Growth ─────► growth_chart() ─► SVG or PNG   nodes by board, one line for each search
    FirstMovePoints ─► first_move_chart() ─► SVG or PNG   score of X by depth, with error bars
    Certificate ─► strategy_chart() ─► SVG or PNG   the winner's moves by ply

Nodes are on a log scale. The three families of searches have colours that colour-blind people can
tell apart, and every line has its name at its end. The same comparison gives the same file.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from noughts.games.position import Position
from noughts.games.words import short_text
from noughts.labs.comparison import (
    BEST_FIRST,
    MINIMAX,
    SYMMETRY,
    WORST_FIRST,
    Growth,
    Run,
    SearchComparison,
)
from noughts.labs.first_move import AGENTS, FirstMovePoint
from noughts.views import svg

Kind = Literal["svg", "png"]
"""The format of a picture file."""
Theme = Literal["light", "dark"]
PALETTES = {"light": svg.LIGHT, "dark": svg.DARK}

SIZE = (10.0, 5.8)
"""Width and height in inches; a PNG has 200 dots per inch."""
STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10.5,
    "svg.fonttype": "none",
    "svg.hashsalt": "noughts",
    "axes.unicode_minus": False,
}
MAX_LETTERS = 70
"""Most characters of the names of boards that are beside each other."""
COLUMN = 1.068
"""Left edge of the labels, as a part of the plot's width."""
HIGHEST = 1.03
"""Highest place of a label, as a part of the plot's height."""
LABEL_GAP = 17.0
"""Points from one label to the next."""


class Point(NamedTuple):
    x: float
    nodes: int
    complete: bool
    """Whether the count is complete, rather than stopped by a limit."""


class Label(NamedTuple):
    text: str
    colour: str
    x: float
    y: float
    cost: tuple[int, int] | None = None
    """For a stopped search: its number of incomplete points; nodes of the last complete one."""


def kind_of(name: str) -> Kind:
    """Return the format for a file name."""
    return "png" if name.lower().endswith(".png") else "svg"


def depth_chart(comparison: SearchComparison, kind: Kind = "svg", theme: Theme = "light") -> bytes:
    """Draw the nodes of each search by depth, beside b^d and b^(d/2), b being that of the tree."""
    palette = PALETTES[theme]
    with rc_context(STYLE):
        d, b = comparison.depth, comparison.branching(comparison.depth)
        figure, axes = empty(
            palette,
            f"{comparison.position.rules_id}: cost of each search, by depth",
            f"Positions entered, on a log scale{_of(comparison.position)}."
            + (f" b is the whole tree's branching factor: {b:.2f} at depth {d}." if b else ""),
        )
        _scale(axes)
        _limit(axes, comparison.limit.nodes, comparison.runs, palette)
        depths = range(1, d + 1)
        axes.set_xlim(min(1, d - 1), d)
        axes.set_xticks(depths)
        axes.set_xlabel("depth in plies", color=palette.soft)
        labels = []
        for power, text in ((1.0, "$b^d$"), (0.5, "$b^{d/2}$")):
            factors = {depth: comparison.branching(depth) for depth in depths}
            guide = {depth: b ** (power * depth) for depth, b in factors.items() if b}
            if guide:
                _plot(axes, list(guide.items()), color=palette.soft, lw=1, ls=(0, (2, 3)))
                last = max(guide)
                labels.append(Label(text, palette.soft, last, guide[last]))
        for search in comparison.searches:
            points = [_point(depth, run) for depth, run in comparison.at(search).items()]
            label = _draw(axes, search, points, palette)
            early = "" if label.x == d else f", d = {label.x:.0f}"
            labels.append(label._replace(text=label.text + early))
        axes.set_ylim(bottom=1)
        label_lines(axes, labels)
        return saved(figure, kind)


def growth_chart(growth: Growth, kind: Kind = "svg", theme: Theme = "light") -> bytes:
    """Draw the nodes of each search on each board, and of the whole tree if it was counted."""
    palette = PALETTES[theme]
    with rc_context(STYLE):
        end = "to the end of the game" if growth.depth is None else f"to depth {growth.depth}"
        figure, axes = empty(
            palette,
            f"How the searches grow with the board, {end}",
            "Positions entered, on a log scale. An arrow stands where a limit ended the search.",
        )
        _scale(axes)
        _limit(
            axes,
            growth.limit.nodes,
            [run for runs in growth.runs for run in runs.values()],
            palette,
        )
        places = range(len(growth.positions))
        axes.set_xlim(0, max(len(growth.positions) - 1, 1))
        width = max(MAX_LETTERS // len(growth.positions), 4)
        names = ("\n".join(textwrap.wrap(short_text(place), width)) for place in growth.positions)
        axes.set_xticks(places, list(names))
        labels = []
        tree = [Point(x, size, True) for x, size in enumerate(growth.trees) if size is not None]
        if tree:
            _plot(axes, tree, color=palette.soft, lw=1, ls=(0, (2, 3)))
            last = tree[-1]
            text = f"whole tree\N{EN SPACE}{last.nodes:,}"
            labels.append(Label(text, palette.soft, last.x, last.nodes))
        for search in growth.searches:
            points = [
                _point(x, runs[search]) for x, runs in enumerate(growth.runs) if search in runs
            ]
            labels.append(_draw(axes, search, points, palette))
        axes.set_ylim(bottom=1)
        label_lines(axes, labels)
        return saved(figure, kind)


def strategy_chart(counts: Mapping[int, int], kind: Kind = "svg", theme: Theme = "light") -> bytes:
    """Draw the number of a strategy's moves at each ply."""
    palette = PALETTES[theme]
    with rc_context(STYLE):
        figure, axes = empty(
            palette,
            "The size of a proof",
            "Moves of the winner by ply, on a log scale: one in each position, after every reply.",
        )
        axes.set_position((0.085, 0.12, 0.885, 0.69))
        _scale(axes)
        axes.bar([*counts], [*counts.values()], width=1.2, color=palette.x)
        for ply, count in counts.items():
            axes.annotate(
                f"{count:,}",
                (ply, count),
                (0, 5),
                textcoords="offset points",
                ha="center",
                color=palette.ink,
            )
        axes.set_xticks([*counts])
        axes.set_xlabel("ply", color=palette.soft)
        axes.set_ylim(bottom=0.6, top=4 * max(counts.values()))
        return saved(figure, kind)


def first_move_chart(
    points: Sequence[FirstMovePoint], kind: Kind = "svg", theme: Theme = "light"
) -> bytes:
    """Draw X's score by depth with its 95 % interval, a panel for each game."""
    palette = PALETTES[theme]
    colours = dict(zip(AGENTS, (palette.o, palette.soft, palette.x), strict=True))
    games = max(sum(point.counts) for point in points)
    with rc_context(STYLE):
        figure = Figure(figsize=SIZE, facecolor=palette.paper)
        figure.text(
            0.03, 0.95, "Does the first move win?", size=15, weight="bold", color=palette.ink
        )
        about = (
            f"X's share of the points in {games:,} games of an agent against itself, by depth, "
            "with 95 % intervals"
        )
        figure.text(0.03, 0.90, about, color=palette.soft)
        for place, (agent, colour) in zip((0.68, 0.78, 0.91), colours.items(), strict=True):
            figure.text(place, 0.95, agent, color=colour, weight="bold")
        panels = dict.fromkeys(point.rules for point in points)
        columns = min(3, len(panels))
        rows = -(-len(panels) // columns)
        for place, rules in enumerate(panels):
            axes = figure.add_subplot(rows, columns, place + 1, facecolor=palette.paper)
            axes.set_title(rules, color=palette.ink, size=10.5, loc="left")
            axes.axhline(50, color=palette.soft, lw=1)
            for shift, (agent, colour) in enumerate(colours.items()):
                own = [point for point in points if (point.rules, point.agent) == (rules, agent)]
                axes.errorbar(
                    [point.depth + 0.16 * (shift - 1) for point in own],
                    [100 * point.score for point in own],
                    [100 * point.error for point in own],
                    color=colour,
                    marker="o",
                    ms=4,
                    lw=1.4,
                    capsize=2,
                )
            axes.set_ylim(0, 100)
            axes.set_yticks((0, 25, 50, 75, 100), ("0 %", "", "50 %", "", "100 %"))
            axes.set_xticks(sorted({point.depth for point in points}))
            axes.tick_params(length=0, colors=palette.soft)
            axes.grid(axis="y", color=palette.line, lw=0.8)
            for side, spine in axes.spines.items():
                spine.set_visible(side == "bottom")
                spine.set_color(palette.line)
        figure.subplots_adjust(0.06, 0.07, 0.98, 0.81, 0.16, 0.28)
        return saved(figure, kind)


def _of(position: Position) -> str:
    """Return words for a position that is not the start of its rules."""
    text = short_text(position)
    return "" if text == position.rules_id else f", from {textwrap.shorten(text, 60)}"


def _point(x: float, run: Run) -> Point:
    return Point(x, run.result.nodes, run.result.complete)


def empty(palette: svg.Theme, title: str, subtitle: str) -> tuple[Figure, Axes]:
    """Return a figure with titles and no lines."""
    figure = Figure(figsize=SIZE, facecolor=palette.paper)
    axes = figure.add_axes((0.085, 0.12, 0.575, 0.69), facecolor=palette.paper)
    figure.text(0.03, 0.94, title, size=15, weight="bold", color=palette.ink, va="center")
    figure.text(0.03, 0.885, subtitle, color=palette.soft, va="center")
    axes.grid(axis="y", color=palette.line, lw=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=palette.soft, pad=8)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(palette.line)
    return figure, axes


def _scale(axes: Axes) -> None:
    """Set the axis to nodes, on a log scale."""
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(base=10, numticks=20))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda nodes, _: _count(nodes)))


def _count(nodes: float) -> str:
    return f"{nodes:,.0f}" if nodes < 1e6 else f"{nodes / 1e6:,.0f} M"


def _colour(search: str, palette: svg.Theme) -> str:
    """Return the colour of a family: minimax as text, alpha-beta as X, negamax as O."""
    if search == MINIMAX:
        return palette.ink
    return palette.x if search.startswith("alpha-beta") else palette.o


def _limit(axes: Axes, nodes: int | None, runs: Iterable[Run], palette: svg.Theme) -> None:
    """Draw the limit of nodes, if a search ran into it."""
    if nodes is not None and any(run.result.nodes >= nodes for run in runs):
        axes.axhline(nodes, color=palette.soft, lw=0.8)
        axes.annotate(
            f"limit {nodes:,}",
            (0, nodes),
            (4, 4),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            color=palette.soft,
            bbox={"facecolor": palette.paper, "edgecolor": "none", "pad": 1},
        )


def _plot(axes: Axes, points: Sequence[tuple[float, ...]], **style: Any) -> None:
    """Draw a line through points, of which the first two numbers count."""
    axes.plot([point[0] for point in points], [point[1] for point in points], **style)


def _draw(axes: Axes, search: str, points: Sequence[Point], palette: svg.Theme) -> Label:
    """Draw the line of a search, dashed after a limit has stopped it, and return its label."""
    colour = _colour(search, palette)
    width = 2.4 if search == MINIMAX else 1.6
    hollow = search in (WORST_FIRST, BEST_FIRST, SYMMETRY)
    ends = next((at for at, point in enumerate(points) if not point.complete), len(points))
    for part, style in ((points[:ends], "-"), (points[max(ends - 1, 0) :], (0, (3, 2)))):
        _plot(axes, part, color=colour, lw=width, ls=style)
    for marker, complete, size in (("o", True, 5.0), ("^", False, 8.0)):
        marked = [point for point in points if point.complete is complete]
        _plot(
            axes,
            marked,
            ls="",
            marker=marker,
            ms=size,
            color=colour,
            mfc=palette.paper if hollow else colour,
            mew=1.4,
            clip_on=False,
            zorder=3,
        )
    last, done = points[-1], [point.nodes for point in points if point.complete]
    text = f"{search}\N{EN SPACE}{'' if last.complete else '>'}{last.nodes:,}"
    cost = (len(points) - len(done), done[-1] if done else 0)
    return Label(text, colour, last.x, last.nodes, cost)


def label_lines(axes: Axes, labels: Sequence[Label]) -> None:
    """Write labels apart in a column at the right, or at the end of a line that ends early."""
    figure, right = axes.get_figure(), axes.get_xlim()[1]
    assert figure is not None
    gap = LABEL_GAP / 72 * figure.get_dpi() / axes.bbox.height

    def height(label: Label) -> float:
        return float(axes.transAxes.inverted().transform(axes.transData.transform((1, label.y)))[1])

    column = sorted(
        (label for label in reversed(labels) if label.x == right or label.cost is not None),
        key=lambda label: (label.y, label.cost or (0, 0)),
    )
    for label, place in zip(column, spread([*map(height, column)], gap, HIGHEST), strict=True):
        axes.annotate(
            label.text,
            (label.x, label.y),
            (COLUMN, place),
            textcoords="axes fraction",
            color=label.colour,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": label.colour,
                "lw": 0.7,
                "relpos": (0, 0.5),
                "shrinkA": 3,
                "shrinkB": 6,
            },
        )
    for label in labels:
        if label not in column:
            axes.annotate(
                label.text,
                (label.x, label.y),
                (8, 0),
                textcoords="offset points",
                color=label.colour,
                va="center",
            )


def spread(wanted: Sequence[float], gap: float, highest: float) -> list[float]:
    """Return places at least `gap` apart, in the same order, as near as possible to the wanted.

    >>> spread([0, 1, 50], 10, highest=100)
    [-4.5, 5.5, 50.0]
    >>> spread([0, 1, 50], 10, highest=50)
    [-4.5, 5.5, 50.0]
    >>> spread([48, 49, 50], 10, highest=50)
    [30, 40, 50]

    Apart from the bound, the sum of squares is least: isotonic regression by pooling neighbours
    (Barlow, Bartholomew, Bremner and Brunk 1972).
    """
    blocks: list[tuple[float, int]] = []
    for index, place in enumerate(wanted):
        total, size = place - index * gap, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / size:
            before, count = blocks.pop()
            total, size = total + before, size + count
        blocks.append((total, size))
    means = [total / size for total, size in blocks for _ in range(size)]
    last = len(wanted) - 1
    return [
        min(mean + index * gap, highest - (last - index) * gap) for index, mean in enumerate(means)
    ]


def saved(figure: Figure, kind: Kind) -> bytes:
    """Return the file, without date and program, so that equal charts are equal files."""
    file = io.BytesIO()
    if kind == "png":
        figure.savefig(file, format="png", dpi=200, metadata={"Software": None})
        return file.getvalue()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return re.sub(rb"'DejaVu Sans'(, [^;\"]*)?", svg.SANS.encode(), file.getvalue())
