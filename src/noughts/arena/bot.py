"""The bot interface of the arena: one class for every kind of bot, and the faults of bots.

    mine=uci:./bot --fast ──parse_entry()──► Entry ──open()──► Bot
    NAME KIND REST
    Bot: new_game(setup) · choose(turn) ──► Reply │ Fault · end_game(record) · close()

A kind is one of the opponents of `noughts play`, which think in this process, or one of `KINDS`,
most of which run in a separate process. A mistake of a bot is a `Fault` with a verdict; it loses
the game and never ends the match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

from noughts import nets
from noughts.arena.bot_files import meant_file, meant_programs
from noughts.arena.control import Clocks, Control
from noughts.engine import is_native
from noughts.games.position import NotationError, Player, Position
from noughts.games.record import Record
from noughts.opponents import OPPONENTS, OpponentFailed, meant, opponent
from noughts.search.result import Limit, Value


class Verdict(Enum):
    """A mistake of a bot; the text is the termination of the game that it lost."""

    CRASH = "crash"
    """Its process ended with a failure, was killed, or its function raised an error."""
    EXIT = "early exit"
    """Its process ended, without a failure, before the game did."""
    HANG = "hang"
    """It did not react within its time and one more second."""
    SLOW_START = "slow start"
    """It was not ready within its start time."""
    UNFIT = "unfit"
    """It does not play the rules of the game, or lacks an option that the entry sets."""
    ILLEGAL = "illegal move"
    """Its move is against the rules."""
    GARBAGE = "garbage"
    """Its reply is not a move in its protocol."""
    FLOOD = "flood"
    """It wrote megabytes in place of a line, or on its error stream."""
    STOP = "stop ignored"
    """It reacts, but did not move when told to stop."""
    TIME = "time forfeit"
    """Its move came too late."""
    TOKENS = "token limit"
    """The answer of a language model was cut off at its limit of tokens."""
    DROPPED = "connection lost"
    """The server of a language model cannot be reached, or closed the connection."""
    REFUSED = "request refused"
    """The server of a language model refused the request, or failed again and again."""

    def __str__(self) -> str:
        return self.value


class Fault(Exception):
    """A mistake of a bot: its verdict, and a message with the details."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(f"{verdict}: {message}")
        self.verdict = verdict
        self.message = message


class GameSetup(NamedTuple):
    """The settings of a game, given to a bot before it."""

    start: Position
    """The start position; the moves of an opening follow in the first `Turn`."""
    side: Player
    """The side that the bot plays."""
    control: Control
    seed: int
    """Seed of the bot for this game, the same in every run of the match."""


class Turn(NamedTuple):
    """A request for a move."""

    start: Position
    moves: Sequence[int]
    """All moves from `start`, including the opening."""
    position: Position
    """The position after these moves, with the bot to move."""
    limit: Limit
    """The limit of this move; on a clock, a share of the remaining time."""
    deadline: float
    """Seconds after which the reply is too late. The referee decides that; the bot stops waiting
    then."""
    clocks: Clocks | None = None
    """The remaining time of both sides, if a clock runs."""
    increment: float = 0.0


class Reply(NamedTuple):
    """A bot's move, with its value, depth and nodes as far as the bot reported them."""

    move: int
    value: Value | None = None
    depth: int | None = None
    nodes: int | None = None


class Bot(Protocol):
    """A bot in a match.

    Any method may raise `Fault`; after one, only `notes` and `close` are called.
    """

    @property
    def ends_in_time(self) -> bool:
        """Whether only a busy machine makes it late, which is no fault."""
        return False

    def new_game(self, setup: GameSetup) -> None:
        """Prepare for a game."""

    def choose(self, turn: Turn) -> Reply:
        """Return a legal move."""

    def end_game(self, record: Record) -> None:  # noqa: ARG002 - for bots that override it
        """Note that the game is over; does nothing by default."""
        return

    def notes(self) -> Mapping[str, str]:
        """Return figures of the game for the tags of its record; a name follows `X` or `O`."""
        return {}

    def close(self) -> None:
        """Close processes, files and sockets, if there are any. Raises nothing."""
        return


class Bounds(NamedTuple):
    """Limits of the process of a bot."""

    memory_mib: int | None = None
    """Maximum address space in MiB."""
    cpu_seconds: int | None = None
    """Maximum processor time of a process."""
    start_seconds: float = 10.0
    """Maximum seconds until it is ready."""
    log: Path | None = None
    """A folder for the error streams of the bots, one file each."""
    stop_seconds: float = 1.0
    """Maximum seconds until it reacts to `stop`, after its time is up."""


class Entry(NamedTuple):
    """A bot in a match."""

    name: str
    """Its name in tables."""
    text: str
    """Its kind and the rest, such as `engine:level=4` or `uci:./bot --fast`."""
    bounds: Bounds = Bounds()
    options: tuple[tuple[str, str], ...] = ()
    """Options for `setoption`, if the bot's protocol has that."""
    directory: Path | None = None
    """The working directory of its process; the current one if left out."""
    python: str | None = None
    """The interpreter that runs a Python function; that of this program if left out."""

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

    def refusal(self, start: Position, opening: Sequence[int], side: Player) -> str | None:
        """Return why the bot cannot play `side` after these moves; `None` if no reason is known."""
        kind = self.text.partition(":")[0]
        if kind not in OPPONENTS:
            reason: str | None = import_module(KINDS[kind].module).refusal(start, opening, side)
            return reason
        if kind == "engine":
            if not is_native(start):
                return f"the engine does not know {start.rules_id}"
            try:
                nets.chosen(start.rules_id, opponent(self.text).values.get("net"))
            except nets.BadNet as error:
                return str(error)
        return None


class BotKind(NamedTuple):
    """A kind of bot other than the opponents of `noughts play`."""

    about: str
    rest: str
    """The usage of the text after the colon; empty if there is none."""
    module: str
    """A module with `open_bot(entry, rest)`, which starts a bot, `check(text, rest)`, which raises
    `NotationError` for a bad rest, and `refusal(start, opening, side)`, as in `Entry`."""


_ADAPTERS = "noughts.arena.adapters"

KINDS: dict[str, BotKind] = {
    "uci": BotKind("a process that speaks our protocol", "COMMAND", "noughts.arena.uci"),
    "python": BotKind("a Python function", "FILE.py:function", f"{_ADAPTERS}.python"),
    "kaggle": BotKind("a Kaggle ConnectX agent", "FILE.py[:agent]", f"{_ADAPTERS}.kaggle"),
    "cs50": BotKind("a CS50 tic-tac-toe project", "FILE.py", f"{_ADAPTERS}.cs50"),
    "aima": BotKind("a player of AIMA's Python code", "FILE.py:function", f"{_ADAPTERS}.aima"),
    "codingame": BotKind("a CodinGame tic-tac-toe bot", "COMMAND", f"{_ADAPTERS}.codingame"),
    "gomocup": BotKind("a Gomocup brain", "COMMAND", f"{_ADAPTERS}.gomocup"),
    "nineboard": BotKind(
        "an agent of the nine-board course server", "COMMAND", f"{_ADAPTERS}.nineboard"
    ),
    "openspiel": BotKind("OpenSpiel's MCTSBot", "", f"{_ADAPTERS}.openspiel"),
    "chat": BotKind(
        "a language model on a server with the OpenAI-compatible chat interface",
        "MODEL@URL[,legal=no][,tries=3][,tokens=2000]",
        f"{_ADAPTERS}.chat",
    ),
}
"""The kinds of bots other than the opponents of `noughts play`."""


_NAMED = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)=(?P<text>.*)", re.DOTALL)


def parse_entry(text: str, bounds: Bounds = Bounds()) -> Entry:  # noqa: B008 - it is immutable
    """Return the entry that `text` names: an opponent or a bot of another kind.

    `NAME=` before it gives the bot another name. A short text is read as it is meant: `level4`, or
    a file as that of a Python function or a course's project.

    >>> parse_entry("strong=level10")[:2]
    ('strong', 'engine:level=10')

    Raises:
        NotationError: no such kind, or a bad text after the colon.
    """
    found = _NAMED.fullmatch(text.partition(":")[0])
    name, spec = (found["name"], text[len(found["name"]) + 1 :]) if found else (text, text)
    spec = meant_file(meant(spec))
    kind, _, rest = spec.partition(":")
    if kind in OPPONENTS:
        if opponent(spec, own_code=True).is_human:
            raise NotationError(text, "BOT", "a person cannot play in a match")
    elif kind in KINDS:
        if KINDS[kind].rest and not rest.strip():
            raise NotationError(text, "BOT", f"expected {kind}:{KINDS[kind].rest}")
        import_module(KINDS[kind].module).check(text, rest)
    else:
        before, is_named, _ = kind.partition("=")
        if is_named:
            reason = f'"{before}" is no name of a bot: use letters, digits, "_", "." and "-"'
            raise NotationError(text, "BOT", reason)
        known = [each for each in (*OPPONENTS, *KINDS) if each != "human"]
        near = meant_programs(spec) or get_close_matches(kind.lower(), known, 1)
        every = f"; there are files such as choose.py, level1 to level10, {', '.join(known)}"
        hint = f". Did you mean {near[0]}?" if near else every
        raise NotationError(text, "BOT", f'no bot is called "{kind}"{hint}')
    return Entry(name, spec, bounds)


class Builtin(Bot):
    """An opponent of `noughts play` as a bot, which thinks in this process."""

    ends_in_time = True

    def __init__(self, text: str) -> None:
        self.text = text

    def new_game(self, setup: GameSetup) -> None:
        # A new opponent has empty tables, so that the order of the games does not matter.
        self._opponent = opponent(self.text, setup.seed, own_code=True)

    def choose(self, turn: Turn) -> Reply:
        try:
            result = self._opponent.choose(turn.position, turn.limit)
        except OpponentFailed as error:
            raise Fault(Verdict.CRASH, str(error)) from error
        assert result.move is not None
        return Reply(result.move, result.value, result.depth, result.nodes)
