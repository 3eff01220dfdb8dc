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
from noughts.games.position import Player, Position, sentence
from noughts.games.row import ConnectFour, RowPosition
from noughts.games.words import outcome_sentence

PLACES = (
    *("top left", "top middle", "top right"),
    *("middle left", "centre", "middle right"),
    *("bottom left", "bottom middle", "bottom right"),
)
"""The names of the cells of a 3×3 board, and of nine boards, row by row from the top left."""


class Refusal(NamedTuple):
    """Why a move is not allowed, and where moves are."""

    sentence: str
    boards: tuple[int, ...] = ()
    """Boards to play on instead, if the move is on the wrong board."""
    cells: tuple[int, ...] = ()
    """Cells to play on instead, if the move is on the right board."""


def board_name(board: int) -> str:
    """Return the name of one of nine boards.

    >>> board_name(0), board_name(4)
    ('top-left board', 'centre board')
    """
    return f"{PLACES[board].replace(' ', '-')} board"


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
        return _nested(position, viewer)
    yours = viewer is position.turn
    if isinstance(position, RowPosition) and not position.ply:
        where = "drop into any column" if isinstance(position, ConnectFour) else "play in any cell"
        begins = "You begin" if yours else f"{position.turn} begins"
        effect = "loses" if position.rules.misere else "wins"
        return f"{begins}: {where}. {position.rules.k} in a row {effect}."
    turn = "Your turn." if yours else f"{position.turn} to move."
    if last is None or not isinstance(position, RowPosition):
        return turn
    return f"{_name(position.turn.other, viewer)} played {_cell(position, last)}. {turn}"


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
        return Refusal("The game is over.")
    if isinstance(position, NestedPosition):
        moves = [divmod(move, 9) for move in range(81) if position.move_text(move) == text]
        if moves:
            return _nested_refusal(position, moves[0][0])
    elif isinstance(position, RowPosition):
        rules = position.rules
        cells = tuple(position.cell(move) for move in legal)
        places = range(rules.columns if rules.gravity else rules.size)
        if any(position.move_text(move) == text for move in places):
            said = f"Column {text} is full" if rules.gravity else "That cell is taken"
            choice = "another column" if rules.gravity else "a free one"
            return Refusal(f"{said}. Choose {choice}.", cells=cells)
    return Refusal(sentence(position.refusal(text)))


def _name(player: Player, viewer: Player | None) -> str:
    """Return the name of a player at the start of a sentence."""
    return "You" if player is viewer else str(player)


def _place(cell: int) -> str:
    """Return the name of a place after `played`."""
    return f"in the {PLACES[cell]}" if PLACES[cell] == "centre" else PLACES[cell]


def _cell(position: RowPosition, cell: int) -> str:
    if isinstance(position, ConnectFour):
        return f"column {cell % position.rules.columns + 1}"
    if position.rules.columns == position.rules.rows == 3:
        return _place(cell)
    return position.move_text(cell)


def _nested(position: NestedPosition, viewer: Player | None) -> str:
    """Return the situation of an unfinished game on nine boards."""
    yours = viewer is position.turn
    if position.target is None:
        return f"{'You begin' if yours else f'{position.turn} begins'}: play in any cell."
    who = "you" if yours else str(position.turn)
    played = f"{_name(position.turn.other, viewer)} played {_place(position.target)}"
    if position.forced is not None:
        return (
            f"{played}, so {who} {'play' if yours else 'plays'} the {board_name(position.forced)}."
        )
    why = f"but that board is {why_closed(position, position.target)}"
    return f"{played}, {why}: {who} may play {_choice(_open_boards(position))}."


def _open_boards(position: NestedPosition) -> list[int]:
    """Return the boards with legal moves."""
    return sorted({move // 9 for move in position.legal_moves()})


def _choice(boards: Sequence[int]) -> str:
    """Return the boards of a free choice as the object of `play`."""
    if len(boards) > 2:
        return f"any of the {len(boards)} open boards"
    return " or ".join(f"the {board_name(board)}" for board in boards)


def why_closed(position: NestedPosition, board: int) -> str:
    """Return why a closed board is closed: it is `won` or `full`."""
    return "won" if position.rules.won_closed and position.owner(board) else "full"


def _nested_refusal(position: NestedPosition, board: int) -> Refusal:
    """Return why no move on a cell of a board is legal."""
    boards = tuple(_open_boards(position))
    if board in boards:
        cells = tuple(move for move in position.legal_moves() if move // 9 == board)
        return Refusal("That cell is taken. Choose a free one.", cells=cells)
    if position.target is not None and position.forced is not None:
        played = f"{position.turn.other} played {_place(position.target)}"
        return Refusal(f"Play the {board_name(position.forced)}: {played}.", boards)
    name = board_name(board)
    return Refusal(f"The {name} is {why_closed(position, board)}. Play {_choice(boards)}.", boards)
