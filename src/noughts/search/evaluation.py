"""Estimates of positions at the cutoff depth: for the side to move, between -1 and 1.

    unknown   any game          0 for every position
    lines     row games         lines still open to either side: E(n) = M(n) - O(n)
    threats   row games         open lines, worth three times more for each mark in them
    report    nine-board games  the mean quality of the legal moves, after a course report
    safety    advanced          boards one step from a line, and moves that do not lead to one
    chances   ultimate          the expected result of filling all empty cells at random

No evaluation returns 1 or -1: only a search proves a win or a loss. Where the next move wins, the
estimate is `WINS_NEXT`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from noughts.games.lines import BOARD, COMPLETING, HAS_LINE, LINES, cells_of
from noughts.games.nested import NestedPosition
from noughts.games.position import Position
from noughts.games.row import RowPosition
from noughts.search.result import Evaluation
from noughts.search.walk import unknown

WINS_NEXT = 0.9
"""The estimate of a position whose side to move can win at once; below any proven win."""


def squashed(balance: float, half: float) -> float:
    """Map `balance` to the range -1 to 1, in the same order; `half` becomes 1/2."""
    return balance / (half + abs(balance))


# Row games


def _row_marks(position: RowPosition) -> tuple[int, int]:
    """Return the marks of the side to move, and of the other side."""
    return (position.o, position.x) if position.ply & 1 else (position.x, position.o)


def open_lines(position: RowPosition) -> tuple[int, int]:
    """Return M and O: the number of lines still open to the side to move, and to the other side.

    >>> import noughts
    >>> open_lines(noughts.position("basic~3.1X1.O2~X"))
    (5, 4)
    """
    mine, theirs = _row_marks(position)
    open_to = position.rules.open_lines
    return sum(1 for _ in open_to(mine, theirs)), sum(1 for _ in open_to(theirs, mine))


def lines(position: RowPosition) -> float:
    """Return E(n) = M(n) - O(n) of `open_lines` over one more than the number of lines.

    In misère, where lines lose, the sign is reversed. (Nilsson, Problem-Solving Methods in
    Artificial Intelligence, 1971, has E(n) for 3×3.)
    """
    mine, theirs = open_lines(position)
    sign = -1 if position.rules.misere else 1
    return sign * (mine - theirs) / (len(position.rules.lines) + 1)


def threats(position: RowPosition, *, growth: float = 3, half: float = 30) -> float:
    """Weigh each line that one side alone has marks in, and look for lines one mark short.

    A line with n marks counts growth^n for their owner; in misère against the owner. If a line can
    be completed at once, the estimate is `WINS_NEXT`. If the other side can complete lines in two
    cells, the estimate is `-WINS_NEXT`, since one mark blocks only one of the cells.

    Args:
        position: of a row game that is not over.
        growth: the factor for each mark in a line.
        half: the balance of all lines whose estimate is 1/2.
    """
    rules = position.rules
    mine, theirs = _row_marks(position)
    one_short = rules.k - 1
    balance = [0] * rules.k
    my_cells = their_cells = 0
    for line, ends in zip(rules.lines, rules.ends, strict=True):
        my_marks, their_marks = line & mine, line & theirs
        if my_marks and not their_marks and not ends & mine:
            count = my_marks.bit_count()
            balance[count] += 1
            if count == one_short:
                my_cells |= line ^ my_marks
        elif their_marks and not my_marks and not ends & theirs:
            count = their_marks.bit_count()
            balance[count] -= 1
            if count == one_short:
                their_cells |= line ^ their_marks
    total = sum(lines * growth**count for count, lines in enumerate(balance))
    if rules.misere:
        return squashed(-total, half)
    if my_cells or their_cells:
        cells = _playable(position)
        if my_cells & cells:
            return WINS_NEXT
        their_cells &= cells
        if their_cells & (their_cells - 1):
            return -WINS_NEXT
    return squashed(total, half)


def _playable(position: RowPosition) -> int:
    """Return the cells where a mark can be placed now."""
    rules, occupied = position.rules, position.x | position.o
    if not rules.gravity:
        return ~occupied
    bottom_row = (1 << rules.size) - (1 << rules.size - rules.columns)
    return ~occupied & (occupied >> rules.columns | bottom_row)


# Nine-board games


class Sides(NamedTuple):
    """A nine-board position from the view of the side to move."""

    mine: int
    theirs: int
    """Marks, 81 bits."""
    my_boards: int
    their_boards: int
    """Boards won, 9 bits."""
    reach: int
    """Boards that allow the next move, 9 bits."""
    free: bool
    """Whether the side to move may choose the board."""


def _sides(position: NestedPosition) -> Sides:
    _, x, o, won_x, won_o, closed, target, ply, _ = position
    free = target is None or bool(closed >> target & 1)
    reach = BOARD & ~closed if target is None or free else 1 << target
    if ply & 1:
        return Sides(o, x, won_o, won_x, reach, free)
    return Sides(x, o, won_x, won_o, reach, free)


def one_step(marks: int, occupied: int) -> int:
    """Return the boards on which one more mark would complete a line of `marks` (81 bits to 9)."""
    boards = 0
    for board in range(9):
        if COMPLETING[marks >> 9 * board & BOARD] & ~(occupied >> 9 * board):
            boards |= 1 << board
    return boards


class Coefficient(NamedTuple):
    """The value of a move of one group in ultimate: base + mine·M + theirs·T.

    M and T count the boards that the mover and the opponent have won or can win in one move.
    """

    base: float
    mine: float = 0.05
    theirs: float = -0.05


class ReportWeights(NamedTuple):
    """The coefficients of `report`; the course report names the groups and gives no numbers.

    The defaults are ours; no other values that we tried were clearly better in play.
    """

    dead: float = -0.8
    """Advanced: a move that sends the opponent to a board with a line to complete."""
    free: float = -0.4
    """Advanced: a move that sends the opponent to a full board. With `full=draw` it is a draw and
    counts 0."""
    other: float = 0.1
    """Advanced: any other move."""
    exposed: float = -0.1
    """Advanced with a full target: for each board where the opponent can complete a line."""
    ultimate_dead: Coefficient = Coefficient(-0.8, 0, 0)
    """Ultimate: a move that sends the opponent to a board where one mark wins the game."""
    ultimate_free: Coefficient = Coefficient(-0.1)
    """Ultimate: a move that sends the opponent to a closed board."""
    ultimate_finish: Coefficient = Coefficient(0.1)
    """Ultimate: a move that wins its board and is neither dead nor free."""
    ultimate_other: Coefficient = Coefficient(0)
    """Ultimate: any other move."""


REPORT_WEIGHTS = ReportWeights()


class Groups(NamedTuple):
    """The number of legal moves in each group of the course report."""

    dead: int
    free: int
    finish: int
    other: int


def report(position: NestedPosition, weights: ReportWeights = REPORT_WEIGHTS) -> float:
    """Return the mean quality of the legal moves, after a student's report on nine-board games.

    If a mark wins the game at once, the estimate is `WINS_NEXT`: the report's +1, kept below a
    proven win. In advanced with a full target, it falls with each board where the opponent can
    complete a line. In all other cases each legal move belongs to the first group of dead, free,
    finish (in ultimate) and other that fits after the move, and the estimate is the mean of their
    coefficients, between `-WINS_NEXT` and `WINS_NEXT`.

    With `won=open` a won board can be neither finished nor used for a final line.
    """
    sides, rules = _sides(position), position.rules
    occupied = sides.mine | sides.theirs
    undecided = BOARD & ~(position.closed | sides.my_boards | sides.their_boards)
    near = one_step(sides.mine, occupied) & undecided
    danger = exposed = one_step(sides.theirs, occupied) & undecided
    if rules.one_line:
        if sides.reach & near:
            return WINS_NEXT
        if sides.free:
            return _within_sure(weights.exposed * exposed.bit_count())
        coefficients = [
            weights.dead,
            weights.free if rules.free_choice else 0,
            weights.other,  # no move makes a line: that was the case above
            weights.other,
        ]
    else:
        if sides.reach & near & COMPLETING[sides.my_boards]:
            return WINS_NEXT
        danger &= COMPLETING[sides.their_boards]
        mine = (near | sides.my_boards).bit_count()
        theirs = (exposed | sides.their_boards).bit_count()
        coefficients = [
            group.base + group.mine * mine + group.theirs * theirs
            for group in (
                weights.ultimate_dead,
                weights.ultimate_free,
                weights.ultimate_finish,
                weights.ultimate_other,
            )
        ]
    groups = move_groups(position, danger)
    total = sum(count * worth for count, worth in zip(groups, coefficients, strict=True))
    return _within_sure(total / sum(groups))


def _within_sure(estimate: float) -> float:
    return max(-WINS_NEXT, min(WINS_NEXT, estimate))


def move_groups(position: NestedPosition, danger: int) -> Groups:
    """Count the legal moves by group.

    `danger` holds the open boards (9 bits) where the opponent would win with one mark. A move that
    names its own board changes that board before the opponent plays there: it can block a line or
    close the board.
    """
    sides, closed = _sides(position), position.closed
    won = sides.my_boards | sides.their_boards
    dead = free = finish = other = 0
    for board in cells_of(sides.reach):
        here = 1 << board
        mine, theirs = sides.mine >> 9 * board & BOARD, sides.theirs >> 9 * board & BOARD
        empty = BOARD & ~(mine | theirs)
        finishing = 0 if won & here else COMPLETING[mine] & empty
        danger_after, closed_after = danger, closed
        if empty & here:
            if empty == here or (position.rules.won_closed and finishing & here):
                closed_after |= here
            if closed_after & here or not COMPLETING[theirs] & empty & ~here:
                danger_after &= ~here
        dead_cells = empty & danger_after
        free_cells = empty & closed_after
        finish_cells = finishing & ~dead_cells & ~free_cells
        dead += dead_cells.bit_count()
        free += free_cells.bit_count()
        finish += finish_cells.bit_count()
        other += (empty & ~(dead_cells | free_cells | finish_cells)).bit_count()
    return Groups(dead, free, finish, other)


@cache
def _open_line_balance(mine: int, theirs: int) -> int:
    """Return the lines of a board with one of my marks alone, minus those with one of theirs."""
    return sum(
        (not line & theirs and (line & mine).bit_count() == 1)
        - (not line & mine and (line & theirs).bit_count() == 1)
        for line in LINES
    )


def safety(
    position: NestedPosition,
    *,
    threat: float = 12,
    line: float = 1,
    safe: float = 1,
    half: float = 40,
) -> float:
    """Estimate which side runs out of safe moves first, in advanced.

    If a side can complete a line on a board, the opponent must not name that board: a cell is safe
    if it is empty and names no such board. The estimate is `WINS_NEXT` if the side to move can
    complete a line, `-WINS_NEXT` if every move lets the opponent complete one, and otherwise the
    balance of three counts.

    Args:
        position: of advanced, not over.
        threat: the weight of a board where a side can complete a line.
        line: the weight of a line with one mark, and none of the opponent.
        safe: the weight of a safe cell, on the boards that the opponent can safely name.
        half: the balance whose estimate is 1/2.
    """
    sides = _sides(position)
    occupied = sides.mine | sides.theirs
    my_threats, their_threats = one_step(sides.mine, occupied), one_step(sides.theirs, occupied)
    if sides.reach & my_threats:
        return WINS_NEXT
    groups = move_groups(position, their_threats)
    lost = groups.dead + (groups.free if their_threats and position.rules.free_choice else 0)
    if lost == sum(groups):
        return -WINS_NEXT
    open_line_balance = safe_balance = 0
    for board in range(9):
        mine, theirs = sides.mine >> 9 * board & BOARD, sides.theirs >> 9 * board & BOARD
        empty = BOARD & ~(mine | theirs)
        open_line_balance += _open_line_balance(mine, theirs)
        if not my_threats >> board & 1:
            safe_balance += (empty & ~their_threats).bit_count()
        if not their_threats >> board & 1:
            safe_balance -= (empty & ~my_threats).bit_count()
    return squashed(
        threat * (my_threats.bit_count() - their_threats.bit_count())
        + line * open_line_balance
        + safe * safe_balance,
        half,
    )


WHOLE = 1024
"""The unit of `board_chances`: a certain win."""
LINE_BOARDS = tuple(cells_of(line) for line in LINES)
"""The lines of a 3×3 board as triples of cells."""


@cache
def board_chances(mine: int, theirs: int) -> tuple[int, int]:
    """Return the chances of both sides to win a board if coins fill it, in 1024ths.

    Each empty cell goes to either side with probability 1/2; if both then have a line, each wins
    half. In a game where a coin decides who moves next and only the filled board counts, this is
    the chance of winning with best play (Peres, Schramm, Sheffield and Wilson, Random-turn Hex and
    other selection games, 2007).

    >>> board_chances(0b000_000_011, 0b000_011_000)
    (416, 512)
    """
    empty = BOARD & ~(mine | theirs)
    if not empty:
        worth = WHOLE // 2 if HAS_LINE[mine] and HAS_LINE[theirs] else WHOLE
        return worth * HAS_LINE[mine], worth * HAS_LINE[theirs]
    cell = empty & -empty
    heads, tails = board_chances(mine | cell, theirs), board_chances(mine, theirs | cell)
    return (heads[0] + tails[0]) // 2, (heads[1] + tails[1]) // 2


def chances(
    position: NestedPosition, *, board: float = 0.05, free: float = 0.2, half: float = 0.3
) -> float:
    """Return the balance of the lines of boards that both sides can expect if coins fill the cells.

    The chance of a line is the product of the `board_chances` of its three boards; a won board
    counts 1, a lost or drawn board 0. If the game can be won at once, the estimate is `WINS_NEXT`.

    Args:
        position: of ultimate, not over.
        board: the weight of an expected board; an expected line has 1.
        free: the weight of a free choice of the board.
        half: the balance whose estimate is 1/2.
    """
    sides = _sides(position)
    won = sides.my_boards | sides.their_boards
    final = COMPLETING[sides.my_boards] & sides.reach & ~won
    if final and final & one_step(sides.mine, sides.mine | sides.theirs):
        return WINS_NEXT
    my_chances, their_chances = [0] * 9, [0] * 9
    for b in range(9):
        if sides.my_boards >> b & 1:
            my_chances[b] = WHOLE
        elif sides.their_boards >> b & 1:
            their_chances[b] = WHOLE
        else:
            my_chances[b], their_chances[b] = board_chances(
                sides.mine >> 9 * b & BOARD, sides.theirs >> 9 * b & BOARD
            )
    line_balance = sum(
        my_chances[a] * my_chances[b] * my_chances[c]
        - their_chances[a] * their_chances[b] * their_chances[c]
        for a, b, c in LINE_BOARDS
    )
    board_balance = sum(my_chances) - sum(their_chances)
    return squashed(
        line_balance / WHOLE**3 + board * board_balance / WHOLE + free * sides.free, half
    )


# The evaluations by name

EVALUATIONS: dict[str, Evaluation] = {
    evaluation.__name__: evaluation
    for evaluation in (unknown, lines, threats, report, safety, chances)
}


def evaluations_for(position: Position) -> dict[str, Evaluation]:
    """Return the evaluations for the game of `position` by name, the best first.

    >>> import noughts
    >>> list(evaluations_for(noughts.game("ultimate")))
    ['chances', 'report', 'unknown']
    """
    if isinstance(position, RowPosition):
        fitting: tuple[Evaluation, ...] = (threats, lines)
    elif isinstance(position, NestedPosition):
        fitting = (safety if position.rules.one_line else chances, report)
    else:
        fitting = ()
    return {evaluation.__name__: evaluation for evaluation in (*fitting, unknown)}


def default_evaluation(position: Position) -> Evaluation:
    """Return the best evaluation for the game of `position`."""
    return next(iter(evaluations_for(position).values()))
