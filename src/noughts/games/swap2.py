"""How a game begins with swap2, which takes away the advantage of the first move.

    player 1: three stones, X O X ──► player 2: O │ X │ two more, O X ──► player 1: O │ X

The stones are the first moves of the game, and O moves after each choice. Swap2 is no rule of the
game: a record of such a game has the tag `Opening` with the value `swap2`, and its tags `X` and `O`
name the players as they sit after the last choice (gomocup.org, Gomoku openings).
"""

from __future__ import annotations

from math import inf
from typing import Literal

from noughts.games.position import NotationError, Player, Position
from noughts.games.record import SWAP2
from noughts.games.row import MNK

Choice = Literal["O", "X", "more"]
_LINES: tuple[tuple[Choice, ...], ...] = (
    (),
    ("O",),
    ("X",),
    ("more",),
    ("more", "O"),
    ("more", "X"),
)
"""The choices that can have been made in a game, in their order."""

FIRST_STONES, ALL_STONES = 3, 5
"""Moves before the choice of player 2, and before that of player 1."""
SHORTEST = 4
"""The shortest line of a game with swap2: the stones alone complete none."""


def check_swap2(start: Position) -> None:
    """Check that a game can begin with swap2.

    Raises:
        NotationError: it is not an m,n,k-game from its first move, or has too short lines or too
            few cells.
    """
    is_fit = isinstance(start, MNK) and start.rules.k >= SHORTEST and not start.ply
    if not is_fit or len(start.legal_moves()) <= ALL_STONES:
        reason = f"{SWAP2} begins m,n,k-games with {SHORTEST} or more in a row, on an empty board"
        raise NotationError(str(start), "RULES", reason)


class Swap2:
    """The stones and choices of one game.

    Args:
        made: the choices made so far, in their order.

    >>> swap = Swap2()
    >>> swap.chooser(3), swap.choices_at(3)
    (2, ('O', 'X', 'more'))
    >>> swap.choose("more", 3)
    >>> swap.stones_of(4), swap.chooser(5)
    (2, 1)
    >>> swap.choose("O", 5)
    >>> swap.is_swapped, swap.chooser(6)
    (True, None)
    """

    def __init__(self, made: tuple[Choice, ...] = ()) -> None:
        self._made = list(zip((FIRST_STONES, ALL_STONES), made, strict=False))

    def __str__(self) -> str:
        """Return the text that `parse_swap2` reads, such as `swap2:more,O`."""
        return ":".join(filter(None, (SWAP2, ",".join(self.made))))

    @property
    def made(self) -> tuple[Choice, ...]:
        """The choices made so far, in their order."""
        return tuple(choice for _, choice in self._made)

    @property
    def is_decided(self) -> bool:
        """Whether both players know their letters."""
        return bool(self._made) and self._made[-1][1] != "more"

    @property
    def is_swapped(self) -> bool:
        """Whether player 1, who began with X, plays O."""
        return self.is_decided and self._made[-1] in ((FIRST_STONES, "X"), (ALL_STONES, "O"))

    def choices_at(self, moves: int) -> tuple[Choice, ...]:
        """Return the choices after a number of moves; none if the next one is a move."""
        if not self._made and moves == FIRST_STONES:
            return "O", "X", "more"
        return ("O", "X") if not self.is_decided and moves == ALL_STONES else ()

    def chooser(self, moves: int) -> int | None:
        """Return the player, 1 or 2, who chooses after a number of moves; `None` if nobody does."""
        if not self.choices_at(moves):
            return None
        return 2 if moves == FIRST_STONES else 1

    def stones_of(self, moves: int) -> int | None:
        """Return the player, 1 or 2, who places the next stone; `None` after the choices."""
        if self.is_decided or self.choices_at(moves):
            return None
        return 1 if moves < FIRST_STONES else 2

    def can_have(self, moves: int) -> bool:
        """Whether a game with exactly these choices can have a number of moves."""
        most = inf if self.is_decided else ALL_STONES if self._made else FIRST_STONES
        return (self._made[-1][0] if self._made else 0) <= moves <= most

    def choose(self, choice: Choice, moves: int) -> None:
        """Make one of the `choices_at` a number of moves."""
        assert choice in self.choices_at(moves)
        self._made.append((moves, choice))

    def forget_after(self, moves: int) -> None:
        """Forget the choices made after more moves than the game now has."""
        self._made = [made for made in self._made if made[0] <= moves]


def parse_swap2(text: str) -> Swap2:
    """Return the swap2 that a text names: `swap2`, or with the choices made, `swap2:more,O`.

    Raises:
        NotationError: the text names nothing of the kind.

    >>> parse_swap2("swap2:more,O").is_swapped
    True
    """
    name, _, choices = text.partition(":")
    made = next((line for line in _LINES if ",".join(line) == choices), None)
    if name != SWAP2 or made is None or text.endswith(":"):
        reason = f"an opening is {SWAP2}, or with the choices made, such as {SWAP2}:more,O"
        raise NotationError(text, "OPENING", reason)
    return Swap2(made)


def seats(is_swapped: bool) -> dict[Player, int]:
    """Return which player, 1 or 2, plays each side."""
    return {Player.X: 1 + is_swapped, Player.O: 2 - is_swapped}
