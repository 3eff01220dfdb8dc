"""A chart of ratings by games played, drawn with matplotlib (extra `plots`).

    RatingPoints ─► rating_chart() ─► SVG or PNG   Elo by games so far, a line for each player

Bands, and the bars at the end, are 95 % intervals. A line has points only where results bound the
rating on both sides. The same ratings give the same file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation

from noughts.arena.rating import Rating, RatingPoint
from noughts.views import svg
from noughts.views.chart import PALETTES, STYLE, Kind, Label, Theme, empty, label_lines, saved
from noughts.views.foreign import without_controls

DASHES: Any = ("-", (0, (5, 2)), (0, (1, 1.5)))
"""Dash patterns that tell apart lines in the same ink."""
MAX_LINES = 12
"""Most players in a chart; the best ones are drawn."""
LONGEST_NAME = 22
"""Most characters of a name."""
SLOTS = (5.0, 10.0, 15.0, 20.0)
"""Offsets of the final error bars in points, so that neighbours do not overlap."""


def rating_chart(
    title: str, moments: Sequence[RatingPoint], kind: Kind = "svg", theme: Theme = "light"
) -> bytes:
    """Draw the ratings of the largest group's best players, by the games so far.

    Args:
        title: the heading.
        moments: the ratings after each part of the games, at least one.
        kind: the format of the file.
        theme: the colours.
    """
    palette = PALETTES[theme]
    last = moments[-1]
    shown = [rating for rating in last.ratings if _is_drawn(rating)][:MAX_LINES]
    left_out = len(last.ratings) - len(shown)
    without = f" Without {left_out} of {len(last.ratings)} players." if left_out else ""
    subtitle = f"Elo by games so far, and its error bars of 95 %.{without}"
    with rc_context(STYLE):
        figure, axes = empty(palette, textwrap.shorten(title, 70, placeholder=" …"), subtitle)
        labels = [
            _draw(axes, rating, moments, number, palette) for number, rating in enumerate(shown)
        ]
        _name_moments(axes, moments)
        axes.margins(x=0, y=0.06)
        axes.set_xlim(min(moments[0].games, last.games - 1), last.games)
        label_lines(axes, labels)
        return saved(figure, kind)


def _is_drawn(rating: Rating) -> bool:
    return rating.group == 0 and not rating.bound


def _draw(
    axes: Axes, last: Rating, moments: Sequence[RatingPoint], number: int, palette: svg.Theme
) -> Label:
    """Draw the line of a player, its band and the bar at its end, and return its label."""
    inks = (palette.x, palette.o, palette.ink, palette.good, palette.soft)
    colour = inks[number % len(inks)]
    points = [
        (moment.games, rating.elo, rating.margin or 0.0)
        for moment in moments
        for rating in moment.ratings
        if rating.name == last.name and _is_drawn(rating)
    ]
    games, elo, margins = zip(*points, strict=True)
    lower = [middle - margin for middle, margin in zip(elo, margins, strict=True)]
    upper = [middle + margin for middle, margin in zip(elo, margins, strict=True)]
    axes.fill_between(games, lower, upper, color=colour, alpha=0.08, lw=0)
    axes.plot(
        games,
        elo,
        color=colour,
        lw=1.8,
        ls=DASHES[number // len(inks) % len(DASHES)],
        marker="o",
        ms=4,
        mfc=colour if number < len(inks) else palette.paper,
        clip_on=False,
        zorder=3,
    )
    if last.margin:
        figure = axes.get_figure(root=True)
        assert figure is not None
        aside = SLOTS[number % len(SLOTS)] / 72
        slot = ScaledTranslation(aside, 0, figure.dpi_scale_trans)
        axes.errorbar(
            games[-1],
            elo[-1],
            last.margin,
            color=colour,
            lw=1.4,
            capsize=2.5,
            transform=axes.transData + slot,
            clip_on=False,
            zorder=3,
        )
    around = f" ± {last.margin:.0f}" if last.margin else ""
    text = f"{_short(last.name)}\N{EN SPACE}{last.elo:.0f}{around}"
    return Label(text, colour, games[-1], elo[-1])


def _short(name: str) -> str:
    """Return a name, shortened if it is long and escaped for matplotlib."""
    name = without_controls(name)
    cut = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return cut.replace("$", r"\$")


def _name_moments(axes: Axes, moments: Sequence[RatingPoint]) -> None:
    """Write games and dates below the axis, at most six of them."""
    step = -(-len(moments) // 6)
    named = moments[::-1][::step]
    axes.set_xticks(
        [moment.games for moment in named],
        [f"{moment.games:,}\n{moment.date[:10]}" for moment in named],
    )
