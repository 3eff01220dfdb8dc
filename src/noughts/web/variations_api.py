"""The HTTP API of variations and comments.

    path of moves ──► GameInProgress.vary ──► the changed game is saved, listeners woken

Like a move, a change needs a seat and the current version.
"""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Response

from noughts.answers.positions import parse_path
from noughts.answers.problems import Refused
from noughts.games.position import Player
from noughts.web.game import Game
from noughts.web.games_api import Client, FoundGame, OpenGames, StoredQuotas, answer, problems
from noughts.web.models import CommentRequest, GameView, VariationRequest
from noughts.web.positions import variations_of

router = APIRouter(prefix="/api/v1", tags=["Games"], responses=problems)


@router.post("/games/{id}/variations", response_model=GameView)
async def add_variation(
    body: VariationRequest,
    game: FoundGame,
    games: OpenGames,
    quotas: StoredQuotas,
    player: Client,
) -> Response:
    """Add a variation to the game."""

    moves = await asyncio.to_thread(parse_path, game.round.record.start, body.path)

    def act(game: Game, _: Player) -> None:
        most = games.settings.moves_of_a_game
        if size(game)[0] + len(moves) > most:
            detail = f"A game has at most {most:,} moves, variations included."
            raise Refused(422, "too-large", detail, field="path")
        lines = sum(len(each["path"]) for each in variations_of(game.round))
        most = games.settings.lines_of_a_game
        if lines + len(moves) > most:
            detail = f"The lines of a game have at most {most:,} moves, counted from the start."
            raise Refused(422, "too-large", detail, field="path")
        game.round.vary(moves)

    await quotas.check(size=sum(map(len, body.path)))
    return answer(await games.change(game, body.version, player, act), player)


@router.delete("/games/{id}/variations", response_model=GameView)
async def delete_variation(
    body: VariationRequest, game: FoundGame, games: OpenGames, player: Client
) -> Response:
    """Delete the variation in which a path ends, back to where it branches off."""

    moves = await asyncio.to_thread(parse_path, game.round.record.start, body.path)

    def act(game: Game, _: Player) -> None:
        if not game.round.forget(moves):
            detail = "The path is no variation of this game."
            raise Refused(409, "no-variation", detail, field="path")

    return answer(await games.change(game, body.version, player, act), player)


@router.put("/games/{id}/comments", response_model=GameView)
async def set_comment(
    body: CommentRequest,
    game: FoundGame,
    games: OpenGames,
    quotas: StoredQuotas,
    player: Client,
) -> Response:
    """Set the comment on the last move of a path; an empty text deletes it."""

    moves = await asyncio.to_thread(parse_path, game.round.record.start, body.path)

    def act(game: Game, _: Player) -> None:
        node = game.round.find(moves) if moves else game.round.record
        if node is None:
            detail = "The game does not have this move. Add the variation first."
            raise Refused(409, "no-variation", detail, field="path")
        characters = size(game)[1]
        most = games.settings.comments_of_a_game
        if characters - len(node.comment) + len(body.comment) > most:
            detail = f"The comments of a game have at most {most:,} characters."
            raise Refused(422, "too-large", detail, field="comment")
        node.comment = body.comment

    await quotas.check(size=len(body.comment))
    return answer(await games.change(game, body.version, player, act), player)


def size(game: Game) -> tuple[int, int]:
    """Return the number of moves of a game with its variations, and of characters in comments."""
    nodes = list(game.round.nodes())
    characters = sum(len(node.comment) for node in nodes)
    return len(nodes), characters + len(game.round.record.comment)
