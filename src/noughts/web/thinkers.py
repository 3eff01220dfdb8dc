"""Who finds the move of a machine: the visitor's browser, else the server.

game, search ──move()──► the visitor's engine ──none──┬──► a checked file: the moves it told
                                                      ├──► random: any move
                                                      ├──► native: slices of the pool's threads
                                                      └──► Python: a worker process
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from noughts.answers import tasks
from noughts.answers.checked import file_name
from noughts.answers.problems import Refused
from noughts.answers.rules import SLOWEST
from noughts.opponents import Opponent, OpponentFailed
from noughts.web.checked_files import CheckedFiles
from noughts.web.clients import current
from noughts.web.game import Game, MachineSearch
from noughts.web.machine_moves import QUICK, MoveSearch, at_once, parse_machine
from noughts.web.pool import Engines, Pool
from noughts.web.settings import Settings
from noughts.web.workers import WorkerProcesses

LAST_MOMENT = 0.05
"""Seconds that a stopped search has to end."""


class Thinkers:
    """The machines of a server.

    Args:
        pool: threads for native searches.
        engines: engines for these threads.
        workers: processes for searches in Python.
        files: the checked files that play.
        settings: how long a visitor's browser may take.
        tell: shows a game to those who have it open.
    """

    def __init__(
        self,
        pool: Pool,
        engines: Engines,
        workers: WorkerProcesses,
        files: CheckedFiles,
        settings: Settings,
        tell: Callable[[Game], None],
    ) -> None:
        self._pool, self._engines, self._workers = pool, engines, workers
        self._files, self._settings, self._tell = files, settings, tell

    async def move(self, game: Game, search: MachineSearch) -> str | None:
        """Return the machine's move, within its time, or at once when `search.enough` is set.

        `None` is the answer of a checked file without a legal move.

        Raises:
            NotationError: the opponent no longer exists.
            OpponentFailed: the opponent finds no move.
        """
        if search.answer is not None:
            with suppress(TimeoutError):
                answer = await asyncio.wait_for(search.answer, self._settings.answer_seconds)
                if answer is not None:
                    return answer
            self._tell(game)
        position = search.position
        text = game.seats[position.turn].kind
        if file_name(text):
            return self._files.move(text, position)
        machine = parse_machine(text, position)
        if machine.kind == "random":
            return machine.choose(position).text
        if machine.is_native(position):
            return await self._in_slices(game, search, machine)
        return await self._in_worker(game, search, text)

    async def _in_slices(self, game: Game, search: MachineSearch, machine: Opponent) -> str | None:
        """Return the move of an opponent that searches natively.

        Raises:
            OpponentFailed: the opponent finds no move.
        """
        work = MoveSearch(self._engines, game.id, search.position, machine)
        stopped = asyncio.ensure_future(search.enough.wait())
        try:
            while not stopped.done():
                try:
                    with self._engines.kept(game.id):
                        await self._until(game, search, work, stopped)
                    break
                except Refused as busy:
                    await asyncio.wait((stopped,), timeout=busy.retry)
        finally:
            stopped.cancel()
        if work.failure is not None and not search.enough.is_set():
            raise work.failure
        if work.best is not None:
            return work.best.text
        return (await asyncio.to_thread(at_once, self._engines, search.position)).text

    async def _in_worker(self, game: Game, search: MachineSearch, text: str) -> str:
        """Return the move of an opponent that searches in Python, or a quick one once stopped.

        Raises:
            OpponentFailed: the opponent finds no move.
        """
        line = str(game.round.record.start), [*game.round.texts]

        async def chosen(opponent: str) -> str:
            task, seconds = tasks.choose, 2 * SLOWEST
            while True:
                try:
                    asked = *line, opponent, SLOWEST
                    move: str = await self._workers.run(
                        current.get(), task, *asked, seconds=seconds, urgent=game.has_person
                    )
                    return move
                except Refused as refused:
                    if refused.kind not in ("busy", "over-budget"):
                        raise OpponentFailed(refused.detail.rstrip(".")) from None
                    await asyncio.sleep(refused.retry)

        choosing = asyncio.ensure_future(chosen(text))
        stopped = asyncio.ensure_future(search.enough.wait())
        try:
            await asyncio.wait((choosing, stopped), return_when=asyncio.FIRST_COMPLETED)
            if choosing.done():
                return choosing.result()
        finally:
            choosing.cancel()
            stopped.cancel()
        return await chosen(QUICK)

    async def _until(
        self,
        game: Game,
        search: MachineSearch,
        work: MoveSearch,
        stopped: asyncio.Future[Any],
    ) -> None:
        """Run a search until it is done, out of time, or stopped.

        Raises:
            Refused: too many searches are running.
        """

        def told(waits: bool) -> None:
            search.waits = waits
            asyncio.get_running_loop().call_soon(show)

        def show() -> None:
            if search.waits != search.shown and game.search is search:
                search.shown = search.waits
                self._tell(game)

        searching = self._pool.run(current.get(), work, urgent=game.has_person, told=told)
        running = asyncio.ensure_future(searching)
        try:
            either = asyncio.FIRST_COMPLETED
            await asyncio.wait((running, stopped), timeout=work.seconds, return_when=either)
            if not running.done():
                work.stop()
                if not search.waits:
                    await asyncio.wait((running,), timeout=LAST_MOMENT)
            if running.done():
                running.result()
        finally:
            running.cancel()
