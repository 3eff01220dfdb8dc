"""A series of games of two sides: who may take back and resign, the score, the next game.

    Series ──undo(), redo(), resign()──► round ──is over──► total() ──► following_score()

The terminal, the window and the server use it. Pages without a server use `views.js`; a test checks
that both agree.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from noughts.games.position import Player
from noughts.games.progress import GameInProgress
from noughts.games.record import RESULTS

Score = Mapping[Player | None, float]
"""Games won by each side; draws under `None`."""
NO_SCORE: Score = {Player.X: 0, Player.O: 0, None: 0}


def exchanged(score: Score) -> Score:
    """Return the score after the players have changed sides."""
    return {Player.X: score[Player.O], Player.O: score[Player.X], None: score[None]}


class Series(NamedTuple):
    """A game of a series."""

    round: GameInProgress
    people: Collection[Player]
    """The sides that people play, X first; machines play the others."""
    score: Score = NO_SCORE
    """The score of the games before this one, by the sides that the players have in this one."""

    @property
    def person(self) -> Player | None:
        """The side of the person who plays a machine, else `None`."""
        return next(iter(self.people)) if len(self.people) == 1 else None

    @property
    def can_undo(self) -> bool:
        """Whether `undo` has a move to take back."""
        turns = [position.turn for position in self.round.positions[:-1]]
        return any(self.person in (None, turn) for turn in turns)

    @property
    def can_redo(self) -> bool:
        """Whether `redo` has a move to play again."""
        return bool(self.round.undone)

    @property
    def can_resign(self) -> bool:
        """Whether a person can resign."""
        return bool(self.people) and not self.round.is_over

    def undo(self) -> bool:
        """Take back the last move; against a machine, the person's last move and the reply to it.
        Returns False if there is no such move.
        """
        return self.round.undo(self.person)

    def redo(self) -> bool:
        """Play the moves again that `undo` took back last; returns False if there are none."""
        return self.round.redo(self.person)

    def resign(self) -> None:
        """Resign for the person to move, or for the person who plays a machine.

        Raises:
            IllegalMove: the game is over.
        """
        turn = self.round.position.turn
        self.round.resign(turn if turn in self.people else next(iter(self.people)))

    def total(self) -> dict[Player | None, float]:
        """Return the score with this game."""
        result = self.round.record.result
        return {who: self.score[who] + (result == won) for who, won in RESULTS.items()}

    def following_score(self) -> Score:
        """Return the score before the next game, in which the sides are swapped."""
        return exchanged(self.total())
