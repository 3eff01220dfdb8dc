"""Pairs of games, both from one opening with the sides swapped.

    opening ──► A is X, B is O ──► game ┐
            └─► B is X, A is O ──► game ┴─► one pair: the mean score of A, 0 to 1 in quarters

Both games of a pair start from one random opening, so that a good opening is nobody's luck. They
depend on each other, so the pair is the unit of every error bar.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import NamedTuple

from noughts import Player, Position


class Time(NamedTuple):
    """What a move took, in seconds; `cpu` is less than `wall` where the machine was shared."""

    wall: float
    cpu: float


class Game(NamedTuple):
    """A game, finished or not: `positions` start where the game did."""

    positions: list[Position]
    moves: list[int]
    """From `positions[0]` on; the first of them drawn by chance, the others chosen."""
    times: list[Time]
    """What each chosen move took, on the clock of whoever asked for it."""

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def drawn(self) -> int:
        """How many of the moves, the first ones, were drawn by chance."""
        return len(self.moves) - len(self.times)

    def times_of(self, side: Player) -> list[Time]:
        movers = self.positions[self.drawn : -1]
        return [t for t, mover in zip(self.times, movers, strict=True) if mover.turn is side]

    def score_of(self, side: Player) -> float:
        """Return 1 for a win of `side`, ½ for a draw and 0 for a loss, once the game is over."""
        outcome = self.position.outcome()
        assert outcome is not None
        return 0.5 if outcome.winner is None else float(outcome.winner is side)


Choose = Callable[[Game], int]
"""The move of a player who sees the game so far."""


def draw_opening(
    start: Position,
    plies: int,
    rng: random.Random,
    fits: Callable[[Position], bool] = lambda _: True,
) -> Game:
    """Return a game of `plies` random moves that goes on, and whose last position fits.

    Raises:
        ValueError: none of 1,000 games drawn is one.
    """
    for _ in range(1000):
        game = Game([start], [], [])
        for _ in range(plies):
            if game.position.outcome() is None:
                game.moves.append(rng.choice(game.position.legal_moves()))
                game.positions.append(game.position.play(game.moves[-1]))
        if game.position.outcome() is None and fits(game.position):
            return game
    raise ValueError(f"{start.rules_id} has no opening of {plies} plies from which to play")


def play_game(opening: Game, x: Choose, o: Choose) -> Game:
    """Return `opening` played to its end."""
    game = Game(list(opening.positions), list(opening.moves), [])
    while game.position.outcome() is None:
        choose = x if game.position.turn is Player.X else o
        wall, cpu = time.perf_counter(), time.process_time()
        move = choose(game)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        game.times.append(Time(round(wall, 6), round(cpu, 6)))
        game.moves.append(move)
        game.positions.append(game.position.play(move))
    return game


def play_pair(opening: Game, a: Callable[[], Choose], b: Callable[[], Choose]) -> tuple[Game, Game]:
    """Return the game in which A is X and the one in which B is; each has new players."""
    return play_game(opening, a(), b()), play_game(opening, b(), a())


def pair_score(pair: tuple[Game, Game]) -> float:
    """Return the mean score of A."""
    return (pair[0].score_of(Player.X) + pair[1].score_of(Player.O)) / 2
