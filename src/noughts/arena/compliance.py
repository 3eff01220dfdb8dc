"""Whether a program keeps the engine protocol: one check after another, each with its reason.

    command ──► Child ──send, line──► Talk ──► check ──► Finding: passed, failed, not offered
                                       └── what was said on both sides

Checks share a process as long as it behaves; after a failure the next one gets a new one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Literal, NamedTuple

import noughts
from noughts.arena.bot import Bounds, Fault, Verdict
from noughts.arena.control import MARGIN
from noughts.arena.process import Child, printable
from noughts.arena.protocol import (
    VARIANT,
    Option,
    is_answer,
    parse_bestmove,
    parse_info,
    parse_option,
    plays,
    position_line,
    set_option_line,
)
from noughts.games.position import IllegalMove, NotationError, Position

SECONDS = 10.0
"""What an engine is given to start, and to answer where no time is set."""
PROMPT = 0.2
"""The share of these seconds within which `stop`, and `isready` to one that thinks, are answered:
a match waits no longer."""
THINKING = 0.3
"""Seconds for which an engine is left to think without a limit."""
MOVE_MILLISECONDS = 20
"""The time for a move where time is not what is checked."""
MEASURED_MILLISECONDS = 150
TRIES = 5
"""An engine is late if it is so many times in a row: a busy machine is late at times."""
POSITIONS = 8
"""Random positions that each check of moves looks at."""
SAID_LINES = 30
"""So many of the lines said are kept with a finding."""
SAMPLES = {
    "mnk": ("mnk:3,3,3", "mnk:5,4,4,misere"),
    "connect4": ("connect4:5,4",),
    "advanced": ("advanced:full=draw",),
    "ultimate": ("ultimate:tie=boards,won=open",),
}
"""Rules that stand for all of a name with options."""

Outcome = Literal["passed", "failed", "not offered"]


class Finding(NamedTuple):
    """What a check found."""

    check: str
    rules_id: str | None
    """The rules that were played, where that matters."""
    outcome: Outcome
    reason: str = ""
    """Why it did not pass."""
    said: tuple[str, ...] = ()
    """What was said: `> ` before a line to the engine, `< ` before one from it."""


class Failed(Exception):
    """The engine did not do what the protocol asks for."""


class NotOffered(Exception):
    """The engine says that it does not do this, and need not."""


class Talk:
    """A process, and what was said to it and by it."""

    def __init__(self, argv: Sequence[str], seconds: float) -> None:
        self.seconds = seconds
        self.said: list[str] = []
        self.options: dict[str, Option] = {}
        self.name = ""
        self.strange: list[str] = []
        """Lines that are not of the protocol."""
        self.introduction: tuple[str, ...] = ()
        """What it said to `uci`."""
        self.is_over = False
        self.child = Child(argv, bounds=Bounds(start_seconds=seconds))
        try:
            self._introduce()
        except BaseException:
            self.close()
            raise

    def _introduce(self) -> None:
        self.send("uci")
        for line in self.until("uciok"):
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()
            with suppress(NotationError):
                option = parse_option(line)
                self.options[option.name] = option
        self.introduction = tuple(self.said)

    def send(self, line: str) -> None:
        self.said.append(f"> {line}")
        self.child.send(line)

    def line(self, seconds: float) -> str | None:
        line = self.child.line(seconds)
        if line is None:
            return None
        said = f"< {printable(line)}"
        if said.startswith("< info ") and self.said and self.said[-1].startswith("< info "):
            self.said.pop()  # Of what it thinks the last is enough.
        self.said.append(said)
        if line.strip() and not is_answer(line):
            self.strange.append(f"{line!r} is no answer of the protocol")
        with suppress(ValueError):
            self._note(line)
        return line

    def _note(self, line: str) -> None:
        parse = {"info": parse_info, "option": parse_option}.get(line.partition(" ")[0])
        if parse is not None:
            try:
                parse(line)
            except NotationError as error:
                self.strange.append(str(error))

    def until(self, word: str, seconds: float | None = None) -> list[str]:
        """Return the lines up to the one that begins with `word`.

        Raises:
            Failed: it does not come in time.
        """
        allowed = self.seconds if seconds is None else seconds
        ends = time.perf_counter() + allowed
        lines: list[str] = []
        while (line := self.line(max(0.0, ends - time.perf_counter()))) is not None:
            lines.append(line)
            if line.split()[:1] == [word]:
                return lines
        wrong = next((line for line in lines if not is_answer(line)), "")
        begun = self.child.partial
        reason = f"no {word} within {allowed:g} s"
        if begun or wrong:
            reason += f"; it wrote {printable(begun or wrong)!r}"
            reason += " without an end of line" if begun else ""
        if begun or not any(said.startswith("<") for said in self.said):
            reason += ": does it flush its output?"
        raise Failed(reason)

    def bestmove(self, seconds: float | None = None) -> str | None:
        try:
            return parse_bestmove(self.until("bestmove", seconds)[-1])
        except NotationError as error:
            raise Failed(str(error)) from None

    def ready(self) -> None:
        """Wait until it has dealt with what was sent; a move that nobody asked for is a failure."""
        self.send("isready")
        if any(line.startswith("bestmove") for line in self.until("readyok")):
            raise Failed("bestmove, though there was no go")

    def set_rules(self, rules_id: str) -> None:
        self.send(set_option_line(VARIANT, rules_id))
        self.send("ucinewgame")
        self.ready()

    def move(self, start: Position, moves: Sequence[int], go: str) -> int:
        """Ask for a move and return it.

        Raises:
            Failed: it is not a legal one.
        """
        self.send(position_line(start, moves))
        self.send(go)
        text = self.bestmove()
        position = after(start, moves)
        if text is None:
            raise Failed(f"bestmove none, though the game goes on: {position}")
        try:
            return position.parse_move(text)
        except IllegalMove as error:
            raise Failed(str(error)) from None

    def close(self) -> None:
        self.is_over = True
        self.child.close()


def after(start: Position, moves: Sequence[int]) -> Position:
    for move in moves:
        start = start.play(move)
    return start


def lines_of_play(start: Position, rng: random.Random) -> Iterator[list[int]]:
    """Yield the moves of random games for ever, each broken off where it still goes on."""
    while True:
        moves: list[int] = []
        position = start
        while position.outcome() is None:
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
        yield moves[: rng.randrange(len(moves))]


GO = f"go movetime {MOVE_MILLISECONDS}"


def name(talk: Talk) -> None:
    """It says its name: `id name …`."""
    if not talk.name:
        raise Failed("no line id name NAME before uciok")


def options(talk: Talk) -> None:
    """Its options have defaults that they allow, and `UCI_Variant` is among them."""
    for option in talk.options.values():
        if option.kind in ("check", "spin", "combo"):
            try:
                option.check(option.default)
            except NotationError as error:
                raise Failed(f"the default of the option {option.name}: {error}") from None
    if VARIANT not in talk.options:
        offered = ", ".join(talk.options) or "none"
        raise Failed(f"no option {VARIANT}, which names the rules; its options are {offered}")


def readyok(talk: Talk) -> None:
    """It answers `isready`, again and again."""
    for _ in range(3):
        talk.ready()


def unknown_words(talk: Talk) -> None:
    """It ignores what it does not know."""
    for line in ("", "xyzzy", "debug on", "setoption name No Such Option value 3", "ponderhit"):
        talk.send(line)
    talk.ready()


def quit_idle(talk: Talk) -> None:
    """It ends when it is told to: `quit`."""
    talk.send("quit")
    _goes(talk)


def end_of_input(talk: Talk) -> None:
    """It ends at the end of its input, as when a match was killed."""
    talk.said.append("> (the end of the input)")
    talk.is_over = True
    talk.child.close(talk.seconds * PROMPT)
    status = talk.child.status
    if status != 0:
        ended = "it did not end" if status is None or status < 0 else f"exit status {status}"
        raise Failed(f"{ended} within {talk.seconds * PROMPT:g} s of the end of its input")


def quit_thinking(talk: Talk, start: Position) -> None:
    """It ends when it is told to while it thinks."""
    talk.send(position_line(start))
    talk.send("go infinite")
    talk.line(THINKING)
    talk.send("quit")
    _goes(talk)


def _goes(talk: Talk) -> None:
    allowed = talk.seconds * PROMPT
    ends = time.perf_counter() + allowed
    try:
        while (left := ends - time.perf_counter()) > 0:
            talk.line(left)
    except Fault as fault:
        talk.is_over = True
        if fault.verdict is not Verdict.EXIT:
            raise
    else:
        raise Failed(f"it still runs {allowed:g} s after quit")


def legal_moves(talk: Talk, start: Position) -> None:
    """It gives a legal move after any moves from the start: `position startpos moves …`."""
    for moves in islice(lines_of_play(start, random.Random(1)), POSITIONS):
        talk.move(start, moves, GO)


def positions(talk: Talk, start: Position) -> None:
    """It gives a legal move from any position: `position pos STRING`."""
    for moves in islice(lines_of_play(start, random.Random(2)), POSITIONS):
        position = after(start, moves)
        if _reads_back(position):
            talk.move(position, (), GO)


def positions_and_moves(talk: Talk, start: Position) -> None:
    """It gives a legal move after moves from any position: `position pos STRING moves …`."""
    for moves in islice(lines_of_play(start, random.Random(3)), POSITIONS):
        middle = len(moves) // 2
        position = after(start, moves[:middle])
        if _reads_back(position):
            talk.move(position, moves[middle:], GO)


def _reads_back(position: Position) -> bool:
    """Whether the position's own game reads its string: a user's may know its start alone."""
    try:
        return noughts.position(str(position)) == position
    except NotationError:
        return False


def movetime(talk: Talk, start: Position) -> None:
    """It moves within the time for a move: `go movetime`."""
    go = f"go movetime {MEASURED_MILLISECONDS}"
    _in_time(talk, start, go, MEASURED_MILLISECONDS / 1000 + MARGIN)


def clock(talk: Talk, start: Position) -> None:
    """It moves before its clock runs out: `go wtime … btime …`."""
    for moves in ((), start.legal_moves()[:1]):
        _in_time(talk, start, "go wtime 400 btime 400 winc 0 binc 0", 0.4 + MARGIN, moves)


def _in_time(
    talk: Talk, start: Position, go: str, allowed: float, moves: Sequence[int] = ()
) -> None:
    taken = []
    for _ in range(TRIES):
        talk.ready()
        began = time.perf_counter()
        talk.move(start, moves, go)
        taken.append(time.perf_counter() - began)
        if taken[-1] <= allowed:
            return
    times = ", ".join(f"{seconds:.3f}" for seconds in taken)
    raise Failed(f"{go}: its moves took {times} s, each of them more than {allowed:.3f} s")


def depth_and_nodes(talk: Talk, start: Position) -> None:
    """It moves when told how far to look, by depth or by nodes."""
    for go in ("go depth 1", "go nodes 100", "go depth 2 nodes 1000 movetime 200"):
        talk.move(start, (), go)


def stop(talk: Talk, start: Position) -> None:
    """It answers `stop` with its move, at once, and does not move before it: `go infinite`."""
    talk.send(position_line(start))
    talk.send("go infinite")
    ends = time.perf_counter() + THINKING
    while (line := talk.line(max(0.0, ends - time.perf_counter()))) is not None:
        if line.startswith("bestmove"):
            raise Failed("bestmove before stop, though go infinite was asked for")
    talk.send("stop")
    text = talk.bestmove(talk.seconds * PROMPT)
    try:
        start.parse_move(text or "none")
    except IllegalMove as error:
        raise Failed(str(error)) from None


def readyok_thinking(talk: Talk, start: Position) -> None:
    """It answers `isready` while it thinks."""
    talk.send(position_line(start))
    talk.send("go infinite")
    talk.send("isready")
    lines = talk.until("readyok", talk.seconds * PROMPT)
    if not any(line.startswith("bestmove") for line in lines):
        talk.send("stop")
        try:
            talk.bestmove(talk.seconds * PROMPT)
        except Failed:
            talk.is_over = True  # That is for another check to say.


def stop_idle(talk: Talk) -> None:
    """It says nothing to a `stop` when it does not think."""
    talk.send("stop")
    talk.ready()


def bad_position(talk: Talk, start: Position) -> None:
    """It survives a bad position or move, and has no move there: `bestmove none`."""
    for line in (
        "position pos nonsense~9~Q",
        f"position pos {start.rules_id}~",
        "position startpos moves nonsense",
        "position",
    ):
        talk.send(line)
        talk.send(GO)
        if (text := talk.bestmove()) is not None:
            raise Failed(f"bestmove {text} after {line!r}, where bestmove none is wanted")
    talk.move(start, (), GO)


def game_over(talk: Talk, start: Position) -> None:
    """It has no move in a game that is over: `bestmove none`."""
    rng = random.Random(4)
    position, moves = start, list[int]()
    while position.outcome() is None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    talk.send(position_line(start, moves))
    talk.send(GO)
    if (text := talk.bestmove()) is not None:
        raise Failed(f"bestmove {text}, though the game is over: {position}")


def two_games(talk: Talk, start: Position) -> None:
    """It plays two games one after the other, both sides of each."""
    for _ in range(2):
        talk.send("ucinewgame")
        talk.ready()
        position, moves = start, list[int]()
        while position.outcome() is None:
            moves.append(talk.move(start, moves, GO))
            position = position.play(moves[-1])


def seed(talk: Talk, start: Position) -> None:
    """With the same seed it plays the same: `setoption name Seed`."""
    if "Seed" not in talk.options:
        raise NotOffered("it has no option Seed")
    first, second = (_seeded(talk, start) for _ in range(2))
    if first != second:
        texts = [start.move_text(move) for move in (first, second)]
        raise Failed(f"with the seed 7 it played {texts[0]}, and then {texts[1]}")


def _seeded(talk: Talk, start: Position) -> int:
    talk.send(set_option_line("Seed", "7"))
    talk.send("ucinewgame")
    talk.ready()
    return talk.move(start, (), "go nodes 200")


OF_ANY_RULES: dict[str, Callable[[Talk], None]] = {
    "name": name,
    "options": options,
    "readyok": readyok,
    "unknown words": unknown_words,
    "stop when idle": stop_idle,
    "quit": quit_idle,
    "end of input": end_of_input,
}
OF_RULES: dict[str, Callable[[Talk, Position], None]] = {
    "legal moves": legal_moves,
    "positions": positions,
    "positions and moves": positions_and_moves,
    "movetime": movetime,
    "clock": clock,
    "depth and nodes": depth_and_nodes,
    "stop": stop,
    "readyok while thinking": readyok_thinking,
    "bad position": bad_position,
    "game over": game_over,
    "two games": two_games,
    "seed": seed,
    "quit while thinking": quit_thinking,
}
RULES, ONLY_PROTOCOL = "rules", "only protocol"
"""Two checks more: whether the rules are offered, and whether nothing else was ever said."""
ABOUT = {
    **{key: check.__doc__ or "" for key, check in (*OF_ANY_RULES.items(), *OF_RULES.items())},
    RULES: "It offers the rules among the choices of `UCI_Variant`.",
    ONLY_PROTOCOL: "Nothing else is on its output, and what is there is well formed.",
}
"""What each check looks at, in a sentence."""


class Compliance:
    """The checks of one program.

    Args:
        argv: the program and its arguments.
        seconds: what it is given to start, and to answer where no time is set.

    Raises:
        Fault: it does not start, or does not answer `uci`.
    """

    def __init__(self, argv: Sequence[str], *, seconds: float = SECONDS) -> None:
        self._argv = argv
        self._seconds = seconds
        self._strange: list[str] = []
        try:
            self._talk = Talk(argv, seconds)
        except Failed as error:
            raise Fault(Verdict.SLOW_START, str(error)) from None
        self.name = self._talk.name
        self._variant = self._talk.options.get(VARIANT)

    def rules_ids(self) -> list[str]:
        """Return rules that the engine offers, some for those that it offers in general."""
        offered = self._variant.choices if self._variant is not None else ()
        found: dict[str, None] = {}
        for choice in offered:
            family, _, rest = choice.partition(":")
            for rules_id in SAMPLES.get(family, ()) if rest == "*" else (choice,):
                with suppress(NotationError):
                    found[noughts.game(rules_id).rules_id] = None
        return list(found)

    def findings(self, rules_ids: Sequence[str]) -> Iterator[Finding]:
        """Yield what each check finds, those of rules for each of `rules_ids`.

        Raises:
            NotationError: no such rules.
        """
        starts = [noughts.game(rules_id) for rules_id in rules_ids]
        for key, check in OF_ANY_RULES.items():
            yield self._finding(key, None, check)
        for start in starts:
            rules_id = start.rules_id
            if self._variant is None or not plays(self._variant, rules_id):
                yield Finding(RULES, rules_id, "not offered", f"{VARIANT} does not offer them")
                continue
            for key, check_of_rules in OF_RULES.items():

                def check_rules(
                    talk: Talk, check: Callable[[Talk, Position], None] = check_of_rules
                ) -> None:
                    talk.set_rules(rules_id)  # noqa: B023 - called at once
                    check(talk, start)  # noqa: B023

                yield self._finding(key, rules_id, check_rules)
        self._end_talk()
        outcome: Outcome = "failed" if self._strange else "passed"
        reason = "; ".join(dict.fromkeys(self._strange[:3]))
        yield Finding(ONLY_PROTOCOL, None, outcome, reason)

    def close(self) -> None:
        """End the engine."""
        self._talk.close()

    def _end_talk(self) -> None:
        self._strange += self._talk.strange
        self._talk.close()

    def _finding(self, key: str, rules_id: str | None, check: Callable[[Talk], None]) -> Finding:
        outcome: Outcome = "passed"
        reason = ""
        try:
            if self._talk.is_over:
                self._end_talk()
                self._talk = Talk(self._argv, self._seconds)
            self._talk.said.clear()
            check(self._talk)
        except NotOffered as error:
            outcome, reason = "not offered", str(error)
        except (Failed, Fault) as error:
            outcome, reason = "failed", str(error)
            self._talk.is_over = True
        said = tuple(self._talk.said[-SAID_LINES:]) or self._talk.introduction
        return Finding(key, rules_id, outcome, reason, said)
