"""A user's evaluation by text: `FILE.py:function`.

    def centre(position):           the estimate for the side to move, from -1 to 1
        return 0.5 if position.mark(4) is position.turn else -0.5

The file runs in this process, so only programs of the user's own machine may name one: those that
parse texts with `own_code=True`.
"""

from __future__ import annotations

import re
from pathlib import Path
from traceback import extract_tb

from noughts.games.position import NotationError, Position
from noughts.games.registry import load
from noughts.search.result import Evaluation
from noughts.search.walk import BadEvaluation

_OWN = re.compile(r"(?P<file>.+\.py):(?P<function>[A-Za-z_]\w*)")


def is_own(text: str) -> bool:
    """Return whether a text names a function of a file, and not an evaluation of this package."""
    return _OWN.fullmatch(text) is not None


def own_evaluation(text: str) -> Evaluation:
    """Return the function that `text` names; an error in it becomes a `BadEvaluation`.

    Raises:
        NotationError: there is no such file or function, or the file fails.
    """
    found = _OWN.fullmatch(text)
    assert found is not None
    file, name = Path(found["file"]), found["function"]
    if not file.is_file():
        raise NotationError(text, "EVALUATION", f"there is no file {file}")
    try:
        function = getattr(load(file), name, None)
    except Exception as error:  # a user's file may raise anything
        raise NotationError(text, "EVALUATION", f"{file} fails: {_said(error, file)}") from error
    if not callable(function):
        raise NotationError(text, "EVALUATION", f"{file} has no function {name}")

    def evaluate(position: Position) -> float:
        try:
            return function(position)  # type: ignore[no-any-return]
        except Exception as error:  # a user's function may raise anything
            raise BadEvaluation(f"{text} fails on {position}: {_said(error, file)}") from error

    evaluate.__name__ = text
    return evaluate


def _said(error: Exception, file: Path) -> str:
    """Return an exception in words, with the last line of the user's file, if that raised it."""
    own = [each for each in extract_tb(error.__traceback__) if _is_same(each.filename, file)]
    line = f" (line {own[-1].lineno} of {file.name})" if own else ""
    return f"{type(error).__name__}: {error}{line}"


def _is_same(name: str, file: Path) -> bool:
    return Path(name) == file.resolve()
