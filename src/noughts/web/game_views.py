"""Views of games for one client.

Game, player id ──► view() ──► GameView: position, players, allowed changes
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, cast

from noughts.games.position import Player, move_texts
from noughts.store import TAKEN_OVER, Stored
from noughts.web.game import Game, Seat, iso, total, whose
from noughts.web.models import (
    GameSummary,
    GameView,
    KeysView,
    Letter,
    PlayerView,
    SavedView,
    ScoreView,
    ThinkingView,
)
from noughts.web.positions import comments_of, line_texts, position_view, variations_of

NOT_SAVED = "Not saved yet ({}). Keep playing: the game is saved when the database answers."
NEVER_SAVED = f"Not saved: {TAKEN_OVER}. Reload the page."


def view(game: Game, player: str) -> GameView:
    """Return a game as one client sees it."""
    return _view(*_state(game, player))


def text(game: Game, player: str) -> str:
    """Return a game as one client sees it, as JSON."""
    return _text(*_state(game, player))


def _state(game: Game, player: str) -> tuple[Game, tuple[Player, ...], object]:
    """Return all that the view depends on: it is the same for all clients without a seat."""
    search = game.search
    state = (
        game.version,
        game.saved,
        game.failure,
        game.trouble,
        game.next,
        search and (search.position, search.waits),
        frozenset(game.online),
    )
    return game, tuple(game.sides_of(player)), state


# Cached: a client gets the same text as reply and over its WebSocket, and so do all that watch.
@lru_cache(maxsize=256)
def _text(game: Game, sides: tuple[Player, ...], state: object) -> str:
    return _view(game, sides, state).model_dump_json()


def _view(game: Game, sides: tuple[Player, ...], _state: object) -> GameView:
    played, kept = game.round, game.round.record
    moves = played.moves
    score = total(game)
    online = game.online
    players: dict[Letter, PlayerView] = {
        side.value: PlayerView(
            kind="machine" if seat.is_machine else "open" if seat.kind == "open" else "person",
            opponent=seat.kind if seat.is_machine else None,
            name="You" if side in sides else seat.name,
            yours=side in sides,
            online=seat.is_machine or seat.player in online,
        )
        for side, seat in game.seats.items()
    }
    thinking = None
    if game.search is not None:
        thinking = ThinkingView(side=game.search.position.turn.value, waiting=game.search.waits)
    variations = list(variations_of(game.round))
    return GameView(
        id=game.id,
        version=game.version,
        rules=kept.start.rules_id,
        start=str(kept.start),
        swapped=game.swapped,
        moves=line_texts(played),
        undone=move_texts(played.position, [node.move for node in reversed(played.undone)]),
        position=position_view(played.positions, moves[-1] if moves else None),
        players=players,
        yours=[side.value for side in sides],
        result=cast(Any, kept.result),
        termination=kept.termination,
        sentence=played.ending,
        score=ScoreView(x=score[Player.X], o=score[Player.O], draws=int(score[None])),
        thinking=thinking,
        trouble=None if played.is_over else game.trouble,
        variations=variations,
        comments=comments_of(kept),
        can=list(_allowed(game, sides)),
        keys=KeysView(
            watch=game.watch_key,
            join=game.join_key
            if any(seat.kind == "open" for seat in game.seats.values())
            else None,
        )
        if sides
        else None,
        next=game.next,
        saved=SavedView(
            done=game.saved == game.version,
            notice=game.failure and _notice(game.failure),
        ),
        created=iso(game.created),
        updated=iso(game.updated),
    )


def summary(stored: Stored, player: str) -> GameSummary:
    """Return a game for the list of a player's games."""
    seats: dict[Letter, Seat] = {
        "X": Seat(stored.x, stored.x_player),
        "O": Seat(stored.o, stored.o_player),
    }
    names = {side: "You" if seat.player == player else seat.name for side, seat in seats.items()}
    yours = [side for side, seat in seats.items() if seat.player == player]
    times = {"created": iso(stored.created), "updated": iso(stored.updated)}
    return GameSummary(
        **asdict(stored) | times | {"x": names["X"], "o": names["O"], "yours": yours}
    )


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


def _notice(failure: str) -> str:
    return NEVER_SAVED if failure == TAKEN_OVER else NOT_SAVED.format(failure)
