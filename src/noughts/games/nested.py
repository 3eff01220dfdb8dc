"""The nine-board games: advanced tic-tac-toe and ultimate tic-tac-toe, one family with options.

Nine 3×3 boards stand in a 3×3 square. Board b, cell c is move and bit 9·b + c of two masks:

     0  1  2 │  9 10 11 │ 18 19 20
     3  4  5 │ 12 13 14 │ 21 22 23      x, o         marks, 81 bits
     6  7  8 │ 15 16 17 │ 24 25 26      won_x, won_o boards won, 9 bits
    ─────────┼──────────┼─────────      closed       boards that take no more marks, 9 bits
    27 28 29 │ 36 37 38 │ 45 46 47      target       the board that the last move named, or None
     …       │  …       │  …

The cell of a move names the board where the next one is played.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from functools import cache
from typing import NamedTuple, Self

from noughts.games import lines
from noughts.games.lines import BOARD, EMPTY_CELLS, HAS_LINE, LINES
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

_new = tuple.__new__


class NestedRules(NamedTuple):
    """The rules of one nine-board game, each a choice that the game's options make."""

    id: str
    one_line: bool
    """The first line on any board wins, rather than three won boards in line."""
    free_choice: bool
    """A closed target means any open board, rather than that the game is drawn."""
    won_closed: bool
    """A won board is closed, not only a full one."""
    count_boards: bool
    """A game that ends without a line goes to the player with more won boards."""


X_LINE, O_LINE = Outcome(Player.X, Termination.LINE), Outcome(Player.O, Termination.LINE)
FULL, TARGET = Outcome(None, Termination.FULL), Outcome(None, Termination.TARGET)


class _Fields(NamedTuple):
    rules: NestedRules
    x: int
    o: int
    won_x: int
    won_o: int
    closed: int
    target: int | None
    ply: int
    ended: Outcome | None


class NestedPosition(_Fields, Position):
    """A position of either nine-board game."""

    __slots__ = ()

    @property
    def turn(self) -> Player:
        return Player.O if self.ply & 1 else Player.X

    @property
    def forced(self) -> int | None:
        """The one board (0 to 8) where the next move must be, or `None` where it may choose."""
        target = self.target
        return None if target is None or self.closed >> target & 1 else target

    def outcome(self) -> Outcome | None:
        return self.ended

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

    def play(self, move: int) -> Self:
        rules, x, o, won_x, won_o, closed, target, ply, ended = self
        board, cell = divmod(move, 9)
        if (
            ended is not None
            or not 0 <= board < 9
            or closed >> board & 1
            or (board != target and target is not None and not closed >> target & 1)
            or (x | o) >> move & 1
        ):
            raise IllegalMove(
                move, self, "the board is closed or not the named one, or it is taken"
            )
        ply += 1
        if ply & 1:
            x |= 1 << move
            marks = x >> 9 * board & BOARD
        else:
            o |= 1 << move
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
        """Return whose mark stands on cell `9 * board + cell`."""
        return Player.X if self.x >> cell & 1 else Player.O if self.o >> cell & 1 else None

    def cell(self, move: int) -> int:
        """Return the cell that a legal move takes: the move itself."""
        return move

    def owner(self, board: int) -> Player | None:
        """Return who has won `board`."""
        return (
            Player.X if self.won_x >> board & 1 else Player.O if self.won_o >> board & 1 else None
        )

    def winning_line(self) -> tuple[int, ...]:
        """Return the cells of the line that won a game on one board, else none."""
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
        """Return the boards of the line of won boards that won the game, else none."""
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
        return self.parse_move(text)

    def refusal(self, text: str) -> str:
        if not text:
            return "an empty line is no move: a move is a board and a cell, such as 51"
        if re.fullmatch("[0-9]", text) and self.forced is None:
            return f"which board? {text} is one digit, and any open board may be chosen"
        if not re.fullmatch("-?[0-9]+", text):
            return f"{text!r} is not a move: a move is a board and a cell, such as 51"
        if not re.fullmatch("[1-9][1-9]", text):
            return f"there is no cell {text}: boards and cells are counted from 1 to 9"
        board, cell = int(text[0]) - 1, int(text[1]) - 1
        if self.forced is not None and board != self.forced:
            return f"the move must be on board {self.forced + 1}, which the last move named"
        if self.closed >> board & 1:
            owner = self.owner(board) if self.rules.won_closed else None
            return f"board {board + 1} is closed: it is {f'won by {owner}' if owner else 'full'}"
        return f"cell {cell + 1} of board {board + 1} is taken by {self.mark(9 * board + cell)}"

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
        rules = cls.start(rules_id.partition(":")[2]).rules
        x, o = parse_cells(text, cells, 9, 9, row_word="board")
        ply = (x | o).bit_count()
        turn = parse_side(text, side, x.bit_count(), o.bit_count())
        if not re.fullmatch("[1-9-]", named):
            raise NotationError(text, "TARGET", f"{named!r} is not a board from 1 to 9 or -")
        if (named == "-") != (ply == 0):
            reason = (
                "before the first move no board is named, so -"
                if not ply
                else ("a move has been made, so a board from 1 to 9 is named")
            )
            raise NotationError(text, "TARGET", reason)
        target = None if named == "-" else int(named) - 1
        if rules.won_closed and owners:
            raise NotationError(text, "OWNERS", f"{rules.id} does without it: the marks tell")
        if not rules.won_closed and not owners:
            raise NotationError(text, "OWNERS", f"missing; {rules.id} needs who won each board")
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
    """Return how the game stands after a move that named `target`; a win comes first."""
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
    """Return the cells of a 3×3 board without which its marks hold no line."""
    return [cell for cell in lines.cells_of(marks) if not HAS_LINE[marks & ~(1 << cell)]]


def _owners(
    text: str, rules: NestedRules, x: int, o: int, turn: Player, field: str | None
) -> tuple[int, int]:
    """Return the boards that X and O have won, from the marks and the OWNERS field."""
    won = {Player.X: 0, Player.O: 0}
    if field is not None and not re.fullmatch("[XOD-]{9}", field):
        raise NotationError(text, "OWNERS", f"{field!r} is not nine of X, O, D and -")
    for board in range(9):
        marks = {Player.X: x >> 9 * board & BOARD, Player.O: o >> 9 * board & BOARD}
        have = [player for player in Player if HAS_LINE[marks[player]]]
        if field is not None:
            said = field[board]
            full = marks[Player.X] | marks[Player.O] == BOARD
            if not have and said != ("D" if full else "-"):
                state = "full without a line: D" if full else "not full and without a line: -"
                raise NotationError(text, "OWNERS", f"board {board + 1} is {state}, not {said}")
            if have and said not in [player.value for player in have]:
                names = " or ".join(player.value for player in have)
                raise NotationError(
                    text, "OWNERS", f"board {board + 1} is won by {names}, not {said}"
                )
            have = [player for player in have if player.value == said]
        elif len(have) == 2:
            raise NotationError(text, "CELLS", f"board {board + 1}: both X and O have a line")
        for player in have:
            # Where a won board is closed, its last mark made all its lines.
            if rules.won_closed and not _final_cells(marks[player]):
                reason = f"board {board + 1}: {player} has marks placed after its line"
                raise NotationError(text, "CELLS", reason)
            won[player] |= 1 << board
    for player, boards in won.items() if rules.one_line else ():
        if boards.bit_count() > 1:
            reason = (
                f"{player} has lines on {boards.bit_count()} boards, and the first ends the game"
            )
            raise NotationError(text, "CELLS", reason)
    winning = [
        player for player, boards in won.items() if (boards if rules.one_line else HAS_LINE[boards])
    ]
    if len(winning) == 2:
        raise NotationError(text, "CELLS", "both X and O have won")
    if winning == [turn]:
        reason = f"{turn} has won, and {turn.other} has moved after it"
        raise NotationError(text, "CELLS", reason)
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
    """Refuse a target that no last move can have named in a game that was not over before it."""
    mover = turn.other
    marks, won = (x, won_x) if mover is Player.X else (o, won_o)
    boards = [board for board in range(9) if marks >> 9 * board + target & 1]
    if not boards:
        reason = f"{mover} moved last, and has no mark on a cell {target + 1}"
        raise NotationError(text, "TARGET", reason)
    if rules.won_closed:
        # A board that is won takes no mark but the one that won it.
        theirs = won_x | won_o
        boards = [
            board
            for board in boards
            if not theirs >> board & 1
            or (won >> board & 1 and target in _final_cells(marks >> 9 * board & BOARD))
        ]
        if not boards:
            reason = f"every mark of {mover} on a cell {target + 1} is on a board closed before it"
            raise NotationError(text, "TARGET", reason)
    if won if rules.one_line else HAS_LINE[won]:
        decisive = [
            board
            for board in boards
            if won >> board & 1
            and target in _final_cells(marks >> 9 * board & BOARD)
            and not (won & ~(1 << board) if rules.one_line else HAS_LINE[won & ~(1 << board)])
        ]
        if not decisive:
            reason = f"{mover} has won, but not with a mark on a cell {target + 1}"
            raise NotationError(text, "TARGET", reason)


@cache
def _nested_rules(*rules: object) -> NestedRules:
    return NestedRules(*rules)  # type: ignore[arg-type]


def _rules_id(name: str, chosen: dict[str, str], defaults: dict[str, str]) -> str:
    shown = [f"{key}={value}" for key, value in sorted(chosen.items()) if value != defaults[key]]
    return f"{name}:{','.join(shown)}" if shown else name


class Advanced(NestedPosition):
    """The nine-board game where the first line on any board wins."""

    __slots__ = ()
    name = "advanced"
    about = (
        "Nine boards, the cell of a move names the board of the next; the first line on any "
        "board wins; a full target means any board (with full=draw: a drawn game)."
    )
    options = "[full=draw]"

    @classmethod
    def start(cls, options: str = "") -> Self:
        _, chosen = parse_options(cls.name, options, choices={"full": ("free", "draw")})
        rules_id = _rules_id(cls.name, chosen, {"full": "free"})
        rules = _nested_rules(rules_id, True, chosen.get("full") != "draw", True, False)
        return _new(cls, (rules, 0, 0, 0, 0, 0, None, 0, None))


class Ultimate(NestedPosition):
    """The nine-board game where three won boards in line win."""

    __slots__ = ()
    name = "ultimate"
    about = (
        "Nine boards, the cell of a move names the board of the next; three won boards in line "
        "win; a won or full board is closed (with won=open: only a full one) and as a target "
        "means any open board; no line is a draw (with tie=boards: more won boards win)."
    )
    options = "[tie=boards][,won=open]"

    @classmethod
    def start(cls, options: str = "") -> Self:
        choices = {"tie": ("draw", "boards"), "won": ("closed", "open")}
        _, chosen = parse_options(cls.name, options, choices=choices)
        rules_id = _rules_id(cls.name, chosen, {"tie": "draw", "won": "closed"})
        rules = _nested_rules(
            rules_id,
            False,
            True,
            chosen.get("won") != "open",
            chosen.get("tie") == "boards",
        )
        return _new(cls, (rules, 0, 0, 0, 0, 0, None, 0, None))
