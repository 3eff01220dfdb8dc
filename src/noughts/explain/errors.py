"""Why a move is an error, and clues that help to find a better one.

facts about the move that help the opponent ──┐
                                              ├──► deciding facts ──► sentences, clues
facts about a better move that help its player ┘
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from noughts.explain.facts import by_itself, by_values, threat_of_other
from noughts.explain.kinds import Fact
from noughts.explain.sentences import what_it_does
from noughts.games.nested import NestedPosition
from noughts.games.phrases import PLACES, board_name
from noughts.games.position import Position
from noughts.games.row import RowPosition
from noughts.judgement.judge import Judge

MAX_MERITS = 2
"""Most merits of a better move that explain an error, if the error itself does no harm."""

ROWS = ("top", "middle", "bottom")

CLUES = {
    # about the better move
    "wins": "{player} can win at once.",
    "blocks": "{other} threatens to win at once.",
    "two_threats": "{player} can threaten two lines at once.",
    "every_answer": "After one move {player} wins whatever {other} answers.",
    "no_good_answer": "After one move {player} wins whatever {other} answers.",
    "threatens": "{player} can threaten to win at once.",
    "opens": "{player} can open a row.",
    "stops_open": "{other} has an open row.",
    "awaits": "{player} can prepare a line.",
    "takes_board": "{player} can win a board.",
    "stops_boards": "{player} can win a board that {other} needs for three in a row.",
    "denies_board": "{other} is one mark short of a line on a board.",
    "denies_game": "{other} is one mark short of a board, and of the game.",
    "two_in_line": "{player} can threaten to win on a small board.",
    "gains_board": "After one move {player} can win a board whatever {other} answers.",
    "sends_in_vain": "{player} can send {other} to a board where {other} can win nothing.",
    "spares": "Many moves give {other} a board or a free choice.",
    # about the error
    "loses_at_once": "{move} loses at once.",
    "allows": "{move} lets {other} win at once.",
    "gives_above": "{move} lets {other} win on the cell above it.",
    "frees": "{move} gives {other} a free choice.",
    "gives_board": "{move} lets {other} win a board at once.",
}
"""A clue for each kind of deciding fact; it does not name the better move."""


def about_error(position: Position, move: int, best: int, judge: Judge) -> Iterator[Fact]:
    """Yield the facts that decide against a move, and how its value compares with the others."""
    harms, merits = _deciding(position, move, best, judge)
    yield from harms or merits[:MAX_MERITS]
    yield from by_values(position, move, judge)
    scores = judge.values(position).moves
    if scores[move].is_exact and not scores[best].is_exact:
        yield by_itself(position, best, judge)


def clues(
    position: Position, move: int, best: int, good: Collection[int], judge: Judge
) -> list[str]:
    """Return sentences that help to find a better move than an error, the vaguest first.

    The first tells what decides, the second where the best move lies; none names a better move.

    Args:
        position: before the error.
        move: the error.
        best: a better move.
        good: every move that is no error.
        judge: of the game.
    """
    found = [_clue(position, move, best, good, judge)]
    where = region(position, best)
    if any(region(position, each) != where for each in position.legal_moves()):
        found.append(f"Look at {where}.")
    return found


def _clue(position: Position, move: int, best: int, good: Collection[int], judge: Judge) -> str:
    harms, merits = _deciding(position, move, best, judge)
    for fact in (*merits, *harms):
        return CLUES[fact.kind].format(
            player=position.turn, other=position.turn.other, move=position.move_text(move)
        )
    if threat_of_other(position):
        return CLUES["blocks"].format(other=position.turn.other)
    return f"{len(good)} of {len(position.legal_moves())} moves will do."


def region(position: Position, move: int) -> str:
    """Return the part of the board in which a move lies, in words; "" for a board of 3×3 or less.

    >>> import noughts
    >>> region(noughts.game("connect4"), 6), region(noughts.game("ultimate"), 40)
    ('the columns 6 and 7', 'the centre board')
    >>> region(noughts.game("mnk:15,15,5"), 0), region(noughts.game("basic"), 4)
    ('the top left of the board', '')
    """
    if isinstance(position, NestedPosition):
        board, cell = divmod(move, 9)
        if position.forced is None:
            return f"the {board_name(board)}"
        return f"the {ROWS[cell // 3]} row of the {board_name(board)}"
    if not isinstance(position, RowPosition):
        return ""
    columns, rows = position.rules.columns, position.rules.rows
    if position.rules.gravity:
        near = range(move // 2 * 2, min(move // 2 * 2 + 2, columns))
        near = near if len(near) == 2 else range(move - 1, columns)
        return f"the columns {' and '.join(str(each + 1) for each in near)}"
    if columns * rows <= 9:
        return ""
    row, column = divmod(move, columns)
    return f"the {PLACES[3 * row // rows * 3 + 3 * column // columns]} of the board"


def _deciding(
    position: Position, move: int, best: int, judge: Judge
) -> tuple[list[Fact], list[Fact]]:
    """Return the facts by the rules against an error, and those for a better move.

    A kind of fact that both moves share decides nothing.
    """
    scores = judge.values(position).moves
    played, better = (
        [fact for fact in what_it_does(position, each, scores[each]) if fact.kind in CLUES]
        for each in (move, best)
    )
    shared = {fact.kind for fact in played} & {fact.kind for fact in better}
    harms = [f for f in played if f.player is not position.turn and f.kind not in shared]
    merits = [f for f in better if f.player is position.turn and f.kind not in shared]
    return harms, merits
