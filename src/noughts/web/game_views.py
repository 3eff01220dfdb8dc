"""Views of games for one client, and the changes from one view to the next.

Game, player id ──► shown() ──► GameView: position, players, allowed changes
                 two of them ──► change() ──► GameChange: only the fields that differ
"""

from __future__ import annotations

import itertools
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, cast
from weakref import WeakValueDictionary

from noughts.answers.positions import Letter
from noughts.database.store import Stored
from noughts.explain.situation import swap2_situation
from noughts.games.position import Player, move_texts
from noughts.web import clocks
from noughts.web.game import Game, Seat, iso
from noughts.web.models import (
    Change,
    ClockView,
    GameChange,
    GameSummary,
    GameView,
    KeysView,
    ListChange,
    OfferView,
    PlayedView,
    PlayerView,
    Swap2View,
    ThinkingView,
)
from noughts.web.offers import OfferKind
from noughts.web.positions import comments_of, position_view, variations_of

NOT_SAVED = "Not saved yet ({}). Keep playing: the game is saved when the database answers."


@dataclass(eq=False)
class Shown:
    """A view that clients got."""

    view: GameView

    @cached_property
    def text(self) -> str:
        """The view as JSON."""
        return _json(self.view)


_NUMBERS = itertools.count()
_START = secrets.token_urlsafe(6)
_BY_TAG: WeakValueDictionary[str, Shown] = WeakValueDictionary()
"""The views in use, by their tags."""


def view(game: Game, player: str) -> GameView:
    """Return a game as one client sees it."""
    return shown(game, player).view


def known(tag: str, game: Game, player: str) -> Shown | None:
    """Return the view of the game with a tag, if the client could have it."""
    found = _BY_TAG.get(tag)
    yours = [side.value for side in game.sides_of(player)]
    if found is None or (found.view["id"], found.view["yours"]) != (game.id, yours):
        return None
    return found


# Cached: many clients that show a game get the same change.
@lru_cache(maxsize=256)
def change(old: Shown, new: Shown) -> str:
    """Return the JSON of a `GameChange` from one view to another, or of the view if it is short."""
    before: Mapping[str, Any] = old.view
    after: Mapping[str, Any] = new.view
    changed = {name: value for name, value in after.items() if value != before[name]}
    lists = {
        name: _list_change(before[name], value)
        for name, value in changed.items()
        if isinstance(value, list)
    }
    entries = {
        name: _entries(before[name], value)
        for name, value in changed.items()
        if name in ("comments", "players")
    }
    values = {n: value for n, value in changed.items() if n not in lists and n not in entries}
    change: GameChange = {"values": values, "lists": lists, "entries": entries}
    text = _json(change)
    return text if len(text) < len(new.text) else new.text


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _list_change(old: Sequence[Any], new: Sequence[Any]) -> ListChange:
    """Return the part of a list that differs."""
    least = min(len(old), len(new))
    at = next((n for n in range(least) if old[n] != new[n]), least)
    least -= at
    end = next((n for n in range(least) if old[-1 - n] != new[-1 - n]), least)
    return {"at": at, "removed": len(old) - end - at, "added": [*new[at : len(new) - end]]}


def _entries(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the entries that differ; `None` for those that are gone."""
    keys = old.keys() | new.keys()
    return {key: new.get(key) for key in keys if old.get(key) != new.get(key)}


def shown(game: Game, player: str) -> Shown:
    """Return the view of a game for one client."""
    search = game.search
    beside_the_version = (
        game.reads,
        game.saved,
        game.failure,
        game.trouble,
        game.next,
        search and (search.position, search.waits, search.awaits_answer),
        frozenset(game.online),
        # The time left is at most a tenth of a second old.
        game.clock and (game.clock, round(clocks.now(), 1) if game.clock.since else None),
    )
    return _shown(game, tuple(game.sides_of(player)), game.version, beside_the_version)


# Cached: all clients without a seat get one view, and the one that moves gets its view twice.
@lru_cache(maxsize=256)
def _shown(
    game: Game, sides: Sequence[Player], _version: int, _beside_the_version: object
) -> Shown:
    shown = Shown(_view(game, sides, f"{_START}{next(_NUMBERS)}"))
    _BY_TAG[shown.view["tag"]] = shown
    return shown


# Cached: the players' views differ in little else.
@lru_cache(maxsize=256)
def _moves_of(game: Game, _version: int, _reads: int) -> PlayedView:
    played, moves = game.round, game.round.moves
    return {
        "moves": [*played.texts],
        "undone": move_texts(played.position, [node.move for node in reversed(played.undone)]),
        "position": position_view(played.positions, moves[-1] if moves else None),
        "variations": list(variations_of(played)),
        "comments": comments_of(played.record),
    }


def _view(game: Game, sides: Sequence[Player], tag: str) -> GameView:
    played, kept = game.round, game.round.record
    score = game.series.total()
    online = game.online
    names = names_for(game.seats, sides)
    players: dict[Letter, PlayerView] = {
        side.value: {
            "kind": "machine" if seat.is_machine else "open" if seat.kind == "open" else "person",
            "opponent": seat.kind if seat.is_machine else None,
            "name": names[side],
            "given": seat.given,
            "yours": side in sides,
            "online": seat.is_machine or seat.player in online,
        }
        for side, seat in game.seats.items()
    }
    thinking: ThinkingView | None = None
    if game.search is not None:
        thinking = {"side": game.search.side.value, "waiting": game.search.waits}
    keys: KeysView | None = None
    if sides or not game.has_person:
        keys = {"watch": game.watch_key, "join": game.join_key if game.is_open else None}
    return {
        **_moves_of(game, game.version, game.reads),
        "id": game.id,
        "version": game.version,
        "tag": tag,
        "rules": kept.start.rules_id,
        "start": str(kept.start),
        "swapped": game.swapped,
        "players": players,
        "yours": [side.value for side in sides],
        "result": cast(Any, kept.result),
        "termination": kept.termination,
        "sentence": played.ending,
        "score": {"x": score[Player.X], "o": score[Player.O], "draws": int(score[None])},
        "clock": _clock(game),
        "offer": _offer(game),
        "swap2": _swap2(game),
        "between_people": game.is_shared,
        "thinking": thinking,
        "trouble": None if played.is_over else game.trouble,
        "can": [*_allowed(game, sides)],
        "keys": keys,
        "next": game.next,
        "saved": {
            "done": game.saved == game.version,
            "notice": None if game.failure is None else NOT_SAVED.format(game.failure),
        },
        "created": iso(game.created),
        "updated": iso(game.updated),
    }


def names_for(seats: Mapping[Player, Seat], yours: Sequence[Player]) -> dict[Player, str]:
    """Name the players for a client who has the sides `yours`.

    Whoever has both sides of an imported game sees the names of its record.
    """
    x, o = (seats[side].given for side in Player)
    is_imported = len(yours) == len(seats) and x != o
    return {
        side: seat.name if is_imported or side not in yours else "You"
        for side, seat in seats.items()
    }


def _clock(game: Game) -> ClockView | None:
    if game.clock is None:
        return None
    turn, clock = game.turn, game.clock
    left = clock.at(turn, clocks.now())
    return {
        "seconds": cast(float, clock.control.clock),
        "increment": clock.control.increment,
        "x": round(left.x, 2),
        "o": round(left.o, 2),
        "running": None if clock.since is None else turn.value,
    }


def _swap2(game: Game) -> Swap2View | None:
    if game.swap2 is None:
        return None
    is_over, texts = game.round.is_over, game.round.texts

    def said(side: Player | None) -> str | None:
        assert game.swap2 is not None
        viewer = None if side is None else game.swap2.player_of(side)
        return None if is_over else swap2_situation(game.swap2, texts, viewer)

    situations = {"-": said(None), **{side.value: said(side) for side in Player}}
    return {
        "first": game.swap2.side_of(1).value,
        "decided": game.swap2.is_decided,
        "side": game.turn.value,
        "choices": [*game.choices],
        "stones": game.swap2.stones,
        "situation": cast(Any, situations if situations["-"] else None),
    }


def _offer(game: Game) -> OfferView | None:
    if game.offers.open is None:
        return None
    kind, side = game.offers.open
    return {"kind": kind, "side": side.value}


def summary(stored: Stored, player: str) -> GameSummary:
    """Return a game for the list of a player's games."""
    seats = {
        Player.X: Seat(stored.x, stored.x_player, stored.x_name),
        Player.O: Seat(stored.o, stored.o_player, stored.o_name),
    }
    yours = [side for side, seat in seats.items() if seat.player == player]
    names = names_for(seats, yours)
    return {
        "id": stored.id,
        "rules": stored.rules,
        "x": names[Player.X],
        "o": names[Player.O],
        "result": stored.result,
        "termination": stored.termination,
        "plies": stored.plies,
        "position": stored.position,
        "swapped": stored.swapped,
        "yours": [side.value for side in yours],
        "created": iso(stored.created),
        "updated": iso(stored.updated),
    }


def _allowed(game: Game, sides: Sequence[Player]) -> Iterator[Change]:
    played = game.round
    if not sides:
        return
    if not played.is_over and game.turn in sides:
        yield "choose" if game.choices else "move"
    if not game.is_shared and game.next is None and not game.is_lost_on_time:
        if game.can_undo:
            yield "undo"
        if game.can_redo:
            yield "redo"
    yield from _offers_of(game, sides[0])
    if not played.is_over:
        yield "resign"
    elif not game.is_shared:
        yield "rematch"
    if game.search is not None:
        # Stones of swap2 are not searched move by move: there is no best one so far.
        if game.choices or not game.is_opening:
            yield "stop"
        if game.search.awaits_answer:
            yield "answer"
    yield "vary"
    if played.is_over or not game.is_shared:
        yield "delete"


def _offers_of(game: Game, side: Player) -> Iterator[Change]:
    """Yield the offers that a player may make or answer."""
    if not game.has_two:
        return
    if game.offers.open is not None:
        if not game.offers.is_from(side):
            yield "accept"
        yield "decline"
    moves = game.own_moves(side)
    kinds: tuple[OfferKind, ...] = ("draw", "undo")
    if game.round.is_over:
        kinds = () if game.next else ("rematch",)
    for kind in kinds:
        if game.offers.may_ask(kind, side, moves) and (moves or kind != "undo"):
            yield kind
