"""OpenSpiel's C++ `MCTSBot` as a player of our games: the outside opponent.

    our game so far ──every move──► one or two actions ──► OpenSpiel's state ──► its move, as ours

In ultimate tic-tac-toe OpenSpiel asks for a board first where there is a choice, and then for the
cell: two searches for one move. Each gets half of what the move may take.
"""

from __future__ import annotations

import warnings
from typing import Any

from match import Choose, Game

from noughts.games.nested import NestedPosition
from noughts.games.registry import game as start_of
from noughts.games.row import RowPosition

MANY = 2**31 - 1
"""Simulations that no time is long enough for."""
MEMORY_MIB = 1024
"""More than the tree of a move needs, so that it is never pruned."""


def import_pyspiel() -> Any:
    """Return the module.

    Raises:
        ImportError: OpenSpiel, of the extra `oracle`, is not installed.
    """
    with warnings.catch_warnings():
        # What the import of a wheel has to say is no concern of a match.
        warnings.simplefilter("ignore")
        import pyspiel
    return pyspiel


def openspiel_game(rules_id: str) -> str:
    """Return OpenSpiel's name for the rules.

    `tie=boards` is played by its rules for `ultimate`: the moves are the same, and it does not
    know how a game without a line is scored.

    >>> openspiel_game("mnk:5,4,3"), openspiel_game("connect4")
    ('mnk(m=5,n=4,k=3)', 'connect_four(columns=7,rows=6,x_in_row=4)')

    Raises:
        ValueError: OpenSpiel has no such game.
    """
    start = start_of(rules_id)
    if start.rules_id in ("ultimate", "ultimate:tie=boards"):
        return "ultimate_tic_tac_toe"
    if isinstance(start, RowPosition) and not start.rules.misere:
        rules = start.rules
        if rules.gravity:
            return f"connect_four(columns={rules.columns},rows={rules.rows},x_in_row={rules.k})"
        return f"mnk(m={rules.columns},n={rules.rows},k={rules.k})"
    raise ValueError(f"OpenSpiel has no {start.rules_id}")


def openspiel_player(
    rules_id: str, seed: int, *, seconds: float | None = None, simulations: int | None = None
) -> Choose:
    """Return a player for one game: UCT with c = 2, one random rollout a leaf, proven nodes.

    Args:
        rules_id: of the game.
        seed: of its rollouts.
        seconds: for a move.
        simulations: for a move; whichever comes first.

    Raises:
        ImportError: OpenSpiel is not installed.
        ValueError: OpenSpiel has no such game.
    """
    pyspiel = import_pyspiel()
    game = pyspiel.load_game(openspiel_game(rules_id))

    def bot(share: int) -> Any:
        return pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(1, seed),
            2.0,
            max(1, simulations // share) if simulations else MANY,
            MEMORY_MIB,
            True,  # solve
            seed,
            False,  # verbose
            # A negative time is no limit.
            max_wall_clock_time=seconds / share if seconds else -1.0,
        )

    whole, half = bot(1), bot(2)
    state = game.new_initial_state()
    played: list[int] = []

    def choose(so_far: Game) -> int:
        for index in range(len(played), len(so_far.moves)):
            move, position = so_far.moves[index], so_far.positions[index]
            if isinstance(position, NestedPosition):
                if position.forced is None:
                    state.apply_action(move // 9)
                state.apply_action(move % 9)
            else:
                state.apply_action(move)
            played.append(move)
        position = so_far.position
        if not isinstance(position, NestedPosition):
            return int(whole.step(state))
        if position.forced is not None:
            return 9 * position.forced + int(whole.step(state))
        board = int(half.step(state))
        return 9 * board + int(half.step(state.child(board)))

    return choose
