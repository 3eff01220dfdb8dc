"""The HTTP API of the changes of a game: moves, undo, redo, resignation, offers, names.

    POST games/ID/moves ──ChangeRoute──► Games.change() ──► GameView

Most requests of a busy server are moves.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, get_type_hints

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import ValidationError

from noughts.web import changes
from noughts.web.games_api import (
    Client,
    FoundGame,
    OpenGames,
    answer,
    find_game,
    games_of,
    identify_client,
    problems,
)
from noughts.web.models import (
    AnswerRequest,
    ChangeRequest,
    ChooseRequest,
    GameView,
    MoveRequest,
    NameRequest,
)


class ChangeRoute(APIRoute):
    """A route whose function takes the body, the game, the games and the player.

    The route finds these four without FastAPI's dependencies, which take longer than a move.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        endpoint, body_of = self.endpoint, get_type_hints(self.endpoint)["body"]

        async def handle(request: Request) -> Response:
            try:
                body = body_of.model_validate_json(await request.body())
            except ValidationError as error:
                errors = [each | {"loc": ("body", *each["loc"])} for each in error.errors()]
                raise RequestValidationError(errors) from None
            player, games = await identify_client(request), await games_of(request)
            key = request.headers.get("noughts-key")
            game = await find_game(request.path_params["id"], games, player, key)
            answered: Response = await endpoint(body, game, games, player)
            return answered

        return handle


router = APIRouter(prefix="/api/v1", tags=["Games"], responses=problems, route_class=ChangeRoute)


@router.post("/games/{id}/moves", response_model=GameView)
async def play(body: MoveRequest, game: FoundGame, games: OpenGames, player: Client) -> Response:
    """Play a move."""
    await games.change(
        game,
        body.version,
        player,
        lambda game, side: changes.play(game, side, body.move),
        answers=body.answers,
    )
    return answer(game, player)


@router.post("/games/{id}/choice", response_model=GameView)
async def choose(
    body: ChooseRequest, game: FoundGame, games: OpenGames, player: Client
) -> Response:
    """Choose a side in swap2, or two more stones."""
    return answer(
        await games.change(
            game, body.version, player, lambda game, side: changes.choose(game, side, body.choice)
        ),
        player,
    )


@router.post("/games/{id}/answers", response_model=GameView)
async def play_answer(
    body: AnswerRequest, game: FoundGame, games: OpenGames, player: Client
) -> Response:
    """Play the move of a level that your client has found; the server waits for it."""
    return answer(await games.answer(game, body.version, player, body.move), player)


@router.post("/games/{id}/undo", response_model=GameView)
async def undo(body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client) -> Response:
    """Undo your last move and the reply to it; against another person ask for that."""
    return answer(await games.change(game, body.version, player, changes.undo), player)


@router.post("/games/{id}/redo", response_model=GameView)
async def redo(body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client) -> Response:
    """Redo the moves undone last."""
    return answer(await games.change(game, body.version, player, changes.redo), player)


@router.post("/games/{id}/resign", response_model=GameView)
async def resign(
    body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client
) -> Response:
    """Resign the game."""
    return answer(await games.change(game, body.version, player, changes.resign), player)


@router.post("/games/{id}/draw", response_model=GameView)
async def draw(body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client) -> Response:
    """Offer a draw to the other person, or agree to one."""
    return answer(await games.change(game, body.version, player, changes.draw), player)


@router.post("/games/{id}/decline", response_model=GameView)
async def decline(
    body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client
) -> Response:
    """Decline the other person's offer, or withdraw your own."""
    return answer(await games.change(game, body.version, player, changes.decline), player)


@router.post("/games/{id}/name", response_model=GameView)
async def name(body: NameRequest, game: FoundGame, games: OpenGames, player: Client) -> Response:
    """Set your name in the game."""
    return answer(
        await games.change(
            game, body.version, player, lambda game, side: changes.name(game, side, body.name)
        ),
        player,
    )


@router.post("/games/{id}/stop", response_model=GameView)
async def stop(body: ChangeRequest, game: FoundGame, games: OpenGames, player: Client) -> Response:
    """Make the machine play its best move so far."""
    return answer(await games.stop(game, body.version, player), player)
