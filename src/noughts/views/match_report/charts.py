"""Charts as stretchable strips of SVG; every number is also shown as text beside them.

    score_bar()    ━━━━━━━━├──┤╌╌╌│╌╌╌╌╌   a share of the points and its 95 %; the middle is even
    time_strip()   ─╌╌━━━●━━━╌╌─┤          seconds on a log scale: 10 to 90 %, median, most
    course_line()  ╱╲╱╲╱───                the ratio of a test, pair by pair, between its bounds

A strip has no text, so that it can be stretched; strokes keep their widths.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

WIDTH = 1000
"""Width of a strip in units; its height is 20."""
MAX_POINTS = 500
"""Most pairs in a course; of more, evenly chosen ones are drawn."""


def _strip(body: str, name: str) -> str:
    return (
        f'<svg class="strip {name}" viewBox="0 0 {WIDTH} 20" preserveAspectRatio="none" '
        f'aria-hidden="true">{body}</svg>'
    )


def _line(name: str, x: float, to: float, y: float = 10, to_y: float | None = None) -> str:
    to_y = y if to_y is None else to_y
    return f'<path class="{name}" d="M{x:.0f} {y:.0f}L{to:.0f} {to_y:.0f}"/>'


def score_bar(score: float, lower: float | None = None, upper: float | None = None) -> str:
    """Draw a share of the points, 0 to 1, with the bounds of its interval."""
    body = _line("track", 0, WIDTH) + _line("even", WIDTH / 2, WIDTH / 2, 1, 19)
    body += _line("bar", 0, score * WIDTH)
    if lower is not None and upper is not None:
        low, high = max(0, lower) * WIDTH, min(1, upper) * WIDTH
        body += _line("range", low, high)
        body += _line("range", low, low, 6, 14) + _line("range", high, high, 6, 14)
    return _strip(body, "score")


class TimeScale:
    """A log scale of seconds, from a power of ten to another."""

    def __init__(self, times: Sequence[float]) -> None:
        known = [max(time, 1e-6) for time in times]
        self.low = floor(log10(min(known)))
        self.high = max(ceil(log10(max(known))), self.low + 1)

    def place(self, seconds: float) -> float:
        """Return the horizontal position of a time, 0 to `WIDTH`."""
        part = (log10(max(seconds, 1e-6)) - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, part)) * WIDTH

    @property
    def ticks(self) -> list[float]:
        step = 1 if self.high - self.low <= 5 else 2
        return [10.0**power for power in range(self.low, self.high + 1, step)]

    @property
    def axis(self) -> list[tuple[str, str]]:
        """The places of the ticks in per cent of the width, and their times."""
        return [(f"{self.place(tick) / WIDTH:.1%}", seconds_text(tick)) for tick in self.ticks]


def seconds_text(seconds: float) -> str:
    """Return a time with its unit, to three digits.

    >>> [seconds_text(time) for time in (0.0000123, 0.00004, 0.1, 0.1034, 12.5, 1000)]
    ['12.3 µs', '40 µs', '100 ms', '103 ms', '12.5 s', '1000 s']
    """
    for unit, size in (("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 999.5 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s" if seconds < 999.5 else f"{seconds:.0f} s"


def quantile(ordered: Sequence[float], part: float) -> float:
    """Return the value that `part` of an ascending list does not exceed: the nearest rank.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([1, 2, 3, 4], 0.99)
    (2, 4)
    """
    return ordered[max(0, ceil(part * len(ordered)) - 1)]


def time_strip(ordered: Sequence[float], scale: TimeScale) -> str:
    """Draw the times of moves, an ascending list of seconds."""
    low, middle, high = (scale.place(quantile(ordered, part)) for part in (0.1, 0.5, 0.9))
    late, first, last = (
        scale.place(time) for time in (quantile(ordered, 0.99), ordered[0], ordered[-1])
    )
    body = "".join(_line("even", place, place, 1, 19) for place in map(scale.place, scale.ticks))
    body += _line("range", first, last) + _line("range", last, last, 6, 14)
    body += _line("bar", low, high) + _line("late", late, late, 5, 15)
    return _strip(body + _line("dot", middle, middle), "time")


def course_line(ratios: Sequence[float], bounds: tuple[float, float]) -> str:
    """Draw a test's ratio after each pair; the ratios start at 0, before any pair."""
    lower, upper = bounds
    top, bottom = 1.08 * max(upper, *ratios), 1.08 * min(lower, *ratios)

    def height(ratio: float) -> float:
        return 200 * (top - ratio) / (top - bottom)

    last = len(ratios) - 1
    step = max(1, ceil(last / MAX_POINTS))
    at = [*range(0, last, step), last]
    points = " ".join(f"{WIDTH * i / max(last, 1):.1f},{height(ratios[i]):.1f}" for i in at)
    lines = "".join(
        _line(name, 0, WIDTH, height(ratio))
        for name, ratio in (("bound", upper), ("even", 0.0), ("bound", lower))
    )
    return (
        f'<svg class="strip course" viewBox="0 0 {WIDTH} 200" preserveAspectRatio="none" '
        f'aria-hidden="true">{lines}<polyline class="ratio" points="{points}"/></svg>'
    )
