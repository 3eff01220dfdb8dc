"""The kinds of facts about a position: each is a claim that lines of moves prove.

S is the player to move, T the opponent. Lines begin in the position of the fact.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.games.position import Player
from noughts.search import Value

Moves = tuple[int, ...]

KINDS = {
    # by the rules
    "wins": "`move` ends the game, and S has won",
    "loses_at_once": "`move` ends the game, and T has won",
    "draws": "`move` ends the game as a draw",
    "two_threats": "after `move` T cannot win at once, and whatever T answers, S wins at once, "
    "with one of two or more `moves`; each does unless T takes it",
    "every_answer": "whatever T answers to `move`, S wins at once; a line for every answer",
    "no_good_answer": "every answer to `move` ends the game, and S has won; a line for each",
    "threatens": "after `move` T cannot win at once, and S wins at once with any of `moves` that T "
    "does not stop by playing there or ending the game",
    "threat": "T wins at once with any of `moves`, unless S plays there or ends the game",
    "blocks": "T wins at once with any of `moves` after every move of S that is none of them and "
    "does not end the game; after `move` T no longer does",
    "allows": "after `move`, which names `board` if the game has boards, T wins at once with any "
    "of `moves`; a line for each",
    "gives_above": "as `allows`, on the cell above the one that `move` takes, and on none but that",
    "only_move": "there is no other legal move",
    "give_win": "after each of `moves` T wins at once; a line for each",
    "zugzwang": "every legal move of S lets T win at once on the cell above it, and on none but "
    "that; a line for each",
    # by the rules, in row games
    "opens": "after `move` S does not threaten to win at once, but has a new open row: with any of "
    "`moves` S threatens two lines at once, whatever T answers outside the rows; a line for each",
    "stops_open": "T has an open row, and with any of `moves` T threatens two lines at once after "
    "any move of S outside the rows, but not after `move`; a line for each",
    "awaits": "after `move`, and not before it, S would have a line with a mark on any of `cells`, "
    "which are empty and not yet the lowest of their columns",
    # by the rules, on nine boards
    "takes_board": "`move` wins `board` for S; `boards`, if any, are those with which S has three "
    "in line then, one of them not so before `move`",
    "stops_boards": "`move` wins `board` for S, with which T would have three boards in line",
    "denies_board": "with a mark where `move` goes T would have a line on `board`, which nobody "
    "has won",
    "denies_game": "as `denies_board`, and with `board` T would have three boards in line",
    "two_in_line": "after `move`, and not before it, S would have a line on `board`, which nobody "
    "has won, with a mark on any of `moves`, which are empty",
    "frees": "`move` names `board`, which is closed, and T may play on any open board; on "
    "`boards`, if any, T can make a line at once; a line for each",
    "gives_board": "after `move` T must play on `board`, and can win it at once with any of "
    "`moves`; a line for each. `boards`, if any, are those with which T has three in line then, "
    "one of them not so before",
    "gains_board": "after `move` T can make no line on a board at once, and whatever T answers, S "
    "can; a line for each answer",
    "sends_in_vain": "after `move` T must play on `board`, which is won, or where T can make no "
    "line any more",
    "spares": "after `move` T must play on one board and can make no line there; every one of "
    "`moves`, half or more of the other moves, lets T make a line at once or play on any open "
    "board; a line for each",
    # by proven values; the lines are those of best play, a proven distance being their length
    "standing": "the position is worth `value` to S, and `move` keeps it",
    "worth": "`move` is worth `value`",
    "only": "`move` is worth `value`, every other move a worse one of win, draw and loss, or, "
    "where nothing is proven of `move`, a loss; where `plies` is known, all others lose within it",
    "quickest": "`move` wins in `plies`, no move in fewer moves; `moves` win too",
    "slower": "`move` wins in `plies`, the first of `moves` in fewer moves",
    "holds_out": "every move loses, `move` in `plies`, no other later; `moves` lose too",
    "sooner": "every move loses, `move` in `plies`, the first of `moves` in more moves",
    "gives_up": "`move` is worth `value`, the first of `moves` is worth more: a win or a draw",
    "alike": "each of `moves` is a win or a draw as `value` is, and no other move is proven one",
    "lose": "each of `moves` loses, in `plies` if that is known; a line for each",
    # not proven
    "estimate": "of `move` nothing is proven; the estimate is that of `value`; the first of "
    "`moves`, if there is one, has more, by estimate or proven",
    "open": "of the position nothing is proven; the estimate is that of `value`, with `move`",
}
"""The claim of each kind of fact."""

ESTIMATED = ("estimate", "open")
"""The kinds that are not proven."""

ANSWERS = (
    "two_threats",
    "threatens",
    "threat",
    "blocks",
    "allows",
    "gives_above",
    "gives_board",
    "opens",
    "stops_open",
)
"""Kinds whose `moves` are the last moves of the lines; in other kinds they are legal moves."""


class Fact(NamedTuple):
    """A claim about a position, and the lines that prove it."""

    kind: str
    """One of `KINDS`."""
    player: Player
    """S, or T if it is T who wins, threatens or gains something."""
    move: int | None
    """The move that the claim is about; `None` for a claim about the position."""
    lines: tuple[Moves, ...]
    """Moves from the position on; a line of best play stops where no more is known."""
    moves: Moves = ()
    """The other moves that the claim names."""
    value: Value | None = None
    """The value for S, proven or estimated, that the claim is based on."""
    values: tuple[Value, ...] = ()
    """The proven values of `moves`, where the claim compares them."""
    plies: int | None = None
    board: int | None = None
    boards: tuple[int, ...] = ()
    """The other boards that the claim names."""
    cells: tuple[int, ...] = ()
    """The cells that the claim names, where they are not moves."""
