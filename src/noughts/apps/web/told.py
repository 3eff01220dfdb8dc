"""Games as one client sees them.

Game, who asks ──► view() ──► GameView: the position, the players, what may be asked for
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, cast

import noughts
from noughts.apps.web.game import Game, Seat, iso, total, whose
from noughts.apps.web.models import (
    GameSummary,
    GameView,
    Keys,
    Letter,
    PlayerView,
    Saved,
    Score,
    Thinking,
)
from noughts.apps.web.shown import branches_of, comments_of, line_texts, position_view
from noughts.arena.round import RESIGNATION
from noughts.games.position import Player
from noughts.games.record import RESULTS, UNFINISHED
from noughts.store import Stored
from noughts.views.words import outcome_sentence

NOT_SAVED = "Not saved yet ({}). The game goes on and is saved as soon as the database answers."


def view(game: Game, player: str) -> GameView:
    """Return a game as one client sees it."""
    search = game.search
    beside_the_version = (
        game.saved,
        game.failure,
        game.trouble,
        game.next,
        search and (search.position, search.waits),
        frozenset(game.listeners.values()),
    )
    return _view(game, player, game.version, beside_the_version)


# Whoever moves is answered, and told again as one who has the game open: mostly the same.
@lru_cache(maxsize=256)
def _view(game: Game, player: str, _version: int, _beside_the_version: object) -> GameView:
    played, kept = game.round, game.round.record
    sides = game.sides_of(player)
    moves = played.moves
    score = total(game)
    here = set(game.listeners.values())
    players: dict[Letter, PlayerView] = {
        side.value: PlayerView(
            kind="machine" if seat.is_machine else "open" if seat.kind == "open" else "person",
            opponent=seat.kind if seat.is_machine else None,
            name="You" if side in sides else seat.name,
            yours=side in sides,
            here=seat.is_machine or seat.player in here,
        )
        for side, seat in game.seats.items()
    }
    thinking = None
    if game.search is not None:
        thinking = Thinking(side=game.search.position.turn.value, waiting=game.search.waits)
    branches = list(branches_of(game.round))
    return GameView(
        id=game.id,
        version=game.version,
        rules=kept.start.rules_id,
        start=str(kept.start),
        swapped=game.swapped,
        moves=line_texts(played),
        undone=noughts.move_texts(played.position, [node.move for node in reversed(played.undone)]),
        position=position_view(played.positions, moves[-1] if moves else None),
        players=players,
        yours=[side.value for side in sides],
        result=cast(Any, kept.result),
        termination=kept.termination,
        sentence=_ending(game),
        score=Score(x=score[Player.X], o=score[Player.O], draws=int(score[None])),
        thinking=thinking,
        trouble=None if played.is_over else game.trouble,
        branches=branches,
        comments=comments_of(kept),
        can=list(_allowed(game, sides)),
        keys=Keys(
            watch=game.watch_key,
            join=game.join_key
            if any(seat.kind == "open" for seat in game.seats.values())
            else None,
        )
        if sides
        else None,
        next=game.next,
        saved=Saved(
            done=game.saved == game.version,
            notice=None if game.failure is None else NOT_SAVED.format(game.failure),
        ),
        created=iso(game.created),
        updated=iso(game.updated),
    )


def summary(stored: Stored, player: str) -> GameSummary:
    """Return a game as a list shows it."""
    seats: dict[Letter, Seat] = {
        "X": Seat(stored.x, stored.x_player),
        "O": Seat(stored.o, stored.o_player),
    }
    names = {side: "You" if seat.player == player else seat.name for side, seat in seats.items()}
    return GameSummary(
        id=stored.id,
        rules=stored.rules,
        x=names["X"],
        o=names["O"],
        result=stored.result,
        termination=stored.termination,
        plies=stored.plies,
        position=stored.position,
        swapped=stored.swapped,
        yours=[side for side, seat in seats.items() if seat.player == player],
        created=iso(stored.created),
        updated=iso(stored.updated),
    )


def _ending(game: Game) -> str | None:
    kept = game.round.record
    if kept.result == UNFINISHED:
        return None
    if game.round.position.outcome() is not None:
        return outcome_sentence(game.round.position)
    winner = next(player for player, result in RESULTS.items() if result == kept.result)
    if winner is not None and kept.termination == RESIGNATION:
        return f"{winner} wins: {winner.other} has resigned."
    return f"{kept.result} ({kept.termination})."


def _allowed(game: Game, sides: Sequence[Player]) -> Iterator[Any]:
    played = game.round
    if not sides:
        return
    if not played.is_over and played.position.turn in sides:
        yield "move"
    if not game.is_shared and game.next is None:
        by = whose(game, sides[0])
        if any(by in (None, position.turn) for position in played.positions[:-1]):
            yield "undo"
        if played.undone:
            yield "redo"
    yield "rematch" if played.is_over else "resign"
    if game.search is not None:
        yield "stop"
    yield "vary"
    if played.is_over or not game.is_shared:
        yield "delete"
