"""The types of the requests and replies of checks; those of the rest of the API are in `models`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from noughts.answers.positions import PictureView
from noughts.school.student import Interface
from noughts.web.models import RequestModel, ResponseModel, ShortText

LARGEST_FILE = 200_000
"""Most characters of a checked file."""


class CheckAccess(ResponseModel):
    """Whether the server checks files for this client."""

    enabled: bool
    """Whether the server was started with `--check-files`."""
    unlocked: bool
    """Whether the client has sent the key."""


class CheckRequest(RequestModel):
    """A student's file to check."""

    file: Annotated[str, Field(max_length=LARGEST_FILE)]
    """The text of the file."""
    name: ShortText = "tictactoe.py"
    """Its name, for people."""
    as_: Annotated[Interface | None, Field(alias="as", strict=False)] = None
    """Its functions, by default those of `cs50`."""
    function: ShortText | None = None
    """The function to check with `aima` or `moves`."""
    progress: bool = False
    """Whether the reply is JSON lines: objects of the kind `progress`, with `done` and `of`, then
    one of the kind `report` or `problem`."""


class CheckFailureView(ResponseModel):
    """The first board on which a function makes a mistake."""

    board: str
    """Nine characters, `X`, `O` or `.`; empty if the function is missing."""
    position: str | None
    """The position of the board; null if the function is missing."""
    action: tuple[int, int] | None
    expected: str
    got: str
    says: str
    """The likely mistake, in one sentence."""
    picture: PictureView | None
    """The board to draw; null if the function is missing."""


class CheckedFunction(ResponseModel):
    """The verdict on a function."""

    passed: bool
    """False if the function itself is at fault, or could not be checked."""
    cases: int
    failures: list[CheckFailureView]
    """Empty if the function could not be checked."""
    suffers_from: list[str]
    """The functions at fault that make it fail; it is right with right ones in their place."""
    verdict: str
    """The verdict in words."""


class CheckPlay(ResponseModel):
    """Games of the function that chooses moves, as X and as O, against every reply."""

    games: int
    lost: int
    shortest_loss: list[str]
    """Its moves, up to an impossible one."""
    sentence: str
    """The result; empty if it has played no game."""


class CheckImport(ResponseModel):
    """Why a file cannot be imported."""

    passed: Literal[False]
    says: str


class CheckView(ResponseModel):
    """The report on a file, as `noughts check --json` prints it, with sentences and pictures."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    passed: bool
    headline: str
    """The verdict in one sentence."""
    functions: dict[str, CheckedFunction]
    play: CheckPlay
    import_: Annotated[CheckImport | None, Field(alias="import")] = None
    """The reason if the file cannot be imported."""
    opponent: str | None
    """The text of the file as an opponent in a new game of `basic`; null if it chose no move."""
