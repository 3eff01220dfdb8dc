"""A bot that runs in a process and speaks the engine protocol.

    open      uci ──► … uciok · setoption … · isready ──► readyok
    new game  setoption UCI_Variant, Seed · ucinewgame · isready ──► readyok
    a move    position …, go … ──► info … · bestmove MOVE ──► Reply
              when its time is up: stop, isready ──► Fault

`docs/protocol.md` describes the protocol, `protocol.py` parses it. The process is kept between
games.
"""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NoReturn

from noughts.arena import protocol
from noughts.arena.bot import Bot, Entry, Fault, GameSetup, Reply, Turn, Verdict
from noughts.arena.process import Child, printable
from noughts.games import registry
from noughts.games.position import IllegalMove, NotationError, Player, Position

SEED = "Seed"
"""The option for the seed of a game."""
SHOWN_LINES = 3
"""Maximum number of lines outside the protocol in a message."""


def check(text: str, rest: str) -> None:
    """Check that the text after `uci:` is a command.

    Raises:
        NotationError: a quote is not closed, or there is no such program.
    """
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise NotationError(text, "BOT", f"{rest!r} is not a command: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise NotationError(text, "BOT", f"there is no program {words[0] if words else rest!r}")


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return `None`: only the bot's process knows whether it can play after the opening."""
    return None


def open_bot(entry: Entry, rest: str) -> Bot:
    """Return the bot that the command `rest` starts, ready for a game.

    Raises:
        Fault: it cannot be started, is not ready in time, or lacks an option of the entry.
    """
    return ProcessBot(entry, shlex.split(rest))


class ProcessBot(Bot):
    """A process that speaks the engine protocol."""

    knows_protocol = True
    """Whether the author of the bot wrote its part of the protocol, so that faults may quote it."""

    def __init__(self, entry: Entry, argv: list[str]) -> None:
        self.entry = entry
        self.argv = argv
        self._start()

    def _start(self) -> None:
        began = time.monotonic()
        entry = self.entry
        self.child = Child(
            self.argv,
            bounds=entry.bounds,
            directory=entry.directory,
            name=entry.name,
            tells_lines=self.knows_protocol,
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

    def new_game(self, setup: GameSetup) -> None:
        """Send the rules and a seed; start the process again if it has died since the last game."""
        try:
            self._prepare(setup)
        except Fault as fault:
            if fault.verdict not in (Verdict.CRASH, Verdict.EXIT):
                raise
            self.child.close()
            self._start()
            self._prepare(setup)

    def _prepare(self, setup: GameSetup) -> None:
        self._started_until = time.monotonic() + self.entry.bounds.start_seconds
        rules_id = setup.start.rules_id
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
            value = least + setup.seed % (most - least + 1)
            self.child.send(protocol.set_option_line(seed.name, str(value)))
        self.child.send("ucinewgame")
        self._ask("isready", "readyok")

    def choose(self, turn: Turn) -> Reply:
        until = time.monotonic() + turn.deadline
        child = self.child
        while child.line(0) is not None:
            pass  # lines after its last move
        self._question = protocol.go_line(turn)
        child.send(protocol.position_line(turn.start, turn.moves), self._question)
        info, others = "", list[str]()
        for word, line in self._lines(until, others):
            if word == "bestmove":
                return self._reply(turn, line, info)
            # Parsed only after the move, since an engine may write many lines.
            if word == "info" and (" score " in line or " score " not in info):
                info = line
        return self._stop(turn, others)

    def close(self) -> None:
        with suppress(Fault):
            self.child.send("quit")
        self.child.close()

    def _ask(self, question: str, answer: str) -> None:
        """Send a line, and wait for the line that ends the reply."""
        child = self.child
        child.send(question)
        others: list[str] = []
        for word, line in self._lines(self._started_until, others):
            if word == answer:
                return
            if word == "option":
                with suppress(NotationError):
                    option = protocol.parse_option(line)
                    self._offered[option.name.lower()] = option
        raise child.fault(Verdict.SLOW_START, self._instead_of(question, answer, others))

    def _instead_of(self, question: str, answer: str, others: list[str]) -> str:
        """Return the message that an answer did not come in time, with the lines that came."""
        seconds = f"{self.entry.bounds.start_seconds:g} s"
        late = f"it did not answer `{question}` with `{answer}` within {seconds}"
        return late + self._instead(others)

    def _lines(self, until: float, others: list[str]) -> Iterator[tuple[str, str]]:
        """Yield the first word and the whole of each line that comes before `until`.

        The first lines outside the protocol are added to `others`.
        """
        while (line := self.child.line(until - time.monotonic())) is not None:
            word = next(iter(line.split(maxsplit=1)), "")
            if word not in protocol.ANSWERS and len(others) < SHOWN_LINES:
                others.append(line)
            yield word, line
            if time.monotonic() >= until:
                return

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
        """Return the move of a `bestmove` line with the report of the last `info` line."""
        try:
            text = protocol.parse_bestmove(line)
            if text is None:
                raise NotationError(line, "bestmove", "the game is not over")
            move = turn.position.parse_move(text)
        except NotationError as error:
            self._refuse(turn, Verdict.GARBAGE, line, info, error.reason)
        except IllegalMove as error:
            starts = (turn.start, registry.game(turn.start.rules_id))
            known = {start.move_text(move) for start in starts for move in start.legal_moves()}
            verdict = Verdict.ILLEGAL if text in known else Verdict.GARBAGE
            self._refuse(turn, verdict, line, info, error.reason)
        try:
            said = protocol.parse_info(info)
        except NotationError:
            return Reply(move)
        return Reply(move, said.value, said.depth, said.nodes)

    def _refuse(self, turn: Turn, verdict: Verdict, line: str, info: str, reason: str) -> NoReturn:  # noqa: ARG002
        """Raise the fault of a bot whose `bestmove` line is refused.

        Args:
            turn: the request.
            verdict: of the fault.
            line: the line.
            info: the report before it.
            reason: why it is refused.
        """
        legal = turn.position.move_text(turn.position.legal_moves()[0])
        answered = f"{printable(line)!r} to `{self._question}` in {turn.position}"
        message = f"it answered {answered}: {reason}; expected, for example, `bestmove {legal}`"
        raise self.child.fault(verdict, message)

    def _stop(self, turn: Turn, others: list[str]) -> NoReturn:
        """Raise the fault of a bot that has not moved in time."""
        child = self.child
        now = time.monotonic()
        patience = self.entry.bounds.stop_seconds
        began, until = now - turn.deadline, now + patience
        begun = child.partial
        child.send("stop", "isready")
        lives = False
        late = f"it gave no move within {turn.deadline:.3f} s of `{self._question}`"
        for word, line in self._lines(until, others):
            if word == "bestmove":
                if begun.split()[:1] == [word]:
                    message = f"{late}, but {printable(begun)!r} without an end of line"
                    raise child.fault(Verdict.GARBAGE, message)
                seconds = time.monotonic() - began
                message = f"{late}, but {printable(line)!r} after {seconds:.3f} s, told to stop"
                raise child.fault(Verdict.TIME, message)
            lives = lives or word == "readyok"
        if others:
            message = f"{late}, but lines outside the protocol: expected `bestmove MOVE`"
            raise child.fault(Verdict.GARBAGE, message + self._instead(others))
        if lives:
            message = f"{late}; it then answered `isready`, but not `stop`: expected `bestmove …`"
            raise child.fault(Verdict.STOP, message)
        message = f"{late}, and answered neither `stop` nor `isready` within {patience:g} s"
        raise child.fault(Verdict.HANG, message + self._instead(others))

    def _instead(self, others: list[str]) -> str:
        """Return the end of a message: the lines in place of a reply, and their likely fault."""
        said = ", ".join(repr(printable(line)) for line in others)
        if self.child.partial:
            begun = printable(self.child.partial)
            return f"; it wrote {begun!r} without an end of line"
        return f"; it wrote {said}" if said else "; it wrote nothing: does it flush its output?"
