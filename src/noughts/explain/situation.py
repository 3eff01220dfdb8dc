"""The situation in one sentence: who moves, where and why; and why a move is not allowed.

position, last cell ──situation()──► O played bottom right, so you play the bottom-right board.
position, text      ──refusal()────► Play the bottom-right board: O played bottom right.

The sentences follow from the rules alone and judge no move. Boards and cells have the names of
their places, since the page shows no numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from noughts.games.nested import NestedPosition
from noughts.games.phrases import Phrase, phrase, sentence
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition
from noughts.games.swap2 import Swap2
from noughts.games.words import outcome_sentence

YOU = "you"
"""The viewer of the sentences on swap2, whose players have no sides yet."""


class Refusal(NamedTuple):
    """Why a move is not allowed, and where to play instead."""

    sentence: str
    boards: tuple[int, ...] = ()
    """Boards to play on instead, if the move is on the wrong board."""
    cells: tuple[int, ...] = ()
    """Cells to play on instead, if the move is on the right board."""


def situation(position: Position, last: int | None = None, viewer: Player | None = None) -> str:
    """Return who is to move, where and why; the result of a finished game.

    >>> import noughts
    >>> position = noughts.game("ultimate").after("51 19")
    >>> situation(position, 8, noughts.Player.X)
    'O played bottom right, so you play the bottom-right board.'
    >>> situation(position, 8)
    'O played bottom right, so X plays the bottom-right board.'

    Args:
        position: of any game.
        last: the cell of the last move, if it is known.
        viewer: the player to call "you".
    """
    if position.outcome() is not None:
        return outcome_sentence(position)
    if isinstance(position, NestedPosition):
        return _nested(position).seen_by(viewer)
    return _in_row(position, last).seen_by(viewer)


def swap2_situation(swap2: Swap2, moves: Sequence[str], viewer: int | None = None) -> str | None:
    """Return who places a stone or chooses, or what was chosen last; `None` after that.

    >>> swap2_situation(Swap2(), ["h8", "h9", "i8"], 2)
    'You choose: play X, play O and move next, or add two stones.'

    Args:
        swap2: the choices made in a game in progress.
        moves: the texts of its moves.
        viewer: the player to call "you", 1 or 2; `None` for others.
    """
    number = len(moves)

    def named(player: int, *, first: bool = True) -> str:
        if player == viewer:
            return YOU
        name = f"player {player}" if viewer is None else "your opponent"
        return name.capitalize() if first else name

    mark = Player.O if number % 2 else Player.X
    player = swap2.player_at(number)
    if choices := swap2.choices_at(number):
        code = "swap2-choose" if "more" in choices else "swap2-choose-last"
        return phrase(code, player=named(player)).seen_by(YOU)
    if not swap2.is_decided:
        stones, other = swap2.stones, named(3 - player, first=False)
        stone = {"mark": mark, "stone": number + 1, "stones": stones}
        return phrase("swap2-place", player=named(player), other=other, **stone).seen_by(YOU)
    chooser, side = 1 if "more" in swap2.made else 2, swap2.made[-1]
    code = "swap2-chosen-played" if number > swap2.stones else "swap2-chosen"
    if number > swap2.stones + (side == "O"):
        return None
    turn = YOU if player == viewer else mark
    return phrase(code, player=named(chooser), side=side, cell=moves[-1], turn=turn).seen_by(YOU)


def refusal(position: Position, text: str) -> Refusal | None:
    """Return why the move with this text is not allowed, or `None` if it is legal.

    >>> import noughts
    >>> refusal(noughts.game("basic").play("5"), "5").sentence
    'That cell is taken. Choose a free one.'
    """
    legal = position.legal_moves()
    if any(position.move_text(move) == text for move in legal):
        return None
    if position.outcome() is not None:
        return Refusal(phrase("over").on_page())
    if not isinstance(position, RowPosition | NestedPosition):
        return Refusal(sentence(position.refusal(text)))
    found = position.refused(text)
    said = found.on_page()
    if isinstance(position, NestedPosition):
        if found.code in ("other-board", "won-board", "full-board"):
            return Refusal(said, boards=tuple(position.open_boards()))
        if found.code == "taken-there":
            board = found.arguments["board"] - 1
            return Refusal(said, cells=tuple(move for move in legal if move // 9 == board))
    elif found.code in ("taken", "taken-few", "full"):
        return Refusal(said, cells=tuple(map(position.cell, legal)))
    return Refusal(said)


def _in_row(position: Position, last: int | None) -> Phrase:
    """Return the situation of an unfinished game that is not on nine boards."""
    turn: dict[str, Player] = {"turn": position.turn}
    if not isinstance(position, RowPosition):
        return phrase("next", **turn)
    rules = position.rules
    if not position.ply:
        code = "begin-drop" if rules.gravity else "begin-misere" if rules.misere else "begin-row"
        return phrase(code, k=rules.k, **turn)
    if last is None:
        return phrase("next", **turn)
    turn["last"] = position.turn.other
    if rules.gravity:
        return phrase("dropped", column=last % rules.columns + 1, **turn)
    if rules.columns == rules.rows == 3:
        return phrase("played-place", cell=last + 1, **turn)
    return phrase("played", cell=position.move_text(last), **turn)


def _nested(position: NestedPosition) -> Phrase:
    """Return the situation of an unfinished game on nine boards."""
    turn, target = position.turn, position.target
    if target is None:
        return phrase("begin", turn=turn)
    players = {"turn": turn, "last": turn.other}
    if position.forced is not None:
        return phrase("sent", cell=target + 1, **players)
    boards = [board + 1 for board in position.open_boards()]
    return phrase(f"sent-{why_closed(position, target)}", cell=target + 1, open=boards, **players)


def why_closed(position: NestedPosition, board: int) -> str:
    """Return why a closed board is closed: it is `won` or `full`."""
    return "won" if position.rules.won_closed and position.owner(board) else "full"
