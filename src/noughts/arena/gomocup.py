"""The protocol of Gomocup, a tournament of Gomoku programs: one conversation.

    lines ──► GomocupSession ──position, limit──► Opponent.choose
    write ◄── OK, x,y ◄────── best move ◄────────┘

    SWAP2BOARD … DONE          the stones so far ──► the first three │ SWAP │ x,y of the next

Coordinates are columns and rows from 0, from the top left. The rules are freestyle, five or more in
a row win, or with `INFO rule 1` exactly five. A line that the engine cannot follow is answered
`ERROR …` or `UNKNOWN …`, and the game continues (the protocol:
plastovicka.github.io/protocl2en.htm).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

from noughts.arena.control import SHORTEST, Control
from noughts.arena.swap2 import decide
from noughts.arena.swap2 import stones as even_stones
from noughts.engine import DEFAULT_TABLE
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.registry import game
from noughts.games.row import RowPosition
from noughts.games.swap2 import ALL_STONES, FIRST_STONES
from noughts.opponents import Opponent, OpponentFailed
from noughts.search.result import NO_LIMIT, Limit
from noughts.version import __version__

OVERHEAD = 0.03
"""Seconds of each move's time that are reserved for communication."""
RULES = {0: "", 1: ",exact"}
"""The options of the rules id for each `rule` that the engine plays."""
OWN, OTHER = 1, 2
"""The owners of stones in `BOARD`."""
_WORDS = re.compile(r"\s*,\s*|\s+")
_NO_MATCH = 2_147_483_647
"""The number of milliseconds that means: no time limit for the match."""


class GomocupSession:
    """One conversation between an opponent and the manager of a tournament.

    >>> from noughts.opponents import opponent
    >>> session = GomocupSession(opponent("engine:nodes=500"), print)
    >>> session.run(["START 15", "BOARD", "0,0,2", "1,0,2", "2,0,2", "3,0,2", "9,9,1", "9,8,1",
    ...              "5,5,1", "DONE", "END"])
    OK
    4,0

    Args:
        player: chooses the moves.
        write: writes each line of the answer without delay.
    """

    def __init__(self, player: Opponent, write: Callable[[str], None]) -> None:
        self._player = player
        self._write = write
        self._start: Position | None = None
        self._size: tuple[int, int] | None = None
        self._rule = 0
        self._moves: list[int] = []
        self._seconds: float | None = None
        self._clock: float | None = None
        self._left: float | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Answer line after line until `END` or the last line.

        Raises:
            BrokenPipeError: from `write`, if the manager has closed its end.
        """
        waiting = (line.strip() for line in lines)
        for line in waiting:
            word, _, rest = line.partition(" ")
            if word.upper() == "END":
                return
            try:
                self._answer(word.upper(), rest.strip(), waiting)
            except (NotationError, IllegalMove, OpponentFailed, ValueError) as error:
                self._write(f"ERROR {' '.join(str(error).split())}")

    def _answer(self, word: str, rest: str, lines: Iterator[str]) -> None:
        if word in ("START", "RECTSTART"):
            # Some managers send the size of a square board twice.
            is_square = word == "START" and len(_WORDS.split(rest)) == 1
            self._begin(*_numbers(rest, 1 if is_square else 2))
        elif word == "RESTART":
            self._moves = []
            self._player.new_game()
            self._write("OK")
        elif word == "BEGIN":
            self._reply(self._moves)
        elif word == "TURN":
            self._reply([*self._moves, self._cell(rest)])
        elif word == "BOARD":
            self._reply(self._board(lines))
        elif word == "SWAP2BOARD":
            self._begin_swap2(self._stones(lines))
        elif word == "TAKEBACK":
            self._take_back(self._cell(rest))
        elif word == "INFO":
            self._learn(rest)
        elif word == "ABOUT":
            self._write(f'name="noughts", version="{__version__}", author="the authors of noughts"')
        elif word:
            self._write(f"UNKNOWN command {word}")

    def _begin(self, columns: int, rows: int | None = None) -> None:
        self._size = self._start = None
        self._moves = []
        self._start = game(f"mnk:{columns},{rows or columns},5{RULES[self._rule]}")
        self._size = columns, rows or columns
        self._player.new_game()
        self._player.get_ready(self._start)
        self._write("OK")

    def _known_start(self) -> RowPosition:
        if not isinstance(self._start, RowPosition):
            raise ValueError("no game has begun: send START")
        return self._start

    def _cell(self, text: str) -> int:
        column, row = _numbers(text, 2)
        rules = self._known_start().rules
        if not (0 <= column < rules.columns and 0 <= row < rules.rows):
            raise ValueError(f"{text} is not on the board")
        return row * rules.columns + column

    def _board(self, lines: Iterator[str]) -> list[int]:
        """Return moves that lead to the stones of `BOARD`, with the engine to move."""
        stones: dict[int, list[int]] = {OWN: [], OTHER: []}
        wrong: ValueError | None = None
        for line in lines:
            if line.upper() == "DONE":
                break
            try:
                place, _, owner = line.rpartition(",")
                stones[int(owner)].append(self._cell(place))
            except (ValueError, KeyError):
                wrong = ValueError(f"{line!r} is no stone: expected x,y,1 or x,y,2")
        if wrong is not None:
            raise wrong
        own, other = stones[OWN], stones[OTHER]
        if len(other) - len(own) not in (0, 1):
            raise ValueError("it is not the engine's turn on this board")
        first, second = (own, other) if len(own) == len(other) else (other, own)
        moves = [move for pair in zip(first, second, strict=False) for move in pair]
        return moves + first[len(second) :]

    def _stones(self, lines: Iterator[str]) -> list[int]:
        """Return the stones of `SWAP2BOARD`, in their order."""
        given = list(takewhile(lambda line: line.upper() != "DONE", lines))
        return [self._cell(line) for line in given]

    def _begin_swap2(self, stones: list[int]) -> None:
        """Place the first three stones, or choose a side by the estimate of the next move.

        O moves after each choice, so that a move means O, and `SWAP` means X.
        """
        start = self._known_start()
        if not stones:
            seed = int(self._player.values.get("seed", 0))
            columns = start.rules.columns
            self._moves = list(even_stones(start, FIRST_STONES, seed))
            self._write(" ".join(f"{move % columns},{move // columns}" for move in self._moves))
            return
        if len(stones) not in (FIRST_STONES, ALL_STONES):
            raise ValueError(
                f"swap2 has {FIRST_STONES} or {ALL_STONES} stones before a choice, or none"
            )
        position = start.after(stones)
        if position.outcome() is not None:
            raise ValueError("the game is over")
        step = decide(self._player.choose(position, self._limit()))
        if step.choice == "X":
            self._moves = stones
            self._write("SWAP")
        else:
            self._say_move(stones, *step.moves)

    def _reply(self, moves: list[int]) -> None:
        """Choose and write a move after `moves`."""
        start = self._known_start()
        position = start.after(moves)
        if position.outcome() is not None:
            raise ValueError("the game is over")
        move = self._player.choose(position, self._limit()).move
        assert move is not None
        self._say_move(moves, move)

    def _say_move(self, moves: list[int], move: int) -> None:
        self._moves = [*moves, move]
        row, column = divmod(move, self._known_start().rules.columns)
        self._write(f"{column},{row}")

    def _take_back(self, move: int) -> None:
        if move not in self._moves:
            raise ValueError("there is no stone to take back")
        self._moves.remove(move)
        self._write("OK")

    def _learn(self, rest: str) -> None:
        """Follow the hints of `INFO` that the engine knows; no answer is due."""
        key, _, value = rest.partition(" ")
        key = key.lower()
        if key not in ("timeout_turn", "timeout_match", "time_left", "max_memory", "rule"):
            return
        (number,) = _numbers(value, 1)
        if key == "timeout_turn":
            self._seconds = number / 1000
        elif key == "timeout_match":
            self._clock = number / 1000 if 0 < number < _NO_MATCH else None
        elif key == "time_left":
            self._left = number / 1000
        elif key == "max_memory" and number > 0 and self._player.kind == "engine":
            # The program itself takes about as much as its tables.
            mib = max(1, min(DEFAULT_TABLE, number // 2**21))
            self._player = Opponent(self._player.text, {**self._player.values, "table": mib})
        elif key == "rule" and number not in RULES:
            self._write(
                f"MESSAGE rule {number} is not known here; the engine plays rule {self._rule}"
            )
        elif key == "rule" and number != self._rule:
            self._rule = number
            if self._size is not None:
                columns, rows = self._size
                self._start = game(f"mnk:{columns},{rows},5{RULES[number]}")
                self._player.get_ready(self._start)

    def _limit(self) -> Limit:
        turn = None
        if self._seconds is not None:
            turn = max(SHORTEST, self._seconds - OVERHEAD)
        if self._clock is None or self._left is None:
            return NO_LIMIT if turn is None else Limit(seconds=turn)
        managed = Control(clock=self._clock).limit(self._left, OVERHEAD)
        assert managed.seconds is not None
        assert managed.max_seconds is not None
        most = managed.max_seconds if turn is None else min(managed.max_seconds, turn)
        return Limit(seconds=min(managed.seconds, most), max_seconds=most)


def _numbers(text: str, size: int) -> list[int]:
    """Return the `size` numbers of a text, which commas separate.

    Raises:
        ValueError: the text is something else.
    """
    parts = _WORDS.split(text)
    if len(parts) != size or not all(part.removeprefix("-").isdecimal() for part in parts):
        wanted = "a whole number" if size == 1 else "two whole numbers, as in 7,7"
        raise ValueError(f"expected {wanted}, not {text[:40]!r}")
    return [int(part[:20]) for part in parts]
