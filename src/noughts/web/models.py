"""The types of the requests of the HTTP API, and of the replies that only a server gives.

    request ──► MoveRequest, NewGameRequest, … ──► games ──► GameView ──► page
                                                       └── PositionView: board, legal moves, end

The types of the other replies are in `noughts.answers`. The page knows no rules: it shows and
allows only the content of these types.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.answers.described import Described
from noughts.answers.labs import LAB_OPTIONS
from noughts.answers.names import LONGEST_NAME
from noughts.answers.positions import Letter, PositionView
from noughts.games.swap2 import Choice

ShortText = Annotated[str, Field(max_length=200)]
LongText = Annotated[str, Field(max_length=20_000)]
Key = Annotated[str, Field(max_length=100)]
Name = Annotated[str, Field(max_length=LONGEST_NAME)]


class ResponseModel(BaseModel):
    """A reply; the docstrings of its fields appear in the API description."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class RequestModel(ResponseModel):
    """A request; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


# Games


class PlayerView(Described):
    """The player of one side."""

    kind: Literal["person", "open", "machine"]
    """`open` is a seat for the first person with the join link."""
    opponent: str | None
    """The text of a machine, such as `engine:level=4`."""
    name: str
    """For example `Engine, level 4`, `You`, `Guest` or the name that the person gave."""
    given: str | None
    """The name that the person gave; null for none and for machines."""
    yours: bool
    """Whether the client plays this side."""
    online: bool
    """Whether the player has the game open now; true for machines."""


class ThinkingView(Described):
    """A machine that is searching for its move."""

    side: Letter
    waiting: bool
    """Whether its search is queued behind others."""


class ClockView(Described):
    """The clocks of both sides."""

    seconds: float
    """Time of each side for the game."""
    increment: float
    """Seconds added after each move."""
    x: float
    o: float
    """Seconds left when the view was made."""
    running: Letter | None
    """The side whose clock runs; null while both clocks are stopped."""


class OfferView(Described):
    """An offer of one player, which the other one may accept or decline."""

    kind: Literal["draw", "undo", "rematch"]
    """`undo` takes back the last move of the player who asks, and those after it."""
    side: Letter
    """The side of the player who makes it."""


class Swap2View(Described):
    """The opening of a game that begins with swap2."""

    first: Letter
    """The side of player 1, who places the first stones. Until `decided`, player 1 has X here."""
    decided: bool
    """Whether the players have chosen their sides."""
    side: Letter
    """The side of the player who acts: places a stone, chooses, or moves."""
    choices: list[Choice]
    """The choices that are due: to play O or X, or to add two stones."""
    stones: int
    """Number of moves that are stones of the opening."""
    situation: dict[Literal["X", "O", "-"], str] | None
    """Who places a stone or chooses, or what was chosen, as a sentence to the player of X, to the
    player of O, and to others; null after the opening."""


class ScoreView(Described):
    """Points of a series of rematches, by the sides of the present game."""

    x: float
    o: float
    draws: int


class VariationView(Described):
    """A variation of the game, or of another variation."""

    path: list[str]
    """All moves from the start to its end."""
    shared: int
    """Number of moves before it branches off."""
    comments: dict[int, str]
    """Comments on its moves, by number from 1."""


class KeysView(Described):
    """Secret keys for links."""

    watch: str
    """Lets anyone watch."""
    join: str | None
    """Lets one person take the open seat; null if there is none, and after the game."""


class SavedView(Described):
    """Whether the present version of the game is in the database."""

    done: bool
    notice: str | None
    """If saving fails: a sentence with the reason."""


Change = Literal[
    "move",
    "choose",
    "undo",
    "redo",
    "resign",
    "draw",
    "accept",
    "decline",
    "rematch",
    "stop",
    "answer",
    "vary",
    "delete",
]
"""A change that a client may request."""


class PlayedView(Described):
    """The moves of a game."""

    moves: list[str]
    """Moves played so far."""
    undone: list[str]
    """Moves that redo would play, in order."""
    position: PositionView
    """The position after `moves`."""
    variations: list[VariationView]
    comments: dict[int, str]
    """Comments on the moves, by number from 1; 0 is the comment before the first move."""


class GameView(PlayedView):
    """A game as one client sees it."""

    id: str
    version: int
    """Goes up by one at every change; a request that changes the game must name it."""
    tag: str
    """Names this view. A new WebSocket with `?have=TAG` gets only the changes since."""
    rules: str
    start: str
    """The position string of the start."""
    swapped: bool
    """Whether people see X and O swapped."""
    players: dict[Letter, PlayerView]
    yours: list[Letter]
    """The sides that the client plays; none for a spectator."""
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]
    termination: str
    sentence: str | None
    """The result as a sentence; null while the game is in progress."""
    score: ScoreView
    clock: ClockView | None
    """The clocks; null for a game without clocks."""
    offer: OfferView | None
    """The open offer. A move withdraws it."""
    swap2: Swap2View | None
    """The opening of a game with swap2; null for other games."""
    between_people: bool
    """Whether two people play it in two browsers. Analysis is off until its end."""
    thinking: ThinkingView | None
    trouble: str | None
    """A sentence on why the machine to move failed; null if it did not."""
    can: list[Change]
    """The changes that the client may request now; between two people some are offers.

    `answer`: the server waits for the move of a level that the client finds.
    """
    keys: KeysView | None
    """Keys of the links; null for spectators, unless machines have both seats."""
    next: str | None
    """The id of the rematch; null if there is none."""
    saved: SavedView
    created: str
    updated: str
    """Times in ISO 8601, UTC."""


class ListChange(Described):
    """The change of a list: some items in place of others."""

    at: int
    """Index of the first item that changes."""
    removed: int
    """Number of items to remove there."""
    added: list[Any]
    """Items to insert there."""


class GameChange(Described):
    """The changes from the last view of a game to the next one."""

    values: dict[str, Any]
    """New values of fields of the `GameView`."""
    lists: dict[str, ListChange]
    """Changes of fields that are lists."""
    entries: dict[str, dict[str, Any]]
    """New entries of `comments` and `players`, by key; null deletes one."""


def following(view: Mapping[str, Any], message: str | bytes) -> dict[str, Any]:
    """Return the next view of a game, from the last one and a message of its WebSocket."""
    data: dict[str, Any] = json.loads(message)
    if "values" not in data:
        return data
    following = {**view, **data["values"]}
    for name, part in data["lists"].items():
        old, at = view[name], part["at"]
        following[name] = old[:at] + part["added"] + old[at + part["removed"] :]
    for name, entries in data["entries"].items():
        merged = {**view[name], **entries}
        following[name] = {key: value for key, value in merged.items() if value is not None}
    return following


class AddressView(Described):
    network: str | None
    """The server's address for others in the network, such as `http://192.168.1.5:8322`; null if
    it listens on its own machine only."""


class GameSummary(Described):
    """A game in the list of the client's games."""

    id: str
    rules: str
    x: str
    o: str
    """Names of the players."""
    result: str
    termination: str
    plies: int
    position: str
    """The last position."""
    swapped: bool
    yours: list[Letter]
    created: str
    updated: str


class GamesPage(Described):
    games: list[GameSummary]
    next: str | None
    """The `after` of the next page; null on the last page."""


class NewGameRequest(RequestModel):
    """A game to open. `me` is the client, `guest` a person with the link, else a machine."""

    start: LongText
    """A rules id or a position string."""
    moves: LongText = ""
    """Moves already played, as text."""
    x: ShortText = "me"
    o: ShortText = "engine:level=4"
    swapped: bool = False
    name: Name = ""
    """The client's name, for the others to see."""
    clock: ShortText = ""
    """Seconds for each side, and seconds added after each move: `180+2`. Only between people."""
    answers: bool = False
    """Whether the client finds the first move, if a level of the engine is to move."""
    opening: Literal["", "swap2"] = ""
    """`swap2`: the player of X places three stones, and the other one chooses a side. For
    m,n,k-games with 4 or more in a row."""


class ImportRequest(RequestModel):
    """Games to import: records as text or JSON lines, or lines of a position or game and moves."""

    text: Annotated[str, Field(max_length=1_000_000)]


class ChangeRequest(RequestModel):
    """A change of a game."""

    version: int
    """The version to which the change applies."""


class MoveRequest(ChangeRequest):
    move: ShortText
    answers: bool = False
    """Whether the client finds the reply of a level, and sends it to `answers`."""


class ChooseRequest(ChangeRequest):
    choice: Choice
    """`O` or `X`: the side to play; `more`: place two more stones, and the opponent chooses."""


class AnswerRequest(ChangeRequest):
    """The move of a level, found by the client that plays against it."""

    move: ShortText | None
    """The move; `null` if the client finds none, so that the server searches."""


class NameRequest(ChangeRequest):
    name: Name
    """The new name; empty for none."""


class VariationRequest(ChangeRequest):
    path: Annotated[list[ShortText], Field(max_length=400)]
    """All moves from the start of the game."""


class CommentRequest(VariationRequest):
    comment: Annotated[str, Field(max_length=2_000)]


class JoinRequest(RequestModel):
    key: Key
    name: Name = ""
    """The client's name, for the others to see."""


class EngineView(Described):
    """The engine for browsers."""

    address: str | None
    """The address of its files; `null` if the server has none."""


# Analysis


class LineRequest(RequestModel):
    """A position: a start, and moves played from it."""

    start: LongText
    """A rules id or a position string."""
    moves: Annotated[list[ShortText], Field(max_length=400)] = []


class ReviewRequest(LineRequest):
    opening: Annotated[int, Field(ge=0)] = 0
    """Number of first moves that were no player's own; they get no label."""


class AnalysisRequest(LineRequest):
    seconds: Annotated[float, Field(gt=0, le=10)] = 1.0
    """Search time in seconds."""


def _lab_option(name: str) -> Any:
    """Return the default, the bounds and the description of an option of labs."""
    known = LAB_OPTIONS[name]
    if known.kind == "text":
        return Field(None, max_length=known.most, description=known.sentence)
    return Field(None, ge=known.least, le=known.most, description=known.sentence)


class LabOptions(RequestModel):
    """The options of labs; `GET labs` lists those of each lab."""

    games: int | None = _lab_option("games")
    tree: str | None = _lab_option("tree")
    first: Literal["max", "min"] | None = _lab_option("first")
    branching: int | None = _lab_option("branching")
    depth: int | None = _lab_option("depth")
    seed: int | None = _lab_option("seed")

    @property
    def given(self) -> dict[str, Any]:
        """The options that are set."""
        return self.model_dump(exclude_none=True)


class Question(RequestModel):
    """A question over the WebSocket; it replaces an open one with the same `do`."""

    do: Literal["analyse", "graph", "explain", "review", "hint", "try", "lab", "stop"]
    """`stop` cancels the question named by `of`, or all of the client's questions."""
    id: int
    """Returned with every answer."""
    start: LongText = ""
    moves: Annotated[list[ShortText], Field(max_length=400)] = []
    move: ShortText | None = None
    """The move to explain or to try."""
    opening: Annotated[int, Field(ge=0)] = 0
    """Number of first moves that a review gives no label."""
    lab: ShortText = ""
    """The lab to run."""
    options: LabOptions | None = None
    """The options of the lab."""
    of: int | None = None
    """The id of the question to stop."""
    by: Literal["server", "visitor"] = "server"
    """Who analyses. `visitor`: the answer has the facts for its engine, if that knows the game."""


class ExplainRequest(LineRequest):
    move: ShortText | None = None
    """The move to explain; by default the position."""


class PuzzleRequest(RequestModel):
    """The moves since the position of a puzzle."""

    moves: Annotated[list[ShortText], Field(max_length=20)] = []
    """Right moves and their replies in turn."""


class PuzzleMoveRequest(PuzzleRequest):
    move: ShortText


class MarkRequest(RequestModel):
    """Answers to mark."""

    answers: Annotated[dict[ShortText, ShortText], Field(max_length=200)]
    """Texts by the names of entries."""


class ReplayRequest(LineRequest):
    algorithms: Annotated[list[ShortText], Field(min_length=1, max_length=2)] = ["alphabeta"]
    """One or two searches, such as `alphabeta:depth=4`."""
