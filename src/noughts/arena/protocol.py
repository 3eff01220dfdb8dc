"""The engine protocol as text and as data, for both sides.

    manager                                                engine
    start, moves  ──position_line──► position … ──parse_position──► start, moves
    Turn          ──go_line────────► go …       ──parse_go────────► Go
    Option        ◄─parse_option──── option …   ◄─option_line────── Option
    Info          ◄─parse_info────── info …     ◄─info_line──────── Info
    a move's text ◄─parse_bestmove── bestmove … ◄─bestmove_line──── a move's text

The shape is that of UCI (Stefan Meyer-Kahlen, Rudolf Huber, 2000); rules, moves and positions are
those of `docs/rules.md`; `docs/protocol.md` is the full description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from noughts.arena.bot import Turn
from noughts.arena.control import SHORTEST, Clocks, Control
from noughts.games import registry
from noughts.games.position import NotationError, Player, Position, move_texts
from noughts.search.result import (
    LARGEST_ESTIMATE,
    LARGEST_LIMITS,
    Limit,
    Outlook,
    SearchResult,
    Value,
)

VARIANT = "UCI_Variant"
"""The option that names the rules."""
ANSWERS = ("id", "option", "uciok", "readyok", "info", "bestmove")
"""The first words of the lines that an engine writes."""
LARGEST_OVERHEAD = 0.1
"""The largest part of a fixed time for a move that is reserved for communication."""
NO_MOVE = "none"
"""The text of a missing best move."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,300}")
_KINDS = ("check", "spin", "combo", "button", "string")
_EMPTY = "<empty>"


class Option(NamedTuple):
    """A setting that an engine offers.

    >>> print(option_line(Option("Hash", "spin", "64", least=1, most=1024)))
    option name Hash type spin default 64 min 1 max 1024
    """

    name: str
    kind: str
    """`check`, `spin`, `combo`, `button` or `string`."""
    default: str = ""
    least: int | None = None
    most: int | None = None
    """Bounds of a spin."""
    choices: tuple[str, ...] = ()
    """Possible values of a combo."""

    def check(self, value: str) -> str:
        """Return the value if the option allows it; a number loses its leading zeros.

        Raises:
            NotationError: the option does not allow it.
        """
        if self.kind == "check" and value not in ("true", "false"):
            raise NotationError(value, self.name, "expected true or false")
        if self.kind == "spin":
            least = -inf if self.least is None else self.least
            most = inf if self.most is None else self.most
            if not _NUMBER.fullmatch(value) or not least <= int(value) <= most:
                bounds = "" if (least, most) == (-inf, inf) else f" from {least} to {most}"
                raise NotationError(value, self.name, f"expected a whole number{bounds}")
            return str(int(value))
        if self.kind == "combo" and value not in self.choices:
            raise NotationError(value, self.name, f"expected one of {' '.join(self.choices)}")
        return value


def option_line(option: Option) -> str:
    """Return the line that offers an option."""
    words = ["option name", option.name, "type", option.kind]
    if option.kind != "button":
        words += ["default", option.default or _EMPTY]
    words += [] if option.least is None else ["min", str(option.least)]
    words += [] if option.most is None else ["max", str(option.most)]
    return " ".join([*words, *(f"var {choice}" for choice in option.choices)])


_OPTION = re.compile(
    r"option name (?P<name>.+?) type (?P<kind>\w+)(?: default(?: (?P<default>.*?))?)?"
    r"(?: min (?P<least>-?\d{1,18}))?(?: max (?P<most>-?\d{1,18}))?(?P<choices>(?: var .+?)*)"
)


def parse_option(line: str) -> Option:
    """Return the option that a line offers.

    >>> parse_option("option name UCI_Variant type combo default basic var basic var mnk:*").choices
    ('basic', 'mnk:*')

    Raises:
        NotationError: another line.
    """
    found = _OPTION.fullmatch(" ".join(line.split()))
    if found is None or found["kind"] not in _KINDS:
        shape = "expected option name NAME type check|spin|combo|button|string default VALUE …"
        raise NotationError(line, "option", shape)
    least, most = (None if found[key] is None else int(found[key]) for key in ("least", "most"))
    default = found["default"] or ""
    choices = tuple(found["choices"].split(" var ")[1:])
    kind = found["kind"]
    return Option(found["name"], kind, "" if default == _EMPTY else default, least, most, choices)


def plays(variant: Option, rules_id: str) -> bool:
    """Whether an engine that offers `variant` as its `UCI_Variant` plays these rules.

    A choice that ends in `:*` stands for all rules of that name with options. An option of kind
    string allows all rules.

    >>> offered = Option(VARIANT, "combo", "basic", choices=("basic", "mnk:*"))
    >>> plays(offered, "mnk:5,5,4"), plays(offered, "connect4")
    (True, False)
    """
    name, colon, _ = rules_id.partition(":")
    in_general = {f"{name}:*"} if colon else set()
    return variant.kind == "string" or bool({rules_id, *in_general} & {*variant.choices})


def set_option_line(name: str, value: str = "") -> str:
    """Return the line that sets an option, or presses a button."""
    return f"setoption name {name} value {value}" if value else f"setoption name {name}"


_SETTING = re.compile(r"name (?P<name>.+?)(?: value(?: (?P<value>.*))?)?")


def parse_set_option(rest: str) -> tuple[str, str]:
    """Return the name and the value that follow `setoption`; both may have several words.

    >>> parse_set_option("name Move Overhead value 20")
    ('Move Overhead', '20')

    Raises:
        NotationError: there is no name.
    """
    found = _SETTING.fullmatch(" ".join(rest.split()))
    if found is None:
        raise NotationError(rest, "setoption", "expected setoption name NAME value VALUE")
    return found["name"], found["value"] or ""


def position_line(start: Position, moves: Sequence[int] = ()) -> str:
    """Return the line with the start of a game and its moves.

    >>> import noughts
    >>> position_line(noughts.game("ultimate"), [36, 0])
    'position startpos moves 51 11'

    Raises:
        IllegalMove: a move is against the rules.
    """
    text = str(start)
    known = text == str(registry.game(start.rules_id))
    words = ["position startpos" if known else f"position pos {text}"]
    return " ".join([*words, *(["moves", *move_texts(start, moves)] if moves else ())])


def parse_position(rest: str, rules_id: str) -> tuple[Position, list[int]]:
    """Return the start and the moves that follow `position`; `startpos` is that of `rules_id`.

    Raises:
        NotationError: not a position.
        IllegalMove: a move is against the rules.
    """
    words = rest.split()
    if words[:1] == ["startpos"]:
        start, words = registry.game(rules_id), words[1:]
    elif words[:1] == ["pos"] and len(words) > 1:
        start, words = registry.position(words[1]), words[2:]
    else:
        shape = "expected position startpos or position pos STRING, then moves MOVE …"
        raise NotationError(rest, "position", shape)
    moves: list[int] = []
    position = start
    for word in words[words.index("moves") + 1 :] if "moves" in words else ():
        moves.append(position.parse_move(word))
        position = position.play(moves[-1])
    return start, moves


class Go(NamedTuple):
    """The limits of `go`; the first one reached ends the search."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    """Time limit of this move."""
    clocks: Clocks | None = None
    """Remaining seconds of both sides; X is White."""
    increments: Clocks = Clocks(0.0, 0.0)
    """Seconds added to a clock after each move."""
    infinite: bool = False
    """Search until `stop`, and move only then."""

    def limit(self, side: Player, overhead: float = 0.0) -> Limit:
        """Return the limit for the player to move; on a clock, a share of the remaining time.

        `overhead` is the time of communication in seconds. It is subtracted: of a fixed time at
        most `LARGEST_OVERHEAD`, as a manager allows for communication besides.
        """
        seconds = self.seconds
        if seconds is not None:
            seconds = max(seconds - min(overhead, LARGEST_OVERHEAD * seconds), SHORTEST)
        limit = Limit(self.depth, self.nodes, seconds)
        if self.clocks is None:
            return limit
        control = Control(clock=1.0, increment=self.increments.of(side))
        return control.limit(self.clocks.of(side), overhead).tighter(limit)


_CLOCKS = ("wtime", "btime", "winc", "binc")
_COUNTS = {
    "depth": LARGEST_LIMITS["depth"],
    "nodes": LARGEST_LIMITS["nodes"],
    **dict.fromkeys(("movetime", *_CLOCKS), 1000 * LARGEST_LIMITS["seconds"]),
}
"""The words of `go` that a number follows, each with its largest number."""


def go_line(turn: Turn) -> str:
    """Return the line that asks for a move, with the turn's clocks or else its limit."""
    bounds: dict[str, int] = {}
    if turn.clocks is not None:
        times = (*turn.clocks, turn.increment, turn.increment)
        bounds = {key: _milliseconds(time) for key, time in zip(_CLOCKS, times, strict=True)}
    else:
        limit = turn.limit
        bounds |= {} if limit.depth is None else {"depth": limit.depth}
        bounds |= {} if limit.nodes is None else {"nodes": limit.nodes}
        bounds |= {} if limit.seconds is None else {"movetime": _milliseconds(limit.seconds)}
    return " ".join(["go", *(f"{key} {bound}" for key, bound in bounds.items())])


def _milliseconds(seconds: float) -> int:
    # Rounded down, so that a bot does not use more than it has; 0.29 s are still 290 ms.
    return int(seconds * 1000 + 1e-6)


def parse_go(rest: str) -> Go:
    """Return the limits that follow `go`.

    Unknown words are ignored; of a repeated limit the last one counts. A number below the minimum
    counts as the minimum, since a clock may run out during communication; one above the maximum
    of a limit counts as the maximum.

    >>> parse_go("movetime 100 depth 4 ponder").limit(Player.X)
    Limit(depth=4, nodes=None, seconds=0.1, simulations=None)

    Raises:
        NotationError: a number is missing.
    """
    words = iter(rest.split())
    found: dict[str, int] = {}
    infinite = False
    for word in words:
        infinite = infinite or word == "infinite"
        if word in _COUNTS:
            found[word] = min(_number(next(words, ""), word, rest), _COUNTS[word])
    times = {key: found[key] / 1000 for key in ("movetime", *_CLOCKS) if key in found}
    clocks = None
    if "wtime" in times or "btime" in times:
        x = times.get("wtime", times.get("btime", 0.0))
        clocks = Clocks(max(x, SHORTEST), max(times.get("btime", x), SHORTEST))
    return Go(
        depth=max(1, found["depth"]) if "depth" in found else None,
        nodes=max(1, found["nodes"]) if "nodes" in found else None,
        seconds=max(times["movetime"], SHORTEST) if "movetime" in times else None,
        clocks=clocks,
        increments=Clocks(max(times.get("winc", 0.0), 0.0), max(times.get("binc", 0.0), 0.0)),
        infinite=infinite,
    )


def _number(word: str, key: str, text: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise NotationError(text, key, f"expected a number after {key}, not {word!r}")
    return int(word)


class Info(NamedTuple):
    """The report of an engine about its search; each field may be missing."""

    depth: int | None = None
    value: Value | None = None
    nodes: int | None = None
    seconds: float | None = None
    table_use: float | None = None
    """The used share of its table, 0 to 1."""
    pv: tuple[str, ...] = ()
    """The expected moves, its own first."""
    string: str | None = None
    """A text for people."""


def info_of(result: SearchResult) -> Info:
    """Return the report about a search result."""
    return Info(
        result.depth,
        result.value,
        result.nodes,
        result.seconds,
        result.table_use or None,
        tuple(move_texts(result.position, result.line)),
    )


def info_line(info: Info) -> str:
    """Return the `info` line of a report.

    >>> print(info_line(Info(6, Value.win(5), 1000, 0.25, 0.5, ("51", "15"))))
    info depth 6 score win 5 nodes 1000 nps 4000 time 250 hashfull 500 pv 51 15
    """
    return " ".join(["info", *_info_words(info)])


def _info_words(info: Info) -> Iterator[str]:
    if info.depth is not None:
        yield f"depth {info.depth}"
    if info.value is not None:
        yield f"score {_score_text(info.value)}"
    if info.nodes is not None:
        yield f"nodes {info.nodes}"
    if info.seconds is not None:
        if info.nodes is not None and info.seconds > 0:
            yield f"nps {round(info.nodes / info.seconds)}"
        yield f"time {round(1000 * info.seconds)}"
    if info.table_use is not None:
        yield f"hashfull {round(1000 * info.table_use)}"
    if info.pv:
        yield f"pv {' '.join(info.pv)}"
    if info.string is not None:
        yield f"string {info.string}"


def _score_text(value: Value) -> str:
    if not value.is_exact:
        return f"estimate {value.estimate or 0.0:.4f}"
    if value.is_draw or value.plies is None:
        return value.kind
    return f"{value.kind} {value.plies}"


_COUNTED = ("depth", "nodes", "time", "hashfull")


def parse_info(line: str) -> Info:
    """Return the report of an `info` line; unknown words are ignored.

    >>> parse_info("info depth 6 score win 5 seldepth 9 time 250 pv 51 15").pv
    ('51', '15')

    Raises:
        NotationError: a number is missing, or the score is wrong.
    """
    found: dict[str, int] = {}
    value: Value | None = None
    rest, _, string = line.partition(" string ")
    words = rest.split()[1:]
    pv = words.index("pv") if "pv" in words else len(words)
    for index, word in enumerate(words[:pv]):
        if word in _COUNTED:
            found[word] = _number("".join(words[index + 1 : index + 2]), word, line)
        elif word == "score":
            value = _parse_score(words[index + 1 : index + 3], line)
    time, hashfull = found.get("time"), found.get("hashfull")
    return Info(
        found.get("depth"),
        value,
        found.get("nodes"),
        None if time is None else time / 1000,
        None if hashfull is None else hashfull / 1000,
        tuple(words[pv + 1 :]),
        string.strip() or None,
    )


def _parse_score(words: Sequence[str], line: str) -> Value:
    kind, number = (*words, "", "")[:2]
    if kind == "estimate" and re.fullmatch(r"[+-]?[0-9]*\.?[0-9]+(e-?[0-9]+)?", number):
        return Value("unknown", None, max(-LARGEST_ESTIMATE, min(LARGEST_ESTIMATE, float(number))))
    if kind == "draw":
        return Value.draw()
    outlook: Outlook | None = "win" if kind == "win" else "loss" if kind == "loss" else None
    if outlook is not None:
        return Value(outlook, int(number) if re.fullmatch("[0-9]{1,9}", number) else None, None)
    shape = "expected score win PLIES, draw, loss PLIES or estimate NUMBER"
    raise NotationError(line, "score", shape)


def bestmove_line(move: str | None) -> str:
    """Return the line that answers `go` with a move's text, or with `none`."""
    return f"bestmove {NO_MOVE if move is None else move}"


def parse_bestmove(line: str) -> str | None:
    """Return the move's text of a `bestmove` line, `None` for `bestmove none`.

    Raises:
        NotationError: another line.
    """
    words = line.split()
    if words[:1] != ["bestmove"] or len(words) < 2:
        raise NotationError(line, "bestmove", f"expected bestmove MOVE or bestmove {NO_MOVE}")
    return None if words[1] == NO_MOVE else words[1]


def is_answer(line: str) -> bool:
    """Whether a line begins with a word that an engine may write."""
    return bool(line.split()) and line.split()[0] in ANSWERS
