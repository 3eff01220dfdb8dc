"""Ask a bot for its move in any position of a game, several times if its moves are random.

    Entry ──nature()──► fixed · chance · unknown
    moves, number ──Asker.answer()──► the bot's move after these moves, or a Fault

A position is asked in a new game that begins with the moves to it. A bot that cannot enter a game
in progress plays these moves itself, in a whole game from the start.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import Enum
from typing import Self

from noughts.arena.bot import Entry, GameSetup, Turn
from noughts.arena.control import Control
from noughts.games.position import Player, Position
from noughts.opponents import OPPONENTS, opponent


class Nature(Enum):
    """Whether a bot may answer the same question differently."""

    FIXED = "fixed"
    """It always gives the same answer."""
    CHANCE = "chance"
    """Its moves are random."""
    UNKNOWN = "unknown"
    """A program or function, or a search whose depth depends on the speed of the machine."""


ANSWERS = {Nature.FIXED: 1, Nature.CHANCE: 5, Nature.UNKNOWN: 2}
"""Default number of answers for each position."""


class Strayed(Exception):
    """The bot did not repeat its moves, so that the position was not reached."""


def nature(entry: Entry, control: Control, seed: int = 0) -> Nature:
    """Return whether the bot's moves may differ between two games.

    >>> from noughts.arena.bot import parse_entry
    >>> [nature(parse_entry(text), Control()).value for text in ("minimax", "mcts", "mcts:seed=1")]
    ['fixed', 'chance', 'fixed']

    Args:
        entry: the bot.
        control: limit of each move.
        seed: as for `Asker`.
    """
    if entry.text.partition(":")[0] not in OPPONENTS:
        return Nature.UNKNOWN
    known = opponent(entry.text, seed, own_code=True)
    if known.is_random and "seed" not in known.values:
        return Nature.CHANCE
    timed = control.seconds is not None or "seconds" in known.values
    if (timed and known.kind not in ("random", "perfect")) or known.values.get("threads", 1) > 1:
        return Nature.UNKNOWN
    return Nature.FIXED


def needs_whole_games(entry: Entry, start: Position, side: Player) -> bool:
    """Return whether the bot must play every game from its start.

    That holds if it cannot enter a game in progress, or if its random moves follow from a seed
    and the number of moves before.
    """
    if entry.text.partition(":")[0] in OPPONENTS:
        known = opponent(entry.text, own_code=True)
        return known.is_random and "seed" in known.values
    moves: list[int] = []
    position = start
    while len(moves) < 2 and position.outcome() is None:
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    return entry.refusal(start, moves, side) is not None


class Asker:
    """A bot that answers questions about the positions of one game; close it after use.

    Args:
        entry: the bot.
        start: first position of every game.
        side: the side that the bot plays.
        control: limit of each move.
        seed: of the answers with number 0; the next numbers have the next seeds.
        whole_games: whether the bot plays every game from its start. If not, each question
            is asked in a new game.
    """

    def __init__(
        self,
        entry: Entry,
        start: Position,
        side: Player,
        control: Control,
        *,
        seed: int = 0,
        whole_games: bool = False,
    ) -> None:
        self.start = start
        self.side = side
        self.whole_games = whole_games
        self.asked: tuple[int, ...] = ()
        """The moves before the last question: in a whole game perhaps fewer than asked for."""
        self._control = control
        self._seed = seed
        self._bot = entry.open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._bot.close()

    def answer(self, moves: Sequence[int], number: int = 0) -> int:
        """Return the bot's move after `moves`; the bot is to move there.

        Answers with different numbers have different seeds.

        Raises:
            Fault: the bot failed, or its move is illegal.
            IllegalMove: its move is illegal.
            Strayed: in a whole game, it did not repeat its part of `moves`.
        """
        seed = self._seed + number
        if self.whole_games:
            if not self.repeats(moves, number):
                raise Strayed
            return self._choose(moves, self.start.after(moves))
        position = self.start.after(moves)
        if seed:
            # Otherwise all positions with as many legal moves get the same random choice.
            seed = random.Random(f"{seed} {position}").getrandbits(31)
        self._new_game(seed)
        return self._choose(moves, position)

    def repeats(self, moves: Sequence[int], number: int = 0) -> bool:
        """Begin a game, and return whether the bot plays its part of `moves` in it.

        Raises:
            Fault: the bot failed, or its move is illegal.
            IllegalMove: its move is illegal.
        """
        self._new_game(self._seed + number)
        position = self.start
        for ply, move in enumerate(moves):
            if position.turn is self.side and self._choose(moves[:ply], position) != move:
                return False
            position = position.play(move)
        return True

    def _new_game(self, seed: int) -> None:
        self.asked = ()
        self._bot.new_game(GameSetup(self.start, self.side, self._control, seed))

    def _choose(self, moves: Sequence[int], position: Position) -> int:
        self.asked = tuple(moves)
        control = self._control
        limit, deadline = control.limit(None), control.deadline(None)
        turn = Turn(self.start, self.asked, position, limit, deadline)
        return position.legal_move(self._bot.choose(turn).move)
