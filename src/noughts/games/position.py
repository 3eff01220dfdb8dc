"""The one interface that every game of the house has, and its two errors.

    start ──play(move)──► position ──play(move)──► … ──► position with an outcome

A position is a small immutable value, a move is an int, and `play` returns a new position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from enum import Enum
from typing import ClassVar, NamedTuple, Self


class IllegalMove(ValueError):
    """A move that the rules do not allow here.

    `move` is what was asked for, `position` where, `reason` one sentence that says what is wrong.
    """

    def __init__(self, move: object, position: Position, reason: str) -> None:
        super().__init__(move, position, reason)
        self.move = move
        self.position = position
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.move!r} is not a legal move in {self.position}: {self.reason}"


class NotationError(ValueError):
    """A text that is not a rules id, a position, a move list or a record.

    `field` names the part at fault (such as `"CELLS"`), `reason` says where in it and why.
    """

    def __init__(self, text: str, field: str, reason: str) -> None:
        super().__init__(text, field, reason)
        self.text = text
        self.field = field
        self.reason = reason

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 120 else f"{self.text[:117]}..."
        return f"{self.field}: {self.reason} (in {shown!r})"


class Player(Enum):
    """The two players; X moves first in all games of the house."""

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
    """A line was made (of marks, or of won boards); in misère its maker has lost."""
    FULL = "full"
    """Nobody can move and nobody has a line."""
    BOARDS = "boards"
    """Nobody can move or has a line, and the won boards were counted."""
    TARGET = "target"
    """A move named a full board where the rules call that a draw."""
    RULES = "rules"
    """A reason of a user's own game."""

    def __str__(self) -> str:
        return self.value


class Outcome(NamedTuple):
    """How a game ended: `winner` is `None` for a draw."""

    winner: Player | None
    termination: Termination = Termination.RULES


class Position(ABC):
    """A position of a two-player game with perfect information, the players moving in turn.

    A game of your own gives `turn`, `legal_moves`, `play`, `outcome`, `key` and `__str__`, and
    `start` if the game has options; the rest has defaults. `register` makes it known by its name.
    """

    __slots__ = ()

    name: ClassVar[str]
    """The first word of the rules id, such as `"connect4"`."""
    about: ClassVar[str]
    """The rules in one sentence."""
    options: ClassVar[str] = ""
    """The options that may follow the name, as a usage text."""
    digit_runs: ClassVar[bool] = False
    """Whether `4453` in a list of moves means the four moves 4, 4, 5, 3."""

    @classmethod
    def start(cls, options: str = "") -> Self:
        """Return the start position under `options`, the text behind the colon of a rules id.

        Raises:
            NotationError: an option that the game does not have.
        """
        if options:
            raise NotationError(f"{cls.name}:{options}", "RULES", f"{cls.name} has no options")
        return cls()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the position that a position string stands for.

        The default knows the start positions only.

        Raises:
            NotationError: the text is not a position, or one that play cannot reach.
        """
        start = cls.start(text.partition("~")[0].partition(":")[2])
        if str(start) != text:
            raise NotationError(text, "POSITION", f"{cls.name} reads no position but its start")
        return start

    @property
    @abstractmethod
    def turn(self) -> Player:
        """The player to move; in a finished game the one who would be."""

    @abstractmethod
    def legal_moves(self) -> Sequence[int]:
        """Return the legal moves in ascending order; none when the game is over."""

    @abstractmethod
    def play(self, move: int) -> Self:
        """Return the position after `move`.

        Raises:
            IllegalMove: `move` is not one of `legal_moves()`.
        """

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or `None` while it goes on."""

    @abstractmethod
    def key(self) -> Hashable:
        """Return a key that two positions of one game share only if they are equal."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the position string, whose first field is the rules id."""

    @property
    def ply(self) -> int:
        """Half moves played so far, where the position knows it, else 0."""
        return 0

    @property
    def rules_id(self) -> str:
        return str(self).partition("~")[0]

    def symmetries(self) -> Iterable[Self]:
        """Return the positions that are this one turned or mirrored, itself among them."""
        return (self,)

    def diagram(self) -> str:
        """Return a plain picture of the board, for games that no view knows."""
        return str(self)

    def move_text(self, move: int) -> str:
        return str(move)

    def parse_move(self, text: str) -> int:
        """Return the legal move that is written `text`.

        Raises:
            IllegalMove: no legal move is written so; its `reason` says what is wrong.
        """
        for move in self.legal_moves():
            if self.move_text(move) == text:
                return move
        reason = "the game is over" if self.outcome() is not None else self.refusal(text)
        raise IllegalMove(text, self, reason)

    def parse_entry(self, text: str) -> int:
        """Return the legal move that a person means by `text`, short forms included.

        Raises:
            IllegalMove: as `parse_move`.
        """
        return self.parse_move(text.strip())

    def refusal(self, text: str) -> str:
        """Return the sentence that says why `text` is not a legal move while the game goes on."""
        moves = [self.move_text(move) for move in self.legal_moves()]
        shown = " ".join(moves[:12]) + (" …" if len(moves) > 12 else "")
        return f"{text!r} is not one of {shown}" if text else f"an empty line is no move: {shown}"

    def __repr__(self) -> str:
        return f"noughts.position({str(self)!r})"


def perft(position: Position, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies from `position`.

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


def canonical_key(position: Position) -> Hashable:
    """Return a key that all turned and mirrored forms of `position` share, and no others.

    >>> import noughts
    >>> corners = [noughts.game("basic").play(cell) for cell in (0, 2, 6, 8)]
    >>> len({canonical_key(corner) for corner in corners})
    1
    """
    return min(other.key() for other in position.symmetries())  # type: ignore[type-var]
