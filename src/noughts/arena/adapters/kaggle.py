"""Agents of Kaggle's ConnectX: `kaggle:FILE.py`, or `kaggle:FILE.py:agent`.

    Turn ──observation, configuration──► agent ──► a column, counted from 0

    observation     board (rows from the top, 0 empty, 1 X, 2 O) · mark (1 or 2) · step ·
                    remainingOverageTime
    configuration   columns · rows · inarow · actTimeout · timeout · agentTimeout · …

As on Kaggle, the agent is the last callable that the file makes if none is named, it is given as
many of the two as it takes, both can be read as `board["mark"]` and `board.mark`, and the file is
run anew for each game (github.com/Kaggle/kaggle-environments: agent.py, envs/connectx).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from noughts.arena.adapters.hosted import Choose, find, open_bot, parse_place, spoken
from noughts.arena.bot import Turn
from noughts.games.position import Player, Position
from noughts.games.row import ConnectFour

__all__ = ["asked", "check", "last_callable", "load", "open_bot", "refusal"]

ACT_SECONDS = 2
"""For a move on Kaggle; said where the match bounds no time."""
OVERAGE_SECONDS = 60
"""For a whole game on Kaggle, beyond those for each move; likewise."""


class Struct(dict[str, Any]):
    """A dictionary whose items can be read and set as attributes, too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def check(text: str, rest: str) -> None:
    """Check that `rest` names a file, and perhaps an agent in it.

    Raises:
        NotationError: it does not, or there is no such file.
    """
    parse_place(text, rest, named=None)


def refusal(start: Position, opening: Sequence[int]) -> str | None:  # noqa: ARG001
    """Return why a ConnectX agent cannot play from there, or `None` if it can."""
    if isinstance(start, ConnectFour):
        return None
    return f"a ConnectX agent plays connect4 of any size, not {start.rules_id}"


def load(rest: str) -> Choose:
    """Return what asks the agent that `rest` names; for use in the process of the host.

    Raises:
        LookupError: there is no such agent.
    """
    found = find(parse_place(f"kaggle:{rest}", rest, named=None))
    agent = last_callable(found) if isinstance(found, ModuleType) else found
    code = getattr(agent, "__code__", None)
    takes = code.co_argcount if code is not None else 2

    def choose(turn: Turn) -> str:
        return spoken(turn.position, agent(*asked(turn)[:takes]))

    return choose


def last_callable(module: ModuleType) -> Callable[..., Any]:
    """Return the last callable that a file has made: a name given twice counts where it was first.

    Raises:
        LookupError: there is none.
    """
    callables = [value for value in vars(module).values() if callable(value)]
    if not callables:
        raise LookupError(f"{module.__file__} makes no function that could be the agent")
    return callables[-1]  # type: ignore[no-any-return]


def asked(turn: Turn) -> tuple[Struct, Struct]:
    """Return the observation and the configuration of a turn."""
    position = turn.position
    assert isinstance(position, ConnectFour)
    rules = position.rules
    marks = {None: 0, Player.X: 1, Player.O: 2}
    act: float = ACT_SECONDS
    overage: float = OVERAGE_SECONDS
    if turn.limit.seconds is not None:
        act = turn.limit.seconds
        # What a clock holds beyond this move is the only time that Kaggle would call overage.
        left = act if turn.clocks is None else turn.clocks.of(position.turn)
        overage = max(0.0, left - act)
    observation = Struct(
        board=[marks[position.mark(cell)] for cell in range(rules.size)],
        mark=marks[position.turn],
        step=position.ply,
        remainingOverageTime=overage,
    )
    configuration = Struct(
        columns=rules.columns,
        rows=rules.rows,
        inarow=rules.k,
        actTimeout=act,
        timeout=act,
        agentTimeout=OVERAGE_SECONDS,
        runTimeout=1200,
        episodeSteps=1000,
    )
    return observation, configuration
