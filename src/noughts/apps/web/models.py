"""What the server says and is told, to the letter: the types behind `/docs`.

    a request ──► MoveWanted, NewGame, … ──► games ──► GameView ──► the page draws it
                                                        └── PositionView: board, legal moves, end

The page holds no rules: whatever it shows or lets a person do stands in these.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Letter = Literal["X", "O"]
ShortText = Annotated[str, Field(max_length=200)]
LongText = Annotated[str, Field(max_length=20_000)]
Key = Annotated[str, Field(max_length=100)]


class Shown(BaseModel):
    """What the server says; what is said here below a field is said at `/docs`, too."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Wanted(Shown):
    """What a client asks for; a field that there is not is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


# Positions


class Board(Shown):
    """A board as it is drawn; cells are counted row by row, of nine boards board by board."""

    kind: Literal["grid", "rack", "nested"]
    columns: int
    rows: int
    cells: str
    """`X`, `O` or `.` for each cell."""
    names: list[str]
    """The move of each cell as text; of each column for a rack."""
    owners: str | None = None
    """Of nine boards, whose each is: `X`, `O`, `D` for closed to both, `-`."""
    plays_on: bool = False
    """Whether boards that are won are played on."""
    lines: list[tuple[int, int]] = []
    """The two ends of each winning line of cells."""
    board_lines: list[tuple[int, int]] = []
    """The two ends of each winning line of boards."""


class Outcome(Shown):
    """How a game ended: `winner` is null for a draw."""

    winner: Letter | None
    termination: str
    sentence: str
    """Such as `X wins with the line 3 5 7.`"""


class PositionView(Shown):
    """A position with all that is needed to show it and to move in it."""

    position: str
    """The position string."""
    rules: str
    turn: Letter
    ply: int
    """Half moves before this position in its line."""
    board: Board
    moves: dict[str, int]
    """Every legal move as text, and the cell that it takes."""
    open: list[int]
    """Of nine boards, those where the next move may be, counted from 0."""
    forced: int | None
    """The one board where the next move must be, if it is one by the rules."""
    last: int | None
    """The cell that the last move took, where that is known."""
    outcome: Outcome | None
    state: str
    """Such as `X to move on board 1`."""
    description: str
    """The board in words, for a screen reader."""


class ValueView(Shown):
    """What a move or a position is worth to the side to move."""

    value: Literal["win", "draw", "loss", "unknown"]
    plies: int | None
    estimate: float | None
    text: str
    """`W 9`, `L 12`, `D`, or `+0.42` for an estimate."""
    tone: Literal["good", "even", "bad"]
    """The colour that goes with the text."""


# Games


class PlayerView(Shown):
    """Who plays a side."""

    kind: Literal["person", "open", "machine"]
    """`open` is a seat that waits for somebody with the link."""
    opponent: str | None
    """Of a machine: its text, such as `engine:level=4`."""
    name: str
    """Such as `Engine, level 4`, `You` or `Guest`."""
    yours: bool
    """Whether the client that asked moves for this side."""
    here: bool
    """Whether somebody of this side has the game open now."""


class Thinking(Shown):
    """A machine that looks for its move."""

    side: Letter
    waiting: bool
    """Whether it waits for its turn, others thinking before it."""


class Score(Shown):
    """The games of a series, each rematch one more, by side of the game at hand."""

    x: float
    o: float
    draws: int


class Branch(Shown):
    """A variation: it leaves the line, or another variation, before one of its moves."""

    path: list[str]
    """All moves from the start to its end."""
    shared: int
    """How many of them it shares with what it leaves."""
    comments: dict[int, str]
    """What was said of a move, by its number, counted from 1."""


class Keys(Shown):
    """Secrets to hand on."""

    watch: str
    """With it, anybody may look on."""
    join: str | None
    """With it, one person may take the open seat."""


class Saved(Shown):
    """Whether the game as it stands is in the database."""

    done: bool
    notice: str | None
    """If it cannot be just now: why, and what happens next."""


class GameView(Shown):
    """A game as one client sees it."""

    id: str
    version: int
    """One more with every change; a request that changes the game names the one it means."""
    rules: str
    start: str
    """The position string of the start."""
    swapped: bool
    """Whether people see the letters exchanged."""
    moves: list[str]
    """The line, as text."""
    undone: list[str]
    """What was taken back, the next to be played again first."""
    position: PositionView
    """At the end of the line."""
    players: dict[Letter, PlayerView]
    yours: list[Letter]
    """The sides that the client moves for; none for who looks on."""
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]
    termination: str
    sentence: str | None
    """How the game ended, if it has."""
    score: Score
    thinking: Thinking | None
    trouble: str | None
    """Why the machine that is to move does not, in a sentence; the game may go on all the same."""
    branches: list[Branch]
    comments: dict[int, str]
    """What was said of a move of the line, by its number; 0 is before the first."""
    can: list[Literal["move", "undo", "redo", "resign", "rematch", "stop", "vary", "delete"]]
    """What the client may ask for now."""
    keys: Keys | None
    """For players only."""
    next: str | None
    """The id of the rematch, if there is one."""
    saved: Saved
    created: str
    updated: str
    """Times in ISO 8601, UTC."""


class GameSummary(Shown):
    """A game in the list of one's games."""

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


class GameList(Shown):
    games: list[GameSummary]
    next: str | None
    """What to give as `after` for the games behind these; null at the end."""


class NewGame(Wanted):
    """A game to be opened. `me` is who asks, `guest` somebody with the link, else a machine."""

    start: LongText
    """A rules id or a position string."""
    moves: LongText = ""
    """Moves made before, as text."""
    x: ShortText = "me"
    o: ShortText = "engine:level=4"
    swapped: bool = False


class Imported(Wanted):
    """Games to be kept: records as text or JSON lines, a position, or rules with moves."""

    text: Annotated[str, Field(max_length=1_000_000)]


class Change(Wanted):
    """A change of a game as the client knows it."""

    version: int


class MoveWanted(Change):
    move: ShortText


class VariationWanted(Change):
    path: Annotated[list[ShortText], Field(max_length=400)]
    """All moves from the start; what is new of it is added."""


class CommentWanted(VariationWanted):
    comment: Annotated[str, Field(max_length=2_000)]


class JoinWanted(Wanted):
    key: Key


class Problem(Shown):
    """An error, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    """A sentence for people."""
    field: str | None = None
    """The part of the request at fault."""


# What there is to play


class Size(Shown):
    """A number of a rules id: they come first, in this order."""

    name: str
    """Such as `columns`."""
    sentence: str
    least: int
    most: int
    default: int
    within: list[str] = []
    """Names of other sizes: it is no larger than the largest of them."""


class Choice(Shown):
    """One value of an option."""

    text: str
    """What the rules id says for it; nothing for the default."""
    title: str
    sentence: str


class RuleOption(Shown):
    """A variant of the rules; its choices begin with the default."""

    name: str
    title: str
    choices: list[Choice]


class GameRules(Shown):
    """A game and what can be chosen in it.

    Its rules id is the name alone; or the name, a colon, and with commas between them the sizes and
    the texts of the options that are not the default, in the order in which they stand here.
    """

    name: str
    title: str
    sentence: str
    sizes: list[Size]
    options: list[RuleOption]


class OpponentView(Shown):
    """Who may sit at the other side."""

    text: str
    """What a new game is told; where a number belongs in it, that is `{}`."""
    title: str
    sentence: str
    least: float | None = None
    most: float | None = None
    default: float | None = None
    """The number's bounds, and what it is at first."""


class LevelView(Shown):
    level: int
    sentence: str
    """How it plays."""


class RulesView(Shown):
    """All that a form for a new game needs."""

    games: list[GameRules]
    opponents: list[OpponentView]
    levels: list[LevelView]


# Analysis


class Line(Wanted):
    """A position to look at: a start, and the moves made there."""

    start: LongText
    """A rules id or a position string."""
    moves: Annotated[list[ShortText], Field(max_length=400)] = []


class AnalysisWanted(Line):
    seconds: Annotated[float, Field(gt=0, le=10)] = 1.0
    """How long to think."""


class LabOptions(Wanted):
    """What a lab may be given; which of these it takes, `GET labs` says."""

    seed: Annotated[int, Field(ge=0, lt=2**32)] | None = None
    games: Annotated[int, Field(ge=2, le=200)] | None = None
    simulations: Annotated[int, Field(ge=1, le=1_000)] | None = None
    tree: Annotated[str, Field(max_length=2_000)] | None = None
    first: Literal["max", "min"] | None = None
    branching: Annotated[int, Field(ge=1, le=16)] | None = None
    depth: Annotated[int, Field(ge=1, le=8)] | None = None

    @property
    def given(self) -> dict[str, Any]:
        """What of these is given."""
        return self.model_dump(exclude_none=True)


class Question(Wanted):
    """What a client asks over the WebSocket; a new question takes the place of one alike."""

    do: Literal["analyse", "graph", "explain", "review", "hint", "try", "lab", "stop"]
    """`stop` ends the question that `of` names; without that, all of the client."""
    id: int
    """Comes back with every answer."""
    start: LongText = ""
    moves: Annotated[list[ShortText], Field(max_length=400)] = []
    move: ShortText | None = None
    """What to explain, or to try."""
    lab: ShortText = ""
    options: LabOptions | None = None
    """The lab to run, and what it is given."""
    of: int | None = None


class AnalysisView(Shown):
    """What the engine sees so far."""

    position: str
    done: bool
    waiting: bool
    """Whether it waits for its turn, others thinking before it."""
    depth: int
    nodes: int
    per_second: int
    """Nodes a second."""
    seconds: float
    move: str | None
    """The best one; null where the game is over."""
    value: ValueView | None
    """Null before anything is known."""
    values: dict[str, ValueView]
    """Of every legal move."""
    lines: dict[str, list[str]]
    """What is likely to follow each move, itself first."""


class Point(Shown):
    """What a position of a line is worth to X."""

    ply: int
    value: ValueView
    score: float
    """From -1 to 1."""


class GraphView(Shown):
    points: list[Point]


# Words


class ExplainWanted(Line):
    move: ShortText | None = None
    """The move to explain; the position itself if left out."""


class SentenceView(Shown):
    """A true sentence, and the lines of moves that prove it."""

    text: str
    claim: str
    """The kind of claim, as `noughts.views.facts.KINDS` has it."""
    player: Letter
    """Whose doing it is."""
    move: str | None
    """The move that it is about; null where it is about the position."""
    moves: list[str]
    """The other moves that it names."""
    value: ValueView | None
    plies: int | None
    board: int | None
    """Of nine boards the one that it names, counted from 1."""
    exact: bool
    """Whether it is proven."""
    lines: list[list[str]]


class WhyView(Shown):
    sentences: list[SentenceView]


class HintView(WhyView):
    move: str
    value: ValueView


class TriedView(WhyView):
    """A move that is tried in the place of an error; the sentences name no better one."""

    move: str
    good: bool
    """Whether it keeps what the position is worth."""


class RemarkView(Shown):
    """What there is to say of one move of a game."""

    ply: int
    """The number of the move, from 1."""
    player: Letter
    move: str
    label: str
    """As `noughts.views.review.LABELS` has it."""
    before: ValueView
    """The value of the best move."""
    after: ValueView
    """The value of the move played, for the same player."""
    best: str
    lost: float
    """What of the estimate was lost, from 0 to 2."""
    error: bool
    """Whether it is one that a learner may try again."""
    sentences: list[SentenceView]


class TallyView(Shown):
    """One player's moves in sum."""

    labels: dict[str, int]
    choices: int
    """Moves where it mattered: the value could have been lost."""
    kept: int
    """How many of these kept it."""
    estimated: int
    """Moves judged by estimate."""
    estimate_lost: float | None
    """The mean of what these lost."""
    accuracy: float | None
    """The share of the choices that kept the value, from 0 to 1."""


class ReviewView(Shown):
    remarks: list[RemarkView]
    summary: dict[Letter, TallyView]


# Labs and replays


class LabOption(Shown):
    """What a lab may be given."""

    name: str
    kind: Literal["number", "text", "choice"]
    sentence: str
    least: int | None = None
    most: int | None = None
    choices: list[str] = []
    default: int | str | None = None


class LabView(Shown):
    name: str
    sentence: str
    options: list[LabOption]
    slow: bool
    """Whether it takes more than a few seconds."""


class LabList(Shown):
    labs: list[LabView]


class ReportView(Shown):
    """What a lab found out."""

    name: str
    claim: str
    """What was claimed, and by whom."""
    headers: list[str]
    rows: list[list[str]]
    """The table of what came out."""
    teaches: str
    data: dict[str, Any]
    """What came out, for programs."""
    picture: str
    """Lines of text, to be set in type of one width; may be empty."""


class ReplayWanted(Line):
    algorithms: Annotated[list[ShortText], Field(min_length=1, max_length=2)] = ["alphabeta"]
    """One search or two, such as `alphabeta:depth=4`."""
