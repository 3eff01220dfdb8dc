"""Refused questions as sentences that say what to send instead.

IllegalMove, NotationError, Refused, bad arguments ──refusal()──► a sentence for the model
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from noughts.answers.problems import problem
from noughts.games.phrases import sentence
from noughts.games.position import IllegalMove, NotationError
from noughts.games.words import outcome_sentence
from noughts.opponents import OpponentFailed

SHOWN = 81
"""Most legal moves that a refusal lists."""
NO_GAME = "Send the moves of the game in moves, such as '5 1 9'."
"""The refusal of a review without moves."""
KINDS = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
}
"""What to send instead, by pydantic's kind of error."""


def refusal(error: Exception) -> str:
    """Return why a question is refused, and what to send instead.

    >>> import noughts
    >>> try:
    ...     noughts.game("basic").after("5 5")
    ... except noughts.IllegalMove as error:
    ...     print(refusal(error))
    Move 2: cell 5 is taken. Free cells: 1 2 3 4 6 7 8 9.

    Raises:
        Exception: `error` itself, if it is none of the package's own.
    """
    if isinstance(error, OpponentFailed):
        return f"{sentence(str(error))} Send another limit, or other moves."
    said = sentence(problem(error).detail)
    if isinstance(error, IllegalMove):
        return _with_moves(error, said)
    if isinstance(error, NotationError) and "Did you mean" not in said:
        if error.field == "RULES":
            return f"{said} Send a rules id of list_games as position."
        return f"{said} Send a rules id of list_games, or a position string of show_position."
    return said


def _with_moves(error: IllegalMove, said: str) -> str:
    position = error.position
    if position.outcome() is not None:
        return f"{said} {outcome_sentence(position)} Send fewer moves."
    if "Free " in said or "Legal moves" in said:
        return said
    moves = [position.move_text(move) for move in position.legal_moves()]
    rest = " …" if len(moves) > SHOWN else ""
    return f"{said} Legal moves: {' '.join(moves[:SHOWN])}{rest}."


def bad_arguments(error: ValidationError, schema: Mapping[str, Any]) -> str:
    """Return the errors in the arguments of a tool, and the arguments that it takes."""
    said = []
    for each in error.errors():
        name = str(each["loc"][0])
        kind, context = each["type"], each.get("ctx", {})
        if kind == "missing":
            said.append(f"{name} is missing")
        elif kind in KINDS:
            said.append(f"{name} must be {KINDS[kind]}")
        elif kind == "string_too_long":
            said.append(f"{name} has more than {context['max_length']:,} characters")
        elif kind == "string_too_short":
            said.append(f"{name} is empty")
        elif kind == "greater_than_equal":
            said.append(f"{name} must be at least {context['ge']:,}")
        elif kind == "less_than_equal":
            said.append(f"{name} must be at most {context['le']:,}")
        else:
            said.append(f"{name}: {each['msg']}")
    # A number that may be null is reported for both.
    first = dict.fromkeys(said)
    return f"{'; '.join(first)}. {takes(schema)}"


def takes(schema: Mapping[str, Any]) -> str:
    """Return the arguments of a tool as a sentence.

    >>> takes({"properties": {"position": {}, "move": {}}, "required": ["position"]})
    'The arguments are position, and optionally move.'
    """
    names, required = list(schema.get("properties", {})), schema.get("required", [])
    needed = [name for name in names if name in required]
    others = [name for name in names if name not in required]
    if not names:
        return "It takes no arguments."
    said = ", ".join(needed)
    if others:
        optional = f"optionally {', '.join(others)}"
        said = f"{said}, and {optional}" if needed else optional
    return f"The arguments are {said}."
