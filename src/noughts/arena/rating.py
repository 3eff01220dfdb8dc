"""Rate many players from all their games at once, by the Bradley-Terry model.

    meetings ──► groups that met ──► levels ──► likeliest strengths ──► Rating: Elo ± 95 %
    records ──history()──► the same after each part of the games

A expects 1 / (1 + 10^(-difference / 400)) of the points from B (E. Zermelo, 1929; R. Bradley and M.
Terry, 1952; the scale is A. Elo's, 1978). A draw is half a point for each, so that the difference
of two players is that of `statistics.elo`. The order of games and earlier ratings have no effect.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, fsum, log, log1p, sqrt
from typing import NamedTuple

from noughts.arena.standings import Meeting, Standings
from noughts.arena.statistics import Z
from noughts.games.record import Record

ELO = 400 / log(10)
"""Elo for a difference of 1 in the logarithm of the odds."""
MIDDLE = 1500.0
"""Default mean rating of the players of a group."""
ROUNDS = 200
"""Most steps to the maximum; about ten are enough."""
SETTLED = 1e-9
"""Step size, in logarithms of the odds, at which the iteration stops."""


class Rating(NamedTuple):
    """The rating of a player from all games."""

    name: str
    elo: float
    margin: float | None
    """Half the 95 % interval against the mean of its level, or against the anchor (0 for itself).
    `None` for a rating with a bound, and where the results have no spread."""
    games: int
    points: float
    group: int
    """Number of the group, the largest is 0. No game links two groups, so their ratings cannot be
    compared."""
    bound: str
    """Empty in the largest level of a group, or in that of the anchor. Otherwise the rating is a
    guess with a bound on one side at most: `>` if no player of that level took a point from this
    player, directly or through others; `<` if this player took none from them; `~` if both.
    """


def rate(meetings: Iterable[Meeting], anchor: tuple[str, float] | None = None) -> list[Rating]:
    """Return the ratings of all players with games, group by group, the best first.

    The players of a group fall into levels: those of one took points from each other, directly or
    through others, and only then do the results have a greatest likelihood at finite ratings (L.
    Ford, 1957). So each level is rated by the games within it. Results do not bound the distance of
    two levels; for two players of different levels who met, one drawn game is added: J. Haldane and
    F. Anscombe (1956) add half a win and half a loss to estimate odds, and G. Conner and C. Grant
    (2000) add it for players who met.

    Margins are those of quasi-likelihood, with the observed variance of each meeting in place of
    the model's (R. Wedderburn, 1974; H. White, 1982), so that draws and pairs of dependent games
    narrow them correctly.

    Args:
        meetings: the results, at most one meeting for two players.
        anchor: a player and its rating. In other groups the mean of the largest level is `MIDDLE`.

    Raises:
        ValueError: the anchor has no games.
    """
    played = [meeting for meeting in meetings if any(meeting.games)]
    groups = _groups(played)
    if anchor is not None and not any(anchor[0] in group for group in groups):
        known = ", ".join(sorted(name for group in groups for name in group)) or "nobody"
        raise ValueError(f"there are no games of {anchor[0]} to rate it by; there are of {known}")
    ratings: list[Rating] = []
    for number, group in enumerate(groups):
        inside = [meeting for meeting in played if meeting.a in group]
        ratings += _rate_group(inside, number, anchor if anchor and anchor[0] in group else None)
    return ratings


class RatingPoint(NamedTuple):
    """The ratings after some of the games."""

    games: int
    date: str
    """Date of the last of these games; empty if its record has none."""
    ratings: list[Rating]


def history(
    records: Sequence[Record], moments: int = 24, anchor: tuple[str, float] | None = None
) -> list[RatingPoint]:
    """Return the ratings after each of several equal parts of the records.

    Parts before the anchor's first game have no rating.

    Raises:
        IllegalMove: a record contains an illegal move.
    """
    table, found = Standings(), []
    ends = {-(-len(records) * part // moments) for part in range(1, moments + 1)}
    for count, record in enumerate(records, 1):
        table.add(record)
        if count in ends and (anchor is None or anchor[0] in table.bots):
            ratings = rate(table.meetings(), anchor)
            found.append(RatingPoint(table.games, record.tags.get("Date", ""), ratings))
    return found


class _Edge(NamedTuple):
    """A meeting of two players or two levels, given by their indices."""

    a: int
    b: int
    games: float
    points: float
    """The points of A."""
    counts: Sequence[int]
    """The results of the units (pairs or games) from A's side, as in `Meeting.counts`."""
    offset: float = 0.0
    """The strength of A within its level, less that of B within its own."""


def _rate_group(
    meetings: Sequence[Meeting], number: int, anchor: tuple[str, float] | None
) -> list[Rating]:
    levels = _levels(meetings)
    level_of = {name: i for i, level in enumerate(levels) for name in level.names}
    main = 0 if anchor is None else level_of[anchor[0]]
    strengths: dict[str, float] = {}
    margins: dict[str, float | None] = dict.fromkeys(level_of)
    for i, level in enumerate(levels):
        index = {name: place for place, name in enumerate(level.names)}
        edges = [
            _Edge(index[m.a], index[m.b], sum(m.games), m.points, m.counts)
            for m in meetings
            if m.a in index and m.b in index
        ]
        found = _likeliest(len(index), edges)
        strengths |= zip(level.names, found, strict=True)
        if i == main:
            reference = None if anchor is None else index[anchor[0]]
            margins |= zip(level.names, _margins(found, edges, reference), strict=True)
    across = [
        _Edge(
            level_of[m.a],
            level_of[m.b],
            sum(m.games) + 1,
            m.points + 0.5,
            m.counts,
            strengths[m.a] - strengths[m.b],
        )
        for m in meetings
        if level_of[m.a] != level_of[m.b]
    ]
    heights = _likeliest(len(levels), across)
    shift = MIDDLE - ELO * heights[main]
    if anchor is not None:
        shift = anchor[1] - ELO * (heights[main] + strengths[anchor[0]])
    games, points = _totals(meetings)
    ratings = [
        Rating(
            name,
            ELO * (heights[level] + strengths[name]) + shift,
            margins[name],
            games[name],
            points[name],
            number,
            _bound(levels[level], levels[main]),
        )
        for name, level in level_of.items()
    ]
    return sorted(ratings, key=lambda rating: (-rating.elo, rating.name))


def _totals(meetings: Iterable[Meeting]) -> tuple[dict[str, int], dict[str, float]]:
    games: dict[str, int] = defaultdict(int)
    points: dict[str, float] = defaultdict(float)
    for meeting in meetings:
        for side in (meeting, meeting.turned()):
            games[side.a] += sum(side.games)
            points[side.a] += side.points
    return games, points


# Groups and levels


def _reached(start: str, following: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the players that can be reached from a player, including itself."""
    found, waiting = {start}, [start]
    while waiting:
        for name in following.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _groups(meetings: Iterable[Meeting]) -> list[list[str]]:
    """Return the groups of players linked by games, largest first, each in alphabetical order."""
    met: dict[str, set[str]] = defaultdict(set)
    for meeting in meetings:
        met[meeting.a].add(meeting.b)
        met[meeting.b].add(meeting.a)
    groups: list[list[str]] = []
    left = set(met)
    while left:
        group = _reached(min(left), met)
        left -= group
        groups.append(sorted(group))
    return sorted(groups, key=lambda group: (-len(group), group))


class _Level(NamedTuple):
    """Players of a group who took points from each other, directly or through others."""

    names: list[str]
    below: set[str]
    """The players from whom the players of this level took points, directly or through others."""
    games: int
    """Number of games between players of this level."""


def _levels(meetings: Sequence[Meeting]) -> list[_Level]:
    """Return the levels of a group, the largest first."""
    lost_to: dict[str, set[str]] = defaultdict(set)
    took_from: dict[str, set[str]] = defaultdict(set)
    for meeting in meetings:
        for side in (meeting, meeting.turned()):
            if side.points > 0:
                took_from[side.a].add(side.b)
                lost_to[side.b].add(side.a)
    levels: list[_Level] = []
    left = took_from.keys() | lost_to.keys()
    while left:
        name = min(left)
        below = _reached(name, took_from)
        names = below & _reached(name, lost_to)
        games = sum(sum(m.games) for m in meetings if m.a in names and m.b in names)
        levels.append(_Level(sorted(names), below, games))
        left -= names
    return sorted(levels, key=lambda level: (-len(level.names), -level.games, level.names))


def _bound(level: _Level, main: _Level) -> str:
    if level is main:
        return ""
    if main.names[0] in level.below:
        return ">"
    return "<" if level.names[0] in main.below else "~"


# Likelihood, in natural logarithms of the odds


def _difference(edge: _Edge, strengths: Sequence[float]) -> float:
    return strengths[edge.a] - strengths[edge.b] + edge.offset


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-difference)) if difference > -700 else 0.0


def _logarithm(strengths: Sequence[float], edges: Iterable[_Edge]) -> float:
    def of(difference: float) -> float:
        return -log1p(exp(-difference)) if difference > -700 else difference

    differences = [(edge, _difference(edge, strengths)) for edge in edges]
    return fsum(
        edge.points * of(difference) + (edge.games - edge.points) * of(-difference)
        for edge, difference in differences
    )


def _likeliest(players: int, edges: Sequence[_Edge]) -> list[float]:
    """Return the strengths under which the points are likeliest, with mean 0.

    Newton's steps, halved until they lead up: the likelihood has one maximum.
    """
    strengths = [0.0] * players
    height = _logarithm(strengths, edges)
    for _ in range(ROUNDS):
        surplus = [0.0] * players
        for edge in edges:
            expected = _expected(_difference(edge, strengths))
            surplus[edge.a] += edge.points - edge.games * expected
            surplus[edge.b] -= edge.points - edge.games * expected
        columns = _solved(_information(strengths, edges), [[value] for value in surplus])
        steps = [step for (step,) in columns]
        while True:
            tried = [strength + step for strength, step in zip(strengths, steps, strict=True)]
            reached = _logarithm(tried, edges)
            if reached >= height or max(map(abs, steps)) < SETTLED:
                break
            steps = [step / 2 for step in steps]
        strengths, height = tried, reached
        if max(map(abs, steps)) < SETTLED:
            break
    return strengths


def _information(strengths: Sequence[float], edges: Iterable[_Edge]) -> list[list[float]]:
    """Return Fisher's information matrix plus a term for the mean, which makes it invertible."""
    size = len(strengths)
    matrix = [[1 / size] * size for _ in strengths]
    for edge in edges:
        expected = _expected(_difference(edge, strengths))
        weight = edge.games * expected * (1 - expected)
        matrix[edge.a][edge.a] += weight
        matrix[edge.b][edge.b] += weight
        matrix[edge.a][edge.b] -= weight
        matrix[edge.b][edge.a] -= weight
    return matrix


def _solved(matrix: list[list[float]], right: list[list[float]]) -> list[list[float]]:
    """Return X of matrix · X = right, by elimination; the matrix is positive definite."""
    rows = [[*row, *sides] for row, sides in zip(matrix, right, strict=True)]
    leading = []
    while rows:
        (pivot, *lead), *rows = rows
        leading.append([value / pivot for value in lead])
        rows = [_less(row[1:], row[0], leading[-1]) for row in rows]
    solution: list[list[float]] = []
    for lead in reversed(leading):
        sides = lead[len(solution) :]
        for factor, known in zip(lead, solution, strict=False):
            sides = _less(sides, factor, known)
        solution.insert(0, sides)
    return solution


def _less(row: list[float], factor: float, other: list[float]) -> list[float]:
    if not factor:
        return row
    return [value - factor * less for value, less in zip(row, other, strict=True)]


def _margins(
    strengths: Sequence[float], edges: Sequence[_Edge], reference: int | None
) -> list[float | None]:
    """Return the margins of 95 % in Elo, against the player with index `reference` or the mean."""
    variances = _variances(strengths, edges)
    if not any(variances):
        return [0.0 if i == reference else None for i in range(len(strengths))]
    unit = [[float(i == j) for j in range(len(strengths))] for i in range(len(strengths))]
    inverse = _solved(_information(strengths, edges), unit)
    # The change of each strength, against the reference, per surplus point of each meeting.
    zero = [0.0] * len(strengths) if reference is None else inverse[reference]
    return [
        Z
        * ELO
        * sqrt(
            fsum(
                variance * (row[edge.a] - row[edge.b] - zero[edge.a] + zero[edge.b]) ** 2
                for edge, variance in zip(edges, variances, strict=True)
            )
        )
        for row in inverse
    ]


def _variances(strengths: Sequence[float], edges: Sequence[_Edge]) -> list[float]:
    """Return the variance of the points of each meeting.

    It is the spread of the meeting's units (pairs or games) about the expected score, with one more
    unit whose spread, relative to the model's variance, is that of all units.
    """
    spreads, weights, models = [], [], []
    for edge in edges:
        expected = _expected(_difference(edge, strengths))
        steps = len(edge.counts) - 1
        squares = fsum(n * (step / steps - expected) ** 2 for step, n in enumerate(edge.counts))
        # Variance of one game: a unit of two games has the mean of two.
        spreads.append(squares * steps / 2)
        weights.append(sum(edge.counts))
        models.append(expected * (1 - expected))
    units = sum(weights)
    freedom = max(1, units - len(strengths) + 1)
    pool = min(1.0, fsum(s / m for s, m in zip(spreads, models, strict=True)) / freedom)
    correction = units / freedom
    return [
        edge.games * (correction * spread + pool * model) / (weight + 1)
        for edge, spread, weight, model in zip(edges, spreads, weights, models, strict=True)
    ]
