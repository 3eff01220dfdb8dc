"""Row games: tic-tac-toe, m,n,k-games with their misère and exact forms, and Connect Four.

A cell is one bit of two masks, one mask for each player, row-major from the top left:

     0  1  2  3  4  5  6
     7  8  9 10 11 12 13      x = marks of X, o = marks of O
     …                        a move is a cell, in Connect Four a column
    35 36 37 38 39 40 41
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, Self
from weakref import WeakValueDictionary

from noughts.games import lines
from noughts.games.catalogue import GameOption, OptionValue, Preset, Size
from noughts.games.drawing import Drawing, Look, Piece, grid, plain, spaced
from noughts.games.notation import (
    format_cells,
    parse_cells,
    parse_options,
    parse_side,
    split_fields,
)
from noughts.games.phrases import Phrase, phrase, said
from noughts.games.position import (
    LISTED,
    IllegalMove,
    NotationError,
    Outcome,
    Player,
    Position,
    Termination,
    one_at_a_time,
)
from noughts.games.stacking import Columns, can_stack

LARGEST = 20
"""Most columns or rows of a board."""
WIDEST_GRID = 9
"""A board with more columns or rows is drawn without a grid."""

_new = tuple.__new__


class _Memo(dict[int, tuple[int, ...]]):
    """A bounded cache: the legal moves for each set of occupied cells."""

    def __init__(self, compute: Callable[[int], tuple[int, ...]], most: int) -> None:
        self.compute = compute
        self.most = most

    def __missing__(self, occupied: int) -> tuple[int, ...]:
        if len(self) >= self.most:
            self.clear()
        moves = self[occupied] = self.compute(occupied)
        return moves


class RowRules:
    """The rules of one row game with their lookup tables; `row_rules` returns shared ones."""

    def __init__(
        self,
        rules_id: str,
        columns: int,
        rows: int,
        k: int,
        *,
        misere: bool = False,
        exact: bool = False,
        gravity: bool = False,
    ) -> None:
        self.id = rules_id
        self.columns = columns
        self.rows = rows
        self.k = k
        self.misere = misere
        self.exact = exact
        self.gravity = gravity
        self.size = columns * rows
        self.lines = lines.lines(columns, rows, k)
        self.ends = lines.line_ends(columns, rows, k) if exact else (0,) * len(self.lines)
        # Marks complete a line if they have all its cells and none of its ends.
        self._spans = [
            (line, line | ends) for line, ends in zip(self.lines, self.ends, strict=True)
        ]
        through: list[list[tuple[int, int]]] = [[] for _ in range(self.size)]
        for line, span in self._spans:
            for cell in lines.cells_of(line):
                through[cell].append((line, span))
        self.lines_through = tuple(map(tuple, through))
        self.column_masks = {
            column: sum(1 << row * columns + column for row in range(rows))
            for column in range(columns)
        }
        self.bits = {cell: 1 << cell for cell in range(self.size)}
        # On 3×3, a table of all 512 sets of marks is faster than testing lines.
        small = self.size <= 9
        self.line_table = [self.has_line(marks) for marks in range(1 << self.size)] if small else []
        self.moves = _Memo(self._moves, most=32768 // self.size)
        self.x_line = Outcome(Player.O if misere else Player.X, Termination.LINE)
        self.o_line = Outcome(Player.X if misere else Player.O, Termination.LINE)

    def _moves(self, occupied: int) -> tuple[int, ...]:
        count = self.columns if self.gravity else self.size
        return tuple(move for move in range(count) if not occupied >> move & 1)

    def landing(self, column: int, occupied: int) -> int:
        """Return the lowest empty cell of a column; the top cell if the column is full."""
        height = (occupied & self.column_masks[column]).bit_count()
        return max(self.rows - 1 - height, 0) * self.columns + column

    def line_through(self, cell: int, marks: int) -> bool:
        return any(marks & span == line for line, span in self.lines_through[cell])

    def has_line(self, marks: int) -> bool:
        return any(marks & span == line for line, span in self._spans)

    def lines_of(self, marks: int) -> list[int]:
        """Return the lines that the marks of one player complete, as masks."""
        return [line for line, span in self._spans if marks & span == line]

    def open_lines(self, mine: int, theirs: int) -> Iterator[int]:
        """Yield the lines that a player with the marks `mine` has or can still complete."""
        for line, ends in zip(self.lines, self.ends, strict=True):
            if not (line & theirs or ends & mine):
                yield line

    def completing(self, mine: int, theirs: int) -> int:
        """Return the empty cells that complete a line of the marks `mine`, as a mask."""
        cells = 0
        for line in self.open_lines(mine, theirs):
            missing = line & ~mine
            if missing and not missing & (missing - 1):
                cells |= missing
        return cells

    def __repr__(self) -> str:
        return f"RowRules({self.id!r})"

    def __reduce__(self) -> tuple[Callable[..., RowRules], tuple[object, ...]]:
        sizes = self.columns, self.rows, self.k
        return row_rules, (self.id, *sizes, self.misere, self.exact, self.gravity)


_rules: WeakValueDictionary[str, RowRules] = WeakValueDictionary()


# The tables are large, and there are thousands of rules: only the latest 64 are held.
@lru_cache(maxsize=64)
def row_rules(
    rules_id: str,
    columns: int,
    rows: int,
    k: int,
    misere: bool = False,
    exact: bool = False,
    gravity: bool = False,
) -> RowRules:
    """Return the shared `RowRules` with these settings."""
    rules = _rules.get(rules_id)
    if rules is None:
        rules = _rules[rules_id] = RowRules(
            rules_id, columns, rows, k, misere=misere, exact=exact, gravity=gravity
        )
    return rules


DRAW = Outcome(None, Termination.FULL)


class _RowFields(NamedTuple):
    rules: RowRules
    x: int
    o: int
    ply: int
    ended: Outcome | None


class RowPosition(_RowFields, Position):
    """A position of any row game."""

    __slots__ = ()
    default_opponent = "engine:level=4"

    @property
    def turn(self) -> Player:
        return Player.O if self.ply & 1 else Player.X

    @property
    def max_plies(self) -> int:
        return self.rules.size - self.ply

    def outcome(self) -> Outcome | None:
        return self.ended

    def legal_moves(self) -> tuple[int, ...]:
        rules, x, o, _, ended = self
        return rules.moves[x | o] if ended is None else ()

    def play(self, move: int | str) -> Self:
        rules, x, o, ply, ended = self
        cell: Any = move
        try:
            if rules.gravity:
                cell = rules.landing(cell, x | o)
            bit = rules.bits[cell]
        except (KeyError, TypeError):
            if isinstance(move, str):
                return self.play(self.parse_move(move))
            raise IllegalMove(move, self, "there is no such cell") from None
        if (x | o) & bit or ended is not None:
            raise IllegalMove(move, self, said("over") if ended else "the cell is taken")
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
        turns = lines.symmetries(rules.columns, rules.rows, gravity=rules.gravity)
        for turn in turns:
            x, o = lines.permuted(self.x, turn), lines.permuted(self.o, turn)
            yield _new(type(self), (rules, x, o, self.ply, self.ended))

    def mark(self, cell: int) -> Player | None:
        """Return the player whose mark is on `cell`, or `None`."""
        return Player.X if self.x >> cell & 1 else Player.O if self.o >> cell & 1 else None

    def planes(self) -> list[list[list[int]]]:
        """Return the marks of the side to move, and those of the other: a list of rows for each.

        >>> import noughts
        >>> noughts.game("basic").after("1 5 2").planes()
        [[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 1, 0], [0, 0, 0], [0, 0, 0]]]
        """
        rules = self.rules
        sides = (self.x, self.o) if self.turn is Player.X else (self.o, self.x)
        rows = range(0, rules.size, rules.columns)
        return [
            [[marks >> cell & 1 for cell in range(row, row + rules.columns)] for row in rows]
            for marks in sides
        ]

    def cell(self, move: int) -> int:
        """Return the cell that a legal move occupies."""
        return self.rules.landing(move, self.x | self.o) if self.rules.gravity else move

    def winning_line(self) -> tuple[int, ...]:
        """Return the cells of all full lines, in ascending order."""
        covered = 0
        for marks in (self.x, self.o):
            for line in self.rules.lines_of(marks):
                covered |= line
        return lines.cells_of(covered)

    def refusal(self, text: str) -> str:
        return str(self.refused(text))

    def refused(self, text: str) -> Phrase:
        """Return why `text` is not a legal move of this unfinished game."""
        rules, falls = self.rules, self.rules.gravity
        moves = [*map(self.move_text, range(rules.columns if falls else rules.size))]
        if text in moves:
            free = [self.move_text(move) for move in self.legal_moves()]
            if falls:
                return phrase("full", cell=text, free=free)
            few = len(free) <= LISTED
            return phrase("taken-few", cell=text, free=free) if few else phrase("taken", cell=text)
        ends = {"first": moves[0], "last": moves[-1]}
        if not text:
            return phrase("which-column" if falls else "which-cell", **ends)
        if re.fullmatch("[a-z]?-?[0-9]+", text):
            return phrase("no-column" if falls else "no-cell", text=text, **ends)
        return phrase("no-drop" if falls else "no-move", text=text, **ends)

    def drawing(self, last: int | None = None, look: Look | None = None) -> Drawing:
        """Return the board in pieces: in a grid, or without one if it is large.

        Args:
            last: the cell that the last move took.
            look: the characters and letters to draw with.
        """
        look = look or Look()
        columns, rows, gravity = self.rules.columns, self.rules.rows, self.rules.gravity
        marks, won = [self.mark(cell) for cell in range(self.rules.size)], self.winning_line()
        if max(columns, rows) <= WIDEST_GRID:
            width = 3 if self.move_text(0).isdigit() else 5
            labels = {self.cell(move): self.move_text(move) for move in self.legal_moves()}
            board = grid(marks, columns, width, labels, last, won, look)
            numbers = " ".join(str(column + 1).center(width) for column in range(columns))
            return [*board, [Piece(numbers, faded=True)]] if gravity else board
        glyphs = [look.mark(player) if player else look.dot() for player in marks]
        board = []
        for row in range(rows):
            cells = range(row * columns, (row + 1) * columns)
            name = "" if gravity else str(row + 1)
            board.append([Piece(f"{name:>2} ", faded=True), *spaced(cells, glyphs, last, won)])
        names = [str(c + 1) if gravity else chr(ord("a") + c) for c in range(columns)]
        header = [Piece(f"    {' '.join(names)}", faded=True)]
        return [*board, header] if gravity else [header, *board]

    def diagram(self) -> str:
        return plain(self.drawing())

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


def _impossible(rules: RowRules, x: int, o: int, turn: Player) -> str | None:
    """Return why play cannot reach these marks, or `None`; their numbers are valid."""
    occupied = x | o
    if rules.gravity:
        below = occupied >> rules.columns
        bottom_row = rules.size - rules.columns
        for cell in lines.cells_of(occupied):
            if cell < bottom_row and not below >> cell & 1:
                row, column = divmod(cell, rules.columns)
                return said("hanging", row=row + 1, column=column + 1)
    if rules.has_line(x) and rules.has_line(o):
        return said("two-lines")
    last, mover = (x, Player.X) if turn is Player.O else (o, Player.O)
    first, other = (o, Player.O) if turn is Player.O else (x, Player.X)
    if rules.has_line(first):
        return said("late-line", player=other, mover=mover)
    before = [occupied]
    if rules.has_line(last):
        final = last
        for line in rules.lines_of(last):
            final &= line
        if rules.gravity:
            final &= ~(occupied << rules.columns)
        before = [occupied & ~(1 << cell) for cell in lines.cells_of(final)]
        if rules.exact:
            before = [each for each in before if not rules.has_line(each & last)]
        if not before:
            return said("last-move", mover=mover)
    if rules.gravity and not can_stack(tuple(_columns(rules, x, each) for each in before)):
        return said("stack")
    if rules.exact:
        for player, ways in ((mover, [each & last for each in before]), (other, [first])):
            if not _can_build(rules, ways):
                return said("built", player=player, k=rules.k)
    return None


MAX_BUILT = 2_000
"""Sets of marks after which the search for an order that builds long lines gives up."""


def _can_build(rules: RowRules, ways: Iterable[int]) -> bool:
    """Whether some order of marks leads to one of the sets `ways` without an exact line on the way.

    Marks grow beyond K in a row only if a mark joins two shorter rows, so the search takes marks
    off long lines until none is left. Where it gives up, the answer is yes.
    """
    waiting, seen = [*ways], set(ways)
    while waiting:
        marks = waiting.pop()
        long = 0
        for line in rules.lines:
            if marks & line == line:
                long |= line
        if not long or len(seen) > MAX_BUILT:
            return True
        for cell in lines.cells_of(long):
            fewer = marks & ~(1 << cell)
            if fewer not in seen and not rules.has_line(fewer):
                seen.add(fewer)
                waiting.append(fewer)
    return False


def _columns(rules: RowRules, x: int, occupied: int) -> Columns:
    """Return the marks of each column from the top."""
    return tuple(
        "".join("X" if x >> cell & 1 else "O" for cell in lines.cells_of(occupied & column))
        for column in rules.column_masks.values()
    )


def _sized(name: str, columns: int, rows: int, k: int, widest: int) -> None:
    """Raise an error for sizes that are too large or leave no room for a line."""
    sizes = f"{name}:{columns},{rows},{k}"
    if columns > widest or rows > LARGEST:
        limit = {"widest": widest, "highest": LARGEST}
        reason = said("large-board", columns=columns, rows=rows, **limit)
        raise NotationError(sizes, "RULES", reason)
    if k > max(columns, rows):
        reason = said("long-line", k=k, columns=columns, rows=rows)
        raise NotationError(sizes, "RULES", reason)


class Basic(RowPosition):
    """Tic-tac-toe; the cells are numbered 1 to 9."""

    __slots__ = ()
    name = "basic"
    title = "Tic-tac-toe"
    also_called = ("noughts and crosses", "ttt")
    about = "Get 3 in a row on a 3×3 board."
    sample = "basic 5 1 3 7 9"
    digit_runs = True

    @classmethod
    def start(cls, options: str = "") -> Self:
        parse_options(cls, options)
        return _new(cls, (row_rules("basic", 3, 3, 3), 0, 0, 0, None))

    def move_text(self, move: int) -> str:
        return str(move + 1)

    def parse_entry(self, text: str) -> int:
        text = text.strip()
        pair = re.fullmatch(r"(-?[0-9]+)(?:\s*,\s*|\s+)(-?[0-9]+)", text)
        if not pair:
            return super().parse_entry(text)
        if not all(index in ("0", "1", "2") for index in pair.groups()):
            raise one_at_a_time(self, pair.groups())
        return self.parse_move(str(int(pair[1]) * 3 + int(pair[2]) + 1))


class MNK(RowPosition):
    """An m,n,k-game: K in a row on M columns and N rows win, or lose in misère.

    With `exact` a line longer than K does not count.
    """

    __slots__ = ()
    name = "mnk"
    title = "Gomoku"
    about = "Get 5 in a row on a 15×15 board, or choose your own board."
    usage = "M,N,K[,exact][,misere]"
    sample = "mnk:9,9,5 e5 f4 d4 f6 f5 d5 e3 c5 e4 e6 f3 g2"
    sizes = (
        Size("Columns", "M", 1, LARGEST, 15),
        Size("Rows", "N", 1, LARGEST, 15),
        Size("In a row", "K", 1, LARGEST, 5, ("Columns", "Rows")),
    )
    options = (
        GameOption(
            "A longer line",
            (
                OptionValue("", "Counts", "A longer line counts, too."),
                OptionValue("exact", "Does not count", "A longer line does not count.", ", exact"),
            ),
        ),
        GameOption(
            "A full line",
            (
                OptionValue("", "Wins", "Whoever completes a line wins."),
                OptionValue(
                    "misere",
                    "Loses",
                    "Misère: whoever completes a line loses.",
                    ", misère",
                    "Avoid {K} in a row on a {M}×{N} board: whoever completes a line loses.",
                ),
            ),
        ),
    )
    titled = "{M}×{N}, {K} in a row"
    ruled = "Get {K} in a row on a {M}×{N} board."
    presets = (
        Preset("Gomoku 15×15", "mnk:15,15,5"),
        Preset("Gomoku 19×19", "mnk:19,19,5"),
        Preset("5×5, four in a row", "mnk:5,5,4"),
        Preset("4×4", "mnk:4,4,4"),
        Preset("3×3", "mnk:3,3,3"),
        Preset("Misère 3×3", "mnk:3,3,3,misere", ("misère",)),
    )

    @classmethod
    def start(cls, options: str = "") -> Self:
        sizes, chosen = parse_options(cls, options)
        if len(sizes) != 3:
            given = f"mnk:{options}" if options else "mnk"
            raise NotationError(given, "RULES", said("no-sizes"))
        columns, rows, k = sizes
        _sized(cls.name, columns, rows, k, LARGEST)
        rules_id = ",".join([f"mnk:{columns},{rows},{k}", *sorted(chosen)])
        rules = row_rules(rules_id, columns, rows, k, "misere" in chosen, "exact" in chosen)
        return _new(cls, (rules, 0, 0, 0, None))

    def move_text(self, move: int) -> str:
        row, column = divmod(move, self.rules.columns)
        return f"{chr(ord('a') + column)}{row + 1}"

    def parse_entry(self, text: str) -> int:
        return super().parse_entry(text.lower())


class ConnectFour(RowPosition):
    """Connect Four: marks fall to the lowest empty cell of their column."""

    __slots__ = ()
    name = "connect4"
    title = "Connect Four"
    also_called = ("c4",)
    about = "Drop your discs into columns and get 4 in a row."
    usage = "[W,H[,K]]"
    sample = "connect4 4 4 5 3"
    sizes = (
        Size("Columns", "W", 1, 9, 7),
        Size("Rows", "H", 1, LARGEST, 6),
        Size("In a row", "K", 1, LARGEST, 4, ("Columns", "Rows")),
    )
    titled = "Connect Four {W}×{H}, {K} in a row"
    ruled = "Drop your discs into columns and get {K} in a row."
    presets = (
        Preset("Connect Four 7×6", "connect4"),
        Preset("Connect Four 5×4", "connect4:5,4"),
        Preset("Connect Four 8×7", "connect4:8,7"),
        Preset("Connect Four 9×6, five in a row", "connect4:9,6,5"),
    )
    digit_runs = True

    @classmethod
    def start(cls, options: str = "") -> Self:
        sizes, _ = parse_options(cls, options)
        if len(sizes) == 1:
            raise NotationError(f"connect4:{options}", "RULES", said("no-height"))
        columns, rows, k = sizes + [size.default for size in cls.sizes[len(sizes) :]]
        _sized(cls.name, columns, rows, k, 9)
        shown = f"{columns},{rows}" + (f",{k}" if k != 4 else "")
        rules_id = "connect4" if shown == "7,6" else f"connect4:{shown}"
        return _new(cls, (row_rules(rules_id, columns, rows, k, gravity=True), 0, 0, 0, None))

    def move_text(self, move: int) -> str:
        return str(move + 1)

    def score_of_win(self, plies: int) -> int:
        """Return the score in stones of a win in `plies`, for either side; a loss is its negative.

        (W·H + 1 - stones on the board before the winning move) div 2 (blog.gamesolver.org).
        """
        return (self.rules.size + 1 - (self.ply + plies - 1)) // 2
