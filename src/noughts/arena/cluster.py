"""Play the games of a match on several machines of a Ray cluster (docs.ray.io).

    machine ──check──┬─ it fits ──► a worker for each of its processors ◄──fixture── Cluster
                     └─ it does not: reported, and left out      └──record──► yielded

A worker has one game at a time, and takes the next fixture when it is free. If a worker or its
machine is lost, another plays the game again. Machines that join the cluster during the match get
workers too. Importing this module needs Ray.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from noughts.arena.bot import Fault
from noughts.arena.match import DEATHS, FAREWELL, GameWorker, Waiting, WorkerLost, try_bots
from noughts.arena.openings import Opening
from noughts.arena.schedule import Fixture, Terms
from noughts.engine import Engine
from noughts.games import registry
from noughts.games.record import Record, format_json_line, parse_json_line
from noughts.games.registry import load
from noughts.search import Limit
from noughts.version import __version__

LOOK_SECONDS = 2.0
"""Seconds between two requests for the list of machines."""
PATIENCE = 60.0
"""Seconds without a worker before the match reports that it is waiting."""
ANSWER_SECONDS = 5.0
"""Seconds within which a cluster must answer at its address."""
STORE_BYTES = 80 << 20
"""Shared memory of a cluster on this machine alone: the least that Ray accepts."""
PROBED = ("connect4", "mnk:7,7,5", "advanced", "ultimate")
"""Games whose searches show whether two native cores are the same."""
PROBE = Limit(nodes=5000)
"""Limit of the searches of `PROBED`."""

LINE_COLUMNS = 300
"""Characters shown of an error of Ray."""

Tell = Callable[[str], None]
"""Called with a sentence about the cluster."""


class ClusterUnavailable(WorkerLost):
    """No game can be played: no cluster at the address, or one that this machine cannot use."""


class Likeness(NamedTuple):
    """Fingerprints of a machine: equal ones mean that the same games are played on both."""

    code: str
    """Fingerprint of the Python code: rules, searches and arena."""
    core: str
    """Fingerprint of results of the native core."""
    games: str
    """Fingerprint of the files that register games."""


def likeness(files: Iterable[Path]) -> Likeness:
    """Return the fingerprints of this machine, with these files of games.

    Raises:
        OSError: a file cannot be read.
    """
    package = Path(__file__).parent.parent
    folders = (package, *(package / name for name in ("games", "search", "arena")))
    code = hashlib.sha256()
    for file in sorted(file for folder in folders for file in folder.glob("*.py")):
        code.update(file.read_bytes())
    core = hashlib.sha256()
    for rules in PROBED:
        found = Engine(rules, table_mib=1).best_move(registry.game(rules), PROBE)
        core.update(f"{found.move} {found.score} {found.nodes}\n".encode())
    games = hashlib.sha256(b"\n".join(file.read_bytes() for file in files))
    return Likeness(code.hexdigest(), core.hexdigest(), games.hexdigest())


class Cluster:
    """A runner with workers on the machines of a Ray cluster.

    If this process is already connected to Ray, that cluster is used and left running.

    Args:
        jobs: most games played at once; limited by the cluster's processors.
        address: of a running cluster, `HOST:PORT`, or `auto` for that of this machine. Default: a
            cluster on this machine alone, started and ended with the games.
        files: folder sent to every machine, as the bots' working directory. Default: the current
            folder, which every machine must have.
        tell: called with a sentence for each machine left out or lost.
    """

    def __init__(
        self,
        jobs: int,
        address: str | None = None,
        *,
        files: Path | None = None,
        tell: Tell = lambda _: None,
    ) -> None:
        self._jobs = jobs
        self._address = address
        self._files = files
        self._tell = tell

    def __call__(
        self, terms: Terms, fixtures: Iterable[Fixture]
    ) -> Generator[tuple[Fixture, Record], None, None]:
        """Play the fixtures.

        Raises:
            ClusterUnavailable: there is no cluster.
            WorkerLost: no machine fits, or too many processes died in one game.
            RuntimeError: a game could not be played, and no bot caused it; the message says why.
        """
        with connected(self._jobs, self._address, self._files):
            directory = None if self._files else Path.cwd()
            yield from _ClusterWorkers(terms, fixtures, self._jobs, directory, self._tell).play()


@contextmanager
def connected(jobs: int, address: str | None = None, files: Path | None = None) -> Iterator[None]:
    """Connect this process to a cluster; if it is connected already, use that one.

    Args:
        jobs: processors of a cluster that is started on this machine.
        address: of a running cluster; left out, one is started here and ended afterwards.
        files: folder sent to every machine, as the working directory.

    Raises:
        ClusterUnavailable: there is no cluster.
    """
    if ray.is_initialized():
        yield
        return
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if files is not None:
        settings["runtime_env"] = {"working_dir": str(files)}
    if address is None:
        # Send no usage statistics, and do not hide GPUs from bots.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        settings |= {
            "address": "local",
            "num_cpus": jobs,
            "include_dashboard": False,
            "object_store_memory": STORE_BYTES,
        }
    else:
        _find(address)
        settings["address"] = address
    try:
        ray.init(**settings)
    except (ConnectionError, RayError, RuntimeError, ValueError) as error:
        ray.shutdown()
        where = address or "this machine"
        raise ClusterUnavailable(f"no cluster at {where}: {error}") from error
    try:
        yield
    finally:
        ray.shutdown()


def _find(address: str) -> None:
    """Check that something answers at an address; Ray would wait for minutes, then end the process.

    Raises:
        ClusterUnavailable: nothing answers.
    """
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal():
        return  # `auto`, or another form that Ray checks
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise ClusterUnavailable(f"no cluster at {address}: {error}") from error


class Machine:
    """A machine of the cluster (a node in Ray)."""

    def __init__(self, node: dict[str, Any]) -> None:
        self.id: str = node["NodeID"]
        self.name = f"{node['NodeManagerAddress']} ({node['NodeManagerHostname']})"
        self.processors = int(node["Resources"]["CPU"])
        self.fits = False
        self.refusal: str | None = None
        """The reason why it is not used."""
        self.workers = 0
        self.failures = 0
        """Consecutive workers that did not open."""

    def place(self) -> dict[str, Any]:
        """Return the options that make Ray run something on this machine only."""
        return {"scheduling_strategy": NodeAffinitySchedulingStrategy(self.id, soft=False)}


class _RemoteWorker(NamedTuple):
    """The local reference to a worker."""

    machine: Machine
    actor: Any


class _Actor:
    """A worker, on its machine."""

    def __init__(self, terms: Terms, directory: Path | None) -> None:
        _settle(terms, directory)
        self._worker = GameWorker(terms)

    def open(self) -> None:
        """Do nothing; the answer confirms that the worker runs."""

    def play(self, fixture: Fixture) -> str:
        return format_json_line(self._worker.play(fixture))

    def close(self) -> None:
        self._worker.close()


def _settle(terms: Terms, directory: Path | None) -> None:
    if directory is not None:
        os.chdir(directory)
    for path in terms.load:
        load(path)


def _greeter() -> Callable[[str, bytes], str | None]:
    """Return a function that runs on a machine and returns why it does not fit, or `None`."""

    # Ray sends a local function by value, so that it runs where noughts is not installed.
    def greet(version: str, rest: bytes) -> str | None:
        import pickle

        try:
            from noughts.version import __version__
        except ImportError as error:
            return f"noughts cannot be imported there: {error}"
        if __version__ != version:
            return f"noughts is {__version__} there, and {version} here"
        from noughts.arena import cluster

        return cluster.refusal(*pickle.loads(rest))

    return greet


def refusal(terms: Terms, directory: Path | None, like: Likeness) -> str | None:
    """Return why this machine cannot play the games of a match; `None` if it can.

    Args:
        terms: of the match.
        directory: working directory of the bots.
        like: fingerprints of the machine that starts the match.
    """
    try:
        _settle(terms, directory)
        here = likeness(terms.load)
    except FileNotFoundError as error:
        return f"there is no {error.filename} there"
    except Exception as error:  # a user's file may raise anything
        return f"{type(error).__name__}: {error}"
    if here.games != like.games:
        return f"not the same there: {' '.join(map(str, terms.load))}"
    if here.code != like.code:
        return f"noughts {__version__} there has other Python code than here"
    if here.core != like.core:
        return "the native core there finds other moves than here"
    everyone = range(len(terms.entries))
    games = [Fixture(0, 0, Opening(game), x, x, 0) for game in terms.games for x in everyone]
    try:
        try_bots(terms, games)
    except Fault as fault:
        return str(fault)
    return None


class _ClusterWorkers:
    """The workers of one match on a cluster."""

    def __init__(
        self,
        terms: Terms,
        fixtures: Iterable[Fixture],
        jobs: int,
        directory: Path | None,
        tell: Tell,
    ) -> None:
        self._terms = terms
        self._waiting = Waiting(fixtures)
        self._jobs = jobs
        self._directory = directory
        self._tell = tell
        self._greeting = pickle.dumps((terms, directory, likeness(terms.load)))
        self._machines: dict[str, Machine] = {}
        self._workers: list[_RemoteWorker] = []
        self._idle: list[_RemoteWorker] = []
        self._under_way = 0
        self._awaited: dict[Any, Callable[[Any], tuple[Fixture, Record] | None]] = {}
        """The function that handles each awaited answer, by Ray's reference of the answer."""
        self._next_look = 0.0
        self._told_at = time.monotonic() + PATIENCE

    def play(self) -> Generator[tuple[Fixture, Record], None, None]:
        try:
            while True:
                self._look()
                self._open_workers()
                if not self._deal():
                    return
                if not self._awaited:
                    time.sleep(LOOK_SECONDS)
                    continue
                for answer in ray.wait([*self._awaited], timeout=LOOK_SECONDS)[0]:
                    over = self._awaited.pop(answer)(answer)
                    if over is not None:
                        yield over
        finally:
            self._close()

    def _look(self) -> None:
        """Check new machines and forget lost ones, every `LOOK_SECONDS`."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        self._take_machines()
        refusals = [each.refusal for each in self._machines.values() if each.refusal]
        if refusals and len(refusals) == len(self._machines):
            raise WorkerLost(f"no machine of the cluster can play: {refusals[0]}")
        if not self._idle and not self._under_way and now > self._told_at:
            self._told_at = inf
            self._tell("no processor of the cluster is free; the match waits for one")

    def _take_machines(self) -> None:
        nodes = {
            node["NodeID"]: node
            for node in ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }
        for gone in self._machines.keys() - nodes.keys():
            self._tell(f"{self._machines.pop(gone).name} has left the cluster")
        for new in nodes.keys() - self._machines.keys():
            machine = self._machines[new] = Machine(nodes[new])
            greet = ray.remote(num_cpus=0, max_retries=0, **machine.place())(_greeter())
            answer = greet.remote(__version__, self._greeting)
            self._awaited[answer] = partial(self._greeted, machine)

    def _is_there(self, machine: Machine) -> bool:
        self._take_machines()
        return machine.id in self._machines

    def _open_workers(self) -> None:
        while len(self._workers) < self._jobs:
            fit = [m for m in self._machines.values() if m.fits and m.workers < m.processors]
            if not fit:
                return
            machine = min(fit, key=lambda each: each.workers)
            actor = ray.remote(num_cpus=1, **machine.place())(_Actor)
            worker = _RemoteWorker(machine, actor.remote(self._terms, self._directory))
            machine.workers += 1
            self._workers.append(worker)
            self._awaited[worker.actor.open.remote()] = partial(self._opened, worker)

    def _deal(self) -> bool:
        """Give games to idle workers; return whether more answers will come."""
        while self._idle:
            fixture = self._waiting.next()
            if fixture is None:
                return self._under_way > 0
            worker = self._idle.pop()
            self._under_way += 1
            answer = worker.actor.play.remote(fixture)
            self._awaited[answer] = partial(self._played, worker, fixture)
        return True

    def _greeted(self, machine: Machine, answer: Any) -> None:
        try:
            refusal = ray.get(answer)
        except RayError as error:
            refusal = last_line(error)
        machine.fits = refusal is None
        if refusal is not None:
            self._leave_out(machine, refusal)

    def _opened(self, worker: _RemoteWorker, answer: Any) -> None:
        try:
            ray.get(answer)
        except RayError as error:
            self._lose(worker)
            worker.machine.failures += 1
            if worker.machine.failures == DEATHS and self._is_there(worker.machine):
                self._leave_out(worker.machine, last_line(error))
        else:
            worker.machine.failures = 0
            self._idle.append(worker)

    def _played(
        self, worker: _RemoteWorker, fixture: Fixture, answer: Any
    ) -> tuple[Fixture, Record] | None:
        self._under_way -= 1
        try:
            line = ray.get(answer)
        except RayTaskError as error:
            raise RuntimeError(f"game {fixture.number} could not be played:\n{error}") from error
        except RayError as error:
            self._lose(worker)
            self._waiting.again(fixture, f"on {worker.machine.name}: {last_line(error)}")
            self._tell(
                f"game {fixture.number} was lost on {worker.machine.name}; it is played again"
            )
            return None
        self._idle.append(worker)
        return fixture, parse_json_line(line)

    def _leave_out(self, machine: Machine, refusal: str) -> None:
        machine.fits = False
        machine.refusal = f"{machine.name}: {refusal}"
        self._tell(f"{machine.name} is not used: {refusal}")

    def _lose(self, worker: _RemoteWorker) -> None:
        self._workers.remove(worker)
        worker.machine.workers -= 1
        # An unreachable worker may still run, and would keep its processor.
        with suppress(RayError):
            ray.kill(worker.actor)

    def _close(self) -> None:
        """Close idle workers, and kill the others."""
        if not ray.is_initialized():
            return  # Ray would otherwise look for a cluster
        with suppress(RayError):
            farewells = [worker.actor.close.remote() for worker in self._idle]
            if farewells:
                ray.wait(farewells, num_returns=len(farewells), timeout=FAREWELL)
            for worker in self._workers:
                ray.kill(worker.actor)


def last_line(error: Exception) -> str:
    """Return the last line of an error of Ray, without traces and numbers."""
    return str(error).strip().rpartition("\n")[2][:LINE_COLUMNS] or type(error).__name__
