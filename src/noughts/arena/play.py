"""A match in one call, between opponents, bots of every kind and Python functions.

play_match(["engine:level=4", my_function], game="connect4") ──► MatchResult: games, table, Elo
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from noughts.arena.adapters.python import choose_by
from noughts.arena.bot import Bot, Entry, GameSetup, Reply, Turn, parse_entry
from noughts.arena.control import Control
from noughts.arena.match import Match, in_process, refusals
from noughts.arena.openings import random_openings
from noughts.arena.schedule import Terms, schedule
from noughts.arena.standings import Meeting, Standings
from noughts.games import registry
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.games.words import short_text

Function = Callable[..., Any]
"""Takes a position, and `seconds` if it has such a parameter; returns a move: number or text."""
MARGIN = 1.0
"""Seconds by which a move may be late: a function cannot be interrupted."""


class FunctionBot(Bot):
    """A Python function as a bot of this process; its errors end the match."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def new_game(self, setup: GameSetup) -> None:  # noqa: ARG002
        self._choose = choose_by(self._function)

    def choose(self, turn: Turn) -> Reply:
        try:
            return Reply(turn.position.parse_move(self._choose(turn).text))
        except Exception as error:
            error.add_note(f"The bot was asked for a move in {turn.position}.")
            raise


class FunctionEntry(Entry):
    """A Python function that takes part in a match."""

    function: Function

    def open(self) -> Bot:
        return FunctionBot(self.function)

    def refusal(self, start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG002
        return None


class MatchResult(NamedTuple):
    """The games of a match, its table and its statistics."""

    games: list[Record]
    """The records of the games, in the order of the schedule."""
    table: Standings
    """Points and errors of every bot; `print(match.table)` shows them."""
    names: tuple[str, ...]
    """The names of the bots, in the order given."""

    @property
    def statistics(self) -> Meeting:
        """The games of the first bot against the second: `elo`, `elo_interval`, `superiority`."""
        return self.table.meeting(*self.names[:2])


def play_match(
    bots: Sequence[str | Function],
    game: str | Position = "basic",
    *,
    pairs: int = 1,
    seconds: float | None = None,
    plies: int = 2,
    seed: int = 0,
) -> MatchResult:
    """Play pairs of games between all bots in this process, and return the result.

    >>> def first(position):
    ...     return position.legal_moves()[0]
    >>> match = play_match(["random", first], pairs=2, seed=1)
    >>> len(match.games), match.names
    (4, ('random', 'first'))

    Args:
        bots: opponents such as `engine:level=4`, bots such as `uci:./bot`, or functions that take a
            position and return a legal move, as a number or a text. `NAME=` before a text names it.
        game: a rules id, a title, or a position to start from.
        pairs: for each pairing of bots; a pair is two games with one opening, the sides swapped.
        seconds: limit for each move. Without it, each opponent has its own limit.
        plies: random moves that open each pair.
        seed: for the openings and for the bots.

    Raises:
        ValueError: fewer than two bots, two bots of one name, no pair, or a bot that does not play
            the game.
        NotationError: no such bot or game.
        TypeError: one text, not several bots.
        NoOpenings: the game has no opening of that length.
        Exception: an error of a function, or an `IllegalMove` that it returned.
    """
    if isinstance(bots, str):
        raise TypeError(f"play_match needs a list of bots, such as [{bots!r}, 'random']")
    entries = tuple(map(_entry, bots))
    names = tuple(entry.name for entry in entries)
    if len(entries) < 2:
        raise ValueError("A match needs at least two bots.")
    if pairs < 1:
        raise ValueError(f"A match needs at least one pair, not {pairs}.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f'Two bots are called "{twice}". Rename one: "other={twice}".')
    start = registry.parse_start(game) if isinstance(game, str) else game
    text = short_text(start)
    control = Control(seconds=seconds, margin=MARGIN)
    terms = Terms(entries, (text,), pairs, control, seed)
    fixtures = list(schedule(terms, {text: random_openings(text, plies, pairs, seed)}))
    for reason in refusals(terms, fixtures):
        raise ValueError(reason)
    match = Match(terms, fixtures)
    for _ in match.play(in_process):
        pass
    return MatchResult(match.counted, match.standings, names)


def _entry(bot: str | Function) -> Entry:
    if isinstance(bot, str):
        return parse_entry(bot)
    name = getattr(bot, "__name__", type(bot).__name__)
    entry = FunctionEntry(name, f"python:{name}")
    entry.function = bot
    return entry
