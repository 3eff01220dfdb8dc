"""Play one game of a match: ask the bots for moves, keep the time, and apply the rules.

    opening ──► turn ──bot──► reply ──legal, in time?──► move ──► … ──► Record
                         └── Fault ──► the other side has won

The record is an ordinary game record, which `noughts review` reads. Its tags hold the time control
and the length of the opening; the comment of each later move holds its time and the bot's remarks.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from noughts.arena.bot import Bot, Fault, GameSetup, Reply, Turn, Verdict
from noughts.arena.control import Clocks, Control
from noughts.games.position import IllegalMove, Outcome, Player, Position
from noughts.games.record import RESULTS, Record, RecordNode
from noughts.search.result import Value

ADJUDICATION = "adjudication"
"""The termination of a game whose exact value ended it."""

Adjudicate = Callable[[Position], Outcome | None]
"""Returns the certain outcome of an unfinished game, or `None`."""


class Note(NamedTuple):
    """The comment of a move: `+0.42, depth 12, 34567 nodes, 0.103 s`."""

    seconds: float
    value: str | None = None
    depth: int | None = None
    nodes: int | None = None

    def __str__(self) -> str:
        said = [] if self.value is None else [self.value]
        said += [] if self.depth is None else [f"depth {self.depth}"]
        said += [] if self.nodes is None else [f"{self.nodes} nodes"]
        return ", ".join([*said, f"{self.seconds:.6f} s"])


_NOTE = re.compile(
    r"(?:(?P<value>[^,]+), )??(?:depth (?P<depth>\d+), )?(?:(?P<nodes>\d+) nodes, )?"
    r"(?P<seconds>\d+\.\d+) s"
)


def parse_note(comment: str) -> Note | None:
    """Parse a comment that a match has written; return `None` for any other.

    >>> parse_note("W 9, depth 12, 0.1 s")
    Note(seconds=0.1, value='W 9', depth=12, nodes=None)
    """
    found = _NOTE.fullmatch(comment)
    if found is None:
        return None
    depth, nodes = (None if found[key] is None else int(found[key]) for key in ("depth", "nodes"))
    return Note(float(found["seconds"]), found["value"], depth, nodes)


def note_of(reply: Reply, seconds: float) -> Note:
    value: Value | None = reply.value
    return Note(seconds, None if value is None else str(value), reply.depth, reply.nodes)


def play_game(
    start: Position,
    opening: Sequence[int],
    bots: Mapping[Player, Bot],
    control: Control,
    seed: int,
    tags: Mapping[str, str],
    adjudicate: Adjudicate | None = None,
) -> Record:
    """Play a game from `start` that begins with the opening, and return its record.

    A bot at fault loses: the record's termination is the verdict, and its tag `Fault` the message.
    No action of a bot raises an error here.

    Raises:
        IllegalMove: the opening contains an illegal move.
    """
    record = Record.from_moves(start, opening, {**tags, "Control": control.text})
    record.tags["Opening"] = str(len(opening))
    side = Player.X
    try:
        for side in Player:
            bots[side].new_game(GameSetup(start, side, control, 2 * seed + (side is Player.O)))
        for side in _play(record, bots, control, adjudicate):  # noqa: B007 - who is at fault
            pass
        at_fault = None
    except Fault as fault:
        at_fault = side
        record.result, record.termination = RESULTS[side.other], fault.verdict.value
        record.tags["Fault"] = f"{side}: {fault.message}"
    for each, bot in bots.items():
        record.tags |= {f"{each}{name}": text for name, text in bot.notes().items()}
        if each is not at_fault:
            with suppress(Fault):
                bot.end_game(record)
    return record


def _play(
    record: Record, bots: Mapping[Player, Bot], control: Control, adjudicate: Adjudicate | None
) -> Iterator[Player]:
    """Play a game to its end and write it into the record; yield each side before its turn.

    Raises:
        Fault: the side yielded last is at fault.
    """
    *_, position = record.positions()
    children = record.children
    for node in record.main_line():
        children = node.children
    moves = record.moves
    clocks = None if control.clock is None else Clocks(control.clock, control.clock)
    moved: set[Player] = set()
    while (outcome := position.outcome()) is None:
        if adjudicate is not None and (sure := adjudicate(position)) is not None:
            record.result, record.termination = RESULTS[sure.winner], ADJUDICATION
            return
        side = position.turn
        yield side
        remaining = None if clocks is None else clocks.of(side)
        own = control if side in moved else control.of_first_move
        moved.add(side)
        deadline, limit = own.deadline(remaining), own.limit(remaining)
        turn = Turn(record.start, moves, position, limit, deadline, clocks, control.increment)
        began = time.perf_counter()
        reply = bots[side].choose(turn)
        seconds = time.perf_counter() - began
        if bots[side].ends_in_time:
            seconds = min(seconds, deadline)
        if seconds > deadline:
            allowed = f"{deadline - control.margin:.3f}"
            raise Fault(Verdict.TIME, f"{seconds:.3f} s for a move; allowed were {allowed} s")
        try:
            position = position.play(reply.move)
        except IllegalMove as error:
            reason = f"it played {reply.move} in {position}: {error.reason}"
            raise Fault(Verdict.ILLEGAL, reason) from error
        moves.append(reply.move)
        children.append(RecordNode(reply.move, str(note_of(reply, seconds))))
        children = children[0].children
        if clocks is not None:
            clocks = clocks.spend(side, seconds, control.increment)
    record.result, record.termination = RESULTS[outcome.winner], outcome.termination.value
