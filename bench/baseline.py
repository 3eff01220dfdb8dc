"""Plain minimax on a list of lists, as a beginner writes it for tic-tac-toe.

The baseline of our searches: the empty cells are collected again at each node, a win is found by
building the eight triples, and moves are made and undone in place.

>>> board = [["X", "O", "X"], ["O", "X", "O"], [EMPTY, EMPTY, EMPTY]]
>>> empty_cells(board), winner(board), minimax(board, "X")
([(2, 0), (2, 1), (2, 2)], None, 1)
"""

EMPTY = None
Mark = str | None
Board = list[list[Mark]]


def empty_board() -> Board:
    return [[EMPTY, EMPTY, EMPTY] for _ in range(3)]


def empty_cells(board: Board) -> list[tuple[int, int]]:
    """Return the row and column of every empty cell."""
    cells = []
    for row in range(3):
        for column in range(3):
            if board[row][column] is EMPTY:
                cells.append((row, column))  # noqa: PERF401 - as a beginner writes it
    return cells


def winner(board: Board) -> Mark:
    """Return the mark that has three in a row."""
    triples = [board[row] for row in range(3)]
    triples += [[board[row][column] for row in range(3)] for column in range(3)]
    triples.append([board[i][i] for i in range(3)])
    triples.append([board[i][2 - i] for i in range(3)])
    for triple in triples:
        if triple[0] is not EMPTY and triple[0] == triple[1] == triple[2]:
            return triple[0]
    return None


def minimax(board: Board, mark: str) -> int:
    """Return the value of the board for X, with `mark` to move: 1, 0 or -1."""
    won = winner(board)
    if won is not None:
        return 1 if won == "X" else -1
    cells = empty_cells(board)
    if not cells:
        return 0
    values = []
    for row, column in cells:
        board[row][column] = mark
        values.append(minimax(board, "O" if mark == "X" else "X"))
        board[row][column] = EMPTY
    return max(values) if mark == "X" else min(values)
