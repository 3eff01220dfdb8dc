"""Agents of Kaggle's ConnectX: `kaggle:FILE.py`, `kaggle:FILE.py:agent` or `kaggle:ARCHIVE`.

    Turn ──observation, configuration──► agent ──► a column, counted from 0

    observation     board (rows from the top, 0 empty, 1 X, 2 O) · mark (1 or 2) · step ·
                    remainingOverageTime
    configuration   columns · rows · inarow · actTimeout · timeout · agentTimeout · …

As on Kaggle, the agent is the last callable of the file if none is named, it receives as many of
the two arguments as it takes, both can be read as `board["mark"]` and `board.mark`, and the file is
run again for each game (github.com/Kaggle/kaggle-environments: agent.py, envs/connectx). An
archive, `submission.tar.gz` or a zip file, has the agent in `main.py`; the folder of the agent's
file is also `/kaggle_simulations/agent`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from noughts.arena.adapters.hosted import (
    Answer,
    Choose,
    check_place,
    find,
    open_bot,
    parse_place,
    spoken,
)
from noughts.arena.adapters.kaggle_folder import is_archive, moved_in, unpacked
from noughts.arena.bot import Turn
from noughts.games.position import NotationError, Player, Position
from noughts.games.row import ConnectFour

__all__ = ["asked", "check", "last_callable", "load", "open_bot", "refusal", "wanted"]

ACT_SECONDS = 2
"""Kaggle's limit for a move; sent if the match has no time limit."""
OVERAGE_SECONDS = 60
"""Kaggle's extra time for a whole game; sent if the match has no time limit."""


class Struct(dict[str, Any]):
    """A dictionary whose items are also attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return why a ConnectX agent cannot play after the opening, or `None` if it can."""
    if isinstance(start, ConnectFour):
        return None
    return f"a ConnectX agent plays connect4 of any size, not {start.rules_id}"


def wanted(position: Position) -> str:
    """Describe the right answer of an agent."""
    columns = ", ".join(map(str, position.legal_moves()))
    return f"the number of a column with an empty cell, counted from 0: {columns}"


def check(text: str, rest: str) -> None:
    """Check that the text after `kaggle:` names an agent's file or archive.

    Raises:
        NotationError: another form, or there is no such file.
    """
    if not is_archive(rest):
        check_place(text, rest)
    elif not Path(rest).is_file():
        raise NotationError(text, "BOT", f"there is no file {rest}")


def load(rest: str) -> Choose:
    """Return a function that asks the named agent for a move; runs in the host process.

    Raises:
        LookupError: there is no such agent.
    """
    if is_archive(rest):
        rest = str(unpacked(Path(rest)))
    moved_in(Path(parse_place(rest, rest, named=None).source).resolve().parent)
    found = find(rest)
    agent = last_callable(found) if isinstance(found, ModuleType) else found
    code = getattr(agent, "__code__", None)
    takes = code.co_argcount if code is not None else 2

    def choose(turn: Turn) -> Answer:
        column = agent(*asked(turn)[:takes])
        return Answer(column, spoken(turn.position, column))

    return choose


def last_callable(module: ModuleType) -> Callable[..., Any]:
    """Return the last callable of a file; a reassigned name keeps its first place.

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
        # The clock's time beyond this move corresponds to Kaggle's overage time.
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
