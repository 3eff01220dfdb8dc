"""An engine's side of the protocol: one conversation, over any lines.

    lines ──► Session ──position, limit──► Thinker (in a thread of its own)
    write ◄── readyok, info …, bestmove … ◄── Thoughts

Lines are read while it thinks, so that `stop` and `isready` are answered at once. Nothing that
comes in ends the session but `quit` and the end of the lines: what is wrong with a line is said in
an `info string error`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

import noughts
from noughts.arena.player import OpponentFailed
from noughts.arena.protocol import (
    VARIANT,
    Go,
    Info,
    Option,
    bestmove_line,
    info_line,
    option_line,
    parse_go,
    parse_position,
    parse_set_option,
    plays,
)
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.search.result import NO_LIMIT, Limit

OVERHEAD = Option("Move Overhead", "spin", "10", least=0, most=10_000)
"""Milliseconds of the time for a move that are left for the way of question and answer."""
PATIENCE = 1.0
"""Seconds that a thinker has to end when the session does."""


class Thought(NamedTuple):
    """The move that a thinker has in mind, and what it says of it."""

    move: int
    info: Info = Info()


class Thinker(Protocol):
    """What thinks, in one conversation with one manager."""

    @property
    def name(self) -> str: ...

    @property
    def author(self) -> str: ...

    @property
    def variants(self) -> Sequence[str]:
        """What it offers to play, as the choices of `UCI_Variant`; the first is the default."""

    @property
    def options(self) -> Sequence[Option]: ...

    def set_option(self, name: str, value: str) -> None:
        """Set one of its options, to a value that `Option.check` has let through."""

    def new_game(self) -> None:
        """Forget what was seen in other games."""

    def get_ready(self, rules_id: str) -> None:
        """Do what takes long before the first move of a game."""

    def think(self, position: Position, limit: Limit | None) -> Iterator[Thought]:
        """Return better and better thoughts, at least one; the game is not over.

        A `stop` that comes after this call ends them, also before the first was asked for.

        Args:
            position: what to think about.
            limit: how far; without bounds until `stop`, or `None` for as far as it likes.
        """

    def stop(self) -> None:
        """Let the thinking end, from another thread; the best thought so far still comes."""


class Session:
    """One conversation.

    >>> from noughts.arena.thinking import Thinking
    >>> Session(Thinking("alphabeta"), print).run(["position startpos moves 5 2 7", "go", "quit"])
    ... # doctest: +ELLIPSIS
    info depth 1 score estimate ...
    ...
    bestmove 3

    Args:
        thinker: what thinks; it belongs to the session.
        write: takes each line of the answer, and must hand it on at once.
    """

    def __init__(self, thinker: Thinker, write: Callable[[str], None]) -> None:
        self._thinker = thinker
        self._write = write
        self._lock = threading.Lock()
        self._told_to_stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._overhead = int(OVERHEAD.default) / 1000
        variants = tuple(thinker.variants)
        self._variant = Option(VARIANT, "combo", variants[0], choices=variants)
        self._rules_id = variants[0]
        self._position: Position | None = noughts.game(variants[0])
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": self._introduce,
            "isready": self._answer_ready,
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._take_position,
            "go": self._go,
            "stop": self._stop,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Answer line after line until `quit` or their end; then stop thinking.

        Raises:
            BrokenPipeError: nobody listens; `write` raised it.
        """
        for line in lines:
            word, _, rest = line.strip().partition(" ")
            if word == "quit":
                break
            command = self._commands.get(word)
            if command is not None:
                try:
                    command(rest)
                except BrokenPipeError:
                    raise
                except Exception as error:  # a user's own game may raise any
                    self._complain(error)
        thread = self._thread
        self._stop()
        if thread is not None:
            thread.join(PATIENCE)

    def _say(self, line: str) -> None:
        with self._lock:
            self._write(line)

    def _complain(self, error: Exception | str) -> None:
        known = isinstance(error, str | NotationError | IllegalMove | OpponentFailed)
        words = str(error) if known else f"{type(error).__name__}: {error}"
        self._say(info_line(Info(string=f"error {' '.join(words.split())}")))

    def _introduce(self, _: str) -> None:
        self._say(f"id name {self._thinker.name}")
        self._say(f"id author {self._thinker.author}")
        for option in (self._variant, OVERHEAD, *self._thinker.options):
            self._say(option_line(option))
        self._say("uciok")

    @property
    def _is_thinking(self) -> bool:
        with self._lock:
            return self._thread is not None

    def _is_busy(self) -> bool:
        """Whether it still thinks, once it had the time to heed a `stop`."""
        thread = self._thread
        if thread is not None and self._told_to_stop.is_set():
            thread.join(PATIENCE)
        return self._is_thinking

    def _answer_ready(self, _: str) -> None:
        if not self._is_thinking:
            try:
                self._thinker.get_ready(self._rules_id)
            except Exception as error:  # as above
                self._complain(error)
        self._say("readyok")

    def _set_option(self, rest: str) -> None:
        name, value = parse_set_option(rest)
        if self._is_busy():
            self._complain(f"{name} cannot be set while the engine thinks")
        elif name.lower() == VARIANT.lower():
            self._set_rules(value)
        elif name.lower() == OVERHEAD.name.lower():
            self._overhead = int(OVERHEAD.check(value)) / 1000
        else:
            for option in self._thinker.options:
                if option.name.lower() == name.lower():
                    self._thinker.set_option(option.name, option.check(value))

    def _set_rules(self, rules_id: str) -> None:
        # Whatever comes of it, the position of before is not one of these rules.
        self._position = None
        start = noughts.game(rules_id)
        if not plays(self._variant, start.rules_id):
            offered = " ".join(self._variant.choices)
            raise NotationError(rules_id, VARIANT, f"this engine plays {offered}")
        self._rules_id, self._position = start.rules_id, start

    def _new_game(self, _: str) -> None:
        if self._is_busy():
            self._complain("no new game while the engine thinks; stop ends that")
        else:
            self._thinker.new_game()

    def _take_position(self, rest: str) -> None:
        self._position = None
        start, moves = parse_position(rest, self._rules_id)
        if not plays(self._variant, start.rules_id):
            offered = " ".join(self._variant.choices)
            raise NotationError(rest, "position", f"this engine plays {offered}")
        for move in moves:
            start = start.play(move)
        self._position = start

    def _go(self, rest: str) -> None:
        if self._is_busy():
            self._complain("the engine thinks already; stop ends that")
            return
        try:
            go = parse_go(rest)
        except NotationError as error:
            # An answer is owed all the same, and soon.
            self._complain(error)
            go = Go(nodes=1)
        position = self._position
        if position is None or position.outcome() is not None:
            self._say(bestmove_line(None))
            return
        limit: Limit | None = go.limit(position.turn, self._overhead)
        if limit == NO_LIMIT and not go.infinite:
            limit = None
        self._told_to_stop.clear()
        try:
            thoughts = self._thinker.think(position, limit)
        except Exception as error:  # whatever a thinker may raise: an answer is owed
            self._complain(error)
            self._say(bestmove_line(None))
            return
        self._thread = threading.Thread(
            target=self._answer, args=(position, thoughts, go.infinite), daemon=True
        )
        self._thread.start()

    def _answer(self, position: Position, thoughts: Iterator[Thought], infinite: bool) -> None:
        with suppress(BrokenPipeError):  # That is for the other thread to find out.
            move = self._think_aloud(position, thoughts)
            if infinite:
                self._told_to_stop.wait()
            with self._lock:
                # Who has the answer may ask again at once.
                self._thread = None
                self._write(bestmove_line(move))

    def _think_aloud(self, position: Position, thoughts: Iterator[Thought]) -> str | None:
        """Say what comes to mind; return the last move, or `None` if that fails."""
        move = None
        said = Info()
        try:
            for thought in thoughts:
                # The last is often the one before it, a moment later.
                if said != (said := thought.info._replace(seconds=None)):
                    self._say(info_line(thought.info))
                move = position.move_text(thought.move)
        except BrokenPipeError:
            raise
        except Exception as error:  # as above
            self._complain(error)
            return None
        return move

    def _stop(self, _: str = "") -> None:
        self._told_to_stop.set()
        if self._is_thinking:
            self._thinker.stop()
