"""Decide who searches: the visitor's browser, or the server in threads or in processes.

move of a machine ──► the visitor's engine ──none──► a checked file: the moves it told
                                               └───► Thinkers
analysis, graph ─────────────────────────────────────► │
                         a game of the engine ──► Slices: threads, native searches in turns
                                    any other ──► Processes: searches in Python
explain, hint, review, lab, … ──────────────────► Processes
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from noughts.answers import tasks
from noughts.answers.checked import file_name
from noughts.answers.labs import check_lab
from noughts.answers.positions import AnalysisView, GraphPoint, parse_line
from noughts.arena import swap2
from noughts.engine import is_native
from noughts.games.position import Position
from noughts.games.swap2 import Swap2
from noughts.web.checked_files import CheckedFiles
from noughts.web.clients import Account
from noughts.web.game import Game, MachineSearch
from noughts.web.knowledge import Knowledge
from noughts.web.machine_moves import parse_machine
from noughts.web.pool import Pool
from noughts.web.processes import Processes
from noughts.web.settings import DEFAULT, Settings
from noughts.web.slices import Slices
from noughts.web.thinker import AskedLine, Thinker
from noughts.web.workers import Tell, WorkerProcesses, ignore

Answer = TypeVar("Answer")


class Thinkers:
    """All searches and tasks of one server.

    Args:
        pool: threads for native searches.
        workers: processes for searches in Python.
        settings: the time limits.
    """

    def __init__(self, pool: Pool, workers: WorkerProcesses, settings: Settings = DEFAULT) -> None:
        self.settings = settings
        self.files = CheckedFiles()
        self.knowledge = Knowledge()
        self._slices = Slices(pool, self.knowledge)
        self._processes = Processes(workers, self.knowledge, settings)

    def warm(self) -> None:
        """Start the processes before the first question."""
        self._processes.warm()

    async def move(
        self, game: Game, search: MachineSearch, tell: Callable[[Game], None]
    ) -> str | None:
        """Return the machine's move, within its time, or at once when `search.enough` is set.

        `tell` gets the game when its state has changed. `None` is the answer of a checked file
        without a legal move.

        Raises:
            NotationError: the opponent no longer exists.
            OpponentFailed: the opponent finds no move.
        """
        if search.answer is not None:
            with suppress(TimeoutError):
                answer = await asyncio.wait_for(search.answer, self.settings.answer_seconds)
                if answer is not None:
                    return answer
            tell(game)
        position = search.position
        text = game.seats[search.side].kind
        if file_name(text):
            return self.files.move(text, position)
        machine = parse_machine(text, position)
        if machine.kind == "random":
            return machine.choose(position).text
        return await self._of(position).move(game, search, machine, tell)

    async def step(
        self, game: Game, search: MachineSearch, tell: Callable[[Game], None]
    ) -> swap2.Swap2Step:
        """Return the machine's next step in swap2, as `swap2.next_step`.

        Raises:
            NotationError: the opponent no longer exists.
            OpponentFailed: the opponent finds no move.
        """
        position, seed = search.position, secrets.randbits(32)
        machine = parse_machine(game.seats[search.side].kind, position)
        assert game.swap2 is not None
        if machine.kind != "random" and game.choices:
            return swap2.decide(await self._slices.found(game, search, machine, tell))
        made = Swap2(game.swap2.made)
        return await self._slices.call(game, swap2.next_step, machine, position, made, seed)

    async def analyse(
        self,
        account: Account,
        start: str,
        moves: Sequence[str],
        seconds: float,
        tell: Callable[[AnalysisView], None] = lambda _: None,
    ) -> AnalysisView:
        """Return the value of every move; `tell` gets intermediate results.

        Raises:
            IllegalMove, NotationError: in the start or the moves.
            Refused: too many searches are open.
        """
        line = await _asked(start, moves)
        return await self._of(line.positions[0]).analyse(account, line, seconds, tell)

    async def graph(
        self, account: Account, start: str, moves: Sequence[str], tell: Callable[[GraphPoint], None]
    ) -> None:
        """Call `tell` with the value of each position of a line, in any order.

        Raises:
            IllegalMove, NotationError: in the start or the moves.
            Refused: too many searches are open.
        """
        line = await _asked(start, moves)
        await self._of(line.positions[0]).graph(account, line, tell)

    async def run(
        self,
        account: Account,
        task: Callable[..., Answer],
        *asked: Any,
        tell: Tell = ignore,
    ) -> Answer:
        """Run a task of `noughts.answers.tasks` in a worker process and return its result.

        Args:
            account: the client that asks.
            task: the task, with its arguments.
            tell: called with the news of the task.

        Raises:
            IllegalMove, NotationError: in the start or the moves.
            Refused: too many tasks are open, or the task takes too long.
        """
        return await self._processes.run(account, task, *asked, tell=tell)

    async def lab(
        self,
        account: Account,
        name: str,
        options: dict[str, Any],
        tell: Tell = ignore,
    ) -> dict[str, Any]:
        """Run a lab and return its report, as data.

        Raises:
            Refused: unknown lab or option.
        """
        check_lab(name, options)
        return await self.run(account, tasks.lab, name, options, tell=tell)

    def _of(self, position: Position) -> Thinker:
        return self._slices if is_native(position) else self._processes


async def _asked(start: str, moves: Sequence[str]) -> AskedLine:
    return AskedLine(start, moves, await asyncio.to_thread(parse_line, start, moves))
