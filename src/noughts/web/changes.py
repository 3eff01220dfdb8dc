"""The changes that a player can make to a game: moves, undo, resignation, the name, offers.

    Games.change(game, version, player, act) ──► act(game, side) ──► the game in memory, then saved

Each function gets the game and the player's side, and raises `Refused` if it is not allowed.
"""

from __future__ import annotations

from noughts.answers.names import clean_name
from noughts.answers.problems import Refused
from noughts.explain.situation import swap2_situation
from noughts.games.phrases import phrase
from noughts.games.position import Player
from noughts.games.swap2 import Choice
from noughts.web.game import Game
from noughts.web.offers import OfferKind

ASKED = "You have asked already. You may ask again after your next move, three times a game."


def play(game: Game, side: Player, text: str) -> None:
    """Play a move for a side.

    Raises:
        IllegalMove: the rules do not allow it, or it is not the side's turn.
    """
    _check_runs(game)
    _check_turn(game, side)
    if game.choices:
        raise _choose_first(game)
    game.round.play(game.round.position.parse_move(text))
    game.offers.close()
    game.pass_clock(side, increment=True)


def choose(game: Game, side: Player, choice: Choice) -> None:
    """Choose a side in swap2, or two more stones."""
    _check_runs(game)
    if not game.choices:
        raise Refused(409, "nothing", phrase("swap2-no-choice").on_page())
    _check_turn(game, side)
    if choice not in game.choices:
        raise _choose_first(game)
    game.choose(choice)
    game.offers.close()


def _choose_first(game: Game) -> Refused:
    """Return the refusal of all but the choices that are due, to the player who chooses."""
    assert game.swap2 is not None
    player = game.swap2.player_at(game.ply)
    return Refused(409, "choose", swap2_situation(game.swap2, game.round.texts, player) or "")


def undo(game: Game, side: Player) -> None:
    """Undo a side's last move and the moves after it; against another person, offer to undo."""
    if game.is_shared and not game.round.is_over:
        ask(game, "undo", side)
        return
    _check_undo(game)
    _undo(game, game.series.person)


def _undo(game: Game, whose: Player | None) -> None:
    # An undone choice gives the players, and their clocks, the sides that they had before.
    game.pass_clock(game.turn)
    if not game.undo(whose):
        raise Refused(409, "nothing", "You have no move to undo.")
    game.pass_clock(game.turn)


def redo(game: Game, _: Player) -> None:
    _check_undo(game)
    turn = game.turn
    if not game.redo():
        raise Refused(409, "nothing", "There is no move to redo.")
    game.pass_clock(turn)


def resign(game: Game, side: Player) -> None:
    _check_runs(game)
    game.round.resign(side)
    end(game)


def name(game: Game, side: Player, text: str) -> None:
    """Set the name of the person at a side."""
    seat = game.seats[side]
    for each in game.seats.values():
        if each.player == seat.player:
            each.given = clean_name(text)


def draw(game: Game, side: Player) -> None:
    """Offer a draw, or accept the opponent's offer of one."""
    _check_runs(game)
    if game.offers.is_from(side.other, "draw"):
        accept(game, side)
    else:
        ask(game, "draw", side)


def ask(game: Game, kind: OfferKind, side: Player) -> None:
    """Make an offer.

    Raises:
        Refused: there is nobody who could accept it, or the player may not make it now.
    """
    if not game.has_two:
        raise Refused(409, "alone", "There is no opponent who could accept it.")
    moves = game.own_moves(side)
    if kind == "undo" and not moves:
        raise Refused(409, "nothing", "You have no move to undo.")
    if game.offers.is_from(side.other):
        raise Refused(409, "offer", "Answer your opponent first.")
    if not game.offers.may_ask(kind, side, moves):
        raise Refused(409, "offer", ASKED)
    game.offers.ask(kind, side, moves)


def accept(game: Game, side: Player) -> None:
    """Accept a draw or a take-back that the opponent offers."""
    if game.offers.is_from(side.other, "draw"):
        game.round.agree_draw()
    elif game.offers.is_from(side.other, "undo"):
        _undo(game, side.other)
    else:
        raise _no_offer()
    game.offers.close(accepted=True)
    if game.round.is_over:
        end(game)


def decline(game: Game, _: Player) -> None:
    """Decline the opponent's offer, or withdraw the player's own."""
    if game.offers.open is None:
        raise _no_offer()
    game.offers.close()


def _check_undo(game: Game) -> None:
    if game.is_shared:
        raise Refused(409, "shared", "You can't undo moves against another person.")
    if game.next is not None:
        raise Refused(409, "over", "The rematch has started.")
    if game.is_lost_on_time:
        raise Refused(409, "over", "The time is up.")


def _check_turn(game: Game, side: Player) -> None:
    if game.turn is not side:
        raise Refused(409, "not-your-turn", "It is not your turn.")


def _check_runs(game: Game) -> None:
    if game.round.is_over:
        raise Refused(409, "over", "The game is over.")


def _no_offer() -> Refused:
    return Refused(409, "nothing", "There is no offer.")


def end(game: Game) -> None:
    """Close the offers and stop the clocks of a game that has ended."""
    game.offers.close()
    game.pass_clock(game.turn)
