"""The rules as JSON data: games, options, opponents, levels, and lessons for newcomers.

GAMES, LEVELS ──rules_data()───► `RulesView` data
rules id      ──lesson_data()──► `LessonView` data
"""

from __future__ import annotations

from typing import Any

from noughts.answers.positions import Data, check_game, picture_data
from noughts.explain.lesson import lesson
from noughts.games.nested import NestedPosition
from noughts.games.phrases import sentence
from noughts.games.position import Position
from noughts.games.registry import GAMES, game, sample
from noughts.games.row import RowPosition
from noughts.games.words import title_and_rule
from noughts.levels import BEGINNERS, LEVELS, description

SLOWEST = 30.0
"""Maximum seconds of a machine for a move."""


def _opponent(text: str, title: str, sentence: str, **more: Any) -> Data:
    """Return an opponent, as `OpponentView` data."""
    unset = dict.fromkeys(("native", "least", "most", "default"))
    return {"text": text, "title": title, "sentence": sentence, **unset, **more}


SECONDS: dict[str, Any] = {"least": 0.1, "most": SLOWEST, "default": 1}
"""The bounds and the default of an opponent's seconds."""
OPPONENTS: list[Data] = [
    _opponent(
        text="engine:level={}",
        title="Engine, by level",
        native=True,
        sentence="From 1, which sees next to nothing, to 10, which gives nothing away.",
        least=min(LEVELS),
        most=max(LEVELS),
        default=4,
    ),
    _opponent(
        text="engine:seconds={}",
        title="Engine, by time",
        native=True,
        sentence="Thinks about each move for this many seconds, at full strength.",
        **SECONDS,
    ),
    _opponent(
        text="alphabeta",
        title="Alpha-beta",
        sentence="Looks as many moves ahead as it can within 50,000 positions.",
        native=False,
    ),
    _opponent(
        text="negamax:seconds={}",
        title="Negamax, by time",
        sentence="Looks one move farther ahead each time, and remembers positions.",
        native=False,
        **SECONDS,
    ),
    _opponent(
        text="mcts:seconds={}",
        title="Monte Carlo, by time",
        sentence="Plays random games, most of them after the best moves.",
        native=False,
        **SECONDS,
    ),
    _opponent(
        text="perfect",
        title="Perfect",
        sentence="Never errs; for games that it can solve within ten seconds a move.",
    ),
    _opponent(text="random", title="Random", sentence="Plays any legal move."),
    _opponent(
        text="me", title="Two people here", sentence="Both sides are played at this browser."
    ),
    _opponent(
        text="guest",
        title="A person with a link",
        sentence="You get a link; whoever opens it first takes the other side.",
    ),
]


def rules_data() -> Data:
    """Return the games with their options, the opponents, and how each level plays."""
    return {
        "games": [_game(name, each) for name, each in GAMES.items()],
        "opponents": OPPONENTS,
        "levels": [
            {"level": number, "sentence": sentence(description(number))} for number in LEVELS
        ],
    }


def _game(name: str, each: type[Position]) -> Data:
    return {
        "name": each.name,
        "title": each.title,
        "about": each.about,
        "sizes": [size._asdict() | {"within": list(size.within)} for size in each.sizes],
        "options": [
            {"title": option.title, "values": [value._asdict() for value in option.values]}
            for option in each.options
        ],
        "titled": each.titled,
        "presets": [
            {"title": preset.title, "rules_id": preset.rules_id} for preset in each.presets
        ],
        "default_opponent": each.default_opponent,
        "native": _is_native(each),
        "quick": quick_game(name),
    }


def lesson_data(rules: str) -> Data:
    """Return the rules of a game for a newcomer, as `LessonView` data.

    Raises:
        NotationError: no such rules.
    """
    start = game(rules)
    check_game(start)
    told = lesson(start)
    return {
        "title": told.title,
        "rule": told.rule,
        "notes": [{"title": title, "text": text} for title, text in told.notes],
        "steps": [
            {"sentence": step.sentence, "picture": picture_data(*step.picture)}
            for step in told.steps
        ],
        "scenes": [
            {
                "sentence": scene.sentence,
                "seconds": scene.seconds,
                "pictures": [picture_data(*picture) for picture in scene.pictures],
            }
            for scene in told.scenes
        ],
    }


def _is_native(each: type[Position]) -> bool:
    return issubclass(each, RowPosition | NestedPosition)


def quick_game(name: str) -> Data | None:
    """Return the game that a newcomer begins with one click, as `QuickGame` data."""
    found = sample(name)
    if found is None:
        return None
    position, last = found
    return {
        "rules": position.rules_id,
        "rule": title_and_rule(position)[1],
        "opponent": f"engine:level={BEGINNERS}" if _is_native(GAMES[name]) else "random",
        "picture": picture_data(position, last),
    }


def with_sizes(rules: str) -> str:
    """Return a rules id with all its sizes, as `setup.js` writes it.

    >>> with_sizes("mnk:5"), with_sizes("basic")
    ('mnk:5,5,4', 'basic')
    """
    name, _, rest = rules.partition(":")
    words = [word for word in rest.split(",") if word]
    sizes = [str(size.default) for size in GAMES[name].sizes] if name in GAMES else []
    given = [word for word in words if word.isdecimal()]
    words = [*given, *sizes[len(given) :], *(word for word in words if not word.isdecimal())]
    return f"{name}:{','.join(words)}" if words else name
