"""The rules as JSON data: games, options, opponents, levels, and lessons for newcomers.

GAMES, LEVELS ──rules_data()───► RulesView
rules id      ──lesson_data()──► LessonView
"""

from __future__ import annotations

from typing import Literal

from noughts import books
from noughts.answers.described import Described
from noughts.answers.positions import PictureView, check_game, picture_data
from noughts.explain.lesson import lesson
from noughts.explain.situation import swap2_situation
from noughts.games.catalogue import make_rules_id, with_defaults
from noughts.games.nested import NestedPosition
from noughts.games.phrases import phrase, sentence
from noughts.games.position import Position
from noughts.games.registry import GAMES, game, sample
from noughts.games.row import MNK, RowPosition
from noughts.games.swap2 import ALL_STONES, SHORTEST, Swap2
from noughts.games.words import title_and_rule
from noughts.levels import BEGINNERS, LEVELS, description
from noughts.opponents import max_perfect_cells, perfect_begins

SLOWEST = 30.0
"""Maximum seconds of a machine for a move."""


class SizeView(Described):
    """A number in a rules id; the sizes come first, in this order."""

    name: str
    """The label, such as `Columns`."""
    symbol: str
    """The letter in `titled` of the game."""
    least: int
    most: int
    default: int
    within: list[str]
    """Names of other sizes; this size may not exceed the largest of these sizes."""


class OptionValueView(Described):
    """One value of an option."""

    text: str
    """The word in a rules id; empty for a flag that is off."""
    title: str
    about: str
    titled: str
    """Text that the value adds to the title of a board that is no preset."""
    ruled: str
    """The rule on boards of all sizes, in place of that of the game; empty if there is none."""


class OptionView(Described):
    """An option of the rules; its values begin with the default."""

    title: str
    values: list[OptionValueView]


class PresetView(Described):
    """A well-known choice of sizes and options."""

    title: str
    rules_id: str


class QuickGame(Described):
    """A game that a newcomer can begin at once, and win."""

    rules: str
    """The rules id."""
    rule: str
    """The rule, one sentence."""
    opponent: str
    """The text of the opponent."""
    picture: PictureView
    """A position of the game, perhaps on a smaller board."""


class Swap2Rules(Described):
    """The boards on which a game can begin with swap2, and what to say of it."""

    shortest: int
    """The shortest line that wins."""
    cells: int
    """The fewest cells of a board."""
    sentence: str
    """The opening, in a sentence."""
    situation: dict[Literal["X", "O", "-"], str]
    """Who places the first stone, to player 1, who has X at first, to player 2, and to others."""


class PerfectRules(Described):
    """Where a form offers the opponent `perfect`, and which player it can be."""

    cells: int
    """Most cells of a board without a book; 0 if a book is needed."""
    misere_cells: int
    """Most cells of such a board on which a full line loses."""
    rules_ids: list[str]
    """The rules with a book, as short as they can be."""
    begins: bool
    """Whether it plays them only as the first player."""


class GameRules(Described):
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
    """Title of a board that is no preset, such as `{M}×{N}, {K} in a row`; empty if it has none."""
    ruled: str
    """The rule on a board of these sizes, as `titled`; empty without sizes."""
    presets: list[PresetView]
    default_opponent: str
    """The text of the opponent to suggest."""
    native: bool
    """Whether the engine plays it."""
    perfect: PerfectRules
    swap2: Swap2Rules | None
    """Where the game can begin with swap2; null if it never can."""
    quick: QuickGame | None
    """The game that the home page offers; null if there is none to begin without options."""


class NoteView(Described):
    """An option of the rules, and the effect of its chosen value."""

    title: str
    text: str


class StepView(Described):
    sentence: str
    picture: PictureView


class SceneView(Described):
    """A sentence, and the pictures that are shown in turn with it."""

    sentence: str
    seconds: float
    pictures: list[PictureView]


class LessonView(Described):
    """The rules for a newcomer."""

    title: str
    rule: str
    """The rule in short."""
    notes: list[NoteView]
    steps: list[StepView]
    """Three steps; fewer in a game of your own, or on a board too small for a line."""
    scenes: list[SceneView]
    """A film of at most 20 seconds, for games on nine boards."""


class NumberBounds(Described):
    """Bounds and default of a number; null for none."""

    least: float | None
    most: float | None
    default: float | None
    """Bounds and default of the number."""


class OpponentView(NumberBounds):
    """An opponent to choose."""

    text: str
    """Text for a new game; `{}` stands for a number."""
    title: str
    sentence: str
    native: bool | None
    """True: it plays only the games that the engine knows; false: only others; null: all."""


class LevelView(Described):
    level: int
    sentence: str
    """How it plays."""


class RulesView(Described):
    """All that a form for a new game needs."""

    games: list[GameRules]
    opponents: list[OpponentView]
    levels: list[LevelView]


_NO_NUMBER: NumberBounds = {"least": None, "most": None, "default": None}
_LEVEL: NumberBounds = {"least": min(LEVELS), "most": max(LEVELS), "default": 4}
_SECONDS: NumberBounds = {"least": 0.1, "most": SLOWEST, "default": 1}


def _opponent(
    text: str,
    title: str,
    sentence: str,
    *,
    native: bool | None = None,
    number: NumberBounds = _NO_NUMBER,
) -> OpponentView:
    return {"text": text, "title": title, "sentence": sentence, "native": native, **number}


OPPONENTS = [
    _opponent(
        "engine:level={}",
        "Engine, by level",
        "From 1, which sees next to nothing, to 10, which gives nothing away.",
        native=True,
        number=_LEVEL,
    ),
    _opponent(
        "engine:seconds={}",
        "Engine, by time",
        "Thinks about each move for this many seconds, at full strength.",
        native=True,
        number=_SECONDS,
    ),
    _opponent(
        "alphabeta",
        "Alpha-beta",
        "Looks as many moves ahead as it can within 50,000 positions.",
        native=False,
    ),
    _opponent(
        "negamax:seconds={}",
        "Negamax, by time",
        "Looks one move farther ahead each time, and remembers positions.",
        native=False,
        number=_SECONDS,
    ),
    _opponent(
        "mcts:seconds={}",
        "Monte Carlo, by time",
        "Plays random games, most of them after the best moves.",
        native=False,
        number=_SECONDS,
    ),
    _opponent(
        "perfect",
        "Perfect",
        "Never errs; for games that it can solve within ten seconds a move.",
    ),
    _opponent("random", "Random", "Plays any legal move."),
    _opponent("me", "Two people here", "Both sides are played at this browser."),
    _opponent(
        "guest",
        "A person with a link",
        "You get a link; whoever opens it first takes the other side.",
    ),
]


def rules_data() -> RulesView:
    """Return the games with their options, the opponents, and how each level plays."""
    return {
        "games": [_game(name, each) for name, each in GAMES.items()],
        "opponents": OPPONENTS,
        "levels": [
            {"level": number, "sentence": sentence(description(number))} for number in LEVELS
        ],
    }


def _game(name: str, each: type[Position]) -> GameRules:
    return {
        "name": each.name,
        "title": each.title,
        "about": each.about,
        "sizes": [
            {
                "name": size.name,
                "symbol": size.symbol,
                "least": size.least,
                "most": size.most,
                "default": size.default,
                "within": list(size.within),
            }
            for size in each.sizes
        ],
        "options": [
            {
                "title": option.title,
                "values": [
                    {"text": text, "title": title, "about": about, "titled": titled, "ruled": ruled}
                    for text, title, about, titled, ruled in option.values
                ],
            }
            for option in each.options
        ],
        "titled": each.titled,
        "ruled": each.ruled,
        "presets": [
            {"title": preset.title, "rules_id": preset.rules_id} for preset in each.presets
        ],
        "default_opponent": each.default_opponent,
        "native": _is_native(each),
        "perfect": {
            "cells": max_perfect_cells(each),
            "misere_cells": max_perfect_cells(each, misere=True),
            "rules_ids": [rules for rules in books.RULES if rules.partition(":")[0] == name],
            "begins": (found := sample(name)) is not None and perfect_begins(found[0]),
        },
        "swap2": _swap2() if issubclass(each, MNK) else None,
        "quick": quick_game(name),
    }


def _swap2() -> Swap2Rules:
    situations = (swap2_situation(Swap2(), (), viewer) or "" for viewer in (1, 2, None))
    return {
        "shortest": SHORTEST,
        "cells": ALL_STONES + 1,
        "sentence": phrase("swap2").on_page(),
        "situation": dict(zip(("X", "O", "-"), situations, strict=True)),
    }


def lesson_data(rules: str) -> LessonView:
    """Return the rules of a game for a newcomer.

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


def quick_game(name: str) -> QuickGame | None:
    """Return the game that a newcomer begins with one click."""
    found = sample(name)
    if found is None:
        return None
    # The picture may be of a smaller board than the usual one.
    start = game(with_sizes(name) if GAMES[name].sizes else found[0].rules_id)
    return {
        "rules": start.rules_id,
        "rule": title_and_rule(start)[1],
        "opponent": f"engine:level={BEGINNERS}" if _is_native(GAMES[name]) else "random",
        "picture": picture_data(*found),
    }


def with_sizes(rules: str) -> str:
    """Return a rules id with all its sizes, as `setup.js` writes it.

    >>> with_sizes("mnk:19"), with_sizes("basic")
    ('mnk:19,15,5', 'basic')
    """
    name, _, rest = rules.partition(":")
    words = [word for word in rest.split(",") if word]
    known = GAMES[name].sizes if name in GAMES else ()
    sizes = with_defaults(known, [word for word in words if word.isdecimal()])
    return make_rules_id(name, [*sizes, *(word for word in words if not word.isdecimal())])
