"""A game with the seven functions of the CS50 AI course, each return value checked.

    begin() · play(cell) · answer() ──► initial_state, player, … ──► CheckedBoard or CourseError

The functions run in a worker process, so that the window can kill a student's endless loop.
"""

from __future__ import annotations

import importlib
import importlib.util
import resource
import sys
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from noughts import cs50
from noughts.games.row import Basic
from noughts.search import every_move, negamax
from noughts.window.worker import Inbox

FUNCTIONS = (
    "initial_state",
    "player",
    "actions",
    "result",
    "winner",
    "terminal",
    "utility",
    "minimax",
)
CONSTANTS = ("X", "O", "EMPTY")
MOST_MEMORY = 4 << 30
"""Memory limit of the worker process, in bytes."""
LONGEST_SHOWN = 90
"""Longest `repr` of a value in a message, in characters."""

Action = tuple[int, int]


class CourseError(Exception):
    """An error of the course module, as one sentence that names the function."""


class CheckedBoard(NamedTuple):
    """A board of the module that agrees with the rules."""

    cells: tuple[str | None, ...]
    """Nine of `"X"`, `"O"` and `None`, row by row."""
    turn: str | None
    """The player to move; `None` when the game is over."""
    winner: str | None
    last: int | None
    """The cell of the last move, counted from 0."""
    remark: str = ""
    """A sentence on a legal move that gives away a win or a draw; else empty."""

    @property
    def over(self) -> bool:
        return self.turn is None


class FunctionCall(NamedTuple):
    """A call of a module function that has not returned yet."""

    function: str


class CourseModule:
    """A module with the course's functions, and a game played with it.

    Args:
        name: path of a Python file, or name of a module.
        calling: called with the name of each function before the function runs.

    Raises:
        CourseError: the module does not exist, fails to load, or lacks a name.
    """

    def __init__(self, name: str, calling: Callable[[str], None]) -> None:
        self.name = name
        self._calling = calling
        calling(f"Loading {name}")
        self._module = load(name)
        missing = [each for each in (*CONSTANTS, *FUNCTIONS) if not hasattr(self._module, each)]
        if missing:
            raise CourseError(f"{name} lacks {', '.join(missing)}.")
        self.board: Any = None
        """The board in the module's own representation."""
        self._cells: cs50.Board = cs50.initial_state()
        """The same board in the representation of `noughts.cs50`."""

    def begin(self) -> CheckedBoard:
        """Return the empty board.

        Raises:
            CourseError: a function fails or returns a wrong value. Also raised by `play`, `answer`.
        """
        self.board = self._call("initial_state")
        self._accept("initial_state", self.board, cs50.initial_state())
        return self._check_board(None)

    def play(self, cell: int) -> CheckedBoard:
        """Play the person's move and return the board."""
        return self._result(divmod(cell, 3))

    def answer(self) -> CheckedBoard:
        """Play the move of `minimax` and return the board."""
        empty = sorted(cs50.actions(self._cells))
        wanted = f"an action (i, j) of {short_repr(empty)}"
        action = self._call("minimax", self.board)
        if not is_action(action) or tuple(action) not in empty:
            taken = ""
            if is_action(action) and all(0 <= index < 3 for index in action):
                taken = ", which is taken"
            raise CourseError(f"minimax returned {short_repr(action)}{taken}; expected {wanted}.")
        remark = missed_result(self._cells, tuple(action))
        return self._result(tuple(action))._replace(remark=remark)

    def _result(self, action: Action) -> CheckedBoard:
        wanted = cs50.result(self._cells, action)
        board = self._call("result", self.board, action)
        if self._as_rows(self.board) != self._cells:
            raise CourseError(
                f"result changed its argument for {action}; expected a new board, "
                "with the old one unchanged."
            )
        self._accept("result", board, wanted)
        self.board = board
        return self._check_board(3 * action[0] + action[1])

    def _check_board(self, last: int | None) -> CheckedBoard:
        """Compare every function's value on the current board with the rules."""
        cells = self._cells
        over = cs50.terminal(cells)
        self._compare("terminal", over, bool)
        winner = cs50.winner(cells)
        self._compare("winner", winner, self._letter_of)
        if over:
            self._compare("utility", cs50.utility(cells), lambda value: value)
        else:
            self._compare("player", cs50.player(cells), self._letter_of)
            self._compare("actions", cs50.actions(cells), lambda value: set(map(tuple, value)))
        flat = tuple(cell for row in cells for cell in row)
        return CheckedBoard(flat, None if over else cs50.player(cells), winner, last)

    def _compare(self, function: str, wanted: object, read: Callable[[Any], object]) -> None:
        """Call a function on the board; raise `CourseError` if it returns a wrong value."""
        value = self._call(function, self.board)
        try:
            right = read(value) == wanted and (value is None) == (wanted is None)
        except Exception:  # a value of the wrong type is wrong, too
            right = False
        if not right:
            form = sorted(wanted) if isinstance(wanted, set) else wanted
            raise CourseError(
                f"{function} returned {short_repr(value)}; expected {short_repr(form)} "
                f"on the board {one_line(self._cells)}."
            )
        if self._as_rows(self.board) != self._cells:
            raise CourseError(
                f"{function} changed its argument; it must leave the board unchanged."
            )

    def _letter_of(self, value: object) -> object:
        """Return `"X"` or `"O"` for a player of the module; other values unchanged."""
        for letter in ("X", "O"):
            if value is not None and value == getattr(self._module, letter):
                return letter
        return value

    def _accept(self, function: str, board: Any, wanted: cs50.Board) -> None:
        """Make a returned board the current one, if it equals the expected one."""
        if self._as_rows(board) != wanted:
            raise CourseError(
                f"{function} returned {short_repr(board)}; expected {short_repr(wanted)}, "
                "a list of three rows."
            )
        self._cells = wanted

    def _as_rows(self, board: Any) -> list[list[object]]:
        """Return a board of the module with `"X"`, `"O"`, `None`; no rows if it is no board."""
        empty = self._module.EMPTY
        try:
            return [
                [None if cell == empty else self._letter_of(cell) for cell in row] for row in board
            ]
        except TypeError:
            return []

    def _call(self, function: str, *arguments: Any) -> Any:
        self._calling(function)
        try:
            return getattr(self._module, function)(*arguments)
        except BaseException as error:  # a student's program may raise anything
            sentence = error_sentence(error, self._module)
            raise CourseError(f"{function} failed: {sentence}") from None


def load(name: str) -> ModuleType:
    """Import a module by file path or by name.

    Raises:
        CourseError: the import fails.
    """
    path = Path(name)
    is_file = path.suffix == ".py" or path.is_file()
    sys.path.insert(0, str(path.resolve().parent if is_file else Path.cwd()))
    try:
        if not is_file:
            return importlib.import_module(name)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
    except BaseException as error:  # a student's file may raise anything
        raise CourseError(f"{name} failed to load: {error_sentence(error)}") from None
    return module


def error_sentence(error: BaseException, module: ModuleType | None = None) -> str:
    """Return an error as a sentence, with its line in the student's file."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    file = getattr(module, "__file__", None)
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if file is not None and frame.filename == file
    ]
    where = f" (line {lines[-1]})" if lines else ""
    return f"{text.rstrip('.')}{where}."


def is_action(value: object) -> bool:
    """Return whether a value is a pair of integers."""
    return (
        isinstance(value, tuple | list)
        and len(value) == 2
        and all(isinstance(index, int) and not isinstance(index, bool) for index in value)
    )


def short_repr(value: object) -> str:
    """Return the `repr` of a value, cut to `LONGEST_SHOWN` characters."""
    try:
        text = repr(value)
    except Exception:  # the repr of a student's class may fail
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def one_line(board: cs50.Board) -> str:
    """Return a board on one line.

    >>> one_line([["X", None, "O"], [None, "X", None], [None, None, None]])
    'X.O .X. ...'
    """
    return " ".join("".join(cell or "." for cell in row) for row in board)


def position_of(cells: Iterable[str | None]) -> Basic:
    """Return nine cells as a position of the rulebook, unchecked."""
    masks = {"X": 0, "O": 0}
    for index, cell in enumerate(cells):
        if cell is not None:
            masks[cell] |= 1 << index
    count = (masks["X"] | masks["O"]).bit_count()
    return Basic.start()._replace(x=masks["X"], o=masks["O"], ply=count)


def missed_result(cells: cs50.Board, action: Action) -> str:
    """Return a sentence on an action that gives away a win or a draw; else an empty text."""
    position = position_of(cell for row in cells for cell in row)
    values = every_move(negamax, position).moves
    chosen = values[3 * action[0] + action[1]]
    best = max(values, key=lambda move: values[move].rank)
    if values[best].kind == chosen.kind:
        return ""
    ends = {"win": "wins", "draw": "draws", "loss": "loses"}
    return (
        f"minimax chose {action} for {position.turn}, which {ends[chosen.kind]} against best play; "
        f"{divmod(best, 3)} {ends[values[best].kind]}."
    )


def serve(inbox: Inbox, outbox: Connection, name: str) -> None:
    """Answer the window's requests with a `CheckedBoard`, or with an error as text."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    least = MOST_MEMORY if most == resource.RLIM_INFINITY else min(MOST_MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, most))
    course: CourseModule | None = None
    for request, cell in inbox:
        try:
            if course is None:
                course = CourseModule(name, lambda function: outbox.send(FunctionCall(function)))
            if request == "begin":
                seen = course.begin()
            else:
                seen = course.play(cell) if request == "play" else course.answer()
            outbox.send(seen)
        except CourseError as fault:
            outbox.send(str(fault))
