"""Brains of the Gomocup tournament, five in a row: `gomocup:COMMAND`.

    new game   START 15, or RECTSTART 15,13, or RESTART ──► brain ──► OK
               INFO timeout_turn … timeout_match … max_memory … game_type … rule …
    Turn       INFO time_left …
               BEGIN, or TURN 7,7, or BOARD … DONE      ──► brain ──► 8,8
    the end    END

Coordinates are x,y, column and row from 0; times are milliseconds, memory is bytes. In `BOARD` a
stone is 1 if it is the brain's own and 2 if the opponent's, in the order of play. Lines that begin
with MESSAGE or DEBUG may come before any answer (plastovicka.github.io/protocl2en.htm).

In `mnk` five or more in a row win, which is the protocol's rule 0, freestyle.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from noughts.arena.adapters.program import answer, garbage, open_child
from noughts.arena.bot import Bot, Entry, Fault, Reply, Table, Turn, Verdict
from noughts.arena.process import Child
from noughts.arena.uci import check
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.games.row import MNK, RowRules

__all__ = ["Brain", "check", "open_bot", "refusal", "stones"]

K = 5
FREESTYLE = 0
"""The rule by which more than five in a row win, too."""
AGAINST_BRAIN = 1
"""The game's type where the opponent is no person."""
NO_CLOCK = 2**31 - 1
"""The milliseconds left where a game as a whole has no limit."""
END_SECONDS = 1.0
"""What a brain has to end, as in the protocol's text."""

_COORDINATES = re.compile(r"(?P<x>[0-9]{1,9})\s*,\s*(?P<y>[0-9]{1,9})")
_ASIDE = ("MESSAGE", "DEBUG")


def refusal(start: Position, opening: Sequence[int]) -> str | None:  # noqa: ARG001
    """Return why a brain cannot play from there, or `None` if it can."""
    if isinstance(start, MNK) and start.rules.k == K and not start.rules.misere:
        return None
    return f"a Gomocup brain plays five in a row, mnk:M,N,{K}, not {start.rules_id}"


def open_bot(entry: Entry, rest: str) -> Bot:  # noqa: ARG001 - its text has it
    """Return the brain; its process starts with its first game."""
    return Brain(entry)


class Brain:
    """A brain at a table; its process is kept for the next game if it can `RESTART`."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self._child: Child | None = None
        self._board: RowRules | None = None

    def new_game(self, table: Table) -> None:
        start = table.start
        assert isinstance(start, MNK)
        if not (self._child is not None and start.rules is self._board and self._restart()):
            self.close()
            self._child = open_child(self.entry)
            self._board = start.rules
            size = f"{start.rules.columns}"
            if start.rules.columns == start.rules.rows:
                self._child.send(f"START {size}\r")
            else:
                self._child.send(f"RECTSTART {size},{start.rules.rows}\r")
            self._expect_ok(self._answer(self._start_until(), "OK"))
        self._is_synchronous = False
        for key, value in self._infos(table):
            self._say(f"INFO {key} {value}")

    def _start_until(self) -> float:
        return time.monotonic() + self.entry.bounds.start_seconds

    def _restart(self) -> bool:
        self._say("RESTART")
        line = self._answer(self._start_until(), "OK")
        return line.upper().startswith("OK")

    def _expect_ok(self, line: str) -> None:
        assert self._child is not None
        if not line.upper().startswith("OK"):
            raise garbage(self._child, line, "OK")

    def _infos(self, table: Table) -> Iterator[tuple[str, int]]:
        control = table.control
        # 0 means as fast as possible: what can be said of a bound of nodes or depth.
        seconds = control.seconds if control.clock is None else control.clock
        yield "timeout_turn", _milliseconds(seconds or 0)
        yield "timeout_match", _milliseconds(control.clock or 0)
        yield "max_memory", (self.entry.bounds.memory_mib or 0) << 20
        yield "game_type", AGAINST_BRAIN
        yield "rule", FREESTYLE

    def choose(self, turn: Turn) -> Reply:
        assert self._child is not None
        until = time.monotonic() + turn.deadline
        position = turn.position
        assert isinstance(position, MNK)
        columns = position.rules.columns
        left = NO_CLOCK
        if turn.clocks is not None:
            left = _milliseconds(turn.clocks.of(position.turn))
        self._say(f"INFO time_left {left}")
        if self._is_synchronous or position.ply == 1:
            self._say(f"TURN {_at(turn.moves[-1] if turn.moves else _only(position), columns)}")
        elif position.ply == 0:
            self._say("BEGIN")
        else:
            self._say("BOARD")
            for move, player in stones(turn):
                own = 1 if player is position.turn else 2
                self._say(f"{_at(move, columns)},{own}")
            self._say("DONE")
        self._is_synchronous = True
        line = self._answer(until, "x,y")
        if line.upper().startswith("SUGGEST"):
            self._say(f"PLAY {line[len('SUGGEST') :].strip()}")
            line = self._answer(until, "x,y")
        found = _COORDINATES.fullmatch(line)
        if found is None:
            raise garbage(self._child, line, "x,y")
        x, y = int(found["x"]), int(found["y"])
        if x >= columns or y >= position.rules.rows:
            board = f"{columns} columns and {position.rules.rows} rows"
            raise self._child.fault(
                Verdict.ILLEGAL, f"it answered {line}; the board has {board}, counted from 0"
            )
        return Reply(y * columns + x)

    def _say(self, line: str) -> None:
        assert self._child is not None
        self._child.send(f"{line}\r")

    def _answer(self, until: float, wanted: str) -> str:
        assert self._child is not None
        while (line := answer(self._child, until, wanted)).upper().startswith(_ASIDE):
            pass
        return line

    def end_game(self, record: Record) -> None:
        pass

    def close(self) -> None:
        if self._child is not None:
            with suppress(Fault):
                self._child.send("END\r")
            self._child.close(END_SECONDS)
            self._child = None


def stones(turn: Turn) -> Iterator[tuple[int, Player]]:
    """Yield the stones of a position in an order of play: those of the start, then the moves."""
    start = turn.start
    assert isinstance(start, MNK)
    by_player = {
        player: [cell for cell in range(start.rules.size) if start.mark(cell) is player]
        for player in Player
    }
    for ply in range(start.ply):
        player = Player.O if ply & 1 else Player.X
        yield by_player[player][ply // 2], player
    player = start.turn
    for move in turn.moves:
        yield move, player
        player = player.other


def _only(position: MNK) -> int:
    return (position.x | position.o).bit_length() - 1


def _at(move: int, columns: int) -> str:
    return f"{move % columns},{move // columns}"


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
