"""Students' files for the tests of `noughts check`: right ones, and ones with one mistake each.

A faulty file is the right file `BASE` with one function written again below it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from textwrap import dedent
from typing import NamedTuple

from noughts import cs50
from noughts.school.specification import solution
from noughts.window import cs50_functions
from noughts.window.worker import Inbox

EVERY = list(solution())
FEW = [
    board
    for number, board in enumerate(EVERY)
    if number % 61 == 0
    or board.count(".") > 7
    or (number > 5300 and number % 5 == 0)
    or (solution()[board].over and board.count(".") == 4 and number % 5 == 0)
]
"""Boards for the short tests: the first ones, some of all, and many full ones."""


@contextmanager
def imports_forgotten() -> Iterator[None]:
    """Forget the students' modules, and the marks that one of them has given to ours."""
    path, known = [*sys.path], set(sys.modules)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - known:
            if not name.startswith("noughts"):
                del sys.modules[name]
        cs50.X, cs50.O, cs50.EMPTY = "X", "O", None


def serve_few(inbox: Inbox, outbox: Connection, name: str) -> None:
    """Serve the course's game of the window, after a check on few boards."""
    cs50_functions.serve(inbox, outbox, name, FEW)


BASE = '''\
"""
Tic Tac Toe Player
"""

import copy
import math

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY],
            [EMPTY, EMPTY, EMPTY]]


def player(board):
    xs = sum(row.count(X) for row in board)
    os = sum(row.count(O) for row in board)
    return X if xs == os else O


def actions(board):
    possible = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                possible.add((i, j))
    return possible


def result(board, action):
    i, j = action
    if i not in range(3) or j not in range(3) or board[i][j] != EMPTY:
        raise Exception("Invalid action")
    new_board = [row[:] for row in board]
    new_board[i][j] = player(board)
    return new_board


def winner(board):
    for mark in (X, O):
        for i in range(3):
            if board[i][0] == board[i][1] == board[i][2] == mark:
                return mark
            if board[0][i] == board[1][i] == board[2][i] == mark:
                return mark
        if board[0][0] == board[1][1] == board[2][2] == mark:
            return mark
        if board[0][2] == board[1][1] == board[2][0] == mark:
            return mark
    return None


def terminal(board):
    if winner(board) is not None:
        return True
    return not any(EMPTY in row for row in board)


def utility(board):
    if winner(board) == X:
        return 1
    if winner(board) == O:
        return -1
    return 0


def minimax(board):
    if terminal(board):
        return None
    if board == initial_state():
        return (1, 1)
    if player(board) == X:
        return max(actions(board), key=lambda action: value(result(board, action)))
    return min(actions(board), key=lambda action: value(result(board, action)))


def value(board):
    if terminal(board):
        return utility(board)
    values = [value(result(board, action)) for action in actions(board)]
    return max(values) if player(board) == X else min(values)
'''


class Faulty(NamedTuple):
    """A file with one mistake."""

    function: str
    """The function at fault."""
    says: str
    """Part of the sentence that names the mistake."""
    code: str

    @property
    def source(self) -> str:
        return f"{BASE}\n\n{dedent(self.code)}"


WINNER = """
def winner(board):
    lines = [%s]
    for cells in lines:
        marks = [board[c // 3][c %% 3] for c in cells]
        if marks in ([X] * 3, [O] * 3):
            return marks[0]
"""


def winner_of(lines: str) -> str:
    """Return a winner with these lines, as nine-cell triples such as `012 345`."""
    return WINNER % ", ".join(f"({', '.join(line)})" for line in lines.split())


FAULTY = {
    # initial_state
    "initial_state: one row three times": Faulty(
        "initial_state",
        "rows of `initial_state` are one list",
        "def initial_state():\n    return [[EMPTY] * 3] * 3\n",
    ),
    "initial_state: one board for all games": Faulty(
        "initial_state",
        "the same lists at each call",
        """
        START = [[EMPTY] * 3 for _ in range(3)]

        def initial_state():
            return START
        """,
    ),
    "initial_state: tuples": Faulty(
        "initial_state",
        "returns a tuple; a board is a list of three lists",
        "def initial_state():\n    return ((EMPTY,) * 3,) * 3\n",
    ),
    "initial_state: nine cells": Faulty(
        "initial_state",
        "whose rows are not lists",
        "def initial_state():\n    return [EMPTY] * 9\n",
    ),
    "initial_state: four rows": Faulty(
        "initial_state",
        "not three rows of three cells",
        "def initial_state():\n    return [[EMPTY] * 3 for _ in range(4)]\n",
    ),
    "initial_state: numbers": Faulty(
        "initial_state",
        "whose cells are not all EMPTY",
        "def initial_state():\n    return [[3 * i + j for j in range(3)] for i in range(3)]\n",
    ),
    "initial_state: no return": Faulty(
        "initial_state",
        "a `return` is missing",
        "def initial_state():\n    board = [[EMPTY] * 3 for _ in range(3)]\n",
    ),
    # player
    "player: O begins": Faulty(
        "player",
        "names the other player",
        """
        def player(board):
            xs = sum(row.count(X) for row in board)
            os = sum(row.count(O) for row in board)
            return O if xs == os else X
        """,
    ),
    "player: always X": Faulty("player", "never names O", "def player(board):\n    return X\n"),
    "player: empty board": Faulty(
        "player",
        "wrong on the empty board only",
        """
        def player(board):
            if board == initial_state():
                return O
            empty = sum(row.count(EMPTY) for row in board)
            return X if empty % 2 == 1 else O
        """,
    ),
    "player: first row only": Faulty(
        "player",
        "names the wrong player",
        """
        def player(board):
            return O if board[0].count(X) > board[0].count(O) else X
        """,
    ),
    "player: small letters": Faulty(
        "player",
        "must be X or O",
        """
        def player(board):
            marks = sum(cell is not EMPTY for row in board for cell in row)
            return "o" if marks % 2 else "x"
        """,
    ),
    "player: no return for O": Faulty(
        "player",
        "a `return` is missing",
        """
        def player(board):
            marks = sum(cell is not EMPTY for row in board for cell in row)
            if marks % 2 == 0:
                return X
        """,
    ),
    "player: a global turn": Faulty(
        "player",
        "it keeps a value between calls",
        """
        turn = O

        def player(board):
            global turn
            turn = X if turn == O else O
            return turn
        """,
    ),
    # actions
    "actions: a list": Faulty(
        "actions",
        "returns a list; the course asks for a set",
        """
        def actions(board):
            return [(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY]
        """,
    ),
    "actions: a generator": Faulty(
        "actions",
        "returns a generator; the course asks for a set",
        """
        def actions(board):
            return ((i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY)
        """,
    ),
    "actions: row and column exchanged": Faulty(
        "actions",
        "exchanges row and column",
        """
        def actions(board):
            return {(j, i) for i in range(3) for j in range(3) if board[i][j] == EMPTY}
        """,
    ),
    "actions: from 1": Faulty(
        "actions",
        "counts from 1",
        """
        def actions(board):
            return {(i + 1, j + 1) for i in range(3) for j in range(3) if not board[i][j]}
        """,
    ),
    "actions: two columns": Faulty(
        "actions",
        "never looks at column 2",
        """
        def actions(board):
            return {(i, j) for i in range(3) for j in range(2) if board[i][j] == EMPTY}
        """,
    ),
    "actions: return in the loop": Faulty(
        "actions",
        "one cell only",
        """
        def actions(board):
            possible = set()
            for i in range(3):
                for j in range(3):
                    if board[i][j] == EMPTY:
                        possible.add((i, j))
                        return possible
        """,
    ),
    "actions: taken cells": Faulty(
        "actions",
        "returns the taken cells",
        """
        def actions(board):
            return {(i, j) for i in range(3) for j in range(3) if board[i][j] != EMPTY}
        """,
    ),
    "actions: cell numbers": Faulty(
        "actions",
        "other things than pairs",
        """
        def actions(board):
            return {3 * i + j for i in range(3) for j in range(3) if board[i][j] == EMPTY}
        """,
    ),
    "actions: marks the board": Faulty(
        "actions",
        "`actions` changes the board that it is given: copy it first",
        """
        def actions(board):
            possible = set()
            for i in range(3):
                for j in range(3):
                    if board[i][j] == EMPTY:
                        board[i][j] = "?"
                        possible.add((i, j))
            return possible
        """,
    ),
    # result
    "result: changes the board": Faulty(
        "result",
        "`result` changes the board that it is given: copy it first",
        """
        def result(board, action):
            if action not in actions(board):
                raise ValueError
            board[action[0]][action[1]] = player(board)
            return board
        """,
    ),
    "result: shallow copy": Faulty(
        "result",
        "copies the outer list only",
        """
        def result(board, action):
            if action not in actions(board):
                raise ValueError
            new_board = board.copy()
            new_board[action[0]][action[1]] = player(board)
            return new_board
        """,
    ),
    "result: shares rows": Faulty(
        "result",
        "shares rows",
        """
        def result(board, action):
            if action not in actions(board):
                raise ValueError
            i, j = action
            row = board[i][:]
            row[j] = player(board)
            return board[:i] + [row] + board[i + 1:]
        """,
    ),
    "result: never raises": Faulty(
        "result",
        "accepts a cell that is taken",
        """
        def result(board, action):
            i, j = action
            new_board = copy.deepcopy(board)
            if 0 <= i <= 2 and 0 <= j <= 2:
                new_board[i][j] = player(board)
                return new_board
            raise IndexError
        """,
    ),
    "result: returns None for a taken cell": Faulty(
        "result",
        "accepts a cell that is taken",
        """
        def result(board, action):
            i, j = action
            if not (0 <= i <= 2 and 0 <= j <= 2):
                raise ValueError
            if board[i][j] != EMPTY:
                print("Invalid move!")
                return None
            new_board = copy.deepcopy(board)
            new_board[i][j] = player(board)
            return new_board
        """,
    ),
    "result: negative": Faulty(
        "result",
        "accepts a negative index",
        """
        def result(board, action):
            i, j = action
            if board[i][j] != EMPTY:
                raise Exception("taken")
            new_board = copy.deepcopy(board)
            new_board[i][j] = player(board)
            return new_board
        """,
    ),
    "result: outside": Faulty(
        "result",
        "accepts an action outside the board",
        """
        def result(board, action):
            i, j = action
            if i < 0 or j < 0:
                raise Exception("negative")
            new_board = copy.deepcopy(board)
            if i > 2 or j > 2:
                return new_board
            if board[i][j] != EMPTY:
                raise Exception("taken")
            new_board[i][j] = player(board)
            return new_board
        """,
    ),
    "result: the other player": Faulty(
        "result",
        "places the mark of the other player",
        """
        def result(board, action):
            if action not in actions(board):
                raise ValueError
            new_board = copy.deepcopy(board)
            new_board[action[0]][action[1]] = O if player(board) == X else X
            return new_board
        """,
    ),
    "result: always X": Faulty(
        "result",
        "always places X",
        """
        def result(board, action):
            if action not in actions(board):
                raise ValueError
            new_board = copy.deepcopy(board)
            new_board[action[0]][action[1]] = X
            return new_board
        """,
    ),
    "result: row and column exchanged": Faulty(
        "result",
        "exchanges row and column",
        """
        def result(board, action):
            if action not in actions(board):
                raise ValueError
            j, i = action
            new_board = copy.deepcopy(board)
            new_board[i][j] = player(board)
            return new_board
        """,
    ),
    "result: no new mark": Faulty(
        "result",
        "without the new mark",
        """
        def result(board, action):
            if action not in actions(board):
                raise ValueError
            new_board = copy.deepcopy(board)
            new_board[action[0]][action[1]] == player(board)
            return new_board
        """,
    ),
    "result: no return": Faulty(
        "result",
        "a `return` is missing",
        """
        def result(board, action):
            if action not in actions(board):
                raise ValueError
            new_board = copy.deepcopy(board)
            new_board[action[0]][action[1]] = player(board)
        """,
    ),
    "result: exit on a taken cell": Faulty(
        "result",
        "ends the program",
        """
        def result(board, action):
            if action not in actions(board):
                raise SystemExit("Invalid action")
            new_board = copy.deepcopy(board)
            new_board[action[0]][action[1]] = player(board)
            return new_board
        """,
    ),
    # winner
    "winner: one diagonal": Faulty(
        "winner", "misses the line 3 5 7", winner_of("012 345 678 036 147 258 048")
    ),
    "winner: no diagonals": Faulty(
        "winner", "misses the diagonals", winner_of("012 345 678 036 147 258")
    ),
    "winner: no columns": Faulty("winner", "misses the columns", winner_of("012 345 678 048 246")),
    "winner: a wrong cell": Faulty(
        "winner", "misses the line 2 5 8", winner_of("012 345 678 036 146 258 048 246")
    ),
    "winner: an empty line": Faulty(
        "winner",
        "takes three empty cells for a line",
        """
        def winner(board):
            for i in range(3):
                if board[i][0] == board[i][1] == board[i][2]:
                    return board[i][0]
            for j in range(3):
                if board[0][j] == board[1][j] == board[2][j]:
                    return board[0][j]
            if board[0][0] == board[1][1] == board[2][2]:
                return board[1][1]
            if board[0][2] == board[1][1] == board[2][0]:
                return board[1][1]
            return None
        """,
    ),
    "winner: X only": Faulty(
        "winner",
        "never finds that O has won",
        winner_of("012 345 678 036 147 258 048 246").replace("([X] * 3, [O] * 3)", "([X] * 3,)"),
    ),
    "winner: the loser": Faulty(
        "winner",
        "names the loser",
        winner_of("012 345 678 036 147 258 048 246").replace(
            "return marks[0]", "return player(board)"
        ),
    ),
    "winner: a word on a draw": Faulty(
        "winner",
        "returns 'Tie' on a draw",
        winner_of("012 345 678 036 147 258 048 246")
        + '    if not any(EMPTY in row for row in board):\n        return "Tie"\n',
    ),
    "winner: False": Faulty(
        "winner",
        "returns False where nobody has won",
        winner_of("012 345 678 036 147 258 048 246") + "    return False\n",
    ),
    "winner: index error": Faulty(
        "winner",
        "raises IndexError",
        """
        def winner(board):
            for i in range(3):
                if board[i][0] == board[i][1] == board[i][3] != EMPTY:
                    return board[i][0]
        """,
    ),
    # terminal
    "terminal: no draws": Faulty(
        "terminal",
        "does not see that a full board ends the game",
        "def terminal(board):\n    return winner(board) is not None\n",
    ),
    "terminal: full boards only": Faulty(
        "terminal",
        "a line ends it, too",
        "def terminal(board):\n    return not any(EMPTY in row for row in board)\n",
    ),
    "terminal: the winner": Faulty(
        "terminal",
        "must return True or False",
        "def terminal(board):\n    return winner(board) or not actions(board)\n",
    ),
    "terminal: no return": Faulty(
        "terminal",
        "a `return` is missing",
        """
        def terminal(board):
            if winner(board) or not actions(board):
                return True
        """,
    ),
    "terminal: exchanged": Faulty(
        "terminal",
        "exchanges True and False",
        "def terminal(board):\n    return winner(board) is None and bool(actions(board))\n",
    ),
    "terminal: too early": Faulty(
        "terminal",
        "ends the game too early",
        """
        def terminal(board):
            return winner(board) is not None or all(any(row) for row in board)
        """,
    ),
    # utility
    "utility: exchanged": Faulty(
        "utility",
        "exchanges the players",
        "def utility(board):\n    return {X: -1, O: 1, None: 0}[winner(board)]\n",
    ),
    "utility: nothing on a draw": Faulty(
        "utility",
        "a `return` is missing",
        """
        def utility(board):
            if winner(board) == X:
                return 1
            elif winner(board) == O:
                return -1
        """,
    ),
    "utility: 0 for O": Faulty(
        "utility",
        "returns 0 where O has won: it must return -1",
        "def utility(board):\n    return 1 if winner(board) == X else 0\n",
    ),
    "utility: the letter": Faulty(
        "utility",
        "it must return 1, -1 or 0",
        "def utility(board):\n    return winner(board) or 0\n",
    ),
    # minimax
    "minimax: on a finished board": Faulty(
        "minimax",
        "None on a finished board",
        """
        def minimax(board):
            if terminal(board):
                return (0, 0)
            choose = max if player(board) == X else min
            if board == initial_state():
                return (0, 0)
            return choose(actions(board), key=lambda action: value(result(board, action)))
        """,
    ),
    "minimax: for X only": Faulty(
        "minimax",
        "for O it must take the action with the smallest value",
        """
        def minimax(board):
            if terminal(board):
                return None
            if board == initial_state():
                return (1, 1)
            return max(actions(board), key=lambda action: value(result(board, action)))
        """,
    ),
    "minimax: max and min exchanged": Faulty(
        "minimax",
        "exchange `max` and `min`",
        """
        def minimax(board):
            if terminal(board):
                return None
            if board == initial_state():
                return (1, 1)
            choose = min if player(board) == X else max
            return choose(actions(board), key=lambda action: value(result(board, action)))
        """,
    ),
    "minimax: the value": Faulty(
        "minimax",
        "returns the value of the board in place of the move",
        """
        def minimax(board):
            if terminal(board):
                return None
            return value(board) if board != initial_state() else 0
        """,
    ),
    "minimax: the first cell": Faulty(
        "minimax",
        "always take the first empty cell",
        """
        def minimax(board):
            return None if terminal(board) else min(actions(board))
        """,
    ),
    "minimax: a list": Faulty(
        "minimax",
        "an action is a tuple",
        """
        old = minimax

        def minimax(board):
            action = old(board)
            return action and list(action)
        """,
    ),
    "minimax: value and action": Faulty(
        "minimax",
        "together with its value",
        """
        old = minimax

        def minimax(board):
            action = old(board)
            return action and (0, action)
        """,
    ),
    "minimax: two moves ahead": Faulty(
        "minimax",
        "search to the end of the game?",
        """
        def minimax(board):
            if terminal(board):
                return None
            choose = max if player(board) == X else min
            return choose(sorted(actions(board)), key=lambda a: shallow(result(board, a), 2))

        def shallow(board, depth):
            if terminal(board):
                return utility(board)
            if depth == 0:
                return 0
            values = [shallow(result(board, action), depth - 1) for action in actions(board)]
            return max(values) if player(board) == X else min(values)
        """,
    ),
    "minimax: marks the board": Faulty(
        "minimax",
        "`minimax` changes the board that it is given",
        """
        old = minimax

        def minimax(board):
            action = old(board)
            if action:
                board[action[0]][action[1]] = player(board)
            return action
        """,
    ),
    "minimax: endless recursion": Faulty(
        "minimax",
        "calls itself without end",
        """
        def minimax(board):
            return minimax(board)
        """,
    ),
}

RIGHT = {
    "as the course begins it": BASE,
    "our own functions": "from noughts.cs50 import *\n",
    "one line each": """
        X, O, EMPTY = "X", "O", None
        initial_state = lambda: [[EMPTY] * 3 for _ in range(3)]
        cells = lambda board: sum(board, [])
        player = lambda board: O if cells(board).count(X) > cells(board).count(O) else X
        actions = lambda board: {divmod(n, 3) for n, c in enumerate(cells(board)) if c is EMPTY}
        LINES = [*(range(i, i + 3) for i in (0, 3, 6)), *(range(i, 9, 3) for i in range(3)),
                 (0, 4, 8), (2, 4, 6)]

        def result(board, action):
            assert action in actions(board)
            flat = cells(board)
            flat[3 * action[0] + action[1]] = player(board)
            return [flat[:3], flat[3:6], flat[6:]]

        winner = lambda board: next(
            (m for m in (X, O) for line in LINES if all(cells(board)[n] == m for n in line)), None)
        terminal = lambda board: bool(winner(board)) or not actions(board)
        utility = lambda board: {X: 1, O: -1}.get(winner(board), 0)
        memo = {}

        def value(board):
            key = tuple(cells(board))
            if key not in memo:
                choose = max if player(board) == X else min
                memo[key] = utility(board) if terminal(board) else choose(
                    value(result(board, action)) for action in actions(board))
            return memo[key]

        minimax = lambda board: None if terminal(board) else (
            max if player(board) == X else min)(
                actions(board), key=lambda action: value(result(board, action)))
        """,
    "alpha-beta with cut-offs": BASE
    + dedent("""
        def minimax(board):
            if terminal(board):
                return None
            return search(board, -math.inf, math.inf)[1]

        def search(board, alpha, beta):
            if terminal(board):
                return utility(board), None
            best = None
            if player(board) == X:
                v = -math.inf
                for action in actions(board):
                    found = search(result(board, action), alpha, beta)[0]
                    if found > v:
                        v, best = found, action
                    alpha = max(alpha, v)
                    if alpha >= beta:
                        break
            else:
                v = math.inf
                for action in actions(board):
                    found = search(result(board, action), alpha, beta)[0]
                    if found < v:
                        v, best = found, action
                    beta = min(beta, v)
                    if alpha >= beta:
                        break
            return v, best
        """),
    "quickest win first": BASE
    + dedent("""
        def minimax(board):
            if terminal(board):
                return None
            if board == initial_state():
                return (0, 2)
            sign = 1 if player(board) == X else -1
            return max(actions(board), key=lambda a: sign * depth_value(result(board, a)))

        def depth_value(board):
            if terminal(board):
                return utility(board) * (1 + sum(row.count(EMPTY) for row in board))
            values = [depth_value(result(board, action)) for action in actions(board)]
            return max(values) if player(board) == X else min(values)
        """),
    "moves are taken back": BASE
    + dedent("""
        def minimax(board):
            if terminal(board):
                return None
            if board == initial_state():
                return (1, 1)
            return _search(board, player(board))[1]

        def _search(board, turn):
            if terminal(board):
                return utility(board), None
            other = O if turn == X else X
            found = []
            for i, j in actions(board):
                board[i][j] = turn
                found.append((_search(board, other)[0], (i, j)))
                board[i][j] = EMPTY
            return max(found) if turn == X else min(found)
        """),
    "a class": BASE
    + dedent("""
        class Taken(Exception):
            pass

        class Game:
            def __init__(self, board):
                self.board = copy.deepcopy(board)

            def play(self, i, j):
                if (i, j) not in actions(self.board):
                    raise Taken(i, j)
                mark = player(self.board)
                self.board[i][j] = mark
                return self.board

        def result(board, action):
            return Game(board).play(*action)
        """),
    "left open by the course": BASE
    + dedent("""
        old_player, old_actions, old_utility = player, actions, utility

        def player(board):
            if terminal(board):
                raise RuntimeError("the game is over")
            return old_player(board)

        def actions(board):
            return None if terminal(board) else frozenset(old_actions(board))

        def result(board, action):
            if terminal(board) or action not in old_actions(board):
                raise KeyError(action)
            new = copy.deepcopy(board)
            new[action[0]][action[1]] = old_player(board)
            return new

        def utility(board):
            assert terminal(board)
            return float(old_utility(board))
        """),
    "prints and questions": BASE
    + dedent("""
        print('{"schema": 1, "passed": false}')
        if input("Ready? "):
            raise SystemExit
        loud = winner

        def winner(board):
            print("FAILED", board)
            return loud(board)
        """),
    "a helper with further arguments": BASE
    + dedent("""
        def actions(board, ordered=False):
            found = [(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY]
            return found if ordered else set(found)

        def minimax(board, alpha=-2, beta=2):
            if terminal(board):
                return None
            if len(actions(board)) == 9:
                return 1, 1
            choose = max if player(board) == X else min
            return choose(
                actions(board, ordered=True), key=lambda action: value(result(board, action)))
        """),
    "other letters": BASE.replace('X = "X"', 'X = "x"')
    .replace('O = "O"', 'O = "o"')
    .replace("EMPTY = None", 'EMPTY = " "'),
}
