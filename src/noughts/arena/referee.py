"""One game of a match: the referee asks, keeps the time, and judges.

    opening ──► turn ──bot──► reply ──legal, in time?──► move ──► … ──► Record
                         └── Fault ──► the other side has won

The record is a game record as any other: `noughts review` and `replay` read it. Its tags tell the
time control and how many moves were the opening's; the comment of each other move tells what it
took and what its bot said of it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from noughts.arena.bot import Bot, Fault, Reply, Table, Turn, Verdict
from noughts.arena.control import Clocks, Control
from noughts.games.position import IllegalMove, Outcome, Player, Position
from noughts.games.record import RESULTS, Node, Record
from noughts.search.result import Value

ADJUDICATION = "adjudication"
"""The termination of a game whose exact value ended it."""

Adjudicate = Callable[[Position], Outcome | None]
"""How a game that goes on ends for certain, where that is known."""


class Note(NamedTuple):
    """What the comment of a move says: `+0.42, depth 12, 34567 nodes, 0.103 s`."""

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
    """Return what a comment of a match says; `None` for any other comment.

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
    """Return the record of a game from `start` on, its first moves those of the opening.

    A bot that is at fault loses; the record's termination is the verdict, and its tag `Fault` the
    message. Nothing that a bot does raises an error here.

    Raises:
        IllegalMove: a move of the opening that the rules do not allow.
    """
    record = Record.from_moves(start, opening, {**tags, "Control": control.text})
    record.tags["Opening"] = str(len(opening))
    side = Player.X
    try:
        for side in Player:
            bots[side].new_game(Table(start, side, control, 2 * seed + (side is Player.O)))
        for side in _play(record, bots, control, adjudicate):  # noqa: B007 - who is at fault
            pass
        at_fault = None
    except Fault as fault:
        at_fault = side
        record.result, record.termination = RESULTS[side.other], fault.verdict.value
        record.tags["Fault"] = f"{side}: {fault.message}"
    for each, bot in bots.items():
        if each is not at_fault:
            with suppress(Fault):
                bot.end_game(record)
    return record


def _play(
    record: Record, bots: Mapping[Player, Bot], control: Control, adjudicate: Adjudicate | None
) -> Iterator[Player]:
    """Play a game to its end and write it into the record; yield who is about to be asked.

    Raises:
        Fault: the one last asked did something wrong.
    """
    *_, position = record.positions()
    children = record.children
    for node in record.main_line():
        children = node.children
    moves = record.moves
    clocks = None if control.clock is None else Clocks(control.clock, control.clock)
    while (outcome := position.outcome()) is None:
        if adjudicate is not None and (sure := adjudicate(position)) is not None:
            record.result, record.termination = RESULTS[sure.winner], ADJUDICATION
            return
        side = position.turn
        yield side
        remaining = None if clocks is None else clocks.of(side)
        deadline = control.deadline(remaining)
        limit = control.limit(remaining)
        turn = Turn(record.start, moves, position, limit, deadline, clocks, control.increment)
        began = time.perf_counter()
        reply = bots[side].choose(turn)
        seconds = time.perf_counter() - began
        if seconds > deadline:
            allowed = f"{deadline - control.margin:.3f}"
            raise Fault(Verdict.TIME, f"{seconds:.3f} s for a move; allowed were {allowed} s")
        try:
            position = position.play(reply.move)
        except IllegalMove as error:
            raise Fault(Verdict.ILLEGAL, str(error)) from error
        moves.append(reply.move)
        children.append(Node(reply.move, str(note_of(reply, seconds))))
        children = children[0].children
        if clocks is not None:
            clocks = clocks.spend(side, seconds, control.increment)
    record.result, record.termination = RESULTS[outcome.winner], outcome.termination.value
