"""OpenSpiel's C++ `MCTSBot` as a bot (extra `oracle`).

    turn ──every new move──► one or two actions ──► OpenSpiel's state ──► its move, as ours

In ultimate tic-tac-toe OpenSpiel asks for a board first where there is a choice, and then for the
cell: two searches for one move. Each gets half of the move's limit.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from noughts.arena.bot import Bot, Entry, GameSetup, Reply, Turn
from noughts.extras import missing
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Player, Position
from noughts.games.registry import game as start_of
from noughts.games.row import RowPosition

MANY = 2**31 - 1
"""Simulations for a search limited by time alone."""
DEFAULT_SIMULATIONS = 10_000
"""Simulations of a move if neither the match nor the entry has a limit."""
MEMORY_MIB = 1024
"""Memory of the tree: more than a move needs, so that it is never pruned."""


def import_pyspiel() -> Any:
    """Return the module.

    Raises:
        ImportError: OpenSpiel, of the extra `oracle`, is not installed.
    """
    with warnings.catch_warnings():
        # Warnings of the wheel's import do not concern a match.
        warnings.simplefilter("ignore")
        import pyspiel
    return pyspiel


def openspiel_game(rules_id: str) -> str:
    """Return OpenSpiel's name for the rules.

    `tie=boards` gets OpenSpiel's rules for `ultimate`: the moves are the same, only the score of a
    game without a line differs.

    >>> openspiel_game("mnk:5,4,3"), openspiel_game("connect4")
    ('mnk(m=5,n=4,k=3)', 'connect_four(columns=7,rows=6,x_in_row=4)')

    Raises:
        ValueError: OpenSpiel has no such game.
    """
    start = start_of(rules_id)
    if start.rules_id in ("ultimate", "ultimate:tie=boards"):
        return "ultimate_tic_tac_toe"
    if isinstance(start, RowPosition) and not (start.rules.misere or start.rules.exact):
        rules = start.rules
        if rules.gravity:
            return f"connect_four(columns={rules.columns},rows={rules.rows},x_in_row={rules.k})"
        return f"mnk(m={rules.columns},n={rules.rows},k={rules.k})"
    raise ValueError(f"OpenSpiel has no {start.rules_id}")


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return why the bot cannot play after the opening, or `None` if it can."""
    if start != start_of(start.rules_id):
        return "OpenSpiel sets up no position: it plays from the start of a game"
    try:
        import_pyspiel()
        openspiel_game(start.rules_id)
    except ImportError:
        return missing("the bot", "OpenSpiel", "oracle")
    except ValueError as error:
        return str(error)
    return None


def check(text: str, rest: str) -> None:
    """Check that `rest` is empty or a limit such as `simulations=1000`.

    Raises:
        NotationError: `rest` is something else.
    """
    key, _, value = rest.partition("=")
    if rest and not (key == "simulations" and value.isdecimal() and int(value) > 0):
        raise NotationError(text, "BOT", "expected openspiel or openspiel:simulations=1000")


def open_bot(entry: Entry, rest: str) -> OpenSpielBot:  # noqa: ARG001 - all kinds are opened alike
    """Return the bot."""
    return OpenSpielBot(int(rest.partition("=")[2]) if rest else None)


class OpenSpielBot(Bot):
    """UCT with c = 2, one random rollout a leaf, proven nodes.

    Args:
        simulations: for each move; default the match's limit.
    """

    def __init__(self, simulations: int | None) -> None:
        self._simulations = simulations

    def new_game(self, setup: GameSetup) -> None:
        start = setup.start
        self._pyspiel = import_pyspiel()
        self._game = self._pyspiel.load_game(openspiel_game(start.rules_id))
        self._state = self._game.new_initial_state()
        self._position, self._played = start, 0
        self._seed = setup.seed & MANY

    def choose(self, turn: Turn) -> Reply:
        for move in turn.moves[self._played :]:
            if isinstance(self._position, NestedPosition):
                if self._position.forced is None:
                    self._state.apply_action(move // 9)
                self._state.apply_action(move % 9)
            else:
                self._state.apply_action(move)
            self._position = self._position.play(move)
        self._played = len(turn.moves)
        if not isinstance(self._position, NestedPosition):
            return Reply(self._step(turn, self._state))
        if self._position.forced is not None:
            return Reply(9 * self._position.forced + self._step(turn, self._state))
        board = self._step(turn, self._state, share=2)
        return Reply(9 * board + self._step(turn, self._state.child(board), share=2))

    def _step(self, turn: Turn, state: Any, share: int = 1) -> int:
        """Return the action that a new search chooses with 1/`share` of the move's limit."""
        limit = turn.limit
        simulations, seconds = self._simulations, None
        if simulations is None:
            simulations, seconds = limit.simulations or limit.nodes, limit.seconds
        if simulations is None and seconds is None:
            simulations = DEFAULT_SIMULATIONS
        # The seed of a search depends on the game and the ply alone.
        seed = (self._seed + 2 * self._played + len(state.history())) & MANY
        bot = self._pyspiel.MCTSBot(
            self._game,
            self._pyspiel.RandomRolloutEvaluator(1, seed),
            2.0,
            max(1, simulations // share) if simulations else MANY,
            MEMORY_MIB,
            True,  # solve
            seed,
            False,  # verbose
            # A negative time means no limit.
            max_wall_clock_time=seconds / share if seconds else -1.0,
        )
        return int(bot.step(state))
