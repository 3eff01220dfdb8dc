"""The moves of machines on the page: searched in slices, on engines that the page lends.

engine:seconds=3 ──parse_machine()──► Opponent ──► MoveSearch ──► the best move so far
"""

from __future__ import annotations

import re
import time
from dataclasses import replace

from noughts.answers.rules import SLOWEST
from noughts.engine import is_native
from noughts.games.position import NotationError, Position
from noughts.opponents import OPPONENTS, Opponent, OpponentFailed, opponent
from noughts.search.result import Limit, SearchResult
from noughts.web.pool import Engines

MACHINES = ("engine", "perfect", "random")
"""Kinds of opponents in the games of the engine: those that search natively or not at all."""
TEXTBOOK = tuple(kind for kind in OPPONENTS if kind not in ("human", "engine"))
"""Kinds of opponents in other games, where they search in a worker process."""
LARGEST_MIB = 64
"""Maximum and default memory of a machine's tables."""
LEVEL_MIB, HIGH_LEVEL_MIB = 4, 16
"""Default memory of the tables of a level, up to 7 and from 8 on."""
FIRST_HIGH_LEVEL = 8
LEVEL = re.compile(r"engine:level=\d+")
"""A level without further options."""
QUICK = "negamax:depth=1"
"""The opponent that moves in place of a stopped one in a worker process."""
MIN_SECONDS = 0.01
"""Seconds for the search of a machine whose time has run out while it was queued."""


def parse_machine(text: str, position: Position) -> Opponent:
    """Return the machine that a text names, for the game of a position.

    Raises:
        NotationError: no such opponent, or one that the page does not offer or bounds exclude.
    """
    machine = opponent(text)
    kinds = MACHINES if is_native(position) else TEXTBOOK
    if machine.kind not in kinds:
        reason = f"on the page choose me, guest or one of {', '.join(kinds)}"
        raise NotationError(text, "OPPONENT", reason)
    if "net" in machine.values:
        raise NotationError(text, "OPPONENT", "on the page the engine has only its own net")
    if "sight" in machine.values:
        raise NotationError(text, "OPPONENT", "on the page choose a level from 1 to 10")
    if machine.values.get("threads", 1) > 1:
        raise NotationError(text, "OPPONENT", "on the page the engine has one thread")
    for key, most, unit in (("seconds", SLOWEST, "seconds"), ("table", LARGEST_MIB, "MiB")):
        if machine.values.get(key, 0) > most:
            reason = f"on the page {key} must be at most {most:g} {unit}"
            raise NotationError(text, "OPPONENT", reason)
    return machine


def is_level(text: str, position: Position) -> bool:
    """Return whether an opponent is a level of the engine, which a visitor's engine plays, too."""
    return LEVEL.fullmatch(text) is not None and is_native(position)


def table_mib(machine: Opponent) -> int:
    """Return the memory of a machine's tables in MiB."""
    level = machine.values.get("level", 0)
    usual = LARGEST_MIB
    if level:
        usual = LEVEL_MIB if level < FIRST_HIGH_LEVEL else HIGH_LEVEL_MIB
    mib: int = machine.values.get("table", usual)
    return mib


class MoveSearch:
    """The search of a machine for its move, in slices.

    Args:
        engines: lends the engine.
        owner: the game; its engine is kept between slices and moves.
        position: the position to move in.
        machine: the opponent that is to move.
    """

    def __init__(self, engines: Engines, owner: str, position: Position, machine: Opponent) -> None:
        self._engines, self._owner = engines, owner
        self._position, self._machine = position, machine
        self._limit = machine.limit(position)
        self._asked = time.monotonic()
        self._nodes, self._spent = 0, 0.0
        self._enough = self._gives_way = False
        self.best: SearchResult | None = None
        """The best move so far."""
        self.failure: OpponentFailed | None = None
        """The reason why the machine cannot play `best`; `None` if it can."""

    @property
    def seconds(self) -> float | None:
        """Time limit of the answer, waiting included; `None` if only the search is limited."""
        return None if self._machine.kind == "perfect" else self._limit.seconds

    def stop(self) -> None:
        """End the search with the best move so far."""
        self._enough = True
        self.give_way()

    def give_way(self) -> None:
        """End the slice soon."""
        self._gives_way = True
        self._machine.stop()

    def go_on(self) -> bool:
        """Search on; return whether the search is finished."""
        self._gives_way = False
        machine, values = self._machine, self._machine.values
        lent = self._engines.lent(
            # A level clears the tables before each move, so that it needs no other tables.
            None if machine.errs else self._owner,
            self._position.rules_id,
            table_mib(machine),
            evaluation=values.get("evaluation"),
            book=values.get("book", True),
            seed=values.get("seed"),
        )
        self.failure = None
        with lent as engine:
            try:
                for found in machine.think(self._position, self._left(), engine=engine):
                    self._learn(found)
            except OpponentFailed:
                reason = f"it could not solve the position within {self._limit.seconds:g} seconds"
                self.failure = OpponentFailed(reason)
        self._nodes += found.nodes
        self._spent += found.seconds
        done = machine.errs or self._enough or not self._gives_way
        return bool(done or found.exact or self._is_late())

    def _left(self) -> Limit:
        """Return the rest of the limit."""
        limit = self._limit
        seconds = SLOWEST if limit.seconds is None else limit.seconds
        used = self._spent if self.seconds is None else time.monotonic() - self._asked
        nodes = None if limit.nodes is None else max(1, limit.nodes - self._nodes)
        return replace(limit, nodes=nodes, seconds=max(seconds - used, MIN_SECONDS))

    def _is_late(self) -> bool:
        left = self._left()
        return left.nodes == 1 or left.seconds == MIN_SECONDS

    def _learn(self, found: SearchResult) -> None:
        if self.best is None or found.exact or found.depth >= self.best.depth:
            self.best = found


def at_once(engines: Engines, position: Position) -> SearchResult:
    """Return the best move at depth 1, which takes no time."""
    with engines.lent(None, position.rules_id, LEVEL_MIB) as engine:
        return engine.best_move(position, Limit(depth=1))
