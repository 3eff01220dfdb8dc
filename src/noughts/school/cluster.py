"""Check the files of a class on the machines of a Ray cluster (docs.ray.io).

    machine ──version──┬─ that of this one ──► a task for each of its processors ──► CheckOutcome
                       └─ another: reported, and left out

A file travels with its task, so that the machines need no common folder. If a machine is lost, its
files are checked again on another. Importing this module needs Ray.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from typing import Any

import ray
from ray.exceptions import RayError

from noughts.arena.cluster import Machine, Tell, connected, last_line
from noughts.arena.match import DEATHS, WorkerLost, cores
from noughts.school.classroom import CheckOutcome, ClassTerms, Task, checker_version, outcome_of
from noughts.school.submissions import Submission

LOOK_SECONDS = 5.0
"""Seconds between two requests for the list of machines."""


class ClusterRunner:
    """Checks files in a Ray cluster.

    If this process is already connected to Ray, that cluster is used and left running.

    Args:
        jobs: most files checked at once; limited by the cluster's processors.
        address: of a running cluster, `HOST:PORT`, or `auto` for that of this machine. Default: a
            cluster on this machine alone, started and ended with the checks.
        tell: called with a sentence for each machine left out or lost.
    """

    def __init__(self, jobs: int | None, address: str | None, *, tell: Tell) -> None:
        self._jobs = jobs
        self._address = address
        self._tell = tell

    def __call__(
        self, tasks: Sequence[Task], terms: ClassTerms
    ) -> Generator[tuple[Submission, CheckOutcome], None, None]:
        """Yield the outcomes as they come; closing the generator ends the checks that run.

        Raises:
            WorkerLost: there is no cluster, or no machine of it has this version of noughts.
        """
        if tasks:
            with connected(self._jobs or len(cores()), self._address):
                yield from _ClusterChecks(tasks, terms, self._jobs, self._tell).run()


def _version_reader() -> Callable[[], str]:
    """Return a function that runs on a machine and returns its version of the checker."""

    # Ray sends a local function by value, so that it runs where noughts is not installed.
    def read() -> str:
        try:
            from noughts.school import classroom
        except ImportError as error:
            return f"noughts cannot be imported there: {error}"
        return classroom.checker_version()

    return read


class _ClusterChecks:
    """The checks of one class on a cluster."""

    def __init__(
        self, tasks: Sequence[Task], terms: ClassTerms, jobs: int | None, tell: Tell
    ) -> None:
        self._waiting = deque(tasks)
        self._terms = terms
        self._jobs = jobs or len(tasks)
        self._tell = tell
        self._fit: dict[str, Machine] = {}
        """The machines that can check files, by their id."""
        self._seen: set[str] = set()
        self._running: dict[Any, tuple[Machine, Task]] = {}
        """Machine and task, by Ray's reference of the outcome."""
        self._losses: Counter[str] = Counter()

    def run(self) -> Generator[tuple[Submission, CheckOutcome], None, None]:
        try:
            while self._waiting or self._running:
                self._look()
                self._deal()
                done, _ = ray.wait([*self._running], timeout=LOOK_SECONDS)
                for answer in done:
                    yield from self._outcome(answer)
        finally:
            if ray.is_initialized():  # Ray would otherwise look for a cluster
                for answer in self._running:
                    ray.cancel(answer, force=True)

    def _look(self) -> None:
        """Check new machines, and forget lost ones."""
        nodes = {
            node["NodeID"]: node
            for node in ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }
        for gone in self._fit.keys() - nodes.keys():
            del self._fit[gone]
        for new in nodes.keys() - self._seen:
            self._seen.add(new)
            machine = Machine(nodes[new])
            if (refusal := self._refusal(machine)) is None:
                self._fit[new] = machine
            else:
                self._tell(f"{machine.name} is not used: {refusal}")
        if not self._fit:
            raise WorkerLost("no machine of the cluster can check files")

    def _refusal(self, machine: Machine) -> str | None:
        """Return why a machine cannot check files; `None` if it can."""
        read = ray.remote(num_cpus=0, max_retries=0, **machine.place())(_version_reader())
        try:
            version = ray.get(read.remote())
        except RayError as error:
            return last_line(error)
        if version == checker_version():
            return None
        return version if " " in version else "it has another version of noughts"

    def _deal(self) -> None:
        """Give files to free processors."""
        for machine in self._fit.values():
            while (
                self._waiting
                and machine.workers < machine.processors
                and len(self._running) < self._jobs
            ):
                task = self._waiting.popleft()
                machine.workers += 1
                check = ray.remote(num_cpus=1, max_retries=0, **machine.place())(outcome_of)
                self._running[check.remote(task[1], self._terms)] = machine, task

    def _outcome(self, answer: Any) -> Generator[tuple[Submission, CheckOutcome], None, None]:
        machine, task = self._running.pop(answer)
        machine.workers -= 1
        submission = task[0]
        try:
            yield submission, ray.get(answer)
        except RayError as error:
            self._losses[submission.place] += 1
            if self._losses[submission.place] == DEATHS:
                yield submission, CheckOutcome(None, f"The check failed: {last_line(error)}", False)
            else:
                self._tell(f"the check of {submission.student} was lost; it starts again")
                self._waiting.append(task)
