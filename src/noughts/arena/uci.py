"""A bot that is a process and speaks our protocol, as the match sees it.

    open      uci ──► … uciok · setoption … · isready ──► readyok
    new game  setoption UCI_Variant, Seed · ucinewgame · isready ──► readyok
    a move    position …, go … ──► info … · bestmove MOVE ──► Reply
              and when it is too late: stop, isready ──► Fault, of the kind that fits

`docs/protocol.md` is the protocol, `protocol.py` its grammar. The process is kept between games.
"""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import noughts
from noughts.arena import protocol
from noughts.arena.bot import Bot, Entry, Fault, Reply, Table, Turn, Verdict
from noughts.arena.process import Child, printable
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.record import Record

STOP_SECONDS = 1.0
"""A bot whose time is up is told to stop, and has these to show that it lives."""
SEED = "Seed"
"""The option for the seed of a game, where a bot has it."""
SHOWN_LINES = 3
"""So many of the lines that are not of the protocol are in a message."""


def check(text: str, rest: str) -> None:
    """Check that what follows `uci:` is a command.

    Raises:
        NotationError: a quote is left open, or there is no such program.
    """
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise NotationError(text, "BOT", f"{rest!r} is not a command: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise NotationError(text, "BOT", f"there is no program {words[0] if words else rest!r}")


def refusal(start: Position, opening: Sequence[int]) -> str | None:  # noqa: ARG001
    """Return why the bot cannot play from there: `None`, as only its process knows."""
    return None


def open_bot(entry: Entry, rest: str) -> Bot:
    """Return the bot that the command `rest` starts, ready for a game.

    Raises:
        Fault: it cannot be started, is not ready in time, or lacks an option of the entry.
    """
    return ProcessBot(entry, shlex.split(rest))


class ProcessBot:
    """A process that speaks our protocol, at the other end of its pipes."""

    def __init__(self, entry: Entry, argv: list[str]) -> None:
        self.entry = entry
        self.argv = argv
        self._start()

    def _start(self) -> None:
        began = time.monotonic()
        entry = self.entry
        self.child = Child(
            self.argv, bounds=entry.bounds, directory=entry.directory, name=entry.name
        )
        self._rules_id = ""
        self._offered: dict[str, protocol.Option] = {}
        self._started_until = began + entry.bounds.start_seconds
        try:
            self._ask("uci", "uciok")
            for name, value in entry.options:
                self._set(name, value)
            self._ask("isready", "readyok")
        except BaseException:
            self.close()
            raise

    def new_game(self, table: Table) -> None:
        """Tell the process the rules and a seed; one that has died since the last game is started
        again."""
        try:
            self._prepare(table)
        except Fault as fault:
            if fault.verdict not in (Verdict.CRASH, Verdict.EXIT):
                raise
            self.child.close()
            self._start()
            self._prepare(table)

    def _prepare(self, table: Table) -> None:
        self._started_until = time.monotonic() + self.entry.bounds.start_seconds
        rules_id = table.start.rules_id
        if rules_id != self._rules_id:
            variant = self._offered.get(protocol.VARIANT.lower())
            if variant is not None and not protocol.plays(variant, rules_id):
                choices = " ".join(variant.choices)
                message = f"it does not play {rules_id}; its {variant.name} offers {choices}"
                raise self.child.fault(Verdict.UNFIT, message)
            self.child.send(protocol.set_option_line(protocol.VARIANT, rules_id))
            self._rules_id = rules_id
        seed = self._offered.get(SEED.lower())
        if seed is not None and not any(
            name.lower() == SEED.lower() for name, _ in self.entry.options
        ):
            least, most = seed.least or 0, 2**31 - 1 if seed.most is None else seed.most
            value = least + table.seed % (most - least + 1)
            self.child.send(protocol.set_option_line(seed.name, str(value)))
        self.child.send("ucinewgame")
        self._ask("isready", "readyok")

    def choose(self, turn: Turn) -> Reply:
        until = time.monotonic() + turn.deadline
        child = self.child
        while child.line(0) is not None:
            pass  # said after its last move: nobody asked
        self._question = protocol.go_line(turn)
        child.send(protocol.position_line(turn.start, turn.moves), self._question)
        info, others = "", list[str]()
        while (line := child.line(until - time.monotonic())) is not None:
            word = _first_word(line)
            if word == "bestmove":
                return self._reply(turn, line, info)
            if word == "info":
                # Taken apart only when the move is there: an engine may say much.
                if " score " in line or " score " not in info:
                    info = line
            elif word not in protocol.ANSWERS and len(others) < SHOWN_LINES:
                others.append(line)
            if time.monotonic() >= until:
                break
        return self._stop(turn, others)

    def end_game(self, record: Record) -> None:
        pass

    def close(self) -> None:
        with suppress(Fault):
            self.child.send("quit")
        self.child.close()

    def _ask(self, question: str, answer: str) -> None:
        """Send a line, and wait for the answer that ends with a line of its own."""
        child = self.child
        child.send(question)
        others: list[str] = []
        while (line := child.line(self._started_until - time.monotonic())) is not None:
            word = _first_word(line)
            if word == answer:
                return
            if word == "option":
                with suppress(NotationError):
                    option = protocol.parse_option(line)
                    self._offered[option.name.lower()] = option
            elif word not in protocol.ANSWERS and len(others) < SHOWN_LINES:
                others.append(line)
            if time.monotonic() >= self._started_until:
                break
        seconds = f"{self.entry.bounds.start_seconds:g} s"
        message = f"it did not answer `{question}` with `{answer}` within {seconds}"
        raise child.fault(Verdict.SLOW_START, message + self._instead(others))

    def _set(self, name: str, value: str) -> None:
        option = self._offered.get(name.lower())
        if option is None:
            names = ", ".join(each.name for each in self._offered.values()) or "none"
            message = f"it has no option {name}; its options are {names}"
            raise self.child.fault(Verdict.UNFIT, message)
        try:
            self.child.send(protocol.set_option_line(option.name, option.check(value)))
        except NotationError as error:
            message = f"its option {option.name} cannot be set to {value!r}: {error.reason}"
            raise self.child.fault(Verdict.UNFIT, message) from None

    def _reply(self, turn: Turn, line: str, info: str) -> Reply:
        """Return the move of a `bestmove` line, with what the last `info` line said of it."""
        try:
            text = protocol.parse_bestmove(line)
            if text is None:
                raise NotationError(line, "bestmove", "the game is not over")
            move = turn.position.parse_move(text)
        except NotationError as error:
            self._refuse(turn, Verdict.GARBAGE, line, error.reason)
        except IllegalMove as error:
            starts = (turn.start, noughts.game(turn.start.rules_id))
            known = {start.move_text(move) for start in starts for move in start.legal_moves()}
            verdict = Verdict.ILLEGAL if text in known else Verdict.GARBAGE
            self._refuse(turn, verdict, line, error.reason)
        try:
            said = protocol.parse_info(info)
        except NotationError:
            return Reply(move)
        return Reply(move, said.value, said.depth, said.nodes)

    def _refuse(self, turn: Turn, verdict: Verdict, line: str, reason: str) -> NoReturn:
        legal = turn.position.move_text(turn.position.legal_moves()[0])
        answered = f"{printable(line)!r} to `{self._question}` in {turn.position}"
        message = f"it answered {answered}: {reason}; right would be, say, `bestmove {legal}`"
        raise self.child.fault(verdict, message)

    def _stop(self, turn: Turn, others: list[str]) -> NoReturn:
        """Find out what is wrong with a bot that has given no move in time."""
        child = self.child
        now = time.monotonic()
        began, until = now - turn.deadline, now + STOP_SECONDS
        child.send("stop", "isready")
        lives = False
        late = f"it gave no move within {turn.deadline:.3f} s of `{self._question}`"
        while (line := child.line(until - time.monotonic())) is not None:
            word = _first_word(line)
            if word == "bestmove":
                seconds = time.monotonic() - began
                message = f"{late}, but {printable(line)!r} after {seconds:.3f} s, told to stop"
                raise child.fault(Verdict.TIME, message)
            lives = lives or word == "readyok"
            if word not in protocol.ANSWERS and len(others) < SHOWN_LINES:
                others.append(line)
            if time.monotonic() >= until:
                break
        if lives:
            message = f"{late}; it then answered `isready`, but not `stop`: wanted is `bestmove …`"
            raise child.fault(Verdict.STOP, message)
        if others:
            message = f"{late}, but what is not in the protocol: wanted is `bestmove MOVE`"
            raise child.fault(Verdict.GARBAGE, message + self._instead(others))
        message = f"{late}, and answered neither `stop` nor `isready` within {STOP_SECONDS:g} s"
        raise child.fault(Verdict.HANG, message + self._instead(others))

    def _instead(self, others: list[str]) -> str:
        """Say what came in place of an answer, and what may be wrong with it."""
        said = ", ".join(repr(printable(line)) for line in others)
        if self.child.partial:
            begun = printable(self.child.partial)
            return f"; it wrote {begun!r} without an end of line: does it flush its output?"
        return f"; it wrote {said}" if said else "; it wrote nothing: does it flush its output?"


def _first_word(line: str) -> str:
    return next(iter(line.split(maxsplit=1)), "")
