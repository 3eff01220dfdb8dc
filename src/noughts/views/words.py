"""Positions in words: how a game stands, how it ended, and what is on its board.

position ──► state()             X to move on board 1
         ──► outcome_sentence()  X wins with the line 3 5 7.
         ──► description()       X on 1 2. O on 4 5. X to move.
"""

from __future__ import annotations

from collections.abc import Iterable

from noughts.games.lines import cells_of
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position, Termination
from noughts.games.row import ConnectFour, RowPosition


def cell_name(position: RowPosition | NestedPosition, cell: int) -> str:
    """Return the name of a cell; in Connect Four `4/1`, the lowest one of column 4."""
    if not isinstance(position, ConnectFour):
        return position.move_text(cell)
    row, column = divmod(cell, position.rules.columns)
    return f"{column + 1}/{position.rules.rows - row}"


def outcome_sentence(position: Position) -> str:
    """Return how a finished game ended, with its line."""
    outcome = position.outcome()
    assert outcome is not None
    if outcome.winner is None:
        reason = (
            "the named board is full"
            if outcome.termination is Termination.TARGET
            else ("nobody has a line")
        )
        return f"A draw: {reason}."
    if isinstance(position, NestedPosition):
        if outcome.termination is Termination.BOARDS:
            won = position.won_x.bit_count(), position.won_o.bit_count()
            return f"{outcome.winner} wins by boards, {max(won)} to {min(won)}."
        if position.winning_boards():
            boards = " ".join(str(number + 1) for number in position.winning_boards())
            return f"{outcome.winner} wins with boards {boards}."
    if isinstance(position, RowPosition | NestedPosition):
        made = _lines(position)
        if isinstance(position, RowPosition) and position.rules.misere:
            return f"{outcome.winner} wins: {outcome.winner.other} made {made}."
        return f"{outcome.winner} wins with {made}."
    return f"{outcome.winner} wins."


def _lines(position: RowPosition | NestedPosition) -> str:
    """Return what the last move completed: `the line 3 5 7`, or more than one."""
    completed = [set(position.winning_line())]
    if isinstance(position, RowPosition):
        # Lines in one direction share the last cell, and are one long line.
        by_step: dict[int, set[int]] = {}
        for mask in position.rules.lines:
            if mask in (mask & position.x, mask & position.o):
                cells = cells_of(mask)
                by_step.setdefault(cells[-1] - cells[0], set()).update(cells)
        completed = list(by_step.values())
    texts = [" ".join(cell_name(position, cell) for cell in sorted(line)) for line in completed]
    return f"the line {texts[0]}" if len(texts) == 1 else f"the lines {' and '.join(texts)}"


def state(position: Position) -> str:
    """Return how the game stands: who is to move and where, or how it ended."""
    outcome = position.outcome()
    if outcome is not None:
        return f"{outcome.winner} has won" if outcome.winner else "drawn"
    forced = position.forced if isinstance(position, NestedPosition) else None
    return f"{position.turn} to move" + ("" if forced is None else f" on board {forced + 1}")


def description(position: Position) -> str:
    """Return what the picture of a board shows, in words.

    >>> import noughts
    >>> description(noughts.position("basic~XX1.OO1.3~X"))
    'X on 1 2. O on 4 5. X to move.'
    """
    if isinstance(position, RowPosition):
        said = [_held(position, player, range(position.rules.size)) for player in Player]
    elif isinstance(position, NestedPosition):
        said = [_board_words(position, board) for board in range(9)]
    else:
        said = [position.diagram()]
    how = state(position)
    return " ".join([*(f"{text}." for text in said if text), f"{how[0].upper()}{how[1:]}."])


def _board_words(position: NestedPosition, board: int) -> str:
    cells = range(9 * board, 9 * board + 9)
    held = [text for text in (_held(position, player, cells) for player in Player) if text]
    owner = position.owner(board)
    won = [f"won by {owner}"] if owner else []
    return f"board {board + 1}: " + ", ".join(won + held) if held else ""


def _held(position: RowPosition | NestedPosition, player: Player, cells: Iterable[int]) -> str:
    names = [cell_name(position, cell) for cell in cells if position.mark(cell) is player]
    return f"{player} on {' '.join(names)}" if names else ""
