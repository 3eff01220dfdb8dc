"""Agents of the nine-board course server, UNSW COMP3411/9814, assignment 3: `nineboard:COMMAND`.

    COMMAND -p PORT ──connects to──► the match, on this machine; a new process for each game
    new game   init.  start(x).  or  start(o).          ──► agent
    Turn       second_move(K,L).     O: X began on board K, cell L      ──► agent ──► 1 to 9
               third_move(K,L,M).    X: it was given K, L; O answered M ──► agent ──► 1 to 9
               next_move(M).         the opponent's cell                ──► agent ──► 1 to 9
    the end    last_move(M).  win(triple).  loss(…).  draw(full_board).  end.  ──► agent

Boards and cells are 1 to 9, as in noughts. For an agent that gets `start(x)`,
the server chooses the first move (board and cell) and reports it in `third_move`. Standard output
of an agent is ignored (cse.unsw.edu.au/~cs3411: servt.c, client.c and agent.py, handed out with
the assignment).

So openings must have exactly one move, and the rules must be `advanced:full=draw`, as the protocol
has no word for a choice of board.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Sequence
from contextlib import suppress

from noughts.arena.adapters.program import LATE_SECONDS, garbage, open_child
from noughts.arena.bot import Bot, Entry, Fault, GameSetup, Reply, Turn, Verdict
from noughts.arena.process import LINE_BYTES
from noughts.arena.uci import check
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position, Termination
from noughts.games.record import RESULTS, Record
from noughts.games.registry import game

__all__ = ["Agent", "check", "open_bot", "refusal"]

RULES = "advanced:full=draw"
OPENING = 1
"""Plies that the server plays before the agents move."""

_OUT_OF_TIME = (Verdict.TIME, Verdict.HANG, Verdict.SLOW_START, Verdict.STOP)
_CAUSES = {
    **{termination.value: "triple" for termination in Termination},
    Termination.FULL.value: "full_board",
    Termination.TARGET.value: "full_board",
    **{
        verdict.value: "timeout" if verdict in _OUT_OF_TIME else "illegal_move"
        for verdict in Verdict
    },
}
"""The server's words for the ends of games."""


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return why an agent cannot play after the opening, or `None` if it can."""
    if start.rules_id != RULES:
        return f"an agent of the nine-board server plays {RULES}, not {start.rules_id}"
    if start != game(RULES) or len(opening) != OPENING:
        return (
            "the nine-board server plays the first move of a game and no other, so an agent needs "
            "openings of one move from the start: play with --plies 1"
        )
    return None


def open_bot(entry: Entry, rest: str) -> Bot:  # noqa: ARG001 - its text has it
    """Start the agent and wait until it connects.

    Raises:
        Fault: it does not start, or does not connect in time.
    """
    return Agent(entry)


class Agent(Bot):
    """An agent: each game starts a process of its own, as the server does.

    An agent may therefore leave at the end of a game, and need not clear its board.
    """

    def __init__(self, entry: Entry) -> None:
        self._entry = entry
        self._has_played = False
        self._start()

    def _start(self) -> None:
        entry = self._entry
        seconds = entry.bounds.start_seconds
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            self._child = open_child(entry, "-p", str(port))
            try:
                if not self._child.wait_for(server, seconds):
                    reason = f"it did not connect to port {port} within {seconds:g} s"
                    raise self._child.fault(Verdict.SLOW_START, reason)
                self._socket, _ = server.accept()
            except BaseException:
                self._child.close(0)
                raise
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = bytearray()
        try:
            self._say("init.")
        except Fault:
            self.close()
            raise

    def new_game(self, setup: GameSetup) -> None:
        if self._has_played:
            self.close()
            self._start()
        self._has_played = True
        self._side = setup.side
        self._say(f"start({str(setup.side).lower()}).")

    def choose(self, turn: Turn) -> Reply:
        until = time.monotonic() + turn.deadline
        position = turn.position
        assert isinstance(position, NestedPosition)
        board, cells = turn.moves[0] // 9 + 1, [move % 9 + 1 for move in turn.moves]
        if len(cells) == 1:
            self._say(f"second_move({board},{cells[0]}).")
        elif len(cells) == 2:
            self._say(f"third_move({board},{cells[0]},{cells[1]}).")
        else:
            self._say(f"next_move({cells[-1]}).")
        line = self._line(until)
        if not re.fullmatch("[+-]?[0-9]{1,9}", line):
            raise garbage(self._child, line, "a cell from 1 to 9")
        if not 1 <= int(line) <= 9:
            raise self._child.fault(Verdict.ILLEGAL, f"it answered {line}; the cells are 1 to 9")
        assert position.forced is not None
        return Reply(9 * position.forced + int(line) - 1)

    def end_game(self, record: Record) -> None:
        cause = _CAUSES.get(record.termination, "triple")
        *_, last = record.positions()
        if last.outcome() is not None and last.turn is self._side:
            self._say(f"last_move({record.moves[-1] % 9 + 1}).")
        word = {RESULTS[self._side]: "win", RESULTS[self._side.other]: "loss"}
        self._say(f"{word.get(record.result, 'draw')}({cause}).")

    def close(self) -> None:
        with suppress(OSError):
            self._socket.sendall(b"end.\n")
        self._socket.close()
        self._child.close()

    def _say(self, line: str) -> None:
        try:
            self._socket.sendall(f"{line}\n".encode())
        except BlockingIOError:
            raise self._child.fault(Verdict.HANG, "it does not read its connection") from None
        except OSError:
            raise self._gone() from None

    def _line(self, until: float) -> str:
        """Return the next line that the agent sends."""
        while b"\n" not in self._read:
            left = until + LATE_SECONDS - time.monotonic()
            if not self._child.wait_for(self._socket, max(0.0, left)):
                begun = ", but one without an end of line" if self._read else ""
                reason = f"no answer came where a cell from 1 to 9 is expected{begun}"
                raise self._child.fault(Verdict.HANG, reason)
            try:
                chunk = self._socket.recv(1 << 16)
            except OSError:
                chunk = b""
            if not chunk:
                raise self._gone()
            self._read += chunk
            if len(self._read) > LINE_BYTES:
                raise self._child.fault(Verdict.FLOOD, "it sent a megabyte in place of a cell")
        line, _, rest = self._read.partition(b"\n")
        self._read = bytearray(rest)
        return line.decode(errors="replace").strip()

    def _gone(self) -> Fault:
        """Return the fault of an agent that has closed its connection, usually by a crash."""
        until = time.monotonic() + LATE_SECONDS
        try:
            while (left := until - time.monotonic()) > 0 and self._child.line(left) is not None:
                pass
        except Fault as fault:
            return fault
        return self._child.fault(Verdict.EXIT, "it closed its connection before the game was over")
