"""The seven tools, as functions from texts to results.

    position, moves ──played()──► positions ──► rules, in a thread         ──► text and data
                                            └─► a task in a worker process ─┘
    a problem ──► isError, with a sentence that says what to send instead

No tool keeps anything: a position string is all that a later call needs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Annotated, Any, ParamSpec

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.utilities.types import Image
from mcp_types import CallToolResult, ContentBlock, TextContent
from pydantic import Field

from noughts.answers import tasks
from noughts.answers.positions import last_cell, line_data, played_line
from noughts.answers.problems import Refused
from noughts.answers.reasons import ReviewView, WhyView
from noughts.engine import is_native
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.progress import GameInProgress
from noughts.games.words import outcome_sentence
from noughts.levels import HIGHEST, LEVELS
from noughts.mcp import answers, texts
from noughts.mcp.answers import (
    ChoiceAnswer,
    GamesAnswer,
    PlaceAnswer,
    PlayedAnswer,
    ReasonsAnswer,
    ReviewAnswer,
    ValuesAnswer,
)
from noughts.mcp.asking import Asking
from noughts.mcp.refusals import NO_GAME, refusal
from noughts.opponents import OpponentFailed
from noughts.views import svg
from noughts.views.tree import png

VIEW = "noughts/view"
"""The metadata of a result that the board of the application draws; models do not read it."""
MOST_NODES = 10_000_000
MOST_SECONDS = 10.0
"""Most nodes and seconds that a client may ask for in one search."""
PROBLEMS = (IllegalMove, NotationError, Refused, OpponentFailed, ValueError)
"""Errors in the question of a client."""

PositionText = Annotated[
    str,
    Field(
        description="A rules id of list_games, such as basic, connect4, ultimate or mnk:5,5,4, "
        "for the start of a game; or a position string of an earlier answer.",
        max_length=4_000,
    ),
]
MovesText = Annotated[
    str,
    Field(
        description="Moves played from the position, with spaces: '51 15 55'. Empty for none.",
        max_length=20_000,
    ),
]
Nodes = Annotated[
    int | None,
    Field(description="Most positions to search. Left out: up to a million.", ge=1, le=MOST_NODES),
]

Asked = ParamSpec("Asked")
Tool = Callable[Asked, Awaitable[CallToolResult]]


def refused(sentence: str) -> CallToolResult:
    """Return an error that the model can correct."""
    return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True)


def refusing(tool: Tool[Asked]) -> Tool[Asked]:
    """Return a tool that answers an error in the question with a sentence."""

    @wraps(tool)
    async def asked(*arguments: Asked.args, **named: Asked.kwargs) -> CallToolResult:
        try:
            return await tool(*arguments, **named)
        except PROBLEMS as error:
            return refused(refusal(error))

    return asked


class Tools:
    """The tools of a server.

    Args:
        asking: answers the questions that need a search.
    """

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def list_games(self) -> Annotated[CallToolResult, GamesAnswer]:
        """List the games: their rules ids, sizes, options and how moves are written; and the levels
        of play."""
        answer = answers.games()
        return _result(texts.text_of_games(answer), answer)

    @refusing
    async def show_position(
        self,
        position: PositionText,
        moves: MovesText = "",
        picture: Annotated[
            bool, Field(description="Whether to add a picture of the board, for people.")
        ] = False,
    ) -> Annotated[CallToolResult, PlaceAnswer]:
        """Show a position: the board as text, who is to move and where, every legal move, or the
        result if the game is over."""
        played = await _played(position, moves)
        answer = _place(played)
        return _result(
            texts.text_of_place(answer),
            answer,
            *([await asyncio.to_thread(_picture, played)] if picture else []),
            view=played,
        )

    @refusing
    async def play_moves(
        self,
        position: PositionText,
        moves: Annotated[
            str,
            Field(
                description="One or more moves to play, with spaces: '51 15 55'.",
                min_length=1,
                max_length=20_000,
            ),
        ],
    ) -> Annotated[CallToolResult, PlayedAnswer]:
        """Play moves from a position and return the new position. If the rules forbid one, nothing
        is played: the error names it and lists the legal moves there."""
        played = await _played(position, moves)
        if not played.texts:
            raise Refused(422, "request", "Send at least one move in moves, such as '5'.")
        steps = zip(played.positions, played.texts, strict=False)
        answer: PlayedAnswer = {
            "played": [{"player": each.turn.value, "move": move} for each, move in steps],
            "place": _place(played),
        }
        return _result(texts.text_of_played(answer), answer, view=played)

    @refusing
    async def evaluate_moves(
        self,
        context: Context[Any],
        position: PositionText,
        moves: MovesText = "",
        nodes: Nodes = None,
    ) -> Annotated[CallToolResult, ValuesAnswer]:
        """Evaluate every legal move for the player to move, the best first: win, draw or loss with
        its distance where it is proven, else an estimate."""
        played = await _unfinished(position, moves)
        asked = *_line(played), nodes
        view = await self._asking.ask(context, tasks.evaluate, *asked)
        answer = answers.values(played.position, view)
        return _result(texts.text_of_values(answer), answer)

    @refusing
    async def choose_move(
        self,
        context: Context[Any],
        position: PositionText,
        moves: MovesText = "",
        level: Annotated[
            int | None,
            Field(
                description="How strong to play, from 1 (beginners win) to 10 (full strength, the "
                "default).",
                ge=LEVELS[0],
                le=HIGHEST,
            ),
        ] = None,
        nodes: Annotated[
            int | None,
            Field(description="In place of level: positions to search.", ge=1, le=MOST_NODES),
        ] = None,
        seconds: Annotated[
            float | None,
            Field(description="In place of level: seconds to search.", ge=0.01, le=MOST_SECONDS),
        ] = None,
    ) -> Annotated[CallToolResult, ChoiceAnswer]:
        """Choose a move as an opponent of some strength, and return the position after it: for
        playing against somebody. For the values of all moves use evaluate_moves."""
        played = await _unfinished(position, moves)
        machine = _machine(played.position, level=level, nodes=nodes, seconds=seconds)
        asked = *_line(played), machine, MOST_SECONDS
        move: str = await self._asking.ask(context, tasks.choose, *asked)
        played.play(played.position.parse_move(move))
        answer: ChoiceAnswer = {"move": move, "by": machine, "place": _place(played)}
        return _result(texts.text_of_choice(answer), answer, view=played)

    @refusing
    async def explain_move(
        self,
        context: Context[Any],
        position: PositionText,
        moves: MovesText = "",
        move: Annotated[
            str | None,
            Field(
                description="The move to explain. Left out: the position is explained.",
                max_length=100,
            ),
        ] = None,
    ) -> Annotated[CallToolResult, ReasonsAnswer]:
        """Explain why a move is good or bad, or a position won or lost: true sentences, each with
        the line of moves that shows it."""
        played = await _unfinished(position, moves)
        found = await self._asking.ask(context, tasks.explain, *_line(played), move)
        view: WhyView = found.reply
        place = played.position
        chosen = None if move is None else place.move_text(place.parse_entry(move))
        answer = answers.reasons(place, chosen, view)
        return _result(texts.text_of_reasons(answer), answer)

    @refusing
    async def review_game(
        self, context: Context[Any], position: PositionText, moves: MovesText
    ) -> Annotated[CallToolResult, ReviewAnswer]:
        """Review a game that was played: label every move, say why an error is one and what was
        better, and which move decided the game."""
        played = await _played(position, moves)
        if not played.texts:
            raise Refused(422, "request", NO_GAME)
        found = await self._asking.ask(context, tasks.review, *_line(played))
        view: ReviewView = found.reply
        answer = answers.reviewed(played.position.rules_id, view)
        return _result(texts.text_of_review(answer), answer)


async def _played(position: str, moves: str) -> GameInProgress:
    """Return the game that two texts name; in a thread, since a long one takes a while.

    Raises:
        IllegalMove, NotationError: in one of them.
    """
    return await asyncio.to_thread(played_line, position.strip(), moves)


async def _unfinished(position: str, moves: str) -> GameInProgress:
    """Return the game that two texts name.

    Raises:
        IllegalMove, NotationError: in one of them.
        Refused: it is over.
    """
    played = await _played(position, moves)
    if played.position.outcome() is not None:
        reason = f"The game is over. {outcome_sentence(played.position)}"
        instead = "Send fewer moves, or a position before the end."
        raise Refused(422, "request", f"{reason} {instead}")
    return played


def _line(played: GameInProgress) -> tuple[str, Sequence[str]]:
    return str(played.record.start), [*played.texts]


def _place(played: GameInProgress) -> PlaceAnswer:
    last = played.moves[-1] if played.moves else None
    return answers.place(played.position, line_data(played.positions, last))


def _picture(played: GameInProgress) -> ContentBlock:
    """Return the board as a PNG picture, which every client can show; few of them draw SVG.

    Raises:
        Refused: a package that draws it is not installed.
    """
    last = last_cell(played.positions, played.moves[-1] if played.moves else None)
    drawn = svg.board(played.position, last=last, theme="light")
    try:
        return Image(data=png(drawn, 1.0), format="png").to_image_content()
    except ImportError:
        reason = "This server draws no pictures: it lacks resvg_py. Send picture=false."
        raise Refused(422, "no-picture", reason) from None


def _machine(position: Position, **limits: float | None) -> str:
    """Return the text of the opponent with the only limit given, by default at full strength.

    Raises:
        Refused: several limits, or a level in a game that the engine does not know.
    """
    given = {name: value for name, value in limits.items() if value is not None}
    if len(given) > 1:
        *others, last = given
        raise Refused(422, "request", f"Send only one of {', '.join(others)} and {last}.")
    if is_native(position):
        name, value = next(iter(given.items()), ("level", HIGHEST))
        return f"engine:{name}={value}"
    if "level" in given:
        reason = f"{position.rules_id} has no levels. Send nodes or seconds in place of level."
        raise Refused(422, "request", reason)
    name, value = next(iter(given.items()), ("seconds", 1))
    return f"negamax:{name}={value}"


def _result(
    text: str, data: Any, *more: ContentBlock, view: GameInProgress | None = None
) -> CallToolResult:
    """Return a result with text for the model, data, and a view for the board to play on."""
    meta = None
    if view is not None:
        start, moves = _line(view)
        last = view.moves[-1] if view.moves else None
        shown = line_data(view.positions, last)
        meta = {VIEW: {"start": start, "moves": moves, "place": shown}}
    content = [TextContent(type="text", text=text), *more]
    return CallToolResult(content=content, structured_content=data, _meta=meta)
