"""A student's file: load it, and call its functions in this process.

    path ──load()──► module ──prepare(function, right)──► caller(case) ──► CallAnswer

This runs beside the student's code, so it judges nothing: `CallAnswer` is plain data, and
`noughts.school.check` decides. A board is a text of nine characters, `X`, `O` or `.`, row by row.
"""

from __future__ import annotations

import builtins
import importlib.util
import inspect
import sys
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from enum import StrEnum
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from itertools import chain
from math import isfinite
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from noughts import cs50
from noughts.games.position import Player
from noughts.games.row import Basic
from noughts.school.handed_in import why_not_python
from noughts.school.memory import Memory
from noughts.school.tree_nodes import nodes_of

WRITTEN = ("player", "actions", "result", "winner", "terminal", "utility", "minimax")
"""The functions of the course's project that students write, each before those that call it."""
FUNCTIONS = ("initial_state", *WRITTEN)
"""All checked functions of the course's project; it comes with a right `initial_state`."""
LONGEST_VALUE = 1000
"""Most characters of a returned value; a longer one is cut and is wrong."""
DEEPEST_VALUE = 6
MOST_VISITS = 2000
"""How many of the values that a search reads are noted, at most: the last ones."""

Action = tuple[int, int]


class Interface(StrEnum):
    """The functions that a checked file has."""

    CS50 = "cs50"
    """The seven functions of the CS50 AI course."""
    AIMA = "aima"
    """A player of AIMA's `games.py`: `player(game, state)` returns `(x, y)`, counted from 1."""
    MOVES = "moves"
    """A function that takes a list of nine cells and returns a cell from 0 to 8."""
    ALPHABETA = "alphabeta"
    """A search of a tree: `alphabeta(node, depth)` returns the pair (value, move)."""


class Case(NamedTuple):
    """One call of a function."""

    board: str
    """The board; for a search of trees the tree."""
    action: Action | None = None
    """The second argument of `result`; for a search of trees the depth, and 1 if MAX begins or 0.
    `None` for the other functions."""
    moves: tuple[Action, ...] | None = None
    """The moves that lead to the board from the file's own `initial_state`, played by its own
    `result`; `None` if the check makes the board."""

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> Case:
        """Return the case that JSON gives back as nested lists."""
        board, action, moves = data
        return cls(
            board,
            None if action is None else tuple(action),
            None if moves is None else tuple(map(tuple, moves)),
        )


class CallAnswer(NamedTuple):
    """The answer of a function to one call."""

    value: str = ""
    """The returned value as a Python literal, or its `repr` if it is not plain data."""
    foreign: str = ""
    """The name of its type if it is not plain data, or is too long."""
    raised: str = ""
    """The exception, as in `IndexError: list index out of range`; empty without one."""
    line: int | None = None
    """The line of the file that raised it, or was called last."""
    exits: bool = False
    """Whether the exception ends a program, as that of `exit()` does."""
    after: str = ""
    """The argument after the call, if the call has changed it. For `initial_state` with shared
    rows: its board after a mark at (0, 0)."""
    shares: str = ""
    """`board` if the returned board is the given one, `rows` if it shares rows; else empty. For
    `initial_state`: `board` if two calls share rows, `rows` if the rows of one board are shared."""
    seconds: float = 0.0
    """Processor time of the call."""
    ended: str = ""
    """Why the process ended during the call: `time`, or a sentence; else empty."""
    visited: str = ""
    """The names of the nodes whose values a search of a tree has read, in order."""


class FileFails(Exception):
    """A file that cannot be imported; the message is a sentence for its author."""


class _Stub(ModuleType):
    """A module that has every attribute and does nothing; replaces pygame."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self


@contextmanager
def without_input() -> Iterator[None]:
    """Answer `input()` with an empty text, and replace pygame, whose window nobody would see."""
    names = "pygame", "pygame.locals"
    kept = {name: sys.modules.get(name) for name in names}
    asks, is_silent = builtins.input, sys.dont_write_bytecode
    builtins.input = lambda *_: ""
    sys.modules.update({name: _Stub(name) for name in names})
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        builtins.input, sys.dont_write_bytecode = asks, is_silent
        for name, module in kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


@lru_cache(16)
def _compiled(text: bytes, path: str) -> CodeType:
    """Return the code of a text, which is compiled once, however often it is imported."""
    return compile(text, path, "exec", dont_inherit=True)


class StudentFile:
    """A student's file, imported as a module; its calls have no limits here.

    Args:
        path: the file.
        interface: decides how functions are called.

    Raises:
        FileFails: it cannot be imported.
    """

    def __init__(self, path: Path, interface: Interface = Interface.CS50) -> None:
        self.path = path.resolve()
        self.interface = interface
        if sentence := why_not_python(self.path.read_bytes()):
            raise FileFails(sentence)
        sys.path.insert(0, str(self.path.parent))
        self._others = set(sys.modules)
        self.module = self.load()

    def load(self) -> ModuleType:
        """Import the file again, with the modules of its folder.

        Raises:
            FileFails: the import fails.
        """
        for name in set(sys.modules) - self._others:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).parent == self.path.parent:
                del sys.modules[name]
        try:
            # The loader takes a file with any ending.
            loader = SourceFileLoader(self.path.stem, str(self.path))
            spec = importlib.util.spec_from_loader(self.path.stem, loader)
            assert spec is not None
            self.module = sys.modules[self.path.stem] = importlib.util.module_from_spec(spec)
            exec(_compiled(self.path.read_bytes(), str(self.path)), vars(self.module))
        except BaseException as error:  # a student's file may raise anything
            raise FileFails(self._why_not(error)) from None
        return self.module

    def _why_not(self, error: BaseException) -> str:
        if isinstance(error, SyntaxError):
            place = f"Line {error.lineno}" if error.lineno else "The file"
            end = "" if error.msg.endswith("?") else "."
            return f"{place} is not Python: {error.msg}{end}"
        if isinstance(error, SystemExit):
            return (
                "The file ends Python when it is imported: move `exit()` below "
                '`if __name__ == "__main__":`.'
            )
        if isinstance(error, ModuleNotFoundError) and error.name:
            line = self._line(error)
            return (
                f"{'The file' if line is None else f'Line {line}'} imports {error.name}, which is "
                "not there: put its file beside this one, or install its package."
            )
        text, line = _exception(error), self._line(error)
        return f"{text}{'' if line is None else f' (line {line})'}."

    @property
    def parameters(self) -> dict[str, int]:
        """The functions of the file with the number of arguments that each needs."""
        found = {}
        for name, each in vars(self.module).items():
            if callable(each) and not name.startswith("_") and not inspect.isclass(each):
                own = getattr(each, "__module__", None) == self.module.__name__
                if own or name in FUNCTIONS:
                    found[name] = _arity(each)
        return found

    def call(
        self,
        function: str,
        cases: Sequence[Case],
        *,
        right: Collection[str],
        seconds: float,
        fresh: bool = False,
        remember: bool = False,
    ) -> Iterator[CallAnswer]:
        """Load the file again, and yield the answers of a function to cases, in order.

        Args:
            function: its name.
            cases: the calls.
            right: functions of the file to replace by right ones.
            seconds: without effect; a call without end does not return.
            fresh: load the file again before each call.
            remember: as for `prepare`.

        Raises:
            FileFails: the file cannot be imported this time.
        """
        del seconds
        if fresh:
            return (self.prepare(function, right)(case) for case in cases)
        return map(self.prepare(function, right, remember=remember), cases)

    def prepare(
        self,
        function: str,
        right: Collection[str] = (),
        *,
        again: bool = True,
        remember: bool = False,
    ) -> Callable[[Case], CallAnswer]:
        """Return a caller of a function of the file.

        If `right` has `initial_state` and the file's own board is not three lists, that function
        stays, and the other functions get boards in its form.

        Args:
            function: its name.
            right: functions of the file to replace by right ones.
            again: load the file again before.
            remember: keep the values of the file's pure functions from call to call. If a global
                changes after all, the file is loaded again, and answers as it is.

        Raises:
            FileFails: the file cannot be imported this time.
        """
        module = self.load() if again else self.module
        called = getattr(module, function)
        marks = [getattr(module, name, getattr(cs50, name)) for name in ("X", "O", "EMPTY")]
        form = _own_form(module) if "initial_state" in right else None
        if right:
            cs50.X, cs50.O, cs50.EMPTY = marks
            for name in right:
                if name != "initial_state" or form is None:
                    setattr(module, name, _tolerant(getattr(cs50, name), form))
        if function == "initial_state":
            return self._caller_of_start(called, marks)
        if self.interface is Interface.ALPHABETA:
            return self._caller_of_search(called)

        def board_of(case: Case) -> Any:
            if case.moves is not None:
                return _played(module, case.moves)
            cells = _cells(case.board, marks)
            if form is not None:
                return form(cells)
            return [cells[0:3], cells[3:6], cells[6:9]]

        arguments: Callable[[Case], list[Any]] = {
            Interface.CS50: lambda case: [
                board_of(case),
                *(() if case.action is None else (case.action,)),
            ],
            Interface.AIMA: _aima_arguments,
            Interface.MOVES: lambda case: [_cells(case.board, [*"XO", None])],
        }[self.interface]
        read = _reader(function, marks, form is not None)
        memory = None
        if remember:
            memory = Memory(module, [getattr(module, name) for name in right])
        as_is: Callable[[Case], CallAnswer] | None = None
        index = -1 if self.interface is Interface.AIMA else 0

        def call(case: Case) -> CallAnswer:
            nonlocal as_is
            if as_is is not None:
                return as_is(case)
            started = time.process_time()
            given, before = [], ""
            is_made = case.moves is None and form is None
            try:
                given = arguments(case)
                before = "" if is_made else repr(given[index])
                value = called(*given)
            except BaseException as error:  # a student's function may raise anything
                answer = CallAnswer(
                    raised=_exception(error),
                    line=self._line(error),
                    exits=not isinstance(error, Exception),
                )
            else:
                answer = _described(value, read)
                if function == "result":
                    answer = answer._replace(shares=_sharing(value, given[0]))
            seconds = time.process_time() - started
            after = ""
            if given and is_made:
                is_same = given[index] == arguments(case)[index]
                after = "" if is_same else _described(given[index], read).value
            elif given and repr(given[index]) != before:
                after = _described(given[index], read).value
            if memory is not None and memory.has_changed:
                as_is = self.prepare(function, right)
                return as_is(case)
            return answer._replace(seconds=seconds, after=after)

        return call

    def _caller_of_start(
        self, called: Callable[[], Any], marks: list[Any]
    ) -> Callable[[Case], CallAnswer]:
        """Return a caller of `initial_state`, which each case calls twice."""
        read = _reader("initial_state", marks, False)

        def call(_: Case) -> CallAnswer:
            started = time.process_time()
            try:
                first, second = called(), called()
            except BaseException as error:  # a student's function may raise anything
                return CallAnswer(
                    raised=_exception(error),
                    line=self._line(error),
                    exits=not isinstance(error, Exception),
                    seconds=time.process_time() - started,
                )
            answer = _described(first, read)
            shares = _sharing(first, second if isinstance(second, list) else [])
            after = ""
            if isinstance(first, list):
                own = {id(row) for row in first}
                if len(own) < len(first):
                    shares = "rows"
                    with suppress(Exception):  # its cells may be anything
                        copied = deepcopy(first)
                        copied[0][0] = marks[0]
                        after = _described(copied, read).value
                elif shares:
                    shares = "board"
            seconds = time.process_time() - started
            return answer._replace(shares=shares, after=after, seconds=seconds)

        return call

    def _caller_of_search(self, called: Callable[..., Any]) -> Callable[[Case], CallAnswer]:
        """Return a caller of a search of trees, with a new tree for each case."""

        def call(case: Case) -> CallAnswer:
            assert case.action is not None
            depth, maximizing = case.action
            node, seen = nodes_of(case.board, bool(maximizing))
            started = time.process_time()
            try:
                answer = _described(called(node, depth), lambda value: value)
            except BaseException as error:  # a student's function may raise anything
                answer = CallAnswer(
                    raised=_exception(error),
                    line=self._line(error),
                    exits=not isinstance(error, Exception),
                )
            seconds = time.process_time() - started
            return answer._replace(seconds=seconds, visited=" ".join(seen[-MOST_VISITS:]))

        return call

    def _line(self, error: BaseException) -> int | None:
        """Return the last line of the file in the traceback of an error."""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(self.path)]
        return lines[-1] if lines else None


def position_of(board: str) -> Basic:
    """Return a board of nine characters as a position of the rulebook, unchecked."""
    x, o = (sum(1 << i for i in range(9) if board[i] == mark) for mark in "XO")
    start = Basic.start()
    lines = {Player.X: start.rules.line_table[x], Player.O: start.rules.line_table[o]}
    ply = (x | o).bit_count()
    ended = (
        start.rules.x_line if lines[Player.X] else start.rules.o_line if lines[Player.O] else None
    )
    return start._replace(x=x, o=o, ply=ply, ended=ended)


def _arity(function: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return -1
    return sum(
        each.default is each.empty
        and each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
        for each in parameters
    )


def _tolerant(
    function: Callable[..., Any], form: Callable[[list[Any]], Any] | None
) -> Callable[..., Any]:
    """Return a right function that ignores further arguments, which a file may pass to its own.

    Args:
        function: takes a board, and perhaps an action.
        form: makes boards in the file's form, if this is not three lists.
    """
    count = _arity(function)
    if form is None:
        return lambda *arguments, **_: function(*arguments[:count])

    def call(board: Any, *arguments: Any, **_: Any) -> Any:
        value = function(_as_lists(board), *arguments[: count - 1])
        return form([*chain(*value)]) if function is cs50.result else value

    return call


def _cells(board: str, marks: list[Any]) -> list[Any]:
    """Return nine cells in the file's marks for X, O and empty."""
    values = dict(zip("XO.", marks, strict=True))
    return [values[cell] for cell in board]


def _played(module: ModuleType, moves: Sequence[Action]) -> Any:
    """Return the board after moves from the file's own start, by its own `result`."""
    board = module.initial_state()
    for move in moves:
        board = module.result(board, move)
    return board


def _own_form(module: ModuleType) -> Callable[[list[Any]], Any] | None:
    """Return a maker of boards from nine cells in the form of the file's own `initial_state`.

    `None` if this is three lists, or a form that nothing is known about.
    """

    def in_rows(cells: list[Any]) -> Any:
        own = module.initial_state()
        rows = [cells[0:3], cells[3:6], cells[6:9]]
        if isinstance(own, (list, tuple)):
            return type(own)(type(own[0])(row) for row in rows)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                own[i][j] = cell
        return own

    try:
        own = module.initial_state()
        if isinstance(own, list) and all(isinstance(row, list) for row in own):
            return None
        if len(own) == 9:
            return lambda cells: type(own)(cells)
        in_rows([own[0][0]] * 9)
    except BaseException:  # a student's function may raise anything
        return None
    return in_rows


def _reader(function: str, marks: list[Any], is_own_form: bool) -> Callable[[Any], Any]:
    """Return a function that writes a returned value with `X`, `O` and `None`, as lists.

    Args:
        function: that returned it.
        marks: the file's own for X, O and empty.
        is_own_form: whether its boards are those of the file, and not lists.
    """
    has_own_marks = marks != [*"XO", None]
    returns_board = function in ("result", "initial_state")

    def read(value: Any) -> Any:
        if returns_board:
            if is_own_form:
                value = _as_lists(value)
            if has_own_marks and isinstance(value, list):
                return [
                    [_letter(cell, marks) for cell in row] if isinstance(row, list) else row
                    for row in value
                ]
            return value
        if has_own_marks and function in ("player", "winner"):
            return value if value is None else _letter(value, marks)
        return value

    return read


def _as_lists(board: Any) -> Any:
    """Return a board of another form as three lists; a value that is no board stays."""
    if hasattr(board, "tolist"):
        return board.tolist()
    if isinstance(board, (list, tuple)):
        if len(board) == 9:
            return [list(board[0:3]), list(board[3:6]), list(board[6:9])]
        return [list(row) if isinstance(row, tuple) else row for row in board]
    return board


def _aima_arguments(case: Case) -> list[Any]:
    from noughts.arena.adapters.aima import AimaGame, state_of

    position = position_of(case.board)
    return [AimaGame(position.rules), state_of(position)]


def _letter(value: Any, marks: list[Any]) -> Any:
    for letter, mark in zip(("X", "O", None), marks, strict=True):
        if value == mark:
            return letter
    return value


def _exception(error: BaseException) -> str:
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # a student's class may fail
        text = ""
    return (f"{name}: {text}" if text else name).rstrip(".")[:LONGEST_VALUE]


def _sharing(value: Any, board: list[list[Any]]) -> str:
    if value is board:
        return "board"
    if not isinstance(value, list):
        return ""
    rows = [id(row) for row in value if isinstance(row, list)]
    given = {id(row) for row in board}
    return "rows" if len(set(rows)) < len(rows) or given & set(rows) else ""


def _described(value: Any, read: Callable[[Any], Any]) -> CallAnswer:
    """Return an answer with a value as a literal, or with the name of its type."""
    try:
        text = repr(_plain(read(value)))
        foreign = type(value).__name__ if len(text) > LONGEST_VALUE else ""
    except Exception:  # not plain data, or a class that fails
        foreign = type(value).__name__
        try:
            text = " ".join(repr(value).split())
        except Exception:
            text = f"a {foreign}"
    return CallAnswer(value=text[:LONGEST_VALUE], foreign=foreign)


def _plain(value: Any, depth: int = 0) -> Any:
    """Return a value made of Python's own types only.

    Raises:
        TypeError: it holds an object of another type, or is nested too deeply.
    """
    if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # the text of an Enum is that of its name
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float) and isfinite(value):  # the repr of infinity is not a literal
        return float.__float__(value)
    if depth == DEEPEST_VALUE:
        raise TypeError
    for kinds, made in (((list,), list), ((tuple,), tuple), ((set, frozenset), set)):
        if isinstance(value, kinds):
            return made(_plain(each, depth + 1) for each in value)
    if isinstance(value, dict):
        return {_plain(key, depth + 1): _plain(each, depth + 1) for key, each in value.items()}
    raise TypeError
