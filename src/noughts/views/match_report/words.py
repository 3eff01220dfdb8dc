"""Sentences and numbers about a match, shared by page and terminal.

records ──► title, order     Standings ──► lead, against_others     Sprt ──► Course
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from noughts.arena.regret import PYTHON_NODES, Audit
from noughts.arena.standings import UNKNOWN, Meeting, Standings
from noughts.arena.statistics import Sprt
from noughts.games.position import Player
from noughts.games.record import RESULTS, UNFINISHED, Record
from noughts.games.words import count, percent
from noughts.views.standings import points_text


def in_order(records: Iterable[Record]) -> list[Record]:
    """Sort games by match and round; a file has them in the order of their ends."""
    events: dict[str, int] = {}

    def place(record: Record) -> tuple[int, int]:
        event = events.setdefault(record.tags.get("Event", ""), len(events))
        return event, record.number("Round")

    return sorted(records, key=place)


def title_of(records: Iterable[Record]) -> str:
    """Return the name of the games' match."""
    events = list(dict.fromkeys(record.tags.get("Event", "") for record in records))
    if len(events) > 1:
        return f"{len(events)} matches"
    return (events and events[0]) or "A match"


def lead(table: Standings) -> str:
    """Return the outcome in a sentence."""
    ranking = table.ranking()
    if len(ranking) < 2:
        return "No game has a result." if not ranking else "All games are of one bot with itself."
    first, second = ranking[:2]
    if first.score == second.score:
        return f"{first.name} and {second.name} are level: {percent(first.score)} of the points."
    of = f"{points_text(first.points)} of {count(first.games, 'point')}"
    if len(ranking) == 2:
        return f"{first.name} has {of} against {second.name}."
    return f"{first.name} is first of {len(ranking)}, with {of}."


def against_others(table: Standings, name: str) -> Meeting:
    """Return all games of a bot as one meeting with all others."""
    meetings = [table.meeting(name, other) for other in table.bots if other != name]
    games = tuple(sum(meeting.games[at] for meeting in meetings) for at in range(3))
    pairs = tuple(sum(meeting.pairs[at] for meeting in meetings) for at in range(5))
    return Meeting(name, "the others", games, pairs)


# Numbers ------------------------------------------------------------------------------------------


def elo(meeting: Meeting) -> str:
    """Return A's rating less B's, with ± 95 %; empty without games."""
    return meeting.elo_text if any(meeting.games) else ""


def solved(audit: Audit) -> str:
    """Return the node limits within which a move counts as solved, and the games cut short."""
    within = f"{audit.nodes:,} nodes"
    if audit.has_own_games:
        within += f", {min(audit.nodes, PYTHON_NODES):,} in registered games"
    said = f"Solved moves are those proven before and after, each within {within}."
    if audit.untried:
        games = count(audit.untried, "game")
        said += f" The work in all is bounded too: {games} not looked at to the end."
    return said


# A test -------------------------------------------------------------------------------------------


class Course(NamedTuple):
    """The course of a sequential test of A against B."""

    a: str
    b: str
    sprt: Sprt
    ratios: list[float]
    """Its ratio before the first pair and after each."""

    @property
    def decided(self) -> int | None:
        """The pair that decided it, from 1; `None` while undecided."""
        lower, upper = self.sprt.bounds
        return next((i for i, each in enumerate(self.ratios) if not lower < each < upper), None)

    @property
    def passed(self) -> bool | None:
        """Whether A is better; `None` while undecided."""
        return None if self.decided is None else self.ratios[self.decided] > 0

    @property
    def sentence(self) -> str:
        elo0, elo1 = self.sprt.elo0, self.sprt.elo1
        question = f"Is {self.a} better than {self.b} by {elo1:g} Elo, rather than by {elo0:g}?"
        if self.decided is None:
            after = count(len(self.ratios) - 1, "pair")
            return f"{question} Not decided after {after}, at {self.ratios[-1]:+.2f}."
        answer = "passed" if self.passed else "failed"
        ratio = f"{self.ratios[self.decided]:+.2f}"
        return f"{question} The test {answer} at pair {self.decided:,}, with {ratio}."


def course_of(records: Iterable[Record], table: Standings, sprt: Sprt) -> Course:
    """Return the course of a test over the pairs of a match, in their order.

    Raises:
        ValueError: not exactly two bots.
    """
    if len(table.bots) != 2:
        raise ValueError(f"a test is of two bots, and here are {len(table.bots)}")
    a, b = table.bots
    counts, ratios = [0] * 5, [0.0]
    for each in pair_scores(records, a):
        counts[round(4 * each)] += 1
        ratios.append(sprt.ratio(counts))
    return Course(a, b, sprt, ratios)


def pair_scores(records: Iterable[Record], a: str) -> list[float]:
    """Return the mean score of A in each complete pair, in their order."""
    found: dict[tuple[str, str, int], dict[str, float]] = {}
    for record in in_order(records):
        if "Pair" not in record.tags or record.result == UNFINISHED:
            continue
        x = record.tags.get("X", UNKNOWN)
        side = Player.X if x == a else Player.O
        score = {RESULTS[side]: 1.0, RESULTS[None]: 0.5}.get(record.result, 0.0)
        key = record.tags.get("Event", ""), record.start.rules_id, record.number("Pair")
        found.setdefault(key, {})[x] = score
    return [sum(pair.values()) / 2 for pair in found.values() if len(pair) == 2]
