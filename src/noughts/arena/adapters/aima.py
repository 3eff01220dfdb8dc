"""Players of AIMA's Python code, `player(game, state)`: `aima:FILE.py:function`.

    Turn ──game, state──► player ──► (x, y), row and column from 1, the top left is (1, 1)

    game    actions · result · utility · terminal_test · to_move · display · initial · h · v · k
    state   to_move ('X' or 'O') · utility (for X) · board ({(x, y): 'X'}) · moves

Game and state are those of Russell and Norvig's `games.py` (github.com/aimacode/aima-python), where
`h` is the number of rows and `v` that of columns: (x, y) is what its `display` prints in line x,
place y. In Connect Four a move is the cell where the mark lands; row h is the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from noughts.arena.adapters.hosted import Answer, Choose, cell_of, find, open_bot, spoken
from noughts.arena.adapters.hosted import check_function as check
from noughts.arena.bot import Turn
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition, RowRules

__all__ = ["AimaGame", "AimaState", "check", "load", "open_bot", "refusal", "state_of", "wanted"]

Cell = tuple[int, int]


class AimaState(NamedTuple):
    """A position as AIMA's players receive it."""

    to_move: str
    utility: int
    """1 if X has won, -1 if O has, else 0."""
    board: dict[Cell, str]
    moves: list[Cell]
    """All empty cells; in Connect Four also those above an empty cell."""


class AimaGame:
    """A row game with the interface of AIMA's games."""

    def __init__(self, rules: RowRules) -> None:
        self.rules = rules
        self.h, self.v, self.k = rules.rows, rules.columns, rules.k
        cells = [(x, y) for x in range(1, self.h + 1) for y in range(1, self.v + 1)]
        self.initial = AimaState("X", 0, {}, cells)

    def actions(self, state: AimaState) -> list[Cell]:
        """Return the legal moves."""
        if not self.rules.gravity:
            return state.moves
        return [(x, y) for x, y in state.moves if x == self.h or (x + 1, y) in state.board]

    def result(self, state: AimaState, move: Cell) -> AimaState:
        """Return the state after a move; as in AIMA, an impossible move changes nothing."""
        if move not in state.moves:
            return state
        mark = state.to_move
        board = {**state.board, move: mark}
        moves = [cell for cell in state.moves if cell != move]
        worth = 0
        if self._makes_line(board, move):
            worth = 1 if (mark == "X") != self.rules.misere else -1
        return AimaState("O" if mark == "X" else "X", worth, board, moves)

    def utility(self, state: AimaState, player: str) -> int:
        """Return the value of a finished game for a player: 1, 0 or -1."""
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: AimaState) -> bool:
        return state.utility != 0 or not state.moves

    def to_move(self, state: AimaState) -> str:
        return state.to_move

    def display(self, state: AimaState) -> None:
        for x in range(1, self.h + 1):
            print(*(state.board.get((x, y), ".") for y in range(1, self.v + 1)))  # noqa: T201

    def _makes_line(self, board: dict[Cell, str], move: Cell) -> bool:
        """Return whether the mark on `move` is in a line of at least k marks."""
        own = [cell for cell, mark in board.items() if mark == board[move]]
        marks = sum(1 << self._number(cell) for cell in own)
        return self.rules.line_through(self._number(move), marks)

    def _number(self, cell: Cell) -> int:
        x, y = cell
        return (x - 1) * self.v + y - 1


def state_of(position: RowPosition) -> AimaState:
    """Return an unfinished position as AIMA's players receive it."""
    columns = position.rules.columns
    board: dict[Cell, str] = {}
    empty: list[Cell] = []
    for index in range(position.rules.size):
        cell, player = (index // columns + 1, index % columns + 1), position.mark(index)
        if player is None:
            empty.append(cell)
        else:
            board[cell] = player.value
    return AimaState(position.turn.value, 0, board, empty)


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return why an AIMA player cannot play after the opening, or `None` if it can."""
    if isinstance(start, RowPosition):
        return None
    return f"an AIMA player plays basic, mnk and connect4, not {start.rules_id}"


def wanted(position: Position) -> str:
    """Describe the right answer of a player."""
    assert isinstance(position, RowPosition)
    example = AimaGame(position.rules).actions(state_of(position))[0]
    return f"one of game.actions(state), such as {example}"


def load(rest: str) -> Choose:
    """Return a function that asks the named player for a move; runs in the host process.

    Raises:
        LookupError: there is no such function.
    """
    player = find(rest)

    def choose(turn: Turn) -> Answer:
        position = turn.position
        assert isinstance(position, RowPosition)
        game = AimaGame(position.rules)
        answer = player(game, state_of(position))
        cell = cell_of(answer, game.h, game.v, first=1)
        move: object = answer if cell is None else cell
        if cell is not None and position.rules.gravity:
            column = cell % game.v
            move = column if position.cell(column) == cell else answer
        return Answer(answer, spoken(position, move))

    return choose
