"""The labs and their options, as JSON data."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from math import inf
from typing import Any, Literal, NamedTuple

from noughts.answers.described import Described
from noughts.answers.problems import Refused
from noughts.labs.claims import LABS


class LabOption(Described):
    """An option of a lab."""

    name: str
    kind: Literal["number", "text", "choice"]
    sentence: str
    least: int | None
    most: int | None
    choices: list[str]
    default: int | str | None


class LabView(Described):
    name: str
    sentence: str
    options: list[LabOption]
    slow: bool
    """Whether the lab takes more than a few seconds."""


class LabList(Described):
    labs: list[LabView]


class LabOptionKind(NamedTuple):
    """An option of labs."""

    kind: Literal["number", "text", "choice"]
    sentence: str
    least: int | None = None
    most: int | None = None
    """The largest number, or the most characters of a text."""
    choices: tuple[str, ...] = ()


LAB_OPTIONS = {
    "games": LabOptionKind("number", "Number of games.", 2, 200),
    "tree": LabOptionKind(
        "text", "Your own tree, such as ((3 12 8) (2 4 6) (14 5 2)).", most=2_000
    ),
    "first": LabOptionKind("choice", "The player to move at the root.", choices=("max", "min")),
    "branching": LabOptionKind("number", "Branches per node of a random tree.", 1, 16),
    "depth": LabOptionKind(
        "number", "Depth of a random tree, or of the deepest searches, in plies.", 1, 8
    ),
    "seed": LabOptionKind(
        "number", "Random seed: the same seed gives the same result.", 0, 2**32 - 1
    ),
}
"""All options of labs in the order of the form; a lab has those that its function takes."""
SLOW = ("counts", "first-move", "heuristic")
"""Labs that take more than a few seconds."""


def lab_list() -> LabList:
    """Return the labs with their options."""
    labs: list[LabView] = []
    for name, run in LABS.items():
        taken = inspect.signature(run).parameters
        options: list[LabOption] = [
            {
                "name": option,
                "kind": known.kind,
                "sentence": known.sentence,
                "least": known.least,
                "most": known.most if known.kind == "number" else None,
                "choices": list(known.choices),
                "default": taken[option].default,
            }
            for option, known in LAB_OPTIONS.items()
            if option in taken
        ]
        about = (run.__doc__ or "").partition("\n")[0]
        labs.append({"name": name, "sentence": about, "options": options, "slow": name in SLOW})
    return {"labs": labs}


def check_lab(name: str, options: Mapping[str, Any]) -> None:
    """Check the name and the options of a lab.

    Raises:
        Refused: unknown lab or option.
    """
    if name not in LABS:
        detail = f"No lab is called {name!r}. Labs: {', '.join(LABS)}."
        raise Refused(404, "not-found", detail, field="lab")
    for option in options.keys() - inspect.signature(LABS[name]).parameters.keys():
        raise Refused(422, "request", f"The lab {name} has no option {option}.", field=option)


def check_lab_options(options: Mapping[str, Any]) -> None:
    """Check the values of options, as the server's types do.

    Raises:
        Refused: a value of the wrong kind, or out of bounds.
    """
    for name, value in options.items():
        known = LAB_OPTIONS[name]
        if known.kind == "number":
            least, most = known.least or 0, known.most or inf
            fits = type(value) is int and least <= value <= most
            wanted = f"a whole number from {least} to {most}"
        elif known.kind == "text":
            fits = isinstance(value, str) and len(value) <= (known.most or inf)
            wanted = f"a text of at most {known.most:,} characters"
        else:
            fits, wanted = value in known.choices, " or ".join(known.choices)
        if not fits:
            raise Refused(422, "request", f"{name}: expected {wanted}.", field=name)
