"""OpenSpiel's C++ `MCTSBot` as a bot: the field's own opponent (extra `oracle`).

    turn ──every new move──► one or two actions ──► OpenSpiel's state ──► its move, as ours

In ultimate tic-tac-toe OpenSpiel asks for a board first where there is a choice, and then for the
cell: two searches for one move. Each gets half of what the move may take.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from noughts.arena.bot import Entry, Reply, Table, Turn
from noughts.games.nested import NestedPosition
from noughts.games.position import NotationError, Position
from noughts.games.record import Record
from noughts.games.registry import game as start_of
from noughts.games.row import RowPosition

MANY = 2**31 - 1
"""Simulations that no time is long enough for."""
DEFAULT_SIMULATIONS = 10_000
"""For a move, where neither the match nor the entry bounds one."""
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


def refusal(start: Position, opening: Sequence[int]) -> str | None:  # noqa: ARG001
    """Return why the bot cannot play from there, or `None` if it can."""
    if start != start_of(start.rules_id):
        return "OpenSpiel sets up no position: it plays from the start of a game"
    try:
        import_pyspiel()
        openspiel_game(start.rules_id)
    except ImportError:
        return "OpenSpiel is not installed: pip install 'noughts[oracle]'"
    except ValueError as error:
        return str(error)
    return None


def check(text: str, rest: str) -> None:
    """Make sure that `rest` is nothing, or what bounds a move, such as `simulations=1000`.

    Raises:
        NotationError: it is something else.
    """
    key, _, value = rest.partition("=")
    if rest and not (key == "simulations" and value.isdecimal() and int(value) > 0):
        raise NotationError(text, "BOT", "wanted is openspiel or openspiel:simulations=1000")


def open_bot(entry: Entry, rest: str) -> OpenSpielBot:  # noqa: ARG001 - all kinds are opened alike
    """Return the bot."""
    return OpenSpielBot(int(rest.partition("=")[2]) if rest else None)


class OpenSpielBot:
    """UCT with c = 2, one random rollout a leaf, proven nodes.

    Args:
        simulations: for a move; what the match allows if left out.
    """

    def __init__(self, simulations: int | None) -> None:
        self._simulations = simulations

    def new_game(self, table: Table) -> None:
        start = table.start
        self._pyspiel = import_pyspiel()
        self._game = self._pyspiel.load_game(openspiel_game(start.rules_id))
        self._state = self._game.new_initial_state()
        self._position, self._played = start, 0
        self._seed = table.seed & MANY

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
        """Return the action that a new search with a part of the move's limit chooses."""
        limit = turn.limit
        simulations, seconds = self._simulations, None
        if simulations is None:
            simulations, seconds = limit.simulations or limit.nodes, limit.seconds
        if simulations is None and seconds is None:
            simulations = DEFAULT_SIMULATIONS
        # Every search has a seed of its own, which depends on the game and the ply alone.
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
            # A negative time is no limit.
            max_wall_clock_time=seconds / share if seconds else -1.0,
        )
        return int(bot.step(state))

    def end_game(self, record: Record) -> None:
        pass

    def close(self) -> None:
        pass
