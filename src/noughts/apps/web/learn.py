"""What there is to play and to learn: the rules as data, the labs, searches replayed.

GAMES, LEVELS ──► RulesView ──► the form for a new game
LABS          ──► LabList, and each run in a worker ──► ReportView
searches      ──► run in a worker ──► what the viewer shows, or the single page
"""

from __future__ import annotations

import inspect
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from noughts.apps.web.analysis import client_of, thinker_of, while_there
from noughts.apps.web.api import problems
from noughts.apps.web.machines import SLOWEST
from noughts.apps.web.models import (
    Choice,
    GameRules,
    LabList,
    LabOption,
    LabOptions,
    LabView,
    LevelView,
    OpponentView,
    ReplayWanted,
    ReportView,
    RuleOption,
    RulesView,
    Size,
)
from noughts.games.row import LARGEST
from noughts.labs import LABS
from noughts.levels import LEVELS, Level

router = APIRouter(prefix="/api/v1", responses=problems)

TITLES = {
    "basic": "Basic",
    "mnk": "m,n,k",
    "connect4": "Connect Four",
    "advanced": "Advanced",
    "ultimate": "Ultimate",
}
"""The games of the page, in the order of its tabs."""

SENTENCES = {
    "basic": "Three in a row on a 3×3 board wins.",
    "mnk": "k marks in a row on a board of m columns and n rows win.",
    "connect4": "A mark falls to the lowest empty cell of its column; four in a row win.",
    "advanced": "Nine boards: the cell of a move names the board of the next one. "
    "The first line on any board wins.",
    "ultimate": "Nine boards: the cell of a move names the board of the next one. "
    "A line wins its board, and three won boards in line win the game.",
}

SIZES = {
    "mnk": [
        Size(name="columns", sentence="The m of m,n,k.", least=1, most=LARGEST, default=5),
        Size(name="rows", sentence="The n of m,n,k.", least=1, most=LARGEST, default=5),
        Size(
            name="in a row",
            sentence="So many in a row win: the k of m,n,k.",
            least=1,
            most=LARGEST,
            default=4,
            within=["columns", "rows"],
        ),
    ],
    "connect4": [
        Size(name="columns", sentence="How wide the board is.", least=1, most=9, default=7),
        Size(name="rows", sentence="How high the board is.", least=1, most=LARGEST, default=6),
        Size(
            name="in a row",
            sentence="So many in a row win.",
            least=1,
            most=LARGEST,
            default=4,
            within=["columns", "rows"],
        ),
    ],
}

OPTIONS = {
    "mnk": [
        RuleOption(
            name="misere",
            title="A line",
            choices=[
                Choice(text="", title="wins", sentence="Who makes a line wins."),
                Choice(text="misere", title="loses", sentence="Misère: who makes a line loses."),
            ],
        )
    ],
    "advanced": [
        RuleOption(
            name="full",
            title="A move that names a full board",
            choices=[
                Choice(
                    text="",
                    title="frees the next",
                    sentence="The next move may be on any board that is not full.",
                ),
                Choice(
                    text="full=draw",
                    title="draws",
                    sentence="The game ends there as a draw, unless that move makes a line.",
                ),
            ],
        )
    ],
    "ultimate": [
        RuleOption(
            name="tie",
            title="A game without a line of boards",
            choices=[
                Choice(
                    text="",
                    title="is a draw",
                    sentence="A game in which nobody can move any more is a draw.",
                ),
                Choice(
                    text="tie=boards",
                    title="goes by boards",
                    sentence="Who has won more boards wins; with equal numbers it is a draw.",
                ),
            ],
        ),
        RuleOption(
            name="won",
            title="A won board",
            choices=[
                Choice(
                    text="",
                    title="is closed",
                    sentence="A board that is won or full takes no more marks; "
                    "a move that names it lets the next be on any open board.",
                ),
                Choice(
                    text="won=open",
                    title="stays open",
                    sentence="A won board takes more marks until it is full, and must be played "
                    "on when it is named; it cannot be won again.",
                ),
            ],
        ),
    ],
}

OPPONENTS = [
    OpponentView(
        text="engine:level={}",
        title="Engine, by level",
        sentence="From 1, which sees next to nothing, to 10, which gives nothing away.",
        least=min(LEVELS),
        most=max(LEVELS),
        default=4,
    ),
    OpponentView(
        text="engine:seconds={}",
        title="Engine, by time",
        sentence="Thinks so many seconds about each move, and plays as well as it can.",
        least=0.1,
        most=SLOWEST,
        default=1,
    ),
    OpponentView(
        text="perfect",
        title="Perfect",
        sentence="Never errs; for games that it can solve within ten seconds a move.",
    ),
    OpponentView(text="random", title="Random", sentence="Plays any legal move."),
    OpponentView(
        text="me", title="Two people here", sentence="Both sides are played at this browser."
    ),
    OpponentView(
        text="guest",
        title="A person with a link",
        sentence="You get a link; whoever opens it first takes the other side.",
    ),
]


@router.get("/rules")
def show_rules() -> RulesView:
    """Return the games with their options, the opponents, and how each level plays."""
    return RulesView(
        games=[
            GameRules(
                name=name,
                title=title,
                sentence=SENTENCES[name],
                sizes=SIZES.get(name, []),
                options=OPTIONS.get(name, []),
            )
            for name, title in TITLES.items()
        ],
        opponents=OPPONENTS,
        levels=[
            LevelView(level=number, sentence=level_sentence(level))
            for number, level in LEVELS.items()
        ],
    )


def level_sentence(level: Level | None) -> str:
    """Return how a level plays, from its numbers.

    >>> level_sentence(Level(2, 0.4, 0.3))
    'Sees 2 plies ahead, often less, and judges what lies beyond roughly.'
    """
    if level is None:
        return "Plays the best that it finds among a million positions."
    sight = f"Sees {level.sight} {'ply' if level.sight == 1 else 'plies'} ahead"
    slips = ((0.3, ", often less"), (0.0, ", now and then less"))
    blurs = ((0.4, "very roughly"), (0.2, "roughly"), (0.1, "fairly well"), (0.0, "well"))
    slip = next((words for least, words in slips if level.slip >= least and level.slip), "")
    blur = next((words for least, words in blurs if level.blur >= least and level.blur), None)
    return f"{sight}{slip}, and judges what lies beyond {blur or 'as well as it can'}."


# Labs

LAB_OPTIONS = [
    LabOption(
        name="games",
        kind="number",
        sentence="How many games to play.",
        least=2,
        most=200,
    ),
    LabOption(
        name="simulations",
        kind="number",
        sentence="Of Monte Carlo tree search, for each move of either side.",
        least=1,
        most=1_000,
    ),
    LabOption(
        name="tree",
        kind="text",
        sentence="A tree of your own, such as ((3 12 8) (2 4 6) (14 5 2)).",
    ),
    LabOption(
        name="first",
        kind="choice",
        sentence="Who is to move at the root of the tree.",
        choices=["max", "min"],
    ),
    LabOption(
        name="branching",
        kind="number",
        sentence="Branches of each node of a random tree.",
        least=1,
        most=16,
    ),
    LabOption(name="depth", kind="number", sentence="Plies of a random tree.", least=1, most=8),
    LabOption(
        name="seed",
        kind="number",
        sentence="Of what is left to chance: the same number gives the same again.",
        least=0,
        most=2**32 - 1,
    ),
]
"""What the labs take, in the order of a form; each takes what its function has."""
SLOW = ("counts", "first-move", "heuristic")
"""Labs that take more than some seconds."""


@router.get("/labs")
def list_labs() -> LabList:
    """Return the labs, what each is about, and what it takes."""
    labs = []
    for name, run in LABS.items():
        taken = inspect.signature(run).parameters
        options = [
            option.model_copy(update={"default": taken[option.name].default})
            for option in LAB_OPTIONS
            if option.name in taken
        ]
        about = (run.__doc__ or "").partition("\n")[0]
        labs.append(LabView(name=name, sentence=about, options=options, slow=name in SLOW))
    return LabList(labs=labs)


@router.post("/labs/{name}")
async def run_lab(name: str, wanted: LabOptions, request: Request) -> ReportView:
    """Run a lab; over the WebSocket of `analysis` it tells how far it is."""
    running = thinker_of(request).lab(client_of(request), name, wanted.given)
    return ReportView(**await while_there(request, running))


# Replays


@router.post("/replay", response_class=Response)
async def replay(wanted: ReplayWanted, request: Request) -> Response:
    """Run one or two searches and return all that the viewer needs to replay them."""
    asked = wanted.start, wanted.moves, wanted.algorithms
    running = thinker_of(request).replay(client_of(request), *asked, page=False)
    return Response(await while_there(request, running), media_type="application/json")


@router.get("/replay.html", response_class=Response)
async def replay_page(
    request: Request,
    start: Annotated[str, Query(max_length=2_000, description="A rules id or a position string.")],
    moves: Annotated[str, Query(max_length=2_000, description="Moves to play there.")] = "",
    algorithm: Annotated[
        list[str] | None, Query(max_length=2, description="One search or two.")
    ] = None,
) -> Response:
    """Return the same as a single page, which needs no server."""
    asked = start, moves.split(), algorithm or ["alphabeta"]
    running = thinker_of(request).replay(client_of(request), *asked, page=True)
    name = start.partition("~")[0].replace(":", "-").replace(",", "-")
    return Response(
        await while_there(request, running),
        media_type="text/html",
        headers={"Content-Disposition": f'attachment; filename="replay-{name}.html"'},
    )
