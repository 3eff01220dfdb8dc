"""Python in worker processes: searches of other games, and the tasks of `noughts.answers.tasks`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from noughts.answers import tasks
from noughts.answers.positions import AnalysisView, GraphPoint, parse_line
from noughts.answers.problems import Refused
from noughts.answers.rules import SLOWEST
from noughts.opponents import Opponent, OpponentFailed
from noughts.web.clients import Account, current
from noughts.web.game import Game, MachineSearch
from noughts.web.knowledge import Knowledge
from noughts.web.machine_moves import QUICK
from noughts.web.settings import Settings
from noughts.web.thinker import AskedLine
from noughts.web.workers import Tell, WorkerProcesses, ignore

Answer = TypeVar("Answer")
LONG = (tasks.replay, tasks.graph, tasks.review, tasks.lab, tasks.check)
"""The tasks that may take seconds."""


class Processes:
    """A `Thinker` whose searches, and other tasks, run in worker processes.

    Args:
        workers: the processes.
        knowledge: where the proofs of the tasks go.
        settings: the time limits.
    """

    def __init__(self, workers: WorkerProcesses, knowledge: Knowledge, settings: Settings) -> None:
        self._workers, self._knowledge = workers, knowledge
        self._explain_seconds = settings.explain_seconds
        review, lab = settings.review_seconds, settings.lab_seconds
        self._seconds = {tasks.graph: review, tasks.review: review, tasks.lab: lab}
        self._seconds[tasks.check] = settings.check_seconds

    def warm(self) -> None:
        """Start the processes before the first question."""
        self._workers.warm()

    async def run(
        self,
        account: Account,
        task: Callable[..., Answer],
        *asked: Any,
        tell: Tell = ignore,
    ) -> Answer:
        """Run a task and return its result; see `Thinkers.run`."""
        seconds = self._seconds.get(task, self._explain_seconds)
        known = {}
        if task in tasks.WITH_KNOWN:
            start, moves, *_ = asked
            line = await asyncio.to_thread(parse_line, start, moves)
            known = {"known": self._knowledge.about(line)}
        found: Answer = await self._workers.run(
            account, task, *asked, seconds=seconds, named=known, long=task in LONG, tell=tell
        )
        if isinstance(found, tasks.WithProofs):
            self._knowledge.learn_proofs(found.proofs)
        return found

    async def move(
        self, game: Game, search: MachineSearch, machine: Opponent, tell: Callable[[Game], None]
    ) -> str:
        """See `Thinker`; once stopped, the move is one of a quick search."""
        del tell  # The game does not show that it waits for a process.
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

        choosing = asyncio.ensure_future(chosen(machine.text))
        stopped = asyncio.ensure_future(search.enough.wait())
        try:
            await asyncio.wait((choosing, stopped), return_when=asyncio.FIRST_COMPLETED)
            if choosing.done():
                return choosing.result()
        finally:
            choosing.cancel()
            stopped.cancel()
        return await chosen(QUICK)

    async def analyse(
        self,
        account: Account,
        line: AskedLine,
        seconds: float,
        tell: Callable[[AnalysisView], None],
    ) -> AnalysisView:
        """See `Thinker`; the time limit is that of an explanation. `tell` is not called."""
        del seconds, tell
        return await self.run(account, tasks.analyse, line.start, line.moves)

    async def graph(
        self, account: Account, line: AskedLine, tell: Callable[[GraphPoint], None]
    ) -> None:
        """See `Thinker`."""
        for point in await self.run(account, tasks.graph, line.start, line.moves):
            tell(point)
