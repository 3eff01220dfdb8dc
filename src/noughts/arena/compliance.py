"""Checks whether a program follows the engine protocol.

    command ──► Child ──send, line──► Talk ──► check ──► CheckResult: passed, failed, not offered
                                       └── the lines of both sides

Checks share a process; after a failure the next check starts a new one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Literal, NamedTuple

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
from noughts.games import registry
from noughts.games.position import IllegalMove, NotationError, Position

SECONDS = 10.0
"""Seconds for an engine to start, and to answer where no time is set."""
PROMPT = 0.2
"""Share of `SECONDS` for an answer to `stop`, or to `isready` during a search."""
THINKING = 0.3
"""Seconds of a search without a limit."""
MOVE_MILLISECONDS = 20
"""The time for a move in checks that are not about time."""
MEASURED_MILLISECONDS = 150
TRIES = 5
"""Late moves in a row that count as a failure, since a busy machine is late at times."""
POSITIONS = 8
"""Random positions for each check of moves."""
SAID_LINES = 30
"""Maximum number of lines kept with a result."""
SAMPLES = {
    "mnk": ("mnk:3,3,3", "mnk:5,4,3,exact,misere"),
    "connect4": ("connect4:5,4",),
    "advanced": ("advanced:full=draw",),
    "ultimate": ("ultimate:tie=boards,won=open",),
}
"""Rules to check for a choice of `UCI_Variant` such as `mnk:*`."""

CheckOutcome = Literal["passed", "failed", "not offered"]


class CheckResult(NamedTuple):
    """The result of a check."""

    check: str
    rules_id: str | None
    """The rules of the check; `None` if the check is the same for all rules."""
    outcome: CheckOutcome
    reason: str = ""
    """The reason if it did not pass."""
    said: tuple[str, ...] = ()
    """The lines of both sides: `> ` before a line to the engine, `< ` before one from it."""


class CheckFailed(Exception):
    """The engine broke the protocol."""


class NotOffered(Exception):
    """The engine does not offer an optional part of the protocol."""


class Talk:
    """A process, with the lines sent to it and received from it."""

    def __init__(self, argv: Sequence[str], seconds: float) -> None:
        self.seconds = seconds
        self.said: list[str] = []
        self.options: dict[str, Option] = {}
        self.name = ""
        self.strange: list[str] = []
        """Lines outside the protocol."""
        self.introduction: tuple[str, ...] = ()
        """The reply to `uci`."""
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
            self.said.pop()  # The last info line is enough.
        self.said.append(said)
        if line.strip() and not is_answer(line):
            self.strange.append(f"{line!r} is not a line of the protocol")
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
            CheckFailed: it does not come in time.
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
        raise CheckFailed(reason)

    def bestmove(self, seconds: float | None = None) -> str | None:
        try:
            return parse_bestmove(self.until("bestmove", seconds)[-1])
        except NotationError as error:
            raise CheckFailed(str(error)) from None

    def ready(self) -> None:
        """Wait until it has handled all lines; a move without a `go` is a failure."""
        self.send("isready")
        if any(line.startswith("bestmove") for line in self.until("readyok")):
            raise CheckFailed("bestmove, though there was no go")

    def set_rules(self, rules_id: str) -> None:
        self.send(set_option_line(VARIANT, rules_id))
        self.send("ucinewgame")
        self.ready()

    def think(self, start: Position) -> None:
        self.send(position_line(start))
        self.send("go infinite")

    def expect_none(self, when: str) -> None:
        """Ask for a move, and fail if there is one."""
        self.send(GO)
        if (text := self.bestmove()) is not None:
            raise CheckFailed(f"bestmove {text}{when}")

    def move(self, start: Position, moves: Sequence[int], go: str) -> int:
        """Ask for a move and return it.

        Raises:
            CheckFailed: the move is not legal.
        """
        self.send(position_line(start, moves))
        self.send(go)
        text = self.bestmove()
        position = start.after(moves)
        if text is None:
            raise CheckFailed(f"bestmove none, though the game is not over: {position}")
        try:
            return position.parse_move(text)
        except IllegalMove as error:
            raise CheckFailed(str(error)) from None

    def close(self) -> None:
        self.is_over = True
        self.child.close()


def random_game(position: Position, rng: random.Random) -> list[int]:
    """Return the moves of a random game."""
    moves: list[int] = []
    while position.outcome() is None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves


def lines_of_play(start: Position, rng: random.Random) -> Iterator[list[int]]:
    """Yield beginnings of random games, without end; none is a finished game."""
    while True:
        moves = random_game(start, rng)
        yield moves[: rng.randrange(len(moves))]


GO = f"go movetime {MOVE_MILLISECONDS}"


def name(talk: Talk) -> None:
    """It gives its name: `id name …`."""
    if not talk.name:
        raise CheckFailed("no line id name NAME before uciok")


def options(talk: Talk) -> None:
    """Its options have defaults that they allow, and `UCI_Variant` is among them."""
    for option in talk.options.values():
        if option.kind in ("check", "spin", "combo"):
            try:
                option.check(option.default)
            except NotationError as error:
                raise CheckFailed(f"the default of the option {option.name}: {error}") from None
    if VARIANT not in talk.options:
        offered = ", ".join(talk.options) or "none"
        raise CheckFailed(f"no option {VARIANT}, which names the rules; its options are {offered}")


def readyok(talk: Talk) -> None:
    """It answers `isready` several times."""
    for _ in range(3):
        talk.ready()


def unknown_words(talk: Talk) -> None:
    """It ignores unknown commands."""
    for line in ("", "xyzzy", "debug on", "setoption name No Such Option value 3", "ponderhit"):
        talk.send(line)
    talk.ready()


def quit_idle(talk: Talk) -> None:
    """It ends after `quit`."""
    talk.send("quit")
    _goes(talk)


def end_of_input(talk: Talk) -> None:
    """It ends at the end of its input, as after the end of a match."""
    talk.said.append("> (the end of the input)")
    talk.is_over = True
    talk.child.close(talk.seconds * PROMPT)
    status = talk.child.status
    if status != 0:
        ended = "it did not end" if status is None or status < 0 else f"exit status {status}"
        raise CheckFailed(f"{ended} within {talk.seconds * PROMPT:g} s of the end of its input")


def quit_thinking(talk: Talk, start: Position) -> None:
    """It ends after `quit` during a search."""
    talk.think(start)
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
        raise CheckFailed(f"it still runs {allowed:g} s after quit")


def legal_moves(talk: Talk, start: Position) -> None:
    """It gives a legal move after any moves from the start: `position startpos moves …`."""
    for moves in islice(lines_of_play(start, random.Random(1)), POSITIONS):
        talk.move(start, moves, GO)


def positions(talk: Talk, start: Position) -> None:
    """It gives a legal move from any position: `position pos STRING`."""
    for moves in islice(lines_of_play(start, random.Random(2)), POSITIONS):
        position = start.after(moves)
        if _reads_back(position):
            talk.move(position, (), GO)


def positions_and_moves(talk: Talk, start: Position) -> None:
    """It gives a legal move after moves from any position: `position pos STRING moves …`."""
    for moves in islice(lines_of_play(start, random.Random(3)), POSITIONS):
        middle = len(moves) // 2
        position = start.after(moves[:middle])
        if _reads_back(position):
            talk.move(position, moves[middle:], GO)


def _reads_back(position: Position) -> bool:
    """Whether its game can parse the position; a user's game may parse only its start."""
    try:
        return registry.position(str(position)) == position
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
    raise CheckFailed(f"{go}: its moves took {times} s, each of them more than {allowed:.3f} s")


def depth_and_nodes(talk: Talk, start: Position) -> None:
    """It moves within a limit of depth or nodes."""
    for go in ("go depth 1", "go nodes 100", "go depth 2 nodes 1000 movetime 200"):
        talk.move(start, (), go)


def stop(talk: Talk, start: Position) -> None:
    """After `go infinite` it moves at once on `stop`, and not before."""
    talk.think(start)
    ends = time.perf_counter() + THINKING
    while (line := talk.line(max(0.0, ends - time.perf_counter()))) is not None:
        if line.startswith("bestmove"):
            raise CheckFailed("bestmove before stop, after go infinite")
    talk.send("stop")
    text = talk.bestmove(talk.seconds * PROMPT)
    try:
        start.parse_move(text or "none")
    except IllegalMove as error:
        raise CheckFailed(str(error)) from None


def readyok_thinking(talk: Talk, start: Position) -> None:
    """It answers `isready` during a search."""
    talk.think(start)
    talk.send("isready")
    lines = talk.until("readyok", talk.seconds * PROMPT)
    if not any(line.startswith("bestmove") for line in lines):
        talk.send("stop")
        try:
            talk.bestmove(talk.seconds * PROMPT)
        except CheckFailed:
            talk.is_over = True  # Another check reports this.


def stop_idle(talk: Talk) -> None:
    """It ignores `stop` if no search is in progress."""
    talk.send("stop")
    talk.ready()


def bad_position(talk: Talk, start: Position) -> None:
    """It answers a bad position or move with `bestmove none`."""
    for line in (
        "position pos nonsense~9~Q",
        f"position pos {start.rules_id}~",
        "position startpos moves nonsense",
        "position",
    ):
        talk.send(line)
        talk.expect_none(f" after {line!r}; expected bestmove none")
    talk.move(start, (), GO)


def game_over(talk: Talk, start: Position) -> None:
    """It answers `bestmove none` in a finished game."""
    moves = random_game(start, random.Random(4))
    position = start.after(moves)
    talk.send(position_line(start, moves))
    talk.expect_none(f", though the game is over: {position}")


def two_games(talk: Talk, start: Position) -> None:
    """It plays both sides of two games in a row."""
    for _ in range(2):
        talk.send("ucinewgame")
        talk.ready()
        position, moves = start, list[int]()
        while position.outcome() is None:
            moves.append(talk.move(start, moves, GO))
            position = position.play(moves[-1])


def seed(talk: Talk, start: Position) -> None:
    """It plays the same with the same seed: `setoption name Seed`."""
    if "Seed" not in talk.options:
        raise NotOffered("it has no option Seed")
    first, second = (_seeded(talk, start) for _ in range(2))
    if first != second:
        texts = [start.move_text(move) for move in (first, second)]
        raise CheckFailed(f"with the seed 7 it played {texts[0]}, and then {texts[1]}")


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
"""Two more checks: of the offered rules, and of lines outside the protocol."""
ABOUT = {
    **{key: check.__doc__ or "" for key, check in (*OF_ANY_RULES.items(), *OF_RULES.items())},
    RULES: "It offers the rules among the choices of `UCI_Variant`.",
    ONLY_PROTOCOL: "It writes only well-formed lines of the protocol.",
}
"""A description of each check."""


class Compliance:
    """The checks of one program.

    Args:
        argv: the program and its arguments.
        seconds: maximum time to start, and to answer where no time is set.

    Raises:
        Fault: it does not start, or does not answer `uci`.
    """

    def __init__(self, argv: Sequence[str], *, seconds: float = SECONDS) -> None:
        self._argv = argv
        self._seconds = seconds
        self._strange: list[str] = []
        try:
            self._talk = Talk(argv, seconds)
        except CheckFailed as error:
            raise Fault(Verdict.SLOW_START, str(error)) from None
        self.name = self._talk.name
        self._variant = self._talk.options.get(VARIANT)

    def rules_ids(self) -> list[str]:
        """Return the offered rules, with samples for each choice such as `mnk:*`."""
        offered = self._variant.choices if self._variant is not None else ()
        found: dict[str, None] = {}
        for choice in offered:
            family, _, rest = choice.partition(":")
            for rules_id in SAMPLES.get(family, ()) if rest == "*" else (choice,):
                with suppress(NotationError):
                    found[registry.game(rules_id).rules_id] = None
        return list(found)

    def results(self, rules_ids: Sequence[str]) -> Iterator[CheckResult]:
        """Yield the result of each check; checks of rules run for each of `rules_ids`.

        Raises:
            NotationError: no such rules.
        """
        starts = [registry.game(rules_id) for rules_id in rules_ids]
        for key, check in OF_ANY_RULES.items():
            yield self._result(key, None, check)
        for start in starts:
            rules_id = start.rules_id
            if self._variant is None or not plays(self._variant, rules_id):
                yield CheckResult(RULES, rules_id, "not offered", f"{VARIANT} does not offer them")
                continue
            for key, check_of_rules in OF_RULES.items():

                def check_rules(
                    talk: Talk, check: Callable[[Talk, Position], None] = check_of_rules
                ) -> None:
                    talk.set_rules(rules_id)  # noqa: B023 - called at once
                    check(talk, start)  # noqa: B023

                yield self._result(key, rules_id, check_rules)
        self._end_talk()
        outcome: CheckOutcome = "failed" if self._strange else "passed"
        reason = "; ".join(dict.fromkeys(self._strange[:3]))
        yield CheckResult(ONLY_PROTOCOL, None, outcome, reason)

    def close(self) -> None:
        """End the engine."""
        self._talk.close()

    def _end_talk(self) -> None:
        self._strange += self._talk.strange
        self._talk.close()

    def _result(self, key: str, rules_id: str | None, check: Callable[[Talk], None]) -> CheckResult:
        outcome: CheckOutcome = "passed"
        reason = ""
        try:
            if self._talk.is_over:
                self._end_talk()
                self._talk = Talk(self._argv, self._seconds)
            self._talk.said.clear()
            check(self._talk)
        except NotOffered as error:
            outcome, reason = "not offered", str(error)
        except (CheckFailed, Fault) as error:
            outcome, reason = "failed", str(error)
            self._talk.is_over = True
        said = tuple(self._talk.said[-SAID_LINES:]) or self._talk.introduction
        return CheckResult(key, rules_id, outcome, reason, said)
