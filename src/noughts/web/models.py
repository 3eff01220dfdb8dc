"""The types of all requests and replies of the HTTP API.

    request ──► MoveRequest, NewGameRequest, … ──► games ──► GameView ──► page
                                                       └── PositionView: board, legal moves, end

The page knows no rules: it shows and allows only the content of these types.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from noughts.answers.labs import LAB_OPTIONS
from noughts.answers.names import LONGEST_NAME

Letter = Literal["X", "O"]
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


# Positions


class BoardView(ResponseModel):
    """A board to draw. Cells are numbered row by row; nested boards one after the other."""

    kind: Literal["grid", "rack", "nested", "text"]
    """`text` is a diagram without cells, for a game of your own."""
    text: str = ""
    """The diagram, if that is the kind."""
    columns: int = 0
    rows: int = 0
    cells: str = ""
    """`X`, `O` or `.` for each cell."""
    names: list[str] = []
    """The text of the move at each cell; for a rack at each column."""
    owners: str | None = None
    """Owner of each of nine boards: `X`, `O`, `D` for a full one without owner, `-` for none."""
    plays_on: bool = False
    """Whether won boards stay playable."""
    lines: list[tuple[int, int]] = []
    """First and last cell of each winning line."""
    board_lines: list[tuple[int, int]] = []
    """First and last board of each winning line of boards."""


class OutcomeView(ResponseModel):
    """The end of a game; `winner` is null for a draw."""

    winner: Letter | None
    termination: str
    sentence: str
    """For example `X wins with the line 3 5 7.`"""


class PictureView(ResponseModel):
    """A position to draw."""

    turn: Letter
    board: BoardView
    open: list[int]
    """Boards with legal moves in a nested game, from 0."""
    forced: int | None
    """The board that the rules force the next move onto, from 0."""
    named: int | None
    """The board that the last move of a nested game names, from 0; it may be closed."""
    last: int | None
    """The cell of the last move, if known."""


class PositionView(PictureView):
    """A position with its board, legal moves and outcome."""

    position: str
    """The position string."""
    rules: str
    ply: int
    """Plies played from the start of its line."""
    moves: dict[str, int]
    """The cell of every legal move, by the text of the move; without cells, its number in order."""
    outcome: OutcomeView | None
    state: str
    """For example `X to move on board 1`."""
    situation: dict[Literal["X", "O", "-"], str]
    """The player to move, the boards and the reason, as a sentence to X, to O, and to others:
    `O played bottom right, so you play the bottom-right board.` The result if the game is over."""
    description: str
    """The board in words, for a screen reader."""


class RefusalView(ResponseModel):
    """Why a move is not allowed."""

    sentence: str | None
    """Null if the move is legal."""
    boards: list[int] = []
    """The boards to play on instead, from 0, if the move is on the wrong one."""
    cells: list[int] = []
    """The cells to play on instead, if only the cell is wrong."""


class ValueView(ResponseModel):
    """The value of a move or a position for the side to move."""

    value: Literal["win", "draw", "loss", "unknown"]
    plies: int | None
    estimate: float | None
    text: str
    """`W 9`, `L 12`, `D`, or `+0.42` for an estimate."""
    chance: int
    """Chance to win in per cent; a draw counts as half. Only proven values have 0 and 100."""
    moves: int | None
    """Distance to the end in moves of the player to move."""
    mark: str
    """In a few characters: `win 5`, `loss 6`, `draw`, or the chance, such as `71`."""
    words: str
    """`wins in 5 moves`, `loses in 6 moves`, `draws`, or `71 %`."""
    tone: Literal["good", "even", "bad"]
    """The colour of the text."""


# Games


class PlayerView(ResponseModel):
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


class ThinkingView(ResponseModel):
    """A machine that is searching for its move."""

    side: Letter
    waiting: bool
    """Whether its search is queued behind others."""


class ClockView(ResponseModel):
    """The clocks of both sides."""

    seconds: float
    """Time of each side for the game."""
    increment: float
    """Seconds added after each move."""
    x: float
    o: float
    """Seconds left when the view was made."""
    running: Letter | None
    """The side whose clock runs; null while both stand."""


class OfferView(ResponseModel):
    """An offer of one player, which the other one may accept or decline."""

    kind: Literal["draw", "undo", "rematch"]
    """`undo` takes back the last move of the player who asks, and those after it."""
    side: Letter
    """The side of the player who makes it."""


class ScoreView(ResponseModel):
    """Points of a series of rematches, by the sides of the present game."""

    x: float
    o: float
    draws: int


class VariationView(ResponseModel):
    """A variation of the game, or of another variation."""

    path: list[str]
    """All moves from the start to its end."""
    shared: int
    """Number of moves before it branches off."""
    comments: dict[int, str]
    """Comments on its moves, by number from 1."""


class KeysView(ResponseModel):
    """Secret keys for links."""

    watch: str
    """Lets anyone watch."""
    join: str | None
    """Lets one person take the open seat; null if there is none."""


class SavedView(ResponseModel):
    """Whether the present version of the game is in the database."""

    done: bool
    notice: str | None
    """If saving fails: a sentence with the reason."""


Change = Literal[
    "move",
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


class GameView(ResponseModel):
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
    moves: list[str]
    """Moves played so far."""
    undone: list[str]
    """Moves that redo would play, in order."""
    position: PositionView
    """The position after `moves`."""
    players: dict[Letter, PlayerView]
    yours: list[Letter]
    """The sides that the client plays; none for a spectator."""
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]
    termination: str
    sentence: str | None
    """The result as a sentence; null while the game is in progress."""
    score: ScoreView
    clock: ClockView | None
    """Null for a game without clocks."""
    offer: OfferView | None
    """The open offer. A move withdraws it."""
    between_people: bool
    """Whether two people play it in two browsers. Analysis is off until its end."""
    thinking: ThinkingView | None
    trouble: str | None
    """A sentence on why the machine to move failed; null if it did not."""
    variations: list[VariationView]
    comments: dict[int, str]
    """Comments on the moves, by number from 1; 0 is the comment before the first move."""
    can: list[Change]
    """The changes that the client may request now; between two people some are offers.

    `answer`: the server waits for the move of a level that the client finds.
    """
    keys: KeysView | None
    """Null for spectators, unless machines have both seats."""
    next: str | None
    """The id of the rematch; null if there is none."""
    saved: SavedView
    created: str
    updated: str
    """Times in ISO 8601, UTC."""


class ListChange(ResponseModel):
    """The change of a list: some items in place of others."""

    at: int
    """Index of the first item that changes."""
    removed: int
    """Number of items to remove there."""
    added: list[Any]
    """Items to insert there."""


class GameChange(ResponseModel):
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
    change = GameChange.model_validate(data)
    following = {**view, **change.values}
    for name, part in change.lists.items():
        old = view[name]
        following[name] = old[: part.at] + part.added + old[part.at + part.removed :]
    for name, entries in change.entries.items():
        merged = {**view[name], **entries}
        following[name] = {key: value for key, value in merged.items() if value is not None}
    return following


class AddressView(ResponseModel):
    network: str | None
    """The server's address for others in the network, such as `http://192.168.1.5:8322`; null if
    it listens on its own machine only."""


class GameSummary(ResponseModel):
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


class GamesPage(ResponseModel):
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


class AnswerRequest(ChangeRequest):
    """The move of a level, found by the client that plays against it."""

    move: ShortText | None
    """`null` if the client finds none; then the server searches."""


class NameRequest(ChangeRequest):
    name: Name
    """Empty for none."""


class VariationRequest(ChangeRequest):
    path: Annotated[list[ShortText], Field(max_length=400)]
    """All moves from the start of the game."""


class CommentRequest(VariationRequest):
    comment: Annotated[str, Field(max_length=2_000)]


class JoinRequest(RequestModel):
    key: Key
    name: Name = ""
    """The client's name, for the others to see."""


class Problem(ResponseModel):
    """An error, as a problem document of RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    """A sentence for people."""
    field: str | None = None
    """The part of the request at fault."""


# What there is to play


class SizeView(ResponseModel):
    """A number in a rules id; the sizes come first, in this order."""

    name: str
    """The label, such as `Columns`."""
    symbol: str
    """The letter in `titled` of the game."""
    least: int
    most: int
    default: int
    within: list[str] = []
    """Names of other sizes; the number may not exceed the largest of them."""


class OptionValueView(ResponseModel):
    """One value of an option."""

    text: str
    """The word in a rules id; empty for a flag that is off."""
    title: str
    about: str
    titled: str
    """What the value adds to the title of a choice without a preset."""


class OptionView(ResponseModel):
    """An option of the rules; its values begin with the default."""

    title: str
    values: list[OptionValueView]


class PresetView(ResponseModel):
    """A well-known choice of sizes and options."""

    title: str
    rules_id: str


class QuickGame(ResponseModel):
    """A game that a newcomer can begin at once, and win."""

    rules: str
    """The rules id."""
    rule: str
    """The rule, one sentence."""
    opponent: str
    """The text of the opponent."""
    picture: PictureView
    """A position of the game."""


class GameRules(ResponseModel):
    """A game and its choices.

    A rules id is the name alone; or the name, a colon, and with commas between them all sizes and
    the texts of the options that are not the default, in this order.
    """

    name: str
    title: str
    about: str
    """The rule, one sentence."""
    sizes: list[SizeView]
    options: list[OptionView]
    titled: str
    """The title of sizes without a preset, with their symbols in braces; empty if there is none."""
    presets: list[PresetView]
    default_opponent: str
    """The text of the opponent to suggest."""
    native: bool = True
    """Whether the engine plays it."""
    quick: QuickGame | None = None
    """What the home page offers; null for a game that cannot begin without options."""


class NoteView(ResponseModel):
    """An option of the rules, and the effect of its chosen value."""

    title: str
    text: str


class StepView(ResponseModel):
    sentence: str
    picture: PictureView


class SceneView(ResponseModel):
    """A sentence, and the pictures that are shown one after the other meanwhile."""

    sentence: str
    seconds: float
    pictures: list[PictureView]


class LessonView(ResponseModel):
    """The rules for a newcomer."""

    title: str
    rule: str
    """The rule in short."""
    notes: list[NoteView]
    steps: list[StepView]
    """Three steps; fewer in a game of your own, or on a board too small for a line."""
    scenes: list[SceneView]
    """A film of at most 20 seconds, for games on nine boards."""


class OpponentView(ResponseModel):
    """An opponent to choose."""

    text: str
    """Text for a new game; `{}` stands for a number."""
    title: str
    sentence: str
    native: bool | None = None
    """Whether it plays only the games of the engine; false for only the others."""
    least: float | None = None
    most: float | None = None
    default: float | None = None
    """Bounds and default of the number."""


class LevelView(ResponseModel):
    level: int
    sentence: str
    """How it plays."""


class RulesView(ResponseModel):
    """All that a form for a new game needs."""

    games: list[GameRules]
    opponents: list[OpponentView]
    levels: list[LevelView]


class EngineView(ResponseModel):
    """The engine for browsers."""

    address: str | None
    """The address of its files; `null` if the server has none."""


# Analysis


class LineRequest(RequestModel):
    """A position: a start, and moves played from it."""

    start: LongText
    """A rules id or a position string."""
    moves: Annotated[list[ShortText], Field(max_length=400)] = []


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


class FoundMove(RequestModel):
    """The value of a move that the visitor's engine has found."""

    move: ShortText
    value: Literal["win", "draw", "loss", "unknown"]
    plies: Annotated[int, Field(ge=1, le=10_000)] | None
    estimate: Annotated[float, Field(gt=-1, lt=1)] | None
    line: Annotated[list[ShortText], Field(max_length=400)] = []
    """The expected line from the move on."""


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
    lab: ShortText = ""
    """The lab to run."""
    options: LabOptions | None = None
    """The options of the lab."""
    of: int | None = None
    """The id of the question to stop."""
    by: Literal["server", "visitor"] = "server"
    """Who analyses: for a visitor's engine the answer has the facts that it needs, if it can."""
    found: Annotated[list[FoundMove], Field(max_length=400)] | None = None
    """For a hint: the values of all legal moves, if the visitor's engine has found them."""


class AnalysisView(ResponseModel):
    """The result of an analysis so far."""

    position: str
    done: bool
    waiting: bool
    """Whether the search is queued behind others."""
    depth: int
    nodes: int
    per_second: int
    """Nodes a second."""
    seconds: float
    move: str | None
    """The best move; null if the game is over."""
    value: ValueView | None
    """The value of the position; null before the first result."""
    values: dict[str, ValueView]
    """The value of every legal move."""
    lines: dict[str, list[str]]
    """The expected line from each move on."""


class GraphPoint(ResponseModel):
    """The value of one position of a line for X."""

    ply: int
    value: ValueView
    score: float
    """From -1 to 1."""


class GraphView(ResponseModel):
    points: list[GraphPoint]


# Words


class ExplainRequest(LineRequest):
    move: ShortText | None = None
    """The move to explain; by default the position."""


class SketchView(ResponseModel):
    """Where on the board a sentence is visible."""

    move: int | None
    """The cell of the move that the sentence is about."""
    player: Letter
    """The player of the rings."""
    rings: list[int]
    """Cells that the sentence names."""
    sends: int | None
    """The board, from 0, that the move names."""


class SentenceView(ResponseModel):
    """A true sentence, and the lines that prove it."""

    text: str
    claim: str
    """The kind of claim, a key of `noughts.explain.kinds.KINDS`."""
    player: Letter
    """The player that the sentence is about."""
    move: str | None
    """The move that the sentence is about; null if it is about the position."""
    moves: list[str]
    """Other moves in the sentence."""
    value: ValueView | None
    plies: int | None
    board: int | None
    """The board in the sentence, from 1; null if there is none."""
    boards: list[int]
    """Other boards in the sentence, from 1."""
    exact: bool
    """Whether the claim is proven."""
    lines: list[list[str]]
    sketch: SketchView | None
    """Null for a claim about values."""


class WhyView(ResponseModel):
    sentences: list[SentenceView]


class HintView(WhyView):
    move: str
    value: ValueView


class RemarkView(ResponseModel):
    """The review of one move."""

    ply: int
    """The number of the move, from 1."""
    player: Letter
    move: str
    label: str
    """A key of `noughts.explain.review.LABELS`."""
    before: ValueView
    """The value of the best move."""
    after: ValueView
    """The value of the move played, for the same player."""
    proven: bool
    """Whether the value of the position before the move is proven."""
    best: str
    lost: float
    """The expected result that an error loses, from 0 to 1; 0 for other moves."""
    accuracy: float | None
    """From 0 to 100; null for a forced move."""
    clue: str
    """A sentence that helps to find a better move than an error; else empty."""
    error: bool
    """Whether the page offers the move as an exercise."""
    good: list[str]
    """In place of an error: the moves that solve the exercise."""
    sentences: list[SentenceView]


class TallyView(ResponseModel):
    """The summary of one player's moves."""

    labels: dict[str, int]
    """Number of moves by label."""
    accuracy: float | None
    """The mean accuracy of the moves that were not forced, 0 to 100; null if all were."""
    turning_points: list[int]
    """The numbers of up to three errors, from 1, the worst first."""


class ProvenWinView(ResponseModel):
    """A part of a game in which a player's win is proven."""

    player: Letter
    first: int
    """The number of the first move, from 1, before which the win is proven."""
    last: int
    """The number of the last such move."""
    end: Literal["won", "thrown away", "not proven"]
    """How the part ends: with the game, by the last move, or without a further proof."""
    sentence: str


class ReviewView(ResponseModel):
    remarks: list[RemarkView]
    summary: dict[Letter, TallyView]
    wins: list[ProvenWinView]
    """In the order of the game."""


# Labs and replays


class LabOption(ResponseModel):
    """An option of a lab."""

    name: str
    kind: Literal["number", "text", "choice"]
    sentence: str
    least: int | None = None
    most: int | None = None
    choices: list[str] = []
    default: int | str | None = None


# Puzzles


class ThemeView(ResponseModel):
    """A theme of a puzzle."""

    name: str
    sentence: str
    """Its definition, without a capital letter and a full stop."""


class PuzzleCard(ResponseModel):
    """A puzzle in a list."""

    id: str
    rules: str
    title: str
    """The title of the game."""
    task: str
    """The task, such as `X to move wins in 3 moves.`"""
    rating: float
    """The level of the engine that finds the first move half of the time, 0 to 11."""
    level: Literal["easy", "medium", "hard"]
    picture: PictureView


class PuzzleView(PuzzleCard):
    """A puzzle without its solution."""

    kind: Literal["win", "draw", "hold", "keep"]
    moves: int
    """Own moves of the solution."""
    rule: str
    """The rule of the game in one sentence."""
    hints: list[str]
    """Hints that do not name the move, to show one by one."""
    themes: list[ThemeView]
    position: PositionView


class PuzzleCounts(ResponseModel):
    """The number of puzzles of a game by difficulty."""

    rules: str
    title: str
    levels: dict[str, int]


class PuzzleList(ResponseModel):
    games: list[PuzzleCounts]
    total: int
    """Puzzles of the wanted game and difficulty."""
    puzzles: list[PuzzleCard]


class PuzzleRequest(RequestModel):
    """The moves since the position of a puzzle."""

    moves: Annotated[list[ShortText], Field(max_length=20)] = []
    """Right moves and their replies in turn."""


class PuzzleMoveRequest(PuzzleRequest):
    move: ShortText


class PuzzleAnswer(ResponseModel):
    """The judgement of a move."""

    move: str
    right: bool
    """Whether it is proven that the move keeps the result in the moves that are left."""
    solved: bool
    reply: str | None
    """The reply to a right move that does not solve the puzzle."""
    positions: list[PositionView]
    """After the move, and after the reply."""
    sentences: list[SentenceView]
    """Why a wrong move is wrong; after the last move why the first one was right."""


class PuzzleSolution(ResponseModel):
    moves: list[str]
    """From the given position on; empty if the proof takes too long there."""
    sentences: list[SentenceView]
    """About the first move of the puzzle."""


# Exercises


class ExerciseKindView(ResponseModel):
    """A kind of exercise."""

    name: str
    title: str
    about: str
    """The task, without a capital letter and a full stop."""


class ExerciseKinds(ResponseModel):
    kinds: list[ExerciseKindView]


class ExerciseEntryView(ResponseModel):
    """A blank to fill in."""

    name: str
    label: str
    kind: Literal["number", "choice", "set"]
    """A number, also `-inf`, `inf` and, for a pruned node, `-`; or one of the choices, or some."""
    choices: list[str]
    row: str
    """Row and column in the table of entries; both are empty outside it."""
    column: str
    clue: str
    """How to find the answer."""


class FigureView(ResponseModel):
    """A tree or a board, as a drawing."""

    width: float
    height: float
    body: str
    """The content of an SVG element of this size."""
    scale: float
    """Pixels for a unit, in which letters are legible."""
    description: str
    """The drawing in words."""


class ExerciseView(ResponseModel):
    """An exercise without its answers."""

    title: str
    task: str
    rules: list[str]
    """The conventions that make the answers unique, a sentence each."""
    difficulty: Literal["easy", "medium", "hard"]
    figure: FigureView
    entries: list[ExerciseEntryView]


class MarkRequest(RequestModel):
    """Answers to mark."""

    answers: Annotated[dict[ShortText, ShortText], Field(max_length=200)]
    """Texts by the names of entries."""


class ExerciseMark(ResponseModel):
    """The mark of one answer."""

    name: str
    right: bool
    says: str
    """Why the answer is right or wrong."""


class ExerciseMarks(ResponseModel):
    marks: list[ExerciseMark]


class ExerciseAnswer(ResponseModel):
    """The answer of an entry."""

    name: str
    answer: str
    """As a person writes it."""
    why: str


class ExerciseAnswers(ResponseModel):
    """The answers of an exercise."""

    figure: FigureView
    """With the answers."""
    answers: list[ExerciseAnswer]


# The explorer


class OutcomesView(ResponseModel):
    """Finished games by their results."""

    games: int
    x: int
    """Games that X won."""
    draws: int
    o: int
    """Games that O won."""


class ExploredMove(ResponseModel):
    """A move, with the moves that are equal to it by rotation or reflection."""

    moves: list[str]
    value: ValueView | None
    """For the side to move; null where it is not proven."""
    outcomes: OutcomesView
    """The counted games with one of these moves."""


class ExplorerView(ResponseModel):
    """The moves of a position: proven wins first, then the most played, then losses."""

    position: PositionView
    line: list[str]
    """The moves from the start to the position."""
    moves: list[ExploredMove]
    outcomes: OutcomesView
    """The counted games of all moves together."""
    counted: bool
    """Whether games are counted here: only the first moves of a game are."""
    engine: int
    """Games of the engine that are counted, of these rules; 0 if it played none."""


class LabView(ResponseModel):
    name: str
    sentence: str
    options: list[LabOption]
    slow: bool
    """Whether the lab takes more than a few seconds."""


class LabList(ResponseModel):
    labs: list[LabView]


class ReplayRequest(LineRequest):
    algorithms: Annotated[list[ShortText], Field(min_length=1, max_length=2)] = ["alphabeta"]
    """One or two searches, such as `alphabeta:depth=4`."""
