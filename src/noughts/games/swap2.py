"""How a game begins with swap2, which takes away the advantage of the first move.

    player 1: three stones, X O X ──► player 2: O │ X │ two more, O X ──► player 1: O │ X

The stones are the first moves of the game, and O moves after each choice. Swap2 is no rule of the
game: a record of such a game has the tag `Opening` with the value `swap2` and the tag `Choices`
with the choices made, and its tags `X` and `O` name the players as they sit after the last choice
(gomocup.org, Gomoku openings).
"""

from __future__ import annotations

from math import inf
from typing import Literal, NamedTuple

from noughts.games.position import NotationError, Player, Position
from noughts.games.record import SWAP2, Record
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
CHOICES = "Choices"
"""The tag with the choices made so far, such as `more,O`; no tag before the first one."""
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


class Act(NamedTuple):
    """A stone, a choice or a move of a player."""

    player: int
    """1 or 2."""
    moves: int
    """The moves before it."""
    made: tuple[Choice, ...]
    """The choices before it."""


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

    def player_at(self, moves: int) -> int:
        """Return the player, 1 or 2, who acts after a number of moves, with a choice or a move."""
        placer = self.chooser(moves) or self.stones_of(moves)
        return placer or self.player_of(Player.O if moves % 2 else Player.X)

    def side_of(self, player: int) -> Player:
        """Return the side of a player, 1 or 2; before the sides are decided, player 1 has X."""
        return Player.X if (player == 1) != self.is_swapped else Player.O

    def player_of(self, side: Player) -> int:
        """Return the player, 1 or 2, at a side."""
        return seats(self.is_swapped)[side]

    def acts(self, moves: int) -> list[Act]:
        """Return all choices and moves of a game with a number of moves, in their order.

        >>> [act.player for act in Swap2(("X",)).acts(5)]
        [1, 1, 1, 2, 1, 2]
        """
        found, made = list[Act](), Swap2()
        for before in range(moves + 1):
            for at, choice in self._made:
                if at == before:
                    found.append(Act(made.player_at(before), before, made.made))
                    made.choose(choice, before)
            if before < moves:
                found.append(Act(made.player_at(before), before, made.made))
        return found

    @property
    def stones(self) -> int:
        """The moves that belong to the opening, as far as it has been decided."""
        return ALL_STONES if "more" in self.made else FIRST_STONES

    def tag(self, record: Record) -> None:
        """Set the tags of a record that name the opening and the choices."""
        record.tags["Opening"] = SWAP2
        record.tags.pop(CHOICES, None)
        if self.made:
            record.tags[CHOICES] = ",".join(self.made)

    def can_have(self, moves: int) -> bool:
        """Whether a game with exactly these choices can have a number of moves."""
        most = inf if self.is_decided else ALL_STONES if self._made else FIRST_STONES
        return (self._made[-1][0] if self._made else 0) <= moves <= most

    def choose(self, choice: Choice, moves: int) -> None:
        """Make one of the `choices_at` a number of moves."""
        assert choice in self.choices_at(moves)
        self._made.append((moves, choice))

    def last_act(self, moves: int, side: Player | None) -> Act | None:
        """Return the last choice or move of a side, or of any, which undo takes back."""
        acts = reversed(self.acts(moves))
        return next((act for act in acts if side in (None, self.side_of(act.player))), None)


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


def swap2_of(record: Record) -> Swap2 | None:
    """Return the swap2 with which a game began; `None` for other games.

    A record whose tags do not fit its moves counts as one of another game.
    """
    if record.tags.get("Opening") != SWAP2:
        return None
    try:
        check_swap2(record.start)
        found = parse_swap2(":".join(filter(None, (SWAP2, record.tags.get(CHOICES)))))
    except NotationError:
        return None
    return found if found.can_have(len(record.moves)) else None


def opening_moves(record: Record) -> int:
    """Return the number of moves that were no player's own: of swap2, or given by a match."""
    if record.tags.get("Opening") != SWAP2:
        return record.number("Opening")
    found = swap2_of(record) or Swap2()
    return min(found.stones, len(record.moves))


def seats(is_swapped: bool) -> dict[Player, int]:
    """Return which player, 1 or 2, plays each side."""
    return {Player.X: 1 + is_swapped, Player.O: 2 - is_swapped}
