"""The course's seven functions at work, ours or a student's, each answer checked as it comes.

    begin() · play(cell) · answer() ──► initial_state, player, actions, … ──► Seen, or Fault

All of it runs in a process beside the window: a student's endless loop is ended with the process.
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
from noughts.apps.window.worker import Inbox
from noughts.games.row import Basic
from noughts.search import every_move, negamax

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
"""How much memory, in bytes, a student's program may take."""
LONGEST_SHOWN = 90
"""A value is shown with at most so many characters."""

Action = tuple[int, int]


class Fault(Exception):
    """What a module did that it should not: one sentence, which names the function."""


class Seen(NamedTuple):
    """A board as the module has it, which is as it should be."""

    cells: tuple[str | None, ...]
    """Nine of `"X"`, `"O"` and `None`, row by row."""
    turn: str | None
    """Who is to move; `None` when the game is over."""
    winner: str | None
    last: int | None
    """The cell of the last move, counted from 0."""
    remark: str = ""
    """What there is to say of a move that is legal, but not one of the best."""

    @property
    def over(self) -> bool:
        return self.turn is None


class Calling(NamedTuple):
    """A function of the module that has been called and has not returned yet."""

    function: str


class Course:
    """A module with the course's functions, and the game that is played with it.

    Args:
        name: the path of a Python file, or the name of a module.
        calling: is told the name of each function before it is called.

    Raises:
        Fault: there is no such module, it cannot be loaded, or something is missing from it.
    """

    def __init__(self, name: str, calling: Callable[[str], None]) -> None:
        self.name = name
        self._calling = calling
        calling(f"Loading {name}")
        self._module = load(name)
        missing = [each for each in (*CONSTANTS, *FUNCTIONS) if not hasattr(self._module, each)]
        if missing:
            raise Fault(f"{name} has no {' and no '.join(missing)}; the course's module has them.")
        self.board: Any = None
        """In the module's own form."""
        self._cells: cs50.Board = cs50.initial_state()
        """The same in ours."""

    def begin(self) -> Seen:
        """Return the board before the first move.

        Raises:
            Fault: as every other method.
        """
        self.board = self._call("initial_state")
        self._take("initial_state", self.board, cs50.initial_state())
        return self._look(None)

    def play(self, cell: int) -> Seen:
        """Return the board after a move of the person."""
        return self._result(divmod(cell, 3))

    def answer(self) -> Seen:
        """Return the board after the move that `minimax` chooses."""
        empty = sorted(cs50.actions(self._cells))
        wanted = f"an action (i, j) of {shown(empty)}"
        action = self._call("minimax", self.board)
        if not is_action(action) or tuple(action) not in empty:
            taken = ""
            if is_action(action) and all(0 <= index < 3 for index in action):
                taken = ", which is taken"
            raise Fault(f"minimax returned {shown(action)}{taken}; expected was {wanted}.")
        remark = better(self._cells, tuple(action))
        return self._result(tuple(action))._replace(remark=remark)

    def _result(self, action: Action) -> Seen:
        wanted = cs50.result(self._cells, action)
        board = self._call("result", self.board, action)
        if self._rows(self.board) != self._cells:
            raise Fault(
                f"result changed the board that it was given for {action}; expected was a new "
                "board, and the old one as it was."
            )
        self._take("result", board, wanted)
        self.board = board
        return self._look(3 * action[0] + action[1])

    def _look(self, last: int | None) -> Seen:
        """Ask the module about the board, and hold every answer against the rules."""
        cells = self._cells
        over = cs50.terminal(cells)
        self._compare("terminal", over, bool)
        winner = cs50.winner(cells)
        self._compare("winner", winner, self._named)
        if over:
            self._compare("utility", cs50.utility(cells), lambda value: value)
        else:
            self._compare("player", cs50.player(cells), self._named)
            self._compare("actions", cs50.actions(cells), lambda value: set(map(tuple, value)))
        flat = tuple(cell for row in cells for cell in row)
        return Seen(flat, None if over else cs50.player(cells), winner, last)

    def _compare(self, function: str, wanted: object, read: Callable[[Any], object]) -> None:
        """Call a function with the board, and raise `Fault` if it does not answer as it should."""
        value = self._call(function, self.board)
        try:
            right = read(value) == wanted and (value is None) == (wanted is None)
        except Exception:  # a value that cannot even be read is as wrong as any other
            right = False
        if not right:
            form = sorted(wanted) if isinstance(wanted, set) else wanted
            raise Fault(
                f"{function} returned {shown(value)}; expected was {shown(form)} "
                f"on the board {drawn(self._cells)}."
            )
        if self._rows(self.board) != self._cells:
            raise Fault(
                f"{function} changed the board that it was given; it is only to look at it."
            )

    def _named(self, value: object) -> object:
        """Return a player of the module in our letters."""
        for letter in ("X", "O"):
            if value is not None and value == getattr(self._module, letter):
                return letter
        return value

    def _take(self, function: str, board: Any, wanted: cs50.Board) -> None:
        """Take a board that the module has returned, if it is the one that is wanted."""
        if self._rows(board) != wanted:
            raise Fault(
                f"{function} returned {shown(board)}; expected was {shown(wanted)}, "
                "a list of three rows."
            )
        self._cells = wanted

    def _rows(self, board: Any) -> list[list[object]]:
        """Return a board of the module in our letters; no rows if it is none."""
        empty = self._module.EMPTY
        try:
            return [[None if cell == empty else self._named(cell) for cell in row] for row in board]
        except TypeError:
            return []

    def _call(self, function: str, *arguments: Any) -> Any:
        self._calling(function)
        try:
            return getattr(self._module, function)(*arguments)
        except BaseException as error:  # a student's program may raise anything
            raise Fault(f"{function} has failed: {said(error, self._module)}") from None


def load(name: str) -> ModuleType:
    """Return the module of a file, or of a name as `import` has it.

    Raises:
        Fault: it cannot be loaded.
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
        raise Fault(f"{name} cannot be loaded: {said(error)}") from None
    return module


def said(error: BaseException, module: ModuleType | None = None) -> str:
    """Return an error as a sentence, with the line of the student's file where it arose."""
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
    """Whether a value is a pair of whole numbers."""
    return (
        isinstance(value, tuple | list)
        and len(value) == 2
        and all(isinstance(index, int) and not isinstance(index, bool) for index in value)
    )


def shown(value: object) -> str:
    """Return a value as Python writes it, cut short."""
    try:
        text = repr(value)
    except Exception:  # of a student's own class
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def drawn(board: cs50.Board) -> str:
    """Return a board on one line.

    >>> drawn([["X", None, "O"], [None, "X", None], [None, None, None]])
    'X.O .X. ...'
    """
    return " ".join("".join(cell or "." for cell in row) for row in board)


def position_of(cells: Iterable[str | None]) -> Basic:
    """Return nine cells as the rulebook has them, unchecked."""
    masks = {"X": 0, "O": 0}
    for index, cell in enumerate(cells):
        if cell is not None:
            masks[cell] |= 1 << index
    count = (masks["X"] | masks["O"]).bit_count()
    return Basic.start()._replace(x=masks["X"], o=masks["O"], ply=count)


def better(cells: cs50.Board, action: Action) -> str:
    """Return what there is to say of an action that gives a win or a draw away, else nothing."""
    position = position_of(cell for row in cells for cell in row)
    values = every_move(negamax, position).scores
    chosen = values[3 * action[0] + action[1]]
    best = max(values, key=lambda move: values[move].rank)
    if values[best].value == chosen.value:
        return ""
    ends = {"win": "wins", "draw": "draws", "loss": "loses"}
    return (
        f"minimax chose {action} for {position.turn}, which {ends[chosen.value]} if nobody errs; "
        f"{divmod(best, 3)} {ends[values[best].value]}."
    )


def serve(inbox: Inbox, outbox: Connection, name: str) -> None:
    """Do what the window asks, and send what is seen, or the fault, as text."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    least = MOST_MEMORY if most == resource.RLIM_INFINITY else min(MOST_MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, most))
    course: Course | None = None
    for request, cell in inbox:
        try:
            if course is None:
                course = Course(name, lambda function: outbox.send(Calling(function)))
            if request == "begin":
                seen = course.begin()
            else:
                seen = course.play(cell) if request == "play" else course.answer()
            outbox.send(seen)
        except Fault as fault:
            outbox.send(str(fault))
