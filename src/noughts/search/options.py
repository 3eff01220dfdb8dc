"""Options as text, such as `depth=4,score=sign`: of searches, opponents and levels.

    NAME:KEY=VALUE,KEY=VALUE ──parse_values()──► {KEY: VALUE}

`noughts.search.textbook` and `noughts.opponents` say which keys a name takes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from noughts.games.position import NotationError
from noughts.search.own_evaluation import is_own
from noughts.search.result import LARGEST_LIMITS

_COUNT, _NUMBER, _WORD, _CHOICE = "a whole number", "a number", "a word", "yes or no"
_FILE = "a file or no"
_EVALUATION = "a name, or a function such as FILE.py:function"
_KEYS = {
    "depth": _COUNT,
    "nodes": _COUNT,
    "simulations": _COUNT,
    "seed": _COUNT,
    "seconds": _NUMBER,
    "exploration": _NUMBER,
    "evaluation": _EVALUATION,
    "level": _COUNT,
    "sight": _COUNT,
    "slip": _NUMBER,
    "blur": _NUMBER,
    "method": _WORD,
    "table": _COUNT,
    "threads": _COUNT,
    "book": _CHOICE,
    "net": _FILE,
    "score": _WORD,
    "stop_at_win": _CHOICE,
    "strict": _CHOICE,
    "symmetry": _CHOICE,
}
_SHAPES: dict[str, tuple[str, Callable[[str], Any]]] = {
    _COUNT: ("[0-9]{1,300}", int),
    _NUMBER: ("[0-9]{1,300}([.][0-9]+)?", float),
    _WORD: ("[a-z_-]+", str),
    _CHOICE: ("yes|no", "yes".__eq__),
    _FILE: (".+", str),
    _EVALUATION: (r"[a-z_-]+|.+[.]py:[A-Za-z_]\w*", str),
}
_BOUNDS = {
    **LARGEST_LIMITS,
    "sight": LARGEST_LIMITS["depth"],
    "table": 1 << 16,
    "threads": 256,
}
"""Keys whose values must be above 0, and the largest value of each."""


def check_name(text: str, name: str, known: Collection[str], field: str) -> None:
    """Check that `name`, the first word of `text`, is one of `known`.

    Raises:
        NotationError: it is not; the reason names a near miss.
    """
    if name not in known:
        raise NotationError(text, field, _unknown(field.lower(), name, known))


def parse_values(
    text: str,
    keys: Collection[str],
    choices: Mapping[str, Collection[Any]],
    field: str,
    *,
    own_code: bool = False,
) -> dict[str, Any]:
    """Return the values that `text` gives after its name and a colon.

    Args:
        text: such as `alphabeta:depth=6`.
        keys: the keys that the name takes.
        choices: the values that a key takes, where they are listed.
        field: of the errors.
        own_code: whether `evaluation` may name a function of a file.

    Raises:
        NotationError: an unknown key, a key given twice, or a wrong value.
    """
    name, colon, rest = text.partition(":")
    values: dict[str, Any] = {}
    if colon and not rest:
        raise NotationError(text, field, "nothing follows the colon")
    for word in rest.split(",") if rest else ():
        key, _, value = word.partition("=")
        if key not in keys:
            raise NotationError(text, field, _unknown("key", key, keys, f" of {name}"))
        if key in values:
            raise NotationError(text, field, f"{key} is given twice")
        values[key] = _value(text, key, value, field)
        if key == "evaluation" and is_own(value):
            if not own_code:
                reason = "a function of a file is read only at the command line and in matches"
                raise NotationError(text, field, reason)
        elif key in choices and values[key] not in choices[key]:
            raise NotationError(text, field, _unknown(key, value, choices[key]))
    return values


def _value(text: str, key: str, value: str, field: str) -> Any:
    shape, read = _SHAPES[_KEYS[key]]
    if not re.fullmatch(shape, value):
        raise NotationError(text, field, f"{key} must be {_KEYS[key]}, not {value!r}")
    found = read(value)
    if key in _BOUNDS and not found > 0:
        raise NotationError(text, field, f"{key} must be above 0")
    if key in _BOUNDS and found > _BOUNDS[key]:
        raise NotationError(text, field, f"{key} must be at most {_BOUNDS[key]:,}")
    return found


def _unknown(kind: str, word: str, known: Collection[Any], where: str = "") -> str:
    words = list(map(str, known))
    near = difflib.get_close_matches(word, [each for each in words if not each.isdigit()], 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    choices = " ".join(words) or "none"
    return f"there is no {kind} {word!r}{where}.{hint} Choose one of: {choices}"
