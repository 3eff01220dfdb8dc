"""The rules of a game in words, for readers who see no pictures: language models, and people too.

position ──rules_text()──► title, rule, options, sentences of the lesson, how moves are written
"""

from __future__ import annotations

from noughts.explain.lesson import lesson
from noughts.games.nested import NestedPosition
from noughts.games.phrases import sentence
from noughts.games.position import Position
from noughts.games.registry import game
from noughts.games.row import Basic, ConnectFour, RowPosition


def rules_text(position: Position) -> str:
    """Return the rules of a position's game, as Markdown.

    >>> import noughts
    >>> print(rules_text(noughts.game("basic")))
    # Tic-tac-toe (`basic`)
    <BLANKLINE>
    Get 3 in a row on a 3×3 board.
    <BLANKLINE>
    - Take turns to mark a free cell; X begins.
    - 3 in a row wins: across, down or diagonal.
    - The board is full and nobody has a line: a draw.
    <BLANKLINE>
    A move is a cell from 1 to 9, counted row by row from the top left.
    """
    told = lesson(position)
    points = [f"- {step.sentence}" for step in told.steps]
    # The rule already has the values that are not the default.
    points += [f"- {title}: {text}" for title, text in told.notes if text not in told.rule]
    title = told.title.removesuffix(f" ({position.rules_id})")
    parts = [f"# {title} (`{position.rules_id}`)", told.rule, "\n".join(points)]
    return "\n\n".join([*filter(None, parts), how_moves_are_written(position)])


def how_moves_are_written(position: Position) -> str:
    """Return a sentence about the text of moves in a position's game.

    >>> import noughts
    >>> how_moves_are_written(noughts.game("mnk:5,4,3"))
    'A move is a cell from a1 to e4: a letter for the column, a number for the row; a1 is top left.'
    """
    if isinstance(position, NestedPosition):
        return (
            "A move is two digits from 1 to 9: first the board, then the cell on it, such as 51. "
            "Boards and cells are counted row by row from the top left."
        )
    if not isinstance(position, RowPosition):
        return f"How to write a move: {sentence(game(position.rules_id).refusal(''))}"
    columns, size = position.rules.columns, position.rules.size
    if isinstance(position, ConnectFour):
        return f"A move is a column from 1 to {columns}, counted from the left."
    first, last = position.move_text(0), position.move_text(size - 1)
    if isinstance(position, Basic):
        return f"A move is a cell from {first} to {last}, counted row by row from the top left."
    return (
        f"A move is a cell from {first} to {last}: a letter for the column, a number for the row; "
        f"{first} is top left."
    )
