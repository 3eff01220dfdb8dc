"""The nine-board games: nine boards (advanced tic-tac-toe) and ultimate tic-tac-toe.

Nine 3×3 boards form a 3×3 square. Cell c of board b is move 9·b + c, and that bit of two masks:

     0  1  2 │  9 10 11 │ 18 19 20
     3  4  5 │ 12 13 14 │ 21 22 23      x, o         marks, 81 bits
     6  7  8 │ 15 16 17 │ 24 25 26      won_x, won_o boards won, 9 bits
    ─────────┼──────────┼─────────      closed       boards without legal moves, 9 bits
    27 28 29 │ 36 37 38 │ 45 46 47      target       board chosen by the last move, or None
     …       │  …       │  …

The cell of a move is the number of the board for the next move.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from functools import cache
from typing import Any, NamedTuple, Self

from noughts.games import lines
from noughts.games.catalogue import GameOption, OptionValue, make_rules_id
from noughts.games.drawing import Drawing, Look, Piece, plain, spaced
from noughts.games.lines import BOARD, EMPTY_CELLS, HAS_LINE, LINES
from noughts.games.notation import (
    format_cells,
    parse_cells,
    parse_options,
    parse_side,
    split_fields,
)
from noughts.games.phrases import Phrase, phrase, said
from noughts.games.position import (
    IllegalMove,
    NotationError,
    Outcome,
    Player,
    Position,
    Termination,
)

_new = tuple.__new__


class NestedRules(NamedTuple):
    """The rules of one nine-board game."""

    id: str
    one_line: bool
    """Whether the first line on any board wins; else three won boards in line."""
    free_choice: bool
    """Whether a closed target allows any open board; else it ends the game as a draw."""
    won_closed: bool
    """Whether a won board is closed before it is full."""
    count_boards: bool
    """Whether more won boards win a game that ends without a line."""


X_LINE, O_LINE = Outcome(Player.X, Termination.LINE), Outcome(Player.O, Termination.LINE)
FULL, TARGET = Outcome(None, Termination.FULL), Outcome(None, Termination.TARGET)


class _NestedFields(NamedTuple):
    rules: NestedRules
    x: int
    o: int
    won_x: int
    won_o: int
    closed: int
    target: int | None
    ply: int
    ended: Outcome | None


class NestedPosition(_NestedFields, Position):
    """A position of a nine-board game."""

    __slots__ = ()
    default_opponent = "engine:level=4"

    @property
    def turn(self) -> Player:
        return Player.O if self.ply & 1 else Player.X

    @property
    def forced(self) -> int | None:
        """The board (0 to 8) of the next move, or `None` if any open board is allowed."""
        target = self.target
        return None if target is None or self.closed >> target & 1 else target

    @property
    def max_plies(self) -> int:
        return 81 - self.ply

    def outcome(self) -> Outcome | None:
        return self.ended

    def open_boards(self) -> list[int]:
        """Return the boards, from 0 to 8, with legal moves."""
        return sorted({move // 9 for move in self.legal_moves()})

    def legal_moves(self) -> list[int]:
        if self.ended is not None:
            return []
        occupied, target, closed = self.x | self.o, self.target, self.closed
        if target is None or closed >> target & 1:
            boards: Iterable[int] = EMPTY_CELLS[closed]
        else:
            boards = (target,)
        return [
            9 * board + cell
            for board in boards
            for cell in EMPTY_CELLS[occupied >> 9 * board & BOARD]
        ]

    def play(self, move: int | str) -> Self:
        rules, x, o, won_x, won_o, closed, target, ply, ended = self
        place: Any = move
        try:
            board, cell = divmod(place, 9)
        except TypeError:
            return self.play(self.legal_move(move))
        if (
            ended is not None
            or not 0 <= board < 9
            or closed >> board & 1
            or (board != target and target is not None and not closed >> target & 1)
            or (x | o) >> place & 1
        ):
            raise IllegalMove(move, self, "this cell is taken or not on the board to play on")
        ply += 1
        if ply & 1:
            x |= 1 << place
            marks = x >> 9 * board & BOARD
        else:
            o |= 1 << place
            marks = o >> 9 * board & BOARD
        if HAS_LINE[marks] and not (won_x | won_o) >> board & 1:
            if ply & 1:
                won_x |= 1 << board
            else:
                won_o |= 1 << board
            if rules.won_closed:
                closed |= 1 << board
        if (x | o) >> 9 * board & BOARD == BOARD:
            closed |= 1 << board
        ended = _outcome(rules, won_x, won_o, closed, cell)
        return _new(type(self), (rules, x, o, won_x, won_o, closed, cell, ply, ended))

    def key(self) -> Hashable:
        return self.x, self.o, -1 if self.target is None else self.target, self.won_x

    def symmetries(self) -> Iterable[Self]:
        rules, x, o, won_x, won_o, closed, target, ply, ended = self
        for turn in lines.symmetries(3, 3):
            moves = tuple(9 * board + cell for board in turn for cell in turn)
            yield _new(
                type(self),
                (
                    rules,
                    lines.permuted(x, moves),
                    lines.permuted(o, moves),
                    lines.permuted(won_x, turn),
                    lines.permuted(won_o, turn),
                    lines.permuted(closed, turn),
                    None if target is None else turn[target],
                    ply,
                    ended,
                ),
            )

    def mark(self, cell: int) -> Player | None:
        """Return the player whose mark is on cell `9 * board + cell`, or `None`."""
        return Player.X if self.x >> cell & 1 else Player.O if self.o >> cell & 1 else None

    def planes(self) -> list[list[list[int]]]:
        """Return three lists of nine rows, as the boards lie on paper.

        They have the marks of the side to move, those of the other, and the legal moves.

        >>> import noughts
        >>> mine, theirs, legal = noughts.game("ultimate").play("19").planes()
        >>> theirs[2], sum(map(sum, mine)), [sum(row) for row in legal]
        ([0, 0, 1, 0, 0, 0, 0, 0, 0], 0, [0, 0, 0, 0, 0, 0, 3, 3, 3])
        """
        mine, theirs = (self.x, self.o) if self.turn is Player.X else (self.o, self.x)
        legal = sum(1 << move for move in self.legal_moves())

        def at(cells: int, row: int, column: int) -> int:
            place = 9 * (row // 3 * 3 + column // 3) + row % 3 * 3 + column % 3
            return cells >> place & 1

        return [
            [[at(cells, row, column) for column in range(9)] for row in range(9)]
            for cells in (mine, theirs, legal)
        ]

    def cell(self, move: int) -> int:
        """Return the cell that a move occupies: the move itself."""
        return move

    def owner(self, board: int) -> Player | None:
        """Return the player who has won `board`, or `None`."""
        return (
            Player.X if self.won_x >> board & 1 else Player.O if self.won_o >> board & 1 else None
        )

    def winning_line(self) -> tuple[int, ...]:
        """Return the cells of the winning line on one board; none in other games."""
        if not self.rules.one_line:
            return ()
        return tuple(
            9 * board + cell
            for board in lines.cells_of(self.won_x | self.won_o)
            for line in LINES
            if line in (self.x >> 9 * board & line, self.o >> 9 * board & line)
            for cell in lines.cells_of(line)
        )

    def winning_boards(self) -> tuple[int, ...]:
        """Return the three won boards in line that won the game, or none."""
        covered = 0
        for line in () if self.rules.one_line else LINES:
            if line in (self.won_x & line, self.won_o & line):
                covered |= line
        return lines.cells_of(covered)

    def move_text(self, move: int) -> str:
        return f"{move // 9 + 1}{move % 9 + 1}"

    def parse_entry(self, text: str) -> int:
        text = re.sub(r"^([0-9])\s+([0-9])$", r"\1\2", text.strip())
        if self.forced is not None and re.fullmatch("[0-9]", text):
            text = f"{self.forced + 1}{text}"
        return super().parse_entry(text)

    def refusal(self, text: str) -> str:
        return str(self.refused(text))

    def refused(self, text: str) -> Phrase:
        """Return why `text` is not a legal move of this unfinished game."""
        if not text:
            return phrase("which-board")
        if re.fullmatch("[0-9]", text) and self.forced is None:
            return phrase("which-board-of", text=text)
        if not re.fullmatch("-?[0-9]+", text):
            return phrase("no-nested-move", text=text)
        if not re.fullmatch("[1-9][1-9]", text):
            return phrase("no-board", text=text)
        board, cell = int(text[0]) - 1, int(text[1]) - 1
        if self.forced is not None and board != self.forced:
            return phrase("other-board", forced=self.forced + 1, last=self.turn.other)
        if self.closed >> board & 1:
            open_boards = [each + 1 for each in self.open_boards()]
            owner = self.owner(board) if self.rules.won_closed else None
            if owner:
                return phrase("won-board", owner=owner, board=board + 1, open=open_boards)
            return phrase("full-board", board=board + 1, open=open_boards)
        free = [each + 1 for each in EMPTY_CELLS[(self.x | self.o) >> 9 * board & BOARD]]
        return phrase("taken-there", cell=cell + 1, board=board + 1, free=free)

    def drawing(self, last: int | None = None, look: Look | None = None) -> Drawing:
        """Return the nine boards in pieces, with the owners of boards beside them.

        Args:
            last: the cell that the last move took.
            look: the characters and letters to draw with.
        """
        look = look or Look()
        glyphs = self._glyphs(look)
        drawing: Drawing = []
        for band in range(0, 9, 3):
            boards = [self._board(board, glyphs, last, look) for board in range(band, band + 3)]
            drawing += [
                [*a, Piece(" "), *b, Piece(" "), *c] for a, b, c in zip(*boards, strict=True)
            ]
        owners = [self._owner_glyph(board, look) for board in range(9)]
        drawing[0].append(Piece("   boards", faded=True))
        for row in range(3):
            boards_of_row = spaced(range(3 * row, 3 * row + 3), owners, None, self.winning_boards())
            drawing[row + 1] += [Piece("   "), *boards_of_row]
        return drawing

    def _owner_glyph(self, board: int, look: Look) -> Piece:
        owner = self.owner(board)
        if owner is not None:
            return look.mark(owner)
        return Piece("=", faded=True) if self.closed >> board & 1 else look.dot()

    def _glyphs(self, look: Look) -> list[Piece]:
        """Return the character of each cell: the legal moves have their cell's number."""
        legal, won = set(self.legal_moves()), self.winning_line()
        glyphs = []
        for cell in range(81):
            player = self.mark(cell)
            if player is not None:
                faded = self.owner(cell // 9) is not None and cell not in won
                glyphs.append(look.mark(player, faded))
            else:
                glyphs.append(Piece(str(cell % 9 + 1), faded=True) if cell in legal else look.dot())
        return glyphs

    def _board(self, board: int, glyphs: list[Piece], last: int | None, look: Look) -> Drawing:
        """Draw one board with its frame, which is heavy where the next move may be."""
        owner, won = self.owner(board), self.winning_line()
        is_open = any(move // 9 == board for move in self.legal_moves())
        heavy = is_open or board in self.winning_boards()
        left_top, across, right_top, down, left_bottom, right_bottom = (
            look.lines.heavy if heavy else look.lines.light
        )
        player = self.turn if is_open else owner
        shown = look.shown(player) if player else None

        def frame(text: str) -> Piece:
            return Piece(text, shown, faded=shown is None)

        title = f"{board + 1}" if owner is None else f"{board + 1}{across} {look.shown(owner)} "
        rows = [range(9 * board + 3 * row, 9 * board + 3 * row + 3) for row in range(3)]
        return [
            [frame(f"{left_top}{across}{title.ljust(6, across)}{right_top}")],
            *([frame(down), *spaced(cells, glyphs, last, won), frame(down)] for cells in rows),
            [frame(f"{left_bottom}{across * 7}{right_bottom}")],
        ]

    def diagram(self) -> str:
        return plain(self.drawing())

    @property
    def rules_id(self) -> str:
        return self.rules.id

    def __str__(self) -> str:
        cells = format_cells(self.x, self.o, 9, 9)
        target = "-" if self.target is None else str(self.target + 1)
        text = f"{self.rules.id}~{cells}~{self.turn}~{target}"
        if not self.rules.won_closed:
            text += "~" + "".join(
                str(self.owner(board) or ("D" if self.closed >> board & 1 else "-"))
                for board in range(9)
            )
        return text

    __repr__ = Position.__repr__

    @classmethod
    def parse(cls, text: str) -> Self:
        rules_id, cells, side, named, *owners = split_fields(
            text, "RULES", "CELLS", "SIDE", "TARGET", "OWNERS", optional=1
        )

        def refuse(field: str, code: str, **arguments: object) -> NotationError:
            return NotationError(text, field, said(code, **arguments))

        rules = cls.start(rules_id.partition(":")[2]).rules
        x, o = parse_cells(text, cells, 9, 9, rows_are="board")
        ply = (x | o).bit_count()
        turn = parse_side(text, side, x.bit_count(), o.bit_count())
        if not re.fullmatch("[1-9-]", named):
            raise refuse("TARGET", "target", target=named)
        if named != "-" and not ply:
            raise refuse("TARGET", "early-target")
        if named == "-" and ply:
            raise refuse("TARGET", "no-target")
        target = None if named == "-" else int(named) - 1
        if rules.won_closed and owners:
            raise refuse("OWNERS", "extra-owners", rules=rules.id)
        if not rules.won_closed and not owners:
            raise refuse("OWNERS", "no-owners", rules=rules.id)
        won_x, won_o = _owners(text, rules, x, o, turn, owners[0] if owners else None)
        closed = sum(
            1 << board
            for board in range(9)
            if (x | o) >> 9 * board & BOARD == BOARD
            or (rules.won_closed and (won_x | won_o) >> board & 1)
        )
        ended = None
        if target is not None:
            _check_last_move(text, rules, x, o, won_x, won_o, turn, target)
            ended = _outcome(rules, won_x, won_o, closed, target)
        return _new(cls, (rules, x, o, won_x, won_o, closed, target, ply, ended))


def _outcome(
    rules: NestedRules, won_x: int, won_o: int, closed: int, target: int
) -> Outcome | None:
    """Return the outcome after a move with this target, or `None`; a win has priority."""
    if rules.one_line:
        if won_x or won_o:
            return X_LINE if won_x else O_LINE
    elif HAS_LINE[won_x] or HAS_LINE[won_o]:
        return X_LINE if HAS_LINE[won_x] else O_LINE
    if closed == BOARD:
        if not rules.count_boards:
            return FULL
        more = won_x.bit_count() - won_o.bit_count()
        winner = Player.X if more > 0 else Player.O if more < 0 else None
        return Outcome(winner, Termination.BOARDS)
    if closed >> target & 1 and not rules.free_choice:
        return TARGET
    return None


def _final_cells(marks: int) -> list[int]:
    """Return the marks of a 3×3 board that belong to all its lines."""
    return [cell for cell in lines.cells_of(marks) if not HAS_LINE[marks & ~(1 << cell)]]


def _owners(
    text: str, rules: NestedRules, x: int, o: int, turn: Player, field: str | None
) -> tuple[int, int]:
    """Return the boards won by X and by O, from the marks and the OWNERS field."""

    def refuse(at: str, code: str, **arguments: object) -> NotationError:
        return NotationError(text, at, said(code, **arguments))

    won = {Player.X: 0, Player.O: 0}
    if field is not None and not re.fullmatch("[XOD-]{9}", field):
        raise refuse("OWNERS", "owners", owners=field)
    for board in range(9):
        marks = {Player.X: x >> 9 * board & BOARD, Player.O: o >> 9 * board & BOARD}
        have = [player for player in Player if HAS_LINE[marks[player]]]
        if field is not None:
            owner = field[board]
            full = marks[Player.X] | marks[Player.O] == BOARD
            if not have and owner != ("D" if full else "-"):
                code = "owner-full" if full else "owner-open"
                raise refuse("OWNERS", code, board=board + 1, said=owner)
            if have and owner not in [player.value for player in have]:
                raise refuse("OWNERS", "owner", board=board + 1, owners=have, said=owner)
            have = [player for player in have if player.value == owner]
        elif len(have) == 2:
            raise refuse("CELLS", "board-lines", board=board + 1)
        for player in have:
            # A won board is closed, so its last mark completed all its lines.
            if rules.won_closed and not _final_cells(marks[player]):
                raise refuse("CELLS", "board-late", board=board + 1, player=player)
            won[player] |= 1 << board
    for player, boards in won.items() if rules.one_line else ():
        if boards.bit_count() > 1:
            raise refuse("CELLS", "many-lines", player=player, count=boards.bit_count())
    winning = [
        player for player, boards in won.items() if (boards if rules.one_line else HAS_LINE[boards])
    ]
    if len(winning) == 2:
        raise refuse("CELLS", "two-wins")
    if winning == [turn]:
        raise refuse("CELLS", "late-win", player=turn, mover=turn.other)
    return won[Player.X], won[Player.O]


def _check_last_move(
    text: str,
    rules: NestedRules,
    x: int,
    o: int,
    won_x: int,
    won_o: int,
    turn: Player,
    target: int,
) -> None:
    """Raise an error for a target that no last move of an unfinished game can have."""

    mover = turn.other

    def refuse(code: str) -> NotationError:
        return NotationError(text, "TARGET", said(code, target=target + 1, mover=mover))

    marks, won = (x, won_x) if mover is Player.X else (o, won_o)
    boards = [board for board in range(9) if marks >> 9 * board + target & 1]
    if not boards:
        raise refuse("unmarked-target")
    if rules.won_closed:
        # The last mark on a won board is the one that won it.
        theirs = won_x | won_o
        boards = [
            board
            for board in boards
            if not theirs >> board & 1
            or (won >> board & 1 and target in _final_cells(marks >> 9 * board & BOARD))
        ]
        if not boards:
            raise refuse("closed-target")
    if won if rules.one_line else HAS_LINE[won]:
        decisive = [
            board
            for board in boards
            if won >> board & 1
            and target in _final_cells(marks >> 9 * board & BOARD)
            and not (won & ~(1 << board) if rules.one_line else HAS_LINE[won & ~(1 << board)])
        ]
        if not decisive:
            raise refuse("idle-target")


@cache
def _nested_rules(*rules: object) -> NestedRules:
    return NestedRules(*rules)  # type: ignore[arg-type]


class Advanced(NestedPosition):
    """Nine boards: the first line on any board wins."""

    __slots__ = ()
    name = "advanced"
    title = "Nine boards"
    also_called = ("advanced tic-tac-toe", "nine-board tic-tac-toe")
    about = (
        "Where you play decides which board your opponent must play on next; "
        "3 in a row on any board wins."
    )
    usage = "[full=draw]"
    sample = "advanced 18 82 22 27 73 35 55 54 41 13 38 88 89"
    options = (
        GameOption(
            "Sent to a full board",
            (
                OptionValue(
                    "full=free",
                    "Play anywhere",
                    "If you are sent to a full board, choose any other.",
                ),
                OptionValue(
                    "full=draw",
                    "Draw",
                    "A move that names a full board draws, unless it wins.",
                    ", draw by a full board",
                ),
            ),
        ),
    )
    titled = title

    @classmethod
    def start(cls, options: str = "") -> Self:
        _, chosen = parse_options(cls, options)
        id_ = make_rules_id(cls.name, sorted(chosen))
        rules = _nested_rules(id_, True, "full=draw" not in chosen, True, False)
        return _new(cls, (rules, 0, 0, 0, 0, 0, None, 0, None))


class Ultimate(NestedPosition):
    """Ultimate tic-tac-toe: three won boards in line win."""

    __slots__ = ()
    name = "ultimate"
    title = "Ultimate"
    also_called = ("ultimate tic-tac-toe", "uttt")
    about = (
        "Where you play decides which board your opponent must play on next; win 3 boards in a row."
    )
    usage = "[tie=boards][,won=open]"
    sample = (
        "ultimate 49 99 91 13 31 18 85 56 61 14 43 38 86 68 81 17 78 88 87 71 12 24 41 19 94 44 45 "
        "58 83 39"
    )
    options = (
        GameOption(
            "Nobody wins 3 boards in a row",
            (
                OptionValue("tie=draw", "Draw", "Without 3 boards in a row, the game is a draw."),
                OptionValue(
                    "tie=boards",
                    "Most boards",
                    "Without 3 boards in a row, more won boards win; equal numbers are a draw.",
                    ", most boards win",
                ),
            ),
        ),
        GameOption(
            "A won board",
            (
                OptionValue(
                    "won=closed",
                    "Closed",
                    "A won board is closed; if you are sent there, choose any open board.",
                ),
                OptionValue(
                    "won=open",
                    "Open",
                    "A won board stays open until it is full; if you are sent there, play there.",
                    ", won boards stay open",
                ),
            ),
        ),
    )
    titled = title

    @classmethod
    def start(cls, options: str = "") -> Self:
        _, chosen = parse_options(cls, options)
        id_ = make_rules_id(cls.name, sorted(chosen))
        closed, count = "won=open" not in chosen, "tie=boards" in chosen
        rules = _nested_rules(id_, False, True, closed, count)
        return _new(cls, (rules, 0, 0, 0, 0, 0, None, 0, None))
