"""The interface of every game, and its two errors.

    start ──play(move)──► position ──play(move)──► … ──► position with an outcome

A position is a small immutable value, a move is an int, and `play` returns a new position.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from enum import Enum
from typing import ClassVar, NamedTuple, Self

from noughts.games.catalogue import GameOption, Preset, Size
from noughts.games.phrases import list_of, said, sentence


class IllegalMove(ValueError):
    """A move that the rules do not allow.

    Attributes:
        move: the refused move, as a number or text.
        position: the position before it.
        reason: why it is refused, in words that can follow a colon; `str` makes it a sentence.
    """

    def __init__(self, move: object, position: Position, reason: str) -> None:
        super().__init__(move, position, reason)
        self.move = move
        self.position = position
        self.reason = reason

    def __str__(self) -> str:
        return sentence(self.reason)


class NotationError(ValueError):
    """A text that is not a valid rules id, position, move list or record.

    Attributes:
        text: the text.
        field: the part at fault, such as `"CELLS"`.
        reason: the place and the fault, in words that can follow a colon; `str` makes it a
            sentence.
    """

    def __init__(self, text: str, field: str, reason: str) -> None:
        super().__init__(text, field, reason)
        self.text = text
        self.field = field
        self.reason = reason

    def __str__(self) -> str:
        return sentence(self.reason)


@contextmanager
def placed(place: object) -> Iterator[None]:
    """Put the place of a fault, such as `line 3`, before the reason of an error.

    `str(place)` is called only for an error.
    """
    try:
        yield
    except IllegalMove as error:
        raise IllegalMove(error.move, error.position, f"{place}: {error.reason}") from None
    except NotationError as error:
        raise NotationError(error.text, error.field, f"{place}: {error.reason}") from None


class Player(Enum):
    """The two players; X moves first in every built-in game."""

    X = "X"
    O = "O"  # noqa: E741

    @property
    def other(self) -> Player:
        return Player.O if self is Player.X else Player.X

    def __str__(self) -> str:
        return self.value


class Termination(Enum):
    """Why a game is over."""

    LINE = "line"
    """A line of marks or of won boards; in misère it loses."""
    FULL = "full"
    """A draw, because nobody can move."""
    BOARDS = "boards"
    """Nobody can move, and the number of won boards decides."""
    TARGET = "target"
    """A draw, because the last move sent the opponent to a full board."""
    RULES = "rules"
    """Another reason, in a user's own game."""

    def __str__(self) -> str:
        return self.value


class Outcome(NamedTuple):
    """The end of a game: its winner, `None` for a draw, and the reason."""

    winner: Player | None
    termination: Termination = Termination.RULES


class Position(ABC):
    """A position of a two-player game with perfect information and alternating turns.

    A game of your own defines `turn`, `legal_moves`, `play`, `outcome`, `key` and `__str__`, and
    `start` if it has options; everything else has a default. `register` makes the game known by its
    name.
    """

    __slots__ = ()

    name: ClassVar[str]
    """The first word of the rules id, such as `"connect4"`."""
    title: ClassVar[str] = ""
    """The name that people read, such as `"Connect Four"`; `name` with a capital if empty."""
    also_called: ClassVar[tuple[str, ...]] = ()
    """Other titles that commands accept."""
    about: ClassVar[str] = ""
    """The rules in one sentence."""
    usage: ClassVar[str] = ""
    """The text that may follow `name:` in a rules id, such as `"[W,H[,K]]"`."""
    sizes: ClassVar[tuple[Size, ...]] = ()
    """The numbers that a rules id may begin with."""
    options: ClassVar[tuple[GameOption, ...]] = ()
    """The options that may follow the sizes."""
    titled: ClassVar[str] = ""
    """The title of a board that is no preset, such as `"{M}×{N}, {K} in a row"`."""
    ruled: ClassVar[str] = ""
    """The rule on boards of all sizes, such as `"Get {K} in a row on a {M}×{N} board."`."""
    presets: ClassVar[tuple[Preset, ...]] = ()
    """Well-known choices of sizes and options."""
    sample: ClassVar[str] = ""
    """A rules id and the moves to a position for small pictures, perhaps on a smaller board than
    usual; empty for the start."""
    default_opponent: ClassVar[str] = "alphabeta"
    """The opponent that forms suggest."""
    digit_runs: ClassVar[bool] = False
    """Whether `4453` in a list of moves stands for the four moves 4, 4, 5, 3."""

    @classmethod
    def start(cls, options: str = "") -> Self:
        """Return the start position under `options`, the text after the colon of a rules id.

        Raises:
            NotationError: the game has no such option.
        """
        if options:
            raise NotationError(f"{cls.name}:{options}", "RULES", f"{cls.title} has no options")
        return cls()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the position of a position string.

        The default accepts start positions only.

        Raises:
            NotationError: the text is not a position, or play cannot reach it.
        """
        start = cls.start(text.partition("~")[0].partition(":")[2])
        if str(start) != text:
            raise NotationError(
                text, "POSITION", f"the only position string of {cls.title} is {start}"
            )
        return start

    @property
    @abstractmethod
    def turn(self) -> Player:
        """The player to move; in a finished game, the next in turn."""

    @abstractmethod
    def legal_moves(self) -> Sequence[int]:
        """Return the legal moves in ascending order; none if the game is over."""

    @abstractmethod
    def play(self, move: int | str) -> Self:
        """Return the position after a move, given as its number or its text.

        Raises:
            IllegalMove: `move` is not one of `legal_moves()`.
        """

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return the result of the game, or `None` if it is not over."""

    @abstractmethod
    def key(self) -> Hashable:
        """Return a hashable key, different for different positions of one game."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the position string, whose first field is the rules id."""

    @property
    def ply(self) -> int:
        """Number of moves played so far; 0 if the position does not record it."""
        return 0

    @property
    def max_plies(self) -> int | None:
        """Upper bound of the plies until the game ends; `None` if none is known."""
        return None

    @property
    def rules_id(self) -> str:
        return str(self).partition("~")[0]

    def symmetries(self) -> Iterable[Self]:
        """Return this position and its rotations and reflections."""
        return (self,)

    def after(self, moves: str | Iterable[int | str]) -> Self:
        """Return the position after several moves, such as `"5 1 9"` or `[4, 0, 8]`.

        Raises:
            IllegalMove: the first illegal move of the list, with its number and position.
        """
        position = self
        for move in parse_moves(self, moves) if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    def diagram(self) -> str:
        """Return the board as plain text; the position string in a game that draws none."""
        return str(self)

    def move_text(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str) -> int:
        """Return the number of the legal move with this text.

        Raises:
            IllegalMove: no legal move has this text; `reason` says why.
        """
        for move in self.legal_moves():
            if self.move_text(move) == text:
                return move
        reason = said("over") if self.outcome() is not None else self.refusal(text)
        raise IllegalMove(text, self, reason)

    def parse_entry(self, text: str) -> int:
        """Return the legal move that a person typed at a prompt, short forms included.

        Raises:
            IllegalMove: as `parse_move`; or the entry holds more than one move.
        """
        words = text.replace(",", " ").split()
        if len(words) > 1:
            moves = {self.move_text(move) for move in self.legal_moves()}
            if text.strip() not in moves and not moves.isdisjoint(words):
                raise one_at_a_time(self, words)
        return self.parse_move(text.strip())

    def legal_move(self, move: int | str) -> int:
        """Return the number of a legal move that is given as its number or its text.

        Raises:
            IllegalMove: the move is not legal.
        """
        if isinstance(move, str):
            return self.parse_move(move)
        if move not in self.legal_moves():
            reason = said("over") if self.outcome() else "no legal move has this number"
            raise IllegalMove(move, self, reason)
        return move

    def refusal(self, text: str) -> str:
        """Return why `text` is not a legal move of this unfinished game, without a full stop."""
        moves = [self.move_text(move) for move in self.legal_moves()]
        shown = listed(moves) or f"{' '.join(moves[:LISTED])} …"
        return (
            f'"{text}" is not a legal move. Legal moves: {shown}'
            if text
            else f"type one of {shown}"
        )

    def __repr__(self) -> str:
        return f"noughts.position({str(self)!r})"


LISTED = 12
"""The most moves that a message lists."""


def listed(moves: Sequence[str]) -> str:
    """Return moves with spaces between them; an empty text for more than `LISTED` moves."""
    return " ".join(moves) if len(moves) <= LISTED else ""


def one_at_a_time(position: Position, moves: Sequence[str]) -> IllegalMove:
    """Return the error for several moves that were typed at once."""
    reason = f"one move at a time: {list_of([*dict.fromkeys(moves)], 'or')}?"
    return IllegalMove(" ".join(moves), position, reason)


def perft(position: Position, depth: int) -> int:
    """Count the move sequences of `depth` plies from `position`.

    >>> import noughts
    >>> [perft(noughts.game("connect4"), depth) for depth in (0, 1, 2, 3)]
    [1, 7, 49, 343]
    """
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def won(position: Position, player: Player) -> bool:
    """Whether a player has won the game."""
    outcome = position.outcome()
    return outcome is not None and outcome.winner is player


def wins_at_once(position: Position) -> tuple[int, ...]:
    """Return the moves that win the game at once for the player to move.

    >>> import noughts
    >>> wins_at_once(noughts.position("basic~XX1.OO1.3~X"))
    (2,)
    """
    return tuple(m for m in position.legal_moves() if won(position.play(m), position.turn))


def canonical_key(position: Position) -> Hashable:
    """Return a key shared by all rotations and reflections of `position`, and no others.

    >>> import noughts
    >>> corners = [noughts.game("basic").play(cell) for cell in (0, 2, 6, 8)]
    >>> len({canonical_key(corner) for corner in corners})
    1
    """
    return min(other.key() for other in position.symmetries())  # type: ignore[type-var]


def parse_moves(start: Position, text: str) -> list[int]:
    """Return the moves of a list such as `"51 15 55"`, or `"4453"` if the game has digit runs.

    Raises:
        IllegalMove: the first illegal move of the list, with its number and position.
    """
    moves: list[int] = []
    current = start
    for word in text.split():
        run = start.digit_runs and re.fullmatch("[0-9]{2,}", word)
        for token in word if run else (word,):
            with placed(f"move {len(moves) + 1}") if moves else nullcontext():
                moves.append(current.parse_move(token))
            current = current.play(moves[-1])
    return moves


def move_texts(start: Position, moves: Iterable[int]) -> list[str]:
    """Return the texts of a sequence of moves.

    >>> import noughts
    >>> move_texts(noughts.game("ultimate"), [36, 0])
    ['51', '11']

    Raises:
        IllegalMove: a move that the rules do not allow there.
    """
    texts = []
    for move in moves:
        texts.append(start.move_text(move))
        start = start.play(move)
    return texts
