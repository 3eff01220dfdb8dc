"""Row games: basic tic-tac-toe, any m,n,k-game with its misère form, and Connect Four.

A cell is a bit of two masks, one for each player, row-major from the top left:

     0  1  2  3  4  5  6
     7  8  9 10 11 12 13      x = marks of X, o = marks of O
     …                        a move is a cell, in Connect Four a column
    35 36 37 38 39 40 41
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import NamedTuple, Self
from weakref import WeakValueDictionary

from noughts.games import lines
from noughts.games.notation import (
    format_cells,
    parse_cells,
    parse_options,
    parse_side,
    split_fields,
)
from noughts.games.position import (
    IllegalMove,
    NotationError,
    Outcome,
    Player,
    Position,
    Termination,
)

LARGEST = 19
"""The most columns or rows of a board."""

_new = tuple.__new__


class _Memo(dict[int, tuple[int, ...]]):
    """Remembers the moves for each set of occupied cells, a bounded number of them."""

    def __init__(self, compute: Callable[[int], tuple[int, ...]], most: int) -> None:
        self.compute = compute
        self.most = most

    def __missing__(self, occupied: int) -> tuple[int, ...]:
        if len(self) >= self.most:
            self.clear()
        moves = self[occupied] = self.compute(occupied)
        return moves


class RowRules:
    """The rules of one row game, with their tables; `row_rules` keeps one for each set of rules."""

    def __init__(
        self, rules_id: str, columns: int, rows: int, k: int, misere: bool, gravity: bool
    ) -> None:
        self.id = rules_id
        self.columns = columns
        self.rows = rows
        self.k = k
        self.misere = misere
        self.gravity = gravity
        self.size = columns * rows
        self.lines = lines.lines(columns, rows, k)
        self.lines_through = tuple(
            tuple(line for line in self.lines if line >> cell & 1) for cell in range(self.size)
        )
        self.column_masks = {
            column: sum(1 << row * columns + column for row in range(rows))
            for column in range(columns)
        }
        self.bits = {cell: 1 << cell for cell in range(self.size)}
        # For 512 sets of marks a table answers faster than a look at the lines through a cell.
        small = self.size <= 9
        self.line_table = [self.has_line(marks) for marks in range(1 << self.size)] if small else []
        self.moves = _Memo(self._moves, most=32768 // self.size)
        self.x_line = Outcome(Player.O if misere else Player.X, Termination.LINE)
        self.o_line = Outcome(Player.X if misere else Player.O, Termination.LINE)

    def _moves(self, occupied: int) -> tuple[int, ...]:
        count = self.columns if self.gravity else self.size
        return tuple(move for move in range(count) if not occupied >> move & 1)

    def landing(self, column: int, occupied: int) -> int:
        """Return the cell where a mark lands: the lowest empty one of the column, else the top."""
        height = (occupied & self.column_masks[column]).bit_count()
        return max(self.rows - 1 - height, 0) * self.columns + column

    def line_through(self, cell: int, marks: int) -> bool:
        return any(marks & line == line for line in self.lines_through[cell])

    def has_line(self, marks: int) -> bool:
        return any(marks & line == line for line in self.lines)

    def __repr__(self) -> str:
        return f"RowRules({self.id!r})"

    def __reduce__(self) -> tuple[Callable[..., RowRules], tuple[object, ...]]:
        return row_rules, (self.id, self.columns, self.rows, self.k, self.misere, self.gravity)


_rules: WeakValueDictionary[str, RowRules] = WeakValueDictionary()


# There are thousands of rules, each with large tables: only the latest are kept for themselves.
@lru_cache(maxsize=64)
def row_rules(
    rules_id: str, columns: int, rows: int, k: int, misere: bool, gravity: bool
) -> RowRules:
    """Return the one `RowRules` of these rules."""
    rules = _rules.get(rules_id)
    if rules is None:
        rules = _rules[rules_id] = RowRules(rules_id, columns, rows, k, misere, gravity)
    return rules


DRAW = Outcome(None, Termination.FULL)


class _Fields(NamedTuple):
    rules: RowRules
    x: int
    o: int
    ply: int
    ended: Outcome | None


class RowPosition(_Fields, Position):
    """A position of any row game; the games below differ in their sizes and notation."""

    __slots__ = ()

    @property
    def turn(self) -> Player:
        return Player.O if self.ply & 1 else Player.X

    def outcome(self) -> Outcome | None:
        return self.ended

    def legal_moves(self) -> tuple[int, ...]:
        rules, x, o, _, ended = self
        return rules.moves[x | o] if ended is None else ()

    def play(self, move: int) -> Self:
        rules, x, o, ply, ended = self
        try:
            cell = rules.landing(move, x | o) if rules.gravity else move
            bit = rules.bits[cell]
        except (KeyError, TypeError):
            raise IllegalMove(move, self, "there is no such cell") from None
        if (x | o) & bit or ended is not None:
            raise IllegalMove(move, self, "the game is over" if ended else "the cell is taken")
        ply += 1
        if ply & 1:
            x = marks = x | bit
        else:
            o = marks = o | bit
        if rules.line_table[marks] if rules.line_table else rules.line_through(cell, marks):
            ended = rules.x_line if ply & 1 else rules.o_line
        elif ply == rules.size:
            ended = DRAW
        return _new(type(self), (rules, x, o, ply, ended))

    def key(self) -> Hashable:
        return self.x, self.o

    def symmetries(self) -> Iterable[Self]:
        rules = self.rules
        # Marks fall, so that Connect Four keeps only its mirror image.
        turns = lines.symmetries(rules.columns, rules.rows)[: 2 if rules.gravity else None]
        for turn in turns:
            x, o = lines.permuted(self.x, turn), lines.permuted(self.o, turn)
            yield _new(type(self), (rules, x, o, self.ply, self.ended))

    def mark(self, cell: int) -> Player | None:
        """Return whose mark stands on `cell` (row-major from the top left)."""
        return Player.X if self.x >> cell & 1 else Player.O if self.o >> cell & 1 else None

    def cell(self, move: int) -> int:
        """Return the cell that a legal move takes."""
        return self.rules.landing(move, self.x | self.o) if self.rules.gravity else move

    def winning_line(self) -> tuple[int, ...]:
        """Return the cells of all completed lines, in ascending order."""
        covered = 0
        for line in self.rules.lines:
            if line & self.x == line or line & self.o == line:
                covered |= line
        return lines.cells_of(covered)

    @property
    def rules_id(self) -> str:
        return self.rules.id

    def __str__(self) -> str:
        rules = self.rules
        cells = format_cells(self.x, self.o, rules.columns, rules.rows)
        return f"{rules.id}~{cells}~{self.turn}"

    __repr__ = Position.__repr__

    @classmethod
    def parse(cls, text: str) -> Self:
        rules_id, cells, side = split_fields(text, "RULES", "CELLS", "SIDE")
        start = cls.start(rules_id.partition(":")[2])
        rules = start.rules
        x, o = parse_cells(text, cells, rules.columns, rules.rows)
        turn = parse_side(text, side, x.bit_count(), o.bit_count())
        ply = (x | o).bit_count()
        fault = _impossible(rules, x, o, turn)
        if fault:
            raise NotationError(text, "CELLS", fault)
        if rules.has_line(x):
            ended: Outcome | None = rules.x_line
        elif rules.has_line(o):
            ended = rules.o_line
        else:
            ended = DRAW if ply == rules.size else None
        return _new(cls, (rules, x, o, ply, ended))


def _place(rules: RowRules, cell: int) -> str:
    return f"row {cell // rules.columns + 1}, column {cell % rules.columns + 1}"


def _impossible(rules: RowRules, x: int, o: int, turn: Player) -> str | None:
    """Return why play cannot reach these marks, whose numbers are right, or `None`."""
    occupied = x | o
    if rules.gravity:
        below = occupied >> rules.columns
        bottom_row = rules.size - rules.columns
        for cell in lines.cells_of(occupied):
            if cell < bottom_row and not below >> cell & 1:
                return f"{_place(rules, cell)}: a mark with an empty cell below it"
    if rules.has_line(x) and rules.has_line(o):
        return "both X and O have a line"
    last, mover = (x, Player.X) if turn is Player.O else (o, Player.O)
    first, other = (o, Player.O) if turn is Player.O else (x, Player.X)
    if rules.has_line(first):
        return f"{other} has a line, and {mover} has moved after it"
    if rules.has_line(last):
        final = [
            cell
            for cell in lines.cells_of(last)
            if not rules.has_line(last & ~(1 << cell))
            and not (rules.gravity and occupied << rules.columns >> cell & 1)
        ]
        if not final:
            return f"{mover} has lines that no single last mark makes, so marks followed a line"
    else:
        final = []
    if rules.gravity and not _stackable(rules, x, o, final):
        return "no order of alternating turns stacks the marks like this"
    return None


def _stackable(rules: RowRules, x: int, o: int, final: list[int]) -> bool:
    """Whether taking marks off the tops of columns in turn, the last mover's first, empties all.

    `final` are the cells of which one was taken last, if that is known. A search that grows
    beyond 100,000 sets of marks is given up and answers yes.
    """
    occupied = x | o
    waiting = [occupied & ~(1 << cell) for cell in final] or [occupied]
    seen = set(waiting)
    while waiting:
        left = waiting.pop()
        if not left or len(seen) > 100_000:
            return True
        movers = x if left.bit_count() & 1 else o
        for column in rules.column_masks.values():
            top = left & column & -(left & column)
            if top & movers and left ^ top not in seen:
                seen.add(left ^ top)
                waiting.append(left ^ top)
    return False


def _sized(name: str, columns: int, rows: int, k: int, widest: int) -> None:
    """Refuse sizes that the game does not come in."""
    sizes = f"{name}:{columns},{rows},{k}"
    if columns > widest or rows > LARGEST:
        raise NotationError(
            sizes, "RULES", f"{columns} columns and {rows} rows; at most {widest} and {LARGEST}"
        )
    if k > max(columns, rows):
        raise NotationError(
            sizes, "RULES", f"a line of {k} does not fit on {columns} columns and {rows} rows"
        )


class Basic(RowPosition):
    """Tic-tac-toe on 3×3, its cells numbered 1 to 9."""

    __slots__ = ()
    name = "basic"
    about = "Three in a row on a 3×3 board wins; a full board is a draw."
    digit_runs = True

    @classmethod
    def start(cls, options: str = "") -> Self:
        parse_options(cls.name, options)
        return _new(cls, (row_rules("basic", 3, 3, 3, False, False), 0, 0, 0, None))

    def move_text(self, move: int) -> str:
        return str(move + 1)

    def parse_entry(self, text: str) -> int:
        text = text.strip()
        pair = re.fullmatch(r"(-?[0-9]+)(?:\s*,\s*|\s+)(-?[0-9]+)", text)
        if not pair:
            return self.parse_move(text)
        row, column = (index if index in ("0", "1", "2") else "" for index in pair.groups())
        if not row or not column:
            reason = f"there is no cell {text!r}: row and column are counted from 0 to 2"
            raise IllegalMove(text, self, reason)
        return self.parse_move(str(int(row) * 3 + int(column) + 1))

    def refusal(self, text: str) -> str:
        if not text:
            return "an empty line is no move: a move is a cell from 1 to 9"
        if re.fullmatch("[1-9]", text):
            return f"cell {text} is taken by {self.mark(int(text) - 1)}"
        if re.fullmatch("-?[0-9]+", text):
            return f"there is no cell {text}: the cells are 1 to 9"
        return f"{text!r} is not a move: a move is a cell from 1 to 9"


class MNK(RowPosition):
    """A board of M columns and N rows on which K in a row win, or in misère lose."""

    __slots__ = ()
    name = "mnk"
    about = (
        "K in a row on a board of M columns and N rows wins (with misere: loses); "
        "a full board is a draw."
    )
    options = "M,N,K[,misere]"

    @classmethod
    def start(cls, options: str = "") -> Self:
        sizes, chosen = parse_options(cls.name, options, ("M", "N", "K"), {"misere": ()})
        if len(sizes) != 3:
            given = f"mnk:{options}" if options else "mnk"
            raise NotationError(given, "RULES", "mnk needs its sizes, such as mnk:5,5,4")
        columns, rows, k = sizes
        _sized(cls.name, columns, rows, k, LARGEST)
        misere = "misere" in chosen
        rules_id = f"mnk:{columns},{rows},{k}" + (",misere" if misere else "")
        return _new(cls, (row_rules(rules_id, columns, rows, k, misere, False), 0, 0, 0, None))

    def move_text(self, move: int) -> str:
        row, column = divmod(move, self.rules.columns)
        return f"{chr(ord('a') + column)}{row + 1}"

    def parse_entry(self, text: str) -> int:
        return self.parse_move(text.strip().lower())

    def refusal(self, text: str) -> str:
        rules = self.rules
        last = self.move_text(rules.size - 1)
        if not text:
            return f"an empty line is no move: a move is a cell from a1 to {last}"
        if not re.fullmatch("[a-z]-?[0-9]+", text):
            return f"{text!r} is not a move: a move is a cell from a1 to {last}"
        taken = [cell for cell in range(rules.size) if self.move_text(cell) == text]
        if taken:
            return f"cell {text} is taken by {self.mark(taken[0])}"
        return f"there is no cell {text}: the cells are a1 to {last}"


class ConnectFour(RowPosition):
    """Marks fall to the lowest empty cell of a column; four in a row win."""

    __slots__ = ()
    name = "connect4"
    about = (
        "A mark falls to the lowest empty cell of its column; K in a row (four, if not said "
        "otherwise) wins; a full board is a draw."
    )
    options = "[W,H[,K]]"
    digit_runs = True

    @classmethod
    def start(cls, options: str = "") -> Self:
        sizes, _ = parse_options(cls.name, options, ("W", "H", "K"))
        if len(sizes) == 1:
            raise NotationError(
                f"connect4:{options}", "RULES", "a width without a height; wanted is W,H or W,H,K"
            )
        columns, rows, k = (sizes + [7, 6, 4][len(sizes) :])[:3]
        _sized(cls.name, columns, rows, k, 9)
        shown = f"{columns},{rows}" + (f",{k}" if k != 4 else "")
        rules_id = "connect4" if shown == "7,6" else f"connect4:{shown}"
        return _new(cls, (row_rules(rules_id, columns, rows, k, False, True), 0, 0, 0, None))

    def move_text(self, move: int) -> str:
        return str(move + 1)

    def score_of_win(self, plies: int) -> int:
        """Return what a win of either side in `plies` is worth, in stones; a loss is its negative.

        (W·H + 1 - stones on the board before the winning move) div 2 (blog.gamesolver.org).
        """
        return (self.rules.size + 1 - (self.ply + plies - 1)) // 2

    def refusal(self, text: str) -> str:
        columns = self.rules.columns
        if not text:
            return f"an empty line is no move: a move is a column from 1 to {columns}"
        if re.fullmatch("[1-9]", text) and int(text) <= columns:
            return f"column {text} is full"
        if re.fullmatch("-?[0-9]+", text):
            return f"there is no column {text}: the columns are 1 to {columns}"
        return f"{text!r} is not a move: a move is a column from 1 to {columns}"
