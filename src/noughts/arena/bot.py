"""What plays in the arena: bots of every kind behind one door, and what they may do wrong.

    mine=uci:./bot --fast ──parse_entry()──► Entry ──open()──► Bot
    NAME KIND REST
    Bot: new_game(table) · choose(turn) ──► Reply │ Fault · end_game(record) · close()

A kind is one of the opponents of `noughts play`, which think in this process, or one of `KINDS`,
most of which are processes of their own. Whatever a bot does wrong is a `Fault`, which names a
verdict; it costs the game, and never ends the match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

from noughts.arena.control import Clocks, Control
from noughts.arena.player import OPPONENTS, OpponentFailed, parse_opponent
from noughts.engine import is_native
from noughts.games.position import NotationError, Player, Position
from noughts.games.record import Record
from noughts.search.result import Limit, Value


class Verdict(Enum):
    """What a bot did wrong; the text is the termination of the game that it lost by it."""

    CRASH = "crash"
    """Its process ended with a failure, was killed, or its function raised an error."""
    EXIT = "early exit"
    """Its process ended, without a failure, before the game did."""
    HANG = "hang"
    """It gave no sign of life within its time and a second more."""
    SLOW_START = "slow start"
    """It was not ready within the time given for that."""
    UNFIT = "unfit"
    """It does not play the rules of the game, or has not an option that was to be set."""
    ILLEGAL = "illegal move"
    """It answered with a move that the rules do not allow."""
    GARBAGE = "garbage"
    """It answered with what is no move at all, or not in its protocol."""
    FLOOD = "flood"
    """It wrote megabytes where a line was wanted, or on its error stream."""
    STOP = "stop ignored"
    """It lives, but was told to stop and gave no move."""
    TIME = "time forfeit"
    """Its move came too late."""

    def __str__(self) -> str:
        return self.value


class Fault(Exception):
    """A bot did something wrong: `verdict` names it, the message tells what happened."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(f"{verdict}: {message}")
        self.verdict = verdict
        self.message = message


class Table(NamedTuple):
    """What a bot is told before a game."""

    start: Position
    """Where the game starts; the moves of an opening follow in the first `Turn`."""
    side: Player
    """The side that the bot plays."""
    control: Control
    seed: int
    """For what the bot leaves to chance: the same in every run of the match."""


class Turn(NamedTuple):
    """What a bot is asked."""

    start: Position
    moves: Sequence[int]
    """All moves from `start` on, those of the opening among them."""
    position: Position
    """After these moves; the bot is to move."""
    limit: Limit
    """What the control allows for this move; on a clock, a sensible share of it."""
    deadline: float
    """Seconds after which the answer is too late: the referee judges that, a bot only has to give
    up waiting."""
    clocks: Clocks | None = None
    """What is left to both sides, where a clock runs."""
    increment: float = 0.0


class Reply(NamedTuple):
    """A bot's move, and what it said of it where it said something."""

    move: int
    value: Value | None = None
    depth: int | None = None
    nodes: int | None = None


class Bot(Protocol):
    """A bot at a table. Any method may raise `Fault`; after one, only `close` is called."""

    def new_game(self, table: Table) -> None:
        """Get ready for a game."""

    def choose(self, turn: Turn) -> Reply:
        """Return a legal move."""

    def end_game(self, record: Record) -> None:
        """Take note that the game is over."""

    def close(self) -> None:
        """Leave, and take everything along: processes, files, sockets. Raises nothing."""


class Bounds(NamedTuple):
    """What the process of a bot may take."""

    memory_mib: int | None = None
    """Of address space."""
    cpu_seconds: int | None = None
    """Of processor time, over the life of a process."""
    start_seconds: float = 10.0
    """To get ready."""
    log: Path | None = None
    """A folder for what bots write on their error streams, a file each."""


class Entry(NamedTuple):
    """A bot that takes part in a match."""

    name: str
    """How tables call it."""
    text: str
    """Its kind and the rest, such as `engine:level=4` or `uci:./bot --fast`."""
    bounds: Bounds = Bounds()
    options: tuple[tuple[str, str], ...] = ()
    """Set by `setoption`, where the bot's protocol has that."""
    directory: Path | None = None
    """Where its process runs; here if left out."""

    def open(self) -> Bot:
        """Return the bot, ready for `new_game`.

        Raises:
            Fault: it cannot be started.
        """
        kind, _, rest = self.text.partition(":")
        if kind in OPPONENTS:
            return Builtin(self.text)
        bot: Bot = import_module(KINDS[kind].module).open_bot(self, rest)
        return bot

    def refusal(self, start: Position, opening: Sequence[int] = ()) -> str | None:
        """Return why the bot cannot play from `start` on with these first moves, before it is
        asked to; `None` if nothing is known against it."""
        kind = self.text.partition(":")[0]
        if kind not in OPPONENTS:
            reason: str | None = import_module(KINDS[kind].module).refusal(start, opening)
            return reason
        if kind == "engine" and not is_native(start):
            return f"the engine does not know {start.rules_id}"
        return None


class Kind(NamedTuple):
    """A kind of bot beside the opponents of `noughts play`."""

    about: str
    rest: str
    """What has to follow the colon, if anything has to."""
    module: str
    """The module whose `open_bot(entry, rest)` starts one, whose `check(text, rest)` raises
    `NotationError` where the rest cannot be one, and whose `refusal(start, opening)` is that of
    `Entry`."""


_ADAPTERS = "noughts.arena.adapters"

KINDS: dict[str, Kind] = {
    "uci": Kind("a process that speaks our protocol", "COMMAND", "noughts.arena.uci"),
    "python": Kind("a Python function", "FILE.py:function", f"{_ADAPTERS}.python"),
    "kaggle": Kind("a Kaggle ConnectX agent", "FILE.py[:agent]", f"{_ADAPTERS}.kaggle"),
    "cs50": Kind("a CS50 tic-tac-toe project", "FILE.py", f"{_ADAPTERS}.cs50"),
    "aima": Kind("a player of AIMA's Python code", "FILE.py:function", f"{_ADAPTERS}.aima"),
    "codingame": Kind("a CodinGame tic-tac-toe bot", "COMMAND", f"{_ADAPTERS}.codingame"),
    "gomocup": Kind("a Gomocup brain", "COMMAND", f"{_ADAPTERS}.gomocup"),
    "nineboard": Kind(
        "an agent of the nine-board course server", "COMMAND", f"{_ADAPTERS}.nineboard"
    ),
    "openspiel": Kind("OpenSpiel's MCTSBot", "", f"{_ADAPTERS}.openspiel"),
}
"""The kinds beside the opponents of `noughts play`."""


_NAMED = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)=(?P<text>.*)", re.DOTALL)


def parse_entry(text: str, bounds: Bounds = Bounds()) -> Entry:  # noqa: B008 - it is immutable
    """Return the entry that `text` names: an opponent or a bot of another kind, `NAME=` before it
    if it is to be called otherwise.

    >>> parse_entry("strong=engine:level=10").name
    'strong'

    Raises:
        NotationError: no such kind, or a rest that cannot be one.
    """
    found = _NAMED.fullmatch(text.partition(":")[0])
    name, spec = (found["name"], text[len(found["name"]) + 1 :]) if found else (text, text)
    kind, _, rest = spec.partition(":")
    if kind in OPPONENTS:
        if parse_opponent(spec).choose is None:
            raise NotationError(text, "BOT", "a person plays no match")
    elif kind in KINDS:
        if KINDS[kind].rest and not rest.strip():
            raise NotationError(text, "BOT", f"wanted is {kind}:{KINDS[kind].rest}")
        import_module(KINDS[kind].module).check(text, rest)
    else:
        known = " ".join([*OPPONENTS, *KINDS])
        raise NotationError(text, "BOT", f"there is no bot {kind!r}; there are {known}")
    return Entry(name, spec, bounds)


class Builtin:
    """An opponent of `noughts play` as a bot: it thinks in this process."""

    def __init__(self, text: str) -> None:
        self.text = text

    def new_game(self, table: Table) -> None:
        # A new one for each game: its tables are empty, so that it plays the same in any order.
        self._choose = parse_opponent(self.text, table.seed).choose
        assert self._choose is not None

    def choose(self, turn: Turn) -> Reply:
        assert self._choose is not None
        try:
            result = self._choose(turn.position, turn.limit)
        except OpponentFailed as error:
            raise Fault(Verdict.CRASH, str(error)) from error
        assert result.move is not None
        return Reply(result.move, result.value, result.depth, result.nodes)

    def end_game(self, record: Record) -> None:
        pass

    def close(self) -> None:
        pass
