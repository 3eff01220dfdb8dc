"""The answers of the tools as JSON data: shorter than those of the page, since a model reads them.

views of `noughts.answers` ──place(), values(), reasons(), reviewed(), …──► answers with a schema
"""

from __future__ import annotations

from collections.abc import Mapping

from noughts.answers.described import Described
from noughts.answers.positions import (
    AnalysisView,
    Letter,
    OutcomeView,
    PositionView,
    ValueView,
)
from noughts.answers.reasons import ReviewView, SentenceView, TallyView, WhyView
from noughts.answers.rules import LevelView, rules_data
from noughts.explain.rules_text import how_moves_are_written
from noughts.games.position import Position
from noughts.games.registry import GAMES, game, sample

LONGEST_LINE = 12
"""Most moves shown of a line."""


class OptionAnswer(Described):
    """One value of an option of the rules."""

    text: str
    """The word to add to the rules id; empty for the default."""
    about: str


class GameAnswer(Described):
    """A game and how to name its rules."""

    title: str
    about: str
    """The rule, one sentence."""
    rules: list[str]
    """Rules ids to send as `position`, the usual one first."""
    sizes: list[str]
    """What the numbers in a rules id are, in order, with their bounds."""
    options: list[OptionAnswer]
    moves: str
    """How a move is written."""


class GamesAnswer(Described):
    games: list[GameAnswer]
    levels: list[LevelView]
    """The levels of play of `choose_move`."""


class PlaceAnswer(Described):
    """A position: who is to move, and where."""

    position: str
    """The position string, to send as `position` next time."""
    rules: str
    ply: int
    """Number of the moves given."""
    turn: Letter
    """The player to move; X moves first in every game."""
    board: int | None
    """The board, from 1 to 9, that the next move must be on; null for any open one."""
    legal_moves: list[str]
    outcome: OutcomeView | None
    """The end of the game; null before it."""
    situation: str
    """The player to move, the board and the reason, as a sentence; or the result."""
    diagram: str
    """The board as text; free cells show the text of their move where there is room."""


class PlayedMove(Described):
    player: Letter
    move: str


class PlayedAnswer(Described):
    played: list[PlayedMove]
    place: PlaceAnswer
    """The position after the moves."""


class MoveValue(Described):
    """The value of a move, for the player who makes it."""

    move: str
    text: str
    """`W 9`: wins at ply 9 from here; `L 12`; `D`; or an estimate such as `+0.42`."""
    exact: bool
    """Whether the value is proven."""
    words: str
    """The same in words: `wins in 5 moves`, `draws`, or the expected score such as `71 %`."""
    line: list[str]
    """The expected line, which begins with the move."""


class ValuesAnswer(Described):
    """The value of every legal move, the best first."""

    position: str
    turn: Letter
    proven: bool
    """Whether the value of the best move is proven."""
    moves: list[MoveValue]
    depth: int
    nodes: int
    """Positions searched."""


class ChoiceAnswer(Described):
    """A chosen move, and the position after it."""

    move: str
    by: str
    """Who chose it, such as `engine:level=4`."""
    place: PlaceAnswer


class ReasonAnswer(Described):
    """A true sentence about a position or a move."""

    text: str
    exact: bool
    """Whether it is proven; else it rests on an estimate."""
    lines: list[list[str]]
    """Lines of moves that show it."""


class ReasonsAnswer(Described):
    position: str
    move: str | None
    """The move that is explained; null if it is the position."""
    reasons: list[ReasonAnswer]


class RemarkAnswer(Described):
    """The review of one move."""

    ply: int
    """The number of the move, from 1."""
    player: Letter
    move: str
    label: str
    """Such as `best`, `forced`, `inaccuracy`, `mistake` or `blunder`."""
    best: str
    """The best move known."""
    lost: float
    """The expected score that the move loses, from 0 to 1: a win is 1, a draw 0.5, a loss 0."""
    proven: bool
    """Whether the value before the move is proven."""
    reasons: list[str]
    """Why the move is worse than another; empty for a good move."""


class ReviewAnswer(Described):
    rules: str
    remarks: list[RemarkAnswer]
    summary: dict[Letter, TallyView]
    decided: int | None
    """The number of the error that decided the game, from 1; null if none did."""
    wins: list[str]
    """Since when a win is proven, and how long."""


def games() -> GamesAnswer:
    """Return all games, and the levels of play."""
    return {"games": [_game(name) for name in GAMES], "levels": rules_data()["levels"]}


def _game(name: str) -> GameAnswer:
    each = GAMES[name]
    shown = sample(name)
    named = [preset.rules_id for preset in each.presets]
    usual = [] if each.sizes or name in named else [name]
    rules = [*usual, *named] or [name if shown is None else shown[0].rules_id]
    return {
        "title": each.title,
        "about": each.about,
        "rules": rules,
        "sizes": [
            f"{size.symbol}: {size.name.lower()}, {size.least} to {size.most}"
            for size in each.sizes
        ],
        "options": [
            {"text": value.text, "about": value.about}
            for option in each.options
            for value in option.values
        ],
        "moves": how_moves_are_written(game(rules[0])) if shown else "",
    }


def place(position: Position, view: PositionView) -> PlaceAnswer:
    """Return a position, from the page's view of it."""
    return {
        "position": view["position"],
        "rules": view["rules"],
        "ply": view["ply"],
        "turn": view["turn"],
        "board": None if view["forced"] is None else view["forced"] + 1,
        "legal_moves": list(view["moves"]),
        "outcome": view["outcome"],
        "situation": view["situation"]["-"],
        "diagram": position.diagram(),
    }


def values(position: Position, view: AnalysisView) -> ValuesAnswer:
    """Return the values of all moves, the best first, from the page's analysis."""
    found: Mapping[str, ValueView] = view["values"]
    ranked = sorted(found, key=lambda move: (move != view["move"], -_rank(found[move])))
    best = view["value"]
    return {
        "position": view["position"],
        "turn": position.turn.value,
        "proven": best is not None and best["estimate"] is None,
        "moves": [
            {
                "move": move,
                "text": found[move]["text"],
                "exact": found[move]["estimate"] is None,
                "words": found[move]["words"],
                "line": view["lines"].get(move, [move])[:LONGEST_LINE],
            }
            for move in ranked
        ],
        "depth": view["depth"],
        "nodes": view["nodes"],
    }


def _rank(value: ValueView) -> float:
    """Return a number by which better values come first: sooner wins, later losses."""
    plies = value["plies"] or 0
    kinds = {"win": 2_000 - plies, "loss": plies - 2_000, "draw": 0.0}
    return kinds.get(value["value"], value["estimate"] or 0.0)


def reasons(position: Position, move: str | None, view: WhyView) -> ReasonsAnswer:
    """Return the reasons of the page."""
    return {
        "position": str(position),
        "move": move,
        "reasons": [_reason(each) for each in view["sentences"]],
    }


def _reason(view: SentenceView) -> ReasonAnswer:
    return {
        "text": view["text"],
        "exact": view["exact"],
        "lines": [line[:LONGEST_LINE] for line in view["lines"]],
    }


def reviewed(rules: str, view: ReviewView) -> ReviewAnswer:
    """Return the review of a game."""
    return {
        "rules": rules,
        "remarks": [
            {
                "ply": each["ply"],
                "player": each["player"],
                "move": each["move"],
                "label": each["label"],
                "best": each["best"],
                "lost": round(each["lost"], 3),
                "proven": each["proven"],
                "reasons": [said["text"] for said in each["sentences"]],
            }
            for each in view["remarks"]
        ],
        "summary": view["summary"],
        "decided": view["decided"],
        "wins": [each["sentence"] for each in view["wins"]],
    }
