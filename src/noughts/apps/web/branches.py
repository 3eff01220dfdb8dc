"""Variations beside the line of a game, and what is said of its moves.

    path of moves ──► Round.vary, find, forget ──► the game has changed: saved, its listeners told

They are changes like moves: a client names the version that it knows, and needs a seat.
"""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

from noughts.apps.web import told
from noughts.apps.web.api import Found, GamesHere, Who, problems
from noughts.apps.web.game import Game
from noughts.apps.web.models import CommentWanted, GameView, VariationWanted
from noughts.apps.web.problems import Refused
from noughts.apps.web.shown import parse_path
from noughts.games.position import Player

MOST_MOVES = 2_000
"""How many moves a game may have, those of its variations included."""
MOST_SAID = 100_000
"""How many characters may be said of the moves of a game."""

router = APIRouter(prefix="/api/v1", responses=problems)


@router.post("/games/{id}/variations")
async def keep(wanted: VariationWanted, game: Found, games: GamesHere, player: Who) -> GameView:
    """Keep a variation: what is new of its path is added."""

    moves = await asyncio.to_thread(parse_path, game.round.record.start, wanted.path)

    def act(game: Game, _: Player) -> None:
        if size(game)[0] + len(moves) > MOST_MOVES:
            detail = f"A game holds {MOST_MOVES:,} moves at most, its variations included."
            raise Refused(422, "too-large", detail, field="path")
        game.round.vary(moves)

    return told.view(await games.change(game, wanted.version, player, act), player)


@router.delete("/games/{id}/variations")
async def forget(wanted: VariationWanted, game: Found, games: GamesHere, player: Who) -> GameView:
    """Delete the variation that a path ends in, to where it leaves the line or another one."""

    moves = await asyncio.to_thread(parse_path, game.round.record.start, wanted.path)

    def act(game: Game, _: Player) -> None:
        if not game.round.forget(moves):
            detail = "There is no such variation; the moves of the game itself stay."
            raise Refused(409, "no-variation", detail, field="path")

    return told.view(await games.change(game, wanted.version, player, act), player)


@router.put("/games/{id}/comments")
async def comment(wanted: CommentWanted, game: Found, games: GamesHere, player: Who) -> GameView:
    """Say something of the last move of a path, or before the first; nothing takes it back."""

    moves = await asyncio.to_thread(parse_path, game.round.record.start, wanted.path)

    def act(game: Game, _: Player) -> None:
        said_of = game.round.find(moves) if moves else game.round.record
        if said_of is None:
            detail = "The game and its variations do not have this move: keep it first."
            raise Refused(409, "no-variation", detail, field="path")
        said = size(game)[1]
        if said - len(said_of.comment) + len(wanted.comment) > MOST_SAID:
            detail = f"The comments of a game have {MOST_SAID:,} characters at most."
            raise Refused(422, "too-large", detail, field="comment")
        said_of.comment = wanted.comment

    return told.view(await games.change(game, wanted.version, player, act), player)


def size(game: Game) -> tuple[int, int]:
    """Return how many moves a game holds with its variations, and how much is said of them."""
    nodes = list(game.round.nodes())
    said = sum(len(node.comment) for node in nodes)
    return len(nodes), said + len(game.round.record.comment)
