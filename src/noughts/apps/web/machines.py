"""The machines that people play against: how each finds its move, on a thread and within bounds.

engine:seconds=3 ──parse_machine()──► Machine ──► MoveSearch ──► the best move so far
"""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from typing import NamedTuple

from noughts import levels
from noughts.apps.web.pool import Engines
from noughts.apps.web.searches import NativeWork
from noughts.arena.player import parse_opponent
from noughts.games.position import NotationError, Position
from noughts.search.result import Limit, SearchResult

MACHINES = ("engine", "perfect", "random")
"""Opponents on the page: those that think natively, or not at all."""
SLOWEST = 30.0
"""The most seconds that a machine may take for a move."""
PERFECT_SECONDS = 10.0
"""The same for one that is to solve the game, if it is not told."""
LARGEST_MIB = 64
"""The largest table that a machine may have."""
LEVEL_MIB, HIGH_LEVEL_MIB = 4, 16
"""Memory of the tables of levels: up to 7, which see few positions, and from 8 on."""
FIRST_HIGH_LEVEL = 8
LEAST_SECONDS = 0.01
"""A machine that had to wait for all of its time still gets so much."""


class Machine(NamedTuple):
    """A machine, as its text describes it."""

    text: str
    name: str
    level: int | None
    limit: Limit
    method: str | None
    evaluation: str | None
    book: bool
    mib: int
    seed: int | None

    @property
    def is_perfect(self) -> bool:
        """Whether it plays only what it has proven."""
        return self.name == "perfect"


def parse_machine(text: str) -> Machine:
    """Return the machine that a text names.

    Raises:
        NotationError: no such opponent, none that the page has, or one that would think too long.
    """
    name = text.partition(":")[0]
    if name not in MACHINES:
        reason = f"on the page there are me, guest and {', '.join(MACHINES)}"
        raise NotationError(text, "OPPONENT", reason)
    values = parse_opponent(text).values
    seconds, mib = values.get("seconds"), values.get("table")
    if seconds is not None and seconds > SLOWEST:
        reason = f"on the page a machine thinks for {SLOWEST:g} seconds at most"
        raise NotationError(text, "OPPONENT", reason)
    if mib is not None and mib > LARGEST_MIB:
        reason = f"on the page a table has {LARGEST_MIB} MiB at most"
        raise NotationError(text, "OPPONENT", reason)
    level = values.get("level")
    if mib is None and level is not None:
        mib = LEVEL_MIB if level < FIRST_HIGH_LEVEL else HIGH_LEVEL_MIB
    limit = Limit(values.get("depth"), values.get("nodes"), seconds)
    if name == "perfect":
        limit = Limit(seconds=seconds or PERFECT_SECONDS)
    elif limit == Limit():
        limit = levels.FULL_STRENGTH
    return Machine(
        text,
        name,
        level,
        limit,
        values.get("method"),
        values.get("evaluation"),
        values.get("book", True),
        mib or LARGEST_MIB,
        values.get("seed"),
    )


class MoveSearch(NativeWork):
    """A machine's search for its move.

    Args:
        engines: where its engine comes from.
        owner: for whom the engine is kept, from slice to slice and from move to move.
        position: where it is to move.
        machine: who moves.
    """

    def __init__(self, engines: Engines, owner: str, position: Position, machine: Machine) -> None:
        super().__init__()
        self._engines, self._owner = engines, owner
        self._position, self._machine = position, machine
        self._asked = time.monotonic()
        self._nodes, self._spent = 0, 0.0
        self._enough = False
        self.best: SearchResult | None = None
        """The best move so far, after so much search."""

    @property
    def seconds(self) -> float | None:
        """The time from when it was asked within which it has to answer, where that is given."""
        return None if self._machine.is_perfect else self._machine.limit.seconds

    def stop(self) -> None:
        """Let what has been found be enough."""
        self._enough = True
        self.give_way()

    def go_on(self) -> bool:
        """Search on; return whether the move is found."""
        self._gives_way = False
        machine, position = self._machine, self._position
        by_level = machine.level is not None and levels.LEVELS[machine.level] is not None
        lent = self._engines.lent(
            None if by_level else self._owner,
            position.rules_id,
            machine.mib,
            evaluation=machine.evaluation,
            book=machine.book,
            seed=machine.seed,
        )
        with lent as engine, self.stoppable(engine):
            if by_level:
                assert machine.level is not None
                seed = secrets.randbits(32) if machine.seed is None else machine.seed
                self.best = levels.choose(engine, position, machine.level, seed)
                return True
            for found in engine.analyse(position, self._left(), method=machine.method):
                self._learn(found)
        self._nodes += found.nodes
        self._spent += found.seconds
        return self._enough or not self._gives_way or found.exact or self._is_late()

    def _left(self) -> Limit:
        """Return what is left of the limit."""
        limit = self._machine.limit
        seconds = SLOWEST if limit.seconds is None else limit.seconds
        waited = self.seconds is not None
        used = time.monotonic() - self._asked if waited else self._spent
        nodes = None if limit.nodes is None else max(1, limit.nodes - self._nodes)
        return replace(limit, nodes=nodes, seconds=max(seconds - used, LEAST_SECONDS))

    def _is_late(self) -> bool:
        left = self._left()
        return left.nodes == 1 or left.seconds == LEAST_SECONDS

    def _learn(self, found: SearchResult) -> None:
        if self.best is None or found.exact or found.depth >= self.best.depth:
            self.best = found


def at_once(engines: Engines, position: Position) -> SearchResult:
    """Return what a look at each move gives, which takes no time."""
    with engines.lent(None, position.rules_id, LEVEL_MIB) as engine:
        return engine.best_move(position, Limit(depth=1))
