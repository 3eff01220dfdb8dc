"""Estimates of positions where a search cuts off: from the side to move, between -1 and 1.

    unknown   any game          every position is worth 0
    lines     row games         lines still open to either side: E(n) = M(n) - O(n)
    threats   row games         open lines, each worth three times more with every mark in it
    report    nine-board games  what the legal moves do, on average: the scheme of a course report
    safety    advanced          boards one step from a line, and moves that do not lead to one
    chances   ultimate          what coin tosses in all empty cells would make of the boards

No evaluation says 1 or -1: a win or a loss is for the search to prove. Where the next move wins
they say `WINS_NEXT`.
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
"""The estimate where the side to move wins at once, below any proven win."""


def squashed(balance: float, half: float) -> float:
    """Return `balance` brought between -1 and 1, in the same order; `half` becomes 1/2."""
    return balance / (half + abs(balance))


# Row games


def _row_marks(position: RowPosition) -> tuple[int, int]:
    """Return the marks of the side to move, and of the other side."""
    return (position.o, position.x) if position.ply & 1 else (position.x, position.o)


def open_lines(position: RowPosition) -> tuple[int, int]:
    """Return M and O: how many lines are still open to the side to move, and to the other side.

    >>> import noughts
    >>> open_lines(noughts.position("basic~3.1X1.O2~X"))
    (5, 4)
    """
    mine, theirs = _row_marks(position)
    every_line = position.rules.lines
    return (
        sum(1 for line in every_line if not line & theirs),
        sum(1 for line in every_line if not line & mine),
    )


def lines(position: RowPosition) -> float:
    """Return E(n) = M(n) - O(n) of `open_lines` over one more than the number of lines.

    In misère, where lines lose, the sign is turned. (Nilsson, Problem-Solving Methods in
    Artificial Intelligence, 1971, has E(n) for 3×3.)
    """
    mine, theirs = open_lines(position)
    sign = -1 if position.rules.misere else 1
    return sign * (mine - theirs) / (len(position.rules.lines) + 1)


def threats(position: RowPosition, *, growth: float = 3, half: float = 30) -> float:
    """Weigh each line that one side alone has marks in, and look for lines one mark short.

    A line with n marks counts growth^n, for whoever has the marks; in misère against him. Where
    a line can be completed at once the estimate is `WINS_NEXT`, and minus that where the other side
    can complete lines in two cells, of which one mark blocks only one.

    Args:
        position: of a row game that is not over.
        growth: how many times more a line is worth with one more mark in it.
        half: the balance of all lines that is estimated as 1/2.
    """
    rules = position.rules
    mine, theirs = _row_marks(position)
    one_short = rules.k - 1
    balance = [0] * rules.k
    my_cells = their_cells = 0
    for line in rules.lines:
        my_marks, their_marks = line & mine, line & theirs
        if my_marks and not their_marks:
            count = my_marks.bit_count()
            balance[count] += 1
            if count == one_short:
                my_cells |= line ^ my_marks
        elif their_marks and not my_marks:
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
    """A nine-board position as the side to move sees it."""

    mine: int
    theirs: int
    """Marks, 81 bits."""
    my_boards: int
    their_boards: int
    """Boards won, 9 bits."""
    reach: int
    """Boards where the next move can be, 9 bits."""
    free: bool
    """Whether the board of the next move is free to choose."""


def _sides(position: NestedPosition) -> Sides:
    _, x, o, won_x, won_o, closed, target, ply, _ = position
    free = target is None or bool(closed >> target & 1)
    reach = BOARD & ~closed if target is None or free else 1 << target
    if ply & 1:
        return Sides(o, x, won_o, won_x, reach, free)
    return Sides(x, o, won_x, won_o, reach, free)


def one_step(marks: int, occupied: int) -> int:
    """Return the boards where an empty cell would give `marks` a line (81 bits to 9)."""
    boards = 0
    for board in range(9):
        if COMPLETING[marks >> 9 * board & BOARD] & ~(occupied >> 9 * board):
            boards |= 1 << board
    return boards


class Coefficient(NamedTuple):
    """What a move of one group is worth in ultimate: base + mine·(my boards) + theirs·(his).

    The boards are those that a side has won or is one step from winning.
    """

    base: float
    mine: float = 0.05
    theirs: float = -0.05


class ReportWeights(NamedTuple):
    """The coefficients of `report`; the course report names the groups and gives no numbers.

    These defaults are ours; none of the others that we tried was clearly better in play.
    """

    dead: float = -0.8
    """Advanced: a move that sends the opponent to a board where he is one step from a line."""
    free: float = -0.4
    """Advanced: a move that sends him to a full board. Where that ends the game (`full=draw`)
    it counts as the draw that it is, 0."""
    other: float = 0.1
    """Advanced: any other move."""
    exposed: float = -0.1
    """Advanced with a full target: times the boards where the opponent is one step from a line."""
    ultimate_dead: Coefficient = Coefficient(-0.8, 0, 0)
    """Ultimate: a move that sends him to a board where he can make his final line in one step."""
    ultimate_free: Coefficient = Coefficient(-0.1)
    """Ultimate: a move that sends him to a closed board."""
    ultimate_finish: Coefficient = Coefficient(0.1)
    """Ultimate: a move that wins its board and is neither dead nor free."""
    ultimate_other: Coefficient = Coefficient(0)
    """Ultimate: any other move."""


REPORT_WEIGHTS = ReportWeights()


class Groups(NamedTuple):
    """How many legal moves there are of each group of the course report."""

    dead: int
    free: int
    finish: int
    other: int


def report(position: NestedPosition, weights: ReportWeights = REPORT_WEIGHTS) -> float:
    """Average what the legal moves do, as a student's report on the nine-board games has it.

    If a mark wins the game at once, the estimate is `WINS_NEXT`: the report's +1, held below a
    proven win. In advanced with a full target it is otherwise the worse the more boards the
    opponent is one step from a line on. In all other cases each legal move falls in one group, the
    first of dead, free, finish (in ultimate) and other that fits after it is played, and the
    estimate is the mean of their coefficients, at most `WINS_NEXT` either way.

    With `won=open` a board that is won can be neither finished nor used for a final line.
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

    `danger` are the open boards (9 bits) where the opponent would win with one mark. A move whose
    cell names its own board changes that board before the opponent gets there: it can block a
    line there, or close the board.
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
    """Return how many more lines of a board hold one mark of mine alone than one of theirs."""
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
    """Compare who of the two will sooner have no safe move left, in advanced.

    A board where one side is one step from a line is one that the other must not name: a cell is
    safe for him where it is empty and names no such board. The estimate is `WINS_NEXT` where a line
    can be completed at once, and minus that where every move sends the opponent to a board where
    he can do so, or leaves him the choice of one; else the balance of three counts decides.

    Args:
        position: of advanced, not over.
        threat: the worth of a board where a side is one step from a line.
        line: the worth of a line with one mark in it and no mark of the other.
        safe: the worth of a safe cell, on the boards where the other can send him.
        half: the balance that is estimated as 1/2.
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
"""The unit of `board_chances`: certainty."""
LINE_BOARDS = tuple(cells_of(line) for line in LINES)
"""The lines of a 3×3 board as triples of cells."""


@cache
def board_chances(mine: int, theirs: int) -> tuple[int, int]:
    """Return the chances that either side wins a board, in 1024ths, if coins decide it.

    Each empty cell falls to either side with probability 1/2; where both then have a line, each
    has won half. If a coin decided before each turn who moves, this would be the chance under
    best play of games in which only the filled board counts (Peres, Schramm, Sheffield and
    Wilson, Random-turn Hex and other selection games, 2007).

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
    """Count the lines of boards that each side can expect if coins decide all open boards.

    A line of boards is expected as often as the product of the `board_chances` of its three; a
    board won is certain, one that is lost or full without a line is impossible. Where the game
    can be won at once the estimate is `WINS_NEXT`.

    Args:
        position: of ultimate, not over.
        board: the worth of an expected board beside that of an expected line, which is 1.
        free: the worth of choosing the board of the next move.
        half: the balance that is estimated as 1/2.
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
    """Return the evaluations that fit the game of `position` by name, the best one first.

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
    """Return the evaluation that is used for this game where none is named: the best one."""
    return next(iter(evaluations_for(position).values()))
