"""The rules as data: games, options, opponents and levels, for the form of a new game.

GAMES, LEVELS ──► GET /rules ──► RulesView
rules id      ──► GET /lesson ──► LessonView
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from noughts.explain.lesson import lesson
from noughts.games.nested import NestedPosition
from noughts.games.position import Position, sentence
from noughts.games.registry import GAMES, game, sample
from noughts.games.row import RowPosition
from noughts.games.words import title_and_rule
from noughts.levels import BEGINNERS, LEVELS, description
from noughts.web.games_api import Reading, problems
from noughts.web.machine_moves import SLOWEST
from noughts.web.models import (
    GameRules,
    LessonView,
    LevelView,
    NoteView,
    OpponentView,
    QuickGame,
    RulesView,
    SceneView,
    StepView,
)
from noughts.web.positions import check_game, picture_view

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
            GameRules.model_validate(each, from_attributes=True).model_copy(
                update={"native": _is_native(each), "quick": quick_game(name)}
            )
            for name, each in GAMES.items()
        ],
        opponents=OPPONENTS,
        levels=[
            LevelView(level=number, sentence=sentence(description(number))) for number in LEVELS
        ],
    )


@router.get("/lesson")
async def show_lesson(
    rules: Annotated[str, Query(max_length=200, description="Rules id.")],
    reading: Reading,
) -> LessonView:
    """Return the rules of a game for a newcomer: three pictures, and a film for nine boards."""
    return await reading.call(_lesson, rules)


def _lesson(rules: str) -> LessonView:
    start = game(rules)
    check_game(start)
    told = lesson(start)
    return LessonView(
        title=told.title,
        rule=told.rule,
        notes=[NoteView(title=title, text=text) for title, text in told.notes],
        steps=[
            StepView(sentence=step.sentence, picture=picture_view(*step.picture))
            for step in told.steps
        ],
        scenes=[
            SceneView(
                sentence=scene.sentence,
                seconds=scene.seconds,
                pictures=[picture_view(*picture) for picture in scene.pictures],
            )
            for scene in told.scenes
        ],
    )


def _is_native(each: type[Position]) -> bool:
    return issubclass(each, RowPosition | NestedPosition)


def quick_game(name: str) -> QuickGame | None:
    """Return the game that a newcomer begins with one click."""
    found = sample(name)
    if found is None:
        return None
    position, last = found
    return QuickGame(
        rules=position.rules_id,
        rule=title_and_rule(position)[1],
        opponent=f"engine:level={BEGINNERS}" if _is_native(GAMES[name]) else "random",
        picture=picture_view(position, last),
    )
