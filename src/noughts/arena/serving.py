"""The engine's side of the protocol: one conversation.

    lines ──► EngineSession ──position, limit──► Opponent.think, in a separate thread
    write ◄── readyok, info …, bestmove … ◄───── results

Lines are read during a search, so that `stop` and `isready` are answered at once. Only `quit` and
the end of the lines end the session; a wrong line is answered with `info string error …`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Protocol

from noughts.arena.protocol import (
    VARIANT,
    Go,
    Info,
    Option,
    bestmove_line,
    info_line,
    info_of,
    option_line,
    parse_go,
    parse_position,
    parse_set_option,
    plays,
)
from noughts.engine import DEFAULT_TABLE, LARGEST_TABLE, MAX_THREADS, METHODS
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.registry import GAMES, game
from noughts.games.row import RowPosition
from noughts.levels import LEVELS
from noughts.opponents import OPPONENTS, Opponent, OpponentFailed, opponent
from noughts.search.result import Limit, SearchResult
from noughts.version import __version__

OVERHEAD = Option("Move Overhead", "spin", "10", least=0, most=10_000)
"""Milliseconds of the time for a move that are reserved for communication."""
PATIENCE = 1.0
"""Seconds that a search has to end when the session does."""
BEST_METHOD = "auto"
"""The value of the option `Method` that lets the engine choose."""


class ServedEngine(Protocol):
    """An engine in one conversation with one manager."""

    @property
    def name(self) -> str: ...

    @property
    def author(self) -> str: ...

    @property
    def variants(self) -> Sequence[str]:
        """The choices of `UCI_Variant`; the first is the default."""

    @property
    def options(self) -> Sequence[Option]: ...

    def set_option(self, name: str, value: str) -> None:
        """Set one of its options to a value that `Option.check` has accepted."""

    def new_game(self) -> None:
        """Forget earlier games."""

    def get_ready(self, rules_id: str) -> None:
        """Do slow preparations before the first move of a game."""

    def think(
        self, position: Position, limit: Limit, *, until_stopped: bool
    ) -> Iterator[SearchResult]:
        """Return results of growing depth, at least one, as `Opponent.think` does."""

    def stop(self) -> None:
        """End the thinking from another thread; its last result so far counts."""


class OpponentEngine:
    """An opponent as an engine: its name, its options and the games that it plays.

    >>> engine = OpponentEngine("engine:level=4")
    >>> [option.name for option in engine.options]
    ['Hash', 'Threads', 'Level', 'Method', 'OwnBook', 'Net', 'Seed']

    Args:
        text: the opponent, such as `alphabeta:depth=6`.

    Raises:
        NotationError: no such opponent, key or value; or a person.
    """

    author = "the authors of noughts"

    def __init__(self, text: str = "engine") -> None:
        self._opponent = parsed = opponent(text, seed=0, own_code=True)
        if parsed.is_human:
            raise NotationError(text, "OPPONENT", "a person cannot be an engine")
        self.name = f"noughts {__version__} ({parsed.name})"
        self.variants = variants(native=parsed.kind == "engine")
        get = parsed.values.get
        level, seed = str(get("level", 0)), str(get("seed", 0))
        table, threads = str(get("table", DEFAULT_TABLE)), str(get("threads", 1))
        book = "true" if get("book", True) else "false"
        methods = (BEST_METHOD, *METHODS)
        offered = {
            "table": Option("Hash", "spin", table, least=1, most=LARGEST_TABLE),
            "threads": Option("Threads", "spin", threads, least=1, most=MAX_THREADS),
            "level": Option("Level", "spin", level, least=0, most=max(LEVELS)),
            "method": Option("Method", "combo", get("method", BEST_METHOD), choices=methods),
            "book": Option("OwnBook", "check", book),
            "net": Option("Net", "string", get("net", "")),
            "seed": Option("Seed", "spin", seed, least=0, most=2**31 - 1),
        }
        keys = OPPONENTS[parsed.kind].keys
        self.options = [option for key, option in offered.items() if key in keys]
        self._keys = {option.name: key for key, option in offered.items()}

    def set_option(self, name: str, value: str) -> None:
        key = self._keys[name]
        values = dict(self._opponent.values)
        own = {"OwnBook": value == "true", "Method": value, "Net": value}
        values[key] = own[name] if name in own else int(value)
        unset = (("Level", "0"), ("Method", BEST_METHOD), ("Net", ""), ("Net", "<empty>"))
        if (name, value) in unset:
            del values[key]
        self._opponent = Opponent(self._opponent.text, values, seed=0)

    def new_game(self) -> None:
        self._opponent.new_game()

    def get_ready(self, rules_id: str) -> None:
        self._opponent.get_ready(game(rules_id))

    def think(
        self, position: Position, limit: Limit, *, until_stopped: bool
    ) -> Iterator[SearchResult]:
        return self._opponent.think(position, limit, until_stopped=until_stopped)

    def stop(self) -> None:
        self._opponent.stop()


def variants(*, native: bool) -> list[str]:
    """Return the games that can be played, as choices of `UCI_Variant`.

    >>> variants(native=True)[:3]
    ['basic', 'mnk:*', 'connect4']

    Args:
        native: leave out games that the native core does not know.
    """
    found = []
    for name, family in GAMES.items():
        if native and not issubclass(family, RowPosition | NestedPosition):
            continue
        with suppress(NotationError):  # m,n,k-games have no rules without sizes.
            found.append(game(name).rules_id)
        found += [f"{name}:*"] if family.usage else []
    return found


class EngineSession:
    """One conversation between an engine and a manager.

    >>> EngineSession(OpponentEngine("negamax"), print).run(
    ...     ["position startpos moves 5 2 7", "go", "quit"]
    ... )  # doctest: +ELLIPSIS
    info depth 1 score estimate ...
    ...
    bestmove 3

    Args:
        engine: used by this session only.
        write: writes each line of the answer without delay.
    """

    def __init__(self, engine: ServedEngine, write: Callable[[str], None]) -> None:
        self._engine = engine
        self._write = write
        self._lock = threading.Lock()
        self._told_to_stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._overhead = int(OVERHEAD.default) / 1000
        variants = tuple(engine.variants)
        self._variant = Option(VARIANT, "combo", variants[0], choices=variants)
        self._rules_id = variants[0]
        self._position: Position | None = game(variants[0])
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
        """Answer line after line until `quit` or the last line, then stop the search.

        Raises:
            BrokenPipeError: from `write`, if the manager has closed its end.
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
                except Exception as error:  # a user's game may raise any
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
        self._say(f"id name {self._engine.name}")
        self._say(f"id author {self._engine.author}")
        for option in (self._variant, OVERHEAD, *self._engine.options):
            self._say(option_line(option))
        self._say("uciok")

    @property
    def _is_thinking(self) -> bool:
        with self._lock:
            return self._thread is not None

    def _is_busy(self) -> bool:
        """Wait for a stopped search; return whether another search is in progress."""
        thread = self._thread
        if thread is not None and self._told_to_stop.is_set():
            thread.join(PATIENCE)
        return self._is_thinking

    def _answer_ready(self, _: str) -> None:
        if not self._is_thinking:
            try:
                self._engine.get_ready(self._rules_id)
            except Exception as error:  # as above
                self._complain(error)
        self._say("readyok")

    def _set_option(self, rest: str) -> None:
        name, value = parse_set_option(rest)
        if self._is_busy():
            self._complain(f"{name} cannot be set during a search. Send stop first")
        elif name.lower() == VARIANT.lower():
            self._set_rules(value)
        elif name.lower() == OVERHEAD.name.lower():
            self._overhead = int(OVERHEAD.check(value)) / 1000
        else:
            for option in self._engine.options:
                if option.name.lower() == name.lower():
                    self._engine.set_option(option.name, option.check(value))

    def _set_rules(self, rules_id: str) -> None:
        # The old position is wrong for the new rules, also if these are refused.
        self._position = None
        start = game(rules_id)
        if not plays(self._variant, start.rules_id):
            offered = " ".join(self._variant.choices)
            raise NotationError(rules_id, VARIANT, f"this engine plays {offered}")
        self._rules_id, self._position = start.rules_id, start

    def _new_game(self, _: str) -> None:
        if self._is_busy():
            self._complain("no new game during a search. Send stop first")
        else:
            self._engine.new_game()

    def _take_position(self, rest: str) -> None:
        self._position = None
        start, moves = parse_position(rest, self._rules_id)
        if not plays(self._variant, start.rules_id):
            offered = " ".join(self._variant.choices)
            raise NotationError(rest, "position", f"this engine plays {offered}")
        self._position = start.after(moves)

    def _go(self, rest: str) -> None:
        if self._is_busy():
            self._complain("a search is in progress. Send stop first")
            return
        try:
            go = parse_go(rest)
        except NotationError as error:
            # The manager waits for a move all the same.
            self._complain(error)
            go = Go(nodes=1)
        position = self._position
        if position is None or position.outcome() is not None:
            self._say(bestmove_line(None))
            return
        limit = go.limit(position.turn, self._overhead)
        self._told_to_stop.clear()
        try:
            results = self._engine.think(position, limit, until_stopped=go.infinite)
        except Exception as error:  # the manager waits for a move all the same
            self._complain(error)
            self._say(bestmove_line(None))
            return
        self._thread = threading.Thread(
            target=self._answer, args=(results, go.infinite), daemon=True
        )
        self._thread.start()

    def _answer(self, results: Iterator[SearchResult], infinite: bool) -> None:
        with suppress(BrokenPipeError):  # `run` raises it too.
            move = self._report(results)
            if infinite:
                self._told_to_stop.wait()
            with self._lock:
                # The manager may send the next `go` as soon as it has the move.
                self._thread = None
                self._write(bestmove_line(move))

    def _report(self, results: Iterator[SearchResult]) -> str | None:
        """Write an info line for each result; return the last move, or `None` on failure."""
        move = None
        said = Info()
        try:
            for result in results:
                info = info_of(result)
                # The last result often repeats the one before.
                if said != (said := info._replace(seconds=None)):
                    self._say(info_line(info))
                move = result.text
        except BrokenPipeError:
            raise
        except Exception as error:  # as above
            self._complain(error)
            return None
        return move

    def _stop(self, _: str = "") -> None:
        self._told_to_stop.set()
        if self._is_thinking:
            self._engine.stop()
