"""The seven functions of the CS50 AI course's tic-tac-toe project, for use as its `tictactoe.py`.

    board   [[X, O, EMPTY],         action   (row, column), counted from 0
             [EMPTY, X, EMPTY],
             [EMPTY, EMPTY, O]]

>>> board = result(result(initial_state(), (0, 0)), (2, 2))
>>> player(board), winner(board), minimax(board)
('X', None, (0, 2))

All but `minimax` accept any 3×3 board, even one that no game can reach.
"""

from __future__ import annotations

from noughts.games import registry
from noughts.games.lines import HAS_LINE
from noughts.games.position import IllegalMove
from noughts.games.row import Basic
from noughts.search import negamax

X = "X"
O = "O"  # noqa: E741
EMPTY = None

Board = list[list[str | None]]
Action = tuple[int, int]


def initial_state() -> Board:
    """Return the empty board."""
    return [[EMPTY, EMPTY, EMPTY] for _ in range(3)]


def player(board: Board) -> str:
    """Return the player to move: O if X has more marks, else X."""
    return O if _marks(board, X).bit_count() > _marks(board, O).bit_count() else X


def actions(board: Board) -> set[Action]:
    """Return the empty cells, even if the game is over."""
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board: Board, action: Action) -> Board:
    """Return a new board on which the player to move has marked `action`.

    Raises:
        IllegalMove: the cell is taken, or there is no such cell.
    """
    if action not in actions(board):
        raise IllegalMove(action, _position(board), "this is not an empty cell of the board")
    after = [list(row) for row in board]
    i, j = action
    after[i][j] = player(board)
    return after


def winner(board: Board) -> str | None:
    """Return the player with three in a row, or `None`; X if both have."""
    return next((mark for mark in (X, O) if HAS_LINE[_marks(board, mark)]), None)


def terminal(board: Board) -> bool:
    """Return whether the game is won or the board is full."""
    return winner(board) is not None or not actions(board)


def utility(board: Board) -> int:
    """Return 1 if X has won, -1 if O has, else 0."""
    won = winner(board)
    return 1 if won == X else -1 if won == O else 0


def minimax(board: Board) -> Action | None:
    """Return the best action: the quickest win, else a draw, else the slowest loss.

    `None` if the game is over.

    Raises:
        NotationError: the game is not over, and one side has too many marks.
    """
    if terminal(board):
        return None
    move = negamax(registry.position(str(_position(board)))).move
    return None if move is None else divmod(move, 3)


def _marks(board: Board, mark: str) -> int:
    """Return the cells with `mark` as a bit mask, row by row."""
    return sum(1 << 3 * i + j for i in range(3) for j in range(3) if board[i][j] == mark)


def _position(board: Board) -> Basic:
    """Return the board as a position, unchecked."""
    x, o = _marks(board, X), _marks(board, O)
    return Basic.start()._replace(x=x, o=o, ply=(x | o).bit_count())
