"""The rules as data: games, options, opponents and levels, for the form of a new game.

GAMES, LEVELS ──► GET /rules ──► RulesView
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from noughts.games.nested import NestedPosition
from noughts.games.position import sentence
from noughts.games.registry import GAMES
from noughts.games.row import RowPosition
from noughts.levels import LEVELS, description
from noughts.web.games_api import problems
from noughts.web.machine_moves import SLOWEST
from noughts.web.models import GameRules, LevelView, OpponentView, RulesView

router = APIRouter(prefix="/api/v1", tags=["Games"], responses=problems)

SECONDS: dict[str, Any] = {"least": 0.1, "most": SLOWEST, "default": 1}
"""The bounds and the default of an opponent's seconds."""
OPPONENTS = [
    OpponentView(
        text="engine:level={}",
        title="Engine, by level",
        native=True,
        sentence="From 1, which sees next to nothing, to 10, which gives nothing away.",
        least=min(LEVELS),
        most=max(LEVELS),
        default=4,
    ),
    OpponentView(
        text="engine:seconds={}",
        title="Engine, by time",
        native=True,
        sentence="Thinks about each move for this many seconds, at full strength.",
        **SECONDS,
    ),
    OpponentView(
        text="alphabeta",
        title="Alpha-beta",
        sentence="Looks as many moves ahead as it can within 50,000 positions.",
        native=False,
    ),
    OpponentView(
        text="negamax:seconds={}",
        title="Negamax, by time",
        sentence="Looks one move farther ahead each time, and remembers positions.",
        native=False,
        **SECONDS,
    ),
    OpponentView(
        text="mcts:seconds={}",
        title="Monte Carlo, by time",
        sentence="Plays random games, most of them after the best moves.",
        native=False,
        **SECONDS,
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
            GameRules.model_validate(game, from_attributes=True).model_copy(
                update={"native": issubclass(game, RowPosition | NestedPosition)}
            )
            for game in GAMES.values()
        ],
        opponents=OPPONENTS,
        levels=[
            LevelView(level=number, sentence=sentence(description(number))) for number in LEVELS
        ],
    )
