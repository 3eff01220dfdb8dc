"""Remember values of a file's pure functions while its search runs, so that it visits a board once.

    functions of the file ──code──► pure ──Memory──► called once for each list of arguments
                                      └── a global that changes after all: `has_changed`

A plain minimax visits half a million nodes on the empty board, and 5,478 of them differ. A function
is pure if its code shows that its value depends on its arguments alone: it writes no global and no
attribute, and uses only operators, pure functions of the file, and some of Python's own. Any doubt
leaves a function as it is. Its arguments, and the globals that it reads, must stay as they were.
"""

from __future__ import annotations

import builtins
import copy
import dis
import marshal
import math
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

MOST_VALUES = 200_000
"""Most values remembered for one function."""
TRIES = 3
"""Values that cannot be remembered before a function is called as it is."""
_SCALARS = (type(None), bool, int, float, str)
_CONTAINERS = (list, tuple, set, frozenset, dict)
# fmt: off
_BUILTINS = frozenset((
    "abs", "all", "any", "bool", "dict", "divmod", "enumerate", "filter", "float", "frozenset",
    "int", "isinstance", "iter", "len", "list", "map", "max", "min", "next", "pow", "print",
    "range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip",
))
# fmt: on
_ATTRIBUTES = frozenset(
    name
    for owner in (*_CONTAINERS, *_SCALARS, math)
    for name in dir(owner)
    if not name.startswith("__")
) | {"copy", "deepcopy"}
# fmt: off
_WRITES = frozenset((
    "STORE_GLOBAL", "DELETE_GLOBAL", "STORE_NAME", "STORE_ATTR", "DELETE_ATTR", "IMPORT_NAME",
    "LOAD_BUILD_CLASS",
))
_CHANGES = frozenset(("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE"))
_CHANGERS = frozenset((
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove",
    "reverse", "setdefault", "sort", "update",
))
_READS = frozenset(("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"))
# fmt: on


class Memory:
    """The values of the pure functions of a module; it replaces them in the module.

    Args:
        module: of the file.
        trusted: functions that replace some of the file, and are known to be pure.
    """

    def __init__(self, module: ModuleType, trusted: Collection[object] = ()) -> None:
        self._names = vars(module)
        pure, self._read = _pure_functions(self._names, trusted)
        self._before = self._snapshot()
        self.functions = tuple(sorted(pure))
        """The names of the functions whose values are remembered."""
        for name, function in pure.items():
            self._names[name] = remembered(function)

    @property
    def has_changed(self) -> bool:
        """Whether a global that the functions read is another one than before."""
        return self._snapshot() != self._before

    def _snapshot(self) -> str:
        return repr([self._names.get(name) for name in self._read])


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is called once for each list of arguments.

    Only unchangeable plain values are remembered, for plain arguments that the call leaves alone.

    >>> calls = []
    >>> def double(n):
    ...     calls.append(n)
    ...     return 2 * n
    >>> quick = remembered(double)
    >>> quick(3), quick(3), quick(True), calls
    (6, 6, 2, [3, True])
    """
    known: dict[bytes, Any] = {}
    vain = 0

    def call(*arguments: Any, **named: Any) -> Any:
        nonlocal vain
        if vain == TRIES:
            return function(*arguments, **named)
        try:
            # This version writes equal values equally, and values of different types differently.
            key = marshal.dumps((arguments, named), 2)
        except ValueError:
            return function(*arguments, **named)
        if key in known:
            return known[key]
        try:
            value = function(*arguments, **named)
        except RecursionError:
            vain = TRIES  # It calls itself without end, faster without a memory.
            raise
        if not _is_constant(value):
            vain += 1
        elif len(known) < MOST_VALUES and marshal.dumps((arguments, named), 2) == key:
            known[key] = value
        return value

    return call


def _pure_functions(
    names: dict[str, Any], trusted: Collection[object]
) -> tuple[dict[str, FunctionType], list[str]]:
    """Return the pure functions among the names of a module, and the globals that they read."""
    own = {
        name: each
        for name, each in names.items()
        if isinstance(each, FunctionType) and each.__globals__ is names
    }
    written = {name for code in _every_code(names) for name in _written(code, names)}
    needs = {name: _needs(each, names, written) for name, each in own.items()}
    pure = {name for name, found in needs.items() if found is not None}
    while True:
        doubtful = {
            name
            for name in pure
            for each in needs[name] or ()
            if not (each in pure or any(names[each] is known for known in trusted))
            and callable(names[each])
            and not _is_known(names[each])
        }
        if not doubtful:
            break
        pure -= doubtful
    read = {each for name in pure for each in needs[name] or () if _is_plain(names[each])}
    return {name: own[name] for name in pure}, sorted(read)


def _written(code: CodeType, names: dict[str, Any]) -> set[str]:
    """Return the globals that a code writes, or may change in place."""
    found = {
        (operation, name)
        for operation, name in _instructions(code)
        if isinstance(name, str) or operation in _CHANGES
    }
    written = {name for operation, name in found if operation in ("STORE_GLOBAL", "DELETE_GLOBAL")}
    if any(operation in _CHANGES or name in _CHANGERS for operation, name in found):
        loaded = {name for operation, name in found if operation == "LOAD_GLOBAL"}
        plain = {name for name in loaded if _is_plain(names.get(name))}
        written |= {name for name in plain if not _is_constant(names.get(name))}
    return written


def _needs(
    function: FunctionType, names: dict[str, Any], written: Collection[str]
) -> set[str] | None:
    """Return the globals of the file that a function needs; `None` if it may be impure itself."""
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    if function.__closure__ or vars(function) or not all(map(_is_constant, defaults)):
        return None
    found: set[str] = set()
    for code in _codes(function.__code__):
        for operation, name in _instructions(code):
            if operation in _WRITES:
                return None
            if operation in _READS and name not in _ATTRIBUTES:
                return None
            if operation in ("LOAD_GLOBAL", "LOAD_NAME"):
                if name in names:
                    each = names[name]
                    is_fit = callable(each) or _is_plain(each) or each is math or each is copy
                    if name in written or not is_fit:
                        return None
                    found.add(name)
                elif name not in _BUILTINS and not _is_known(getattr(builtins, name, None)):
                    return None
    return found


@lru_cache(1024)
def _instructions(code: CodeType) -> tuple[tuple[str, Any], ...]:
    """Return the operations of a code with their arguments; equal codes are disassembled once."""
    return tuple((each.opname, each.argval) for each in dis.get_instructions(code))


def _is_known(value: object) -> bool:
    """Return whether an object of Python's own has no state that a call could change."""
    if isinstance(value, type):
        if issubclass(value, BaseException):
            return value.__module__ == "builtins" or not {"__init__", "__new__"} & {*vars(value)}
        return value in (*_CONTAINERS, *_SCALARS)
    return any(value is each for each in _FUNCTIONS)


_FUNCTIONS = (copy.copy, copy.deepcopy, *filter(callable, vars(math).values()))


def _every_code(names: dict[str, Any]) -> Iterator[CodeType]:
    """Yield the code of the functions and methods of a module."""
    for each in names.values():
        parts = vars(each).values() if isinstance(each, type) else (each,)
        for part in parts:
            function = getattr(part, "__wrapped__", getattr(part, "__func__", part))
            if isinstance(function, FunctionType):
                yield from _codes(function.__code__)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code and those of the functions in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _is_constant(value: object) -> bool:
    """Return whether a value is plain and unchangeable."""
    return type(value) in _SCALARS or (type(value) is tuple and all(map(_is_constant, value)))


def _is_plain(value: object) -> bool:
    """Return whether a value is made of Python's own types only."""
    if isinstance(value, dict):
        return type(value) is dict and all(map(_is_plain, (*value, *value.values())))
    if type(value) is range:
        return True
    return type(value) in _SCALARS or (
        isinstance(value, _CONTAINERS) and type(value) in _CONTAINERS and all(map(_is_plain, value))
    )
