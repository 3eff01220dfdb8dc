"""The table of a match, from the records of its games.

    Record ──add()──► Standings ──► ranking: a Tally for each bot, the best first
                                ├─► meeting(a, b): their games and pairs, Elo ± 95 %
                                ├─► sides(): the same for X against O
                                └─► by_rules: the same for each game that was played

Records are added one at a time, so that a match can show the table during play. Games without a
result do not count. `docs/arena.md` describes the tags of a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple

from noughts.arena import statistics
from noughts.arena.bot import Verdict
from noughts.arena.referee import parse_note
from noughts.games.position import Player
from noughts.games.record import RESULTS, Record
from noughts.games.words import percent

VERDICTS = frozenset(verdict.value for verdict in Verdict)
UNKNOWN = "?"
"""The name of a player that a record does not name."""

_HALVES = {RESULTS[Player.X]: 2, RESULTS[None]: 1, RESULTS[Player.O]: 0}
"""The half points of X for each result."""


@dataclass
class Tally:
    """The results of one bot in all its games."""

    name: str
    text: str
    """Its kind and options, such as `engine:level=4`; empty if the records do not say."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """Games lost by each fault, by the text of the verdict."""
    moves: int = 0
    """Its moves that have a recorded time."""
    seconds: float = 0.0
    """Total time of these moves."""
    max_seconds: float = 0.0
    """Time of the slowest move."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for a win and ½ for a draw."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Its share of the points, 0 to 1."""
        return self.points / self.games

    @property
    def mean_seconds(self) -> float | None:
        """Mean time of a move."""
        return self.seconds / self.moves if self.moves else None

    def data(self) -> dict[str, Any]:
        """Return the tally as a JSON object."""
        return {
            "name": self.name,
            "bot": self.text,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "score": self.score,
            "faults": dict(sorted(self.faults.items())),
            "moves": self.moves,
            "mean_seconds": self.mean_seconds,
            "max_seconds": self.max_seconds if self.moves else None,
        }


TOO_FEW = "too few games to tell"
"""The difference in Elo where the results do not bound it."""
LOPSIDED = 1.25
"""An interval is given by its bounds if one is farther from the middle by this factor."""


class Meeting(NamedTuple):
    """The games of A against B, from A's side."""

    a: str
    b: str
    games: tuple[int, ...]
    """Losses, draws and wins of A."""
    pairs: tuple[int, ...]
    """Complete pairs by the points of A: 0, ½, 1, 1½ and 2."""

    @property
    def wins(self) -> int:
        return self.games[2]

    @property
    def draws(self) -> int:
        return self.games[1]

    @property
    def losses(self) -> int:
        return self.games[0]

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """A's share of the points, 0 to 1."""
        return self.points / sum(self.games)

    @property
    def score_text(self) -> str:
        """A's share of the points with half its 95 % interval, or its bounds near 0 and 100 %.

        >>> Meeting("a", "b", (96, 111, 136), (0,) * 5).score_text
        '55.8 % ± 4.3'
        >>> Meeting("a", "b", (0, 1, 19), (0,) * 5).score_text
        '97.5 % (92.7 to 100.0)'
        """
        middle, margin = self.score, statistics.score_margin(self.counts)
        if middle < margin or middle + margin > 1:
            lower, upper = max(0.0, middle - margin), min(1.0, middle + margin)
            return f"{percent(middle)} ({100 * lower:.1f} to {100 * upper:.1f})"
        return f"{percent(middle)} ± {100 * margin:.1f}"

    @property
    def better(self) -> str | None:
        """The side whose 95 % interval lies above an even score; `None` if undecided.

        >>> Meeting("a", "b", (96, 111, 136), (0,) * 5).better
        'a'
        >>> Meeting("a", "b", (0, 0, 3), (0,) * 5).better
        """
        margin = statistics.score_margin(self.counts)
        if abs(statistics.score(self.counts) - 0.5) <= margin:
            return None
        return self.a if self.score > 0.5 else self.b

    @property
    def counts(self) -> tuple[int, ...]:
        """The units of the error bars: pairs, or games if there are no pairs.

        With pairs, the game of an incomplete pair is not counted yet.
        """
        return self.pairs if any(self.pairs) else self.games

    @property
    def elo(self) -> float:
        """A's rating less B's; infinite if one side took every point."""
        return statistics.elo(statistics.score(self.counts))

    @property
    def elo_interval(self) -> tuple[float, float] | None:
        """The 95 % interval; `None` for less than two units, and if all ended alike."""
        lower, upper = statistics.elo_interval(self.counts)
        return (
            None if lower == upper or not (isfinite(lower) or isfinite(upper)) else (lower, upper)
        )

    @property
    def superiority(self) -> float | None:
        """The probability that A is stronger."""
        return statistics.likelihood_of_superiority(self.counts)

    @property
    def superiority_text(self) -> str:
        """The probability that A is stronger as text, never 0 or 100 %; empty if undefined."""
        likelihood = self.superiority if any(self.games) else None
        if likelihood is None:
            return ""
        if 0.001 <= likelihood <= 0.999:
            return percent(likelihood)
        return "< 0.1 %" if likelihood < 0.5 else "> 99.9 %"

    @property
    def elo_text(self) -> str:
        """The difference as text, such as `+41 ± 30`, or with its bounds if they are lopsided.

        >>> Meeting("a", "b", (96, 111, 136), (0,) * 5).elo_text
        '+41 ± 30'
        >>> Meeting("a", "b", (4, 2, 14), (0,) * 5).elo_text
        '+191 (+51 to +441)'
        >>> Meeting("a", "b", (0, 3, 37), (0,) * 5).elo_text
        'above +428'
        >>> Meeting("a", "b", (0, 0, 9), (0,) * 5).elo_text == TOO_FEW
        True
        >>> Meeting("a", "b", (1, 1, 2), (0, 1, 0, 0, 1)).elo_text == TOO_FEW
        True
        """
        if self.elo_interval is None:
            return TOO_FEW
        lower, upper = self.elo_interval
        if isfinite(lower) and isfinite(upper):
            below, above = self.elo - lower, upper - self.elo
            if max(below, above) > LOPSIDED * min(below, above):
                return f"{self.elo:+.0f} ({lower:+.0f} to {upper:+.0f})"
            return f"{self.elo:+.0f} ± {(upper - lower) / 2:.0f}"
        # One bound alone says something only if it excludes an equal strength.
        if isfinite(lower):
            return f"above {lower:+.0f}" if lower > 0 else TOO_FEW
        return f"below {upper:+.0f}" if upper < 0 else TOO_FEW

    def turned(self) -> Meeting:
        """Return the meeting from B's side."""
        return Meeting(self.b, self.a, self.games[::-1], self.pairs[::-1])

    def data(self) -> dict[str, Any]:
        """Return the meeting as a JSON object; infinite and unknown numbers are null."""
        normalized = statistics.normalized_elo(self.counts)
        lower, upper = self.elo_interval or (None, None)
        return {
            "a": self.a,
            "b": self.b,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points,
            "pairs": list(self.pairs) if any(self.pairs) else None,
            "elo": _finite(self.elo),
            "elo_interval": [_finite(lower), _finite(upper)],
            "superiority": self.superiority,
            "normalized_elo": normalized and normalized[0],
            "normalized_elo_margin": normalized and normalized[1],
        }


def _sides_data(sides: Meeting) -> dict[str, Any]:
    """Return the games of X against O as a JSON object."""
    return {
        "x_wins": sides.wins,
        "draws": sides.draws,
        "o_wins": sides.losses,
        "x_score": sides.score,
        "x_margin": statistics.score_margin(sides.counts),
        "pairs": list(sides.pairs) if any(sides.pairs) else None,
        "better": sides.better,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


@dataclass
class Standings:
    """A table of all games, and one for each rules id."""

    bots: dict[str, Tally] = field(default_factory=dict)
    """The bots by name, in the order of their first games."""
    unfinished: int = 0
    """Records without a result."""
    by_rules: dict[str, Standings] = field(default_factory=dict)
    """The table of each rules id; empty in the table of a single rules id."""
    _games: dict[tuple[str, str], list[int]] = field(default_factory=dict, repr=False)
    _pairs: dict[tuple[str, str], list[int]] = field(default_factory=dict, repr=False)
    _halves: dict[_Pair, _Half] = field(default_factory=dict, repr=False)
    """Games of incomplete pairs."""
    _x_games: dict[tuple[str, ...], list[int]] = field(default_factory=dict, repr=False)
    """Losses, draws and wins of X by the names of the two bots, sorted."""
    _x_pairs: dict[tuple[str, ...], list[int]] = field(default_factory=dict, repr=False)
    """Pairs by the points of X, whichever bot it was."""

    @property
    def games(self) -> int:
        return sum(tally.games for tally in self.bots.values()) // 2

    def add(self, record: Record) -> None:
        """Add a game.

        Raises:
            IllegalMove: the record contains an illegal move.
        """
        game = _seen(record)
        self._count(game)
        self.by_rules.setdefault(record.start.rules_id, Standings())._count(game)

    def ranking(self) -> list[Tally]:
        """Return the bots by their share of the points, best first."""
        return sorted(self.bots.values(), key=lambda tally: (-tally.score, -tally.points))

    def meetings(self) -> list[Meeting]:
        """Return each meeting of two bots once, from the side of the better ranked."""
        names = [tally.name for tally in self.ranking()]
        found = (self.meeting(a, b) for i, a in enumerate(names) for b in names[i + 1 :])
        return [meeting for meeting in found if any(meeting.games)]

    def meeting(self, a: str, b: str) -> Meeting:
        """Return the meeting of A and B, which may be empty."""
        games, pairs = self._games.get((a, b)), self._pairs.get((a, b), [0] * 5)
        if games is not None:
            return Meeting(a, b, tuple(games), tuple(pairs))
        if (b, a) in self._games:
            return self.meeting(b, a).turned()
        return Meeting(a, b, (0,) * 3, (0,) * 5)

    def sides(self, *bots: str) -> Meeting:
        """Return the games of X, who moves first, against O: of two bots, or of all."""
        wanted = [tuple(sorted(bots))] if bots else list(self._x_games)

        def total(counts: dict[tuple[str, ...], list[int]], size: int) -> tuple[int, ...]:
            found = [counts.get(key, [0] * size) for key in wanted]
            return tuple(map(sum, zip([0] * size, *found, strict=True)))

        return Meeting("X", "O", total(self._x_games, 3), total(self._x_pairs, 5))

    def sides_by_bots(self) -> dict[tuple[str, ...], Meeting]:
        """Return the games of X against O by the names of the two bots, sorted."""
        return {bots: self.sides(*bots) for bots in self._x_games}

    def __str__(self) -> str:
        """Return the table as plain text, with the difference in Elo of two bots."""
        rows: list[tuple[str, ...]] = [("bot", "games", "won", "drawn", "lost", "points", "score")]
        for tally in self.ranking():
            counts = map(str, (tally.games, tally.wins, tally.draws, tally.losses))
            rows.append((tally.name, *counts, f"{tally.points:g}", percent(tally.score)))
        width = max(len(name) for name, *_ in rows)
        lines = [f"{name:<{width}}{''.join(f'{x:>8}' for x in cells)}" for name, *cells in rows]
        for meeting in self.meetings() if len(self.bots) == 2 else ():
            elo = meeting.elo_text
            if elo != TOO_FEW:
                elo += f", stronger with a likelihood of {meeting.superiority_text}"
            lines.append(f"Elo of {meeting.a} over {meeting.b}: {elo}")
        return "\n".join(lines)

    def data(self) -> dict[str, Any]:
        """Return the table as a JSON object."""
        data: dict[str, Any] = {
            "games": self.games,
            "unfinished": self.unfinished,
            "bots": [tally.data() for tally in self.ranking()],
            "meetings": [meeting.data() for meeting in self.meetings()],
        }
        if self.games:
            data["sides"] = _sides_data(self.sides())
            data["sides"]["bots"] = [
                {"bots": list(bots), **_sides_data(sides)}
                for bots, sides in self.sides_by_bots().items()
            ]
        if self.by_rules:
            data["by_rules"] = {rules: part.data() for rules, part in self.by_rules.items()}
        return data

    def _count(self, game: _Seen) -> None:
        if game.halves is None:
            self.unfinished += 1
            return
        for side in Player:
            tally = self.bots.setdefault(
                game.names[side], Tally(game.names[side], game.texts[side])
            )
            halves = game.halves if side is Player.X else 2 - game.halves
            tally.wins += halves == 2
            tally.draws += halves == 1
            tally.losses += halves == 0
            if game.verdict is not None and halves == 0:
                tally.faults[game.verdict] += 1
            times = game.times[side]
            tally.moves += len(times)
            tally.seconds += sum(times)
            tally.max_seconds = max(tally.max_seconds, *times) if times else tally.max_seconds
        x, o = (game.names[side] for side in Player)
        self._x_games.setdefault(tuple(sorted((x, o))), [0] * 3)[game.halves] += 1
        if x != o:
            key, halves = (
                ((o, x), 2 - game.halves) if (o, x) in self._games else ((x, o), game.halves)
            )
            self._games.setdefault(key, [0] * 3)[halves] += 1
            self._count_pair(game, key, halves)

    def _count_pair(self, game: _Seen, key: tuple[str, str], halves: int) -> None:
        """Count a pair with its second game."""
        if game.pair is None:
            return
        first = self._halves.pop(game.pair, None)
        x = game.names[Player.X]
        if first is None or first.x == x:
            self._halves[game.pair] = _Half(x, halves, game.halves or 0)
        else:
            self._pairs.setdefault(key, [0] * 5)[first.halves + halves] += 1
            both = first.x_halves + (game.halves or 0)
            self._x_pairs.setdefault(tuple(sorted(key)), [0] * 5)[both] += 1


_Pair = tuple[str, str, str, frozenset[str]]
"""The match, the number, the rules and the players of a pair."""


class _Half(NamedTuple):
    """The first game of a pair."""

    x: str
    """The player of X."""
    halves: int
    """The half points of the meeting's A."""
    x_halves: int


class _Seen(NamedTuple):
    """The data of a record that a table counts."""

    names: dict[Player, str]
    texts: dict[Player, str]
    halves: int | None
    """Half points of X; `None` without a result."""
    verdict: str | None
    pair: _Pair | None
    times: dict[Player, list[float]]


def _seen(record: Record) -> _Seen:
    tags, rules = record.tags, record.start.rules_id
    names = {side: tags.get(str(side), UNKNOWN) for side in Player}
    times: dict[Player, list[float]] = {side: [] for side in Player}
    for position, node in zip(record.positions(), record.main_line(), strict=False):
        note = parse_note(node.comment)
        if note is not None:
            times[position.turn].append(note.seconds)
    pair = None
    if "Pair" in tags:
        pair = (tags.get("Event", ""), tags["Pair"], rules, frozenset(names.values()))
    return _Seen(
        names,
        {side: tags.get(f"{side}Bot", "") for side in Player},
        _HALVES.get(record.result),
        record.termination if record.termination in VERDICTS else None,
        pair,
        times,
    )


def standings(records: Iterable[Record]) -> Standings:
    """Return the table of all records.

    Raises:
        IllegalMove: a record contains an illegal move.
    """
    table = Standings()
    for record in records:
        table.add(record)
    return table
