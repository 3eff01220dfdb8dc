"""Brains of the Gomocup tournament, five in a row: `gomocup:COMMAND`.

    new game   START 15, or RECTSTART 15,13, or RESTART ──► brain ──► OK
               INFO timeout_turn … timeout_match … max_memory … game_type … rule …
    Turn       INFO time_left …
               BEGIN, or TURN 7,7, or BOARD … DONE      ──► brain ──► 8,8
    the end    END

Coordinates are x,y, column and row from 0; times are milliseconds, memory is bytes. In `BOARD` a
stone is 1 if it is the brain's own and 2 if the opponent's, in the order of play. Lines that begin
with MESSAGE or DEBUG may come before any answer (plastovicka.github.io/protocl2en.htm). Lines end
with LF alone, as a program for Windows sees the protocol's CR LF.

In `mnk` five or more in a row win, which is the protocol's rule 0, freestyle; with `exact` only
five do, which is rule 1.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from noughts.arena.adapters.program import answer, garbage, open_child
from noughts.arena.bot import Bot, Entry, Fault, GameSetup, Reply, Turn, Verdict
from noughts.arena.control import Control
from noughts.arena.process import Child
from noughts.arena.uci import check
from noughts.games.position import Player, Position
from noughts.games.row import MNK, RowRules

__all__ = ["Brain", "check", "open_bot", "refusal", "stones_of"]

K = 5
FREESTYLE, EXACT = 0, 1
"""The rule numbers under which more than five in a row win too, or do not."""
AGAINST_BRAIN = 1
"""The game type for an opponent that is a program."""
NO_CLOCK = 2**31 - 1
"""Remaining milliseconds sent if the game has no clock."""
END_SECONDS = 1.0
"""Seconds a brain has to exit, by the protocol."""

_COORDINATES = re.compile(r"(?P<x>[0-9]{1,9})\s*,\s*(?P<y>[0-9]{1,9})")
_ASIDE = ("MESSAGE", "DEBUG")


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return why a brain cannot play after the opening, or `None` if it can."""
    if isinstance(start, MNK) and start.rules.k == K and not start.rules.misere:
        return None
    return f"a Gomocup brain plays five in a row, mnk:M,N,{K}[,exact], not {start.rules_id}"


def open_bot(entry: Entry, rest: str) -> Bot:  # noqa: ARG001 - its text has it
    """Return the brain; its process starts with its first game."""
    return Brain(entry)


class Brain(Bot):
    """A brain; its process is kept for the next game if it accepts `RESTART`."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self._child: Child | None = None
        self._board: RowRules | None = None
        """The board that the process has been started with."""

    def new_game(self, setup: GameSetup) -> None:
        assert isinstance(setup.start, MNK)
        board = setup.start.rules
        if self._child is None or board is not self._board or not _is_ok(self._begin("RESTART")):
            self.close()
            self._child, self._board = open_child(self.entry), board
            width, height = board.columns, board.rows
            start = f"START {width}" if width == height else f"RECTSTART {width},{height}"
            if not _is_ok(line := self._begin(start)):
                raise garbage(self._child, line, f"`OK` to `{start}`")
        for key, value in self._infos(setup.control, EXACT if board.exact else FREESTYLE):
            self._say(f"INFO {key} {value}")
        self._knows_board = False

    def _begin(self, command: str) -> str:
        """Return the brain's reply to START, RECTSTART or RESTART."""
        until = time.monotonic() + self.entry.bounds.start_seconds
        self._say(command)
        return self._answer(until, f"`OK` to `{command}`", Verdict.SLOW_START)

    def _infos(self, control: Control, rule: int) -> Iterator[tuple[str, int]]:
        # 0 means as fast as possible, the nearest to a limit of nodes or depth.
        seconds = control.seconds if control.clock is None else control.clock
        yield "timeout_turn", _milliseconds(seconds or 0)
        yield "timeout_match", _milliseconds(control.clock or 0)
        yield "max_memory", (self.entry.bounds.memory_mib or 0) << 20
        yield "game_type", AGAINST_BRAIN
        yield "rule", rule

    def choose(self, turn: Turn) -> Reply:
        until = time.monotonic() + turn.deadline
        for line in self._question(turn):
            self._say(line)
        self._knows_board = True
        position = turn.position
        assert isinstance(position, MNK)
        columns, rows = position.rules.columns, position.rules.rows
        wanted = f"column,row, such as `{_at(position.legal_moves()[0], columns)}`"
        line = self._answer(until, wanted)
        if line.upper().startswith("SUGGEST"):
            self._say(f"PLAY {line[len('SUGGEST') :].strip()}")
            line = self._answer(until, wanted)
        assert self._child is not None
        found = _COORDINATES.fullmatch(line)
        if found is None:
            raise garbage(self._child, line, wanted)
        x, y = int(found["x"]), int(found["y"])
        if x >= columns or y >= rows:
            reason = f"it answered {line}; columns are 0 to {columns - 1}, rows 0 to {rows - 1}"
            raise self._child.fault(Verdict.ILLEGAL, reason)
        return Reply(y * columns + x)

    def _question(self, turn: Turn) -> Iterator[str]:
        position = turn.position
        assert isinstance(position, MNK)
        columns = position.rules.columns
        clocks = turn.clocks
        left = NO_CLOCK if clocks is None else _milliseconds(clocks.of(position.turn))
        yield f"INFO time_left {left}"
        stones = list(stones_of(turn))
        if not stones:
            yield "BEGIN"
        elif self._knows_board or len(stones) == 1:
            yield f"TURN {_at(stones[-1][0], columns)}"
        else:
            yield "BOARD"
            for cell, player in stones:
                yield f"{_at(cell, columns)},{1 if player is position.turn else 2}"
            yield "DONE"

    def _say(self, line: str) -> None:
        assert self._child is not None
        self._child.send(line)

    def _answer(self, until: float, wanted: str, verdict: Verdict = Verdict.HANG) -> str:
        assert self._child is not None
        return answer(self._child, until, wanted, aside=_ASIDE, verdict=verdict)

    def close(self) -> None:
        if self._child is not None:
            with suppress(Fault):
                self._child.send("END")
            self._child.close(END_SECONDS)
            self._child = None


def stones_of(turn: Turn) -> Iterator[tuple[int, Player]]:
    """Yield the stones in a possible order of play: those of the start, then the moves."""
    start = turn.start
    assert isinstance(start, MNK)
    at_start = {
        player: [cell for cell in range(start.rules.size) if start.mark(cell) is player]
        for player in Player
    }
    player = Player.X
    for ply in range(start.ply):
        yield at_start[player][ply // 2], player
        player = player.other
    for move in turn.moves:
        yield move, player
        player = player.other


def _is_ok(line: str) -> bool:
    return line.upper().startswith("OK")


def _at(move: int, columns: int) -> str:
    return f"{move % columns},{move // columns}"


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
